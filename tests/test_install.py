"""The installer, run for real into an empty folder that it takes for the whole machine.

Programs that would change this machine are stand-ins, and the PATH holds nothing but these and a
few harmless tools: what the installer calls beyond them fails. Each stand-in writes down how it was
called. The stand-in for Python makes virtual environments that are mere folders; the one for
systemctl says ready unless the version that it starts is marked as broken.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent
HARMLESS = (
    "bash basename cat chmod cmp cp cut diff dirname env find grep head id install ln mkdir mv "
    "printf readlink rm sed sh sha256sum sleep sort sync timeout touch tr xargs"
)
LOG = '#!/bin/bash\necho "${0##*/} $*" >>"$CALLS"\n'
STAND_INS = {
    "apt-get": "",
    "apt-cache": '[[ $2 != "$NOT_IN_APT" ]]\n',
    "dpkg-query": "[[ -e $PARKWARDEN_ROOT/has-packages ]] && printf installed\n",
    "hostname": "echo raspberrypi\n",
    "journalctl": "echo 'the log of a version that fell over'\n",
    "modprobe": "",
    "systemd-sysusers": "",
    "udevadm": "",
    "systemctl": """
current=$PARKWARDEN_ROOT/opt/parkwarden/current running=$PARKWARDEN_ROOT/running
case $1 in
    restart)
        rm -f "$running"
        [[ -e $current/systemd/never-ready ]] && exit 1
        [[ -e $current/systemd/hangs ]] && sleep 30
        touch "$running"
        if [[ -e $current/systemd/falls-over ]]; then
            echo 'games of a newer kind' >"$PARKWARDEN_ROOT/var/lib/parkwarden/games.db"
            rm "$running"
        fi
        ;;
    stop) rm -f "$running" ;;
    is-active) [[ -e $running ]] ;;
esac
""",
    "python3": """
case $* in
    -V) echo "Python 3.13.5" ;;
    "-m venv --system-site-packages "*) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
    *"-m pip install"*) touch "${0%/*}/parkwarden" && [[ ! -e $PARKWARDEN_ROOT/no-network ]] ;;
    *"import numpy"*) echo 2.2.4 ;;
    *"print(cv2.__version__)"*) echo "$APT_OPENCV" ;;
    *"import cv2"*) echo "$APT_OPENCV from ${CV2_FROM/VENV/${0%/bin/*}}" ;;
    *"import firmware.device"*) ;;
    "-I - "*)
        if grep -q nonsense "$3"; then echo "$3: nonsense: unknown" >&2; exit 1; fi
        sed -n 's/^port = \\([0-9]\\{4\\}\\)$/\\1/p' "$3" ;;
