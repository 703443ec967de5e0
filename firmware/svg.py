"""A pen for pictures in SVG: wires, boxes, words, in the order they are drawn."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

INK, FAINT, CASE = "#1f2933", "#6b7680", "#39434d"
SHADES: Final = {
    "black": "#2b2b2b",
    "white": "#ffffff",
    "grey": "#9a9a9a",
    "red": "#d8342b",
    "orange": "#f08a24",
    "yellow": "#f5cb23",
    "green": "#3f9b47",
    "blue": "#3a6fd0",
    "violet": "#8a56b8",
    "brown": "#84552f",
}
"""What the colours of wires and LEDs look like."""


class Svg:
    """Marks in the order they are drawn."""

    def __init__(self) -> None:
        self._marks: list[str] = []

    def add(self, tag: str, text: str | None = None, **attributes: object) -> None:
        named = "".join(
            f' {key.rstrip("_").replace("_", "-")}="{format_number(value)}"'
            for key, value in attributes.items()
        )
        end = "/>" if text is None else f">{escape(text)}</{tag}>"
        self._marks.append(f"  <{tag}{named}{end}")

    def text(self, words: str, x: float, y: float, size: float = 14, **attributes: object) -> None:
        """Its middle on the row, wherever it is anchored."""
        attributes = {"fill": INK, **attributes}
        self.add("text", words, x=x, y=y + size * 0.35, font_size=size, **attributes)

    def wire(self, shade: str, *points: tuple[float, float], dashed: bool = False) -> None:
        """With a dark edge, so that a white wire is seen on white paper."""
        common = {"points": format_points(*points), "fill": "none", "stroke_linejoin": "round"}
        if dashed:
            common["stroke_dasharray"] = "9 5"
        self.add("polyline", stroke=CASE, stroke_width=6, **common)
        self.add("polyline", stroke=SHADES[shade], stroke_width=4, **common)

    def dot(self, x: float, y: float) -> None:
        self.add("circle", cx=x, cy=y, r=5, fill=CASE)

    def box(self, x: float, y: float, wide: float, high: float, **attributes: object) -> None:
        attributes = {"rx": 8, "fill": "#ffffff", "stroke": CASE, "stroke_width": 2, **attributes}
        self.add("rect", None, x=x, y=y, width=wide, height=high, **attributes)

    def format(self, wide: int, high: int) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
            f'font-family="Helvetica, Arial, sans-serif">'
        )
        return "\n".join([head, *self._marks, "</svg>", ""])


def format_number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else escape(str(value), {'"': "&quot;"})


def format_points(*points: tuple[float, float]) -> str:
    """
    >>> format_points((1.0, 2.5), (3.0, 4.0))
    '1,2.5 3,4'
    """
    return " ".join(f"{x:g},{y:g}" for x, y in points)
