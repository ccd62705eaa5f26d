"""A seat for an assistant: a table in words as a server of the Model Context Protocol (extra `kifu[mcp]`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from hashlib import blake2b
from importlib.metadata import version
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from ...errors import MatchError
from ...game import Seat
from ...log import log_bytes
from ...match.bot import BotFactory, Player, random_bot
from .refusals import Refused
from .table import TextTable

SEAT_TOOLS = """You play a seat of a match. Call `rules` once; `look` waits for your turn and shows the table and what \
you may do; `act` plays one command and looks again. Go on until the match is over."""
"""What an assistant is told before it has read the rules."""

TITLE = "kifu: a seat at a table"
"""What a client shows of the server to people."""

MAX_CALLS = 1000
"""The most answers to `act` that are kept, so that a call that comes again plays nothing twice."""


class SeatServer:
    """One seat of a match: what it asks is answered in words, and bots play the others."""

    def __init__(self, table: TextTable, seat: int, bots: Mapping[int, tuple[str, BotFactory]]) -> None:
        """Seat the bots, by seat a name and what makes one, and play on until the seat is asked."""
        self.table, self.seat = table, Seat(seat)
        seed = table.match.header.seed or table.match.header.match.encode()
        self._answers: dict[str, CallToolResult] = {}
        self._since = 0
        self._players = {
            other: Player(table.match, Seat(other), make(_seed(seed, other)), name, random_bot(_seed(seed, -other - 1)))
            for other, (name, make) in bots.items()
        }
        missing = {*range(len(table.match.header.seats))} - {seat, *self._players}
        if missing:
            raise MatchError(f"seat {min(missing)} has no bot")
        self._play_on()

    def rules(self) -> str:
        """Return the rules of the game, your commands, and how to answer. Read them once, before you play."""
        return self.table.rules(self.seat)

    def look(self) -> CallToolResult:
        """See what happened since you last acted, the table, and what you may do. It may be called again."""
        plain = self.table.observe(self.seat, since=self._since, as_json=True)
        return tool_result(str(self.table.observe(self.seat, since=self._since)), plain)

    def act(self, command: str, id: str = "") -> CallToolResult:  # noqa: A002 (the word of the contract)
        """Play a command, then look. `id` is any text of your own: a call that comes again plays nothing twice."""
        if id and id in self._answers:
            return self._answers[id]
        since = self.table.count
        try:
            self.table.act(self.seat, command, by="mcp")
        except Refused as refused:
            answer = refusal(refused)
        else:
            self._since = since
            self._play_on()
            answer = self.look()
        if id:
            self._answers[id] = answer
            while len(self._answers) > MAX_CALLS:
                self._answers.pop(next(iter(self._answers)))
        return answer

    def find(self, tag: str, fields: dict[str, Any] | None = None) -> str:
        """List your legal commands of a tag, of those whose fields are as given; for lists too long to be shown."""
        try:
            found = self.table.find(self.seat, tag, **(fields or {}))
        except Refused as refused:
            return str(refused)
        return "\n".join(map(str, found[:MAX_CALLS])) or "-"

    def seen(self) -> str:
        """Return all that this seat has seen, from the first event on, and the table now."""
        return str(self.table.observe(self.seat, since=0))

    def play(self) -> str:
        """Return the rules, as the prompt to begin with."""
        return self.rules()

    def log(self) -> bytes:
        """Return the log of the match; raises `MatchError` before its end, since the seed is in it."""
        if self.table.match.result is None:
            raise MatchError("the log is open once the match is over")
        return log_bytes(self.table.match)

    def _play_on(self) -> None:
        table = self.table
        while table.to_act and self.seat not in table.to_act:
            self._players[min(table.to_act)].act()
            table.match.deal()
        for other in sorted(table.to_act - {self.seat}):  # votes at the same time: nobody is told another's before
            if table.to_act >= {other, self.seat}:
                self._players[other].act()


def tool_result(text: str, plain: dict[str, Any]) -> CallToolResult:
    """Return what a seat reads as the result of a tool, as text and as JSON."""
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=plain)


def refusal(refused: Refused) -> CallToolResult:
    """Return a refusal as an error of the tool."""
    rule = None if refused.rule is None else refused.rule.number
    plain = {"kind": refused.kind, "rule": rule, "refused": str(refused)}
    return CallToolResult(
        content=[TextContent(type="text", text=str(refused))], structured_content=plain, is_error=True
    )


def _said(read: Callable[[], bytes | Awaitable[bytes]]) -> Callable[[], Awaitable[bytes]]:
    """Return a resource that tells the client why there is nothing to read yet."""

    async def log() -> bytes:
        """Return the log of the match, once it is over."""
        try:
            found = read()
            return found if isinstance(found, bytes) else await found
        except MatchError as why:
            raise ResourceError(str(why)) from None

    return log


def _seed(seed: bytes, seat: int) -> bytes:
    return blake2b(f"kifu mcp {seat}".encode(), key=seed, digest_size=32).digest()


def mcp_server(seat: Any, instructions: str | None = None) -> MCPServer:
    """Return the server of a seat: the tools `rules`, `look`, `act` and `find`, resources, and the prompt `play`.

    `seat` has the methods of `SeatServer`; `instructions` are what the assistant is told first, by default the rules.
    """
    told = seat.rules() if instructions is None else instructions
    server = MCPServer("kifu", title=TITLE, version=version("kifu"), instructions=told)
    read_only = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    for tool in (seat.rules, seat.look, seat.find):
        server.tool(annotations=read_only)(tool)
    acting = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
    server.tool(annotations=acting)(seat.act)
    server.resource("kifu://rules", mime_type="text/plain")(seat.play)
    server.resource("kifu://seen", mime_type="text/plain")(seat.seen)
    server.resource("kifu://log", mime_type="application/octet-stream")(_said(seat.log))
    server.prompt(name="play", description="Play this match to its end.")(seat.play)
    return server
