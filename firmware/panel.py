"""Lights, buttons and buzzer on the pin header. The only file that knows gpiozero.

`firmware.lights` says what a snapshot looks like in lights; `Touch` says what a bouncing contact
means; `Panel` is the wire between those and the pins. A pin factory is handed in, so that a
simulated table presses the very same buttons by driving mock pins; nothing is ever set globally.

One thread does all that takes time. `step` is one turn of it and does what is due by the clock;
between turns the thread sleeps until something is due again or happens. Edges arrive on threads of
the pin library, are noted and wake it. So presses are told in the panel's thread, and whoever takes
them hands them on to its own loop.

What a button says is a matter of edges and quiet, as mock pins know no bounce time and drivers
disagree about theirs:

    touch            an edge down              at once, so that no tap is too short
    held             down, quiet for hold_s    told once, while it is still down
    let go           up, quiet for bounce_s    told as a press, unless it was held
    down when opened                           told nothing until it has been let go: it is stuck

A storm of edges is one press, however long it lasts. A pin that fails is logged once and tried
again; the game goes on without it.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self

from gpiozero import (  # type: ignore[import-untyped]
    LED,
    BadPinFactory,
    DigitalInputDevice,
    GPIOZeroError,
    PinUnknownPi,
    TonalBuzzer,
)
from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]
from gpiozero.tones import Tone  # type: ignore[import-untyped]

from firmware.actions import Button, Glow, Led, Press
from firmware.config import PanelConfig
from firmware.snapshot import Failure, Part

log = logging.getLogger(__name__)

HALF_BLINK_S: Final = 0.25
"""Lit for so long and dark for so long: 2 Hz, all lights in phase."""
RETRY_S: Final = 1.0
"""A pin that failed is tried again after so long."""
LOWEST_HZ, HIGHEST_HZ = 220.0, 3520.0
"""What the buzzer can play: four octaves around A5."""

PinFactory = Any
"""A `gpiozero.Factory`; the library has no types."""


@dataclass(frozen=True, slots=True)
class Note:
    hz: float
    """0 for a rest."""
    length_s: float


Tune = tuple[Note, ...]


class Touch:
    """One button under a finger; see the table above. The clock is the caller's."""

    def __init__(self, hold_s: float, bounce_s: float, is_stuck: bool = False) -> None:
        self._hold_s, self._bounce_s = hold_s, bounce_s
        self._is_down = self._is_touched = self._is_told = is_stuck
        self._quiet_since_s = 0.0

    def edge(self, is_down: bool, now_s: float) -> None:
        """The contact is now like this. To be called with each edge, and harmless without one."""
        if is_down != self._is_down:
            self._is_down, self._quiet_since_s = is_down, now_s
            self._is_touched = self._is_touched or is_down

    def due_s(self) -> float | None:
        """When there may be something to tell, unless there is an edge before."""
        if not self._is_touched or (self._is_down and self._is_told):
            return None
        return self._quiet_since_s + (self._hold_s if self._is_down else self._bounce_s)

    def tell(self, now_s: float) -> bool | None:
        """Whether the button was held (True) or pressed (False); None for neither."""
        due_s = self.due_s()
        if due_s is None or now_s < due_s:
            return None
        was_told, self._is_told = self._is_told, self._is_down
        self._is_touched = self._is_down
        return None if was_told else self._is_down


