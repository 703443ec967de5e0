"""The photo with what was seen drawn over it: grid, pieces, confidence, and where it is unsure."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Cell, Piece, format_piece
from rules.box import Box
from vision.geometry import Image, Points
from vision.reading import BoardReading

_GRID: Final = (255, 200, 0)
_SURE: Final = (80, 220, 80)
_UNSURE: Final = (60, 60, 255)
_INK: Final = (20, 20, 20)
_PAPER: Final = (255, 255, 255)


def draw_reading(image_bgr: Image, reading: BoardReading, box: Box, large: float = 1.0) -> Image:
    """`large` is for pictures that will be shown small: letters and lines grow by it."""
    picture = image_bgr.copy()
    scale = max(picture.shape[1] / 1280, 0.5) * large
    _draw_grid(picture, reading, box, scale)
    for cell, seen in reading.cells.items():
        unsure = cell in reading.unsure
        if seen.piece is None and not unsure:
            continue
        text = format_piece(seen.piece) if seen.piece else "?"
        if unsure:
            outline = _cell_outline(reading, cell, box)
            cv2.polylines(picture, [outline], True, _UNSURE, round(2 * scale), cv2.LINE_AA)
            text += f" {seen.confidence:.2f}"
        if seen.piece is not None:
            _draw_foot(picture, reading, cell, seen.piece, box, _UNSURE if unsure else _SURE)
        _label(picture, text, _middle_px(reading, cell, box), scale)
    return picture


def _draw_grid(picture: Image, reading: BoardReading, box: Box, scale: float) -> None:
    board = box.board
    wide, high = board.files * board.cell_mm, board.ranks * board.cell_mm
    along = np.linspace(0, 1, 17)  # lenses bend lines, so each is drawn in pieces
    lines = [
        *(
            np.column_stack([np.full(17, f * board.cell_mm), along * high])
            for f in range(board.files + 1)
        ),
        *(
            np.column_stack([along * wide, np.full(17, r * board.cell_mm)])
            for r in range(board.ranks + 1)
        ),
    ]
    for line in lines:
        cv2.polylines(picture, [_whole(reading.view.project(line))], False, _GRID, 1, cv2.LINE_AA)
    for file in range(board.files):
        place = reading.view.project([[(file + 0.5) * board.cell_mm, -board.rim_mm / 2]])[0]
        _label(picture, chr(ord("a") + file), place, scale)
    for rank in range(board.ranks):
        place = reading.view.project([[-board.rim_mm / 2, (rank + 0.5) * board.cell_mm]])[0]
        _label(picture, str(rank + 1), place, scale)


def _draw_foot(
    picture: Image,
    reading: BoardReading,
    cell: Cell,
    piece: Piece,
    box: Box,
    colour: tuple[int, int, int],
) -> None:
    """Where the piece touches the board, were it put down exactly."""
    facts, side = box.pieces[piece.kind], box.board.cell_mm
    half = np.array(facts.base_mm) / 2
    middle = np.array([cell.file + 0.5, cell.rank + 0.5]) * side
    if piece.anchor is not None:
        middle = middle + np.array(piece.anchor.step) * (side / 2 - half)
    corners = middle + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    outline = _whole(reading.view.project(corners))
    cv2.polylines(picture, [outline], True, colour, 1, cv2.LINE_AA)


def _cell_outline(reading: BoardReading, cell: Cell, box: Box) -> NDArray[np.int32]:
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([cell.file, cell.rank])
    return _whole(reading.view.project(corners * box.board.cell_mm))


def _middle_px(reading: BoardReading, cell: Cell, box: Box) -> Points:
    middle = (np.array([cell.file, cell.rank]) + 0.5) * box.board.cell_mm
    return np.asarray(reading.view.project(middle[np.newaxis])[0])


def _whole(points_px: Points) -> NDArray[np.int32]:
    return np.round(points_px).astype(np.int32)


def _label(picture: Image, text: str, place_px: Points, scale: float) -> None:
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.42 * scale
    (width, height), _ = cv2.getTextSize(text, font, size, 1)
    corner = (round(place_px[0] - width / 2), round(place_px[1] + height / 2))
    thin = max(round(scale), 1)
    cv2.putText(picture, text, corner, font, size, _PAPER, 3 * thin, cv2.LINE_AA)
    cv2.putText(picture, text, corner, font, size, _INK, thin, cv2.LINE_AA)
