"""Light and shadow: how much of each lamp arrives where.

Light is worked out per source. Source 0 is the sky, the others are the lamps. What a point receives
is a smooth field over the picture (distance, slant, vignetting, shadows from outside) times the
response of the surface there, which is `FLAT` for the board and more or less for a face turned to
or from the lamp, times what the solids in between let through.

Shadows are polygons: the hull of a solid's corners thrown from a point of the lamp onto a
horizontal plane. A lamp has a size, so several of its points are tried and the shadows averaged;
the sky is a ring of points. There is one shadow picture per plane (cloth, board, tops of each kind
of piece), and every pixel looks up the plane it shows. Walls are too small for that and are lit or
dark as a whole, by a ray from their middle past the other pieces, taken as upright cylinders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import View
from vision.scene.solids import Solid
from vision.scene.table import Lamp, Look, Shade
from vision.scene.texture import STEP_PX

Array = NDArray[np.float64]
Mask = NDArray[np.uint8]

FLAT: Final = 80
"""The response of a level surface, of 255: a wall can get three times the board's light."""
SKY_POINTS: Final = 6
SKY_FAR_MM: Final = 2000.0
SKY_SCALE: Final = 0.25
"""The sky's shadows are soft: a quarter of the picture's size is enough."""
SKY_SOFT_PX: Final = 2.5
TALL_MM: Final = 40.0
"""Shadow edges are worked out for pieces up to this height; a hand's may be a little coarse."""
SHINE_POWER: Final = 40
"""How narrow a painted piece's highlight is."""
LET_THROUGH: Final = 0.75
"""How much of the light gets past a thing as clear as air: its faces throw the rest aside."""
SHIFT: Final = 4
"""Polygons are drawn to a sixteenth of a pixel."""


def sky_points() -> Array:
    angles = np.arange(SKY_POINTS) * (2 * np.pi / SKY_POINTS) + 0.3
    up = np.where(np.arange(SKY_POINTS) % 2, 0.9, 1.8)
    return np.column_stack([np.cos(angles), np.sin(angles), up]) * SKY_FAR_MM


def lamp_points(lamp: Lamp, tallest_mm: float, px_per_mm: float) -> Array:
    """As many points of a lamp as its softest shadow edge needs."""
    at = np.array(lamp.at_mm)
    edge_px = 2 * lamp.radius_mm / at[2] * tallest_mm * px_per_mm
    count = int(np.clip(np.ceil(edge_px / 3), 1, 9))
    if count == 1:
        return at[None]
    turns = np.arange(count) * 2.39996  # sunflower: evenly over a disc
    spread = np.sqrt((np.arange(count) + 0.5) / count) * lamp.radius_mm
    disc = np.column_stack([np.cos(turns) * spread, np.sin(turns) * spread, np.zeros(count)])
    return np.asarray(at + disc)


def throw_sky(solids: Sequence[Solid], plane_z_mm: float, view: View) -> Mask:
    """How much of the sky the solids hide."""
    small = _throw(solids, sky_points(), plane_z_mm, view, SKY_SCALE)
    soft = cv2.GaussianBlur(small, (0, 0), SKY_SOFT_PX)
    return np.asarray(cv2.resize(soft, view.size_wh), np.uint8)


def throw_lamp(
    solids: Sequence[Solid],
    lamp: Lamp,
    plane_z_mm: float,
    view: View,
    px_per_mm: float,
    tall_mm: float,
) -> Mask:
    """How much of a lamp the solids hide."""
    points = lamp_points(lamp, min(tall_mm, TALL_MM), px_per_mm)
    mask = _throw(solids, points, plane_z_mm, view, 1.0)
    # Blurred by about the distance between the shadow edges of neighbouring points of the lamp.
    edge_px = 2 * lamp.radius_mm / lamp.at_mm[2] * TALL_MM / 2 * px_per_mm
    soften_px = min(0.5 + 0.45 * edge_px / np.sqrt(len(points)), 4.0)
    reach = 2 * int(np.ceil(2 * soften_px)) + 1
    return np.asarray(cv2.GaussianBlur(mask, (reach, reach), soften_px), np.uint8)


