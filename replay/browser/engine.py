"""The engine as JavaScript calls it: a name, arguments in JSON, and what comes back in JSON or as bytes.

`package/engine.mjs` makes one `Engine` and awaits `call` for everything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from inspect import Signature, isawaitable, signature
from typing import Any, get_type_hints

import msgspec

from ... import __version__
from ...core.errors import KifuError, LogError, MatchError
from ...core.game import RuleViolation
from ...core.text.sanitize import sanitize
from ...core.web.http_codec import RequestError
from ...core.web.problem import kind_of
from ...core.wire import plain
from ..call_errors import UserMessage
from . import checks
from .analyses import Analyses
from .hosting import Hosting, Keep
from .matches import Matches

MAX_LETTERS = 1000
"""Of a message."""

Call = Callable[..., Any]


def _as_text(value: Any) -> str:
    """Return a `Message` as the text that it is; raises `TypeError` for anything else that JSON cannot hold."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"no JSON: {type(value).__name__}")


_ENCODER = msgspec.json.Encoder(enc_hook=_as_text)


class Engine:
    """All that a page or a program in JavaScript can ask of kifu."""

    def __init__(self) -> None:
        self._hosting: Hosting | None = None
        self._tell: Callable[..., object] = lambda *_: None
        hosting = (self.open_host, self.close_host, self.request, self.watch, self.send, self.leave, self.play_on)
        judged = (
            checks.audit,
            checks.verify,
            checks.is_fork_first,
            checks.diff,
            checks.diff_lines,
            checks.step_through,
            checks.row,
            checks.trace,
        )
        known = [*_public(Matches()), *_public(Analyses())]
        self._calls: dict[str, Call] = dict(_named([self.version, *hosting, *judged, *known]))

    async def call(self, name: str, arguments: str, blobs: Sequence[bytes], **more: Any) -> str | bytes:
        """Make a call; return its value as bytes, or in JSON as `{"value": …}`, or as `{"error": …}`.

        In the arguments, `{"$blob": 0}` stands for the first of `blobs`. `more` are arguments that JSON cannot hold.
        """
        try:
            found = self._calls.get(name)
            if found is None:
                raise RequestError(
                    "malformed", UserMessage("no-call", "kifu has no call {name}", name=ascii(name)[:60])
                )
            given = json.loads(arguments, object_hook=lambda each: _with_blobs(each, blobs))
            value = found(**_checked(found, {**given, **more}))
            value = await value if isawaitable(value) else value
            return value if isinstance(value, bytes) else _ENCODER.encode({"value": value}).decode()
        except (KifuError, RequestError) as error:
            return json.dumps({"error": error_data(error)})

    def version(self) -> str:
        """Return the version of kifu."""
        return __version__

    async def open_host(self, kept: Mapping[str, bytes], keep: Keep, tell: Callable[..., object]) -> None:
        """Open the host of this page, over what was kept. `tell(number, text)` gets what a WebSocket sends.

        `tell(number, None, code, reason)` is its end.
        """
        await self.close_host()
        self._hosting, self._tell = Hosting(kept, keep), tell

    async def close_host(self) -> None:
        """Close the host; all is kept then."""
        hosting, self._hosting = self._hosting, None
        if hosting is not None:
            await hosting.close()

    async def request(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Any:
        """Answer a request to the HTTP API: status, headers, and the body as Latin-1 text, byte for letter."""
        answer = await self._host.request(method, target, headers, body)
        return [answer.status, answer.headers, answer.body.decode("latin-1")]

    def watch(self, number: int, target: str, headers: Mapping[str, str]) -> None:
        """Open a WebSocket, known by a number."""
        receive, closed = partial(self._tell, number), partial(self._tell, number, None)
        self._host.watch(number, target, headers, receive, closed)

    def send(self, number: int, text: str) -> None:
        """Send a message through a WebSocket."""
        self._host.send(number, text)

    def leave(self, number: int) -> None:
        """End a WebSocket."""
        self._host.leave(number)

    async def play_on(self, log: bytes, events: int, seat: int, bot: str | None = None) -> Any:
        """Begin a match with the first events of a log (`Hosting.play_on`)."""
        return await self._host.play_on(log, events, seat, bot)

    @property
    def _host(self) -> Hosting:
        if self._hosting is None:
            raise MatchError(UserMessage("host-not-open", "no host is open: call openHost first"))
        return self._hosting


def error_data(error: KifuError | RequestError) -> dict[str, Any]:
    """Return an error as data: its kind, its words, and for a broken rule its number and facts."""
    told = error.why or error.kind if isinstance(error, RequestError) else str(error)
    data: dict[str, Any] = {"kind": kind_of(error), "detail": sanitize(told, MAX_LETTERS)}
    if isinstance(error, RuleViolation):
        data |= {"rule": error.rule.number, "facts": plain(error.facts)}
    if isinstance(error, LogError):
        data |= {"kind": error.kind, "seq": error.seq, "rule": error.rule}
    return data


def _checked(call: Call, given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call; raises `RequestError` unless they are of its types."""
    function = getattr(call, "__func__", call)
    parameters, hints = _shape(function)
    try:
        parameters.bind(*(() if function is call else (None,)), **given)
        return {name: each if callable(each) else msgspec.convert(each, hints[name]) for name, each in given.items()}
    except (TypeError, msgspec.ValidationError) as error:
        english = "{call}: {why}"
        raise RequestError("malformed", UserMessage("wrong-call", english, call=call.__name__, why=error)) from None


@cache
def _shape(function: Call) -> tuple[Signature, dict[str, Any]]:
    """Return what a function takes: for most calls it costs more to find out than to make the call."""
    return signature(function), get_type_hints(function)


def _named(calls: Sequence[Call]) -> Iterator[tuple[str, Call]]:
    return ((each.__name__, each) for each in calls)


def _public(calls: object) -> Iterator[Call]:
    return (getattr(calls, name) for name in dir(calls) if not name.startswith("_"))


def _with_blobs(each: dict[str, Any], blobs: Sequence[bytes]) -> Any:
    return blobs[each["$blob"]] if each.keys() == {"$blob"} else each
