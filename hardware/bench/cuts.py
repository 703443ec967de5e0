"""Power cuts: a game is being played, the plug is pulled, and nothing that was shown is missing.

One game goes on over all cuts. The guest tells when an event is about to be kept, and when it is
shown; the host notes it and pulls the plug at one of four moments, the first twice as often:

    keeping    while an event is on its way from the game to the disk and from there to the display
    shown      the moment something is shown: a device that shows before it keeps is caught here
    between    between one thing that was shown and the next
    any        at any moment at all after the game was taken up

How long after each is left to chance. When the machine is up again the guest tells what its store
has kept, before it plays on. Everything shown must be in it, in its place. It may hold one step
more: kept, and cut before it was shown. What was announced and is not kept was never shown; the
piece still stands on the table, and is told of anew.

A check that cannot fail proves nothing, so there is a `careless` device as well, whose store does
not wait for the disk: of that one something has to be missing.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from machine import Accel, Disks, Machine, Site

BOOT_LIMIT_S: Final = 240.0
MOMENTS: Final = ("keeping", "keeping", "shown", "between", "any")
PACE_S: Final = {Accel.KVM: 1.0, Accel.TCG: 5.0}
"""From one thing that is shown to the next, until it has been measured."""
KEEPING_S: Final = {Accel.KVM: 0.01, Accel.TCG: 0.05}
"""From the game to disk and display, about. Emulated it was measured, else it is guessed."""
SHOWN_S: Final = 0.03
ANY_PACES: Final = 4.0
LONGEST_S: Final = 120.0
"""So long something new is waited for."""
POLL_S: Final = 0.001

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
    announced: tuple[int, int] = (0, 0)
    """Game and number of events that the guest last said it was about to keep."""
    unkept: int = 0
    """Cuts before an announced event was on the disk."""
    unshown: int = 0
    """Cuts after an event was on the disk, and before it was shown."""
    gaps_s: list[float] = field(default_factory=list)
    """From one thing that was shown to the next."""
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
        number, count = self.announced
        if self.cuts and number:
            on_disk, seen = (len(logs.get(number, [])) for logs in (kept, self.shown))
            self.unkept += on_disk < count
            self.unshown += on_disk > seen
        self.announced = (0, 0)
        # What was kept is what is shown from now on.
        self.shown = {**self.shown, **kept}


def cut_power(
    site: Site,
    disks: Disks,
    cuts: int,
    seed: int,
    tell: Callable[[str], None],
    *,
    careless: bool = False,
    budget_s: float = float("inf"),
) -> Tally:
    """So many cuts, and one more start that shows that all is there.

    Fewer where they do not fit into the time there is.
    """
    started_s = time.monotonic()
    name, words = ("careless", ["careless"]) if careless else ("cut", [])
    moments = ("shown",) if careless else MOMENTS
    chance, tally, deck = random.Random(seed), Tally(), list(moments)
    disks.make_empty()
    for number in range(cuts + 1):
        with Machine(site, disks, "game", *words, log=f"{name}{number:02}") as machine:
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
            if number == cuts or time.monotonic() - started_s > budget_s:
                break
            before = tally.events
            if number % len(moments) == 0:
                deck = chance.sample(moments, len(moments))
            _play_and_cut(machine, tally, chance, deck[number % len(moments)], site.accel)
            tally.cuts += 1
            tally.cuts_with_news += tally.events > before
            tell(
                f"cut {tally.cuts} of {cuts}: up after {tally.boots_s[-1]:.0f} s, "
                f"{tally.events - before} new, {tally.events} events shown, "
                f"{len(tally.faults)} faults"
            )
    return tally


def _play_and_cut(
    machine: Machine, tally: Tally, chance: random.Random, moment: str, accel: Accel
) -> None:
    """Pull the plug at this moment."""
    pace_s = median(tally.gaps_s) if tally.gaps_s else PACE_S[accel]
    after_s = chance.uniform(
        0.0,
        {
            "keeping": KEEPING_S[accel],
            "shown": SHOWN_S,
            "between": pace_s,
            "any": ANY_PACES * pace_s,
        }[moment],
    )
    word = "keeping" if moment == "keeping" else "shown"
    news = 0 if moment == "any" else chance.randint(1, 2)
    until_s = time.monotonic() + LONGEST_S
    heard_s: float | None = None
    while news > 0 and time.monotonic() < until_s:
        words = _hear(machine, tally)
        news -= words[word]
        if words["shown"]:
            now_s = time.monotonic()
            tally.gaps_s += [] if heard_s is None else [now_s - heard_s]
            heard_s = now_s
        time.sleep(POLL_S)
    until_s = time.monotonic() + after_s
    while time.monotonic() < until_s:
        _hear(machine, tally)
        time.sleep(min(POLL_S, max(0.0, until_s - time.monotonic())))
    machine.cut()
    tally.moments[moment] += 1
    # What had reached us by then was shown, whether or not we had read it yet.
    _hear(machine, tally)


def _hear(machine: Machine, tally: Tally) -> Counter[str]:
    """Note what was announced and what was shown; how often each was."""
    words: Counter[str] = Counter()
    for said in machine.heard():
        if "keeping" in said:
            tally.announced = said["keeping"], said["events"]
            words["keeping"] += 1
        elif "shown" in said:
            tally.show(said["shown"], said["after"], said["events"])
            words["shown"] += 1
    return words
