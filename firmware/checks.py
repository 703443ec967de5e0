"""What `parkwarden doctor` looks at, one small function a thing, each giving its `Finding`.

    ok           it does what it should, as far as can be told
    warning      it works, and something about it will be in the way
    failed       it is there, or the config says so, and it does not work: `advice` has what to do
    not-fitted   there is none: the config says so, or says "auto" and none was found
    not-asked    it obeys, but only a person could tell whether it does what it should

The machine is asked in files, and where those stand is handed in as a `Machine`: what a system does
not tell is left out, never an error. Nothing here writes but `check_disk`, one byte, taken back.
"""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import Final

import cv2
import numpy as np

MB: Final = 2**20
LEAST_DISK: Final = 20 * MB
LITTLE_DISK: Final = 500 * MB
"""A game takes a hundredth of a megabyte; but what else fills the card will go on doing so."""
LITTLE_MEMORY: Final = 100 * MB
HOT_C: Final = 80.0
"""From here on a Raspberry Pi slows itself down."""
SLOW_CLOCK_S: Final = 86_400.0
PATIENCE_S: Final = 5.0
_NOW, _BEFORE = 0, 16
"""Where the bits of what is and of what was since the start begin."""
_POWER: Final = {0: "under-voltage", 1: "clock capped", 2: "throttled", 3: "too hot"}
_LIBRARIES: Final = (
    *("gpiozero", "lgpio", "luma.oled", "picamera2", "pillow", "segno", "starlette", "uvicorn"),
)


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    NOT_FITTED = "not-fitted"
    NOT_ASKED = "not-asked"


@dataclass(frozen=True, slots=True)
class Finding:
    part: str
    state: State
    words: str
    """What was found, in one sentence without its full stop."""
    advice: str = ""
    """What to do about it."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """The numbers behind it, for programs."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a Linux machine tells about itself."""

    proc: Path = Path("/proc")
    sys: Path = Path("/sys")
    run: Path = Path("/run")
    etc: Path = Path("/etc")
    vcgencmd: str = "vcgencmd"
    """The command that asks a Pi's firmware, for kernels that do not."""


