"""The rules against their slow twin, over whole games with everything players do to a table."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import ALL_CELLS
from rules.game import Game
from rules.packs.subdivision import PACK
from rules.packs.subdivision.state import State
from rules.packs.subdivision.words import Variant
from rules.wire import format_event, format_statement, parse_event
from tests.rules.subdivision.oracle import PARK, PIPS, Line, Oracle, Piece
from tests.rules.subdivision.script import play_script, position_files

COLOURS = PACK.box.players
# The table of the rule sheet: players → board and parks, with fifteen pyramids each and with nine.
SHEET = {2: (6, 6), 3: (7, 4), 4: (8, 4)}
SHEET_OF_NINE = {2: (5, 7), 3: (6, 9), 4: (6, 0)}


class Table:
    """The rules and their twin side by side; every line goes to both, and both must agree."""

    def __init__(self, players: list[str], variant: list[str]) -> None:
        chosen = {"players": " ".join(players), "variant": " ".join(variant)}
        self.game: Game[State] = Game(PACK, chosen)
        is_nine = Variant.NINE_PYRAMIDS in variant
        size, parks = (SHEET_OF_NINE if is_nine else SHEET)[len(players)]
        self.oracle = Oracle(players, size, parks, 3 if is_nine else 5, variant)

    def feed(self, line: Line) -> None:
        before = self.game.verdict
        verdict = self.game.tell(parse_event(PACK, line))
        told: Any = [format_statement(PACK, said) for said in verdict.said]
        expected = self.oracle.feed(line)
        assert json.loads(json.dumps(told)) == expected, f"{line}\n{verdict.table}"
        assert verdict.score == self.oracle.score()
        assert (verdict.turn, verdict.ply) == (self.oracle.turn, self.oracle.ply)
        self.check_accounts(before.score)

    def check_accounts(self, before: Any) -> None:
        """What is gained is what the score did, and all of it is in the account."""
        verdict = self.game.verdict
        for colour, points in verdict.score.items():
            own = [gain.points for gain in verdict.account if gain.piece.colour == colour]
            assert sum(own) == points
            gained = [gain.points for gain in verdict.gains if gain.piece.colour == colour]
            assert sum(gained) == points - before[colour]

    def check_moves(self) -> None:
        oracle = self.oracle
        places: list[tuple[str, Piece]] = []
        if oracle.players_lay:
            places = [(cell, PARK) for cell in oracle.cells if cell not in oracle.standing]
        elif oracle.turn is not None:
            places = oracle.places_for(oracle.turn)
        listed = {(str(move.cell), move.piece.kind) for move in PACK.legal_moves(self.game.state)}
        assert listed == {(cell, piece.kind) for cell, piece in places}


def line_of(cell: str, piece: Piece) -> Line:
    if piece == PARK:
        return {"block": cell}
    return {"place": piece.kind, "cell": cell, "colour": piece.colour}


def play(table: Table, dice: random.Random, clumsy: float) -> None:
    """A whole game by players who try what is illegal, knock things over, and put them right."""
    oracle = table.oracle
    tidy_setup = dice.random() < 0.8
    for _ in range(400):
        wrong = sorted(oracle.beside)
        if dice.random() < clumsy:
            blunder(table, dice)
        elif wrong and dice.random() < 0.6:
            table.feed({"take": dice.choice(wrong)})
        elif oracle.missing and dice.random() < 0.5:
            cell = dice.choice(oracle.missing)
            table.feed(line_of(cell, oracle.standing[cell]))
        elif oracle.over:
            return
        elif oracle.players_lay or (oracle.parks_are_open and tidy_setup and parks_left(oracle)):
            free = [cell for cell in oracle.cells if cell not in oracle.standing]
            table.feed({"block": dice.choice(free)})
        else:
            assert oracle.turn is not None
            places = [p for p in oracle.places_for(oracle.turn) if not oracle.in_hand(p[1])]
            if places:
                table.feed(line_of(*dice.choice(places)))
            else:
                table.feed({"pass": oracle.turn})
    assert clumsy, "the game does not end"


def parks_left(oracle: Oracle) -> int:
    return oracle.parks - oracle.count(PARK)


def blunder(table: Table, dice: random.Random) -> None:
    oracle = table.oracle
    cell = dice.choice([*oracle.cells, *oracle.cells, dice.choice(ALL_CELLS)])
    match dice.randrange(5):
        case 0:
            table.feed(line_of(cell, Piece(dice.choice([*PIPS]), dice.choice(COLOURS))))
        case 1:
            colour = oracle.turn or dice.choice(COLOURS)
            table.feed(line_of(cell, Piece(dice.choice([*PIPS]), colour)))
        case 2:
            table.feed({"block": cell})
        case 3:
            table.feed({"pass": oracle.turn or dice.choice(COLOURS)})
        case _:
            there = sorted({*oracle.standing, *oracle.beside} - {*oracle.missing})
            table.feed({"take": dice.choice(there or oracle.cells)})


players = st.permutations(COLOURS).flatmap(
    lambda order: st.integers(2, 4).map(lambda count: list(order[:count]))
)
variants = st.lists(st.sampled_from([str(variant) for variant in Variant]), unique=True)


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    seats=players,
    variant=variants,
    clumsy=st.sampled_from([0.0, 0.05, 0.2]),
)
def test_whole_games_agree(seed: int, seats: list[str], variant: list[str], clumsy: float) -> None:
    play(Table(seats, variant), random.Random(seed), clumsy)


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("variant", [[], *([str(variant)] for variant in Variant)])
def test_every_table_of_the_sheet_is_played_to_its_end(count: int, variant: list[str]) -> None:
    table = Table(list(COLOURS[:count]), variant)
    play(table, random.Random(count), clumsy=0.0)
    assert table.oracle.over
    outcome = table.game.verdict.outcome
    assert outcome is not None
    assert list(outcome.winners)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), seats=players, variant=variants)
def test_legal_moves_agree_at_every_ply(seed: int, seats: list[str], variant: list[str]) -> None:
    dice, table = random.Random(seed), Table(seats, variant)
    while not table.oracle.over:
        table.check_moves()
        moves = PACK.legal_moves(table.game.state)
        if moves:
            move = dice.choice(moves)
            table.feed(line_of(move.cell, Piece(move.piece.kind, move.piece.colour or "")))
        else:
            assert table.oracle.turn is not None
            table.feed({"pass": table.oracle.turn})


@pytest.mark.parametrize("path", position_files(), ids=lambda path: path.stem)
def test_position_files_agree(path: Path) -> None:
    """Passes, and parks that become private, are rare in games by chance."""
    game = play_script(path.read_text(encoding="utf-8"))
    table = Table(list(game.box.players), game.settings["variant"].split())
    for event in game.log:
        table.feed(cast(Line, format_event(PACK, event)))
    if path.stem == "must-pass":
        assert {"must-pass", "passed"} < {s.word for step in game.steps for s in step.verdict.said}
    if path.stem == "private-parks":
        assert table.oracle.account("red")["private_parks"] == 2


def test_the_comparison_can_fail() -> None:
    table = Table(["red", "blue"], [])
    table.oracle.ply = 1
    with pytest.raises(AssertionError):
        table.feed({"place": "large", "cell": "c3", "colour": "red"})
