"""A rendered table over time, through all of seeing: hands, a nudge, another lamp, darkness."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.board import Anchor, Cell, Piece, Position
from rules.events import Change
from rules.packs.masterplan.words import BOX
from vision.classify import Classifier
from vision.frame import Frame
from vision.geometry import Image, View
from vision.scene import Scene, random_hand, random_scene, render
from vision.stillness import Stillness
from vision.watch import Watcher

WHITE, YELLOW = Piece("house", "white", Anchor.NE), Piece("house", "yellow", Anchor.S)
FIRST = Position({Cell("c4"): WHITE})
SECOND = FIRST.put(Cell("f6"), YELLOW)
CLASSIFIER = Classifier(BOX)


class Film:
    """A table under a camera that takes five frames a second."""

    def __init__(self) -> None:
        chance = np.random.default_rng(33)
        calm = {"gloss": 0.0, "shades": (), "things": ()}
        size = {"size_wh": (1024, 768), "tilt_deg": 10.0, "roll_deg": 8.0}
        self.scene: Scene = random_scene(chance, BOX, position=Position(), **size, **calm)
        self.noise = np.random.default_rng(1)
        self.watcher = Watcher(BOX, CLASSIFIER)
        self.number = 0
        self.unreadable = 0

    def show(self, frames: int, image: Image | None = None) -> list[Change]:
        """What is seen of the scene as it is, or of this picture, over some frames."""
        changes: list[Change] = []
        for _ in range(frames):
            taken = render(self.scene, self.noise) if image is None else image
            sight = self.watcher.see(Frame(taken, self.number / 5, self.number))
            self.number += 1
            self.unreadable += sight.trouble is not None
            changes += [settled.change for settled in sight.changes]
        return changes

    def put(self, position: Position) -> None:
        self.scene = replace(self.scene, position=position)

    def reach_in(self) -> None:
        hand = replace(random_hand(np.random.default_rng(4), BOX), tip_mm=(130.0, 150.0))
        self.scene = replace(self.scene, look=replace(self.scene.look, hand=hand))

    def leave(self) -> None:
        self.scene = replace(self.scene, look=replace(self.scene.look, hand=None))


def nudged(view: View, right_px: float, down_px: float) -> View:
    move = np.array([[1, 0, right_px], [0, 1, down_px], [0, 0, 1.0]])
    return replace(view, matrix=move @ view.matrix)


def test_houses_are_seen_as_they_come() -> None:
    film = Film()
    assert film.show(6) == []
    film.put(FIRST)
    assert film.show(6) == [Change(Position(), FIRST)]
    film.put(SECOND)
    assert film.show(6) == [Change(FIRST, SECOND)]


def test_a_hand_over_the_board_changes_nothing_and_hides_nothing_for_long() -> None:
    film = Film()
    film.put(FIRST)
    film.show(6)
    film.reach_in()
    assert film.show(3) == []
    film.put(SECOND)
    film.leave()
    assert film.show(6) == [Change(FIRST, SECOND)]


@pytest.mark.parametrize("nudge", [(15.0, 0.0), (-9.0, 12.0), (70.0, -30.0)])
def test_a_nudged_camera_is_found_again_and_the_game_goes_on(nudge: tuple[float, float]) -> None:
    film = Film()
    film.put(FIRST)
    film.show(6)
    film.scene = replace(film.scene, view=nudged(film.scene.view, *nudge))
    assert film.show(5) == []
    assert film.watcher.view is not None
    off = film.watcher.view.corners_px(BOX.board) - film.scene.view.corners_px(BOX.board)
    assert np.abs(off).max() < 3
    film.put(SECOND)
    assert film.show(6) == [Change(FIRST, SECOND)]


def test_another_lamp_changes_nothing() -> None:
    film = Film()
    film.put(FIRST)
    film.show(6)
    look = film.scene.look
    sensor = replace(look.sensor, exposure=0.5 * look.sensor.exposure, balance=(1.3, 1.0, 0.8))
    film.scene = replace(film.scene, look=replace(look, sensor=sensor))
    assert film.show(8) == []
    film.put(SECOND)
    assert film.show(6) == [Change(FIRST, SECOND)]


def test_a_dark_camera_is_trouble_and_the_game_is_not_lost() -> None:
    film = Film()
    film.put(FIRST)
    film.show(6)
    film.show(5, np.zeros((768, 1024, 3), np.uint8))
    assert film.unreadable >= 3, "it goes on saying so while nothing changes"
    film.put(SECOND)
    film.show(1)  # something moves: until it is still, the old trouble stands
    film.unreadable = 0
    assert film.show(6) == [Change(FIRST, SECOND)]
    assert film.unreadable == 0


def test_a_table_on_which_nothing_happens_is_left_alone() -> None:
    film = Film()
    film.show(8)
    image = render(film.scene, film.noise)
    looks = [film.watcher.see(Frame(image, 0.0, film.number + n)) for n in range(8)]
    assert [look.stillness for look in looks[2:]] == [Stillness.UNCHANGED] * 6
    assert all(look.reading is None for look in looks[2:])
