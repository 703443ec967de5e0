"""`make bench-vm`: the device's real libraries and its real unit on a machine that does not exist.

    bench.py [--cache FOLDER] [--accel kvm|tcg] [--cuts N] [--seed N] [--only TASK …]
             [--result FILE]

`build` has made the machine. Here it is started once for each task below, does it, tells rows of
the table and is off again; beside that, a second one is started and cut off once for every power
cut. Everything temporary is in one folder, which goes when we go, and no QEMU outlives us; what the
guests said last time stays in the cache's `logs`.
"""

from __future__ import annotations

import argparse
import datetime
import os
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
REPOSITORY: Final = HERE.parent.parent
sys.path[:0] = [str(HERE), str(REPOSITORY)]

from cuts import cut_power  # noqa: E402
from machine import Accel, Disks, Machine, Silence, Site, find_accel, pack_checkout  # noqa: E402
from scenes import paint  # noqa: E402

TASKS: Final = {"unit": 420.0, "pins": 180.0, "webcam": 240.0, "ribbon": 420.0, "wire": 180.0}
"""What the guest can be asked for, and the seconds it has for that, booting included."""
CARELESS, CUTS = "careless", "cuts"
CARELESS_CUTS: Final = 2
CUTS_BUDGET_S: Final = 26 * 60.0
"""No cut is begun after that, so that all is over within half an hour, emulated as well."""
UP_AGAIN_S: Final = {Accel.KVM: 30.0, Accel.TCG: 120.0}
MEANS: Final = {
    Accel.KVM: "the guest on this machine's own processor (KVM)",
    Accel.TCG: "everything emulated (TCG), which takes ten to thirty times as long",
}
WORDS: Final = {True: "yes", False: "**no**", None: "not proven"}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what, what was wanted, what was seen."""

    name: str
    goal: str
    measured: str
    ok: bool | None
    """None where this machine cannot prove it either way."""


def main() -> int:
    parser = argparse.ArgumentParser(description="The bench in a virtual machine.")
    parser.add_argument("--cache", type=Path, default=REPOSITORY / "build" / "bench-vm")
    parser.add_argument("--cuts", type=int, default=20, help="how often the power is cut")
    parser.add_argument("--seed", type=int, default=1, help="decides when it is cut")
    parser.add_argument(
        "--accel",
        type=Accel,
        choices=[*Accel],
        help="lend our processor, or emulate one (default: what works here)",
    )
    parser.add_argument("--only", nargs="*", choices=[*TASKS, CARELESS, CUTS], help="only these")
    parser.add_argument("--result", type=Path, help="write the table there as well")
    wishes = parser.parse_args()
    if not (wishes.cache / "image.complete").exists():
        parser.error(f"no machine in {wishes.cache}: hardware/bench/build makes one")
    # Ctrl-C and SIGTERM leave alike, through everything that cleans up.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    started_s = time.monotonic()
    tasks = wishes.only or [*TASKS, CARELESS, CUTS]
    site = Site(wishes.cache, wishes.accel or find_accel(wishes.cache))
    say(f"bench: {MEANS[site.accel]}")
    with tempfile.TemporaryDirectory(prefix="run-", dir=wishes.cache) as folder:
        rows = run(site, Path(folder), tasks, wishes.cuts, wishes.seed)
    table = format_table(rows)
    minutes = (time.monotonic() - started_s) / 60
    good = sum(row.ok is True for row in rows)
    say(f"\n{table}\n\n{good} of {len(rows)} rows ok, {minutes:.1f} minutes")
    if wishes.result:
        today = datetime.datetime.now(tz=datetime.UTC).date()
        load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
        wishes.result.write_text(
            f"# What the bench measured\n\n{today}, one run of {minutes:.0f} minutes: "
            f"{', '.join(tasks)}; seed {wishes.seed}. {os.cpu_count()} cores, "
            f"{MEANS[site.accel]}; load at its end {load}.\n\n{table}\n",
            encoding="utf-8",
        )
    return 1 if any(row.ok is False for row in rows) else 0


def run(site: Site, folder: Path, tasks: list[str], cuts: int, seed: int) -> list[Row]:
    """The tasks one after the other, and beside them the power cuts, which take the longest."""
    paint(folder / "scenes")
    checkout = folder / "checkout.img"
    pack_checkout(REPOSITORY, site.cache, checkout, folder / "scenes")
    site.logs.mkdir(exist_ok=True)

    def do(tasks: list[str], lane: str) -> list[Row]:
        disks = Disks(folder / lane, checkout)
        disks.folder.mkdir()
        rows: list[Row] = []
        for task in tasks:
            say(f"bench: {task}")
            if task == CUTS:
                new = cut_rows(site, disks, cuts, seed)
            elif task == CARELESS:
                new = [careless_row(site, disks, seed)]
            else:
                disks.make_empty()
                new = task_rows(site, disks, task)
            for row in new:
                say(f"  {WORDS[row.ok]}: {row.name}: {row.measured}")
            rows += new
        return rows

    with ThreadPoolExecutor(2) as lanes:
        try:
            others = [task for task in tasks if task != CUTS]
            running = [lanes.submit(do, others, "tasks")]
            if CUTS in tasks:
                running.append(lanes.submit(do, [CUTS], "cuts"))
            return [row for lane in running for row in lane.result()]
        finally:
            Machine.cut_all()


def task_rows(site: Site, disks: Disks, task: str) -> list[Row]:
    """What the guest told of this task; a row that says so where it did not finish."""
    rows: list[Row] = []
    with Machine(site, disks, task) as machine:
        try:
            for said in machine.listen(TASKS[task]):
                if "row" in said:
                    rows.append(Row(said["row"], said["goal"], said["measured"], said["ok"]))
                elif said.get("code"):
                    told = f"ended with {said['code']}; see {site.logs / task}.console"
                    rows.append(Row(task, "to its end", told, False))
        except Silence as silence:
            rows.append(Row(task, "to its end", str(silence).partition("\n")[0], False))
    return rows or [Row(task, "to its end", "told nothing", False)]


def cut_rows(site: Site, disks: Disks, cuts: int, seed: int) -> list[Row]:
    try:
        tally = cut_power(site, disks, cuts, seed, tell, budget_s=CUTS_BUDGET_S)
    except Silence as silence:
        say(str(silence))
        return [Row("power cuts", f"{cuts} cuts", str(silence).partition("\n")[0], False)]
    moments = ", ".join(f"{count} {moment}" for moment, count in sorted(tally.moments.items()))
    boots_s, limit_s = sorted(tally.boots_s), UP_AGAIN_S[site.accel]
    return [
        Row(
            "power cuts",
            f"{cuts} cuts, nothing shown is missing",
            f"{tally.cuts} cuts ({moments}), {tally.events} events, {len(tally.faults)} faults",
            not tally.faults and tally.cuts == cuts,
        ),
        Row(
            "power cuts: a game went on",
            "new events before half of the cuts",
            f"before {tally.cuts_with_news}",
            tally.cuts_with_news * 2 >= tally.cuts,
        ),
        Row(
            "power cuts: on the way to the disk",
            "all three happened",
            f"{tally.unkept} before it was on the disk, {tally.unshown} on the disk and not yet "
            f"shown, {tally.moments['shown']} just shown",
            # Where nothing fell between, nothing was proven about it, and nothing is wrong.
            all((tally.unkept, tally.unshown, tally.moments["shown"])) or None,
        ),
        Row(
            "power cuts: up again",
            f"game going on within {limit_s:.0f} s of power",
            f"{boots_s[len(boots_s) // 2]:.0f} s, {boots_s[-1]:.0f} s at most",
            boots_s[-1] <= limit_s,
        ),
        *(Row("power cuts: fault", "none", fault, False) for fault in tally.faults),
    ]


def careless_row(site: Site, disks: Disks, seed: int) -> Row:
    name, goal = "power cuts: a careless device", "is caught: its store does not wait for the disk"
    try:
        tally = cut_power(site, disks, CARELESS_CUTS, seed, tell, careless=True)
    except Silence as silence:
        return Row(name, goal, str(silence).partition("\n")[0], False)
    measured = f"{tally.cuts} cuts, {len(tally.faults)} faults: {'; '.join(tally.faults)}"
    return Row(name, goal, measured, bool(tally.faults))


def tell(line: str) -> None:
    say(f"  {line}")


def format_table(rows: list[Row]) -> str:
    lines = [("row", "goal", "measured", "ok"), ("---",) * 4]
    lines += [(r.name, r.goal, r.measured, WORDS[r.ok]) for r in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
