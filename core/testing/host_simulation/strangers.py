"""Strangers and bystanders: they ask for what must be refused, and look at what everybody may see."""

from __future__ import annotations

from contextlib import suppress

from ...errors import KifuError
from ...game import TABLE, Seat
from ...host import Host
from ...host.threads import InlineThreads
from ...stores.store import HEADER_ALONE, Query, Store
from .clients import Client
from .ledger import Known, Ledger
from .processes import EPOCH_MS, Network, NoAnswer
from .rounds import GAME, Play

EVERY = Query(limit=1 << 30)
"""A query of all rows."""


class Stranger(Client):
    """A client that asks for what must be refused."""

    def __init__(self, name: str, network: Network, ledger: Ledger, known: Known) -> None:
        super().__init__(name, network, ledger)
        self.known, self.match = known, known.match
        self._sent = 0

    def run(self) -> None:
        """Try one thing after the other."""
        for _ in range(6):
            self.pause(4000)
            seats = sorted(self.known.keys)
            if not seats:
                continue
            seat = seats[self.world.below(len(seats))]
            tried = (self._seat_that_is_taken, self._proposal_that_is_decided, self._command_from_the_future)
            with suppress(NoAnswer, KifuError):
                tried[self.world.below(3)](seat, self.known.keys[seat])

    def _seat_that_is_taken(self, seat: Seat, _: str) -> None:
        promised = bytes(32) if self.known.terms.fair else None
        self.ask_once("join", lambda host: host.join(self.match, self.name, seat, commitment=promised))
        self.world.violate(f"match {self.match[:4]}: seat {seat} was taken, and somebody else has joined it")

    def _proposal_that_is_decided(self, _: Seat, key: str) -> None:
        decided = [number for match, number in self.ledger.decided if match == self.match and number]
        if decided:
            number = decided[self.world.below(len(decided))]
            self.ask_once("accept", lambda host: host.accept(self.match, key, number))
            self.world.violate(f"match {self.match[:4]}: proposal {number} was decided, and could be accepted")

    def _command_from_the_future(self, seat: Seat, key: str) -> None:
        observation = self.ask_once("observe", lambda host: host.observe(self.match, key))
        if observation.legal:
            self._sent += 1
            sent, count = f"{self.name} {self._sent}".encode(), observation.count + 100
            self.ledger.refused.append((self.match, seat, sent))
            self.ask_once("submit", lambda host: host.submit(self.match, key, observation.legal[0], count, sent))
            self.world.violate(f"match {self.match[:4]}: a command chosen after {count} events was taken")


class Bystander:
    """Somebody with a host of his own, which draws nothing and changes nothing, whenever a match has changed."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        clock, threads = (lambda: EPOCH_MS), InlineThreads()
        self._host = Host(store, find=lambda _: GAME, clock=clock, threads=threads)
        self._store, self._ledger = store, ledger

    def look(self, match: str) -> None:
        """Look at what there is to see of it, and ask for what must be refused."""
        stored = self._store.read(match, HEADER_ALONE)
        with suppress(KifuError):
            self._host.log(match)
            if stored.end is None:
                self._say(match, "its log is told, and it goes on")
        if stored.row.status != "going":
            self._look_at_the_lobby()
        keys = self._ledger.matches[match].keys if match in self._ledger.matches else {}
        for seat, key in keys.items():
            with suppress(KifuError):
                if stored.row.status == "going":
                    self._look_at_the_last_events(match, stored.count, seat, key)
                elif stored.row.status == "open":
                    self._host.remove_player(match, key, next(each for each in (*keys, TABLE) if each != seat))
                    self._say(match, f"seat {seat} has removed another")

    def _say(self, match: str, what: str) -> None:
        self._ledger.world.violate(f"match {match[:4]}: {what}")

    def _look_at_the_lobby(self) -> None:
        """Look for what is not public, and for what is missing."""
        listed = {each.match: each for each in self._host.lobby(EVERY)}
        for each in listed.values():
            if not each.terms.public or (each.status == "open" and None not in each.seats):
                self._say(each.match, "a lobby lists it, and it is not public, or has not begun")
        for match, known in self._ledger.matches.items():
            if known.terms.public and match not in listed:
                self._say(match, "it is public, and no lobby lists it")

    def _look_at_the_last_events(self, match: str, count: int, seat: Seat, key: str) -> None:
        """Look for what a seat may look at once, and act at a turn that was not its own yet, as if unaware of it."""
        *before, last = self._host.history(match, key, count - 3)
        if any(note.momentary for each in before for note in each.notes):
            self._say(match, f"seat {seat} is shown again what it may look at once")
        if isinstance(last.command, Play) and last.seat != seat:
            for command in self._host.observe(match, key).legal[:1]:
                self._host.submit(match, key, command, count - 1)
                self._say(match, f"seat {seat} acted at {count}, too early")
