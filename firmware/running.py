"""`parkwarden run`: the device is switched on, the page is served, until somebody stops it.

On a simulated table the device is a process of its own under `firmware.power`, so that its plug can
be pulled; `plugged_in` says that this is that process, or that there is nobody to pull the plug.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import webbrowser
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from firmware.commands import NewGame
from firmware.config import Config, find_state_dir, is_raspberry_pi
from firmware.device import Device
from firmware.parts import SIMULATED, Clock, choose_camera, fast_clock
from firmware.power import device_command, supervise
from firmware.serving import CannotListen, serve
from firmware.simulated.players import Players, is_going_on
from firmware.watchdog import find_watchdog
from rules.errors import ParkwardenError

MOST_PORTS: Final = 10
"""On a simulated table the port is a matter of taste: so many are tried."""
THINKING_FRAMES: Final = 8
"""From one deed of the simulated players to the next: time to be seen, and to be watched."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for on the command line, beside the config."""

    demo: bool = False
    """Simulated players play."""
    fast: bool = False
    """As fast as the frames can be made, with no hands in the picture."""
    games: int | None = None
    """Stop after so many games of the simulated players."""
    seed: int = 1
    game: NewGame | None = None
    """The game that is to be played, if it is not the one that is going on."""
    open_browser: bool = True
    plugged_in: bool = False


def run(config: Config, wishes: Wishes, arguments: list[str], out: TextIO) -> int:
    """`arguments` are those of this command, for the process that is the device."""
    is_simulated = choose_camera(config.camera, is_raspberry_pi()) == SIMULATED
    if is_simulated and not wishes.plugged_in:
        command = device_command(arguments)
        # Whatever was asked for is played by then, or the players have chosen otherwise since.
        return supervise(command, [*command, "--no-browser", "--go-on"])
    state_dir = find_state_dir(config, os.environ)
    if wishes.demo:
        state_dir = state_dir / "demo" / config.game.name  # a shelf's games are nobody's games
    with suppress(OSError):
        # Without it the games are only kept in memory, and the device says so.
        state_dir.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(stream=sys.stderr, format="%(name)s: %(message)s")
    return asyncio.run(_run(config, wishes, state_dir, out))


async def _run(config: Config, wishes: Wishes, state_dir: Path, out: TextIO) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    clock = fast_clock() if wishes.fast else Clock()
    watchdog = find_watchdog(os.environ)
    device = Device(
        config, state_dir, clock, seed=wishes.seed, hands=not wishes.fast, wanted=wishes.game
    )
    try:
        await device.start()
        async with AsyncExitStack() as stack:
            port = await _serve(stack, device, config)
            device.set_port(port)
            _welcome(device, port, wishes, out)
            tasks = [asyncio.create_task(device.run()), asyncio.create_task(stop.wait())]
            if watchdog is not None:
                tasks.append(asyncio.create_task(watchdog.watch(device)))
            if wishes.demo and device.simulation is not None:
                pack, diary = device.snapshot().game.pack, state_dir / "diary.jsonl"
                players = Players(device.simulation.table, pack, wishes.seed, diary)
                tasks.append(asyncio.create_task(play(device, players, wishes.games)))
            done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            for task in done:
                task.result()
    finally:
        if watchdog is not None:
            watchdog.stopping()
        device.close()
    return 0


async def _serve(stack: AsyncExitStack, device: Device, config: Config) -> int:
    web = config.web
    ports = range(web.port, web.port + (MOST_PORTS if device.simulation else 1))
    for port in ports:
        try:
            serving = serve(device, device.pairing, web.host, port, web.names)
            return await stack.enter_async_context(serving)
        except CannotListen:
            if port == ports[-1]:
                raise
    raise AssertionError("there is at least one port")


def _welcome(device: Device, port: int, wishes: Wishes, out: TextIO) -> None:
    if device.simulation is None:
        out.write(f"Parkwarden is on. Its page: {device.session.access.url}\n")
    else:
        link = f"http://127.0.0.1:{port}/J/{device.pairing.code}?to=table"
        out.write(f"Parkwarden is on, above a simulated table. Open {link}\n")
        has_screen = sys.platform == "darwin" or any(
            map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))
        )
        if wishes.open_browser and has_screen:
            webbrowser.open(link)
    out.flush()


async def play(device: Device, players: Players, games: int | None = None) -> None:
    """Let them play, a deed every few frames, until the device has judged so many games."""
    acted_at = device.looks
    while True:
        await device.looked(acted_at + THINKING_FRAMES)
        acted_at, snapshot = device.looks, device.snapshot()
        if games is not None and players.have_finished >= games and not is_going_on(snapshot):
            return
        command = players.act(snapshot)
        if command is not None:
            with suppress(ParkwardenError):
                await device.say(command)
