"""The wiring diagram, as SVG, drawn from the wires themselves.

The header stands in the middle with a row for every pair of pins, and whatever hangs on a pin lies
in that pin's row: odd pins to the left, even ones to the right. So no wire ever bends, and the
picture stays right when a pin is changed in the file. The display takes the rows of its pads; the
optional finger branches off its wires, dashed. All LEDs, buttons and the buzzer end on the ground
strip of their side.
"""

from __future__ import annotations

from typing import Final

from firmware.currents import FINGER_ROW, bulb_load, buzzer_load, finger_load
from firmware.svg import CASE, FAINT, INK, SHADES, Svg, format_points
from firmware.wiring import PIN_NAMES, Contact, Light, Wiring

WIDE, HIGH = 1240, 1150
MIDDLE: Final = WIDE / 2
FIRST_ROW, ROW = 370.0, 36.0
PIN_OFF: Final = 19.0
"""A column of pins from the middle."""
PI_HALF: Final = 120.0
STRIP_OFF: Final = 440.0
"""The ground strips from the middle."""
BRANCH_OFF: Final = (154.0, 186.0, 218.0, 250.0)
"""Where the finger's wires leave the display's, from the middle."""

PIN_SHADES: Final = {"3.3 V": "#f2b8b3", "5 V": "#d8342b", "ground": "#2b2b2b"}


def draw_wiring(wiring: Wiring) -> str:
    svg = Svg()
    svg.add("title", "Wiring of Parkwarden")
    svg.add("rect", width=WIDE, height=HIGH, fill="#fbfaf7")
    svg.text("Parkwarden: every wire", 40, 44, 26, font_weight="bold")
    svg.text(
        "Wires have the colours of this picture; the numbers in circles are the header's pins, "
        "GPIO numbers are the firmware's.",
        40,
        78,
        fill=FAINT,
    )
    _camera(svg)
    _notes(svg)
    _pi(svg)
    _strips(svg, wiring)
    _display(svg, wiring)
    _finger(svg, wiring)
    for contact in wiring.contacts:
        _contact(svg, contact, wiring)
    _pins(svg, wiring)
    return svg.format(WIDE, HIGH)


def _row_y(pin: int) -> float:
    return FIRST_ROW + (pin - 1) // 2 * ROW


def _side(pin: int) -> int:
    """-1 for the odd pins on the left, 1 for the even ones."""
    return -1 if pin % 2 else 1


def _pin_x(pin: int) -> float:
    return MIDDLE + _side(pin) * PIN_OFF


def _pi(svg: Svg) -> None:
    top, bottom = _row_y(1) - 68, _row_y(40) + 58
    svg.box(
        MIDDLE - PI_HALF, top, 2 * PI_HALF, bottom - top, rx=16, fill="#e3efe4", stroke="#3f7a4a"
    )
    said = {"text_anchor": "middle", "fill": "#2f5d38"}
    svg.text("Raspberry Pi", MIDDLE, top + 18, 16, font_weight="bold", **said)
    svg.text("this end: microSD card", MIDDLE, top + 38, 11, **said)
    svg.text("this end: USB sockets", MIDDLE, bottom - 18, 11, **said)
    wide = 2 * PIN_OFF + 34
    svg.box(MIDDLE - wide / 2, _row_y(1) - 17, wide, 19 * ROW + 34, fill=CASE, rx=5)


def _pins(svg: Svg, wiring: Wiring) -> None:
    used = {contact.pin for contact in wiring.contacts}
    used |= {pad.pin for pad in (*wiring.display.pads, *wiring.ground)}
    for pin, name in PIN_NAMES.items():
        x, y = _pin_x(pin), _row_y(pin)
        fill = PIN_SHADES.get(name, "#f4e3b2") if pin in used else "#c9ced3"
        dark = pin in used and name == "ground"
        svg.add("circle", cx=x, cy=y, r=12, fill=fill, stroke="#ffffff", stroke_width=1.5)
        number = {"text_anchor": "middle", "fill": "#ffffff" if dark else INK}
        svg.text(str(pin), x, y, 12, **number)
        if pin in used:
            anchor = "end" if _side(pin) < 0 else "start"
            at = MIDDLE + _side(pin) * (PIN_OFF + 25)
            # On the wire, so it needs a ground of its own.
            wide = 12 + 7 * len(name)
            left = at - wide + 6 if anchor == "end" else at - 6
            svg.box(left, y - 9, wide, 18, rx=4, fill="#e3efe4", stroke="none")
            svg.text(name, at, y, 12, text_anchor=anchor)


