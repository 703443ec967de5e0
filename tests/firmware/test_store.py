"""Games survive: power cuts, full and read-only disks, locks, damage, older and newer schemas."""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import schema
from firmware.schema import MIGRATIONS, VERSION
from firmware.store import FIRST_MOMENT, NoSuchGame, Store, StoredGame, Trouble
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.wire import format_event, parse_event
from tests.rules.test_game import random_game

STRICT = {"mode": "strict", "both_due": "park"}
NOBODY = 65534


class Clock:
    """Half a second later each time one looks."""

    def __init__(self, now_s: float = 1_795_000_000.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        self.now_s += 0.5
        return self.now_s


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@contextmanager
def opened(path: Path, clock: Callable[[], float] | None = None) -> Iterator[Store]:
    store = Store.open(path, clock or Clock())
    try:
        yield store
    finally:
        store.close()


@contextmanager
def plain(path: Path) -> Iterator[sqlite3.Connection]:
    """The file without us."""
    with closing(sqlite3.connect(path, isolation_level=None)) as disk:
        yield disk


def events_of(store: Store, number: int) -> list[dict[str, object]]:
    return [event for _, event in store.log(number)]


def park(n: int) -> dict[str, object]:
    """An event that can be told from others."""
    return {"park": f"{'abcdefgh'[n // 8 % 8]}{n % 8 + 1}", "n": n}


def reason(store: Store) -> str | None:
    return store.trouble.reason if store.trouble else None


def play_three_games(path: Path) -> list[StoredGame]:
    """One that ended, one abandoned, one that goes on with five events."""
    with opened(path) as store:
        for events, result in ((3, "31-28"), (4, None), (5, "")):
            number = store.begin("masterplan", STRICT)
            for n in range(events):
                store.append(number, park(n))
            if result != "":
                store.finish(number, result)
        store.prefer("language", "fr")
        store.pair("ab12", 2e9)
        assert store.trouble is None
        return store.games()


# Ordinary days


@given(seed=st.integers(0, 10_000))
@settings(max_examples=12, deadline=None)
def test_a_stored_game_replays_to_the_same_verdict(seed: int) -> None:
    played = random_game(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        with opened(path) as store:
            number = store.begin("masterplan", played.settings)
            for event in played.log:
                store.append(number, format_event(PACK, event))
        with opened(path) as store:
            card = store.latest()
            assert card is not None
            assert (card.number, card.game, card.events) == (number, "masterplan", len(played.log))
            log = [parse_event(PACK, event) for event in events_of(store, number)]
    again = Game.replay(PACK, card.settings, log)
    assert (again.log, again.state, again.verdict) == (played.log, played.state, played.verdict)


def test_a_game_from_its_beginning_to_its_end_and_on_again(path: Path) -> None:
    with opened(path, Clock(100.0)) as store:
        assert (store.latest(), store.games()) == (None, [])
        number = store.begin("masterplan", STRICT)
        assert store.latest() == StoredGame(number, "masterplan", STRICT, 100.5, None, 0, None)
        store.append(number, park(1))
        store.finish(number, "2-1")
        assert store.latest() is None
        assert store.games() == [StoredGame(number, "masterplan", STRICT, 100.5, 101.5, 1, "2-1")]
        store.reopen(number)
        store.append(number, {"undo": 1})
    with opened(path) as store:
        assert store.latest() == StoredGame(number, "masterplan", STRICT, 100.5, None, 2, None)
        assert store.log(number) == [(101.0, park(1)), (102.0, {"undo": 1})]
        assert (store.note, store.trouble) == (None, None)


def test_the_newest_game_that_has_not_ended_is_resumed(path: Path) -> None:
    games = play_three_games(path)
    assert [(g.number, g.events, g.result) for g in games] == [
        (1, 3, "31-28"),
        (2, 4, None),
        (3, 5, None),
    ]
    with opened(path) as store:
        assert store.games() == games
        assert store.latest() == games[2]
        assert store.begin("masterplan", {}) == 4
        latest = store.latest()
        assert latest is not None
        assert latest.number == 4


def test_preferences_and_pairings_last(path: Path) -> None:
    with opened(path) as store:
        assert store.preference("language") is None
        store.prefer("language", "fr")
        store.prefer("language", "de")
        store.pair("aa", 100.0)
        store.pair("bb", 200.0)
        store.pair("cc", 300.0)
        store.unpair_expired(200.0)
    with opened(path) as store:
        assert store.preference("language") == "de"
        assert store.pairings() == {"cc": 300.0}


def test_an_unknown_number_is_said_to_be_one(path: Path) -> None:
    with opened(path) as store:
        for number in (7, -1, 10**30):
            with pytest.raises(NoSuchGame, match=f"no game {number} "):
                store.log(number)
        with pytest.raises(NoSuchGame):
            store.append(7, park(1))
        assert store.trouble is None


def test_the_file_is_made_with_its_folders_and_set_up_for_power_cuts(tmp_path: Path) -> None:
    path = tmp_path / "a 100% new?" / "folder" / "games.db"
    play_three_games(path)
    with plain(path) as disk:
        assert disk.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        rows = disk.execute("SELECT event FROM events WHERE game = 1 ORDER BY step").fetchall()
    assert [json.loads(event) for (event,) in rows] == [park(0), park(1), park(2)]


def test_each_event_is_a_transaction_of_its_own_and_waits_for_the_disk(
    path: Path, connections: list[sqlite3.Connection]
) -> None:
    with opened(path) as store:
        number = store.begin("masterplan", {})
        assert connections[-1].execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connections[-1].execute("PRAGMA foreign_keys").fetchone() == (1,)
        told: list[str] = []
        connections[-1].set_trace_callback(told.append)
        store.append(number, park(1))
        store.append(number, park(2))
        assert [word for word in told if word in ("BEGIN IMMEDIATE", "COMMIT")] == [
            "BEGIN IMMEDIATE",
            "COMMIT",
        ] * 2
        connections[-1].set_trace_callback(None)


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """The connections that were made, oldest first."""
    made: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def remember(*args: Any, **options: Any) -> sqlite3.Connection:
        made.append(connect(*args, **options))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", remember)
    return made


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE events SET event = '{}'", "only ever added"),
        ("DELETE FROM events WHERE step = 5", "only ever added"),
        ("INSERT INTO events VALUES (3, 7, 1.0, '{}')", "behind the last"),
        ("REPLACE INTO events VALUES (3, 5, 1.0, '{}')", "behind the last"),
        ("INSERT INTO events VALUES (9, 1, 1.0, '{}')", "FOREIGN KEY"),
        ("UPDATE games SET settings = '{}'", "stays what it is"),
        ("DELETE FROM games", "never deleted"),
    ],
)
def test_the_file_itself_refuses_to_have_history_rewritten(
    path: Path, statement: str, why: str
) -> None:
    play_three_games(path)
    with plain(path) as disk:
        disk.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError, match=why):
            disk.execute(statement)


