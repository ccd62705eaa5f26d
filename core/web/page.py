"""The page to play at: a document, a script and a style, from the files of `table/` and `core/page`; and the engine.

The files of the engine, with which it checks a match by the rules, are made when they are first asked for.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template

from attrs import define, field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from ..errors import KifuError
from ..page import DRAWING, LANGS, read, script_json
from ..page.document import labels
from ..text.message_catalogue import message_keys
from ..text.texts import FALLBACK, Texts
from . import access_log
from .http_codec import tagged

SCRIPTS = (
    "api.js",
    "saved_keys.js",
    "selection.js",
    "game.js",
    "badge.js",
    "refusals.js",
    "leaving.js",
    "end.js",
    "turn.js",
    "bar.js",
    "sight.js",
    "trust.js",
    "trust_panel.js",
    "check.js",
    "forking.js",
    "lesson.js",
    "story.js",
    "frame.js",
    "lobby.js",
    "main.js",
)
"""The page's own scripts, which follow the shared ones; `main.js` runs last."""

MODULES = tuple(f"{name}.js" for name in ("record", "ceremony", "vault", "formulas", "canonical", "msgpack"))
"""What `trust.js` loads where it is needed."""

_PAGE_POLICY = "; ".join(
    [
        *["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
        *["base-uri 'none'", "form-action 'none'"],
    ]
)
POLICY = f"{_PAGE_POLICY}; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
DRAWN = (
    *["rule", "to-act", "middle", "furigana", "language", "winner", "draw", "loss", "back", "forward"],
    *["sheet", "sheet-of", "result", "unfinished", "empty-space", "fact-of", "comma", "colon"],
    *["face-down", "face-down-pieces", "in-all", "in-all-pieces"],
)
"""The texts of a match's page that its scripts need on this one, too."""


@cache
def document() -> tuple[bytes, str]:
    """Return the HTML document and its media type."""
    return html(_PAGE_POLICY, "table.css", "table.js"), "text/html"


def html(policy: str, style: str, *scripts: str) -> bytes:
    """Return an HTML document of this style and these scripts, which may do what the policy says."""
    needs = " / ".join(Texts(lang, __package__).format("table-needs-script") for lang in LANGS)
    tags = "\n".join(f'<script src="{each}" defer></script>' for each in scripts)
    filled = Template(_own("table.html")).substitute(policy=policy, style=style, scripts=tags, needs_script=needs)
    return filled.encode()


@cache
def script() -> tuple[bytes, str]:
    """Return the whole script and its media type."""
    shared = [read(name) for name in DRAWING]
    whole = ['"use strict";', f"const words = {script_json(words())};", *shared, *map(_own, SCRIPTS)]
    return "\n".join(whole).encode(), "text/javascript"


@cache
def style() -> tuple[bytes, str]:
    """Return the whole style sheet and its media type."""
    return f"{read('page.css')}\n{_own('table.css')}".encode(), "text/css"


@cache
def words() -> dict[str, list[str]]:
    """Return the page's texts by key, with those of a match's page."""
    of_match = labels()
    own = messages(__package__, "table-")
    return {key.removeprefix("table-"): texts for key, texts in own.items()} | {key: of_match[key] for key in DRAWN}


def messages(package: str, prefix: str) -> dict[str, list[str]]:
    """Return a package's messages whose keys begin so, one a language; `{name}` stands where a page puts a value."""
    source = files(package).joinpath("texts", f"{FALLBACK}.ftl").read_text("utf-8")
    values = {name: f"{{{name}}}" for name in re.findall(r"\$(\w+)", source)}
    texts = [Texts(lang, package) for lang in LANGS]
    keys = [key for key in message_keys(package, FALLBACK) if key.startswith(prefix)]
    return {key: [each.format(key, **values) for each in texts] for key in keys}


def _module(name: str) -> Callable[[], tuple[bytes, str]]:
    """Return what returns a module of the page and its media type."""
    return lambda: (_own(name).encode(), "text/javascript")


MIN_PACKED_BYTES = 1000
PAGES: dict[str, Callable[[], tuple[bytes, str]]] = {
    "/": document,
    "/table.js": script,
    "/table.css": style,
    **{f"/{name}": _module(name) for name in MODULES},
}


async def page_response(path: str, request: Request) -> Response:
    """Return the page of a path, packed for a browser that can unpack it; 304 if it has the page already."""
    request.state.route = path
    body, packed, kind, tag = _made(PAGES[path])
    headers = {**HEADERS, "ETag": tag, "Vary": "Accept-Encoding"}
    if packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers = packed, {**headers, "Content-Encoding": "gzip"}
    return tagged(request, Response(body, 200, headers, kind))


@cache
def _made(page: Callable[[], tuple[bytes, str]]) -> tuple[bytes, bytes | None, str, str]:
    """Return the body of a page, the same packed (None: it is not worth it), its media type and its tag."""
    body, kind = page()
    packed = gzip.compress(body, mtime=0) if len(body) >= MIN_PACKED_BYTES else None
    return body, packed, kind, f'"{sha256(body).hexdigest()[:32]}"'


def _own(name: str) -> str:
    return files(__package__).joinpath("table", name).read_text("utf-8")


ENGINE_PATH = "/engine/{name:path}"
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
    _made: asyncio.Future[dict[str, Path]] | None = field(default=None, init=False)

    async def serve(self, request: Request) -> Response:
        """Return a file of the engine; 404 if the server has none, or it cannot be made."""
        request.state.route = ENGINE_PATH
        if self._made is None:  # whoever asks while they are made waits for the same
            self._made = asyncio.ensure_future(request.state.context.host.threads.call(self._files))
        files, name = await asyncio.shield(self._made), request.path_params["name"]
        if name not in files:
            raise HTTPException(404)
        path, policy = files[name], {"Content-Security-Policy": WORKER_POLICY} if name == WORKER else {}
        kind = KINDS.get(path.suffix, "application/octet-stream")
        if name + PACKED in files and "gzip" in request.headers.get("accept-encoding", ""):
            path, policy = files[name + PACKED], {**policy, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return tagged(request, FileResponse(path, 200, {**HEADERS, **policy}, kind, stat_result=path.stat()))

    def _files(self) -> dict[str, Path]:
        """Make the files; return them by name."""
        if self.make is None:
            return {}
        try:
            folder = self.make()
            return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        except (KifuError, OSError) as error:
            access_log.failure("the engine for browsers cannot be made", error)
            return {}
