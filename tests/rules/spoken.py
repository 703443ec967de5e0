"""What can be asked of everything a voice says, whatever the game and the language."""

from __future__ import annotations

from typing import Any

from rules.board import Anchor, Piece
from rules.pack import Pack
from rules.verdict import Verdict
from rules.voice import (
    BRIEF_LETTERS,
    BRIEF_LINES,
    ENTRY_LETTERS,
    TITLE_LETTERS,
    Brief,
    Language,
    wrap,
)


def pieces_of(pack: Pack[Any]) -> list[Piece]:
    """Every piece of the box, in every anchor and in none."""
    return [
        Piece(kind, colour, anchor)
        for kind, facts in pack.box.pieces.items()
        for colour in facts.colours or (None,)
        for anchor in ((None, *Anchor) if facts.anchored else (None,))
    ]


def check_sentence(text: str) -> None:
    assert text.strip(), "nothing is said"
    assert not set("{}") & set(text), f"a place was left open: {text!r}"
    assert "None" not in text, f"something has no name: {text!r}"


def check_entry(text: str) -> None:
    check_sentence(text)
    assert len(text) <= ENTRY_LETTERS, f"{text!r} is longer than a line of a menu"


def check_brief(brief: Brief) -> None:
    check_sentence(brief.title)
    assert len(brief.title) <= TITLE_LETTERS, f"the title {brief.title!r} is too long"
    lines = [line for text in brief.lines for line in wrap(text)]
    for line in lines:
        check_sentence(line)
        assert len(line) <= BRIEF_LETTERS, f"{line!r} is too long, in {brief}"
        assert "\u00a0" not in line, f"a tiny font may lack this space: {line!r}"
    assert 1 <= len(lines) <= BRIEF_LINES, f"{len(lines)} lines: {lines}"
    assert brief.cells, f"{brief} points nowhere"


def check_spoken(pack: Pack[Any], verdict: Verdict, language: Language) -> None:
    """Everything in this verdict has its words, and they fit where they are shown."""
    voice = pack.voice(language)
    for statement in verdict.said:
        lines = voice.describe(statement, verdict)
        assert lines, f"no words for {statement}"
        for line in lines:
            check_sentence(line)
    for due in verdict.dues:
        check_sentence(voice.due(due))
        check_brief(voice.brief_due(due))
        assert voice.brief_due(due).cells[0] == due.cell
    for problem in verdict.problems:
        check_sentence(voice.problem(problem))
        check_brief(voice.brief_problem(problem))
        assert voice.brief_problem(problem).cells[0] == problem.cell
    if verdict.task is not None:
        check_sentence(voice.task(verdict.task, verdict.turn))
        check_entry(voice.brief_task(verdict.task, verdict.turn))
    for gain in verdict.gains:
        check_sentence(voice.gain(gain))
        check_entry(voice.brief_gain(gain))
    for colour in verdict.score:
        for line in voice.account(verdict, colour):
            check_sentence(line)
        for line in voice.brief_account(verdict, colour):
            check_entry(line)
    if verdict.outcome is not None:
        for brief in voice.brief_end(verdict.outcome):
            check_brief(brief)


def check_names(pack: Pack[Any], language: Language) -> None:
    """Everything in the box and every setting has a name, and no two have the same."""
    voice = pack.voice(language)
    things = {(piece.kind, piece.colour): voice.piece(piece) for piece in pieces_of(pack)}
    players = {player: voice.colour(player) for player in pack.box.players}
    settings = {setting.name: voice.setting(setting.name) for setting in pack.settings}
    for names in (things, players, settings):
        assert len(set(names.values())) == len(names), f"one name for two: {names}"
        for name in names.values():
            check_entry(name)
    for setting in pack.settings:
        values = [voice.choice(setting.name, value) for value in setting.choices]
        assert len(set(values)) == len(values), f"one name for two: {values}"
        for value in values:
            check_entry(value)
