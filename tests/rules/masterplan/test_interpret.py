"""Two looks at the table, and what happened between them."""

from __future__ import annotations

import random

import pytest

from rules.board import Anchor, Cell, Piece, Position
from rules.events import Change, Interpretation, Moved, Placed, TableEvent, Taken, Undone
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.interpret import ORDER_UNKNOWN, TAKEN_BACK, TOO_MUCH
from rules.packs.masterplan.judge import judge
from rules.packs.masterplan.state import State, legal_moves
from rules.packs.masterplan.words import PARK, TOWER
from rules.verdict import Verdict
from rules.wire import format_statement
from tests.rules.masterplan.script import brief, parse_script_move, play_script


def see(game: Game[State], *words: str) -> Interpretation:
    """The table changes by all these words at once; `c4>d5n` moves a house."""
    before = after = game.verdict.table
    for word in words:
        origin, moved, target = word.partition(">")
        if moved:
            piece = after[Cell(origin)]
            after = after.clear(Cell(origin))
            anchor = Anchor(target[2:])
            after = after.put(Cell(target[:2]), Piece(piece.kind, piece.colour, anchor))
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


def test_nothing_changed() -> None:
    assert see(play_script("one house\nc4ne")) == Interpretation()


def test_a_house_with_all_it_makes_due() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5 e4ne")
    seen = see(game, "+f4", "+b4", "d4nw")
    assert tell(game, seen)[0] == "house parks b4 f4"
    assert game.verdict.score == {"white": 5, "yellow": 2}
    assert seen.problem is None


def test_two_moves_at_once_are_told_in_turn_order() -> None:
    game = play_script("empty\nset mode=assist")
    assert tell(game, see(game, "white:h8n", "yellow:a1n")) == ["house", "house"]
    assert game.verdict.ply == 2


def test_a_park_in_time_or_forgotten_is_asked() -> None:
    game = play_script("park due\nc4ne e6n b3n")
    seen = see(game, "+d5", "yellow:h8n")
    assert seen.events == ()
    assert seen.problem == ORDER_UNKNOWN
    in_time, forgotten = seen.readings
    assert [event.cell for event in in_time if isinstance(event, Placed)] == ["d5", "h8"]
    assert [event.cell for event in forgotten if isinstance(event, Placed)] == ["h8", "d5"]


def test_a_tower_just_before_or_after_the_next_house_is_the_same_game() -> None:
    game = play_script("tower due\na1n a2n b1n")
    seen = see(game, "^b2", "yellow:h8n")
    assert tell(game, seen) == ["tower b2", "house"]


def test_two_houses_of_one_colour_are_asked() -> None:
    seen = see(Game(PACK), "white:a1n", "white:h8n")
    assert seen.problem == ORDER_UNKNOWN
    assert len(seen.readings) == 2


def test_an_illegal_table_stays_illegal() -> None:
    game = play_script("one house\nc4ne")
    assert tell(game, see(game, "white:e6n")) == ["illegal out-of-turn e6"]
    game = play_script("figure\nc4ne e6n")
    assert tell(game, see(game, "b3n", "^d5")) == ["house parks d5", "illegal wrong-piece d5"]


def test_a_wrong_piece_is_put_right_in_one_go() -> None:
    game = play_script("tower due\na1n a2n b1n")
    game.tell(Placed(Cell("b2"), PARK))
    after = game.verdict.table.put(Cell("b2"), TOWER)
    seen = game.see(Change(game.verdict.table, after))
    assert tell(game, seen) == ["corrected b2", "tower b2"]


def test_a_house_pushed_to_an_anchor() -> None:
    game: Game[State] = Game(PACK)
    game.tell(Placed(Cell("c4"), Piece("house", "white")))
    assert tell(game, see(game, "c4>c4ne")) == ["corrected c4", "house"]


def test_a_house_that_moves_and_comes_home() -> None:
    game = play_script("three houses\nc4ne e6n h8n")
    seen = see(game, "c4>d2n")
    assert seen.events == (Moved(Cell("c4"), Cell("d2"), Piece("house", "white", Anchor.N)),)
    assert tell(game, seen) == ["illegal moved d2"]
    assert tell(game, see(game, "d2>c4ne")) == ["corrected d2"]
    assert game.verdict.problems == ()


