"""Law 9: a frontend that knows no game can show it, score it and play it.

- The first fact before each seat is its score so far: an int under one label, and when the game is over its points.
- Everybody is told who has won, by the last note of the match, and with how many points.
- The lists of a view have room for learners, also at the end of a long match, and commands are in the vocabulary.
- A fact before a seat that is named after a field of the view has the field's number.
- Who is shown as out (`mark-out`) is not asked.
- No fact but a score is greater than what its scene says is the greatest possible.
- A zone holds things, and nothing else; a board has one for each of its spaces, and each space a name of its own.
- A seat names its own things where others name theirs.
- Each legal command names its parts, no two of them the same ones, so that clicks can be turned into a command.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

import attrs

from ..env import action_encoding_of
from ..errors import GameError
from ..game import (
    KINDS,
    TABLE,
    AnyGame,
    Place,
    Scene,
    never_open_ended,
)
from ..match import Match
from .channels import scene_of
from .laws_of_play import states_of
from .play import named, pick, seats_of, shuffler_of

LISTED = 400
OWNED = 40
"""So many states of a match are looked at for whose things commands name."""
STRANGE = 4
"""So often a seat names what lies before others alone, or before itself alone, before that counts."""


def scores_come_first(match: Match[Any, Any, Any]) -> None:
    """Law 9: the first fact before each seat is its score, as `scores` counts it, and in the end its points."""
    _scores_are_shown(match, states_of(match))


def scores_come_last(match: Match[Any, Any, Any]) -> None:
    """Law 9 in the last state of a whole match, which parts of matches seldom reach."""
    _scores_are_shown(match, [match.state])


def _scores_are_shown(match: Match[Any, Any, Any], states: Iterable[Any]) -> None:
    game, label = match.game, None
    result = match.result
    for state in states:
        for viewer in (None, *seats_of(match)):
            view = game.view(state, viewer)
            assert getattr(view, "viewer", viewer) == viewer, (
                f"the view of {named(viewer)} says that it is that of {named(view.viewer)}"
            )
            scene = scene_of(game, view)
            _boards_are_whole(scene)
            _facts_are_possible(scene)
            places = scene.places
            assert [place.seat for place in places] == seats_of(match), (
                f"the places of a scene are those of the seats in their order, not {[place.seat for place in places]}"
            )
            for place in places:
                assert place.score is not None, (
                    f"the first fact before seat {place.seat} is no score: {place.facts[:1]}"
                )
                label = label or place.facts[0].label
                assert place.facts[0].label == label, (
                    f"the first fact before seat {place.seat} is {place.facts[0].label}, elsewhere {label}"
                )
                _facts_are_as_in_the_view(place, view, len(places))
                assert "mark-out" not in place.marks or place.seat not in game.to_act(state), (
                    f"seat {place.seat} is shown as out (mark-out), and is to act\nstate: {state!r}"
                )
            counted = None if game.scores is None else game.scores(state)
            assert counted in (None, tuple(place.score for place in places)), (
                f"`scores` counts {counted}, but the first facts are {[place.score for place in places]}"
            )
            if result is not None and state == match.state:
                scores = tuple(place.score for place in places)
                assert scores == result.points, (
                    f"the game is over with the points {result.points}, but the first facts say {scores} to "
                    f"{named(viewer)}"
                )


def _boards_are_whole(scene: Scene) -> None:
    for zone in (zone for place in scene.all_places for zone in place.zones):
        if zone.board is None:
            continue
        spaces = zone.board.spaces
        assert zone.board.kind in KINDS, f"the board of {zone.label} is of no kind that can be drawn: {zone.board.kind}"
        assert len(set(spaces)) == len(spaces), f"two spaces of {zone.label} have one name: {spaces}"
        assert len(zone.things) == len(spaces), (
            f"{zone.label} has {len(zone.things)} things for the {len(spaces)} spaces of its board"
        )


def _facts_are_as_in_the_view(place: Place, view: Any, seats: int) -> None:
    """Raise if a fact before a seat has the name of a field with a number for each seat, and another number."""
    for fact in place.facts:
        name = fact.label.removeprefix("fact-").replace("-", "_")
        row = getattr(view, name, None)
        if isinstance(row, tuple) and place.seat is not None and len(row) == seats:
            number = row[place.seat]
            assert type(number) is not int or type(fact.value) is not int or fact.value == number, (
                f"{fact.label} before seat {place.seat} is {fact.value}, but `{name}[{place.seat}]` is {number}"
            )


def _facts_are_possible(scene: Scene) -> None:
    for fact in (*scene.table.facts, *(fact for place in scene.places for fact in place.facts[1:])):
        assert fact.of is None or (isinstance(fact.value, int) and fact.value <= fact.of), (
            f"{fact.label} is {fact.value} of {fact.of}: `of` is the greatest possible value, under every option"
        )


def lists_have_room(match: Match[Any, Any, Any]) -> None:
    """Law 9: no list of a view outgrows the room that `Encoding.sizes`, or the deck, gives it for learners."""
    try:
        _check_room(match.game, match.states, seats_of(match))
    except GameError as outgrown:
        raise AssertionError(outgrown.summary) from None


def _check_room(game: AnyGame, states: Iterable[Any], seats: Iterable[int]) -> None:
    """Raise `GameError` if a list of a view is longer than an environment has room for; without `env` never.

    An environment lays its arrays out by the first state in which no deal is due.
    """
    dealt = [state for state in states if TABLE not in game.to_act(state)] if find_spec("numpy") is not None else []
    if not dealt:
        return
    from ..env.observation import ObservationEncoder

    encoder = ObservationEncoder(game, dealt[0])
    for seat in seats:
        encoder.check_room(game.view(dealt[-1], seat))


def learners_can_name_commands(match: Match[Any, Any, Any]) -> None:
    """Law 9: each legal command is actions of an environment, and no other one is the same."""
    game, shuffler = match.game, shuffler_of(match, "actions")
    for state in states_of(match):
        for seat in game.to_act(state) - {TABLE}:
            numbered: dict[tuple[int, ...], Any] = {}
            for command in pick(shuffler, list(game.legal(state, seat)), LISTED):
                actions = _actions(game, command)
                other = numbered.setdefault(actions, command)
                assert other == command, f"{command!r} and {other!r} are the same actions of an environment: {actions}"


def _actions(game: AnyGame, command: Any) -> tuple[int, ...]:
    try:
        return action_encoding_of(game).encode(command)
    except GameError as unknown:
        raise AssertionError(f"{unknown.summary}: list what {command!r} holds in `Encoding.vocabulary`") from None


def the_result_is_noted(match: Match[Any, Any, Any]) -> None:
    """Law 9: the last note tells everybody who has won, and one of the last step the points."""
    result = match.result
    if result is None or not match.events:
        return
    step = match.steps[-1]
    for viewer in (None, *seats_of(match)):
        notes = step.notes_for(viewer)
        values = [value for note in notes for _, value in note.values]
        last = [value for _, value in notes[-1].values] if notes else []
        assert result.winners in last, f"the last note tells {named(viewer)} {last}: the winners are {result.winners}"
        assert result.points in values, (
            f"the game is over, but no note of its last step tells {named(viewer)} the points {result.points}: {values}"
        )


def parts_name_commands(match: Match[Any, Any, Any]) -> None:
    """Law 9: each legal command has parts, or a text to type, and no other one has the same."""
    game, shuffler = match.game, shuffler_of(match, "parts")
    for state in states_of(match):
        for seat in game.to_act(state) - {TABLE}:
            _parts_differ(game, seat, pick(shuffler, list(game.legal(state, seat)), LISTED))


def parts_are_ones_own(match: Match[Any, Any, Any]) -> None:
    """Law 9: with one class of command, no seat names only what lies before others, where another names its own.

    That a seat may choose what lies before another is told from a mistake by this: then all of them do.
    """
    game = match.game
    owners: dict[tuple[type, Any], dict[int, list[set[int | None]]]] = {}
    for state in pick(shuffler_of(match, "owners"), list(match.states), OWNED):
        for seat in game.to_act(state) - {TABLE}:
            lying: dict[Any, set[int | None]] = {}  # equal cards lie in several places
            for place in game.scene(game.view(state, seat)).all_places:
                for thing in (thing for zone in place.zones for thing in zone.things):
                    lying.setdefault(thing.part, set()).add(place.seat)
            has = {part[0] for part, whose in lying.items() if part is not None and seat in whose}
            named: dict[tuple[type, Any], set[int | None]] = {}
            for command in pick(shuffler_of(match, "owned"), list(game.legal(state, seat)), LISTED):
                for part in game.parts(command):
                    if part in lying and part[0] in has:
                        whose = {seat} if seat in lying[part] else lying[part]
                        named.setdefault((type(command), part[0]), set()).update(whose)
            for key, places in named.items():
                owners.setdefault(key, {}).setdefault(seat, []).append(places)
    for (command, kind), by_seat in owners.items():
        sure = {seat: set().union(*whose) for seat, whose in by_seat.items() if len(whose) >= STRANGE}
        at_home = {seat for seat, whose in sure.items() if whose == {seat}}
        for seat, whose in sure.items():
            assert not whose <= at_home - {seat}, (
                f"the parts of {command.__name__} that seat {seat} names lie before others, though things of the kind "
                f"{kind!r} lie before it, and the others name their own: it would have to click on theirs"
            )


def _parts_differ(game: AnyGame, seat: int, legal: list[Any]) -> None:
    by_parts: dict[Any, Any] = {}
    for command in legal:
        parts = tuple(game.parts(command))
        is_typed = game.open_ended is not never_open_ended or any(len(part) == 1 for part in parts)
        typed = _texts(command) if is_typed else ()
        assert parts or typed, f"{command!r} is legal for seat {seat}, and names no part: nothing to click on"
        other = by_parts.setdefault((parts, typed), command)
        assert other == command, (
            f"{command!r} and {other!r} are legal for seat {seat}, and name the same {parts}: let one of them name "
            "another kind of part, as `public(thing=…)` does, or write `parts`"
        )


def _texts(command: Any) -> tuple[str, ...]:
    fields = [getattr(command, field.name) for field in attrs.fields(type(command))]
    return tuple(value for value in fields if isinstance(value, str))
