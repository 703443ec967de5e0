"""A table of Subdivision is calibrated, and used for the board it was made for and no other."""

from __future__ import annotations

import asyncio
import io
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware.actions import Button, Press
from firmware.calibrate import Desk
from firmware.commands import NewGame
from firmware.config import Config
from firmware.device import Device
from firmware.doctor import all_simulated
from firmware.guide import Guide, Step
from firmware.parts import fast_clock, simulate
from firmware.tables import Tables, format_calibration, parse_calibration
from rules.game import Game
from rules.packs.subdivision import PACK
from rules.voice import Language
from tests.firmware.pyramids import FOUR
from tests.firmware.test_calibrate import a_config
from tests.firmware.test_device import SMALL_WH
from tests.firmware.test_drawing import cut_off
from vision.calibration import CalibratedWatcher, choose_samples

PLAYERS = {"players": "red blue"}


def calibrate(folder: Path, game: Game[Any]) -> Desk:
    """Somebody goes through it with the OK button, and puts up what is asked for."""

    async def sit() -> Desk:
        clock, box = fast_clock(), game.box
        simulation = simulate(box, clock, folder / "table.json", 0, (960, 720), hands=False)
        tables, out = Tables(folder, box), io.StringIO()
        desk = Desk(a_config(), tables, "home", out, clock, simulation, game)
        try:
            async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
                tasks.create_task(desk.run())
                has_put = False
                while desk.guide.step is not Step.KEPT:
                    if desk.guide.step is Step.PLACE and not has_put:
                        for cell, piece in desk.guide.wanted.items():
                            simulation.table.put(piece, cell)
                        has_put = True
                    if not desk.guide.is_looking:
                        await desk.press(Press(Button.OK))
                    await asyncio.sleep(0.02)
                await desk.press(Press(Button.UNDO))
        finally:
            desk.close()
        return desk

    return asyncio.run(sit())


def test_a_table_is_kept_for_its_game_and_board_whoever_plays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game = Game(PACK, PLAYERS)
    desk = calibrate(tmp_path, game)
    assert desk.kept == tmp_path / "calibrations" / "home.toml"
    kept = Tables(tmp_path, game.box).load_in_use()
    assert kept is not None
    assert kept.game == "subdivision"
    assert len(kept.samples) == 7, "three sizes of two colours, and a park"
    others = Game(PACK, {"players": "green black"}).box
    assert Tables(tmp_path, others).load_in_use() is not None, "the same board"
    with caplog.at_level(logging.WARNING):
        seven = Game(PACK, {**PLAYERS, "size": "7"}).box
        assert Tables(tmp_path, seven).load_in_use() is None
    assert "board: got [6, 6], expected [7, 7]" in caplog.text


def test_a_device_uses_it_as_soon_as_that_board_is_played_on(tmp_path: Path) -> None:
    calibrate(tmp_path, Game(PACK, PLAYERS))

    async def play() -> list[bool]:
        config = replace(all_simulated(Config()), web=a_config().web)
        device = Device(config, tmp_path, fast_clock(), hands=False, size_wh=SMALL_WH)
        await device.start()
        task = asyncio.create_task(device.run())
        seen = [isinstance(device.eyes.watcher, CalibratedWatcher)]
        for size in ("6", "7", "6"):
            await device.say(NewGame({"size": size}, "subdivision"))
            await device.looked(device.looks + 3)
            seen.append(isinstance(device.eyes.watcher, CalibratedWatcher))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        device.close()
        return seen

    assert asyncio.run(play()) == [False, True, False, True]


def test_a_calibration_from_before_boards_had_sizes_is_of_the_usual_one(tmp_path: Path) -> None:
    game = Game(PACK, PLAYERS)
    calibrate(tmp_path, game)
    kept = Tables(tmp_path, game.box).load("home")
    text = format_calibration(kept, game.box.board)
    assert "board = [6, 6]\n" in text
    old = text.replace("board = [6, 6]\n", "")
    assert parse_calibration(old, game.box, "home.toml").samples == kept.samples


def test_how_large_the_cells_are_is_kept_where_cards_told_it(tmp_path: Path) -> None:
    game = Game(PACK, PLAYERS)
    calibrate(tmp_path, game)
    kept = replace(Tables(tmp_path, game.box).load("home"), scale=0.25)
    text = format_calibration(kept, game.box.board)
    back = parse_calibration(text, game.box, "home.toml")
    assert back.scale == 0.25
    assert CalibratedWatcher(game.box, back).scale == 0.25
    assert "scale" not in format_calibration(replace(kept, scale=None), game.box.board)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("players", ["red blue", FOUR, "black clear green"])
def test_the_guide_has_room_for_every_piece(players: str, language: Language) -> None:
    box, voice = Game(PACK, {"players": players}).box, PACK.voice(language)
    wanted = choose_samples(box)
    assert len(wanted) >= 7
    cut: set[str] = set()
    for at in range(len(wanted)):
        cut |= set(cut_off(Guide(box, Step.PLACE, at).screen(language, voice, 0)))
    assert cut == set()
