"""The board laid flat for measuring lines: long thin averages instead of a picture.

A grid line is told from grain, noise and pieces by its length. So the sheet keeps, for each of the
two directions, the picture rectified and averaged along the lines over half a cell at a time:
`bands` × positions across × colours, with two bands a cell. Everything the finder asks about lines
is asked of these small arrays.

Colours are logarithms: paint and shadow multiply light, so a line has the same contrast in the
shadow of a lamp as beside it, and exposure and white balance drop out.

The sheet is rectified by a plain homography. What the lens bends and a rough guess misses stays in
it, as lines that lie beside where they should; `refine` measures just that.

Axis 0 asks for the lines between files (across is x), axis 1 for those between ranks.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.geometry import Image, Points

Floats = NDArray[np.float32]

MARGIN: Final = 1.3
"""Cells shown around the grid: far enough to see that there is no further line."""
BANDS: Final = 2
"""Averages along a line in each cell: a piece on the line spoils half a cell of it."""
BLACK_LEVEL: Final = 6.0
"""Added before the logarithm, in grey levels: below it there is only noise."""


class Sheet:
    def __init__(
        self, image_bgr: Image, corners_px: Points, board: BoardFacts, pitch_px: int
    ) -> None:
        """`corners_px` is where the grid is believed, from a1 on; `pitch_px` a cell's size here."""
        self.counts = (board.files, board.ranks)
        self.pitch_px = pitch_px
        edge = MARGIN * pitch_px - 0.5
        far = np.array(self.counts) * pitch_px + edge
        flat = np.array(
            [[edge, edge], [far[0], edge], [far[0], far[1]], [edge, far[1]]], np.float32
        )
        self.to_sheet: Points = np.asarray(
            cv2.getPerspectiveTransform(np.asarray(corners_px, np.float32), flat), np.float64
        )
        self.to_picture: Points = np.asarray(np.linalg.inv(self.to_sheet), np.float64)
        width, height = (round((count + 2 * MARGIN) * pitch_px) for count in self.counts)
        warped = cv2.warpPerspective(
            image_bgr, self.to_sheet, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
        flat_bgr = np.asarray(warped, np.float32)
        self.bands: tuple[Floats, Floats] = (
            self._average(flat_bgr, board.ranks),
            self._average(np.asarray(cv2.transpose(flat_bgr), np.float32), board.files),
        )

    def _average(self, flat_bgr: NDArray[np.float32], cells: int) -> Floats:
        first = round(MARGIN * self.pitch_px)
        strip = flat_bgr[first : first + cells * self.pitch_px]
        size_wh = (flat_bgr.shape[1], cells * BANDS)
        mean = cv2.resize(strip, size_wh, interpolation=cv2.INTER_AREA)
        return np.asarray(np.log(mean + BLACK_LEVEL), np.float32)

    def at(self, cells: Points) -> Points:
        """Across-positions in the sheet of places counted in cells from the grid's first line."""
        return np.asarray((cells + MARGIN) * self.pitch_px - 0.5)


def carry(matrix: Points, points: Points) -> Points:
    """Points (… × 2) through a homography."""
    carried = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(carried[..., :2] / carried[..., 2:])


def from_unit(quad: Points) -> Points:
    """The homography from the unit square, in closed form."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
    dx1, dx2, sx = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, sy = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    det = dx1 * dy2 - dx2 * dy1
    g, h = (sx * dy2 - dx2 * sy) / det, (dx1 * sy - sx * dy1) / det
    return np.array(
        [
            [x1 - x0 + g * x1, x3 - x0 + h * x3, x0],
            [y1 - y0 + g * y1, y3 - y0 + h * y3, y0],
            [g, h, 1],
        ]
    )
