"""The page's server against strangers, other people's pages and nonsense."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware import web
from firmware.actions import Button, Press
from firmware.pairing import SESSION_S
from firmware.web import COOKIE, LARGEST_BODY
from rules.voice import Language
from tests.firmware.fake_appliance import FakeAppliance
from tests.firmware.visitor import ACTS, HOST, JSON, READS, Visitor

# Acting needs the code


@pytest.mark.parametrize(("path", "body"), ACTS.items())
def test_nobody_acts_without_the_code(visitor: Visitor, path: str, body: object) -> None:
    assert visitor.appliance.table is not None
    before = visitor.appliance.table.state()
    for cookie in ("", f"{COOKIE}=", f"{COOKIE}=guess", f"{COOKIE}={'A' * 43}", ";;="):
        answer = visitor.post(path, body, cookie=cookie)
        assert (answer.status_code, answer.json()["error"]) == (401, "not-paired")
    assert visitor.appliance.told == []
    assert visitor.appliance.table.state() == before


@pytest.mark.parametrize(("path", "body"), ACTS.items())
def test_who_has_paired_acts(paired: Visitor, path: str, body: object) -> None:
    if path in ("/table/take", "/table/move"):
        paired.post("/table/put", ACTS["/table/put"])
    answer = paired.post(path, body)
    assert (answer.status_code, answer.json()) == (200, {"done": True})


def test_the_cookie_is_for_this_browser_and_this_site_only(visitor: Visitor) -> None:
    answer = visitor.post("/api/pair", {"code": visitor.pairing.code})
    name, *rules = answer.headers["set-cookie"].lower().split("; ")
    assert re.fullmatch(r"parkwarden=[\w-]{43}", name)
    assert set(rules) == {"httponly", "samesite=strict", f"max-age={SESSION_S:.0f}", "path=/"}


def test_a_session_lasts_as_long_as_it_is_used(paired: Visitor) -> None:
    for _ in range(3):
        paired.now_s += SESSION_S - 1
        assert paired.post("/api/press", {"button": "ok"}).status_code == 200
    paired.now_s += SESSION_S + 1
    assert paired.post("/api/press", {"button": "ok"}).status_code == 401


def test_unpairing_ends_the_session_wherever_the_cookie_has_got_to(paired: Visitor) -> None:
    token = paired.client.cookies[COOKIE]
    assert paired.get("/api/me").json()["paired"]
    answer = paired.post("/api/unpair", {})
    assert answer.json() == {"paired": False}
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    stolen = paired.post("/api/press", {"button": "ok"}, cookie=f"{COOKIE}={token}")
    assert stolen.status_code == 401


def test_the_link_in_the_qr_code_pairs(visitor: Visitor) -> None:
    looked_at = visitor.ask("HEAD", f"/J/{visitor.pairing.code}")
    assert (looked_at.status_code, "set-cookie" in looked_at.headers) == (303, False)
    answer = visitor.get(f"/J/{visitor.pairing.code}?to=table")
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    assert visitor.get("/api/me").json()["paired"]
    again = visitor.get(f"/J/{visitor.pairing.code}?to=//evil.example")
    assert again.headers["location"] == "/"


def test_a_wrong_link_says_so_on_the_page_and_counts_as_a_try(visitor: Visitor) -> None:
    wrong = f"/J/{visitor.wrong_code()}"
    assert [visitor.get(wrong).headers["location"] for _ in range(6)] == [
        *["/?pairing=wrong-code"] * 5,
        "/?pairing=too-many-tries",
    ]
    assert visitor.post("/api/pair", {"code": visitor.pairing.code}).status_code == 429


def test_wrong_codes_are_few_and_the_wait_is_told(visitor: Visitor) -> None:
    for _ in range(5):
        answer = visitor.post("/api/pair", {"code": visitor.wrong_code()})
        assert (answer.status_code, answer.json()["error"]) == (403, "wrong-code")
        assert "set-cookie" not in answer.headers
    # Whoever claims to come from elsewhere is not believed.
    elsewhere = {"x-forwarded-for": "10.9.8.7", "forwarded": "for=10.9.8.7"}
    answer = visitor.post("/api/pair", {"code": visitor.pairing.code}, **elsewhere)
    assert (answer.status_code, answer.json()["error"]) == (429, "too-many-tries")
    assert answer.headers["retry-after"] == "60"
    visitor.now_s += 60
    visitor.pair()


# Other people's pages


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://192.168.1.50"},
        {"origin": f"http://{HOST}.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_page_cannot_act_for_us(paired: Visitor, headers: dict[str, str]) -> None:
    for path in ("/api/press", "/api/pair", "/api/unpair"):
        answer = paired.post(path, {"button": "ok"}, **headers)
        assert (answer.status_code, answer.json()["error"]) == (403, "foreign-origin")
    assert paired.appliance.told == []
    assert paired.get("/api/me").json()["paired"]


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_without_an_origin_only_json_is_taken(paired: Visitor, kind: str) -> None:
    body = b'{"button": "ok"}'
    form = paired.ask("POST", "/api/press", content=body, headers={"content-type": kind})
    assert (form.status_code, form.json()["error"]) == (415, "not-json")
    program = {"content-type": "application/JSON; charset=utf-8"}
    assert paired.ask("POST", "/api/press", content=body, headers=program).status_code == 200
    assert paired.appliance.told == [Press(Button.OK)]


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.50.evil.example:8080", "a@b", "", "é"])
def test_a_name_that_was_made_to_point_at_us_is_not_ours(visitor: Visitor, host: str) -> None:
    for path in READS:
        answer = visitor.ask("GET", path, headers={"host": host.encode()})
        assert (answer.status_code, answer.json()["error"]) == (421, "foreign-host"), path
    headers = {"host": host.encode(), "origin": b"http://" + host.encode()}
    assert visitor.ask("POST", "/api/pair", json={}, headers=headers).status_code == 421


def test_our_own_names_are_known(appliance: FakeAppliance) -> None:
    visitor = Visitor(appliance, names=("park.club.example",))
    for host in ("localhost:8080", "[::1]:80", "10.0.0.1", "Parkwarden.local", "park.club.example"):
        assert visitor.get("/api/me", host=host).status_code == 200, host
    visitor.close()


def test_every_answer_forbids_what_no_answer_needs(visitor: Visitor) -> None:
    answers = [visitor.get(path) for path in (*READS, "/nowhere", f"/J/{visitor.wrong_code()}")]
    answers.append(visitor.post("/api/press", {}))
    answers.append(visitor.get("/", host="evil.example"))
    for answer in answers:
        policy = dict(
            rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; ")
        )
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert policy["img-src"] == "'self' data:"
        for what in ("script-src", "style-src", "connect-src", "font-src", "form-action"):
            assert policy[what] == "'self'"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] in ("no-store", "no-cache")
        assert "access-control-allow-origin" not in answer.headers


def test_the_page_loads_nothing_from_outside() -> None:
    for path in web.PAGE.rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
            found = re.findall(r"""(?:src|href|url|from|import)\W{1,3}(?:https?:)?//""", text)
            assert not found, f"{path.name}: {found}"


