"""The doctor: every part tried, on simulated parts and with every fault it should find."""

from __future__ import annotations

import io
import json
import queue
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest

from firmware import bedside
from firmware.actions import Button, Glow, Led, Press
from firmware.bedside import (
    Asked,
    Nobody,
    Person,
    StandIn,
    check_buttons,
    check_buzzer,
    check_finger,
    check_lights,
    check_oled,
    draw_pattern,
)
from firmware.camera import CameraTrouble, Fault
from firmware.checks import (
    Finding,
    Machine,
    State,
    check_clock,
    check_disk,
    check_games,
    check_heat,
    check_memory,
    check_power,
    describe_machine,
)
from firmware.config import Config, FingerConfig, Fitted, OledConfig, OledKind, PanelConfig
from firmware.doctor import Patient, all_simulated, doctor, examine
from firmware.eyesight import check_camera, check_picture, look
from firmware.finger import Finger
from firmware.oled import Oled
from firmware.panel import SimulatedPanel, simulated_factory
from firmware.parts import fast_clock, simulate
from firmware.simulated.display import DisplayWire
from firmware.simulated.look import HOME, lay_table
from firmware.snapshot import Failure, Mended
from firmware.store import Store
from rules.board import Cell
from rules.packs.masterplan import PACK
from vision.condition import SHARP
from vision.frame import Frame
from vision.geometry import Image
from vision.scene import render

BOX: Final = PACK.box
NOT_FITTED: Final = {"panel", "display", "camera"}


@pytest.fixture
def bare(tmp_path: Path) -> Machine:
    """A machine that tells nothing of itself."""
    return Machine(
        tmp_path / "proc", tmp_path / "sys", tmp_path / "run", tmp_path / "etc", "no-such-command"
    )


@pytest.fixture
def simulated(tmp_path: Path, bare: Machine) -> Patient:
    clock = fast_clock()
    simulation = simulate(BOX, clock, tmp_path / "table.json", 0, (960, 720), hands=False)
    config = all_simulated(Config())
    return Patient(config, tmp_path, tmp_path, False, bare, clock, simulation)


@pytest.fixture
def presses() -> queue.SimpleQueue[Press]:
    return queue.SimpleQueue()


@pytest.fixture
def panel(presses: queue.SimpleQueue[Press]) -> Iterator[SimulatedPanel]:
    opened = SimulatedPanel.open(PanelConfig(), simulated_factory, presses.put, time.monotonic)
    assert isinstance(opened, SimulatedPanel)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def picture() -> Image:
    return render(lay_table(BOX, HOME), np.random.default_rng(3))


def states(findings: list[Finding]) -> dict[str, State]:
    return {finding.part: finding.state for finding in findings}


def examined(patient: Patient, person: Person | None = None) -> dict[str, Finding]:
    return {finding.part: finding for finding in examine(patient, person or Nobody())}


# ---- the whole ----


def test_simulated_parts_are_tried_and_all_is_well(simulated: Patient, tmp_path: Path) -> None:
    out, saved = io.StringIO(), tmp_path / "seen.jpg"
    assert doctor(simulated, None, out, as_json=True, picture=saved) == 0
    told = json.loads(out.getvalue())
    assert set(told) == {"made", "ok", "machine", "software", "findings"}
    assert told["ok"] is True
    assert {"parkwarden", "python", "opencv", "numpy", "gpiozero", "luma.oled", "sqlite"} <= set(
        told["software"]
    )
    assert set(told["machine"]) == {"model", "processor", "system", "kernel"}
    for finding in told["findings"]:
        assert set(finding) == {"part", "state", "words", "advice", "facts"}
        assert finding["state"] in set(State)
    parts = {finding["part"]: finding["state"] for finding in told["findings"]}
    tried = [f"light {led}" for led in Led] + [f"button {button}" for button in Button]
    tried += ["buzzer", "display", "camera", "board", "focus", "exposure", "glare", "disk", "games"]
    assert {part: parts[part] for part in tried} == dict.fromkeys(tried, "ok")
    image = cv2.imread(str(saved))
    assert image is not None
    assert image.shape == (720, 960, 3)


