"""A store in memory: for tests, and for tables whose matches may be forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock

from attrs import define

from ..errors import Conflict, NoMatch, StoreError, Why
from .store import NEWEST, Kept, Query, Sheet, Standing, check_known, check_new
from .wakes import Wakes

NAME = "memory:"


@define
class _Log:
    head: bytes
    events: list[bytes]
    end: bytes | None
    sheet: Sheet

    @property
    def standing(self) -> Standing:
        return Standing(bool(self.head), len(self.events), self.end is not None, self.sheet.version)


class MemoryStore:
    """Logs for as long as the process lives."""

    def __init__(self) -> None:
        self._logs: dict[str, _Log] = {}
        self._lock = Lock()
        self._wakes = Wakes()
        self._closed = False

    def create(self, match: str, head: bytes, sheet: Sheet) -> None:
        """Begin a log, or a sheet whose log begins later."""
        check_new(NAME, match)
        with self._lock:
            self._check_open()
            if match in self._logs:
                raise Conflict(match, 0, len(self._logs[match].events))
            self._logs[match] = _Log(bytes(head), [], None, sheet)
        self._wakes.ring(match)

    def append(
        self,
        match: str,
        at: int,
        events: Sequence[bytes],
        *,
        head: bytes | None = None,
        end: bytes | None = None,
        sheet: Sheet | None = None,
        version: int | None = None,
    ) -> None:
        """Add events, and whatever else comes with them."""
        with self._lock:
            log = self._find(match)
            log.standing.check_append(match, at, events, head, end, sheet, version)
            log.head = head or log.head
            log.events.extend(events)
            log.end = end
            log.sheet = sheet or log.sheet
        self._wakes.ring(match)

    def revise(self, match: str, sheet: Sheet) -> None:
        """Put the next sheet in the place of the one that is kept."""
        with self._lock:
            log = self._find(match)
            log.standing.check_sheet(match, sheet)
            log.sheet = sheet
        self._wakes.ring(match)

    def read(self, match: str, since: int = 0) -> Kept:
        """Give the log from event `since` on, and its sheet."""
        with self._lock:
            log = self._find(match)
            since = min(max(since, 0), len(log.events))
            return Kept(log.head, since, tuple(log.events[since:]), log.end, log.sheet)

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, Sheet]]:
        """Give the ids and sheets that the query asks for."""
        with self._lock:
            self._check_open()
            sheets = [(match, log.sheet) for match, log in self._logs.items()]
        return iter(choose(sheets, query))

    def subscribe(self, match: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after each change of the match; the answer ends that."""
        with self._lock:
            self._find(match)
        return self._wakes.subscribe(match, wake)

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._closed = True
            self._logs.clear()
        self._wakes.close()

    def _find(self, match: str) -> _Log:
        self._check_open()
        check_known(match)
        if match not in self._logs:
            raise NoMatch(match)
        return self._logs[match]

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(NAME, Why("store-closed", "it is closed"))


def choose(sheets: Iterable[tuple[str, Sheet]], query: Query) -> list[tuple[str, Sheet]]:
    """Choose, of all sheets, those that the query asks for, in the order in which a store lists them."""

    def fits(sheet: Sheet) -> bool:
        asked = ((query.game, sheet.game), (query.status, sheet.status), (query.public, sheet.public))
        return all(wanted is None or wanted == there for wanted, there in asked)

    def place(changed: int, match: str) -> tuple[int, str]:
        return -changed, match

    rows = sorted((place(sheet.changed, match), match, sheet) for match, sheet in sheets if fits(sheet))
    after = None if query.before is None else place(*query.before)
    page = [(match, sheet) for where, match, sheet in rows if after is None or where > after]
    return page[: max(query.limit, 0)]