def test_readers_in_other_threads_always_see_a_whole_game(path: Path) -> None:
    wrong: list[object] = []
    done = threading.Event()
    with opened(path) as store:
        number = store.begin("masterplan", {})

        def read_through_the_store() -> None:
            while not done.is_set():
                (card,) = store.games()
                log = events_of(store, number)
                if log != [park(n) for n in range(len(log))] or len(log) < card.events:
                    wrong.append(log)

        def read_the_file() -> None:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as disk:
                while not done.is_set():
                    rows = disk.execute("SELECT event FROM events ORDER BY step").fetchall()
                    if [json.loads(text) for (text,) in rows] != [
                        park(n) for n in range(len(rows))
                    ]:
                        wrong.append(rows)

        threads = [threading.Thread(target=f) for f in (read_through_the_store, read_the_file)]
        for thread in threads:
            thread.start()
        for n in range(60):
            store.append(number, park(n))
        done.set()
        for thread in threads:
            thread.join()
        assert (wrong, store.trouble) == ([], None)


# The plug is pulled

TELLER = """
import sys, itertools
from pathlib import Path
from firmware.store import Store
store = Store.open(Path(sys.argv[1]))
card = store.latest()
number = card.number if card else store.begin("masterplan", {})
for n in itertools.count(len(store.log(number)) + 1):
    store.append(number, {"n": n})
    print("acknowledged", n, store.trouble, flush=True)
"""


