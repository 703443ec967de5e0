"""Hands over the simulated table: what they do, when, and where their finger tips are meanwhile.

A `Gesture` is a way through the picture with deeds at some of its stops. It is worked out when it
begins; afterwards the table only asks what has been done by now and where the hand is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.board import Cell, Piece
from rules.box import BoardFacts
from vision.scene.table import Bgr, Hand

REACH_S: Final = 0.4
"""From outside the picture to a cell, or from one cell to the next."""
LEAVE_S: Final = 0.2
SWEEP_S: Final = 1.2
NEAR, LEFT, FAR, RIGHT = range(4)
"""The sides of a table in the order of play, beginning by the first rank."""
_SEATS: Final = {2: (NEAR, FAR), 3: (NEAR, LEFT, FAR)}
"""Two sit opposite each other; from four on there is one on every side."""
_FROM_DEG: Final = (-80.0, 188.0, 100.0, 8.0)
"""By side: where the arm comes from."""
_SKINS: Final[tuple[Bgr, ...]] = (
    (0.17, 0.28, 0.5),
    (0.24, 0.36, 0.58),
    (0.1, 0.17, 0.32),
    (0.05, 0.09, 0.19),
)
_SLEEVES: Final[tuple[Bgr, ...]] = (
    (0.16, 0.06, 0.05),
    (0.07, 0.05, 0.15),
    (0.05, 0.1, 0.09),
    (0.12, 0.13, 0.14),
)
_OUTSIDE_MM: Final = (320.0, 430.0, 320.0, 430.0)
"""By side: from a cell to where a hand is out of the picture, which is wider than high."""
_HEIGHT_MM: Final = 32.0

Xy = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Deed:
    """At this moment the cell comes to hold this piece; None for nothing."""

    at_s: float
    cell: Cell
    piece: Piece | None


@dataclass(frozen=True, slots=True)
class Gesture:
    side: int
    """Where whose hand it is sits."""
    way: tuple[tuple[float, Xy], ...]
    """When the finger tips are above which point (mm), in order of time."""
    deeds: tuple[Deed, ...] = ()

    @property
    def until_s(self) -> float:
        return self.way[-1][0]

    def hand_at(self, now_s: float) -> Hand | None:
        """The hand, while it is on its way."""
        times = [at_s for at_s, _ in self.way]
        if not times[0] <= now_s < times[-1]:
            return None
        x, y = (float(np.interp(now_s, times, [tip[i] for _, tip in self.way])) for i in (0, 1))
        return Hand(
            tip_mm=(x, y),
            from_deg=_FROM_DEG[self.side],
            height_mm=_HEIGHT_MM,
            spread=0.35,
            skin=_SKINS[self.side],
            sleeve=_SLEEVES[self.side],
            bare_mm=60.0,
        )


def seat(player: int, players: int) -> int:
    """The side at which this one of so many players sits.

    >>> [seat(player, 2) == FAR for player in range(2)]
    [False, True]
    """
    sides = _SEATS.get(players, (NEAR, LEFT, FAR, RIGHT))
    return sides[player % len(sides)]


def handle(
    start_s: float, side: int, stops: Iterable[tuple[Cell, Piece | None]], board: BoardFacts
) -> Gesture:
    """A hand goes from cell to cell, and leaves on each what is said here."""
    deeds = []
    way: list[tuple[float, Xy]] = []
    for number, (cell, piece) in enumerate(stops, 1):
        at_s, over = start_s + number * REACH_S, _over(cell, board)
        if not way:
            way.append((start_s, _outside(over, side)))
        way.append((at_s, over))
        deeds.append(Deed(at_s, cell, piece))
    end_s, last = way[-1]
    return Gesture(side, (*way, (end_s + LEAVE_S, _outside(last, side))), tuple(deeds))


def sweep(start_s: float, side: int, cleared: Iterable[Cell], board: BoardFacts) -> Gesture:
    """A hand goes over the whole board, and takes these cells' pieces with it halfway."""
    wide, high = board.files * board.cell_mm, board.ranks * board.cell_mm
    way = [(-0.2, 0.4), (0.3, 0.55), (0.7, 0.45), (1.2, 0.6)]
    times = np.linspace(start_s, start_s + SWEEP_S, len(way))
    deeds = tuple(Deed(start_s + SWEEP_S / 2, cell, None) for cell in cleared)
    stops = tuple((float(t), (x * wide, y * high)) for t, (x, y) in zip(times, way, strict=True))
    return Gesture(side, stops, deeds)


def _over(cell: Cell, board: BoardFacts) -> Xy:
    return (cell.file + 0.5) * board.cell_mm, (cell.rank + 0.5) * board.cell_mm


def _outside(tip_mm: Xy, side: int) -> Xy:
    angle = np.deg2rad(_FROM_DEG[side])
    return (
        float(tip_mm[0] + _OUTSIDE_MM[side] * np.cos(angle)),
        float(tip_mm[1] + _OUTSIDE_MM[side] * np.sin(angle)),
    )
