"""The board from straight above: cells where they belong, and how far tall things lean."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rules.board import Cell
from rules.packs.masterplan.words import BOX
from tests.vision.test_geometry import camera
from vision.geometry import Image, View
from vision.labels import Labels
from vision.rectify import MARGIN_CELLS, PX_PER_CELL, Rectifier, size_px

VIEW = camera(18, 40, 12, 1.0, -0.06)


def picture_of_cell(file: int, rank: int, view: View) -> Image:
    """A black picture in which one cell of the board is white."""
    image = np.zeros((960, 1280, 3), np.uint8)
    side = BOX.board.cell_mm
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([file, rank])
    outline = np.round(view.project(corners * side)).astype(np.int32)
    cv2.fillConvexPoly(image, outline, (255, 255, 255))
    return image


@pytest.mark.parametrize("cell", ["a1", "h1", "h8", "a8", "c4"])
def test_every_cell_comes_to_lie_where_its_label_is(cell: str) -> None:
    labels = Labels(BOX)
    number = labels.cells.index(Cell(cell))
    found = labels.cells[number]
    flat = Rectifier.of(VIEW, BOX.board)(picture_of_cell(found.file, found.rank, VIEW))
    shares = cv2.resize(flat[..., 0], (10, 10), interpolation=cv2.INTER_AREA)
    brightest = np.unravel_index(shares.argmax(), shares.shape)
    assert brightest == (labels.rows[number], labels.columns[number])
    assert shares.max() > 230
    assert np.sort(shares.ravel())[-2] < 25


def test_sizes() -> None:
    assert size_px(BOX.board) == (400, 400)
    assert Rectifier.of(VIEW, BOX.board)(np.zeros((960, 1280, 3), np.uint8)).shape == (400, 400, 3)


def test_the_lean_is_where_a_top_is_seen() -> None:
    rectifier = Rectifier.of(VIEW, BOX.board)
    row, column = 12, 33
    step = PX_PER_CELL / (rectifier.lean.shape[1] / 10)
    cells = (np.array([column, row]) + 0.5) * step / PX_PER_CELL - MARGIN_CELLS
    foot = np.array([cells[0], 8 - cells[1]]) * BOX.board.cell_mm
    height = 10.0
    seen_at = VIEW.on_plane(VIEW.project([[*foot, height]]))[0]
    right, down = rectifier.lean[:, row, column]
    x, y, z = VIEW.eye_mm
    exact = height * (foot - [x, y]) / (z - height)
    assert seen_at - foot == pytest.approx(exact, abs=0.05)
    assert [right, -down] == pytest.approx(exact / height * (z - height) / z, abs=0.01)
