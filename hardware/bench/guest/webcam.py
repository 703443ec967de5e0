"""Real OpenCV on a V4L2 device of the kernel, which is taken away and given back.

vivid is a camera that draws its own test picture. Unbinding its driver is what pulling the plug is
to a webcam: the device node goes while we are reading from it.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from report import row, wait_until

from firmware.camera import CameraTrouble, open_camera
from vision.frame import Frame

DRIVER: Final = Path("/sys/bus/platform/drivers/vivid")
DEVICE: Final = "vivid.0"
NODE: Final = Path("/dev/video0")
SIZE_WH: Final = (640, 360)
LIMIT_S: Final = 60.0


def main() -> None:
    subprocess.run(
        ["modprobe", "vivid", "n_devs=1", "node_types=0x1", "num_inputs=1", "input_types=0x00"],
        check=True,
    )
    wait_until(NODE.exists, LIMIT_S)
    camera = open_camera(f"usb:{NODE}", time.monotonic, time.sleep, SIZE_WH)
    frames = [camera.read() for _ in range(10)]
    took_s = frames[-1].taken_s - frames[0].taken_s
    high, wide = frames[0].image_bgr.shape[:2]
    numbers = [frame.number for frame in frames]
    row(
        "V4L2 camera",
        "frames from OpenCV on a kernel device",
        f"{len(frames)} frames of {wide}×{high} in {took_s:.1f} s",
        numbers == list(range(10)),
    )

    (DRIVER / "unbind").write_text(DEVICE)
    pulled_s = time.monotonic()
    troubles, frame = _read_until(camera.read, wants_frame=False)
    first = troubles[0] if troubles else None
    row(
        "V4L2 unplug",
        "told as trouble, and no hang",
        f"{first.reason} after {time.monotonic() - pulled_s:.1f} s" if first else "not noticed",
        first is not None,
    )
    more, _ = _read_until(camera.read, wants_frame=False)
    (DRIVER / "bind").write_text(DEVICE)
    plugged_s = time.monotonic()
    wait_until(NODE.exists, LIMIT_S)
    meanwhile, frame = _read_until(camera.read, wants_frame=True)
    took_s = time.monotonic() - plugged_s
    reasons = sorted({str(t.reason) for t in [*troubles, *more, *meanwhile]})
    row(
        "V4L2 replug",
        "frames again, numbers go on",
        f"frame {frame.number} after {took_s:.1f} s (told: {', '.join(reasons)})"
        if frame
        else f"no frame in {LIMIT_S:.0f} s",
        frame is not None and frame.number >= len(frames),
    )
    camera.close()


def _read_until(
    read: Callable[[], Frame], *, wants_frame: bool
) -> tuple[list[CameraTrouble], Frame | None]:
    """Read until there is a frame, or until there is trouble."""
    troubles: list[CameraTrouble] = []
    started_s = time.monotonic()
    while time.monotonic() - started_s < LIMIT_S:
        try:
            frame = read()
        except CameraTrouble as trouble:
            troubles.append(trouble)
            if not wants_frame:
                return troubles, None
        else:
            if wants_frame:
                return troubles, frame
    return troubles, None


if __name__ == "__main__":
    main()
