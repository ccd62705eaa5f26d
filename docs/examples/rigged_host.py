"""A host that cheats in ten ways, and the line that convicts it each time (`docs/trust.md`).

    python rigged_host.py           print each crime, and what the tools find
    python rigged_host.py FOLDER    keep the logs and records there too

Three players join a fair deal at a host of kifu, sign their commands, and keep records of what they are told. Then the
host cheats. It packs its logs anew, with chain and digests that fit, so that only records and signatures show it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from secrets import token_bytes
from typing import Any

import msgpack
from attrs import define, field
from kifu.core.host import Host, Terms
from kifu.core.log.format import first_chain, linked_end, linked_event
from kifu.core.stores import MemoryStore
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.core.trust.formulas import agreement_message, command_message, commitment, roster_digest
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.signing import SigningKey
from kifu.core.wire import wire_of

NAMES = ("Aki", "Ren", "Mio")
EVENTS = 14
Finding = tuple[str, int | None]


@define
class Player:
    """A player's own program: its secret, its key, and the record of all that it is told."""

    host: Host
    match: str
    seat: int
    signing: SigningKey = field(factory=SigningKey.new)
    secret: bytes = field(factory=lambda: token_bytes(32))
    key: str = ""
    of: bytes = b""
    """H0, the digest of the roster: all that is signed names it."""
    entries: list[records.Entry] = field(factory=list)

    def join(self) -> None:
        promise = commitment(self.match, 1, self.seat, self.secret)
        name = NAMES[self.seat]
        joined = self.host.join(self.match, name, self.seat, commitment=promise, public_key=self.signing.public)
        self.key = joined.key

    def reveal(self) -> None:
        """Reveal the secret; a program that distrusts the host makes the roster itself and compares it first."""
        trust = self.host.about(self.match).trust
        assert trust is not None
        assert trust.roster is not None
        self.of = roster_digest(trust.roster)
        signature = self.signing.sign(agreement_message(self.of, self.seat))
        self.host.reveal(self.match, self.key, 1, self.of, self.secret, signature)

    def listen(self) -> None:
        """Take down the events that are new, and the end."""
        since = sum(entry.kind == records.EVENT for entry in self.entries)
        told = [each.told() for each in self.host.history(self.match, self.key, since)]
        self.entries += [each for each in told if each is not None]
        ending = self.host.ending(self.match, self.key)
        self.entries += [] if ending is None else [ending.told]

    def act(self) -> None:
        """Give the first legal command, signed."""
        seen = self.host.observe(self.match, self.key)
        told = seen.told()
        assert told is not None
        look = told
        tag, fields = wire_of(self.host._context.find("cake")).encode(seen.legal[0])
        ident = token_bytes(16)
        message = command_message(self.of, self.seat, seen.count, look.mark, tag, fields, ident)
        self.host.submit(self.match, self.key, (tag, fields), seen.count, ident, self.signing.sign(message))

    @property
    def record(self) -> bytes:
        trust = self.host.about(self.match).trust
        assert trust is not None
        assert trust.roster is not None
        head: bytes = msgpack.packb(records.head(self.seat, trust.roster, trust.roster_sig))
        return head + b"".join(entry.packed() for entry in self.entries)


@define
class Evening:
    """One match at an honest host: its players with their records, and its log."""

    host: Host = field(factory=lambda: Host(MemoryStore(), sign=SigningKey.new()))
    players: list[Player] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        match = self.host.open("cake", 3, {}, Terms(fair=True)).match
        self.players = [Player(self.host, match, seat) for seat in range(3)]
        for player in self.players:
            player.join()
        for player in self.players:
            player.reveal()
        self.play(EVENTS)

    @property
    def match(self) -> str:
        return self.players[0].match

    def play(self, events: int) -> None:
        """Play on to so many events; everybody listens all the time."""
        while ((now := self.host.about(self.match)).count or 0) < events:
            self.players[min(now.to_act or ())].act()
            for player in self.players:
                player.listen()

    def end(self) -> None:
        self.host.force_abandon(self.match)
        for player in self.players:
            player.listen()

    @property
    def log(self) -> bytes:
        return self.host.export_log(self.match)


def packed_anew(log: bytes, change: Callable[[dict[str, Any], list[Any], list[Any]], None]) -> bytes:
    """Change the header, the events or the end of a log, and pack it as an honest host would have: the chain fits."""
    raw = read_log(log)
    header, end = dict(raw.header), [] if raw.end is None else [dict(raw.end)]
    events = [msgpack.unpackb(event.raw, strict_map_key=False) for event in raw.events]
    change(header, events, end)
    parts = [msgpack.packb(header)]
    chain = first_chain(parts[0])
    for seq, event in enumerate(events):
        parts.append(linked_event([seq, *event[1:6]], chain))
        chain = parts[-1][-16:]
    parts += [linked_end({**each, "events": len(events)}, chain) for each in end]
    return b"".join(parts)


def signed_events(events: list[Any]) -> list[int]:
    return [event[0] for event in events if event[2] and "sign" in event[2]]


def picks_the_seed(evening: Evening) -> tuple[str, bytes]:
    """It deals from a seed of its choice."""
    return "audit", packed_anew(evening.log, lambda header, events, end: header.update(seed=bytes(32)))


def changes_its_mind(evening: Evening) -> tuple[str, bytes, bytes]:
    """It exchanges its secret and its commitment once it knows all the others; the log alone is consistent."""
    from kifu.core.trust.formulas import seed
    from kifu.core.trust.header_keys import read_fair
    from kifu.core.trust.roster import roster_of

    def change(header: dict[str, Any], events: list[Any], end: list[Any]) -> None:
        secret = bytes(range(32))
        header["fair"] = {**header["fair"], "host": [commitment(header["match"], 1, -1, secret), secret]}
        digest = roster_digest(roster_of(header).packed())
        fair = read_fair(header)
        assert fair is not None
        header["seed"] = seed(digest, *fair.secrets)

    return "verify", evening.players[1].record, packed_anew(evening.log, change)


