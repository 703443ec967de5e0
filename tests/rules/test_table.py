"""The table beside the game, line by line as its header says."""

from __future__ import annotations

from rules.board import Anchor, Cell, Piece, Position
from rules.table import MOVED, OCCUPIED, REMOVED, TIDY, Table
from rules.verdict import Corrected, Illegal, Problem

A1, B1, C1, D1 = Cell("a1"), Cell("b1"), Cell("c1"), Cell("d1")
WHITE = Piece("house", "white", Anchor.N)
LEANING = Piece("house", "white", Anchor.SE)
YELLOW = Piece("house", "yellow", Anchor.N)
PARK = Piece("park")
GAME = Position({A1: WHITE, B1: YELLOW, C1: PARK}, 4, 2)
REFUSED = Problem("not-due", D1, PARK)


def without(*cells: Cell) -> Table:
    """The table from which the pieces of the game on these cells were taken."""
    table = TIDY
    for cell in cells:
        table, _ = table.take(GAME, cell)
    return table


def seen(table: Table) -> dict[Cell, Piece]:
    return dict(table.as_seen(GAME))


def test_a_tidy_table_shows_the_game_itself() -> None:
    assert TIDY.as_seen(GAME) is GAME
    assert list(TIDY.problems()) == []


def test_a_refused_piece_lies_beside_the_game_until_it_is_taken_off() -> None:
    table, said = TIDY.lay(REFUSED)
    assert said == Illegal(REFUSED)
    assert list(table.problems()) == [REFUSED]
    assert seen(table) == {**GAME, D1: PARK}
    assert table.is_occupied(GAME, D1)
    assert not table.is_bare(GAME, D1)
    taken, told = table.take(GAME, D1)
    assert told == Corrected(D1)
    assert taken == TIDY
    assert (TIDY.beside, TIDY.missing) == ({}, {}), "nothing is ever written into the tidy table"


def test_pieces_on_an_occupied_cell_stack_up_and_come_off_from_the_top() -> None:
    first, second = Problem(OCCUPIED, A1, PARK), Problem(OCCUPIED, A1, YELLOW)
    table = TIDY.lay(first)[0].lay(second)[0]
    assert list(table.problems()) == [second], "the top has to go first"
    assert seen(table)[A1] == YELLOW
    table, told = table.take(GAME, A1)
    assert told == Corrected(A1)
    assert list(table.problems()) == [first]
    assert seen(table)[A1] == PARK
    table, told = table.take(GAME, A1)
    assert (told, seen(table)) == (Corrected(A1), dict(GAME))
    table, told = table.take(GAME, A1)
    assert told == Illegal(Problem(REMOVED, A1, WHITE)), "now it is the piece of the game"


def test_a_piece_of_the_game_that_is_taken_is_missing_until_it_is_put_back() -> None:
    table, said = TIDY.take(GAME, A1)
    gone = Problem(REMOVED, A1, WHITE)
    assert said == Illegal(gone)
    assert list(table.problems()) == [gone]
    assert seen(table) == {B1: YELLOW, C1: PARK}
    assert table.is_bare(GAME, A1)
    assert table.is_occupied(GAME, A1), "its place is kept"
    assert table.put_back(GAME, A1, WHITE) == (TIDY, Corrected(A1))


def test_a_piece_without_colour_is_put_back_too() -> None:
    assert without(C1).put_back(GAME, C1, PARK) == (TIDY, Corrected(C1))


def test_taking_from_a_bare_cell_says_nothing() -> None:
    assert TIDY.take(GAME, D1) == (TIDY, None)
    assert without(A1).take(GAME, A1) == (without(A1), None)


def test_a_counted_piece_goes_and_comes_back_without_a_word() -> None:
    table, said = TIDY.take(GAME, C1, counted=True)
    assert said is None
    assert list(table.problems()) == []
    assert C1 not in seen(table)
    assert not table.is_occupied(GAME, C1), "its place is free"
    assert table.is_bare(GAME, C1)
    assert table.put_back(GAME, C1, PARK) == (TIDY, None)


