"""Hosts as processes that start, are killed and start again, and the network between them and their clients."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import KifuError
from ...game import Game
from ...host import Host
from ...host.clock import SteadyClock
from ...host.threads import InlineThreads
from ...match.bot import Bot
from ...stores.store import Store
from .faulty_store import FaultyStore, Hub
from .threads import SimulatedEvent, SimulatedThreads
from .weather import Weather
from .world import Task, World

EPOCH_MS = 1_800_000_000_000
"""What the clocks of all hosts show when the world begins."""
BOT_TIMEOUT_MS = 6_000
ANSWER_MS = 2_500
"""How long a client waits for an answer."""
MakeHost = Callable[..., Host]


class NoAnswer(Exception):  # noqa: N818 (what a client finds)
    """The request was lost, or its answer, or it is still being worked at."""


class HostProcess:
    """One life of a host."""

    def __init__(self, machine: Machine, life: int) -> None:
        self.machine = machine
        self.name = f"{machine.name}.{life}"
        self.is_alive = True
        world, game = machine.world, machine.game
        self.clock = SteadyClock(machine.wall_ns, lambda: int(world.now_ms * 1_000_000))
        self.threads = SimulatedThreads(world, self, self.name)
        self.host = machine.make_host(
            FaultyStore(machine.make_store(), self, machine.hub),
            find=lambda _: game,
            clock=self.clock,
            entropy=world.bytes,
            bots=machine.bots,
            stand_in=None if world.chance(2) else next(iter(machine.bots.values())),
            bot_timeout_ms=BOT_TIMEOUT_MS,
            cache_size=(1, 256, 256)[world.below(3)],
            engine="kifu simulation",
            threads=self.threads,
        )
        stop = SimulatedEvent(world)
        self.threads.start(lambda: self.host.run_scheduler(stop), "scheduler")  # type: ignore[arg-type]

    @property
    def is_cut_off(self) -> bool:
        """Whether it cannot reach the store."""
        return self.machine.is_cut_off

    def kill(self) -> None:
        """End it at whatever it does; called outside of all tasks."""
        self.is_alive = False
        for task in self.machine.world.tasks:
            if task.process is self:
                task.kill()


class Machine:
    """A machine, with a clock, on which a host runs."""

    def __init__(
        self,
        name: str,
        hub: Hub,
        *,
        make_store: Callable[[], Store],
        make_host: MakeHost,
        game: Game[Any, Any, Any],
        bots: Mapping[str, Bot],
    ) -> None:
        self.name, self.hub, self.world, self.weather = name, hub, hub.world, hub.weather
        self.make_store, self.make_host, self.game, self.bots = make_store, make_host, game, bots
        self.is_cut_off = False
        self.ahead_ms = 0.0
        """How far its wall's clock is ahead of virtual time."""
        self.left_at_ms = 0
        """The latest time of a host that was killed, which it may have stored nowhere but in what is due."""
        self._lives = 0
        self.process: HostProcess | None = None

    def wall_ns(self) -> int:
        """Return what its wall's clock shows, in nanoseconds since the Unix epoch."""
        return int((EPOCH_MS + self.world.now_ms + self.ahead_ms) * 1_000_000)

    def start(self) -> None:
        """Start a host, if none runs."""
        if self.process is None:
            self._lives += 1
            self.process = HostProcess(self, self._lives)
            self.world.trace(self.process.name, "starts")

    def upgrade(self, game: Game[Any, Any, Any]) -> None:
        """Let its next host play this version of the game; kill the one that runs.

        Before, an operator runs `replay store witness`, as nobody else knows any more what the killed host has shown.
        """
        self.crash()
        older = Host(
            self.make_store(),
            find=lambda _: self.game,
            clock=lambda: self.wall_ns() // 1_000_000,
            threads=InlineThreads(),
        )
        deque(older.write_witnesses(), maxlen=0)
        self.game = game
        self.world.trace(self.name, f"is upgraded to rules version {game.rules}")

    def crash(self) -> None:
        """Kill its host, if one runs."""
        if self.process is not None:
            self.world.trace(self.process.name, "is killed")
            process, self.process = self.process, None
            self.left_at_ms = max(self.left_at_ms, process.clock())
            process.kill()


class Network:
    """What clients reach the hosts through: it loses requests and answers, and delays them."""

    def __init__(self, world: World, weather: Weather, machines: list[Machine]) -> None:
        self.world, self.weather, self.machines = world, weather, machines

    def serve(self, machine: Machine, name: str, work: Callable[[HostProcess], object]) -> Task:
        """Start a task at the host of a machine; raises `NoAnswer` if there is none."""
        process = machine.process
        if process is None:
            raise NoAnswer
        return self.world.start(f"{process.name} {name}", lambda: work(process), process, self.weather.latency_ms())

    def ask(self, machine: Machine, name: str, call: Callable[[Host], Any]) -> Any:
        """Return what a host answers, or raise the error that it answers with; raises `NoAnswer`."""
        answered = SimulatedEvent(self.world, f"an answer to {name}")
        answers: list[tuple[Any, Exception | None]] = []

        def work(process: HostProcess) -> None:
            answer: tuple[Any, Exception | None]
            try:
                answer = call(process.host), None
            except KifuError as error:
                answer = None, error
            if not self.weather.strikes("losses", 20):
                self.world.later(self.weather.latency_ms(), lambda: deliver(answer))

        def deliver(answer: tuple[Any, Exception | None]) -> None:
            answers.append(answer)
            answered.set()

        if self.weather.strikes("losses", 20):
            self.world.sleep(ANSWER_MS)
            raise NoAnswer
        self.serve(machine, name, work)
        if not answered.wait(ANSWER_MS / 1000) or not answers:
            raise NoAnswer
        value, error = answers[0]
        if error is not None:
            raise error
        return value
