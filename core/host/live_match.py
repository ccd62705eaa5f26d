"""One folded match of a host: what the store has acknowledged, and what is not committed yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgpack
from attrs import evolve

from ..errors import KeyRefused, KifuError, MatchError, Message, NewerRules, Rewound
from ..game import AnyGame, AnyStep, Event, Note, Seat
from ..log import read_bytes
from ..log.format import (
    CHAIN_BYTES,
    LINK_BYTES,
    end_bytes,
    end_map,
    first_chain,
    header_bytes,
    next_chain,
    packed_events,
)
from ..log.validation import read_meta
from ..match import Match
from ..match.bot import InformationState, ObservationHistory
from ..match.fold import call_game
from ..match.header import Header
from ..match.witness import Witnessed, view_names, witness_of, witnesses_of
from ..stores.store import Append, Change, Due, MetadataRow, Schedule, StoredLog, Update
from ..wire import wire_of
from .log_trust import LogTrust, log_trust
from .metadata import MatchMetadata, Proposal, metadata_of, row_of, seat_of_key
from .standstill import refusal_in, refusal_message

Find = Callable[[str], AnyGame]
"""Returns the game of this name; raises `GameError` if there is none."""

CLAIMED = Due(-1)
EVENT_BYTES = 1024
"""About what an event takes in memory, with the state after it, and as much again in the history of a bot's seat."""
MATCH_BYTES = 8192


