"""Words of the device for people: options, alarms, whose turn it is; in every language we speak.

What a game says of itself comes from the voice of its pack; the rest stands in `phrases.toml`.
Trouble has two forms made of the same words: `brief_…` for the display (a title that is read at
arm's length, and advice), `describe_…` for the page and the loudspeaker, which is the title and
the advice as one sentence after the other.

Reasons are words for programs and new ones may come: what no phrase is known for is said in
general (`….other`), and never not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from firmware.dialog import (
    Answer,
    Begin,
    Choice,
    Entry,
    Happened,
    Holds,
    Listing,
    MenuItem,
    Option,
    Tick,
    Topic,
    UndoPreview,
)
from firmware.snapshot import Failure, Hidden, Leftover, Snapshot
from rules.board import Cell, Piece
from rules.events import (
    Amended,
    Event,
    LeftStanding,
    Moved,
    Passed,
    Placed,
    Taken,
    TurnEnded,
    Undone,
)
from rules.pack import Setting
from rules.packs import load_pack
from rules.verdict import Due, Problem
from rules.views import format_score, list_words
from rules.voice import Brief, Language, Phrases, Voice, load_phrases
from vision.reading import Unreadable

LANGUAGE: Final = "language"
SOUND: Final = "sound"
MOST_NAMED: Final = 3
"""More cells or pieces than that are counted, not named."""


def phrases() -> Phrases:
    return load_phrases(__package__)


def say(key: str, language: Language, /, **words: object) -> str:
    return phrases().say(key, language, **words)


def voice_of(snapshot: Snapshot) -> Voice:
    return snapshot.game.pack.voice(snapshot.language)


# ---- lists ----


def title_listing(listing: Listing, snapshot: Snapshot) -> str:
    """What a list is about."""
    options = listing.options or (None,)
    match options[0], options[-1]:
        case Choice(setting), _ if listing.topic is Topic.SETTING:
            return voice_of(snapshot).setting(setting)
        case Tick(setting), _:
            ticked = sum(isinstance(tick, Tick) and tick.place > 0 for tick in listing.options)
            most = _setting(setting, snapshot).most
            return f"{voice_of(snapshot).setting(setting)} {ticked}/{most}"
        case _, Begin(game) if listing.topic is Topic.NEW_GAME:
            return say("topic.other-game", snapshot.language, title=load_pack(game).box.title)
    key = f"topic.{listing.topic}"
    if listing.cell is not None and f"{key}-cell" in phrases():
        return say(f"{key}-cell", snapshot.language, cell=listing.cell)
    return say(key, snapshot.language)


def name_options(listing: Listing, snapshot: Snapshot) -> tuple[str, ...]:
    """The options in words, in their order."""
    return tuple(_name_option(option, listing, snapshot) for option in listing.options)


def _name_option(option: Option, listing: Listing, snapshot: Snapshot) -> str:
    language, voice = snapshot.language, voice_of(snapshot)
    match option:
        case Entry():
            return _name_entry(option, snapshot)
        case Choice(setting, value):
            return name_choice(setting, value, voice, language)
        case Tick(setting, value, place):
            return f"{place or '–'} {voice.choice(setting, value)}"
        case Begin() if listing.topic is Topic.NEW_GAME:
            return say(f"answer.{Answer.YES}", language)
        case Begin(game):
            return load_pack(game).box.title
        case Holds(cell, piece):
            held = _name_piece(piece, voice) if piece else say("holds.nothing", language)
            if cell == listing.cell:
                return f"{held} {piece.anchor}" if piece and piece.anchor else held
            return _name_placed(cell, piece, voice) if piece else f"{cell}: {held}"
        case Happened(events):
            readings = [o.events for o in listing.options if isinstance(o, Happened)]
            return name_events(events, readings, voice, language)
        case Answer.DONE:
            return _name_done(listing, snapshot)
        case Answer():
            return say(f"answer.{option}", language)


def _name_done(listing: Listing, snapshot: Snapshot) -> str:
    """That it is done, or what is still lacking."""
    ticks = [option for option in listing.options if isinstance(option, Tick)]
    least = _setting(ticks[0].setting, snapshot).least if ticks else 0
    if sum(tick.place > 0 for tick in ticks) < least:
        return say("answer.done-too-few", snapshot.language, least=least)
    return say(f"answer.{Answer.DONE}", snapshot.language)


def _setting(name: str, snapshot: Snapshot) -> Setting:
    return next(setting for setting in snapshot.game.pack.settings if setting.name == name)


def _name_entry(entry: Entry, snapshot: Snapshot) -> str:
    """A line of the menu, with the value that is chosen."""
    language, voice = snapshot.language, voice_of(snapshot)
    match entry.item:
        case MenuItem.SETTING:
            value = name_value(entry.setting, snapshot.game.next_settings[entry.setting], voice)
            setting = voice.setting(entry.setting)
            return say("menu.setting", language, setting=setting, value=value)
        case MenuItem.GAME:
            return say("menu.game", language, title=snapshot.game.box.title)
        case MenuItem.LANGUAGE:
            return say("menu.language", language, value=say(f"language.{language}", language))
        case MenuItem.SOUND:
            value = name_choice(SOUND, snapshot.sound, voice, language)
            return say("menu.sound", language, value=value)
    return say(f"menu.{entry.item}", language)


def name_value(setting: str, value: str, voice: Voice) -> str:
    """What a setting of the game is, in words: all that was chosen, in its order."""
    return ", ".join(voice.choice(setting, word) for word in value.split()) or "–"


def name_choice(setting: str, value: str, voice: Voice, language: Language) -> str:
    """One choice of a setting, of the device or of the game."""
    if setting in (LANGUAGE, SOUND):
        return say(f"{setting}.{value}", language)
    return voice.choice(setting, value)


def name_events(
    events: Sequence[Event], readings: Sequence[Sequence[Event]], voice: Voice, language: Language
) -> str:
    """What may have happened, in its order; what that order makes forgotten is said to be so."""
    if not events:
        return say("happened.nothing", language)
    words = ""
    for at, event in enumerate(events):
        thing = _name_event(event, voice, language)
        if any(_is_late(events[: at + 1], other) for other in readings):
            thing = say("happened.forgotten", language, thing=thing)
        words = say("then", language, first=words, next=thing) if words else thing
    return words


def _is_late(events: Sequence[Event], other: Sequence[Event]) -> bool:
    """Was the last of these put up a move later than in the other order, after the same moves?

    There it was accepted after fewer moves, so here it had been due when the next was made.
    """
    late = events[-1]
    if not isinstance(late, Placed) or late.piece.colour is not None or late not in other:
        return False
    here, there = _moves_in(events), _moves_in(other[: other.index(late)])
    return len(there) < len(here) and here[: len(there)] == there


def _moves_in(events: Sequence[Event]) -> list[Event]:
    return [e for e in events if isinstance(e, Placed) and e.piece.colour is not None]


def _name_event(event: Event, voice: Voice, language: Language) -> str:
    match event:
        case Placed(cell, piece):
            return _name_placed(cell, piece, voice)
        case Taken(cell):
            return say("happened.taken", language, cell=cell)
        case Moved(origin, cell, piece):
            place = f"{cell}{piece.anchor or ''}"
            return say("happened.moved", language, origin=origin, place=place)
        case Passed(colour):
            return say("happened.passed", language, colour=voice.colour(colour))
        case TurnEnded():
            return say("happened.turn-ended", language)
        case LeftStanding(cell, _):
            return say("happened.left-standing", language, cell=cell)
        case Undone(ply, _):
            return say("happened.undone", language, ply=ply)
        case Amended(_, None):
            return say("happened.amended-nothing", language)
        case Amended(_, amended) if amended is not None:
            words = _name_event(amended, voice, language)
            return say("happened.amended", language, event=words)
    raise TypeError(f"no event at a table: {event!r}")


def _name_piece(piece: Piece, voice: Voice) -> str:
    """By its colour alone where an anchor says that it is a house: `white`."""
    if piece.colour is not None and piece.anchor is not None:
        return voice.colour(piece.colour)
    return voice.piece(piece)


def _name_placed(cell: Cell, piece: Piece, voice: Voice) -> str:
    return f"{_name_piece(piece, voice)} {cell}{piece.anchor or ''}"


# ---- trouble ----


def brief_unreadable(unreadable: Unreadable, language: Language) -> Brief:
    return _brief(f"unreadable.{unreadable.reason}", "unreadable.other", language)


def brief_failure(failure: Failure, language: Language) -> Brief:
    known = f"failure.{failure.part}.{failure.reason}"
    return _brief(known, f"failure.{failure.part}.other", language)


def brief_clash(language: Language) -> Brief:
    """Settings that do not go together."""
    return Brief(say("clash.title", language), (say("clash.advice", language),))


def _brief(known: str, other: str, language: Language) -> Brief:
    key = known if f"{known}.title" in phrases() else other
    return Brief(say(f"{key}.title", language), (say(f"{key}.advice", language),))


def brief_cells(alarm: Hidden | Leftover, language: Language) -> Brief:
    """Cells that cannot be seen, or that have to be cleared."""
    key = "hidden" if isinstance(alarm, Hidden) else "leftover"
    title = say(f"{key}.title", language)
    if len(alarm.cells) == 1:
        title = f"{title} {alarm.cells[0]}"
    advice = say(f"{key}.advice", language, cells=_list_cells(alarm.cells, language))
    return Brief(title, (advice,), alarm.cells)


def _list_cells(cells: Sequence[Cell], language: Language) -> str:
    if not 0 < len(cells) <= MOST_NAMED:
        return say("hidden.many", language, count=len(cells))
    return list_words(cells, language)


def describe_unreadable(unreadable: Unreadable, language: Language) -> str:
    return _sentence(brief_unreadable(unreadable, language))


def describe_failure(failure: Failure, language: Language) -> str:
    return _sentence(brief_failure(failure, language))


def describe_alarm(snapshot: Snapshot) -> str:
    """What needs attention first, for the page and the loudspeaker; empty where nothing does."""
    alarm, language, voice = snapshot.alarm, snapshot.language, voice_of(snapshot)
    match alarm:
        case None:
            return ""
        case Problem():
            return _capital(voice.problem(alarm))
        case Due():
            brief = voice.brief_due(alarm)
            return _capital(f"{' '.join((brief.title.lower(), *brief.lines))}.")
        case Unreadable():
            return describe_unreadable(alarm, language)
        case Failure():
            return describe_failure(alarm, language)
        case Hidden() | Leftover():
            return " ".join(brief_cells(alarm, language).lines)


def _sentence(brief: Brief) -> str:
    return f"{brief.title}. {' '.join(brief.lines)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---- the game ----


def describe_turn(snapshot: Snapshot) -> str:
    turn = snapshot.verdict.turn
    if turn is None:
        return say("turn.nobody", snapshot.language)
    return _capital(say("turn.colour", snapshot.language, colour=voice_of(snapshot).colour(turn)))


def brief_task(snapshot: Snapshot) -> str:
    """What the player on turn has to do; empty where that is just a move."""
    task, language = snapshot.verdict.task, snapshot.language
    if task is None:
        return ""
    words = _capital(voice_of(snapshot).brief_task(task, snapshot.verdict.turn))
    return say("press-ok", language, task=words) if snapshot.may_pass else words


def describe_task(snapshot: Snapshot) -> str:
    task = snapshot.verdict.task
    return _capital(voice_of(snapshot).task(task, snapshot.verdict.turn)) if task else ""


def describe_ply(snapshot: Snapshot) -> str:
    return say("turn.ply", snapshot.language, ply=snapshot.verdict.ply)


def describe_resumed(snapshot: Snapshot) -> str:
    return say("resumed", snapshot.language, ply=snapshot.verdict.ply)


def name_result(snapshot: Snapshot) -> str:
    """Who has won; empty while nobody has."""
    outcome = snapshot.verdict.outcome
    if outcome is None:
        return ""
    language, voice = snapshot.language, voice_of(snapshot)
    if set(outcome.winners) == set(outcome.score):
        return say("outcome.draw", language)
    if len(outcome.winners) > 1:
        return say("outcome.shared", language)
    return _capital(say("outcome.wins", language, colour=voice.colour(outcome.winners[0])))


def describe_outcome(snapshot: Snapshot) -> str:
    """Who has won and how high; empty while nobody has."""
    outcome = snapshot.verdict.outcome
    if outcome is None:
        return ""
    language, voice, winners = snapshot.language, voice_of(snapshot), outcome.winners
    result = name_result(snapshot)
    if 1 < len(winners) < len(outcome.score):
        names = list_words(map(voice.colour, winners), language)
        result = _capital(say("outcome.shared-by", language, winners=names))
    score = "–".join(str(points) for points in outcome.score.values())
    if len(outcome.score) > 2 or min(outcome.score.values()) < 0:
        score = format_score(outcome.score, voice)
    return say("outcome.sentence", language, result=result, score=score)


def name_player(colour: str, snapshot: Snapshot) -> str:
    return _capital(voice_of(snapshot).colour(colour))


def brief_undo(preview: UndoPreview, snapshot: Snapshot) -> Brief:
    """The move that would be taken back, and what would have to be cleared."""
    language, table = snapshot.language, snapshot.verdict.table
    # The move itself first, then what was put up because of it.
    pieces = sorted(
        ((cell, table[cell]) for cell in preview.cells if cell in table),
        key=lambda there: there[1].colour is None,
    )
    advice = say("undo.empty", language)
    if pieces:
        things = _list_pieces(pieces, voice_of(snapshot), language)
        advice = say("undo.advice", language, things=things)
    return Brief(say("undo.title", language, ply=preview.ply), (advice,), preview.cells)


def _list_pieces(pieces: list[tuple[Cell, Piece]], voice: Voice, language: Language) -> str:
    names = [_name_placed(cell, piece, voice) for cell, piece in pieces]
    if len(names) <= 2:
        return list_words(names, language)
    if sum(piece.colour is not None for _, piece in pieces) == 1:
        return say("undo.more", language, thing=names[0], count=len(names) - 1)
    return say("undo.pieces", language, count=len(names))
