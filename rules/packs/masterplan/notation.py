"""Masterplan in a written game: `c4ne` a house, `+d5` a park, `^d6` a tower.

The colour of a house is never written: it is the colour on turn.
"""

from __future__ import annotations

from typing import Final

from rules.board import Cell, Piece
from rules.errors import BadWord
from rules.events import Passed, Placed
from rules.packs.masterplan.wire import parse_place
from rules.packs.masterplan.words import HOUSE, PARK, TOWER

_MARKS: Final = {"+": PARK, "^": TOWER}
_MARK_OF: Final = {piece: mark for mark, piece in _MARKS.items()}


def parse_move(word: str, turn: str | None) -> Placed:
    """
    >>> parse_move("+d5", "white")
    Placed(cell=Cell('d5'), piece=Piece(kind='park', colour=None, anchor=None))
    """
    if word[0] in _MARKS:
        return Placed(Cell(word[1:]), _MARKS[word[0]])
    cell, anchor = parse_place(word)
    if anchor is None:
        raise BadWord("move", word, "an anchor behind the cell, such as c4ne")
    return Placed(cell, Piece(HOUSE, turn, anchor))


def format_move(event: Placed | Passed) -> str:
    if isinstance(event, Passed):
        raise TypeError("nobody passes in Masterplan")
    if event.piece.kind == HOUSE:
        return f"{event.cell}{event.piece.anchor or ''}"
    return f"{_MARK_OF[event.piece]}{event.cell}"