def hides_a_failed_attempt(evening: Evening) -> tuple[str, bytes]:
    """It says that an earlier attempt has failed, so that it could choose; nobody refused in it."""

    def change(header: dict[str, Any], events: list[Any], end: list[Any]) -> None:
        fair = header["fair"]
        header["fair"] = {**fair, "past": [{"host": fair["host"], "seats": fair["seats"]}]}

    return "audit", packed_anew(evening.log, change)


def rewrites_a_command(evening: Evening) -> tuple[str, bytes, bytes]:
    """It writes another command into the log than the one that everybody saw."""

    def change(header: dict[str, Any], events: list[Any], end: list[Any]) -> None:
        seq = signed_events(events)[2]
        events[seq][2] = {**events[seq][2], "at": 1}

    return "verify", evening.players[2].record, packed_anew(evening.log, change)


def tells_a_lie(evening: Evening) -> tuple[str, bytes, bytes]:
    """It tells one player, under its own signature, something else than the log has."""
    from attrs import evolve
    from kifu.core.trust.canonical import canonical
    from kifu.core.trust.formulas import told_digest, told_message

    player = evening.players[0]
    place = 3
    entry = player.entries[place]
    told = entry.value()
    told[6] = "stand-in"
    raw = canonical(told)
    sign = evening.host._context.sign
    assert sign is not None
    message = told_message(player.of, 0, entry.kind, entry.number, entry.mark, told_digest(entry.salt, raw))
    player.entries[place] = evolve(entry, told=raw, sig=sign.sign(message))
    return "verify", player.record, evening.log


def cuts_the_end_off(evening: Evening) -> tuple[str, bytes, bytes]:
    """It leaves out what came last."""

    def change(header: dict[str, Any], events: list[Any], end: list[Any]) -> None:
        del events[-2:]

    return "verify", evening.players[1].record, packed_anew(evening.log, change)


def shows_two_histories(evening: Evening) -> tuple[str, bytes, bytes]:
    """It puts its store back, and plays the end of the evening twice, each time for another player."""
    store = MemoryStore()
    again = Host(store, sign=evening.host._context.sign)
    half = packed_anew(evening.log, lambda header, events, end: events.__delitem__(slice(8, None)))
    keys = again.import_log(half).keys
    told_first = evening.players[0].record
    for player in evening.players:
        player.host, player.key = again, keys[player.seat] or ""
        player.entries = [entry for entry in player.entries if entry.number < 8]
    evening.host = again
    evening.play(EVENTS)
    return "compare", records.public(told_first), records.public(evening.players[1].record)


def opens_another_veil(evening: Evening) -> tuple[str, bytes, bytes]:
    """It gives out a log with another veil, under which it can make any marks."""
    forged = packed_anew(evening.log, lambda header, events, end: header.update(veil=bytes(32)))
    return "verify", evening.players[0].record, forged


def forges_a_move(evening: Evening) -> tuple[str, bytes]:
    """It plays for a player who has not answered, and signs with what it has: an older signature of that player."""

    def change(header: dict[str, Any], events: list[Any], end: list[Any]) -> None:
        seat = events[signed_events(events)[-1]][1]
        mine = [seq for seq in signed_events(events) if events[seq][1] == seat]
        events[mine[-1]][2] = {**events[mine[-1]][2], "sign": events[mine[0]][2]["sign"]}

    return "audit", packed_anew(evening.log, change)


def takes_back_alone(evening: Evening) -> tuple[str, bytes]:
    """It takes moves back for one player, and the others were never asked."""

    def change(header: dict[str, Any], events: list[Any], end: list[Any]) -> None:
        digest = events[4][5]
        events.append([len(events), -1, {"at": 9, "by": "seat 0"}, ".takeback", {"to": 4}, digest, b""])

    return "audit", packed_anew(evening.log, change)


CRIMES: dict[Callable[[Evening], tuple[Any, ...]], str] = {
    picks_the_seed: "fair",
    changes_its_mind: "head",
    hides_a_failed_attempt: "fair",
    rewrites_a_command: "mark",
    tells_a_lie: "told",
    cuts_the_end_off: "missing",
    shows_two_histories: "mark",
    opens_another_veil: "veil",
    forges_a_move: "signature",
    takes_back_alone: "signature",
}
"""What the host does, and the kind of finding that convicts it."""


def verdict_over(run: str, *files: bytes) -> list[Any]:
    """Return what `replay audit` or `replay verify` finds in these files."""
    if run == "audit":
        return list(audit(files[0]).findings)
    judged = records.verify(*files) if run == "verify" else records.compare(*files)
    return list(judged.findings)


def main(folder: Path | None = None) -> int:
    """Let the host commit each crime, and say who convicts it; the exit code is 1 if it got away with one."""
    escaped = 0
    for crime, kind in CRIMES.items():
        run, *files = crime(Evening())
        found = next((each for each in verdict_over(run, *files) if each.kind == kind), None)
        escaped += found is None
        print(f"{crime.__name__.replace('_', ' ')}: {crime.__doc__}")
        print(f"    {run}: {'nothing is found' if found is None else f'{found.kind}: {found.message}'}")
        if folder is not None:
            for number, raw in enumerate(files):
                is_log = run == "audit" or (run == "verify" and number == 1)
                name = f"{crime.__name__}-{number}{'.log' if is_log else '.seat'}"
                (folder / name).write_bytes(raw)
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
