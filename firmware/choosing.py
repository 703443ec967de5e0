"""What the players like best: language and sound, which game, and for each game its settings.

All of it is kept in the store as preferences. Those of a game bear its name (`GAME.SETTING`), as
two games may have a setting of the same name. Before there were several games they bore none: such
a one still counts for the game that a device begins with unless somebody chooses another, and for
no other.

What will be played when the device is switched on: the game that was going on; else the one that
was played last; else the one that the config names, as it is the first start.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from firmware.commands import DEVICE_CHOICES
from firmware.config import GameConfig
from firmware.ledger import Ledger
from firmware.store import Store
from rules.errors import BadSetting, ParkwardenError
from rules.game import Game
from rules.pack import Pack, choose_settings
from rules.packs import PACKS, load_pack
from rules.voice import Language

GAME: Final = "game"
LANGUAGE: Final = "language"
SOUND: Final = "sound"
_NAMELESS: Final = GameConfig().name
"""The game whose preferences were once kept without its name."""


class Preferences:
    """What was chosen last, as the store has it; `load` comes first."""

    def __init__(self, ledger: Ledger, language: Language, sound: str) -> None:
        self.language, self.sound = language, sound
        self.by_game: dict[str, dict[str, str]] = {}
        """What was chosen last for each game, as far as the game still knows it."""
        self._ledger = ledger

    async def load(self) -> None:
        language = await self._ledger.preference(LANGUAGE)
        if language in DEVICE_CHOICES[LANGUAGE]:
            self.language = Language(language)
        self.sound = await self._ledger.preference(SOUND) or self.sound
        self.by_game = await self._ledger.consult(
            lambda store: {game: settings_of(store, load_pack(game)) for game in PACKS}
        )

    async def choose_for_device(self, setting: str, value: str) -> None:
        if setting == LANGUAGE:
            self.language = Language(value)
        else:
            self.sound = value
        await self._ledger.prefer(setting, value)

    async def choose_game(self, game: str) -> None:
        await self._ledger.prefer(GAME, game)

    async def choose(self, game: str, settings: Mapping[str, str]) -> None:
        self.by_game[game] = {**self.by_game.get(game, {}), **settings}
        for name, value in settings.items():
            await self._ledger.prefer(f"{game}.{name}", value)

    def settings_for(
        self, pack: Pack[Any], usual: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """What was chosen for this game, to go before the `usual` settings; none if it cannot."""
        preferred = self.by_game.get(pack.box.game, {})
        return preferred if _go_together(pack, {**(usual or {}), **preferred}) else {}


def settings_of(store: Store, pack: Pack[Any]) -> dict[str, str]:
    """The settings of this game that were chosen last, as far as it still has them."""
    game = pack.box.game
    chosen: dict[str, str] = {}
    for setting in pack.settings:
        value = store.preference(f"{game}.{setting.name}")
        if value is None and game == _NAMELESS:
            value = store.preference(setting.name)
        if value is not None and setting.accepts(value):
            chosen[setting.name] = value
    return chosen


def expected_game(store: Store, first: str) -> Game[Any]:
    """The game that will be played when the device is switched on, before its first event.

    `first` names the game of a first start.
    """
    latest = store.latest()
    if latest is not None:
        try:
            return Game(load_pack(latest.game), latest.settings)
        except ParkwardenError:
            pass  # another version told it: the ledger gives it up
    pack = load_pack(last_played(store, first))
    preferred = settings_of(store, pack)
    return Game(pack, preferred if _go_together(pack, preferred) else {})


def last_played(store: Store, first: str) -> str:
    game = store.preference(GAME)
    return game if game in PACKS else first


def _go_together(pack: Pack[Any], settings: Mapping[str, str]) -> bool:
    try:
        pack.box_for(choose_settings(pack.settings, settings))
    except BadSetting:
        return False
    return True
