"""What systemd is told: that we are ready, that we get on, how it goes, and that we stop.

systemd starts us again when it hears nothing for `WatchdogSec`; so it may only hear what is true.
There is one proof that the device gets on: something the eyes delivered (a frame, or that there is
none) has gone through the session. Each sign of life waits for one that was not there when the last
sign was given. Where the camera's thread hangs, or the session waits for a disk that is gone, or
the loop itself stands still, there is nothing to wait for, and no sign is given.

Ready is the same proof for the first time: the first screen is shown before the eyes are opened.

The protocol is a line or several in one datagram to the socket in `NOTIFY_SOCKET`. Nobody waits for
systemd: what it cannot take now is left out.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from firmware.snapshot import Snapshot

SIGNS: Final = 4
"""So many signs of life in the time that systemd waits for one."""
STATUS_S: Final = 10.0
"""How often it is told how it goes, where nobody waits for signs of life."""


class Watched(Protocol):
    """As much of the device as is needed to know that it gets on."""

    looks: int

    async def looked(self, count: int) -> None:
        """Until the session has taken in so many sights."""

    def snapshot(self) -> Snapshot: ...


@dataclass(frozen=True, slots=True)
class Watchdog:
    address: str
    """Of systemd's socket: a path, or a name after @."""
    every_s: float = STATUS_S

    def tell(self, *lines: str) -> None:
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
            wire.setblocking(False)
            wire.sendto("\n".join(lines).encode(), address)

    async def watch(self, device: Watched) -> None:
        """Tell that it is ready once it is, and that it gets on as long as it does."""
        await device.looked(1)
        self.tell("READY=1", status_line(device.snapshot()))
        while True:
            await asyncio.sleep(self.every_s)
            await device.looked(device.looks + 1)
            self.tell("WATCHDOG=1", status_line(device.snapshot()))

    def stopping(self) -> None:
        self.tell("STOPPING=1")


def find_watchdog(environ: Mapping[str, str]) -> Watchdog | None:
    """The systemd that started us and wants to be told; None where there is none.

    >>> find_watchdog({"NOTIFY_SOCKET": "/run/systemd/notify", "WATCHDOG_USEC": "30000000"})
    Watchdog(address='/run/systemd/notify', every_s=7.5)
    >>> find_watchdog({}) is None
    True
    """
    address, limit_us = environ.get("NOTIFY_SOCKET"), environ.get("WATCHDOG_USEC", "")
    if not address:
        return None
    return Watchdog(address, int(limit_us) / 1e6 / SIGNS) if limit_us else Watchdog(address)


def status_line(snapshot: Snapshot) -> str:
    """How it goes, as `systemctl status` shows it."""
    verdict = snapshot.verdict
    game = f"game {snapshot.game.number}, "
    game += "over" if verdict.outcome else f"move {verdict.ply + 1}, {verdict.turn} to play"
    failing = (f"{failure.part} {failure.reason}" for failure in snapshot.failures)
    # One line: whatever a part says about itself, it must not end the status and begin another.
    return " ".join(("STATUS=" + "; ".join((game, snapshot.seeing, *failing))).split())
