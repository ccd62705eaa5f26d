"""Clients: they open matches, join, play, propose and watch, and send again what was not answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any

from ...errors import Conflict, KeyRefused, KifuError, MatchError, NewerRules, StoreError
from ...game import RuleViolation, Seat
from ...host import HistoryEntry, Host, Observation, OpenedMatch, Proposal, Receipt, Terms
from ...stores import FINISHED
from ...trust.fair import commitment
from .ledger import Known, Ledger, Progress
from .processes import HostProcess, Machine, Network, NoAnswer
from .threads import SimulatedEvent
from .world import World

BOT = "steady"
TURN_LIMIT_MS = (1500, 3000)
REVEAL_MS = 4000
KINDS = ("named", "joined", "timed", "timed", "bots", "bots", "fair")
"""The kinds of matches: all seats named, seats that are joined, turn limits, bots, a fair deal; often with due work."""


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
        self._void = 0
        """The number of the last proposal that the holder before was asked for: with a new key it has expired."""

    def _take(self, key: str | None) -> None:
        self.key = key
        if key is not None:
            self.known.keys[self.seat] = key

    def play(self) -> None:
        """Join if need be, and play until the match has ended."""
        if self.key is None:
            self.join()
        while True:
            before = self.ledger.known_of(self.match)
            try:
                observation = self.ask("observe", lambda host: host.observe(self.match, self.key))
            except KeyRefused:
                self.ask_for_new_key()
                continue
            self.ledger.see(self.match, self.seat, observation, before)
            if observation.status in FINISHED:
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
            return
        if self.is_away:
            return
        for proposal in observation.proposals:
            if proposal.state == "pending" and proposal.waiting_for and proposal.number <= self._void:
                self.world.violate(f"match {self.match[:4]}: proposal {proposal.number} is older than a player's key")
            if proposal.state == "pending" and self.seat in proposal.waiting_for:
                self.answer(proposal)
                return
        if self.seat in observation.to_act:
            self.submit(observation)
        elif self.world.chance(15):
            self.propose(observation)

    def answer(self, proposal: Proposal) -> None:
        """Accept a proposal, or reject it."""
        answers, number = Host.reject if self.world.chance(4) else Host.accept, proposal.number
        if answers is Host.accept:
            count = proposal.count if proposal.kind == "take_back" else None
            self.ledger.consents.add((self.match, self.seat, proposal.kind, proposal.target, count))
        self.ask("answer", lambda host: answers(host, self.match, self.key, number))
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

        try:
            receipt = self.ask("submit", submit)
        except (Conflict, RuleViolation, MatchError):
            self.ledger.refused.append((self.match, self.seat, sent))
            raise
        self.say(f"has a receipt of event {receipt.seq}")
        self.ledger.acknowledge(self.match, self.seat, sent, receipt.seq, observation.count)

    def propose(self, observation: Observation) -> None:
        """Propose to take back, to fork or to end."""
        to = observation.count - 2
        consent = self.match, self.seat
        if self.world.chance(6):
            self.ledger.consents.add((*consent, "abandon", 0, None))
            proposal = self.ask("abandon", lambda host: host.abandon(self.match, self.key))
        elif self.world.chance(3):
            proposal = self.ask("fork", lambda host: host.fork(self.match, self.key, max(to, 0)))
        else:
            self.ledger.consents.add((*consent, "take_back", to, None))
            proposal = self.ask("take back", lambda host: host.take_back(self.match, self.key, to))
        self.say(f"proposes {proposal.number}: {proposal.kind} {proposal.target}, {proposal.state}")

    def secret(self, attempt: int) -> bytes:
        """Return the secret for an attempt at the fair deal."""
        secret = sha256(f"{self.name} {attempt}".encode()).digest()
        self.known.secrets[self.seat, attempt] = secret
        return secret

    def join(self) -> None:
        """Take the seat; if the answer was lost, ask the operator for a new key."""
        promised = commitment(self.match, 1, self.seat, self.secret(1)) if self.known.terms.fair else None
        while True:
            try:
                joined = self.ask_once(
                    "join", lambda host: host.join(self.match, self.name, self.seat, commitment=promised)
                )
                self._take(joined.key)
                self.say(f"joins as seat {self.seat}")
                return
            except NoAnswer:
                self.pause(400)
            except MatchError:  # it has joined before, or nobody can any more
                if self.ask("about", lambda host: host.about(self.match)).status != "abandoned":
                    self.ask_for_new_key()
                return

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
            self.ask("reveal", lambda host: host.reveal(self.match, self.key, trust.attempt, digest, secret))
            self.say(f"reveals in attempt {trust.attempt}")
        elif trust.phase == "renewing" and trust.seats[self.seat].commitment is None:
            renewed = commitment(self.match, trust.attempt, self.seat, self.secret(trust.attempt))
            self.ask("renew", lambda host: host.renew(self.match, self.key, trust.attempt, renewed))
            self.say(f"commits anew to attempt {trust.attempt}")


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


class Opener(Client):
    """A client that opens a match, and sees to it that its seats are played and watched."""

    def run(self, kind: str) -> None:
        """Open a match of a kind, and start its players and watchers."""
        seats, terms = 2 + self.world.below(2), self.terms(kind)
        free = kind in ("joined", "fair")
        names = [None if free or seat in terms.bots else f"{self.name} seat {seat}" for seat in range(seats)]
        opened = self._opened(names, terms)
        known = Known(opened.match, terms, kind)
        self.ledger.matches[opened.match] = known
        self.say(f"opens {opened.match[:4]}, {kind}, {seats} seats")
        for seat in range(seats):
            if seat not in terms.bots:
                player = Player(f"{self.name} seat {seat}", self.network, self.ledger, known, seat, opened.keys[seat])
                self.world.start(player.name, player.play)
        for number in range(2 + self.world.below(2)):
            key = opened.keys[0] if number else None
            viewer = None if key is None else Seat(0)
            watcher = Watcher(f"{self.name} watcher {number}", self.network, self.ledger, opened.match, viewer, key)
            self.world.start(watcher.name, watcher.watch)

    def _opened(self, names: list[str | None], terms: Terms) -> OpenedMatch:
        """Open the match; one whose answer was lost is nobody's, and another is opened."""
        while True:
            try:
                opened: OpenedMatch = self.ask_once("open", lambda host: host.open("rounds", names, {}, terms))
                return opened
            except NoAnswer:
                self.pause(400)

    def terms(self, kind: str) -> Terms:
        """Return the terms of a match of a kind."""
        limit = TURN_LIMIT_MS[self.world.below(2)] if kind == "timed" or self.world.chance(3) else None
        bots = {Seat(0): BOT, Seat(1): BOT} if self.world.chance(3) else {Seat(1): BOT}
        return Terms(
            turn_limit_ms=limit,
            bots=bots if kind == "bots" else {},
            bot_delay_ms=self.world.below(400),
            fair=kind == "fair",
            reveal_ms=REVEAL_MS,
        )