def test_everything_acknowledged_survives_kill_9(path: Path) -> None:
    dice, acknowledged = random.Random(9), 0
    for kill_after in (0, 1, 7, 20, 31):
        with subprocess.Popen(
            [sys.executable, "-c", TELLER, str(path)], stdout=subprocess.PIPE, text=True
        ) as teller:
            assert teller.stdout is not None
            for number, line in enumerate(teller.stdout):
                if number == kill_after:
                    time.sleep(dice.uniform(0.0, 0.005))
                    teller.kill()
                if line.endswith("\n"):
                    _, n, trouble = line.split()
                    assert trouble == "None"
                    acknowledged = int(n)
        with opened(path) as store:
            assert store.trouble is None
            told = events_of(store, 1)
        # One more may have reached the disk before it could be acknowledged.
        assert len(told) - acknowledged in (0, 1)
        assert told == [{"n": n + 1} for n in range(len(told))]
    assert acknowledged > 50


# Other versions


def make_schema(path: Path, version: int) -> None:
    """A file as that version left it, with a game in it and whatever else it knew."""
    with plain(path) as disk:
        disk.execute("PRAGMA journal_mode = WAL")
        for step in MIGRATIONS[:version]:
            step(disk)
        disk.execute(f"PRAGMA user_version = {version}")
        if version >= 1:
            disk.execute("INSERT INTO games VALUES (4, 'masterplan', '{}', 10.0, NULL, NULL)")
            disk.execute("""INSERT INTO events VALUES (4, 1, 11.0, '{"park": "d5"}')""")
        if version >= 2:
            disk.execute("INSERT INTO preferences VALUES ('language', 'de')")
        if version >= 3:
            disk.execute("INSERT INTO pairings VALUES ('ab', 2e9)")


def schema_of(path: Path) -> list[tuple[str, str]]:
    with plain(path) as disk:
        return disk.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


@pytest.mark.parametrize("version", range(VERSION + 1))
def test_every_earlier_schema_is_brought_up_to_date(path: Path, version: int) -> None:
    make_schema(path, version)
    with opened(path) as store:
        assert (store.trouble, store.note) == (None, None)
        if version >= 1:
            assert store.latest() == StoredGame(4, "masterplan", {}, 10.0, None, 1, None)
            assert store.log(4) == [(11.0, {"park": "d5"})]
        assert store.preference("language") == ("de" if version >= 2 else None)
        assert store.pairings() == ({"ab": 2e9} if version >= 3 else {})
        number = store.begin("masterplan", {})
        store.append(number, park(1))
        store.prefer("sound", "off")
        store.pair("cd", 2e9)
        assert store.trouble is None
    fresh = path.with_name("fresh.db")
    make_schema(fresh, VERSION)
    assert schema_of(path) == schema_of(fresh)
    with plain(path) as disk:
        assert disk.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert disk.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_step_that_was_released_is_never_edited(path: Path) -> None:
    digests = []
    with plain(path) as disk:
        for step in MIGRATIONS:
            step(disk)
            rows = disk.execute("SELECT sql FROM sqlite_master WHERE sql != '' ORDER BY name")
            words = " ".join(word for (sql,) in rows for word in sql.split())
            digests.append(hashlib.sha256(words.encode()).hexdigest()[:12])
    assert digests == RELEASED


RELEASED = ["85ce7bebab8c", "eae382b8124e", "f29190514a2b"]


def test_a_migration_that_fails_leaves_the_old_schema_whole(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_schema(path, 1)
    before = schema_of(path)

    def stumble(disk: sqlite3.Connection) -> None:
        disk.execute("CREATE TABLE half (done)")
        raise sqlite3_error(sqlite3.SQLITE_FULL)

    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*MIGRATIONS[:2], stumble))
        with opened(path) as store:
            assert reason(store) == "full"
    assert schema_of(path) == before
    with opened(path) as store:
        assert store.log(4) == [(11.0, {"park": "d5"})]


def sqlite3_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("as if")
    error.sqlite_errorcode, error.sqlite_errorname = code, "AS_IF"
    return error


@pytest.mark.parametrize("hot", [False, True], ids=["closed", "with its log"])
def test_a_newer_schema_is_left_untouched(path: Path, hot: bool) -> None:
    make_schema(path, VERSION)
    with plain(path) as disk:
        disk.execute(f"PRAGMA user_version = {VERSION + 1}")
        disk.execute("CREATE TABLE from_the_future (x)")
        files = {f: f.read_bytes() for f in path.parent.iterdir() if not f.name.endswith("-shm")}
    if hot:  # as after a power cut
        for file, content in files.items():
            file.write_bytes(content)
    before = {f: f.read_bytes() for f in path.parent.iterdir()}
    with opened(path) as store:
        assert reason(store) == "newer"
        assert store.latest() is None
        number = store.begin("masterplan", {})
        store.append(number, park(1))
        assert not store.retry()
        assert events_of(store, number) == [park(1)]
        assert [game.number for game in store.games()] == [number]
    after = {f: f.read_bytes() for f in path.parent.iterdir() if not f.name.endswith("-shm")}
    assert after == before


