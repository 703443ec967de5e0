"""Every button in everything that can be shown: each press means one thing, and nothing falls."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from firmware.actions import Button, Press
from firmware.buttons import choose, explain, menu, press, preview_undo
from firmware.commands import (
    AnswerOption,
    Choose,
    Command,
    Correct,
    EndTurn,
    NewGame,
    OpenCorrection,
    SayAgain,
    Tell,
    UndoTo,
)
from firmware.dialog import (
    About,
    Answer,
    Choice,
    Dialog,
    Entry,
    FinalCount,
    Happened,
    Holds,
    Listing,
    MenuItem,
    Option,
    Pairing,
    Playing,
    Topic,
    UndoPreview,
    Why,
)
from rules.board import Cell, Piece
from rules.events import Undone
from tests.firmware.snapshots import MIDDLE, OPENING, finished, snapshot, snapshot_of

LISTING = Listing(Topic.NEW_GAME, (Answer.NO, Answer.YES))
TABLE = snapshot(MIDDLE)


@pytest.mark.parametrize(
    ("button", "held", "meaning"),
    [
        (Button.OK, False, EndTurn()),
        (Button.OK, True, OpenCorrection()),
        (Button.UNDO, True, LISTING),
        (Button.LEFT, False, menu(TABLE)),
        (Button.LEFT, True, Pairing()),
        (Button.RIGHT, True, SayAgain()),
    ],
)
def test_while_playing(button: Button, held: bool, meaning: Dialog | Command) -> None:
    assert press(TABLE, Press(button, held)) == meaning


def test_undo_is_previewed_and_walks_through_the_moves() -> None:
    first = press(TABLE, Press(Button.UNDO))
    assert first == UndoPreview(6, (Cell("e3"), Cell("e5"), Cell("e7")))
    shown = replace(TABLE, dialog=first)
    assert press(shown, Press(Button.OK)) == UndoTo(6)
    further = press(shown, Press(Button.RIGHT))
    assert isinstance(further, UndoPreview)
    assert further.ply == 5
    assert press(shown, Press(Button.LEFT)) == first, "there is no move after the last"
    assert press(shown, Press(Button.UNDO)) == Playing()


def test_where_nothing_was_played_there_is_nothing_to_undo() -> None:
    assert press(snapshot(), Press(Button.UNDO)) == Playing()
    assert preview_undo(snapshot(), 1) is None


def test_a_list_is_walked_round_and_answered() -> None:
    shown = replace(TABLE, dialog=LISTING)
    assert press(shown, Press(Button.OK)) == AnswerOption(0)
    assert press(shown, Press(Button.LEFT)) == replace(LISTING, at=1)
    assert press(shown, Press(Button.RIGHT)) == replace(LISTING, at=1)
    assert press(shown, Press(Button.UNDO)) == Playing()


def test_why_has_a_page_for_each_reason_and_ends() -> None:
    due = snapshot(OPENING)
    why = press(due, Press(Button.RIGHT))
    assert isinstance(why, Why)
    assert why.pages[0].cells[0] == "d5"
    last = replace(due, dialog=replace(why, at=len(why.pages) - 1))
    assert press(last, Press(Button.OK)) == Playing()
    assert press(last, Press(Button.RIGHT)) == last.dialog, "after the last page comes none"


def test_the_end_is_counted_thing_by_thing() -> None:
    over = snapshot_of(finished())
    count = press(over, Press(Button.OK))
    assert count == FinalCount(0)
    shown = replace(over, dialog=count)
    assert press(shown, Press(Button.RIGHT)) == FinalCount(1)
    assert press(shown, Press(Button.LEFT)) == FinalCount(0)
    for _ in range(20):
        following = press(shown, Press(Button.OK))
        assert isinstance(following, FinalCount | Playing)
        shown = replace(over, dialog=following)
        if following == Playing():
            break
    assert shown.dialog == Playing()


@pytest.mark.parametrize(
    ("option", "leads_to"),
    [
        (Entry(MenuItem.RESUME), Playing()),
        (Entry(MenuItem.CORRECT), OpenCorrection()),
        (Entry(MenuItem.NEW_GAME), LISTING),
        (Entry(MenuItem.PAIRING), Pairing()),
        (Entry(MenuItem.ABOUT), About()),
        (Choice("language", "fr"), Choose("language", "fr")),
        (Holds(Cell("c3"), Piece("park")), Correct(Cell("c3"), Piece("park"))),
        (Happened((Undone(3),)), Tell((Undone(3),))),
        (Answer.YES, NewGame()),
        (Answer.NO, Playing()),
        (Answer.PUT_BACK, Playing()),
    ],
)
def test_options(option: Option, leads_to: Dialog | Command) -> None:
    assert choose(TABLE, LISTING, option) == leads_to


def test_every_entry_of_the_menu_leads_somewhere_and_marks_what_is_chosen() -> None:
    for entry in menu(TABLE).options:
        following = choose(TABLE, menu(TABLE), entry)
        if isinstance(following, Listing) and isinstance(following.option, Choice):
            chosen = {"language": TABLE.language, "sound": TABLE.sound, **TABLE.game.settings}
            assert following.option.value == chosen[following.option.setting]


def test_another_cell_lists_the_newest_piece_first() -> None:
    where = choose(TABLE, LISTING, Answer.OTHER_CELL)
    assert isinstance(where, Listing)
    assert where.topic is Topic.WHERE
    assert {option.cell for option in where.options if isinstance(option, Holds)} == set(
        TABLE.verdict.table
    )
    assert isinstance(where.option, Holds)
    assert where.option.cell == "e7"
    assert choose(TABLE, where, where.option) == OpenCorrection(Cell("e7"))


def test_every_press_in_every_dialog_gives_a_dialog_or_a_command() -> None:
    dialogs: list[Dialog] = [Playing(), LISTING, menu(TABLE), Why(explain(TABLE)), Pairing()]
    dialogs += [UndoPreview(1, ()), About(), FinalCount(3)]
    for dialog in dialogs:
        for button in Button:
            for held in (False, True):
                shown = replace(TABLE, dialog=dialog)
                meaning = press(shown, Press(button, held))
                assert isinstance(meaning, (*get_args(Dialog), *get_args(Command)))
