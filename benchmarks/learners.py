"""What a learner waits for: steps of the environments beside the bare rules, and beside the classic games of others.

    pip install '.[learn]' --group bench
    python benchmarks/learners.py [GAME …] [--matches 20] [--rounds 7] [--seconds 0.4] [--json FILE]

In each round new matches are drawn, and then played again by each way in turn: by the bare rules (who is to act, the
legal commands as a list, `apply`), and by the steps of an environment, with its masks alone or with an observation at
each step too. The ratio of `aec_env` is of a step to a decision of the bare rules; a command may take several steps.
That of `seat_env` is of a whole match, what its random opponents decide included.
RLCard's and PettingZoo's games are played at random with their observations; the ratio says how many times as many
decisions a second `aec_env` makes with its own, in `MAIN`. Time is the processor's. A rate is that of the best round;
a ratio to the bare rules is the median of the rounds, since each has other matches. A library that is not installed is
left out with a line.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from statistics import median
from time import process_time
from typing import Any

import kifu
import peers
import results
from attrs import field, frozen, mutable
from kifu.core.env import aec_env, seat_env
from kifu.core.game.shuffle import Shuffler
from kifu.core.match.legal import MAX_LEGAL
from results import Figure

SEATS = {"take_and_share": 4, "cake": 3, "gosne": 4, "palace": 4, "mabr": 2}
MAIN = "take_and_share"
BARE = "a decision of the bare rules"
MASKS, OBSERVATIONS = 2.0, 3.0
"""The aims, in times the bare rules."""
OF_KIFU = "kifu's aec_env is as fast"


@frozen
class Drawn:
    """A match that was drawn in an environment: what it was reset with, its actions, and its header and events."""

    seed: int
    actions: list[int]
    match: Any

    @property
    def decisions(self) -> int:
        """How many commands the seats gave."""
        return sum(event.seat != kifu.TABLE for event in self.match.events)


@mutable
class Way:
    """A way to play drawn matches again."""

    name: str
    play: Callable[[Drawn], None]
    draw: Callable[[int, Random], Drawn]
    aim: float
    by_step: bool = True
    times: list[tuple[float, float]] = field(factory=list, init=False)
    """Of each round: the processor's seconds a step (a decision, if not `by_step`), and a decision of the rules."""

    def measure(self, bare: Callable[[Drawn], None], numbers: range, random: Random) -> None:
        """Draw matches, and play them by the bare rules and in this way."""
        drawn = [self.draw(number, random) for number in numbers]
        decisions = sum(each.decisions for each in drawn)
        steps = sum(len(each.actions) for each in drawn)
        floor = spent(bare, drawn) / decisions
        self.times.append((spent(self.play, drawn) / (steps if self.by_step else decisions), floor))

    def figure(self) -> Figure:
        """Return the row: steps or decisions a second, and their ratio to the bare rules."""
        unit = "steps/s" if self.by_step else "decisions/s"
        ratio = median(own / floor for own, floor in self.times)
        return Figure(self.name, 1 / min(own for own, _ in self.times), unit, ratio, BARE, aim=self.aim)


def spent(play: Callable[[Drawn], None], drawn: Sequence[Drawn]) -> float:
    begun = process_time()
    for each in drawn:
        play(each)
    return process_time() - begun


def bare_rules(game: kifu.Game[Any, Any, Any]) -> Callable[[Drawn], None]:
    """Play by nothing but the rules: no log, no states kept, but each decision's legal commands listed."""

    def play(drawn: Drawn) -> None:
        header, deals = drawn.match.header, 0
        state = game.start(header.options, len(header.seats))
        for event in drawn.match.events:
            if kifu.TABLE in game.to_act(state):
                state = game.apply(state, event.seat, game.deal(state, Shuffler(header.seed, deals)))
                deals += 1
                continue
            list(islice(game.legal(state, event.seat), MAX_LEGAL))
            state = game.apply(state, event.seat, event.command)
        assert not game.to_act(state)

    return play


