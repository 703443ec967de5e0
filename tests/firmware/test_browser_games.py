"""Any game on the page, in a real browser: chosen, drawn, clicked, told apart without colour.

The device behind it has no eyes and needs none (see `clairvoyant`); the last tests have real ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from firmware import web
from firmware.commands import NewGame, Pass
from firmware.past import replay
from rules.board import ALL_CELLS, Cell, Piece
from rules.packs import PACKS, load_pack
from tests.firmware.browsing import Appliance, appliance, browser, put, state_of, wait_for
from tests.firmware.clairvoyant import Clairvoyant, served

THREE = {"players": "red blue green"}
PARK = Piece("blocked")
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


def visit(chromium: Browser, device: Clairvoyant | Appliance, path: str, **kinds: object) -> Page:
    """A paired browser of its own; any error in it is a failure."""
    page = chromium.new_context(**kinds).new_page()  # type: ignore[arg-type]
    page.on("pageerror", lambda error: pytest.fail(f"the page fell: {error}"))
    page.goto(device.link)
    page.goto(device.url + path)
    return page


def speak(page: Page, device: Clairvoyant, language: str) -> None:
    page.request.post(
        f"{device.url}/api/say",
        data={"say": "choose", "setting": "language", "value": language},
        headers={"origin": device.url},
    )
    expect(page.locator("html")).to_have_attribute("lang", language)


def lay_parks(device: Clairvoyant) -> None:
    while (task := device.game.verdict.task) and task.piece:
        device.place(task.cells[0], task.piece)
    device.bell.ring()


def play_until(device: Clairvoyant, holds: Callable[[Clairvoyant], bool], seed: int = 5) -> None:
    """By chance, mediums first: so that somebody has to pass in the end."""
    chance = np.random.default_rng(seed)
    lay_parks(device)
    while not holds(device):
        moves = list(device.game.pack.legal_moves(device.game.state))
        if not moves:
            device.tell(device.chronicle.passing(device.language))
            continue
        plain = [move for move in moves if move.piece.kind != "large"] or moves
        move = plain[int(chance.integers(len(plain)))]
        device.place(move.cell, move.piece)
    device.bell.ring()


def click(page: Page, cell: str) -> None:
    page.locator(f'#tabletop [data-cell="{cell}"] .square').click(force=True)


def hand(page: Page) -> str:
    return str(page.locator("#supply input:checked").get_attribute("value"))


def pick(sheet: Locator, *values: str) -> None:
    for value in values:
        sheet.locator(f'[data-value="{value}"]').click()


def orders(sheet: Locator) -> dict[str, str]:
    """What is chosen, with the number it carries."""
    chosen = sheet.locator('.pick[aria-pressed="true"]')
    return {
        str(one.get_attribute("data-value")): one.locator(".order").inner_text()
        for one in chosen.all()
    }


def test_another_game_is_chosen_with_three_players_in_an_order(chromium: Browser) -> None:
    device = Clairvoyant("masterplan")
    with served(device):
        page = visit(chromium, device, "/", viewport=PHONE)
        page.locator("#new-game").click()
        sheet = page.locator("#new-game-sheet")
        sheet.locator("[value=subdivision]").check(force=True)
        assert orders(sheet) == {"red": "1", "blue": "2"}
        start = sheet.locator("[data-key=start]")
        pick(sheet, "red")
        expect(start).to_have_attribute("aria-disabled", "true")
        start.click(force=True)
        assert not device.told, "one alone cannot play"
        pick(sheet, "green", "red", "private-parks")
        assert orders(sheet) == {"blue": "1", "green": "2", "red": "3", "private-parks": "✓"}
        pick(sheet, "yellow")
        sheet.locator('[data-value="black"]').click(force=True)
        assert "black" not in orders(sheet), "four are enough"
        pick(sheet, "yellow")
        start.click()
        expect(sheet).to_be_hidden()
        chosen = {"players": "blue green red", "size": "usual", "variant": "private-parks"}
        assert device.told == [NewGame(chosen, "subdivision")]
        expect(page.locator("#score .player")).to_have_count(3)
        expect(page.locator("#score .player").first).to_contain_text("Blue")
        expect(page.locator("#board [data-cell]")).to_have_count(49)
        expect(page.locator("#task")).to_contain_text("4")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "do not go together"), ("fr", "ne vont pas ensemble"), ("de", "passen nicht zusammen")],
)
def test_what_does_not_go_together_is_said_on_the_sheet_and_nothing_changes(
    chromium: Browser, language: str, said: str
) -> None:
    device = Clairvoyant("subdivision")
    with served(device):
        page = visit(chromium, device, "/")
        speak(page, device, language)
        page.locator("#new-game").click()
        sheet = page.locator("#new-game-sheet")
        pick(sheet, "green", "yellow")
        sheet.locator("select").select_option("5")
        sheet.locator("[data-key=start]").click()
        expect(sheet.get_by_role("alert")).to_contain_text(said)
        assert orders(sheet) == {"red": "1", "blue": "2", "green": "3", "yellow": "4"}, "as chosen"
        assert state_of(page)["game"]["number"] == 1
        sheet.locator("select").select_option("usual")
        sheet.locator("[data-key=start]").click()
        expect(sheet).to_be_hidden()
        assert state_of(page)["game"]["files"] == 8


def test_a_game_that_is_going_on_is_not_thrown_away_without_a_question(chromium: Browser) -> None:
    device = Clairvoyant("subdivision")
    with served(device):
        play_until(device, lambda d: d.game.verdict.ply == 3)
        page = visit(chromium, device, "/table")
        page.locator("#new-game").click()
        sheet = page.locator("#new-game-sheet")
        sheet.locator("[data-key=start]").click()
        expect(sheet).to_contain_text("move 3")
        expect(sheet.locator("[data-key=leave]")).to_be_focused()
        page.keyboard.press("Enter")
        expect(sheet).to_be_hidden()
        assert not device.told
        page.locator("#new-game").click()
        sheet.locator("[data-key=start]").click()
        sheet.locator("[data-key=sure]").click()
        expect(sheet).to_be_hidden()
        assert len(device.told) == 1


def test_parks_and_pyramids_are_clicked_and_a_wrong_one_is_announced(chromium: Browser) -> None:
    device = Clairvoyant("subdivision", THREE)
    with served(device):
        page = visit(chromium, device, "/table", viewport={"width": 1400, "height": 1200})
        expect(page.locator("#tabletop .frame.wanted")).to_have_count(4)
        for cell in ("a1", "a7", "g1", "g7"):
            assert hand(page) == "blocked", "what is asked for is in the hand"
            click(page, cell)
            wait_for(page, lambda s, c=cell: any(p["cell"] == c for p in s["pieces"]), cell)  # type: ignore[misc]
        expect(page.locator("#task")).to_be_hidden()
        expect(page.locator('#supply input[value="large red"]')).to_be_checked()
        click(page, "c3")
        wait_for(page, lambda s: s["ply"] == 1, "the first")
        assert hand(page) == "large blue"
        page.locator('#supply input[value="medium blue"]').check(force=True)
        click(page, "e5")
        wait_for(page, lambda s: s["ply"] == 2, "the second")
        assert hand(page) == "medium green"
        page.locator('#supply input[value="small green"]').check(force=True)
        click(page, "d4")
        wait_for(page, lambda s: s["ply"] == 3, "the third")
        assert hand(page) == "large red", "each has the kind they took last"
        click(page, "c4")
        caught = wait_for(page, lambda s: bool(s["problems"]), "a wrong one")
        assert caught["problems"][0]["reason"] == "large-near-own-large"
        expect(page.locator("#dues")).to_contain_text("next to your own large on c3")
        click(page, "c4")
        page.locator("#take").click()
        wait_for(page, lambda s: not s["problems"], "put right")
        assert state_of(page)["ply"] == 3


def test_who_must_pass_is_told_and_passes_on_the_page(chromium: Browser) -> None:
    device = Clairvoyant("subdivision", THREE)
    with served(device):
        play_until(device, lambda d: d.chronicle.may_pass)
        turn = device.game.verdict.turn
        stranger = chromium.new_context().new_page()
        stranger.goto(device.url)
        expect(stranger.locator("#task")).to_contain_text("must pass")
        expect(stranger.locator("#task button")).to_have_count(0)
        page = visit(chromium, device, "/", viewport=PHONE)
        expect(page.locator("#task")).to_contain_text(
            f"{str(turn).capitalize()} can place nothing and must"
        )
        page.locator("#task button").click()
        wait_for(page, lambda s: s["task"] is None or not s["players"][0]["on_turn"], "passed")
        assert device.told == [Pass()]
        assert device.game.verdict.turn != turn


def test_a_finished_game_has_its_table_and_is_found_among_those_of_another(
    chromium: Browser,
) -> None:
    device = Clairvoyant("subdivision", {"players": "red blue green yellow"})
    with served(device):
        play_until(device, lambda d: d.game.verdict.outcome is not None)
        outcome, score = device.game.verdict.outcome, device.game.verdict.score
        assert outcome is not None
        page = visit(chromium, device, "/", viewport=PHONE)
        rows = page.locator("#result tr")
        expect(rows).to_have_count(4)
        best = [int(row.locator(".number").last.inner_text()) for row in rows.all()]
        assert best == sorted(score.values(), reverse=True)
        expect(page.locator("#result .won")).to_have_count(len(outcome.winners))
        for colour in score:
            expect(page.locator("#account")).to_contain_text(colour.capitalize())
        expect(page.locator("#account .parts")).to_have_count(4)
        expect(page.locator("#plot .line")).to_have_count(4)
        page.request.post(
            f"{device.url}/api/say",
            data={"say": "new-game", "game": "masterplan"},
            headers={"origin": device.url},
        )
        expect(page.locator("#score .player")).to_have_count(2)
        page.goto(f"{device.url}/#games")
        page.reload()
        line = page.locator("#games a", has_text="Subdivision")
        expect(line).to_contain_text(f"Yellow {score['yellow']}")
        line.click()
        expect(page.locator("#replay-board [data-cell]")).to_have_count(64)
        expect(page.locator("#replay-board .shape-pyramid")).to_have_count(
            sum(piece != PARK for piece in device_pieces(device))
        )
        expect(page.locator("#replay-result tr")).to_have_count(4)
        page.locator("#replay-first").click()
        expect(page.locator("#replay-board .piece")).to_have_count(0)
        for file, head in (("board.png", b"\x89PNG"), ("replay.gif", b"GIF8")):
            assert page.request.get(f"{device.url}/games/1/{file}").body()[:4] == head
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def device_pieces(device: Clairvoyant) -> list[Piece]:
    """What stood at the end of the first game."""
    card, log = device.stored[1]
    return list(replay(card, log).game.verdict.table.values())


def test_points_below_nought_are_shown_as_such(chromium: Browser) -> None:
    device = Clairvoyant("subdivision")
    with served(device):
        lay_parks(device)
        device.place(Cell("c4"), Piece("large", "red"))
        device.place(Cell("d3"), Piece("small", "blue"))
        assert device.game.verdict.score["blue"] == 0
        page = visit(chromium, device, "/")
        expect(page.locator("#score")).to_contain_text("2")
        minus = page.evaluate(
            """async () => (await import("/page/look.js")).pointsOf(-3)""",
        )
        assert minus == "−3"
        series = [{"ply": 0, "score": {"red": 0, "blue": 0}}]
        series.append({"ply": 2, "score": {"red": -3, "blue": 2}})
        label = page.evaluate(
            """async (series) => {
              const { paintPlot } = await import("/page/plot.js");
              const { lookOf } = await import("/page/look.js");
              const state = await (await fetch("/api/state")).json();
              const svg = document.getElementById("plot");
              paintPlot(svg, series, lookOf(state.game, state.players), state.players);
              return [svg.getAttribute("aria-label"), svg.textContent];
            }""",
            series,
        )
        assert all("Red −3" in text for text in label)


def test_pieces_are_told_apart_without_any_colour(chromium: Browser) -> None:
    device = Clairvoyant("subdivision", {"players": "red blue green yellow"})
    with served(device):
        page = visit(chromium, device, "/")
        icons = page.locator("#score .icon")
        expect(icons).to_have_count(4)
        drawn = [re.sub(r'fill="[^"]*"', "", icon.inner_html()) for icon in icons.all()]
        assert len(set(drawn)) == 4, "the marks of the seats differ"
        legend = page.locator("#legend .icon")
        sizes = {str(icon.locator(".edge").get_attribute("width")) for icon in legend.all()[:12]}
        assert len(sizes) == 3, "large, medium, small"


@pytest.mark.parametrize("language", ["fr", "de"])
def test_the_new_words_follow_the_language(chromium: Browser, language: str) -> None:
    device = Clairvoyant("subdivision", THREE)
    with served(device):
        page = visit(chromium, device, "/", viewport=PHONE)
        speak(page, device, language)
        page.locator("#new-game").click()
        sheet = page.locator("#new-game-sheet")
        expect(sheet).to_contain_text({"fr": "Commencer", "de": "beginnen"}[language])
        expect(page.locator("#task")).to_contain_text({"fr": "Parcs", "de": "Parks"}[language])
        for element in ("document.documentElement", "document.querySelector('#new-game-sheet')"):
            assert page.evaluate(f"{element}.scrollWidth") <= PHONE["width"]


def test_a_cell_is_corrected_to_any_piece_of_those_who_play(chromium: Browser) -> None:
    device = Clairvoyant("subdivision", THREE)
    with served(device):
        lay_parks(device)
        page = visit(chromium, device, "/", viewport=PHONE)
        page.locator('#board [data-cell="c3"]').click()
        picker = page.locator("#picker")
        expect(picker.locator(".picks button")).to_have_count(3 * 3 + 1 + 1)
        told = []
        page.on("request", lambda request: told.append(request.post_data_json))
        picker.get_by_text("green small").click()
        expect(picker).to_be_hidden()
        said = {"kind": "small", "colour": "green"}
        assert {"say": "correct", "cell": "c3", "piece": said} in told


@pytest.mark.parametrize("settings", [THREE, {"variant": "lay-parks"}, {"players": "clear black"}])
def test_a_newcomer_is_caught_beside_their_own_large(
    chromium: Browser, settings: dict[str, str]
) -> None:
    device = Clairvoyant("subdivision", settings)
    with served(device):
        page = visit(chromium, device, "/table")
        do = page.locator("#lesson-do")
        players = len(device.game.box.players)
        parks = device.game.state.terms.parks
        for deeds in range(1, parks + players + 2):
            expect(do).to_have_text("Do it for me")
            expect(do).to_have_attribute("aria-disabled", "false")
            do.click()
            wait_for(page, lambda s, n=deeds: len(s["pieces"]) == n, f"deed {deeds}")  # type: ignore[misc]
        caught = state_of(page)["problems"]
        assert [p["reason"] for p in caught] == ["large-near-own-large"]
        expect(page.locator("#lesson-text")).to_contain_text("Caught!")
        expect(page.locator("#dues")).to_contain_text("next to your own large")
        do.click()
        wait_for(page, lambda s: not s["problems"], "taken off")
        expect(page.locator("#lesson-text")).to_contain_text("what Parkwarden is for")
        do.click()
        wait_for(page, lambda s: not s["pieces"], "again")
        expect(do).to_have_text("Do it for me")


def test_who_plays_otherwise_is_left_alone(chromium: Browser) -> None:
    device = Clairvoyant("subdivision")
    with served(device):
        lay_parks(device)
        page = visit(chromium, device, "/table")
        expect(page.locator("#lesson-text")).to_contain_text("red large on b3")
        put(page, Cell("e2"), Piece("medium", "red"))
        expect(page.locator("#lesson-text")).to_contain_text("Play as you like")


def test_every_lesson_is_one_of_a_game_there_is() -> None:
    lessons = json.loads(web.PAGE.joinpath("lessons.json").read_text(encoding="utf-8"))
    assert set(lessons) <= set(PACKS)
    for game, steps in lessons.items():
        kinds = load_pack(game).box.pieces
        for step in steps:
            assert step.get("put", step.get("task", next(iter(kinds)))) in kinds
            cells = [step.get("cell"), step.get("take"), *step.get("others", [])]
            assert {cell for cell in cells if cell} <= set(ALL_CELLS)


# With real eyes: without the network that sees pyramids these fail, and are not skipped


@pytest.fixture
def seeing(tmp_path: Path, chromium: Browser) -> Iterator[Appliance]:
    with appliance(tmp_path, "--fast") as running:
        yield running


def test_from_one_game_to_another_with_real_eyes(chromium: Browser, seeing: Appliance) -> None:
    page = visit(chromium, seeing, "/table", viewport={"width": 1400, "height": 1200})
    wait_for(page, lambda s: s["seeing"] == "watching", "a board")
    page.locator("#new-game").click()
    sheet = page.locator("#new-game-sheet")
    sheet.locator("[value=subdivision]").check(force=True)
    pick(sheet, "green")
    sheet.locator("[data-key=start]").click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#tabletop [data-cell]")).to_have_count(49)
    wait_for(page, lambda s: s["seeing"] == "watching", "the new board")
    for count, cell in enumerate(("a1", "a7", "g1", "g7"), 1):
        click(page, cell)
        wait_for(page, lambda s, n=count: len(s["pieces"]) == n, f"the park on {cell}")  # type: ignore[misc]
    expect(page.locator("#task")).to_be_hidden()
    for ply, (cell, piece) in enumerate(
        (("c3", "large red"), ("e5", "medium blue"), ("d4", "small green")), 1
    ):
        kind, colour = piece.split()
        put(page, Cell(cell), Piece(kind, colour))
        wait_for(page, lambda s, n=ply: s["ply"] == n, piece)  # type: ignore[misc]
    put(page, Cell("c4"), Piece("large", "red"))
    caught = wait_for(page, lambda s: s["alarm"] is not None and bool(s["problems"]), "the alarm")
    assert [p["reason"] for p in caught["problems"]] == ["large-near-own-large"]
    expect(page.locator("#dues")).to_contain_text("next to your own large on c3")
    click(page, "c4")
    page.locator("#take").click()
    after = wait_for(page, lambda s: not s["problems"], "taken off again")
    assert after["record"].count("large-near-own-large") == 1
    refused = page.request.post(
        f"{seeing.url}/api/say", data={"say": "pass"}, headers={"origin": seeing.url}
    )
    assert refused.status == 409, "red can place something"

    page.locator("#power").click()
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden(timeout=20_000)
    again = wait_for(page, lambda s: s["seeing"] == "watching", "the same board again")
    assert (again["record"], again["game"]["files"]) == (after["record"], 7)
    put(page, Cell("e3"), Piece("medium", "red"))
    wait_for(page, lambda s: s["ply"] == 4, "and the game goes on")


def test_a_newcomer_is_caught_with_real_eyes(chromium: Browser, tmp_path: Path) -> None:
    with appliance(tmp_path, "--fast", "--game", "subdivision") as device:
        page = visit(chromium, device, "/table")
        wait_for(page, lambda s: s["seeing"] == "watching", "a board")
        do = page.locator("#lesson-do")
        for deeds in range(1, 6 + 2 + 2):
            expect(do).to_have_attribute("aria-disabled", "false")
            do.click()
            wait_for(page, lambda s, n=deeds: len(s["pieces"]) == n, f"deed {deeds}")  # type: ignore[misc]
        caught = wait_for(page, lambda s: s["alarm"] is not None, "the alarm")
        assert [p["reason"] for p in caught["problems"]] == ["large-near-own-large"]
        do.click()
        wait_for(page, lambda s: not s["problems"], "taken off")
        expect(page.locator("#lesson-text")).to_contain_text("what Parkwarden is for")
