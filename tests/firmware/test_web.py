"""The page's server: what everybody may see, what is said to the device, what was played before."""

from __future__ import annotations

import json
import re

import httpx
import pytest

from firmware.actions import Button, Press
from firmware.commands import AnswerOption, Choose, Correct, EndTurn, NewGame, NotNow, UndoTo
from firmware.dialog import Listing, Topic
from firmware.live import MOST_WATCHERS
from firmware.state import dialog_id
from rules.board import Anchor, Cell, Piece
from tests.firmware import snapshots
from tests.firmware.fake_appliance import FakeAppliance
from tests.firmware.visitor import ACTS, READS, Visitor

# Watching is open


def test_everybody_may_look(visitor: Visitor) -> None:
    for path in READS:
        assert visitor.get(path).status_code == 200, path
    assert visitor.get("/").headers["content-type"] == "text/html; charset=utf-8"
    state = visitor.get("/api/state").json()
    assert [due["cell"] for due in state["dues"]] == ["d5"]
    assert visitor.get("/api/me").json() == {"paired": False, "simulated": True}


def test_the_code_is_never_told_to_who_only_watches(visitor: Visitor) -> None:
    shown = visitor.appliance.shown
    assert shown.access.code not in visitor.get("/api/state").text
    assert visitor.pairing.code not in visitor.get("/").text


def test_a_file_that_is_known_is_not_sent_again(visitor: Visitor) -> None:
    first = visitor.get("/page/style.css")
    etag = first.headers["etag"]
    assert re.fullmatch(r'"[0-9a-f]{32}"', etag)
    again = visitor.ask("GET", "/page/style.css", headers={"if-none-match": f'"old", {etag}'})
    assert (again.status_code, again.content) == (304, b"")
    changed = visitor.ask("GET", "/page/style.css", headers={"if-none-match": '"old"'})
    assert changed.content == first.content


@pytest.mark.parametrize(
    "path", ["/page/../web.py", "/page/..%2fweb.py", "/page/%2e%2e/web.py", "/page//etc/passwd"]
)
def test_only_the_page_s_own_files_can_be_had(visitor: Visitor, path: str) -> None:
    answer = visitor.get(path)
    assert (answer.status_code, answer.json()["error"]) == (404, "unknown")


def test_the_camera_s_picture_is_developed_once_for_all(visitor: Visitor) -> None:
    assert visitor.get("/camera.jpg").json()["error"] == "unknown"
    visitor.appliance.picture_number = 4
    for _ in range(3):
        picture = visitor.get("/camera.jpg?n=4")
        assert picture.headers["content-type"] == "image/jpeg"
        assert picture.content.endswith(b"picture 4")
    assert visitor.appliance.pictures == 1


def test_a_full_house_turns_watchers_away(visitor: Visitor) -> None:
    visitor.site.live.watchers = MOST_WATCHERS
    answer = visitor.get("/api/live")
    assert (answer.status_code, answer.json()["error"]) == (503, "too-many-watchers")


# What is said


def saying(visitor: Visitor, **said: object) -> httpx.Response:
    return visitor.post("/api/say", said)


def test_everything_the_page_can_say_arrives(paired: Visitor) -> None:
    listing = Listing(Topic.SOUND, snapshots.choices("sound", ("off", "tones")), at=1)
    paired.appliance.show(snapshots.snapshot(snapshots.OPENING, dialog=listing))
    house = {"kind": "house", "colour": "white", "anchor": "ne"}
    saying(paired, say="correct", cell="c4", piece=house)
    saying(paired, say="correct", cell="d5", piece=None)
    saying(paired, say="answer", dialog=dialog_id(listing), index=1)
    saying(paired, say="new-game", settings={"mode": "strict"})
    saying(paired, say="new-game")
    saying(paired, say="choose", setting="language", value="fr")
    saying(paired, say="choose", setting="both_due", value="tower")
    saying(paired, say="undo", ply=2)
    saying(paired, say="end-turn")
    paired.post("/api/press", {"button": "left", "held": True})
    assert paired.appliance.told == [
        Correct(Cell("c4"), Piece("house", "white", Anchor.NE)),
        Correct(Cell("d5"), None),
        AnswerOption(1),
        NewGame({"mode": "strict"}),
        NewGame({}),
        Choose("language", "fr"),
        Choose("both_due", "tower"),
        UndoTo(2),
        EndTurn(),
        Press(Button.LEFT, held=True),
    ]


def test_an_answer_to_what_is_no_longer_asked_is_refused(paired: Visitor) -> None:
    before = Listing(Topic.SOUND, snapshots.choices("sound", ("off", "tones")))
    now = Listing(Topic.SOUND, snapshots.choices("sound", ("tones", "off")))
    for dialog in (now, snapshots.snapshot().dialog):
        paired.appliance.show(snapshots.snapshot(dialog=dialog))
        answer = saying(paired, say="answer", dialog=dialog_id(before), index=1)
        assert (answer.status_code, answer.json()["error"]) == (409, "not-now")
    assert paired.appliance.told == []


def test_what_the_session_refuses_is_told(paired: Visitor) -> None:
    paired.appliance.refusal = NotNow("nobody is on turn")
    answer = saying(paired, say="end-turn")
    assert answer.status_code == 409
    assert answer.json() == {"error": "not-now", "message": "nobody is on turn"}


