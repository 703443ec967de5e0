"""The finger: two rows of lights along the board's edges; where their lines cross is what is meant.

`pointed_at` says which cell that is, `Finger` is the wire to the lights. Several cells are pointed
at in turn, in step with the pages of the display, so that both speak of the same one.

The lights hang on an MCP23017, a chip with two ports of eight pins: the files on port A with file a
on its pin 0, the ranks on port B with rank 1 on its pin 0. It has one register a port for what the
pins do and one for which are lit, A's beside B's, so each pair is one write. Lit ones are written
before the pins become outputs: nothing flashes.

A thread of its own writes, as a bus that hangs takes a second to give up; whoever points never
waits. A chip that was unplugged has forgotten that its pins are outputs and nobody is told, so
everything is written anew every `REFRESH_S`. When nobody answers that is reported once, tried again
every `RETRY_S`, and reported when it works again. The only file that knows smbus2.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol

from firmware.dialog import Listing
from firmware.screens import LINGER
from firmware.snapshot import Failure, Hidden, Leftover, Mended, Part, Seeing, Snapshot
from rules.board import Cell
from rules.verdict import Due, Problem

RETRY_S: Final = 3.0
REFRESH_S: Final = 5.0
NO_ANSWER: Final = "no-answer"
"""The reason of the failure that is reported."""
DIRECTIONS, LATCHES = 0x00, 0x14
"""The first of two registers each: IODIRA, where a 0 is an output, and OLATA, where a 1 is lit."""

Report = Callable[[Failure | Mended], None]


class Bus(Protocol):
    """As much of an I²C bus as is needed, with smbus2's names."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None: ...

    def close(self) -> None: ...


def pointed_at(snapshot: Snapshot, phase: int) -> Cell | None:
    """The cell that is meant; None for none. `phase` is the display's: it counts half seconds."""
    if snapshot.seeing in (Seeing.STARTING, Seeing.BLIND):
        return None  # there is no board to point at
    cells = _meant(snapshot)
    return cells[phase // LINGER % len(cells)] if cells else None


def _meant(snapshot: Snapshot) -> Sequence[Cell]:
    match snapshot.alarm:
        case Problem(cell=cell) | Due(cell=cell):
            return (cell,)
        case Hidden(cells) | Leftover(cells) if cells:
            return cells
    if snapshot.verdict.dues:
        return [due.cell for due in snapshot.verdict.dues]
    if isinstance(snapshot.dialog, Listing) and snapshot.dialog.cell is not None:
        return (snapshot.dialog.cell,)
    return ()


class Finger:
    """The lights at the end of their wire. `point` may be called from any thread."""

    def __init__(
        self,
        open_bus: Callable[[], Bus],
        address: int,
        report: Report,
        *,
        retry_s: float = RETRY_S,
        refresh_s: float = REFRESH_S,
    ) -> None:
        self._open_bus, self._address, self._report = open_bus, address, report
        self._retry_s, self._refresh_s = retry_s, refresh_s
        self._bus: Bus | None = None
        self._wake = threading.Condition()
        self._cell: Cell | None = None
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="finger", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, port: int, address: int, report: Report) -> Finger:
        """The finger on this I²C bus of the machine. No answer is no error: it is reported."""

        def open_bus() -> Bus:
            from smbus2 import SMBus  # there is none but on Unix, and a simulated table needs none

            return SMBus(port)

        return cls(open_bus, address, report)

    def point(self, cell: Cell | None) -> None:
        """Light this cell's file and rank, or none; returns at once."""
        with self._wake:
            if not self._is_closed:
                self._cell = cell
                self._wake.notify()

    def close(self) -> None:
        """Dark, if it still answers, and without a thread; may be called twice."""
        with self._wake:
            self._cell, self._is_closed = None, True
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        has_failed = is_closing = False
        while not is_closing:
            with self._wake:
                cell, is_closing = self._cell, self._is_closed
            try:
                self._write(cell)
            except OSError as error:
                self._hang_up()
                if not has_failed and not is_closing:
                    self._report(Failure(Part.FINGER, NO_ANSWER, str(error)))
                has_failed = True
            else:
                if has_failed and not is_closing:
                    self._report(Mended(Part.FINGER))
                has_failed = False
            self._rest(cell, has_failed)
        self._hang_up()

    def _write(self, cell: Cell | None) -> None:
        if self._bus is None:
            self._bus = self._open_bus()
        lit = (1 << cell.file, 1 << cell.rank) if cell is not None else (0, 0)
        self._bus.write_i2c_block_data(self._address, LATCHES, lit)
        self._bus.write_i2c_block_data(self._address, DIRECTIONS, (0, 0))

    def _rest(self, written: Cell | None, has_failed: bool) -> None:
        """Until another cell is meant; or, where nobody answers, until it is worth a try."""
        with self._wake:
            if has_failed:
                self._wake.wait_for(lambda: self._is_closed, self._retry_s)
            else:
                self._wake.wait_for(
                    lambda: self._is_closed or self._cell is not written, self._refresh_s
                )

    def _hang_up(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            with suppress(OSError):
                bus.close()
