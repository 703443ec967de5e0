"""From readings to statements: nobody is accused of what nobody saw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from firmware.referee import Referee, Ruling
from rules.board import Anchor, Cell, Piece, Position
from rules.events import Undone
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State
from tests.vision.looks import reading_of
from vision.frame import Frame
from vision.reading import BoardReading
from vision.settle import STILLS, Settle
from vision.stillness import Stillness
from vision.watch import Sight

Guesses = tuple[tuple[Piece | None, float], ...]
BLANK = np.zeros((8, 8, 3), np.uint8)


class ToldEyes:
    """Sees what the test says."""

    def __init__(self) -> None:
        self.settle = Settle(Position(), STILLS)
        self.next: BoardReading | None = None

    def see(self, frame: Frame, loose: Iterable[Cell] = ()) -> Sight:
        assert self.next is not None
        changes = tuple(self.settle.see(self.next, frame.number, loose))
        return Sight(Stillness.STILL, self.next, changes=changes)


class Table:
    def __init__(self) -> None:
        self.game: Game[State] = Game(PACK)
        self.eyes = ToldEyes()
        self.referee = Referee(self.game, self.eyes)
        self.position = Position()
        self.number = 0

    def see(
        self,
        *words: str,
        hidden: Iterable[str] = (),
        unsure: Iterable[str] = (),
        guesses: Mapping[str, Guesses] | None = None,
    ) -> Ruling:
        """`Wc4ne`, `Ye6n` a house, `+d5` a park, `-d5` taken off; then a picture is taken."""
        for word in words:
            if word[0] in "+-":
                cell = Cell(word[1:])
                park = self.position.put(cell, Piece("park"))
                self.position = park if word[0] == "+" else self.position.clear(cell)
            else:
                colour = {"W": "white", "Y": "yellow"}[word[0]]
                house = Piece("house", colour, Anchor(word[3:]))
                self.position = self.position.put(Cell(word[1:3]), house)
        self.eyes.next = reading_of(self.position, unsure, hidden, guesses)
        self.number += 1
        return self.referee.see(Frame(BLANK, float(self.number), self.number, is_still=True))


def said(ruling: Ruling) -> list[str]:
    return [statement.word for verdict in ruling.verdicts for statement in verdict.said]


def after_three_houses() -> Table:
    """A park is due on d5."""
    table = Table()
    for house in ("Wc4ne", "Ye6n", "Wb3n"):
        assert said(table.see(house)) == ["house"]
    return table


def test_a_game_seen_plainly_is_judged_at_once() -> None:
    table = after_three_houses()
    assert said(table.see("+d5")) == ["park"]
    assert table.game.verdict.score == {"white": 2, "yellow": 1}


def test_a_cell_plainly_empty_is_forgotten() -> None:
    table = after_three_houses()
    assert said(table.see("Ye4ne")) == ["forgotten", "house"]
    assert said(table.see("+d5")) == ["park"]
    assert table.game.verdict.score == {"white": 0, "yellow": 0}


def test_nothing_under_a_hand_is_called_forgotten() -> None:
    table = after_three_houses()
    waiting = table.see("Ye4ne", hidden=["d5"])
    assert said(waiting) == []
    assert waiting.waiting_for == {"d5"}
    assert said(table.see("+d5")) == ["park", "house"], "it lay there all the time"
    assert table.game.verdict.score == {"white": 2, "yellow": 1}


def test_what_was_under_the_hand_and_is_not_there_is_forgotten_after_all() -> None:
    table = after_three_houses()
    table.see("Ye4ne", hidden=["d5"])
    assert said(table.see()) == ["forgotten", "house"]


def test_a_wrong_house_is_not_called_wrong_while_the_right_one_may_be_hidden() -> None:
    table = after_three_houses()
    table.see("+d5")
    held = table.see("Wh8n", hidden=["h1"])
    assert said(held) == []
    assert held.waiting_for == {"h1"}
    assert said(table.see("Yh1n")) == ["house", "house"]


def test_a_wrong_house_on_a_table_plainly_seen_is_wrong() -> None:
    table = after_three_houses()
    table.see("+d5")
    assert said(table.see("Wh8n")) == ["illegal"]
    assert said(table.see("-h8")) == ["corrected"]


def test_an_unsure_cell_that_holds_a_known_piece_hides_nothing() -> None:
    table = after_three_houses()
    table.see("+d5")
    assert said(table.see("Wh8n", unsure=["c4"])) == ["illegal"]


def test_an_undo_by_hand_is_understood() -> None:
    table = after_three_houses()
    table.see("+d5")
    table.see("-d5", "-b3")
    assert "undone" in said(table.see())
    assert table.game.verdict.ply == 2


def house(colour: str, anchor: str = "n") -> Piece:
    return Piece("house", colour, Anchor(anchor))


def test_the_rules_decide_where_only_one_guess_is_a_legal_turn() -> None:
    table = Table()
    doubtful = table.see(guesses={"c4": ((house("yellow"), 0.55), (house("white"), 0.4))})
    assert said(doubtful) == ["house"]
    assert table.game.verdict.position[Cell("c4")] == house("white")


def test_the_rules_do_not_choose_between_two_legal_turns() -> None:
    table = Table()
    doubtful = table.see(guesses={"c4": ((house("white", "ne"), 0.5), (house("white", "e"), 0.45))})
    assert said(doubtful) == []
    assert table.game.verdict.ply == 0


def test_a_legal_turn_counts_in_full_though_it_was_seen_too_faintly_to_be_chosen() -> None:
    table = Table()
    doubtful = table.see(guesses={"c4": ((house("white", "ne"), 0.7), (house("white", "e"), 0.28))})
    assert said(doubtful) == [], "one look in four would be told a wrong house"
    assert table.game.verdict.ply == 0


def test_a_wrong_piece_is_not_wished_into_a_right_one() -> None:
    table = Table()
    for _ in range(5):
        seen = table.see(guesses={"c4": ((house("yellow"), 0.85), (house("white"), 0.1))})
        assert said(seen) == [], "nor is anybody blamed for what is not sure"


def test_a_hand_does_not_release_what_was_held_back() -> None:
    """A house nobody can tell stands on h1; then a hand makes half of the board unsure."""
    table = Table()
    table.see()
    either = ((house("yellow", "n"), 0.45), (house("yellow", "ne"), 0.4), (None, 0.1))
    unclear = {"h1": either, "h2": either}
    assert said(table.see("Wc4ne", guesses=unclear)) == []
    many = {f"a{rank}": ((None, 0.4), (Piece("park"), 0.35)) for rank in range(1, 8)}
    assert said(table.see(guesses={**unclear, **many})) == []
    assert said(table.see()) == ["house"], "both were empty after all"


def test_a_house_taken_off_is_missing_and_may_be_a_move_taken_back() -> None:
    table = Table()
    table.see("Wc4ne")
    table.see("Ye6n")
    table.see("-e6")
    ruling = table.see()
    assert said(ruling) == ["illegal"]
    assert ruling.question is not None
    assert ruling.question.readings == ((Undone(2),),)
    table.referee.tell(*ruling.question.readings[0])
    assert table.game.verdict.problems == ()
    assert table.game.verdict.ply == 1


def test_what_a_player_says_is_judged_like_what_was_seen() -> None:
    table = Table()
    table.see()
    assert table.eyes.next is not None
    seen = table.eyes.next.cells[Cell("c4")]
    table.referee.hear(Cell("c4"), house("white"), seen, table.number)
    assert said(table.see()) == ["house"], "nothing is seen there, but the player knows"
