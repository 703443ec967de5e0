"""Every figure of the rule sheet and every point on which it is silent, as position files."""

from pathlib import Path

import pytest

from rules.board import Cell
from rules.packs.masterplan import PACK
from rules.packs.masterplan.words import BLOCK, LINE, PARK, PERFECT
from rules.verdict import Due, Reason
from rules.voice import Language
from tests.rules.masterplan.script import play_script, position_files


@pytest.mark.parametrize("path", position_files(), ids=lambda path: path.stem)
def test_position_file(path: Path) -> None:
    assert play_script(path.read_text(encoding="utf-8")).log


def test_a_script_that_expects_something_else_fails() -> None:
    with pytest.raises(AssertionError, match="line 2: b3n"):
        play_script("wrong on purpose\nb3n -> house parks d5")
    with pytest.raises(AssertionError, match="line 2: c4n is occupied"):
        play_script("wrong on purpose\nc4ne c4n")


def test_a_due_carries_its_reasons() -> None:
    game = play_script("figure 2A\nc4ne e6n b3n")
    line = Reason(LINE, (Cell("b3"), Cell("c4"), Cell("e6")))
    assert game.verdict.dues == (Due(PARK, Cell("d5"), (line,)),)


def test_a_cell_asked_for_twice_names_both_reasons() -> None:
    game = play_script("line and block\nb1n c1n d2n e2n d1n")
    both = next(due for due in game.verdict.dues if due.cell == "e1")
    assert [reason.rule for reason in both.reasons] == [LINE, BLOCK]
    assert both.reasons[0].cells == ("b1", "c1", "d1")
    assert both.reasons[1].cells == ("d1", "d2", "e2")


def test_each_point_carries_its_account() -> None:
    game = play_script("figure 2A\nc4ne e6n b3n +d5")
    points = {(gain.cell, gain.points, gain.why) for gain in game.verdict.gains}
    assert points == {("c4", 2, PERFECT), ("e6", 1, "beside")}
    assert game.verdict.account == game.verdict.gains


def test_why_is_answered_from_the_verdict_alone() -> None:
    verdict = play_script("figure 2A\nc4ne e6n b3n").verdict
    voice = PACK.voice(Language.EN)
    lines = [line for said in verdict.said for line in voice.describe(said, verdict)]
    assert lines == [
        "3. white b3n",
        "    park due on d5: b3, c4 and e6 would be four in a row",
    ]


def test_strict_mode_shows_no_due_before_it_is_forgotten() -> None:
    silent = play_script("strict\nset mode=strict\nc4ne e6n b3n")
    assert silent.verdict.dues == ()
    proven = play_script("strict\nset mode=strict\nc4ne e6n b3n h8n")
    assert [(due.cell, due.forgotten) for due in proven.verdict.dues] == [("d5", True)]
