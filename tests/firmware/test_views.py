"""The device's words, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware import options, views
from firmware.dialog import Answer, Happened, Holds, Listing, Topic
from firmware.snapshot import Failure, Hidden, Leftover, Part
from rules.board import Cell
from rules.events import Event, Placed
from rules.packs.masterplan import PACK
from rules.voice import Language
from tests.firmware.snapshots import (
    GALLERY,
    MIDDLE,
    OPENING,
    PARK,
    cells,
    finished,
    house,
    problem,
    snapshot,
    snapshot_of,
)
from vision import refusal
from vision.reading import Unreadable

EN, FR, DE = Language.EN, Language.FR, Language.DE
D5 = Placed(Cell("d5"), PARK)
B4 = Placed(Cell("b4"), PARK)
E4 = Placed(Cell("e4"), house("yellow", "n"))
C7 = Placed(Cell("c7"), house("white", "s"))


def named(*readings: tuple[Event, ...], language: Language = EN) -> tuple[str, ...]:
    listing = Listing(Topic.HAPPENED, tuple(Happened(events) for events in readings))
    return options.name_options(listing, snapshot(OPENING, language))


def test_what_happened_in_its_order_and_what_that_makes_forgotten() -> None:
    assert named((D5, E4), (E4, D5)) == (
        "park d5, then yellow e4n",
        "yellow e4n, then park d5 (forgotten)",
    )
    assert named((D5, E4), (E4, D5), language=FR) == (
        "parc d5, puis jaune e4n",
        "jaune e4n, puis parc d5 (oubli)",
    )
    assert named((D5, E4), (E4, D5), language=DE) == (
        "Park d5, dann Gelb e4n",
        "Gelb e4n, dann Park d5 (vergessen)",
    )


def test_what_is_put_up_after_other_moves_is_not_called_forgotten() -> None:
    """After other houses it may only then have fallen due."""
    assert named((E4, C7, D5), (C7, D5, E4)) == (
        "yellow e4n, then white c7s, then park d5",
        "white c7s, then park d5, then yellow e4n",
    )


def test_of_two_things_only_the_late_one_is_called_forgotten() -> None:
    first, second = named((B4, E4, D5), (B4, D5, E4))
    assert first == "park b4, then yellow e4n, then park d5 (forgotten)"
    assert "forgotten" not in second


def test_a_piece_is_named_with_its_cell_unless_the_list_is_about_that_cell() -> None:
    held = (Holds(Cell("c3"), house("white", "ne")), Holds(Cell("c3"), None), Answer.OTHER_CELL)
    about = Listing(Topic.CORRECT, held, cell=Cell("c3"))
    made = snapshot()
    assert options.name_options(about, made) == ("white ne", "empty", "other cell")
    where = replace(about, topic=Topic.WHERE, cell=None)
    assert options.name_options(where, made) == ("white c3ne", "c3: empty", "other cell")
    assert options.title_listing(about, made) == "c3 is …"
    assert options.title_listing(where, made) == "Which one is wrong?"


def test_the_menu_tells_what_is_set() -> None:
    names = options.name_options(GALLERY["menu"](DE).dialog, GALLERY["menu"](DE))  # type: ignore[arg-type]
    assert "Sprache: Deutsch" in names
    assert "Ton: aus" in names
    assert "Modus: sofort sagen" in names


@pytest.mark.parametrize("language", Language)
def test_every_refusal_has_its_own_advice(language: Language) -> None:
    known = [r for r in vars(refusal).values() if isinstance(r, Unreadable)]
    sentences = {views.describe_unreadable(refused, language) for refused in known}
    assert len(sentences) == len(known) == 7
    unknown = views.describe_unreadable(Unreadable("struck-by-lightning", ""), language)
    assert unknown not in sentences


@pytest.mark.parametrize("part", Part)
@pytest.mark.parametrize("language", Language)
def test_a_failure_nobody_thought_of_is_told_in_general(part: Part, language: Language) -> None:
    told = views.describe_failure(Failure(part, "haunted"), language)
    assert told == views.describe_failure(Failure(part, "cursed"), language)
    assert len(told) > 20


def test_failures_differ_by_reason() -> None:
    told = {
        reason: views.describe_failure(Failure(Part.STORE, reason), EN)
        for reason in ("full", "read-only", "locked", "corrupt", "newer", "unavailable")
    }
    assert len(set(told.values())) == 6
    assert all("memory only" in sentence for sentence in told.values())


def test_alarms_as_sentences() -> None:
    wrong = snapshot("c4ne white:e5n")
    wrong = replace(wrong, alarm=problem(wrong))
    assert views.describe_alarm(wrong) == "E5: it is not white's turn. Take the house back."
    late = snapshot(f"{OPENING} h8n")
    late = replace(late, alarm=late.verdict.dues[0])
    assert views.describe_alarm(late) == "Park d5 forgotten: lay it, no points."
    late = replace(late, language=DE)
    assert views.describe_alarm(late) == "Park d5 vergessen: nachlegen, 0 Punkte."
    made = snapshot()
    assert views.describe_alarm(made) == ""
    for alarm, sentence in (
        (Hidden(cells("d5")), "I cannot see d5: clear the view."),
        (Hidden(cells("d5 e6")), "I cannot see d5 and e6: clear the view."),
        (Hidden(cells("a1 b1 c1 d1")), "I cannot see 4 cells: clear the view."),
        (Leftover(cells("d5")), "Take d5 off: a new game begins."),
        (refusal.NO_BOARD, "No board. Lay it flat under the camera, all in view."),
        (Failure(Part.CAMERA, "unplugged"), "Camera gone. Check its cable. The game is safe."),
    ):
        assert views.describe_alarm(replace(made, alarm=alarm)) == sentence


def test_turn_resumed_and_outcome() -> None:
    told = [
        (views.describe_turn(made), views.describe_resumed(made))
        for made in (snapshot(OPENING, language) for language in Language)
    ]
    assert told == [
        ("Yellow’s turn", "Your game, move 3: go on"),
        ("Au jaune de jouer", "On reprend au coup 3\u00a0!"),
        ("Gelb ist dran", "Weiter geht’s bei Zug 3!"),
    ]
    over = snapshot_of(finished())
    assert views.describe_outcome(over) == "Yellow wins! 27–35."
    assert views.describe_outcome(GALLERY["draw"](DE)) == "Unentschieden! 31–31."
    assert views.describe_outcome(snapshot(MIDDLE)) == ""
    assert views.name_result(snapshot(MIDDLE)) == ""


def test_an_undo_names_the_move_first_and_counts_what_are_many() -> None:
    lines = [
        views.brief_undo(made.dialog, made).lines[0]  # type: ignore[arg-type]
        for made in (GALLERY["undo"](EN), GALLERY["undo-two"](EN))
    ]
    assert lines == [
        "OK, then clear: white b3n and park d5",
        "OK, then clear: 6 pieces",
    ]


def test_settings_of_the_game_and_of_the_device() -> None:
    voice = PACK.voice(FR)
    assert options.name_choice(views.SOUND, "off", voice, FR) == "coupé"
    assert options.name_choice(views.LANGUAGE, "de", voice, FR) == "Deutsch"
    assert options.name_choice("mode", "strict", voice, FR) == "seulement si oublié"
