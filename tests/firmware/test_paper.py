"""What is printed, rendered back to pixels and held against box, ruler and camera."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
import pytest

from firmware.cli import main
from firmware.paper import BODY_XY_MM, Paper, Print, Tile, lay_out, print_pdf, sheets_of, tiles_of
from firmware.playmat import CARD_MM, NoTrack, board_size_mm, marker_cards
from firmware.shapes import Drawing
from firmware.workshop import HARDWARE
from rules.board import Cell
from rules.box import BoardFacts, Box
from rules.pack import choose_settings
from rules.packs import load_pack
from vision.classify import Classifier
from vision.geometry import Image, View
from vision.glance import glance
from vision.locate import Located, locate
from vision.markers import LEAST_FOR_START, OUT_MM, SIDE_MM
from vision.reading import BoardReading

BOX = load_pack("masterplan").box
PX_PER_MM = 5.0
ALL_PAPERS = pytest.mark.parametrize("paper", list(Paper))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[Print, Paper], list[Image]]:
    """Every sheet we print, as a scanner would see it."""
    folder = tmp_path_factory.mktemp("paper")
    rendered = {}
    for what in Print:
        for paper in Paper:
            path = folder / f"{what}-{paper}.pdf"
            count = print_pdf(what, paper, BOX, path)
            rendered[what, paper] = list(scan(path))
            assert len(rendered[what, paper]) == count
    return rendered


def scan(path: Path) -> Iterator[Image]:
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            scanned = page.render(scale=PX_PER_MM * 25.4 / 72).to_numpy()
            yield np.asarray(scanned[..., :3], np.uint8)


def cut(page: Image, x: float, y: float, width: float, height: float) -> Image:
    left, top, right, bottom = (round(mm * PX_PER_MM) for mm in (x, y, x + width, y + height))
    return page[top:bottom, left:right]


@ALL_PAPERS
@pytest.mark.parametrize("what", list(Print))
def test_pages_have_the_size_of_the_paper(what: Print, paper: Paper, tmp_path: Path) -> None:
    path = tmp_path / "sheets.pdf"
    print_pdf(what, paper, BOX, path)
    with pypdfium2.PdfDocument(path) as document:
        sizes_mm = np.array([page.get_size() for page in document]) * 25.4 / 72
    assert np.abs(sizes_mm - paper.size_wh_mm).max() < 0.01
    assert b"/PrintScaling /None" in path.read_bytes()


@ALL_PAPERS
@pytest.mark.parametrize("what", list(Print))
def test_every_page_has_a_ruler_of_100_mm(
    pages: dict[tuple[Print, Paper], list[Image]], what: Print, paper: Paper
) -> None:
    for page in pages[what, paper]:
        foot = page[-round(25 * PX_PER_MM) :].max(axis=-1) < 100
        longest = max(longest_run(row) for row in foot)
        assert longest / PX_PER_MM == pytest.approx(100, abs=0.3)


def longest_run(row: Image) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))


@ALL_PAPERS
def test_cards_are_read_and_measure_right(
    pages: dict[tuple[Print, Paper], list[Image]], paper: Paper
) -> None:
    (page,) = pages[Print.MARKERS, paper]
    found = markers_on(page)
    assert sorted(found) == [0, 1, 2, 3]
    for corners in found.values():
        sides_mm = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) / PX_PER_MM
        assert sides_mm == pytest.approx(SIDE_MM, rel=0.01)
    # Printed as they will lie: 0 by a1 at the bottom left, then against the clock.
    middles = {number: corners.mean(axis=0) for number, corners in found.items()}
    assert middles[0][0] == pytest.approx(middles[3][0], abs=1)
    assert middles[0][0] < middles[1][0]
    assert middles[0][1] > middles[3][1]


def markers_on(page: Image) -> dict[int, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(every, options).detectMarkers(page)
    assert ids is not None
    return {
        int(number): np.asarray(corner, np.float64).reshape(4, 2)
        for number, corner in zip(np.asarray(ids).reshape(-1), corners, strict=True)
    }


def test_a_card_against_the_corner_has_its_middle_where_vision_expects_it() -> None:
    for card in marker_cards(BOX.board):
        assert card.size_wh_mm == (2 * OUT_MM, 2 * OUT_MM)


@ALL_PAPERS
def test_nothing_lies_outside_the_body_or_on_anything_else(paper: Paper) -> None:
    wide, high = paper.body_wh_mm
    for what in (Print.MARKERS, Print.PIECES, Print.TRACK):
        for sheet in sheets_of(what, paper, BOX):
            taken = np.zeros((round(high), round(wide)), np.uint8)
            for placed in sheet:
                x, y = np.subtract(placed.page_xy_mm, BODY_XY_MM)
                width, height = placed.drawing.size_wh_mm
                assert x >= 0
                assert y >= 0
                assert x + width <= wide
                assert y + height <= high
                spot = taken[round(y) : round(y + height), round(x) : round(x + width)]
                assert not spot.any(), placed.drawing.name
                spot[:] = 1


@ALL_PAPERS
def test_the_sheets_hold_every_piece_of_the_box(paper: Paper) -> None:
    names = [
        placed.drawing.name for sheet in sheets_of(Print.PIECES, paper, BOX) for placed in sheet
    ]
    counted = {name: names.count(name) for name in names}
    assert counted == {"white house": 14, "yellow house": 14, "park": 21, "tower": 6}


@ALL_PAPERS
@pytest.mark.parametrize("size_wh_mm", [(312.0, 312.0), (120.0, 90.0), (700.0, 420.0)])
def test_tiles_cover_all_with_an_overlap(paper: Paper, size_wh_mm: tuple[float, float]) -> None:
    covered = np.zeros((round(size_wh_mm[1]), round(size_wh_mm[0])), np.uint8)
    for tile in tiles_of(size_wh_mm, paper):
        (x, y), (width, height) = tile.part_xy_mm, tile.part_wh_mm
        covered[round(y) : round(y + height), round(x) : round(x + width)] += 1
        ends = np.add(tile.page_xy_mm, tile.part_wh_mm)
        assert (ends <= np.add(BODY_XY_MM, paper.body_wh_mm)).all()
    assert covered.min() == 1
    assert (covered.max() > 1) == (size_wh_mm != (120.0, 90.0))


def glued(sheets: list[Image], tiles: list[Tile], board: BoardFacts = BOX.board) -> Image:
    """The sheets laid where they say, later ones on top."""
    wide, high = board_size_mm(board)
    whole = np.zeros((round(high * PX_PER_MM), round(wide * PX_PER_MM), 3), np.uint8)
    for sheet, tile in zip(sheets, tiles, strict=True):
        part = cut(sheet, *tile.page_xy_mm, *tile.part_wh_mm)
        x, y = (round(mm * PX_PER_MM) for mm in tile.part_xy_mm)
        whole[y : y + part.shape[0], x : x + part.shape[1]] = part
    return whole


def photographed(
    table: Image, middle_px: tuple[float, float], seed: int, board: BoardFacts = BOX.board
) -> tuple[Image, View]:
    """A camera's look at paper on a cloth: a little tilted and turned, unsharp, noisy, dim."""
    rng = np.random.default_rng(seed)
    tilt, roll = np.deg2rad(rng.uniform(2, 12)), np.deg2rad(rng.uniform(-8, 8))
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation = turn @ lean @ np.diag([1.0, -1.0, -1.0])
    grid = np.array([board.files, board.ranks]) * board.cell_mm
    away = np.array([0, 0, 620.0]) - rotation @ np.array([*grid / 2, 0])
    view = View.from_pose((1280, 960), 1280.0, rotation, away)
    left, top = (middle_px[0] / PX_PER_MM - grid[0] / 2, middle_px[1] / PX_PER_MM + grid[1] / 2)
    to_mm = np.array([[1 / PX_PER_MM, 0, -left], [0, -1 / PX_PER_MM, top], [0, 0, 1]])
    seen = cv2.warpPerspective(
        cv2.GaussianBlur(table, (0, 0), 1.5), view.matrix[:, [0, 1, 3]] @ to_mm, (1280, 960)
    )
    noisy = seen * 0.8 + rng.normal(0, 3, seen.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8), view


