"""Masterplan in words: golden sentences in every language, and that all fit and are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from rules.board import Anchor, Cell, Piece
from rules.events import Undone
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.lines import BOARD, reasons_for
from rules.packs.masterplan.state import State
from rules.packs.masterplan.words import (
    BESIDE,
    PARK,
    PERFECT,
    PLAYERS,
    TOWER,
    Fault,
    FinalCount,
    HouseStands,
    TowerCount,
)
from rules.table import MOVED, OCCUPIED, REMOVED, UNDONE
from rules.verdict import Due, Gain, Illegal, Over, Problem, Reason
from rules.voice import Brief, Language, Phrases, load_phrases
from tests.rules.masterplan.script import play_script, position_files
from tests.rules.spoken import check_names, check_spoken, pieces_of

EN, FR, DE = Language
WHITE, YELLOW = (Piece("house", colour, Anchor.NE) for colour in PLAYERS)
D5 = Cell("d5")
LINE = Reason("line", (Cell("b3"), Cell("c4"), Cell("e6")))
PARK_DUE = Due(PARK, D5, (LINE,))
CROWDED = reasons_for(Cell("d4"), BOARD & ~Cell("d4").bit)
"""The most reasons there can be: lines of six houses along all axes, and a block in each corner."""

REFUSED: dict[str, tuple[Piece, ...]] = {
    Fault.OUT_OF_TURN: (WHITE, YELLOW),
    Fault.LINE_OF_FOUR: (WHITE, YELLOW),
    Fault.SQUARE_OF_FOUR: (WHITE, YELLOW),
    Fault.NOT_DUE: (PARK, TOWER),
    Fault.WRONG_PIECE: (PARK, TOWER),
    Fault.NONE_LEFT: (WHITE, YELLOW, TOWER),
    Fault.NO_ANCHOR: tuple(piece._replace(anchor=None) for piece in (WHITE, YELLOW)),
    **dict.fromkeys((OCCUPIED, REMOVED, MOVED, UNDONE), tuple(pieces_of(PACK))),
}
"""Every fault there is, with the pieces that can be at fault."""


def count_of(white: int, yellow: int, winner: str | None) -> TowerCount:
    beside = Gain(D5, Cell("e6"), WHITE, 1, BESIDE)
    return TowerCount(D5, {"white": white, "yellow": yellow}, winner, (beside,))


def final(*winners: str) -> FinalCount:
    towers = (count_of(12, 1, "white"), count_of(1, 16, "yellow"), count_of(0, 0, None))
    return FinalCount({"white": 30, "yellow": 28}, winners, towers)


def transcript(game: Game[State], language: Language) -> list[str]:
    """Everything said in the course of the game."""
    voice = PACK.voice(language)
    return [
        line
        for step in game.steps
        for said in step.verdict.said
        for line in voice.describe(said, step.verdict)
    ]


def say_everything(language: Language) -> None:
    """Everything that Masterplan can say, through the checks that it is said and fits."""
    check_names(PACK, language)
    for path in position_files():
        game = play_script(path.read_text(encoding="utf-8"))
        for step in game.steps:
            check_spoken(PACK, step.verdict, language)
        if game.verdict.ply:
            check_spoken(PACK, game.tell(Undone(game.verdict.ply)), language)
    nothing = PACK.survey(State())
    problems = tuple(Problem(r, D5, piece) for r, pieces in REFUSED.items() for piece in pieces)
    house = HouseStands(7, "white", D5, Anchor.NE, (), (Cell("d4"),), None)
    made_up = replace(
        nothing,
        problems=problems,
        dues=tuple(every_due()),
        gains=tuple(Gain(D5, Cell("e6"), h, 2, PERFECT) for h in (WHITE, YELLOW)),
        outcome=final("white"),
        said=(
            *map(Illegal, problems),
            *(Over(final(*winners)) for winners in (("white",), ("yellow",), PLAYERS)),
            *(replace(house, choose=choose) for choose in (1, 2, 5)),
        ),
    )
    check_spoken(PACK, made_up, language)


def every_due() -> Iterator[Due]:
    for piece, forgotten in product((PARK, TOWER), (False, True)):
        for start, stop in product(range(len(CROWDED)), range(1, len(CROWDED) + 1)):
            if start < stop:
                yield Due(piece, Cell("d4"), CROWDED[start:stop], forgotten)


@pytest.mark.parametrize("language", Language)
def test_everything_can_be_said_and_fits(language: Language) -> None:
    say_everything(language)


def test_no_fault_is_left_out() -> None:
    assert set(REFUSED) == {*Fault, OCCUPIED, REMOVED, MOVED, UNDONE}


def test_no_phrase_is_there_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    said = set()
    say = Phrases.say

    def listen(self: Phrases, key: str, language: Language, /, **words: object) -> str:
        said.add(key)
        return say(self, key, language, **words)

    monkeypatch.setattr(Phrases, "say", listen)
    say_everything(Language.EN)
    assert {*load_phrases("rules"), *load_phrases("rules.packs.masterplan")} - said == set()


def test_the_figure_game_in_french() -> None:
    game = play_script("figure 2A\nc4ne e6n b3n +d5")
    assert transcript(game, FR) == [
        "1. blanc c4ne",
        "2. jaune e6n",
        "3. blanc b3n",
        "    parc à poser en d5\u00a0: sinon quatre à la suite avec b3, c4 et e6",
        "    parc d5\u00a0: blanc +2, jaune +1",
        "        jaune 1\u00a0: e6n est à côté de d5",
        "        blanc 2\u00a0: c4ne est tout contre d5",
    ]


def test_a_forgotten_park_in_german() -> None:
    game = play_script("figure 2A\nc4ne e6n b3n h8n +d5")
    assert transcript(game, DE)[3:] == [
        "    Park fällig auf d5: sonst vier in einer Reihe mit b3, c4 und e6",
        "! vergessen: Park d5. Bitte jetzt nachholen. Ein vergessener Park bringt keine Punkte.",
        "4. Gelb h8n",
        "    Park d5 (war vergessen: keine Punkte)",
    ]


@pytest.mark.parametrize(
    ("language", "last"),
    [
        (EN, "Final score: white 30, yellow 28: white wins."),
        (FR, "Score final\u00a0: blanc 30, jaune 28 – blanc gagne."),
        (DE, "Endstand: Weiß 30, Gelb 28 – Weiß gewinnt."),
    ],
)
def test_the_end_is_told_tower_by_tower(language: Language, last: str) -> None:
    voice, nothing = PACK.voice(language), PACK.survey(State())
    lines = voice.describe(Over(final("white")), nothing)
    assert len(lines) == 5
    assert lines[-1] == last
    assert [brief.lines[-1] for brief in voice.brief_end(final("white"))] == {
        EN: ["white +2", "yellow +2", "nobody"],
        FR: ["blanc +2", "jaune +2", "personne"],
        DE: ["Weiß +2", "Gelb +2", "niemand"],
    }[language]


def test_one_tower_counted() -> None:
    assert PACK.voice(DE).brief_end(final("white"))[0] == Brief(
        "TURM d5", ("Weiß 12", "Gelb 1", "Weiß +2"), (D5, Cell("e6"))
    )


@pytest.mark.parametrize(
    ("due", "language", "title", "lines"),
    [
        (PARK_DUE, EN, "PARK d5", ("line", "b3 c4 e6")),
        (PARK_DUE, FR, "PARC d5", ("ligne", "b3 c4 e6")),
        (PARK_DUE, DE, "PARK d5", ("Reihe", "b3 c4 e6")),
        (replace(PARK_DUE, forgotten=True), EN, "PARK d5", ("forgotten: lay it, no points",)),
        (replace(PARK_DUE, forgotten=True), FR, "PARC d5", ("oublié, à poser sans points",)),
        (replace(PARK_DUE, forgotten=True), DE, "PARK d5", ("vergessen: nachlegen, 0 Punkte",)),
        (Due(TOWER, D5, (LINE,), forgotten=True), EN, "TOWER d5", ("forgotten: put it up",)),
        (Due(TOWER, D5, (LINE,), forgotten=True), FR, "TOUR d5", ("oubliée, à poser",)),
        (Due(TOWER, D5, (LINE,), forgotten=True), DE, "TURM d5", ("vergessen: aufstellen",)),
    ],
)
def test_a_due_in_brief(due: Due, language: Language, title: str, lines: tuple[str, ...]) -> None:
    cells = (D5, Cell("b3"), Cell("c4"), Cell("e6"))
    assert PACK.voice(language).brief_due(due) == Brief(title, lines, cells)


def test_a_due_with_more_reasons_than_there_is_room_for_counts_them() -> None:
    block = Reason("block", (Cell("c4"), Cell("c5"), Cell("d4")))
    two, three = (Due(TOWER, D5, (LINE, block, block)[:count]) for count in (2, 3))
    told = ("line", "b3 c4 e6", "block", "c4 c5 d4")
    assert PACK.voice(EN).brief_due(two).lines == told
    assert PACK.voice(EN).brief_due(three).lines == (*told, "+1")
    pointed = ("d5", "b3", "c4", "e6", "c5", "d4")
    assert PACK.voice(EN).brief_due(three).cells == pointed, "each cell once"


@pytest.mark.parametrize(
    ("reason", "piece", "language", "sentence"),
    [
        (REMOVED, WHITE, FR, "d5\u00a0: la maison blanche n'est plus là. À remettre en place."),
        (REMOVED, WHITE, DE, "Auf d5 fehlt das weiße Haus: bitte zurück an den Platz."),
        (REMOVED, PARK, EN, "the park is gone from d5: put it back."),
        (OCCUPIED, PARK, FR, "La case d5 est déjà prise\u00a0: le parc ne peut pas y rester."),
        (OCCUPIED, TOWER, DE, "d5 ist schon besetzt, der Turm kann dort nicht bleiben."),
        (Fault.WRONG_PIECE, PARK, EN, "d5: a tower is due there, not a park. Change it."),
        (Fault.WRONG_PIECE, PARK, DE, "d5: Hier gehört ein Turm hin, kein Park. Bitte tauschen."),
        (Fault.NOT_DUE, PARK, FR, "d5\u00a0: aucun parc n'est à poser ici. Retirez-le."),
        (Fault.NOT_DUE, TOWER, FR, "d5\u00a0: aucune tour n'est à poser ici. Retirez-la."),
        (Fault.NONE_LEFT, YELLOW, DE, "d5: Es ist kein gelbes Haus mehr übrig. Bitte wegnehmen."),
        (Fault.OUT_OF_TURN, YELLOW, DE, "d5: Gelb war nicht dran. Bitte das Haus zurücknehmen."),
    ],
)
def test_a_problem_in_a_sentence(
    reason: str, piece: Piece, language: Language, sentence: str
) -> None:
    assert PACK.voice(language).problem(Problem(reason, D5, piece)) == sentence


def test_a_problem_in_brief() -> None:
    problem = Problem(Fault.OUT_OF_TURN, Cell("e5"), WHITE)
    assert [PACK.voice(language).brief_problem(problem) for language in Language] == [
        Brief("HOUSE e5", ("it wasn't white's turn: take it back",), (Cell("e5"),)),
        Brief("MAISON e5", ("ce n'était pas à blanc, à retirer",), (Cell("e5"),)),
        Brief("HAUS e5", ("Weiß war nicht dran: wegnehmen",), (Cell("e5"),)),
    ]


def test_a_house_that_made_due_what_is_forgotten_by_now_is_told_as_it_was() -> None:
    """An undo may tell of a house and of what came after it in one verdict."""
    verdict = play_script("figure 2A\nc4ne e6n b3n h8n").verdict
    house = HouseStands(3, "white", Cell("b3"), Anchor.N, (D5,), (), None)
    assert verdict.dues[0].forgotten
    assert PACK.voice(EN).describe(house, verdict)[1].strip().startswith("park due on d5")
    assert PACK.voice(EN).due(verdict.dues[0]).startswith("park forgotten on d5")


def test_a_voice_is_made_once() -> None:
    assert PACK.voice(FR) is PACK.voice(FR)
    assert PACK.voice(FR) is not PACK.voice(DE)
