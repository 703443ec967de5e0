"""Masterplan in words for people: what stands, what is due and why, what it gained and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rules.board import Cell
from rules.packs.masterplan.points import TOWER_POINTS
from rules.packs.masterplan.words import (
    ALL_HOUSES,
    PARK,
    TOWER,
    FinalCount,
    Forgotten,
    HouseStands,
    ParkLies,
    TowerCount,
    TowerStands,
)
from rules.verdict import Due, Gain, Outcome, Over, Reason, Statement, Verdict
from rules.views import TableVoice, format_score, list_words
from rules.voice import BRIEF_LINES, Brief, Language, load_phrases, wrap


@cache
def voice(language: Language) -> MasterplanVoice:
    """
    >>> line = Reason("line", (Cell("b3"), Cell("c4"), Cell("e6")))
    >>> for language in Language:
    ...     voice(language).due(Due(PARK, Cell("d5"), (line,)))
    'park due on d5: b3, c4 and e6 would be four in a row'
    'parc à poser en d5\\xa0: sinon quatre à la suite avec b3, c4 et e6'
    'Park fällig auf d5: sonst vier in einer Reihe mit b3, c4 und e6'
    """
    return MasterplanVoice(language, load_phrases(__package__))


class MasterplanVoice(TableVoice):
    def describe(self, statement: Statement, verdict: Verdict) -> list[str]:
        match statement:
            case HouseStands():
                return self._describe_house(statement, verdict)
            case ParkLies():
                return self._describe_park(statement, verdict)
            case TowerStands(cell, forgotten):
                when = "forgotten" if forgotten else "in-time"
                return [f"    {self.say(f'said.tower.{when}', cell=cell)}"]
            case Forgotten(parks, towers):
                things = [f"{self.piece(PARK)} {cell}" for cell in parks]
                things += [f"{self.piece(TOWER)} {cell}" for cell in towers]
                key = "said.forgotten.parks" if parks else "said.forgotten.towers"
                return [f"! {self.say(key, things=list_words(things, self.language))}"]
            case Over(outcome) if isinstance(outcome, FinalCount):
                return self._describe_end(outcome)
        return super().describe(statement, verdict)

    def due(self, due: Due) -> str:
        return self._say_due("forgotten" if due.forgotten else "due", due)

    def gain(self, gain: Gain) -> str:
        return self._say_gain(f"gain.{gain.why}", gain)

    def brief_due(self, due: Due) -> Brief:
        cells = (due.cell, *_without_repeats(c for reason in due.reasons for c in reason.cells))
        if due.forgotten:
            lines: tuple[str, ...] = (self.say(f"brief.forgotten.{due.piece.kind}"),)
        else:
            lines = self._brief_reasons(due.reasons)
        return Brief(self.title(due.piece, due.cell), lines, cells)

    def brief_gain(self, gain: Gain) -> str:
        return self._say_gain("brief.gain", gain)

    def brief_end(self, outcome: Outcome) -> list[Brief]:
        assert isinstance(outcome, FinalCount)  # it is an outcome of this game
        return [self._brief_tower(count) for count in outcome.towers]

    def _say_due(self, group: str, due: Due) -> str:
        reasons = self.say("reason.next").join(map(self._say_reason, due.reasons))
        return self.say(f"{group}.{due.piece.kind}", cell=due.cell, reasons=reasons)

    def _say_reason(self, reason: Reason) -> str:
        return self.say(f"reason.{reason.rule}", cells=list_words(reason.cells, self.language))

    def _brief_reasons(self, reasons: tuple[Reason, ...]) -> tuple[str, ...]:
        """As many reasons as there is room for, then how many more there are."""
        lines: list[str] = []
        for number, reason in enumerate(reasons):
            more = [self.say(f"brief.reason.{reason.rule}"), " ".join(reason.cells)]
            is_last = number == len(reasons) - 1
            room = BRIEF_LINES if is_last else BRIEF_LINES - 1
            if sum(len(wrap(line)) for line in lines + more) > room:
                return (*lines, f"+{len(reasons) - number}")
            lines += more
        return tuple(lines)

    def _say_gain(self, key: str, gain: Gain) -> str:
        assert gain.piece.colour is not None  # only houses gain anything
        return self.say(
            key,
            colour=self.colour(gain.piece.colour),
            points=gain.points,
            place=f"{gain.cell}{gain.piece.anchor}",
            at=gain.at,
        )

    def _describe_house(self, said: HouseStands, verdict: Verdict) -> list[str]:
        lines = [f"{said.ply}. {self.colour(said.colour)} {said.cell}{said.anchor}"]
        fresh = {*said.parks, *said.towers}
        # This house made it due, even if a later one of the same verdict made it forgotten.
        lines += [f"    {self._say_due('due', due)}" for due in verdict.dues if due.cell in fresh]
        if said.choose is not None:
            key = "said.choose.one" if said.choose == 1 else "said.choose.several"
            lines.append(f"    {self.say(key, count=said.choose)}")
        return lines

    def _describe_park(self, said: ParkLies, verdict: Verdict) -> list[str]:
        if said.forgotten:
            return [f"    {self.say('said.park.forgotten', cell=said.cell)}"]
        # Never nothing: a park falls due beside a house.
        points = [(self.colour(colour), points) for colour, points in said.gained.items()]
        gained = ", ".join(f"{name} +{points}" for name, points in points if points)
        lines = [f"    {self.say('said.park.in-time', cell=said.cell, gained=gained)}"]
        lines += [f"        {self.gain(gain)}" for gain in verdict.gains if gain.at == said.cell]
        return lines

    def _describe_end(self, outcome: FinalCount) -> list[str]:
        lines = [self.say("end.towers", houses=ALL_HOUSES)]
        for count in outcome.towers:
            rating, winner = format_score(count.rating, self), self._winner_of(count)
            line = self.say("end.tower", cell=count.tower, rating=rating, winner=winner)
            lines.append(f"    {line}")
        score = format_score(outcome.score, self)
        if len(outcome.winners) > 1:
            return [*lines, self.say("end.draw", score=score)]
        return [*lines, self.say("end.won", score=score, winner=self.colour(outcome.winners[0]))]

    def _winner_of(self, count: TowerCount) -> str:
        return self.colour(count.winner) if count.winner else self.say("end.nobody")

    def _brief_tower(self, count: TowerCount) -> Brief:
        rating = (f"{self.colour(colour)} {points}" for colour, points in count.rating.items())
        winner = self._winner_of(count)
        result = f"{winner} +{TOWER_POINTS}" if count.winner else winner
        cells = (count.tower, *(gain.cell for gain in count.account))
        return Brief(self.title(TOWER, count.tower), (*rating, result), cells)


def _without_repeats(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(dict.fromkeys(cells))
