"""The words of Masterplan: its box, its settings, and what the referee says in this game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import ClassVar, Final

from rules.board import Anchor, Cell, Piece
from rules.box import parse_box
from rules.pack import Setting
from rules.verdict import Gain, Outcome, Statement

BOX: Final = parse_box(
    resources.files(__package__).joinpath("pack.toml").read_text(encoding="utf-8"),
    "rules/packs/masterplan/pack.toml",
)
HOUSE: Final = "house"
PARK: Final = Piece("park")
TOWER: Final = Piece("tower")
PLAYERS: Final = BOX.players
ALL_HOUSES: Final = BOX.pieces[HOUSE].count * len(PLAYERS)
ALL_TOWERS: Final = BOX.pieces[TOWER.kind].count


class BothDue(StrEnum):
    """What goes on a cell that is due a park and a tower at once."""

    PARK = "park"
    TOWER = "tower"


class Mode(StrEnum):
    ASSIST = "assist"
    STRICT = "strict"


SETTINGS: Final = (
    Setting("both_due", tuple(BothDue), "what goes on a cell due both a park and a tower"),
    Setting("mode", tuple(Mode), "assist tells what is due at once, strict only when forgotten"),
)


class Fault(StrEnum):
    """Why the rules refuse a piece. What any table can do wrong is in `rules.table`."""

    OUT_OF_TURN = "out-of-turn"
    LINE_OF_FOUR = "line-of-four"
    SQUARE_OF_FOUR = "square-of-four"
    NOT_DUE = "not-due"
    WRONG_PIECE = "wrong-piece"
    NONE_LEFT = "none-left"
    NO_ANCHOR = "no-anchor"


LINE: Final = "line"
"""The rule behind a due park: a run of four houses is forbidden."""
BLOCK: Final = "block"
"""The rule behind a due tower: a filled 2×2 block is forbidden."""

BESIDE: Final = "beside"
"""A house gains 1 for being a neighbour."""
PERFECT: Final = "perfect"
"""A house gains 2 for standing right against it: at the shared edge, or in the touching corner."""


@dataclass(frozen=True, slots=True)
class HouseStands(Statement):
    """A legal house stands; `parks` and `towers` are what it alone makes due."""

    word: ClassVar[str] = "house"
    ply: int
    colour: str
    cell: Cell
    anchor: Anchor
    parks: tuple[Cell, ...]
    towers: tuple[Cell, ...]
    choose: int | None


@dataclass(frozen=True, slots=True)
class ParkLies(Statement):
    word: ClassVar[str] = "park"
    cell: Cell
    forgotten: bool
    gained: Mapping[str, int]
    score: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TowerStands(Statement):
    word: ClassVar[str] = "tower"
    cell: Cell
    forgotten: bool


@dataclass(frozen=True, slots=True)
class Forgotten(Statement):
    """Due before the last house, and still not there when it stood."""

    word: ClassVar[str] = "forgotten"
    parks: tuple[Cell, ...]
    towers: tuple[Cell, ...]

    def disproved_by(self) -> tuple[Cell, ...]:
        return self.parks + self.towers


@dataclass(frozen=True, slots=True)
class TowerCount:
    """One tower at the end: the higher rating earns two points."""

    tower: Cell
    rating: Mapping[str, int]
    winner: str | None
    account: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class FinalCount(Outcome):
    towers: tuple[TowerCount, ...]
