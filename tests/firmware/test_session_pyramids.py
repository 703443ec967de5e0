"""Subdivision at the table, from what is seen and pressed to what is shown and kept; no camera.

And what happens when players change the game, the board, or who plays.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.actions import Button, Glow, Led
from firmware.commands import Choose, Correct, NewGame, NotNow, Pass, UndoTo
from firmware.dialog import (
    Begin,
    Choice,
    FinalCount,
    Listing,
    MenuItem,
    Playing,
    Tick,
    Topic,
    UndoPreview,
    Why,
)
from firmware.eyes import Sighting
from firmware.ledger import Ledger
from firmware.lights import lights_for
from firmware.session import Session
from firmware.snapshot import Access, Leftover, Seeing, Snapshot
from firmware.store import Store
from rules.board import Cell, Piece, Position
from rules.box import Box
from rules.errors import BadSetting
from rules.packs import load_pack
from rules.packs.subdivision import PACK
from rules.verdict import Problem
from tests.firmware import test_session
from tests.firmware.test_session import BLANK, CLASSIFIER
from tests.vision.looks import reading_of
from vision.frame import Frame
from vision.stillness import Stillness
from vision.watch import Look, Watcher

NINE = {"variant": "nine-pyramids"}
PARKS = ("+a1", "+a5", "+e1", "+e5", "+c3", "+b2", "+d4")
PLAYED = (
    *("Mc5", "Md3", "Md5", "Ma3", "Me4", "Mb5", "Lb3", "Lc2"),
    *("Sd1", "Sa4", "Ld2", "Lb4", "Sc4", "Le3", "Sb1", "Sa2"),
)
"""The must-pass game of the position files: red cannot go on, blue can."""
KINDS = {"L": "large", "M": "medium", "S": "small"}


class Table(test_session.Table):
    """A device whose first game is Subdivision, above a table that looks as the test says."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.watchers: list[Watcher] = []
        self.made_in: list[str] = []

    async def switch_on(self, first: str = "subdivision", **settings: str) -> None:
        self.ledger = Ledger(Store.open(self.folder / "games.db"))
        pack = load_pack(first)
        watcher = Watcher(pack.box, CLASSIFIER)
        self.session = Session(
            self.ledger,
            watcher,
            Access("http://192.168.1.50:8080", "483920"),
            clock=lambda: self.now_s,
            make_watcher=self._make_watcher,
        )
        self.session.use_watcher = self.watchers.append
        self.session.outputs.append(self.shown.append)
        await self.session.start(pack, settings)
        self.task = asyncio.create_task(self.session.run())
        self.clear()

    def _make_watcher(self, box: Box) -> Watcher:
        self.made_in.append(threading.current_thread().name)
        return Watcher(box, CLASSIFIER)  # nobody looks with it: looks are made by hand

    def clear(self) -> None:
        board = self.now.game.box.board
        self.position = Position(files=board.files, ranks=board.ranks)

    def a_look(self) -> Look:
        self.now_s += 0.2
        self.frame += 1
        files, ranks = self.position.files, self.position.ranks
        seen = reading_of(self.position)
        cells = {c: r for c, r in seen.cells.items() if c.file < files and c.rank < ranks}
        reading = replace(seen, cells=cells, files=files, ranks=ranks)
        return Look(Frame(BLANK, self.now_s, self.frame), Stillness.STILL, reading)

    async def look(self, frames: int = 6, *_: object, **__: object) -> Snapshot:
        for _number in range(frames):
            await self.session.say(self.a_look())
        return self.now

    async def see_with(self, watcher: Watcher) -> Snapshot:
        await self.session.say(Sighting(self.a_look(), watcher))
        return self.now

    async def put(self, *words: str) -> Snapshot:
        """`Lb3` a large of who is on turn, `blue:Sa2`, `+a1` a park, `-a1` taken off; looked at."""
        for word in words:
            colour, _, place = word.rpartition(":")
            cell = Cell(place[1:])
            if place[0] == "-":
                self.position = self.position.clear(cell)
            elif place[0] == "+":
                self.position = self.position.put(cell, Piece("blocked"))
            else:
                piece = Piece(KINDS[place[0]], colour or self.now.verdict.turn)
                self.position = self.position.put(cell, piece)
            await self.look()
        return self.now


