"""Tables by chance: woods, cloths, lamps, cameras and sets of pieces nobody has tuned on.

The ranges are wider than any one set or renderer shows, because what is trained or tested here has
to bear tables that differ from all of these. Shades of pieces start from the box's own.
"""

from __future__ import annotations

import colorsys
import dataclasses
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.box import Box, PieceFacts
from vision.geometry import View
from vision.scene.patterns import CLOTHS, WOODS
from vision.scene.scatter import random_markers, random_shades, random_things
from vision.scene.table import Bgr, Lamp, Look, PieceLook, Print, Sensor, Surface
from vision.scene.tints import around_one, bgr, glow, hsv, scaled

Rng = np.random.Generator
Array = NDArray[np.float64]

FORMS: Final = {
    "gabled": ("gabled", "gabled", "gabled", "hipped", "flat", "tented"),
    "slab": ("slab", "slab", "slab", "rounded"),
    "column": ("cylinder", "cylinder", "prism", "octagon"),
    "pyramid": ("pyramid",),
    "block": ("prism", "cylinder", "octagon"),
    "marker": ("slab", "rounded", "cylinder", "octagon"),
}
"""By a piece's nominal shape (`rules.box.SHAPES`): how another maker's set may build it."""
VIVID: Final = 0.35
"""Saturation from which a shade is a colour and not a kind of white or grey."""
LEAST_CONTRAST: Final = 0.15
"""Of lines against wood, in natural logarithms: below that no camera finds them."""
LIKE_A_PIECE: Final = 0.7
"""Colours this near to each other are taken for one another in a poor light."""
PLAIN: Final = 0.5
"""The share of boards with lines only, of those that were not made for the game."""
SEEN_ON_THE_BOARD: Final = 0.3
"""As near to the board's own colours as nobody takes a marker that lies on it."""
LEAST_CHEQUER: Final = 0.25
"""As `LEAST_CONTRAST`, of dark cells against light ones."""


def random_look(rng: Rng, box: Box, view: View) -> Look:
    board = random_wood(rng)
    darkness = rng.uniform(0.3, 0.8)
    printed = any_print(rng, board) if box.board.borrowed else random_print(rng, board)
    grounds = [board.tint, printed.fill_tint] if printed.fill == "chequer" else [board.tint]
    look = Look(
        seed=int(rng.integers(2**31)),
        board=board,
        edge_tint=scaled(board.tint, darkness),
        print=printed,
        cloth=random_cloth(rng),
        pieces=random_dresses(rng, box, grounds),
        pawns=random_pawn_look(rng, box),
        lamps=(),
        sky=(0.3, 0.3, 0.3),
        gloss=float(rng.choice([0, 0, rng.uniform(0.02, 0.15), rng.uniform(0.1, 0.8)])),
        gloss_power=float(np.exp(rng.uniform(np.log(15), np.log(400)))),
        careless_mm=float(rng.uniform(0.2, 2.0)),
        careless_deg=float(rng.uniform(0.5, 5.0)),
        gap_mm=float(rng.uniform(0.2, 2.2)),
        markers=random_markers(rng),
        sensor=random_sensor(rng),
    )
    lamps, sky = random_lamps(rng, box)
    things = random_things(rng, box, view, look.pieces)
    return dataclasses.replace(
        look, lamps=lamps, sky=sky, things=things, shades=random_shades(rng, box)
    )


def random_wood(rng: Rng) -> Surface:
    """Mostly wood colours, sometimes any colour at all: boards are stained and painted."""
    if rng.uniform() < 0.65:
        hue, saturation = rng.normal(28, 9) / 360, rng.uniform(0.12, 0.65)
    else:
        hue, saturation = rng.uniform(), rng.uniform(0.0, 0.6)
    tint = hsv(hue, saturation, rng.uniform(0.3, 0.95))
    contrast = float(rng.choice([rng.uniform(0.03, 0.2), rng.uniform(0.1, 0.6)]))
    return Surface(
        pattern=str(rng.choice(WOODS)),
        tint=tint,
        contrast=contrast,
        stain=around_one(rng, 0.3),
        turn_deg=float(rng.choice([0, 90, rng.uniform(0, 180)]) + rng.normal(0, 3)),
        grain_mm=float(rng.uniform(0.25, 0.7)),
        stretch=float(rng.uniform(1.0, 4.0)),
        fibre=float(rng.uniform(0.1, 0.8)),
        seed=int(rng.integers(2**31)),
    )


