"""Where everything stands: from a scene's words to the solids a painter draws.

How carelessly a piece was put down follows from the look's seed, the cell and the piece, so a piece
that stays keeps its place from picture to picture, whatever happens around it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.board import Anchor, Cell, Piece
from vision.scene.solids import Solid, build, build_cap, capsule, lathe, place
from vision.scene.table import Bgr, Hand, Look, PieceLook, Scene, Thing, track_mm

Array = NDArray[np.float64]

CLOTH_PLANE: Final = 0
BOARD_PLANE: Final = 1
"""Shadow planes: cloth, board, and from 2 on the tops of the kinds, in the box's order."""
NO_PLANE: Final = 255
PAWN_MM: Final = (8.0, 8.0, 14.0)
"""A usual pawn; the box says nothing of them."""
_ANCHORS: Final = tuple(Anchor)


@dataclass(frozen=True)
class Foot:
    """Where a piece stands and how it is turned."""

    at_mm: tuple[float, float]
    turn_rad: float
    size_mm: tuple[float, float, float]


def feet_mm(scene: Scene) -> dict[Cell, Foot]:
    """Where each piece of the position truly stands, carelessness included."""
    feet = {cell: _foot(scene, cell, piece) for cell, piece in scene.position.items()}
    return _push_apart(scene, feet)


def plane_heights_mm(scene: Scene) -> list[float]:
    """The heights of the shadow planes: cloth, board, and each kind's top."""
    tops = [
        facts.height_mm * look.tall * (1 - 0.4 * look.roof)
        for facts, look in ((f, scene.look.pieces[k]) for k, f in scene.box.pieces.items())
    ]
    return [-scene.box.board.thickness_mm, 0.0, *tops]


def stand_pieces(scene: Scene) -> list[Solid]:
    """The solids of all pieces and pawns on the board."""
    solids: list[Solid] = []
    kinds = list(scene.box.pieces)
    for cell, foot in feet_mm(scene).items():
        piece = scene.position[cell]
        look = scene.look.pieces[piece.kind]
        chance = _chance(scene.look, cell, piece, kinds, salt=1)
        tint = look.tints[piece.colour or piece.kind]
        tint = _uneven(tint, look.uneven, chance)
        plane = BOARD_PLANE + 1 + kinds.index(piece.kind)
        opacity = look.opacity.get(piece.colour or piece.kind, 1.0)
        solids += _stand(look, foot, 0.0, tint, plane, opacity)
    look = scene.look.pawns
    size = (PAWN_MM[0] * look.scale, PAWN_MM[1] * look.scale, PAWN_MM[2] * look.tall)
    for number, (colour, space) in enumerate(scene.pawns.items()):
        chance = np.random.default_rng([scene.look.seed, 77, number, space])
        sharing = sum(other == space for other in scene.pawns.values()) > 1
        off = chance.normal(0, 1.2, 2)
        if sharing:  # beside each other, along a diagonal of the space
            off += np.array([5.0, 1.0]) * (number - (len(scene.pawns) - 1) / 2)
        x, y = track_mm(scene.box, space) + off
        foot = Foot((float(x), float(y)), float(chance.uniform(0, 6)), size)
        solids += _stand(look, foot, 0.0, look.tints[colour], NO_PLANE)
    return solids


