"""Everything in hardware/ that is made from something else: `python -m firmware.workshop`.

    wiring   wiring.yml, the boxes, bench/RESULT.md → diagram, bom.csv, sizes.scad, README's tables
    prints   the OpenSCAD files → STL, where OpenSCAD is installed

What is made is kept in the repository, so that nobody needs the tools to build the thing, and a
test makes it again and compares. An STL cannot be compared byte by byte, as other versions of
OpenSCAD cut triangles otherwise: it carries a stamp of the sources it was made from instead, in the
80 bytes that the format leaves free.

For the desk: it works on a checkout, and no device ever imports it.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware import handbook
from firmware.diagram import draw_wiring
from firmware.wiring import parse_wiring
from rules.box import BoardFacts, Box
from rules.errors import BadSetting, ParkwardenError
from rules.pack import choose_settings
from rules.packs import PACKS, load_pack

HARDWARE: Final = Path(__file__).parents[1] / "hardware"
BOXED: Final = "masterplan"
"""The game whose board the mount is made for."""
STAMP_BYTES: Final = 80

PRINTS: Final = {
    "case-bottom_print-1x_no-supports.stl": ("case.scad", "bottom"),
    "case-lid_print-1x_face-down_no-supports.stl": ("case.scad", "lid"),
    "mount-foot_print-1x_no-supports.stl": ("mount.scad", "foot"),
    "mount-elbow_print-1x_no-supports.stl": ("mount.scad", "elbow"),
    "mount-head_print-1x_no-supports.stl": ("mount.scad", "head"),
    "mount-head-for-webcam_print-1x-instead_no-supports.stl": ("mount.scad", "webcam-head"),
    "finger-strip_print-4x_optional_no-supports.stl": ("finger.scad", "strip"),
}
"""By file name: the source, and which part of it."""


class NoSection(ParkwardenError, LookupError):
    """A README without the marks between which a table belongs."""


class NoTool(ParkwardenError, OSError):
    """A program that is needed and not installed."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.workshop")
    parser.add_argument("what", choices=["wiring", "prints"])
    if parser.parse_args(argv).what == "wiring":
        for name, text in wiring_products(HARDWARE).items():
            (HARDWARE / name).write_text(text, encoding="utf-8", newline="")
            sys.stdout.write(f"hardware/{name}\n")
    else:
        for name in PRINTS:
            render_print(HARDWARE, name, HARDWARE / "prints" / name)
            sys.stdout.write(f"hardware/prints/{name}\n")
    return 0


def wiring_products(folder: Path) -> dict[str, str]:
    """By file name, what follows from wiring.yml and the box. Only reads."""
    wiring = parse_wiring((folder / "wiring.yml").read_text(encoding="utf-8"))
    box = load_pack(BOXED).box
    readme = (folder / "README.md").read_text(encoding="utf-8")
    tables = {
        "pins": handbook.pin_table(wiring),
        "currents": handbook.current_table(wiring),
        "heights": handbook.height_table(wiring, box),
        "other heights": handbook.other_heights_table(wiring, other_boxes()),
        "finger": handbook.finger_table(wiring),
        # Without its title, which the README's section has.
        "bench": (folder / "bench" / "RESULT.md").read_text(encoding="utf-8").partition("\n\n")[2],
    }
    for name, table in tables.items():
        readme = put_between(readme, name, table)
    return {
        "wiring.svg": draw_wiring(wiring),
        "bom.csv": handbook.format_bom(handbook.shopping(wiring)),
        "sizes.scad": handbook.format_sizes(wiring, box),
        "README.md": readme,
    }


def other_boxes() -> list[Box]:
    """Of every other game, one for each board that it can be played on, the smallest first."""
    boards: dict[tuple[str, BoardFacts], Box] = {}
    for name in PACKS:
        pack = load_pack(name)
        ways = [{setting.name: choice} for setting in pack.settings for choice in setting.choices]
        for way in ways if name != BOXED else []:
            with suppress(BadSetting):  # not on its own, or not with the usual rest
                box = pack.box_for(choose_settings(pack.settings, way))
                boards.setdefault((box.game, box.board), box)
    return sorted(boards.values(), key=lambda box: (box.title, box.board.files, box.board.ranks))


def put_between(text: str, name: str, table: str) -> str:
    """The text with the table between `<!-- name -->` and `<!-- /name -->`."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not pattern.search(text):
        raise NoSection(f"README.md: got no <!-- {name} --> … <!-- /{name} -->, expected both")
    return pattern.sub(lambda found: f"{found[1]}{table}{found[2]}", text)


def stamp_of(folder: Path, name: str) -> bytes:
    """What an STL of this name must begin with, if it was made from these sources."""
    source, part = PRINTS[name]
    digest = hashlib.sha256(part.encode())
    for path in (folder / source, folder / "sizes.scad"):
        digest.update(path.read_bytes())
    return f"parkwarden {part} {digest.hexdigest()[:32]}".encode().ljust(STAMP_BYTES)


def render_print(folder: Path, name: str, out_path: Path) -> None:
    if shutil.which("openscad") is None:
        raise NoTool("OpenSCAD is not installed: sudo apt install openscad")
    source, part = PRINTS[name]
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "made.stl"
        command = ["openscad", "-q", "-D", f'part="{part}"', "--export-format", "binstl"]
        subprocess.run([*command, "-o", str(made), str(folder / source)], check=True)
        triangles = made.read_bytes()[STAMP_BYTES:]
    out_path.write_bytes(stamp_of(folder, name) + triangles)


if __name__ == "__main__":
    sys.exit(main())
