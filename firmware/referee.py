"""The wire between seeing and judging: settled changes in, verdicts out.

A piece that is seen is there; a piece that is not seen may be under a sleeve. So what accuses
nobody is judged as soon as it is certain, and what does («forgotten», «illegal») is held back until
every cell that could disprove it has been plainly seen. What is held back is judged together with
what comes to light meanwhile: a park found where a hand has been lay there in time, as long as
nobody saw the cell empty after the next house.

The rules help to see, too: of several things an unsure cell may hold, mostly only one makes a legal
turn. But they only choose among what was seen: a wrong piece that was plainly seen stays wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from rules.board import Cell, Piece, Position
from rules.events import Change, Event, Interpretation, TableEvent
from rules.game import Game
from rules.verdict import Verdict
from vision.frame import Frame
from vision.reading import BoardReading
from vision.settle import Settle
from vision.watch import Sight

AS_KNOWN: Final = 0.8
"""An unsure cell that is this likely what it was known to be hides nothing new."""
LOOKS_IN_DOUBT: Final = 3
"""So many readings of an unsure cell are gathered before the rules decide."""
SEEN_AT_ALL: Final = 0.3
"""What is less likely was not seen, whatever the rules would like."""
BLAME: Final = 0.02
"""How often people break a rule: the weight of a reading that says so."""
CONVINCED: Final = 0.95
"""The share of the weight that one reading needs to be taken."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one frame led to."""

    sight: Sight
    verdicts: tuple[Verdict, ...] = ()
    waiting_for: frozenset[Cell] = frozenset()
    """Cells that have to be seen before something can be said."""
    question: Interpretation | None = None
    """What happened cannot be told from the table: somebody has to say."""


class Eyes(Protocol):
    """A `vision.watch.Watcher`, or whatever stands in for one."""

    settle: Settle

    def see(self, frame: Frame, loose: Iterable[Cell] = ()) -> Sight: ...


class Referee:
    def __init__(self, game: Game[Any], watcher: Eyes) -> None:
        self.game, self.watcher = game, watcher
        self._tables: list[Position] = []
        """Settled tables that are still to be judged, in order."""
        self._held_for: frozenset[Cell] = frozenset()
        """The cells that had to be seen before the first of them could be judged."""

    def see(self, frame: Frame) -> Ruling:
        sight = self.watcher.see(frame, self._loose())
        for change in (*sight.changes, *self._decide(frame.is_still)):
            if any(change.before.get(c) != change.after.get(c) for c in self._held_for):
                # It may have lain there before what is held back: judge them as one change.
                self._tables.clear()
            self._tables.append(change.after)
        if sight.reading is None or not self._tables:
            return Ruling(sight)
        return self._judge(sight, self._unseen(sight.reading))

    def _loose(self) -> set[Cell]:
        """The cells that are expected to change: what is wrong there, or not yet judged."""
        known, told = self.watcher.settle.known, self.game.verdict.table
        unjudged = {c for c in {*known, *told} if known.get(c) != told.get(c)}
        return unjudged | {problem.cell for problem in self.game.verdict.problems}

    def _decide(self, is_still: bool) -> Iterator[Change]:
        """Unsure cells that only one legal turn explains.

        Each thing the cell may hold counts by how likely it was seen, and little where somebody
        would have to be blamed for it. What was hardly seen is not wished into being, and nobody is
        blamed for what is not sure.
        """
        settle = self.watcher.settle
        for cell, doubt in list(settle.doubts.items()):
            if doubt.readings < (1 if is_still else LOOKS_IN_DOUBT):
                continue
            seen = {piece: likely for piece, likely in doubt.likely() if likely >= SEEN_AT_ALL}
            legal = [piece for piece in seen if not self._blames(settle.known, cell, piece)]
            weight = sum(likely * (1 if p in legal else BLAME) for p, likely in seen.items())
            best = max(legal, key=lambda piece: seen[piece], default=settle.known.get(cell))
            if best != settle.known.get(cell) and seen[best] >= CONVINCED * weight:
                yield settle.accept(cell, best)

    def _blames(self, known: Position, cell: Cell, piece: Piece | None) -> bool:
        after = known.clear(cell) if piece is None else known.put(cell, piece)
        meaning = self.game.see(Change(self.game.verdict.table, after))
        if meaning.problem is not None:
            return True
        said = (s for verdict in self._foresee(meaning.events) for s in verdict.said)
        return any(statement.disproved_by() != () for statement in said)

    def _unseen(self, reading: BoardReading) -> frozenset[Cell]:
        """The cells that may hold a piece nobody has seen."""
        known = self.watcher.settle.known
        unseen = set(self.watcher.settle.pending)
        for cell in reading.unsure:
            seen = reading.cells[cell]
            as_known = seen.piece == known.get(cell) and seen.confidence >= AS_KNOWN
            if cell in reading.hidden or not as_known:
                unseen.add(cell)
        return frozenset(cell for cell in unseen if cell not in known)

    def _judge(self, sight: Sight, unseen: frozenset[Cell]) -> Ruling:
        verdicts: list[Verdict] = []
        while self._tables:
            meaning = self.game.see(Change(self.game.verdict.table, self._tables[0]))
            events = self._told(meaning)
            doubts = frozenset[Cell]() if events is None else self._doubts(events, unseen)
            self._held_for |= doubts
            if (events is None or doubts) and len(self._tables) > 1:
                # The next table holds all of this one, or shows it taken back: judge that.
                self._tables.pop(0)
                continue
            if events is None:
                return Ruling(sight, tuple(verdicts), question=meaning)
            if doubts:
                return Ruling(sight, tuple(verdicts), waiting_for=doubts)
            verdicts.extend(self.game.tell(event) for event in events)
            if not events or self.game.verdict.table == self._tables[0]:
                self._tables.pop(0)
                self._held_for = frozenset()
        return Ruling(sight, tuple(verdicts))

    def _told(self, meaning: Interpretation) -> tuple[Event, ...] | None:
        """What to judge now, or None where only the players know what happened."""
        if meaning.events or meaning.problem is None:
            return meaning.events
        # Held back because a cell was not seen: nobody is accused of what nobody saw.
        return meaning.readings[0] if self._held_for and meaning.readings else None

    def _doubts(self, events: tuple[Event, ...], unseen: frozenset[Cell]) -> frozenset[Cell]:
        """The unseen cells that could disprove what judging these events would say."""
        doubts: frozenset[Cell] = frozenset()
        for verdict in self._foresee(events):
            for statement in verdict.said:
                disproving = statement.disproved_by()
                doubts |= unseen if disproving is None else unseen.intersection(disproving)
        return doubts

    def _foresee(self, events: tuple[Event, ...]) -> Iterator[Verdict]:
        state = self.game.state
        for event in events:
            if isinstance(event, TableEvent):
                state, verdict = self.game.pack.judge(state, event)
                yield verdict
