"""Which part of a larger board is played on, told by the pieces alone."""

from __future__ import annotations

import pytest

from rules.board import Cell, Piece, Position
from rules.packs import load_pack
from vision.part import Part, choose_part

BOX = load_pack("subdivision").box  # six by six
NOTHING = Position(files=6, ranks=6)
PARK, RED, BLUE = Piece("blocked"), Piece("large", "red"), Piece("medium", "blue")


def on_chessboard(**pieces: Piece) -> Position:
    return Position({Cell(cell): piece for cell, piece in pieces.items()}, 8, 8)


def test_an_empty_board_is_played_on_from_a1() -> None:
    assert choose_part(on_chessboard(), NOTHING, BOX, Part()) == Part()
    assert choose_part(on_chessboard(), NOTHING, BOX, Part(1, 2)) == Part(1, 2), "it stays so"


@pytest.mark.parametrize("part", [Part(0, 0), Part(1, 1), Part(2, 0), Part(2, 2)])
def test_parks_in_the_corners_tell_even_beside_spare_pieces(part: Part) -> None:
    corners = [(part.files + f, part.ranks + r) for f in (0, 5) for r in (0, 5)]
    laid = {cell: PARK for at in corners if (cell := Cell.at(*at)) is not None}
    spare = {c: BLUE for c in map(Cell, ("a1", "h8", "a8", "h1")) if c not in laid}
    seen = Position({**laid, **spare}, 8, 8)
    assert choose_part(seen, NOTHING, BOX, Part()) == part


def test_parks_are_being_laid_one_by_one() -> None:
    part, seen = Part(), on_chessboard()
    for cell in ("b2", "b7", "g2", "g7"):
        seen = seen.put(Cell(cell), PARK)
        part = choose_part(seen, part.cut(seen, BOX.board), BOX, part)
    assert part == Part(1, 1)


def test_every_piece_lies_on_the_part() -> None:
    seen = on_chessboard(h4=RED, d8=BLUE)
    assert choose_part(seen, NOTHING, BOX, Part()) == Part(2, 2)


def test_a_game_that_is_going_on_holds_its_part_after_a_power_cut() -> None:
    known = Position({Cell("a1"): PARK, Cell("c3"): RED, Cell("d2"): BLUE}, 6, 6)
    seen = on_chessboard(b2=PARK, d4=RED, e3=BLUE)
    assert choose_part(seen, known, BOX, Part()) == Part(1, 1)


def test_a_spare_piece_moves_no_game() -> None:
    known = Position({Cell("c3"): RED, Cell("d2"): BLUE}, 6, 6)
    seen = on_chessboard(c3=RED, d2=BLUE, h8=RED)
    assert choose_part(seen, known, BOX, Part()) == Part()


def test_cells_have_the_names_they_have_on_the_part() -> None:
    seen = on_chessboard(b3=RED, h8=BLUE, a1=PARK)
    assert dict(Part(1, 2).cut(seen, BOX.board)) == {Cell("a1"): RED}
