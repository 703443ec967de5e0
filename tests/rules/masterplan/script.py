"""Position files: short games as a player would write them, with what the referee must say.

    The first line says what the file is about.
    set both_due=tower

    c4ne e6n                                    moves; none of them may be illegal
    b3n    -> house parks d5                    one move, and all that must be said to it
    +d5    -> park d5 2-1 (2-1)                 gained, then the score
    -d5    -> illegal removed d5                a piece taken off
    white:h8n -> illegal out-of-turn h8         a house of that colour, whoever is on turn

A move is written as in a record; several statements are parted by `;`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules.board import Cell, Piece
from rules.events import Placed, TableEvent, Taken
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.notation import parse_move
from rules.packs.masterplan.state import State
from rules.packs.masterplan.wire import parse_place
from rules.verdict import Illegal
from rules.wire import format_statement


def play_script(text: str) -> Game[State]:
    """The script through the referee; an AssertionError names the line that went otherwise."""
    _about, *lines = text.strip().splitlines()
    settings = dict(line.removeprefix("set ").split("=") for line in lines if "set " in line)
    game = Game(PACK, settings)
    for number, line in enumerate(lines, start=2):
        if not line.strip() or line.startswith("set "):
            continue
        words, arrow, expected = line.partition("->")
        for word in words.split():
            verdict = game.tell(parse_script_move(word, game.verdict.turn))
            if not arrow:
                refused = [s for s in verdict.said if isinstance(s, Illegal)]
                assert not refused, f"line {number}: {word} is {refused[0].problem.reason}"
        if arrow:
            told = "; ".join(brief(format_statement(PACK, s)) for s in game.verdict.said)
            assert told == expected.strip(), (
                f"line {number}: {words.strip()}\n  said     {told}\n  expected {expected.strip()}"
                f"\n{game.verdict.table}"
            )
    return game


def parse_script_move(word: str, turn: str | None) -> TableEvent:
    if word.startswith("-"):
        return Taken(Cell(word[1:]))
    colour, colon, place = word.partition(":")
    if colon:
        cell, anchor = parse_place(place)
        return Placed(cell, Piece("house", colour, anchor))
    return parse_move(word, turn)


def brief(said: dict[str, Any]) -> str:
    """A statement in the few words of a position file."""
    match said:
        case {"event": "house", "due": due}:
            lists = [" ".join([kind, *due[kind]]) for kind in ("parks", "towers") if due[kind]]
            choose = [f"choose {due['choose']}"] if "choose" in due else []
            return " ".join(["house", *lists, *choose])
        case {"event": "park", "cell": cell, "forgotten": True}:
            return f"park {cell} forgotten"
        case {"event": "park", "cell": cell, "gained": gained, "score": score}:
            return f"park {cell} {_points(gained)} ({_points(score)})"
        case {"event": "tower", "cell": cell, "forgotten": forgotten}:
            return f"tower {cell}{' forgotten' if forgotten else ''}"
        case {"event": "forgotten"}:
            lists = [" ".join([kind, *said[kind]]) for kind in ("parks", "towers") if said[kind]]
            return " ".join(["forgotten", *lists])
        case {"event": "illegal", "reason": reason, "cell": cell}:
            return f"illegal {reason} {cell}"
        case {"event": "over", "score": score, "winner": winner}:
            return f"over {_points(score)} {winner or 'draw'}"
    return f"{said['event']} {said['cell']}"


def _points(points: dict[str, int]) -> str:
    return f"{points['white']}-{points['yellow']}"


def position_files() -> list[Path]:
    return sorted(Path(__file__).parent.joinpath("positions").glob("*.txt"))
