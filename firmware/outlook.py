"""How well the device sees and works just now, and what of that needs attention.

The game knows nothing of this: a hand over the board, a dark lamp and a full card are the world's
trouble. `Outlook` keeps the newest look, the newest reading and the parts that fail, and says
which one trouble is to be shown first, once it has been there for long enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from firmware.attention import Attention
from firmware.snapshot import Alarm, Failure, Hidden, Leftover, Part, Seeing
from rules.board import Cell
from rules.verdict import Verdict
from vision.reading import BoardReading, CellReading, Unreadable
from vision.stillness import Stillness
from vision.watch import Look

RESTING_HAND_S: Final = 10.0
"""What hides cells for longer is no hand on its way, but a cup: somebody has to be told."""
NOTICE_S: Final = 12.0
"""How long a failure that the game can bear is a trouble; after that it is a small sign."""


class Outlook:
    def __init__(self) -> None:
        self.look: Look | None = None
        self.reading: BoardReading | None = None
        """The newest one; the table may have changed since."""
        self._failures: dict[Part, tuple[Failure, float]] = {}
        self._hidden_since_s: float | None = None
        self._attention: Attention[Alarm] = Attention()

    def take_in(self, look: Look, now_s: float) -> None:
        self.mend(Part.CAMERA)
        self.look = look
        if look.reading is not None:
            self.reading = look.reading
            is_hidden = bool(look.reading.hidden)
            self._hidden_since_s = (self._hidden_since_s or now_s) if is_hidden else None

    def forget(self) -> None:
        """Another board is to be looked for: what was seen so far was not that."""
        self.look = self.reading = self._hidden_since_s = None

    def fail(self, failure: Failure, now_s: float) -> None:
        known = self._failures.get(failure.part)
        if known is None or known[0].reason != failure.reason:
            self._failures[failure.part] = failure, now_s

    def mend(self, part: Part) -> None:
        self._failures.pop(part, None)

    def seen_on(self, cell: Cell) -> CellReading | None:
        return self.reading.cells.get(cell) if self.reading else None

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(failure for failure, _ in self._failures.values())

    @property
    def unreadable(self) -> Unreadable | None:
        return self.look.trouble if self.look else None

    @property
    def seeing(self) -> Seeing:
        if self.reading is None:
            return Seeing.STARTING
        if self.unreadable is not None or Part.CAMERA in self._failures:
            return Seeing.BLIND
        is_moving = self.look is not None and self.look.stillness is Stillness.MOVING
        return Seeing.BUSY if is_moving else Seeing.WATCHING

    def is_busy(self, now_s: float) -> bool:
        """Somebody is moving over the table, or has a hand on it."""
        since_s = self._hidden_since_s
        has_hand = since_s is not None and now_s - since_s < RESTING_HAND_S
        return has_hand or self.seeing is Seeing.BUSY

    def alarm(
        self, verdict: Verdict, hidden: frozenset[Cell], leftover: frozenset[Cell], now_s: float
    ) -> Alarm | None:
        """The first trouble that is old enough.

        `hidden` are cells that judgement waits for, `leftover` those to be cleared before a game.
        """
        troubles = tuple(self._troubles(verdict, hidden, leftover, now_s))
        announced = self._attention.update(troubles, self.is_busy(now_s), now_s)
        return announced[0] if announced else None

    def _troubles(
        self, verdict: Verdict, hidden: frozenset[Cell], leftover: frozenset[Cell], now_s: float
    ) -> Iterator[Alarm]:
        for failure, since_s in self._failures.values():
            # Without a camera there is no game; with a full card there is.
            if failure.part is Part.CAMERA or now_s - since_s < NOTICE_S:
                yield failure
        if self.unreadable is not None:
            yield self.unreadable
        if leftover:
            yield Leftover(tuple(sorted(leftover)))
        if verdict.outcome is None:  # after the end the board is cleared, as it should be
            yield from verdict.problems
        if hidden:
            yield Hidden(tuple(sorted(hidden)))
        yield from (due for due in verdict.dues if due.forgotten)
