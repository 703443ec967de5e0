"""`parkwarden calibrate`: the guide of `firmware.guide`, on the display, the page and the terminal.

It opens the device's own parts, so it cannot run beside the service. One asyncio loop owns the
guide; a press from the panel, the page or the terminal is one message in its inbox, and a look at
the table runs in a thread while the guide says that it looks. To the page it is an `Appliance`
like the device itself, with the guide's words as the pages of a dialog: so pieces can be laid on a
simulated table, and whoever has no display can read what to do.

In the terminal, Enter is OK, b is LEFT and q is UNDO.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TextIO

import cv2

from firmware.actions import Button, Glow, Led, Press
from firmware.appliance import Bell
from firmware.bedside import BUSY
from firmware.camera import SIZE_WH
from firmware.commands import Command, NotNow
from firmware.config import Config, is_raspberry_pi
from firmware.device import page_url
from firmware.dialog import Why
from firmware.drawing import draw
from firmware.eyesight import Seen, see_table
from firmware.guide import Guide, Step
from firmware.pairing import Pairing
from firmware.panel import Panel, SimulatedPanel
from firmware.parts import (
    SIMULATED,
    Clock,
    Simulation,
    choose_camera,
    fit_camera,
    fit_oled,
    fit_panel,
    simulate,
)
from firmware.screens import PHASE_S
from firmware.serving import CannotListen, serve
from firmware.simulated.table import SimulatedTable
from firmware.snapshot import Access, Failure, GameCard, Mended, Part, Seeing, Snapshot
from firmware.store import NoSuchGame, StoredGame
from firmware.tables import Tables, check_name
from rules.game import Game
from rules.packs import load_pack
from rules.voice import Brief
from vision.calibration import CalibratedWatcher, TableCalibration, has_moved, read_turned
from vision.classify import Classifier
from vision.geometry import Image
from vision.overlay import draw_reading
from vision.reading import BoardReading
from vision.watch import Watcher

KEYS: Final = {"": Button.OK, "b": Button.LEFT, "q": Button.UNDO}
HINT: Final = "    (Enter: OK, b: back, q: leave without keeping anything)\n"


class Desk:
    """The guide with the device's parts around it; the page's `Appliance`."""

    def __init__(
        self,
        config: Config,
        tables: Tables,
        name: str,
        out: TextIO,
        clock: Clock,
        simulation: Simulation | None,
        game: Game[Any] | None = None,
    ) -> None:
        """To be made inside the running loop; `game` is the one that the config names, or this."""
        self.bell = Bell()
        self.picture_number = 0
        self.kept: Path | None = None
        self._config, self._tables, self._name, self._out = config, tables, name, out
        self._game = game or Game(load_pack(config.game.name))
        self._box = self._game.box
        self._language = config.game.language
        self._voice = self._game.pack.voice(self._language)
        self._loop = asyncio.get_running_loop()
        self._inbox: asyncio.Queue[Press] = asyncio.Queue()
        self._classifier = Classifier(self._box)
        self._empty_bgr: Image | None = None
        self._picture: Image | None = None
        self._said: Brief | None = None
        self._numbers = 0
        self.guide = Guide(self._box)
        self.pairing = Pairing(time.time, lambda: None)
        self.url = ""
        on_a_pi = is_raspberry_pi()
        self.simulation = simulation
        words = choose_camera(config.camera, on_a_pi)
        self._camera = fit_camera(words, simulation, clock)
        self._display, self.wire = fit_oled(config.oled, on_a_pi, self._note)
        panel = fit_panel(config.panel, on_a_pi, self._post)
        self.panel = panel if isinstance(panel, Panel) else None

    async def run(self) -> None:
        """Until the guide is done."""
        blinking = asyncio.create_task(self._blink())
        try:
            while self.guide.step is not Step.DONE:
                self._show()
                await self._step(await self._inbox.get())
        finally:
            blinking.cancel()
            await asyncio.gather(blinking, return_exceptions=True)

    def close(self) -> None:
        self._camera.close()
        self._display.close()
        if self.panel is not None:
            self.panel.close()

    # ---- the guide ----

    async def _step(self, press: Press) -> None:
        self.guide = self.guide.press(press.button)
        if self.guide.is_looking:
            self._show()
            seen = await asyncio.to_thread(self._look)
            self.guide = self.guide.see(seen.what, datetime.now(UTC))
        if self.guide.wants_to_be_kept:
            self.guide = self.guide.keep(self._keep())

    def _look(self) -> Seen:
        """In a thread. Samples are read where the empty board lay, whichever corner is a1 then."""
        guide, box = self.guide, self._box
        watcher = Watcher(box, self._classifier)
        if guide.empty is not None and self._empty_bgr is not None:
            known = TableCalibration(
                box.game, datetime.now(UTC), guide.empty.view, (), False, self._empty_bgr
            )
            watcher = CalibratedWatcher(box, known)
        seen = see_table(self._camera, watcher)
        if isinstance(seen.what, BoardReading) and seen.image_bgr is not None:
            if guide.step is Step.EMPTY:
                self._empty_bgr = seen.image_bgr
            else:
                turned = read_turned(seen.image_bgr, seen.what, guide.wanted, self._classifier)
                seen = replace(seen, what=turned)
        self._develop(seen)
        return seen

    def _keep(self) -> Failure | None:
        result, empty = self.guide.result, self.guide.empty
        if result is None or empty is None:
            raise ValueError("nothing was measured: expected a result to keep")
        if not has_moved(result.view, empty.view, self._box.board):
            # Else the picture shows other corners than those that were found last.
            result = replace(result, empty_bgr=self._empty_bgr)
        try:
            self.kept = self._tables.keep(self._name, result)
        except OSError as error:
            return Failure(Part.STORE, "other", str(error))
        return None

    # ---- what is shown ----

    def _show(self) -> None:
        brief = self.guide.brief(self._language, self._voice)
        self._draw()
        if brief != self._said:
            self._said = brief
            cells = f" ({' '.join(brief.cells)})" if len(brief.cells) > 1 else ""
            self._out.write(f"{brief.title}: {' '.join(brief.lines)}{cells}\n")
            if self.guide.step is Step.EMPTY and not self.guide.is_looking:
                self._out.write(HINT)
            self._out.flush()
        self._numbers += 1
        self.bell.ring()

    def _draw(self) -> None:
        phase = int(time.monotonic() / PHASE_S)
        self._display.show(draw(self.guide.screen(self._language, self._voice, phase)))

    async def _blink(self) -> None:
        while True:
            self._draw()
            self.bell.ring()
            await asyncio.sleep(PHASE_S)

    def _develop(self, seen: Seen) -> None:
        image = seen.image_bgr
        if image is not None:
            if isinstance(seen.what, BoardReading):
                image = draw_reading(image, seen.what, self._box)
            self._picture = image
            self.picture_number += 1

    def _note(self, report: Failure | Mended) -> None:
        """A display that does not answer: the guide is in the terminal and on the page as well."""
        if isinstance(report, Failure):
            self._out.write(f"The display does not answer: {report.detail}\n")

    def _post(self, press: Press) -> None:
        self._loop.call_soon_threadsafe(self._inbox.put_nowait, press)

    def listen(self, terminal: TextIO) -> None:
        """There is something to be read from the terminal."""
        # Past the stream's own buffer: a second line in there would wake nobody.
        typed = os.read(terminal.fileno(), 1024).decode(errors="replace")
        if not typed:
            self._loop.remove_reader(terminal)  # it was closed: the other ways are left
        for line in typed.splitlines():
            button = KEYS.get(line.strip().lower()[:1])
            if button is not None:
                self._inbox.put_nowait(Press(button))

    # ---- what the page asks ----

    @property
    def table(self) -> SimulatedTable | None:
        return self.simulation.table if self.simulation else None

    def snapshot(self) -> Snapshot:
        brief = self.guide.brief(self._language, self._voice)
        return Snapshot(
            number=self._numbers,
            language=self._language,
            sound=self._config.sound.mode,
            game=GameCard(0, self._game.pack, self._game.settings, time.time()),
            verdict=self._game.verdict,
            access=Access(self.url, self.pairing.code),
            dialog=Why((brief,)),
            seeing=Seeing.BUSY if self.guide.is_looking else Seeing.WATCHING,
        )

    def oled(self) -> bytes:
        return self.wire.pixels() if self.wire else self._display.last

    def lights(self) -> Mapping[Led, Glow]:
        return dict.fromkeys(Led, Glow.OFF)

    async def press(self, press: Press) -> None:
        await self._inbox.put(press)

    async def say(self, command: Command) -> None:
        raise NotNow("the table is being calibrated: expected OK, left or undo")

    def games(self) -> Sequence[StoredGame]:
        return ()

    def game_log(self, number: int) -> Sequence[Mapping[str, object]]:
        raise NoSuchGame(f"no game {number} while the table is being calibrated")

    def camera_picture(self) -> bytes | None:
        if self._picture is None:
            return None
        _, jpeg = cv2.imencode(".jpg", self._picture)
        return jpeg.tobytes()

    async def pull_power(self) -> None:
        """There is no game that could survive it."""

    def button_down(self, button: Button, down: bool) -> None:
        if isinstance(self.panel, SimulatedPanel):
            (self.panel.press if down else self.panel.release)(button)


def calibrate(
    config: Config,
    state_dir: Path,
    name: str,
    out: TextIO,
    *,
    terminal: TextIO | None = None,
    clock: Clock | None = None,
    game: Game[Any] | None = None,
) -> int:
    """0 where something was kept, 1 where it was left; `terminal` is where Enter is typed."""
    check_name(name)
    game = game or Game(load_pack(config.game.name))
    return asyncio.run(_run(config, state_dir, name, out, terminal, clock or Clock(), game))


async def _run(
    config: Config,
    state_dir: Path,
    name: str,
    out: TextIO,
    terminal: TextIO | None,
    clock: Clock,
    game: Game[Any],
) -> int:
    box = game.box
    tables = Tables(state_dir, box)
    simulation = None
    if choose_camera(config.camera, is_raspberry_pi()) == SIMULATED:
        state_dir.mkdir(parents=True, exist_ok=True)
        simulation = simulate(box, clock, state_dir / "table.json", 0, SIZE_WH, hands=False)
    desk = Desk(config, tables, name, out, clock, simulation, game)
    try:
        async with AsyncExitStack() as stack:
            await _serve(stack, desk, config, out)
            if terminal is not None:
                loop = asyncio.get_running_loop()
                loop.add_reader(terminal, desk.listen, terminal)
                stack.callback(loop.remove_reader, terminal)
            await desk.run()
    finally:
        desk.close()
    if desk.kept is None:
        out.write("Nothing was kept.\n")
        return 1
    out.write(f"Kept as table {name!r}; the device uses it from its next start on.\n")
    return 0


async def _serve(stack: AsyncExitStack, desk: Desk, config: Config, out: TextIO) -> None:
    """The page, where it can be served; the guide does not need it."""
    web = config.web
    try:
        port = await stack.enter_async_context(
            serve(desk, desk.pairing, web.host, web.port, web.names)
        )
    except CannotListen as error:
        out.write(f"No page: {error}. While the device runs, camera and pins are its own. {BUSY}\n")
        return
    desk.url = page_url(web.host, port)
    out.write(f"Also on the page: {desk.url}/J/{desk.pairing.code}\n")
