"""The letters of the display: a pinned pixel font, and how words are fitted into a box.

Helvetica as it was drawn by hand for the screens of 1984, pixel by pixel: proportional, with the
accents of French and German on small and capital letters. The files are the ones X.Org ships, so
that every machine draws the same pixels (licence beside them). The smallest is 8 px high in its
capitals, which is what arms are long enough for.

A text is wrapped at spaces; a word wider than its box is broken where it must be. `fit` says
honestly whether anything had to be cut off: the tests hold every phrase we know against that.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources
from typing import Final

from PIL import Image, ImageDraw, ImageFont

ELLIPSIS: Final = "…"
_INSTEAD: Final = str.maketrans({"→": "»", "\u202f": "\u00a0"})
"""What the font of 1984 lacks, and what is written instead."""
_MISSING: Final = "\uffff"
"""No font has this one: it is drawn as the box that stands for a missing letter."""


class Face(Enum):
    """A size of the font: its file, its size in px, the pitch of its lines in px."""

    SMALL = ("helvR10", 10, 11)
    PLAIN = ("helvR12", 12, 13)
    BOLD = ("helvB10", 10, 12)
    MIDDLE = ("helvB12", 12, 14)
    LARGE = ("helvB14", 14, 16)
    HUGE = ("helvB18", 18, 19)
    GIANT = ("helvB24", 24, 25)

    @property
    def pitch_px(self) -> int:
        return self.value[2]

    @property
    def ascent_px(self) -> int:
        """From the top of a line of text to the foot of its letters."""
        return _load(self).getmetrics()[0]


@cache
def _load(face: Face) -> ImageFont.FreeTypeFont:
    name, size_px, _ = face.value
    data = resources.files(__package__).joinpath(f"{name}.pcf.gz").read_bytes()
    # The plain layout: the other one depends on a library that is not everywhere.
    return ImageFont.truetype(io.BytesIO(data), size_px, layout_engine=ImageFont.Layout.BASIC)


def width_px(text: str, face: Face) -> int:
    return int(_load(face).getlength(text.translate(_INSTEAD)))


def write(
    draw: ImageDraw.ImageDraw, xy: tuple[int, int], text: str, face: Face, lit: bool = True
) -> None:
    """`xy` is the left end of the letters' foot line."""
    draw.fontmode = "1"
    draw.text(xy, text.translate(_INSTEAD), fill=int(lit), font=_load(face), anchor="ls")


def has_letter(letter: str, face: Face) -> bool:
    """Is it drawn as itself, and not as the box for a missing letter?"""
    return letter.isspace() or _shape(letter, face) != _shape(_MISSING, face)


def _shape(letter: str, face: Face) -> bytes:
    image = Image.new("1", (32, 32))
    write(ImageDraw.Draw(image), (0, 24), letter, face)
    return image.tobytes()


def wrap(text: str, face: Face, box_px: int) -> list[str]:
    """The text in lines no wider than the box.

    >>> wrap("lay it flat under the camera", Face.SMALL, 62)
    ['lay it flat', 'under the', 'camera']
    """
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width_px(f"{lines[-1]} {word}", face) <= box_px:
            lines[-1] += f" {word}"
            continue
        *full, rest = _broken(word, face, box_px)
        lines += [*full, rest]
    return lines


def _broken(word: str, face: Face, box_px: int) -> list[str]:
    """The word in pieces that fit: an address after its dots, anything else wherever it must."""
    pieces: list[str] = []
    while width_px(word, face) > box_px and len(word) > 1:
        most = len(word) - 1
        while most > 1 and width_px(word[:most], face) > box_px:
            most -= 1
        at_dot = word.rfind(".", 0, most) + 1
        pieces.append(word[: at_dot or most])
        word = word[at_dot or most :]
    return [*pieces, word]


def shorten(text: str, face: Face, box_px: int) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis.

    >>> shorten("under the camera", Face.SMALL, 62)
    'under the c…'
    """
    if width_px(text, face) <= box_px:
        return text
    while text and width_px(text + ELLIPSIS, face) > box_px:
        text = text[:-1]
    return text + ELLIPSIS


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text in a box: in which face, in which lines, and whether words are missing."""

    face: Face
    lines: tuple[str, ...]
    is_cut: bool = False


def fit(text: str, box_wh: tuple[int, int], faces: Sequence[Face]) -> Fitted:
    """The text in the first of these faces that takes it whole, without breaking a word.

    >>> fit("Forgotten", (62, 16), (Face.LARGE, Face.BOLD))
    Fitted(face=<Face.BOLD: ('helvB10', 10, 12)>, lines=('Forgotten',), is_cut=False)
    """
    width, height = box_wh
    for face in faces:
        lines = wrap(text, face, width)
        whole = " ".join(lines) == text
        if whole and len(lines) * face.pitch_px <= height:
            return Fitted(face, tuple(lines))
    face = faces[-1]
    lines = wrap(text, face, width)
    room = max(1, height // face.pitch_px)
    if len(lines) <= room:
        return Fitted(face, tuple(lines))
    last = shorten(lines[room - 1] + " " + lines[room], face, width)
    return Fitted(face, (*lines[: room - 1], last), is_cut=True)
