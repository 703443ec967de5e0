"""From a camera's frames to certain changes: the stages of seeing, one behind the other.

    frame → still enough? → where is the board? → what stands there? → is it certain? → change

A board once found is not sought again while its corners stay where they are; a nudge moves the
view, and where the board cannot be found any more, it is sought anew. Nothing is ever read from a
place that was not verified in this very frame. What a hand hides stays as it was known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.board import Cell, Position
from rules.box import Box
from vision.classify import Classifier
from vision.frame import Frame
from vision.geometry import View
from vision.landmarks import STEADY_PX, Landmarks
from vision.locate import Located, locate, relocate
from vision.reading import BoardReading, Unreadable
from vision.settle import STILLS, Patience, Settle, Settled
from vision.stillness import Gate, Stillness

REREAD_FRAMES: Final = 25
"""An unchanged table is read again after so many frames, in case the thumbnail overlooked it."""
DOUBT_FRAMES: Final = 5
"""While a cell is unsure, the table is read again so often: noise and light may be kinder."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What one frame gave."""

    stillness: Stillness
    reading: BoardReading | None = None
    """Where the board was read in this frame."""
    trouble: Unreadable | None = None
    changes: tuple[Settled, ...] = ()


class Watcher:
    def __init__(self, box: Box, classifier: Classifier | None = None) -> None:
        self.box = box
        self.classifier = classifier or Classifier(box)
        self.settle = Settle(Position(files=box.board.files, ranks=box.board.ranks))
        self.view: View | None = None
        self._landmarks: Landmarks | None = None
        self._gate = Gate()
        self._last_read = -REREAD_FRAMES
        self._doubtful = False
        self._trouble: Unreadable | None = None
        """Why the table could not be read when it was last tried."""

    def see(self, frame: Frame, loose: Iterable[Cell] = ()) -> Sight:
        """`loose` are the cells on which the referee waits for something to be put right."""
        self.settle.patience = STILLS if frame.is_still else Patience()
        stillness = Stillness.STILL if frame.is_still else self._gate.judge(frame.image_bgr)
        if not self._is_worth_reading(stillness, frame.number):
            return Sight(stillness, trouble=self._trouble)
        self._gate.was_read()
        self._last_read = frame.number
        found = self._find(frame)
        if isinstance(found, Unreadable):
            # To seek in vain takes long, so not in every frame of a table that does not change.
            self._trouble = found
            return Sight(stillness, trouble=found)
        self._trouble = None
        reading = self.classifier.read(frame.image_bgr, found)
        self._doubtful = bool(reading.unsure)
        changes = self.settle.see(reading, frame.number, loose)
        return Sight(stillness, reading, changes=tuple(changes))

    def _is_worth_reading(self, stillness: Stillness, number: int) -> bool:
        since = number - self._last_read
        if stillness is Stillness.MOVING:
            return False
        if stillness is Stillness.STILL:
            return True
        if self.settle.wants_another_look:
            return since >= self.settle.patience.apart
        return since >= (DOUBT_FRAMES if self._doubtful else REREAD_FRAMES)

    def _find(self, frame: Frame) -> View | Unreadable:
        image, board = frame.image_bgr, self.box.board
        if self.view is not None and self._landmarks is not None and self._landmarks.hold(image):
            return self.view
        found: Located | Unreadable
        found = locate(image, board) if self.view is None else relocate(image, board, self.view)
        if isinstance(found, Unreadable):
            return found
        if self.view is None or self._has_moved(self.view, found.view):
            self.view = found.view
            self.settle.forget()  # half of what waits was read with a view that was off
        self._landmarks = Landmarks(image, self.view, board)
        return self.view

    def _has_moved(self, old: View, new: View) -> bool:
        if old.size_wh != new.size_wh:
            return True
        shift = old.corners_px(self.box.board) - new.corners_px(self.box.board)
        return float(np.abs(shift).max()) > STEADY_PX
