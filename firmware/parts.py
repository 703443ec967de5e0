"""The parts of a device, found or made, as the config says; where it says `auto`:

                  on a Raspberry Pi             anywhere else
    ──────────────────────────────────────────────────────────
    camera        pi; usb:0 if there is only    simulated
                  a webcam
    oled          ssd1306                       simulated
    panel         gpio                          simulated

The finger is fitted where the config says so, and nowhere else.
Simulated parts end at the edge: pins are driven, bytes go over a wire, frames come from a camera,
and everything behind that is the real thing. A part that is not fitted is none, not an error.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from firmware.actions import Press
from firmware.camera import Camera, SteadyCamera, open_camera
from firmware.config import (
    AUTO,
    FingerConfig,
    FingerKind,
    Fitted,
    OledConfig,
    OledKind,
    PanelConfig,
)
from firmware.finger import Finger
from firmware.oled import Oled
from firmware.panel import Panel, SimulatedPanel, gpio_factory, simulated_factory
from firmware.simulated.camera import SimulatedCamera
from firmware.simulated.display import Chip, DisplayWire
from firmware.simulated.table import SimulatedTable
from firmware.snapshot import Failure, Mended
from rules.box import Box

SIMULATED: Final = "simulated"
Report = Callable[[Failure | Mended], None]


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as the table has it: real, or as fast as the frames can be made."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


def fast_clock() -> Clock:
    """Nobody waits: whoever sleeps makes it later."""
    now_s = [0.0]

    def sleep(seconds: float) -> None:
        now_s[0] += seconds
        time.sleep(0)  # but the other threads get their turn

    return Clock(lambda: now_s[0], sleep)


@dataclass(frozen=True, slots=True)
class Simulation:
    """The table that is not there, and the cables that lead to it."""

    table: SimulatedTable
    camera: SimulatedCamera


def choose_camera(words: str, on_a_pi: bool) -> str:
    """The words of the camera to use: a ribbon cable's before a USB one.

    >>> choose_camera("auto", on_a_pi=False), choose_camera("usb:1", on_a_pi=False)
    ('simulated', 'usb:1')
    """
    if words != AUTO:
        return words
    if not on_a_pi:
        return SIMULATED
    return "usb:0" if has_usb_camera() and not has_ribbon_camera() else "pi"


def has_ribbon_camera() -> bool:
    """A sensor on the ribbon cable announces itself as a sub-device; a webcam never does."""
    return any(Path("/dev").glob("v4l-subdev*"))


def has_usb_camera() -> bool:
    return any(Path("/dev/v4l/by-id").glob("usb-*"))


def simulate(
    box: Box, clock: Clock, kept: Path, seed: int, size_wh: tuple[int, int], *, hands: bool
) -> Simulation:
    """A table that is kept in this file, and pictures of it in this size."""
    table = SimulatedTable(box, clock.now, hands=hands)
    table.keep(kept)
    chance = np.random.default_rng(seed)
    camera = SimulatedCamera(table, clock.now, clock.sleep, chance, size_wh=size_wh)
    return Simulation(table, camera)


def fit_camera(words: str, simulation: Simulation | None, clock: Clock) -> Camera:
    if simulation is not None:
        return SteadyCamera(lambda: simulation.camera, clock.now, clock.sleep)
    return open_camera(words, clock.now, clock.sleep)


def fit_oled(config: OledConfig, on_a_pi: bool, report: Report) -> tuple[Oled, DisplayWire | None]:
    """The display, and the far end of its wire where that is simulated."""
    kind = config.kind
    if kind is OledKind.AUTO:
        kind = OledKind.SSD1306 if on_a_pi else OledKind.SIMULATED
    if kind is OledKind.SIMULATED:
        wire = DisplayWire(Chip.SSD1306, config.address)
        return Oled.open(OledKind.SSD1306, report, bus=wire, address=config.address), wire
    oled = Oled.open(kind, report, port=config.port, address=config.address, rotate=config.rotate)
    return oled, None


def fit_panel(
    config: PanelConfig, on_a_pi: bool, on_press: Callable[[Press], None]
) -> Panel | Failure | None:
    """The panel; why there is none; or None where none is fitted."""
    fitted = config.fitted
    if fitted is Fitted.AUTO:
        fitted = Fitted.GPIO if on_a_pi else Fitted.SIMULATED
    if fitted is Fitted.NONE:
        return None
    if fitted is Fitted.SIMULATED:
        return SimulatedPanel.open(config, simulated_factory, on_press, time.monotonic)
    return Panel.open(config, gpio_factory, on_press, time.monotonic)


def fit_finger(config: FingerConfig, report: Report) -> Finger | None:
    if config.fitted is FingerKind.NONE:
        return None
    return Finger.open(config.port, config.address, report)
