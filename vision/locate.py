"""Finding the board in a picture: the door to everything between pixels and the grid.

    guesses (markers, or straight edges) → comb → refine → evidence → Located | Unreadable

A guess is cheap and may be wrong. The comb looks for the grid near it, `refine` lays a camera
through the grid's lines (`vision.seek`), and the evidence of the lines alone decides: no marker, no
outline and no earlier picture makes a board of what does not look like one. Guesses are tried in
order of promise until one is beyond doubt; else the best of all is taken, if it is good enough.

- `locate` knows nothing. Three marker cards are the first guess; straight edges come next.
- `relocate` knows where the board was a moment ago, and looks there first.

Orientation: the cards tell it; without them a1 is the corner nearest the picture's bottom left.
Nothing is ever guessed: a refusal has its reason, and a sentence for people.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rules.box import BoardFacts
from vision import refusal
from vision.comb import comb
from vision.frame import LEAST_SIDE_PX
from vision.geometry import Image, Points, View
from vision.lines import Edges, find_edges, shrink
from vision.markers import Markers, find_markers
from vision.reading import Unreadable
from vision.refine import refine
from vision.seek import SQUARE, Grid, find_outlines, gauge, is_sound, measure, reach_of, seek

MARKER_REACH: Final = (0.5, 0.5)
"""Cards lie as hands put them."""
NUDGE_REACH: Final = (0.5, 0.5)
"""How far a board moves when it is knocked, in cells."""
NUDGE_LEANS: Final = tuple(np.linspace(-0.08, 0.08, 9).tolist())
"""How far it turns."""
MOVED: Final = 0.006
"""A board that moved by more, in its own widths, is measured twice: some three pixels."""
LARGER_SIDES: Final = (8, 7, 6)
"""Boards of which a part may be played on, the usual one first."""
SECOND_BOARD: Final = 3
"""Outlines elsewhere in the picture that are looked at for another board."""


@dataclass(frozen=True)
class Located:
    view: View
    score: float
    """0 to 1: how surely this is the board."""
    markers: tuple[int, ...]
    """The ids of the cards seen."""
    advice: tuple[str, ...]
    """What could be better at the table, for people."""
    board: BoardFacts
    """The board that was found: the one that was sought, or one that has more cells."""
    scale: float | None = None
    """How much larger its cells are than the box says, as a logarithm, where cards tell it."""


def locate(image_bgr: Image, board: BoardFacts, use_markers: bool = True) -> Located | Unreadable:
    if min(image_bgr.shape[:2]) < LEAST_SIDE_PX:
        return refusal.TOO_SMALL
    markers = find_markers(image_bgr) if use_markers else Markers({}, mirrored=False)
    if markers.mirrored:
        return refusal.MIRRORED
    if markers.twice:
        return refusal.TWO_BOARDS
    grid = None if board.borrowed else _by_markers(image_bgr, board, markers)
    small_bgr, scale = shrink(image_bgr)
    if grid is None and refusal.is_dark(small_bgr):
        return refusal.TOO_DARK
    edges = find_edges(small_bgr)
    outlines = find_outlines(edges, board, scale, markers)
    if grid is None:
        grid = seek(image_bgr, board, outlines)
    if board.borrowed:
        found = _seek_larger(image_bgr, board, grid, edges, scale, markers)
        if found is not None:
            board, grid = found
            outlines = find_outlines(edges, board, scale, markers)
    if grid is None or not grid.evidence.ours:
        nearest = None if grid is None else grid.evidence
        return refusal.explain(image_bgr, board, edges, outlines, scale, nearest)
    if _another(image_bgr, board, grid, outlines):
        return refusal.TWO_BOARDS
    return _judge(image_bgr, board, grid, markers)


def _seek_larger(
    image_bgr: Image,
    board: BoardFacts,
    grid: Grid | None,
    edges: Edges,
    scale: float,
    markers: Markers,
) -> tuple[BoardFacts, Grid] | None:
    """The whole of a board of which only a part is played on, if that is what lies there."""
    if grid is not None and grid.evidence.ours:
        return _grown(image_bgr, board, grid)
    for side in LARGER_SIDES:
        if side <= max(board.files, board.ranks):
            continue
        larger = replace(board, files=side, ranks=side)
        outlines = find_outlines(edges, larger, scale, markers)
        whole = seek(image_bgr, larger, outlines, stages=2)
        if whole is not None and whole.evidence.ours:
            return _grown(image_bgr, larger, whole) or (larger, whole)
    return None


def _grown(image_bgr: Image, board: BoardFacts, grid: Grid) -> tuple[BoardFacts, Grid] | None:
    """The grid with more files and ranks, where it goes on beyond its ends.

    A chequered board's outermost steps are half as high as those between: a part of it that ends
    one cell earlier looks nearly as well bounded as the whole.
    """
    grown: tuple[BoardFacts, Grid] | None = None
    while max(board.files, board.ranks) < max(LARGER_SIDES):
        larger = replace(board, files=board.files + 1, ranks=board.ranks + 1)
        # One cell more on the side on which more is to be seen beyond.
        ends = [-1.0 if axis[0] > axis[-1] else 1.0 for axis in grid.evidence.seen]
        size = np.array([board.files, board.ranks])
        square = SQUARE * (size + 1) / size + np.array(ends) / size
        corners = grid.refined.fit.project(square)
        if not is_sound(corners):
            break
        colour, chequered = grid.refined.colour, grid.refined.chequered
        more = gauge(refine(image_bgr, corners, larger, colour, chequered), larger)
        if not more.evidence.ours:
            break
        board, grid = larger, more
        grown = board, grid
    return grown


def _by_markers(image_bgr: Image, board: BoardFacts, markers: Markers) -> Grid | None:
    """The grid between the cards, if there are enough of them and it is beyond doubt."""
    guess = markers.guess(board)
    if guess is None or not is_sound(guess):
        return None
    # As a rule the cards lie well enough for the lines to be measured from them at once.
    grid = gauge(refine(image_bgr, guess, board), board)
    if not grid.doubtless:
        best = measure(image_bgr, board, [comb(image_bgr, guess, board, MARKER_REACH)])
        if best is None or not best.doubtless:
            return None
        grid = best
    return grid


def relocate(image_bgr: Image, board: BoardFacts, near: View) -> Located | Unreadable:
    """Quick: the board was at `near` a moment ago and may have been nudged."""
    height, width = image_bgr.shape[:2]
    if near.size_wh == (width, height):
        guess = near.corners_px(board)
        grid = gauge(refine(image_bgr, guess, board, quick=True), board)
        if not grid.doubtless:
            found = comb(image_bgr, guess, board, NUDGE_REACH, NUDGE_LEANS)
            grid = gauge(refine(image_bgr, found.corners_px, board, found.colour), board)
        moved = np.abs(grid.corners_px() - guess).max() / np.ptp(guess, axis=0).max()
        if grid.evidence.ours and (moved > MOVED or not grid.doubtless):
            # What was measured from afar is measured again from near by.
            refined = refine(image_bgr, grid.corners_px(), board, grid.refined.colour)
            grid = max(grid, gauge(refined, board), key=lambda one: one.rank)
        if grid.doubtless:
            return _judge(image_bgr, board, grid, Markers({}, mirrored=False), turned=True)
    return locate(image_bgr, board)


def _another(image_bgr: Image, board: BoardFacts, grid: Grid, outlines: Points) -> bool:
    """Is there a second board beside the one found?"""
    view = grid.refined.fit.view(board)
    middles = view.on_plane(outlines.mean(axis=1))
    size = np.array([board.files, board.ranks]) * board.cell_mm
    outside = ((middles < 0) | (middles > size)).any(axis=1)
    for guess in outlines[outside][:SECOND_BOARD]:
        found = comb(image_bgr, guess, board, reach_of(board), chequered=grid.refined.chequered)
        if found.strength < refusal.LEAST_STRENGTH:
            continue
        other = measure(image_bgr, board, [found])
        if other is not None and other.evidence.grid and not other.evidence.finer:
            middle = view.on_plane(other.corners_px().mean(axis=0)[None])[0]
            if ((middle < 0) | (middle > size)).any():
                return True
    return False


def _judge(
    image_bgr: Image, board: BoardFacts, grid: Grid, markers: Markers, turned: bool = False
) -> Located | Unreadable:
    """The grid is ours; is all of it in the picture, and which way is it turned?"""
    height, width = image_bgr.shape[:2]
    corners = grid.corners_px()
    if ((corners < -1) | (corners > (width, height))).any():
        return refusal.CUT_OFF
    view = grid.refined.fit.view(board)
    turns = 0 if turned else markers.turns(corners)
    if turns and (board.files == board.ranks or turns == 2):
        view = _turn(view, board, turns)
    advice = tuple(
        f"Marker {number} is hidden: it should lie diagonally outside its corner."
        for number in range(4)
        if markers.ids and number not in markers.ids
    )
    evidence = grid.evidence
    score = evidence.share * min(1.0, 0.5 + 0.25 * float(evidence.lines.mean()))
    sure = float(np.clip(score, 0, 1))
    return Located(view, sure, markers.ids, advice, board, markers.scale(view))


def _turn(view: View, board: BoardFacts, turns: int) -> View:
    """The same board with another corner as a1."""
    corners = np.roll(view.corners_px(board), -turns, axis=0)
    return replace(View.from_corners(view.size_wh, corners, board, view.k1))
