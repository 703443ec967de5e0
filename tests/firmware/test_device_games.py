"""The whole device when the players change the game: eyes, simulated table, store and display."""

from __future__ import annotations

import asyncio
from pathlib import Path

from firmware.commands import Choose, NewGame
from firmware.config import Config
from firmware.device import Device
from firmware.parts import fast_clock
from firmware.snapshot import Seeing
from firmware.store import Store
from rules.board import Anchor, Cell, Piece
from tests.firmware.test_device import SMALL_WH, Living, living

HOUSE = Piece("house", "white", Anchor.NE)
C4 = Cell("c4")


@living()
async def test_another_game_is_looked_for_and_the_old_one_is_found_again(here: Living) -> None:
    await here.put("Wc4ne")
    before = here.now
    table, eyes = here.device.table, here.device.eyes
    assert table is not None
    await here.device.say(NewGame({"players": "red blue green"}, "subdivision"))
    assert here.now.game.number == before.game.number + 1
    assert here.now.seeing is Seeing.STARTING
    assert not here.now.verdict.table
    assert table.box == eyes.watcher.box == here.now.game.box
    assert (table.box.board.files, table.box.players) == (7, ("red", "blue", "green"))
    assert not table.position, "a white house belongs to no game of pyramids"
    await here.until(lambda: here.now.seeing is Seeing.WATCHING)
    await here.until(here.is_on_glass)
    assert here.device.camera_picture()
    table.put(Piece("large", "red"), Cell("d4"))
    await here.until(lambda: here.now.verdict.ply == 1)

    await here.device.say(NewGame(game="masterplan"))
    assert table.box == here.now.game.box == before.game.box
    await here.until(lambda: here.now.seeing is Seeing.WATCHING)
    await here.put("Wc4ne")
    assert here.now.verdict.position[C4] == HOUSE


@living()
async def test_the_stored_game_is_looked_for_after_a_power_cut(here: Living) -> None:
    await here.device.say(NewGame({"players": "blue red", "size": "5"}, "subdivision"))
    await here.until(lambda: here.now.seeing is Seeing.WATCHING)
    table = here.device.table
    assert table is not None
    table.put(Piece("blocked"), Cell("c3"))
    await here.until(lambda: Cell("c3") in here.now.verdict.table)
    before, standing = here.now, table.position
    await here.switch_off()
    await here.switch_on()
    assert here.config.game.name == "masterplan"
    assert here.now.game.number == before.game.number
    assert here.now.game.settings == before.game.settings
    assert here.device.table is not None
    assert here.device.table.box == here.device.eyes.watcher.box == before.game.box
    assert here.device.table.position == standing, "the table does not forget"
    await here.until(lambda: here.now.seeing is Seeing.WATCHING)
    assert here.now.verdict.table == before.verdict.table


@living()
async def test_frames_go_on_while_the_game_is_changed(here: Living) -> None:
    for size in ("7", "8", "usual"):
        await here.device.say(NewGame({"size": size}, "subdivision"))
        looks = here.device.looks
        await here.frames(4)
        assert here.device.looks >= looks + 4
    await here.device.say(Choose("players", "black clear"))
    assert here.device.eyes.watcher.box.players == ("black", "clear")


def test_the_game_that_was_asked_for_is_begun_unless_it_is_going_on(tmp_path: Path) -> None:
    async def switch_on(wanted: NewGame | None) -> tuple[str, str, int]:
        clock = fast_clock()
        device = Device(Config(), tmp_path, clock, hands=False, size_wh=SMALL_WH, wanted=wanted)
        await device.start()
        task = asyncio.create_task(device.run())
        await device.looked(2)
        card = device.snapshot().game
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        device.close()
        return card.box.game, " ".join(card.box.players), card.number

    three = NewGame({"players": "red blue green"}, "subdivision")
    assert asyncio.run(switch_on(three)) == ("subdivision", "red blue green", 1)
    assert asyncio.run(switch_on(three)) == ("subdivision", "red blue green", 1)
    assert asyncio.run(switch_on(None)) == ("subdivision", "red blue green", 1)
    assert asyncio.run(switch_on(NewGame({}, "masterplan"))) == ("masterplan", "white yellow", 2)
    store = Store.open(tmp_path / "games.db")
    assert [game.game for game in store.games()] == ["subdivision", "masterplan"]
    store.close()
