"""Stuffs and what is printed on them: wood, felt, weaves, and the board's lines.

A surface lays two patterns over a plane (turned, stretched, blended) and turns their values into
colours by a table, so a wood that nobody has seen before costs two `remap`s. All of it happens in
the picture's own pixels: a map from pixels to millimetres is worked out exactly at every eighth
pixel and interpolated between, which is wrong by less than a hundredth of a pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.geometry import View, undistort
from vision.scene.patterns import SIZE, VARIANTS, Field, pattern_field
from vision.scene.table import Print, Surface

Array = NDArray[np.float64]
Window = tuple[int, int, int, int]
"""A part of the picture: left, top, right, bottom."""

STEP_PX: Final = 8
PRINT_PX_PER_MM: Final = 3.0
PRINT_MARGIN_PX: Final = 4


def pixel_maps_mm(view: View, heights_mm: Sequence[float]) -> list[Array]:
    """For every eighth pixel, one step beyond each border: which point of each plane it shows."""
    wide, high = (-(-side // STEP_PX) + 2 for side in view.size_wh)
    x = (np.arange(wide) - 0.5) * STEP_PX - 0.5
    y = (np.arange(high) - 0.5) * STEP_PX - 0.5
    # The lens is undone once for all planes: it takes longer than all the rest.
    straight = undistort(np.stack(np.meshgrid(x, y), axis=-1), view.size_wh, view.k1)
    ideal = replace(view, k1=0.0)
    return [ideal.on_plane(straight, z_mm) for z_mm in heights_mm]


def whole(view: View) -> Window:
    return 0, 0, *view.size_wh


def enlarge(coarse: NDArray[np.float32], window: Window) -> NDArray[np.float32]:
    """From every eighth pixel to all of those in a part of the picture."""
    left, top = window[0] // STEP_PX, window[1] // STEP_PX
    some = coarse[top : -(-window[3] // STEP_PX) + 2, left : -(-window[2] // STEP_PX) + 2]
    high, wide = some.shape[:2]
    fine = cv2.resize(some, (wide * STEP_PX, high * STEP_PX), interpolation=cv2.INTER_LINEAR)
    x, y = (1 - left) * STEP_PX, (1 - top) * STEP_PX
    return np.asarray(fine[y + window[1] : y + window[3], x + window[0] : x + window[2]])


def lay(surface: Surface, map_mm: Array, window: Window) -> NDArray[np.uint8]:
    """The surface as the picture shows it: square roots of its reflectance, 8 bits."""
    chance = np.random.default_rng([surface.seed, 5])
    values = _sample(surface.pattern, surface, map_mm, window, chance)
    if surface.fibre > 0:
        fine = _sample(
            "fibre" if surface.stretch > 1.5 else "felt", surface, map_mm, window, chance
        )
        values = np.asarray(cv2.addWeighted(values, 1 - surface.fibre, fine, surface.fibre, 0))
    spread = (np.arange(256) - 128) / 96 * surface.contrast
    table = np.array(surface.tint) * np.exp(spread[:, None] * np.array(surface.stain))
    encoded = (np.sqrt(np.clip(table, 0, 1)) * 255 + 0.5).astype(np.uint8)
    three = cv2.cvtColor(values, cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.LUT(three, encoded.reshape(256, 1, 3)), np.uint8)


def _sample(
    pattern: str,
    surface: Surface,
    map_mm: Array,
    window: Window,
    chance: np.random.Generator,
) -> Field:
    field = pattern_field(pattern, int(chance.integers(VARIANTS)))
    turn = np.deg2rad(surface.turn_deg)
    across = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    texels = np.array([1 / (surface.grain_mm * surface.stretch), 1 / surface.grain_mm])
    place = map_mm @ across.T * texels + chance.uniform(0, SIZE, 2)
    x, y = cv2.split(enlarge(place.astype(np.float32), window))
    return np.asarray(cv2.remap(field, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP))


def print_texture(board: BoardFacts, dress: Print, seed: int) -> NDArray[np.uint8]:
    """The board from above, rows by rank: how strongly lines, fill and board cover each texel."""
    chance = np.random.default_rng([seed, 9])
    cell, rim = board.cell_mm, board.rim_mm
    size = np.array([board.files * cell, board.ranks * cell]) + 2 * rim
    wide, high = (round(float(mm) * PRINT_PX_PER_MM) + 2 * PRINT_MARGIN_PX for mm in size)
    x, y = (
        (np.arange(side, dtype=np.float64) + 0.5 - PRINT_MARGIN_PX) / PRINT_PX_PER_MM - rim
        for side in (wide, high)
    )
    texel = 1 / PRINT_PX_PER_MM
    within_x = _between(x, -dress.width_mm / 2, board.files * cell + dress.width_mm / 2, texel)
    within_y = _between(y, -dress.width_mm / 2, board.ranks * cell + dress.width_mm / 2, texel)
    off_x = np.abs(x - cell * np.clip(np.round(x / cell), 0, board.files))
    off_y = np.abs(y - cell * np.clip(np.round(y / cell), 0, board.ranks))
    along = np.clip((dress.width_mm / 2 - off_x) / texel + 0.5, 0, 1)
    across = np.clip((dress.width_mm / 2 - off_y) / texel + 0.5, 0, 1)
    lines = np.maximum(
        np.outer(within_y, along * within_x), np.outer(across * within_y, within_x)
    ).astype(np.float32)
    lines *= dress.strength
    if dress.rim_line_mm > 0:
        inset = np.minimum(
            np.minimum(x + rim, board.files * cell + rim - x)[None, :],
            np.minimum(y + rim, board.ranks * cell + rim - y)[:, None],
        )
        edge = (np.abs(inset - 3.0) < dress.rim_line_mm / 2).astype(np.float32)
        lines = np.maximum(lines, edge * dress.strength)
    if dress.wear > 0:
        worn = pattern_field("felt", int(chance.integers(VARIANTS)))
        worn = np.asarray(cv2.resize(worn, (wide, high)), np.uint8)
        lines *= np.clip(1 - dress.wear * np.abs(worn.astype(np.float32) - 128) / 40, 0, 1)
    texture = np.zeros((high, wide, 3), np.uint8)
    ink = (lines * 255).astype(np.uint8)
    if dress.dot_mm > 0 and board.track_spaces:
        _dots(ink, board, dress)
    if dress.lettered:
        _letter(ink, board, dress)
    texture[..., 0] = ink
    texture[..., 1] = _fill(x, y, board, dress)
    texture[..., 2] = (
        np.outer(
            _between(y, -rim, board.ranks * cell + rim, texel),
            _between(x, -rim, board.files * cell + rim, texel),
        )
        * 255
    )
    return np.asarray(cv2.blur(texture, (2, 2), anchor=(0, 0)), np.uint8)


def lay_print(
    texture: NDArray[np.uint8], rim_mm: float, map_mm: Array, window: Window
) -> NDArray[np.uint8]:
    """The print as the picture shows it."""
    # The blur of two texels in `print_texture` has moved everything back by half a texel.
    place = (map_mm + rim_mm) * PRINT_PX_PER_MM + PRINT_MARGIN_PX - 1.0
    x, y = cv2.split(enlarge(place.astype(np.float32), window))
    return np.asarray(cv2.remap(texture, x, y, cv2.INTER_LINEAR), np.uint8)


def _fill(x: Array, y: Array, board: BoardFacts, dress: Print) -> NDArray[np.uint8]:
    inside_x = (x >= 0) & (x < board.files * board.cell_mm)
    inside_y = (y >= 0) & (y < board.ranks * board.cell_mm)
    grid = np.outer(inside_y, inside_x)
    if dress.fill == "grid":
        cover = grid
    elif dress.fill == "rim":
        cover = ~grid
    elif dress.fill == "chequer":
        odd_x = np.floor(x / board.cell_mm).astype(int) % 2
        odd_y = np.floor(y / board.cell_mm).astype(int) % 2
        cover = grid & (odd_y[:, None] == odd_x[None, :])
    elif dress.fill == "tiles":
        off_x, off_y = (np.abs(at % board.cell_mm / board.cell_mm - 0.5) < 0.44 for at in (x, y))
        cover = grid & np.outer(off_y, off_x)
    else:
        cover = np.zeros_like(grid)
    return np.asarray(cover * np.uint8(255 * dress.fill_strength), np.uint8)


def _dots(ink: NDArray[np.uint8], board: BoardFacts, dress: Print) -> None:
    middle = board.rim_mm / 2
    x = np.array([-middle, *((f + 0.5) * board.cell_mm for f in range(board.files)), 0.0])
    x[-1] = board.files * board.cell_mm + middle
    y = np.array([-middle, *((r + 0.5) * board.cell_mm for r in range(board.ranks)), 0.0])
    y[-1] = board.ranks * board.cell_mm + middle
    for i, j in np.ndindex(len(x), len(y)):
        if i in (0, len(x) - 1) or j in (0, len(y) - 1):
            at = (np.array([x[i], y[j]]) + board.rim_mm) * PRINT_PX_PER_MM + PRINT_MARGIN_PX - 0.5
            spot = (round(float(at[0]) * 16), round(float(at[1]) * 16))
            radius = int(dress.dot_mm * PRINT_PX_PER_MM * 16)
            shade = int(255 * dress.dot_strength)
            cv2.circle(ink, spot, radius, shade, -1, cv2.LINE_AA, 4)


def _letter(ink: NDArray[np.uint8], board: BoardFacts, dress: Print) -> None:
    """Names of files and ranks along two sides; rows run upwards, so letters are drawn flipped."""
    shade, cell, scale = int(255 * dress.dot_strength), board.cell_mm, PRINT_PX_PER_MM
    upright = np.zeros_like(ink)
    high = len(ink)
    inset = board.rim_mm * 0.3
    words = [
        (chr(ord("a") + f), (f + 0.62) * cell, inset - board.rim_mm) for f in range(board.files)
    ]
    words += [(str(r + 1), inset - board.rim_mm, (r + 0.62) * cell) for r in range(board.ranks)]
    for word, x, y in words:
        spot = (int((x + board.rim_mm) * scale), high - int((y + board.rim_mm) * scale))
        font, size = cv2.FONT_HERSHEY_SIMPLEX, board.rim_mm * 0.012 * scale
        cv2.putText(upright, word, spot, font, size, (shade,), 2, cv2.LINE_AA)
    np.maximum(ink, upright[::-1], out=ink)


def _between(at: Array, least: float, most: float, texel: float) -> Array:
    return np.asarray(
        np.clip((at - least) / texel + 0.5, 0, 1) * np.clip((most - at) / texel + 0.5, 0, 1)
    )
