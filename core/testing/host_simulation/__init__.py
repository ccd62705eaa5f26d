"""Deterministic simulation of hosts over one store: clients, watchers and bots, and every fault, from one seed.

A run is a storm, then a calm in which everything must come to its end, then the checks.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from typing import Any

from attrs import field, frozen

from ...game import Game
from ...host import Host, Terms
from ...host.metadata import metadata_of
from ...log import read_bytes
from ...match.bot import InformationState
from ...stores import MemoryStore
from ...stores.store import HEADER_ALONE, Store, log_bytes_of
from .checks import EVERY, Ledger, away, check_logs, steady_place
from .clients import KINDS, Auditor, Bystander, Opener
from .hosts import GOING, Hub, Machine, MakeHost, Network, Thinking
from .rounds import BREAKING, GAME, NEWER
from .world import FAULTS, Fault, Weather, World

__all__ = ["FAULTS", "Report", "Setting", "host_simulation"]

STEPS = 2000
CALM_MS = 240_000
"""How much virtual time the calm may take at most."""
WATCH_MS = 500
"""How often the calm is looked at."""
LATE_MS = 1_200
"""How long a watcher may have to wait for an event in the calm."""
THINKING_MS = 600
"""How long a bot thinks at most, as a rule."""
LONG_MS = 5_600
"""How long it thinks now and then in the calm: longer than a claim lasts that is not renewed."""
GRACE_MS = 9_000 + LONG_MS
"""How late a deadline may be met in the calm: a bot's lease lapses, the match rests after a failure, a bot thinks."""
ALONE_SHARE = 0.5
"""How many seconds a second each host lets bots think in matches that nobody else plays."""
WITNESSED_MS = 6_000
"""How long an event of the calm may go without a witness."""
SETTLED_MS = 6_000
"""How long the calm has lasted when the claims of the storm have lapsed."""
ROLL_OUT_MS = 6_000
"""How long it takes at most until the next host is upgraded."""
MAX_BEHIND_MS = 9_000
"""How far a host's idea of the store's clock may be behind, after an answer that took long."""


@frozen
class Setting:
    """Everything that a run depends on."""

    seed: int
    steps: int = STEPS
    """How many things happen in the storm."""
    hosts: int = 3
    matches: int = 3
    faults: frozenset[Fault] = field(default=FAULTS, converter=frozenset)


@frozen
class Report:
    """What a run has shown."""

    setting: Setting
    trace: tuple[str, ...]
    """What happened, a line each: seconds, who, what."""
    digest: str
    """The digest of the trace; the same setting has the same."""
    violations: tuple[str, ...]
    """What should never be; empty if all is well."""
    acknowledged: int
    """How many commands were acknowledged."""

    @property
    def ok(self) -> bool:
        """Whether nothing was violated."""
        return not self.violations


def host_simulation(
    setting: Setting, make_store: Callable[[], Store] | None = None, make_host: MakeHost = Host
) -> Report:
    """Simulate hosts over one store, with clients, watchers and bots, in one thread; return what was seen.

    `make_store` returns a connection to the store, empty at first: it is called for each host that starts. By default
    the store is in memory. Everything is drawn from the seed.
    """
    simulation = Simulation(setting, make_store, make_host)
    collects = gc.isenabled()
    gc.disable()  # it would end what waits at moments of its own
    try:
        return simulation.run()
    finally:
        simulation.close()
        if collects:
            gc.enable()


