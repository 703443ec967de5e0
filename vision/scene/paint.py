"""The painter: solids drawn over the ground, far ones first, on layers OpenCV can draw smoothly.

The layers are 8 bits wide: `albedo` (square roots of reflectance), `response` (how each surface
answers sky and lamps, see `light`), `planes` (which shadow picture a pixel looks up) and `rough`
(how much its stuff varies from point to point).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import View
from vision.scene import light
from vision.scene.ground import Ground
from vision.scene.solids import Solid
from vision.scene.stand import NO_PLANE

Array = NDArray[np.float64]

GLEAM: Final = 0.45
"""How much of the light from all around the edges of clear plastic gather."""
OUTLINE_PX: Final = 0.65
"""How much further than its corners say a smooth polygon reaches; measured on squares."""


class Layers:
    def __init__(self, ground: Ground) -> None:
        self.albedo = ground.albedo.copy()
        self.planes = ground.planes.copy()
        high, wide = self.planes.shape
        self.response = np.full((high, wide, 4), light.FLAT, np.uint8)
        self.rough = np.zeros((high, wide), np.uint8)

    def draw_standing(self, solids: Sequence[Solid], view: View, lamps: Sequence[Array]) -> None:
        """What stands on the table: by the distance of the foot, within a piece from below."""
        if not solids:
            return
        feet = np.array([solid.foot for solid in solids])
        lows = np.array([solid.corners[:, 2].min() for solid in solids])
        far = np.linalg.norm(view.eye_mm - np.column_stack([feet, np.zeros(len(feet))]), axis=1)
        spots, owners = np.unique(feet, axis=0, return_inverse=True)
        owners = owners.reshape(-1)
        posts = np.zeros((len(spots), 4))
        posts[:, :2] = spots
        for owner, solid in zip(owners, solids, strict=True):
            low, high = solid.corners.min(axis=0), solid.corners.max(axis=0)
            posts[owner, 2] = max(posts[owner, 2], (high - low)[:2].min() / 2)
            posts[owner, 3] = max(posts[owner, 3], high[2])
        self._draw(solids, np.lexsort((lows, -far)), owners, posts, view, lamps)

    def draw_floating(self, solids: Sequence[Solid], view: View, lamps: Sequence[Array]) -> None:
        """A hand's rods, by the distance of their middles; they do not darken each other."""
        if not solids:
            return
        middles = np.array([solid.corners.mean(axis=0) for solid in solids])
        order = np.argsort(-np.linalg.norm(middles - view.eye_mm, axis=1))
        owners = np.arange(len(solids))
        self._draw(solids, order, owners, np.zeros((0, 4)), view, lamps)

    def _draw(
        self,
        solids: Sequence[Solid],
        order: NDArray[np.intp],
        owners: NDArray[np.intp],
        posts: Array,
        view: View,
        lamps: Sequence[Array],
    ) -> None:
        corners = np.vstack([solid.corners for solid in solids])
        starts = np.cumsum([0, *(len(solid.corners) for solid in solids)])
        shapes = [face for i in order for face in solids[i].faces]
        whose = np.repeat(order, [len(solids[i].faces) for i in order])
        counts = np.array([len(face) for face in shapes])
        firsts = np.concatenate([[0], np.cumsum(counts)])
        picks = np.array([corner for face in shapes for corner in face])
        picks += np.repeat(starts[whose], counts)
        a, b, c = (corners[picks[firsts[:-1] + k]] for k in range(3))
        normals = np.cross(b - a, c - b)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        turned = ((view.eye_mm - a) * normals).sum(axis=1) > 0
        middles = np.add.reduceat(corners[picks], firsts[:-1], axis=0) / counts[:, None]

        kinds = np.array([solid.plane for solid in solids])[whose]
        planar = (kinds != NO_PLANE) & (normals[:, 2] > 0.5)
        codes = np.where(planar, kinds, NO_PLANE).tolist()
        shines = np.array([solid.shine for solid in solids])[whose]
        answers = light.respond(
            middles, normals, owners[whose], planar, lamps, posts, view.eye_mm, shines
        ).tolist()
        tints = (np.sqrt(np.clip([solid.tint for solid in solids], 0, 1)) * 255).tolist()
        roughs = [int(255 * solid.roughness) for solid in solids]
        seen = _drawn_in(view.project(corners), starts)
        pixels = np.round(seen * (1 << light.SHIFT)).astype(np.int32)[picks]
        for k in np.flatnonzero(turned):
            i, outline = whose[k], pixels[firsts[k] : firsts[k + 1]]
            if solids[i].opacity < 1:
                self._glaze(outline, tints[i], answers[k], solids[i].opacity)
                continue
            cv2.fillConvexPoly(self.albedo, outline, tints[i], cv2.LINE_AA, light.SHIFT)
            cv2.fillConvexPoly(self.response, outline, answers[k], cv2.LINE_AA, light.SHIFT)
            cv2.fillConvexPoly(self.planes, outline, codes[k], cv2.LINE_8, light.SHIFT)
            cv2.fillConvexPoly(self.rough, outline, roughs[i], cv2.LINE_8, light.SHIFT)

    def _glaze(
        self, outline: NDArray[np.int32], tint: list[float], answer: list[int], opacity: float
    ) -> None:
        """A face one can see through: what is behind it shows in its colour, its edges gleam."""
        corners = outline / (1 << light.SHIFT)
        high, wide = self.rough.shape
        left, top = np.clip(np.floor(corners.min(axis=0)).astype(int) - 2, 0, (wide, high))
        right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 3, 0, (wide, high))
        if right <= left or bottom <= top:
            return
        part = (slice(top, bottom), slice(left, right))
        mask = np.zeros((bottom - top, right - left), np.uint8)
        local = outline - (np.array([left, top], np.int32) << light.SHIFT)
        cv2.fillConvexPoly(mask, local, 255, cv2.LINE_AA, light.SHIFT)
        covered = (mask.astype(np.float32) / 255)[..., np.newaxis]
        own = np.array(tint[:3], np.float32)
        below = self.albedo[part].astype(np.float32)
        filtered = below * (own / max(float(own.max()), 1.0)) ** 0.7
        glazed = filtered * (1 - opacity) + own * opacity
        edge = np.zeros_like(mask)
        cv2.polylines(edge, [local], True, 255, 1, cv2.LINE_AA, light.SHIFT)
        gleam = (edge.astype(np.float32) / 255)[..., np.newaxis] * GLEAM * (1 - opacity)
        glazed += (255 - glazed) * gleam
        self.albedo[part] = np.clip(below + (glazed - below) * covered, 0, 255).astype(np.uint8)
        seen = self.response[part].astype(np.float32)
        answered = seen * (1 - opacity) + np.array(answer, np.float32) * opacity
        self.response[part] = np.clip(seen + (answered - seen) * covered, 0, 255).astype(np.uint8)
        if opacity >= 0.5:
            self.planes[part][mask > 127] = NO_PLANE

    def reflectance(self) -> NDArray[np.float32]:
        """What share of each colour every pixel gives back."""
        even = cv2.multiply(self.albedo, self.albedo, scale=1 / 255**2, dtype=cv2.CV_32F)
        field = _unevenness(*self.rough.shape)
        factor = np.asarray(cv2.multiply(self.rough, field, scale=1 / 255, dtype=cv2.CV_32F))
        factor += 1
        return np.asarray(cv2.multiply(even, cv2.merge([factor] * 3), even), np.float32)


def _drawn_in(seen_px: Array, starts: NDArray[np.intp]) -> Array:
    """The corners, each solid made smaller by what OpenCV's smooth outlines add to it."""
    counts = np.diff(starts)
    middle = np.add.reduceat(seen_px, starts[:-1], axis=0) / counts[:, None]
    off = seen_px - np.repeat(middle, counts, axis=0)
    reach = np.maximum.reduceat(np.abs(off), starts[:-1], axis=0)
    share = off / np.repeat(np.maximum(reach, 1.0), counts, axis=0)
    return np.asarray(seen_px - OUTLINE_PX * share)


@lru_cache(maxsize=4)
def _unevenness(high: int, wide: int) -> NDArray[np.float32]:
    chance = np.random.default_rng(11)
    fine = chance.standard_normal((high, wide), np.float32)
    soft = np.asarray(cv2.GaussianBlur(fine, (0, 0), 1.3), np.float32)
    return np.asarray(soft / soft.std(), np.float32)
