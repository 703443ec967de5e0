"""A device for the page's tests: it shows what it is given, and remembers what it was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from firmware.actions import Button, Glow, Led, Press
from firmware.appliance import Bell
from firmware.commands import Command
from firmware.simulated.table import SimulatedTable
from firmware.snapshot import Snapshot
from firmware.store import StoredGame
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.record import format_result
from rules.wire import format_event
from tests.firmware import snapshots


class FakeAppliance:
    def __init__(self, *, simulated: bool = True) -> None:
        self.bell = Bell()
        self.table = SimulatedTable(PACK.box, lambda: 0.0, hands=False) if simulated else None
        self.picture_number = 0
        self.pictures = 0
        """How often one was developed."""
        self.shown = snapshots.snapshot(snapshots.OPENING)
        self.pixels = bytes(1024)
        self.told: list[object] = []
        self.refusal: Exception | None = None
        self.stored: dict[int, tuple[StoredGame, list[dict[str, object]]]] = {}

    def show(self, snapshot: Snapshot) -> None:
        self.shown = snapshot
        self.bell.ring()

    def keep(self, number: int, game: Game[Any], **damage: object) -> None:
        """The game is in the store; `damage` is a last event that makes no sense."""
        log = [format_event(game.pack, event) for event in game.log]
        result = format_result(game) if game.verdict.outcome else None
        started_s = 1_700_000_000.0
        ended_s = started_s + 3600 if result else None
        events = len(log)
        name = game.pack.box.game
        card = StoredGame(number, name, game.settings, started_s, ended_s, events, result)
        self.stored[number] = card, [*log, damage] if damage else log

    def snapshot(self) -> Snapshot:
        return self.shown

    def oled(self) -> bytes:
        return self.pixels

    def lights(self) -> Mapping[Led, Glow]:
        return {led: Glow.BLINK if led is Led.PARK else Glow.OFF for led in Led}

    async def press(self, press: Press) -> None:
        self.told.append(press)

    async def say(self, command: Command) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.told.append(command)

    def games(self) -> Sequence[StoredGame]:
        return [card for card, _ in self.stored.values()]

    def game_log(self, number: int) -> Sequence[Mapping[str, object]]:
        return self.stored[number][1]

    def camera_picture(self) -> bytes | None:
        self.pictures += 1
        return b"\xff\xd8 picture %d" % self.picture_number

    async def pull_power(self) -> None:
        self.told.append("power")

    def button_down(self, button: Button, down: bool) -> None:
        self.told.append((button, down))
