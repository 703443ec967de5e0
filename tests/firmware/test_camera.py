"""Cameras that work, that fail in every way a cable can, and that come back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import cv2
import numpy as np
import pytest

from firmware import camera as cameras
from firmware.camera import (
    FAILURES,
    GLITCHES,
    PATIENCE_S,
    SETTLING_FRAMES,
    Camera,
    CameraTrouble,
    Fault,
    FolderCamera,
    Pace,
    PiCamera,
    SteadyCamera,
    UsbCamera,
    open_camera,
)
from rules.errors import BadSetting, ParkwardenError
from vision.frame import Frame
from vision.geometry import Image

SIZE_WH = (320, 240)


def noisy(seed: int = 0) -> Image:
    return np.random.default_rng(seed).integers(0, 256, (240, 320, 3), np.uint8)


class Time:
    """A clock on which only sleeping takes time."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_s += seconds

    def pace(self) -> Pace:
        return Pace(5.0, self.clock, self.sleep)


class Scripted:
    """A camera that shows these pictures, four a second, or fails where an error stands."""

    def __init__(self, time: Time, script: Iterable[Any]) -> None:
        self.time, self.script = time, iter(script)
        self.closed = 0

    def read(self) -> Frame:
        self.time.sleep(0.25)
        shown = next(self.script)
        if isinstance(shown, CameraTrouble):
            raise shown
        return Frame(shown, self.time.clock(), 7)

    def close(self) -> None:
        self.closed += 1


def steady(time: Time, *scripts: Iterable[Any]) -> tuple[SteadyCamera, list[Scripted]]:
    """A camera that has a new script each time it is opened, and those that were opened."""
    opened: list[Scripted] = []
    left = iter(scripts)

    def open_() -> Camera:
        opened.append(Scripted(time, next(left)))
        return opened[-1]

    return SteadyCamera(open_, time.clock, time.sleep), opened


def trouble_of(camera: Camera) -> CameraTrouble:
    with pytest.raises(CameraTrouble) as raised:
        camera.read()
    return raised.value


UNPLUGGED = CameraTrouble(Fault.UNPLUGGED, "gone")


def test_trouble_is_an_oserror_of_ours_with_its_reason() -> None:
    assert isinstance(UNPLUGGED, OSError)
    assert isinstance(UNPLUGGED, ParkwardenError)
    assert (UNPLUGGED.reason, str(UNPLUGGED)) == ("unplugged", "camera unplugged: gone")


def test_a_steady_camera_opens_late_and_counts_its_frames() -> None:
    camera, opened = steady(Time(), [noisy(1), noisy(2), noisy(3)])
    assert opened == []
    assert [camera.read().number for _ in range(3)] == [0, 1, 2]
    camera.close()
    camera.close()
    assert [one.closed for one in opened] == [1]


def test_what_failed_is_closed_and_opened_again_and_numbers_go_on() -> None:
    time = Time()
    camera, opened = steady(time, [noisy(1), UNPLUGGED], [noisy(2)])
    assert camera.read().number == 0
    assert trouble_of(camera).reason == "unplugged"
    assert [one.closed for one in opened] == [1]
    assert camera.read().number == 1
    assert time.slept[-2:] == [0.5, 0.25], "it waits before it tries again"


def test_waiting_grows_and_no_read_takes_longer_than_the_patience() -> None:
    time = Time()
    camera, opened = steady(time, *([UNPLUGGED] for _ in range(9)))
    tries = []
    for _ in range(20):
        before_s, count = time.now_s, len(opened)
        assert trouble_of(camera).reason == "unplugged"
        assert time.now_s - before_s <= PATIENCE_S + 0.25
        if len(opened) > count:
            tries.append(time.now_s)
    assert np.diff(tries).tolist()[:6] == [0.75, 1.25, 2.25, 4.25, 5.25, 5.25]


def test_a_frame_makes_the_next_wait_short_again() -> None:
    time = Time()
    scripts = [[UNPLUGGED]] * 4 + [[noisy(1), UNPLUGGED]] + [[noisy(2)]]
    camera, _ = steady(time, *scripts)
    frames = 0
    while frames == 0:
        try:
            camera.read()
            frames += 1
        except CameraTrouble:
            continue
    trouble_of(camera)
    camera.read()
    assert time.slept[-2:] == [0.5, 0.25]


