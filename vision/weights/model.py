"""The network's shape: a few convolutions down to one vector a cell, and the whole board's mean.

Colour is decided by looking at the whole board at once (which of these are the white ones?), so
the mean of all cells goes into each cell's answer. The lean, how far tall things are seen from
their foot, comes in half way, where there are `LEAN_PER_CELL` vectors a cell.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.rectify import LEAN_PER_CELL, PX_PER_CELL

STEM_PX = PX_PER_CELL // LEAN_PER_CELL // 2


def _conv(inside: int, outside: int, size: int, stride: int = 1) -> nn.Sequential:
    padding = 0 if stride == size else size // 2
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, padding, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class CellNet(nn.Module):
    def __init__(self, channels: int, widths: tuple[int, int, int] = (32, 56, 112)) -> None:
        super().__init__()
        small, middle, large = widths
        self.stem = nn.Sequential(
            _conv(3, small, STEM_PX, STEM_PX),
            _conv(small, small, 3),
            _conv(small, middle, 3, 2),
        )
        self.body = nn.Sequential(_conv(middle + 2, middle, 3), _conv(middle, middle, 3))
        self.cell = _conv(middle, large, LEAN_PER_CELL, LEAN_PER_CELL)
        self.around = _conv(large, large, 3)
        self.join = nn.Sequential(nn.Conv2d(2 * large, large, 1), nn.ReLU(inplace=True))
        self.answer = nn.Conv2d(large, channels, 1)

    def forward(self, board: Tensor, lean: Tensor) -> Tensor:
        seen = self.body(torch.cat([self.stem(board), lean], dim=1))
        cells = self.cell(seen)
        cells = cells + self.around(cells)
        whole = cells.mean(dim=(2, 3), keepdim=True).expand_as(cells)
        answer: Tensor = self.answer(self.join(torch.cat([cells, whole], dim=1)))
        return answer
