"""`make accuracy`: how well the table is seen, on photographs with the truth of every cell.

    python -m tests.accuracy FOLDER [--quick]

FOLDER holds `singles/*.json` with their pictures and `games/*/truth.json` with theirs, as they
came. A game is compared with what the referee would say if it saw perfectly: the truth of every
settled picture, through the same rules.
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
from rules.events import Change
from rules.game import Game
from rules.packs import load_pack
from rules.wire import format_statement
from tests.disturb import DISTURBANCES, Disturb
from vision.classify import Classifier
from vision.frame import Frame, load_picture, read_recording
from vision.geometry import Image
from vision.locate import locate
from vision.reading import BoardReading, Unreadable
from vision.watch import Watcher

PACK = load_pack("masterplan")
BOX = PACK.box
CELLS = 64
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
    worst_px: float = 0.0
    pawns_wrong: int = 0
    pawns_untold: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, name: str, seen: BoardReading | Unreadable, truth: dict[str, Any]) -> None:
        self.pictures += 1
        if isinstance(seen, Unreadable):
            self.failures.append(f"{name}: {seen.reason}: {seen.advice}")
            return
        self.read += 1
        corners = seen.view.corners_px(BOX.board) + 0.5
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
        cells = max(self.read, 1) * CELLS
        print(f"{title}: {self.pictures} pictures")
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


def read_singles(folder: Path, classifier: Classifier, use_markers: bool) -> Tally:
    tally = Tally()
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        image = load_picture(path.parent / truth["image"])
        tally.add(path.stem, first_look(image, classifier, use_markers), truth)
    return tally


def first_look(
    image: Image, classifier: Classifier, use_markers: bool = True
) -> BoardReading | Unreadable:
    found = locate(image, BOX.board, use_markers)
    return found if isinstance(found, Unreadable) else classifier.read(image, found.view)


# ---- games ----


def expected_statements(truth: dict[str, Any]) -> tuple[list[Said], Game[Any]]:
    """What the referee says who sees every settled picture as it is."""
    game: Game[Any] = Game(PACK)
    said = []
    for frame in truth["frames"]:
        if frame["busy"]:
            continue
        after = Position(parse_cells(frame["cells"]))
        meaning = game.see(Change(game.verdict.table, after))
        assert meaning.problem is None, f"{frame['file']}: {meaning.problem}"
        for event in meaning.events:
            said += [format_statement(PACK, s) for s in game.tell(event).said]
    return said, game


def refereed(frames: Iterator[Frame], classifier: Classifier) -> tuple[list[Said], Game[Any]]:
    game: Game[Any] = Game(PACK)
    referee = Referee(game, Watcher(BOX, classifier))
    said = []
    for frame in frames:
        ruling = referee.see(frame)
        for verdict in ruling.verdicts:
            said += [{**format_statement(PACK, s), "frame": frame.number} for s in verdict.said]
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
    expected, perfect = expected_statements(truth)
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


def referee_games(folder: Path, classifier: Classifier, quick: bool) -> None:
    for path in sorted(folder.glob("*/truth.json")):
        truth = json.loads(path.read_text())
        sources = [path.parent]
        sources += sorted(path.parent.glob("*.mp4"))
        print(f"{path.parent.name}:")
        for source in sources:
            kind = "film" if source.is_file() else "pictures"
            show_game(kind, *refereed(read_recording(source), classifier), truth)
            if quick:
                continue
            third = truth["frames"][len(truth["frames"]) // 3]
            first = third["video_frame"] if source.is_file() else len(truth["frames"]) // 3
            for word, disturb in DISTURBANCES.items():
                frames = disturbed(read_recording(source), disturb, first)
                show_game(f"{kind}, {word}", *refereed(frames, classifier), truth)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="games undisturbed only")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    classifier = Classifier(BOX)
    singles = arguments.folder / "singles"
    if singles.is_dir():
        read_singles(singles, classifier, True).show("first look, markers used where they lie")
        read_singles(singles, classifier, False).show("first look, markers ignored")
    referee_games(arguments.folder / "games", classifier, arguments.quick)


if __name__ == "__main__":
    main()
