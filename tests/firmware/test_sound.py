"""What is heard: once, in every language, by engines that work, fail, hang or are not there."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.config import SoundMode
from firmware.dialog import Listing
from firmware.panel import HIGHEST_HZ, LOWEST_HZ, Tune
from firmware.snapshot import Alarm, Failure, Hidden, Part, Seeing, Snapshot
from firmware.sound import (
    ENGINES,
    TUNES,
    Announcement,
    Cue,
    Engine,
    Sound,
    Speaker,
    announcement_for,
    find_engine,
)
from rules.board import Cell
from rules.verdict import Verdict
from rules.voice import Language
from tests.firmware.snapshots import GALLERY, MIDDLE, OPENING, finished, snapshot, snapshot_of

CAMERA = Failure(Part.CAMERA, "unplugged")


def with_alarm(made: Snapshot) -> Snapshot:
    """With its first problem or forgotten due as the alarm, as after three quiet seconds."""
    forgotten = (due for due in made.verdict.dues if due.forgotten)
    troubles: list[Alarm] = [*made.verdict.problems, *forgotten]
    return replace(made, alarm=troubles[0])


def with_fresh(made: Snapshot) -> Snapshot:
    """With the last verdict as one that was given only just now."""
    return replace(made, fresh=made.story[-1][1])


def heard(before: Snapshot | None, after: Snapshot) -> Announcement:
    announcement = announcement_for(before, after)
    assert announcement is not None
    return announcement


def changes(language: Language) -> dict[Cue, tuple[Snapshot, Snapshot]]:
    """For each cue two snapshots between which it is heard."""
    start, opening = snapshot("c4ne e6n", language), snapshot(OPENING, language)
    forgotten = snapshot(f"{OPENING} h8n", language)
    illegal = snapshot("c4ne white:e5n", language)
    middle = snapshot(MIDDLE, language)
    return {
        Cue.OVER: (middle, snapshot_of(finished(), language)),
        Cue.ILLEGAL: (illegal, with_alarm(illegal)),
        Cue.FORGOTTEN: (forgotten, with_alarm(forgotten)),
        Cue.TROUBLE: (middle, replace(middle, alarm=CAMERA, failures=(CAMERA,))),
        Cue.QUESTION: (middle, GALLERY["unsure"](language)),
        Cue.GAINED: (opening, with_fresh(snapshot(f"{OPENING} +d5", language))),
        Cue.DUE: (start, opening),
        Cue.OK: (with_alarm(illegal), snapshot("c4ne", language)),
    }


# ---- what is announced ----


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("cue", list(Cue))
def test_every_cue_is_heard_with_a_sentence_in_every_language(cue: Cue, language: Language) -> None:
    announcement = heard(*changes(language)[cue])
    assert announcement.cue is cue
    assert len(announcement.sentence) > 5
    assert announcement.sentence[-1] in ".!?"
    assert "{" not in announcement.sentence
    others = [heard(*changes(other)[cue]).sentence for other in Language if other != language]
    assert announcement.sentence not in others


@pytest.mark.parametrize(
    ("cue", "words"),
    [
        (Cue.DUE, ("park", "d5", "b3, c4 and e6")),
        (Cue.GAINED, ("park d5", "white +2", "yellow +1")),
        (Cue.FORGOTTEN, ("d5", "forgotten")),
        (Cue.ILLEGAL, ("white", "take", "house back")),
        (Cue.QUESTION, ("c3", "white ne", "white e")),
        (Cue.TROUBLE, ("camera",)),
        (Cue.OVER, ("yellow wins",)),
    ],
)
def test_the_sentence_says_it(cue: Cue, words: tuple[str, ...]) -> None:
    sentence = heard(*changes(Language.EN)[cue]).sentence.lower()
    assert all(word in sentence for word in words), sentence


@pytest.mark.parametrize("cue", list(Cue))
def test_what_stays_is_not_new(cue: Cue) -> None:
    _, after = changes(Language.EN)[cue]
    assert announcement_for(after, replace(after, number=2)) is None
    moving = replace(after, seeing=Seeing.BUSY, hidden=frozenset({Cell("a1")}))
    assert announcement_for(after, moving) is None
    assert announcement_for(moving, after) is None


@pytest.mark.parametrize("cue", list(Cue))
def test_another_language_is_nothing_new(cue: Cue) -> None:
    _, after = changes(Language.EN)[cue]
    assert announcement_for(after, replace(after, language=Language.DE)) is None


@pytest.mark.parametrize("cue", list(Cue))
def test_what_was_told_is_left_out(cue: Cue) -> None:
    before, after = changes(Language.EN)[cue]
    assert announcement_for(before, after, heard(before, after).told) is None


def test_trouble_on_the_table_waits_for_the_alarm() -> None:
    before, wrong = snapshot("c4ne"), snapshot("c4ne white:e5n")
    assert wrong.verdict.problems
    assert announcement_for(before, wrong) is None
    house = snapshot(f"{OPENING} h8n")
    assert any(due.forgotten for due in house.verdict.dues)
    assert announcement_for(snapshot(OPENING), house) is None


def test_in_strict_mode_nothing_is_said_to_be_due() -> None:
    before, after = snapshot("c4ne e6n"), snapshot(OPENING)
    silent = replace(after, verdict=replace(after.verdict, dues=()))
    assert announcement_for(before, silent) is None


def test_a_due_with_one_more_reason_is_the_same_due() -> None:
    opening = snapshot(OPENING)
    (due,) = opening.verdict.dues
    more = replace(due, reasons=due.reasons * 2)
    verdict: Verdict = replace(opening.verdict, dues=(more,))
    assert announcement_for(opening, replace(opening, verdict=verdict)) is None


def test_several_new_things_are_one_announcement_with_the_tune_of_the_weightiest() -> None:
    before, after = snapshot("c4ne e6n"), replace(snapshot(OPENING), alarm=CAMERA)
    announcement = heard(before, after)
    assert announcement.cue is Cue.TROUBLE
    assert "d5" in announcement.sentence
    assert "Camera" in announcement.sentence
    only_camera = announcement_for(before, after, heard(before, replace(after, alarm=None)).told)
    assert only_camera is not None
    assert "d5" not in only_camera.sentence


def test_a_question_is_read_once_while_its_answers_are_gone_through() -> None:
    asked = GALLERY["unsure"](Language.EN)
    assert isinstance(asked.dialog, Listing)
    moved_on = replace(asked, dialog=replace(asked.dialog, at=1))
    assert announcement_for(asked, moved_on) is None
    other = replace(asked, dialog=replace(asked.dialog, cell=Cell("h8")))
    assert heard(asked, other).cue is Cue.QUESTION


@pytest.mark.parametrize("name", ["menu", "why", "undo", "pairing", "language", "correct"])
def test_what_the_players_opened_themselves_is_silent(name: str) -> None:
    assert announcement_for(snapshot(MIDDLE), replace(GALLERY[name](Language.EN))) is None


def test_a_trouble_that_is_still_there_is_not_mended() -> None:
    for wrong in (snapshot("c4ne white:e5n"), snapshot(f"{OPENING} h8n")):
        assert announcement_for(with_alarm(wrong), wrong) is None


def test_a_failure_that_was_shown_long_enough_is_not_mended() -> None:
    failing = replace(snapshot(MIDDLE), alarm=CAMERA, failures=(CAMERA,))
    assert announcement_for(failing, replace(failing, alarm=None)) is None
    assert heard(failing, replace(failing, alarm=None, failures=())).cue is Cue.OK


def test_a_game_that_nobody_has_seen_yet_is_not_talked_about() -> None:
    unseen = replace(snapshot(OPENING), seeing=Seeing.STARTING)
    assert announcement_for(None, unseen) is None
    assert heard(unseen, replace(unseen, seeing=Seeing.WATCHING)).cue is Cue.DUE
    forgotten = replace(snapshot(f"{OPENING} h8n"), seeing=Seeing.STARTING)
    assert announcement_for(forgotten, replace(forgotten, seeing=Seeing.WATCHING)) is None
    over = replace(snapshot_of(finished()), seeing=Seeing.STARTING)
    assert announcement_for(over, replace(over, seeing=Seeing.WATCHING)) is None


@pytest.mark.parametrize("name", list(GALLERY))
@pytest.mark.parametrize("language", list(Language))
def test_there_is_nothing_that_cannot_be_announced(name: str, language: Language) -> None:
    after = GALLERY[name](language)
    for before in (None, snapshot("", language), snapshot(MIDDLE, language)):
        announcement = announcement_for(before, after)
        assert announcement is None or announcement.sentence


def test_every_cue_has_a_short_tune_of_its_own_that_the_buzzer_can_play() -> None:
    assert set(TUNES) == set(Cue)
    assert len(set(TUNES.values())) == len(Cue)
    for tune in TUNES.values():
        assert sum(note.length_s for note in tune) <= 1
        assert all(note.hz == 0 or LOWEST_HZ <= note.hz <= HIGHEST_HZ for note in tune)


# ---- how it comes to be heard ----


class Ears:
    """A buzzer and a speaker that only listen."""

    def __init__(self) -> None:
        self.tunes: list[Tune] = []
        self.sentences: list[str] = []

    def cues(self) -> list[Cue]:
        names = {tune: cue for cue, tune in TUNES.items()}
        return [names[tune] for tune in self.tunes if tune]


class Listener(Speaker):
    def __init__(self, ears: Ears) -> None:
        super().__init__(Engine("nobody", (), {}))
        self._ears = ears

    def say(self, sentence: str, language: Language) -> None:
        self._ears.sentences.append(f"{language}: {sentence}")


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
def sound(ears: Ears) -> Iterator[Sound]:
    sound = Sound(ears.tunes.append, Listener(ears))
    yield sound
    sound.close()


def a_game(mode: SoundMode) -> list[Snapshot]:
    """A due, its park, a mistake and its end, each shown several times over."""
    due, laid = snapshot(OPENING), with_fresh(snapshot(f"{OPENING} +d5"))
    wrong = snapshot(f"{OPENING} +d5 white:a8n")
    right = snapshot(f"{OPENING} +d5 white:a8n -a8")
    steps = [snapshot("c4ne e6n"), due, laid, replace(laid, fresh=None)]
    steps += [wrong, with_alarm(wrong), wrong, with_alarm(wrong), right]
    return [replace(step, sound=mode) for step in steps for _ in range(5)]


def test_over_a_game_everything_is_heard_once(sound: Sound, ears: Ears) -> None:
    for shown in a_game(SoundMode.BOTH):
        sound.show(shown)
    assert ears.cues() == [Cue.DUE, Cue.GAINED, Cue.ILLEGAL, Cue.OK]
    assert len(ears.sentences) == len(ears.cues())
    assert ears.sentences[0].startswith("en: park due on d5")


def test_a_trouble_that_comes_and_goes_is_announced_once(sound: Sound, ears: Ears) -> None:
    middle = replace(snapshot(MIDDLE), sound=SoundMode.TONES)
    hidden = replace(middle, alarm=Hidden((Cell("d6"),)))
    camera = replace(middle, alarm=CAMERA)
    for shown in (middle, hidden, camera, hidden, camera, middle, hidden, middle):
        sound.show(shown)
    assert ears.cues() == [Cue.TROUBLE, Cue.TROUBLE, Cue.OK, Cue.OK]


@pytest.mark.parametrize("mode", list(SoundMode))
def test_the_mode_says_what_is_heard(sound: Sound, ears: Ears, mode: SoundMode) -> None:
    for shown in a_game(mode):
        sound.show(shown)
    assert bool(ears.cues()) is (mode in (SoundMode.TONES, SoundMode.BOTH))
    assert bool(ears.sentences) is (mode in (SoundMode.SPEECH, SoundMode.BOTH))


def test_what_was_missed_while_it_was_off_is_not_made_up_for(sound: Sound, ears: Ears) -> None:
    for mode in (SoundMode.OFF, SoundMode.BOTH):
        sound.show(replace(snapshot(OPENING), sound=mode))
    assert (ears.cues(), ears.sentences) == ([], [])
    sound.again()
    assert ears.cues() == [Cue.DUE]
    assert "d5" in ears.sentences[0]


def test_asked_again_where_there_is_no_news_it_says_whose_turn_it_is(
    sound: Sound, ears: Ears
) -> None:
    sound.again()
    assert ears.cues() == []
    sound.show(replace(snapshot("c4ne", Language.DE), sound=SoundMode.BOTH))
    sound.again()
    assert ears.cues() == [Cue.OK]
    assert "Gelb" in ears.sentences[0]


def test_switching_it_off_cuts_it_short(sound: Sound, ears: Ears) -> None:
    sound.show(replace(snapshot(OPENING), sound=SoundMode.TONES))
    sound.show(replace(snapshot(OPENING), sound=SoundMode.OFF))
    assert ears.tunes == [TUNES[Cue.DUE], ()]


def test_without_buzzer_and_speaker_it_is_just_quiet() -> None:
    sound = Sound(None, None)
    for shown in a_game(SoundMode.BOTH):
        sound.show(shown)
    sound.again()
    sound.close()
    assert sound.failure is None


# ---- engines ----

SPEAK = 'printf "%s|" "$@" >> "$(dirname "$0")/args"; cat >> "$(dirname "$0")/said"'


def make_engine(folder: Path, script: str, name: str = "espeak-ng") -> Engine:
    """A stand-in that is found as the real one would be."""
    command = folder / name
    command.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    command.chmod(0o755)
    engine = find_engine(str(folder))
    assert engine is not None
    assert engine.command == str(command)
    return engine


def wait_for(condition: Callable[[], bool], most_s: float = 5.0) -> bool:
    until_s = time.monotonic() + most_s
    while not condition() and time.monotonic() < until_s:
        time.sleep(0.005)
    return condition()


def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def is_alive(pid: int) -> bool:
    """Whether it still runs; one that is dead may wait for long until somebody buries it."""
    try:
        os.kill(pid, 0)
        return not text_of(Path(f"/proc/{pid}/stat")).partition(") ")[2].startswith("Z")
    except ProcessLookupError:
        return False


@pytest.fixture
def closing() -> Iterator[list[Speaker]]:
    """Speakers put in here are closed after the test."""
    speakers: list[Speaker] = []
    yield speakers
    for speaker in speakers:
        speaker.close()


def test_a_sentence_is_spoken_as_it_is_whatever_a_shell_would_make_of_it(
    tmp_path: Path, closing: list[Speaker]
) -> None:
    speaker = Speaker(make_engine(tmp_path, SPEAK))
    closing.append(speaker)
    nasty = f"--help $(touch {tmp_path}/x); `id` 'ü' \"ß\" | & é"
    speaker.say(nasty, Language.FR)
    assert wait_for(lambda: text_of(tmp_path / "said") == nasty)
    assert text_of(tmp_path / "args") == "--stdin|-v|fr|"
    assert not (tmp_path / "x").exists()


def test_engines_are_looked_for_in_their_order(tmp_path: Path) -> None:
    assert find_engine(str(tmp_path)) is None
    for engine in reversed(ENGINES):
        assert make_engine(tmp_path, SPEAK, engine.command).options == engine.options
    assert all(set(engine.voices) == set(Language) for engine in ENGINES)


def test_the_newest_sentence_wins_and_the_older_is_cut_short(
    tmp_path: Path, closing: list[Speaker], caplog: pytest.LogCaptureFixture
) -> None:
    pids, said = tmp_path / "pids", tmp_path / "said"
    script = f'sleep 60 & echo $! >> {pids}\nread -r line; echo "$line" >> {said}\n'
    speaker = Speaker(make_engine(tmp_path, f'{script}[ "$line" = last ] || wait'))
    closing.append(speaker)
    speaker.say("first\n", Language.EN)
    assert wait_for(lambda: text_of(said) == "first\n")
    began_s = time.monotonic()
    for number in range(20):
        speaker.say(f"{number}\n", Language.EN)
    speaker.say("last\n", Language.EN)
    assert time.monotonic() - began_s < 1
    assert wait_for(lambda: text_of(said).endswith("last\n"))
    first_pid = int(text_of(pids).split()[0])
    assert wait_for(lambda: not is_alive(first_pid))
    assert (speaker.failure, caplog.records) == (None, [])
    for pid in map(int, text_of(pids).split()[-1:]):
        os.kill(pid, 9)


def test_an_engine_that_hangs_is_killed_with_all_it_started(
    tmp_path: Path, closing: list[Speaker], caplog: pytest.LogCaptureFixture
) -> None:
    pids = tmp_path / "pids"
    speaker = Speaker(make_engine(tmp_path, f"sleep 60 & echo $! > {pids}; wait"), patience_s=0.2)
    closing.append(speaker)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            speaker.say("hello", Language.EN)
            assert wait_for(lambda: speaker._running is not None)
            assert wait_for(lambda: speaker._running is None)
    assert wait_for(lambda: speaker.failure is not None)
    assert speaker.failure is not None
    assert (speaker.failure.part, speaker.failure.reason) == (Part.SOUND, "hung")
    assert wait_for(lambda: not is_alive(int(text_of(pids))))
    assert len(caplog.records) == 1


@pytest.mark.parametrize("script", ["exit 3", "exec 0<&-; exit 1"])
def test_an_engine_that_fails_is_logged_once_and_tried_again(
    script: str, tmp_path: Path, closing: list[Speaker], caplog: pytest.LogCaptureFixture
) -> None:
    speaker = Speaker(make_engine(tmp_path, f"echo x >> {tmp_path}/calls; {script}"))
    closing.append(speaker)
    with caplog.at_level(logging.WARNING):
        for number in range(1, 4):
            speaker.say("hello " * 10_000, Language.EN)
            assert wait_for(lambda n=number: text_of(tmp_path / "calls").count("x") == n)  # type: ignore[misc]
            assert wait_for(lambda: speaker._running is None)
    assert wait_for(lambda: speaker.failure is not None)
    assert len(caplog.records) == 1
    make_engine(tmp_path, SPEAK)
    speaker.say("better", Language.EN)
    assert wait_for(lambda: speaker.failure is None)


def test_an_engine_that_is_none_or_went_away_is_a_failure(
    tmp_path: Path, closing: list[Speaker]
) -> None:
    engine = make_engine(tmp_path, SPEAK)
    speaker = Speaker(engine)
    closing.append(speaker)
    Path(engine.command).unlink()
    speaker.say("hello", Language.EN)
    assert wait_for(lambda: speaker.failure is not None)
    sound = Sound(None, speaker)
    assert sound.failure == Failure(
        Part.SOUND, "broken", f"{engine.command} cannot be started: No such file or directory"
    )


def test_hushed_and_closed_it_is_silent_at_once(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    speaker = Speaker(make_engine(tmp_path, f"echo $$ >> {pids}; exec sleep 60"))
    for number, stop in enumerate((speaker.hush, speaker.close), start=1):
        speaker.say("hello", Language.EN)
        assert wait_for(lambda n=number: text_of(pids).count("\n") == n)  # type: ignore[misc]
        began_s = time.monotonic()
        stop()
        assert time.monotonic() - began_s < 2
        assert wait_for(lambda: not is_alive(int(text_of(pids).split()[-1])))
    assert speaker.failure is None
    speaker.say("anybody?", Language.EN)
    speaker.close()
