"""Judging Subdivision: (state, event) → (state, verdict).

    park     →  before the first pyramid; by anybody, or by the players in turn (`lay-parks`)
    pyramid  →  is it refused?        it lies beside the game until it is taken off
             →  it stands, and every account is made anew
    pass     →  only by a player who can place nothing
    after a move: nobody can place anything  →  over
                  the next player cannot     →  that player must pass

Decisions where the rule sheet is silent:

- Who lays the parks is nobody's business unless the players lay them in turn. Until the first
  pyramid stands they may be laid, shifted and taken up again, never more than there should be. With
  that pyramid the set-up is over: the parks are those that lie there, even if they are too few.
- A park too many is wrong only until another one is taken up.
- Where players lay the parks in turn, a park is a move with a number. No pyramid may come before
  the last one, and the first pyramid is placed by whoever is next in turn.
- A pass is a move with a number, too. A player who has placed all pyramids has to pass like any
  other who can place nothing.
- A pyramid that breaks several rules is refused for the first of: off the board, before the parks,
  out of turn, occupied, too near, too far, none left. A colour that does not play is never on turn,
  and nobody is when the game is over.
- A refused pyramid stays refused until it is taken off, even if its time comes.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.bits import cells_of
from rules.board import Cell, Piece
from rules.events import LeftStanding, Moved, Passed, Placed, TableEvent, Taken, TurnEnded
from rules.packs.subdivision.points import NEAR, list_gains, take_stock
from rules.packs.subdivision.state import State, can_place, provokers, survey
from rules.packs.subdivision.words import (
    LARGE,
    PARK,
    SMALL,
    Fault,
    FinalCount,
    MustPass,
    PieceStands,
    TurnPassed,
)
from rules.table import OCCUPIED, UNDONE, Table
from rules.verdict import Gain, Over, PassRefused, Problem, Statement, Verdict


def judge(state: State, event: TableEvent) -> tuple[State, Verdict]:
    said: list[Statement] = []
    before = state
    state = _HANDLERS[type(event)](state, event, said)
    gains: list[Gain] = []
    if state.ply > before.ply:
        if isinstance(event, Placed | Moved) and event.piece != PARK:
            gains = list_gains(before.accounts, state.accounts, event.cell, event.piece)
        state = _look_ahead(state, said)
    return state, survey(state, tuple(said), tuple(gains))


def _on_placed(state: State, event: Placed, said: list[Statement]) -> State:
    cell, piece = event.cell, event.piece
    returned = state.table.put_back(state.position, cell, piece)
    if returned is not None:
        return _with_table(state, returned, said)
    problem = _problem_of(state, cell, piece)
    if problem is not None:
        return _with_table(state, state.table.lay(problem), said)
    return _lay_park(state, cell, said) if piece == PARK else _stand(state, cell, piece, said)


def _on_taken(state: State, event: Taken, said: list[Statement]) -> State:
    cell = event.cell
    if state.is_setting_up and cell in state.position and cell not in state.table.beside:
        parks, filled = state.parks & ~cell.bit, state.filled & ~cell.bit
        position = state.position.clear(cell)
        return _accept_park_too_many(state.but(position=position, parks=parks, filled=filled), said)
    return _with_table(state, state.table.take(state.position, cell), said)


def _on_moved(state: State, event: Moved, said: list[Statement]) -> State:
    if not (state.is_setting_up and state.position.get(event.origin) == PARK):
        moved = state.table.move(state.position, event.origin, event.cell, event.piece)
        if moved is not None:
            return _with_table(state, moved, said)
    state = _on_taken(state, Taken(event.origin), said)
    return _on_placed(state, Placed(event.cell, event.piece), said)


def _on_passed(state: State, event: Passed, said: list[Statement]) -> State:
    if event.colour != state.turn:
        said.append(PassRefused(Fault.OUT_OF_TURN, event.colour))
        return state
    if state.is_laying_parks or can_place(state, event.colour):
        said.append(PassRefused(Fault.MUST_NOT_PASS, event.colour))
        return state
    said.append(TurnPassed(state.ply + 1, event.colour))
    return state.but(ply=state.ply + 1)


def _on_turn_ended(state: State, event: TurnEnded, said: list[Statement]) -> State:
    return state  # a turn is one piece or one pass: there is nothing to complete


def _on_left_standing(state: State, event: LeftStanding, said: list[Statement]) -> State:
    problem = Problem(UNDONE, event.cell, event.piece)
    return _with_table(state, state.table.lay(problem), said)


_HANDLERS: dict[type[TableEvent], Callable[..., State]] = {
    Placed: _on_placed,
    Taken: _on_taken,
    Moved: _on_moved,
    TurnEnded: _on_turn_ended,
    Passed: _on_passed,
    LeftStanding: _on_left_standing,
}


def _problem_of(state: State, cell: Cell, piece: Piece) -> Problem | None:
    """Why the rules refuse this piece here, or None. The order is that of a player's question."""
    if not state.terms.is_on_board(cell):
        return Problem(Fault.OFF_BOARD, cell, piece)
    if piece != PARK and state.is_laying_parks:
        return Problem(Fault.PARKS_FIRST, cell, piece)
    if not _is_in_turn(state, piece):
        return Problem(Fault.OUT_OF_TURN, cell, piece)
    if state.table.is_occupied(state.position, cell):
        return Problem(OCCUPIED, cell, piece)
    if piece == PARK:
        return None if state.parks_left else Problem(Fault.NONE_LEFT, cell, piece)
    near = NEAR[cell]
    if piece.kind == LARGE and (own := near & state.standing[piece]):
        return Problem(Fault.LARGE_NEAR_OWN_LARGE, cell, piece, cells_of(own))
    if piece.kind == SMALL and not near & provokers(state, piece.colour or ""):
        return Problem(Fault.SMALL_NEEDS_OTHER_COLOUR, cell, piece)
    return None if state.left(piece) else Problem(Fault.NONE_LEFT, cell, piece)


