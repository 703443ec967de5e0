"""Waiting for the table to settle: from readings, some of them wrong, to changes that are certain.

Every cell is watched for itself, so that one that flickers, or lies under a sleeve, does not hold
up the others:

    the cell is read as   known      the candidate again   something else   unsure, hidden
    ───────────────────────────────────────────────────────────────────────────────────────
    nothing waits         known      –                     a candidate: 1   known
    a candidate waits     known: 0   one sighting more     a candidate: 1   it waits on

A sighting counts only some frames after the one before, when the noise is another. With enough
sightings the candidate is known, and leaves here in a `Change`. Cells that were first seen together
leave together, and those seen first leave first: the order in which pieces came to stand is what
the rules have to judge.

How many sightings are enough depends on what they say. A new piece on an empty cell is what games
are made of; that a standing piece has gone or become another one is rare, and mostly a misreading,
so it takes more of them, and surer ones. Where the referee is waiting for just that (a wrong piece
to be taken off), the cell is `loose` and changes as easily as an empty one.

A cell that stays unsure is not lost: its guesses are gathered over several readings (`doubts`), for
somebody who knows what could have happened there, the rules or a player, to decide (`accept`).

A player's word stands against the eyes (`vouch`): as long as the cell looks as it did when the
player spoke, it is what the player said. Once a hand was over it, that look may mean something new,
so the cell is in doubt again, and somebody is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from rules.board import Cell, Piece, Position
from rules.events import Change
from vision.reading import BoardReading, CellReading


@dataclass(frozen=True, slots=True)
class Patience:
    placed: int = 2
    """Sightings of a piece on a cell that was empty."""
    changed: int = 4
    """Sightings that a standing piece has gone, or is another one."""
    apart: int = 2
    """Frames from one sighting to the next."""


FADING: Final = 0.7
"""What a reading of an unsure cell counts against the next one."""
GONE_FROM: Final = 0.999
"""A standing piece is believed gone, or another one, only by readings as sure as this."""
AS_KNOWN: Final = 0.8
"""An unsure cell that is this likely what it was known to be hides nothing new."""
GATHERED: Final = 4
"""So many readings of an unsure cell are gathered without delay."""
STILLS: Final = Patience(placed=1, changed=2, apart=1)
"""For pictures kept one by one: there is no second look, so a sure reading has to do."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A change that is certain, and the frame in which it was first to be seen."""

    change: Change
    first_frame: int


@dataclass(slots=True)
class _Candidate:
    piece: Piece | None
    first_frame: int
    last_frame: int
    sightings: int = 1


@dataclass(slots=True)
class Doubt:
    """What an unsure cell was taken for, over some readings; the latest count most."""

    since_frame: int
    """Since when it may be something else than it is known to be."""
    last_frame: int
    readings: int = 0
    _weight: float = 0.0
    _sums: dict[Piece | None, float] = field(default_factory=dict)

    def add(self, guesses: Iterable[tuple[Piece | None, float]], frame: int) -> None:
        self.readings += 1
        self.last_frame = frame
        self._weight = FADING * self._weight + 1
        self._sums = {piece: FADING * total for piece, total in self._sums.items()}
        for piece, probability in guesses:
            self._sums[piece] = self._sums.get(piece, 0.0) + probability

    def likely(self) -> list[tuple[Piece | None, float]]:
        """The mean of the guesses, likeliest first."""
        means = [(piece, total / self._weight) for piece, total in self._sums.items()]
        return sorted(means, key=lambda guess: -guess[1])


@dataclass(slots=True)
class _Word:
    """A player said what stands on a cell, against what was seen there."""

    looked_like: Piece | None
    is_stale: bool = False
    """A hand has been over the cell since."""