def at_a_table(
    **settings: str,
) -> Callable[[Callable[[Table], Awaitable[None]]], Callable[[Path], None]]:
    def decorate(test: Callable[[Table], Awaitable[None]]) -> Callable[[Path], None]:
        def run(tmp_path: Path) -> None:
            async def play() -> None:
                table = Table(tmp_path)
                await table.switch_on(**settings)
                await table.look()
                try:
                    await test(table)
                finally:
                    await table.pull_the_plug()

            asyncio.run(play())

        return run

    return decorate


# ---- a game ----


@at_a_table(**NINE)
async def test_a_whole_game_with_a_pass_confirmed_by_ok(table: Table) -> None:
    assert table.now.verdict.task is not None
    assert table.now.verdict.task.count == 7
    await table.put(*PARKS)
    assert table.now.verdict.task is None
    await table.put(*PLAYED)
    assert table.now.verdict.score == {"red": 8, "blue": 12}
    assert (table.now.verdict.turn, table.now.may_pass) == ("red", True)
    assert lights_for(table.now)[Led.ATTENTION] is Glow.ON
    assert lights_for(table.now)[Led.WHITE] is Glow.ON, "red sits on the first seat"
    await table.press(Button.OK)
    assert (table.now.verdict.turn, table.now.may_pass) == ("blue", False)
    assert table.now.story[-1][0].word == "passed"
    assert lights_for(table.now)[Led.ATTENTION] is Glow.OFF
    await table.put("Sc1")
    outcome = table.now.verdict.outcome
    assert outcome is not None
    assert (dict(outcome.score), outcome.winners) == ({"red": 7, "blue": 12}, ("blue",))
    assert isinstance(table.now.dialog, FinalCount)
    assert lights_for(table.now)[Led.YELLOW] is Glow.BLINK
    assert [game.result for game in table.ledger.store.games()] == ["7-12"]
    assert "pass" in table.now.record


@at_a_table()
async def test_a_large_next_to_its_like_is_announced_and_put_right(table: Table) -> None:
    await table.put("Lc3", "Me5", "Lc4")
    [problem] = table.now.verdict.problems
    assert (problem.reason, problem.cell, problem.others) == (
        "large-near-own-large",
        "c4",
        ("c3",),
    )
    assert table.now.alarm is None, "they may notice themselves"
    await table.look(16)
    assert isinstance(table.now.alarm, Problem)
    shown = await table.press(Button.RIGHT)
    assert isinstance(shown.dialog, Why)
    assert shown.dialog.pages[0].title == "LARGE c4"
    await table.press(Button.UNDO)
    await table.put("-c4")
    assert table.now.alarm is None
    assert table.now.story[-1][0].word == "corrected"
    assert (await table.put("red:Lc5")).verdict.ply == 3


@at_a_table(**NINE)
async def test_a_pass_nobody_confirmed_is_understood_from_the_next_pyramid(table: Table) -> None:
    await table.put(*PARKS, *PLAYED)
    await table.put("blue:Sc1")
    assert [said.word for said, _ in table.now.story[-3:]] == ["passed", "placed", "over"]


@at_a_table(**NINE)
async def test_an_undo_goes_back_across_a_pass(table: Table) -> None:
    await table.put(*PARKS, *PLAYED)
    await table.press(Button.OK)
    assert table.now.verdict.ply == 17
    shown = await table.press(Button.UNDO)
    assert shown.dialog == UndoPreview(17, ()), "a pass leaves nothing to clear"
    shown = await table.press(Button.RIGHT)
    assert shown.dialog == UndoPreview(16, (Cell("a2"),))
    await table.press(Button.OK)
    assert (table.now.verdict.ply, table.now.verdict.turn) == (15, "blue")
    await table.put("-a2")
    assert table.now.verdict.problems == ()
    await table.put("Sa2")
    assert table.now.may_pass


@at_a_table(**NINE)
async def test_a_pass_alone_can_be_taken_back(table: Table) -> None:
    await table.put(*PARKS, *PLAYED)
    await table.press(Button.OK)
    await table.session.say(UndoTo(17))
    assert (table.now.verdict.turn, table.now.may_pass) == ("red", True)


@at_a_table()
async def test_the_first_move_is_undone_without_the_parks(table: Table) -> None:
    await table.put("+a1", "+f6", "Lc3")
    shown = await table.press(Button.UNDO)
    assert shown.dialog == UndoPreview(1, (Cell("c3"),))


