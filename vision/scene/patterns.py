"""Patterns of wood and cloth: periodic fields of 8-bit values around 128.

A field is made once from a fixed seed and kept. It repeats without a seam because its noise is made
from a spectrum and its waves are whole numbers around.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Field = NDArray[np.uint8]

SIZE: Final = 1024
"""Texels of a pattern along each side."""
VARIANTS: Final = 6
"""Different fields of one pattern that are kept."""


@lru_cache(maxsize=128)
def pattern_field(pattern: str, variant: int) -> Field:
    chance = np.random.default_rng([variant, *pattern.encode()])
    values = _PATTERNS[pattern](chance)
    values = (values - values.mean()) / (values.std() or 1.0)
    return np.asarray(np.clip(128 + 48 * values, 0, 255), np.uint8)


def _noise(
    chance: np.random.Generator, fall: float, stretch: float = 1.0, least: float = 1.0
) -> Array:
    """Periodic noise of standard deviation 1: power falls with frequency, longer along x."""
    white = np.fft.rfft2(chance.standard_normal((SIZE, SIZE)))
    v, u = np.meshgrid(
        np.fft.fftfreq(SIZE) * SIZE, np.fft.rfftfreq(SIZE) * SIZE * stretch, indexing="ij"
    )
    white *= np.maximum(np.hypot(u, v), least) ** -fall
    white[0, 0] = 0
    values = np.fft.irfft2(white, (SIZE, SIZE))
    return np.asarray(values / values.std())


def _axes() -> tuple[Array, Array]:
    turn = np.arange(SIZE) * (2 * np.pi / SIZE)
    return np.meshgrid(turn, turn)


def _rings(chance: np.random.Generator) -> Array:
    """Straight grain: bands across y that wander a little."""
    _, y = _axes()
    rings = int(chance.integers(20, 70))
    wander = _noise(chance, 1.8, 6.0) * chance.uniform(0.8, 3.0)
    return np.asarray(np.sin(rings * y + wander) + 0.4 * _noise(chance, 0.6, 12.0))


def _figure(chance: np.random.Generator) -> Array:
    """Flat-sawn wood: contour lines of a stretched landscape."""
    height = _noise(chance, 1.7, 5.0) * chance.uniform(4, 12)
    wave = height - np.floor(height)
    return np.asarray(np.minimum(wave, 6 * (1 - wave)) + 0.3 * _noise(chance, 0.6, 14.0))


def _knots(chance: np.random.Generator) -> Array:
    x, y = _axes()
    bend = np.zeros_like(x)
    dark = np.zeros_like(x)
    for _ in range(int(chance.integers(3, 9))):
        at_x, at_y = chance.uniform(0, 2 * np.pi, 2)
        near = np.exp(10 * (np.cos(x - at_x) * 0.3 + np.cos(y - at_y) - 1.3) * 3)
        bend += near * chance.uniform(6, 16)
        dark += near**2
    rings = int(chance.integers(15, 40))
    return np.asarray(
        np.sin(rings * y + bend + 1.5 * _noise(chance, 1.8, 5.0))
        - 2.0 * dark
        + 0.4 * _noise(chance, 0.6, 12.0)
    )


def _marble(chance: np.random.Generator) -> Array:
    return np.asarray(-(np.abs(_noise(chance, 1.5)) ** 0.5) + 0.3 * _noise(chance, 1.0))


def _mottle(chance: np.random.Generator) -> Array:
    """Cells of felted wool: folded noise of one size."""
    fine = cv2.GaussianBlur(chance.standard_normal((SIZE, SIZE)), (0, 0), 4)
    return np.asarray(np.abs(fine) ** 0.7)


def _weave(chance: np.random.Generator) -> Array:
    x, y = _axes()
    threads = int(chance.integers(80, 200))
    return np.asarray(
        np.sin(threads * x) * np.sin(threads * y)
        + 0.6 * _noise(chance, 0.3, 8.0)
        + 0.6 * _noise(chance, 0.3, 8.0).T
    )


def _stripes(chance: np.random.Generator) -> Array:
    _, y = _axes()
    wave = sum(
        np.sign(np.sin(int(chance.integers(3, 24)) * y + chance.uniform(0, 6))) * chance.uniform()
        for _ in range(3)
    )
    return np.asarray(wave + 0.15 * _noise(chance, 0.3))


def _checks(chance: np.random.Generator) -> Array:
    one = _stripes(chance)
    return np.asarray(one + one.T)


def _spots(chance: np.random.Generator) -> Array:
    x, y = _axes()
    count = int(chance.integers(8, 40))
    spots = np.sin(count * x) * np.sin(count * y) > chance.uniform(0.3, 0.8)
    return np.asarray(spots + 0.1 * _noise(chance, 0.3))


def _planks(chance: np.random.Generator) -> Array:
    """A table of boards laid side by side."""
    _, y = _axes()
    count = int(chance.integers(4, 9))
    plank = np.floor(y / (2 * np.pi) * count).astype(int)
    within = y / (2 * np.pi) * count - plank
    tone = chance.normal(0, 0.7, count)[plank % count]
    gap = -3.0 * (within < 0.03)
    return np.asarray(tone + gap + 0.8 * _figure(chance) + 0.3 * _noise(chance, 0.6, 12.0))


def _blossoms(chance: np.random.Generator) -> Array:
    """A printed cloth: rosettes scattered about."""
    canvas = np.zeros((SIZE, SIZE), np.float32)
    for _ in range(int(chance.integers(30, 90))):
        x, y = (int(v) for v in chance.integers(0, SIZE, 2))
        radius, shade = int(chance.integers(12, 50)), float(chance.uniform(-1, 1))
        for petal in np.arange(int(chance.integers(4, 7))):
            spot = (x + int(radius * np.cos(petal * 1.3)), y + int(radius * np.sin(petal * 1.3)))
            cv2.circle(canvas, spot, radius // 2, shade, -1)
    return np.asarray(canvas + 0.1 * _noise(chance, 0.3))


_PATTERNS: Final[dict[str, Callable[[np.random.Generator], Array]]] = {
    "plain": lambda chance: _noise(chance, 0.7),
    "felt": lambda chance: _noise(chance, 0.35),
    "fibre": lambda chance: _noise(chance, 0.5, 16.0),
    "clouds": lambda chance: _noise(chance, 1.6),
    "rings": _rings,
    "figure": _figure,
    "knots": _knots,
    "marble": _marble,
    "mottle": _mottle,
    "weave": _weave,
    "stripes": _stripes,
    "checks": _checks,
    "spots": _spots,
    "planks": _planks,
    "blossoms": _blossoms,
}
WOODS: Final = ("rings", "figure", "knots", "fibre", "plain")
"""What a board may show."""
CLOTHS: Final = tuple(_PATTERNS)
"""What a table or its cloth may show."""
