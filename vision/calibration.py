"""What one table taught us about itself: where its board lies, and what is hard to tell on it.

The network reads sets it has never seen, so nothing is learnt here and nothing is needed for a
first try. A calibration only ever makes the referee quicker or more careful, never bolder:

- `view`: a crowded board shows few of its lines, an empty one all. While its outer corners look as
  they did on the empty board (`vision.landmarks`), it lies where it lay then; else it is sought, as
  without a calibration. Lines alone would not do: two cells further they look the same.
- orientation: samples on named cells tell which corner is a1, which a board without marker cards
  tells nobody else. Cards, where they lie, have the last word.
- `scale`: on a board that is not in the box, how large its cells are. A large pyramid on large
  cells looks like a smaller one on small cells. Cards have a known size, and so have samples.
- `is_doubtful`: where a sample was misread or unsure, everything on this table must be seen more
  surely (`STRICT`) to count as seen. The device asks where it would else have been wrong in
  silence; on a table whose samples are read surely, three in four, nothing changes.

Measured on 120 rendered tables by chance, other ones than those `STRICT` was chosen on, each with
five boards from nearly empty to full (600 pictures, each a first look):

                                      without     with its calibration
    boards not found                  14          1
    boards off by more than 3 px      22          2
    cells wrong                       53          44
    cells silently wrong              3           1
    cells unsure                      2.0 %       3.0 %

The line was raised on 30 of the tables; 13 more boards were read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import cycle, product
from math import dist
from typing import Final

import numpy as np

from rules.board import Anchor, Cell, Piece, Position
from rules.box import BoardFacts, Box
from vision.classify import Calibration, Classifier
from vision.frame import Frame
from vision.geometry import Image, View
from vision.labels import Labels
from vision.landmarks import Landmarks
from vision.markers import find_markers
from vision.reading import BoardReading, Unreadable
from vision.scale import scale_of
from vision.watch import Watcher

MOVED_PX: Final = 2.0
"""Twice found, a board that lies still is found closer to itself than that."""
STRICT: Final = 0.9995
"""How surely a thing must be seen on a table where a sample was hard to tell."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A piece that was put on a cell, and what it was taken for."""

    cell: Cell
    piece: Piece
    seen: Piece | None
    confidence: float
    is_sure: bool

    @property
    def is_right(self) -> bool:
        return self.seen == self.piece


@dataclass(frozen=True, slots=True)
class TableCalibration:
    game: str
    made: datetime
    view: View
    samples: tuple[Sample, ...]
    is_doubtful: bool
    """Something was misread or unsure: all has to be seen with `STRICT` confidence."""
    empty_bgr: Image | None = None
    """The picture of the empty board, to know its corners by."""
    scale: float | None = None
    """How much larger the cells are than the box says, as a logarithm; None: nobody knows."""


def choose_samples(box: Box) -> Position:
    """One piece of each kind and colour, far apart; each in another corner of its cell.

    >>> from rules.packs import load_pack
    >>> [f"{cell} {piece}" for cell, piece in choose_samples(load_pack("masterplan").box).items()]
    ['b2 Wne', 'g2 Ynw', 'b7 p', 'g7 t']
    """
    board = box.board
    right, high = board.files - 2, board.ranks - 2
    file, rank = board.files // 2, board.ranks // 2
    corners = ((1, 1), (right, 1), (1, high), (right, high))
    pieces = [
        Piece(kind, colour)
        for kind, facts in box.pieces.items()
        for colour in facts.colours or (None,)
    ]
    spots = [*corners, (file, 1), (file, high), (1, rank), (right, rank)]
    places = list(product(range(board.files), range(board.ranks)))
    while len(spots) < min(len(pieces), len(places)):
        spots.append(max(places, key=lambda place: min(map(partial(dist, place), spots))))
    anchors = cycle((Anchor.NE, Anchor.NW, Anchor.SE, Anchor.SW))
    put: dict[Cell, Piece] = {}
    for spot, piece, anchor in zip(spots, pieces, anchors, strict=False):
        cell = Cell.at(*spot)
        if cell is not None:
            put[cell] = piece._replace(anchor=anchor if box.pieces[piece.kind].anchored else None)
    return Position(put, board.files, board.ranks)


