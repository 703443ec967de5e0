"""Nets to cut and fold: every piece of a box, made of paper, in its true size.

Each net is a few flat faces side by side. A face's outline is cut where nothing hangs on it and
folded where something does, so the faces are painted first, then all cuts, then the folds over
them. Tabs are paper without colour: they are glued inside.

The shapes are those of `rules.box.SHAPES`. A plate is a shallow lid without a floor, so that
paper alone gives it its thickness; all others stand on a floor.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import asin, cos, hypot, sin
from typing import Final

from firmware.shapes import INK, PALE, Drawing, Line, Mark, Patch, Point, moved, rectangle
from rules.box import Box, PieceFacts

TAB_MM: Final = 5.0
ROOF: Final = 0.35
"""The roof's share of a house's height, as on most sets."""
PAWN_MM: Final = (8.0, 8.0, 14.0)
"""Boxes say nothing of pawns: a slim pyramid that fits a space of the track."""

Face = tuple[Point, ...]
Fold = tuple[Point, Point]


class Net:
    """Faces and tabs in any place; drawn with its top left at the origin."""

    def __init__(self, name: str, shade: str) -> None:
        self._name, self._shade = name, shade
        self._faces: list[Face] = []
        self._tabs: list[Face] = []
        self._folds: list[Fold] = []

    def face(self, *points: Point) -> None:
        self._faces.append(points)

    def tab(self, start: Point, end: Point, deep_mm: float = TAB_MM) -> None:
        """A tab left of the way from start to end (y points down), folded there."""
        (x, y), (to_x, to_y) = start, end
        length = hypot(to_x - x, to_y - y)
        along = ((to_x - x) / length, (to_y - y) / length)
        out = (along[1], -along[0])
        lean = min(deep_mm * 0.6, length / 3)
        self._tabs.append(
            (
                start,
                (x + along[0] * lean + out[0] * deep_mm, y + along[1] * lean + out[1] * deep_mm),
                (
                    to_x - along[0] * lean + out[0] * deep_mm,
                    to_y - along[1] * lean + out[1] * deep_mm,
                ),
                end,
            )
        )
        self.fold(start, end)

    def fold(self, start: Point, end: Point) -> None:
        self._folds.append((start, end))

    def drawing(self) -> Drawing:
        points = [point for face in (*self._faces, *self._tabs) for point in face]
        left, top = min(x for x, _ in points), min(y for _, y in points)
        right, bottom = max(x for x, _ in points), max(y for _, y in points)
        marks: list[Mark] = [Patch(tab) for tab in self._tabs]
        marks += [Patch(face, self._shade) for face in self._faces]
        # Paper over the cut that would be there if nothing hung on the edge.
        marks += [Patch(fold, shade=self._shade, width_mm=0.5) for fold in self._folds]
        ink = PALE if _is_dark(self._shade) else INK
        marks += [Patch(fold, line=Line.FOLD, shade=ink, width_mm=0.25) for fold in self._folds]
        return Drawing(self._name, (right - left, bottom - top), moved(marks, -left, -top))


def _is_dark(shade: str) -> bool:
    """So dark that a line of ink cannot be seen on it."""
    return max(int(shade[at : at + 2], 16) for at in (1, 3, 5)) < 0x60


def piece_nets(box: Box) -> Iterator[Drawing]:
    """Every piece in the box, as often as it is in there."""
    for facts in box.pieces.values():
        for colour in facts.colours or (facts.kind,):
            name = f"{colour} {facts.kind}" if facts.colours else facts.kind
            yield from [piece_net(facts, name, facts.shade[colour])] * facts.count


def pawn_nets(box: Box) -> Iterator[Drawing]:
    """A pawn for each player, in the shade of the player's pieces."""
    for player in box.players:
        for facts in box.pieces.values():
            if player in facts.colours:
                yield _pyramid(Net(f"{player} pawn", facts.shade[player]), *PAWN_MM)
                break


def piece_net(facts: PieceFacts, name: str, shade: str) -> Drawing:
    wide, deep = facts.base_mm
    net = Net(name, shade)
    if facts.shape == "gabled":
        return _house(net, wide, deep, facts.height_mm)
    if facts.shape == "pyramid":
        return _pyramid(net, wide, deep, facts.height_mm)
    if facts.shape in ("slab", "marker"):
        return _lid(net, wide, deep, facts.height_mm)
    return _block(net, wide, deep, facts.height_mm)


