"""Pictures as they come in: from a file, a folder or a film, always as 8-bit BGR.

This is the one place that knows channel order and file formats. What cannot be read is a
`BadPicture` with the file's name; what can be read but shows nothing is for others to say.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rules.errors import ParkwardenError
from vision.geometry import Image

MOST_PIXELS: Final = 50_000_000
"""More than any camera people hang over a table; a header may claim anything."""
LARGEST_FILE: Final = 64 * 2**20
LEAST_SIDE_PX: Final = 120
"""Below this a cell of the board has ten pixels, and nothing can be told."""
PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
_GUESSED_FPS: Final = 5.0


class BadPicture(ParkwardenError, ValueError):
    """A file that is no picture or film we can read."""


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    image_bgr: Image
    taken_s: float
    number: int
    is_still: bool = False
    """A picture somebody kept, not one of many a second: there will be no second look at it."""


def load_picture(path: Path) -> Image:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadPicture(f"{path}: larger than {LARGEST_FILE >> 20} MB: expected a photo")
        data = path.read_bytes()
    except OSError as error:
        raise BadPicture(f"{path}: cannot be read: {error.strerror}") from None
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str) -> Image:
    size = _declared_size(data)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        most = MOST_PIXELS // 10**6
        raise BadPicture(f"{name}: {size[0]}×{size[1]} pixels: expected at most {most} megapixels")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:
        image = None
    if image is None:
        raise BadPicture(f"{name}: no picture: expected a JPEG, PNG, WebP, TIFF or BMP file")
    return np.asarray(image, np.uint8)


def read_recording(path: Path) -> Iterator[Frame]:
    """The frames of a film, or the pictures of a folder in the order of their names."""
    if path.is_dir():
        yield from _read_folder(path)
    elif path.suffix.lower() in PICTURE_SUFFIXES:
        yield Frame(load_picture(path), 0.0, 0, is_still=True)
    else:
        yield from _read_film(path)


def count_frames(path: Path) -> int | None:
    """How many frames `read_recording` will give, as far as that is known beforehand."""
    if path.is_dir():
        return len(_pictures(path))
    film = cv2.VideoCapture(str(path))
    count = int(film.get(cv2.CAP_PROP_FRAME_COUNT))
    film.release()
    return count if count > 0 else None


def _pictures(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES)


def _read_folder(folder: Path) -> Iterator[Frame]:
    paths = _pictures(folder)
    if not paths:
        raise BadPicture(f"{folder}: no pictures in this folder: expected .jpg or .png files")
    for number, path in enumerate(paths):
        yield Frame(load_picture(path), float(number), number, is_still=True)


def _read_film(path: Path) -> Iterator[Frame]:
    if not path.is_file():
        raise BadPicture(f"{path}: no such file: expected a film or a folder of pictures")
    film = cv2.VideoCapture(str(path))
    try:
        fps = film.get(cv2.CAP_PROP_FPS) or _GUESSED_FPS
        number = 0
        while True:
            got, image = film.read()
            if not got:
                break
            yield Frame(np.asarray(image, np.uint8), number / fps, number)
            number += 1
    finally:
        film.release()
    if number == 0:
        raise BadPicture(f"{path}: no film OpenCV can read: expected an mp4, avi or webm file")


def _declared_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header claims them; None where the format does not say it early."""
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            width, height = struct.unpack(">II", data[16:24])
            return width, height
        if data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
            return abs(width), abs(height)
        if data[:2] == b"\xff\xd8":
            return _declared_jpeg_size(data)
    except struct.error:
        pass
    return None


def _declared_jpeg_size(data: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        kind, length = struct.unpack(">xBH", data[place : place + 4])
        is_start_of_frame = 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC)
        if is_start_of_frame:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        place += 2 + length
    return None
