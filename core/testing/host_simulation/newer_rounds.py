"""Rounds at its second rules version, to which hosts are upgraded one after the other; and at one that breaks matches.

Version 2 gives nobody a point where several have the highest sum. The old reading lives on as `equal="all"`, which the
upcast writes into the header of every older log. Its view has a field more, and its states another layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import attrs
from attrs import evolve, frozen

from ...game import Game, Note, Seat, Step, Upcast
from . import rounds
from .rounds import GAME, Play


@frozen
class Options:
    """What is agreed on: how many rounds are played, and who wins one where several have the highest sum."""

    rounds: int = 2
    equal: Literal["all", "none"] = "none"


@frozen(slots=False)
class State(rounds.State):
    """The state of version 1, and who wins an equal round."""

    equal: str = "none"


@frozen
class View(rounds.View):
    """The view of version 1, and how many have played in this round."""

    turns: int


def start(options: Options, seats: int) -> State:
    """Return the state before the first deal."""
    return State(options.rounds, ((),) * seats, (None,) * seats, (), (0,) * seats, options.equal)


def apply(state: Any, seat: Seat, command: Any) -> Any:
    """Return the state after a command."""
    after = rounds.apply(state, seat, command)
    won = sum(after.points) - sum(state.points)
    return evolve(after, points=state.points) if won > 1 and state.equal == "none" else after


def view(state: Any, viewer: Seat | None) -> Any:
    """Return what a viewer sees."""
    seen: tuple[Any, ...] = attrs.astuple(rounds.view(state, viewer), recurse=False)
    return View(*seen, turns=len(state.played))  # type: ignore[misc]


def in_common(seen: Any) -> Any:
    """Return what a view shows in every version."""
    if not isinstance(seen, View):
        return seen
    return rounds.View(**{each.name: getattr(seen, each.name) for each in attrs.fields(rounds.View)})


def explain_otherwise(step: Step[Any, Any], viewer: Seat | None) -> Iterator[Note]:
    """Tell seat 1 less than version 1 did."""
    return iter(()) if viewer == 1 and isinstance(step.command, Play) else rounds.explain(step, viewer)


def with_old_reading(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the header of a log of version 1 with the option that version 2 brought."""
    return {**header, "options": {**header["options"], "equal": "all"}}


NEWER: Game[Any, Any, Any] = evolve(
    GAME,
    rules=2,
    layout=2,
    options=Options,
    start=start,
    apply=apply,
    view=view,
    upcasts={1: Upcast(with_old_reading)},
)
BREAKING: Game[Any, Any, Any] = evolve(NEWER, explain=explain_otherwise)
"""A version 2 under which no match can go on in which anybody has played."""
