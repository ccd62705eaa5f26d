"""Asking a bot for a command: whatever it does, there is an answer, and nobody waits for it for ever."""

from __future__ import annotations

from itertools import islice
from threading import Lock, Thread
from typing import Any

from ..bot import Bot, Sight, Sighting
from ..game import Seat
from ..random_play import ENOUGH, draw
from ..shuffle import Shuffler
from .desk import SEED_BYTES, Desk
from .folds import Live, unspoken
from .seeing import saw


class Asking:
    """Asks bots, each in a thread of its own, and plays at random where one throws, stalls or answers nonsense."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._stalled: dict[int, Thread] = {}
        self._lock = Lock()

    def answer(self, bot: Bot | None, sight: Sight[Any, Any]) -> tuple[Any, bool]:
        """Give a legal command, and whether it is the bot's own."""
        found = None if bot is None else self._asked(bot, sight)
        if found is not None:
            return found, True
        return draw(sight.legal, Shuffler(self._desk.entropy(SEED_BYTES))), False

    def _asked(self, bot: Bot, sight: Sight[Any, Any]) -> Any:
        """Give the bot's answer if it is a legal one and comes in time, else None.

        A thread cannot be stopped: a bot that stalls is not asked again before it has come to an end.
        """
        with self._lock:
            stalled = self._stalled.get(id(bot))
            if stalled is not None and stalled.is_alive():
                return None
        found: list[Any] = []
        thread = Thread(target=lambda: found.extend(_legal_answer(bot, sight)), name="kifu bot", daemon=True)
        thread.start()
        thread.join(self._desk.patience / 1000)
        if thread.is_alive():
            with self._lock:
                self._stalled[id(bot)] = thread
            return None
        return found[0] if found else None


def _legal_answer(bot: Bot, sight: Sight[Any, Any]) -> list[Any]:
    try:
        answer = bot(sight)
        return [next(each for each in sight.legal if each == answer)]
    except Exception:  # a stranger's program may raise anything
        return []


def sight(live: Live, seat: Seat) -> Sight[Any, Any]:
    """Give a bot all that its seat knows."""
    match = live.match
    with unspoken(live.game):
        memory = live.memories.setdefault(seat, [])
        for seq in range(len(memory), live.count):
            one = saw(live, seat, seq)
            memory.append(Sighting(one.seq, one.seat, one.sighting, one.notes))
        legal = tuple(islice(match.game.legal(match.state, seat), ENOUGH))
        return Sight(match.game, seat, match.game.view(match.state, seat), legal, tuple(memory))
