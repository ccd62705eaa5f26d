"""The engine as JavaScript calls it: a name, arguments in JSON, and what comes back in JSON or as bytes.

`package/engine.js` makes one `Engine` and awaits `call` for everything.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from inspect import Signature, isawaitable, signature
from typing import Any, get_type_hints

import msgspec

from ... import __version__
from ...core.errors import BotError, KifuError, LogError, MatchError, TrustError
from ...core.game import AnyGame, RuleViolation
from ...core.match import AnyMatch
from ...core.page import LANGS
from ...core.text.sanitize import sanitize
from ...core.text.texts import FALLBACK, Texts
from ...core.web.http_codec import RequestError
from ...core.web.problem import kind_of
from ...core.wire import plain
from ..call_errors import CallError, UserMessage
from . import checks
from .hosting import Hosting, Keep
from .matches import Analyses, Known, Matches
from .web_crypto import judged

KINDS: dict[type[Exception], str] = {BotError: "no-bot", CallError: "malformed"}
"""What the caller, and no operator of a host, has done wrong: kinds beside those of the HTTP API."""
JUDGES = (checks.audit, checks.verify)
"""The calls that check signatures."""
LOGGER = logging.getLogger("kifu.browser")
MAX_LETTERS = 1000
"""Of a message."""

Call = Callable[..., Any]
Blob = bytes | int | float
"""An argument, or a part of one, that JSON does not hold exactly in JavaScript."""


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
        self._matches = Known[AnyMatch](UserMessage("forgotten", "the match was forgotten: load it again"))
        self._tell: Callable[..., object] = lambda *_: None
        hosting = (self.open_host, self.close_host, self.request, self.watch, self.leave, self.play_on, self.take_in)
        of_files = (
            checks.audit,
            checks.verify,
            checks.verdict_words,
            checks.is_fork_first,
            checks.diff,
            checks.impact,
            checks.shrink,
            checks.step_through,
            checks.trace,
        )
        known = [*_public(Matches(self._matches)), *_public(Analyses())]
        calls: list[Call] = [self.version, *hosting, *of_files, *known]
        self._calls = {each.__name__: each for each in calls}

    async def call(self, name: str, arguments: str, blobs: Sequence[Blob], **more: Any) -> str | bytes:
        """Make a call; return its value as bytes, or in JSON as `{"value": …}`, or as `{"error": …}`.

        In the arguments, `{"$blob": 0}` stands for the first of `blobs`. `more` are arguments that JSON cannot hold.
        Every call takes `lang`, the language of what is said of an error.
        """
        given: dict[str, Any] = {}
        try:
            found = self._calls.get(name)
            if found is None:
                raise RequestError(
                    "malformed", UserMessage("no-call", "kifu has no call {name}", name=ascii(name)[:60])
                )
            given = json.loads(arguments, object_hook=lambda each: _with_blobs(each, blobs))
            work = partial(found, **_checked(found, {**given, **more}))
            value = await judged(work) if found in JUDGES else work()
            value = await value if isawaitable(value) else value
            return value if isinstance(value, bytes) else _ENCODER.encode({"value": value}).decode()
        except (KifuError, RequestError) as error:
            number = given.get("number")
            match = self._matches.get(number) if isinstance(number, int) else None
            return json.dumps({"error": error_data(error, given.get("lang"), None if match is None else match.game)})
        except Exception as error:  # a mistake: JavaScript gets one line of it, the console the whole
            LOGGER.exception("%s", name)
            english = "{call} has failed, by a mistake in kifu or in a game: {error}"
            said = UserMessage("call-failed", english, call=name, error=f"{type(error).__name__}: {error}")
            return json.dumps({"error": error_data(RequestError("internal", said), given.get("lang"))})

    def version(self) -> str:
        """Return the version of kifu."""
        return __version__

    async def open_host(self, kept: Mapping[str, bytes], keep: Keep, tell: Callable[..., object]) -> list[str]:
        """Open the host of this page, over what was kept; return the matches of it that cannot be read.

        `tell(number, text)` gets what a stream sends, `tell(number, None)` is its end.
        """
        await self.close_host()
        self._hosting, self._tell = Hosting(kept, keep), tell
        return self._hosting.unreadable

    async def close_host(self) -> None:
        """Close the host; all is kept then."""
        hosting, self._hosting = self._hosting, None
        if hosting is not None:
            await hosting.close()

    async def request(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Any:
        """Answer a request to the HTTP API: status, headers, and the body as Latin-1 text, byte for letter."""
        answer = await self._host.request(method, target, headers, body)
        return [answer.status, answer.headers, answer.body.decode("latin-1")]

    async def watch(self, number: int, target: str, headers: Mapping[str, str]) -> Any:
        """Begin a stream, known by a number; return status and headers."""
        return await self._host.watch(number, target, headers, partial(self._tell, number))

    def leave(self, number: int) -> None:
        """End a stream."""
        self._host.leave(number)

    async def play_on(self, log: bytes, events: int, seat: int, bot: str | None = None) -> Any:
        """Begin a match with the first events of a log (`Hosting.play_on`)."""
        return await self._host.play_on(log, events, seat, bot)

    async def take_in(self, log: bytes) -> Any:
        """Store a match that is over, to be looked at (`Hosting.take_in`)."""
        return await self._host.take_in(log)

    @property
    def _host(self) -> Hosting:
        if self._hosting is None:
            raise MatchError(UserMessage("host-not-open", "no host is open: call openHost first"))
        return self._hosting


def error_data(error: KifuError | RequestError, lang: Any = FALLBACK, game: AnyGame | None = None) -> dict[str, Any]:
    """Return an error as data: its kind, its words, and for a broken rule its number and facts."""
    texts = Texts(lang if lang in LANGS else FALLBACK, "kifu.replay")
    told = texts.message(error.why or error.kind if isinstance(error, RequestError) else error.summary)
    data: dict[str, Any] = {
        "kind": next((KINDS[each] for each in type(error).__mro__ if each in KINDS), kind_of(error))
    }
    if isinstance(error, RuleViolation):
        data |= {"rule": error.rule.number, "facts": plain(error.facts)}
        told = told if game is None else texts.refusal(error, game)
    elif isinstance(error, LogError):
        data |= {"kind": error.kind, "seq": error.seq, "rule": error.rule}
        where = "" if error.seq is None else texts.format("at-event", seq=error.seq)
        told = where + texts.message(error.message)
    elif isinstance(error, TrustError):
        data["kind"] = error.kind
    return {**data, "detail": sanitize(told, MAX_LETTERS)}


def _checked(call: Call, given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call; raises `RequestError` unless they are of its types."""
    function = getattr(call, "__func__", call)
    parameters, hints = _shape(function)
    checked = {}
    if "lang" not in hints:
        given = {name: each for name, each in given.items() if name != "lang"}
    try:
        parameters.bind(*(() if function is call else (None,)), **given)
    except TypeError as error:
        raise _wrong_call(call, str(error)) from None
    for name, each in given.items():
        try:
            checked[name] = each if callable(each) else msgspec.convert(each, hints[name], builtin_types=(bytes,))
        except msgspec.ValidationError as error:
            raise _wrong_call(call, f"{name}: {error}") from None
    return checked


def _wrong_call(call: Call, why: str) -> RequestError:
    return RequestError("malformed", UserMessage("wrong-call", "{call}: {why}", call=call.__name__, why=why))


@cache
def _shape(function: Call) -> tuple[Signature, dict[str, Any]]:
    """Return what a function takes: for most calls it costs more to find out than to make the call."""
    return signature(function), get_type_hints(function)


def _public(calls: object) -> Iterator[Call]:
    return (getattr(calls, name) for name in dir(calls) if not name.startswith("_"))


def _with_blobs(each: dict[str, Any], blobs: Sequence[Blob]) -> Any:
    """Return the blob that an object stands for; any other object as it is."""
    place = each.get("$blob") if len(each) == 1 else None
    return blobs[place] if place.__class__ is int and 0 <= place < len(blobs) else each
