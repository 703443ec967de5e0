"""Which screen a snapshot asks for: what is on it, in words and cells, without a pixel.

What comes first:

    a dialog      somebody has pressed a button: that, until it is left
    an alarm      what needs attention now
    set-up        no board has been seen since the device was switched on, or the game was chosen
    dues          what has to be put up, one after the other
    gains         points that were scored just now
    a task        what the player on turn has to put up, and where that usually goes
    the outcome   who has won
    the turn      whose turn it is, and the score

`phase` counts half seconds and is all that moves: what blinks is dark in odd ones, and where there
is more to say than there is room for, the next part comes after `LINGER` of them. A screen of the
same snapshot and phase is always the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Final

from firmware import options, views
from firmware.dialog import About, FinalCount, Listing, Pairing, Playing, UndoPreview, Why
from firmware.miniboard import MiniBoard
from firmware.snapshot import Failure, Hidden, Leftover, Part, Seeing, Snapshot
from rules.board import Cell, Piece
from rules.errors import BadWord
from rules.table import REMOVED
from rules.verdict import Due, Gain, Outcome, Problem, Task, Verdict
from rules.voice import Brief
from vision.reading import Unreadable

PHASE_S: Final = 0.5
LINGER: Final = 8
"""So many phases a page stays when there are several."""
_ICONS: Final = {Part.CAMERA: "camera", Part.STORE: "card", Part.ARCHIVE: "card"}


@dataclass(frozen=True, slots=True)
class Text:
    """A title, and lines that are wrapped."""

    title: str
    lines: tuple[str, ...] = ()
    cell: str = ""
    """Part of the title, and written larger."""
    is_loud: bool = False
    """The title stands in a lit bar."""


@dataclass(frozen=True, slots=True)
class Choices:
    title: str
    rows: tuple[str, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Gained:
    """What each player has just gained, and one entry of the account of it."""

    totals: tuple[int | None, ...]
    """In the order of the players; of many, None for one to whom nothing happened."""
    line: str


@dataclass(frozen=True, slots=True)
class Score:
    names: tuple[str, ...]
    points: tuple[int, ...]
    """In the order of the players, as the names."""
    lit: frozenset[int]
    """The players whose name stands in a lit bar: on turn, or having won."""
    line: str
    note: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """The QR code of the page, the code that pairs, the address to type."""

    title: str
    link: str
    code: str
    address: str


Body = Text | Choices | Gained | Score | Code


@dataclass(frozen=True, slots=True)
class Screen:
    body: Body
    phase: int
    beside: MiniBoard | str | None = None
    """What is drawn to the left of the words: the board, or an icon by its name."""
    corner: str = ""
    """Which page of how many."""
    badges: tuple[str, ...] = ()
    """Small icons: of what goes wrong all the while."""


def screen_for(snapshot: Snapshot, phase: int) -> Screen:
    return _Maker(snapshot, phase).make()


@dataclass(frozen=True, slots=True)
class _Maker:
    snapshot: Snapshot
    phase: int

    def make(self) -> Screen:
        snapshot, verdict = self.snapshot, self.snapshot.verdict
        match snapshot.dialog:
            case Listing() as listing:
                return self._listing(listing)
            case Why(pages, at):
                return self._why(pages, at)
            case UndoPreview() as preview:
                brief = views.brief_undo(preview, snapshot)
                return self._board(brief, blinking=dict.fromkeys(brief.cells))
            case Pairing():
                return self._pairing()
            case About():
                return self._about()
            case FinalCount(at):
                return self._count(verdict.outcome, at)
            case Playing():
                pass
        if snapshot.alarm is not None:
            return self._alarm()
        if snapshot.seeing is Seeing.STARTING:
            return self._setup()
        if verdict.dues:
            return self._dues(verdict.dues)
        if snapshot.fresh is not None and snapshot.fresh.gains:
            return self._gains(snapshot.fresh)
        if verdict.task is not None and verdict.task.cells:
            return self._task(verdict.task)
        return self._score()

    # ---- dialogs ----

    def _listing(self, listing: Listing) -> Screen:
        title = options.title_listing(listing, self.snapshot)
        rows = options.name_options(listing, self.snapshot)
        beside = self._mini({listing.cell: None}) if listing.cell is not None else None
        return self._screen(Choices(title, rows, listing.at), beside)

    def _why(self, pages: Sequence[Brief], at: int) -> Screen:
        language = self.snapshot.language
        if not pages:
            pages = (Brief("", (views.say("why.nothing.advice", language),)),)
        brief = pages[at % len(pages)]
        corner = f"{at % len(pages) + 1}/{len(pages)}" if len(pages) > 1 else ""
        lines = tuple(line.strip().removeprefix("! ") for line in brief.lines)
        brief = Brief(brief.title or views.say("why.nothing.title", language), lines, brief.cells)
        beside = self._mini({}, brief.cells) if brief.cells else None
        return self._screen(_text(brief), beside, corner)

    def _pairing(self) -> Screen:
        access, language = self.snapshot.access, self.snapshot.language
        if not access.url:
            lines = (views.say("pairing.none.advice", language),)
            return self._screen(Text(views.say("pairing.none.title", language), lines), "part")
        title = views.say("pairing.title", language)
        address = access.url.removeprefix("http://")
        return self._screen(Code(title, access.link, access.code, address))

    def _about(self) -> Screen:
        snapshot, language = self.snapshot, self.snapshot.language
        title, number = snapshot.game.box.title, snapshot.game.number
        lines = [
            views.say("about.version", language, version=_version()),
            views.say("about.game", language, title=title, number=number),
        ]
        stores = [failure for failure in snapshot.failures if failure.part is Part.STORE]
        if stores:
            lines += views.brief_failure(stores[0], language).lines
        else:
            lines.append(views.say("about.kept", language))
        return self._screen(Text("Parkwarden", tuple(lines)))

    def _count(self, outcome: Outcome | None, at: int) -> Screen:
        counted = views.voice_of(self.snapshot).brief_end(outcome) if outcome else []
        if at >= len(counted):
            return self._score()
        brief = counted[at]
        blinking = {cell: self.snapshot.verdict.position.get(cell) for cell in brief.cells[:1]}
        return self._board(brief, blinking=blinking, corner=f"{at + 1}/{len(counted)}")

    # ---- trouble ----

    def _alarm(self) -> Screen:
        alarm, language = self.snapshot.alarm, self.snapshot.language
        voice = views.voice_of(self.snapshot)
        match alarm:
            case Due():
                late = [due for due in self.snapshot.verdict.dues if due.forgotten and due != alarm]
                return self._dues((alarm, *late))
            case Problem(reason, cell, piece):
                blinking = {cell: piece if reason == REMOVED else None}
                return self._board(voice.brief_problem(alarm), blinking, is_loud=True)
            case Hidden() | Leftover():
                brief = views.brief_cells(alarm, language)
                return self._board(brief, dict.fromkeys(alarm.cells), is_loud=True)
            case Unreadable():
                return self._unreadable(alarm)
            case Failure(part):
                text = _text(views.brief_failure(alarm, language), is_loud=True)
                return self._screen(text, _ICONS.get(part, "part"))
        raise TypeError(f"no alarm: {alarm!r}")

    def _unreadable(self, unreadable: Unreadable) -> Screen:
        known = f"unreadable.{unreadable.reason}.title" in views.phrases()
        icon = unreadable.reason if known else "no-board"
        brief = views.brief_unreadable(unreadable, self.snapshot.language)
        return self._screen(_text(brief, is_loud=True), icon)

    def _setup(self) -> Screen:
        snapshot, language = self.snapshot, self.snapshot.language
        cameras = [failure for failure in snapshot.failures if failure.part is Part.CAMERA]
        if cameras:
            return self._screen(_text(views.brief_failure(cameras[0], language), True), "camera")
        if snapshot.unreadable is not None:
            return self._unreadable(snapshot.unreadable)
        lines = [views.say("setup.advice", language)]
        lines += [views.describe_resumed(snapshot)] if snapshot.resumed else []
        return self._screen(Text(views.say("setup.title", language), tuple(lines)), "looking")

    # ---- the game ----

    def _dues(self, dues: Sequence[Due]) -> Screen:
        """One after the other; all of them blink."""
        at = self.phase // LINGER % len(dues)
        due, choose = dues[at], self.snapshot.verdict.choose
        brief = views.voice_of(self.snapshot).brief_due(due)
        if choose is not None:
            advice = views.say("choose", self.snapshot.language, count=choose)
            brief = Brief(brief.title, (advice, *brief.lines), brief.cells)
        return self._board(
            brief,
            blinking={other.cell: other.piece for other in dues},
            corner=f"{at + 1}/{len(dues)}" if len(dues) > 1 else "",
            is_loud=due.forgotten,
        )

    def _gains(self, fresh: Verdict) -> Screen:
        players = self.snapshot.game.box.players
        at = self.phase // LINGER % len(fresh.gains)
        gain = fresh.gains[at]
        touched = {gain.piece.colour for gain in fresh.gains} if len(players) > 2 else set(players)
        body = Gained(
            tuple(_sum(fresh.gains, p) if p in touched else None for p in players),
            views.voice_of(self.snapshot).brief_gain(gain),
        )
        beside = self._mini({gain.at: fresh.position.get(gain.at)}, (gain.cell,))
        corner = f"{at + 1}/{len(fresh.gains)}" if len(fresh.gains) > 1 else ""
        return self._screen(body, beside, corner)

    def _task(self, task: Task) -> Screen:
        """The usual places on the board: there is no score to speak of yet."""
        brief = Brief(views.brief_task(self.snapshot), (views.describe_turn(self.snapshot),))
        return self._board(brief, blinking=dict.fromkeys(task.cells, task.piece))

    def _score(self) -> Screen:
        snapshot, verdict = self.snapshot, self.snapshot.verdict
        players = snapshot.game.box.players
        note, icon = views.describe_ply(snapshot), ""
        if verdict.outcome is not None:
            lit, line = verdict.outcome.winners, views.name_result(snapshot)
            icon = "trophy" if len(lit) == 1 else "scales"
        else:
            lit = (verdict.turn or "",)
            line = views.brief_task(snapshot) or views.describe_turn(snapshot)
            note = "" if verdict.task else note
            if snapshot.resumed:
                line, note = views.describe_resumed(snapshot), ""
        body = Score(
            names=tuple(views.name_player(colour, snapshot) for colour in players),
            points=tuple(verdict.score[colour] for colour in players),
            lit=frozenset(at for at, colour in enumerate(players) if colour in lit),
            line=line,
            note=note,
            icon=icon,
        )
        return self._screen(body)

    # ---- parts ----

    def _board(
        self,
        brief: Brief,
        blinking: Mapping[Cell, Piece | None] | None = None,
        corner: str = "",
        is_loud: bool = False,
    ) -> Screen:
        beside = self._mini(blinking or {}, brief.cells)
        return self._screen(_text(brief, is_loud), beside, corner)

    def _mini(
        self, blinking: Mapping[Cell, Piece | None], marked: Sequence[Cell] = ()
    ) -> MiniBoard:
        box, table = self.snapshot.game.box, self.snapshot.verdict.table
        return MiniBoard(box, table, blinking, frozenset(marked) - set(blinking))

    def _screen(
        self,
        body: Body,
        beside: MiniBoard | str | None = None,
        corner: str = "",
    ) -> Screen:
        badges = tuple(self._badges(has_room=isinstance(body, Score)))
        return Screen(body, self.phase, beside, corner, () if beside == "card" else badges)

    def _badges(self, has_room: bool) -> Iterator[str]:
        """That nothing is being kept is shown everywhere; how seeing goes where there is room."""
        snapshot = self.snapshot
        if any(failure.part is Part.STORE for failure in snapshot.failures):
            yield "small-card"
        if has_room and snapshot.seeing is Seeing.BLIND:
            yield "small-blind"
        elif has_room and (snapshot.unsure or snapshot.hidden):
            yield "small-unsure"
        elif has_room and snapshot.seeing is Seeing.BUSY:
            yield "small-hand"


def _text(brief: Brief, is_loud: bool = False) -> Text:
    """The brief, with the cell at the end of its title taken apart to be written larger."""
    head, _, last = brief.title.rpartition(" ")
    try:
        return Text(head, brief.lines, Cell(last), is_loud)
    except BadWord:
        return Text(brief.title, brief.lines, is_loud=is_loud)


def _sum(gains: Sequence[Gain], colour: str) -> int:
    return sum(gain.points for gain in gains if gain.piece.colour == colour)


@cache
def _version() -> str:
    return metadata.version("parkwarden")
