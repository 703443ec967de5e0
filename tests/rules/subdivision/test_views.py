"""Subdivision in words: golden sentences in every language, and that all fit and are used."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.board import Cell, Piece
from rules.events import Passed, Undone
from rules.game import Game
from rules.packs.subdivision import PACK
from rules.packs.subdivision.state import State
from rules.packs.subdivision.words import (
    BOX,
    CROWDED,
    GROUP,
    JOINED,
    LAY_A_PARK,
    MUST_PASS,
    PARK,
    PARKS_TO_LAY,
    PIPS,
    PLACED,
    PRIVATE,
    Account,
    Fault,
    FinalCount,
    LargeCount,
    MustPass,
    PieceStands,
    TurnPassed,
)
from rules.table import MOVED, OCCUPIED, REMOVED, UNDONE
from rules.verdict import Gain, Illegal, Over, PassRefused, Problem, Task
from rules.voice import Brief, Language, Phrases, load_phrases
from tests.rules.spoken import check_brief, check_names, check_spoken, pieces_of
from tests.rules.subdivision.script import play_script, position_files

EN, FR, DE = Language
C3 = Cell("c3")
PYRAMIDS = tuple(Piece(kind, colour) for kind in PIPS for colour in BOX.players)
CORNERS = (Cell("b2"), Cell("b4"), Cell("d2"), Cell("d4"))
"""As many larges of one colour as can be near a cell."""
AROUND = (*CORNERS, Cell("b3"), Cell("c2"), Cell("c4"), Cell("d3"))

REFUSED: dict[str, tuple[Problem, ...]] = {
    Fault.LARGE_NEAR_OWN_LARGE: tuple(
        Problem(Fault.LARGE_NEAR_OWN_LARGE, C3, Piece("large", colour), CORNERS[:count])
        for colour in BOX.players
        for count in range(1, 5)
    ),
    **{
        reason: tuple(Problem(reason, C3, piece) for piece in pieces)
        for reason, pieces in (
            (Fault.OFF_BOARD, (*PYRAMIDS, PARK)),
            (Fault.PARKS_FIRST, PYRAMIDS),
            (Fault.OUT_OF_TURN, (*PYRAMIDS, PARK)),
            (Fault.NONE_LEFT, (*PYRAMIDS, PARK)),
            (Fault.SMALL_NEEDS_OTHER_COLOUR, PYRAMIDS),
            *((reason, tuple(pieces_of(PACK))) for reason in (OCCUPIED, REMOVED, MOVED, UNDONE)),
        )
    },
}
"""Every fault there is, with the pieces that can be at fault; `must-not-pass` has none."""


def worst() -> Account:
    """The longest account there can be, and more."""
    larges = tuple(LargeCount(cell, AROUND, 3) for cell in CORNERS)
    groups = tuple((cell,) for cell in AROUND + CORNERS + (C3, C3, C3))
    return Account(30, groups, larges, (C3, C3, C3, C3), -9)


def final(*winners: str) -> FinalCount:
    score = dict.fromkeys(BOX.players, -9)
    return FinalCount(score, winners, dict.fromkeys(BOX.players, worst()))


def every_gain() -> list[Gain]:
    gains = []
    for piece in PYRAMIDS:
        gains += [
            Gain(C3, C3, piece, 3, PLACED),
            Gain(C3, C3, piece, -1, GROUP, CORNERS),
            Gain(C3, C3, piece, 3, JOINED, CORNERS),
            Gain(C3, C3, piece, -3, CROWDED, AROUND),
            Gain(C3, Cell("c4"), piece, 3, PRIVATE, CORNERS),
        ]
    return gains


def say_everything(language: Language) -> None:
    """Everything that Subdivision can say, through the checks that it is said and fits."""
    check_names(PACK, language)
    for path in position_files():
        game = play_script(path.read_text(encoding="utf-8"))
        for step in game.steps:
            check_spoken(PACK, step.verdict, language)
        if game.verdict.ply:
            check_spoken(PACK, game.tell(Undone(game.verdict.ply)), language)
    nothing = Game(PACK).verdict
    problems = tuple(problem for group in REFUSED.values() for problem in group)
    for colour in BOX.players:
        for task in (Task(MUST_PASS), Task(LAY_A_PARK, PARK, 34), Task(PARKS_TO_LAY, PARK, 34)):
            check_spoken(PACK, replace(nothing, task=task, turn=colour), language)
    made_up = replace(
        nothing,
        score=dict.fromkeys(BOX.players, 0),
        problems=problems,
        gains=tuple(every_gain()),
        account=tuple(every_gain()),
        outcome=final("clear"),
        said=(
            *map(Illegal, problems),
            *(Over(final(*winners)) for winners in (("red",), BOX.players)),
            *(
                PassRefused(reason, colour)
                for reason in (Fault.OUT_OF_TURN, Fault.MUST_NOT_PASS)
                for colour in BOX.players
            ),
            MustPass("red"),
            TurnPassed(4, "red"),
            PieceStands(4, "red", "large", Cell("a1"), {}),
            PieceStands(4, "red", PARK.kind, Cell("a1"), {}),
        ),
    )
    check_spoken(PACK, made_up, language)


def transcript(game: Game[State], language: Language) -> list[str]:
    voice = PACK.voice(language)
    return [
        line
        for step in game.steps
        for said in step.verdict.said
        for line in voice.describe(said, step.verdict)
    ]


@pytest.mark.parametrize("language", Language)
def test_everything_can_be_said_and_fits(language: Language) -> None:
    say_everything(language)


def test_no_fault_is_left_out() -> None:
    assert set(REFUSED) == {*Fault, OCCUPIED, REMOVED, MOVED, UNDONE} - {Fault.MUST_NOT_PASS}


def test_no_phrase_is_there_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    said = set()
    say = Phrases.say

    def listen(self: Phrases, key: str, language: Language, /, **words: object) -> str:
        said.add(key)
        return say(self, key, language, **words)

    monkeypatch.setattr(Phrases, "say", listen)
    say_everything(Language.EN)
    assert {*load_phrases("rules"), *load_phrases("rules.packs.subdivision")} - said == set()


def test_a_game_in_english() -> None:
    game = play_script("crowded\nLc3 Sb2 Ma1 Sd4")
    assert transcript(game, EN) == [
        "1. red large on c3: +2",
        "    red −1: a group of its own, c3",
        "2. blue small on b2: 0",
        "    blue −1: a group of its own, b2",
        "3. red medium on a1: +1",
        "    red −1: a group of its own, a1",
        "4. blue small on d4: 0",
        "    blue −1: a group of its own, d4",
        "    red −1: 2 smalls near the large on c3",
    ]
    assert PACK.voice(EN).account(game.verdict, "red") == [
        "pips: 5",
        "groups: −2",
        "large on c3, 2 smalls near it: −1",
    ]


def test_a_game_in_french() -> None:
    game = play_script("one\nLc3 Sb2")
    assert transcript(game, FR)[-2:] == [
        "2. petite bleue en b2\u00a0: 0",
        "    bleu −1\u00a0: un groupe à part, b2",
    ]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (EN, ["! red can place nothing and must pass.", "17. red passes"]),
        (FR, ["! rouge ne peut rien poser et doit passer.", "17. rouge passe"]),
        (DE, ["! Rot kann nichts setzen und muss passen.", "17. Rot passt"]),
    ],
)
def test_who_must_pass_and_does(language: Language, sentences: list[str]) -> None:
    text = position_files()[0].with_name("must-pass.txt").read_text(encoding="utf-8")
    said = transcript(play_script(text), language)
    assert [line for line in said if line in sentences] == sentences


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            EN,
            [
                "Nobody can place anything any more. The score:",
                "    red 24 (pips: 30, groups: −4, crowded larges: −2)",
                "    blue 23 (pips: 30, groups: −3, crowded larges: −4)",
                "red wins.",
            ],
        ),
        (
            DE,
            [
                "Niemand kann mehr etwas setzen. Der Endstand:",
                "    Rot 24 (Augen: 30, Gruppen: −4, bedrängte Große: −2)",
                "    Blau 23 (Augen: 30, Gruppen: −3, bedrängte Große: −4)",
                "Rot gewinnt.",
            ],
        ),
    ],
)
def test_the_end_is_told_with_its_account(language: Language, lines: list[str]) -> None:
    text = position_files()[0].with_name("sheet-two-players.txt").read_text(encoding="utf-8")
    game = play_script(text)
    assert transcript(game, language)[-4:] == lines


def test_the_end_in_brief_points_at_the_colour() -> None:
    text = position_files()[0].with_name("sheet-two-players.txt").read_text(encoding="utf-8")
    outcome = play_script(text).verdict.outcome
    assert outcome is not None
    red, blue = PACK.voice(EN).brief_end(outcome)
    assert (red.title, red.lines) == ("RED 24", ("pips 30", "groups -4", "larges -2"))
    assert (blue.title, len(blue.cells)) == ("BLUE 23", 15)
    check_brief(blue)


def test_several_share_a_win() -> None:
    nothing = Game(PACK).verdict
    for language, line in (
        (EN, "red and blue share the win."),
        (FR, "rouge et bleu gagnent ensemble."),
        (DE, "Rot und Blau gewinnen gemeinsam."),
    ):
        lines = PACK.voice(language).describe(Over(final("red", "blue")), nothing)
        assert lines[-1] == line


def test_a_large_too_near_is_said_and_shown() -> None:
    game = play_script("near\nLc3 Ma1\nLc4 -> illegal large-near-own-large c4 c3")
    problem = game.verdict.problems[0]
    assert PACK.voice(EN).problem(problem) == (
        "c4: a large next to your own large on c3. Take it back."
    )
    assert [PACK.voice(language).brief_problem(problem) for language in Language] == [
        Brief("LARGE c4", ("next to own large c3: take it back",), (Cell("c4"), C3)),
        Brief("GRANDE c4", ("à côté de votre grande c3, à retirer",), (Cell("c4"), C3)),
        Brief("GROSS c4", ("neben eigener Großer c3: wegnehmen",), (Cell("c4"), C3)),
    ]


def test_a_pass_that_is_refused_says_why() -> None:
    game = play_script("one\nLc3")
    voice = PACK.voice(EN)
    for colour, line in (
        ("blue", "! blue can still place something and may not pass."),
        ("red", "! It is not red's turn, and so not red's to pass."),
    ):
        verdict = game.tell(Passed(colour))
        assert voice.describe(verdict.said[0], verdict) == [line]
        assert (verdict.ply, verdict.problems) == (1, ())


def test_a_piece_brought_in_by_an_undo_tells_no_points() -> None:
    game = play_script("one\nLc3")
    said = PieceStands(2, "blue", "medium", Cell("a1"), {})
    assert PACK.voice(EN).describe(said, game.verdict) == ["2. blue medium on a1"]


def test_a_voice_is_made_once() -> None:
    assert PACK.voice(FR) is PACK.voice(FR)
    assert PACK.voice(FR) is not PACK.voice(DE)