def test_without_hardware_nothing_is_fitted_and_nothing_fails(
    tmp_path: Path, bare: Machine
) -> None:
    out = io.StringIO()
    patient = Patient(Config(), tmp_path / "state", tmp_path, False, bare)
    assert doctor(patient, None, out) == 0
    page = out.getvalue()
    for part in NOT_FITTED:
        assert f"not-fitted {part} " in page
    assert not (tmp_path / "state").exists(), "looking leaves nothing behind"
    assert max(map(len, page.splitlines())) <= 100
    assert str(tmp_path) not in page, "the home is not told"


def test_what_the_config_leaves_out_is_not_fitted(simulated: Patient) -> None:
    config = replace(
        simulated.config,
        oled=OledConfig(kind=OledKind.NONE),
        panel=PanelConfig(fitted=Fitted.NONE),
    )
    found = examined(replace(simulated, config=config))
    assert found["display"].state is found["panel"].state is State.NOT_FITTED


def test_pins_that_are_configured_and_not_there_have_failed(simulated: Patient) -> None:
    """There is no lgpio here, or no pins behind it."""
    for fitted, state in ((Fitted.GPIO, State.FAILED), (Fitted.AUTO, State.NOT_FITTED)):
        config = replace(simulated.config, panel=PanelConfig(fitted=fitted))
        found = examined(replace(simulated, config=config, on_a_pi=True))["panel"]
        assert found.state is state
        assert "systemctl stop" in found.advice


def test_a_camera_that_is_unplugged_fails_the_whole(simulated: Patient) -> None:
    assert simulated.simulation is not None
    simulated.simulation.table.plug(False)
    out = io.StringIO()
    assert doctor(simulated, None, out) == 1
    assert "FAILED     camera" in out.getvalue()
    assert "→ check both ends of its cable" in out.getvalue()
    assert "board" not in examined(simulated)


# ---- with a person ----


class Scripted:
    """Says what it was told to say; presses the button it was told to press."""

    def __init__(self, answer: bool | None, panel: SimulatedPanel, swap: bool = False) -> None:
        self._answer, self._finger, self._swap = answer, StandIn(panel), swap

    def sees_light(self, led: Led, pin: int) -> bool | None:
        return self._answer

    def presses(self, button: Button, pin: int) -> bool | None:
        other = {Button.LEFT: Button.RIGHT, Button.RIGHT: Button.LEFT}
        return self._finger.presses(other.get(button, button) if self._swap else button, pin)

    def hears(self) -> bool | None:
        return self._answer

    def sees_pattern(self) -> bool | None:
        return self._answer

    def sees_finger(self, cell: Cell) -> bool | None:
        return self._answer


@pytest.mark.parametrize(
    ("answer", "state"), [(True, State.OK), (False, State.FAILED), (None, State.NOT_ASKED)]
)
def test_what_a_person_says_of_lights_buzzer_and_display(
    panel: SimulatedPanel, answer: bool | None, state: State
) -> None:
    person, config = Scripted(answer, panel), PanelConfig()
    findings = check_lights(panel, config, person)
    assert [finding.state for finding in findings] == [state] * len(Led)
    assert not any(panel.lit().values()), "dark again"
    findings.append(check_buzzer(panel, config, person))
    assert all(bool(finding.advice) == (state is State.FAILED) for finding in findings)
    oled, reports = Oled(None, lambda _: None), queue.SimpleQueue[Failure | Mended]()
    assert check_oled(oled, reports, OledConfig(), person).state is state
    oled.close()


class FingerBus:
    """An I²C bus that takes everything, or on which nobody answers."""

    def __init__(self, answers: bool) -> None:
        self.answers = answers

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        if not self.answers:
            raise OSError(121, "Remote I/O error")

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("answers", "answer", "state"),
    [
        (True, True, State.OK),
        (True, False, State.FAILED),
        (True, None, State.NOT_ASKED),
        (False, True, State.FAILED),
    ],
)
def test_the_finger_points_where_it_should(
    panel: SimulatedPanel, answers: bool, answer: bool | None, state: State
) -> None:
    reports = queue.SimpleQueue[Failure | Mended]()
    finger = Finger(lambda: FingerBus(answers), 0x20, reports.put)
    found = check_finger(finger, reports, FingerConfig(), Scripted(answer, panel))
    finger.close()
    assert found.state is state


