"""Small games and endings of matches, written out whole for OpenSpiel's exact solvers and best responses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import pyspiel
from attrs import frozen

from ..errors import MatchError
from ..game import TABLE, AnyGame, Event, ObservedEvent, Seat, Shuffler, Step
from ..match import AnyMatch
from ..match.header import SEED_BYTES
from ..wire import plain, wire_of
from ..wire.packing import pack
from .chance import DrawNeeded, ScriptedShuffler
from .episode import Episode, as_int
from .reward import DEFAULT_REWARD, SUM_TO_ZERO, check_reward, rewards
from .snapshot import plain_event

MAX_NODES = 1_000_000
"""The most nodes of a tree, unless more are allowed."""

MAX_DEALS = 50_000
"""The most orders of draws of a deal that are tried."""

MAX_DEPTH = 200
"""The most events of a line."""

WORLDS = 16


@frozen
class ExactGame:
    """A tree; `spiel` is OpenSpiel's game of it."""

    spiel: Any
    nodes: int
    """Decisions, chance and ends; where a seat has one command alone there is no decision."""
    information_sets: tuple[int, ...]
    """For each seat."""
    worlds: int
    """How many states chance begins with."""


@frozen
class Solution:
    """What came of so many iterations of CFR+; with more than two seats they need not lead to an equilibrium."""

    iterations: int
    nash_conv: float
    """The sum of what each seat gains by its best response to the average policy: 0 in an equilibrium."""
    values: tuple[float, ...]
    """The expected reward of each seat if all play the average policy."""
    policy: Any
    """OpenSpiel's policy."""


def exact_game(
    game: AnyGame,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    reward: str = DEFAULT_REWARD,
    deals: int | None = None,
    longest: int | None = None,
    most: int = MAX_NODES,
) -> ExactGame:
    """Write a game out from its start; all its deals with their probabilities, or `deals` drawn ones, equally likely.

    A line of more than `longest` events ends without a result, with 0 for all. Raises `MatchError` for more than `most`
    nodes.
    """
    episode = Episode(game, seats, options, check_reward(reward, SUM_TO_ZERO))
    tree = _Tree(game, episode.seats, reward, deals, longest, as_int(most, "most", 1))
    return tree.written({episode.start(): 1.0})


def exact_ending(
    match: AnyMatch,
    *,
    worlds: int = WORLDS,
    reward: str = DEFAULT_REWARD,
    longest: int | None = None,
    most: int = MAX_NODES,
) -> ExactGame:
    """Write out how a match can go on, from one of up to `worlds` states that a spectator cannot tell from its own.

    They are drawn, equal ones are one; all seats know which they are, and each sees what is its own in them. `longest`
    and `most` are as for `exact_game`. Raises `MatchError` for a match that is over, too.
    """
    seats, game = len(match.header.seats), match.game
    if not match.to_act:
        raise MatchError("the match is over: there is nothing to be played")
    view, drawn = match.view(None), dict[Any, float]()
    count = as_int(worlds, "worlds", 1)
    for number in range(count):
        state = game.determinize(view, Shuffler(blake2b(b"world %d" % number, digest_size=SEED_BYTES).digest()))
        drawn[state] = drawn.get(state, 0.0) + 1 / count
    check_reward(reward, SUM_TO_ZERO)
    return _Tree(game, seats, reward, WORLDS, longest, as_int(most, "most", 1)).written(drawn)


def solve(exact: ExactGame, iterations: int) -> Solution:
    """Run CFR+ of OpenSpiel, and measure its average policy by the best responses to it."""
    solver = pyspiel.CFRPlusSolver(exact.spiel)
    for _ in range(as_int(iterations, "iterations", 1)):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    return Solution(iterations, pyspiel.nash_conv(exact.spiel, policy), values_of(exact, policy), policy)


def values_of(exact: ExactGame, policy: Any) -> tuple[float, ...]:
    """Return the expected reward of each seat if all play a policy."""
    return tuple(pyspiel.expected_returns(exact.spiel.new_initial_state(), policy, -1, True))


