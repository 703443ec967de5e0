"""What the page may say of games and settings; and what nobody should be able to break."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.commands import BadRequest, Choose, Correct, NewGame, NotNow, Pass, parse_command
from rules.board import Cell, Piece
from tests.firmware.pyramids import FOUR, pyramids
from tests.firmware.snapshots import snapshot

PYRAMIDS = pyramids()
HOUSES = snapshot()


def said(shown: Any = PYRAMIDS, **fields: object) -> object:
    return parse_command(fields, shown, None)


def test_a_new_game_may_be_another_one_with_settings_of_its_own() -> None:
    settings = {"players": "red blue green", "size": "usual", "variant": "private-parks"}
    assert said(HOUSES, say="new-game", game="subdivision", settings=settings) == NewGame(
        settings, "subdivision"
    )
    assert said(say="new-game") == NewGame()
    assert said(say="new-game", settings={"variant": ""}) == NewGame({"variant": ""})
    assert said(say="new-game", game="masterplan", settings={"mode": "strict"}) == NewGame(
        {"mode": "strict"}, "masterplan"
    )


def test_one_setting_is_chosen_whether_it_has_one_value_or_several() -> None:
    assert said(say="choose", setting="players", value="blue red") == Choose("players", "blue red")
    assert said(say="choose", setting="size", value="7") == Choose("size", "7")
    assert said(say="choose", setting="variant", value="") == Choose("variant", "")
    assert said(say="choose", setting="language", value="fr") == Choose("language", "fr")


def test_a_pass_is_said_with_nothing_else() -> None:
    assert said(say="pass") == Pass()
    with pytest.raises(BadRequest, match="keys: got 'colour'"):
        said(say="pass", colour="red")


def test_cells_and_pieces_are_those_of_the_table_and_not_of_the_whole_box() -> None:
    large = {"kind": "large", "colour": "blue"}
    assert said(say="correct", cell="f6", piece=large) == Correct(
        Cell("f6"), Piece("large", "blue")
    )
    with pytest.raises(BadRequest, match="cell: got 'g7', expected a cell, a1 to f6"):
        said(say="correct", cell="g7", piece=large)
    with pytest.raises(BadRequest, match="expected red or blue"):
        said(say="correct", cell="c3", piece={"kind": "large", "colour": "green"})
    eight = pyramids("", players=FOUR)
    assert said(eight, say="correct", cell="h8", piece=None) == Correct(Cell("h8"), None)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"say": "new-game", "game": "go"}, "game: got 'go', expected masterplan or subdivision"),
        ({"say": "new-game", "game": None}, "game: got None"),
        ({"say": "new-game", "game": ["subdivision"]}, "game: got"),
        ({"say": "new-game", "settings": []}, "settings: got"),
        ({"say": "new-game", "settings": {"mode": "strict"}}, "settings.keys: got 'mode'"),
        ({"say": "new-game", "settings": {"players": "red"}}, "2 to 4 of red"),
        ({"say": "new-game", "settings": {"players": "red red"}}, "2 to 4 of red"),
        ({"say": "new-game", "settings": {"players": "red  blue"}}, "2 to 4 of red"),
        ({"say": "new-game", "settings": {"players": " red blue"}}, "2 to 4 of red"),
        ({"say": "new-game", "settings": {"players": "red blue mauve"}}, "2 to 4 of red"),
        ({"say": "new-game", "settings": {"players": ["red", "blue"]}}, "2 to 4 of red"),
        ({"say": "new-game", "settings": {"size": 5}}, "usual or 5 or 6"),
        ({"say": "new-game", "settings": {"size": "5\n"}}, "usual or 5 or 6"),
        (
            {"say": "new-game", "settings": {"players": FOUR, "size": "5"}},
            "go together: size cannot be 5 with 4 players",
        ),
        ({"say": "choose", "setting": "players", "value": ""}, "2 to 4 of red"),
        ({"say": "choose", "setting": "variant", "value": "usual"}, "0 to 3 of lay-parks"),
        ({"say": "choose", "setting": "both_due", "value": "park"}, "setting: got"),
        ({"say": "choose", "setting": "__class__", "value": "x"}, "setting: got"),
        ({"say": "passed"}, "say: got 'passed'"),
    ],
)
def test_what_makes_no_sense_is_told(fields: dict[str, object], why: str) -> None:
    with pytest.raises(BadRequest) as told:
        parse_command(fields, PYRAMIDS, None)
    assert why in str(told.value)


def test_settings_are_held_against_what_holds_for_the_next_game() -> None:
    four = pyramids("", players=FOUR)
    with pytest.raises(BadRequest, match="size cannot be 5"):
        said(four, say="choose", setting="size", value="5")
    fewer = replace(four, game=replace(four.game, chosen={"players": "red blue"}))
    assert said(fewer, say="choose", setting="size", value="5") == Choose("size", "5")
    liked = replace(HOUSES, preferred={"subdivision": {"size": "5"}})
    with pytest.raises(BadRequest, match="size cannot be 5"):
        said(liked, say="new-game", game="subdivision", settings={"players": FOUR})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
SAYS = st.sampled_from(["new-game", "choose", "pass", "correct", "answer", "undo", "end-turn"])
KEYS = st.sampled_from(["game", "settings", "setting", "value", "cell", "piece", "ply", "index"])


@given(say=SAYS, fields=st.dictionaries(KEYS, ANYTHING, max_size=4))
def test_nothing_a_page_says_breaks_anything(say: str, fields: dict[str, object]) -> None:
    for shown in (PYRAMIDS, HOUSES):
        with suppress(BadRequest, NotNow):
            parse_command({**fields, "say": say}, shown, None)
