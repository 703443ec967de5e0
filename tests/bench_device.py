"""`make bench`, the third part: the whole device above a simulated table, against its goals.

Nothing is measured from inside: a frame's time is taken when the camera hands it out, and what is
shown when it is on the pins and on the display's wire. The simulated camera is no part of the
product, so what it takes is told apart. Watchers are another process, as phones are.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

from firmware.actions import Glow
from firmware.config import Config
from firmware.device import Device
from firmware.drawing import draw
from firmware.lights import lights_for
from firmware.parts import Clock
from firmware.screens import PHASE_S, screen_for
from firmware.serving import serve
from firmware.simulated.camera import SimulatedCamera
from firmware.snapshot import Snapshot
from rules.events import Placed
from vision.frame import Frame

CHANGES: Final = 24
IDLE_S: Final = 20.0
WATCHERS: Final = 50
STARTS: Final = 5
PICTURES: Final = Path(__file__).parent / "scenes" / "singles"

FIRST_SCREEN: Final = """
import os, sys, time
from firmware.simulated.display import DisplayWire
taken = DisplayWire.write_i2c_block_data
def take(wire, address, register, data):
    taken(wire, address, register, data)
    if any(wire.pixels()):
        print(time.monotonic(), flush=True)
        os._exit(0)
DisplayWire.write_i2c_block_data = take
from firmware.cli import main
main(sys.argv[1:])
"""
"""The program, and a hand that stops the clock at the first lit pixel."""

WATCH: Final = """
import asyncio, json, sys, time
async def watch(port, seen):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /api/live HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
    name = b""
    while line := await reader.readline():
        if line.startswith(b"event: "):
            name = line[7:].strip()
        if line.startswith(b"id: ") and name == b"state":
            seen.append((int(line[4:]), time.monotonic()))
async def main(port, count):
    seen = []
    tasks = [asyncio.create_task(watch(port, seen)) for _ in range(count)]
    await asyncio.sleep(1)
    print("watching", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps(seen), flush=True)
    for task in tasks:
        task.cancel()
asyncio.run(main(*map(int, sys.argv[1:])))
"""


class Stopwatch:
    """When the camera handed out its newest frame, and the time its making has taken so far."""

    def __init__(self) -> None:
        self.handed_s = 0.0
        self.made_s = 0.0
        self.frames = 0

    @contextmanager
    def on_camera(self) -> Iterator[None]:
        read = SimulatedCamera.read

        def timed(camera: SimulatedCamera) -> Frame:
            started_s = time.thread_time()
            frame = read(camera)
            self.made_s += time.thread_time() - started_s
            self.handed_s, self.frames = time.monotonic(), self.frames + 1
            return frame

        with patch.object(SimulatedCamera, "read", timed):
            yield


@asynccontextmanager
async def switched_on(folder: Path) -> AsyncIterator[tuple[Device, int]]:
    """A device with its page, and the page's port."""
    device = Device(Config(), folder, Clock(), hands=False)
    await device.start()
    running = asyncio.create_task(device.run())
    try:
        async with serve(device, device.pairing, "127.0.0.1", 0) as port:
            device.set_port(port)
            await device.looked(10)
            yield device, port
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        device.close()


async def change(device: Device) -> None:
    """Put up what is due, or the next house, and wait until that is judged."""
    table, verdict = device.table, device.snapshot().verdict
    assert table is not None
    if verdict.dues:
        wanted = Placed(verdict.dues[0].cell, verdict.dues[0].piece)
    else:
        wanted = device.session.game.pack.legal_moves(device.session.game.state)[-1]
    table.put(wanted.piece, wanted.cell)
    while device.snapshot().verdict.table.get(wanted.cell) != wanted.piece:
        await device.bell.wait(device.bell.rings)


async def until_shown(device: Device) -> None:
    """Until the wire and the pins are as the snapshot says; what blinks may be either."""
    drawn: tuple[Snapshot, int] | None = None
    screens: list[bytes] = []
    assert device.panel is not None
    while True:
        snapshot, phase = device.snapshot(), int(time.monotonic() / PHASE_S)
        if drawn != (snapshot, phase):
            drawn = snapshot, phase
            screens = [draw(screen_for(snapshot, p)).tobytes() for p in (phase - 1, phase)]
        lit, glows = device.panel.lit(), lights_for(snapshot)
        are_lit = all(g is Glow.BLINK or lit[led] == (g is Glow.ON) for led, g in glows.items())
        if are_lit and device.oled() in screens:
            return
        await asyncio.sleep(0.001)


