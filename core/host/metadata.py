"""The metadata that a host keeps beside a match's log: names, keys as hashes, terms, the last proposal."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from hmac import compare_digest
from typing import Any, Literal

import msgpack
from attrs import evolve, field, frozen
from cattrs import Converter

from ..errors import KeyRefused, MatchError, Message, NoMatch, StoreError
from ..game import Result, Seat
from ..match.bot import STAND_IN, Bot
from ..match.witness import Witnessed
from ..stores.store import FINISHED, HEADER_ALONE, MetadataRow, Store, StoredLog, stored_id
from ..text.names import checked_name
from ..trust.raw_log import read_log

Kind = Literal["take_back", "fork", "abandon"]


@frozen
class Terms:
    """How a match is played at this host."""

    public: bool = False
    """Whether the lobby lists it."""
    turn_limit_ms: int | None = None
    """Milliseconds that a player may take to act; then the stand-in acts. None: without limit."""
    bots: Mapping[int, str] = field(factory=dict)
    """The seats of bots, with the names of the host's bots."""
    bot_delay_ms: int = 1000
    """Milliseconds that a bot waits before it acts."""
    fair: bool = False
    """Whether the deals come of the secrets of all who join (`docs/trust.md`)."""
    reveal_ms: int = 60_000
    """Milliseconds that the seats of a fair deal have to reveal their secrets, or to commit anew."""
    keep_momentary_notes: bool = False
    """Whether what the rules let a seat look at once (`Note.momentary`) stays in its history: an aid to memory."""

    @property
    def is_timed(self) -> bool:
        """Whether something may become due while it is played: a turn's end, or a bot's turn."""
        return self.turn_limit_ms is not None or len(self.bots) > 0


@frozen
class Proposal:
    """What one seat proposes, and which seats have consented."""

    number: int
    """Its number in the match, from 1; `accept` and `reject` take it. 0 if no consent was needed."""
    kind: Kind
    by: int
    target: int
    """`take_back`: the last event that stays (-1: none). `fork`: how many events both share. `abandon`: 0."""
    count: int
    """How many events there were when it was made; with the next one, a takeback expires."""
    accepted_by: tuple[int, ...]
    waiting_for: tuple[int, ...]
    status: Literal["pending", "accepted", "rejected", "expired"] = "pending"
    fork: str | None = None
    """The match that a fork makes."""
    signatures: tuple[tuple[int, bytes], ...] = ()
    """The signatures of the seats with a key that have consented; told to nobody before the end."""


@frozen
class Preparation:
    """What the host keeps of a match until its log begins; as secret as the log."""

    veil: bytes
    """32 bytes, the key of its marks."""
    rules: int
    """The rules version that the match was opened under."""
    host_key: bytes | None
    """The public key of the host, 32 bytes."""
    seat_keys: tuple[bytes | None, ...]
    """The public key of each seat; None for a seat that signs nothing."""
    who: tuple[int, ...] | None
    """Who holds each seat of a fair deal (`header_keys.JOINED`, `NAMED` or `BOT`); None without one."""
    engine: str
    """The program that the match was opened with, which the roster names."""
    layout: int
    """The layout of states that the match was opened with, which the roster names, too."""
    deal: Mapping[str, Any] | None = None
    """What `Ceremony.save` returned."""
    deadline_at_ms: int | None = None
    """When the attempt that is on fails, in milliseconds since the Unix epoch; None while seats are free."""


