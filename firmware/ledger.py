"""A game and its place in the store: begun, kept event by event, brought back by replay.

Nothing is shown before it is kept: the session keeps what the game's log has grown by, waits for
the disk, and only then tells the outputs. The disk has a thread of its own, so that a slow card
delays what is said and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from firmware.snapshot import Failure, Part
from firmware.store import Store, StoredGame
from rules.errors import ParkwardenError
from rules.game import Game
from rules.pack import Pack
from rules.packs import load_pack
from rules.verdict import Statement, Verdict
from rules.wire import format_event, parse_event

T = TypeVar("T")
Story = list[tuple[Statement, Verdict]]
RETRY_S: Final = 5.0
"""How often a disk that does not work is tried again."""


class Ledger:
    """One game in the store at a time, the one being played."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.number = 0
        self.started_s = 0.0
        self._kept = 0
        self._has_ended = False
        self._retry_at_s = 0.0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")

    async def begin(self, pack: Pack[Any], settings: Mapping[str, str], now_s: float) -> Game[Any]:
        """A new game; the one before it is given up if it had not ended.

        `BadSetting`, and no change, where these settings make none.
        """
        game = Game(pack, settings)
        if self.number and not self._has_ended:
            await self._do(self.store.finish, self.number, None)
        self.number = await self._do(self.store.begin, pack.box.game, game.settings)
        self.started_s, self._kept, self._has_ended = now_s, 0, False
        return game

    async def resume(self) -> tuple[Game[Any], Story] | None:
        """The game that was going on, with everything that was said in it.

        A game that our rules cannot follow to its end goes on from where they can, in a copy; one
        of a game or with settings we do not know (another version told it) is given up.
        """
        stored = await self._do(self.store.latest)
        if stored is None:
            return None
        log = await self._do(self.store.log, stored.number)
        try:
            game, story = replay(stored, [event for _, event in log])
        except ParkwardenError:
            await self._do(self.store.finish, stored.number, None)
            return None
        self.number, self.started_s = stored.number, stored.started_s
        if len(game.log) < len(log):
            self.number = await self._do(self.store.salvage, stored.number, len(game.log))
        self._kept, self._has_ended = len(game.log), False
        return game, story

    async def keep(self, game: Game[Any], result: str | None) -> None:
        """Everything the log has grown by, each event in a transaction of its own.

        `result` is the final score of a game that is over.
        """
        for event in game.log[self._kept :]:
            await self._do(self.store.append, self.number, format_event(game.pack, event))
            self._kept += 1
        if result is not None and not self._has_ended:
            await self._do(self.store.finish, self.number, result)
        elif result is None and self._has_ended:
            await self._do(self.store.reopen, self.number)
        self._has_ended = result is not None

    async def prefer(self, name: str, value: str) -> None:
        await self._do(self.store.prefer, name, value)

    async def preference(self, name: str) -> str | None:
        return await self._do(self.store.preference, name)

    async def consult(self, work: Callable[[Store], T]) -> T:
        """Something to be looked up in the store."""
        return await self._do(work, self.store)

    async def retry(self, now_s: float) -> None:
        """Now and then: bring to the disk what is only in memory."""
        if self.store.trouble is not None and now_s >= self._retry_at_s:
            self._retry_at_s = now_s + RETRY_S
            await self._do(self.store.retry)

    def ask(self, work: Callable[..., T], *arguments: object) -> T:
        """Something about the store, in its own thread. Blocks."""
        return self._thread.submit(work, *arguments).result()

    def note(self, work: Callable[..., None], *arguments: object) -> None:
        """Something for the store to keep, in its turn."""
        self._thread.submit(work, *arguments)

    @property
    def failure(self) -> Failure | None:
        trouble = self.store.trouble
        return Failure(Part.STORE, trouble.reason, str(trouble)) if trouble else None

    @property
    def notice(self) -> Failure | None:
        """What was found in the store when it was opened, and is to be told once."""
        note = self.store.note
        return Failure(Part.ARCHIVE, note, str(self.store.path)) if note else None

    def close(self) -> None:
        self._thread.shutdown()
        self.store.close()

    async def _do(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)


def replay(stored: StoredGame, log: list[dict[str, object]]) -> tuple[Game[Any], Story]:
    """The game a stored log leads to, up to the first event that cannot be understood.

    `UnknownGame` or `BadSetting` where not even its beginning can be.
    """
    pack = load_pack(stored.game)
    game = Game(pack, stored.settings)
    story: Story = []
    for line in log:
        try:
            verdict = game.tell(parse_event(pack, line))
        except ParkwardenError:
            break
        story.extend((statement, verdict) for statement in verdict.said)
    return game, story
