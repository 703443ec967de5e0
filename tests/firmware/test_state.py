"""The JSON of every screen there is, in every language; and what a page must find in it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from firmware.dialog import Listing, Playing, Topic
from firmware.live import to_json
from firmware.snapshot import Snapshot
from firmware.state import Json, dialog_id, series_of, state_of
from rules.events import Undone
from rules.record import format_record, write_record
from rules.voice import Language
from tests.firmware import snapshots
from tests.firmware.snapshots import CODE, GALLERY, MIDDLE, OPENING, snapshot


def state(shown: Snapshot) -> Json:
    """As it arrives in a browser."""
    got = json.loads(to_json(state_of(shown)))
    assert isinstance(got, dict)
    return got


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("language", Language)
def test_every_screen_has_its_state(name: str, language: Language) -> None:
    got = state(GALLERY[name](language))
    assert got["language"] == language
    assert set(got) == set(state(snapshot()))
    assert CODE not in json.dumps(got)


def test_what_is_due_is_drawn_named_and_explained() -> None:
    got = state(snapshot(OPENING))
    assert got["dues"] == [
        {
            "cell": "d5",
            "kind": "park",
            "forgotten": False,
            "reasons": [{"rule": "line", "cells": ["b3", "c4", "e6"]}],
            "sentence": "park due on d5: b3, c4 and e6 would be four in a row",
        }
    ]
    assert got["ply"] == 3
    assert [p["on_turn"] for p in got["players"]] == [False, True]
    assert {
        "cell": "c4",
        "kind": "house",
        "colour": "white",
        "anchor": "ne",
        "words": "white house",
    } in got["pieces"]


def test_points_are_told_with_their_account_and_over_time() -> None:
    got = state(snapshot(MIDDLE))
    scores = {player["colour"]: player["score"] for player in got["players"]}
    assert scores == {"white": 6, "yellow": 5}
    for colour, points in scores.items():
        assert sum(g["points"] for g in got["account"] if g["colour"] == colour) == points
    assert [entry["ply"] for entry in got["series"]] == list(range(7))
    assert got["series"][0]["score"] == {"white": 0, "yellow": 0}
    assert got["series"][3]["score"] == {"white": 2, "yellow": 1}
    assert got["series"][-1]["score"] == scores


def test_a_move_taken_back_is_out_of_the_plot_and_still_in_the_story() -> None:
    game = snapshots.play(MIDDLE)
    verdicts = [step.verdict for step in game.steps]
    verdicts.append(game.tell(Undone(5)))
    series = series_of(verdicts, game.verdict)
    assert [entry["ply"] for entry in series] == [0, 1, 2, 3, 4]
    assert series[-1]["score"] == dict(game.verdict.score)
    story = tuple((said, verdict) for verdict in verdicts for said in verdict.said)
    told = state(replace(snapshots.snapshot_of(game), story=story))["story"]
    assert [entry["word"] for entry in told].count("house") == 6
    assert "undone" in [entry["word"] for entry in told]


def test_the_story_is_told_in_the_language_and_points_at_the_board() -> None:
    got = state(snapshot(OPENING + " +d5", Language.DE))
    assert got["story"][-1]["word"] == "park"
    assert got["story"][-1]["cells"] == ["d5"]
    assert "Park" in got["story"][-1]["lines"][0]


def test_a_problem_says_what_where_and_how_to_mend_it() -> None:
    got = state(GALLERY["illegal"](Language.EN))
    [problem] = got["problems"]
    assert (problem["cell"], problem["reason"]) == ("e5", "out-of-turn")
    assert problem["sentence"]
    assert got["alarm"]["kind"] == "problem"
    assert got["alarm"]["cells"] == ["e5"]
    assert got["alarm"]["sentence"]


@pytest.mark.parametrize(
    ("screen", "kind", "cells"),
    [
        ("forgotten", "due", ["d5"]),
        ("hidden", "hidden", ["d6"]),
        ("leftover", "leftover", ["d5", "e6"]),
        ("unreadable", "unreadable", []),
    ],
)
def test_every_kind_of_alarm_has_its_word(screen: str, kind: str, cells: list[str]) -> None:
    alarm = state(GALLERY[screen](Language.EN))["alarm"]
    assert (alarm["kind"], alarm["cells"]) == (kind, cells)
    assert alarm["sentence"]


def test_the_end_names_the_winner_and_every_tower() -> None:
    game = snapshots.finished()
    assert game.verdict.outcome is not None
    outcome = state(snapshots.snapshot_of(game))["outcome"]
    assert outcome["winners"] == list(game.verdict.outcome.winners)
    assert outcome["score"] == dict(game.verdict.outcome.score)
    assert len(outcome["sentences"]) >= 2
    assert state(snapshot(MIDDLE))["outcome"] is None


def test_settings_come_with_their_words_and_choices() -> None:
    got = state(snapshot("", Language.FR))
    mode = next(s for s in got["game"]["settings"] if s["name"] == "mode")
    assert (mode["value"], [c["value"] for c in mode["choices"]]) == (
        "assist",
        ["assist", "strict"],
    )
    assert all(choice["words"] for choice in mode["choices"])
    assert [language["value"] for language in got["languages"]] == ["en", "fr", "de"]
    assert {"value": "off", "words": "coupé"} in got["sounds"]


def test_a_list_has_a_name_that_does_not_move_with_its_mark() -> None:
    sounds = snapshots.choices("sound", ("off", "tones"))
    listing = Listing(Topic.SOUND, sounds)
    assert dialog_id(listing) == dialog_id(replace(listing, at=1))
    assert dialog_id(listing) != dialog_id(Listing(Topic.SOUND, sounds[::-1]))
    assert dialog_id(Playing()) is None
    shown = state(snapshot(MIDDLE, dialog=replace(listing, at=1)))["dialog"]
    assert shown["id"] == dialog_id(listing)
    assert (shown["options"], shown["at"]) == (["off", "tones"], 1)


def test_the_record_is_there_as_text() -> None:
    record = format_record(write_record(snapshots.play("c4ne")))
    assert state(snapshot("c4ne", record=record))["record"] == record
