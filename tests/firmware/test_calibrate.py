"""A table calibrated: the guide step by step, the file, what it is good for, and the whole desk."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from firmware.actions import Button, Press
from firmware.calibrate import Desk, calibrate
from firmware.config import Config, Fitted, OledKind, WebConfig
from firmware.doctor import all_simulated
from firmware.guide import Guide, Step
from firmware.parts import fast_clock, simulate
from firmware.simulated.look import HOME, lay_table
from firmware.snapshot import Failure, Part
from firmware.state import state_of
from firmware.tables import BadCalibration, Tables, parse_calibration
from rules.board import Anchor, Cell, Piece, Position
from rules.errors import BadSetting
from rules.packs.masterplan import PACK
from rules.voice import Language
from tests.firmware.guides import BARE, NOW, WANTED, looking, placed, sampled
from tests.vision.looks import reading_of
from tests.vision.test_locate import off_px, picture
from vision import refusal
from vision.calibration import (
    STRICT,
    CalibratedWatcher,
    TableCalibration,
    classifier_for,
    measure,
    orient,
    read_turned,
    turn,
)
from vision.classify import Classifier
from vision.frame import Frame
from vision.geometry import Image, View
from vision.locate import Located, locate
from vision.scene import render

BOX: Final = PACK.box
OK, UNDO, LEFT, RIGHT = Button.OK, Button.UNDO, Button.LEFT, Button.RIGHT
MISTAKEN: Final = {"b2": Piece("house", "yellow", Anchor.NE)}


def pressed(guide: Guide, *buttons: Button) -> Guide:
    for button in buttons:
        guide = guide.press(button)
    return guide


def title(guide: Guide) -> str:
    return guide.brief(Language.EN, PACK.voice(Language.EN)).title


# ---- the guide ----


def test_all_the_way_when_all_is_well() -> None:
    guide = Guide(BOX).press(OK)
    assert guide.is_looking
    guide = guide.see(BARE, NOW)
    assert (guide.step, guide.is_looking) == (Step.FOUND, False)
    guide = pressed(guide, OK)
    assert (guide.step, title(guide)) == (Step.PLACE, "b2")
    guide = pressed(guide, OK, RIGHT, OK)
    assert (title(guide), guide.is_looking) == ("g7", False)
    guide = guide.press(OK).see(sampled(), NOW)
    assert (guide.step, title(guide)) == (Step.RESULT, "All well")
    assert guide.result is not None
    assert not guide.result.is_doubtful
    assert not guide.wants_to_be_kept
    guide = guide.press(OK)
    assert guide.wants_to_be_kept
    guide = guide.keep()
    assert (guide.step, guide.press(OK).step) == (Step.KEPT, Step.DONE)


def test_undo_leaves_it_anywhere_and_keeps_nothing() -> None:
    for guide in (Guide(BOX), looking(Guide(BOX)), placed(), placed().see(sampled(), NOW)):
        left = guide.press(UNDO)
        assert title(left) == "Done"
        assert (left.step, left.result, left.is_looking) == (Step.DONE, None, False)
        assert left.press(OK) == left


def test_while_it_looks_only_undo_is_heard() -> None:
    guide = looking(Guide(BOX))
    assert pressed(guide, OK, LEFT, RIGHT) == guide
    assert Guide(BOX).see(BARE, NOW) == Guide(BOX), "a look nobody asked for"


def test_left_goes_back() -> None:
    guide = Guide(BOX, Step.PLACE, 1, empty=BARE)
    assert [pressed(guide, *[LEFT] * times).step for times in (1, 2, 3, 4)] == [
        Step.PLACE,
        Step.FOUND,
        Step.EMPTY,
        Step.EMPTY,
    ]
    again = placed().see(sampled(), NOW).press(LEFT)
    assert (again.step, again.is_looking, again.result) == (Step.PLACE, True, None)


def test_what_cannot_be_seen_is_said_and_the_step_stays() -> None:
    for trouble, words in (
        (refusal.TOO_DARK, "Too dark"),
        (Failure(Part.CAMERA, "unplugged"), "Camera gone"),
    ):
        for before in (looking(Guide(BOX)), placed()):
            guide = before.see(trouble, NOW)
            assert (guide.step, title(guide)) == (before.step, words)
            assert guide.press(OK).is_looking


def test_a_board_that_is_not_empty_is_said_once_and_then_believed_to_be() -> None:
    glare = reading_of({Cell("c4"): Piece("park")})
    guide = looking(Guide(BOX)).see(glare, NOW)
    assert (guide.step, title(guide)) == (Step.EMPTY, "Empty?")
    guide = guide.press(OK).see(glare, NOW)
    assert guide.step is Step.FOUND
    result = replace(placed(glare)).see(sampled(), NOW).result
    assert result is not None
    assert result.is_doubtful


def test_a_sample_that_is_misread_gets_its_page_and_makes_the_table_doubtful() -> None:
    guide = placed().see(sampled(**MISTAKEN), NOW)
    assert title(guide) == "Not all"
    page = guide.press(OK).brief(Language.EN, PACK.voice(Language.EN))
    assert (page.title, page.lines) == ("b2", ("looks like yellow house: move the lamp?",))
    assert guide.result is not None
    assert guide.result.is_doubtful
    assert pressed(guide, OK, OK, OK).wants_to_be_kept
    assert not pressed(guide, OK, OK).wants_to_be_kept


def test_a_disk_that_is_full_is_said_and_can_be_tried_again() -> None:
    guide = placed().see(sampled(), NOW).press(OK).keep(Failure(Part.STORE, "full"))
    assert (guide.step, title(guide)) == (Step.RESULT, "Card full")
    assert guide.press(OK).wants_to_be_kept


# ---- the file ----


def some_calibration(size_wh: tuple[int, int] = (640, 480)) -> TableCalibration:
    corners = np.array([[120.0, 420.0], [520, 425], [510, 40], [130, 35]])
    view = View.from_corners(size_wh, corners, BOX.board, -0.02)
    return measure(BOX, WANTED, BARE, replace(sampled(**MISTAKEN), view=view), NOW)


def test_a_calibration_is_kept_used_and_read_again(tmp_path: Path) -> None:
    tables, made = Tables(tmp_path, BOX), some_calibration()
    assert (tables.load_in_use(), tables.names()) == (None, [])
    picture = np.full((480, 640, 3), 90, np.uint8)
    tables.keep("kitchen", replace(made, empty_bgr=picture))
    read = tables.load_in_use()
    assert read is not None
    assert (read.game, read.made, read.is_doubtful) == (made.game, NOW, True)
    assert [(s.cell, s.piece, s.seen, s.is_sure) for s in read.samples] == [
        (s.cell, s.piece, s.seen, s.is_sure) for s in made.samples
    ]
    off = read.view.corners_px(BOX.board) - made.view.corners_px(BOX.board)
    assert np.abs(off).max() < 0.02
    assert read.empty_bgr is not None
    tables.keep("club-room", made)
    assert (tables.names(), tables.in_use()) == (["club-room", "kitchen"], "club-room")
    tables.use("none")
    assert tables.load_in_use() is None
    with pytest.raises(BadSetting, match="expected club-room or kitchen or none"):
        tables.use("attic")
    for name in ("../up", "none", "Kitchen", ""):
        with pytest.raises(BadSetting):
            tables.keep(name, made)


def test_a_damaged_calibration_is_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tables = Tables(tmp_path, BOX)
    path = tables.keep("home", some_calibration())
    read = tables.load_in_use()
    assert read is not None
    assert read.empty_bgr is None
    whole = path.read_text(encoding="utf-8")
    for damage in (whole[: len(whole) // 2], "", "game = 3", whole.replace("b2", "z9")):
        path.write_text(damage, encoding="utf-8")
        caplog.clear()
        assert tables.load_in_use() is None
        assert "seen without its calibration" in caplog.text
    path.write_bytes(b"\xff\xfe")
    assert tables.load_in_use() is None
    path.unlink()
    assert tables.load_in_use() is None


def test_every_mistake_in_a_calibration_is_told() -> None:
    text = 'game = "chess"\nmade = 3\nsize_wh = [0]\ncorners_a1_h1_h8_a8 = [[1, 1]]\nk1 = 9\n'
    text += 'doubtful = 3\nwhat = 1\n[[samples]]\ncell = "c4"\n'
    with pytest.raises(BadCalibration) as caught:
        parse_calibration(text, BOX, "x.toml")
    told = str(caught.value)
    for word in ("game", "made", "size_wh", "corners_a1", "k1", "doubtful", "what", "samples.0"):
        assert f"x.toml: {word}" in told, word


# ---- what it is good for ----


@pytest.fixture(scope="module")
def shots() -> dict[str, Image]:
    scene, dice = lay_table(BOX, HOME), np.random.default_rng(5)
    full = {Cell.at(file, rank): Piece("park") for file in range(8) for rank in range(8)}
    return {
        "empty": render(scene, dice),
        "samples": render(replace(scene, position=WANTED), dice),
        "full": render(replace(scene, position=Position(full)), dice),  # type: ignore[arg-type]
    }


@pytest.fixture(scope="module")
def found(shots: dict[str, Image]) -> View:
    located = locate(shots["empty"], BOX.board)
    assert isinstance(located, Located)
    return located.view


def frame(image: Image) -> Frame:
    return Frame(image, 0.0, 0, is_still=True)


def calibration_of(view: View, empty: Image | None) -> TableCalibration:
    return TableCalibration(BOX.game, NOW, view, (), False, empty)


def test_on_a_doubtful_table_all_must_be_seen_more_surely(
    shots: dict[str, Image], found: View
) -> None:
    sure = calibration_of(found, None)
    plain, careful = (
        classifier_for(BOX, replace(sure, is_doubtful=doubtful)) for doubtful in (False, True)
    )
    assert plain.calibration == Classifier(BOX).calibration
    assert careful.calibration.sure_from == STRICT > plain.calibration.sure_from
    seen, carefully = (one.read(shots["samples"], found) for one in (plain, careful))
    assert seen.position == carefully.position == WANTED
    assert seen.unsure <= carefully.unsure


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_samples_tell_which_corner_is_a1(shots: dict[str, Image], found: View, turns: int) -> None:
    classifier = Classifier(BOX)
    wrong = classifier.read(shots["samples"], turn(found, BOX.board, turns))
    right = read_turned(shots["samples"], wrong, WANTED, classifier)
    assert right.position == WANTED
    off = right.view.corners_px(BOX.board) - found.corners_px(BOX.board)
    assert np.abs(off).max() < 0.1
    assert read_turned(shots["samples"], right, WANTED, classifier) is right


@pytest.mark.parametrize("empty", [True, False], ids=["known corners", "no picture"])
def test_the_board_is_read_from_the_corner_that_was_calibrated(
    shots: dict[str, Image], found: View, empty: bool
) -> None:
    known = turn(found, BOX.board, 1)
    picture = shots["empty"] if empty else None
    watcher = CalibratedWatcher(BOX, calibration_of(known, picture))
    look = watcher.look(frame(shots["samples"]))
    assert look.reading is not None
    there, here = known.corners_px(BOX.board), look.reading.view.corners_px(BOX.board)
    assert np.abs(there - here).max() < 2
    assert (look.reading.view is known) == empty
    assert watcher.look(replace(frame(shots["empty"]), number=1)).reading is not None


def test_a_board_that_shows_no_line_any_more_lies_where_it_lay(
    shots: dict[str, Image], found: View
) -> None:
    watcher = CalibratedWatcher(BOX, calibration_of(found, shots["empty"]))
    look = watcher.look(frame(shots["full"]))
    assert look.reading is not None
    assert look.reading.view is found
    assert len(look.reading.position) == 64


def test_a_board_that_was_moved_since_is_sought(shots: dict[str, Image], found: View) -> None:
    """Also by two cells, where its lines lie on each other."""
    cell_px = np.abs(found.corners_px(BOX.board)[1] - found.corners_px(BOX.board)[0])[0] / 8
    for shift in (4, round(2 * cell_px)):
        moved = np.roll(shots["samples"], shift, axis=1)
        watcher = CalibratedWatcher(BOX, calibration_of(found, shots["empty"]))
        look = watcher.look(frame(moved))
        assert look.reading is not None
        here = look.reading.view.corners_px(BOX.board) - [shift, 0]
        assert np.abs(here - found.corners_px(BOX.board)).max() < 1.5
        assert look.reading.position == WANTED


def test_cards_have_the_last_word() -> None:
    image = picture("locate-cards.jpg")
    located = locate(image, BOX.board)
    assert isinstance(located, Located)
    assert located.markers
    turned = turn(located.view, BOX.board, 1)
    oriented = orient(turned, turned, image, BOX.board)
    assert off_px(located, oriented.corners_px(BOX.board)) < 0.1


# ---- the desk ----


def a_config() -> Config:
    return replace(all_simulated(Config()), web=WebConfig(host="127.0.0.1", port=0))


def at_the_desk(
    state_dir: Path, act: Callable[[Desk], Awaitable[None]], config: Config | None = None
) -> tuple[Desk, str]:
    """A desk above a simulated table while somebody does something; it, and what it said."""
    out = io.StringIO()

    async def sit() -> Desk:
        clock = fast_clock()
        simulation = simulate(BOX, clock, state_dir / "table.json", 0, (960, 720), hands=False)
        desk = Desk(config or a_config(), Tables(state_dir, BOX), "home", out, clock, simulation)
        try:
            async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
                tasks.create_task(desk.run())
                await act(desk)
                await desk.press(Press(UNDO))
        finally:
            desk.close()
        return desk

    return asyncio.run(sit()), out.getvalue()


async def until(desk: Desk, is_so: Callable[[Guide], bool]) -> None:
    while not is_so(desk.guide):
        await asyncio.sleep(0.01)


async def press_until(desk: Desk, button: Button, is_so: Callable[[Guide], bool]) -> None:
    await desk.press(Press(button))
    await until(desk, is_so)


def test_a_simulated_table_is_calibrated_with_its_own_buttons(tmp_path: Path) -> None:
    shown: list[bytes] = []
    pages: list[str] = []

    async def act(desk: Desk) -> None:
        assert desk.table is not None
        await asyncio.sleep(0.3)
        shown.append(desk.oled())
        desk.button_down(OK, True)
        desk.button_down(OK, False)
        await until(desk, lambda guide: guide.step is Step.FOUND)
        for cell, piece in WANTED.items():
            desk.table.put(piece, cell)
        await desk.press(Press(OK))
        for at in range(len(WANTED)):
            await until(desk, lambda guide, at=at: (guide.step, guide.at) == (Step.PLACE, at))  # type: ignore[misc]
            pages.append(state_of(desk.snapshot())["dialog"]["pages"][0]["title"])
            await desk.press(Press(OK))
        await until(desk, lambda guide: guide.step is Step.RESULT)
        assert desk.picture_number == 2
        assert (desk.camera_picture() or b"").startswith(b"\xff\xd8")
        await press_until(desk, OK, lambda guide: guide.step is Step.KEPT)

    desk, said = at_the_desk(tmp_path, act)
    assert any(shown[0]), "something is on the display"
    assert pages == list(WANTED)
    assert "All well" in said
    assert desk.kept == tmp_path / "calibrations" / "home.toml"
    kept = Tables(tmp_path, BOX).load_in_use()
    assert kept is not None
    assert not kept.is_doubtful
    assert all(sample.is_right and sample.is_sure for sample in kept.samples)
    assert kept.empty_bgr is not None


def test_a_camera_that_is_knocked_in_between_makes_the_empty_picture_worthless(
    tmp_path: Path,
) -> None:
    async def act(desk: Desk) -> None:
        assert desk.table is not None
        await press_until(desk, OK, lambda guide: guide.step is Step.FOUND)
        desk.table.bump()
        for cell, piece in WANTED.items():
            desk.table.put(piece, cell)
        for _ in range(len(WANTED) + 1):
            await desk.press(Press(OK))
        await until(desk, lambda guide: guide.step is Step.RESULT)
        await press_until(desk, OK, lambda guide: guide.step is Step.KEPT)

    at_the_desk(tmp_path, act)
    kept = Tables(tmp_path, BOX).load_in_use()
    assert kept is not None
    assert kept.empty_bgr is None


def test_faults_at_the_desk_are_said_and_can_be_put_right(tmp_path: Path) -> None:
    async def act(desk: Desk) -> None:
        table = desk.table
        assert table is not None
        table.plug(False)
        await press_until(desk, OK, lambda guide: isinstance(guide.trouble, Failure))
        table.plug(True)
        table.put(Piece("tower"), Cell("c4"))
        await press_until(desk, OK, lambda guide: guide.leftover == (Cell("c4"),))
        table.clear()
        await press_until(desk, OK, lambda guide: guide.step is Step.FOUND)

    config = replace(a_config(), oled=replace(Config().oled, kind=OledKind.NONE))
    config = replace(config, panel=replace(Config().panel, fitted=Fitted.NONE))
    desk, said = at_the_desk(tmp_path, act, config)
    for words in ("Camera gone", "Empty?", "Board found"):
        assert words in said
    assert desk.kept is None
    assert not (tmp_path / "calibrations").exists()


def test_pieces_that_are_not_put_are_missed(tmp_path: Path) -> None:
    async def act(desk: Desk) -> None:
        await press_until(desk, OK, lambda guide: guide.step is Step.FOUND)
        for _ in range(len(WANTED) + 1):
            await desk.press(Press(OK))
        await until(desk, lambda guide: guide.step is Step.RESULT)
        await desk.press(Press(OK))
        await until(desk, lambda guide: guide.at == 1)

    _, said = at_the_desk(tmp_path, act)
    assert "0 of 4 pieces are read surely" in said
    assert "b2: white house: I see none" in said


def test_the_command_listens_to_its_terminal(tmp_path: Path) -> None:
    out = io.StringIO()
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as keys, os.fdopen(reading) as terminal:
        keys.write("x\nq\n")
        keys.flush()
        done = calibrate(a_config(), tmp_path, "home", out, terminal=terminal, clock=fast_clock())
    assert done == 1
    assert "Also on the page: http://127.0.0.1:" in out.getvalue()
    assert out.getvalue().endswith("Nothing was kept.\n")
    with pytest.raises(BadSetting):
        calibrate(a_config(), tmp_path, "../etc", out)
