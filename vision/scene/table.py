"""What a table looks like: the words a scene is described in.

A `Scene` says everything about one picture except the sensor's noise, which is new in every frame
and comes from the generator given to `render`. All else, down to how carelessly each piece was put
down, follows from the scene, so two pictures of one scene show one table.

Colours are reflectances in linear light, blue first. Lengths are millimetres of the board's space
(see `vision.geometry`): the board's surface is z = 0, the cloth lies one board's thickness below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.board import Position
from rules.box import Box
from vision.geometry import View

Bgr = tuple[float, float, float]
Xyz = tuple[float, float, float]


@dataclass(frozen=True)
class Surface:
    """A stuff spread over a plane: wood, felt, a striped cloth."""

    pattern: str
    """A name of `patterns.CLOTHS`."""
    tint: Bgr
    contrast: float
    """How far the pattern leaves the tint, in natural logarithms from its middle to its end."""
    stain: Bgr = (1.0, 1.0, 1.0)
    """How strongly each channel follows the pattern: grain can be redder than the wood."""
    turn_deg: float = 0.0
    grain_mm: float = 0.5
    """One texel of the pattern across the grain."""
    stretch: float = 1.0
    """How much longer a texel is along the grain."""
    fibre: float = 0.3
    """Share of a second, finer pattern."""
    seed: int = 0


@dataclass(frozen=True)
class Print:
    """What is printed, burnt or cut into the board."""

    tint: Bgr
    strength: float = 1.0
    width_mm: float = 0.9
    wear: float = 0.0
    dot_mm: float = 1.4
    """Radius of the dots on the score track; 0 for none."""
    dot_strength: float = 1.0
    rim_line_mm: float = 0.0
    """Width of a line along the board's edge."""
    lettered: bool = False
    """Files and ranks are named on the rim."""
    fill_tint: Bgr = (0.2, 0.2, 0.2)
    fill: str = "none"
    """What has the second tint: `none`, `chequer` (every other cell), `rim`, `grid` or `tiles`."""
    fill_strength: float = 0.0


@dataclass(frozen=True)
class Lamp:
    at_mm: Xyz
    tint: Bgr
    power: float
    """Light on the board's middle; all lamps and the sky together make about 1."""
    radius_mm: float
    """Large lamps throw soft shadows."""


@dataclass(frozen=True)
class Shade:
    """A shadow thrown by something outside the picture: a person leaning in, a window frame."""

    outline_mm: tuple[tuple[float, float], ...]
    softness_mm: float
    depth: float


@dataclass(frozen=True)
class Thing:
    """Something that lies about beside the board."""

    shape: str
    """A shape of `solids.build`, or `cup`, `phone`, `paper`."""
    at_mm: tuple[float, float]
    turn_deg: float
    size_mm: Xyz
    tint: Bgr


@dataclass(frozen=True)
class Hand:
    tip_mm: tuple[float, float]
    """Above which point of the board the finger tips are."""
    from_deg: float
    """Where the arm comes from, as the direction from the tip, counter-clockwise from x."""
    height_mm: float = 30.0
    spread: float = 0.5
    """0: finger tips together, 1: an open hand."""
    scale: float = 1.0
    skin: Bgr = (0.2, 0.3, 0.5)
    sleeve: Bgr | None = (0.1, 0.15, 0.12)
    bare_mm: float = 70.0
    """From the wrist to where the sleeve begins."""


@dataclass(frozen=True)
class Marker:
    """An ArUco card; `off` is where it lies against its nominal place."""

    number: int
    off_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    card_mm: float = 34.0


@dataclass(frozen=True)
class Sensor:
    exposure: float = 1.0
    balance: Bgr = (1.0, 1.0, 1.0)
    gamma: float = 2.2
    contrast: float = 0.0
    black: float = 0.0
    vignette: float = 0.1
    blur_px: float = 0.6
    smear_px: tuple[float, float] = (0.0, 0.0)
    sharpen: float = 0.0
    shot_noise: float = 0.002
    """Variance per unit of light."""
    read_noise: float = 0.003
    """Standard deviation in the dark."""
    noise_grain: int = 0
    """0: every pixel has noise of its own; 1, 2: coarser, as after demosaicing and denoising."""
    jpeg: int = 90


@dataclass(frozen=True)
class PieceLook:
    """How the pieces of one kind look in this set."""

    shape: str
    scale: float = 1.0
    """Of the box's base."""
    tall: float = 1.0
    """Of the box's height."""
    roof: float = 0.35
    """Share of the height that is roof."""
    cap: str = "none"
    """What a tower carries: `none`, `cone`, `dome`, `ledge` or `merlons`."""
    tints: Mapping[str, Bgr] = field(default_factory=dict)
    """By colour, or under the kind's own name."""
    opacity: Mapping[str, float] = field(default_factory=dict)
    """Likewise, of pieces one can see through: 1 for solid, 0 for clear as air."""
    roughness: float = 0.06
    shine: float = 0.0
    """How strongly a face mirrors a lamp."""
    uneven: float = 0.04
    """How much one piece's shade differs from the next."""
    turned: float = 0.0
    """Share of pieces that stand a quarter turned: ridges run either way."""


@dataclass(frozen=True, eq=False)
class Look:
    seed: int
    board: Surface
    edge_tint: Bgr
    print: Print
    cloth: Surface
    pieces: Mapping[str, PieceLook]
    pawns: PieceLook
    lamps: tuple[Lamp, ...]
    """At most three."""
    sky: Bgr
    """Light from everywhere."""
    gloss: float = 0.0
    gloss_power: float = 60.0
    careless_mm: float = 1.2
    careless_deg: float = 3.0
    gap_mm: float = 1.0
    """Between an anchored piece and the line it leans on."""
    shades: tuple[Shade, ...] = ()
    things: tuple[Thing, ...] = ()
    markers: tuple[Marker, ...] = ()
    hand: Hand | None = None
    sensor: Sensor = Sensor()


@dataclass(frozen=True)
class Scene:
    box: Box
    position: Position
    """What stands where; an anchored piece without an anchor stands in the middle of its cell."""
    pawns: Mapping[str, int]
    """By colour: the space of the score track, clockwise from the corner by a1."""
    view: View
    look: Look


def track_mm(box: Box, space: int) -> NDArray[np.float64]:
    """The middle of a space of the score track: corners and cells, clockwise from a1's corner."""
    board = box.board
    cell, middle = board.cell_mm, board.rim_mm / 2
    wide, high = board.files * cell, board.ranks * cell
    sides = [
        [(-middle, -middle)] + [(-middle, (r + 0.5) * cell) for r in range(board.ranks)],
        [(-middle, high + middle)]
        + [((f + 0.5) * cell, high + middle) for f in range(board.files)],
        [(wide + middle, high + middle)]
        + [(wide + middle, high - (r + 0.5) * cell) for r in range(board.ranks)],
        [(wide + middle, -middle)]
        + [(wide - (f + 0.5) * cell, -middle) for f in range(board.files)],
    ]
    around = [place for side in sides for place in side]
    return np.array(around[space % len(around)], np.float64)
