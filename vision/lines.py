"""Where a board could be, told from straight edges alone: no markers, no colours, no history.

A board's outline and its outermost lines are long straight edges that end where they meet. So:

1. Make the picture small. Grain and noise melt, long edges stay.
2. Take the gradient of the grey and of two chroma pictures (a red board on green cloth may have no
   grey edge at all), each relative to the gradients around it: an edge in the shadow counts as much
   as one in the light.
3. Let every pixel on an edge vote for the lines through it (a Hough transform held to the pixel's
   own direction). Grain votes for a whole band of parallel lines, an edge for one: the band is
   taken off.
4. Of the strongest lines take every two and two that cross to a shape a board could have, and rank
   them by how much of each side is edge and how little goes on beyond the corners.

What comes out are guesses in order of promise. They may be the outline, the grid, or a mixture of
both; which of them, and whether it is a board at all, is told by the grid (`comb`, `evidence`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image, Points

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]

SMALL_WIDTH: Final = 320
"""Width of the picture the edges are sought in: lines are still a pixel wide, grain is not."""
ANGLES: Final = 180
"""Steps of a half turn: a degree is a pixel at the end of a board's side in the small picture."""
SPREAD: Final = 3
"""Steps a vote spreads to each side: how far a single pixel's direction may be wrong."""
CLEAR: Final = 1.2
"""An edge pixel has this many times the gradient of its surroundings."""
LINES: Final = 36
"""Lines that are kept: outline, grid, and as many again from clutter."""
SKEW: Final = 1.45
"""How different in length opposite sides may be: beyond any tilt a board can be read at."""
LEAST_SIDE: Final = 0.2
"""A board's side in picture heights; a smaller one has too few pixels to be read."""


@dataclass(frozen=True)
class Edges:
    """The strongest lines x·cos + y·sin = rho, from the small picture's middle."""

    shape_hw: tuple[int, int]
    theta: Points
    rho: Points
    run: Points
    """Lines × positions: how much edge there is along the line, summed up."""

    @property
    def middle(self) -> Points:
        height, width = self.shape_hw
        return np.array([(width - 1) / 2, (height - 1) / 2])


def shrink(image_bgr: Image) -> tuple[Image, float]:
    """The small picture, and how many of the picture's pixels are one of its own."""
    height, width = image_bgr.shape[:2]
    scale = width / SMALL_WIDTH
    size_wh = (SMALL_WIDTH, max(1, round(height / scale)))
    return np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA), np.uint8), scale


def find_edges(small_bgr: Image, count: int = LINES) -> Edges:
    height, width = small_bgr.shape[:2]
    slopes = [_slope(channel) for channel in _opponents(small_bgr)]
    votes, reach = _vote(slopes, (height, width))
    theta, rho = _peaks(votes, reach, count)
    return Edges((height, width), theta, rho, _runs(slopes, theta, rho, (height, width)))


def find_quads(edges: Edges, aspect: float, count: int, beyond: float = 0.02) -> Points:
    """Quads × 4 × 2 in the small picture, best first, each from its bottom left anticlockwise.

    `aspect` is width through height of the board; `beyond` how far out of the picture a corner may
    lie, in picture widths.
    """
    height, width = edges.shape_hw
    theta, rho = edges.theta, edges.rho
    normal_x, normal_y = np.cos(theta), np.sin(theta)
    cross = normal_x[:, None] * normal_y - normal_y[:, None] * normal_x
    cross = np.where(np.abs(cross) < 0.3, np.nan, cross)
    meet = np.stack(
        [
            (rho[:, None] * normal_y - normal_y[:, None] * rho) / cross,
            (normal_x[:, None] * rho - rho[:, None] * normal_x) / cross,
        ],
        axis=-1,
    )
    along = meet[..., 1] * normal_x[:, None] - meet[..., 0] * normal_y[:, None]
    lying = np.abs(theta - np.pi / 2)
    rows, columns = (
        _pairs(np.flatnonzero(mask), theta, rho, height)
        for mask in (lying <= np.deg2rad(48), lying >= np.deg2rad(42))
    )
    if not len(rows) or not len(columns):
        return np.empty((0, 4, 2))
    row, column = (grid.ravel() for grid in np.indices((len(rows), len(columns))))
    (a, b), (c, d) = rows[row].T, columns[column].T
    quads = np.stack([meet[a, c], meet[a, d], meet[b, d], meet[b, c]], axis=1)
    limit = np.array([width, height]) / 2 + beyond * width
    with np.errstate(invalid="ignore"):
        fit = _plausible(quads, aspect, height) & (np.abs(quads) < limit).all(axis=(1, 2))
    quads, a, b, c, d = quads[fit], a[fit], b[fit], c[fit], d[fit]
    support = sum(
        (_side(edges.run, line, along[line, one], along[line, other]))
        for line, one, other in ((a, c, d), (b, c, d), (c, a, b), (d, a, b))
    )
    order = np.argsort(-np.asarray(support))[: 12 * count]
    return _apart(_anticlockwise(quads[order]), count) + edges.middle