def _is_in_turn(state: State, piece: Piece) -> bool:
    if piece == PARK:
        # With all of them laid it is not the moment that is wrong, but that there are no more.
        return state.is_setting_up or state.is_laying_parks or not state.parks_left
    return piece.colour == state.turn


def _lay_park(state: State, cell: Cell, said: list[Statement]) -> State:
    is_move, turn = state.is_laying_parks, state.turn
    state = state.but(
        position=state.position.put(cell, PARK),
        parks=state.parks | cell.bit,
        filled=state.filled | cell.bit,
    )
    if not is_move:
        return state
    assert turn is not None  # the game is not over before it has begun
    said.append(PieceStands(state.ply + 1, turn, PARK.kind, cell, state.score))
    return state.but(ply=state.ply + 1, last_ply=state.ply + 1, last_cell=cell)


def _stand(state: State, cell: Cell, piece: Piece, said: list[Statement]) -> State:
    standing = {**state.standing, piece: state.standing[piece] | cell.bit}
    state = state.but(
        position=state.position.put(cell, piece),
        standing=standing,
        accounts=take_stock(state.terms, standing, state.parks),
        filled=state.filled | cell.bit,
        ply=state.ply + 1,
        last_ply=state.ply + 1,
        last_cell=cell,
        has_begun=True,
    )
    assert piece.colour is not None  # it is on turn
    said.append(PieceStands(state.ply, piece.colour, piece.kind, cell, state.score))
    return state


def _look_ahead(state: State, said: list[Statement]) -> State:
    """After a move: can anybody go on, and can the player who is to?"""
    turn = state.turn
    if state.is_laying_parks or turn is None or can_place(state, turn):
        return state
    if any(can_place(state, colour) for colour in state.terms.players):
        said.append(MustPass(turn))
        return state
    most = max(state.score.values())
    winners = tuple(colour for colour, points in state.score.items() if points == most)
    outcome = FinalCount(state.score, winners, state.accounts)
    said.append(Over(outcome))
    return state.but(outcome=outcome)


def _accept_park_too_many(state: State, said: list[Statement]) -> State:
    """A park that lay there while there were enough of them is one of them now."""
    for cell, lying in sorted(state.table.beside.items()):
        too_many = Problem(Fault.NONE_LEFT, cell, PARK)
        if lying == (too_many,) and cell not in state.position:
            state = _with_table(state, state.table.take(state.position, cell), said)
            return _lay_park(state, cell, said)
    return state


def _with_table(
    state: State, outcome: tuple[Table, Statement | None], said: list[Statement]
) -> State:
    table, statement = outcome
    if statement is not None:
        said.append(statement)
    return state.but(table=table)
