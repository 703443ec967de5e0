"""Everything that can go wrong around a device, done to it from outside, by chance from one seed.

Two hands do it, each one thing after the other, so that two troubles can meet. One is at the table
and the camera: frozen, torn and garbled pictures, the plug, a sleeve over the board, the lamp, a
knock. The other is at the box: the display's cable, the buttons, the disk. Nothing here knows what
the device thinks of it; only whoever presses buttons looks at the display first, as people do, and
presses nothing that would change the game.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import numpy as np

from firmware.actions import Button
from firmware.device import Device
from firmware.dialog import FinalCount, Playing
from firmware.lights import is_asked
from firmware.parts import Simulation
from firmware.simulated.display import DisplayWire

REST_FRAMES: Final = (5, 40)
"""From the end of one mischief to the next, for each hand."""
SHORT_FRAMES: Final = (2, 30)
"""A hitch: over before or soon after anybody has noticed."""
LONG_FRAMES: Final = (20, 90)
LET_GO_S: Final = 0.06
"""A contact is quiet for twice as long as the panel asks for."""
HELD_S: Final = 0.9

LOCKER: Final = """
import sqlite3, sys
disk = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)
disk.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""
"""Another program that has our database for itself until its input ends."""

HARMLESS: Final[tuple[tuple[tuple[Button, bool], ...], ...]] = (
    ((Button.LEFT, False), (Button.RIGHT, False), (Button.LEFT, False), (Button.UNDO, False)),
    ((Button.LEFT, False), (Button.LEFT, False), (Button.UNDO, False)),
    ((Button.RIGHT, False), (Button.RIGHT, False), (Button.LEFT, False), (Button.UNDO, False)),
    ((Button.UNDO, False), (Button.RIGHT, False), (Button.LEFT, False), (Button.UNDO, False)),
    ((Button.LEFT, True), (Button.RIGHT, False)),
    ((Button.RIGHT, True),),
    ((Button.UNDO, True), (Button.RIGHT, False), (Button.UNDO, False)),
)
"""Menus, reasons, a look at undo, the phone's code, a new game: opened and left. Never OK."""


class Mischief:
    def __init__(self, device: Device, database: Path, seed: int) -> None:
        assert device.simulation is not None
        assert device.wire is not None
        self.done: Counter[str] = Counter()
        self._device, self._database = device, database
        self._simulation: Simulation = device.simulation
        self._wire: DisplayWire = device.wire
        self._seed = seed

    async def run(self) -> None:
        """Until cancelled; whatever is broken then is mended."""
        table = (self.freeze, self.tear, self.garble, self.unplug, self.wave, self.dim, self.bump)
        box = (self.break_display, self.press_buttons, self.lock_disk, self.spoil_disk)
        async with asyncio.TaskGroup() as hands:
            hands.create_task(self._keep_on(table, np.random.default_rng([self._seed, 1])))
            hands.create_task(self._keep_on(box, np.random.default_rng([self._seed, 2])))

    async def _keep_on(
        self,
        pranks: tuple[Callable[[np.random.Generator], Awaitable[None]], ...],
        chance: np.random.Generator,
    ) -> None:
        while True:
            # In turns, each round in another order: none is left out of a short game.
            for number in chance.permutation(len(pranks)):
                await self._frames(chance, REST_FRAMES)
                await pranks[number](chance)
                self.done[pranks[number].__name__] += 1

    async def _frames(self, chance: np.random.Generator, bounds: tuple[int, int]) -> None:
        await self._device.looked(self._device.looks + int(chance.integers(*bounds)))

    # At the table

    async def freeze(self, chance: np.random.Generator) -> None:
        async with _while(self._simulation.camera.freeze):
            await self._frames(chance, SHORT_FRAMES)

    async def tear(self, chance: np.random.Generator) -> None:
        async with _while(self._simulation.camera.tear):
            await self._frames(chance, LONG_FRAMES)

    async def garble(self, chance: np.random.Generator) -> None:
        async with _while(self._simulation.camera.garbage):
            await self._frames(chance, SHORT_FRAMES)

    async def unplug(self, chance: np.random.Generator) -> None:
        async with _while(lambda out: self._simulation.table.plug(not out)):
            await self._frames(chance, SHORT_FRAMES)

    async def wave(self, chance: np.random.Generator) -> None:
        for _ in range(int(chance.integers(1, 4))):
            self._simulation.table.wave()
            await self._frames(chance, (5, 20))

    async def dim(self, chance: np.random.Generator) -> None:
        """Another light, now and then hardly any; then a pleasant one again."""
        is_dark = chance.random() < 0.25
        level = chance.uniform(0.05, 0.15) if is_dark else chance.uniform(0.75, 1.15)
        self._simulation.table.lamp(level, chance.uniform(-0.5, 0.5))
        try:
            await self._frames(chance, LONG_FRAMES)
        finally:
            self._simulation.table.lamp(1.0, 0.0)

    async def bump(self, chance: np.random.Generator) -> None:
        self._simulation.table.bump()

    # At the box

    async def break_display(self, chance: np.random.Generator) -> None:
        async with _while(lambda out: setattr(self._wire, "broken", out)):
            await self._frames(chance, LONG_FRAMES)

    async def press_buttons(self, chance: np.random.Generator) -> None:
        dialog = self._device.snapshot().dialog
        if is_asked(self._device.snapshot()):
            if chance.random() < 0.3:
                await self._press(Button.UNDO, False, chance)  # a question brushed aside
            return
        if not isinstance(dialog, Playing):
            return
        for button, held in HARMLESS[int(chance.integers(len(HARMLESS)))]:
            if is_asked(self._device.snapshot()):
                return
            await self._press(button, held, chance)
        while not isinstance(self._device.snapshot().dialog, Playing | FinalCount):
            if is_asked(self._device.snapshot()):
                return
            await self._press(Button.UNDO, False, chance)  # whatever came of it on a slow machine

    async def lock_disk(self, chance: np.random.Generator) -> None:
        pipe = asyncio.subprocess.PIPE
        locker = await asyncio.create_subprocess_exec(
            sys.executable, "-c", LOCKER, str(self._database), stdin=pipe, stdout=pipe
        )
        try:
            assert locker.stdout is not None
            assert await locker.stdout.readline() == b"locked\n"
            await self._frames(chance, LONG_FRAMES)
        finally:
            with suppress(ProcessLookupError):
                locker.kill()
            await locker.wait()

    async def spoil_disk(self, chance: np.random.Generator) -> None:
        """Nothing the size of a database can grow any more: the card is full."""
        log = self._database.with_name(self._database.name + "-wal")
        size = log.stat().st_size if log.exists() else 0
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (max(size, 1 << 16), before[1]))
        try:
            await self._frames(chance, LONG_FRAMES)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    async def _press(self, button: Button, held: bool, chance: np.random.Generator) -> None:
        """A finger on a contact that bounces on the way down and on the way up."""
        for is_down in (True, False):
            for _ in range(int(chance.integers(0, 20))):
                self._device.button_down(button, is_down)
                self._device.button_down(button, not is_down)
            self._device.button_down(button, is_down)
            await asyncio.sleep(HELD_S if is_down and held else LET_GO_S)


@asynccontextmanager
async def _while(switch: Callable[[bool], None]) -> AsyncIterator[None]:
    switch(True)
    try:
        yield
    finally:
        switch(False)
