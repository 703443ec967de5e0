"""The rules against their slow twin, over whole games with everything players do to a table."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import ALL_CELLS, Anchor
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State, legal_moves
from rules.wire import format_statement, parse_event
from tests.oracle import Oracle

Line = dict[str, str]
CELLS = [str(cell) for cell in ALL_CELLS]
ANCHORS = [str(anchor) for anchor in Anchor]
KINDS = ["park", "tower"]
COLOURS = ["white", "yellow"]


class Table:
    """The rules and their twin side by side; every line goes to both, and both must agree."""

    def __init__(self, both_due: str, mode: str) -> None:
        self.game: Game[State] = Game(PACK, {"both_due": both_due, "mode": mode})
        self.oracle = Oracle(both_due, mode)

    def feed(self, line: Line) -> None:
        verdict = self.game.tell(parse_event(PACK, line))
        told: Any = [format_statement(PACK, said) for said in verdict.said]
        expected = self.oracle.feed(line)
        assert json.loads(json.dumps(told)) == expected, f"{line}\n{verdict.table}"
        assert verdict.score == self.oracle.score
        assert verdict.turn == self.oracle.turn
        assert verdict.ply == self.oracle.ply

    def piece_line(self, cell: str) -> Line:
        piece = self.oracle.standing[cell]
        if piece.kind == "house":
            return {"house": cell + piece.anchor, "colour": piece.colour}
        return {piece.kind: cell}


def play(table: Table, dice: random.Random, forgetful: float, clumsy: float) -> None:
    """A whole game by players who forget things, try what is illegal, and put things right."""
    oracle = table.oracle
    for _ in range(300):
        if dice.random() < clumsy:
            blunder(table, dice)
            continue
        wrong = [cell for cell in CELLS if oracle.beside[cell]]
        if wrong and dice.random() < 0.6:
            table.feed({"take": dice.choice(wrong)})
        elif oracle.missing and not oracle.over and dice.random() < 0.5:
            table.feed(table.piece_line(dice.choice(sorted(oracle.missing))))
        elif oracle.due and (oracle.turn is None or dice.random() >= forgetful):
            cell = dice.choice(sorted(oracle.due))
            table.feed({oracle.due[cell].kind: cell})
        elif oracle.turn is not None and (cells := oracle.legal_cells()):
            house = dice.choice(cells) + dice.choice(ANCHORS)
            table.feed({"house": house, "colour": oracle.turn})
        elif oracle.over:
            return


def blunder(table: Table, dice: random.Random) -> None:
    oracle, cell = table.oracle, dice.choice(CELLS)
    match dice.randrange(5):
        case 0:
            place = cell + dice.choice([*ANCHORS, ""])
            table.feed({"house": place, "colour": dice.choice(COLOURS)})
        case 1:
            table.feed({dice.choice(KINDS): cell})
        case 2 if oracle.due:
            table.feed({dice.choice(KINDS): dice.choice(sorted(oracle.due))})
        case 3 if oracle.due:
            place = dice.choice(sorted(oracle.due)) + dice.choice(ANCHORS)
            table.feed({"house": place, "colour": oracle.turn or "white"})
        case _:
            table.feed({"take": dice.choice([c for c in CELLS if not oracle.bare(c)] or CELLS)})


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    both_due=st.sampled_from(KINDS),
    mode=st.sampled_from(["assist", "strict"]),
    forgetful=st.sampled_from([0.0, 0.2, 0.5, 0.9]),
    clumsy=st.sampled_from([0.0, 0.05, 0.2]),
)
def test_whole_games_agree(
    seed: int, both_due: str, mode: str, forgetful: float, clumsy: float
) -> None:
    play(Table(both_due, mode), random.Random(seed), forgetful, clumsy)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_legal_moves_agree_at_every_ply(seed: int) -> None:
    dice, table = random.Random(seed), Table("park", "assist")
    while table.oracle.turn is not None:
        moves = legal_moves(table.game.state)
        assert sorted({str(move.cell) for move in moves}) == table.oracle.legal_cells()
        assert len(moves) == len(ANCHORS) * len({move.cell for move in moves})
        move = dice.choice(moves)
        table.feed({"house": f"{move.cell}{move.piece.anchor}", "colour": table.oracle.turn})
        while table.oracle.due and dice.random() < 0.8:
            cell = dice.choice(sorted(table.oracle.due))
            table.feed({table.oracle.due[cell].kind: cell})


def test_the_comparison_can_fail() -> None:
    table = Table("park", "assist")
    table.oracle.turn = "yellow"
    try:
        table.feed({"house": "c4ne", "colour": "white"})
    except AssertionError:
        return
    raise AssertionError("a twin that disagrees went unnoticed")