def lay(table: Image, thing: Image, x: int, y: int) -> None:
    table[y : y + thing.shape[0], x : x + thing.shape[1]] = thing


def laid_out_table(
    pages: dict[tuple[Print, Paper], list[Image]], paper: Paper, parks: tuple[str, ...] = ()
) -> tuple[Image, tuple[float, float]]:
    """The printed board on a blue cloth with the printed cards at its corners."""
    board = glued(pages[Print.BOARD, paper], tiles_of(board_size_mm(BOX.board), paper))
    side, edge = round(CARD_MM * PX_PER_MM), board.shape[0]
    margin = 3 * side
    rng = np.random.default_rng(0)
    cloth = rng.normal((120, 90, 60), 6, (edge + 2 * margin, edge + 2 * margin, 3))
    table = np.asarray(np.clip(cloth, 0, 255), np.uint8)
    lay(table, board, margin, margin)
    corners = [(-side, edge), (edge, edge), (edge, -side), (-side, -side)]
    for placed, corner in zip(sheets_of(Print.MARKERS, paper, BOX)[0], corners, strict=False):
        card = cut(pages[Print.MARKERS, paper][0], *placed.page_xy_mm, CARD_MM, CARD_MM)
        lay(table, card, margin + corner[0], margin + corner[1])
    for cell in map(Cell, parks):
        park = printed_park(pages, paper)
        middle = np.array([cell.file, BOX.board.ranks - 1 - cell.rank]) + 0.5
        at = (middle * BOX.board.cell_mm + BOX.board.rim_mm) * PX_PER_MM - park.shape[0] / 2
        lay(table, park, margin + round(at[0]), margin + round(at[1]))
    return table, (margin + edge / 2, margin + edge / 2)