def random_cloth(rng: Rng) -> Surface:
    pattern = str(rng.choice(CLOTHS))
    wooden = pattern in ("rings", "figure", "knots", "planks", "fibre")
    hue = rng.normal(28, 10) / 360 if wooden and rng.uniform() < 0.7 else rng.uniform()
    printed = pattern in ("stripes", "checks", "spots", "blossoms")
    return Surface(
        pattern=pattern,
        tint=hsv(hue, rng.uniform(0, 0.7), rng.uniform(0.15, 0.95)),
        contrast=float(rng.uniform(0.02, 0.5 if wooden or printed else 0.25)),
        stain=around_one(rng, 0.6),
        turn_deg=float(rng.uniform(0, 180)),
        grain_mm=float(rng.uniform(0.3, 0.9)),
        stretch=float(rng.uniform(1, 5)) if wooden else 1.0,
        fibre=float(rng.uniform(0.05, 0.6)),
        seed=int(rng.integers(2**31)),
    )


def random_print(rng: Rng, board: Surface) -> Print:
    """Lines darker or lighter than the wood, from hardly visible to black."""
    contrast = 0.0
    tint, strength = board.tint, 1.0
    while contrast < LEAST_CONTRAST:
        strength = 0.35 + 0.65 * float(np.sqrt(rng.uniform()))
        if rng.uniform() < 0.68:
            tint = scaled(board.tint, float(np.exp(rng.uniform(np.log(0.02), np.log(0.6)))))
        else:
            tint = bgr(np.array(board.tint) ** 0.5 * rng.uniform(0.75, 1.0))
        tint = bgr(np.clip(np.array(tint) * np.array(around_one(rng, 0.25)), 0.003, 0.9))
        contrast = strength * abs(float(np.log(np.mean(tint) / np.mean(board.tint))))
    fill = str(
        rng.choice(["none", "chequer", "rim", "grid", "tiles"], p=[0.74, 0.08, 0.06, 0.06, 0.06])
    )
    return Print(
        tint=tint,
        strength=strength,
        width_mm=float(np.exp(rng.uniform(np.log(0.45), np.log(1.9)))),
        wear=float(rng.choice([0, 0, rng.uniform(0, 0.5)])),
        dot_mm=float(rng.choice([0, *rng.uniform(0.7, 2.6, 5)])),
        dot_strength=float(rng.uniform(0.4, 1.0)),
        rim_line_mm=float(rng.choice([0, 0, 0, rng.uniform(0.5, 1.5)])),
        lettered=bool(rng.uniform() < 0.12),
        fill=fill,
        fill_tint=scaled(board.tint, float(rng.choice([0.5, 0.7, 1.3, 1.6]))),
        fill_strength=float(rng.uniform(0.3, 0.9)),
    )


def any_print(rng: Rng, board: Surface) -> Print:
    """A board that was not made for this game: often a chessboard, with or without lines."""
    plain = random_print(rng, board)
    if rng.uniform() < PLAIN:
        return plain
    light = np.array(board.tint)
    while True:
        if rng.uniform() < 0.6:
            dark = light * np.exp(rng.uniform(np.log(0.08), np.log(0.75)))
            dark = dark * np.array(around_one(rng, 0.4))
        else:
            dark = np.array(hsv(rng.uniform(), rng.uniform(0, 0.9), rng.uniform(0.05, 0.9)))
        strength = float(rng.uniform(0.6, 1.0))
        contrast = strength * np.abs(np.log(np.clip(dark, 0.003, 0.95) / light)).max()
        if contrast >= LEAST_CHEQUER:
            break
    return dataclasses.replace(
        plain,
        strength=plain.strength if rng.uniform() < 0.4 else 0.0,
        fill="chequer",
        fill_tint=bgr(np.clip(dark, 0.003, 0.95)),
        fill_strength=strength,
    )


