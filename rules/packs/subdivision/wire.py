"""Subdivision for programs: placements in and statements out, in the shapes others rely on.

>>> parse_placement({"place": "large", "cell": "c3", "colour": "red"})
Placed(cell=Cell('c3'), piece=Piece(kind='large', colour='red', anchor=None))
>>> format_placement(parse_placement({"block": "a1"}))
{'block': 'a1'}

Parks that are set up before the game are not answered; where players lay them in turn, they are
`placed` like a pyramid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.board import Cell, Piece
from rules.errors import BadLine, BadWord
from rules.events import Placed
from rules.packs.subdivision.words import (
    BOX,
    PARK,
    PIPS,
    Account,
    FinalCount,
    MustPass,
    PieceStands,
    TurnPassed,
)
from rules.verdict import Over, Statement

EXPECTED: Final = (
    '{"place": "large", "cell": "c3", "colour": "red"}, {"block": "a1"}, {"pass": "red"} or '
    '{"take": "c3"}; settings such as {"players": ["red", "blue"]} only in the first line'
)


def parse_placement(line: Mapping[str, object]) -> Placed:
    keys = set(line)
    if keys == {"block"}:
        return Placed(_parse_cell(line["block"]), PARK)
    if keys == {"place", "cell", "colour"}:
        kind = _parse_word("pyramid", line["place"], tuple(PIPS))
        colour = _parse_word("colour", line["colour"], BOX.players)
        return Placed(_parse_cell(line["cell"]), Piece(kind, colour))
    got = ", ".join(sorted(keys)) if keys else "none"
    raise BadLine(f"the keys are not those of a placement: got {got[:60]}, expected {EXPECTED}")


def _parse_cell(word: object) -> Cell:
    if not isinstance(word, str):
        raise BadWord("cell", word, "a1 to h8")
    return Cell(word)


def _parse_word(what: str, word: object, choices: tuple[str, ...]) -> str:
    if not isinstance(word, str) or word not in choices:
        raise BadWord(what, word, " or ".join(choices))
    return word


def format_placement(event: Placed) -> dict[str, str]:
    if event.piece == PARK:
        return {"block": str(event.cell)}
    cell, colour = str(event.cell), event.piece.colour or ""
    return {"place": event.piece.kind, "cell": cell, "colour": colour}


def format_statement(statement: Statement) -> dict[str, object]:
    """What only this game says; `rules.wire` adds the word and knows the rest."""
    match statement:
        case PieceStands(ply, colour, kind, cell, score):
            return {"ply": ply, "colour": colour, "piece": kind, "cell": cell, "score": score}
        case TurnPassed(ply, colour):
            return {"ply": ply, "colour": colour}
        case MustPass(colour):
            return {"colour": colour}
        case Over(outcome) if isinstance(outcome, FinalCount):
            return {
                "score": outcome.score,
                "account": {c: _format_account(a) for c, a in outcome.accounts.items()},
                "winners": outcome.winners,
            }
    raise TypeError(f"this game never says {statement!r}")


def _format_account(account: Account) -> dict[str, object]:
    return {
        "pips": account.pips,
        "groups": len(account.groups),
        "larges": [
            {"cell": large.cell, "smalls": len(large.smalls), "cost": large.cost}
            for large in account.larges
        ],
        "private_parks": len(account.private_parks),
    }
