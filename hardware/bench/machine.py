"""The bench's machine: QEMU with the image that `build` made, and what its guest says.

The guest's system disk is thrown away with each machine (`snapshot=on`: QEMU keeps the changes in a
file it has already unlinked). What has to outlive a power cut is on disks of the bench's own:

    debian     the system; changes are forgotten        /
    checkout   this repository, read-only               /checkout
    state      what the device keeps; the disk that is tested, cache=none: a flush of the guest
               is a flush of ours, and what was not flushed is in the memory of a dead process
    world      the simulated table, whose pieces stand where they stand without any power

The guest talks through one virtio port, a line of JSON each; the host reads the file behind it.
Pulling the plug is SIGKILL to QEMU.

Where this machine's processor can be lent to the guest (KVM) it is, which `find_accel` finds out by
trying; elsewhere everything is emulated (TCG), and takes ten to thirty times as long. The guest is
told so by the word `slow`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Final, Self

MEMORY: Final = "1536M"
POLL_S: Final = 0.02

Said = dict[str, Any]


class Accel(StrEnum):
    """Whose processor the guest runs on."""

    KVM = "kvm"
    """Ours, lent."""
    TCG = "tcg"
    """One that is emulated."""

    @property
    def options(self) -> tuple[str, ...]:
        if self is Accel.KVM:
            # A processor that is lent itself cannot lend what it says of its own weaknesses.
            return ("-accel", "kvm", "-cpu", "host,arch-capabilities=off", "-smp", "2")
        # Emulated, one must do: the kernel patches itself while it runs, and now and then a second
        # processor fell over half a patch.
        return ("-accel", "tcg", "-cpu", "Nehalem", "-smp", "1")


def find_accel(cache: Path) -> Accel:
    """The better one, where we may have it and it carries our kernel."""
    may = os.access("/dev/kvm", os.R_OK | os.W_OK)
    return Accel.KVM if may and carries(Accel.KVM, cache) else Accel.TCG


def carries(accel: Accel, cache: Path, limit_s: float = 15.0) -> bool:
    """Whether Debian's kernel says its name there.

    A /dev/kvm that can be opened is not enough: inside some clouds it only runs kernels that were
    made for it, and stops at the first instruction it cannot follow. QEMU waits for ever then.
    """
    with tempfile.TemporaryFile() as console:
        command: list[str | Path] = [
            *("qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none"),
            *("-machine", "q35", *accel.options, "-m", "512M", "-no-reboot"),
            *("-kernel", cache / "vmlinuz", "-append", "console=ttyS0 panic=-1"),
            *("-serial", "stdio"),
        ]
        qemu = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
            start_new_session=True,
        )
        try:
            until_s = time.monotonic() + limit_s
            while time.monotonic() < until_s:
                # Without moving the place at which QEMU writes.
                said = os.pread(console.fileno(), 1 << 20, 0)
                if b"Linux version" in said:
                    return True
                if b"internal error" in said or qemu.poll() is not None:
                    return False
                time.sleep(POLL_S)
            return False
        finally:
            qemu.kill()
            qemu.wait()


@dataclass(frozen=True, slots=True)
class Site:
    """Where the machine is, and how it runs."""

    cache: Path
    accel: Accel

    @property
    def logs(self) -> Path:
        """What the guests said last time."""
        return self.cache / "logs"


class Silence(AssertionError):
    """The guest did not say in time what was waited for; the message has the end of its console."""


@dataclass(frozen=True, slots=True)
class Disks:
    """What is lasting on the bench."""

    folder: Path
    checkout: Path
    """Made by `pack_checkout`; machines may share it."""

    @property
    def state(self) -> Path:
        return self.folder / "state.img"

    @property
    def world(self) -> Path:
        return self.folder / "world.img"

    def make_empty(self) -> None:
        """An unused state disk, and a table on which nothing stands."""
        for path, label in ((self.state, "state"), (self.world, "world")):
            path.unlink(missing_ok=True)
            _make_ext4(path, label, "128M")


def pack_checkout(repository: Path, cache: Path, image: Path, extra: Path) -> None:
    """This repository as it is now and the folder `extra`, compiled by the guest's own Python."""
    # Made inside the guest's system, where its Python finds it, and gone again however it ends.
    stage = cache / "debian" / "checkout"
    try:
        shutil.rmtree(stage, ignore_errors=True)
        listed = subprocess.run(
            ["git", "ls-files", "-coz", "--exclude-standard"],
            cwd=repository,
            check=True,
            capture_output=True,
        ).stdout
        for name in filter(None, listed.decode().split("\0")):
            if (repository / name).is_file() and not name.startswith("tests/"):
                (stage / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(repository / name, stage / name)
        shutil.copytree(extra, stage / "extra")
        # Emulated, compiling takes longer than anything else in a boot.
        compile_ = ["python3", "-m", "compileall", "-qq", "--invalidation-mode", "unchecked-hash"]
        subprocess.run(["chroot", cache / "debian", *compile_, "/checkout"], check=True)
        _make_ext4(image, "checkout", "128M", stage)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir(exist_ok=True)


def _make_ext4(path: Path, label: str, size: str, content: Path | None = None) -> None:
    filled = ["-d", str(content)] if content else []
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-L", label, *filled, path, size],
        check=True,
        stdout=subprocess.DEVNULL,
    )


