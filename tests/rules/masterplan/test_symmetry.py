"""The rules know no direction: the eight symmetries of the board give the same verdicts."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import pytest

from rules.board import Anchor, Cell, Piece
from rules.events import Placed
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State, legal_moves

Turn = Callable[[int, int], tuple[int, int]]
# Around the middle of the board, in half cells; the first leaves everything as it is.
SYMMETRIES: Final[dict[str, Turn]] = {
    "as it is": lambda x, y: (x, y),
    "quarter turn": lambda x, y: (-y, x),
    "half turn": lambda x, y: (-x, -y),
    "three quarters": lambda x, y: (y, -x),
    "left to right": lambda x, y: (-x, y),
    "top to bottom": lambda x, y: (x, -y),
    "main diagonal": lambda x, y: (y, x),
    "other diagonal": lambda x, y: (-y, -x),
}
ANCHOR_OF: Final = {anchor.step: anchor for anchor in Anchor}


def turn_cell(cell: Cell, turn: Turn) -> Cell:
    x, y = turn(2 * cell.file - 7, 2 * cell.rank - 7)
    turned = Cell.at((x + 7) // 2, (y + 7) // 2)
    assert turned is not None
    return turned


def turn_event(event: Placed, turn: Turn) -> Placed:
    piece = event.piece
    anchor = ANCHOR_OF[turn(*piece.anchor.step)] if piece.anchor else None
    return Placed(turn_cell(event.cell, turn), Piece(piece.kind, piece.colour, anchor))


def random_game(seed: int) -> list[Placed]:
    """All placements of a game whose players sometimes forget."""
    dice, game, events = random.Random(seed), Game(PACK), []
    while game.verdict.outcome is None:
        dues = game.verdict.dues
        if dues and (game.verdict.turn is None or dice.random() < 0.7):
            due = dice.choice(dues)
            event = Placed(due.cell, due.piece)
        else:
            event = dice.choice(legal_moves(game.state))
        events.append(event)
        game.tell(event)
    return events


def play(events: list[Placed], turn: Turn) -> Game[State]:
    game: Game[State] = Game(PACK)
    for event in events:
        game.tell(turn_event(event, turn))
    return game


@pytest.mark.parametrize("name", SYMMETRIES)
@pytest.mark.parametrize("seed", range(4))
def test_a_turned_board_gives_the_turned_verdicts(name: str, seed: int) -> None:
    turn, events = SYMMETRIES[name], random_game(seed)
    plain, turned = play(events, SYMMETRIES["as it is"]), play(events, turn)
    for before, after in zip(plain.steps, turned.steps, strict=True):
        assert after.verdict.score == before.verdict.score
        assert after.verdict.turn == before.verdict.turn
        assert [said.word for said in after.verdict.said] == [s.word for s in before.verdict.said]
        dues = {(turn_cell(d.cell, turn), d.piece, d.forgotten) for d in before.verdict.dues}
        assert {(d.cell, d.piece, d.forgotten) for d in after.verdict.dues} == dues
    assert plain.verdict.outcome is not None
    assert turned.verdict.outcome is not None
    assert turned.verdict.outcome.winners == plain.verdict.outcome.winners


def test_the_symmetries_are_eight_different_ones() -> None:
    images = {tuple(turn_cell(Cell(c), turn) for c in ("a1", "b1")) for turn in SYMMETRIES.values()}
    assert len(images) == 8
