"""How fast random play is: decisions a second, all that it takes to choose and apply a command, by game and seats.

    python benchmarks/playouts.py [GAME …] [--games 40] [--repeat 5]

CPU time, the median of several rounds that take turns. The first round is not counted: it fills the caches.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time

import kifu
from kifu.core.header import new_header
from kifu.core.match import Fold, Position
from kifu.core.random_play import choose
from kifu.core.shuffle import Shuffler

NAMES = ("Aki", "Ren", "Mio", "Sou", "Yui", "Kai")


def playouts(name: str, seats: int, games: int) -> tuple[int, float]:
    """Play matches at random; return how many commands were chosen, and the seconds of CPU that it took."""
    game, decisions, begun = kifu.games.find(name), 0, process_time()
    for number in range(games):
        seed = number.to_bytes(32, "big")
        header = new_header(game, NAMES[:seats], {}, seed, match="", started=None, engine="")
        run = Fold(game, header, keep_states=False)
        shuffler = Shuffler(seed, 1 << 31)
        while game.to_act(run.state):
            chosen = choose(Position(game, run.state), shuffler)
            run.apply(*(chosen or (kifu.TABLE, run.deal())))
            decisions += chosen is not None
    return decisions, process_time() - begun


def main() -> None:
    """Print a line for each game and number of seats."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME", help="the games (none: all)")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    kinds = [(name, seats) for name in args.names or kifu.games.names() for seats in kifu.games.find(name).seats]
    rates: dict[tuple[str, int], list[float]] = {kind: [] for kind in kinds}
    for _ in range(args.repeat + 1):
        for kind in kinds:
            decisions, seconds = playouts(*kind, args.games)
            rates[kind].append(decisions / seconds)
    for (name, seats), measured in rates.items():
        print(f"{name:<16} {seats} seats {median(measured[1:]):12,.0f} decisions/s")


if __name__ == "__main__":
    main()
