"""The ground of a picture: cloth, cards, and the board with its print, with nothing on it.

It depends on the look, the view and the board alone and is kept, so a table on which pieces come
and go is drawn faster; lamps, hands and sensors change nothing in it either. The board is worked
out only in the part of the picture that shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.geometry import View
from vision.markers import OUT_MM, SIDE_MM
from vision.scene.light import SHIFT
from vision.scene.solids import Solid, build, place
from vision.scene.stand import BOARD_PLANE, NO_PLANE
from vision.scene.table import Bgr, Look, Marker, Print, Surface
from vision.scene.texture import Window, lay, lay_print, pixel_maps_mm, print_texture

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

MARKER_CELLS: Final = 6
"""A 4×4 code and its black frame."""
CARD_PX_PER_MM: Final = 4
PAPER: Final = 232
INK: Final = 40
"""White card and black print, as square roots of reflectance."""


@dataclass(frozen=True)
class Ground:
    albedo: Image
    """Square roots of reflectance."""
    planes: Image
    """Which shadow plane each pixel shows."""
    cover: Image
    """How much of each pixel the board covers, of 255."""
    map_mm: Array
    """Every eighth pixel on the board's plane."""


def lay_ground(look: Look, view: View, board: BoardFacts) -> Ground:
    """What the camera sees of an empty table. Callers copy before they draw on it."""
    stuffs = (look.board, look.cloth, look.print, look.edge_tint, look.markers)
    return _lay_ground(*stuffs, look.seed, view, board)


@lru_cache(maxsize=4)
def _lay_ground(
    wood: Surface,
    cloth: Surface,
    print_: Print,
    edge_tint: Bgr,
    markers: tuple[Marker, ...],
    seed: int,
    view: View,
    board: BoardFacts,
) -> Ground:
    wide, high = view.size_wh
    on_cloth, on_board = pixel_maps_mm(view, (-board.thickness_mm, 0.0))
    albedo = lay(cloth, on_cloth, (0, 0, wide, high))
    planes = np.zeros((high, wide), np.uint8)
    for marker in markers:
        _lay_marker(albedo, marker, view, board)
    slab = board_slab(board, edge_tint)
    _draw_edges(albedo, planes, slab, view)

    window = _window(view.project(_finely(slab.corners[4:])), view.size_wh)
    left, top, right, bottom = window
    texture = print_texture(board, print_, seed)
    ink, fill, cover = cv2.split(lay_print(texture, board.rim_mm, on_board, window))
    surface = lay(wood, on_board, window)
    for mask, tint in ((fill, print_.fill_tint), (ink, print_.tint)):
        if mask.any():
            flat = np.empty_like(surface)
            flat[:] = (np.sqrt(np.array(tint)) * 255).astype(np.uint8)
            surface = over(flat, surface, mask)
    part = albedo[top:bottom, left:right]
    part[:] = over(surface, part, cover)
    covers = np.zeros((high, wide), np.uint8)
    covers[top:bottom, left:right] = cover
    planes[covers > 127] = BOARD_PLANE
    return Ground(albedo, planes, covers, on_board)


def board_slab(board: BoardFacts, tint: Bgr) -> Solid:
    """The board as a body, for its edges and its shadow on the cloth."""
    wide, high = board.files * board.cell_mm, board.ranks * board.cell_mm
    rim, thick = board.rim_mm, board.thickness_mm
    corners, faces = build("slab", (wide + 2 * rim, high + 2 * rim, thick))[0]
    return Solid(place(corners, (wide / 2, high / 2, -thick), 0.0), faces, tint, (0.0, 0.0))


def _draw_edges(albedo: Image, planes: Image, slab: Solid, view: View) -> None:
    """The board's sides, where the camera stands so far out that it sees them."""
    tint = (np.sqrt(np.array(slab.tint)) * 255).tolist()
    for face in slab.faces[1:]:
        corners = slab.corners[list(face)]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        if (view.eye_mm - corners[0]) @ normal > 0:
            outline = np.round(view.project(_finely(corners)) * (1 << SHIFT)).astype(np.int32)
            cv2.fillPoly(albedo, [outline], tint, cv2.LINE_AA, SHIFT)
            cv2.fillPoly(planes, [outline], NO_PLANE, cv2.LINE_8, SHIFT)


def _window(outline_px: Array, size_wh: tuple[int, int]) -> Window:
    low = np.clip(np.floor(outline_px.min(axis=0)).astype(int) - 2, 0, size_wh)
    high = np.clip(np.ceil(outline_px.max(axis=0)).astype(int) + 3, 0, size_wh)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def over(above: Image, below: Image, mask: cv2.typing.MatLike) -> Image:
    """One picture over the other, as far as the mask covers it."""
    share = cv2.merge([mask] * (1 if above.ndim == 2 else 3))
    shown = cv2.multiply(above, share, scale=1 / 255)
    rest = cv2.multiply(below, cv2.bitwise_not(share), scale=1 / 255)
    return np.asarray(cv2.add(shown, rest), np.uint8)


def _finely(corners: Array) -> Array:
    """A quadrilateral's outline with points in between: a lens bends straight edges."""
    after = np.roll(corners, -1, axis=0)
    steps = np.linspace(0, 1, 8, endpoint=False)[:, None]
    return np.vstack([a + (b - a) * steps for a, b in zip(corners, after, strict=True)])


@lru_cache(maxsize=16)
def _card(number: int, card_mm: float) -> Image:
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = int(SIDE_MM * CARD_PX_PER_MM) // MARKER_CELLS * MARKER_CELLS
    code = cv2.aruco.generateImageMarker(words, number, side)
    card = np.full((int(card_mm * CARD_PX_PER_MM),) * 2, PAPER, np.uint8)
    start = (len(card) - side) // 2
    card[start : start + side, start : start + side] = np.where(code > 127, PAPER, INK)
    return np.asarray(cv2.cvtColor(card, cv2.COLOR_GRAY2BGR), np.uint8)


def _lay_marker(albedo: Image, marker: Marker, view: View, board: BoardFacts) -> None:
    card = _card(marker.number, round(marker.card_mm))
    out = board.rim_mm + OUT_MM
    x = (-out, board.files * board.cell_mm + out)[marker.number in (1, 2)]
    y = (-out, board.ranks * board.cell_mm + out)[marker.number in (2, 3)]
    half, turn = round(marker.card_mm) / 2, np.deg2rad(marker.turn_deg)
    square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    across = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    at = square @ across.T + [x + marker.off_mm[0], y + marker.off_mm[1]]
    seen = view.project(np.column_stack([at, np.full(4, 0.3 - board.thickness_mm)]))
    left, top, right, bottom = _window(seen, view.size_wh)
    if right <= left or bottom <= top:
        return
    side = len(card)
    source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(
        source.astype(np.float32), (seen - [left, top]).astype(np.float32)
    )
    size = (right - left, bottom - top)
    # A card is larger here than in the picture: blurred first, it keeps its thin bars.
    patch = cv2.warpPerspective(cv2.blur(card, (3, 3)), matrix, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(np.full_like(card[..., 0], 255), matrix, size)
    part = albedo[top:bottom, left:right]
    part[:] = over(np.asarray(patch, np.uint8), part, cover)
