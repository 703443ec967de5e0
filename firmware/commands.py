"""What the device can be told to do: by its buttons, or on the page.

On the page each is one JSON object, and `say` names the command (the others only come of presses):

    {"say": "correct", "cell": "c4", "piece": {"kind": "house", "colour": "white", "anchor": "ne"}}
    {"say": "answer", "dialog": "5d41402a", "index": 1}
    {"say": "new-game", "game": "subdivision", "settings": {"players": "red blue green"}}
    {"say": "choose", "setting": "language", "value": "fr"}
    {"say": "undo", "ply": 7}      {"say": "end-turn"}      {"say": "pass"}

What arrives comes from the network, so all of it is checked here against the game on the table,
and `BadRequest` says what was wrong. A new game may be another one (`game`); what is not said of
its settings is as it was preferred last. Several values of one setting have a space between. An
answer names the dialog it was given to, as another one may be shown by now; whether the rest makes
sense at this moment is for the session to say.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final

from firmware.actions import Button, Press
from firmware.config import SoundMode
from firmware.dialog import Listing
from firmware.snapshot import Snapshot
from rules.board import Anchor, Cell, Piece
from rules.box import Box
from rules.errors import BadSetting, BadWord, ParkwardenError
from rules.events import Event
from rules.pack import Pack, Setting, choose_settings
from rules.packs import PACKS, load_pack
from rules.voice import Language

DEVICE_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "language": tuple(Language),
    "sound": tuple(SoundMode),
}
"""The settings of the device itself; those of the game are in its pack."""
_MISSING: Final = object()


class BadRequest(ParkwardenError, ValueError):
    """Something on the page's wire that cannot be understood."""

    def __init__(self, what: str, got: object, expected: str) -> None:
        shown = "nothing" if got is _MISSING else ascii(got)
        self.what, self.expected = what, expected
        self.got = shown if len(shown) <= 60 else f"{shown[:60]}…"
        super().__init__(f"{what}: got {self.got}, expected {expected}")


class Clash(BadRequest):
    """Settings, each right by itself, that make no game together."""


class NotNow(ParkwardenError, RuntimeError):
    """What was said can be understood, but not at this moment."""


@dataclass(frozen=True, slots=True)
class Correct:
    """This is what stands on the cell, whatever was read; None for nothing."""

    cell: Cell
    piece: Piece | None


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """The option at `index` of the list that is shown."""

    index: int


@dataclass(frozen=True, slots=True)
class NewGame:
    settings: Mapping[str, str] = field(default_factory=dict)
    """Those that are to be other than in the game so far, or than was preferred last."""
    game: str | None = None
    """Which game; None for the same again."""


@dataclass(frozen=True, slots=True)
class Choose:
    """A setting of the device (`language`, `sound`) or of the game."""

    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class UndoTo:
    """Move `ply` and all that came after it is void."""

    ply: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The player on turn says that the turn is complete."""


@dataclass(frozen=True, slots=True)
class Pass:
    """The player on turn passes."""


@dataclass(frozen=True, slots=True)
class OpenCorrection:
    """Show what may stand on this cell, or on the one in most doubt."""

    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class Tell:
    """This is what happened at the table."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class SayAgain:
    """Say aloud once more what was said last."""


Command = (
    Correct
    | AnswerOption
    | NewGame
    | Choose
    | UndoTo
    | EndTurn
    | Pass
    | OpenCorrection
    | Tell
    | SayAgain
)
_SAID: Final = ("correct", "answer", "new-game", "choose", "undo", "end-turn", "pass")


def parse_press(given: object) -> Press:
    fields = Fields(given).only("button", "held")
    return Press(Button(fields.word("button", tuple(Button))), fields.flag("held", default=False))


def parse_command(given: object, snapshot: Snapshot, dialog: str | None) -> Command:
    """The command, for the game of this snapshot; `dialog` is the id of what is being asked."""
    fields = Fields(given)
    box = snapshot.game.box
    match fields.word("say", _SAID):
        case "correct":
            fields.only("say", "cell", "piece")
            return Correct(fields.cell("cell", box), fields.piece("piece", box))
        case "answer":
            fields.only("say", "dialog", "index")
            asked = snapshot.dialog
            if fields.text("dialog") != dialog or not isinstance(asked, Listing):
                raise NotNow("something else is shown by now: look again, then answer")
            return AnswerOption(fields.whole("index", 0, len(asked.options) - 1))
        case "new-game":
            return _parse_new_game(fields.only("say", "game", "settings"), snapshot)
        case "choose":
            fields.only("say", "setting", "value")
            settings = {setting.name: setting for setting in snapshot.game.pack.settings}
            name = fields.word("setting", (*DEVICE_CHOICES, *settings))
            if name in DEVICE_CHOICES:
                return Choose(name, fields.word("value", DEVICE_CHOICES[name]))
            value = fields.value("value", settings[name])
            _check_together(
                snapshot.game.pack, {**snapshot.game.next_settings, name: value}, "value"
            )
            return Choose(name, value)
        case "undo":
            fields.only("say", "ply")
            return UndoTo(fields.whole("ply", 1, snapshot.verdict.ply))
        case "pass":
            fields.only("say")
            return Pass()
    fields.only("say")
    return EndTurn()


