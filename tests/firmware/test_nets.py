"""Nets, folded in the head: as much paper as the body has surface, and edges that meet."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

import pytest

from firmware.nets import PAWN_MM, ROOF, pawn_nets, piece_net, piece_nets
from firmware.shapes import INK, PALE, Drawing, Line, Patch, Point
from rules.box import SHAPES, PieceFacts
from rules.pack import choose_settings
from rules.packs import load_pack

BOX = load_pack("masterplan").box
SHADE = "#123456"


def facts(shape: str, base_mm: tuple[float, float], height_mm: float) -> PieceFacts:
    return PieceFacts("thing", 1, (), shape, False, base_mm, height_mm, {"thing": SHADE})


def area(points: tuple[Point, ...]) -> float:
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return abs(sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairs)) / 2


def paper(drawing: Drawing) -> float:
    """Of the coloured faces, without the tabs."""
    patches = [mark for mark in drawing.marks if isinstance(mark, Patch)]
    return sum(area(patch.points) for patch in patches if patch.fill == SHADE)


def surface(shape: str, wide: float, deep: float, tall: float) -> float:
    around = 2 * (wide + deep)
    if shape == "gabled":
        roof = tall * ROOF
        gables = deep * roof
        slopes = 2 * wide * hypot(deep / 2, roof)
        return wide * deep + around * (tall - roof) + gables + slopes
    if shape == "pyramid":
        return wide * deep + wide * hypot(deep / 2, tall) + deep * hypot(wide / 2, tall)
    if shape in ("slab", "marker"):
        return wide * deep + around * tall
    return 2 * wide * deep + around * tall


@pytest.mark.parametrize("base_mm", [(13.0, 13.0), (20.0, 12.0)])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_net_has_the_surface_of_the_body(shape: str, base_mm: tuple[float, float]) -> None:
    net = piece_net(facts(shape, base_mm, 15.0), "thing", SHADE)
    assert paper(net) == pytest.approx(surface(shape, *base_mm, 15.0))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_net_begins_at_its_corner_and_fills_its_size(shape: str) -> None:
    net = piece_net(facts(shape, (16.0, 12.0), 20.0), "thing", SHADE)
    points = [point for mark in net.marks if isinstance(mark, Patch) for point in mark.points]
    assert (min(x for x, _ in points), min(y for _, y in points)) == pytest.approx((0, 0))
    ends = (max(x for x, _ in points), max(y for _, y in points))
    assert ends == pytest.approx(net.size_wh_mm)


def test_folds_lie_where_two_faces_meet() -> None:
    """Each dashed line is an edge of at least two of the outlines that are drawn."""
    others = piece_nets(load_pack("subdivision").box)
    for net in {net.name: net for net in (*piece_nets(BOX), *pawn_nets(BOX), *others)}.values():
        patches = [mark for mark in net.marks if isinstance(mark, Patch)]
        outlines = [patch.points for patch in patches if len(patch.points) > 2]
        folds = [patch.points for patch in patches if patch.line is Line.FOLD]
        assert folds
        for start, end in folds:
            meeting = [face for face in outlines if on_outline(start, face)]
            meeting = [face for face in meeting if on_outline(end, face)]
            assert len(meeting) >= 2, (net.name, start, end)


def reach(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def on_outline(point: Point, face: tuple[Point, ...]) -> bool:
    return any(
        reach(point, start) + reach(point, end) == pytest.approx(reach(start, end))
        for start, end in zip(face, (*face[1:], face[0]), strict=True)
    )


def test_a_folded_house_and_tower_have_the_sizes_of_the_box() -> None:
    house, tower = BOX.pieces["house"], BOX.pieces["tower"]
    nets = {net.name: net for net in piece_nets(BOX)}
    assert nets["white house"].size_wh_mm[0] == pytest.approx(4 * house.base_mm[0] + 5)
    wide, deep = tower.base_mm
    assert nets["tower"].size_wh_mm == pytest.approx(
        (2 * (wide + deep) + 5, tower.height_mm + 2 * deep + 10)
    )


@pytest.mark.parametrize("base_mm", [(25.4, 25.4), (19.8, 19.8), (14.3, 14.3), (20.0, 12.0)])
def test_a_pyramid_folds_to_its_base_and_height(base_mm: tuple[float, float]) -> None:
    """Four slopes with the floor's sides below, all edges of one length, which gives the height."""
    (wide, deep), tall = base_mm, 1.75 * base_mm[0]
    net = piece_net(facts("pyramid", base_mm, tall), "thing", SHADE)
    faces = [mark.points for mark in net.marks if isinstance(mark, Patch) and mark.fill == SHADE]
    *slopes, floor = faces
    edges = [(reach(top, start), reach(top, end)) for top, start, end in slopes]
    assert edges == [pytest.approx((edges[0][0], edges[0][0]))] * 4
    assert [reach(start, end) for _, start, end in slopes] == pytest.approx([wide, deep] * 2)
    sides = [reach(one, other) for one, other in zip(floor, (*floor[1:], floor[0]), strict=True)]
    assert sides == pytest.approx([deep, wide] * 2)
    assert area(floor) == pytest.approx(wide * deep)
    assert edges[0][0] ** 2 - (wide**2 + deep**2) / 4 == pytest.approx(tall**2)
    # The fan lies flat on the paper: slopes that meet share an edge, and do not overlap.
    tops = {tuple(round(number, 6) for number in top) for top, _, _ in slopes}
    assert len(tops) == 1
    assert all(one[2] == other[1] for one, other in pairwise(slopes))


def test_pyramids_are_printed_for_those_who_play() -> None:
    pack = load_pack("subdivision")
    chosen = choose_settings(pack.settings, {"players": "black red", "size": "7"})
    names = [net.name for net in piece_nets(pack.box_for(chosen))]
    assert {name: names.count(name) for name in names} == {
        **{f"{who} {size}": 5 for size in ("large", "medium", "small") for who in ("black", "red")},
        "blocked": 19,
    }


def test_folds_are_seen_on_black_paper() -> None:
    for shade, ink in (("#24211f", PALE), ("#c4202c", INK), ("#d9ddd8", INK)):
        net = piece_net(facts("pyramid", (20.0, 20.0), 30.0), "thing", shade)
        folds = [mark for mark in net.marks if isinstance(mark, Patch) and mark.line is Line.FOLD]
        assert {fold.shade for fold in folds} == {ink}


def test_every_player_gets_a_pawn_that_fits_the_rim() -> None:
    assert [net.name for net in pawn_nets(BOX)] == ["white pawn", "yellow pawn"]
    assert PAWN_MM[0] < BOX.board.rim_mm
