"""What is played: what was said, what is going on, what was liked last, what the config names."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from firmware.choosing import expected_game, said_game
from firmware.store import Store
from rules.errors import BadSetting, UnknownGame

FIRST = "masterplan"


def a_store(folder: Path) -> Store:
    return Store.open(folder / "games.db")


def test_a_first_start_plays_what_the_config_names(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    assert expected_game(store, "subdivision").box.game == "subdivision"
    assert expected_game(store, FIRST).box.game == FIRST
    store.close()


def test_the_game_that_is_going_on_comes_first_then_the_one_played_last(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    number = store.begin("subdivision", {"players": "blue red green"})
    assert expected_game(store, FIRST).box.players == ("blue", "red", "green")
    store.finish(number, "1-2-3")
    assert expected_game(store, FIRST).box.game == FIRST
    store.prefer("game", "subdivision")
    store.prefer("subdivision.size", "7")
    assert expected_game(store, FIRST).box.board.files == 7
    store.close()


@pytest.mark.parametrize(
    ("game", "settings"), [("go", {}), ("subdivision", {"size": "99"}), ("masterplan", {"x": "y"})]
)
def test_a_game_another_version_left_behind_is_not_expected(
    tmp_path: Path, game: str, settings: dict[str, str]
) -> None:
    store = a_store(tmp_path)
    store.begin(game, settings)
    store.prefer("game", "chess")
    assert expected_game(store, FIRST).box.game == FIRST
    store.close()


def test_preferences_that_no_longer_go_together_are_not_used(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    store.prefer("game", "subdivision")
    store.prefer("subdivision.players", "red blue green yellow")
    store.prefer("subdivision.size", "5")
    assert expected_game(store, FIRST).box.players == ("red", "blue")
    store.close()


def test_a_command_is_about_the_game_that_is_going_on_unless_it_says_so(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    assert said_game(database, FIRST, None, {}).box.game == FIRST
    assert not database.exists(), "asking changes nothing"
    store = a_store(tmp_path)
    store.begin("subdivision", {"players": "red blue", "size": "5"})
    store.prefer("masterplan.mode", "strict")
    store.close()
    assert said_game(database, FIRST, None, {}).box.board.files == 5
    assert said_game(database, FIRST, None, {"size": "8"}).box.board.files == 8
    assert said_game(database, FIRST, FIRST, {}).settings["mode"] == "strict"
    said = said_game(database, FIRST, "subdivision", {"players": "green black"})
    assert (said.box.players, said.box.board.files) == (("green", "black"), 5)
    with pytest.raises(UnknownGame):
        said_game(database, FIRST, "go", {})
    with pytest.raises(BadSetting, match="mode"):
        said_game(database, FIRST, None, {"mode": "strict"})


def test_a_damaged_or_empty_file_tells_nothing_and_stays_as_it_is(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    database.write_bytes(b"not a database at all" * 100)
    before = database.read_bytes()
    assert said_game(database, FIRST, None, {}).box.game == FIRST
    assert database.read_bytes() == before
    database.unlink()
    sqlite3.connect(database).close()
    assert said_game(database, "subdivision", None, {}).box.game == "subdivision"
