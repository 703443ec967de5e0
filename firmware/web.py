"""The page's server: what a phone may read, and what a paired one may do.

    /  /table  /page/…            the page itself
    /api/state  /api/live         how things stand: once, or as it changes
    /api/pair  /J/…               the code on the display, typed or scanned, for a cookie
    /api/press  /api/say          the buttons, and what would take too many presses
    /table/…                      hands and cables of a simulated table
    /api/games  /games/…          what was played before

It runs in the session's own loop and only ever hands things on: reading is a look at a frozen
snapshot, acting one call of the `Appliance`. What may take long (the store, drawing) runs in a
thread, one at a time, so that many curious phones cannot slow the frames down.

Watching is open to the local network. Acting needs the cookie of a paired browser, an origin that
is ours and a small JSON body. Whatever arrives is answered with a word for programs and a sentence
for people. `firmware.serving` puts all this on a port.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware.actions import Button
from firmware.appliance import Appliance
from firmware.commands import BadRequest, Clash, Fields, parse_command, parse_press
from firmware.guard import HEADERS, is_our_host, is_our_origin
from firmware.live import Live, to_json
from firmware.pagefiles import PageFile, load_page
from firmware.pairing import SESSION_S, Paired, Pairing, TooManyTries
from firmware.past import Library, Unreplayable
from firmware.state import dialog_id, state_of
from firmware.store import NoSuchGame, StoreTrouble
from firmware.touches import TOUCHES, PlayTable, Touch
from rules.errors import ParkwardenError
from rules.voice import Language

PAGE: Final = Path(__file__).with_name("page")
COOKIE: Final = "parkwarden"
LARGEST_BODY: Final = 8 * 1024
PATIENCE_S: Final = 10.0
"""So long the head of a request may take to arrive, and so long its body."""


class Refusal(ParkwardenError, RuntimeError):
    """A request that is answered with no."""

    def __init__(self, status: int, word: str, message: str, **headers: str) -> None:
        self.status, self.word, self.headers = status, word, headers
        super().__init__(message)


_REFUSED: Final = (ParkwardenError, HTTPException)
Answer = Callable[[Request], Awaitable[Response]]


class Site:
    def __init__(self, appliance: Appliance, pairing: Pairing, names: Collection[str]) -> None:
        self.live = Live(appliance)
        self._appliance, self._pairing = appliance, pairing
        self._files = load_page(PAGE)
        self._library = Library(appliance)
        self._filming = asyncio.Lock()
        self._photo: tuple[int, bytes | None] = (0, None)
        routes = [
            Route("/", self._index),
            Route("/table", self._simulated_page),
            Route("/page/{path:path}", self._static),
            Route("/camera.jpg", self._camera),
            Route("/J/{code}", self._pair_by_link),
            Route("/api/state", self._state),
            Route("/api/live", self._watch),
            Route("/api/me", self._me),
            Route("/api/pair", self._pair, methods=["POST"]),
            Route("/api/unpair", self._unpair, methods=["POST"]),
            Route("/api/press", self._acting(self._press), methods=["POST"]),
            Route("/api/say", self._acting(self._say), methods=["POST"]),
            Route("/table/power", self._acting(self._power), methods=["POST"]),
            Route("/table/button", self._acting(self._button), methods=["POST"]),
            *(
                Route(f"/table/{name}", self._acting(self._on_table(touch)), methods=["POST"])
                for name, touch in TOUCHES.items()
            ),
            Route("/api/games", self._games),
            Route("/api/games/{number}", self._game),
            Route("/games/{number}/record.txt", self._record),
            Route("/games/{number}/board.png", self._board),
            Route("/games/{number}/replay.gif", self._replay),
        ]
        app = Starlette(routes=routes, exception_handlers=dict.fromkeys(_REFUSED, _refuse))
        app.router.redirect_slashes = False
        self.app: ASGIApp = _Guarded(app, names)

    # The page

    async def _index(self, request: Request) -> Response:
        return _send_file(request, self._files.get("index.html"))

    async def _simulated_page(self, request: Request) -> Response:
        self._need_table()
        return _send_file(request, self._files.get("table.html"))

    async def _static(self, request: Request) -> Response:
        return _send_file(request, self._files.get(request.path_params["path"]))

    # Watching

    async def _state(self, request: Request) -> Response:
        return _json(state_of(self._appliance.snapshot()))

    async def _watch(self, request: Request) -> Response:
        if self.live.is_full:
            raise Refusal(503, "too-many-watchers", "too many are watching: try again later")
        return _EventStream(self.live)

    async def _camera(self, request: Request) -> Response:
        async with self._filming:
            number = self._appliance.picture_number
            if number != self._photo[0]:
                photo = await asyncio.to_thread(self._appliance.camera_picture)
                self._photo = number, photo
        if self._photo[1] is None:
            raise Refusal(404, "unknown", "there is no picture: the camera shows nothing yet")
        return Response(self._photo[1], media_type="image/jpeg")

    # Pairing

    async def _me(self, request: Request) -> Response:
        paired = self._pairing.knows(request.cookies.get(COOKIE, ""))
        return _json({"paired": paired, "simulated": self._appliance.table is not None})

    async def _pair(self, request: Request) -> Response:
        code = Fields(await _read_json(request)).only("code").text("code")
        answer = self._pairing.pair(code, _address(request))
        if isinstance(answer, Paired):
            return _with_cookie(_json({"paired": True}), answer.token)
        if isinstance(answer, TooManyTries):
            wait = {"retry-after": str(answer.wait_s)}
            message = f"too many wrong codes: wait {answer.wait_s} seconds"
            raise Refusal(429, "too-many-tries", message, **wait)
        raise Refusal(403, "wrong-code", "that is not the code: read it off the display")

    async def _pair_by_link(self, request: Request) -> Response:
        page = "/table" if request.query_params.get("to") == "table" else "/"
        if request.method != "GET":  # a look at the link is no try
            return RedirectResponse(page, 303)
        answer = self._pairing.pair(request.path_params["code"], _address(request))
        if isinstance(answer, Paired):
            return _with_cookie(RedirectResponse(page, 303), answer.token)
        word = "too-many-tries" if isinstance(answer, TooManyTries) else "wrong-code"
        return RedirectResponse(f"{page}?pairing={word}", 303)

    async def _unpair(self, request: Request) -> Response:
        Fields(await _read_json(request)).only()
        self._pairing.forget(request.cookies.get(COOKIE, ""))
        answer = _json({"paired": False})
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return answer

    # Acting

    def _acting(self, act: Callable[[object], Awaitable[None]]) -> Answer:
        async def answer(request: Request) -> Response:
            token = request.cookies.get(COOKIE, "")
            if not self._pairing.knows(token):
                raise Refusal(401, "not-paired", "pair first: the code is on the display")
            await act(await _read_json(request))
            return _with_cookie(_json({"done": True}), token)

        return answer

    async def _press(self, given: object) -> None:
        await self._appliance.press(parse_press(given))

    async def _say(self, given: object) -> None:
        snapshot = self._appliance.snapshot()
        command = parse_command(given, snapshot, dialog_id(snapshot.dialog))
        await self._appliance.say(command)

    def _on_table(self, touch: Touch) -> Callable[[object], Awaitable[None]]:
        async def act(given: object) -> None:
            table = self._need_table()
            touch(table, Fields(given), self._appliance.snapshot().game.box)
            self._appliance.bell.ring()

        return act

    async def _power(self, given: object) -> None:
        self._need_table()
        Fields(given).only()
        await self._appliance.pull_power()

    async def _button(self, given: object) -> None:
        self._need_table()
        fields = Fields(given).only("button", "down")
        button = Button(fields.word("button", tuple(Button)))
        self._appliance.button_down(button, fields.flag("down"))

    def _need_table(self) -> PlayTable:
        if self._appliance.table is None:
            raise Refusal(404, "no-simulation", "the table is a real one: reach out and touch it")
        return self._appliance.table

    # Past games

    async def _games(self, request: Request) -> Response:
        now = self._appliance.snapshot()
        return _json({"games": await self._library.cards(now.game.number, now.language)})

    async def _game(self, request: Request) -> Response:
        asked = dict(request.query_params) or {"language": self._appliance.snapshot().language}
        language = Fields(asked, "?").only("language").word("language", tuple(Language))
        number = request.path_params["number"]
        return _json(await self._library.story(number, Language(language)))

    async def _record(self, request: Request) -> Response:
        number = request.path_params["number"]
        record = await self._library.record(number)
        headers = {"content-disposition": f'attachment; filename="parkwarden-{number}.txt"'}
        return Response(record, headers=headers, media_type="text/plain")

    async def _board(self, request: Request) -> Response:
        drawn = await self._library.board(request.path_params["number"])
        return Response(drawn, media_type="image/png")

    async def _replay(self, request: Request) -> Response:
        drawn = await self._library.replay(request.path_params["number"])
        return Response(drawn, media_type="image/gif")


class _Guarded:
    """Every request and every answer: is it for us, is it from us, what may be done with it."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        answer = self._app
        if scope["type"] == "http":
            request = Request(scope)
            if not is_our_host(request.headers.get("host", ""), self._names):
                message = "this host name is not ours: use the address on the display"
                answer = _refuse(request, Refusal(421, "foreign-host", message))
            elif scope["method"] not in ("GET", "HEAD") and not is_our_origin(request.headers):
                message = "this was sent by another page than ours"
                answer = _refuse(request, Refusal(403, "foreign-origin", message))
        await answer(scope, receive, send_guarded)