def stand_things(things: tuple[Thing, ...], cloth_z_mm: float) -> list[Solid]:
    """What lies about beside the board."""
    solids: list[Solid] = []
    for thing in things:
        at, turn = (*thing.at_mm, cloth_z_mm), np.deg2rad(thing.turn_deg)
        parts: list[tuple[str, tuple[float, float, float], float, Bgr]]
        wide, deep, tall = thing.size_mm
        if thing.shape == "cup":
            solids += _cup(thing, cloth_z_mm)
            continue
        if thing.shape == "phone":
            dark = (0.012, 0.012, 0.014)
            parts = [("rounded", thing.size_mm, 0.0, thing.tint)]
            parts += [("slab", (wide * 0.9, deep * 0.9, 0.3), tall, dark)]
        elif thing.shape == "paper":
            parts = [("slab", (wide, deep, 0.4), 0.0, thing.tint)]
        elif thing.shape == "book":
            parts = [("slab", (wide * 0.97, deep * 0.97, tall * 0.9), 0.0, (0.6, 0.7, 0.75))]
            parts += [("slab", (wide, deep, tall * 0.1), tall * 0.9, thing.tint)]
        else:
            parts = [(thing.shape, thing.size_mm, 0.0, thing.tint)]
        for shape, size, up, tint in parts:
            for corners, faces in build(shape, size):
                placed = place(corners, (at[0], at[1], at[2] + up), turn)
                # Only what is as flat as paper lies in the cloth's own shadow picture.
                plane = CLOTH_PLANE if thing.shape == "paper" else NO_PLANE
                solids.append(Solid(placed, faces, tint, thing.at_mm, 0.04, plane))
    return solids


def stand_hand(hand: Hand, reach_mm: float) -> list[Solid]:
    """A hand above the board; `reach_mm` of the arm behind the wrist are in the picture."""
    s = hand.scale
    tip = np.array([*hand.tip_mm, hand.height_mm])
    angle = np.deg2rad(hand.from_deg)
    back = np.array([np.cos(angle), np.sin(angle), 0.0])
    side = np.array([-back[1], back[0], 0.0])
    up = np.array([0.0, 0.0, 1.0])
    wrist = tip + back * 150 * s + up * 45 * s
    knuckles = tip + back * 72 * s + up * 42 * s
    rods: list[tuple[Array, Array, float, float, Bgr]] = []
    skin = hand.skin
    for row in (-1.5, -0.5, 0.5, 1.5):
        root = knuckles + side * row * 19 * s + back * (abs(row) - 1) * 4 * s
        end = tip + side * row * (6 + 12 * hand.spread) * s - back * (6 - 5 * abs(row)) * s
        bend = root * 0.45 + end * 0.55 + up * 14 * s
        rods.append((root, bend, 9.5 * s, 8.5 * s, skin))
        rods.append((bend, end, 8.5 * s, 7.0 * s, skin))
        rods.append((wrist + side * row * 9 * s, root, 12.5 * s, 11.0 * s, skin))
    thumb = wrist - side * 26 * s - back * 25 * s
    joint = tip * 0.5 + wrist * 0.5 - side * 40 * s - up * 12 * s
    rods.append((wrist, thumb, 14 * s, 12 * s, skin))
    rods.append((thumb, joint, 12 * s, 10 * s, skin))
    rods.append(
        (joint, tip + back * 12 * s - side * (14 + 10 * hand.spread) * s, 9 * s, 8 * s, skin)
    )
    elbow, thick = wrist + back * reach_mm + up * 0.12 * reach_mm, 40 * s
    cuff = wrist + (elbow - wrist) * min(hand.bare_mm / reach_mm, 1.0)
    bare_end = elbow if hand.sleeve is None else cuff
    rods.append((wrist, bare_end, 24 * s, thick if hand.sleeve is None else 30 * s, skin))
    solids = []
    for start, end, radius, end_radius, tint in rods:
        corners, faces = capsule(start, end, radius, end_radius)
        solids.append(Solid(corners, faces, tint, (0.0, 0.0), 0.05))
    if hand.sleeve is not None and hand.bare_mm < reach_mm:
        corners, faces = capsule(cuff, elbow, 36 * s, 54 * s)
        solids.append(Solid(corners, faces, hand.sleeve, (0.0, 0.0), 0.08))
    return solids


