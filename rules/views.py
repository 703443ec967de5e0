"""Words for people that fit every game.

`TableVoice` says what any table can do wrong and how it is put right, and looks up what every game
has: colours, kinds, settings. A pack's voice is this class with what only that game says. It finds
its phrases by words for programs, and the pack may say anything better than we do here:

    problem.REASON.KIND  or  problem.REASON      a fault, with the kind where grammar asks for it
    brief.problem.…                              the same in few words
    kind.KIND   piece.KIND.COLOUR   the.KIND[.COLOUR]     house, white house, the white house
    task.WORD   brief.task.WORD                  what the player on turn has to do
    pass-refused.REASON                          why a player may not pass
    colour.COLOUR   setting.NAME   choice.NAME.VALUE
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.board import Cell, Piece, format_position
from rules.verdict import (
    Corrected,
    Gain,
    Illegal,
    Misfit,
    PassRefused,
    Problem,
    Statement,
    TakenBack,
    Task,
    Verdict,
)
from rules.voice import Brief, Language, Phrases, Voice, load_phrases


class TableVoice:
    """What every game says alike."""

    def __init__(self, language: Language, phrases: Phrases) -> None:
        self.language = language
        self._phrases = load_phrases("rules") | phrases

    def say(self, key: str, **words: object) -> str:
        return self._phrases.say(key, self.language, **words)

    def describe(self, statement: Statement, verdict: Verdict) -> list[str]:
        """A pack's voice hands on to here what it does not say itself."""
        match statement:
            case Illegal(problem):
                return [f"! {self.problem(problem)}"]
            case PassRefused(reason, colour):
                return [f"! {self.say(f'pass-refused.{reason}', colour=self.colour(colour))}"]
            case Corrected(cell):
                return [self.say("corrected", cell=cell)]
            case TakenBack(ply):
                return [self.say("taken-back", ply=ply)]
        raise TypeError(f"this game never says {statement!r}")

    def problem(self, problem: Problem) -> str:
        return self._say_problem("problem", problem)

    def brief_problem(self, problem: Problem) -> Brief:
        title = self.title(problem.piece, problem.cell)
        lines = (self._say_problem("brief.problem", problem),)
        return Brief(title, lines, (problem.cell, *problem.others))

    def task(self, task: Task, turn: str | None) -> str:
        return self._say_task("task", task, turn)

    def brief_task(self, task: Task, turn: str | None) -> str:
        return self._say_task("brief.task", task, turn)

    def gain(self, gain: Gain) -> str:
        raise TypeError(f"this game knows no gain such as {gain!r}")

    def brief_gain(self, gain: Gain) -> str:
        raise TypeError(f"this game knows no gain such as {gain!r}")

    def account(self, verdict: Verdict, colour: str) -> list[str]:
        """A game whose account grows long says it shorter than gain by gain."""
        return [self.gain(gain) for gain in verdict.account if gain.piece.colour == colour]

    def brief_account(self, verdict: Verdict, colour: str) -> list[str]:
        return [self.brief_gain(gain) for gain in verdict.account if gain.piece.colour == colour]

    def _say_task(self, group: str, task: Task, turn: str | None) -> str:
        who = self.colour(turn) if turn else ""
        return self.say(f"{group}.{task.word}", colour=who, count=task.count)

    def _say_problem(self, group: str, problem: Problem) -> str:
        piece = problem.piece
        for_any_kind = f"{group}.{problem.reason}"
        for_this_kind = f"{for_any_kind}.{piece.kind}"
        return self.say(
            for_this_kind if for_this_kind in self._phrases else for_any_kind,
            cell=problem.cell,
            piece=self.piece(piece),
            the_piece=self.say(_key_of("the", piece)),
            colour=self.colour(piece.colour) if piece.colour else "",
            other=problem.others[0] if problem.others else "",
            others=list_words(problem.others, self.language) if problem.others else "",
        )

    def piece(self, piece: Piece) -> str:
        return self.say(_key_of("piece" if piece.colour else "kind", piece))

    def title(self, piece: Piece, cell: Cell) -> str:
        """A piece and its cell as the title of a brief: `HOUSE c4`."""
        return f"{self.say(f'kind.{piece.kind}').upper()} {cell}"

    def colour(self, colour: str) -> str:
        return self.say(f"colour.{colour}")

    def setting(self, name: str) -> str:
        return self.say(f"setting.{name}")

    def choice(self, name: str, value: str) -> str:
        return self.say(f"choice.{name}.{value}")


def _key_of(group: str, piece: Piece) -> str:
    return f"{group}.{piece.kind}.{piece.colour}" if piece.colour else f"{group}.{piece.kind}"


def list_words(words: Iterable[str], language: Language) -> str:
    """
    >>> for language in Language:
    ...     list_words(["c4", "e6", "b3"], language)
    'c4, e6 and b3'
    'c4, e6 et b3'
    'c4, e6 und b3'
    """
    *most, last = words
    if not most:
        return last
    return load_phrases("rules").say("list", language, most=", ".join(most), last=last)


def describe_misfit(misfit: Misfit) -> str:
    return f"! step {misfit.step} no longer fits: {misfit.why}"


def draw_board(verdict: Verdict) -> str:
    """What stands on the table, and in brackets what is due."""
    notes = {due.cell: f"({due.piece.kind[0]})" for due in verdict.dues}
    return format_position(verdict.table, notes)


def format_score(score: Mapping[str, int], voice: Voice) -> str:
    """Points by colour, as they are read out."""
    return ", ".join(f"{voice.colour(colour)} {points}" for colour, points in score.items())
