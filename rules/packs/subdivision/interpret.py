"""From two looks at the table to what happened between them.

Pieces that went are dealt with first: a pyramid that only moved, a park taken up again, a wrong
piece put right. Then the new ones are brought into an order in which the rules accept as many of
them as possible. Whatever fits into no order is still put down, last, so that an illegal table
stays illegal.

Nobody sees a pass. But a player who must pass can do nothing else, so where a new pyramid fits only
after that, the pass has happened. Whether a player who could have placed something gave up the turn
is never guessed: that pyramid came out of turn.

Two orders that leave the same game behind are one reading. Where they leave different games behind
(two red pyramids at once: which one counts?), the players are asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.board import Cell, Piece
from rules.changes import (
    MOST_NEW_PIECES,
    ORDER_UNKNOWN,
    TAKEN_BACK,
    TOO_MUCH,
    pick_moves,
    split,
    stands,
)
from rules.events import Change, Interpretation, Passed, Placed, TableEvent, Taken, Undone
from rules.packs.subdivision.judge import judge
from rules.packs.subdivision.state import State, can_place
from rules.packs.subdivision.words import PARK


@dataclass(frozen=True, slots=True)
class _Reading:
    events: tuple[TableEvent, ...]
    state: State
    refused: int = 0

    def then(self, event: TableEvent) -> _Reading:
        state, verdict = judge(self.state, event)
        refused = sum(statement.refusal is not None for statement in verdict.said)
        return _Reading((*self.events, event), state, self.refused + refused)

    def accepts(self, placement: Placed) -> bool:
        return self.then(placement).refused == self.refused


def interpret(state: State, change: Change) -> Interpretation:
    gone, new = split(change)
    if not gone and not new:
        return Interpretation()
    if sum(piece != PARK for piece in new.values()) > MOST_NEW_PIECES:
        return Interpretation(problem=TOO_MUCH)
    missing = {*state.table.missing, *(cell for cell in gone if _is_missed(state, cell))}
    is_last_gone = missing == {state.last_cell}
    last_ply = state.last_ply

    certain = _Reading((), state)
    for move in pick_moves(state, gone, new):
        certain = certain.then(move)
    for cell in sorted(gone):
        certain = certain.then(Taken(cell))
    readings = _settle(certain, new)
    if len(readings) > 1:
        alternatives = tuple(reading.events[len(certain.events) :] for reading in readings)
        return Interpretation(certain.events, alternatives, ORDER_UNKNOWN)
    if is_last_gone:
        # Only the last piece is off its place: lifted, knocked over, or the move taken back?
        return Interpretation(readings[0].events, ((Undone(last_ply),),), TAKEN_BACK)
    return Interpretation(readings[0].events)


def _is_missed(state: State, cell: Cell) -> bool:
    return stands(state, cell) and not state.is_setting_up


def _settle(certain: _Reading, new: dict[Cell, Piece]) -> list[_Reading]:
    """The best orders for the new pieces: fewest refused, then one for each game they lead to."""
    rest = [Placed(cell, new[cell]) for cell in sorted(new)]
    # What comes home and what is set up never waits for a pyramid, and makes none wrong.
    for placement in list(rest):
        at_home = certain.state.position.get(placement.cell) == placement.piece
        if (at_home or placement.piece == PARK) and certain.accepts(placement):
            certain = certain.then(placement)
            rest.remove(placement)
    readings = list(_orders(certain, tuple(rest), set()))
    fewest = min(reading.refused for reading in readings)
    by_game: list[_Reading] = []
    for reading in readings:
        if reading.refused == fewest and not any(
            _is_same_game(reading.state, other.state) for other in by_game
        ):
            by_game.append(reading)
    return by_game


def _is_same_game(one: State, other: State) -> bool:
    """Alike in everything but in which of the pieces came last."""
    return one == other.but(last_ply=one.last_ply, last_cell=one.last_cell)


def _orders(
    so_far: _Reading, rest: tuple[Placed, ...], been: set[tuple[tuple[Placed, ...], int]]
) -> Iterator[_Reading]:
    """Every order that matters. Those that meet again with the same pieces to come go on alike."""
    if (rest, so_far.state.ply) in been:
        return
    been.add((rest, so_far.state.ply))
    so_far, ready = _pass_on(so_far, rest)
    for placement in ready:
        others = tuple(other for other in rest if other != placement)
        yield from _orders(so_far.then(placement), others, been)
    if not ready:
        for placement in rest:
            so_far = so_far.then(placement)
        yield so_far


def _pass_on(so_far: _Reading, rest: tuple[Placed, ...]) -> tuple[_Reading, list[Placed]]:
    """Which of the pieces may come next, and the passes that must have come before them."""
    on = so_far
    while True:
        ready = [placement for placement in rest if on.accepts(placement)]
        turn = on.state.turn
        if ready or turn is None or can_place(on.state, turn) or on.state.is_laying_parks:
            return (on, ready) if ready else (so_far, [])
        on = on.then(Passed(turn))
