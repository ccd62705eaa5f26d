"""A seat of a match at `replay serve`, for an assistant that starts a command: its tools, over the public HTTP API."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from hashlib import blake2b
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import anyio
import cattrs
from attrs import frozen
from cattrs.strategies import configure_union_passthrough
from httpx2 import AsyncClient, HTTPError, Response, Timeout
from mcp_types import CallToolResult

from ...errors import KifuError, MatchError, Message
from ...game import AnyGame, Result, RuleBook, Scene, Seat, TableRule
from ...match.header import Header, new_header
from ...match.legal import MAX_LEGAL
from ...match.registry import find
from ...text.texts import ShownNames, Texts
from ...wire import plain, wire_of
from ...wire.exact import MAX_ID_BYTES
from .listing import LISTED, MAX_FOUND, Legal, Listing
from .mcp import MAX_CALLS, brief, mcp_server, refusal, tool_result
from .presenter import SeatPresenter
from .prompt import prompt, shown_names
from .reader import AnswerReader
from .refusals import Refused

TRIES, PAUSE_S = 4, 0.5
BUSY = (429, 503)
"""The statuses of a server that has no time now."""
TIMEOUT = Timeout(60)
WAIT_S, WAIT_MS = 50, 20_000
"""How long a look waits for the seat's turn, and a single request for an event."""


