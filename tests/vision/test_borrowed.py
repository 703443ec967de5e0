"""Boards that are in no box: of any size, lined or chequered, whole or a part of a larger one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rules.board import Position
from rules.box import BoardFacts, Box
from rules.pack import boards_of
from rules.packs import load_pack
from vision.geometry import Image
from vision.locate import Located, locate
from vision.markers import SIDE_MM
from vision.reading import Unreadable
from vision.scene import Scene, random_scene, render

PACK = load_pack("subdivision")
USUAL = PACK.box.board


@cache
def table(
    side: int, chequered: bool, cell_mm: float = 36.0, rim_mm: float = 10.0, cards: bool = False
) -> tuple[Scene, Image]:
    """An ordinary table, as light and clear as people have it."""
    box = sized(side, cell_mm, rim_mm)
    for seed in range(100):
        rng = np.random.default_rng([5, side, seed])
        scene = random_scene(rng, box, size_wh=(1280, 960), fullness=0.4, exposure=1.0, tilt_deg=15)
        is_asked_for = scene.look.print.fill == ("chequer" if chequered else "none")
        has_cards = len(scene.look.markers) == 4
        picture = render(scene, rng)
        is_plain = scene.look.print.strength > 0.7 and 60 < float(np.median(picture)) < 200
        if is_asked_for and has_cards == cards and (is_plain or chequered):
            return scene, picture
    raise AssertionError("no such table in a hundred")


def sized(side: int, cell_mm: float, rim_mm: float) -> Box:
    board = replace(USUAL, files=side, ranks=side, cell_mm=cell_mm, rim_mm=rim_mm)
    return replace(PACK.box, board=board)


def asked(side: int) -> BoardFacts:
    """What somebody knows who has seen only the box."""
    return replace(USUAL, files=side, ranks=side)


def off_px(found: Located, scene: Scene) -> float:
    there, here = scene.view.corners_px(scene.box.board), found.view.corners_px(found.board)
    return float(np.abs(there - here).max())


@pytest.mark.parametrize("chequered", [False, True])
@pytest.mark.parametrize("side", [5, 6, 7, 8])
def test_boards_of_every_size_are_found(side: int, chequered: bool) -> None:
    scene, picture = table(side, chequered)
    found = locate(picture, asked(side))
    assert isinstance(found, Located), found
    assert found.board.files == side
    assert off_px(found, scene) < 3


@pytest.mark.parametrize(("cell_mm", "rim_mm"), [(31, 4), (36, 25), (50, 18), (57, 30)])
def test_whatever_cells_and_rim_they_have(cell_mm: float, rim_mm: float) -> None:
    scene, picture = table(6, True, cell_mm, rim_mm)
    found = locate(picture, asked(6))
    assert isinstance(found, Located), found
    assert off_px(found, scene) < 3


@pytest.mark.parametrize("wanted", [5, 6, 7])
def test_a_larger_board_is_found_whole(wanted: int) -> None:
    scene, picture = table(8, True)
    found = locate(picture, asked(wanted))
    assert isinstance(found, Located), found
    assert found.board.files == 8
    assert off_px(found, scene) < 3


def test_a_smaller_board_is_none_of_ours() -> None:
    _, picture = table(5, False)
    assert isinstance(locate(picture, asked(7)), Unreadable)


def test_cards_tell_how_large_the_cells_are() -> None:
    for cell_mm in (32.0, 48.0):
        _, picture = table(6, True, cell_mm, 12.0, cards=True)
        found = locate(picture, asked(6))
        assert isinstance(found, Located), found
        assert found.scale is not None, f"there are cards of {SIDE_MM} mm"
        assert found.scale == pytest.approx(np.log(cell_mm / USUAL.cell_mm), abs=0.05)


def test_the_boards_of_a_game_are_known_to_whoever_has_seen_only_the_box() -> None:
    assert sorted(board.files for board in boards_of(PACK)) == [5, 6, 7, 8]
    assert all(board.borrowed for board in boards_of(PACK))
    (board,) = boards_of(load_pack("masterplan"))
    assert not board.borrowed


def test_what_is_not_plainly_a_whole_board_is_not_taken_for_one() -> None:
    """Half of an eight by eight board under a sheet of paper is no five by five board."""
    scene, picture = table(8, True)
    covered = picture.copy()
    corners = scene.view.corners_px(scene.box.board).astype(int)
    covered[:, : int(corners[:, 0].mean())] = 230
    for side in (5, 6, 7):
        found = locate(covered, asked(side))
        assert isinstance(found, Unreadable), f"{side}: {found}"


def test_an_empty_board_is_as_good() -> None:
    scene, _ = table(7, False)
    bare = replace(scene, position=Position(files=7, ranks=7))
    found = locate(render(bare, np.random.default_rng(1)), asked(7))
    assert isinstance(found, Located), found
    assert off_px(found, bare) < 3
