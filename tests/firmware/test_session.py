"""The wire, from what is seen and pressed to what is shown and kept; no camera, no clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from firmware.actions import Button, Press
from firmware.asking import READ_S
from firmware.commands import AnswerOption, Choose, Correct, NewGame, NotNow, UndoTo
from firmware.dialog import (
    Answer,
    FinalCount,
    Happened,
    Holds,
    Listing,
    Playing,
    Topic,
    UndoPreview,
    Why,
)
from firmware.ledger import Ledger
from firmware.session import Session
from firmware.snapshot import Access, Failure, Leftover, Part, Seeing, Snapshot
from firmware.store import Store
from rules.board import Anchor, Cell, Piece, Position
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import legal_moves
from rules.verdict import Problem
from rules.voice import Language
from tests.vision.looks import reading_of
from vision.classify import Classifier
from vision.frame import Frame
from vision.reading import Unreadable
from vision.stillness import Stillness
from vision.watch import Look, Watcher

CLASSIFIER = Classifier(PACK.box)
BLANK = np.zeros((8, 8, 3), np.uint8)
Guesses = tuple[tuple[Piece | None, float], ...]


def house(word: str) -> tuple[Cell, Piece]:
    """`Wc4ne`: a white house."""
    colour = {"W": "white", "Y": "yellow"}[word[0]]
    return Cell(word[1:3]), Piece("house", colour, Anchor(word[3:]))


class Table:
    """A device above a table that looks as the test says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now_s = 100.0
        self.frame = 0
        self.position = Position()
        self.shown: list[Snapshot] = []

    async def switch_on(self) -> None:
        self.ledger = Ledger(Store.open(self.folder / "games.db"))
        access = Access("http://192.168.1.50:8080", "483920")
        watcher = Watcher(PACK.box, CLASSIFIER)
        self.session = Session(self.ledger, watcher, access, clock=lambda: self.now_s)
        self.session.outputs.append(self.shown.append)
        await self.session.start(PACK, {})
        self.task = asyncio.create_task(self.session.run())

    async def pull_the_plug(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        self.ledger.close()

    @property
    def now(self) -> Snapshot:
        return self.session.snapshot

    @property
    def is_playing(self) -> bool:
        """Nothing is asked, and no menu is open."""
        return isinstance(self.now.dialog, Playing)

    async def look(
        self,
        frames: int = 6,
        hidden: Iterable[str] = (),
        guesses: dict[str, Guesses] | None = None,
        stillness: Stillness = Stillness.STILL,
    ) -> Snapshot:
        """The table as it stands, for so many frames of a fifth of a second."""
        for _ in range(frames):
            self.now_s += 0.2
            self.frame += 1
            frame = Frame(BLANK, self.now_s, self.frame)
            reading = reading_of(self.position, hidden=hidden, guesses=guesses)
            seen = None if stillness is Stillness.MOVING else reading
            await self.session.say(Look(frame, stillness, seen))
        return self.now

    async def put(self, *words: str) -> Snapshot:
        """`Wc4ne` a house, `+d5` a park, `^d5` a tower, `-d5` taken off; then looked at."""
        for word in words:
            if word[0] == "-":
                self.position = self.position.clear(Cell(word[1:]))
            elif word[0] in "+^":
                kind = {"+": "park", "^": "tower"}[word[0]]
                self.position = self.position.put(Cell(word[1:]), Piece(kind))
            else:
                self.position = self.position.put(*house(word))
            await self.look()
        return self.now

    async def press(self, button: Button, held: bool = False) -> Snapshot:
        await self.session.say(Press(button, held))
        return self.now


def at_a_table(test: Callable[[Table], Awaitable[None]]) -> Callable[[Path], None]:
    def run(tmp_path: Path) -> None:
        async def play() -> None:
            table = Table(tmp_path)
            await table.switch_on()
            await table.look()
            try:
                await test(table)
            finally:
                await table.pull_the_plug()

        asyncio.run(play())

    return run


@at_a_table
async def test_a_park_is_due_then_forgotten_and_said_after_three_seconds(table: Table) -> None:
    await table.put("Wc4ne", "Ye6n", "Wb3n")
    assert [due.cell for due in table.now.verdict.dues] == ["d5"]
    assert table.now.alarm is None
    await table.put("Ye4ne")
    assert table.now.verdict.dues[0].forgotten
    assert table.now.alarm is None, "they may be laying it just now"
    await table.look(15)
    assert table.now.alarm == table.now.verdict.dues[0]
    await table.put("+d5")
    assert table.now.alarm is None
    assert table.now.verdict.score == {"white": 0, "yellow": 0}


@at_a_table
async def test_nobody_is_nagged_while_somebody_moves(table: Table) -> None:
    await table.put("Yc4ne")
    assert [p.reason for p in table.now.verdict.problems] == ["out-of-turn"]
    await table.look(30, stillness=Stillness.MOVING)
    assert table.now.alarm is None
    await table.look(16)
    assert isinstance(table.now.alarm, Problem)
    await table.look(30, stillness=Stillness.MOVING)
    assert isinstance(table.now.alarm, Problem), "what was said stays said"


@at_a_table
async def test_points_are_fresh_for_a_while(table: Table) -> None:
    shown = await table.put("Wc4ne", "Ye6n", "Wb3n", "+d5")
    assert shown.fresh is not None
    assert {gain.piece.colour for gain in shown.fresh.gains} == {"white", "yellow"}
    assert (await table.look(21)).fresh is None
    assert (await table.look()).verdict.score == {"white": 2, "yellow": 1}


@at_a_table
async def test_a_game_survives_the_plug(table: Table) -> None:
    before = await table.put("Wc4ne", "Ye6n", "Wb3n")
    await table.pull_the_plug()
    table.position = table.position.put(Cell("d5"), Piece("park"))
    await table.switch_on()
    assert table.now.resumed
    assert table.now.game.number == before.game.number
    assert table.now.verdict.dues == before.verdict.dues
    assert [s.word for s, _ in table.now.story] == ["house", "house", "house"]
    await table.look()
    assert not table.now.resumed
    assert table.now.verdict.score == {"white": 2, "yellow": 1}, "laid while the device was off"


@at_a_table
async def test_an_unsure_cell_is_asked_and_the_answer_holds(table: Table) -> None:
    either = ((house("Wc3ne")[1], 0.5), (house("Wc3e")[1], 0.48))
    table.position = table.position.put(*house("Wc3ne"))
    await table.look(10, guesses={"c3": either})
    assert table.is_playing, "it may become clear by itself"
    await table.look(20, guesses={"c3": either})
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    assert (dialog.topic, dialog.cell) == (Topic.UNSURE, "c3")
    assert dialog.options[:2] == (Holds(*house("Wc3ne")), Holds(*house("Wc3e")))
    await table.press(Button.RIGHT)
    await table.press(Button.OK)
    await table.look(guesses={"c3": either})
    assert table.is_playing
    assert table.now.verdict.position[Cell("c3")] == house("Wc3e")[1]
    await table.look(40, guesses={"c3": either})
    assert table.is_playing, "asked once"
    assert table.now.verdict.problems == ()


@at_a_table
async def test_a_question_goes_away_when_the_piece_is_pushed_straight(table: Table) -> None:
    either = ((house("Wc3ne")[1], 0.5), (house("Wc3e")[1], 0.48))
    table.position = table.position.put(*house("Wc3ne"))
    await table.look(30, guesses={"c3": either})
    assert isinstance(table.now.dialog, Listing)
    await table.look()
    assert table.is_playing
    assert table.now.verdict.ply == 1


@at_a_table
async def test_a_wrong_reading_is_corrected_in_three_presses(table: Table) -> None:
    """It is read as c4ne, surely and wrongly; in truth it stands in c4e."""
    await table.put("Wc4ne")
    presses = 1
    await table.press(Button.OK, held=True)
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    while table.now.dialog != Listing(
        Topic.CORRECT, dialog.options, dialog.options.index(Holds(*house("Wc4e"))), Cell("c4")
    ):
        await table.press(Button.RIGHT)
        presses += 1
    await table.press(Button.OK)
    assert presses + 1 <= 3
    assert table.now.verdict.position[Cell("c4")].anchor is Anchor.E
    await table.look(60)
    assert table.now.verdict.problems == (), "the player's word stands against the eyes"
    assert table.now.verdict.position[Cell("c4")].anchor is Anchor.E


@at_a_table
async def test_a_word_is_asked_again_after_a_hand_was_there(table: Table) -> None:
    await table.put("Wc4ne")
    await table.session.say(Correct(*house("Wc4e")))
    await table.look(5)
    await table.look(5, hidden=["c4"])
    await table.look(30)
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    assert (dialog.topic, dialog.cell) == (Topic.UNSURE, "c4")


@at_a_table
async def test_something_overlooked_can_be_told(table: Table) -> None:
    await table.session.say(Correct(*house("Wc4e")))
    await table.look(1)
    assert table.now.verdict.ply == 1


@at_a_table
async def test_undo_shows_what_it_would_take_and_leads_back(table: Table) -> None:
    await table.put("Wc4ne", "Ye6n", "Wb3n", "+d5")
    shown = await table.press(Button.UNDO)
    assert shown.dialog == UndoPreview(3, (Cell("b3"), Cell("d5")))
    shown = await table.press(Button.RIGHT)
    assert shown.dialog == UndoPreview(2, (Cell("b3"), Cell("d5"), Cell("e6")))
    await table.press(Button.LEFT)
    await table.press(Button.OK)
    assert table.now.verdict.ply == 2
    assert {p.cell for p in table.now.verdict.problems} == {"b3", "d5"}, "they still stand"
    await table.put("-b3", "-d5")
    assert table.now.verdict.problems == ()
    assert table.now.verdict.score == {"white": 0, "yellow": 0}


@at_a_table
async def test_undo_by_taking_the_pieces_back(table: Table) -> None:
    await table.put("Wc4ne", "Ye6n", "Wb3n", "+d5")
    table.position = table.position.clear(Cell("d5")).clear(Cell("b3"))
    await table.look(10)
    assert table.now.verdict.ply == 2
    assert table.now.verdict.problems == ()


@at_a_table
async def test_a_house_that_wandered_is_asked_about(table: Table) -> None:
    await table.put("Wc4ne", "Ye6n")
    await table.put("-e6", "Ye6s")
    await table.look(25)
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    assert dialog.topic is Topic.HAPPENED
    assert isinstance(dialog.options[0], Happened)
    assert dialog.options[-1] is Answer.PUT_BACK
    await table.press(Button.OK)
    assert table.now.verdict.ply == 2
    assert table.now.verdict.position[Cell("e6")].anchor is Anchor.S
    assert table.now.verdict.problems == ()


@at_a_table
async def test_who_presses_ok_just_as_a_question_comes_up_meant_something_else(
    table: Table,
) -> None:
    await table.put("Wc4ne", "Ye6n")
    await table.put("-e6", "Ye6s")
    while table.is_playing:
        await table.look(1)
    asked = table.now.dialog
    await table.press(Button.OK)
    assert table.now.dialog == asked
    assert table.now.verdict.problems
    table.now_s += READ_S
    await table.press(Button.OK)
    assert not table.now.verdict.problems


@at_a_table
async def test_a_question_that_was_left_comes_back(table: Table) -> None:
    await table.put("Wc4ne", "Ye6n")
    await table.put("-e6", "Ye6s")
    await table.look(25)
    asked = table.now.dialog
    assert isinstance(asked, Listing)
    await table.press(Button.UNDO)
    await table.look(100)
    assert table.is_playing, "not at once"
    await table.look(60)
    assert table.now.dialog == asked


@at_a_table
async def test_a_question_goes_away_with_its_reason_wherever_the_mark_is(table: Table) -> None:
    await table.put("Wc4ne", "Ye6n")
    await table.put("-e6", "Ye6s")
    await table.look(25)
    await table.press(Button.RIGHT)
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    assert dialog.at == 1
    await table.put("-e6", "Ye6n")
    await table.look(25)
    assert table.is_playing
    assert not table.now.verdict.problems


@at_a_table
async def test_players_without_rest_are_asked_all_the_same_and_about_all_of_it(
    table: Table,
) -> None:
    await table.put("Wc4ne", "Ye6n")
    for cell, piece in (house("Wb3n"), (Cell("d5"), Piece("park")), house("Ye4ne")):
        table.position = table.position.put(cell, piece)
    for _ in range(15):
        await table.look(3)
        await table.look(1, stillness=Stillness.MOVING)
    asked = table.now.dialog
    assert isinstance(asked, Listing)
    assert asked.topic is Topic.HAPPENED
    await table.put("Wd4nw")
    more = table.now.dialog
    assert isinstance(more, Listing)
    assert all(len(o.events) == 4 for o in more.options if isinstance(o, Happened))
    await table.look()
    await table.press(Button.OK)
    assert table.now.verdict.ply == 5


@at_a_table
async def test_a_board_that_was_just_seen_empty_need_not_be_seen_again(table: Table) -> None:
    before = table.now.game.number
    await table.session.say(NewGame())
    assert table.now.game.number > before
    table.position = Position(dict([house("Wc4ne"), house("Ye6n")]))
    await table.look(20)
    assert table.now.alarm is None
    assert table.now.verdict.ply == 2


@at_a_table
async def test_it_ends_when_told_to_whatever_has_just_arrived(table: Table) -> None:
    for steps in range(6):
        table.session.post(Failure(Part.SOUND, "busy"))
        for _ in range(steps):
            await asyncio.sleep(0)
        table.task.cancel()
        done, _ = await asyncio.wait([table.task], timeout=1)
        assert done, f"it goes on after {steps} steps"
        table.task = asyncio.create_task(table.session.run())
        await asyncio.sleep(0.01)


@at_a_table
async def test_a_cleared_board_may_be_a_new_game(table: Table) -> None:
    before = await table.put("Wc4ne", "Ye6n", "Wb3n", "+d5")
    table.position = Position()
    await table.look(30)
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    assert dialog.topic is Topic.CLEARED
    await table.press(Button.RIGHT)
    await table.press(Button.OK)
    assert table.now.verdict.ply == 0
    assert table.now.game.number == before.game.number + 1
    assert (await table.put("Wc4ne")).verdict.ply == 1


@at_a_table
async def test_a_table_that_is_quite_another_is_asked_about(table: Table) -> None:
    """They played on while a coat lay over the camera: nobody can tell in which order."""
    before = await table.put("Wc4ne", "Ye6n")
    for number in range(13):
        cell, colour = Cell(f"{'abcdefgh'[number % 8]}{1 + number // 8}"), "WY"[number % 2]
        table.position = table.position.put(*house(f"{colour}{cell}n"))
    await table.look(30)
    dialog = table.now.dialog
    assert isinstance(dialog, Listing)
    assert dialog.topic is Topic.CLEARED
    assert table.now.verdict.ply == 2, "nothing is guessed"
    table.position = before.verdict.table
    await table.look(30)
    assert table.is_playing, "and nothing is asked once it is put back"


@at_a_table
async def test_a_new_game_waits_for_an_empty_board(table: Table) -> None:
    await table.put("Wc4ne", "Ye6n", "Wb3n")
    await table.session.say(NewGame())
    await table.look(20)
    assert table.now.alarm == Leftover((Cell("b3"), Cell("c4"), Cell("e6")))
    assert table.now.verdict.ply == 0
    await table.put("-c4", "-e6", "-b3", "Wd4n")
    assert table.now.alarm is None
    assert table.now.verdict.ply == 1


@at_a_table
async def test_a_whole_game_is_counted_and_cleared_into_the_next(table: Table) -> None:
    chance = np.random.default_rng(5)
    while table.now.verdict.outcome is None:
        verdict = table.now.verdict
        for due in verdict.dues:
            table.position = table.position.put(due.cell, due.piece)
        if not verdict.dues:
            moves = legal_moves(table.session.game.state)
            move = moves[int(chance.integers(len(moves)))]
            table.position = table.position.put(move.cell, move.piece)
        await table.look(4)
    assert isinstance(table.now.dialog, FinalCount)
    await table.look(200)
    assert table.is_playing, "counted to the end by itself"
    final = table.now.verdict.outcome
    assert final is not None
    stored = table.ledger.store.games()
    assert [game.result for game in stored] == [f"{final.score['white']}-{final.score['yellow']}"]
    table.position = Position()
    await table.look(10)
    assert table.now.verdict.ply == 0
    assert len(table.ledger.store.games()) == 2


@at_a_table
async def test_a_camera_that_fails_is_told_and_then_forgiven(table: Table) -> None:
    for _ in range(20):
        table.now_s += 0.2
        await table.session.say(Failure(Part.CAMERA, "unplugged"))
    assert table.now.alarm == Failure(Part.CAMERA, "unplugged")
    assert table.now.seeing is Seeing.BLIND
    await table.look(1)
    assert table.now.alarm is None
    assert table.now.seeing is Seeing.WATCHING


@at_a_table
async def test_a_lost_board_is_told(table: Table) -> None:
    lost = Unreadable("no-board", "No board.")
    for _ in range(20):
        table.now_s += 0.2
        table.frame += 1
        frame = Frame(BLANK, table.now_s, table.frame)
        await table.session.say(Look(frame, Stillness.STILL, trouble=lost))
    assert table.now.alarm == lost


@at_a_table
async def test_settings_hold_from_the_next_game_on(table: Table) -> None:
    await table.session.say(Choose("mode", "strict"))
    assert table.now.game.settings["mode"] == "strict", "nothing was played yet"
    await table.put("Wc4ne")
    await table.session.say(Choose("both_due", "tower"))
    assert table.now.game.settings["both_due"] == "park"
    assert table.now.game.next_settings["both_due"] == "tower"
    await table.pull_the_plug()
    await table.switch_on()
    assert table.now.game.next_settings["both_due"] == "tower"
    await table.session.say(NewGame())
    assert table.now.game.settings == {"mode": "strict", "both_due": "tower"}


@at_a_table
async def test_the_language_is_remembered(table: Table) -> None:
    await table.press(Button.LEFT)
    await table.session.say(Choose("language", "fr"))
    assert table.now.language is Language.FR
    assert table.is_playing
    await table.pull_the_plug()
    await table.switch_on()
    assert table.now.language is Language.FR


@at_a_table
async def test_what_does_not_fit_is_refused_and_changes_nothing(table: Table) -> None:
    before = await table.put("Wc4ne")
    with pytest.raises(NotNow):
        await table.session.say(AnswerOption(0))
    with pytest.raises(LookupError):
        await table.session.say(UndoTo(7))
    assert table.now.verdict == before.verdict


@at_a_table
async def test_why_explains_the_dues_and_the_last_points(table: Table) -> None:
    await table.put("Wc4ne", "Ye6n", "Wb3n")
    shown = await table.press(Button.RIGHT)
    assert isinstance(shown.dialog, Why)
    assert shown.dialog.pages[0].title == "PARK d5"
    assert (await table.press(Button.UNDO)).dialog == Playing()


@at_a_table
async def test_the_last_forgotten_park_is_forgotten_when_the_players_say_so(table: Table) -> None:
    """No house follows the 28th, so the button has to end the turn."""
    chance = np.random.default_rng(9)
    while table.now.verdict.turn is not None or not table.now.verdict.dues:
        verdict = table.now.verdict
        if verdict.outcome is not None:
            return  # this game happens to end without a due
        for due in verdict.dues:
            table.position = table.position.put(due.cell, due.piece)
        if not verdict.dues:
            moves = legal_moves(table.session.game.state)
            move = moves[int(chance.integers(len(moves)))]
            table.position = table.position.put(move.cell, move.piece)
        await table.look(4)
    await table.press(Button.OK)
    assert all(due.forgotten for due in table.now.verdict.dues)
