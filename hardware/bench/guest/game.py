"""`parkwarden run --demo`, and the host is told what is shown at the moment it is shown.

Nothing of the device is replaced. It differs from a shelf's demonstration in three ways: the frames
are small, as this machine may be an emulated one; the simulated table and its players' diary are
kept on the world disk, since a real table needs no power to stand; and one more output stands
behind display and lights, and tells what they were given. The host also hears when an event is
about to be kept, since that is a moment to pull the plug.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import Any, Final

from report import is_asked, say

from firmware import cli, running, schema
from firmware.device import Device
from firmware.schema import open_database
from firmware.simulated.players import Players
from firmware.simulated.table import SimulatedTable
from firmware.snapshot import Snapshot
from rules.game import Game
from rules.pack import Pack
from rules.wire import format_event

SIZE_WH: Final = (400, 300)
WORLD: Final = Path("/world")
THINKING_FRAMES: Final = 3
"""They play faster here than on a shelf: the frames take long enough."""


class ToldDevice(Device):
    """A device whose host hears what it shows."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options, size_wh=SIZE_WH)
        assert self.simulation is not None
        self.simulation.table.keep(WORLD / "table.json")
        self._told = (0, 0)

    async def start(self) -> None:
        store = self.ledger.store
        kept = {
            card.number: [event for _, event in store.log(card.number)] for card in store.games()
        }
        say(kept=kept, note=store.note, trouble=str(store.trouble or ""))
        await super().start()
        snapshot = self.session.snapshot
        say(ready=snapshot.game.number, ply=snapshot.verdict.ply, resumed=snapshot.resumed)
        self._told = snapshot.game.number, len(self.session.game.log)
        self._announce_keeping()
        self.session.outputs.append(self._tell)

    def _announce_keeping(self) -> None:
        keep, told = self.ledger.keep, self._told

        async def tell_and_keep(game: Game[Any], result: str | None) -> None:
            nonlocal told
            now = self.ledger.number, len(game.log)
            if now != told:
                told = now
                say(keeping=now[0], events=now[1])
            await keep(game, result)

        vars(self.ledger).update(keep=tell_and_keep)

    def _tell(self, snapshot: Snapshot) -> None:
        number, log = snapshot.game.number, self.session.game.log
        known = self._told[1] if self._told[0] == number else 0
        self._told = number, len(log)
        if len(log) > known:
            new = [format_event(self.session.game.pack, event) for event in log[known:]]
            say(shown=number, after=known, events=new, ply=snapshot.verdict.ply)


def open_carelessly(path: Path, patience_s: float) -> sqlite3.Connection:
    """The database, and nobody waits for the disk: what a careless device would do."""
    disk = open_database(path, patience_s)
    disk.execute("PRAGMA synchronous = OFF")
    return disk


def main() -> int:
    if is_asked("careless"):
        vars(schema).update(open_database=open_carelessly)
    # Names are looked up when the device is switched on, so these are the ones that are found.
    vars(running).update(Device=ToldDevice, Players=_players, THINKING_FRAMES=THINKING_FRAMES)
    return cli.main(["run", "--demo", "--fast", "--plugged-in", "--no-browser", *sys.argv[1:]])


def _players(table: SimulatedTable, pack: Pack[Any], seed: int, _: Path) -> Players:
    return Players(table, pack, seed, WORLD / "diary.jsonl")


if __name__ == "__main__":
    sys.exit(main())
