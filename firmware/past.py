"""Past games, brought back by replay: for the page, as written record, as pictures.

What is kept of a game is what it was told, so everything else is worked out here once more. A log
that our rules cannot follow (damaged, or told to a version that knew more) is `Unreplayable`; the
other games are none the worse for it.

The `Library` does all this in a thread and for one visitor at a time, so that many curious phones
cannot slow the frames down.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from firmware.picture import Scene, draw_gif, draw_png
from firmware.state import (
    Json,
    accounts_of,
    due_of,
    gain_of,
    kinds_of,
    outcome_of,
    pieces_of,
    series_of,
    settings_of,
)
from firmware.store import NoSuchGame, StoredGame
from rules.errors import ParkwardenError
from rules.game import Game
from rules.packs import load_pack
from rules.record import format_record, write_record
from rules.verdict import Verdict
from rules.voice import Language
from rules.wire import parse_event

MOST_LISTED: Final = 200
LONGEST_NUMBER: Final = 15
"""In digits; SQLite bears a few more."""
T = TypeVar("T")


class Unreplayable(ParkwardenError, ValueError):
    """A stored game that cannot be brought back."""


@dataclass(frozen=True, slots=True)
class PastGame:
    card: StoredGame
    game: Game[Any]

    @property
    def opening(self) -> Verdict:
        return self.game.pack.survey(self.game.pack.setup(self.game.settings))


class Shelf(Protocol):
    """Where past games are; both may block, and are called in a thread."""

    def games(self) -> Sequence[StoredGame]: ...
    def game_log(self, number: int) -> Sequence[Mapping[str, object]]: ...


class Library:
    """Past games by their number, which comes as the text somebody typed."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._desk = asyncio.Lock()

    async def cards(self, current: int, language: Language) -> list[Json]:
        """The newest games, the newest first."""
        async with self._desk:
            cards = await asyncio.to_thread(self._shelf.games)
        newest = sorted(cards, key=lambda card: card.number, reverse=True)
        return [card_of(card, current, language) for card in newest[:MOST_LISTED]]

    async def story(self, number: str, language: Language) -> Json:
        return await self._work(number, lambda past: story_of(past, language))

    async def record(self, number: str) -> str:
        return await self._work(number, record_of)

    async def board(self, number: str) -> bytes:
        """PNG of how it stands, or ended."""
        return await self._work(number, lambda p: draw_png(last_scene_of(p), p.game.box))

    async def replay(self, number: str) -> bytes:
        """GIF of how it came about."""
        return await self._work(number, lambda p: draw_gif(scenes_of(p), p.game.box))

    async def _work(self, number: str, work: Callable[[PastGame], T]) -> T:
        if not (number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER):
            raise NoSuchGame(f"{number[:LONGEST_NUMBER]!a} is no number of a game")
        async with self._desk:
            return await asyncio.to_thread(lambda: work(self._open(int(number))))

    def _open(self, number: int) -> PastGame:
        for card in self._shelf.games():
            if card.number == number:
                return replay(card, self._shelf.game_log(number))
        raise NoSuchGame(f"there is no game {number}")


def replay(card: StoredGame, log: Sequence[Mapping[str, object]]) -> PastGame:
    told = 0
    try:
        pack = load_pack(card.game)
        game = Game(pack, card.settings)
        for line in log:
            game.tell(parse_event(pack, line))
            told += 1
    except ParkwardenError as error:
        raise Unreplayable(
            f"game {card.number} cannot be replayed after {told} of {len(log)} events: {error}"
        ) from None
    return PastGame(card, game)


def card_of(card: StoredGame, current: int, language: Language) -> Json:
    """A line of the list of games."""
    try:
        game = Game(load_pack(card.game), card.settings)
        title, players = game.box.title, game.box.players
        voice = game.pack.voice(language)
        names = [
            {"colour": colour, "name": voice.colour(colour).capitalize()} for colour in players
        ]
    except ParkwardenError:
        title, players, names = card.game, (), []
    points = _points_in(card.result or "")
    is_score = len(points) == len(players)
    return {
        "number": card.number,
        "game": card.game,
        "title": title,
        "started": card.started_s,
        "ended": card.ended_s,
        "events": card.events,
        "players": names,
        "score": dict(zip(players, points, strict=True)) if is_score else None,
        "over": card.result is not None,
        "current": card.number == current,
    }


def _points_in(result: str) -> list[int]:
    """
    >>> _points_in("24-23"), _points_in("-2-15--1"), _points_in("*")
    ([24, 23], [-2, 15, -1], [])
    """
    if not re.fullmatch(r"-?\d{1,9}(--?\d{1,9})*", result):
        return []
    return [int(points) for points in re.findall(r"(?:^|-)(-?\d+)", result)]


def story_of(past: PastGame, language: Language) -> Json:
    """Everything the page shows of it, step by step."""
    game, pack, box = past.game, past.game.pack, past.game.box
    voice, verdict = pack.voice(language), game.verdict
    steps = []
    before = past.opening
    for number, after in enumerate((before, *_verdicts(past))):
        changed = {*before.table.items()} ^ {*after.table.items()}
        steps.append(
            {
                "step": number,
                "ply": after.ply,
                "on_turn": after.turn,
                "pieces": pieces_of(after.table, voice),
                "dues": [due_of(due) for due in after.dues],
                "score": dict(after.score),
                "lines": [line for said in after.said for line in voice.describe(said, after)],
                "cells": sorted({cell for cell, _ in changed}),
            }
        )
        before = after
    return {
        "number": past.card.number,
        "game": box.game,
        "title": box.title,
        "files": box.board.files,
        "ranks": box.board.ranks,
        "cell_mm": box.board.cell_mm,
        "kinds": kinds_of(box, voice),
        "started": past.card.started_s,
        "settings": settings_of(pack, game.settings, voice),
        "players": [{"colour": c, "name": voice.colour(c).capitalize()} for c in box.players],
        "record": record_of(past),
        "outcome": outcome_of(verdict, voice),
        "account": [gain_of(gain, voice) for gain in verdict.account],
        "accounts": accounts_of(verdict, box.players, voice),
        "series": series_of(_verdicts(past), verdict),
        "steps": steps,
    }


def record_of(past: PastGame) -> str:
    date = time.strftime("%Y-%m-%d", time.localtime(past.card.started_s))
    return format_record(write_record(past.game, {"Date": date}))


def scenes_of(past: PastGame) -> list[Scene]:
    """The board after each step that changed it by right; the last one as the game stands."""
    scenes = [Scene(past.opening.position, 0, past.opening.score)]
    for verdict in _verdicts(past):
        before = scenes[-1]
        new = [cell for cell in verdict.position if cell not in before.position]
        if verdict.position != before.position:
            scenes.append(Scene(verdict.position, verdict.ply, verdict.score, new))
    return scenes


def last_scene_of(past: PastGame) -> Scene:
    verdict = past.game.verdict
    return Scene(verdict.position, verdict.ply, verdict.score)


def _verdicts(past: PastGame) -> Iterator[Verdict]:
    return (step.verdict for step in past.game.steps)
