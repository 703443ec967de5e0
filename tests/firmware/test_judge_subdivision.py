"""`parkwarden judge --game subdivision`: the lines and events that programs rely on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.packs.subdivision import PACK
from rules.wire import format_event
from tests.firmware.test_judge import events, parkwarden
from tests.rules.subdivision.script import play_script, position_files

COMMAND = ["judge", "--game", "subdivision", "--json"]
START = {"players": ["red", "blue"], "size": 6, "variant": []}


def place(piece: str, cell: str, colour: str) -> dict[str, str]:
    return {"place": piece, "cell": cell, "colour": colour}


def judge(*lines: object) -> list[dict[str, Any]]:
    done = parkwarden(COMMAND, "".join(json.dumps(line) + "\n" for line in lines).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    return events(done.stdout)


def test_events_come_in_the_shapes_of_the_contract() -> None:
    told = judge(
        START,
        {"block": "a1"},
        place("large", "c3", "red"),
        place("small", "c4", "blue"),
        place("large", "d4", "red"),
        {"take": "d4"},
        {"pass": "red"},
        {"pass": "blue"},
        place("medium", "a1", "red"),
    )
    zero = {"red": 2, "blue": 0}
    assert told == [
        {
            "event": "placed",
            "ply": 1,
            "colour": "red",
            "piece": "large",
            "cell": "c3",
            "score": zero,
        },
        {
            "event": "placed",
            "ply": 2,
            "colour": "blue",
            "piece": "small",
            "cell": "c4",
            "score": zero,
        },
        {"event": "illegal", "reason": "large-near-own-large", "cell": "d4", "others": ["c3"]},
        {"event": "corrected", "cell": "d4"},
        {"event": "illegal", "reason": "must-not-pass", "cell": None, "colour": "red"},
        {"event": "illegal", "reason": "out-of-turn", "cell": None, "colour": "blue"},
        {"event": "illegal", "reason": "occupied", "cell": "a1"},
    ]


def test_the_end_has_an_account_for_each_colour() -> None:
    path = next(path for path in position_files() if path.stem == "sheet-two-players")
    game = play_script(path.read_text(encoding="utf-8"))
    *_, over = judge(START, *(format_event(PACK, event) for event in game.log))
    assert (over["event"], over["score"], over["winners"]) == (
        "over",
        {"red": 24, "blue": 23},
        ["red"],
    )
    blue = over["account"]["blue"]
    assert (blue["pips"], blue["groups"], blue["private_parks"]) == (30, 3, 0)
    assert [(large["cell"], large["smalls"], large["cost"]) for large in blue["larges"]] == [
        ("a3", 1, 0),
        ("c1", 1, 0),
        ("d5", 2, 1),
        ("e1", 1, 0),
        ("f4", 5, 3),
    ]


def test_must_pass_comes_right_after_what_made_it_so() -> None:
    path = next(path for path in position_files() if path.stem == "must-pass")
    game = play_script(path.read_text(encoding="utf-8").partition("red:pass")[0])
    start = {**START, "size": 5, "variant": ["nine-pyramids"]}
    told = judge(
        start,
        *(format_event(PACK, event) for event in game.log),
        place("small", "a2", "blue"),
        {"pass": "red"},
        place("small", "c1", "blue"),
    )
    assert [event["event"] for event in told[-5:]] == [
        "placed",
        "must-pass",
        "passed",
        "placed",
        "over",
    ]
    assert told[-4] == {"event": "must-pass", "colour": "red"}
    assert told[-3] == {"event": "passed", "ply": 17, "colour": "red"}


def test_settings_may_come_by_the_command_line_and_the_first_line_goes_before() -> None:
    given = json.dumps({"players": ["green", "red", "blue"]}) + "\n"
    given += json.dumps(place("medium", "g7", "green")) + "\n"
    done = parkwarden([*COMMAND, "--set", "players=red blue"], given.encode())
    assert events(done.stdout)[0]["score"] == {"green": 1, "red": 0, "blue": 0}
    done = parkwarden([*COMMAND, "--set", "players=green red blue"], given.splitlines()[1].encode())
    assert events(done.stdout)[0]["score"] == {"green": 1, "red": 0, "blue": 0}


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ({"players": ["red"]}, "players cannot be 'red'; expected 2 to 4 of red, blue"),
        ({"players": ["red", "blue"], "sise": 6}, "no setting is called 'sise'"),
        ({"players": ["red", "blue", "green", "clear"], "size": 5}, "size cannot be 5"),
        ({"players": None}, "None is no value for players"),
        ({"place": "huge", "cell": "c3", "colour": "red"}, "'huge' is no pyramid"),
        ({"place": "large", "cell": "c3", "colour": "pink"}, "'pink' is no colour"),
        ({"place": "large", "cell": ["c3"], "colour": "red"}, "is no cell"),
        ({"block": 7}, "7 is no cell"),
        ({"pass": "pink"}, "'pink' is no colour"),
        ({"house": "c4ne", "colour": "red"}, "got colour, house, expected"),
    ],
)
def test_a_bad_line_is_named(first: object, message: str) -> None:
    done = parkwarden(COMMAND, json.dumps(first).encode())
    assert done.returncode == 2
    assert "line 1: " in done.stderr.decode()
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_settings_only_stand_in_the_first_line() -> None:
    line = json.dumps(START).encode() + b"\n"
    done = parkwarden(COMMAND, line * 2)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"line 2: " in done.stderr
    assert b"only in the first line" in done.stderr


def test_people_get_sentences_a_board_and_the_record() -> None:
    lines = [START, {"block": "a1"}, place("large", "c3", "red"), place("small", "c4", "blue")]
    given = "".join(json.dumps(line) + "\n" for line in lines).encode()
    text = parkwarden(["judge", "--game", "subdivision"], given).stdout.decode()
    assert "1. red large on c3: +2" in text
    assert "4  .   .   BS  .   .   ." in text
    assert "Score: red 2, blue 0; red is on turn." in text
    assert "+a1  1. Lc3 (2-0)  2. Sc4" in text
