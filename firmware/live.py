"""What watchers see live: server-sent events, encoded once for all of them.

    retry: 1000
    event: state      the whole state, `id` is its number
    event: oled       the display's 1024 bytes in base64
    event: lights     {"white": "on", …}
    event: table      the simulated table, where there is one
    event: camera     the number of the newest picture

A watcher gets each of them once on coming in and then whenever it has changed. There are no
queues: a slow phone misses what came between, and sees how things stand once it is ready. All
watchers share one encoding, made by the first of them that wakes, and at most every `GAP_S`.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Final

from firmware.appliance import Appliance
from firmware.snapshot import Snapshot
from firmware.state import state_of

GAP_S: Final = 0.05
"""Faster than eyes need, and slow enough that a storm of changes leaves the loop to the frames."""
HEARTBEAT_S: Final = 15.0
MOST_WATCHERS: Final = 200
GREETING: Final = b"retry: 1000\n\n"
HEARTBEAT: Final = b": still here\n\n"


def to_json(value: object) -> bytes:
    """As compact as it goes; one line, so that it fits one field of an event."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(slots=True)
class _Topic:
    """One kind of event: what it is made of, and how it was last told."""

    read: Callable[[], Any]
    encode: Callable[[Any], bytes]
    shown: Any = None
    event: bytes = b""
    version: int = 0


class Live:
    def __init__(self, appliance: Appliance) -> None:
        self.watchers = 0
        self._appliance = appliance
        self._closed = False
        self._told_rings = -1
        self._told_s = float("-inf")
        self._topics = (
            _Topic(appliance.snapshot, _encode_state),
            _Topic(appliance.oled, _encode_oled),
            _Topic(lambda: dict(appliance.lights()), _encode_lights),
            _Topic(self._table, _encode_table),
            _Topic(lambda: appliance.picture_number or None, _encode_camera),
        )

    @property
    def is_full(self) -> bool:
        return self.watchers >= MOST_WATCHERS

    def close(self) -> None:
        """Every watcher's stream ends now."""
        self._closed = True
        self._appliance.bell.ring()

    async def watch(self) -> AsyncIterator[bytes]:
        """The events for one watcher, until the device or the watcher goes."""
        bell, rings = self._appliance.bell, -1
        sent = [0] * len(self._topics)
        yield GREETING
        while not self._closed:
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    await bell.wait(rings)
            except TimeoutError:
                yield HEARTBEAT
                continue
            if self._told_rings != bell.rings:
                await self._tell()
            rings = self._told_rings
            news = [t.event for t, had in zip(self._topics, sent, strict=True) if t.version > had]
            sent = [topic.version for topic in self._topics]
            if news and not self._closed:
                yield b"".join(news)

    async def _tell(self) -> None:
        """Encode what has changed, unless another watcher has done so meanwhile."""
        loop, bell = asyncio.get_running_loop(), self._appliance.bell
        await asyncio.sleep(max(0.0, self._told_s + GAP_S - loop.time()))
        if self._told_rings == bell.rings:
            return
        self._told_rings, self._told_s = bell.rings, loop.time()
        for topic in self._topics:
            now = topic.read()
            if now is not None and now is not topic.shown and now != topic.shown:
                topic.event = topic.encode(now)
                topic.shown = now
                topic.version += 1

    def _table(self) -> object:
        return None if self._appliance.table is None else dict(self._appliance.table.state())


def _event(name: str, data: bytes, number: int | None = None) -> bytes:
    mark = b"" if number is None else b"id: %d\n" % number
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), mark, data)


def _encode_state(snapshot: Snapshot) -> bytes:
    return _event("state", to_json(state_of(snapshot)), snapshot.number)


def _encode_oled(pixels: bytes) -> bytes:
    return _event("oled", base64.b64encode(pixels))


def _encode_lights(lights: object) -> bytes:
    return _event("lights", to_json(lights))


def _encode_table(table: object) -> bytes:
    return _event("table", to_json(table))


def _encode_camera(number: int) -> bytes:
    return _event("camera", b"%d" % number)
