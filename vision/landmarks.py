"""Is the board still where it was? Asked of its outer corners, the cheapest thing to ask.

When a board has been found by its lines, the picture around its four outer corners is kept. While
three of them look the same at the same place, nobody has moved board or camera, and the view
stands, however much of the grid is by now hidden by pieces, sleeves or glare. A corner under a hand
is no witness; one that is plainly seen somewhere else proves that something moved.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.geometry import Image, Points, View

WITNESSES: Final = 3
"""Corners that must be seen where they were."""
ALIKE: Final = 0.8
"""Correlation from which on a patch shows the same corner."""
STEADY_PX: Final = 0.7
"""A corner that moved by less has not moved: finding it has noise of its own."""
REACH_PX: Final = 6
"""How far around its place a corner is looked for."""
HALF_CELLS: Final = 0.4
"""Half the side of a patch."""
SOFT_PX: Final = 1.5
"""Patches are blurred by so much, so that noise does not count."""


class Landmarks:
    def __init__(self, image_bgr: Image, view: View, board: BoardFacts) -> None:
        rim = board.rim_mm
        wide, high = board.files * board.cell_mm + rim, board.ranks * board.cell_mm + rim
        corners = view.project([[-rim, -rim], [wide, -rim], [wide, high], [-rim, high]])
        inside = view.corners_px(board)
        cell_px = float(np.linalg.norm(inside[1] - inside[0])) / board.files
        self._half = max(round(HALF_CELLS * cell_px), 6)
        self._size_wh = view.size_wh
        self._places = np.round(corners).astype(int)
        self._patches = [self._cut(image_bgr, place, 0) for place in self._places]

    def hold(self, image_bgr: Image) -> bool:
        """Do enough corners look as they did, where they did?"""
        if image_bgr.shape[1::-1] != self._size_wh:
            return False
        witnesses = 0
        for place, patch in zip(self._places, self._patches, strict=True):
            around = self._cut(image_bgr, place, REACH_PX)
            if patch is None or around is None or patch.std() < 1:
                continue
            found = np.asarray(cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED), np.float32)
            peak, off_px = _peak(found)
            if peak >= ALIKE:
                if np.abs(off_px).max() > STEADY_PX:
                    return False
                witnesses += 1
        return witnesses >= WITNESSES

    def _cut(
        self, image_bgr: Image, place: NDArray[np.int_], more_px: int
    ) -> NDArray[np.float32] | None:
        """The grey picture around a place; None where it is not all in the picture."""
        half = self._half + more_px
        (left, top), (right, bottom) = place - half, place + half + 1
        if left < 0 or top < 0 or right > image_bgr.shape[1] or bottom > image_bgr.shape[0]:
            return None
        grey = cv2.cvtColor(image_bgr[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
        soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), SOFT_PX)
        return np.asarray(soft, np.float32)


def _peak(found: NDArray[np.float32]) -> tuple[float, Points]:
    """The best correlation, and how far from the middle it is, to a part of a pixel."""
    row, column = np.unravel_index(int(found.argmax()), found.shape)
    off = []
    for line, at in ((found[row], int(column)), (found[:, column], int(row))):
        part = 0.0
        if 0 < at < len(line) - 1:
            before, here, after = (float(value) for value in line[at - 1 : at + 2])
            bend = before - 2 * here + after
            part = (before - after) / (2 * bend) if bend < 0 else 0.0
        off.append(at + part - REACH_PX)
    return float(found[row, column]), np.array(off)
