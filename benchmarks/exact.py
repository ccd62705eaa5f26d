"""The table of docs/exact.md: endings of matches, solved.

python benchmarks/exact.py
"""

from __future__ import annotations

import kifu
import pyspiel
from kifu.core.env import exact_ending, solve
from kifu.core.match import AnyMatch, registry

WORLDS, ITERATIONS = 8, 100

PLAN = [
    (name, small, small.last_events)
    for name in kifu.games.names()
    for small in registry.find(name).small_worlds
    if small.last_events is not None
]
"""The games' own endings that are small enough: what `replay games` names."""


def play(game: str, seats: int, events: int) -> AnyMatch:
    match = kifu.new(game, [f"seat {seat}" for seat in range(seats)], seed=bytes([3]) * 32)
    match.deal()
    while match.to_act and len(match.events) < events:
        seat = min(match.to_act)
        legal = match.legal(seat)
        match.play(seat, legal[7 * len(match.events) % len(legal)])
        match.deal()
    return match


def main() -> None:
    print("| game, seats | events before the end | nodes | information sets | NashConv | of random play | values |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for game, small, last_events in PLAN:
        whole = play(game, small.seats, 10**6)
        match = play(game, small.seats, len(whole.events) - last_events)
        exact = exact_ending(match, worlds=WORLDS, reward="points", longest=small.longest)
        solution = solve(exact, ITERATIONS)
        head, conv = f"{game}, {small.seats}", f"{solution.nash_conv:.4f}"
        random = pyspiel.nash_conv(exact.spiel, pyspiel.UniformRandomPolicy(exact.spiel))
        sets = ", ".join(map(str, exact.information_sets))
        values = ", ".join(f"{each:.3f}" for each in solution.values)
        print(
            f"| {head} | {last_events} | {exact.nodes} | {sets} | {conv} | {random:.3f} | {values} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
