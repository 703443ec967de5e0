"""`parkwarden run --demo` with everything going wrong: a short soak, see `tests.soak`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tests.soak import differences, endure, survive

SMALL_WH = (960, 720)
GAME = "masterplan"


def test_a_game_with_every_mischief_is_kept_as_it_was_played(tmp_path: Path) -> None:
    run = asyncio.run(endure(tmp_path, GAME, seed=1, games=1, size_wh=SMALL_WH))
    assert not run.faults, "\n".join(run.faults)
    assert len(run.done) >= 9, "hardly anything went wrong"


def test_a_game_with_power_cuts_is_kept_as_it_was_played(tmp_path: Path) -> None:
    run = survive(tmp_path, GAME, seed=2, games=1, most_deeds=24)
    assert not run.faults, "\n".join(run.faults)
    assert run.done["kill"] >= 3
    wrong_diary = tmp_path / "demo" / GAME / "diary.jsonl"
    told = [json.loads(line) for line in wrong_diary.read_text().splitlines()]
    last = max(number for number, line in enumerate(told) if "house" in line)
    del told[last]
    wrong_diary.write_text("".join(json.dumps(line) + "\n" for line in told))
    assert differences(wrong_diary.parent, GAME), "a difference would have been found"


def test_a_diary_without_its_game_is_a_difference(tmp_path: Path) -> None:
    house = {"house": "c4ne", "colour": "white"}
    lines: tuple[object, ...] = {"begin": {}}, house
    (tmp_path / "diary.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (found,) = differences(tmp_path, GAME)
    assert found == "0 games kept of 1"


PYRAMIDS = "subdivision"
"""Without the network that sees its pieces these fail, and are not skipped: it is part of us."""


def test_a_game_of_pyramids_with_every_mischief_is_kept_as_it_was_played(tmp_path: Path) -> None:
    run = asyncio.run(endure(tmp_path, PYRAMIDS, seed=25, games=1))
    assert not run.faults, "\n".join(run.faults)
    assert len(run.done) >= 9, "hardly anything went wrong"


def test_games_of_pyramids_with_power_cuts_are_kept_as_they_were_played(tmp_path: Path) -> None:
    run = survive(tmp_path, PYRAMIDS, seed=21, games=1, most_deeds=24)
    assert not run.faults, "\n".join(run.faults)
    assert run.done["kill"] >= 3
