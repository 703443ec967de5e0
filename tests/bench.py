"""`make bench`: how fast the rules are, as ratios in one run, because machines are noisy.

The yardsticks are the slow twin of the rules in `tests.oracle`, and random games of chess in
python-chess, a well-made library that lists legal moves and plays them as we do.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rules.board import Anchor
from rules.events import Placed
from rules.packs.masterplan.judge import judge
from rules.packs.masterplan.state import State, legal_moves
from tests.oracle import Oracle

SECONDS_EACH: Final = 4.0
ANCHORS: Final = tuple(Anchor)
PARTS: Final = 5


def play_core(dice: random.Random) -> tuple[int, int]:
    """One complete random game: (moves, judged events)."""
    state, events = State(), 0
    while state.turn is not None:
        state, verdict = judge(state, dice.choice(legal_moves(state)))
        events += 1
        while verdict.dues:
            due = verdict.dues[0]
            state, verdict = judge(state, Placed(due.cell, due.piece))
            events += 1
    assert state.outcome is not None
    return state.ply, events


def play_oracle(dice: random.Random) -> tuple[int, int]:
    oracle, events = Oracle(), 0
    while oracle.turn is not None:
        moves = [(cell, anchor) for cell in oracle.legal_cells() for anchor in ANCHORS]
        cell, anchor = dice.choice(moves)
        oracle.feed({"house": f"{cell}{anchor}", "colour": oracle.turn})
        events += 1
        while oracle.due:
            due = min(oracle.due)
            oracle.feed({oracle.due[due].kind: due})
            events += 1
    assert oracle.over
    return oracle.ply, events


def play_chess(dice: random.Random) -> tuple[int, int]:
    import chess

    board, moves = chess.Board(), 0
    while not board.is_game_over():
        board.push(dice.choice(list(board.legal_moves)))
        moves += 1
    return moves, moves


class Pace:
    """What a player of random games has done so far."""

    def __init__(self, play: Callable[[random.Random], tuple[int, int]]) -> None:
        self.play = play
        self.games = self.moves = self.events = 0
        self.seconds = 0.0

    def go_on(self, seconds: float, dice: random.Random) -> None:
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            moves, events = self.play(dice)
            self.games += 1
            self.moves += moves
            self.events += events
        self.seconds += time.perf_counter() - start

    @property
    def games_per_s(self) -> float:
        return self.games / self.seconds

    @property
    def us_per_move(self) -> float:
        return 1e6 * self.seconds / self.moves


def time_command(arguments: list[str], runs: int = 5) -> float:
    """The median time of a whole command, start-up and all."""
    spent = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(arguments, check=True, capture_output=True)
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)


def write_events(path: Path, count: int) -> None:
    """So many events of one game that never gets far: every house is taken off and put back."""
    lines: list[dict[str, str]] = [{"house": "c4ne", "colour": "white"}]
    while len(lines) < count:
        lines += [{"take": "c4"}, lines[0], {"house": "e6n", "colour": "white"}, {"take": "e6"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines[:count]))


def main() -> None:
    dice = random.Random(1)
    core, oracle, chess = Pace(play_core), Pace(play_oracle), Pace(play_chess)
    for _ in range(PARTS):  # in turns, so that a busy moment of the machine hits all alike
        for pace in (core, oracle, chess):
            pace.go_on(SECONDS_EACH / PARTS, dice)
    print(f"{'complete random games':34}{'games/s':>10}{'µs/move':>10}")
    for name, pace in (("rules core", core), ("slow oracle", oracle), ("python-chess", chess)):
        print(f"  {name:32}{pace.games_per_s:10.1f}{pace.us_per_move:10.1f}")
    judged_us = 1e6 * core.seconds / core.events
    print(
        f"core against oracle, games/s      {core.games_per_s / oracle.games_per_s:9.1f}×  (≥ 20)"
    )
    ratio = chess.us_per_move / core.us_per_move
    print(f"core against python-chess, a move {ratio:9.1f}×  (> 1)")
    print(f"one event with its verdict        {judged_us:9.1f} µs (< 50; move listing included)")
    parkwarden = [sys.executable, "-m", "firmware.cli"]
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder, "events.jsonl")
        write_events(events, 10_000)
        judging = time_command([*parkwarden, "judge", "--json", str(events)])
    print(f"judge --json, 10,000 events       {judging:9.2f} s  (< 2)")
    print(
        f"parkwarden --help                 {time_command([*parkwarden, '--help']):9.2f} s  (< 0.3)"
    )


if __name__ == "__main__":
    main()
