"""How large a board's cells are, told by a piece that somebody has named.

On a board that nobody has measured, a large pyramid on large cells looks like a smaller one on
small cells. How wide a piece is against its cell can be seen all the same, and whoever knows of one
piece what it is knows how wide that is in millimetres. So one question answered settles the size of
all others.

A piece that was only seen tells nothing here, however sure it was: were it mistaken, all the others
would follow.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rules.board import Position
from vision.labels import Labels
from vision.reading import BoardReading

DISAGREEING: Final = 0.1
"""Pieces that differ by more than that among each other tell nothing: one of them is mistaken.
Neighbouring sizes differ by about two and a half times as much."""


def scale_of(reading: BoardReading, known: Position, labels: Labels) -> float | None:
    """How much larger the cells are than the box says, as a logarithm; None where nothing tells."""
    told = [
        labels.widths[piece.kind] - reading.widths[cell]
        for cell, piece in known.items()
        if piece.kind in labels.widths and cell in reading.widths and cell not in reading.hidden
    ]
    if not told:
        return None
    middle = float(np.median(told))
    is_agreed = float(np.median(np.abs(np.array(told) - middle))) <= DISAGREEING
    return middle if is_agreed else None
