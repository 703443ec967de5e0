"""Points: who gains what around a park or a tower, house by house.

A neighbouring house counts 1, and 2 if it leans on the cell: the house north of a park leans on it
in its own anchor `s`. So the perfect anchor is always the way back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.board import ALL_CELLS, Anchor, Cell, Position
from rules.packs.masterplan.words import (
    BESIDE,
    PERFECT,
    PLAYERS,
    TOWER,
    FinalCount,
    TowerCount,
)
from rules.verdict import Gain

TOWER_POINTS: Final = 2
"""What the higher rating at a tower earns, whatever the margin."""

_NEIGHBOURS: Final = {
    cell: tuple((other, way.opposite) for way in Anchor if (other := cell.step(way)) is not None)
    for cell in ALL_CELLS
}


def gains_around(position: Position, houses: int, cell: Cell) -> tuple[Gain, ...]:
    """What each house beside the cell gives its owner."""
    gains = []
    for other, perfect in _NEIGHBOURS[cell]:
        if houses & other.bit:
            piece = position[other]
            if piece.anchor is perfect:
                gains.append(Gain(cell, other, piece, 2, PERFECT))
            else:
                gains.append(Gain(cell, other, piece, 1, BESIDE))
    return tuple(gains)


def sum_gains(gains: tuple[Gain, ...]) -> dict[str, int]:
    total = dict.fromkeys(PLAYERS, 0)
    for gain in gains:
        if gain.piece.colour is not None:
            total[gain.piece.colour] += gain.points
    return total


def count_towers(position: Position, houses: int, score: Mapping[str, int]) -> FinalCount:
    """The end of the game: each tower to the higher rating, then the higher score wins."""
    final = dict(score)
    counts = []
    for cell in sorted(position):
        if position[cell] == TOWER:
            account = gains_around(position, houses, cell)
            rating = sum_gains(account)
            winner = _leader(rating)
            if winner is not None:
                final[winner] += TOWER_POINTS
            counts.append(TowerCount(cell, rating, winner, account))
    winner = _leader(final)
    return FinalCount(final, (winner,) if winner else PLAYERS, tuple(counts))


def _leader(points: Mapping[str, int]) -> str | None:
    most = max(points.values())
    leaders = [colour for colour, count in points.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None
