"""A seat for an assistant: a table in words as a server of the Model Context Protocol (extra `kifu[learn]`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from hashlib import blake2b
from importlib.metadata import version
from inspect import iscoroutinefunction
from typing import Annotated, Any

import anyio
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError
from typing_extensions import TypedDict

from ...errors import MatchError
from ...game import Seat
from ...log import log_bytes
from ...match.bot import BotFactory, Player, random_bot
from .listing import MAX_FOUND
from .refusals import Refused
from .table import TextTable

SEAT_TOOLS = """You play a seat of a match. Call `rules` once; `look` waits for your turn and shows the table and what \
you may do; `act` plays one command and looks again. Go on until the match is over."""
"""What an assistant is told before it has read the rules."""

PROMPT = "play"
TITLE = "kifu: a seat at a table"
"""What a client shows of the server to people."""

MAX_CALLS = 1000
"""The most answers to `act` that are kept, so that a call that comes again plays nothing twice."""


class Looked(TypedDict, total=False):
    """What `look` and `act` give as data.

    `act` leaves out `seen`, `view` and `legal`, which its text tells; a refusal has `kind`, `rule` and `refused` alone.
    """

    since: Annotated[int, Field(description="The event from which on is told what happened.")]
    count: Annotated[int, Field(description="How many events the match has.")]
    to_act: Annotated[list[int], Field(description="The seats that are asked now.")]
    result: Annotated[dict[str, Any] | None, Field(description="Points and winners by seat, null before the end.")]
    stopped: Annotated[str | None, Field(description="Why the match takes no commands though it has no result.")]
    more: Annotated[dict[str, int], Field(description="Of a list too long to be shown, how many commands by tag.")]
    seen: Annotated[list[dict[str, Any]], Field(description="The events since, as the seat observed them.")]
    view: Annotated[dict[str, Any], Field(description="What the seat may look at now.")]
    legal: Annotated[list[dict[str, Any]], Field(description="The seat's commands, in the order of the numbers.")]
    kind: Annotated[str, Field(description="What kind of refusal it is.")]
    rule: Annotated[str | None, Field(description="The number of the rule that a refused command breaks.")]
    refused: Annotated[str, Field(description="Why the command was refused, and what would have been fine.")]


Command = Annotated[
    str,
    Field(description="One command: its number in the list (#3), its JSON, or its words in the list."),
]
CallId = Annotated[str, Field(description="Any text of your own, another one for each command that you play.")]
Tag = Annotated[str, Field(description="The tag of the commands, as in their JSON.")]
Fields = Annotated[dict[str, Any] | None, Field(description="The fields that they are to have, by name.")]
Limit = Annotated[int, Field(description="How many are listed at most.")]
LookResult = Annotated[CallToolResult, Looked]
_DATA = ("seen", "view", "legal")
"""What the text beside has, too: `act` leaves it out, and `look` gives it."""


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
        """Return the prompt of the seat."""
        return self.table.rules(self.seat)

    def look(self) -> CallToolResult:
        """Return what happened since the seat last acted, the table, and what it may do."""
        plain = self.table.observe(self.seat, since=self._since, as_json=True)
        return tool_result(str(self.table.observe(self.seat, since=self._since)), plain)

    def act(self, command: str, id: str = "") -> CallToolResult:  # noqa: A002 (the word of the protocol)
        """Play a command, then look; with an `id` that has come before, return what was answered then."""
        if id and id in self._answers:
            return self._answers[id]
        since = self.table.count
        try:
            self.table.act(self.seat, command, by="mcp")
        except Refused as refused:  # it has played nothing: the id is free for another command
            return refusal(refused)
        self._since = since
        self._play_on()
        answer = brief(self.look())
        if id:
            self._answers[id] = answer
            while len(self._answers) > MAX_CALLS:
                self._answers.pop(next(iter(self._answers)))
        return answer

    def find(self, tag: str, fields: dict[str, Any] | None = None, limit: int = MAX_FOUND) -> str:
        """Return what `found` does at the table."""
        try:
            return self.table.found(self.seat, tag, fields or {}, limit)
        except Refused as refused:
            return str(refused)

    def seen(self) -> str:
        """Return all that this seat has seen, from the first event on, and the table now."""
        return str(self.table.observe(self.seat, since=0))

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


def brief(looked: CallToolResult) -> CallToolResult:
    """Return a look without the data that its text has, too."""
    data = {name: value for name, value in (looked.structured_content or {}).items() if name not in _DATA}
    return CallToolResult(content=looked.content, structured_content=data)


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


def _wrong(error: ValidationError) -> str:
    """Return what is wrong with the arguments of a tool, as `command: Field required; limit: Input should be …`."""
    return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())


class SeatMCPServer(MCPServer):
    """A server whose one prompt is `play`; a client is told in one line what it asks wrongly, and nothing is logged."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(f"{name}: {_wrong(error.__cause__)}") from None
            raise

    async def get_prompt(self, name: str, arguments: dict[str, Any] | None = None, context: Any = None) -> Any:
        """Return the prompt."""
        if name != PROMPT or arguments:
            raise MCPError(INVALID_PARAMS, f"there is one prompt, {PROMPT!r}, without arguments")
        return await super().get_prompt(name, None, context)


