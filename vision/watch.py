"""From a camera's frames to certain changes: the stages of seeing, one behind the other.

    frame → still enough? → where is the board? → what stands there? → is it certain? → change

A board once found is not sought again while its corners stay where they are; a nudge moves the
view, and where the board cannot be found any more, it is sought anew. Nothing is ever read from a
place that was not verified in this very frame. What a hand hides stays as it was known.

Looking takes long and knows nothing of the game; taking in what was seen takes no time and changes
what is known. So `look` may run in a thread of its own while `take_in` belongs to whoever owns the
game; `see` does both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.board import Cell, Position
from rules.box import BoardFacts, Box
from vision.classify import Classifier
from vision.frame import Frame
from vision.geometry import View
from vision.landmarks import STEADY_PX, Landmarks
from vision.locate import Located, locate, relocate
from vision.part import Part, PartFinder
from vision.reading import BoardReading, Unreadable
from vision.scale import scale_of
from vision.settle import STILLS, Patience, Settle, Settled
from vision.stillness import Gate, Stillness

REREAD_FRAMES: Final = 25
"""An unchanged table is read again after so many frames, in case the thumbnail overlooked it."""
DOUBT_FRAMES: Final = 5
"""While a cell is unsure, the table is read again so often: noise and light may be kinder."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows, before it is held against what is known."""

    frame: Frame
    stillness: Stillness
    reading: BoardReading | None = None
    """Where the board was read in this frame."""
    trouble: Unreadable | None = None
    has_moved: bool = False
    """The board is not where it was when it was last read."""


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
        self.scale: float | None = None
        """How much larger the cells are than the box says, as a logarithm, as far as that was
        measured; else `_told` says what named pieces tell; None: nobody knows."""
        self._told: float | None = None
        self._whole: Located | None = None
        """The whole of the board, where only a part of it is played on."""
        self._part = Part()
        self._find_part: PartFinder | None = None
        self._landmarks: Landmarks | None = None
        self._gate = Gate()
        self._last_read = -REREAD_FRAMES
        self._doubtful = False
        self._trouble: Unreadable | None = None
        """Why the table could not be read when it was last tried."""

    def see(self, frame: Frame, loose: Iterable[Cell] = ()) -> Sight:
        """`loose` are the cells on which the referee waits for something to be put right."""
        return self.take_in(self.look(frame), loose)

    def look(self, frame: Frame) -> Look:
        stillness = Stillness.STILL if frame.is_still else self._gate.judge(frame.image_bgr)
        if not self._is_worth_reading(stillness, frame.number):
            return Look(frame, stillness, trouble=self._trouble)
        self._gate.was_read()
        self._last_read = frame.number
        before = self.view
        found = self._find(frame)
        if isinstance(found, Unreadable):
            # To seek in vain takes long, so not in every frame of a table that does not change.
            self._trouble = found
            return Look(frame, stillness, trouble=found)
        self._trouble = None
        reading = self.classifier.read(frame.image_bgr, found, self._known_scale())
        self._learn_scale(reading)
        self._doubtful = bool(reading.unsure)
        return Look(frame, stillness, reading, has_moved=found is not before)

    def take_in(self, look: Look, loose: Iterable[Cell] = ()) -> Sight:
        self.settle.patience = STILLS if look.frame.is_still else Patience()
        if look.has_moved:
            self.settle.forget()  # half of what waits was read with a view that was off
        if look.reading is None:
            return Sight(look.stillness, trouble=look.trouble)
        changes = self.settle.see(look.reading, look.frame.number, loose)
        return Sight(look.stillness, look.reading, changes=tuple(changes))

    def _is_worth_reading(self, stillness: Stillness, number: int) -> bool:
        since = number - self._last_read
        if stillness is Stillness.MOVING:
            return False
        if stillness is Stillness.STILL:
            return True
        if self.settle.wants_another_look:
            return since >= self.settle.patience.apart
        return since >= (DOUBT_FRAMES if self._doubtful else REREAD_FRAMES)

    def _learn_scale(self, reading: BoardReading) -> None:
        vouched, labels = self.settle.vouched, self.classifier.labels
        if any(piece.kind in labels.widths for piece in vouched.values()):
            self._told = scale_of(reading, vouched, labels)

    def _known_scale(self) -> float | None:
        return self._told if self.scale is None else self.scale

    def _find(self, frame: Frame) -> View | Unreadable:
        if self._whole is not None and self._find_part is not None:
            return self._find_on(self._whole, self._find_part, frame)
        image, board = frame.image_bgr, self.box.board
        if self.view is not None and self._landmarks is not None and self._landmarks.hold(image):
            return self.view
        found: Located | Unreadable
        found = locate(image, board) if self.view is None else relocate(image, board, self.view)
        if isinstance(found, Unreadable):
            return found
        self.scale = self.scale if found.scale is None else found.scale
        if found.board != board:
            return self._go_on_with(found, frame)
        if self.view is None or self._has_moved(self.view, found.view):
            self.view = found.view
        self._landmarks = Landmarks(image, self.view, board)
        return self.view

    def _go_on_with(self, whole: Located, frame: Frame) -> View:
        """From now on a part of this larger board is watched."""
        self._whole, self._find_part = whole, PartFinder(self.classifier, self.box, whole.board)
        self._landmarks = Landmarks(frame.image_bgr, whole.view, whole.board)
        return self._look_at_part(whole, self._find_part, frame)

    def _find_on(self, whole: Located, find_part: PartFinder, frame: Frame) -> View | Unreadable:
        image = frame.image_bgr
        if self._landmarks is None or not self._landmarks.hold(image):
            found = relocate(image, whole.board, whole.view)
            if isinstance(found, Unreadable):
                return found
            if found.board != whole.board:  # another board has been laid there
                self.view, self._whole, self._find_part = None, None, None
                return self._find(frame)
            if self._has_moved(whole.view, found.view, whole.board):
                whole, self._whole, self.view = found, found, None
            self._landmarks = Landmarks(image, whole.view, whole.board)
        return self._look_at_part(whole, find_part, frame)

    def _look_at_part(self, whole: Located, find_part: PartFinder, frame: Frame) -> View:
        known = self.settle.known
        scale = self._known_scale()
        part = find_part(frame.image_bgr, whole.view, scale, known, self._part)
        if self.view is None or part != self._part:
            self._part, self.view = part, part.view(whole.view, whole.board)
        return self.view

    def _has_moved(self, old: View, new: View, board: BoardFacts | None = None) -> bool:
        if old.size_wh != new.size_wh:
            return True
        board = board or self.box.board
        shift = old.corners_px(board) - new.corners_px(board)
        return float(np.abs(shift).max()) > STEADY_PX
