"""What happens to a picture at a kitchen table: worse light, a nudge, a lamp's mirror, an arm."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.geometry import Image

Disturb = Callable[[Image], Image]


def _scaled(blue: float, green: float, red: float) -> Disturb:
    return lambda image: _clip(image.astype(np.float32) * np.array([blue, green, red], np.float32))


def _blurred(image: Image) -> Image:
    return np.asarray(cv2.blur(image, (5, 5)), np.uint8)


def _noisy(image: Image) -> Image:
    # Seeded by the picture itself: every frame has noise of its own, and a run can be repeated.
    rng = np.random.default_rng(int(image[::16, ::16].sum()))
    return _clip(image.astype(np.float32) + 25 * rng.standard_normal(image.shape, np.float32))


def _shifted(image: Image) -> Image:
    height, width = image.shape[:2]
    nudge = np.array([[1, 0, 15], [0, 1, 15]], np.float32)
    border = cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpAffine(image, nudge, (width, height), borderMode=border), np.uint8)


def _uneven(image: Image) -> Image:
    ramp = np.linspace(0.45, 1.1, image.shape[1], dtype=np.float32)
    return _clip(image.astype(np.float32) * ramp[np.newaxis, :, np.newaxis])


def _glare(image: Image) -> Image:
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = np.hypot(x - 0.55 * width, y - 0.5 * height) / (0.16 * width)
    return _clip(image.astype(np.float32) + 200 * np.clip(1 - away, 0, 1)[..., np.newaxis])


def _arm(image: Image) -> Image:
    """A sleeve from the top right corner, a fifth of the picture in."""
    height, width = image.shape[:2]
    tip = (round(0.8 * width), round(0.2 * height))
    covered = image.copy()
    cv2.line(covered, (width, 0), tip, (60, 70, 110), round(0.09 * width), cv2.LINE_AA)
    cv2.circle(covered, tip, round(0.05 * width), (120, 150, 200), -1, cv2.LINE_AA)
    return covered


def _clip(values: np.typing.NDArray[np.float32]) -> Image:
    return np.clip(values, 0, 255).astype(np.uint8)


DISTURBANCES: dict[str, Disturb] = {
    "dark": _scaled(0.5, 0.5, 0.5),
    "bright": _scaled(1.6, 1.6, 1.6),
    "warm": _scaled(0.70, 1, 1.15),
    "cool": _scaled(1.15, 1, 0.75),
    "blur": _blurred,
    "noise": _noisy,
    "shift": _shifted,
    "gradient": _uneven,
    "glare": _glare,
    "arm": _arm,
}
