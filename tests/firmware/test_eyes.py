"""The thread that sees, when it is handed another watcher in the middle of a look."""

from __future__ import annotations

import queue
import threading
from dataclasses import replace

import numpy as np

from firmware.camera import CameraTrouble, Fault
from firmware.eyes import Eyes, Sighting
from firmware.snapshot import Failure
from rules.board import Position
from rules.box import Box
from rules.game import Game
from rules.packs.subdivision import PACK
from tests.firmware.test_session import CLASSIFIER
from tests.vision.looks import reading_of
from vision.frame import Frame
from vision.stillness import Stillness
from vision.watch import Look, Watcher

SIX = Game(PACK).box
SEVEN = Game(PACK, {"size": "7"}).box
SOON_S = 5.0


class SlowWatcher(Watcher):
    """Looks when it is let, and sees a board in its first frame only."""

    def __init__(self, box: Box) -> None:
        super().__init__(box, CLASSIFIER)
        self.begun, self.let = threading.Event(), threading.Event()
        self.has_read = False

    def look(self, frame: Frame) -> Look:
        self.begun.set()
        assert self.let.wait(SOON_S)
        reading = None if self.has_read else reading_of(Position())
        self.has_read = True
        return Look(frame, Stillness.STILL, reading)


class Camera:
    def __init__(self) -> None:
        self.number = 0
        self.is_unplugged = False

    def read(self) -> Frame:
        if self.is_unplugged:
            raise CameraTrouble(Fault.UNPLUGGED, "its plug is out")
        self.number += 1
        return Frame(np.zeros((4, 4, 3), np.uint8), float(self.number), self.number)

    def close(self) -> None:
        """Nothing is held."""


def test_a_look_is_of_the_watcher_it_was_begun_with() -> None:
    posted: queue.Queue[Sighting | Failure] = queue.Queue()
    old, new, camera = SlowWatcher(SIX), SlowWatcher(SEVEN), Camera()
    eyes = Eyes(camera, old, posted.put)
    eyes.start()
    try:
        assert old.begun.wait(SOON_S)
        eyes.use(new)
        old.let.set()
        late = posted.get(timeout=SOON_S)
        assert isinstance(late, Sighting)
        assert late.watcher is old
        assert eyes.picture is not None
        assert (eyes.picture.box, eyes.picture.reading is not None) == (SIX, True)

        new.let.set()
        eyes.taken_in()
        first = posted.get(timeout=SOON_S)
        assert isinstance(first, Sighting)
        assert first.watcher is new
        assert eyes.picture.box == SEVEN

        eyes.taken_in()
        posted.get(timeout=SOON_S)
        assert eyes.picture.reading is not None, "the newest reading of the same board"
        camera.is_unplugged = True
        eyes.taken_in()
        assert isinstance(posted.get(timeout=SOON_S), Failure)
    finally:
        eyes.close()
    assert not eyes.are_open


def test_what_was_read_of_another_board_is_not_drawn_over_the_new_one() -> None:
    posted: queue.Queue[Sighting | Failure] = queue.Queue()
    old, new = SlowWatcher(SIX), SlowWatcher(SEVEN)
    old.let.set()
    new.let.set()
    new.has_read = True  # it finds nothing to read
    eyes = Eyes(Camera(), old, posted.put)
    eyes.start()
    try:
        posted.get(timeout=SOON_S)
        assert eyes.picture is not None
        assert eyes.picture.reading is not None
        eyes.use(new)
        eyes.taken_in()
        posted.get(timeout=SOON_S)
        newest = replace(eyes.picture)
        assert (newest.box, newest.reading) == (SEVEN, None)
    finally:
        eyes.close()
