"""Seats of live matches for assistants: the Model Context Protocol at `/mcp/MATCH`, the seat's key as bearer token."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from hashlib import blake2b
from typing import Any, TypeVar

from attrs import frozen
from mcp import MCPError
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST, CallToolResult, ErrorData, JSONRPCError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ..env.text.listing import MAX_FOUND
from ..env.text.mcp import brief, mcp_server, refusal, tool_result
from ..env.text.players import SeatText
from ..env.text.reader import AnswerReader
from ..env.text.refusals import Refused
from ..errors import Conflict, KeyRefused, KifuError, MatchError
from ..game import RuleViolation, TableRule
from ..host import Observation
from ..host.watching import change_event
from ..match.bot import InformationState, ObservedEvent
from ..match.header import MAX_ID_BYTES
from ..text.texts import Texts
from .context import AppContext, lang_of
from .http_codec import RequestError, key_of
from .kept import Kept
from .limits.fair_lane import FairLane
from .problem import STATUS, kind_of

PATH = "/mcp/{match}"
"""The route of the seats of a match."""
ANSWERS_BYTES = 4 << 20
"""How much of the last answers is kept."""
MAX_COMMAND_LETTERS = 1000
"""The longest text of a command: one of 50,000 letters took a tenth of a second to read."""

T = TypeVar("T")
WEB = "kifu.core.web"
"""The package that has the texts of problems."""
_request: ContextVar[Request] = ContextVar("request")
"""The HTTP request of a call: a resource of the protocol is not told of it."""


@frozen
class KnownMatch:
    """What a seat of a live match knows now, and the texts of its language."""

    observation: Observation
    state: InformationState[Any, Any]
    text: SeatText

    @property
    def since(self) -> int:
        """The number of the seat's own last event, 0 before it has acted: a look tells what happened from there on."""
        own = [event.seq for event in self.state.history if event.seat == self.state.seat]
        return own[-1] if own else 0

    @property
    def is_asked(self) -> bool:
        """Whether the seat is to act now."""
        return self.state.seat in self.observation.to_act

    @property
    def stopped(self) -> str | None:
        """Why the match takes no commands though it has no result, in words; None if it does."""
        why = self.observation.stopped
        return None if why is None else self.text.message(why)

    def look(self, since: int | None = None) -> str:
        """Return what happened from an event on, the table, and what the seat may do."""
        seen = self.state.history[self.since if since is None else since :]
        shown = self.text.present(self.state, seen, self.observation.to_act, self.observation.result)
        if self.stopped is None:
            return shown
        told = shown.rpartition("\n\n")[0] if self.observation.status == "going" else shown  # it has not ended
        return f"{told}\n\n{self.stopped}"

    def result(self) -> CallToolResult:
        """Return the look as the result of a tool, as text and as JSON."""
        seen, observed = self.state.history[self.since :], self.observation
        plain = self.text.present_plain(self.state, self.since, seen, observed.to_act, observed.result)
        return tool_result(self.look(), {**plain, "stopped": self.stopped})


