"""Power cuts: a game is being played, the plug is pulled, and nothing that was shown is missing.

One game goes on over all cuts. The guest tells each event when it is shown; the host notes it, and
pulls the plug: every other time at the very moment something new is shown, which is when a device
that shows before it keeps would be caught, else between two things or at any moment at all. When
the machine is up again the guest tells what its store has kept, before it plays on. Everything
shown must be in it, in its place. It may hold one step more: kept, and cut before it was shown.

A check that cannot fail proves nothing, so there is a `careless` device as well, whose store does
not wait for the disk: of that one something has to be missing.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from machine import Disks, Machine

BOOT_LIMIT_S: Final = 240.0
MOMENTS: Final = ("shown", "shown", "between", "any")
"""When the plug is pulled: as something is shown, between two things, or at any moment at all."""
ON_S: Final = (0.0, 45.0)
"""At any moment: so long after the game was taken up."""
BETWEEN_S: Final = (0.0, 12.0)
"""Between two things: so long after the one; the next takes about as long."""
HASTE_S: Final = (0.0, 0.03)
LONGEST_S: Final = 120.0
"""So long something new is waited for."""
POLL_S: Final = 0.01

Event = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """What was shown, and what became of it."""

    shown: dict[int, list[Event]] = field(default_factory=dict)
    """By game: everything that was ever shown."""
    cuts: int = 0
    cuts_with_news: int = 0
    """Cuts before which something new had been shown since the last one."""
    moments: Counter[str] = field(default_factory=Counter)
    """Cuts by when they were made."""
    unshown: int = 0
    """Events that were kept, and cut before they were shown."""
    faults: list[str] = field(default_factory=list)
    boots_s: list[float] = field(default_factory=list)
    """From power to the game going on."""

    @property
    def events(self) -> int:
        return sum(map(len, self.shown.values()))

    def show(self, number: int, after: int, events: list[Event]) -> None:
        log = self.shown.setdefault(number, [])
        if after != len(log):
            self.faults.append(f"game {number}: shown from {after} on, {len(log)} were known")
        log[after:] = events

    def compare(self, kept: dict[int, list[Event]], note: object, trouble: object) -> None:
        where = f"after cut {self.cuts}"
        if note or trouble:
            self.faults.append(f"{where}: the store says {note} {trouble}")
        for number, events in self.shown.items():
            log = kept.get(number, [])
            if log[: len(events)] != events:
                same = next(
                    (i for i, (a, b) in enumerate(zip(events, log, strict=False)) if a != b),
                    len(log),
                )
                self.faults.append(
                    f"{where}: game {number}: {len(events)} shown, {len(log)} kept, same to {same}"
                )
            self.unshown += max(0, len(log) - len(events))
        # What was kept is what is shown from now on.
        self.shown = {**self.shown, **kept}


def cut_power(
    cache: Path,
    disks: Disks,
    logs: Path,
    cuts: int,
    seed: int,
    tell: Callable[[str], None],
    *,
    careless: bool = False,
) -> Tally:
    """So many cuts, and one more start that shows that all is there."""
    name, words = ("careless", "careless") if careless else ("cut", "")
    moments = ("shown",) if careless else MOMENTS
    chance, tally = random.Random(seed), Tally()
    disks.make_empty()
    for number in range(cuts + 1):
        with Machine(cache, disks, "game", logs / f"{name}{number:02}", words) as machine:
            kept = machine.wait_for("kept", BOOT_LIMIT_S)
            tally.compare(
                {int(game): log for game, log in kept["kept"].items()},
                kept["note"],
                kept["trouble"],
            )
            ready = machine.wait_for("ready", BOOT_LIMIT_S)
            tally.boots_s.append(machine.age_s())
            if number and tally.shown.get(ready["ready"]) and not ready["resumed"]:
                tally.faults.append(f"after cut {number}: game {ready['ready']} was not resumed")
            if number == cuts:
                break
            before = tally.events
            _play_and_cut(machine, tally, chance, moments)
            tally.cuts += 1
            tally.cuts_with_news += tally.events > before
            tell(
                f"cut {tally.cuts} of {cuts}: up after {tally.boots_s[-1]:.0f} s, "
                f"{tally.events - before} new, {tally.events} events shown, "
                f"{len(tally.faults)} faults"
            )
    return tally


def _play_and_cut(
    machine: Machine, tally: Tally, chance: random.Random, moments: tuple[str, ...]
) -> None:
    """Pull the plug at one of these moments."""
    moment = chance.choice(moments)
    news, until_s = chance.randint(1, 2), time.monotonic() + chance.uniform(*ON_S)
    if moment != "any":
        until_s = time.monotonic() + LONGEST_S
    while time.monotonic() < until_s and news > 0:
        news -= _hear(machine, tally)
        time.sleep(POLL_S)
    if moment == "shown":
        time.sleep(chance.uniform(*HASTE_S))
    elif moment == "between":
        time.sleep(chance.uniform(*BETWEEN_S))
    machine.cut()
    tally.moments[moment] += 1
    # What had reached us by then was shown, whether or not we had read it yet.
    _hear(machine, tally)


def _hear(machine: Machine, tally: Tally) -> int:
    """Note what was shown; how many times something was."""
    shown = [said for said in machine.heard() if "shown" in said]
    for said in shown:
        tally.show(said["shown"], said["after"], said["events"])
    return len(shown)
