"""Every screen, pixel for pixel; and that no words are ever cut off.

`pytest tests/firmware/test_drawing.py --regold` writes the pictures anew and fails: look at what
changed before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from firmware import screens, views
from firmware.dialog import (
    Answer,
    Choice,
    Entry,
    Happened,
    Holds,
    Listing,
    MenuItem,
    Option,
    Pairing,
    Topic,
    UndoPreview,
    Why,
)
from firmware.drawing import (
    BAR_PX,
    LIST_LINES,
    ROW_MARGIN_PX,
    TITLE_FACES,
    area_of,
    body_area,
    draw,
    set_body,
    set_headline,
)
from firmware.fonts import Face, fit, has_letter, width_px, wrap
from firmware.fonts.icons import icon, icon_names
from firmware.miniboard import MiniBoard
from firmware.scoreboard import NAME_FACES, NAME_X, row_face, row_wide_px
from firmware.screens import LINGER, Choices, Code, Gained, Score, Screen, Text, screen_for
from firmware.snapshot import Access, Failure, Hidden, Leftover, Part, Seeing, Snapshot
from rules import table
from rules.board import ALL_CELLS, Anchor, Cell, Piece, Position
from rules.events import (
    Amended,
    Event,
    LeftStanding,
    Moved,
    Passed,
    Placed,
    Taken,
    TurnEnded,
    Undone,
)
from rules.packs import PACKS
from rules.packs.masterplan import PACK
from rules.packs.masterplan.words import LINE, TOWER, Fault
from rules.verdict import Due, Gain, Problem, Reason
from rules.voice import Brief, Language, load_phrases
from tests.firmware.guides import every_guide
from tests.firmware.pyramids import PYRAMIDS
from tests.firmware.snapshots import (
    CODE,
    GALLERY,
    MIDDLE,
    PARK,
    URL,
    choices,
    finished,
    house,
    snapshot,
    snapshot_of,
)
from vision.reading import Unreadable

GOLDENS: Final = Path(__file__).parent / "screens"
WORDY: Final = (
    *("turn", "resumed", "due", "due-tower", "forgotten", "illegal", "illegal-removed", "hidden"),
    *("hidden-many", "leftover", "unsure", "correct", "happened", "menu", "menu-last", "undo"),
    *("gains", "count", "draw", "setup-mirrored", "camera-garbage", "store-corrupt", "why-nothing"),
    *PYRAMIDS,
)
"""Screens that are kept in every language; the others in English."""
LATER: Final = (
    *(("due", 1), ("due-three", LINGER), ("gains", LINGER), ("undo", 1), ("hidden", 1)),
    *(("illegal", 1), ("unsure", 1), ("due-tower", LINGER)),
)
"""Screens that are kept at another phase, too."""


# ---- golden pictures ----


def assert_golden(image: Image.Image, golden: Path, got: Path, regold: bool) -> None:
    """The image is the golden one, exactly; with `regold` it becomes so, and the test fails."""
    if regold:
        image.save(golden)
        pytest.fail(f"{golden.name} was written anew: look at it, then run without --regold")
    assert golden.exists(), f"there is no {golden.name}: run with --regold, and look at it"
    expected = Image.open(golden).convert("1")
    differing = int(np.count_nonzero(np.array(ImageChops.logical_xor(image, expected))))
    if differing:
        image.save(got)
        pytest.fail(f"{golden.name}: {differing} pixels differ; what was drawn is in {got}")


def _kept() -> Iterator[tuple[str, Language, int]]:
    for name in GALLERY:
        for language in Language if name in WORDY else (Language.EN,):
            yield name, language, 0
    for name, phase in LATER:
        yield name, Language.EN, phase


def _file(name: str, language: Language, phase: int) -> str:
    return f"{name}.{language}{f'.{phase}' if phase else ''}.png"


@pytest.mark.parametrize(("name", "language", "phase"), list(_kept()))
def test_golden(
    name: str,
    language: Language,
    phase: int,
    regold: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screens, "_version", lambda: "1.2.3")
    image = draw(screen_for(GALLERY[name](language), phase))
    file = _file(name, language, phase)
    assert_golden(image, GOLDENS / file, tmp_path / file, regold)


def test_there_are_no_other_goldens() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == {_file(*kept) for kept in _kept()}


def test_one_differing_pixel_is_found(tmp_path: Path) -> None:
    image = Image.new("1", (128, 64))
    image.save(tmp_path / "golden.png")
    assert_golden(image, tmp_path / "golden.png", tmp_path / "got.png", regold=False)
    image.putpixel((3, 4), 1)
    with pytest.raises(pytest.fail.Exception, match="1 pixels differ"):
        assert_golden(image, tmp_path / "golden.png", tmp_path / "got.png", regold=False)
    assert Image.open(tmp_path / "got.png").convert("1").tobytes() == image.tobytes()


def test_a_missing_golden_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="run with --regold"):
        assert_golden(Image.new("1", (128, 64)), tmp_path / "a.png", tmp_path / "b.png", False)


def test_regold_writes_and_fails(tmp_path: Path) -> None:
    image = Image.new("1", (128, 64), 1)
    with pytest.raises(pytest.fail.Exception, match="written anew"):
        assert_golden(image, tmp_path / "golden.png", tmp_path / "got.png", regold=True)
    assert_golden(image, tmp_path / "golden.png", tmp_path / "got.png", regold=False)


# ---- nothing is cut off ----


def cut_off(screen: Screen, most_pages: int = 1) -> list[str]:
    """The words of a screen that have no room where they stand."""
    area = area_of(screen)
    match screen.body:
        case Text(title, lines, cell, is_loud):
            headline = set_headline(title, cell, area.wide - 2 * is_loud)
            body = body_area(screen, area, headline)
            return [
                *([title] if headline.words.is_cut else ()),
                *_too_long(lines, body.wide, body.high, most_pages),
            ]
        case Choices(title, rows, _):
            heading = fit(title, (area.wide, BAR_PX), (Face.MIDDLE, Face.BOLD, Face.SMALL))
            wide = area.wide - ROW_MARGIN_PX
            long = [row for row in rows if len(wrap(row, Face.SMALL, wide)) > LIST_LINES]
            return [*([title] if heading.is_cut else ()), *long, *_broken(rows, wide)]
        case Gained(totals, line):
            count = sum(total is not None for total in totals)
            used = 18 * count if count <= 2 else 11 * count
            return _too_long((line,), area.wide, 64 - used, most_pages)
        case Score(names, points, _, line, note):
            room = 128 - width_px(note, Face.SMALL) - (4 if note else 0)
            fitted = fit(line, (room, 14), (Face.MIDDLE, Face.BOLD, Face.SMALL))
            wide, face = 128 // len(names) - 17, NAME_FACES[-1]
            if len(names) > 2:
                face = row_face(len(names))
                figures = max(width_px(str(each), face) for each in points)
                wide = row_wide_px() - 4 - figures - 4 - NAME_X
            return [
                *(name for name in names if width_px(name, face) > wide),
                *([line] if fitted.is_cut else ()),
            ]
        case Code(title, _, _, address):
            return [
                *([title] if fit(title, (62, 14), TITLE_FACES).is_cut else ()),
                *([address] if len(wrap(address, Face.SMALL, 62)) > 3 else ()),
            ]


def _too_long(lines: tuple[str, ...], wide: int, high: int, most_pages: int) -> list[str]:
    _, pages = set_body(lines, wide, high)
    return [*(lines if len(pages) > most_pages else ()), *_broken(lines, wide)]


def _broken(lines: tuple[str, ...], wide: int) -> list[str]:
    """Lines with a word that is wider than its box."""
    return [line for line in lines if " ".join(wrap(line, Face.SMALL, wide)) != line]


def test_what_is_too_long_is_found() -> None:
    long = "far too many words for a display that is as small as a stamp " * 3
    board = MiniBoard(PACK.box, Position())
    assert cut_off(Screen(Text("Fine", ("short",)), 0, board)) == []
    assert cut_off(Screen(Text(long), 0, board)) == [long]
    assert cut_off(Screen(Text("Fine", (long,)), 0, board)) == [long]
    assert cut_off(Screen(Text("Fine", ("Donaudampfschifffahrt",)), 0, board))
    assert cut_off(Screen(Choices(long, ("a",), 0), 0)) == [long]
    assert cut_off(Screen(Choices("Fine", (long,), 0), 0)) == [long]
    assert cut_off(Screen(Gained((1, 2), long), 0, board)) == [long]
    assert cut_off(Screen(Score(("White", "Yellow"), (1, 2), frozenset(), long), 0)) == [long]
    assert cut_off(Screen(Score((long, "Yellow"), (1, 2), frozenset(), ""), 0)) == [long]
    assert cut_off(Screen(Code(long, "", "", ""), 0)) == [long]
    assert cut_off(Screen(Code("", "", "", "parkwarden." * 5), 0))


WIDE_CELL: Final = max(ALL_CELLS, key=lambda cell: width_px(cell, Face.SMALL))
WIDE_HOUSES: Final = tuple(
    Piece("house", colour, max(Anchor, key=lambda anchor: width_px(anchor, Face.SMALL)))
    for colour in PACK.box.players
)
ANYTHING: Final = (*WIDE_HOUSES, Piece("house", "yellow"), PARK, TOWER, None)
LATE: Final = 28
"""The last move: the widest number."""


def _options() -> dict[Topic, tuple[Option, ...]]:
    yellow = WIDE_HOUSES[1]
    events: tuple[tuple[Event, ...], ...] = (
        (),
        (Placed(WIDE_CELL, PARK), Placed(WIDE_CELL, yellow)),
        (Placed(WIDE_CELL, yellow), Placed(WIDE_CELL, PARK)),
        (Taken(WIDE_CELL), TurnEnded()),
        (Moved(WIDE_CELL, WIDE_CELL, yellow),),
        (Passed("yellow"),),
        (LeftStanding(WIDE_CELL, yellow),),
        (Undone(LATE),),
        (Amended(3, Placed(WIDE_CELL, yellow)),),
        (Amended(3, None),),
    )
    return {
        Topic.MENU: (
            *(Entry(item) for item in MenuItem if item is not MenuItem.SETTING),
            *(Entry(MenuItem.SETTING, setting.name) for setting in PACK.settings),
        ),
        Topic.LANGUAGE: choices("language", Language),
        Topic.SOUND: choices("sound", ("off", "tones", "speech", "both")),
        Topic.NEW_GAME: tuple(Answer),
        Topic.CLEARED: tuple(Answer),
        Topic.WHERE: tuple(Holds(WIDE_CELL, piece) for piece in ANYTHING),
        Topic.CORRECT: tuple(Holds(WIDE_CELL, piece) for piece in ANYTHING),
        Topic.UNSURE: tuple(Holds(WIDE_CELL, piece) for piece in ANYTHING),
        Topic.HAPPENED: tuple(Happened(each) for each in events),
    }


def _snapshots(language: Language) -> Iterator[Snapshot]:
    """Everything the device itself has to say, with the widest words filled in."""
    for make in GALLERY.values():
        yield make(language)
    made = snapshot(MIDDLE, language)
    made = replace(made, verdict=replace(made.verdict, ply=LATE))
    for turn in PACK.box.players:
        yield replace(made, verdict=replace(made.verdict, turn=turn))
    yield replace(made, verdict=replace(made.verdict, turn=None))
    yield replace(made, resumed=True)
    yield replace(made, resumed=True, seeing=Seeing.STARTING)
    for sound in ("off", "tones", "speech", "both"):
        yield replace(made, dialog=Listing(Topic.MENU, (Entry(MenuItem.SOUND),)), sound=sound)
    for setting in PACK.settings:
        for value in setting.choices:
            card = replace(made.game, settings={setting.name: value})
            entry = Entry(MenuItem.SETTING, setting.name)
            yield replace(made, dialog=Listing(Topic.MENU, (entry,)), game=card)
            yield replace(made, dialog=Listing(Topic.SETTING, (Choice(setting.name, value),)))
    yield replace(made, dialog=Listing(Topic.SETTING, ()))
    for topic, options in _options().items():
        yield replace(made, dialog=Listing(topic, options))
        if topic in (Topic.CORRECT, Topic.UNSURE):
            both = (*options, Answer.OTHER_CELL)
            yield replace(made, dialog=Listing(topic, both, cell=WIDE_CELL))
    for count in (1, 2, 3, 64):
        for alarm in (Hidden(ALL_CELLS[-count:]), Leftover(ALL_CELLS[-count:])):
            yield replace(made, alarm=alarm)
    for count in (1, 2, 3, 30):
        cells = tuple(ALL_CELLS[-count:])
        full = Position({**dict.fromkeys(cells, PARK), cells[0]: WIDE_HOUSES[1]})
        undone = replace(made.verdict, table=full)
        yield replace(made, verdict=undone, dialog=UndoPreview(LATE, cells))
    yield replace(made, dialog=UndoPreview(LATE, ()))
    for key in views.phrases():
        if key.startswith("failure.") and key.endswith(".title"):
            _, part, reason, _ = key.split(".")
            failure = Failure(Part(part), reason)
            yield replace(made, alarm=failure, failures=(failure,))
            yield replace(made, seeing=Seeing.STARTING, failures=(failure,))
        if key.startswith("unreadable.") and key.endswith(".title"):
            yield replace(made, alarm=Unreadable(key.split(".")[1], ""))
    for url in (URL, "http://192.168.100.200:8080", "http://parkwarden.local:8080", ""):
        yield replace(made, dialog=Pairing(), access=Access(url, CODE))


@pytest.mark.parametrize("language", Language)
def test_all_that_the_device_says_fits(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[str] = set()

    def say(key: str, language: Language, /, **words: object) -> str:
        said.add(key)
        return views.phrases().say(key, language, **words)

    monkeypatch.setattr(views, "say", say)
    store = (Failure(Part.STORE, "full"),)
    cut = set()
    for made in _snapshots(language):
        views.describe_outcome(made)
        cut |= set(cut_off(screen_for(made, 0)))
        # With the badge of a failed store in it, words may take two pages, but are never cut off.
        cut |= set(cut_off(screen_for(replace(made, failures=store), 0), most_pages=2))
    for seen in GALLERY["due-three"](language), snapshot("", language):
        chosen = replace(seen, verdict=replace(seen.verdict, choose=1))
        cut |= set(cut_off(screen_for(chosen, 0), most_pages=2))
    for guide in every_guide():
        cut |= set(cut_off(guide.screen(language, PACK.voice(language), 0)))
    assert cut == set()
    assert set(views.phrases()) - said == set(), "these phrases were not tried"


@pytest.mark.parametrize("language", Language)
def test_all_that_the_game_says_fits(language: Language) -> None:
    voice, made = PACK.voice(language), snapshot(MIDDLE, language)
    wide = (WIDE_CELL,) * 3
    cut: set[str] = set()
    for piece in (PARK, TOWER):
        for forgotten in (False, True):
            for reasons in range(1, 5):
                due = Due(piece, WIDE_CELL, (Reason(LINE, wide),) * reasons, forgotten)
                seen = replace(made, verdict=replace(made.verdict, dues=(due, due)))
                cut |= set(cut_off(screen_for(seen, 0), most_pages=2))
    reasons_of_problems = (*Fault, table.OCCUPIED, table.REMOVED, table.MOVED, table.UNDONE)
    for reason in reasons_of_problems:
        for wrong in (*WIDE_HOUSES, PARK, TOWER):
            if reason in (Fault.NOT_DUE, Fault.WRONG_PIECE) and wrong.colour:
                continue
            problem = Problem(reason, WIDE_CELL, wrong)
            cut |= set(cut_off(screen_for(replace(made, alarm=problem), 0)))
    for house_ in WIDE_HOUSES:
        gain = Gain(WIDE_CELL, WIDE_CELL, house_, 2, "perfect")
        cut |= set(
            cut_off(screen_for(replace(made, fresh=replace(made.verdict, gains=(gain,))), 0))
        )
        page = Brief(str(WIDE_CELL), (voice.brief_gain(gain),), (WIDE_CELL,))
        cut |= set(cut_off(screen_for(replace(made, dialog=Why((page, page))), 0)))
    over = snapshot_of(finished(), language)
    assert over.verdict.outcome is not None
    for page in voice.brief_end(over.verdict.outcome):
        cut |= set(cut_off(screen_for(replace(over, dialog=Why((page, page))), 0)))
    assert cut == set()


def test_the_font_has_every_letter_we_write() -> None:
    phrases = (load_phrases(of) for of in ("firmware", "rules", *PACKS.values()))
    letters = {
        letter
        for book in phrases
        for key in book
        for language in Language
        for letter in book.raw(key, language)
    }
    for face in Face:
        missing = sorted(
            letter for letter in letters | set("ÀÂÇÉÈÊËÎÏÔŒÙÛÜÄÖß") if not has_letter(letter, face)
        )
        assert missing == [], face


def test_a_letter_that_no_font_has_is_found() -> None:
    assert not has_letter("✓", Face.SMALL)


# ---- never at a loss ----


@given(
    title=st.text(max_size=60),
    lines=st.lists(st.text(max_size=200), max_size=6),
    cell=st.sampled_from(["", "d5"]),
    is_loud=st.booleans(),
    beside=st.sampled_from([None, "camera", MiniBoard(PACK.box, Position(), {Cell("d5"): PARK})]),
    corner=st.sampled_from(["", "12/34"]),
    badges=st.sampled_from([(), ("small-card",)]),
    phase=st.integers(0, 1000),
)
@settings(max_examples=60, deadline=None)
def test_drawing_takes_any_text(
    title: str,
    lines: list[str],
    cell: str,
    is_loud: bool,
    beside: MiniBoard | str | None,
    corner: str,
    badges: tuple[str, ...],
    phase: int,
) -> None:
    bodies = (
        Text(title, tuple(lines), cell, is_loud),
        Choices(title, tuple(lines), max(0, len(lines) - 1)),
        Gained((1, 20), title),
        Score((title, title), (100, 3), frozenset({0}), title, "x"),
    )
    for body in bodies:
        image = draw(Screen(body, phase, beside, corner, badges))
        assert (image.size, image.mode) == ((128, 64), "1")


def test_all_of_a_long_text_is_shown_while_the_screen_lingers() -> None:
    words = [f"word{number}" for number in range(14)]
    text = Text("Long", (" ".join(words),))
    board = MiniBoard(PACK.box, Position())
    images = {
        draw(Screen(text, phase, board)).crop((66, 20, 128, 64)).tobytes()
        for phase in range(LINGER)
    }
    assert len(images) == len(set_body(text.lines, 62, 45)[1]) > 1


def test_the_marked_row_of_a_list_is_always_to_be_seen() -> None:
    rows = tuple(f"row {number}" for number in range(12))
    images = {draw(Screen(Choices("List", rows, at), 0)).tobytes() for at in range(12)}
    assert len(images) == 12
    for at in range(12):
        marked = np.array(draw(Screen(Choices("List", rows, at), 0)))[13:, 110]
        assert marked.sum() >= 11, at


def test_the_qr_code_can_be_read() -> None:
    screen = screen_for(GALLERY["pairing"](Language.EN), 0)
    assert isinstance(screen.body, Code)
    code = draw(screen).crop((0, 0, 64, 64)).convert("L")
    framed = Image.new("L", (96, 96), 255)
    framed.paste(code, (16, 16))
    grey = np.array(framed.resize((768, 768), Image.Resampling.NEAREST))
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(grey)
    assert text == f"{URL}/J/{CODE}".upper()


def test_a_link_too_long_for_the_glass_leaves_the_code_and_the_address() -> None:
    body = Code("Phone", "HTTP://" + "A" * 120, CODE, "a" * 40)
    image = np.array(draw(Screen(body, 0)))
    assert not image[:, 100:].all()
    assert image[15:30, :60].any()


# ---- the mini board ----


def _mini(position: Position, **how: object) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    board = MiniBoard(PACK.box, position, **how)  # type: ignore[arg-type]
    return np.array(draw(Screen(Text(""), 0, board)))[:, :65]


def test_every_anchor_and_colour_looks_different() -> None:
    looks = {
        _mini(Position({Cell("d4"): house(colour, anchor)})).tobytes()
        for colour in PACK.box.players
        for anchor in Anchor
    }
    assert len(looks) == 16


def test_a_house_stands_where_its_anchor_says() -> None:
    cell = _mini(Position({Cell("a1"): house("white", "ne")}))[57:64, 1:8]
    assert cell[:4, 3:].all()
    assert not cell[4:].any()
    assert not cell[:, :3].any()


def test_a_smaller_board_has_larger_cells() -> None:
    position = Position({Cell("a1"): PARK}, files=4, ranks=4)
    assert _mini(position)[48:64, 1:16].sum() > 100


def test_what_is_due_comes_and_goes() -> None:
    board = MiniBoard(PACK.box, Position(), {Cell("d5"): PARK})
    lit, dark = (draw(Screen(Text("PARK"), phase, board)) for phase in (0, 1))
    assert lit.tobytes() != dark.tobytes()
    assert draw(Screen(Text("PARK"), 2, board)).tobytes() == lit.tobytes()


# ---- icons ----


def test_every_icon_is_whole() -> None:
    for name in icon_names():
        assert icon(name).getbbox() is not None, name
        assert icon(name).width <= 16, name


def test_no_icon_is_drawn_for_nothing() -> None:
    used = set()
    for make in GALLERY.values():
        screen = screen_for(make(Language.EN), 0)
        used |= {*screen.badges, screen.beside if isinstance(screen.beside, str) else ""}
        used |= {screen.body.icon} if isinstance(screen.body, Score) else set()
    assert set(icon_names()) == used - {""}
