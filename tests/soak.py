"""`make soak`: games at full speed with everything going wrong, and each kept as it was played.

Most games are played in this one process, with `tests.mischief` around them: that shows whether
memory stays flat. In some of these the players are in haste, and do not look whether the device has
seen one thing before the next. The rest are played by `parkwarden run --demo --fast` as a process
of its own, which is killed at random moments and started again above the same table. At the end
every game in the store has to be, as written record, the one in the players' own diary; in haste,
but for the order of things that were laid unseen and that makes no difference.

Everything is decided by one seed but the threads: a run with the same seed meets the same troubles,
not in the very same frames.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from firmware.camera import SIZE_WH
from firmware.config import Config, GameConfig
from firmware.device import Device
from firmware.ledger import replay
from firmware.parts import fast_clock
from firmware.running import play
from firmware.simulated.players import Players
from firmware.store import Store
from rules.events import Passed, Placed
from rules.game import Game
from rules.pack import Pack
from rules.packs import PACKS, load_pack
from rules.record import format_record, write_record
from rules.wire import parse_event
from tests.mischief import Mischief

STALLED_FRAMES: Final = 1000
"""Players who have done nothing for so long are waiting for a device that waits for them."""
STALLED_S: Final = 120.0
MOST_DEEDS: Final = 12
"""After so many deeds of the players at the latest the power goes again."""
START_S: Final = 3.0
"""And now and then while the device is still starting, or looking around."""
KILLS_A_GAME: Final = 5
FLAT: Final = 1.10
"""How much more memory may be held at the end than after the first game."""


Look = Callable[[Game[Any]], object]
"""What of a game is compared."""


class Stalled(AssertionError):
    """Nothing goes on any more."""


@dataclass(slots=True)
class Run:
    """What one way of playing has led to."""

    name: str
    games: int
    seconds: float = 0.0
    done: Counter[str] = field(default_factory=Counter)
    held_mb: list[float] = field(default_factory=list)
    """Memory after each game."""
    faults: list[str] = field(default_factory=list)


def written(game: Game[Any]) -> str:
    """The record, to the letter."""
    return format_record(write_record(game))


def essence(game: Game[Any]) -> object:
    """The game, but for an order that nobody can know and that makes no difference to it.

    That is all there is to know where several things were laid while nobody could see.
    """
    moves = Counter(
        step.event
        for step in game.steps
        if isinstance(step.event, Passed)
        or (isinstance(step.event, Placed) and step.event.piece.colour)
    )
    verdict = game.verdict
    return moves, verdict.position, verdict.outcome, set(verdict.account), game.settings


def differences(folder: Path, game: str, look: Look = written) -> list[str]:
    """Where the store and the players' diary tell different games."""
    diary = read_diary(folder / "diary.jsonl", load_pack(game))
    played = [game for game in diary if game.log]
    store = Store.open(folder / "games.db")
    try:
        kept = [
            replay(card, [event for _, event in store.log(card.number)])[0]
            for card in store.games()
            if card.events
        ]
    finally:
        store.close()
    found = [] if len(kept) == len(played) else [f"{len(kept)} games kept of {len(played)}"]
    for number, (one, other) in enumerate(zip(kept, played, strict=False), 1):
        if look(one) != look(other):
            found.append(f"game {number}\nkept:\n{written(one)}\nplayed:\n{written(other)}")
    return found


