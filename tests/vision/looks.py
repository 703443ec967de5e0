"""Readings made by hand, for tests of what comes after seeing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from rules.board import ALL_CELLS, Anchor, Cell, Piece, Position
from vision.geometry import View
from vision.reading import BoardReading, CellReading

WHITE = Piece("house", "white", Anchor.NE)
YELLOW = Piece("house", "yellow", Anchor.S)
PARK = Piece("park")
SOMEWHERE = View((640, 480), np.eye(3, 4))


def put(*words: str) -> Position:
    """`put("c4 W", "d5 p")`: a white house, a yellow one (Y) or a park (p) on each cell."""
    pieces = {"W": WHITE, "Y": YELLOW, "p": PARK}
    return Position({Cell(word[:2]): pieces[word[3:]] for word in words})


def reading_of(
    position: Mapping[Cell, Piece],
    unsure: Iterable[str] = (),
    hidden: Iterable[str] = (),
    guesses: Mapping[str, tuple[tuple[Piece | None, float], ...]] | None = None,
) -> BoardReading:
    """The table as it is; an unsure cell is seen as if it were empty, with little confidence.

    `guesses` says of some unsure cells what they are taken for.
    """
    guesses = guesses or {}
    hidden_cells = frozenset(map(Cell, hidden))
    doubted = frozenset(map(Cell, [*unsure, *guesses])) | hidden_cells
    cells = {
        cell: CellReading(
            guesses.get(
                cell,
                ((None, 0.5), (position.get(cell), 0.4))
                if cell in doubted
                else ((position.get(cell), 0.9999),),
            )
        )
        for cell in ALL_CELLS
    }
    return BoardReading(SOMEWHERE, cells, doubted, hidden_cells, {}, 8, 8)
