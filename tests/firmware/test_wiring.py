"""The wires: one file, checked, within the limits, and the same as the firmware's defaults."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from firmware.actions import Button, Led
from firmware.config import OledConfig, PanelConfig
from firmware.currents import E12, buzzer_load, e12_above, e12_near, loads, totals
from firmware.diagram import draw_wiring
from firmware.svg import SHADES
from firmware.wiring import PIN_NAMES, PIN_OF_GPIO, WIRES, BadWiring, parse_wiring
from firmware.workshop import HARDWARE

TEXT = (HARDWARE / "wiring.yml").read_text(encoding="utf-8")
WIRING = parse_wiring(TEXT)


def test_the_firmware_has_the_same_pins() -> None:
    panel = PanelConfig()
    assert {light.name: light.gpio for light in WIRING.leds} == dict(panel.leds)
    assert {button.name: button.gpio for button in WIRING.buttons} == dict(panel.buttons)
    assert WIRING.buzzer.gpio == panel.buzzer
    assert [light.name for light in WIRING.leds] == list(Led)
    assert [button.name for button in WIRING.buttons] == list(Button)


def test_the_firmware_has_the_same_display() -> None:
    oled = OledConfig()
    assert (WIRING.display.port, WIRING.display.address) == (oled.port, oled.address)


def test_the_header_has_forty_pins() -> None:
    assert sorted(PIN_NAMES) == list(range(1, 41))
    assert len(set(PIN_OF_GPIO.values())) == len(PIN_OF_GPIO)


@pytest.mark.parametrize(
    ("was", "is_now", "told"),
    [
        ("gpio: 27,", "gpio: 17,", r"pin 11 \(GPIO 17\): got 2 wires, expected one"),
        ("gpio: 27,", "gpio: 40,", "leds.yellow.gpio: got 40, expected 2 or 3"),
        ("wire: violet", "wire: mauve", "buttons.right.wire: got 'mauve', expected black or"),
        ("VCC: { pin: 1,", "VCC: { pin: 2,", "expected a pin with 3.3 V: that one is 5 V"),
        ("SDA: { pin: 3,", "SDB: { pin: 3,", "display.pads.SDB: got 'SDB', expected a pad out of"),
        ("buzzer: {", "buzzer: { loud: true,", "buzzer.loud: not a key"),
        ('quantity: 4, substitute: "6×6', 'substitute: "6×6', "quantity: got nothing"),
        ("supply:", "supply: [", "no YAML"),
    ],
)
def test_mistakes_are_told(was: str, is_now: str, told: str) -> None:
    assert was in TEXT
    with pytest.raises(BadWiring, match=told):
        parse_wiring(TEXT.replace(was, is_now, 1))


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(BadWiring) as caught:
        parse_wiring(TEXT.replace("volt: 3.3", "volt: 12").replace("gpio: 27", "gpio: 99"))
    assert len(str(caught.value).splitlines()) == 2


def test_nothing_is_taken_that_is_not_given() -> None:
    for total in totals(WIRING):
        assert 0 < total.ma <= total.most_ma, total


def test_a_light_that_wants_too_much_is_noticed() -> None:
    """The limits can be broken: what data sheets say of LEDs is over most of them."""
    greedy = parse_wiring(re.sub(r"target_ma: \d", "target_ma: 20", TEXT))
    over = [total.name for total in totals(greedy) if total.ma > total.most_ma]
    assert over == [
        "the busiest GPIO pin",
        "all GPIO pins",
        "one pin of the finger's chip",
        "the finger's chip, every LED lit",
    ]


def test_currents_are_near_what_was_wanted() -> None:
    wanted = {light.name: light.bulb.target_ma for light in WIRING.leds}
    for load in loads(WIRING):
        if load.name in wanted:
            assert load.ma == pytest.approx(wanted[load.name], rel=0.12)
            assert load.worst_ma > load.ma


def test_the_buzzer_may_be_a_piece_of_wire() -> None:
    load = buzzer_load("buzzer", WIRING.supply)
    assert load.worst_ma <= WIRING.supply.pin_ma
    smaller = max(value for value in E12 if value < load.ohm / 10) * 10
    assert 1000 * WIRING.supply.volt / (smaller * 0.95) > WIRING.supply.pin_ma


def test_values_come_from_the_series() -> None:
    for low, high in pairwise(E12):
        assert e12_near(low * 10) == low * 10
        assert e12_above(low * 10 + 1) == high * 10


def test_every_colour_can_be_drawn() -> None:
    assert set(WIRES) == set(SHADES)


def test_the_diagram_names_every_wire() -> None:
    root = ElementTree.fromstring(draw_wiring(WIRING))
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for contact in WIRING.contacts:
        assert f"GPIO {contact.gpio}" in words
        assert any(word is not None and word.startswith(contact.name) for word in words)
    for load in loads(WIRING):
        if load.ohm:
            assert f"{load.ohm} Ω" in words


def test_a_moved_wire_moves_in_the_diagram() -> None:
    moved = draw_wiring(parse_wiring(TEXT.replace("gpio: 27,", "gpio: 4,")))
    assert "GPIO 4<" in moved
    assert "GPIO 27<" not in moved
