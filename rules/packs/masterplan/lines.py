"""The two bans of Masterplan on bitboards: four houses in a row, and four in a block.

Both questions are asked the other way round: not "is there a line?" but "on which cells would one
more house make one?". Shifting the houses three steps each way along an axis shows, for all 64
cells at once, how many houses touch a cell on either side; 3+0, 2+1, 1+2 or 0+3 is a line of four
with the cell itself in it. This is why gaps count as well as ends.

>>> houses = bits_of(map(Cell, ("c4", "e6", "b3")))
>>> cells_of(line_completers(houses) & BOARD & ~houses)
(Cell('d5'),)
>>> cells_of(block_completers(bits_of(map(Cell, ("d4", "e4", "e5")))) & BOARD)
(Cell('d5'),)
"""

from __future__ import annotations

from typing import Final

from rules.bits import OFFSETS, bits_of, board_bits, cells_of
from rules.board import ALL_CELLS, Anchor, Cell
from rules.packs.masterplan.words import BLOCK, BOX, LINE
from rules.verdict import Reason

BOARD: Final = board_bits(BOX.board.files, BOX.board.ranks)
LONGEST_RUN: Final = 3
"""So many houses in a row are allowed; one more is a line."""

_AXES: Final = (Anchor.E, Anchor.N, Anchor.NE, Anchor.NW)
_AXIS_OFFSETS: Final = tuple(OFFSETS[axis] for axis in _AXES)
_EAST, _NORTH, _NORTH_EAST, _NORTH_WEST = (
    OFFSETS[a] for a in (Anchor.E, Anchor.N, Anchor.NE, Anchor.NW)
)


def line_completers(houses: int) -> int:
    """All bits on which one more house would make a run of four; mask with the empty cells."""
    found = 0
    for step in _AXIS_OFFSETS:
        below1 = houses << step
        below2 = below1 & houses << 2 * step
        above1 = houses >> step
        above2 = above1 & houses >> 2 * step
        found |= (
            below2 & houses << 3 * step | below2 & above1 | below1 & above2
            | above2 & houses >> 3 * step
        )  # fmt: skip
    return found


def block_completers(houses: int) -> int:
    """All bits whose 2×2 block has three houses already; mask with the empty cells."""
    west, east = houses << _EAST, houses >> _EAST
    south, north = houses << _NORTH, houses >> _NORTH
    south_west, north_east = houses << _NORTH_EAST, houses >> _NORTH_EAST
    south_east, north_west = houses << _NORTH_WEST, houses >> _NORTH_WEST
    return (
        north & (east & north_east | west & north_west)
        | south & (east & south_east | west & south_west)
    )  # fmt: skip


def _windows(cell: Cell, axis: Anchor) -> tuple[int, ...]:
    """For each four cells in a row along this axis that hold this cell, the other three as bits."""
    windows = []
    for first in range(-LONGEST_RUN, 1):
        others = [cell.step(axis, first + i) for i in range(LONGEST_RUN + 1) if first + i != 0]
        windows.append(others)
    return _whole(windows)


def _corners(cell: Cell) -> tuple[int, ...]:
    """For each 2×2 block that holds this cell, the other three as bits."""
    blocks = []
    for corner in (Anchor.NE, Anchor.SE, Anchor.SW, Anchor.NW):
        files, ranks = corner.step
        steps = ((files, 0), (0, ranks), (files, ranks))
        blocks.append([Cell.at(cell.file + f, cell.rank + r) for f, r in steps])
    return _whole(blocks)


def _whole(groups: list[list[Cell | None]]) -> tuple[int, ...]:
    """The groups of cells that lie wholly on the board, as bits."""
    return tuple(
        bits_of(cell for cell in group if cell is not None) for group in groups if None not in group
    )


# By cell: each way in which three houses can ask for something there.
_ASKING: Final = {
    cell: (
        *((LINE, _windows(cell, axis)) for axis in _AXES),
        *((BLOCK, (b,)) for b in _corners(cell)),
    )
    for cell in ALL_CELLS
}


def reasons_for(cell: Cell, houses: int) -> tuple[Reason, ...]:
    """Every line and block that one more house on this cell would complete, with its houses."""
    reasons = []
    for rule, groups in _ASKING[cell]:
        asking = 0
        for group in groups:
            if houses & group == group:
                asking |= group
        if asking:
            reasons.append(Reason(rule, cells_of(asking)))
    return tuple(reasons)
