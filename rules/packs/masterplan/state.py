"""One moment of a game of Masterplan, frozen.

The position is kept twice: as `position`, the pieces themselves, and as bitboards, which the two
bans are computed on. Only `judge` makes states, and always both together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from rules.bits import cells_of
from rules.board import ALL_CELLS, STRIDE, Anchor, Cell, Piece, Position
from rules.events import Placed
from rules.packs.masterplan.lines import BOARD
from rules.packs.masterplan.words import (
    ALL_HOUSES,
    ALL_TOWERS,
    BOX,
    HOUSE,
    PLAYERS,
    TOWER,
    BothDue,
    FinalCount,
    Mode,
)
from rules.table import TIDY, Table
from rules.verdict import Due, Gain, Statement, Verdict

EMPTY_BOARD: Final = Position(files=BOX.board.files, ranks=BOX.board.ranks)


@dataclass(frozen=True)
class State:
    both_due: BothDue = BothDue.PARK
    mode: Mode = Mode.ASSIST
    position: Position = EMPTY_BOARD
    houses: int = 0
    """Bits of all houses."""
    lines: int = 0
    """Bits on which one more house would make a line of four, `blocks` likewise."""
    blocks: int = 0
    filled: int = 0
    """Bits of everything that stands by right."""
    ply: int = 0
    towers: int = 0
    """How many stand."""
    dues: Mapping[Cell, Due] = field(default_factory=dict)
    score: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, 0))
    account: tuple[Gain, ...] = ()
    table: Table = TIDY
    last_turn: tuple[Cell, ...] = ()
    """The cell of the last house, then those of the parks and towers put up since."""
    before_turn: State | None = field(default=None, compare=False, repr=False)
    """The moment before the last house: where a move taken back leads to."""
    outcome: FinalCount | None = None

    def but(self, **changes: object) -> State:
        """This state with these fields changed: `dataclasses.replace`, at a quarter of the cost."""
        state = object.__new__(State)
        state.__dict__.update(self.__dict__, **changes)
        return state

    @property
    def turn(self) -> str | None:
        return PLAYERS[self.ply % len(PLAYERS)] if self.ply < ALL_HOUSES else None

    @property
    def towers_left(self) -> int:
        return ALL_TOWERS - self.towers


def legal_moves(state: State) -> list[Placed]:
    """Every house the player on turn may put down: each open cell in each of its anchors."""
    moves: list[Placed] = []
    turn = state.turn
    if turn is None:
        return moves
    barred = state.lines | state.blocks if state.towers_left else state.lines
    open_cells = BOARD & ~state.filled & ~barred
    for rank in range(BOX.board.ranks):
        row = open_cells >> rank * STRIDE & _ROW
        if row:
            moves += _moves_in_row(turn, rank, row)
    return moves


_ROW: Final = (1 << BOX.board.files) - 1
_MOVES: Final = {
    (colour, cell): tuple(Placed(cell, Piece(HOUSE, colour, anchor)) for anchor in Anchor)
    for colour in PLAYERS
    for cell in ALL_CELLS
}


@cache
def _moves_in_row(colour: str, rank: int, row: int) -> tuple[Placed, ...]:
    """The moves on these cells of a rank. There are only so many rows, so each is made once."""
    cells = cells_of(row << rank * STRIDE)
    return tuple(move for cell in cells for move in _MOVES[colour, cell])


def survey(state: State, said: tuple[Statement, ...] = (), gains: tuple[Gain, ...] = ()) -> Verdict:
    """How things stand. In strict mode only what is forgotten is told of what is due."""
    dues = tuple(state.dues[cell] for cell in sorted(state.dues)) if state.dues else ()
    choose = None
    if dues:
        if state.mode is Mode.STRICT:
            dues = tuple(due for due in dues if due.forgotten)
        if sum(due.piece == TOWER for due in dues) > state.towers_left:
            choose = state.towers_left
    return Verdict(
        position=state.position,
        table=state.table.as_seen(state.position),
        ply=state.ply,
        turn=state.turn,
        score=state.score,
        said=said,
        dues=dues,
        choose=choose,
        gains=gains,
        account=state.account,
        problems=() if state.table is TIDY else tuple(state.table.problems()),
        outcome=state.outcome,
    )
