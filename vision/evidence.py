"""Is it a board, and this board? Asked of the finished grid, line by line.

A place for a line counts as seen by how much, band by band, it stands out from both its sides (of a
chequered board: by how much the step has the sense it must have), in noise levels of what lies
between the lines. Averages are taken of clipped values, so a hand or a row of pieces costs what it
covers and no more. Where there is no line the average is at or below zero, since noise seldom
stands out from both sides at once: presence and absence are told apart without knowing the
contrast.

A grid that slipped by a row, or is another grid altogether, fits most of its lines. It is found out
where ours must have none: halfway between lines, and a cell beyond the outermost ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.box import BoardFacts
from vision.geometry import Points
from vision.refine import Refined, line_places, line_senses, middle, sample
from vision.sheet import Floats, carry

ASIDE: Final = 0.085
"""How far beside a line its surroundings are looked at, in cells."""
BETWEEN: Final = (-0.4, -0.25, 0.25, 0.35)
"""Where between the lines the noise is measured, in cells from a line."""
STRETCH: Final = (1, 9)
"""Lines × bands over which a line's colour is averaged."""
SHIFTS: Final = (0.0, 0.2, 0.27, 0.34, 0.42, 0.5, 0.58, 0.66, 0.73, 0.8)
"""The grid, and grids that are none, in cells."""
POOL_FLOOR: Final = 0.05
"""Noise levels that a median of so many measures reaches by chance."""
SEEN: Final = 0.5
"""From here on a line is seen beyond doubt; down to 0 it is seen in part."""
ENOUGH: Final = 0.78
"""The share of lines a board shows: a hand may cover the rest."""
FAINT: Final = 0.3
"""The share that does where the board's edge is seen as well."""
IN_PLACE: Final = 0.09
"""How far off the board's edge may be where it has to stand in for faint lines, in cells."""
PLAIN: Final = 2.5
"""The least quality of a grid that has to do without a rim."""
LINES, STEPS = 0.3, 0.5
"""What the faintest line between shows, or the faintest step, of what they usually show."""
OUTERMOST: Final = 0.18
"""The same for the outermost ones."""
BEYOND_LINES, BEYOND_STEPS = 0.35, 0.25
"""And the most that may be seen where one more would be;"""
FAR_LESS: Final = 0.8
"""the same, of what the fainter of the two outermost ones shows."""
STEPPED: Final = 0.4
"""How much more is to be seen at one end of a chequered board for it to have slipped."""
TOGETHER: Final = 2.0
"""How far all lines together must be beyond what a shifted grid shows."""


