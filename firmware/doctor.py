"""`parkwarden doctor`: every part tried, with a person where it takes one; one page for a report.

Parts are opened with the device's own drivers, one after the other, and tried where they end: pins,
wires, frames. Whether a part has failed or merely is not there is the config's word: what it names
must work; what it leaves to "auto" may be missing. On a machine that is no Raspberry Pi nothing is
fitted by itself; simulated parts are for whoever asks for them, and are tried like real ones.

`--json` prints one object instead of the page:

    made       when, in UTC                    machine    model, processor, system, kernel
    ok         false where a part has failed   software   versions by name
    findings   [{part, state, words, advice, facts}], in the order of the page

Neither names the machine, its network or its user: both are made to be shown to strangers.
"""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from textwrap import wrap
from typing import Final, TextIO

from firmware.actions import Press
from firmware.bedside import (
    BUSY,
    Nobody,
    Person,
    StandIn,
    check_buttons,
    check_buzzer,
    check_finger,
    check_lights,
    check_oled,
)
from firmware.camera import SIZE_WH
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
    software,
)
from firmware.config import AUTO, Config, Fitted, OledKind, SoundMode, is_raspberry_pi
from firmware.eyesight import Picture, check_camera, check_picture, look
from firmware.panel import Panel, SimulatedPanel
from firmware.parts import (
    SIMULATED,
    Clock,
    Simulation,
    choose_camera,
    fit_camera,
    fit_finger,
    fit_oled,
    fit_panel,
    simulate,
)
from firmware.seeing import save_picture
from firmware.snapshot import Failure, Mended
from firmware.sound import find_engine
from rules.box import Box
from rules.packs import load_pack
from vision.overlay import draw_reading

PAGE_LETTERS: Final = 92
"""Wide enough to be read, narrow enough to be pasted."""
_HERE: Final = "this is no Raspberry Pi; parkwarden run simulates one"


@dataclass(frozen=True, slots=True)
class Patient:
    """What is to be examined, and where; all that a test may want otherwise."""

    config: Config
    state_dir: Path
    home: Path
    on_a_pi: bool
    machine: Machine = field(default_factory=Machine)
    clock: Clock = field(default_factory=Clock)
    simulation: Simulation | None = None

    @property
    def box(self) -> Box:
        return load_pack(self.config.game.name).box


def find_patient(config: Config, state_dir: Path, home: Path) -> Patient:
    """This machine, as it is configured; with a simulated table where the config asks for one."""
    patient = Patient(config, state_dir, home, is_raspberry_pi())
    if config.camera != SIMULATED:
        return patient
    kept = state_dir / "table.json"
    clock, box = patient.clock, patient.box
    return replace(patient, simulation=simulate(box, clock, kept, 0, SIZE_WH, hands=False))


def all_simulated(config: Config) -> Config:
    """The same device without hardware."""
    return replace(
        config,
        camera=SIMULATED,
        oled=replace(config.oled, kind=OledKind.SIMULATED),
        panel=replace(config.panel, fitted=Fitted.SIMULATED),
    )


def doctor(
    patient: Patient,
    person: Person | None,
    out: TextIO,
    *,
    as_json: bool = False,
    picture: Path | None = None,
) -> int:
    """0, or 1 where a part has failed; `picture` is where the camera's is saved."""
    findings = list(examine(patient, person or Nobody(), picture))
    out.write(_format_json(findings, patient) if as_json else _format_page(findings, patient))
    return int(any(finding.state is State.FAILED for finding in findings))


def examine(patient: Patient, person: Person, picture: Path | None = None) -> Iterator[Finding]:
    yield from _examine_panel(patient, person)
    yield _examine_oled(patient, person)
    yield _examine_finger(patient.config, person)
    yield _examine_speech(patient.config)
    yield from _examine_camera(patient, picture)
    yield check_disk(patient.state_dir, patient.home)
    yield check_games(patient.state_dir / "games.db")
    yield check_clock(time.time(), patient.machine)
    yield check_power(patient.machine)
    yield check_heat(patient.machine)
    yield check_memory(patient.machine)


