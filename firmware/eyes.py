"""The thread that sees: camera and vision, one frame after the other.

It owns nothing but the looking. What a frame shows is posted to the session, and the next frame is
taken only when the session has taken in this one: so a slow rules step or a slow card slows the
eyes down, and nothing ever piles up. A camera that fails is posted as a failure and tried again;
how often and how soon is the camera's own business.

Another game is another watcher (`use`). A look that was begun with the old one is finished with it:
each is posted with the watcher it is of, so that whoever takes it in can tell.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.camera import Camera, CameraTrouble
from firmware.snapshot import Failure, Part
from rules.box import Box
from vision.reading import BoardReading
from vision.watch import Look, Watcher

LONGEST_WAIT_S: Final = 5.0
"""After so long without an answer the frame is taken for lost, and the next one is looked at."""
LONGEST_LOOK_S: Final = 30.0
"""What is begun is seen to its end before we go: a thread that is still inside OpenCV when Python
ends brings the process down with an abort. On a very slow machine a look takes seconds."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A look, and whose it is."""

    look: Look
    watcher: Watcher


@dataclass(frozen=True, slots=True)
class Picture:
    """The newest look, and the newest reading of the same board, to be drawn over it."""

    number: int
    look: Look
    reading: BoardReading | None
    box: Box
    """What was looked for."""


class Eyes:
    def __init__(
        self, camera: Camera, watcher: Watcher, post: Callable[[Sighting | Failure], None]
    ) -> None:
        """`post` is called in the thread of the eyes; `taken_in` answers it."""
        self.watcher = watcher
        self.picture: Picture | None = None
        self._camera, self._post = camera, post
        self._taken_in = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def are_open(self) -> bool:
        """False once their thread has ended, by `close` or because something of ours fell."""
        return self._thread.is_alive()

    def use(self, watcher: Watcher) -> None:
        """From the next look on. From any thread."""
        self.watcher = watcher

    def taken_in(self) -> None:
        """The session is done with what was posted last."""
        self._taken_in.set()

    def close(self) -> None:
        self._closing.set()
        self._taken_in.set()
        if self._thread.is_alive():
            self._thread.join(LONGEST_LOOK_S)
        self._camera.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._taken_in.clear()
            self._post(self._see())
            self._taken_in.wait(LONGEST_WAIT_S)

    def _see(self) -> Sighting | Failure:
        watcher = self.watcher  # it may be another one by the time we are done
        try:
            frame = self._camera.read()
        except CameraTrouble as trouble:
            return Failure(Part.CAMERA, trouble.reason, str(trouble))
        look = watcher.look(frame)
        reading, before = look.reading, self.picture
        if reading is None and look.trouble is None and before and before.box == watcher.box:
            reading = before.reading
        self.picture = Picture(frame.number, look, reading, watcher.box)
        return Sighting(look, watcher)
