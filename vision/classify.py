"""What stands in each cell of a found board, and how surely.

The network looks twice, the second time with the board turned by half: what it says of a cell must
not depend on which way round the picture is, so the two answers are averaged, and where they differ
the average is unsure by itself. Its scores become probabilities through one temperature for each
part of the answer, measured on tables the network was not trained on (`<game>.toml` beside the
weights), and a cell below the line drawn there is `unsure`.

A network may know more colours than are played with. It is told which ones are, so that it need
not wonder about the others. Where it sees one of those all the same, the cell is unsure, and never
taken for a player's.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.board import Cell
from rules.box import BoardFacts, Box
from vision.advice import advise
from vision.geometry import Image, View
from vision.labels import ANCHORS, NO_ANCHOR, Labels
from vision.network import CellNetwork, Scores, known_of, normalise
from vision.reading import BoardReading, CellReading
from vision.rectify import Rectifier

MOST_GUESSES: Final = 4
"""How many likely contents of a cell are kept: enough to ask a player about."""
_HALF_TURN: Final = [*(ANCHORS.index(a.opposite) for a in ANCHORS), NO_ANCHOR]


@dataclass(frozen=True)
class Calibration:
    """What held-out tables taught about the network's own confidence."""

    temperature: dict[str, float]
    """By part of the answer: scores are divided by it before they become probabilities."""
    sure_from: float
    """A cell less likely than this is `unsure`."""
    pawn_from: float
    """A pawn less likely than this is not told."""
    hidden_from: float
    """A cell this likely to be hidden is not read."""
    colours: tuple[str, ...] = ()
    """What the players' colours are chosen from, in the network's order; none where they are always
    the box's own."""

    @classmethod
    def load(cls, game: str) -> Calibration:
        path = resources.files("vision.weights") / f"{game}.toml"
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
        return cls(**{**facts, "colours": tuple(facts.get("colours", ()))})