def _throw(
    solids: Sequence[Solid], points: Array, plane_z_mm: float, view: View, scale: float
) -> Mask:
    """The shadow picture of one lamp on one plane: 255 where none of its points is seen."""
    size_wh = (int(view.size_wh[0] * scale), int(view.size_wh[1] * scale))
    total = np.zeros((size_wh[1], size_wh[0]), np.uint8)
    casting = [s for s in solids if s.casts and s.corners[:, 2].max() > plane_z_mm + 0.5]
    if not casting:
        return total
    casting.sort(key=lambda solid: solid.opacity)  # where two shadows meet, the deeper one counts
    corners = np.vstack([solid.corners for solid in casting])
    ends = np.cumsum([len(solid.corners) for solid in casting])
    corners[:, 2] = np.maximum(corners[:, 2], plane_z_mm)
    weight = 255 // len(points)
    one = np.empty_like(total)
    for lamp in points:
        # A hand can reach above a low lamp; its shadow is then as long as can be.
        reach = (lamp[2] - plane_z_mm) / np.maximum(lamp[2] - corners[:, 2], 0.1 * lamp[2])
        on_plane = lamp[:2] + (corners[:, :2] - lamp[:2]) * reach[:, None]
        level = np.column_stack([on_plane, np.full(len(on_plane), plane_z_mm)])
        seen = ((view.project(level) + 0.5) * scale - 0.5) * (1 << SHIFT)
        pixels = np.clip(seen, -30000 * 16, 30000 * 16).astype(np.int32)
        one[:] = 0
        for solid, outline in zip(casting, np.split(pixels, ends[:-1]), strict=True):
            hull = cv2.convexHull(outline)
            depth = round(weight * (1 - LET_THROUGH * (1 - solid.opacity)))
            cv2.fillConvexPoly(one, hull, depth, cv2.LINE_8, SHIFT)
        cv2.add(total, one, total)
    if weight * len(points) < 250:
        total = np.asarray(cv2.convertScaleAbs(total, alpha=255 / (weight * len(points))), np.uint8)
    return total


def arriving(look: Look, view: View, map_mm: Array, middle_mm: Array) -> list[NDArray[np.float32]]:
    """For sky and lamps: light on a level surface at every eighth pixel, 1 = its full power."""
    wide, high = view.size_wh
    rows, columns = map_mm.shape[:2]
    x = ((np.arange(columns) - 0.5) * STEP_PX - wide / 2) / (np.hypot(wide, high) / 2)
    y = ((np.arange(rows) - 0.5) * STEP_PX - high / 2) / (np.hypot(wide, high) / 2)
    edge = 1 - look.sensor.vignette * (x[None] ** 2 + y[:, None] ** 2)
    fields = [edge.astype(np.float32)]
    for number, lamp in enumerate(look.lamps):
        at = np.array(lamp.at_mm)
        off = map_mm - at[:2]
        squared = (off**2).sum(axis=-1) + at[2] ** 2
        nominal = ((middle_mm - at[:2]) ** 2).sum() + at[2] ** 2
        light = lamp.power * (nominal / squared) ** 1.5 * edge
        if number == 0:
            for shade in look.shades:
                light = light * (1 - shade.depth * _outside(shade, view, map_mm))
        fields.append(light.astype(np.float32))
    return fields


