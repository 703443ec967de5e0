"""Lights, buttons, buzzer, display and finger, each tried with a person who says what it did.

What can be told without one is told first: pins are read back, and a display that does not take
its bytes has failed whoever looks at it. The rest is asked of a `Person`: `Asked` is one at a
terminal, `Nobody` answers nothing, and `StandIn` looks at pins and wire of simulated parts and has
fingers for them, so those are tried like the others.
"""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass
from typing import Final, Protocol, TextIO

from PIL import Image, ImageDraw

from firmware.actions import Button, Glow, Led, Press
from firmware.checks import Finding, State
from firmware.config import FingerConfig, OledConfig, PanelConfig
from firmware.finger import Finger
from firmware.fonts import Face, width_px, write
from firmware.oled import SIZE_WH, Oled
from firmware.panel import Panel, SimulatedPanel
from firmware.simulated.display import DisplayWire
from firmware.snapshot import Failure, Mended
from firmware.sound import TUNES, Cue
from rules.board import Cell

PRESS_S: Final = 10.0
"""So long a press is waited for."""
ANSWER_S: Final = 0.5
"""A display that has not complained after so long has taken what was sent."""
POINTED_AT: Final = (Cell("a1"), Cell("d8"))
"""One end of each row, and the other end of one."""
TAP_S: Final = 0.1
"""How long a stand-in keeps a button down: longer than contacts bounce, shorter than a hold."""
BUSY: Final = "If the service is running, stop it first: sudo systemctl stop parkwarden"


class Person(Protocol):
    """Whoever looks, listens and presses; None where that cannot be asked."""

    def sees_light(self, led: Led, pin: int) -> bool | None:
        """Is this one lit, and no other?"""

    def presses(self, button: Button, pin: int) -> bool | None:
        """Press this button now; whether somebody is going to."""

    def hears(self) -> bool | None:
        """Was there a tune?"""

    def sees_pattern(self) -> bool | None:
        """Does the display show the pattern, whole and upright?"""

    def sees_finger(self, cell: Cell) -> bool | None:
        """Do the finger's lights point at this cell?"""


