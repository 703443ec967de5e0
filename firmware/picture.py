"""A board as a picture to keep: PNG of how it stands, and a short GIF of how it came about.

Everything is drawn from the facts of the box: shapes, shades, how many cells. Board and pieces
are drawn large, made smaller once, and then only pasted together, so that a whole replay takes no
longer than its encoding. What belongs to a player bears the letter of its colour, as shades alone
tell little to many people and nothing on grey paper; the line below tells the move and the score by
the same letters, so that a picture needs no language.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from rules.board import Cell, Piece, Position
from rules.box import Box, PieceFacts

CELL_PX: Final = 64
GIF_CELL_PX: Final = 40
STEP_MS: Final = 700
LAST_MS: Final = 4000
MOST_FRAMES: Final = 150
"""A longer replay keeps its end."""
_FINER: Final = 4
"""So many times larger everything is drawn, for smooth edges."""
_PAPER: Final = "#faf7f0"
_GROUND: Final = "#d9c7a3"
_LINE: Final = "#8a744c"
_INK: Final = "#2b2419"
_NEW: Final = "#b3261e"
_DARK: Final = 100
"""A shade that is darker bears light letters; 255 would be white."""
_SHADOW: Final = (43, 36, 25, 90)


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: what stands after which move, with which score, and what is new in it."""

    position: Position
    ply: int
    score: Mapping[str, int]
    new: Collection[Cell] = ()


def draw_png(scene: Scene, box: Box) -> bytes:
    data = io.BytesIO()
    _Studio(box, CELL_PX).draw(scene).save(data, "PNG", optimize=True)
    return data.getvalue()


def draw_gif(scenes: Sequence[Scene], box: Box) -> bytes:
    """The scenes one after the other, for ever; at least one is needed."""
    studio = _Studio(box, GIF_CELL_PX)
    drawn = [studio.draw(scene) for scene in scenes[-MOST_FRAMES:]]
    # One palette for all frames, made of the fullest one: colours must not flicker.
    palette = drawn[-1].quantize(128)
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in drawn]
    data = io.BytesIO()
    frames[0].save(
        data,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[STEP_MS] * (len(frames) - 1) + [LAST_MS],
        loop=0,
        optimize=False,
    )
    return data.getvalue()


