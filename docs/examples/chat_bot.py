"""A table in a chat: players write to a bot, and the bot answers each of them alone.

`ChatTable` knows no chat service. Give it a coroutine that sends a text to a player, and call `receive` with what a
player writes and the id that the chat gave the message: one that is delivered twice is done once. Run it as it is for a
chat on standard input: `Aki: join`, `Ren: join`, `Aki: 3`.
"""

import asyncio
import hashlib
import itertools
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from kifu import KifuError
from kifu.core.errors import Conflict
from kifu.core.host import About, AsyncHost, Host
from kifu.core.stores import open_store
from kifu.core.text.texts import Texts
from kifu.games import find

TEXTS = Texts("en")
Send = Callable[[str, str], Awaitable[None]]


class ChatTable:
    """One match of a game among players of a chat."""

    def __init__(self, host: Host, game: str, seats: int, send: Send) -> None:
        self.host, self.game, self.send = AsyncHost(host), find(game), send
        self.match = host.open(game, seats).match
        self.keys: dict[str, str] = {}  # by player
        self.names: list[str | None] = []
        self.offered: dict[
            str, tuple[int, Sequence[Any]]
        ] = {}  # by player: the number of events, and the commands that it was shown
        self.chosen: dict[
            tuple[str, object], tuple[int, Sequence[Any]]
        ] = {}  # by player and message: what the message chose, in case it comes again
        self.followers: list[asyncio.Task[None]] = []
        self.ended = asyncio.Event()

    async def receive(self, player: str, text: str, message_id: object) -> None:
        """Do what a player writes: `join`, `table`, or the number of a command; `message_id` is the chat's own."""
        try:
            if text == "join":
                await self._join(player)
            elif player not in self.keys:
                await self.send(player, "Write: join")
            elif text == "table":
                await self._show(player)
            else:
                await self._play(player, text, message_id)
        except KifuError as error:
            await self.send(player, TEXTS.message(error.summary))

    async def _join(self, player: str) -> None:
        if player in self.keys:
            await self._show(player)
            return
        joined = await self.host.join(self.match, player)
        self.keys[player] = joined.key
        if joined.begun:
            self.names = list((await self._about()).seats)
            self.followers = [asyncio.create_task(self._follow(each)) for each in self.keys]
        else:
            await self.send(player, "You sit. The game begins when all seats are taken.")

    async def _about(self) -> About:
        return await self.host.about(self.match)

    async def _follow(self, player: str) -> None:
        """Tell a player each event, as its seat may know it, until the match has ended."""
        async for event in self.host.follow(self.match, self.keys[player]):
            for note in event.notes:
                await self.send(player, TEXTS.note(note, self.game, self.names))
            await self._show(player)
        self.ended.set()

    async def _show(self, player: str) -> None:
        """Send a player its legal commands, if it is to act."""
        seen = await self.host.observe(self.match, self.keys[player])
        if seen.seat in seen.to_act and self.offered.get(player, (None,))[0] != seen.count:
            self.offered[player] = seen.count, seen.legal
            lines = [f"{n}: {TEXTS.command(each, self.game, self.names)}" for n, each in enumerate(seen.legal)]
            await self.send(player, "Your turn. Write a number.\n" + "\n".join(lines))

    async def _play(self, player: str, text: str, message_id: object) -> None:
        count, commands = self.chosen.get((player, message_id)) or self.offered.get(player, (0, ()))
        if not text.isdecimal() or int(text) >= len(commands):
            await self.send(player, "Write one of the numbers that you were shown.")
            return
        self.chosen[player, message_id] = count, commands
        # the same message again has the same key, so the host returns its first receipt and plays nothing
        idempotency_key = hashlib.sha256(f"{player} {message_id}".encode()).digest()
        try:
            await self.host.submit(self.match, self.keys[player], commands[int(text)], count, idempotency_key)
        except Conflict:
            await self.send(player, "Somebody was faster.")
            await self._show(player)


async def main(game: str, seats: str) -> None:
    """Chat on standard input and output: a line is `PLAYER: TEXT`."""

    async def send(player: str, text: str) -> None:
        print(f"[to {player}] {text}", flush=True)

    table = ChatTable(Host(open_store("memory:")), game, int(seats), send)
    numbers = itertools.count()  # a chat service has ids of its own
    while line := await asyncio.to_thread(sys.stdin.readline):
        player, _, text = line.strip().partition(": ")
        await table.receive(player, text, next(numbers))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:] or ("take_and_share", "3")))
