"""A snapshot as the JSON the page lives from: everything any element of it shows.

Words for people are in the snapshot's language, ready to be shown; words for programs (cells,
kinds, reasons) stand beside them, so that a drawing of the board needs no sentence to be taken
apart. The code that pairs a phone is not in it: who watches has not read the display.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from firmware import options, views
from firmware.commands import DEVICE_CHOICES
from firmware.dialog import (
    About,
    Dialog,
    FinalCount,
    Listing,
    Pairing,
    Playing,
    UndoPreview,
    Why,
)
from firmware.lights import seat_lights
from firmware.snapshot import Alarm, Failure, GameCard, Hidden, Leftover, Snapshot
from rules.board import Cell, Piece, Position
from rules.box import Box
from rules.pack import Pack, choose_settings
from rules.packs import PACKS, load_pack
from rules.verdict import Due, Gain, Over, Problem, Statement, Verdict
from rules.voice import Brief, Voice
from rules.wire import format_statement

Json = dict[str, Any]


def state_of(snapshot: Snapshot) -> Json:
    verdict, language = snapshot.verdict, snapshot.language
    voice = snapshot.game.pack.voice(language)
    lights = seat_lights(snapshot.game.box)
    return {
        "number": snapshot.number,
        "language": language,
        "languages": _choices(snapshot, voice, views.LANGUAGE),
        "sound": snapshot.sound,
        "sounds": _choices(snapshot, voice, views.SOUND),
        "game": _game(snapshot.game, voice),
        "games": [_offer(load_pack(game), snapshot) for game in PACKS],
        "players": [
            {
                "colour": colour,
                "name": views.name_player(colour, snapshot),
                "score": verdict.score[colour],
                "on_turn": colour == verdict.turn,
                "light": lights.get(colour),
            }
            for colour in snapshot.game.box.players
        ],
        "turn": views.describe_turn(snapshot),
        "ply": verdict.ply,
        "pieces": pieces_of(verdict.table, voice),
        "dues": [{**due_of(due), "sentence": voice.due(due)} for due in verdict.dues],
        "choose": verdict.choose,
        "task": _task(snapshot),
        "problems": [_problem(problem, voice) for problem in verdict.problems],
        "alarm": _alarm(snapshot.alarm, snapshot),
        "seeing": snapshot.seeing,
        "unreadable": snapshot.unreadable
        and {
            "reason": snapshot.unreadable.reason,
            "sentence": views.describe_unreadable(snapshot.unreadable, language),
        },
        "unsure": sorted(snapshot.unsure),
        "hidden": sorted(snapshot.hidden),
        "dialog": _dialog(snapshot.dialog, snapshot, voice),
        "story": [_said(snapshot.game.pack, voice, *said) for said in snapshot.story],
        "account": [gain_of(gain, voice) for gain in verdict.account],
        "accounts": accounts_of(verdict, snapshot.game.box.players, voice),
        "series": series_of((said[1] for said in snapshot.story), verdict),
        "record": snapshot.record,
        "outcome": outcome_of(verdict, voice),
        "failures": [
            {
                "part": failure.part,
                "reason": failure.reason,
                "sentence": views.describe_failure(failure, language),
            }
            for failure in snapshot.failures
        ],
        "fresh": [gain_of(gain, voice) for gain in snapshot.fresh.gains] if snapshot.fresh else [],
        "resumed": snapshot.resumed,
        "greeting": views.describe_resumed(snapshot) if snapshot.resumed else None,
    }


def dialog_id(dialog: Dialog) -> str | None:
    """Tells one list from another, wherever its mark stands; None where nothing is asked."""
    if not isinstance(dialog, Listing):
        return None
    return f"{zlib.crc32(repr(replace(dialog, at=0)).encode()):08x}"


# What past games show as well


def pieces_of(position: Position, voice: Voice) -> list[Json]:
    return [
        {"cell": cell, **_piece(piece), "words": voice.piece(piece)}
        for cell, piece in position.items()
    ]


def due_of(due: Due) -> Json:
    return {
        "cell": due.cell,
        "kind": due.piece.kind,
        "forgotten": due.forgotten,
        "reasons": [{"rule": reason.rule, "cells": reason.cells} for reason in due.reasons],
    }


def gain_of(gain: Gain, voice: Voice) -> Json:
    return {
        "at": gain.at,
        "cell": gain.cell,
        "colour": gain.piece.colour,
        "points": gain.points,
        "sentence": voice.gain(gain),
    }


def accounts_of(verdict: Verdict, players: Iterable[str], voice: Voice) -> list[Json]:
    """How each player's score of now comes about, in lines."""
    return [{"colour": colour, "lines": voice.account(verdict, colour)} for colour in players]


def series_of(verdicts: Iterable[Verdict], now: Verdict) -> list[Json]:
    """The score after each move that still counts, as of the last verdict while it was current."""
    scores: dict[int, Mapping[str, int]] = {0: dict.fromkeys(now.score, 0)}
    for verdict in (*verdicts, now):
        while (last := next(reversed(scores))) > verdict.ply:
            del scores[last]  # taken back
        scores[verdict.ply] = verdict.score
    return [{"ply": ply, "score": dict(score)} for ply, score in scores.items()]


def outcome_of(verdict: Verdict, voice: Voice) -> Json | None:
    if verdict.outcome is None:
        return None
    return {
        "winners": verdict.outcome.winners,
        "score": dict(verdict.outcome.score),
        "sentences": voice.describe(Over(verdict.outcome), verdict),
    }


