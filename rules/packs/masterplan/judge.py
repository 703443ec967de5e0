"""Judging Masterplan: (state, event) → (state, verdict).

A turn, as the rules see it:

    house  →  is it refused?           it lies beside the game until it is taken off
           →  what was due before and is not there is forgotten from now on
           →  the bans make parks and towers due on empty cells, each with its reasons
    park   →  due here?                its houses score, unless it was forgotten
    tower  →  due here?                it stands; the sixth one ends the square rule
    over   =  all 28 houses stand and nothing is due: the towers are counted

Decisions where the rule sheet is silent:

- A cell that is due something stays due that, whatever else later houses would ask for there.
- When the sixth tower stands, towers still due elsewhere lapse. Where such a cell would also
  complete a line, a park falls due that moment. It is a new due, and so not forgotten.
- A park or tower put down too early is wrong only until it falls due where it lies.
- A refused house stays refused until it is taken off, even if its time comes.
- No house follows the 28th, so only the players saying that the turn is over makes what is then
  missing forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.bits import cells_of
from rules.board import Cell, Piece
from rules.events import LeftStanding, Moved, Passed, Placed, TableEvent, Taken, TurnEnded
from rules.packs.masterplan.lines import (
    BOARD,
    block_completers,
    line_completers,
    reasons_for,
)
from rules.packs.masterplan.points import count_towers, gains_around, sum_gains
from rules.packs.masterplan.state import State, survey
from rules.packs.masterplan.words import (
    ALL_HOUSES,
    HOUSE,
    LINE,
    PARK,
    TOWER,
    BothDue,
    Fault,
    Forgotten,
    HouseStands,
    Mode,
    ParkLies,
    TowerStands,
)
from rules.table import OCCUPIED, TIDY, UNDONE, Table
from rules.verdict import Corrected, Due, Over, Problem, Statement, Verdict


def judge(state: State, event: TableEvent) -> tuple[State, Verdict]:
    said: list[Statement] = []
    accounted = len(state.account)
    state = _HANDLERS[type(event)](state, event, said)
    if state.table is not TIDY:
        state = _accept_what_lies_right(state, said)
    if state.ply == ALL_HOUSES and not state.dues and state.outcome is None:
        outcome = count_towers(state.position, state.houses, state.score)
        state = state.but(outcome=outcome, score=outcome.score)
        said.append(Over(outcome))
    return state, survey(state, tuple(said), state.account[accounted:])


def _on_placed(state: State, event: Placed, said: list[Statement]) -> State:
    cell, piece = event.cell, event.piece
    returned = state.table.put_back(state.position, cell, piece)
    if returned is not None:
        return _with_table(state, returned, said)
    fault = _fault_of(state, cell, piece)
    if fault is not None:
        return _with_table(state, state.table.lay(Problem(fault, cell, piece)), said)
    if piece.kind == HOUSE:
        return _stand_house(state, cell, piece, said)
    return _fulfil(state, state.dues[cell], said)


def _on_taken(state: State, event: Taken, said: list[Statement]) -> State:
    # Towers come off one by one when they have been counted.
    counted = state.outcome is not None and state.position.get(event.cell) == TOWER
    return _with_table(state, state.table.take(state.position, event.cell, counted), said)


def _on_moved(state: State, event: Moved, said: list[Statement]) -> State:
    moved = state.table.move(state.position, event.origin, event.cell, event.piece)
    if moved is not None:
        return _with_table(state, moved, said)
    state = _on_taken(state, Taken(event.origin), said)
    return _on_placed(state, Placed(event.cell, event.piece), said)


def _on_turn_ended(state: State, event: TurnEnded, said: list[Statement]) -> State:
    return _forget(state, said) if state.ply == ALL_HOUSES else state


def _on_passed(state: State, event: Passed, said: list[Statement]) -> State:
    return state  # nobody can pass: the same player is still on turn


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


def _fault_of(state: State, cell: Cell, piece: Piece) -> str | None:
    """Why the rules refuse this piece here, or None. The order is that of a player's question."""
    occupied = (
        state.filled & cell.bit
        if state.table is TIDY
        else state.table.is_occupied(state.position, cell)
    )
    if piece.kind == HOUSE:
        if state.ply == ALL_HOUSES:
            return Fault.NONE_LEFT
        if piece.colour != state.turn:
            return Fault.OUT_OF_TURN
        if occupied:
            return OCCUPIED
        if state.lines & cell.bit:
            return Fault.LINE_OF_FOUR
        if state.towers_left and state.blocks & cell.bit:
            return Fault.SQUARE_OF_FOUR
        return Fault.NO_ANCHOR if piece.anchor is None else None
    if occupied:
        return OCCUPIED
    if piece == TOWER and not state.towers_left:
        return Fault.NONE_LEFT
    due = state.dues.get(cell)
    if due is None:
        return Fault.NOT_DUE
    return None if due.piece == piece else Fault.WRONG_PIECE


