"""Random playouts a second, ours beside those of the field's libraries, in one run.

    pip install '.[learn]' --group bench
    python benchmarks/peers.py [--seconds 0.4] [--rounds 5] [--json FILE]

A playout is one match from the first deal to the end, each decision drawn evenly from what is legal, by the quickest
way that the library has for it. All take turns in several rounds, and the best round counts; time is the processor's,
so that a busy machine changes little. The ratio of a row: how many times as fast kifu is in the game `MAIN`, by
decision.
A library that is not installed is left out with a line.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Literal

import kifu
import results
from attrs import define
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import Position
from kifu.core.match.legal import MAX_LEGAL
from kifu.core.match.random_play import choose
from results import Figure

Playout = Callable[[Random], int]
"""Plays a match and returns the number of its decisions."""

OURS = "kifu"
MAIN = "take_and_share, 4 seats"
"""The reference game: about as long as a hand of hearts."""
OF_KIFU = "kifu is as fast"
HEARTS = Path(__file__).resolve().parents[1] / "docs/examples/hearts/src"
AIMS = {"PokerKit: no-limit hold'em to showdown": 10.0, "PokerKit: fixed-limit hold'em to showdown": 10.0}
AIMS |= {f"OpenSpiel in Python: {name}": 5.0 for name in ("block_dominoes", "team_dominoes", "liars_poker")}
AIMS |= {"OpenSpiel in C++: hearts": 0.4}


@define
class Contestant:
    library: str
    game: str
    play: Playout
    matches: float = 0.0
    """The most playouts a second of any round, and the decisions a second of that round."""
    decisions: float = 0.0


def kifu_games() -> Iterator[Contestant]:
    """Play with nothing but the rules: no log, no states kept."""
    for name, seats in (("take_and_share", 4), ("cake", 3), ("gosne", 4), ("palace", 4), ("mabr", 2)):
        yield Contestant(OURS, f"{name}, {seats} seats", _kifu(kifu.games.find(name), seats))
    yield Contestant(OURS, "mabr, 2 seats, first the class", _kifu_by_class(kifu.games.find("mabr"), 2))


def kifu_hearts() -> Iterator[Contestant]:
    """Play the example of the docs: three cards are passed at once, where OpenSpiel passes one by one."""
    sys.path.insert(0, str(HEARTS))
    yield Contestant(OURS, "hearts", _kifu(import_module("hearts").GAME, 4))


def _kifu(game: kifu.Game[Any, Any, Any], seats: int) -> Playout:
    begun = game.start(game.options(), seats)
    to_act, legal, apply, by_kind = game.to_act, game.legal, game.apply, game.legal_by_kind

    def play(random: Random) -> int:
        state, decisions, draw = begun, 0, random.random
        while asked := to_act(state):
            (seat, *_) = asked
            if seat == kifu.TABLE:
                state = apply(state, seat, game.deal(state, Shuffler(random.randbytes(32))))
                continue
            if by_kind is not None:
                command = _drawn(by_kind(state, seat, MAX_LEGAL), draw())
            else:
                choices = list(islice(legal(state, seat), MAX_LEGAL))
                command = choices[int(draw() * len(choices))]
            state = apply(state, seat, command)
            decisions += 1
        assert game.result(state) is not None
        return decisions

    return play


def _kifu_by_class(game: kifu.Game[Any, Any, Any], seats: int) -> Playout:
    """Play as kifu's own random play does: first the class of command is drawn, then one of the class."""
    begun = game.start(game.options(), seats)

    def play(random: Random) -> int:
        state, decisions, draws = begun, 0, Shuffler(random.randbytes(32))
        while asked := game.to_act(state):
            if kifu.TABLE in asked:
                state = game.apply(state, kifu.TABLE, game.deal(state, Shuffler(random.randbytes(32))))
                continue
            chosen = choose(Position(game, state), draws)
            assert chosen is not None
            state = game.apply(state, *chosen)
            decisions += 1
        return decisions

    return play


def _drawn(kinds: Sequence[Sequence[Any]], drawn: float) -> Any:
    """Return one of all the commands, each as likely, for a number from 0 to 1; no other needs to be made."""
    counts = [len(commands) for commands in kinds]
    number = int(drawn * sum(counts))
    for commands, count in zip(kinds, counts, strict=True):
        if number < count:
            return commands[number]
        number -= count
    raise AssertionError("a seat that is to act has a command")


def pokerkit_games() -> Iterator[Contestant]:
    """Hold'em of four players; nobody folds, so that every hand comes to a showdown."""
    from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem

    automations = tuple(Automation)

    def no_limit() -> object:
        return NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 200, 4)

    def fixed_limit() -> object:
        return FixedLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 4, 200, 4)

    yield Contestant("PokerKit", "no-limit hold'em to showdown", _pokerkit(no_limit))
    yield Contestant("PokerKit", "fixed-limit hold'em to showdown", _pokerkit(fixed_limit))


def _pokerkit(create: Callable[[], Any]) -> Playout:
    def play(random: Random) -> int:
        state, decisions = create(), 0
        while state.status:
            if state.can_complete_bet_or_raise_to() and random.random() < 0.5:
                state.complete_bet_or_raise_to()
            else:
                state.check_or_call()
            decisions += 1
        return decisions

    return play


