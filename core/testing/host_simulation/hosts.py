"""Hosts as processes that start, are killed and start again; how they reach the store, and clients them.

Other tasks run inside each call of the store, and calls fail. A host alone asks a bot, unless its claim has lapsed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from attrs import define, field

from ...errors import KifuError, StoreError
from ...game import Game
from ...host import Host
from ...host.threads import InlineThreads, StoreClock
from ...log import read_bytes
from ...match.bot import InformationState
from ...stores.store import HEADER_ALONE, Append, Change, Query, Schedule, Store, Update, changed_by, log_bytes_of
from .checks import BOT
from .rounds import GAME
from .world import EPOCH_MS, Killed, SimulatedEvent, SimulatedThreads, Task, Weather, World

T = TypeVar("T")
AWAY_MS = 300
"""How long a call waits for a store that cannot be reached."""
AGAIN_MS = 200
"""How often a notification that cannot be delivered is tried again."""


@define(eq=False)
class Subscription:
    """A callback of a host that is called after a change."""

    process: HostProcess
    match: str
    callback: Callable[[], None]
    pending: bool = False


@define
class Hub:
    """What all connections to the store share: who is to be notified, and when each log grew."""

    world: World
    weather: Weather
    subscriptions: list[Subscription] = field(factory=list)
    grew_at_ms: dict[str, float] = field(factory=dict)
    appended_at_ms: dict[tuple[str, int], float] = field(factory=dict)
    """When each event was appended; a host says when in the log, by its clock."""
    looks: Callable[[str], None] = lambda _: None
    """Called with each match that has changed."""

    def changed(self, match: str) -> None:
        """Notify all who have subscribed to the match, each once for what happens at the same time."""
        self.looks(match)
        for each in self.subscriptions:
            if each.match == match and not each.pending:
                each.pending = True
                self.world.later(self.weather.latency_ms(), lambda each=each: self._deliver(each))  # type: ignore[misc]

    def _deliver(self, each: Subscription) -> None:
        if each.process.machine.is_cut_off:
            self.world.later(AGAIN_MS, lambda: self._deliver(each))
            return
        each.pending = False
        if each.process.is_alive and each in self.subscriptions:
            each.callback()


class FaultyStore:
    """A connection of one host to a store; before and after each call something else may happen."""

    def __init__(self, inner: Store, process: HostProcess, hub: Hub) -> None:
        self._inner, self._process, self._hub = inner, process, hub
        self._world, self._weather = hub.world, hub.weather
        self.epoch = inner.epoch

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes."""

        def committed() -> Sequence[KifuError | None]:
            answers = self._inner.commit(changes)
            for change, failure in zip(changes, answers, strict=True):
                if failure is None and isinstance(change, Append):
                    self._hub.grew_at_ms[change.match] = self._world.now_ms
                    for seq in range(change.expected_events, change.expected_events + len(change.events)):
                        self._hub.appended_at_ms[change.match, seq] = self._world.now_ms
            for match in changed_by(changes, answers):
                self._hub.changed(match)
            return answers

        what = ", ".join(map(_said, changes))
        try:
            answers: Sequence[KifuError | None] = self._call(what, "", committed, refused=_refused)
        except StoreError as failure:
            return [failure] * len(changes)
        return answers

    def __getattr__(self, name: str) -> Any:
        """Return another method of the store, as `read`; the trace is silent of calls that find nothing to do."""
        method = getattr(self._inner, name)

        def call(*args: Any, **more: Any) -> Any:
            match, work = args[0] if name == "read" else "", partial(method, *args, **more)
            return self._call(name, match, work, quiet=lambda found: name == "earliest_due" or found == [])

        return call

    def now_ms(self) -> int:
        """Return the time by the store's clock, which nothing disturbs."""
        now_ms: int = self._call("now", "", lambda: EPOCH_MS + int(self._world.now_ms), quiet=lambda _: True)
        return now_ms

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change: the hub does, so that no thread of the store is needed."""
        each = Subscription(self._process, match, callback)

        def unsubscribe() -> None:
            if each in self._hub.subscriptions:
                self._hub.subscriptions.remove(each)

        def subscribed() -> None:
            self._inner.read(match, HEADER_ALONE)
            self._hub.subscriptions.append(each)

        try:
            self._call("subscribe", match, subscribed)
        except BaseException:
            unsubscribe()
            raise
        return unsubscribe

    def close(self) -> None:
        """Do nothing: the simulation closes what it has opened."""

    def _call(
        self,
        what: str,
        match: str,
        work: Callable[[], T],
        *,
        quiet: Callable[[T], bool] = lambda _: False,
        refused: Callable[[T], str] = lambda _: "",
    ) -> T:
        """Carry a call out, at some moment between its beginning and its end, unless a fault comes in between."""
        said = f"{what} {match[:4]}".strip()
        self._wait()
        fate = self._weather.fate()
        if self._process.machine.is_cut_off or fate == "before":
            self._fail(f"{said}: fails before")
        value: T | None = None
        refusal: KifuError | None = None
        try:
            value = work()
            said += refused(value)
        except KifuError as error:
            refusal = error
            said += f": {type(error).__name__}"
        if refusal is not None or not quiet(value):  # type: ignore[arg-type]
            self._world.trace(self._process.name, said)
        self._wait()
        if self._process.machine.is_cut_off or fate == "after":
            self._fail(f"{said}: fails after")
        if refusal is not None:
            raise refusal
        return value  # type: ignore[return-value]

    def _wait(self) -> None:
        if not self._process.is_alive:
            raise Killed
        self._world.sleep(self._weather.latency_ms())

    def _fail(self, what: str) -> None:
        self._world.trace(self._process.name, what)
        if self._process.machine.is_cut_off:
            self._world.sleep(AWAY_MS)
        raise StoreError("simulated", "the connection broke")


def _said(change: Change) -> str:
    """Return what a change is, for the trace."""
    match change:
        case Append():
            what = f"append {len(change.events)} at {change.expected_events}{' and end' if change.end else ''}"
        case Update():
            what = f"update to {change.row.version}"
        case Schedule():
            due_ms = change.due.at_ms
            what = f"schedule {'never' if due_ms is None else due_ms} at {change.expected_events}"
        case _:
            what = type(change).__name__.lower()
    return f"{what} {change.match[:4]}"


def _refused(answers: Sequence[KifuError | None]) -> str:
    """Return what was refused, for the trace."""
    refused = [f"{place} {type(each).__name__}" for place, each in enumerate(answers) if each is not None]
    return f": {', '.join(refused)}" if refused else ""


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
        self.threads = SimulatedThreads(world, self, self.name)
        store = FaultyStore(machine.make_store(), self, machine.hub)
        self.host = machine.make_host(
            store,
            find=lambda _: game,
            clock=StoreClock(store.now_ms, machine.wall_ns, lambda: int(world.now_ms * 1_000_000)),
            entropy=world.bytes,
            bots={BOT: machine.bot},
            stand_in=None if world.chance(2) else machine.bot,
            bot_timeout_ms=BOT_TIMEOUT_MS,
            cache_bytes=(1, 1 << 28, 1 << 28)[world.below(3)],
            engine="kifu simulation",
            threads=self.threads,
        )
        stop = SimulatedEvent(world)
        self.threads.start(lambda: self.host.run_scheduler(stop), "scheduler")  # type: ignore[arg-type]

    def kill(self) -> None:
        """End it at whatever it does; called outside of all tasks."""
        self.is_alive = False
        for task in self.machine.world.tasks:
            if task.process is self:
                task.kill()


class Machine:
    """A machine, with a clock, on which a host runs."""

    def __init__(
        self, name: str, hub: Hub, make_store: Callable[[], Store], make_host: MakeHost, bot: Callable[..., Any]
    ) -> None:
        """Start hosts of the first version; `bot` is given the machine, and what its seat knows."""
        self.name, self.hub, self.world, self.weather = name, hub, hub.world, hub.weather
        self.make_store, self.make_host, self.bot = make_store, make_host, partial(bot, self)
        self.game: Game[Any, Any, Any] = GAME
        self.is_cut_off = False
        self.ahead_ms = 0.0
        """How far its wall's clock is ahead of virtual time."""
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
            clock=lambda: EPOCH_MS + int(self.world.now_ms),
            threads=InlineThreads(),
        )
        deque(older.write_witnesses(), maxlen=0)
        self.game = game
        self.world.trace(self.name, f"is upgraded to rules version {game.version}")

    def crash(self) -> None:
        """Kill its host, if one runs."""
        if self.process is not None:
            self.world.trace(self.process.name, "is killed")
            process, self.process = self.process, None
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


