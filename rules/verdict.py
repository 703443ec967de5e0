"""What the referee says back: everything an output needs, so that no output asks the rules again.

A `Verdict` has two halves. `said` is what the last event made us say, in order: these statements
are what `judge` and `watch` print. The rest is how things stand now: position, dues with their
reasons, score with its account, problems on the table, outcome.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from rules.board import Cell, Piece, Position
from rules.events import TableEvent


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is due: the pieces that with one more would break `rule`."""

    rule: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Due:
    """A piece that has to be put on a cell, and why. It is late until it is `forgotten`."""

    piece: Piece
    cell: Cell
    reasons: tuple[Reason, ...]
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Gain:
    """The account of points: the piece on `cell` gives its owner `points` for what is on `at`.

    Points may be lost as well; then they are below 0.
    """

    at: Cell
    cell: Cell
    piece: Piece
    points: int
    why: str
    others: tuple[Cell, ...] = ()
    """Further cells it is about, to be pointed at."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The table breaks a rule on this cell. `piece` is the one that should not be (or be gone)."""

    reason: str
    cell: Cell
    piece: Piece
    others: tuple[Cell, ...] = ()
    """The pieces that make it wrong, where it is not wrong by itself."""


@dataclass(frozen=True, slots=True)
class Task:
    """What the player on turn has to do, where it is not simply a move of their own choice."""

    word: str
    piece: Piece | None = None
    """What is to be put up, if anything, and how many of them."""
    count: int = 0
    cells: tuple[Cell, ...] = ()
    """Where it usually goes; any other place the rules allow will do as well."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. Packs add the account of their own final count."""

    score: Mapping[str, int]
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said. `word` is its name on the wire, in the database and in the log."""

    word: ClassVar[str]

    @property
    def refusal(self) -> str | None:
        """Why the rules refuse what happened; None where they do not."""
        return None

    def disproved_by(self) -> tuple[Cell, ...] | None:
        """The cells that must be plainly seen before this may be said; None for all of them.

        To say that something is wrong or missing is to say that nothing else is there.
        """
        return ()


@dataclass(frozen=True, slots=True)
class Illegal(Statement):
    word: ClassVar[str] = "illegal"
    problem: Problem

    @property
    def refusal(self) -> str:
        return self.problem.reason

    def disproved_by(self) -> None:
        """Any cell: a piece nobody saw could make this one right."""


@dataclass(frozen=True, slots=True)
class PassRefused(Statement):
    """A player said to pass and may not. Nothing lies wrong on the table for that."""

    word: ClassVar[str] = "illegal"
    reason: str
    colour: str

    @property
    def refusal(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True)
class Corrected(Statement):
    """What was illegal on this cell has been put right."""

    word: ClassVar[str] = "corrected"
    cell: Cell


@dataclass(frozen=True, slots=True)
class TakenBack(Statement):
    """Move `ply` and all after it no longer counts."""

    word: ClassVar[str] = "undone"
    ply: int


@dataclass(frozen=True, slots=True)
class Over(Statement):
    word: ClassVar[str] = "over"
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Misfit:
    """An event that was accepted and, after an earlier one was corrected, no longer fits."""

    step: int
    event: TableEvent
    why: str


@dataclass(frozen=True, slots=True)
class Verdict:
    position: Position
    """What stands by right."""
    table: Position
    """What stands in fact, with what is wrong or missing."""
    ply: int
    turn: str | None
    """The colour on turn; None when no more moves are to be made."""
    score: Mapping[str, int]
    said: tuple[Statement, ...] = ()
    dues: tuple[Due, ...] = ()
    """What has to be put up now, as far as the players are to be told."""
    choose: int | None = None
    """Set where fewer pieces are left than are due: so many of the dues, the mover's choice."""
    task: Task | None = None
    gains: tuple[Gain, ...] = ()
    """The account of what this event gained or lost: it adds up to what it did to the score."""
    account: tuple[Gain, ...] = ()
    """The account of every point so far: until the final count it adds up to the score."""
    problems: tuple[Problem, ...] = ()
    outcome: Outcome | None = None
    misfits: tuple[Misfit, ...] = field(default=())
    """After a correction: which later events no longer fit."""
