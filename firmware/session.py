"""The wire: one inbox, one writer.

    look, press, command  →  events  →  game  →  store  →  snapshot  →  outputs

Everything that happens is posted into the inbox: by the eyes, by the buttons, by the page. One task
takes one thing after the other, so nothing here needs a lock. The order of each step is fixed: the
game is told, what it was told is kept on disk, and only then is it shown. If the power goes between
two of these, the players have seen nothing that is not kept.

Another game, or the same with other players or on another board, is another box to look for: a new
watcher is made for it (in a thread, it loads a network), handed to the eyes, and what the old one
still has to say is not taken in.

Trouble waits until the table has been at rest (see `attention`), questions likewise; a question
that the table answers by itself (the piece is pushed straight) goes away unasked.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from firmware import buttons, commands, views
from firmware.actions import Button, Press
from firmware.asking import Key, open_questions
from firmware.choosing import Preferences, last_played
from firmware.chronicle import Chronicle
from firmware.commands import DEVICE_CHOICES, Command
from firmware.conversation import Conversation
from firmware.correcting import amendment, correction, last_placed
from firmware.dialog import Dialog, Listing, Playing, Why
from firmware.eyes import Sighting
from firmware.ledger import Ledger, Story
from firmware.outlook import Outlook
from firmware.referee import Referee
from firmware.snapshot import Access, Failure, GameCard, Mended, Part, Snapshot
from rules.board import Cell, Piece
from rules.box import Box
from rules.errors import BadSetting, ParkwardenError
from rules.events import Event, Interpretation, TurnEnded, Undone
from rules.game import Game
from rules.pack import Pack, choose_settings
from rules.packs import load_pack
from rules.record import format_result
from rules.verdict import Verdict
from rules.voice import Language
from vision.watch import Look, Watcher

IDLE_S: Final = 0.5
"""How often the time is looked at when nothing happens."""

Message = Look | Sighting | Failure | Mended | Press | Command
"""A look alone counts as one of the watcher that is in use."""
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
        make_watcher: Callable[[Box], Watcher] = Watcher,
    ) -> None:
        """`make_watcher` is called in a thread, for a game that `watcher` cannot see."""
        self.inbox: asyncio.Queue[tuple[Message, asyncio.Future[None] | None]] = asyncio.Queue(256)
        self.outputs: list[Output] = []
        self.announce_again: Callable[[], None] = lambda: None
        self.use_watcher: Callable[[Watcher], None] = lambda watcher: None
        """Told of each watcher that the looks have to come from, from now on."""
        self.access = access
        self._ledger, self._watcher, self._clock = ledger, watcher, clock
        self._make_watcher = make_watcher
        self._preferences = Preferences(ledger, language, sound)
        self._outlook = Outlook()
        self._conversation = Conversation()
        self._unclear: Interpretation | None = None
        self._waiting_for: frozenset[Cell] = frozenset()
        self._number = 0
        self._is_setting_up = True
        """A game begins on an empty board; until that has been seen nothing is judged."""
        self._chosen: dict[str, str] = {}
        """Settings for the next game."""

    async def start(self, pack: Pack[Any], settings: Mapping[str, str]) -> None:
        """The game that was going on, or a new one: of `pack` if none was ever begun."""
        preferences = self._preferences
        await preferences.load()
        resumed = await self._ledger.resume()
        if resumed is None:
            pack = load_pack(last_played(self._ledger.store, pack.box.game))
            await self._begin(pack, {**settings, **preferences.settings_for(pack)})
        else:
            game, story = resumed
            self._take_up(game, story, await self._watcher_for(game.box))
            self._chosen = preferences.settings_for(game.pack, game.settings)
        self._chronicle.is_resumed = self.game.verdict.ply > 0
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
            case Sighting(look, watcher):
                if watcher is self._watcher:
                    await self._on_look(look)
            case Look():
                await self._on_look(message)
            case Failure():
                self._outlook.fail(message, self._clock())
            case Mended(part):
                self._outlook.mend(part)
            case Press():
                await self._on_press(message)
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
            if settle.pending or not self._referee.can_begin(settle.known):
                return
            self._is_setting_up = False
            self._referee.tell()
        ruling = self._referee.rule(sight)
        self._note(ruling.verdicts)
        self._waiting_for = ruling.waiting_for
        if ruling.question is not None or not self.game.verdict.problems:
            self._unclear = ruling.question
        if self.game.verdict.outcome and self._referee.is_cleared_for(self._next_settings):
            await self._begin(self.game.pack, self._next_settings)

    async def _on_press(self, press: Press) -> None:
        if press.button is Button.OK and self._conversation.questions.is_unread(self._clock()):
            return  # the finger was on its way before the question came up
        try:
            await self._do(buttons.press(self.snapshot, press))
        except BadSetting:
            self._show(Why((views.brief_clash(self._preferences.language),)))

    async def _do(self, what: Dialog | Command) -> None:
        match what:
            case commands.EndTurn():
                _, foreseen = self.game.pack.judge(self.game.state, TurnEnded())
                if foreseen.said:
                    self._tell(TurnEnded())
            case commands.Pass():
                self._tell(self._chronicle.passing(self._preferences.language))
            case commands.UndoTo(ply):
                self._tell(Undone(ply))
            case commands.Tell(events):
                self._tell(*events)
            case commands.Correct(cell, piece):
                self._correct(cell, piece)
            case commands.AnswerOption(index):
                listing, option = self._conversation.answer(index, self._clock())
                await self._do(buttons.choose(self.snapshot, listing, option))
            case commands.NewGame(settings, name):
                await self._begin_anew(settings, name)
            case commands.Choose(setting, value):
                await self._choose(setting, value)
            case commands.OpenCorrection(cell):
                cell = cell or last_placed(self.game)
                if cell is not None:
                    seen = self._outlook.seen_on(cell)
                    lying = self.game.verdict.table.get(cell)
                    self._show(correction(cell, lying, seen, self.game.box))
            case commands.SayAgain():
                self.announce_again()
            case _:
                self._show(what)

    # Which game is played

    async def _begin_anew(self, settings: Mapping[str, str], name: str | None) -> None:
        """As the players say; what they do not say is as it was, or as they liked it last."""
        pack = self.game.pack if name is None else load_pack(name)
        is_same = pack is self.game.pack
        before = self._next_settings if is_same else self._preferences.settings_for(pack)
        await self._begin(pack, {**before, **settings})
        await self._preferences.choose(pack.box.game, settings)

    async def _choose(self, setting: str, value: str) -> None:
        """A setting of the device, or of the game: from the next one on if this one has begun."""
        if setting in DEVICE_CHOICES:
            await self._preferences.choose_for_device(setting, value)
        else:
            pack, settings = self.game.pack, {**self._next_settings, setting: value}
            pack.box_for(choose_settings(pack.settings, settings))  # or they do not go together
            if self.game.verdict.ply:
                self._chosen = {**self._chosen, setting: value}
            else:
                await self._begin(pack, settings)
            await self._preferences.choose(pack.box.game, {setting: value})
        self._show(Playing())

    async def _begin(self, pack: Pack[Any], settings: Mapping[str, str]) -> None:
        """A new game; whatever is in the way of it is raised before anything has changed."""
        watcher = await self._watcher_for(pack.box_for(choose_settings(pack.settings, settings)))
        self._take_up(await self._ledger.begin(pack, settings, time.time()), [], watcher)
        await self._preferences.choose_game(pack.box.game)

    async def _watcher_for(self, box: Box) -> Watcher:
        if box == self._watcher.box:
            return self._watcher
        return await asyncio.to_thread(self._make_watcher, box)

    def _take_up(self, game: Game[Any], story: Story, watcher: Watcher) -> None:
        self.game = game
        self._chronicle = Chronicle(game, story)
        if watcher is not self._watcher:
            self._watcher = watcher
            self._outlook.forget()
        self.use_watcher(watcher)
        self._referee = Referee(game, watcher)
        settle = watcher.settle
        is_bare = self._outlook.reading is not None and not (settle.known or settle.pending)
        self._is_setting_up = not (game.verdict.ply or game.verdict.table or is_bare)
        if not self._is_setting_up:
            settle.known = game.verdict.table
        self._chosen = {}
        self._unclear, self._waiting_for = None, frozenset()
        self._show(Playing())

    @property
    def _next_settings(self) -> dict[str, str]:
        return {**self.game.settings, **self._chosen}

    # What comes of it

    def _tell(self, *events: Event) -> None:
        self._note(self._referee.tell(*events))
        self._unclear = None
        self._show(Playing())

    def _note(self, verdicts: Sequence[Verdict]) -> None:
        now_s = self._clock()
        if self._chronicle.note(verdicts, now_s):
            self._conversation.count(now_s)

    def _correct(self, cell: Cell, piece: Piece | None) -> None:
        """A player's word against ours: what we took for something else is amended."""
        outlook, amended = self._outlook, amendment(self.game, cell, piece)
        frame = outlook.look.frame.number if outlook.look else 0
        self._referee.hear(cell, piece, outlook.seen_on(cell), frame)
        if amended is not None:
            self._tell(amended)
        self._show(Playing())

    def _show(self, dialog: Dialog) -> None:
        self._conversation.show(dialog, self._clock())

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
        self._converse(now_s)
        snapshot = self._make_snapshot()
        if replace(snapshot, number=self.snapshot.number) != self.snapshot:
            self.snapshot = snapshot
            for output in self.outputs:
                output(snapshot)

    def _converse(self, now_s: float) -> None:
        verdict = self.game.verdict
        asked: dict[Key, Listing] = {}
        if self._outlook.reading is not None and not self._is_setting_up:
            asked = dict(open_questions(self._watcher.settle, verdict, self._unclear))
        self._conversation.ask(asked, self._outlook.is_busy(now_s), now_s)
        voice = self.game.pack.voice(self._preferences.language)
        things = len(voice.brief_end(verdict.outcome)) if verdict.outcome else 0
        self._conversation.count_on(things, now_s)

    def _make_snapshot(self) -> Snapshot:
        now_s = self._clock()
        self._number += 1
        outlook, reading = self._outlook, self._outlook.reading
        preferences, chronicle, ledger = self._preferences, self._chronicle, self._ledger
        leftover = frozenset(self._watcher.settle.known) if self._is_setting_up else frozenset()
        game = self.game
        card = GameCard(ledger.number, game.pack, game.settings, ledger.started_s, self._chosen)
        return Snapshot(
            number=self._number,
            language=preferences.language,
            sound=preferences.sound,
            game=card,
            verdict=game.verdict,
            access=self.access,
            story=tuple(chronicle.story),
            record=chronicle.record,
            dialog=self._conversation.dialog,
            seeing=outlook.seeing,
            unreadable=outlook.unreadable,
            alarm=outlook.alarm(game.verdict, self._waiting_for, leftover, now_s),
            fresh=chronicle.fresh(now_s),
            resumed=chronicle.is_resumed,
            failures=outlook.failures,
            unsure=reading.unsure if reading else frozenset(),
            hidden=reading.hidden if reading else frozenset(),
            may_pass=chronicle.may_pass,
            preferred={name: dict(chosen) for name, chosen in preferences.by_game.items()},
        )
