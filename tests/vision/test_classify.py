"""Reading photographs: what stands where, whatever way round, under whatever lamp."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from rules.board import Cell, Piece
from rules.packs.masterplan.words import BOX
from tests.accuracy import parse_cells
from tests.disturb import DISTURBANCES
from tests.rules import toy_pack
from vision.classify import Classifier
from vision.frame import load_picture
from vision.geometry import Image
from vision.labels import Labels
from vision.locate import locate
from vision.network import CellNetwork, NoNetwork, normalise
from vision.reading import BoardReading, Unreadable

SINGLES = Path(__file__).parents[1] / "scenes" / "singles"
CLASSIFIER = Classifier(BOX)


def photo(name: str) -> tuple[Image, dict[str, Any]]:
    return load_picture(SINGLES / f"{name}.jpg"), json.loads((SINGLES / f"{name}.json").read_text())


def read(image: Image, use_markers: bool = True) -> BoardReading:
    found = locate(image, BOX.board, use_markers)
    assert not isinstance(found, Unreadable), found
    return CLASSIFIER.read(image, found.view)


def sure(reading: BoardReading) -> dict[Cell, Piece | None]:
    return {c: seen.piece for c, seen in reading.cells.items() if c not in reading.unsure}


def turned(cell: Cell, piece: Piece | None) -> tuple[Cell, Piece | None]:
    other = Cell.at(7 - cell.file, 7 - cell.rank)
    assert other is not None
    if piece is not None and piece.anchor is not None:
        piece = piece._replace(anchor=piece.anchor.opposite)
    return other, piece


@pytest.mark.parametrize("name", ["dev-001", "dev-004", "dev-007", "dev-014", "dev-018", "dev-021"])
def test_whole_boards_are_read(name: str) -> None:
    image, truth = photo(name)
    reading = read(image)
    assert dict(reading.position) == parse_cells(truth["cells"])
    assert reading.pawns == truth["pawns"]


@pytest.mark.parametrize("name", ["dev-001", "dev-007", "dev-021"])
def test_a_picture_turned_by_half_is_the_board_turned_by_half(name: str) -> None:
    image, truth = photo(name)
    reading = read(np.ascontiguousarray(image[::-1, ::-1]))
    expected = dict(turned(*item) for item in parse_cells(truth["cells"]).items())
    assert dict(reading.position) == expected


@pytest.mark.parametrize("name", ["dev-003", "dev-017"])
def test_a_mirrored_picture_with_markers_is_no_board(name: str) -> None:
    image, _ = photo(name)
    assert isinstance(locate(np.ascontiguousarray(image[:, ::-1]), BOX.board), Unreadable)


@pytest.mark.parametrize("word", ["dark", "bright", "warm", "cool", "blur", "noise", "gradient"])
def test_no_light_makes_it_silently_wrong(word: str) -> None:
    for name in ("dev-004", "dev-007"):
        image, truth = photo(name)
        expected = parse_cells(truth["cells"])
        seen = sure(read(DISTURBANCES[word](image)))
        assert {c: p for c, p in seen.items() if p != expected.get(c)} == {}
        assert len(seen) >= 55


def test_what_lies_under_a_sleeve_is_not_read() -> None:
    image, _ = photo("dev-004")
    corners = read(image).view.project([[34 * 4, 34 * 8], [34 * 8, 34 * 8], [34 * 8, 34 * 6.0]])
    sleeve = np.round(np.vstack([corners, [[1279, 0]]])).astype(np.int32)
    cv2.fillConvexPoly(image, cv2.convexHull(sleeve), (70, 60, 140))
    reading = read(image)
    assert {"g8", "h8", "h7"} <= reading.unsure
    assert any("clear the view" in line for line in reading.advice)


def test_glare_is_named() -> None:
    image, _ = photo("dev-000")
    place = read(image).view.project([[34 * 3.5, 34 * 4.5]])[0]
    cv2.circle(image, (int(place[0]), int(place[1])), 60, (255, 255, 255), -1)
    reading = read(image)
    assert "d5" in reading.unsure
    assert any(line.startswith("glare on") and "d5" in line for line in reading.advice)


def test_a_lamp_of_another_colour_changes_nothing_that_goes_in() -> None:
    rng = np.random.default_rng(1)
    board = rng.integers(60, 120, (400, 400, 3), dtype=np.uint8)
    warm = (board * np.array([0.7, 1.0, 1.15])).astype(np.uint8)
    assert np.abs(normalise(board) - normalise(warm)).max() < 0.08


def test_a_game_without_a_network_is_a_clear_word() -> None:
    with pytest.raises(NoNetwork, match=r"vision\.weights\.train stones"):
        CellNetwork(Labels(toy_pack.BOX))
