"""What the page may ask of the device. The session is one; a test makes its own.

Everything here is called on the session's loop, except where it says that it may block.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from firmware.actions import Button, Glow, Led, Press
from firmware.commands import Command
from firmware.snapshot import Snapshot
from firmware.store import StoredGame
from firmware.touches import PlayTable


class Bell:
    """Rung when there is something new to show. Whoever listens wakes once, however often it rang.

    Nothing is queued: who wakes looks at how things stand now. Ring it on the loop's own thread.
    """

    def __init__(self) -> None:
        self.rings = 0
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self.rings += 1
        self._rung.set()
        self._rung = asyncio.Event()

    async def wait(self, rings: int) -> None:
        """Until it has rung more often than this."""
        while self.rings <= rings:
            await self._rung.wait()


class Appliance(Protocol):
    @property
    def bell(self) -> Bell:
        """Rings when the snapshot, display, lights, picture or simulated table has changed."""

    @property
    def table(self) -> PlayTable | None:
        """The simulated table; None where a real one is being watched."""

    @property
    def picture_number(self) -> int:
        """Grows with every picture worth showing; 0 while there is none."""

    def camera_picture(self) -> bytes | None:
        """That picture as JPEG, what was recognised drawn over it. May block; in any thread."""

    def snapshot(self) -> Snapshot: ...
    def oled(self) -> bytes:
        """1024 bytes: 64 rows of 128 pixels, the leftmost in the highest bit."""

    def lights(self) -> Mapping[Led, Glow]: ...
    async def press(self, press: Press) -> None: ...
    async def say(self, command: Command) -> None:
        """`NotNow` where it cannot be done at this moment."""

    def games(self) -> Sequence[StoredGame]:
        """All of them, the oldest first. May block; in any thread."""

    def game_log(self, number: int) -> Sequence[Mapping[str, object]]:
        """The events of that game as they are kept, in order; `NoSuchGame`. May block likewise."""

    async def pull_power(self) -> None:
        """Simulated table only."""

    def button_down(self, button: Button, down: bool) -> None:
        """The button itself, down or up again. Simulated table only."""
