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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from rules.board import Cell, Piece, Position
from rules.events import Change, Event, Interpretation, TableEvent
from rules.game import Game
from rules.verdict import Verdict
from vision.frame import Frame
from vision.reading import BoardReading, CellReading
from vision.settle import AS_KNOWN, Settle
from vision.watch import Sight

LOOKS_IN_DOUBT: Final = 3
"""So many readings of an unsure cell are gathered before the rules decide."""
SEEN_AT_ALL: Final = 0.3
"""What is less likely was not seen, whatever the rules would like."""
BLAME: Final = 0.02
"""How often people break a rule: the weight of a reading that says so."""
HARDLY_EMPTY: Final = 0.5
MOST_STIRRED: Final = 2
"""So many cells may change and stay unsure at once: a house, and one of what it makes due."""
CONVINCED: Final = 0.9
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


class _Table(NamedTuple):
    """A settled table, and the frame in which the last change to it was first to be seen."""

    position: Position
    first_frame: int


class Eyes(Protocol):
    """A `vision.watch.Watcher`, or whatever stands in for one."""

    settle: Settle

    def see(self, frame: Frame, loose: Iterable[Cell] = ()) -> Sight: ...


class Referee:
    def __init__(self, game: Game[Any], watcher: Eyes) -> None:
        self.game, self.watcher = game, watcher
        self._tables: list[_Table] = []
        """What is still to be judged, in order."""
        self._held_for: frozenset[Cell] = frozenset()
        """The cells that had to be seen before the first of them could be judged."""

    def see(self, frame: Frame) -> Ruling:
        return self.rule(self.watcher.see(frame, self.loose()), frame.is_still)

    def rule(self, sight: Sight, is_still: bool = False) -> Ruling:
        """What the watcher took in, judged as far as it can be."""
        settle = self.watcher.settle
        position = sight.changes[0].change.before if sight.changes else settle.known
        for first_frame, pieces in self._arrivals(sight, is_still):
            for cell, piece in pieces.items():
                position = position.clear(cell) if piece is None else position.put(cell, piece)
            if self._held_for.intersection(pieces):
                # It may have lain there before what is held back: judge them as one change.
                self._tables.clear()
            self._tables.append(_Table(position, first_frame))
        if sight.reading is None or not self._tables:
            return Ruling(sight)
        return self._judge(sight, sight.reading)

    def hear(self, cell: Cell, piece: Piece | None, seen: CellReading | None, frame: int) -> None:
        """A player says what stands on a cell; it is judged with the next reading."""
        self.watcher.settle.vouch(cell, piece, seen, frame)
        self._held_for -= {cell}
        self._tables.append(_Table(self.watcher.settle.known, frame))

    def tell(self, *events: Event) -> list[Verdict]:
        """A player says what happened: what waited for that is settled."""
        verdicts = [self.game.tell(event) for event in events]
        self._tables = [_Table(self.watcher.settle.known, 0)]
        self._held_for = frozenset()
        return verdicts

    def _arrivals(self, sight: Sight, is_still: bool) -> list[tuple[int, dict[Cell, Piece | None]]]:
        """What has become certain, by the frame in which it was first to be seen."""
        arrivals: dict[int, dict[Cell, Piece | None]] = {}
        for settled in sight.changes:
            before, after = settled.change.before, settled.change.after
            changed = {c: after.get(c) for c in {*before, *after} if before.get(c) != after.get(c)}
            arrivals.setdefault(settled.first_frame, {}).update(changed)
        for since_frame, cell, piece in self._decide(is_still):
            arrivals.setdefault(since_frame, {})[cell] = piece
        return sorted(arrivals.items())

    def can_begin(self, known: Position) -> bool:
        """Is this how a table looks before a game, or after a first quick move?"""
        return len(known) <= 1 or self.is_set_up(known, most_moves=1)

    def is_set_up(self, known: Position, most_moves: int = 0) -> bool:
        """Have the rules nothing against all this, with so few moves made?"""
        if sum(piece.colour is not None for piece in known.values()) > most_moves:
            return False
        meaning = self.game.see(Change(self.game.verdict.table, known))
        if meaning.problem is not None:
            return False
        verdicts = list(self._foresee(meaning.events))
        said = (statement for verdict in verdicts for statement in verdict.said)
        is_fine = not any(statement.refusal for statement in said)
        return is_fine and all(verdict.ply <= most_moves for verdict in verdicts)

    def is_cleared_for(self, settings: Mapping[str, str]) -> bool:
        """Is nothing left on the table but what a next game with these settings may begin with?"""
        settle = self.watcher.settle
        if settle.pending or any(piece.colour is not None for piece in settle.known.values()):
            return False
        following = Game(self.game.pack, settings)
        is_same_board = following.box == self.game.box
        return not settle.known or (
            is_same_board and Referee(following, self.watcher).is_set_up(settle.known)
        )

    def loose(self) -> set[Cell]:
        """The cells that are expected to change: what is wrong there, or not yet judged."""
        known, told = self.watcher.settle.known, self.game.verdict.table
        unjudged = {c for c in {*known, *told} if known.get(c) != told.get(c)}
        return unjudged | {problem.cell for problem in self.game.verdict.problems}

    def _decide(self, is_still: bool) -> Iterator[tuple[int, Cell, Piece | None]]:
        """Unsure cells that only one legal turn explains, and are known from now on.

        Each thing the cell may hold counts by how likely it was seen, and little where somebody
        would have to be blamed for it. What was hardly seen is not wished into being, and nobody is
        blamed for what is not sure.
        """
        settle, stirred = self.watcher.settle, self._stirred()
        for cell, doubt in list(settle.doubts.items()):
            if doubt.readings < (1 if is_still else LOOKS_IN_DOUBT):
                continue
            known = settle.known.get(cell)
            likely = dict(doubt.likely())
            fair = {p: not self._blames(settle.known, cell, p) for p in likely}
            legal = [p for p in likely if fair[p] and likely[p] >= SEEN_AT_ALL]
            weights = {p: likely[p] * (1 if fair[p] else BLAME) for p in likely}
            if cell in stirred:
                weights[known] = weights.get(known, 0) * BLAME
            best = max(legal, key=lambda piece: weights[piece], default=known)
            if best != known and weights[best] >= CONVINCED * sum(weights.values()):
                settle.accept(cell, best)
                yield doubt.since_frame, cell, best

    def _stirred(self) -> frozenset[Cell]:
        """Empty cells that were plainly so, and hardly look empty now: something was put there.

        Where many cells look different at once it is the light that changed.
        """
        settle = self.watcher.settle
        stirred = frozenset(
            cell
            for cell, doubt in settle.doubts.items()
            if cell not in settle.known
            and settle.is_plain_since(cell, 0)
            and dict(doubt.likely()).get(None, 0) < HARDLY_EMPTY
        )
        return stirred if len(stirred) <= MOST_STIRRED else frozenset()

    def _blames(self, known: Position, cell: Cell, piece: Piece | None) -> bool:
        after = known.clear(cell) if piece is None else known.put(cell, piece)
        meaning = self.game.see(Change(self.game.verdict.table, after))
        if meaning.problem is not None:
            return True
        said = (s for verdict in self._foresee(meaning.events) for s in verdict.said)
        return any(statement.disproved_by() != () for statement in said)

    def _unseen(self, reading: BoardReading, since_frame: int) -> frozenset[Cell]:
        """The cells that may have held a piece nobody saw, ever since this frame."""
        settle = self.watcher.settle
        unseen = set(settle.pending)
        for cell in reading.unsure:
            seen = reading.cells[cell]
            as_known = seen.piece == settle.known.get(cell) and seen.confidence >= AS_KNOWN
            if cell in reading.hidden or not as_known:
                unseen.add(cell)
        return frozenset(
            cell
            for cell in unseen
            if cell not in settle.known and not settle.is_plain_since(cell, since_frame)
        )

    def _judge(self, sight: Sight, reading: BoardReading) -> Ruling:
        verdicts: list[Verdict] = []
        question = None
        while self._tables:
            table = self._tables[0]
            meaning = self.game.see(Change(self.game.verdict.table, table.position))
            events = self._told(meaning)
            unseen = self._unseen(reading, table.first_frame)
            doubts = self._doubts(events, unseen) if events else frozenset[Cell]()
            if events:
                doubts |= self._still_doubted(table.first_frame)
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
            if events:
                # Judged as it looks (a house is gone), but it may mean more (the move taken back).
                question = meaning if meaning.readings else None
            if not events or self.game.verdict.table == table.position:
                self._tables.pop(0)
                self._held_for = frozenset()
        return Ruling(sight, tuple(verdicts), question=question)

    def _still_doubted(self, since_frame: int) -> frozenset[Cell]:
        """What judgement was held back for and nobody has plainly seen since.

        A hand that comes into the picture makes more cells unsure, and settles none of them.
        """
        settle = self.watcher.settle
        return frozenset(
            cell
            for cell in self._held_for
            if cell not in settle.known and not settle.is_plain_since(cell, since_frame)
        )

    def _told(self, meaning: Interpretation) -> tuple[Event, ...] | None:
        """What to judge now, or None where only the players know what happened."""
        if meaning.events or meaning.problem is None:
            return meaning.events
        # Held back because a cell was not seen: nobody is accused of what nobody saw.
        return meaning.readings[0] if self._held_for and meaning.readings else None

    def _doubts(self, events: tuple[Event, ...], unseen: frozenset[Cell]) -> frozenset[Cell]:
        """The cells that could disprove what judging these events would say."""
        doubts = self._stirred()  # something stands there: whatever it is, it is part of the game
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
