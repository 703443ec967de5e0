"""The simulated camera: what it shows is what stands, read by the very eyes the device has."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest

from firmware.camera import CameraTrouble, SteadyCamera
from firmware.referee import Referee
from firmware.simulated.camera import TAKES, SimulatedCamera
from firmware.simulated.table import SimulatedTable
from rules.board import Anchor, Cell, Piece, Position
from rules.events import Placed
from rules.game import Game
from rules.packs import load_pack
from rules.packs.masterplan.state import State, legal_moves
from rules.packs.masterplan.words import BOX
from vision.classify import Classifier
from vision.locate import Located, locate
from vision.watch import Watcher

SMALL_WH = (640, 480)
LARGE_WH = (1280, 960)
WHITE = Piece("house", "white", Anchor.NE)
C4 = Cell("c4")
CLASSIFIER = Classifier(BOX)


@dataclass
class Room:
    """A table and its camera in a time of their own."""

    size_wh: tuple[int, int] = SMALL_WH
    hands: bool = False
    seed: int = 0
    now_s: float = 0.0
    table: SimulatedTable = field(init=False)
    camera: SimulatedCamera = field(init=False)

    def __post_init__(self) -> None:
        self.table = SimulatedTable(BOX, self.clock, hands=self.hands, seed=self.seed)
        rng = np.random.default_rng(1)
        self.camera = SimulatedCamera(self.table, self.clock, self.sleep, rng, size_wh=self.size_wh)

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    def steady(self) -> SteadyCamera:
        return SteadyCamera(lambda: self.camera, self.clock, self.sleep)


def put_all(table: SimulatedTable, position: Position) -> None:
    table.clear()
    for cell, piece in position.items():
        table.put(piece, cell)


def final_position(seed: int) -> Position:
    """The end of a random game in which nothing was forgotten."""
    chance = np.random.default_rng(seed)
    game: Game[State] = Game(load_pack("masterplan"))
    while game.verdict.outcome is None:
        moves = legal_moves(game.state)
        if moves:
            game.tell(moves[int(chance.integers(len(moves)))])
        while game.verdict.dues:
            game.tell(Placed(game.verdict.dues[0].cell, game.verdict.dues[0].piece))
    return game.verdict.table


def assert_read(room: Room) -> None:
    """A first look at the next frame sees all of the table, and is sure of it."""
    image = room.camera.read().image_bgr
    found = locate(image, BOX.board)
    assert isinstance(found, Located)
    reading = CLASSIFIER.read(image, found.view)
    assert reading.position == room.table.position, f"\n{reading.position}\n{room.table.position}"
    assert not reading.unsure
    assert dict(reading.pawns) == room.table.state()["pawns"]


@pytest.mark.parametrize("size_wh", [LARGE_WH, (960, 720)])
def test_every_final_position_is_read_surely(size_wh: tuple[int, int]) -> None:
    room = Room(size_wh)
    assert_read(room)
    room.table.set_pawn("white", 17)
    for seed in range(5):
        put_all(room.table, final_position(seed))
        houses = [piece for piece in room.table.position.values() if piece.kind == "house"]
        assert len(houses) == 28
        assert_read(room)


def test_the_table_is_read_in_any_usual_light_and_after_a_bump() -> None:
    room = Room((960, 720))
    put_all(room.table, final_position(9))
    for level, warmth in ((0.4, 0.0), (1.3, 0.0), (1.0, 0.7), (1.0, -0.7), (0.4, 0.7), (1.3, -0.7)):
        room.table.lamp(level, warmth)
        assert_read(room)
    for _ in range(3):
        room.table.bump()
        assert_read(room)


def test_a_game_laid_by_hands_is_refereed_rightly() -> None:
    room = Room(hands=True)
    pack = load_pack("masterplan")
    truth, game = Game(pack), Game(pack)
    referee = Referee(game, Watcher(BOX, CLASSIFIER))
    camera = room.steady()

    def wait(frames: int) -> None:
        for _ in range(frames):
            referee.see(camera.read())

    def lay(event: Placed) -> None:
        truth.tell(event)
        room.table.put(event.piece, event.cell)
        wait(8)

    wait(5)
    for word, dues in (("c4ne", ""), ("e6n", ""), ("b3n", "d5"), ("e4ne", ""), ("d4nw", "b4 f4")):
        move = pack.parse_move(word, truth.verdict.turn)
        assert isinstance(move, Placed)
        lay(move)
        for cell in dues.split():
            lay(Placed(Cell(cell), Piece("park")))
    room.table.wave()
    wait(10)
    room.table.bump()
    wait(6)
    assert game.log == truth.log
    assert game.verdict.score == {"white": 5, "yellow": 2}


def test_an_idle_camera_renders_nothing_and_still_has_noise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = Room()
    frames = [room.camera.read() for _ in range(TAKES)]
    monkeypatch.setattr("firmware.simulated.camera.radiance_of", None)
    monkeypatch.setattr("firmware.simulated.camera.expose", None)
    frames += [room.camera.read() for _ in range(40)]
    assert [frame.number for frame in frames] == list(range(TAKES + 40))
    assert np.diff([frame.taken_s for frame in frames]) == pytest.approx(0.2)
    for one, other in pairwise(frames):
        assert not np.array_equal(one.image_bgr, other.image_bgr)
    assert not frames[-1].image_bgr.flags.writeable, "it will be shown again"


def test_every_change_is_shown_at_once() -> None:
    room = Room(hands=True)
    room.table.put(WHITE, C4)
    _, _, reaching, gone, idle = (room.camera.read().image_bgr.astype(int) for _ in range(5))
    hand = np.abs(reaching - idle).max(axis=-1) > 40
    house = np.abs(gone - idle).max(axis=-1) > 40
    assert hand.mean() > 0.02
    assert house.mean() < 0.001, "the hand is gone, and the house stands"


def test_a_pulled_plug_is_trouble_and_the_camera_comes_back() -> None:
    room = Room()
    camera = room.steady()
    assert camera.read().number == 0
    room.table.plug(False)
    with pytest.raises(CameraTrouble) as raised:
        camera.read()
    assert raised.value.reason == "unplugged"
    room.table.plug(True)
    assert camera.read().number == 1


def frozen_after(camera: SteadyCamera, most: int) -> int:
    for count in range(most):
        try:
            camera.read()
        except CameraTrouble as trouble:
            return count if trouble.reason == "frozen" else -1
    return most


def test_a_frozen_camera_is_found_out_and_a_thawed_one_goes_on() -> None:
    room = Room()
    camera = room.steady()
    camera.read()
    room.camera.freeze()
    room.table.put(WHITE, C4)
    assert 9 <= frozen_after(camera, 50) <= 12
    room.camera.freeze(False)
    assert frozen_after(camera, 20) == 20


def test_torn_frames_show_two_moments() -> None:
    room = Room()
    before = room.camera.read().image_bgr.astype(int)
    room.camera.tear()
    room.table.lamp(0.4)
    torn = room.camera.read().image_bgr.astype(int)
    darker = (before - torn).mean(axis=(1, 2)) > 10
    seam = int(darker.argmin())
    assert 0 < seam < len(torn)
    assert darker[:seam].all()
    assert not darker[seam:].any()


def test_garbage_is_trouble_and_never_reaches_the_eyes() -> None:
    room = Room()
    camera = room.steady()
    camera.read()
    room.camera.garbage()
    for _ in range(9):
        with pytest.raises(CameraTrouble) as raised:
            camera.read()
        assert raised.value.reason == "garbage"
    room.camera.garbage(False)
    room.sleep(5.0)
    assert camera.read().number == 1


def test_other_seeds_are_other_tables_with_the_same_pieces() -> None:
    pictures = []
    for seed in (0, 1, 2):
        room = Room(seed=seed)
        room.table.put(WHITE, C4)
        pictures.append(room.camera.read().image_bgr.astype(int))
    again = Room(seed=0)
    again.table.put(WHITE, C4)
    again.table.lay(2)
    assert np.abs(again.camera.read().image_bgr.astype(int) - pictures[2]).mean() < 2
    assert min(np.abs(pictures[0] - other).mean() for other in pictures[1:]) > 20


def test_a_wide_picture_shows_all_of_the_table() -> None:
    room = Room((1280, 720))
    room.table.put(WHITE, C4)
    assert room.camera.read().image_bgr.shape == (720, 1280, 3)
    assert_read(room)
