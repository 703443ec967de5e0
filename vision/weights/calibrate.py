"""Measure how far a network's confidence can be trusted; draw the line below which it is unsure.

    python -m vision.weights.calibrate masterplan --tables 300 [--silent 10000]

New tables are rendered that no training has seen, and read as the product reads them: knowing who
plays, and each board twice, the second time turned. They are such as a person could read; in the
dark and in glare the device asks for other light. For every part of the answer the temperature is
sought with which the probabilities fit the truth best. The line is then the least confidence from
which on at most one cell in so many is wrong, counted over all cells above it. All goes into
`<game>.toml`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.pack import colours_to_choose
from rules.packs import load_pack
from vision.classify import Calibration, Classifier
from vision.labels import Labels
from vision.network import CellNetwork
from vision.rectify import MARGIN_CELLS
from vision.weights.samples import IGNORED, Samples, fill

PARTS: Final = ("colour", "anchor")
"""What is asked of a cell beside the kind of piece."""

TEMPERATURES: Final = np.exp(np.linspace(np.log(0.5), np.log(4), 40))
FIRST_SEED: Final = 90_000
"""Far from the seeds that training uses."""
HERE: Final = Path(__file__).parent
BUILD: Final = Path("build", "tables")
Numbers = NDArray[np.float64]


def probabilities(scores: Numbers, temperature: float) -> Numbers:
    """passes × … × channels of scores as the mean of their probabilities."""
    powers = np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)
    return np.asarray((powers / powers.sum(axis=-1, keepdims=True)).mean(axis=0))


def best_temperature(scores: Numbers, truth: NDArray[np.intp]) -> float:
    """The one that makes the truth likeliest; it is known for some of the scores only."""
    known = truth != IGNORED
    right = truth[known]

    def surprise(temperature: float) -> float:
        likely = probabilities(scores[:, known], temperature)[np.arange(len(right)), right]
        return float(-np.log(np.maximum(likely, 1e-12)).mean())

    return float(min(TEMPERATURES, key=surprise))


def line_of(confidence: Numbers, wrong: NDArray[np.bool_], silent: int) -> float:
    """The least confidence from which on at most one in `silent` is wrong."""
    order = np.argsort(-confidence)
    errors = np.cumsum(wrong[order])
    allowed = np.maximum(np.arange(1, len(order) + 1) / silent, 0.5)
    good = np.flatnonzero(errors <= allowed)
    return float(confidence[order[good[-1]]]) if len(good) else 1.0


@dataclass(frozen=True)
class Looks:
    """Every cell of all tables: what the network said of it, and what is there."""

    scores: Numbers
    """passes × cells × channels"""
    truths: dict[str, NDArray[np.intp]]

    @classmethod
    def at(cls, game: str, groups: Sequence[Samples]) -> Looks:
        """Each board twice; where its cells may be of any size, once measured and once not."""
        pack, scores, truths = load_pack(game), [], []
        temperature = dict.fromkeys(("kind", *PARTS, "pawn"), 1.0)
        plain = Calibration(temperature, 0.5, 0.5, 0.5, colours_to_choose(pack))
        network = CellNetwork(Labels(pack.box))
        for samples in groups:
            ranks, files = (side - 2 * MARGIN_CELLS for side in samples.kinds.shape[1:])
            board = replace(pack.box.board, files=files, ranks=ranks)
            for number, rectified in enumerate(samples.boards):
                players = tuple(compress(plain.colours, samples.played[number]))
                box = replace(pack.box, board=board, players=players or pack.box.players)
                classifier = Classifier(box, plain, network)
                labels = classifier.labels
                lean, scale = (
                    samples.leans[number].astype(np.float32),
                    float(samples.scales[number]),
                )
                for known in (None, scale) if board.borrowed else (None,):
                    seen = np.stack(classifier.look_twice(rectified, lean, known))
                    scores.append(seen[..., labels.rows, labels.columns].swapaxes(1, 2))
                    maps = (samples.kinds, samples.colours, samples.anchors)
                    truths.append([m[number, labels.rows, labels.columns] for m in maps])
        every = np.concatenate(truths, axis=1).astype(np.intp)
        return cls(
            np.concatenate(scores, axis=1).astype(np.float64),
            dict(zip(("kind", *PARTS), every, strict=True)),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--silent", type=int, default=10_000, help="one wrong cell in so many")
    arguments = parser.parse_args()
    folder = BUILD / f"{arguments.game}-calibration"
    fill(folder, arguments.game, arguments.tables, FIRST_SEED, fair=True)
    groups = Samples.load(folder)
    looks = Looks.at(arguments.game, groups)
    pack = load_pack(arguments.game)
    labels = Labels(pack.box)
    temperature = {"pawn": 1.0}
    confidence = np.ones(looks.truths["kind"].shape)
    wrong = np.zeros(confidence.shape, bool)
    for part, truth in looks.truths.items():
        place = labels.slices[part]
        if place.start == place.stop:
            continue
        scores = looks.scores[..., place]
        temperature[part] = best_temperature(scores, truth)
        likely = probabilities(scores, temperature[part])
        matters = truth != IGNORED
        confidence *= np.where(matters, likely.max(axis=-1), 1)
        wrong |= matters & (likely.argmax(axis=-1) != truth)
    asked = looks.truths["kind"] != IGNORED
    line = line_of(confidence[asked], wrong[asked], arguments.silent)
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 0.99), (0.99, 0.999), (0.999, 2)):
        inside = asked & (confidence >= low) & (confidence < high)
        if inside.any():
            share, claimed = wrong[inside].mean(), 1 - confidence[inside].mean()
            print(f"from {low:5.3f}: {inside.sum():7} cells, {share:.4%} wrong, {claimed:.4%} said")
    unsure = (confidence[asked] < line).mean()
    print(
        f"wrong {wrong[asked].mean():.3%}, line at {line:.4f}: {unsure:.2%} of the cells are unsure"
    )
    tables = sum(len(samples.boards) for samples in groups) // 2
    lines = [
        f"# Measured on {tables} tables that no training has seen: one cell in {arguments.silent}",
        "# that is called sure is wrong there, or less.",
        f"sure_from = {line:.4f}",
        "pawn_from = 0.9",
        "hidden_from = 0.3",
        f"colours = [{', '.join(map(json.dumps, colours_to_choose(pack)))}]",
        "",
        "[temperature]",
        *(f"{part} = {value:.3f}" for part, value in temperature.items()),
    ]
    (HERE / f"{arguments.game}.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
