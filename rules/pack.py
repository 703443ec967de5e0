"""The door a game comes through.

A pack is one folder in `rules/packs/` whose module has a `PACK` that satisfies the Protocol
below. State is the pack's own business, frozen, and known to the rest only by what `GameState`
names; every method is a pure function of its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol, TypeVar

from rules.board import Position
from rules.box import BoardFacts, Box
from rules.errors import BadSetting
from rules.events import Change, Interpretation, Passed, Placed, TableEvent
from rules.table import Table
from rules.verdict import Statement, Verdict
from rules.voice import Language, Voice


class GameState(Protocol):
    @property
    def ply(self) -> int:
        """How many moves have been made."""

    @property
    def position(self) -> Position:
        """What stands by right."""

    @property
    def table(self) -> Table:
        """What else is true of the table."""


S = TypeVar("S", bound=GameState)


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice the players have before a game: one of `choices`, or several in an order of theirs.

    The value of a setting is what was chosen, in writing: `park`, or `red blue`, or nothing at all.
    Unless they choose, it is the first of `choices`; where several are asked for, as few as may be.

    >>> seats = Setting("players", ("red", "blue", "green"), "who plays", least=2, most=3)
    >>> seats.default, seats.accepts("green red"), seats.accepts("green green")
    ('red blue', True, False)
    """

    name: str
    choices: tuple[str, ...]
    """No choice has a space in it."""
    meaning: str
    least: int = 1
    most: int = 1
    """From `least` to `most` different ones are chosen."""

    @property
    def default(self) -> str:
        return " ".join(self.choices[: self.least])

    def accepts(self, value: str) -> bool:
        words = value.split(" ") if value else []
        is_known = set(words) <= set(self.choices) and len(set(words)) == len(words)
        return is_known and self.least <= len(words) <= self.most

    def expected(self) -> str:
        """What may be chosen, for whoever chose something else."""
        if self.most == 1 == self.least:
            return " or ".join(self.choices)
        return f"{self.least} to {self.most} of {', '.join(self.choices)}, a space between two"


class Pack(Protocol[S]):
    @property
    def box(self) -> Box:
        """The facts of the game's box: everything that is in it, whoever plays."""

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The choices the players have before a game."""

    def box_for(self, settings: Mapping[str, str]) -> Box:
        """What of the box is on the table: this board, these players in turn order, their pieces.

        `settings` have been through `choose_settings`; `BadSetting` where they do not go together.
        """

    def setup(self, settings: Mapping[str, str]) -> S:
        """The state before the first move, of the same settings as `box_for`."""

    def survey(self, state: S) -> Verdict:
        """How things stand, with nothing said."""

    def judge(self, state: S, event: TableEvent) -> tuple[S, Verdict]:
        """What the event does to the game, and what the referee says to it."""

    def legal_moves(self, state: S) -> Sequence[Placed]:
        """Every piece the player on turn may put down as a move; none where a pass is left."""

    def interpret(self, state: S, change: Change) -> Interpretation:
        """Which events lead from one look at the table to the next."""

    def parse_placement(self, line: Mapping[str, object]) -> Placed:
        """A line of `judge` input that puts a piece down, or `BadLine`/`BadWord`."""

    def format_placement(self, event: Placed) -> dict[str, str]:
        """The reverse of `parse_placement`."""

    def format_statement(self, statement: Statement) -> dict[str, object]:
        """A statement in the shape that programs rely on."""

    def voice(self, language: Language) -> Voice:
        """The game in words for people; `rules.views.TableVoice` is a good start for one."""

    def parse_move(self, word: str, turn: str | None) -> Placed | Passed:
        """One word of a written game, or `BadWord`; `turn` is the colour on turn."""

    def format_move(self, event: Placed | Passed) -> str:
        """The reverse of `parse_move`."""


def boards_of(pack: Pack[Any]) -> tuple[BoardFacts, ...]:
    """Every board that the players can agree on, the usual one first.

    >>> from rules.packs import load_pack
    >>> [board.files for board in boards_of(load_pack("subdivision"))]
    [6, 5, 7, 8]
    """
    values = [
        [" ".join(setting.choices[:count]) for count in range(setting.least, setting.most + 1)]
        if setting.most > 1
        else setting.choices
        for setting in pack.settings
    ]
    boards: dict[BoardFacts, None] = {}
    for chosen in product(*values):
        names = (setting.name for setting in pack.settings)
        with suppress(BadSetting):
            boards[pack.box_for(dict(zip(names, chosen, strict=True))).board] = None
    return tuple(boards)


def colours_to_choose(pack: Pack[Any]) -> tuple[str, ...]:
    """What the players choose their colours from; nothing where always the same ones are played.

    >>> from rules.packs import load_pack
    >>> colours_to_choose(load_pack("masterplan"))
    ()
    >>> colours_to_choose(load_pack("subdivision"))
    ('red', 'blue', 'green', 'yellow', 'black', 'clear')
    """
    every, played = pack.box.players, pack.box_for(choose_settings(pack.settings, {})).players
    return every if played != every else ()


def choose_settings(known: Iterable[Setting], chosen: Mapping[str, str]) -> dict[str, str]:
    """Every setting with its chosen value or its default, or `BadSetting` for all that is wrong."""
    known = tuple(known)
    by_name = {setting.name: setting for setting in known}
    mistakes = []
    for name, value in chosen.items():
        if name not in by_name:
            names = ", ".join(by_name) or "none"
            mistakes.append(f"no setting is called {name!r}; there are: {names}")
        elif not by_name[name].accepts(value):
            mistakes.append(f"{name} cannot be {value!r}; expected {by_name[name].expected()}")
    if mistakes:
        raise BadSetting("; ".join(mistakes))
    return {setting.name: chosen.get(setting.name, setting.default) for setting in known}
