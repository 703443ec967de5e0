"""Cells, anchors, pieces and positions: what they are called, and that names lead back to them."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import (
    ALL_CELLS,
    Anchor,
    Cell,
    Piece,
    Position,
    format_piece,
    format_position,
    parse_piece,
    parse_position,
)
from rules.errors import BadWord

KINDS = {"house": ("white", "yellow"), "park": (), "tower": (), "stone": ("red", "blue")}
ANCHORED = "house"
PIECES = [
    *(Piece("house", colour, anchor) for colour in KINDS["house"] for anchor in (None, *Anchor)),
    Piece("park"),
    Piece("tower"),
    *(Piece("stone", colour) for colour in KINDS["stone"]),
]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    files, ranks = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    cells = [cell for cell in ALL_CELLS if cell.file < files and cell.rank < ranks]
    pieces = draw(st.dictionaries(st.sampled_from(cells), st.sampled_from(PIECES)))
    return Position(pieces, files, ranks)


def test_there_are_64_cells_in_the_order_of_their_names() -> None:
    assert len(set(ALL_CELLS)) == 64
    assert list(ALL_CELLS) == sorted(ALL_CELLS)
    assert (ALL_CELLS[0], ALL_CELLS[1], ALL_CELLS[8], ALL_CELLS[-1]) == ("a1", "a2", "b1", "h8")


@pytest.mark.parametrize("cell", ALL_CELLS)
def test_a_cell_is_its_name_and_there_is_one_of_each(cell: Cell) -> None:
    assert Cell(str(cell)) is cell
    assert Cell.at(cell.file, cell.rank) is cell
    assert str(cell) == "abcdefgh"[cell.file] + "12345678"[cell.rank]
    assert repr(cell) == f"Cell('{cell}')"


def test_a_copied_or_stored_cell_is_the_same_cell() -> None:
    cell = Cell("c4")
    assert copy.deepcopy(cell) is cell
    assert pickle.loads(pickle.dumps(cell)) is cell


@pytest.mark.parametrize("word", ["", "a", "a0", "a9", "i1", "A1", "a1 ", " a1", "a11", "1a", "á1"])
def test_a_word_that_is_no_cell_is_named_in_the_message(word: str) -> None:
    with pytest.raises(BadWord) as caught:
        Cell(word)
    assert str(caught.value) == f"{word!a} is no cell: expected a1 to h8"


@pytest.mark.parametrize("thing", [None, 7, ["a1"], {"a1": 1}])
def test_a_thing_that_is_no_word_is_no_cell(thing: str) -> None:
    with pytest.raises(BadWord, match="is no cell: expected a1 to h8"):
        Cell(thing)


def test_a_message_bears_a_word_of_any_length() -> None:
    with pytest.raises(BadWord) as caught:
        Cell("x" * 100_000)
    assert len(str(caught.value)) < 120


@given(file=st.integers(-3, 11), rank=st.integers(-3, 11))
@settings(deadline=None)
def test_there_is_a_cell_at_the_coordinates_of_the_board_only(file: int, rank: int) -> None:
    cell = Cell.at(file, rank)
    if file in range(8) and rank in range(8):
        assert cell is not None
        assert (cell.file, cell.rank) == (file, rank)
    else:
        assert cell is None


@given(cell=st.sampled_from(ALL_CELLS), way=st.sampled_from(Anchor), times=st.integers(0, 9))
@settings(deadline=None)
def test_so_many_steps_are_one_step_so_often(cell: Cell, way: Anchor, times: int) -> None:
    walked: Cell | None = cell
    for _ in range(times):
        walked = walked.step(way) if walked is not None else None
    assert cell.step(way, times) is walked


@given(cell=st.sampled_from(ALL_CELLS), way=st.sampled_from(Anchor))
@settings(deadline=None)
def test_a_step_and_its_opposite_lead_back(cell: Cell, way: Anchor) -> None:
    there = cell.step(way)
    assert there is None or there.step(way.opposite) is cell


@pytest.mark.parametrize(
    ("anchor", "opposite", "step"),
    [
        ("n", "s", (0, 1)),
        ("ne", "sw", (1, 1)),
        ("e", "w", (1, 0)),
        ("se", "nw", (1, -1)),
        ("s", "n", (0, -1)),
        ("sw", "ne", (-1, -1)),
        ("w", "e", (-1, 0)),
        ("nw", "se", (-1, 1)),
    ],
)
def test_anchors_are_their_words(anchor: str, opposite: str, step: tuple[int, int]) -> None:
    assert Anchor(anchor).opposite is Anchor(opposite)
    assert Anchor(anchor).step == step
    assert str(Anchor(anchor)) == anchor


@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_is_read_back_from_its_letters(piece: Piece) -> None:
    assert parse_piece(format_piece(piece), KINDS, ANCHORED) == piece
    assert str(piece) == format_piece(piece)
    assert len(format_piece(piece)) <= 3


@pytest.mark.parametrize("word", ["", "W", "w", "Wx", "wne", "Wnne", "Rne", "P", "pp", "Gs", "WT"])
def test_letters_that_are_no_piece_are_refused_with_examples(word: str) -> None:
    with pytest.raises(BadWord) as caught:
        parse_piece(word, KINDS, ANCHORED)
    assert str(caught.value) == f"{word!r} is no piece: expected for example Wne or p or t or RS"


def test_no_piece_stands_in_an_anchor_where_no_kind_is_anchored() -> None:
    with pytest.raises(BadWord, match="for example WH or p"):
        parse_piece("Wne", {"house": ("white",), "park": ()}, None)


@given(position=positions())
@settings(deadline=None)
def test_a_position_is_read_back_from_its_grid(position: Position) -> None:
    again = parse_position(format_position(position), KINDS, ANCHORED)
    assert again == position
    assert hash(again) == hash(position)
    assert str(again) == str(position)


@given(position=positions(), data=st.data())
@settings(deadline=None)
def test_put_and_clear_leave_the_position_itself_alone(
    position: Position, data: st.DataObject
) -> None:
    cell = data.draw(st.sampled_from(ALL_CELLS))
    piece = data.draw(st.sampled_from(PIECES))
    before = dict(position)
    put, cleared = position.put(cell, piece), position.clear(cell)
    assert dict(position) == before
    assert dict(put) == {**before, cell: piece}
    assert dict(cleared) == {c: p for c, p in before.items() if c != cell}
    assert (put.files, cleared.ranks) == (position.files, position.ranks)


def test_a_position_keeps_what_it_was_made_of() -> None:
    pieces = {Cell("a1"): Piece("park")}
    position = Position(pieces)
    pieces[Cell("b1")] = Piece("tower")
    assert dict(position) == {Cell("a1"): Piece("park")}


def test_positions_on_boards_of_different_size_are_different() -> None:
    assert Position(files=4, ranks=3) == Position(files=4, ranks=3)
    assert Position(files=4, ranks=3) != Position(files=3, ranks=4)
    assert Position() != {}


def test_notes_are_shown_where_nothing_stands() -> None:
    position = Position({Cell("a1"): Piece("park")}, 2, 2)
    notes = {Cell("a1"): "(t)", Cell("b2"): "(p)"}
    assert format_position(position, notes) == "   a   b\n2  .  (p)\n1  p   ."


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("b a\n1 . .", "'b a' is no grid: expected a first line of file letters: a b c …"),
        ("a b c d e f g h i\n1 . . . . . . . . .", "is no grid: expected a first line of file"),
        ("a b\n1 . .\n2 . .", "'1 . .' is no row: expected '2' and 2 cells"),
        ("a b\n1 . . .", "'1 . . .' is no row: expected '1' and 2 cells"),
        ("a b\n1 .", "'1 .' is no row: expected '1' and 2 cells"),
        ("a b\n1 . q", "'q' is no piece: expected for example Wne or p or t or RS"),
    ],
)
def test_a_wrong_grid_is_refused_where_it_is_wrong(grid: str, message: str) -> None:
    with pytest.raises(BadWord) as caught:
        parse_position(grid, KINDS, ANCHORED)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "grid",
    [
        pytest.param("", id="empty"),
        pytest.param("a b", id="no rows"),
        pytest.param("a b\n\n1 . .", id="empty row"),
        pytest.param("a\n" + "\n".join(f"{rank} ." for rank in range(9, 0, -1)), id="nine ranks"),
    ],
)
def test_what_is_no_grid_at_all_is_a_bad_word_too(grid: str) -> None:
    with pytest.raises(BadWord):
        parse_position(grid, KINDS, ANCHORED)
