"""Who may act: whoever has read the six digits on the display, for half a day.

Six digits are enough because guessing is slow: five wrong codes a minute from one address, twenty
a minute from all of them together, and after twenty the code is another one. An address of IPv6
is its network (/64): whoever has one has all of them. What is refused for its frequency is not
even compared, and nothing here grows with the number of tries.

A phone gets a token of 256 random bits; only its hash is kept, so that nothing that is read out
of the device lets anybody in. Half a day after it was last used it is worth nothing. So that phones
need not pair again because somebody pulled the plug, hashes are handed to `keep`; not at every
press, but whenever an hour of the half day has gone.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

DIGITS: Final = 6
TRIES_FROM_ONE: Final = 5
"""Wrong codes from one address within `WINDOW_S`."""
TRIES_FROM_ALL: Final = 20
"""Wrong codes from everybody within `WINDOW_S`; also what one code bears in all its life."""
WINDOW_S: Final = 60.0
SESSION_S: Final = 12 * 3600.0
KEEP_EVERY_S: Final = 3600.0
MOST_SESSIONS: Final = 32
"""With one more, the one that was idle longest has to pair again."""


@dataclass(frozen=True, slots=True)
class Paired:
    token: str


@dataclass(frozen=True, slots=True)
class WrongCode:
    """That was not it."""


@dataclass(frozen=True, slots=True)
class TooManyTries:
    wait_s: int
    """Before that no code is looked at."""


class Pairing:
    def __init__(
        self,
        clock: Callable[[], float],
        renewed: Callable[[], None],
        kept: Mapping[str, float] | None = None,
        keep: Callable[[str, float], None] | None = None,
    ) -> None:
        """`clock` is the time of day, as sessions outlive a restart; it may be set at any moment.

        `renewed` is called when the display has to show a new code. `kept` are the sessions of
        before, by hash, with the moment they expire, and `keep` is told of new and longer ones.
        """
        self._clock, self._renewed, self._keep = clock, renewed, keep
        self._code = _draw_code()
        self._wrong_of_code = 0
        self._wrong: list[tuple[float, str]] = []
        """When and from where, within the window; at most `TRIES_FROM_ALL`."""
        self._expires_s: dict[str, float] = dict(kept or {})
        """Each session by its hash, the one used longest ago first."""
        self._kept_s: dict[str, float] = dict(kept or {})
        """What `keep` was last told of them."""

    @property
    def code(self) -> str:
        return self._code

    def pair(self, code: str, address: str) -> Paired | WrongCode | TooManyTries:
        """Somebody at this address says that this is the code."""
        now_s, origin = self._clock(), _origin(address)
        # A clock that was set back must not lock anybody out for hours.
        self._wrong = [tried for tried in self._wrong if 0 <= now_s - tried[0] < WINDOW_S]
        from_here = [tried_s for tried_s, where in self._wrong if where == origin]
        if len(from_here) >= TRIES_FROM_ONE:
            return TooManyTries(ceil(from_here[0] + WINDOW_S - now_s))
        if len(self._wrong) >= TRIES_FROM_ALL:
            return TooManyTries(ceil(self._wrong[0][0] + WINDOW_S - now_s))
        if not hmac.compare_digest(code.encode("utf-8", "replace"), self._code.encode()):
            self._wrong.append((now_s, origin))
            self._wrong_of_code += 1
            if self._wrong_of_code >= TRIES_FROM_ALL:
                self.renew()
            return WrongCode()
        token = secrets.token_urlsafe(32)
        self._prolong(_hash(token), now_s)
        while len(self._expires_s) > MOST_SESSIONS:
            self._drop(next(iter(self._expires_s)))
        return Paired(token)

    def knows(self, token: str) -> bool:
        """Whether this token may act; if so it may for another half day."""
        key, now_s = _hash(token), self._clock()
        if self._expires_s.get(key, now_s) <= now_s:
            self._drop(key)
            return False
        self._prolong(key, now_s)
        return True

    def forget(self, token: str) -> None:
        self._drop(_hash(token))

    def _prolong(self, key: str, now_s: float) -> None:
        self._expires_s.pop(key, None)  # the one used last goes last
        self._expires_s[key] = now_s + SESSION_S
        if now_s + SESSION_S - self._kept_s.get(key, 0.0) >= KEEP_EVERY_S:
            self._tell(key, now_s + SESSION_S)

    def _drop(self, key: str) -> None:
        if self._expires_s.pop(key, None) is not None:
            self._tell(key, 0.0)
            del self._kept_s[key]

    def _tell(self, key: str, expires_s: float) -> None:
        self._kept_s[key] = expires_s
        if self._keep is not None:
            self._keep(key, expires_s)

    def renew(self) -> None:
        """From now on another code is the right one; who is paired stays so."""
        before = self._code
        while self._code == before:
            self._code = _draw_code()
        self._wrong_of_code = 0
        self._renewed()


def _draw_code() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _origin(address: str) -> str:
    """
    >>> _origin("192.168.1.7"), _origin("fe80::1:2:3:4%eth0"), _origin("::ffff:192.168.1.7")
    ('192.168.1.7', 'fe80::/64', '192.168.1.7')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address
