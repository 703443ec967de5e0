"""The config file: what is fitted and how it is wired, in TOML.

Every default stands once, in the dataclasses below; `parkwarden.toml` beside this file shows them
all with a sentence each, and a test holds the two together. A file says only what is to be
otherwise: it is laid over the defaults, then the whole is checked and every mistake is told at
once. A text where a table could stand is the table's first key: `oled = "none"` is short for
`[oled]` with `kind = "none"`.

"auto" is never resolved here. What is fitted is found out by whoever opens the parts; only where
the games are kept (`find_state_dir`) and whether this is a Raspberry Pi are answered below, and
neither touches anything.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from firmware.actions import Button, Led
from rules.errors import ParkwardenError
from rules.packs import PACKS
from rules.section import Section
from rules.voice import Language

USUAL_PLACE: Final = Path("/etc/parkwarden/parkwarden.toml")
PI_MODEL_FILE: Final = Path("/proc/device-tree/model")
AUTO: Final = "auto"

CAMERA: Final = re.compile(r"auto|pi|simulated|usb:(?:\d{1,3}|/dev/video\d{1,3})|folder:.+")
FIRST_PIN, LAST_PIN = 4, 27
"""BCM numbers that are free for us: 0 and 1 are for add-on boards, 2 and 3 for the display."""


class BadConfig(ParkwardenError, ValueError):
    """A config file with mistakes: all of them, one a line."""

    def __init__(self, where: Path, mistakes: list[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(f"{where}: {mistake}" for mistake in mistakes))


class OledKind(StrEnum):
    AUTO = AUTO
    SSD1306 = "ssd1306"
    SH1106 = "sh1106"
    NONE = "none"
    SIMULATED = "simulated"


class Fitted(StrEnum):
    AUTO = AUTO
    GPIO = "gpio"
    NONE = "none"
    SIMULATED = "simulated"


class FingerKind(StrEnum):
    NONE = "none"
    MCP23017 = "mcp23017"


class SoundMode(StrEnum):
    OFF = "off"
    TONES = "tones"
    SPEECH = "speech"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class OledConfig:
    kind: OledKind = OledKind.AUTO
    """Which controller drives the display. The two look alike; a shifted picture is the other."""
    port: int = 1
    """The I2C bus: 1 is the one on the pin header."""
    address: int = 0x3C
    """On that bus: 0x3C, or 0x3D where the board's jumper says so."""
    rotate: int = 0
    """Degrees: 0, or 180 for a display that hangs upside down."""


@dataclass(frozen=True, slots=True)
class PanelConfig:
    fitted: Fitted = Fitted.AUTO
    """Whether there are lights, buttons and a buzzer on the pin header."""
    # The lights and the buzzer are on pins that the Pi pulls down while it starts, so nothing
    # glows or hums before we do. 18 to 21 are left free: a loudspeaker's I2S amplifier wants them.
    leds: Mapping[Led, int] = field(
        default_factory=lambda: {
            Led.WHITE: 17,
            Led.YELLOW: 27,
            Led.PARK: 22,
            Led.TOWER: 23,
            Led.ATTENTION: 24,
        }
    )
    """Each light's pin by its BCM number; from the pin through a resistor to the LED and ground."""
    buttons: Mapping[Button, int] = field(
        default_factory=lambda: {Button.OK: 5, Button.UNDO: 6, Button.LEFT: 16, Button.RIGHT: 26}
    )
    """Each button's pin; the button connects it to ground."""
    buzzer: int = 12
    """The pin of a passive buzzer: one that can do hardware PWM (12, 13, 18 or 19)."""
    hold_s: float = 0.8
    """A button that is down for so long has its second meaning."""
    bounce_s: float = 0.03
    """A contact that was quiet for so long has stopped bouncing."""


@dataclass(frozen=True, slots=True)
class FingerConfig:
    fitted: FingerKind = FingerKind.NONE
    """Whether two rows of lights along the board's edges point at cells, and on which chip."""
    port: int = 1
    """The I2C bus: 1 is the one on the pin header."""
    address: int = 0x20
    """On that bus: from 0x20 to 0x27, as its pins A0 to A2 are wired."""


@dataclass(frozen=True, slots=True)
class SoundConfig:
    mode: SoundMode = SoundMode.OFF
    """What is heard until the players choose otherwise in the menu."""


@dataclass(frozen=True, slots=True)
class WebConfig:
    host: str = "0.0.0.0"
    """The address the page is served on; 127.0.0.1 keeps it on this machine."""
    port: int = 8080
    names: tuple[str, ...] = ()
    """Host names that phones may call us by, beside our addresses and our own host name."""


@dataclass(frozen=True, slots=True)
class GameConfig:
    name: str = "masterplan"
    """The game that a first start begins with; from then on the players choose."""
    language: Language = Language.EN
    """What is spoken until the players choose otherwise in the menu."""


@dataclass(frozen=True, slots=True)
class Config:
    camera: str = AUTO
    """auto, pi, usb:0, usb:/dev/video0, folder:PATH or simulated."""
    state_dir: str = AUTO
    """Where the games are kept; see `find_state_dir`."""
    oled: OledConfig = field(default_factory=OledConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)
    finger: FingerConfig = field(default_factory=FingerConfig)
    sound: SoundConfig = field(default_factory=SoundConfig)
    web: WebConfig = field(default_factory=WebConfig)
    game: GameConfig = field(default_factory=GameConfig)