@frozen
class MatchMetadata:
    """All that the host packs into the `data` of a match's metadata row."""

    names: tuple[str | None, ...]
    """The name of each seat; None where it is free."""
    keys: tuple[bytes | None, ...]
    """The hash of each seat's key; None for a free seat and a bot's."""
    options: Mapping[str, Any]
    terms: Terms
    opened_at_ms: int
    """Milliseconds since the Unix epoch."""
    opener: str = ""
    """Who opened the match, as far as the host was told: bots of one opener's matches take turns with others'."""
    opener_key: bytes | None = None
    """The hash of the key with which players can be removed before the match begins; None where nobody has one."""
    imported: bool = False
    """Whether its log came from outside: the times that it names are not those of a host here."""
    result: Result | None = None
    proposal: Proposal | None = None
    """The last proposal."""
    forks: tuple[str, ...] = ()
    """The matches that share its first events: while one of them goes on, what was hidden stays closed in all."""
    preparation: Preparation | None = None
    """None once the log has begun."""
    unsigned_seats: tuple[int, ...] = ()
    """The seats with a public key whose holder has changed: they sign nothing any more."""
    rules: int | None = None
    """The rules version that the log is under; None before it begins, and in the row of a kifu that did not note it."""
    witnesses: tuple[Witnessed, ...] = ()
    """What everybody has had since the match is under these rules: as secret as the log, and dropped at its end."""

    @property
    def open_seats(self) -> list[int]:
        """The seats that are free."""
        return [Seat(seat) for seat, name in enumerate(self.names) if name is None]

    @property
    def held_seats(self) -> list[int]:
        """The seats of players, who have keys and whose consent a proposal needs."""
        return [Seat(seat) for seat, each in enumerate(self.keys) if each is not None]

    def without_proposal(self) -> MatchMetadata:
        """Return the metadata in which a pending proposal has expired."""
        if self.proposal is None or self.proposal.status != "pending":
            return self
        return evolve(self, proposal=evolve(self.proposal, status="expired", fork=None))

    @property
    def witnessed_to(self) -> int:
        """After how many events the last of these witnesses ends; 0 without any."""
        return self.witnesses[-1].end(len(self.names)) if self.witnesses else 0


_converter = Converter()
_converter.register_structure_hook(bytes, lambda value, _: value)


def row_of(metadata: MatchMetadata, game: str, status: str, now_ms: int, version: int) -> MetadataRow:
    """Return the metadata as a row for the store."""
    data = msgpack.packb(_converter.unstructure(metadata))
    return MetadataRow(game, status, bool(metadata.terms.public), now_ms, data, version)


def noted_rules(row: MetadataRow) -> int | None:
    """Return the rules version that a row names, without unpacking all of it; None if it names none."""
    try:
        noted = msgpack.unpackb(row.data, strict_map_key=False).get("rules")
    except Exception:  # msgpack raises kinds of its own
        return None
    return noted if noted.__class__ is int else None


def metadata_of(row: MetadataRow, match: str) -> MatchMetadata:
    """Unpack the metadata of a row; raises `StoreError` if another program wrote it."""
    try:
        value = msgpack.unpackb(row.data, strict_map_key=False, use_list=False)
        return _converter.structure(value, MatchMetadata)
    except Exception as cause:  # cattrs and msgpack raise kinds of their own
        why = Message("no-metadata-of-a-host", "the metadata of match {match} is not a host's", match=ascii(match[:60]))
        raise StoreError("of the host", why) from cause


def relatives(store: Store, match: str) -> Iterator[tuple[str, StoredLog | None]]:
    """Yield the matches that share deals with one, itself first, each with its row; None: it is not here."""
    seen, waiting = {match}, [match]
    while waiting:
        name, found = waiting.pop(), None
        with suppress(NoMatch):  # it was deleted, or is at another host
            found = store.read(name, HEADER_ALONE)
        yield name, found
        new = [] if found is None else [each for each in _next_to(name, found) if each not in seen]
        seen.update(new)
        waiting += new


def is_closed(store: Store, match: str) -> bool:
    """Return True while another match goes on that shares deals with this one."""
    return any(found and name != match and found.row.status not in FINISHED for name, found in relatives(store, match))


def _next_to(match: str, stored: StoredLog) -> Iterator[str]:
    """Yield the parent of a match, if it shares any event with it, and its forks."""
    log = read_log(stored.header)
    if log.forked_at >= 0:
        yield stored_id(str(log.header["fork"].get("match")))
    yield from metadata_of(stored.row, match).forks


