"""From a rough guess to the grid: which evenly spaced lines does the flat board show?

A guess by its outline may be the board's edge, its outermost lines or a mixture, a marker lies
where a hand put it, and a board may have been nudged. All of them are near enough that the grid's
lines run nearly straight across the sheet. So each direction is searched on its own for a comb of
n + 1 teeth: where the first and the last line lie, and how far they lean.

- Lines: a tooth is brighter than both its sides, or darker than both, all the way along. Asking for
  both sides keeps edges of parks, shadows and the board itself out; the same sense for all teeth in
  both directions, in the same colour, keeps grain out.
- Chequers: a tooth is a step, whatever its sense.

No line may follow where the next tooth would be, and the board's own edge, a rim's width out, is
welcome where it is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.geometry import Image, Points
from vision.refine import MIX
from vision.sheet import MARGIN, Floats, Sheet, carry

PITCH_PX: Final = 24
"""A cell in the sheet for the search: a line is still a pixel wide."""
ASIDE: Final = 0.12
"""How far beside a line its surroundings are looked at, in cells: clear of any printed line."""
STEP: Final = 1 / 12
"""Cells between the places tried for the first and for the last line."""
LEANS: Final = (-0.03, -0.015, 0.0, 0.015, 0.03)
"""Leans tried: cells across a cell along."""


@dataclass(frozen=True)
class Start:
    """A grid to measure from."""

    corners_px: Points
    colour: Points | None
    """How blue, green and red make up the lines' contrast, with its sense, where that is known."""
    chequered: bool
    strength: float = 0.0
    """Mean height of a tooth over the noise, of the weaker direction: 3 at most."""


def comb(
    image_bgr: Image,
    corners_px: Points,
    board: BoardFacts,
    reach: tuple[float, float] = (0.6, 0.6),
    leans: tuple[float, ...] = LEANS,
    chequered: bool = False,
) -> Start:
    """`reach`: how far the true lines may lie outside and inside of the guess, in cells."""
    sheet = Sheet(image_bgr, corners_px, board, PITCH_PX)
    found = [_search(sheet, axis, board, reach, leans, chequered) for axis in (0, 1)]
    height = np.array([axis.height for axis in found])  # axes × colours
    colour = int(np.argmax(height.min(axis=0) + 0.5 * height.sum(axis=0)))
    lines = [axis.place[colour] for axis in found]
    mix = MIX[:, colour % MIX.shape[1]] * (1 if colour < MIX.shape[1] else -1)
    return Start(
        corners_px=carry(sheet.to_picture, _corners(sheet, lines)),
        strength=float(height[:, colour].min()),
        chequered=chequered,
        colour=mix.astype(np.float64),
    )


@dataclass(frozen=True)
class _Axis:
    height: Points
    """By colour and sense."""
    place: Points
    """By colour and sense: first line, last line (sheet pixels at the middle), lean."""


def _search(
    sheet: Sheet,
    axis: int,
    board: BoardFacts,
    reach: tuple[float, float],
    leans: tuple[float, ...],
    chequered: bool,
) -> _Axis:
    count = sheet.counts[axis]
    bands = cv2.GaussianBlur(sheet.bands[axis], (0, 0), sigmaX=0.7, sigmaY=0.01)
    mixed = np.ascontiguousarray(
        (bands @ MIX.astype(np.float32)).transpose(2, 0, 1)
    )  # colours × bands × across
    teeth = _steps(mixed) if chequered else _lines(mixed)
    leaning = _lean(teeth, leans)  # colours × leans × across
    outside, inside = reach
    first = np.arange(-outside, inside + 1e-6, STEP)
    last = count + np.arange(-inside, outside + 1e-6, STEP)
    places = sheet.at(
        first[:, None, None]
        + (last[None, :, None] - first[:, None, None]) / count * np.arange(-1, count + 2)
    )
    index = np.clip(np.rint(places), 0, leaning.shape[-1] - 1).astype(np.int64)
    tall = leaning[..., index]  # colours × leans × first × last × teeth
    height = tall[..., 1:-1].mean(axis=-1)
    further = np.maximum(tall[..., 0], 0) + np.maximum(tall[..., -1], 0)
    rim = board.rim_mm / board.cell_mm
    edge = _edge(mixed)
    pitch = (last[None, :] - first[:, None]) / count
    low = np.clip(np.rint(sheet.at(first[:, None] - rim * pitch)), 0, len(edge) - 1)
    high = np.clip(np.rint(sheet.at(last[None, :] + rim * pitch)), 0, len(edge) - 1)
    bounded = edge[low.astype(np.int64)] + edge[high.astype(np.int64)]
    promise = height - 0.05 * further + 0.05 * bounded
    flat = promise.reshape(promise.shape[0], -1)
    best = flat.argmax(axis=1)
    lean, one, two = np.unravel_index(best, promise.shape[1:])
    place = np.column_stack([sheet.at(first[one]), sheet.at(last[two]), np.asarray(leans)[lean]])
    return _Axis(height.reshape(flat.shape)[np.arange(len(best)), best], place)


