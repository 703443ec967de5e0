"""What was said in one game, and what of it is still news.

Some things about a game take a moment to work out and hold until something else happens: its
record, and whether a pass would be accepted. They are worked out once for each event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

from firmware.commands import NotNow
from firmware.ledger import Story
from rules.events import Passed
from rules.game import Game
from rules.record import format_record, write_record
from rules.verdict import Over, Statement, Verdict
from rules.voice import Language

FRESH_S: Final = 4.0
"""How long points that were just gained are shown."""
T = TypeVar("T")


class Chronicle:
    """The story of one game; the clock is the caller's."""

    def __init__(self, game: Game[Any], story: Story) -> None:
        self.story = story
        """Everything said, oldest first, each with the verdict it was part of."""
        self.is_resumed = False
        """The game was going on when the device was switched on, and nothing happened since."""
        self._game = game
        self._fresh: tuple[Verdict, float] | None = None
        self._record = _Latest(game, lambda: format_record(write_record(game)))
        self._foreseen = _Latest(game, self._foresee_pass)

    def note(self, verdicts: Sequence[Verdict], now_s: float) -> bool:
        """These were given just now; True where one of them says that the game is over."""
        for verdict in verdicts:
            self.is_resumed = False
            self.story.extend((statement, verdict) for statement in verdict.said)
            if verdict.gains:
                self._fresh = verdict, now_s
        return any(isinstance(said, Over) for verdict in verdicts for said in verdict.said)

    def fresh(self, now_s: float) -> Verdict | None:
        """The last verdict with points in it, while it is new."""
        return self._fresh[0] if self._fresh and now_s - self._fresh[1] < FRESH_S else None

    @property
    def record(self) -> str:
        return self._record.value

    @property
    def may_pass(self) -> bool:
        """The player on turn may pass; never in a game that knows no passes."""
        said = self._foreseen.value
        return bool(said) and not any(statement.refusal for statement in said)

    def passing(self, language: Language) -> Passed:
        """The pass of the player on turn; `NotNow` in the rules' own words where there is none."""
        turn, said = self._game.verdict.turn, self._foreseen.value
        if turn is not None and self.may_pass:
            return Passed(turn)
        voice = self._game.pack.voice(language)
        refused = [statement for statement in said if statement.refusal][:1]
        lines = [line for each in refused for line in voice.describe(each, self._game.verdict)]
        raise NotNow(" ".join(line.strip(" !") for line in lines) or "nobody can pass now")

    def _foresee_pass(self) -> tuple[Statement, ...]:
        """What a pass of the player on turn would be answered with."""
        turn = self._game.verdict.turn
        if turn is None:
            return ()
        return self._game.pack.judge(self._game.state, Passed(turn))[1].said


class _Latest(Generic[T]):
    """Something about a game, worked out once for each event."""

    def __init__(self, game: Game[Any], work: Callable[[], T]) -> None:
        self._game, self._work = game, work
        self._events, self._value = len(game.log), work()

    @property
    def value(self) -> T:
        if self._events != len(self._game.log):
            self._events, self._value = len(self._game.log), self._work()
        return self._value
