"""Real picamera2 on real libcamera, whose virtual camera shows tables of ours.

Our PiCamera adapter opens it as it opens the camera of a Pi, and the board has to be found and read
as it stands. The virtual pipeline is not a Pi's in one thing: it gives NV12 and nothing else, where
a Pi's gives what it calls RGB888. The subclass below asks for the one and hands on the other.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Final

import cv2
from report import row, say

from firmware.camera import SETTLING_FRAMES, Pace, PiCamera, SteadyCamera
from rules.board import Position, format_position
from rules.packs import load_pack
from vision.classify import Classifier
from vision.glance import glance
from vision.reading import BoardReading

SIZE_WH: Final = (1280, 960)
FPS: Final = 5
SCENES: Final = Path("/checkout/extra")
HEAP: Final = Path("/dev/dma_heap/linux,cma")
"""Where a Pi's kernel has memory for frames; an ordinary one has the same beside it."""
CONFIG: Final = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")


def virtual_library() -> Any:
    """Imported here, as it looks for cameras when it is."""
    import libcamera  # type: ignore[import-not-found]
    from picamera2 import Picamera2  # type: ignore[import-not-found]
    from picamera2.allocators import DmaAllocator  # type: ignore[import-not-found]

    class TwoPlanes(DmaAllocator):  # type: ignore[misc]
        """A Pi's frames are one plane each; those of this camera are brightness, then colour."""

        def allocate(self, libcamera_config: Any, use_case: Any) -> None:
            super().allocate(libcamera_config, use_case)
            for stream, buffers in self.frame_buffers.items():
                self.frame_buffers[stream] = [self._split(buffer) for buffer in buffers]

        def _split(self, buffer: Any) -> Any:
            whole, planes = buffer.planes[0], []
            bright = whole.length * 2 // 3
            for offset, length in ((0, bright), (bright, whole.length - bright)):
                plane = libcamera.FrameBuffer.Plane()
                plane.fd, plane.offset, plane.length = whole.fd, offset, length
                planes.append(plane)
            split = libcamera.FrameBuffer(planes)
            # The same memory goes by the new buffer's name from now on.
            self.mapped_buffers[split] = self.mapped_buffers.pop(buffer)
            number = split.planes[0].fd
            self.libcamera_fds.append(number)
            self.mapped_buffers_used[number] = False
            return split

    class VirtualPicamera2(Picamera2):  # type: ignore[misc]
        """The library, where there is no sensor and no BGR."""

        def __init__(self) -> None:
            super().__init__()
            self.allocator = TwoPlanes()

        def _get_raw_modes(self) -> list[dict[str, Any]]:
            # There is no sensor behind it; without a mode to call its own the library gives up.
            return [{"format": "SRGGB8", "size": SIZE_WH}]

        def create_video_configuration(self, **options: Any) -> Any:
            main = {**options.pop("main", {}), "format": "NV12"}
            return super().create_video_configuration(main=main, **options)

        def capture_array(self, name: str = "main", **options: Any) -> Any:
            wide, high = SIZE_WH
            planes = super().capture_array(name, **options)[: high * 3 // 2, :wide]
            return cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_NV12)

    return VirtualPicamera2()


def show(scene: str) -> None:
    CONFIG.parent.mkdir(parents=True, exist_ok=True)
    wide, high = SIZE_WH
    CONFIG.write_text(
        f'"Virtual0":\n  supported_formats:\n  - width: {wide}\n    height: {high}\n'
        f"    frame_rates:\n    - {FPS}\n"
        f'  frames:\n    path: "{SCENES / scene}"\n    scale_mode: "fill"\n'
        '  location: "CameraLocationFront"\n  model: "Virtual camera"\n',
        encoding="utf-8",
    )


def main() -> None:
    # libcamera reads what it shows once a process, so each scene has one of its own.
    if len(sys.argv) == 1:
        HEAP.symlink_to("system")
        for scene in sorted(path.stem for path in SCENES.glob("*.json")):
            show(scene)
            if os.spawnl(os.P_WAIT, sys.executable, sys.executable, __file__, scene):
                row(f"picamera2: {scene}", "the board is read", "the process fell", False)
        row(
            "picamera2: a Pi's own",
            "RGB888 is our BGR; exposure and focus get locked",
            "the virtual camera has NV12 only, and none of these controls",
            None,
        )
        return
    scene = sys.argv[1]
    box = load_pack("masterplan").box
    pace = Pace(FPS, time.monotonic, time.sleep)
    camera = SteadyCamera(
        lambda: PiCamera(SIZE_WH, pace, virtual_library), time.monotonic, time.sleep
    )
    frames = [camera.read() for _ in range(SETTLING_FRAMES + 3)]
    took_s = frames[-1].taken_s - frames[0].taken_s
    seen = glance(frames[-1].image_bgr, Classifier(box))
    camera.close()
    stands = json.loads((SCENES / f"{scene}.json").read_text(encoding="utf-8"))
    if isinstance(seen, BoardReading):
        pieces = {cell: read.piece for cell, read in seen.cells.items() if read.piece}
        read = format_position(Position(pieces, box.board.files, box.board.ranks))
        wrong = sum(a != b for a, b in zip(read.split(), stands.split(), strict=False))
    else:
        read, wrong = str(seen), -1
    say(read=read, stands=stands)
    row(
        f"picamera2: {scene}",
        "our scene through libcamera, every cell read",
        f"{len(frames)} frames in {took_s:.1f} s; "
        + (f"{wrong} cells wrong" if wrong >= 0 else f"no board: {read}"),
        wrong == 0,
    )


if __name__ == "__main__":
    main()
