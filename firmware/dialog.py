"""What the players are doing with the device: playing, in a menu, being asked, looking why.

Only the data is here, so that display and page show the same thing. `firmware.buttons` has what
a press does to it, and `firmware.views` the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.board import Cell, Piece
from rules.events import Event
from rules.voice import Brief


class MenuItem(StrEnum):
    RESUME = "resume"
    CORRECT = "correct"
    NEW_GAME = "new-game"
    GAME = "game"
    SETTING = "setting"
    """One of the game's own settings; the option carries which."""
    LANGUAGE = "language"
    SOUND = "sound"
    PAIRING = "pairing"
    ABOUT = "about"


class Topic(StrEnum):
    """What a list of options is about: its title."""

    MENU = "menu"
    SETTING = "setting"
    LANGUAGE = "language"
    SOUND = "sound"
    NEW_GAME = "new-game"
    GAME = "game"
    """Which of the games we referee is to be played?"""
    CORRECT = "correct"
    """Something was read wrongly: what does stand there?"""
    WHERE = "where"
    """Something was read wrongly: which of these pieces?"""
    UNSURE = "unsure"
    """A cell that cannot be told: what stands there?"""
    HAPPENED = "happened"
    """Several things may have happened: which?"""
    CLEARED = "cleared"
    """Many pieces are gone, or new: is it a new game, or will they be put back?"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the menu; `setting` names the game's setting behind it."""

    item: MenuItem
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value for a setting, of the game or (`language`, `sound`) of the device."""

    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class Tick:
    """One of several values for a setting of the game, chosen in an order."""

    setting: str
    value: str
    place: int = 0
    """It is the first, second, … that was chosen; 0 where it was not."""


@dataclass(frozen=True, slots=True)
class Begin:
    """This game is to be played."""

    game: str


@dataclass(frozen=True, slots=True)
class Holds:
    """This is what stands on the cell; None for nothing."""

    cell: Cell
    piece: Piece | None


@dataclass(frozen=True, slots=True)
class Happened:
    """This is what happened."""

    events: tuple[Event, ...]


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    PUT_BACK = "put-back"
    OTHER_CELL = "other-cell"
    DONE = "done"
    """Enough was ticked."""


Option = Entry | Choice | Tick | Begin | Holds | Happened | Answer


@dataclass(frozen=True, slots=True)
class Playing:
    """Nobody is doing anything with the device."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Options to choose from; the one at `at` is marked."""

    topic: Topic
    options: tuple[Option, ...]
    at: int = 0
    cell: Cell | None = None
    """The cell it is about, if it is about one."""

    @property
    def option(self) -> Option:
        return self.options[self.at]


@dataclass(frozen=True, slots=True)
class Why:
    """The last verdict, explained page by page."""

    pages: tuple[Brief, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """This move would be taken back, and these cells would have to be cleared."""

    ply: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The code and the address of the page."""


@dataclass(frozen=True, slots=True)
class About:
    """Which version this is, and where the games are kept."""


@dataclass(frozen=True, slots=True)
class FinalCount:
    """The end, counted one by one; `at` is the thing counted last, len() of them the result."""

    at: int = 0


Dialog = Playing | Listing | Why | UndoPreview | Pairing | About | FinalCount
