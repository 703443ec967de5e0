"""Lights, buttons and buzzer: on mock pins, by a clock that only goes when it is told to."""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest
from gpiozero import Device, PinSetInput  # type: ignore[import-untyped]
from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]

from firmware.actions import Button, Glow, Led, Press
from firmware.config import PanelConfig
from firmware.dialog import Answer, Listing, Topic
from firmware.lights import lights_for
from firmware.panel import (
    HALF_BLINK_S,
    HIGHEST_HZ,
    LOWEST_HZ,
    Note,
    Panel,
    SimulatedPanel,
    Touch,
    gpio_factory,
    simulated_factory,
)
from firmware.snapshot import Access, Failure, GameCard, Hidden, Part, Seeing, Snapshot
from rules.board import Cell, Piece, Position
from rules.packs import load_pack
from rules.verdict import Due, Outcome, Verdict
from rules.voice import Language

PINS = PanelConfig()
HOLD_S, BOUNCE_S = PINS.hold_s, PINS.bounce_s


# ---- what a snapshot looks like in lights ----


def a_verdict(**changes: Any) -> Verdict:
    verdict = Verdict(Position(), Position(), ply=0, turn="white", score={"white": 0, "yellow": 0})
    return replace(verdict, **changes)


def a_snapshot(verdict: Verdict | None = None, **changes: Any) -> Snapshot:
    snapshot = Snapshot(
        number=1,
        language=Language.EN,
        sound="off",
        game=GameCard(1, load_pack("masterplan"), {}, 0.0),
        verdict=verdict or a_verdict(),
        access=Access("", ""),
        seeing=Seeing.WATCHING,
    )
    return replace(snapshot, **changes)


def a_due(kind: str, cell: str = "d5", forgotten: bool = False) -> Due:
    return Due(Piece(kind), Cell(cell), (), forgotten)


def glowing(snapshot: Snapshot) -> dict[str, str]:
    """The lights that are not off, in plain words."""
    lights = lights_for(snapshot)
    assert set(lights) == set(Led)
    return {led.value: glow.value for led, glow in lights.items() if glow is not Glow.OFF}


@pytest.mark.parametrize("colour", ["white", "yellow"])
def test_whose_turn_it_is(colour: str) -> None:
    assert glowing(a_snapshot(a_verdict(turn=colour))) == {colour: "on"}


def test_a_colour_without_a_light_has_none() -> None:
    assert glowing(a_snapshot(a_verdict(turn="mauve", dues=(a_due("pond"),)))) == {}


@pytest.mark.parametrize("kind", ["park", "tower"])
def test_what_is_due_glows_and_what_is_forgotten_blinks(kind: str) -> None:
    due, forgotten = a_due(kind, "d5"), a_due(kind, "a1", forgotten=True)
    assert glowing(a_snapshot(a_verdict(dues=(due,)))) == {"white": "on", kind: "on"}
    assert glowing(a_snapshot(a_verdict(dues=(forgotten,)))) == {"white": "on", kind: "blink"}
    for dues in ((due, forgotten), (forgotten, due)):
        assert glowing(a_snapshot(a_verdict(dues=dues)))[kind] == "blink"


def test_attention_blinks_for_trouble_and_for_questions() -> None:
    assert "attention" not in glowing(a_snapshot())
    hidden = a_snapshot(alarm=Hidden((Cell("c4"),)))
    assert glowing(hidden) == {"white": "on", "attention": "blink"}
    for topic in Topic:
        asked = a_snapshot(dialog=Listing(topic, (Answer.YES, Answer.NO)))
        is_question = topic in (Topic.UNSURE, Topic.HAPPENED, Topic.CLEARED)
        assert ("attention" in glowing(asked)) is is_question, topic


def test_attention_glows_for_a_part_that_failed_and_blinks_where_it_matters() -> None:
    failure = Failure(Part.STORE, "full")
    assert glowing(a_snapshot(failures=(failure,)))["attention"] == "on"
    assert glowing(a_snapshot(failures=(failure,), alarm=failure))["attention"] == "blink"


def test_at_the_end_the_winner_blinks() -> None:
    won = Outcome({"white": 9, "yellow": 7}, ("white",))
    drawn = Outcome({"white": 9, "yellow": 9}, ("white", "yellow"))
    assert glowing(a_snapshot(a_verdict(turn=None, outcome=won))) == {"white": "blink"}
    assert glowing(a_snapshot(a_verdict(turn=None, outcome=drawn))) == {
        "white": "blink",
        "yellow": "blink",
    }


