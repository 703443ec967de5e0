"""What a visitor of the page can do to a simulated table, one JSON object each:

    put    {"cell": "c4", "piece": {"kind": "house", "colour": "white", "anchor": "ne"}}
    take   {"cell": "c4"}        move   {"from": "c4", "to": "c4", "anchor": "e"}
    clear  {}    wave  {}        lamp   {"level": 0.3, "warmth": 0.5}, or one of them
    bump   {}    plug  {"in": false}

What a hand cannot do (put something where something stands) the table itself refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from firmware.commands import Fields
from rules.board import Anchor, Cell, Piece
from rules.box import Box


class PlayTable(Protocol):
    """A table that is not there, and that the page can reach into."""

    def put(self, piece: Piece, cell: Cell) -> None: ...
    def take(self, cell: Cell) -> object: ...
    def move(self, origin: Cell, cell: Cell, anchor: Anchor | None = None) -> None: ...
    def clear(self) -> None: ...
    def wave(self) -> None:
        """Sweep a hand over the board."""

    def lamp(self, level: float, warmth: float = 0.0) -> None: ...
    def bump(self) -> None:
        """Knock against the camera."""

    def plug(self, plugged: bool) -> None:
        """The camera's cable."""

    def state(self) -> dict[str, Any]:
        """How the table stands, for JSON; with the `lamp` and its `warmth`."""


Touch = Callable[[PlayTable, Fields, Box], None]


def _put(table: PlayTable, fields: Fields, box: Box) -> None:
    fields.only("cell", "piece")
    piece = fields.piece("piece", box)
    if piece is None:
        raise fields.wrong("piece", "a piece")
    table.put(piece, fields.cell("cell", box))


def _take(table: PlayTable, fields: Fields, box: Box) -> None:
    table.take(fields.only("cell").cell("cell", box))


def _move(table: PlayTable, fields: Fields, box: Box) -> None:
    fields.only("from", "to", "anchor")
    origin, cell = fields.cell("from", box), fields.cell("to", box)
    table.move(origin, cell, fields.anchor("anchor"))


def _clear(table: PlayTable, fields: Fields, box: Box) -> None:
    fields.only()
    table.clear()


def _wave(table: PlayTable, fields: Fields, box: Box) -> None:
    fields.only()
    table.wave()


def _lamp(table: PlayTable, fields: Fields, box: Box) -> None:
    fields.only("level", "warmth")
    now = table.state()
    level = fields.number("level") if "level" in fields else now["lamp"]
    table.lamp(level, fields.number("warmth") if "warmth" in fields else now["warmth"])


def _bump(table: PlayTable, fields: Fields, box: Box) -> None:
    fields.only()
    table.bump()


def _plug(table: PlayTable, fields: Fields, box: Box) -> None:
    table.plug(fields.only("in").flag("in"))


TOUCHES: Final[Mapping[str, Touch]] = {
    "put": _put,
    "take": _take,
    "move": _move,
    "clear": _clear,
    "wave": _wave,
    "lamp": _lamp,
    "bump": _bump,
    "plug": _plug,
}