# Damage


def overwrite(path: Path, start: int, junk: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(junk)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(random.Random(1).randbytes(20_000)),
    "text": lambda path: path.write_text("Dear diary,\n" * 100),
    "cut in the middle": lambda path: os.truncate(path, path.stat().st_size // 2 + 100),
    "cut after a page": lambda path: os.truncate(path, 4096),
    "a page overwritten": lambda path: overwrite(path, 4096, random.Random(2).randbytes(4096)),
    "all pages but the first zero": lambda path: overwrite(
        path, 4096, bytes(path.stat().st_size - 4096)
    ),
    "a header that lies": lambda path: overwrite(path, 16, b"\x00\x03"),
    "no tables": lambda path: make_headless(path),
}


def make_headless(path: Path) -> None:
    path.unlink()
    with plain(path) as disk:
        disk.execute("PRAGMA journal_mode = WAL")
        disk.execute(f"PRAGMA user_version = {VERSION}")


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=list(DAMAGE))
def test_a_corrupt_file_is_set_aside_and_a_fresh_one_started(
    path: Path, damage: Callable[[Path], object]
) -> None:
    play_three_games(path)
    damage(path)
    corrupt = path.read_bytes()
    at_quarter_past_one = time.mktime((2026, 11, 18, 13, 15, 0, 0, 0, -1))
    with opened(path, lambda: at_quarter_past_one) as store:
        assert (store.trouble, store.note, store.games()) == (None, "corrupt", [])
        number = store.begin("masterplan", {})
        store.append(number, park(1))
    assert path.with_name("games.db.corrupt-20261118-131500").read_bytes() == corrupt
    with opened(path) as store:
        assert store.note is None
        assert events_of(store, number) == [park(1)]


def test_the_log_goes_with_the_corrupt_file_it_belongs_to(path: Path) -> None:
    aside = [path.with_name(f"games.db.corrupt-19700101-{n}") for n in ("a", "b")]
    with plain(path) as disk:
        disk.execute("PRAGMA journal_mode = WAL")
        disk.execute("CREATE TABLE x (y)")
        log = path.with_name("games.db-wal").read_bytes()
    assert log
    for main in aside:  # once with an empty database, once with none at all
        path.write_bytes(b"")
        if main == aside[1]:
            path.unlink()
        path.with_name("games.db-wal").write_bytes(log)
        with opened(path) as store:
            assert (store.note, store.trouble) == ("corrupt", None)
    kept = [f.read_bytes() for f in path.parent.glob("games.db.corrupt-*-wal")]
    assert kept == [log, log]