def measure(
    box: Box, wanted: Position, empty: BoardReading, sampled: BoardReading, made: datetime
) -> TableCalibration:
    """From a look at the empty board and one at the samples on it, the board not moved between."""
    samples = tuple(
        Sample(cell, piece, seen.piece, seen.confidence, cell not in sampled.unsure)
        for cell, piece in wanted.items()
        for seen in (sampled.cells[cell],)
    )
    looks = ((empty, Position(files=wanted.files, ranks=wanted.ranks)), (sampled, wanted))
    is_doubtful = any(reading.unsure or reading.position != truth for reading, truth in looks)
    scale = sampled.scale
    if scale is None:
        scale = scale_of(sampled, wanted, Labels(box))
    return TableCalibration(box.game, made, sampled.view, samples, is_doubtful, scale=scale)


def classifier_for(box: Box, calibration: TableCalibration) -> Classifier:
    """As careful as this table asks for."""
    usual = Calibration.load(box.game)
    line = max(usual.sure_from, STRICT) if calibration.is_doubtful else usual.sure_from
    return Classifier(box, replace(usual, sure_from=line))


class CalibratedWatcher(Watcher):
    """Knows the board's corners from its empty days, and keeps to the one that was a1."""

    def __init__(self, box: Box, calibration: TableCalibration) -> None:
        super().__init__(box, classifier_for(box, calibration))
        self._known = calibration.view
        self.scale = calibration.scale
        self._corners = (
            Landmarks(calibration.empty_bgr, calibration.view, box.board)
            if calibration.empty_bgr is not None
            else None
        )

    def _find(self, frame: Frame) -> View | Unreadable:
        image, before = frame.image_bgr, self.view
        if before is None and self._corners is not None and self._corners.hold(image):
            self.view, self._landmarks = self._known, self._corners
        found = super()._find(frame)
        if found is before or isinstance(found, Unreadable):
            return found
        self.view = orient(found, before or self._known, image, self.box.board)
        return self.view


def orient(view: View, known: View, image_bgr: Image, board: BoardFacts) -> View:
    """The view with a1 where the cards say, or without any where it is known to be."""
    here, there = view.corners_px(board), known.corners_px(board)
    turns = find_markers(image_bgr).turns(here)
    if turns is None:
        off = {by: np.abs(np.roll(here, -by, axis=0) - there).sum() for by in ways_round(board)}
        turns = min(off, key=lambda by: off[by])
    return turn(view, board, turns if turns in ways_round(board) else 0)


def has_moved(view: View, other: View, board: BoardFacts) -> bool:
    """Does the board lie elsewhere, whichever of its corners is called a1?"""
    here, there = view.corners_px(board), other.corners_px(board)
    offs = (np.abs(np.roll(here, by, axis=0) - there).max() for by in ways_round(board))
    return bool(view.size_wh != other.size_wh or min(offs) > MOVED_PX)


def turn(view: View, board: BoardFacts, turns: int) -> View:
    """The same board with another of its corners as a1."""
    if turns == 0:
        return view
    corners = np.roll(view.corners_px(board), -turns, axis=0)
    return View.from_corners(view.size_wh, corners, board, view.k1)


def ways_round(board: BoardFacts) -> tuple[int, ...]:
    """How a board can lie: an oblong one fits its own outline in two ways only."""
    return (0, 1, 2, 3) if board.files == board.ranks else (0, 2)


def read_turned(
    image_bgr: Image, reading: BoardReading, wanted: Position, classifier: Classifier
) -> BoardReading:
    """The reading with the corner as a1 for which the samples stand where they were asked for.

    Anchors turn with the board, so one house alone tells. Cards that lie around it know better,
    and where nothing fits better than the view as it was, that is kept.
    """
    board = classifier.labels.box.board
    if find_markers(image_bgr).ids:
        return reading
    best, most = reading, fitting(reading, wanted)
    for turns in ways_round(board)[1:]:
        turned = classifier.read(image_bgr, turn(reading.view, board, turns), reading.scale)
        if fitting(turned, wanted) > most:
            best, most = turned, fitting(turned, wanted)
    return best


def fitting(reading: BoardReading, wanted: Position) -> int:
    """How many samples are read as what they are."""
    return sum(reading.cells[cell].piece == piece for cell, piece in wanted.items())