def _foot(scene: Scene, cell: Cell, piece: Piece) -> Foot:
    board, facts, look = scene.box.board, scene.box.pieces[piece.kind], scene.look
    dress = look.pieces[piece.kind]
    wide, deep = (mm * dress.scale for mm in facts.base_mm)
    size = (wide, deep, facts.height_mm * dress.tall)
    chance = _chance(look, cell, piece, list(scene.box.pieces))
    angle, radius = chance.uniform(0, 2 * np.pi), look.careless_mm * np.sqrt(chance.uniform())
    off = np.array([np.cos(angle), np.sin(angle)]) * radius
    if piece.anchor is not None:
        room = (board.cell_mm - np.array([wide, deep])) / 2 - look.gap_mm
        off += np.array(piece.anchor.step) * room
    x, y = (np.array([cell.file, cell.rank]) + 0.5) * board.cell_mm + off
    turn = np.deg2rad(chance.normal(0, look.careless_deg))
    if chance.uniform() < dress.turned:
        turn += np.pi / 2
    return Foot((float(x), float(y)), float(turn), size)


def _push_apart(scene: Scene, feet: Mapping[Cell, Foot]) -> dict[Cell, Foot]:
    """Pieces of neighbouring cells may touch, never stand in each other."""
    cells = list(feet)
    at = np.array([feet[cell].at_mm for cell in cells], np.float64).reshape(-1, 2)
    sizes = np.array([feet[cell].size_mm[0] for cell in cells], np.float64)
    for _ in range(2):
        apart = at[:, None] - at[None, :]
        need = (sizes[:, None] + sizes[None, :]) / 2 + 0.3 - np.abs(apart).max(axis=2, initial=0)
        for i, j in np.argwhere(np.triu(need > 0, 1)):
            axis = int(np.argmax(np.abs(apart[i, j])))
            step = need[i, j] / 2 * np.sign(apart[i, j, axis])
            at[i, axis] += step
            at[j, axis] -= step
    return {
        cell: Foot((float(x), float(y)), feet[cell].turn_rad, feet[cell].size_mm)
        for cell, (x, y) in zip(cells, at, strict=True)
    }


def _stand(
    look: PieceLook, foot: Foot, z_mm: float, tint: Bgr, plane: int, opacity: float = 1.0
) -> list[Solid]:
    parts = build(look.shape, foot.size_mm, look.roof)
    sides = {"prism": 4, "octagon": 8}.get(look.shape, 20)
    parts += build_cap(look.cap, foot.size_mm, sides)
    at = (*foot.at_mm, z_mm)
    return [
        Solid(
            place(corners, at, foot.turn_rad),
            faces,
            tint,
            foot.at_mm,
            look.roughness,
            plane,
            shine=look.shine,
            opacity=opacity,
        )
        for corners, faces in parts
    ]


def _cup(thing: Thing, z_mm: float) -> list[Solid]:
    radius, tall = thing.size_mm[0] / 2, thing.size_mm[2]
    outside = lathe([(radius * 0.8, 0), (radius, tall)], 28)
    inside = lathe([(radius * 0.9, tall - 0.2), (radius * 0.9, tall)], 28)
    drink = lathe([(radius * 0.78, tall), (radius * 0.78, tall + 0.1)], 28)
    at = (*thing.at_mm, z_mm)
    dark = (thing.tint[0] * 0.4, thing.tint[1] * 0.4, thing.tint[2] * 0.4)
    brown = (0.015, 0.03, 0.06)
    return [
        Solid(place(corners, at, 0.0), faces, tint, thing.at_mm, 0.02, NO_PLANE, casts)
        for (corners, faces), tint, casts in (
            (outside, thing.tint, True),
            (inside, dark, False),
            (drink, brown, False),
        )
    ]


def _chance(
    look: Look, cell: Cell, piece: Piece, kinds: list[str], salt: int = 0
) -> np.random.Generator:
    anchor = _ANCHORS.index(piece.anchor) + 1 if piece.anchor is not None else 0
    colour = sum(map(ord, piece.colour)) if piece.colour else 0
    words = [look.seed, cell.file, cell.rank, kinds.index(piece.kind), colour, anchor, salt]
    return np.random.default_rng(words)


def _uneven(tint: Bgr, spread: float, chance: np.random.Generator) -> Bgr:
    gain = float(np.exp(chance.normal(0, spread)))
    blue, green, red = (
        min(c * gain * float(np.exp(chance.normal(0, spread / 3))), 0.97) for c in tint
    )
    return blue, green, red