def test_two_corrupt_files_in_one_second_are_both_kept(path: Path) -> None:
    for junk in (b"one" * 500, b"two" * 500, b"three" * 500):
        path.write_bytes(junk)
        with opened(path, lambda: 0.0):
            pass
    kept = {f.read_bytes() for f in path.parent.glob("games.db.corrupt-*")}
    assert kept == {b"one" * 500, b"two" * 500, b"three" * 500}


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    path.touch()
    with opened(path) as store:
        assert (store.trouble, store.note, store.begin("masterplan", {})) == (None, None, 1)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_is_left_alone(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    with opened(path) as store:
        assert (reason(store), store.note) == ("unavailable", None)
        number = store.begin("masterplan", {})
        store.append(number, park(1))
        assert events_of(store, number) == [park(1)]
        path.rmdir() if path.is_dir() else path.unlink()
        assert store.retry()
    assert_stored(path, number, 1, start=1)


def test_a_file_that_goes_bad_under_a_game_is_replaced_from_memory(
    path: Path, connections: list[sqlite3.Connection]
) -> None:
    play_three_games(path)
    with opened(path) as store:
        store.append(3, park(5))
        path.write_bytes(b"what a mess" * 2000)
        connections[-1].execute("PRAGMA shrink_memory")  # what SQLite knows by heart
        for n in range(6, 40):
            store.append(3, park(n))
        assert store.retry()
        assert store.note == "corrupt"
        assert events_of(store, 3) == [park(n) for n in range(40)]
        assert store.begin("masterplan", {}) == 4
    with opened(path) as store:
        assert events_of(store, 3) == [park(n) for n in range(40)]
        assert (store.preference("language"), store.pairings()) == ("fr", {"ab12": 2e9})


def test_a_disk_that_spoils_everything_is_not_filled_with_ruins(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoil(disk: sqlite3.Connection) -> None:
        raise sqlite3_error(sqlite3.SQLITE_CORRUPT)

    path.write_bytes(b"what a mess" * 200)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "_migrate", spoil)
        store = Store.open(path, Clock())
        for _ in range(5):
            assert not store.retry()
        number = store.begin("masterplan", {})
        store.append(number, park(0))
    assert reason(store) == "corrupt"
    assert len(list(path.parent.glob("*.corrupt-*"))) == 1
    assert store.retry()
    store.close()
    assert_stored(path, number, 1)


@pytest.mark.parametrize("junk", ["{", "[]", "7", "", "\x00", "[" * 100_000, b'{"a": "\xff"}'])
def test_a_damaged_event_ends_its_log_and_the_game_goes_on_as_a_new_one(
    path: Path, junk: str | bytes
) -> None:
    play_three_games(path)
    with plain(path) as disk:
        disk.execute('DROP TRIGGER "refuse UPDATE ON events"')
        raw = junk if isinstance(junk, bytes) else junk.encode()
        disk.execute(
            "UPDATE events SET event = CAST(? AS TEXT) WHERE step = 3 AND game IN (1, 3)", (raw,)
        )
    with opened(path) as store:
        assert (store.trouble, store.note) == (None, "damaged")
        assert [len(store.log(number)) for number in (1, 2)] == [2, 4]
        latest = store.latest()
        assert latest is not None
        assert (latest.number, latest.events) == (4, 2)
        store.append(4, park(7))
        assert [(g.number, g.events) for g in store.games()] == [(1, 3), (2, 4), (3, 5), (4, 3)]
    with opened(path) as store:
        assert store.note is None
        assert events_of(store, 4) == [park(0), park(1), park(7)]
        assert len(store.log(3)) == 2
        assert [game.ended_s is None for game in store.games()] == [False, False, False, True]


def test_a_log_that_the_rules_cannot_follow_can_be_salvaged(path: Path) -> None:
    play_three_games(path)
    with opened(path) as store:
        number = store.salvage(3, 2)
        store.append(number, park(9))
        assert len(store.log(3)) == 5
    with opened(path) as store:
        assert events_of(store, number) == [park(0), park(1), park(9)]
        latest = store.latest()
        assert latest is not None
        assert (latest.number, latest.started_s) == (number, store.games()[2].started_s)


def test_damaged_words_do_not_hide_a_game(path: Path) -> None:
    play_three_games(path)
    with plain(path) as disk:
        for _, sql in schema_of(path):
            if sql and "OF number" in sql:
                disk.execute(f'DROP TRIGGER "{sql.split(chr(34))[1]}"')
        disk.execute("UPDATE games SET settings = '[1', game = CAST(x'ff41' AS TEXT)")
    with opened(path) as store:
        assert [(g.game, g.settings) for g in store.games()] == [("\ufffdA", {})] * 3


# The disk takes nothing, for a while


def assert_stored(path: Path, number: int, events: int, start: int = 0) -> None:
    """So many events are in the file, in order, each once."""
    with opened(path) as store:
        assert store.trouble is None
        assert events_of(store, number) == [park(n) for n in range(start, start + events)]


def play_through_trouble(
    store: Store, expected: str, lift: Callable[[], object]
) -> tuple[int, int]:
    """Play on in the going game, end it, play another; then the disk works again. Both numbers."""
    store.append(3, park(5))
    assert reason(store) == expected
    assert expected in str(store.trouble)
    store.append(3, park(6))
    store.finish(3, "1-0")
    number = store.begin("masterplan", STRICT)
    for n in range(4):
        store.append(number, park(n))
    store.prefer("sound", "tones")
    store.pair("fresh", 3e9)
    # Everything that is asked is answered as if it were stored.
    assert reason(store) == expected
    assert [(g.number, g.events, g.result) for g in store.games()] == [
        (1, 3, "31-28"),
        (2, 4, None),
        (3, 7, "1-0"),
        (number, 4, None),
    ]
    assert events_of(store, 3) == [park(n) for n in range(7)]
    assert events_of(store, 1) == [park(n) for n in range(3)]
    latest = store.latest()
    assert latest is not None
    assert latest.number == number
    assert store.preference("sound") == "tones"
    told = store.games()
    lift()
    assert store.retry()
    assert store.trouble is None
    assert store.games() == told
    store.append(number, park(4))
    assert store.trouble is None
    return 3, number


def assert_all_of_it_stored(path: Path, numbers: tuple[int, int]) -> None:
    assert_stored(path, numbers[0], 7)
    assert_stored(path, numbers[1], 5)
    assert_stored(path, 1, 3)
    with opened(path) as store:
        assert (store.preference("sound"), store.preference("language")) == ("tones", "fr")
        assert store.pairings() == {"ab12": 2e9, "fresh": 3e9}
        assert store.games()[2].result == "1-0"


def test_a_full_disk(path: Path, connections: list[sqlite3.Connection]) -> None:
    play_three_games(path)
    with opened(path) as store:
        disk = connections[-1]
        pages = disk.execute("PRAGMA max_page_count = 1").fetchone()[0]
        n = 5
        while store.trouble is None:  # until the last page is full
            store.append(3, {**park(n), "padding": "x" * 500})
            n += 1
        assert reason(store) == "full"
        assert len(store.log(3)) == n
        store.append(3, park(n))
        disk.execute(f"PRAGMA max_page_count = {pages + 100}")
        assert store.retry()
    with opened(path) as store:
        assert [event["n"] for event in events_of(store, 3)] == list(range(n + 1))


def test_a_disk_that_fails_to_write(path: Path) -> None:
    play_three_games(path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(path) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
        try:
            numbers = play_through_trouble(
                store, "unavailable", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)
            )
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert_all_of_it_stored(path, numbers)


LOCKER = """
import sys, sqlite3
disk = sqlite3.connect(sys.argv[1], isolation_level=None)
disk.execute(sys.argv[2])
disk.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""


@contextmanager
def locked(path: Path, pragma: str = "") -> Iterator[Callable[[], object]]:
    """Another program has the file; what is given makes it let go."""
    with subprocess.Popen(
        [sys.executable, "-c", LOCKER, str(path), pragma],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as locker:
        assert locker.stdout is not None
        assert locker.stdout.readline() == "locked\n"
        try:
            yield locker.communicate
        finally:
            locker.kill()


def test_a_locked_file(path: Path) -> None:
    play_three_games(path)
    with opened(path) as store, locked(path) as let_go:
        started_s = time.monotonic()
        numbers = play_through_trouble(store, "locked", let_go)
        assert time.monotonic() - started_s < 4  # it waits once, not for every event
    assert_all_of_it_stored(path, numbers)


def test_a_file_that_is_locked_from_the_start_on(path: Path) -> None:
    """Then nobody knows which numbers are taken, and still none is given twice."""
    play_three_games(path)
    with locked(path, "PRAGMA locking_mode = EXCLUSIVE") as let_go:
        store = Store.open(path, Clock())
        assert (reason(store), store.games(), store.latest()) == ("locked", [], None)
        numbers = [store.begin("masterplan", {}), store.begin("masterplan", {})]
        for n in range(3):
            store.append(numbers[1], park(n))
        store.prefer("language", "de")
        with pytest.raises(schema.StoreTrouble, match="locked"):
            store.log(1)
        let_go()
        assert store.retry()
        assert len({1, 2, 3, *numbers}) == 5
        assert all(number >= FIRST_MOMENT for number in numbers)
        assert [game.number for game in store.games()] == [1, 2, 3, *numbers]
        assert store.preference("language") == "de"  # what was said last, not what was stored
        assert store.pairings() == {"ab12": 2e9}
        assert store.begin("masterplan", {}) == 4  # from now on they are counted again
        store.close()
    assert_stored(path, numbers[1], 3)
    assert_stored(path, 3, 5)


@pytest.fixture
def mortal() -> Iterator[Path]:
    """A folder of somebody whom permissions bind, as they do not bind root; and being them."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
            Path(folder).chmod(0o700)
    finally:
        if is_root:
            os.seteuid(0)


def make_writable(folder: Path, writable: bool) -> None:
    folder.chmod(0o755 if writable else 0o555)
    for file in folder.iterdir():
        file.chmod(0o644 if writable else 0o444)


@pytest.mark.parametrize("hot", [False, True], ids=["closed", "after a power cut"])
def test_a_read_only_card(mortal: Path, hot: bool) -> None:
    path = mortal / "games.db"
    play_three_games(path)
    if hot:
        with plain(path) as disk:
            disk.execute("INSERT INTO preferences VALUES ('in the log', 'only')")
            files = {file: file.read_bytes() for file in mortal.iterdir()}
        for file, content in files.items():
            file.write_bytes(content)
    make_writable(mortal, False)
    with opened(path) as store:
        assert reason(store) == "read-only"
        assert store.preference("in the log") == ("only" if hot else None)
        numbers = play_through_trouble(store, "read-only", lambda: make_writable(mortal, True))
    assert_all_of_it_stored(path, numbers)


def test_a_folder_nothing_can_be_made_in(mortal: Path) -> None:
    path = mortal / "deeper" / "games.db"
    make_writable(mortal, False)
    with opened(path) as store:
        assert reason(store) == "read-only"
        number = store.begin("masterplan", {})
        store.append(number, park(0))
        make_writable(mortal, True)
        store.append(number, park(1))
        assert store.trouble is None
    assert_stored(path, number, 2)


def test_a_corrupt_file_on_a_read_only_card_stays_where_it_is(mortal: Path) -> None:
    path = mortal / "games.db"
    path.write_bytes(b"what a mess" * 500)
    make_writable(mortal, False)
    with opened(path) as store:
        assert reason(store) == "read-only"
        number = store.begin("masterplan", {})
        assert path.read_bytes() == b"what a mess" * 500
        make_writable(mortal, True)
        assert store.retry()
        assert store.note == "corrupt"
    assert_stored(path, number, 0)


def test_a_file_that_is_deleted_under_a_game_is_made_again(path: Path) -> None:
    play_three_games(path)
    with opened(path) as store:
        path.unlink()
        store.append(3, park(5))
        assert reason(store) == "unavailable"
        assert store.retry()
    assert_stored(path, 3, 6)


def test_a_commit_that_happened_though_it_was_said_to_have_failed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transaction = schema.transaction

    @contextmanager
    def lie(disk: sqlite3.Connection) -> Iterator[None]:
        with transaction(disk):
            yield
        raise sqlite3_error(sqlite3.SQLITE_IOERR)

    with opened(path) as store:
        number = store.begin("masterplan", {})
        with monkeypatch.context() as patch:
            patch.setattr(schema, "transaction", lie)
            store.append(number, park(0))
            store.finish(number, "1-0")
            assert reason(store) == "unavailable"
        store.reopen(number)
        store.append(number, park(1))
        assert store.trouble is None
    assert_stored(path, number, 2)


def test_two_programs_in_one_game_do_not_mix_their_events(path: Path) -> None:
    play_three_games(path)
    with opened(path) as store, opened(path, Clock(1.0)) as other:
        store.append(3, park(5))
        other.append(3, park(77))
        assert (reason(store), reason(other)) == (None, "locked")
        assert "event 6 of game 3" in str(other.trouble)
        assert events_of(other, 3)[-1] == park(77)
        numbers = {store.begin("masterplan", {}), other.begin("masterplan", {})}
        assert len(numbers) == 2
    assert_stored(path, 3, 6)


def test_memory_holds_what_is_going_on_and_not_every_game_ever_played(
    path: Path, connections: list[sqlite3.Connection]
) -> None:
    with opened(path) as store:
        for n in range(5):
            number = store.begin("masterplan", {})
            store.append(number, park(n))
            store.finish(number, "0-0")
        asked: list[str] = []
        connections[-1].set_trace_callback(asked.append)
        assert events_of(store, 5) == [park(4)]  # an undo after the end would need this
        assert not asked
        assert events_of(store, 4) == [park(3)]
        assert asked
        connections[-1].set_trace_callback(None)


def test_every_trouble_has_its_word_and_its_advice(path: Path) -> None:
    for trouble in Trouble:
        error = schema.StoreTrouble(trouble, path, "so it is")
        assert isinstance(error, OSError)
        assert f"{path}: {trouble}: so it is; " in str(error)
