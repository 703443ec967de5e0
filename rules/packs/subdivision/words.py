"""The words of Subdivision: its box, its settings, and what the referee says in this game.

A blocked cell is called `blocked` by programs and a park by people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import ClassVar, Final

from rules.board import Cell, Piece
from rules.box import parse_box
from rules.pack import Setting
from rules.verdict import Outcome, Statement

BOX: Final = parse_box(
    resources.files(__package__).joinpath("pack.toml").read_text(encoding="utf-8"),
    "rules/packs/subdivision/pack.toml",
)
LARGE: Final = "large"
MEDIUM: Final = "medium"
SMALL: Final = "small"
PIPS: Final = {LARGE: 3, MEDIUM: 2, SMALL: 1}
PARK: Final = Piece("blocked")


class Variant(StrEnum):
    LAY_PARKS = "lay-parks"
    """The players lay the parks, one each in turn, before the first pyramid."""
    PRIVATE_PARKS = "private-parks"
    """A group that holds every cell near a park gets points for it."""
    NINE_PYRAMIDS = "nine-pyramids"
    """Three pyramids of each size a player instead of five."""


USUAL: Final = "usual"
SETTINGS: Final = (
    Setting("players", BOX.players, "who plays, in turn order", least=2, most=4),
    Setting("size", (USUAL, "5", "6", "7", "8"), "files and ranks of the board"),
    Setting("variant", tuple(Variant), "rules that differ", least=0, most=len(Variant)),
)


class Fault(StrEnum):
    """Why the rules refuse something. What any table can do wrong is in `rules.table`."""

    OFF_BOARD = "off-board"
    PARKS_FIRST = "parks-first"
    OUT_OF_TURN = "out-of-turn"
    LARGE_NEAR_OWN_LARGE = "large-near-own-large"
    SMALL_NEEDS_OTHER_COLOUR = "small-needs-other-colour"
    NONE_LEFT = "none-left"
    MUST_NOT_PASS = "must-not-pass"


MUST_PASS: Final = "must-pass"
"""The task of a player who cannot place anything."""
PARKS_TO_LAY: Final = "parks-to-lay"
"""The task before the first pyramid: somebody lays the parks."""
LAY_A_PARK: Final = "lay-a-park"
"""The same where each player lays one in turn."""

PLACED: Final = "placed"
"""A pyramid counts its pips."""
GROUP: Final = "group"
"""Each group costs 1."""
JOINED: Final = "joined"
"""Groups that become one cost less."""
CROWDED: Final = "crowded"
"""Smalls near a large, but for the first, cost 1 each."""
PRIVATE: Final = "private-park"


@dataclass(frozen=True, slots=True)
class PieceStands(Statement):
    """A legal pyramid stands; or, where that is a move, a park lies."""

    word: ClassVar[str] = "placed"
    ply: int
    colour: str
    kind: str
    cell: Cell
    score: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TurnPassed(Statement):
    word: ClassVar[str] = "passed"
    ply: int
    colour: str


@dataclass(frozen=True, slots=True)
class MustPass(Statement):
    """The player on turn has no legal placement."""

    word: ClassVar[str] = MUST_PASS
    colour: str


@dataclass(frozen=True, slots=True)
class LargeCount:
    """One large and the smalls of any colour near it."""

    cell: Cell
    smalls: tuple[Cell, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Account:
    """How the score of one player comes about."""

    pips: int
    groups: tuple[tuple[Cell, ...], ...]
    larges: tuple[LargeCount, ...]
    private_parks: tuple[Cell, ...]
    score: int


@dataclass(frozen=True, slots=True)
class FinalCount(Outcome):
    accounts: Mapping[str, Account]
