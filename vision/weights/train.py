"""Make the network that reads a game's cells: render, train, calibrate, write.

    python -m vision.weights.train masterplan --tables 4900 --steps 4500

Tables are rendered from the pack's facts and kept in `build/` (so a second run starts at once);
the given seed makes the same tables, and the same network on the same machine. One table in ten
is held out, whole: the printed error is that of tables the network has never seen.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rules.packs import load_pack
from vision.labels import ANCHORS, NO_ANCHOR, Labels
from vision.network import known_of, normalise
from vision.weights.again import take_up
from vision.weights.model import CellNet
from vision.weights.samples import IGNORED, Samples, fill, hide

BATCH: Final = 24
HELD_OUT: Final = 10
"""One table in so many."""
EXAMINED: Final = 12
"""Of the boards held out, one in so many is looked at on the way."""
OVEREXPOSED: Final = 0.3
"""The share of boards under so much light, or so little, that something is lost."""
COVERED_BOARDS: Final = 0.12
"""The share of boards that something is laid over, besides those rendered with a hand."""
MOST_RATE: Final = 3e-3
AGAIN_RATE: Final = 1.2e-3
"""The highest learning rate, and that of a network that has learnt before."""
MEASURED: Final = 0.5
"""The share of boards whose cells somebody has measured, where they may be of any size."""
MEASURED_WITHIN: Final = 0.02
"""How well: the standard deviation."""
TOLD_WHO_PLAYS: Final = 0.75
"""The share of boards of which it is said who plays, where players choose their colours."""
MISTOLD: Final = (0.07, 0.15)
"""Below the first share of those a colour is played that was not said, up to the second one was
said that is not played: what is told is most likely true, and no more."""
TOLD: Final = 350
"""Steps from one report to the next."""
HALF_AS_LONG: Final = bool(torch.cpu._is_amx_tile_supported())
"""Whether this machine multiplies short numbers: a step then takes less than half the time."""
HERE: Final = Path(__file__).parent
BUILD: Final = Path("build", "tables")


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
        seen, leans, truth = _tensors(samples, picked, boards)
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


def _tensors(
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


def loss_of(answer: Tensor, truth: dict[str, Tensor], labels: Labels) -> Tensor:
    total = torch.zeros(())
    for part in ("kind", "colour", "anchor"):
        place = labels.slices[part]
        if place.start < place.stop and bool((truth[part] != IGNORED).any()):
            total = total + nn.functional.cross_entropy(
                answer[:, place], truth[part], ignore_index=IGNORED
            )
    if labels.track:
        total = total + 0.1 * _pawn_loss(answer[:, labels.slices["pawn"]], truth["pawn"], labels)
    if labels.widths:
        total = total + _width_loss(answer[:, labels.slices["width"]], truth, labels)
    return total


def _width_loss(answer: Tensor, truth: dict[str, Tensor], labels: Labels) -> Tensor:
    """How far off the widths are, on average, where a piece stands that comes in sizes."""
    usual = torch.full((IGNORED + 1,), torch.nan)
    for kind, width in labels.widths.items():
        usual[labels.kinds.index(kind)] = width
    wanted = usual[truth["kind"]] - truth["scale"]
    asked = ~wanted.isnan()
    return (answer[:, 0][asked] - wanted[asked]).abs().sum() / max(int(asked.sum()), 1)


def _pawn_loss(answer: Tensor, truth: Tensor, labels: Labels) -> Tensor:
    """On which space does each pawn stand? One more answer, 0, is «on none»."""
    rows, columns = (list(numbers) for numbers in zip(*labels.track, strict=True))
    spaces = answer[:, :, rows, columns]
    spaces = torch.cat([spaces, torch.zeros_like(spaces[..., :1])], dim=-1).flatten(0, 1)
    where = truth[:, :, rows, columns].flatten(0, 1)
    index = torch.where(where.sum(-1) > 0, where.argmax(-1), len(rows))
    return nn.functional.cross_entropy(spaces, index)


def examine(net: CellNet, groups: Sequence[Samples], labels: Labels) -> float:
    """The share of cells with anything wrong on tables it has not seen, nor measured, but was told
    who plays."""
    net.eval()
    wrong = []
    with torch.no_grad():
        for samples in groups:
            chosen = np.flatnonzero(held_out(samples))[::EXAMINED]
            for start in range(0, len(chosen), BATCH):
                picked = chosen[start : start + BATCH]
                seen, leans, truth = _tensors(samples, picked, samples.boards[picked])
                known = tell(labels, leans, [None] * len(picked), list(samples.played[picked]))
                wrong.append(wrong_cells(net(seen, known), truth, labels))
    net.train()
    return float(torch.cat(wrong).float().mean())


def wrong_cells(answer: Tensor, truth: dict[str, Tensor], labels: Labels) -> Tensor:
    """Of each cell that is asked for, whether anything is wrong with it."""
    inside = truth["kind"] != IGNORED
    wrong = torch.zeros_like(inside)
    for part in ("kind", "colour", "anchor"):
        place = labels.slices[part]
        if place.start < place.stop:
            matters = truth[part] != IGNORED
            wrong |= matters & (answer[:, place].argmax(1) != truth[part])
    return wrong[inside]


def train(
    labels: Labels,
    groups: Sequence[Samples],
    steps: int,
    seed: int,
    checkpoint: Path | None = None,
    taken_up: Path | None = None,
) -> CellNet:
    """A network that has seen `steps` batches; kept in `checkpoint` now and then on the way.

    `taken_up` is one that was exported earlier, to go on with.
    """
    torch.manual_seed(seed)
    batches = Batches(groups, labels, seed)
    net = CellNet(labels.channels, known=len(_known(labels, groups[0])))
    most_rate = MOST_RATE
    if taken_up is not None:
        most_rate = AGAIN_RATE
        boards, known, _ = batches.draw()
        take_up(net, taken_up, boards, known)
    net.to(memory_format=torch.channels_last)  # four times as fast
    optimiser = torch.optim.AdamW(net.parameters(), lr=most_rate, weight_decay=1e-4)
    begun, running = time.monotonic(), 0.0
    # Always one batch ahead, on one core, or both get in each other's way.
    drawer = ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,))
    upcoming = drawer.submit(batches.draw)
    for step in range(1, steps + 1):
        done = step / steps
        for group in optimiser.param_groups:  # up in a twentieth of the steps, then down to nothing
            group["lr"] = most_rate * min(20 * done, 0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        boards, leans, truth = upcoming.result()
        upcoming = drawer.submit(batches.draw)
        boards = boards.to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF_AS_LONG):
            answer = net(boards, leans)
        loss = loss_of(answer.float(), truth, labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        running += (loss.item() - running) * max(0.02, 1 / step)
        if step % TOLD == 0 or step == steps:
            wrong = examine(net, groups, labels)
            minutes = (time.monotonic() - begun) / 60
            print(
                f"{done:4.0%} {minutes:5.1f} min  step {step}  loss {running:.4f}  "
                f"held out: {wrong:.3%} wrong",
                flush=True,
            )
            if checkpoint is not None:
                export(net, labels, groups[0], checkpoint)
                net.train()
    drawer.shutdown()
    return net


def _known(labels: Labels, samples: Samples) -> NDArray[np.float32]:
    """What the network is told of the first table."""
    leans = torch.from_numpy(samples.leans[:1].astype(np.float32))
    return np.asarray(tell(labels, leans, [None], list(samples.played[:1]))[0], np.float32)


def export(net: CellNet, labels: Labels, samples: Samples, path: Path) -> None:
    """Of any board: OpenCV takes the sizes of what it is given, not those that stand here."""
    net.eval()
    board = torch.zeros(1, *np.moveaxis(samples.boards[0], -1, 0).shape)
    known = torch.from_numpy(_known(labels, samples))[np.newaxis]
    torch.onnx.export(
        net,
        (board, known),
        path,
        input_names=["board", "lean"],
        output_names=["cells"],
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--tables", type=int, default=4900)
    parser.add_argument("--steps", type=int, default=4500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, metavar="ONNX", help="go on with this network")
    arguments = parser.parse_args()
    labels = Labels(load_pack(arguments.game).box)
    folder = BUILD / arguments.game
    fill(folder, arguments.game, arguments.tables)
    groups = Samples.load(folder)
    checkpoint = BUILD / f"{arguments.game}-checkpoint.onnx"
    net = train(
        labels, groups, arguments.steps, arguments.seed, checkpoint, taken_up=arguments.again
    )
    export(net, labels, groups[0], HERE / f"{arguments.game}.onnx")


if __name__ == "__main__":
    main()
