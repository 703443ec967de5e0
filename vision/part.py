"""Which part of a larger board is played on.

A game that brings no board may be played on a part of a chessboard, and nothing on the board says
where that part ends. The pieces do. So the whole board is read, and of all parts the one is taken

- on which the game that is going on stands; before there is one,
- of which three or four corners bear a flat marker, as is the custom; else
- which holds most of what stands on the board, or has most corners marked, or was taken so far; and
  of those the one nearest to a1. On an empty board that is the part by a1.

Flat markers tell nothing of the game that is going on: while they are being laid, the first ones
may have been taken for lying on another part.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

from rules.board import Cell, Piece, Position
from rules.box import BoardFacts, Box
from vision.classify import Classifier
from vision.geometry import Image, View

CORNERS_SAY: Final = 3
"""With so many corners marked the custom has been followed; pieces elsewhere are spare ones."""
LIKELY: Final = 0.6
"""What is seen less surely has no say. Beyond that every piece has: one mistake decides little."""


@dataclass(frozen=True, slots=True)
class Part:
    """So many files and ranks of the whole board lie before the part."""

    files: int = 0
    ranks: int = 0

    def view(self, whole: View, board: BoardFacts) -> View:
        """The part as a board of its own."""
        if self == Part():
            return whole
        return whole.from_point(self.files * board.cell_mm, self.ranks * board.cell_mm)

    def cut(self, seen: Position, board: BoardFacts) -> Position:
        """What stands on the part, by the names its cells have there."""
        pieces = {}
        for cell, piece in seen.items():
            own = Cell.at(cell.file - self.files, cell.rank - self.ranks)
            if own is not None and own.file < board.files and own.rank < board.ranks:
                pieces[own] = piece
        return Position(pieces, board.files, board.ranks)


def choose_part(seen: Position, known: Position, box: Box, before: Part) -> Part:
    """`seen` is what stands on the whole board, `known` what the game has on its part."""
    board = box.board

    def rank(part: Part) -> tuple[int, ...]:
        there = part.cut(seen, board)
        agreeing = sum(
            there.get(cell) == piece for cell, piece in known.items() if not _is_marker(piece, box)
        )
        marked = count_marked(there, box)
        by_custom = marked if marked >= CORNERS_SAY else 0
        nearest = -part.files - part.ranks
        return agreeing, by_custom, len(there), marked, int(part == before), nearest

    places = product(range(seen.files - board.files + 1), range(seen.ranks - board.ranks + 1))
    return max((Part(*place) for place in places), key=rank)


def count_marked(there: Position, box: Box) -> int:
    """How many corners of the board bear a flat marker."""
    ends = product((0, box.board.files - 1), (0, box.board.ranks - 1))
    corners = (there.get(cell) for end in ends if (cell := Cell.at(*end)) is not None)
    return sum(_is_marker(piece, box) for piece in corners)


def _is_marker(piece: Piece | None, box: Box) -> bool:
    return piece is not None and box.pieces[piece.kind].shape == "marker"


class PartFinder:
    """Looks for the part on one whole board; not to be shared between threads."""

    def __init__(self, classifier: Classifier, box: Box, whole: BoardFacts) -> None:
        self._box = box
        self._classifier = classifier.for_board(whole)

    def __call__(
        self, image_bgr: Image, whole: View, scale: float | None, known: Position, before: Part
    ) -> Part:
        reading = self._classifier.read(image_bgr, whole, scale)
        likely = {
            cell: piece
            for cell, piece in reading.position.items()
            if cell not in reading.hidden and reading.cells[cell].confidence >= LIKELY
        }
        seen = Position(likely, reading.files, reading.ranks)
        return choose_part(seen, known, self._box, before)