def test_the_same_bytes_for_seconds_are_a_frozen_camera_until_they_change() -> None:
    still = noisy(1)
    camera, opened = steady(Time(), [still.copy() for _ in range(10)], [still.copy()], [noisy(2)])
    for _ in range(9):
        camera.read()  # two seconds are believed
    assert trouble_of(camera).reason == "frozen"
    assert trouble_of(camera).reason == "frozen", "opened again, it shows the same: still frozen"
    camera.read()
    assert len(opened) == 3


def test_a_picture_that_changes_now_and_then_is_alive() -> None:
    shots = [noisy(n // 9) for n in range(60)]
    camera, _ = steady(Time(), shots)
    assert [camera.read().number for _ in shots][-1] == 59


@pytest.mark.parametrize(
    "junk",
    [
        pytest.param(np.full((240, 320, 3), 77, np.uint8), id="one value"),
        pytest.param(noisy()[..., 0], id="grey"),
        pytest.param(noisy()[:20], id="cut off"),
        pytest.param(noisy().astype(np.float32), id="floats"),
        pytest.param(None, id="nothing"),
    ],
)
def test_garbage_is_no_picture_but_a_single_glitch_is_passed_over(junk: Any) -> None:
    camera, _ = steady(Time(), [junk, noisy(1)] + [junk] * GLITCHES)
    assert camera.read().number == 0
    assert trouble_of(camera).reason == "garbage"


def test_only_known_words_name_a_camera() -> None:
    time = Time()
    for words in ("", "pie", "usb", "usb:", "usb:front", "folder:", "simulated"):
        with pytest.raises(BadSetting, match="usb:/dev/video2"):
            open_camera(words, time.clock, time.sleep)


def test_without_its_library_a_pi_camera_is_missing() -> None:
    time = Time()
    trouble = trouble_of(open_camera("pi", time.clock, time.sleep))
    assert trouble.reason == "missing"
    assert "python3-picamera2" in str(trouble)


class FakePicamera:
    """As much of `Picamera2` as we use, with its names and its ways to fail."""

    def __init__(self) -> None:
        # FrameRate is a control and not among them: the library makes another of it.
        names = "AeEnable AwbEnable ExposureTime AnalogueGain ColourGains"
        self.camera_controls = dict.fromkeys(
            f"{names} AfMode LensPosition ExposureTimeMode".split()
        )
        self.camera_properties = {"Model": "imx708", "ColorFilterArrangement": 2}
        self.did: list[Any] = []
        self.dead: Exception | None = None
        self.level = 128

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        if "ColorFilterArrangement" not in self.camera_properties:
            raise AttributeError("'NoneType' object has no attribute 'at'")
        whole = {"bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)}
        middle = {"bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)}
        return [
            {"size": (1536, 864), **middle},
            {"size": (2304, 1296), **whole},
            {"size": (4608, 2592), **whole},
        ]

    def create_video_configuration(self, main: Any, sensor: Any, controls: Any) -> Any:
        return {"main": main, "sensor": sensor, "controls": controls}

    def configure(self, setup: Any) -> None:
        self.did.append(setup)

    def start(self) -> None:
        self.did.append("start")

    def close(self) -> None:
        self.did.append("close")

    def capture_array(self, name: str, wait: float) -> Image:
        assert (name, wait) == ("main", PATIENCE_S)
        if self.dead is not None:
            raise self.dead
        return np.asarray(noisy() // 64 + self.level, np.uint8)

    def capture_metadata(self, wait: float) -> dict[str, Any]:
        gains = {"AnalogueGain": 2.0, "ColourGains": (1.5, 1.8)}
        return {"ExposureTime": 9000, **gains, "LensPosition": 1.7, "Lux": 80}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.did.append(controls)


def test_a_pi_camera_is_locked_once_it_has_settled() -> None:
    library = FakePicamera()
    camera = PiCamera(SIZE_WH, Time().pace(), lambda: library)
    assert library.did == [
        {
            "main": {"size": SIZE_WH, "format": "RGB888"},
            "sensor": {"output_size": (2304, 1296), "bit_depth": 10},
            "controls": {"FrameRate": 5.0, "AfMode": 2},
        },
        "start",
    ]
    for number in range(SETTLING_FRAMES + 5):
        assert camera.read().number == number
    assert library.did[2:] == [
        {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTimeMode": 1,
            "AfMode": 0,
            "ExposureTime": 9000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.8),
            "LensPosition": 1.7,
        }
    ], "once, with what this camera has"
    camera.close()
    assert library.did[-1] == "close"


def test_a_pi_camera_that_is_blinded_by_a_lamp_looks_at_the_light_anew() -> None:
    library, time = FakePicamera(), Time()
    camera = PiCamera(SIZE_WH, time.pace(), lambda: library)

    def told(seconds: float) -> list[Any]:
        before = len(library.did)
        for _ in range(round(5 * seconds)):
            time.sleep(0.2)
            camera.read()
        return library.did[before:]

    (lock,) = told(10)
    library.level = 250
    free = {"AeEnable": True, "AwbEnable": True, "ExposureTimeMode": 0}
    assert told(2) == []
    assert told(3) == [free], "and the focus stays"
    library.level = 128
    assert told(10) == [lock]


def test_a_picture_that_plays_a_pi_camera_is_not_asked_for_its_sensor() -> None:
    library = FakePicamera()
    library.camera_properties.pop("ColorFilterArrangement")
    PiCamera(SIZE_WH, Time().pace(), lambda: library).close()
    assert library.did[0]["sensor"] == {}


@pytest.mark.parametrize("death", [TimeoutError(), RuntimeError("camera gone"), OSError("bus")])
def test_a_pi_camera_that_gives_no_frame_is_unplugged(death: Exception) -> None:
    library = FakePicamera()
    camera = PiCamera(SIZE_WH, Time().pace(), lambda: library)
    library.dead = death
    assert trouble_of(camera).reason == "unplugged"


def test_no_pi_camera_is_missing_and_one_that_does_not_start_is_let_go() -> None:
    def none_there() -> Any:
        raise IndexError("list index out of range")

    with pytest.raises(CameraTrouble, match="ribbon"):
        PiCamera(SIZE_WH, Time().pace(), none_there)
    library = FakePicamera()
    library.start = lambda: (_ for _ in ()).throw(RuntimeError("busy"))  # type: ignore[method-assign]
    with pytest.raises(CameraTrouble, match="busy"):
        PiCamera(SIZE_WH, Time().pace(), lambda: library)
    assert library.did[-1] == "close"


class FakeCapture:
    """A `cv2.VideoCapture` whose frames are numbers in a picture's first pixel."""

    def __init__(self, device: int | str, backend: int) -> None:
        self.device, self.backend = device, backend
        self.settings: dict[int, float] = {}
        self.asked = self.grabbed = 0
        self.decoded: list[int] = []
        self.plugged = True
        self.released = threading.Event()
        self.next = threading.Semaphore(0)
        """Released once for each frame the driver makes."""
        self.is_fast = False
        """It makes them as fast as they are taken."""

    def isOpened(self) -> bool:  # noqa: N802
        return self.device != 9

    def set(self, name: int, value: float) -> bool:
        self.settings[name] = value
        return True

    def grab(self) -> bool:
        self.asked += 1
        if self.is_fast:
            sleep(0.001)
        elif self.plugged:
            self.next.acquire(timeout=5)
        self.grabbed += 1
        return self.plugged

    def retrieve(self) -> tuple[bool, Image | None]:
        self.decoded.append(self.grabbed)
        image = noisy(self.grabbed)
        image[0, 0] = self.grabbed
        return True, image

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def usb() -> Iterable[Callable[..., tuple[UsbCamera, FakeCapture, Time]]]:
    made: list[tuple[UsbCamera, FakeCapture]] = []

    def make(device: int | str = 0) -> tuple[UsbCamera, FakeCapture, Time]:
        captures: list[FakeCapture] = []

        def library(device: int | str, backend: int) -> FakeCapture:
            captures.append(FakeCapture(device, backend))
            return captures[-1]

        time = Time()
        camera = UsbCamera(device, SIZE_WH, time.pace(), library)
        made.append((camera, captures[0]))
        return camera, captures[0], time

    yield make
    for camera, capture in made:
        capture.plugged = False
        capture.next.release()
        camera.close()


Make = Callable[..., tuple[UsbCamera, FakeCapture, Time]]


def test_a_usb_camera_gives_the_newest_frame_and_decodes_no_other(usb: Make) -> None:
    camera, capture, _ = usb("/dev/video2")
    assert capture.device == "/dev/video2"
    assert capture.settings[cv2.CAP_PROP_FRAME_WIDTH] == 320
    capture.next.release(30)  # a second nobody looked
    while capture.asked < 31:
        sleep(0.001)
    threading.Timer(0.1, capture.next.release).start()
    frame = camera.read()
    assert frame.image_bgr[0, 0, 0] == 31
    assert capture.decoded == [31]
    threading.Timer(0.1, capture.next.release).start()
    assert camera.read().number == frame.number + 1


def test_a_usb_camera_is_asked_five_times_a_second_however_fast_it_is(usb: Make) -> None:
    camera, capture, time = usb()
    capture.is_fast = True
    capture.next.release()
    start_s = time.now_s
    for _ in range(11):
        camera.read()
    assert time.now_s - start_s == pytest.approx(2.0)


def test_an_unplugged_usb_camera_is_let_go(usb: Make) -> None:
    camera, capture, time = usb()
    capture.plugged = False
    capture.next.release()
    assert trouble_of(camera).reason == "unplugged"
    assert capture.released.wait(5), "so that it can be opened again"
    assert capture.grabbed == FAILURES
    assert time.slept.count(0.1) == FAILURES, "it does not spin"


def test_a_usb_camera_that_hangs_is_given_up(usb: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "PATIENCE_S", 0.05)
    camera, _, _ = usb()
    assert trouble_of(camera).reason == "unplugged"


def test_no_usb_camera_is_missing(usb: Make) -> None:
    with pytest.raises(CameraTrouble, match="plug one in"):
        usb(9)


def test_a_real_capture_that_finds_nothing_is_missing() -> None:
    time = Time()
    camera = open_camera("usb:/dev/no-such-camera", time.clock, time.sleep)
    assert trouble_of(camera).reason == "missing"


def save(folder: Path, name: str, image: Image) -> None:
    (folder / name).write_bytes(cv2.imencode(".png", image)[1].tobytes())


def test_a_folder_is_shown_in_order_and_stays_on_its_last_picture(tmp_path: Path) -> None:
    for number in range(3):
        save(tmp_path, f"{number:02d}.png", noisy(number))
    time = Time()
    camera = open_camera(f"folder:{tmp_path}", time.clock, time.sleep)
    frames = [camera.read() for _ in range(30)]
    assert [frame.number for frame in frames] == list(range(30))
    assert np.diff([frame.taken_s for frame in frames]) == pytest.approx(0.2)
    for number, frame in enumerate(frames):
        assert np.array_equal(frame.image_bgr, noisy(min(number, 2)))
    assert [frame.is_still for frame in frames[:5]] == [True, True, True, False, False]


def test_of_a_fast_film_frames_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, SIZE_WH)
    for number in range(50):
        film.write(np.full((240, 320, 3), 5 * number, np.uint8))
    film.release()
    time = Time()
    camera = FolderCamera(path, time.pace())
    levels = [round(camera.read().image_bgr[0, 0, 0] / 5) for _ in range(9)]
    camera.close()
    assert levels[0] == 0
    assert 38 <= levels[-1] <= 42, "1.6 s of film in 1.6 s"


def test_a_folder_that_is_not_there_is_missing_until_it_is(tmp_path: Path) -> None:
    time = Time()
    camera = open_camera(f"folder:{tmp_path / 'later'}", time.clock, time.sleep)
    assert trouble_of(camera).reason == "missing"
    (tmp_path / "later").mkdir()
    assert trouble_of(camera).reason == "missing"
    save(tmp_path / "later", "a.png", noisy())
    assert replace(camera.read(), taken_s=0.0).number == 0
