"""Tables nobody tuned on, with their truth, in the layout `make accuracy` reads.

    python -m tests.make_scenes build/scenes --singles 60 --games 3 --seed 500

Games are played by people who sometimes forget what is due, sometimes try a wrong piece and take it
back, and whose hands are often in the picture. Each picture is settled or has a hand in it, as in
`tests/scenes`; `--seed` chooses the tables.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from rules.board import Cell, Piece, Position
from rules.events import Placed, Taken
from rules.game import Game
from rules.packs import load_pack
from rules.packs.masterplan.state import State, legal_moves
from vision.scene import Scene, random_hand, random_scene, render

BOX = load_pack("masterplan").box
FORGETFUL, CARELESS, IN_THE_WAY = 0.12, 0.1, 0.5
Rng = np.random.Generator


def fair_scene(rng: Rng, **overrides: Any) -> Scene:
    """A table on which a person could see everything: nothing drowned in light."""
    while True:
        scene = random_scene(rng, BOX, **overrides)
        seen = render(scene, rng)
        burnt, dark = (seen.min(axis=-1) >= 250).mean(), (seen.max(axis=-1) <= 12).mean()
        if burnt < 0.1 and dark < 0.3:
            return scene


def format_cells(position: Position) -> dict[str, dict[str, str]]:
    return {str(cell): _format_piece(piece) for cell, piece in position.items()}


def _format_piece(piece: Piece) -> dict[str, str]:
    facts = {"piece": piece.kind, "colour": piece.colour, "anchor": piece.anchor}
    return {name: str(value) for name, value in facts.items() if value is not None}


def truth_of(scene: Scene) -> dict[str, Any]:
    corners = scene.view.corners_px(BOX.board) + 0.5
    return {
        "cells": format_cells(scene.position),
        "pawns": {colour: scene.pawns.get(colour) for colour in BOX.players},
        "corners_a1_h1_h8_a8": np.round(corners, 2).tolist(),
    }


def make_single(folder: Path, name: str, rng: Rng) -> None:
    scene = fair_scene(rng)
    cv2.imwrite(str(folder / f"{name}.jpg"), render(scene, rng))
    truth = {"image": f"{name}.jpg", "markers": bool(scene.look.markers), **truth_of(scene)}
    (folder / f"{name}.json").write_text(json.dumps(truth))


def play(rng: Rng) -> Iterator[Position]:
    """The tables of one game, as they are when hands are away."""
    game: Game[State] = Game(load_pack("masterplan"))
    yield game.verdict.table
    while game.verdict.outcome is None:
        if game.verdict.turn is not None and rng.random() < CARELESS:
            free = [cell for cell in map(Cell, _all_cells()) if cell not in game.verdict.table]
            wrong = Placed(free[int(rng.integers(len(free)))], Piece("tower"))
            if game.tell(wrong).problems:
                yield game.verdict.table
                game.tell(Taken(wrong.cell))
                yield game.verdict.table
        moves = legal_moves(game.state)
        if moves:
            game.tell(moves[int(rng.integers(len(moves)))])
            yield game.verdict.table
        forgets = bool(moves) and game.verdict.turn is not None and rng.random() < FORGETFUL
        while game.verdict.dues and not forgets:
            due = game.verdict.dues[0]
            game.tell(Placed(due.cell, due.piece))
            if not game.verdict.dues:
                yield game.verdict.table


def _all_cells() -> list[str]:
    return [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]


def make_game(folder: Path, rng: Rng) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    scene = fair_scene(rng, position=Position(), size_wh=(1024, 768))
    frames: list[dict[str, Any]] = []

    def take(position: Position, hand: bool) -> None:
        look = replace(scene.look, hand=random_hand(rng, BOX) if hand else None)
        seen = replace(scene, position=position, look=look)
        file = f"{len(frames):03d}.jpg"
        cv2.imwrite(str(folder / file), render(seen, rng))
        frames.append({"file": file, "busy": hand, **truth_of(seen)})

    before = Position()
    for table in play(rng):
        if rng.random() < IN_THE_WAY:
            take(before, hand=True)
        take(table, hand=False)
        before = table
    (folder / "truth.json").write_text(json.dumps({"size": [1024, 768], "frames": frames}))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--singles", type=int, default=60)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=500)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    singles = arguments.folder / "singles"
    singles.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.singles):
        make_single(singles, f"own-{number:03d}", np.random.default_rng([arguments.seed, number]))
    for number in range(arguments.games):
        rng = np.random.default_rng([arguments.seed, 1, number])
        make_game(arguments.folder / "games" / f"own-{number}", rng)


if __name__ == "__main__":
    main()
