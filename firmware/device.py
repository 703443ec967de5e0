"""The whole device: the session in the middle, its parts around it, the page beside it.

One asyncio loop. The eyes are a thread, the panel and the display have one each, the store too;
all of them only ever post into the session's inbox or are handed something to show. Outputs are
called guarded: a part that fails says so in a `Failure`, and the game goes on.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware import power
from firmware.actions import Button, Glow, Led, Press
from firmware.appliance import Bell
from firmware.camera import SIZE_WH
from firmware.choosing import expected_game
from firmware.commands import Command
from firmware.config import Config, is_raspberry_pi
from firmware.drawing import draw
from firmware.eyes import Eyes, Picture, Sighting
from firmware.finger import pointed_at
from firmware.ledger import Ledger
from firmware.lights import lights_for
from firmware.pairing import Pairing
from firmware.panel import Panel, SimulatedPanel
from firmware.parts import (
    SIMULATED,
    Clock,
    Simulation,
    choose_camera,
    fit_camera,
    fit_finger,
    fit_oled,
    fit_panel,
    simulate,
)
from firmware.screens import PHASE_S, Screen, screen_for
from firmware.session import Session
from firmware.simulated.table import SimulatedTable
from firmware.snapshot import Access, Failure, Mended, Part, Snapshot
from firmware.sound import Sound, Speaker, find_engine
from firmware.store import Store, StoredGame
from firmware.tables import Tables
from rules.box import Box
from rules.errors import ParkwardenError
from rules.packs import load_pack
from vision.calibration import CalibratedWatcher
from vision.overlay import draw_reading
from vision.stillness import Stillness
from vision.watch import Watcher

REFRESH_S: Final = 0.1
"""How often the display's wire and a simulated table are looked at for changes."""
PICTURE_EVERY_S: Final = 0.4
"""No page needs the camera's picture more often."""
PICTURE_WIDE_PX: Final = 960


class EyesFell(ParkwardenError, RuntimeError):
    """Without its eyes the device is worth nothing: whoever started it starts it again."""


