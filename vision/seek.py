"""Seeking the grid: from guesses at the board's outline to the best grid near any of them.

    outlines → comb → refine → weigh → Grid

A guess is cheap and may be wrong, so what is promising is measured twice, and put right where it
slipped by a cell. Nothing here decides whether the grid is a board of ours: `vision.locate` does,
by the grid's evidence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.box import BoardFacts
from vision.comb import Start, comb
from vision.evidence import TOGETHER, Evidence, weigh
from vision.geometry import Image, Points
from vision.lines import Edges, find_quads
from vision.markers import Markers
from vision.refine import Refined, refine
from vision.sheet import carry, from_unit

FIRST_GUESSES: Final = 2
"""Outlines that are believed as they are, before the grid is sought around them."""
GUESSES: Final = 18
"""Outlines around which it is sought."""
LAST_GUESSES: Final = 54
"""Outlines around which it is sought before it is given up: planks and cloths have many."""
FINALISTS: Final = 4
"""Grids found by seeking that are measured in full."""
OUTLINE_REACH: Final = (0.75, 0.25)
"""A guess by an outline read as the board's edge: the lines may lie outside where it was a line."""
ANY_RIM_REACH: Final = (0.5, 0.75)
"""The same for a borrowed board, whose rim may have any width."""
PROMISING: Final = 0.6
"""With a lesser share of its lines seen a grid is not measured again."""
PUSHES: Final = 3
"""How often a borrowed board is put right by a cell."""
DOUBTLESS: Final = 2.6
"""With this quality no other guess can be better."""

SQUARE: Final = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)


@dataclass(frozen=True)
class Grid:
    refined: Refined
    evidence: Evidence

    @property
    def rank(self) -> tuple[bool, float]:
        return self.evidence.ours, self.evidence.quality

    @property
    def promising(self) -> bool:
        return self.evidence.share >= PROMISING or self.evidence.together >= TOGETHER

    @property
    def doubtless(self) -> bool:
        return self.evidence.ours and self.evidence.quality >= DOUBTLESS

    def corners_px(self) -> Points:
        return self.refined.fit.project(SQUARE)


def find_outlines(edges: Edges, board: BoardFacts, scale: float, markers: Markers) -> Points:
    """Guesses for the grid's corners in the picture: straight outlines read as the board's edge.

    Where a borrowed board lies its cards tell no better than an edge would, but they come first.
    """
    rim = board.rim_mm / board.cell_mm
    size = np.array([board.files, board.ranks]) + 2 * rim
    quads = find_quads(edges, float(size[0] / size[1]), LAST_GUESSES)
    guesses = (_inside(quads, board) + 0.5) * scale - 0.5
    between = markers.outline(board) if board.borrowed else None
    if between is None:
        return guesses
    return np.concatenate([_inside(between[np.newaxis], board), guesses])


def _inside(quads: Points, board: BoardFacts) -> Points:
    """The grid's corners inside each outline, all at once."""
    rim = board.rim_mm / board.cell_mm
    x, y = (rim / (count + 2 * rim) for count in (board.files, board.ranks))
    unit = np.array([[x, y], [1 - x, y], [1 - x, 1 - y], [x, 1 - y]])
    return np.array([carry(from_unit(quad), unit) for quad in quads]).reshape(-1, 4, 2)


def seek(image_bgr: Image, board: BoardFacts, guesses: Points, stages: int = 3) -> Grid | None:
    """The best grid near any of the guesses; each stage looks at more of them.

    An outline is most often the board's edge, so the first ones are taken at their word; only then
    is the grid sought around them. Lines come before chequers, and the first grid beyond doubt ends
    the search.
    """
    best: Grid | None = None
    for first, last in ((0, 0), (0, GUESSES), (GUESSES, LAST_GUESSES))[:stages]:
        for chequered in (False, True):
            starts: Iterable[Start]
            if last == 0:
                starts = [Start(guess, None, chequered) for guess in guesses[:FIRST_GUESSES]]
            else:
                combs = [
                    comb(image_bgr, guess, board, reach_of(board), chequered=chequered)
                    for guess in guesses[first:last]
                ]
                combs.sort(key=lambda found: -found.strength)
                starts = combs[:FINALISTS]
            grid = measure(image_bgr, board, starts)
            if grid is not None and (best is None or grid.rank > best.rank):
                best = grid
            if best is not None and best.doubtless:
                return best
        if best is not None and best.evidence.ours and best.evidence.bounded:
            return best
    return best


def reach_of(board: BoardFacts) -> tuple[float, float]:
    return ANY_RIM_REACH if board.borrowed else OUTLINE_REACH


def measure(image_bgr: Image, board: BoardFacts, starts: Iterable[Start]) -> Grid | None:
    """The best of the grids that start there, measured twice, and put right if it slipped."""
    best: Grid | None = None
    for start in starts:
        if not is_sound(start.corners_px):
            continue
        grid = gauge(
            refine(image_bgr, start.corners_px, board, start.colour, start.chequered), board
        )
        if best is None or grid.rank > best.rank:
            best = grid
        if best.doubtless:
            break
    if best is None or not best.promising:
        return best
    if best.evidence.borrowed and best.evidence.chequered:
        return _push(image_bgr, board, best)
    for move in {(0, 0), best.evidence.slip}:
        again = _moved(image_bgr, board, best, move)
        best = max(best, again, key=lambda grid: grid.rank)
    return best


def _push(image_bgr: Image, board: BoardFacts, grid: Grid) -> Grid:
    """The grid put right as often as it is seen to have slipped.

    Without a rim to hold on to a first guess may be cells off, and what lies beyond its end is only
    to be seen from nearer by.
    """
    grid = _moved(image_bgr, board, grid, (0, 0))
    for _ in range(PUSHES):
        move = grid.evidence.slip
        if move == (0, 0):
            break
        pushed = _moved(image_bgr, board, grid, move)
        if pushed.evidence.quality <= grid.evidence.quality:
            break
        grid = pushed
    return grid


def _moved(image_bgr: Image, board: BoardFacts, grid: Grid, move: tuple[int, int]) -> Grid:
    """The grid measured again, so many files and ranks further; as it was where that is folded."""
    step = np.array(move) * 2 / np.array([board.files, board.ranks])
    corners = grid.refined.fit.project(SQUARE + step)
    if not is_sound(corners):
        return grid
    refined = refine(image_bgr, corners, board, grid.refined.colour, grid.refined.chequered)
    return gauge(refined, board)


def gauge(refined: Refined, board: BoardFacts) -> Grid:
    return Grid(refined, weigh(refined, board))


def is_sound(corners_px: Points) -> bool:
    """A quad that is not folded."""
    side = np.roll(corners_px, -1, axis=0) - corners_px
    after = np.roll(side, -1, axis=0)
    turn = side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0]
    return bool((turn < 0).all() or (turn > 0).all())
