"""The wire: one inbox, one writer.

    look, press, command  →  events  →  game  →  store  →  snapshot  →  outputs

Everything that happens is posted into the inbox: by the eyes, by the buttons, by the page. One task
takes one thing after the other, so nothing here needs a lock. The order of each step is fixed: the
game is told, what it was told is kept on disk, and only then is it shown. If the power goes between
two of these, the players have seen nothing that is not kept.

Trouble waits until the table has been at rest (see `attention`), questions likewise; a question
that the table answers by itself (the piece is pushed straight) goes away unasked.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from firmware import buttons
from firmware.actions import Button, Press
from firmware.asking import Key, Questions, open_questions
from firmware.commands import (
    AnswerOption,
    Choose,
    Command,
    Correct,
    EndTurn,
    NewGame,
    NotNow,
    OpenCorrection,
    SayAgain,
    Tell,
    UndoTo,
)
from firmware.correcting import amendment, correction, last_placed
from firmware.dialog import Dialog, FinalCount, Listing, Playing
from firmware.ledger import Ledger, Story
from firmware.outlook import Outlook
from firmware.referee import Referee
from firmware.snapshot import Access, Failure, GameCard, Mended, Part, Snapshot
from rules.board import Cell, Piece
from rules.errors import ParkwardenError
from rules.events import Event, Interpretation, TurnEnded, Undone
from rules.game import Game
from rules.pack import Pack, choose_settings
from rules.record import format_record, format_result, write_record
from rules.verdict import Over, Verdict
from rules.voice import Language
from vision.reading import CellReading
from vision.watch import Look, Watcher

FRESH_S: Final = 4.0
"""How long points that were just gained are shown."""
COUNT_S: Final = 4.0
"""How long each thing of the final count is shown before the next."""
IDLE_S: Final = 0.5
"""How often the time is looked at when nothing happens."""

Message = Look | Failure | Mended | Press | Command
Output = Callable[[Snapshot], None]


class Session:
    def __init__(
        self,
        ledger: Ledger,
        watcher: Watcher,
        access: Access,
        clock: Callable[[], float] = time.monotonic,
        language: Language = Language.EN,
        sound: str = "off",
    ) -> None:
        self.inbox: asyncio.Queue[tuple[Message, asyncio.Future[None] | None]] = asyncio.Queue(256)
        self.outputs: list[Output] = []
        self.announce_again: Callable[[], None] = lambda: None
        self.access = access
        self._ledger, self._watcher, self._clock = ledger, watcher, clock
        self._language, self._sound = language, sound
        self._dialog: Dialog = Playing()
        self._outlook = Outlook()
        self._questions = Questions()
        self._unclear: Interpretation | None = None
        self._waiting_for: frozenset[Cell] = frozenset()
        self._fresh: tuple[Verdict, float] | None = None
        self._count_since_s: float | None = None
        self._number = 0
        self._is_setting_up = True
        """A game begins on an empty board; until that has been seen nothing is judged."""
        self._resumed = False
        self._chosen: dict[str, str] = {}
        """Settings for the next game."""

    async def start(self, pack: Pack[Any], settings: Mapping[str, str]) -> None:
        """The game that was going on, or a new one."""
        stored_language = await self._ledger.preference("language")
        if stored_language in tuple(Language):
            self._language = Language(stored_language)
        self._sound = await self._ledger.preference("sound") or self._sound
        resumed = await self._ledger.resume()
        if resumed is None:
            await self._begin(pack, {**settings, **await self._preferred(pack)})
        else:
            self._take_up(*resumed)
            self._chosen = await self._preferred(self.game.pack)
        self._resumed = self.game.verdict.ply > 0
        if (notice := self._ledger.notice) is not None:
            self._outlook.fail(notice, self._clock())
        self.snapshot = self._make_snapshot()

    async def run(self) -> None:
        """Take what comes, one thing after the other, until cancelled."""
        while True:
            try:
                # Not `wait_for`: up to Python 3.11 that can swallow being cancelled.
                async with asyncio.timeout(IDLE_S):
                    message, done = await self.inbox.get()
            except TimeoutError:
                await self._settle_up()
                continue
            try:
                await self._handle(message)
            except ParkwardenError as error:
                if done is not None and not done.done():
                    done.set_exception(error)
            await self._settle_up()
            if done is not None and not done.done():
                done.set_result(None)

    def post(self, message: Message) -> None:
        """From the loop's own thread: to be handled in its turn; what is too much is dropped."""
        if not self.inbox.full():
            self.inbox.put_nowait((message, None))

    async def say(self, message: Message) -> None:
        """As `post`, and wait until it is done; what makes no sense is raised here."""
        done = asyncio.get_running_loop().create_future()
        await self.inbox.put((message, done))
        await done

    # What happens

    async def _handle(self, message: Message) -> None:
        match message:
            case Look():
                await self._on_look(message)
            case Failure():
                self._outlook.fail(message, self._clock())
            case Mended(part):
                self._outlook.mend(part)
            case Press():
                if message.button is Button.OK and self._questions.is_unread(self._clock()):
                    return  # the finger was on its way before the question came up
                await self._do(buttons.press(self.snapshot, message))
            case _:
                await self._do(message)

    async def _on_look(self, look: Look) -> None:
        self._outlook.take_in(look, self._clock())
        settle = self._watcher.settle
        loose = set(settle.known) if self._is_setting_up else self._referee.loose()
        sight = self._watcher.take_in(look, loose)
        if sight.reading is None:
            return
        if self._is_setting_up:
            if len(settle.known) > 1 or settle.pending:
                return
            self._is_setting_up = False
            self._referee.tell()
        ruling = self._referee.rule(sight)
        self._note(ruling.verdicts)
        self._waiting_for = ruling.waiting_for
        if ruling.question is not None or not self.game.verdict.problems:
            self._unclear = ruling.question
        if self.game.verdict.outcome and not settle.known and not settle.pending:
            await self._begin(self.game.pack, self.snapshot.game.next_settings)

    async def _do(self, what: Dialog | Command) -> None:
        match what:
            case EndTurn():
                _, foreseen = self.game.pack.judge(self.game.state, TurnEnded())
                if foreseen.said:
                    self._tell(TurnEnded())
            case UndoTo(ply):
                self._tell(Undone(ply))
            case Tell(events):
                self._tell(*events)
            case Correct(cell, piece):
                self._correct(cell, piece)
            case AnswerOption(index):
                await self._do(self._answer(index))
            case NewGame(settings):
                next_settings = self.snapshot.game.next_settings
                await self._begin(self.game.pack, {**next_settings, **settings})
            case Choose(setting, value):
                await self._choose(setting, value)
            case OpenCorrection(cell):
                self._open_correction(cell)
            case SayAgain():
                self.announce_again()
            case _:
                self._show(what)

    # What comes of it

    async def _begin(self, pack: Pack[Any], settings: Mapping[str, str]) -> None:
        self._take_up(await self._ledger.begin(pack, settings, time.time()), [])

    def _take_up(self, game: Game[Any], story: Story) -> None:
        self.game, self._story = game, story
        self._referee = Referee(game, self._watcher)
        settle = self._watcher.settle
        is_bare = self._outlook.reading is not None and not (settle.known or settle.pending)
        self._is_setting_up = not (game.verdict.ply or game.verdict.table or is_bare)
        if not self._is_setting_up:
            settle.known = game.verdict.table
        self._resumed = False
        self._chosen = {}
        self._unclear, self._fresh, self._waiting_for = None, None, frozenset()
        self._record: tuple[int, str] = (-1, "")
        self._show(Playing())

    def _tell(self, *events: Event) -> None:
        self._note(self._referee.tell(*events))
        self._unclear = None
        self._show(Playing())

    def _note(self, verdicts: tuple[Verdict, ...] | list[Verdict]) -> None:
        now_s = self._clock()
        for verdict in verdicts:
            self._resumed = False
            self._story.extend((statement, verdict) for statement in verdict.said)
            if verdict.gains:
                self._fresh = verdict, now_s
            if any(isinstance(statement, Over) for statement in verdict.said):
                self._dialog, self._count_since_s = FinalCount(), now_s

    def _correct(self, cell: Cell, piece: Piece | None) -> None:
        """A player's word against ours: what we took for something else is amended."""
        look, amended = self._outlook.look, amendment(self.game, cell, piece)
        self._referee.hear(cell, piece, self._seen_on(cell), look.frame.number if look else 0)
        if amended is not None:
            self._tell(amended)
        self._show(Playing())

    def _open_correction(self, cell: Cell | None) -> None:
        cell = cell or last_placed(self.game)
        if cell is not None:
            lying = self.game.verdict.table.get(cell)
            self._show(correction(cell, lying, self._seen_on(cell), self.game.box))

    def _seen_on(self, cell: Cell) -> CellReading | None:
        reading = self._outlook.reading
        return reading.cells.get(cell) if reading else None

    def _answer(self, index: int) -> Dialog | Command:
        dialog = self._dialog
        if not isinstance(dialog, Listing) or not 0 <= index < len(dialog.options):
            raise NotNow(f"nothing is asked that has an answer number {index}")
        self._questions.leave(self._clock())
        return buttons.choose(self.snapshot, dialog, dialog.options[index])

    async def _choose(self, setting: str, value: str) -> None:
        if setting == "language":
            self._language = Language(value)
        elif setting == "sound":
            self._sound = value
        else:
            chosen = choose_settings(
                self.game.pack.settings, {**self.game.settings, setting: value}
            )
            if self.game.log:
                self._chosen = {**self._chosen, setting: value}
            else:
                await self._begin(self.game.pack, chosen)
        await self._ledger.prefer(setting, value)
        self._show(Playing())

    async def _preferred(self, pack: Pack[Any]) -> dict[str, str]:
        """The settings of this game that were chosen last, as far as it still has them."""
        stored = {s: await self._ledger.preference(s.name) for s in pack.settings}
        return {s.name: value for s, value in stored.items() if value in s.choices}

    def _show(self, dialog: Dialog) -> None:
        is_same_list = (
            isinstance(dialog, Listing)
            and isinstance(self._dialog, Listing)
            and dialog.options == self._dialog.options
        )
        if not is_same_list:  # but for the mark, which was moved
            self._questions.leave(self._clock())
        self._dialog, self._count_since_s = dialog, None

    # Before anything is shown

    async def _settle_up(self) -> None:
        now_s = self._clock()
        outcome = self.game.verdict.outcome
        await self._ledger.keep(self.game, format_result(self.game) if outcome else None)
        await self._ledger.retry(now_s)
        if (failure := self._ledger.failure) is not None:
            self._outlook.fail(failure, now_s)
        else:
            self._outlook.mend(Part.STORE)
        self._ask(now_s)
        self._count_on(now_s)
        snapshot = self._make_snapshot()
        if replace(snapshot, number=self.snapshot.number) != self.snapshot:
            self.snapshot = snapshot
            for output in self.outputs:
                output(snapshot)

    def _ask(self, now_s: float) -> None:
        settle, verdict = self._watcher.settle, self.game.verdict
        asked: dict[Key, Listing] = {}
        if self._outlook.reading is not None and not self._is_setting_up:
            asked = dict(open_questions(settle, verdict, self._unclear))
        is_busy = self._outlook.is_busy(now_s)
        self._dialog = self._questions.update(asked, self._dialog, is_busy, now_s)

    def _count_on(self, now_s: float) -> None:
        """The final count goes on by itself until somebody takes it in hand."""
        if not isinstance(self._dialog, FinalCount) or self._count_since_s is None:
            return
        if now_s - self._count_since_s >= COUNT_S:
            outcome = self.game.verdict.outcome
            voice = self.game.pack.voice(self._language)
            last = len(voice.brief_end(outcome)) if outcome else 0
            done = self._dialog.at >= last
            self._dialog = Playing() if done else replace(self._dialog, at=self._dialog.at + 1)
            self._count_since_s = None if done else now_s

    def _make_snapshot(self) -> Snapshot:
        now_s = self._clock()
        self._number += 1
        outlook, reading = self._outlook, self._outlook.reading
        leftover = frozenset(self._watcher.settle.known) if self._is_setting_up else frozenset()
        if self._record[0] != len(self.game.log):
            self._record = len(self.game.log), format_record(write_record(self.game))
        fresh = self._fresh[0] if self._fresh and now_s - self._fresh[1] < FRESH_S else None
        return Snapshot(
            number=self._number,
            language=self._language,
            sound=self._sound,
            game=GameCard(
                self._ledger.number,
                self.game.pack,
                self.game.settings,
                self._ledger.started_s,
                self._chosen,
            ),
            verdict=self.game.verdict,
            access=self.access,
            story=tuple(self._story),
            record=self._record[1],
            dialog=self._dialog,
            seeing=outlook.seeing,
            unreadable=outlook.unreadable,
            alarm=outlook.alarm(self.game.verdict, self._waiting_for, leftover, now_s),
            fresh=fresh,
            resumed=self._resumed,
            failures=outlook.failures,
            unsure=reading.unsure if reading else frozenset(),
            hidden=reading.hidden if reading else frozenset(),
        )
