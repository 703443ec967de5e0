"""Tones and speech: what is to be heard when one snapshot follows another.

`announcement_for` is pure: it looks at what is new, never at what merely is, and leaves out what
it is told has been said. "Said" holds for one state of the game: until the next thing is said in
its story, a trouble that comes and goes and comes again is announced once. Trouble of any kind is
taken from the snapshot's alarm alone, which waits until nobody is moving any more; what is due, or
what a player has to do instead of a move, is good news, and told at once. So is a pass, which
nobody has seen.

Several new things make one announcement: the tune of the weightiest, the sentences of all, as a
newer announcement cuts an older one short. A game nobody has seen on the board yet is not talked
about; once it is, what is due in it is new.

Speech comes from whatever engine is installed, an external command that gets its sentence on
stdin and never through a shell. It runs beside us: one that hangs is killed, one that fails is
logged once, and the game does not notice either.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware import views
from firmware.config import SoundMode
from firmware.dialog import Listing
from firmware.lights import is_asked
from firmware.panel import Note, Tune
from firmware.snapshot import Failure, Part, Seeing, Snapshot
from rules.verdict import Due, Over, Problem
from rules.voice import Language

log = logging.getLogger(__name__)

PATIENCE_S: Final = 10.0
"""No sentence takes so long: an engine that does hangs."""
MOST_ANSWERS: Final = 3
"""So many answers to a question are read out; the rest is on the display."""


class Cue(StrEnum):
    """What an announcement is about: the name of its tune. The weightiest first."""

    OVER = "over"
    ILLEGAL = "illegal"
    FORGOTTEN = "forgotten"
    TROUBLE = "trouble"
    QUESTION = "question"
    GAINED = "gained"
    DUE = "due"
    OK = "ok"


_A4, _G5, _C6, _E6, _G6, _C7 = 440.0, 784.0, 1046.5, 1318.5, 1568.0, 2093.0
TUNES: Final[Mapping[Cue, Tune]] = {
    Cue.OVER: (Note(_C6, 0.15), Note(_E6, 0.15), Note(_G6, 0.15), Note(_C7, 0.5)),
    Cue.ILLEGAL: (Note(_A4, 0.15), Note(0, 0.05), Note(_A4, 0.3)),
    Cue.FORGOTTEN: (Note(_E6, 0.12), Note(0, 0.04), Note(_E6, 0.12), Note(_C6, 0.25)),
    Cue.TROUBLE: (Note(_G6, 0.12), Note(_C6, 0.12), Note(_G6, 0.12), Note(_C6, 0.12)),
    Cue.QUESTION: (Note(_G5, 0.12), Note(_C6, 0.25)),
    Cue.GAINED: (Note(_C6, 0.08), Note(_E6, 0.08), Note(_G6, 0.16)),
    Cue.DUE: (Note(_E6, 0.12), Note(_G6, 0.12)),
    Cue.OK: (Note(_C7, 0.08),),
}


@dataclass(frozen=True, slots=True)
class Announcement:
    cue: Cue
    sentence: str
    told: frozenset[Hashable]
    """What it tells of, to be handed in again so that it is not told twice."""


def announcement_for(
    before: Snapshot | None, after: Snapshot, told: frozenset[Hashable] = frozenset()
) -> Announcement | None:
    """What is new in `after` (before None: everything is) and not `told` yet; None for nothing."""
    news = {key: sentence for key, sentence in _news(before, after) if key not in told}
    if not news:
        return None
    cues = {cue for cue, _ in news}
    weightiest = next(cue for cue in Cue if cue in cues)
    return Announcement(weightiest, " ".join(news.values()), frozenset(news))


def _news(before: Snapshot | None, after: Snapshot) -> Iterator[tuple[tuple[Cue, Hashable], str]]:
    """Everything new, with what it is known by and its sentence."""
    verdict, voice = after.verdict, views.voice_of(after)
    if after.seeing is not Seeing.STARTING:
        task = views.describe_task(after)
        for line in _passes(before, after):
            yield (Cue.OK, line), f"{line}."
        if after.fresh is not None and (before is None or before.fresh != after.fresh):
            for said in after.fresh.said:
                if not isinstance(said, Over):
                    line = voice.describe(said, after.fresh)[0].strip(" !.")
                    if line.lower() != task.strip(".").lower():  # that is told as a task
                        yield (Cue.GAINED, line), f"{line}."
        was_seen = before is not None and before.seeing is not Seeing.STARTING
        known = (
            {(due.piece, due.cell) for due in before.verdict.dues} if before and was_seen else ()
        )
        for due in verdict.dues:
            if not due.forgotten and (due.piece, due.cell) not in known:
                yield (Cue.DUE, (due.piece, due.cell)), f"{voice.due(due)}."
        known_task = views.describe_task(before) if before and was_seen else ""
        if task and (before is None or _is_other_task(before, after) or not known_task):
            yield (Cue.DUE, task), task
        if verdict.outcome is not None and (before is None or before.verdict.outcome is None):
            yield (Cue.OVER, verdict.outcome.winners), views.describe_outcome(after)
    if is_asked(after) and isinstance(after.dialog, Listing):
        question, asked = after.dialog, before.dialog if before else None
        key = (question.topic, question.cell)
        if not isinstance(asked, Listing) or (asked.topic, asked.cell) != key:
            answers = views.name_options(question, after)[:MOST_ANSWERS]
            title = views.title_listing(question, after)
            yield (Cue.QUESTION, key), f"{title} {', '.join(answers)}."
    gone = before.alarm if before else None
    if after.alarm is not None and after.alarm != gone:
        cues = {Problem: Cue.ILLEGAL, Due: Cue.FORGOTTEN}
        yield (cues.get(type(after.alarm), Cue.TROUBLE), after.alarm), views.describe_alarm(after)
    # A failure stops being an alarm when everybody has had time to see it; that mends nothing.
    still_there = (*after.failures, *verdict.problems, *verdict.dues)
    if after.alarm is None and gone is not None and gone not in still_there:
        yield (Cue.OK, gone), _tell_turn(after)


def _passes(before: Snapshot | None, after: Snapshot) -> Iterator[str]:
    """Moves since `before` that put nothing down, as they are told."""
    if before is None or before.game.number != after.game.number:
        return
    known = before.verdict
    for statement, verdict in after.story[len(before.story) :]:
        if verdict.ply > known.ply and verdict.position == known.position:
            yield views.voice_of(after).describe(statement, verdict)[0].strip(" !.")
        known = verdict


def _is_other_task(before: Snapshot, after: Snapshot) -> bool:
    """Not merely fewer of the same, which everybody sees."""
    one, other = before.verdict.task, after.verdict.task
    is_same_word = one is not None and other is not None and one.word == other.word
    return not is_same_word or before.verdict.turn != after.verdict.turn


def _tell_turn(snapshot: Snapshot) -> str:
    return f"{views.describe_turn(snapshot)}."


class Sound:
    """Announces snapshots with the panel's buzzer and a speaker, as far as there are such."""

    def __init__(self, play: Callable[[Tune], None] | None, speaker: Speaker | None) -> None:
        self._play, self._speaker = play, speaker
        self._before: Snapshot | None = None
        self._told: frozenset[Hashable] = frozenset()

    @property
    def failure(self) -> Failure | None:
        return self._speaker.failure if self._speaker else None

    def show(self, snapshot: Snapshot) -> None:
        """Announce what is new. What happens while the sound is off is not made up for later."""
        before, self._before = self._before, snapshot
        if before is not None and before.sound != snapshot.sound:
            self.hush()
        if before is None or _state_of(before) != _state_of(snapshot):
            self._told = frozenset()
        announcement = announcement_for(before, snapshot, self._told)
        if announcement is not None:
            self._told |= announcement.told
            self._announce(announcement, snapshot)

    def again(self) -> None:
        """Announce how things stand, new or not: somebody asked."""
        if self._before is not None:
            turn = Announcement(Cue.OK, _tell_turn(self._before), frozenset())
            self._announce(announcement_for(None, self._before) or turn, self._before)

    def hush(self) -> None:
        if self._play:
            self._play(())
        if self._speaker:
            self._speaker.hush()

    def close(self) -> None:
        self.hush()
        if self._speaker:
            self._speaker.close()

    def _announce(self, announcement: Announcement, snapshot: Snapshot) -> None:
        if self._play and snapshot.sound in (SoundMode.TONES, SoundMode.BOTH):
            self._play(TUNES[announcement.cue])
        if self._speaker and snapshot.sound in (SoundMode.SPEECH, SoundMode.BOTH):
            self._speaker.say(announcement.sentence, snapshot.language)


