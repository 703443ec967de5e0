"""What a Pi camera is told: which part of its sensor to use, and when to look at the light anew.

Field of view. A sensor has fast modes that see only its middle. `full_field` takes one that sees
all of it. Pictures are 4 to 3: of a sensor of 16 to 9 the camera then gives the middle, with all of
the height and three quarters of the width, and nothing is distorted. A board is as high as it is
wide, so the height is what counts, and of pictures with as many pixels this shape has most rows.

Light. A camera that adapts all the time makes a white house grey when a dark sleeve comes in, so
everything is locked once it has settled. But a lamp that is switched on later must not blind it
for ever:

    state      for                             then
    ────────────────────────────────────────────────────────────────
    settling   so many frames                  locked
    locked     light out of range for `OFF_S`  settling

The range is wide. Where the light found was out of it already, as on a black cloth at night, the
range reaches half way further, or it would be measured again and again. A focus that was found in
such light is found anew as well; otherwise the focus stays, as a hand may be nearest just then.

Everything here is pure; the names of controls are libcamera's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final

import numpy as np

from vision.geometry import Image

OFF_S: Final = 3.0
"""Light that is out of range for so long is no sleeve."""
DIMMEST, BRIGHTEST = 40.0, 190.0
"""Medians of a picture, of 255. Left alone, cameras make them about 110."""
_WHITE: Final = 255.0
_EVERY_PX: Final = 997
"""One value in so many is enough; it is odd and no multiple of a row, so all are met."""
_NEARLY_ALL: Final = 0.98
"""A mode that sees this share of the largest field has lost a few rows, and not its view."""

FOCUS: Final[dict[str, Any]] = {"AfMode": 2}  # all the time
_FREE: Final[dict[str, Any]] = {
    "AeEnable": True,
    "AwbEnable": True,
    "ExposureTimeMode": 0,
    "AnalogueGainMode": 0,
}
_BY_HAND: Final[dict[str, Any]] = {
    "AeEnable": False,
    "AwbEnable": False,
    "ExposureTimeMode": 1,  # since libcamera 0.5 nothing is locked by AeEnable alone
    "AnalogueGainMode": 1,
    "AfMode": 0,
}
_FOUND: Final = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")


def full_field(modes: Sequence[Mapping[str, Any]], size_wh: tuple[int, int]) -> dict[str, Any]:
    """Of picamera2's sensor modes the smallest that sees all and is no smaller than the picture.

    >>> fast = {"size": (1536, 864), "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)}
    >>> half = {"size": (2304, 1296), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)}
    >>> full_field([fast, half, half | {"size": (4608, 2592)}], (1280, 960))
    {'output_size': (2304, 1296), 'bit_depth': 10}
    """

    def field(mode: Mapping[str, Any]) -> int:
        _, _, wide, high = mode["crop_limits"]
        return int(wide * high)

    def fitness(mode: Mapping[str, Any]) -> tuple[bool, int, int]:
        wide, high = mode["size"]
        is_enough = wide >= size_wh[0] and high >= size_wh[1]
        return is_enough, wide * high * (-1 if is_enough else 1), mode["bit_depth"]

    known = [mode for mode in modes if "crop_limits" in mode]
    if not known:
        return {}
    most = max(map(field, known))
    best = max((mode for mode in known if field(mode) >= _NEARLY_ALL * most), key=fitness)
    return {"output_size": best["size"], "bit_depth": best["bit_depth"]}


class Order(Enum):
    LOCK = auto()
    METER = auto()
    METER_AND_FOCUS = auto()


def controls_for(order: Order, found: Mapping[str, Any]) -> dict[str, Any]:
    """What to set; `found` is the metadata of a frame, and locked as it is there."""
    match order:
        case Order.LOCK:
            return _BY_HAND | {name: found[name] for name in _FOUND if name in found}
        case Order.METER:
            return _FREE
        case Order.METER_AND_FOCUS:
            return _FREE | FOCUS


class Metering:
    """When to lock and when to measure again; to be shown every frame."""

    def __init__(self, settling_frames: int) -> None:
        self._settling_frames = self._left = settling_frames
        self._range = DIMMEST, BRIGHTEST
        self._is_focus_good = True
        self._off_since_s: float | None = None

    def judge(self, image: Image, now_s: float) -> Order | None:
        level = float(np.median(image.flat[::_EVERY_PX]))
        if self._left >= 0:
            self._left -= 1
            if self._left >= 0:
                return None
            self._range = min(DIMMEST, level / 2), max(BRIGHTEST, (level + _WHITE) / 2)
            self._is_focus_good = DIMMEST <= level <= BRIGHTEST
            self._off_since_s = None
            return Order.LOCK
        least, most = self._range
        if least <= level <= most:
            self._off_since_s = None
            return None
        if self._off_since_s is None:
            self._off_since_s = now_s
        if now_s - self._off_since_s <= OFF_S:
            return None
        self._left = self._settling_frames
        return Order.METER if self._is_focus_good else Order.METER_AND_FOCUS