def glare(look: Look, view: View, map_mm: Array) -> list[NDArray[np.float32]]:
    """For each lamp: how strongly a glossy board mirrors it, at every eighth pixel."""
    eye = view.eye_mm
    level = np.concatenate([map_mm, np.zeros((*map_mm.shape[:2], 1))], axis=-1)
    to_eye = eye - level
    to_eye /= np.linalg.norm(to_eye, axis=-1, keepdims=True)
    fields = []
    for lamp in look.lamps:
        to_lamp = np.array(lamp.at_mm) - level
        to_lamp /= np.linalg.norm(to_lamp, axis=-1, keepdims=True)
        half = to_eye + to_lamp
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        fields.append((look.gloss * half[..., 2] ** look.gloss_power).astype(np.float32))
    return fields


def respond(
    middles: Array,
    normals: Array,
    owners: NDArray[np.intp],
    planar: NDArray[np.bool_],
    sources: Sequence[Array],
    posts: Array,
    eye: Array,
    shines: Array,
) -> NDArray[np.uint8]:
    """Each face's response to the sky and each lamp; `posts` are (x, y, radius, top) of pieces.

    Faces that look up their plane's shadow picture (`planar`) are not darkened here.
    """
    responses = [FLAT * (0.6 + 0.4 * normals[:, 2])]
    for lamp in sources:
        toward = lamp - middles
        slant = (toward * normals).sum(axis=1) / np.maximum(toward[:, 2], 20.0)
        half = _unit(toward) + _unit(eye - middles)
        mirrored = shines * np.clip((_unit(half) * normals).sum(axis=1), 0, 1) ** SHINE_POWER
        lit = np.clip(slant, 0, 3.1) + np.where(slant > 0, mirrored, 0.0)
        responses.append(FLAT * lit * _seen(middles, owners, planar, lamp, posts))
    while len(responses) < 4:
        responses.append(np.zeros(len(middles)))
    return np.clip(np.column_stack(responses), 0, 255).astype(np.uint8)


def _unit(ways: Array) -> Array:
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))


def _seen(
    middles: Array, owners: NDArray[np.intp], planar: NDArray[np.bool_], lamp: Array, posts: Array
) -> Array:
    """How much of the lamp a face's middle sees past the other pieces."""
    if len(posts) == 0:
        return np.ones(len(middles))
    way = lamp[None, :2] - middles[:, :2]
    squared = np.maximum((way**2).sum(axis=1), 1.0)
    off = posts[None, :, :2] - middles[:, None, :2]
    at = (off * way[:, None]).sum(axis=2) / squared[:, None]
    beside = np.linalg.norm(off - at[..., None] * way[:, None], axis=2)
    inside = np.sqrt(np.maximum(posts[None, :, 2] ** 2 - beside**2, 0))
    entry = np.maximum(at - inside / np.sqrt(squared)[:, None], 0)
    height = middles[:, None, 2] + entry * (lamp[2] - middles[:, None, 2])
    blocked = np.clip((posts[None, :, 2] - beside) / 2.0 + 0.5, 0, 1)
    blocked *= np.clip((posts[None, :, 3] - height) / 2.0 + 0.5, 0, 1)
    blocked *= (at > 0) & (at < 1) & (owners[:, None] != np.arange(len(posts))[None])
    through = 1 - blocked.max(axis=1)
    return np.asarray(np.where(planar, 1.0, through))


def _outside(shade: Shade, view: View, map_mm: Array) -> Array:
    """How deep every eighth pixel lies in a shadow that falls from outside the picture."""
    rows, columns = map_mm.shape[:2]
    outline = view.project(np.array(shade.outline_mm, np.float64))
    coarse = ((outline + 0.5) / STEP_PX + 0.5) * (1 << SHIFT)
    mask = np.zeros((rows, columns), np.uint8)
    points = np.clip(coarse, -480000, 480000).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, SHIFT)
    side_mm = np.linalg.norm(np.subtract(shade.outline_mm[1], shade.outline_mm[0]))
    px_per_mm = float(np.linalg.norm(outline[1] - outline[0]) / side_mm)
    sigma = float(np.clip(shade.softness_mm * px_per_mm / STEP_PX, 0.4, 40.0))
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float64) / 255
