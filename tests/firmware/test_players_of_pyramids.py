"""The simulated players at another game: they choose who plays, lay parks, and pass."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from firmware.commands import Command, NewGame, Pass
from firmware.simulated.players import Players, is_going_on
from firmware.simulated.table import SimulatedTable
from firmware.snapshot import Access, GameCard, Seeing, Snapshot
from rules.events import Passed, Placed
from rules.game import Game
from rules.packs.subdivision import PACK
from rules.packs.subdivision.state import State
from rules.record import format_record, play_record, write_record
from rules.verdict import PassRefused
from rules.voice import Language
from tests.soak import read_diary


class Room:
    """The players at their table, and a device that sees at once and does as it is told."""

    def __init__(self, folder: Path, seed: int, *, in_haste: bool = False) -> None:
        self.folder, self.seed, self.in_haste = folder, seed, in_haste
        self.judged: Game[State] = Game(PACK)
        self.number = 0
        self.switch_on()

    def switch_on(self) -> None:
        self.table = SimulatedTable(self.judged.box, lambda: 0.0, hands=False)
        self.table.keep(self.folder / "table.json")
        diary = self.folder / "diary.jsonl"
        self.players = Players(self.table, PACK, self.seed, diary, in_haste=self.in_haste)

    @property
    def played(self) -> Game[State]:
        return self.players.games[-1]

    def see(self) -> None:
        """Everything but a pass, which cannot be seen."""
        if self.judged.verdict.outcome and not self.table.position:
            self.judged, self.number = Game(PACK, self.judged.settings), self.number + 1
        if self.number < len(self.players.games):
            for event in self.players.games[self.number].log[len(self.judged.log) :]:
                if isinstance(event, Passed):
                    break
                self.judged.tell(event)

    def hear(self, command: Command | None) -> None:
        match command:
            case NewGame(settings):
                assert not self.judged.log, "a game that is going on is not thrown away"
                self.judged = Game(PACK, settings)
                self.table.use(self.judged.box)
            case Pass():
                assert self.judged.verdict.turn is not None
                said = self.judged.tell(Passed(self.judged.verdict.turn)).said
                assert not any(isinstance(statement, PassRefused) for statement in said)

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

    def act(self) -> Command | None:
        return self.players.act(self.snapshot())

    def play_a_game(self, *, cut: bool = False, deaf: random.Random | None = None) -> None:
        """`cut`: the power goes after each deed; `deaf`: what is said is often not heard."""
        finished = self.players.have_finished
        while self.players.have_finished == finished:
            self.see()
            command = self.act()
            if deaf is None or deaf.random() < 0.5:
                self.hear(command)
            if cut:
                self.switch_on()
            if is_going_on(self.snapshot()):
                assert self.table.position == self.played.verdict.table
        self.see()


def test_whole_games_are_played_by_two_to_four_with_every_variant(tmp_path: Path) -> None:
    room, faults, said = Room(tmp_path, 4), Counter[str](), set()
    terms, passes = [], 0
    for _ in range(14):
        room.play_a_game()
        again = play_record(PACK, write_record(room.played))
        assert again.verdict.outcome == room.played.verdict.outcome is not None
        terms.append(room.played.state.terms)
        said |= {type(s).__name__ for step in room.played.steps for s in step.verdict.said}
        faults += Counter(p.reason for step in room.played.steps for p in step.verdict.problems)
        passes += sum(isinstance(event, Passed) for event in room.played.log)
    assert {len(t.players) for t in terms} == {2, 3, 4}
    assert {t.players_lay_parks for t in terms} == {t.has_private_parks for t in terms} == {0, 1}
    assert len({t.size for t in terms}) >= 3
    assert {"PieceStands", "Illegal", "Corrected", "MustPass", "TurnPassed", "Over"} <= said
    assert passes >= 3
    assert {"out-of-turn", "large-near-own-large", "small-needs-other-colour"} <= set(faults)


def test_the_parks_are_laid_before_the_first_pyramid(tmp_path: Path) -> None:
    room = Room(tmp_path, 4)
    for _ in range(4):
        room.play_a_game()
        laid = [e.piece.kind == "blocked" for e in room.played.log if isinstance(e, Placed)]
        right = [s.event for s in room.played.steps if not s.verdict.problems]
        parks = [e.cell for e in right if isinstance(e, Placed) and e.piece.kind == "blocked"]
        assert len(parks) >= room.played.state.terms.parks
        assert not any(laid[-5:]), "nobody thinks of parks at the end"


def test_the_diary_tells_the_games(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    room.play_a_game()
    room.play_a_game()
    games = read_diary(tmp_path / "diary.jsonl", PACK)
    assert [game.log for game in games] == [game.log for game in room.players.games]
    assert [game.settings for game in games] == [game.settings for game in room.players.games]


def test_a_game_cut_short_everywhere_and_heard_by_halves_is_the_same_game(tmp_path: Path) -> None:
    for name in ("whole", "cut"):
        (tmp_path / name).mkdir()
    whole, cut = Room(tmp_path / "whole", 4), Room(tmp_path / "cut", 4)
    passes = 0
    for _ in range(5):
        whole.play_a_game()
        cut.play_a_game(cut=True, deaf=random.Random(1))
        assert cut.played.log == whole.played.log
        assert format_record(write_record(cut.judged)) == format_record(write_record(whole.played))
        passes += sum(isinstance(event, Passed) for event in whole.played.log)
    assert passes, "somebody had to pass"


def test_in_haste_nobody_passes_before_the_device_says_that_they_must(tmp_path: Path) -> None:
    room, slow, passes = Room(tmp_path, 4, in_haste=True), random.Random(3), 0
    for _ in range(8):
        while not room.players.games or room.played.verdict.outcome is None:
            if slow.random() < 0.3:
                room.see()
            command = room.act()
            room.hear(command)  # which fails where it may not be
            passes += isinstance(command, Pass)
        while room.played.verdict.outcome is not None:
            room.see()
            room.hear(room.act())
    assert passes >= 3
