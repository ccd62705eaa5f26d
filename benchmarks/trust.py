"""What trust costs: marks, salts and hashes, signatures, a record, an audit; and a host's match without its evidence.

    python benchmarks/trust.py [--repeat 5] [--json FILE]

Times are the best of several rounds, in microseconds; ratios are to what one event takes in an audit of its log.
Signatures need `pip install 'kifu[sign]'`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import kifu
import results
from kifu.core.host import Host
from kifu.core.log import log_bytes
from kifu.core.log.writer import log_objects
from kifu.core.stores import MemoryStore
from kifu.core.trust import records, sign
from kifu.core.trust.audit import audit
from kifu.core.trust.fair import Ceremony, commitment
from kifu.core.trust.formulas import next_mark, salt, told_digest
from kifu.core.trust.sign import SigningKey
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


def of_the_library(repeat: int) -> dict[str, float]:
    """Measure the formulas, and a record against its log."""
    match, veil = played(), bytes(range(32))
    header, *events = log_objects(match)
    told = records.Evidence(match.game, "m1", veil, header)
    for raw in events:
        told.add(raw)
    entries = [told.event(step, 1).entry for step in match.steps]
    roster = audit(log_bytes(match)).log.header
    from kifu.core.trust.roster import roster_of

    head = records.head(1, roster_of(roster).packed())
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
    if sign.is_available:
        key, message = SigningKey(bytes(32)), bytes(200)
        signature = key.sign(message)
        measured["sign"] = best(repeat, lambda: key.sign(message), 200)
        measured["check a signature"] = best(repeat, lambda: sign.check(key.public, message, signature), 200)
    return measured


def _packed(head: dict[str, Any]) -> bytes:
    import msgpack

    return msgpack.packb(head)  # type: ignore[no-any-return]


def of_a_host(repeat: int, *, asks: bool, key: SigningKey | None = None) -> float:
    """Return what an event costs at a host whose three viewers read it; `asks`: with its evidence."""

    def work() -> int:
        host = Host(MemoryStore(), sign=key)
        opened = host.open("cake", NAMES)
        while (count := host.about(opened.match).count or 0) < 40:
            seat = min(host.about(opened.match).to_act or ())
            host.submit(opened.match, opened.keys[seat], host.observe(opened.match, opened.keys[seat]).legal[0], count)
            for viewer in opened.keys:
                for entry in host.history(opened.match, viewer, count):
                    if asks:
                        entry.told()
        return count

    return best(repeat, work) / 40


def figures(repeat: int) -> Iterator[Figure]:
    """Measure the library, then a host."""
    measured = of_the_library(repeat)
    measured["an event at a host, read by three"] = of_a_host(repeat, asks=False)
    measured["the same, with what is kept of it"] = of_a_host(repeat, asks=True)
    if sign.is_available:
        measured["the same, signed by the host"] = of_a_host(repeat, asks=True, key=SigningKey(bytes(32)))
    for what, cost in measured.items():
        yield Figure(what, cost, "µs", cost / measured[AUDIT], AUDIT)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    results.add_argument(parser)
    args = parser.parse_args()
    results.report("trust", figures(args.repeat), args.json)


if __name__ == "__main__":
    main()
