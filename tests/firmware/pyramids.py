"""Snapshots of Subdivision made by hand: `PYRAMIDS` has one for every screen this game adds."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, Final

from firmware import views
from firmware.buttons import choose, explain, menu, preview_undo
from firmware.chronicle import Chronicle
from firmware.correcting import correction
from firmware.dialog import (
    Begin,
    Dialog,
    Entry,
    FinalCount,
    Listing,
    MenuItem,
    Playing,
    Why,
)
from firmware.snapshot import Access, GameCard, Seeing, Snapshot
from rules.board import Cell
from rules.events import Passed, Placed
from rules.game import Game
from rules.packs.subdivision import PACK
from rules.packs.subdivision.state import State
from rules.voice import Language
from tests.rules.subdivision.script import parse_script_move

FOUR: Final = "red blue green yellow"
THREE: Final = "black clear green"
"""The widest names there are among them."""
PARKS: Final = "+a1 +a6 +f1 +f6 +c3 +d4"
OPENING: Final = f"{PARKS} Lb2 Lc4 Sb3 Mc5 Me5 Sb4"
Make = Callable[[Language], Snapshot]


def play(moves: str, **settings: str) -> Game[State]:
    """As in a position file: `+a1` a park, `Lc3` a large of who is on turn, `blue:Sb2`, `pass`."""
    game = Game(PACK, settings)
    for word in moves.split():
        game.tell(parse_script_move(word, game.verdict.turn))
    return game


def snapshot_of(game: Game[State], language: Language = Language.EN, **changes: Any) -> Snapshot:
    story = [(said, step.verdict) for step in game.steps for said in step.verdict.said]
    made = Snapshot(
        number=1,
        language=language,
        sound="off",
        game=GameCard(8, PACK, game.settings, 1_700_000_000.0),
        verdict=game.verdict,
        access=Access("http://192.168.1.50:8080", "483920"),
        story=tuple(story),
        seeing=Seeing.WATCHING,
        may_pass=Chronicle(game, story).may_pass,
    )
    return replace(made, **changes)


def pyramids(moves: str = OPENING, language: Language = Language.EN, **settings: str) -> Snapshot:
    return snapshot_of(play(moves, **settings), language)


@cache
def played(plies: int, seed: int = 3, **settings: str) -> Game[State]:
    """A game played at random with the parks where they usually lie, up to so many moves."""
    dice, game = random.Random(seed), Game(PACK, settings)
    while game.verdict.outcome is None and game.verdict.ply < plies:
        task, moves = game.verdict.task, PACK.legal_moves(game.state)
        if task is not None and task.piece is not None:
            game.tell(Placed(task.cells[0], task.piece))
        elif moves:
            game.tell(dice.choice(moves))
        else:
            assert game.verdict.turn is not None
            game.tell(Passed(game.verdict.turn))
    return game


@cache
def stuck(**settings: str) -> Game[State]:
    """A game in which the player on turn must pass."""
    for seed in range(200):
        for plies in range(20, 70):
            game = played(plies, seed, **settings)
            if game.verdict.outcome:
                break
            if game.verdict.task is not None and not game.verdict.task.cells:
                return game
    raise AssertionError("nobody ever had to pass")


def finished(**settings: str) -> Game[State]:
    return played(999, **settings)


def _of(game: Callable[[], Game[State]], **changes: Any) -> Make:
    return lambda language: snapshot_of(game(), language, **changes)


def _listing(setting: str, *ticks: int, at: int | None = None, **settings: str) -> Make:
    """The setting opened from the menu, and these entries chosen one after the other."""

    def make(language: Language) -> Snapshot:
        made = pyramids(OPENING, language, **settings)
        dialog: Dialog = _open(made, MenuItem.SETTING, setting)
        for tick in ticks:
            assert isinstance(dialog, Listing)
            dialog = _as_dialog(choose(made, dialog, dialog.options[tick]))
        assert isinstance(dialog, Listing)
        return replace(made, dialog=replace(dialog, at=dialog.at if at is None else at))

    return make


def _open(made: Snapshot, item: MenuItem, setting: str = "") -> Dialog:
    return _as_dialog(choose(made, menu(made), Entry(item, setting)))


def _as_dialog(what: object) -> Dialog:
    assert isinstance(what, Dialog), what
    return what


def _games(language: Language) -> Snapshot:
    made = pyramids(OPENING, language)
    return replace(made, dialog=_open(made, MenuItem.GAME))


def _other_game(language: Language) -> Snapshot:
    made = _games(language)
    assert isinstance(made.dialog, Listing)
    return replace(made, dialog=_as_dialog(choose(made, made.dialog, Begin("masterplan"))))


def _menu(language: Language) -> Snapshot:
    made = pyramids(OPENING, language, players=FOUR)
    return replace(made, dialog=replace(menu(made), at=4))


def _alarm(moves: str, **settings: str) -> Make:
    def make(language: Language) -> Snapshot:
        made = pyramids(moves, language, **settings)
        return replace(made, alarm=made.verdict.problems[0])

    return make


def _why(at: int) -> Make:
    """0 is the last gain, the last page an account."""

    def make(language: Language) -> Snapshot:
        made = pyramids(OPENING, language)
        pages = explain(made)
        return replace(made, dialog=Why(pages, at % len(pages)))

    return make


def _fresh(plies: int, **settings: str) -> Make:
    def make(language: Language) -> Snapshot:
        made = snapshot_of(played(plies, **settings), language)
        fresh = next(verdict for _, verdict in reversed(made.story) if verdict.gains)
        return replace(made, fresh=fresh)

    return make


def _undo(language: Language) -> Snapshot:
    made = pyramids(OPENING, language)
    return replace(made, dialog=preview_undo(made, 1) or Playing())


def won_by(*winners: str, language: Language = Language.EN, players: str = FOUR) -> Snapshot:
    """A game of which these are the winners, with scores as far apart as they can be."""
    made = snapshot_of(finished(players=players), language)
    score = {colour: 29 if colour in winners else -12 for colour in players.split()}
    assert made.verdict.outcome is not None
    outcome = replace(made.verdict.outcome, score=score, winners=winners)
    return replace(made, verdict=replace(made.verdict, outcome=outcome, score=score))


def _clash(language: Language) -> Snapshot:
    return replace(
        pyramids(OPENING, language, players=FOUR), dialog=Why((views.brief_clash(language),))
    )


def _correct(language: Language) -> Snapshot:
    made = pyramids(OPENING, language)
    cell = Cell("b2")
    box, standing = made.game.box, made.verdict.table[cell]
    return replace(made, dialog=correction(cell, standing, None, box))


PYRAMIDS: Final[dict[str, Make]] = {
    "pyramids-parks": lambda language: pyramids("+a1 +a6", language),
    "pyramids-parks-four": lambda language: pyramids(
        "+a1 +h8", language, players=FOUR, variant="lay-parks"
    ),
    "pyramids-turn": lambda language: pyramids(OPENING, language),
    "pyramids-turn-three": _of(lambda: played(20, players=THREE)),
    "pyramids-turn-four": _of(lambda: played(30, players=FOUR), unsure=frozenset({Cell("c3")})),
    "pyramids-must-pass": _of(lambda: stuck()),
    "pyramids-must-pass-four": _of(lambda: stuck(players=FOUR)),
    "pyramids-illegal": _alarm(f"{PARKS} Lb2 Mc4 Lb3"),
    "pyramids-illegal-small": _alarm(f"{PARKS} Lb2 Se5"),
    "pyramids-illegal-park": _alarm(f"{PARKS} Lb2 +e5"),
    "pyramids-gains": _fresh(9),
    "pyramids-gains-four": _fresh(40, players=FOUR),
    "pyramids-why": _why(0),
    "pyramids-account": _why(-1),
    "pyramids-undo": _undo,
    "pyramids-correct": _correct,
    "pyramids-menu": _menu,
    "pyramids-players": _listing("players"),
    "pyramids-players-too-few": _listing("players", 0, 1, 4, at=6),
    "pyramids-players-four": _listing("players", 3, 4, players="red blue green"),
    "pyramids-variant": _listing("variant", 2, 0),
    "pyramids-size": _listing("size"),
    "pyramids-clash": _clash,
    "pyramids-game": _games,
    "pyramids-other-game": _other_game,
    "pyramids-count": _of(lambda: finished(players=FOUR), dialog=FinalCount(2)),
    "pyramids-over": _of(lambda: finished()),
    "pyramids-over-four": lambda language: won_by("green", language=language),
    "pyramids-shared": lambda language: won_by("black", "clear", language=language, players=THREE),
    "pyramids-over-negative": lambda language: won_by("red", language=language, players="red blue"),
    "pyramids-gains-five": _fresh(12, size="5", variant="nine-pyramids private-parks"),
    "pyramids-gains-seven": _fresh(31, players=THREE),
}
"""By the name of its golden picture."""
