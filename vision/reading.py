"""What seeing gives: what stands where and how surely, or a reason why nothing can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.board import Cell, Piece, Position
from vision.geometry import View


@dataclass(frozen=True, slots=True)
class Unreadable:
    """No reading, and why: ordinary at a table, so a value and no error."""

    reason: str
    """One word for programs, such as `no-board`."""
    advice: str
    """What to change at the table, for people."""


@dataclass(frozen=True, slots=True)
class CellReading:
    """One cell: the likeliest content first, each with its calibrated probability."""

    guesses: tuple[tuple[Piece | None, float], ...]

    @property
    def piece(self) -> Piece | None:
        return self.guesses[0][0]

    @property
    def confidence(self) -> float:
        return self.guesses[0][1]


@dataclass(frozen=True, slots=True)
class BoardReading:
    view: View
    cells: Mapping[Cell, CellReading]
    unsure: frozenset[Cell]
    """The cells whose content it will not vouch for."""
    hidden: frozenset[Cell]
    """Those of them that something lies over: a hand, a sleeve."""
    pawns: Mapping[str, int | None]
    """By colour: the space of the score track, counted clockwise from the corner by a1."""
    files: int
    ranks: int
    scale: float | None = None
    """How much larger the cells are than the box says, as a logarithm, as far as it was known."""
    advice: tuple[str, ...] = ()
    """What to change at the table to see it better, for people."""
    widths: Mapping[Cell, float] = field(default_factory=dict)
    """How wide what stands there is against its cell, as a logarithm; where that is asked for."""

    @property
    def position(self) -> Position:
        """The best guess of every cell."""
        pieces = {cell: seen.piece for cell, seen in self.cells.items() if seen.piece is not None}
        return Position(pieces, self.files, self.ranks)
