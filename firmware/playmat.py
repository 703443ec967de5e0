"""A board to print, the score track for a board that has none, and the cards for its corners.

Everything comes from the facts of the box. The tones are those of a wooden board: white houses must
stand out from it, so it cannot be left as white as the paper.

A card's middle lies `OUT_MM` out from the board's edges in both directions. So the card is cut to a
square of twice that: laid with its marked corner against the board's corner, edges in line, its
middle is where it belongs, and nobody needs a ruler.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from typing import Final

from firmware.shapes import FAINT, Disc, Drawing, Line, Mark, Patch, Point, Words, rectangle
from rules.board import Cell
from rules.box import BoardFacts, Box
from rules.errors import ParkwardenError
from vision.markers import CARDS, OUT_MM, SIDE_MM, card_bits

WOOD: Final = "#d4b483"
LINES: Final = "#54391f"
DARK_WOOD: Final = "#96683a"
"""The other cells of a chequered board."""
LINE_MM: Final = 0.9
DOT_MM: Final = 1.6
CARD_MM: Final = 2 * OUT_MM
STRIP_SPACES: Final = 5
"""Spaces on one strip of the track at most: so it fits on any paper."""


class NoTrack(ParkwardenError, ValueError):
    """A game whose board has no score track that can be drawn."""


def board_size_mm(board: BoardFacts) -> tuple[float, float]:
    """Width and height with the rim."""
    return (
        board.files * board.cell_mm + 2 * board.rim_mm,
        board.ranks * board.cell_mm + 2 * board.rim_mm,
    )


def board_drawing(box: Box, *, chequered: bool = False) -> Drawing:
    """Cells between lines; or light and dark ones in turn, the corner by a1 dark."""
    board = box.board
    wide, high = board_size_mm(board)
    rim, cell = board.rim_mm, board.cell_mm
    marks: list[Mark] = [Patch(rectangle(0, 0, wide, high), WOOD, Line.NONE)]
    if chequered:
        marks += [
            Patch(rectangle(rim + file * cell, rim + row * cell, cell, cell), DARK_WOOD, Line.NONE)
            for file in range(board.files)
            for row in range(board.ranks)
            if (file + board.ranks - 1 - row) % 2 == 0
        ]
    for file in range(board.files + 1):
        x = rim + file * cell
        marks.append(_line((x, rim), (x, high - rim)))
    for rank in range(board.ranks + 1):
        y = rim + rank * cell
        marks.append(_line((rim, y), (wide - rim, y)))
    for file in range(board.files):
        marks.append(
            Words(_cell(file, 0)[0], (rim + (file + 0.5) * cell, high - rim + 4), 3.5, LINES)
        )
    for rank in range(board.ranks):
        y = high - rim - (rank + 0.5) * cell
        marks.append(Words(_cell(0, rank)[1:], (rim - 4, y), 3.5, LINES))
    if board.track_spaces:
        for space, place in enumerate(track_places(board)):
            marks += _space(space, place, board)
    return Drawing(f"{box.title} board", (wide, high), tuple(marks), is_square_cut=True)


def track_places(board: BoardFacts) -> list[Point]:
    """The middles of the track's spaces on the board, clockwise from the corner by a1."""
    around = 2 * (board.files + board.ranks) + 4
    if board.track_spaces != around:
        raise NoTrack(
            f"the box says {board.track_spaces} track spaces: expected {around}, one beside each "
            f"cell at the edge and one in each corner, or there is no place to draw them"
        )
    wide, high = board_size_mm(board)
    cell, rim, half = board.cell_mm, board.rim_mm, board.rim_mm / 2
    across = [rim + (file + 0.5) * cell for file in range(board.files)]
    down = [rim + (rank + 0.5) * cell for rank in range(board.ranks)]
    return [
        (half, high - half),
        *((half, y) for y in reversed(down)),
        (half, half),
        *((x, half) for x in across),
        (wide - half, half),
        *((wide - half, y) for y in down),
        (wide - half, high - half),
        *((x, high - half) for x in reversed(across)),
    ]


