"""What is counted of each client, and of all together."""

from __future__ import annotations

from collections import Counter


class Counts(Counter[str]):
    """How many of something each client has; who has none takes no memory."""

    in_all = 0

    def enter(self, client: str) -> None:
        """Count one more."""
        self[client] += 1
        self.in_all += 1

    def leave(self, client: str) -> None:
        """Count one less."""
        self[client] -= 1
        self.in_all -= 1
        if not self[client]:
            del self[client]
