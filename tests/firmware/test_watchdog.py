"""systemd hears that we get on as long as we do, and nothing when anything hangs."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.config import Config
from firmware.device import Device
from firmware.parts import Clock
from firmware.session import Session
from firmware.simulated.camera import SimulatedCamera
from firmware.snapshot import Failure, Part, Seeing, Snapshot
from firmware.watchdog import STATUS_S, Watchdog, find_watchdog, status_line
from tests.firmware.snapshots import OPENING, snapshot
from vision.frame import Frame

SMALL_WH = (320, 240)
EVERY_S = 0.02
LONG_S = 0.6
"""Long enough for several signs of life, if there were any."""


class Systemd:
    """The other end of the socket: what we told, in its order."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address.replace("@", "\0", 1))
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        told: list[str] = []
        with suppress(BlockingIOError):
            while True:
                told.append(self._socket.recv(4096).decode())
        return told

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    systemd = Systemd(str(tmp_path / "notify"))
    yield systemd
    systemd.close()


def _wait_for_signs(systemd: Systemd, count: int) -> None:
    until_s = time.monotonic() + 20
    while count > 0:
        assert time.monotonic() < until_s, "no signs of life"
        count -= sum(told.startswith("WATCHDOG=1") for told in systemd.heard())
        time.sleep(0.01)


class StandIn:
    """A device whose looks are given by hand."""

    def __init__(self) -> None:
        self.looks = 0
        self._looked = asyncio.Event()

    async def looked(self, count: int) -> None:
        while self.looks < count:
            await self._looked.wait()

    def snapshot(self) -> Snapshot:
        return snapshot(OPENING)

    def look(self) -> None:
        self.looks += 1
        self._looked.set()
        self._looked = asyncio.Event()


def test_a_device_that_nobody_started_for_systemd_tells_nobody() -> None:
    assert find_watchdog({}) is None
    assert find_watchdog({"NOTIFY_SOCKET": ""}) is None


def test_without_a_limit_the_status_is_told_all_the_same() -> None:
    assert find_watchdog({"NOTIFY_SOCKET": "@here"}) == Watchdog("@here", STATUS_S)


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_a_line_arrives_at_either_kind_of_address(kind: str, tmp_path: Path) -> None:
    systemd = Systemd(str(tmp_path / "n") if kind == "path" else f"@parkwarden-{os.getpid()}")
    try:
        Watchdog(systemd.address).tell("READY=1", "STATUS=fine")
        assert systemd.heard() == ["READY=1\nSTATUS=fine"]
    finally:
        systemd.close()


def test_a_systemd_that_is_gone_or_does_not_listen_is_nobodys_trouble(systemd: Systemd) -> None:
    Watchdog("/nowhere/notify").tell("WATCHDOG=1")
    watchdog, started_s = Watchdog(systemd.address), time.monotonic()
    for _ in range(2000):  # more than any socket queues
        watchdog.tell("WATCHDOG=1")
    assert time.monotonic() - started_s < LONG_S
    assert 0 < len(systemd.heard()) < 2000


def test_ready_is_told_with_the_first_look_and_life_only_with_new_ones(systemd: Systemd) -> None:
    async def scene() -> None:
        device = StandIn()
        watching = asyncio.create_task(Watchdog(systemd.address, EVERY_S).watch(device))
        await asyncio.sleep(4 * EVERY_S)
        assert systemd.heard() == []

        device.look()
        await asyncio.sleep(4 * EVERY_S)
        (ready,) = systemd.heard()
        assert ready.startswith("READY=1\nSTATUS=")

        for _ in range(3):
            device.look()
            await asyncio.sleep(4 * EVERY_S)
            assert [told.partition("\n")[0] for told in systemd.heard()] == ["WATCHDOG=1"]

        await asyncio.sleep(4 * EVERY_S)
        assert systemd.heard() == []
        watching.cancel()

    asyncio.run(scene())


class Hang:
    """Something that works until it is told to hang, and then hangs until it is let go."""

    def __init__(self) -> None:
        self.on, self.hangs, self.let_go = False, threading.Event(), threading.Event()

    def __call__(self) -> None:
        if self.on:
            self.hangs.set()
            self.let_go.wait(30)


