"""The CPU time of a turn's text, by game, and of a step of an environment with its array, its mask, its opponents."""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import results
from kifu.core.env import aec_env, seat_env, text_table
from kifu.core.game import Seat
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import registry
from kifu.core.match.random_play import draw_command
from results import Figure

EVENTS = 60


def text_of_a_turn(game: str) -> tuple[float, float]:
    """Return the median milliseconds and characters of what a seat reads at its turn."""
    table, shuffler, took, letters = text_table(game, seed=bytes(32)), Shuffler(bytes(32), 1), [], []
    while table.to_act and table.count < EVENTS:
        seat = min(table.to_act)
        began = process_time()
        said = table.observe(seat)
        took.append(process_time() - began)
        letters.append(len(said))
        table.match.play(seat, draw_command(table.match.legal(seat)[:2000], shuffler))
    return 1000 * median(took), median(letters)


def step_of_an_environment(game: str, *, observe: bool) -> float:
    """Return the mean microseconds of a step, with its observation or with its mask alone."""
    env, steps = aec_env(game), 0
    began = process_time()
    for seed in range(5):
        env.reset(seed=seed)
        while not any(env.terminations.values()) and steps < 3000:
            env.last(observe=observe)
            env.step(env.legal_actions(env.agent_selection)[0])
            steps += 1
    return 1_000_000 * (process_time() - began) / steps


def play(game: str) -> float:
    """Return the mean microseconds of `match.legal` and `play`, the same commands."""
    env, steps, began = aec_env(game), 0, process_time()
    for seed in range(5):
        env.reset(seed=seed)
        match = env.match
        while match.to_act and steps < 3000:
            seat = min(match.to_act)
            match.play(seat, match.legal(seat)[0])
            steps += 1
    return 1_000_000 * (process_time() - began) / steps


def drawn_action(mask: Any, shuffler: Shuffler) -> int:
    actions = mask.nonzero()[0]
    return int(actions[shuffler.below(len(actions))])


def own_decisions(game: str) -> tuple[float, float]:
    """Return the mean microseconds of a decision of seat 0 among random opponents: in `seat_env`, in `aec_env`."""
    shuffler, alone, decided = Shuffler(bytes(32), 1), seat_env(game, 0, relative=False), 0
    began = process_time()
    for seed in range(5):
        _, info = alone.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = alone.step(drawn_action(info["action_mask"], shuffler))
            decided += 1
    in_seat = (process_time() - began) / decided
    together, decided = aec_env(game), 0
    began = process_time()
    for seed in range(5):
        together.reset(seed=seed)
        while not any(together.terminations.values()):
            decided += together.agent_selection == "seat_0"
            observation, *_ = together.last()
            together.step(drawn_action(observation["action_mask"], shuffler))
    return 1_000_000 * in_seat, 1_000_000 * (process_time() - began) / decided


def observe_and_view(game: str) -> tuple[float, float]:
    """Return the mean microseconds of an observation with its mask, and of the view alone."""
    env, took = aec_env(game), [0.0, 0.0]
    env.reset(seed=1)
    match, times = env.match, 0
    while not any(env.terminations.values()):
        seat = int(env.agent_selection.removeprefix("seat_"))
        calls: tuple[Callable[[], Any], ...] = (
            partial(env.observe, env.agent_selection),
            partial(match.view, Seat(seat)),
        )
        for which, call in enumerate(calls):
            began = process_time()
            for _ in range(20):
                call()
            took[which] += process_time() - began
        times += 20
        env.step(env.legal_actions(env.agent_selection)[0])
    return 1_000_000 * took[0] / times, 1_000_000 * took[1] / times


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
                "with its mask alone": step_of_an_environment(game, observe=False),
            }
            for what, step in steps.items():
                yield Figure(f"{game}: a step {what}", step, "µs", step / base, plain)
            (own, theirs), (observed, view) = own_decisions(game), observe_and_view(game)
            yield Figure(f"{game}: an own decision in seat_env", own, "µs", own / theirs, "in aec_env")
            yield Figure(f"{game}: an observation with its mask", observed, "µs", observed / view, "its view")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games (none: all)")
    results.add_argument(parser)
    args = parser.parse_args()
    results.report("texts", figures(args.games), args.json)


if __name__ == "__main__":
    main()