class Nobody:
    """Where there is no terminal, or nobody wants to be asked."""

    def sees_light(self, led: Led, pin: int) -> bool | None:
        return None

    def presses(self, button: Button, pin: int) -> bool | None:
        return None

    def hears(self) -> bool | None:
        return None

    def sees_pattern(self) -> bool | None:
        return None

    def sees_finger(self, cell: Cell) -> bool | None:
        return None


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody at a terminal. Questions go beside the page, so that the page can go into a file."""

    answers: TextIO
    questions: TextIO

    def sees_light(self, led: Led, pin: int) -> bool | None:
        return self._ask(f"Is the {led} light (pin {pin}) lit, and no other?")

    def presses(self, button: Button, pin: int) -> bool | None:
        self.questions.write(f"Press {button.upper()} (pin {pin}) within {PRESS_S:.0f} s …\n")
        self.questions.flush()
        return True

    def hears(self) -> bool | None:
        return self._ask("Did you hear a short tune?")

    def sees_pattern(self) -> bool | None:
        return self._ask(
            "Does the display show a whole frame with DOCTOR in it, upright, nothing shifted?"
        )

    def sees_finger(self, cell: Cell) -> bool | None:
        return self._ask(f"Is one light lit at file {cell[0]} and one at rank {cell[1:]}?")

    def _ask(self, question: str) -> bool | None:
        while True:
            self.questions.write(f"{question} [y/n, s to skip] ")
            self.questions.flush()
            answer = self.answers.readline().strip().lower()
            if answer[:1] in ("y", "n"):
                return answer[:1] == "y"
            if answer[:1] in ("s", ""):
                return None


@dataclass(frozen=True, slots=True)
class StandIn:
    """Eyes, ears and fingers for simulated parts."""

    panel: SimulatedPanel | None = None
    wire: DisplayWire | None = None

    def sees_light(self, led: Led, pin: int) -> bool | None:
        return self.panel.lit() == {other: other is led for other in Led} if self.panel else None

    def presses(self, button: Button, pin: int) -> bool | None:
        if self.panel is None:
            return None
        self.panel.press(button)
        time.sleep(TAP_S)
        self.panel.release(button)
        return True

    def hears(self) -> bool | None:
        return self.panel.sounding_hz() > 0 if self.panel else None

    def sees_pattern(self) -> bool | None:
        return self.wire.pixels() == draw_pattern().tobytes() if self.wire else None

    def sees_finger(self, cell: Cell) -> bool | None:
        return None


def check_lights(panel: Panel, config: PanelConfig, person: Person) -> list[Finding]:
    """One light after the other."""
    findings = []
    for led, pin in config.leds.items():
        panel.show({other: Glow.ON if other is led else Glow.OFF for other in Led})
        obeys = panel.lit()[led]
        lit = person.sees_light(led, pin) if obeys else False
        part = f"light {led}"
        facts: dict[str, object] = {"pin": pin, "obeys": obeys, "seen": lit}
        advice = (
            f"pin {pin}, a resistor, the LED's longer leg, its shorter leg, ground: is it the"
            " right way round, and on that pin?"
        )
        if not obeys:
            why = panel.failure.detail if panel.failure else "it stays dark"
            findings.append(Finding(part, State.FAILED, f"pin {pin}: {why}", BUSY, facts))
        else:
            findings.append(_told(part, lit, (f"lit by pin {pin}", "not lit"), advice, facts))
    panel.show(dict.fromkeys(Led, Glow.OFF))
    return findings


def check_buttons(
    panel: Panel,
    presses: queue.SimpleQueue[Press],
    config: PanelConfig,
    person: Person,
    patience_s: float = PRESS_S,
) -> list[Finding]:
    """One button after the other. Where nobody presses the first, the rest is not waited for."""
    findings: list[Finding] = []
    for button, pin in config.buttons.items():
        while not presses.empty():
            presses.get()
        part = f"button {button}"
        facts: dict[str, object] = {"pin": pin}
        if findings and findings[-1].state is State.NOT_ASKED:
            asked = None
        else:
            asked = person.presses(button, pin)
        if asked is None:
            findings.append(Finding(part, State.NOT_ASKED, f"nobody pressed pin {pin}", "", facts))
            continue
        try:
            pressed = presses.get(timeout=patience_s).button
        except queue.Empty:
            advice = f"the button joins pin {pin} to ground: check both its wires, and that it is"
            advice += " not stuck"
            words = f"no press came from pin {pin}"
            findings.append(Finding(part, State.FAILED, words, advice, facts))
            continue
        facts["pressed"] = pressed
        if pressed is button:
            findings.append(Finding(part, State.OK, f"heard on pin {pin}", "", facts))
        else:
            words = f"{pressed} was heard in its place (pin {config.buttons[pressed]})"
            advice = "the two are swapped: change the wires, or their pins in the config"
            findings.append(Finding(part, State.FAILED, words, advice, facts))
    return findings


def check_buzzer(panel: Panel, config: PanelConfig, person: Person) -> Finding:
    panel.play(TUNES[Cue.OVER])
    time.sleep(TAP_S)
    obeys = panel.sounding_hz() > 0
    facts: dict[str, object] = {"pin": config.buzzer, "obeys": obeys}
    if not obeys:
        why = panel.failure.detail if panel.failure else "no tone comes from it"
        words = f"pin {config.buzzer}: {why}"
        return Finding("buzzer", State.FAILED, words, BUSY, facts)
    heard = facts["heard"] = person.hears()
    advice = "it must be a passive one, between its pin and ground"
    told = (f"heard on pin {config.buzzer}", "nothing was heard")
    return _told("buzzer", heard, told, advice, facts)


def check_oled(
    oled: Oled,
    reports: queue.SimpleQueue[Failure | Mended],
    config: OledConfig,
    person: Person,
    is_certain: bool = True,
) -> Finding:
    """`is_certain` where the config names the display, and not where it is only sought."""
    oled.show(draw_pattern())
    facts: dict[str, object] = {"kind": config.kind, "address": f"0x{config.address:02x}"}
    report = _wait_for(reports)
    if isinstance(report, Failure):
        words = f"nobody answers at 0x{config.address:02x} of bus {config.port} ({report.detail})"
        advice = f"check its four wires; is I2C on? i2cdetect -y {config.port} should list it"
        state = State.FAILED if is_certain else State.NOT_FITTED
        return Finding("display", state, words, advice, facts)
    seen = facts["seen"] = person.sees_pattern()
    advice = (
        'shifted or with snow at its edge: set kind to "sh1106", or back to "ssd1306";'
        " upside down: set rotate to 180; dark: check its supply"
    )
    told = (f"shows the pattern at 0x{config.address:02x}", "does not show the pattern")
    return _told("display", seen, told, advice, facts)


def check_finger(
    finger: Finger,
    reports: queue.SimpleQueue[Failure | Mended],
    config: FingerConfig,
    person: Person,
) -> Finding:
    """At two cells, so that rows that are swapped or reversed show."""
    facts: dict[str, object] = {"kind": config.fitted, "address": f"0x{config.address:02x}"}
    told: list[bool | None] = []
    for cell in POINTED_AT:
        finger.point(cell)
        report = _wait_for(reports)
        if isinstance(report, Failure):
            words = f"nobody answers at 0x{config.address:02x} of bus {config.port}"
            advice = f"check its wires and its address pins: {report.detail}"
            return Finding("finger", State.FAILED, words, advice, facts)
        told.append(person.sees_finger(cell))
    advice = "file a is pin A0 and rank 1 is pin B0 of its chip: are the rows swapped or reversed?"
    seen = None if None in told else all(told)
    answers = ("points where it should", "points somewhere else")
    return _told("finger", seen, answers, advice, facts | {"seen": told})


def _wait_for(reports: queue.SimpleQueue[Failure | Mended]) -> Failure | Mended | None:
    """A complaint, where one comes soon."""
    try:
        return reports.get(timeout=ANSWER_S)
    except queue.Empty:
        return None


def draw_pattern() -> Image.Image:
    """A frame on the outermost pixels, a cross through it, and a word that has a right way up."""
    image = Image.new("1", SIZE_WH)
    pen = ImageDraw.Draw(image)
    wide, high = SIZE_WH
    pen.rectangle((0, 0, wide - 1, high - 1), outline=1)
    pen.line((0, 0, wide - 1, high - 1), fill=1)
    pen.line((0, high - 1, wide - 1, 0), fill=1)
    word = "DOCTOR"
    room = width_px(word, Face.HUGE)
    pen.rectangle(((wide - room) // 2 - 4, 18, (wide + room) // 2 + 3, 46), fill=0, outline=1)
    write(pen, ((wide - room) // 2, 39), word, Face.HUGE)
    return image


def _told(
    part: str,
    told: bool | None,
    words: tuple[str, str],
    advice: str,
    facts: dict[str, object],
) -> Finding:
    """What a person says of it; `words` for yes and no."""
    yes, no = words
    match told:
        case None:
            return Finding(part, State.NOT_ASKED, "obeys, and nobody was asked", "", facts)
        case True:
            return Finding(part, State.OK, yes, "", facts)
    return Finding(part, State.FAILED, no, advice, facts)
