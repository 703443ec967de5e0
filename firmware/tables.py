"""The tables that were calibrated: a folder in the state directory, two files a table.

    calibrations/home.toml    what was measured, and when
    calibrations/home.jpg     the empty board, to know its corners by; without it they are sought
    calibrations/in-use       the name of the table we hang above; `none` for none of them

It is of one game and one size of board, whoever plays: for any other it does not count.

A calibration makes seeing better and is never needed. So whatever is wrong with these files is
logged when the device starts, and it starts as if there were none.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firmware.seeing import save_picture
from rules.board import Cell, Piece, format_piece, parse_piece
from rules.box import BoardFacts, Box
from rules.errors import BadSetting, BadWord, ParkwardenError
from rules.packs import PACKS, load_pack
from rules.section import Section
from vision.calibration import Sample, TableCalibration
from vision.frame import BadPicture, load_picture
from vision.geometry import View

log = logging.getLogger(__name__)

NO_TABLE: Final = "none"
FIRST_TABLE: Final = "home"
_EMPTY: Final = "empty"
"""Seen where a sample should be."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_KEYS: Final = frozenset(
    {
        "game",
        "board",
        "made",
        "size_wh",
        "corners_a1_h1_h8_a8",
        "k1",
        "doubtful",
        "scale",
        "samples",
    }
)
_MOST_PX: Final = 100_000


class BadCalibration(ParkwardenError, ValueError):
    """A calibration that cannot be read: every mistake, one a line."""

    def __init__(self, where: str, mistakes: Iterable[str]) -> None:
        super().__init__("\n".join(f"{where}: {mistake}" for mistake in mistakes))


class Tables:
    def __init__(self, state_dir: Path, box: Box) -> None:
        self.folder, self._box = state_dir / "calibrations", box

    def names(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.toml"))

    def in_use(self) -> str:
        """The table we hang above, as somebody said; `none` where nobody did."""
        try:
            return (self.folder / "in-use").read_text(encoding="utf-8").strip() or NO_TABLE
        except (OSError, UnicodeDecodeError):
            return NO_TABLE

    def use(self, name: str) -> None:
        """From the next start on; `none` for no table."""
        known = (*self.names(), NO_TABLE)
        if name not in known:
            raise BadSetting(f"no table {name!r} was calibrated: expected {' or '.join(known)}")
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "in-use").write_text(f"{name}\n", encoding="utf-8")

    def keep(self, name: str, calibration: TableCalibration) -> Path:
        """Written as a whole or not at all, and in use from now on."""
        check_name(name)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.toml"
        path.with_suffix(".jpg").unlink(missing_ok=True)
        if calibration.empty_bgr is not None:
            save_picture(path.with_suffix(".jpg"), calibration.empty_bgr)
        fresh = path.with_suffix(".new")
        fresh.write_text(format_calibration(calibration, self._box.board), encoding="utf-8")
        fresh.replace(path)
        self.use(name)
        return path

    def load(self, name: str) -> TableCalibration:
        """`BadCalibration` where it cannot be read; without its picture it is used as it is."""
        path = self.folder / f"{check_name(name)}.toml"
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadCalibration(path.name, [f"cannot be read: {error}"]) from None
        calibration = parse_calibration(text, self._box, path.name)
        try:
            picture = load_picture(path.with_suffix(".jpg"))
        except BadPicture as error:
            log.warning("the corners of table %s are not known: %s", name, error)
            return calibration
        if picture.shape[1::-1] != calibration.view.size_wh:
            log.warning("the picture of table %s has another size than its corners", name)
            return calibration
        return replace(calibration, empty_bgr=picture)

    def load_in_use(self) -> TableCalibration | None:
        """What is known of the table we hang above; None where that is nothing."""
        name = self.in_use()
        if name == NO_TABLE:
            return None
        try:
            return self.load(name)
        except (BadCalibration, BadSetting) as error:
            log.warning("table %s is seen without its calibration: %s", name, error)
            return None


def check_name(name: str) -> str:
    if not _NAME.fullmatch(name) or name == NO_TABLE:
        raise BadSetting(
            f"a table cannot be called {name!r}: expected small letters, digits and -,"
            " as in kitchen"
        )
    return name


