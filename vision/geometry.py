"""How the board lies in the picture: from millimetres on the table to pixels, and back.

Board millimetres: the origin is the outer corner of the playing grid at a1, x runs along the files
(towards h), y along the ranks (towards 8), z up from the board's surface towards the camera.
Pixels: OpenCV's convention, (0, 0) is the middle of the top left pixel.

A `View` is a pinhole camera with its optical axis in the middle of the picture and one radial
term: a point at `u` in the ideal picture is seen at `c + (u - c) · (1 + k1 · r²)`, where `c` is
the picture's middle and `r` the distance from it in half diagonals. One term is enough for the
lenses people use here, and it can be told from the grid's own lines.

Pieces have height, so a roof is seen beside its foot. Where only the plane is known (four corners
are a homography), the third dimension needs a focal length. It follows from the homography when
the camera is tilted enough, and is otherwise guessed: being wrong by a third moves the top of a
tower in the board's corner by 3 mm, that of a house by 1 mm, and no foot at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts

Points = NDArray[np.float64]
Image = NDArray[np.uint8]

GUESSED_FOCAL: Final = 0.95
"""Focal length in picture widths where the picture itself does not tell: a 56° lens."""
FOCAL_RANGE: Final = (0.6, 2.2)
"""What the picture tells is believed within these bounds, in picture widths."""


@dataclass(frozen=True, eq=False)
class View:
    size_wh: tuple[int, int]
    matrix: Points
    """3×4: board millimetres to the ideal picture's pixels."""
    k1: float = 0.0

    @classmethod
    def from_pose(
        cls,
        size_wh: tuple[int, int],
        focal_px: float,
        rotation: Points,
        translation: Points,
        k1: float = 0.0,
    ) -> View:
        """A camera that stands where we say: x_camera = rotation @ x_board + translation."""
        intrinsics = _intrinsics(size_wh, focal_px)
        return cls(size_wh, intrinsics @ np.column_stack([rotation, translation]), k1)

    @classmethod
    def from_homography(
        cls, size_wh: tuple[int, int], plane: Points, k1: float = 0.0, focal_px: float | None = None
    ) -> View:
        """From the board's plane in millimetres to the ideal picture (3×3), the height added."""
        focal_px = focal_px or _focal_of(size_wh, plane)
        intrinsics = _intrinsics(size_wh, focal_px)
        across = np.linalg.solve(intrinsics, plane)
        across /= (np.linalg.norm(across[:, 0]) + np.linalg.norm(across[:, 1])) / 2
        if across[2, 2] < 0:  # the board is in front of the camera
            across = -across
        up = np.cross(across[:, 0], across[:, 1])
        matrix = intrinsics @ np.column_stack([across[:, 0], across[:, 1], up, across[:, 2]])
        return cls(size_wh, matrix, k1)

    @classmethod
    def from_corners(
        cls, size_wh: tuple[int, int], corners_px: Points, board: BoardFacts, k1: float = 0.0
    ) -> View:
        """From where the grid's corners a1, h1, h8, a8 are seen."""
        ideal = undistort(np.asarray(corners_px, np.float64), size_wh, k1)
        plane = cv2.getPerspectiveTransform(
            grid_corners_mm(board)[:, :2].astype(np.float32), ideal.astype(np.float32)
        )
        return cls.from_homography(size_wh, np.asarray(plane, np.float64), k1)

    def from_point(self, x_mm: float, y_mm: float) -> View:
        """The same camera, with millimetres counted from another point of the board's surface."""
        matrix = self.matrix.copy()
        matrix[:, 3] += matrix[:, :2] @ (x_mm, y_mm)
        return replace(self, matrix=matrix)

    def project(self, points_mm: Points | Sequence[Sequence[float]]) -> Points:
        """Where points of the board's space (N×3, or N×2 on its surface) are seen."""
        points = np.asarray(points_mm, np.float64)
        if points.shape[-1] == 2:
            points = np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)
        ideal = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return distort(ideal[..., :2] / ideal[..., 2:], self.size_wh, self.k1)

    def on_plane(self, points_px: Points | Sequence[Sequence[float]], z_mm: float = 0.0) -> Points:
        """Which points (N×2, mm) at this height above the board are seen at these pixels."""
        ideal = undistort(np.asarray(points_px, np.float64), self.size_wh, self.k1)
        plane = self.matrix[:, [0, 1, 3]].copy()
        plane[:, 2] += z_mm * self.matrix[:, 2]
        rays = np.concatenate([ideal, np.ones((*ideal.shape[:-1], 1))], axis=-1)
        points = rays @ np.linalg.inv(plane).T
        return np.asarray(points[..., :2] / points[..., 2:])

    def corners_px(self, board: BoardFacts) -> Points:
        """The grid's corners a1, h1, h8, a8."""
        return self.project(grid_corners_mm(board))

    @property
    def eye_mm(self) -> Points:
        """Where the camera is."""
        return np.asarray(-np.linalg.solve(self.matrix[:, :3], self.matrix[:, 3]))


def grid_corners_mm(board: BoardFacts) -> Points:
    """a1, h1, h8, a8."""
    width, height = board.files * board.cell_mm, board.ranks * board.cell_mm
    return np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]], np.float64)


def distort(ideal_px: Points, size_wh: tuple[int, int], k1: float) -> Points:
    """From the ideal picture to the one the lens makes."""
    if k1 == 0:
        return ideal_px
    centre, radius = _middle(size_wh)
    off = ideal_px - centre
    squared = (off**2).sum(axis=-1, keepdims=True) / radius**2
    return np.asarray(centre + off * (1 + k1 * squared))


def undistort(seen_px: Points, size_wh: tuple[int, int], k1: float) -> Points:
    """The reverse of `distort`, to a thousandth of a pixel for the lenses we meet."""
    if k1 == 0:
        return seen_px
    centre, radius = _middle(size_wh)
    seen = (seen_px - centre) / radius
    ideal = seen
    for _ in range(12):
        ideal = seen / (1 + k1 * (ideal**2).sum(axis=-1, keepdims=True))
    return np.asarray(centre + ideal * radius)


def _middle(size_wh: tuple[int, int]) -> tuple[Points, float]:
    size = np.array(size_wh, np.float64)
    return (size - 1) / 2, float(np.hypot(*size)) / 2


def _intrinsics(size_wh: tuple[int, int], focal_px: float) -> Points:
    (x, y), _ = _middle(size_wh)
    return np.array([[focal_px, 0, x], [0, focal_px, y], [0, 0, 1]], np.float64)


def _focal_of(size_wh: tuple[int, int], plane: Points) -> float:
    """The focal length for which the board's two axes are square to each other and equally long.

    Both conditions are linear in 1/f² and each is worth as much as the perspective it sees, so
    they are joined by least squares; a board seen straight from above says nothing.
    """
    width = size_wh[0]
    centre, _ = _middle(size_wh)
    shifted = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]]) @ plane
    a, b = shifted[:, 0], shifted[:, 1]
    flat = np.array([a[0] * b[0] + a[1] * b[1], a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2])
    deep = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    guess = (GUESSED_FOCAL * width) ** -2
    # One more equation says that the guess is not bad; a few degrees of tilt outweigh it.
    trust = (0.01 * ((a[:2] ** 2).sum() + (b[:2] ** 2).sum())) ** 2
    inverse = (trust * guess - flat @ deep) / (trust + flat @ flat)
    least, most = (bound * width for bound in FOCAL_RANGE)
    return float(np.clip(1 / np.sqrt(inverse), least, most)) if inverse > 0 else most
