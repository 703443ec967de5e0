"""Tables of a game by chance, to learn from: whoever plays, on whatever board they have.

What the pack's settings leave open is drawn (players, size), and what the box leaves open as well:
a board that is not in it has cells of any size, and may be a part of a larger one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from rules.board import MOST_FILES, Cell, Position
from rules.box import Box
from rules.errors import BadSetting
from rules.pack import Pack
from vision.geometry import View
from vision.scene import Scene, random_fullness, random_position, random_scene

USUAL: Final = 0.55
"""The share of borrowed boards whose cells are about as large as the box says."""
CELLS_MM: Final = (29.0, 58.0)
"""From the smallest that pieces fit into to a tournament chessboard's."""
PARTS: Final = 0.2
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


def random_box(rng: Rng, pack: Pack[Any]) -> Box:
    """What is on the table under settings by chance."""
    while True:
        settings = {}
        for setting in pack.settings:
            count = int(rng.integers(setting.least, setting.most + 1))
            chosen = rng.choice(len(setting.choices), count, replace=False)
            settings[setting.name] = " ".join(setting.choices[int(i)] for i in chosen)
        try:
            box = pack.box_for(settings)
        except BadSetting:
            continue
        if box.board.borrowed:
            box = replace(box, board=replace(box.board, **_random_sizes(rng, box)))
        return box


def _random_sizes(rng: Rng, box: Box) -> dict[str, float]:
    cell_mm = box.board.cell_mm * float(np.exp(rng.normal(0, 0.07)))
    if rng.uniform() > USUAL:
        cell_mm = float(np.exp(rng.uniform(*np.log(CELLS_MM))))
    rim_mm = float(rng.choice([rng.uniform(2, 12), rng.uniform(8, 30)]))
    return {"cell_mm": cell_mm, "rim_mm": rim_mm, "thickness_mm": float(rng.uniform(1, 12))}


def random_table(rng: Rng, box: Box, **overrides: Any) -> LaidTable:
    """A scene of this box by chance; `overrides` as for `random_scene`."""
    position = random_position(rng, box, overrides.pop("fullness", random_fullness(rng)))
    board = box.board
    least = max(board.files, board.ranks) + 1
    if not board.borrowed or least > MOST_FILES or rng.uniform() > PARTS:
        scene = random_scene(rng, box, position, **overrides)
        return LaidTable(box, position, scene.view, scene)
    side = int(rng.integers(least, MOST_FILES + 1))
    larger = replace(box, board=replace(board, files=side, ranks=side))
    file = int(rng.integers(side - board.files + 1))
    rank = int(rng.integers(side - board.ranks + 1))
    scene = random_scene(rng, larger, shift(position, file, rank, side), **overrides)
    view = scene.view.from_point(file * board.cell_mm, rank * board.cell_mm)
    return LaidTable(box, position, view, scene)


def shift(position: Position, files: int, ranks: int, side: int) -> Position:
    """The same pieces so many cells further on a square board of this side."""
    pieces = {}
    for cell, piece in position.items():
        moved = Cell.at(cell.file + files, cell.rank + ranks)
        assert moved is not None  # the part lies on the board
        pieces[moved] = piece
    return Position(pieces, side, side)