def aec_ways(name: str) -> Iterator[Way]:
    """Yield `aec_env` with its masks, with its observations, and with those whose seats are relative."""
    masks, whole = aec_env(name, SEATS[name]), aec_env(name, SEATS[name])
    relative = aec_env(name, SEATS[name], relative=True)
    for what, env, observe in (
        ("masks", masks, False),
        ("observations", whole, True),
        ("relative observations", relative, True),
    ):
        aim = OBSERVATIONS if observe else MASKS
        yield Way(f"{name}: aec_env, {what}", again(env, observe=observe), drawing(env), aim)


def again(env: Any, *, observe: bool) -> Callable[[Drawn], None]:
    def play(drawn: Drawn) -> None:
        env.reset(seed=drawn.seed)
        for action in drawn.actions:
            *_, info = env.last(observe=observe)
            assert info["action_mask"][action]
            env.step(action)

    return play


def drawing(env: Any) -> Callable[[int, Random], Drawn]:
    """Draw from the actions that the mask allows."""

    def draw(number: int, random: Random) -> Drawn:
        env.reset(seed=number)
        actions = []
        while not env.terminations[env.agent_selection]:
            actions.append(random.choice(env.legal_actions(env.agent_selection)))
            env.step(actions[-1])
        return Drawn(number, actions, env.match)

    return draw


def seat_way(name: str) -> Way:
    """Return `seat_env` as it comes: relative observations, random opponents."""
    env = seat_env(name, 0, SEATS[name], opponents="random")

    def draw(number: int, random: Random) -> Drawn:
        env.reset(seed=number)
        actions: list[int] = []
        over = False
        while not over:
            actions.append(random.choice(env.legal_actions()))
            _, _, over, _, _ = env.step(actions[-1])
        return Drawn(number, actions, env.match)

    def play(drawn: Drawn) -> None:
        env.reset(seed=drawn.seed)
        for action in drawn.actions:
            env.step(action)

    return Way(f"{name}: seat_env, random opponents", play, draw, OBSERVATIONS, by_step=False)


def of_kifu(name: str, rounds: int, matches: int) -> Iterator[Figure]:
    """Measure all ways in a game, in rounds that take turns."""
    game, ways, random = kifu.games.find(name), [*aec_ways(name), seat_way(name)], Random(1)
    bare = bare_rules(game)
    for number in range(rounds):
        for way in ways:
            way.measure(bare, range(number * matches, (number + 1) * matches), random)
    yield Figure(f"{name}: the bare rules", 1 / min(floor for way in ways for _, floor in way.times), "decisions/s")
    yield from (way.figure() for way in ways)


def others() -> Iterator[peers.Contestant]:
    """Yield the classic games of RLCard and PettingZoo."""
    for source in (peers.rlcard_games, peers.pettingzoo_games):
        try:
            yield from source()
        except ImportError as missing:
            print(f"{source.__name__.replace('_', ' ')} are left out: {missing}")


def beside_others(rounds: int, seconds: float) -> Iterator[Figure]:
    """Measure `aec_env` and the classic games of others, by the same loop, in rounds that take turns."""
    ours = peers.Contestant("kifu in PettingZoo", MAIN, peers._pettingzoo(aec_env(MAIN, SEATS[MAIN])))
    field, random = [ours, *others()], Random(1)
    for _ in range(rounds):
        for each in field:
            peers.measure(each, seconds, random)
    for each in field:
        ratio, aim = (None, None) if each is ours else (ours.decisions / each.decisions, 1.0)
        to = OF_KIFU if ratio else ""
        yield Figure(f"{each.library}: {each.game}", each.decisions, "decisions/s", ratio, to, "more", aim)


def figures(names: list[str], rounds: int, matches: int, seconds: float) -> Iterator[Figure]:
    """Measure the games, then what others have."""
    for name in names:
        yield from of_kifu(name, rounds, matches if name != "mabr" else max(1, matches // 10))
    yield from beside_others(rounds, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", default=[*SEATS], help="the games (none: all)")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.4, help="how long another library's game is played a round")
    results.add_argument(parser)
    args = parser.parse_args()
    if unknown := set(args.names) - {*SEATS}:
        parser.error(f"there is no game {min(unknown)}; there are {', '.join(SEATS)}")
    warnings.simplefilter("ignore")  # what the others' libraries say of each other
    results.report("learners", figures(args.names, args.rounds, args.matches, args.seconds), args.json)


if __name__ == "__main__":
    main()