@dataclass(slots=True)
class Settle:
    known: Position
    patience: Patience = Patience()
    doubts: dict[Cell, Doubt] = field(default_factory=dict)
    """The cells that are unsure, and what they may hold."""
    _waiting: dict[Cell, _Candidate] = field(default_factory=dict)
    _plain: dict[Cell, int] = field(default_factory=dict)
    """The frame in which a cell was last surely seen to be as it is known."""
    _vouched: dict[Cell, _Word] = field(default_factory=dict)

    @property
    def pending(self) -> frozenset[Cell]:
        """Cells that were seen otherwise than they are known."""
        return frozenset(self._waiting)

    def see(self, reading: BoardReading, frame: int, loose: Iterable[Cell] = ()) -> list[Settled]:
        """One more reading; what has become certain by it, in the order in which it came."""
        loose = frozenset(loose)
        certain = []
        for cell, seen in reading.cells.items():
            if cell in reading.hidden:
                if cell in self._vouched:
                    self._vouched[cell].is_stale = True
                continue
            if self._is_vouched(cell, seen):
                self._plain[cell] = frame
                continue
            if cell in reading.unsure or cell in self._vouched:
                self._doubt(cell, seen, frame)
                continue
            self.doubts.pop(cell, None)
            if self._is_certain(cell, seen, frame, loose):
                certain.append(cell)
        return list(self._leave(certain))

    def accept(self, cell: Cell, piece: Piece | None) -> None:
        """Somebody who knows says what stands here."""
        self.doubts.pop(cell, None)
        self._waiting.pop(cell, None)
        self.known = self.known.clear(cell) if piece is None else self.known.put(cell, piece)

    def vouch(self, cell: Cell, piece: Piece | None, seen: CellReading | None, frame: int) -> None:
        """A player says what stands here, whatever it was `seen` as in this frame."""
        self.accept(cell, piece)
        self._plain[cell] = frame
        if seen is not None:
            self._vouched[cell] = _Word(seen.piece)

    @property
    def vouched(self) -> Position:
        """The pieces that are known by a player's word."""
        known = self.known
        named = {cell: known[cell] for cell in list(self._vouched) if cell in known}
        return Position(named, known.files, known.ranks)

    @property
    def wants_another_look(self) -> bool:
        """Something may be told after one or two more readings."""
        # A list, as another thread may ask while the owner changes it.
        fresh = any(d.readings < GATHERED for d in list(self.doubts.values()))
        return bool(self._waiting) or fresh

    def is_plain_since(self, cell: Cell, frame: int) -> bool:
        """Has this cell surely been seen as it is known, in this frame or later?"""
        return self._plain.get(cell, -1) >= frame

    def forget(self) -> None:
        """The board was lost: what waited has to be seen anew."""
        self._waiting.clear()
        self.doubts.clear()

    def _is_vouched(self, cell: Cell, seen: CellReading) -> bool:
        """A player's word for this cell still stands."""
        word = self._vouched.get(cell)
        if word is None:
            return False
        if seen.piece == word.looked_like:
            # A word that agrees with the eyes needs no second asking, however unsure they are.
            return not word.is_stale or seen.piece == self.known.get(cell)
        del self._vouched[cell]  # it looks like neither: see it with fresh eyes
        return False

    def _doubt(self, cell: Cell, seen: CellReading, frame: int) -> None:
        doubt = self.doubts.setdefault(cell, Doubt(frame, frame))
        if dict(seen.guesses).get(self.known.get(cell), 0) >= AS_KNOWN:
            doubt.since_frame = frame + 1
        if not doubt.readings or frame - doubt.last_frame >= self.patience.apart:
            doubt.add(seen.guesses, frame)

    def _is_certain(
        self, cell: Cell, seen: CellReading, frame: int, loose: frozenset[Cell]
    ) -> bool:
        piece = seen.piece
        if piece == self.known.get(cell):
            self._waiting.pop(cell, None)
            self._plain[cell] = frame
            return False
        easily = cell not in self.known or cell in loose
        if not easily and seen.confidence < GONE_FROM:
            return False
        candidate = self._waiting.get(cell)
        if candidate is None or candidate.piece != piece:
            candidate = self._waiting[cell] = _Candidate(piece, frame, frame)
        elif frame - candidate.last_frame >= self.patience.apart:
            candidate.sightings += 1
            candidate.last_frame = frame
        return candidate.sightings >= (self.patience.placed if easily else self.patience.changed)

    def _leave(self, certain: list[Cell]) -> Iterable[Settled]:
        firsts = sorted({self._waiting[cell].first_frame for cell in certain})
        for first in firsts:
            before = after = self.known
            for cell in certain:
                candidate = self._waiting.get(cell)
                if candidate is None or candidate.first_frame != first:
                    continue
                piece = self._waiting.pop(cell).piece
                after = after.clear(cell) if piece is None else after.put(cell, piece)
            self.known = after
            yield Settled(Change(before, after), first)
