"""What the players agreed on: from settings to a board, a number of pyramids and of parks.

Parks fill up the board: there are as many free cells as pyramids. So two players with fifteen
pyramids each have six parks on the usual 6×6, and nineteen should they prefer 7×7. A board that is
too small for fifteen each is played with nine, whether that was said or not; one that is too small
for nine each is a mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from rules.board import Cell, Piece
from rules.box import Box, PieceFacts
from rules.errors import BadSetting
from rules.packs.subdivision.words import BOX, PARK, PIPS, USUAL, Variant

FIVE_EACH: Final = BOX.pieces["large"].count
THREE_EACH: Final = 3
_USUAL_SIZES: Final = {FIVE_EACH: {2: 6, 3: 7, 4: 8}, THREE_EACH: {2: 5, 3: 6, 4: 6}}


@dataclass(frozen=True, slots=True)
class Terms:
    players: tuple[str, ...]
    """In turn order."""
    size: int
    """Files and ranks of the board."""
    each: int
    """Pyramids of each size that a player has."""
    parks: int
    players_lay_parks: bool
    has_private_parks: bool

    def is_on_board(self, cell: Cell) -> bool:
        return cell.file < self.size and cell.rank < self.size


def agree(settings: Mapping[str, str]) -> Terms:
    """The terms that these settings lead to, or `BadSetting` where they do not go together.

    >>> agree({"players": "red blue green", "size": "usual", "variant": ""}).parks
    4
    """
    players = tuple(settings["players"].split())
    variants = settings["variant"].split()
    each = THREE_EACH if Variant.NINE_PYRAMIDS in variants else FIVE_EACH
    usual = _USUAL_SIZES[each][len(players)]
    size = usual if settings["size"] == USUAL else int(settings["size"])
    if size * size < _pyramids(players, each):
        each = THREE_EACH
    parks = size * size - _pyramids(players, each)
    if parks < 0:
        least = _USUAL_SIZES[THREE_EACH][len(players)]
        raise BadSetting(
            f"size cannot be {size} with {len(players)} players; expected {least} or more"
        )
    lay, private = (word in variants for word in (Variant.LAY_PARKS, Variant.PRIVATE_PARKS))
    return Terms(players, size, each, parks, lay, private)


def _pyramids(players: tuple[str, ...], each: int) -> int:
    return len(players) * len(PIPS) * each


def box_for(terms: Terms) -> Box:
    """What of the box is on the table."""
    pieces = {kind: _facts_for(terms, facts) for kind, facts in BOX.pieces.items()}
    board = replace(BOX.board, files=terms.size, ranks=terms.size)
    return replace(BOX, players=terms.players, board=board, pieces=pieces)


def _facts_for(terms: Terms, facts: PieceFacts) -> PieceFacts:
    if Piece(facts.kind) == PARK:
        return replace(facts, count=terms.parks)
    shade = {colour: facts.shade[colour] for colour in terms.players}
    return replace(facts, count=terms.each, colours=terms.players, shade=shade)


@cache
def customary_parks(size: int) -> tuple[Cell, ...]:
    """Where parks are usually laid, the usual places first: corners, then from the middle out.

    >>> customary_parks(6)[:6]
    (Cell('a1'), Cell('a6'), Cell('f1'), Cell('f6'), Cell('c3'), Cell('d4'))
    """
    last = size - 1
    corners = [(file, rank) for file in (0, last) for rank in (0, last)]
    from_middle = sorted(range(size), key=lambda step: (abs(2 * step - last), step))
    rising = [(step, step) for step in from_middle]
    falling = [(step, last - step) for step in from_middle]
    anywhere = [(file, rank) for file in from_middle for rank in from_middle]
    places = dict.fromkeys([*corners, *rising, *falling, *anywhere])
    return tuple(cell for place in places if (cell := Cell.at(*place)) is not None)
