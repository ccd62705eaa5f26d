"""A seat at `replay serve`, for an assistant that starts a command: its tools, carried on to the server over HTTP."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote, urlsplit

import anyio
from httpx2 import AsyncClient, HTTPError, Timeout
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from ...errors import MatchError, Message
from .listing import MAX_FOUND
from .mcp import mcp_server, refusal
from .refusals import Refused

TRIES, PAUSE_S = 4, 0.5
FINAL = ("key-refused", "no-match")
"""The refusals that stay however often a call is made."""
TIMEOUT = Timeout(30, read=300)
"""In seconds; a server holds a response open while a seat waits for its turn."""


class RemoteSeat:
    """The tools of a seat that lies at a server; a call whose answer was lost is made again, with the same id."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        """Use a function that returns a client to be entered, for each call anew."""
        self._connect = connect

    async def rules(self) -> str:
        """Return the rules of the game, your commands, and how to answer. Read them once, before you play."""
        return _text(await self._call("rules"))

    async def look(self) -> CallToolResult:
        """Wait for your turn, and see what happened since you last acted, the table, and what you may do."""
        return await self._call("look")

    async def act(self, command: str, id: str = "") -> CallToolResult:  # noqa: A002 (the word of the protocol)
        """Play a command, then look. `id` is any text of your own: a call that comes again plays nothing twice."""
        return await self._call("act", command=command, id=id or secrets.token_hex(16))

    async def find(self, tag: str, fields: dict[str, Any] | None = None, limit: int = MAX_FOUND) -> str:
        """List your legal commands of a tag, at most `limit`, of those whose fields are as given.

        For lists too long to be shown. A field with several values needs but some of them ({"cards": [0, 5]}), and a
        text may have * for any letters and ? for one ({"abbreviation": "N??"}).
        """
        return _text(await self._call("find", tag=tag, fields=fields or {}, limit=limit))

    async def seen(self) -> str:
        """Return all that this seat has seen, from the first event on, and the table now."""
        async with self._connect() as client:
            return str((await client.read_resource("kifu://seen")).contents[0].text)

    async def log(self) -> bytes:
        """Return the log of the match, once it is over."""
        from base64 import b64decode

        async with self._connect() as client:
            return b64decode((await client.read_resource("kifu://log")).contents[0].blob)

    async def play(self) -> str:
        """Return the rules, as the prompt to begin with."""
        return await self.rules()

    async def _call(self, tool: str, **arguments: Any) -> CallToolResult:
        for left in reversed(range(TRIES)):
            try:
                async with self._connect() as client:
                    result: CallToolResult = await client.call_tool(tool, arguments)
                    return result
            except* (HTTPError, MCPError, OSError) as failed:
                refused = _refused(failed)
                if left and refused is None:
                    await anyio.sleep(PAUSE_S)
            if refused is not None:
                return refusal(refused)
        return refusal(Refused("server", "the server does not answer: try again"))


async def serve_remote(url: str, match: str, key: str) -> None:
    """Serve a seat of a match at `replay serve --mcp` on standard input and output; raises `MatchError` for no URL."""
    address = remote_address(url, match)

    @asynccontextmanager
    async def connect() -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {key}"}
        async with (
            AsyncClient(headers=headers, timeout=TIMEOUT) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            yield client

    await mcp_server(RemoteSeat(connect)).run_stdio_async()


def remote_address(url: str, match: str) -> str:
    """Return the address of a match at a server; raises `MatchError` for what is no `https://` or `http://` address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise MatchError(
            Message("no-server-address", "give the server as https://HOST/, without a name or a key in it")
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/mcp/{quote(match, safe='')}"


def _refused(failed: BaseExceptionGroup[Any]) -> Refused | None:
    """Return the refusal in which asking again changes nothing, as of a wrong key; None where it may help."""
    for error in failed.exceptions:
        if isinstance(error, BaseExceptionGroup):
            if (refused := _refused(error)) is not None:
                return refused
        elif isinstance(error, MCPError) and isinstance(error.data, dict) and error.data.get("kind") in FINAL:
            return Refused(error.data["kind"], error.message)
    return None


def _text(result: CallToolResult) -> str:
    """Return the text of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
