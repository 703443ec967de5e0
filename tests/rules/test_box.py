"""The facts of a box: what is read, and that every mistake in them is told at once."""

from __future__ import annotations

from importlib import import_module, resources

import pytest

from rules.box import parse_box
from rules.errors import BadPack
from rules.packs import PACKS, load_pack

SMALL = """
game = "small"
title = "Small"
players = ["red", "blue"]

[board]
files = 4
ranks = 3
cell_mm = 30
rim_mm = 5.5
thickness_mm = 4.0
track_spaces = 0

[pieces.stone]
count = 3
colours = ["red", "blue"]
shape = "column"
anchored = true
base_mm = [20.0, 18.0]
height_mm = 6.0
shade = { red = "#b03030", blue = "#3040a0" }

[pieces.block]
count = 2
colours = []
shape = "block"
anchored = false
base_mm = [10.0, 10.0]
height_mm = 10.0
shade = { block = "#808080" }
"""

SIZE = "expected a size in mm above 0"
WHOLE = "expected a whole number from 1 to 8"
NO_KEY = "not a key of this table"
SHADE = "expected #rrggbb or #rrggbbaa"


def mistakes_of(text: str) -> list[str]:
    """What is wrong with this file, a line each and sorted."""
    with pytest.raises(BadPack) as caught:
        parse_box(text, "box")
    lines = str(caught.value).splitlines()
    return sorted(line.removeprefix("box: ") for line in lines)


def changed(old: str, new: str) -> str:
    assert SMALL.count(old) == 1, f"{old!r} is not there exactly once"
    return SMALL.replace(old, new)


def test_only_what_is_there_can_be_changed() -> None:
    with pytest.raises(AssertionError, match="not there exactly once"):
        changed("no such key", "")


def test_a_file_without_mistakes_has_none_to_tell() -> None:
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        mistakes_of(SMALL)


@pytest.mark.parametrize("module", PACKS.values())
def test_the_box_of_every_pack_is_valid(module: str) -> None:
    text = resources.files(import_module(module)).joinpath("pack.toml").read_text("utf-8")
    box = parse_box(text)
    assert box == import_module(module).PACK.box
    assert set(box.kinds) == set(box.pieces)


def test_the_box_of_masterplan_is_what_the_rule_sheet_counts() -> None:
    box = import_module(PACKS["masterplan"]).PACK.box
    assert (box.game, box.title, box.players) == ("masterplan", "Masterplan", ("white", "yellow"))
    assert (box.board.files, box.board.ranks) == (8, 8)
    counts = {kind: facts.count for kind, facts in box.pieces.items()}
    assert counts == {"house": 14, "park": 21, "tower": 6}
    assert box.kinds == {"house": ("white", "yellow"), "park": (), "tower": ()}
    assert box.anchored == "house"


def test_some_kinds_differ_in_nothing_but_their_size() -> None:
    assert load_pack("subdivision").box.sized == {"large", "medium", "small"}
    assert load_pack("masterplan").box.sized == frozenset()


def test_every_fact_is_read() -> None:
    box = parse_box(SMALL)
    assert (box.game, box.title, box.players) == ("small", "Small", ("red", "blue"))
    board, stone, block = box.board, box.pieces["stone"], box.pieces["block"]
    assert (board.files, board.ranks, board.track_spaces) == (4, 3, 0)
    assert (board.cell_mm, board.rim_mm, board.thickness_mm) == (30.0, 5.5, 4.0)
    assert isinstance(board.cell_mm, float)
    assert (stone.kind, stone.count, stone.colours, stone.anchored) == (
        "stone",
        3,
        ("red", "blue"),
        True,
    )
    assert (stone.base_mm, stone.height_mm) == ((20.0, 18.0), 6.0)
    assert stone.shade == {"red": "#b03030", "blue": "#3040a0"}
    assert (stone.shape, block.shape) == ("column", "block")
    assert (block.colours, block.anchored, block.shade) == ((), False, {"block": "#808080"})
    assert box.anchored == "stone"