MAX_APART_MS = 700
"""How far the clocks of all hosts may be apart, for the claim of one to hold for the others until it is renewed."""
GOING = Query(status="going", limit=1 << 30)


@define
class Thinking:
    """The bots that think in a calm, and for which host."""

    world: World
    store: Store
    find: Callable[[str], Game[Any, Any, Any]]
    machines: Sequence[Machine]
    _hosts: dict[tuple[str, int], HostProcess] = field(factory=dict)
    """Who asks for the next command of a match after so many events."""

    @contextmanager
    def of(self, process: HostProcess, info_state: InformationState[Any, Any]) -> Iterator[None]:
        """Note that a host asks a bot while the context lasts, and that another one does already."""
        match = self._match_of(info_state)
        if match is None:
            yield
            return
        place = match, len(info_state.history)
        other = self._hosts.get(place)
        if other is not None and other is not process and other.is_alive and self._agree():
            said = f"after {place[1]} events {process.name} asks a bot that {other.name} has asked"
            self.world.violate(said, match)
        self._hosts[place] = process
        try:
            yield
        finally:
            if self._hosts.get(place) is process:
                del self._hosts[place]

    def _agree(self) -> bool:
        """Return whether the clocks of all hosts show about the same time."""
        clocks = [each.process.host._context.clock() for each in self.machines if each.process is not None]
        return max(clocks) - min(clocks) < MAX_APART_MS

    def _match_of(self, info_state: InformationState[Any, Any]) -> str | None:
        """Return the match in which a seat knows this; None if there are several, or it has gone on."""
        found = [match for match, _ in self.store.list(GOING) if self._fits(match, info_state)]
        return found[0] if len(found) == 1 else None

    def _fits(self, match: str, info_state: InformationState[Any, Any]) -> bool:
        folded = read_bytes(log_bytes_of(self.store.read(match)), self.find).match
        if folded is None or len(folded.events) != len(info_state.history) or info_state.seat not in folded.to_act:
            return False
        return bool(folded.view(info_state.seat) == info_state.view)
