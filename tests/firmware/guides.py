"""The guide of a calibration in every state that has words of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from firmware.guide import Guide, Step
from firmware.snapshot import Failure, Part
from rules.board import Anchor, Cell, Piece, Position
from rules.packs.masterplan import PACK
from tests.vision.looks import reading_of
from vision import refusal
from vision.calibration import choose_samples
from vision.reading import BoardReading

NOW: Final = datetime(2026, 11, 18, 14, 30, tzinfo=UTC)
WANTED: Final = choose_samples(PACK.box)
BARE: Final = reading_of(Position())


def looking(guide: Guide) -> Guide:
    return replace(guide, is_looking=True)


def placed(empty: BoardReading = BARE) -> Guide:
    """All pieces are put, and OK was pressed."""
    last = len(WANTED) - 1
    return Guide(PACK.box, Step.PLACE, last, is_looking=True, empty=empty)


def sampled(**changes: Piece | None) -> BoardReading:
    """The samples, but for what is seen otherwise."""
    seen = {cell: changes.get(cell, piece) for cell, piece in WANTED.items()}
    return reading_of({cell: piece for cell, piece in seen.items() if piece is not None})


def with_results() -> Iterator[Guide]:
    """Every pair of pieces that can be mistaken, and every other fault, page by page."""
    pieces = list(WANTED.values())
    yield placed().see(sampled(), NOW)
    for cell, piece in WANTED.items():
        others: list[Piece | None] = [None, *(p for p in pieces if p != piece)]
        if piece.anchor:
            others.append(piece._replace(anchor=Anchor.SW))
        for other in others:
            guide = placed().see(sampled(**{cell: other}), NOW)
            yield from (replace(guide, at=at) for at in range(3))
        unsure = {str(cell): ((piece, 0.9), (None, 0.1))}
        guide = placed().see(reading_of(WANTED, guesses=unsure), NOW)
        yield from (replace(guide, at=at) for at in range(3))


def every_guide() -> Iterator[Guide]:
    fresh = Guide(PACK.box)
    yield fresh
    yield looking(fresh)
    yield replace(fresh, trouble=refusal.NO_BOARD)
    yield replace(fresh, trouble=Failure(Part.CAMERA, "unplugged"))
    yield looking(fresh).see(reading_of({Cell("c4"): Piece("park")}), NOW)
    yield looking(fresh).see(BARE, NOW)
    yield looking(fresh).see(reading_of(Position(), unsure=["c4"]), NOW)
    yield from (Guide(PACK.box, Step.PLACE, at, empty=BARE) for at in range(len(WANTED)))
    yield from with_results()
    yield Guide(PACK.box, Step.KEPT)
    yield Guide(PACK.box, Step.DONE)