# The simulated table


def test_hands_reach_the_simulated_table(paired: Visitor) -> None:
    table, rings = paired.appliance.table, paired.appliance.bell.rings
    assert table is not None
    house = {"kind": "house", "colour": "white", "anchor": "ne"}
    paired.post("/table/put", {"cell": "c4", "piece": house})
    paired.post("/table/put", {"cell": "d5", "piece": {"kind": "park"}})
    paired.post("/table/move", {"from": "c4", "to": "c4", "anchor": "e"})
    paired.post("/table/take", {"cell": "d5"})
    paired.post("/table/lamp", {"level": 0.5})
    paired.post("/table/lamp", {"warmth": -0.5})
    paired.post("/table/plug", {"in": False})
    paired.post("/table/bump", {})
    state = table.state()
    assert state["pieces"] == [{"cell": "c4", **house, "anchor": "e"}]
    facts = ("lamp", "warmth", "plugged", "bumps")
    assert [state[key] for key in facts] == [0.5, -0.5, False, 1]
    assert paired.appliance.bell.rings == rings + 8
    paired.post("/table/button", {"button": "ok", "down": True})
    paired.post("/table/power", {})
    assert paired.appliance.told == [(Button.OK, True), "power"]


def test_what_no_hand_can_do_is_told(paired: Visitor) -> None:
    paired.post("/table/put", {"cell": "c4", "piece": {"kind": "park"}})
    for path, body in (
        ("/table/put", {"cell": "c4", "piece": {"kind": "park"}}),
        ("/table/take", {"cell": "h8"}),
        ("/table/lamp", {"level": 1e9}),
    ):
        answer = paired.post(path, body)
        assert (answer.status_code, answer.json()["error"]) == (409, "not-now"), path


def test_a_real_table_is_out_of_the_page_s_reach() -> None:
    visitor = Visitor(FakeAppliance(simulated=False))
    visitor.pair()
    assert visitor.get("/table").json()["error"] == "no-simulation"
    assert visitor.get("/api/me").json() == {"paired": True, "simulated": False}
    for path, body in ACTS.items():
        if path.startswith("/table/"):
            answer = visitor.post(path, body)
            assert (answer.status_code, answer.json()["error"]) == (404, "no-simulation"), path
    assert visitor.appliance.told == []
    visitor.close()


# Past games


def test_past_games_are_listed_the_newest_first(visitor: Visitor) -> None:
    visitor.appliance.keep(6, snapshots.finished())
    visitor.appliance.keep(7, snapshots.play(snapshots.MIDDLE))
    going, over = visitor.get("/api/games").json()["games"]
    assert (going["number"], going["over"], going["score"], going["current"]) == (
        7,
        False,
        None,
        True,
    )
    assert (over["number"], over["over"], over["current"]) == (6, True, False)
    assert over["score"] == dict(snapshots.finished().verdict.score)
    assert over["title"] == "Masterplan"


def test_a_past_game_can_be_had_in_every_form(visitor: Visitor) -> None:
    visitor.appliance.keep(6, snapshots.finished())
    french = visitor.get("/api/games/6?language=fr").json()
    assert french["steps"][-1]["ply"] == 28
    assert "blanc" in json.dumps(french["steps"])
    assert visitor.get("/api/games/6").json()["players"][0]["name"] == "White"
    record = visitor.get("/games/6/record.txt")
    assert 'filename="parkwarden-6.txt"' in record.headers["content-disposition"]
    assert record.text.startswith('[Game "Masterplan"]\n[Date "2023-11-1')
    assert visitor.get("/games/6/board.png").content.startswith(b"\x89PNG")
    assert visitor.get("/games/6/replay.gif").content.startswith(b"GIF89a")


PAST = ("/api/games/{}", "/games/{}/record.txt", "/games/{}/board.png", "/games/{}/replay.gif")


@pytest.mark.parametrize("path", PAST)
def test_a_damaged_game_is_said_to_be_so(visitor: Visitor, path: str) -> None:
    visitor.appliance.keep(3, snapshots.play("c4ne"), castle="c4")
    visitor.appliance.keep(4, snapshots.play("c4ne"), undo=9)
    for number in (3, 4):
        answer = visitor.get(path.format(number))
        assert (answer.status_code, answer.json()["error"]) == (409, "unreplayable")
        assert f"game {number} cannot be replayed after 1 of 2 events" in answer.json()["message"]
    assert len(visitor.get("/api/games").json()["games"]) == 2


@pytest.mark.parametrize("path", PAST)
@pytest.mark.parametrize(
    "number", ["9", "-1", "x", "1e3", "٣", "9" * 30, "9" * 5000, "%00", "1'--"]
)
def test_a_game_that_never_was_is_unknown(visitor: Visitor, path: str, number: str) -> None:
    answer = visitor.get(path.format(number))
    assert (answer.status_code, answer.json()["error"]) == (404, "unknown")


def test_a_language_nobody_speaks_is_refused(visitor: Visitor) -> None:
    visitor.appliance.keep(6, snapshots.finished())
    for query in ("language=xx", "language=", "lang=fr", "language=fr&x=1"):
        assert visitor.get(f"/api/games/6?{query}").status_code == 400, query
