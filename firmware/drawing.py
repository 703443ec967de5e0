"""From a screen to the pixels of the display: 128×64, one bit each, and the same on every machine.

The left part may hold the board or an icon. To the right of it, or all over, stand the words, as
large as they fit. Where they are more than there is room for, they are shown page by page while the
screen lasts: nothing is left out, and only a title that no face can take ends in an ellipsis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import segno
from PIL import Image, ImageDraw

from firmware.fonts import Face, Fitted, fit, width_px, wrap, write
from firmware.fonts.icons import icon
from firmware.miniboard import BOARD_PX, MiniBoard, draw_board, draw_house
from firmware.scoreboard import draw_score
from firmware.screens import LINGER, Choices, Code, Gained, Score, Screen, Text

SIZE_WH: Final = (128, 64)
BESIDE_BOARD_X: Final = 66
BESIDE_ICON_X: Final = 37
TITLE_FACES: Final = (Face.LARGE, Face.MIDDLE, Face.BOLD)
CELL_FACES: Final = (
    (Face.BOLD, Face.HUGE),
    (Face.BOLD, Face.LARGE),
    (Face.BOLD, Face.MIDDLE),
    (Face.SMALL, Face.MIDDLE),
)
"""Of a title that ends in a cell: its words, and the cell."""
BODY_FACES: Final = (Face.PLAIN, Face.SMALL)
BAR_PX: Final = 13
"""The lit bar behind a name, and a row of a list."""
GAP_PX: Final = 4
LIST_LINES: Final = 4
ROW_MARGIN_PX: Final = 7
"""What a row of a list leaves free, for its lit bar and the scroll bar."""
QR_MOST: Final = 29
"""Modules of the largest QR code that is still drawn at two pixels each, with a margin."""


class Area(NamedTuple):
    x: int
    y: int
    wide: int
    high: int


def area_of(screen: Screen) -> Area:
    """Where the words of this screen stand."""
    x = {MiniBoard: BESIDE_BOARD_X, str: BESIDE_ICON_X}.get(type(screen.beside), 0)
    return Area(x, 0, SIZE_WH[0] - x, SIZE_WH[1])


def draw(screen: Screen) -> Image.Image:
    image = Image.new("1", SIZE_WH)
    pen = ImageDraw.Draw(image)
    area = area_of(screen)
    match screen.beside:
        case MiniBoard() as board:
            draw_board(pen, board, is_dark=bool(screen.phase % 2))
        case str() as name:
            picture = icon(name, 2)
            image.paste(picture, (0, (SIZE_WH[1] - picture.height) // 2))
    match screen.body:
        case Text() as text:
            _draw_text(pen, text, screen, area)
        case Choices() as choices:
            _draw_choices(pen, choices, screen, area)
        case Gained() as gained:
            _draw_gained(pen, gained, screen, area)
        case Score() as score:
            draw_score(pen, score, screen.badges)
        case Code() as code:
            _draw_code(pen, code, screen)
    return image


# ---- words ----


class Headline(NamedTuple):
    """How a title is set: its words, the face of the cell beside them, and where lines end."""

    words: Fitted
    cell_face: Face | None
    foot: int
    """Of its first line."""
    high: int


def set_headline(title: str, cell: str, wide: int) -> Headline:
    """The title as large as it fits. A cell stands beside its word, larger, where there is room."""
    if cell:
        for head, face in CELL_FACES:
            gap = GAP_PX if title else 0
            if width_px(title, head) + gap + width_px(cell, face) <= wide:
                return Headline(Fitted(head, (title,)), face, 14, 20)
        title = f"{title} {cell}"
    for face in TITLE_FACES:
        if width_px(title, face) <= wide:
            foot = 14 if face is Face.LARGE else 11
            return Headline(Fitted(face, (title,)), None, foot, foot + 5)
    fitted = fit(title, (wide, 2 * Face.BOLD.pitch_px), (Face.BOLD,))
    return Headline(fitted, None, 10, 14 + Face.BOLD.pitch_px)


def set_body(lines: Sequence[str], wide: int, high: int) -> tuple[Face, list[list[str]]]:
    """The lines as large as they fit, on one page; in the smallest face on as many as it takes."""
    wrapped: list[str] = []
    face = BODY_FACES[-1]
    for face in BODY_FACES:
        wrapped = [part for line in lines for part in wrap(line, face, wide)]
        is_whole = " ".join(wrapped) == " ".join(lines)
        if is_whole and len(wrapped) * face.pitch_px <= high:
            break
    return face, _pages(wrapped, max(1, high // face.pitch_px))


def _pages(lines: list[str], room: int) -> list[list[str]]:
    return [lines[at : at + room] for at in range(0, len(lines), room)] or [[]]


def _page_at(phase: int, pages: list[list[str]]) -> list[str]:
    """All pages get their turn while a screen lingers."""
    return pages[phase % LINGER * len(pages) // LINGER]


def _draw_body(pen: ImageDraw.ImageDraw, lines: Sequence[str], phase: int, area: Area) -> None:
    face, pages = set_body(lines, area.wide, area.high)
    for row, line in enumerate(_page_at(phase, pages)):
        write(pen, (area.x, area.y + row * face.pitch_px + face.ascent_px), line, face)


def _draw_text(pen: ImageDraw.ImageDraw, text: Text, screen: Screen, area: Area) -> None:
    margin = 1 if text.is_loud else 0
    headline = set_headline(text.title, text.cell, area.wide - 2 * margin)
    if text.is_loud:
        pen.rectangle((area.x, 0, area.x + area.wide - 1, headline.high - 2), fill=1)
    _draw_headline(pen, headline, text.cell, area, margin, lit=not text.is_loud)
    _draw_body(pen, text.lines, screen.phase, body_area(screen, area, headline))
    _draw_corner(pen, screen)


def body_area(screen: Screen, area: Area, headline: Headline) -> Area:
    """What a title leaves for the lines below it, without the corner where that is needed."""
    corner_px = Face.SMALL.pitch_px if screen.corner or screen.badges else 0
    return Area(area.x, headline.high, area.wide, area.high - headline.high - corner_px)


def _draw_headline(
    pen: ImageDraw.ImageDraw, headline: Headline, cell: str, area: Area, margin: int, lit: bool
) -> None:
    fitted, x = headline.words, area.x + margin
    for row, line in enumerate(fitted.lines):
        foot = headline.foot + row * fitted.face.pitch_px
        write(pen, (x, foot), line, fitted.face, lit)
    if headline.cell_face is not None:
        before = width_px(fitted.lines[0], fitted.face)
        x += before + (GAP_PX if before else 0)
        write(pen, (x, headline.foot), cell, headline.cell_face, lit)


def _draw_corner(pen: ImageDraw.ImageDraw, screen: Screen) -> None:
    """Which page of how many, and what goes wrong all the while: at the bottom right."""
    x = SIZE_WH[0]
    for name in screen.badges:
        picture = icon(name)
        x -= picture.width + 1
        pen.bitmap((x, SIZE_WH[1] - picture.height), picture, fill=1)
    if screen.corner:
        write(pen, (x - width_px(screen.corner, Face.SMALL) - 1, 63), screen.corner, Face.SMALL)


def _draw_choices(pen: ImageDraw.ImageDraw, choices: Choices, screen: Screen, area: Area) -> None:
    badge = icon(screen.badges[0]) if screen.badges else None
    wide = area.wide - (badge.width + 2 if badge else 0)
    title = fit(choices.title, (wide, BAR_PX), (Face.MIDDLE, Face.BOLD, Face.SMALL))
    write(pen, (area.x, 10), title.lines[0], title.face)
    if badge:
        pen.bitmap((SIZE_WH[0] - badge.width, 1), badge, fill=1)
    rows = [
        _page_at(screen.phase, _pages(wrap(row, Face.SMALL, area.wide - ROW_MARGIN_PX), LIST_LINES))
        for row in choices.rows
    ]
    first, last = _window([len(row) for row in rows], choices.at, LIST_LINES)
    y = BAR_PX
    for at in range(first, last):
        high = len(rows[at]) * Face.SMALL.pitch_px + 2
        is_marked = at == choices.at
        if is_marked:
            pen.rectangle((area.x, y - 1, area.x + area.wide - 4, y + high - 2), fill=1)
        for number, line in enumerate(rows[at]):
            foot = y + number * Face.SMALL.pitch_px + 10
            write(pen, (area.x + 2, foot), line, Face.SMALL, lit=not is_marked)
        y += high
    if last - first < len(rows):
        _draw_scroll(pen, first / len(rows), last / len(rows))


def _window(heights: Sequence[int], at: int, room: int) -> tuple[int, int]:
    """Which rows are shown: the marked one, and as many around it as there is room for."""
    first = last = at
    used = 0
    while last < len(heights) and (used + heights[last] <= room or last == at):
        used += heights[last]
        last += 1
        # One from above in turn, so that one sees where one comes from.
        if first > 0 and used + heights[first - 1] <= room:
            first -= 1
            used += heights[first]
    while first > 0 and used + heights[first - 1] <= room:
        first -= 1
        used += heights[first]
    return first, last


def _draw_scroll(pen: ImageDraw.ImageDraw, start: float, end: float) -> None:
    top, high = BAR_PX, SIZE_WH[1] - BAR_PX - 1
    pen.line((126, top, 126, top + high), fill=0)
    for y in range(top, top + high, 3):
        pen.point((126, y), fill=1)
    pen.rectangle((125, top + int(start * high), 127, top + int(end * high)), fill=1)


# ---- points ----


def _draw_gained(pen: ImageDraw.ImageDraw, gained: Gained, screen: Screen, area: Area) -> None:
    y = area.y
    totals = [(player, p) for player, p in enumerate(gained.totals) if p is not None]
    face, mark_px = (Face.HUGE, 10) if len(totals) <= 2 else (Face.BOLD, 7)
    for player, points in totals:
        foot = y + (14 if face is Face.HUGE else face.pitch_px - 4)
        draw_house(pen, area.x, foot - mark_px, mark_px, player)
        write(pen, (area.x + 15, foot), f"{points:+}", face)
        y += face.pitch_px - 1
    below = Area(area.x, y, area.wide, area.high - y)
    _draw_body(pen, (gained.line,), screen.phase, below)
    if screen.corner:
        write(pen, (127 - width_px(screen.corner, Face.SMALL), 9), screen.corner, Face.SMALL)
    _draw_corner(pen, Screen(screen.body, screen.phase, badges=screen.badges))


def _draw_code(pen: ImageDraw.ImageDraw, code: Code, screen: Screen) -> None:
    rows = segno.make_qr(code.link, error="L", boost_error=False).matrix
    x = 0
    if len(rows) <= QR_MOST:
        margin = (BOARD_PX - 2 * len(rows)) // 2
        pen.rectangle((0, 0, BOARD_PX - 1, BOARD_PX - 1), fill=1)
        for dy, row in enumerate(rows):
            for dx, module in enumerate(row):
                if module:
                    left, top = margin + 2 * dx, margin + 2 * dy
                    pen.rectangle((left, top, left + 1, top + 1), fill=0)
        x = BESIDE_BOARD_X
    wide = SIZE_WH[0] - x
    title = fit(code.title, (wide, 14), TITLE_FACES)
    write(pen, (x, 10), title.lines[0], title.face)
    half = len(code.code) // 2
    write(pen, (x, 28), f"{code.code[:half]} {code.code[half:]}", Face.LARGE)
    for number, line in enumerate(wrap(code.address, Face.SMALL, wide)[:3]):
        write(pen, (x, 41 + number * Face.SMALL.pitch_px), line, Face.SMALL)
    _draw_corner(pen, screen)
