"""Two whole games as looks at a table, with what a careful person says the referee must say.

The looks are the settled pictures of two rendered games: things forgotten and laid a turn later
in one, wrong pieces tried and taken back in the other. Only `interpret` tells what happened.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.board import Anchor, Cell, Piece, Position
from rules.events import Change
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State
from rules.wire import format_statement

FILES = sorted(Path(__file__).parent.joinpath("seen").glob("*.json"))


def parse_look(cells: dict[str, str]) -> Position:
    pieces = {}
    for cell, words in cells.items():
        match words.split():
            case [colour, kind, anchor]:
                pieces[Cell(cell)] = Piece(kind, colour, Anchor(anchor))
            case [kind]:
                pieces[Cell(cell)] = Piece(kind)
    return Position(pieces)


def referee(looks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All statements, from the looks alone."""
    game: Game[State] = Game(PACK)
    said: list[dict[str, Any]] = []
    before = Position()
    for look in looks:
        after = parse_look(look["cells"])
        seen = game.see(Change(before, after))
        assert seen.problem is None, look["note"]
        for event in seen.events:
            said += [format_statement(PACK, s) for s in game.tell(event).said]
        assert game.verdict.table == after
        before = after
    return json.loads(json.dumps(said))  # type: ignore[no-any-return]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_seen_game_is_refereed_without_a_wrong_word(path: Path) -> None:
    game = json.loads(path.read_text(encoding="utf-8"))
    said = referee(game["looks"])
    houses = [s for s in said if s["event"] == "house"]
    expected = [e for e in game["log"] if e["event"] == "house"]
    for told, truth in zip(houses, expected, strict=True):
        keys = ("ply", "colour", "cell", "anchor")
        assert [told[key] for key in keys] == [truth[key] for key in keys]
        assert told["due"] == {"parks": truth["due_parks"], "towers": truth["due_towers"]}
    forgotten = [(s["parks"], s["towers"]) for s in said if s["event"] == "forgotten"]
    lists = [(e["forgotten_parks"], e["forgotten_towers"]) for e in expected]
    assert forgotten == [pair for pair in lists if pair != ([], [])]
    wrong = [(s["reason"], s["cell"]) for s in said if s["event"] == "illegal"]
    assert wrong == [(e["reason"], e["cell"]) for e in game["log"] if e["event"] == "illegal"]
    assert [s["cell"] for s in said if s["event"] == "corrected"] == [cell for _, cell in wrong]
    in_time = [s["score"] for s in said if s["event"] == "park"]
    assert in_time[-1] == expected[-1]["score"]
    assert {key: said[-1][key] for key in ("event", "towers", "score")} == game["log"][-1]