def _examine_panel(patient: Patient, person: Person) -> Iterator[Finding]:
    config = patient.config.panel
    if config.fitted is Fitted.NONE or (config.fitted is Fitted.AUTO and not patient.on_a_pi):
        why = _HERE if config.fitted is Fitted.AUTO else "as the config says"
        yield Finding("panel", State.NOT_FITTED, why)
        return
    presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
    panel = fit_panel(config, patient.on_a_pi, presses.put)
    if not isinstance(panel, Panel):
        reason, detail = (panel.reason, panel.detail) if panel else ("", "")
        is_absent = reason == "missing" and config.fitted is Fitted.AUTO
        state = State.NOT_FITTED if is_absent else State.FAILED
        yield Finding("panel", state, f"{reason}: {detail}", BUSY, {"reason": reason})
        return
    if isinstance(panel, SimulatedPanel):
        person = StandIn(panel=panel)
    with ExitStack() as stack:
        stack.callback(panel.close)
        yield from check_lights(panel, config, person)
        yield from check_buttons(panel, presses, config, person)
        yield check_buzzer(panel, config, person)


def _examine_oled(patient: Patient, person: Person) -> Finding:
    config = patient.config.oled
    if config.kind is OledKind.NONE or (config.kind is OledKind.AUTO and not patient.on_a_pi):
        why = _HERE if config.kind is OledKind.AUTO else "as the config says"
        return Finding("display", State.NOT_FITTED, why)
    reports: queue.SimpleQueue[Failure | Mended] = queue.SimpleQueue()
    oled, wire = fit_oled(config, patient.on_a_pi, reports.put)
    try:
        if wire is not None:
            person = StandIn(wire=wire)
        return check_oled(oled, reports, config, person, config.kind is not OledKind.AUTO)
    finally:
        oled.close()


def _examine_finger(config: Config, person: Person) -> Finding:
    reports: queue.SimpleQueue[Failure | Mended] = queue.SimpleQueue()
    finger = fit_finger(config.finger, reports.put)
    if finger is None:
        return Finding("finger", State.NOT_FITTED, "as the config says")
    try:
        return check_finger(finger, reports, config.finger, person)
    finally:
        finger.close()


def _examine_speech(config: Config) -> Finding:
    engine = find_engine()
    if engine is not None:
        return Finding("speech", State.OK, f"spoken by {engine.command}")
    if config.sound.mode in (SoundMode.SPEECH, SoundMode.BOTH):
        advice = "sudo apt install espeak-ng"
        return Finding("speech", State.FAILED, "the config wants it, and nothing speaks", advice)
    return Finding("speech", State.NOT_FITTED, "no espeak-ng, espeak or say is installed")


def _examine_camera(patient: Patient, saved: Path | None) -> Iterator[Finding]:
    config, simulation = patient.config, patient.simulation
    words = choose_camera(config.camera, patient.on_a_pi)
    if words == SIMULATED and simulation is None:
        yield Finding("camera", State.NOT_FITTED, _HERE)
        return
    camera = fit_camera(words, simulation, patient.clock)
    try:
        finding, frame = check_camera(camera, words, patient.clock.now, config.camera != AUTO)
    finally:
        camera.close()
    yield finding
    if frame is None:
        return
    picture = look(frame.image_bgr, patient.box)
    yield from check_picture(picture, patient.box)
    if saved is not None:
        _save(saved, picture, patient.box)


def _save(path: Path, picture: Picture, box: Box) -> None:
    image = picture.image_bgr
    if picture.reading is not None:
        image = draw_reading(image, picture.reading, box)
    save_picture(path, image)


def _format_json(findings: Sequence[Finding], patient: Patient) -> str:
    return (
        json.dumps(
            {
                "made": _now(),
                "ok": all(finding.state is not State.FAILED for finding in findings),
                "machine": describe_machine(patient.machine),
                "software": software(),
                "findings": [asdict(finding) for finding in findings],
            },
            ensure_ascii=False,
        )
        + "\n"
    )


def _format_page(findings: Sequence[Finding], patient: Patient) -> str:
    versions = (f"{name} {version}" for name, version in software().items())
    lines = [f"Parkwarden doctor, {_now()}"]
    lines += wrap(" · ".join(describe_machine(patient.machine).values()), PAGE_LETTERS)
    lines += [*wrap(" · ".join(versions), PAGE_LETTERS), ""]
    for finding in findings:
        state = finding.state.upper() if finding.state is State.FAILED else finding.state
        lines += _hang(f"{state:<11}{finding.part:<17}", finding.words)
        if finding.advice:
            lines += _hang(" " * 28, f"→ {finding.advice}")
    counts = {state: sum(f.state is state for f in findings) for state in State}
    told = [f"{count} {state}" for state, count in counts.items() if count]
    return "\n".join([*lines, "", ", ".join(told)]) + "\n"


def _hang(head: str, words: str) -> list[str]:
    """The words behind their head, and below each other where they are many."""
    indent = " " * len(head)
    return wrap(words, PAGE_LETTERS, initial_indent=head, subsequent_indent=indent) or [head]


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
