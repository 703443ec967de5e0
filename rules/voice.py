"""Words for people, in every language we speak: what a game can say, and where its words stand.

A game says things in sentences (`judge`, the page, the loudspeaker) and in `Brief`s for a display
the size of a stamp. Both come from a `phrases.toml`, in which each phrase stands in all languages,
one below the other, so that a missing one is seen at once:

    [taken-back]
    en = "Move {ply} is taken back."
    fr = "Le coup {ply} est annulé."
    de = "Zug {ply} ist zurückgenommen."

A phrase is a whole: no language is made to fit the grammar of another by gluing words together.
Where gender or number ask for it, there are two phrases. Before a colon French sets a space at
which no line may break; briefs do without the colon, as a tiny font may lack that space.

Words for programs are never translated: cells, anchors, reasons, the record. What all games say
alike is in `rules.views`, and a game's voice builds on that.
"""

from __future__ import annotations

import string
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Final, Protocol

from rules.board import Cell, Piece
from rules.errors import BadPack
from rules.verdict import Due, Gain, Outcome, Problem, Statement, Task, Verdict

TITLE_LETTERS: Final = 10
BRIEF_LETTERS: Final = 10
"""Half a display has room for so many letters in a line of a brief, and for so many lines."""
BRIEF_LINES: Final = 5
ENTRY_LETTERS: Final = 20
"""An entry of an account or of a menu has the whole width."""


class Language(StrEnum):
    EN = "en"
    FR = "fr"
    DE = "de"


@dataclass(frozen=True, slots=True)
class Brief:
    """A thing in few words: a title, and lines that may be wrapped."""

    title: str
    lines: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    """The cells it is about, to be pointed at on a drawing of the board; the main one first."""


class Voice(Protocol):
    """What one game has to say in one language."""

    def describe(self, statement: Statement, verdict: Verdict) -> list[str]:
        """A statement in lines for people, from the verdict alone."""

    def due(self, due: Due) -> str:
        """What is due where, and why: one sentence."""

    def problem(self, problem: Problem) -> str:
        """What is wrong, and how it is put right: one sentence or two."""

    def task(self, task: Task, turn: str | None) -> str:
        """What the player on turn has to do: one sentence."""

    def gain(self, gain: Gain) -> str:
        """One entry of the account: who gained how much, by which piece."""

    def account(self, verdict: Verdict, colour: str) -> list[str]:
        """How this player's score of now comes about, a line for each part of it."""

    def piece(self, piece: Piece) -> str:
        """A piece by its name, with its colour: `white house`."""

    def colour(self, colour: str) -> str:
        """A player by the name of the colour."""

    def brief_due(self, due: Due) -> Brief: ...

    def brief_problem(self, problem: Problem) -> Brief: ...

    def brief_task(self, task: Task, turn: str | None) -> str:
        """A task in at most `ENTRY_LETTERS`."""

    def brief_gain(self, gain: Gain) -> str:
        """An entry of the account in at most `ENTRY_LETTERS`."""

    def brief_account(self, verdict: Verdict, colour: str) -> list[str]:
        """A player's account, each line of it likewise."""

    def brief_end(self, outcome: Outcome) -> list[Brief]:
        """The final count, one thing after the other (tower by tower); the result is not in it."""

    def setting(self, name: str) -> str:
        """A setting by its name in a menu, in at most `ENTRY_LETTERS`."""

    def choice(self, name: str, value: str) -> str:
        """One choice of that setting, likewise."""


class Phrases:
    """The phrases of one `phrases.toml`, checked when it is read."""

    def __init__(self, phrases: Mapping[str, Mapping[Language, str]]) -> None:
        self._phrases = phrases

    def __iter__(self) -> Iterator[str]:
        return iter(self._phrases)

    def __contains__(self, key: object) -> bool:
        return key in self._phrases

    def __or__(self, other: Phrases) -> Phrases:
        """Both; where both have a phrase, the other's."""
        return Phrases({**self._phrases, **other._phrases})

    def say(self, key: str, language: Language, /, **words: object) -> str:
        return self._phrases[key][language].format(**words)

    def raw(self, key: str, language: Language) -> str:
        """The phrase with its places still open."""
        return self._phrases[key][language]


@cache
def load_phrases(package: str) -> Phrases:
    """The phrases beside the code of this package, read when they are first asked for."""
    text = resources.files(package).joinpath("phrases.toml").read_text(encoding="utf-8")
    return parse_phrases(text, f"{package.replace('.', '/')}/phrases.toml")


def parse_phrases(text: str, where: str) -> Phrases:
    """The phrases, or `BadPack` with every one that lacks a language or a place to fill in.

    >>> parse_phrases('draw = { en = "a draw", fr = "égalité" }', "phrases.toml")
    Traceback (most recent call last):
    rules.errors.BadPack: phrases.toml: draw: not in de
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadPack(where, [f"no TOML: {error}"]) from None
    mistakes: list[str] = []
    phrases: dict[str, dict[Language, str]] = {}
    for key, entry in _entries(data, ""):
        wrong = _mistakes_in(entry)
        mistakes += [f"{key}: {mistake}" for mistake in wrong]
        if not wrong:
            phrases[key] = {language: str(entry[language]) for language in Language}
    if mistakes:
        raise BadPack(where, mistakes)
    return Phrases(phrases)


def _entries(table: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every phrase by its key. A table of tables is a group; anything else should be a phrase."""
    for name, value in table.items():
        if isinstance(value, dict) and any(isinstance(below, dict) for below in value.values()):
            yield from _entries(value, f"{path}{name}.")
        else:
            yield path + name, value if isinstance(value, dict) else {}


def _mistakes_in(entry: Mapping[str, Any]) -> list[str]:
    unknown = [f"no language is called {name}" for name in sorted(set(entry) - set(Language))]
    missing = [f"not in {language}" for language in Language if not _is_phrase(entry.get(language))]
    if unknown or missing:
        return unknown + missing
    try:
        places = {language: _places(entry[language]) for language in Language}
    except ValueError as error:
        return [f"places cannot be read: {error}"]
    return [
        f"{language} has other {{places}} than en"
        for language in Language
        if places[language] != places[Language.EN]
    ]


def _is_phrase(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _places(phrase: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(phrase) if name is not None)


def wrap(text: str, letters: int = BRIEF_LETTERS) -> list[str]:
    """The text in lines of so many letters at most; only a longer word makes a longer line.

    >>> wrap("push it to an edge or corner")
    ['push it to', 'an edge or', 'corner']
    """
    return textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)
