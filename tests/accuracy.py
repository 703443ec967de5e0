"""`make accuracy`: how well the table is seen, on photographs with the truth of every cell.

    python -m tests.accuracy FOLDER [--quick] [--game GAME]

FOLDER holds `singles/*.json` with their pictures and `games/*/truth.json` with theirs, as they
came. A game is compared with what the referee would say if it saw perfectly: the truth of every
settled picture, through the same rules. Where players and board are chosen, the reader is told what
they agreed on, as the device is.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from firmware.referee import Referee
from rules.board import Anchor, Cell, Piece, Position
from rules.box import BoardFacts
from rules.events import Change
from rules.game import Game
from rules.pack import Pack
from rules.packs import PACKS, load_pack
from rules.wire import format_statement
from tests.disturb import DISTURBANCES, Disturb
from vision.classify import Classifier
from vision.frame import Frame, load_picture, read_recording
from vision.glance import glance
from vision.reading import BoardReading, Unreadable
from vision.watch import Watcher

PACK = load_pack("masterplan")
Said = dict[str, Any]


def parse_cells(cells: dict[str, dict[str, str]]) -> dict[Cell, Piece]:
    return {
        Cell(cell): Piece(
            facts["piece"],
            facts.get("colour"),
            Anchor(facts["anchor"]) if facts.get("anchor") else None,
        )
        for cell, facts in cells.items()
    }


# ---- single pictures ----


@dataclass
class Tally:
    pictures: int = 0
    read: int = 0
    """Pictures in which a board was read, rightly or wrongly: only their cells count."""
    found: int = 0
    whole: int = 0
    wrong: int = 0
    silent: int = 0
    unsure: int = 0
    cells: int = 0
    parts: int = 0
    """Pictures of a board of which only a part is played on."""
    worst_px: float = 0.0
    pawns_wrong: int = 0
    pawns_untold: int = 0
    failures: list[str] = field(default_factory=list)

    def add(
        self, name: str, seen: BoardReading | Unreadable, truth: dict[str, Any], board: BoardFacts
    ) -> None:
        self.pictures += 1
        self.parts += truth.get("part_of", board.files) != board.files
        if isinstance(seen, Unreadable):
            self.failures.append(f"{name}: {seen.reason}: {seen.advice}")
            return
        self.read += 1
        self.cells += len(seen.cells)
        corners = seen.view.corners_px(board) + 0.5
        off_px = float(np.abs(corners - np.array(truth["corners_a1_h1_h8_a8"])).max())
        self.worst_px = max(self.worst_px, off_px)
        self.found += off_px <= 3
        if off_px > 3:
            self.failures.append(f"{name}: corners {off_px:.1f} px off")
        expected = parse_cells(truth["cells"])
        wrong = [c for c, seen_ in seen.cells.items() if seen_.piece != expected.get(c)]
        self.wrong += len(wrong)
        self.whole += not wrong
        self.unsure += len(seen.unsure)
        self.silent += sum(cell not in seen.unsure for cell in wrong)
        self.failures += [_explain(name, c, seen, expected.get(c)) for c in wrong]
        for colour, space in seen.pawns.items():
            self.pawns_untold += space is None
            self.pawns_wrong += space not in (None, truth["pawns"][colour])

    def show(self, title: str) -> None:
        cells = max(self.cells, 1)
        parts = f", {self.parts} of a part of a larger board" if self.parts else ""
        print(f"{title}: {self.pictures} pictures{parts}")
        print(f"  boards found            {self.found} (worst corner {self.worst_px:.2f} px)")
        print(f"  whole boards right      {self.whole}")
        print(f"  cells wrong             {self.wrong} of {cells} ({self.wrong / cells:.3%})")
        print(f"  cells silently wrong    {self.silent}")
        print(f"  cells unsure            {self.unsure} ({self.unsure / cells:.2%})")
        print(f"  pawns wrong / untold    {self.pawns_wrong} / {self.pawns_untold}")
        for failure in self.failures:
            print(f"    {failure}")


def _explain(name: str, cell: Cell, seen: BoardReading, truth: Piece | None) -> str:
    silent = "" if cell in seen.unsure else " SILENT"
    guess = seen.cells[cell]
    return f"{name} {cell}: {truth} seen as {guess.piece} ({guess.confidence:.3f}){silent}"


def read_singles(folder: Path, pack: Pack[Any], use_markers: bool) -> Tally:
    tally = Tally()
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        image = load_picture(path.parent / truth["image"])
        box = Game(pack, truth.get("settings", {})).box
        tally.add(path.stem, glance(image, Classifier(box), (), use_markers), truth, box.board)
    return tally


# ---- games ----


def expected_statements(
    truth: dict[str, Any], pack: Pack[Any] = PACK
) -> tuple[list[Said], Game[Any]]:
    """What the referee says who sees every settled picture as it is."""
    game: Game[Any] = Game(pack, truth.get("settings", {}))
    board = game.box.board
    said = []
    for frame in truth["frames"]:
        if frame["busy"]:
            continue
        after = Position(parse_cells(frame["cells"]), board.files, board.ranks)
        meaning = game.see(Change(game.verdict.table, after))
        assert meaning.problem is None, f"{frame['file']}: {meaning.problem}"
        for event in meaning.events:
            said += [format_statement(pack, s) for s in game.tell(event).said]
    return said, game


def refereed(
    frames: Iterator[Frame], pack: Pack[Any], settings: dict[str, str]
) -> tuple[list[Said], Game[Any]]:
    game: Game[Any] = Game(pack, settings)
    referee = Referee(game, Watcher(game.box))
    said = []
    for frame in frames:
        ruling = referee.see(frame)
        for verdict in ruling.verdicts:
            said += [{**format_statement(pack, s), "frame": frame.number} for s in verdict.said]
    return said, game


def disturbed(frames: Iterator[Frame], disturb: Disturb, first: int) -> Iterator[Frame]:
    for frame in frames:
        if frame.number >= first:
            frame = replace(frame, image_bgr=disturb(frame.image_bgr))
        yield frame


def comparable(said: list[Said]) -> list[str]:
    """Statements without frame numbers; things laid between two houses in any order."""
    lines: list[str] = []
    run: list[str] = []
    for one in said:
        facts = {k: v for k, v in one.items() if k not in ("frame", "score")}
        line = json.dumps(facts, sort_keys=True)
        if one["event"] in ("park", "tower"):
            run.append(line)
            continue
        lines += [*sorted(run), line]
        run = []
    return lines + sorted(run)


def show_game(name: str, said: list[Said], game: Game[Any], truth: dict[str, Any]) -> bool:
    expected, perfect = expected_statements(truth, game.pack)
    ours, theirs = comparable(said), comparable(expected)
    right = ours == theirs
    score = game.verdict.score == perfect.verdict.score and bool(game.verdict.outcome)
    surplus = [line for line in ours if line not in theirs]
    missing = [line for line in theirs if line not in ours]
    print(
        f"  {name:32} {'all statements right' if right else 'DIFFERS':22}"
        f" final score {'right' if score else f'{dict(game.verdict.score)} at {game.verdict.ply}'}"
    )
    for title, lines in (("surplus", surplus), ("missing", missing)):
        for line in lines[:4]:
            print(f"      {title}: {line}")
    return right


def referee_games(folder: Path, pack: Pack[Any], quick: bool) -> None:
    for path in sorted(folder.glob("*/truth.json")):
        truth = json.loads(path.read_text())
        settings = truth.get("settings", {})
        sources = [path.parent]
        sources += sorted(path.parent.glob("*.mp4"))
        print(f"{path.parent.name}:")
        for source in sources:
            kind = "film" if source.is_file() else "pictures"
            show_game(kind, *refereed(read_recording(source), pack, settings), truth)
            if quick:
                continue
            third = truth["frames"][len(truth["frames"]) // 3]
            first = third["video_frame"] if source.is_file() else len(truth["frames"]) // 3
            for word, disturb in DISTURBANCES.items():
                frames = disturbed(read_recording(source), disturb, first)
                show_game(f"{kind}, {word}", *refereed(frames, pack, settings), truth)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="games undisturbed only")
    parser.add_argument("--game", choices=PACKS, default="masterplan")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    pack = load_pack(arguments.game)
    singles = arguments.folder / "singles"
    if singles.is_dir():
        read_singles(singles, pack, True).show("first look, markers used where they lie")
        read_singles(singles, pack, False).show("first look, markers ignored")
    referee_games(arguments.folder / "games", pack, arguments.quick)


if __name__ == "__main__":
    main()
