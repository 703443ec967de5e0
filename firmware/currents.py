"""Resistors and currents, worked out from what the LEDs need and what the Pi may give.

An LED takes its forward voltage, its resistor the rest. The resistor is the value of the E12 series
nearest to what the target current asks for. Limits are held against the worst case: every LED lit,
its forward voltage as low and every resistor as small as the tolerances allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import Final

from firmware.wiring import Bulb, Supply, Wiring

FINGER_ROW: Final = 8
"""LEDs in each of the finger's rows: its chip has two ports of eight pins."""
E12: Final = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)


@dataclass(frozen=True, slots=True)
class Load:
    """What hangs on one pin."""

    name: str
    ohm: int
    """The resistor in series; 0 where there is none."""
    ma: float
    worst_ma: float


@dataclass(frozen=True, slots=True)
class Total:
    name: str
    ma: float
    most_ma: float


def e12_near(ohm: float) -> int:
    """The nearest value of the series, measured as ratios are.

    >>> e12_near(260), e12_near(167)
    (270, 180)
    """
    return min(_e12(), key=lambda value: abs(log(value / ohm)))


def e12_above(ohm: float) -> int:
    """
    >>> e12_above(206.25)
    220
    """
    return next(value for value in _e12() if value >= ohm)


def _e12() -> Iterator[int]:
    for decade in (1, 10, 100, 1000):
        yield from (value * decade for value in E12)


def bulb_load(name: str, bulb: Bulb, supply: Supply) -> Load:
    left_v = supply.volt - bulb.forward_v
    ohm = e12_near(1000 * left_v / bulb.target_ma)
    worst_v = left_v + supply.forward_tolerance_v
    return Load(name, ohm, 1000 * left_v / ohm, 1000 * worst_v / (ohm * (1 - supply.ohm_tolerance)))


def buzzer_load(name: str, supply: Supply) -> Load:
    """As if the buzzer were a piece of wire: some are as good as one."""
    ohm = e12_above(1000 * supply.volt / supply.pin_ma / (1 - supply.ohm_tolerance))
    ma = 1000 * supply.volt / ohm
    return Load(name, ohm, ma, ma / (1 - supply.ohm_tolerance))


def loads(wiring: Wiring) -> list[Load]:
    """Every GPIO pin of the panel, in the order of the file."""
    supply = wiring.supply
    pulled_ma = 1000 * supply.volt / supply.pull_up_ohm
    return [
        *(bulb_load(light.name, light.bulb, supply) for light in wiring.leds),
        *(Load(button.name, 0, pulled_ma, pulled_ma) for button in wiring.buttons),
        buzzer_load(wiring.buzzer.name, supply),
    ]


def finger_load(wiring: Wiring) -> Load:
    """One LED of the finger, on a pin of its chip."""
    return bulb_load("finger", wiring.finger.bulb, wiring.supply)


def totals(wiring: Wiring) -> list[Total]:
    """What is taken together in the worst case, and what may be."""
    supply, finger = wiring.supply, wiring.finger
    panel_ma = [load.worst_ma for load in loads(wiring)]
    one_ma = finger_load(wiring).worst_ma
    finger_ma = one_ma * finger.lit_together + finger.chip.supply_ma
    rail_ma = sum(panel_ma) + wiring.display.supply_ma + finger_ma
    return [
        Total("the busiest GPIO pin", max(panel_ma), supply.pin_ma),
        Total("all GPIO pins", sum(panel_ma), supply.bank_ma),
        Total("one pin of the finger's chip", one_ma, finger.pin_ma),
        Total("the finger's chip, every LED lit", one_ma * 2 * FINGER_ROW, finger.bank_ma),
        Total("both 3.3 V pins: GPIO, display and finger", rail_ma, supply.rail_ma),
    ]
