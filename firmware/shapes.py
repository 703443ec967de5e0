"""What is printed, as data in millimetres: x to the right, y down, the origin at the top left.

A `Drawing` is a thing to be cut out or laid together: patches and words, painted in their order.
Who draws knows no paper and no file format, and who fills pages knows no games.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

Point = tuple[float, float]

INK: Final = "#222222"
FAINT: Final = "#8a8a8a"
PALE: Final = "#f2f2f2"
"""For lines on what is as dark as ink."""


class Line(StrEnum):
    """How an outline is drawn."""

    NONE = "none"
    SOLID = "solid"
    FOLD = "fold"
    """Dashed: bend it here, do not cut."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A polygon; with two points a line."""

    points: tuple[Point, ...]
    fill: str | None = None
    """As #rrggbb; None for paper."""
    line: Line = Line.SOLID
    shade: str = INK
    """Of the line."""
    width_mm: float = 0.2


@dataclass(frozen=True, slots=True)
class Disc:
    at_mm: Point
    diameter_mm: float
    fill: str


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text, its middle at `at_mm`."""

    text: str
    at_mm: Point
    size_mm: float
    """Of a capital's body: what typographers call the font size."""
    shade: str = INK


Mark = Patch | Disc | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    name: str
    size_wh_mm: tuple[float, float]
    marks: tuple[Mark, ...]
    is_square_cut: bool = False
    """It is cut along its own rectangle; else along the outline that is drawn."""


def rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def moved(marks: Iterable[Mark], x_mm: float, y_mm: float) -> tuple[Mark, ...]:
    """The same marks elsewhere.

    >>> moved([Disc((1, 2), 3, "#000000")], 10, 20)
    (Disc(at_mm=(11, 22), diameter_mm=3, fill='#000000'),)
    """

    def step(point: Point) -> Point:
        return point[0] + x_mm, point[1] + y_mm

    return tuple(
        replace(mark, points=tuple(map(step, mark.points)))
        if isinstance(mark, Patch)
        else replace(mark, at_mm=step(mark.at_mm))
        for mark in marks
    )
