"""Position files: games of Subdivision as a player would write them, with what must be said.

    The first line says what the file is about.
    set players=red blue green

    +a1 +f6 Lc3 Md4                        parks and moves; none of them may be illegal
    Lc4      -> illegal large-near-own-large c4 c3     one move, and all that must be said to it
    Mc4      -> placed 2-1                 the score after it, in turn order
    -c3      -> illegal removed c3         a piece taken off
    blue:Se3 -> illegal out-of-turn e3     a pyramid of that colour, whoever is on turn
    blue:pass -> illegal must-not-pass blue
    Sb2      -> placed 24-23; over red 30-4-1-1=24 blue 30-3-3-1=23 wins red

       a   b   c   d   e   f               last, if at all: the board as it must stand then
    6  b  BM   …

A move is written as in a record; several statements are parted by `;`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules.board import Cell, format_position, parse_position
from rules.events import Passed, TableEvent, Taken
from rules.game import Game
from rules.packs.subdivision import PACK
from rules.packs.subdivision.notation import PASS, parse_move
from rules.packs.subdivision.state import State
from rules.wire import format_statement


def play_script(text: str) -> Game[State]:
    """The script through the referee; an AssertionError names the line that went otherwise."""
    text, _, grid = text.partition("\n   a ")
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
                refused = [said.refusal for said in verdict.said if said.refusal]
                assert not refused, f"line {number}: {word} is {refused[0]}\n{verdict.table}"
        if arrow:
            told = "; ".join(brief(format_statement(PACK, s)) for s in game.verdict.said)
            assert told == expected.strip(), (
                f"line {number}: {words.strip()}\n  said     {told}\n  expected {expected.strip()}"
                f"\n{game.verdict.table}"
            )
    if grid:
        drawn = parse_position(f"   a {grid}", game.box.kinds)
        assert game.verdict.table == drawn, f"stands\n{format_position(game.verdict.table)}"
    return game


def parse_script_move(word: str, turn: str | None) -> TableEvent:
    if word.startswith("-"):
        return Taken(Cell(word[1:]))
    colour, colon, place = word.partition(":")
    if colon and place == PASS:
        return Passed(colour)
    return parse_move(place, colour) if colon else parse_move(word, turn)


def brief(said: dict[str, Any]) -> str:
    """A statement in the few words of a position file."""
    match said:
        case {"event": "placed", "score": score}:
            return f"placed {'-'.join(map(str, score.values()))}"
        case {"event": "illegal", "reason": reason, "cell": None, "colour": colour}:
            return f"illegal {reason} {colour}"
        case {"event": "illegal", "reason": reason, "cell": cell}:
            return " ".join(["illegal", reason, cell, *said.get("others", [])])
        case {"event": "over", "account": accounts, "score": score, "winners": winners}:
            sums = [f"{c} {sum_of(account)}={score[c]}" for c, account in accounts.items()]
            return " ".join(["over", *sums, "wins", *winners])
        case {"event": "passed" | "must-pass", "colour": colour}:
            return f"{said['event']} {colour}"
    return f"{said['event']} {said['cell']}"


def sum_of(account: dict[str, Any]) -> str:
    """The score as the rule sheet adds it up: pips, groups, each large that costs, parks."""
    costs = sorted((large["cost"] for large in account["larges"] if large["cost"]), reverse=True)
    parts = [account["pips"], *(f"-{cost}" for cost in (account["groups"], *costs))]
    parts += ["+3"] * account["private_parks"]
    return "".join(map(str, parts))


def position_files() -> list[Path]:
    return sorted(Path(__file__).parent.joinpath("positions").glob("*.txt"))