async def measure_reaction(device: Device, watch: Stopwatch) -> list[float]:
    """Milliseconds from the frame that settles something to display and lights."""
    spent = []
    for _ in range(CHANGES):
        await change(device)
        handed_s = watch.handed_s
        await until_shown(device)
        spent.append(1000 * (time.monotonic() - handed_s))
    return spent


async def measure_idle(watch: Stopwatch) -> tuple[float, float]:
    """The share of one core that is used while nothing moves: by the device, by the camera."""
    await asyncio.sleep(3)
    used_s, made_s, started_s = time.process_time(), watch.made_s, time.monotonic()
    await asyncio.sleep(IDLE_S)
    spent_s = time.monotonic() - started_s
    made = (watch.made_s - made_s) / spent_s
    return (time.process_time() - used_s) / spent_s - made, made


async def measure_watchers(device: Device, port: int) -> tuple[list[float], float, float]:
    """Milliseconds from a snapshot to each watcher; frames a second without and with them."""
    made: dict[int, float] = {}

    def note(snapshot: Snapshot) -> None:
        made[snapshot.number] = time.monotonic()

    device.session.outputs.append(note)
    alone = await _frames_a_second(device)
    pipe = asyncio.subprocess.PIPE
    words = str(port), str(WATCHERS)
    watching = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WATCH, *words, stdin=pipe, stdout=pipe, limit=1 << 24
    )
    assert watching.stdin is not None
    assert watching.stdout is not None
    assert await watching.stdout.readline() == b"watching\n"
    made.clear()
    watched = await _frames_a_second(device)
    watching.stdin.close()
    seen: list[tuple[int, float]] = json.loads(await watching.stdout.readline())
    await watching.wait()
    late = [1000 * (seen_s - made[number]) for number, seen_s in seen if number in made]
    assert len(late) >= WATCHERS
    return late, alone, watched


async def _frames_a_second(device: Device) -> float:
    """While things are put up, one after the other."""
    looks, started_s = device.looks, time.monotonic()
    for _ in range(5):
        await change(device)
    return (device.looks - looks) / (time.monotonic() - started_s)


def measure_start() -> list[float]:
    """Seconds from the command to the first lit pixel."""
    spent = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:
            words = ["run", "--plugged-in", "--no-browser", "--port", "0", "--state", folder]
            started_s = time.monotonic()
            program = [sys.executable, "-c", FIRST_SCREEN, *words]
            told = subprocess.run(program, capture_output=True, check=True, text=True)
            spent.append(float(told.stdout.split()[-1]) - started_s)
    return spent


def measure_memory(camera: str, *words: str) -> float:
    """Megabytes resident after a while with this camera."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "parkwarden.toml")
        config.write_text(f"camera = {json.dumps(camera)}\noled = 'none'\npanel = 'none'\n")
        command = [sys.executable, "-m", "firmware.cli", "run", "--plugged-in", "--no-browser"]
        command += ["--port", "0", "--state", folder, "--config", str(config), *words]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as device:
            try:
                time.sleep(15)
                pages = int(Path(f"/proc/{device.pid}/statm").read_text().split()[1])
            finally:
                device.terminate()
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def show(name: str, goal: str, measured: str) -> None:
    print(f"{name:52}{goal:>10}   {measured}")


async def measure_running(show: Callable[[str, str, str], None]) -> None:
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as folder, watch.on_camera():
        async with switched_on(Path(folder)) as (device, port):
            idle, made = await measure_idle(watch)
            late = await measure_reaction(device, watch)
            seen, alone, watched = await measure_watchers(device, port)
    show("settled frame to display and lights", "≤ 100 ms", _spread(late, "ms"))
    beside = f"{idle:.1%} of a core, and {made:.1%} for the simulated camera"
    show("idle at 5 fps, 1280×960", "≤ 10 %", beside)
    show(f"live update to {WATCHERS} watchers", "< 150 ms", _spread(seen, "ms"))
    show("frames a second without and with them", "alike", f"{alone:.2f}, {watched:.2f}")


def _spread(values: list[float], unit: str) -> str:
    digits = 0 if unit == "ms" else 2
    middle, worst = statistics.median(values), max(values)
    return f"median {middle:.{digits}f} {unit}, worst {worst:.{digits}f} of {len(values)}"


def main() -> None:
    show("the whole device", "goal", "measured")
    asyncio.run(measure_running(show))
    show("start to first screen", "≤ 2 s", _spread(measure_start(), "s"))
    plain = measure_memory(f"folder:{PICTURES}")
    simulated = measure_memory("simulated", "--demo")
    show("resident memory", "≤ 250 MB", f"{plain:.0f} MB; {simulated:.0f} with a simulated table")


if __name__ == "__main__":
    main()
