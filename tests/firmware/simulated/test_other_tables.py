"""One table for every game: another board is laid, others sit down, and each finds what it left."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from firmware.simulated.camera import SimulatedCamera
from firmware.simulated.hands import FAR, LEFT, NEAR, RIGHT, seat
from firmware.simulated.look import HOME, lay_table
from firmware.simulated.table import BadPlacement, SimulatedTable
from rules.board import Anchor, Cell, Piece
from rules.box import Box
from rules.pack import choose_settings
from rules.packs import load_pack

MASTERPLAN, SUBDIVISION = load_pack("masterplan"), load_pack("subdivision")
WHITE, PARK = Piece("house", "white", Anchor.NE), Piece("blocked")
C4, G7 = Cell("c4"), Cell("g7")


def box(players: str = "red blue", **settings: str) -> Box:
    return SUBDIVISION.box_for(
        choose_settings(SUBDIVISION.settings, {"players": players, **settings})
    )


def table_of(box: Box, path: Path | None = None) -> SimulatedTable:
    table = SimulatedTable(box, lambda: 0.0, hands=False)
    if path is not None:
        table.keep(path)
    return table


def supply_of(table: SimulatedTable) -> dict[tuple[str, str | None], int]:
    return {(s["kind"], s["colour"]): s["left"] for s in table.state()["supply"]}


def test_another_game_is_another_table() -> None:
    table = table_of(MASTERPLAN.box)
    table.put(WHITE, C4)
    table.lamp(0.5)
    table.use(box("red blue green"))
    assert not table.position
    assert table.state()["pieces"] == []
    assert (table.state()["game"], table.state()["files"]) == ("subdivision", 7)
    assert table.state()["lamp"] == 0.5, "the room is the same"
    table.put(Piece("large", "green"), G7)
    with pytest.raises(BadPlacement, match="off the board"):
        table.put(PARK, Cell("h8"))
    with pytest.raises(BadPlacement, match="red or blue or green"):
        table.put(Piece("large", "black"), C4)
    assert supply_of(table)["large", "green"] == 4
    assert len(supply_of(table)) == 3 * 3 + 1, "only those who play have pieces"


def test_what_the_new_players_do_not_play_with_goes_back_into_the_box() -> None:
    table = table_of(box("red blue", size="7"))
    table.put(Piece("large", "red"), C4)
    table.put(Piece("small", "blue"), G7)
    table.put(PARK, Cell("a1"))
    table.use(box("red green", size="7"))
    assert dict(table.position) == {C4: Piece("large", "red"), Cell("a1"): PARK}
    table.use(box("red green", size="6"))
    assert not table.position, "on another board nothing stands yet"


def test_pawns_are_where_there_is_a_track() -> None:
    table = table_of(MASTERPLAN.box)
    table.set_pawn("white", 4)
    table.use(box())
    assert table.state()["pawns"] == {}
    table.use(MASTERPLAN.box)
    assert table.state()["pawns"] == {"white": 0, "yellow": 0}


def test_the_same_table_again_changes_nothing() -> None:
    table = table_of(box())
    table.put(PARK, C4)
    before = table.glimpse()
    table.use(box())
    assert table.glimpse() == before


def test_a_table_waits_in_its_file_until_its_game_is_known(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    left = table_of(box("red blue green"), path)
    left.put(Piece("large", "green"), G7)
    left.lamp(0.7)
    again = table_of(MASTERPLAN.box, path)  # as the device switches on
    assert not again.position
    assert json.loads(path.read_text())["game"] == "subdivision", "and it is still there"
    again.use(box("red blue green"))
    assert dict(again.position) == {G7: Piece("large", "green")}
    assert again.state()["lamp"] == 0.7
    assert [one.name for one in tmp_path.iterdir()] == ["table.json"]


def test_a_table_that_nobody_asked_for_is_dropped_with_the_first_change(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    table_of(box(), path).put(PARK, C4)
    other = table_of(MASTERPLAN.box, path)
    other.put(WHITE, C4)
    other.use(box())
    assert not other.position
    assert json.loads(path.read_text())["pieces"] == []


def test_a_file_from_before_there_was_another_game_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    table = table_of(MASTERPLAN.box, path)
    table.put(WHITE, C4)
    data = json.loads(path.read_text())
    for key in ("game", "files", "ranks", "players"):
        del data[key]
    path.write_text(json.dumps(data))
    assert dict(table_of(MASTERPLAN.box, path).position) == {C4: WHITE}
    path.write_text(json.dumps(data))
    strange = table_of(box(), path)
    assert not strange.position
    assert (tmp_path / "table.json.unreadable").exists()


@pytest.mark.parametrize("wrong", [{"files": "many"}, {"players": 7}, {"players": None}])
def test_a_file_with_a_senseless_board_is_set_aside(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    path = tmp_path / "table.json"
    table_of(box(), path).put(PARK, C4)
    path.write_text(json.dumps({**json.loads(path.read_text()), **wrong}))
    assert not table_of(box(), path).position
    assert (tmp_path / "table.json.unreadable").exists()


def test_the_camera_sees_the_new_board_at_once() -> None:
    table = table_of(MASTERPLAN.box)
    rng = np.random.default_rng(1)
    camera = SimulatedCamera(table, lambda: 0.0, lambda s: None, rng, size_wh=(320, 240))
    first = camera.read().image_bgr
    table.use(box("red blue", size="5"))
    other = camera.read().image_bgr
    assert np.abs(first.astype(int) - other).mean() > 5


@pytest.mark.parametrize("size", ["5", "6", "7", "8"])
def test_the_whole_board_is_in_the_picture_with_all_that_can_stand_on_it(size: str) -> None:
    scene = lay_table(box("red blue", size=size), HOME)
    board = scene.box.board
    wide, rim = board.files * board.cell_mm, board.rim_mm
    edge = (-rim, wide + rim)
    corners = [(x, y, z) for x in edge for y in edge for z in (0.0, 50.0)]
    seen = scene.view.project(np.array(corners))
    margin = np.array(scene.view.size_wh) * 0.03
    assert (seen > margin).all()
    assert (seen < np.array(scene.view.size_wh) - margin).all()
    assert np.ptp(seen[:, 1]) > 0.6 * scene.view.size_wh[1], "and it is not lost in it"


def test_players_sit_around_the_table_in_turn_order() -> None:
    assert [seat(player, 2) for player in range(2)] == [NEAR, FAR]
    assert [seat(player, 3) for player in range(3)] == [NEAR, LEFT, FAR]
    assert [seat(player, 4) for player in range(4)] == [NEAR, LEFT, FAR, RIGHT]


def test_four_hands_come_from_four_sides() -> None:
    now_s = [0.0]
    table = SimulatedTable(box("red blue green yellow"), lambda: now_s[0])
    ways = []
    for number, colour in enumerate(table.box.players):
        table.put(Piece("medium", colour), Cell(f"d{number + 3}"))
        hand = table.glimpse().hand
        assert hand is not None
        x, y = np.subtract(hand.tip_mm, table.box.board.files * table.box.board.cell_mm / 2)
        ways.append((abs(x) > abs(y), (x if abs(x) > abs(y) else y) > 0))
        now_s[0] += 5
    assert ways == [(False, False), (True, False), (False, True), (True, True)]
