"""What reaches a viewer: one definition for all laws of information.

`shown_now` is what a viewer may look at and ask while nothing happens, `made_of_it` what programs make of that;
`shown_of` is what it is shown of a step, `refusal_of` of the refusal of its command. Whatever is not in these, or made
of them alone, must not leave a host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

import attrs

from ..env.text.drawing import SceneText
from ..env.text.listing import Listing
from ..errors import GameError
from ..game import TABLE, AnyGame, Event, Note, RedactedCommand, RuleViolation, Scene, Seat, Step, Thing
from ..match.legal import MAX_LEGAL
from ..text.texts import Texts
from .messages import words_of

Channels = dict[str, Any]
"""What reaches a viewer, by the name of the channel."""

IN_WORDS = 2
"""Of so many legal commands the texts are compared too."""


def shown_now(game: AnyGame, state: Any, viewer: Seat | None) -> Channels:
    """Return all that the viewer may look at and ask while nothing happens."""
    view = game.view(state, viewer)
    now: Channels = {
        "what the view holds": held(view),
        "scene": game.scene(view),
        "to_act": game.to_act(state),
        "result": game.result(state),
    }
    if viewer is not None:
        now["legal commands"] = [*islice(game.legal(state, viewer), MAX_LEGAL)]
        now["open_ended"] = game.open_ended(state, viewer)
    return now


def made_of_it(game: AnyGame, state: Any, viewer: Seat) -> Channels:
    """Return what programs make of it: parts and texts of the legal commands, the array of an environment."""
    legal = [*islice(game.legal(state, viewer), MAX_LEGAL)]
    return {
        "parts": [game.parts(command) for command in legal],
        "texts of commands": [words.command(each, game) for words in words_of(game) for each in legal[:IN_WORDS]],
        "text of the table": [text_of(game, state, viewer, words) for words in words_of(game)],
        "array of the environment": array(game, state, viewer),
    }


def text_of(game: AnyGame, state: Any, viewer: Seat, words: Texts) -> str:
    """Return what a table in words shows the seat: the scene, and its legal commands."""
    scene = scene_of(game, game.view(state, viewer))
    seats = _names_of_seats(words, len(scene.places))
    drawn = SceneText(game, words, seats).draw(scene, "")
    return "\n".join([*drawn, *Listing(game, state, viewer, 0, words, None).lines(IN_WORDS)])


def scene_of(game: AnyGame, view: Any) -> Scene:
    """Return the scene of a view; raise if a zone holds what is no thing, which no frontend can draw."""
    scene = game.scene(view)
    for zone in (zone for place in scene.all_places for zone in place.zones):
        for thing in zone.things:
            assert isinstance(thing, Thing), (
                f"the things of {zone.label} are `Thing`s, one after the other, and not {thing!r}: `card_things`, "
                "`card_bundle` and their like give a tuple of them"
            )
    return scene


@cache
def _names_of_seats(words: Texts, seats: int) -> list[str]:
    return [words.seat(Seat(seat)) for seat in range(seats)]


def shown_of(step: Step[Any, Any], viewer: Seat | None) -> Channels:
    """Return all that the viewer is shown of a step: what it observes of the command, and its notes, also in words."""
    command, notes = step.command_for(viewer), step.notes_for(viewer)
    return {"observed command": command, "notes": notes, "texts": _in_words(_Shown(command, notes), step.game)}


class _Shown:
    """A command and its notes, equal to others that spell the same, with fields that do not count in comparisons."""

    __slots__ = ("command", "notes", "spelled")

    def __init__(self, command: Any, notes: tuple[Note, ...]) -> None:
        self.command, self.notes, self.spelled = command, notes, repr((command, notes))

    def __hash__(self) -> int:
        return hash(self.spelled)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self.spelled == other.spelled


@lru_cache(maxsize=4096)
def _in_words(shown: _Shown, game: AnyGame) -> list[list[str]]:
    """Return the command and the notes in the words of each language; most are shown to many viewers."""
    return [
        [words.command(shown.command, game), *(words.note(note, game) for note in shown.notes)]
        for words in words_of(game)
    ]


def refusal_of(game: AnyGame, refused: RuleViolation) -> Channels:
    """Return all that a seat is shown of the refusal of its command."""
    words = [text for each in words_of(game) for text in (each.violation(refused, game), each.refusal(refused, game))]
    return {"rule": refused.rule, "seat": refused.seat, "facts": held(refused.facts), "texts": words}


def step_of(game: AnyGame, before: Any, seat: Seat, command: Any, after: Any) -> Step[Any, Any]:
    """Return the step that a command makes, as the first of its match."""
    return Step(Event(0, seat, command), before, after, game)


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """Return the name of the first channel on which the two differ; None if they are equal."""
    return next((channel for channel in one if one[channel] != other[channel]), None)


def held(value: Any) -> Any:
    """Spell out all that a view holds, also in fields that do not count when views are compared."""
    kind: Any = type(value)
    if kind in (int, str, bool):
        return repr(value)
    if kind is tuple:
        return [held(each) for each in value]
    names = _field_names(kind)
    if names is not None:
        stray = getattr(value, "__dict__", ())
        every = names if len(stray) <= len(names) and set(names).issuperset(stray) else sorted({*names, *stray})
        return kind.__name__, [(name, held(getattr(value, name))) for name in every]
    if isinstance(value, dict):
        return sorted(((repr(key), held(each)) for key, each in value.items()), key=repr)
    if isinstance(value, set | frozenset):
        return sorted(map(held, value), key=repr)
    return [held(each) for each in value] if isinstance(value, list | tuple) else repr(value)


@cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    """Return the names of the fields of a class of attrs, sorted; None for any other class."""
    return tuple(sorted(field.name for field in attrs.fields(kind))) if attrs.has(kind) else None


def kept_of_command(game: AnyGame, observed: Any) -> Any:
    """Return what is observed of a command without the fields that the game says are shown for a moment."""
    hidden = isinstance(observed, RedactedCommand)
    tag = observed.tag if hidden else game.wire[type(observed)]
    fields = dict(observed.fields) if hidden else attrs.asdict(observed, recurse=False)
    return tag, _without(game.shows.get(tag, ()), fields.items())


def kept_of_notes(game: AnyGame, notes: Iterable[Note], *, own: bool = False) -> Any:
    """Return notes without the values that the game says are shown for a moment; `own`: to the seat that acts."""
    moments = [
        (note, (*game.shows.get(note.key, ()), *(game.looks.get(note.key, ()) if own else ()))) for note in notes
    ]
    return [(note.key, note.rule, note.begins, _without(shown, note.values)) for note, shown in moments]


def _without(shown: Iterable[str], values: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in values if name not in shown]


def array(game: AnyGame, state: Any, viewer: Seat) -> list[int] | None:
    """Return the array that an environment shows the seat; None where the view has none, or without the extra `env`."""
    if not _HAS_NUMPY:
        return None
    from ..env.observation import ObservationEncoder

    observers = _observers.setdefault(game, {})
    seats = len(game.scene(game.view(state, viewer)).places)
    layout = seats, sum(1 for _ in game.cards(state)), repr(getattr(state, "options", None))
    try:
        if layout not in observers:
            observers[layout] = ObservationEncoder(game, state)
        return [int(each) for each in observers[layout].observe(state, viewer)]
    except (GameError, TypeError, ValueError):  # an environment of this game would fail, and so tell nobody anything
        return None


def check_room(game: AnyGame, states: Iterable[Any], seats: Iterable[Seat]) -> None:
    """Raise `GameError` if a list of a view is longer than an environment has room for; without `env` never.

    An environment lays its arrays out by the first state in which no deal is due.
    """
    dealt = [state for state in states if TABLE not in game.to_act(state)] if _HAS_NUMPY else []
    if not dealt:
        return
    from ..env.observation import ObservationEncoder

    encoder = ObservationEncoder(game, dealt[0])
    for seat in seats:
        encoder.check_room(game.view(dealt[-1], seat))


_HAS_NUMPY = find_spec("numpy") is not None
_observers: WeakKeyDictionary[AnyGame, dict[tuple[int, int, str], Any]] = WeakKeyDictionary()
