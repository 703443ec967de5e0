"""`parkwarden read` and `parkwarden watch`: photos read, recordings refereed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import cv2
import numpy as np

from firmware.judging import answer, summarise
from firmware.referee import Referee, Ruling
from rules.board import Cell, Piece, format_position
from rules.box import BoardFacts, Box
from rules.game import Game
from vision.classify import Classifier
from vision.frame import BadPicture, count_frames, load_picture, read_recording
from vision.geometry import Image
from vision.glance import glance
from vision.overlay import draw_reading
from vision.reading import BoardReading, Unreadable
from vision.watch import Watcher

PIXEL_CORNER = 0.5
"""Programs count pixels from the corner of the first one, OpenCV from its middle."""


def read_photos(
    box: Box,
    paths: list[Path],
    out: TextIO,
    as_json: bool,
    picture: Path | None,
    boards: Sequence[BoardFacts] = (),
) -> bool:
    """Every photo read in turn; False where one shows no board.

    `boards` are those it may be where nobody said which; none where it is the box's own.
    """
    classifier = Classifier(box)
    all_found = True
    for path in paths:
        image = load_picture(path)
        seen = glance(image, classifier, boards)
        all_found &= isinstance(seen, BoardReading)
        if isinstance(seen, BoardReading):
            box = replace(box, board=replace(box.board, files=seen.files, ranks=seen.ranks))
        if as_json:
            out.write(json.dumps({"image": path.name, **format_look(seen, box)}) + "\n")
        else:
            out.write(describe_look(path, seen))
        if picture is not None and isinstance(seen, BoardReading):
            save_picture(picture, draw_reading(image, seen, box))
        out.flush()
    return all_found


def format_look(seen: BoardReading | Unreadable, box: Box) -> dict[str, object]:
    """The look in the shape that programs rely on."""
    if isinstance(seen, Unreadable):
        return {"found": False, "reason": seen.reason, "advice": seen.advice}
    corners = seen.view.corners_px(box.board) + PIXEL_CORNER
    cells = {
        cell: _format_piece(reading.piece, reading.confidence)
        for cell, reading in sorted(seen.cells.items())
        if reading.piece is not None
    }
    return {
        "found": True,
        "corners": np.round(corners, 2).tolist(),
        "cells": cells,
        "unsure": sorted(seen.unsure),
        "pawns": dict(seen.pawns),
        "advice": list(seen.advice),
    }


def _format_piece(piece: Piece, confidence: float) -> dict[str, object]:
    facts: dict[str, object] = {"piece": piece.kind}
    if piece.colour is not None:
        facts["colour"] = piece.colour
    if piece.anchor is not None:
        facts["anchor"] = piece.anchor
    return {**facts, "confidence": round(confidence, 4)}


def describe_look(path: Path, seen: BoardReading | Unreadable) -> str:
    if isinstance(seen, Unreadable):
        return f"{path}: {seen.advice}\n"
    notes: dict[Cell, str] = dict.fromkeys(seen.unsure, "?")
    text = f"{path}\n{format_position(seen.position, notes)}\n"
    if seen.unsure:
        text += f"not sure of: {' '.join(sorted(seen.unsure))}\n"
    text += "".join(f"{line}\n" for line in seen.advice)
    pawns = [f"{c} {'?' if space is None else space}" for c, space in seen.pawns.items()]
    return text + (f"pawns: {', '.join(pawns)}\n\n" if pawns else "\n")


def save_picture(path: Path, image: Image) -> None:
    written, data = cv2.imencode(path.suffix or ".png", image)
    if not written:
        raise BadPicture(f"{path}: cannot be written: expected a name that ends in .png or .jpg")
    path.write_bytes(data.tobytes())


def watch_recording(game: Game[Any], path: Path, out: TextIO, warn: TextIO, as_json: bool) -> None:
    """Referee a recording from the empty board on."""
    referee = Referee(game, Watcher(game.box))
    told_trouble = None
    for number, ruling in _with_progress(referee, path, warn):
        for verdict in ruling.verdicts:
            for line in answer(game, verdict, as_json, {"frame": number}):
                out.write(line + "\n")
            out.flush()
        trouble = describe_trouble(ruling)
        if trouble != told_trouble and trouble is not None:
            warn.write(f"frame {number}: {trouble}\n")
        told_trouble = trouble
    if not as_json:
        out.write(summarise(game))


def describe_trouble(ruling: Ruling) -> str | None:
    """Why nothing more can be said just now."""
    if ruling.sight.trouble is not None:
        return ruling.sight.trouble.advice
    if ruling.question is not None and not ruling.verdicts:
        return "several things may have happened: take the last pieces back and play one by one"
    if ruling.waiting_for:
        return f"cannot see {' '.join(sorted(ruling.waiting_for))}: clear the view"
    return None


def _with_progress(referee: Referee, path: Path, warn: TextIO) -> Iterator[tuple[int, Ruling]]:
    total = count_frames(path)
    shown = warn is sys.stderr and warn.isatty() and bool(total)
    for frame in read_recording(path):
        ruling = referee.see(frame)
        if shown:
            warn.write("\r\033[K")  # what is said now gets a line of its own
            warn.flush()
        yield frame.number, ruling
        if shown and total:
            done = (frame.number + 1) / total
            bar = "█" * round(30 * done)
            warn.write(f"\r{bar:░<30} {done:4.0%}  frame {frame.number + 1} of {total} ")
            warn.flush()
    if shown:
        warn.write("\r\033[K")
