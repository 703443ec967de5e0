"""Masterplan, by Bernhard Lach and Uwe Rapp: houses, parks and towers on eight by eight cells.

Read `words` (the box and what is said), `lines` (the two bans), `points` (who gains what),
`judge` (a turn) and `interpret` (what a look at the table means), in that order.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.box import Box
from rules.events import Change, Interpretation, Passed, Placed, TableEvent
from rules.packs.masterplan import interpret, judge, notation, state, views, wire, words
from rules.verdict import Statement, Verdict
from rules.voice import Language, Voice


class Masterplan:
    box = words.BOX
    settings = words.SETTINGS

    def box_for(self, settings: Mapping[str, str]) -> Box:
        return self.box

    def setup(self, settings: Mapping[str, str]) -> state.State:
        return state.State(words.BothDue(settings["both_due"]), words.Mode(settings["mode"]))

    def survey(self, state_: state.State) -> Verdict:
        return state.survey(state_)

    def judge(self, state_: state.State, event: TableEvent) -> tuple[state.State, Verdict]:
        return judge.judge(state_, event)

    def legal_moves(self, state_: state.State) -> list[Placed]:
        return state.legal_moves(state_)

    def interpret(self, state_: state.State, change: Change) -> Interpretation:
        return interpret.interpret(state_, change)

    def parse_placement(self, line: Mapping[str, object]) -> Placed:
        return wire.parse_placement(line)

    def format_placement(self, event: Placed) -> dict[str, str]:
        return wire.format_placement(event)

    def format_statement(self, statement: Statement) -> dict[str, object]:
        return wire.format_statement(statement)

    def voice(self, language: Language) -> Voice:
        return views.voice(language)

    def parse_move(self, word: str, turn: str | None) -> Placed:
        return notation.parse_move(word, turn)

    def format_move(self, event: Placed | Passed) -> str:
        return notation.format_move(event)


PACK = Masterplan()
