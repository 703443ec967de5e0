"""One moment of a game of Subdivision, frozen, and what may be placed in it.

The position is kept twice: as `position`, the pieces themselves, and as bitboards by piece, which
the rules are computed on. Only `judge` makes states, and always both together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.bits import board_bits, cells_of
from rules.board import Cell, Piece, Position
from rules.events import Placed
from rules.packs.subdivision.points import list_account, spread, take_stock
from rules.packs.subdivision.terms import Terms, customary_parks
from rules.packs.subdivision.words import (
    LARGE,
    LAY_A_PARK,
    MUST_PASS,
    PARK,
    PARKS_TO_LAY,
    PIPS,
    SMALL,
    Account,
    FinalCount,
)
from rules.table import TIDY, Table
from rules.verdict import Gain, Statement, Task, Verdict


@dataclass(frozen=True, slots=True)
class State:
    terms: Terms
    position: Position
    standing: Mapping[Piece, int]
    """Bits of each kind and colour of pyramid."""
    accounts: Mapping[str, Account]
    parks: int = 0
    """Bits of all parks."""
    filled: int = 0
    """Bits of everything that stands by right."""
    ply: int = 0
    has_begun: bool = False
    """The first pyramid stands."""
    last_ply: int = 0
    """The last move that put down a piece, and where; passes may have followed."""
    last_cell: Cell | None = None
    table: Table = TIDY
    outcome: FinalCount | None = None

    def but(self, **changes: Any) -> State:
        """This state with these fields changed."""
        return replace(self, **changes)

    @property
    def turn(self) -> str | None:
        return None if self.outcome else self.terms.players[self.ply % len(self.terms.players)]

    @property
    def score(self) -> dict[str, int]:
        return {colour: account.score for colour, account in self.accounts.items()}

    @property
    def parks_left(self) -> int:
        return self.terms.parks - self.parks.bit_count()

    @property
    def is_laying_parks(self) -> bool:
        """The players still lay parks in turn: no pyramid may be placed before they are done."""
        return self.terms.players_lay_parks and not self.has_begun and self.parks_left > 0

    @property
    def is_setting_up(self) -> bool:
        """Parks may be laid, shifted and taken up again as anybody likes."""
        return not self.terms.players_lay_parks and not self.has_begun

    def left(self, piece: Piece) -> int:
        """How many of these are still to be placed; none of what is not played with."""
        return self.terms.each - self.standing[piece].bit_count() if piece in self.standing else 0


def open_state(terms: Terms) -> State:
    standing = {Piece(kind, colour): 0 for colour in terms.players for kind in PIPS}
    empty = Position(files=terms.size, ranks=terms.size)
    return State(terms, empty, standing, take_stock(terms, standing, 0))


def provokers(state: State, colour: str) -> int:
    """Bits of the pyramids near one of which this colour may put a small."""
    bits = 0
    for piece, where in state.standing.items():
        if piece.colour != colour and piece.kind in (LARGE, SMALL):
            bits |= where
    return bits


def open_cells(state: State, piece: Piece) -> int:
    """Bits of the cells on which this pyramid may be put, whoever is on turn."""
    if not state.left(piece):
        return 0
    assert piece.colour is not None  # or it would not be left
    free = board_bits(state.terms.size, state.terms.size) & ~state.filled
    if piece.kind == LARGE:
        return free & ~spread(state.standing[piece])
    if piece.kind == SMALL:
        return free & spread(provokers(state, piece.colour))
    return free


def can_place(state: State, colour: str) -> bool:
    return any(open_cells(state, Piece(kind, colour)) for kind in PIPS)


def legal_moves(state: State) -> list[Placed]:
    turn = state.turn
    if turn is None:
        return []
    if state.is_laying_parks:
        free = board_bits(state.terms.size, state.terms.size) & ~state.filled
        return [Placed(cell, PARK) for cell in cells_of(free)]
    own = [Piece(kind, turn) for kind in PIPS]
    return [Placed(cell, piece) for piece in own for cell in cells_of(open_cells(state, piece))]


def survey(state: State, said: tuple[Statement, ...] = (), gains: tuple[Gain, ...] = ()) -> Verdict:
    return Verdict(
        position=state.position,
        table=state.table.as_seen(state.position),
        ply=state.ply,
        turn=state.turn,
        score=state.score,
        said=said,
        task=_task_of(state),
        gains=gains,
        account=tuple(list_account(state.accounts, state.standing)),
        problems=tuple(state.table.problems()),
        outcome=state.outcome,
    )


def _task_of(state: State) -> Task | None:
    turn = state.turn
    if turn is None:
        return None
    if state.is_laying_parks or (state.is_setting_up and state.parks_left):
        word = LAY_A_PARK if state.is_laying_parks else PARKS_TO_LAY
        free = [cell for cell in customary_parks(state.terms.size) if cell not in state.position]
        return Task(word, PARK, state.parks_left, tuple(free[: state.parks_left]))
    return None if can_place(state, turn) else Task(MUST_PASS)
