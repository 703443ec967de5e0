"""The sums of the rule sheet and every point on which it is silent, as position files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.board import Cell
from rules.packs.subdivision import PACK
from rules.packs.subdivision.words import CROWDED, GROUP, PARK, PLACED
from rules.record import format_record, parse_record, play_record, write_record
from rules.verdict import Task
from tests.rules.subdivision.script import play_script, position_files


@pytest.mark.parametrize("path", position_files(), ids=lambda path: path.stem)
def test_position_file(path: Path) -> None:
    assert play_script(path.read_text(encoding="utf-8")).log


@pytest.mark.parametrize("path", position_files(), ids=lambda path: path.stem)
def test_position_files_round_trip_in_writing(path: Path) -> None:
    game = play_script(path.read_text(encoding="utf-8"))
    text = format_record(write_record(game, {"Red": "Anna"}))
    assert format_record(parse_record(text)) == text
    again = play_record(PACK, parse_record(text))
    assert again.verdict.position == game.verdict.position
    assert again.verdict.score == game.verdict.score
    assert again.settings == game.settings


def test_a_script_that_expects_something_else_fails() -> None:
    with pytest.raises(AssertionError, match="line 2: Lc3"):
        play_script("wrong on purpose\nLc3 -> placed 3-0")
    with pytest.raises(AssertionError, match="line 2: Lc4 is large-near-own-large"):
        play_script("wrong on purpose\nLc3 Ma1 Lc4")
    with pytest.raises(AssertionError, match="stands"):
        play_script("wrong on purpose\nLc3\n   a   b\n2  .   .\n1  .   .")


def test_parks_taken_up_again_are_not_in_the_record() -> None:
    game = play_script("parks\n+a1 +b1\n-a1\n+c1\n-b1\n+b1\nMd4")
    assert [word.text for word in write_record(game).words][:4] == ["+c1", "+b1", "1.", "Md4"]


def cells(names: str) -> tuple[Cell, ...]:
    return tuple(map(Cell, names.split()))


def test_parks_to_lay_are_a_task_with_the_customary_cells() -> None:
    game = play_script("parks\n+a1 +b3")
    assert game.verdict.task == Task("parks-to-lay", PARK, 4, cells("a6 f1 f6 c3"))
    assert play_script("parks\n+a1 +b3\nLc3").verdict.task is None
    game = play_script("parks\nset variant=lay-parks\n+a1")
    assert game.verdict.task == Task("lay-a-park", PARK, 5, cells("a6 f1 f6 c3 d4"))


def test_who_must_pass_is_told_as_long_as_it_is_so() -> None:
    text = position_files()[0].with_name("must-pass.txt").read_text(encoding="utf-8")
    game = play_script(text.partition("pass      ->")[0])
    assert (game.verdict.turn, game.verdict.task) == ("red", Task("must-pass"))
    assert PACK.legal_moves(game.state) == []


def test_each_point_carries_its_account() -> None:
    game = play_script("crowded\nLc3 Sb2 Ma1 Sd4")
    gains = [(gain.cell, gain.points, gain.why) for gain in game.verdict.gains]
    assert gains == [("d4", 1, PLACED), ("d4", -1, GROUP), ("c3", -1, CROWDED)]
    crowded = [gain for gain in game.verdict.account if gain.why == CROWDED]
    assert [(gain.cell, gain.points, gain.others) for gain in crowded] == [("c3", -1, ("b2", "d4"))]


def test_a_pyramid_that_joins_groups_saves_their_cost() -> None:
    game = play_script("joining\nMc3 Ma6 Me3 Ma5 Md4 Ma4 Md3")
    assert [(gain.points, gain.why) for gain in game.verdict.gains] == [(2, PLACED), (2, "joined")]
    assert game.verdict.score == {"red": 7, "blue": 5}
