"""Bitboards against plain sets of cells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.bits import bits_of, board_bits, cells_of, draw_bits, shift
from rules.board import ALL_CELLS, Anchor, Cell

WHOLE = board_bits(8, 8)
CELL_SETS = st.sets(st.sampled_from(ALL_CELLS))


def test_every_cell_has_a_bit_of_its_own() -> None:
    bits = [cell.bit for cell in ALL_CELLS]
    assert len(set(bits)) == 64
    assert all(bit.bit_count() == 1 for bit in bits)
    assert Cell("a1").bit == 1


@given(cells=CELL_SETS)
@settings(deadline=None)
def test_a_set_of_cells_comes_back_sorted(cells: set[Cell]) -> None:
    assert cells_of(bits_of(cells)) == tuple(sorted(cells))
    assert bits_of(cells).bit_count() == len(cells)


@given(one=CELL_SETS, other=CELL_SETS)
@settings(deadline=None)
def test_and_or_and_not_are_those_of_sets(one: set[Cell], other: set[Cell]) -> None:
    assert bits_of(one) & bits_of(other) == bits_of(one & other)
    assert bits_of(one) | bits_of(other) == bits_of(one | other)
    assert bits_of(one) & ~bits_of(other) == bits_of(one - other)


@pytest.mark.parametrize("way", Anchor)
@pytest.mark.parametrize("cell", ALL_CELLS)
def test_a_shifted_cell_is_the_next_one_and_never_wraps(cell: Cell, way: Anchor) -> None:
    there = cell.step(way)
    assert cells_of(shift(cell.bit, way) & WHOLE) == (() if there is None else (there,))


@pytest.mark.parametrize("way", Anchor)
@given(cells=CELL_SETS)
@settings(deadline=None)
def test_a_shifted_set_is_every_cell_shifted(way: Anchor, cells: set[Cell]) -> None:
    there = {other for cell in cells if (other := cell.step(way)) is not None}
    assert shift(bits_of(cells), way) & WHOLE == bits_of(there)


@pytest.mark.parametrize("ranks", range(1, 9))
@pytest.mark.parametrize("files", range(1, 9))
def test_a_board_has_the_cells_of_its_files_and_ranks(files: int, ranks: int) -> None:
    names = sorted(f"{file}{rank + 1}" for file in "abcdefgh"[:files] for rank in range(ranks))
    assert list(cells_of(board_bits(files, ranks))) == names


def test_a_bit_of_no_cell_is_refused() -> None:
    spare = shift(Cell("h1").bit, Anchor.E)
    with pytest.raises(KeyError):
        cells_of(spare)


def test_a_set_is_drawn_top_rank_first() -> None:
    assert draw_bits(bits_of([Cell("a1"), Cell("c2")]), 3, 2) == ". . #\n# . ."
