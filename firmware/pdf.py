"""Marks in millimetres, written as PDF in true scale. The only file that knows fpdf2.

The file asks its viewer not to scale when it prints. Viewers may ignore that, which is why every
page has a ruler (see `paper`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fpdf import FPDF
from fpdf.prefs import ViewerPreferences

from firmware.shapes import Disc, Line, Mark, Patch, Point, Words

POINTS_PER_MM: Final = 72 / 25.4
DASH_MM: Final = (1.6, 1.2)
CAP: Final = 0.72
"""The height of a capital in Helvetica, in font sizes."""


@dataclass(frozen=True, slots=True)
class Window:
    """Marks of which only what is in this rectangle is seen."""

    xy_mm: Point
    wh_mm: tuple[float, float]
    marks: tuple[Mark, ...]


Page = Iterable[Mark | Window]


def write_pdf(
    out_path: Path, title: str, size_wh_mm: tuple[float, float], pages: Iterable[Page]
) -> None:
    pdf = FPDF(unit="mm", format=size_wh_mm)
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.set_title(title)
    pdf.set_creator("Parkwarden")
    pdf.viewer_preferences = ViewerPreferences(print_scaling="None")
    for page in pages:
        pdf.add_page()
        for mark in page:
            if isinstance(mark, Window):
                with pdf.rect_clip(*mark.xy_mm, *mark.wh_mm):
                    for inside in mark.marks:
                        _draw(pdf, inside)
            else:
                _draw(pdf, mark)
    pdf.output(str(out_path))


def _draw(pdf: FPDF, mark: Mark) -> None:
    if isinstance(mark, Words):
        _write(pdf, mark)
    elif isinstance(mark, Disc):
        pdf.set_fill_color(mark.fill)
        pdf.circle(*mark.at_mm, mark.diameter_mm / 2, style="F")
    else:
        _paint(pdf, mark)


def _paint(pdf: FPDF, patch: Patch) -> None:
    if patch.fill is not None:
        pdf.set_fill_color(patch.fill)
    pdf.set_draw_color(patch.shade)
    pdf.set_line_width(patch.width_mm)
    if patch.line is Line.FOLD:
        pdf.set_dash_pattern(*DASH_MM)
    # fpdf2's words for it: D draws the outline, F fills.
    style = ("D" if patch.line is not Line.NONE else "") + ("F" if patch.fill is not None else "")
    pdf.polyline(patch.points, polygon=len(patch.points) > 2, style=style)
    if patch.line is Line.FOLD:
        pdf.set_dash_pattern()


def _write(pdf: FPDF, words: Words) -> None:
    pdf.set_font("helvetica", size=words.size_mm * POINTS_PER_MM)
    pdf.set_text_color(words.shade)
    x, y = words.at_mm
    left = x - pdf.get_string_width(words.text) / 2
    pdf.text(left, y + words.size_mm * CAP / 2, words.text)
