"""What settings lead to: the table of the rule sheet, other boards, and the box on the table."""

from __future__ import annotations

import pytest

from rules.errors import BadSetting, BadWord
from rules.game import Game
from rules.pack import Setting, choose_settings
from rules.packs.subdivision import PACK
from rules.packs.subdivision.terms import Terms, agree, customary_parks
from rules.wire import parse_settings


def terms_of(**chosen: str) -> Terms:
    return agree(choose_settings(PACK.settings, chosen))


@pytest.mark.parametrize(
    ("count", "variant", "size", "parks", "each"),
    [
        (2, "", 6, 6, 5),
        (3, "", 7, 4, 5),
        (4, "", 8, 4, 5),
        (2, "nine-pyramids", 5, 7, 3),
        (3, "nine-pyramids", 6, 9, 3),
        (4, "nine-pyramids", 6, 0, 3),
    ],
)
def test_the_table_of_the_sheet(count: int, variant: str, size: int, parks: int, each: int) -> None:
    players = PACK.box.players[:count]
    terms = terms_of(players=" ".join(players), variant=variant)
    assert (terms.players, terms.size, terms.parks, terms.each) == (players, size, parks, each)
    # The board alone tells which set is played.
    assert terms_of(players=" ".join(players), size=str(size)).each == each


def test_parks_fill_up_any_other_board() -> None:
    assert terms_of(size="7").parks == 49 - 30
    assert terms_of(size="6", variant="nine-pyramids").parks == 36 - 18


def test_a_board_that_is_too_small_is_a_mistake() -> None:
    with pytest.raises(BadSetting, match="size cannot be 5 with 3 players; expected 6 or more"):
        Game(PACK, {"players": "red blue green", "size": "5"})


def test_the_box_on_the_table_holds_what_is_played_with() -> None:
    box = Game(PACK, {"players": "black clear", "variant": "nine-pyramids"}).box
    assert box.players == ("black", "clear")
    assert (box.board.files, box.board.ranks) == (5, 5)
    assert {kind: facts.count for kind, facts in box.pieces.items()} == {
        "large": 3,
        "medium": 3,
        "small": 3,
        "blocked": 7,
    }
    assert set(box.pieces["small"].shade) == {"black", "clear"}
    assert len(PACK.box.players) == 6


def test_the_box_has_the_sizes_of_the_sheet() -> None:
    sizes = {kind: (f.base_mm[0], f.height_mm) for kind, f in PACK.box.pieces.items() if f.colours}
    assert sizes == {"small": (14.3, 25.4), "medium": (19.8, 34.9), "large": (25.4, 44.5)}
    assert {f.shape for f in PACK.box.pieces.values()} == {"pyramid", "marker"}


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_the_customary_parks_are_all_cells_corners_first(size: int) -> None:
    cells = customary_parks(size)
    assert len(set(cells)) == len(cells) == size * size
    assert all(cell.file in (0, size - 1) and cell.rank in (0, size - 1) for cell in cells[:4])


@pytest.mark.parametrize(
    "wrong", ["red", "red red", "red pink", "red  blue", "red,blue", "", " red blue", "a b c d e"]
)
def test_players_are_two_to_four_different_colours(wrong: str) -> None:
    with pytest.raises(BadSetting, match=r"players cannot be .* expected 2 to 4 of red, blue"):
        Game(PACK, {"players": wrong})


def test_a_setting_of_several_has_as_few_as_may_be() -> None:
    assert [setting.default for setting in PACK.settings] == ["red blue", "usual", ""]
    none = Setting("extras", ("a", "b"), "more", least=0, most=2)
    assert [none.accepts(value) for value in ("", "a", "b a", "a a", "c")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_first_line_holds_settings() -> None:
    line = '{"players": ["blue", "red"], "size": 6, "variant": ["private_parks"]}'
    assert parse_settings(PACK, line) == {
        "players": "blue red",
        "size": "6",
        "variant": "private-parks",
    }
    assert parse_settings(PACK, '{"players": ["blue", "red"], "variant": []}') == {
        "players": "blue red",
        "variant": "",
    }
    assert parse_settings(PACK, '{"block": "a1"}') is None
    for bad in ("null", "true", "[[]]", '{"a": 1}', "1.5"):
        with pytest.raises(BadWord, match="is no value for size"):
            parse_settings(PACK, f'{{"size": {bad}}}')
