"""Finding the board: to a few pixels where there is one, and a reason where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.box import BoardFacts
from vision.geometry import Image, Points, View
from vision.locate import Located, locate, relocate
from vision.reading import Unreadable

PICTURES = Path(__file__).parent / "pictures"
BOARD = BoardFacts(files=8, ranks=8, cell_mm=34, rim_mm=20, thickness_mm=8, track_spaces=36)
TRUTH = {
    name: np.array(corners)
    for name, corners in json.loads((PICTURES / "locate.json").read_text()).items()
}


def picture(name: str) -> Image:
    image = cv2.imread(str(PICTURES / name))
    assert image is not None
    return np.asarray(image, np.uint8)


def off_px(found: Located | Unreadable, corners_px: Points) -> float:
    assert isinstance(found, Located), found
    return float(np.linalg.norm(found.view.corners_px(BOARD) - corners_px, axis=1).max())


def reason(found: Located | Unreadable) -> str:
    assert isinstance(found, Unreadable), found
    return found.reason


def drawn(cells: int, chequered: bool = False, side_px: int = 560) -> Image:
    """A grid board, lying a little askew on a plain cloth."""
    cell, rim = 60, 35
    size = cells * cell + 2 * rim
    board = np.full((size, size, 3), (90, 130, 170), np.float32)
    for step in range(cells + 1):
        at = rim + step * cell
        if chequered:
            continue
        board[at - 1 : at + 2, rim:-rim] -= 50
        board[rim:-rim, at - 1 : at + 2] -= 50
    if chequered:
        shade = np.kron(np.indices((cells, cells)).sum(axis=0) % 2, np.ones((cell, cell)))
        board[rim:-rim, rim:-rim] -= 60 * shade[..., None].astype(np.float32)
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), 7, side_px / size)
    turn = np.asarray(turn, np.float64)
    turn[:, 2] += np.array([480 - size / 2, 360 - size / 2])
    cloth = np.full((720, 960, 3), (70, 90, 60), np.float32)
    lying = cv2.warpAffine(board, turn, (960, 720), flags=cv2.INTER_AREA)
    there = cv2.warpAffine(np.ones((size, size), np.float32), turn, (960, 720))[..., None]
    noise = np.random.default_rng(0).normal(0, 4, cloth.shape)
    return np.asarray(np.clip(cloth * (1 - there) + lying * there + noise, 0, 255), np.uint8)


@pytest.mark.parametrize("use_markers", [True, False])
@pytest.mark.parametrize("name", sorted(TRUTH))
def test_finds_the_board(name: str, use_markers: bool) -> None:
    assert off_px(locate(picture(name), BOARD, use_markers), TRUTH[name]) < 2.5


def test_names_the_cards_seen_and_those_hidden() -> None:
    image = picture("locate-cards.jpg")
    found = locate(image, BOARD)
    assert isinstance(found, Located)
    assert found.markers == (0, 1, 2, 3)
    assert found.advice == ()
    corner = TRUTH["locate-cards.jpg"][2]
    out = corner + (corner - TRUTH["locate-cards.jpg"].mean(axis=0)) * 0.31
    cv2.circle(image, (int(out[0]), int(out[1])), 35, (90, 90, 90), -1)
    hidden = locate(image, BOARD)
    assert isinstance(hidden, Located)
    assert hidden.markers == (0, 1, 3)
    assert len(hidden.advice) == 1
    assert "2" in hidden.advice[0]


def test_cards_turn_the_board() -> None:
    image = np.ascontiguousarray(np.rot90(picture("locate-cards.jpg")))
    x, y = TRUTH["locate-cards.jpg"].T
    turned = np.column_stack([y, 959 - x])
    assert off_px(locate(image, BOARD), turned) < 2.5


def test_without_cards_a1_is_at_the_bottom_left() -> None:
    found = locate(np.ascontiguousarray(np.rot90(picture("locate-plain.jpg"))), BOARD)
    assert isinstance(found, Located)
    a1 = found.view.corners_px(BOARD)[0]
    assert a1[0] < 360
    assert a1[1] > 480


@pytest.mark.parametrize(
    ("gain", "blur", "noise"), [(0.5, 1, 0), (1.6, 1, 0), (1, 5, 0), (1, 1, 25)]
)
def test_bears_bad_pictures(gain: float, blur: int, noise: float) -> None:
    image = cv2.blur(picture("locate-cards.jpg"), (blur, blur)).astype(np.float64) * gain
    image += np.random.default_rng(1).normal(0, noise, image.shape) if noise else 0
    bad = np.asarray(np.clip(image, 0, 255), np.uint8)
    assert off_px(locate(bad, BOARD, use_markers=False), TRUTH["locate-cards.jpg"]) < 3


@pytest.mark.parametrize("chequered", [False, True])
def test_finds_lines_and_chequers(chequered: bool) -> None:
    found = locate(drawn(8, chequered), BOARD)
    assert isinstance(found, Located), found


@pytest.mark.parametrize("shift_px", [0.0, 4.0, 12.0, 22.0])
def test_follows_a_nudge(shift_px: float) -> None:
    truth = TRUTH["locate-cards.jpg"]
    near = View.from_corners((960, 720), truth + shift_px * np.array([0.8, -0.6]), BOARD)
    assert off_px(relocate(picture("locate-cards.jpg"), BOARD, near), truth) < 2.5


def test_finds_again_what_was_carried_away() -> None:
    truth = TRUTH["locate-cards.jpg"]
    near = View.from_corners((960, 720), truth * 0.6, BOARD)
    assert off_px(relocate(picture("locate-cards.jpg"), BOARD, near), truth) < 2.5


@pytest.mark.parametrize("cells", [10, 15])
@pytest.mark.parametrize("chequered", [False, True])
def test_refuses_another_size(cells: int, chequered: bool) -> None:
    assert reason(locate(drawn(cells, chequered), BOARD)) == "other-size"


def test_refuses_a_mirrored_picture() -> None:
    image = np.ascontiguousarray(picture("locate-cards.jpg")[:, ::-1])
    assert reason(locate(image, BOARD)) == "mirrored"


def test_refuses_two_boards() -> None:
    one = cv2.resize(picture("locate-plain.jpg"), (480, 360), interpolation=cv2.INTER_AREA)
    table = np.full((720, 960, 3), 110, np.uint8)
    table[180:540, :480] = table[180:540, 480:] = one
    assert reason(locate(table, BOARD)) == "two-boards"


def test_refuses_half_a_board() -> None:
    image = picture("locate-plain.jpg")
    bottom = int(TRUTH["locate-plain.jpg"][:, 1].mean())
    assert reason(locate(np.ascontiguousarray(image[:bottom]), BOARD)) in ("cut-off", "no-board")


def test_refuses_the_dark() -> None:
    dark = np.asarray(picture("locate-plain.jpg") * 0.03, np.uint8)
    assert reason(locate(dark, BOARD)) == "too-dark"


def test_refuses_noise_and_paper() -> None:
    noise = np.random.default_rng(2).integers(0, 256, (720, 960, 3)).astype(np.uint8)
    assert reason(locate(noise, BOARD)) == "no-board"
    paper = np.full((720, 960, 3), (60, 90, 120), np.uint8)
    cv2.fillConvexPoly(
        paper, np.array([[300, 150], [650, 170], [630, 560], [280, 540]]), (235,) * 3
    )
    assert reason(locate(paper, BOARD)) == "no-board"