def _strips(svg: Svg, wiring: Wiring) -> None:
    """The common ground of each side, from its first to its last part."""
    for pad in wiring.ground:
        side = _side(pad.pin)
        x = MIDDLE + side * STRIP_OFF
        rows = [_row_y(pad.pin)]
        rows += [_row_y(contact.pin) for contact in wiring.contacts if _side(contact.pin) == side]
        svg.wire(pad.wire, (_pin_x(pad.pin), _row_y(pad.pin)), (x, _row_y(pad.pin)))
        svg.wire(pad.wire, (x, min(rows)), (x, max(rows)))
        svg.dot(x, _row_y(pad.pin))
        anchor = "end" if side < 0 else "start"
        svg.text("ground strip", x + side * 14, _row_y(pad.pin), fill=FAINT, text_anchor=anchor)


def _contact(svg: Svg, contact: Contact, wiring: Wiring) -> None:
    side, y = _side(contact.pin), _row_y(contact.pin)
    strip = MIDDLE + side * STRIP_OFF
    part = MIDDLE + side * (STRIP_OFF - 75)
    svg.wire("black", (strip, y), (part, y))
    svg.wire(contact.wire, (part, y), (_pin_x(contact.pin), y))
    svg.dot(strip, y)
    if isinstance(contact, Light):
        name = f"{contact.name} LED"
        _led(svg, part, y, side, SHADES[contact.bulb.glows])
        _resistor(svg, part - side * 95, y, bulb_load("", contact.bulb, wiring.supply).ohm)
    elif contact is wiring.buzzer:
        name = contact.name
        _buzzer(svg, part, y)
        _resistor(svg, part - side * 95, y, buzzer_load("", wiring.supply).ohm)
    else:
        name = f"{contact.name} button"
        _button(svg, part, y)
    anchor = "end" if side < 0 else "start"
    svg.text(name, strip + side * 14, y, 15, text_anchor=anchor, font_weight="bold")


def _led(svg: Svg, x: float, y: float, side: int, shade: str) -> None:
    """The arrow points to ground; the long leg is on its blunt side."""
    base, tip = x - side * 13, x + side * 13
    svg.box(x - 20, y - 15, 40, 30, fill="#fbfaf7", stroke="none", rx=2)
    svg.add(
        "polygon",
        points=format_points((base, y - 12), (base, y + 12), (tip, y)),
        fill=shade,
        stroke=CASE,
        stroke_width=2,
    )
    svg.add("line", x1=tip, y1=y - 12, x2=tip, y2=y + 12, stroke=CASE, stroke_width=3)
    for start, end in ((x - side * 20, base), (tip, x + side * 20)):
        svg.add("line", x1=start, y1=y, x2=end, y2=y, stroke=CASE, stroke_width=3)


def _resistor(svg: Svg, x: float, y: float, ohm: int) -> None:
    svg.box(x - 30, y - 10, 60, 20, fill="#f3e2c0", rx=5)
    svg.text(f"{ohm} Ω", x, y, 13, text_anchor="middle")


def _button(svg: Svg, x: float, y: float) -> None:
    svg.box(x - 22, y - 15, 44, 30, fill="#fbfaf7", stroke="none", rx=2)
    for off in (-17, 17):
        svg.add("circle", cx=x + off, cy=y, r=5, fill="#ffffff", stroke=CASE, stroke_width=2)
    svg.add("line", x1=x - 19, y1=y - 9, x2=x + 19, y2=y - 9, stroke=CASE, stroke_width=3)
    svg.add("line", x1=x, y1=y - 16, x2=x, y2=y - 9, stroke=CASE, stroke_width=3)


def _buzzer(svg: Svg, x: float, y: float) -> None:
    svg.add("circle", cx=x, cy=y, r=15, fill="#ffffff", stroke=CASE, stroke_width=2)
    svg.add("circle", cx=x, cy=y, r=4, fill=CASE)


