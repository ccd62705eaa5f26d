"""The matches that a host has folded and kept: what the store has acknowledged, and nothing before it has."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

import msgpack
from attrs import evolve

from ..bot import InformationState, ObservationHistory
from ..errors import Conflict, GameError, KifuError, LogError, MatchError, Message
from ..game import TABLE, Event, Game, RuleViolation, Seat
from ..header import Header
from ..log import read_bytes
from ..log.format import (
    CHAIN_BYTES,
    LINK_BYTES,
    digest,
    end_bytes,
    event_bytes,
    first_chain,
    header_bytes,
    next_chain,
)
from ..log.validation import read_meta
from ..match import Match
from ..stores.store import MetadataRow, Store, StoredLog, check_known
from ..wire import wire_of
from .keys import require_seat, seat_of_key
from .metadata import MatchMetadata, Proposal, metadata_of, row_of

AnyGame = Game[Any, Any, Any]
Find = Callable[[str], AnyGame]


class ConcurrentUpdate(KifuError):  # noqa: N818 (never leaves the host)
    """Another host has changed the match meanwhile: read it again."""


class LiveMatch:
    """One match as its store has it, folded; used only by who holds its lock."""

    row: MetadataRow
    metadata: MatchMetadata

    def __init__(self, match: str, store: Store, find: Find) -> None:
        self.id = match
        self.name = "?"
        """Of its game, once it was read."""
        self.lock = Lock()
        self.dropped = False
        self.folded: Match[Any, Any, Any] | None = None
        """None while seats are free: the log has not begun."""
        self.count = 0
        """How many events the store has."""
        self.ended = False
        self.ids: dict[tuple[Seat, bytes], int] = {}
        """The event that came of each command id of each seat."""
        self._witnesses: dict[Seat, ObservationHistory[Any, Any, Any]] = {}
        self._version = -1
        self._head: bytes | None = None
        """The head of a log that is just beginning."""
        self._chain = b""
        self._digests = True
        self._store = store
        self._find = find

    @property
    def match(self) -> Match[Any, Any, Any]:
        """The match, which has begun; else raises `MatchError`."""
        if self.folded is None:
            raise MatchError(
                Message("seats-are-free", "it has not begun: seats are free")
                if self.metadata.open_seats
                else Message("never-began", "it never began")
            )
        return self.folded

    @property
    def game(self) -> AnyGame:
        return self._find(self.row.game) if self.folded is None else self.folded.game

    def seat_of(self, key: str | None) -> Seat | None:
        """Return the seat that this key opens, None for no key: a spectator; raises `KeyRefused`."""
        return seat_of_key(self.id, self.metadata.keys, key)

    def require_seat(self, key: str | None) -> Seat:
        """Return the seat that this key opens; raises `KeyRefused` also where there is no key."""
        return require_seat(self.id, self.metadata.keys, key)

    @property
    def is_current_version(self) -> bool:
        """Whether it was begun under today's rules: else today's events have no place in its log."""
        return self.folded is None or self.folded.header.rules == self.game.rules

    def information_state(self, seat: Seat) -> InformationState[Any, Any]:
        """Give a bot all that its seat knows."""
        if seat not in self._witnesses:
            self._witnesses[seat] = ObservationHistory(self.match, seat)
        return self._witnesses[seat].information_state()

    @property
    def is_settled(self) -> bool:
        """Whether it was read whole, and all that was folded since is in the store."""
        folded = self.folded
        if folded is None:
            return self._version >= 0
        return self._head is None and len(folded.events) == self.count and (self.ended or not folded.abandoned)

    def catch_up(self) -> None:
        """Fold in what the store has and this has not yet."""
        kept = self._store.read(self.id, max(self.count - 1, 0))
        if self.folded is not None and not self._is_followed_by(kept):
            self.folded, self.count = None, 0
            self._witnesses.clear()
            kept = self._store.read(self.id)
        if kept.row.version != self._version:
            self.row, self.metadata = kept.row, metadata_of(kept.row, self.id)
            self._version, self.name = kept.row.version, kept.row.game
        if not kept.header:
            return
        if self.folded is None:
            self._read(b"".join([kept.header, *kept.events]))
        for raw in kept.events[self.count - kept.since :]:
            self._add(raw)
        self.ended = kept.end is not None
        self.match.abandoned = self.ended and self.match.result is None

    def _is_followed_by(self, kept: StoredLog) -> bool:
        """Tell whether what the store has can be folded in: else the store was put back, or the rules are older."""
        if kept.count < self.count or (kept.count > self.count and not self.is_current_version):
            return False
        chain = kept.events[0][-CHAIN_BYTES:] if self.count else first_chain(kept.header)
        if chain != self._chain:
            return False
        for raw in kept.events[min(self.count, 1) :]:
            if next_chain(chain, raw[:-LINK_BYTES]) != raw[-CHAIN_BYTES:]:
                return False
            chain = raw[-CHAIN_BYTES:]
        return True

    def _read(self, log: bytes) -> None:
        reading = read_bytes(log, self._find)
        if reading.match is None or not reading.ok:
            raise reading.error(f"match {self.id}")
        self.folded, self.count, self._chain = reading.match, reading.events, reading.chain
        self._digests = reading.match.header.layout == self.game.layout
        self.ids.clear()
        for event in reading.match.events:
            self._note(event)

    def _add(self, raw: bytes) -> None:
        """Fold in one event that another host has stored."""
        _, seat, meta, tag, fields, _, chain = msgpack.unpackb(raw, strict_map_key=False)
        step = self.match.apply(Seat(seat), wire_of(self.game).decode(tag, fields), read_meta(meta))
        self._note(step.event)
        self._chain = chain
        self.count += 1

    def _note(self, event: Event[Any]) -> None:
        if event.meta is not None and event.meta.id is not None:
            self.ids.setdefault((event.seat, event.meta.id), event.seq)

    def begin(self, game: AnyGame, header: Header) -> None:
        """Begin the match; `commit` writes it down."""
        self.folded = Match(game, header)
        self._head = header_bytes(header, game)
        self._chain = first_chain(self._head)
        self._digests = True

    def commit(self, now: int, metadata: MatchMetadata | None = None) -> None:
        """Write down what was folded since the store was last asked, and return once it is on disk.

        What it raises leaves this behind the store or before it: then it is to be dropped.
        """
        match, result = self.match, self.match.result
        ends = result is not None or match.abandoned
        raw, chain = self._packed()
        end = end_bytes(result, len(match.events), chain) if ends else None
        row = None
        if ends or metadata is not None or self._head is not None:
            metadata = evolve(metadata or self.metadata, result=result)
            row = row_of(metadata, match.game.name, self._status(ends), now, self.row.version + 1)
        with _overtaking():
            self._store.append(
                self.id, self.count, raw, header=self._head, end=end, row=row, expected_version=self._version
            )
        for event in match.events[self.count :]:
            self._note(event)
        self.count, self._chain, self._head, self.ended = len(match.events), chain, None, ends
        if row is not None and metadata is not None:
            self.row, self.metadata, self._version = row, metadata, row.version

    def _packed(self) -> tuple[list[bytes], bytes]:
        """Pack the events that the store has not, and give the last chain."""
        match, chain, raw = self.match, self._chain, list[bytes]()
        for event in match.events[self.count :]:
            state_digest = digest(match.states[event.seq + 1]) if self._digests else None
            raw.append(event_bytes(event, wire_of(match.game), state_digest, chain))
            chain = raw[-1][-CHAIN_BYTES:]
        return raw, chain

    def _status(self, ends: bool) -> str:
        if not ends:
            return "going"
        return "abandoned" if self.match.abandoned else "over"

    def update_metadata(self, metadata: MatchMetadata, now: int, status: str | None = None) -> None:
        """Change what stands beside the log."""
        row = row_of(metadata, self.row.game, status or self.row.status, now, self.row.version + 1)
        with _overtaking():
            self._store.update(self.id, row)
        self.row, self.metadata, self._version = row, metadata, row.version


@contextmanager
def _unspoken(live: LiveMatch) -> Iterator[None]:
    """Let nothing out but what is meant for a seat: what a game raises by mistake may name hidden cards.

    What it was hangs on as the error's `__context__`, for the operator's debugger.
    """
    try:
        yield
    except Exception as bug:
        if isinstance(bug, LogError):
            raise LogError(
                bug.kind,
                Message("does-not-replay", "it does not replay here: audit a copy of it"),
                bug.seq,
                path=f"match {live.id}",
            ) from None
        its_own = isinstance(bug, RuleViolation) and bug.seat != TABLE
        if its_own or (isinstance(bug, KifuError) and not isinstance(bug, GameError | RuleViolation)):
            raise
        raise GameError(
            live.name,
            Message("rules-failed-on", "its rules failed on match {match}: audit a copy of it", match=live.id),
        ) from None


@contextmanager
def _overtaking() -> Iterator[None]:
    """Tell the host's own conflicts with other hosts from those of a seat with what has happened."""
    try:
        yield
    except Conflict as first:
        raise ConcurrentUpdate from first


