"""One game being played: a log that only grows, and the state it leads to.

`log` is everything that was ever told, in order; a store keeps exactly that, and `replay` brings
the game back. `steps` are those events that still count. Undo and correction are events like any
other: they void or replace steps, and all that follows is judged anew. What then no longer fits
is in the verdict's `misfits`; it stays on the table as a problem and is never dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Generic

from rules.board import Cell
from rules.errors import BadStep
from rules.events import (
    Amended,
    Change,
    Event,
    Interpretation,
    LeftStanding,
    Placed,
    TableEvent,
    Taken,
    Undone,
)
from rules.pack import Pack, S, choose_settings
from rules.table import UNDONE, Lying
from rules.verdict import Corrected, Illegal, Misfit, Statement, TakenBack, Verdict


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """An event that counts, and what came of it."""

    event: TableEvent
    state: S
    verdict: Verdict


class Game(Generic[S]):
    def __init__(self, pack: Pack[S], settings: Mapping[str, str] | None = None) -> None:
        self.pack = pack
        self.settings = choose_settings(pack.settings, settings or {})
        self.box = pack.box_for(self.settings)
        self.log: list[Event] = []
        self.steps: list[Step[S]] = []
        self._opening = pack.setup(self.settings)
        self._verdict = pack.survey(self._opening)

    @classmethod
    def replay(cls, pack: Pack[S], settings: Mapping[str, str], log: Iterable[Event]) -> Game[S]:
        """The game that this log leads to."""
        game = cls(pack, settings)
        for event in log:
            game.tell(event)
        return game

    @property
    def state(self) -> S:
        return self.steps[-1].state if self.steps else self._opening

    @property
    def verdict(self) -> Verdict:
        """How things stand, and what was said last."""
        return self._verdict

    def tell(self, event: Event) -> Verdict:
        """Something happened: judge it. `BadStep`, and no change, where it points at nothing."""
        match event:
            case Undone():
                self._verdict = self._undo(event)
            case Amended():
                self._verdict = self._amend(event)
            case _:
                self._verdict = self._judge(event)
        self.log.append(event)
        return self._verdict

    def see(self, change: Change) -> Interpretation:
        """What a change of the table means; tell the events, ask about the readings."""
        return self.pack.interpret(self.state, change)

    def step_of(self, ply: int) -> int:
        """The step at which this move was made."""
        before = 0
        for number, step in enumerate(self.steps):
            if before < ply <= step.state.ply:
                return number
            before = step.state.ply
        raise BadStep(f"there is no move {ply}: expected 1 to {self.state.ply}")

    def _judge(self, event: TableEvent) -> Verdict:
        state, verdict = self.pack.judge(self.state, event)
        self.steps.append(Step(event, state, verdict))
        return verdict

    def _undo(self, event: Undone) -> Verdict:
        cut = self.step_of(event.ply)
        told, undone = self._verdict.problems, self.state
        del self.steps[cut:]
        # The table does not change because somebody says so. What stands on it and is no longer
        # of the game has to be taken off; what was wrong before may be right by now.
        said: list[Statement] = []
        for cell in sorted({*self._cells_in_play(self.state), *self._cells_in_play(undone)}):
            there = () if cell in event.lifted else undone.table.pile(undone.position, cell)
            said.extend(self._lay_out(cell, there))
        wrong = tuple(self.state.table.problems())
        mended = {problem.cell for problem in told} - {problem.cell for problem in wrong}
        return self._restate(
            (
                TakenBack(event.ply),
                *(Illegal(problem) for problem in wrong if problem not in told),
                *(Corrected(cell) for cell in sorted(mended)),
                *said,
            )
        )

    @staticmethod
    def _cells_in_play(state: S) -> set[Cell]:
        return {*state.position, *state.table.beside}

    def _lay_out(self, cell: Cell, there: tuple[Lying, ...]) -> Iterator[Statement]:
        """Tell of the cell until `there` lies on it; what comes of it but faults and amends."""
        known = self.state.table.pile(self.state.position, cell)
        same = 0
        while same < min(len(known), len(there)) and known[same].piece == there[same].piece:
            same += 1
        events: list[TableEvent] = [Taken(cell)] * (len(known) - same)
        for lying in there[same:]:
            of_undone_move = lying.fault in (None, UNDONE) and (
                self.state.position.get(cell) != lying.piece
            )
            kind = LeftStanding if of_undone_move else Placed
            events.append(kind(cell, lying.piece))
        for event in events:
            for statement in self._judge(event).said:
                if not isinstance(statement, Illegal | Corrected):
                    yield statement

    def _amend(self, event: Amended) -> Verdict:
        if not 0 <= event.step < len(self.steps):
            raise BadStep(f"there is no step {event.step}: the game has {len(self.steps)} steps")
        before = self.steps[event.step :]
        del self.steps[event.step :]
        if event.event is not None:
            self._judge(event.event)
        misfits = []
        for step in before[1:]:
            why = _misfit(step.verdict, self._judge(step.event))
            if why is not None:
                misfits.append(Misfit(len(self.steps) - 1, step.event, why))
        return self._restate((), tuple(misfits))

    def _restate(self, said: tuple[Statement, ...], misfits: tuple[Misfit, ...] = ()) -> Verdict:
        """How things stand, with what this undo or correction has to say."""
        return replace(self.pack.survey(self.state), said=said, misfits=misfits)


def _misfit(was: Verdict, now: Verdict) -> str | None:
    """Why an event that had been accepted is not any more: a fault, or that nothing came of it."""
    if any(statement.refusal for statement in was.said) or not was.said:
        return None
    for statement in now.said:
        if statement.refusal:
            return statement.refusal
    return None if now.said else "nothing-there"
