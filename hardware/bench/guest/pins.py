"""Real gpiozero and lgpio on lines of the kernel: our panel, pressed by nobody and lit for nobody.

gpio-sim makes a chip whose lines have two ends. The panel has one; the other is a folder in /sys,
where `pull` is the finger on the button and `value` is what a light would see.
"""

from __future__ import annotations

import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

from report import row, wait_until

from firmware.actions import Button, Glow, Led, Press
from firmware.config import PanelConfig
from firmware.panel import Note, Panel, gpio_factory
from firmware.snapshot import Failure

LINES: Final = 28
PI_4: Final = 0xC03111
"""The revision that a Raspberry Pi 4 gives as its own; gpiozero wants one before it opens a pin."""
PATIENCE_S: Final = 5.0
TUNES: Final = 8
CONFIG: Final = PanelConfig()


class Header:
    """The pin header seen from outside."""

    def __init__(self) -> None:
        subprocess.run(["modprobe", "gpio-sim"], check=True)
        configured = Path("/sys/kernel/config")
        if not (configured / "gpio-sim").exists():
            subprocess.run(["mount", "-t", "configfs", "configfs", configured], check=True)
        device = configured / "gpio-sim" / "header"
        bank = device / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(LINES))
        (device / "live").write_text("1")
        name, chip = (
            (where / what).read_text().strip()
            for where, what in ((device, "dev_name"), (bank, "chip_name"))
        )
        self.chip = chip
        self._lines = Path("/sys/devices/platform") / name / chip

    def press(self, pin: int) -> None:
        (self._lines / f"sim_gpio{pin}" / "pull").write_text("pull-down")

    def release(self, pin: int) -> None:
        (self._lines / f"sim_gpio{pin}" / "pull").write_text("pull-up")

    def is_high(self, pin: int) -> bool:
        return (self._lines / f"sim_gpio{pin}" / "value").read_text().strip() == "1"


def factory_of_a_pi() -> Any:
    """Our own `gpio_factory`, on a machine that is no Pi and has to say that it is one."""
    from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]

    LGPIOFactory._get_revision = lambda self: PI_4
    return gpio_factory()


def main() -> None:
    header = Header()
    presses: list[tuple[Press, float]] = []
    panel = Panel.open(
        CONFIG,
        factory_of_a_pi,
        lambda press: presses.append((press, time.monotonic())),
        time.monotonic,
    )
    if isinstance(panel, Failure):
        row("GPIO", "the panel opens its pins", f"{panel.reason}: {panel.detail}", False)
        return
    row("GPIO", "gpiozero + lgpio open 10 kernel lines", f"{header.chip} opened", True)
    try:
        _press(header, presses)
        _hold(header, presses)
        _storm(header, presses)
        _lights(header, panel)
        _buzz(header, panel)
    finally:
        panel.close()
    dark = not any(header.is_high(CONFIG.leds[led]) for led in Led)
    row("GPIO close", "all lights dark", "dark" if dark else "still lit", dark)


def _press(header: Header, presses: list[tuple[Press, float]]) -> None:
    late_s = []
    for button, pin in CONFIG.buttons.items():
        presses.clear()
        header.press(pin)
        time.sleep(0.15)
        header.release(pin)
        released_s = time.monotonic()
        wait_until(lambda: bool(presses), PATIENCE_S)
        time.sleep(0.2)
        if [press for press, _ in presses] == [Press(button, False)]:
            late_s.append(presses[0][1] - released_s)
    told = f"{len(late_s)} of {len(Button)}"
    if late_s:
        told += f", told {max(late_s) * 1000:.0f} ms after letting go at most"
    row("GPIO press", "each of 4 buttons: one press", told, len(late_s) == len(Button))


def _hold(header: Header, presses: list[tuple[Press, float]]) -> None:
    presses.clear()
    pin = CONFIG.buttons[Button.OK]
    header.press(pin)
    pressed_s = time.monotonic()
    wait_until(lambda: bool(presses), PATIENCE_S)
    while_down = [press for press, _ in presses]
    time.sleep(0.5)
    header.release(pin)
    time.sleep(0.5)
    ok = while_down == [press for press, _ in presses] == [Press(Button.OK, True)]
    after = f"held, told after {presses[0][1] - pressed_s:.2f} s" if presses else "nothing told"
    row("GPIO hold", f"one hold after {CONFIG.hold_s} s, no press", after, ok)


def _storm(header: Header, presses: list[tuple[Press, float]]) -> None:
    presses.clear()
    pin = CONFIG.buttons[Button.UNDO]
    edges, started_s = 0, time.monotonic()
    while time.monotonic() - started_s < 0.1:
        header.press(pin)
        header.release(pin)
        edges += 2
    header.press(pin)
    time.sleep(0.1)
    started_s = time.monotonic()
    while time.monotonic() - started_s < 0.1:
        header.release(pin)
        header.press(pin)
        edges += 2
    header.release(pin)
    time.sleep(1.0)
    ok = [press for press, _ in presses] == [Press(Button.UNDO, False)]
    row("GPIO bounce storm", "one press", f"{len(presses)} from {edges + 2} edges", ok)


def _lights(header: Header, panel: Panel) -> None:
    wrong, slowest_s = [], 0.0
    for lit in Led:
        panel.show({led: Glow.ON if led is lit else Glow.OFF for led in Led})
        took_s = wait_until(partial(_only_lit, header, lit), PATIENCE_S)
        wrong += [lit] if took_s is None else []
        slowest_s = max(slowest_s, took_s or 0.0)
    seen = f"{len(Led) - len(wrong)} of {len(Led)}, {slowest_s * 1000:.0f} ms at most"
    row("GPIO lights", "each of 5, alone, seen on its line", seen, not wrong)

    panel.show({led: Glow.BLINK if led is Led.PARK else Glow.OFF for led in Led})
    pin, was, changes, started_s = CONFIG.leds[Led.PARK], False, 0, time.monotonic()
    while time.monotonic() - started_s < 4.0:
        is_high = header.is_high(pin)
        changes += is_high != was
        was = is_high
        time.sleep(0.01)
    panel.show(dict.fromkeys(Led, Glow.OFF))
    row("GPIO blink", "2 Hz: 16 changes in 4 s", f"{changes}", 14 <= changes <= 17)


def _only_lit(header: Header, lit: Led) -> bool:
    return all(header.is_high(CONFIG.leds[led]) == (led is lit) for led in Led)


def _buzz(header: Header, panel: Panel) -> None:
    """More than once, as the line could be low by chance when the wave is stopped."""
    moved = rested = 0
    for _ in range(TUNES):
        panel.play((Note(440, 0.3),))
        started_s, levels = time.monotonic(), set()
        while time.monotonic() - started_s < 0.3:
            levels.add(header.is_high(CONFIG.buzzer))
        time.sleep(0.3)
        moved += levels == {True, False}
        rested += not any(header.is_high(CONFIG.buzzer) for _ in range(100))
    told = f"moved {moved} times, low afterwards {rested} times, of {TUNES}"
    row("GPIO buzzer", "its line moves, then rests low", told, moved == rested == TUNES)


if __name__ == "__main__":
    main()