def _parse_new_game(fields: Fields, snapshot: Snapshot) -> NewGame:
    game, pack, before = None, snapshot.game.pack, snapshot.game.next_settings
    if "game" in fields:
        game = fields.word("game", tuple(PACKS))
        pack = load_pack(game)
    if pack is not snapshot.game.pack:
        before = snapshot.preferred.get(pack.box.game, {})
    settings = {setting.name: setting for setting in pack.settings}
    chosen = Fields(fields.get("settings", {}), "settings.").only(*settings)
    said = {name: chosen.value(name, settings[name]) for name in settings if name in chosen}
    _check_together(pack, {**before, **said}, "settings")
    return NewGame(said, game)


def _check_together(pack: Pack[Any], settings: Mapping[str, str], what: str) -> None:
    """Each may be right by itself, and there is no such game all the same."""
    try:
        pack.box_for(choose_settings(pack.settings, settings))
    except BadSetting as error:
        raise Clash(what, dict(settings), f"settings that go together: {error}") from None


class Fields:
    """A JSON object that hands out checked values, or `BadRequest`."""

    def __init__(self, given: object, path: str = "") -> None:
        if not isinstance(given, dict):
            raise BadRequest(path.rstrip(".") or "body", given, "an object")
        self._given: dict[str, Any] = given
        self._path = path

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def only(self, *keys: str) -> Fields:
        """No other keys than these: one of them would be misspelt."""
        for key in self._given:
            if key not in keys:
                raise BadRequest(f"{self._path}keys", key, _either(keys) or "none")
        return self

    def get(self, key: str, default: object = _MISSING) -> Any:
        return self._given.get(key, default)

    def wrong(self, key: str, expected: str) -> BadRequest:
        return BadRequest(self._path + key, self.get(key), expected)

    def text(self, key: str) -> str:
        value = self.get(key)
        if not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def word(self, key: str, choices: Collection[str]) -> str:
        value = self.get(key)
        if not isinstance(value, str) or value not in choices:
            raise self.wrong(key, _either(choices))
        return value

    def value(self, key: str, setting: Setting) -> str:
        """What this setting can be: one word, or several with a space between."""
        value = self.get(key)
        if not isinstance(value, str) or not setting.accepts(value):
            raise self.wrong(key, setting.expected())
        return value

    def flag(self, key: str, default: object = _MISSING) -> bool:
        value = self.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def whole(self, key: str, least: int, most: int) -> int:
        value = self.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            some = f"a whole number from {least} to {most}"
            raise self.wrong(key, some if least <= most else "none: there is nothing to choose")
        return value

    def number(self, key: str) -> float:
        value = self.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise self.wrong(key, "a number")
        return float(value)

    def cell(self, key: str, box: Box) -> Cell:
        last = Cell.at(box.board.files - 1, box.board.ranks - 1)
        try:
            cell = Cell(self.get(key))
        except BadWord:
            raise self.wrong(key, f"a cell, a1 to {last}") from None
        if cell.file >= box.board.files or cell.rank >= box.board.ranks:
            raise self.wrong(key, f"a cell, a1 to {last}")
        return cell

    def anchor(self, key: str) -> Anchor | None:
        if self.get(key, None) is None:
            return None
        return Anchor(self.word(key, tuple(Anchor)))

    def piece(self, key: str, box: Box) -> Piece | None:
        """A piece of this box, or None where the value is null."""
        if self.get(key) is None:
            return None
        fields = Fields(self.get(key), f"{self._path}{key}.").only("kind", "colour", "anchor")
        facts = box.pieces[fields.word("kind", tuple(box.pieces))]
        colour = fields.word("colour", facts.colours) if facts.colours else None
        anchor = fields.anchor("anchor")
        if colour is None and fields.get("colour", None) is not None:
            raise fields.wrong("colour", f"none: a {facts.kind} belongs to nobody")
        if anchor is not None and not facts.anchored:
            raise fields.wrong("anchor", f"none: a {facts.kind} stands in no anchor")
        return Piece(facts.kind, colour, anchor)


def _either(words: Collection[str]) -> str:
    """
    >>> _either(("park", "tower"))
    'park or tower'
    """
    return " or ".join(words)
