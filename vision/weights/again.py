"""Going on with a network that was exported: its weights, back in a form that can learn.

An exported network has no normalisations any more: each was folded into the convolution before it.
Here each gets the mean and the spread that its convolution has on a batch of boards, and gives them
back, so that at first nothing changes; from there on it learns like any other.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from vision.weights.model import CellNet


def take_up(net: CellNet, path: Path, boards: Tensor, known: Tensor) -> None:
    """`net` with the weights of the network in this file; boards to measure it on."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    values = {one.name: numpy_helper.to_array(one).copy() for one in graph.initializer}
    folded = [
        [torch.from_numpy(values[name]) for name in node.input[1:]]
        for node in graph.node
        if node.op_type == "Conv"
    ]
    convolutions = [module for module in net.modules() if isinstance(module, nn.Conv2d)]
    norms = [module for module in net.modules() if isinstance(module, nn.BatchNorm2d)]
    follows = {id(pair[0]): pair[1] for pair in _pairs(net)}
    for conv, (weight, bias) in zip(convolutions, folded, strict=True):
        conv.weight.data.copy_(weight)
        norm = follows.get(id(conv))
        if norm is None:
            assert conv.bias is not None  # what has no norm behind it has a bias
            conv.bias.data.copy_(bias)
        else:
            norm.bias.data.copy_(bias)
            norm.weight.data.fill_(1)
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
    _spread(net, norms, boards, known)


def _pairs(net: CellNet) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Each convolution with the normalisation right behind it."""
    found = []
    for block in net.modules():
        if isinstance(block, nn.Sequential):
            for one, two in zip(block, list(block)[1:], strict=False):
                if isinstance(one, nn.Conv2d) and isinstance(two, nn.BatchNorm2d):
                    found.append((one, two))
    return found


def _spread(net: CellNet, norms: list[nn.BatchNorm2d], boards: Tensor, known: Tensor) -> None:
    """Give each normalisation the mean and the spread it meets, and let it give them back."""
    met: dict[int, Tensor] = {}

    def note(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        met[id(module)] = inputs[0]

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    net.eval()
    with torch.no_grad():
        net(boards, known)
    net.train()
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, var = met[id(norm)].mean(dim=(0, 2, 3)), met[id(norm)].var(dim=(0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.data.copy_(torch.sqrt(var + norm.eps))
        norm.bias.data.add_(mean)
