"""The same scene, fed in different ways, must give the same changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from rules.board import Cell, Piece, Position
from rules.events import Change
from tests.vision.looks import PARK, WHITE, YELLOW, put, reading_of
from vision.reading import BoardReading, CellReading
from vision.settle import STILLS, Patience, Settle

EMPTY = Position()
GAME = [
    put(),
    put("c4 W"),
    put("c4 W", "e6 Y"),
    put("c4 W", "e6 Y", "b3 W"),
    put("c4 W", "e6 Y", "b3 W", "d5 p"),
]
HELD = 12
"""Each of these tables is seen in so many frames, at least."""
Feed = list[tuple[int, BoardReading]]


def seen(
    settle: Settle, reading: BoardReading, frame: int, loose: list[Cell] | None = None
) -> list[Change]:
    return [settled.change for settled in settle.see(reading, frame, loose or ())]


def changes(feed: Feed, patience: Patience = Patience()) -> list[Change]:  # noqa: B008
    settle = Settle(EMPTY, patience)
    return [s.change for frame, reading in feed for s in settle.see(reading, frame)]


def once() -> Feed:
    tables = [table for table in GAME for _ in range(HELD)]
    return [(frame, reading_of(table)) for frame, table in enumerate(tables)]


def doubled() -> Feed:
    return [(2 * frame + twin, reading) for frame, reading in once() for twin in (0, 1)]


def dropped() -> Feed:
    return [(frame, reading) for frame, reading in once() if frame % 3]


def with_a_hand() -> Feed:
    """A hand passes whenever somebody puts something down, and hides half of the board."""
    half = [f"{file}{rank}" for file in "abcd" for rank in range(1, 9)]
    return [
        (frame, reading_of(reading.position, hidden=half) if frame % HELD < 3 else reading)
        for frame, reading in once()
    ]


def flickering() -> Feed:
    """One cell far away is seen as something else all the time, and never twice alike."""
    noise = [WHITE, YELLOW, PARK]
    return [
        (frame, reading_of(reading.position.put(Cell("h1"), noise[frame % 3])))
        for frame, reading in once()
    ]


EXPECTED = [Change(before, after) for before, after in pairwise(GAME)]


@pytest.mark.parametrize("feed", [once, doubled, dropped, with_a_hand])
def test_every_feed_gives_the_same_changes(feed: Callable[[], Feed]) -> None:
    assert changes(feed()) == EXPECTED


def test_a_flickering_cell_does_not_hold_up_the_others() -> None:
    assert changes(flickering()) == EXPECTED


def test_the_first_sight_is_never_believed() -> None:
    settle = Settle(EMPTY)
    assert seen(settle, reading_of(GAME[1]), 0) == []
    assert settle.pending == {Cell("c4")}
    assert seen(settle, reading_of(GAME[1]), 1) == [], "too soon after: the noise may be the same"
    assert seen(settle, reading_of(GAME[1]), 2) == [Change(EMPTY, GAME[1])]
    assert settle.pending == frozenset()


def test_what_was_only_passing_never_happened() -> None:
    settle = Settle(EMPTY)
    settle.see(reading_of(GAME[1]), 0)
    settle.see(reading_of(EMPTY), 2)
    assert settle.pending == frozenset()
    assert seen(settle, reading_of(GAME[1]), 4) == []


def test_a_hidden_cell_stays_as_it_was_known() -> None:
    settle = Settle(GAME[1])
    for frame in range(0, 60, 2):
        assert seen(settle, reading_of(EMPTY, hidden=["c4"]), frame) == []


def test_standing_pieces_are_not_believed_gone_so_soon() -> None:
    patience = Patience()
    settle = Settle(GAME[1], patience)
    frames = range(0, 2 * patience.changed, 2)
    looks = [seen(settle, reading_of(EMPTY), frame) for frame in frames]
    assert looks[:-1] == [[]] * (patience.changed - 1)
    assert looks[-1] == [Change(GAME[1], EMPTY)]


def test_a_standing_piece_is_not_gone_because_it_can_hardly_be_seen() -> None:
    """Sure enough to be told, and still less likely than that somebody took it away."""
    settle = Settle(GAME[1])
    pale = CellReading(((None, 0.995), (WHITE, 0.005)))
    for frame in range(0, 60, 2):
        reading = reading_of(GAME[1])
        washed_out = replace(reading, cells={**reading.cells, Cell("c4"): pale})
        assert seen(settle, washed_out, frame) == []


def test_where_the_referee_waits_for_it_a_piece_may_go_at_once() -> None:
    settle = Settle(GAME[1])
    settle.see(reading_of(EMPTY), 0, [Cell("c4")])
    assert seen(settle, reading_of(EMPTY), 2, [Cell("c4")]) == [Change(GAME[1], EMPTY)]


def test_what_was_seen_first_leaves_first() -> None:
    """The park lay there before the house, though both become certain at the same moment."""
    settle = Settle(EMPTY)
    settle.see(reading_of(put("d5 p")), 0)
    settle.see(reading_of(put("d5 p", "c4 W"), hidden=["d5"]), 2)
    both = seen(settle, reading_of(put("d5 p", "c4 W")), 4)
    assert [set(change.after) - set(change.before) for change in both] == [{"d5"}, {"c4"}]


def test_pieces_first_seen_together_leave_together() -> None:
    settle = Settle(EMPTY)
    settle.see(reading_of(GAME[4]), 0)
    assert seen(settle, reading_of(GAME[4]), 2) == [Change(EMPTY, GAME[4])]


def test_stills_are_believed_at_once_but_not_what_they_take_away() -> None:
    settle = Settle(EMPTY, STILLS)
    assert seen(settle, reading_of(GAME[1]), 0) == [Change(EMPTY, GAME[1])]
    assert seen(settle, reading_of(EMPTY), 1) == []
    assert seen(settle, reading_of(EMPTY), 2) == [Change(GAME[1], EMPTY)]


def test_a_board_that_was_lost_is_seen_anew() -> None:
    settle = Settle(EMPTY)
    settle.see(reading_of(GAME[1]), 0)
    settle.forget()
    assert seen(settle, reading_of(GAME[1]), 2) == []


def looked_like(cell: str, piece: Piece | None) -> BoardReading:
    """The empty board, but for this cell, surely."""
    pieces = {} if piece is None else {Cell(cell): piece}
    return reading_of(Position(pieces))


def vouched_for(piece: Piece | None, seen_as: Piece | None) -> Settle:
    """A player said that `piece` stands on c4, where `seen_as` was seen."""
    settle = Settle(EMPTY)
    reading = looked_like("c4", seen_as)
    settle.vouch(Cell("c4"), piece, reading.cells[Cell("c4")], 10)
    return settle


def test_a_players_word_stands_against_the_eyes() -> None:
    settle = vouched_for(WHITE, YELLOW)
    for frame in range(11, 60):
        assert seen(settle, looked_like("c4", YELLOW), frame) == []
    assert settle.known[Cell("c4")] == WHITE
    assert settle.is_plain_since(Cell("c4"), 59)
    assert not settle.doubts


def test_after_a_hand_the_word_is_in_doubt() -> None:
    settle = vouched_for(WHITE, YELLOW)
    settle.see(reading_of(EMPTY, hidden=["c4"]), 11)
    for frame in range(12, 30):
        assert seen(settle, looked_like("c4", YELLOW), frame) == [], "nothing is claimed either"
    assert Cell("c4") in settle.doubts


def test_a_third_thing_is_seen_with_fresh_eyes() -> None:
    settle = vouched_for(WHITE, YELLOW)
    changed = [c for frame in range(11, 30) for c in seen(settle, looked_like("c4", PARK), frame)]
    assert [change.after[Cell("c4")] for change in changed] == [PARK]


def test_a_word_that_agrees_with_the_eyes_is_no_special_case() -> None:
    settle = vouched_for(WHITE, WHITE)
    changed = [c for frame in range(11, 40) for c in seen(settle, looked_like("c4", None), frame)]
    assert [Cell("c4") in change.after for change in changed] == [False]


def test_a_word_for_what_was_hardly_seen_is_not_asked_for_again() -> None:
    settle = Settle(EMPTY)
    unsure = reading_of(EMPTY, guesses={"c4": ((WHITE, 0.6), (YELLOW, 0.4))})
    settle.vouch(Cell("c4"), WHITE, unsure.cells[Cell("c4")], 10)
    for frame in range(11, 60):
        busy = frame == 30
        reading = reading_of(EMPTY, hidden=["c4"]) if busy else unsure
        assert seen(settle, reading, frame) == []
    assert settle.known[Cell("c4")] == WHITE
    assert not settle.doubts


def test_nothing_can_be_vouched_for_too() -> None:
    settle = vouched_for(None, WHITE)
    for frame in range(11, 60):
        assert seen(settle, looked_like("c4", WHITE), frame) == []
    assert Cell("c4") not in settle.known
