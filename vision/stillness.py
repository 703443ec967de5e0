"""Is somebody moving over the table? Told from a thumbnail, for a small part of a look's cost.

    against the frame before │ against the frame last read │ the table is
    ─────────────────────────┼─────────────────────────────┼─────────────────────────────
    different                │                             │ MOVING: wait
    alike                    │ different                   │ STILL: worth a look
    alike                    │ alike                       │ UNCHANGED: nothing to look for

Two thumbnails are alike when no patch of them differs by more than this camera's own noise, which
is measured all the time: most patches of two frames show the same thing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

_SHRINK: Final = 8
_LEAST_DIFFERENCE: Final = 5.0
"""Grey levels: what compression alone does to a thumbnail."""
_NOISES: Final = 7.0
"""So many times the noise is no noise: of 60,000 values in a thumbnail none gets there."""
_STRONG: Final = 1.96 * 2**0.5
"""One in twenty differences of two noisy values is larger than so many standard deviations."""
_MOST_NOISE: Final = 20
"""Grey levels in a thumbnail: what differs by more between neighbours is an edge that moved."""
_SPECKS: Final = 6
"""So many single values of a thumbnail may differ: the smallest house changes a dozen."""


class Stillness(StrEnum):
    MOVING = "moving"
    STILL = "still"
    UNCHANGED = "unchanged"


class Gate:
    def __init__(self) -> None:
        self._before: NDArray[np.int16] | None = None
        self._read: NDArray[np.int16] | None = None

    def judge(self, image_bgr: Image) -> Stillness:
        thumbnail = _thumbnail(image_bgr)
        before, self._before = self._before, thumbnail
        if before is None or _differ(before, thumbnail):
            return Stillness.MOVING
        if self._read is None or _differ(self._read, thumbnail):
            return Stillness.STILL
        return Stillness.UNCHANGED

    def was_read(self) -> None:
        """The frame judged last has been read: until something differs from it, none need be."""
        self._read = self._before


def _thumbnail(image_bgr: Image) -> NDArray[np.int16]:
    height, width = image_bgr.shape[:2]
    size = (max(width // _SHRINK, 1), max(height // _SHRINK, 1))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.int16)


def _differ(one: NDArray[np.int16], other: NDArray[np.int16]) -> bool:
    if one.shape != other.shape:
        return True
    change = one - other
    # Noise differs from patch to patch, while light and things change many of them alike; so the
    # noise is what is left between neighbours. It is measured where it is strong: what is burnt
    # out has none, and says nothing about the rest.
    between = np.abs(np.diff(change[::2], axis=1)).ravel()
    strong = float(np.partition(between, -len(between) // 20)[-len(between) // 20])
    noise = min(strong, _MOST_NOISE) / _STRONG
    largest = np.partition(np.abs(change).ravel(), -_SPECKS)[-_SPECKS]
    return bool(largest > _LEAST_DIFFERENCE + _NOISES * noise)
