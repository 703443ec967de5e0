"""The tables of hardware/README.md, the bill of materials and the sizes for OpenSCAD, as text.

Each is a function of the wiring and the box, so that no figure is ever typed twice.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from firmware.currents import FINGER_ROW, finger_load, loads, totals
from firmware.height import AIM_MM, PICTURE_SHAPE, STEP_MM, Hang, hang
from firmware.playmat import CARD_MM, board_size_mm
from firmware.wiring import PIN_NAMES, Light, Part, Wiring
from rules.box import Box
from vision.scene.chance import HEIGHTS_MM

OTHER_CELLS_MM: Final = (30.0, 40.0, 45.0)
"""Boards with other cells, for the table of heights."""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def pin_table(wiring: Wiring) -> str:
    load_of = {load.name: load for load in loads(wiring)}
    rows = []
    for contact in wiring.contacts:
        load = load_of[contact.name]
        kind = "LED" if isinstance(contact, Light) else "button"
        name = contact.name if contact is wiring.buzzer else f"{contact.name} {kind}"
        resistor = f"{load.ohm} Ω" if load.ohm else "none"
        where = (f"**{name}**", f"**{contact.pin}**", f"GPIO {contact.gpio}")
        rows.append((*where, contact.wire, resistor, contact.says))
    for pad in wiring.display.pads:
        where = (f"**display {pad.name}**", f"**{pad.pin}**", PIN_NAMES[pad.pin])
        rows.append((*where, pad.wire, "none", "what is due, the score, and why"))
    for pad in wiring.ground:
        says = f"all LEDs and buttons on the {pad.name} of the diagram"
        rows.append(
            (f"**{pad.name} ground strip**", f"**{pad.pin}**", "ground", pad.wire, "", says)
        )
    return _table(("part", "header pin", "is", "wire", "resistor", "says"), rows)


def current_table(wiring: Wiring) -> str:
    lights = {light.name: light.bulb for light in wiring.leds}
    per_light = _table(
        ("LED", "forward voltage", "wanted", "resistor (E12)", "flows", "at worst"),
        (
            (
                f"{load.name} ({lights[load.name].glows})",
                f"{lights[load.name].forward_v:.1f} V",
                f"{lights[load.name].target_ma:g} mA",
                f"{load.ohm} Ω",
                f"{load.ma:.1f} mA",
                f"{load.worst_ma:.1f} mA",
            )
            for load in loads(wiring)
            if load.name in lights
        ),
    )
    together = _table(
        ("together, at worst", "taken", "allowed"),
        ((total.name, f"{total.ma:.1f} mA", f"{total.most_ma:g} mA") for total in totals(wiring)),
    )
    return f"{per_light}\n{together}"


def height_table(wiring: Wiring, box: Box) -> str:
    rows = []
    for cell_mm in sorted((box.board.cell_mm, *OTHER_CELLS_MM)):
        board = replace(box.board, cell_mm=cell_mm)
        wide, high = board_size_mm(board)
        name = f"{wide:g}×{high:g} mm (cells of {cell_mm:g})"
        row = [name, *(_height(hang(board, lens)) for lens in wiring.lenses)]
        is_ours = board == box.board
        rows.append([f"**{text}**" if is_ours else text for text in row])
    return _table(("board with its rim", *(lens.name for lens in wiring.lenses)), rows)


def other_heights_table(wiring: Wiring, boxes: Iterable[Box]) -> str:
    """The same for the boards of other games."""
    rows = []
    for box in boxes:
        board = box.board
        wide, high = board_size_mm(board)
        cells = f"{board.files}×{board.ranks} cells of {board.cell_mm:g}"
        name = f"{box.title}: {wide:g}×{high:g} mm ({cells})"
        rows.append([name, *(_height(hang(board, lens)) for lens in wiring.lenses)])
    return _table(("board with its rim", *(lens.name for lens in wiring.lenses)), rows)


def _height(found: Hang) -> str:
    if found.highest_mm < found.lowest_mm:
        return f"{found.lowest_mm} mm, at a pinch"
    return f"{found.lowest_mm} to {found.highest_mm} mm"


def finger_table(wiring: Wiring) -> str:
    finger, ohm = wiring.finger, finger_load(wiring).ohm
    rows = []
    for pad in finger.chip.pads:
        to = f"the display's wire to pin {pad.pin} ({PIN_NAMES[pad.pin]})"
        rows.append((pad.name, to, pad.wire))
    rows.append((", ".join(finger.tied_high), "VDD", "red"))
    address = f"VSS: address 0x{finger.chip.address:02x}"
    rows.append((", ".join(finger.tied_low), address, "black"))
    last = FINGER_ROW - 1
    for port, first, end in ((finger.files, "file a", "h"), (finger.ranks, "rank 1", "8")):
        legs = f"LEDs from {first} to {end}, {ohm} Ω each, other leg to VSS"
        rows.append((f"{port}0 to {port}{last}", legs, "any"))
    return _table((finger.chip.name, "goes to", "wire"), rows)


def shopping(wiring: Wiring) -> list[Part]:
    """All to buy: LEDs and resistors counted, the finger last."""
    lights: defaultdict[str, list[str]] = defaultdict(list)
    for light in wiring.leds:
        lights[light.bulb.glows].append(light.name)
    ohms: defaultdict[int, list[str]] = defaultdict(list)
    for load in loads(wiring):
        if load.ohm:
            ohms[load.ohm].append(load.name)
    leds = [
        Part(len(names), f"LED 5 mm, diffused, {glows}", "LED 3 mm in a bezel", " and ".join(names))
        for glows, names in lights.items()
    ]
    resistors = [
        Part(len(names), f"resistor {ohm} Ω, 0.25 W", "the next value up", " and ".join(names))
        for ohm, names in sorted(ohms.items())
    ]
    count, ohm = 2 * FINGER_ROW, finger_load(wiring).ohm
    glows = wiring.finger.bulb.glows
    finger = [
        *wiring.finger_parts,
        Part(count, f"LED 5 mm, diffused, {glows}", "LED 3 mm", "one beside each file and rank"),
        Part(count, f"resistor {ohm} Ω, 0.25 W", "the next value up", "one for each of them"),
    ]
    optional = [replace(part, why=f"optional finger: {part.why}") for part in finger]
    return [*wiring.parts, *leds, *resistors, *optional]


def format_bom(parts: Iterable[Part]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("quantity", "part", "substitute", "why"))
    writer.writerows((part.quantity, part.part, part.substitute, part.why) for part in parts)
    return out.getvalue()


def format_sizes(wiring: Wiring, box: Box) -> str:
    wide, high = board_size_mm(box.board)
    lenses = ", ".join(
        f'["{lens.name}", {lens.horizontal_deg:g}, {lens.vertical_deg:g}]' for lens in wiring.lenses
    )
    sizes = {
        "board_mm": f"[{wide:g}, {high:g}]",
        "board_thick_mm": f"{box.board.thickness_mm:g}",
        "cell_mm": f"{box.board.cell_mm:g}",
        "card_mm": f"{CARD_MM:g}",
        "aim_mm": f"{AIM_MM:g}",
        "picture_shape": f"{PICTURE_SHAPE:.6f}",
        "learnt_from_mm": f"{HEIGHTS_MM[0]:g}",
        "step_mm": f"{STEP_MM:g}",
        "lenses": f"[{lenses}]",
        "leds": _names(light.name for light in wiring.leds),
        "buttons": _names(button.name for button in wiring.buttons),
        "finger_row": f"{FINGER_ROW}",
    }
    head = "// Made from wiring.yml and the box of the game by `make wiring`: change it there.\n\n"
    return head + "".join(f"{name} = {value};\n" for name, value in sizes.items())


def _names(names: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
