"""Information-set Monte Carlo tree search with many observers (Cowling, Powley, Whitehouse 2012), guided as by PUCT.

Each iteration draws a state that the seat may be in and plays it through: down the trees as far as they go, then on
by the game's priors; the value of the last state goes back up. Every seat has a tree of its own, whose branches are
what that seat sees of each command. So no seat in the search acts on what is hidden from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import count
from math import sqrt
from time import monotonic
from typing import Any

from attrs import define, field, frozen

from ...core.errors import BotError, Message
from ...core.game import AnyStep, Event, Game, Shuffler, Step, ordered_sum
from ...core.match.bot import Bot, InformationState
from .arguments import number_of, seconds_of
from .determinization import determinizer_of, priors_of, values_of
from .greedy import mean_priors
from .playouts import Playouts

MAX_ITERATIONS = 40
"""The most commands that are tried at the root: those of the highest weight."""
EXPLORATION = 1.0
"""The weight of exploration: of a high prior and few visits."""


Budget = Callable[[], Callable[[int], bool]]
"""Starts a search: returns a function that returns True if iteration 0, 1, … is still to be done."""


def ismcts(seed: bytes, argument: str = "200") -> Bot:
    """Return a bot with a budget: `200` iterations, or a time, `200ms` or `2s`, which is not reproducible."""
    budget = _budget(argument or "200")

    def choose(info_state: InformationState[Any, Any]) -> Any:
        if len(info_state.legal) == 1:
            return info_state.legal[0]
        return Search(info_state, seed).choose(budget())

    return choose


def _budget(argument: str) -> Budget:
    seconds, number = seconds_of(argument), number_of(argument)
    if seconds is not None:
        return budget_of(None, seconds)
    if number is not None:
        return budget_of(number, None)
    english = "ismcts:{given}: give iterations (ismcts:200) or a time (ismcts:200ms, ismcts:2s)"
    raise BotError(Message("ismcts-budget", english, given=argument[:40]))


def budget_of(iterations: int | None, limit_s: float | None) -> Budget:
    """Return a budget of so many iterations and so much time, whichever ends first; None: no bound."""

    def begin() -> Callable[[int], bool]:
        end = None if limit_s is None else monotonic() + limit_s

        def goes_on(iteration: int) -> bool:
            if iterations is not None and iteration >= iterations:
                return False
            return iteration < 1 or end is None or monotonic() < end

        return goes_on

    return begin


class Search:
    """The search of one choice of one seat."""

    def __init__(self, info_state: InformationState[Any, Any], seed: bytes) -> None:
        digest = blake2b(b"kifu ismcts" + len(info_state.history).to_bytes(8, "big"), key=seed, digest_size=32).digest()
        self._shuffler = Shuffler(digest)
        self._game = info_state.game
        self._seat = info_state.seat
        self._draw = determinizer_of(info_state)
        self._playouts = Playouts(self._game, self._shuffler)
        self._root_priors = mean_priors(info_state, self._shuffler)[:MAX_ITERATIONS]
        self._trees: dict[int, Node] = {}

    def choose(self, goes_on: Callable[[int], bool]) -> Any:
        """Search until the budget is used up, and return the command tried most."""
        if len(self._root_priors) == 1:
            return self._root_priors[0][0]
        for iteration in count():
            if not goes_on(iteration):
                break
            self._iterate()
        return self.thoughts()[0].command

    def thoughts(self) -> tuple[Thought, ...]:
        """Return what the search has thought of each command that it weighs, the one tried most first."""
        weights = ordered_sum(weight for _, weight in self._root_priors)
        edges = self._trees[self._seat].edges if self._seat in self._trees else {}
        ordered = sorted(self._root_priors, key=lambda each: _rank(edges.get(each[0])), reverse=True)
        return tuple(_thought(command, edges.get(command), weight / weights) for command, weight in ordered)

    def _iterate(self) -> None:
        """Play one drawn state through, and add its value to the edges of its path."""
        state = self._draw(self._shuffler)
        trail = Trail(self._game, self._trees)
        tried: list[tuple[int, Node, Edge]] = []
        seat, priors = self._seat, self._root_priors
        while True:
            node = trail.node(seat)
            command, edge = _best(node, priors)
            tried.append((seat, node, edge))
            before, state = state, self._game.apply(state, seat, command)
            trail.add(Step(Event(0, seat, command), before, state, self._game))
            following = self._playouts.next(state)
            if not edge.visits or following is None:
                break
            state, seat = following
            priors = list(priors_of(self._game, state, seat))
        value = values_of(self._game, self._playouts.play_on(state))
        for seat, node, edge in tried:
            gained = value[seat] if value is not None else 0.5
            node.total_value += gained
            edge.visits += 1
            edge.total_value += gained


def _rank(edge: Edge | None) -> tuple[int, float]:
    return (edge.visits, edge.total_value) if edge is not None else (0, 0.0)


def _thought(command: Any, edge: Edge | None, prior: float) -> Thought:
    if edge is None or not edge.visits:
        return Thought(command, 0, None, prior)
    return Thought(command, edge.visits, edge.total_value / edge.visits, prior)


class Trail:
    """The commands of one iteration, and the node that each seat's tree has reached along them."""

    def __init__(self, game: Game[Any, Any, Any], trees: dict[int, Node]) -> None:
        self._game, self._trees = game, trees
        self._steps: list[AnyStep] = []
        self._at: dict[int, tuple[Node, int]] = {}

    def add(self, step: AnyStep) -> None:
        """Append a step."""
        self._steps.append(step)

    def node(self, viewer: int) -> Node:
        """Return the node of a seat's tree, by what the seat observed of the commands."""
        node, followed = self._at.get(viewer) or (self._trees.setdefault(viewer, Node()), 0)
        for step in self._steps[followed:]:
            node = node.children.setdefault((step.event.seat, self._game.redact(step, viewer)), Node())
        self._at[viewer] = node, len(self._steps)
        return node


def _best(node: Node, priors: Sequence[tuple[Any, float]]) -> tuple[Any, Edge]:
    """Return the legal command with the highest PUCT score, and its edge."""
    weights = ordered_sum(weight for _, weight in priors)
    node.visits += 1
    root = sqrt(node.visits)
    mean = node.total_value / node.visits
    found, most = None, -1.0
    for command, weight in priors:
        edge = node.edges.get(command)
        if edge is None:
            edge = node.edges[command] = Edge()
        edge.prior += weight / weights
        score = edge.total_value / edge.visits if edge.visits else mean
        score += EXPLORATION * edge.prior / node.visits * root / (1 + edge.visits)
        if score > most:
            found, most = (command, edge), score
    assert found is not None, "a seat that is to act has something to do"
    return found


@define
class Edge:
    """One command at a node: its visits, the sum of their values, and the sum of its priors."""

    visits: int = 0
    total_value: float = 0.0
    prior: float = 0.0


@frozen
class Thought:
    """What a search thought of one command at its root."""

    command: Any
    visits: int
    """The iterations that tried it."""
    mean: float | None
    """The mean value to the seat over its visits, 0 to 1: half the victory, half the lead. None without a visit."""
    prior: float
    """Its part of the weights of all commands before the search, 0 to 1."""


@define
class Node:
    """What one seat has observed since the root: the commands tried there, and what it observed next."""

    visits: int = 0
    total_value: float = 0.0
    edges: dict[Any, Edge] = field(factory=dict)
    children: dict[Any, Node] = field(factory=dict)
