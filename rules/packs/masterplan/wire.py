"""Masterplan for programs: placements in and statements out, in the shapes others rely on.

>>> parse_placement({"house": "c4ne", "colour": "white"})
Placed(cell=Cell('c4'), piece=Piece(kind='house', colour='white', anchor=<Anchor.NE: 'ne'>))
>>> format_placement(parse_placement({"park": "d5"}))
{'park': 'd5'}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.board import Anchor, Cell, Piece
from rules.errors import BadLine, BadWord
from rules.events import Placed
from rules.packs.masterplan.words import (
    HOUSE,
    PARK,
    PLAYERS,
    TOWER,
    FinalCount,
    Forgotten,
    HouseStands,
    ParkLies,
    TowerStands,
)
from rules.verdict import Outcome, Over, Statement

EXPECTED = '{"house": "c4ne", "colour": "white"}, {"park": "d5"}, {"tower": "e5"} or {"take": "c4"}'


def parse_place(word: object) -> tuple[Cell, Anchor | None]:
    """`c4ne` as cell and anchor; just `c4` is a house that stands in no anchor."""
    if not isinstance(word, str):
        raise BadWord("place for a house", word, "a cell and an anchor such as c4ne")
    cell, anchor = Cell(word[:2]), word[2:]
    if not anchor:
        return cell, None
    try:
        return cell, Anchor(anchor)
    except ValueError:
        raise BadWord("anchor", anchor, " ".join(Anchor)) from None


def parse_placement(line: Mapping[str, object]) -> Placed:
    keys = set(line)
    if keys == {"house", "colour"}:
        cell, anchor = parse_place(line["house"])
        colour = line["colour"]
        if not isinstance(colour, str) or colour not in PLAYERS:
            raise BadWord("colour", colour, " or ".join(PLAYERS))
        return Placed(cell, Piece(HOUSE, colour, anchor))
    for piece in (PARK, TOWER):
        if keys == {piece.kind}:
            word = line[piece.kind]
            if not isinstance(word, str):
                raise BadWord("cell", word, "a1 to h8")
            return Placed(Cell(word), piece)
    got = ", ".join(sorted(keys)) if keys else "none"
    raise BadLine(f"the keys are not those of a placement: got {got[:60]}, expected {EXPECTED}")


def format_placement(event: Placed) -> dict[str, str]:
    piece = event.piece
    if piece.kind == HOUSE and piece.colour is not None:
        return {"house": f"{event.cell}{piece.anchor or ''}", "colour": piece.colour}
    return {piece.kind: str(event.cell)}


def _format_house(said: HouseStands) -> dict[str, object]:
    due: dict[str, object] = {"parks": said.parks, "towers": said.towers}
    if said.choose is not None:
        due["choose"] = said.choose
    return {
        "ply": said.ply,
        "colour": said.colour,
        "cell": said.cell,
        "anchor": said.anchor,
        "due": due,
    }


def _format_park(said: ParkLies) -> dict[str, object]:
    return {
        "cell": said.cell,
        "forgotten": said.forgotten,
        "gained": said.gained,
        "score": said.score,
    }


def _format_tower(said: TowerStands) -> dict[str, object]:
    return {"cell": said.cell, "forgotten": said.forgotten}


def _format_forgotten(said: Forgotten) -> dict[str, object]:
    return {"parks": said.parks, "towers": said.towers}


def _format_over(said: Over) -> dict[str, object]:
    outcome: Outcome = said.outcome
    counts = outcome.towers if isinstance(outcome, FinalCount) else ()
    return {
        "towers": [
            {"tower": count.tower, "rating": count.rating, "winner": count.winner}
            for count in counts
        ],
        "score": outcome.score,
        "winner": outcome.winners[0] if len(outcome.winners) == 1 else None,
    }


_FORMATS: dict[type[Statement], Callable[[Any], dict[str, object]]] = {
    HouseStands: _format_house,
    ParkLies: _format_park,
    TowerStands: _format_tower,
    Forgotten: _format_forgotten,
    Over: _format_over,
}


def format_statement(statement: Statement) -> dict[str, object]:
    """What only this game says; `rules.wire` adds the word and knows the rest."""
    return _FORMATS[type(statement)](statement)