def test_a_stand_in_sees_a_second_light_and_hears_silence(panel: SimulatedPanel) -> None:
    person = StandIn(panel)
    panel.show(dict.fromkeys((Led.WHITE, Led.PARK), Glow.ON))
    assert person.sees_light(Led.WHITE, 17) is False
    assert person.hears() is False
    assert StandIn().sees_pattern() is StandIn().hears() is StandIn().presses(Button.OK, 5) is None


def test_buttons_that_are_swapped_are_told(
    panel: SimulatedPanel, presses: queue.SimpleQueue[Press]
) -> None:
    person = Scripted(True, panel, swap=True)
    found = states(check_buttons(panel, presses, PanelConfig(), person))
    assert found == {
        "button ok": State.OK,
        "button undo": State.OK,
        "button left": State.FAILED,
        "button right": State.FAILED,
    }


def test_a_button_that_says_nothing_has_failed(
    panel: SimulatedPanel, presses: queue.SimpleQueue[Press]
) -> None:
    asked = Asked(io.StringIO(), io.StringIO())
    findings = check_buttons(panel, presses, PanelConfig(), asked, patience_s=0.01)
    assert {finding.state for finding in findings} == {State.FAILED}
    assert "pin 5 to ground" in findings[0].advice
    nobody = check_buttons(panel, presses, PanelConfig(), Nobody())
    assert {finding.state for finding in nobody} == {State.NOT_ASKED}


def test_answers_are_yes_no_or_nothing() -> None:
    questions = io.StringIO()
    person = Asked(io.StringIO("maybe\nYes\nn\ns\n\n"), questions)
    told = [person.hears(), person.sees_pattern(), person.sees_light(Led.PARK, 22), person.hears()]
    assert told == [True, False, None, None]
    assert person.hears() is None, "nobody answers any more"
    assert questions.getvalue().count("short tune") == 4
    assert "park light (pin 22)" in questions.getvalue()


def test_a_display_with_a_broken_wire_has_failed_or_is_not_there() -> None:
    for is_certain, state in ((True, State.FAILED), (False, State.NOT_FITTED)):
        wire, reports = DisplayWire(), queue.SimpleQueue[Failure | Mended]()
        wire.broken = True
        oled = Oled.open("ssd1306", reports.put, bus=wire)
        found = check_oled(oled, reports, OledConfig(), StandIn(wire=wire), is_certain)
        oled.close()
        assert found.state is state
        assert "i2cdetect -y 1" in found.advice


