"""The files of the engine in a browser, with which a page checks by the rules; made when first asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from attrs import define, field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from ..errors import KifuError
from . import access_log
from .context import context_of
from .page import HEADERS

PATH = "/engine/{name:path}"
WORKER = "worker.js"
"""The script that runs the engine: the only one that may compile WebAssembly, in a worker of its own."""
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
PACKED = ".gz"
"""What follows the name of a file in the name of its compressed form, for those too large to compress each time."""
KINDS = {".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}


@define
class EngineFiles:
    """What makes the folder of the engine, called once, in a thread; None: this server has none."""

    make: Callable[[], Path] | None
    _made: asyncio.Task[dict[str, Path]] | None = field(default=None, init=False)

    async def serve(self, request: Request) -> Response:
        """Return a file of the engine; 404 if the server has none, or it cannot be made."""
        request.state.route = PATH
        files, name = await self._files(context_of(request).host.threads.call), request.path_params["name"]
        if name not in files:
            raise HTTPException(404)
        path, policy = files[name], {"Content-Security-Policy": WORKER_POLICY} if name == WORKER else {}
        kind = KINDS.get(path.suffix, "application/octet-stream")
        if name + PACKED in files and "gzip" in request.headers.get("accept-encoding", ""):
            path, policy = files[name + PACKED], {**policy, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        whole = FileResponse(path, 200, {**HEADERS, **policy}, kind, stat_result=path.stat())
        tag = whole.headers["etag"]
        known = request.headers.get("if-none-match", "").removeprefix("W/") == tag
        return Response(None, 304, {**HEADERS, **policy, "ETag": tag}) if known else whole

    async def _files(self, call: Callable[..., Awaitable[dict[str, Path]]]) -> dict[str, Path]:
        """Return the files by name; whoever asks while they are made waits for the same."""
        if self.make is None:
            return {}
        if self._made is None:
            self._made = asyncio.create_task(_listed(call, self.make))
        return await asyncio.shield(self._made)


async def _listed(call: Callable[..., Awaitable[dict[str, Path]]], make: Callable[[], Path]) -> dict[str, Path]:
    def files() -> dict[str, Path]:
        folder = make()
        return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}

    try:
        return await call(files)
    except (KifuError, OSError) as error:
        access_log.failure("the engine for browsers cannot be made", error)
        return {}
