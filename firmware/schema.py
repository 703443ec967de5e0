"""The file the games are kept in: its tables and rows, how it is opened, what can be wrong with it.

SQLite in WAL mode with `synchronous=FULL`: what was committed survives the plug being pulled. The
schema grows by named steps; `PRAGMA user_version` counts those that were taken, and opening an
older file takes the rest in one transaction. A step that was ever released is never edited.

Events are only ever added, each right behind the last one of its game, and the file itself sees
to that: a trigger refuses every other insert, every update and every delete. Where a game is in
the list of games may change (it ends, or an undo makes it go on); what it is may not.

Nothing here deletes anything. A corrupt file is renamed with its time, together with its write-
ahead log, under names that SQLite's own tools can still open as a pair. A file by a newer
Parkwarden is looked at without being written to, and left alone; so is anything that is no file.
"""

from __future__ import annotations

import errno
import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Any, Final

from rules.errors import ParkwardenError


class Trouble(StrEnum):
    """Why something cannot be stored just now."""

    FULL = "full"
    READ_ONLY = "read-only"
    LOCKED = "locked"
    """Another program is writing to the same file."""
    CORRUPT = "corrupt"
    NEWER = "newer"
    """The file was written by a newer version."""
    UNAVAILABLE = "unavailable"


class StoreTrouble(ParkwardenError, OSError):
    """The games cannot be written to, or read from, the disk."""

    def __init__(self, reason: Trouble, path: Path, detail: str) -> None:
        self.reason = reason
        super().__init__(f"{path}: {reason}: {detail}; {_ADVICE[reason]}")


_ADVICE: Final = {
    Trouble.FULL: "make room on the disk",
    Trouble.READ_ONLY: "make the file and its folder writable, or change the card",
    Trouble.LOCKED: "stop the other program that uses the file",
    Trouble.CORRUPT: "it is set aside as soon as its folder can be written to",
    Trouble.NEWER: "install that version again, or name another file",
    Trouble.UNAVAILABLE: "check the path, the disk and its cable",
}
_BY_SQLITE: Final = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Trouble.LOCKED,
    sqlite3.SQLITE_CORRUPT: Trouble.CORRUPT,
    sqlite3.SQLITE_NOTADB: Trouble.CORRUPT,
    # Our statements are right for our tables: one that SQLite cannot make sense of has met others.
    sqlite3.SQLITE_ERROR: Trouble.CORRUPT,
}
_BY_SYSTEM: Final = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EACCES: Trouble.READ_ONLY,
    errno.EPERM: Trouble.READ_ONLY,
}


def diagnose(path: Path, error: sqlite3.DatabaseError | OSError) -> StoreTrouble:
    """What an error of SQLite or of the system means for us."""
    if isinstance(error, StoreTrouble):
        return error
    if isinstance(error, sqlite3.DatabaseError):
        primary = error.sqlite_errorcode & 0xFF  # the rest says where in SQLite
        reason = _BY_SQLITE.get(primary, Trouble.UNAVAILABLE)
        return StoreTrouble(reason, path, f"{error} ({error.sqlite_errorname})")
    reason = _BY_SYSTEM.get(error.errno or 0, Trouble.UNAVAILABLE)
    return StoreTrouble(reason, path, error.strerror or str(error))


def keep_games(disk: sqlite3.Connection) -> None:
    disk.execute(
        """
        CREATE TABLE games (
            number INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            settings TEXT NOT NULL, -- JSON
            started_s REAL NOT NULL,
            ended_s REAL,
            result TEXT
        ) STRICT
        """
    )
    disk.execute(
        """
        CREATE TABLE events (
            game INTEGER NOT NULL REFERENCES games (number),
            step INTEGER NOT NULL, -- 1, 2, 3 … in each game
            told_s REAL NOT NULL,
            event TEXT NOT NULL, -- JSON, as on the wire
            PRIMARY KEY (game, step)
        ) STRICT, WITHOUT ROWID
        """
    )
    _refuse(disk, "UPDATE ON events", "events are only ever added")
    _refuse(disk, "DELETE ON events", "events are only ever added")
    _refuse(
        disk,
        "INSERT ON events",
        "events are only ever added behind the last one",
        "NEW.step != (SELECT coalesce(max(step), 0) + 1 FROM events WHERE game = NEW.game)",
    )
    _refuse(disk, "UPDATE OF number, game, settings, started_s ON games", "a game stays what it is")
    _refuse(disk, "DELETE ON games", "games are never deleted")


