"""The camera over the simulated table: perspective, shadows, hands and noise, five times a second.

The light of a scene takes a tenth of a second to work out, so it is done only when something to be
seen has changed. A table on which nothing happens is exposed a few times with fresh noise, and from
then on these takes come in turn: an idle camera costs next to nothing.

Faults can be switched on from any thread, to see what the rest makes of them: a picture that stands
still, frames torn between two moments, and garbage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.camera import FPS, SIZE_WH, CameraTrouble, Fault, Pace
from firmware.simulated.look import bump, lay_table, light, resize
from firmware.simulated.table import Glimpse, SimulatedTable
from rules.box import Box
from vision.frame import Frame
from vision.geometry import Image, View
from vision.scene import Scene, expose, radiance_of

TAKES: Final = 4
"""Exposures of one scene that come in turn."""


class SimulatedCamera:
    def __init__(
        self,
        table: SimulatedTable,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        rng: np.random.Generator,
        *,
        size_wh: tuple[int, int] = SIZE_WH,
        fps: float = FPS,
    ) -> None:
        self._table, self._clock, self._rng = table, clock, rng
        self._size_wh = size_wh
        self._pace = Pace(fps, clock, sleep)
        self._number = -1
        self._bare: tuple[Box, int, Scene] | None = None
        """The empty table of a box and a seed."""
        self._view: tuple[Scene, int, View] | None = None
        """How the camera looks at it after so many bumps."""
        self._shown: Glimpse | None = None
        self._radiance: NDArray[np.float32] | None = None
        self._takes: list[Image] = []
        self._last: Image | None = None
        self._is_frozen = self._is_torn = self._is_garbled = False

    def read(self) -> Frame:
        self._pace.wait()
        glimpse = self._table.glimpse()
        if not glimpse.table.plugged:
            raise CameraTrouble(Fault.UNPLUGGED, "its plug is out: push it in again")
        self._number += 1
        return Frame(self._picture(glimpse), self._clock(), self._number)

    def close(self) -> None:
        """Nothing is held that anybody else could want."""

    def freeze(self, on: bool = True) -> None:
        """The same bytes from now on."""
        self._is_frozen = on

    def tear(self, on: bool = True) -> None:
        """Each frame shows the new moment above and the one before below."""
        self._is_torn = on

    def garbage(self, on: bool = True) -> None:
        """Frames that are no pictures: all grey, or cut off."""
        self._is_garbled = on

    def _picture(self, glimpse: Glimpse) -> Image:
        if self._is_garbled:
            return self._garble()
        if self._is_frozen and self._last is not None:
            return self._last
        picture, before = self._expose(glimpse), self._last
        self._last = picture
        if self._is_torn and before is not None:
            seam = int(self._rng.integers(1, len(picture)))
            return np.vstack([picture[:seam], before[seam:]])
        return picture

    def _expose(self, glimpse: Glimpse) -> Image:
        if glimpse != self._shown:
            self._radiance = radiance_of(self._scene(glimpse))
            self._shown, self._takes = glimpse, []
        if self._radiance is None:
            self._takes.append(self._takes.pop(0))
            return self._takes[-1]
        take = expose(self._radiance, self._scene(glimpse).look.sensor, self._rng)
        take.flags.writeable = False  # it will be handed out again
        self._takes.append(take)
        if len(self._takes) == TAKES:
            self._radiance = None
        return take

    def _scene(self, glimpse: Glimpse) -> Scene:
        table = glimpse.table
        if self._bare is None or self._bare[:2] != (glimpse.box, table.seed):
            self._bare = glimpse.box, table.seed, lay_table(glimpse.box, table.seed)
        bare = self._bare[2]
        if self._view is None or self._view[0] is not bare or self._view[1] != table.bumps:
            view = resize(bump(bare.view, table.bumps), self._size_wh)
            self._view = bare, table.bumps, view
        look = replace(light(bare.look, table.lamp, table.warmth), hand=glimpse.hand)
        return replace(
            bare, position=table.position, pawns=table.pawns, view=self._view[2], look=look
        )

    def _garble(self) -> Image:
        wide, high = self._size_wh
        cut_off = bool(self._rng.integers(2))
        return np.full((high // 12 if cut_off else high, wide, 3), 128, np.uint8)
