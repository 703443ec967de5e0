"""A game as a log that only grows: replay, undo, and the correction of earlier moves."""

from __future__ import annotations

import random

import pytest

from rules.board import Anchor, Cell, Piece
from rules.errors import BadStep
from rules.events import Amended, LeftStanding, Placed, Taken, TurnEnded, Undone
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State, legal_moves
from rules.packs.masterplan.words import PARK, Forgotten
from tests.rules.masterplan.script import play_script


def house(place: str, colour: str) -> Placed:
    return Placed(Cell(place[:2]), Piece("house", colour, Anchor(place[2:])))


def random_game(seed: int) -> Game[State]:
    """A game with forgotten things, illegal tries, undos and corrections in its log."""
    dice, game = random.Random(seed), Game(PACK)
    while game.verdict.outcome is None and len(game.log) < 150:
        roll, verdict = dice.random(), game.verdict
        if verdict.problems:
            game.tell(Taken(verdict.problems[0].cell))
            if game.verdict.problems and game.verdict.problems[0].reason == "removed":
                problem = game.verdict.problems[0]
                game.tell(Placed(problem.cell, problem.piece))
        elif roll < 0.05 and verdict.ply:
            game.tell(Undone(verdict.ply))
        elif roll < 0.10 and game.steps:
            step = dice.randrange(len(game.steps))
            event = game.steps[step].event
            if isinstance(event, Placed) and event.piece.anchor:
                turned = Piece(event.piece.kind, event.piece.colour, dice.choice(list(Anchor)))
                game.tell(Amended(step, Placed(event.cell, turned)))
        elif roll < 0.15:
            game.tell(Placed(dice.choice([Cell("a1"), Cell("d4"), Cell("h8")]), PARK))
        elif verdict.dues and roll < 0.8:
            due = dice.choice(verdict.dues)
            game.tell(Placed(due.cell, due.piece))
        elif moves := legal_moves(game.state):
            game.tell(dice.choice(moves))
    return game


@pytest.mark.parametrize("seed", range(25))
def test_replay_equals_live_play_at_every_event(seed: int) -> None:
    live = random_game(seed)
    again: Game[State] = Game(PACK)
    for number, event in enumerate(live.log):
        again.tell(event)
        cut = Game.replay(PACK, live.settings, live.log[: number + 1])
        assert (cut.state, cut.verdict) == (again.state, again.verdict)
    assert again.state == live.state
    assert again.log == live.log


def test_undo_goes_back_to_before_the_move_and_wants_its_pieces_off() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5")
    verdict = game.tell(Undone(3))
    assert [said.word for said in verdict.said] == ["undone", "illegal", "illegal"]
    assert (verdict.ply, verdict.turn, verdict.score["white"]) == (2, "white", 0)
    assert [(p.reason, p.cell) for p in verdict.problems] == [("undone", "b3"), ("undone", "d5")]
    game.tell(Taken(Cell("b3")))
    assert game.tell(Taken(Cell("d5"))).problems == ()


def test_what_is_left_of_an_undone_move_can_serve_the_next_one() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5")
    game.tell(Undone(3))
    game.tell(Taken(Cell("b3")))
    verdict = game.tell(house("b3s", "white"))
    assert [said.word for said in verdict.said] == ["house", "corrected", "park"]
    assert verdict.problems == ()


def test_undo_of_an_earlier_move_voids_all_that_followed() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5 e4ne")
    assert game.tell(Undone(2)).ply == 1
    assert {p.cell for p in game.verdict.problems} == {"e6", "b3", "d5", "e4"}


def test_a_correction_of_an_anchor_changes_the_points() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5")
    verdict = game.tell(Amended(game.step_of(1), house("c4n", "white")))
    assert verdict.score == {"white": 1, "yellow": 1}
    assert verdict.misfits == ()


def test_a_correction_reports_what_no_longer_fits() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5 e4ne")
    verdict = game.tell(Amended(game.step_of(1), house("a8n", "white")))
    assert [(m.event, m.why) for m in verdict.misfits] == [(Placed(Cell("d5"), PARK), "not-due")]
    assert verdict.score == {"white": 0, "yellow": 0}
    assert [(p.cell, p.reason) for p in verdict.problems] == [("d5", "not-due")]


def test_a_correction_that_breaks_a_move_reports_the_moves_behind_it() -> None:
    game = play_script("three moves\nc4ne e6n b3n h8n")
    verdict = game.tell(Amended(1, house("c4n", "yellow")))
    assert [(m.step, m.why) for m in verdict.misfits] == [(2, "out-of-turn")]
    assert verdict.ply == 2  # white c4, then yellow h8


def test_a_step_can_be_struck_out() -> None:
    game = play_script("two moves\nc4ne e6n")
    assert game.tell(Amended(1, None)).ply == 1
    assert Cell("e6") not in game.verdict.table


def test_the_last_turn_can_only_be_ended_by_saying_so() -> None:
    game = random_28()
    assert game.verdict.dues
    said = game.tell(TurnEnded()).said
    assert isinstance(said[0], Forgotten)
    assert all(due.forgotten for due in game.verdict.dues)


def random_28() -> Game[State]:
    """A game whose last house makes something due."""
    for seed in range(1000):
        dice, game = random.Random(seed), Game(PACK)
        while game.verdict.turn is not None:
            game.tell(dice.choice(legal_moves(game.state)))
            while game.verdict.dues and game.verdict.turn is not None:
                game.tell(Placed(game.verdict.dues[0].cell, game.verdict.dues[0].piece))
        if game.verdict.dues:
            return game
    raise AssertionError("no such game in a thousand")


def test_pointing_at_nothing_changes_nothing() -> None:
    game = play_script("two moves\nc4ne e6n")
    state, log = game.state, list(game.log)
    for event in (Undone(3), Undone(0), Amended(2, None)):
        with pytest.raises(BadStep, match="there is no"):
            game.tell(event)
    assert (game.state, game.log) == (state, log)


def test_a_piece_left_standing_is_a_problem_of_its_own() -> None:
    game: Game[State] = Game(PACK)
    verdict = game.tell(LeftStanding(Cell("c4"), PARK))
    assert [p.reason for p in verdict.problems] == ["undone"]
