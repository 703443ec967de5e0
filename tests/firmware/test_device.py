"""The whole product above a simulated table: what is put on it comes out of wires and pins."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest

from firmware.actions import Button, Glow, Led
from firmware.attention import PATIENCE_S
from firmware.camera import FPS
from firmware.config import Config, Fitted, OledConfig, OledKind, PanelConfig
from firmware.device import Device, EyesFell
from firmware.dialog import Listing, Playing, Topic
from firmware.drawing import draw
from firmware.lights import lights_for
from firmware.parts import fast_clock
from firmware.screens import PHASE_S, screen_for
from firmware.snapshot import Failure, Part, Seeing, Snapshot
from rules.board import Anchor, Cell, Piece
from rules.verdict import Due
from vision.frame import Frame
from vision.watch import Look, Watcher

SMALL_WH: Final = (960, 720)
PATIENT_S: Final = 60.0
"""Real seconds, for a machine that has much else to do."""
PICTURES: Final = Path(__file__).parents[1] / "scenes" / "singles"
HOUSES: Final = {"W": "white", "Y": "yellow"}


class Living:
    """A device that is switched on, and what it has shown so far, with the table's time."""

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder, self.config = folder, config
        self.clock = fast_clock()
        self.shown: list[tuple[float, Snapshot]] = []

    async def switch_on(self) -> None:
        self.device = Device(self.config, self.folder, self.clock, hands=False, size_wh=SMALL_WH)
        await self.device.start()
        self.device.session.outputs.append(lambda s: self.shown.append((self.clock.now(), s)))
        self.task = asyncio.create_task(self.device.run())

    async def switch_off(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        self.device.close()

    @property
    def now(self) -> Snapshot:
        return self.device.snapshot()

    async def until(self, is_so: Callable[[], bool], patient_s: float = PATIENT_S) -> None:
        give_up_s = time.monotonic() + patient_s
        while not is_so():
            assert time.monotonic() < give_up_s, f"still not so: {self.now}"
            assert not self.task.done(), self.task.result()
            await asyncio.sleep(0.01)

    async def frames(self, count: int) -> None:
        await self.device.looked(self.device.looks + count)

    async def put(self, *words: str) -> None:
        """`Wc4ne` a white house, `+d5` a park; judged before the next."""
        assert self.device.table is not None
        for word in words:
            if word[0] == "+":
                cell, piece = Cell(word[1:]), Piece("park")
            else:
                cell = Cell(word[1:3])
                piece = Piece("house", HOUSES[word[0]], Anchor(word[3:]))
            self.device.table.put(piece, cell)
            await self.until(lambda: self.now.verdict.table.get(cell) == piece)  # noqa: B023

    def is_on_glass(self) -> bool:
        """The display shows this snapshot, as it looks at this moment or just before."""
        pixels, phase = self.device.oled(), int(time.monotonic() / PHASE_S)
        screens = (screen_for(self.now, p) for p in (phase - 1, phase))
        return any(pixels == draw(screen).tobytes() for screen in screens)

    def is_in_lights(self) -> bool:
        """The pins are as this snapshot says; what blinks may be either."""
        assert self.device.panel is not None
        lit, glows = self.device.panel.lit(), lights_for(self.now)
        return all(
            glow is Glow.BLINK or lit[led] == (glow is Glow.ON) for led, glow in glows.items()
        )


def living(
    config: Config = Config(),  # noqa: B008
) -> Callable[[Callable[[Living], Awaitable[None]]], Callable[[Path], None]]:
    def decorate(test: Callable[[Living], Awaitable[None]]) -> Callable[[Path], None]:
        def run(tmp_path: Path) -> None:
            async def live() -> None:
                here = Living(tmp_path, config)
                await here.switch_on()
                try:
                    await here.until(lambda: here.now.seeing is not Seeing.STARTING)
                    await test(here)
                finally:
                    await here.switch_off()

            asyncio.run(live())

        return run

    return decorate


@living()
async def test_a_park_is_due_then_forgotten_on_display_and_lights(here: Living) -> None:
    await here.put("Wc4ne", "Ye6n")
    await here.until(here.is_on_glass)
    before = here.device.oled()
    assert here.device.panel is not None
    assert not here.device.panel.lit()[Led.PARK]
    await here.put("Wb3n")
    await here.until(lambda: here.is_on_glass() and here.is_in_lights())
    assert here.device.oled() != before
    assert here.device.panel.lit()[Led.PARK]
    assert here.device.panel.lit()[Led.YELLOW]

    await here.put("Ye4ne")
    await here.until(lambda: here.now.alarm is not None)
    assert isinstance(here.now.alarm, Due)
    assert here.now.alarm.cell == "d5"
    forgotten_s = next(s for s, shown in here.shown if any(d.forgotten for d in shown.verdict.dues))
    alarmed_s = next(s for s, shown in here.shown if shown.alarm is not None)
    assert PATIENCE_S <= alarmed_s - forgotten_s <= PATIENCE_S + 3 / FPS
    assert here.device.lights()[Led.ATTENTION] is Glow.BLINK
    for lit in (True, False):
        await here.until(lambda: here.device.panel.lit()[Led.ATTENTION] is lit)  # type: ignore[union-attr]  # noqa: B023
    await here.until(here.is_on_glass)

    await here.put("+d5")
    await here.until(lambda: here.now.alarm is None)
    await here.until(lambda: here.is_on_glass() and here.is_in_lights())
    assert not here.device.panel.lit()[Led.PARK]


@living()
async def test_a_pulled_display_cable_is_told_and_the_game_goes_on(here: Living) -> None:
    wire = here.device.wire
    assert wire is not None
    await here.put("Wc4ne")
    wire.broken = True
    await here.put("Ye6n")
    await here.until(lambda: bool(here.now.failures))
    assert [failure.part for failure in here.now.failures] == [Part.OLED]
    await here.until(lambda: here.device.lights()[Led.ATTENTION] is not Glow.OFF)
    await here.put("Wb3n")
    wire.broken = False
    await here.until(lambda: not here.now.failures)
    await here.until(here.is_on_glass)
    assert here.now.verdict.ply == 3


@living()
async def test_an_unplugged_camera_is_an_alarm_and_what_was_missed_is_seen_later(
    here: Living,
) -> None:
    table = here.device.table
    assert table is not None
    await here.put("Wc4ne")
    table.plug(False)
    await here.until(lambda: here.now.alarm is not None)
    assert isinstance(here.now.alarm, Failure)
    assert here.now.alarm.part is Part.CAMERA
    assert here.now.seeing is Seeing.BLIND
    await here.until(here.is_on_glass)
    table.put(Piece("house", "yellow", Anchor("n")), Cell("e6"))
    table.plug(True)
    await here.until(lambda: here.now.verdict.ply == 2)
    assert here.now.alarm is None
    assert not here.now.failures


@living()
async def test_a_button_on_its_pin_opens_the_menu_however_it_bounces(here: Living) -> None:
    for _ in range(5):
        here.device.button_down(Button.LEFT, True)
        here.device.button_down(Button.LEFT, False)
    await here.until(lambda: not isinstance(here.now.dialog, Playing))
    dialog = here.now.dialog
    assert isinstance(dialog, Listing)
    assert (dialog.topic, dialog.at) == (Topic.MENU, 0)
    await here.until(here.is_on_glass)
    here.device.button_down(Button.UNDO, True)
    here.device.button_down(Button.UNDO, False)
    await here.until(lambda: isinstance(here.now.dialog, Playing))


@living()
async def test_a_device_that_was_switched_off_goes_on_where_it_was(here: Living) -> None:
    await here.put("Wc4ne", "Ye6n", "Wb3n")
    before = here.now
    await here.switch_off()
    await here.switch_on()
    assert here.now.verdict.dues == before.verdict.dues
    assert here.now.game.number == before.game.number
    assert here.now.record == before.record
    assert here.now.resumed
    await here.put("+d5")
    assert here.now.verdict.score == {"white": 2, "yellow": 1}


NOTHING_FITTED: Final = Config(
    oled=OledConfig(kind=OledKind.NONE), panel=PanelConfig(fitted=Fitted.NONE)
)


@living(NOTHING_FITTED)
async def test_what_is_not_fitted_is_no_failure(here: Living) -> None:
    await here.put("Wc4ne")
    await here.frames(10)
    assert not here.now.failures
    assert here.now.alarm is None
    assert here.device.panel is None
    assert here.is_on_glass(), "the page still has its picture"
    here.device.button_down(Button.LEFT, True)
    await here.frames(3)
    assert isinstance(here.now.dialog, Playing)


NO_SUCH_BUS: Final = Config(oled=OledConfig(kind=OledKind.SH1106, port=99))


@living(NO_SUCH_BUS)
async def test_what_is_fitted_and_not_there_is_a_failure_and_no_more(here: Living) -> None:
    await here.until(lambda: bool(here.now.failures))
    assert [failure.part for failure in here.now.failures] == [Part.OLED]
    await here.put("Wc4ne")
    assert here.now.verdict.ply == 1


@living(Config(camera=f"folder:{PICTURES}"))
async def test_pictures_in_a_folder_are_a_camera(here: Living) -> None:
    assert here.device.table is None
    await here.until(lambda: here.now.seeing is Seeing.WATCHING)
    assert not here.now.failures
    assert here.device.camera_picture() is not None


@living()
async def test_the_page_gets_the_camera_picture_and_the_stored_games(here: Living) -> None:
    await here.put("Wc4ne")
    await here.until(lambda: here.device.picture_number > 0)
    jpeg = here.device.camera_picture()
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[:2] == SMALL_WH[::-1]
    (card,) = here.device.games()
    assert here.device.game_log(card.number) == [{"house": "c4ne", "colour": "white"}]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    @living(NOTHING_FITTED)
    async def test(here: Living) -> None:
        await here.until(lambda: bool(here.now.failures))
        assert [failure.part for failure in here.now.failures] == [Part.STORE]
        await here.put("Wc4ne")
        assert here.now.verdict.ply == 1

    (tmp_path / "file").touch()
    test(tmp_path / "file" / "no-folder")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_device_whose_eyes_fall_falls_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall(watcher: Watcher, frame: Frame) -> Look:
        raise ZeroDivisionError("something of our own")

    @living(NOTHING_FITTED)
    async def test(here: Living) -> None:
        monkeypatch.setattr(Watcher, "look", fall)
        done, _ = await asyncio.wait([here.task], timeout=PATIENT_S)
        assert done
        with pytest.raises(ExceptionGroup) as fell:
            here.task.result()
        assert fell.group_contains(EyesFell)

    test(tmp_path)


@living(NOTHING_FITTED)
async def test_waiting_gives_up(here: Living) -> None:
    with pytest.raises(AssertionError, match="still not so"):
        await here.until(lambda: False, patient_s=0.1)
