"""Clients: who opens matches, joins, plays, proposes and watches, and sends again what was not answered.

And a bystander, who looks whenever a match has changed, and asks for what must be refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any

from attrs import evolve

from ...errors import Conflict, KeyRefused, KifuError, MatchError, NewerRules, StoreError
from ...game import TABLE, RuleViolation, Seat
from ...host import HistoryEntry, Host, Observation, OpenedMatch, Proposal, Receipt, Terms
from ...host.threads import InlineThreads
from ...stores import FINISHED
from ...stores.store import HEADER_ALONE, Store
from ...trust.formulas import commitment
from .checks import BOT, EVERY, Known, Ledger
from .hosts import HostProcess, Machine, Network, NoAnswer
from .rounds import GAME, Play
from .world import EPOCH_MS, SimulatedEvent, World


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
            if proposal.status == "pending" and proposal.waiting_for and proposal.number <= self._void:
                self.world.violate(f"proposal {proposal.number} is older than a player's key", self.match)
            if proposal.status == "pending" and self.seat in proposal.waiting_for:
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
                self.world.violate("a command sent again has another receipt", self.match)

    def propose(self, observation: Observation) -> None:
        """Propose to take back, to fork or to end."""
        to = observation.count - 2
        if self.world.chance(6):
            self.propose_end()
        elif self.world.chance(3):
            self.fork(max(to, 0))
        else:
            self._propose("take_back", to, lambda host: host.take_back(self.match, self.key, to))

    def fork(self, events: int) -> None:
        """Propose a fork, which is made at once if the match has ended, and play on in it."""
        self.follow_fork(self._propose("fork", events, lambda host: host.fork(self.match, self.key, events)))

    def propose_end(self) -> None:
        """Propose to end the match."""
        self._propose("abandon", 0, lambda host: host.abandon(self.match, self.key))

    def _propose(self, kind: str, target: int, call: Callable[[Host], Proposal]) -> Proposal:
        self.ledger.asked_for.add(self.match)
        self.ledger.consents.add((self.match, self.seat, kind, target, None))
        proposal: Proposal = self.ask(kind, call)
        self.ledger.decide(self.match, proposal)
        self.say(f"proposes {proposal.number}: {kind} {target}, {proposal.status}")
        return proposal

    def play_again(self, count: int) -> None:
        """Play on now and then from before the end of a match."""
        if self.known.parent is None and count and self.world.chance(8):
            with suppress(MatchError, KeyRefused):
                self.fork(self.world.below(count))

    def follow_fork(self, proposal: Proposal) -> None:
        """See that a fork on which all have agreed is made, and play on in it, unless somebody does already."""
        if proposal.kind != "fork" or proposal.waiting_for or proposal.fork is None:
            return
        if proposal.status == "pending":  # its host was killed, or is about it
            try:
                self.ask("make a fork", lambda host: host.accept(self.match, self.key, proposal.number))
            except MatchError as refused:
                self._unmade += "here already" in str(refused)
                if self._unmade > 2:  # before, another host was making it
                    self.world.violate("its fork is there, and cannot be noted", self.match)
        elif proposal.status == "accepted" and proposal.fork not in self.ledger.matches and self.known.parent is None:
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
        try:
            joined = self.ask("join", lambda host: host.join(self.match, self.name, self.seat, commitment=promised))
        except MatchError:  # it has joined before, or nobody can any more
            if self.ask("about", lambda host: host.about(self.match)).status == "abandoned":
                return False
            self.ask_for_new_key()
            return True
        self._take(joined.key)
        self.say(f"joins as seat {self.seat}")
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
            self.world.violate(f"the old key of {self.name} opens its seat", self.match)

    def ask_for_new_key(self, *, is_lost: bool = False) -> None:
        """Get a new key from the operator."""
        if not is_lost and self.key is not None and self.seat not in self.known.renewed:
            self.world.violate(f"the key of {self.name} was refused", self.match)
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
                self.world.violate(f"the secret of {self.name} was taken, and is asked for again", self.match)
            self.ask("reveal", lambda host: host.reveal(self.match, self.key, trust.attempt, digest, secret))
            self.known.revealed.add((self.seat, trust.attempt))
            self.say(f"reveals in attempt {trust.attempt}")
        elif trust.phase == "renewing" and trust.seats[self.seat].commitment is None:
            renewed = commitment(self.match, trust.attempt, self.seat, self.secret(trust.attempt))
            self.ask("renew", lambda host: host.renew(self.match, self.key, trust.attempt, renewed))
            self.say(f"commits anew to attempt {trust.attempt}")


class Watcher(Client):
    """A client that follows a match to its end, at one host after the other."""

    def __init__(self, name: str, network: Network, ledger: Ledger, match: str, seat: int | None, key: str | None):
        super().__init__(name, network, ledger)
        self.match, self.seat, self.key = match, seat, key
        self.fetched = 0
        self.follows_since_ms: float | None = None
        """Since when it has followed at the same host; None between two."""
        ledger.watchers.append(self)
        self._ended = False

    def watch(self) -> None:
        """Fetch every event, once and in order."""
        while not self._ended:
            self._machine = self.network.machines[self.world.below(len(self.network.machines))]
            try:
                self._follow(self._machine)
            except NoAnswer:
                self.follows_since_ms = None
                self.pause(400)
        self.say(f"has seen {self.fetched} events, and the end")

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
        since = self.fetched

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
                    self.fetched = entry.seq + 1
                    arrived.set()
                about = process.host.about(self.match)
                self._ended = about.status in FINISHED and about.count == self.fetched
            except (StoreError, NewerRules):
                pass
            finally:
                left.set()
                arrived.set()

        process, self.follows_since_ms = machine.process, self.world.now_ms
        self.network.serve(machine, f"stream to {self.name}", serve)
        while process is machine.process and not left.is_set():
            arrived.wait(1.0)
            arrived.clear()
            if self.network.weather.strikes("losses", 12):
                left.set()
        left.set()


class Bystander:
    """Somebody with a host of his own, which draws nothing and changes nothing, whenever a match has changed."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        clock, threads = (lambda: EPOCH_MS), InlineThreads()
        self._host = Host(store, find=lambda _: GAME, clock=clock, threads=threads)
        self._store, self._ledger = store, ledger

    def look(self, match: str) -> None:
        """Look at what there is to see of it, and ask for what must be refused."""
        stored = self._store.read(match, HEADER_ALONE)
        if stored.end is None:
            self._is_refused(match, "its log is told, and it goes on", self._host.log)
        if stored.row.status != "going":
            self._look_at_the_lobby()
        known = self._ledger.matches.get(match)
        if known is None:
            return
        for seat, key in known.keys.items():
            if stored.row.status == "going":
                with suppress(KifuError):
                    self._act_at_a_wrong_time(match, stored.count, seat, key)
            elif stored.row.status == "open":
                join = partial(self._host.join, commitment=bytes(32) if known.terms.fair else None)
                self._is_refused(match, f"seat {seat} was taken, and somebody else joins it", join, "stranger", seat)
                other = next(each for each in (*known.keys, TABLE) if each != seat)
                self._is_refused(match, f"seat {seat} has removed another", self._host.remove_player, key, other)

    def _act_at_a_wrong_time(self, match: str, count: int, seat: int, key: str) -> None:
        """Act as if unaware of the last events, or of others than there are; look for what may be looked at once."""
        for number in [number for decided, number in self._ledger.decided if decided == match and number][-1:]:
            said = f"proposal {number} was decided, and could be accepted"
            self._is_refused(match, said, self._host.accept, key, number)
        *before, last = self._host.history(match, key, count - 3)
        if any(note.momentary for each in before for note in each.notes):
            self._ledger.world.violate(f"seat {seat} is shown again what it may look at once", match)
        for command in self._host.observe(match, key).legal[:1]:
            said = f"a command chosen after {count + 100} events was taken"
            self._is_refused(match, said, self._host.submit, key, command, count + 100)
            if isinstance(last.command, Play) and last.seat != seat:
                said = f"seat {seat} acted at {count}, too early"
                self._is_refused(match, said, self._host.submit, key, command, count - 1)

    def _is_refused(self, match: str, said: str, call: Callable[..., object], *args: Any) -> None:
        """Ask for what must be refused, and note what has happened if it is not."""
        with suppress(KifuError):
            call(match, *args)
            self._ledger.world.violate(said, match)

    def _look_at_the_lobby(self) -> None:
        """Look for what is not public, and for what is missing."""
        say, listed = self._ledger.world.violate, {each.match: each for each in self._host.lobby(EVERY)}
        for each in listed.values():
            if not each.terms.public or (each.status == "open" and None not in each.seats):
                say("a lobby lists it, and it is not public, or has not begun", each.match)
        for match, known in self._ledger.matches.items():
            if known.terms.public and match not in listed:
                say("it is public, and no lobby lists it", match)


