"""How long a change waits for a lock that another program holds."""

from __future__ import annotations

from time import monotonic

AGAIN_S = 0.1
"""How long a lock that was waited for in vain is waited for again, and how long it is not."""


class Patience:
    """How long one lock is waited for: once that was in vain, those behind the first do not wait as long again."""

    def __init__(self) -> None:
        self._again_s: float | None = None
        """When it is waited for again, as `monotonic` counts; None if the last wait was not in vain."""

    def wait_s(self, most_s: float) -> float:
        """Return how long to wait now, at most so long; `restore` it once the lock is there."""
        now_s, again_s = monotonic(), self._again_s
        if again_s is not None:
            most_s = min(most_s, AGAIN_S) if now_s >= again_s else 0.0
        if most_s:
            self._again_s = now_s + most_s + AGAIN_S
        return most_s

    def restore(self) -> None:
        """Wait as long as ever the next time."""
        self._again_s = None