def _eyes_hang(hang: Hang, monkeypatch: pytest.MonkeyPatch) -> None:
    read = SimulatedCamera.read

    def hanging(camera: SimulatedCamera) -> Frame:
        hang()
        return read(camera)

    monkeypatch.setattr(SimulatedCamera, "read", hanging)


def _session_hangs(hang: Hang, monkeypatch: pytest.MonkeyPatch) -> None:
    settle_up = Session._settle_up

    async def hanging(session: Session) -> None:
        await asyncio.to_thread(hang)
        await settle_up(session)

    monkeypatch.setattr(Session, "_settle_up", hanging)


def _loop_hangs(hang: Hang, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "_draw", lambda device, snapshot: hang())


@pytest.mark.parametrize("what_hangs", [_eyes_hang, _session_hangs, _loop_hangs])
def test_whatever_hangs_no_more_signs_of_life_are_given(
    what_hangs: Callable[[Hang, pytest.MonkeyPatch], None],
    systemd: Systemd,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hang = Hang()
    what_hangs(hang, monkeypatch)
    after_the_hang: list[str] = []

    def follow() -> None:
        """From a thread of its own, as systemd would: the loop may be what hangs."""
        _wait_for_signs(systemd, 2)
        hang.on = True
        assert hang.hangs.wait(20)
        time.sleep(0.2)  # what was on its way arrives
        systemd.heard()
        time.sleep(LONG_S)
        after_the_hang.extend(systemd.heard())
        hang.let_go.set()
        _wait_for_signs(systemd, 1)

    async def scene() -> None:
        device = Device(Config(), tmp_path, Clock(), hands=False, size_wh=SMALL_WH)
        try:
            await device.start()
            tasks = [
                asyncio.create_task(device.run()),
                asyncio.create_task(Watchdog(systemd.address, EVERY_S).watch(device)),
            ]
            await asyncio.to_thread(follow)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            hang.let_go.set()
            device.close()

    asyncio.run(scene())
    assert after_the_hang == []


def test_a_camera_that_fails_is_no_hang(systemd: Systemd, tmp_path: Path) -> None:
    async def scene() -> None:
        device = Device(Config(camera=f"folder:{tmp_path / 'none'}"), tmp_path, Clock())
        try:
            await device.start()
            tasks = [
                asyncio.create_task(device.run()),
                asyncio.create_task(Watchdog(systemd.address, EVERY_S).watch(device)),
            ]
            await asyncio.wait_for(device.looked(3), 20)
            await asyncio.sleep(3 * EVERY_S)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            device.close()

    asyncio.run(scene())
    told = systemd.heard()
    assert told[0].startswith("READY=1\n")
    assert any(line.startswith("WATCHDOG=1\n") for line in told)
    assert "camera missing" in told[-1]


def test_the_status_is_one_short_line() -> None:
    failing = replace(
        snapshot(OPENING),
        seeing=Seeing.BLIND,
        failures=(Failure(Part.CAMERA, "un\nplugged"), Failure(Part.OLED, "no-answer", "…")),
    )
    assert status_line(failing) == (
        "STATUS=game 7, move 4, yellow to play; blind; camera un plugged; oled no-answer"
    )


def test_the_command_tells_ready_and_stopping(systemd: Systemd, tmp_path: Path) -> None:
    words = ["run", "--plugged-in", "--no-browser", "--port", "0", "--state"]
    device = subprocess.Popen(
        [sys.executable, "-m", "firmware.cli", *words, str(tmp_path)],
        env={**os.environ, "NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "400000"},
        stdout=subprocess.DEVNULL,
    )
    told: list[str] = []
    try:
        until_s = time.monotonic() + 30
        while time.monotonic() < until_s and not any(t.startswith("WATCHDOG=1") for t in told):
            told += systemd.heard()
            time.sleep(0.05)
        device.send_signal(signal.SIGTERM)
        assert device.wait(20) == 0
    finally:
        device.kill()
    told += systemd.heard()
    first = [text.partition("\n")[0] for text in told]
    assert first[0] == "READY=1"
    assert "WATCHDOG=1" in first
    assert first[-1] == "STOPPING=1"
