"""The product as people use it: clicks on the simulated table, a phone that watches, pairing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from rules.board import Cell, Piece
from rules.events import Placed
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State
from rules.record import format_record, write_record
from tests.firmware.browsing import (
    Appliance,
    appliance,
    browser,
    house,
    put,
    state_of,
    wait_for,
)

FORGETFUL_TURNS = (4, 11)
"""After these moves what is due is left until the next house stands."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def device(tmp_path: Path, chromium: Browser) -> Iterator[Appliance]:
    with appliance(tmp_path, "--fast") as running:
        yield running


def visit(chromium: Browser, address: str, **kinds: object) -> Page:
    """A browser of its own, which shares nothing with the others; any error in it is a failure."""
    page = chromium.new_context(**kinds).new_page()  # type: ignore[arg-type]
    page.on("pageerror", lambda error: pytest.fail(f"the page fell: {error}"))
    page.goto(address)
    return page


def test_a_newcomer_forgets_a_park_and_is_caught(chromium: Browser, device: Appliance) -> None:
    page = visit(chromium, device.link)
    for ply in range(1, 4):
        page.locator("#lesson-do").click()
        wait_for(page, lambda s, ply=ply: s["ply"] == ply, f"move {ply}")  # type: ignore[misc]
    expect(page.locator("#dues")).to_contain_text("d5")
    page.locator("#lesson-do").click()
    caught = wait_for(page, lambda s: any(d["forgotten"] for d in s["dues"]), "forgotten")
    assert [due["cell"] for due in caught["dues"]] == ["d5"]
    expect(page.locator("#dues")).to_contain_text("forgotten")
    wait_for(page, lambda s: s["alarm"] is not None, "the alarm")
    attention = page.locator("#lights li", has_text="attention")
    expect(attention).to_contain_text("blinks")


def test_a_whole_game_by_clicks_while_a_phone_watches(chromium: Browser, device: Appliance) -> None:
    table = visit(chromium, device.link, viewport={"width": 1400, "height": 1200})
    phone = visit(chromium, device.url, viewport={"width": 360, "height": 740})
    wait_for(table, lambda s: s["seeing"] == "watching", "a board")
    game: Game[State] = Game(PACK)
    chance = np.random.default_rng(12)
    while game.verdict.outcome is None:
        verdict = game.verdict
        late = [due for due in verdict.dues if due.forgotten or verdict.ply not in FORGETFUL_TURNS]
        if late and (verdict.turn is None or late == list(verdict.dues)):
            move = Placed(late[0].cell, late[0].piece)
        else:
            moves = PACK.legal_moves(game.state)
            move = moves[int(chance.integers(len(moves)))]
        game.tell(move)
        put(table, move.cell, move.piece)
        count = len(game.verdict.table)
        wait_for(table, lambda s, n=count: len(s["pieces"]) == n, f"{move}")  # type: ignore[misc]
    final = wait_for(table, lambda s: s["outcome"] is not None, "the end")
    assert final["outcome"]["score"] == game.verdict.score
    assert final["record"] == format_record(write_record(game))
    assert "forgotten" in json.dumps(final["story"]), "somebody forgot something"
    for colour, points in game.verdict.score.items():
        expect(phone.locator("#score")).to_contain_text(str(points))
        assert colour in ("white", "yellow")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    saved = phone.request.get(f"{device.url}/games/1/record.txt").text()
    assert saved.endswith(format_record(write_record(game)).split("\n\n", 1)[1])
    assert phone.request.get(f"{device.url}/games/1/board.png").body()[:4] == b"\x89PNG"
    assert phone.request.get(f"{device.url}/games/1/replay.gif").body()[:4] == b"GIF8"


def test_who_has_no_code_may_watch_and_not_act(chromium: Browser, device: Appliance) -> None:
    phone = visit(chromium, device.url)
    expect(phone.locator("#pair-form")).to_be_visible()
    expect(phone.locator("#bar")).to_be_hidden()
    for path, body in (
        ("/api/press", {"button": "left"}),
        ("/api/say", {"say": "new-game"}),
        ("/table/put", {"cell": "c4", "piece": {"kind": "park"}}),
        ("/table/power", {}),
    ):
        refused = phone.request.post(f"{device.url}{path}", data=body)
        assert refused.status == 401, path
        assert refused.json()["error"] == "not-paired"
    assert state_of(phone)["dialog"]["kind"] == "playing"

    wrong = f"{(int(device.code) + 1) % 1_000_000:06d}"
    phone.locator("#pair-code").fill(wrong)
    phone.locator("#pair-form button").click()
    expect(phone.locator("#refusal")).to_be_visible()
    expect(phone.locator("#bar")).to_be_hidden()

    phone.locator("#pair-code").fill(device.code)
    phone.locator("#pair-form button").click()
    expect(phone.locator("#bar")).to_be_visible()
    phone.keyboard.press("m")
    wait_for(phone, lambda s: s["dialog"]["kind"] == "listing", "the menu")
    expect(phone.locator("#dialog")).to_be_visible()


def test_the_power_goes_and_the_game_goes_on(chromium: Browser, device: Appliance) -> None:
    page = visit(chromium, device.link)
    wait_for(page, lambda s: s["seeing"] == "watching", "a board")
    put(page, *house("c4ne", "white"))
    before = wait_for(page, lambda s: s["ply"] == 1, "the first house")
    page.locator("#power").click()
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden(timeout=20_000)
    after = wait_for(page, lambda s: s["seeing"] == "watching", "the board again")
    assert after["record"] == before["record"]
    assert after["game"]["number"] == before["game"]["number"]
    put(page, *house("e6n", "yellow"))
    wait_for(page, lambda s: s["ply"] == 2, "the next house, without pairing again")


def test_a_misread_cell_is_corrected_on_the_phone(chromium: Browser, device: Appliance) -> None:
    page = visit(chromium, device.link)
    wait_for(page, lambda s: s["seeing"] == "watching", "a board")
    put(page, *house("c4ne", "white"))
    wait_for(page, lambda s: s["ply"] == 1, "the first house")
    page.goto(device.url)
    page.locator('#board [data-cell="c4"]').click()
    picker = page.locator("#picker")
    expect(picker).to_be_visible()
    white = picker.locator("fieldset", has_text="white house")
    white.get_by_text("e", exact=True).click()
    corrected = {"cell": "c4", "kind": "house", "colour": "white", "anchor": "e"}
    wait_for(
        page,
        lambda s: any(corrected.items() <= piece.items() for piece in s["pieces"]),
        "the correction",
    )


def test_words_follow_the_language(chromium: Browser, device: Appliance) -> None:
    page = visit(chromium, device.link)
    put(page, Cell("d5"), Piece("tower"))
    wait_for(page, lambda s: bool(s["problems"]), "a tower that is not due")
    said = page.request.post(
        f"{device.url}/api/say",
        data={"say": "choose", "setting": "language", "value": "fr"},
        headers={"origin": device.url},
    )
    assert said.ok, said.text()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert (
        "tour"
        in wait_for(page, lambda s: s["language"] == "fr", "French")["problems"][0]["sentence"]
    )