def test_the_game_stays_lit_while_nobody_can_see_it_but_not_before_it_was_seen() -> None:
    verdict = a_verdict(dues=(a_due("park"),))
    for seeing in (Seeing.WATCHING, Seeing.BUSY, Seeing.BLIND):
        assert glowing(a_snapshot(verdict, seeing=seeing)) == {"white": "on", "park": "on"}
    assert glowing(a_snapshot(verdict, seeing=Seeing.STARTING)) == {}
    failure = Failure(Part.CAMERA, "missing")
    starting = a_snapshot(verdict, seeing=Seeing.STARTING, alarm=failure)
    assert glowing(starting) == {"attention": "blink"}


# ---- what a bouncing contact means ----


def told(touch: Touch, until_s: float, edges: list[tuple[float, bool]]) -> list[tuple[float, bool]]:
    """What a touch tells, and when, if it is asked every millisecond."""
    said = []
    for ms in range(round(until_s * 1000) + 1):
        now_s = ms / 1000
        while edges and edges[0][0] <= now_s:
            touch.edge(edges.pop(0)[1], now_s)
        held = touch.tell(now_s)
        if held is not None:
            said.append((now_s, held))
    return said


def a_touch(is_stuck: bool = False) -> Touch:
    return Touch(hold_s=0.8, bounce_s=0.03, is_stuck=is_stuck)


def test_a_press_is_told_when_it_is_over() -> None:
    assert told(a_touch(), 3, [(1.0, True), (1.2, False)]) == [(1.23, False)]


def test_no_tap_is_too_short() -> None:
    assert told(a_touch(), 3, [(1.0, True), (1.0, False)]) == [(1.03, False)]


def test_a_hold_is_told_once_while_it_lasts_and_its_end_is_no_press() -> None:
    assert told(a_touch(), 9, [(1.0, True), (6.0, False)]) == [(1.8, True)]


def test_after_a_hold_a_press_is_a_press_again() -> None:
    edges = [(1.0, True), (2.0, False), (3.0, True), (3.1, False)]
    assert told(a_touch(), 5, edges) == [(1.8, True), (3.13, False)]


@pytest.mark.parametrize("gap_s", [0.001, 0.005, 0.029])
@pytest.mark.parametrize("storm", [3, 101])
def test_a_storm_is_one_press(gap_s: float, storm: int) -> None:
    """Odd numbers of edges going down, even ones coming up, so that it ends let go."""
    down = [(1.0 + number * gap_s, number % 2 == 0) for number in range(storm)]
    last_s = down[-1][0] + 0.2
    up = [(last_s + number * gap_s, number % 2 == 1) for number in range(storm)]
    assert [held for _, held in told(a_touch(), up[-1][0] + 2, down + up)] == [False]


def test_a_contact_that_chatters_is_never_held() -> None:
    edges = [(1.0 + number * 0.1, number % 2 == 0) for number in range(50)]
    assert [held for _, held in told(a_touch(), 9, edges)].count(True) == 0


def test_two_presses_are_two() -> None:
    edges = [(1.0, True), (1.05, False), (1.15, True), (1.2, False)]
    assert [held for _, held in told(a_touch(), 3, edges)] == [False, False]


def test_a_button_that_was_down_from_the_start_says_nothing_until_it_was_let_go() -> None:
    assert told(a_touch(is_stuck=True), 9, []) == []
    edges = [(2.0, False), (2.01, True), (2.02, False), (4.0, True), (4.1, False)]
    assert told(a_touch(is_stuck=True), 9, edges) == [(4.13, False)]


