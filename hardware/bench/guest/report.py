"""What the guest tells the host: a line of JSON each on standard output, the port to it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def is_asked(word: str) -> bool:
    """Whether the host has put this word on the kernel's command line."""
    return word in Path("/proc/cmdline").read_text(encoding="ascii").split()


def say(**said: Any) -> None:
    """`at_s` is how long the machine has been up."""
    at_s = round(time.clock_gettime(time.CLOCK_BOOTTIME), 4)
    sys.stdout.write(json.dumps({**said, "at_s": at_s}, default=str) + "\n")
    sys.stdout.flush()


def row(name: str, goal: str, measured: str, ok: bool | None) -> None:
    """A line of the table; `ok` is None for what cannot be proven here."""
    say(row=name, goal=goal, measured=measured, ok=ok)


def wait_until(is_so: Callable[[], bool], limit_s: float, every_s: float = 0.005) -> float | None:
    """How long it took until it was so; None if it never was."""
    started_s = time.monotonic()
    while not is_so():
        if time.monotonic() - started_s > limit_s:
            return None
        time.sleep(every_s)
    return time.monotonic() - started_s