class LiveMatch:
    """One match as its store has it, folded; used only under its lock."""

    row: MetadataRow
    metadata: MatchMetadata

    def __init__(self, match: str, context: Any) -> None:
        """Be a match of a `HostContext`, not read yet."""
        self.id = match
        self.name = "?"
        """The name of its game, once the row was read."""
        self.lock = context.threads.lock()
        """Held by the one thread that uses this match."""
        self.failure: KifuError | None = None
        """Why its last change could not be stored: whoever waits for it fails with it."""
        self.copy: LiveMatch | None = None
        """What is read of it while a change of it takes long."""
        self.changes: list[Change] = []
        """What is to be stored, in order; what follows here takes it for stored."""
        self.folded: Match[Any, Any, Any] | None = None
        """The folded log; None while seats are free: it has not begun."""
        self.count = 0
        """How many events the store has, once `changes` are made."""
        self.ended = False
        """Whether the store's log has an end record."""
        self.is_closed = False
        """Whether it has ended, and a match goes on that shares its deals, as of when it was last shown."""
        self.due: Due | None = None
        """When something is due, as this host last wrote it to the store; None: it did not."""
        self.refusal: Message | None = None
        """Why it ended, if today's rules cannot even fold what older ones had allowed; None if they can."""
        self.judgement: tuple[Any, Any] | None = None
        """What becomes of it under newer rules (`rules_update`), and of which events and row that was found."""
        self.ids: dict[tuple[int, bytes], int] = {}
        """The event of each seat's idempotency keys."""
        self.waits_since: dict[int, tuple[int, int]] = {}
        """By seat a game event, and since which event the seat, to act after that, has been to act (`deadlines`)."""
        self.restarted = 0, -1
        """How many events it has looked at, and the last takeback among them that gave everybody time anew."""
        self.trust: LogTrust | None = None
        """The marks of what the store has; None until the log begins, and for a log without a veil."""
        self._histories: dict[int, ObservationHistory[Any, Any, Any]] = {}
        self._version = -1
        self._new_header: bytes | None = None
        """The header of a log that the store does not have yet."""
        self._chain = b""
        """The log's chain after the last stored event; empty before the log begins."""
        self._witnessed: int | None = None
        """How many events have witnesses, one after the other; None until somebody asks."""
        self._notes: dict[tuple[int, int | None], tuple[Note, ...]] = {}
        """The notes for each viewer of the events that were stored last."""
        self._notes_from = 0
        """The first of these events."""
        self._context = context

    @property
    def match(self) -> Match[Any, Any, Any]:
        """The folded match; raises `MatchError` if it has not begun."""
        if self.folded is None:
            seats_are_free = Message("seats-are-free", "it has not begun: seats are free")
            never_began = Message("never-began", "it never began")
            raise MatchError(self.refusal or (seats_are_free if self.metadata.open_seats else never_began))
        return self.folded

    @property
    def game(self) -> AnyGame:
        """The game, in the rules version of the match once it has begun."""
        if self.folded is not None:
            return self.folded.game
        found: AnyGame = self._context.find(self.row.game)
        return found

    @property
    def started_at_ms(self) -> int:
        """When it started, the zero of its event times; milliseconds since the Unix epoch."""
        started_ms = None if self.folded is None else self.folded.header.started
        return self.metadata.opened_at_ms if started_ms is None else started_ms

    def seat_of(self, key: str | None) -> int | None:
        """Return the seat that this key opens, None for no key: a spectator; raises `KeyRefused`."""
        return seat_of_key(self.id, self.metadata.keys, key)

    def require_seat(self, key: str | None) -> int:
        """Return the seat that this key opens; raises `KeyRefused`, also if `key` is None."""
        seat = seat_of_key(self.id, self.metadata.keys, key)
        if seat is None:
            raise KeyRefused(self.id)
        return seat

    def check_not_rewound(self, events: int, mark: bytes | None = None) -> None:
        """Raise `Rewound` unless it has so many events, and this mark after them, if one is given and it has any."""
        marks = None if self.trust is None else self.trust.evidence.marks
        if events > self.count or (mark is not None and marks is not None and marks[events] != mark):
            raise Rewound(self.id, events, self.count, (), None if marks is None else marks[-1])

    @property
    def is_current_version(self) -> bool:
        """Whether it has not begun, or is under the current rules; only then may events be appended."""
        return self.folded is None or self.folded.rules == self.folded.game.version

    @property
    def seat_keys(self) -> Sequence[bytes | None]:
        """The public key of each seat; None for one whose first holder signs nothing."""
        if self.trust is not None:
            return self.trust.roster.keys.seats
        preparation = self.metadata.preparation
        return (None,) * len(self.metadata.names) if preparation is None else preparation.seat_keys

    def information_state(self, seat: int) -> InformationState[Any, Any]:
        """Return the information state of a seat, for its bot."""
        if seat not in self._histories:
            self._histories[seat] = ObservationHistory(self.match, seat)
        return self._histories[seat].information_state()

    @property
    def size_bytes(self) -> int:
        """About how much memory it takes."""
        events = 0 if self.folded is None else len(self.folded.events)
        return MATCH_BYTES + EVENT_BYTES * events * (1 + len(self._histories))

    @property
    def is_finished(self) -> bool:
        """Whether the match is over, or was abandoned, be it before its log began."""
        return self.row.status in ("over", "abandoned")

    @property
    def has_uncommitted_changes(self) -> bool:
        """Whether it is not what the store has acknowledged: it was not read, or is ahead."""
        folded = self.folded
        if folded is None:
            return self._version < 0
        abandoned = folded.abandoned and not self.ended
        return self._new_header is not None or len(folded.events) != self.count or abandoned

    @property
    def unwitnessed(self) -> int:
        """How many events have no witness yet, though newer rules may ask for it."""
        if self.folded is None or self.ended:
            return 0
        if self._witnessed is None:
            if not self.is_current_version:
                return 0
            written, seats = self.metadata.witnesses, len(self.match.header.seats)
            known = witnesses_of(self.match.events, seats, written)
            self._witnessed = next((seq for seq in range(self.count) if seq not in known), self.count)
        return self.count - self._witnessed

    @property
    def judged_of(self) -> tuple[int, int]:
        """What decides what becomes of it under newer rules: how many events it has, and its row's version."""
        return self.count, self._version

    def catch_up(self) -> None:
        """Read what is new in the store and fold it in; starts afresh if the store's log is another one."""
        stored = self._context.store.read(self.id, max(self.count - 1, 0))
        if self.folded is not None and not self._is_followed_by(stored):
            self.folded, self.trust, self.count, self.ended, self._witnessed = None, None, 0, False, None
            self._histories.clear()
            self._notes.clear()
            stored = self._context.store.read(self.id)
        if stored.row.version != self._version:
            self._set_row(stored.row, metadata_of(stored.row, self.id))
            self.name = stored.row.game
        if not stored.header:
            self._check_opened()
            return
        if self.folded is None:
            if self.refusal is not None and stored.end is not None:
                return
            self._read(stored)
            if self.refusal is not None:
                return
            self._bind(stored.header, stored.events, None)
        for raw in stored.events[self.count - stored.since :]:
            self._add(raw)
        if not self.ended:
            self._bind(None, (), stored.end)
        self.ended = stored.end is not None
        self.match.abandoned = self.ended and self.match.result is None

    def _check_opened(self) -> None:
        """Raise `NewerRules` for a match that a newer host has opened and that has not begun."""
        prepared = self.metadata.preparation
        if prepared is not None and self.row.status == "open" and prepared.rules > (known := self.game.version):
            raise NewerRules(prepared.rules, known)

    def _is_followed_by(self, stored: StoredLog) -> bool:
        """Return True if the store's log continues the folded one, under the current rules.

        It does not after the store was restored from a backup.
        """
        if stored.count < self.count or (stored.count > self.count and not self.is_current_version):
            return False
        chain = stored.events[0][-CHAIN_BYTES:] if self.count else first_chain(stored.header)
        if chain != self._chain:
            return False
        for raw in stored.events[min(self.count, 1) :]:
            if next_chain(chain, raw[:-LINK_BYTES]) != raw[-CHAIN_BYTES:]:
                return False
            chain = raw[-CHAIN_BYTES:]
        return True

    def _read(self, stored: StoredLog) -> None:
        """Fold a whole log, or note why it ended, if that is why it cannot be folded; raises `LogError`."""
        reading = read_bytes(b"".join([stored.header, *stored.events]), self._context.find)
        newest = max(reading.rules or 0, reading.newer_rules or 0)
        if newest > (known := self._context.find(self.row.game).version):
            raise NewerRules(newest, known)
        is_whole = {each.kind for each in reading.findings} <= {"rule", "rules", "digest"}
        refused = None if reading.ok or not is_whole else refusal_in(self.game, stored.events)
        self.refusal = None if refused is None else refusal_message(reading.rules or 0, refused)
        if self.refusal is not None:
            self.ended = True
            return
        if reading.match is None or not reading.ok:
            raise reading.error(f"match {self.id}")
        self.folded, self.count, self._chain = reading.match, reading.events, reading.chain
        self._notes_from = self.count
        self.ids.clear()
        self.waits_since.clear()
        self.restarted = 0, -1
        for event in reading.match.events:
            self._index(event)

    def _add(self, raw: bytes) -> None:
        """Fold in one event that another host has stored."""
        _, seat, meta, tag, fields, _, chain = msgpack.unpackb(raw, strict_map_key=False)
        step = self.match.apply(Seat(seat), wire_of(self.game).decode(tag, fields), read_meta(meta))
        self._index(step.event)
        self._bind(None, (raw,), None)
        self._chain = chain
        self.count += 1
        self._notes.clear()
        self._notes_from = self.count

    def _bind(self, header: bytes | None, events: Sequence[bytes], end: bytes | None) -> None:
        """Make the marks of what the store has: of the header, if the log begins with it, events and end record."""
        if header is not None:
            self.trust = log_trust(self.game, header, self._context.sign, self._context.engine)
        if self.trust is None:
            return
        for raw in events:
            self.trust.evidence.add(raw)
        if end is not None:
            self.trust.evidence.add_end(end)

    def _signed(self, raw: Sequence[bytes], chain: bytes) -> bytes | None:
        """Return the host's signature of a log that ends with these events; None without marks or a key."""
        if self.trust is None:
            return None
        return self.trust.evidence.sign_end(end_map(self.match.result, len(self.match.events)), chain, raw)

    def _index(self, event: Event[Any]) -> None:
        """Note the event's idempotency key."""
        if event.meta is not None and event.meta.id is not None:
            self.ids.setdefault((event.seat, event.meta.id), event.seq)

    def open(self, game: str, metadata: MatchMetadata, now_ms: int) -> None:
        """Be a new match, which the store does not have yet."""
        self.name = game
        self._set_row(row_of(metadata, game, "open", now_ms, 0), metadata)

    def start_log(self, game: AnyGame, header: Header) -> None:
        """Begin the log in memory; `record` notes that it is to be stored."""
        self.folded = Match(game, header)
        self._new_header = header_bytes(header, game)
        self._chain = first_chain(self._new_header)

    def record(self, now_ms: int, metadata: MatchMetadata | None = None) -> None:
        """Note what is to be stored: the events that were folded since the last time, and the metadata if changed."""
        match = self.match
        result = match.result
        ends = result is not None or match.abandoned
        if self._new_header is not None:
            self._bind(self._new_header, (), None)
        count, header = self.count, self._new_header
        is_same_layout = match.layout == match.game.past.layout  # digests of two layouts are not compared
        raw = packed_events(match, count, self._chain, digests=is_same_layout)
        chain = raw[-1][-CHAIN_BYTES:] if raw else self._chain
        self._notes.clear()
        self._notes_from = count
        end = end_bytes(result, len(match.events), chain, self._signed(raw, chain)) if ends else None
        row, version = None, self._version
        if ends or metadata is not None or self._new_header is not None or match.rules != self.metadata.rules:
            metadata = evolve(metadata or self.metadata, result=result, preparation=None, rules=match.rules)
            if ends or match.rules != self.metadata.rules:  # a `.rules` has them now, or nobody will ask for them
                metadata, self._witnessed = evolve(metadata, witnesses=()), None
            status = "abandoned" if match.abandoned else "over" if ends else "going"
            row = row_of(metadata, match.game.name, status, now_ms, version + 1)
            self._set_row(row, metadata)
        self._bind(None, raw, end)
        for event in match.events[count:]:
            self._index(event)
        self.count, self._chain, self._new_header, self.ended = len(match.events), chain, None, ends
        due = None
        if (raw or ends) and self.metadata.terms.is_timed:  # a new key takes no host's claim away
            due = self._context.due_of(self, now_ms)
            self.due = due or self.due
        self.changes.append(Append(self.id, count, raw, header, end, row, version, due))

    def _set_row(self, row: MetadataRow, metadata: MatchMetadata) -> None:
        self._witnessed = self._witnessed if row.version == self._version else None
        self.row, self.metadata, self._version = row, metadata, row.version

    def notes(self, seq: int, viewer: int | None, step: AnyStep | None = None) -> tuple[Note, ...]:
        """Return all notes of an event for a viewer."""
        notes = self._notes.get((seq, viewer))
        if notes is None:
            notes = (step or self.match.steps[seq]).notes_for(viewer)
            if seq >= self._notes_from:
                self._notes[seq, viewer] = notes
        return notes

    def write_witnesses(self, limit: int) -> None:
        """Note the witnesses of the next events in the row, of at most so many; raises `GameError`."""
        if not self.unwitnessed:
            return
        match, seats, first = self.match, len(self.match.header.seats), self.count - self.unwitnessed
        steps = match.steps[first : first + limit]
        names = tuple(call_game(match.game, view_names, match.game, steps[0].after))
        hashes = b"".join([call_game(match.game, witness_of, step, seats, names) for step in steps])
        *before, last = self.metadata.witnesses or (Witnessed(first, names, b""),)
        if last.view == names and last.end(seats) == first:
            written = *before, evolve(last, hashes=last.hashes + hashes)
        else:
            written = *before, last, Witnessed(first, names, hashes)
        metadata = evolve(self.metadata, witnesses=written, rules=match.rules)
        row = row_of(metadata, self.row.game, self.row.status, self.row.changed_at_ms, self.row.version + 1)
        self._set_row(row, metadata)
        self._witnessed = first + len(steps)
        self.changes.append(Update(self.id, row, self.count))

    def update_metadata(self, metadata: MatchMetadata, now_ms: int, status: str | None = None) -> None:
        """Note new metadata to be stored, and a new status if one is given."""
        row = row_of(metadata, self.row.game, status or self.row.status, now_ms, self.row.version + 1)
        self._set_row(row, metadata)
        due = self._context.due_of(self, now_ms) if self.folded is None else None
        self.due = due or self.due
        self.changes.append(Update(self.id, row, self.count, due))

    def claimed(self) -> None:
        """Note that a host has claimed what is due: the store has another time than this match knows."""
        self.due = CLAIMED

    def schedule(self, now_ms: int) -> None:
        """Note when something is next due, unless it stands in the store."""
        due = self._context.due_of(self, now_ms) or Due(None)
        if due != (self.due or Due(None)):
            self.changes.append(Schedule(self.id, self.count, due))
            self.due = due


def current_proposal(live: LiveMatch) -> Proposal | None:
    """Return the last proposal, None if there was none.

    A takeback expires with the next event, every proposal with the match's end, but a fork that waits for nobody: it is
    being made. Where seats sign, one to abandon expires as a takeback does: their signatures are for the moment at
    which the match ends.
    """
    proposal = live.metadata.proposal
    if proposal is None:
        return None
    of_the_moment = proposal.kind == "take_back" or (proposal.kind == "abandon" and any(live.seat_keys))
    is_pending = proposal.status == "pending" and len(proposal.waiting_for) > 0
    expired = is_pending and (live.ended or (of_the_moment and proposal.count != live.count))
    return evolve(proposal, status="expired", fork=None) if expired else proposal
