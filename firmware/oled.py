"""The display on its wire: the newest image, sent by a thread of its own.

A frame takes 25 to 100 ms on the I²C bus, so nobody waits for it: `show` leaves the image and goes.
The thread sends the newest one, at most `FRAMES_A_SECOND`; what came between is never sent, nor is
an image that is the same as the one before. Two may follow each other at once, so that what matters
does not wait because something has just blinked.

    state       send works        send fails
    ─────────────────────────────────────────────────────────
    fine        fine              failed: reported once
    failed      fine: reported    failed: tried again after `RETRY_S`, quietly

A display that was unplugged has lost its settings, so each try begins with setting it up. luma does
that when a device is made, and keeps each device it ever made until the program ends; so one device
is made once, on a wire that leads nowhere and takes down what is said, and that is said again. A
plug may also be out and in again between two frames, with nobody noticing; so every `REFRESH_S` the
settings and the image are sent anew, without what would make a display that is fine flicker.

Without a display (`none`) nothing is sent and nothing fails; `last` is what it would show.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

import luma.core.error  # type: ignore[import-untyped]
from luma.core.interface.serial import i2c  # type: ignore[import-untyped]
from luma.oled.device import sh1106, ssd1306  # type: ignore[import-untyped]
from PIL import Image, ImageOps

from firmware.snapshot import Failure, Mended, Part

SIZE_WH: Final = (128, 64)
FRAMES_A_SECOND: Final = 10
AT_ONCE: Final = 2
RETRY_S: Final = 3.0
REFRESH_S: Final = 5.0
NO_ANSWER: Final = "no-answer"
"""The reason of the failure that is reported."""
_DISPLAY_OFF: Final = 0xAE
_TROUBLE: Final = (OSError, luma.core.error.Error)


class Kind(StrEnum):
    SSD1306 = "ssd1306"
    SH1106 = "sh1106"
    NONE = "none"


_DEVICES: Final[dict[Kind, Callable[..., Any]]] = {Kind.SSD1306: ssd1306, Kind.SH1106: sh1106}


class Oled:
    """A display; `open` finds it. `show` may be called from any thread and never blocks."""

    def __init__(self, line: _Line | None, report: Report) -> None:
        self.last = bytes(SIZE_WH[0] * SIZE_WH[1] // 8)
        """What was shown last: rows of pixels, the leftmost in the highest bit of its byte."""
        self._report = report
        self._wake = threading.Condition()
        self._newest: Image.Image | None = None
        self._is_closed = False
        self._thread: threading.Thread | None = None
        if line is not None:
            self._thread = threading.Thread(
                target=self._run, args=(line,), name="oled", daemon=True
            )
            self._thread.start()

    @classmethod
    def open(
        cls,
        kind: str,
        report: Report,
        *,
        bus: object = None,
        port: int = 1,
        address: int = 0x3C,
        rotate: int = 0,
        mirror: bool = False,
        retry_s: float = RETRY_S,
        refresh_s: float = REFRESH_S,
    ) -> Oled:
        """The display behind this bus (an smbus2 one), or on this port of the machine.

        `rotate` is 0 or 180 degrees; `mirror` is for one that is seen in a mirror. No display
        answering is no error: it is reported, and found when it is there.
        """
        if Kind(kind) is Kind.NONE:
            return cls(None, report)
        wire = _Wire(lambda: i2c(bus=bus, port=port, address=address))
        device = _DEVICES[Kind(kind)](wire, width=SIZE_WH[0], height=SIZE_WH[1])
        wire.opening_ends()
        return cls(_Line(wire, device, rotate, mirror, retry_s, refresh_s), report)

    def show(self, image: Image.Image) -> None:
        """Have this shown: 128×64, one bit a pixel."""
        if image.size != SIZE_WH or image.mode != "1":
            raise ValueError(f"the display shows 128×64 in mode 1, not {image.size} {image.mode}")
        self.last = image.tobytes()
        with self._wake:
            self._newest = image
            self._wake.notify()

    def close(self) -> None:
        """Stop the thread and switch the display off, if it still answers."""
        with self._wake:
            self._is_closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self, line: _Line) -> None:
        sent = b""
        has_failed = False
        started: deque[float] = deque(maxlen=AT_ONCE)
        while (image := self._next(sent, line.fresh_until_s)) is not None:
            started.append(time.monotonic())
            try:
                line.send(image)
            except _TROUBLE as error:
                line.hang_up()
                sent = b""
                if not has_failed:
                    self._report(Failure(Part.OLED, NO_ANSWER, str(error)))
                has_failed = True
                self._rest(line.retry_s)
                continue
            sent = image.tobytes()
            if has_failed:
                self._report(Mended(Part.OLED))
            has_failed = False
            if len(started) == AT_ONCE:
                self._rest(started[0] + AT_ONCE / FRAMES_A_SECOND - time.monotonic())
        line.switch_off()

    def _next(self, sent: bytes, fresh_until_s: float) -> Image.Image | None:
        """The newest image, once it is time to send it; None when all is over."""
        with self._wake:
            self._wake.wait_for(lambda: self._is_closed or self._newest is not None)
            self._wake.wait_for(
                lambda: self._is_closed or self._newest_pixels() != sent,
                max(0.0, fresh_until_s - time.monotonic()),
            )
            return None if self._is_closed else self._newest

    def _newest_pixels(self) -> bytes:
        return self._newest.tobytes() if self._newest is not None else b""

    def _rest(self, seconds: float) -> None:
        with self._wake:
            self._wake.wait_for(lambda: self._is_closed, max(0.0, seconds))


Report = Callable[[Failure | Mended], None]


class _Line:
    """A display at the end of its wire: set up when it has to be, and sent images."""

    def __init__(
        self,
        wire: _Wire,
        device: Any,
        rotate: int,
        mirror: bool,
        retry_s: float,
        refresh_s: float,
    ) -> None:
        self.retry_s, self._refresh_s = retry_s, refresh_s
        self.fresh_until_s = float("-inf")
        """Until then the display can be taken to be set up."""
        self._wire, self._device = wire, device
        self._rotate, self._mirror = rotate, mirror

    def send(self, image: Image.Image) -> None:
        if not self._wire.is_connected:
            self._wire.connect()
        elif time.monotonic() >= self.fresh_until_s:
            self._wire.refresh()
        else:
            self._device.display(self._turned(image))
            return
        self._device.display(self._turned(image))
        self._device.show()
        self.fresh_until_s = time.monotonic() + self._refresh_s

    def hang_up(self) -> None:
        self._wire.disconnect()

    def switch_off(self) -> None:
        # One that is gone already is as dark as it gets.
        with contextlib.suppress(*_TROUBLE):
            self._device.hide()
        self.hang_up()

    def _turned(self, image: Image.Image) -> Image.Image:
        if self._mirror:
            image = ImageOps.mirror(image)
        return image.transpose(Image.Transpose.ROTATE_180) if self._rotate == 180 else image


class _Wire:
    """What luma takes for the bus. The bus behind it comes and goes; the device stays."""

    def __init__(self, open_bus: Callable[[], Any]) -> None:
        self._open_bus = open_bus
        self._bus: Any = None
        self._opening: list[tuple[int, ...] | bytes] = []
        """What sets a display up, in order: commands, and the data that clears it."""
        self._is_opening = True

    @property
    def is_connected(self) -> bool:
        return self._bus is not None

    def opening_ends(self) -> None:
        self._is_opening = False

    def connect(self) -> None:
        """Open the bus and set the display up."""
        self._bus = self._open_bus()
        for said in self._opening:
            if isinstance(said, bytes):
                self._bus.data(said)
            else:
                self._bus.command(*said)

    def refresh(self) -> None:
        """Set up once more what may be showing something: without dark and without clearing."""
        for said in self._opening:
            if isinstance(said, tuple):
                self._bus.command(*(said[1:] if said[0] == _DISPLAY_OFF else said))

    def disconnect(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.cleanup()

    def command(self, *said: int) -> None:
        if self._is_opening:
            self._opening.append(said)
        elif self._bus is not None:
            self._bus.command(*said)

    def data(self, said: Any) -> None:
        if self._is_opening:
            self._opening.append(bytes(said))
        elif self._bus is not None:
            self._bus.data(said)

    def cleanup(self) -> None:
        """luma calls this when the program ends."""
        self.disconnect()
