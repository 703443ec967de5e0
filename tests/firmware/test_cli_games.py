"""`--game` and `--set` on the command line, for every command that has them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import pytest

from firmware.cli import main
from firmware.commands import NewGame
from firmware.config import Config
from firmware.parts import fast_clock, simulate
from firmware.running import Wishes
from firmware.store import Store
from rules.board import Cell, Piece
from rules.game import Game
from rules.packs import PACKS
from rules.packs.subdivision import PACK


@pytest.mark.parametrize("game", PACKS)
def test_every_game_has_an_example_to_replay(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--game", game]) == 0
    out = capsys.readouterr().out
    assert f'[Game "{game.title()}"]' in out
    assert not [line for line in out.splitlines() if line.startswith("!")]


def test_a_game_is_judged_with_the_settings_of_the_call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = b'{"place": "large", "cell": "g7", "colour": "green"}\n'

    class Stdin:
        buffer = io.BytesIO(lines)

    monkeypatch.setattr("sys.stdin", Stdin)
    call = ["judge", "--json", "--game", "subdivision", "--set", "players=green red black"]
    assert main(call) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["score"] == {"green": 2, "red": 0, "black": 0}


@pytest.mark.parametrize(
    ("settings", "files"), [({}, 6), ({"players": "red blue green", "size": "usual"}, 7)]
)
def test_a_photo_is_read_for_the_table_that_was_named(
    settings: dict[str, str], files: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    box = Game(PACK, settings).box
    simulation = simulate(box, fast_clock(), tmp_path / "t.json", 0, (1280, 960), hands=False)
    simulation.table.put(Piece("blocked"), Cell("a1"))
    photo = tmp_path / "photo.png"
    cv2.imwrite(str(photo), simulation.camera.read().image_bgr)
    said = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    assert main(["read", "--json", "--game", "subdivision", *said, str(photo)]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert seen["pawns"] == {}
    assert seen["cells"]["a1"]["piece"] == "blocked"
    assert set(seen["cells"]["a1"]) == {"piece", "confidence"}
    assert box.board.files == files
    assert main(["read", "--game", "subdivision", *said, str(photo)]) == 0
    assert "pawns" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (["run", "--game", "go"], "no game is called 'go'"),
        (["run", "--set", "size=7"], "no setting is called 'size'"),
        (["doctor", "--game", "subdivision", "--set", "size=9"], "size cannot be '9'"),
        (["calibrate", "--game", "subdivision", "--set", "players=red"], "players cannot be 'red'"),
        (["read", "--game", "subdivision", "--set", "mode=strict", "x.png"], "called 'mode'"),
    ],
)
def test_what_does_not_exist_is_told_before_anything_is_done(
    call: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = ["--state", str(tmp_path)] if call[0] != "read" else []
    assert main([*call, *state]) == 2
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_looks_for_the_board_of_the_game_that_is_going_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.open(tmp_path / "games.db")
    store.begin("subdivision", {"players": "red blue green yellow"})
    store.close()
    call = ["doctor", "--simulated", "--yes", "--json", "--state", str(tmp_path)]
    assert main(call) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    board = next(finding for finding in findings if finding["part"] == "board")
    assert board["state"] == "ok"
    kept = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert "subdivision" in json.dumps(kept)


def test_what_was_asked_for_is_not_begun_again_after_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Config, Wishes]] = []

    def run(config: Config, wishes: Wishes, *_: object) -> int:
        asked.append((config, wishes))
        return 0

    monkeypatch.setattr("firmware.running.run", run)
    store = Store.open(tmp_path / "games.db")
    store.begin("subdivision", {})
    store.close()
    call = ["run", "--set", "size=7", "--state", str(tmp_path)]
    assert main(call) == 0
    assert asked[-1][1].game == NewGame({"size": "7"}, "subdivision")
    store = Store.open(tmp_path / "games.db")
    store.begin("masterplan", {})
    store.close()
    assert main([*call, "--go-on"]) == 0, "the players chose otherwise meanwhile"
    assert asked[-1][1].game is None
    assert main(["run", "--state", str(tmp_path)]) == 0
    assert asked[-1][1].game is None
    assert main(["run", "--game", "subdivision", "--go-on", "--state", str(tmp_path)]) == 0
    assert (asked[-1][0].game.name, asked[-1][1].game) == ("subdivision", None)
