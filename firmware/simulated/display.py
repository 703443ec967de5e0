"""A small OLED at the other end of an I²C wire: the picture, rebuilt from the bytes on the wire.

It understands what SSD1306 and SH1106 understand. Both keep eight pages of eight rows; a byte is
eight pixels, one below the other, the lowest bit on top. The SSD1306 goes on to the next page by
itself within a window that can be set; the SH1106 has four columns more than the glass shows, stays
on its page and has to be told of each. Commands that only concern voltages and timing are taken and
make no difference; bytes that are no commands are ignored, as the chips do.

With `broken = True` nobody answers, as when a cable is pulled; a display that is plugged in again
has lost its picture and its settings and stays dark until it is set up anew.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, Protocol

import numpy as np

WIDE, HIGH = 128, 64
PAGES: Final = HIGH // 8
_COMMANDS, _DATA = 0x00, 0x40
"""What follows on the wire, as the control byte says."""


class Chip(StrEnum):
    SSD1306 = "ssd1306"
    SH1106 = "sh1106"


_ARGUMENTS: Final = {
    Chip.SSD1306: {
        **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
        **dict.fromkeys((0x21, 0x22, 0xA3), 2),
        **dict.fromkeys((0x29, 0x2A), 5),
        **dict.fromkeys((0x26, 0x27), 6),
    },
    Chip.SH1106: dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
}
"""How many bytes belong to a command; none where it is not named."""
_COLUMNS: Final = {Chip.SSD1306: WIDE, Chip.SH1106: WIDE + 4}
_BY_COLUMN, _BY_PAGE = 1, 2
"""The SSD1306's ways through its memory; every other number is by row."""


class Message(Protocol):
    """A write as smbus2 makes it: iterating gives its bytes."""

    addr: int

    def __iter__(self) -> Iterator[int]: ...


class DisplayWire:
    def __init__(self, chip: Chip = Chip.SSD1306, address: int = 0x3C) -> None:
        self.chip, self.address = chip, address
        self._broken = False
        self._switch_on()

    @property
    def broken(self) -> bool:
        return self._broken

    @broken.setter
    def broken(self, broken: bool) -> None:
        if self._broken and not broken:
            self._switch_on()
        self._broken = broken

    @property
    def is_on(self) -> bool:
        return self._is_on

    @property
    def contrast(self) -> int:
        """How bright, of 255."""
        return self._contrast

    def write_i2c_block_data(self, address: int, register: int, data: Iterable[int]) -> None:
        """A write of smbus: the control byte, then what it announces."""
        if self._broken or address != self.address:
            raise OSError(errno.EREMOTEIO, f"nobody answers at 0x{address:02X}")
        if register == _DATA:
            for byte in data:
                self._store(byte)
        elif register == _COMMANDS:
            for byte in data:
                self._obey(byte)

    def i2c_rdwr(self, *messages: Message) -> None:
        for message in messages:
            control, *data = message
            self.write_i2c_block_data(message.addr, control, data)

    def pixels(self) -> bytes:
        """What the glass shows: rows of 16 bytes from the top, the highest bit on the left."""
        if not self._is_on:
            return bytes(WIDE * HIGH // 8)
        if self._is_all_lit:
            return b"\xff" * (WIDE * HIGH // 8)
        first = (_COLUMNS[self.chip] - WIDE) // 2
        pages = np.frombuffer(bytes(self._memory), np.uint8).reshape(PAGES, -1)
        shown = pages[:, first : first + WIDE]
        bits = np.unpackbits(shown[:, None], axis=1, bitorder="little").reshape(HIGH, WIDE)
        bits = np.roll(bits, -self._first_row, axis=0)
        # The glass is mounted the other way round: both directions have to be turned to be right.
        bits = bits if self._is_row_turned else bits[::-1]
        bits = bits if self._is_column_turned else bits[:, ::-1]
        return np.packbits(bits ^ self._is_inverted, axis=1).tobytes()

    def _switch_on(self) -> None:
        self._memory = bytearray(PAGES * _COLUMNS[self.chip])
        self._mode = _BY_PAGE
        self._column, self._page = 0, 0
        self._columns, self._pages = (0, _COLUMNS[self.chip] - 1), (0, PAGES - 1)
        self._first_row, self._contrast = 0, 0x7F
        self._is_on = self._is_all_lit = self._is_inverted = False
        self._is_row_turned = self._is_column_turned = False
        self._waiting: list[int] = []
        """A command whose arguments have not all come yet."""

    def _obey(self, byte: int) -> None:
        self._waiting.append(byte)
        command, *arguments = self._waiting
        if len(arguments) < _ARGUMENTS[self.chip].get(command, 0):
            return
        self._waiting = []
        match command:
            case 0x20 if arguments:
                self._mode = arguments[0] & 3
            case 0x21 if arguments:
                self._columns = arguments[0] & 0x7F, arguments[1] & 0x7F
                self._column = self._columns[0]
            case 0x22 if arguments:
                self._pages = arguments[0] & 7, arguments[1] & 7
                self._page = self._pages[0]
            case 0x81:
                self._contrast = arguments[0]
            case 0xD3:
                self._first_row = arguments[0] & 0x3F
            case _:
                self._obey_plain(command)

    def _obey_plain(self, command: int) -> None:
        if command <= 0x0F:
            self._column = self._column & 0xF0 | command
        elif command <= 0x1F:
            self._column = self._column & 0x0F | (command & 0x0F) << 4
        elif 0x40 <= command <= 0x7F:
            self._first_row = command & 0x3F
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 7
        elif command in (0xA0, 0xA1):
            self._is_column_turned = command == 0xA1
        elif command in (0xA4, 0xA5):
            self._is_all_lit = command == 0xA5
        elif command in (0xA6, 0xA7):
            self._is_inverted = command == 0xA7
        elif command in (0xAE, 0xAF):
            self._is_on = command == 0xAF
        elif command in (0xC0, 0xC8):
            self._is_row_turned = command == 0xC8

    def _store(self, byte: int) -> None:
        wide = _COLUMNS[self.chip]
        if self._column < wide:
            self._memory[self._page * wide + self._column] = byte & 0xFF
        if self.chip is Chip.SH1106:
            self._column += 1  # and stays beyond the last one, where nothing is stored
        elif self._mode == _BY_PAGE:
            self._column = (self._column + 1) % wide
        elif self._mode == _BY_COLUMN:
            self._page, wrapped = _next(self._page, self._pages)
            if wrapped:
                self._column, _ = _next(self._column, self._columns)
        else:
            self._column, wrapped = _next(self._column, self._columns)
            if wrapped:
                self._page, _ = _next(self._page, self._pages)


def _next(at: int, window: tuple[int, int]) -> tuple[int, bool]:
    """One further within the window, and whether that led back to its start."""
    return (window[0], True) if at >= window[1] else (at + 1, False)
