"""Snapshots made by hand, for tests of the outputs; `GALLERY` has one for every screen there is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any, Final

from firmware.buttons import explain, menu, preview_undo
from firmware.dialog import (
    About,
    Answer,
    Choice,
    FinalCount,
    Happened,
    Holds,
    Listing,
    Pairing,
    Playing,
    Topic,
    Why,
)
from firmware.snapshot import (
    Access,
    Alarm,
    Failure,
    GameCard,
    Hidden,
    Leftover,
    Part,
    Seeing,
    Snapshot,
)
from rules.board import Anchor, Cell, Piece
from rules.events import Placed, TurnEnded, Undone
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State, legal_moves
from rules.verdict import Problem, Verdict
from rules.voice import Language
from tests.firmware.pyramids import PYRAMIDS
from tests.rules.masterplan.script import parse_script_move
from vision import refusal
from vision.reading import Unreadable

CODE: Final = "483920"
URL: Final = "http://192.168.1.50:8080"
OPENING: Final = "c4ne e6n b3n"
"""Three houses that make a park due on d5."""
MIDDLE: Final = f"{OPENING} +d5 e4ne d4nw +b4 +f4 e5w +e3 +e7"
"""The game of the rule sheet's figures."""
PARK: Final = Piece("park")


def play(moves: str, settings: dict[str, str] | None = None) -> Game[State]:
    """`c4ne` a house of who is on turn, `+d5` a park, `^d5` a tower, `-d5` taken off; `.` end."""
    game = Game(PACK, settings)
    for word in moves.split():
        event = TurnEnded() if word == "." else parse_script_move(word, game.verdict.turn)
        game.tell(event)
    return game


def snapshot(moves: str = "", language: Language = Language.EN, **changes: Any) -> Snapshot:
    """A table that is being watched, after these moves."""
    return snapshot_of(play(moves), language, **changes)


def snapshot_of(game: Game[State], language: Language = Language.EN, **changes: Any) -> Snapshot:
    story = tuple((said, step.verdict) for step in game.steps for said in step.verdict.said)
    made = Snapshot(
        number=1,
        language=language,
        sound="off",
        game=GameCard(7, PACK, game.settings, 1_700_000_000.0),
        verdict=game.verdict,
        access=Access(URL, CODE),
        story=story,
        seeing=Seeing.WATCHING,
    )
    return replace(made, **changes)


@cache
def finished() -> Game[State]:
    """A whole game, played at random and without forgetting anything."""
    dice, game = random.Random(11), Game(PACK)
    while game.verdict.outcome is None:
        dues = game.verdict.dues
        event = (
            Placed(dues[0].cell, dues[0].piece) if dues else dice.choice(legal_moves(game.state))
        )
        game.tell(event)
    return game


def house(colour: str, anchor: str) -> Piece:
    return Piece("house", colour, Anchor(anchor))


def cells(words: str) -> tuple[Cell, ...]:
    return tuple(map(Cell, words.split()))


def problem(made: Snapshot) -> Problem:
    """The one that is on the table."""
    return made.verdict.problems[0]


def fresh(made: Snapshot) -> Verdict:
    """The last verdict with points in it."""
    return next(verdict for _, verdict in reversed(made.story) if verdict.gains)


Make = Callable[[Language], Snapshot]


def _alarm(moves: str, alarm: Alarm | None = None) -> Make:
    """With what is wrong on the table as its alarm, where no other is given."""

    def make(language: Language) -> Snapshot:
        made = snapshot(moves, language)
        found = alarm or next(iter(made.verdict.problems), None) or made.verdict.dues[0]
        return replace(made, alarm=found)

    return make


def _failure(part: Part, reason: str) -> Make:
    failure = Failure(part, reason)
    return lambda language: snapshot(MIDDLE, language, alarm=failure, failures=(failure,))


def _dialog(moves: str, dialog: object, **changes: Any) -> Make:
    return lambda language: snapshot(moves, language, dialog=dialog, **changes)


def _menu(at: int) -> Make:
    def make(language: Language) -> Snapshot:
        made = snapshot(MIDDLE, language)
        return replace(made, dialog=replace(menu(made), at=at))

    return make


def _why(at: int) -> Make:
    def make(language: Language) -> Snapshot:
        made = snapshot(MIDDLE, language)
        return replace(made, dialog=Why(explain(made), at))

    return make


def _undo(moves: str, ply: int) -> Make:
    def make(language: Language) -> Snapshot:
        made = snapshot(moves, language)
        return replace(made, dialog=preview_undo(made, ply) or Playing())

    return make


def _fresh(language: Language) -> Snapshot:
    made = snapshot(MIDDLE, language)
    return replace(made, fresh=fresh(made))


def _draw(language: Language) -> Snapshot:
    made = snapshot_of(finished(), language)
    assert made.verdict.outcome is not None
    score = dict.fromkeys(PACK.box.players, 31)
    outcome = replace(made.verdict.outcome, winners=PACK.box.players, score=score)
    return replace(made, verdict=replace(made.verdict, outcome=outcome, score=score))


def choices(setting: str, values: Iterable[str]) -> tuple[Choice, ...]:
    return tuple(Choice(setting, value) for value in values)


_IN_TIME: Final = (Placed(Cell("d5"), PARK), Placed(Cell("e4"), house("yellow", "n")))
_HELD: Final = (house("white", "ne"), house("white", "e"), house("yellow", "ne"), PARK, None)
_STORE: Final = Failure(Part.STORE, "full")

