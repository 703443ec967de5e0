"""The screen with the score: two players side by side in large figures, more of them in rows.

Whoever is on turn, or has won, stands in a lit bar. The line below says what is to be done, and to
its right stands which move it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from firmware.fonts import Face, fit, shorten, width_px, write
from firmware.fonts.icons import icon
from firmware.miniboard import draw_house
from firmware.screens import Score

WIDE_PX: Final = 128
BAR_PX: Final = 13
"""The lit bar behind a name."""
LINE_FOOT: Final = 61
ROWS_PX: Final = 48
"""What the line below leaves to the players."""
NAME_X: Final = 15
ICON_PX: Final = 18
"""What a row leaves free for icons."""
NAME_FACES: Final = (Face.MIDDLE, Face.BOLD)
LINE_FACES: Final = (Face.MIDDLE, Face.BOLD, Face.SMALL)


def draw_score(pen: ImageDraw.ImageDraw, score: Score, badges: Sequence[str]) -> None:
    icons = [icon(name) for name in (score.icon, *badges) if name]
    if len(score.names) <= 2:
        _draw_columns(pen, score)
        y = 17
        for picture in icons:
            pen.bitmap(((WIDE_PX - picture.width) // 2, y), picture, fill=1)
            y += picture.height + 2
    else:
        _draw_rows(pen, score)
        y = 0
        for picture in icons:
            pen.bitmap((WIDE_PX - picture.width, y), picture, fill=1)
            y += picture.height + 2
    room = WIDE_PX - width_px(score.note, Face.SMALL) - (4 if score.note else 0)
    line = fit(score.line, (room, Face.MIDDLE.pitch_px), LINE_FACES)
    write(pen, (0, LINE_FOOT), line.lines[0], line.face)
    note_x = WIDE_PX - width_px(score.note, Face.SMALL)
    write(pen, (note_x, LINE_FOOT), score.note, Face.SMALL)


def _draw_columns(pen: ImageDraw.ImageDraw, score: Score) -> None:
    wide = WIDE_PX // len(score.names)
    for player, (name, points) in enumerate(zip(score.names, score.points, strict=True)):
        x, is_lit = player * wide, player in score.lit
        if is_lit:
            pen.rectangle((x, 0, x + wide - 2, BAR_PX), fill=1)
        draw_house(pen, x + 3, 3, 8, player, ink=int(not is_lit))
        face = next((f for f in NAME_FACES if width_px(name, f) <= wide - 17), NAME_FACES[-1])
        write(pen, (x + NAME_X, 11), shorten(name, face, wide - 17), face, lit=not is_lit)
        digits = str(points)
        high = Image.new("1", (width_px(digits, Face.HUGE), 13))
        write(ImageDraw.Draw(high), (0, 13), digits, Face.HUGE)
        large = high.resize((high.width * 2, high.height * 2), Image.Resampling.NEAREST)
        pen.bitmap((x + (wide - large.width) // 2, 19), large, fill=1)


def row_face(players: int) -> Face:
    """As large as so many rows may be."""
    return Face.LARGE if players <= 3 else Face.BOLD


def row_wide_px() -> int:
    return WIDE_PX - ICON_PX


def _draw_rows(pen: ImageDraw.ImageDraw, score: Score) -> None:
    face, wide = row_face(len(score.names)), row_wide_px()
    high, cap_px = ROWS_PX // len(score.names), 10 if face is Face.LARGE else 8
    for player, (name, points) in enumerate(zip(score.names, score.points, strict=True)):
        y, is_lit = player * high, player in score.lit
        if is_lit:
            pen.rectangle((0, y, wide - 1, y + high - 1), fill=1)
        draw_house(pen, 3, y + (high - 8) // 2, 8, player, ink=int(not is_lit))
        digits = str(points)
        foot, digits_x = y + (high + cap_px) // 2, wide - 4 - width_px(digits, face)
        label = shorten(name, face, digits_x - NAME_X - 4)
        write(pen, (NAME_X, foot), label, face, lit=not is_lit)
        write(pen, (digits_x, foot), digits, face, lit=not is_lit)