KEY_BYTES = 32
MAX_LETTERS = 200
"""A longer key is refused without being hashed."""


def new_key(entropy: Callable[[int], bytes]) -> str:
    """Return a new key: 43 URL-safe base64 characters, fit for an HTTP header."""
    return urlsafe_b64encode(entropy(KEY_BYTES)).decode().rstrip("=")


def hash_key(key: str) -> bytes:
    """Return the hash that is stored of a key, 32 bytes."""
    return blake2b(key.encode("utf-8", "replace"), digest_size=32, person=b"kifu key").digest()


def seat_of_key(match: str, hashes: Sequence[bytes | None], key: str | None) -> int | None:
    """Return the seat that this key opens, None (a spectator) for no key; raises `KeyRefused`.

    Compares with every hash, each in constant time.
    """
    if key is None:
        return None
    if not isinstance(key, str) or len(key) > MAX_LETTERS:
        raise KeyRefused(match)
    own = hash_key(key)
    seats = [Seat(seat) for seat, each in enumerate(hashes) if compare_digest(own, each or b"")]
    if not seats:
        raise KeyRefused(match)
    return seats[0]


NEW_KEY = "new key"
"""Who acts for a seat with a public key, once its holder has changed."""
MAX_TERM_MS = 1_000_000_000_000
"""The longest turn limit or bot delay, about thirty years."""


def checked_int(number: int, what: str) -> int:
    """Return a number that came from outside; raises `MatchError` unless it is an `int`."""
    if number.__class__ is not int:
        english = "{what} is a whole number, not {given}"
        raise MatchError(Message("no-whole-number", english, what=what, given=ascii(str(number)[:60])))
    return number


def is_stand_in(by: str | None) -> bool:
    """Return True if `by` is the actor of a stand-in: for an absent player, or for a bot that failed."""
    return by is not None and by.startswith(STAND_IN)


def checked_bots(bots: Mapping[str, Bot]) -> dict[str, Bot]:
    """Return the bots by name; raises `MatchError` for a name that no log may hold as an actor."""
    for name in bots:
        if checked_name(name) == NEW_KEY:
            english = "a bot cannot be called {name}: it would pass for a player"
            raise MatchError(Message("like-a-new-key", english, name=repr(name)))
        if is_stand_in(name):
            english = "a bot cannot be {name}: it would pass for a stand-in"
            raise MatchError(Message("like-a-stand-in", english, name=repr(name)))
    return dict(bots)


def check_terms(terms: Terms, seats: int, bots: Collection[str]) -> None:
    """Raise `MatchError` for times out of range, and for seats or bots that do not exist."""
    limits = [
        (Message("a-reveal-limit", "the time to reveal"), 1, terms.reveal_ms),
        (Message("a-bot-delay", "a bot delay"), 0, terms.bot_delay_ms),
    ]
    if terms.turn_limit_ms is not None:
        limits.append((Message("a-turn-limit", "a turn limit"), 1, terms.turn_limit_ms))
    for what, least, given in limits:
        if not least <= checked_int(given, what) <= MAX_TERM_MS:
            english = "{what} is {least} to {most} milliseconds, not {given}"
            raise MatchError(Message("term-is", english, what=what, least=least, most=MAX_TERM_MS, given=given))
    for seat, bot in terms.bots.items():
        if not 0 <= checked_int(seat, Message("a-bots-seat", "a bot's seat")) < seats:
            english = "there is no seat {seat} for the bot {bot}: there are {seats}"
            raise MatchError(Message("no-seat-for-bot", english, seat=seat, bot=repr(bot), seats=seats))
        if bot not in bots:
            known = ", ".join(sorted(bots)) or Message("none", "none")
            english = "there is no bot {bot}; there are: {known}"
            raise MatchError(Message("no-such-bot", english, bot=repr(bot), known=known))
