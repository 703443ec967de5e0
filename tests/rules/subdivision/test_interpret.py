"""Two looks at the table, and what happened between them."""

from __future__ import annotations

import random

import pytest

from rules.board import Cell, Piece, Position
from rules.changes import ORDER_UNKNOWN, TAKEN_BACK, TOO_MUCH
from rules.events import Change, Interpretation, Moved, Passed, Placed, TableEvent, Taken, Undone
from rules.game import Game
from rules.packs.subdivision import PACK
from rules.packs.subdivision.judge import judge
from rules.packs.subdivision.state import State
from rules.packs.subdivision.words import PARK
from rules.verdict import Verdict
from rules.wire import format_statement
from tests.rules.subdivision.script import (
    brief,
    parse_script_move,
    play_script,
    position_files,
)


def see(game: Game[State], *words: str) -> Interpretation:
    """The table changes by all these words at once; `c4>d5` moves a piece."""
    before = after = game.verdict.table
    for word in words:
        origin, moved, target = word.partition(">")
        if moved:
            piece = after[Cell(origin)]
            after = after.clear(Cell(origin)).put(Cell(target), piece)
            continue
        event = parse_script_move(word, game.verdict.turn)
        if isinstance(event, Taken):
            after = after.clear(event.cell)
        elif isinstance(event, Placed):
            after = after.put(event.cell, event.piece)
    return game.see(Change(before, after))


def tell(game: Game[State], seen: Interpretation) -> list[str]:
    return [
        brief(format_statement(PACK, said))
        for event in seen.events
        for said in game.tell(event).said
        if said.word != "undone"
    ]


def before_the_pass() -> Game[State]:
    """Red must pass, and only blue can go on, with the small on c1."""
    text = position_files()[0].with_name("must-pass.txt").read_text(encoding="utf-8")
    return play_script(text.partition("blue:Sc1")[0])


def test_nothing_changed() -> None:
    assert see(play_script("one\nLc3")) == Interpretation()


def test_parks_and_the_first_pyramid_at_once() -> None:
    game: Game[State] = Game(PACK)
    parks = ["+a1", "+a6", "+f1", "+f6", "+c3", "+d4"]
    assert tell(game, see(game, *parks, "Lb2")) == ["placed 2-0"]
    assert (game.verdict.ply, len(game.verdict.position)) == (1, 7)


def test_parks_shifted_before_the_game() -> None:
    game = play_script("parks\n+a1 +b2")
    seen = see(game, "b2>c3", "-a1")
    assert seen.events == (Taken(Cell("a1")), Taken(Cell("b2")), Placed(Cell("c3"), PARK))
    assert tell(game, seen) == []
    assert dict(game.verdict.table) == {"c3": PARK}


def test_all_parks_at_once_are_not_too_much() -> None:
    game: Game[State] = Game(PACK, {"size": "7"})
    nineteen = {Cell(f"{file}{rank}"): PARK for file in "abcdefg" for rank in (1, 2)}
    nineteen.update({Cell(f"{file}3"): PARK for file in "abcde"})
    seen = game.see(Change(game.verdict.table, Position(nineteen, 7, 7)))
    assert (len(seen.events), seen.problem) == (19, None)


def test_several_moves_at_once_are_told_in_turn_order() -> None:
    game: Game[State] = Game(PACK, {"players": "red blue green"})
    seen = see(game, "green:Ma1", "blue:Sc4", "red:Lc3")
    assert tell(game, seen) == ["placed 2-0-0", "placed 2-0-0", "placed 2-0-1"]


def test_an_order_is_found_in_which_every_small_was_legal() -> None:
    """Blue's small on b5 needs red's on b4, which needs blue's large on c4 before it."""
    game = play_script("one\nMa1")
    seen = see(game, "blue:Sb5", "red:Sb4", "blue:Lc4")
    assert tell(game, seen) == ["placed 1-2", "placed 1-2", "placed 1-1"]
    assert game.verdict.problems == ()


def test_orders_that_lead_to_one_game_are_one_reading() -> None:
    game: Game[State] = Game(PACK)
    seen = see(game, "red:Ma1", "red:Ma3", "blue:Mf6")
    assert (seen.problem, len(seen.events)) == (None, 3)


def test_two_pyramids_of_one_colour_are_asked() -> None:
    seen = see(Game(PACK), "red:Lc3", "red:Mf6")
    assert (seen.events, seen.problem) == ((), ORDER_UNKNOWN)
    assert len(seen.readings) == 2


def test_a_pass_that_had_to_be_is_understood() -> None:
    game = before_the_pass()
    seen = see(game, "blue:Sc1")
    assert seen.events == (Passed("red"), Placed(Cell("c1"), Piece("small", "blue")))
    assert [word.split(" red")[0] for word in tell(game, seen)] == ["passed", "placed 7-12", "over"]


def test_a_pass_that_had_not_to_be_is_never_guessed() -> None:
    game = play_script("one\nLc3")
    assert tell(game, see(game, "red:Mf6")) == ["illegal out-of-turn f6"]


