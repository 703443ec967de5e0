"""Why there is no reading: reasons for programs, and a sentence for people.

A refusal is only as helpful as its reason, so a little more time is spent on it than on a board
that is found: is it a board of another size, is it cut off by the picture's edge?
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from rules.box import BoardFacts
from vision.comb import comb
from vision.evidence import TOGETHER, Evidence, weigh
from vision.geometry import Image, Points
from vision.lines import Edges, find_quads, with_frame
from vision.reading import Unreadable
from vision.refine import refine
from vision.sheet import carry, from_unit

NO_BOARD: Final = Unreadable(
    "no-board", "No board is to be seen. Put it under the camera, flat and whole in the picture."
)
CUT_OFF: Final = Unreadable(
    "cut-off", "The board is cut off. Move it until all of it is in the picture."
)
TWO_BOARDS: Final = Unreadable("two-boards", "There are two boards. Leave only one in the picture.")
OTHER_SIZE: Final = Unreadable(
    "other-size", "This board has another number of cells. Choose its game, or change the board."
)
TOO_SMALL: Final = Unreadable(
    "too-small", "The picture is too small to tell pieces. Let the camera take larger ones."
)
TOO_DARK: Final = Unreadable("too-dark", "It is too dark to see the board. Put more light on it.")
MIRRORED: Final = Unreadable(
    "mirrored",
    "The markers are seen mirrored or lie in the wrong order. Switch off the camera's mirror, and"
    " lay them anticlockwise from the corner by a1: 0, 1, 2, 3.",
)

DARK: Final = 14
"""Grey level that the brighter parts of a picture must reach."""
SIZES: Final = tuple(range(4, 21))
"""Numbers of cells that boards have."""
REACH: Final = (0.75, 0.6)
"""How far outside and inside of the guess the lines of another board are sought, in its cells."""
LEAST_STRENGTH: Final = 0.25
"""A comb below this is no grid's."""
LEAST_VISIBLE: Final = 3
"""Rows of a board that must be left to say that it is cut off."""
PARTS: Final = 40
"""Outlines with a side on the picture's frame that are looked at."""
TRIED: Final = 24
"""Of those, how many are measured."""
LOOKED_AT: Final = 1
"""Outlines that are asked for another size."""


def is_dark(small_bgr: Image) -> bool:
    return float(np.quantile(small_bgr.max(axis=2), 0.9)) < DARK


def explain(
    image_bgr: Image,
    board: BoardFacts,
    edges: Edges,
    outlines: Points,
    scale: float,
    nearest: Evidence | None,
) -> Unreadable:
    """The reason why none of the outlines is our board."""
    if _cut_off(image_bgr, board, edges, scale):
        return CUT_OFF
    if nearest is not None and nearest.grid and (nearest.finer or nearest.beyond.any()):
        return OTHER_SIZE
    if any(_other_size(image_bgr, board, guess) for guess in outlines[:LOOKED_AT]):
        return OTHER_SIZE
    return NO_BOARD


def _other_size(image_bgr: Image, board: BoardFacts, outline: Points) -> bool:
    """Are there evenly spaced lines in this outline, only not as many as ours?"""
    for chequered in (False, True):
        for count in SIZES:
            if count in (board.files, board.ranks):
                continue
            # The outline stays where it is, so the cells change their size; of the rim nobody
            # knows, and the comb seeks the lines in all of it.
            other = replace(board, files=count, ranks=count)
            start = comb(
                image_bgr, _rescaled(outline, board, other), other, REACH, (0.0,), chequered
            )
            if start.strength < LEAST_STRENGTH:
                continue
            found = weigh(
                refine(image_bgr, start.corners_px, other, start.colour, chequered), other
            )
            if found.grid and found.together >= TOGETHER and found.share > 0.9:
                return True
    return False


def _rescaled(corners_px: Points, board: BoardFacts, other: BoardFacts) -> Points:
    """Where the grid of another board would be within the same outline, with a rim to match."""
    rim = board.rim_mm / board.cell_mm
    middle = corners_px.mean(axis=0)
    ours = board.files / (board.files + 2 * rim)
    theirs = other.files / (other.files + 2 * rim)
    return np.asarray(middle + (corners_px - middle) * theirs / ours)


def _cut_off(image_bgr: Image, board: BoardFacts, edges: Edges, scale: float) -> bool:
    """Does a board with some of its rows or columns end at the picture's edge?"""
    height, width = image_bgr.shape[:2]
    rim = board.rim_mm / board.cell_mm
    framed = with_frame(edges)
    tried = 0
    for share in (0.8, 0.55):
        for aspect in (share, 1 / share):
            quads = find_quads(framed, aspect * board.files / board.ranks, PARTS)
            for quad in (quads + 0.5) * scale - 0.5:
                side = _framed_side(quad, (width, height))
                if side is None or tried >= TRIED:
                    continue
                tried += 1
                if _is_part(image_bgr, board, quad, side, rim):
                    return True
    return False


def _is_part(image_bgr: Image, board: BoardFacts, quad: Points, side: int, rim: float) -> bool:
    """Are there the lines of our board in this outline, of which one side is the picture's?"""
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    across = side % 2 == 0  # cut at the bottom or at the top: ranks are missing
    whole = board.files if across else board.ranks
    cell = lengths[(side + 2) % 4] / (whole + 2 * rim)
    left = (lengths[1] + lengths[3] if across else lengths[0] + lengths[2]) / 2 / cell - rim
    for visible in (int(left), int(left) - 1):
        if not LEAST_VISIBLE <= visible < (board.ranks if across else board.files):
            continue
        files, ranks = (board.files, visible) if across else (visible, board.ranks)
        part = replace(board, files=files, ranks=ranks)
        size = np.array([files + 2 * rim, left + rim] if across else [left + rim, ranks + 2 * rim])
        first = np.array([rim, rim])
        if side in (0, 3):  # counted from the side that is whole
            first[int(across)] = size[int(across)] - rim - visible
        last = first + np.array([files, ranks])
        unit = np.array([first, (last[0], first[1]), last, (first[0], last[1])]) / size
        refined = refine(image_bgr, carry(from_unit(quad), unit), part)
        found = weigh(refined, part)
        if found.grid and found.together >= TOGETHER:
            return True
    return False


def _framed_side(quad: Points, size_wh: tuple[int, int]) -> int | None:
    """Which side lies on the picture's frame: 0 the lowest, then anticlockwise."""
    near = 0.01 * size_wh[0] + 4
    bounds = ((1, size_wh[1] - 1), (0, size_wh[0] - 1), (1, 0), (0, 0))
    for side, (axis, bound) in enumerate(bounds):
        if (np.abs(quad[[side, (side + 1) % 4], axis] - bound) < near).all():
            return side
    return None
