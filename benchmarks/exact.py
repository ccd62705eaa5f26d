"""The tables of docs/exact.md: Kuhn's and Leduc poker beside OpenSpiel's own, and endings of matches, solved.

python benchmarks/exact.py
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import kifu
import pyspiel
from kifu.core.env import exact_ending, exact_game, solve
from kifu.core.game import AnyGame
from kifu.core.match import AnyMatch, registry

sys.path.insert(0, str(Path(__file__).parents[1] / "docs" / "examples" / "poker" / "src"))
POKER: AnyGame = import_module("kifu_poker").GAME

WORLDS, ITERATIONS = 8, 100
POKER_ITERATIONS = 500

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


def of_random_play(spiel: Any) -> float:
    conv: float = pyspiel.nash_conv(spiel, pyspiel.UniformRandomPolicy(spiel))
    return conv


def published() -> None:
    print("| game | nodes | information sets | value of seat 0 | NashConv of CFR+ | of random play | OpenSpiel's own |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for small in POKER.small_worlds:
        exact = exact_game(POKER, small.seats, dict(small.options), reward="points")
        solution = solve(exact, POKER_ITERATIONS)
        variant = small.options["variant"]
        theirs = of_random_play(pyspiel.load_game(f"{variant}_poker"))
        sets, value = " and ".join(map(str, exact.information_sets)), solution.values[0]
        print(
            f"| {variant.capitalize()} | {exact.nodes} | {sets} | {value:.4f} | {solution.nash_conv:.4f} "
            f"| {of_random_play(exact.spiel):.4f} | {theirs:.4f} |",
            flush=True,
        )


def endings() -> None:
    print("| game, seats | events before the end | nodes | information sets | NashConv | of random play | values |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for game, small, last_events in PLAN:
        whole = play(game, small.seats, 10**6)
        match = play(game, small.seats, len(whole.events) - last_events)
        exact = exact_ending(match, worlds=WORLDS, reward="points", longest=small.longest)
        solution = solve(exact, ITERATIONS)
        head, conv = f"{game}, {small.seats}", f"{solution.nash_conv:.4f}"
        random = of_random_play(exact.spiel)
        sets = ", ".join(map(str, exact.information_sets))
        values = ", ".join(f"{each:.3f}" for each in solution.values)
        print(
            f"| {head} | {last_events} | {exact.nodes} | {sets} | {conv} | {random:.3f} | {values} |",
            flush=True,
        )


if __name__ == "__main__":
    published()
    print()
    endings()