class _Tree:
    """Writes a tree in Gambit's format, which OpenSpiel reads."""

    def __init__(
        self, game: AnyGame, seats: int, reward: str, deals: int | None, longest: int | None, most: int
    ) -> None:
        self._game, self._seats, self._reward, self._deals, self._most = game, seats, reward, deals, most
        self._longest = MAX_DEPTH if longest is None else min(MAX_DEPTH, as_int(longest, "longest", 1))
        self._cut = longest is not None
        self._lines: list[str] = []
        self._sets: list[dict[bytes, int]] = [{} for _ in range(seats)]
        self._chances = self._ends = 0

    def written(self, worlds: Mapping[Any, float]) -> ExactGame:
        """Return the tree from these states, with their probabilities."""
        seats = " ".join(f'"{seat}"' for seat in range(self._seats))
        begun = [(state, [self._key(b"", state, seat, None) for seat in range(self._seats)]) for state in worlds]
        if len(begun) > 1:
            self._chance(list(worlds.values()))
        for state, keys in begun:
            self._walk(state, keys, 0)
        text = "\n".join((f'EFG 2 R "{self._game.name}" {{ {seats} }}', '""', "", *self._lines, ""))
        sizes = tuple(map(len, self._sets))
        return ExactGame(pyspiel.load_efg_game(text), len(self._lines), sizes, len(worlds))

    def _walk(self, state: Any, keys: Sequence[bytes], seq: int) -> None:
        game = self._game
        if len(self._lines) >= self._most:
            raise MatchError(f"the tree has more than {self._most} nodes: begin later, or with fewer deals or worlds")
        seat = self._asked(state)
        if seat is not None and seq >= self._longest:
            if not self._cut:
                raise MatchError(f"a line has more than {MAX_DEPTH} events: say at how many one is broken off")
            seat = None
        if seat is None:
            self._ends += 1
            given = ", ".join(f"{each:.9f}" for each in rewards(game.result(state), self._reward, self._seats))
            self._lines.append(f't "" {self._ends} "" {{ {given} }}')
            return
        if seat == TABLE:
            dealt = self._dealt(state, seq)
            if len(dealt) > 1:
                self._chance([chance for _, _, chance in dealt])
            for command, after, _ in dealt:
                self._go_on(state, keys, Event(seq, seat, command), after)
            return
        commands = list(game.legal(state, seat))
        if len(commands) > 1:
            number = self._sets[seat].setdefault(keys[seat], len(self._sets[seat]) + 1)
            labels = " ".join(f'"{self._label(command)}"' for command in commands)
            self._lines.append(f'p "" {seat + 1} {number} "{seat}-{number}" {{ {labels} }} 0')
        for command in commands:
            self._go_on(state, keys, Event(seq, seat, command), game.apply(state, seat, command))

    def _go_on(self, before: Any, keys: Sequence[bytes], event: Event[Any], after: Any) -> None:
        step: Any = Step(event, before, after, self._game)
        known = [self._key(key, after, seat, step) for seat, key in enumerate(keys)]
        self._walk(after, known, event.seq + 1)

    def _key(self, key: bytes, state: Any, seat: int, step: Any) -> bytes:
        """Return what a seat knows after a step, in short: what it knew, what it saw of the step, and its view."""
        seen: tuple[Any, ...] = ()
        if step is not None:
            observed: Any = ObservedEvent(step.seq, step.seat, step.command_for(seat), step.notes_for(seat))
            seen = (observed.seat, *plain_event(self._game, observed))
        return blake2b(pack((key, *seen, self._game.view(state, Seat(seat)))), digest_size=16).digest()

    def _asked(self, state: Any) -> Seat | None:
        """Return the lowest seat that is to act and has a command, the table before all; None once it is over."""
        for seat in sorted(self._game.to_act(state)):
            if seat == TABLE or next(iter(self._game.legal(state, seat)), None) is not None:
                return seat
        return None

    def _chance(self, chances: Sequence[float]) -> None:
        self._chances += 1
        outcomes = " ".join(f'"{number}" {chance:.12f}' for number, chance in enumerate(chances))
        self._lines.append(f'c "" {self._chances} "" {{ {outcomes} }} 0')

    def _dealt(self, state: Any, seq: int) -> list[tuple[Any, Any, float]]:
        """List the deals, those that lead to the same state as one, with the state after and the probability."""
        found: dict[Any, tuple[Any, float]] = {}
        for deal, chance in self._drawn(state, seq) if self._deals else self._every(state):
            after = self._game.apply(state, TABLE, deal)
            first, before = found.get(after, (deal, 0.0))
            found[after] = (first, before + chance)
        return [(deal, after, chance) for after, (deal, chance) in found.items()]

    def _drawn(self, state: Any, seq: int) -> Iterator[tuple[Any, float]]:
        count = self._deals or 1
        for number in range(count):
            seed = blake2b(b"kifu sample %d" % number, digest_size=SEED_BYTES).digest()
            yield self._game.deal(state, Shuffler(seed, seq)), 1 / count

    def _every(self, state: Any) -> Iterator[tuple[Any, float]]:
        """Yield the deal of every order of draws, with its probability."""
        open_ended: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
        tried = 0
        while open_ended:
            draws, chance = open_ended.pop()
            tried += 1
            if tried > MAX_DEALS:
                raise MatchError(f"there are more than {MAX_DEALS} deals: give a number of deals to draw")
            try:
                yield self._game.deal(state, ScriptedShuffler(draws)), chance
            except DrawNeeded as due:
                open_ended += [((*draws, draw), chance / due.bound) for draw in range(due.bound)]

    def _label(self, command: Any) -> str:
        tag, fields = wire_of(self._game).encode(command)
        return json.dumps([tag, *plain(fields).values()], ensure_ascii=True).replace('"', "'")
