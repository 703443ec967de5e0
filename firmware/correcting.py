"""A player says that something was read wrongly: what could stand there instead, and what follows.

Where the wrong reading came into the game as an event, that event is amended and all that followed
is judged anew; where it did not, what the player says is an event of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from firmware.dialog import Answer, Holds, Listing, Topic
from rules.board import Anchor, Cell, Piece
from rules.box import Box
from rules.events import Amended, LeftStanding, Moved, Placed
from rules.game import Game
from vision.reading import CellReading


def amendment(game: Game[Any], cell: Cell, piece: Piece | None) -> Amended | None:
    """What to tell the game if this is what stands on the cell; None if it knows, or no event
    brought it."""
    lying = game.verdict.table.get(cell)
    for number in reversed(range(len(game.steps))):
        event = game.steps[number].event
        if isinstance(event, Placed | Moved | LeftStanding) and event.cell == cell:
            if event.piece != lying or event.piece == piece:
                return None
            return Amended(number, None if piece is None else replace(event, piece=piece))
    return None


def last_placed(game: Game[Any]) -> Cell | None:
    """Where the newest piece stands: what is corrected is mostly that."""
    table = game.verdict.table
    placed = (s.event.cell for s in reversed(game.steps) if isinstance(s.event, Placed))
    return next((cell for cell in placed if cell in table), None)


def correction(game: Game[Any], cell: Cell, seen: CellReading | None) -> Listing:
    """What could stand on the cell instead: what it looks like, what is easily mistaken, the rest.

    The likeliest answer comes first, so that three presses do: hold, choose, confirm.
    """
    piece, box = game.verdict.table.get(cell), game.box
    likely = [guess for guess, _ in seen.guesses] if seen is not None else []
    others = [p for p in dict.fromkeys([*likely, *_mistakable(piece, box)]) if p != piece]
    answers = tuple(Holds(cell, other) for other in others)
    return Listing(Topic.CORRECT, (*answers, Answer.OTHER_CELL), cell=cell)


def _mistakable(piece: Piece | None, box: Box) -> Iterator[Piece | None]:
    """Every content of a cell: a neighbouring anchor before another piece, the like, the rest.

    What is as like it as can be comes first: another size of the same colour.
    """
    if piece is not None and piece.anchor is not None:
        ring = tuple(Anchor)
        at = ring.index(piece.anchor)
        for off in (1, -1, 2, -2, 3, -3, 4):
            yield piece._replace(anchor=ring[(at + off) % len(ring)])
    anchor = piece.anchor if piece is not None else None
    others = [
        Piece(facts.kind, colour, (anchor or Anchor.N) if facts.anchored else None)
        for facts in box.pieces.values()
        for colour in facts.colours or (None,)
    ]
    if piece is not None and piece.anchor is None and piece.colour is not None:
        others.sort(key=lambda other: (other.colour != piece.colour, other.kind != piece.kind))
    yield from others
    yield None
