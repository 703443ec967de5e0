"""Masterplan in words for people: what stands, what is due and why, what it gained and by whom."""

from __future__ import annotations

from typing import Final

from rules.packs.masterplan.words import (
    BLOCK,
    LINE,
    PARK,
    PERFECT,
    TOWER,
    Fault,
    FinalCount,
    Forgotten,
    HouseStands,
    ParkLies,
    TowerStands,
)
from rules.verdict import Due, Gain, Illegal, Over, Problem, Reason, Statement, Verdict
from rules.views import list_words, name_piece

_FAULTS: Final[dict[str, str]] = {
    Fault.OUT_OF_TURN: "{cell}: it is not {colour}'s turn. Take the house back.",
    Fault.LINE_OF_FOUR: "{cell}: that would be four houses in a row. Take the house back.",
    Fault.SQUARE_OF_FOUR: "{cell}: that would fill a block of four. Take the house back.",
    Fault.NOT_DUE: "{cell}: no {piece} is due there. Take it off.",
    Fault.WRONG_PIECE: "{cell}: a {other} is due there, not a {piece}. Change it.",
    Fault.NONE_LEFT: "{cell}: there is no {piece} left to put up. Take it off.",
    Fault.NO_ANCHOR: "{cell}: push the house to an edge or into a corner of its cell.",
}


def describe(statement: Statement, verdict: Verdict) -> list[str]:
    match statement:
        case HouseStands():
            return _describe_house(statement, verdict)
        case ParkLies():
            return _describe_park(statement, verdict)
        case TowerStands(cell, forgotten):
            return [f"    tower {cell}{' (was forgotten)' if forgotten else ''}"]
        case Forgotten(parks, towers):
            things = [f"park {cell}" for cell in parks] + [f"tower {cell}" for cell in towers]
            after = " A forgotten park scores nothing." if parks else ""
            return [f"! forgotten: {list_words(things)}. Put it up now.{after}"]
        case Illegal(problem):
            return [describe_fault(problem)]
        case Over(outcome) if isinstance(outcome, FinalCount):
            return _describe_end(outcome)
    raise TypeError(f"not a statement of Masterplan: {statement!r}")


def describe_fault(problem: Problem) -> str:
    words = _FAULTS[problem.reason].format(
        cell=problem.cell,
        colour=problem.piece.colour,
        piece=name_piece(problem.piece),
        other=(TOWER if problem.piece == PARK else PARK).kind,
    )
    return f"! {words}"


def describe_due(due: Due) -> str:
    """What is due where, and which houses ask for it.

    >>> from rules.board import Cell, Piece
    >>> line = Reason(LINE, (Cell("b3"), Cell("c4"), Cell("e6")))
    >>> describe_due(Due(Piece("park"), Cell("d5"), (line,)))
    'park due on d5: b3, c4 and e6 would be four in a row'
    """
    reasons = "; ".join(_describe_reason(reason) for reason in due.reasons)
    return f"{due.piece.kind} due on {due.cell}: {reasons}"


def describe_gain(gain: Gain) -> str:
    """One house's points: which, how many, why."""
    why = f"right against {gain.at}" if gain.why == PERFECT else f"beside {gain.at}"
    return f"{gain.piece.colour} {gain.points}: {gain.cell}{gain.piece.anchor} stands {why}"


def _describe_reason(reason: Reason) -> str:
    after = {LINE: "would be four in a row", BLOCK: "would be a full block"}[reason.rule]
    return f"{list_words(reason.cells)} {after}"


def _describe_house(said: HouseStands, verdict: Verdict) -> list[str]:
    lines = [f"{said.ply}. {said.colour} {said.cell}{said.anchor}"]
    fresh = {*said.parks, *said.towers}
    lines += [f"    {describe_due(due)}" for due in verdict.dues if due.cell in fresh]
    if said.choose is not None:
        lines.append(f"    only {said.choose} tower left: choose where it goes")
    return lines


def _describe_park(said: ParkLies, verdict: Verdict) -> list[str]:
    if said.forgotten:
        return [f"    park {said.cell} (was forgotten: no points)"]
    gained = ", ".join(f"{colour} +{points}" for colour, points in said.gained.items() if points)
    lines = [f"    park {said.cell}: {gained or 'no points'}"]
    lines += [f"        {describe_gain(gain)}" for gain in verdict.gains if gain.at == said.cell]
    return lines


def _describe_end(outcome: FinalCount) -> list[str]:
    lines = ["All 28 houses stand. The towers:"]
    for count in outcome.towers:
        rating = ", ".join(f"{colour} {points}" for colour, points in count.rating.items())
        lines.append(f"    {count.tower}: {rating} → {count.winner or 'nobody'}")
    final = ", ".join(f"{colour} {points}" for colour, points in outcome.score.items())
    winner = f"{outcome.winners[0]} wins" if len(outcome.winners) == 1 else "a draw"
    return [*lines, f"Final score: {final}: {winner}."]