@at_a_table()
async def test_a_pass_that_is_not_allowed_is_refused_in_the_rules_words(table: Table) -> None:
    before = await table.put("Lc3")
    with pytest.raises(NotNow, match="blue can still place something and may not pass"):
        await table.session.say(Pass())
    await table.session.say(Choose("language", "de"))
    with pytest.raises(NotNow, match="Blau kann noch etwas setzen"):
        await table.session.say(Pass())
    assert table.now.verdict == before.verdict
    await table.press(Button.OK)
    assert table.now.verdict == before.verdict, "OK passes nobody who could place something"


@at_a_table()
async def test_a_wrong_reading_is_corrected_by_button(table: Table) -> None:
    """It is read as a medium, surely and wrongly; in truth it is a large."""
    await table.put("Mc3")
    await table.press(Button.OK, held=True)
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    assert (dialog.topic, dialog.cell) == (Topic.CORRECT, "c3")
    await table.press(Button.OK)
    assert table.now.verdict.position[Cell("c3")] == Piece("large", "red")
    assert table.now.verdict.score["red"] == 2
    await table.look(30)
    assert table.now.verdict.problems == (), "the player's word stands against the eyes"


@at_a_table()
async def test_who_says_what_is_known_adds_nothing_to_the_game(table: Table) -> None:
    await table.put("Mc3")
    for _ in range(3):
        await table.session.say(Correct(Cell("c3"), Piece("medium", "red")))
        await table.look()
    assert len(table.session.game.log) == 1


@at_a_table()
async def test_what_was_overlooked_can_be_told(table: Table) -> None:
    await table.session.say(Correct(Cell("d4"), Piece("medium", "red")))
    await table.look(1)
    assert table.now.verdict.ply == 1


@at_a_table(**NINE)
async def test_a_game_survives_the_plug_with_its_pass(table: Table) -> None:
    await table.put(*PARKS, *PLAYED)
    before = await table.press(Button.OK)
    await table.pull_the_plug()
    standing = table.position
    await table.switch_on(first="masterplan")
    table.position = standing
    assert table.now.resumed
    assert table.now.game.settings == before.game.settings
    assert table.now.game.box == before.game.box
    assert table.now.verdict == before.verdict
    assert [said.word for said, _ in table.now.story] == [said.word for said, _ in before.story]
    await table.look()
    assert table.now.verdict.problems == ()
    assert (await table.put("Sc1")).verdict.outcome is not None


@at_a_table(**NINE)
async def test_parks_that_stay_on_the_table_serve_the_next_game(table: Table) -> None:
    await table.put(*PARKS, *PLAYED)
    await table.press(Button.OK)
    over = await table.put("Sc1")
    for cell, piece in over.verdict.table.items():
        if piece.colour is not None:
            table.position = table.position.clear(cell)
    await table.look(8)
    assert table.now.game.number == over.game.number + 1
    assert table.now.verdict.task is None, "all seven lie there"
    assert len(table.now.verdict.position) == 7
    assert (await table.put("Lb3")).verdict.ply == 1


@at_a_table(**NINE)
async def test_parks_may_lie_there_before_the_device_is_switched_on(table: Table) -> None:
    await table.pull_the_plug()
    for path in table.folder.iterdir():
        path.unlink()
    await table.switch_on(**NINE)
    for word in PARKS[:5]:
        table.position = table.position.put(Cell(word[1:]), Piece("blocked"))
    await table.look(20)
    assert table.now.alarm is None
    assert table.now.verdict.task is not None
    assert table.now.verdict.task.count == 2
    await table.session.say(NewGame())
    table.position = table.position.put(Cell("c1"), Piece("large", "red"))
    table.position = table.position.put(Cell("d1"), Piece("large", "blue"))
    await table.look(20)
    assert isinstance(table.now.alarm, Leftover), "two pyramids are no beginning"


@at_a_table(players="red blue green yellow")
async def test_four_players_have_a_light_each(table: Table) -> None:
    seen = []
    for word in ("Mb2", "Md2", "Mf2", "Mb4"):
        lit = [led for led, glow in lights_for(table.now).items() if glow is Glow.ON]
        seen.append([led for led in lit if led is not Led.ATTENTION])
        await table.put(word)
    assert seen == [[Led.WHITE], [Led.PARK], [Led.TOWER], [Led.YELLOW]], "yellow has its own"
    assert table.now.verdict.turn == "red"


# ---- which game, who plays, on which board ----


