"""From the grid to within ten pixels, to the grid within a fraction of one.

Every line is measured band by band on the sheet: where across the band, near where the line is
believed, does it peak? That gives two measures a cell and line, 288 on an 8×8 board. Through them a
camera is laid: a homography and one radial term, nine numbers, by least squares that trust a
measure the less the further it is off (a piece, a hand or a grain peaks anywhere). Three rounds,
each closer. The colour in which the lines stand out best from what lies between them is found on
the way (a linear discriminant), so faint lines count on the colour they have.

Measures are carried back to the picture as points, so the sheet may stay bent: it is made once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.fit import Fit, Measures, adjust
from vision.geometry import Image, Points
from vision.sheet import BANDS, Floats, Sheet, carry

PITCH_PX: Final = 44
"""A cell in the sheet for measuring: two thirds of the picture's own resolution."""
WIDTH: Final = 0.037
"""Half width of the filter that finds a line's middle, in cells: that of a printed line."""
BESIDE: Final = 0.07
"""How far beside a line its surroundings are looked at, in cells: less than to a park's edge."""
ROUNDS: Final = ((0.17, 0.08), (0.09, 0.04), (0.07, 0.03), (0.05, 0.015))
"""How far a peak is sought, and how far off it counts half, in cells."""
QUICK_ROUNDS: Final = ((0.17, 0.06), (0.06, 0.015))
"""The same where the lines are known to be clear."""
NEAR: Final = (3, 9)
"""Lines × bands over which a line's colour is averaged: enough that noise does not choose it."""
OUTLINE_WEIGHT: Final = 0.3
"""The outline against a line: it settles what faint lines leave open, and no more, since a shadow
may lie along it and a set's rim may be a little wider."""
CLEAR: Final = 3.3
"""Mean weight of lines (4 at most) that need no outline in the last rounds."""
MIX: Final = np.array([[1, 1, 1], [1, -1, 0], [0, 1, -1], [1, 0, -1]], np.float64).T / np.array(
    [3, 1, 1, 1]
)
"""Colours a line may stand out in: all alike, or one against another."""


@dataclass(frozen=True)
class Refined:
    fit: Fit
    sheet: Sheet
    colour: Points
    """How blue, green and red make up the lines' contrast, with its sense."""
    chequered: bool


def refine(
    image_bgr: Image,
    corners_px: Points,
    board: BoardFacts,
    colour: Points | None = None,
    chequered: bool = False,
    quick: bool = False,
) -> Refined:
    """`quick`: the lines are clear, a round less will do and the outline is not asked.

    `corners_px`: the grid to within a sixth of a cell. `colour`: that of the lines, if known."""
    height, width = image_bgr.shape[:2]
    sheet = Sheet(image_bgr, corners_px, board, PITCH_PX)
    fit = Fit.through((width, height), corners_px)
    responses = [_response(bands, chequered) for bands in sheet.bands]
    smooth = [np.asarray(cv2.GaussianBlur(bands, (3, 1), 0.8), np.float32) for bands in sheet.bands]
    # How wide the rim of a borrowed board is nobody knows, so its outline tells nothing.
    is_bound = not (quick or board.borrowed)
    steps = [_response(bands, True) for bands in sheet.bands] if is_bound else []
    senses = [line_senses(sheet.counts, axis, chequered) for axis in (0, 1)]
    places = [line_places(sheet.counts, axis) for axis in (0, 1)]
    rim = board.rim_mm / board.cell_mm
    outline = [
        line_places(sheet.counts, axis, np.array([-rim, sheet.counts[axis] + rim]))
        for axis in (0, 1)
    ]
    cell_px = float(np.linalg.norm(corners_px[1] - corners_px[0])) / board.files
    spread, limit = np.eye(3), np.ones(3)
    for number, (window, half_off) in enumerate(QUICK_ROUNDS if quick else ROUNDS):
        believed = [carry(sheet.to_sheet, fit.project(place)) for place in places]
        across = [believed[axis][..., axis] for axis in (0, 1)]
        on = [
            sample(response, at) * sense[..., None]
            for response, at, sense in zip(responses, across, senses, strict=True)
        ]
        if number < 2:
            spread, limit = _spread(responses, across, sheet.pitch_px)
        if number or chequered:
            colour = np.asarray(np.linalg.solve(spread, _typical(on, limit)), np.float64)
        if colour is None:
            colour = _choose(responses, across, spread, window * sheet.pitch_px)
        measures: list[Measures] = []
        for axis in (0, 1):
            colours = np.broadcast_to(colour, on[axis].shape)
            if number > 1 or (number and quick):
                colours = _local(on[axis], spread, limit)
            noise = np.sqrt(np.einsum("blc,cd,bld->bl", colours, spread, colours)) + 1e-12
            peak, value = _peaks(
                responses[axis],
                across[axis],
                senses[axis][..., None] * colours,
                window * sheet.pitch_px,
                None if chequered else smooth[axis],
            )
            weight = np.clip(value / noise - 1, 0, 4)
            if chequered and board.borrowed:
                # Half of the outermost steps are none, and with a narrow rim the board's own edge
                # is near enough to be taken for them. The lines between tell where they must be.
                weight[:, [0, -1]] = 0
            if number:
                weight *= _steady((on[axis] * colours).sum(axis=-1) / noise)
            seen = believed[axis].copy()
            seen[..., axis] = peak
            measures.append(
                Measures(places[axis], carry(sheet.to_picture, seen), weight, along=1 - axis)
            )
            if steps:
                edge = _outline(
                    sheet, steps[axis], fit, outline[axis], axis, window * sheet.pitch_px
                )
                faint = 1.0 if number < 2 else np.clip((CLEAR - weight.mean()) / 1.5, 0.1, 1)
                measures.append(replace(edge, weight=edge.weight * faint))
        fit = adjust(fit, measures, half_off * cell_px, 2 if quick else 4)
    mixed = np.zeros(3) if colour is None else colour / (np.abs(colour).sum() + 1e-12)
    return Refined(fit, sheet, mixed, chequered)


