"""The wires of the device, read from hardware/wiring.yml.

For the desk, not for the device: from here come diagram, tables and shopping list (see `workshop`).
The firmware never reads the file, and so needs no YAML; its own default pins are held against these
by a test. Every mistake in the file is told at once: pins that are used twice, wires in a colour
nobody sells, a supply wire on a pin that gives none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import yaml

from firmware.height import Lens
from rules.errors import ParkwardenError
from rules.section import Section

WIRES: Final = (
    "black", "white", "grey", "red", "orange", "yellow", "green", "blue", "violet", "brown",
)  # fmt: skip

# fmt: off
PIN_OF_GPIO: Final = {
    2: 3, 3: 5, 4: 7, 17: 11, 27: 13, 22: 15, 10: 19, 9: 21, 11: 23, 0: 27, 5: 29, 6: 31, 13: 33,
    19: 35, 26: 37, 14: 8, 15: 10, 18: 12, 23: 16, 24: 18, 25: 22, 8: 24, 7: 26, 1: 28, 12: 32,
    16: 36, 20: 38, 21: 40,
}
# fmt: on
"""By BCM number: the pin on the 40-pin header, the same on every Pi since the B+."""
POWER: Final = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"} | dict.fromkeys(
    (6, 9, 14, 20, 25, 30, 34, 39), "ground"
)
PIN_NAMES: Final = POWER | {pin: f"GPIO {gpio}" for gpio, pin in PIN_OF_GPIO.items()}
PAD_PINS: Final = {
    "VCC": "3.3 V",
    "VDD": "3.3 V",
    "GND": "ground",
    "VSS": "ground",
    "SDA": "GPIO 2",
    "SCL": "GPIO 3",
}
"""What must be on the header where a pad of this name is connected."""


class BadWiring(ParkwardenError, ValueError):
    """A wiring.yml with mistakes: all of them, one a line."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(f"wiring.yml: {mistake}" for mistake in mistakes))


@dataclass(frozen=True, slots=True)
class Supply:
    volt: float
    pin_ma: float
    bank_ma: float
    rail_ma: float
    pull_up_ohm: float
    ohm_tolerance: float
    forward_tolerance_v: float


@dataclass(frozen=True, slots=True)
class Contact:
    """A button or the buzzer: one wire to a pin, the other to ground."""

    name: str
    gpio: int
    wire: str
    says: str

    @property
    def pin(self) -> int:
        return PIN_OF_GPIO[self.gpio]


@dataclass(frozen=True, slots=True)
class Bulb:
    """An LED, whatever it hangs on."""

    glows: str
    forward_v: float
    """At the target current, not at what its data sheet bears."""
    target_ma: float


@dataclass(frozen=True, slots=True)
class Light(Contact):
    bulb: Bulb


@dataclass(frozen=True, slots=True)
class Pad:
    name: str
    pin: int
    wire: str


@dataclass(frozen=True, slots=True)
class Device:
    """Something on the I2C bus."""

    name: str
    port: int
    address: int
    supply_ma: float
    pads: tuple[Pad, ...]


@dataclass(frozen=True, slots=True)
class Finger:
    chip: Device
    bulb: Bulb
    lit_together: int
    pin_ma: float
    bank_ma: float
    files: str
    """The chip's port for the files; its pin 0 is the first."""
    ranks: str
    tied_high: tuple[str, ...]
    tied_low: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    quantity: int
    part: str
    substitute: str
    why: str


@dataclass(frozen=True, slots=True)
class Wiring:
    supply: Supply
    leds: tuple[Light, ...]
    buttons: tuple[Contact, ...]
    buzzer: Contact
    display: Device
    ground: tuple[Pad, ...]
    finger: Finger
    lenses: tuple[Lens, ...]
    parts: tuple[Part, ...]
    finger_parts: tuple[Part, ...]

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """All that hangs on a GPIO pin of its own."""
        return (*self.leds, *self.buttons, self.buzzer)


