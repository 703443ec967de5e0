"""From two looks at the table to what happened between them.

Pieces that went are dealt with first: the last move taken back, a house that only moved, a wrong
piece put right. Then the new pieces are brought into an order in which the rules accept as many
of them as possible: a house, what it makes due, the next house. Whatever fits into no order is
still put down, last, so that an illegal table stays illegal.

Two orders that leave the same game behind are one reading (a tower put up just before or just
after the next house). Where they leave different games behind (a park in time, or forgotten?),
nobody can tell from the table: that is a problem, and the players are asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from rules.board import Cell, Piece
from rules.changes import MOST_NEW_PIECES, pick_moves, split, stands
from rules.changes import ORDER_UNKNOWN as ORDER_UNKNOWN
from rules.changes import TAKEN_BACK as TAKEN_BACK
from rules.changes import TOO_MUCH as TOO_MUCH
from rules.events import Change, Event, Interpretation, Placed, TableEvent, Taken, Undone
from rules.packs.masterplan.judge import judge
from rules.packs.masterplan.state import State
from rules.packs.masterplan.words import HOUSE, Forgotten
from rules.verdict import Illegal


@dataclass(frozen=True, slots=True)
class _Reading:
    events: tuple[TableEvent, ...]
    state: State
    refused: int
    forgotten: int

    def crossing(self, rest: tuple[Placed, ...]) -> object:
        """What decides how `rest` will be judged: two readings alike in this go on alike."""
        dues = frozenset((c, due.piece, due.forgotten) for c, due in self.state.dues.items())
        return rest, dues, frozenset(self.state.account), self.refused, self.forgotten


def interpret(state: State, change: Change) -> Interpretation:
    gone, new = split(change)
    if not gone and not new:
        return Interpretation()
    if len(new) > MOST_NEW_PIECES:
        return Interpretation(problem=TOO_MUCH)

    certain: list[Event] = []
    missing = {*state.table.missing, *(c for c in gone if stands(state, c))}
    whole_turn_gone = bool(state.last_turn) and missing == set(state.last_turn)
    if whole_turn_gone and len(missing) > 1 and state.before_turn is not None:
        # A house with what it made due: no accident takes exactly those.
        certain.append(Undone(state.ply, tuple(c for c in state.last_turn if c in gone)))
        gone = {c: piece for c, piece in gone.items() if c not in state.last_turn}
        state = state.before_turn
        whole_turn_gone = False

    moves = pick_moves(state, gone, new)
    left: list[TableEvent] = [*moves, *(Taken(cell) for cell in sorted(gone))]
    for event in left:
        certain.append(event)
        state, _ = judge(state, event)

    readings = _settle(state, new)
    if len(readings) > 1:
        alternatives = tuple(reading.events for reading in readings)
        return Interpretation(tuple(certain), alternatives, ORDER_UNKNOWN)
    certain.extend(readings[0].events)
    if whole_turn_gone:
        # Only the last house is off its place: lifted, knocked over, or the move taken back?
        return Interpretation(tuple(certain), ((Undone(state.ply),),), TAKEN_BACK)
    return Interpretation(tuple(certain))


def _settle(state: State, new: dict[Cell, Piece]) -> list[_Reading]:
    """The best orders for the new pieces: fewest refused, then one for each game they lead to."""
    placements = tuple(Placed(cell, new[cell]) for cell in sorted(new))
    readings = list(_orders(_Reading((), state, 0, 0), placements, set()))
    fewest = min(reading.refused for reading in readings)
    by_game: list[_Reading] = []
    for reading in sorted(readings, key=lambda r: (r.refused, r.forgotten)):
        if reading.refused == fewest and not any(
            _is_same_game(reading.state, best.state) for best in by_game
        ):
            by_game.append(reading)
    return by_game


def _is_same_game(one: State, other: State) -> bool:
    """Alike in everything but in which turn, or before which other, a thing was put up."""
    in_order = {"last_turn": (), "account": ()}
    same_gains = set(one.account) == set(other.account)
    return same_gains and one.but(**in_order) == other.but(**in_order)


def _orders(so_far: _Reading, rest: tuple[Placed, ...], been: set[object]) -> Iterator[_Reading]:
    """Every order that matters. Between houses all that counts is what is laid before the next.

    Most orders meet again in the same game with the same pieces to come. `been` knows those
    crossings: without it a table of twelve new houses would take minutes.
    """
    crossing = so_far.crossing(rest)
    if crossing in been:
        return
    been.add(crossing)
    houses = [p for p in rest if p.piece.kind == HOUSE and _is_accepted(so_far.state, p)]
    ready = [p for p in rest if p.piece.kind != HOUSE and _is_accepted(so_far.state, p)]
    # A forgotten thing may be laid at any time; only what is merely late can still be in time.
    late = [p for p in ready if not so_far.state.dues[p.cell].forgotten] if houses else []
    if not houses and not ready:
        for placement in rest:
            so_far = _judged(so_far, placement)
        yield so_far
        return
    for count in range(len(late) + 1):
        for later in combinations(late, count):
            here = so_far
            for placement in ready:
                if placement not in later:
                    here = _judged(here, placement)
            left = tuple(p for p in rest if p not in here.events)
            if not houses:
                yield from _orders(here, left, been)
            for house in houses:
                others = tuple(p for p in left if p != house)
                yield from _orders(_judged(here, house), others, been)


def _is_accepted(state: State, placement: Placed) -> bool:
    after, _ = judge(state, placement)
    return placement.cell in after.position and placement.cell not in after.table.beside


def _judged(so_far: _Reading, placement: Placed) -> _Reading:
    state, verdict = judge(so_far.state, placement)
    return _Reading(
        (*so_far.events, placement),
        state,
        so_far.refused + sum(isinstance(s, Illegal) for s in verdict.said),
        so_far.forgotten + sum(isinstance(s, Forgotten) for s in verdict.said),
    )
