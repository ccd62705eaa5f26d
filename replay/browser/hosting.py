"""A host with its app in a browser: live matches against bots, or at one screen, without a server.

`Bridge` calls the app without a socket; `KeptStore` says what the browser is to keep.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from secrets import token_bytes, token_hex
from typing import Any
from urllib.parse import quote, unquote

import attrs
import msgpack
from attrs import define, field, frozen
from starlette.types import ASGIApp, Message

from ...core.errors import KifuError, MatchError, NoMatch
from ...core.game import Seat
from ...core.host import Host, Terms
from ...core.host.threads import InlineThreads
from ...core.log import log_bytes, read_bytes
from ...core.match.engine import engine_name
from ...core.match.fork import check_fork, fork_match
from ...core.match.header import SEED_BYTES, Fork
from ...core.stores import MemoryStore
from ...core.stores.store import Append, Change, Create, Due, MetadataRow, commit_one, stored_id
from ...core.trust.formulas import SECRET_BYTES
from ...core.web import app
from ...core.web.http_codec import RequestError
from ...core.web.limits import Limits
from ...games.bots.levels import easy, normal
from ..call_errors import UserMessage

MANY = 1_000_000
LIMITS = Limits(processor_share=MANY, processor_burst_s=MANY, bot_matches_per_client=MANY)
"""Those that bound strangers alone are lifted: everybody here is the owner."""
KEPT_S = 0.25
"""How often it is looked whether bots have changed what is to be kept."""

Keep = Callable[[dict[str, bytes | None]], Awaitable[bool]]
"""Keeps the values of matches, and forgets those of None; returns whether the browser has, which it tells its owner."""
VERSION = 1
"""Of the form of a value."""
CLIENT = ("browser", 0)
"""The one client of an app in a browser."""
SITE = ("kifu.local", 80)
SENT = "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}"
"""What of a target is sent as it is, beside letters, digits and `_.-~`."""
NAME = re.compile(r"[!#$%&'*+.^`|~\w-]+", re.ASCII)
VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")


class Hosting:
    """A host over what is kept, its app, and the bots that play there."""

    def __init__(self, kept: Mapping[str, bytes], keep: Keep) -> None:
        """Begin with what was kept; `keep` is awaited with what is to be kept next."""
        self._store = KeptStore(kept)
        self.unreadable = self._store.unreadable
        self._keep = keep
        self._keeping = asyncio.Lock()
        bots = {"normal": normal(token_bytes(SEED_BYTES)), "easy": easy(token_bytes(SEED_BYTES))}
        self._host = Host(self._store, bots=bots, threads=InlineThreads())
        self._bridge = Bridge(app(self._host, bots=tuple(bots), limits=LIMITS))
        self._streams: dict[int, Stream] = {}
        self._tasks = [asyncio.ensure_future(self._host.run_here()), asyncio.ensure_future(self._keep_on())]

    async def request(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Answer a request to the HTTP API; what it has changed is kept by then, where the browser keeps it."""
        answer = await self._bridge.request(method, target, headers, body)
        await self._flush()
        return answer

    async def watch(
        self, number: int, target: str, headers: Mapping[str, str], receive: Callable[[str | None], object]
    ) -> tuple[int, dict[str, str]]:
        """Begin a stream under this number: `receive` gets its text, None at the end; return status and headers."""

        def forget(text: str | None) -> None:
            if text is None:
                self._streams.pop(number, None)
            receive(text)

        self._streams[number] = stream = self._bridge.stream(target, headers, forget)
        return await stream.begun

    def leave(self, number: int) -> None:
        """End a stream; nothing happens if it has ended."""
        if number in self._streams:
            self._streams[number].leave()

    async def play_on(self, log: bytes, events: int, seat: int, bot: str | None) -> dict[str, Any]:
        """Begin a match with the first events of a log; return it, and the keys of the seats that people play.

        With a bot, it plays all seats but one; without, all are played at this screen. No seat signs there: the keys of
        a log's players are not here. Raises `LogError` if anything is wrong with the log, `MatchError` if it cannot be
        played on from there.
        """
        reading = read_bytes(log)
        if not reading.ok or reading.match is None:
            raise reading.error()
        seats = range(len(reading.match.header.seats))
        if seat not in seats:
            english = "there is no seat {seat}: seats are 0 to {last}"
            raise MatchError(UserMessage("no-such-seat", english, seat=seat, last=seats[-1]))
        check_fork(reading.match, events)
        more = (("veil", token_bytes(SECRET_BYTES)),)
        origin = Fork(reading.match.header.match, events - 1)
        fork = fork_match(reading.match, token_hex(8), origin, engine=engine_name(), more=more)
        terms = Terms(bots={} if bot is None else {Seat(each): bot for each in seats if each != seat})
        opened = self._host.import_log(log_bytes(fork), terms)
        await self._flush()
        return {"match": opened.match, "keys": list(opened.keys)}

    async def take_in(self, log: bytes) -> str:
        """Store a match that is over, to be looked at; return its name here, also if it is here already.

        Raises `LogError` if anything is wrong with the log, `MatchError` if it cannot be stored.
        """
        reading = read_bytes(log)
        if not reading.ok or reading.header is None:
            raise reading.error()
        match = stored_id(reading.header.match)
        try:
            self._host.about(match)
        except NoMatch:
            match = self._host.import_log(log).match
            await self._flush()
        return match

    async def close(self) -> None:
        """Stop the bots, and keep what is left to keep."""
        for task in self._tasks:
            task.cancel()
        await self._flush()

    async def _keep_on(self) -> None:
        while True:
            await asyncio.sleep(KEPT_S)
            await self._flush()

    async def _flush(self) -> None:
        async with self._keeping:
            unkept = self._store.take_unkept()
            if unkept and not await self._keep(unkept):
                self._store.give_back(unkept)