def _display(svg: Svg, wiring: Wiring) -> None:
    pads = wiring.display.pads
    edge, left = MIDDLE - STRIP_OFF + 175, MIDDLE - STRIP_OFF - 115
    top, bottom = _row_y(pads[0].pin) - 24, max(_row_y(pad.pin) for pad in pads) + 14
    for pad in pads:
        svg.wire(pad.wire, (edge, _row_y(pad.pin)), (_pin_x(pad.pin), _row_y(pad.pin)))
    svg.box(left, top, edge - left, bottom - top, fill="#eef1f5")
    svg.box(left + 20, top + 20, 190, bottom - top - 40, fill="#10151b")
    lit = {"fill": "#9fd8ff", "text_anchor": "middle"}
    svg.text(wiring.display.name, left + 115, (top + bottom) / 2 - 12, 18, **lit)
    address = f"I2C {wiring.display.port}, 0x{wiring.display.address:02x}"
    svg.text(address, left + 115, (top + bottom) / 2 + 14, 13, **lit)
    for pad in pads:
        svg.text(pad.name, edge - 12, _row_y(pad.pin), 13, text_anchor="end")


def _finger(svg: Svg, wiring: Wiring) -> None:
    finger, ohm = wiring.finger, finger_load(wiring).ohm
    left, top, wide, high = 40.0, 110.0, 450.0, 185.0
    svg.box(left, top, wide, high, fill="#fdf6ec", stroke_dasharray="8 6")
    svg.text("optional: the finger", left + 16, top + 22, 16, font_weight="bold")
    rows = ((finger.files, "abcdefgh"), (finger.ranks, "12345678"))
    for y, (port, names) in zip((top + 60, top + 104), rows, strict=True):
        svg.text(f"{port}0 to {port}{FINGER_ROW - 1}", left + 16, y - 7, 13)
        svg.text(f"{ohm} Ω each", left + 16, y + 10, 12, fill=FAINT)
        for number, name in enumerate(names[:FINGER_ROW]):
            x, shade = left + 160 + number * 34, SHADES[finger.bulb.glows]
            svg.add("circle", cx=x, cy=y - 7, r=9, fill=shade, stroke=CASE, stroke_width=2)
            svg.text(name, x, y + 12, 12, text_anchor="middle")
    chip = f"{finger.chip.name}, I2C {finger.chip.port}, 0x{finger.chip.address:02x}"
    tied = f"{', '.join(finger.tied_high)} to VDD; {', '.join(finger.tied_low)} to VSS"
    svg.text(chip, left + 16, top + high - 38, 13)
    svg.text(tied, left + 16, top + high - 18, 12, fill=FAINT)
    for off, pad in zip(BRANCH_OFF, finger.chip.pads, strict=True):
        x, y = MIDDLE - off, _row_y(pad.pin)
        svg.wire(pad.wire, (x, y), (x, top + high), dashed=True)
        svg.dot(x, y)
        svg.text(pad.name, x, top + high - 14, 12, text_anchor="middle")


def _notes(svg: Svg) -> None:
    left, top = 800.0, _row_y(1) - 40
    for number, note in enumerate(
        (
            "An LED's long leg looks to its resistor, its arrow to ground.",
            "Buttons need no resistor: the Pi pulls their pins up.",
            "Nothing here is ever connected to 5 V (pins 2 and 4).",
            "Wire it with the power off; then count the pins again.",
        )
    ):
        svg.add("circle", cx=left, cy=top + number * 26, r=3, fill=FAINT)
        svg.text(note, left + 14, top + number * 26, 13, fill=FAINT)


def _camera(svg: Svg) -> None:
    left, top, wide, high = 780.0, 110.0, 420.0, 150.0
    x = MIDDLE + 60
    svg.add(
        "polyline",
        points=format_points((left, top + 75), (x, top + 75), (x, _row_y(1) - 66)),
        fill="none",
        stroke="#b9c0c7",
        stroke_width=16,
        stroke_linejoin="round",
    )
    svg.box(left, top, wide, high, fill="#eef1f5")
    svg.add("circle", cx=left + 70, cy=top + 75, r=40, fill="#10151b", stroke=CASE, stroke_width=2)
    svg.add("circle", cx=left + 70, cy=top + 75, r=18, fill="#3a6fd0")
    svg.add("circle", cx=left + 63, cy=top + 68, r=5, fill="#ffffff")
    svg.text("camera", left + 135, top + 50, 18, font_weight="bold")
    svg.text("Camera Module 3: ribbon to CAM 0", left + 135, top + 80, 13)
    svg.text("or any UVC webcam: USB", left + 135, top + 102, 13)
