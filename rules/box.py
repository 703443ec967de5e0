"""The facts of a game's box, read from its pack.toml: what is in it, how large, what shade.

Sizes and shades are where vision starts from, never constants in code: a real set may differ and
is then calibrated. Every mistake in the file is reported at once.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules.board import MOST_FILES, MOST_RANKS
from rules.errors import BadPack
from rules.section import Section

SHAPES: Final = ("gabled", "slab", "column", "pyramid", "block")
"""What pieces can be: a house with a roof, a flat plate, a tower, a pyramid, a plain block."""


@dataclass(frozen=True, slots=True)
class BoardFacts:
    files: int
    ranks: int
    cell_mm: float
    """One cell, from line to line."""
    rim_mm: float
    """From the outermost line to the board's edge."""
    thickness_mm: float
    track_spaces: int
    """Spaces of a score track around the rim; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class PieceFacts:
    kind: str
    count: int
    """In the box; of each colour, where it comes in colours."""
    colours: tuple[str, ...]
    """The players' colours it comes in; empty where it belongs to nobody."""
    shape: str
    """Its nominal form, one of `SHAPES`."""
    anchored: bool
    """It stands in one of the eight anchors of its cell, not just somewhere on it."""
    base_mm: tuple[float, float]
    height_mm: float
    shade: Mapping[str, str]
    """Nominal sRGB by colour, as #rrggbb; under the kind's own name where it has no colour."""


@dataclass(frozen=True, slots=True)
class Box:
    game: str
    title: str
    players: tuple[str, ...]
    """The colours in turn order; where players choose theirs, all there are to choose from."""
    board: BoardFacts
    pieces: Mapping[str, PieceFacts]

    @property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        """Each kind with its colours, as `rules.board` parses pieces."""
        return {kind: facts.colours for kind, facts in self.pieces.items()}

    @property
    def anchored(self) -> str | None:
        """The kind that stands in anchors."""
        return next((kind for kind, facts in self.pieces.items() if facts.anchored), None)


def parse_box(text: str, where: str = "pack.toml") -> Box:
    """The box, or `BadPack` with every mistake in the file."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadPack(where, [f"no TOML: {error}"]) from None
    mistakes: list[str] = []
    top = Section(data, "", mistakes)
    game, title = top.text("game"), top.text("title")
    players = top.texts("players")
    board_section = top.section("board")
    board = BoardFacts(
        files=board_section.whole("files", 1, MOST_FILES),
        ranks=board_section.whole("ranks", 1, MOST_RANKS),
        cell_mm=board_section.size("cell_mm"),
        rim_mm=board_section.size("rim_mm"),
        thickness_mm=board_section.size("thickness_mm"),
        track_spaces=board_section.whole("track_spaces", 0, 1000),
    )
    board_section.close()
    pieces_section = top.section("pieces")
    pieces = {
        kind: _parse_piece(kind, pieces_section.section(kind), players)
        for kind in pieces_section.names()
    }
    top.close()
    if mistakes:
        raise BadPack(where, mistakes)
    return Box(game, title, players, board, pieces)


def _parse_piece(kind: str, section: Section, players: tuple[str, ...]) -> PieceFacts:
    colours = section.texts("colours")
    for colour in set(colours) - set(players):
        section.complain("colours", colour, f"only players' colours: {', '.join(players)}")
    base = section.sizes("base_mm", 2)
    shades = section.section("shade")
    facts = PieceFacts(
        kind=kind,
        count=section.whole("count", 1, 1000),
        colours=colours,
        shape=section.choice("shape", SHAPES),
        anchored=section.flag("anchored"),
        base_mm=(base[0], base[1]),
        height_mm=section.size("height_mm"),
        shade={name: shades.text(name) for name in colours or (kind,)},
    )
    for name, shade in facts.shade.items():
        if shade and not (
            len(shade) == 7 and shade[0] == "#" and set(shade[1:]) <= set("0123456789abcdef")
        ):
            shades.complain(name, shade, "#rrggbb")
    shades.close()
    section.close()
    return facts
