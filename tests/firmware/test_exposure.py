"""Which part of a sensor is used, and when its light is measured anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from firmware.exposure import (
    BRIGHTEST,
    DIMMEST,
    OFF_S,
    Metering,
    Order,
    controls_for,
    full_field,
)
from vision.geometry import Image

FRAME_S = 0.2
SETTLING = 5
SIZE_WH = (1280, 960)


def mode(size_wh: tuple[int, int], field: tuple[int, int], bits: int = 10) -> dict[str, Any]:
    return {"size": size_wh, "bit_depth": bits, "crop_limits": (0, 0, *field), "fps": 30.0}


@pytest.mark.parametrize(
    ("modes", "chosen"),
    [
        pytest.param(
            [
                mode((1536, 864), (3072, 1728)),
                mode((2304, 1296), (4608, 2592)),
                mode((4608, 2592), (4608, 2592)),
            ],
            ((2304, 1296), 10),
            id="imx708",
        ),
        pytest.param(
            [
                mode((640, 480), (1280, 960)),
                mode((1640, 1232), (3280, 2464), 8),
                mode((1640, 1232), (3280, 2464)),
                mode((1920, 1080), (1920, 1080)),
                mode((3280, 2464), (3280, 2464)),
            ],
            ((1640, 1232), 10),
            id="imx219",
        ),
        pytest.param(
            [
                mode((1332, 990), (2664, 1980)),
                mode((2028, 1080), (4056, 2160), 12),
                mode((2028, 1520), (4056, 3040), 12),
                mode((4056, 3040), (4056, 3040), 12),
            ],
            ((2028, 1520), 12),
            id="imx477",
        ),
        pytest.param(
            [mode((2328, 1744), (4656, 3488)), mode((4656, 3496), (4656, 3496))],
            ((2328, 1744), 10),
            id="a few rows less",
        ),
        pytest.param(
            [mode((640, 480), (2560, 1920)), mode((1280, 720), (2560, 1920))],
            ((1280, 720), 10),
            id="none is large enough",
        ),
    ],
)
def test_the_whole_field_is_seen_with_as_few_pixels_as_do(
    modes: list[dict[str, Any]], chosen: tuple[tuple[int, int], int]
) -> None:
    for given in (modes, modes[::-1]):
        assert full_field(given, SIZE_WH) == {"output_size": chosen[0], "bit_depth": chosen[1]}


@pytest.mark.parametrize("modes", [[], [{"format": "MJPEG"}]])
def test_a_camera_that_tells_no_modes_chooses_itself(modes: list[dict[str, Any]]) -> None:
    assert full_field(modes, SIZE_WH) == {}


def picture(level: float) -> Image:
    noise = np.random.default_rng(1).normal(0, 8, (240, 320, 3))
    return np.asarray(np.clip(level + noise, 0, 255), np.uint8)


class Lamp:
    """A metering that is shown pictures of some light, with what it ordered and when."""

    def __init__(self) -> None:
        self.metering = Metering(SETTLING)
        self.now_s = 50.0

    def shine(self, level: float, seconds: float) -> list[tuple[float, Order]]:
        start_s, image = self.now_s, picture(level)
        orders = []
        while self.now_s < start_s + seconds - FRAME_S / 2:
            self.now_s += FRAME_S
            order = self.metering.judge(image, self.now_s)
            if order is not None:
                orders.append((round(self.now_s - start_s, 3), order))
        return orders

    def settle(self, level: float = 110) -> None:
        assert [order for _, order in self.shine(level, 3)] == [Order.LOCK]


def test_it_locks_once_when_it_has_settled() -> None:
    lamp = Lamp()
    assert lamp.shine(110, SETTLING * FRAME_S) == []
    assert lamp.shine(110, 20) == [(FRAME_S, Order.LOCK)]


@pytest.mark.parametrize("level", [5, DIMMEST - 10, BRIGHTEST + 10, 255])
def test_light_that_stays_out_of_range_is_measured_anew_and_locked(level: float) -> None:
    lamp = Lamp()
    lamp.settle()
    ((ordered_s, order),) = lamp.shine(level, OFF_S + 2 * FRAME_S)
    assert order is Order.METER
    assert OFF_S < ordered_s <= OFF_S + 2 * FRAME_S
    lamp.settle()
    assert lamp.shine(110, 20) == []


def test_a_sleeve_for_a_moment_changes_nothing() -> None:
    lamp = Lamp()
    lamp.settle()
    for _ in range(5):
        assert lamp.shine(10, OFF_S) == []
        assert lamp.shine(110, 0.4) == []


@pytest.mark.parametrize("level", [DIMMEST + 3, 80, 150, BRIGHTEST - 3])
def test_a_lamp_that_can_be_borne_changes_nothing(level: float) -> None:
    lamp = Lamp()
    lamp.settle()
    assert lamp.shine(level, 30) == []


@pytest.mark.parametrize("level", [14, 245])
def test_where_it_cannot_get_better_it_is_not_measured_for_ever(level: float) -> None:
    lamp = Lamp()
    lamp.settle()
    assert [order for _, order in lamp.shine(level, 60)] == [Order.METER, Order.LOCK]


@pytest.mark.parametrize(("before", "after"), [(14, 255), (14, 2), (245, 10)])
def test_a_focus_found_in_bad_light_is_found_anew(before: float, after: float) -> None:
    lamp = Lamp()
    lamp.settle(before)
    assert [order for _, order in lamp.shine(after, OFF_S + 2 * FRAME_S)] == [Order.METER_AND_FOCUS]


@pytest.mark.parametrize("shape", [(5,), (9, 7), (4, 4, 4)])
def test_what_is_no_picture_is_left_to_others(shape: tuple[int, ...]) -> None:
    metering = Metering(SETTLING)
    junk = np.zeros(shape, np.uint8)
    assert {metering.judge(junk, second) for second in range(SETTLING)} == {None}


def test_what_is_locked_is_what_was_found() -> None:
    found = {"ExposureTime": 9000, "ColourGains": (1.5, 1.8), "Lux": 80}
    controls = controls_for(Order.LOCK, found)
    assert controls["ExposureTime"] == 9000
    assert controls["ColourGains"] == (1.5, 1.8)
    assert not {"Lux", "LensPosition"} & set(controls)
    assert (controls["AeEnable"], controls["ExposureTimeMode"]) == (False, 1)


def test_what_is_free_adapts_and_the_focus_only_where_it_has_to() -> None:
    found = {"ExposureTime": 9000}
    free = controls_for(Order.METER, found)
    assert free.keys() == {"AeEnable", "AwbEnable", "ExposureTimeMode", "AnalogueGainMode"}
    assert controls_for(Order.METER_AND_FOCUS, found) == free | {"AfMode": 2}