def _outline(
    sheet: Sheet,
    steps: Floats,
    fit: Fit,
    places: Points,
    axis: int,
    window_px: float,
) -> Measures:
    """The board's edge, band by band: one colour change for each side, where it is strongest."""
    believed = carry(sheet.to_sheet, fit.project(places))
    reach = round(window_px) + 1
    index = np.rint(believed[..., axis]).astype(np.int64)[..., None] + np.arange(-reach, reach + 1)
    index = np.clip(index, 0, steps.shape[1] - 1)
    values = steps[np.arange(steps.shape[0])[:, None, None], index]  # bands × 2 × window × 3
    # All bands of a side change from the same table to the same wood: their mean tells how.
    mean = np.median(values, axis=0)
    change = mean[np.arange(2), np.abs(mean).sum(axis=-1).argmax(axis=-1)]  # 2 × 3
    noise = 1.48 * float(np.median(np.abs(steps[:, ::4]))) + 1e-9
    size = np.linalg.norm(change, axis=-1, keepdims=True) + 1e-12
    peak, value = _peaks(
        steps,
        believed[..., axis],
        np.broadcast_to(change / size, (*believed.shape[:2], 3)),
        window_px,
    )
    seen = believed.copy()
    seen[..., axis] = peak
    weight = OUTLINE_WEIGHT * np.clip(value / noise / 2 - 1, 0, 4)
    return Measures(places, carry(sheet.to_picture, seen), weight, along=1 - axis)


def _choose(
    responses: list[Floats], across: list[Points], spread: Points, window_px: float
) -> Points:
    """The colour and sense in which lines peak most, against places halfway between them."""
    noise = np.sqrt((MIX * (spread @ MIX)).sum(axis=0)) + 1e-12
    reach = round(window_px)
    gain = np.zeros(2 * MIX.shape[1])
    for response, at in zip(responses, across, strict=True):
        mixed = response @ (MIX / noise).astype(np.float32)
        band = np.arange(len(mixed))[:, None, None]
        for places, sign in ((at, 1), ((at[:, 1:] + at[:, :-1]) / 2, -1)):
            index = np.rint(places).astype(np.int64)[..., None] + np.arange(-reach, reach + 1)
            near = mixed[band, np.clip(index, 0, mixed.shape[1] - 1)]
            top = np.concatenate([near.max(axis=2), -near.min(axis=2)], axis=-1)
            # The root keeps pieces from outvoting lines, and still knows a line from its halo.
            gain += sign * np.sqrt(np.maximum(top, 0)).mean(axis=(0, 1))
    best = int(gain.argmax())
    column = MIX[:, best % MIX.shape[1]]
    return np.asarray(column if best < MIX.shape[1] else -column)


def line_places(
    counts: tuple[int, int], axis: int, lines: NDArray[np.float64] | None = None
) -> Points:
    """Bands × lines × 2: where each band of each line lies, the grid spanning −1 to 1."""
    lines = np.arange(counts[axis] + 1.0) if lines is None else lines
    bands = (np.arange(counts[1 - axis] * BANDS) + 0.5) / BANDS
    along, across = np.meshgrid(bands, lines, indexing="ij")
    cells = np.stack([across, along] if axis == 0 else [along, across], axis=-1)
    return np.asarray(cells / (np.array(counts) / 2) - 1)


def line_senses(
    counts: tuple[int, int], axis: int, chequered: bool, lines: NDArray[np.float64] | None = None
) -> Points:
    """Bands × lines: lines keep their sense, the steps of a chequered board alternate."""
    lines = np.arange(counts[axis] + 1.0) if lines is None else lines
    cells = np.arange(counts[1 - axis] * BANDS) // BANDS
    if not chequered:
        return np.ones((len(cells), len(lines)))
    # The parity of the two directions is joined so that one colour of cells is the brighter.
    return np.asarray(1.0 - 2.0 * ((cells[:, None] + np.floor(lines)) % 2))


