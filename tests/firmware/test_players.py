"""The simulated players, beside a device that sees everything at once, or as late as the test says.

They are what the soak trusts, so their diary has to be true whatever happens to them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.commands import AnswerOption
from firmware.dialog import Answer, Happened, Holds, Listing, Topic
from firmware.simulated.players import Players, is_going_on
from firmware.simulated.table import SimulatedTable
from firmware.snapshot import Access, Failure, GameCard, Part, Seeing, Snapshot
from rules.board import Anchor, Cell, Piece
from rules.events import Placed, Taken
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State
from rules.record import format_record, play_record, write_record
from rules.voice import Language
from rules.wire import parse_event
from tests.soak import read_diary


class Room:
    """The players at their table, and what the device shows them."""

    def __init__(self, folder: Path, seed: int = 1, *, in_haste: bool = False) -> None:
        self.folder, self.seed, self.in_haste = folder, seed, in_haste
        self.judged: Game[State] = Game(PACK)
        """The game as far as the device has seen it."""
        self.number = 0
        """Which game that is."""
        self.switch_on()

    def switch_on(self) -> None:
        """Everybody comes (back) into the room: the table is as it was left."""
        self.table = SimulatedTable(PACK.box, lambda: 0.0, hands=False)
        self.table.keep(self.folder / "table.json")
        diary = self.folder / "diary.jsonl"
        self.players = Players(self.table, PACK, self.seed, diary, in_haste=self.in_haste)

    @property
    def played(self) -> Game[State]:
        return self.players.games[-1]

    def see(self) -> None:
        """The device catches up."""
        if self.judged.verdict.outcome and not self.table.position:
            self.judged, self.number = Game(PACK), self.number + 1
        if self.number < len(self.players.games):
            for event in self.players.games[self.number].log[len(self.judged.log) :]:
                self.judged.tell(event)

    def snapshot(self) -> Snapshot:
        return Snapshot(
            number=1,
            language=Language.EN,
            sound="off",
            game=GameCard(1, PACK, self.judged.settings, 0.0),
            verdict=self.judged.verdict,
            access=Access("", ""),
            seeing=Seeing.WATCHING,
        )

    def act(self) -> object:
        return self.players.act(self.snapshot())

    def play_until(self, deeds: int) -> None:
        """Until so many lines are in the diary of this game."""
        while not self.players.games or len(self.played.log) < deeds:
            self.see()
            self.act()

    def play_a_game(self) -> None:
        finished = self.players.have_finished
        while self.players.have_finished == finished:
            self.see()
            self.act()
            if is_going_on(self.snapshot()):
                assert self.table.position == self.played.verdict.table
        self.see()


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_whole_games_are_played_by_the_rules_and_not_only(tmp_path: Path) -> None:
    said = set()
    for seed in range(15):
        (tmp_path / str(seed)).mkdir()
        room = Room(tmp_path / str(seed), seed)
        room.play_a_game()
        again = play_record(PACK, write_record(room.played))
        assert again.verdict.outcome == room.played.verdict.outcome is not None
        said |= {type(s).__name__ for step in room.played.steps for s in step.verdict.said}
    assert {"Forgotten", "Illegal", "Corrected", "Over"} <= said


def test_games_follow_each_other_on_a_cleared_board(room: Room) -> None:
    room.play_a_game()
    first = format_record(write_record(room.played))
    room.play_a_game()
    assert room.players.have_finished == 2
    assert format_record(write_record(room.played)) != first


def test_the_diary_tells_the_games(room: Room) -> None:
    room.play_a_game()
    games = read_diary(room.folder / "diary.jsonl", PACK)
    assert [game.log for game in games] == [game.log for game in room.players.games]


def test_a_game_cut_short_everywhere_is_the_same_game(tmp_path: Path) -> None:
    for name in ("whole", "cut"):
        (tmp_path / name).mkdir()
    whole, cut = Room(tmp_path / "whole", 7), Room(tmp_path / "cut", 7)
    whole.play_a_game()
    while not cut.players.have_finished:
        cut.see()
        cut.act()
        cut.switch_on()
    assert cut.played.log == whole.played.log
    assert cut.table.position == whole.table.position


def test_what_was_written_and_not_done_is_done_after_a_power_cut(room: Room) -> None:
    room.play_until(5)
    room.see()
    cell = Cell(next(c for c in room.table.position))
    piece = room.table.take(cell)  # as if the hand had never got there
    room.switch_on()
    room.act()
    assert room.table.position[cell] == piece
    assert len(room.played.log) == 5


def test_the_last_piece_is_put_even_if_the_power_went_just_before(room: Room) -> None:
    room.play_a_game()
    room.judged = Game(PACK)
    for event in room.played.log[:-1]:
        room.judged.tell(event)
    last = room.played.log[-1]
    assert isinstance(last, Placed)
    room.table.take(last.cell)
    room.switch_on()
    room.act()
    assert room.table.position[last.cell] == last.piece


def test_they_wait_until_the_device_has_seen_what_they_did(room: Room) -> None:
    room.play_until(4)
    lines = (room.folder / "diary.jsonl").read_text()
    for _ in range(5):
        room.act()
    assert (room.folder / "diary.jsonl").read_text() == lines
    room.see()
    room.act()
    assert (room.folder / "diary.jsonl").read_text() != lines


def test_in_haste_they_do_not(tmp_path: Path) -> None:
    room = Room(tmp_path, in_haste=True)
    room.play_until(4)
    for _ in range(3):
        room.act()
    assert len(room.played.log) == 7


def test_a_wrong_piece_is_taken_back_once_somebody_has_complained(tmp_path: Path) -> None:
    room = Room(tmp_path, in_haste=True)
    room.play_until(1)
    while not room.played.verdict.problems:
        room.see()
        room.act()
        if room.played.verdict.outcome:
            room.play_until(1)
    deeds = len(room.played.log)
    for _ in range(5):
        room.act()
    assert len(room.played.log) == deeds
    room.see()
    room.act()
    assert isinstance(room.played.log[-1], Taken)
    assert not room.played.verdict.problems


def test_the_board_is_cleared_once_the_device_has_seen_the_end(room: Room) -> None:
    room.play_a_game()
    room.judged = Game(PACK)
    for event in room.played.log[:-1]:
        room.judged.tell(event)
    assert is_going_on(room.snapshot())
    room.act()
    assert room.table.position
    room.see()
    assert not is_going_on(room.snapshot())
    room.act()
    assert not room.table.position


@pytest.mark.parametrize("seeing", [Seeing.BLIND, Seeing.STARTING])
def test_they_wait_while_the_device_cannot_see(room: Room, seeing: Seeing) -> None:
    room.play_until(2)
    room.see()
    assert room.players.act(replace(room.snapshot(), seeing=seeing)) is None
    assert len(room.played.log) == 2


def test_they_wait_while_a_part_is_out_of_order(room: Room) -> None:
    room.play_until(2)
    room.see()
    room.players.act(replace(room.snapshot(), alarm=Failure(Part.OLED, "no-answer")))
    assert len(room.played.log) == 2


def asked(room: Room, listing: Listing) -> object:
    return room.players.act(replace(room.snapshot(), dialog=listing))


def test_what_stands_on_a_cell_is_answered_with_the_truth(room: Room) -> None:
    room.play_until(2)
    cell, piece = next(iter(room.table.position.items()))
    ring = tuple(Anchor)
    assert piece.anchor is not None
    other = piece._replace(anchor=ring[(ring.index(piece.anchor) + 1) % 8])
    options = Holds(cell, other), Holds(cell, None), Holds(cell, piece)
    assert asked(room, Listing(Topic.UNSURE, options, cell=cell)) == AnswerOption(2)
    assert asked(room, Listing(Topic.UNSURE, options[:2], cell=cell)) is None


def diary(folder: Path, *lines: dict[str, str]) -> None:
    begin = json.dumps({"begin": {}})
    text = "\n".join([begin, *map(json.dumps, lines)])
    (folder / "diary.jsonl").write_text(text + "\n")


def events(*lines: dict[str, str]) -> tuple[Placed, ...]:
    placed = tuple(parse_event(PACK, line) for line in lines)
    assert all(isinstance(event, Placed) for event in placed)
    return placed  # type: ignore[return-value]


C4, E6 = {"house": "c4ne", "colour": "white"}, {"house": "e6n", "colour": "yellow"}
B3, E4 = {"house": "b3n", "colour": "white"}, {"house": "e4ne", "colour": "yellow"}
D5 = {"park": "d5"}


def test_what_happened_is_answered_in_the_order_that_matters(tmp_path: Path) -> None:
    diary(tmp_path, C4, E6, B3, E4, D5)
    room = Room(tmp_path)
    in_time, forgotten = Happened(events(B3, D5, E4)), Happened(events(B3, E4, D5))
    never = Happened(events(B3, {"house": "e4n", "colour": "yellow"}, D5))
    assert asked(room, Listing(Topic.HAPPENED, (never, in_time, forgotten))) == AnswerOption(2)
    assert asked(room, Listing(Topic.HAPPENED, (never, in_time))) is None


def test_an_order_that_makes_no_difference_is_as_good(tmp_path: Path) -> None:
    moves = C4, E6, B3, D5, E4, {"house": "d4nw", "colour": "white"}
    diary(tmp_path, *moves, {"park": "b4"}, {"park": "f4"})
    room = Room(tmp_path)
    told = Happened(events(moves[-1], {"park": "f4"}, {"park": "b4"}))
    assert asked(room, Listing(Topic.HAPPENED, (told,))) == AnswerOption(0)


def test_only_a_game_that_is_over_is_given_up(room: Room) -> None:
    cleared = Listing(Topic.CLEARED, (Answer.PUT_BACK, Answer.YES))
    room.play_until(3)
    assert asked(room, cleared) is None
    room.play_a_game()
    assert asked(room, cleared) == AnswerOption(1)


def test_a_menu_that_somebody_opened_is_left_to_them(room: Room) -> None:
    room.play_a_game()
    assert asked(room, Listing(Topic.NEW_GAME, (Answer.NO, Answer.YES))) is None
    piece = next(iter(room.table.position.values()))
    where = Holds(Cell("a1"), Piece("park")), Holds(next(iter(room.table.position)), piece)
    assert asked(room, Listing(Topic.WHERE, where)) is None
    assert room.table.position, "and nothing is cleared meanwhile"
