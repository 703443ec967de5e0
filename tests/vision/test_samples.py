"""What a network learns from: rendered boards with labels that fit them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rules.board import Cell, Piece, Position
from rules.packs import load_pack
from rules.packs.masterplan.words import BOX
from vision.labels import HIDDEN, NO_ANCHOR, Labels
from vision.scene import Foot, Scene, feet_mm
from vision.weights.samples import IGNORED, Samples, hide, label, make_samples
from vision.weights.tables import random_box, random_table

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
    samples = make_samples(load_pack("masterplan"), 1, 5)
    assert samples.boards.shape == (2, 400, 400, 3), "each table is rectified twice"
    assert np.array_equal(samples.boards, make_samples(load_pack("masterplan"), 1, 5).boards)
    samples.save(tmp_path / "00005.npz")
    (back,) = Samples.load(tmp_path)
    assert np.array_equal(back.kinds, samples.kinds)


def test_boards_of_one_size_are_kept_together(tmp_path: Path) -> None:
    pack = load_pack("subdivision")
    for seed in range(4):
        make_samples(pack, 1, seed).save(tmp_path / f"{seed:05d}.npz")
    groups = Samples.load(tmp_path)
    sizes = [samples.kinds.shape[1:] for samples in groups]
    assert len(set(sizes)) == len(sizes) > 1
    assert sum(len(samples.boards) for samples in groups) == 8


def test_a_borrowed_board_may_be_a_part_of_a_larger_one_with_cells_of_any_size() -> None:
    pack = load_pack("subdivision")
    rng = np.random.default_rng(2)
    tables = [random_table(rng, random_box(rng, pack), size_wh=(640, 480)) for _ in range(40)]
    cells_mm = [table.box.board.cell_mm for table in tables]
    assert min(cells_mm) < 32 < 45 < max(cells_mm)
    parts = [table for table in tables if table.scene.box.board.files > table.box.board.files]
    assert parts
    for table in parts:
        feet = feet_mm(table.scene)
        for cell, piece in table.position.items():
            middle_mm = (np.array([cell.file, cell.rank]) + 0.5) * table.box.board.cell_mm
            seen = table.view.project(middle_mm[None])[0]
            there = [c for c, foot in feet.items() if _is_near(table.scene, foot, seen)]
            assert [table.scene.position[c] for c in there] == [piece]


def _is_near(scene: Scene, foot: Foot, seen_px: NDArray[np.float64]) -> bool:
    """Within a third of a cell."""
    at = scene.view.project([foot.at_mm])[0]
    corners = scene.view.corners_px(scene.box.board)
    cell_px = float(np.linalg.norm(corners[1] - corners[0])) / scene.box.board.files
    return float(np.linalg.norm(at - seen_px)) < cell_px / 3
