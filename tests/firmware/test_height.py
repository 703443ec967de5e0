"""How high the camera hangs, held against a camera that is projected through."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from firmware.height import AIM_MM, STEP_MM, Lens, hang
from firmware.playmat import CARD_MM, board_size_mm
from rules.box import BoardFacts
from rules.packs import load_pack
from vision.geometry import View

BOARD = load_pack("masterplan").box.board
STANDARD = Lens("standard", 66, 41)
WIDE = Lens("wide", 102, 67)


def looking_down(lens: Lens, height_mm: float, board: BoardFacts) -> View:
    """A 4 to 3 picture cut out of the lens's field of view."""
    focal_px = 480 / np.tan(np.deg2rad(lens.vertical_deg) / 2)
    middle = np.array([board.files, board.ranks]) * board.cell_mm / 2
    rotation = np.diag([1.0, -1.0, -1.0])
    away = np.array([0, 0, height_mm]) - rotation @ np.array([*middle, 0])
    return View.from_pose((1280, 960), float(focal_px), rotation, away)


def sees_the_cards(lens: Lens, height_mm: float, board: BoardFacts) -> bool:
    out = board.rim_mm + CARD_MM + AIM_MM
    wide, high = board_size_mm(board)
    far = (wide - board.rim_mm + CARD_MM + AIM_MM, high - board.rim_mm + CARD_MM + AIM_MM)
    seen = looking_down(lens, height_mm, board).project([[-out, -out], list(far)])
    return bool((seen > -1).all() and (seen < (1280, 960)).all())


@pytest.mark.parametrize("cell_mm", [30.0, 34.0, 45.0])
@pytest.mark.parametrize("lens", [STANDARD, WIDE])
def test_the_cards_are_in_the_picture_from_there_on(lens: Lens, cell_mm: float) -> None:
    board = replace(BOARD, cell_mm=cell_mm)
    height_mm = hang(board, lens).fits_mm
    assert sees_the_cards(lens, height_mm, board)
    assert not sees_the_cards(lens, height_mm - STEP_MM - 1, board)


def test_the_reference_build() -> None:
    assert hang(BOARD, STANDARD).lowest_mm == 570


def test_a_wide_lens_is_not_hung_lower_than_was_learnt() -> None:
    found = hang(BOARD, WIDE)
    assert found.fits_mm < 450 == found.lowest_mm
    assert found.highest_mm < found.lowest_mm


def test_sides_that_the_picture_loses_do_not_count() -> None:
    """A lens that sees twice as far to the sides hangs no lower above a square board."""
    assert hang(BOARD, replace(STANDARD, horizontal_deg=110)) == hang(BOARD, STANDARD)
    assert hang(BOARD, replace(STANDARD, horizontal_deg=41)).fits_mm > 570


def test_a_long_board_is_as_high_as_its_long_side_wants() -> None:
    long = replace(BOARD, files=4)
    assert hang(long, STANDARD).fits_mm == hang(BOARD, STANDARD).fits_mm
