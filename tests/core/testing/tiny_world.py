"""The truth about Tiny and games broken from it, found by listing every deal and every history."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import Any

from attrs import frozen
from kifu.core.game import TABLE, Event, Game, RuleViolation, Seat, Step
from kifu.core.shuffle import Shuffler
from kifu.core.testing.channels import held, shown_now

from .tiny import DECK, GAME, Deal, Lay, Options, Peek

DEALS = [deal for deal in permutations(DECK) if deal[0] < deal[1] and deal[2] < deal[3]]
"""Every deal: a hand is the same in whatever order its cards come."""
VIEWERS = (None, Seat(0), Seat(1))
DRAWS = [bytes([number]) * 32 for number in range(12)]
COMMANDS = [Peek(False), Peek(True), *(Lay(card) for card in (0, *DECK, 6)), Deal(DECK)]


@frozen
class Node:
    """A state, and the events that led to it."""

    steps: tuple[Step[Any, Any], ...]
    state: Any


@cache
def nodes() -> tuple[Node, ...]:
    """Return every state of every match of the good game, by its history."""
    return tuple(_below(Node((), GAME.start(Options(), 2))))


def _below(node: Node) -> Iterator[Node]:
    yield node
    asked = GAME.to_act(node.state)
    for seat in asked:
        commands = map(Deal, DEALS) if seat == TABLE else GAME.legal(node.state, seat)
        for command in commands:
            after = GAME.apply(node.state, seat, command)
            step = Step(Event(len(node.steps), seat, command), node.state, after, GAME)
            yield from _below(Node((*node.steps, step), after))


def is_broken(game: Game[Any, Any, Any]) -> bool:
    """Tell whether a game gives, anywhere, what the good one does not: by listing, not by law."""
    return _plays_otherwise(game) or _is_laid_out_wrongly(game) or _tells_apart_otherwise(game) or _draws_wrongly(game)


def _plays_otherwise(game: Game[Any, Any, Any]) -> bool:
    return any(
        game.to_act(node.state) != GAME.to_act(node.state)
        or game.result(node.state) != GAME.result(node.state)
        or any(
            sorted(game.legal(node.state, seat), key=repr) != sorted(GAME.legal(node.state, seat), key=repr)
            or [_answer(game, node.state, seat, each) for each in COMMANDS]
            != [_answer(GAME, node.state, seat, each) for each in COMMANDS]
            for seat in (TABLE, *VIEWERS[1:])
        )
        for node in nodes()
    )


def _answer(game: Game[Any, Any, Any], state: Any, seat: Seat, command: Any) -> Any:
    try:
        return game.apply(state, seat, command)
    except RuleViolation as refused:
        return refused.rule, refused.facts


def _is_laid_out_wrongly(game: Game[Any, Any, Any]) -> bool:
    for node in nodes():
        for seat in VIEWERS[1:]:
            parts = [game.parts(command) for command in game.legal(node.state, seat)]
            if () in parts or len(set(parts)) < len(parts):
                return True
            places = game.scene(game.view(node.state, seat)).places
            result = GAME.result(node.state)
            if any(place.score is None for place in places):
                return True
            if result is not None and tuple(place.score for place in places) != result.points:
                return True
            if game.hints is not None and not _priors_are_whole(game, node.state, seat):
                return True
    return False


def _priors_are_whole(game: Game[Any, Any, Any], state: Any, seat: Seat) -> bool:
    assert game.hints is not None
    assert GAME.hints is not None
    return list(game.hints.priors(state, seat)) == list(GAME.hints.priors(state, seat))


def _tells_apart_otherwise(game: Game[Any, Any, Any]) -> bool:
    """Tell whether some viewer can tell apart what it cannot in the good game, or cannot what it can."""
    return any(
        _partition(game, viewer, whole) != _partition(GAME, viewer, whole)
        for viewer in VIEWERS
        for whole in (False, True)
    )


def _partition(game: Game[Any, Any, Any], viewer: Seat | None, whole: bool) -> frozenset[frozenset[int]]:
    """Return which nodes look the same to the viewer: by its history alone, or by all that reaches it there (`whole`)."""
    groups: dict[str, set[int]] = {}
    for number, node in enumerate(nodes()):
        groups.setdefault(repr(_reaches(game, node, viewer, whole)), set()).add(number)
    return frozenset(map(frozenset, groups.values()))


def _reaches(game: Game[Any, Any, Any], node: Node, viewer: Seat | None, whole: bool) -> Any:
    history = [_shown(game, step, viewer) for step in node.steps]
    return (history, shown_now(game, node.state, viewer)) if whole else history


def _shown(game: Game[Any, Any, Any], step: Step[Any, Any], viewer: Seat | None) -> Any:
    moved = Step(step.event, step.before, step.after, game)
    return moved.command_for(viewer), moved.notes_for(viewer)


def _draws_wrongly(game: Game[Any, Any, Any]) -> bool:
    """Tell whether a draw is no state that the viewer's view, or its history, allows; or whether none differ."""
    return any(
        _is_wrong({game.determinize(GAME.view(states[0], viewer), Shuffler(seed)) for seed in DRAWS}, states)
        for viewer in VIEWERS
        for states in _alike(viewer, False)
    ) or any(
        _is_wrong({_recalled(game, node, viewer)(Shuffler(seed)) for seed in DRAWS}, states)
        for viewer in VIEWERS[1:]
        for states in _alike(viewer, True)
        for node in [next(node for node in nodes() if node.state == states[0])]
    )


def _is_wrong(drawn: set[Any], states: list[Any]) -> bool:
    return not drawn <= set(states) or (len(drawn) == 1 < len(set(states)))


@cache
def _alike(viewer: Seat | None, by_history: bool) -> list[list[Any]]:
    """Return the states that a viewer cannot tell apart: by its view now, or by its history."""
    groups: dict[str, list[Any]] = {}
    for node in nodes():
        seen = _reaches(GAME, node, viewer, False) if by_history else held(GAME.view(node.state, viewer))
        groups.setdefault(repr(seen), []).append(node.state)
    return list(groups.values())
