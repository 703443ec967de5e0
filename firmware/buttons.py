"""What a press of a button means: a pure step from what is shown to what is shown next.

                 playing           a list            pages, the count   undo preview
    ─────────────────────────────────────────────────────────────────────────────────
    OK           pass, or end      take this one,    next, then leave   do it
                 of turn           or tick it
    UNDO         undo preview      leave             leave              leave
    LEFT         menu              the one before    the page before    one move less
    RIGHT        why?              the one after     the page after     one move more
    OK held      correct
    UNDO held    new game?
    LEFT held    the phone's code
    RIGHT held   say it again

OK is a pass for whoever is on turn and has nothing else left to do; nobody passes by mistake.
Where several values are chosen in an order, OK ticks one or takes its tick away, and the last entry
of the list says that it is done. Leaving the list changes nothing.

A press gives either another dialog or a `Command` for the session to carry out; never both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from firmware.actions import Button, Press
from firmware.commands import (
    DEVICE_CHOICES,
    AnswerOption,
    Choose,
    Command,
    Correct,
    EndTurn,
    NewGame,
    OpenCorrection,
    Pass,
    SayAgain,
    Tell,
    UndoTo,
)
from firmware.dialog import (
    About,
    Answer,
    Begin,
    Choice,
    Dialog,
    Entry,
    FinalCount,
    Happened,
    Holds,
    Listing,
    MenuItem,
    Option,
    Pairing,
    Playing,
    Tick,
    Topic,
    UndoPreview,
    Why,
)
from firmware.snapshot import Snapshot
from rules.board import Cell
from rules.pack import Setting
from rules.packs import PACKS
from rules.verdict import Verdict
from rules.voice import Brief, Language
from rules.wire import format_statement

MOST_LINES: Final = 3
"""So many lines of an account stand below each other on one page."""


def press(snapshot: Snapshot, pressed: Press) -> Dialog | Command:
    dialog = snapshot.dialog
    match dialog:
        case Playing():
            return _while_playing(snapshot, pressed)
        case Listing():
            return _in_list(dialog, pressed.button)
        case Why():
            return _in_pages(dialog, pressed.button, len(dialog.pages))
        case FinalCount():
            pages = _final_pages(snapshot)
            return _in_pages(dialog, pressed.button, pages + 1)
        case UndoPreview():
            return _in_undo(snapshot, dialog, pressed.button)
        case Pairing() | About():
            return Playing()


def choose(snapshot: Snapshot, listing: Listing, option: Option) -> Dialog | Command:
    """What taking this option of a list leads to."""
    match option:
        case Entry():
            return _ENTRIES[option.item](snapshot, option.setting)
        case Choice(setting, value):
            return Choose(setting, value)
        case Tick():
            return _tick(snapshot, listing, option)
        case Begin(game) if listing.topic is Topic.NEW_GAME:
            return NewGame(game=game)
        case Begin(game):
            return _other_game(snapshot, game)
        case Holds(cell, piece) if listing.topic is Topic.WHERE:
            return OpenCorrection(cell)
        case Holds(cell, piece):
            return Correct(cell, piece)
        case Happened(events):
            return Tell(events)
        case Answer.YES:
            return NewGame()
        case Answer.DONE:
            return _done(snapshot, listing)
        case Answer.OTHER_CELL:
            return _where(snapshot)
        case Answer.NO | Answer.PUT_BACK:
            return Playing()


def _while_playing(snapshot: Snapshot, pressed: Press) -> Dialog | Command:
    match pressed:
        case Press(Button.OK, held=False):
            if snapshot.verdict.outcome:
                return FinalCount()
            return Pass() if snapshot.may_pass else EndTurn()
        case Press(Button.OK, held=True):
            return OpenCorrection()
        case Press(Button.UNDO, held=False):
            return preview_undo(snapshot, snapshot.verdict.ply) or Playing()
        case Press(Button.UNDO, held=True):
            return _new_game(snapshot)
        case Press(Button.LEFT, held=False):
            return menu(snapshot)
        case Press(Button.LEFT, held=True):
            return Pairing()
        case Press(Button.RIGHT, held=False):
            return Why(explain(snapshot))
    return SayAgain()


def _in_list(listing: Listing, button: Button) -> Dialog | Command:
    match button:
        case Button.OK:
            return AnswerOption(listing.at)
        case Button.UNDO:
            return Playing()
        case Button.LEFT:
            return replace(listing, at=(listing.at - 1) % len(listing.options))
        case Button.RIGHT:
            return replace(listing, at=(listing.at + 1) % len(listing.options))


def _in_pages(dialog: Why | FinalCount, button: Button, pages: int) -> Dialog:
    if button is Button.UNDO or (button is Button.OK and dialog.at + 1 >= pages):
        return Playing()
    step = -1 if button is Button.LEFT else 1
    return replace(dialog, at=min(max(dialog.at + step, 0), pages - 1))


def _in_undo(snapshot: Snapshot, dialog: UndoPreview, button: Button) -> Dialog | Command:
    match button:
        case Button.OK:
            return UndoTo(dialog.ply)
        case Button.UNDO:
            return Playing()
        case Button.RIGHT:
            return preview_undo(snapshot, dialog.ply - 1) or dialog
        case Button.LEFT:
            return preview_undo(snapshot, dialog.ply + 1) or dialog


def preview_undo(snapshot: Snapshot, ply: int) -> UndoPreview | None:
    """What taking back this move and all after it would clear; None where there is none."""
    now = snapshot.verdict
    if not 1 <= ply <= now.ply:
        return None
    before = _position_before(snapshot, ply)
    return UndoPreview(ply, tuple(sorted(cell for cell in now.table if cell not in before)))


def _position_before(snapshot: Snapshot, ply: int) -> frozenset[Cell]:
    """The cells that were occupied just before this move, as it was last made."""
    earlier: Verdict | None = None
    for _, verdict in snapshot.story:
        if verdict.ply < ply:
            earlier = verdict
    if earlier is None and snapshot.story:
        # The first thing that was said is this move; what lay there before it nobody spoke of.
        statement, first = snapshot.story[0]
        cell = format_statement(snapshot.game.pack, statement).get("cell")
        return frozenset(first.position) - {cell}
    return frozenset(earlier.position) if earlier else frozenset()


def menu(snapshot: Snapshot) -> Listing:
    settings = (Entry(MenuItem.SETTING, s.name) for s in snapshot.game.pack.settings)
    rest = (MenuItem.LANGUAGE, MenuItem.SOUND, MenuItem.PAIRING, MenuItem.ABOUT)
    first = (MenuItem.RESUME, MenuItem.CORRECT, MenuItem.NEW_GAME, MenuItem.GAME)
    return Listing(Topic.MENU, (*map(Entry, first), *settings, *map(Entry, rest)))


def _new_game(snapshot: Snapshot, _: str = "") -> Dialog | Command:
    return Listing(Topic.NEW_GAME, (Answer.NO, Answer.YES))


def _list_games(snapshot: Snapshot, _: str) -> Listing:
    games = tuple(PACKS)
    at = games.index(snapshot.game.box.game) if snapshot.game.box.game in games else 0
    return Listing(Topic.GAME, tuple(map(Begin, games)), at)


def _other_game(snapshot: Snapshot, game: str) -> Dialog | Command:
    if game == snapshot.game.box.game:
        return Playing()
    return Listing(Topic.NEW_GAME, (Answer.NO, Begin(game)))


def _list_setting(snapshot: Snapshot, name: str) -> Listing:
    setting, now = _setting(snapshot, name), snapshot.game.next_settings[name]
    if setting.most > 1:
        return _ticked(setting, now.split())
    return _listing(Topic.SETTING, name, setting.choices, now)


def _setting(snapshot: Snapshot, name: str) -> Setting:
    return next(s for s in snapshot.game.pack.settings if s.name == name)


def _ticked(setting: Setting, chosen: list[str], at: int = 0) -> Listing:
    """What was chosen so far bears its number."""
    places = {value: place for place, value in enumerate(chosen, start=1)}
    ticks = tuple(Tick(setting.name, value, places.get(value, 0)) for value in setting.choices)
    return Listing(Topic.SETTING, (*ticks, Answer.DONE), at)


def _chosen(listing: Listing) -> list[str]:
    ticks = [tick for tick in listing.options if isinstance(tick, Tick) and tick.place]
    return [tick.value for tick in sorted(ticks, key=lambda tick: tick.place)]


def _tick(snapshot: Snapshot, listing: Listing, tick: Tick) -> Listing:
    """One more at the end of the order, or one less; as many as may be, and no more."""
    setting, chosen = _setting(snapshot, tick.setting), _chosen(listing)
    if tick.value in chosen:
        chosen.remove(tick.value)
    elif len(chosen) < setting.most:
        chosen.append(tick.value)
    return _ticked(setting, chosen, listing.options.index(tick))


def _done(snapshot: Snapshot, listing: Listing) -> Dialog | Command:
    first = listing.options[0]
    if not isinstance(first, Tick):
        return Playing()
    value = " ".join(_chosen(listing))
    # Too few: the entry says how many it takes, and nothing happens.
    is_enough = _setting(snapshot, first.setting).accepts(value)
    return Choose(first.setting, value) if is_enough else listing


def _list_languages(snapshot: Snapshot, _: str) -> Listing:
    return _listing(Topic.LANGUAGE, "language", tuple(Language), snapshot.language)


def _list_sounds(snapshot: Snapshot, _: str) -> Listing:
    return _listing(Topic.SOUND, "sound", DEVICE_CHOICES["sound"], snapshot.sound)


def _listing(topic: Topic, setting: str, values: tuple[str, ...], now: str) -> Listing:
    return Listing(topic, tuple(Choice(setting, v) for v in values), at=values.index(now))


def _where(snapshot: Snapshot) -> Listing:
    """Every piece on the table, the ones put down last first: which was read wrongly?"""
    table = snapshot.verdict.table
    last = dict.fromkeys(table, 0)
    for number, (_, verdict) in enumerate(snapshot.story):
        for cell in verdict.table:
            if cell in last and not last[cell]:
                last[cell] = number + 1
    cells = sorted(table, key=lambda cell: (-last[cell], cell))
    return Listing(Topic.WHERE, tuple(Holds(cell, table[cell]) for cell in cells))


_ENTRIES: Final[dict[MenuItem, Callable[[Snapshot, str], Dialog | Command]]] = {
    MenuItem.RESUME: lambda snapshot, _: Playing(),
    MenuItem.CORRECT: lambda snapshot, _: OpenCorrection(),
    MenuItem.NEW_GAME: _new_game,
    MenuItem.GAME: _list_games,
    MenuItem.SETTING: _list_setting,
    MenuItem.LANGUAGE: _list_languages,
    MenuItem.SOUND: _list_sounds,
    MenuItem.PAIRING: lambda snapshot, _: Pairing(),
    MenuItem.ABOUT: lambda snapshot, _: About(),
}


def explain(snapshot: Snapshot) -> tuple[Brief, ...]:
    """Why things are as they are: what is wrong, what is due, what the last points were for."""
    voice, verdict = snapshot.game.pack.voice(snapshot.language), snapshot.verdict
    pages = [voice.brief_problem(problem) for problem in verdict.problems]
    pages += [voice.brief_due(due) for due in verdict.dues]
    gains = next((v.gains for _, v in reversed(snapshot.story) if v.gains), ())
    pages += [
        Brief(str(gain.at), (voice.brief_gain(gain),), (gain.at, gain.cell)) for gain in gains
    ]
    last = snapshot.story[-1:] if not pages else ()
    for statement, said_in in last:
        pages.append(Brief("", tuple(map(str.strip, voice.describe(statement, said_in)))))
    pages += _accounts(snapshot)
    return tuple(pages) or (Brief("", (voice.colour(verdict.turn),) if verdict.turn else ()),)


def _accounts(snapshot: Snapshot) -> Iterator[Brief]:
    """How each score comes about, where that is more than one gain after the other."""
    voice, verdict = snapshot.game.pack.voice(snapshot.language), snapshot.verdict
    for colour in snapshot.game.box.players:
        gains = [gain for gain in verdict.account if gain.piece.colour == colour]
        lines = voice.brief_account(verdict, colour)
        if gains and lines != [voice.brief_gain(gain) for gain in gains]:
            title = f"{voice.colour(colour).upper()} {verdict.score[colour]}"
            # A long one is read like a sentence: below each other it would take too many pages.
            yield Brief(title, tuple(lines) if len(lines) <= MOST_LINES else (", ".join(lines),))


def _final_pages(snapshot: Snapshot) -> int:
    outcome = snapshot.verdict.outcome
    voice = snapshot.game.pack.voice(snapshot.language)
    return len(voice.brief_end(outcome)) if outcome else 0