class Classifier:
    """Reads boards of one game. Not to be shared between threads."""

    def __init__(
        self,
        box: Box,
        calibration: Calibration | None = None,
        network: CellNetwork | None = None,
    ) -> None:
        self.box = box
        self.network = network or CellNetwork(Labels(box))
        self.calibration = calibration or Calibration.load(box.game)
        self.labels = Labels(replace(box, players=self.calibration.colours or box.players))
        self._played = np.isin(self.calibration.colours, box.players)
        self._contents = [
            (piece, kind, colour, anchor)
            for kind in range(len(self.labels.kinds))
            for piece, colour, anchor in self.labels.contents(kind)
        ]
        self._hidden = len(self._contents) - 1
        self._rectified: tuple[View, Rectifier] | None = None

    def for_board(self, board: BoardFacts) -> Classifier:
        """The same for another board of this game."""
        return Classifier(replace(self.box, board=board), self.calibration, self.network)

    def read(self, image_bgr: Image, view: View, scale: float | None = None) -> BoardReading:
        """`scale`: how much larger the cells are than the box says (`vision.network.known_of`)."""
        rectifier = self._rectifier(view)
        rectified = rectifier(image_bgr)
        answers = self.look_twice(rectified, rectifier.lean, scale)
        reading = self._reading(view, *self._probabilities(answers))
        advice = advise(rectified, self.labels, reading.unsure, reading.hidden)
        return replace(reading, scale=scale, advice=advice, widths=self._widths(answers))

    def _rectifier(self, view: View) -> Rectifier:
        if self._rectified is None or self._rectified[0] is not view:
            self._rectified = view, Rectifier.of(view, self.labels.box.board)
        return self._rectified[1]

    def _probabilities(
        self, answers: tuple[Scores, ...]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """cells × contents, and pawns × (spaces, and on none)."""
        contents = np.mean([self._contents_of(scores) for scores in answers], axis=0)
        pawns = np.mean([self._pawns_of(scores) for scores in answers], axis=0)
        return contents, pawns

    def look_twice(
        self, rectified_bgr: Image, lean: NDArray[np.float32], scale: float | None = None
    ) -> tuple[Scores, Scores]:
        """The network's scores for the board as it lies, and for the board turned by half."""
        facts, board = self.labels.box.board, normalise(rectified_bgr)
        turned = np.ascontiguousarray(board[:, ::-1, ::-1])
        turned_lean = np.ascontiguousarray(-lean[:, ::-1, ::-1])
        known, turned_known = (
            known_of(facts, leans, scale, self._played) for leans in (lean, turned_lean)
        )
        again = self.network(turned, turned_known)
        return self.network(board, known), _turn_back(again, self.labels)

    def _parts(self, scores: Scores, part: str) -> NDArray[np.float64]:
        """cells × channels of one part of the answer, as probabilities."""
        raw = scores[self.labels.slices[part]][:, self.labels.rows, self.labels.columns].T
        return _softmax(raw.astype(np.float64) / self.calibration.temperature[part])

    def _contents_of(self, scores: Scores) -> NDArray[np.float64]:
        kinds, colours = self._parts(scores, "kind"), self._parts(scores, "colour")
        anchors = self._parts(scores, "anchor") if self.labels.box.anchored else kinds
        columns = []
        for _, kind, colour, anchor in self._contents:
            column = kinds[:, kind]
            if colour >= 0:
                column = column * colours[:, colour]
            if anchor >= 0:
                column = column * anchors[:, anchor]
            columns.append(column)
        return np.stack(columns, axis=1)

    def _pawns_of(self, scores: Scores) -> NDArray[np.float64]:
        if not self.labels.track:
            return np.zeros((0, 1))
        rows, columns = (list(numbers) for numbers in zip(*self.labels.track, strict=True))
        spaces = scores[self.labels.slices["pawn"]][:, rows, columns].astype(np.float64)
        on_none = np.zeros((len(spaces), 1))
        return _softmax(np.hstack([spaces, on_none]) / self.calibration.temperature["pawn"])

    def _widths(self, answers: tuple[Scores, ...]) -> dict[Cell, float]:
        if not self.labels.widths:
            return {}
        everywhere = np.mean(answers, axis=0)[self.labels.slices["width"]]
        (widths,) = everywhere[:, self.labels.rows, self.labels.columns]
        return dict(zip(self.labels.cells, widths.tolist(), strict=True))

    def _reading(
        self, view: View, contents: NDArray[np.float64], pawns: NDArray[np.float64]
    ) -> BoardReading:
        hidden = contents[:, self._hidden]
        best_first = np.argsort(-contents[:, : self._hidden], axis=1)[:, :MOST_GUESSES]
        cells: dict[Cell, CellReading] = {}
        unsure, unseen = set(), set()
        for number, cell in enumerate(self.labels.cells):
            guesses = tuple(
                (self._contents[i][0], float(contents[number, i])) for i in best_first[number]
            )
            cells[cell] = CellReading(guesses)
            if hidden[number] > self.calibration.hidden_from:
                unseen.add(cell)
            if cell in unseen or guesses[0][1] < self.calibration.sure_from:
                unsure.add(cell)
        board = self.labels.box.board
        return BoardReading(
            view=view,
            cells=cells,
            unsure=frozenset(unsure),
            hidden=frozenset(unseen),
            pawns={c: self._space(p) for c, p in zip(self.labels.colours, pawns, strict=False)},
            files=board.files,
            ranks=board.ranks,
        )

    def _space(self, spaces: NDArray[np.float64]) -> int | None:
        best = int(spaces.argmax())
        told = best < len(spaces) - 1 and spaces[best] >= self.calibration.pawn_from
        return best if told else None


def _turn_back(scores: Scores, labels: Labels) -> Scores:
    """The answer for a board turned by half, as if it had not been."""
    back = scores[:, ::-1, ::-1].copy()
    place = labels.slices["anchor"]
    if place.start < place.stop:
        back[place] = back[place][_HALF_TURN]
    return back


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