def _state_of(snapshot: Snapshot) -> tuple[int, int]:
    return snapshot.game.number, len(snapshot.story)


@dataclass(frozen=True, slots=True)
class Engine:
    """A command that speaks what it reads on stdin."""

    command: str
    options: tuple[str, ...]
    voices: Mapping[Language, str]

    def call(self, language: Language) -> list[str]:
        return [self.command, *self.options, "-v", self.voices[language]]


_ESPEAK_VOICES: Final = {Language.EN: "en", Language.FR: "fr", Language.DE: "de"}
_MAC_VOICES: Final = {Language.EN: "Samantha", Language.FR: "Thomas", Language.DE: "Anna"}
ENGINES: Final = (
    Engine("espeak-ng", ("--stdin",), _ESPEAK_VOICES),
    Engine("espeak", ("--stdin",), _ESPEAK_VOICES),
    Engine("say", ("-f", "-"), _MAC_VOICES),
)


def find_engine(path: str | None = None) -> Engine | None:
    """The first engine that is installed, with its full name; `path` is searched for PATH."""
    for engine in ENGINES:
        if found := shutil.which(engine.command, path=path):
            return Engine(found, engine.options, engine.voices)
    return None


class Speaker:
    """Speaks one sentence at a time, the newest, in a thread of its own."""

    def __init__(self, engine: Engine, patience_s: float = PATIENCE_S) -> None:
        self._engine, self._patience_s = engine, patience_s
        self._wake = threading.Condition()
        self._next: tuple[str, Language] | None = None
        self._running: subprocess.Popen[bytes] | None = None
        self._closing = False
        self.failure: Failure | None = None
        """Why the last sentence was not heard to its end."""
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    def say(self, sentence: str, language: Language) -> None:
        """Speak this now, whatever is being spoken. Returns at once."""
        with self._wake:
            self._next = sentence, language
            self._cut_short()
            self._wake.notify()

    def hush(self) -> None:
        with self._wake:
            self._next = None
            self._cut_short()

    def close(self) -> None:
        with self._wake:
            self._closing = True
            self._cut_short()
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._next is not None or self._closing)
                if self._closing or self._next is None:
                    return
                (sentence, language), self._next = self._next, None
                process = self._running = self._start(self._engine.call(language))
            if process is not None:
                self._see_through(process, sentence)

    def _start(self, call: list[str]) -> subprocess.Popen[bytes] | None:
        nowhere = subprocess.DEVNULL
        try:
            # In a session of its own, so that whatever it starts can be stopped with it.
            return subprocess.Popen(
                call, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True
            )
        except OSError as error:
            self._fail("broken", f"{call[0]} cannot be started: {error.strerror}")
            return None

    def _see_through(self, process: subprocess.Popen[bytes], sentence: str) -> None:
        try:
            process.communicate(sentence.encode(), timeout=self._patience_s)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.communicate()
            self._fail("hung", f"{self._engine.command} took more than {self._patience_s:g} s")
            return
        finally:
            with self._wake:
                was_cut_short, self._running = self._running is None, None
        if process.returncode and not was_cut_short:
            self._fail("broken", f"{self._engine.command} ended with {process.returncode}")
        else:
            self.failure = None

    def _cut_short(self) -> None:
        if self._running is not None:
            _kill(self._running)
            self._running = None

    def _fail(self, reason: str, detail: str) -> None:
        if self.failure is None:
            log.warning("speech fails: %s", detail)
        self.failure = Failure(Part.SOUND, reason, detail)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        # It may end by itself between these two lines.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