@frozen
class RemoteMatch:
    """What a seat knows of its match now: the public facts, its observation, and how they read in its language."""

    game: AnyGame
    header: Header
    texts: Texts
    names: ShownNames | None
    observed: dict[str, Any]

    @classmethod
    def of(cls, about: dict[str, Any], observed: dict[str, Any], texts: Texts) -> RemoteMatch:
        """Read the responses of the API; raises `KifuError` if the game is not installed, or has not begun."""
        game, names = find(about["game"]), [seat["name"] or "" for seat in about["seats"]]
        if observed["view"] is None:
            raise MatchError(observed["stopped"] or Message("not-begun", "the match has not begun"))
        header = new_header(game, names, about["options"], bytes(32), match="", started=None, engine="")
        return cls(game, header, texts, shown_names(texts, names), observed)

    @property
    def seat(self) -> int:
        """The seat that the key opens."""
        return Seat(self.observed["seat"])

    @property
    def is_asked(self) -> bool:
        """Whether the seat is to act now."""
        return self.seat in self.observed["to_act"]

    @property
    def rules(self) -> str:
        """The prompt of the seat."""
        return prompt(self.game, self.header, self.seat, self.texts, self.names)

    def listing(self) -> Listing:
        """Return the legal commands of the seat."""
        decode, seats = wire_of(self.game).decode, len(self.header.seats)
        commands = [decode(each["tag"], each["fields"]) for each in self.observed["legal"]]
        has_more = self.observed["open_ended"]
        start = self.game.start(self.header.options, seats)
        legal = Legal(commands, has_more and len(commands) >= MAX_LEGAL, has_more, lambda: self.game.cards(start))
        return Listing(self.game, legal, self.seat, self.observed["count"], self.texts, self.names)

    def read(self, answer: str) -> Any:
        """Return the command of an answer, which the server judges; raises `Refused`."""
        if not self.is_asked:
            rule = TableRule.TURN if self.observed["to_act"] else TableRule.OVER
            raise Refused("turn", self.text([]).rpartition("\n")[2], self.seat, rule)
        return AnswerReader(self.listing(), lambda _: None).read(answer)

    def text(self, events: list[dict[str, Any]]) -> str:
        """Return these events, the table, and what the seat may do."""
        presenter = SeatPresenter(self.game, self.texts, len(self.header.seats), self.names)
        notes = [note for event in events for note in event["notes"]]
        lines = [presenter.ruled(self._words(note), note["rule"]) for note in notes]
        asked, result = self.listing() if self.is_asked else None, self.observed["result"]
        to_act = [Seat(seat) for seat in self.observed["to_act"]]
        shown = presenter.text(lines, _scene(self.observed["scene"]), to_act, asked, result and _result(result))
        stopped = self.observed["stopped"]
        if stopped is None:
            return shown
        told = shown.rpartition("\n\n")[0] if self.observed["status"] == "going" else shown  # it has not ended
        return f"{told}\n\n{stopped}"

    def plain(self, since: int, events: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the same as a dict of plain values."""
        legal, more = self.listing().plain(LISTED) if self.is_asked else ([], {})
        kept = ("seq", "seat", "tag", "fields", "redacted")
        seen = [{**{name: each[name] for name in kept}, "notes": self._notes(each)} for each in events]
        same = {name: self.observed[name] for name in ("count", "view", "to_act", "result", "stopped")}
        return {"since": since, "seen": seen, "legal": legal, "more": more, **same}

    def _notes(self, event: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"text": self._words(each), "rule": each["rule"], "begins": each["begins"]} for each in event["notes"]]

    def _words(self, note: dict[str, Any]) -> str:
        """Return the text of a note; its pieces are strings and numbers of seats."""
        return "".join(each if isinstance(each, str) else self.texts.seat(each, self.names) for each in note["text"])


class RemoteSeat:
    """The tools of a seat that lies at a server; a request whose answer was lost is made again, and plays once."""

    def __init__(
        self, address: str, connect: Callable[[], AbstractAsyncContextManager[AsyncClient]], lang: str = "en"
    ) -> None:
        """Use the address of the match's API, and a function that returns a client, to be entered for each request."""
        self._address, self._connect, self._texts = address, connect, Texts(lang)
        self._since = 0
        self._sent: dict[str, dict[str, Any]] = {}
        self._answers: dict[str, CallToolResult] = {}

    async def rules(self) -> str:
        """Return the prompt of the seat."""
        try:
            return (await self._known()).rules
        except Refused as refused:
            return str(refused)

    async def look(self) -> CallToolResult:
        """Wait for the seat's turn, and return what happened since it last acted, the table, and what it may do."""
        try:
            return await self._look()
        except Refused as refused:
            return refusal(refused)

    async def act(self, command: str, id: str = "") -> CallToolResult:  # noqa: A002 (the word of the protocol)
        """Play a command, then look; with an `id` that has come before, return what was answered then."""
        called = id or secrets.token_hex(16)
        if called in self._answers:
            return self._answers[called]
        try:
            if called not in self._sent:
                self._sent[called] = await self._submission(command, called)
            answer = await self._submit(called)
        except Refused as refused:
            return refusal(refused)
        self._answers[called] = answer
        del self._sent[called]
        while len(self._answers) > MAX_CALLS:
            self._answers.pop(next(iter(self._answers)))
        return answer

    async def find(self, tag: str, fields: dict[str, Any] | None = None, limit: int = MAX_FOUND) -> str:
        """Return the legal commands of a tag that fit, as text."""
        try:
            return (await self._known()).listing().found_text(tag, fields or {}, limit)
        except Refused as refused:
            return str(refused)

    async def seen(self) -> str:
        """Return all that this seat has seen, from the first event on, and the table now."""
        try:
            known = await self._known()
            return known.text(await self._history(0, known.observed["count"]))
        except Refused as refused:
            return str(refused)

    async def log(self) -> bytes:
        """Return the log of the match, once it is over; raises `MatchError` before."""
        try:
            return (await self._asked("GET", "/log")).content
        except Refused as refused:
            raise MatchError(str(refused)) from None

    async def _known(self) -> RemoteMatch:
        """Return what the seat knows now; raises `Refused`."""
        about, observed = await self._json("GET", ""), await self._observed()
        try:
            return RemoteMatch.of(about, observed, self._texts)
        except KifuError as error:
            raise Refused("not-now", self._texts.message(error.summary)) from None

    async def _look(self) -> CallToolResult:
        """Return what the seat sees once it is asked, the match takes no commands, or it has waited long enough."""
        known, until = await self._known(), anyio.current_time() + WAIT_S
        while not known.is_asked and known.observed["to_act"] and anyio.current_time() < until:
            await self._asked("GET", f"/history?since={known.observed['count']}&limit=1&wait_ms={WAIT_MS}")
            known = await self._known()
        events = await self._history(self._since, known.observed["count"])
        return tool_result(known.text(events), known.plain(self._since, events))

    async def _observed(self) -> dict[str, Any]:
        """Return what the seat sees, with all pages of its legal commands."""
        observed: dict[str, Any] = await self._json("GET", "/observation")
        while len(observed["legal"]) < observed["legal_count"]:
            more = await self._json("GET", f"/observation?legal_from={len(observed['legal'])}")
            if more["count"] != observed["count"]:
                return await self._observed()
            observed["legal"] += more["legal"]
        return observed

    async def _history(self, since: int, count: int) -> list[dict[str, Any]]:
        """Return the events from one on, up to so many in all."""
        events: list[dict[str, Any]] = []
        while since + len(events) < count:
            page = (await self._json("GET", f"/history?since={since + len(events)}"))["events"]
            if not page:
                break
            events += page
        return events[: max(0, count - since)]

    async def _submission(self, answer: str, called: str) -> dict[str, Any]:
        """Return the body of the request that plays the command of an answer; raises `Refused`."""
        known = await self._known()
        tag, fields = wire_of(known.game).encode(known.read(answer))
        key = blake2b(called.encode("utf-8", "surrogatepass"), digest_size=MAX_ID_BYTES // 2).hexdigest()
        seen = {"expected_events": known.observed["count"], "expected_mark": known.observed.get("mark")}
        return {"tag": tag, "fields": plain(fields), **seen, "idempotency_key": key}

    async def _submit(self, called: str) -> CallToolResult:
        """Play what was read for a call, and look; after a refusal of the server the call is free for another."""
        try:
            receipt = await self._json("POST", "/commands", json=self._sent[called])
        except Refused as refused:
            if refused.kind != "server":  # then nobody knows whether it was played
                del self._sent[called]
            raise
        self._since = receipt["seq"]
        return brief(await self._look())

    async def _asked(self, method: str, path: str, **more: Any) -> Response:
        """Return the response to a request, made again where the answer is lost; raises `Refused`."""
        for left in reversed(range(TRIES)):
            try:
                async with self._connect() as http:
                    response = await http.request(method, f"{self._address}{path}", **more)
            except (HTTPError, OSError):
                pass
            else:
                if response.is_success:
                    return response
                if response.status_code not in BUSY:
                    raise await self._refused(response)
            if left:
                await anyio.sleep(PAUSE_S)
        raise Refused("server", self._texts.message(Message("no-answer", "the server does not answer: try again")))

    async def _json(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """Return what a response says; raises `Refused`."""
        response = await self._asked(method, path, **more)
        return self._object(response)

    def _object(self, response: Response) -> dict[str, Any]:
        """Return the object of JSON that a response is; raises `Refused` if another server than kifu's has sent it."""
        try:
            value = response.json()
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
        english = "this is not a kifu server: it answers {status}"
        raise Refused("server", self._texts.message(Message("other-server", english, status=response.status_code)))

    async def _refused(self, response: Response) -> Refused:
        """Return the refusal that a problem of the API is; raises `Refused` if it is none."""
        problem = self._object(response)
        kind, number = str(problem.get("type")).rpartition(":")[2], problem.get("rule")
        known = None if number is None else await self._known()
        rules: list[RuleBook] = [*TableRule, *(() if known is None else known.game.book)]
        rule = next((each for each in rules if each.number == number), None)
        sentence = str(problem.get("detail"))
        return Refused("rule" if rule is not None else kind, sentence, None, rule, problem.get("facts"))


async def serve_remote(url: str, key: str, lang: str) -> None:
    """Serve a seat of a match at `replay serve` on standard input and output; raises `MatchError` for no such link."""
    address = api_address(url)
    headers = {"Authorization": f"Bearer {key}", "Accept-Language": lang}

    @asynccontextmanager
    async def connect() -> AsyncIterator[AsyncClient]:
        async with AsyncClient(headers=headers, timeout=TIMEOUT) as http:
            yield http

    await mcp_server(RemoteSeat(address, connect, lang)).run_stdio_async()


def api_address(url: str) -> str:
    """Return the address of the API of a match, from the link to its page; raises `MatchError` for another."""
    parts = urlsplit(url)
    named = parse_qs(parts.fragment)
    given = parts.scheme in ("http", "https") and parts.hostname and parts.username is None
    if not given or set(named) != {"match"}:
        english = "give the link to the match as https://HOST/#match=ID, without a name or a key in it"
        raise MatchError(Message("no-match-address", english))
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/matches/{quote(named['match'][0], safe='')}"


def _result(given: dict[str, Any]) -> Result:
    return Result(tuple(given["points"]), tuple(map(Seat, given["winners"])), tuple(given["teams"]))


def _scene(given: dict[str, Any]) -> Scene:
    return _converter.structure(given, Scene)


_converter = cattrs.Converter()
configure_union_passthrough(int | str | None, _converter)
