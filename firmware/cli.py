"""The command `parkwarden`: what a person or a program types.

Each command imports what it needs when it runs, so that `--help` answers at once on a Pi.
Exit codes: 0 done, 1 not as hoped (a photo shows no board, a part has failed, no calibration was
kept), 2 the call or the input makes no sense (the message says what and where).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from rules.errors import ParkwardenError

if TYPE_CHECKING:
    from firmware.config import Config
    from rules.game import Game

NO_BOARD: Final = 1
MISUSE: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


class BadCall(ParkwardenError, ValueError):
    """Words on the command line that do not go together."""


def main(argv: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    arguments = _parser().parse_args(words)
    arguments.words = words[1:]
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

    run = commands.add_parser(
        "run",
        help="switch the device on: with the parts of this Pi, or above a simulated table",
    )
    run.add_argument("--port", type=int, help="of the page, instead of the config's")
    run.add_argument("--demo", action="store_true", help="simulated players play")
    run.add_argument("--fast", action="store_true", help="with --demo: as fast as it goes")
    run.add_argument("--games", type=int, metavar="N", help="with --demo: stop after N games")
    run.add_argument("--seed", type=int, default=1, help="with --demo: which games are played")
    run.add_argument("--no-browser", action="store_true", help="only print the page's address")
    run.add_argument("--plugged-in", action="store_true", help=argparse.SUPPRESS)
    run.add_argument("--go-on", action="store_true", help=argparse.SUPPRESS)
    _add_device(run)
    run.set_defaults(command=_run)

    doctor = commands.add_parser(
        "doctor",
        help="try every part, with you where it takes a person; a page for a bug report",
    )
    doctor.add_argument("--json", action="store_true", help="for programs: one object")
    doctor.add_argument("--yes", action="store_true", help="ask nothing: nobody is looking")
    doctor.add_argument("--simulated", action="store_true", help="try simulated parts instead")
    doctor.add_argument(
        "--picture", type=Path, metavar="OUT.jpg", help="save the camera's picture with what it saw"
    )
    _add_device(doctor)
    doctor.set_defaults(command=_doctor)

    calibrate = commands.add_parser(
        "calibrate",
        help="get to know this table: guided on the display, the page and here; never needed",
        description="Not while the device runs: it needs the camera. Nothing is kept until you say"
        " so; the device uses it from its next start on.",
    )
    calibrate.add_argument(
        "--table", metavar="NAME", help="what to call it, where there are several (default: home)"
    )
    calibrate.add_argument(
        "--use", metavar="NAME", help="calibrate nothing: use this table again, or none"
    )
    _add_device(calibrate)
    calibrate.set_defaults(command=_calibrate)

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
    replay.add_argument(
        "file", nargs="?", help="the record; - is standard input; none is the game's own example"
    )
    _add_game(replay)
    replay.set_defaults(command=_replay)

    paper = commands.add_parser(
        "print",
        help="make a PDF in true scale: corner markers, a board, its track, pieces to fold",
        description="Print it at 100 % (actual size) and hold a ruler against the one on the page.",
    )
    paper.add_argument("what", choices=["markers", "board", "pieces", "track"])
    paper.add_argument("--paper", choices=["a4", "letter"], default="a4", help="(%(default)s)")
    paper.add_argument("--out", type=Path, metavar="OUT.pdf", help="default: GAME-WHAT-PAPER.pdf")
    paper.add_argument("--chequered", action="store_true", help="a board of light and dark cells")
    _add_game(paper)
    _add_settings(paper)
    paper.set_defaults(command=_print)
    return parser


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default="masterplan", help="which game (default: %(default)s)")


def _add_device(parser: argparse.ArgumentParser) -> None:
    """For commands about this device, which know the game on its table unless they are told."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a config file (TOML)")
    parser.add_argument("--state", metavar="FOLDER", help="where games are kept")
    parser.add_argument("--game", help="which game (default: the one that is going on)")
    _add_settings(parser)


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
    _need_opencv()
    from firmware.commands import NewGame
    from firmware.running import Wishes, run

    config = _config(arguments)
    if arguments.port is not None:
        config = replace(config, web=replace(config.web, port=arguments.port))
    has_said = (arguments.game or arguments.set) and not arguments.go_on
    game = _said_game(arguments, config) if has_said else None  # or it is said at once why not
    if arguments.game is not None:
        config = replace(config, game=replace(config.game, name=arguments.game))
    wishes = Wishes(
        game=NewGame(dict(arguments.set), game.box.game) if game else None,
        demo=arguments.demo,
        fast=arguments.fast,
        games=arguments.games,
        seed=arguments.seed,
        open_browser=not arguments.no_browser,
        plugged_in=arguments.plugged_in,
    )
    return run(config, wishes, arguments.words, sys.stdout)


