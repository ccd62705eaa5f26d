"""A client of streams (Server-Sent Events) of an app in this process, which starlette's test client has not."""

import asyncio
import json
from contextlib import ExitStack
from queue import Queue
from typing import Any

TIMEOUT_S = 60


def scope_of(path: str, headers: dict[str, str], method: str = "GET") -> dict[str, Any]:
    """Return the scope of a request in ASGI."""
    path, _, query = path.partition("?")
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [
            (name.lower().encode(), value.encode()) for name, value in {"host": "testserver", **headers}.items()
        ],
        "client": ("10.0.0.1", 5),
        "scheme": "http",
        "server": ("testserver", 80),
        "http_version": "1.1",
    }


async def run(app: Any, match: str, send: Any, left: asyncio.Event) -> None:
    """Watch a match on this loop, until the client has left."""

    async def receive() -> dict[str, str]:
        await left.wait()
        return {"type": "http.disconnect"}

    await app(scope_of(f"/api/matches/{match}/events", {}), receive, send)


class Stream:
    """One request whose response goes on, on the loop of the test client or on one of its own."""

    def __init__(self, client: Any, path: str, headers: dict[str, str] | None = None, method: str = "GET") -> None:
        self.client = client
        self.scope = scope_of(path, headers or {}, method)
        self.status, self.headers = 0, {}
        self._came: Queue[dict[str, Any]] = Queue()
        self._unread, self.last_id = "", None

    def __enter__(self) -> "Stream":
        from anyio import Event
        from anyio.from_thread import start_blocking_portal

        self._held = ExitStack()
        self._portal = self.client.portal or self._held.enter_context(start_blocking_portal())
        self._left = self._portal.call(Event)
        self._running = self._portal.start_task_soon(self._run)
        start = self._next()
        if start["type"] == "failed":
            self._running.result()
        self.status = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return self

    def __exit__(self, *error: Any) -> None:
        self._portal.call(self._left.set)
        self._running.exception(TIMEOUT_S)
        self._held.close()

    async def _run(self) -> None:
        asked = False

        async def receive() -> Any:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            self._came.put(message)

        try:
            await self.client.app(self.scope, receive, send)
        finally:
            self._came.put({"type": "failed"})

    def _next(self) -> dict[str, Any]:
        return self._came.get(timeout=TIMEOUT_S)

    def lines(self) -> list[str] | None:
        """Return the lines of the next message; None at the end."""
        while "\n\n" not in self._unread:
            message = self._next()
            if message["type"] != "http.response.body" or not message.get("more_body"):
                self._unread += message.get("body", b"").decode()
                if "\n\n" not in self._unread:
                    return None
                break
            self._unread += message["body"].decode()
        block, _, self._unread = self._unread.partition("\n\n")
        return block.split("\n")

    def receive_json(self) -> dict[str, Any]:
        """Return the next message that is no sign of life; raises `EOFError` at the end."""
        while (lines := self.lines()) is not None:
            fields = dict(line.split(": ", 1) for line in lines if not line.startswith(":"))
            self.last_id = fields.get("id", self.last_id)
            if "data" in fields:
                return json.loads(fields["data"])
        raise EOFError

    def rest(self) -> list[dict[str, Any]]:
        """Return all messages until the end."""
        messages = []
        while True:
            try:
                messages.append(self.receive_json())
            except EOFError:
                return messages

    def problem(self) -> str:
        """Return the kind of the problem that answers the request."""
        body = b""
        while (message := self._next())["type"] == "http.response.body":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        return json.loads(body)["type"].rpartition(":")[2]

    def next_event(self) -> dict[str, Any]:
        """Return the next event; messages about the match may come before it."""
        while "event" not in (message := self.receive_json()):
            assert "about" in message
        return message["event"]


def watch(table: Any, key: str | None = None, since: int = 0, last: int | None = None, lang: str = "en") -> Stream:
    """Watch a table of the tests."""
    headers = {"accept-language": lang}
    if key is not None:
        headers["authorization"] = f"Bearer {key}"
    if last is not None:
        headers["last-event-id"] = str(last)
    return Stream(table.client, f"/api/matches/{table.match}/events?since={since}", headers)
