"""What the web server asks of every request before it looks at it.

Three attacks reach a device in a living room through a browser that somebody else's page runs in:
- that page posts to us. Browsers say where a post comes from, so `Origin` has to be us. Only
  programs leave it out, and those need a body that no form can send (JSON by its content type).
- its name is made to point at our address (DNS rebinding). So `Host` has to be an address, a name
  that only the local network can give, or one from the config.
- it shows us in a frame, or has our page load something of its own. That is what `HEADERS` forbid.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping
from typing import Final

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
_HOST: Final = re.compile(r"(?P<name>\[[^\[\]]+\]|[^\[\]:@/\s]+)(?::[0-9]{1,5})?")


def is_our_host(host: str, names: Collection[str] = ()) -> bool:
    """Whether a browser that asks for this host can only mean us.

    >>> [is_our_host(h) for h in ("192.168.1.5:8080", "[fe80::1]", "localhost", "Parkwarden.local")]
    [True, True, True, True]
    >>> [is_our_host(h) for h in ("evil.example", "evil.example:8080", "local", "", "a@127.0.0.1")]
    [False, False, False, False, False]
    >>> is_our_host("park.club.example:80", ["park.club.example"])
    True
    """
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    name = match["name"].casefold().removesuffix(".")
    if name == "localhost" or name.endswith(".local") or name in map(str.casefold, names):
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def is_our_origin(headers: Mapping[str, str]) -> bool:
    """Whether a post was sent by our own page, or by a program that is no browser.

    >>> is_our_origin({"host": "10.0.0.5:80", "origin": "http://10.0.0.5:80"})
    True
    >>> is_our_origin({"host": "10.0.0.5", "origin": "null"})
    False
    """
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    if origin is None:
        return True
    host = headers.get("host", "").casefold()
    return origin.casefold() in (f"http://{host}", f"https://{host}")
