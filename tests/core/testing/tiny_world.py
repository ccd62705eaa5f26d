"""The truth about Tiny and games broken from it, found by listing every deal and every history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import permutations
from typing import Any

from attrs import frozen
from kifu.core.game import TABLE, Event, Game, ObservedEvent, Step, hints_of
from kifu.core.game.shuffle import Shuffler
from kifu.core.testing.channels import held, shown_now
from kifu.core.testing.laws_of_play import answer

from .toys.tiny import DECK, GAME, Deal, Lay, Peek

DEALS = [deal for deal in permutations(DECK) if deal[0] < deal[1]]
"""Every deal: the hand of two is the same in whatever order its cards come."""
VIEWERS = (None, 0, 1)
DRAWS = [bytes([number]) * 32 for number in range(12)]
COMMANDS = [
    Peek(False),
    Peek(True),
    *(Lay(card) for card in (0, *DECK, 6)),
    Deal(DECK),
    Deal(DECK[:4]),
    Deal(DECK[:1] * 5),
]


@frozen
class Node:
    """A state, and the events that led to it."""

    steps: tuple[Step[Any, Any], ...]
    state: Any


@cache
def nodes() -> tuple[Node, ...]:
    """Return every state of every match of the good game, by its history."""
    return tuple(_below(Node((), GAME.start(GAME.options(), 2))))


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
    """Tell whether a game gives, anywhere, what the good one does not: by listing, not by law.

    What comes of the good game's own functions alone need not be listed again.
    """
    return any(
        otherwise(game)
        for otherwise, names in LISTED.items()
        if any(getattr(game, name) is not getattr(GAME, name) for name in names)
    )


def _plays_otherwise(game: Game[Any, Any, Any]) -> bool:
    return any(
        game.to_act(node.state) != GAME.to_act(node.state)
        or game.result(node.state) != GAME.result(node.state)
        or any(
            sorted(game.legal(node.state, seat), key=repr) != sorted(GAME.legal(node.state, seat), key=repr)
            or [answer(game, node.state, seat, each) for each in COMMANDS]
            != [answer(GAME, node.state, seat, each) for each in COMMANDS]
            for seat in (TABLE, *VIEWERS[1:])
        )
        for node in nodes()
    )


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
            if list(GAME.legal(node.state, seat)) and not list(hints_of(game).priors(node.state, seat)):
                return True
    return False


def _tells_apart_otherwise(game: Game[Any, Any, Any]) -> bool:
    """Tell whether some viewer can tell apart what it cannot in the good game, or cannot what it can."""
    return any(
        groups(game, viewer, shown) != groups(GAME, viewer, shown)
        for viewer in VIEWERS
        for shown in (by_history, by_all, by_view)
    )


Shown = Callable[[Game[Any, Any, Any], Node, int | None], Any]


def by_history(game: Game[Any, Any, Any], node: Node, viewer: int | None) -> Any:
    """Return what the viewer has observed and was told until now."""
    moved = [Step(step.event, step.before, step.after, game) for step in node.steps]
    return [(step.command_for(viewer), step.notes_for(viewer)) for step in moved]


def by_all(game: Game[Any, Any, Any], node: Node, viewer: int | None) -> Any:
    """Return all that reaches the viewer: its history, and what it may look at and ask now."""
    return by_history(game, node, viewer), shown_now(game, node.state, viewer)


def by_view(game: Game[Any, Any, Any], node: Node, viewer: int | None) -> Any:
    """Return what the viewer may look at now, wherever it comes from."""
    return held(game.view(node.state, viewer))


@lru_cache(maxsize=64)
def groups(game: Game[Any, Any, Any], viewer: int | None, shown: Shown) -> list[list[int]]:
    """Return which nodes look the same to the viewer, by their numbers."""
    found: dict[str, list[int]] = {}
    for number, node in enumerate(nodes()):
        found.setdefault(repr(shown(game, node, viewer)), []).append(number)
    return list(found.values())


def _draws_wrongly(game: Game[Any, Any, Any]) -> bool:
    """Tell whether a draw is no state that the view, or the history, allows, or whether draws or deals never differ."""
    if len({game.deal(nodes()[0].state, Shuffler(seed)) for seed in DRAWS}) == 1:
        return True
    return any(
        _is_wrong(draw, [nodes()[number] for number in numbers])
        for viewer in VIEWERS
        for shown in (by_view, by_history)
        for numbers in groups(GAME, viewer, shown)
        for draw in [_draw(game, viewer, shown, nodes()[numbers[0]])]
    )


def _draw(game: Game[Any, Any, Any], viewer: int | None, shown: Shown, node: Node) -> Callable[[Shuffler], Any]:
    view = GAME.view(node.state, viewer)
    if shown is by_view or viewer is None:
        return lambda shuffler: game.determinize(view, shuffler)
    history = [
        ObservedEvent(step.seq, step.seat, step.command_for(viewer), step.notes_for(viewer)) for step in node.steps
    ]
    return hints_of(game).determinize_history(view, history) if hints_of(game) else lambda shuffler: node.state


def _is_wrong(draw: Callable[[Shuffler], Any], alike: list[Node]) -> bool:
    allowed = {node.state for node in alike}
    drawn = {draw(Shuffler(seed)) for seed in DRAWS}
    return not drawn <= allowed or len(drawn) == 1 < len(allowed)


LISTED: dict[Callable[[Game[Any, Any, Any]], bool], tuple[str, ...]] = {
    _plays_otherwise: ("to_act", "result", "legal", "apply"),
    _is_laid_out_wrongly: ("legal", "parts", "scene", "view", "extras"),
    _tells_apart_otherwise: ("to_act", "result", "legal", "view", "scene", "redact", "explain"),
    _draws_wrongly: ("deal", "determinize", "extras"),
}
"""What is listed, and the functions that it comes of."""