@dataclass(frozen=True)
class Evidence:
    seen: tuple[Points, Points]
    """For each direction how well each place for a line is seen, from a cell before the first line
    to a cell after the last, in steps of half a cell."""
    pooled: tuple[float, float]
    """For each direction how much all lines together stand out, against the most that a grid does
    that is shifted by a part of a cell: 1 where there is nothing, 2 for the faintest lines."""
    edges: Points
    """Before files, after files, before ranks, after ranks: how much clearer the board's edge is
    where it should be than a cell further in; 0 where both or none are."""
    edges_off: Points
    """How far from where it should be the edge is seen, in cells."""
    borrowed: bool = False
    """Nothing is known of the board's rim: lines alone tell where it ends."""
    chequered: bool = False

    @property
    def lines(self) -> Points:
        return np.concatenate([axis[2:-2:2] for axis in self.seen])

    @property
    def share(self) -> float:
        """How many of the lines are seen, 0 to 1."""
        return float(np.clip(self.lines / SEEN, 0, 1).mean())

    @property
    def finer(self) -> bool:
        """There are lines halfway between the lines, so the grid has more of them."""
        return any(np.median(axis[3:-3:2]) > 0.35 * np.median(axis[2:-2:2]) for axis in self.seen)

    @property
    def beyond(self) -> NDArray[np.bool_]:
        """Is there one more line before files, after files, before ranks, after ranks?"""
        return np.array(
            [
                end > max(SEEN, 0.4 * float(np.median(axis[2:-2:2])))
                for axis in self.seen
                for end in (axis[0], axis[-1])
            ]
        ) & (self.edges <= 0)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Is the outermost line not to be seen there?"""
        return np.array([end < SEEN / 2 for axis in self.seen for end in (axis[2], axis[-3])])

    @property
    def together(self) -> float:
        """How clearly all lines together are seen, of the weaker direction: 2 is beyond chance."""
        return min(self.pooled)

    @property
    def quality(self) -> float:
        """To choose between grids of the same picture."""
        extra = np.concatenate([np.append(axis[3:-3:2], axis[[0, -1]]) for axis in self.seen])
        worst = np.sort(np.clip(extra, 0, 2))[-4:].mean()
        single = np.clip(self.lines, -1, 2).mean() + 0.1 * self.lines.mean() - 0.4 * worst
        return float(single + np.log2(np.clip(self.together, 0.25, 8)) / 2)

    @property
    def grid(self) -> bool:
        """These are evenly spaced lines, most of them seen, in both directions."""
        shares = [float(np.clip(axis[2:-2:2] / SEEN, 0, 1).mean()) for axis in self.seen]
        return self.share >= ENOUGH and min(shares) >= ENOUGH - 0.1

    @property
    def bounded(self) -> bool:
        """The board's edge is seen where it must be, on three sides at least."""
        return int((self.edges > 0).sum()) >= 3

    @property
    def narrower(self) -> bool:
        """The board ends a cell earlier than it should, and its last line is hardly one."""
        ends = np.array([end for axis in self.seen for end in (axis[2], axis[-3])])
        usual = np.repeat([np.median(axis[2:-2:2]) for axis in self.seen], 2)
        return bool(((ends < np.maximum(SEEN / 2, 0.35 * usual)) & (self.edges < 0)).any())

    @property
    def coarser(self) -> bool:
        """Every other line is missing, so the grid has fewer of them.

        A chequered board's outermost steps are half as high and tell nothing of that.
        """
        ends = 4 if self.chequered else 2
        halves = [(axis[ends:-ends:4], axis[ends + 2 : -ends : 4]) for axis in self.seen]
        return any(abs(np.median(even) - np.median(odd)) > 1.5 for even, odd in halves)

    @property
    def slip(self) -> tuple[int, int]:
        """Cells by which the grid lies off: a line too many here, one too few over there."""
        if self.borrowed and self.chequered:
            return self._stepped_slip(0), self._stepped_slip(1)
        before_files, after_files, before_ranks, after_ranks = self.beyond
        no_first_file, no_last_file, no_first_rank, no_last_rank = self.missing
        return (
            int(after_files and no_first_file) - int(before_files and no_last_file),
            int(after_ranks and no_first_rank) - int(before_ranks and no_last_rank),
        )

    def _stepped_slip(self, axis: int) -> int:
        """Of chequers the outermost steps are half as high as the others, so the two ends of the
        grid are held against each other: is there more one cell beyond than here at the far end?"""
        seen = self.seen[axis]
        before, first, last, after = seen[[0, 2, -3, -1]]
        if after > first + STEPPED and after - first > before - last:
            return 1
        return -1 if before > last + STEPPED else 0

    @property
    def complete(self) -> bool:
        """Every line is plainly seen, the outermost ones as well, and none beyond them.

        Of a chequered board half of the outermost steps are none, so they show half as much.
        """
        if self.quality < PLAIN:
            return False
        beyond, between = (BEYOND_STEPS, STEPS) if self.chequered else (BEYOND_LINES, LINES)
        for axis in self.seen:
            usual = float(np.median(axis[4:-4:2]))
            if axis[4:-4:2].min() < between * usual or axis[[2, -3]].min() < OUTERMOST * usual:
                return False
            most, least = float(axis[[0, -1]].max()), float(axis[[2, -3]].min())
            if most > beyond * usual or most > FAR_LESS * max(least, 0.0):
                return False
        return True

    @property
    def ours(self) -> bool:
        """Lines singly, or, within the board's edge, lines too faint to be told singly."""
        in_place = self.bounded and float(np.abs(self.edges_off).max()) <= IN_PLACE
        evident = self.grid or (in_place and self.share >= FAINT)
        wrong = self.finer or self.coarser or bool(self.beyond.any()) or self.narrower
        wrong = wrong or (self.borrowed and not self.complete)
        return evident and self.together >= TOGETHER and not wrong


def weigh(refined: Refined, board: BoardFacts) -> Evidence:
    sheet = refined.sheet
    seen: list[Points] = []
    pooled: list[float] = []
    edges: list[float] = []
    edges_off: list[float] = []
    for axis in (0, 1):
        count = sheet.counts[axis]
        lines = np.arange(-1, count + 1.01, 0.5)
        places = line_places(sheet.counts, axis, lines)
        across = carry(sheet.to_sheet, refined.fit.project(places))[..., axis]
        bands, pitch = sheet.bands[axis], sheet.pitch_px
        spread, limit = _noise(bands, across[:, 2:-2:2], pitch)
        seen.append(_stand(refined, axis, lines, across, spread, limit))
        pooled.append(_pool(refined, axis, across[:, 2:-2:2], spread))
        rim = board.rim_mm / board.cell_mm
        ends = np.array([-rim, 1 - rim, count + rim, count - 1 + rim])
        at = carry(sheet.to_sheet, refined.fit.project(line_places(sheet.counts, axis, ends)))
        edge, off = _edge(bands, at[..., axis], pitch, spread, limit)
        for outer, inner in (edge[:2], edge[2:]):
            clear = max(outer, inner) > 1 and max(outer, inner) > 2 * min(outer, inner)
            clear = clear and not board.borrowed  # its rim may have any width
            edges.append(outer - inner if clear else 0.0)
        edges_off.extend(off[[0, 2]])
    return Evidence(
        (seen[0], seen[1]),
        (pooled[0], pooled[1]),
        np.array(edges),
        np.array(edges_off),
        borrowed=board.borrowed,
        chequered=refined.chequered,
    )


