"""A device that needs no eyes: it knows what stands on its simulated table, and judges it.

It is served on a real port for a real browser, so that the page can be tried with any game, whether
or not there is a network that has learnt to see it. Only seeing is left out: rules, words, state
and the page's server are those of the device.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from firmware.actions import Glow, Led
from firmware.chronicle import Chronicle
from firmware.commands import Choose, Command, NewGame, NotNow, Pass
from firmware.drawing import draw
from firmware.lights import lights_for
from firmware.pairing import Pairing
from firmware.screens import screen_for
from firmware.serving import serve
from firmware.snapshot import Access, GameCard, Seeing, Snapshot
from rules.board import Cell, Piece
from rules.events import Change, Event
from rules.game import Game
from rules.packs import load_pack
from rules.voice import Language
from tests.firmware.fake_appliance import FakeAppliance


class Clairvoyant(FakeAppliance):
    def __init__(self, game: str, settings: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.number, self.language = 0, Language.EN
        self._lock = threading.RLock()
        self.pairing = Pairing(lambda: 0.0, lambda: None)
        self.game: Game[Any] = Game(load_pack(game), settings)
        self.begin(self.game)
        self.url = ""

    @property
    def link(self) -> str:
        """Pairs, and leads to the simulated table."""
        return f"{self.url}/J/{self.pairing.code}?to=table"

    def begin(self, game: Game[Any]) -> None:
        self.number += 1
        self.game, self.chronicle = game, Chronicle(game, [])
        self.keep(self.number, game)
        assert self.table is not None
        self.table.use(game.box)

    def tell(self, event: Event) -> None:
        self.chronicle.note((self.game.tell(event),), 0.0)
        self.keep(self.number, self.game)

    def look(self) -> None:
        """Whatever has changed on the table has happened."""
        assert self.table is not None
        with self._lock:
            if self.table.position != self.game.verdict.table:
                change = Change(self.game.verdict.table, self.table.position)
                for event in self.game.see(change).events:
                    self.tell(event)

    def place(self, cell: Cell, piece: Piece) -> None:
        """A hand puts it there, and it is seen."""
        assert self.table is not None
        with self._lock:
            self.table.put(piece, cell)
            self.look()

    def snapshot(self) -> Snapshot:
        self.look()
        verdict, pack = self.game.verdict, self.game.pack
        return Snapshot(
            number=1,
            language=self.language,
            sound="off",
            game=GameCard(self.number, pack, self.game.settings, 1_700_000_000.0),
            verdict=verdict,
            access=Access(self.url, self.pairing.code),
            story=tuple(self.chronicle.story),
            record=self.chronicle.record,
            seeing=Seeing.WATCHING,
            alarm=next(iter(verdict.problems), None),
            may_pass=self.chronicle.may_pass,
        )

    def lights(self) -> Mapping[Led, Glow]:
        return lights_for(self.snapshot())

    def oled(self) -> bytes:
        return draw(screen_for(self.snapshot(), 0)).tobytes()

    async def say(self, command: Command) -> None:
        self.told.append(command)
        match command:
            case NewGame(settings, game):
                pack = load_pack(game) if game else self.game.pack
                before = {} if game else self.game.settings
                self.begin(Game(pack, {**before, **settings}))
            case Pass():
                self.tell(self.chronicle.passing(self.language))
            case Choose("language", value):
                self.language = Language(value)
            case _:
                raise NotNow("only a device with eyes can do that")
        self.bell.ring()


@contextmanager
def served(device: Clairvoyant) -> Iterator[Clairvoyant]:
    """The device with its page on a port of this machine, in a thread of its own."""
    ready = threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []
    stop = asyncio.Event()

    async def run() -> None:
        async with serve(device, device.pairing, "127.0.0.1", 0) as port:
            device.url = f"http://127.0.0.1:{port}"
            loops.append(asyncio.get_running_loop())
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert ready.wait(10), "the page is served"
    try:
        yield device
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join(10)
