"""Words for people that fit every game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from rules.board import Piece, format_position
from rules.pack import Pack
from rules.table import MOVED, OCCUPIED, REMOVED, UNDONE
from rules.verdict import Corrected, Illegal, Misfit, Problem, Statement, TakenBack, Verdict

_TABLE_FAULTS: Final = {
    OCCUPIED: "{cell} is taken: the {piece} cannot stand there.",
    REMOVED: "the {piece} is gone from {cell}: put it back.",
    MOVED: "the {piece} has been moved to {cell}: put it back where it stood.",
    UNDONE: "the {piece} on {cell} belongs to a move taken back: take it off.",
}


def describe(pack: Pack[Any], statement: Statement, verdict: Verdict) -> list[str]:
    """A statement in lines for people, from the verdict alone."""
    match statement:
        case Illegal(problem) if problem.reason in _TABLE_FAULTS:
            return [describe_problem(problem)]
        case Corrected(cell):
            return [f"{cell} is put right."]
        case TakenBack(ply):
            return [f"Move {ply} is taken back."]
    return pack.describe(statement, verdict)


def describe_problem(problem: Problem) -> str:
    sentence = _TABLE_FAULTS[problem.reason]
    return "! " + sentence.format(cell=problem.cell, piece=name_piece(problem.piece))


def describe_misfit(misfit: Misfit) -> str:
    return f"! step {misfit.step} no longer fits: {misfit.why}"


def name_piece(piece: Piece) -> str:
    """
    >>> name_piece(Piece("house", "white"))
    'white house'
    """
    return f"{piece.colour} {piece.kind}" if piece.colour else piece.kind


def list_words(words: Iterable[str]) -> str:
    """
    >>> list_words(["c4", "e6", "b3"])
    'c4, e6 and b3'
    """
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def draw_board(verdict: Verdict) -> str:
    """What stands on the table, and in brackets what is due."""
    notes = {due.cell: f"({due.piece.kind[0]})" for due in verdict.dues}
    return format_position(verdict.table, notes)


def format_score(verdict: Verdict) -> str:
    """The score by colour, as it is read out."""
    return ", ".join(f"{colour} {points}" for colour, points in verdict.score.items())