@at_a_table()
async def test_another_game_is_chosen_in_the_menu_and_back_again(table: Table) -> None:
    before = await table.put("Lc3")
    await _choose_game(table, "masterplan")
    assert table.now.game.box.game == "masterplan"
    assert table.now.game.number == before.game.number + 1
    assert table.now.seeing is Seeing.STARTING, "the other board has not been seen yet"
    assert table.watchers[-1].box == table.now.game.box
    table.clear()
    await table.look()
    table.position = table.position.put(*test_session.house("Wc4ne"))
    await table.look()
    assert table.now.verdict.ply == 1
    await _choose_game(table, "subdivision")
    assert table.now.game.box == PACK.box_for(before.game.settings)
    assert table.now.game.settings == before.game.settings
    table.clear()
    await table.look()
    assert (await table.put("Lc3")).verdict.ply == 1
    assert all(name != threading.main_thread().name for name in table.made_in)


async def _choose_game(table: Table, game: str) -> None:
    await table.press(Button.LEFT)
    menu = table.now.dialog
    assert isinstance(menu, Listing)
    while getattr(menu.option, "item", None) is not MenuItem.GAME:
        menu = (await table.press(Button.RIGHT)).dialog
        assert isinstance(menu, Listing)
    games = (await table.press(Button.OK)).dialog
    assert isinstance(games, Listing)
    while games.option != Begin(game):
        games = (await table.press(Button.RIGHT)).dialog
        assert isinstance(games, Listing)
    asked = (await table.press(Button.OK)).dialog
    assert isinstance(asked, Listing)
    assert asked.topic is Topic.NEW_GAME
    await table.press(Button.RIGHT)
    await table.press(Button.OK)


@at_a_table()
async def test_no_look_of_the_old_watcher_is_taken_in_for_the_new_game(table: Table) -> None:
    await table.put("Lc3")
    old = table.session._watcher
    await table.session.say(NewGame(game="masterplan"))
    late = table.a_look()
    for _ in range(6):
        await table.session.say(Sighting(late, old))
    assert table.now.seeing is Seeing.STARTING
    assert not table.now.verdict.table
    assert not table.session._watcher.settle.known
    table.clear()
    shown = await table.see_with(table.session._watcher)
    assert shown.seeing is Seeing.WATCHING


@at_a_table()
async def test_the_same_box_keeps_its_watcher(table: Table) -> None:
    await table.put("Lc3")
    before = table.session._watcher
    await table.session.say(NewGame())
    assert table.session._watcher is before
    await table.session.say(NewGame({"players": "blue red"}))
    assert table.session._watcher is not before
    assert table.session._watcher.box.players == ("blue", "red")


@at_a_table()
async def test_players_are_picked_in_their_order_with_four_buttons(table: Table) -> None:
    await table.session.say(Choose("players", "red blue"))
    await _open_setting(table, "players")
    listing = table.now.dialog
    assert isinstance(listing, Listing)
    assert [o.place for o in listing.options if isinstance(o, Tick)] == [1, 2, 0, 0, 0, 0]
    await table.press(Button.OK)  # red leaves
    assert _places(table) == {"blue": 1}
    await table.press(Button.LEFT)  # round to the last entry: not enough of them yet
    await table.press(Button.OK)
    assert _places(table) == {"blue": 1}, "one alone cannot play"
    await table.press(Button.LEFT)
    await table.press(Button.OK)  # clear
    await table.press(Button.RIGHT)
    await table.press(Button.RIGHT)
    await table.press(Button.OK)  # red is back, as the last
    assert _places(table) == {"blue": 1, "clear": 2, "red": 3}
    await table.press(Button.LEFT)
    await table.press(Button.OK)
    assert isinstance(table.now.dialog, Playing)
    assert table.now.game.box.players == ("blue", "clear", "red")
    assert table.now.game.box.board.files == 7
    assert table.now.verdict.turn == "blue"


@at_a_table()
async def test_a_pick_that_is_left_changes_nothing(table: Table) -> None:
    before = table.now.game
    await _open_setting(table, "players")
    await table.press(Button.OK)
    await table.press(Button.UNDO)
    assert isinstance(table.now.dialog, Playing)
    assert table.now.game == before


@at_a_table()
async def test_more_than_may_play_are_not_taken(table: Table) -> None:
    await _open_setting(table, "players")
    await table.press(Button.RIGHT)
    for _ in range(4):
        await table.press(Button.RIGHT)
        await table.press(Button.OK)
    assert _places(table) == {"red": 1, "blue": 2, "green": 3, "yellow": 4}


