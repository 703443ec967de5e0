"""A table that does not exist: pieces, hands, lamp and cable, and that it never forgets."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from firmware.simulated.hands import LEAVE_S, REACH_S, SWEEP_S
from firmware.simulated.kept import BRIGHTEST, DARKEST
from firmware.simulated.table import BadPlacement, SimulatedTable
from rules.board import ALL_CELLS, Anchor, Cell, Piece
from rules.errors import BadSetting
from rules.packs.masterplan.words import BOX

WHITE = Piece("house", "white", Anchor.NE)
YELLOW = Piece("house", "yellow", Anchor.S)
PARK, TOWER = Piece("park"), Piece("tower")
C4, D5 = Cell("c4"), Cell("d5")


class Clock:
    def __init__(self) -> None:
        self.now_s = 10.0

    def __call__(self) -> float:
        return self.now_s


def at_once() -> SimulatedTable:
    return SimulatedTable(BOX, Clock(), hands=False)


def left(table: SimulatedTable, kind: str, colour: str | None = None) -> int:
    supply = table.state()["supply"]
    (count,) = (s["left"] for s in supply if (s["kind"], s["colour"]) == (kind, colour))
    return int(count)


def test_pieces_are_put_moved_and_taken() -> None:
    table = at_once()
    table.put(WHITE, C4)
    table.put(PARK, D5)
    table.move(C4, Cell("e5"), Anchor.W)
    assert table.take(D5) == PARK
    assert dict(table.glimpse().table.position) == {Cell("e5"): WHITE._replace(anchor=Anchor.W)}
    table.move(Cell("e5"), Cell("e5"), Anchor.N)
    assert table.state()["pieces"] == [
        {"cell": "e5", "kind": "house", "colour": "white", "anchor": "n"}
    ]
    assert left(table, "house", "white") == 13
    table.clear()
    assert table.state()["pieces"] == []
    assert json.loads(json.dumps(table.state())) == table.state()


@pytest.mark.parametrize(
    ("piece", "cell", "word"),
    [
        pytest.param(PARK, C4, "c4 holds a house: take that off first", id="taken"),
        pytest.param(Piece("castle"), D5, "house or park or tower", id="no such kind"),
        pytest.param(Piece("house", "red"), D5, "white or yellow", id="no such colour"),
        pytest.param(Piece("park", "white"), D5, "no colour", id="no colour"),
        pytest.param(Piece("tower", None, Anchor.N), D5, "stands in none", id="no anchor"),
    ],
)
def test_what_cannot_be_put_is_refused_and_changes_nothing(
    piece: Piece, cell: Cell, word: str
) -> None:
    table = at_once()
    table.put(WHITE, C4)
    before = table.state()
    with pytest.raises(BadPlacement, match=word):
        table.put(piece, cell)
    assert table.state() == before


def test_what_is_not_there_cannot_be_taken_or_moved_and_nothing_moves_onto_another() -> None:
    table = at_once()
    table.put(WHITE, C4)
    table.put(PARK, D5)
    with pytest.raises(BadPlacement, match="nothing stands on e5"):
        table.take(Cell("e5"))
    with pytest.raises(BadPlacement, match="nothing stands on e5"):
        table.move(Cell("e5"), C4, None)
    with pytest.raises(BadPlacement, match="d5 holds a park"):
        table.move(C4, D5, Anchor.N)
    assert dict(table.position) == {C4: WHITE, D5: PARK}


def test_towers_and_houses_run_out_and_parks_never() -> None:
    table = at_once()
    for cell in ALL_CELLS[:6]:
        table.put(TOWER, cell)
    with pytest.raises(BadPlacement, match="no tower is left: all 6"):
        table.put(TOWER, ALL_CELLS[6])
    for cell in ALL_CELLS[10:24]:
        table.put(WHITE, cell)
    with pytest.raises(BadPlacement, match="no white house is left"):
        table.put(WHITE, ALL_CELLS[6])
    for cell in ALL_CELLS[30:60]:
        table.put(PARK, cell)
    assert (left(table, "park"), left(table, "tower")) == (0, 0)
    table.move(ALL_CELLS[0], ALL_CELLS[7])
    assert ALL_CELLS[7] in table.position, "the last tower can still be moved"


def test_a_hand_reaches_in_leaves_the_piece_and_is_gone() -> None:
    clock = Clock()
    table = SimulatedTable(BOX, clock)
    table.put(YELLOW, C4)
    assert table.state()["pieces"], "for the page it is as good as done"
    seen = []
    for after_s in (0.0, REACH_S - 0.01, REACH_S + 0.01, REACH_S + LEAVE_S + 0.01):
        clock.now_s = 10.0 + after_s
        glimpse = table.glimpse()
        seen.append((glimpse.hand is not None, C4 in glimpse.table.position))
    assert seen == [(True, False), (True, False), (True, True), (False, True)]


def test_one_hand_after_the_other() -> None:
    clock = Clock()
    table = SimulatedTable(BOX, clock)
    table.put(WHITE, C4)
    table.put(YELLOW, D5)
    with pytest.raises(BadPlacement, match="c4 holds a house"):
        table.put(PARK, C4)  # the hand is still on its way, but the cell is promised
    first = REACH_S + LEAVE_S
    clock.now_s = 10.0 + first - 0.01
    assert set(table.glimpse().table.position) == {C4}
    hand = table.glimpse().hand
    clock.now_s = 10.0 + first + 0.1
    other = table.glimpse().hand
    assert hand is not None
    assert other is not None
    assert hand.from_deg != other.from_deg, "yellow sits opposite"
    clock.now_s = 10.0 + first + REACH_S
    assert set(table.glimpse().table.position) == {C4, D5}


def test_a_moved_piece_is_in_the_hand_on_its_way() -> None:
    clock = Clock()
    table = SimulatedTable(BOX, clock)
    table.put(WHITE, C4)
    clock.now_s += 5
    table.move(C4, D5, Anchor.E)
    stands = []
    for after_s in (0.1, REACH_S, 2 * REACH_S, 2 * REACH_S + LEAVE_S):
        clock.now_s = 15.0 + after_s
        stands.append(sorted(table.glimpse().table.position))
    assert stands == [[C4], [], [D5], [D5]]
    assert table.glimpse().hand is None


def test_a_wave_is_a_hand_for_a_while_and_a_sweep_clears_the_board_midway() -> None:
    clock = Clock()
    table = SimulatedTable(BOX, clock)
    table.wave()
    tips = []
    for step in range(7):
        clock.now_s = 10.0 + step * SWEEP_S / 6
        hand = table.glimpse().hand
        tips.append(None if hand is None else hand.tip_mm[0])
    assert tips[-1] is None
    assert [tip for tip in tips if tip is not None] == sorted(
        tip for tip in tips if tip is not None
    )
    table.put(WHITE, C4)
    clock.now_s += 5
    table.clear()
    assert set(table.glimpse().table.position) == {C4}
    clock.now_s += SWEEP_S / 2 + 0.01
    assert not table.glimpse().table.position
    assert table.glimpse().hand is not None


def test_equal_moments_are_equal_and_every_change_is_seen() -> None:
    table = at_once()
    moments = [table.glimpse()]
    assert moments[0] == table.glimpse()
    table.lamp(0.4)
    moments.append(table.glimpse())
    table.lamp(warmth=-0.5)
    moments.append(table.glimpse())
    assert (moments[-1].table.lamp, moments[-1].table.warmth) == (0.4, -0.5)
    table.bump()
    moments.append(table.glimpse())
    table.set_pawn("white", 7)
    moments.append(table.glimpse())
    table.lay(3)
    moments.append(table.glimpse())
    table.plug(False)
    moments.append(table.glimpse())
    assert all(one != other for i, one in enumerate(moments) for other in moments[:i])


@pytest.mark.parametrize("level", [0.0, DARKEST - 0.01, BRIGHTEST + 0.01, float("nan"), -1.0])
def test_the_lamp_has_its_bounds(level: float) -> None:
    table = at_once()
    with pytest.raises(BadSetting, match="lamp cannot be"):
        table.lamp(level)
    with pytest.raises(BadSetting, match="warmth cannot be"):
        table.lamp(1.0, 1.2)
    assert table.state()["lamp"] == 1.0


def test_pawns_stand_on_the_track() -> None:
    table = at_once()
    table.set_pawn("yellow", 35)
    assert table.state()["pawns"] == {"white": 0, "yellow": 35}
    for colour, space in (("yellow", 36), ("white", -1), ("red", 3)):
        with pytest.raises(BadPlacement, match="0 to 35"):
            table.set_pawn(colour, space)


def test_a_kept_table_outlives_the_power(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    table = SimulatedTable(BOX, Clock())
    table.keep(path)
    table.put(WHITE, C4)
    table.put(PARK, D5)
    table.lamp(0.5, 0.3)
    table.bump()
    table.plug(False)
    table.set_pawn("white", 4)
    table.lay(12)

    again = SimulatedTable(BOX, Clock())
    again.keep(path)
    assert again.state() == {**table.state(), "hand": False}
    assert dict(again.glimpse().table.position) == {C4: WHITE, D5: PARK}, "no hand needed any more"
    assert [one.name for one in tmp_path.iterdir()] == ["table.json"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("[1, 2]", id="no table"),
        pytest.param('{"seed": 0, "pieces": [{"cell": "z9"}]}', id="no cell"),
        pytest.param(
            '{"seed": 0, "pieces": [{"cell": "c4", "kind": "tent", "colour": null, "anchor": null}]'
            ', "pawns": {}, "lamp": 1, "warmth": 0, "bumps": 0, "plugged": true}',
            id="no piece of this box",
        ),
        pytest.param(
            '{"seed": 0, "pieces": [], "pawns": {}, "lamp": 99, "warmth": 0, "bumps": 0,'
            ' "plugged": true}',
            id="too bright",
        ),
    ],
)
def test_a_file_that_makes_no_sense_is_set_aside(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    table = at_once()
    table.keep(path)
    assert table.state()["pieces"] == []
    assert (tmp_path / "table.json.unreadable").read_text() == text
    table.put(WHITE, C4)
    again = at_once()
    again.keep(path)
    assert dict(again.position) == {C4: WHITE}


def test_a_table_that_cannot_be_written_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = at_once()
    table.keep(tmp_path / "nowhere" / "table.json")
    table.put(WHITE, C4)
    table.put(PARK, D5)
    assert len(table.position) == 2
    assert len([r for r in caplog.records if "cannot be written" in r.message]) == 1


def test_many_threads_leave_a_table_in_order() -> None:
    table = at_once()
    counts: list[int] = []

    def look() -> None:
        for _ in range(200):
            counts.append(len(table.state()["pieces"]) + len(table.glimpse().table.position))

    def play(cells: tuple[Cell, ...]) -> None:
        for _ in range(20):
            for cell in cells:
                table.put(PARK, cell)
            for cell in cells:
                table.take(cell)

    lots = [ALL_CELLS[n * 8 : n * 8 + 8] for n in range(4)]
    threads = [threading.Thread(target=play, args=(lot,)) for lot in lots]
    threads.append(threading.Thread(target=look))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(counts) == 200
    assert max(counts) <= 64
    assert not table.position
    assert left(table, "park") == 21
