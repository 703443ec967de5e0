"""Marker cards around the board: which way it is turned, and a first guess where it lies.

Cards are ArUco 4×4 codes, 0 to 3 for the corners a1, h1, h8, a8, laid down by hand diagonally
outside the board's corners. They tell the orientation surely. Where the board lies they tell only
roughly, since nobody lays a card to the millimetre: the grid's lines decide that.

The search runs on the picture at half size, where a card that can be read at all still can, at a
third of the time. It knows eight codes: the four, and their mirror images. A mirrored picture is
thereby recognised instead of being read as a board without markers, and the forty-six codes that
nobody laid down cannot be seen by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.geometry import Image, Points, View, grid_corners_mm

OUT_MM: Final = 22.0
"""A card's middle from the board's edge, in each direction, where it is laid as drawn."""
SIDE_MM: Final = 24.0
"""The black square of the cards we print."""
CARDS: Final = 4
"""One for each corner."""
LEAST_FOR_START: Final = 3
"""With two cards the far side of the board is a guess, and lines find it better."""
HALF_WIDTHS_MM: Final = tuple(np.exp(np.linspace(np.log(90), np.log(330), 45)).tolist())
"""From a board's middle to its cards: from five small cells to eight large ones."""
INSIDE_PX: Final = 1.5
"""Sought at half size, a black square's corners are found so far inside: measured on 30 tables."""
_BITS: Final = 4
"""A side of a code, without its black border."""


@dataclass(frozen=True)
class Markers:
    corners_px: Mapping[int, Points]
    """By id, the card's corners from its top left on, clockwise as printed."""
    mirrored: bool
    """The cards are mirror images, or lie around the board the wrong way."""
    twice: bool = False
    """A card is seen more than once, so there are two sets of them."""

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(sorted(self.corners_px))

    def middle(self, number: int) -> Points:
        return np.asarray(self.corners_px[number].mean(axis=0))

    def guess(self, board: BoardFacts) -> Points | None:
        """Roughly where the grid's corners a1, h1, h8, a8 are, where enough cards are seen."""
        if len(self.corners_px) < LEAST_FOR_START:
            return None
        numbers = sorted(self.corners_px)
        grid = grid_corners_mm(board)[:, :2]
        outward = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        middles = grid + outward * (board.rim_mm + OUT_MM)
        # A card may be turned, so its corners only stand for its middle, and for how
        # large things look there: each counts, but none for its own.
        square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * SIDE_MM / 2
        table = np.concatenate([middles[number] + square for number in numbers])
        seen = np.concatenate([self.corners_px[number] for number in numbers])
        plane, _ = cv2.findHomography(table, seen)
        if plane is None:
            return None
        guessed = cv2.perspectiveTransform(grid[None].astype(np.float64), plane)
        return np.asarray(guessed, np.float64).reshape(-1, 2)

    def outline(self, board: BoardFacts) -> Points | None:
        """The corners of a board whose size nobody knows, by a1, h1, h8, a8.

        Cards have a known size and lie a known way out, so how far apart they lie tells how large
        the board is: the distance is sought at which all of them fit best.
        """
        if len(self.corners_px) < LEAST_FOR_START:
            return None
        numbers = sorted(self.corners_px)
        seen = np.concatenate([self.corners_px[number] for number in numbers])
        square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * SIDE_MM / 2
        outward = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
        outward[:, 1] *= board.ranks / board.files
        best, outline = np.inf, None
        for half_mm in HALF_WIDTHS_MM:
            middles = outward * half_mm
            cards = np.concatenate([middles[number] + square for number in numbers])
            plane, _ = cv2.findHomography(cards, seen)
            if plane is None:
                continue
            edge = np.sign(outward) * (np.abs(middles) - OUT_MM)
            every = np.concatenate([cards, edge])
            placed = cv2.perspectiveTransform(every[None].astype(np.float64), plane)[0]
            off = float(np.abs(placed[: len(cards)] - seen).mean())
            if off < best:
                best, outline = off, np.asarray(placed[len(cards) :], np.float64)
        return outline

    def scale(self, view: View) -> float | None:
        """How much larger all is than the view believes, as a logarithm: cards have a known size.

        The median of all their sides, as a card may be bent or partly in the shadow.
        """
        if not self.corners_px:
            return None
        cards = np.array([view.on_plane(_outwards(c)) for c in self.corners_px.values()])
        sides = np.linalg.norm(cards - np.roll(cards, -1, axis=1), axis=-1)
        return float(np.log(SIDE_MM / np.median(sides)))

    def turns(self, corners_px: Points) -> int | None:
        """By how many corners the list of four must be rolled for a1 to come first."""
        if not self.corners_px:
            return None
        numbers = list(self.corners_px)
        middles = np.array([self.middle(number) for number in numbers])
        off = np.linalg.norm(middles[:, None] - corners_px[None], axis=2)  # cards × corners
        return int(
            np.argmin(
                [
                    sum(off[row, (number + turn) % 4] for row, number in enumerate(numbers))
                    for turn in range(4)
                ]
            )
        )


def _outwards(corners_px: Points) -> Points:
    """The corners of the black square, which are found somewhat inside of it."""
    middle = corners_px.mean(axis=0)
    off = corners_px - middle
    return np.asarray(middle + off * (1 + INSIDE_PX / np.abs(off).max(axis=1).mean()))


def find_markers(image_bgr: Image) -> Markers:
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    corners, ids, _ = _detector().detectMarkers(half)
    if ids is None:
        return Markers({}, mirrored=False)
    found: dict[int, Points] = {}
    flipped = 0
    for number, corner in zip(map(int, np.asarray(ids).reshape(-1)), corners, strict=True):
        if number >= CARDS:
            flipped += 1
        elif number not in found:
            found[number] = (np.asarray(corner, np.float64).reshape(4, 2) + 0.5) * 2 - 0.5
    twice = len(np.asarray(ids).reshape(-1)) - flipped > len(found)
    mirrored = flipped > len(found) or (not twice and _clockwise(found))
    return Markers(found, mirrored, twice)


def _clockwise(found: Mapping[int, Points]) -> bool:
    """Do three or four cards lie in the order of a board seen from below?"""
    if len(found) < 3:
        return False
    x, y = np.array([found[number].mean(axis=0) for number in sorted(found)]).T
    area = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()
    return bool(area > 0)  # in pixels y points down: a board seen from above is negative


def card_bits(number: int) -> NDArray[np.uint8]:
    """What is inside a card's black border, row by row: 1 is white."""
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    code = cv2.aruco.Dictionary.getBitsFromByteList(every.bytesList[number : number + 1], _BITS)
    return np.asarray(code, np.uint8)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    codes = [card_bits(number) for number in range(CARDS)]
    codes += [np.ascontiguousarray(np.fliplr(code)) for code in codes]
    listed = np.concatenate([cv2.aruco.Dictionary.getByteListFromBits(code) for code in codes])
    return cv2.aruco.ArucoDetector(
        cv2.aruco.Dictionary(listed, _BITS, every.maxCorrectionBits),
        cv2.aruco.DetectorParameters(),
    )