def keep_preferences(disk: sqlite3.Connection) -> None:
    disk.execute("CREATE TABLE preferences (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")


def keep_pairings(disk: sqlite3.Connection) -> None:
    disk.execute(
        "CREATE TABLE pairings (token_hash TEXT PRIMARY KEY, expires_s REAL NOT NULL) STRICT"
    )


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (
    keep_games,
    keep_preferences,
    keep_pairings,
)
VERSION: Final = len(MIGRATIONS)


def _refuse(disk: sqlite3.Connection, what: str, why: str, when: str = "true") -> None:
    disk.execute(
        f"""CREATE TRIGGER "refuse {what}" BEFORE {what} WHEN {when}
        BEGIN SELECT RAISE(ABORT, '{why}'); END"""
    )


@contextmanager
def transaction(disk: sqlite3.Connection) -> Iterator[None]:
    """All of it on disk when it ends well, none of it otherwise."""
    disk.execute("BEGIN IMMEDIATE")
    try:
        yield
        disk.execute("COMMIT")
    finally:
        # SQLite has rolled some failures back by itself; and a COMMIT that failed is still open.
        if disk.in_transaction:
            disk.execute("ROLLBACK")


def open_database(path: Path, patience_s: float) -> sqlite3.Connection:
    """The file, sound and of this version, made if there is none. Else an error to `diagnose`.

    Where it cannot be written to it can be read all the same, if it is of this version.
    """
    if path.exists() and not path.is_file():
        raise StoreTrouble(Trouble.UNAVAILABLE, path, "got a folder or device, expected a file")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    has_wal = _is_filled(path.with_name(f"{path.name}-wal"))
    if has_wal and not _is_filled(path):
        # SQLite would take the pair for a new database, and delete the log.
        raise StoreTrouble(Trouble.CORRUPT, path, "empty, but its write-ahead log is not")
    # Without a log to read, to look leaves no side files behind.
    read_only = "mode=ro" if has_wal else "mode=ro&immutable=1"
    with closing(_connect(path, read_only, patience_s)) as look:
        if (version := _version(look)) > VERSION:
            detail = f"got schema {version}, expected {VERSION} or older"
            raise StoreTrouble(Trouble.NEWER, path, detail)
    try:
        return _make_ready(path, _connect(path, "mode=rw", patience_s))
    except sqlite3.OperationalError as error:
        # Which of the two a card that is read-only gives depends on what makes it so.
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise
        return _make_ready(path, _connect(path, read_only, patience_s))


def _connect(path: Path, how: str, patience_s: float) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=patience_s,
        isolation_level=None,  # transactions begin where we say so
        check_same_thread=False,
    )


def _make_ready(path: Path, disk: sqlite3.Connection) -> sqlite3.Connection:
    try:
        # A damaged word must not hide the row it stands in.
        disk.text_factory = lambda raw: raw.decode(errors="replace")
        faults = [fault for (fault,) in disk.execute("PRAGMA quick_check(3)")]
        if faults != ["ok"]:
            raise StoreTrouble(Trouble.CORRUPT, path, "; ".join(faults).replace("\n", " "))
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            disk.execute(f"PRAGMA {pragma}")
        _migrate(disk)
    except (sqlite3.DatabaseError, StoreTrouble):
        disk.close()
        raise
    return disk


def _migrate(disk: sqlite3.Connection) -> None:
    if _version(disk) == VERSION:
        return
    with transaction(disk):
        for step in MIGRATIONS[_version(disk) :]:
            step(disk)
        disk.execute(f"PRAGMA user_version = {VERSION}")


def _version(disk: sqlite3.Connection) -> int:
    (version,) = disk.execute("PRAGMA user_version").fetchone()
    return int(version)


