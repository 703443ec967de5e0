"""The board seen from straight above: every cell the same size, one cell of margin all round.

Row 0 is the far side of the last rank, column 0 the outer side of file a. Only the board's surface
is put right: pieces have height, so a roof leans away from the point below the camera. How far it
leans where is known (`lean`), and whoever reads the pieces is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.geometry import Image, View

PX_PER_CELL: Final = 40
"""Enough for a house's roof to have 15 pixels; more costs time and tells the reader nothing."""
MARGIN_CELLS: Final = 1
"""The rim with its track, and the roofs of the outermost towers, lie in it."""
LEAN_PER_CELL: Final = 5
"""The lean changes slowly: so many values a cell are plenty."""
_COARSE: Final = 8
"""The map from above to the picture is smooth: made on so coarse a grid it is right to 0.01 px."""


@dataclass(frozen=True, eq=False)
class Rectifier:
    """Takes pictures of one view apart; made once for as long as the board does not move."""

    maps: tuple[NDArray[np.float32], NDArray[np.float32]]
    halved: bool
    lean: NDArray[np.float32]
    """2 × rows × columns: how far a thing 1 mm high leans right and down, in mm."""

    @classmethod
    def of(cls, view: View, board: BoardFacts) -> Rectifier:
        wide, high = size_px(board)
        across = np.arange(0, wide + _COARSE, _COARSE, dtype=np.float64)
        down = np.arange(0, high + _COARSE, _COARSE, dtype=np.float64)
        seen = view.project(mm_of_px(np.stack(np.meshgrid(across, down), axis=-1), board))
        # A cell spans more pixels in the picture than it gets here: halve it first, or grain and
        # noise fold into patterns that look like something.
        cell_px = float(
            np.linalg.norm(seen[1:] - seen[:-1], axis=-1).mean() * PX_PER_CELL / _COARSE
        )
        halved = cell_px > 1.5 * PX_PER_CELL
        if halved:
            seen = (seen - 0.5) / 2
        fine = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), axis=-1).astype(np.float32)
        maps = cv2.remap(
            seen.astype(np.float32),
            fine / _COARSE,
            None,
            cv2.INTER_LINEAR,  # type: ignore[call-overload]
        )
        return cls((maps[..., 0].copy(), maps[..., 1].copy()), halved, _lean(view, board))

    def __call__(self, image_bgr: Image) -> Image:
        if self.halved:
            height, width = image_bgr.shape[:2]
            size = (width // 2, height // 2)
            image_bgr = np.asarray(
                cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8
            )
        flat = cv2.remap(image_bgr, *self.maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.uint8)


def size_px(board: BoardFacts) -> tuple[int, int]:
    """Width and height of the rectified picture."""
    return (
        (board.files + 2 * MARGIN_CELLS) * PX_PER_CELL,
        (board.ranks + 2 * MARGIN_CELLS) * PX_PER_CELL,
    )


def mm_of_px(points_px: NDArray[np.float64], board: BoardFacts) -> NDArray[np.float64]:
    """Where on the board's surface pixels (… × 2) of the rectified picture lie."""
    cells = (points_px + 0.5) / PX_PER_CELL - MARGIN_CELLS
    x, y = cells[..., 0], board.ranks - cells[..., 1]
    return np.stack([x, y], axis=-1) * board.cell_mm


def _lean(view: View, board: BoardFacts) -> NDArray[np.float32]:
    wide, high = size_px(board)
    step = PX_PER_CELL / LEAN_PER_CELL
    across = (np.arange(wide // step) + 0.5) * step - 0.5
    down = (np.arange(high // step) + 0.5) * step - 0.5
    ground = mm_of_px(np.stack(np.meshgrid(across, down), axis=-1), board)
    x, y, z = view.eye_mm
    away = (ground - [x, y]) / z
    return np.stack([away[..., 0], -away[..., 1]]).astype(np.float32)
