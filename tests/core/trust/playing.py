"""An honest table in miniature: a match played at random, its log, and the record of everybody who sees it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import kifu
import msgpack
import pytest
from attrs import define, evolve, field
from kifu.core.game import Game, Meta
from kifu.core.game.shuffle import Shuffler
from kifu.core.log.format import (
    digest,
    end_bytes,
    end_map,
    event_bytes,
    first_chain,
    header_bytes,
    linked_end,
    linked_event,
)
from kifu.core.match import Match, takebacks
from kifu.core.match.random_play import choose
from kifu.core.match.registry import find
from kifu.core.trust import records
from kifu.core.trust.canonical import canonical
from kifu.core.trust.ceremony import Ceremony
from kifu.core.trust.evidence import Evidence
from kifu.core.trust.formulas import agreement_message, command_message, commitment, roster_digest, wish_message
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.roster import roster_of
from kifu.core.trust.signing import SigningKey
from kifu.core.wire import wire_of

pytest.importorskip("cryptography", reason="needs kifu[replay]")

ENGINE = "kifu of today"
KEYS = [SigningKey(bytes([number]) * 32) for number in range(1, 8)]
HOST = KEYS[6]
NAMES = ["Aki", "Ren", "Mio", "Sou", "Yui", "Kei"]


def held(
    game: str,
    who: Sequence[int],
    random: Random,
    *,
    options: dict[str, Any] | None = None,
    host_key: SigningKey | None = None,
    keys: Sequence[SigningKey | None] = (),
    refusals: int = 0,
    engine: str | None = ENGINE,
) -> Match[Any, Any, Any]:
    """Hold a ceremony, in which the first seat refuses so many times, and deal; `engine` None is this program."""
    known: Game[Any, Any, Any] = find(game)
    wire = wire_of(known)
    deal = Ceremony(
        f"m{random.randrange(1 << 32):08x}",
        game,
        known.version,
        wire.plain_options(wire.options(options or {})),
        NAMES[: len(who)],
        who,
        veil=random.randbytes(32),
        host_key=None if host_key is None else host_key.public,
        seat_keys=[None if key is None else key.public for key in keys],
        engine=engine,
        layout=known.past.layout,
        entropy=random.randbytes,
    )
    while True:
        secrets = {seat: random.randbytes(32) for seat in deal.waits_for}
        for seat, secret in secrets.items():
            deal.commit(seat, commitment(deal.match, deal.attempt, seat, secret))
        late = min(secrets) if deal.attempt <= refusals else None
        for seat, secret in secrets.items():
            if seat != late:
                key, digest = keys[seat] if keys else None, deal.digest or b""
                deal.reveal(seat, digest, secret, None if key is None else key.sign(agreement_message(digest, seat)))
        if late is None:
            return kifu.new(game, NAMES[: len(who)], options, started=0, engine=engine, trust=deal)
        assert deal.fail() == (late,)


@define(slots=False)
class Table:
    """A match that grows, with all that is told of it; `keys` are those of the seats."""

    match: Match[Any, Any, Any]
    keys: Sequence[SigningKey | None] = ()
    host_key: SigningKey | None = None
    random: Random = field(factory=lambda: Random(1))
    objects: list[bytes] = field(factory=list)
    entries: dict[int | None, list[records.Entry]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.keys = list(self.keys) or [None] * len(self.match.header.seats)
        self.objects.append(header_bytes(self.match.header, self.match.game))
        header = read_log(self.objects[0]).header
        roster = roster_of(header)
        self.roster, self.of = roster.packed(), roster.of
        self.evidence = Evidence(self.match.game, roster.of, header["veil"], self.objects[0], self.host_key)
        self.viewers = [None, *range(len(self.keys))]
        self.entries.update({viewer: [] for viewer in self.viewers})
        self._store(Meta(at=0))

    def tell_anew(self, viewer: int | None, place: int, told: Any) -> None:
        """Have the host sign that it told somebody this, in place of an entry of the record."""
        entry = self.entries[viewer][place]
        self.entries[viewer][place] = self.evidence._told(viewer, entry.kind, entry.number, canonical(told), entry.mark)

    @property
    def log(self) -> bytes:
        return b"".join(self.objects)

    @property
    def count(self) -> int:
        return len(self.evidence.marks) - 1

    def record(self, viewer: int | None) -> bytes:
        head = records.head(viewer, self.roster, self.evidence.sign_roster(roster_digest(self.roster)))
        return msgpack.packb(head) + b"".join(each.packed() for each in self.entries[viewer])

    def play(self, events: int) -> None:
        """Play on at random, until there are so many events or the game is over."""
        while self.match.to_act and self.count < events:
            chosen = choose(self.match.position, Shuffler(self.random.randbytes(32)))
            assert chosen is not None
            self.command(*chosen)
        if not self.match.to_act:
            self.end()

    def command(
        self, seat: int, command: Any, *, at: int | None = None, by: str | None = None, replaced: bytes | None = None
    ) -> None:
        """Let a seat give a command, signed if it has a key."""
        at, ident = self.count if at is None else at, self.random.randbytes(16)
        meta = Meta(at=10 * self.count, id=None if by else ident, by=by)
        key = self.keys[seat]
        if key is not None and by is None:
            tag, fields = wire_of(self.match.game).encode(command)
            mark = self.evidence.marks[at]
            message = command_message(self.of, seat, at, mark, tag, fields, ident, replaced)
            more = [] if replaced is None else [replaced]
            meta = Meta(meta.at, ident, None, (("sign", [at, key.sign(message), *more]),))
            self.entries[seat].append(records.Entry(records.SENT, self.count, message, None, mark, key.sign(message)))
        self.match.play(seat, command)
        self._store(meta)

    def consent(self, kind: str, at: int, seats: Sequence[int]) -> list[list[Any]]:
        """Have these seats sign a proposal, as far as they have keys."""
        count = self.count
        signed = []
        for seat in seats:
            if (key := self.keys[seat]) is not None:
                message = wish_message(self.of, seat, count, self.evidence.marks[count], kind, at)
                signed.append([seat, key.sign(message)])
        return signed

    def take_back(self, to: int, by: int, seats: Sequence[int]) -> None:
        """Restore the state after event `to`, by the consent of these seats."""
        signed = self.consent("take_back", to, sorted({by, *seats}))
        meta = Meta(at=10 * self.count, by=f"seat {by}", more=(("sign", signed),) if signed else ())
        self.match.take_back(to, meta)
        self._store(meta)

    def abandon(self, by: int | None) -> None:
        """End the match without a result: by everybody's consent if a seat proposed it, else called off."""
        self.match.abandon()
        if by is not None:
            signed = self.consent("abandon", 0, range(len(self.keys)))
            told = canonical(["abandon", 0, by, signed])
            for entries in self.entries.values():
                entries.append(records.Entry(records.WISH, self.count, told, None, self.evidence.marks[-1], None))
        self.end()

    def look(self) -> None:
        """Show the table to everybody."""
        for viewer in self.viewers:
            view = self.match.view(viewer)
            self.entries[viewer].append(self.evidence.look(self.count, view, viewer))

    def end(self) -> None:
        """Write the end record, and tell everybody."""
        chain, end = self.objects[-1][-16:], end_map(self.match.result, self.count)
        self.objects.append(end_bytes(self.match.result, self.count, chain, self.evidence.sign_end(end, chain)))
        self.evidence.add_end(self.objects[-1])
        for viewer in self.viewers:
            self.entries[viewer].append(self.evidence.end(self.match.result, viewer))

    def _store(self, meta: Meta) -> None:
        """Write down what was played since, and tell everybody; deals that followed have no meta but their time."""
        wire, events = wire_of(self.match.game), self.match.events
        for event in events[self.count :]:
            event = events[event.seq] = evolve(event, meta=meta)
            meta = Meta(at=meta.at)
            chain = self.objects[-1][-16:] if self.count else first_chain(self.objects[0])
            raw = event_bytes(event, wire, digest(self.match.states[event.seq + 1]), chain)
            self.objects.append(raw)
            self.evidence.add(raw)
            for viewer in self.viewers:
                self.entries[viewer].append(self.evidence.event(self.match.steps[event.seq], viewer))


