"""The simulated table: what truly stands where, whatever the device believes.

People lay pieces here by clicking, and a hand does it for them: it reaches in, leaves the piece and
is gone, one gesture after the other. The table knows no rules. Anything can be put on any empty
cell, as far as the box holds it; only flat pieces never run out, as anybody can cut one from paper.

The web asks from the event loop while the camera looks from its own thread, so everything happens
under one lock. A table that is kept (`keep`) is written to its file at every change: a real table
does not forget either when the device loses its power. Gestures are not kept; what a hand has begun
counts as done. Time is the clock that was handed in.

Another game, or another board of the same, is another table (`use`): nothing stands on it yet.
Where only the players change, pieces that nobody plays with any more go back into their box. A file
that belongs to another table than the one in use waits untouched until that is used, or until the
first change: a device that comes back knows only after a while which game was going on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from firmware.simulated.hands import Gesture, handle, seat, sweep
from firmware.simulated.kept import Kept, Setup, TableFile, format_kept
from firmware.simulated.look import HOME
from rules.board import Anchor, Cell, Piece, Position
from rules.box import Box
from rules.errors import ParkwardenError
from vision.scene.table import Hand

_ENDLESS: Final = ("slab", "marker")
"""Pieces of these shapes never run out."""


class BadPlacement(ParkwardenError, ValueError):
    """A piece that cannot be put, or taken, there."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """All there is to see at one moment; equal glimpses make the same picture."""

    table: Kept
    """With the pieces that stand at this moment."""
    hand: Hand | None
    box: Box
    """What lies on it."""


class SimulatedTable:
    def __init__(
        self, box: Box, clock: Callable[[], float], *, seed: int = HOME, hands: bool = True
    ) -> None:
        self.box = box
        self._clock, self._hands = clock, hands
        self._lock = threading.RLock()
        self._file: TableFile | None = None
        self._bare = Position(files=box.board.files, ranks=box.board.ranks)
        self._kept = Kept(Setup.of(box), seed, self._bare, _start(box))
        """The table, once the hands that are on their way have done their work."""
        self._standing = self._bare
        """What stands at this moment."""
        self._waiting: Kept | None = None
        """What the file says of another table than this one."""
        self._gestures: list[Gesture] = []
        self._side = 0
        """Whose hand comes next: that of the player whose piece was last touched."""

    def keep(self, path: Path) -> None:
        """From now on the table is what this file says, and the file what the table is."""
        with self._lock:
            self._file = TableFile(path)
            kept = self._file.load(self._kept.setup)
            if kept is not None and kept.setup != self._kept.setup:
                self._waiting = kept
                return
            if kept is not None:
                try:
                    self._check_all(kept)
                except BadPlacement as error:
                    self._file.set_aside(error)
                else:
                    self._stand(kept)
            self._change(self._kept)

    def use(self, box: Box) -> None:
        """From now on this is the table of that box; what does not belong on it is gone."""
        with self._lock:
            if box == self.box:
                return
            setup, kept = Setup.of(box), self._kept
            if self._waiting is not None and self._waiting.setup == setup:
                kept = self._waiting
            self.box, self._side = box, 0
            self._bare = Position(files=setup.files, ranks=setup.ranks)
            position = self._bare
            if kept.setup.board == setup.board:
                for cell, piece in kept.position.items():
                    with suppress(BadPlacement):
                        self._check(piece, cell, position)
                        position = position.put(cell, piece)
            pawns = {**_start(box), **{c: s for c, s in kept.pawns.items() if c in _start(box)}}
            self._stand(replace(kept, setup=setup, position=position, pawns=pawns))
            self._change(self._kept)

    @property
    def position(self) -> Position:
        """What stands; what the hands are just doing is taken as done."""
        return self._kept.position

    def put(self, piece: Piece, cell: Cell) -> None:
        with self._lock:
            self._check(piece, cell, self._kept.position)
            self._act([(cell, piece)])

    def can_put(self, piece: Piece, cell: Cell) -> bool:
        """The cell is free, and such a piece is left."""
        with self._lock, suppress(BadPlacement):
            self._check(piece, cell, self._kept.position)
            return True
        return False

    def take(self, cell: Cell) -> Piece:
        """The piece that was there."""
        with self._lock:
            piece = self._piece_on(cell)
            self._act([(cell, None)])
            return piece

    def move(self, origin: Cell, cell: Cell, anchor: Anchor | None = None) -> None:
        """A piece to another cell, or to another anchor of its own."""
        with self._lock:
            piece = self._piece_on(origin)._replace(anchor=anchor)
            self._check(piece, cell, self._kept.position.clear(origin))
            self._act([(origin, None), (cell, piece)])

    def clear(self) -> None:
        """Everything off the board with one sweep, and the pawns back to the start."""
        with self._lock:
            cleared = tuple(self._kept.position)
            if self._hands and cleared:
                self._sweep(cleared)
            else:
                self._gestures, self._standing = [], self._bare
            pawns = dict.fromkeys(self._kept.pawns, 0)
            self._change(replace(self._kept, position=self._bare, pawns=pawns))

    def wave(self) -> None:
        """A hand sweeps over the board and does nothing."""
        with self._lock:
            self._sweep(())

    def lamp(self, level: float | None = None, warmth: float | None = None) -> None:
        """Dim or tint it, None for as it is; `BadSetting` beyond the bounds in `kept`."""
        with self._lock:
            level = self._kept.lamp if level is None else level
            warmth = self._kept.warmth if warmth is None else warmth
            self._change(replace(self._kept, lamp=level, warmth=warmth))

    def bump(self) -> None:
        """Somebody knocks against the camera: from now on it looks a little askew."""
        with self._lock:
            self._change(replace(self._kept, bumps=self._kept.bumps + 1))

    def plug(self, plugged: bool) -> None:
        """The camera's cable."""
        with self._lock:
            self._change(replace(self._kept, plugged=plugged))

    def lay(self, seed: int) -> None:
        """The same pieces on another table; `HOME` is the first one."""
        with self._lock:
            self._change(replace(self._kept, seed=seed))

    def set_pawn(self, colour: str, space: int) -> None:
        with self._lock:
            self._check_pawn(colour, space)
            self._change(replace(self._kept, pawns={**self._kept.pawns, colour: space}))

    def state(self) -> dict[str, Any]:
        """The table for a page, with the pieces of `position`."""
        with self._lock:
            supply = [
                {"kind": kind, "colour": colour, "left": max(left, 0)}
                for (kind, colour), left in self._supply(self._kept.position)
            ]
            has_hand = self.glimpse().hand is not None
            return {**format_kept(self._kept), "supply": supply, "hand": has_hand}

    def glimpse(self) -> Glimpse:
        """The table at this very moment."""
        with self._lock:
            now_s = self._clock()
            self._catch_up(now_s)
            hands = (gesture.hand_at(now_s) for gesture in self._gestures)
            hand = next((hand for hand in hands if hand is not None), None)
            return Glimpse(replace(self._kept, position=self._standing), hand, self.box)

    def _stand(self, kept: Kept) -> None:
        """This is how it stands, without any hand."""
        self._kept, self._standing, self._gestures = kept, kept.position, []

    def _change(self, kept: Kept) -> None:
        self._kept, self._waiting = kept, None
        if self._file is not None:
            self._file.save(kept)

    def _act(self, stops: list[tuple[Cell, Piece | None]]) -> None:
        position = self._kept.position
        for cell, piece in stops:
            touched = piece or position[cell]
            if touched.colour is not None:
                player = self.box.players.index(touched.colour)
                self._side = seat(player, len(self.box.players))
            position = _with(position, cell, piece)
        if self._hands:
            start_s = self._next_s()
            self._gestures.append(handle(start_s, self._side, stops, self.box.board))
        else:
            self._gestures, self._standing = [], position
        self._change(replace(self._kept, position=position))

    def _sweep(self, cleared: tuple[Cell, ...]) -> None:
        start_s = self._next_s()
        self._gestures.append(sweep(start_s, self._side, cleared, self.box.board))

    def _next_s(self) -> float:
        """When the next gesture can begin: there is one hand at a time."""
        now_s = self._clock()
        self._catch_up(now_s)
        return self._gestures[-1].until_s if self._gestures else now_s

    def _catch_up(self, now_s: float) -> None:
        for gesture in self._gestures:
            for deed in gesture.deeds:
                if deed.at_s <= now_s:
                    self._standing = _with(self._standing, deed.cell, deed.piece)
        self._gestures = [gesture for gesture in self._gestures if gesture.until_s > now_s]

    def _piece_on(self, cell: Cell) -> Piece:
        if cell not in self._kept.position:
            raise BadPlacement(f"nothing stands on {cell}: expected a cell with a piece")
        return self._kept.position[cell]

    def _check(self, piece: Piece, cell: Cell, position: Position) -> None:
        """Can this be put there?"""
        facts = self.box.pieces.get(piece.kind)
        if facts is None:
            raise BadPlacement(
                f"the box has no {piece.kind!r}: expected {' or '.join(self.box.pieces)}"
            )
        if piece.colour not in (facts.colours or (None,)):
            colours = " or ".join(facts.colours) or "no colour"
            raise BadPlacement(f"{piece.kind} of colour {piece.colour!r}: expected {colours}")
        if piece.anchor is not None and not facts.anchored:
            raise BadPlacement(f"{piece.kind} in anchor {piece.anchor}: it stands in none")
        if cell.file >= position.files or cell.rank >= position.ranks:
            raise BadPlacement(f"{cell} is off the board: expected a cell on it")
        if cell in position:
            raise BadPlacement(f"{cell} holds a {position[cell].kind}: take that off first")
        left = dict(self._supply(position))[piece.kind, piece.colour]
        if left <= 0 and facts.shape not in _ENDLESS:
            name = f"{piece.colour} {piece.kind}" if piece.colour else piece.kind
            raise BadPlacement(f"no {name} is left: all {facts.count} stand on the board")

    def _check_pawn(self, colour: str, space: int) -> None:
        spaces = self.box.board.track_spaces
        if colour not in self._kept.pawns or not 0 <= space < spaces:
            raise BadPlacement(
                f"no pawn {colour!r} on space {space}: expected"
                f" {' or '.join(self._kept.pawns)} on 0 to {spaces - 1}"
            )

    def _check_all(self, kept: Kept) -> None:
        position = self._bare
        for cell, piece in kept.position.items():
            self._check(piece, cell, position)
            position = position.put(cell, piece)
        for colour, space in kept.pawns.items():
            self._check_pawn(colour, space)

    def _supply(self, position: Position) -> Iterator[tuple[tuple[str, str | None], int]]:
        """What is left in the box, by kind and colour."""
        for kind, facts in self.box.pieces.items():
            for colour in facts.colours or (None,):
                used = sum((p.kind, p.colour) == (kind, colour) for p in position.values())
                yield (kind, colour), facts.count - used


def _start(box: Box) -> dict[str, int]:
    """The pawns where a game begins."""
    return dict.fromkeys(box.players, 0) if box.board.track_spaces else {}


def _with(position: Position, cell: Cell, piece: Piece | None) -> Position:
    return position.clear(cell) if piece is None else position.put(cell, piece)
