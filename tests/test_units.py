"""The units: systemd understands them, they are locked up well, and they say what the code needs.

systemd's own tools judge them where there are any.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firmware.cli import _parser
from firmware.watchdog import SIGNS, find_watchdog

UNITS = Path(__file__).parent.parent / "systemd"
WORST = 2.0
"""The exposure that `systemd-analyze security` may find, of 10."""
TOO_NEW = re.compile(r"Unknown key(?: name)? '(?:RestartSteps|RestartMaxDelaySec)'")
"""What a systemd before 254 says of restarts that come ever slower."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze is not installed: how well the units are locked up is NOT checked",
)
each_unit = pytest.mark.parametrize("name", ["parkwarden.service", "parkwarden-name.service"])


def _read(name: str) -> dict[str, dict[str, list[str]]]:
    """Each section's keys with all they were set to: keys may come again."""
    unit: dict[str, dict[str, list[str]]] = {}
    section = ""
    for line in (UNITS / name).read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            unit.setdefault(section, {}).setdefault(key, []).append(value)
    return unit


def _analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *words],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=60,
    )


@needs_systemd
@each_unit
def test_systemd_understands_the_unit(name: str, tmp_path: Path) -> None:
    # The program is not installed here; any other that exists will do.
    text = re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", (UNITS / name).read_text())
    text = re.sub(r"(?m)^Documentation=.*\n", "", text)
    unit = tmp_path / name
    unit.write_text(text)
    result = _analyze("verify", "--man=no", "--recursive-errors=no", str(unit))
    assert [line for line in result.stdout.splitlines() if not TOO_NEW.search(line)] == []


@needs_systemd
@each_unit
def test_the_unit_is_locked_up_well(name: str) -> None:
    result = _analyze(
        "security", "--offline=true", f"--threshold={WORST * 10:.0f}", str(UNITS / name)
    )
    assert result.returncode == 0, result.stdout
    (level,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", result.stdout)
    assert float(level) <= WORST


@needs_systemd
def test_a_bare_unit_would_not_pass(tmp_path: Path) -> None:
    unit = tmp_path / "bare.service"
    unit.write_text("[Service]\nExecStart=/bin/true\n")
    result = _analyze("security", "--offline=true", f"--threshold={WORST * 10:.0f}", str(unit))
    assert result.returncode != 0


def test_the_device_is_started_with_words_it_knows() -> None:
    (start,) = _read("parkwarden.service")["Service"]["ExecStart"]
    program, *words = start.split()
    assert program == "/opt/parkwarden/current/bin/parkwarden"
    arguments = _parser().parse_args(words)
    # Else the process that systemd knows would be the one that watches the plug.
    assert arguments.plugged_in
    assert arguments.no_browser


def test_signs_of_life_come_well_within_the_watchdogs_time() -> None:
    (limit_s,) = _read("parkwarden.service")["Service"]["WatchdogSec"]
    environ = {"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": f"{limit_s}000000"}
    watchdog = find_watchdog(environ)
    assert watchdog is not None
    assert watchdog.every_s * SIGNS == float(limit_s)


def test_nothing_about_the_network_is_waited_for() -> None:
    unit = _read("parkwarden.service")["Unit"]
    for key in ("After", "Requires", "Wants", "BindsTo"):
        assert not any("network" in value for value in unit.get(key, []))


def test_the_device_reaches_its_parts_and_what_it_reads() -> None:
    service = _read("parkwarden.service")["Service"]
    allowed = {value.split()[0] for value in service["DeviceAllow"]}
    drivers = {"gpiochip", "i2c", "spi", "video4linux", "media", "dma_heap", "alsa"}
    assert allowed == {f"char-{driver}" for driver in drivers}
    assert "PrivateDevices" not in service
    # In /proc stands what kind of Pi this is; without that everything would be simulated.
    assert "ProcSubset" not in service
    assert "AF_NETLINK" in service["RestrictAddressFamilies"][0].split()
    assert "GPIOZERO_PIN_FACTORY=lgpio" in service["Environment"]
    assert service["WorkingDirectory"] == ["%t/parkwarden"]
    assert service["RuntimeDirectory"] == service["StateDirectory"] == ["parkwarden"]


def test_the_user_of_the_unit_is_the_one_that_is_made_and_has_the_groups_of_the_parts() -> None:
    (user,) = _read("parkwarden.service")["Service"]["User"]
    lines = [line.split() for line in (UNITS / "parkwarden.sysusers").read_text().splitlines()]
    assert [line[1] for line in lines if line[0] == "u"] == [user]
    groups = {line[2] for line in lines if line[0] == "m" and line[1] == user}
    assert groups == {"gpio", "i2c", "spi", "video", "audio"}
    ruled = set(re.findall(r'GROUP="(\w+)"', (UNITS / "parkwarden.rules").read_text()))
    assert ruled <= groups


def test_restarts_do_not_hammer() -> None:
    unit = _read("parkwarden.service")
    service = unit["Service"]
    assert service["Restart"] == ["on-failure"]
    assert float(service["RestartSec"][0]) >= 1
    assert int(service["RestartMaxDelaySec"][0]) >= 30
    assert int(unit["Unit"]["StartLimitBurst"][0]) <= 30


def test_the_folder_is_no_package() -> None:
    # From the root of the sources `import systemd` would find it.
    assert not list(UNITS.glob("*.py"))


def test_the_name_is_announced_with_an_address_that_phones_can_use(tmp_path: Path) -> None:
    told = tmp_path / "told"
    for name, text in (
        ("hostname", 'echo "fd00::5 192.168.1.50 10.0.0.1 "'),
        ("avahi-publish", f'echo "$*" >>{told}; exec sleep 60'),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    publisher = subprocess.Popen(
        [UNITS / "publish-name", "parkwarden.local"],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        start_new_session=True,
    )
    try:
        until_s = time.monotonic() + 10
        while not (told.exists() and told.read_text()) and time.monotonic() < until_s:
            time.sleep(0.02)
    finally:
        os.killpg(publisher.pid, signal.SIGKILL)
        publisher.wait()
    assert told.read_text() == "--address --no-reverse parkwarden.local 192.168.1.50\n"
