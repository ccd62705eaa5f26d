"""A store as a host reaches it in a simulation: other tasks run inside each call, and calls fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from attrs import define, field

from ...errors import KifuError, StoreError
from ...stores.store import (
    NEWEST,
    Append,
    Change,
    Claim,
    MetadataRow,
    Query,
    Schedule,
    Store,
    StoredLog,
    Update,
    changed_by,
)
from .weather import Weather
from .world import Killed, World

T = TypeVar("T")
AWAY_MS = 300
"""How long a call waits for a store that cannot be reached."""
AGAIN_MS = 200
"""How often a notification that cannot be delivered is tried again."""


class Process(Protocol):
    """The process of a host, as its connection to the store knows it."""

    name: str
    is_alive: bool

    @property
    def is_cut_off(self) -> bool:
        """Whether it cannot reach the store."""


@define(eq=False)
class Subscription:
    """A callback of a host that is called after a change."""

    process: Process
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
        if each.process.is_cut_off:
            self.world.later(AGAIN_MS, lambda: self._deliver(each))
            return
        each.pending = False
        if each.process.is_alive and each in self.subscriptions:
            each.callback()


class FaultyStore:
    """A connection of one host to a store; before and after each call something else may happen."""

    def __init__(self, inner: Store, process: Process, hub: Hub) -> None:
        self._inner, self._process, self._hub = inner, process, hub
        self._world, self._weather = hub.world, hub.weather

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        """Make changes."""

        def committed() -> Sequence[KifuError | None]:
            answers = self._inner.commit(changes)
            for change, failure in zip(changes, answers, strict=True):
                if failure is None and isinstance(change, Append):
                    self._hub.grew_at_ms[change.match] = self._world.now_ms
            for match in changed_by(changes, answers):
                self._hub.changed(match)
            return answers

        what = ", ".join(map(_said, changes))
        try:
            answers: Sequence[KifuError | None] = self._call(what, "", committed, refused=_refused)
        except StoreError as failure:
            return [failure] * len(changes)
        return answers

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log."""
        found: StoredLog = self._call("read", match, lambda: self._inner.read(match, since))
        return found

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the rows that fit."""
        return iter(self._call("list", "", lambda: list(self._inner.list(query))))

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[Claim]:
        """Claim what is due."""
        found: Sequence[Claim] = self._call(
            "claim", "", lambda: self._inner.claim(now_ms, until_ms, limit, is_bot=is_bot), quiet=lambda got: not got
        )
        return found

    def earliest_due(self) -> int | None:
        """Return when something is next due."""
        found: int | None = self._call("earliest due", "", self._inner.earliest_due, quiet=lambda _: True)
        return found

    def probe(self) -> None:
        """Write, and change nothing."""
        self._call("probe", "", self._inner.probe)

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change: the hub does, so that no thread of the store is needed."""
        each = Subscription(self._process, match, callback)

        def unsubscribe() -> None:
            if each in self._hub.subscriptions:
                self._hub.subscriptions.remove(each)

        def subscribed() -> None:
            self._inner.read(match, 1 << 40)
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
        if self._process.is_cut_off or fate == "before":
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
        if self._process.is_cut_off or fate == "after":
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
        if self._process.is_cut_off:
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
