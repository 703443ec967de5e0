"""What a network learns from: rendered boards with labels that fit them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rules.board import Cell, Piece, Position
from rules.packs.masterplan.words import BOX
from vision.labels import HIDDEN, NO_ANCHOR, Labels
from vision.weights.samples import IGNORED, Samples, hide, label, make_samples

LABELS = Labels(BOX)


def test_labels_are_those_of_the_position() -> None:
    position = Position({Cell("a1"): Piece("park"), Cell("h8"): Piece("house", "yellow")})
    maps, pawns = label(LABELS, position, {"white": 9})
    assert maps[:, 8, 1].tolist() == [LABELS.kinds.index("park"), IGNORED, IGNORED]
    assert maps[:, 1, 8].tolist() == [LABELS.kinds.index("house"), 1, NO_ANCHOR]
    assert maps[:, 4, 4].tolist() == [0, IGNORED, IGNORED]
    assert (maps[:, 0] == IGNORED).all(), "the margin is not asked"
    assert np.argwhere(pawns).tolist() == [[0, 0, 0]], "space 9 is the corner by a8"


def test_what_is_covered_is_hidden_and_what_is_half_covered_not_asked() -> None:
    maps, _ = label(LABELS, Position(), {})
    covered = np.zeros((400, 400), np.uint8)
    covered[80:120, 80:120] = 255
    covered[80:120, 120:124] = 255
    seen = hide(maps, covered, LABELS)
    assert seen[0, 2, 2] == LABELS.kinds.index(HIDDEN)
    assert seen[0, 2, 3] == IGNORED
    assert seen[0, 2, 4] == 0


def test_samples_are_the_same_for_the_same_seed_and_come_back_from_a_file(tmp_path: Path) -> None:
    samples = make_samples(BOX, 1, 5)
    assert samples.boards.shape == (2, 400, 400, 3), "each table is rectified twice"
    assert np.array_equal(samples.boards, make_samples(BOX, 1, 5).boards)
    samples.save(tmp_path / "00005.npz")
    assert np.array_equal(Samples.load(tmp_path).kinds, samples.kinds)
