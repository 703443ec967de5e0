"""How high the camera must hang, from its field of view and the size of the board.

The lens looks straight down on the board's middle. In the picture must be the board, the four cards
at its corners, and a little more for whoever aims by hand. That says how low the camera may hang.
How high it may hang is a matter of learning: the reader of the cells knows boards from
`HEIGHTS_MM` above them and at least so large in the picture; further away they are dots.

Pictures are taken in the shape of 4 to 3. A sensor of 16 to 9 loses its sides there, so of a wide
field of view only as much counts as fits that shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, radians, tan
from typing import Final

from firmware.playmat import CARD_MM, board_size_mm
from rules.box import BoardFacts
from vision.scene.chance import HEIGHTS_MM, LEAST_SPAN

PICTURE_SHAPE: Final = 4 / 3
AIM_MM: Final = 10.0
"""To be seen beyond the cards on every side."""
STEP_MM: Final = 10
"""Heights are told in steps that a tape measure at a table is good for."""


@dataclass(frozen=True, slots=True)
class Lens:
    name: str
    horizontal_deg: float
    vertical_deg: float

    @property
    def reach(self) -> tuple[float, float]:
        """Half the width and half the height of what is seen, for each unit of height."""
        across, down = tan(radians(self.horizontal_deg / 2)), tan(radians(self.vertical_deg / 2))
        return min(across, down * PICTURE_SHAPE), min(down, across / PICTURE_SHAPE)


@dataclass(frozen=True, slots=True)
class Hang:
    """Heights of the lens above the board's surface."""

    fits_mm: int
    """The cards are in the picture from here on."""
    lowest_mm: int
    """And the reader knows boards from so near: hang it here, or a little higher."""
    highest_mm: int
    """From here on the cells are too small; less than `lowest_mm` where a lens is too wide."""


def hang(board: BoardFacts, lens: Lens) -> Hang:
    """
    >>> board = BoardFacts(8, 8, cell_mm=34, rim_mm=20, thickness_mm=8, track_spaces=36)
    >>> hang(board, Lens("Camera Module 3", 66, 41))
    Hang(fits_mm=570, lowest_mm=570, highest_mm=630)
    """
    reach_x, reach_y = lens.reach
    wide, high = (side + 2 * (CARD_MM + AIM_MM) for side in board_size_mm(board))
    fits = max(wide / (2 * reach_x), high / (2 * reach_y))
    grid = max(board.files, board.ranks) * board.cell_mm
    coarse = min(grid / (2 * reach_y * LEAST_SPAN), HEIGHTS_MM[1])
    return Hang(_up(fits), max(_up(fits), _up(HEIGHTS_MM[0])), floor(coarse / STEP_MM) * STEP_MM)


def _up(height_mm: float) -> int:
    return ceil(height_mm / STEP_MM) * STEP_MM
