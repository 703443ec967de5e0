"""A game in writing, for people: read it, write it, mail it.

    [Game "Masterplan"]
    [Date "2026-11-18"]
    [White "Anna"]
    [Yellow "Ben"]
    [both_due "park"]
    [mode "assist"]
    [Result "*"]

    1. c4ne  2. e6n  3. b3n +d5 (2-1)  4. e4ne {hm!}

A move has its number; behind it stands what was put up before the next one, then, where points
were made or lost, the score in turn order, then comments. `end` is a player saying that the turn is
over. Result is the final score, or `*`. Numbers, scores and the result are claims: reading checks
them.

`parse_record` and `format_record` are each other's reverse, to the letter for text in this layout
(white space and line ends may differ in what people write). `play_record` puts a record through
the rules, `write_record` makes one of a game; refused pieces are kept in it as comments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rules.board import Cell
from rules.errors import BadRecord, BadSetting, BadWord
from rules.events import Passed, Placed, TableEvent, TurnEnded
from rules.game import Game
from rules.pack import Pack, choose_settings
from rules.verdict import Illegal, Verdict

WIDTH: Final = 88
UNFINISHED: Final = "*"
END_OF_TURN: Final = "end"
_HEADER: Final = re.compile(r'\[([A-Za-z_]+) "((?:[^"\\]|\\.)*)"\]')
_ESCAPED: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"\n": "n", "\r": "r"}
_MEANT: Final = {letter: meant for meant, letter in _ESCAPES.items()}
_TOKEN: Final = re.compile(r"\{[^{}]*\}|\([^()\s]*\)|[^\s{}()]+|[{}()]")
_NUMBER: Final = re.compile(r"([0-9]{1,4})\.")
_SCORE: Final = re.compile(r"\((-?[0-9]{1,6}(?:--?[0-9]{1,6})+)\)")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the moves, and where it stood (which is no part of what it says)."""

    text: str
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    def wrong(self, expected: str) -> BadRecord:
        return BadRecord(self.line, self.column, repr(self.text), expected)


@dataclass(frozen=True, slots=True)
class Record:
    headers: Mapping[str, str]
    words: tuple[Word, ...]


def parse_record(text: str) -> Record:
    """The record as written. What the words mean only `play_record` can tell."""
    headers: dict[str, str] = {}
    words: list[Word] = []
    lines = re.split(r"\r\n|\r|\n", text)
    number = 0
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("["):
            break
        if line.strip():
            match = _HEADER.fullmatch(line.rstrip())
            if match is None:
                raise BadRecord(number, 1, repr(line[:40]), 'a header such as [White "Anna"]')
            name, value = match[1], _ESCAPED.sub(lambda e: _MEANT.get(e[1], e[1]), match[2])
            if name in headers:
                raise BadRecord(number, 2, f"{name} a second time", "each header once")
            headers[name] = value
    else:
        number = len(lines) + 1
    for match in _TOKEN.finditer("\n".join(lines[number - 1 :])):
        before = match.string[: match.start()]
        column = match.start() - (before.rfind("\n") + 1) + 1
        word = Word(match[0], number + before.count("\n"), column)
        if word.text in "{}()":
            raise word.wrong("a comment such as {so} or a score such as (2-1), closed again")
        if word.text.startswith("{"):
            word = Word("{" + " ".join(word.text[1:-1].split()) + "}", word.line, word.column)
        words.append(word)
    return Record(headers, tuple(words))


def format_record(record: Record) -> str:
    lines = []
    for name, value in record.headers.items():
        escaped = re.sub(r'["\\\n\r]', lambda e: "\\" + _ESCAPES.get(e[0], e[0]), value)
        lines.append(f'[{name} "{escaped}"]')
    if record.headers and record.words:
        lines.append("")
    row = ""
    for place, word in enumerate(record.words):
        is_number = _NUMBER.fullmatch(word.text) is not None
        gap, needed = "  " if is_number else " ", len(word.text)
        if is_number and place + 1 < len(record.words):
            needed += 1 + len(record.words[place + 1].text)  # a number stays with its move
        if row and len(row) + len(gap) + needed > WIDTH:
            lines.append(row)
            row = ""
        row += (gap if row else "") + word.text
    return "\n".join([*lines, *([row] if row else [])]) + "\n"