@pytest.mark.parametrize(
    ("path", "body", "what", "expected"),
    [
        ("/api/press", [], "body", "an object"),
        ("/api/press", {}, "button", "ok or undo or left or right"),
        ("/api/press", {"button": "ok", "hold": True}, "keys", "button or held"),
        ("/api/press", {"button": "ok", "held": 1}, "held", "true or false"),
        ("/api/say", {"say": "hello"}, "say", "correct or answer"),
        ("/api/say", {"say": "correct", "cell": "z9", "piece": None}, "cell", "a1 to h8"),
        ("/api/say", {"say": "correct", "cell": ["c4"], "piece": None}, "cell", "a1 to h8"),
        ("/api/say", {"say": "correct", "cell": "c4"}, "piece", "an object"),
        ("/api/say", {"say": "undo", "ply": 4}, "ply", "from 1 to 3"),
        ("/api/say", {"say": "undo", "ply": True}, "ply", "from 1 to 3"),
        ("/api/say", {"say": "choose", "setting": "sound", "value": "loud"}, "value", "off or"),
        ("/api/say", {"say": "choose", "setting": "colour", "value": "x"}, "setting", "language"),
        ("/api/say", {"say": "new-game", "settings": {"mode": "x"}}, "settings.mode", "assist or"),
        ("/api/say", {"say": "new-game", "settings": {"x": "x"}}, "settings.keys", "both_due or"),
        ("/api/pair", {"code": 483920}, "code", "a text"),
        ("/table/put", {"cell": "c4", "piece": None}, "piece", "a piece"),
        ("/table/put", {"cell": "c4", "piece": {"kind": "house"}}, "piece.colour", "white or"),
        ("/table/lamp", {"level": "bright"}, "level", "a number"),
        ("/table/plug", {}, "in", "true or false"),
        ("/table/wave", {"hard": True}, "keys", "none"),
    ],
)
def test_what_cannot_be_understood_is_named(
    paired: Visitor, path: str, body: object, what: str, expected: str
) -> None:
    answer = paired.post(path, body)
    trouble = answer.json()
    assert (answer.status_code, trouble["error"], trouble["what"]) == (400, "bad-request", what)
    assert expected in trouble["expected"]
    assert trouble["got"] in trouble["message"]
    assert paired.appliance.told == []