def rlcard_games() -> Iterator[Contestant]:
    import rlcard

    for name in ("leduc-holdem", "limit-holdem", "uno", "gin-rummy"):
        yield Contestant("RLCard", name, _rlcard(rlcard.make(name, config={"seed": 1})))


def _rlcard(env: Any) -> Playout:
    def play(random: Random) -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])), False)
            decisions += 1
        env.get_payoffs()
        return decisions

    return play


def openspiel_python_games() -> Iterator[Contestant]:
    import pyspiel
    from open_spiel.python.games import (  # noqa: F401 (makes them known)
        block_dominoes,
        kuhn_poker,
        liars_poker,
        team_dominoes,
        tic_tac_toe,
    )

    for name in ("kuhn_poker", "tic_tac_toe", "block_dominoes", "team_dominoes", "liars_poker"):
        yield Contestant("OpenSpiel in Python", name, _openspiel(pyspiel.load_game(f"python_{name}")))


def openspiel_cpp_games() -> Iterator[Contestant]:
    import pyspiel

    for name in ("hearts", "spades", "euchre", "oh_hell", "gin_rummy", "leduc_poker", "tic_tac_toe"):
        yield Contestant("OpenSpiel in C++", name, _openspiel(pyspiel.load_game(name)))


def _openspiel(game: Any) -> Playout:
    """Draw chance's outcomes evenly too where they are equally likely, as all of these are."""

    def play(random: Random) -> int:
        state, decisions, draw = game.new_initial_state(), 0, random.random
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[int(draw() * len(actions))])
        state.returns()
        return decisions

    return play


def pettingzoo_games() -> Iterator[Contestant]:
    for name in ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "chess_v6"):
        try:
            env = import_module(f"pettingzoo.classic.{name}").raw_env()
        except ImportError as missing:
            print(f"PettingZoo's {name} is left out: {missing}")
            continue
        yield Contestant("PettingZoo", name, _pettingzoo(env))


def kifu_through_their_interfaces() -> Iterator[Contestant]:
    """Play ours as an environment of PettingZoo and a game of OpenSpiel."""
    from kifu.core.env import aec_env, openspiel_game

    yield Contestant("kifu in PettingZoo", MAIN, _pettingzoo(aec_env("take_and_share", 4)))
    yield Contestant("kifu in OpenSpiel", MAIN, _openspiel(openspiel_game("take_and_share", 4)))


def _pettingzoo(env: Any) -> Playout:
    import numpy as np

    def play(random: Random) -> int:
        env.reset(seed=random.randrange(2**31))
        decisions = 0
        for agent in env.agent_iter():
            if env.terminations[agent] or env.truncations[agent]:
                break
            observation = env.observe(agent)
            mask = observation["action_mask"] if "action_mask" in observation else env.infos[agent]["action_mask"]
            env.step(random.choice(np.flatnonzero(mask).tolist()))
            decisions += 1
        return decisions

    return play


def contestants() -> Iterator[Contestant]:
    sources = [kifu_games, kifu_hearts, kifu_through_their_interfaces, pokerkit_games, rlcard_games]
    sources += [openspiel_python_games, openspiel_cpp_games, pettingzoo_games]
    for source in sources:
        try:
            yield from source()
        except (ImportError, kifu.MissingExtra) as missing:
            print(f"{source.__name__.replace('_', ' ')} are left out: {missing}")


def measure(each: Contestant, seconds: float, random: Random) -> None:
    """Play for so long, and keep the better of this round and those before."""
    matches = decisions = 0
    begun = process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        while (spent := process_time() - begun) < seconds:
            decisions += each.play(random)
            matches += 1
    if matches / spent > each.matches:
        each.matches, each.decisions = matches / spent, decisions / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--rounds", type=int, default=5)
    results.add_argument(parser)
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # what the others' libraries say of each other
    field, random = list(contestants()), Random(1)
    for _ in range(args.rounds):
        for each in field:
            measure(each, args.seconds, random)
    main_game = next(each for each in field if (each.library, each.game) == (OURS, MAIN))
    results.report("peers", [*(figure(each, main_game) for each in field), *of_the_same_game(field)], args.json)


def figure(each: Contestant, main_game: Contestant) -> Figure:
    """Return a row: decisions a second, and how many times as fast kifu is in its main game."""
    ratio = main_game.decisions / each.decisions
    name = f"{each.library}: {each.game}"
    better: Literal["less", "more"] = "less" if each.library.startswith(OURS) else "more"
    return Figure(name, each.decisions, "decisions/s", ratio, OF_KIFU, better, AIMS.get(name))


def of_the_same_game(field: list[Contestant]) -> Iterator[Figure]:
    """Yield a row for each game that both kifu and another library play."""
    ours = {each.game: each for each in field if each.library == OURS}
    for each in field:
        if not each.library.startswith(OURS) and (own := ours.get(each.game)):
            name = f"{each.game} of kifu, against {each.library}"
            yield Figure(name, own.decisions, "decisions/s", own.decisions / each.decisions, OF_KIFU, "more")


if __name__ == "__main__":
    main()
