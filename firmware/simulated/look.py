"""What the simulated table looks like: one pleasant table, and any number of other people's.

The first table (`HOME`) is made by hand: warm wood with dark lines, a blue cloth, one soft lamp, a
cup and a phone beside the board. Every other seed is a table by chance on which a person could see
everything; how well the referee sees it is his own affair.

A table is laid once, at one size of picture, and the camera scales the view to its own size.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from rules.board import Position
from rules.box import Box
from vision.geometry import View
from vision.scene import Look, Scene, random_scene, render
from vision.scene.table import Lamp, PieceLook, Print, Sensor, Surface, Thing
from vision.scene.tints import hsv, scaled

HOME: Final = 0
"""The seed of the table made by hand."""
LAID_WH: Final = (1280, 960)
"""The picture a table is laid for."""
BUMP_PX: Final = 8.0
"""How far a bump shifts the camera's picture, at `LAID_WH`."""
BUMP_DEG: Final = 0.5
WARMTH: Final = 0.5
"""The warmest lamp makes red so much stronger, and blue weaker, in natural logarithms."""
FAR_MM: Final = 600.0
"""From the first table to its camera, where the board is `BOARD_MM`; a smaller one is nearer."""
BOARD_MM: Final = 312.0
_FORMS: Final = {"column": "cylinder", "block": "prism", "marker": "slab"}
"""What the shapes of a box look like, where the renderer calls them otherwise."""
_GLANCE_WH: Final = (320, 240)
_MOST_BURNT, _MOST_DARK = 0.1, 0.3
"""Shares of a picture that may be drowned in light or in the dark."""


def lay_table(box: Box, seed: int) -> Scene:
    """The bare table of this seed."""
    return _home(box) if seed == HOME else _somewhere(box, seed)


def resize(view: View, size_wh: tuple[int, int]) -> View:
    """The same view through a sensor with other pixels; all that was in the picture stays in it."""
    size, other = np.array(view.size_wh), np.array(size_wh)
    scale = float((other / size).min())
    shift = (other - 1) / 2 - scale * (size - 1) / 2
    to_other = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
    return replace(view, size_wh=size_wh, matrix=to_other @ view.matrix)


def bump(view: View, bumps: int) -> View:
    """The view after so many bumps; each leaves the camera a little off its first place."""
    if bumps == 0:
        return view
    chance = np.random.default_rng(bumps)
    way, angle = chance.uniform(0, 2 * np.pi), np.deg2rad(chance.uniform(-BUMP_DEG, BUMP_DEG))
    x, y = BUMP_PX * view.size_wh[0] / LAID_WH[0] * np.array([np.cos(way), np.sin(way)])
    centre_x, centre_y = (np.array(view.size_wh) - 1) / 2
    cos, sin = np.cos(angle), np.sin(angle)
    away = np.array([[1, 0, centre_x + x], [0, 1, centre_y + y], [0, 0, 1]])
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    home = np.array([[1, 0, -centre_x], [0, 1, -centre_y], [0, 0, 1]])
    return replace(view, matrix=away @ turn @ home @ view.matrix)


def light(look: Look, lamp: float, warmth: float) -> Look:
    """The look under a dimmed or tinted lamp: there is no other light in this room.

    A dimmer turned to half gives a quarter of the light, as eyes expect; the camera's exposure is
    locked, so nothing makes up for it.
    """
    blue, green, red = look.sensor.balance
    tint = float(np.exp(WARMTH * warmth))
    sensor = replace(
        look.sensor,
        exposure=look.sensor.exposure * lamp**2,
        balance=(blue / tint, green, red * tint),
    )
    return replace(look, sensor=sensor)


def _home(box: Box) -> Scene:
    wide, high = box.board.files * box.board.cell_mm, box.board.ranks * box.board.cell_mm
    wood = Surface("rings", hsv(0.085, 0.5, 0.80), 0.16, turn_deg=2.0, stretch=3.0, seed=4)
    pieces = {
        kind: PieceLook(
            shape=_FORMS.get(facts.shape, facts.shape),
            roof=0.38 if facts.shape == "gabled" else 0.0,
            tints={name: _tint(shade) for name, shade in facts.shade.items()},
            opacity=dict(facts.opacity),
            uneven=0.02,
            turned=0.5,
        )
        for kind, facts in box.pieces.items()
    }
    coloured = next((look for look in pieces.values() if set(box.players) <= set(look.tints)), None)
    tints = coloured.tints if coloured else dict.fromkeys(box.players, hsv(0, 0, 0.6))
    look = Look(
        seed=HOME,
        board=wood,
        edge_tint=scaled(wood.tint, 0.55),
        print=Print(tint=(0.012, 0.02, 0.035), strength=0.92, width_mm=1.0, dot_mm=1.5),
        cloth=Surface("weave", hsv(0.57, 0.38, 0.36), 0.12, seed=2),
        pieces=pieces,
        pawns=PieceLook("pawn", tints=tints),
        lamps=(Lamp((-wide * 0.35, high * 1.35, 620.0), (0.88, 0.98, 1.08), 0.74, 45.0),),
        sky=(0.28, 0.28, 0.27),
        careless_mm=0.9,
        careless_deg=2.5,
        things=(
            Thing("cup", (wide + 88.0, high * 0.86), 0.0, (68.0, 0.0, 70.0), hsv(0.03, 0.55, 0.75)),
            Thing("phone", (-95.0, high * 0.3), 8.0, (72.0, 148.0, 8.0), hsv(0.6, 0.1, 0.3)),
        ),
        sensor=Sensor(exposure=1.1, vignette=0.15, shot_noise=0.0004, read_noise=0.002, jpeg=100),
    )
    middle = np.array([wide / 2, high / 2, 0.0])
    whole = max(wide, high) + 2 * box.board.rim_mm
    tilt, far = np.deg2rad(-9.0), FAR_MM * whole / BOARD_MM
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = lean @ np.diag([1.0, -1.0, -1.0])
    translation = np.array([0.0, 0.0, far]) - rotation @ middle
    view = View.from_pose(LAID_WH, 1.1 * LAID_WH[0], rotation, translation, k1=-0.02)
    pawns = dict.fromkeys(box.players, 0) if box.board.track_spaces else {}
    return Scene(box, _nothing(box), pawns, view, look)


def _somewhere(box: Box, seed: int) -> Scene:
    chance = np.random.default_rng([seed, 3])
    while True:
        scene = random_scene(chance, box, _nothing(box), tilt_deg=15.0, roll_deg=8.0, shades=())
        glance = replace(scene, view=resize(scene.view, _GLANCE_WH))
        seen = render(glance, np.random.default_rng(0))
        burnt, dark = (seen.min(axis=-1) >= 250).mean(), (seen.max(axis=-1) <= 12).mean()
        if burnt < _MOST_BURNT and dark < _MOST_DARK:
            return scene


def _nothing(box: Box) -> Position:
    return Position(files=box.board.files, ranks=box.board.ranks)


def _tint(shade: str) -> tuple[float, float, float]:
    red, green, blue = (float((int(shade[i : i + 2], 16) / 255) ** 2.2) for i in (1, 3, 5))
    return blue, green, red