def format_calibration(calibration: TableCalibration, board: BoardFacts) -> str:
    """As TOML; `parse_calibration` is the reverse."""
    view = calibration.view
    corners = view.corners_px(board).round(2).tolist()
    lines = [
        "# How Parkwarden sees this table. Made by: parkwarden calibrate; delete it to forget it.",
        f'game = "{calibration.game}"',
        f"board = {[board.files, board.ranks]}",
        f"made = {calibration.made:%Y-%m-%dT%H:%M:%SZ}",
        f"size_wh = {list(view.size_wh)}",
        f"corners_a1_h1_h8_a8 = {corners}",
        f"k1 = {view.k1:.6f}",
        f"doubtful = {str(calibration.is_doubtful).lower()}",
        *([] if calibration.scale is None else [f"scale = {calibration.scale:.4f}"]),
    ]
    for sample in calibration.samples:
        lines += [
            "",
            "[[samples]]",
            f'cell = "{sample.cell}"',
            f'piece = "{format_piece(sample.piece)}"',
            f'seen = "{format_piece(sample.seen) if sample.seen else _EMPTY}"',
            f"confidence = {sample.confidence:.5f}",
            f"sure = {str(sample.is_sure).lower()}",
        ]
    return "\n".join(lines) + "\n"


def parse_calibration(text: str, box: Box, where: str) -> TableCalibration:
    """The calibration of a table of this game, or `BadCalibration` with every mistake."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadCalibration(where, [f"no TOML: {error}"]) from None
    mistakes: list[str] = []
    top = Section(data, "", mistakes)
    game = top.choice("game", (box.game,))
    whole = load_pack(box.game).box if box.game in PACKS else box
    # Before there were games with boards of several sizes, nobody wrote it down.
    usual = [whole.board.files, whole.board.ranks]
    lying, expected = data.get("board", usual), [box.board.files, box.board.ranks]
    if lying != expected:
        top.complain("board", lying, f"{expected}, the one that is played on")
    k1 = top.number("k1", -1, 1)
    is_doubtful = top.flag("doubtful")
    scale = top.number("scale", -1, 1) if "scale" in data else None
    made = data.get("made")
    if not isinstance(made, datetime):
        top.complain("made", made, "a date and a time")
    size = _numbers(data.get("size_wh"), (2,))
    corners = _numbers(data.get("corners_a1_h1_h8_a8"), (4, 2))
    if size is None or (size < 1).any():
        top.complain("size_wh", data.get("size_wh"), "width and height in pixels")
    if corners is None or not _is_board(corners):
        top.complain("corners_a1_h1_h8_a8", data.get("corners_a1_h1_h8_a8"), "four corners")
    samples = data.get("samples", [])
    parsed: list[Sample] = []
    for number, entry in enumerate(samples if isinstance(samples, list) else [samples]):
        try:
            parsed.append(_parse_sample(entry, whole))
        except (BadWord, KeyError, TypeError, ValueError) as error:
            mistakes.append(f"samples.{number}: {error}: expected cell, piece, seen, confidence")
    mistakes += [f"{key}: not a key of a calibration" for key in sorted(data.keys() - _KEYS)]
    if mistakes or size is None or corners is None or not isinstance(made, datetime):
        raise BadCalibration(where, mistakes)
    size_wh = int(size[0]), int(size[1])
    view = View.from_corners(size_wh, corners, box.board, k1)
    return TableCalibration(game, made, view, tuple(parsed), is_doubtful, scale=scale)


def _parse_sample(entry: Mapping[str, Any], box: Box) -> Sample:
    def piece(text: str) -> Piece | None:
        return None if text == _EMPTY else parse_piece(text, box.kinds, box.anchored)

    put = piece(entry["piece"])
    if put is None:
        raise ValueError("no piece was put")
    confidence, is_sure = float(entry["confidence"]), bool(entry["sure"])
    return Sample(Cell(entry["cell"]), put, piece(entry["seen"]), confidence, is_sure)


def _numbers(value: object, shape: tuple[int, ...]) -> NDArray[np.float64] | None:
    try:
        numbers = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        return None
    return numbers if numbers.shape == shape and np.isfinite(numbers).all() else None


def _is_board(corners: NDArray[np.float64]) -> bool:
    """Four corners of something that is not folded and could be in a picture."""
    side = np.roll(corners, -1, axis=0) - corners
    after = np.roll(side, -1, axis=0)
    bend = side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0]
    return bool((np.abs(corners) < _MOST_PX).all() and ((bend < 0).all() or (bend > 0).all()))
