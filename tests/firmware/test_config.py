"""The config file: its defaults, what is laid over them, and that every mistake is told at once."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from firmware.actions import Button, Led
from firmware.config import (
    BadConfig,
    Config,
    FingerKind,
    Fitted,
    OledKind,
    SoundMode,
    find_state_dir,
    is_raspberry_pi,
    load_config,
    parse_config,
)
from rules.errors import ParkwardenError
from rules.voice import Language

NO_KEY = "not a key of this table"


def mistakes_of(text: str) -> list[str]:
    with pytest.raises(BadConfig) as caught:
        parse_config(text, Path("x.toml"))
    lines = str(caught.value).splitlines()
    assert all(line.startswith("x.toml: ") for line in lines)
    return sorted(line.removeprefix("x.toml: ") for line in lines)


def example() -> str:
    return resources.files("firmware").joinpath("parkwarden.toml").read_text(encoding="utf-8")


def keys_of(table: Mapping[str, Any], path: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from keys_of(value, f"{path}{key}.")
        else:
            yield path + key


def test_a_config_without_mistakes_has_none_to_tell() -> None:
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        mistakes_of("")


def test_the_example_is_the_defaults() -> None:
    assert parse_config(example()) == Config()


def test_the_example_names_every_key_and_says_something_about_it() -> None:
    assert sorted(keys_of(tomllib.loads(example()))) == sorted(keys_of(asdict(Config())))
    for number, line in enumerate(example().splitlines()):
        if re.match(r"\w+ = ", line):
            before = example().splitlines()[number - 1]
            assert before.startswith("# "), f"nothing is said about: {line}"


def test_an_empty_file_is_the_defaults() -> None:
    assert parse_config("") == Config()


def test_sound_is_off_unless_somebody_wants_it() -> None:
    assert Config().sound.mode is SoundMode.OFF


def test_only_what_is_said_is_otherwise() -> None:
    config = parse_config(
        """
        camera = "usb:/dev/video2"
        [oled]
        kind = "sh1106"
        address = 0x3d
        [panel.leds]
        park = 25
        [panel]
        hold_s = 1
        [finger]
        fitted = "mcp23017"
        address = 0x27
        [web]
        names = ["parkwarden.local"]
        [game]
        language = "fr"
        """
    )
    assert config.camera == "usb:/dev/video2"
    assert (config.oled.kind, config.oled.address, config.oled.port) == (OledKind.SH1106, 0x3D, 1)
    assert config.panel.leds == {**Config().panel.leds, Led.PARK: 25}
    assert config.panel.buttons == Config().panel.buttons
    assert (config.panel.hold_s, config.panel.bounce_s) == (1.0, Config().panel.bounce_s)
    assert (config.finger.fitted, config.finger.address) == (FingerKind.MCP23017, 0x27)
    assert config.web.names == ("parkwarden.local",)
    assert config.game.language is Language.FR
    assert config.sound == Config().sound


def test_no_finger_is_fitted_unless_somebody_says_so() -> None:
    assert Config().finger.fitted is FingerKind.NONE


def test_a_part_can_be_named_in_one_line() -> None:
    config = parse_config('oled = "none"\npanel = "simulated"\nsound = "both"\nfinger = "mcp23017"')
    assert config.finger.fitted is FingerKind.MCP23017
    assert config.oled.kind is OledKind.NONE
    assert config.panel.fitted is Fitted.SIMULATED
    assert config.sound.mode is SoundMode.BOTH
    assert config.panel.leds == Config().panel.leds


@pytest.mark.parametrize(
    "camera",
    ["auto", "pi", "usb:0", "usb:12", "usb:/dev/video0", "folder:/tmp/a b", "simulated"],
)
def test_cameras(camera: str) -> None:
    assert parse_config(f'camera = "{camera}"').camera == camera


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("camera = 0", "camera: got 0, expected a text"),
        (
            'camera = "usb"',
            "camera: got 'usb', expected auto, pi, usb:0, usb:/dev/video0, folder:PATH or "
            "simulated",
        ),
        ('camera = "pi5"', "camera: got 'pi5', expected auto, pi,"),
        ('camera = "folder:"', "camera: got 'folder:', expected auto, pi,"),
        ('camara = "pi"', f"camara: {NO_KEY}"),
        ("[oled]\nkindd = 1", f"oled.kindd: {NO_KEY}"),
        ("oled = 3", "oled: got 3, expected a table"),
        ('oled = "lcd"', "oled.kind: got 'lcd', expected auto or ssd1306 or sh1106 or none or"),
        ('[panel]\nfitted = "yes"', "panel.fitted: got 'yes', expected auto or gpio or none or"),
        ("[oled]\nrotate = 90", "oled.rotate: got 90, expected 0 or 180"),
        ('[oled]\naddress = "0x3C"', "oled.address: got '0x3C', expected a whole number from 8 to"),
        ("[panel]\nbuzzer = 3", "panel.buzzer: got 3, expected a whole number from 4 to 27"),
        ("[panel]\nhold_s = true", "panel.hold_s: got True, expected a number from 0.2 to 10"),
        ("[panel]\nhold_s = nan", "panel.hold_s: got nan, expected a number from 0.2 to 10"),
        ("[panel]\nbounce_s = 3", "panel.bounce_s: got 3, expected a number from 0.001 to 0.2"),
        ("[panel.leds]\ngreen = 5", f"panel.leds.green: {NO_KEY}"),
        (
            "[panel.leds]\nwhite = 5",
            "panel.buttons.ok: got 5, expected a pin of its own: panel.leds.white is there already",
        ),
        ("[panel]\nbuttons = 5", "panel.buttons: got 5, expected a table"),
        ('finger = "auto"', "finger.fitted: got 'auto', expected none or mcp23017"),
        ("[finger]\naddress = 40", "finger.address: got 40, expected a whole number from 32 to 39"),
        ('[sound]\nmode = "loud"', "sound.mode: got 'loud', expected off or tones or speech or"),
        ("[web]\nport = 65536", "web.port: got 65536, expected a whole number from 1 to 65535"),
        ('[web]\nnames = "pw"', "web.names: got 'pw', expected a list of texts"),
        ('[game]\nname = "chess"', "game.name: got 'chess', expected masterplan"),
        ('[game]\nlanguage = "it"', "game.language: got 'it', expected en or fr or de"),
        ('state_dir = ""', "state_dir: got '', expected a text"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, mistake: str) -> None:
    (told,) = mistakes_of(text)
    assert told.startswith(mistake)


def test_all_mistakes_are_told_together() -> None:
    told = mistakes_of('camera = 1\ncolour = 2\n[web]\nport = 0\n[game]\nlanguage = "xx"')
    assert [mistake.split(":")[0] for mistake in told] == [
        "camera",
        "colour",
        "game.language",
        "web.port",
    ]


def test_what_is_no_toml_is_told_as_such() -> None:
    (told,) = mistakes_of("camera = ")
    assert told.startswith("no TOML: ")


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[web]\nport = 9000\n", encoding="utf-8")
    assert load_config(file).web.port == 9000


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    with pytest.raises(BadConfig, match=r"missing\.toml: cannot be read: No such file"):
        load_config(missing)
    with pytest.raises(ValueError, match="cannot be read: Is a directory"):
        load_config(tmp_path)


def test_a_file_that_is_no_text_is_told_as_such(tmp_path: Path) -> None:
    file = tmp_path / "binary.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ParkwardenError, match="not UTF-8"):
        load_config(file)


def test_in_the_usual_place_there_need_not_be_one(tmp_path: Path) -> None:
    usual = tmp_path / "parkwarden.toml"
    assert load_config(None, usual) == Config()
    usual.write_text('camera = "pi"', encoding="utf-8")
    assert load_config(None, usual).camera == "pi"
    usual.write_text("camera = 7", encoding="utf-8")
    with pytest.raises(BadConfig):
        load_config(None, usual)


def test_the_default_pins_are_free_and_each_is_used_once() -> None:
    panel = Config().panel
    assert (set(panel.leds), set(panel.buttons)) == (set(Led), set(Button))
    pins = [*panel.leds.values(), *panel.buttons.values(), panel.buzzer]
    assert len(set(pins)) == len(pins)
    i2c, uart, spi, i2s = {2, 3}, {14, 15}, set(range(7, 12)), set(range(18, 22))
    assert not set(pins) & (i2c | uart | spi | i2s)
    assert panel.buzzer in (12, 13)


@pytest.mark.parametrize(
    ("state_dir", "environ", "found"),
    [
        ("auto", {"HOME": "/home/pi"}, "/home/pi/.local/state/parkwarden"),
        ("auto", {"HOME": "/home/pi", "XDG_STATE_HOME": "/state"}, "/state/parkwarden"),
        ("auto", {"HOME": "/h", "XDG_STATE_HOME": "rel"}, "/h/.local/state/parkwarden"),
        ("auto", {"HOME": "/h", "STATE_DIRECTORY": "/var/lib/pw:/b"}, "/var/lib/pw"),
        ("/games", {"HOME": "/h", "STATE_DIRECTORY": "/var/lib/pw"}, "/games"),
    ],
)
def test_where_the_games_are_kept(state_dir: str, environ: dict[str, str], found: str) -> None:
    assert find_state_dir(Config(state_dir=state_dir), environ) == Path(found)


def test_the_home_is_found_without_the_environment() -> None:
    assert find_state_dir(Config(), {}).is_absolute()
    assert find_state_dir(Config(state_dir="~/games"), os.environ).is_absolute()


@pytest.mark.parametrize(
    ("model", "is_pi"),
    [
        (b"Raspberry Pi 5 Model B Rev 1.0\0", True),
        (b"Raspberry Pi Zero 2 W Rev 1.0\0", True),
        (b"Orange Pi 5\0", False),
        (b"\xff", False),
        (b"", False),
    ],
)
def test_what_is_a_raspberry_pi(tmp_path: Path, model: bytes, is_pi: bool) -> None:
    file = tmp_path / "model"
    file.write_bytes(model)
    assert is_raspberry_pi(file) is is_pi


def test_a_machine_that_does_not_say_is_none(tmp_path: Path) -> None:
    assert not is_raspberry_pi(tmp_path / "model")
    assert not is_raspberry_pi(tmp_path)
