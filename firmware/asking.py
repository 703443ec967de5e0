"""What the players are asked, and the likely answers; and when it is time to ask.

It is right, or it asks. There are three questions: what stands on a cell that cannot be told, which
of several things happened, and whether a board that is quite another means a new game. Each is a
list with the likeliest answer first, under a key by which it is known as the same question while
its answers change order.

A question is asked once the table is at rest, or has been without rest for too long, and goes away
when the table answers it. One that was left comes back later, as the game cannot go on without its
answer. Whoever presses OK in the very moment in which it comes up meant something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from firmware.attention import Attention
from firmware.dialog import Answer, Dialog, Happened, Holds, Listing, Option, Playing, Topic
from rules.board import Cell, Piece
from rules.events import Interpretation
from rules.table import REMOVED
from rules.verdict import Verdict
from vision.settle import AS_KNOWN, Doubt, Settle

LOOKS: Final = 3
"""So many readings of an unsure cell come before anybody is bothered with it."""
WORTH_OFFERING: Final = 0.02
MOST_ANSWERS: Final = 5
MANY_GONE: Final = 4
"""So many missing pieces are no accident: the board is being cleared."""
SNOOZE_S: Final = 30.0
"""A question that was left or answered, and is open all the same, is asked again after so long."""
IMPATIENT_S: Final = 10.0
"""Who plays on and on is asked after so long all the same: what is not told only grows."""
READ_S: Final = 1.0
"""Nobody has read a question sooner than this after it came up."""

Key = tuple[Topic, object]
Question = tuple[Key, Listing]


class Questions:
    """The one that is being asked, and those that wait; the clock is the caller's."""

    def __init__(self) -> None:
        self.asked: Key | None = None
        self._asked_s = 0.0
        self._attention: Attention[Key] = Attention()
        self._open_s: dict[Key, float] = {}
        """Since when each has been open."""
        self._snoozed: dict[Key, float] = {}
        """Until when nobody is asked again."""

    def is_unread(self, now_s: float) -> bool:
        return self.asked is not None and now_s - self._asked_s < READ_S

    def leave(self, now_s: float) -> None:
        """The one that is being asked was answered, or left."""
        if self.asked is not None:
            self._snoozed[self.asked] = now_s + SNOOZE_S
        self.asked = None

    def update(
        self, open_: Mapping[Key, Listing], shown: Dialog, is_busy: bool, now_s: float
    ) -> Dialog:
        """What to show instead of `shown`, if these are the questions that are open."""
        self._open_s = {key: self._open_s.get(key, now_s) for key in open_}
        rested = self._attention.update(tuple(open_), is_busy, now_s)
        self._snoozed = {
            key: until_s
            for key, until_s in self._snoozed.items()
            if key in open_ and now_s < until_s
        }
        if self.asked is not None and self.asked not in open_:
            self.asked, shown = None, Playing()
        if isinstance(shown, Playing):
            ripe = (
                key for key in open_ if key in rested or now_s - self._open_s[key] >= IMPATIENT_S
            )
            self.asked = next((key for key in ripe if key not in self._snoozed), None)
        elif self.asked is None or not _is_outdated(shown, open_[self.asked]):
            return shown
        if self.asked is None:
            return shown
        self._asked_s = now_s
        return open_[self.asked]


def _is_outdated(shown: Dialog, now: Listing) -> bool:
    """More has happened since this was asked. That answers change places is no reason to stir."""
    return (
        isinstance(shown, Listing)
        and now.topic is Topic.HAPPENED
        and set(shown.options) != set(now.options)
    )


def open_questions(
    settle: Settle, verdict: Verdict, unclear: Interpretation | None
) -> Iterator[Question]:
    """Everything that only the players can tell, the most pressing first."""
    gone = sum(problem.reason == REMOVED for problem in verdict.problems)
    is_cleared = gone >= MANY_GONE or (verdict.ply > 0 and not settle.known)
    # Nobody can tell the order of so much at once, not even by asking.
    is_beyond_telling = unclear is not None and not unclear.readings
    if verdict.outcome is None and (is_cleared or is_beyond_telling):
        yield (
            (Topic.CLEARED, None),
            Listing(Topic.CLEARED, (Answer.PUT_BACK, Answer.YES)),
        )
        return
    if unclear is not None and unclear.readings:
        told = tuple(Happened(events) for events in unclear.readings)
        # One reading alone is a guess the players may turn down: the table is put right instead.
        options: tuple[Option, ...] = told if len(told) > 1 else (*told, Answer.PUT_BACK)
        yield (Topic.HAPPENED, unclear.problem), Listing(Topic.HAPPENED, options)
    for cell, doubt in sorted(settle.doubts.items()):
        if _is_worth_asking(settle, cell, doubt):
            pieces = [p for p, likely in doubt.likely() if likely >= WORTH_OFFERING]
            answers = tuple(Holds(cell, piece) for piece in _with_empty(pieces)[:MOST_ANSWERS])
            yield (Topic.UNSURE, cell), Listing(Topic.UNSURE, answers, cell=cell)


def _is_worth_asking(settle: Settle, cell: Cell, doubt: Doubt) -> bool:
    as_known = dict(doubt.likely()).get(settle.known.get(cell), 0.0)
    return doubt.readings >= LOOKS and as_known < AS_KNOWN


def _with_empty(pieces: list[Piece | None]) -> list[Piece | None]:
    return pieces if None in pieces else [*pieces[: MOST_ANSWERS - 1], None]
