"""Clients: they open matches, join, play, propose and watch, and send again what was not answered."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any

from attrs import evolve

from ...errors import Conflict, KeyRefused, KifuError, MatchError, NewerRules, StoreError
from ...game import RuleViolation, Seat
from ...host import Host, Observation, Proposal, Receipt
from ...stores import FINISHED
from ...trust.fair import commitment
from .ledger import Known, Ledger
from .processes import Network, NoAnswer
from .world import World

BOT = "steady"


class Client:
    """Somebody who asks hosts, and asks again."""

    def __init__(self, name: str, network: Network, ledger: Ledger) -> None:
        self.name, self.network, self.ledger = name, network, ledger
        self.world: World = network.world
        self._machine = network.machines[self.world.below(len(network.machines))]

    def say(self, what: str) -> None:
        """Add a line to the trace."""
        self.world.trace(self.name, what)

    def pause(self, most_ms: float) -> None:
        """Wait for a while."""
        self.world.sleep(self.world.random() * most_ms)

    def ask_once(self, what: str, call: Callable[[Host], Any]) -> Any:
        """Return a host's answer; raises `NoAnswer` or the host's error, and turns to another host after either."""
        try:
            return self.network.ask(self._machine, f"{what} of {self.name}", call)
        except (NoAnswer, StoreError, NewerRules) as failure:
            self._machine = self.network.machines[self.world.below(len(self.network.machines))]
            raise NoAnswer from failure

    def ask(self, what: str, call: Callable[[Host], Any]) -> Any:
        """Return an answer, whatever it takes; raises the error that a host answers with, but for the store's."""
        while True:
            try:
                return self.ask_once(what, call)
            except NoAnswer:
                self.pause(400)
            except MatchError as refused:
                if "other hosts kept changing" not in str(refused):
                    raise
                self.pause(400)