def check_disk(state_dir: Path, home: Path) -> Finding:
    """Can games be kept, and is there room for them?"""
    place = shorten(state_dir, home)
    nearest = next(path for path in (state_dir, *state_dir.parents) if path.exists())
    free = shutil.disk_usage(nearest).free
    facts = {"folder": place, "free_mb": free // MB}
    try:
        # Where nobody has played yet there is no folder, and none should come of looking.
        with tempfile.TemporaryFile(dir=nearest) as probe:
            probe.write(b"\n")
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        why = f"nothing can be written to {place} ({error.strerror})"
        advice = "check the card and who owns the folder; until then games are in memory only"
        return Finding("disk", State.FAILED, why, advice, facts)
    words = f"{free // MB} MB free for {place}"
    if free < LITTLE_DISK:
        state = State.FAILED if free < LEAST_DISK else State.WARNING
        return Finding("disk", state, words, "delete something, or take a larger card", facts)
    return Finding("disk", State.OK, words, facts=facts)


def check_games(database: Path) -> Finding:
    """The kept games, read only: putting them right is for the device itself."""
    if not database.exists():
        return Finding("games", State.OK, "none are kept yet", facts={"games": 0})
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as disk:
            (verdict,) = disk.execute("PRAGMA quick_check(1)").fetchone()
            (count,) = disk.execute("SELECT count(*) FROM games").fetchone()
    except sqlite3.Error as error:
        verdict, count = str(error), None
    facts = {"games": count, "check": verdict}
    if verdict != "ok":
        advice = f"the device sets {database.name} aside by itself and goes on; keep a copy of it"
        return Finding("games", State.WARNING, f"the file is damaged: {verdict}", advice, facts)
    return Finding("games", State.OK, f"{count} kept, and the file is sound", facts=facts)


def check_clock(now_s: float, machine: Machine) -> Finding:
    """A Pi has no battery: without a network it believes that it is long ago."""
    synchronised = (machine.run / "systemd/timesync/synchronized").exists()
    now = datetime.fromtimestamp(now_s, UTC)
    facts = {"utc": f"{now:%Y-%m-%dT%H:%M:%SZ}", "synchronised": synchronised}
    words = f"{now:%Y-%m-%d %H:%M} UTC{', set by the network' if synchronised else ''}"
    if now_s < Path(__file__).stat().st_mtime - SLOW_CLOCK_S:
        advice = "give it a network for a minute; games are kept all the same, with a wrong date"
        return Finding("clock", State.WARNING, f"{words}: before we were installed", advice, facts)
    return Finding("clock", State.OK, words, facts=facts)


def check_power(machine: Machine) -> Finding:
    """Under-voltage and throttling, as a Raspberry Pi's firmware tells them."""
    try:
        bits = int(_throttled(machine), 16)
    except ValueError:
        return Finding("power", State.NOT_FITTED, "this machine does not tell of its power")
    now = [word for bit, word in _POWER.items() if bits >> bit + _NOW & 1]
    before = [word for bit, word in _POWER.items() if bits >> bit + _BEFORE & 1]
    facts = {"throttled": f"0x{bits:x}", "now": now, "since_start": before}
    advice = "take the Pi's own power supply and a short cable; give it air"
    if now:
        return Finding("power", State.FAILED, f"{', '.join(now)} at this moment", advice, facts)
    if before:
        words = f"{', '.join(before)} since it was switched on"
        return Finding("power", State.WARNING, words, advice, facts)
    return Finding("power", State.OK, "enough, all the time since it was switched on", facts=facts)


def _throttled(machine: Machine) -> str:
    for told in machine.sys.glob("devices/platform/soc*/*/get_throttled"):
        return _read(told)
    with suppress(OSError, subprocess.SubprocessError):
        asked = [machine.vcgencmd, "get_throttled"]
        answer = subprocess.run(
            asked, capture_output=True, text=True, timeout=PATIENCE_S, check=True
        )
        return answer.stdout.partition("=")[2]
    return ""


def check_heat(machine: Machine) -> Finding:
    try:
        degrees = int(_read(machine.sys / "class/thermal/thermal_zone0/temp")) / 1000
    except ValueError:
        return Finding("heat", State.NOT_FITTED, "this machine does not tell its temperature")
    state = State.WARNING if degrees >= HOT_C else State.OK
    advice = "give it air, or a heat sink" if state is State.WARNING else ""
    return Finding("heat", state, f"{degrees:.0f} °C", advice, {"celsius": degrees})


def check_memory(machine: Machine) -> Finding:
    lines = (line.split() for line in _read(machine.proc / "meminfo").splitlines())
    sizes = {words[0].rstrip(":"): int(words[1]) * 1024 for words in lines if len(words) > 1}
    if "MemAvailable" not in sizes:
        return Finding("memory", State.NOT_FITTED, "this machine does not tell its memory")
    free, total = sizes["MemAvailable"], sizes.get("MemTotal", 0)
    facts = {"free_mb": free // MB, "total_mb": total // MB}
    words = f"{free // MB} of {total // MB} MB free"
    if free < LITTLE_MEMORY:
        advice = "stop what else runs on it; Lite without a desktop is enough for us"
        return Finding("memory", State.WARNING, words, advice, facts)
    return Finding("memory", State.OK, words, facts=facts)


def software() -> dict[str, str]:
    """The versions of everything we lean on; what is not installed is left out."""
    versions = {
        "parkwarden": metadata.version("parkwarden"),
        "python": platform.python_version(),
        "opencv": cv2.__version__,
        "numpy": np.__version__,
        "sqlite": sqlite3.sqlite_version,
    }
    for name in _LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def describe_machine(machine: Machine) -> dict[str, str]:
    """What it is and what runs on it; neither its name nor its addresses."""
    model = _read(machine.proc / "device-tree/model").strip("\0\n ")
    release = dict(
        line.split("=", 1) for line in _read(machine.etc / "os-release").splitlines() if "=" in line
    )
    return {
        "model": model or "no Raspberry Pi",
        "processor": platform.machine(),
        "system": release.get("PRETTY_NAME", platform.system()).strip('"'),
        "kernel": platform.release(),
    }


def shorten(path: Path, home: Path) -> str:
    """A path as one may show it to others.

    >>> shorten(Path("/home/jo/.local/state/parkwarden"), Path("/home/jo"))
    '~/.local/state/parkwarden'
    """
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _read(path: Path) -> str:
    """The text of a file; nothing where the system has no such thing."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