def _places(table: Table) -> dict[str, int]:
    listing = table.now.dialog
    assert isinstance(listing, Listing)
    return {o.value: o.place for o in listing.options if isinstance(o, Tick) and o.place}


async def _open_setting(table: Table, setting: str) -> None:
    menu = (await table.press(Button.LEFT)).dialog
    assert isinstance(menu, Listing)
    while getattr(menu.option, "setting", None) != setting:
        menu = (await table.press(Button.RIGHT)).dialog
        assert isinstance(menu, Listing)
    await table.press(Button.OK)


@at_a_table(players="red blue green yellow")
async def test_settings_that_do_not_go_together_are_refused_kindly(table: Table) -> None:
    before = await table.put("Mc3")
    with pytest.raises(BadSetting, match="size cannot be 5 with 4 players"):
        await table.session.say(Choose("size", "5"))
    with pytest.raises(BadSetting, match="size cannot be 5"):
        await table.session.say(NewGame({"size": "5"}))
    assert table.now.game == before.game
    assert table.now.verdict == before.verdict
    await _open_setting(table, "size")
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    assert dialog.option == Choice("size", "usual")
    await table.press(Button.RIGHT)
    shown = await table.press(Button.OK)
    assert isinstance(shown.dialog, Why)
    assert "other settings" in shown.dialog.pages[0].lines[0]
    assert shown.game == before.game
    await table.press(Button.OK)
    assert isinstance(table.now.dialog, Playing)
    assert [game.result for game in table.ledger.store.games()] == [None], "the game goes on"
    assert table.ledger.store.latest() is not None


@at_a_table()
async def test_what_was_preferred_is_remembered_for_each_game(table: Table) -> None:
    await table.session.say(NewGame({"players": "green black", "size": "7"}))
    await table.session.say(NewGame({"mode": "strict"}, "masterplan"))
    assert table.now.game.settings["mode"] == "strict"
    assert table.now.preferred["subdivision"] == {"players": "green black", "size": "7"}
    await table.pull_the_plug()
    await table.switch_on()
    assert table.now.game.box.game == "masterplan", "the stored game decides, not the config"
    await table.session.say(NewGame(game="subdivision"))
    assert table.now.game.settings == {"players": "green black", "size": "7", "variant": ""}
    await table.session.say(NewGame(game="masterplan"))
    assert table.now.game.settings["mode"] == "strict"


@at_a_table()
async def test_old_preferences_without_a_game_are_those_of_the_first_one(table: Table) -> None:
    store = table.ledger.store
    store.prefer("mode", "strict")
    store.prefer("size", "7")
    await table.pull_the_plug()
    await table.switch_on()
    assert table.now.preferred == {"masterplan": {"mode": "strict"}, "subdivision": {}}
    await table.session.say(NewGame(game="masterplan"))
    assert table.now.game.settings["mode"] == "strict"


@at_a_table()
async def test_what_is_chosen_during_a_game_holds_from_the_next_one_on(table: Table) -> None:
    before = await table.put("+a1", "Lc3")
    await table.session.say(Choose("variant", "private-parks lay-parks"))
    assert table.now.game.settings == before.game.settings
    assert table.now.game.next_settings["variant"] == "private-parks lay-parks"
    await table.session.say(NewGame())
    assert table.now.game.settings["variant"] == "private-parks lay-parks"


@at_a_table()
async def test_a_finished_game_is_followed_by_the_same_one_after_a_restart(table: Table) -> None:
    await table.put("Lc3")
    table.ledger.store.finish(table.now.game.number, "29-0")
    await table.pull_the_plug()
    await table.switch_on(first="masterplan")
    assert table.now.game.box.game == "subdivision"


def test_a_watcher_that_cannot_be_made_leaves_everything_as_it_was(tmp_path: Path) -> None:
    async def play() -> None:
        table = Table(tmp_path)
        await table.switch_on()
        await table.look()
        before = await table.put("Lc3")

        def fail(box: Box) -> Watcher:
            raise BadSetting(f"nobody can see {box.title}")

        table.session._make_watcher = fail
        with pytest.raises(BadSetting, match="Masterplan"):
            await table.session.say(NewGame(game="masterplan"))
        assert table.now.game == before.game
        assert table.ledger.store.latest() is not None
        assert (await table.put("Me5")).verdict.ply == 2
        await table.pull_the_plug()

    asyncio.run(play())