TURN_LIMIT_MS = (1500, 3000)
REVEAL_MS = 4000
KINDS = ("named", "joined", "timed", "timed", "bots", "bots", "fair")
"""The kinds of matches: all seats named, seats that are joined, turn limits, bots, a fair deal; often with due work."""


class Opener(Client):
    """A client that opens a match, and sees to it that its seats are played and watched."""

    def run(self, kind: str) -> None:
        """Open a match of a kind, and start its players and watchers."""
        seats, terms = 2 + self.world.below(2), self.terms(kind)
        free = kind in ("joined", "fair")
        names = [None if free or seat in terms.bots else f"{self.name} seat {seat}" for seat in range(seats)]
        opened: OpenedMatch = self.ask("open", lambda host: host.open("rounds", names, {}, terms))
        known = Known(opened.match, terms, kind)
        self.ledger.matches[opened.match] = known
        self.say(f"opens {opened.match[:4]}, {kind}, {seats} seats")
        if any(opened.keys[seat] is not None for seat in terms.bots):
            self.world.violate("a bot's seat has a key", opened.match)
        if kind == "joined":
            self.visit(opened.match, Seat(seats - 1))
        for seat in range(seats):
            if seat not in terms.bots:
                player = Player(f"{self.name} seat {seat}", self.network, self.ledger, known, seat, opened.keys[seat])
                self.world.start(player.name, player.play)
        for number in range(2 + self.world.below(2)):
            key = opened.keys[0] if number else None
            viewer = None if key is None else Seat(0)
            watcher = Watcher(f"{self.name} watcher {number}", self.network, self.ledger, opened.match, viewer, key)
            self.world.start(watcher.name, watcher.watch)

    def visit(self, match: str, seat: int) -> None:
        """Take a seat and leave it again: its key opens nothing any more."""
        try:
            key = self.ask_once("join as a guest", lambda host: host.join(match, "guest", seat)).key
        except NoAnswer:  # a guest sits there who knows of nothing: the player asks for the key
            return
        with suppress(KeyRefused):  # it has left, and did not hear it
            self.ask("leave", lambda host: host.remove_player(match, key, seat))
        with suppress(KeyRefused):
            self.ask("look as a guest", lambda host: host.observe(match, key))
            self.world.violate("the key of whoever has left opens its seat", match)

    def terms(self, kind: str) -> Terms:
        """Return the terms of a match of a kind."""
        limit = TURN_LIMIT_MS[self.world.below(2)] if kind == "timed" or self.world.chance(3) else None
        bots = {0: BOT, 1: BOT} if self.world.chance(3) else {1: BOT}
        return Terms(
            turn_limit_ms=limit,
            bots=bots if kind == "bots" else {},
            bot_delay_ms=self.world.below(400),
            fair=kind == "fair",
            public=kind in ("named", "joined"),
            reveal_ms=REVEAL_MS,
        )


