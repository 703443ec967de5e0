"""Lists in words: what they are about, and each of their options; for the display and the page."""

from __future__ import annotations

from collections.abc import Sequence

from firmware import views
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
)
from firmware.snapshot import Snapshot
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
from rules.voice import Language, Voice


def title_listing(listing: Listing, snapshot: Snapshot) -> str:
    """What a list is about."""
    options = listing.options or (None,)
    match options[0], options[-1]:
        case Choice(setting), _ if listing.topic is Topic.SETTING:
            return views.voice_of(snapshot).setting(setting)
        case Tick(setting), _:
            ticked = sum(isinstance(tick, Tick) and tick.place > 0 for tick in listing.options)
            most = _setting(setting, snapshot).most
            return f"{views.voice_of(snapshot).setting(setting)} {ticked}/{most}"
        case _, Begin(game) if listing.topic is Topic.NEW_GAME:
            return views.say("topic.other-game", snapshot.language, title=load_pack(game).box.title)
    key = f"topic.{listing.topic}"
    if listing.cell is not None and f"{key}-cell" in views.phrases():
        return views.say(f"{key}-cell", snapshot.language, cell=listing.cell)
    return views.say(key, snapshot.language)


def name_options(listing: Listing, snapshot: Snapshot) -> tuple[str, ...]:
    """The options in words, in their order."""
    return tuple(_name_option(option, listing, snapshot) for option in listing.options)


def _name_option(option: Option, listing: Listing, snapshot: Snapshot) -> str:
    language, voice = snapshot.language, views.voice_of(snapshot)
    match option:
        case Entry():
            return _name_entry(option, snapshot)
        case Choice(setting, value):
            return name_choice(setting, value, voice, language)
        case Tick(setting, value, place):
            return f"{place or '–'} {voice.choice(setting, value)}"
        case Begin() if listing.topic is Topic.NEW_GAME:
            return views.say(f"answer.{Answer.YES}", language)
        case Begin(game):
            return load_pack(game).box.title
        case Holds(cell, piece):
            held = views.name_piece(piece, voice) if piece else views.say("holds.nothing", language)
            if cell == listing.cell:
                return f"{held} {piece.anchor}" if piece and piece.anchor else held
            return views.name_placed(cell, piece, voice) if piece else f"{cell}: {held}"
        case Happened(events):
            readings = [o.events for o in listing.options if isinstance(o, Happened)]
            return name_events(events, readings, voice, language)
        case Answer.DONE:
            return _name_done(listing, snapshot)
        case Answer():
            return views.say(f"answer.{option}", language)


def _name_done(listing: Listing, snapshot: Snapshot) -> str:
    """That it is done, or what is still lacking."""
    ticks = [option for option in listing.options if isinstance(option, Tick)]
    least = _setting(ticks[0].setting, snapshot).least if ticks else 0
    if sum(tick.place > 0 for tick in ticks) < least:
        return views.say("answer.done-too-few", snapshot.language, least=least)
    return views.say(f"answer.{Answer.DONE}", snapshot.language)


def _setting(name: str, snapshot: Snapshot) -> Setting:
    return next(setting for setting in snapshot.game.pack.settings if setting.name == name)


def _name_entry(entry: Entry, snapshot: Snapshot) -> str:
    """A line of the menu, with the value that is chosen."""
    language, voice = snapshot.language, views.voice_of(snapshot)
    match entry.item:
        case MenuItem.SETTING:
            value = name_value(entry.setting, snapshot.game.next_settings[entry.setting], voice)
            setting = voice.setting(entry.setting)
            return views.say("menu.setting", language, setting=setting, value=value)
        case MenuItem.GAME:
            return views.say("menu.game", language, title=snapshot.game.box.title)
        case MenuItem.LANGUAGE:
            return views.say(
                "menu.language", language, value=views.say(f"language.{language}", language)
            )
        case MenuItem.SOUND:
            value = name_choice(views.SOUND, snapshot.sound, voice, language)
            return views.say("menu.sound", language, value=value)
    return views.say(f"menu.{entry.item}", language)


def name_value(setting: str, value: str, voice: Voice) -> str:
    """What a setting of the game is, in words: all that was chosen, in its order."""
    return ", ".join(voice.choice(setting, word) for word in value.split()) or "–"


def name_choice(setting: str, value: str, voice: Voice, language: Language) -> str:
    """One choice of a setting, of the device or of the game."""
    if setting in (views.LANGUAGE, views.SOUND):
        return views.say(f"{setting}.{value}", language)
    return voice.choice(setting, value)


def name_events(
    events: Sequence[Event], readings: Sequence[Sequence[Event]], voice: Voice, language: Language
) -> str:
    """What may have happened, in its order; what that order makes forgotten is said to be so."""
    if not events:
        return views.say("happened.nothing", language)
    words = ""
    for at, event in enumerate(events):
        thing = _name_event(event, voice, language)
        if any(_is_late(events[: at + 1], other) for other in readings):
            thing = views.say("happened.forgotten", language, thing=thing)
        words = views.say("then", language, first=words, next=thing) if words else thing
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
            return views.name_placed(cell, piece, voice)
        case Taken(cell):
            return views.say("happened.taken", language, cell=cell)
        case Moved(origin, cell, piece):
            place = f"{cell}{piece.anchor or ''}"
            return views.say("happened.moved", language, origin=origin, place=place)
        case Passed(colour):
            return views.say("happened.passed", language, colour=voice.colour(colour))
        case TurnEnded():
            return views.say("happened.turn-ended", language)
        case LeftStanding(cell, _):
            return views.say("happened.left-standing", language, cell=cell)
        case Undone(ply, _):
            return views.say("happened.undone", language, ply=ply)
        case Amended(_, None):
            return views.say("happened.amended-nothing", language)
        case Amended(_, amended) if amended is not None:
            words = _name_event(amended, voice, language)
            return views.say("happened.amended", language, event=words)
    raise TypeError(f"no event at a table: {event!r}")
