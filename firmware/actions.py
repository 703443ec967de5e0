"""The words of the device's panel: its buttons, its lights, and what a press means.

One string everywhere: the enum's value is the name in the config, on the page and in the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Button(StrEnum):
    OK = "ok"
    """Pressed: yes, or the turn is over. Held: correct what was read."""
    UNDO = "undo"
    """Pressed: take the last move back, or leave what is shown. Held: a new game."""
    LEFT = "left"
    """Pressed: the menu, or the entry before. Held: the code that pairs a phone."""
    RIGHT = "right"
    """Pressed: why?, or the entry after. Held: say it again."""


@dataclass(frozen=True, slots=True)
class Press:
    button: Button
    held: bool = False


class Led(StrEnum):
    WHITE = "white"
    YELLOW = "yellow"
    PARK = "park"
    TOWER = "tower"
    ATTENTION = "attention"


class Glow(StrEnum):
    OFF = "off"
    ON = "on"
    BLINK = "blink"
