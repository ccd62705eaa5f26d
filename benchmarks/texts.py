"""How long a table in words takes: a turn's text, by game, and a step of an environment with and without its array."""

import argparse
from collections.abc import Iterator
from statistics import median
from time import perf_counter

import results
from kifu.core import registry
from kifu.core.env import aec_env, text_table
from kifu.core.random_play import draw_command
from kifu.core.shuffle import Shuffler
from results import Figure

EVENTS = 60


def text_of_a_turn(game: str) -> tuple[float, float]:
    """Return the median milliseconds and characters of what a seat reads at its turn."""
    table, shuffler, took, letters = text_table(game, seed=bytes(32)), Shuffler(bytes(32), 1), [], []
    while table.to_act and table.count < EVENTS:
        seat = min(table.to_act)
        began = perf_counter()
        said = table.observe(seat)
        took.append(perf_counter() - began)
        letters.append(len(said))
        table.match.play(seat, draw_command(table.match.legal(seat)[:2000], shuffler))
    return 1000 * median(took), median(letters)


def step_of_an_environment(game: str, *, observe: bool, encoding: str = "whole") -> float:
    """Return the mean microseconds of a step, with its observation or with its mask alone."""
    env, steps = aec_env(game, encoding=encoding), 0
    began = perf_counter()
    for seed in range(5):
        env.reset(seed=seed)
        while not any(env.terminations.values()) and steps < 3000:
            env.last(observe=observe)
            env.step(env.legal_actions(env.agent_selection)[0])
            steps += 1
    return 1_000_000 * (perf_counter() - began) / steps


def play(game: str) -> float:
    """Return the mean microseconds of `match.legal` and `play`, the same commands."""
    env, steps, began = aec_env(game), 0, perf_counter()
    for seed in range(5):
        env.reset(seed=seed)
        match = env.match
        while match.to_act and steps < 3000:
            seat = min(match.to_act)
            match.play(seat, match.legal(seat)[0])
            steps += 1
    return 1_000_000 * (perf_counter() - began) / steps


def figures(games: list[str]) -> Iterator[Figure]:
    """Measure each game; mabr, whose steps have no array, only by its text."""
    plain = "legal and play"
    for game in games or registry.names():
        base = play(game)
        milliseconds, letters = text_of_a_turn(game)
        yield Figure(
            f"{game}: text of a turn, {letters:.0f} characters", milliseconds, "ms", 1000 * milliseconds / base, plain
        )
        yield Figure(f"{game}: {plain}", base, "µs")
        if game != "mabr":
            steps = {
                "with its array": step_of_an_environment(game, observe=True),
                "with planes": step_of_an_environment(game, observe=True, encoding="planes"),
                "with its mask alone": step_of_an_environment(game, observe=False),
            }
            for what, step in steps.items():
                yield Figure(f"{game}: a step {what}", step, "µs", step / base, plain)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games (none: all)")
    results.add_argument(parser)
    args = parser.parse_args()
    results.report("texts", figures(args.games), args.json)


if __name__ == "__main__":
    main()
