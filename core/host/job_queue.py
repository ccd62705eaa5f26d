"""The jobs that wait for the judge: what people wait for, then what computes; those of one match in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from .job import Held, Job
from .live_match import LiveMatch
from .match_cache import MatchCache

MAX_JOBS = 32
"""The most jobs of one transaction."""


class JobQueue:
    """Jobs that wait; it belongs to the judge, and is used under its lock."""

    def __init__(self, cache: MatchCache, has_room: Callable[[Job[Any], LiveMatch, Sequence[Held]], bool]) -> None:
        """Wait for the matches of a cache; `has_room` returns whether a job can begin beside those taken already."""
        self._cache, self._has_room = cache, has_room
        self._queues: tuple[deque[Job[Any]], deque[Job[Any]]] = deque(), deque()
        """What people wait for, and what computes."""
        self._passed_over = False
        """Whether what computes was taken last time, and not begun for all that people wait for: it is first now."""

    def __iter__(self) -> Iterator[Job[Any]]:
        """Yield the jobs, those that people wait for first."""
        for queue in self._queues:
            yield from queue

    def __bool__(self) -> bool:
        """Return whether any job waits."""
        return any(self._queues)

    def put(self, job: Job[Any]) -> None:
        """Let a job wait."""
        self._queues[job.computes].append(job)

    def put_first(self, job: Job[Any]) -> None:
        """Let a job wait, before all others of its kind."""
        self._queues[job.computes].appendleft(job)

    def take(self, todo: deque[Held]) -> None:
        """Take those that can be judged, one of each match that nobody uses: of what computes one at least."""
        people, computing = self._queues
        if self._passed_over:
            self._take(computing, todo, 1)
        for queue in filter(None, (people, computing)):
            self._take(queue, todo, MAX_JOBS)

    def _take(self, queue: deque[Job[Any]], todo: deque[Held], most: int) -> None:
        room, others = max(most - len(todo), 1), list[Job[Any]]()
        taken = {job.match for job, _ in todo}
        try:
            while queue and room:
                live = None if queue[0].match in taken else self._cache.hold(queue[0].match)
                job = queue.popleft()
                if live is not None and self._has_room(job, live, todo):
                    todo.append((job, live))
                    room -= 1
                else:
                    others.append(job)
                    if live is not None:  # nobody waits for its match meanwhile
                        live.lock.release()
                    if job.apart:  # nor behind it
                        continue
                taken.add(job.match)  # those of one match keep their order
        finally:
            queue.extendleft(reversed(others))

    def put_back(self, todo: deque[Held]) -> None:
        """Let those wait again that were taken and not begun."""
        self._passed_over = any(job.computes for job, _ in todo)
        while todo:
            job, live = todo.pop()
            self.put_first(job)
            self._cache.release(live)

    def drop(self, job: Job[Any]) -> None:
        """Forget a job, if it waits."""
        with suppress(ValueError):
            self._queues[job.computes].remove(job)

    def drop_all_of(self, match: str) -> Sequence[Job[Any]]:
        """Forget the jobs of a match; return them."""
        dropped = [job for job in self if job.match == match]
        for job in dropped:
            self.drop(job)
        return dropped

    def heir(self) -> Job[Any] | None:
        """Return the first job whose thread waits and can judge, None if there is none."""
        return next((job for job in self if job.event is not None and job.turn is None), None)