def with_frame(edges: Edges) -> Edges:
    """The same with the picture's own four sides as lines, for boards that it cuts off."""
    height, width = edges.shape_hw
    theta = np.array([0, 0, np.pi / 2, np.pi / 2])
    rho = np.array([-width / 2, width / 2, -height / 2, height / 2])
    run = np.cumsum(np.full((4, edges.run.shape[1]), 0.5), axis=1)
    return Edges(
        edges.shape_hw,
        np.concatenate([theta, edges.theta]),
        np.concatenate([rho, edges.rho]),
        np.concatenate([run, edges.run]),
    )


def _opponents(small_bgr: Image) -> tuple[Floats, Floats, Floats]:
    """Grey, red against green, blue against both."""
    blue, green, red = cv2.split(small_bgr.astype(np.float32))
    yellow = (red + green) / 2
    grey = 0.114 * blue + 0.587 * green + 0.299 * red
    return (
        np.asarray(grey, np.float32),
        np.asarray(red - green, np.float32),
        np.asarray(blue - yellow, np.float32),
    )


def _slope(channel: Floats) -> tuple[Floats, Floats, Floats]:
    """Gradient x, y and its size, all relative to the surroundings."""
    smooth = cv2.GaussianBlur(channel, (0, 0), 0.8)
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0)
    slope_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    size = cv2.magnitude(slope_x, slope_y)
    around = cv2.blur(size, (31, 31))
    # A quarter of the picture's mean keeps an empty corner's noise from being blown up.
    gain = np.asarray(1 / (around + 0.25 * float(around.mean()) + 1e-3), np.float32)
    return (
        np.asarray(slope_x * gain, np.float32),
        np.asarray(slope_y * gain, np.float32),
        np.asarray(size * gain, np.float32),
    )


def _vote(
    slopes: list[tuple[Floats, Floats, Floats]], shape_hw: tuple[int, int]
) -> tuple[Floats, int]:
    """Angles × distances; the distance 0 stands at index `reach`."""
    height, width = shape_hw
    reach = int(np.hypot(width, height) / 2) + 2
    angles = np.arange(ANGLES) * np.pi / ANGLES
    cosine, sine = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    votes = np.zeros(ANGLES * 2 * reach)
    for slope_x, slope_y, size in slopes:
        at = np.flatnonzero(size > CLEAR)
        y, x = np.divmod(at, width)
        x = (x - (width - 1) / 2).astype(np.float32)
        y = (y - (height - 1) / 2).astype(np.float32)
        weight = np.minimum(size.ravel()[at], 3).astype(np.float64) - 1
        angle = np.arctan2(slope_y.ravel()[at], slope_x.ravel()[at])
        step = np.rint(angle * (ANGLES / np.pi)).astype(np.int32)
        for turn in range(-SPREAD, SPREAD + 1):
            index = (step + turn) % ANGLES
            distance = (x * cosine[index] + y * sine[index] + (reach + 0.5)).astype(np.int32)
            votes += np.bincount(index * (2 * reach) + distance, weight, votes.size)
    return votes.reshape(ANGLES, 2 * reach).astype(np.float32), reach


def _peaks(votes: Floats, reach: int, count: int) -> tuple[Points, Points]:
    wrap = 4  # a line at 180° is the one at 0° with its distance reversed
    padded = np.vstack([votes[-wrap:, ::-1], votes, votes[:wrap, ::-1]])
    smooth = cv2.GaussianBlur(padded, (0, 0), 0.8)
    sharp = smooth - cv2.blur(smooth, (21, 1))
    peak = (sharp >= cv2.dilate(sharp, np.ones((7, 5), np.uint8))) & (sharp > 0)
    peak[:wrap] = peak[-wrap:] = False
    row, column = np.nonzero(peak)
    best = np.argsort(-sharp[row, column])[:count]
    return (row[best] - wrap) * np.pi / ANGLES, (column[best] - reach).astype(np.float64)