class _EventStream(StreamingResponse):
    """A watcher's seat, from the first event to the last."""

    def __init__(self, live: Live) -> None:
        super().__init__(live.watch(), media_type="text/event-stream")
        self._live = live

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._live.watchers += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._live.watchers -= 1


async def _read_json(request: Request) -> object:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind != "application/json":
        raise Refusal(415, "not-json", f"got {kind[:40]!a}, expected application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST_BODY:
                    raise Refusal(413, "too-large", f"expected at most {LARGEST_BODY} bytes")
    except TimeoutError:
        raise Refusal(408, "slow", f"the body took more than {PATIENCE_S:.0f} seconds") from None
    except ClientDisconnect:
        raise Refusal(400, "bad-request", "the rest of the body never came") from None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise BadRequest("body", bytes(body[:60]), "a JSON object") from None


def _json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(to_json(value), status, headers, "application/json")


def _send_file(request: Request, file: PageFile | None) -> Response:
    if file is None:
        raise HTTPException(404)
    headers = {"etag": file.etag, "cache-control": "no-cache"}
    if file.is_known_by(request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=headers)
    return Response(file.content, headers=headers, media_type=file.media_type)


def _with_cookie(answer: Response, token: str) -> Response:
    # Not `secure`: there is no certificate for an address in a living room.
    answer.set_cookie(COOKIE, token, max_age=int(SESSION_S), httponly=True, samesite="strict")
    return answer


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _refuse(request: Request, error: Exception) -> Response:
    facts: dict[str, str] = {}
    headers: Mapping[str, str] | None = None
    match error:
        case Refusal():
            status, word, headers = error.status, error.word, error.headers
        case BadRequest():
            status, word = 400, "clash" if isinstance(error, Clash) else "bad-request"
            facts = {"what": error.what, "got": error.got, "expected": error.expected}
        case Unreplayable():
            status, word = 409, "unreplayable"
        case NoSuchGame():
            status, word = 404, "unknown"
        case StoreTrouble():
            status, word = 503, "store"
        case HTTPException():
            # What the router says: no such path, or not in this way.
            status, headers = error.status_code, error.headers
            word = "bad-method" if status == 405 else "unknown"
        case _:
            status, word = 409, "not-now"
    return _json({"error": word, "message": str(error), **facts}, status, headers)
