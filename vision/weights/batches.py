"""Batches to learn from: boards under other light, turned and mirrored, with what was told of them.

What is told is mostly true: whether cells were measured, and who plays. Some boards are covered in
part, some drowned in light, so that what cannot be seen is learnt as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vision.labels import ANCHORS, NO_ANCHOR, Labels
from vision.network import known_of, normalise
from vision.weights.samples import IGNORED, Samples, hide

BATCH: Final = 24
HELD_OUT: Final = 10
"""One table in so many."""
OVEREXPOSED: Final = 0.3
"""The share of boards under so much light, or so little, that something is lost."""
COVERED_BOARDS: Final = 0.12
"""The share of boards that something is laid over, besides those rendered with a hand."""
MEASURED: Final = 0.5
"""The share of boards whose cells somebody has measured, where they may be of any size."""
MEASURED_WITHIN: Final = 0.02
"""How well: the standard deviation."""
TOLD_WHO_PLAYS: Final = 0.75
"""The share of boards of which it is said who plays, where players choose their colours."""
MISTOLD: Final = (0.07, 0.15)
"""Below the first share of those a colour is played that was not said, up to the second one was
said that is not played: what is told is most likely true, and no more."""


def _anchor_tables() -> tuple[Tensor, Tensor]:
    """What becomes of each anchor's number: left and right changed, rows and columns changed."""
    steps = {a: a.step for a in ANCHORS}
    number = {step: i for i, step in enumerate(steps.values())}
    mirrored = [number[-x, y] for x, y in steps.values()]
    # Up is the row before, right the column behind: (right, up) becomes (-up, -right).
    turned = [number[-y, -x] for x, y in steps.values()]
    last = [NO_ANCHOR, *range(NO_ANCHOR + 1, IGNORED + 1)]
    return torch.tensor([*mirrored, *last]), torch.tensor([*turned, *last])


MIRRORED, TURNED = _anchor_tables()


class Batches:
    """Batches of boards under other light, turned and mirrored: no two alike, but of one size."""

    def __init__(self, groups: Sequence[Samples], labels: Labels, seed: int) -> None:
        self.groups, self.labels = groups, labels
        self.chosen = [np.flatnonzero(~held_out(samples)) for samples in groups]
        counts = np.array([len(chosen) for chosen in self.chosen])
        self.shares = counts / counts.sum()
        self.rng = np.random.default_rng(seed)

    def draw(self) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        group = int(self.rng.choice(len(self.groups), p=self.shares))
        samples = self.groups[group]
        picked = self.rng.choice(self.chosen[group], BATCH)
        boards = samples.boards[picked]
        for number in np.flatnonzero(self.rng.random(BATCH) < OVEREXPOSED).tolist():
            boards[number] = expose(boards[number], self.rng)
        covers = {}
        for number in np.flatnonzero(self.rng.random(BATCH) < COVERED_BOARDS).tolist():
            covers[number] = lay_over(boards[number], self.rng)
        seen, leans, truth = tensors_of(samples, picked, boards)
        for number, covered in covers.items():
            self._hide(truth, number, covered)
        seen, leans, truth = self._turn(relight(seen, self.rng), leans, truth)
        off = self.rng.normal(0, MEASURED_WITHIN, BATCH)
        scales = [
            float(scale) if self.rng.random() < MEASURED else None
            for scale in samples.scales[picked] + off
        ]
        played = [tell_players(sides, self.rng) for sides in samples.played[picked]]
        return seen, tell(self.labels, leans, scales, played), truth

    def _hide(self, truth: dict[str, Tensor], number: int, covered: NDArray[np.uint8]) -> None:
        maps = np.stack([truth[part][number].numpy() for part in ("kind", "colour", "anchor")])
        seen = hide(maps.astype(np.uint8), covered, self.labels).astype(np.int64)
        for part, values in zip(("kind", "colour", "anchor"), seen, strict=True):
            truth[part][number] = torch.from_numpy(values)

    def _turn(
        self, boards: Tensor, leans: Tensor, truth: dict[str, Tensor]
    ) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        if self.rng.random() < 0.5:
            boards, leans = boards.flip(-1), leans.flip(-1) * torch.tensor([-1.0, 1]).view(2, 1, 1)
            truth = {name: part.flip(-1) for name, part in truth.items()}
            truth["anchor"] = MIRRORED[truth["anchor"]]
        for _ in range(self.rng.integers(4)):  # a quarter turn: rows for columns, then mirrored
            boards = boards.transpose(-1, -2).flip(-1)
            leans = leans.transpose(-1, -2).flip(1).flip(-1) * torch.tensor([-1.0, 1]).view(2, 1, 1)
            truth = {name: part.transpose(-1, -2).flip(-1) for name, part in truth.items()}
            truth["anchor"] = MIRRORED[TURNED[truth["anchor"]]]
        return boards.contiguous(), leans.contiguous(), truth


