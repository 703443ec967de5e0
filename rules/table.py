"""The table beside the game: what stands wrong, and what should stand but is gone.

A game's state only changes by what its rules accept. Everything else a player does to the table
is kept here until it is put right, so that the game can go on being judged meanwhile:

    put down, and the rules refuse it  →  lies `beside` the game   →  taken off   = corrected
    a standing piece is taken off      →  is `missing`             →  put back    = corrected
    the final count takes a piece off  →  is missing without a problem: nothing to put right

Pieces beside the game stack up, because a thing put on an occupied cell lies on top of what was
there. A coloured piece put down while one of its kind is missing *is* that piece: it has moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rules.board import Cell, Piece, Position
from rules.verdict import Corrected, Illegal, Problem, Statement

OCCUPIED: Final = "occupied"
REMOVED: Final = "removed"
MOVED: Final = "moved"
UNDONE: Final = "undone"


class Lying(NamedTuple):
    """One piece of the pile on a cell, and why the rules refuse it: None where it is right."""

    piece: Piece
    fault: str | None


@dataclass(frozen=True, slots=True)
class Table:
    beside: Mapping[Cell, tuple[Problem, ...]] = field(default_factory=dict)
    missing: Mapping[Cell, Problem | None] = field(default_factory=dict)

    def is_bare(self, position: Position, cell: Cell) -> bool:
        """Nothing at all is to be seen on this cell."""
        return cell not in self.beside and (cell not in position or cell in self.missing)

    def is_occupied(self, position: Position, cell: Cell) -> bool:
        """Something lies here, or has its place here and is to come back."""
        if cell in self.beside:
            return True
        return cell in position and self.missing.get(cell, ...) is not None

    def pile(self, position: Position, cell: Cell) -> tuple[Lying, ...]:
        """Everything on this cell, from the board up."""
        wrong = tuple(Lying(p.piece, p.reason) for p in self.beside.get(cell, ()))
        if cell in position and cell not in self.missing:
            return (Lying(position[cell], None), *wrong)
        return wrong

    def as_seen(self, position: Position) -> Position:
        """What a camera would see: `position` with everything wrong in it."""
        if not self.beside and not self.missing:
            return position
        pieces = {cell: piece for cell, piece in position.items() if cell not in self.missing}
        pieces.update({cell: stack[-1].piece for cell, stack in self.beside.items()})
        return Position(pieces, position.files, position.ranks)

    def problems(self) -> Iterator[Problem]:
        """What is to be put right, sorted by cell; of a stack the top, as that must go first."""
        for cell in sorted({*self.beside, *self.missing}):
            gone = self.missing.get(cell)
            if gone is not None:
                yield gone
            if cell in self.beside:
                yield self.beside[cell][-1]

    def lay(self, problem: Problem) -> tuple[Table, Statement]:
        """A piece the rules refuse now lies beside the game."""
        stack = (*self.beside.get(problem.cell, ()), problem)
        return Table({**self.beside, problem.cell: stack}, self.missing), Illegal(problem)

    def take(
        self, position: Position, cell: Cell, counted: bool = False
    ) -> tuple[Table, Statement | None]:
        """The topmost thing on the cell is gone; `counted` where that is how the game ends."""
        if cell in self.beside:
            stack = self.beside[cell][:-1]
            rest = {c: lying for c, lying in self.beside.items() if c != cell}
            return Table({**rest, cell: stack} if stack else rest, self.missing), Corrected(cell)
        if self.is_bare(position, cell):
            return self, None
        problem = None if counted else Problem(REMOVED, cell, position[cell])
        table = Table(self.beside, {**self.missing, cell: problem})
        return table, Illegal(problem) if problem else None

    def put_back(
        self, position: Position, cell: Cell, piece: Piece
    ) -> tuple[Table, Statement | None] | None:
        """The piece as one that was missing: home again, or moved. None if it is neither."""
        if not self.missing or not self.is_bare(position, cell):
            return None
        if cell in self.missing:
            home = position[cell]
            if piece == home:
                missing = {c: gone for c, gone in self.missing.items() if c != cell}
                told = None if self.missing[cell] is None else Corrected(cell)
                return Table(self.beside, missing), told
            if is_same_but_for_place(piece, home):
                return self.lay(Problem(MOVED, cell, piece))
        if self._in_hand(position, piece) > 0:
            return self.lay(Problem(MOVED, cell, piece))
        return None

    def move(
        self, position: Position, origin: Cell, cell: Cell, piece: Piece
    ) -> tuple[Table, Statement | None] | None:
        """A piece went from `origin` to `cell` in one go: one mistake, or one mended, said once.

        None where it is neither: then it was taken off here and put down there.
        """
        lifted, left = self.take(position, origin)
        if origin not in self.beside:
            return lifted.lay(Problem(MOVED, cell, piece)) if left else None
        if cell in lifted.missing and position[cell] == piece:
            landed = lifted.put_back(position, cell, piece)
            return (landed[0], left) if landed else None
        return None

    def _in_hand(self, position: Position, piece: Piece) -> int:
        """How many pieces like this one are neither in their place nor lying elsewhere as moved."""
        if piece.colour is None:
            return 0
        gone = [position[cell] for cell in self.missing]
        moved = [p.piece for stack in self.beside.values() for p in stack if p.reason == MOVED]
        return sum(is_same_but_for_place(piece, other) for other in gone) - sum(
            is_same_but_for_place(piece, other) for other in moved
        )


TIDY: Final = Table()
"""The table on which everything is as the game says."""


def is_same_but_for_place(one: Piece, other: Piece) -> bool:
    return one.colour is not None and (one.kind, one.colour) == (other.kind, other.colour)
