"""The display's picture as it comes out of the bytes that luma sends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from luma.core.error import DeviceNotFoundError  # type: ignore[import-untyped]
from luma.core.interface.serial import i2c  # type: ignore[import-untyped]
from luma.core.render import canvas  # type: ignore[import-untyped]
from luma.oled.device import sh1106, ssd1306  # type: ignore[import-untyped]
from PIL import Image, ImageDraw
from smbus2 import i2c_msg

from firmware.simulated.display import HIGH, WIDE, Chip, DisplayWire

DARK = bytes(1024)


class Write:
    """As smbus2's `i2c_msg.write`, whose own types are wrong."""

    def __init__(self, addr: int, data: list[int]) -> None:
        self.addr, self._message = addr, i2c_msg.write(addr, data)

    def __iter__(self) -> Iterator[int]:
        return iter(bytes(self._message))


# luma asks Pillow for a picture's pixels in the old way.
pytestmark = pytest.mark.filterwarnings("ignore:.*getdata:DeprecationWarning")


@dataclass
class Fitted:
    """A display, and luma's device at the other end of its wire."""

    wire: DisplayWire
    device: Any


def fit(chip: Chip) -> Fitted:
    wire = DisplayWire(chip)
    make = {Chip.SSD1306: ssd1306, Chip.SH1106: sh1106}[chip]
    device = make(i2c(bus=wire, address=0x3C))
    device.persist = True  # nothing to be cleared when the tests are over
    return Fitted(wire, device)


@pytest.fixture(params=list(Chip))
def display(request: pytest.FixtureRequest) -> Fitted:
    return fit(request.param)


def drawing() -> Image.Image:
    """Something that is right in one way only."""
    image = Image.new("1", (WIDE, HIGH))
    draw = ImageDraw.Draw(image)
    draw.line((0, 0, 50, 63), fill=1)
    draw.rectangle((90, 3, 127, 20), outline=1)
    draw.text((60, 40), "Park d5", fill=1)
    draw.point((127, 63), fill=1)
    return image


def test_what_is_drawn_is_shown_to_the_pixel(display: Fitted) -> None:
    assert display.wire.pixels() == DARK
    image = drawing()
    display.device.display(image)
    assert display.wire.pixels() == image.tobytes()
    with canvas(display.device) as draw:
        draw.rectangle((5, 7, 20, 30), fill="white")
    plain = Image.new("1", (WIDE, HIGH))
    ImageDraw.Draw(plain).rectangle((5, 7, 20, 30), fill=1)
    assert display.wire.pixels() == plain.tobytes()


def test_hidden_shown_dimmed_and_inverted(display: Fitted) -> None:
    image = drawing()
    display.device.display(image)
    display.device.hide()
    assert display.wire.pixels() == DARK
    assert not display.wire.is_on
    display.device.show()
    assert display.wire.pixels() == image.tobytes()
    display.device.contrast(12)
    assert display.wire.contrast == 12
    display.device.command(0xA7)
    assert display.wire.pixels() == bytes(byte ^ 0xFF for byte in image.tobytes())
    display.device.command(0xA6, 0xA5)
    assert display.wire.pixels() == b"\xff" * 1024
    display.device.command(0xA4)
    assert display.wire.pixels() == image.tobytes()


def test_a_panel_mounted_the_other_way_round_stands_on_its_head(display: Fitted) -> None:
    image = drawing()
    display.device.display(image)
    display.device.command(0xA0, 0xC0)
    assert display.wire.pixels() == image.transpose(Image.Transpose.ROTATE_180).tobytes()


def test_the_picture_can_begin_on_another_row(display: Fitted) -> None:
    image = drawing()
    display.device.display(image)
    display.device.command(0x40 | 10)
    rows = image.tobytes()
    assert display.wire.pixels() == rows[160:] + rows[:160]


def test_a_picture_for_the_wrong_chip_is_shifted() -> None:
    """Boards are sold under either name: this is how the difference looks."""
    fitted = fit(Chip.SH1106)
    wrong = ssd1306(i2c(bus=fitted.wire))
    wrong.persist = True
    wrong.display(drawing())
    assert fitted.wire.pixels() != drawing().tobytes()


def test_a_broken_wire_answers_nobody_and_a_mended_one_has_to_be_set_up(display: Fitted) -> None:
    image = drawing()
    display.device.display(image)
    display.wire.broken = True
    with pytest.raises(DeviceNotFoundError):
        display.device.display(image)
    display.wire.broken = False
    assert display.wire.pixels() == DARK
    display.device.display(image)
    assert display.wire.pixels() == DARK, "it has not been switched on"
    again = type(display.device)(i2c(bus=display.wire))
    again.persist = True
    again.display(image)
    assert display.wire.pixels() == image.tobytes()


def test_data_that_breaks_off_is_an_oserror() -> None:
    wire = DisplayWire()
    wire.broken = True
    with pytest.raises(OSError, match="nobody answers at 0x3C"):
        wire.write_i2c_block_data(0x3C, 0x40, [1, 2, 3])


def test_nobody_lives_at_another_address() -> None:
    with pytest.raises(DeviceNotFoundError):
        ssd1306(i2c(bus=DisplayWire(), address=0x3D))


def test_large_blocks_come_as_messages() -> None:
    wire = DisplayWire()
    setup = [0x20, 0x00, 0xA1, 0xC8, 0x21, 0, 127, 0x22, 0, 7, 0xAF]
    picture = [*[0xFF] * 128, *[0x01] * 128]
    wire.i2c_rdwr(*(Write(0x3C, data) for data in ([0x00, *setup], [0x40, *picture])))
    assert wire.pixels() == b"\xff" * 16 * 9 + bytes(16 * 55)


def test_columns_can_be_filled_first() -> None:
    wire = DisplayWire()
    wire.write_i2c_block_data(0x3C, 0x00, [0x20, 0x01, 0xA1, 0xC8, 0x21, 8, 9, 0x22, 0, 7, 0xAF])
    wire.write_i2c_block_data(0x3C, 0x40, [0xFF] * 8)
    assert wire.pixels() == (b"\x00\x80" + bytes(14)) * 64


def test_a_command_may_come_in_pieces() -> None:
    wire = DisplayWire()
    wire.write_i2c_block_data(0x3C, 0x00, [0x81])
    wire.write_i2c_block_data(0x3C, 0x00, [0x2A, 0xAF])
    assert (wire.contrast, wire.is_on) == (0x2A, True)
