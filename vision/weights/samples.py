"""Rendered tables as a network sees them: rectified boards and what stands on them.

Each table is rectified twice, each time with the corners a little off, as a finder would have
them, so that the network learns to bear that. Boards of one size are kept together, as they are
looked at together.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Piece, Position
from rules.box import Box
from rules.pack import Pack, colours_to_choose
from rules.packs import load_pack
from vision.geometry import Image, View
from vision.labels import ANCHORS, HIDDEN, NO_ANCHOR, Labels
from vision.rectify import Rectifier
from vision.scene import hand_mask, render
from vision.weights.tables import is_fair, random_box, random_table

IGNORED: Final = 255
CHUNK: Final = 50
CORES: Final = 2
SEEDS_A_CORE: Final = 1000
CORNER_NOISE_PX: Final = (0.3, 0.8, 2.0)
"""How far off a finder's corners may be: mostly little, sometimes more."""
SIZES_WH: Final = ((960, 720), (960, 720), (1024, 768), (1280, 960))
HANDS: Final = 0.2
"""The share of tables with a hand over the board."""
COVERED: Final = (0.04, 0.15)
"""Below the first share of a cell it is still to be read, from the second on it is hidden; what
lies between is not asked."""


@dataclass(frozen=True)
class Samples:
    boards: NDArray[np.uint8]
    leans: NDArray[np.float16]
    kinds: NDArray[np.uint8]
    colours: NDArray[np.uint8]
    anchors: NDArray[np.uint8]
    pawns: NDArray[np.uint8]
    """By player: 1 on the track's space where the pawn stands, 0 elsewhere."""
    scales: NDArray[np.float32]
    """How much larger the cells are than the box says, as a logarithm."""
    played: NDArray[np.bool_]
    """Of each colour that players choose from: whether somebody plays it."""

    @classmethod
    def load(cls, folder: Path) -> list[Samples]:
        """All there are, by the size of their board."""
        names = cls.__dataclass_fields__
        groups: dict[tuple[int, ...], list[Any]] = {}
        for path in sorted(folder.glob("*.npz")):
            part = np.load(path)
            groups.setdefault(part["kinds"].shape[1:], []).append({n: part[n] for n in names})
        # Given away as they are joined: in memory there is room for all of them once.
        return [
            cls(
                **{
                    name: np.concatenate([part.pop(name) for part in groups[size]])
                    for name in names
                }
            )
            for size in sorted(groups)
        ]

    def save(self, path: Path) -> None:
        np.savez(path, **{name: getattr(self, name) for name in self.__dataclass_fields__})


def label(
    labels: Labels, position: Position, pawns: dict[str, int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """(kind, colour, anchor) of every cell, and a map for each pawn."""
    shape = (labels.box.board.ranks + 2, labels.box.board.files + 2)
    maps = np.full((3, *shape), IGNORED, np.uint8)
    for cell, row, column in zip(labels.cells, labels.rows, labels.columns, strict=True):
        maps[:, row, column] = _numbers(labels, position.get(cell))
    standing = np.zeros((len(labels.colours), *shape), np.uint8)
    for number, colour in enumerate(labels.colours):
        if labels.track and colour in pawns:
            standing[(number, *labels.track[pawns[colour]])] = 1
    return maps, standing


def _numbers(labels: Labels, piece: Piece | None) -> tuple[int, int, int]:
    if piece is None:
        return 0, IGNORED, IGNORED
    colour = labels.colours.index(piece.colour) if piece.colour else IGNORED
    anchor = IGNORED
    if labels.box.pieces[piece.kind].anchored:
        anchor = ANCHORS.index(piece.anchor) if piece.anchor else NO_ANCHOR
    return labels.kinds.index(piece.kind), colour, anchor


def hide(maps: NDArray[np.uint8], covered: NDArray[np.uint8], labels: Labels) -> NDArray[np.uint8]:
    """The truth of the cells as far as it can be seen; `covered` is 255 where it cannot."""
    size = maps.shape[:0:-1]
    share = cv2.resize(covered, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    readable, hidden = COVERED
    seen = maps.copy()
    on_board = maps[0] != IGNORED
    seen[:, on_board & (share > readable)] = IGNORED
    seen[0, on_board & (share > hidden)] = labels.kinds.index(HIDDEN)
    return seen


def unsteady(view: View, box: Box, rng: np.random.Generator) -> View:
    """The view as a finder would have it."""
    noise = rng.choice(CORNER_NOISE_PX) * rng.standard_normal((4, 2))
    corners = view.corners_px(box.board) + noise * view.size_wh[0] / 1280
    return View.from_corners(view.size_wh, corners, box.board, view.k1)


def make_samples(pack: Pack[Any], tables: int, seed: int, fair: bool = False) -> Samples:
    """Tables by chance, all with boards of the same number of cells.

    `fair` ones only are those on which a person could see everything.
    """
    rng = np.random.default_rng(seed)
    board = random_box(rng, pack).board
    labels = Labels(replace(pack.box, board=board))
    usual_mm, colours = pack.box.board.cell_mm, colours_to_choose(pack)
    columns: dict[str, list[NDArray[np.generic]]] = {
        name: [] for name in Samples.__dataclass_fields__
    }
    while len(columns["boards"]) < 2 * tables:
        size = SIZES_WH[int(rng.integers(len(SIZES_WH)))]
        box = random_box(rng, pack)
        while (box.board.files, box.board.ranks) != (board.files, board.ranks):
            box = random_box(rng, pack)
        table = random_table(rng, box, size_wh=size, hand=bool(rng.random() < HANDS))
        image: Image = render(table.scene, rng)
        if fair and not is_fair(image):
            continue
        covered = hand_mask(table.scene)
        maps, pawns = label(labels, table.position, dict(table.scene.pawns))
        for _ in range(2):
            rectifier = Rectifier.of(unsteady(table.view, box, rng), box.board)
            columns["scales"].append(np.array(np.log(box.board.cell_mm / usual_mm), np.float32))
            columns["played"].append(np.isin(colours, box.players))
            columns["boards"].append(rectifier(image))
            columns["leans"].append(rectifier.lean.astype(np.float16))
            seen = hide(maps, rectifier(covered)[..., 0], labels)
            for name, part in zip(("kinds", "colours", "anchors"), seen, strict=True):
                columns[name].append(part)
            columns["pawns"].append(pawns)
    return Samples(**{name: np.stack(column) for name, column in columns.items()})


def fill(folder: Path, game: str, tables: int, first_seed: int = 0, fair: bool = False) -> None:
    """So many tables in files of `CHUNK`, rendered on two cores; what is there already stays."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = [
        first_seed + core * SEEDS_A_CORE + number
        for number in range(tables // CHUNK // CORES)
        for core in range(CORES)
    ]
    missing = [(seed, path) for seed in seeds if not (path := folder / f"{seed:05d}.npz").exists()]
    with ProcessPoolExecutor(CORES, initializer=cv2.setNumThreads, initargs=(1,)) as cores:
        for done in [cores.submit(_make_file, game, fair, *one) for one in missing]:
            done.result()


def _make_file(game: str, fair: bool, seed: int, path: Path) -> None:
    make_samples(load_pack(game), CHUNK, seed, fair).save(path)
