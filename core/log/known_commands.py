"""Commands that were read before: most of a game's come again and again, and need not be decoded anew."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from ..game import AnyGame
from .format import DIGEST_BYTES, EVENT_HEAD, LINK_BYTES, pack_plain

MAX_KNOWN: Final = 4096
"""How many commands of one game are kept."""

MAX_KNOWN_BYTES: Final = 64
"""The longest command that is kept, with its tag: longer ones, such as deals, seldom come again."""

_TAIL_BYTES: Final = LINK_BYTES + 2 + DIGEST_BYTES
_TAIL_BYTES_WITHOUT_DIGEST: Final = LINK_BYTES + 1

_SEATS: Final = 64
"""The heads of so many seats are kept."""

_heads: Final[dict[int, bytes]] = {}
"""The first bytes of events without a meta, by seq and seat."""


KnownCommands = dict[bytes | None, Any]
"""The commands of one game by their packed tag and fields, as they stand in a log."""


@lru_cache(maxsize=64)
def known_commands(game: AnyGame) -> KnownCommands:  # noqa: ARG001 (one for each game)
    """Return the known commands of a game."""
    return {}


def keep_command(known: KnownCommands, packed: bytes | None, command: Any) -> None:
    """Keep a command, if its packed bytes are known and few."""
    if packed is None or len(packed) > MAX_KNOWN_BYTES:
        return
    if len(known) >= MAX_KNOWN:
        known.clear()
    known[packed] = command


def packed_command(raw: bytes, seq: int, seat: int, meta: Any, recorded: bytes | None) -> bytes | None:
    """Return the packed tag and fields of an event, from its bytes and its items around them.

    Return None if a number or the meta is not in its shortest form. As no packed object is the beginning of another, an
    event of seven items, the last a chain, has its shape and is in its shortest form if these bytes are those of a
    known command.
    """
    head = _head(seq, seat) if meta is None else _packed_head(seq, seat, meta)
    if not raw.startswith(head):
        return None
    return raw[len(head) : -(_TAIL_BYTES_WITHOUT_DIGEST if recorded is None else _TAIL_BYTES)]


def _head(seq: int, seat: int) -> bytes:
    if not -1 <= seat < _SEATS - 1 or not 0 <= seq < MAX_KNOWN:
        return _packed_head(seq, seat, None)
    number = seq * _SEATS + seat
    head = _heads.get(number)
    if head is None:
        head = _heads[number] = _packed_head(seq, seat, None)
    return head


def _packed_head(seq: int, seat: int, meta: Any) -> bytes:
    return EVENT_HEAD + pack_plain([seq, seat, meta])[1:]