class Over(RuntimeError):
    """The bench is being left: no machine is started any more."""


class Machine:
    """A running guest that does one thing; leave the context and it is gone."""

    _all: ClassVar[set[Machine]] = set()
    _is_over: ClassVar[bool] = False
    _lock: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def cut_all(cls) -> None:
        """No machine runs from now on, in whatever thread it was started."""
        with cls._lock:
            cls._is_over = True
            for machine in cls._all:
                machine.cut()

    def __init__(
        self, site: Site, disks: Disks, task: str, *words: str, log: str | None = None
    ) -> None:
        """`task` is what guest/start is asked for; `words` go to the kernel's command line."""
        self.task = task
        cache, name = site.cache, log or task
        self._said, self._console = site.logs / f"{name}.jsonl", site.logs / f"{name}.console"
        self._said.unlink(missing_ok=True)
        self._console.unlink(missing_ok=True)
        self._read = 0
        self._rest = b""
        self.started_s = time.monotonic()
        slow = ("slow",) if site.accel is Accel.TCG else ()
        kernel_words = (
            "root=/dev/vda rw console=ttyS0 loglevel=4 panic=-1 mitigations=off audit=0 "
            f"systemd.show_status=0 rd.udev.log_level=3 bench={' '.join([task, *slow, *words])}"
        )
        command: list[str | Path] = [
            *("qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none"),
            *("-machine", "q35", *site.accel.options),
            *("-m", MEMORY, "-no-reboot"),
            *("-kernel", cache / "vmlinuz", "-initrd", cache / "initrd"),
            *("-append", kernel_words),
            *_drive(cache / "debian.img", "snapshot=on"),
            *_drive(disks.checkout, "readonly=on"),
            *_drive(disks.state, "cache=none"),
            *_drive(disks.world, "cache=none"),
            *("-serial", f"file:{self._console}"),
            *("-device", "virtio-serial-pci"),
            *("-chardev", f"file,id=said,path={self._said}"),
            *("-device", "virtserialport,chardev=said,name=bench"),
            *("-device", "virtio-rng-pci"),
        ]
        # There the changes of the system disk are kept, unlinked.
        environment = {**os.environ, "TMPDIR": str(disks.folder)}
        with self._lock:
            if self._is_over:
                raise Over("the bench is being left")
            self._qemu = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, env=environment, start_new_session=True
            )
            self._all.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cut()

    def cut(self) -> None:
        """From one moment to the next there is no power."""
        if self._qemu.poll() is None:
            self._qemu.send_signal(signal.SIGKILL)
            self._qemu.wait()

    @property
    def is_on(self) -> bool:
        return self._qemu.poll() is None

    def age_s(self) -> float:
        return time.monotonic() - self.started_s

    def heard(self) -> list[Said]:
        """Everything the guest has said since the last call."""
        if not self._said.exists():
            return []
        with self._said.open("rb") as said:
            said.seek(self._read)
            new = said.read()
        self._read += len(new)
        *lines, self._rest = (self._rest + new).split(b"\n")
        # The device itself may say a word to people on the same port.
        return [json.loads(line) for line in lines if line.startswith(b"{")]

    def listen(self, limit_s: float) -> Iterator[Said]:
        """What it says, as it comes, until it is off; `Silence` after so long in all."""
        until_s = time.monotonic() + limit_s
        while True:
            was_on = self.is_on
            yield from self.heard()
            if not was_on:
                return
            if time.monotonic() > until_s:
                raise Silence(f"{self.task}: {limit_s:.0f} s are over\n{self.console_end()}")
            time.sleep(POLL_S)

    def wait_for(self, word: str, limit_s: float) -> Said:
        """The next thing it says with this key in it; what else it says meanwhile is dropped."""
        for said in self.listen(limit_s):
            if word in said:
                return said
        raise Silence(f"{self.task}: off without a word of {word!r}\n{self.console_end()}")

    def console_end(self, lines: int = 15) -> str:
        if not self._console.exists():
            return ""
        text = self._console.read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-lines:])


def _drive(path: Path, how: str) -> tuple[str, str]:
    return "-drive", f"file={path},format=raw,if=virtio,{how}"
