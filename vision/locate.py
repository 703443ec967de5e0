"""Finding the board in a picture: the door to everything between pixels and the grid.

    guesses (markers, or straight edges) → comb → refine → evidence → Located | Unreadable

A guess is cheap and may be wrong. The comb looks for the grid near it, `refine` lays a camera
through the grid's lines, and the evidence of the lines alone decides: no marker, no outline and no
earlier picture makes a board of what does not look like one. Guesses are tried in order of promise
until one is beyond doubt; else the best of all is taken, if it is good enough.

- `locate` knows nothing. Three marker cards are the first guess; straight edges come next.
- `relocate` knows where the board was a moment ago, and looks there first.

Orientation: the cards tell it; without them a1 is the corner nearest the picture's bottom left.
Nothing is ever guessed: a refusal has its reason, and a sentence for people.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rules.box import BoardFacts
from vision import refusal
from vision.comb import Start, comb
from vision.evidence import TOGETHER, Evidence, weigh
from vision.frame import LEAST_SIDE_PX
from vision.geometry import Image, Points, View
from vision.lines import Edges, find_edges, find_quads, shrink
from vision.markers import Markers, find_markers
from vision.reading import Unreadable
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
MARKER_REACH: Final = (0.5, 0.5)
"""Cards lie as hands put them."""
NUDGE_REACH: Final = (0.5, 0.5)
"""How far a board moves when it is knocked, in cells."""
NUDGE_LEANS: Final = tuple(np.linspace(-0.08, 0.08, 9).tolist())
"""How far it turns."""
DOUBTLESS: Final = 2.6
"""With this quality no other guess can be better."""
MOVED: Final = 0.006
"""A board that moved by more, in its own widths, is measured twice: some three pixels."""
PROMISING: Final = 0.6
"""With a lesser share of its lines seen a grid is not measured again."""
PUSHES: Final = 3
"""How often a borrowed board is put right by a cell."""
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


_SQUARE: Final = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)


@dataclass(frozen=True)
class _Grid:
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
        return self.refined.fit.project(_SQUARE)


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
    outlines = _outlines(edges, board, scale, markers)
    if grid is None:
        grid = _seek(image_bgr, board, outlines)
    if board.borrowed:
        found = _seek_larger(image_bgr, board, grid, edges, scale, markers)
        if found is not None:
            board, grid = found
            outlines = _outlines(edges, board, scale, markers)
    if grid is None or not grid.evidence.ours:
        nearest = None if grid is None else grid.evidence
        return refusal.explain(image_bgr, board, edges, outlines, scale, nearest)
    if _another(image_bgr, board, grid, outlines):
        return refusal.TWO_BOARDS
    return _judge(image_bgr, board, grid, markers)


def _seek_larger(
    image_bgr: Image,
    board: BoardFacts,
    grid: _Grid | None,
    edges: Edges,
    scale: float,
    markers: Markers,
) -> tuple[BoardFacts, _Grid] | None:
    """The whole of a board of which only a part is played on, if that is what lies there."""
    if grid is not None and grid.evidence.ours:
        return _grown(image_bgr, board, grid)
    for side in LARGER_SIDES:
        if side <= max(board.files, board.ranks):
            continue
        larger = replace(board, files=side, ranks=side)
        outlines = _outlines(edges, larger, scale, markers)
        whole = _seek(image_bgr, larger, outlines, stages=2)
        if whole is not None and whole.evidence.ours:
            return _grown(image_bgr, larger, whole) or (larger, whole)
    return None


def _grown(image_bgr: Image, board: BoardFacts, grid: _Grid) -> tuple[BoardFacts, _Grid] | None:
    """The grid with more files and ranks, where it goes on beyond its ends.

    A chequered board's outermost steps are half as high as those between: a part of it that ends
    one cell earlier looks nearly as well bounded as the whole.
    """
    grown: tuple[BoardFacts, _Grid] | None = None
    while max(board.files, board.ranks) < max(LARGER_SIDES):
        larger = replace(board, files=board.files + 1, ranks=board.ranks + 1)
        # One cell more on the side on which more is to be seen beyond.
        ends = [-1.0 if axis[0] > axis[-1] else 1.0 for axis in grid.evidence.seen]
        size = np.array([board.files, board.ranks])
        square = _SQUARE * (size + 1) / size + np.array(ends) / size
        corners = grid.refined.fit.project(square)
        if not _sound(corners):
            break
        colour, chequered = grid.refined.colour, grid.refined.chequered
        more = _weigh(refine(image_bgr, corners, larger, colour, chequered), larger)
        if not more.evidence.ours:
            break
        board, grid = larger, more
        grown = board, grid
    return grown


def _by_markers(image_bgr: Image, board: BoardFacts, markers: Markers) -> _Grid | None:
    """The grid between the cards, if there are enough of them and it is beyond doubt."""
    guess = markers.guess(board)
    if guess is None or not _sound(guess):
        return None
    # As a rule the cards lie well enough for the lines to be measured from them at once.
    grid = _weigh(refine(image_bgr, guess, board), board)
    if not grid.doubtless:
        best = _measure(image_bgr, board, [comb(image_bgr, guess, board, MARKER_REACH)])
        if best is None or not best.doubtless:
            return None
        grid = best
    return grid


def relocate(image_bgr: Image, board: BoardFacts, near: View) -> Located | Unreadable:
    """Quick: the board was at `near` a moment ago and may have been nudged."""
    height, width = image_bgr.shape[:2]
    if near.size_wh == (width, height):
        guess = near.corners_px(board)
        grid = _weigh(refine(image_bgr, guess, board, quick=True), board)
        if not grid.doubtless:
            found = comb(image_bgr, guess, board, NUDGE_REACH, NUDGE_LEANS)
            grid = _weigh(refine(image_bgr, found.corners_px, board, found.colour), board)
        moved = np.abs(grid.corners_px() - guess).max() / np.ptp(guess, axis=0).max()
        if grid.evidence.ours and (moved > MOVED or not grid.doubtless):
            # What was measured from afar is measured again from near by.
            refined = refine(image_bgr, grid.corners_px(), board, grid.refined.colour)
            grid = max(grid, _weigh(refined, board), key=lambda one: one.rank)
        if grid.doubtless:
            return _judge(image_bgr, board, grid, Markers({}, mirrored=False), turned=True)
    return locate(image_bgr, board)


def _outlines(edges: Edges, board: BoardFacts, scale: float, markers: Markers) -> Points:
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


def _seek(image_bgr: Image, board: BoardFacts, guesses: Points, stages: int = 3) -> _Grid | None:
    """The best grid near any of the guesses; each stage looks at more of them.

    An outline is most often the board's edge, so the first ones are taken at their word; only then
    is the grid sought around them. Lines come before chequers, and the first grid beyond doubt ends
    the search.
    """
    best: _Grid | None = None
    for first, last in ((0, 0), (0, GUESSES), (GUESSES, LAST_GUESSES))[:stages]:
        for chequered in (False, True):
            starts: Iterable[Start]
            if last == 0:
                starts = [Start(guess, None, chequered) for guess in guesses[:FIRST_GUESSES]]
            else:
                combs = [
                    comb(image_bgr, guess, board, _reach(board), chequered=chequered)
                    for guess in guesses[first:last]
                ]
                combs.sort(key=lambda found: -found.strength)
                starts = combs[:FINALISTS]
            grid = _measure(image_bgr, board, starts)
            if grid is not None and (best is None or grid.rank > best.rank):
                best = grid
            if best is not None and best.doubtless:
                return best
        if best is not None and best.evidence.ours and best.evidence.bounded:
            return best
    return best


def _reach(board: BoardFacts) -> tuple[float, float]:
    return ANY_RIM_REACH if board.borrowed else OUTLINE_REACH


def _measure(image_bgr: Image, board: BoardFacts, starts: Iterable[Start]) -> _Grid | None:
    """The best of the grids that start there, measured twice, and put right if it slipped."""
    best: _Grid | None = None
    for start in starts:
        if not _sound(start.corners_px):
            continue
        grid = _weigh(
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


def _push(image_bgr: Image, board: BoardFacts, grid: _Grid) -> _Grid:
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


def _moved(image_bgr: Image, board: BoardFacts, grid: _Grid, move: tuple[int, int]) -> _Grid:
    """The grid measured again, so many files and ranks further; as it was where that is folded."""
    step = np.array(move) * 2 / np.array([board.files, board.ranks])
    corners = grid.refined.fit.project(_SQUARE + step)
    if not _sound(corners):
        return grid
    refined = refine(image_bgr, corners, board, grid.refined.colour, grid.refined.chequered)
    return _weigh(refined, board)


def _weigh(refined: Refined, board: BoardFacts) -> _Grid:
    return _Grid(refined, weigh(refined, board))


def _sound(corners_px: Points) -> bool:
    """A quad that is not folded."""
    side = np.roll(corners_px, -1, axis=0) - corners_px
    after = np.roll(side, -1, axis=0)
    turn = side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0]
    return bool((turn < 0).all() or (turn > 0).all())


def _another(image_bgr: Image, board: BoardFacts, grid: _Grid, outlines: Points) -> bool:
    """Is there a second board beside the one found?"""
    view = grid.refined.fit.view(board)
    middles = view.on_plane(outlines.mean(axis=1))
    size = np.array([board.files, board.ranks]) * board.cell_mm
    outside = ((middles < 0) | (middles > size)).any(axis=1)
    for guess in outlines[outside][:SECOND_BOARD]:
        found = comb(image_bgr, guess, board, _reach(board), chequered=grid.refined.chequered)
        if found.strength < refusal.LEAST_STRENGTH:
            continue
        other = _measure(image_bgr, board, [found])
        if other is not None and other.evidence.grid and not other.evidence.finer:
            middle = view.on_plane(other.corners_px().mean(axis=0)[None])[0]
            if ((middle < 0) | (middle > size)).any():
                return True
    return False


def _judge(
    image_bgr: Image, board: BoardFacts, grid: _Grid, markers: Markers, turned: bool = False
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