def test_no_kind_need_be_anchored() -> None:
    assert parse_box(changed("anchored = true", "anchored = false")).anchored is None


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ('title = "Small"', "", "title: got nothing, expected a text"),
        ('title = "Small"', 'title = ""', "title: got '', expected a text"),
        ("files = 4", "", f"board.files: got nothing, {WHOLE}"),
        ("files = 4", "files = 9", f"board.files: got 9, {WHOLE}"),
        ("files = 4", "files = 0", f"board.files: got 0, {WHOLE}"),
        ("ranks = 3", "ranks = true", f"board.ranks: got True, {WHOLE}"),
        ("ranks = 3", "ranks = 3.0", f"board.ranks: got 3.0, {WHOLE}"),
        ("cell_mm = 30", "cell_mm = 0", f"board.cell_mm: got 0, {SIZE}"),
        ("cell_mm = 30", "cell_mm = nan", f"board.cell_mm: got nan, {SIZE}"),
        ("cell_mm = 30", "cell_mm = inf", f"board.cell_mm: got inf, {SIZE}"),
        ("cell_mm = 30", "cell_mm = true", f"board.cell_mm: got True, {SIZE}"),
        (
            "[20.0, 18.0]",
            "[20.0]",
            "pieces.stone.base_mm: got [20.0], expected 2 sizes in mm above 0",
        ),
        (
            'shape = "block"',
            'shape = "round"',
            "pieces.block.shape: got 'round', "
            "expected gabled or slab or column or pyramid or block or marker",
        ),
        ("anchored = true", "anchored = 1", "pieces.stone.anchored: got 1, expected true or false"),
        ("count = 3", "count = 3\ncuont = 3", f"pieces.stone.cuont: {NO_KEY}"),
        ("ranks = 3", "ranks = 3\nrank = 3", f"board.rank: {NO_KEY}"),
        ('game = "small"', 'game = "small"\nage = 8', f"age: {NO_KEY}"),
        ('"#b03030"', '"red"', f"pieces.stone.shade.red: got 'red', {SHADE}"),
        ('"#b03030"', '"#b0303"', f"pieces.stone.shade.red: got '#b0303', {SHADE}"),
        ('"#b03030"', '"#b0303g"', f"pieces.stone.shade.red: got '#b0303g', {SHADE}"),
        ('"#3040a0"', '"#3040a0", green = "#00ff00"', f"pieces.stone.shade.green: {NO_KEY}"),
        (
            '{ block = "#808080" }',
            '"#808080"',
            "pieces.block.shade: got '#808080', expected a table",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(old: str, new: str, mistake: str) -> None:
    assert mistake in mistakes_of(changed(old, new))


def test_a_missing_shade_is_one_mistake() -> None:
    assert mistakes_of(changed('red = "#b03030", ', "")) == [
        "pieces.stone.shade.red: got nothing, expected a text"
    ]


def test_a_colour_of_nobody_is_a_mistake() -> None:
    text = changed('colours = ["red", "blue"]', 'colours = ["red", "blue", "green"]')
    assert "pieces.stone.colours: got 'green', expected only players' colours: red, blue" in (
        mistakes_of(text)
    )


def test_all_mistakes_are_told_together_each_with_the_file() -> None:
    text = changed("files = 4", "files = 40").replace("#808080", "grey").replace("rim_mm", "rim")
    assert mistakes_of(text) == [
        "board.files: got 40, expected a whole number from 1 to 8",
        "board.rim: not a key of this table",
        "board.rim_mm: got nothing, expected a size in mm above 0",
        f"pieces.block.shade.block: got 'grey', {SHADE}",
    ]
    with pytest.raises(BadPack) as caught:
        parse_box(text, "here/pack.toml")
    assert all(line.startswith("here/pack.toml: ") for line in str(caught.value).splitlines())


def test_an_empty_file_lacks_everything() -> None:
    told = mistakes_of("")
    for key in ("game", "title", "players", "board", "pieces", "board.files", "board.cell_mm"):
        assert any(mistake.startswith(f"{key}: got nothing") for mistake in told), key


def test_what_is_no_toml_is_told_as_such() -> None:
    told = mistakes_of("game = ")
    assert len(told) == 1
    assert told[0].startswith("no TOML: ")
