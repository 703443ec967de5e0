"""Listening: the page's server in the session's own loop, and connections that cannot exhaust it.

uvicorn is told to leave signals, logging and start-up to us: the session owns the loop, and when
it ends the page ends with it. A connection counts from the moment it is taken: there are at most
`MOST_CONNECTIONS`, each has to say within `PATIENCE_S` what it wants, and one whose phone has left
is closed by the kernel. So no visitor can use up the files the camera and the store need.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware.appliance import Appliance
from firmware.pairing import Pairing
from firmware.web import PATIENCE_S, Site
from rules.errors import ParkwardenError

MOST_CONNECTIONS: Final = 400
GONE_AFTER_S: Final = 30
"""A phone that has acknowledged nothing for so long has left."""


class CannotListen(ParkwardenError, OSError):
    """The page cannot be served at this address."""


@asynccontextmanager
async def serve(
    appliance: Appliance, pairing: Pairing, host: str, port: int, names: Collection[str] = ()
) -> AsyncIterator[int]:
    """The page is served as long as this context lasts; the port, or `CannotListen`.

    On leaving every live stream ends, and what is being answered is answered.
    """
    listener = _listen(host, port)
    site = Site(appliance, pairing, names)
    config = uvicorn.Config(
        site.app,
        http=_Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # or anybody could choose the address that wrong codes are counted by
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        site.live.close()
        server.should_exit = True
        await serving


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server(
            (host, port), family=family, backlog=128, dualstack_ipv6=host == "::"
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(
                f"port {port} of {host} is taken by another program (or by another of us): "
                "stop that, or choose another port"
            ) from None
        raise CannotListen(f"cannot listen on port {port} of {host}: {error}") from None
    # Phones leave without a word. Connections inherit this from the socket that took them.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER_S * 1000)
    return listener


class _Connection(H11Protocol):
    """One of not too many, and one that says soon what it wants."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        self._hurry()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._hurry()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._relax()

    def _hurry(self) -> None:
        """The clock runs from the first byte of a request until its last header is in."""
        if self.conn.their_state is not h11.IDLE:
            self._relax()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(PATIENCE_S, self.transport.abort)

    def _relax(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are for whoever owns the loop."""
        yield