def load_config(path: Path | None = None, usual: Path = USUAL_PLACE) -> Config:
    """The config in this file; None for the usual place, where there need not be one."""
    if path is None:
        if not usual.exists():
            return Config()
        path = usual
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise BadConfig(path, [f"cannot be read: {why}; expected a config in TOML"]) from None
    return parse_config(text, path)


def parse_config(text: str, where: Path = USUAL_PLACE) -> Config:
    """The config, or `BadConfig` with every mistake in the text."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(where, [f"no TOML: {error}"]) from None
    mistakes: list[str] = []
    top = Section(_lay_over(asdict(Config()), given), "", mistakes)
    config = Config(
        camera=_camera(top),
        state_dir=top.text("state_dir"),
        oled=_oled(top.section("oled")),
        panel=_panel(top.section("panel")),
        finger=_finger(top.section("finger")),
        sound=_sound(top.section("sound")),
        web=_web(top.section("web")),
        game=_game(top.section("game")),
    )
    top.close()
    # Where something else is wrong, stand-ins would be taken for pins.
    if mistakes := mistakes or list(_shared_pins(config.panel)):
        raise BadConfig(where, mistakes)
    return config


def _lay_over(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given, and the defaults for what is not."""
    laid = {**defaults, **given}
    for key, default in defaults.items():
        if isinstance(default, dict):
            value = given.get(key, {})
            if isinstance(value, str):
                value = {next(iter(default)): value}
            laid[key] = _lay_over(default, value) if isinstance(value, dict) else value
    return laid


def _camera(top: Section) -> str:
    camera = top.text("camera")
    if camera and not CAMERA.fullmatch(camera):
        choices = "auto, pi, usb:0, usb:/dev/video0, folder:PATH or simulated"
        top.complain("camera", camera, choices)
    return camera


def _oled(section: Section) -> OledConfig:
    oled = OledConfig(
        kind=section.choice("kind", tuple(OledKind)),
        port=section.whole("port", 0, 99),
        address=section.whole("address", 0x08, 0x77),
        rotate=section.choice("rotate", (0, 180)),
    )
    section.close()
    return oled


def _panel(section: Section) -> PanelConfig:
    leds, buttons = section.section("leds"), section.section("buttons")
    panel = PanelConfig(
        fitted=section.choice("fitted", tuple(Fitted)),
        leds={led: leds.whole(led, FIRST_PIN, LAST_PIN) for led in Led},
        buttons={button: buttons.whole(button, FIRST_PIN, LAST_PIN) for button in Button},
        buzzer=section.whole("buzzer", FIRST_PIN, LAST_PIN),
        hold_s=section.number("hold_s", 0.2, 10),
        bounce_s=section.number("bounce_s", 0.001, 0.2),
    )
    for table in (leds, buttons, section):
        table.close()
    return panel


def _shared_pins(panel: PanelConfig) -> Iterator[str]:
    wired = [("panel.buzzer", panel.buzzer)]
    wired += [(f"panel.leds.{led}", pin) for led, pin in panel.leds.items()]
    wired += [(f"panel.buttons.{button}", pin) for button, pin in panel.buttons.items()]
    first: dict[int, str] = {}
    for name, pin in wired:
        if pin in first:
            yield f"{name}: got {pin}, expected a pin of its own: {first[pin]} is there already"
        first.setdefault(pin, name)


def _finger(section: Section) -> FingerConfig:
    finger = FingerConfig(
        fitted=section.choice("fitted", tuple(FingerKind)),
        port=section.whole("port", 0, 99),
        address=section.whole("address", 0x20, 0x27),
    )
    section.close()
    return finger


def _sound(section: Section) -> SoundConfig:
    sound = SoundConfig(section.choice("mode", tuple(SoundMode)))
    section.close()
    return sound


def _web(section: Section) -> WebConfig:
    web = WebConfig(section.text("host"), section.whole("port", 1, 65535), section.texts("names"))
    section.close()
    return web


def _game(section: Section) -> GameConfig:
    game = GameConfig(
        name=section.choice("name", tuple(PACKS)),
        language=section.choice("language", tuple(Language)),
    )
    section.close()
    return game


def find_state_dir(config: Config, environ: Mapping[str, str]) -> Path:
    """Where the games are kept: as configured, else where systemd says, else in the home.

    >>> find_state_dir(Config(), {"STATE_DIRECTORY": "/var/lib/parkwarden"}).as_posix()
    '/var/lib/parkwarden'
    """
    if config.state_dir != AUTO:
        return Path(config.state_dir).expanduser()
    if given := environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    # The XDG rules: a path that is not absolute is to be ignored.
    base = Path(environ.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():
        base = Path(environ["HOME"] if environ.get("HOME") else Path.home()) / ".local" / "state"
    return base / "parkwarden"


def is_raspberry_pi(model_file: Path = PI_MODEL_FILE) -> bool:
    """Whether the machine calls itself one; `model_file` is where the kernel says so."""
    try:
        return model_file.read_bytes().startswith(b"Raspberry Pi")
    except OSError:
        return False