def test_a_house_turned_to_another_anchor() -> None:
    game = play_script("three houses\nc4ne e6n h8n")
    assert tell(game, see(game, "c4>c4n")) == ["illegal moved c4"]
    assert tell(game, see(game, "c4>c4ne")) == ["corrected c4"]
    assert game.verdict.problems == ()


def test_a_whole_turn_taken_back_is_an_undo() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5")
    seen = see(game, "-b3", "-d5")
    assert seen.events == (Undone(3, (Cell("b3"), Cell("d5"))),)
    assert tell(game, seen) == []
    assert (game.verdict.ply, game.verdict.turn) == (2, "white")
    assert game.verdict.score == {"white": 0, "yellow": 0}
    assert game.verdict.problems == ()


def test_a_turn_taken_back_and_another_made_at_once() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5")
    assert tell(game, see(game, "-b3", "-d5", "white:h8n")) == ["house"]
    assert game.verdict.ply == 3
    assert Cell("b3") not in game.verdict.table


def test_a_turn_taken_back_piece_by_piece() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5")
    assert tell(game, see(game, "-d5")) == ["illegal removed d5"]
    assert tell(game, see(game, "-b3")) == ["corrected d5"]
    assert (game.verdict.ply, game.verdict.problems) == (2, ())


def test_only_the_last_house_lifted_is_asked_and_stays_wrong_until_answered() -> None:
    game = play_script("two houses\nc4ne e6n")
    seen = see(game, "-e6")
    assert seen.problem == TAKEN_BACK
    assert seen.readings == ((Undone(2),),)
    assert tell(game, seen) == ["illegal removed e6"]
    game.tell(seen.readings[0][0])
    assert (game.verdict.ply, game.verdict.turn, game.verdict.problems) == (1, "yellow", ())


def test_an_earlier_piece_that_goes_is_no_undo() -> None:
    game = play_script("figure\nc4ne e6n b3n +d5")
    seen = see(game, "-c4")
    assert (seen.events, seen.problem) == ((Taken(Cell("c4")),), None)


def test_a_table_set_up_at_once_is_no_game() -> None:
    crowd = dict.fromkeys((Cell(f"{f}{r}") for f in "abcd" for r in "1234"), PARK)
    assert Game(PACK).see(Change(Position(), Position(crowd))).problem == TOO_MUCH


def test_a_dozen_houses_at_once_are_soon_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six houses of each colour have half a million orders, but lead to one game."""
    judged = 0

    def counting(state: State, event: TableEvent) -> tuple[State, Verdict]:
        nonlocal judged
        judged += 1
        return judge(state, event)

    monkeypatch.setattr("rules.packs.masterplan.interpret.judge", counting)
    game: Game[State] = Game(PACK)
    cells = map(Cell, ["a1", "c2", "e1", "g2", "b4", "d5", "f4", "h5", "a7", "c8", "e7", "g8"])
    colours = ("white", "yellow") * 6
    dozen = {c: Piece("house", own, Anchor.N) for c, own in zip(cells, colours, strict=True)}
    tell(game, game.see(Change(game.verdict.table, Position(dozen))))
    assert (game.verdict.ply, game.verdict.problems) == (12, ())
    assert judged < 20_000


@pytest.mark.parametrize("seed", range(30))
def test_whole_games_seen_turn_by_turn(seed: int) -> None:
    """What players do, seen only as looks at the table after each turn, gives the same game."""
    dice, played, seen = random.Random(seed), Game(PACK), Game(PACK)
    while played.verdict.outcome is None:
        played.tell(dice.choice(legal_moves(played.state)))
        while played.verdict.dues:
            due = dice.choice(played.verdict.dues)
            played.tell(Placed(due.cell, due.piece))
        change = Change(seen.verdict.table, played.verdict.table)
        meaning = seen.see(change)
        assert meaning.problem is None
        for event in meaning.events:
            seen.tell(event)
        assert seen.verdict.table == played.verdict.table
        assert seen.verdict.score == played.verdict.score
