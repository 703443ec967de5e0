"""The plug of a simulated device: pulled, put in again, and signals that pass through."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firmware import power
from firmware.power import device_command, supervise

DIES_TWICE = """
import os, pathlib, signal, sys
lives = pathlib.Path(sys.argv[1])
with lives.open("a") as file:
    file.write(" ".join(sys.argv[2:]) + "\\n")
if len(lives.read_text().splitlines()) < 3:
    os.kill(os.getpid(), signal.SIGKILL)
sys.exit(7)
"""
OBEYS = """
import pathlib, signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
signal.signal(signal.SIGINT, lambda *_: sys.exit(4))
pathlib.Path(sys.argv[1]).touch()
while True:
    signal.pause()
"""
SUPERVISES = """
import sys
from firmware.power import supervise
sys.exit(supervise(sys.argv[1:], sys.argv[1:]))
"""


def program(source: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", source, *arguments]


def test_the_exit_code_of_the_device_is_the_exit_code() -> None:
    assert supervise(program("import sys; sys.exit(5)"), ["never"]) == 5


def test_a_device_whose_plug_was_pulled_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power, "OFF_S", 0.01)
    lives = tmp_path / "lives"
    command = program(DIES_TWICE, str(lives))
    assert supervise([*command, "first"], [*command, "again"]) == 7
    assert lives.read_text().split() == ["first", "again", "again"]


def test_handlers_are_as_before_when_the_device_has_ended() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    supervise(program(""), ["never"])
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGTERM, 3), (signal.SIGINT, 4)])
def test_signals_are_passed_on(tmp_path: Path, number: signal.Signals, exit_code: int) -> None:
    ready = tmp_path / "ready"
    with subprocess.Popen(program(SUPERVISES, *program(OBEYS, str(ready)))) as supervisor:
        until_s = time.monotonic() + 20
        while not ready.exists():
            assert time.monotonic() < until_s
            time.sleep(0.01)
        supervisor.send_signal(number)
        assert supervisor.wait(20) == exit_code


def test_the_device_is_this_very_program() -> None:
    command = device_command(["--demo", "--fast"])
    assert command[0] == sys.executable
    assert command[-3:] == ["--demo", "--fast", "--plugged-in"]


def test_pulling_the_plug_leaves_no_time_for_anything() -> None:
    source = "import atexit; from firmware.power import pull; atexit.register(print, 'bye'); pull()"
    pulled = subprocess.run(program(source), capture_output=True, check=False)
    assert pulled.returncode == -signal.SIGKILL
    assert pulled.stdout == b""