# ---- the pins ----


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class Bench:
    """A panel on mock pins whose turns the test takes itself."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.pressed: list[Press] = []
        self.factory = simulated_factory()
        self.panel = SimulatedPanel(PINS, self.factory, self.pressed.append, self.clock)

    def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.clock.now_s += 0.01
            self.panel.step()

    def pin(self, number: int) -> Any:
        return self.factory.pin(number)

    def tap(self, button: Button) -> None:
        self.panel.press(button)
        self.panel.release(button)

    def lit(self) -> set[str]:
        return {led.value for led, is_lit in self.panel.lit().items() if is_lit}


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.panel.close()


@pytest.mark.parametrize("button", list(Button))
def test_each_button_is_on_its_pin(bench: Bench, button: Button) -> None:
    bench.pin(PINS.buttons[button]).drive_low()
    bench.pass_time(0.1)
    bench.pin(PINS.buttons[button]).drive_high()
    assert bench.pressed == []
    bench.pass_time(0.1)
    assert bench.pressed == [Press(button)]


def test_held(bench: Bench) -> None:
    bench.panel.press(Button.LEFT)
    bench.pass_time(HOLD_S - 0.05)
    assert bench.pressed == []
    bench.pass_time(0.1)
    assert bench.pressed == [Press(Button.LEFT, held=True)]
    bench.panel.release(Button.LEFT)
    bench.pass_time(1)
    assert len(bench.pressed) == 1


def test_a_stuck_button_is_held_once_and_the_others_work(bench: Bench) -> None:
    bench.panel.press(Button.UNDO)
    bench.pass_time(60)
    bench.tap(Button.OK)
    bench.pass_time(1)
    assert bench.pressed == [Press(Button.UNDO, held=True), Press(Button.OK)]


def test_a_button_storm_is_one_press(bench: Bench) -> None:
    for _ in range(200):
        bench.tap(Button.OK)
    bench.pass_time(1)
    assert bench.pressed == [Press(Button.OK)]


def test_two_buttons_at_once_are_two(bench: Bench) -> None:
    bench.panel.press(Button.LEFT)
    bench.panel.press(Button.RIGHT)
    bench.pass_time(0.2)
    bench.panel.release(Button.RIGHT)
    bench.pass_time(HOLD_S)
    assert bench.pressed == [Press(Button.RIGHT), Press(Button.LEFT, held=True)]


def test_an_edge_that_got_lost_leaves_no_button_down(bench: Bench) -> None:
    pin = bench.pin(PINS.buttons[Button.OK])
    bench.panel.press(Button.OK)
    bench.pass_time(0.1)
    pin._change_state(True)  # the contact opens, and nobody is told
    bench.pass_time(2)
    assert bench.pressed == [Press(Button.OK)]


@pytest.mark.parametrize("led", list(Led))
def test_each_light_is_on_its_pin(bench: Bench, led: Led) -> None:
    bench.panel.show({led: Glow.ON})
    assert bench.pin(PINS.leds[led]).state == 1
    assert bench.lit() == {led.value}
    bench.pass_time(2)
    assert bench.lit() == {led.value}
    bench.panel.show({led: Glow.OFF})
    assert bench.lit() == set()


def test_lights_blink_in_phase_whenever_they_began(bench: Bench) -> None:
    bench.panel.show({Led.PARK: Glow.BLINK, Led.WHITE: Glow.ON})
    bench.pass_time(0.1)
    bench.panel.show({Led.ATTENTION: Glow.BLINK})
    seen = []
    for _ in range(100):
        bench.pass_time(0.01)
        seen.append(frozenset(bench.lit()))
    assert set(seen) == {frozenset({"white"}), frozenset({"white", "park", "attention"})}
    changes = sum(before != after for before, after in pairwise(seen))
    assert changes == round(1 / HALF_BLINK_S)


def test_only_what_changes_is_touched(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.panel.show({Led.WHITE: Glow.ON, Led.YELLOW: Glow.OFF})
    written: list[Led] = []

    def note_writes(led: Led) -> None:
        pin = bench.pin(PINS.leds[led])
        write = pin._set_state

        def note(value: float) -> None:
            written.append(led)
            write(value)

        monkeypatch.setattr(pin, "_set_state", note)

    for led in Led:
        note_writes(led)
    for _ in range(5):
        bench.panel.show({Led.WHITE: Glow.ON, Led.YELLOW: Glow.OFF})
        bench.pass_time(0.1)
    assert written == []
    bench.panel.show({Led.WHITE: Glow.ON, Led.YELLOW: Glow.ON})
    assert written == [Led.YELLOW]


def test_a_tune_is_played_note_by_note(bench: Bench) -> None:
    bench.panel.play((Note(880, 0.1), Note(0, 0.1), Note(440, 0.1)))
    heard = []
    for _ in range(8):
        bench.pass_time(0.05)
        heard.append(round(bench.panel.sounding_hz()))
    assert heard == [880, 880, 0, 0, 440, 440, 0, 0]
    assert bench.pin(PINS.buzzer).frequency is None


class HighPin(MockPWMPin):  # type: ignore[misc]
    """As lgpio's: when the wave is stopped, the line stays as high as it just was."""

    def _set_frequency(self, value: float | None) -> None:
        was = self.state
        super()._set_frequency(value)
        if value is None and was:
            self._change_state(1.0)