def random_dresses(rng: Rng, box: Box, grounds: list[Bgr]) -> dict[str, PieceLook]:
    """How the kinds look on a board of these colours. Kinds of one shape in the same colours are
    one set in several sizes: they have its stuff and its scale in common."""
    dresses: dict[str, PieceLook] = {}
    for kind, facts in box.pieces.items():
        kin = [k for k in dresses if box.pieces[k].family == facts.family]
        if kin and facts.colours:
            first = dresses[kin[0]]
            dresses[kind] = dataclasses.replace(
                first,
                scale=first.scale * float(rng.normal(1, 0.01)),
                tall=first.tall * float(rng.normal(1, 0.02)),
            )
        elif facts.shape == "marker":
            others = [tint for dress in dresses.values() for tint in dress.tints.values()]
            dresses[kind] = _random_marker(rng, facts, box.board.cell_mm, others, grounds)
        else:
            dresses[kind] = random_dress(rng, box, kind)
    return dresses


def random_dress(rng: Rng, box: Box, kind: str) -> PieceLook:
    facts = box.pieces[kind]
    shape = str(rng.choice(FORMS[facts.shape]))
    tower = facts.shape == "column"
    sized = kind in box.sized  # where size tells kinds apart, every maker keeps to it
    cap = str(
        rng.choice(["none", "cone", "dome", "ledge", "merlons"], p=[0.6, 0.12, 0.1, 0.1, 0.08])
    )
    tints = {name: vary(rng, shade) for name, shade in facts.shade.items()}
    roof = float(rng.uniform(0.28, 0.43)) if shape in ("gabled", "hipped", "tented") else 0.0
    return PieceLook(
        shape=shape,
        scale=float(np.clip(rng.normal(1, 0.03 if sized else 0.08), 0.8, 1.2)),
        tall=float(np.clip(rng.normal(1, 0.05 if sized else 0.1), 0.75, 1.25)),
        roof=roof,
        cap=cap if tower else "none",
        tints=tints,
        opacity=_random_opacity(rng, facts),
        roughness=float(rng.uniform(0.0, 0.2 if tower else 0.08)),
        shine=float(rng.choice([0, 0, rng.uniform(0, 0.8)])),
        uneven=float(rng.uniform(0, 0.08)),
        turned=float(rng.choice([0, 1, 0.5])),
    )


def _random_marker(
    rng: Rng, facts: PieceFacts, cell_mm: float, others: list[Bgr], grounds: list[Bgr]
) -> PieceLook:
    """A tile, a coin, a chip, a slip of paper: whatever is flat and fits into a cell.

    Nobody takes one that looks like a player's piece from above, or like the bare board.
    """
    apart = [(other, LIKE_A_PIECE) for other in others]
    apart += [(ground, SEEN_ON_THE_BOARD) for ground in grounds]
    tint = _any_tint(rng)
    while any(_distance(tint, other) < least for other, least in apart):
        tint = _any_tint(rng)
    return PieceLook(
        shape=str(rng.choice(FORMS["marker"])),
        scale=float(rng.uniform(0.4, 0.93)) * cell_mm / min(facts.base_mm),
        tall=float(np.exp(rng.uniform(np.log(0.12), np.log(1.7)))),
        tints={facts.kind: tint},
        roughness=float(rng.uniform(0.0, 0.15)),
        shine=float(rng.choice([0, 0, rng.uniform(0, 0.5)])),
        uneven=float(rng.uniform(0, 0.08)),
        turned=float(rng.choice([0, 1, 0.5])),
    )


def _any_tint(rng: Rng) -> Bgr:
    return hsv(rng.uniform(), rng.uniform(0, 0.9), rng.uniform(0.06, 0.97))


def _distance(one: Bgr, other: Bgr) -> float:
    """Between two colours, in natural logarithms of their strongest difference."""
    return float(np.abs(np.log(np.array(one) + 0.02) - np.log(np.array(other) + 0.02)).max())


def _random_opacity(rng: Rng, facts: PieceFacts) -> dict[str, float]:
    """Another set may be of clearer plastic, or of painted wood. What is solid stays so."""
    seen_through = {name: share for name, share in facts.opacity.items() if share < 1}
    if not seen_through:
        return {}
    if rng.uniform() < 0.4:
        return {}
    clearer = float(np.exp(rng.normal(0, 0.35)))
    return {name: float(np.clip(share * clearer, 0.12, 1)) for name, share in seen_through.items()}


def random_pawn_look(rng: Rng, box: Box) -> PieceLook:
    coloured = next((facts for facts in box.pieces.values() if facts.colours), None)
    shades = coloured.shade if coloured else {}
    tints = {name: vary(rng, shades.get(name, "#888888")) for name in box.players}
    return PieceLook(
        shape=str(rng.choice(["pawn", "pawn", "cylinder", "cone"])),
        scale=float(rng.uniform(0.8, 1.25)),
        tall=float(rng.uniform(0.75, 1.3)),
        tints=tints,
    )