class Device:
    """What `firmware.appliance.Appliance` promises the page, and everything behind it."""

    def __init__(
        self,
        config: Config,
        state_dir: Path,
        clock: Clock,
        *,
        seed: int = 0,
        hands: bool = True,
        size_wh: tuple[int, int] = SIZE_WH,
    ) -> None:
        """To be made inside the running loop; the last three are for a simulated table."""
        self.bell = Bell()
        self.looks = 0
        """How many frames the session has taken in."""
        self.picture_number = 0
        self._config, self._loop = config, asyncio.get_running_loop()
        self._state_dir = state_dir
        store = Store.open(state_dir / "games.db")
        store.unpair_expired(time.time())
        box = expected_game(store, config.game.name).box
        on_a_pi = is_raspberry_pi()
        words = choose_camera(config.camera, on_a_pi)
        self.simulation: Simulation | None = None
        if words == SIMULATED:
            kept = state_dir / "table.json"
            self.simulation = simulate(box, clock, kept, seed, size_wh, hands=hands)
        self.ledger = Ledger(store)
        self.pairing = Pairing(
            time.time,
            self._renew_access,
            store.pairings(),
            self._keep_pairing,
        )
        watcher = self._make_watcher(box)
        self.session = Session(
            self.ledger,
            watcher,
            Access("", self.pairing.code),
            clock.now,
            config.game.language,
            config.sound.mode,
            self._make_watcher,
        )
        self.session.use_watcher = self._use_watcher
        self.eyes = Eyes(fit_camera(words, self.simulation, clock), watcher, self._post_sight)
        self._display, self.wire = fit_oled(config.oled, on_a_pi, self._post)
        panel = fit_panel(config.panel, on_a_pi, self._post)
        self.panel = panel if isinstance(panel, Panel) else None
        self._panel_failure = panel if isinstance(panel, Failure) else None
        self._finger = fit_finger(config.finger, self._post)
        engine = find_engine()
        self.sound = Sound(
            self.panel.play if self.panel else None, Speaker(engine) if engine else None
        )
        self.session.announce_again = self.sound.again
        self._failing: dict[Part, Failure | None] = {}
        self._looked = asyncio.Event()
        self._screen: Screen | None = None
        self._shown: tuple[object, ...] = ()
        self._has_new_picture = False
        self._pictured_s = 0.0
        self._jpeg_lock = threading.Lock()
        self._jpeg: tuple[int, bytes] | None = None

    async def start(self) -> None:
        """Take up the game, and show the first screen."""
        await self.session.start(load_pack(self._config.game.name), {})
        self.session.outputs.append(self._show)
        self._show(self.session.snapshot)
        self.eyes.start()

    def set_port(self, port: int) -> None:
        """The page is served on this one."""
        url = page_url(self._config.web.host, port)
        self.session.access = replace(self.session.access, url=url)

    async def looked(self, count: int) -> None:
        """Until the session has taken in so many frames."""
        while self.looks < count:
            await self._looked.wait()

    async def run(self) -> None:
        """Until cancelled, or until something of our own falls."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.session.run())
            tasks.create_task(self._refresh())

    def close(self) -> None:
        self.eyes.close()
        self.sound.close()
        self._display.close()
        if self.panel is not None:
            self.panel.close()
        if self._finger is not None:
            self._finger.close()
        self.ledger.close()

    # What the page asks

    @property
    def table(self) -> SimulatedTable | None:
        return self.simulation.table if self.simulation else None

    def snapshot(self) -> Snapshot:
        return self.session.snapshot

    def oled(self) -> bytes:
        return self.wire.pixels() if self.wire else self._display.last

    def lights(self) -> Mapping[Led, Glow]:
        return lights_for(self.session.snapshot)

    async def press(self, press: Press) -> None:
        await self.session.say(press)

    async def say(self, command: Command) -> None:
        await self.session.say(command)

    def games(self) -> Sequence[StoredGame]:
        return self.ledger.ask(self.ledger.store.games)

    def game_log(self, number: int) -> Sequence[Mapping[str, object]]:
        return [event for _, event in self.ledger.ask(self.ledger.store.log, number)]

    def camera_picture(self) -> bytes | None:
        picture = self.eyes.picture
        if picture is None:
            return None
        with self._jpeg_lock:
            if self._jpeg is None or self._jpeg[0] != picture.number:
                self._jpeg = picture.number, self._develop(picture)
            return self._jpeg[1]

    async def pull_power(self) -> None:
        power.pull()

    def button_down(self, button: Button, down: bool) -> None:
        if isinstance(self.panel, SimulatedPanel):
            (self.panel.press if down else self.panel.release)(button)

    # Another game

    def _make_watcher(self, box: Box) -> Watcher:
        """One that knows the table we hang above, where that was calibrated for this board."""
        calibration = Tables(self._state_dir, box).load_in_use()
        return CalibratedWatcher(box, calibration) if calibration else Watcher(box)

    def _use_watcher(self, watcher: Watcher) -> None:
        """The eyes look with this one; on a simulated table its board is laid first."""
        if self.simulation is not None and self.simulation.table.box != watcher.box:
            self.simulation.table.use(watcher.box)
        self.eyes.use(watcher)

    # Posts from other threads

    def _post(self, message: Press | Failure | Mended) -> None:
        self._loop.call_soon_threadsafe(self.session.post, message)

    def _post_sight(self, sight: Sighting | Failure) -> None:
        taken = asyncio.run_coroutine_threadsafe(self._take_in(sight), self._loop)
        taken.add_done_callback(lambda _: self.eyes.taken_in())

    async def _take_in(self, sight: Sighting | Failure) -> None:
        await self.session.say(sight)
        self.looks += 1
        self._looked.set()
        self._looked = asyncio.Event()
        if isinstance(sight, Sighting) and sight.look.stillness is not Stillness.UNCHANGED:
            self._has_new_picture = True

    # What is shown

    def _show(self, snapshot: Snapshot) -> None:
        self._draw(snapshot)
        if self.panel is not None:
            self.panel.show(lights_for(snapshot))
        self.sound.show(snapshot)
        self.bell.ring()

    def _draw(self, snapshot: Snapshot) -> None:
        phase = int(time.monotonic() / PHASE_S)
        if self._finger is not None:
            self._finger.point(pointed_at(snapshot, phase))
        screen = screen_for(snapshot, phase)
        if screen != self._screen:
            self._screen = screen
            self._display.show(draw(screen))

    async def _refresh(self) -> None:
        """What changes without the session: blinking, the display's wire, a simulated table."""
        while True:
            if not self.eyes.are_open:
                raise EyesFell("the thread that sees has ended; its last words are in the log")
            self._draw(self.session.snapshot)
            self._check(Part.PANEL, self.panel.failure if self.panel else self._panel_failure)
            self._check(Part.SOUND, self.sound.failure)
            table = self.table
            now_s = time.monotonic()
            if self._has_new_picture and now_s - self._pictured_s >= PICTURE_EVERY_S:
                self._has_new_picture, self._pictured_s = False, now_s
                self.picture_number += 1
            shown = (self.oled(), table.state() if table else None, self.picture_number)
            if shown != self._shown:
                self._shown = shown
                self.bell.ring()
            await asyncio.sleep(REFRESH_S)

    def _check(self, part: Part, failure: Failure | None) -> None:
        """Tell the session when a part that is only looked at fails, or works again."""
        if failure != self._failing.get(part):
            self._failing[part] = failure
            self.session.post(failure or Mended(part))

    def _renew_access(self) -> None:
        self.session.access = replace(self.session.access, code=self.pairing.code)

    def _keep_pairing(self, token_hash: str, expires_s: float) -> None:
        self.ledger.note(self.ledger.store.pair, token_hash, expires_s)

    def _develop(self, picture: Picture) -> bytes:
        image = picture.look.frame.image_bgr
        if picture.reading is not None:
            image = draw_reading(image, picture.reading, picture.box, large=2)
        high, wide = image.shape[:2]
        if wide > PICTURE_WIDE_PX:
            size = PICTURE_WIDE_PX, round(high * PICTURE_WIDE_PX / wide)
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
        return jpeg.tobytes()


def page_url(host: str, port: int) -> str:
    """Where phones find the page: this machine as the local network knows it."""
    if host in ("0.0.0.0", "::"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # sends nothing; asks which way it would go
                host = probe.getsockname()[0]
            except OSError:
                host = "127.0.0.1"
    return f"http://{host}:{port}"