def _stand_house(state: State, cell: Cell, house: Piece, said: list[Statement]) -> State:
    before = state
    state = _forget(state, said)
    houses, filled = state.houses | cell.bit, state.filled | cell.bit
    # Cells that wait for something already are left alone: what was due first stays due.
    waiting = 0
    for waiting_cell in state.dues:
        waiting |= waiting_cell.bit
    free = BOARD & ~filled & ~waiting
    lines, blocks = line_completers(houses), block_completers(houses)
    for_park, for_tower = lines & free, blocks & free if state.towers_left else 0
    if state.both_due is BothDue.PARK:
        for_tower &= ~for_park
    else:
        for_park &= ~for_tower
    parks, towers = cells_of(for_park), cells_of(for_tower)
    dues = state.dues
    if parks or towers:
        dues = {
            **dues,
            **{c: Due(PARK, c, reasons_for(c, houses)) for c in parks},
            **{c: Due(TOWER, c, reasons_for(c, houses)) for c in towers},
        }
    if state.mode is Mode.STRICT:
        parks = towers = ()
    choose = state.towers_left if len(towers) > state.towers_left else None
    assert house.colour is not None  # it is on turn
    assert house.anchor is not None  # or it would have been refused
    said.append(HouseStands(state.ply + 1, house.colour, cell, house.anchor, parks, towers, choose))
    return state.but(
        position=state.position.put(cell, house),
        houses=houses,
        lines=lines,
        blocks=blocks,
        filled=filled,
        ply=state.ply + 1,
        dues=dues,
        last_turn=(cell,),
        before_turn=before,
    )


def _forget(state: State, said: list[Statement]) -> State:
    """What is due and not there is forgotten from now on, and named once."""
    late = sorted(cell for cell, due in state.dues.items() if not due.forgotten)
    if not late:
        return state
    said.append(
        Forgotten(
            tuple(cell for cell in late if state.dues[cell].piece == PARK),
            tuple(cell for cell in late if state.dues[cell].piece == TOWER),
        )
    )
    dues = {cell: replace(due, forgotten=True) for cell, due in state.dues.items()}
    return state.but(dues=dues)


def _fulfil(state: State, due: Due, said: list[Statement]) -> State:
    """What is due on this cell is there now."""
    cell = due.cell
    score, account, towers = state.score, state.account, state.towers
    if due.piece == PARK:
        gains = () if due.forgotten else gains_around(state.position, state.houses, cell)
        gained = sum_gains(gains)
        score = {colour: points + gained[colour] for colour, points in score.items()}
        account += gains
        said.append(ParkLies(cell, due.forgotten, gained, score))
    else:
        towers += 1
        said.append(TowerStands(cell, due.forgotten))
    after = state.but(
        position=state.position.put(cell, due.piece),
        filled=state.filled | cell.bit,
        dues={c: other for c, other in state.dues.items() if c != cell},
        last_turn=(*state.last_turn, cell),
        score=score,
        account=account,
        towers=towers,
    )
    return _lapse_square_rule(after) if state.towers_left and not after.towers_left else after


def _lapse_square_rule(state: State) -> State:
    """No tower is due any more; what the line rule asks for on those cells it asks for now."""
    dues = {}
    for cell, due in state.dues.items():
        if due.piece == PARK:
            dues[cell] = due
        elif state.lines & cell.bit:
            lines = tuple(r for r in reasons_for(cell, state.houses) if r.rule == LINE)
            dues[cell] = Due(PARK, cell, lines)
    return state.but(dues=dues)


def _accept_what_lies_right(state: State, said: list[Statement]) -> State:
    """A park or tower that lay there too early, alone on its cell, may have fallen due by now."""
    for cell in sorted(state.table.beside):
        lying = state.table.beside[cell]
        due = state.dues.get(cell)
        if due is not None and len(lying) == 1 and lying[0].piece == due.piece:
            table, _ = state.table.take(state.position, cell)
            said.append(Corrected(cell))
            state = _fulfil(state.but(table=_tidied(table)), due, said)
            # The sixth tower changes what is due elsewhere, so look at all of them again.
            return _accept_what_lies_right(state, said)
    return state


def _with_table(
    state: State, outcome: tuple[Table, Statement | None], said: list[Statement]
) -> State:
    table, statement = outcome
    if statement is not None:
        said.append(statement)
    return state.but(table=_tidied(table))


def _tidied(table: Table) -> Table:
    return table if table.beside or table.missing else TIDY