def mcp_server(seat: Any) -> MCPServer:
    """Return the server of a seat: the tools `rules`, `look`, `act` and `find`, resources, and the prompt `play`.

    `seat` has the methods of `SeatServer`. What a client does wrongly is told to it alone, and is no line of a log.
    """
    server = SeatMCPServer("kifu", title=TITLE, version=version("kifu"), instructions=SEAT_TOOLS, log_level="WARNING")
    _add_tools(server, seat)
    for name, title, mime_type, read in (
        ("rules", "The rules, the commands, and how to answer", "text/plain", seat.rules),
        ("seen", "All that the seat has seen, and the table now", "text/plain", seat.seen),
        ("log", "The log of the match, once it is over", "application/octet-stream", _said(seat.log)),
    ):
        server.resource(f"kifu://{name}", name=name, title=title, description=title, mime_type=mime_type)(read)
    server.prompt(name=PROMPT, title="Play the match", description="Play this match to its end.")(seat.rules)
    return server


def _add_tools(server: MCPServer, seat: Any) -> None:
    """Add the tools; one that is not a coroutine runs on a thread, one after the other: bots take their time."""
    read_only = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    acting = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
    turn = anyio.Lock()

    async def called(method: Callable[..., Any], *args: Any) -> Any:
        if iscoroutinefunction(method):
            return await method(*args)
        async with turn:
            return await anyio.to_thread.run_sync(method, *args)

    async def rules() -> str:
        """Return the rules of the game, your commands, and how to answer. Read them once, before you play."""
        return str(await called(seat.rules))

    async def look() -> LookResult:
        """Wait for your turn, and see what happened since you last acted, the table, and what you may do."""
        found: CallToolResult = await called(seat.look)
        return found

    async def act(command: Command, id: CallId = "") -> LookResult:  # noqa: A002
        """Play a command, then look. `id` is any text of your own: a call that comes again plays nothing twice."""
        found: CallToolResult = await called(seat.act, command, id)
        return found

    async def find(tag: Tag, fields: Fields = None, limit: Limit = MAX_FOUND) -> str:
        """List your legal commands of a tag, at most `limit`, of those whose fields are as given.

        For lists too long to be shown. A field with several values needs but some of them ({"cards": [0, 5]}), and a
        text may have * for any letters and ? for one ({"abbreviation": "N??"}).
        """
        return str(await called(seat.find, tag, fields, limit))

    for tool, title, is_data in (
        (rules, "Read the rules", False),
        (look, "Look at the table", True),
        (act, "Play a command", True),
        (find, "Find commands", False),
    ):
        hints = acting if tool is act else read_only
        server.tool(title=title, annotations=hints, structured_output=is_data)(tool)
