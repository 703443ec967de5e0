"""What chance leaves on and over a table: cards, cups, spare pieces, shadows, hands.

Nothing that lies about stands on the board or hides a part of its grid; a hand may.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rules.box import Box
from vision.geometry import View
from vision.scene.stand import stand_things
from vision.scene.table import Hand, Marker, PieceLook, Shade, Thing
from vision.scene.tints import bgr, hsv

Rng = np.random.Generator
Array = NDArray[np.float64]


def random_shades(rng: Rng, box: Box) -> tuple[Shade, ...]:
    """Somebody leaning in, or the straight edge of a window, a shelf, a wall."""
    pick = rng.uniform()
    size = np.array([box.board.files, box.board.ranks]) * box.board.cell_mm
    if pick < 0.12:
        middle = rng.uniform(-0.3, 1.3, 2) * size
        axes = rng.uniform(60, 220, 2)
        around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = middle + np.column_stack([np.cos(around), np.sin(around)]) * axes
        soft, depth = rng.uniform(8, 60), rng.uniform(0.3, 0.95)
    elif pick < 0.26:
        through, way = rng.uniform(0.1, 0.9, 2) * size, rng.uniform(0, 2 * np.pi)
        along, out = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
        wide = 900.0 if rng.uniform() < 0.7 else rng.uniform(20, 120)
        ring = through + np.array(
            [-600 * along, 600 * along, 600 * along + wide * out, -600 * along + wide * out]
        )
        soft, depth = np.exp(rng.uniform(np.log(0.8), np.log(30))), rng.uniform(0.25, 0.95)
    else:
        return ()
    outline = tuple((float(x), float(y)) for x, y in ring)
    return (Shade(outline, float(soft), float(depth)),)


def random_markers(rng: Rng) -> tuple[Marker, ...]:
    if rng.uniform() < 0.5:
        return ()
    numbers = [n for n in range(4) if rng.uniform() < 0.95]
    card = float(rng.uniform(30, 40))
    return tuple(
        Marker(n, (float(x), float(y)), float(rng.normal(0, 3)), card)
        for n, (x, y) in zip(numbers, rng.normal(0, 1.0, (len(numbers), 2)), strict=True)
    )


def random_things(
    rng: Rng, box: Box, view: View, dresses: Mapping[str, PieceLook]
) -> tuple[Thing, ...]:
    """Cups, phones, paper and spare pieces, nowhere in the way of the grid."""
    if rng.uniform() < 0.25:
        return ()
    things: list[Thing] = []
    for _ in range(int(rng.integers(1, 5))):
        shape = str(rng.choice(["cup", "phone", "paper", "book", "spares"]))
        turn = float(rng.uniform(0, 360))
        x, y = _beside(rng, box)
        tint = hsv(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.95))
        if shape == "spares":
            for _ in range(int(rng.integers(1, 8))):
                kind = str(rng.choice(list(box.pieces)))
                dress, facts = dresses[kind], box.pieces[kind]
                names = list(dress.tints)
                size = (facts.base_mm[0] * dress.scale, facts.base_mm[1] * dress.scale)
                spot = (x + float(rng.normal(0, 22)), y + float(rng.normal(0, 22)))
                things.append(
                    Thing(
                        dress.shape,
                        spot,
                        float(rng.uniform(0, 360)),
                        (*size, facts.height_mm * dress.tall),
                        dress.tints[names[int(rng.integers(len(names)))]],
                    )
                )
            continue
        sizes = {
            "cup": (rng.uniform(60, 95), 0, rng.uniform(50, 110)),
            "phone": (rng.uniform(65, 80), rng.uniform(135, 165), 8.0),
            "paper": (rng.uniform(70, 210), rng.uniform(100, 297), 0.4),
            "book": (rng.uniform(90, 160), rng.uniform(120, 220), rng.uniform(8, 35)),
        }
        if shape == "paper":
            tint = hsv(rng.uniform(), rng.uniform(0, 0.15), rng.uniform(0.8, 0.97))
        elif shape == "phone":
            tint = hsv(rng.uniform(), rng.uniform(0, 0.3), rng.uniform(0.05, 0.4))
        wide, deep, tall = (float(side) for side in sizes[shape])
        things.append(Thing(shape, (x, y), turn, (wide, deep, tall), tint))
    return tuple(thing for thing in things if _clear(thing, box, view))


def random_hand(rng: Rng, box: Box) -> Hand:
    size = np.array([box.board.files, box.board.ranks]) * box.board.cell_mm
    x, y = rng.uniform(0.0, 1.0, 2) * size
    tone = rng.uniform(0.12, 0.75)
    skin = bgr(np.array([0.42, 0.56, 0.85]) * tone)
    sleeve = hsv(rng.uniform(), rng.uniform(0, 0.7), rng.uniform(0.05, 0.8))
    return Hand(
        tip_mm=(float(x), float(y)),
        from_deg=float(rng.uniform(0, 360)),
        height_mm=float(rng.uniform(12, 60)),
        spread=float(rng.uniform(0, 1)),
        scale=float(rng.uniform(0.8, 1.1)),
        skin=skin,
        sleeve=sleeve if rng.uniform() < 0.7 else None,
        bare_mm=float(rng.uniform(10, 200)),
    )


def _beside(rng: Rng, box: Box) -> tuple[float, float]:
    """A place off the board."""
    board = box.board
    size = np.array([board.files, board.ranks]) * board.cell_mm
    while True:
        at = rng.uniform(-260, 260 + size)
        if ((at < -board.rim_mm - 15) | (at > size + board.rim_mm + 15)).any():
            return float(at[0]), float(at[1])


def _clear(thing: Thing, box: Box, view: View) -> bool:
    """It neither stands on the board nor hides a part of the grid."""
    board = box.board
    size = np.array([board.files, board.ranks]) * board.cell_mm
    corners = np.vstack([s.corners for s in stand_things((thing,), -board.thickness_mm)])
    low, high = corners[:, :2].min(axis=0), corners[:, :2].max(axis=0)
    edge = board.rim_mm + 3
    if (high > -edge).all() and (low < size + edge).all():
        return False
    seen = view.on_plane(view.project(corners))
    low, high = seen.min(axis=0), seen.max(axis=0)
    return not bool((high > -4).all() and (low < size + 4).all())