def _runs(
    slopes: list[tuple[Floats, Floats, Floats]],
    theta: Points,
    rho: Points,
    shape_hw: tuple[int, int],
) -> Points:
    height, width = shape_hw
    half = int(np.hypot(width, height)) // 2
    along = np.arange(-half, half, dtype=np.float32)
    normal_x, normal_y = np.cos(theta)[:, None], np.sin(theta)[:, None]

    def seen(offset: int) -> Floats:
        x = np.rint((width - 1) / 2 + normal_x * (rho[:, None] + offset) - normal_y * along)
        y = np.rint((height - 1) / 2 + normal_y * (rho[:, None] + offset) + normal_x * along)
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        at = np.where(inside, y * width + x, 0).astype(np.int64)
        strength = np.zeros(at.shape, np.float32)
        for slope_x, slope_y, _ in slopes:
            across = slope_x.ravel()[at] * normal_x + slope_y.ravel()[at] * normal_y
            np.maximum(strength, np.abs(across), out=strength)
        return np.asarray(np.where(inside, np.clip(strength - 1, 0, 1), 0), np.float32)

    on = np.maximum(np.maximum(seen(-1), seen(0)), seen(1))
    # Grain gives as much beside the line as on it; a board's edge stands alone.
    beside = (seen(-5) + seen(5)) / 2
    return np.cumsum(on - 0.7 * beside, axis=1, dtype=np.float64)


def _pairs(index: Whole, theta: Points, rho: Points, height: int) -> Whole:
    """Nearly parallel lines as far apart as a board's sides."""
    one, other = (index[part] for part in np.triu_indices(len(index), 1))
    apart = np.abs(theta[one] - theta[other])
    flipped = apart > np.pi / 2
    gap = np.abs(rho[one] - np.where(flipped, -rho[other], rho[other]))
    near = np.minimum(apart, np.pi - apart) < np.deg2rad(20)
    keep = near & (gap > LEAST_SIDE * height) & (gap < 1.4 * height)
    return np.column_stack([one[keep], other[keep]])


def _plausible(quads: Points, aspect: float, height: int) -> NDArray[np.bool_]:
    sides = np.roll(quads, -1, axis=1) - quads
    length = np.hypot(sides[..., 0], sides[..., 1])
    after = np.roll(sides, -1, axis=1)
    turn = np.sign(sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0])
    ratios = np.stack(
        [
            length[:, 0] / length[:, 2],
            length[:, 1] / length[:, 3],
            (length[:, 0] + length[:, 2]) / (length[:, 1] + length[:, 3]) / aspect,
        ]
    )
    even = (np.maximum(ratios, 1 / ratios) < SKEW).all(axis=0)
    convex = np.abs(turn.sum(axis=1)) == 4
    return np.asarray(even & convex & (length.min(axis=1) > LEAST_SIDE * height))


def _side(run: Points, line: Whole, one: Points, other: Points) -> Points:
    """How much of the side is edge, less what goes on a fifth of its length beyond the corners."""
    middle = run.shape[1] // 2

    def until(at: Points) -> Points:
        index = np.clip(np.rint(at + middle), 0, run.shape[1] - 1).astype(np.int64)
        return np.asarray(run[line, index])

    low, high = np.minimum(one, other), np.maximum(one, other)
    length = high - low
    inside = (until(high) - until(low)) / length
    more = 0.2 * length
    outside = (until(low - 2) - until(low - more) + until(high + more) - until(high + 2)) / more
    return np.asarray(inside - 0.25 * outside)


def _anticlockwise(quads: Points) -> Points:
    """Each quad's corners from its bottom left on, anticlockwise as seen in the picture."""
    off = quads - quads.mean(axis=1, keepdims=True)
    angle = np.arctan2(-off[..., 1], off[..., 0])
    order = np.argsort((angle + np.pi) % (2 * np.pi), axis=1)
    return np.take_along_axis(quads, order[..., None], axis=1)


def _apart(quads: Points, count: int, least_px: float = 3.0) -> Points:
    """Without the near twins of better ones."""
    kept: list[int] = []
    for number in range(len(quads)):
        twins = np.abs(quads[kept] - quads[number]).max(axis=(1, 2)) <= least_px
        if not twins.any():
            kept.append(number)
        if len(kept) == count:
            break
    return quads[kept]
