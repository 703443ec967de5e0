"""From a scene to the picture a camera would take of it.

Everything happens in the picture's own pixels. The ground comes first, then the painter draws the
solids (`paint`), then light and shadow are worked out source by source (`light`): what arrives,
times how the surface answers, times what the solids in between let through. One matrix product per
pixel turns the sources into colours, and the sensor does the rest.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import View
from vision.scene import light
from vision.scene.ground import Ground, board_slab, lay_ground, over
from vision.scene.paint import Layers
from vision.scene.sensor import expose
from vision.scene.solids import Solid
from vision.scene.stand import (
    BOARD_PLANE,
    CLOTH_PLANE,
    plane_heights_mm,
    stand_hand,
    stand_pieces,
    stand_things,
)
from vision.scene.table import Hand, Scene
from vision.scene.texture import enlarge, whole

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Light = NDArray[np.float32]


def render(scene: Scene, rng: np.random.Generator) -> Image:
    """The picture, blue first; `rng` gives the sensor's noise only."""
    return expose(radiance_of(scene), scene.look.sensor, rng)


def radiance_of(scene: Scene) -> Light:
    """The light that falls on the sensor: as long as nothing changes, the same for every frame."""
    look, view, board = scene.look, scene.view, scene.box.board
    ground = lay_ground(look, view, board)
    pieces = stand_pieces(scene)
    things = stand_things(look.things, -board.thickness_mm)
    hand = stand_hand(look.hand, _reach_mm(look.hand, view)) if look.hand is not None else []
    layers = Layers(ground)
    lamps = [np.array(lamp.at_mm, np.float64) for lamp in look.lamps]
    layers.draw_standing(things + pieces, view, lamps)
    layers.draw_floating(hand, view, lamps)

    slab = board_slab(board, look.edge_tint)
    lights = _throw_shadows(scene, ground, layers, pieces + hand, [*things, slab])
    middle_mm = np.array([board.files, board.ranks]) * board.cell_mm / 2
    fields = light.arriving(look, view, ground.map_mm, middle_mm)
    channels = cv2.split(layers.response)
    lit = []
    for number, field in enumerate(fields):
        part = cv2.multiply(
            channels[number], lights[number], scale=1 / (light.FLAT * 255), dtype=cv2.CV_32F
        )
        lit.append(cv2.multiply(part, enlarge(field, whole(view))))
    gain = np.array(look.sensor.balance) * look.sensor.exposure
    tints = np.array([look.sky, *(lamp.tint for lamp in look.lamps)]).T * gain[:, None]
    radiance = np.asarray(cv2.transform(cv2.merge(lit), tints.astype(np.float32)), np.float32)
    cv2.multiply(radiance, layers.reflectance(), radiance)
    if look.gloss > 0:
        _add_glare(radiance, scene, ground, layers, lights)
    return radiance


def _throw_shadows(
    scene: Scene, ground: Ground, layers: Layers, above: list[Solid], below: list[Solid]
) -> list[Image]:
    """For sky and lamps: what each pixel gets past the solids, 255 for all.

    `above` stands on the board and can darken everything, `below` only the cloth.
    """
    look, view, board = scene.look, scene.view, scene.box.board
    corners = view.corners_px(board)
    px_per_mm = float(np.linalg.norm(corners[1] - corners[0])) / (board.files * board.cell_mm)
    tall_mm = max((solid.corners[:, 2].max() for solid in above), default=1.0)
    heights = plane_heights_mm(scene)
    shown = set(np.unique(layers.planes[::4, ::4]).tolist())
    lights = []
    for number in range(len(look.lamps) + 1):
        shadow = np.zeros(layers.planes.shape, np.uint8)
        for code, z_mm in enumerate(heights):
            sky = number == 0
            if code > BOARD_PLANE and (sky or code not in shown):
                continue
            # A piece's own roof reaches above its kind's plane and would darken itself.
            casting = [s for s in above if code <= BOARD_PLANE or s.plane != code]
            if code == CLOTH_PLANE:
                casting = casting + below
            if sky:
                mask = light.throw_sky(casting, z_mm, view)
            else:
                lamp = look.lamps[number - 1]
                mask = light.throw_lamp(casting, lamp, z_mm, view, px_per_mm, float(tall_mm))
            if code == CLOTH_PLANE:
                shadow = mask
            elif code == BOARD_PLANE:  # smoothly, or the board's edge would show steps
                shadow = over(mask, shadow, ground.cover)
                shadow[layers.planes > BOARD_PLANE] = 0
            else:
                cv2.copyTo(mask, _where(layers.planes, code), shadow)
        # Planes change from pixel to pixel without smooth edges; a light blur hides the steps.
        lights.append(np.asarray(cv2.blur(cv2.bitwise_not(shadow), (3, 3)), np.uint8))
    return lights


def _where(planes: Image, code: int) -> Image:
    return np.asarray((planes == code).view(np.uint8) * np.uint8(255), np.uint8)


def _add_glare(
    radiance: Light, scene: Scene, ground: Ground, layers: Layers, lights: list[Image]
) -> None:
    """The lamps' images in a varnished board."""
    look = scene.look
    gain = np.array(look.sensor.balance) * look.sensor.exposure
    board = _where(layers.planes, BOARD_PLANE)
    fields = light.glare(look, scene.view, ground.map_mm)
    for lamp, field, lights_up in zip(look.lamps, fields, lights[1:], strict=True):
        if field.max() < 0.01:
            continue
        fine = enlarge(field * lamp.power, whole(scene.view))
        open_ = cv2.bitwise_and(lights_up, board)
        mirrored = cv2.multiply(open_, fine, scale=1 / 255, dtype=cv2.CV_32F)
        tint = (np.array(lamp.tint) * gain).astype(np.float32).reshape(3, 1)
        cv2.add(radiance, cv2.transform(mirrored, tint), radiance)


def hand_mask(scene: Scene) -> Image:
    """255 where a hand lies over everything else, in three channels like a picture."""
    wide, high = scene.view.size_wh
    mask = np.zeros((high, wide, 3), np.uint8)
    hand = scene.look.hand
    for solid in stand_hand(hand, _reach_mm(hand, scene.view)) if hand is not None else ():
        outline = np.round(scene.view.project(solid.corners)).astype(np.int32)
        cv2.fillConvexPoly(mask, cv2.convexHull(outline), (255, 255, 255))
    return mask


def _reach_mm(hand: Hand, view: View) -> float:
    """How much of an arm to build: to outside the picture, not to where a lens folds over."""
    angle = np.deg2rad(hand.from_deg)
    along = np.arange(40.0, 900.0, 20.0)
    tip = np.array([*hand.tip_mm, hand.height_mm + 70.0])
    arm = tip + (along[:, None] + 200.0) * np.array([np.cos(angle), np.sin(angle), 0.12])
    ideal = arm @ view.matrix[:, :3].T + view.matrix[:, 3]
    middle = (np.array(view.size_wh) - 1) / 2
    out = np.abs(ideal[:, :2] / ideal[:, 2:] - middle) / middle
    beyond = (ideal[:, 2] <= 0) | (out.max(axis=1) > 1.5)
    return float(along[max(int(np.argmax(beyond)) - 1, 0)]) if beyond.any() else float(along[-1])
