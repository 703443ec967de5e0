"""Colours by chance, as reflectance in linear light, blue first."""

from __future__ import annotations

import colorsys

import numpy as np
from numpy.typing import NDArray

from vision.scene.table import Bgr

Rng = np.random.Generator
Array = NDArray[np.float64]


def bgr(colour: Array) -> Bgr:
    blue, green, red = (float(c) for c in colour)
    return blue, green, red


def hsv(hue: float, saturation: float, value: float) -> Bgr:
    """A colour as people name it (in sRGB), as reflectance."""
    rgb = np.array(colorsys.hsv_to_rgb(hue % 1, float(saturation), float(value)))
    return bgr(rgb[::-1] ** 2.2)


def scaled(tint: Bgr, by: float) -> Bgr:
    return bgr(np.clip(np.array(tint) * by, 0, 0.97))


def around_one(rng: Rng, spread: float) -> Bgr:
    return bgr(np.clip(rng.normal(1, spread, 3), 0, 2.5))


def glow(rng: Rng, spread: float) -> Bgr:
    """A lamp between candle and north sky, green kept at 1."""
    warm = rng.normal(0, spread)
    return float(np.exp(-warm)), float(np.exp(rng.normal(0, 0.03))), float(np.exp(warm))
