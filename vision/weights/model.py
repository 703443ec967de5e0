"""The network's shape: a few convolutions down to one vector a cell, and the whole board's mean.

Colour is decided by looking at the whole board at once (which of these are the white ones?), and
so is size on a board whose cells nobody has measured. So the mean of all cells goes into each
cell's answer, in several rounds: cells are few, and looking around is cheap. The lean, how far tall
things are seen from their foot, comes in half way, where there are `LEAN_PER_CELL` vectors a cell,
and with it what else is known of the table.

Nothing in it depends on how many cells there are: one network reads boards of every size. The
board's mean is added with a step in between; OpenCV 5 takes a sum right behind a convolution for
one of two equal shapes.
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


class Round(nn.Module):
    """Each cell looks at its neighbours, then at the mean of all."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self.around = _conv(wide, wide, 3)
        self.whole = nn.Sequential(
            nn.Conv2d(wide, wide, 1),
            nn.ReLU(inplace=True),
            nn.Conv2d(wide, wide, 1),
            nn.ReLU(inplace=True),
        )

    def forward(self, cells: Tensor) -> Tensor:
        cells = cells + self.around(cells)
        seen: Tensor = cells + self.whole(cells.mean(dim=(2, 3), keepdim=True))
        return seen


class CellNet(nn.Module):
    def __init__(
        self,
        channels: int,
        known: int = 2,
        widths: tuple[int, int, int] = (32, 64, 128),
        rounds: int = 2,
    ) -> None:
        """`known` is how many things come in half way."""
        super().__init__()
        small, middle, large = widths
        self.stem = nn.Sequential(
            _conv(3, small, STEM_PX, STEM_PX),
            _conv(small, small, 3),
            _conv(small, middle, 3, 2),
        )
        self.body = nn.Sequential(_conv(middle + known, middle, 3), _conv(middle, middle, 3))
        self.cell = _conv(middle, large, LEAN_PER_CELL, LEAN_PER_CELL)
        self.rounds = nn.Sequential(*(Round(large) for _ in range(rounds)))
        self.join = nn.Sequential(nn.Conv2d(large, large, 1), nn.ReLU(inplace=True))
        self.answer = nn.Conv2d(large, channels, 1)

    def forward(self, board: Tensor, known: Tensor) -> Tensor:
        seen = self.body(torch.cat([self.stem(board), known], dim=1))
        cells = self.rounds(self.cell(seen))
        answer: Tensor = self.answer(self.join(cells))
        return answer
