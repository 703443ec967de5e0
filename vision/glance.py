"""A first look at a picture that nothing is known about: `locate`, then read.

Where a game brings no board, the board that lies there says how many cells it has. If the players
have agreed on fewer, they play on a part of it (`vision.part`). If nobody said what they agreed on,
it is all of the board, unless flat markers lie in the corners of a part that holds every piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.board import Position
from rules.box import BoardFacts, Box
from vision.classify import Classifier
from vision.geometry import Image
from vision.locate import Located, locate
from vision.part import CORNERS_SAY, Part, PartFinder, choose_part, count_marked
from vision.reading import BoardReading, Unreadable


def glance(
    image_bgr: Image,
    classifier: Classifier,
    boards: Sequence[BoardFacts] = (),
    use_markers: bool = True,
) -> BoardReading | Unreadable:
    """The reading has as many files and ranks as the board that is played on.

    `boards` are those it may be, the likeliest first, where nobody said which; none where it is
    the classifier's own.
    """
    box = classifier.box
    found: Located | Unreadable | None = None
    for board in boards or (box.board,):
        found = locate(image_bgr, board, use_markers)
        if isinstance(found, Located):
            break
    assert found is not None  # at least one board was sought
    if isinstance(found, Unreadable):
        return found
    reading = _read(image_bgr, classifier, found, box, boards)
    return replace(reading, advice=found.advice + reading.advice)


def _read(
    image_bgr: Image,
    classifier: Classifier,
    found: Located,
    box: Box,
    boards: Sequence[BoardFacts],
) -> BoardReading:
    if found.board == box.board:
        return classifier.read(image_bgr, found.view, found.scale)
    if not boards:
        find_part = PartFinder(classifier, box, found.board)
        nothing = Position(files=box.board.files, ranks=box.board.ranks)
        part = find_part(image_bgr, found.view, found.scale, nothing, Part())
        return classifier.read(image_bgr, part.view(found.view, found.board), found.scale)
    whole = classifier.for_board(found.board)
    reading = whole.read(image_bgr, found.view, found.scale)
    for board in boards:
        if board.files < found.board.files:
            marked = _marked_part(reading.position, replace(box, board=board))
            if marked is not None:
                view = marked.view(found.view, found.board)
                return classifier.for_board(board).read(image_bgr, view, found.scale)
    return reading


def _marked_part(seen: Position, box: Box) -> Part | None:
    """The part of this size that players have marked off, if they have."""
    nothing = Position(files=box.board.files, ranks=box.board.ranks)
    part = choose_part(seen, nothing, box, Part())
    there = part.cut(seen, box.board)
    is_marked = count_marked(there, box) >= CORNERS_SAY and len(there) == len(seen)
    return part if is_marked else None