def _lines(mixed: Floats) -> Floats:
    """Colours and senses × bands × across: how much a place stands out from both its sides."""
    aside = round(ASIDE * PITCH_PX)
    padded = np.pad(mixed, ((0, 0), (0, 0), (aside, aside)), mode="edge")
    low = mixed - padded[..., : -2 * aside]
    high = mixed - padded[..., 2 * aside :]
    scale = _scale(low)
    both = np.concatenate([np.minimum(low, high) / scale, np.minimum(-low, -high) / scale])
    return np.asarray(np.clip(both, -1, 3), np.float32)


def _steps(mixed: Floats) -> Floats:
    """The same, of either sense: how much the two sides of a place differ."""
    aside = round(ASIDE * PITCH_PX / 2)
    padded = np.pad(mixed, ((0, 0), (0, 0), (aside, aside)), mode="edge")
    step = np.abs(padded[..., 2 * aside :] - padded[..., : -2 * aside])
    scale = _scale(step)
    tall = np.clip(step / scale, 0, 3)
    tall -= np.median(tall, axis=2, keepdims=True)
    return np.asarray(np.concatenate([tall, np.zeros_like(tall)]), np.float32)


def _scale(difference: Floats) -> Floats:
    """By colour: the noise, or half of what a strong line has, whichever is more."""
    some = np.abs(difference[..., ::3]).reshape(len(difference), -1)
    middle, strong = some.shape[1] // 2, some.shape[1] * 93 // 100
    ordered = np.partition(some, (middle, strong), axis=1)
    scale = np.maximum(1.48 * ordered[:, middle], ordered[:, strong] / 2) + 1e-4
    return np.asarray(scale[:, None, None], np.float32)


def _edge(mixed: Floats) -> Floats:
    """Across: how much a place looks like the board's edge, 0 to 3, within a tenth of a cell."""
    tall = _steps(mixed)[: len(mixed)].mean(axis=1).max(axis=0)
    width = 2 * round(0.1 * PITCH_PX) + 1
    wide = cv2.dilate(tall[None], np.ones((1, width), np.uint8))
    return np.asarray(wide, np.float32).reshape(-1)


def _lean(teeth: Floats, leans: tuple[float, ...]) -> Floats:
    """Bands averaged along lines that lean, and a pixel wide to each side."""
    bands, across = teeth.shape[1:]
    along = (np.arange(bands) - (bands - 1) / 2) * (PITCH_PX / 2)
    shift = np.rint(np.asarray(leans)[:, None] * along).astype(np.int64)
    column = np.clip(np.arange(across) + shift[..., None], 0, across - 1)
    mean = teeth[:, np.arange(bands)[:, None], column].mean(axis=2)
    flat = mean.reshape(-1, across)
    wide = cv2.blur(flat, (3, 1), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(np.maximum(wide, 0.75 * flat).reshape(mean.shape), np.float32)


def _corners(sheet: Sheet, lines: list[NDArray[np.float64]]) -> Points:
    """Where the first and last lines of the two directions meet, from a1 on."""
    middle = [MARGIN * sheet.pitch_px + sheet.pitch_px * count / 2 - 0.5 for count in sheet.counts]
    (left, right, lean_x), (low, high, lean_y) = lines
    corners = []
    for x, y in ((left, low), (right, low), (right, high), (left, high)):
        # x = x0 + lean_x · (y − middle), y = y0 + lean_y · (x − middle)
        system = np.array([[1, -lean_x], [-lean_y, 1]])
        corners.append(np.linalg.solve(system, [x - lean_x * middle[1], y - lean_y * middle[0]]))
    return np.array(corners)
