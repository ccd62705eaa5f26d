"""What trust costs: marks, salts and hashes, signatures, a record, an audit; and a host's match without its evidence.

    python benchmarks/trust.py [--repeat 5] [--json FILE]

Times are the best of several rounds, in microseconds; ratios are to what one event takes in an audit of its log.
Signatures need `pip install 'kifu[replay]'`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from time import perf_counter, process_time
from typing import Any

import kifu
import results
from attrs import frozen
from kifu.core.host import Host, Terms
from kifu.core.log import log_bytes
from kifu.core.log.writer import log_objects
from kifu.core.stores import MemoryStore
from kifu.core.trust import records, signing
from kifu.core.trust.audit import audit
from kifu.core.trust.ceremony import Ceremony
from kifu.core.trust.formulas import (
    agreement_message,
    command_message,
    commitment,
    next_mark,
    roster_digest,
    salt,
    told_digest,
)
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.roster import Roster, roster_of
from kifu.core.trust.signing import SigningKey
from kifu.core.wire import wire_of
from results import Figure

NAMES = ["Aki", "Ren", "Mio"]
AUDIT = "an event in an audit"
OPTIONS = {"first": 0, "elder_votes": True}


def best(repeat: int, work: Callable[[], Any], times: int = 1) -> float:
    """Return the best time of the work, in microseconds."""
    found = []
    for _ in range(repeat):
        began = perf_counter()
        for _ in range(times):
            work()
        found.append((perf_counter() - began) / times)
    return min(found) * 1e6


def played(events: int = 60) -> kifu.Match[Any, Any, Any]:
    """Deal fairly and play the first legal commands."""
    deal = Ceremony("m1", "cake", 1, OPTIONS, NAMES, [0, 0, 0], veil=bytes(range(32)))
    secrets = {seat: bytes([seat + 1]) * 32 for seat in range(3)}
    for seat, secret in secrets.items():
        deal.commit(seat, commitment("m1", 1, seat, secret))
    for seat, secret in secrets.items():
        deal.reveal(seat, deal.digest or b"", secret)
    match = kifu.new("cake", NAMES, trust=deal)
    while match.to_act and len(match.events) < events:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    return match


def header_roster(header: bytes) -> Roster:
    """Return the roster of a log with this header."""
    return roster_of(read_log(header).header)


def of_the_library(repeat: int) -> dict[str, float]:
    """Measure the formulas, and a record against its log."""
    match, veil = played(), bytes(range(32))
    header, *events = log_objects(match)
    told = records.Evidence(match.game, header_roster(header).of, veil, header)
    for raw in events:
        told.add(raw)
    entries = [told.event(step, 1) for step in match.steps]
    head = records.head(1, header_roster(header).packed())
    record = records.read_bytes(b"".join([_packed(head), *(entry.packed() for entry in entries)]))
    log = log_bytes(match)
    measured = {
        "mark of an event": best(repeat, lambda: next_mark(veil, bytes(32), events[3]), 1000),
        "salt": best(repeat, lambda: salt(veil, 0, 7, 1), 1000),
        "told hash": best(repeat, lambda: told_digest(bytes(16), entries[3].told), 1000),
        "told, salt and mark of an event for a viewer": best(repeat, lambda: told.event(match.steps[3], 1), 200),
        AUDIT: best(repeat, lambda: audit(log)) / len(events),
        f"record of {len(entries)} entries against its log": best(repeat, lambda: records.verify(record, log)),
    }
    if signing.is_available:
        key, message = SigningKey(bytes(32)), bytes(200)
        signature = key.sign(message)
        measured["sign"] = best(repeat, lambda: key.sign(message), 200)
        measured["check a signature"] = best(repeat, lambda: signing.check(key.public, message, signature), 200)
    return measured


def _packed(head: dict[str, Any]) -> bytes:
    import msgpack

    return msgpack.packb(head)  # type: ignore[no-any-return]


@frozen
class HostSetup:
    """How much of trust a match at a host has: records, the host's key, the seats' keys, a fair deal."""

    records: bool = False
    host_key: bool = False
    seat_keys: bool = False
    fair: bool = False


HOSTS = {
    "an event at a host, read by three": HostSetup(),
    "the same, with records": HostSetup(records=True),
    "the same, signed by the host": HostSetup(records=True, host_key=True),
    "the same, signed by the seats": HostSetup(records=True, host_key=True, seat_keys=True),
    "the same, dealt fairly": HostSetup(records=True, host_key=True, seat_keys=True, fair=True),
}


def of_a_host(asked: HostSetup, events: int = 60) -> tuple[float, float]:
    """Return the µs of CPU time and the bytes of log that an event costs at a host whose three players read it.

    What the players sign is not counted: it is their computers' time.
    """
    host = Host(MemoryStore(), sign=SigningKey(bytes(32)) if asked.host_key else None)
    began, players_s = process_time(), 0.0
    signing = [SigningKey(bytes([seat + 1]) * 32) if asked.seat_keys else None for seat in range(3)]
    secrets = [bytes([seat + 9]) * 32 for seat in range(3)]
    match = host.open("cake", 3, OPTIONS, Terms(fair=asked.fair)).match
    keys = []
    for seat, name in enumerate(NAMES):
        promise = commitment(match, 1, seat, secrets[seat]) if asked.fair else None
        own = signing[seat]
        public = None if own is None else own.public
        keys.append(host.join(match, name, seat, commitment=promise, public_key=public).key)
    for seat, key in enumerate(keys) if asked.fair else ():
        trust: Any = host.about(match).trust
        digest, own = roster_digest(trust.roster), signing[seat]
        agreed = None if own is None else own.sign(agreement_message(digest, seat))
        host.reveal(match, key, 1, digest, secrets[seat], agreed)
    dealt: Any = host.about(match).trust
    digest = roster_digest(dealt.roster)
    wire = wire_of(kifu.games.find("cake"))
    count = 0
    while (now := host.about(match)).to_act and (count := now.count or 0) < events:
        seat = min(now.to_act)
        seen = host.observe(match, keys[seat])
        command, ident, signature = wire.encode(seen.legal[0]), bytes([count]) * 16, None
        look: Any = seen.told() if asked.records else None
        signer = signing[seat]
        if signer is not None:
            signed = process_time()
            message = command_message(digest, seat, count, look.mark, *command, ident)
            signature = signer.sign(message)
            players_s += process_time() - signed
        host.submit(match, keys[seat], command, count, ident, signature)
        for key in keys:
            for entry in host.history(match, key, count):
                if asked.records:
                    entry.told()
    count = now.count or 1
    return (process_time() - began - players_s) / count * 1e6, len(host.export_log(match)) / count


def figures(repeat: int) -> Iterator[Figure]:
    """Measure the library, then hosts, each in turn, so that a busy moment slows all of them."""
    measured = of_the_library(repeat)
    for what, cost in measured.items():
        yield Figure(what, cost, "µs", cost / measured[AUDIT], AUDIT)
    hosts = {what: asked for what, asked in HOSTS.items() if signing.is_available or not asked.host_key}
    rounds = [{what: of_a_host(asked) for what, asked in hosts.items()} for _ in range(3 * repeat)]
    plain = next(iter(hosts))
    for unit, part in (("µs", 0), ("bytes of log", 1)):
        least = {what: min(each[what][part] for each in rounds) for what in hosts}
        for what, cost in least.items():
            yield Figure(what, cost, unit, cost / least[plain], plain)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    results.add_argument(parser)
    args = parser.parse_args()
    results.report("trust", figures(args.repeat), args.json)


if __name__ == "__main__":
    main()