class _Studio:
    """The empty board of one box at one size, and a stamp of every piece that was needed."""

    def __init__(self, box: Box, cell_px: int) -> None:
        self._box, self._cell_px = box, cell_px
        self._rim_px = cell_px // 2
        board = box.board
        self._wide_px = board.files * cell_px + 2 * self._rim_px
        self._high_px = board.ranks * cell_px + 2 * self._rim_px
        self._strip_px = round(cell_px * 0.7)
        self._stamp = cache(self._make_stamp)
        self._empty = self._make_board()

    def draw(self, scene: Scene) -> Image.Image:
        picture = self._empty.copy()
        for cell, piece in scene.position.items():
            stamp = self._stamp(piece)
            picture.paste(stamp, self._corner_px(cell), stamp)
        pen = ImageDraw.Draw(picture)
        side, wide = self._cell_px, max(2, self._cell_px // 20)
        for cell in scene.new:
            left, top = self._corner_px(cell)
            pen.rectangle((left, top, left + side, top + side), outline=_NEW, width=wide)
        self._draw_score(picture, scene)
        return picture

    def _draw_score(self, picture: Image.Image, scene: Scene) -> None:
        """The move, and each player's letter with the points, spread over the line below."""
        pen, font = ImageDraw.Draw(picture), _font(self._cell_px * 0.36)
        middle_y = self._high_px + round(self._strip_px * 0.35)
        column = self._wide_px / (len(scene.score) + 1)
        pen.text((column / 2, middle_y), f"{scene.ply}.", _INK, font, anchor="mm")
        side = self._cell_px
        for number, (colour, points) in enumerate(scene.score.items(), start=1):
            middle_x = round(column * (number + 0.5))
            coloured = [facts for facts in self._box.pieces.values() if colour in facts.colours]
            if coloured:
                small = min(coloured, key=lambda facts: facts.base_mm)
                stamp = self._stamp(Piece(small.kind, colour))
                picture.paste(stamp, (middle_x - side, middle_y - side // 2), stamp)
            pen.text((middle_x, middle_y), str(points), _INK, font, anchor="lm")

    def _corner_px(self, cell: Cell) -> tuple[int, int]:
        from_top = self._box.board.ranks - 1 - cell.rank
        return (
            self._rim_px + cell.file * self._cell_px,
            self._rim_px + from_top * self._cell_px,
        )

    def _make_board(self) -> Image.Image:
        board, side, rim = self._box.board, self._cell_px, self._rim_px
        picture = Image.new("RGB", (self._wide_px, self._high_px + self._strip_px), _PAPER)
        pen, font = ImageDraw.Draw(picture), _font(rim * 0.55)
        right, bottom = self._wide_px - rim, self._high_px - rim
        pen.rectangle((rim, rim, right, bottom), fill=_GROUND)
        for file in range(board.files + 1):
            pen.line((rim + file * side, rim, rim + file * side, bottom), _LINE)
        for rank in range(board.ranks + 1):
            pen.line((rim, rim + rank * side, right, rim + rank * side), _LINE)
        for file in range(board.files):
            place = (rim + (file + 0.5) * side, self._high_px - rim / 2)
            pen.text(place, chr(ord("a") + file), _INK, font, anchor="mm")
        for rank in range(board.ranks):
            place = (rim / 2, bottom - (rank + 0.5) * side)
            pen.text(place, str(rank + 1), _INK, font, anchor="mm")
        return picture

    def _make_stamp(self, piece: Piece) -> Image.Image:
        """The piece on an otherwise transparent cell, in its anchor if it has one."""
        facts, side = self._box.pieces[piece.kind], self._cell_px * _FINER
        scale = side / self._box.board.cell_mm
        # Drawn somewhat larger than life, or a house would be lost in its cell on a phone.
        wide, high = (min(size * 1.25 * scale, side * 0.9) for size in facts.base_mm)
        step_x, step_y = piece.anchor.step if piece.anchor else (0, 0)
        gap = side * 0.04
        middle_x = side / 2 + step_x * (side / 2 - wide / 2 - gap)
        middle_y = side / 2 - step_y * (side / 2 - high / 2 - gap)
        left, top, right, bottom = (
            middle_x - wide / 2,
            middle_y - high / 2,
            middle_x + wide / 2,
            middle_y + high / 2,
        )
        stamp = Image.new("RGBA", (side, side), (0, 0, 0, 0))
        pen = ImageDraw.Draw(stamp)
        drop = side * 0.025
        _draw_shape(pen, facts, (left + drop, top + drop, right + drop, bottom + drop), _SHADOW)
        shade = facts.shade[piece.colour or piece.kind]
        ink = _PAPER if _is_dark(shade) else _INK
        _draw_shape(pen, facts, (left, top, right, bottom), shade, outline=ink)
        if piece.colour is not None:
            letter = letters_of(self._box.players)[piece.colour]
            size = high * (0.62 if len(letter) == 1 else 0.5)
            pen.text((middle_x, middle_y), letter, ink, _font(size), anchor="mm")
        return stamp.resize((self._cell_px, self._cell_px), Image.Resampling.LANCZOS)


def _draw_shape(
    pen: ImageDraw.ImageDraw,
    facts: PieceFacts,
    box_px: tuple[float, float, float, float],
    fill: str | tuple[int, int, int, int],
    outline: str | None = None,
) -> None:
    """What the piece is, seen from above."""
    left, top, right, bottom = box_px
    line = _FINER * 2
    if facts.shape == "column":
        pen.ellipse(box_px, fill, outline, line)
        inner = (right - left) * 0.22
        inside = (left + inner, top + inner, right - inner, bottom - inner)
        if outline:
            pen.ellipse(inside, None, outline, line)
    elif facts.shape in ("slab", "marker"):
        pen.rounded_rectangle(box_px, (right - left) * 0.18, fill, outline, line)
    else:
        pen.rectangle(box_px, fill, outline, line)
        if outline and facts.shape == "pyramid":
            # Its edges, as far as they leave room for a letter.
            in_x, in_y = (right - left) * 0.22, (bottom - top) * 0.22
            for x, step_x in ((left, in_x), (right, -in_x)):
                for y, step_y in ((top, in_y), (bottom, -in_y)):
                    pen.line((x, y, x + step_x, y + step_y), outline, line)


@cache
def letters_of(players: tuple[str, ...]) -> dict[str, str]:
    """The letter each player is known by, and a second one where two begin alike.

    >>> letters_of(("white", "yellow")), letters_of(("blue", "red", "black"))
    ({'white': 'W', 'yellow': 'Y'}, {'blue': 'Bu', 'red': 'R', 'black': 'Ba'})
    """
    letters = {}
    for colour in players:
        alike = [other for other in players if other[0] == colour[0] and other != colour]
        letters[colour] = colour[0].upper()
        if alike:
            differs = (
                at
                for at in range(1, len(colour))
                if all(o[: at + 1] != colour[: at + 1] for o in alike)
            )
            letters[colour] += colour[next(differs, 1)]
    return letters


def _is_dark(shade: str) -> bool:
    red, green, blue = (int(shade[at : at + 2], 16) for at in (1, 3, 5))
    return 0.3 * red + 0.6 * green + 0.1 * blue < _DARK


@cache
def _font(size_px: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size_px)
