"""A game for programs: one JSON object a line, in and out.

What every game shares is here; placements and what only one game says are in its pack.

first: {"mode": "strict"}   a first line may hold settings; several words of one are a list
in:   {"take": "c4"}   {"move": "c4", "to": …}   {"pass": "red"}   {"end": "turn"}
      {"undo": 7, "lifted": […]}   {"amend": 12, "event": {…} or null}   and the pack's placements
out:  {"event": "illegal", …}   {"event": "corrected", …}   {"event": "undone", …}   and the pack's
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rules.board import Cell
from rules.errors import BadLine, BadWord
from rules.events import (
    Amended,
    Event,
    LeftStanding,
    Moved,
    Passed,
    Placed,
    TableEvent,
    Taken,
    TurnEnded,
    Undone,
)
from rules.pack import Pack
from rules.verdict import Corrected, Illegal, PassRefused, Statement, TakenBack


def parse_settings(pack: Pack[Any], text: str) -> dict[str, str] | None:
    """A first line as the settings it holds, or None where it tells of an event already.

    Whether they are settings of this game, and what they may be, `choose_settings` knows.
    """
    line = _parse_object(text)
    if not {setting.name for setting in pack.settings} & set(line):
        return None
    return {name: _written(name, value) for name, value in line.items()}


def _written(name: str, value: object) -> str:
    words = value if isinstance(value, list) else [value]
    for word in words:
        if not isinstance(word, str | int) or isinstance(word, bool):
            raise BadWord(f"value for {name}", value, "a word, a number, or a list of words")
    # Both ways to write a word of two are common among programs.
    return " ".join(str(word).replace("_", "-") for word in words)


def parse_line(pack: Pack[Any], text: str) -> Event:
    """One line of input as the event it tells of, or `BadLine`/`BadWord`."""
    return parse_event(pack, _parse_object(text))


def _parse_object(text: str) -> dict[str, object]:
    try:
        line = json.loads(text)
    except RecursionError:
        raise BadLine("the JSON is nested too deeply: expected one flat object") from None
    except ValueError as error:
        raise BadLine(f"no JSON: {error}; expected one object a line") from None
    if not isinstance(line, dict):
        kind = type(line).__name__
        raise BadLine(f'got a {kind}, expected an object such as {{"take": "c4"}}')
    return line


def parse_event(pack: Pack[Any], line: Mapping[str, object]) -> Event:
    keys = set(line)
    if keys == {"take"}:
        return Taken(_cell(line["take"]))
    if keys == {"pass"}:
        if line["pass"] not in pack.box.players:
            raise BadWord("colour", line["pass"], " or ".join(pack.box.players))
        return Passed(str(line["pass"]))
    if keys == {"end"}:
        return TurnEnded()
    if "undo" in keys and keys <= {"undo", "lifted"}:
        lifted = line.get("lifted", [])
        if not isinstance(lifted, list):
            raise BadLine(f"lifted: got {lifted!r}, expected a list of cells")
        return Undone(_whole(line["undo"], "undo"), tuple(_cell(word) for word in lifted))
    if keys == {"amend", "event"}:
        return Amended(_whole(line["amend"], "amend"), _replacement(pack, line["event"]))
    if "move" in keys:
        placed = pack.parse_placement({k: v for k, v in line.items() if k != "move"})
        return Moved(_cell(line["move"]), placed.cell, placed.piece)
    if "left" in keys:
        placed = pack.parse_placement({k: v for k, v in line.items() if k != "left"})
        return LeftStanding(placed.cell, placed.piece)
    return pack.parse_placement(line)


def format_event(pack: Pack[Any], event: Event) -> dict[str, object]:
    """The reverse of `parse_event`: what the log of a game is made of."""
    match event:
        case Placed():
            return dict(pack.format_placement(event))
        case Taken(cell):
            return {"take": cell}
        case Moved(origin, cell, piece):
            return {"move": origin, **pack.format_placement(Placed(cell, piece))}
        case Passed(colour):
            return {"pass": colour}
        case TurnEnded():
            return {"end": "turn"}
        case LeftStanding(cell, piece):
            return {"left": True, **pack.format_placement(Placed(cell, piece))}
        case Undone(ply, lifted):
            return {"undo": ply, **({"lifted": list(lifted)} if lifted else {})}
        case Amended(step, replacement):
            told = None if replacement is None else format_event(pack, replacement)
            return {"amend": step, "event": told}


def format_statement(pack: Pack[Any], statement: Statement) -> dict[str, object]:
    match statement:
        case Illegal(problem):
            facts: dict[str, object] = {"reason": problem.reason, "cell": problem.cell}
            if problem.others:
                facts["others"] = list(problem.others)
        case PassRefused(reason, colour):
            facts = {"reason": reason, "cell": None, "colour": colour}
        case Corrected(cell):
            facts = {"cell": cell}
        case TakenBack(ply):
            facts = {"ply": ply}
        case _:
            facts = pack.format_statement(statement)
    return {"event": statement.word, **facts}


def _cell(word: object) -> Cell:
    if not isinstance(word, str):
        raise BadWord("cell", word, "a1 to h8")
    return Cell(word)


def _whole(number: object, key: str) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise BadWord(f"number for {key}", number, "a whole number from 0 on")
    return number


def _replacement(pack: Pack[Any], line: object) -> TableEvent | None:
    if line is None:
        return None
    if not isinstance(line, dict):
        raise BadLine(f"event: got {line!r}, expected an object or null")
    event = parse_event(pack, line)
    if isinstance(event, Undone | Amended):
        raise BadLine("event: an undo or a correction cannot stand in for a move")
    return event
