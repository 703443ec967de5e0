"""From millimetres to pixels and back, and what four corners tell about the camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.packs.masterplan.words import BOX
from vision.geometry import View, distort, undistort

SIZE = (1280, 960)
MIDDLE = np.array([136.0, 136.0, 0.0])


def camera(tilt_deg: float, azimuth_deg: float, roll_deg: float, focal: float, k1: float) -> View:
    """A camera 650 mm from the board's middle."""
    way = np.deg2rad(azimuth_deg)
    tilt = cv2.Rodrigues(np.deg2rad(tilt_deg) * np.array([np.cos(way), np.sin(way), 0]))[0]
    roll = cv2.Rodrigues(np.array([0, 0, np.deg2rad(roll_deg)]))[0]
    rotation = roll @ tilt @ np.diag([1.0, -1, -1])
    return View.from_pose(SIZE, focal * 1280, rotation, [0, 0, 650.0] - rotation @ MIDDLE, k1)


views = st.builds(
    camera,
    st.floats(0, 25),
    st.floats(0, 360),
    st.floats(-20, 20),
    st.floats(0.8, 1.3),
    st.floats(-0.1, 0.1),
)
heights = st.floats(0, 40)


@given(views, heights, st.floats(0, 272), st.floats(0, 272))
def test_there_and_back(view: View, z: float, x: float, y: float) -> None:
    seen = view.project([[x, y, z]])
    assert view.on_plane(seen, z)[0] == pytest.approx([x, y], abs=1e-3)


@given(st.floats(0, 1279), st.floats(0, 959), st.floats(-0.12, 0.12))
def test_a_lens_undone(x: float, y: float, k1: float) -> None:
    point = np.array([[x, y]])
    assert distort(undistort(point, SIZE, k1), SIZE, k1)[0] == pytest.approx([x, y], abs=0.01)


@given(views)
def test_four_corners_are_the_plane(view: View) -> None:
    corners = view.corners_px(BOX.board)
    again = View.from_corners(SIZE, corners, BOX.board, view.k1)
    assert np.abs(again.corners_px(BOX.board) - corners).max() < 0.05
    inside = [[50.0, 200.0, 0.0], [200.0, 20.0, 0.0]]
    assert np.abs(again.project(inside) - view.project(inside)).max() < 0.05


@given(views)
def test_four_corners_tell_where_a_towers_top_is_seen(view: View) -> None:
    """Tall things lean; a focal length that has to be guessed moves them by 4 mm at the most."""
    again = View.from_corners(SIZE, view.corners_px(BOX.board), BOX.board, view.k1)
    top = [[10.0, 10.0, 38.0], [260.0, 260.0, 38.0], [10.0, 260.0, 38.0]]
    px_per_mm = np.linalg.norm(np.diff(view.corners_px(BOX.board)[:2], axis=0)) / 272
    assert np.abs(again.project(top) - view.project(top)).max() < 4 * px_per_mm


def test_the_eye_is_above_the_board() -> None:
    assert camera(0, 0, 0, 1, 0).eye_mm == pytest.approx([136, 136, 650])