def settings_of(
    pack: Pack[Any],
    settings: Mapping[str, str],
    voice: Voice,
    following: Mapping[str, str] | None = None,
) -> list[Json]:
    """Each setting with its value in a game, the one for the next game, and what else it can be.

    Where several are chosen, a value is all of them with a space between, in their order.
    """
    return [
        {
            "name": setting.name,
            "label": voice.setting(setting.name),
            "value": settings[setting.name],
            "next": (following or settings)[setting.name],
            "words": options.name_value(setting.name, settings[setting.name], voice),
            "least": setting.least,
            "most": setting.most,
            "choices": [
                {"value": value, "words": voice.choice(setting.name, value)}
                for value in setting.choices
            ],
        }
        for setting in pack.settings
    ]


def kinds_of(box: Box, voice: Voice) -> list[Json]:
    """Every piece there is, as far as it takes to draw and to name it."""
    return [
        {
            "kind": facts.kind,
            "shape": facts.shape,
            "base_mm": facts.base_mm,
            "anchored": facts.anchored,
            "colours": facts.colours,
            "shade": dict(facts.shade),
            "count": facts.count,
            "words": {
                colour or "": voice.piece(Piece(facts.kind, colour))
                for colour in facts.colours or (None,)
            },
        }
        for facts in box.pieces.values()
    ]


# The parts


def _choices(snapshot: Snapshot, voice: Voice, setting: str) -> list[Json]:
    return [
        {"value": value, "words": options.name_choice(setting, value, voice, snapshot.language)}
        for value in DEVICE_CHOICES[setting]
    ]


def _game(card: GameCard, voice: Voice) -> Json:
    box = card.box
    return {
        "number": card.number,
        "game": box.game,
        "title": box.title,
        "files": box.board.files,
        "ranks": box.board.ranks,
        "cell_mm": box.board.cell_mm,
        "started": card.started_s,
        "kinds": kinds_of(box, voice),
        "settings": settings_of(card.pack, card.settings, voice, card.next_settings),
    }


def _offer(pack: Pack[Any], snapshot: Snapshot) -> Json:
    """A game that could be played, as it was played last."""
    card, game = snapshot.game, pack.box.game
    settings = choose_settings(pack.settings, snapshot.preferred.get(game, {}))
    following = settings
    if game == card.box.game:
        settings, following = dict(card.settings), dict(card.next_settings)
    voice = pack.voice(snapshot.language)
    return {
        "game": game,
        "title": pack.box.title,
        "settings": settings_of(pack, settings, voice, following),
    }


def _task(snapshot: Snapshot) -> Json | None:
    task = snapshot.verdict.task
    if task is None:
        return None
    return {
        "word": task.word,
        "sentence": views.describe_task(snapshot),
        "kind": task.piece.kind if task.piece else None,
        "count": task.count,
        "cells": task.cells,
        "may_pass": snapshot.may_pass,
    }


def _piece(piece: Piece) -> Json:
    return {"kind": piece.kind, "colour": piece.colour, "anchor": piece.anchor}


def _problem(problem: Problem, voice: Voice) -> Json:
    return {
        "cell": problem.cell,
        "reason": problem.reason,
        "sentence": voice.problem(problem),
        "piece": _piece(problem.piece),
    }


def _alarm(alarm: Alarm | None, snapshot: Snapshot) -> Json | None:
    cells: tuple[Cell, ...] = ()
    match alarm:
        case None:
            return None
        case Problem():
            kind, cells = "problem", (alarm.cell,)
        case Due():
            kind, cells = "due", (alarm.cell,)
        case Hidden():
            kind, cells = "hidden", alarm.cells
        case Leftover():
            kind, cells = "leftover", alarm.cells
        case Failure():
            kind = "failure"
        case _:
            kind = "unreadable"
    return {"kind": kind, "sentence": views.describe_alarm(snapshot), "cells": cells}


def _said(pack: Pack[Any], voice: Voice, statement: Statement, verdict: Verdict) -> Json:
    cell = format_statement(pack, statement).get("cell")
    return {
        "ply": verdict.ply,
        "word": statement.word,
        "lines": voice.describe(statement, verdict),
        "cells": [cell] if cell else [],
    }


def _dialog(dialog: Dialog, snapshot: Snapshot, voice: Voice) -> Json:
    match dialog:
        case Playing():
            return {"kind": "playing"}
        case Listing():
            return {
                "kind": "listing",
                "id": dialog_id(dialog),
                "topic": dialog.topic,
                "title": options.title_listing(dialog, snapshot),
                "options": options.name_options(dialog, snapshot),
                "at": dialog.at,
                "cell": dialog.cell,
            }
        case Why(pages, at):
            title = views.say("why.nothing.title", snapshot.language)
            return {"kind": "why", "title": title, "pages": [_brief(p) for p in pages], "at": at}
        case UndoPreview(ply):
            brief = views.brief_undo(dialog, snapshot)
            return {"kind": "undo", "ply": ply, **_brief(brief)}
        case FinalCount(at):
            outcome = snapshot.verdict.outcome
            counted = [_brief(brief) for brief in voice.brief_end(outcome)] if outcome else []
            result = Brief(views.name_result(snapshot), (views.describe_outcome(snapshot),))
            counted.append(_brief(result))
            return {"kind": "final-count", "title": result.title, "pages": counted, "at": at}
        case Pairing():
            return {"kind": "pairing", "title": views.say("pairing.title", snapshot.language)}
        case About():
            return {"kind": "about", "title": views.say("menu.about", snapshot.language)}


def _brief(brief: Brief) -> Json:
    return {"title": brief.title, "lines": brief.lines, "cells": brief.cells}