def parse_wiring(text: str) -> Wiring:
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadWiring([f"no YAML: {error}"]) from None
    if not isinstance(data, dict):
        raise BadWiring(["got no table at all, expected supply, leds, buttons …"])
    mistakes: list[str] = []
    top = Section(data, "", mistakes)
    leds, buttons, ground = top.section("leds"), top.section("buttons"), top.section("ground")
    lenses, display = top.section("lenses"), top.section("display")
    wiring = Wiring(
        supply=_supply(top.section("supply")),
        leds=tuple(_light(name, leds.section(name)) for name in leds.names()),
        buttons=tuple(_contact(name, buttons.section(name)) for name in buttons.names()),
        buzzer=_contact("buzzer", top.section("buzzer")),
        display=_device(display),
        ground=tuple(_pad(side, "GND", ground.section(side)) for side in ground.names()),
        finger=_finger(top.section("finger")),
        lenses=tuple(_lens(name, lenses.section(name)) for name in lenses.names()),
        parts=_parts(top.section("parts")),
        finger_parts=_parts(top.section("finger_parts")),
    )
    display.close()
    top.close()
    # Where something else is wrong, stand-ins would be taken for pins.
    mistakes = mistakes or list(_shared_pins(wiring))
    if mistakes:
        raise BadWiring(mistakes)
    return wiring


def _supply(section: Section) -> Supply:
    supply = Supply(
        volt=section.number("volt", 1, 5),
        pin_ma=section.number("pin_ma", 1, 100),
        bank_ma=section.number("bank_ma", 1, 1000),
        rail_ma=section.number("rail_ma", 1, 1000),
        pull_up_ohm=section.number("pull_up_ohm", 1000, 1_000_000),
        ohm_tolerance=section.number("ohm_tolerance", 0, 0.2),
        forward_tolerance_v=section.number("forward_tolerance_v", 0, 0.5),
    )
    section.close()
    return supply


def _gpio(section: Section) -> int:
    return section.choice("gpio", tuple(PIN_OF_GPIO))


def _contact(name: str, section: Section) -> Contact:
    wire = section.choice("wire", WIRES)
    contact = Contact(name, _gpio(section), wire, section.text("says"))
    section.close()
    return contact


def _light(name: str, section: Section) -> Light:
    wire = section.choice("wire", WIRES)
    light = Light(name, _gpio(section), wire, section.text("says"), _bulb(section))
    section.close()
    return light


def _bulb(section: Section) -> Bulb:
    return Bulb(
        glows=section.choice("glows", WIRES),
        forward_v=section.number("forward_v", 1, 3.2),
        target_ma=section.number("target_ma", 0.5, 20),
    )


def _pad(name: str, kind: str, section: Section) -> Pad:
    pin, wire = section.whole("pin", 1, 40), section.choice("wire", WIRES)
    if PIN_NAMES[pin] != PAD_PINS[kind]:
        section.complain("pin", pin, f"a pin with {PAD_PINS[kind]}: that one is {PIN_NAMES[pin]}")
    section.close()
    return Pad(name, pin, wire)


def _device(section: Section) -> Device:
    """Whoever has the section may have more to ask."""
    pads = section.section("pads")
    for name in set(pads.names()) - set(PAD_PINS):
        pads.complain(name, name, f"a pad out of {', '.join(PAD_PINS)}")
    known = [name for name in pads.names() if name in PAD_PINS]
    return Device(
        name=section.text("name"),
        port=section.whole("port", 0, 99),
        address=section.whole("address", 0x08, 0x77),
        supply_ma=section.number("supply_ma", 0, 200),
        pads=tuple(_pad(name, name, pads.section(name)) for name in known),
    )


def _finger(section: Section) -> Finger:
    finger = Finger(
        chip=_device(section),
        bulb=_bulb(section),
        lit_together=section.whole("lit_together", 1, 16),
        pin_ma=section.number("pin_ma", 1, 100),
        bank_ma=section.number("bank_ma", 1, 1000),
        files=section.text("files"),
        ranks=section.text("ranks"),
        tied_high=section.texts("tied_high"),
        tied_low=section.texts("tied_low"),
    )
    section.close()
    return finger


def _lens(name: str, section: Section) -> Lens:
    lens = Lens(
        name, section.number("horizontal_deg", 20, 150), section.number("vertical_deg", 20, 150)
    )
    section.close()
    return lens


def _parts(section: Section) -> tuple[Part, ...]:
    parts = []
    for name in section.names():
        entry = section.section(name)
        quantity = entry.whole("quantity", 1, 1000)
        parts.append(Part(quantity, name, entry.text("substitute"), entry.text("why")))
        entry.close()
    return tuple(parts)


def _shared_pins(wiring: Wiring) -> Iterator[str]:
    used = Counter(contact.pin for contact in wiring.contacts)
    used.update({pad.pin for pad in wiring.display.pads} | {pad.pin for pad in wiring.ground})
    for pin, count in used.items():
        if count > 1:
            yield f"pin {pin} ({PIN_NAMES[pin]}): got {count} wires, expected one"