class Player(Client):
    """A client at a seat, to the end of the match."""

    def __init__(self, name: str, network: Network, ledger: Ledger, known: Known, seat: int, key: str | None) -> None:
        super().__init__(name, network, ledger)
        self.known, self.match, self.seat = known, known.match, Seat(seat)
        self._take(key)
        self.is_away = known.terms.turn_limit_ms is not None and self.world.chance(2)
        """Whether it never acts, so that the stand-in must."""
        self._sent = 0
        self._unmade = 0
        self._void = 0
        """The number of the last proposal that the holder before was asked for: with a new key it has expired."""

    def _take(self, key: str | None) -> None:
        self.key = key
        if key is not None:
            self.known.keys[self.seat] = key

    def play(self) -> None:
        """Join if need be, and play until the match has ended."""
        if self.key is None and not self.join():
            return
        while True:
            before = self.ledger.known_of(self.match)
            try:
                observation = self.ask("observe", lambda host: host.observe(self.match, self.key))
            except KeyRefused:
                self.ask_for_new_key()
                continue
            self.ledger.see(self.match, self.seat, observation, before)
            if observation.status in FINISHED:
                self.play_again(observation.count)
                return
            try:
                self.act(observation)
            except (Conflict, RuleViolation, MatchError) as refused:
                self.say(f"is refused: {type(refused).__name__}")
            except KeyRefused:
                self.ask_for_new_key()
            self.pause(500)

    def act(self, observation: Observation) -> None:
        """Do what there is to do."""
        if observation.status == "open":
            if self.known.terms.fair:
                self.take_part()
            elif len(self.known.keys) > 1 and self.world.chance(6):
                self.propose_end()
            return
        if self.is_away:
            return
        for proposal in observation.proposals:
            if proposal.state == "pending" and proposal.waiting_for and proposal.number <= self._void:
                self.world.violate(f"match {self.match[:4]}: proposal {proposal.number} is older than a player's key")
            if proposal.state == "pending" and self.seat in proposal.waiting_for:
                self.answer(proposal)
                return
            self.follow_fork(proposal)
        if self.seat in observation.to_act:
            self.submit(observation)
        elif self.world.chance(10):
            self.propose(observation)

    def answer(self, proposal: Proposal) -> None:
        """Accept a proposal, or reject it."""
        answers, number = Host.reject if self.world.chance(4) else Host.accept, proposal.number
        if answers is Host.accept:
            count = proposal.count if proposal.kind == "take_back" else None
            self.ledger.consents.add((self.match, self.seat, proposal.kind, proposal.target, count))
        self.ledger.decide(self.match, self.ask("answer", lambda host: answers(host, self.match, self.key, number)))
        self.say(f"answers proposal {number}")

    def submit(self, observation: Observation) -> None:
        """Submit a command; again with the same key until it is answered."""
        self._sent += 1
        sent = f"{self.name} {self._sent}".encode()
        command = observation.legal[self.world.below(len(observation.legal))]
        if self.seat and self.world.chance(12):
            self.replace_key(command, observation.count)
        self.say(f"submits {command} at {observation.count}")

        def submit(host: Host) -> Receipt:
            return host.submit(self.match, self.key, command, observation.count, sent)

        before = self.ledger.known_of(self.match)
        try:
            receipt = self.ask("submit", submit)
        except (Conflict, RuleViolation, MatchError) as refused:
            if not isinstance(refused, MatchError):  # else maybe for now: of newer rules, and an older host has it too
                self.ledger.refused.append((self.match, self.seat, sent))
            if isinstance(refused, Conflict):
                self.ledger.tell(self.match, refused.count, before=(before[0], False))
            raise
        self.say(f"has a receipt of event {receipt.seq}")
        self.ledger.acknowledge(self.match, self.seat, sent, receipt.seq, observation.count)
        if self.world.chance(8):
            self.pause(800)
            again = self.ask("submit again", submit)
            if (again.seq, again.count, again.mark) != (receipt.seq, receipt.count, receipt.mark):
                self.world.violate(f"match {self.match[:4]}: a command sent again has another receipt")

    def propose(self, observation: Observation) -> None:
        """Propose to take back, to fork or to end."""
        to = observation.count - 2
        if self.world.chance(6):
            self.propose_end()
            return
        self.ledger.asked_for.add(self.match)
        if self.world.chance(3):
            proposal = self.fork(max(to, 0))
        else:
            self.ledger.consents.add((self.match, self.seat, "take_back", to, None))
            proposal = self.ask("take back", lambda host: host.take_back(self.match, self.key, to))
        self.ledger.decide(self.match, proposal)
        self.say(f"proposes {proposal.number}: {proposal.kind} {proposal.target}, {proposal.state}")

    def fork(self, events: int) -> Proposal:
        """Propose a fork, which is made at once if the match has ended, and play on in it."""
        self.ledger.asked_for.add(self.match)
        self.ledger.consents.add((self.match, self.seat, "fork", events, None))
        proposal: Proposal = self.ask("fork", lambda host: host.fork(self.match, self.key, events))
        self.follow_fork(proposal)
        return proposal

    def play_again(self, count: int) -> None:
        """Play on now and then from before the end of a match."""
        if self.known.parent is None and count and self.world.chance(8):
            with suppress(MatchError, KeyRefused):
                self.fork(self.world.below(count))

    def propose_end(self) -> None:
        """Propose to end the match."""
        self.ledger.asked_for.add(self.match)
        self.ledger.consents.add((self.match, self.seat, "abandon", 0, None))
        proposal = self.ask("abandon", lambda host: host.abandon(self.match, self.key))
        self.ledger.decide(self.match, proposal)
        self.say(f"proposes {proposal.number}: abandon, {proposal.state}")

    def follow_fork(self, proposal: Proposal) -> None:
        """See that a fork on which all have agreed is made, and play on in it, unless somebody does already."""
        if proposal.kind != "fork" or proposal.waiting_for or proposal.fork is None:
            return
        if proposal.state == "pending":  # its host was killed, or is about it
            try:
                self.ask("make a fork", lambda host: host.accept(self.match, self.key, proposal.number))
            except MatchError as refused:
                self._unmade += "here already" in str(refused)
                if self._unmade > 2:  # before, another host was making it
                    self.world.violate(f"match {self.match[:4]}: its fork is there, and cannot be noted")
        elif proposal.state == "accepted" and proposal.fork not in self.ledger.matches and self.known.parent is None:
            terms, keys = evolve(self.known.terms, fair=False), dict(self.known.keys)
            fork = Known(proposal.fork, terms, "fork", keys, set(self.known.renewed))
            fork.parent, fork.shared, fork.forked_at = self.match, proposal.target, proposal.count
            self.ledger.matches[proposal.fork] = fork
            self.say(f"plays on in {proposal.fork[:4]}")
            for seat, key in keys.items():
                player = Player(f"{self.name} fork {seat}", self.network, self.ledger, fork, seat, key)
                player.is_away = self.is_away
                self.world.start(player.name, player.play)

    def secret(self, attempt: int) -> bytes:
        """Return the secret for an attempt at the fair deal."""
        secret = sha256(f"{self.name} {attempt}".encode()).digest()
        self.known.secrets[self.seat, attempt] = secret
        return secret

    def join(self) -> bool:
        """Take the seat; if the answer was lost, ask the operator for a new key. Return whether it has one."""
        promised = commitment(self.match, 1, self.seat, self.secret(1)) if self.known.terms.fair else None
        while True:
            try:
                joined = self.ask_once(
                    "join", lambda host: host.join(self.match, self.name, self.seat, commitment=promised)
                )
                self._take(joined.key)
                self.say(f"joins as seat {self.seat}")
                return True
            except NoAnswer:
                self.pause(400)
            except MatchError:  # it has joined before, or nobody can any more
                if self.ask("about", lambda host: host.about(self.match)).status == "abandoned":
                    return False
                self.ask_for_new_key()
                return True

    def replace_key(self, command: Any, count: int) -> None:
        """Have the key replaced at another host; the old one opens nothing any more, at this host either."""
        old, here = self.key, self._machine
        self._machine = self.network.machines[self.world.below(len(self.network.machines))]
        self.ask_for_new_key(is_lost=True)
        stolen = f"{self.name} {self._sent} stolen".encode()
        self.ledger.refused.append((self.match, self.seat, stolen))
        with suppress(NoAnswer, KifuError):
            submit = partial(Host.submit, match=self.match, key=old, command=command, expected_events=count)
            self.network.ask(here, "a thief", lambda host: submit(host, idempotency_key=stolen))
            self.world.violate(f"match {self.match[:4]}: the old key of {self.name} opens its seat")

    def ask_for_new_key(self, *, is_lost: bool = False) -> None:
        """Get a new key from the operator."""
        if not is_lost and self.key is not None and self.seat not in self.known.renewed:
            self.world.violate(f"match {self.match[:4]}: the key of {self.name} was refused")
        self.known.renewed.add(self.seat)
        proposed = self.ledger.proposed.get(self.match, 0)
        opened = self.ask("new key", lambda host: host.rotate_keys(self.match, [self.seat]))
        self._void = proposed
        self._take(opened.keys[self.seat])
        self.say("has a new key")

    def take_part(self) -> None:
        """Reveal, or commit anew, in a fair deal."""
        trust = self.ask("about", lambda host: host.about(self.match)).trust
        if trust.phase == "revealing" and not trust.seats[self.seat].revealed and not self.world.chance(4):
            digest, secret = sha256(trust.roster).digest(), self.secret(trust.attempt)
            if (self.seat, trust.attempt) in self.known.revealed:
                self.world.violate(
                    f"match {self.match[:4]}: the secret of {self.name} was taken, and is asked for again"
                )
            self.ask("reveal", lambda host: host.reveal(self.match, self.key, trust.attempt, digest, secret))
            self.known.revealed.add((self.seat, trust.attempt))
            self.say(f"reveals in attempt {trust.attempt}")
        elif trust.phase == "renewing" and trust.seats[self.seat].commitment is None:
            renewed = commitment(self.match, trust.attempt, self.seat, self.secret(trust.attempt))
            self.ask("renew", lambda host: host.renew(self.match, self.key, trust.attempt, renewed))
            self.say(f"commits anew to attempt {trust.attempt}")