def printed_park(pages: dict[tuple[Print, Paper], list[Image]], paper: Paper) -> Image:
    """The top of the first park on the sheets, without its sides."""
    for page, sheet in zip(
        pages[Print.PIECES, paper], sheets_of(Print.PIECES, paper, BOX), strict=True
    ):
        for placed in sheet:
            if placed.drawing.name == "park":
                tall = BOX.pieces["park"].height_mm
                x, y = np.add(placed.page_xy_mm, tall)
                return cut(page, x, y, *BOX.pieces["park"].base_mm)
    raise LookupError("no park was printed")


@ALL_PAPERS
@pytest.mark.parametrize("use_markers", [True, False])
def test_the_glued_board_is_found(
    pages: dict[tuple[Print, Paper], list[Image]], paper: Paper, use_markers: bool
) -> None:
    photo, view = photographed(*laid_out_table(pages, paper), seed=3)
    found = locate(photo, BOX.board, use_markers)
    assert isinstance(found, Located), found
    off = np.linalg.norm(found.view.corners_px(BOX.board) - view.corners_px(BOX.board), axis=1)
    assert off.max() < 2.5
    assert len(found.markers) >= (LEAST_FOR_START if use_markers else 0)


def test_paper_parks_on_the_paper_board_are_read(
    pages: dict[tuple[Print, Paper], list[Image]],
) -> None:
    laid = ("b2", "d5", "e4", "h8")
    photo, _ = photographed(*laid_out_table(pages, Paper.A4, laid), seed=5)
    seen = glance(photo, Classifier(BOX))
    assert isinstance(seen, BoardReading), seen
    read = {cell: piece.kind for cell, piece in seen.position.items() if cell not in seen.unsure}
    assert read == dict.fromkeys(map(Cell, laid), "park")


def other_box(size: str) -> Box:
    """Of a game with another board and other pieces."""
    pack = load_pack("subdivision")
    chosen = {"players": "red black clear", "size": size}
    return pack.box_for(choose_settings(pack.settings, chosen))


