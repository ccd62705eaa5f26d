"""The matches with bots that each client has opened and that go on, against their limit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import blake2b

from ...errors import KifuError
from ...stores import FINISHED
from .admission import Admission
from .counts import Counts
from .rate_limits import MAX_CLIENTS, Limits

RETRY_S = 60


def opener_of(client: str) -> str:
    """Return what the store keeps of a client that opens a match: a hash, which tells openers apart."""
    return blake2b(client.encode(), digest_size=8, person=b"kifu opener").hexdigest()


class BotMatches:
    """The running bot matches of each client, of those that were opened at this process."""

    def __init__(self, limits: Limits, admission: Admission, status: Callable[[str], Awaitable[str]]) -> None:
        self._limits = limits
        self._admission = admission
        self._status = status
        self._by_client: dict[str, list[str]] = {}
        self._opening = Counts()
        """Those that are being opened: many may be at the same time."""

    @asynccontextmanager
    async def room(self, client: str) -> AsyncIterator[None]:
        """Have room for one more, which is opened within the context; raises `RequestError` if there is none."""
        running = self._by_client.get(client, [])
        if len(running) + self._opening[client] >= self._limits.bot_matches_per_client:
            for match in list(running):
                if not await self._is_running(match) and match in running:
                    running.remove(match)
        if len(running) + self._opening[client] >= self._limits.bot_matches_per_client:
            raise self._admission.refused("bot_matches_per_client", "bot-tables", RETRY_S - 1)
        self._opening.enter(client)
        try:
            yield
        finally:
            self._opening.leave(client)

    def note(self, client: str, match: str) -> None:
        """Count a match that the client has opened."""
        if len(self._by_client) >= MAX_CLIENTS and client not in self._by_client:
            del self._by_client[next(iter(self._by_client))]
        self._by_client.setdefault(client, []).append(match)

    async def _is_running(self, match: str) -> bool:
        try:
            return await self._status(match) not in FINISHED
        except KifuError:
            return False
