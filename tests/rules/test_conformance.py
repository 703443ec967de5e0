"""What every pack promises, held against all of them and against a game made for the tests.

The player here knows no game: it puts the pieces of the box on the cells of the board, takes them
off, shifts them, passes, undoes and corrects, all through the door. Each `check_…` asserts one
promise, and further down a pack that breaks the promise shows that the check would notice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import ALL_CELLS, Cell, Piece, Position
from rules.box import Box
from rules.errors import BadSetting, BadStep
from rules.events import (
    Amended,
    Change,
    Event,
    Interpretation,
    LeftStanding,
    Moved,
    Passed,
    Placed,
    TableEvent,
    Taken,
    TurnEnded,
    Undone,
)
from rules.game import Game
from rules.pack import Pack
from rules.packs import PACKS, load_pack
from rules.record import format_record, parse_record, play_record, write_record
from rules.table import MOVED, OCCUPIED, REMOVED, UNDONE
from rules.verdict import Illegal, Problem, Statement, Verdict
from rules.voice import Brief, Language, Voice
from rules.wire import format_event, format_statement, parse_event, parse_line, parse_settings
from tests.rules import toy_pack
from tests.rules.spoken import check_names, check_spoken, pieces_of
from tests.rules.toy_pack import PHRASES, Stones, StonesVoice

ALL_PACKS: dict[str, Pack[Any]] = {
    **{name: load_pack(name) for name in PACKS},
    toy_pack.BOX.game: toy_pack.PACK,
}
every_pack = pytest.mark.parametrize("pack", ALL_PACKS.values(), ids=ALL_PACKS.keys())
lively = settings(deadline=None, max_examples=60)


# ---- a player who knows no game ----


@dataclass(frozen=True)
class Whim:
    """What the player feels like doing; the numbers pick among what there is."""

    what: str
    one: int = 0
    two: int = 0


WHIMS = st.lists(
    st.builds(
        Whim,
        st.sampled_from(
            ["play"] * 8 + ["due"] * 4 + ["mend"] * 4 + ["task"] * 2
            + ["put", "take", "shift", "pass", "end", "undo", "amend"]
        ),
        st.integers(0, 9999),
        st.integers(0, 9999),
    ),
    max_size=35,
)  # fmt: skip


def cells_of_board(game: Game[Any]) -> list[Cell]:
    board = game.box.board
    return [cell for cell in ALL_CELLS if cell.file < board.files and cell.rank < board.ranks]


def accepted_move(game: Game[Any], random: Random) -> Placed | None:
    """A placement that the rules take for a move, found by trying."""
    cells, pieces = cells_of_board(game), pieces_of(game.pack)
    random.shuffle(cells)
    random.shuffle(pieces)
    likely = [piece for piece in pieces if piece.colour in (game.verdict.turn, None)]
    for cell in cells:
        for piece in likely:
            placed = Placed(cell, piece)
            if is_move(game, placed):
                return placed
    return None


def is_move(game: Game[Any], event: Placed | Passed) -> bool:
    return bool(game.pack.judge(game.state, event)[0].ply > game.verdict.ply)


def refused_placement(game: Game[Any], random: Random) -> Placed | None:
    cells, pieces = cells_of_board(game), pieces_of(game.pack)
    for _ in range(50):
        placed = Placed(random.choice(cells), random.choice(pieces))
        said = game.pack.judge(game.state, placed)[1].said
        if any(isinstance(statement, Illegal) for statement in said):
            return placed
    return None


def follow(game: Game[Any], whim: Whim) -> Event:
    """The event this whim comes to as things stand."""
    verdict = game.verdict
    cells, pieces = cells_of_board(game), pieces_of(game.pack)
    one, two = whim.one, whim.two
    standing = sorted(verdict.table)
    anything = Placed(cells[one % len(cells)], pieces[two % len(pieces)])
    if whim.what == "mend" and verdict.problems:
        problem = verdict.problems[one % len(verdict.problems)]
        if problem.reason == REMOVED and problem.cell not in verdict.table:
            return Placed(problem.cell, problem.piece)
        return Taken(problem.cell)
    if whim.what == "due" and verdict.dues:
        due = verdict.dues[one % len(verdict.dues)]
        return Placed(due.cell, due.piece)
    if whim.what == "take" and standing:
        return Taken(standing[one % len(standing)])
    if whim.what == "shift" and standing:
        origin = standing[one % len(standing)]
        piece = verdict.table[origin]
        return Moved(origin, cells[two % len(cells)], piece)
    if whim.what == "pass":
        return Passed(game.pack.box.players[one % len(game.pack.box.players)])
    if whim.what == "task" and verdict.task and verdict.task.piece:
        where = verdict.task.cells
        return Placed(where[one % len(where)], verdict.task.piece)
    if whim.what == "end":
        return TurnEnded()
    if whim.what == "undo" and verdict.ply:
        lifted = (cell for number, cell in enumerate(standing) if two >> number % 13 & 1)
        return Undone(max(1, verdict.ply - one % 3), tuple(lifted))
    if whim.what == "amend" and game.steps:
        return Amended(one % len(game.steps), anything if two % 2 else None)
    if whim.what in ("put", "take", "shift"):
        return anything
    return accepted_move(game, Random(one)) or anything


def play_whims(pack: Pack[Any], whims: list[Whim]) -> Game[Any]:
    game = Game(pack)
    for whim in whims:
        game.tell(follow(game, whim))
    return game


def play_moves(pack: Pack[Any], count: int, seed: int = 0) -> Game[Any]:
    """So many moves, one after the other, with nothing due after any of them."""
    game, random = Game(pack), Random(seed)
    while game.verdict.ply < count:
        move = accepted_move(game, random)
        assert move is not None, "no move was found"
        if not pack.judge(game.state, move)[1].dues:
            game.tell(move)
    return game


def play_to_the_end(pack: Pack[Any], seed: int, chosen: Mapping[str, str]) -> Game[Any]:
    """A whole game; what is due is sometimes put up late, and wrong pieces are soon taken off."""
    game, random = Game(pack, chosen), Random(seed)
    while game.verdict.outcome is None:
        dues, task, turn = game.verdict.dues, game.verdict.task, game.verdict.turn
        if dues and random.random() < 0.7:
            game.tell(Placed(dues[0].cell, dues[0].piece))
        elif task and task.piece and random.random() < 0.9:
            game.tell(Placed(task.cells[0], task.piece))
        elif random.random() < 0.1 and (wrong := refused_placement(game, random)):
            game.tell(wrong)
            game.tell(Taken(wrong.cell))
        elif move := accepted_move(game, random):
            game.tell(move)
        elif turn and is_move(game, Passed(turn)):
            game.tell(Passed(turn))
        else:
            game.tell(TurnEnded())
        assert len(game.log) < 500, "the game does not end"
    return game


def again(game: Game[Any]) -> Game[Any]:
    """The same game once more, to try something with it."""
    return Game.replay(game.pack, game.settings, game.log)


def before_last_move(game: Game[Any]) -> Verdict:
    cut = game.step_of(game.verdict.ply)
    return game.steps[cut - 1].verdict if cut else game.pack.survey(game.pack.setup(game.settings))


def is_tidy(game: Game[Any]) -> bool:
    """Nothing is wrong on the table, and nothing was before the last move."""
    return bool(game.verdict.ply) and not (game.verdict.problems or before_last_move(game).problems)


# ---- the promises ----


def plain(thing: object) -> object:
    """A thing down to its last part, copied, so that no change in place can hide."""
    if is_dataclass(thing) and not isinstance(thing, type):
        parts = {field.name: plain(getattr(thing, field.name)) for field in fields(thing)}
        return type(thing).__name__, parts
    if isinstance(thing, Position):
        return "Position", thing.files, thing.ranks, {c: plain(p) for c, p in thing.items()}
    if isinstance(thing, Mapping):
        return {key: plain(value) for key, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [plain(part) for part in thing]
    assert isinstance(thing, str | int | float | None), f"{thing!r} is not known to be frozen"
    return thing


def standing_of(verdict: Verdict) -> object:
    """How the game stands, whatever else lies on the table."""
    return plain(
        (
            (verdict.position, verdict.score, verdict.turn, verdict.ply),
            (verdict.dues, verdict.task, verdict.account, verdict.outcome),
        )
    )


def check_kept(kept: list[tuple[object, object]]) -> None:
    """Things kept from earlier are what they were."""
    for thing, was in kept:
        assert plain(thing) == was


def check_replay(game: Game[Any], last: Verdict | None = None) -> None:
    """The log leads to the same game; `last` is what telling its last event gave."""
    copy = Game.replay(game.pack, game.settings, game.log[:-1])
    verdict = copy.tell(game.log[-1]) if game.log else copy.verdict
    assert last is None or plain(verdict) == plain(last)
    assert plain(copy.steps) == plain(game.steps)
    assert plain(copy.state) == plain(game.state)
    assert plain(copy.verdict) == plain(game.verdict)
    assert copy.log == game.log


def check_wire(game: Game[Any]) -> None:
    """Every event of the log comes back from its line."""
    for event in [*game.log, *(step.event for step in game.steps)]:
        line = format_event(game.pack, event)
        assert parse_event(game.pack, line) == event
        assert parse_line(game.pack, json.dumps(line)) == event


def check_record(game: Game[Any]) -> None:
    """The written game reads back to the letter and leads to the same game."""
    record = write_record(game)
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    played = play_record(game.pack, parse_record(text))
    assert standing_of(played.verdict) == standing_of(game.verdict)


def check_statements(pack: Pack[Any], verdict: Verdict) -> None:
    """Everything said has its word and facts for programs, and words for people of any language."""
    for statement in verdict.said:
        line = json.loads(json.dumps(format_statement(pack, statement)))
        assert line["event"] == statement.word
    for language in Language:
        check_spoken(pack, verdict, language)


def check_undo(game: Game[Any]) -> None:
    """The last move taken back, its pieces lifted: all is as it was before it."""
    before, seen = before_last_move(game), game.verdict.table
    lifted = tuple(cell for cell in sorted(seen) if before.position.get(cell) != seen[cell])
    verdict = game.tell(Undone(game.verdict.ply, lifted))
    assert standing_of(verdict) == standing_of(before)
    assert dict(verdict.table) == {c: p for c, p in seen.items() if c not in lifted}


def check_leftovers(game: Game[Any]) -> None:
    """The last move taken back, its pieces left: each is a problem until it is taken off.

    Unless it is right as it stands: a forgotten piece may be due without that move, too.
    """
    before, seen = before_last_move(game), game.verdict.table
    left = {cell: piece for cell, piece in seen.items() if cell not in before.table}
    cut = game.step_of(game.verdict.ply)
    state = game.steps[cut - 1].state if cut else game.pack.setup(game.settings)
    verdict = game.tell(Undone(game.verdict.ply))
    assert (verdict.ply, verdict.turn) == (before.ply, before.turn)
    assert dict(verdict.table) == dict(seen)
    for cell in sorted(left):
        if verdict.position.get(cell) == left[cell]:
            alone = game.pack.judge(state, Placed(cell, left[cell]))[0]
            assert cell in alone.position, "it was due, told or not"
            assert alone.ply == state.ply, "it was no move"
            continue
        assert cell not in verdict.position
        assert [(p.reason, p.piece) for p in game.verdict.problems if p.cell == cell] == [
            (UNDONE, left[cell])
        ]
        game.tell(Taken(cell))
        assert cell not in game.verdict.table
        assert all(problem.cell != cell for problem in game.verdict.problems)
    if not left.keys() & verdict.position.keys():
        assert standing_of(game.verdict) == standing_of(before)


def check_refused(game: Game[Any], wrong: Placed) -> None:
    """A refused piece changes nothing but the table, and taken off not even that."""
    before = game.verdict
    verdict = game.tell(wrong)
    assert standing_of(verdict) == standing_of(before)
    assert [(p.cell, p.piece) for p in verdict.problems] == [(wrong.cell, wrong.piece)]
    assert verdict.table[wrong.cell] == wrong.piece
    verdict = game.tell(Taken(wrong.cell))
    assert standing_of(verdict) == standing_of(before)
    assert (verdict.table, verdict.problems) == (before.table, ())


def check_box(game: Game[Any]) -> None:
    """What is on the table is in the box, and no more of it stands than there is."""
    whole, box = game.pack.box, game.box
    assert (box.game, box.title) == (whole.game, whole.title)
    assert set(box.players) <= set(whole.players)
    assert set(game.verdict.score) == set(box.players)
    assert set(box.pieces) <= set(whole.pieces)
    for kind, facts in box.pieces.items():
        assert set(facts.colours) <= set(box.players)
        assert set(facts.shade) == {*facts.colours} or not facts.colours
        for colour in facts.colours:
            standing = [p for p in game.verdict.position.values() if p[:2] == (kind, colour)]
            assert len(standing) <= facts.count
    for cell, piece in game.verdict.position.items():
        assert cell in cells_of_board(game)
        assert piece.kind in box.pieces


def check_nothing_seen(game: Game[Any]) -> None:
    """Two looks at the same table: nothing happened."""
    table = game.verdict.table
    assert game.see(Change(table, table)) == Interpretation()


def check_move_seen(game: Game[Any], move: Placed) -> None:
    """A look before and a look after one legal placement: that placement happened."""
    table = game.verdict.table
    assert game.see(Change(table, table.put(move.cell, move.piece))) == Interpretation((move,))


def check_legal_moves(game: Game[Any]) -> None:
    """Listed is exactly what the rules take for a move, each once."""
    listed = list(game.pack.legal_moves(game.state))
    taken = [
        placed
        for cell in cells_of_board(game)
        for piece in pieces_of(game.pack)
        if is_move(game, placed := Placed(cell, piece))
    ]
    assert len(set(listed)) == len(listed), "a move is listed twice"
    assert set(listed) == set(taken), "listed is what is not taken, or the reverse"


def check_account(verdict: Verdict) -> None:
    """Until the final count the account adds up to the score."""
    total = dict.fromkeys(verdict.score, 0)
    for gain in verdict.account:
        assert gain.piece.colour is not None, f"nobody gains by {gain}"
        total[gain.piece.colour] += gain.points
    assert total == verdict.score


def check_bad_steps(game: Game[Any]) -> None:
    """Undoing or correcting what never was is refused and changes nothing."""
    was, log, known = plain((game.log, game.steps, game.state)), list(game.log), list(game.steps)
    ply, steps = game.verdict.ply, len(game.steps)
    for event in (
        Undone(0),
        Undone(-1),
        Undone(ply + 1, (Cell("a1"),)),
        Amended(steps, None),
        Amended(steps + 7, TurnEnded()),
        Amended(-1, None),
    ):
        refused = False
        try:
            game.tell(event)
        except BadStep:
            refused = True
        assert refused, f"{event} was taken"
        assert game.log == log
        assert all(now is then for now, then in zip(game.steps, known, strict=True))
    assert plain((game.log, game.steps, game.state)) == was


# ---- every pack keeps them ----


@every_pack
@given(whims=WHIMS)
@lively
def test_no_state_ever_changes_in_place(pack: Pack[Any], whims: list[Whim]) -> None:
    game = Game(pack)
    kept: list[tuple[object, object]] = []
    for number, whim in enumerate(whims):
        if number % 4 == 0:
            moment = (game.state, game.verdict)
            kept.append((moment, plain(moment)))
        game.tell(follow(game, whim))
        table = game.verdict.table
        game.see(Change(table, table))
    check_kept(kept)


@every_pack
@given(whims=WHIMS)
@lively
def test_the_log_replayed_is_the_game_at_every_step(pack: Pack[Any], whims: list[Whim]) -> None:
    game = Game(pack)
    check_replay(game)
    for whim in whims:
        check_replay(game, game.tell(follow(game, whim)))


@every_pack
@given(whims=WHIMS)
@lively
def test_every_event_comes_back_from_the_wire(pack: Pack[Any], whims: list[Whim]) -> None:
    check_wire(play_whims(pack, whims))


@every_pack
@given(whims=WHIMS)
@lively
def test_everything_said_has_words_for_programs_and_people(
    pack: Pack[Any], whims: list[Whim]
) -> None:
    game = Game(pack)
    for whim in whims:
        check_statements(pack, game.tell(follow(game, whim)))


@every_pack
@pytest.mark.parametrize("language", Language)
def test_everything_has_a_name(pack: Pack[Any], language: Language) -> None:
    check_names(pack, language)


@every_pack
@pytest.mark.parametrize("reason", [OCCUPIED, REMOVED, MOVED, UNDONE])
@pytest.mark.parametrize("language", Language)
def test_what_any_table_does_wrong_has_its_words(
    pack: Pack[Any], reason: str, language: Language
) -> None:
    wrong = tuple(Problem(reason, Cell("a1"), piece) for piece in pieces_of(pack))
    said = tuple(map(Illegal, wrong))
    nothing = pack.survey(Game(pack).state)
    check_spoken(pack, replace(nothing, problems=wrong, said=said), language)


@every_pack
@given(whims=WHIMS)
@lively
def test_the_written_game_is_the_game(pack: Pack[Any], whims: list[Whim]) -> None:
    check_record(play_whims(pack, whims))


@every_pack
@given(whims=WHIMS)
@lively
def test_an_undone_move_leaves_no_trace(pack: Pack[Any], whims: list[Whim]) -> None:
    game = Game(pack)
    for whim in whims:
        game.tell(follow(game, whim))
        if is_tidy(game):
            check_undo(again(game))


@every_pack
@given(whims=WHIMS)
@lively
def test_what_is_left_of_an_undone_move_has_to_go(pack: Pack[Any], whims: list[Whim]) -> None:
    game = Game(pack)
    for whim in whims:
        game.tell(follow(game, whim))
        if is_tidy(game):
            check_leftovers(again(game))


@every_pack
@given(whims=WHIMS)
@lively
def test_an_undo_moves_nothing_on_the_table(pack: Pack[Any], whims: list[Whim]) -> None:
    game = Game(pack)
    for whim in whims:
        event = follow(game, whim)
        seen = game.verdict.table
        verdict = game.tell(event)
        if isinstance(event, Undone):
            assert dict(verdict.table) == {c: p for c, p in seen.items() if c not in event.lifted}


@every_pack
@given(whims=WHIMS, seed=st.integers(0, 9999))
@lively
def test_a_refused_piece_changes_nothing(pack: Pack[Any], whims: list[Whim], seed: int) -> None:
    game = play_whims(pack, whims)
    wrong = refused_placement(game, Random(seed))
    if wrong is not None and not game.verdict.problems:
        check_refused(game, wrong)


@every_pack
@given(whims=WHIMS)
@lively
def test_where_nothing_changed_nothing_happened(pack: Pack[Any], whims: list[Whim]) -> None:
    check_nothing_seen(play_whims(pack, whims))


@every_pack
@given(whims=WHIMS, seed=st.integers(0, 9999))
@lively
def test_one_new_legal_piece_is_one_placement(
    pack: Pack[Any], whims: list[Whim], seed: int
) -> None:
    game = play_whims(pack, whims)
    if not game.verdict.problems:
        for due in game.verdict.dues:
            check_move_seen(game, Placed(due.cell, due.piece))
        move = accepted_move(game, Random(seed))
        if move is not None:
            check_move_seen(game, move)


@every_pack
@given(whims=WHIMS)
@lively
def test_what_never_was_cannot_be_undone_or_corrected(pack: Pack[Any], whims: list[Whim]) -> None:
    check_bad_steps(play_whims(pack, whims))


@every_pack
@given(whims=WHIMS)
@lively
def test_every_point_is_accounted_for(pack: Pack[Any], whims: list[Whim]) -> None:
    game = Game(pack)
    for whim in whims:
        before, verdict = game.verdict.score, game.tell(follow(game, whim))
        if verdict.outcome is None:
            check_account(verdict)
            if verdict.gains:
                gained = sum(gain.points for gain in verdict.gains)
                assert gained == sum(verdict.score.values()) - sum(before.values())


@every_pack
@given(whims=WHIMS)
@settings(deadline=None, max_examples=15)
def test_the_moves_that_are_listed_are_the_moves_that_are_taken(
    pack: Pack[Any], whims: list[Whim]
) -> None:
    game = play_whims(pack, whims)
    if not game.verdict.problems:
        check_legal_moves(game)


def all_settings(pack: Pack[Any]) -> list[dict[str, str]]:
    """The defaults, and each other choice once; of several the first so many and the last."""
    chosen: list[dict[str, str]] = [{}]
    for setting in pack.settings:
        singles = [(choice,) for choice in setting.choices] if setting.least < 2 else []
        several = [
            some
            for count in range(max(2, setting.least), setting.most + 1)
            for some in (setting.choices[:count], setting.choices[: -count - 1 : -1])
        ]
        values = dict.fromkeys(" ".join(some) for some in [*singles, *several])
        chosen += [{setting.name: value} for value in values if value != setting.default]
    return chosen


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("pack", "chosen"),
    [(pack, chosen) for pack in ALL_PACKS.values() for chosen in all_settings(pack)],
    ids=[
        f"{name}-{'-'.join(chosen.values()).replace(' ', '+') or 'default'}"
        for name, pack in ALL_PACKS.items()
        for chosen in all_settings(pack)
    ],
)
def test_a_whole_game_keeps_every_promise(
    pack: Pack[Any], chosen: dict[str, str], seed: int
) -> None:
    game = play_to_the_end(pack, seed, chosen)
    check_box(game)
    outcome = game.verdict.outcome
    assert outcome is not None
    assert game.verdict.turn is None
    most = max(outcome.score.values())
    assert set(outcome.winners) == {c for c, points in outcome.score.items() if points == most}
    assert outcome.score == game.verdict.score
    check_replay(game)
    check_wire(game)
    check_record(game)
    check_bad_steps(again(game))
    check_nothing_seen(game)
    for step in game.steps:
        check_statements(pack, step.verdict)
    halfway = Game.replay(pack, game.settings, game.log[: len(game.log) * (seed + 1) // 5])
    if not halfway.verdict.problems:
        check_legal_moves(halfway)
    if is_tidy(game):
        check_undo(again(game))
        check_leftovers(again(game))
    wrong = refused_placement(game, Random(seed))
    assert wrong is not None, "a game that is over refuses every piece"
    check_refused(game, wrong)


@every_pack
def test_a_new_game_is_empty_and_the_first_player_is_on_turn(pack: Pack[Any]) -> None:
    for chosen in all_settings(pack):
        check_new(Game(pack, chosen))


def check_new(game: Game[Any]) -> None:
    verdict, box = game.verdict, game.box
    assert (verdict.ply, verdict.turn) == (0, box.players[0])
    assert dict(verdict.table) == dict(verdict.position) == {}
    assert (verdict.position.files, verdict.position.ranks) == (box.board.files, box.board.ranks)
    assert list(verdict.score.items()) == [(colour, 0) for colour in box.players]
    assert (verdict.said, verdict.dues, verdict.problems, verdict.outcome) == ((), (), (), None)


@every_pack
def test_settings_have_their_first_choice_unless_chosen(pack: Pack[Any]) -> None:
    assert Game(pack).settings == {s.name: s.default for s in pack.settings}
    for chosen in all_settings(pack):
        assert Game(pack, chosen).settings == {**Game(pack).settings, **chosen}


@every_pack
def test_no_setting_has_the_name_of_an_event(pack: Pack[Any]) -> None:
    """Or a first line of `judge` could be either."""
    keys = {"take", "pass", "end", "undo", "lifted", "amend", "event", "move", "left"}
    for piece in pieces_of(pack):
        keys |= set(pack.format_placement(Placed(Cell("a1"), piece)))
    assert not keys & {setting.name for setting in pack.settings}
    for chosen in all_settings(pack)[1:]:
        assert parse_settings(pack, json.dumps(chosen)) == chosen
        words = {name: value.split() for name, value in chosen.items()}
        assert parse_settings(pack, json.dumps(words)) == chosen


@every_pack
def test_all_wrong_settings_are_told_at_once(pack: Pack[Any]) -> None:
    wrong = {**{s.name: "wrong-value" for s in pack.settings}, "no_such": "x", "nor_this": "y"}
    with pytest.raises(BadSetting) as caught:
        Game(pack, wrong)
    message = str(caught.value)
    assert "'no_such'" in message
    assert "'nor_this'" in message
    for setting in pack.settings:
        assert f"{setting.name} cannot be 'wrong-value'" in message
        assert all(choice in message for choice in setting.choices)


# ---- undo and correction, case by case ----


@every_pack
def test_moves_undone_one_by_one_are_as_undone_at_once(pack: Pack[Any]) -> None:
    """What is left of an undone move stays so, even when an earlier move is undone as well."""
    count = len(Game(pack).box.players) + 1  # the first player is on turn again
    one_by_one, at_once = play_moves(pack, count), play_moves(pack, count)
    for ply in range(count, 0, -1):
        one_by_one.tell(Undone(ply))
    at_once.tell(Undone(1))
    assert standing_of(one_by_one.verdict) == standing_of(Game(pack).verdict)
    assert plain(one_by_one.verdict.problems) == plain(at_once.verdict.problems)


@every_pack
def test_a_piece_put_back_since_is_no_problem_after_an_undo(pack: Pack[Any]) -> None:
    """A piece was off its place when the move was made that is now undone; it is back by now."""
    game = play_moves(pack, 2)
    back = game.log[-1]
    assert isinstance(back, Placed)
    game.tell(Taken(back.cell))
    move = accepted_move(game, Random(1))
    assert move is not None
    for event in (move, back):
        game.tell(event)
    assert game.verdict.problems == ()
    verdict = game.tell(Undone(3, (move.cell,)))
    assert verdict.table == verdict.position
    assert verdict.problems == ()


@every_pack
def test_a_stack_taken_off_since_is_no_problem_after_an_undo(pack: Pack[Any]) -> None:
    game = play_moves(pack, 1)
    wrong = refused_placement(game, Random(1))
    assert wrong is not None
    game.tell(wrong)
    game.tell(wrong)
    move = accepted_move(game, Random(1))
    assert move is not None
    for event in (move, Taken(wrong.cell), Taken(wrong.cell)):
        game.tell(event)
    assert game.verdict.problems == ()
    verdict = game.tell(Undone(2, (move.cell,)))
    assert verdict.table == verdict.position
    assert verdict.problems == ()


@every_pack
def test_a_covered_piece_of_an_undone_move_has_to_go_too(pack: Pack[Any]) -> None:
    """A wrong piece lies on the one whose move is undone: under it that one still stands."""
    game = play_moves(pack, 1)
    move = game.log[0]
    assert isinstance(move, Placed)
    cover = next(p for p in pieces_of(pack) if p != move.piece and p.anchor is None)
    for event in (Placed(move.cell, cover), Undone(1), Taken(move.cell)):
        game.tell(event)
    assert dict(game.verdict.table) == {move.cell: move.piece}
    assert [(p.cell, p.piece) for p in game.verdict.problems] == [(move.cell, move.piece)]


@every_pack
def test_the_verdict_of_a_game_is_what_was_told_last(pack: Pack[Any]) -> None:
    game = play_moves(pack, 3)
    told = game.tell(Amended(0, None))
    assert plain(game.verdict) == plain(told)
    game = play_moves(pack, 3)
    told = game.tell(Undone(3))
    assert plain(game.verdict) == plain(told)


@every_pack
def test_a_correction_judges_anew_what_followed(pack: Pack[Any]) -> None:
    """The first of three moves was none: now the second comes out of turn, and is told so."""
    game = play_moves(pack, 3)
    second = game.steps[1].event
    misfits = game.tell(Amended(0, None)).misfits
    assert [misfit.event for misfit in misfits][:1] == [second]
    for misfit in misfits:
        assert game.steps[misfit.step].event == misfit.event, "the step has its new number"


@every_pack
def test_a_correction_that_changes_nothing_changes_nothing(pack: Pack[Any]) -> None:
    game = play_moves(pack, 3)
    was = plain(game.steps)
    verdict = game.tell(Amended(1, game.steps[1].event))
    assert plain(game.steps) == was
    assert (verdict.said, verdict.misfits) == ((), ())


# ---- a check that never fails is none ----

A1, B1 = Cell("a1"), Cell("b1")
RED, BLUE = Piece("stone", "red"), Piece("stone", "blue")


def opened(pack: Pack[Any]) -> Game[Any]:
    """Red on a1, blue on b1."""
    return Game.replay(pack, {}, [Placed(A1, RED), Placed(B1, BLUE)])


def test_the_checks_pass_where_nothing_is_broken() -> None:
    for check in (check_replay, check_wire, check_record, check_nothing_seen):
        check(opened(toy_pack.PACK))
    for check in (check_undo, check_leftovers, check_bad_steps):
        check(opened(toy_pack.PACK))
    check_move_seen(opened(toy_pack.PACK), Placed(Cell("c1"), Piece("stone", "green")))
    check_refused(opened(toy_pack.PACK), Placed(Cell("c1"), RED))
    check_statements(toy_pack.PACK, opened(toy_pack.PACK).verdict)


def test_what_is_not_frozen_is_noticed() -> None:
    with pytest.raises(AssertionError, match="not known to be frozen"):
        plain({1: {2, 3}})


def test_a_state_that_is_scribbled_on_is_noticed() -> None:
    class Scribbling(Stones):
        def judge(self, state: toy_pack.State, event: TableEvent) -> tuple[toy_pack.State, Verdict]:
            cast(dict[str, int], state.score)["red"] += 1
            return super().judge(state, event)

    game = Game(Scribbling())
    kept = [(cast(object, game.state), plain(game.state))]
    check_kept(kept)
    game.tell(Placed(A1, RED))
    with pytest.raises(AssertionError):
        check_kept(kept)


def test_a_pack_with_a_memory_is_noticed() -> None:
    class Moody(Stones):
        calls = 0

        def judge(self, state: toy_pack.State, event: TableEvent) -> tuple[toy_pack.State, Verdict]:
            self.calls += 1
            state, verdict = super().judge(state, event)
            return replace(state, passes=self.calls % 3), verdict

    with pytest.raises(AssertionError):
        check_replay(opened(Moody()))


def test_a_verdict_other_than_the_one_told_is_noticed() -> None:
    game = opened(toy_pack.PACK)
    with pytest.raises(AssertionError):
        check_replay(game, replace(game.verdict, ply=7))


def test_a_line_that_leads_to_another_event_is_noticed() -> None:
    class Colourblind(Stones):
        def format_placement(self, event: Placed) -> dict[str, str]:
            return {**super().format_placement(event), "colour": "red"}

    with pytest.raises(AssertionError):
        check_wire(opened(Colourblind()))


def test_a_written_game_that_is_another_is_noticed() -> None:
    class Mirrored(Stones):
        def format_move(self, event: Placed | Passed) -> str:
            word = super().format_move(event)
            return word if isinstance(event, Passed) else f"{word[0]}{4 - int(word[1])}"

    with pytest.raises(AssertionError):
        check_record(opened(Mirrored()))


def test_a_statement_under_another_word_is_noticed() -> None:
    class Mumbling(Stones):
        def format_statement(self, statement: Statement) -> dict[str, object]:
            return {"event": "mumble"}

    with pytest.raises(AssertionError):
        check_statements(Mumbling(), opened(Mumbling()).verdict)


def test_a_statement_without_words_is_noticed() -> None:
    class Silence(StonesVoice):
        def describe(self, statement: Statement, verdict: Verdict) -> list[str]:
            return [] if self.language is Language.FR else super().describe(statement, verdict)

    class Silent(Stones):
        def voice(self, language: Language) -> Voice:
            return Silence(language, PHRASES)

    with pytest.raises(AssertionError, match="no words"):
        check_statements(Silent(), opened(Silent()).verdict)


def test_a_problem_that_nobody_can_point_at_is_noticed() -> None:
    class Vagueness(StonesVoice):
        def brief_problem(self, problem: Problem) -> Brief:
            return replace(super().brief_problem(problem), cells=())

    class Vague(Stones):
        def voice(self, language: Language) -> Voice:
            return Vagueness(language, PHRASES)

    game = opened(Vague())
    game.tell(Placed(A1, RED))
    with pytest.raises(AssertionError, match="points nowhere"):
        check_statements(Vague(), game.verdict)


def test_two_things_of_one_name_are_noticed() -> None:
    class Colourblind(StonesVoice):
        def piece(self, piece: Piece) -> str:
            return self.say(f"kind.{piece.kind}")

    class Grey(Stones):
        def voice(self, language: Language) -> Voice:
            return Colourblind(language, PHRASES)

    with pytest.raises(AssertionError, match="one name for two"):
        check_names(Grey(), Language.EN)


def test_a_game_that_undoes_nothing_is_noticed() -> None:
    class Stubborn(Game[Any]):
        def tell(self, event: Event) -> Verdict:
            return self.verdict if isinstance(event, Undone) else super().tell(event)

    with pytest.raises(AssertionError):
        check_undo(Stubborn.replay(toy_pack.PACK, {}, [Placed(A1, RED)]))


def test_leftovers_that_are_overlooked_are_noticed() -> None:
    class Careless(Stones):
        def judge(self, state: toy_pack.State, event: TableEvent) -> tuple[toy_pack.State, Verdict]:
            return super().judge(state, TurnEnded() if isinstance(event, LeftStanding) else event)

    with pytest.raises(AssertionError):
        check_leftovers(opened(Careless()))


def test_a_refused_piece_that_stays_is_noticed() -> None:
    class Sticky(Stones):
        def judge(self, state: toy_pack.State, event: TableEvent) -> tuple[toy_pack.State, Verdict]:
            return super().judge(state, TurnEnded() if isinstance(event, Taken) else event)

    with pytest.raises(AssertionError):
        check_refused(opened(Sticky()), Placed(Cell("c1"), RED))


def test_a_pack_that_sees_ghosts_is_noticed() -> None:
    class Haunted(Stones):
        def interpret(self, state: toy_pack.State, change: Change) -> Interpretation:
            return Interpretation((Taken(A1),))

    with pytest.raises(AssertionError):
        check_nothing_seen(opened(Haunted()))


def test_a_blind_pack_is_noticed() -> None:
    class Blind(Stones):
        def interpret(self, state: toy_pack.State, change: Change) -> Interpretation:
            return Interpretation()

    with pytest.raises(AssertionError):
        check_move_seen(opened(Blind()), Placed(Cell("c1"), Piece("stone", "green")))


def test_a_move_that_is_not_listed_is_noticed() -> None:
    class Forgetful(Stones):
        def legal_moves(self, state: toy_pack.State) -> list[Placed]:
            return super().legal_moves(state)[1:]

    class Stuttering(Stones):
        def legal_moves(self, state: toy_pack.State) -> list[Placed]:
            return super().legal_moves(state) * 2

    check_legal_moves(opened(toy_pack.PACK))
    with pytest.raises(AssertionError, match="not taken"):
        check_legal_moves(opened(Forgetful()))
    with pytest.raises(AssertionError, match="twice"):
        check_legal_moves(opened(Stuttering()))


def test_a_point_without_account_is_noticed() -> None:
    game = opened(toy_pack.PACK)
    check_account(game.verdict)
    with pytest.raises(AssertionError):
        check_account(replace(game.verdict, score={**game.verdict.score, "red": 1}))


def test_a_piece_that_is_not_in_the_box_is_noticed() -> None:
    class Lonely(Stones):
        def box_for(self, settings: Mapping[str, str]) -> Box:
            return replace(self.box, players=("red",))

    check_box(opened(toy_pack.PACK))
    with pytest.raises(AssertionError):
        check_box(opened(Lonely()))


def test_a_game_that_takes_what_never_was_is_noticed() -> None:
    class Gullible(Game[Any]):
        def step_of(self, ply: int) -> int:
            return 0

    with pytest.raises(AssertionError, match="was taken"):
        check_bad_steps(Gullible.replay(toy_pack.PACK, {}, [Placed(A1, RED)]))


def test_a_refused_step_that_leaves_a_trace_is_noticed() -> None:
    class Noting(Game[Any]):
        def step_of(self, ply: int) -> int:
            self.log.append(TurnEnded())
            return super().step_of(ply)

    with pytest.raises(AssertionError):
        check_bad_steps(Noting.replay(toy_pack.PACK, {}, [Placed(A1, RED)]))


def test_a_player_who_finds_no_move_says_so() -> None:
    stones = len(toy_pack.PLAYERS) * toy_pack.BOX.pieces["stone"].count
    with pytest.raises(AssertionError, match="no move was found"):
        play_moves(toy_pack.PACK, stones + 1)


def test_a_game_without_end_is_noticed() -> None:
    class Endless(Stones):
        def judge(self, state: toy_pack.State, event: TableEvent) -> tuple[toy_pack.State, Verdict]:
            return super().judge(state, TurnEnded() if isinstance(event, Placed) else event)

    with pytest.raises(AssertionError, match="does not end"):
        play_to_the_end(Endless(), 0, {})


# ---- the game made for the tests, by its own rules ----


def test_stones_pairs_score_and_several_may_win() -> None:
    moves = "a1 a2 a3 b1 b2 b3 c1 c2 c3"
    game: Game[toy_pack.State] = Game(toy_pack.PACK)
    for word in moves.split():
        game.tell(toy_pack.PACK.parse_move(word, game.verdict.turn))
    outcome = game.verdict.outcome
    assert outcome is not None
    assert outcome.score == {"red": 2, "blue": 2, "green": 2}
    assert outcome.winners == ("red", "blue", "green")
    assert sum(gain.points for gain in game.verdict.account) == 6


def test_stones_three_passes_in_a_row_end_the_game_but_never_the_first_move() -> None:
    game: Game[toy_pack.State] = Game(toy_pack.PACK)
    assert game.tell(Passed("red")).ply == 0
    for event in (Placed(A1, RED), Passed("blue"), Passed("green"), Passed("red")):
        assert game.verdict.outcome is None
        game.tell(event)
    assert game.verdict.outcome is not None
    assert game.verdict.ply == 4
    check_record(game)
    check_undo(game)


def test_stones_put_down_at_once_are_asked_about() -> None:
    game = opened(toy_pack.PACK)
    table = game.verdict.table
    green, red = Placed(Cell("c1"), Piece("stone", "green")), Placed(Cell("d1"), RED)
    after = table.put(green.cell, green.piece).put(red.cell, red.piece)
    seen = game.see(Change(table, after))
    assert seen == Interpretation((), ((green, red), (red, green)), toy_pack.ORDER_UNKNOWN)