def _walls(net: Net, wide: float, deep: float, tall: float) -> tuple[float, float, float, float]:
    """Four walls in a row with a tab at the end: where each begins."""
    starts = (0.0, wide, wide + deep, 2 * wide + deep)
    for start in starts[1:]:
        net.fold((start, 0), (start, tall))
    end = 2 * wide + 2 * deep
    net.tab((end, 0), (end, tall))
    return starts


def _floor(net: Net, wide: float, deep: float, tall: float) -> None:
    """Below the first wall, with a tab for the third."""
    low = tall + deep
    net.face(*rectangle(0, tall, wide, deep))
    net.fold((0, tall), (wide, tall))
    net.tab((wide, low), (0, low))


def _house(net: Net, wide: float, deep: float, tall: float) -> Drawing:
    """Walls and gables in a row; the roof hangs on the first wall and ends inside the third."""
    eaves = tall * (1 - ROOF)
    slope = hypot(deep / 2, tall - eaves)
    starts = _walls(net, wide, deep, eaves)
    for start in (starts[0], starts[2]):
        net.face(*rectangle(start, 0, wide, eaves))
    for start in (starts[1], starts[3]):
        ridge = (start + deep / 2, eaves - tall)
        net.face((start, eaves), (start, 0), ridge, (start + deep, 0), (start + deep, eaves))
    for number in (1, 2):
        net.face(*rectangle(0, -number * slope, wide, slope))
        net.fold((0, (1 - number) * slope), (wide, (1 - number) * slope))
    net.tab((0, -2 * slope), (wide, -2 * slope))
    _floor(net, wide, deep, eaves)
    return net.drawing()


def _block(net: Net, wide: float, deep: float, tall: float) -> Drawing:
    starts = _walls(net, wide, deep, tall)
    for start, side in zip(starts, (wide, deep, wide, deep), strict=True):
        net.face(*rectangle(start, 0, side, tall))
    net.face(*rectangle(0, -deep, wide, deep))
    net.fold((0, 0), (wide, 0))
    net.tab((0, -deep), (wide, -deep))
    _floor(net, wide, deep, tall)
    return net.drawing()


def _lid(net: Net, wide: float, deep: float, tall: float) -> Drawing:
    net.face(*rectangle(0, 0, wide, deep))
    for corners in (
        rectangle(0, -tall, wide, tall),
        rectangle(0, deep, wide, tall),
        rectangle(-tall, 0, tall, deep),
        rectangle(wide, 0, tall, deep),
    ):
        net.face(*corners)
    net.fold((0, 0), (wide, 0))
    net.fold((0, deep), (wide, deep))
    net.fold((0, 0), (0, deep))
    net.fold((wide, 0), (wide, deep))
    for top in (-tall, deep):
        net.tab((0, top + tall), (0, top), tall)
        net.tab((wide, top), (wide, top + tall), tall)
    return net.drawing()


def _pyramid(net: Net, wide: float, deep: float, tall: float) -> Drawing:
    """Four slopes as a fan around the top, and the floor below the second: one seam to glue."""
    edge = hypot(wide / 2, deep / 2, tall)
    sides = (wide, deep, wide, deep)
    turns = [2 * asin(side / 2 / edge) for side in sides]
    angles = [sum(turns[:number]) - sum(turns) / 2 for number in range(5)]
    rays: list[Point] = [(edge * sin(angle), edge * cos(angle)) for angle in angles]
    top: Point = (0.0, 0.0)
    for start, end in pairwise(rays):
        net.face(top, start, end)
    for ray in rays[1:-1]:
        net.fold(top, ray)
    net.tab(top, rays[-1])
    start, end = rays[1], rays[2]
    away = (angles[1] + angles[2]) / 2
    low = (sides[0] * sin(away), sides[0] * cos(away))
    far_end, far_start = (end[0] + low[0], end[1] + low[1]), (start[0] + low[0], start[1] + low[1])
    net.face(start, end, far_end, far_start)
    net.fold(start, end)
    net.tab(end, far_end)
    net.tab(far_end, far_start)
    net.tab(far_start, start)
    return net.drawing()