def test_the_buzzers_line_is_low_when_the_tune_is_over() -> None:
    now_s = 0.0
    factory = MockFactory(pin_class=HighPin)
    panel = Panel(PINS, factory, lambda _: None, lambda: now_s)
    try:
        panel.play((Note(880, 0.1),))
        panel.step()
        assert factory.pin(PINS.buzzer).state == 0.5
        now_s = 1.0
        panel.step()
        assert (factory.pin(PINS.buzzer).frequency, factory.pin(PINS.buzzer).state) == (None, 0)
    finally:
        panel.close()


def test_the_newest_tune_wins(bench: Bench) -> None:
    bench.panel.play((Note(880, 10),))
    bench.pass_time(0.05)
    bench.panel.play((Note(440, 0.1),))
    bench.pass_time(0.05)
    assert round(bench.panel.sounding_hz()) == 440
    bench.pass_time(0.2)
    assert bench.panel.sounding_hz() == 0


def test_no_tune_is_silence(bench: Bench) -> None:
    bench.panel.play((Note(880, 10),))
    bench.pass_time(0.05)
    bench.panel.play(())
    bench.pass_time(0.05)
    assert bench.panel.sounding_hz() == 0


@pytest.mark.parametrize("hz", [LOWEST_HZ, HIGHEST_HZ])
def test_the_buzzer_has_four_octaves(bench: Bench, hz: float) -> None:
    bench.panel.play((Note(hz, 1),))
    bench.pass_time(0.05)
    assert bench.panel.sounding_hz() == pytest.approx(hz)


