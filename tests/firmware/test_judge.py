"""The command `parkwarden judge` as programs and people use it: in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

FIRST = b'{"house": "c4ne", "colour": "white"}\n'
FIGURE = FIRST + b'{"house": "e6n", "colour": "yellow"}\n{"house": "b3n", "colour": "white"}\n'


def parkwarden(
    arguments: Sequence[str], given: bytes = b"", timeout_s: float = 30
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "firmware.cli", *arguments]
    return subprocess.run(command, input=given, capture_output=True, timeout=timeout_s)


def events(output: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def test_events_come_in_the_shapes_of_the_contract() -> None:
    done = parkwarden(["judge", "--json"], FIGURE + b'{"park": "d5"}\n')
    assert (done.returncode, done.stderr) == (0, b"")
    assert events(done.stdout)[2:] == [
        {
            "event": "house",
            "ply": 3,
            "colour": "white",
            "cell": "b3",
            "anchor": "n",
            "due": {"parks": ["d5"], "towers": []},
        },
        {
            "event": "park",
            "cell": "d5",
            "forgotten": False,
            "gained": {"white": 2, "yellow": 1},
            "score": {"white": 2, "yellow": 1},
        },
    ]


def test_people_get_sentences_a_board_and_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(FIGURE)
    text = parkwarden(["judge", str(file)]).stdout.decode()
    assert "park due on d5: b3, c4 and e6 would be four in a row" in text
    assert "5  .   .   .  (p)  .   .   .   ." in text
    assert "1. c4ne  2. e6n  3. b3n" in text


def test_settings_are_taken_and_checked() -> None:
    strict = parkwarden(["judge", "--json", "--set", "mode=strict"], FIGURE)
    assert events(strict.stdout)[2]["due"] == {"parks": [], "towers": []}
    wrong = parkwarden(["judge", "--set", "mode=lazy", "--set", "colour=red"], FIGURE)
    assert wrong.returncode == 2
    assert b"assist or strict" in wrong.stderr
    assert b"no setting is called 'colour'" in wrong.stderr
    assert parkwarden(["judge", "--set", "mode"], FIGURE).returncode == 2
    assert b"there are: masterplan" in parkwarden(["judge", "--game", "go"], FIGURE).stderr


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b'{"house": "c4', "no JSON"),
        (b'{"park": "z9"}\n', "'z9' is no cell: expected a1 to h8"),
        (b'{"house": "c4x", "colour": "white"}\n', "'x' is no anchor: expected n ne e se"),
        (b'{"house": "c4n", "colour": "red"}\n', "'red' is no colour: expected white or yellow"),
        (b'{"house": "c4n"}\n', "expected {"),
        (b'{"house": 7, "colour": "white"}\n', "7 is no place for a house"),
        (b'{"castle": "c4"}\n', "got castle"),
        (b'{"take": ["c4"]}\n', "is no cell"),
        (b"[]\n", "got a list"),
        (b"12\n", "got a int"),
        (b"{}\n", "got none"),
        (b"\x00\xff\xfe\x80junk\n", "not UTF-8"),
        (b"\x00\x01\x02\n", "no JSON"),
        (b"[" * 60_000 + b"\n", "nested too deeply"),
        (b'{"take": ' + b"9" * 60_000 + b"}\n", "no JSON"),
        (b'{"undo": 9}\n', "there is no move 9"),
        (b'{"amend": 1, "event": {"undo": 1}}\n', "cannot stand in"),
    ],
)
def test_a_bad_line_is_named_and_what_came_before_stays(bad: bytes, message: str) -> None:
    done = parkwarden(["judge", "--json"], FIRST + b"\n" + bad + FIRST)
    error = done.stderr.decode()
    assert done.returncode == 2
    assert "line 3: " in error
    assert message in error
    assert "Traceback" not in error
    assert len(error) < 400
    assert [event["event"] for event in events(done.stdout)] == ["house"]


def test_an_empty_input_is_a_mistake() -> None:
    for empty in (b"", b"\n \n"):
        done = parkwarden(["judge", "--json"], empty)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"line 1: the input is empty" in done.stderr


def test_a_line_of_100_mb_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    with file.open("wb") as stream:
        stream.write(FIRST + b'{"take": "')
        for _ in range(100):
            stream.write(b"c" * 2**20)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (300 * 2**20,) * 2);"
        f"from firmware.cli import main; sys.exit(main(['judge', '--json', {str(file)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=30)
    assert done.returncode == 2
    assert b"line 2: longer than" in done.stderr
    assert len(events(done.stdout)) == 1


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.jsonl", tmp_path):
        done = parkwarden(["judge", str(path)])
        assert done.returncode == 2
        assert str(path).encode() in done.stderr
        assert b"Traceback" not in done.stderr


def test_taking_from_an_empty_cell_is_mentioned_and_goes_on() -> None:
    done = parkwarden(["judge", "--json"], b'{"take": "c4"}\n' + FIRST)
    assert done.returncode == 0
    assert b"line 1: nothing stands on c4" in done.stderr
    assert [event["event"] for event in events(done.stdout)] == ["house"]


def test_each_line_is_answered_before_the_next_comes() -> None:
    command = [sys.executable, "-m", "firmware.cli", "judge", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(FIRST)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["ply"] == 1
        process.stdin.close()
    assert process.returncode == 0


def test_a_reader_that_leaves_is_no_traceback() -> None:
    command = f"yes '{FIRST.decode().strip()}' | {sys.executable} -m firmware.cli judge | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=30)
    assert done.stdout == b"1. white c4ne\n"
    assert b"Traceback" not in done.stderr


def test_replay_of_nothing_is_the_figure_game() -> None:
    done = parkwarden(["replay"])
    assert done.returncode == 0
    assert b"Score: white 6, yellow 5; white is on turn." in done.stdout


def test_replay_plays_a_written_game_or_says_where_it_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text('[White "Anna"]\n\n1. c4ne  2. e6n\n')
    assert b'[White "Anna"]' in parkwarden(["replay", str(file)]).stdout
    file.write_text("1. c4ne\n2. e9n\n")
    wrong = parkwarden(["replay", str(file)])
    assert wrong.returncode == 2
    assert b"line 2, column 4: got 'e9n'" in wrong.stderr
    file.write_bytes(b"1. c4ne\n\xff\n")
    assert b"line 2" in parkwarden(["replay", str(file)]).stderr