def test_settings_that_clash_have_a_word_that_the_page_knows_in_every_language(
    paired: Visitor,
) -> None:
    clash = {"players": "red blue green black", "size": "5"}
    wanted = {"say": "new-game", "game": "subdivision", "settings": clash}
    answer = paired.post("/api/say", wanted)
    trouble = answer.json()
    assert (answer.status_code, trouble["error"]) == (400, "clash")
    assert "size cannot be 5 with 4 players" in trouble["expected"]
    assert paired.appliance.told == []
    words = json.loads(web.PAGE.joinpath("words.json").read_text(encoding="utf-8"))
    assert words["refused.clash"].keys() == set(Language)


@pytest.mark.parametrize(
    "piece",
    [
        {"kind": "castle"},
        {"kind": "park", "colour": "white"},
        {"kind": "tower", "anchor": "ne"},
        {"kind": "house", "colour": "red"},
        {"kind": "house", "colour": "white", "anchor": "x"},
        {"kind": "park", "size": 3},
    ],
)
def test_a_piece_that_is_not_in_the_box_is_refused(paired: Visitor, piece: object) -> None:
    answer = paired.post("/api/say", {"say": "correct", "cell": "c4", "piece": piece})
    assert answer.status_code == 400
    assert answer.json()["what"].startswith("piece.")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 5000, 400),
        (b"1" * 5000, 400),
        (b'{"button": "ok"}' + b" " * LARGEST_BODY, 413),
        (b"x" * 1_000_000, 413),
    ],
)
def test_a_body_that_is_none_is_refused(paired: Visitor, body: bytes, status: int) -> None:
    answer = paired.ask("POST", "/api/press", content=body, headers=JSON)
    assert answer.status_code == status
    assert paired.appliance.told == []


def test_a_body_that_never_ends_is_given_up(
    paired: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "PATIENCE_S", 0.05)

    async def dribble() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.02)

    answer = paired.ask("POST", "/api/press", content=dribble(), headers=JSON)
    assert (answer.status_code, answer.json()["error"]) == (408, "slow")


def test_what_is_not_there_is_said_in_json(paired: Visitor) -> None:
    for method, path, status, word in (
        ("GET", "/nowhere", 404, "unknown"),
        ("GET", "/api/state/", 404, "unknown"),
        ("GET", "/api/press", 405, "bad-method"),
        ("DELETE", "/api/state", 405, "bad-method"),
        ("TRACE", "/", 405, "bad-method"),
    ):
        answer = paired.ask(method, path)
        assert (answer.status_code, answer.json()["error"]) == (status, word), (method, path)


# Nothing anybody sends brings it down

WORDS = """say cell piece kind colour anchor button held down in index dialog settings setting value
    ply from to level warmth code correct answer new-game choose undo end-turn language sound mode
    house park white yellow ne c4 h8 ok left"""
_words = st.sampled_from(WORDS.split())
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | _words,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(_words | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=8,
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(path=st.sampled_from([*ACTS, "/api/unpair"]), body=_values)
def test_no_json_is_too_strange(paired: Visitor, path: str, body: object) -> None:
    answer = paired.ask("POST", path, content=json.dumps(body).encode(), headers=JSON)
    assert answer.status_code in (200, 400, 401, 409)
    if answer.status_code == 401:
        paired.pair()  # it happened to say goodbye


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(body=st.binary(max_size=40), text=st.text(max_size=20))
def test_no_bytes_are_too_strange(paired: Visitor, body: bytes, text: str) -> None:
    assert paired.ask("POST", "/api/say", content=body, headers=JSON).status_code == 400
    quoted = httpx.QueryParams({"language": text, "to": text})
    for path in (f"/J/x?{quoted}", f"/api/games/6?{quoted}", f"/page/{quoted}"):
        assert paired.get(path).status_code in (303, 400, 404)
