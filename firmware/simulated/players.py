"""People who play by chance, forget things, and now and then put a piece where none belongs.

They are the demonstration on a shelf, and in tests the only ones who know what truly happened: they
keep a game of their own, told by nobody but themselves, and a `diary` of it. They look at the
device as people do: they wait when it cannot see, and answer what it asks with the truth.

The diary is written before a hand moves. If the power goes in between, the diary says what was
about to be done, and it is done on coming back. Every decision follows from the seed and the
length of the diary, so a game cut short in a hundred places is the same game.

Where a game lets its players choose several things at once (who plays, which variants), each game
is another such choice; what has only one answer they leave as they found it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from firmware.commands import AnswerOption, Command, EndTurn, NewGame, Pass
from firmware.dialog import Answer, Happened, Holds, Listing, Option
from firmware.lights import is_asked
from firmware.simulated.table import SimulatedTable
from firmware.snapshot import Failure, Seeing, Snapshot
from rules.board import ALL_CELLS, Anchor, Cell, Piece, Position
from rules.errors import BadSetting
from rules.events import Event, Passed, Placed, Taken, TurnEnded
from rules.game import Game
from rules.pack import Pack, Setting
from rules.wire import format_event, parse_event

FORGETFUL: Final = 0.15
"""How often what is due is left for the next player to notice."""
CARELESS: Final = 0.05
"""How often somebody tries a piece where it does not belong."""
WILFUL: Final = 0.3
"""How often a piece that has its usual place is put somewhere else."""
FOND: Final = 0.8
"""How often a piece of the favourite kind is taken where it can be."""
_ATTEMPTS: Final = 12
"""So many pieces somebody who is careless thinks of, until one is wrong."""


class Players:
    def __init__(
        self,
        table: SimulatedTable,
        pack: Pack[Any],
        seed: int,
        diary: Path,
        *,
        in_haste: bool = False,
    ) -> None:
        """`in_haste` they do not look whether the device has seen one thing before the next."""
        self._table, self._pack, self._seed, self._diary = table, pack, seed, diary
        self._in_haste = in_haste
        self.games: list[Game[Any]] = []
        """Every game played so far, the last one still going on."""
        if diary.exists():
            for line in diary.read_text(encoding="utf-8").splitlines():
                self._take_down(json.loads(line))

    @property
    def have_finished(self) -> int:
        return sum(game.verdict.outcome is not None for game in self.games)

    def act(self, snapshot: Snapshot) -> Command | None:
        """Do one thing at the table, or say something to the device, or wait for it."""
        if isinstance(snapshot.dialog, Listing):
            # What somebody else has opened is left to them.
            return self._answer(snapshot.dialog) if is_asked(snapshot) else None
        if snapshot.seeing in (Seeing.BLIND, Seeing.STARTING):
            return None
        if isinstance(snapshot.alarm, Failure):
            return None
        is_over = not self.games or self.games[-1].verdict.outcome is not None
        if is_over and not is_going_on(snapshot):
            return self._begin(snapshot)
        if self._finish_what_was_begun() or is_over:
            return None  # the device has yet to see the end
        verdict = self.games[-1].verdict
        if verdict.table != snapshot.verdict.table and not self._in_haste:
            return None
        if verdict.problems and not snapshot.verdict.problems:
            return None  # nobody takes back what nobody has complained about
        event = self._next(self.games[-1])
        if self._is_unheard_pass(snapshot):
            return Pass()
        if isinstance(event, Passed) and snapshot.verdict.ply != verdict.ply:
            return None  # even in haste nobody passes before the device says that they must
        self._write(format_event(self._pack, event))
        return self._do(event)

    def _is_unheard_pass(self, snapshot: Snapshot) -> bool:
        """The diary says that somebody passed, and the power went before it was said."""
        last = self.games[-1].log[-1] if self.games[-1].log else None
        is_behind = snapshot.verdict.ply == self.games[-1].verdict.ply - 1
        return isinstance(last, Passed) and is_behind and snapshot.verdict.turn == last.colour

    def _begin(self, snapshot: Snapshot) -> Command | None:
        """Clear the board; once the device has noticed, a new game begins, of their choice."""
        if self._table.position:
            self._table.clear()
        elif not snapshot.verdict.ply:
            settings = self._choose(snapshot.game.settings)
            if settings != dict(snapshot.game.settings):
                return NewGame(settings)
            self._write({"begin": settings})
        return None

    def _choose(self, settings: Mapping[str, str]) -> dict[str, str]:
        """What the next game is played with: by chance, where several things can be chosen."""
        chance = np.random.default_rng([self._seed, len(self.games), 2])
        while True:
            chosen = {
                setting.name: _pick(setting, chance) if setting.most > 1 else settings[setting.name]
                for setting in self._pack.settings
            }
            try:
                self._pack.box_for(chosen)
            except BadSetting:
                continue  # such a board is too small for so many
            return chosen

    def _next(self, game: Game[Any]) -> Event:
        chance = np.random.default_rng([self._seed, len(self.games), len(game.log)])
        verdict = game.verdict
        if verdict.problems:
            return Taken(verdict.problems[0].cell)
        forgets = np.random.default_rng([self._seed, len(self.games), verdict.ply, 1])
        if verdict.turn is None or forgets.random() >= FORGETFUL:
            if verdict.dues:
                due = verdict.dues[int(chance.integers(len(verdict.dues)))]
                return Placed(due.cell, due.piece)
            if verdict.turn is None:
                return TurnEnded()  # only a strict referee has kept something back
        if any(due.forgotten for due in verdict.dues):
            due = next(due for due in verdict.dues if due.forgotten)
            return Placed(due.cell, due.piece)
        if chance.random() < CARELESS:
            wrong = self._wrong_piece(game, chance)
            if wrong is not None:
                return wrong
        task = verdict.task
        if task is not None and task.piece is not None:
            free = list(task.cells) if chance.random() >= WILFUL else _free_cells(verdict.table)
            return Placed(free[int(chance.integers(len(free)))], task.piece)
        moves = self._pack.legal_moves(game.state)
        if not moves:
            assert verdict.turn is not None  # or all would be over
            return Passed(verdict.turn)
        if chance.random() < FOND:
            moves = self._favoured(game, moves)
        return moves[int(chance.integers(len(moves)))]

    def _favoured(self, game: Game[Any], moves: Sequence[Placed]) -> list[Placed]:
        """Each of them likes one kind of pieces best, and saves another one up for the end."""
        player = game.box.players.index(str(game.verdict.turn))
        taste = np.random.default_rng([self._seed, len(self.games), player, 3])
        order = [str(kind) for kind in taste.permutation(sorted(game.box.pieces))]
        best = min((move.piece.kind for move in moves), key=order.index)
        return [move for move in moves if move.piece.kind == best]

    def _wrong_piece(self, game: Game[Any], chance: np.random.Generator) -> Placed | None:
        """A piece that the rules refuse."""
        board, box = game.verdict.table, game.box
        kinds, free = list(box.pieces.values()), _free_cells(board)
        for _ in range(_ATTEMPTS):
            facts = kinds[int(chance.integers(len(kinds)))]
            someone = box.players[int(chance.integers(len(box.players)))]
            player = game.verdict.turn if chance.random() < 0.5 else someone
            colour = player if facts.colours else None
            anchor = tuple(Anchor)[int(chance.integers(len(Anchor)))] if facts.anchored else None
            wrong = Placed(free[int(chance.integers(len(free)))], Piece(facts.kind, colour, anchor))
            if self._table.can_put(wrong.piece, wrong.cell):
                _, foreseen = self._pack.judge(game.state, wrong)
                if foreseen.problems:
                    return wrong
        return None

    def _finish_what_was_begun(self) -> bool:
        """The diary is ahead of the table by at most one deed."""
        meant, stands = self.games[-1].verdict.table, self._table.position
        for cell in {*meant, *stands}:
            if meant.get(cell) != stands.get(cell):
                if cell in stands:
                    self._table.take(cell)
                if cell in meant:
                    self._table.put(meant[cell], cell)
                return True
        return False

    def _do(self, event: Event) -> Command | None:
        """Do it, or say it."""
        match event:
            case Placed(cell, piece):
                self._table.put(piece, cell)
            case Taken(cell):
                self._table.take(cell)
            case Passed():
                return Pass()
            case TurnEnded():
                return EndTurn()
        return None

    def _answer(self, listing: Listing) -> Command | None:
        for number, option in enumerate(listing.options):
            if self._is_true(option):
                return AnswerOption(number)
        return None

    def _is_true(self, option: Option) -> bool:
        match option:
            case Holds(cell, piece):
                return self._table.position.get(cell) == piece
            case Happened(events):
                return bool(self.games) and self._happened(events)
            case Answer.YES:  # the board was cleared because all is over
                return not self.games or self.games[-1].verdict.outcome is not None
        return False

    def _happened(self, events: tuple[Event, ...]) -> bool:
        """It leads to the game in the diary: in its order, or in one that makes no difference."""
        played = self.games[-1]
        if any(event not in played.log for event in events):
            return False
        log = [event for event in played.log if event not in events]
        told = Game.replay(self._pack, played.settings, [*log, *events]).verdict
        meant = played.verdict
        return (
            told.table == meant.table
            and told.dues == meant.dues
            and told.problems == meant.problems
            and set(told.account) == set(meant.account)
        )

    def _write(self, line: Mapping[str, object]) -> None:
        with self._diary.open("a", encoding="utf-8") as diary:
            diary.write(json.dumps(line) + "\n")
        self._take_down(line)

    def _take_down(self, line: Mapping[str, Any]) -> None:
        if "begin" in line:
            self.games.append(Game(self._pack, line["begin"]))
        else:
            self.games[-1].tell(parse_event(self._pack, line))


def _pick(setting: Setting, chance: np.random.Generator) -> str:
    """So many of the choices, in any order."""
    count = int(chance.integers(setting.least, setting.most + 1))
    return " ".join(str(word) for word in chance.permutation(setting.choices)[:count])


def _free_cells(board: Position) -> list[Cell]:
    files, ranks = board.files, board.ranks
    return [c for c in ALL_CELLS if c not in board and c.file < files and c.rank < ranks]


def is_going_on(snapshot: Snapshot) -> bool:
    """As far as the device knows, a game has begun and is not over."""
    return snapshot.verdict.ply > 0 and snapshot.verdict.outcome is None
