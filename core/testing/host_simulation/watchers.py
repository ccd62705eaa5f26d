"""Watchers: they follow a match to its end, at one host after the other."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import NewerRules, StoreError
from ...game import Seat
from ...host import HistoryEntry
from ...stores import FINISHED
from .clients import Client
from .ledger import Ledger, Progress
from .processes import HostProcess, Machine, Network, NoAnswer
from .threads import SimulatedEvent


class Watcher(Client):
    """A client that follows a match to its end, at one host after the other."""

    def __init__(self, name: str, network: Network, ledger: Ledger, match: str, seat: Seat | None, key: str | None):
        super().__init__(name, network, ledger)
        self.match, self.seat, self.key = match, seat, key
        self.progress = Progress(name, match)
        ledger.watchers.append(self.progress)
        self._ended = False

    def watch(self) -> None:
        """Fetch every event, once and in order."""
        while not self._ended:
            self._machine = self.network.machines[self.world.below(len(self.network.machines))]
            try:
                self._follow(self._machine)
            except NoAnswer:
                self.progress.follows_since_ms = None
                self.pause(400)
        self.say(f"has seen {self.progress.fetched} events, and the end")

    def entries(self, process: HostProcess, since: int) -> Iterator[HistoryEntry]:
        """Yield the events from `since` on as they happen: those that the host yields, or those after each callback."""
        way = self.world.below(3)
        if way:
            yield from process.host.watch(self.match, self.key, since, None if way == 1 else 2000)
            return
        changed = SimulatedEvent(self.world, "a callback")
        unsubscribe = process.host.subscribe(self.match, changed.set)
        try:
            while True:
                changed.clear()
                ended = process.host.about(self.match).status in FINISHED
                new = process.host.history(self.match, self.key, since)
                yield from new
                if ended:
                    return
                since += len(new)
                changed.wait()
        finally:
            unsubscribe()

    def _follow(self, machine: Machine) -> None:
        """Fetch events from one host, until it dies, the connection breaks, or the match has ended."""
        arrived, left = SimulatedEvent(self.world, "an event of the match"), SimulatedEvent(self.world)
        since = self.progress.fetched

        def serve(process: HostProcess) -> None:
            watching = self.entries(process, since)
            try:
                for place, entry in enumerate(watching, since):
                    if left.is_set():
                        return
                    if entry.seq != place:
                        self.world.violate(
                            f"{self.name} watches from {since}: instead of event {place} comes {entry.seq}"
                        )
                        return
                    self.ledger.show(self.match, self.seat, entry)
                    self.progress.fetched = entry.seq + 1
                    arrived.set()
                about = process.host.about(self.match)
                self._ended = about.status in FINISHED and about.count == self.progress.fetched
            except (StoreError, NewerRules):
                pass
            finally:
                left.set()
                arrived.set()

        process, self.progress.follows_since_ms = machine.process, self.world.now_ms
        self.network.serve(machine, f"stream to {self.name}", serve)
        while process is machine.process and not left.is_set():
            arrived.wait(1.0)
            arrived.clear()
            if self.network.weather.strikes("losses", 12):
                left.set()
        left.set()