class Simulation:
    """One run."""

    def __init__(self, setting: Setting, make_store: Callable[[], Store] | None, make_host: MakeHost) -> None:
        self.setting = setting
        self.world = World(setting.seed)
        self.weather = Weather(self.world, setting.faults)
        self.hub = Hub(self.world, self.weather)
        self.ledger = Ledger(self.world)
        newer = (BREAKING, NEWER, NEWER, None, None, None)[self.world.below(6)]
        self._newer = newer if "upgrades" in setting.faults else None
        """What the hosts are upgraded to; None: to nothing."""
        self.game: Game[Any, Any, Any] = self._newer or GAME
        """The newest version that any host plays."""
        self.ledger.breaks = newer is BREAKING and self._newer is not None
        self._opened: dict[int, Store] = {}
        self._make_store = make_store or cache(MemoryStore)  # one for all hosts
        self.store = self._connect()
        self.machines = [
            Machine(f"host {number}", self.hub, self._connect, make_host, self._bot) for number in range(setting.hosts)
        ]
        self.thinking = Thinking(self.world, self.store, lambda _: self.game, self.machines)
        self.network = Network(self.world, self.weather, self.machines)
        self.hub.looks = Bystander(self.store, self.ledger).look
        self._calm_since_ms = 0.0
        self._counts: dict[str, list[int]] = {}
        """How many events each match that goes on had whenever it was looked at in the calm."""

    def _connect(self) -> Store:
        store = self._make_store()
        self._opened[id(store)] = store
        return store

    def _bot(self, machine: Machine, info_state: InformationState[Any, Any]) -> Any:
        """Choose by how many events there are, after a while."""
        place = steady_place(len(info_state.history), info_state.seat, len(info_state.legal))
        thinks_ms = self.weather.latency_ms() + self.world.random() * THINKING_MS
        if not self.weather.is_calm or self.world.now_ms < self._calm_since_ms + SETTLED_MS or machine.process is None:
            self.world.sleep(thinks_ms)
            return info_state.legal[place]
        with self.thinking.of(machine.process, info_state):
            self.world.sleep(LONG_MS if self.world.chance(3) else thinks_ms)
        return info_state.legal[place]

    def close(self) -> None:
        """End all tasks, and close all connections."""
        self.world.end()
        for store in self._opened.values():
            store.close()

    def run(self) -> Report:
        """Run the storm and the calm, and check what is left."""
        for machine in self.machines:
            machine.start()
        for number in range(self.setting.matches):
            opener = Opener(f"m{number}", self.network, self.ledger)
            kind = KINDS[self.world.below(len(KINDS))]
            self.world.start(opener.name, lambda opener=opener, kind=kind: opener.run(kind))  # type: ignore[misc]
        self.world.later(self.world.random() * 1000, self._disturb)
        self.world.later(self.world.random() * ROLL_OUT_MS, lambda: self._roll_out(self.machines[:]))
        self.world.run(lambda: self.world.steps < self.setting.steps)
        self._become_calm()
        self.world.run(self._goes_on)
        self._check_nothing_waits()
        self._compare_hosts()
        check_logs(self.store, self.game, self.ledger, self.hub.appended_at_ms)
        world = self.world
        return Report(
            self.setting, tuple(world.lines), world.digest, tuple(world.violations), len(self.ledger.acknowledged)
        )

    def _disturb(self) -> None:
        """Disturb one machine, and again after a while, as long as it is not calm."""
        if self.weather.is_calm:
            return
        machine = self.machines[self.world.below(len(self.machines))]
        of_one_clock = [machine] if self.world.chance(2) else self.machines
        kind = ("crashes", "partitions", "clocks")[self.world.below(3)]
        lasts_ms = self.world.random() * 4000
        if kind == "crashes" and self.weather.has("crashes"):
            machine.crash()
            self.world.later(lasts_ms, machine.start)
        elif kind == "partitions" and self.weather.has("partitions") and not machine.is_cut_off:
            self.world.trace(machine.name, "is cut off")
            machine.is_cut_off = True
            self.world.later(lasts_ms, lambda: self._reconnect(machine))
        elif kind == "clocks" and self.weather.has("clocks"):
            jump_ms = (-3_600_000, -1000, 700, 3_600_000)[self.world.below(4)] * self.world.random()
            for each in of_one_clock:
                each.ahead_ms += jump_ms
                self.world.trace(each.name, f"its clock jumps by {jump_ms:.0f} ms")
        self.world.later(self.world.random() * 2500, self._disturb)

    def _roll_out(self, left: list[Machine]) -> None:
        """Upgrade one of these machines, and the others later."""
        if self._newer is None or not left or self.weather.is_calm:
            return
        machine = left.pop(self.world.below(len(left)))
        machine.upgrade(self._newer)
        self.world.later(self.world.random() * 1000, machine.start)
        self.world.later(self.world.random() * ROLL_OUT_MS, lambda: self._roll_out(left))

    def _reconnect(self, machine: Machine) -> None:
        if machine.is_cut_off:
            self.world.trace(machine.name, "reaches the store again")
            machine.is_cut_off = False

    def _become_calm(self) -> None:
        """End all faults, and start all hosts."""
        self.world.trace("weather", "calm")
        self.weather.is_calm = True
        self._calm_since_ms = self.world.now_ms
        is_completed = self.world.chance(2)
        for machine in self.machines:
            self._reconnect(machine)
            if is_completed and self._newer not in (None, machine.game):
                machine.upgrade(self.game)
            machine.start()
        self.world.hurry(WATCH_MS)
        self.world.later(WATCH_MS, self._watch_deadlines)

    @property
    def _busy(self) -> list[str]:
        """The clients that are not done yet, and what they wait for."""
        return [
            f"{task.name} ({task.waits_for or 'goes on'})"
            for task in self.world.tasks
            if task.process is None and not task.done
        ]

    def _goes_on(self) -> bool:
        """Return True until all clients are done, or the calm has lasted too long."""
        if self.world.steps % 16:
            return True
        return bool(self._busy) and self.world.now_ms < self._calm_since_ms + CALM_MS and not self.world.violations

    def _check_nothing_waits(self) -> None:
        if self._busy and not self.world.violations:
            self.world.violate(f"after {CALM_MS // 1000} calm seconds there still wait: {', '.join(self._busy)}")

    def _watch_deadlines(self) -> None:
        """Note each match whose deadline has passed, though nothing disturbs the hosts."""
        self.world.later(WATCH_MS, self._watch_deadlines)
        self._watch_watchers()
        self._watch_witnesses()
        for match, row in self.store.list(EVERY):
            known = self.ledger.matches.get(match)
            if known is None or row.status not in ("open", "going"):
                continue
            last_ms = max(self._calm_since_ms, self.hub.grew_at_ms.get(match, 0.0))
            limit_ms = self._limit_ms(match, known.terms, row.status)
            waited_ms = self.world.now_ms - last_ms
            late_ms = 0 if limit_ms is None else waited_ms - limit_ms - MAX_BEHIND_MS
            if late_ms > GRACE_MS and late_ms > self._grace_ms(match, known.terms):
                said = f"nothing has happened for {waited_ms / 1000:.0f} calm seconds, its limit is {limit_ms} ms"
                self.world.violate(said, match)

    def _watch_watchers(self) -> None:
        """Note each watcher that is not shown what has been in the store for a while."""
        for each in self.ledger.watchers:
            if each.follows_since_ms is None:
                continue
            grew_at_ms = self.hub.grew_at_ms.get(each.match, 0.0)
            since_ms = max(self._calm_since_ms + WATCH_MS, each.follows_since_ms, grew_at_ms)
            if self.world.now_ms > since_ms + LATE_MS and self.store.read(each.match, 1 << 40).count > each.fetched:
                self.world.violate(f"{each.name} is not shown event {each.fetched}, which has been there for a while")

    def _watch_witnesses(self) -> None:
        """Note each match with an event of the calm that goes without a witness; an older host is to write others."""
        for match, row in self.store.list(GOING) if self._newer is None else ():
            counts = self._counts.setdefault(match, [])
            counts.append(self.store.read(match, HEADER_ALONE).count)
            due, written = counts[: -WITNESSED_MS // WATCH_MS], metadata_of(row, match).witnessed_to
            if due and counts[0] < due[-1] and written < due[-1]:
                self.world.violate(f"event {written} goes without a witness, though hosts rest", match)

    def _grace_ms(self, match: str, terms: Terms) -> float:
        """Return how late a deadline may be met; bots alone take turns, and all of them have a share of the time."""
        folded = read_bytes(log_bytes_of(self.store.read(match)), lambda _: self.game).match
        if folded is None or len(terms.bots) + len(away(folded.events) - set(terms.bots)) < len(folded.header.seats):
            return GRACE_MS
        return GRACE_MS + LONG_MS / ALONE_SHARE * len(self.ledger.matches)

    def _limit_ms(self, match: str, terms: Terms, status: str) -> int | None:
        """Return how long nothing may happen in a match; None: for ever."""
        if status != "going":
            return None
        if terms.turn_limit_ms is not None or not terms.bots:
            return terms.turn_limit_ms
        folded = read_bytes(log_bytes_of(self.store.read(match)), lambda _: self.game).match
        return terms.bot_delay_ms if folded is not None and folded.to_act & set(terms.bots) else None

    def _compare_hosts(self) -> None:
        """Ask every host for what it shows every viewer."""
        auditors = [Auditor(machine, self.network, self.ledger) for machine in self.machines]
        for auditor in auditors:
            self.world.start(auditor.name, auditor.compare)
        until_ms = self.world.now_ms + CALM_MS
        self.world.run(lambda: self.world.now_ms < until_ms and not all(each.is_done for each in auditors))
        for auditor in auditors:
            if not auditor.is_done:
                self.world.violate(f"{auditor.name} waits for ever")
