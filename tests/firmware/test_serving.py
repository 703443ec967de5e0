"""The page's server on a real port: live streams, and people who only hold the line."""

from __future__ import annotations

import asyncio
import base64
import json
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest

from firmware import live, serving
from firmware.pairing import TRIES_FROM_ONE, Pairing
from firmware.serving import CannotListen, serve
from firmware.state import state_of
from tests.firmware.fake_appliance import FakeAppliance

SOON_S = 5.0


class Bench:
    """A served device, and watchers of it."""

    def __init__(self, appliance: FakeAppliance, port: int) -> None:
        self.appliance, self.port = appliance, port

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[AsyncIterator[tuple[str, Any]]]:
        """The events of a new watcher: kind and data."""
        async with (
            httpx.AsyncClient(timeout=SOON_S, trust_env=False) as client,
            client.stream("GET", f"http://127.0.0.1:{self.port}/api/live") as answer,
        ):
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
            yield _events(answer)

    def show(self, number: int) -> None:
        self.appliance.show(replace(self.appliance.shown, number=number))

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)


async def _events(answer: httpx.Response) -> AsyncIterator[tuple[str, Any]]:
    kind, number = "", ""
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        match name:
            case "event":
                kind, number = value, ""
            case "id":
                number = value
            case "data" if kind == "state":
                state = json.loads(value)
                assert number == str(state["number"])
                yield kind, state
            case "data":
                yield kind, value if kind == "oled" else json.loads(value)
            case "":
                if value:
                    yield "comment", value


def run(test: Callable[[Bench], Awaitable[None]], *, simulated: bool = True) -> None:
    async def serve_and_test() -> None:
        appliance = FakeAppliance(simulated=simulated)
        pairing = Pairing(time.time, lambda: None)
        async with serve(appliance, pairing, "127.0.0.1", 0) as port:
            await test(Bench(appliance, port))

    asyncio.run(serve_and_test())


async def until_state(events: AsyncIterator[tuple[str, Any]], number: int) -> list[int]:
    """The numbers of all states that came, up to this one."""
    seen = []
    async with asyncio.timeout(SOON_S):
        async for kind, data in events:
            if kind == "state":
                seen.append(data["number"])
                if data["number"] == number:
                    break
    return seen


def test_a_watcher_sees_everything_once_and_then_what_changes() -> None:
    async def test(bench: Bench) -> None:
        bench.appliance.picture_number = 3
        async with bench.watch() as events:
            first = dict([await anext(events) for _ in range(5)])
            assert list(first) == ["state", "oled", "lights", "table", "camera"]
            assert first["state"]["dues"][0]["cell"] == "d5"
            assert base64.b64decode(first["oled"]) == bytes(1024)
            assert first["lights"]["park"] == "blink"
            assert first["table"]["pieces"] == []
            assert first["camera"] == 3
            bench.appliance.pixels = b"\xff" * 1024
            bench.appliance.bell.ring()
            kind, data = await anext(events)
            assert (kind, base64.b64decode(data)) == ("oled", b"\xff" * 1024)
            bench.appliance.bell.ring()  # nothing is new: nothing is sent
            bench.show(9)
            assert (await anext(events))[1]["number"] == 9

    run(test)


def test_a_real_table_and_a_dark_camera_are_not_spoken_of() -> None:
    async def test(bench: Bench) -> None:
        async with bench.watch() as events:
            assert [(await anext(events))[0] for _ in range(3)] == ["state", "oled", "lights"]
            bench.show(2)
            assert (await anext(events))[0] == "state"

    run(test, simulated=False)


def test_a_quiet_stream_is_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.05)

    async def test(bench: Bench) -> None:
        async with bench.watch() as events:
            for _ in range(4):
                await anext(events)
            assert await anext(events) == ("comment", "still here")
            assert await anext(events) == ("comment", "still here")
            bench.show(2)
            assert (await until_state(events, 2)) == [2]

    run(test)


def test_who_is_slow_misses_what_came_between() -> None:
    async def test(bench: Bench) -> None:
        async with bench.watch() as events:
            await until_state(events, 1)
            for number in range(2, 500):
                bench.show(number)
                await asyncio.sleep(0)
            seen = await until_state(events, 499)
            assert len(seen) < 20
            assert seen == sorted(seen)

    run(test)


def test_a_state_is_encoded_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []

    def count(snapshot: Any) -> Any:
        encoded.append(snapshot.number)
        return state_of(snapshot)

    monkeypatch.setattr(live, "state_of", count)

    async def test(bench: Bench) -> None:
        async def watch(ready: asyncio.Barrier) -> None:
            async with bench.watch() as events:
                await until_state(events, 1)
                await ready.wait()
                assert await until_state(events, 2) == [2]

        ready = asyncio.Barrier(11)
        async with asyncio.TaskGroup() as watchers:
            for _ in range(10):
                watchers.create_task(watch(ready))
            await ready.wait()
            bench.show(2)
        assert encoded == [1, 2]

    run(test)