def play_record(pack: Pack[Any], record: Record) -> Game[Any]:
    """The written game through the rules, or `BadRecord` at the first word that does not fit."""
    title = record.headers.get("Game", pack.box.title)
    if title != pack.box.title:
        raise BadRecord(1, 1, f"the game {title!r}", pack.box.title)
    chosen = {s.name: record.headers[s.name] for s in pack.settings if s.name in record.headers}
    try:
        game = Game(pack, choose_settings(pack.settings, chosen))
    except BadSetting as error:
        raise BadRecord(1, 1, "a setting that does not exist", str(error)) from None
    numbered: Word | None = None
    for word in record.words:
        if word.text.startswith("{"):
            continue
        if _NUMBER.fullmatch(word.text):
            if numbered is not None or word.text != f"{game.verdict.ply + 1}.":
                raise word.wrong("a move" if numbered else f"{game.verdict.ply + 1}.")
            numbered = word
        elif word.text.startswith("("):
            _check_score(game, word)
        else:
            _play_word(pack, game, word, is_numbered=numbered is not None)
            numbered = None
    if numbered is not None:
        raise numbered.wrong("a move behind the number")
    _check_result(record, game)
    return game


def _play_word(pack: Pack[Any], game: Game[Any], word: Word, is_numbered: bool) -> None:
    before = game.verdict
    if word.text == END_OF_TURN:
        game.tell(TurnEnded())
        return
    try:
        event = pack.parse_move(word.text, before.turn)
    except BadWord as error:
        raise BadRecord(word.line, word.column, repr(word.text), str(error)) from None
    verdict = game.tell(event)
    for statement in verdict.said:
        if statement.refusal:
            raise word.wrong(f"a move the rules allow: this one is {statement.refusal}")
    if (verdict.ply > before.ply) != is_numbered:
        raise word.wrong(
            "a number such as 1. only before a move" if is_numbered else f"{verdict.ply}. before it"
        )


def _check_score(game: Game[Any], word: Word) -> None:
    if not _SCORE.fullmatch(word.text):
        raise word.wrong("a score such as (2-1)")
    if word.text != f"({_format_score(game, game.verdict)})":
        raise word.wrong(f"the score ({_format_score(game, game.verdict)})")


def _check_result(record: Record, game: Game[Any]) -> None:
    claimed = record.headers.get("Result", UNFINISHED)
    if claimed not in (UNFINISHED, format_result(game)):
        line = 1 + list(record.headers).index("Result")
        raise BadRecord(line, 1, f"the result {claimed!r}", repr(format_result(game)))


def write_record(game: Game[Any], known: Mapping[str, str] | None = None) -> Record:
    """The game so far. `known` are headers the rules cannot know: date, players, others."""
    names = {name.capitalize(): "?" for name in ("date", *game.box.players)}
    headers = {
        "Game": game.pack.box.title,
        **names,
        **(known or {}),
        **game.settings,
        "Result": format_result(game),
    }
    words: list[str] = []
    before = game.pack.survey(game.pack.setup(game.settings))
    scored = before.score
    came = _arrivals(game)
    for number, step in enumerate(game.steps):
        verdict = step.verdict
        if verdict.ply > before.ply:
            if before.score != scored:
                words.append(f"({_format_score(game, before)})")
            scored = before.score
            words.append(f"{verdict.ply}.")
        new = [cell for cell, step_of_arrival in came.items() if step_of_arrival == number]
        words.extend(_accepted(game.pack, step.event, before, verdict, new))
        words.extend(
            f"{{{said.problem.reason}: {said.problem.piece} on {said.problem.cell}}}"
            for said in verdict.said
            if isinstance(said, Illegal)
        )
        before = verdict
    if before.score != scored:
        words.append(f"({_format_score(game, before)})")
    return Record(headers, tuple(Word(word) for word in words))


def _arrivals(game: Game[Any]) -> dict[Cell, int]:
    """The step at which each piece came that stands by right. What went again never was."""
    came: dict[Cell, int] = {}
    for number, step in enumerate(game.steps):
        standing = step.verdict.position
        came = {cell: came.get(cell, number) for cell in standing}
    return came


def _accepted(
    pack: Pack[Any], event: TableEvent, before: Verdict, after: Verdict, new: list[Cell]
) -> list[str]:
    """The words for what this event brought into the game: mostly one, often none.

    A piece that lay there too early comes in with the move that made it right.
    """
    if isinstance(event, TurnEnded) and after.said:
        return [END_OF_TURN]
    if isinstance(event, Passed) and after.ply > before.ply:
        return [pack.format_move(event)]
    new.sort(key=lambda cell: (not isinstance(event, Placed) or cell != event.cell, cell))
    return [pack.format_move(Placed(cell, after.position[cell])) for cell in new]


def _format_score(game: Game[Any], verdict: Verdict) -> str:
    return "-".join(str(verdict.score[colour]) for colour in game.box.players)


def format_result(game: Game[Any]) -> str:
    """The final score as the record has it, or `*`."""
    return _format_score(game, game.verdict) if game.verdict.outcome else UNFINISHED