@pytest.mark.parametrize("chequered", [False, True])
@pytest.mark.parametrize("size", ["6", "7", "8"])
def test_a_printed_board_of_any_size_is_found(size: str, chequered: bool, tmp_path: Path) -> None:
    box = other_box(size)
    path = tmp_path / "board.pdf"
    print_pdf(Print.BOARD, Paper.LETTER, box, path, chequered=chequered)
    tiles = tiles_of(board_size_mm(box.board), Paper.LETTER)
    printed = glued(list(scan(path)), tiles, box.board)
    assert printed.shape[0] / PX_PER_MM == pytest.approx(int(size) * 36 + 20, abs=0.2)
    margin, edge = 500, printed.shape[0]
    cloth = np.random.default_rng(0).normal((120, 90, 60), 6, (edge + 1000, edge + 1000, 3))
    table = np.asarray(np.clip(cloth, 0, 255), np.uint8)
    lay(table, printed, margin, margin)
    middle = (margin + edge / 2, margin + edge / 2)
    photo, view = photographed(table, middle, seed=3, board=box.board)
    found = locate(photo, box.board, False)
    assert isinstance(found, Located), found
    off = np.linalg.norm(found.view.corners_px(box.board) - view.corners_px(box.board), axis=1)
    assert off.max() < 2.5


@ALL_PAPERS
def test_folding_pieces_of_another_game_lie_apart_on_the_page(paper: Paper, tmp_path: Path) -> None:
    box = other_box("7")
    sheets = sheets_of(Print.PIECES, paper, box)
    path = tmp_path / "pieces.pdf"
    assert print_pdf(Print.PIECES, paper, box, path) == len(sheets)
    for page, sheet in zip(scan(path), sheets, strict=True):
        for placed in sheet:
            (x, y), (width, height) = placed.page_xy_mm, placed.drawing.size_wh_mm
            assert x + width <= BODY_XY_MM[0] + paper.body_wh_mm[0]
            assert y + height <= BODY_XY_MM[1] + paper.body_wh_mm[1]
            assert cut(page, x, y, width, height).min() < 80, placed.drawing.name
            # Around it nothing is printed, so that scissors get in.
            assert cut(page, x - 1.5, y, 1, height).min() > 240
            assert cut(page, x, y - 1.5, width, 1).min() > 240


def test_settings_decide_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "board.pdf"
    call = ["print", "board", "--game", "subdivision", "--out", str(out)]
    for settings, sheets in (([], 2), (["--set", "size=8"], 4)):
        assert main([*call, *settings]) == 0
        assert f"{out}: {sheets} sheets of A4" in capsys.readouterr().out
    out.unlink()
    for wrong, said in (
        (["--set", "size=9"], "size cannot be '9'"),
        (["--set", "size=5", "--set", "players=red blue green black"], "expected 6 or more"),
    ):
        assert main([*call, *wrong]) == 2
        assert said in capsys.readouterr().err
    assert main(["print", "pieces", "--chequered"]) == 2
    assert "--chequered is for a board" in capsys.readouterr().err
    assert main(["print", "track", "--game", "subdivision"]) == 2
    assert "without a score track" in capsys.readouterr().err
    assert not out.exists()


def test_rows_break_where_the_page_ends() -> None:
    thing = Drawing("thing", (60.0, 100.0), ())
    sheets = lay_out([thing] * 7, Paper.A4)
    assert [len(sheet) for sheet in sheets] == [4, 3]


def test_a_track_that_does_not_go_around_is_refused() -> None:
    odd = dataclasses.replace(BOX, board=dataclasses.replace(BOX.board, track_spaces=50))
    with pytest.raises(NoTrack, match="50 track spaces: expected 36"):
        sheets_of(Print.TRACK, Paper.A4, odd)


@pytest.mark.parametrize("what", list(Print))
def test_the_command_writes_a_file_and_says_so(
    what: Print, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"{what}.pdf"
    assert main(["print", what, "--paper", "letter", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")
    count = len(sheets_of(what, Paper.LETTER, BOX))
    said = capsys.readouterr().out
    assert said.startswith(f"{out}: {count} sheet")
    assert "Letter" in said


def test_the_readme_counts_the_sheets() -> None:
    readme = (HARDWARE / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"parkwarden print (\w+) +# (\d+) sheets?:", readme)
    assert {what: int(count) for what, count in told} == {
        what: len(sheets_of(Print(what), Paper.A4, BOX)) for what, _ in told
    }
    assert len(told) == 3
