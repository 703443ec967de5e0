"""Real luma on a bus of the kernel: what the kernel saw go over it is the picture that was shown.

Two buses. i2c-stub is Debian's own and speaks SMBus only, so luma is handed a bus and sends blocks
of 32 bytes; what went over it is read from the kernel's tracepoint. i2c-sim is ours and takes what
luma sends on a Pi, a frame as one message, and notes it (a tracepoint prints 64 bytes of it).
Our model of the SSD1306 makes a picture of either.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import smbus2
from PIL import Image, ImageDraw
from report import row, wait_until

from firmware.oled import Oled
from firmware.simulated.display import Chip, DisplayWire
from firmware.snapshot import Failure, Mended

TRACE: Final = Path("/sys/kernel/tracing")
ADDRESS: Final = 0x3C
PATIENCE_S: Final = 20.0
FRAMES: Final = 20
HEARD: Final = Path("/sys/kernel/debug/i2c-sim")
_SMBUS: Final = re.compile(r"smbus_write: i2c-(\d+) a=(\w+) f=\w+ c=(\w+) \w+ l=(\d+) \[([^]]*)\]")

Tap = Callable[[], Iterator[bytes]]
"""Every message that went over a wire so far, its control byte first."""


def traced(bus: int) -> Iterator[bytes]:
    for line in (TRACE / "trace").read_text().splitlines():
        if (found := _SMBUS.search(line)) and int(found[1]) == bus:
            # The first byte of a block is its length.
            yield bytes([int(found[3], 16)]) + bytes.fromhex(found[5].replace("-", ""))[1:]


def heard(since: int = 0) -> Iterator[bytes]:
    """What i2c-sim heard from this byte of its notes on."""
    notes = HEARD.read_bytes()
    while since < len(notes):
        length = int.from_bytes(notes[since : since + 2], "little")
        yield notes[since + 2 : since + 2 + length]
        since += 2 + length


def picture_of(messages: Iterator[bytes]) -> tuple[bytes, int]:
    """What a display shows that was sent this, and how many bytes it took."""
    display, count = DisplayWire(Chip.SSD1306, ADDRESS), 0
    for message in messages:
        count += len(message)
        display.write_i2c_block_data(ADDRESS, message[0], list(message[1:]))
    return display.pixels(), count


def drawing(step: int) -> Image.Image:
    image = Image.new("1", (128, 64))
    pen = ImageDraw.Draw(image)
    pen.rectangle((step * 5, step * 2, step * 5 + 20, step * 2 + 20), fill=1)
    pen.line((0, 63, 127, step * 3), fill=1)
    return image


def main() -> None:
    if not (TRACE / "events").exists():
        subprocess.run(["mount", "-t", "tracefs", "tracefs", TRACE], check=True)
    (TRACE / "buffer_size_kb").write_text("4096")
    (TRACE / "events" / "smbus" / "smbus_write" / "enable").write_text("1")
    subprocess.run(["modprobe", "i2c-dev"], check=True)
    subprocess.run(["modprobe", "i2c-stub", f"chip_addr={ADDRESS:#x}"], check=True)
    stub = next(
        int(found.parent.name.removeprefix("i2c-"))
        for found in Path("/sys/bus/i2c/devices").glob("i2c-*/name")
        if found.read_text().startswith("SMBus stub")
    )
    _show("I2C (i2c-stub, SMBus)", lambda: traced(stub), stub, smbus2.SMBus(stub))
    subprocess.run(["modprobe", "i2c-sim"], check=True)
    _show("I2C (i2c-sim, as on a Pi)", heard, 1, None)
    _unplug()


def _show(name: str, tap: Tap, port: int, bus: object) -> None:
    reports: list[Failure | Mended] = []
    oled = Oled.open("ssd1306", reports.append, bus=bus, port=port)
    images = [drawing(step) for step in range(FRAMES)]
    started_s = time.monotonic()
    for image in images:
        oled.show(image)
        time.sleep(0.1)
    wait_until(lambda: picture_of(tap())[0] == oled.last, PATIENCE_S, 0.2)
    took_s = time.monotonic() - started_s
    pixels, count = picture_of(tap())
    frames = sum(len(m) > 900 for m in tap()) or count // 1056
    oled.close()
    same = pixels == images[-1].tobytes()
    told = f"{'the same' if same else 'another'} picture from {count} bytes, {frames} frames"
    told += f" in {took_s:.1f} s" if not reports else f", reported {reports}"
    row(name, "the kernel saw the very picture shown", told, same and not reports)


def _unplug() -> None:
    plugged = Path("/sys/module/i2c_sim/parameters/plugged")
    reports: list[Failure | Mended] = []
    oled = Oled.open("ssd1306", reports.append, port=1, retry_s=0.5)
    oled.show(drawing(1))
    time.sleep(1.0)
    plugged.write_text("0")
    oled.show(drawing(2))
    failed_s = wait_until(lambda: any(isinstance(r, Failure) for r in reports), PATIENCE_S)
    since = len(HEARD.read_bytes())
    plugged.write_text("1")
    mended_s = wait_until(lambda: any(isinstance(r, Mended) for r in reports), PATIENCE_S)
    same = picture_of(heard(since))[0] == drawing(2).tobytes()
    oled.close()
    told = f"failure after {failed_s or -1:.1f} s, mended after {mended_s or -1:.1f} s, "
    told += "picture there" if same else "picture wrong"
    ok = failed_s is not None and mended_s is not None and same and len(reports) == 2
    row("I2C unplug", "one failure told, then mended with its picture", told, ok)


if __name__ == "__main__":
    main()
