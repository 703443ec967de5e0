"""Bodies as polyhedra: what a camera and a lamp need to know of a piece, a cup or a finger.

A `Solid` is a set of corners and flat faces whose corners run counter-clockwise seen from outside.
Every solid is (nearly) convex, so a painter who draws far solids first and only the faces turned to
the camera gets the occlusion right, and the shadow is the hull of the corners' shadows. A piece
that is not convex (a tower with merlons, a pawn) is several solids with one `foot`, drawn from the
table up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.scene.table import Bgr

Array = NDArray[np.float64]
Faces = tuple[tuple[int, ...], ...]

ROUND: Final = 20
"""Sides of what is round: at 40 pixels across, nobody sees the corners."""

_BOX: Final[Faces] = (
    (4, 5, 6, 7),
    (0, 1, 5, 4),
    (1, 2, 6, 5),
    (2, 3, 7, 6),
    (3, 0, 4, 7),
)


@dataclass(frozen=True, eq=False)
class Solid:
    corners: Array
    """N×3, mm."""
    faces: Faces
    """No face looks straight down: nobody sees it."""
    tint: Bgr
    foot: tuple[float, float]
    """Where the whole piece stands, for sorting."""
    roughness: float = 0.05
    plane: int = 255
    """Which shadow plane the upward faces lie in (see `light`); 255: none."""
    casts: bool = True
    shine: float = 0.0
    opacity: float = 1.0
    """Below 1 one can see through it."""


def build(
    shape: str, size_mm: tuple[float, float, float], roof: float = 0.35
) -> list[tuple[Array, Faces]]:
    """The convex parts of a shape of this width, depth and height, standing on the origin."""
    wide, deep, tall = size_mm
    eaves = tall * (1 - roof)
    slopes: Faces
    x, y = wide / 2, deep / 2
    if shape == "gabled":
        corners = [*_rectangle(x, y, 0), *_rectangle(x, y, eaves), (-x, 0, tall), (x, 0, tall)]
        faces = ((0, 1, 5, 4), (2, 3, 7, 6), (1, 2, 6, 9, 5), (3, 0, 4, 8, 7))
        return [(np.array(corners, np.float64), (*faces, (4, 5, 9, 8), (6, 7, 8, 9)))]
    if shape == "hipped":
        ridge = 0.4 * x
        corners = [*_rectangle(x, y, 0), *_rectangle(x, y, eaves)]
        corners += [(-ridge, 0, tall), (ridge, 0, tall)]
        slopes = ((4, 5, 9, 8), (6, 7, 8, 9), (5, 6, 9), (7, 4, 8))
        return [(np.array(corners, np.float64), (*_BOX[1:], *slopes))]
    if shape == "tented":  # walls under a roof with four equal slopes
        corners = [*_rectangle(x, y, 0), *_rectangle(x, y, eaves), (0, 0, tall)]
        slopes = ((4, 5, 8), (5, 6, 8), (6, 7, 8), (7, 4, 8))
        return [(np.array(corners, np.float64), (*_BOX[1:], *slopes))]
    if shape == "pyramid":
        corners = [*_rectangle(x, y, 0), (0, 0, tall)]
        return [(np.array(corners, np.float64), ((0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)))]
    if shape in ("flat", "slab", "prism"):
        corners = [*_rectangle(x, y, 0), *_rectangle(x, y, tall)]
        return [(np.array(corners, np.float64), _BOX)]
    if shape == "rounded":
        return [_rounded(x, y, tall)]
    if shape in ("cylinder", "octagon"):
        sides = ROUND if shape == "cylinder" else 8
        parts = [lathe([(1.0, 0.0), (1.0, tall)], sides)]
        return [(corners * np.array([x, y, 1.0]), faces) for corners, faces in parts]
    if shape == "cone":
        return [lathe([(x, 0.0), (0.08 * x, tall)], ROUND)]
    if shape == "pawn":
        ball = 0.36 * tall
        return [
            lathe([(x, 0), (x * 0.9, 0.1 * tall), (x * 0.38, tall - ball)], 14),
            lathe(_ball(min(0.5 * ball, x * 0.85), tall - ball / 2), 14),
        ]
    raise ValueError(f"no shape is called {shape!r}")


def build_cap(
    cap: str, size_mm: tuple[float, float, float], sides: int
) -> list[tuple[Array, Faces]]:
    """What stands on a tower of this size, above its `tall`."""
    wide, _, tall = size_mm
    half = wide / 2
    if cap == "cone":
        return [lathe([(half * 0.92, tall), (half * 0.05, tall + half * 0.9)], max(sides, 12))]
    if cap == "dome":
        return [lathe([(half * f, tall + half * z) for f, z in _DOME], ROUND)]
    if cap == "ledge":
        return [lathe([(half * 1.18, tall), (half * 1.18, tall + 3.0)], sides)]
    if cap == "merlons":
        angles = np.arange(8) * (np.pi / 4)
        block, faces = build("flat", (half * 0.36, half * 0.36, 3.5))[0]
        off = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(8)]) * half * 0.78
        if sides == 4:  # along a square the corners are further out
            off /= np.maximum(np.abs(off[:, :2]).max(axis=1, keepdims=True) / (half * 0.78), 1e-6)
        return [(block + place + [0, 0, tall], faces) for place in off]
    return []


_DOME: Final = ((0.9, 0.0), (0.8, 0.3), (0.55, 0.55), (0.25, 0.68), (0.05, 0.72))


def lathe(profile: Sequence[tuple[float, float]], sides: int) -> tuple[Array, Faces]:
    """A body turned about the z axis from rings of (radius, height), lowest first, closed on top.

    Four sides make a square whose width is twice the radius, as a cylinder's is.
    """
    turn = np.pi / sides
    angles = np.arange(sides) * 2 * turn + turn
    grow = 1 / np.cos(turn) if sides <= 8 else 1.0
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * grow
    corners = np.vstack(
        [np.column_stack([ring * radius, np.full(sides, z)]) for radius, z in profile]
    )
    faces: list[tuple[int, ...]] = []
    for level in range(len(profile) - 1):
        low, high = level * sides, (level + 1) * sides
        faces += [
            (low + i, low + (i + 1) % sides, high + (i + 1) % sides, high + i) for i in range(sides)
        ]
    top = (len(profile) - 1) * sides
    return corners, (*faces, tuple(range(top, top + sides)))


def capsule(start: Array, end: Array, radius: float, end_radius: float) -> tuple[Array, Faces]:
    """A rounded rod from one point to another, as a finger's bone and flesh."""
    axis = end - start
    length = float(np.linalg.norm(axis)) or 1e-6
    axis = axis / length
    profile = [
        (0.05 * radius, -radius),
        (0.7 * radius, -0.7 * radius),
        (radius, 0.0),
        (end_radius, length),
        (0.7 * end_radius, length + 0.7 * end_radius),
        (0.05 * end_radius, length + end_radius),
    ]
    corners, faces = lathe(profile, 12)
    side = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    frame = np.column_stack([side, np.cross(axis, side), axis])
    return start + corners @ frame.T, faces


