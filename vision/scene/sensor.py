"""What the camera makes of the light: blur, noise, tone, sharpening and JPEG.

Noise is cut from a pool of normal numbers at a place the generator chooses: drawing four million
new ones would take longer than the rest of the picture.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.table import Sensor

MOST: Final = np.float32(4.0)
"""What a lens scatters from a glare is no more than this many times white."""
POOL: Final = 1.25
"""The pool's side against the picture's."""


def expose(
    radiance: NDArray[np.float32], sensor: Sensor, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Light in, picture out; light of 1 is white."""
    high, wide = radiance.shape[:2]
    image: cv2.typing.MatLike = np.minimum(radiance, MOST)
    if sensor.blur_px > 0.25:
        image = cv2.GaussianBlur(image, (0, 0), sensor.blur_px)
    if sensor.smear_px != (0.0, 0.0):
        image = cv2.filter2D(image, -1, _smear(sensor.smear_px))
    deviation = np.asarray(image) * np.float32(sensor.shot_noise)
    deviation += np.float32(sensor.read_noise**2)
    cv2.sqrt(deviation, deviation)
    noise = _pool(int(high * POOL), int(wide * POOL), sensor.noise_grain)
    top = int(rng.integers(noise.shape[0] - high + 1))
    left = int(rng.integers(noise.shape[1] - wide + 1))
    piece = noise[top : top + high, left : left + wide]
    if rng.integers(2):
        piece = piece[::-1]
    # In place from here on: each picture of floating light is fifteen megabytes.
    deviation *= piece
    root = np.asarray(cv2.add(image, deviation, image))
    np.clip(root, 0, 1, out=root)
    cv2.sqrt(root, root)
    eight = cv2.convertScaleAbs(root, alpha=255)
    toned = cv2.LUT(eight, _curve(sensor.gamma, sensor.contrast, sensor.black))
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(toned, (0, 0), 1.2)
        toned = cv2.addWeighted(toned, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    if sensor.jpeg < 100:
        _, data = cv2.imencode(".jpg", toned, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert decoded is not None  # we have just encoded it
        toned = decoded
    return np.asarray(toned, np.uint8)


@lru_cache(maxsize=8)
def _pool(high: int, wide: int, grain: int) -> NDArray[np.float32]:
    noise = np.random.default_rng(grain).standard_normal((high, wide, 3), np.float32)
    if grain:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.45 + 0.25 * grain), np.float32)
        noise /= noise.std()
        # What a camera's denoising leaves is more brightness than colour.
        noise = 0.6 * noise + 0.6 * noise.mean(axis=2, keepdims=True) * np.float32(np.sqrt(3))
    return np.asarray(noise, np.float32)


@lru_cache(maxsize=64)
def _curve(gamma: float, contrast: float, black: float) -> NDArray[np.uint8]:
    """From square roots of light to what is stored."""
    light = (np.arange(256) / 255.0) ** 2
    tone = light ** (1 / gamma)
    tone = tone + contrast * tone * (1 - tone) * (2 * tone - 1) * 2
    tone = black + (1 - black) * tone
    return np.asarray(np.clip(tone * 255 + 0.5, 0, 255), np.uint8)


def _smear(way_px: tuple[float, float]) -> NDArray[np.float32]:
    """A camera that moved while it looked."""
    reach = int(np.ceil(max(map(abs, way_px)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for step in np.linspace(-0.5, 0.5, 15):
        x, y = reach + way_px[0] * step, reach + way_px[1] * step
        kernel[round(float(y)), round(float(x))] += 1
    return np.asarray(kernel / kernel.sum(), np.float32)
