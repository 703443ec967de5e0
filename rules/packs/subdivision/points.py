"""Points: how the score of each player comes about, from pieces as they stand.

    score = pips − groups − the cost of each large + 3 for each private park

Nothing of it is kept from move to move: an account is made anew of the whole position, because one
small can cost three players a point and one medium can join four groups.

A park is private to a group that stands on every cell near it. Cells off the board and cells with
another park do not count; a park with no other cell near it is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rules.bits import board_bits, cells_of, shift
from rules.board import ALL_CELLS, Anchor, Cell, Piece
from rules.packs.subdivision.terms import Terms
from rules.packs.subdivision.words import (
    CROWDED,
    GROUP,
    JOINED,
    LARGE,
    PIPS,
    PLACED,
    PRIVATE,
    SMALL,
    Account,
    LargeCount,
)
from rules.verdict import Gain

MOST_COST: Final = 3
"""A large is worth nothing at worst."""
PRIVATE_PARK_POINTS: Final = 3

_STRAIGHT: Final = (Anchor.N, Anchor.E, Anchor.S, Anchor.W)


def spread(bits: int, ways: tuple[Anchor, ...] = tuple(Anchor)) -> int:
    """Every cell one step away from one of these, and bits that belong to no cell of the board."""
    around = 0
    for way in ways:
        around |= shift(bits, way)
    return around


NEAR: Final = {cell: spread(cell.bit) for cell in ALL_CELLS}


def take_stock(terms: Terms, standing: Mapping[Piece, int], parks: int) -> dict[str, Account]:
    """The account of every player."""
    smalls = 0
    for piece, bits in standing.items():
        if piece.kind == SMALL:
            smalls |= bits
    return {colour: _account(terms, standing, parks, smalls, colour) for colour in terms.players}


def _account(
    terms: Terms, standing: Mapping[Piece, int], parks: int, smalls: int, colour: str
) -> Account:
    own = {kind: standing[Piece(kind, colour)] for kind in PIPS}
    pips = sum(PIPS[kind] * bits.bit_count() for kind, bits in own.items())
    groups = list(_groups(_bits_of_colour(standing, colour)))
    larges = tuple(_count_large(cell, smalls) for cell in cells_of(own[LARGE]))
    private = _private_parks(terms, parks, groups) if terms.has_private_parks else ()
    score = pips - len(groups) - sum(large.cost for large in larges)
    score += PRIVATE_PARK_POINTS * len(private)
    return Account(pips, tuple(sorted(map(cells_of, groups))), larges, private, score)


def _groups(bits: int) -> Iterator[int]:
    while bits:
        group, more = 0, bits & -bits
        while more:
            group |= more
            more = spread(group, _STRAIGHT) & bits & ~group
        yield group
        bits &= ~group


def _count_large(cell: Cell, smalls: int) -> LargeCount:
    near = cells_of(NEAR[cell] & smalls)
    return LargeCount(cell, near, min(max(len(near) - 1, 0), MOST_COST))


def _private_parks(terms: Terms, parks: int, groups: list[int]) -> tuple[Cell, ...]:
    private = []
    for cell in cells_of(parks):
        around = NEAR[cell] & board_bits(terms.size, terms.size) & ~parks
        if around and any(around & ~group == 0 for group in groups):
            private.append(cell)
    return tuple(private)


def list_account(accounts: Mapping[str, Account], standing: Mapping[Piece, int]) -> list[Gain]:
    """Every point of every player, piece by piece and group by group."""
    gains: list[Gain] = []
    for colour, account in accounts.items():
        piece_on = {
            cell: Piece(kind, colour)
            for kind in PIPS
            for cell in cells_of(standing[Piece(kind, colour)])
        }
        for cell in sorted(piece_on):
            gains.append(Gain(cell, cell, piece_on[cell], PIPS[piece_on[cell].kind], PLACED))
        for cell, *others in account.groups:
            gains.append(Gain(cell, cell, piece_on[cell], -1, GROUP, tuple(others)))
        for large in account.larges:
            if large.cost:
                at, piece = large.cell, piece_on[large.cell]
                gains.append(Gain(at, at, piece, -large.cost, CROWDED, large.smalls))
        for park in account.private_parks:
            cell, *others = cells_of(NEAR[park] & _bits_of_colour(standing, colour))
            points = PRIVATE_PARK_POINTS
            gains.append(Gain(park, cell, piece_on[cell], points, PRIVATE, tuple(others)))
    return gains


def _bits_of_colour(standing: Mapping[Piece, int], colour: str) -> int:
    bits = 0
    for kind in PIPS:
        bits |= standing[Piece(kind, colour)]
    return bits


def list_gains(
    before: Mapping[str, Account], after: Mapping[str, Account], cell: Cell, piece: Piece
) -> list[Gain]:
    """What this piece on this cell has just gained its owner and cost everybody."""
    assert piece.colour is not None  # a park gains nothing
    gains = [Gain(cell, cell, piece, PIPS[piece.kind], PLACED)]
    was, now = before[piece.colour], after[piece.colour]
    fewer = len(was.groups) - len(now.groups)
    if fewer:
        group = next(group for group in now.groups if cell in group)
        others = tuple(other for other in group if other != cell)
        gains.append(Gain(cell, cell, piece, fewer, JOINED if fewer > 0 else GROUP, others))
    for colour, account in after.items():
        cost_of = {large.cell: large.cost for large in before[colour].larges}
        for large in account.larges:
            more = large.cost - cost_of.get(large.cell, 0)
            if more:
                owner = Piece(LARGE, colour)
                gains.append(Gain(cell, large.cell, owner, -more, CROWDED, large.smalls))
    for park in now.private_parks:
        if park not in was.private_parks:
            gains.append(Gain(park, cell, piece, PRIVATE_PARK_POINTS, PRIVATE))
    return gains
