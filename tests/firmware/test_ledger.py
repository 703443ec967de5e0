"""Games brought back from the store, also those that another version or a bad card left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware.ledger import Ledger
from firmware.snapshot import Part
from firmware.store import Store
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.wire import format_event

HOUSE = {"house": "c4ne", "colour": "white"}
NEXT = {"house": "e6n", "colour": "yellow"}


def stored(path: Path, game: str, settings: dict[str, str], *events: Mapping[str, object]) -> None:
    store = Store.open(path)
    number = store.begin(game, settings)
    for event in events:
        store.append(number, event)
    store.close()


def resume(path: Path, *then: Mapping[str, object]) -> tuple[Game[Any] | None, Ledger]:
    """The game that is resumed, after these further events were told and kept."""

    async def work() -> tuple[Game[Any] | None, Ledger]:
        ledger = Ledger(Store.open(path))
        resumed = await ledger.resume()
        if resumed is None:
            return None, ledger
        game, _ = resumed
        for event in then:
            game.tell(PACK.parse_placement(event))
            await ledger.keep(game, None)
        return game, ledger

    game, ledger = asyncio.run(work())
    ledger.close()
    return game, ledger


def test_a_game_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    stored(path, "masterplan", {}, HOUSE)
    game, _ = resume(path, NEXT)
    assert game is not None
    assert game.verdict.ply == 2
    again, _ = resume(path)
    assert again is not None
    assert again.verdict == game.verdict


def test_what_follows_an_event_we_cannot_read_is_not_lost_again(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    stored(path, "masterplan", {}, HOUSE, {"teleport": "h8"}, NEXT)
    game, _ = resume(path, NEXT)
    assert game is not None
    assert game.verdict.ply == 2
    again, ledger = resume(path)
    assert again is not None
    assert again.verdict.ply == 2, "what was told after the bad event is kept"
    assert len(Store.open(path).log(1)) == 3, "and the old log is untouched"
    assert ledger.number == 2


def test_a_game_nobody_knows_is_given_up_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    for game, settings in (("chess", {}), ("masterplan", {"gravity": "low"})):
        stored(path, game, settings, HOUSE)
        assert resume(path)[0] is None
    assert [card.game for card in Store.open(path).games()] == ["chess", "masterplan"]


def test_a_file_that_was_set_aside_is_told(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"no database at all, and rather too long to be one " * 100)
    _, ledger = resume(path)
    assert ledger.notice is not None
    assert (ledger.notice.part, ledger.notice.reason) == (Part.ARCHIVE, "corrupt")
    assert ledger.failure is None


def test_a_game_of_pyramids_comes_back_with_its_settings_and_passes(tmp_path: Path) -> None:
    path, settings = tmp_path / "games.db", {"players": "blue red", "variant": "nine-pyramids"}
    events: list[Mapping[str, object]] = [
        {"block": "a1"},
        {"place": "large", "cell": "c3", "colour": "blue"},
        {"pass": "red"},
        {"place": "large", "cell": "c4", "colour": "red"},
        {"amend": 3, "event": {"place": "medium", "cell": "c4", "colour": "red"}},
        {"undo": 2, "lifted": ["c4"]},
    ]
    stored(path, "subdivision", settings, *events)
    game, ledger = resume(path)
    assert game is not None
    assert ledger.number == 1
    assert game.box.players == ("blue", "red")
    assert (game.box.board.files, game.settings["size"]) == (5, "usual")
    assert [format_event(game.pack, event) for event in game.log] == events
    assert (game.verdict.ply, game.verdict.turn) == (1, "red")
