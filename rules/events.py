"""What happened at the table: past-tense, frozen, and the same for every game.

Players only ever put a piece down, take one off, shift one, pass, or say that their turn is
over. Everything else (whose turn it is, what is due, what it scores) is the game's answer, never
part of the event. `Undone` and `Amended` are about earlier events: `rules.game` handles them by
replay, so that the log of a game only ever grows. No pack needs to know them.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.board import Cell, Piece, Position


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece was put on a cell."""

    cell: Cell
    piece: Piece


@dataclass(frozen=True, slots=True)
class Taken:
    """The topmost thing on a cell was taken off."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece was shifted: to another cell, or to another anchor of its own cell."""

    origin: Cell
    cell: Cell
    piece: Piece


@dataclass(frozen=True, slots=True)
class Passed:
    """A player placed nothing this turn."""

    colour: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The player on turn said that the turn is complete."""


@dataclass(frozen=True, slots=True)
class LeftStanding:
    """A piece of an undone move still stands on its cell, and counts for nothing."""

    cell: Cell
    piece: Piece


@dataclass(frozen=True, slots=True)
class Undone:
    """Move `ply` and all that came after it is void.

    `lifted` are the cells whose pieces the players took off themselves when they took the move
    back; whatever else of it still stands has to follow.
    """

    ply: int
    lifted: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Amended:
    """What was taken for the event of step `step` was in truth `event` (None: nothing at all)."""

    step: int
    event: TableEvent | None


TableEvent = Placed | Taken | Moved | Passed | TurnEnded | LeftStanding
Event = TableEvent | Undone | Amended


@dataclass(frozen=True, slots=True)
class Change:
    """Two settled looks at the table."""

    before: Position
    after: Position


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a change means.

    `events` certainly happened: judge them now. `readings` are what may have happened besides,
    likeliest first, each to be judged after `events` if the players say so. `problem` says in a
    word why it cannot be told: the referee asks, and never guesses.
    """

    events: tuple[Event, ...] = ()
    readings: tuple[tuple[Event, ...], ...] = ()
    problem: str | None = None
