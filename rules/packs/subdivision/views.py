"""Subdivision in words for people: what stands, what it did to the score, and who must pass.

Points have their sign, with a real minus in sentences and a hyphen where a tiny font may lack it.
"""

from __future__ import annotations

from functools import cache

from rules.board import Piece
from rules.packs.subdivision.points import PRIVATE_PARK_POINTS
from rules.packs.subdivision.words import (
    CROWDED,
    GROUP,
    MUST_PASS,
    PARK,
    PLACED,
    PRIVATE,
    USUAL,
    Account,
    FinalCount,
    MustPass,
    PieceStands,
    TurnPassed,
)
from rules.verdict import Due, Gain, Outcome, Over, Statement, Task, Verdict
from rules.views import TableVoice, list_words
from rules.voice import Brief, Language, load_phrases


@cache
def voice(language: Language) -> SubdivisionVoice:
    """
    >>> from rules.board import Cell
    >>> from rules.verdict import Problem
    >>> near = Problem("large-near-own-large", Cell("c4"), Piece("large", "red"), (Cell("c3"),))
    >>> for language in Language:
    ...     voice(language).problem(near)
    'c4: a large next to your own large on c3. Take it back.'
    'c4\\xa0: une grande à côté de votre propre grande en c3. Reprenez-la.'
    'c4: eine Große neben der eigenen Großen auf c3. Bitte zurücknehmen.'
    """
    return SubdivisionVoice(language, load_phrases(__package__))


class SubdivisionVoice(TableVoice):
    def describe(self, statement: Statement, verdict: Verdict) -> list[str]:
        match statement:
            case PieceStands():
                return self._describe_piece(statement, verdict)
            case TurnPassed(ply, colour):
                return [self.say("said.passed", ply=ply, colour=self.colour(colour))]
            case MustPass(colour):
                return [f"! {self.task(Task(MUST_PASS), colour)}"]
            case Over(outcome) if isinstance(outcome, FinalCount):
                return self._describe_end(outcome)
        return super().describe(statement, verdict)

    def due(self, due: Due) -> str:
        raise TypeError("nothing is ever due")

    def brief_due(self, due: Due) -> Brief:
        raise TypeError("nothing is ever due")

    def gain(self, gain: Gain) -> str:
        return self._say_gain(f"gain.{gain.why}", gain, _signed(gain.points))

    def brief_gain(self, gain: Gain) -> str:
        return self._say_gain(f"brief.gain.{gain.why}", gain, f"{gain.points:+}")

    def account(self, verdict: Verdict, colour: str) -> list[str]:
        return self._account("account", verdict, colour)

    def brief_account(self, verdict: Verdict, colour: str) -> list[str]:
        return [line.replace("−", "-") for line in self._account("brief.account", verdict, colour)]

    def brief_end(self, outcome: Outcome) -> list[Brief]:
        assert isinstance(outcome, FinalCount)  # it is an outcome of this game
        return [self._brief_score(colour, a) for colour, a in outcome.accounts.items()]

    def choice(self, name: str, value: str) -> str:
        if name == "players":
            return self.colour(value)
        if name == "size" and value != USUAL:
            return f"{value} × {value}"
        return super().choice(name, value)

    def _describe_piece(self, said: PieceStands, verdict: Verdict) -> list[str]:
        if said.kind == PARK.kind:
            colour = self.colour(said.colour)
            return [self.say("said.park", ply=said.ply, colour=colour, cell=said.cell)]
        piece = Piece(said.kind, said.colour)
        words = {"ply": said.ply, "piece": self.piece(piece), "cell": said.cell}
        if not any((gain.cell, gain.why) == (said.cell, PLACED) for gain in verdict.gains):
            return [self.say("said.placed", **words)]  # an undo brought it in: it tells no points
        own = sum(gain.points for gain in verdict.gains if gain.piece.colour == said.colour)
        lines = [self.say("said.scored", **words, points=_signed(own))]
        return lines + [f"    {self.gain(gain)}" for gain in verdict.gains if gain.why != PLACED]

    def _say_gain(self, key: str, gain: Gain, points: str) -> str:
        assert gain.piece.colour is not None  # a park gains nothing
        cells = sorted((gain.cell, *gain.others))
        return self.say(
            key,
            colour=self.colour(gain.piece.colour),
            points=points,
            piece=self.piece(gain.piece),
            cell=gain.cell,
            at=gain.at,
            cells=list_words(cells, self.language),
            count=len(gain.others),
        )

    def _account(self, group: str, verdict: Verdict, colour: str) -> list[str]:
        own = [gain for gain in verdict.account if gain.piece.colour == colour]
        pips = sum(gain.points for gain in own if gain.why == PLACED)
        groups = sum(gain.points for gain in own if gain.why == GROUP)
        lines = [self.say(f"{group}.pips", points=pips)]
        lines.append(self.say(f"{group}.groups", points=_signed(groups)))
        for gain in own:
            points, count = _signed(gain.points), len(gain.others)
            if gain.why == CROWDED:
                line = self.say(f"{group}.large", cell=gain.cell, count=count, points=points)
                lines.append(line)
            if gain.why == PRIVATE:
                lines.append(self.say(f"{group}.park", at=gain.at, points=points))
        return lines

    def _parts(self, group: str, account: Account) -> list[str]:
        """A score in its three or four parts."""
        parts = [self.say(f"{group}.pips", points=account.pips)]
        parts.append(self.say(f"{group}.groups", points=_signed(-len(account.groups))))
        costs = -sum(large.cost for large in account.larges)
        parts.append(self.say(f"{group}.larges", points=_signed(costs)))
        if account.private_parks:
            points = PRIVATE_PARK_POINTS * len(account.private_parks)
            parts.append(self.say(f"{group}.parks", points=_signed(points)))
        return parts

    def _describe_end(self, outcome: FinalCount) -> list[str]:
        lines = [self.say("end.over")]
        for colour, account in outcome.accounts.items():
            score, parts = _plain(account.score), ", ".join(self._parts("account", account))
            line = self.say("end.score", colour=self.colour(colour), score=score, parts=parts)
            lines.append(f"    {line}")
        winners = list_words(map(self.colour, outcome.winners), self.language)
        if len(outcome.winners) > 1:
            return [*lines, self.say("end.shared", winners=winners)]
        return [*lines, self.say("end.won", winner=winners)]

    def _brief_score(self, colour: str, account: Account) -> Brief:
        title = f"{self.colour(colour).upper()} {account.score}"
        parts = (part.replace("−", "-") for part in self._parts("brief.account", account))
        return Brief(title, tuple(parts), tuple(c for group in account.groups for c in group))


def _signed(points: int) -> str:
    """
    >>> _signed(2), _signed(-2), _signed(0)
    ('+2', '−2', '0')
    """
    return f"{points:+}".replace("-", "−") if points else "0"


def _plain(points: int) -> str:
    return str(points).replace("-", "−")
