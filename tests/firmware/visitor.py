"""A browser for the tests of the page's server; no socket is involved."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from firmware.pairing import Pairing
from firmware.web import Site
from tests.firmware.fake_appliance import FakeAppliance

HOST = "192.168.1.50:8080"
JSON = {"content-type": "application/json"}
ACTS = {
    "/api/press": {"button": "ok"},
    "/api/say": {"say": "end-turn"},
    "/table/put": {"cell": "c4", "piece": {"kind": "park"}},
    "/table/take": {"cell": "c4"},
    "/table/move": {"from": "c4", "to": "d4"},
    "/table/clear": {},
    "/table/wave": {},
    "/table/lamp": {"level": 0.5},
    "/table/bump": {},
    "/table/plug": {"in": False},
    "/table/power": {},
    "/table/button": {"button": "ok", "down": True},
}
READS = ("/", "/table", "/page/style.css", "/api/state", "/api/me", "/api/games")


class Visitor:
    """A browser at one address, with its cookies."""

    def __init__(self, appliance: FakeAppliance, names: tuple[str, ...] = ()) -> None:
        self.appliance = appliance
        self.now_s = 1000.0
        self.pairing = Pairing(lambda: self.now_s, lambda: None)
        self.site = Site(appliance, self.pairing, names)
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(self.site.app, client=("192.168.1.7", 50_000))
        self.client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}")

    def close(self) -> None:
        self._runner.run(self.client.aclose())
        self._runner.close()

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        return self._runner.run(self.client.request(method, path, **request))

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        headers = {"origin": f"http://{HOST}", **headers}
        return self.ask("POST", path, json=body, headers=headers)

    def pair(self) -> None:
        assert self.post("/api/pair", {"code": self.pairing.code}).json() == {"paired": True}

    def wrong_code(self) -> str:
        return f"{(int(self.pairing.code) + 1) % 10**6:06}"
