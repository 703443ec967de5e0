"""The Pi camera against the real picamera2's names and arguments, where that is installed.

It needs libcamera's bindings, which only a Raspberry Pi has, so those are stood in for, and what
else of its C libraries is missing; `pip install --no-deps picamera2` and its plain Python
dependencies are enough. Nothing of it runs: an autospec refuses every name and every argument that
the real class does not have.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any
from unittest.mock import MagicMock, create_autospec, patch

import numpy as np
import pytest

from firmware.camera import FPS, PATIENCE_S, SETTLING_FRAMES, SIZE_WH, Pace, PiCamera
from firmware.exposure import OFF_S

STOOD_IN_FOR = ("libcamera", "pykms", "prctl")
KNOWN = "AeEnable AwbEnable AfMode ExposureTime ExposureTimeMode AnalogueGain ColourGains"
MODES = [
    {"size": (1536, 864), "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)},
    {"size": (2304, 1296), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
]


@pytest.fixture(scope="module")
def library() -> Iterator[Any]:
    """An autospec of the class."""
    if find_spec("picamera2") is None:
        pytest.skip("picamera2 is not installed: its names and arguments are NOT checked")
    missing = {name: MagicMock(name=name) for name in STOOD_IN_FOR if find_spec(name) is None}
    with patch.dict(sys.modules, missing), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are not ours
        try:
            real = importlib.import_module("picamera2").Picamera2
        except ImportError as error:
            pytest.skip(f"picamera2 cannot be imported ({error}): its names are NOT checked")
        yield create_autospec(real, spec_set=True)


class Film:
    """What the sensor sees, and the time of it."""

    def __init__(self) -> None:
        self.now_s, self.level = 0.0, 128

    def clock(self) -> float:
        self.now_s += 1 / FPS
        return self.now_s

    def frame(self, *_: object, **__: object) -> Any:
        return np.full((SIZE_WH[1], SIZE_WH[0], 3), self.level, np.uint8)


def test_what_is_called_is_there_and_takes_what_it_is_given(library: Any) -> None:
    film, device = Film(), library.return_value
    device.camera_properties = {"ColorFilterArrangement": 2}
    device.camera_controls = dict.fromkeys(KNOWN.split())
    device.sensor_modes = MODES
    device.capture_array.side_effect = film.frame
    device.capture_metadata.return_value = {"ExposureTime": 9000, "AnalogueGain": 2.0}

    camera = PiCamera(SIZE_WH, Pace(FPS, film.clock, lambda _: None), library)
    (setup,) = device.configure.call_args.args
    assert setup is device.create_video_configuration.return_value
    wanted = device.create_video_configuration.call_args.kwargs
    assert wanted["main"] == {"size": SIZE_WH, "format": "RGB888"}
    assert wanted["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
    for level in (128, 255):
        film.level = level
        for _ in range(SETTLING_FRAMES + round(FPS * OFF_S) + 2):
            assert camera.read().image_bgr[0, 0, 0] == level
    assert [told.args[0]["AeEnable"] for told in device.set_controls.call_args_list] == [
        False,
        True,
    ]
    device.capture_array.assert_called_with("main", wait=PATIENCE_S)
    camera.close()
    device.close.assert_called_once_with()


def test_a_name_that_is_not_there_would_be_noticed(library: Any) -> None:
    device = library.return_value
    with pytest.raises(AttributeError):
        device.capture_picture()
    with pytest.raises(TypeError):
        device.capture_array("main", timeout=2.0)
