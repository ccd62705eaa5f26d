"""What a command of a bot costs: processor time, at a table of random bots."""

from __future__ import annotations

from hashlib import blake2b
from itertools import count
from time import process_time
from typing import Any

from kifu.core.game import Seat
from kifu.core.match import Match, registry
from kifu.core.match.bot import Bot, Player, random_bot
from kifu.core.match.header import new_header

TIMED = 40
"""How many commands of each bot are timed."""


def seconds(game_name: str, seats: int, bot: str) -> list[float]:
    """Return the seconds of processor time of the first commands of a bot, where it had a choice."""
    times: list[float] = []
    for number in count():
        seed = blake2b(b"%d" % number, digest_size=32).digest()
        names = [f"seat {seat}" for seat in range(seats)]
        game = registry.find(game_name)
        header = new_header(game, names, {}, seed, match=seed.hex()[:16], started=None, engine="bot times")
        match = Match(game, header)
        makers = {0: timed(registry.find_bot(bot)(seed), times)}
        players = [
            Player(match, Seat(seat), makers.get(seat, random_bot(seed)), bot, random_bot(seed))
            for seat in range(seats)
        ]
        match.deal()
        while match.to_act:
            if len(times) >= TIMED:
                return times
            players[min(match.to_act)].act()
            match.deal()
    raise AssertionError


def timed(bot: Bot, times: list[float]) -> Bot:
    def choose(info_state: Any) -> Any:
        began = process_time()
        command = bot(info_state)
        if len(info_state.legal) > 1:
            times.append(process_time() - began)
        return command

    return choose