def _noise(bands: Floats, lines_at: Points, pitch_px: int) -> tuple[Points, Points]:
    """How colours differ between neighbouring places off the lines, and at most."""
    rough = np.concatenate(
        [
            sample(bands, lines_at + (part + ASIDE) * pitch_px)
            - sample(bands, lines_at + part * pitch_px)
            for part in BETWEEN
        ],
        axis=1,
    ).reshape(-1, 3)
    limit = 4.5 * middle(np.abs(rough)) + 1e-6
    rough = np.clip(rough, -limit, limit)
    spread = rough.T @ rough / len(rough)
    return np.asarray(spread + np.eye(3) * (np.trace(spread) * 0.02 + 1e-12)), limit


def _stand(
    refined: Refined,
    axis: int,
    lines: NDArray[np.float64],
    across: Points,
    spread: Points,
    limit: Points,
) -> Points:
    """How well each place is seen, in the colour it has around there."""
    bands, aside = refined.sheet.bands[axis], ASIDE * refined.sheet.pitch_px
    low, on, high = (sample(bands, across + step * aside) for step in (-1, 0, 1))
    if refined.chequered:
        senses = line_senses(refined.sheet.counts, axis, True, lines)[..., None]
        rise = fall = (high - low) * senses
    else:
        rise, fall = on - low, on - high
    contrast = np.clip((rise + fall) / 2, -3 * limit, 3 * limit)
    around = cv2.blur(contrast, STRETCH, borderType=cv2.BORDER_REPLICATE)
    usual = middle(contrast[:, 2:-2:2].reshape(-1, 3))
    colours = np.linalg.solve(spread, (around + usual / 2)[..., None])[..., 0]
    noise = np.sqrt(((colours @ spread) * colours).sum(axis=-1)) + 1e-12
    standing = np.minimum((rise * colours).sum(axis=-1), (fall * colours).sum(axis=-1)) / noise
    if refined.chequered:
        standing = standing - 1  # a step needs no second side: noise alone would be seen in part
    least = np.full(standing.shape[1], -2.0)
    if refined.chequered:
        # The board's own edge may lie where one more line would be. It does not change its sense
        # from cell to cell: what half of them say for it the others say against it.
        least[[0, -1]] = -4.0
    return np.asarray(np.clip(standing, least, 4).mean(axis=0))


def _pool(refined: Refined, axis: int, lines_at: Points, spread: Points) -> float:
    """The median over all bands of all lines has no regard for pieces, and little noise."""
    bands, pitch = refined.sheet.bands[axis], refined.sheet.pitch_px
    aside = round(ASIDE * pitch)
    padded = np.pad(bands, ((0, 0), (aside, aside), (0, 0)), mode="edge")
    low, high = padded[:, : -2 * aside], padded[:, 2 * aside :]
    contrast = high - low if refined.chequered else bands - (low + high) / 2
    at = lines_at[:, None] + np.array(SHIFTS)[:, None] * pitch  # bands × shifts × lines
    values = sample(np.asarray(contrast, np.float32), at.reshape(len(at), -1)).reshape(*at.shape, 3)
    values *= line_senses(refined.sheet.counts, axis, refined.chequered)[:, None, :, None]
    each = values.transpose(1, 0, 2, 3).reshape(len(SHIFTS), -1, 3)
    typical = np.array([middle(shifted) for shifted in each])
    standing = np.sqrt((np.linalg.solve(spread, typical.T).T * typical).sum(axis=1))
    return float(standing[0] / (standing[1:].max() + POOL_FLOOR))


def _edge(
    bands: Floats, at: Points, pitch_px: int, spread: Points, limit: Points
) -> tuple[Points, Points]:
    """How clearly the colours change there, all along, within a seventh of a cell; and where."""
    offs = np.linspace(-0.14, 0.14, 15)
    places = (at[:, None] + offs[:, None] * pitch_px).reshape(len(at), -1)
    step = sample(bands, places + 0.05 * pitch_px) - sample(bands, places - 0.05 * pitch_px)
    mean = np.clip(step, -3 * limit, 3 * limit).mean(axis=0)
    clear = np.sqrt((np.linalg.solve(spread, mean.T).T * mean).sum(axis=1)).reshape(len(offs), -1)
    return clear.max(axis=0), offs[clear.argmax(axis=0)]
