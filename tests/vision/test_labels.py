"""Channels and cells: every piece of the box can be said, and the track runs clockwise."""

from __future__ import annotations

from rules.board import Anchor, Cell, Piece
from rules.packs import load_pack
from rules.packs.masterplan.words import BOX
from tests.rules import toy_pack
from vision.labels import HIDDEN, Labels

LABELS = Labels(BOX)


def test_the_channels_stand_one_behind_the_other() -> None:
    assert LABELS.kinds == (None, "house", "park", "tower", HIDDEN)
    assert [*LABELS.slices] == ["kind", "colour", "anchor", "pawn"]
    ends = [part.stop for part in LABELS.slices.values()]
    starts = [part.start for part in LABELS.slices.values()]
    assert starts == [0, *ends[:-1]]
    assert LABELS.channels == ends[-1] == 5 + 2 + 9 + 2


def test_every_content_of_a_cell_can_be_said() -> None:
    contents = [piece for kind in range(4) for piece, _, _ in LABELS.contents(kind)]
    assert len(contents) == len(set(contents)) == 1 + 2 * 9 + 2
    assert Piece("house", "yellow", Anchor.SW) in contents
    assert Piece("house", "white") in contents


def test_the_track_runs_clockwise_from_the_corner_by_a1() -> None:
    assert len(LABELS.track) == 36
    assert [LABELS.track[space] for space in (0, 9, 18, 27)] == [(9, 0), (0, 0), (0, 9), (9, 9)]
    a1 = LABELS.cells.index(Cell("a1"))
    assert LABELS.track[1] == (LABELS.rows[a1], 0), "the first space is beside a1"


def test_widths_are_asked_for_where_pieces_come_in_sizes_and_cells_in_any() -> None:
    labels = Labels(load_pack("subdivision").box)
    assert [*labels.slices][-1] == "width"
    assert labels.widths.keys() == {"large", "medium", "small"}
    assert labels.widths["small"] < labels.widths["medium"] < labels.widths["large"] < 0


def test_a_game_without_anchors_or_track_has_no_channels_for_them() -> None:
    labels = Labels(toy_pack.BOX)
    assert labels.channels == len(labels.kinds) + len(labels.colours)
    assert labels.track == ()
