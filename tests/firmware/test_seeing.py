"""The commands `read` and `watch` as programs and people use them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from tests.accuracy import comparable, expected_statements, parse_cells
from tests.firmware.test_judge import events, parkwarden
from vision.frame import load_picture

SCENES = Path(__file__).parents[1] / "scenes"
SINGLE = SCENES / "singles" / "dev-003.jpg"


def test_read_prints_the_shape_of_the_contract() -> None:
    done = parkwarden(["read", str(SINGLE), "--json"])
    (line,) = events(done.stdout)
    truth = json.loads(SINGLE.with_suffix(".json").read_text())
    assert done.returncode == 0
    assert (line["image"], line["found"]) == ("dev-003.jpg", True)
    off = np.array(line["corners"]) - np.array(truth["corners_a1_h1_h8_a8"])
    assert np.abs(off).max() < 3
    assert isinstance(line["cells"], dict)
    assert parse_cells(line["cells"]) == parse_cells(truth["cells"])
    assert all(0 < facts["confidence"] <= 1 for facts in line["cells"].values())
    assert line["unsure"] == sorted(line["unsure"])  # type: ignore[call-overload]
    assert line["pawns"] == truth["pawns"]


def test_read_draws_a_grid_and_a_picture_for_people(tmp_path: Path) -> None:
    picture = tmp_path / "seen.png"
    done = parkwarden(["read", str(SINGLE), "--picture", str(picture)])
    assert b"   a   b   c   d   e   f   g   h\n" in done.stdout
    assert b"pawns: white 12, yellow 11" in done.stdout
    drawn, photo = load_picture(picture), load_picture(SINGLE)
    assert drawn.shape == photo.shape
    assert (drawn != photo).any(axis=-1).mean() > 0.005


def test_no_board_is_exit_1_and_the_other_photos_are_read(tmp_path: Path) -> None:
    blank = tmp_path / "blank.png"
    blank.write_bytes(cv2.imencode(".png", np.full((480, 640, 3), 90, np.uint8))[1].tobytes())
    done = parkwarden(["read", str(blank), str(SINGLE), "--json"])
    first, second = events(done.stdout)
    assert done.returncode == 1
    assert first["found"] is False
    assert first["reason"]
    assert second["found"] is True


def test_a_file_that_is_no_photo_is_exit_2_and_named(tmp_path: Path) -> None:
    junk = tmp_path / "junk.jpg"
    junk.write_bytes(b"\xff\xd8 and then nothing")
    for path in (junk, tmp_path / "nowhere.jpg"):
        done = parkwarden(["read", str(path), "--json"])
        assert done.returncode == 2
        assert str(path).encode() in done.stderr
        assert b"Traceback" not in done.stderr


def test_a_picture_of_two_photos_is_a_wrong_call(tmp_path: Path) -> None:
    done = parkwarden(["read", str(SINGLE), str(SINGLE), "--picture", str(tmp_path / "x.png")])
    assert done.returncode == 2
    assert b"one at a time" in done.stderr


def test_watch_referees_a_film() -> None:
    """Wrong pieces tried and taken back, and the light switched twice."""
    film = SCENES / "games" / "dev-plain" / "game.mp4"
    done = parkwarden(["watch", str(film), "--json"], timeout_s=300)
    assert done.returncode == 0
    said = events(done.stdout)
    assert all(isinstance(one["frame"], int) for one in said)
    truth = json.loads(film.with_name("truth.json").read_text())
    assert comparable(said) == comparable(expected_statements(truth)[0])


def test_watch_of_nothing_is_a_clear_word(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere.mp4"):
        done = parkwarden(["watch", str(path), "--json"])
        assert done.returncode == 2
        assert str(path).encode() in done.stderr
        assert b"Traceback" not in done.stderr