class HostedSeats:
    """The tools of the seats of all live matches; the request says which: its path the match, its key the seat."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._answers: Kept[CallToolResult] = Kept(ANSWERS_BYTES)
        """The last answers to `act`, by match, key and id."""
        self._lane = FairLane(threads=context.host.threads)
        """What reads and writes texts: all at once would leave nothing of the interpreter to anybody else."""

    async def rules(self) -> str:
        """Return the rules of the game, your commands, and how to answer. Read them once, before you play."""
        return await self._read(lambda known: known.text.rules(known.state))

    async def look(self) -> CallToolResult:
        """Wait for your turn, and see what happened since you last acted, the table, and what you may do."""
        return await self._answer(self._look, _request.get())

    async def act(self, command: str, id: str = "") -> CallToolResult:  # noqa: A002
        """Play a command, then look. `id` is any text of your own: a call that comes again plays nothing twice."""
        return await self._answer(self._act, _request.get(), command, id)

    async def find(self, tag: str, fields: dict[str, Any] | None = None, limit: int = MAX_FOUND) -> str:
        """List your legal commands of a tag, at most `limit`, of those whose fields are as given.

        For lists too long to be shown. A field with several values needs but some of them ({"cards": [0, 5]}), and a
        text may have * for any letters and ? for one ({"abbreviation": "N??"}).
        """

        def found(known: KnownMatch) -> str:
            reader = known.text.reader(known.state)
            return str(reader.listing.found_text(tag, fields or {}, reader.faces(), limit))

        return await self._read(found)

    async def seen(self) -> str:
        """Return all that this seat has seen, from the first event on, and the table now."""
        return await self._read(lambda known: known.look(since=0))

    async def log(self) -> bytes:
        """Return the log of the match; raises `MatchError` before its end, since the seed is in it."""
        request = _request.get()
        return await self._worded(self._context.call("read", self._context.host.log, _match(request)), request)

    async def play(self) -> str:
        """Return the rules, as the prompt to begin with."""
        try:
            return await self.rules()
        except ResourceError as error:
            raise MCPError(INVALID_REQUEST, str(error)) from None

    async def _read(self, work: Callable[[KnownMatch], str]) -> str:
        request = _request.get()
        return await self._worded(self._computed(request, lambda: work(self._known(request))), request)

    async def _computed(self, request: Request, function: Callable[..., T], *args: Any) -> T:
        """Return what a function does in the turn of the request's client."""
        return await self._lane.run(request.state.client, function, *args)

    async def _worded(self, reading: Awaitable[T], request: Request) -> T:
        """Return what is read; an error of kifu is one that the protocol expects, in words, and no crash."""
        try:
            return await reading
        except (KifuError, RequestError) as error:
            raise ResourceError(_words(error, request)) from None

    async def _answer(self, call: Callable[..., Any], request: Request, *args: Any) -> CallToolResult:
        """Return what a tool answers; an error of kifu is one of the tool, in a sentence that names no key."""
        try:
            answer: CallToolResult = await call(request, *args)
        except Refused as refused:
            return refusal(refused)
        except (KifuError, RequestError) as error:
            return refusal(Refused(kind_of(error), _words(error, request)))
        return answer

    async def _look(self, request: Request) -> CallToolResult:
        match, until = _match(request), time.monotonic() + self._context.limits.wait_s
        async with change_event(self._context.host.threads, self._context.host.subscribe, match) as changed:
            while True:
                changed.clear()
                known = await self._computed(request, self._known, request)
                if known.is_asked or not known.observation.to_act or time.monotonic() >= until:
                    return await self._computed(request, known.result)
                try:
                    with self._context.admission.aside():
                        async with asyncio.timeout(until - time.monotonic()):
                            await changed.wait()
                except TimeoutError:
                    continue

    async def _act(self, request: Request, command: str, given: str) -> CallToolResult:
        """Play a command and look; a call that comes again, as its answer was lost, gets the first answer."""
        if len(command) > MAX_COMMAND_LETTERS:
            raise RequestError("too-large")
        unique = _unique(given) if given else secrets.token_bytes(MAX_ID_BYTES // 2)
        name = _match(request), key_of(request), unique
        first = self._answers.get(name)
        if first is not None:
            await self._computed(request, self._known, request)  # raises if the key opens nothing any more
            return first
        if not given or not await self._context.call("write", self._was_played, request, unique):
            chosen = await self._computed(request, self._chosen, request, command)
            await self._context.call("write", self._submit, request, unique, *chosen)
        answer = brief(await self._look(request))
        if given:
            self._answers.put(name, answer, 2 * len(answer.model_dump_json()))
        return answer

    def _chosen(self, request: Request, command: str) -> tuple[AnswerReader, Any, int]:
        """Return what reads for a seat that is to act, the command, and after how many events; raises `Refused`."""
        known = self._known(request)
        count = known.observation.count
        if not known.is_asked:
            why = known.look(since=count).rpartition("\n")[2]
            raise Refused("turn", why, known.state.seat, TableRule.TURN if known.observation.to_act else TableRule.OVER)
        reader = known.text.reader(known.state)
        return reader, reader.read(command), count

    def _submit(self, request: Request, unique: bytes, reader: AnswerReader, command: Any, count: int) -> None:
        """Play a command; raises `Refused`."""
        try:
            self._context.host.submit(_match(request), key_of(request), command, count, unique)
        except RuleViolation as violation:
            raise reader.broken(violation) from None

    def _was_played(self, request: Request, unique: bytes) -> bool:
        """Return True if a command with this id was played: the host knows it before it reads the command."""
        try:
            self._context.host.submit(_match(request), key_of(request), ("", {}), 0, unique)
        except (RuleViolation, Conflict):
            return False
        return True

    def _known(self, request: Request) -> KnownMatch:
        """Return what the seat of a request knows; raises `KifuError` without its key, and before the match begins."""
        host, match, key = self._context.host, _match(request), key_of(request)
        observation = host.observe(match, key)
        if observation.seat is None:
            raise KeyRefused(match)
        if observation.view is None:
            raise MatchError(observation.stopped or "the match has not begun")
        game = self._context.find(host.about(match).game)
        history = tuple(
            ObservedEvent(entry.seq, entry.seat, entry.command, entry.notes)
            for entry in host.history(match, key)[: observation.count]
        )
        state = InformationState(game, observation.seat, observation.view, observation.legal, history)
        return KnownMatch(observation, state, SeatText(_texts(request).lang, blake2b(match.encode()).digest()[:32]))


class McpEndpoint:
    """The ASGI app at `PATH`: admitted and logged as the rest of the API; run `running` in the app's lifespan."""

    path = PATH

    def __init__(self, context: AppContext) -> None:
        self._context = context
        server = mcp_server(HostedSeats(context))
        self._sessions = StreamableHTTPSessionManager(
            server._lowlevel_server,
            stateless=True,
            max_request_body_size=context.limits.body_bytes,
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        """Return the context in which requests are served."""
        running: AbstractAsyncContextManager[None] = self._sessions.run()
        return running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request whose key opens a seat; the gate before the app has admitted it, and logs it."""
        request = Request(scope)
        _request.set(request)
        scope["state"]["route"] = PATH
        try:
            if await self._context.call("read", self._context.host.seat, _match(request), key_of(request)) is None:
                raise KeyRefused(_match(request))
        except (KifuError, RequestError) as error:
            scope["state"]["problem"] = kind_of(error)
            await _refusal(error, request)(scope, receive, send)
        else:
            await self._sessions.handle_request(scope, receive, send)


def _unique(given: str) -> bytes:
    """Return the idempotency key of a call with this id, however long that is."""
    return blake2b(given.encode("utf-8", "surrogatepass"), digest_size=MAX_ID_BYTES // 2).digest()


def _match(request: Request) -> str:
    return str(request.path_params["match"])


def _refusal(error: KifuError | RequestError, request: Request) -> Response:
    """Return the response to a request that no seat answers: the HTTP status, and an error of the protocol in words."""
    told = ErrorData(code=INVALID_REQUEST, message=_words(error, request), data={"kind": kind_of(error)})
    body = JSONRPCError(jsonrpc="2.0", id=None, error=told).model_dump_json(by_alias=True)
    status = STATUS[kind_of(error)]
    headers = dict(error.headers) if isinstance(error, RequestError) else {}
    headers |= {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return Response(body, status, headers, "application/json")


def _words(error: KifuError | RequestError, request: Request) -> str:
    """Return an error in one sentence that names no key."""
    kind, texts = kind_of(error), _texts(request)
    why = error.summary if isinstance(error, MatchError) and kind == "not-now" else ""
    return texts.message(why) or texts.format(f"problem-{kind}")


def _texts(request: Request) -> Texts:
    return Texts(lang_of(request.headers.get("accept-language", "")), WEB)
