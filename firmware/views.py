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
    UndoPreview,
)
from firmware.snapshot import Failure, Hidden, Leftover, Snapshot
from rules.board import Cell, Piece
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


# ---- names ----


def name_piece(piece: Piece, voice: Voice) -> str:
    """By its colour alone where an anchor says that it is a house: `white`."""
    if piece.colour is not None and piece.anchor is not None:
        return voice.colour(piece.colour)
    return voice.piece(piece)


def name_placed(cell: Cell, piece: Piece, voice: Voice) -> str:
    return f"{name_piece(piece, voice)} {cell}{piece.anchor or ''}"


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
    names = [name_placed(cell, piece, voice) for cell, piece in pieces]
    if len(names) <= 2:
        return list_words(names, language)
    if sum(piece.colour is not None for _, piece in pieces) == 1:
        return say("undo.more", language, thing=names[0], count=len(names) - 1)
    return say("undo.pieces", language, count=len(names))
