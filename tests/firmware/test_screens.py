"""Which screen comes first, and what is on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware.dialog import FinalCount, Listing, Pairing, Topic, UndoPreview, Why
from firmware.miniboard import MiniBoard
from firmware.screens import LINGER, Choices, Code, Gained, Score, Screen, Text, screen_for
from firmware.snapshot import Failure, Hidden, Part, Seeing, Snapshot
from rules.board import Cell
from rules.voice import Brief, Language
from tests.firmware.snapshots import (
    GALLERY,
    MIDDLE,
    OPENING,
    PARK,
    cells,
    finished,
    fresh,
    problem,
    snapshot,
    snapshot_of,
)
from vision.refusal import NO_BOARD

EN = Language.EN


def text(screen: Screen) -> Text:
    assert isinstance(screen.body, Text)
    return screen.body


def board(screen: Screen) -> MiniBoard:
    assert isinstance(screen.beside, MiniBoard)
    return screen.beside


def body_of(made: Snapshot, **changes: Any) -> type[object]:
    return type(screen_for(replace(made, **changes), 0).body)


def test_what_comes_first() -> None:
    """Each of these hides all that come after it."""
    over = snapshot_of(finished())
    made = replace(over, fresh=fresh(over))
    made = replace(made, verdict=replace(made.verdict, dues=snapshot(OPENING).verdict.dues))
    made = replace(made, seeing=Seeing.STARTING, unreadable=NO_BOARD)
    made = replace(made, alarm=Hidden(cells("h8")), dialog=Pairing())
    seen = []
    for change in (
        {},
        {"dialog": snapshot().dialog},
        {"alarm": None},
        {"seeing": Seeing.WATCHING, "unreadable": None},
        {"verdict": replace(made.verdict, dues=())},
        {"fresh": None},
        {"verdict": snapshot(MIDDLE).verdict},
    ):
        made = replace(made, **change)
        body = screen_for(made, 0).body
        seen.append((type(body), getattr(body, "title", None) or getattr(body, "line", None)))
    assert seen == [
        (Code, "Your phone"),
        (Text, "Hidden"),
        (Text, "No board"),
        (Text, "PARK"),
        (Gained, seen[4][1]),
        (Score, "Yellow wins!"),
        (Score, "White’s turn"),
    ]


def test_several_dues_come_one_after_the_other_and_all_blink() -> None:
    made = snapshot(f"{OPENING} +d5 e4ne d4nw")
    first, second, again = (screen_for(made, phase) for phase in (0, LINGER, 2 * LINGER))
    assert [text(screen).cell for screen in (first, second, again)] == ["b4", "f4", "b4"]
    assert [screen.corner for screen in (first, second)] == ["1/2", "2/2"]
    assert set(board(first).blinking) == set(board(second).blinking) == {"b4", "f4"}
    assert board(first).blinking[Cell("b4")] == PARK
    assert board(first).marked == {"c4", "d4", "e4"}


def test_where_not_all_can_be_put_up_the_players_are_told_to_choose() -> None:
    made = snapshot(OPENING)
    made = replace(made, verdict=replace(made.verdict, choose=1))
    assert text(screen_for(made, 0)).lines[0] == "only 1 left: choose"


def test_a_forgotten_thing_is_loud_and_the_others_forgotten_follow() -> None:
    made = snapshot("c4ne e6n d4n d5n h1n")
    dues = made.verdict.dues
    made = replace(made, alarm=dues[1])
    screens = [screen_for(made, LINGER * turn) for turn in range(len(dues))]
    assert all(text(screen).is_loud for screen in screens)
    assert text(screens[0]).cell == dues[1].cell
    assert {text(screen).cell for screen in screens} == {due.cell for due in dues}
    assert "forgotten" in text(screens[0]).lines[0]


def test_a_wrong_piece_blinks_to_be_taken_off_a_missing_one_to_be_put_back() -> None:
    wrong = snapshot("c4ne white:e5n")
    assert board(screen_for(replace(wrong, alarm=problem(wrong)), 0)).blinking == {"e5": None}
    gone = snapshot(f"{OPENING} +d5 -c4")
    blinking = board(screen_for(replace(gone, alarm=problem(gone)), 0)).blinking
    assert blinking == {"c4": gone.verdict.position[Cell("c4")]}


def test_gains_sum_up_and_then_name_each_house() -> None:
    made = snapshot(f"{OPENING} +d5")
    made = replace(made, fresh=fresh(made))
    bodies = [screen_for(made, LINGER * turn).body for turn in range(2)]
    lines = []
    for body in bodies:
        assert isinstance(body, Gained)
        assert body.totals == (2, 1)
        lines.append(body.line)
    assert lines == ["yellow +1 by e6n", "white +2 by c4ne"]
    assert board(screen_for(made, LINGER)).marked == {"c4"}


def test_the_final_count_goes_tower_by_tower_and_ends_with_the_result() -> None:
    made = snapshot_of(finished())
    towers = sum(piece.kind == "tower" for piece in made.verdict.position.values())
    bodies = [screen_for(replace(made, dialog=FinalCount(at)), 0).body for at in range(towers + 2)]
    assert [type(body) for body in bodies] == [*[Text] * towers, Score, Score]
    assert isinstance(bodies[-1], Score)
    assert bodies[-1].line == "Yellow wins!"
    assert bodies[-1].lit == {1}


def test_a_count_of_a_game_that_was_undone_meanwhile_shows_the_score() -> None:
    assert body_of(snapshot(MIDDLE), dialog=FinalCount(2)) is Score


def test_set_up_says_what_is_in_the_way() -> None:
    made = snapshot(seeing=Seeing.STARTING)
    assert screen_for(made, 0).beside == "looking"
    assert screen_for(replace(made, unreadable=NO_BOARD), 0).beside == "no-board"
    failures = (Failure(Part.CAMERA, "missing"),)
    blocked = screen_for(replace(made, unreadable=NO_BOARD, failures=failures), 0)
    assert (blocked.beside, text(blocked).title) == ("camera", "No camera")


def test_a_resumed_game_is_greeted_while_looking_and_when_found() -> None:
    looking = screen_for(snapshot(MIDDLE, resumed=True, seeing=Seeing.STARTING), 0)
    assert text(looking).lines[-1] == "Your game, move 6: go on"
    found = screen_for(snapshot(MIDDLE, resumed=True), 0).body
    assert isinstance(found, Score)
    assert found.line == "Your game, move 6: go on"


@pytest.mark.parametrize("name", GALLERY)
def test_a_store_that_fails_is_to_be_seen_on_every_screen(name: str) -> None:
    made = GALLERY[name](EN)
    failing = replace(made, failures=(*made.failures, Failure(Part.STORE, "full")))
    screen = screen_for(failing, 0)
    assert "small-card" in screen.badges or screen.beside == "card"
    spared = [f for f in made.failures if f.part is not Part.STORE]
    fine = screen_for(replace(made, failures=tuple(spared)), 0)
    assert "small-card" not in fine.badges


def test_how_seeing_goes_is_shown_beside_the_score() -> None:
    made = snapshot(MIDDLE)
    assert screen_for(made, 0).badges == ()
    assert screen_for(replace(made, seeing=Seeing.BUSY), 0).badges == ("small-hand",)
    assert screen_for(replace(made, seeing=Seeing.BLIND), 0).badges == ("small-blind",)
    assert screen_for(replace(made, unsure=frozenset(cells("c3"))), 0).badges == ("small-unsure",)


def test_why_goes_by_pages_and_tells_when_there_is_nothing() -> None:
    pages = (Brief("d5", ("white +2",), cells("d5 c4")), Brief("", ("! Move 3 is taken back.",)))
    made = snapshot(MIDDLE, dialog=Why(pages, 0))
    first = screen_for(made, 0)
    assert (text(first).cell, first.corner) == ("d5", "1/2")
    assert board(first).marked == {"d5", "c4"}
    second = screen_for(replace(made, dialog=Why(pages, 1)), 0)
    assert (text(second).title, text(second).lines) == ("Why?", ("Move 3 is taken back.",))
    assert second.beside is None
    assert "Nothing" in text(screen_for(replace(made, dialog=Why(())), 0)).lines[0]


def test_an_undo_shows_what_would_go() -> None:
    made = snapshot(f"{OPENING} +d5", dialog=UndoPreview(3, cells("b3 d5")))
    screen = screen_for(made, 0)
    assert text(screen).title == "Undo 3"
    assert text(screen).lines == ("OK, then clear: white b3n and park d5",)
    assert set(board(screen).blinking) == {"b3", "d5"}


def test_a_list_about_a_cell_shows_where_it_is() -> None:
    screen = screen_for(GALLERY["unsure"](EN), 0)
    assert isinstance(screen.body, Choices)
    assert screen.body.rows == ("white ne", "white e", "yellow ne", "park", "empty")
    assert board(screen).blinking == {"c3": None}


def test_a_list_without_options_is_no_error() -> None:
    assert body_of(snapshot(), dialog=Listing(Topic.SETTING, ())) is Choices


@pytest.mark.parametrize("name", GALLERY)
def test_the_same_snapshot_and_phase_is_the_same_screen(name: str) -> None:
    for phase in (0, 1, LINGER):
        assert screen_for(GALLERY[name](EN), phase) == screen_for(GALLERY[name](EN), phase)
