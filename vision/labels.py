"""What a network says of a cell, in numbers: kind, colour, anchor, and a pawn on the rim.

The rectified board is seen as cells, the margin included: on an 8×8 board 10×10 of them. The outer
ring has one cell for each space of a score track of `2 · (files + ranks) + 4` spaces, clockwise
from the corner by a1, so pawns are read by the same network. Each cell gets these channels:

    empty, one a kind, hidden │ one a colour │ n ne … nw, none │ one a player's pawn │ width

Anchors have channels only where the game has a piece that stands in them. The width of a piece
against its cell is asked for only where pieces come in sizes and cells may be of any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.board import ALL_CELLS, Anchor, Cell, Piece
from rules.box import Box
from vision.rectify import MARGIN_CELLS

ANCHORS: Final = tuple(Anchor)
NO_ANCHOR: Final = len(ANCHORS)
HIDDEN: Final = "hidden"
"""Not a piece: a hand or a sleeve is over the cell, and what stands there cannot be told."""


@dataclass(frozen=True)
class Labels:
    """The channels of one game's network."""

    box: Box

    @cached_property
    def kinds(self) -> tuple[str | None, ...]:
        return (None, *self.box.pieces, HIDDEN)

    @cached_property
    def colours(self) -> tuple[str, ...]:
        return self.box.players

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each part of the answer stands among the channels."""
        sizes = {
            "kind": len(self.kinds),
            "colour": len(self.colours),
            "anchor": NO_ANCHOR + 1 if self.box.anchored else 0,
            "pawn": len(self.colours) if self.track else 0,
        }
        if self.widths:
            sizes["width"] = 1
        slices, start = {}, 0
        for part, size in sizes.items():
            slices[part] = slice(start, start + size)
            start += size
        return slices

    @cached_property
    def widths(self) -> dict[str, float]:
        """The logarithm of a piece's width against a usual cell, of pieces that come in sizes."""
        board, pieces = self.box.board, self.box.pieces
        sized = self.box.sized if board.borrowed else ()
        return {kind: float(np.log(pieces[kind].base_mm[0] / board.cell_mm)) for kind in sized}

    @cached_property
    def channels(self) -> int:
        return max(int(part.stop) for part in self.slices.values())

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        board = self.box.board
        return tuple(c for c in ALL_CELLS if c.file < board.files and c.rank < board.ranks)

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """Of each of `cells`, its row in the network's answer, as `columns` is its column."""
        return np.array([self.box.board.ranks - c.rank for c in self.cells]) + MARGIN_CELLS - 1

    @cached_property
    def columns(self) -> NDArray[np.intp]:
        return np.array([cell.file for cell in self.cells]) + MARGIN_CELLS

    @cached_property
    def track(self) -> tuple[tuple[int, int], ...]:
        """Row and column of each space of the score track; none where it is no simple ring."""
        right, bottom = self.box.board.files + 1, self.box.board.ranks + 1
        ring = (
            *((row, 0) for row in range(bottom, 0, -1)),
            *((0, column) for column in range(right)),
            *((row, right) for row in range(bottom)),
            *((bottom, column) for column in range(right, 0, -1)),
        )
        return ring if len(ring) == self.box.board.track_spaces else ()

    def contents(self, kind: int) -> list[tuple[Piece | None, int, int]]:
        """Every piece of this kind with its channels of colour and anchor (-1: it has none)."""
        name = self.kinds[kind]
        if name is None or name == HIDDEN:
            return [(None, -1, -1)]
        facts = self.box.pieces[name]
        colours: list[tuple[str | None, int]] = [(None, -1)]
        if facts.colours:
            colours = [(colour, self.colours.index(colour)) for colour in facts.colours]
        anchors: list[tuple[Anchor | None, int]] = [(None, -1)]
        if facts.anchored:
            anchors = [*((a, i) for i, a in enumerate(ANCHORS)), (None, NO_ANCHOR)]
        return [
            (Piece(name, colour, anchor), c, a) for colour, c in colours for anchor, a in anchors
        ]
