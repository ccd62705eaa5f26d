"""A program that writes logs into a store from several threads and prints acknowledgements; tests kill it."""

import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Thread

from attrs import frozen
from kifu.core.errors import StoreError
from kifu.core.log.framing import ObjectStream
from kifu.core.stores import Append, Create, MetadataRow, Store, StoredLog, commit_one, open_store

THREADS = 3


@frozen
class Submission:
    """One append: one event or two, with every third a row, with the last the end record."""

    expected_events: int
    events: tuple[bytes, ...]
    end: bytes | None
    row: MetadataRow | None


@frozen
class Plan:
    """The appends by which a log is written into a store."""

    head: bytes
    submissions: tuple[Submission, ...]

    def states(self) -> Iterator[StoredLog]:
        """Yield what a store has of such a log after each acknowledgement."""
        yield StoredLog(b"", 0, (), None, row(0))
        stored = StoredLog(self.head, 0, (), None, row(1))
        yield stored
        for each in self.submissions:
            stored = StoredLog(self.head, 0, stored.events + each.events, each.end, each.row or stored.row)
            yield stored


def row(version: int) -> MetadataRow:
    return MetadataRow("take_and_share", "going", True, version, b"row %d" % version, version)


def plan_of(log: bytes) -> Plan:
    head, *events, end = [log[start:stop] for _, start, stop in ObjectStream(log)]
    submissions: list[Submission] = []
    at, version = 0, 1
    while at < len(events):
        some = tuple(events[at : at + 1 + len(submissions) % 2])
        changes = len(submissions) % 3 == 0
        version += changes
        last = end if at + len(some) == len(events) else None
        submissions.append(Submission(at, some, last, row(version) if changes else None))
        at += len(some)
    return Plan(head, tuple(submissions))


def write(store: Store, plan: Plan, name: str) -> None:
    """Write one log after the other; print each acknowledgement: the match, and how many it has had."""
    for number in count():
        match = f"{name}-{number}"
        commit_one(store, Create(match, b"", row(0)))
        print_line(match, 1)
        commit_one(store, Append(match, 0, (), header=plan.head, row=row(1)))
        print_line(match, 2)
        for done, each in enumerate(plan.submissions, 3):
            commit_one(store, Append(match, each.expected_events, each.events, end=each.end, row=each.row))
            print_line(match, done)


def print_line(match: str, done: int) -> None:
    os.write(1, f"{match} {done}\n".encode())


def main(address: str, log: str) -> None:
    store, plan = open_store(address), plan_of(Path(log).read_bytes())

    def work(name: str) -> None:
        try:
            write(store, plan, name)
        except StoreError as failed:  # the database is gone
            os.write(1, f"failed: {failed}\n".encode())

    threads = [Thread(target=work, args=(f"m{number}",)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