GALLERY: Final[dict[str, Make]] = {
    "setup": lambda language: snapshot("", language, seeing=Seeing.STARTING),
    "setup-resumed": lambda language: snapshot(
        MIDDLE, language, seeing=Seeing.STARTING, resumed=True
    ),
    **{
        f"setup-{refused.reason}": lambda language, refused=refused: snapshot(  # type: ignore[misc]
            "", language, seeing=Seeing.STARTING, unreadable=refused
        )
        for refused in (
            refusal.NO_BOARD,
            refusal.CUT_OFF,
            refusal.TWO_BOARDS,
            refusal.OTHER_SIZE,
            refusal.TOO_SMALL,
            refusal.TOO_DARK,
            refusal.MIRRORED,
            Unreadable("struck-by-lightning", "Dry the board."),
        )
    },
    "turn": lambda language: snapshot(MIDDLE, language),
    "turn-busy": lambda language: snapshot(f"{OPENING} +d5", language, seeing=Seeing.BUSY),
    "turn-blind-memory": lambda language: snapshot(
        MIDDLE, language, seeing=Seeing.BLIND, failures=(_STORE,)
    ),
    "turn-unsure": lambda language: snapshot(MIDDLE, language, unsure=frozenset(cells("c3"))),
    "resumed": lambda language: snapshot(MIDDLE, language, resumed=True),
    "due": lambda language: snapshot(OPENING, language),
    "due-memory": lambda language: snapshot(OPENING, language, failures=(_STORE,)),
    "due-three": lambda language: snapshot(f"{OPENING} +d5 e4ne d4nw", language),
    "due-tower": lambda language: snapshot("c4ne e6n d4n d5n", language),
    "forgotten": _alarm(f"{OPENING} h8n"),
    "forgotten-tower": _alarm("c4ne e6n d4n d5n h1n"),
    "illegal": _alarm("c4ne white:e5n"),
    "illegal-not-due": _alarm("c4ne +e5"),
    "illegal-removed": _alarm(f"{OPENING} +d5 -c4"),
    "hidden": _alarm(MIDDLE, Hidden(cells("d6"))),
    "hidden-many": _alarm(MIDDLE, Hidden(cells("d6 d7 d8 e8 f8"))),
    "leftover": _alarm("", Leftover(cells("d5 e6"))),
    "unreadable": _alarm(MIDDLE, refusal.NO_BOARD),
    "gains": _fresh,
    "unsure": _dialog(
        MIDDLE,
        Listing(Topic.UNSURE, tuple(Holds(Cell("c3"), piece) for piece in _HELD), cell=Cell("c3")),
    ),
    "correct": _dialog(
        MIDDLE,
        Listing(
            Topic.CORRECT,
            (*(Holds(Cell("e5"), piece) for piece in _HELD), Answer.OTHER_CELL),
            at=4,
            cell=Cell("e5"),
        ),
    ),
    "where": _dialog(
        MIDDLE,
        Listing(
            Topic.WHERE,
            tuple(Holds(cell, piece) for cell, piece in play(MIDDLE).verdict.table.items()),
            at=5,
        ),
    ),
    "happened": _dialog(
        OPENING, Listing(Topic.HAPPENED, (Happened(_IN_TIME), Happened(_IN_TIME[::-1])))
    ),
    "happened-taken-back": _dialog(
        MIDDLE, Listing(Topic.HAPPENED, (Happened((Undone(6),)), Answer.PUT_BACK))
    ),
    "cleared": _dialog(MIDDLE, Listing(Topic.CLEARED, (Answer.PUT_BACK, Answer.YES))),
    "new-game": _dialog(MIDDLE, Listing(Topic.NEW_GAME, (Answer.NO, Answer.YES))),
    "menu": _menu(0),
    "menu-further": _menu(4),
    "menu-last": _menu(8),
    "setting": _dialog(
        MIDDLE, Listing(Topic.SETTING, choices("both_due", ("park", "tower")), at=1)
    ),
    "setting-mode": _dialog(MIDDLE, Listing(Topic.SETTING, choices("mode", ("assist", "strict")))),
    "language": _dialog(MIDDLE, Listing(Topic.LANGUAGE, choices("language", Language), at=1)),
    "sound": _dialog(
        MIDDLE, Listing(Topic.SOUND, choices("sound", ("off", "tones", "speech", "both")))
    ),
    "undo": _undo(f"{OPENING} +d5", 3),
    "undo-two": _undo(MIDDLE, 5),
    "why": _why(1),
    "why-nothing": _dialog("", Why(())),
    "pairing": _dialog(MIDDLE, Pairing()),
    "pairing-no-page": _dialog(MIDDLE, Pairing(), access=Access("", CODE)),
    "about": _dialog(MIDDLE, About()),
    "count": lambda language: snapshot_of(finished(), language, dialog=FinalCount(0)),
    "count-result": lambda language: snapshot_of(finished(), language, dialog=FinalCount(99)),
    "draw": _draw,
    **{
        f"camera-{reason}": _failure(Part.CAMERA, reason)
        for reason in ("missing", "unplugged", "frozen", "garbage", "haunted")
    },
    **{
        f"store-{reason}": _failure(Part.STORE, reason)
        for reason in ("full", "read-only", "locked", "corrupt", "newer", "unavailable")
    },
    "archive-corrupt": _failure(Part.ARCHIVE, "corrupt"),
    "archive-damaged": _failure(Part.ARCHIVE, "damaged"),
    **{
        f"failed-{part}": _failure(part, "broken")
        for part in (Part.OLED, Part.PANEL, Part.FINGER, Part.SOUND)
    },
    **PYRAMIDS,
}
"""One snapshot for every screen of the device, by the name of its golden picture."""
