"""The straight way of the commonest request, a command: past router, compression and their wrappers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

COMMANDS = "/api/matches/{match}/commands"
_COMMANDS = re.compile("/api/matches/([^/]+)/commands")


class Direct:
    """ASGI middleware, below the gate: serves commands that were admitted, and passes all else on.

    Where other sites' pages may use the API (`cors`), what a page sends takes the usual way, through that middleware.
    """

    def __init__(self, app: ASGIApp, serve: Callable[[Request], Awaitable[Response]], *, cors: bool) -> None:
        self._app = app
        self._serve = serve
        self._cors = cors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a command, or pass the request on."""
        match = _match_of(scope)
        if match is None or (self._cors and any(name == b"origin" for name, _ in scope["headers"])):
            await self._app(scope, receive, send)
            return
        scope["path_params"] = {"match": match}
        response = await self._serve(Request(scope, receive, send))
        await response(scope, receive, send)


def _match_of(scope: Scope) -> str | None:
    """Return the match to which a request sends a command; None for any other request."""
    if scope["type"] != "http" or scope["method"] != "POST" or scope.get("root_path") or scope["state"]["refusal"]:
        return None
    found = _COMMANDS.fullmatch(scope["path"])
    return None if found is None else found[1]
