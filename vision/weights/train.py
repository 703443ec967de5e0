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

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rules.packs import load_pack
from vision.labels import Labels
from vision.weights.again import take_up
from vision.weights.batches import BATCH, Batches, held_out, tell, tensors_of
from vision.weights.model import CellNet
from vision.weights.samples import IGNORED, Samples, fill

EXAMINED: Final = 12
"""Of the boards held out, one in so many is looked at on the way."""
MOST_RATE: Final = 3e-3
AGAIN_RATE: Final = 1.2e-3
"""The highest learning rate, and that of a network that has learnt before."""
TOLD: Final = 350
"""Steps from one report to the next."""
HALF_AS_LONG: Final = bool(torch.cpu._is_amx_tile_supported())
"""Whether this machine multiplies short numbers: a step then takes less than half the time."""
HERE: Final = Path(__file__).parent
BUILD: Final = Path("build", "tables")


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
                seen, leans, truth = tensors_of(samples, picked, samples.boards[picked])
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
