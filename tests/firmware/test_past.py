"""Past games step by step, as the page replays them."""

from __future__ import annotations

import pytest

from firmware.past import PastGame, Unreplayable, record_of, replay, scenes_of, story_of
from firmware.store import StoredGame
from rules.events import Undone
from rules.game import Game
from rules.packs.masterplan import PACK
from rules.packs.masterplan.state import State
from rules.record import parse_record, play_record
from rules.voice import Language
from rules.wire import format_event
from tests.firmware import snapshots


def card(game: str = "masterplan", **settings: str) -> StoredGame:
    return StoredGame(6, game, settings, 1_700_000_000.0, None, 0, None)


def past(game: Game[State]) -> PastGame:
    return replay(card(**game.settings), [format_event(PACK, event) for event in game.log])


def test_every_step_has_its_board_its_score_and_what_was_said() -> None:
    story = story_of(past(snapshots.play(snapshots.OPENING + " +d5")), Language.EN)
    opening, *steps = story["steps"]
    assert (opening["ply"], opening["pieces"], opening["lines"]) == (0, [], [])
    assert [step["step"] for step in steps] == [1, 2, 3, 4]
    assert [step["cells"] for step in steps] == [["c4"], ["e6"], ["b3"], ["d5"]]
    assert [due["cell"] for due in steps[2]["dues"]] == ["d5"]
    assert steps[2]["lines"][0] == "3. white b3n"
    assert steps[3]["score"] == {"white": 2, "yellow": 1}
    assert len(steps[3]["pieces"]) == 4


def test_what_was_taken_back_is_not_replayed() -> None:
    game = snapshots.play(snapshots.MIDDLE)
    game.tell(Undone(3, tuple(game.verdict.table)))
    story = story_of(past(game), Language.EN)
    assert story["steps"][-1]["ply"] == 2
    assert [entry["ply"] for entry in story["series"]] == [0, 1, 2]


def test_the_record_leads_to_the_same_game() -> None:
    game = snapshots.finished()
    again = play_record(PACK, parse_record(record_of(past(game))))
    assert again.verdict.position == game.verdict.position
    assert again.verdict.score == game.verdict.score


def test_a_scene_is_a_change_of_the_board() -> None:
    scenes = scenes_of(past(snapshots.play("c4ne white:e5n -e5 e6n")))
    assert [list(scene.new) for scene in scenes] == [[], ["c4"], ["e6"]]
    assert [scene.ply for scene in scenes] == [0, 1, 2]


@pytest.mark.parametrize(
    ("stored", "log", "why"),
    [
        (card("go"), [], "no game is called 'go'"),
        (card(mode="lazy"), [], "mode cannot be 'lazy'"),
        (card(), [{"take": "z9"}], "after 0 of 1 events"),
        (card(), [{"take": "c4"}, {}], "after 1 of 2 events"),
        (card(), [{"undo": 3}], "there is no move 3"),
        (card(), [{"amend": 0, "event": 7}], "after 0 of 1"),
    ],
)
def test_what_cannot_be_brought_back_is_said(
    stored: StoredGame, log: list[dict[str, object]], why: str
) -> None:
    with pytest.raises(Unreplayable, match=why):
        replay(stored, log)
