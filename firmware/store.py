"""The memory of the device: every game as the events it was told, durable before anybody is told.

State is replay, so only events are kept: as the JSON of `rules.wire`, one transaction each, on the
disk when the call returns. `firmware.schema` has the file; this module never lets it stop a game.

**Memory first.** The games that are going on, and the one that ended last, are held in memory as a
whole, with preferences and pairings. A call changes what is held and then brings the disk up to it
(`retry`). If that fails the call returns all the same, `trouble` says why, and every later call and
every `retry` tries again. What is brought to the disk is the difference between the two, not a list
of operations: so it does not matter whether a commit that was reported as failed did happen, and a
database that goes bad under a running game is set aside and its successor filled from memory.

**Numbers.** A game keeps the number it was given. As long as the disk has been read once they count
on from the last one. If it never was, the moment in milliseconds serves: ugly, and never taken.

**Damage.** An event that is no JSON object ends the log of its game: what comes before it is good,
what comes after cannot be understood without it. A game that was going on and is damaged goes on
as a new one made of the good part (`salvage`, also for what the rules cannot follow); the old one
stays as it is, abandoned. `note` says what was found, so that the device can say it once.

One writer: one Store a file and one thread that writes. If another program does write to the same
game, that is noticed, and ours stays in memory ("locked"). Reading is allowed from any thread.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from firmware import schema
from firmware.schema import StoredGame, StoreTrouble, Trouble, diagnose
from rules.errors import ParkwardenError

__all__ = ["NoSuchGame", "Store", "StoreTrouble", "StoredGame", "Trouble"]

PATIENCE_S: Final = 1.0
"""So long a lock of another program is waited for; then it is trouble."""
FIRST_MOMENT: Final = 1_000_000_000
"""Numbers from here on are moments, and counting never gets here."""
PASSING: Final = (Trouble.FULL, Trouble.LOCKED)
"""Trouble after which the same connection can be used again."""

T = TypeVar("T")


class NoSuchGame(ParkwardenError, LookupError):
    """A number that no stored game has."""


@dataclass(slots=True)
class _Held:
    """A game in memory, and how much of it is known to be on the disk."""

    card: StoredGame
    log: list[tuple[float, str]] = field(default_factory=list)
    events_stored: int = 0
    card_stored: bool = False

    @property
    def is_over(self) -> bool:
        return self.card.ended_s is not None

    @property
    def is_stored(self) -> bool:
        return self.card_stored and self.events_stored == len(self.log)


class Store:
    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self.path = path
        self.trouble: StoreTrouble | None = None
        """Why things are only kept in memory just now; None when all is on the disk."""
        self.note: str | None = None
        """What was found on opening: "corrupt" (set aside), "damaged" (a game was salvaged)."""
        self._clock = clock
        self._lock = threading.RLock()
        self._disk: sqlite3.Connection | None = None
        self._inode = 0
        self._is_untried = False
        """The file replaces a corrupt one, and nothing has been written to it yet."""
        self._last_number: int | None = None
        """None until the disk has been read."""
        self._held: dict[int, _Held] = {}
        self._preferences: dict[str, str] = {}
        self._pairings: dict[str, float] = {}
        self._expired_s = 0.0
        """Pairings up to this moment are to go, from the disk as well."""
        self._extras_stored = True
        """Preferences and pairings are on the disk."""

    @classmethod
    def open(cls, path: Path, clock: Callable[[], float] = time.time) -> Store:
        """The store in this file, or one in memory with its `trouble`: this never fails."""
        store = cls(path, clock)
        store.retry()
        return store

    def close(self) -> None:
        with self._lock:
            self.retry()
            self._disconnect()

    # What is told

    def begin(self, game: str, settings: Mapping[str, str]) -> int:
        """A new game; its number."""
        with self._lock:
            number = self._begin(game, settings, self._clock())
            self.retry()
            return number

    def append(self, number: int, event: Mapping[str, object]) -> None:
        """Something happened in this game; `event` is what `rules.wire.format_event` gives."""
        text = json.dumps(event, allow_nan=False)
        with self._lock:
            held = self._hold(number)
            held.log.append((self._clock(), text))
            held.card = replace(held.card, events=len(held.log))
            self.retry()

    def finish(self, number: int, result: str | None) -> None:
        """The game is over, with this final score or (None) abandoned."""
        with self._lock:
            self._change(number, ended_s=self._clock(), result=result)
            self.retry()

    def reopen(self, number: int) -> None:
        """The end was taken back: the game goes on."""
        with self._lock:
            self._change(number, ended_s=None, result=None)
            self.retry()

    def salvage(self, number: int, events: int) -> int:
        """Go on from the first so many events as a new game, and abandon this one; its number."""
        with self._lock:
            copy = self._salvage(number, events)
            self.retry()
            return copy

    def prefer(self, name: str, value: str) -> None:
        with self._lock:
            if self._preferences.get(name) != value:
                self._preferences[name] = value
                self._extras_stored = False
                self.retry()

    def pair(self, token_hash: str, expires_s: float) -> None:
        with self._lock:
            self._pairings[token_hash] = expires_s
            self._extras_stored = False
            self.retry()

    def unpair_expired(self, now_s: float) -> None:
        with self._lock:
            left = {token: until for token, until in self._pairings.items() if until > now_s}
            if left != self._pairings:
                self._pairings, self._expired_s = left, now_s
                self._extras_stored = False
                self.retry()

    # What is asked

    def latest(self) -> StoredGame | None:
        """The newest game that has not ended, to be resumed."""
        with self._lock:
            going = [held.card for held in self._held.values() if not held.is_over]
            return max(going, key=lambda card: card.number, default=None)

    def games(self) -> list[StoredGame]:
        """Every game, oldest first; while the disk cannot be read, those held in memory."""
        with self._lock:
            cards = {number: held.card for number, held in self._held.items()}
            with suppress(StoreTrouble):
                cards = {card.number: card for card in self._ask(schema.read_games)} | cards
            return [cards[number] for number in sorted(cards)]

    def log(self, number: int) -> list[tuple[float, dict[str, object]]]:
        """When and what, in order, up to the first event that is damaged.

        `NoSuchGame`, or `StoreTrouble` if it is a past game and the disk cannot be read.
        """
        with self._lock:
            held = self._held.get(number) or self._fetch(number)
            return [(told_s, json.loads(text)) for told_s, text in held.log]

    def preference(self, name: str) -> str | None:
        with self._lock:
            return self._preferences.get(name)

    def pairings(self) -> dict[str, float]:
        """When each paired phone's token expires, by the token's hash."""
        with self._lock:
            return dict(self._pairings)

    # What is held in memory

    def _begin(self, game: str, settings: Mapping[str, str], started_s: float) -> int:
        self._held = {n: h for n, h in self._held.items() if not (h.is_over and h.is_stored)}
        number = self._next_number()
        card = StoredGame(number, game, dict(settings), started_s, None, 0, None)
        self._held[number] = _Held(card)
        return number

    def _next_number(self) -> int:
        if self._last_number is None:
            return max(FIRST_MOMENT, int(self._clock() * 1000), *(n + 1 for n in self._held))
        with suppress(StoreTrouble):  # another program may have counted on
            last = self._ask(lambda disk: schema.read_last_number(disk, below=FIRST_MOMENT))
            self._last_number = max(self._last_number, last)
        self._last_number += 1
        return self._last_number

    def _change(self, number: int, ended_s: float | None, result: str | None) -> None:
        held = self._hold(number)
        held.card = replace(held.card, ended_s=ended_s, result=result)
        held.card_stored = False

    def _salvage(self, number: int, events: int) -> int:
        self._change(number, ended_s=self._clock(), result=None)
        old = self._held[number]
        copy = self._begin(old.card.game, old.card.settings, old.card.started_s)
        card, log = self._held[copy].card, old.log[:events]
        self._held[copy] = _Held(replace(card, events=len(log)), log)
        return copy

    def _hold(self, number: int) -> _Held:
        if number not in self._held:
            self._held[number] = self._fetch(number)
        return self._held[number]

    def _fetch(self, number: int) -> _Held:
        """A past game from the disk; its log as far as it is good."""
        # Whatever somebody typed into an address: SQLite's whole numbers have 63 bits.
        found = number.bit_length() < 64 and self._ask(
            lambda disk: schema.read_games(disk, "number = ?", number)
        )
        if not found:
            raise NoSuchGame(f"there is no game {number} in {self.path}: expected one of the list")
        log = self._ask(lambda disk: schema.read_events(disk, number))
        return _Held(found[0], log, events_stored=len(log), card_stored=True)

    # What is on the disk

    def retry(self) -> bool:
        """Bring what is only in memory to the disk; True when all of it is there."""
        with self._lock:
            disk = self._disk
            if disk and not self.trouble and self._is_stored():
                return True
            try:
                if disk is None or (self.trouble and self.trouble.reason not in PASSING):
                    disk = self._connect()
                self._flush(disk)
            except (sqlite3.DatabaseError, OSError) as error:
                self.trouble = diagnose(self.path, error)
            else:
                self.trouble, self._is_untried = None, False
            return self.trouble is None

    def _is_stored(self) -> bool:
        return self._extras_stored and all(held.is_stored for held in self._held.values())

    def _connect(self) -> sqlite3.Connection:
        if self.trouble and self.trouble.reason is Trouble.READ_ONLY:
            self._disconnect()  # SQLite shares what it knows, and would go on as read-only
        try:
            return self._load()
        except (sqlite3.DatabaseError, OSError) as error:
            # A disk that spoils whatever it is given would be filled with what was set aside.
            if diagnose(self.path, error).reason is not Trouble.CORRUPT or self._is_untried:
                raise
            self._disconnect()
            schema.set_aside(self.path, self._clock())
            self.note, self._is_untried = Trouble.CORRUPT, True
            return self._load()

    def _disconnect(self) -> None:
        if self._disk:
            with suppress(sqlite3.DatabaseError):
                self._disk.close()
        self._disk = None

    def _load(self) -> sqlite3.Connection:
        """Take the disk's word for what memory does not know, and for nothing that it does."""
        disk = schema.open_database(self.path, self._patience_s)
        self._disconnect()  # only now: until then the old one may still be good for reading
        self._disk = disk
        self._inode = self.path.stat().st_ino
        last = schema.read_last_number(disk, below=FIRST_MOMENT)
        self._last_number = max(self._last_number or 0, last)
        self._preferences = schema.read_preferences(disk) | self._preferences
        self._pairings = schema.read_pairings(disk, self._expired_s) | self._pairings
        self._extras_stored = False
        for held in self._held.values():
            held.card_stored, held.events_stored = False, 0
        for card in schema.read_games(disk, "ended_s IS NULL"):
            if card.number in self._held:
                continue
            good = len(self._hold(card.number).log)
            if good < card.events:
                self._salvage(card.number, good)
                self.note = "damaged"
        return disk

    @property
    def _patience_s(self) -> float:
        return 0 if self.trouble else PATIENCE_S  # a second wait would only hold up the game

    def _flush(self, disk: sqlite3.Connection) -> None:
        disk.execute(f"PRAGMA busy_timeout = {self._patience_s * 1000:.0f}")
        if self.path.stat().st_ino != self._inode:
            raise StoreTrouble(Trouble.UNAVAILABLE, self.path, "another file has taken its place")
        with schema.transaction(disk):
            for held in self._held.values():
                self._write(disk, held)
            if not self._extras_stored:
                schema.write_preferences(disk, self._preferences)
                schema.write_pairings(disk, self._pairings, self._expired_s)
        for held in self._held.values():
            held.card_stored, held.events_stored = True, len(held.log)
        self._extras_stored = True

    def _write(self, disk: sqlite3.Connection, held: _Held) -> None:
        number, start = held.card.number, held.events_stored
        if not held.card_stored and not schema.write_game(disk, held.card):
            raise self._conflict(f"game {number}")
        for step, told in enumerate(held.log[start:], start + 1):
            if not schema.write_event(disk, number, step, told):
                raise self._conflict(f"event {step} of game {number}")

    def _conflict(self, what: str) -> StoreTrouble:
        return StoreTrouble(Trouble.LOCKED, self.path, f"another program has written {what}")

    def _ask(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """What the disk answers, or why it cannot."""
        if self._disk is None:
            trouble = self.trouble or StoreTrouble(Trouble.UNAVAILABLE, self.path, "it is closed")
            raise trouble.with_traceback(None)  # raised many times, it would grow each time
        try:
            return read(self._disk)
        except sqlite3.DatabaseError as error:
            self.trouble = diagnose(self.path, error)
            raise self.trouble from None