def read_diary(path: Path, pack: Pack[Any]) -> list[Game[Any]]:
    games: list[Game[Any]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        if "begin" in told:
            games.append(Game(pack, told["begin"]))
        else:
            games[-1].tell(parse_event(pack, told))
    return games


async def endure(
    folder: Path,
    game: str,
    seed: int,
    games: int,
    size_wh: tuple[int, int] = SIZE_WH,
    *,
    in_haste: bool = False,
) -> Run:
    """So many games in this process, with mischief; what it did, and the memory held."""
    run, started_s = Run("in haste" if in_haste else "mischief", games), time.monotonic()
    config = Config(game=GameConfig(name=game))
    device = Device(config, folder, fast_clock(), seed=seed, hands=False, size_wh=size_wh)
    try:
        await device.start()
        table = device.table
        assert table is not None
        pack = device.snapshot().game.pack
        players = Players(table, pack, seed, folder / "diary.jsonl", in_haste=in_haste)
        mischief = Mischief(device, folder / "games.db", seed)
        run.done = mischief.done
        tasks = [
            asyncio.create_task(work)
            for work in (
                play(device, players, games),
                device.run(),
                mischief.run(),
                _watch(device, players, run),
            )
        ]
        done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if tasks[0] in done:
            run.held_mb.append(await held_mb(device))
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        for task in done:
            task.result()
    finally:
        device.close()
    run.seconds = time.monotonic() - started_s
    run.faults += differences(folder, game, essence if in_haste else written)
    return run


async def _watch(device: Device, players: Players, run: Run) -> None:
    """Note the memory after each game, and raise `Stalled` where nothing goes on."""
    before, since = -1, 0
    while True:
        await device.looked(device.looks + 1)
        done = sum(len(game.log) for game in players.games)
        if done != before:
            before, since = done, device.looks
        if device.looks - since > STALLED_FRAMES:
            raise Stalled(_describe(device, players))
        if players.have_finished > len(run.held_mb):
            run.held_mb.append(await held_mb(device))
            print(f"{run.name}: game {players.have_finished}, {run.held_mb[-1]:.0f} MB", flush=True)


def _describe(device: Device, players: Players) -> str:
    snapshot, session, settle = device.snapshot(), device.session, device.eyes.watcher.settle
    lines: dict[str, object] = {
        "seeing": snapshot.seeing,
        "dialog": snapshot.dialog,
        "alarm": snapshot.alarm,
        "failures": snapshot.failures,
        "unsure": snapshot.unsure,
        "hidden": snapshot.hidden,
        "unclear": session._unclear,
        "waits for": session._waiting_for,
        "brushed aside": session._conversation.questions._snoozed,
        "doubts": {cell: doubt.likely() for cell, doubt in settle.doubts.items()},
        "pending": settle.pending,
        "to be judged": [table.position for table in session._referee._tables],
        "seen": settle.known,
        "judged": snapshot.record,
        "played": written(players.games[-1]) if players.games else "",
    }
    return "\n".join(f"{name}: {value}" for name, value in lines.items())


async def held_mb(device: Device) -> float:
    """The memory this process holds: the least of a few frames, as making one takes some."""
    pages = []
    for _ in range(8):
        await device.looked(device.looks + 1)
        gc.collect()
        pages.append(int(Path("/proc/self/statm").read_text().split()[1]))
    return min(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def survive(folder: Path, game: str, seed: int, games: int, most_deeds: int = MOST_DEEDS) -> Run:
    """So many games by a process that is killed again and again."""
    run, started_s = Run("power cuts", games), time.monotonic()
    words = f"run --demo --fast --no-browser --plugged-in --port 0 --seed {seed} --games {games}"
    words += f" --game {game}"
    command = [sys.executable, "-m", "firmware.cli", *words.split(), "--state", str(folder)]
    diary, chance = folder / "demo" / game / "diary.jsonl", random.Random(seed)
    while True:
        deeds = chance.randint(1, most_deeds) if chance.random() < 0.8 else 0
        moment_s = chance.uniform(0, 0.5 if deeds else START_S)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as device:
            exit_code = _wait(device, diary, deeds, moment_s)
            if exit_code is not None:
                break
            device.kill()
        run.done["kill"] += 1
    print(f"{run.name}: killed {run.done['kill']} times in {games} games", flush=True)
    if exit_code:
        run.faults.append(f"the device ended with {exit_code}")
    run.seconds = time.monotonic() - started_s
    run.faults += differences(diary.parent, game)
    return run


def _wait(device: subprocess.Popen[bytes], diary: Path, deeds: int, moment_s: float) -> int | None:
    """Until the players have done so much, and a moment longer; the exit code if it ended."""
    wanted, done, since_s = _lines(diary) + deeds, -1, 0.0
    while (lines := _lines(diary)) < wanted:
        if device.poll() is not None:
            return device.returncode
        if lines != done:
            done, since_s = lines, time.monotonic()
        if time.monotonic() - since_s > STALLED_S:
            device.kill()
            raise Stalled(f"nothing was done for {STALLED_S} s after {lines} lines of {diary}")
        time.sleep(0.005)
    with suppress(subprocess.TimeoutExpired):
        return device.wait(moment_s)
    return None


def _lines(diary: Path) -> int:
    return diary.read_bytes().count(b"\n") if diary.exists() else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="play games with everything going wrong")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--game", choices=PACKS, default=GameConfig().name)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    game, games, seed = arguments.game, max(arguments.games, 4), arguments.seed
    killed, hurried = games * 3 // 10, games // 4
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder, name) for name in ("mischief", "haste", "cuts")]
        for place in places:
            place.mkdir()
        runs = [
            asyncio.run(endure(places[0], game, seed, games - killed - hurried)),
            asyncio.run(endure(places[1], game, seed + 1, hurried, in_haste=True)),
            survive(places[2], game, seed + 2, killed),
        ]
    _check(runs)
    _show(runs)
    return 1 if any(run.faults for run in runs) else 0


def _check(runs: list[Run]) -> None:
    """The bounds of a whole soak, beside that every game is the one that was played."""
    long, _, cut = runs
    if long.held_mb[-1] > FLAT * long.held_mb[0]:
        long.faults.append("more memory is held at the end than after the first game")
    if cut.done["kill"] < KILLS_A_GAME * cut.games:
        cut.faults.append(f"killed only {cut.done['kill']} times")


def _show(runs: list[Run]) -> None:
    print(f"{'':12}{'games':>7}{'seconds':>9}{'MB':>12}{'faults':>8}  what was done")
    for run in runs:
        done = ", ".join(f"{name} {count}" for name, count in sorted(run.done.items()))
        held = f"{run.held_mb[0]:.0f} … {run.held_mb[-1]:.0f}" if run.held_mb else ""
        print(f"{run.name:12}{run.games:7}{run.seconds:9.0f}{held:>12}{len(run.faults):8}  {done}")
    for run in runs:
        for fault in run.faults:
            print(f"{run.name}: {fault}")


if __name__ == "__main__":
    sys.exit(main())