def _response(bands: Floats, chequered: bool) -> Floats:
    """Lines: the second derivative across, upside down. Chequers: the first."""
    width = WIDTH * PITCH_PX
    reach = int(np.ceil(3 * width))
    x = np.arange(-reach, reach + 1) / width
    bell = np.exp(-(x**2) / 2)
    kernel = x * bell if chequered else (1 - x**2) * bell
    kernel -= kernel.mean()
    kernel /= np.abs(kernel).sum()
    return np.asarray(
        cv2.filter2D(bands, -1, kernel[None].astype(np.float32), borderType=cv2.BORDER_REPLICATE),
        np.float32,
    )


def _peaks(
    response: Floats,
    across: Points,
    colours: Points,
    window_px: float,
    sides: Floats | None = None,
) -> tuple[Points, Points]:
    """Where in the window each band of each line peaks, to a fraction of a pixel, and how high.

    Beside a strong edge, such as a park's, the response of lines peaks too. With `sides` (the bands
    themselves) only such peaks count that stand out from both their sides.
    """
    reach = round(window_px) + 1
    offs = np.arange(-reach, reach + 1)
    nearest = np.rint(across).astype(np.int64)[..., None]
    last = response.shape[1] - 1
    band = np.arange(response.shape[0])[:, None, None]
    index = np.clip(nearest + offs, 0, last)
    values = (response[band, index] @ colours[..., None])[..., 0]
    rated = values
    if sides is not None:
        aside = round(BESIDE * PITCH_PX)
        wide = np.clip(nearest + np.arange(-reach - aside, reach + aside + 1), 0, last)
        shade = (sides[band, wide] @ colours[..., None])[..., 0]
        on = shade[..., aside:-aside]
        both = np.minimum(on - shade[..., : -2 * aside], on - shade[..., 2 * aside :])
        # A line a pixel wide has three times as much contrast as response.
        rated = np.minimum(values, both)
    top = rated[..., 1:-1].argmax(axis=-1)[..., None] + 1
    before, high, after = (
        np.take_along_axis(values, top + step, axis=-1)[..., 0] for step in (-1, 0, 1)
    )
    bend = before - 2 * high + after
    bent = bend < -1e-9
    part = np.where(bent, (before - after) / np.where(bent, 2 * bend, 1), 0)
    place = np.take_along_axis(index, top, axis=-1)[..., 0]
    return place + np.clip(part, -1, 1), np.take_along_axis(rated, top, axis=-1)[..., 0]


def _spread(responses: list[Floats], across: list[Points], pitch_px: int) -> tuple[Points, Points]:
    """How colours vary between the lines (a covariance), and beyond what they are a piece's."""
    off = np.concatenate(
        [
            sample(response, at[:, :-1] + part * pitch_px).reshape(-1, 3)
            for response, at in zip(responses, across, strict=True)
            for part in (0.25, 0.5, 0.75)
        ]
    )
    limit = 4.5 * middle(np.abs(off)) + 1e-6
    off = np.clip(off, -limit, limit)
    spread = off.T @ off / len(off)
    return np.asarray(spread + np.eye(3) * (np.trace(spread) * 0.02 + 1e-12)), limit


def middle(rows: Points) -> Points:
    """The median of each column, of which there are few: of every other row, which is enough."""
    columns = np.ascontiguousarray(rows[::2].T)
    half = columns.shape[1] // 2
    return np.asarray(np.partition(columns, half, axis=1)[:, half])


def _typical(on: list[Points], limit: Points) -> Points:
    """The lines' contrast, colour by colour."""
    every = np.concatenate([part.reshape(-1, 3) for part in on])
    mean = np.clip(every, -3 * limit, 3 * limit).mean(axis=0)
    return np.asarray((mean + middle(every)) / 2)


def _local(on: Points, spread: Points, limit: Points) -> Points:
    """Bands × lines × 3: the colour to look for a line in, by what it has around there.

    Under a second light a line may be brighter than the wood and under the first one darker.
    """
    clipped = np.clip(on, -3 * limit, 3 * limit)
    around = cv2.blur(clipped, NEAR, borderType=cv2.BORDER_REPLICATE)
    contrast = around + 0.5 * _typical([on], limit)
    return np.asarray(np.linalg.solve(spread, contrast[..., None])[..., 0])


def sample(bands: Floats, across: Points) -> Points:
    """Values (bands × places × colours) between pixels."""
    low = np.clip(across.astype(np.int64), 0, bands.shape[1] - 2)
    part = np.clip(across - low, 0, 1)[..., None]
    index = low + np.arange(len(bands))[:, None] * bands.shape[1]
    flat = bands.reshape(-1, bands.shape[2])
    before, after = flat[index], flat[index + 1]
    return np.asarray(before + part * (after - before))


def _steady(standing: Points) -> Points:
    """0 to 1: whether a line, around there, is where it is believed, by more than one band."""
    around = cv2.blur(np.clip(standing, -2, 4), NEAR, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(np.clip((around - 0.2) / 0.8, 0, 1))