def set_aside(path: Path, now_s: float) -> Path:
    """Rename a corrupt database and its side files; where to."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now_s))
    names = (f"{path.name}.corrupt-{stamp}{f'.{n}' if n else ''}" for n in count())
    aside = next(path.with_name(name) for name in names if not path.with_name(name).exists())
    # The database first: should the plug be pulled in between, the log that is left behind is
    # noticed when it is opened again, whereas a database without its log looks merely older.
    for side in ("", "-wal", "-shm"):
        here = path.with_name(path.name + side)
        if here.exists():
            here.rename(aside.with_name(aside.name + side))
    return aside


def _is_filled(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


@dataclass(frozen=True, slots=True)
class StoredGame:
    """One row of the list of games."""

    number: int
    game: str
    """The name of its pack."""
    settings: Mapping[str, str]
    started_s: float
    ended_s: float | None
    """None while it goes on."""
    events: int
    result: str | None
    """The final score, as text; None while it goes on, and for ever if it was abandoned."""


def read_games(disk: sqlite3.Connection, where: str = "true", *values: object) -> list[StoredGame]:
    rows = disk.execute(
        f"""SELECT number, game, settings, started_s, ended_s,
            (SELECT coalesce(max(step), 0) FROM events WHERE events.game = number), result
        FROM games WHERE {where}""",
        values,
    )
    return [StoredGame(row[0], row[1], _parse_settings(row[2]), *row[3:]) for row in rows]


def write_game(disk: sqlite3.Connection, card: StoredGame) -> bool:
    """A new game, or how a known one stands; False where another game has its number."""
    settings = json.dumps(dict(card.settings))
    written = disk.execute(
        """INSERT INTO games (number, game, settings, started_s, ended_s, result)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (number) DO UPDATE SET ended_s = excluded.ended_s, result = excluded.result
        WHERE game = excluded.game AND started_s = excluded.started_s""",
        (card.number, card.game, settings, card.started_s, card.ended_s, card.result),
    )
    return written.rowcount > 0


def read_events(disk: sqlite3.Connection, number: int) -> list[tuple[float, str]]:
    """When and what, in order, up to the first event that is damaged."""
    # As bytes: what is no UTF-8 must not keep the rows around it from being read.
    query = "SELECT told_s, CAST(event AS BLOB) FROM events WHERE game = ? ORDER BY step"
    good = []
    for told_s, raw in disk.execute(query, (number,)):
        if not _is_object(raw):
            break
        good.append((told_s, raw.decode()))
    return good


def write_event(disk: sqlite3.Connection, number: int, step: int, told: tuple[float, str]) -> bool:
    """An event, unless it is there already; False where something else is there."""
    query = "SELECT told_s, event FROM events WHERE game = ? AND step = ?"
    there = disk.execute(query, (number, step)).fetchone()
    if there is None:
        disk.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (number, step, *told))
    return there in (None, told)


def read_last_number(disk: sqlite3.Connection, below: int) -> int:
    query = "SELECT coalesce(max(number), 0) FROM games WHERE number < ?"
    return int(disk.execute(query, (below,)).fetchone()[0])


def read_preferences(disk: sqlite3.Connection) -> dict[str, str]:
    return dict(disk.execute("SELECT name, value FROM preferences"))


def write_preferences(disk: sqlite3.Connection, preferences: Mapping[str, str]) -> None:
    disk.executemany("REPLACE INTO preferences VALUES (?, ?)", preferences.items())


def read_pairings(disk: sqlite3.Connection, now_s: float) -> dict[str, float]:
    query = "SELECT token_hash, expires_s FROM pairings WHERE expires_s > ?"
    return dict(disk.execute(query, (now_s,)))


def write_pairings(disk: sqlite3.Connection, pairings: Mapping[str, float], now_s: float) -> None:
    disk.execute("DELETE FROM pairings WHERE expires_s <= ?", (now_s,))
    disk.executemany("REPLACE INTO pairings VALUES (?, ?)", pairings.items())


def _parse_settings(text: str) -> dict[str, str]:
    try:
        settings: Any = json.loads(text)
        return {name: str(value) for name, value in settings.items()}
    except (ValueError, AttributeError, RecursionError):
        return {}  # the game's defaults are a better guess than no game


def _is_object(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw.decode()), dict)
    except (ValueError, RecursionError):
        return False
