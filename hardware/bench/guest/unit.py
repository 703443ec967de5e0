"""The real unit under the real systemd: it gets ready; hung, it is started anew with the same game.

First the unit as ./install writes it, above its simulated table (where the machine is emulated,
with the patience of slow.conf). Then with the demonstration in it (game.conf), which plays until
something has happened and is stopped in its tracks: SIGSTOP is a process that is there and does
nothing more. Its store is read from outside, by us.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Final

from report import row, say, wait_until

from firmware.store import Store

UNIT: Final = "parkwarden.service"
HERE: Final = Path(__file__).parent
DROP_INS: Final = Path("/run/systemd/system") / f"{UNIT}.d"
DEMO: Final = Path("/var/lib/parkwarden/demo")
EVENTS: Final = 2
READY_LIMIT_S, EVENTS_LIMIT_S, BITE_LIMIT_S = 400.0, 300.0, 300.0


def show(*names: str) -> dict[str, str]:
    told = subprocess.run(
        ["systemctl", "show", UNIT, *(f"--property={name}" for name in names)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return dict(line.split("=", 1) for line in told.splitlines())


def start() -> tuple[bool, float]:
    """Whether it got ready, and how long that took."""
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    started_s = time.monotonic()
    subprocess.run(["systemctl", "start", "--no-block", UNIT], check=True)
    wait_until(
        lambda: show("ActiveState")["ActiveState"] in ("active", "failed"), READY_LIMIT_S, 0.2
    )
    return show("ActiveState")["ActiveState"] == "active", time.monotonic() - started_s


def events() -> tuple[int, int]:
    """The game that goes on, and how many events of it are kept."""
    games = next(DEMO.rglob("games.db"), None)
    if games is None:
        return 0, 0
    store = Store.open(games)
    try:
        game = store.latest()
        return (game.number, game.events) if game else (0, 0)
    finally:
        store.close()


def main() -> None:
    is_ready, took_s = start()
    told = show("StatusText", "NRestarts", "Result")
    row(
        "unit: ready",
        "systemd hears READY, no restart",
        f"{took_s:.1f} s, {told['NRestarts']} restarts: {told['StatusText'] or told}",
        is_ready and told["NRestarts"] == "0",
    )
    stopped_s = time.monotonic()
    subprocess.run(["systemctl", "stop", UNIT], check=True)
    told = show("Result", "ExecMainStatus")
    say(log=journal())
    row(
        "unit: stop",
        "ends by itself when asked",
        f"{told['Result']} ({told['ExecMainStatus']}) after {time.monotonic() - stopped_s:.1f} s",
        told["Result"] == "success",
    )
    watchdog()


def journal() -> str:
    return subprocess.run(
        ["journalctl", "--unit", UNIT, "--output=cat", "--no-pager", "--lines=100"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def watchdog() -> None:
    shutil.copy(HERE / "game.conf", DROP_INS)
    is_ready, _ = start()
    wait_until(lambda: events()[1] >= EVENTS, EVENTS_LIMIT_S, 1.0)
    before = show("MainPID", "NRestarts", "WatchdogUSec")
    pid = int(before["MainPID"])
    if not is_ready or not pid:
        row("unit: hang", "the game is going on", f"not even that: {before}", False)
        return
    os.kill(pid, signal.SIGSTOP)
    kept = events()
    again_s = wait_until(
        lambda: (
            show("MainPID")["MainPID"] not in ("0", str(pid))
            and show("ActiveState")["ActiveState"] == "active"
        ),
        BITE_LIMIT_S,
        1.0,
    )
    after = show("NRestarts", "StatusText")
    log = journal()
    say(log=log)
    bitten = "Watchdog timeout" in log
    same = f"game {kept[0]}, " in after["StatusText"]
    row(
        "unit: hang",
        "watchdog, then the same game",
        f"stopped at game {kept[0]}, {kept[1]} events; watchdog {before['WatchdogUSec']}; "
        f"ready again after {again_s or -1:.0f} s: {after['StatusText']}",
        bitten and same and again_s is not None and events()[1] >= kept[1] >= EVENTS,
    )


if __name__ == "__main__":
    main()
