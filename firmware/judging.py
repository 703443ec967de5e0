"""`parkwarden judge` and `parkwarden replay`: games from text, judged without a camera.

Input comes as it comes: a pipe that stays open, half a line, another program's core dump. So it
is read line by line with a bound on the line, each line is answered before the next is read, and
the first one that makes no sense ends the run with its number. What was said before stays said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final, TextIO

from rules.errors import BadLine, ParkwardenError
from rules.events import Taken
from rules.game import Game
from rules.record import format_record, parse_record, play_record, write_record
from rules.verdict import Verdict
from rules.views import describe_misfit, draw_board, format_score
from rules.voice import Language
from rules.wire import format_statement, parse_line, parse_settings

LONGEST_LINE: Final = 64 * 1024
"""A placement takes 40 bytes; what is this long is no line of ours."""


def judge_stream(
    game: Game[Any], stream: BinaryIO, out: TextIO, warn: TextIO, as_json: bool
) -> None:
    """Every line of the stream through the referee; `BadLine` names the one it stumbles over.

    The first line may hold settings, which come before those of `game`.
    """
    is_first = True
    for number, text in _numbered_lines(stream):
        try:
            if is_first:
                is_first = False
                chosen = parse_settings(game.pack, text)
                if chosen is not None:
                    game = Game(game.pack, {**game.settings, **chosen})
                    continue
            event = parse_line(game.pack, text)
            before = game.verdict.table
            verdict = game.tell(event)
        except ParkwardenError as error:
            raise BadLine(f"line {number}: {error}") from None
        if isinstance(event, Taken) and not verdict.said and verdict.table == before:
            warn.write(f"line {number}: nothing stands on {event.cell}; going on\n")
        for line in answer(game, verdict, as_json):
            out.write(line + "\n")
        out.flush()
    if is_first:
        raise BadLine('line 1: the input is empty: expected a line such as {"take": "c4"}')
    if not as_json:
        out.write(summarise(game))


def replay_text(game_text: str, pack: Any, out: TextIO) -> None:
    """A written game, move by move, as the referee would have told it."""
    record = parse_record(game_text)
    played = play_record(pack, record)
    game = Game(pack, played.settings)
    for event in played.log:
        for line in answer(game, game.tell(event), as_json=False):
            out.write(line + "\n")
    out.write(summarise(game, record.headers))


def summarise(game: Game[Any], headers: Mapping[str, str] | None = None) -> str:
    """Board, score and record: what somebody wants to see who comes back to the table."""
    verdict = game.verdict
    voice = game.pack.voice(Language.EN)
    on_turn = f"{verdict.turn} is on turn" if verdict.turn else "no more moves to come"
    task = f"\n{voice.task(verdict.task, verdict.turn)}" if verdict.task else ""
    score = format_score(verdict.score, voice)
    record = format_record(write_record(game, headers))
    return f"\n{draw_board(verdict)}\n\nScore: {score}; {on_turn}.{task}\n\n{record}"


def answer(
    game: Game[Any], verdict: Verdict, as_json: bool, facts: Mapping[str, object] | None = None
) -> Iterator[str]:
    """What a verdict says, in lines for people or for programs; `facts` are added for programs."""
    for statement in verdict.said:
        if as_json:
            yield json.dumps({**format_statement(game.pack, statement), **(facts or {})})
        else:
            yield from game.pack.voice(Language.EN).describe(statement, verdict)
    if not as_json:
        yield from map(describe_misfit, verdict.misfits)


def _numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise BadLine(f"line {number}: longer than {LONGEST_LINE} bytes: expected one event")
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise BadLine(
                f"line {number}: byte {error.start + 1} is not UTF-8 text: expected JSON"
            ) from None
        if text.strip():
            yield number, text
