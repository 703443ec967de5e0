"""Sheets of paper in true scale: drawings laid on pages, and the pages written as PDF.

    box → drawings (`playmat`, `nets`) → sheets: what lies where → `pdf`

Every sheet carries a ruler of 100 mm to hold a real one against. Small things are laid in rows;
what is larger than a page is tiled. Tiles overlap: each begins at its seam and runs on below its
neighbours to the right and further down, so that a cut that is half a millimetre off shows wood and
no gap. Marks in the margin say where to cut and where the next sheet lies on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from pathlib import Path
from typing import Final

from firmware.nets import pawn_nets, piece_nets
from firmware.pdf import Window, write_pdf
from firmware.playmat import board_drawing, marker_cards, marker_plan, track_strips
from firmware.shapes import (
    FAINT,
    INK,
    Drawing,
    Line,
    Mark,
    Patch,
    Point,
    Words,
    moved,
    rectangle,
)
from rules.box import BoardFacts, Box
from rules.errors import ParkwardenError

MARGIN_MM: Final = 10.0
"""No printer needs more."""
HEAD_MM: Final = 14.0
FOOT_MM: Final = 16.0
GAP_MM: Final = 4.0
"""Between things on a page: room for cut marks."""
CUT_MARK_MM: Final = (1.0, 3.0)
"""A cut mark begins so far from the corner and is so long."""
OVERLAP_MM: Final = 10.0
RULER_MM: Final = 100.0


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"

    @property
    def size_wh_mm(self) -> tuple[float, float]:
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)

    @property
    def body_wh_mm(self) -> tuple[float, float]:
        """What is left for drawings between head and foot."""
        width, height = self.size_wh_mm
        return width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - HEAD_MM - FOOT_MM


BODY_XY_MM: Final = (MARGIN_MM, MARGIN_MM + HEAD_MM)
"""Where the body begins on every page."""


class Print(StrEnum):
    MARKERS = "markers"
    BOARD = "board"
    PIECES = "pieces"
    TRACK = "track"


ADVICE: Final = {
    Print.MARKERS: "On plain white paper or card. Lay each card with its grey corner against the "
    "board's corner, edges in line.",
    Print.BOARD: "Cut along the marks, glue the sheets onto stiff card, later numbers on top.",
    Print.PIECES: "On thin card if you can. Cut the solid lines, fold the dashed ones, glue the "
    "white tabs inside.",
    Print.TRACK: "For a board without a track: the strips go around its rim, clockwise from the "
    "corner by a1.",
}


@dataclass(frozen=True, slots=True)
class Tile:
    """A part of a large drawing on a page of its own."""

    part_xy_mm: Point
    """Where the part begins in the drawing."""
    part_wh_mm: tuple[float, float]
    page_xy_mm: Point
    """Where the part begins on its page."""
    on_top_xy_mm: tuple[float | None, float | None]
    """On the page: from here on the next sheet to the right, and the next below, lies on top."""


@dataclass(frozen=True, slots=True)
class Placed:
    drawing: Drawing
    page_xy_mm: Point
    tile: Tile | None = None


Sheet = tuple[Placed, ...]


class NoBoard(ParkwardenError, ValueError):
    """A wish about the board, where no board is printed."""


def print_for(
    box: Box, what: Print, paper: Paper, out_path: Path | None, *, chequered: bool
) -> str:
    """What somebody asked for, and what to tell them."""
    if chequered and what is not Print.BOARD:
        raise NoBoard(f"--chequered is for a board; got {what}")
    out_path = out_path or Path(f"{box.game}-{what}-{paper}.pdf")
    count = print_pdf(what, paper, box, out_path, chequered=chequered)
    sheets = "1 sheet" if count == 1 else f"{count} sheets"
    return f"{out_path}: {sheets} of {paper.title()} paper, to be printed at 100 %\n"


def print_pdf(
    what: Print, paper: Paper, box: Box, out_path: Path, *, chequered: bool = False
) -> int:
    """Write the sheets to a file; how many they are."""
    sheets = sheets_of(what, paper, box, chequered=chequered)
    pages = []
    for number, sheet in enumerate(sheets, start=1):
        head = f"{box.title}: {what}, sheet {number} of {len(sheets)} ({paper.title()})"
        page: list[Mark | Window] = [*_head(head, ADVICE[what], paper), *_ruler(paper)]
        for placed in sheet:
            page += _place(placed, number, sheets, paper)
        pages.append(page)
    write_pdf(out_path, f"{box.title}: {what}", paper.size_wh_mm, pages)
    return len(sheets)


def sheets_of(what: Print, paper: Paper, box: Box, *, chequered: bool = False) -> list[Sheet]:
    """What lies where, page by page."""
    if what is Print.BOARD:
        drawing = board_drawing(box, chequered=chequered)
        return [
            (Placed(drawing, _less(tile.page_xy_mm, tile.part_xy_mm), tile),)
            for tile in tiles_of(drawing.size_wh_mm, paper)
        ]
    if what is Print.MARKERS:
        return [_marker_sheet(box.board, paper)]
    if what is Print.TRACK:
        return lay_out([*track_strips(box), *pawn_nets(box)], paper)
    return lay_out(piece_nets(box), paper)


def _marker_sheet(board: BoardFacts, paper: Paper) -> Sheet:
    """The cards two by two, as they will lie around the board, and the plan below them."""
    cards = list(marker_cards(board))
    side, room = cards[0].size_wh_mm[0], 6 * GAP_MM
    left, top = (paper.size_wh_mm[0] - 2 * side - room) / 2, BODY_XY_MM[1] + GAP_MM
    right, below = left + side + room, top + side + room
    corners = ((left, below), (right, below), (right, top), (left, top))
    plan = marker_plan(board, paper.body_wh_mm[0] / 3)
    placed = [Placed(card, at) for card, at in zip(cards, corners, strict=True)]
    plan_x = (paper.size_wh_mm[0] - plan.size_wh_mm[0]) / 2
    return (*placed, Placed(plan, (plan_x, below + side + room)))


def lay_out(drawings: Iterable[Drawing], paper: Paper) -> list[Sheet]:
    """In rows, in their order; a drawing of another name begins a new row."""
    wide, high = paper.body_wh_mm
    sheets: list[list[Placed]] = [[]]
    x = y = GAP_MM
    row_mm, kind = 0.0, ""
    for drawing in drawings:
        width, height = drawing.size_wh_mm
        changed = drawing.name.split()[-1] != kind and not drawing.is_square_cut
        if x + width + GAP_MM > wide or (changed and x > GAP_MM):
            x, y, row_mm = GAP_MM, y + row_mm + GAP_MM, 0.0
        if y + height + GAP_MM > high:
            sheets.append([])
            x, y, row_mm = GAP_MM, GAP_MM, 0.0
        at = (BODY_XY_MM[0] + x, BODY_XY_MM[1] + y)
        sheets[-1].append(Placed(drawing, at))
        x, row_mm, kind = x + width + GAP_MM, max(row_mm, height), drawing.name.split()[-1]
    return [tuple(sheet) for sheet in sheets]


def tiles_of(size_wh_mm: tuple[float, float], paper: Paper) -> list[Tile]:
    """Equal parts that fit on a page each, row by row from the top left."""
    columns = _parts(size_wh_mm[0], paper.body_wh_mm[0])
    rows = _parts(size_wh_mm[1], paper.body_wh_mm[1])
    page_x, page_y = BODY_XY_MM[0] + GAP_MM, BODY_XY_MM[1] + GAP_MM
    return [
        Tile(
            part_xy_mm=(left, top),
            part_wh_mm=(width, height),
            page_xy_mm=(page_x, page_y),
            on_top_xy_mm=(
                None if seam_x is None else page_x + seam_x,
                None if seam_y is None else page_y + seam_y,
            ),
        )
        for top, height, seam_y in rows
        for left, width, seam_x in columns
    ]


def _parts(length_mm: float, body_mm: float) -> list[tuple[float, float, float | None]]:
    """Start, length with the overlap, and where in it the next part begins."""
    room = body_mm - 2 * GAP_MM
    count = 1 if length_mm <= room else ceil(length_mm / (room - OVERLAP_MM))
    step = length_mm / count
    last = ((count - 1) * step, step, None)
    return [*((number * step, step + OVERLAP_MM, step) for number in range(count - 1)), last]


def _head(title: str, advice: str, paper: Paper) -> Iterator[Mark]:
    middle = paper.size_wh_mm[0] / 2
    yield Words(title, (middle, MARGIN_MM + 2.5), 4.5)
    yield Words(advice, (middle, MARGIN_MM + 8), 3.0, FAINT)


def _ruler(paper: Paper) -> Iterator[Mark]:
    width, height = paper.size_wh_mm
    left, y = (width - RULER_MM) / 2, height - MARGIN_MM - 3
    yield Patch(rectangle(left, y, RULER_MM, 1.0), INK, Line.NONE)
    for step in range(11):
        x, tall = left + step * RULER_MM / 10, 4.0 if step % 5 == 0 else 2.5
        inward = min(max(x - 0.1, left), left + RULER_MM - 0.2)
        yield Patch(rectangle(inward, y - tall, 0.2, tall), INK, Line.NONE)
    said = f"{RULER_MM:.0f} mm: if a real ruler says otherwise, print again at 100 % (actual size)"
    yield Words(said, (width / 2, y - 7), 3.0)


def _place(
    placed: Placed, number: int, sheets: Sequence[Sheet], paper: Paper
) -> Iterator[Mark | Window]:
    marks = moved(placed.drawing.marks, *placed.page_xy_mm)
    tile = placed.tile
    if tile is not None:
        yield Window(tile.page_xy_mm, tile.part_wh_mm, marks)
        yield from _cut_marks(tile.page_xy_mm, tile.part_wh_mm)
        yield from _seams(tile)
        yield from _where(tile, number, sheets, paper)
        return
    yield from marks
    if placed.drawing.is_square_cut:
        yield from _cut_marks(placed.page_xy_mm, placed.drawing.size_wh_mm)


def _cut_marks(xy_mm: Point, wh_mm: tuple[float, float]) -> Iterator[Mark]:
    near, far = CUT_MARK_MM[0], sum(CUT_MARK_MM)
    (left, top), (width, height) = xy_mm, wh_mm
    for x, out_x in ((left, -1), (left + width, 1)):
        for y, out_y in ((top, -1), (top + height, 1)):
            yield Patch(((x + out_x * near, y), (x + out_x * far, y)), width_mm=0.15)
            yield Patch(((x, y + out_y * near), (x, y + out_y * far)), width_mm=0.15)


def _seams(tile: Tile) -> Iterator[Mark]:
    """Small arrowheads in the margin where the next sheets begin."""
    (x, y), (width, height) = tile.page_xy_mm, tile.part_wh_mm
    seam_x, seam_y = tile.on_top_xy_mm
    if seam_x is not None:
        for edge, out in ((y, -1), (y + height, 1)):
            tip, back = edge + out * CUT_MARK_MM[0], edge + out * 4
            yield Patch(((seam_x, tip), (seam_x - 1.2, back), (seam_x + 1.2, back)), INK)
    if seam_y is not None:
        for edge, out in ((x, -1), (x + width, 1)):
            tip, back = edge + out * CUT_MARK_MM[0], edge + out * 4
            yield Patch(((tip, seam_y), (back, seam_y - 1.2), (back, seam_y + 1.2)), INK)


def _where(tile: Tile, number: int, sheets: Sequence[Sheet], paper: Paper) -> Iterator[Mark]:
    """Below the part: which one it is, in words and as a plan of all."""
    tiles = [placed.tile for sheet in sheets for placed in sheet if placed.tile is not None]
    (x, y), (width, height) = tile.part_xy_mm, tile.part_wh_mm
    left, top = tile.page_xy_mm[0], tile.page_xy_mm[1] + height + GAP_MM
    said = f"This sheet: {x:g} to {x + width:g} mm across, {y:g} to {y + height:g} mm down."
    if tile.on_top_xy_mm != (None, None):
        said += f" Beyond the arrows lie the next sheets: glue {OVERLAP_MM:g} mm."
    yield Words(said, (paper.size_wh_mm[0] / 2, top + 3), 3.0)
    step_x, step_y = 14.0, 10.0
    lefts, tops = sorted({t.part_xy_mm[0] for t in tiles}), sorted({t.part_xy_mm[1] for t in tiles})
    for other, shown in enumerate(tiles, start=1):
        at_x = left + lefts.index(shown.part_xy_mm[0]) * step_x
        at_y = top + 8 + tops.index(shown.part_xy_mm[1]) * step_y
        fill = "#d9d9d9" if other == number else None
        yield Patch(rectangle(at_x, at_y, step_x, step_y), fill)
        yield Words(str(other), (at_x + step_x / 2, at_y + step_y / 2), 4.0)


def _less(point: Point, other: Point) -> Point:
    return point[0] - other[0], point[1] - other[1]
