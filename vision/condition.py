"""How good a picture is for reading: sharp, well lit, without glare. Judged on the rectified board.

Sharpness is measured where a board is known to have edges: across its lines. The profile of each
line between two nodes is the mean along it, which takes the noise off; then the largest step
between neighbouring pixels is held against the largest over four of them. A crisp line has most of
the step in one pixel, a smooth slope a quarter in each, so the measure runs from 0.25 to 1 and
knows neither contrast nor brightness nor what stands on the board.

On 60 rendered tables, each picture (1280×960) blurred by a Gaussian of σ pixels and read again:

    σ            0       1       2       3       4       6
    sharpness    0.57    0.47    0.37    0.32    0.29    0.28    the median
                 0.37+   0.34+   0.48-   0.36-   0.32-   0.35-   the least (+) or the most (-)
    unsure       51      56      72      105     186     639     of 3,840 cells
    wrong        4       3       4       4       14      40      3 of the 40 silently

The variance of the Laplacian over that of the picture, the usual measure, does not tell them apart:
noise alone gives it more than a sharp board has (0.04 to 2.1 at σ 0, 0.004 to 0.08 at σ 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Cell
from vision.advice import BURNT, DARK, GLARING, burnt_share
from vision.geometry import Image
from vision.labels import Labels
from vision.rectify import MARGIN_CELLS, PX_PER_CELL

SHARP: Final = 0.34
"""From here on: no table was below as it was rendered, nearly all were with σ 3."""
MOST_BURNT: Final = 0.05
"""Share of a board that may be white without a trace of colour: a few roofs and a lamp's mirror."""
MOST_DARK: Final = 0.5
"""Share that may be darker than `DARK`: then the board's median is, and yellow is lost in noise."""
_AROUND_PX: Final = 10
"""A line's profile reaches so far to either side."""
_NODE_PX: Final = 6
"""So close to a crossing no line is measured."""
_WIDE: Final = 4
_FLOOR: Final = 10.0
"""Added before the logarithm, as the network does: steps are ratios of light."""


@dataclass(frozen=True, slots=True)
class Condition:
    sharpness: float
    """0.25 (a blur) to 1 (a crisp line); `SHARP` is sharp enough."""
    burnt: float
    """Share of the board that is so bright that no colour is left."""
    dark: float
    """Share of it that is lost in the dark."""
    glaring: frozenset[Cell]
    """Cells of which so much is burnt that they may hold anything."""


def condition_of(rectified_bgr: Image, labels: Labels) -> Condition:
    margin = MARGIN_CELLS * PX_PER_CELL
    grid = rectified_bgr[margin:-margin, margin:-margin]
    burnt, dark = shares_of(grid)
    shares = burnt_share(rectified_bgr, labels)
    glaring = (cell for cell, share in zip(labels.cells, shares, strict=True) if share > GLARING)
    return Condition(sharpness_of(grid), burnt, dark, frozenset(glaring))


def shares_of(image_bgr: Image) -> tuple[float, float]:
    """How much of a picture is burnt out, and how much is in the dark."""
    some = image_bgr[::2, ::2]
    return float((some.min(axis=2) >= BURNT).mean()), float((some.max(axis=2) < DARK).mean())


def sharpness_of(grid_bgr: Image) -> float:
    """Of a rectified board without its margin."""
    light = np.log(cv2.cvtColor(grid_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) + _FLOOR)
    profiles = np.concatenate([_profiles(light), _profiles(light.T)])
    steps = np.abs(np.diff(profiles, axis=1)).max(axis=1)
    wide_steps = np.abs(profiles[:, _WIDE:] - profiles[:, :-_WIDE]).max(axis=1)
    # Half of the lines may be hidden under roofs, in shade or worn off.
    clearest = np.argsort(-wide_steps)[: len(wide_steps) // 2]
    return float(np.median(steps[clearest] / np.maximum(wide_steps[clearest], 1e-6)))


def _profiles(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Across every upright line between two nodes: lines × pixels."""
    rows, columns = (size // PX_PER_CELL for size in light.shape)
    return np.array(
        [
            light[
                row * PX_PER_CELL + _NODE_PX : (row + 1) * PX_PER_CELL - _NODE_PX,
                column * PX_PER_CELL - _AROUND_PX : column * PX_PER_CELL + _AROUND_PX,
            ].mean(axis=0)
            for row in range(rows)
            for column in range(1, columns)
        ]
    )