def test_a_display_that_shows_something_else_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does that has the other controller: its picture is shifted."""
    monkeypatch.setattr(bedside, "ANSWER_S", 0.2)
    wire, reports = DisplayWire(), queue.SimpleQueue[Failure | Mended]()
    oled = Oled.open("sh1106", reports.put, bus=wire)
    found = check_oled(oled, reports, OledConfig(), StandIn(wire=wire))
    oled.close()
    assert found.state is State.FAILED
    assert "sh1106" in found.advice


def test_the_pattern_reaches_every_edge() -> None:
    pixels = np.array(draw_pattern())
    assert pixels[0].all()
    assert pixels[-1].all()
    assert pixels[:, 0].all()
    assert pixels[:, -1].all()
    assert not np.array_equal(pixels, pixels[::-1, ::-1])


# ---- the camera and its picture ----


class Broken:
    def __init__(self, reason: Fault, times: int) -> None:
        self.reason, self.left = reason, times

    def read(self) -> Frame:
        self.left -= 1
        if self.left >= 0:
            raise CameraTrouble(self.reason, "as it was told to")
        noise = np.random.default_rng(self.left + 99).integers(0, 255, (240, 320, 3), np.uint8)
        return Frame(noise, 0.0, 0)

    def close(self) -> None: ...


@pytest.mark.parametrize("reason", Fault)
def test_a_camera_in_trouble_has_its_advice(reason: Fault) -> None:
    finding, frame = check_camera(Broken(reason, 99), "usb:0", lambda: 0.0)
    assert (finding.state, frame) == (State.FAILED, None)
    assert finding.facts["fault"] == reason
    assert len(finding.advice) > 20
    sought, _ = check_camera(Broken(reason, 99), "pi", lambda: 0.0, is_certain=False)
    assert (sought.state is State.NOT_FITTED) == (reason is Fault.MISSING)


def test_a_camera_that_stumbles_once_is_forgiven() -> None:
    finding, frame = check_camera(Broken(Fault.UNPLUGGED, 1), "usb:0", lambda: 0.0)
    assert finding.state is State.OK
    assert frame is not None
    assert (finding.facts["wide"], finding.facts["high"]) == (320, 240)


def judged(image: Image) -> dict[str, Finding]:
    return {finding.part: finding for finding in check_picture(look(image, BOX), BOX)}


def test_a_good_picture_is_called_good(picture: Image) -> None:
    found = judged(picture)
    assert {part: finding.state for part, finding in found.items()} == dict.fromkeys(
        ("board", "focus", "exposure", "glare"), State.OK
    )
    corners: Any = found["board"].facts["corners_a1_h1_h8_a8"]
    assert np.array(corners).shape == (4, 2)


def test_a_board_whose_pieces_nobody_taught_us_is_found_all_the_same(picture: Image) -> None:
    box = replace(BOX, game="unheard-of", title="Unheard Of")
    board, focus, *_ = check_picture(look(picture, box), box)
    assert (board.state, focus.state) == (State.WARNING, State.OK)
    assert "no network reads the pieces of Unheard Of" in board.words


def test_a_blurred_picture_is_called_blurred(picture: Image) -> None:
    sharpness = [
        judged(np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8))["focus"]
        for sigma in (0.5, 2, 4)
    ]
    values: list[Any] = [finding.facts["sharpness"] for finding in sharpness]
    assert values == sorted(values, reverse=True)
    assert sharpness[0].state is State.OK
    assert sharpness[2].state is State.WARNING
    assert values[2] < SHARP
    assert "lens" in sharpness[2].advice


def test_noise_is_not_taken_for_sharpness(picture: Image) -> None:
    dice = np.random.default_rng(1)
    blurred = cv2.GaussianBlur(picture, (0, 0), 4).astype(np.float64)
    noisy = np.clip(blurred + dice.normal(0, 6, blurred.shape), 0, 255).astype(np.uint8)
    assert judged(noisy)["focus"].state is State.WARNING


def test_glare_is_found_where_it_is(picture: Image) -> None:
    seen = look(picture, BOX)
    assert seen.reading is not None
    side = BOX.board.cell_mm
    x, y = seen.reading.view.project([[3.5 * side, 4.5 * side]])[0]
    glaring = cv2.circle(picture.copy(), (round(x), round(y)), 40, (255, 255, 255), -1)
    found = judged(np.asarray(glaring, np.uint8))["glare"]
    assert found.state is State.WARNING
    assert "d5" in str(found.facts["cells"])


def test_a_table_in_the_dark_and_one_in_the_sun(picture: Image) -> None:
    dim = (picture * 0.07).astype(np.uint8)
    assert judged(dim)["exposure"].state is State.WARNING
    bright = np.clip(picture.astype(np.float64) * 2.4, 0, 255).astype(np.uint8)
    found = judged(bright)["exposure"]
    assert found.state is State.WARNING
    assert "too bright" in found.words


def test_no_board_is_said_with_its_reason() -> None:
    noise = np.random.default_rng(2).integers(90, 110, (480, 640, 3), np.uint8)
    found = judged(noise)
    assert found["board"].state is State.WARNING
    assert found["board"].facts["reason"] == "no-board"
    assert found["board"].advice
    assert found["focus"].state is State.NOT_ASKED


# ---- the machine ----


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("bits", "state", "words"),
    [
        ("0", State.OK, "enough"),
        ("50000", State.WARNING, "under-voltage, throttled since"),
        ("50005", State.FAILED, "under-voltage, throttled at this moment"),
        ("80008", State.FAILED, "too hot"),
    ],
)
def test_power_as_a_pi_tells_it(bare: Machine, bits: str, state: State, words: str) -> None:
    write(bare.sys / "devices/platform/soc/soc:firmware/get_throttled", f"{bits}\n")
    found = check_power(bare)
    assert found.state is state
    assert words in found.words


def test_power_is_asked_of_the_command_where_no_file_tells(bare: Machine, tmp_path: Path) -> None:
    command = tmp_path / "vcgencmd"
    command.write_text('#!/bin/sh\necho "throttled=0x20000"\n')
    command.chmod(0o755)
    assert check_power(replace(bare, vcgencmd=str(command))).facts["since_start"] == [
        "clock capped"
    ]
    command.write_text("#!/bin/sh\nexit 3\n")
    assert check_power(replace(bare, vcgencmd=str(command))).state is State.NOT_FITTED


def test_what_a_machine_does_not_tell_is_left_out(bare: Machine) -> None:
    for check in (check_power, check_heat, check_memory):
        assert check(bare).state is State.NOT_FITTED
    assert describe_machine(bare)["model"] == "no Raspberry Pi"
    write(bare.proc / "device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    write(bare.etc / "os-release", 'NAME="x"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n')
    described = describe_machine(bare)
    assert described["model"] == "Raspberry Pi 4 Model B Rev 1.4"
    assert described["system"] == "Debian GNU/Linux 13 (trixie)"


def test_heat_and_memory(bare: Machine) -> None:
    write(bare.sys / "class/thermal/thermal_zone0/temp", "48312\n")
    assert check_heat(bare).words == "48 °C"
    write(bare.sys / "class/thermal/thermal_zone0/temp", "83000\n")
    assert check_heat(bare).state is State.WARNING
    write(bare.proc / "meminfo", "MemTotal: 500000 kB\nMemAvailable: 300000 kB\n")
    assert check_memory(bare).state is State.OK
    write(bare.proc / "meminfo", "MemTotal: 500000 kB\nMemAvailable: 30000 kB\n")
    assert check_memory(bare).state is State.WARNING


def test_a_clock_that_believes_it_is_long_ago(bare: Machine) -> None:
    assert check_clock(1_000_000_000.0, bare).state is State.WARNING
    assert check_clock(4_000_000_000.0, bare).state is State.OK


def test_a_disk_without_room_or_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / "not" / "yet"
    found = check_disk(deep, tmp_path)
    assert (found.state, found.facts["folder"]) == (State.OK, "~/not/yet")
    assert not deep.exists()

    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("firmware.checks.tempfile.TemporaryFile", refuse)
    found = check_disk(tmp_path, tmp_path)
    assert found.state is State.FAILED
    assert "Permission denied" in found.words


@pytest.mark.parametrize(
    ("free_mb", "state"), [(5, State.FAILED), (100, State.WARNING), (5000, State.OK)]
)
def test_a_disk_that_fills_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_mb: int, state: State
) -> None:
    class Usage:
        free = free_mb * 2**20

    monkeypatch.setattr("firmware.checks.shutil.disk_usage", lambda _: Usage)
    assert check_disk(tmp_path, tmp_path).state is state


def test_the_kept_games_are_counted_and_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    assert check_games(path).facts["games"] == 0
    store = Store.open(path)
    store.begin("masterplan", {})
    store.close()
    assert check_games(path).facts["games"] == 1
    path.write_bytes(b"no database at all, but some text that is long enough" * 30)
    before = path.read_bytes()
    assert check_games(path).state is State.WARNING
    assert path.read_bytes() == before
    path.unlink()
    sqlite3.connect(path).close()
    assert check_games(path).state is State.WARNING
