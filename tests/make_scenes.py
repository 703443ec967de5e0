"""Tables nobody tuned on, with their truth, in the layout `make accuracy` reads.

    python -m tests.make_scenes build/scenes --singles 60 --games 3 --seed 500 [--game GAME]

Games are played by people who sometimes forget what is due, sometimes try a wrong piece and take it
back, and whose hands are often in the picture. Each picture is settled or has a hand in it, as in
`tests/scenes`; `--seed` chooses the tables. Where a game leaves players and board open, these are
chosen too, and the truth says which.
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
from rules.box import Box
from rules.events import Passed, Placed, Taken
from rules.game import Game
from rules.pack import Pack
from rules.packs import PACKS, load_pack
from vision.geometry import View
from vision.scene import Scene, random_hand, random_scene, render
from vision.weights.tables import LaidTable, is_fair, random_settings, random_table, sized

FORGETFUL, CARELESS, IN_THE_WAY = 0.12, 0.1, 0.5
Rng = np.random.Generator


def fair_table(rng: Rng, box: Box, **overrides: Any) -> LaidTable:
    """A table on which a person could see everything: nothing drowned in light."""
    while True:
        if box.board.borrowed:
            table = random_table(rng, sized(rng, box), mark_part=True, **overrides)
        else:
            scene = random_scene(rng, box, **overrides)
            table = LaidTable(box, scene.position, scene.view, scene)
        if is_fair(render(table.scene, rng)):
            return table


def format_cells(position: Position) -> dict[str, dict[str, str]]:
    return {str(cell): _format_piece(piece) for cell, piece in position.items()}


def _format_piece(piece: Piece) -> dict[str, str]:
    facts = {"piece": piece.kind, "colour": piece.colour, "anchor": piece.anchor}
    return {name: str(value) for name, value in facts.items() if value is not None}


def truth_of(box: Box, view: View, position: Position, pawns: Any) -> dict[str, Any]:
    corners = view.corners_px(box.board) + 0.5
    spaces = {colour: pawns.get(colour) for colour in box.players if box.board.track_spaces}
    return {
        "cells": format_cells(position),
        "pawns": spaces,
        "corners_a1_h1_h8_a8": np.round(corners, 2).tolist(),
    }


def settings_by_chance(rng: Rng, pack: Pack[Any]) -> dict[str, str]:
    """Only where the box leaves something open: else chance is left alone, and so are old seeds."""
    return random_settings(rng, pack) if pack.box.board.borrowed else {}


def make_single(folder: Path, name: str, pack: Pack[Any], rng: Rng) -> None:
    settings = settings_by_chance(rng, pack)
    table = fair_table(rng, Game(pack, settings).box)
    scene = table.scene
    cv2.imwrite(str(folder / f"{name}.jpg"), render(scene, rng))
    truth = {
        "image": f"{name}.jpg",
        "markers": bool(scene.look.markers),
        "settings": settings,
        "cell_mm": table.box.board.cell_mm,
        "part_of": scene.box.board.files,
        **truth_of(table.box, table.view, table.position, scene.pawns),
    }
    (folder / f"{name}.json").write_text(json.dumps(truth))


def play(game: Game[Any], rng: Rng) -> Iterator[Position]:
    """The tables of one game, as they are when hands are away."""
    yield game.verdict.table
    while game.verdict.outcome is None:
        task = game.verdict.task
        if task is not None and task.piece is not None:
            game.tell(Placed(task.cells[0], task.piece))
            yield game.verdict.table
            continue
        if game.verdict.turn is not None and rng.random() < CARELESS:
            free = [cell for cell in _all_cells(game.box) if cell not in game.verdict.table]
            wrong = Placed(free[int(rng.integers(len(free)))], _wrong_piece(game))
            if game.tell(wrong).problems:
                yield game.verdict.table
                game.tell(Taken(wrong.cell))
            yield game.verdict.table
        moves = game.pack.legal_moves(game.state)
        if moves:
            game.tell(moves[int(rng.integers(len(moves)))])
            yield game.verdict.table
        elif task is not None and game.verdict.turn is not None:
            game.tell(Passed(game.verdict.turn))
        forgets = bool(moves) and game.verdict.turn is not None and rng.random() < FORGETFUL
        while game.verdict.dues and not forgets:
            due = game.verdict.dues[0]
            game.tell(Placed(due.cell, due.piece))
            if not game.verdict.dues:
                yield game.verdict.table


def _wrong_piece(game: Game[Any]) -> Piece:
    """What is refused nearly anywhere: a thing that has to be due; else the largest of one's own,
    which is refused near another."""
    nobodys = [k for k, f in game.box.pieces.items() if not f.colours and f.shape != "marker"]
    return Piece(nobodys[-1]) if nobodys else Piece(next(iter(game.box.pieces)), game.verdict.turn)


def _all_cells(box: Box) -> list[Cell]:
    places = ((f, r) for f in range(box.board.files) for r in range(box.board.ranks))
    return [cell for place in places if (cell := Cell.at(*place)) is not None]


def make_game(folder: Path, pack: Pack[Any], rng: Rng) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    settings = settings_by_chance(rng, pack)
    game = Game(pack, settings)
    empty = Position(files=game.box.board.files, ranks=game.box.board.ranks)
    laid = fair_table(rng, game.box, position=empty, size_wh=(1024, 768))
    frames: list[dict[str, Any]] = []

    def take(position: Position, hand: bool) -> None:
        scene = laid.scene
        look = replace(scene.look, hand=random_hand(rng, scene.box) if hand else None)
        seen: Scene = replace(scene, position=laid.on_scene(position), look=look)
        file = f"{len(frames):03d}.jpg"
        cv2.imwrite(str(folder / file), render(seen, rng))
        truth = truth_of(laid.box, laid.view, position, scene.pawns)
        frames.append({"file": file, "busy": hand, **truth})

    before = empty
    for table in play(game, rng):
        if rng.random() < IN_THE_WAY:
            take(before, hand=True)
        take(table, hand=False)
        before = table
    truth = {"size": [1024, 768], "settings": settings, "frames": frames}
    (folder / "truth.json").write_text(json.dumps(truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--singles", type=int, default=60)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--game", choices=PACKS, default="masterplan")
    arguments = parser.parse_args()
    pack = load_pack(arguments.game)
    cv2.setNumThreads(1)
    singles = arguments.folder / "singles"
    singles.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.singles):
        rng = np.random.default_rng([arguments.seed, number])
        make_single(singles, f"own-{number:03d}", pack, rng)
    for number in range(arguments.games):
        rng = np.random.default_rng([arguments.seed, 1, number])
        make_game(arguments.folder / "games" / f"own-{number}", pack, rng)


if __name__ == "__main__":
    main()
