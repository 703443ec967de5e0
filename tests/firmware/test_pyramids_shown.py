"""Subdivision in lights, in sound, as JSON, and as a past game."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from firmware.actions import Glow, Led
from firmware.lights import lights_for, seat_lights
from firmware.live import to_json
from firmware.past import card_of, record_of, replay, scenes_of, story_of
from firmware.picture import draw_gif, draw_png
from firmware.snapshot import Seeing, Snapshot
from firmware.sound import Cue, announcement_for
from firmware.state import Json, state_of
from firmware.store import StoredGame
from rules.game import Game
from rules.packs import PACKS, load_pack
from rules.packs.subdivision import PACK
from rules.record import parse_record, play_record
from rules.voice import Language
from rules.wire import format_event
from tests.firmware import snapshots
from tests.firmware.pyramids import (
    FOUR,
    OPENING,
    PARKS,
    finished,
    play,
    played,
    pyramids,
    snapshot_of,
    stuck,
    won_by,
)


def state(shown: Snapshot) -> Json:
    """As it arrives in a browser."""
    got = json.loads(to_json(state_of(shown)))
    assert isinstance(got, dict)
    return got


# ---- as JSON ----


def test_the_page_learns_the_board_and_the_pieces_that_are_played_with() -> None:
    game = state(pyramids("", players="blue red green"))["game"]
    assert (game["game"], game["files"], game["ranks"]) == ("subdivision", 7, 7)
    kinds = {kind["kind"]: kind for kind in game["kinds"]}
    assert list(kinds) == ["large", "medium", "small", "blocked"]
    large = kinds["large"]
    assert (large["shape"], large["base_mm"]) == ("pyramid", [25.4, 25.4])
    assert large["colours"] == ["blue", "red", "green"]
    assert set(large["shade"]) == {"blue", "red", "green"}
    assert large["words"]["green"] == "green large"
    assert kinds["blocked"]["count"] == 4
    assert set(kinds["blocked"]["shade"]) == {"blocked"}


def test_players_come_in_turn_order_with_their_accounts() -> None:
    got = state(snapshot_of(played(20, players="green red black blue")))
    assert [player["colour"] for player in got["players"]] == ["green", "red", "black", "blue"]
    assert sum(player["on_turn"] for player in got["players"]) == 1
    assert [account["colour"] for account in got["accounts"]] == ["green", "red", "black", "blue"]
    for account in got["accounts"]:
        assert account["lines"][0].startswith("pips: ")


@pytest.mark.parametrize("language", Language)
def test_every_game_there_is_is_offered_with_its_settings(language: Language) -> None:
    liked = {"subdivision": {"players": "green red", "size": "7"}}
    got = state(snapshots.snapshot("", language, preferred=liked))
    assert [game["game"] for game in got["games"]] == list(PACKS)
    assert [game["title"] for game in got["games"]] == ["Masterplan", "Subdivision"]
    masterplan, subdivision = got["games"]
    assert masterplan["settings"] == got["game"]["settings"]
    players, size, variant = subdivision["settings"]
    assert (players["value"], players["next"]) == ("green red", "green red")
    assert (players["least"], players["most"], len(players["choices"])) == (2, 4, 6)
    assert players["words"].count(", ") == 1
    assert (size["value"], size["least"], size["most"]) == ("7", 1, 1)
    assert (variant["value"], variant["least"], variant["most"]) == ("", 0, 3)
    for setting in (players, size, variant):
        assert setting["label"]
        assert setting["words"]
        assert all(choice["words"] for choice in setting["choices"])


def test_settings_for_the_next_game_stand_beside_those_of_this_one() -> None:
    made = pyramids()
    made = replace(made, game=replace(made.game, chosen={"players": FOUR}))
    got = state(made)
    players = got["game"]["settings"][0]
    assert (players["value"], players["next"]) == ("red blue", FOUR)
    assert got["games"][1]["settings"][0] == players


def test_a_task_is_told_with_whether_a_pass_would_do() -> None:
    assert state(pyramids())["task"] is None
    assert state(snapshots.snapshot())["task"] is None
    parks = state(pyramids("+a1"))["task"]
    assert (parks["word"], parks["kind"], parks["count"]) == ("parks-to-lay", "blocked", 5)
    assert parks["cells"] == ["a6", "f1", "f6", "c3", "d4"]
    assert (parks["may_pass"], parks["sentence"]) == (
        False,
        "Parks to lay before the first pyramid: 5.",
    )
    must = state(snapshot_of(stuck(), Language.DE))["task"]
    assert (must["word"], must["may_pass"], must["kind"]) == ("must-pass", True, None)
    assert must["sentence"] == "Rot kann nichts setzen und muss passen."


def test_a_shared_win_names_all_who_share_it() -> None:
    got = state(won_by("green", "yellow"))
    assert got["outcome"]["winners"] == ["green", "yellow"]
    assert got["outcome"]["score"]["red"] == -12


# ---- in lights ----


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        ("red blue", "white yellow"),
        ("red yellow blue", "white yellow park"),
        ("yellow red", "yellow white"),
        ("red blue green black", "white yellow park tower"),
        ("black clear yellow green", "white park yellow tower"),
    ],
)
def test_every_player_has_a_light_and_no_two_the_same(players: str, seats: str) -> None:
    box = Game(PACK, {"players": players}).box
    assert " ".join(seat_lights(box).values()) == seats


def test_a_game_with_lights_for_all_it_has_keeps_them() -> None:
    box = load_pack("masterplan").box
    assert seat_lights(box) == {"white": Led.WHITE, "yellow": Led.YELLOW}


def test_a_task_lights_the_attention_light_and_trouble_makes_it_blink() -> None:
    parks = pyramids("+a1")
    assert lights_for(parks)[Led.ATTENTION] is Glow.ON
    assert lights_for(replace(parks, seeing=Seeing.STARTING))[Led.ATTENTION] is Glow.OFF
    wrong = pyramids(f"{PARKS} Lb2 Mc4 Lb3")
    assert lights_for(wrong)[Led.ATTENTION] is Glow.OFF
    shown = replace(wrong, alarm=wrong.verdict.problems[0])
    assert lights_for(shown)[Led.ATTENTION] is Glow.BLINK


def test_all_who_have_won_blink() -> None:
    lights = lights_for(won_by("green", "yellow"))
    blinking = {led for led, glow in lights.items() if glow is Glow.BLINK}
    assert blinking == {Led.TOWER, Led.YELLOW}, "yellow's own, and the third that was free"


# ---- in sound ----


def _stuck_before() -> Game[Any]:
    game = stuck()
    return Game.replay(PACK, game.settings, game.log[:-1])


@pytest.mark.parametrize("language", Language)
def test_who_must_pass_is_told_once_and_so_is_the_pass(language: Language) -> None:
    game = stuck()
    before, after = snapshot_of(_stuck_before(), language), snapshot_of(game, language)
    fresh = replace(after, fresh=game.verdict)
    heard = announcement_for(before, fresh)
    assert heard is not None
    sentence = state(after)["task"]["sentence"]
    assert heard.sentence.lower().count(sentence.strip(".").lower()) == 1, heard.sentence
    assert announcement_for(after, replace(after, number=2)) is None

    on = Game.replay(PACK, game.settings, game.log)
    turn = on.verdict.turn
    assert turn is not None
    on.tell(PACK.parse_move("pass", turn))
    passed = announcement_for(after, snapshot_of(on, language))
    assert passed is not None
    assert passed.cue in (Cue.OK, Cue.DUE)
    said = PACK.voice(language).describe(on.verdict.said[0], on.verdict)[0]
    assert said.strip(".") in passed.sentence


def test_parks_to_lay_are_told_once_and_not_counted_down_aloud() -> None:
    first = announcement_for(replace(pyramids(""), seeing=Seeing.STARTING), pyramids(""))
    assert first is not None
    assert (first.cue, first.sentence) == (Cue.DUE, "Parks to lay before the first pyramid: 6.")
    assert announcement_for(pyramids(""), pyramids("+a1")) is None


def test_a_pyramid_is_told_with_its_points() -> None:
    before, after = pyramids(f"{PARKS} Lb2"), pyramids(f"{PARKS} Lb2 Lc4")
    heard = announcement_for(before, replace(after, fresh=after.verdict))
    assert heard is not None
    assert (heard.cue, heard.sentence) == (Cue.GAINED, "2. blue large on c4: +2.")


def test_the_end_of_a_game_of_many_names_everybodys_score() -> None:
    over = won_by("green")
    before = replace(over, verdict=replace(over.verdict, outcome=None))
    heard = announcement_for(before, over)
    assert heard is not None
    assert heard.sentence == "Green wins! red -12, blue -12, green 29, yellow -12."
    shared = won_by("red", "blue")
    told = announcement_for(replace(shared, verdict=before.verdict), shared)
    assert told is not None
    assert told.sentence.startswith("Red and blue share the win!")


# ---- as a past game ----


def past_of(game: Game[Any], result: str | None = None) -> StoredGame:
    return StoredGame(6, "subdivision", game.settings, 1_700_000_000.0, None, 0, result)


def test_a_past_game_is_replayed_on_its_own_board_with_its_own_players() -> None:
    game = finished(players=FOUR, variant="lay-parks")
    log = [format_event(PACK, event) for event in game.log]
    past = replay(past_of(game), json.loads(json.dumps(log)))
    assert past.game.verdict == game.verdict
    story = story_of(past, Language.FR)
    assert (story["game"], story["files"], story["ranks"]) == ("subdivision", 8, 8)
    assert [player["colour"] for player in story["players"]] == FOUR.split()
    assert story["players"][0]["name"] == "Rouge"
    assert story["steps"][-1]["score"] == dict(game.verdict.score)
    assert len(story["steps"]) == len(log) + 1
    assert len(scenes_of(past)) == len(game.verdict.position) + 1
    again = play_record(PACK, parse_record(record_of(past)))
    assert again.verdict.position == game.verdict.position
    assert again.verdict.score == game.verdict.score


@pytest.mark.parametrize(("size", "players"), [("5", "red blue"), ("8", FOUR)])
def test_its_pictures_have_the_size_of_its_board(size: str, players: str) -> None:
    variant = "nine-pyramids" if size == "5" else ""
    game = played(9, players=players, size=size, variant=variant)
    past = replay(past_of(game), [format_event(PACK, event) for event in game.log])
    scenes = scenes_of(past)
    png = Image.open(io.BytesIO(draw_png(scenes[-1], past.game.box)))
    assert png.width == (int(size) + 1) * 64
    gif = Image.open(io.BytesIO(draw_gif(scenes, past.game.box)))
    assert getattr(gif, "n_frames", 0) == len(scenes)


@pytest.mark.parametrize(
    ("result", "score"),
    [
        ("24-23", {"red": 24, "blue": 23}),
        ("-2--11", {"red": -2, "blue": -11}),
        ("0--1", {"red": 0, "blue": -1}),
        ("1-2-3", None),
        ("nonsense", None),
        (None, None),
    ],
)
def test_the_list_of_games_reads_scores_below_nought(
    result: str | None, score: dict[str, int] | None
) -> None:
    game = play(OPENING)
    assert card_of(past_of(game, result), 1, Language.EN)["score"] == score
    three = past_of(play("", players="black red green"), "-1-0-12")
    assert card_of(three, 1, Language.EN)["score"] == {"black": -1, "red": 0, "green": 12}
    broken = StoredGame(6, "subdivision", {"size": "77"}, 0.0, None, 0, "1-2")
    assert card_of(broken, 1, Language.EN)["title"] == "subdivision"
