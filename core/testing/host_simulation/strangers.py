"""Strangers: they ask for what must be refused."""

from __future__ import annotations

from contextlib import suppress

from ...errors import KifuError
from ...game import Seat
from .clients import Client
from .ledger import Known, Ledger
from .processes import Network, NoAnswer


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
