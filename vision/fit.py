"""A camera laid through measured points of lines: a homography and one radial term.

Nine numbers by least squares that trust a measure the less the further it is off. A point of a line
says only how far the line is off across, nothing about along, so every measure is one equation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from rules.box import BoardFacts
from vision.geometry import Points, View
from vision.sheet import carry

K1_PRIOR: Final = 0.05
"""Radial terms beyond this are rare; holds the lens still where too few lines are seen."""


@dataclass(frozen=True)
class Fit:
    """A camera over the board, in its own units: the grid spans −1 to 1 in both directions, the
    picture is measured in half diagonals from its middle. Nine numbers: a homography, k1."""

    size_wh: tuple[int, int]
    numbers: Points

    @classmethod
    def through(cls, size_wh: tuple[int, int], corners_px: Points) -> Fit:
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
        centre, radius = _frame(size_wh)
        seen = ((corners_px - centre) / radius).astype(np.float32)
        matrix = np.asarray(cv2.getPerspectiveTransform(square, seen), np.float64)
        return cls(size_wh, np.append((matrix / matrix[2, 2]).ravel()[:8], 0.0))

    def project(self, places: Points) -> Points:
        centre, radius = _frame(self.size_wh)
        ideal = carry(np.append(self.numbers[:8], 1.0).reshape(3, 3), places)
        squared = (ideal**2).sum(axis=-1, keepdims=True)
        return np.asarray(centre + radius * ideal * (1 + self.numbers[8] * squared))

    def view(self, board: BoardFacts) -> View:
        centre, radius = _frame(self.size_wh)
        to_picture = np.array([[radius, 0, centre[0]], [0, radius, centre[1]], [0, 0, 1]])
        across, up = board.files * board.cell_mm / 2, board.ranks * board.cell_mm / 2
        from_mm = np.array([[1 / across, 0, -1], [0, 1 / up, -1], [0, 0, 1]])
        plane = to_picture @ np.append(self.numbers[:8], 1.0).reshape(3, 3) @ from_mm
        return View.from_homography(self.size_wh, plane, float(self.numbers[8]))


@dataclass(frozen=True)
class Measures:
    places: Points
    seen_px: Points
    weight: Points
    along: int
    """The axis along which the line runs: it says nothing about where on the line it was seen."""


def adjust(fit: Fit, measures: list[Measures], half_off_px: float, steps: int) -> Fit:
    """Steps of least squares, each measure weighed anew by how far it is off."""
    centre, radius = _frame(fit.size_wh)
    places = np.concatenate([part.places.reshape(-1, 2) for part in measures])
    seen = np.concatenate([part.seen_px.reshape(-1, 2) for part in measures])
    weight = np.concatenate([part.weight.ravel() for part in measures])
    if np.count_nonzero(weight) < 4 * len(fit.numbers):
        return fit
    step = np.concatenate(
        [np.tile(np.eye(2)[part.along] * 1e-3, (part.weight.size, 1)) for part in measures]
    )
    course = fit.project(places + step) - fit.project(places)
    course /= np.linalg.norm(course, axis=1, keepdims=True)
    normal = np.column_stack([-course[:, 1], course[:, 0]])
    x, y = places.T
    plane = np.column_stack([x, y, np.ones_like(x)])
    numbers = fit.numbers.copy()
    prior = 0.25 * weight.mean() / K1_PRIOR**2
    for _ in range(steps):
        depth = numbers[6] * x + numbers[7] * y + 1
        ideal = np.column_stack(
            [
                (numbers[0] * x + numbers[1] * y + numbers[2]) / depth,
                (numbers[3] * x + numbers[4] * y + numbers[5]) / depth,
            ]
        )
        squared = (ideal**2).sum(axis=1, keepdims=True)
        bend = 1 + numbers[8] * squared
        off = ((centre + radius * ideal * bend - seen) * normal).sum(axis=1)
        # The normal carried back through the lens, then through the homography.
        pull = radius * (
            bend * normal + 2 * numbers[8] * ideal * (ideal * normal).sum(axis=1, keepdims=True)
        )
        rate = pull / depth[:, None]
        deep = -(rate * ideal).sum(axis=1)
        lens = radius * squared[:, 0] * (ideal * normal).sum(axis=1)
        slope = np.column_stack(
            [
                rate[:, :1] * plane,
                rate[:, 1:] * plane,
                deep * x,
                deep * y,
                lens,
            ]
        )
        trust = weight / (1 + (off / half_off_px) ** 2)
        normal_matrix = slope.T @ (slope * trust[:, None])
        right = slope.T @ (trust * off)
        normal_matrix[8, 8] += prior
        right[8] += prior * numbers[8]
        normal_matrix += np.eye(9) * 1e-9 * np.trace(normal_matrix)
        numbers = numbers - np.linalg.solve(normal_matrix, right)
    return Fit(fit.size_wh, numbers)


def _frame(size_wh: tuple[int, int]) -> tuple[Points, float]:
    size = np.array(size_wh, np.float64)
    return (size - 1) / 2, float(np.hypot(*size)) / 2