class KeptStore(MemoryStore):
    """A `MemoryStore` that begins with what was kept, and says what is to be kept after each commit."""

    def __init__(self, kept: Mapping[str, bytes] | None = None) -> None:
        """Begin with these matches, by id; those that cannot be read are left as they are."""
        super().__init__()
        self._unkept: dict[str, None] = {}
        self.unreadable = [match for match, value in (kept or {}).items() if not self._restore(match, value)]
        self._unkept.clear()

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes; return what became of each."""
        answers = super().commit(changes)
        made = (change.match for change, answer in zip(changes, answers, strict=True) if answer is None)
        self._unkept.update(dict.fromkeys(made))
        return answers

    def take_unkept(self) -> dict[str, bytes | None]:
        """Return each match that has changed since this was last asked for, as one value; None if it was deleted."""
        taken, self._unkept = self._unkept, {}
        return {match: self._value(match) for match in taken}

    def give_back(self, matches: Iterable[str]) -> None:
        """Take these for changed: they were not kept."""
        self._unkept.update(dict.fromkeys(matches))

    def _value(self, match: str) -> bytes | None:
        try:
            stored = self.read(match)
        except NoMatch:
            return None
        with self._lock:
            due = self._logs[match].due
        row = list(attrs.astuple(stored.row))
        packed = [VERSION, row, stored.header, list(stored.events), stored.end, due.at_ms, due.is_bot]
        value: bytes = msgpack.packb(packed)
        return value

    def _restore(self, match: str, value: bytes) -> bool:
        """Take a match as it was kept; return whether it can be read."""
        try:
            version, row, header, events, end, at_ms, is_bot = msgpack.unpackb(value)
            made = Create(match, header, MetadataRow(*row)), Append(match, 0, events, end=end, due=Due(at_ms, is_bot))
        except Exception:  # msgpack raises many kinds
            return False
        if version != VERSION:
            return False
        for change in made:
            commit_one(self, change)
        return True


@frozen
class Answer:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes


@define(eq=False)
class Stream:
    """The client's end of a response that goes on."""

    begun: asyncio.Future[tuple[int, dict[str, str]]]
    """Its status and headers, once it has begun."""
    to_app: asyncio.Queue[Message]

    def leave(self) -> None:
        """Leave."""
        self.to_app.put_nowait({"type": "http.disconnect"})


@frozen
class Bridge:
    """The way to an app."""

    app: ASGIApp
    _running: set[asyncio.Task[None]] = field(factory=set)

    async def request(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Send a request for a target, e.g. `/api/games`, and return the whole response."""
        scope = _scope(method, target, headers)
        to_app: asyncio.Queue[Message] = asyncio.Queue()
        to_app.put_nowait({"type": "http.request", "body": body})
        said: list[Message] = []

        async def send(message: Message) -> None:
            said.append(message)

        await self.app(scope, to_app.get, send)
        start = said[0]
        parts = [] if scope["method"] == "HEAD" else said[1:]  # as a server does: the headers alone
        return Answer(start["status"], _headers(start), b"".join(each.get("body", b"") for each in parts))

    def stream(self, target: str, headers: Mapping[str, str], receive: Callable[[str | None], object]) -> Stream:
        """Send a request whose response goes on: `receive` gets its text piece by piece, None at the end."""
        scope = _scope("GET", target, headers)
        stream = Stream(asyncio.get_running_loop().create_future(), asyncio.Queue())
        stream.to_app.put_nowait({"type": "http.request", "body": b""})

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                stream.begun.set_result((message["status"], _headers(message)))
            elif message.get("body"):
                receive(message["body"].decode())

        async def run() -> None:
            try:
                await self.app(scope, stream.to_app.get, send)
            except Exception as error:
                if not stream.begun.done():
                    stream.begun.set_exception(error)
            finally:
                receive(None)

        task = asyncio.ensure_future(run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return stream


def _headers(start: Message) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}


def _scope(method: str, target: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Return what a server would tell an app of a request; raises `RequestError` for what no client can send."""
    path, query = _quoted(target)
    named = {"host": SITE[0], **{name.lower(): value for name, value in headers.items()}}
    for name, value in named.items():
        if not (NAME.fullmatch(name) and VALUE.fullmatch(value)):
            english = (
                "{name} with {value} is not a header: a name has letters, digits and -, a value is one line of Latin-1"
            )
            why = UserMessage("no-header", english, name=ascii(name)[:60], value=ascii(value)[:60])
            raise RequestError("malformed", why)
    return {
        "type": "http",
        "method": method.upper(),
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": "http",
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
        english = "{target} is not a path: give one like /api/games"
        raise RequestError("malformed", UserMessage("no-target", english, target=ascii(target)[:60]))
    return path, query
