"""Phrases: what a `phrases.toml` must hold, and that nothing missing slips through."""

from __future__ import annotations

import pytest

from rules.board import Cell
from rules.errors import BadPack
from rules.packs import PACKS
from rules.verdict import Statement
from rules.views import TableVoice, list_words
from rules.voice import Brief, Language, Phrases, load_phrases, parse_phrases, wrap
from tests.rules import toy_pack
from tests.rules.spoken import check_brief, check_entry, check_sentence

DRAW = 'en = "a draw"\nfr = "égalité"\nde = "unentschieden"\n'


def mistakes(text: str) -> list[str]:
    with pytest.raises(BadPack) as caught:
        parse_phrases(text, "here")
    return str(caught.value).splitlines()


def test_a_phrase_is_said_in_each_language_with_its_places_filled() -> None:
    text = '[a.b-c]\nen = "{n} by {m}"\nfr = "{n} par {m}"\nde = "{m} mal {n}"'
    phrases = parse_phrases(text, "here")
    said = [phrases.say("a.b-c", language, n=1, m=2) for language in Language]
    assert said == ["1 by 2", "1 par 2", "2 mal 1"]
    assert phrases.raw("a.b-c", Language.DE) == "{m} mal {n}"


@pytest.mark.parametrize("language", Language)
def test_a_language_that_is_missing_or_empty_is_named(language: Language) -> None:
    lines = [line for line in DRAW.splitlines() if not line.startswith(language)]
    for rest in (lines, [*lines, f'{language} = " "'], [*lines, f"{language} = 7"]):
        assert mistakes("\n".join(["[end.draw]", *rest])) == [f"here: end.draw: not in {language}"]


def test_a_language_nobody_speaks_here_is_named() -> None:
    assert mistakes(f'[draw]\n{DRAW}nl = "gelijk"') == ["here: draw: no language is called nl"]


def test_other_places_are_named() -> None:
    text = '[moves]\nen = "{n} moves"\nfr = "{m} coups"\nde = "{n} Züge {n}"'
    assert mistakes(text) == ["here: moves: fr has other {places} than en"]
    assert "places cannot be read" in mistakes('[a]\nen = "{n"\nfr = "{n}"\nde = "{n}"')[0]
    assert "other {places}" in mistakes('[a]\nen = "x"\nfr = "{}"\nde = "x"')[0]


def test_what_is_no_phrase_at_all_is_named() -> None:
    assert mistakes('draw = "a draw"')[0] == "here: draw: not in en"
    assert mistakes(f"[draw]\n{DRAW}[draw.more]\n{DRAW}")[0] == "here: draw.en: not in en"
    assert mistakes("[draw]")[0] == "here: draw: not in en"
    assert mistakes("[draw")[0].startswith("here: no TOML")


def test_all_mistakes_come_at_once() -> None:
    assert len(mistakes('[a]\nen = "x"\n[b]\nen = "x"\nfr = "y"\nde = "z {n}"')) == 3


@pytest.mark.parametrize("package", ["rules", *PACKS.values()])
def test_the_phrases_in_the_house_are_whole_and_read_once(package: str) -> None:
    assert list(load_phrases(package))
    assert load_phrases(package) is load_phrases(package)


def test_the_game_may_say_it_better() -> None:
    ours = parse_phrases(f"[a]\n{DRAW}[b]\n{DRAW}", "")
    theirs = parse_phrases('[b]\nen = "x"\nfr = "y"\nde = "z"', "")
    both = ours | theirs
    assert [both.say(key, Language.FR) for key in both] == ["égalité", "y"]
    assert "a" in both
    assert "c" not in both


def test_lists_of_any_length() -> None:
    assert list_words(["d5"], Language.FR) == "d5"
    assert list_words(["d5", "e6"], Language.FR) == "d5 et e6"
    assert list_words(iter(["d5", "e6", "f7"]), Language.DE) == "d5, e6 und f7"


def test_wrapping_keeps_words_whole() -> None:
    assert wrap("four in a row: take it back") == ["four in a", "row: take", "it back"]
    assert wrap("incomprehensible to me", 10) == ["incomprehensible", "to me"]
    assert wrap("") == []


def test_what_no_game_says_is_refused() -> None:
    verdict = toy_pack.PACK.survey(toy_pack.PACK.setup({"pairs": "any"}))
    with pytest.raises(TypeError, match="never says"):
        TableVoice(Language.EN, Phrases({})).describe(Statement(), verdict)


# ---- a check that never fails is none ----


@pytest.mark.parametrize("bad", ["", "  ", "park {cell}", "white None"])
def test_a_bad_sentence_is_noticed(bad: str) -> None:
    check_sentence("park d5")
    with pytest.raises(AssertionError):
        check_sentence(bad)


def test_a_long_entry_is_noticed() -> None:
    check_entry("x" * 20)
    with pytest.raises(AssertionError, match="longer"):
        check_entry("x" * 21)


@pytest.mark.parametrize(
    "bad",
    [
        Brief("A HOUSE ON e5", ("line",), (Cell("e5"),)),
        Brief("HOUSE e5", ("unaussprechlich",), (Cell("e5"),)),
        Brief("HOUSE e5", ("one two three four five six seven eight",) * 2, (Cell("e5"),)),
        Brief("HOUSE e5", ("a\u00a0: b",), (Cell("e5"),)),
        Brief("HOUSE e5", (), (Cell("e5"),)),
        Brief("HOUSE e5", ("line",)),
    ],
    ids=["title", "word", "lines", "space", "nothing", "nowhere"],
)
def test_a_brief_that_does_not_fit_is_noticed(bad: Brief) -> None:
    check_brief(Brief("HOUSE e5", ("line", "b3 c4 e6"), (Cell("e5"),)))
    with pytest.raises(AssertionError):
        check_brief(bad)