class MatchCache:
    """So many matches kept folded, those used last; each is held against the store before it is used."""

    def __init__(self, store: Store, find: Find, keep: int) -> None:
        self._store = store
        self._find = find
        self._keep = keep
        self._lives: OrderedDict[str, LiveMatch] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def locked(self, match: str, *, refresh: bool = True) -> Iterator[LiveMatch]:
        """Give the match as the store has it now, for nobody else to use meanwhile; `unread`: as it was last read.

        A fold that was left ahead of the store, because that failed or somebody was first, is dropped.
        """
        check_known(match)
        live = self._locked(match)
        try:
            with _unspoken(live):
                if live.folded is None or refresh:
                    live.catch_up()
                    self._evict()
                yield live
        finally:
            if not live.is_settled:
                self._drop(live)
            live.lock.release()

    def _locked(self, match: str) -> LiveMatch:
        while True:
            with self._lock:
                live = self._lives.get(match) or self._lives.setdefault(
                    match, LiveMatch(match, self._store, self._find)
                )
                self._lives.move_to_end(match)
            live.lock.acquire()
            if not live.dropped:
                return live
            live.lock.release()

    def _drop(self, live: LiveMatch) -> None:
        live.dropped = True
        with self._lock, suppress(KeyError):
            if self._lives[live.id] is live:
                del self._lives[live.id]

    def _evict(self) -> None:
        with self._lock:
            while len(self._lives) > self._keep:
                self._lives.popitem(last=False)


def current_proposal(live: LiveMatch) -> tuple[Proposal, ...]:
    """Give the last wish, if there is one: one to take back lapses with the next event."""
    proposal = live.metadata.proposal
    if proposal is None:
        return ()
    lapsed = proposal.state == "pending" and (
        live.ended or (proposal.kind == "take_back" and proposal.count != live.count)
    )
    return (evolve(proposal, state="expired", fork=None) if lapsed else proposal,)