def test_a_watcher_who_leaves_gives_up_the_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_WATCHERS", 1)

    async def test(bench: Bench) -> None:
        url = f"http://127.0.0.1:{bench.port}/api/live"
        async with bench.watch() as events, httpx.AsyncClient(trust_env=False) as client:
            await anext(events)
            assert (await client.get(url)).json()["error"] == "too-many-watchers"
        async with httpx.AsyncClient(trust_env=False) as client, asyncio.timeout(SOON_S):
            status = 503
            while status == 503:
                async with client.stream("GET", url) as answer:
                    status = answer.status_code
            assert status == 200

    run(test)


def test_streams_end_when_the_device_does() -> None:
    async def test() -> None:
        appliance, pairing = FakeAppliance(), Pairing(time.time, lambda: None)
        async with serve(appliance, pairing, "127.0.0.1", 0) as port:
            bench = Bench(appliance, port)
            stream = bench.watch()
            events = await stream.__aenter__()
            await until_state(events, 1)
            began_s = time.monotonic()
        assert time.monotonic() - began_s < 1.5, "nobody had to be cut off"
        assert [kind async for kind, _ in events] == ["oled", "lights", "table"]
        await stream.__aexit__(None, None, None)
        with pytest.raises(ConnectionRefusedError):
            await bench.connect()

    asyncio.run(test())


def test_nobody_chooses_the_address_that_wrong_codes_are_counted_by() -> None:
    async def test(bench: Bench) -> None:
        url = f"http://127.0.0.1:{bench.port}/api/pair"
        async with httpx.AsyncClient(trust_env=False) as client:
            statuses = []
            for number in range(TRIES_FROM_ONE + 1):
                claimed = {"x-forwarded-for": f"10.0.0.{number}"}
                answer = await client.post(url, json={"code": "no code"}, headers=claimed)
                statuses.append(answer.status_code)
            assert statuses == [403] * TRIES_FROM_ONE + [429]

    run(test)


def test_a_taken_port_is_said_to_be_so() -> None:
    async def test(bench: Bench) -> None:
        pairing = Pairing(time.time, lambda: None)
        with pytest.raises(CannotListen, match=f"port {bench.port} of 127.0.0.1 is taken"):
            async with serve(bench.appliance, pairing, "127.0.0.1", bench.port):
                pass
        with pytest.raises(CannotListen, match=r"cannot listen on port 1 of 192\.0\.2\.1"):
            async with serve(bench.appliance, pairing, "192.0.2.1", 1):
                pass

    run(test)


def test_signals_stay_with_who_owns_the_loop() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    async def test(bench: Bench) -> None:
        async with bench.watch() as events:
            await anext(events)
            assert signal.getsignal(signal.SIGTERM) is before[1]

    run(test)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: local"])
def test_who_only_holds_the_line_is_hung_up_on(
    begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "PATIENCE_S", 0.1)

    async def test(bench: Bench) -> None:
        reader, writer = await bench.connect()
        writer.write(begun)
        async with asyncio.timeout(SOON_S):
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
        writer.close()

    run(test)


def test_a_line_that_is_kept_open_between_requests_is_not_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "PATIENCE_S", 0.1)

    async def test(bench: Bench) -> None:
        url = f"http://127.0.0.1:{bench.port}/api/me"
        async with bench.watch() as events, httpx.AsyncClient(trust_env=False) as client:
            for _ in range(3):
                assert (await client.get(url)).status_code == 200
                await asyncio.sleep(0.15)
            bench.show(2)
            assert (await until_state(events, 2))[-1] == 2

    run(test)


def test_there_are_only_so_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 3)

    async def test(bench: Bench) -> None:
        held = [await bench.connect() for _ in range(3)]
        reader, writer = await bench.connect()
        async with asyncio.timeout(SOON_S):
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
        for _, taken in (*held, (reader, writer)):
            taken.close()

    run(test)


@pytest.mark.parametrize(
    "request_",
    [b"\x16\x03\x01 hello TLS\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"X" * 100_000, b"\r\n" * 9],
)
def test_what_is_no_http_is_answered_or_dropped(request_: bytes) -> None:
    async def test(bench: Bench) -> None:
        reader, writer = await bench.connect()
        writer.write(request_ + b"\r\n\r\n")
        async with asyncio.timeout(SOON_S):
            try:
                answer = await reader.read(12)
            except ConnectionResetError:
                answer = b""
        assert answer[9:12] in (b"400", b"421", b"431", b""), answer
        writer.close()
        async with bench.watch() as events:
            assert (await anext(events))[0] == "state"

    run(test)
