"""Cameras: frames in, whatever it is that makes them, and one kind of trouble when there are none.

    open_camera("pi" | "usb:0" | "usb:/dev/video2" | "folder:PATH")

Each adapter is a thin skin over one library. What they have in common is in `SteadyCamera`, which
everybody is handed: it opens late, looks at what comes (the same bytes for seconds are a dead
camera, as a living sensor has noise), closes what is in trouble, waits ever longer and opens again.
While a camera is out, every `read` says so by raising, so that the caller can tell the players, and
frame numbers go on where they were.

No call blocks for much longer than `PATIENCE_S`. Clock and sleep are handed in.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from firmware.exposure import FOCUS, Metering, controls_for, full_field
from rules.errors import BadSetting, ParkwardenError
from vision.frame import LEAST_SIDE_PX, BadPicture, Frame, read_recording
from vision.geometry import Image

SIZE_WH: Final = (1280, 960)
FPS: Final = 5.0
"""Enough to see every hand, and little enough for a small computer."""
PATIENCE_S: Final = 2.0
"""How long a frame is waited for, and how long the very same bytes are believed."""
BACK_OFF_S: Final = (0.5, 5.0)
"""From closing to the next try: at first, and at most."""
GLITCHES: Final = 3
"""So many frames of garbage in a row are no accident."""
FAILURES: Final = 10
_FAILURE_PAUSE_S: Final = 0.1
"""So many failed grabs of a USB camera in a row, with so long a pause: it is gone."""
SETTLING_FRAMES: Final = 15
"""Until a Pi camera has found its exposure, and it is locked."""

Clock = Callable[[], float]
Sleep = Callable[[float], None]


class Fault(StrEnum):
    MISSING = "missing"
    """There is no such camera, or its library is not installed."""
    UNPLUGGED = "unplugged"
    """It was there, and gives nothing any more."""
    FROZEN = "frozen"
    """It gives the very same picture again and again."""
    GARBAGE = "garbage"
    """What it gives is no picture."""


class CameraTrouble(ParkwardenError, OSError):
    """No frame, and why."""

    def __init__(self, reason: Fault, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"camera {reason}: {detail}")


class Camera(Protocol):
    def read(self) -> Frame:
        """The next frame, waited for; or `CameraTrouble`."""

    def close(self) -> None:
        """Never raises, and may be called twice."""


class Pace:
    """So many frames a second, and no more: a camera that could do thirty would keep us busy."""

    def __init__(self, fps: float, clock: Clock, sleep: Sleep) -> None:
        self.fps, self.clock, self.sleep = fps, clock, sleep
        self._due_s = clock()

    def wait(self) -> None:
        self.sleep(max(self._due_s - self.clock(), 0.0))
        self._due_s = max(self._due_s + 1 / self.fps, self.clock())


def open_camera(
    words: str, clock: Clock, sleep: Sleep, size_wh: tuple[int, int] = SIZE_WH, fps: float = FPS
) -> SteadyCamera:
    """The camera of these words, opened when it is first read; `BadSetting` for other words."""
    kind, _, where = words.partition(":")
    pace = Pace(fps, clock, sleep)
    if words == "pi":
        return SteadyCamera(lambda: PiCamera(size_wh, pace), clock, sleep)
    if kind == "usb" and (where.isdecimal() or where.startswith("/")):
        device = int(where) if where.isdecimal() else where
        return SteadyCamera(lambda: UsbCamera(device, size_wh, pace), clock, sleep)
    if kind == "folder" and where:
        recording = Path(where).expanduser()
        return SteadyCamera(lambda: FolderCamera(recording, pace), clock, sleep, can_freeze=False)
    raise BadSetting(
        f"camera cannot be {words!r}: expected pi, usb:0, usb:/dev/video2 or folder:PATH"
    )


class SteadyCamera:
    """A camera that is opened again whenever it fails."""

    def __init__(
        self, open_: Callable[[], Camera], clock: Clock, sleep: Sleep, *, can_freeze: bool = True
    ) -> None:
        """`can_freeze` is false for what stands still by nature, as a picture in a file."""
        self._open, self._clock, self._sleep = open_, clock, sleep
        self._can_freeze = can_freeze
        self._camera: Camera | None = None
        self._trouble: tuple[Fault, str] | None = None
        """Why it was closed last, until a frame has come."""
        self._retry_s, self._back_off_s = 0.0, BACK_OFF_S[0]
        self._number = -1
        self._last: Image | None = None
        """The newest picture: kept when the camera is closed, so that a frozen one stays found."""
        self._changed_s = 0.0
        """When it last differed from the one before."""

    def read(self) -> Frame:
        if self._camera is None and self._trouble is not None:
            self._sleep(min(max(self._retry_s - self._clock(), 0.0), PATIENCE_S))
            if self._clock() < self._retry_s:
                raise CameraTrouble(*self._trouble)
        try:
            if self._camera is None:
                self._camera = self._open()
            frame = self._read_whole(self._camera)
            self._check_alive(frame)
        except CameraTrouble as trouble:
            self._rest(trouble)
            raise
        self._trouble, self._back_off_s = None, BACK_OFF_S[0]
        self._number += 1
        return replace(frame, number=self._number)

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _read_whole(self, camera: Camera) -> Frame:
        complaint = ""
        for _ in range(GLITCHES):
            frame = camera.read()
            if not (complaint := _garbage(frame.image_bgr)):
                return frame
        raise CameraTrouble(Fault.GARBAGE, f"{complaint}: expected a picture; check its cable")

    def _check_alive(self, frame: Frame) -> None:
        last, self._last = self._last, frame.image_bgr
        if last is None or not _same(last, frame.image_bgr):
            self._changed_s = frame.taken_s
        elif self._can_freeze and frame.taken_s - self._changed_s > PATIENCE_S:
            raise CameraTrouble(Fault.FROZEN, "the very same bytes for seconds: expected noise")

    def _rest(self, trouble: CameraTrouble) -> None:
        self.close()
        self._trouble = trouble.reason, trouble.detail
        self._retry_s = self._clock() + self._back_off_s
        self._back_off_s = min(2 * self._back_off_s, BACK_OFF_S[1])


class PiCamera:
    """A camera on the Pi's ribbon cable: its whole field of view, and its light locked once found.

    What it is told, and when, is in `firmware.exposure`.
    """

    def __init__(
        self, size_wh: tuple[int, int], pace: Pace, library: Callable[[], Any] | None = None
    ) -> None:
        """`library` is picamera2's `Picamera2`, where that is not to be imported."""
        self._clock, self._number = pace.clock, -1
        self._metering = Metering(SETTLING_FRAMES)
        self._camera: Any = None
        library = library or _picamera2()
        try:
            self._camera = library()
            # What is no raw sensor, as a picture in a file, has no modes and fails when asked.
            is_raw = "ColorFilterArrangement" in self._camera.camera_properties
            sensor = full_field(self._camera.sensor_modes, size_wh) if is_raw else {}
            self._known = self._camera.camera_controls
            controls = {"FrameRate": pace.fps, **self._having(FOCUS)}
            # The library counts channels from the other end: what it calls RGB888 is our BGR.
            main = {"size": size_wh, "format": "RGB888"}
            self._camera.configure(
                self._camera.create_video_configuration(main=main, sensor=sensor, controls=controls)
            )
            self._camera.start()
        except (IndexError, RuntimeError, OSError) as error:
            self.close()
            raise CameraTrouble(
                Fault.MISSING, f"no camera on the ribbon cable ({error}): check both its ends"
            ) from error

    def read(self) -> Frame:
        try:
            # Without a limit it would wait for ever once the camera has died.
            image = self._camera.capture_array("main", wait=PATIENCE_S)
            taken_s = self._clock()
            self._number += 1
            if (order := self._metering.judge(image, taken_s)) is not None:
                found = self._camera.capture_metadata(wait=PATIENCE_S)
                self._camera.set_controls(self._having(controls_for(order, found)))
        except (RuntimeError, OSError) as error:
            raise CameraTrouble(Fault.UNPLUGGED, f"no frame in time ({error!r})") from error
        return Frame(image, taken_s, self._number)

    def close(self) -> None:
        if self._camera is not None:
            with suppress(RuntimeError, OSError):
                self._camera.close()

    def _having(self, controls: dict[str, Any]) -> dict[str, Any]:
        """Those of them that this camera has."""
        return {name: value for name, value in controls.items() if name in self._known}


