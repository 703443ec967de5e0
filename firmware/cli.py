"""The command `parkwarden`: what a person or a program types.

Each command imports what it needs when it runs, so that `--help` answers at once on a Pi.
Exit codes: 0 done, 1 a photo shows no board, 2 the call or the input makes no sense (the message
says what and where).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, Final

from rules.errors import ParkwardenError

NO_BOARD: Final = 1
MISUSE: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


class BadCall(ParkwardenError, ValueError):
    """Words on the command line that do not go together."""


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        exit_code: int = arguments.command(arguments)
        sys.stdout.flush()
    except (ParkwardenError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # Whoever read us has gone (`| head`): go quietly, also when Python closes stdout.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN_PIPE
        print(f"parkwarden {arguments.name}: {error}", file=sys.stderr)  # noqa: T201
        return MISUSE
    except KeyboardInterrupt:
        return INTERRUPTED
    return exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parkwarden",
        description="A referee above a real board game: what is due, what is forgotten, the score.",
    )
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="play the figure game of the rule sheet")
    run.set_defaults(command=_run)

    judge = commands.add_parser(
        "judge",
        help="judge placements from a file or a pipe, without a camera",
        description='One placement a line: {"house": "c4ne", "colour": "white"}, {"park": "d5"}, '
        '{"tower": "e5"}, {"take": "c4"}; the first line may hold settings: {"mode": "strict"}. '
        'Subdivision: {"players": ["red", "blue"]}, {"block": "a1"}, {"pass": "blue"}, '
        '{"place": "large", "cell": "c3", "colour": "red"}.',
    )
    judge.add_argument("file", nargs="?", default="-", help="the placements; - is standard input")
    judge.add_argument("--json", action="store_true", help="for programs: one event a line")
    _add_game(judge)
    _add_settings(judge)
    judge.set_defaults(command=_judge)

    read = commands.add_parser("read", help="tell what stands on the board in a photo")
    read.add_argument("photo", nargs="+", type=Path)
    read.add_argument("--json", action="store_true", help="for programs: one photo a line")
    read.add_argument(
        "--picture", type=Path, metavar="OUT.png", help="save the photo with what was seen drawn in"
    )
    _add_game(read)
    _add_settings(read)
    read.set_defaults(command=_read)

    watch = commands.add_parser("watch", help="referee a film, or a folder of photos")
    watch.add_argument("recording", type=Path, help="a film, or a folder of photos in name order")
    watch.add_argument("--json", action="store_true", help="for programs: one event a line")
    _add_game(watch)
    _add_settings(watch)
    watch.set_defaults(command=_watch)

    replay = commands.add_parser("replay", help="play a written game through the referee")
    replay.add_argument("file", help="the record; - is standard input")
    _add_game(replay)
    replay.set_defaults(command=_replay)
    return parser


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default="masterplan", help="which game (default: %(default)s)")


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_pair,
        metavar="KEY=VALUE",
        help="a setting of the game, such as mode=strict or 'players=red blue'",
    )


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected KEY=VALUE such as mode=strict")
    return key, value


def _run(arguments: argparse.Namespace) -> int:
    from firmware.judging import replay_text
    from rules.packs import masterplan

    figures = resources.files(masterplan).joinpath("games", "figures.txt")
    replay_text(figures.read_text(encoding="utf-8"), masterplan.PACK, sys.stdout)
    return 0


def _judge(arguments: argparse.Namespace) -> int:
    from firmware.judging import judge_stream
    from rules.game import Game
    from rules.packs import load_pack

    game = Game(load_pack(arguments.game), dict(arguments.set))
    with _open(arguments.file) as stream:
        judge_stream(game, stream, sys.stdout, sys.stderr, arguments.json)
    return 0


def _read(arguments: argparse.Namespace) -> int:
    _need_opencv()
    from firmware.seeing import read_photos
    from rules.pack import choose_settings
    from rules.packs import load_pack

    if arguments.picture and len(arguments.photo) > 1:
        raise BadCall("--picture draws over one photo: give it one at a time")
    pack = load_pack(arguments.game)
    box = pack.box_for(choose_settings(pack.settings, dict(arguments.set)))
    found = read_photos(box, arguments.photo, sys.stdout, arguments.json, arguments.picture)
    return 0 if found else NO_BOARD


def _watch(arguments: argparse.Namespace) -> int:
    _need_opencv()
    from firmware.seeing import watch_recording
    from rules.game import Game
    from rules.packs import load_pack

    game = Game(load_pack(arguments.game), dict(arguments.set))
    watch_recording(game, arguments.recording, sys.stdout, sys.stderr, arguments.json)
    return 0


def _need_opencv() -> None:
    if find_spec("cv2") is None:
        raise BadCall(
            "OpenCV is not installed. On a Raspberry Pi: sudo apt install python3-opencv; "
            "elsewhere: pip install 'parkwarden[cv]'"
        )


def _replay(arguments: argparse.Namespace) -> int:
    from firmware.judging import replay_text
    from rules.errors import BadRecord
    from rules.packs import load_pack

    with _open(arguments.file) as stream:
        data = stream.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadRecord(line, 1, "bytes that are not UTF-8", "a written game") from None
    replay_text(text, load_pack(arguments.game), sys.stdout)
    return 0


def _open(name: str) -> BinaryIO:
    return sys.stdin.buffer if name == "-" else Path(name).open("rb")


if __name__ == "__main__":
    sys.exit(main())
