"""The turns of bots, in a fair order: each opener's in turn, matches with players before those of bots alone."""

from __future__ import annotations

from collections import OrderedDict, deque

from attrs import frozen

from .threads import THREADS, Threads


@frozen
class BotTurn:
    """A match in which a bot is to act, claimed by this host for a while."""

    match: str
    opener: str
    has_players: bool
    claimed_until_ms: int


class FairQueue:
    """The turns that wait; of two openers the one that was served longer ago comes first."""

    def __init__(self, threads: Threads = THREADS) -> None:
        self._changed = threads.condition()
        self._turns: OrderedDict[tuple[bool, str], deque[BotTurn]] = OrderedDict()
        """The turns of each opener, apart those with players; the opener that was served last stands last."""

    def __len__(self) -> int:
        """Return how many turns wait."""
        with self._changed:
            return sum(map(len, self._turns.values()))

    def put(self, turn: BotTurn) -> None:
        """Add a turn."""
        with self._changed:
            self._turns.setdefault((turn.has_players, turn.opener), deque()).append(turn)
            self._changed.notify()

    def get(self, timeout_s: float) -> BotTurn | None:
        """Take the next turn; None if none comes in time."""
        with self._changed:
            if not any(self._turns.values()):
                self._changed.wait(timeout_s)
            waiting = [key for key, turns in self._turns.items() if turns]
            if not waiting:
                return None
            key = next((key for key in waiting if key[0]), waiting[0])
            turn = self._turns[key].popleft()
            self._turns.move_to_end(key)
            self._forget_the_idle()
            return turn

    def _forget_the_idle(self) -> None:
        """Forget the openers without turns that were served longest ago."""
        for key in [key for key, turns in self._turns.items() if not turns][:-100]:
            del self._turns[key]
