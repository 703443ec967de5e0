"""A real browser, and a device on a simulated table for it to visit.

The browser is the machine's own Chromium. Where there is none the tests are skipped, with the
command that installs it.
"""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from rules.board import Anchor, Cell, Piece

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING: Final = "no Chromium to drive the page with: sudo make browser (apt install chromium)"
PATIENCE_S: Final = 20.0
_OFF: Final = {-1: 0.15, 0: 0.5, 1: 0.85}
"""Where in a cell a click means an anchor on this side."""


@contextmanager
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Appliance:
    """`parkwarden run` above a simulated table, in a process of its own."""

    def __init__(self, state: Path, *words: str) -> None:
        command = [sys.executable, "-m", "firmware.cli", "run", "--no-browser"]
        # Not port 0: after a power cut the page is to be found where it was.
        command += ["--port", str(free_port()), "--state", str(state), *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        welcome = self.process.stdout.readline()
        found = re.search(r"(http://\S+:\d+)/J/(\d{6})\?to=table", welcome)
        assert found, f"no address in {welcome!r}"
        self.url, self.code = found[1], found[2]

    @property
    def link(self) -> str:
        """Pairs, and leads to the simulated table."""
        return f"{self.url}/J/{self.code}?to=table"

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE_S) == 0
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def appliance(state: Path, *words: str) -> Iterator[Appliance]:
    running = Appliance(state, *words)
    try:
        yield running
    finally:
        running.close()


def state_of(page: Page) -> dict[str, Any]:
    """What the device says of itself."""
    state: dict[str, Any] = page.evaluate("() => fetch('/api/state').then(r => r.json())")
    return state


def wait_for(page: Page, holds: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
    """Until the device's state is so."""
    until_s = time.monotonic() + PATIENCE_S
    while not holds(state := state_of(page)):
        assert time.monotonic() < until_s, f"{what} within {PATIENCE_S:.0f} s; it is {state}"
        time.sleep(0.03)
    return state


def put(page: Page, cell: Cell, piece: Piece) -> None:
    """Take the piece from the supply and click where it belongs, as a player does."""
    value = " ".join(word for word in (piece.kind, piece.colour) if word)
    page.locator(f'#supply input[value="{value}"]').check(force=True)
    square = page.locator(f'#tabletop [data-cell="{cell}"] .square')
    size = square.bounding_box()
    assert size is not None
    x, y = piece.anchor.step if piece.anchor else (0, 0)
    place = {"x": _OFF[x] * size["width"], "y": _OFF[-y] * size["height"]}
    square.click(position=place, force=True)  # type: ignore[arg-type]


def house(word: str, colour: str) -> tuple[Cell, Piece]:
    return Cell(word[:2]), Piece("house", colour, Anchor(word[2:]))
