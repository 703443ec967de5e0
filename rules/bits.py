"""Sets of cells as plain Python ints, one bit a cell.

Row by row from a1, each row `STRIDE` bits wide. The last bit of a row belongs to no cell, so a
set shifted by one step in any of the eight directions drops what leaves the board into bits
that belong to no cell: mask once at the end with the board, never in between.

>>> row = bits_of([Cell("a1"), Cell("b1")])
>>> print(draw_bits(shift(row, Anchor.N), 3, 2))
# # .
. . .
>>> cells_of(shift(row, Anchor.W) & board_bits(3, 2))
(Cell('a1'),)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from typing import Final

from rules.board import ALL_CELLS, STRIDE, Anchor, Cell

# How far a bit moves for one step in each direction.
OFFSETS: Final[dict[Anchor, int]] = {
    anchor: anchor.step[1] * STRIDE + anchor.step[0] for anchor in Anchor
}
_CELL_OF_BIT: Final[dict[int, Cell]] = {cell.bit: cell for cell in ALL_CELLS}


@cache
def board_bits(files: int, ranks: int) -> int:
    """All cells of a board."""
    return bits_of(cell for cell in ALL_CELLS if cell.file < files and cell.rank < ranks)


def bits_of(cells: Iterable[Cell]) -> int:
    return reduce(or_, (cell.bit for cell in cells), 0)


def cells_of(bits: int) -> tuple[Cell, ...]:
    """The cells of a set, sorted by name."""
    cells = []
    while bits:
        lowest = bits & -bits
        cells.append(_CELL_OF_BIT[lowest])
        bits ^= lowest
    cells.sort()
    return tuple(cells)


def shift(bits: int, direction: Anchor) -> int:
    """Every cell of the set moved one step; mask with the board before counting."""
    offset = OFFSETS[direction]
    return bits << offset if offset > 0 else bits >> -offset


def draw_bits(bits: int, files: int, ranks: int) -> str:
    """The set as a grid, top rank first."""
    return "\n".join(
        " ".join("#" if bits >> (rank * STRIDE + file) & 1 else "." for file in range(files))
        for rank in reversed(range(ranks))
    )
