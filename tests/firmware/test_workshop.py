"""What is kept in hardware/ is what its sources make."""

from __future__ import annotations

import csv
import re
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

from firmware.height import hang
from firmware.wiring import parse_wiring
from firmware.workshop import (
    HARDWARE,
    PRINTS,
    STAMP_BYTES,
    NoSection,
    other_boxes,
    put_between,
    render_print,
    stamp_of,
    wiring_products,
)
from rules.packs import load_pack
from vision.markers import OUT_MM

WIRING = parse_wiring((HARDWARE / "wiring.yml").read_text(encoding="utf-8"))
README = (HARDWARE / "README.md").read_text(encoding="utf-8")
BOARD = load_pack("masterplan").box.board
MOST_BYTES = 1_000_000

needs_openscad = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="OpenSCAD is not installed: STL not made again"
)


@pytest.mark.parametrize("name", ["wiring.svg", "bom.csv", "sizes.scad", "README.md"])
def test_products_are_up_to_date(name: str) -> None:
    made = wiring_products(HARDWARE)[name]
    kept = (HARDWARE / name).read_text(encoding="utf-8")
    assert made == kept, f"hardware/{name} is not what wiring.yml says: run make wiring"


def test_a_changed_wire_changes_everything_that_names_it(tmp_path: Path) -> None:
    text = (HARDWARE / "wiring.yml").read_text(encoding="utf-8")
    other = text.replace("gpio: 27,", "gpio: 4,").replace("forward_v: 2.0", "forward_v: 2.6")
    (tmp_path / "wiring.yml").write_text(other, encoding="utf-8")
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    (tmp_path / "bench").mkdir()
    shutil.copy(HARDWARE / "bench" / "RESULT.md", tmp_path / "bench")
    made, kept = wiring_products(tmp_path), wiring_products(HARDWARE)
    assert [name for name in kept if made[name] != kept[name]] == [
        "wiring.svg",
        "bom.csv",
        "README.md",
    ]
    assert "| **yellow LED** | **7** | GPIO 4 |" in made["README.md"]


def test_a_table_without_its_place_is_told() -> None:
    with pytest.raises(NoSection, match="<!-- pins -->"):
        put_between("nothing here", "pins", "a table")


def test_the_readme_answers_the_two_questions() -> None:
    yellow = next(light for light in WIRING.leds if light.name == "yellow")
    assert f"The yellow LED goes to header pin {yellow.pin} (GPIO {yellow.gpio})" in README
    height = hang(BOARD, WIRING.lenses[0])
    assert f"The lens hangs {height.lowest_mm} mm above the board" in README
    assert f"{OUT_MM:g} mm out in both directions" in README


def test_the_readme_says_which_heights_serve_several_boards() -> None:
    standard = WIRING.lenses[0]
    boards = {box.board.files: box.board for box in other_boxes()}
    hangs = [hang(board, standard) for board in (BOARD, boards[7], boards[8])]
    lowest, highest = max(h.lowest_mm for h in hangs), min(h.highest_mm for h in hangs)
    told = " ".join(README.split())
    assert f"from {lowest} to {highest} mm one camera serves Masterplan and Subdivision's" in told
    small = hang(boards[6], standard)
    assert small.highest_mm < lowest
    assert f"{lowest - small.lowest_mm} mm shorter" in told


def test_the_boards_of_other_games_are_told_once_each() -> None:
    boards = [box.board for box in other_boxes()]
    assert [board.files for board in boards] == [5, 6, 7, 8]
    assert {board.cell_mm for board in boards} == {36.0}


def test_every_file_that_the_readme_names_is_there() -> None:
    for name in re.findall(r"\]\(([^)#]+)\)", README):
        assert (HARDWARE / name).exists(), name


def test_the_bill_of_materials_counts_what_is_wired() -> None:
    with (HARDWARE / "bom.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["why"].startswith("optional")]
    counted = {
        kind: sum(int(row["quantity"]) for row in rows if row["part"].startswith(kind))
        for kind in ("LED", "resistor", "push button")
    }
    assert counted == {"LED": 5, "resistor": 6, "push button": 4}
    assert all(all(row.values()) for row in rows)


@pytest.mark.parametrize("name", sorted(PRINTS))
def test_prints_were_made_from_these_sources(name: str) -> None:
    kept = (HARDWARE / "prints" / name).read_bytes()
    assert len(kept) < MOST_BYTES
    assert kept[:STAMP_BYTES] == stamp_of(HARDWARE, name), "run make prints"


def test_no_print_is_left_over() -> None:
    assert {path.name for path in (HARDWARE / "prints").iterdir()} == set(PRINTS)


def triangles(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, STAMP_BYTES)
    rows = np.frombuffer(data, np.uint8, offset=STAMP_BYTES + 4).reshape(count, 50)
    return rows[:, 12:48].copy().view("<f4").reshape(count, 3, 3)


def volume_mm3(path: Path) -> float:
    a, b, c = np.moveaxis(triangles(path).astype(np.float64), 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("name", sorted(PRINTS))
def test_prints_are_closed_bodies_that_lie_on_the_bed(name: str) -> None:
    corners = triangles(HARDWARE / "prints" / name)
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    ways = {(start.tobytes(), end.tobytes()) for start, end in edges}
    assert all((end, start) in ways for start, end in ways)
    assert corners[..., 2].min() == pytest.approx(0, abs=1e-4)
    assert np.ptp(corners.reshape(-1, 3), axis=0).max() < 200
    assert volume_mm3(HARDWARE / "prints" / name) > 5000


# The case takes a quarter of a minute, for its lettering; its stamp must do.
@needs_openscad
@pytest.mark.parametrize(
    "name", [name for name, (source, _) in sorted(PRINTS.items()) if source != "case.scad"]
)
def test_openscad_makes_the_same_body_again(name: str, tmp_path: Path) -> None:
    render_print(HARDWARE, name, tmp_path / name)
    made, kept = triangles(tmp_path / name), triangles(HARDWARE / "prints" / name)
    assert np.ptp(made.reshape(-1, 3), axis=0) == pytest.approx(
        np.ptp(kept.reshape(-1, 3), axis=0), abs=0.01
    )
    kept_mm3 = volume_mm3(HARDWARE / "prints" / name)
    assert volume_mm3(tmp_path / name) == pytest.approx(kept_mm3, rel=0.001)


@needs_openscad
@pytest.mark.parametrize("lens", range(len(WIRING.lenses)))
def test_openscad_finds_the_same_height(lens: int, tmp_path: Path) -> None:
    said = echoed(tmp_path, f"lens={lens}")
    assert said["hang_mm"] == hang(BOARD, WIRING.lenses[lens]).lowest_mm


@needs_openscad
def test_the_readme_has_the_lengths_of_the_tubes(tmp_path: Path) -> None:
    said = echoed(tmp_path, "lens=0")
    told = " ".join(README.split())
    assert f"upright {said['upright_mm']:g} mm, boom {said['boom_mm']:g} mm" in told


def echoed(folder: Path, setting: str) -> dict[str, float]:
    """What mount.scad says of itself."""
    out = folder / "said.echo"
    command = ["openscad", "-D", setting, "-o", str(out), str(HARDWARE / "mount.scad")]
    subprocess.run(command, check=True, capture_output=True)
    return {name: float(value) for name, value in re.findall(r"(\w+) = ([\d.]+)", out.read_text())}
