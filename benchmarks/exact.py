"""The table of docs/exact.md: endings of matches, solved.

python benchmarks/exact.py
"""

from __future__ import annotations

import kifu
import pyspiel
from attrs import frozen
from kifu.core.env import exact_ending, solve
from kifu.core.match import AnyMatch

WORLDS, ITERATIONS = 8, 100


@frozen
class Ending:
    """The last events of a match, and after how many events more a line is broken off."""

    game: str
    seats: int
    back: int
    longest: int | None = None


PLAN = (
    Ending("take_and_share", 3, 7),
    Ending("cake", 3, 11),
    Ending("gosne", 4, 7),
    Ending("palace", 3, 3, 4),
)


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
    for row in PLAN:
        whole = play(row.game, row.seats, 10**6)
        match = play(row.game, row.seats, len(whole.events) - row.back)
        exact = exact_ending(match, worlds=WORLDS, reward="points", longest=row.longest)
        solution = solve(exact, ITERATIONS)
        head, conv = f"{row.game}, {row.seats}", f"{solution.nash_conv:.4f}"
        random = pyspiel.nash_conv(exact.spiel, pyspiel.UniformRandomPolicy(exact.spiel))
        sets = ", ".join(map(str, exact.information_sets))
        values = ", ".join(f"{each:.3f}" for each in solution.values)
        print(
            f"| {head} | {row.back} | {exact.nodes} | {sets} | {conv} | {random:.3f} | {values} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
