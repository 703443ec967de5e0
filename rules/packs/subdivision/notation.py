"""Subdivision in a written game: `Lc3`, `Mc4` and `Sd4` are pyramids, `+a1` a park, `pass` a pass.

The colour of a pyramid is never written: it is the colour on turn.
"""

from __future__ import annotations

from typing import Final

from rules.board import Cell, Piece
from rules.errors import BadWord
from rules.events import Passed, Placed
from rules.packs.subdivision.words import PARK, PIPS

PASS: Final = "pass"
_PARK_MARK: Final = "+"
_KINDS: Final = {kind[0].upper(): kind for kind in PIPS}


def parse_move(word: str, turn: str | None) -> Placed | Passed:
    """
    >>> parse_move("Lc3", "red")
    Placed(cell=Cell('c3'), piece=Piece(kind='large', colour='red', anchor=None))
    """
    if word.startswith(_PARK_MARK):
        return Placed(Cell(word[1:]), PARK)
    if turn is None:
        raise BadWord("move", word, "nothing: the game is over")
    if word == PASS:
        return Passed(turn)
    if word[:1] not in _KINDS:
        raise BadWord("move", word, "L, M or S and a cell such as Lc3, +a1 for a park, or pass")
    return Placed(Cell(word[1:]), Piece(_KINDS[word[0]], turn))


def format_move(event: Placed | Passed) -> str:
    if isinstance(event, Passed):
        return PASS
    mark = _PARK_MARK if event.piece == PARK else event.piece.kind[0].upper()
    return f"{mark}{event.cell}"
