"""Stones: a tiny game for three, made for the tests and as unlike Masterplan as the door allows.

Red, blue and green in turn put one of their three stones on an empty cell of a 4×3 board. Two
stones of one colour side by side are a pair, and each pair is a point at once. Whoever is on turn
may pass instead, once a first stone stands. The game is over when every stone stands or all three
have passed in a row; most points win, and several may have most.

Nothing is ever due, no stone stands in an anchor, and a pass is a move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import permutations
from typing import ClassVar, Final

from rules.board import ALL_CELLS, Anchor, Cell, Piece, Position
from rules.box import Box, parse_box
from rules.errors import BadLine, BadWord
from rules.events import (
    Change,
    Interpretation,
    LeftStanding,
    Moved,
    Passed,
    Placed,
    TableEvent,
    Taken,
    TurnEnded,
)
from rules.pack import Pack, Setting
from rules.table import OCCUPIED, TIDY, UNDONE, Table
from rules.verdict import Due, Gain, Outcome, Over, Problem, Statement, Verdict
from rules.views import TableVoice, list_words
from rules.voice import Brief, Language, Voice, parse_phrases

BOX: Final = parse_box(
    """
    game = "stones"
    title = "Stones"
    players = ["red", "blue", "green"]

    [board]
    files = 4
    ranks = 3
    cell_mm = 30.0
    rim_mm = 5.0
    thickness_mm = 4.0
    track_spaces = 0

    [pieces.stone]
    count = 3
    colours = ["red", "blue", "green"]
    shape = "block"
    anchored = false
    base_mm = [20.0, 20.0]
    height_mm = 6.0
    shade = { red = "#b03030", blue = "#3040a0", green = "#308040" }
    """,
    "tests/rules/toy_pack.py",
)
STONE: Final = "stone"
PLAYERS: Final = BOX.players
PAIRS: Final = Setting("pairs", ("straight", "any"), "whether stones corner to corner are a pair")
PASS: Final = "pass"

OUT_OF_TURN: Final = "out-of-turn"
OFF_BOARD: Final = "off-board"
NONE_LEFT: Final = "none-left"
GAME_OVER: Final = "game-over"
ORDER_UNKNOWN: Final = "order-unknown"

_STRAIGHT: Final = (Anchor.N, Anchor.E, Anchor.S, Anchor.W)


@dataclass(frozen=True, slots=True)
class StoneStands(Statement):
    word: ClassVar[str] = "stone"
    ply: int
    cell: Cell
    colour: str
    pairs: int


@dataclass(frozen=True, slots=True)
class TurnPassed(Statement):
    word: ClassVar[str] = "passed"
    ply: int
    colour: str


@dataclass(frozen=True, slots=True)
class State:
    any_pairs: bool = False
    position: Position = Position(files=BOX.board.files, ranks=BOX.board.ranks)  # noqa: RUF009
    ply: int = 0
    passes: int = 0
    """How many passes there were since the last stone."""
    score: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, 0))
    account: tuple[Gain, ...] = ()
    table: Table = TIDY
    outcome: Outcome | None = None

    @property
    def turn(self) -> str | None:
        return None if self.outcome else PLAYERS[self.ply % len(PLAYERS)]


class Stones:
    box = BOX
    settings: tuple[Setting, ...] = (PAIRS,)

    def box_for(self, settings: Mapping[str, str]) -> Box:
        return self.box

    def setup(self, settings: Mapping[str, str]) -> State:
        return State(any_pairs=settings[PAIRS.name] == "any")

    def survey(self, state: State) -> Verdict:
        return _survey(state)

    def judge(self, state: State, event: TableEvent) -> tuple[State, Verdict]:
        said: list[Statement] = []
        before = state
        match event:
            case Placed(cell, piece):
                state = _put(state, cell, piece, said)
            case Taken(cell):
                state = _with_table(state, state.table.take(state.position, cell), said)
            case Moved(origin, cell, piece):
                moved = state.table.move(state.position, origin, cell, piece)
                if moved is None:
                    taken = state.table.take(state.position, origin)
                    state = _put(_with_table(state, taken, said), cell, piece, said)
                else:
                    state = _with_table(state, moved, said)
            case LeftStanding(cell, piece):
                state = _with_table(state, state.table.lay(Problem(UNDONE, cell, piece)), said)
            case Passed(colour):
                state = _pass(state, colour, said)
            case TurnEnded():
                pass  # a turn is one stone or one pass: there is nothing to complete
        state = _end(state, said)
        return state, _survey(state, tuple(said), state.account[len(before.account) :])

    def legal_moves(self, state: State) -> list[Placed]:
        if state.turn is None:
            return []
        stone = Piece(STONE, state.turn)
        board = BOX.board
        cells = (c for c in ALL_CELLS if c.file < board.files and c.rank < board.ranks)
        return [Placed(cell, stone) for cell in cells if _fault_of(state, cell, stone) is None]

    def interpret(self, state: State, change: Change) -> Interpretation:
        before, after = change.before, change.after
        gone = tuple(Taken(c) for c in sorted(before) if after.get(c) != before[c])
        new = tuple(Placed(c, after[c]) for c in sorted(after) if before.get(c) != after[c])
        if len(new) > 1:
            return Interpretation(gone, tuple(permutations(new)), ORDER_UNKNOWN)
        return Interpretation((*gone, *new))

    def parse_placement(self, line: Mapping[str, object]) -> Placed:
        if set(line) != {STONE, "colour"}:
            raise BadLine('the keys are not those of a stone: {"stone": "a1", "colour": "red"}')
        cell, colour = line[STONE], line["colour"]
        if not isinstance(cell, str):
            raise BadWord("cell", cell, "a1 to d3")
        if not isinstance(colour, str) or colour not in PLAYERS:
            raise BadWord("colour", colour, " or ".join(PLAYERS))
        return Placed(Cell(cell), Piece(STONE, colour))

    def format_placement(self, event: Placed) -> dict[str, str]:
        return {STONE: str(event.cell), "colour": str(event.piece.colour)}

    def format_statement(self, statement: Statement) -> dict[str, object]:
        match statement:
            case StoneStands(ply, cell, colour, pairs):
                return {"ply": ply, "cell": cell, "colour": colour, "pairs": pairs}
            case TurnPassed(ply, colour):
                return {"ply": ply, "colour": colour}
            case Over(outcome):
                return {"score": dict(outcome.score), "winners": list(outcome.winners)}
        raise TypeError(f"this game never says {statement!r}")

    def voice(self, language: Language) -> Voice:
        return _voice(language)

    def parse_move(self, word: str, turn: str | None) -> Placed | Passed:
        if turn is None:
            raise BadWord("move", word, "nothing: the game is over")
        return Passed(turn) if word == PASS else Placed(Cell(word), Piece(STONE, turn))

    def format_move(self, event: Placed | Passed) -> str:
        return PASS if isinstance(event, Passed) else str(event.cell)


def _put(state: State, cell: Cell, piece: Piece, said: list[Statement]) -> State:
    returned = state.table.put_back(state.position, cell, piece)
    if returned is not None:
        return _with_table(state, returned, said)
    fault = _fault_of(state, cell, piece)
    if fault is not None:
        return _with_table(state, state.table.lay(Problem(fault, cell, piece)), said)
    assert piece.colour is not None  # it is on turn
    ways = tuple(Anchor) if state.any_pairs else _STRAIGHT
    gains = tuple(
        Gain(other, cell, piece, 1, "pair")
        for way in ways
        if (other := cell.step(way)) is not None and state.position.get(other) == piece
    )
    said.append(StoneStands(state.ply + 1, cell, piece.colour, len(gains)))
    return replace(
        state,
        position=state.position.put(cell, piece),
        ply=state.ply + 1,
        passes=0,
        score={**state.score, piece.colour: state.score[piece.colour] + len(gains)},
        account=state.account + gains,
    )


def _fault_of(state: State, cell: Cell, piece: Piece) -> str | None:
    if cell.file >= BOX.board.files or cell.rank >= BOX.board.ranks:
        return OFF_BOARD
    if state.outcome is not None:
        return GAME_OVER
    if piece.colour != state.turn:
        return OUT_OF_TURN
    if state.table.is_occupied(state.position, cell):
        return OCCUPIED
    standing = sum(other == piece for other in state.position.values())
    return NONE_LEFT if standing == BOX.pieces[STONE].count else None


def _pass(state: State, colour: str, said: list[Statement]) -> State:
    if colour != state.turn or not state.position:
        return state
    said.append(TurnPassed(state.ply + 1, colour))
    return replace(state, ply=state.ply + 1, passes=state.passes + 1)


def _end(state: State, said: list[Statement]) -> State:
    every_stone = BOX.pieces[STONE].count * len(PLAYERS)
    over = len(state.position) == every_stone or state.passes == len(PLAYERS)
    if not over or state.outcome is not None:
        return state
    most = max(state.score.values())
    winners = tuple(colour for colour in PLAYERS if state.score[colour] == most)
    outcome = Outcome(state.score, winners)
    said.append(Over(outcome))
    return replace(state, outcome=outcome)


def _with_table(
    state: State, outcome: tuple[Table, Statement | None], said: list[Statement]
) -> State:
    table, statement = outcome
    if statement is not None:
        said.append(statement)
    return replace(state, table=table)


def _survey(
    state: State, said: tuple[Statement, ...] = (), gains: tuple[Gain, ...] = ()
) -> Verdict:
    return Verdict(
        position=state.position,
        table=state.table.as_seen(state.position),
        ply=state.ply,
        turn=state.turn,
        score=state.score,
        said=said,
        gains=gains,
        account=state.account,
        problems=tuple(state.table.problems()),
        outcome=state.outcome,
    )


class StonesVoice(TableVoice):
    def describe(self, statement: Statement, verdict: Verdict) -> list[str]:
        match statement:
            case StoneStands(ply, cell, colour, pairs):
                return [f"{ply}. {self.colour(colour)} {cell}{f': +{pairs}' if pairs else ''}"]
            case TurnPassed(ply, colour):
                return [f"{ply}. {self.say('passes', colour=self.colour(colour))}"]
            case Over(outcome):
                winners = list_words(map(self.colour, outcome.winners), self.language)
                return [self.say("over", winners=winners)]
        return super().describe(statement, verdict)

    def due(self, due: Due) -> str:
        raise TypeError("nothing is ever due")

    def brief_due(self, due: Due) -> Brief:
        raise TypeError("nothing is ever due")

    def gain(self, gain: Gain) -> str:
        return f"{self.piece(gain.piece)} +{gain.points}: {gain.cell} {gain.at}"

    def brief_gain(self, gain: Gain) -> str:
        return f"+{gain.points}: {gain.cell} {gain.at}"

    def brief_end(self, outcome: Outcome) -> list[Brief]:
        return []


@cache
def _voice(language: Language) -> StonesVoice:
    return StonesVoice(language, PHRASES)


PHRASES: Final = parse_phrases(
    """
    kind.stone = { en = "stone", fr = "pierre", de = "Stein" }
    colour.red = { en = "red", fr = "rouge", de = "Rot" }
    colour.blue = { en = "blue", fr = "bleu", de = "Blau" }
    colour.green = { en = "green", fr = "vert", de = "Grün" }
    piece.stone.red = { en = "red stone", fr = "pierre rouge", de = "roter Stein" }
    piece.stone.blue = { en = "blue stone", fr = "pierre bleue", de = "blauer Stein" }
    piece.stone.green = { en = "green stone", fr = "pierre verte", de = "grüner Stein" }
    the.stone.red = { en = "the red stone", fr = "la pierre rouge", de = "der rote Stein" }
    the.stone.blue = { en = "the blue stone", fr = "la pierre bleue", de = "der blaue Stein" }
    the.stone.green = { en = "the green stone", fr = "la pierre verte", de = "der grüne Stein" }
    passes = { en = "{colour} passes", fr = "{colour} passe", de = "{colour} passt" }
    setting.pairs = { en = "Pairs", fr = "Paires", de = "Paare" }
    choice.pairs.straight = { en = "straight", fr = "droites", de = "gerade" }
    choice.pairs.any = { en = "any", fr = "toutes", de = "alle" }

    [over]
    en = "The game is over. Most points: {winners}."
    fr = "La partie est finie. En tête : {winners}."
    de = "Das Spiel ist aus. Die meisten Punkte: {winners}."

    [problem]
    out-of-turn = { en = "{cell} must wait.", fr = "{cell} attend.", de = "{cell} wartet." }
    off-board = { en = "{cell} is off.", fr = "{cell} est dehors.", de = "{cell} ist daneben." }
    none-left = { en = "{cell}: no more.", fr = "{cell} : plus rien.", de = "{cell}: keine mehr." }
    game-over = { en = "{cell}: over.", fr = "{cell} : c'est fini.", de = "{cell}: schon aus." }

    [brief.problem]
    out-of-turn = { en = "not its turn", fr = "pas son tour", de = "nicht dran" }
    off-board = { en = "off the board", fr = "hors jeu", de = "daneben" }
    none-left = { en = "none left", fr = "plus rien", de = "keine mehr" }
    game-over = { en = "game over", fr = "fini", de = "aus" }
    """,
    "tests/rules/toy_pack.py",
)
PACK: Final[Pack[State]] = Stones()
