"""What a snapshot looks like in five lights: whose turn it is, what is due, when to look up."""

from __future__ import annotations

from typing import Final

from firmware.actions import Glow, Led
from firmware.dialog import Listing, Topic
from firmware.snapshot import Seeing, Snapshot
from rules.box import Box

QUESTIONS: Final = frozenset({Topic.UNSURE, Topic.HAPPENED, Topic.CLEARED})
"""The lists that the device opens by itself; all others were opened by the players."""


def lights_for(snapshot: Snapshot) -> dict[Led, Glow]:
    """Every light, as it should be for this snapshot.

    A player's light is the one of that colour. Players whose colour has none take, in turn order,
    the first lights that neither a colour nor a kind of piece in this game is called by: the game
    of white and yellow, parks and towers leaves none, and in one of red, blue, green and black they
    are the white, yellow, park and tower lights. They are lit on their turn, and blink for who has
    won. A piece that is due lights up its kind's light, which blinks once it is forgotten. The
    attention light blinks for trouble and questions; lit, it says that there is something to be
    done that is not a move like any other (`Task`), or that a part does not work.

    What the game says stays lit while nobody can see the board: it is still true. But as long as
    no board has been found at all there is no game on the table, and nothing to say of it.
    """
    verdict = snapshot.verdict
    glows: dict[str, Glow] = dict.fromkeys(Led, Glow.OFF)
    seats = seat_lights(snapshot.game.box)
    has_task = False
    if snapshot.seeing is not Seeing.STARTING:
        has_task = verdict.task is not None
        if verdict.outcome is not None:
            glows |= {seats.get(colour, colour): Glow.BLINK for colour in verdict.outcome.winners}
        elif verdict.turn is not None:
            glows[seats.get(verdict.turn, verdict.turn)] = Glow.ON
        for due in sorted(verdict.dues, key=lambda due: due.forgotten):
            glows[due.piece.kind] = Glow.BLINK if due.forgotten else Glow.ON
    if snapshot.alarm is not None or is_asked(snapshot):
        glows[Led.ATTENTION] = Glow.BLINK
    elif snapshot.failures or has_task:
        glows[Led.ATTENTION] = Glow.ON
    # A game may have colours and kinds that there is no light for.
    return {led: glows[led] for led in Led}


def seat_lights(box: Box) -> dict[str, Led]:
    """Which light is which player's; a fifth player would have none."""
    own = {colour: Led(colour) for colour in box.players if colour in tuple(Led)}
    taken = {*own.values(), *box.pieces, Led.ATTENTION}
    free = iter([led for led in Led if led not in taken])
    seats = {colour: own.get(colour) or next(free, None) for colour in box.players}
    return {colour: light for colour, light in seats.items() if light is not None}


def is_asked(snapshot: Snapshot) -> bool:
    """Whether the device waits for an answer that it asked for."""
    return isinstance(snapshot.dialog, Listing) and snapshot.dialog.topic in QUESTIONS
