"""`make bench`, the second half: how long seeing takes, in units of a common piece of work.

The unit is one ArUco detection and one perspective warp of the same 1280×960 picture, on one core,
taken in turns with what is measured, so that a busy moment of the machine hits both alike.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rules.packs import load_pack
from vision.classify import Classifier
from vision.frame import Frame, load_picture, read_recording
from vision.geometry import Image, View
from vision.glance import glance
from vision.landmarks import Landmarks
from vision.locate import Located, locate
from vision.stillness import Gate
from vision.watch import Watcher

SCENES: Final = Path(__file__).parent / "scenes"
ROUNDS: Final = 5
FRAMES: Final = 10_000
BOX: Final = load_pack("masterplan").box


def unit(image: Image) -> None:
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cv2.aruco.ArucoDetector(words).detectMarkers(image)
    turn = cv2.getRotationMatrix2D((640, 480), 3, 1)
    cv2.warpPerspective(image, np.vstack([turn, [0, 0, 1]]), (1280, 960))


def spent(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_units(work: Callable[[Image], object], images: list[Image]) -> tuple[float, float]:
    """Median and largest cost over the pictures, each the best of some rounds."""
    costs = []
    for image in images:
        rounds = [
            (spent(lambda: unit(image)), spent(lambda: work(image)))  # noqa: B023
            for _ in range(ROUNDS)
        ]
        costs.append(min(w for _, w in rounds) / min(u for u, _ in rounds))
    return statistics.median(costs), max(costs)


def show(name: str, cost: tuple[float, float], goal: float) -> None:
    print(f"{name:40}{cost[0]:8.2f}{cost[1]:8.2f}   (≤ {goal})")


def reread(classifier: Classifier) -> Callable[[Image], object]:
    """Reading a board whose place is known: its corners checked, then all of it read."""
    places: dict[int, tuple[View, Landmarks]] = {}

    def work(image: Image) -> object:
        if id(image) not in places:
            found = locate(image, BOX.board)
            assert isinstance(found, Located)
            places[id(image)] = found.view, Landmarks(image, found.view, BOX.board)
        view, landmarks = places[id(image)]
        assert landmarks.hold(image)
        return classifier.read(image, view)

    return work


def unchanged() -> Callable[[Image], object]:
    gate = Gate()
    return gate.judge


def watch_long(classifier: Classifier) -> tuple[float, float]:
    """Megabytes held after a tenth of many frames, and after all of them."""
    film = read_recording(SCENES / "games" / "dev-plain" / "game.mp4")
    frames = [frame for frame, _ in zip(film, range(40), strict=False)]
    watcher = Watcher(BOX, classifier)
    held = []
    for number, frame in zip(range(FRAMES), cycle(frames), strict=False):
        watcher.see(Frame(frame.image_bgr, number / 5, number))
        if number in (FRAMES // 10, FRAMES - 1):
            held.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return held[0], held[1]


def main() -> None:
    cv2.setNumThreads(1)
    classifier = Classifier(BOX)
    paths = sorted((SCENES / "singles").glob("*.jpg"))[::3]
    images = [load_picture(path) for path in paths]
    with_markers = [image for image in images if _markers(image) >= 3]
    print(f"{'units, one core':40}{'median':>8}{'worst':>8}")
    show("first look with markers", in_units(lambda i: glance(i, classifier), with_markers), 4)
    blind = in_units(lambda i: _blind_look(i, classifier), images)
    show("first look without", blind, 10)
    show("a known board, checked and read", in_units(reread(classifier), images), 2)
    show("a frame in which nothing changed", in_units(unchanged(), images), 0.25)
    early, late = watch_long(classifier)
    print(f"peak memory after {FRAMES // 10} frames {early:.0f} MB, after {FRAMES} {late:.0f} MB")


def _markers(image: Image) -> int:
    found = locate(image, BOX.board)
    return len(found.markers) if isinstance(found, Located) else 0


def _blind_look(image: Image, classifier: Classifier) -> object:
    found = locate(image, BOX.board, use_markers=False)
    return classifier.read(image, found.view) if isinstance(found, Located) else found


if __name__ == "__main__":
    main()