TRIES = 5
"""How often a host is asked in the calm, until it answers."""


class Auditor(Client):
    """A client that asks each host for all that it shows."""

    def __init__(self, machine: Machine, network: Network, ledger: Ledger) -> None:
        super().__init__(f"auditor {machine.name}", network, ledger)
        self._machine = self._audited = machine
        self.is_done = False

    def compare(self) -> None:
        """Ask for what every viewer is shown of every match; the ledger compares it."""
        for match, known in list(self.ledger.matches.items()):  # a client may still open one
            viewers: list[tuple[int | None, str | None]] = [(None, None), *known.keys.items()]
            for seat, key in viewers:
                try:
                    self._show(match, seat, key)
                except NoAnswer:
                    self.world.violate(f"{self._audited.name} does not answer, though nothing disturbs it")
                except KeyRefused as error:
                    if seat not in known.renewed:
                        self.world.violate(f"{self._audited.name} refuses the key of seat {seat}: {error}")
                except NewerRules as error:
                    if error.rules <= self._audited.game.version:
                        self.world.violate(f"{self._audited.name} takes match {match[:4]} for one of newer rules")
                except KifuError as error:
                    self.world.violate(f"{self._audited.name} shows match {match[:4]} to nobody: {error}")
        self.is_done = True

    def _show(self, match: str, seat: int | None, key: str | None) -> None:
        before = self.ledger.known_of(match)
        observation = self._answer(lambda host: host.observe(match, key))
        self.ledger.see(match, seat, observation, before)
        for entry in self._answer(lambda host: host.history(match, key)):
            self.ledger.show(match, seat, entry, marks=entry.seq + 1 == observation.count)
        about = self._answer(lambda host: host.about(match))
        shown = observation.count, observation.status, observation.result
        if (about.count, about.status, about.result) != shown or about.terms != self.ledger.matches[match].terms:
            self.world.violate(f"{self._audited.name}: what it says about match {match[:4]} is not what it shows")

    def _answer(self, call: Callable[[Host], Any]) -> Any:
        """Return the host's answer; a task that the storm has stalled may hold the match for a while."""
        for _ in range(TRIES):
            with suppress(NoAnswer):
                return self.network.ask(self._audited, f"audit of {self._audited.name}", call)
        raise NoAnswer
