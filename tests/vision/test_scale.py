"""Known pieces tell how large the cells are, and mistaken ones do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rules.board import Cell, Piece, Position
from rules.packs import load_pack
from tests.vision.looks import reading_of
from vision.labels import Labels
from vision.reading import BoardReading
from vision.scale import scale_of

LABELS = Labels(load_pack("subdivision").box)
LARGE, MEDIUM = Piece("large", "red"), Piece("medium", "blue")


def seen(widths: Mapping[str, float], hidden: tuple[str, ...] = ()) -> BoardReading:
    cells = {Cell(name): width for name, width in widths.items()}
    return replace(reading_of({}, hidden=hidden), widths=cells)


def known(**pieces: Piece) -> Position:
    return Position({Cell(name): piece for name, piece in pieces.items()})


def width(piece: Piece, scale: float) -> float:
    return LABELS.widths[piece.kind] - scale


def test_one_known_piece_is_enough() -> None:
    reading = seen({"c3": width(LARGE, 0.3), "e5": -9.0})
    assert scale_of(reading, known(c3=LARGE), LABELS) == pytest.approx(0.3)
    assert scale_of(reading, known(c3=MEDIUM), LABELS) == pytest.approx(0.05, abs=0.01)


def test_nothing_known_tells_nothing() -> None:
    reading = seen({"c3": width(LARGE, 0.3)})
    assert scale_of(reading, known(), LABELS) is None
    assert scale_of(reading, known(c3=Piece("blocked")), LABELS) is None, "of any size"
    assert scale_of(seen({"c3": 0.0}, hidden=("c3",)), known(c3=LARGE), LABELS) is None


def test_one_mistaken_piece_among_several_is_outvoted() -> None:
    reading = seen({"a1": width(LARGE, 0.1), "c3": width(MEDIUM, 0.12), "e5": width(LARGE, 0.09)})
    said = known(a1=LARGE, c3=MEDIUM, e5=MEDIUM)
    assert scale_of(reading, said, LABELS) == pytest.approx(0.1)


def test_pieces_that_disagree_tell_nothing() -> None:
    reading = seen({"a1": width(LARGE, 0.1), "e5": width(LARGE, 0.1)})
    assert scale_of(reading, known(a1=LARGE, e5=MEDIUM), LABELS) is None


def test_a_board_that_is_in_the_box_needs_no_telling() -> None:
    labels = Labels(load_pack("masterplan").box)
    assert labels.widths == {}
    assert scale_of(reading_of({}), known(c3=Piece("house", "white")), labels) is None