def place(corners: Array, at_mm: tuple[float, float, float], turn_rad: float) -> Array:
    """Turned about its own middle and set down."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    turned = corners.copy()
    turned[:, 0] = cos * corners[:, 0] - sin * corners[:, 1]
    turned[:, 1] = sin * corners[:, 0] + cos * corners[:, 1]
    return np.asarray(turned + np.array(at_mm))


def _ball(radius: float, middle: float) -> list[tuple[float, float]]:
    angles = np.linspace(-1.35, 1.45, 6)
    return [(float(radius * np.cos(a)), float(middle + radius * np.sin(a))) for a in angles]


def _rounded(x: float, y: float, tall: float) -> tuple[Array, Faces]:
    """A slab with rounded corners."""
    radius = 0.22 * min(x, y)
    angles = np.arange(16) * (np.pi / 8) + np.pi / 16
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    outline = np.sign(ring) * [x - radius, y - radius] + ring * radius
    low, high = (np.column_stack([outline, np.full(16, z)]) for z in (0.0, tall))
    walls = [(i, (i + 1) % 16, 16 + (i + 1) % 16, 16 + i) for i in range(16)]
    return np.vstack([low, high]), (*walls, tuple(range(16, 32)))


def _rectangle(x: float, y: float, z: float) -> list[tuple[float, float, float]]:
    return [(-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)]
