"""Training the network: boards turned with their truth, and a loss that goes down."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip(
    "torch", reason="only training needs torch: .venv/bin/pip install -e '.[train]'"
)

import torch

from rules.board import Anchor
from rules.packs import load_pack
from rules.packs.masterplan.words import BOX
from vision.labels import ANCHORS, Labels
from vision.weights.again import take_up
from vision.weights.batches import MIRRORED, TURNED, Batches
from vision.weights.model import CellNet
from vision.weights.samples import make_samples
from vision.weights.train import export, loss_of, train

# The exporter that needs no further packages calls itself old, and warns of itself.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

LABELS = Labels(BOX)


def test_anchors_turn_with_the_board() -> None:
    mirrored = [ANCHORS[i] for i in MIRRORED[:8].tolist()]
    turned = [ANCHORS[i] for i in TURNED[:8].tolist()]
    assert mirrored[ANCHORS.index(Anchor.NE)] is Anchor.NW
    assert mirrored[ANCHORS.index(Anchor.S)] is Anchor.S
    assert turned[ANCHORS.index(Anchor.N)] is Anchor.W, "rows become columns"
    assert turned[ANCHORS.index(Anchor.SE)] is Anchor.SE


def test_an_exported_network_can_be_gone_on_with(tmp_path: Path) -> None:
    groups = [make_samples(load_pack("masterplan"), 2, 4)]
    net = train(LABELS, groups, 3, seed=1)
    export(net, LABELS, groups[0], tmp_path / "three-steps.onnx")
    boards, known, _ = Batches(groups, LABELS, 1).draw()
    again = CellNet(LABELS.channels)
    take_up(again, tmp_path / "three-steps.onnx", boards, known)
    torch.testing.assert_close(
        again.eval()(boards, known), net.eval()(boards, known), atol=1e-3, rtol=0
    )


def test_a_network_learns_a_little_in_a_few_steps() -> None:
    groups = [make_samples(load_pack("masterplan"), 11, 3)]
    batches = Batches(groups, LABELS, 1)
    boards, leans, truth = batches.draw()
    losses = []
    for steps in (1, 12):
        net = train(LABELS, groups, steps, seed=1).train()
        losses.append(loss_of(net(boards, leans), truth, LABELS).item())
    assert losses[1] < losses[0]