def track_strips(box: Box) -> Iterator[Drawing]:
    """The track in strips as wide as the rim, each with a corner or the half side after it."""
    board = box.board
    if not board.track_spaces:
        raise NoTrack(f"{box.title} is played without a score track: there is none to print")
    places = track_places(board)
    corners = [0, board.ranks + 1, board.ranks + board.files + 2, 2 * board.ranks + board.files + 3]
    for start, end in zip(corners, [*corners[1:], len(places)], strict=True):
        for first in range(start, end, STRIP_SPACES):
            yield _strip(range(first, min(first + STRIP_SPACES, end)), first == start, board)


def _strip(spaces: range, has_corner: bool, board: BoardFacts) -> Drawing:
    rim, cell = board.rim_mm, board.cell_mm
    wide = len(spaces) * cell - (cell - rim if has_corner else 0)
    marks: list[Mark] = [Patch(rectangle(0, 0, wide, rim), WOOD, Line.NONE)]
    x = 0.0
    for space in spaces:
        length = rim if has_corner and space == spaces.start else cell
        marks += _space(space, (x + length / 2, rim / 2), board)
        x += length
    name = f"track {spaces.start} to {spaces.stop - 1}"
    return Drawing(name, (wide, rim), tuple(marks), is_square_cut=True)


def _space(space: int, place: Point, board: BoardFacts) -> tuple[Mark, ...]:
    # Beside the dot, towards the left: never under the pawn that stands on it.
    beside = (place[0] - board.rim_mm / 4 - 0.5, place[1])
    return Disc(place, DOT_MM, LINES), Words(str(space), beside, 2.6, LINES)


def marker_cards(board: BoardFacts) -> Iterator[Drawing]:
    """The four cards in their order, each with the corner that touches the board marked."""
    last_file, last_rank = board.files - 1, board.ranks - 1
    corners = [(0, 0), (last_file, 0), (last_file, last_rank), (0, last_rank)]
    for number in range(CARDS):
        yield _card(number, _cell(*corners[number]))


def _card(number: int, corner: Cell) -> Drawing:
    start, pixel = (CARD_MM - SIDE_MM) / 2, SIDE_MM / 6
    marks: list[Mark] = [Patch(rectangle(start, start, SIDE_MM, SIDE_MM), "#000000", Line.NONE)]
    for row, bits in enumerate(card_bits(number)):
        for column, bit in enumerate(bits):
            if bit:
                x, y = start + (column + 1) * pixel, start + (row + 1) * pixel
                marks.append(Patch(rectangle(x, y, pixel, pixel), "#ffffff", Line.NONE))
    # The board lies to the right of cards 0 and 3, and above cards 0 and 1.
    right, above = number in (0, 3), number in (0, 1)
    x, y = CARD_MM if right else 0.0, 0.0 if above else CARD_MM
    step_x, step_y = -4.0 if right else 4.0, 4.0 if above else -4.0
    marks.append(Patch(((x, y), (x + step_x, y), (x, y + step_y)), FAINT, Line.NONE))
    far_y = CARD_MM - 3.0 if above else 3.0
    marks.append(Words(f"{number}: touch the corner by {corner}", (CARD_MM / 2, far_y), 2.8))
    return Drawing(f"card {number}", (CARD_MM, CARD_MM), tuple(marks), is_square_cut=True)


def marker_plan(board: BoardFacts, wide_mm: float) -> Drawing:
    """Where the cards go, drawn small."""
    board_wide, board_high = board_size_mm(board)
    scale = wide_mm / (board_wide + 2 * CARD_MM)
    side = CARD_MM * scale
    wide, high = board_wide * scale, board_high * scale
    marks: list[Mark] = [
        Patch(rectangle(side, side, wide, high), WOOD, shade=LINES),
        Words("the board", (side + wide / 2, side + high / 2), 3.5, LINES),
    ]
    corners = [(0.0, side + high), (side + wide, side + high), (side + wide, 0.0), (0.0, 0.0)]
    for number, (x, y) in enumerate(corners):
        marks.append(Patch(rectangle(x, y, side, side), "#ffffff"))
        marks.append(Words(str(number), (x + side / 2, y + side / 2), 3.5))
    return Drawing("plan", (wide + 2 * side, high + 2 * side), tuple(marks))


def _cell(file: int, rank: int) -> Cell:
    return Cell(f"{ascii_lowercase[file]}{rank + 1}")


def _line(start: Point, end: Point) -> Patch:
    return Patch((start, end), shade=LINES, width_mm=LINE_MM)
