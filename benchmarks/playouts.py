"""How fast random play is: decisions a second, all that it takes to choose and apply a command, by game and seats.

    python benchmarks/playouts.py [GAME …] [--games 40] [--repeat 5] [--json FILE]

CPU time, the median of several rounds that take turns. The first round is not counted: it fills the caches.
The ratio of a game is what its decision takes, in decisions of `take_and_share` with four seats.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time

import kifu
import results
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import Position
from kifu.core.match.fold import Fold
from kifu.core.match.header import new_header
from kifu.core.match.random_play import choose
from results import Figure

MAIN = "take_and_share"
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
    """Measure each game with each number of seats."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME", help="the games (none: all)")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=5)
    results.add_argument(parser)
    args = parser.parse_args()
    names = args.names or [MAIN, *(name for name in kifu.games.names() if name != MAIN)]
    kinds = [(name, seats) for name in names for seats in kifu.games.find(name).seats]
    rates: dict[tuple[str, int], list[float]] = {kind: [] for kind in kinds}
    for _ in range(args.repeat + 1):
        for kind in kinds:
            decisions, seconds = playouts(*kind, args.games)
            rates[kind].append(decisions / seconds)
    rate = {kind: median(measured[1:]) for kind, measured in rates.items()}
    first = (MAIN, 4) if MAIN in names else kinds[0]
    figures = [
        Figure(f"{name}, {seats} seats", each, "decisions/s", rate[first] / each, f"{first[0]}, {first[1]} seats")
        for (name, seats), each in rate.items()
    ]
    results.report("playouts", figures, args.json)


if __name__ == "__main__":
    main()