esac
""",
}
CONFIG_TXT = "# For more options see the documentation\n#dtparam=i2c_arm=on\n\n[cm4]\notg_mode=1\n"


@dataclass(slots=True)
class Machine:
    """A Raspberry Pi that is a folder."""

    root: Path
    source: Path
    environ: dict[str, str] = field(default_factory=dict)

    def install(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.source / "install", *words],
            env=self.environ,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=60,
        )

    def calls(self) -> list[str]:
        """What was called since this was last asked."""
        log = Path(self.environ["CALLS"])
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def put(self, path: str, text: str = "") -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return target

    def tree(self) -> dict[str, str]:
        """Every file with what is in it, and every link with where it leads."""
        return {
            str(path.relative_to(self.root)): (
                f"-> {path.readlink()}" if path.is_symlink() else path.read_text(errors="replace")
            )
            for path in sorted(self.root.rglob("*"))
            if path.is_symlink() or path.is_file()
        }

    def current(self) -> str:
        return (self.root / "opt/parkwarden/current").readlink().name

    def renew(self, marker: str) -> None:
        """The sources change: `marker` says how the new version will fare."""
        (self.source / "systemd" / marker).touch()


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    """With Raspberry Pi OS Trixie on it, and nothing of ours."""
    if os.uname().sysname != "Linux" or shutil.which("sha256sum") is None:
        pytest.skip("the installer is for Linux: it is NOT checked here")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in HARMLESS.split():
        where = shutil.which(name)
        assert where is not None, f"{name} is missing on this machine"
        (programs / name).symlink_to(where)
    for name, text in STAND_INS.items():
        (programs / name).write_text(LOG + text)
        (programs / name).chmod(0o755)
    source = tmp_path / "source"
    for part in ("install", "systemd", "pyproject.toml", "README.md", "LICENSE"):
        copy = shutil.copytree if (SOURCE / part).is_dir() else shutil.copy
        source.mkdir(exist_ok=True)
        copy(SOURCE / part, source / part)
    for part in ("firmware", "vision", "rules"):
        (source / part).mkdir()
        (source / part / "__init__.py").touch()
    shutil.copy(SOURCE / "firmware/parkwarden.toml", source / "firmware")
    machine = Machine(tmp_path / "root", source)
    machine.environ = {
        "PATH": str(programs),
        "PARKWARDEN_ROOT": str(machine.root),
        "PARKWARDEN_READY_S": "5",
        "PARKWARDEN_STAYS_S": "0.01",
        "PYTHON": str(programs / "python3"),
        "CALLS": str(tmp_path / "calls"),
        "NOT_IN_APT": "",
        "APT_OPENCV": "4.10.0",
        "CV2_FROM": "/usr/lib/python3/dist-packages/cv2.so",
    }
    machine.put("etc/rpi-issue")
    machine.put("etc/os-release", 'PRETTY_NAME="Debian 13 (trixie)"\nVERSION_CODENAME=trixie\n')
    machine.put("boot/firmware/config.txt", CONFIG_TXT)
    (machine.root / "usr/local/bin").mkdir(parents=True)
    return machine


def test_a_dry_run_says_everything_and_changes_nothing(pi: Machine) -> None:
    before = pi.tree()
    result = pi.install("--dry-run")
    assert result.returncode == 0, result.stdout
    assert pi.tree() == before
    asked = {call.split()[0] for call in pi.calls()}
    assert asked <= {"dpkg-query", "apt-cache", "python3"}

    for said in (
        "apt-get install --yes --quiet --no-install-recommends python3-venv",
        "python3-picamera2 python3-lgpio i2c-tools espeak-ng avahi-daemon",
        "systemd-sysusers",
        "60-parkwarden.rules",
        "> dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "-m venv --system-site-packages",
        "-m pip install",
        "etc/parkwarden/parkwarden.toml",
        "etc/avahi/services/parkwarden.service",
        "etc/systemd/system/parkwarden.service",
        "systemctl restart parkwarden.service",
        "Nothing was changed.",
    ):
        assert said in result.stdout
    real = pi.install()
    dry_steps, real_steps = (
        [line for line in text.splitlines() if line[:1].isdigit()]
        for text in (result.stdout, real.stdout)
    )
    assert dry_steps == real_steps


def test_everything_is_where_it_belongs(pi: Machine) -> None:
    result = pi.install()
    assert result.returncode == 0, result.stdout
    tree, version = pi.tree(), pi.current()
    assert tree["opt/parkwarden/current"] == f"-> versions/{version}"
    assert f"opt/parkwarden/versions/{version}/complete" in tree
    assert not any("/source/" in path for path in tree)
    assert tree["usr/local/bin/parkwarden"].endswith("/opt/parkwarden/current/bin/parkwarden")
    for name, where in (
        ("parkwarden.service", "etc/systemd/system/parkwarden.service"),
        ("parkwarden-name.service", "etc/systemd/system/parkwarden-name.service"),
        ("parkwarden.sysusers", "etc/sysusers.d/parkwarden.conf"),
        ("parkwarden.rules", "etc/udev/rules.d/60-parkwarden.rules"),
        ("parkwarden.modules", "etc/modules-load.d/parkwarden.conf"),
    ):
        assert tree[where] == (SOURCE / "systemd" / name).read_text()
    config = (SOURCE / "firmware/parkwarden.toml").read_text()
    assert tree["etc/parkwarden/parkwarden.toml"] == config
    assert "<port>8080</port>" in tree["etc/avahi/services/parkwarden.service"]
    calls = pi.calls()
    assert "systemctl enable --quiet parkwarden.service parkwarden-name.service" in calls
    assert any(call.startswith("systemd-sysusers ") for call in calls)
    assert "sudo reboot" in result.stdout


def test_a_second_run_changes_nothing_and_does_not_disturb_a_game(pi: Machine) -> None:
    pi.install()
    pi.put("has-packages")
    pi.calls()
    before = pi.tree()
    result = pi.install()
    assert result.returncode == 0, result.stdout
    assert pi.tree() == before
    assert "reboot" not in result.stdout
    calls = "\n".join(pi.calls())
    assert "apt-get" not in calls
    assert "pip install" not in calls
    assert "systemctl restart" not in calls


def test_the_config_is_never_overwritten(pi: Machine) -> None:
    mine = 'camera = "usb:0"\n[web]\nport = 9090\n'
    pi.put("etc/parkwarden/parkwarden.toml", mine)
    assert pi.install().returncode == 0
    tree = pi.tree()
    assert tree["etc/parkwarden/parkwarden.toml"] == mine
    assert "<port>9090</port>" in tree["etc/avahi/services/parkwarden.service"]


def test_a_config_with_mistakes_stops_it_before_anything_is_switched(pi: Machine) -> None:
    pi.put("etc/parkwarden/parkwarden.toml", "nonsense = 1\n")
    result = pi.install()
    assert result.returncode == 1
    assert "nonsense: unknown" in result.stdout
    assert "nothing was switched" in result.stdout
    assert not (pi.root / "opt/parkwarden/current").exists()


@pytest.mark.parametrize(
    ("given", "added"),
    [
        (CONFIG_TXT, "i2c_arm=on,i2c_arm_baudrate=400000"),
        (CONFIG_TXT.rstrip(), "i2c_arm=on,i2c_arm_baudrate=400000"),
        (CONFIG_TXT + "dtparam=i2c_arm_baudrate=1000000\n", "i2c_arm=on"),
    ],
    ids=["as it comes", "without a last newline", "with a speed of its own"],
)
def test_the_bus_is_switched_on_once_with_a_backup(pi: Machine, given: str, added: str) -> None:
    boot = pi.put("boot/firmware/config.txt", given)
    pi.install()
    lines = boot.read_text().splitlines()
    assert lines[: len(given.splitlines())] == given.splitlines()
    assert lines[-2:] == ["[all]", f"dtparam={added}"]
    backup = pi.root / "boot/firmware/config.txt.before-parkwarden"
    assert backup.read_text() == given

    pi.install()
    assert boot.read_text().splitlines() == lines
    pi.install("--uninstall")
    assert boot.read_text().rstrip() == given.rstrip()


def test_the_bus_stays_on_where_somebody_wrote_below_ours(pi: Machine) -> None:
    boot = pi.root / "boot/firmware/config.txt"
    pi.install()
    boot.write_text(boot.read_text() + "dtoverlay=mine\n")
    pi.install("--uninstall")
    assert boot.read_text() == CONFIG_TXT + "dtoverlay=mine\n"


def test_uninstalling_leaves_games_config_and_what_is_not_ours(pi: Machine) -> None:
    before = set(pi.tree())
    pi.install()
    games = pi.put("var/lib/parkwarden/games.db", "all our games")
    result = pi.install("--uninstall")
    assert result.returncode == 0, result.stdout
    assert games.read_text() == "all our games"
    assert set(pi.tree()) - before == {
        "var/lib/parkwarden/games.db",
        "etc/parkwarden/parkwarden.toml",
        "boot/firmware/config.txt.before-parkwarden",
        "running",
    }
    assert any(call.startswith("systemctl disable --now") for call in pi.calls())
    assert pi.install("--uninstall").returncode == 0


@pytest.mark.parametrize("task", [(), ("--uninstall",)])
def test_another_system_is_told_what_would_be_done_and_refused(
    pi: Machine, task: tuple[str, ...]
) -> None:
    (pi.root / "etc/rpi-issue").unlink()
    pi.put("etc/os-release", 'PRETTY_NAME="Fedora Linux 42"\nVERSION_CODENAME=""\n')
    before = pi.tree()
    result = pi.install(*task)
    assert result.returncode == 3
    assert "Fedora Linux 42, not Raspberry Pi OS" in result.stdout
    assert "--anyway" in result.stdout
    assert "systemctl" in result.stdout
    assert pi.tree() == before
    if not task:
        assert pi.install("--anyway").returncode == 0
        assert pi.current()


def test_a_package_that_apt_does_not_have_is_named_and_left_out(pi: Machine) -> None:
    pi.environ["NOT_IN_APT"] = "python3-picamera2"
    result = pi.install()
    assert result.returncode == 0, result.stdout
    assert "this system has no python3-picamera2" in result.stdout
    (installed,) = (call for call in pi.calls() if call.startswith("apt-get install"))
    assert "python3-picamera2" not in installed


@pytest.mark.parametrize(("opencv", "extra"), [("4.6.0", "[cv]"), ("4.10.0", ""), ("5.0.0", "")])
def test_pip_brings_an_opencv_only_where_apts_is_too_old(
    pi: Machine, opencv: str, extra: str
) -> None:
    pi.environ["APT_OPENCV"] = opencv
    assert pi.install().returncode == 0
    (pip,) = (call for call in pi.calls() if "pip install" in call)
    assert pip.endswith(f"/source{extra}")
    constraints = pi.root / "opt/parkwarden/versions" / pi.current() / "constraints.txt"
    assert constraints.read_text() == "numpy==2.2.4\n"


def test_an_opencv_that_hides_apts_is_found_out(pi: Machine) -> None:
    pi.environ["CV2_FROM"] = "VENV/lib/python3.13/site-packages/cv2/__init__.py"
    result = pi.install()
    assert result.returncode == 1
    assert "hides the system's" in result.stdout
    assert not (pi.root / "opt/parkwarden/current").exists()


def test_what_was_interrupted_is_begun_anew(pi: Machine) -> None:
    network = pi.put("no-network")
    result = pi.install()
    assert result.returncode != 0
    assert "stopped in step 5" in result.stdout
    assert not (pi.root / "opt/parkwarden/current").exists()
    network.unlink()
    assert pi.install().returncode == 0
    assert pi.current()


def test_an_update_keeps_the_version_before_and_no_older_one(pi: Machine) -> None:
    versions = []
    for marker in ("first", "second", "third"):
        pi.renew(marker)
        assert pi.install().returncode == 0
        versions.append(pi.current())
    assert len(set(versions)) == 3
    opt = pi.root / "opt/parkwarden"
    assert {path.name for path in (opt / "versions").iterdir()} == set(versions[1:])
    assert (opt / "previous").readlink().name == versions[1]

    assert pi.install("--back").returncode == 0
    assert pi.current() == versions[1]
    assert (opt / "previous").readlink().name == versions[2]


def test_there_is_no_way_back_from_the_first_version(pi: Machine) -> None:
    pi.install()
    result = pi.install("--back")
    assert result.returncode == 1
    assert "no version before" in result.stdout


@pytest.mark.parametrize("fault", ["never-ready", "hangs", "falls-over"])
def test_a_version_that_does_not_work_gives_way_to_the_one_before(pi: Machine, fault: str) -> None:
    assert pi.install().returncode == 0
    good = pi.current()
    unit = pi.root / "etc/systemd/system/parkwarden.service"
    good_unit = unit.read_text()
    games = pi.put("var/lib/parkwarden/games.db", "all our games")
    pi.put("var/lib/parkwarden/games.db-wal", "and the last move")

    if fault == "hangs":
        pi.environ["PARKWARDEN_READY_S"] = "2"
    new_unit = pi.source / "systemd/parkwarden.service"
    new_unit.write_text(new_unit.read_text() + "# worse\n")
    pi.renew(fault)
    result = pi.install()
    assert result.returncode == 1
    assert "the log of a version that fell over" in result.stdout
    assert f"{good} runs again" in result.stdout
    assert pi.current() == good
    assert unit.read_text() == good_unit
    assert (pi.root / "running").exists()
    assert games.read_text() == "all our games"
    assert (games.parent / "games.db-wal").read_text() == "and the last move"
    if fault == "falls-over":
        (aside,) = games.parent.glob("from-*/games.db")
        assert aside.read_text() == "games of a newer kind\n"


def test_a_first_version_that_does_not_work_is_not_called_ready(pi: Machine) -> None:
    pi.renew("never-ready")
    result = pi.install()
    assert result.returncode == 1
    assert "no version before to go back to" in result.stdout


def test_words_it_does_not_know_are_refused(pi: Machine) -> None:
    result = pi.install("--frobnicate")
    assert result.returncode == 1
    assert "sudo ./install" in result.stdout
    assert pi.calls() == []


def test_the_script_is_clean() -> None:
    assert (SOURCE / "install").stat().st_mode & stat.S_IXUSR
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("shellcheck is not installed: the scripts are NOT checked")
    scripts = [SOURCE / "install", SOURCE / "systemd/publish-name"]
    result = subprocess.run([shellcheck, *scripts], capture_output=True, text=True, check=False)
    assert result.stdout == ""