def test_nobody_passes_for_a_piece_that_fits_nowhere() -> None:
    game = before_the_pass()
    assert tell(game, see(game, "red:Lc1")) == ["illegal large-near-own-large c1 d2"]


def test_an_illegal_table_stays_illegal() -> None:
    game = play_script("one\nLc3 Ma1")
    assert tell(game, see(game, "red:Lc4", "+f6")) == [
        "illegal large-near-own-large c4 c3",
        "illegal out-of-turn f6",
    ]


def test_a_wrong_piece_is_put_right_in_one_go() -> None:
    game = play_script("one\nLc3 Ma1")
    game.tell(Placed(Cell("c4"), Piece("large", "red")))
    assert tell(game, see(game, "red:Mc4")) == ["corrected c4", "placed 4-1"]


def test_a_pyramid_that_moves_and_comes_home() -> None:
    game = play_script("three\nLc3 Ma1 Mf6")
    seen = see(game, "c3>e3")
    assert seen.events == (Moved(Cell("c3"), Cell("e3"), Piece("large", "red")),)
    assert tell(game, seen) == ["illegal moved e3"]
    assert tell(game, see(game, "e3>c3")) == ["corrected e3"]
    assert game.verdict.problems == ()


def test_only_the_last_pyramid_lifted_is_asked_and_stays_wrong_until_answered() -> None:
    game = play_script("two\nLc3 Ma1")
    seen = see(game, "-a1")
    assert (seen.problem, seen.readings) == (TAKEN_BACK, ((Undone(2),),))
    assert tell(game, seen) == ["illegal removed a1"]
    game.tell(seen.readings[0][0])
    assert (game.verdict.ply, game.verdict.turn, game.verdict.problems) == (1, "blue", ())


def test_the_last_pyramid_shifted_is_asked_and_may_be_a_new_move() -> None:
    game = play_script("two\nLc3 Ma1")
    seen = see(game, "a1>a2")
    assert tell(game, seen) == ["illegal moved a2"]
    game.tell(seen.readings[0][0])
    assert (game.verdict.ply, game.verdict.problems) == (2, ())
    assert game.verdict.position[Cell("a2")] == Piece("medium", "blue")


def test_a_move_taken_back_takes_the_passes_behind_it_along() -> None:
    game = before_the_pass()
    game.tell(Passed("red"))
    seen = see(game, "-a2")
    assert seen.readings == ((Undone(16),),)


def test_an_earlier_pyramid_that_goes_is_no_undo() -> None:
    seen = see(play_script("three\nLc3 Ma1 Mf6"), "-c3")
    assert (seen.events, seen.problem) == ((Taken(Cell("c3")),), None)


def test_a_table_set_up_at_once_is_no_game() -> None:
    crowd = dict.fromkeys((Cell(f"{f}{r}") for f in "abcd" for r in "1234"), Piece("medium", "red"))
    assert Game(PACK).see(Change(Position(), Position(crowd))).problem == TOO_MUCH


def test_a_dozen_pyramids_at_once_are_soon_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = 0

    def counting(state: State, event: TableEvent) -> tuple[State, Verdict]:
        nonlocal judged
        judged += 1
        return judge(state, event)

    monkeypatch.setattr("rules.packs.subdivision.interpret.judge", counting)
    game: Game[State] = Game(PACK)
    kinds = ("large", "medium") * 3
    cells = map(Cell, ["a1", "b1", "c1", "d1", "e1", "f1", "a4", "b4", "c4", "d4", "e4", "f4"])
    pieces = [Piece(kind, colour) for kind in kinds for colour in ("red", "blue")]
    dozen = Position(dict(zip(cells, pieces, strict=True)), 6, 6)
    tell(game, game.see(Change(game.verdict.table, dozen)))
    assert (game.verdict.ply, game.verdict.problems) == (12, ())
    assert judged < 30_000


@pytest.mark.parametrize("seed", range(12))
def test_whole_games_seen_turn_by_turn(seed: int) -> None:
    """What players do, seen only as looks at the table after each turn, gives the same game."""
    settings = {
        "players": " ".join(PACK.box.players[: 2 + seed % 3]),
        "variant": ("", "lay-parks", "private-parks", "nine-pyramids")[seed // 3],
    }
    dice, played, seen = random.Random(seed), Game(PACK, settings), Game(PACK, settings)
    while played.verdict.outcome is None:
        task, turn = played.verdict.task, played.verdict.turn
        if task and task.piece:
            played.tell(Placed(dice.choice(task.cells), task.piece))
        elif moves := PACK.legal_moves(played.state):
            played.tell(dice.choice(moves))
        elif turn:
            played.tell(Passed(turn))
        meaning = seen.see(Change(seen.verdict.table, played.verdict.table))
        assert meaning.problem is None
        for event in meaning.events:
            seen.tell(event)
        assert seen.verdict.table == played.verdict.table
        assert seen.verdict.score == played.verdict.score
    assert seen.verdict.outcome == played.verdict.outcome
