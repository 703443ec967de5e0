"""The small network that reads all cells of a rectified board at once, run by OpenCV.

What goes in is the board relative to itself: the logarithm of each channel against that channel's
median over the grid. A lamp's colour or strength multiplies all of a channel, so it cancels here;
what is left is how much lighter, darker, yellower than this board's own wood a thing is.

Besides, the network is told what is known of the table: how far tall things lean; for a game that
is played on any board how large its cells are, if anybody has measured them; and where players
choose their colours, which ones are played. Nothing in it depends on the number of cells, so one
network reads boards of every size.

What comes out are raw scores (`vision.labels` says which); `vision.classify` makes probabilities
of them.
"""

from __future__ import annotations

from importlib import resources
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from rules.errors import ParkwardenError
from vision.geometry import Image
from vision.labels import Labels
from vision.rectify import MARGIN_CELLS, PX_PER_CELL

Scores = NDArray[np.float32]
"""channels × rows × columns, the margin's cells included."""

_FLOOR: Final = 10
"""Added to every value before the logarithm, so that the noise of dark pixels stays small."""
_LOGS: Final = np.log(np.arange(256, dtype=np.float32) + _FLOOR)
SCALE_GAIN: Final = 4.0
"""Cells half as large again give 1.6: as much as anything else that goes in."""
_THIN: Final = 4
"""The median needs only every so many pixels."""


class NoNetwork(ParkwardenError, LookupError):
    """A game whose pieces nobody has taught us to see."""


class CellNetwork:
    def __init__(self, labels: Labels) -> None:
        path = resources.files("vision.weights") / f"{labels.box.game}.onnx"
        if not path.is_file():
            raise NoNetwork(
                f"no network reads {labels.box.title}: expected vision/weights/{path.name}; "
                f"make it with: python -m vision.weights.train {labels.box.game}"
            )
        self._net = _load(path.read_bytes())

    def __call__(self, board: NDArray[np.float32], known: NDArray[np.float32]) -> Scores:
        """The scores for a normalised board and what is known of its table (`known_of`)."""
        self._net.setInput(board[np.newaxis], "board")
        self._net.setInput(known[np.newaxis], "lean")
        answer: Scores = np.asarray(self._net.forward(), np.float32)[0]
        return answer


def known_of(
    board: BoardFacts,
    lean: NDArray[np.float32],
    scale: float | None,
    played: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """What is known of the table beside its picture, at every place that has a lean.

    `scale` says how much larger its cells are than the box says, as a logarithm; None where nobody
    knows. It is only told where that can differ. `played` says of each colour that players choose
    from whether somebody plays it; it is empty where always the same ones are played.
    """
    sides = played.astype(np.float32)[:, np.newaxis, np.newaxis]
    known = [lean, np.broadcast_to(sides, (len(sides), *lean.shape[1:]))]
    if board.borrowed:
        size = np.zeros((2, *lean.shape[1:]), np.float32)
        if scale is not None:
            size[0], size[1] = 1.0, scale * SCALE_GAIN
        known.append(size)
    return np.concatenate(known)


def normalise(rectified_bgr: Image) -> NDArray[np.float32]:
    """channels × rows × columns: the logarithm of each channel against its median on the grid."""
    margin = MARGIN_CELLS * PX_PER_CELL
    grid = rectified_bgr[margin:-margin:_THIN, margin:-margin:_THIN]
    middle = np.median(grid.reshape(-1, 3), axis=0).astype(np.float32)
    # A channel has 256 values, so all of the arithmetic is done in the table.
    tables = _LOGS[:, np.newaxis] - np.log(middle + _FLOOR)
    channels = cv2.split(rectified_bgr)
    return np.stack([cv2.LUT(channels[i], tables[:, i].copy()) for i in range(3)])


def _load(model: bytes) -> cv2.dnn.Net:
    buffer = np.frombuffer(model, np.uint8)
    # OpenCV 5 has a second engine, and takes it by default; it needs twice the time for this.
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    return (
        cv2.dnn.readNetFromONNX(buffer)
        if classic is None
        else cv2.dnn.readNetFromONNX(buffer, classic)
    )