def held_out(samples: Samples) -> NDArray[np.bool_]:
    """The boards that are not learnt from: those of one table in `HELD_OUT`."""
    tables = np.arange(len(samples.boards)) // 2  # each table was rectified twice
    return np.asarray(tables % HELD_OUT == 0)


def tell_players(played: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Who is said to play: mostly who does, sometimes anybody."""
    if rng.random() >= TOLD_WHO_PLAYS:
        return np.ones_like(played)
    told, chance = played.copy(), rng.random()
    if chance < MISTOLD[0] and played.sum() > 1:
        told[rng.choice(np.flatnonzero(played))] = False
    elif MISTOLD[0] <= chance < MISTOLD[1] and not played.all():
        told[rng.choice(np.flatnonzero(~played))] = True
    return told


def tell(
    labels: Labels,
    leans: Tensor,
    scales: Sequence[float | None],
    played: Sequence[NDArray[np.bool_]],
) -> Tensor:
    """The leans, with what else is known of each table."""
    board = labels.box.board
    told = [known_of(board, *known) for known in zip(leans.numpy(), scales, played, strict=True)]
    return torch.from_numpy(np.stack(told))


def tensors_of(
    samples: Samples, picked: NDArray[np.intp], boards: NDArray[np.uint8]
) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    truth = {
        "kind": torch.from_numpy(samples.kinds[picked].astype(np.int64)),
        "colour": torch.from_numpy(samples.colours[picked].astype(np.int64)),
        "anchor": torch.from_numpy(samples.anchors[picked].astype(np.int64)),
        "pawn": torch.from_numpy(samples.pawns[picked].astype(np.float32)),
        "scale": torch.from_numpy(samples.scales[picked]).view(-1, 1, 1),
    }
    leans = torch.from_numpy(samples.leans[picked].astype(np.float32))
    return torch.from_numpy(np.stack([*map(normalise, boards)])), leans, truth


def expose(board: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The board under another exposure, sometimes with a lamp's glare: what is too much is lost."""
    seen = board * np.exp(rng.normal(0, 0.35) + rng.normal(0, 0.12, 3)).astype(np.float32)
    if rng.random() < 0.5:
        height, width = seen.shape[:2]
        y, x = np.ogrid[0:height, 0:width]
        away = np.hypot(x - rng.uniform(0, width), y - rng.uniform(0, height)).astype(np.float32)
        radius, edge = rng.uniform(0.04, 0.4) * width, rng.uniform(0.1, 1)
        spot = np.clip((1 - away / radius) / edge, 0, 1)
        seen += (rng.uniform(40, 230) * spot)[..., np.newaxis].astype(np.float32)
    return np.clip(seen, 0, 255).astype(np.uint8)


def relight(boards: Tensor, rng: np.random.Generator) -> Tensor:
    """The same boards under other lamps, through other sensors.

    Boards are logarithms against their own median: light that falls off is a sum, a tone curve a
    factor, and a tint of the whole picture has no effect any more.
    """
    count, _, height, width = boards.shape
    noise = torch.randn_like(boards[0])  # the same for all, each time begun elsewhere
    y, x = torch.meshgrid(
        torch.linspace(-1, 1, height), torch.linspace(-1, 1, width), indexing="ij"
    )
    for number in range(count):
        board = boards[number]
        if rng.random() < 0.4:
            angle, fall = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.5)
            board += fall * (np.cos(angle) * x + np.sin(angle) * y)
        if rng.random() < 0.3:
            board *= rng.uniform(0.75, 1.3)
        if rng.random() < 0.4:
            begun = (int(rng.integers(height)), int(rng.integers(width)))
            board += rng.uniform(0, 0.12) * noise.roll(begun, (1, 2))
    return boards


def lay_over(board: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A sleeve, a sheet, an elbow laid over the board from outside, in place; where it lies."""
    height, width = board.shape[:2]
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(-0.1, 0.6) * width
    outwards = np.array([np.cos(angle), np.sin(angle)])
    sideways = np.array([-outwards[1], outwards[0]]) * rng.uniform(0.04, 0.2) * width
    tip = np.array([width, height]) / 2 + outwards * (width / 2 - reach)
    tip += sideways / np.linalg.norm(sideways) * rng.uniform(-0.4, 0.4) * width
    far = tip + outwards * 2 * width
    ends = [tip - sideways, tip + sideways * rng.uniform(0.6, 1.4), far + sideways, far - sideways]
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(ends).astype(np.int32), 255)
    if rng.random() < 0.6:
        radius = int(np.linalg.norm(sideways) * rng.uniform(0.9, 1.4))
        cv2.circle(mask, (int(tip[0]), int(tip[1])), radius, 255, -1)
    weave = rng.uniform(0, 255, 3) + rng.uniform(0, 25) * rng.standard_normal((height, width, 1))
    cloth = cv2.GaussianBlur(weave.astype(np.float32), (0, 0), rng.uniform(0.8, 3))
    share = (cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32) / 255)[..., np.newaxis]
    board[:] = np.clip(cloth * share + board * (1 - share), 0, 255).astype(np.uint8)
    return mask
