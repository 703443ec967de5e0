"""Two looks at the table: what any game can tell from them before it asks its own rules.

A pack's `interpret` starts from here: what went, what is new, and which of these are one piece that
was only shifted. What the rest means, and in which order it happened, only the game can say.
"""

from __future__ import annotations

from typing import Final

from rules.board import Cell, Piece
from rules.events import Change, Moved
from rules.pack import GameState
from rules.table import is_same_but_for_place

# Why a change cannot be told: the referee asks, and never guesses.
TOO_MUCH: Final = "too-much-changed"
ORDER_UNKNOWN: Final = "order-unknown"
TAKEN_BACK: Final = "taken-back"

MOST_NEW_PIECES: Final = 12
"""More than two long turns at once is no game any more but a table being set up or cleared."""


def split(change: Change) -> tuple[dict[Cell, Piece], dict[Cell, Piece]]:
    """What went, and what is new, by cell; a cell that holds something else is in both."""
    before, after = change.before, change.after
    gone = {cell: piece for cell, piece in before.items() if after.get(cell) != piece}
    new = {cell: piece for cell, piece in after.items() if before.get(cell) != piece}
    return gone, new


def stands(state: GameState, cell: Cell) -> bool:
    """The piece seen here is one that stands by right."""
    table = state.table
    return cell in state.position and cell not in table.missing and cell not in table.beside


def pick_moves(state: GameState, gone: dict[Cell, Piece], new: dict[Cell, Piece]) -> list[Moved]:
    """Pieces that left one place and turned up in another, where it is clear which is which.

    They are taken out of `gone` and `new`.
    """
    moves = []
    for origin, piece in sorted(gone.items()):
        here = new.get(origin)
        if here is not None and is_same_but_for_place(piece, here):
            if stands(state, origin) or state.position.get(origin) == here:
                moves.append(Moved(origin, origin, here))
            continue
        twins = [c for c, other in gone.items() if is_same_but_for_place(piece, other)]
        targets = [c for c, other in new.items() if is_same_but_for_place(piece, other)]
        if len(twins) == len(targets) == 1:
            target = targets[0]
            comes_home = target in state.table.missing and state.position[target] == new[target]
            if stands(state, origin) or comes_home:
                moves.append(Moved(origin, target, new[target]))
    for move in moves:
        new.pop(move.cell)
        gone.pop(move.origin)
    return moves
