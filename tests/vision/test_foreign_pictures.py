"""Two thousand pictures that are broken, or show something else: no crash, and no board.

Many are too small to be looked at, or no pictures at all; those that get as far as the finder are
counted, so that the test cannot shrink to the easy ones.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.packs.masterplan.words import BOX
from vision.frame import BadPicture, decode_picture
from vision.geometry import Image
from vision.locate import Located, locate
from vision.reading import Unreadable
from vision.refusal import TOO_SMALL

SINGLE = Path(__file__).parents[1] / "scenes" / "singles" / "dev-003.jpg"
LEAST_SOUGHT = 12
"""Of a hundred pictures, so many must be large and whole enough for a board to be sought in."""


def noise(rng: np.random.Generator, height: int, width: int) -> Image:
    return rng.integers(0, 256, (height, width, 3), dtype=np.uint8)


def clouds(rng: np.random.Generator, height: int, width: int) -> Image:
    """Soft patches of all sizes, as cloth and carpets have them."""
    small = rng.integers(0, 256, (int(rng.integers(2, 30)), int(rng.integers(2, 40)), 3), np.uint8)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def stripes(rng: np.random.Generator, height: int, width: int) -> Image:
    y, x = np.mgrid[0:height, 0:width]
    angle, period = rng.uniform(0, np.pi), rng.uniform(4, 60)
    wave = np.sin((x * np.cos(angle) + y * np.sin(angle)) * 2 * np.pi / period)
    tint = rng.uniform(30, 220, 3)
    striped: Image = np.clip(tint + 40 * wave[..., np.newaxis], 0, 255).astype(np.uint8)
    return striped


def papers(rng: np.random.Generator, height: int, width: int) -> Image:
    """Sheets and boxes lying about."""
    image: Image = clouds(rng, height, width) // 4 + 60
    for _ in range(int(rng.integers(1, 6))):
        centre = rng.uniform(0, 1, 2) * [width, height]
        size = rng.uniform(0.1, 0.7, 2) * [width, height]
        corners = cv2.boxPoints((centre.tolist(), size.tolist(), float(rng.uniform(0, 90))))
        cv2.fillConvexPoly(
            image, np.round(corners).astype(np.int32), rng.uniform(0, 255, 3).tolist()
        )
    return image


def flat(rng: np.random.Generator, height: int, width: int) -> Image:
    return np.full((height, width, 3), rng.integers(0, 256, 3), np.uint8)


SIGHTS = (noise, clouds, stripes, papers, flat)


def corrupted(rng: np.random.Generator, data: bytes) -> bytes:
    """Cut short, bytes changed, a piece missing, a piece doubled."""
    junk = bytearray(data)
    match int(rng.integers(4)):
        case 0:
            del junk[int(rng.integers(len(junk))) :]
        case 1:
            for place in rng.integers(0, len(junk), int(rng.integers(1, 40))):
                junk[int(place)] = int(rng.integers(256))
        case 2:
            start = int(rng.integers(len(junk)))
            del junk[start : start + int(rng.integers(1, 400))]
        case _:
            start = int(rng.integers(len(junk)))
            junk[start:start] = junk[start : start + int(rng.integers(1, 400))]
    return bytes(junk)


def reencoded(rng: np.random.Generator, image: Image) -> np.typing.NDArray[np.integer]:
    """Grey, with alpha, or with 16 bits."""
    match int(rng.integers(4)):
        case 0:
            return image[..., 0]
        case 1:
            return np.dstack([image, image[..., 0]])
        case 2:
            return image.astype(np.uint16) * 257
        case _:
            return image


@pytest.mark.parametrize("seed", range(20))
def test_a_hundred_pictures_of_something_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sought = 0
    for number in range(100):
        height, width = (int(side) for side in rng.integers(1, 260, 2))
        image = SIGHTS[number % len(SIGHTS)](rng, height, width)
        kind = reencoded(rng, image)
        suffix = ".png" if kind.dtype == np.uint16 or kind.ndim == 3 else ".jpg"
        data = cv2.imencode(suffix, kind)[1].tobytes()
        if number % 3 == 0:
            data = corrupted(rng, data)
        try:
            read = decode_picture(data, "junk")
        except BadPicture:
            continue
        found = locate(read, BOX.board)
        assert isinstance(found, Unreadable)
        sought += found != TOO_SMALL
    assert sought >= LEAST_SOUGHT


def test_a_photo_cut_short_is_the_board_where_it_is_or_a_reason() -> None:
    """OpenCV refuses it, or shows grey below: where the grid is gone, there is no board."""
    data = SINGLE.read_bytes()
    truth = [[365.26, 769.98], [931.56, 696.83], [904.3, 130.23], [308.36, 151.73]]
    for share in np.linspace(0.05, 0.98, 12):
        try:
            found = locate(decode_picture(data[: int(share * len(data))], "short"), BOX.board)
        except BadPicture:
            continue
        if not isinstance(found, Unreadable):
            off = found.view.corners_px(BOX.board) + 0.5 - np.array(truth)
            assert np.abs(off).max() < 3


def test_a_photo_with_broken_bytes_is_no_crash() -> None:
    rng, data = np.random.default_rng(3), SINGLE.read_bytes()
    answers = set()
    for _ in range(12):
        try:
            found = locate(decode_picture(corrupted(rng, data), "broken"), BOX.board)
        except BadPicture:
            continue
        answers.add(type(found))
    assert answers == {Located, Unreadable}