def test_a_pin_that_fails_is_logged_once_and_tried_again(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    pin = bench.pin(PINS.leds[Led.WHITE])
    write = pin._set_state

    def refuse(_: float) -> None:
        raise PinSetInput("the wire came off")

    pin._set_state = refuse
    with caplog.at_level(logging.WARNING):
        bench.panel.show({Led.WHITE: Glow.ON})
        bench.pass_time(1)
    assert [record.message for record in caplog.records] == [
        "the panel's pins fail: the wire came off"
    ]
    assert bench.panel.failure == Failure(Part.PANEL, "refused", "the wire came off")
    pin._set_state = write
    bench.pass_time(0.05)
    assert bench.panel.failure is None
    assert bench.lit() == {"white"}


def test_a_pin_that_cannot_be_read_is_dark(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.panel.show({Led.WHITE: Glow.ON})

    def refuse() -> bool:
        raise OSError("the chip is gone")

    monkeypatch.setattr(bench.pin(PINS.leds[Led.WHITE]), "_get_state", refuse)
    assert bench.lit() == set()
    assert bench.panel.failure == Failure(Part.PANEL, "refused", "the chip is gone")


# ---- opening and closing ----


def wait_for(condition: Callable[[], bool], most_s: float = 5.0) -> bool:
    until_s = time.monotonic() + most_s
    while not condition() and time.monotonic() < until_s:
        time.sleep(0.002)
    return condition()


def open_simulated(on_press: Callable[[Press], None]) -> SimulatedPanel:
    panel = SimulatedPanel.open(PINS, simulated_factory, on_press, time.monotonic)
    assert isinstance(panel, SimulatedPanel)
    return panel


def test_the_thread_does_it_all_by_itself() -> None:
    presses: queue.Queue[tuple[Press, str]] = queue.Queue()
    panel = open_simulated(lambda press: presses.put((press, threading.current_thread().name)))
    try:
        panel.press(Button.OK)
        panel.release(Button.OK)
        assert presses.get(timeout=5) == (Press(Button.OK), "panel")
        panel.press(Button.RIGHT)
        assert presses.get(timeout=5) == (Press(Button.RIGHT, held=True), "panel")
        panel.show({Led.PARK: Glow.BLINK})
        for is_lit in (True, False, True):
            assert wait_for(lambda is_lit=is_lit: panel.lit()[Led.PARK] is is_lit)  # type: ignore[misc]
        panel.play((Note(440, 0.05),))
        assert wait_for(lambda: panel.sounding_hz() > 0)
        assert wait_for(lambda: panel.sounding_hz() == 0)
    finally:
        panel.close()
    assert presses.empty()


def test_a_panel_that_has_nothing_to_do_sleeps() -> None:
    asked = []

    def clock() -> float:
        asked.append(1)
        return time.monotonic()

    panel = SimulatedPanel.open(PINS, simulated_factory, lambda _: None, clock)
    assert isinstance(panel, SimulatedPanel)
    panel.show(dict.fromkeys(Led, Glow.ON))
    time.sleep(0.05)
    before = len(asked)
    time.sleep(0.3)
    panel.close()
    assert len(asked) == before


def test_closing_puts_out_the_lights_and_frees_pins_and_thread() -> None:
    factory = simulated_factory()
    threads = threading.active_count()
    for _ in range(3):
        panel = SimulatedPanel.open(PINS, lambda: factory, lambda _: None, time.monotonic)
        assert isinstance(panel, SimulatedPanel)
        panel.show(dict.fromkeys(Led, Glow.ON))
        panel.play((Note(440, 60),))
        panel.press(Button.OK)
        panel.close()
        assert threading.active_count() == threads
        assert not any(panel.lit().values())
        assert panel.sounding_hz() == 0
        assert panel.failure is None
        assert not factory.pins, "the factory was not closed"


def test_a_closed_panel_takes_everything_and_does_nothing() -> None:
    presses: list[Press] = []
    panel = open_simulated(presses.append)
    panel.close()
    panel.show({Led.PARK: Glow.ON})
    panel.play((Note(440, 1),))
    panel.press(Button.OK)
    panel.release(Button.OK)
    panel.close()
    assert (panel.failure, presses, any(panel.lit().values())) == (None, [], False)


def test_nothing_is_set_globally() -> None:
    open_simulated(lambda _: None).close()
    assert Device.pin_factory is None


def test_two_panels_do_not_know_each_other() -> None:
    first, second = Bench(), Bench()
    first.tap(Button.OK)
    for bench in (first, second):
        bench.pass_time(0.1)
    assert (len(first.pressed), len(second.pressed)) == (1, 0)
    for bench in (first, second):
        bench.panel.close()


def test_without_lgpio_there_is_no_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    panel = Panel.open(PINS, gpio_factory, lambda _: None, time.monotonic)
    assert isinstance(panel, Failure)
    assert (panel.part, panel.reason) == (Part.PANEL, "missing")
    assert "sudo apt install python3-lgpio" in panel.detail


def test_an_empty_stand_in_for_lgpio_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    panel = Panel.open(PINS, gpio_factory, lambda _: None, time.monotonic)
    assert isinstance(panel, Failure)
    assert (panel.reason, "empty stand-in" in panel.detail) == ("missing", True)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError("/dev/gpiochip0"), "refused"),
        (FileNotFoundError("/dev/gpiochip0"), "missing"),
        (PinSetInput("no"), "refused"),
    ],
)
def test_what_cannot_be_opened_is_told(error: Exception, reason: str) -> None:
    def fail() -> Any:
        raise error

    panel = Panel.open(PINS, fail, lambda _: None, time.monotonic)
    assert panel == Failure(Part.PANEL, reason, str(error))


def test_lgpios_own_errors_are_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class GpioBusy(Exception):
        pass

    lgpio = ModuleType("lgpio")
    lgpio.error = GpioBusy  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    factory = simulated_factory()

    def busy(_: int) -> Any:
        raise GpioBusy("GPIO busy")

    monkeypatch.setattr(factory, "pin", busy)
    panel = Panel.open(PINS, lambda: factory, lambda _: None, time.monotonic)
    assert panel == Failure(Part.PANEL, "refused", "GPIO busy")


def test_a_pin_in_use_fails_and_frees_what_was_opened_before() -> None:
    factory = simulated_factory()
    twice = replace(PINS, buzzer=PINS.leds[Led.WHITE])
    panel = Panel.open(twice, lambda: factory, lambda _: None, time.monotonic)
    assert isinstance(panel, Failure)
    again = Panel.open(PINS, lambda: factory, lambda _: None, time.monotonic)
    assert isinstance(again, Panel)
    again.close()
