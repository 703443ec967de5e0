"""The board in the left half of the display: 64 px square, eight pixels a cell, no colours.

    house     a small square where its anchor is
    pyramid   a square in the middle of its cell, as large among the others as it is
    players   filled the first, hollow the second, half (below a diagonal) the third, a cross the
              fourth: no two look alike, in any size
    slab      (a park), or a marker: a chequered field
    column    (a tower) a full field with a dark heart
    marked    the cell is lit, and what stands on it dark
    blinking  what is due comes and goes within a frame; a cell to be emptied comes and goes lit

A smaller board has larger cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from PIL import ImageDraw

from rules.board import ALL_CELLS, Cell, Piece, Position
from rules.box import Box

BOARD_PX: Final = 64
HOUSE_SHARE: Final = (4, 8)
"""The side of a house in a cell: so many of so many pixels."""
LEAST_PX: Final = 3
"""In less the players' pieces could not be told from each other."""


@dataclass(frozen=True, slots=True)
class MiniBoard:
    box: Box
    position: Position
    blinking: Mapping[Cell, Piece | None] = field(default_factory=dict)
    """Cells that blink, with the piece that should be there; None for a cell to be emptied."""
    marked: frozenset[Cell] = frozenset()


class _Field(NamedTuple):
    """The inside of a cell."""

    x: int
    y: int
    size: int


def draw_board(pen: ImageDraw.ImageDraw, board: MiniBoard, is_dark: bool) -> None:
    files, ranks = board.position.files, board.position.ranks
    cell_px = BOARD_PX // max(files, ranks)
    cells = [c for c in ALL_CELLS if c.file < files and c.rank < ranks]
    # Those that blink come last: they stand out even among lit neighbours.
    for cell in sorted(cells, key=lambda cell: cell in board.blinking):
        x, y = cell.file * cell_px + 1, (ranks - 1 - cell.rank) * cell_px + 1
        _draw_cell(pen, board, cell, _Field(x, y, cell_px - 1), is_dark)


def _draw_cell(
    pen: ImageDraw.ImageDraw, board: MiniBoard, cell: Cell, field: _Field, is_dark: bool
) -> None:
    x, y, size = field
    piece = board.position.get(cell)
    is_blinking = cell in board.blinking
    wanted = board.blinking.get(cell)
    lit = cell in board.marked or (is_blinking and wanted is None and not is_dark)
    if lit:
        # One pixel wider all around, so that a house in a corner stays a square.
        pen.rectangle((x - 1, y - 1, x + size, y + size), fill=1)
    elif piece is None:
        pen.point((x + size // 2, y + size // 2), fill=1)
    if is_blinking and wanted is not None:
        pen.rectangle((x - 1, y - 1, x + size, y + size), fill=0)
        pen.rectangle((x, y, x + size - 1, y + size - 1), outline=1)
        piece = None if is_dark else wanted
    if piece is not None:
        _draw_piece(pen, piece, board.box, field, ink=int(not lit))


def _draw_piece(
    pen: ImageDraw.ImageDraw, piece: Piece, box: Box, field: _Field, ink: int = 1
) -> None:
    """A piece in its cell. Without colour: the players' pieces differ in form."""
    x, y, size = field
    if piece.colour is not None:
        house = _side_px(piece, box, size)
        files, ranks = piece.anchor.step if piece.anchor else (0, 0)
        left, top = x + _slide(files, size - house), y + _slide(-ranks, size - house)
        draw_house(pen, left, top, house, box.players.index(piece.colour), ink)
    elif box.pieces[piece.kind].shape in ("slab", "marker"):
        for dx in range(size):
            for dy in range(size):
                if (dx + dy) % 2 == 0:
                    pen.point((x + dx, y + dy), fill=ink)
    else:
        heart = size // 3
        pen.rectangle((x, y, x + size - 1, y + size - 1), fill=ink)
        pen.rectangle(
            (x + heart, y + heart, x + size - 1 - heart, y + size - 1 - heart), fill=1 - ink
        )


def _side_px(piece: Piece, box: Box, size: int) -> int:
    """A house leaves room for its anchors; of pieces that need none the largest fills its cell."""
    facts = box.pieces[piece.kind]
    if facts.anchored:
        return HOUSE_SHARE[0] * (size + 1) // HOUSE_SHARE[1]
    widest_mm = max(f.base_mm[0] for f in box.pieces.values() if f.colours and not f.anchored)
    return max(LEAST_PX, int(size * facts.base_mm[0] / widest_mm))


def _slide(way: int, room_px: int) -> int:
    return (way + 1) * room_px // 2


def draw_house(
    pen: ImageDraw.ImageDraw, x: int, y: int, size: int, player: int, ink: int = 1
) -> None:
    """A square for the first player, or what stands for it for another: see above."""
    right, bottom = x + size - 1, y + size - 1
    match player % 4:
        case 0:
            pen.rectangle((x, y, right, bottom), fill=ink)
        case 1:
            pen.rectangle((x, y, right, bottom), fill=1 - ink, outline=ink)
        case 2:
            pen.rectangle((x, y, right, bottom), fill=1 - ink)
            pen.polygon([(x, y), (x, bottom), (right, bottom)], fill=ink, outline=ink)
        case 3:
            pen.rectangle((x, y, right, bottom), fill=1 - ink)
            pen.line((x, y, right, bottom), fill=ink)
            pen.line((x, bottom, right, y), fill=ink)