def test_nothing_is_put_back_while_nothing_is_missing() -> None:
    assert TIDY.put_back(GAME, D1, WHITE) is None
    assert TIDY.put_back(GAME, A1, WHITE) is None


def test_a_missing_piece_put_down_elsewhere_has_moved() -> None:
    landed = without(A1).put_back(GAME, D1, LEANING)
    moved = Problem(MOVED, D1, LEANING)
    assert landed is not None
    table, said = landed
    assert said == Illegal(moved)
    assert list(table.problems()) == [Problem(REMOVED, A1, WHITE), moved]
    assert table.put_back(GAME, Cell("d2"), WHITE) is None, "it lies on d1 and is in no hand"


def test_a_missing_piece_put_down_in_another_anchor_has_moved() -> None:
    landed = without(A1).put_back(GAME, A1, LEANING)
    assert landed is not None
    assert landed[1] == Illegal(Problem(MOVED, A1, LEANING))
    assert seen(landed[0])[A1] == LEANING


def test_only_a_piece_of_its_kind_and_colour_can_be_the_missing_one() -> None:
    assert without(A1).put_back(GAME, D1, YELLOW) is None
    assert without(A1).put_back(GAME, D1, PARK) is None
    assert without(A1).put_back(GAME, A1, PARK) is None
    assert without(C1).put_back(GAME, D1, PARK) is None, "one park is like any other"


def test_of_two_missing_pieces_both_can_have_moved() -> None:
    game = Position({A1: WHITE, B1: WHITE}, 4, 2)
    table = TIDY.take(game, A1)[0].take(game, B1)[0]
    first = table.put_back(game, C1, WHITE)
    assert first is not None
    second = first[0].put_back(game, D1, WHITE)
    assert second is not None
    assert [p.reason for p in second[0].problems()] == [REMOVED, REMOVED, MOVED, MOVED]
    assert second[0].put_back(game, Cell("a2"), WHITE) is None


def test_on_a_covered_cell_nothing_is_put_back() -> None:
    table, _ = without(A1).lay(Problem(OCCUPIED, A1, PARK))
    assert table.put_back(GAME, A1, WHITE) is None


def test_a_piece_shifted_in_one_go_is_one_mistake_and_back_again_one_mended() -> None:
    gone = TIDY.move(GAME, A1, D1, WHITE)
    moved = Problem(MOVED, D1, WHITE)
    assert gone is not None
    table, said = gone
    assert said == Illegal(moved)
    assert seen(table) == {B1: YELLOW, C1: PARK, D1: WHITE}
    assert list(table.problems()) == [Problem(REMOVED, A1, WHITE), moved]
    assert table.move(GAME, D1, A1, WHITE) == (TIDY, Corrected(D1))


def test_a_piece_turned_in_its_own_cell_and_back() -> None:
    turned = TIDY.move(GAME, A1, A1, LEANING)
    assert turned is not None
    assert turned[1] == Illegal(Problem(MOVED, A1, LEANING))
    assert turned[0].move(GAME, A1, A1, WHITE) == (TIDY, Corrected(A1))


def test_what_was_wrong_and_goes_elsewhere_is_taken_and_put_down() -> None:
    assert TIDY.lay(REFUSED)[0].move(GAME, D1, Cell("d2"), PARK) is None


def test_nothing_moves_from_a_bare_cell() -> None:
    assert TIDY.move(GAME, D1, Cell("d2"), WHITE) is None


def test_problems_are_told_by_cell_the_missing_piece_first() -> None:
    table, _ = without(C1, A1).lay(Problem(OCCUPIED, A1, PARK))
    table, _ = table.lay(Problem("not-due", Cell("a2"), PARK))
    assert [(p.cell, p.reason) for p in table.problems()] == [
        (A1, REMOVED),
        (A1, OCCUPIED),
        (Cell("a2"), "not-due"),
        (C1, REMOVED),
    ]
