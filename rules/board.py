"""The words every game on a grid shares: cell, anchor, piece, position.

A `Cell` *is* its name: one string in the rules, the JSON, the database and the log. There is one
object for each name, made when this module is loaded, and it carries its place in a bitboard
(see `rules.bits`), so that nothing ever has to look a cell up twice.

Boards have up to 8 files (a–h) and 8 ranks (1–8). File a is the left one and rank 1 the bottom
one as the first player sees the board; `n` points to the next higher rank.

>>> Cell("c4"), Cell("c4").file, Cell("c4").rank
(Cell('c4'), 2, 3)
>>> Cell("c4").step(Anchor.NE)
Cell('d5')
>>> house = Piece("house", "white", Anchor.NE)
>>> print(Position({Cell("b2"): house, Cell("c2"): Piece("park")}, files=4, ranks=3))
   a   b   c   d
3  .   .   .   .
2  .  Wne  p   .
1  .   .   .   .
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from rules.errors import BadWord

MOST_FILES: Final = 8
MOST_RANKS: Final = 8
# A row of a bitboard is one bit wider than a board can be. The spare column is always empty, so a
# shifted row never wraps into the next one and no shift needs a mask of its own.
STRIDE: Final = MOST_FILES + 1
# A colour is written by its first letter. Black is K, as printers have it, since B is blue.
_LETTERS: Final = {"black": "K"}


class Anchor(StrEnum):
    """The eight places in a cell, and the eight directions out of it."""

    N = "n"
    NE = "ne"
    E = "e"
    SE = "se"
    S = "s"
    SW = "sw"
    W = "w"
    NW = "nw"

    @property
    def step(self) -> tuple[int, int]:
        """(files, ranks) to the cell this anchor leans towards."""
        return _STEPS[self]

    @property
    def opposite(self) -> Anchor:
        return _OPPOSITES[self]


_AROUND: Final = tuple(Anchor)
_STEPS: Final = {
    Anchor.N: (0, 1),
    Anchor.NE: (1, 1),
    Anchor.E: (1, 0),
    Anchor.SE: (1, -1),
    Anchor.S: (0, -1),
    Anchor.SW: (-1, -1),
    Anchor.W: (-1, 0),
    Anchor.NW: (-1, 1),
}
_OPPOSITES: Final = {anchor: _AROUND[(i + 4) % 8] for i, anchor in enumerate(_AROUND)}


class Cell(str):
    """A cell by its name, `a1` to `h8`; sorts by file, then rank, as lists of cells are printed."""

    file: int
    rank: int
    bit: int

    def __new__(cls, name: str) -> Cell:
        try:
            return _CELLS[name]
        except (KeyError, TypeError):
            raise BadWord("cell", name, "a1 to h8") from None

    @staticmethod
    def at(file: int, rank: int) -> Cell | None:
        """The cell at these 0-based coordinates, or None off the largest board."""
        if 0 <= file < MOST_FILES and 0 <= rank < MOST_RANKS:
            return ALL_CELLS[file * MOST_RANKS + rank]
        return None

    def step(self, direction: Anchor, times: int = 1) -> Cell | None:
        """The cell so many steps away, or None off the largest board."""
        files, ranks = direction.step
        return Cell.at(self.file + times * files, self.rank + times * ranks)

    def __repr__(self) -> str:
        return f"Cell({str(self)!r})"


def _make_cell(file: int, rank: int) -> Cell:
    cell = str.__new__(Cell, f"{chr(ord('a') + file)}{rank + 1}")
    cell.file, cell.rank, cell.bit = file, rank, 1 << (rank * STRIDE + file)
    return cell


ALL_CELLS: Final = tuple(_make_cell(f, r) for f in range(MOST_FILES) for r in range(MOST_RANKS))
_CELLS: Final[dict[str, Cell]] = {str(cell): cell for cell in ALL_CELLS}


class Piece(NamedTuple):
    """One thing that can stand on a cell: a white house in its north-east corner, a park."""

    kind: str
    colour: str | None = None
    anchor: Anchor | None = None

    def __str__(self) -> str:
        return format_piece(self)


def format_piece(piece: Piece) -> str:
    """The piece in at most three letters, for grids and messages.

    >>> format_piece(Piece("house", "yellow", Anchor.SW)), format_piece(Piece("tower"))
    ('Ysw', 't')

    A coloured piece in no anchor shows its kind instead:

    >>> format_piece(Piece("house", "yellow"))
    'YH'
    """
    if piece.colour is None:
        return piece.kind[0]
    return _letter(piece.colour) + (piece.anchor or piece.kind[0].upper())


def _letter(colour: str) -> str:
    return _LETTERS.get(colour, colour[0].upper())


def parse_piece(text: str, kinds: Mapping[str, tuple[str, ...]], anchored: str | None) -> Piece:
    """The reverse of `format_piece`, for a game whose `kinds` come in these colours.

    `anchored` names the kind that stands in anchors, if the game has one.

    >>> parse_piece("Ysw", {"house": ("white", "yellow"), "tower": ()}, "house")
    Piece(kind='house', colour='yellow', anchor=<Anchor.SW: 'sw'>)
    """
    for kind, colours in kinds.items():
        if not colours and text == kind[0]:
            return Piece(kind)
        for colour in colours:
            if text == _letter(colour) + kind[0].upper():
                return Piece(kind, colour)
            if kind == anchored and text[:1] == _letter(colour) and text[1:] in _STEPS:
                return Piece(kind, colour, Anchor(text[1:]))
    raise BadWord("piece", text, "for example " + " or ".join(_examples(kinds, anchored)))


def _examples(kinds: Mapping[str, tuple[str, ...]], anchored: str | None) -> list[str]:
    first = {kind: colours[0] if colours else None for kind, colours in kinds.items()}
    return [
        format_piece(Piece(kind, colour, Anchor.NE if kind == anchored else None))
        for kind, colour in first.items()
    ]


class Position(Mapping[Cell, Piece]):
    """What stands where: a frozen mapping of occupied cells, printed as a player would draw it."""

    __slots__ = ("_pieces", "files", "ranks")

    def __init__(
        self,
        pieces: Mapping[Cell, Piece] | None = None,
        files: int = MOST_FILES,
        ranks: int = MOST_RANKS,
    ) -> None:
        self._pieces = dict(pieces or {})
        self.files = files
        self.ranks = ranks

    def __getitem__(self, cell: Cell) -> Piece:
        return self._pieces[cell]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._pieces)

    def __len__(self) -> int:
        return len(self._pieces)

    def __contains__(self, cell: object) -> bool:
        return cell in self._pieces

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same_board = (self.files, self.ranks) == (other.files, other.ranks)
        return same_board and self._pieces == other._pieces

    def __hash__(self) -> int:
        return hash((frozenset(self._pieces.items()), self.files, self.ranks))

    def put(self, cell: Cell, piece: Piece) -> Position:
        """This position with that piece on that cell, whatever stood there before."""
        return Position({**self._pieces, cell: piece}, self.files, self.ranks)

    def clear(self, cell: Cell) -> Position:
        """This position with that cell empty."""
        pieces = {c: piece for c, piece in self._pieces.items() if c != cell}
        return Position(pieces, self.files, self.ranks)

    def __str__(self) -> str:
        return format_position(self)

    def __repr__(self) -> str:
        return f"<Position of {len(self)} pieces on {self.files}×{self.ranks}>"


def format_position(position: Position, notes: Mapping[Cell, str] | None = None) -> str:
    """The grid, top rank first; `notes` are shown on cells where nothing stands."""
    notes = notes or {}
    rows = ["   " + "   ".join(chr(ord("a") + file) for file in range(position.files))]
    for rank in reversed(range(position.ranks)):
        row = f"{rank + 1} "
        for file in range(position.files):
            cell = ALL_CELLS[file * MOST_RANKS + rank]
            piece = position.get(cell)
            row += f"{format_piece(piece) if piece else notes.get(cell, '.'):^4}"
        rows.append(row.rstrip())
    return "\n".join(rows)


def parse_position(
    text: str, kinds: Mapping[str, tuple[str, ...]], anchored: str | None = None
) -> Position:
    """The reverse of `format_position`: a grid as a player would type it.

    >>> parse_position('''
    ...    a   b
    ... 2  .  Wne
    ... 1  p   .
    ... ''', {"house": ("white",), "park": ()}, "house")
    <Position of 2 pieces on 2×2>
    """
    head, *rows = [line.split() for line in text.strip().splitlines()] or [[]]
    if not head or head != [chr(ord("a") + file) for file in range(len(head))][:MOST_FILES]:
        raise BadWord("grid", " ".join(head), "a first line of file letters: a b c …")
    if not 1 <= len(rows) <= MOST_RANKS:
        raise BadWord("grid", f"{len(rows)} rows", f"1 to {MOST_RANKS} rows below the letters")
    pieces: dict[Cell, Piece] = {}
    for rank, row in zip(reversed(range(len(rows))), rows, strict=True):
        if row[:1] != [str(rank + 1)] or len(row) != len(head) + 1:
            raise BadWord("row", " ".join(row), f"'{rank + 1}' and {len(head)} cells")
        for file, word in enumerate(row[1:]):
            if word != ".":
                pieces[Cell(f"{head[file]}{rank + 1}")] = parse_piece(word, kinds, anchored)
    return Position(pieces, len(head), len(rows))
