"""Positions by chance: not games that could have been played, but boards that could be seen.

Every cell is as likely as any other and every piece as likely in any place, so that what is learnt
from such boards is what pieces look like and never what a game makes probable.
"""

from __future__ import annotations

import numpy as np

from rules.board import ALL_CELLS, Anchor, Cell, Piece, Position
from rules.box import Box


def random_position(rng: np.random.Generator, box: Box, fullness: float) -> Position:
    """A board with this share of its cells occupied, as far as the box goes (parks go further)."""
    board = box.board
    cells = [c for c in ALL_CELLS if c.file < board.files and c.rank < board.ranks]
    order = [cells[int(i)] for i in rng.permutation(len(cells))]
    wanted = min(round(fullness * len(cells)), len(cells))
    supply = _supply(rng, box, wanted)
    pieces: dict[Cell, Piece] = {}
    lean = rng.uniform(0, 0.35)
    for cell, piece in zip(order, supply, strict=False):
        pieces[cell] = piece
        if box.pieces[piece.kind].anchored:
            pieces[cell] = piece._replace(anchor=_anchor(rng, cell, pieces, box, lean))
    return Position(pieces, board.files, board.ranks)


def _supply(rng: np.random.Generator, box: Box, wanted: int) -> list[Piece]:
    """A handful from the box, shuffled; sometimes of fewer kinds or colours than it has."""
    drawn: list[Piece] = []
    kinds = list(box.pieces.values())
    weights = rng.dirichlet(np.ones(len(kinds)) * 2.0) + 0.05
    if rng.uniform() < 0.12:
        weights[int(rng.integers(len(kinds)))] = 1e-3
    one_colour = rng.uniform() < 0.1
    only = box.players[int(rng.integers(len(box.players)))] if box.players else None
    pools: list[list[Piece]] = []
    for facts in kinds:
        colours = [c for c in facts.colours if not one_colour or c == only] or list(facts.colours)
        # Twice the parks and towers: the rare ones have to be seen often enough to be learnt.
        one = [Piece(facts.kind, colour) for colour in colours] or [Piece(facts.kind)] * 2
        pool = one * facts.count
        pools.append([pool[int(i)] for i in rng.permutation(len(pool))])
    while len(drawn) < wanted and any(pools):
        share = np.array([w if pool else 0.0 for w, pool in zip(weights, pools, strict=True)])
        kind = int(rng.choice(len(pools), p=share / share.sum()))
        drawn.append(pools[kind].pop())
    return drawn


def _anchor(
    rng: np.random.Generator, cell: Cell, pieces: dict[Cell, Piece], box: Box, lean: float
) -> Anchor | None:
    """Any anchor; sometimes leaning on a neighbour's house, now and then none at all."""
    if rng.uniform() < 0.02:
        return None
    anchors = list(Anchor)
    if rng.uniform() < lean:
        touching = [
            anchor
            for anchor in anchors
            if (near := cell.step(anchor)) is not None
            and near in pieces
            and pieces[near].anchor is anchor.opposite
        ]
        if touching:
            return touching[int(rng.integers(len(touching)))]
    return anchors[int(rng.integers(len(anchors)))]
