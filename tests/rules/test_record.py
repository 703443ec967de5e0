"""Games in writing: round trips to the letter, and mistakes with line, column and expectation."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.errors import BadRecord
from rules.packs import masterplan
from rules.packs.masterplan import PACK
from rules.record import Record, Word, format_record, parse_record, play_record, write_record
from tests.rules.masterplan.script import play_script, position_files
from tests.rules.test_game import random_game

FIGURES = resources.files(masterplan).joinpath("games", "figures.txt").read_text(encoding="utf-8")


def test_the_figure_game_round_trips_to_the_letter() -> None:
    record = parse_record(FIGURES)
    assert format_record(record) == FIGURES
    game = play_record(PACK, record)
    assert game.verdict.score == {"white": 6, "yellow": 5}
    assert write_record(game, record.headers) == record


@pytest.mark.parametrize("seed", range(20))
def test_random_games_round_trip(seed: int) -> None:
    game = random_game(seed)
    record = write_record(game, {"White": 'A "quoted" \\ name', "Date": "2026-11-18"})
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    again = play_record(PACK, parse_record(text))
    assert again.verdict.position == game.verdict.position
    assert again.verdict.score == game.verdict.score
    assert again.verdict.dues == game.verdict.dues


@pytest.mark.parametrize("path", position_files(), ids=lambda path: path.stem)
def test_position_files_round_trip(path: Path) -> None:
    game = play_script(path.read_text(encoding="utf-8"))
    again = play_record(PACK, parse_record(format_record(write_record(game))))
    assert again.verdict.position == game.verdict.position
    assert again.verdict.score == game.verdict.score


def test_people_may_space_and_break_lines_as_they_like() -> None:
    loose = "1.c4ne"
    with pytest.raises(BadRecord, match="line 1, column 1"):
        play_record(PACK, parse_record(loose))
    spread = "1. c4ne\r\n\r\n   2.   e6n\n3. b3n\n+d5 {well\n  seen} (2-1)"
    game = play_record(PACK, parse_record(spread))
    assert game.verdict.score == {"white": 2, "yellow": 1}


@pytest.mark.parametrize(
    ("text", "line", "column", "got", "expected"),
    [
        ("1. z9n", 1, 4, "'z9n'", "a1 to h8"),
        ("1. c4x", 1, 4, "'c4x'", "n ne e se s sw w nw"),
        ("1. c4", 1, 4, "'c4'", "an anchor"),
        ("1. c4ne  3. e6n", 1, 10, "'3.'", "2."),
        ("1. c4ne e6n", 1, 9, "'e6n'", "2. before it"),
        ("1. +d5", 1, 4, "'+d5'", "not-due"),
        ("1. c4ne\n2. c4n", 2, 4, "'c4n'", "occupied"),
        ("1. c4ne  2.", 1, 10, "'2.'", "a move behind"),
        ("1. 1. c4ne", 1, 4, "'1.'", "a move"),
        ("1. c4ne (3-0)", 1, 9, "'(3-0)'", "(0-0)"),
        ("1. c4ne (x)", 1, 9, "'(x)'", "a score such as"),
        ("1. c4ne {open", 1, 9, "'{'", "closed again"),
        ("1. c4ne )", 1, 9, "')'", "closed again"),
        ("[White Anna]", 1, 1, "'[White Anna]'", 'a header such as [White "Anna"]'),
        ('[White "A"]\n[White "B"]', 2, 2, "White a second time", "each header once"),
        ('[Result "3-0"]\n\n1. c4ne', 1, 1, "the result '3-0'", "'*'"),
        ('[Game "Chess"]', 1, 1, "the game 'Chess'", "Masterplan"),
        ('[mode "lazy"]\n1. c4ne', 1, 1, "a setting", "assist or strict"),
    ],
)
def test_mistakes_say_where_and_what_was_expected(
    text: str, line: int, column: int, got: str, expected: str
) -> None:
    with pytest.raises(BadRecord) as caught:
        play_record(PACK, parse_record(text))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert got in caught.value.got
    assert expected in caught.value.expected


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    mistake: BadRecord | None = None
    try:
        play_record(PACK, parse_record(text))
    except BadRecord as error:
        mistake = error
    assert mistake is None or min(mistake.line, mistake.column) >= 1


headers = st.dictionaries(
    st.from_regex(r"[A-Za-z_]{1,8}", fullmatch=True),
    st.text(st.characters(codec="utf-8"), max_size=12),
    max_size=4,
)
words = st.sampled_from(["1.", "c4ne", "+d5", "^d6", "(2-1)", "{well seen}", "end", "28."])


@settings(deadline=None)
@given(headers, st.lists(words, max_size=60))
def test_records_round_trip_whatever_they_say(head: dict[str, str], said: list[str]) -> None:
    record = Record(head, tuple(Word(word) for word in said))
    assert parse_record(format_record(record)) == record
