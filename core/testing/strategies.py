"""Hypothesis strategies: matches of random legal play, their positions, option sets, and well-formed commands."""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal, NewType, Union, get_args, get_origin

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..errors import OptionError
from ..game import TABLE, Game, Shuffler
from ..match import Match, Position
from .play import directed, played

Choices = Mapping[str, Any]
"""By the name of an option: a strategy for its values, or its one value."""

PARTS = 1000
MOST = 4
"""So many values, or pairs, a tuple or a map of the options has at most."""
LETTERS = "ab09 .-_:/'\"\\{}$%\0\n\x1b\x7fÄßé\u0301ﬁあア漢♠½\u200b\u202e\ufeff🂡"
"""What texts are made of: all of Unicode costs a new game's first tests two seconds in which Hypothesis lists it."""
MATCHES = 100
"""The number of different matches for each set of options and seats: repeated ones are cached."""


def option_sets(
    game: Game[Any, Any, Any], seats: int | None = None, options: Choices | None = None
) -> SearchStrategy[Any]:
    """Return a strategy for the game's options that suit this number of seats (None: any number of the game).

    Bools, ints (as seats), `Literal`s, enums, and tuples and maps of such are drawn; any other option keeps its default
    unless `options` has a strategy or a value for it.
    """
    given = options or {}
    kinds = attrs.fields(attrs.resolve_types(game.options))
    drawn = {each.name: _option(each, given, max(game.seats) if seats is None else seats) for each in kinds}

    def suit(chosen: Any) -> bool:
        return any(suits(game, chosen, number) for number in (game.seats if seats is None else [seats]))

    return st.builds(game.options, **drawn).filter(suit)


def _option(field: Any, given: Choices, seats: int) -> SearchStrategy[Any]:
    if field.name in given:
        value = given[field.name]
        return value if isinstance(value, SearchStrategy) else st.just(value)
    factory = getattr(field.default, "factory", None)
    default = st.builds(factory) if factory else st.just(field.default)
    drawn = _small(field.type, seats, is_map=field.metadata.get("wire") == "map")
    return default if drawn is None else default | drawn


def _small(kind: Any, seats: int, *, is_map: bool = False) -> SearchStrategy[Any] | None:
    """Return a strategy for an option's values of few kinds, whose ints are seats; None: it is not drawn."""
    args = get_args(kind)
    if kind is int:
        return st.integers(0, seats - 1)
    if get_origin(kind) is tuple:
        parts = [_small(arg, seats) for arg in args if arg is not Ellipsis]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if len(parts) == len(args):
            return st.tuples(*known)
        pairs = st.lists(known[0], max_size=MOST, unique_by=(lambda pair: pair[0]) if is_map else None)
        return pairs.map(lambda each: tuple(sorted(each, key=repr) if is_map else each))
    return values(kind, ()) if kind is bool or get_origin(kind) is Literal or _is_enum(kind) else None


def suits(game: Game[Any, Any, Any], chosen: Any, seats: int) -> bool:
    """Return True if the game can be played with these options by so many seats."""
    try:
        game.check_options(chosen, seats)
    except OptionError:
        return False
    return True


@st.composite
def matches(
    draw: st.DrawFn,
    game: Game[Any, Any, Any],
    seats: int | None = None,
    options: Choices | None = None,
    *,
    whole: bool = False,
) -> Match[Any, Any, Any]:
    """Return a strategy for matches of random legal play, up to any event; with `whole`, up to the end.

    A match is drawn as one number and the part of it that is played, not command by command: it is quick to make, and
    shrinks to few events.
    """
    number_of_seats = draw(st.sampled_from(list(game.seats))) if seats is None else seats
    chosen = draw(option_sets(game, number_of_seats, options))
    cut, ended = draw(st.integers(0, PARTS - 1)), draw(st.booleans())  # every other one stands at its end
    part = PARTS if whole or ended else cut
    return played(game, number_of_seats, chosen, draw(st.integers(0, MATCHES - 1)), part / PARTS)


@st.composite
def directed_matches(
    draw: st.DrawFn, game: Game[Any, Any, Any], options: Choices | None = None
) -> Match[Any, Any, Any]:
    """Return a strategy for whole matches of directed play, which comes to rare states."""
    seats = draw(st.sampled_from(list(game.seats)))
    return directed(game, seats, draw(option_sets(game, seats, options)), draw(st.integers(0, MATCHES - 1)))


def positions(
    game: Game[Any, Any, Any], seats: int | None = None, options: Choices | None = None
) -> SearchStrategy[Position[Any, Any, Any]]:
    """Return a strategy for the positions of matches of random legal play."""
    return matches(game, seats, options).map(lambda match: match.position)


def commands(game: Game[Any, Any, Any]) -> SearchStrategy[Any]:
    """Return a strategy for well-formed, mostly illegal commands, from the annotations of the command classes."""
    hints = tuple(dict.fromkeys(_some_cards(game)))
    return st.one_of([_instances(kind, hints) for kind in game.wire])


def _some_cards(game: Game[Any, Any, Any]) -> list[Any]:
    """Return the cards after a deal, so that drawn commands name cards of the deck."""
    state = game.start(game.options(), game.seats[0])
    if TABLE in game.to_act(state):
        state = game.apply(state, TABLE, game.deal(state, Shuffler(bytes(32))))
    return list(game.cards(state))


def _instances(kind: type, hints: tuple[Any, ...]) -> SearchStrategy[Any]:
    fields = attrs.fields(attrs.resolve_types(kind))
    return st.builds(kind, **{field.name: values(field.type, hints) for field in fields})


def values(kind: Any, hints: tuple[Any, ...]) -> SearchStrategy[Any]:
    """Return a strategy for values of an annotated type, in which those of `hints` are frequent."""
    if isinstance(kind, NewType):
        return values(kind.__supertype__, hints)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, types.UnionType):
        return st.one_of([values(arg, hints) for arg in args])
    if origin is tuple and args[1:] == (Ellipsis,):
        return st.lists(values(args[0], hints), max_size=8).map(tuple)
    if origin is tuple:
        return st.tuples(*(values(arg, hints) for arg in args))
    if _is_enum(kind):
        return st.sampled_from(list(kind))
    if attrs.has(kind):
        return _instances(kind, hints)
    return _plain(kind, hints)


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _plain(kind: Any, hints: tuple[Any, ...]) -> SearchStrategy[Any]:
    known = [hint for hint in hints if type(hint) is kind]
    drawn: dict[Any, SearchStrategy[Any]] = {
        int: st.integers(-2, 16) | st.integers(),
        str: st.text(LETTERS, max_size=6),
        bool: st.booleans(),
        bytes: st.binary(max_size=8),
        type(None): st.none(),
        None: st.none(),
    }
    if kind not in drawn:
        raise TypeError(
            f"{kind!r} has no place in a command: use int, str, bool, None, tuples, enums and attrs classes"
        )
    return st.sampled_from(known) | drawn[kind] if known else drawn[kind]
