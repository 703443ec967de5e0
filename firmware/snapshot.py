"""Everything the outputs show, frozen: made by the session, read by display, lights, sound, page.

No output asks the session or the rules anything. Whatever is true at this moment is in here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from firmware.dialog import Dialog, Playing
from rules.board import Cell
from rules.box import Box
from rules.pack import Pack
from rules.verdict import Due, Problem, Statement, Verdict
from rules.voice import Language
from vision.reading import Unreadable


class Seeing(StrEnum):
    """How seeing goes just now."""

    STARTING = "starting"
    """No board has been found since the device was switched on."""
    WATCHING = "watching"
    BUSY = "busy"
    """Somebody is moving over the table."""
    BLIND = "blind"
    """There is no picture, or no board in it."""


class Part(StrEnum):
    """A part of the device that can fail."""

    CAMERA = "camera"
    STORE = "store"
    """New events cannot be written."""
    ARCHIVE = "archive"
    """What was written earlier was found damaged: `corrupt` was set aside, `damaged` salvaged."""
    OLED = "oled"
    PANEL = "panel"
    FINGER = "finger"
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class Failure:
    """A part does not work just now; `reason` is a word for programs, `detail` for a log."""

    part: Part
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Mended:
    """A part that failed works again."""

    part: Part


@dataclass(frozen=True, slots=True)
class Hidden:
    """Something cannot be judged until these cells have been seen."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Leftover:
    """These cells have to be cleared before the game can begin."""

    cells: tuple[Cell, ...]


Alarm = Problem | Due | Unreadable | Failure | Hidden | Leftover
"""What needs attention now and has been so for long enough; a `Due` in it is a forgotten one."""


@dataclass(frozen=True, slots=True)
class GameCard:
    """Which game is being played."""

    number: int
    """In the store."""
    pack: Pack[Any]
    settings: Mapping[str, str]
    started_s: float
    """Seconds since 1970."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Settings that were chosen while this game was going on, and hold from the next one on."""

    @property
    def box(self) -> Box:
        """What of the game's box is on the table: these players, this board, their pieces."""
        return self.pack.box_for(self.settings)

    @property
    def next_settings(self) -> Mapping[str, str]:
        return {**self.settings, **self.chosen}


@dataclass(frozen=True, slots=True)
class Access:
    """How a phone gets in: shown on the display only."""

    url: str
    """The address of the page, without the code; empty where there is no page."""
    code: str

    @property
    def link(self) -> str:
        """The address that pairs at once. In capitals, as that makes the smaller QR code."""
        return f"{self.url}/J/{self.code}".upper() if self.url else ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    number: int
    """Grows with every snapshot."""
    language: Language
    sound: str
    game: GameCard
    verdict: Verdict
    """How things stand."""
    access: Access
    story: tuple[tuple[Statement, Verdict], ...] = ()
    """Everything said in this game, oldest first, each with the verdict it was part of."""
    record: str = ""
    dialog: Dialog = field(default_factory=Playing)
    seeing: Seeing = Seeing.STARTING
    unreadable: Unreadable | None = None
    """Why no board can be read, at this very moment."""
    alarm: Alarm | None = None
    """The one thing that needs attention first; it has been so for some seconds."""
    fresh: Verdict | None = None
    """A verdict with points in it that was given only just now."""
    resumed: bool = False
    """The game was going on when the device was switched on, and no move was made since."""
    failures: tuple[Failure, ...] = ()
    unsure: frozenset[Cell] = field(default_factory=frozenset)
    hidden: frozenset[Cell] = field(default_factory=frozenset)
    may_pass: bool = False
    """The rules would accept a pass of the player on turn."""
    preferred: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By game, the settings that the players chose last for it."""
