"""The events a second that a store keeps, each on disk before it is acknowledged, and how long each takes.

    pip install '.[postgres]' --group bench
    python benchmarks/stores.py [--events 800] [--rounds 8] [--only WORDS] [--postgres postgresql://…] [--json FILE]

Beside it, in the same rounds, the library `eventsourcing` saves each event of an aggregate in a SQLite file with the
same settings (WAL, synchronous FULL). A round lets every one take its turn, so that all of them see the same machine;
the figures are of the best round.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Barrier, Thread
from time import perf_counter, time_ns
from typing import Any
from uuid import uuid4

import kifu
import results
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import Host
from kifu.core.log import read_bytes
from kifu.core.log.format import digest, event_bytes, first_chain, header_bytes
from kifu.core.match.random_play import choose
from kifu.core.stores import Append, Create, MetadataRow, Store, commit_one, open_store
from kifu.core.wire import wire_of
from results import Figure

GAME = "take_and_share"
SEATS = ["Aki", "Ren", "Mio", "Sou"]
DATA = bytes(300)
EVENTS_AT_LEAST = 40
"""Of a match."""
WRITERS = (1, 16)
SAVING = "eventsourcing: save an event"
AIMS = {(1, "sqlite: a command at a host"): 0.7, (16, "sqlite: a command at a host"): 1.3}

Work = Callable[[int, int], Iterator[None]]
"""Writes matches; yields after each acknowledgement. Given are the writer's number, and how many will be asked for."""


def log_objects() -> tuple[bytes, list[bytes]]:
    """Make the header and the events of a match."""
    match = kifu.new(GAME, SEATS, seed=bytes(32), match="m", started=0)
    draws = Shuffler(bytes(32), 1 << 31)
    while chosen := choose(match.position, draws):
        match.play(*chosen)
    head = header_bytes(match.header, match.game)
    events, chain = [], first_chain(head)
    for step in match.steps:
        events.append(event_bytes(step.event, wire_of(match.game), digest(step.after), chain))
        chain = events[-1][-16:]
    return head, events


def appends(store: Store, name: str, *, rows: bool) -> Work:
    """Append an event at a time, each with a metadata row or without."""
    head, events = log_objects()

    def work(writer: int, _: int) -> Iterator[None]:
        for number in range(1 << 30):
            match = f"{name}-{writer}-{number}"
            commit_one(store, Create(match, head, MetadataRow(GAME, "going", True, number, DATA)))
            for seq, event in enumerate(events):
                row = MetadataRow(GAME, "going", True, seq, DATA, seq + 1) if rows else None
                commit_one(store, Append(match, seq, [event], row=row))
                yield

    return work


def checked(store: Store, name: str) -> Work:
    """Play a match: each command is checked by the rules, and its event appended."""

    def work(writer: int, _: int) -> Iterator[None]:
        for number in range(1 << 30):
            match = kifu.new(GAME, SEATS, seed=(writer << 32 | number).to_bytes(32, "big"), match="m", started=0)
            wire, head = wire_of(match.game), header_bytes(match.header, match.game)
            commit_one(store, Create(f"{name}-{writer}-{number}", head, MetadataRow(GAME, "going", True, number, DATA)))
            chain, done, draws = first_chain(head), 0, Shuffler(bytes(32), 1 << 31)
            while chosen := choose(match.position, draws):
                match.play(*chosen)
                raw: list[bytes] = []
                for step in match.steps[done:]:
                    raw.append(event_bytes(step.event, wire, digest(step.after), chain))
                    chain = raw[-1][-16:]
                commit_one(store, Append(f"{name}-{writer}-{number}", done, raw))
                done += len(raw)
                yield

    return work


