"""An ASGI app called within its own process: requests and WebSockets without a server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from attrs import define, field, frozen
from starlette.types import ASGIApp, Message

from ...core.web.http_codec import RequestError
from ..call_errors import UserMessage

CLIENT = ("browser", 0)
"""The one client of an app in a browser."""
SITE = ("kifu.local", 80)
SENT = "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}"
"""What of a target is sent as it is, beside letters, digits and `_.-~`."""
NAME = re.compile(r"[!#$%&'*+.^`|~\w-]+", re.ASCII)
VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
LOST = 1006
"""The close code of a socket that ended without one."""


@frozen
class Answer:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes


@define(eq=False)
class Socket:
    """The client's end of a WebSocket."""

    _to_app: asyncio.Queue[Message]

    def send(self, text: str) -> None:
        """Send a message."""
        self._to_app.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """Leave."""
        self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1000})


@frozen
class Bridge:
    """The way to an app."""

    app: ASGIApp
    _running: set[asyncio.Task[None]] = field(factory=set)

    async def request(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Send a request for a target, e.g. `/api/games`, and return the whole response."""
        scope = {**_scope("http", target, headers), "method": method.upper()}
        to_app: asyncio.Queue[Message] = asyncio.Queue()
        to_app.put_nowait({"type": "http.request", "body": body})
        said: list[Message] = []

        async def send(message: Message) -> None:
            said.append(message)

        await self.app(scope, to_app.get, send)
        start = said[0]
        got = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
        parts = [] if scope["method"] == "HEAD" else said[1:]  # as a server does: the headers alone
        return Answer(start["status"], got, b"".join(each.get("body", b"") for each in parts))

    def socket(
        self,
        target: str,
        headers: Mapping[str, str],
        receive: Callable[[str], object],
        closed: Callable[[int, str], object],
    ) -> Socket:
        """Open a WebSocket: `receive` gets each message, `closed` the code and the reason of the end."""
        scope = {**_scope("websocket", target, headers), "subprotocols": []}
        to_app: asyncio.Queue[Message] = asyncio.Queue()
        to_app.put_nowait({"type": "websocket.connect"})
        ends = [(LOST, "")]

        async def send(message: Message) -> None:
            if message["type"] == "websocket.send":
                receive(message["text"])
            elif message["type"] == "websocket.close":
                ends.append((message.get("code", 1000), message.get("reason") or ""))

        async def run() -> None:
            try:
                await self.app(scope, to_app.get, send)
            finally:
                closed(*ends[-1])

        task = asyncio.ensure_future(run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return Socket(to_app)


def _scope(kind: str, target: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Return what a server would tell an app of a request; raises `RequestError` for what no client can send."""
    path, query = _quoted(target)
    named = {"host": SITE[0], **{name.lower(): value for name, value in headers.items()}}
    for name, value in named.items():
        if not (NAME.fullmatch(name) and VALUE.fullmatch(value)):
            english = (
                "{name} with {value} is no header: a name is of letters, digits and -, a value is one line of Latin-1"
            )
            why = UserMessage("no-header", english, name=ascii(name)[:60], value=ascii(value)[:60])
            raise RequestError("malformed", why)
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": {"http": "http", "websocket": "ws"}[kind],
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in named.items()],
        "client": CLIENT,
        "server": SITE,
        "state": {},
    }


def _quoted(target: str) -> tuple[str, str]:
    """Return the path and the query of a target as they are sent, in ASCII."""
    try:
        path, _, query = quote(target.partition("#")[0], safe=SENT).partition("?")
    except UnicodeEncodeError:
        path = query = ""
    if not path.startswith("/"):
        english = "{target} is no target of a request: it is a path like /api/games"
        raise RequestError("malformed", UserMessage("no-target", english, target=ascii(target)[:60]))
    return path, query
