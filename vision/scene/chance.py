"""Scenes by chance: a camera somewhere above a table somebody else has laid."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.board import Position
from rules.box import Box
from vision.geometry import View, grid_corners_mm
from vision.scene.deal import random_position
from vision.scene.furnish import random_look
from vision.scene.scatter import random_hand
from vision.scene.table import Hand, Look, Scene, Sensor

Rng = np.random.Generator
Array = NDArray[np.float64]

HEIGHTS_MM: Final = (450.0, 850.0)
"""How high cameras hang above the board's surface."""
LEAST_SPAN: Final = 0.57
"""The grid fills at least so much of a picture's height, but for a few that are further away."""
USUAL_MM: Final = 272.0
"""The edge of a grid for which that is so."""
SPARE: Final = frozenset({"size_wh", "turns", "fullness", "hand", "tilt_deg", "roll_deg"})
"""Words `random_scene` understands beside the fields of `Scene`, `Look` and `Sensor`."""


def random_scene(rng: Rng, box: Box, position: Position | None = None, **overrides: Any) -> Scene:
    """A table by chance.

    Overrides are fields of `Scene`, `Look` or `Sensor`, or: `size_wh`; `turns` (quarter turns of
    the camera, or "any"); `fullness`; `hand` (True for one by chance); `tilt_deg` and `roll_deg`
    (the most there may be).
    """
    if position is None:
        position = random_position(rng, box, overrides.pop("fullness", random_fullness(rng)))
    view = overrides.pop("view", None) or random_view(
        rng,
        box,
        overrides.pop("size_wh", (1280, 960)),
        overrides.pop("turns", 0),
        overrides.pop("tilt_deg", 25.0),
        overrides.pop("roll_deg", 20.0),
    )
    look = overrides.pop("look", None) or random_look(rng, box, view)
    pawns = overrides.pop("pawns", None)
    if pawns is None:
        pawns = random_pawns(rng, box)
    hand = overrides.pop("hand", None)
    if hand is True:
        hand = random_hand(rng, box)
    changes: dict[str, Any] = {"hand": hand} if isinstance(hand, Hand) else {}
    names = {field.name for field in dataclasses.fields(Look)}
    parts = {field.name for field in dataclasses.fields(Sensor)}
    sensor = {k: v for k, v in overrides.items() if k in parts}
    changes |= {k: v for k, v in overrides.items() if k in names}
    if unknown := set(overrides) - names - parts - SPARE:
        raise TypeError(f"random_scene knows no {', '.join(sorted(unknown))}")
    if sensor:
        changes["sensor"] = dataclasses.replace(changes.get("sensor", look.sensor), **sensor)
    return Scene(box, position, pawns, view, dataclasses.replace(look, **changes))


def random_fullness(rng: Rng) -> float:
    """Empty boards, a few pieces, the middle of a game, crowds."""
    pick = rng.uniform()
    if pick < 0.06:
        return 0.0
    if pick < 0.2:
        return float(rng.uniform(0.02, 0.15))
    if pick < 0.85:
        return float(rng.uniform(0.15, 0.8))
    return float(rng.uniform(0.75, 1.0))


def random_pawns(rng: Rng, box: Box) -> dict[str, int]:
    if not box.board.track_spaces or rng.uniform() < 0.05:
        return {}
    spaces = rng.integers(box.board.track_spaces, size=len(box.players))
    if rng.uniform() < 0.2:
        spaces[:] = spaces[0]
    return {colour: int(space) for colour, space in zip(box.players, spaces, strict=True)}


def random_view(
    rng: Rng,
    box: Box,
    size_wh: tuple[int, int],
    turns: int | str = 0,
    tilt_deg: float = 25.0,
    roll_deg: float = 20.0,
) -> View:
    """A camera above the table that sees the whole grid and nearly always the whole board."""
    board = box.board
    grid = grid_corners_mm(board)
    middle = grid.mean(axis=0)
    rim = np.sign(grid - middle) * board.rim_mm
    quarter = int(rng.integers(4)) if turns == "any" else int(turns)
    size = np.array(size_wh)
    # Nobody hangs the camera lower for a smaller board.
    share = min(1.0, float(np.ptp(grid, axis=0).max()) / USUAL_MM)
    while True:
        focal = float(rng.uniform(0.75, 1.3)) * size_wh[0]
        high = float(rng.uniform(*HEIGHTS_MM))
        tilt = np.deg2rad(tilt_deg * np.sqrt(rng.uniform()) * rng.uniform(0.3, 1))
        roll = np.deg2rad(np.clip(rng.normal(0, 0.4), -1, 1) * roll_deg) + quarter * np.pi / 2
        azimuth = rng.uniform(0, 2 * np.pi)
        aim = middle + np.array([*rng.normal(0, 35, 2), 0.0])
        rotation = _turn_z(roll) @ _lean(azimuth, tilt) @ np.diag([1.0, -1.0, -1.0])
        translation = np.array([0, 0, high / np.cos(tilt)]) - rotation @ aim
        k1 = float(np.clip(rng.normal(0, 0.035), -0.08, 0.08))
        view = View.from_pose(size_wh, focal, rotation, translation, k1)
        inside = view.project(grid + rim * (1.0 if rng.uniform() < 0.95 else 0.2))
        corners = view.project(grid)
        span = np.ptp(corners, axis=0).max() / size[1]
        small = (0.45 if rng.uniform() < 0.15 else LEAST_SPAN) * share
        if (inside > 6).all() and (inside < size - 7).all() and span > small:
            return view


def _turn_z(angle: float) -> Array:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])


def _lean(azimuth: float, angle: float) -> Array:
    turn = _turn_z(azimuth)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(turn @ np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]]) @ turn.T)
