"""The board's corners as witnesses that nobody moved it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.packs.masterplan.words import BOX
from tests.disturb import DISTURBANCES
from vision.frame import load_picture
from vision.geometry import Image
from vision.landmarks import Landmarks
from vision.locate import Located, locate

PHOTO = load_picture(Path(__file__).parents[1] / "scenes" / "singles" / "dev-007.jpg")


def landmarks() -> Landmarks:
    found = locate(PHOTO, BOX.board)
    assert isinstance(found, Located)
    return Landmarks(PHOTO, found.view, BOX.board)


def moved(right_px: float, down_px: float, turn_deg: float = 0) -> Image:
    turn = np.asarray(cv2.getRotationMatrix2D((640, 480), turn_deg, 1), np.float64)
    turn[:, 2] += np.array([right_px, down_px])
    border = cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpAffine(PHOTO, turn, (1280, 960), borderMode=border), np.uint8)


@pytest.mark.parametrize("word", ["dark", "bright", "warm", "cool", "blur", "noise", "gradient"])
def test_another_light_moves_nothing(word: str) -> None:
    assert landmarks().hold(DISTURBANCES[word](PHOTO))


def test_a_hand_on_one_corner_is_no_witness() -> None:
    covered = PHOTO.copy()
    cv2.circle(covered, (960, 130), 90, (90, 120, 200), -1)
    assert landmarks().hold(covered)


@pytest.mark.parametrize(
    "move", [(2.0, 0.0, 0.0), (0.0, -1.5, 0.0), (15.0, 15.0, 0.0), (0, 0, 0.4)]
)
def test_a_nudge_is_noticed(move: tuple[float, float, float]) -> None:
    assert not landmarks().hold(moved(*move))


def test_another_table_or_another_camera_is_noticed() -> None:
    assert not landmarks().hold(np.full_like(PHOTO, 90))
    assert not landmarks().hold(PHOTO[:480, :640])
