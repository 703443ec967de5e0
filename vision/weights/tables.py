"""Tables of a game by chance, to learn from: whoever plays, on whatever board they have.

What the pack's settings leave open is drawn (players, size), and what the box leaves open as well:
a board that is not in it has cells of any size, and may be a part of a larger one.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import numpy as np

from rules.board import MOST_FILES, Cell, Piece, Position
from rules.box import Box
from rules.errors import BadSetting
from rules.pack import Pack
from vision.geometry import Image, View
from vision.scene import Scene, random_fullness, random_position, random_scene

USUAL: Final = 0.7
"""The share of borrowed boards whose cells are about as large as the box says."""
CELLS_MM: Final = (29.0, 58.0)
"""From the smallest that pieces fit into to a tournament chessboard's."""
PARTS: Final = 0.12
"""The share of borrowed boards that are a part of a larger one, where there is a larger one."""
Rng = np.random.Generator


@dataclass(frozen=True)
class LaidTable:
    """A scene, and the game on it: on all of the scene's board or on a part."""

    box: Box
    position: Position
    view: View
    """Of the game's own board."""
    scene: Scene
    files: int = 0
    ranks: int = 0
    """So many files and ranks of the scene's board lie before that of the game."""

    def on_scene(self, position: Position) -> Position:
        """Pieces of the game, on the scene's board."""
        return shift(position, self.files, self.ranks, self.scene.box.board.files)


def random_settings(rng: Rng, pack: Pack[Any]) -> dict[str, str]:
    """Settings by chance, that go together."""
    while True:
        settings = {}
        for setting in pack.settings:
            count = int(rng.integers(setting.least, setting.most + 1))
            chosen = rng.choice(len(setting.choices), count, replace=False)
            settings[setting.name] = " ".join(setting.choices[int(i)] for i in chosen)
        with suppress(BadSetting):
            pack.box_for(settings)
            return settings


def random_box(rng: Rng, pack: Pack[Any]) -> Box:
    """What is on the table under settings by chance."""
    box = pack.box_for(random_settings(rng, pack))
    return sized(rng, box) if box.board.borrowed else box


def sized(rng: Rng, box: Box) -> Box:
    """The box beside a board that somebody had."""
    cell_mm = box.board.cell_mm * float(np.exp(rng.normal(0, 0.07)))
    if rng.uniform() > USUAL:
        cell_mm = float(np.exp(rng.uniform(*np.log(CELLS_MM))))
    rim_mm = float(rng.choice([rng.uniform(2, 12), rng.uniform(8, 30)]))
    thickness_mm = float(rng.uniform(1, 12))
    board = replace(box.board, cell_mm=cell_mm, rim_mm=rim_mm, thickness_mm=thickness_mm)
    return replace(box, board=board)


def random_table(
    rng: Rng,
    box: Box,
    position: Position | None = None,
    mark_part: bool = False,
    **overrides: Any,
) -> LaidTable:
    """A scene of this box by chance; `overrides` as for `random_scene`.

    `mark_part`: a part of a larger board has flat markers in its corners, so that it can be told
    where it lies.
    """
    if position is None:
        position = random_position(rng, box, overrides.pop("fullness", random_fullness(rng)))
    board = box.board
    least = max(board.files, board.ranks) + 1
    if not board.borrowed or least > MOST_FILES or rng.uniform() > PARTS:
        scene = random_scene(rng, box, position, **overrides)
        return LaidTable(box, position, scene.view, scene)
    side = int(rng.integers(least, MOST_FILES + 1))
    larger = replace(box, board=replace(board, files=side, ranks=side))
    if mark_part:
        position = _mark_corners(position, box)
    file = int(rng.integers(side - board.files + 1))
    rank = int(rng.integers(side - board.ranks + 1))
    scene = random_scene(rng, larger, shift(position, file, rank, side), **overrides)
    view = scene.view.from_point(file * board.cell_mm, rank * board.cell_mm)
    return LaidTable(box, position, view, scene, file, rank)


def is_fair(picture_bgr: Image) -> bool:
    """A person could see everything: nothing much is drowned in light or in the dark."""
    burnt = float((picture_bgr.min(axis=-1) >= 250).mean())
    dark = float((picture_bgr.max(axis=-1) <= 12).mean())
    return burnt < 0.1 and dark < 0.3


def _mark_corners(position: Position, box: Box) -> Position:
    marker = next(kind for kind, facts in box.pieces.items() if facts.shape == "marker")
    for file, rank in product((0, position.files - 1), (0, position.ranks - 1)):
        corner = Cell.at(file, rank)
        assert corner is not None  # it is on the board
        position = position.put(corner, Piece(marker))
    return position


def shift(position: Position, files: int, ranks: int, side: int) -> Position:
    """The same pieces so many cells further on a square board of this side."""
    pieces = {}
    for cell, piece in position.items():
        moved = Cell.at(cell.file + files, cell.rank + ranks)
        assert moved is not None  # the part lies on the board
        pieces[moved] = piece
    return Position(pieces, side, side)
