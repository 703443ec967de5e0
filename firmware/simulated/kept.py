"""What a simulated table still knows after the device lost its power, and the file it is kept in.

A table belongs to a game: its board lies there, and its players sit around it. A file without that
is of a time when there was only one, and belongs to whoever asks.

The file only has to outlive the device's process, so it is replaced as a whole and never half
written; it is not forced onto the disk. A file that makes no sense is set aside, never deleted.
"""

from __future__ import annotations

import json
import logging
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from rules.board import Anchor, Cell, Piece, Position
from rules.box import Box
from rules.errors import BadSetting

DARKEST, BRIGHTEST = 0.05, 1.5
"""How far the lamp can be dimmed and turned up; 1 is pleasant."""
COOLEST, WARMEST = -1.0, 1.0
"""A window, and a candle."""
_SET_ASIDE: Final = ".unreadable"
_log = logging.getLogger(__name__)


class Setup(NamedTuple):
    """What lies on a table before the first piece is put on it, and who plays there."""

    game: str
    files: int
    ranks: int
    players: tuple[str, ...]

    @staticmethod
    def of(box: Box) -> Setup:
        return Setup(box.game, box.board.files, box.board.ranks, box.players)

    @property
    def board(self) -> tuple[str, int, int]:
        return self.game, self.files, self.ranks


@dataclass(frozen=True, slots=True)
class Kept:
    setup: Setup
    seed: int
    """Which table it is."""
    position: Position
    pawns: dict[str, int]
    """By colour: the space of the score track."""
    lamp: float = 1.0
    warmth: float = 0.0
    bumps: int = 0
    """How often somebody knocked against the camera."""
    plugged: bool = True
    """The camera's cable."""

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("lamp", self.lamp, DARKEST, BRIGHTEST),
            ("warmth", self.warmth, COOLEST, WARMEST),
        ):
            if not (math.isfinite(value) and least <= value <= most):
                raise BadSetting(f"{name} cannot be {value}: expected {least} to {most}")


def format_kept(kept: Kept) -> dict[str, Any]:
    return {
        **kept.setup._asdict(),
        "players": list(kept.setup.players),
        "seed": kept.seed,
        "pieces": [
            {"cell": cell, "kind": piece.kind, "colour": piece.colour, "anchor": piece.anchor}
            for cell, piece in sorted(kept.position.items())
        ],
        "pawns": dict(kept.pawns),
        "lamp": kept.lamp,
        "warmth": kept.warmth,
        "bumps": kept.bumps,
        "plugged": kept.plugged,
    }


def parse_kept(data: dict[str, Any], ours: Setup) -> Kept:
    """The reverse of `format_kept`; ValueError, KeyError or TypeError where it makes no sense.

    What does not say whose it is, is `ours`.
    """
    setup = ours
    if "game" in data:
        players = tuple(str(colour) for colour in list(data["players"]))
        setup = Setup(str(data["game"]), int(data["files"]), int(data["ranks"]), players)
    pieces = {
        Cell(facts["cell"]): Piece(
            str(facts["kind"]),
            facts["colour"],
            None if facts["anchor"] is None else Anchor(facts["anchor"]),
        )
        for facts in data["pieces"]
    }
    return Kept(
        setup=setup,
        seed=int(data["seed"]),
        position=Position(pieces, setup.files, setup.ranks),
        pawns={str(colour): int(space) for colour, space in dict(data["pawns"]).items()},
        lamp=float(data["lamp"]),
        warmth=float(data["warmth"]),
        bumps=int(data["bumps"]),
        plugged=bool(data["plugged"]),
    )


class TableFile:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_writable = True

    def load(self, ours: Setup) -> Kept | None:
        """What was kept; None where there is nothing yet, or nothing that makes sense."""
        try:
            return parse_kept(json.loads(self._path.read_text(encoding="utf-8")), ours)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.set_aside(error)
            return None

    def set_aside(self, why: Exception) -> None:
        _log.warning("%s makes no sense (%s): set aside, the table is empty", self._path, why)
        try:
            self._path.replace(self._path.with_name(self._path.name + _SET_ASIDE))
        except OSError as error:
            _log.warning("%s cannot be set aside: %s", self._path, error)

    def save(self, kept: Kept) -> None:
        """Where the disk says no, the table stands all the same; it is said once."""
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            fresh.write_text(json.dumps(format_kept(kept)), encoding="utf-8")
            fresh.replace(self._path)
        except OSError as error:
            if self._is_writable:
                _log.warning("%s cannot be written: %s", self._path, error)
            self._is_writable = False
        else:
            self._is_writable = True
