"""The guided calibration, step by step: a pure machine of presses and looks, and its words.

    step     shows                        OK, RIGHT              LEFT            a look that comes
    ───────────────────────────────────────────────────────────────────────────────────────────────
    empty    clear the board              look                                   empty: found
                                                                                 not: say so, once
    found    the board was found          place, the first       empty
    place    a piece for a named cell     the next; then look    the one before  result
    result   what was read of it          the next page; keep    page, look again
    kept     where it is kept             done
    done     that it is over

UNDO ends it anywhere, and nothing is kept. Each look is asked for by a press (`is_looking`) and
answered by `see`. What cannot be read, or a camera that fails, is shown and the step stays; who is
told that the board is not empty and presses OK once more has said that it is.

Nothing here draws or waits; `firmware.calibrate` does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from firmware import views
from firmware.actions import Button
from firmware.miniboard import MiniBoard
from firmware.screens import Screen, Text
from firmware.snapshot import Failure
from rules.board import Cell, Piece, Position
from rules.box import Box
from rules.voice import Brief, Language, Voice
from vision.calibration import Sample, TableCalibration, choose_samples, measure
from vision.reading import BoardReading, Unreadable


class Step(StrEnum):
    EMPTY = "empty"
    FOUND = "found"
    PLACE = "place"
    RESULT = "result"
    KEPT = "kept"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Guide:
    box: Box
    step: Step = Step.EMPTY
    at: int = 0
    """Which piece is to be put, or which page of the result is shown."""
    is_looking: bool = False
    """The next look at the table is waited for."""
    trouble: Unreadable | Failure | None = None
    """Why the last look gave nothing."""
    leftover: tuple[Cell, ...] = ()
    """Where something was seen on the board that should be empty."""
    empty: BoardReading | None = None
    sampled: BoardReading | None = None
    result: TableCalibration | None = None

    @property
    def wanted(self) -> Position:
        return choose_samples(self.box)

    def press(self, button: Button) -> Guide:
        if self.step is Step.DONE or (self.is_looking and button is not Button.UNDO):
            return self
        if button is Button.UNDO:
            return replace(self, step=Step.DONE, is_looking=False, result=None)
        return self._back() if button is Button.LEFT else self._on()

    def see(self, seen: BoardReading | Unreadable | Failure, now: datetime) -> Guide:
        """The look that was waited for."""
        calm = replace(self, is_looking=False, trouble=None)
        if not self.is_looking:
            return self
        if not isinstance(seen, BoardReading):
            return replace(calm, trouble=seen)
        if self.step is Step.EMPTY:
            leftover = tuple(sorted(seen.position))
            if leftover and leftover != self.leftover:
                return replace(calm, leftover=leftover)
            return replace(calm, step=Step.FOUND, empty=seen, leftover=())
        if self.empty is None:
            raise ValueError("samples were seen before the empty board: expected it first")
        result = measure(self.box, self.wanted, self.empty, seen, now)
        return replace(calm, step=Step.RESULT, at=0, sampled=seen, result=result)

    @property
    def wants_to_be_kept(self) -> bool:
        """All of the result has been seen and found good: answered by `keep`."""
        return self.step is Step.RESULT and self.at >= self._result_pages

    def keep(self, trouble: Failure | None = None) -> Guide:
        """The result was stored, or why not."""
        if trouble is not None:
            return replace(self, at=self._result_pages - 1, trouble=trouble)
        return replace(self, step=Step.KEPT, at=0)

    def _on(self) -> Guide:
        match self.step:
            case Step.EMPTY:
                return replace(self, is_looking=True)
            case Step.FOUND:
                return replace(self, step=Step.PLACE, at=0)
            case Step.PLACE if self.at + 1 < len(self.wanted):
                return replace(self, at=self.at + 1)
            case Step.PLACE:
                return replace(self, is_looking=True)
            case Step.RESULT:
                return replace(self, at=self.at + 1, trouble=None)
        return replace(self, step=Step.DONE)

    def _back(self) -> Guide:
        match self.step:
            case Step.FOUND:
                return replace(self, step=Step.EMPTY)
            case Step.PLACE | Step.RESULT if self.at > 0:
                return replace(self, at=self.at - 1, trouble=None)
            case Step.PLACE:
                return replace(self, step=Step.FOUND, trouble=None)
            case Step.RESULT:
                last = len(self.wanted) - 1
                return replace(self, step=Step.PLACE, at=last, is_looking=True, result=None)
        return self

    def _faults(self) -> tuple[Sample, ...]:
        samples = self.result.samples if self.result else ()
        return tuple(s for s in samples if not (s.is_right and s.is_sure))

    # ---- words ----

    def brief(self, language: Language, voice: Voice) -> Brief:
        """What is shown now."""
        if self.is_looking:
            return _say("setup", language)
        match self.trouble:
            case Unreadable():
                return views.brief_unreadable(self.trouble, language)
            case Failure():
                return views.brief_failure(self.trouble, language)
        match self.step:
            case Step.EMPTY if self.leftover:
                return _say("calibrate.leftover", language, self.leftover)
            case Step.FOUND if self.empty and self.empty.unsure:
                return _say("calibrate.found-unsure", language, tuple(sorted(self.empty.unsure)))
            case Step.PLACE:
                return self._brief_place(language, voice)
            case Step.RESULT:
                return self._brief_result(language, voice)
        return _say(f"calibrate.{self.step}", language)

    def screen(self, language: Language, voice: Voice, phase: int) -> Screen:
        """The same for the display, with the board beside what is about cells."""
        brief = self.brief(language, voice)
        *head, last = brief.title.rsplit(" ", 1)
        is_cell = bool(brief.cells) and last == brief.cells[0]
        text = (
            Text(" ".join(head), brief.lines, last) if is_cell else Text(brief.title, brief.lines)
        )
        if not brief.cells:
            return Screen(text, phase)
        blinking: dict[Cell, Piece | None] = dict.fromkeys(brief.cells)
        if self.step in (Step.PLACE, Step.RESULT):
            blinking = {cell: self.wanted.get(cell) for cell in brief.cells}
        return Screen(text, phase, MiniBoard(self.box, self._placed(), blinking))

    def _placed(self) -> Position:
        """What should stand on the board by now."""
        wanted = self.wanted
        count = {Step.PLACE: self.at, Step.RESULT: len(wanted)}.get(self.step, 0)
        return Position(dict(list(wanted.items())[:count]), wanted.files, wanted.ranks)

    def _brief_place(self, language: Language, voice: Voice) -> Brief:
        cell, piece = list(self.wanted.items())[self.at]
        key, name = "calibrate.put", voice.piece(piece._replace(anchor=None))
        if piece.anchor is not None:
            line = views.say(f"{key}-anchor", language, piece=name, anchor=piece.anchor)
        else:
            line = views.say(key, language, piece=name)
        return Brief(str(cell), (line,), (cell,))

    @property
    def _result_pages(self) -> int:
        """One where all is well; else what is not, with a page before and a page behind."""
        faults = len(self._faults())
        return faults + 2 if faults else 1

    def _brief_result(self, language: Language, voice: Voice) -> Brief:
        faults, count = self._faults(), len(self.wanted)
        if not faults:
            return _say("calibrate.good", language)
        if self.at == 0:
            return _say("calibrate.doubt", language, count=count - len(faults), all=count)
        if self.at > len(faults):
            return _say("calibrate.enough", language)
        return _brief_fault(faults[self.at - 1], language, voice)


def _brief_fault(fault: Sample, language: Language, voice: Voice) -> Brief:
    name = voice.piece(fault.piece._replace(anchor=None))
    if fault.seen is None:
        line = views.say("calibrate.unseen", language, piece=name)
    elif fault.is_right:
        line = views.say("calibrate.unsure", language, piece=name)
    elif fault.seen[:2] == fault.piece[:2]:
        line = views.say("calibrate.askew", language, anchor=fault.piece.anchor)
    else:
        other = voice.piece(fault.seen._replace(anchor=None))
        line = views.say("calibrate.mistaken", language, other=other)
    return Brief(str(fault.cell), (line,), (fault.cell,))


def _say(key: str, language: Language, cells: tuple[Cell, ...] = (), **words: object) -> Brief:
    title = views.say(f"{key}.title", language)
    return Brief(title, (views.say(f"{key}.advice", language, **words),), cells)