def _doctor(arguments: argparse.Namespace) -> int:
    _need_opencv()
    from firmware.bedside import Asked
    from firmware.config import find_state_dir
    from firmware.doctor import all_simulated, doctor, find_patient

    config = _config(arguments)
    if arguments.simulated:
        config = all_simulated(config)
    asks = sys.stdin.isatty() and not arguments.yes
    return doctor(
        find_patient(
            config,
            find_state_dir(config, os.environ),
            Path.home(),
            _said_game(arguments, config),
        ),
        Asked(sys.stdin, sys.stderr) if asks else None,
        sys.stdout,
        as_json=arguments.json,
        picture=arguments.picture,
    )


def _calibrate(arguments: argparse.Namespace) -> int:
    _need_opencv()
    from firmware.calibrate import calibrate
    from firmware.config import find_state_dir
    from firmware.tables import FIRST_TABLE, Tables

    config = _config(arguments)
    state_dir = find_state_dir(config, os.environ)
    game = _said_game(arguments, config)
    if arguments.use is not None:
        Tables(state_dir, game.box).use(arguments.use)
        return 0
    table, terminal = arguments.table or FIRST_TABLE, sys.stdin if sys.stdin.isatty() else None
    return calibrate(config, state_dir, table, sys.stdout, terminal=terminal, game=game)


def _config(arguments: argparse.Namespace) -> Config:
    from firmware.config import load_config

    config = load_config(arguments.config)
    return config if arguments.state is None else replace(config, state_dir=arguments.state)


def _said_game(arguments: argparse.Namespace, config: Config) -> Game[Any]:
    """The game of `--game` and `--set`, else the one that is going on, or would be begun."""
    from firmware.choosing import said_game
    from firmware.config import find_state_dir

    database = find_state_dir(config, os.environ) / "games.db"
    return said_game(database, config.game.name, arguments.game, dict(arguments.set))


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
    from rules.pack import boards_of, choose_settings
    from rules.packs import load_pack

    if arguments.picture and len(arguments.photo) > 1:
        raise BadCall("--picture draws over one photo: give it one at a time")
    pack = load_pack(arguments.game)
    box, boards = pack.box, boards_of(pack)
    if arguments.set or not box.board.borrowed:
        box, boards = pack.box_for(choose_settings(pack.settings, dict(arguments.set))), ()
    found = read_photos(box, arguments.photo, sys.stdout, arguments.json, arguments.picture, boards)
    return 0 if found else NO_BOARD


def _watch(arguments: argparse.Namespace) -> int:
    _need_opencv()
    from firmware.seeing import watch_recording
    from rules.game import Game
    from rules.packs import load_pack

    game = Game(load_pack(arguments.game), dict(arguments.set))
    watch_recording(game, arguments.recording, sys.stdout, sys.stderr, arguments.json)
    return 0


def _print(arguments: argparse.Namespace) -> int:
    _need_opencv()
    if find_spec("fpdf") is None:
        raise BadCall("fpdf2 is not installed, which writes PDF: pip install 'parkwarden[print]'")
    from firmware.paper import Paper, Print, print_for
    from rules.game import Game
    from rules.packs import load_pack

    box = Game(load_pack(arguments.game), dict(arguments.set)).box
    what, paper = Print(arguments.what), Paper(arguments.paper)
    sys.stdout.write(print_for(box, what, paper, arguments.out, chequered=arguments.chequered))
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

    pack = load_pack(arguments.game)
    example = resources.files(type(pack).__module__).joinpath("games", "figures.txt")
    with _open(arguments.file) if arguments.file else example.open("rb") as stream:
        data = stream.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadRecord(line, 1, "bytes that are not UTF-8", "a written game") from None
    replay_text(text, pack, sys.stdout)
    return 0


def _open(name: str) -> BinaryIO:
    return sys.stdin.buffer if name == "-" else Path(name).open("rb")


if __name__ == "__main__":
    sys.exit(main())
