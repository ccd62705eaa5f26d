"""Commands that were read before: most of a game's come again and again, and need not be decoded anew."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgpack

from ..game import Game
from .format import DIGEST_BYTES, EVENT_HEAD, LINK_BYTES

MAX_KNOWN = 4096
"""How many commands of one game are kept."""

MAX_KNOWN_BYTES = 64
"""The longest command that is kept, with its tag: longer ones, such as deals, seldom come again."""

_TAIL_BYTES = LINK_BYTES + len(msgpack.packb(bytes(DIGEST_BYTES)))
_TAIL_BYTES_WITHOUT_DIGEST = LINK_BYTES + len(msgpack.packb(None))


class KnownCommands(dict[bytes | None, Any]):
    """The commands of one game by their packed tag and fields, as they stand in a log."""

    def add(self, packed: bytes | None, command: Any) -> None:
        """Keep a command, if its packed bytes are known and few."""
        if packed is None or len(packed) > MAX_KNOWN_BYTES:
            return
        if len(self) >= MAX_KNOWN:
            self.clear()
        self[packed] = command


@lru_cache(maxsize=64)
def known_commands(game: Game[Any, Any, Any]) -> KnownCommands:  # noqa: ARG001 (one for each game)
    """Return the known commands of a game."""
    return KnownCommands()


def packed_command(raw: bytes, seq: int, seat: int, meta: Any, recorded: bytes | None) -> bytes | None:
    """Return the packed tag and fields of an event, from its bytes and its items around them.

    Return None if a number or the meta is not in its shortest form. As no packed object is the beginning of another, an
    event of seven items, the last a chain, has its shape and is in its shortest form if these bytes are those of a
    known command.
    """
    head = _head(seq, seat) if meta is None else EVENT_HEAD + msgpack.packb([seq, seat, meta])[1:]
    if not raw.startswith(head):
        return None
    return raw[len(head) : -(_TAIL_BYTES_WITHOUT_DIGEST if recorded is None else _TAIL_BYTES)]


@lru_cache(maxsize=1 << 14)
def _head(seq: int, seat: int) -> bytes:
    return EVENT_HEAD + msgpack.packb([seq, seat, None])[1:]  # type: ignore[no-any-return]
