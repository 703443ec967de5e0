"""What to change at the table so that it can be seen better, in words for people."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Cell
from vision.geometry import Image
from vision.labels import Labels
from vision.rectify import MARGIN_CELLS, PX_PER_CELL

DARK: Final = 22
"""Grey levels: a board whose median is below has lost its yellow in the noise."""
BURNT: Final = 250
GLARING: Final = 0.25
"""A cell with this share of burnt pixels may hold anything."""


def advise(
    rectified_bgr: Image, labels: Labels, unsure: Collection[Cell], hidden: Collection[Cell]
) -> tuple[str, ...]:
    """Only what explains something that could not be read, and what will soon be in the way."""
    advice = []
    margin = MARGIN_CELLS * PX_PER_CELL
    grid = rectified_bgr[margin:-margin:4, margin:-margin:4]
    level = float(np.median(grid.max(axis=-1)))
    if level < DARK:
        advice.append(f"too dark (level {level:.0f} of 255): put more light on the board")
    burnt = burnt_share(rectified_bgr, labels)
    glare = [c for c, share in zip(labels.cells, burnt, strict=True) if share > GLARING]
    glare = [cell for cell in glare if cell in unsure]
    if glare:
        advice.append(f"glare on {' '.join(sorted(glare))}: move the lamp")
    if hidden:
        advice.append(f"something lies over {' '.join(sorted(hidden))}: clear the view")
    return tuple(advice)


def burnt_share(rectified_bgr: Image, labels: Labels) -> NDArray[np.float64]:
    """By cell: how much of it is so bright that no colour is left."""
    blue, green, red = cv2.split(rectified_bgr)
    darkest = cv2.min(cv2.min(blue, green), red)
    burnt = cv2.compare(darkest, np.full(1, BURNT, np.float64), cv2.CMP_GE)
    size = (rectified_bgr.shape[1] // PX_PER_CELL, rectified_bgr.shape[0] // PX_PER_CELL)
    shares = np.asarray(cv2.resize(burnt, size, interpolation=cv2.INTER_AREA), np.float64) / 255
    return np.asarray(shares[labels.rows, labels.columns])
