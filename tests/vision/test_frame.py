"""Whatever is in a file: a picture as 8-bit BGR, or a clear word about it."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frame import (
    MOST_PIXELS,
    BadPicture,
    count_frames,
    decode_picture,
    load_picture,
    read_recording,
)
from vision.geometry import Image


def colourful(height: int = 90, width: int = 120) -> Image:
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([x * 2 % 256, y * 2 % 256, (x + y) % 256], axis=-1).astype(np.uint8)


def encoded(image: np.typing.NDArray[np.integer], suffix: str = ".png") -> bytes:
    return bytes(cv2.imencode(suffix, image)[1].tobytes())


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(colourful(), id="BGR"),
        pytest.param(colourful()[..., 0], id="grey"),
        pytest.param(np.dstack([colourful(), np.full((90, 120), 200, np.uint8)]), id="with alpha"),
        pytest.param(colourful().astype(np.uint16) * 257, id="16 bits"),
    ],
)
def test_every_kind_of_picture_becomes_8_bit_bgr(image: np.typing.NDArray[np.integer]) -> None:
    read = decode_picture(encoded(image), "t.png")
    assert read.shape == (90, 120, 3)
    assert read.dtype == np.uint8
    if image.ndim == 3:
        assert np.abs(read.astype(int) - colourful()).max() <= 1


def png_header(width: int, height: int) -> bytes:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    framed = struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return b"\x89PNG\r\n\x1a\n" + framed


def jpeg_header(width: int, height: int) -> bytes:
    """A comment first: the size is not always at the same place."""
    size = struct.pack(">BHH", 8, height, width) + b"\x03"
    return b"\xff\xd8\xff\xfe\x00\x06abcd\xff\xc0\x00\x11" + size + b"\x00" * 20


@pytest.mark.parametrize(
    "header",
    [
        png_header(10_000, 10_000),
        jpeg_header(10_000, 10_000),
        b"BM" + b"\0" * 16 + struct.pack("<ii", 10_000, -10_000) + b"\0" * 40,
    ],
)
def test_a_header_that_claims_100_megapixels_is_refused_unread(header: bytes) -> None:
    with pytest.raises(BadPicture, match=f"at most {MOST_PIXELS // 10**6} megapixels"):
        decode_picture(header, "huge")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"not a picture",
        b"\xff\xd8",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"BM",
        encoded(colourful())[:60],
        png_header(50, 50),
    ],
)
def test_what_is_no_picture_is_named(data: bytes) -> None:
    with pytest.raises(BadPicture, match=r"t\.jpg: no picture"):
        decode_picture(data, "t.jpg")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.jpg", tmp_path):
        with pytest.raises(BadPicture, match=str(path)):
            load_picture(path)


def test_a_folder_is_its_pictures_in_name_order(tmp_path: Path) -> None:
    for name in ("b.png", "a.png", "notes.txt"):
        (tmp_path / name).write_bytes(encoded(colourful()))
    frames = list(read_recording(tmp_path))
    assert [(frame.number, frame.is_still) for frame in frames] == [(0, True), (1, True)]
    assert count_frames(tmp_path) == 2


def test_an_empty_folder_and_a_missing_film_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="no pictures"):
        list(read_recording(tmp_path))
    with pytest.raises(BadPicture, match="no such file"):
        list(read_recording(tmp_path / "game.mp4"))
    junk = tmp_path / "junk.mp4"
    junk.write_bytes(b"\0" * 1000)
    with pytest.raises(BadPicture, match="no film"):
        list(read_recording(junk))


def test_a_film_has_its_frames_and_their_times(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (120, 90))
    for _ in range(7):
        film.write(colourful())
    film.release()
    frames = list(read_recording(path))
    assert [frame.number for frame in frames] == list(range(7))
    assert frames[5].taken_s == pytest.approx(1)
    assert not frames[0].is_still
