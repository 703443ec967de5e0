"""The camera and its picture, judged: does it give frames, and would the referee see with them?

A picture is judged by the board in it (`vision.condition`); where none is found, that is said with
its reason, and light is judged by the whole picture. A camera that works and looks at a dark table
is no failure: what is in the way of seeing is a warning with what to change.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from firmware.bedside import BUSY
from firmware.camera import SETTLING_FRAMES, Camera, CameraTrouble, Fault
from firmware.checks import Finding, State
from firmware.snapshot import Failure, Part
from rules.box import Box
from vision.advice import BURNT, DARK
from vision.classify import Classifier
from vision.condition import MOST_BURNT, MOST_DARK, SHARP, Condition, condition_of, shares_of
from vision.frame import Frame
from vision.geometry import Image
from vision.labels import Labels
from vision.locate import Located, locate
from vision.network import NoNetwork
from vision.reading import BoardReading, Unreadable
from vision.rectify import Rectifier
from vision.watch import Watcher

FRAMES: Final = 3
LOOK_FRAMES: Final = 60
"""So many frames a look waits for hands to be gone."""
TRIES: Final = 3
"""A camera that is just being plugged in, or held by somebody else, gets so many chances."""
_ADVICE: Final = {
    Fault.MISSING: f"plug it in, and check that the config names the right one. {BUSY}",
    Fault.UNPLUGGED: "check both ends of its cable",
    Fault.FROZEN: "pull its plug and push it in again",
    Fault.GARBAGE: "its cable is loose, too long or broken",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """What the camera sees, with what was recognised in it."""

    image_bgr: Image
    found: Located | Unreadable
    reading: BoardReading | None


def check_camera(
    camera: Camera, words: str, clock: Callable[[], float], is_certain: bool = True
) -> tuple[Finding, Frame | None]:
    """`is_certain` where the config names the camera, and not where it is only sought."""
    frames = FRAMES + (SETTLING_FRAMES if words == "pi" else 0)
    facts: dict[str, object] = {"camera": words}
    frame: Frame | None = None
    started_s = clock()
    for chance in range(TRIES):
        try:
            frame = camera.read()
            started_s = clock()
            for _ in range(frames - 1):
                frame = camera.read()
        except CameraTrouble as trouble:
            facts["fault"] = trouble.reason
            if chance + 1 < TRIES:
                continue
            is_absent = trouble.reason is Fault.MISSING and not is_certain
            state = State.NOT_FITTED if is_absent else State.FAILED
            said = f"{trouble.reason}: {trouble.detail}"
            return Finding("camera", state, said, _ADVICE[trouble.reason], facts), None
        break
    assert frame is not None, "a camera gives a frame or raises"
    high, wide = frame.image_bgr.shape[:2]
    facts |= {"wide": wide, "high": high, "seconds_a_frame": (clock() - started_s) / (frames - 1)}
    return Finding("camera", State.OK, f"{words} gives {wide}×{high}", facts=facts), frame


@dataclass(frozen=True, slots=True)
class Seen:
    """A look at the table, and the picture it was."""

    what: BoardReading | Unreadable | Failure
    image_bgr: Image | None = None


def see_table(camera: Camera, watcher: Watcher) -> Seen:
    """The table as soon as nothing moves over it any more and nothing lies over it."""
    seen = Seen(Failure(Part.CAMERA, "other", "the table never stood still"))
    for _ in range(LOOK_FRAMES):
        try:
            frame = camera.read()
        except CameraTrouble as trouble:
            return Seen(Failure(Part.CAMERA, trouble.reason, str(trouble)))
        look = watcher.look(frame)
        if look.reading is not None or look.trouble is not None:
            seen = Seen(look.reading or look.trouble or seen.what, frame.image_bgr)
            if look.reading is None or not look.reading.hidden:
                break
    return seen


def look(image_bgr: Image, box: Box) -> Picture:
    found = locate(image_bgr, box.board)
    reading = None
    if isinstance(found, Located):
        with suppress(NoNetwork):  # a game may be played whose pieces nobody taught us to see
            board = Classifier(replace(box, board=found.board))
            reading = board.read(image_bgr, found.view, found.scale)
    return Picture(image_bgr, found, reading)


def check_picture(picture: Picture, box: Box) -> list[Finding]:
    """The board, and how focus, light and glare serve it."""
    found = picture.found
    if isinstance(found, Unreadable):
        words, facts = f"not found: {found.reason}", {"reason": found.reason}
        board = Finding("board", State.WARNING, words, found.advice, facts)
        focus = Finding("focus", State.NOT_ASKED, "there is no board to judge it by")
        burnt, dark = shares_of(picture.image_bgr)
        return [board, focus, _exposure(burnt, dark)]
    box = replace(box, board=found.board)  # of which a part may be played on
    rectified = Rectifier.of(found.view, box.board)(picture.image_bgr)
    condition = condition_of(rectified, Labels(box))
    return [
        _board(found, picture.reading, box),
        _focus(condition),
        _exposure(condition.burnt, condition.dark),
        _glare(condition),
    ]


def _board(found: Located, reading: BoardReading | None, box: Box) -> Finding:
    facts: dict[str, object] = {
        "score": round(found.score, 3),
        "corners_a1_h1_h8_a8": found.view.corners_px(box.board).round(1).tolist(),
        "markers": list(found.markers),
    }
    if reading is None:
        words = f"found, but no network reads the pieces of {box.title}"
        return Finding("board", State.WARNING, words, "make one: vision.weights.train", facts)
    facts |= {"pieces": len(reading.position), "unsure": sorted(reading.unsure)}
    words = f"found, {len(reading.position)} pieces on it, {len(reading.unsure)} cells unsure"
    advice = " ".join((*found.advice, *reading.advice))
    return Finding("board", State.WARNING if advice else State.OK, words, advice, facts)


def _focus(condition: Condition) -> Finding:
    sharpness = condition.sharpness
    facts = {"sharpness": round(sharpness, 3), "sharp_from": SHARP}
    words = f"sharpness {sharpness:.2f}, sharp from {SHARP:.2f} on"
    if sharpness >= SHARP:
        return Finding("focus", State.OK, words, facts=facts)
    advice = "turn the lens until the board's lines are crisp; wipe it; let nothing shake it"
    return Finding("focus", State.WARNING, f"blurred: {words}", advice, facts)


def _exposure(burnt: float, dark: float) -> Finding:
    facts = {"burnt": round(burnt, 3), "dark": round(dark, 3)}
    words = f"{burnt:.0%} burnt out (from {BURNT} on), {dark:.0%} in the dark (below {DARK})"
    if dark > MOST_DARK:
        return Finding("exposure", State.WARNING, f"too dark: {words}", "more light, please", facts)
    if burnt > MOST_BURNT:
        advice = "less light, or let it come from the side"
        return Finding("exposure", State.WARNING, f"too bright: {words}", advice, facts)
    return Finding("exposure", State.OK, words, facts=facts)


def _glare(condition: Condition) -> Finding:
    cells = sorted(condition.glaring)
    facts = {"cells": cells}
    if not cells:
        return Finding("glare", State.OK, "none", facts=facts)
    words = f"on {' '.join(cells)}"
    advice = "move the lamp aside, or bring the camera out of its mirror image"
    return Finding("glare", State.WARNING, words, advice, facts)
