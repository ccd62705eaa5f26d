"""A store as a host reaches it in a simulation: other tasks run inside each call, and calls fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar, cast

from attrs import define, field

from ...errors import KifuError, StoreError
from ...stores.store import NEWEST, Append, Due, MetadataRow, Query, Store, StoredLog, TogetherStore
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

    def changed(self, match: str) -> None:
        """Notify all who have subscribed to the match, each once for what happens at the same time."""
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

    def create(self, match: str, header: bytes, row: MetadataRow) -> None:
        """Store a new match."""
        self._change("create", match, lambda: self._inner.create(match, header, row))

    def append(self, match: str, expected_events: int, events: Sequence[bytes], **more: Any) -> None:
        """Append events."""
        what = f"append {len(events)} at {expected_events}{' and end' if more.get('end') else ''}"
        self._change(what, match, lambda: self._inner.append(match, expected_events, events, **more), grows=True)

    def append_together(self, appends: Sequence[Append]) -> Sequence[KifuError | None]:
        """Append events to several matches, together if the store can."""

        def appended() -> Sequence[KifuError | None]:
            failures = self._inner_together(appends)
            for each, failure in zip(appends, failures, strict=True):
                if failure is None:
                    self._hub.grew_at_ms[each.match] = self._world.now_ms
                    self._hub.changed(each.match)
            return failures

        what = f"append together {len(appends)}:"
        failures: Sequence[KifuError | None] = self._call(what, appends[0].match, appended)
        return failures

    def _inner_together(self, appends: Sequence[Append]) -> Sequence[KifuError | None]:
        if hasattr(self._inner, "append_together"):
            return cast("TogetherStore", self._inner).append_together(appends)
        return [each.failure_in(self._inner) for each in appends]

    def update(self, match: str, row: MetadataRow) -> None:
        """Replace the metadata row."""
        self._change(f"update to {row.version}", match, lambda: self._inner.update(match, row))

    def delete(self, match: str, version: int) -> None:
        """Delete a match."""
        self._change("delete", match, lambda: self._inner.delete(match, version))

    def read(self, match: str, since: int = 0) -> StoredLog:
        """Return the log."""
        found: StoredLog = self._call("read", match, lambda: self._inner.read(match, since))
        return found

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        """Return the rows that fit."""
        return iter(self._call("list", "", lambda: list(self._inner.list(query))))

    def schedule(self, match: str, expected_events: int, due: Due) -> None:
        """Set when something is due."""
        what = f"schedule {'never' if due.at_ms is None else due.at_ms} at {expected_events}"
        self._call(what, match, lambda: self._inner.schedule(match, expected_events, due))

    def claim(self, now_ms: int, until_ms: int, limit: int, *, is_bot: bool) -> Sequence[str]:
        """Claim what is due."""
        found: Sequence[str] = self._call(
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

    def _change(self, what: str, match: str, work: Callable[[], None], *, grows: bool = False) -> None:
        def changed() -> None:
            work()
            if grows:
                self._hub.grew_at_ms[match] = self._world.now_ms
            self._hub.changed(match)

        self._call(what, match, changed)

    def _call(self, what: str, match: str, work: Callable[[], T], *, quiet: Callable[[T], bool] = lambda _: False) -> T:
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