def _picamera2() -> Callable[[], Any]:
    try:
        from picamera2 import Picamera2  # type: ignore[import-not-found]
    except ImportError as error:
        raise CameraTrouble(Fault.MISSING, f"{error}: apt install python3-picamera2") from error
    return Picamera2  # type: ignore[no-any-return]


class UsbCamera:
    """A webcam. Its driver queues frames, so a thread takes them off all the time.

    Taking one off costs next to nothing; it is decoded only when somebody waits for it.
    """

    def __init__(
        self,
        device: int | str,
        size_wh: tuple[int, int],
        pace: Pace,
        library: Callable[..., Any] = cv2.VideoCapture,
    ) -> None:
        self._device, self._pace, self._number = device, pace, -1
        self._wanted, self._closing = threading.Event(), threading.Event()
        self._handed: queue.SimpleQueue[tuple[Any, float] | None] = queue.SimpleQueue()
        self._capture = library(device, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraTrouble(Fault.MISSING, f"no camera at {device}: plug one in")
        # Raw pictures of this size choke a USB 2 cable.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_wh[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_wh[1])
        self._reader = threading.Thread(target=self._take_off, name="usb-camera", daemon=True)
        self._reader.start()

    def read(self) -> Frame:
        self._pace.wait()
        self._wanted.set()
        try:
            handed = self._handed.get(timeout=PATIENCE_S)
        except queue.Empty:
            handed = None
        if handed is None:
            raise CameraTrouble(Fault.UNPLUGGED, f"{self._device} gives no frames: check its cable")
        self._number += 1
        return Frame(handed[0], handed[1], self._number)

    def close(self) -> None:
        self._closing.set()
        self._reader.join(PATIENCE_S)

    def _take_off(self) -> None:
        failures = 0
        while failures < FAILURES and not self._closing.is_set():
            taken, image = self._capture.grab(), None
            taken_s = self._pace.clock()
            if taken and self._wanted.is_set():
                taken, image = self._capture.retrieve()
            if not taken:
                failures += 1
                self._pace.sleep(_FAILURE_PAUSE_S)
                continue
            failures = 0
            if image is not None:
                self._wanted.clear()
                self._handed.put((image, taken_s))
        # Not in `close`: to release a capture another thread is waiting on brings the process down.
        self._capture.release()
        self._handed.put(None)


class FolderCamera:
    """The pictures of a folder in the order of their names, or a film; then the last one for ever.

    Pictures come one a frame; of a film that is faster, the frames in between are left out.
    """

    def __init__(self, path: Path, pace: Pace) -> None:
        self._path, self._pace = path, pace
        self._started_s = pace.clock()
        self._frames = self._play()

    def read(self) -> Frame:
        self._pace.wait()
        return next(self._frames)

    def close(self) -> None:
        self._frames.close()

    def _play(self) -> Generator[Frame, None, None]:
        number = 0
        last: Frame | None = None
        try:
            for last in read_recording(self._path):
                behind_s = self._pace.clock() - self._started_s - last.taken_s
                if last.is_still or behind_s < 0.5 / self._pace.fps:
                    yield replace(last, taken_s=self._pace.clock(), number=number)
                    number += 1
        except (BadPicture, OSError) as error:
            raise CameraTrouble(Fault.MISSING, str(error)) from error
        while last is not None:
            # It has been looked at as a still; from now on it is a table on which nothing happens.
            yield Frame(last.image_bgr, self._pace.clock(), number)
            number += 1


def _garbage(image: Any) -> str:
    """What is wrong with it, or nothing."""
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8:
        return "no 8-bit picture"
    if image.ndim != 3 or image.shape[2] != 3 or min(image.shape[:2]) < LEAST_SIDE_PX:
        return f"a picture of shape {'×'.join(map(str, image.shape))}"
    some = image[::8, ::8]
    return "every pixel is the same" if (some == some[0, 0, 0]).all() else ""


def _same(one: Image, other: Image) -> bool:
    if one.shape != other.shape:
        return False
    some = slice(len(one) // 2, len(one) // 2 + 8)  # rows that tell nearly always, for nothing
    return np.array_equal(one[some], other[some]) and np.array_equal(one, other)