class Panel:
    """The pins, opened; raises what the pin library raises. `Panel.open` does not."""

    def __init__(
        self,
        config: PanelConfig,
        factory: PinFactory,
        on_press: Callable[[Press], None],
        clock: Callable[[], float],
    ) -> None:
        self._on_press, self._clock = on_press, clock
        self._wake = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None
        self.failure: Failure | None = None
        """Why the pins do not obey just now."""
        self._glow = dict.fromkeys(Led, Glow.OFF)
        self._is_lit = dict.fromkeys(Led, False)
        self._tune: Tune = ()
        self._note_ends_s = 0.0
        # Whatever was opened before something fails is closed again.
        with ExitStack() as opened:
            opened.callback(factory.close)
            self._leds = {
                led: opened.enter_context(LED(config.leds[led], pin_factory=factory)) for led in Led
            }
            self._buttons = {
                button: opened.enter_context(
                    DigitalInputDevice(config.buttons[button], pull_up=True, pin_factory=factory)
                )
                for button in Button
            }
            self._buzzer = opened.enter_context(
                TonalBuzzer(config.buzzer, mid_tone=Tone("A5"), octaves=2, pin_factory=factory)
            )
            self._touches = {
                button: Touch(config.hold_s, config.bounce_s, is_stuck=device.is_active)
                for button, device in self._buttons.items()
            }
            for button, device in self._buttons.items():
                device.when_activated = partial(self._edge, button, True)
                device.when_deactivated = partial(self._edge, button, False)
            self._opened = opened.pop_all()

    @classmethod
    def open(
        cls,
        config: PanelConfig,
        make_factory: Callable[[], PinFactory],
        on_press: Callable[[Press], None],
        clock: Callable[[], float],
    ) -> Self | Failure:
        """The panel with its thread running, or why there is none. `on_press` is called there."""
        try:
            panel = cls(config, make_factory(), on_press, clock)
        except _pin_errors() as error:
            return _failure(error)
        panel._thread = threading.Thread(target=panel._run, name="panel", daemon=True)
        panel._thread.start()
        return panel

    def close(self) -> None:
        """Dark, silent and without a thread; the pins are free again."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with self._guarded():
            self._opened.close()

    def show(self, lights: Mapping[Led, Glow]) -> None:
        """From now on these lights; those that are not named stay as they are."""
        with self._wake, self._guarded():
            if not self._closing:
                self._glow |= lights
                self._light(self._clock())
                self._wake.notify()

    def lit(self) -> dict[Led, bool]:
        """Which lights are lit at this moment, as their pins say."""
        lit = dict.fromkeys(Led, False)
        with self._wake, self._guarded():
            if not self._closing:
                lit |= {led: bool(device.is_lit) for led, device in self._leds.items()}
        return lit

    def play(self, tune: Tune) -> None:
        """Play this from its beginning, whatever is being played. Returns at once."""
        with self._wake, self._guarded():
            if not self._closing:
                # A rest of no length in front: the next step finds that it is over, and plays on.
                self._tune, self._note_ends_s = (Note(0, 0), *tune), self._clock()
                self._wake.notify()

    def sounding_hz(self) -> float:
        """What the buzzer plays at this moment; 0 for nothing."""
        with self._wake, self._guarded():
            return 0.0 if self._closing else float(self._buzzer.tone or 0)
        return 0.0

    def step(self) -> None:
        """Do what is due by the clock, and tell what was pressed."""
        presses: list[Press] = []
        with self._wake, self._guarded():
            now_s = self._clock()
            presses += self._presses(now_s)
            self._light(now_s)
            self._sound(now_s)
            self.failure = None
        for press in presses:
            self._on_press(press)

    def _run(self) -> None:
        while not self._closing:
            self.step()
            with self._wake:
                # Asked for under the lock: what happened since the step is in the answer.
                if not self._closing:
                    self._wake.wait(self._idle_s())

    def _idle_s(self) -> float | None:
        """How long there is nothing to do, if nothing happens; None for ever."""
        if self.failure is not None:
            return RETRY_S
        now_s = self._clock()
        dues_s = [due_s for touch in self._touches.values() if (due_s := touch.due_s()) is not None]
        if Glow.BLINK in self._glow.values():
            dues_s.append((now_s // HALF_BLINK_S + 1) * HALF_BLINK_S)
        if self._tune:
            dues_s.append(self._note_ends_s)
        return max(0.0, min(dues_s) - now_s) if dues_s else None

    def _edge(self, button: Button, is_down: bool) -> None:
        with self._wake:
            self._touches[button].edge(is_down, self._clock())
            self._wake.notify()

    def _presses(self, now_s: float) -> Iterator[Press]:
        for button, touch in self._touches.items():
            if touch.due_s() is not None:
                # Read the pin itself: an edge that got lost must not leave a button down.
                touch.edge(self._buttons[button].is_active, now_s)
                held = touch.tell(now_s)
                if held is not None:
                    yield Press(button, held)

    def _light(self, now_s: float) -> None:
        is_bright = now_s // HALF_BLINK_S % 2 == 0
        for led, glow in self._glow.items():
            is_lit = glow is Glow.ON or (glow is Glow.BLINK and is_bright)
            if is_lit != self._is_lit[led]:
                self._leds[led].value = is_lit
                self._is_lit[led] = is_lit

    def _sound(self, now_s: float) -> None:
        while self._tune and now_s >= self._note_ends_s:
            self._tune = self._tune[1:]
            if self._tune and self._tune[0].hz:
                self._buzzer.play(Tone.from_frequency(self._tune[0].hz))
            else:
                self._buzzer.stop()
                self._buzzer.pwm_device.off()  # lgpio stops in the middle of a wave
            self._note_ends_s += self._tune[0].length_s if self._tune else 0

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except _pin_errors() as error:
            if self.failure is None:
                log.warning("the panel's pins fail: %s", error)
            self.failure = _failure(error)


class SimulatedPanel(Panel):
    """The same panel with fingers that need no hands; for mock pins only."""

    def press(self, button: Button) -> None:
        if not self._closing:
            self._buttons[button].pin.drive_low()

    def release(self, button: Button) -> None:
        if not self._closing:
            self._buttons[button].pin.drive_high()


def gpio_factory() -> PinFactory:
    """The pins of this Raspberry Pi, through lgpio or not at all.

    Left to itself gpiozero would try one library after the other, and hide what is wrong.
    """
    install = "on a Raspberry Pi: sudo apt install python3-lgpio"
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]
    except ImportError as error:
        raise BadPinFactory(f"lgpio is not installed ({error}); {install}") from None
    except AttributeError as error:
        raise BadPinFactory(f"lgpio is an empty stand-in ({error}); {install}") from None
    return LGPIOFactory()


def simulated_factory() -> PinFactory:
    """Pins that are not there, with the PWM that the buzzer needs."""
    return MockFactory(pin_class=MockPWMPin)


def _pin_errors() -> tuple[type[Exception], ...]:
    """What pins raise. lgpio's own error is no child of any other, and there once it is loaded."""
    of_lgpio = getattr(sys.modules.get("lgpio"), "error", None)
    return GPIOZeroError, OSError, ImportError, *((of_lgpio,) if of_lgpio else ())


def _failure(error: Exception) -> Failure:
    is_missing = isinstance(error, ImportError | FileNotFoundError | PinUnknownPi)
    return Failure(Part.PANEL, "missing" if is_missing else "refused", str(error))