def hosted(store: Store) -> Work:
    """Play matches at a host: check the key's hash, read new events from the store, check the command.

    They are open when the clock starts, and what is played is chosen: both are no command.
    """
    host = Host(store)

    def prepared(count: int) -> Iterator[tuple[str, str, Any, bytes]]:
        for _ in range(count // EVENTS_AT_LEAST + 1):
            opened = host.open(GAME, SEATS)
            keys = [str(key) for key in opened.keys]
            for number, (seat, command) in enumerate(commands(host.export_log(opened.match))):
                yield opened.match, keys[seat], command, b"%d" % number

    def work(_: int, count: int) -> Iterator[None]:
        match, seq = "", 0
        for name, key, command, submission in list(prepared(count)):
            if name != match:
                match, seq = name, host.observe(name).count
            seq = host.submit(match, key, command, seq, submission).count
            yield

    return work


def commands(log: bytes) -> list[tuple[int, Any]]:
    """Return what the seats of a logged match submit."""
    match: Any = read_bytes(log).match
    draws = Shuffler(bytes(32), 1 << 31)
    chosen: list[tuple[int, Any]] = []
    while (one := choose(match.position, draws)) is not None:
        chosen.append(one)
        match.play(*one)
    return chosen


@contextmanager
def eventsourcing_works(folder: Path) -> Iterator[dict[str, Work]]:
    """Save events with `eventsourcing`: those of an application's aggregate, and with its recorder alone."""
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event
    from eventsourcing.persistence import StoredEvent

    class Table(Aggregate):  # type: ignore[misc]
        def __init__(self) -> None:
            self.played: list[int] = []

        @event("Played")  # type: ignore[untyped-decorator]
        def play(self, seat: int, card: int) -> None:
            self.played.append(seat << 16 | card)

    file = {"SQLITE_DBNAME": str(folder / "es.db"), "SQLITE_LOCK_TIMEOUT": "60"}
    application: Any = Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", **file})
    _, events = log_objects()

    def saving(_: int, count: int) -> Iterator[None]:
        tables = [Table() for _ in range(count // len(events) + 1)]
        application.save(*tables)
        for table in tables:
            for seq in range(len(events)):
                table.play(seat=seq % 4, card=seq)
                application.save(table)
                yield

    def recording(_: int, __: int) -> Iterator[None]:
        while True:
            match = uuid4()
            for seq, raw in enumerate(events):
                application.recorder.insert_events([StoredEvent(match, seq, "event", raw)])
                yield

    yield {SAVING: saving, "eventsourcing: its recorder": recording}
    application.close()


def timed(work: Work, writers: int, events: int) -> tuple[float, list[float]]:
    """Write so many events from so many threads; return the seconds, and the time of each event."""
    took: list[list[float]] = [[] for _ in range(writers)]
    spans: list[tuple[float, float]] = []
    ready = Barrier(writers)

    def write(writer: int) -> None:
        run = work(writer, events // writers + 1)
        next(run)
        ready.wait()
        begun = last = perf_counter()
        for _ in range(events // writers):
            next(run)
            now = perf_counter()
            took[writer].append(now - last)
            last = now
        spans.append((begun, last))

    threads = [Thread(target=write, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(spans) == writers, "a writer failed"
    spent = max(end for _, end in spans) - min(begun for begun, _ in spans)
    return spent, [each for one in took for each in one]


@contextmanager
def opened(folder: Path, postgres: str | None) -> Iterator[tuple[dict[str, Store], dict[str, Work]]]:
    """Open one store of each kind, and what they are compared with."""
    addresses = {"memory": "memory:", "sqlite": f"sqlite:{folder / 'kifu.db'}"}
    if postgres:
        addresses["postgres"] = postgres
    stores = {}
    try:
        for name, address in addresses.items():
            stores[name] = open_store(address)
        with eventsourcing_works(folder) as others:
            yield stores, others
    finally:
        for store in stores.values():
            store.close()


def works_of(stores: dict[str, Store], run: str) -> dict[str, Work]:
    """Return everything that is measured of the stores, in its order."""
    works: dict[str, Work] = {}
    for name, store in stores.items():
        works[f"{name}: append"] = appends(store, f"a{run}", rows=False)
        works[f"{name}: append with a metadata row"] = appends(store, f"s{run}", rows=True)
        works[f"{name}: a command, rules checked"] = checked(store, f"c{run}")
        works[f"{name}: a command at a host"] = hosted(store)
    return works


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=800, help="of each, in each round")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--only", default="", help="only what contains this text, beside what it is compared with")
    parser.add_argument("--postgres", help="the address of a database to write into; without it that store is left out")
    results.add_argument(parser)
    args = parser.parse_args()
    best: dict[tuple[int, str], tuple[float, list[float]]] = {}
    run = f"{time_ns():x}"
    with TemporaryDirectory() as name, opened(Path(name), args.postgres) as both:
        stores, others = both
        for number in range(args.rounds):
            for writers in WRITERS:
                for what, work in {**works_of(stores, f"{run}-{number}-{writers}"), **others}.items():
                    if args.only not in what and what != SAVING:
                        continue
                    took = timed(work, writers, args.events)
                    best[writers, what] = min(took, best.get((writers, what), took))
    results.report("stores", figures(best), args.json)


def figures(best: dict[tuple[int, str], tuple[float, list[float]]]) -> Iterator[Figure]:
    """Return the rate of each, as a ratio to that of `eventsourcing`, and how long the slowest hundredth took."""
    for (writers, what), (seconds, each) in sorted(best.items(), key=lambda item: item[0][0]):
        name, ratio = f"{what}, {writers} writer{'s' * (writers > 1)}", best[writers, SAVING][0] / seconds
        yield Figure(name, len(each) / seconds, "a second", ratio, SAVING, "more", AIMS.get((writers, what)))
        yield Figure(f"{name}: p99", quantiles(each, n=100)[98] * 1000, "ms")


if __name__ == "__main__":
    main()
