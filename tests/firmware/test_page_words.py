"""What can be told of the page without a browser: its words, its addresses, its colours.

The page is served under a policy that forbids inline script and style and anything from outside,
so a slip here would be a broken page there.
"""

from __future__ import annotations

import json
import re
import string
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from firmware import web
from rules.board import Anchor
from rules.voice import Language

FILES: Final = sorted(path for path in web.PAGE.iterdir() if path.is_file())
MARKUP: Final = [path for path in FILES if path.suffix == ".html"]
SCRIPTS: Final = [path for path in FILES if path.suffix == ".js"]
STYLES: Final = [path for path in FILES if path.suffix == ".css"]
WORDS: Final[dict[str, dict[str, str]]] = json.loads(
    web.PAGE.joinpath("words.json").read_text(encoding="utf-8")
)
FILE_ENDINGS: Final = (".txt", ".png", ".gif")
SVG: Final = "http://www.w3.org/2000/svg"
"""No address but a name: browsers never look it up, and insist on it."""
READABLE: Final = 4.5
"""WCAG's contrast for text of any size."""
TEXT_ON: Final = [
    ("ink", "paper"),
    ("ink", "card"),
    ("soft", "paper"),
    ("soft", "card"),
    ("accent", "paper"),
    ("accent", "card"),
    ("on-accent", "accent"),
    ("due", "due-back"),
    ("bad", "bad-back"),
    ("bad", "card"),
]


def asked_words(text: str) -> tuple[set[str], set[str]]:
    """The keys a file asks for, and the beginnings of those it puts together.

    Every key has a dot in it, and nothing else in quotes has, but the names of files.
    """
    quoted = set(re.findall(r'"([a-z-]+\.[a-z.-]+)"', text))
    keys = {key for key in quoted if not key.endswith(FILE_ENDINGS)}
    return keys, set(re.findall(r"`([a-z-]+\.)\$\{", text))


def asked_everywhere() -> tuple[set[str], set[str]]:
    found = [asked_words(path.read_text(encoding="utf-8")) for path in (*MARKUP, *SCRIPTS)]
    return set().union(*(keys for keys, _ in found)), set().union(*(heads for _, heads in found))


def places(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


def contrast(one: str, other: str) -> float:
    """WCAG's ratio of two colours given as #rrggbb."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def palettes() -> list[dict[str, str]]:
    """The colours of style.css: light, and dark where it says otherwise."""
    roots = re.findall(r":root \{(.*?)\}", web.PAGE.joinpath("style.css").read_text(), re.DOTALL)
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", root)) for root in roots)
    return [light, {**light, **dark}]


@pytest.mark.parametrize("key", WORDS)
def test_every_word_is_there_in_every_language(key: str) -> None:
    assert set(WORDS[key]) == set(Language)
    assert all(phrase.strip() for phrase in WORDS[key].values())


@pytest.mark.parametrize("key", WORDS)
def test_every_language_fills_in_the_same_places(key: str) -> None:
    for one, other in pairwise(Language):
        assert places(WORDS[key][one]) == places(WORDS[key][other])


def test_every_word_that_is_asked_for_is_there() -> None:
    keys, heads = asked_everywhere()
    assert sorted(keys - set(WORDS)) == []
    assert [head for head in heads if not any(key.startswith(head) for key in WORDS)] == []
    assert [anchor for anchor in Anchor if f"anchor.{anchor}" not in WORDS] == []


def test_no_word_is_there_for_nothing() -> None:
    keys, heads = asked_everywhere()
    assert [key for key in WORDS if key not in keys and not key.startswith(tuple(heads))] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_comes_from_outside(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace(SVG, "")
    assert re.findall(r"\b[a-z]+://\S*|[\"'(]//[^\s\"')]+", text) == []


@pytest.mark.parametrize("path", MARKUP, ids=lambda path: path.name)
def test_pages_hold_no_script_and_no_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"\sstyle\s*=|<style|\son[a-z]+\s*=|javascript:", text) == []
    assert re.findall(r"<script(?![^>]*\ssrc=)[^>]*>", text) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_make_neither_code_nor_markup_of_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    made = r"\b(?:eval|Function)\(|\.(?:innerHTML|outerHTML|insertAdjacentHTML)|document\.write"
    assert re.findall(made, text) == []
    assert re.findall(r"setAttribute\(\s*[\"']style", text) == []


@pytest.mark.parametrize("path", [*MARKUP, *SCRIPTS, *STYLES], ids=lambda path: path.name)
def test_what_a_file_names_is_in_the_folder(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"\"(?:\./|/page/)([\w.-]+)\"", text)
    assert [name for name in named if not web.PAGE.joinpath(name).is_file()] == []


@pytest.mark.parametrize("path", MARKUP, ids=lambda path: path.name)
def test_no_id_is_given_twice(path: Path) -> None:
    ids = re.findall(r"\sid=\"([^\"]+)\"", path.read_text(encoding="utf-8"))
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("palette", palettes(), ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_can_be_read(palette: dict[str, str], text: str, ground: str) -> None:
    assert contrast(palette[text], palette[ground]) >= READABLE


def test_contrast_knows_black_on_white_and_grey_on_grey() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#808080") < READABLE