def cake(seed: int = 7, who: tuple[int, ...] = (0, 0, 0), engine: str | None = ENGINE) -> Table:
    """Begin a match of cake, in which seats 0 and 1 have keys."""
    random, keys = Random(seed), [KEYS[0], KEYS[1], None]
    return Table(held("cake", who, random, keys=keys, host_key=HOST, engine=engine), keys, HOST, random)


def called_off(seed: int, events: int, engine: str | None = None) -> Table:
    """Play cake, recorded by this program unless another is named, show the table to everybody, and call it off."""
    table = cake(seed, engine=engine)
    table.play(events)
    table.look()
    table.abandon(None)
    return table


def back_and_forth(table: Table, times: int) -> tuple[int, int]:
    """Play to a command that may be taken back without consent, and do that and restore it; return it and its seat."""
    while takebacks.why_consent_is_needed(table.match, table.match.events[-1].seat, table.count - 2) is not None:
        seat = min(table.match.to_act)
        table.command(seat, table.match.legal(seat)[0])
    at, seat = table.count - 1, table.match.events[-1].seat
    for _ in range(times):
        table.take_back(at - 1, seat, [])
        table.take_back(at, seat, [0, 1])
    return at, seat


Log = tuple[dict[str, Any], list[list[Any]], dict[str, Any] | None]
END = ("end", "events", "points", "winners")
"""The keys of an end record that the host has not signed: nobody else can."""


def taken_apart(log: bytes) -> Log:
    """Return header, events and end of a log, to be changed."""
    raw = read_log(log)
    events = [msgpack.unpackb(event.raw, strict_map_key=False) for event in raw.events]
    return dict(raw.header), events, None if raw.end is None else {key: raw.end[key] for key in END}


def put_together(log: Log) -> bytes:
    """Pack a log anew, its chain made to fit: what a host that lies would do."""
    header, events, end = log
    parts = [msgpack.packb(header)]
    chain = first_chain(parts[0])
    for seq, event in enumerate(events):
        parts.append(linked_event([seq, *event[1:6]], chain))
        chain = parts[-1][-16:]
    if end is not None:
        parts.append(linked_end({**{key: end[key] for key in END}, "events": len(events)}, chain))
    return b"".join(parts)


def signed_anew(log: Log, key: SigningKey = HOST) -> bytes:
    """Pack a log that was changed, and have its host sign its end again."""
    raw = put_together(log)
    unsigned = read_log(raw)
    roster = roster_of(unsigned.header)
    evidence = Evidence(None, roster.of, unsigned.header["veil"], unsigned.header_raw, key)  # type: ignore[arg-type]
    for event in unsigned.events:
        evidence.add(event.raw)
    assert unsigned.end is not None
    end = {name: each for name, each in unsigned.end.items() if name != "chain"}
    chain = unsigned.events[-1].raw[-16:]
    sign = evidence.sign_end(end, chain)
    return raw[: -len(unsigned.end_raw)] + linked_end({**end, "sign": sign}, chain)