def vary(rng: Rng, shade: str) -> Bgr:
    """A set's own shade of a nominal colour.

    A strong colour may turn a little (yellow from lemon to orange, green from olive to blue-green);
    a pale or grey one may lean anywhere, and lighter or darker.
    """
    red, green, blue = (int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if saturation > VIVID:
        pale = saturation < 0.7
        hue += rng.normal(0, 0.045) if pale else float(np.clip(rng.normal(0, 0.02), -0.035, 0.03))
        saturation = max(saturation * rng.uniform(0.65, 1.15), VIVID + 0.15)
        value *= rng.uniform(0.6, 1.35) if pale else rng.uniform(0.75, 1.1)
    elif value > 0.75:
        hue = hue + rng.normal(0, 0.04) if rng.uniform() < 0.7 else rng.uniform()
        saturation = min(saturation * rng.uniform(0, 1.8), 0.2)
        value *= rng.uniform(0.82, 1.07)
    else:
        hue = rng.uniform()
        saturation = saturation + abs(rng.normal(0, 0.05))
        value *= rng.uniform(0.55, 1.4)
    return hsv(hue, min(saturation, 1.0), min(value, 0.98))


def random_lamps(rng: Rng, box: Box) -> tuple[tuple[Lamp, ...], Bgr]:
    """One to three lamps and the light of the room, together about 1 on the board's middle."""
    middle = np.array([box.board.files, box.board.ranks]) * box.board.cell_mm / 2
    count = int(rng.choice([1, 2, 3], p=[0.45, 0.35, 0.2]))
    ambient = float(rng.uniform(0.12, 0.75))
    # The strongest first: shadows from outside the picture are its shadows.
    shares = np.sort(rng.dirichlet(np.ones(count) * 1.5))[::-1] * (1 - ambient)
    lamps = []
    for share in shares:
        far = float(np.exp(rng.uniform(np.log(400), np.log(2500))))
        slant = np.deg2rad(rng.uniform(5, 72) if rng.uniform() < 0.75 else rng.uniform(50, 76))
        azimuth = rng.uniform(0, 2 * np.pi)
        away = np.array([np.cos(azimuth), np.sin(azimuth)]) * np.sin(slant) * far
        high = max(float(np.cos(slant) * far), 170.0)
        radius = far * float(rng.choice([rng.uniform(0.004, 0.03), rng.uniform(0.03, 0.2)]))
        at = (float(middle[0] + away[0]), float(middle[1] + away[1]), high)
        lamps.append(Lamp(at, glow(rng, 0.35), float(share), min(radius, high * 0.4)))
    sky = scaled(glow(rng, 0.25), ambient)
    return tuple(lamps), sky


def random_sensor(rng: Rng) -> Sensor:
    warm = float(np.clip(rng.normal(0, 0.22), -0.6, 0.6))
    green = float(np.clip(rng.normal(0, 0.08), -0.25, 0.25))
    noisy = float(np.exp(rng.uniform(np.log(0.15), np.log(2))))
    smear = rng.normal(0, 1.2, 2) if rng.uniform() < 0.08 else np.zeros(2)
    return Sensor(
        exposure=float(2 ** np.clip(rng.normal(0.0, 0.65), -2.0, 1.15)),
        balance=(float(np.exp(-warm)), float(np.exp(green)), float(np.exp(warm))),
        gamma=float(rng.uniform(1.8, 2.5)),
        contrast=float(rng.uniform(-0.1, 0.6)),
        black=float(rng.choice([0.0, rng.uniform(0, 0.06)])),
        vignette=float(rng.uniform(0, 0.35)),
        blur_px=float(rng.choice([rng.uniform(0.3, 0.9), rng.uniform(0.5, 1.6)])),
        smear_px=(float(smear[0]), float(smear[1])),
        sharpen=float(rng.choice([0, 0, rng.uniform(0.1, 0.8)])),
        shot_noise=0.0006 * noisy,
        read_noise=0.003 * noisy,
        noise_grain=int(rng.integers(3)),
        jpeg=int(rng.integers(70, 96)),
    )
