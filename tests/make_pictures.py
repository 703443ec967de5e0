"""`make pictures`: every screen of the display, and the pages, as the README shows them.

The display's screens are drawn from the same snapshots as its golden pictures, on one sheet for
each language. The pages are photographed in a real browser, with a device on a simulated table
behind them that has really seen what is shown.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final, Literal

from PIL import Image, ImageDraw, ImageOps
from playwright.sync_api import Browser, Page, ViewportSize

from firmware.drawing import draw
from firmware.fonts import Face, write
from firmware.screens import screen_for
from rules.board import Cell, Piece
from rules.voice import Language
from tests.firmware.browsing import Appliance, appliance, browser, house, put, wait_for
from tests.firmware.snapshots import GALLERY

PICTURES: Final = Path(__file__).parents[1] / "firmware" / "pictures"
COLUMNS, GAP, ZOOM = 6, 6, 2
LIT, DARK, PAPER = "#9fdcff", "#05070a", "#30343a"
OPENING: Final = (("c4ne", "white"), ("e6n", "yellow"), ("b3n", "white"))
THREE: Final = "players=red blue green"
PARKS: Final = 4
PYRAMIDS: Final = "ba1 ba7 bg1 bg7 Lc3 Me5 Sd4 Me3 Lc5 Mb4 Lf6 Sd2 Le6 Mc6 Sf5 Mf3 Lc4"
"""Parks first; the last one stands next to red's own large."""
KINDS: Final = {"L": "large", "M": "medium", "S": "small"}


def draw_sheet(language: Language) -> Image.Image:
    """All screens in one language, each with its name below."""
    wide, high = 128, 64 + 13
    rows = -(-len(GALLERY) // COLUMNS)
    size = (COLUMNS * (wide + GAP) + GAP, rows * (high + GAP) + GAP)
    sheet = Image.new("RGB", size, PAPER)
    for number, (name, make) in enumerate(GALLERY.items()):
        x = GAP + number % COLUMNS * (wide + GAP)
        y = GAP + number // COLUMNS * (high + GAP)
        screen = draw(screen_for(make(language), phase=0))
        sheet.paste(ImageOps.colorize(screen.convert("L"), DARK, LIT), (x, y))
        label = Image.new("1", (wide, 13))
        write(ImageDraw.Draw(label), (0, 10), name, Face.SMALL)
        sheet.paste(ImageOps.colorize(label.convert("L"), PAPER, "#c8ccd0"), (x, y + 65))
    return sheet.resize((size[0] * ZOOM, size[1] * ZOOM), Image.Resampling.NEAREST)


def photograph_houses(chromium: Browser, state: Path) -> None:
    """The table with a forgotten park, and the phone's page, light and dark."""
    with appliance(state, "--fast") as device:
        page = open_table(chromium, device)
        for ply, (word, colour) in enumerate((*OPENING, ("e4ne", "yellow")), start=1):
            put(page, *house(word, colour))
            wait_for(page, lambda s, ply=ply: s["ply"] == ply, f"move {ply}")  # type: ignore[misc]
        finish(chromium, device, page, "")


def photograph_pyramids(chromium: Browser, state: Path) -> None:
    """Three players, and a large next to one of the same colour; the sheet for a new game."""
    with appliance(state, "--fast", "--game", "subdivision", "--set", THREE) as device:
        page = open_table(chromium, device)
        for count, word in enumerate(PYRAMIDS.split(), start=1):
            letter, cell, turn = word[0], Cell(word[1:]), (count - 1 - PARKS) % 3
            colour = THREE.partition("=")[2].split()[turn]
            put(page, cell, Piece("blocked") if letter == "b" else Piece(KINDS[letter], colour))
            wait_for(page, lambda s, n=count: len(s["pieces"]) == n, word)  # type: ignore[misc]
        finish(chromium, device, page, "-pyramids")
        phone = open_phone(chromium, device, "light")
        phone.locator("#new-game").click()
        phone.wait_for_timeout(500)
        phone.screenshot(path=PICTURES / "new-game.png")


def open_table(chromium: Browser, device: Appliance) -> Page:
    page = chromium.new_context(viewport={"width": 1400, "height": 1010}).new_page()
    page.goto(device.link)
    wait_for(page, lambda s: s["seeing"] == "watching", "a board")
    return page


def open_phone(chromium: Browser, device: Appliance, scheme: Literal["light", "dark"]) -> Page:
    size: ViewportSize = {"width": 390, "height": 1100}
    phone = chromium.new_context(viewport=size, color_scheme=scheme).new_page()
    phone.goto(device.link)
    phone.goto(device.url)
    phone.wait_for_timeout(1000)
    return phone


def finish(chromium: Browser, device: Appliance, page: Page, name: str) -> None:
    """Once the device has announced what is wrong: the table, and the phone."""
    wait_for(page, lambda s: s["alarm"] is not None, "the alarm")
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / f"table{name}.png")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        phone = open_phone(chromium, device, scheme)
        phone.screenshot(path=PICTURES / f"phone{name}-{scheme}.png")


def main() -> int:
    PICTURES.mkdir(exist_ok=True)
    for language in Language:
        draw_sheet(language).save(PICTURES / f"display-{language}.png", optimize=True)
        print(f"the display, {language}: {len(GALLERY)} screens")
    with browser() as chromium:
        for photograph in (photograph_houses, photograph_pyramids):
            with tempfile.TemporaryDirectory() as state:
                photograph(chromium, Path(state))
    print(f"pictures are in {PICTURES.relative_to(Path.cwd())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
