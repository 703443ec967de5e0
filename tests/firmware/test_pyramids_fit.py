"""Whatever Subdivision has to say has room on the display, whoever plays and in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from firmware.buttons import choose, explain, menu
from firmware.dialog import Entry, FinalCount, Listing, MenuItem, Topic, Why
from firmware.drawing import draw
from firmware.fonts import Face, width_px
from firmware.miniboard import MiniBoard
from firmware.screens import Screen, Text, screen_for
from firmware.snapshot import Snapshot
from rules import table
from rules.board import Cell, Piece, Position
from rules.events import Passed, Placed
from rules.game import Game
from rules.packs.subdivision import PACK
from rules.packs.subdivision.words import CROWDED, GROUP, JOINED, PIPS, PLACED, PRIVATE, Fault
from rules.verdict import Gain, Problem, Task
from rules.voice import Language
from tests.firmware.pyramids import FOUR, THREE, finished, played, pyramids, snapshot_of, stuck
from tests.firmware.test_drawing import cut_off

COLOURS = PACK.box.players
WIDE_CELL = max((Cell(f"{file}8") for file in "abcdefgh"), key=lambda c: width_px(c, Face.SMALL))
PARK = Piece("blocked")
TABLES = (
    COLOURS[:2],
    COLOURS[2:4],
    COLOURS[4:],
    COLOURS[:3],
    COLOURS[3:],
    COLOURS[:4],
    COLOURS[2:],
)
"""Every colour at a table of two, of three and of four."""


def _problems(made: Snapshot) -> Iterator[Snapshot]:
    """Every fault the rules and the table know, of every kind of piece and of every colour."""
    for reason in (*Fault, table.OCCUPIED, table.REMOVED, table.MOVED, table.UNDONE):
        for kind in PIPS:
            for colour in made.game.box.players:
                if reason is not Fault.MUST_NOT_PASS:
                    problem = Problem(reason, WIDE_CELL, Piece(kind, colour), (WIDE_CELL,))
                    yield replace(made, alarm=problem)
        if reason in (Fault.OFF_BOARD, Fault.OUT_OF_TURN, Fault.NONE_LEFT, table.REMOVED):
            yield replace(made, alarm=Problem(reason, WIDE_CELL, PARK))


def _gains(made: Snapshot) -> Iterator[Snapshot]:
    players = made.game.box.players
    for why in (PLACED, GROUP, JOINED, CROWDED, PRIVATE):
        for first in players:
            # As many players as there are have something in it, which leaves the least room.
            gains = tuple(
                Gain(WIDE_CELL, WIDE_CELL, Piece("large", colour), -3, why)
                for colour in (first, *players)
            )
            yield replace(made, fresh=replace(made.verdict, gains=gains))
            yield replace(made, dialog=Why(explain(replace(made, story=()))))


def _tasks(made: Snapshot) -> Iterator[Snapshot]:
    for turn in made.game.box.players:
        verdict = replace(made.verdict, turn=turn)
        for task in (
            Task("must-pass"),
            Task("parks-to-lay", PARK, 34, (WIDE_CELL,)),
            Task("lay-a-park", PARK, 34, (WIDE_CELL,)),
        ):
            shown = replace(made, verdict=replace(verdict, task=task))
            yield replace(shown, may_pass=task.word == "must-pass")
        yield replace(made, verdict=replace(verdict, task=None, ply=123))


def _menus(made: Snapshot) -> Iterator[Snapshot]:
    yield replace(made, dialog=menu(made))
    for setting in PACK.settings:
        listing = choose(made, menu(made), Entry(MenuItem.SETTING, setting.name))
        assert isinstance(listing, Listing)
        assert listing.topic is Topic.SETTING
        yield replace(made, dialog=listing)


@pytest.mark.parametrize("language", Language)
def test_all_that_pyramids_say_fits(language: Language) -> None:
    cut: set[str] = set()
    for players in TABLES:
        made = snapshot_of(Game(PACK, {"players": " ".join(players)}), language)
        for each in (*_problems(made), *_tasks(made), *_menus(made), *_gains(made)):
            cut |= set(cut_off(screen_for(each, 0), most_pages=2))
    assert cut == set()


@pytest.mark.parametrize("language", Language)
def test_accounts_and_the_final_count_fit(language: Language) -> None:
    cut: set[str] = set()
    for settings in ({}, {"players": THREE}, {"players": FOUR, "variant": "private-parks"}):
        for plies in range(5, 61, 5):
            made = snapshot_of(played(plies, **settings), language)
            for at in range(len(explain(made))):
                why = replace(made, dialog=Why(explain(made), at))
                cut |= set(cut_off(screen_for(why, 0), most_pages=2))
        over = snapshot_of(finished(**settings), language)
        for at in range(len(over.game.box.players) + 1):
            count = replace(over, dialog=FinalCount(at))
            cut |= set(cut_off(screen_for(count, 0), most_pages=2))
    assert cut == set()


@pytest.mark.parametrize(("players", "size"), [(FOUR, "8"), (THREE, "7"), ("red blue", "6")])
def test_every_pyramid_of_every_player_looks_different(players: str, size: str) -> None:
    box = Game(PACK, {"players": players, "size": size}).box
    bare = Position(files=box.board.files, ranks=box.board.ranks)
    pieces = [Piece(kind, colour) for kind in PIPS for colour in box.players]
    looks = {None: _drawn(bare, box), PARK: _drawn(bare.put(Cell("c3"), PARK), box)}
    looks |= {piece: _drawn(bare.put(Cell("c3"), piece), box) for piece in pieces}
    for one, other in combinations(looks.items(), 2):
        assert np.count_nonzero(one[1] != other[1]) >= 1, f"{one[0]} looks like {other[0]}"
    lit = {piece: int(look.sum()) for piece, look in looks.items()}
    for colour in box.players:
        large, medium, small = (lit[Piece(kind, colour)] for kind in PIPS)
        assert large > medium > small, f"{colour}: {large}, {medium}, {small}"


def _drawn(position: Position, box: object) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.array(draw(Screen(Text(""), 0, MiniBoard(box, position))))[:, :65]  # type: ignore[arg-type]


def test_who_must_pass_is_told_what_to_press() -> None:
    made = snapshot_of(stuck(players=FOUR))
    body = screen_for(made, 0).body
    assert getattr(body, "line", "").endswith("must pass: OK")
    turn = made.verdict.turn
    assert turn is not None
    game = stuck(players=FOUR)
    assert PACK.judge(game.state, Passed(turn))[1].ply == made.verdict.ply + 1


def test_the_usual_places_of_parks_blink_until_they_lie_there() -> None:
    screen = screen_for(pyramids("+a1 +b2"), 0)
    assert isinstance(screen.beside, MiniBoard)
    assert set(screen.beside.blinking) == {"a6", "f1", "f6", "c3"}
    game = Game(PACK)
    for cell in screen.beside.blinking:
        game.tell(Placed(cell, PARK))
    assert game.verdict.task is not None
    assert game.verdict.task.count == 2
