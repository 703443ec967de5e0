"""Where the finger points, and that its lights do so, on a bus that fails as buses do."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from firmware.config import Config, FingerConfig, FingerKind
from firmware.dialog import Listing, Topic
from firmware.finger import DIRECTIONS, LATCHES, Bus, Finger, pointed_at
from firmware.parts import fit_finger
from firmware.screens import LINGER
from firmware.snapshot import Failure, Hidden, Leftover, Mended, Part, Seeing, Snapshot
from firmware.wiring import parse_wiring
from firmware.workshop import HARDWARE
from rules.board import ALL_CELLS, Cell
from rules.voice import Language
from tests.firmware.snapshots import GALLERY, MIDDLE, OPENING, cells, snapshot
from tests.firmware.test_device import Living
from vision.reading import Unreadable

ADDRESS = FingerConfig().address
SOON_S = 5.0


class Expander:
    """An MCP23017 on a bus: 22 registers, and a cable that can be pulled."""

    def __init__(self) -> None:
        self.opened = self.writes = 0
        self.is_refused = False
        """The bus itself is not there."""
        self.gate = threading.Event()
        self.gate.set()
        self.plug_in()

    def plug_in(self) -> None:
        """Every pin is an input and nothing is lit, as the chip is after switching on."""
        self.is_out = False
        self.registers = [0xFF, 0xFF] + [0] * 20

    def open(self) -> Bus:
        if self.is_refused:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory: '/dev/i2c-1'")
        self.opened += 1
        return self

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        assert self.opened, "closed"
        self.gate.wait(SOON_S)
        if self.is_out or i2c_addr != ADDRESS:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.registers[register : register + len(data)] = data
        self.writes += 1

    def close(self) -> None:
        self.opened -= 1

    def lit(self) -> str:
        """The files and the ranks that glow: as `e3`."""
        ports = zip(self.registers[LATCHES:], self.registers[DIRECTIONS:][:2], strict=False)
        files, ranks = (latch & ~inputs for latch, inputs in ports)
        return "".join(
            name
            for port, names in ((files, "abcdefgh"), (ranks, "12345678"))
            for pin, name in enumerate(names)
            if port >> pin & 1
        )


class Bench:
    def __init__(self, chip: Expander, refresh_s: float = 60.0) -> None:
        self.chip = chip
        self.reports: list[Failure | Mended] = []
        self.finger = Finger(
            chip.open, ADDRESS, self.reports.append, retry_s=0.02, refresh_s=refresh_s
        )

    def until(self, is_so: Callable[[], bool]) -> None:
        late_s = time.monotonic() + SOON_S
        while not is_so():
            assert time.monotonic() < late_s, f"still not so: {self.chip.lit()}, {self.reports}"
            time.sleep(0.002)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(Expander())
    yield made
    made.finger.close()


# Where it points


def turns(made: Snapshot, count: int) -> list[Cell | None]:
    return [pointed_at(made, phase) for phase in range(0, count * LINGER, LINGER)]


def test_it_points_at_nothing_while_nothing_is_meant() -> None:
    assert turns(snapshot(), 2) == [None, None]


def test_it_points_at_what_is_due_for_as_long_as_a_page_stays() -> None:
    made = snapshot(OPENING)
    assert {pointed_at(made, phase) for phase in range(3 * LINGER)} == {"d5"}
    two = snapshot(MIDDLE.removesuffix("+e3 +e7"))
    assert [due.cell for due in two.verdict.dues] == ["e3", "e7"]
    assert [pointed_at(two, phase) for phase in (0, LINGER - 1, LINGER)] == ["e3", "e3", "e7"]
    assert turns(two, 4) == ["e3", "e7", "e3", "e7"]


def test_an_alarm_comes_before_what_is_due() -> None:
    made = GALLERY["illegal"](Language.EN)
    assert made.alarm is not None
    assert turns(made, 2) == [made.verdict.problems[0].cell] * 2
    forgotten = snapshot(f"{OPENING} e4ne", alarm=snapshot(OPENING).verdict.dues[0])
    assert turns(forgotten, 2) == ["d5", "d5"]


@pytest.mark.parametrize("alarm", [Hidden(cells("b2 g7")), Leftover(cells("b2 g7"))])
def test_of_several_cells_each_has_its_turn(alarm: Hidden | Leftover) -> None:
    assert turns(snapshot(OPENING, alarm=alarm), 3) == ["b2", "g7", "b2"]


@pytest.mark.parametrize("alarm", [Failure(Part.SOUND, "broken"), Unreadable("glare", "")])
def test_an_alarm_without_a_cell_leaves_it_to_what_is_due(alarm: Failure | Unreadable) -> None:
    assert turns(snapshot(OPENING, alarm=alarm), 1) == ["d5"]
    assert turns(snapshot(alarm=alarm), 1) == [None]


def test_a_question_about_a_cell_comes_last() -> None:
    asked = Listing(Topic.UNSURE, (), cell=Cell("h8"))
    assert turns(snapshot(dialog=asked), 1) == ["h8"]
    assert turns(snapshot(OPENING, dialog=asked), 1) == ["d5"]
    assert turns(snapshot(dialog=Listing(Topic.MENU, ())), 1) == [None]


@pytest.mark.parametrize(
    ("seeing", "cell"),
    [
        (Seeing.STARTING, None),
        (Seeing.BLIND, None),
        (Seeing.BUSY, "d5"),  # the hand on its way is the one that is shown where to go
        (Seeing.WATCHING, "d5"),
    ],
)
def test_it_points_at_a_board_that_is_seen(seeing: Seeing, cell: str | None) -> None:
    assert pointed_at(snapshot(OPENING, seeing=seeing), 0) == cell


@pytest.mark.parametrize("name", GALLERY)
def test_it_can_point_in_every_situation(name: str) -> None:
    shown = GALLERY[name](Language.EN)
    cell, board = pointed_at(shown, 12345), shown.game.pack.box.board
    assert cell is None or (cell.file < board.files and cell.rank < board.ranks)


# Its lights


def test_the_wires_are_as_they_are_described() -> None:
    described = parse_wiring((HARDWARE / "wiring.yml").read_text(encoding="utf-8")).finger
    config = FingerConfig()
    assert (described.chip.port, described.chip.address) == (config.port, config.address)
    assert FingerKind(described.chip.name.lower()) is FingerKind.MCP23017
    assert (described.files, described.ranks) == ("GPA", "GPB"), "see `Expander.lit`"


def test_every_cell_has_its_file_and_its_rank(bench: Bench) -> None:
    for cell in ALL_CELLS:
        bench.finger.point(cell)
        bench.until(lambda: bench.chip.lit() == cell)  # noqa: B023
    bench.finger.point(None)
    bench.until(lambda: bench.chip.lit() == "")
    assert bench.reports == []


def test_it_is_dark_when_it_is_closed(bench: Bench) -> None:
    bench.finger.point(Cell("e3"))
    bench.until(lambda: bench.chip.lit() == "e3")
    bench.finger.close()
    assert (bench.chip.lit(), bench.chip.opened) == ("", 0)
    bench.finger.point(Cell("a1"))
    bench.finger.close()  # neither does harm
    assert bench.chip.lit() == ""


def test_no_light_flashes_before_the_pins_are_set(bench: Bench) -> None:
    bench.until(lambda: bench.chip.writes == 2)
    bench.chip.plug_in()
    bench.chip.registers[LATCHES : LATCHES + 2] = [0xFF, 0xFF]
    seen: list[str] = []
    write = bench.chip.write_i2c_block_data

    def watched(i2c_addr: int, register: int, data: Sequence[int]) -> None:
        write(i2c_addr, register, data)
        seen.append(bench.chip.lit())

    bench.chip.write_i2c_block_data = watched  # type: ignore[method-assign]
    bench.finger.point(Cell("b7"))
    bench.until(lambda: len(seen) == 2)
    assert seen == ["", "b7"]


def test_the_same_cell_is_written_once(bench: Bench) -> None:
    bench.finger.point(Cell("c2"))
    bench.until(lambda: bench.chip.lit() == "c2")
    writes = bench.chip.writes
    for _ in range(5):
        bench.finger.point(Cell("c2"))
        time.sleep(0.01)
    assert bench.chip.writes == writes


def test_nobody_waits_for_a_bus_that_hangs(bench: Bench) -> None:
    bench.until(lambda: bench.chip.writes == 2)
    bench.chip.gate.clear()
    started_s = time.monotonic()
    for cell in ALL_CELLS:
        bench.finger.point(cell)
    assert time.monotonic() - started_s < 0.5
    bench.chip.gate.set()
    bench.until(lambda: bench.chip.lit() == "h8")


def test_a_pulled_cable_is_reported_once_and_mended_when_it_is_back(bench: Bench) -> None:
    bench.finger.point(Cell("c2"))
    bench.until(lambda: bench.chip.lit() == "c2")
    bench.chip.is_out = True
    bench.finger.point(Cell("d4"))
    bench.until(lambda: len(bench.reports) == 1)
    failure = bench.reports[0]
    assert isinstance(failure, Failure)
    assert (failure.part, failure.reason) == (Part.FINGER, "no-answer")
    assert "Remote I/O" in failure.detail
    time.sleep(0.1)
    assert len(bench.reports) == 1, "several tries, one report"
    bench.chip.plug_in()
    bench.until(lambda: bench.chip.lit() == "d4")
    bench.until(lambda: bench.reports[1:] == [Mended(Part.FINGER)])
    assert bench.chip.opened == 1, "what was opened for the tries is closed again"


def test_a_chip_that_lost_its_power_between_two_writes_is_set_up_again() -> None:
    bench = Bench(Expander(), refresh_s=0.02)
    bench.finger.point(Cell("c2"))
    bench.until(lambda: bench.chip.lit() == "c2")
    bench.chip.plug_in()
    bench.until(lambda: bench.chip.lit() == "c2")
    bench.finger.close()
    assert bench.reports == [], "nobody noticed"


def test_a_bus_that_is_not_there_yet_is_found_later() -> None:
    chip = Expander()
    chip.is_refused = True
    bench = Bench(chip)
    bench.finger.point(Cell("a8"))
    bench.until(lambda: len(bench.reports) == 1)
    chip.is_refused = False
    bench.until(lambda: chip.lit() == "a8")
    bench.finger.close()


def test_closing_without_an_answer_takes_no_time_and_reports_nothing_more() -> None:
    chip = Expander()
    chip.is_out = True
    reports: list[Failure | Mended] = []
    finger = Finger(chip.open, ADDRESS, reports.append, retry_s=600)
    late_s = time.monotonic() + SOON_S
    while not reports and time.monotonic() < late_s:
        time.sleep(0.002)
    finger.close()
    assert len(reports) == 1
    assert chip.opened == 0


# As a part of the device


def test_nothing_is_opened_where_none_is_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Finger, "open", lambda *_: pytest.fail("opened"))
    assert fit_finger(FingerConfig(), lambda _: None) is None


def test_a_machine_without_that_bus_says_so() -> None:
    reports: list[Failure | Mended] = []
    config = FingerConfig(FingerKind.MCP23017, port=99)
    finger = fit_finger(config, reports.append)
    assert finger is not None
    late_s = time.monotonic() + SOON_S
    while not reports and time.monotonic() < late_s:
        time.sleep(0.002)
    finger.close()
    (failure,) = reports
    assert isinstance(failure, Failure)
    assert "/dev/i2c-99" in failure.detail


def test_the_device_points_at_the_park_that_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip = Expander()
    monkeypatch.setattr("smbus2.SMBus", lambda port: {1: chip.open}[port]())

    async def live() -> None:
        here = Living(tmp_path, Config(finger=FingerConfig(FingerKind.MCP23017)))
        await here.switch_on()
        try:
            await here.until(lambda: here.now.seeing is not Seeing.STARTING)
            assert chip.lit() == ""
            await here.put("Wc4ne", "Ye6n", "Wb3n")
            await here.until(lambda: chip.lit() == "d5")
            await here.put("+d5")
            await here.until(lambda: chip.lit() == "")
        finally:
            await here.switch_off()

    asyncio.run(live())
    assert chip.opened == 0
