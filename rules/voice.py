"""Words for people, in every language we speak.

A game says things in sentences (`judge`, the page, the loudspeaker) and in `Brief`s for a display
the size of a stamp. Both come from the game's own `phrases.toml`, in which each phrase stands in
all languages, one below the other, so that a missing one is seen at once:

    [due.park]
    en = "park due on {cell}: {reasons}"
    fr = "parc à poser en {cell} : {reasons}"
    de = "Park fällig auf {cell}: {reasons}"

Words for programs are never translated: cells, anchors, reasons, the record.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from rules.board import Cell, Piece
from rules.errors import BadPack
from rules.verdict import Due, Gain, Outcome, Problem, Statement, Verdict


class Language(StrEnum):
    EN = "en"
    FR = "fr"
    DE = "de"


@dataclass(frozen=True, slots=True)
class Brief:
    """A thing in few words: a title of at most ten letters, and lines that may be wrapped."""

    title: str
    lines: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    """The cells it is about, to be pointed at on a drawing of the board."""


class Voice(Protocol):
    """What one game has to say in one language."""

    def describe(self, statement: Statement, verdict: Verdict) -> list[str]:
        """A statement in lines for people, from the verdict alone."""

    def due(self, due: Due) -> str:
        """What is due where, and why: one sentence."""

    def problem(self, problem: Problem) -> str:
        """What is wrong, and how it is put right: one sentence."""

    def gain(self, gain: Gain) -> str:
        """One entry of the account: who gained how much, by which piece."""

    def piece(self, piece: Piece) -> str:
        """A piece by its name, with its colour: `white house`."""

    def colour(self, colour: str) -> str:
        """A player by the name of the colour."""

    def brief_due(self, due: Due) -> Brief: ...

    def brief_problem(self, problem: Problem) -> Brief: ...

    def brief_gain(self, gain: Gain) -> str:
        """An entry of the account in at most 20 letters."""

    def brief_end(self, outcome: Outcome) -> list[Brief]:
        """The final count, one thing after the other (tower by tower); the result is not in it."""

    def setting(self, name: str) -> str:
        """A setting by its name in a menu."""

    def choice(self, name: str, value: str) -> str:
        """A value of that setting, likewise."""


class Phrases:
    """The phrases of one `phrases.toml`, checked when it is read."""

    def __init__(self, phrases: Mapping[str, Mapping[Language, str]]) -> None:
        self._phrases = phrases

    def __iter__(self) -> Iterator[str]:
        return iter(self._phrases)

    def say(self, key: str, language: Language, /, **words: object) -> str:
        return self._phrases[key][language].format(**words)

    def raw(self, key: str, language: Language) -> str:
        """The phrase with its places still open."""
        return self._phrases[key][language]


def parse_phrases(text: str, where: str) -> Phrases:
    """The phrases, or `BadPack` with every one that lacks a language or a place to fill in."""
    mistakes: list[str] = []
    phrases: dict[str, dict[Language, str]] = {}
    for key, entry in _entries(tomllib.loads(text), ""):
        unknown = set(entry) - set(Language)
        missing = [language.value for language in Language if not entry.get(language)]
        mistakes += [f"{key}: no language is called {name}" for name in sorted(unknown)]
        mistakes += [f"{key}: not in {name}" for name in missing]
        if not unknown and not missing:
            phrases[key] = {language: str(entry[language]) for language in Language}
            places = {language: _places(phrase) for language, phrase in phrases[key].items()}
            for language in Language:
                if places[language] != places[Language.EN]:
                    mistakes.append(f"{key}: {language} has other {{places}} than en")
    if mistakes:
        raise BadPack(where, mistakes)
    return Phrases(phrases)


def _entries(table: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, value in table.items():
        if all(isinstance(phrase, str) for phrase in value.values()):
            yield path + name, value
        else:
            yield from _entries(value, f"{path}{name}.")


def _places(phrase: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(phrase) if name)
