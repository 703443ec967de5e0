"""The facts of a game's box, read from its pack.toml: what is in it, how large, what shade.

Sizes and shades are where vision starts from, never constants in code: a real set may differ and
is then calibrated. Every mistake in the file is reported at once.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rules.board import MOST_FILES, MOST_RANKS
from rules.errors import BadPack
from rules.section import Section

SHAPES: Final = ("gabled", "slab", "column", "pyramid", "block", "marker")
"""What pieces can be: a house with a roof, a flat plate, a tower, a pyramid, a plain block; and a
marker, which is any flat thing that the players have at hand, of any colour."""
_OPAQUE: Final = "ff"
_HEX: Final = frozenset("0123456789abcdef")


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
    borrowed: bool = False
    """The box has no board: any grid will do, also a part of a larger one, and the sizes above are
    only usual ones."""


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
    opacity: Mapping[str, float] = field(default_factory=dict)
    """Likewise, for shades written as #rrggbbaa: 1 for solid, 0 for clear as air."""

    @property
    def family(self) -> tuple[str, tuple[str, ...]]:
        """What it has in common with the same thing in another size."""
        return self.shape, self.colours


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
    def sized(self) -> frozenset[str]:
        """The kinds that nothing but their size tells from another kind."""
        families = Counter(facts.family for facts in self.pieces.values())
        return frozenset(k for k, facts in self.pieces.items() if families[facts.family] > 1)

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
        borrowed=board_section.flag("borrowed", default=False),
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
    written = _parse_shades(section.section("shade"), colours or (kind,))
    facts = PieceFacts(
        kind=kind,
        count=section.whole("count", 1, 1000),
        colours=colours,
        shape=section.choice("shape", SHAPES),
        anchored=section.flag("anchored"),
        base_mm=(base[0], base[1]),
        height_mm=section.size("height_mm"),
        shade={name: shade[:7] for name, shade in written.items()},
        opacity={
            name: int(shade[7:] or _OPAQUE, 16) / 255 for name, shade in written.items() if shade
        },
    )
    section.close()
    return facts


def _parse_shades(section: Section, names: tuple[str, ...]) -> dict[str, str]:
    """What is written for each name: #rrggbb or #rrggbbaa, or nothing where it is neither."""
    written = {name: section.text(name) for name in names}
    for name, shade in written.items():
        digits = shade[1:]
        is_shade = shade[:1] == "#" and len(digits) in (6, 8) and set(digits) <= _HEX
        if shade and not is_shade:
            section.complain(name, shade, "#rrggbb or #rrggbbaa")
            written[name] = ""
    section.close()
    return written
