"""Pyramids from above: by colour and size, on boards of every size, or an honest `unsure`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.board import Cell, Piece, Position
from rules.box import Box
from rules.game import Game
from rules.pack import boards_of
from rules.packs import load_pack
from tests.firmware.test_judge import events, parkwarden
from tests.make_scenes import fair_table
from vision.calibration import choose_samples
from vision.classify import Classifier
from vision.frame import Frame
from vision.geometry import Image
from vision.glance import glance
from vision.reading import BoardReading
from vision.scene import render
from vision.watch import Watcher
from vision.weights.tables import LaidTable

PACK = load_pack("subdivision")


def laid(seed: int, settings: dict[str, str], **overrides: object) -> tuple[LaidTable, Image]:
    """A table by chance, with cells as large as the box says."""
    box = Game(PACK, settings).box
    rng = np.random.default_rng([31, seed])
    table = fair_table(rng, replace(box, board=replace(box.board, borrowed=False)), **overrides)
    return table, render(table.scene, rng)


def read(table: LaidTable, picture: Image, box: Box) -> BoardReading:
    """At the very place, with what cards would tell of the cells' size."""
    return Classifier(box).read(picture, table.view, scale=0.0)


def silent(reading: BoardReading, truth: Position) -> list[str]:
    return [
        f"{cell}: {truth.get(cell)} seen as {seen.piece} ({seen.confidence:.4f})"
        for cell, seen in reading.cells.items()
        if seen.piece != truth.get(cell) and cell not in reading.unsure
    ]


@pytest.mark.parametrize("size", ["5", "6", "7", "8"])
@pytest.mark.parametrize("players", ["red blue", "green yellow", "black clear"])
def test_no_cell_is_silently_wrong(players: str, size: str) -> None:
    settings = {"players": players, "size": size, "variant": "nine-pyramids"}
    box = Game(PACK, settings).box
    for seed in range(3):
        table, picture = laid(seed, settings, fullness=0.5)
        assert silent(read(table, picture, box), table.position) == []


def test_most_cells_are_told() -> None:
    told = right = cells = 0
    for seed in range(10):
        settings = {"players": "red blue green", "size": "7", "variant": ""}
        table, picture = laid(seed, settings, fullness=0.5, exposure=1.0)
        reading = read(table, picture, Game(PACK, settings).box)
        cells += len(reading.cells)
        told += len(reading.cells) - len(reading.unsure)
        right += sum(seen.piece == table.position.get(c) for c, seen in reading.cells.items())
    assert right > 0.95 * cells
    assert told > 0.6 * cells


def test_a_colour_that_nobody_plays_is_never_taken_for_a_players() -> None:
    settings = {"players": "red yellow", "size": "6", "variant": ""}
    box = Game(PACK, {**settings, "players": "green black"}).box
    for seed in range(3):
        table, picture = laid(seed, settings, fullness=0.4, exposure=1.0)
        reading = read(table, picture, box)
        strange = [cell for cell, piece in table.position.items() if piece.colour is not None]
        assert set(strange) <= reading.unsure


def test_a_photo_tells_by_itself_how_many_cells_there_are(tmp_path: Path) -> None:
    settings = {"players": "red blue green", "size": "usual", "variant": ""}
    table, picture = laid(4, settings, fullness=0.4, exposure=1.0, size_wh=(1280, 960))
    seen = glance(picture, Classifier(PACK.box), boards_of(PACK))
    assert isinstance(seen, BoardReading), seen
    assert (seen.files, seen.ranks) == (7, 7)
    photo = tmp_path / "seven.png"
    photo.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    done = parkwarden(["read", str(photo), "--game", "subdivision", "--json"])
    assert done.returncode == 0, done.stderr
    (line,) = events(done.stdout)
    off = np.array(line["corners"]) - 0.5 - table.view.corners_px(table.box.board)
    assert np.abs(off).max() < 3
    assert line["pawns"] == {}
    assert isinstance(line["cells"], dict)
    kinds = {facts["piece"] for facts in line["cells"].values()}
    assert kinds <= {"large", "medium", "small", "blocked"}
    assert all(("colour" in f) == (f["piece"] != "blocked") for f in line["cells"].values())


@pytest.mark.parametrize("cell_mm", [31.0, 36.0, 50.0])
def test_a_piece_that_somebody_names_tells_how_large_the_cells_are(cell_mm: float) -> None:
    game = Game(PACK, {"players": "red blue", "size": "6"})
    measured = replace(game.box.board, borrowed=False, cell_mm=cell_mm)
    named, others = (
        Cell("c3"),
        {Cell("e5"): Piece("medium", "blue"), Cell("b5"): Piece("small", "red")},
    )
    position = Position({named: Piece("large", "red"), **others}, 6, 6)
    rng = np.random.default_rng(12)
    tables = (
        fair_table(rng, replace(game.box, board=measured), position=position, exposure=1.0)
        for _ in range(40)
    )
    scenes = (table.scene for table in tables)
    scene = next(s for s in scenes if s.look.print.strength > 0.8 and not s.look.markers)
    watcher = Watcher(game.box)
    first = watcher.see(Frame(render(scene, rng), 0, 0, is_still=True)).reading
    assert first is not None
    assert first.scale is None, "there are no cards"
    watcher.settle.vouch(named, position[named], first.cells[named], 0)
    watcher.see(Frame(render(scene, rng), 1, 1, is_still=True))
    told = watcher.see(Frame(render(scene, rng), 2, 2, is_still=True)).reading
    assert told is not None
    assert told.scale == pytest.approx(np.log(cell_mm / PACK.box.board.cell_mm), abs=0.12)
    assert [told.position.get(cell) for cell in others] == list(others.values())


def test_a_part_of_a_chessboard_is_watched_and_kept() -> None:
    settings = {"players": "red blue", "size": "6", "variant": ""}
    game = Game(PACK, settings)
    larger = replace(game.box, board=replace(game.box.board, files=8, ranks=8, borrowed=False))
    rng = np.random.default_rng(8)
    corners = {Cell(name): Piece("blocked") for name in ("b2", "b7", "g2", "g7")}
    pieces = {**corners, Cell("d4"): Piece("large", "red"), Cell("e6"): Piece("medium", "blue")}
    scene = next(
        table.scene
        for table in (fair_table(rng, larger, position=Position(pieces)) for _ in range(40))
        if table.scene.look.print.strength > 0.8 and not table.scene.look.markers
    )
    watcher = Watcher(game.box)
    looks = [watcher.look(Frame(render(scene, rng), n / 5, n)) for n in range(3)]
    readings = [look.reading for look in looks if look.reading is not None]
    assert readings, [look.trouble for look in looks]
    for reading in readings:
        assert reading.position.get(Cell("a1")) == Piece("blocked")
        assert (reading.files, reading.ranks) == (6, 6)


def test_four_players_have_thirteen_samples_on_cells_of_their_own() -> None:
    box = Game(PACK, {"players": "red blue green clear"}).box
    assert sorted(map(str, choose_samples(box).values())) == sorted(
        [*(f"{c}{k}" for c in "RBGC" for k in "LMS"), "b"]
    )
