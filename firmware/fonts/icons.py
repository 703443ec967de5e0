"""The pictures of the display, drawn with letters in `icons.txt`: `#` is lit."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PIL import Image


@cache
def _drawings() -> dict[str, list[str]]:
    text = resources.files(__package__).joinpath("icons.txt").read_text(encoding="utf-8")
    blocks = (block.split("\n") for block in text.strip().split("\n\n"))
    return {name: rows for name, *rows in blocks}


def icon_names() -> tuple[str, ...]:
    return tuple(_drawings())


@cache
def icon(name: str, scale: int = 1) -> Image.Image:
    """The picture by its name; at twice the scale each letter is four pixels."""
    rows = _drawings()[name]
    wide, high = max(map(len, rows)), len(rows)
    image = Image.new("1", (wide, high))
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            image.putpixel((x, y), int(letter == "#"))
    return image.resize((wide * scale, high * scale), Image.Resampling.NEAREST)
