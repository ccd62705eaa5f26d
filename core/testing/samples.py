"""What is drawn of a game: matches, positions, option sets and commands as strategies of Hypothesis; and surveys.

A survey is some matches of a game, as unlike as so few can be, and a few steps of every kind that occurs in them: those
that random play seldom meets would seldom be looked at.
"""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NewType, Union, get_args, get_origin

import attrs
from attrs import field, frozen
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..game import FORMAT_COMMANDS, TABLE, AnyStep, Game, RedactedCommand, Shuffler, is_mapping
from ..log import read
from ..match import AnyMatch, Match, Position
from .laws_of_record import Case
from .play import directed, played, seats_of, suits

Choices = Mapping[str, Any]
"""By the name of an option: a strategy for its values, or its one value."""

PARTS = 1000
MOST = 4
"""So many values, or pairs, a tuple or a map of the options has at most."""
LETTERS = "ab09 .-_:/'\"\\{}$%\0\n\x1b\x7fÄßé\u0301ﬁあア漢♠½\u200b\u202e\ufeff🂡"
"""What texts are made of: all of Unicode costs a new game's first tests two seconds in which Hypothesis lists it."""
NUMBERS = 100
"""The number of different matches for each set of options and seats: repeated ones are cached."""


def option_sets(
    game: Game[Any, Any, Any], seats: int | None = None, options: Choices | None = None
) -> SearchStrategy[Any]:
    """Return a strategy for the game's options that suit this number of seats (None: any number of the game).

    Bools, ints (as seats), `Literal`s, enums, and unions, tuples and maps of such are drawn; any other option keeps its
    default unless `options` has a strategy or a value for it.
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
    plain = {int: st.integers(0, seats - 1), bool: st.booleans()}
    try:
        if not is_mapping(field):
            return default | values(field.type, plain, MOST)
        pairs = st.lists(values(get_args(field.type)[0], plain), max_size=MOST, unique_by=lambda pair: pair[0])
    except TypeError:
        return default
    return default | pairs.map(lambda each: tuple(sorted(each, key=repr)))


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
    return played(game, number_of_seats, chosen, draw(st.integers(0, NUMBERS - 1)), part / PARTS)


@st.composite
def directed_matches(
    draw: st.DrawFn, game: Game[Any, Any, Any], options: Choices | None = None
) -> Match[Any, Any, Any]:
    """Return a strategy for whole matches of directed play, which comes to rare states."""
    seats = draw(st.sampled_from(list(game.seats)))
    return directed(game, seats, draw(option_sets(game, seats, options)), draw(st.integers(0, NUMBERS - 1)))


def positions(
    game: Game[Any, Any, Any], seats: int | None = None, options: Choices | None = None
) -> SearchStrategy[Position[Any, Any, Any]]:
    """Return a strategy for the positions of matches of random legal play."""
    return matches(game, seats, options).map(lambda match: match.position)


def commands(game: Game[Any, Any, Any]) -> SearchStrategy[Any]:
    """Return a strategy for well-formed, mostly illegal commands, from the annotations of the command classes."""
    plain: dict[Any, SearchStrategy[Any]] = {
        int: st.integers(-2, 16) | st.integers(),
        str: st.text(LETTERS, max_size=6),
        bool: st.booleans(),
        bytes: st.binary(max_size=8),
        type(None): st.none(),
    }
    for card in dict.fromkeys(_some_cards(game)):  # those of the deck are frequent
        plain[type(card)] = st.just(card) | plain[type(card)] if type(card) in plain else st.just(card)
    return st.one_of([values(kind, plain) for kind in game.wire])


def _some_cards(game: Game[Any, Any, Any]) -> list[Any]:
    """Return the cards after a deal, so that drawn commands name cards of the deck; none if no match begins."""
    try:
        state = game.start(game.options(), game.seats[0])
        if TABLE in game.to_act(state):
            state = game.apply(state, TABLE, game.deal(state, Shuffler(bytes(32))))
        return list(game.cards(state))
    except Exception:  # whatever a broken game raises: law 0 says what is wrong
        return []


def values(kind: Any, plain: Mapping[Any, SearchStrategy[Any]], most: int = 8) -> SearchStrategy[Any]:
    """Return a strategy for values of an annotated type; `plain` has those of types that are made of no others.

    A list has at most so many items. Raises `TypeError` for what `plain` does not have.
    """
    while isinstance(kind, NewType):
        kind = kind.__supertype__
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, types.UnionType):
        return st.one_of([values(arg, plain, most) for arg in args])
    if origin is tuple and args[1:] == (Ellipsis,):
        return st.lists(values(args[0], plain, most), max_size=most).map(tuple)
    if origin is tuple:
        return st.tuples(*(values(arg, plain, most) for arg in args))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    if attrs.has(kind):
        fields = attrs.fields(attrs.resolve_types(kind))
        return st.builds(kind, **{field.name: values(field.type, plain, most) for field in fields})
    if kind not in plain:
        raise TypeError(
            f"{kind!r} has no place in a command: use int, str, bool, None, tuples, enums and attrs classes"
        )
    return plain[kind]


SURVEYED = 10
"""So many matches are surveyed, unless it is said otherwise."""
DRAWN = 40
"""Of so many sets of options, with each number of seats, those are surveyed that differ most."""
Setup = tuple[int, Any, int]
"""A number of seats, options, and the number of a random match."""
GOLDEN = 12
"""At most so many golden logs are looked at."""
EACH = 3
"""So many steps of each kind are kept."""


@frozen(eq=False)
class Spot:
    """A place in a match: one of its steps."""

    match: AnyMatch
    seq: int

    @property
    def step(self) -> AnyStep:
        return self.match.steps[self.seq]

    @property
    def viewers(self) -> list[int | None]:
        return [None, *seats_of(self.match)]


@frozen(eq=False, slots=False)
class Survey:
    """Matches of a game, a few of its steps of every kind, and the cases that break its rules."""

    game: Game[Any, Any, Any]
    matches: tuple[AnyMatch, ...]
    cases: tuple[Case, ...] = ()
    given: dict[Any, Any] = field(factory=dict)
    """What the whole game gives, by outputs and step, once a mutant was compared with it."""

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """A few steps of every kind."""
        counts: Counter[Any] = Counter()
        found = []
        for match in self.matches:
            for step in match.steps:
                kinds = set() if isinstance(step.command, FORMAT_COMMANDS) else set(_kinds(step, seats_of(match)))
                if any(counts[kind] < EACH for kind in kinds):
                    found.append(Spot(match, step.seq))
                    counts.update(kinds)
        return tuple(found)

    @property
    def hides(self) -> bool:
        """Whether some viewer did not see some command whole."""
        return any(
            isinstance(spot.step.command_for(viewer), RedactedCommand) for spot in self.spots for viewer in spot.viewers
        )

    @property
    def has_cards(self) -> bool:
        """Whether `cards` yields any in the end."""
        return any(list(self.game.cards(match.state)) for match in self.matches)


def _kinds(step: AnyStep, seats: list[int]) -> Iterator[Any]:
    """Yield what makes a step of interest: its tag, its notes and whom they are told, how many are asked."""
    tag = step.game.wire[type(step.command)]
    yield tag, len(step.game.to_act(step.after))
    for viewer in (None, *seats):
        keys = {note.key for note in step.notes_for(viewer)}
        hidden = isinstance(step.command_for(viewer), RedactedCommand)
        who = "a spectator" if viewer is None else "the seat" if viewer == step.seat else "another"
        for note in step.notes_for(TABLE):
            yield note.key, who, note.key in keys
        yield tag, who, hidden


def surveyed(
    game: Game[Any, Any, Any],
    *,
    options: Choices | None = None,
    cases: Iterable[Case] = (),
    golden: str | PathLike[str] | None = None,
    examples: int = SURVEYED,
) -> Survey:
    """Survey a game: some unlike whole matches of random play, and its golden logs, which show what is rare."""
    logs = sorted(Path(golden).glob("*.log"))[:GOLDEN] if golden is not None else []
    kept = [read(path, lambda _: game).match for path in logs]
    matches = [played(game, *setup) for setup in _setups(game, options, examples)]
    return Survey(game, (*matches, *(match for match in kept if match is not None)), tuple(cases))


def _setups(game: Game[Any, Any, Any], options: Choices | None, most: int) -> list[Setup]:
    """Return at most so many matches to play, as unlike as so few can be.

    The numbers of seats take turns, from three up, and two last: with two, little is hidden. Of each number comes next
    what has the values of options, and pairs of such, that those before it have least.
    """
    drawn: list[tuple[Any, int]] = []
    many = settings(max_examples=DRAWN, derandomize=True, database=None, phases=[Phase.generate], deadline=None)
    some = st.tuples(option_sets(game, options=options), st.integers(0, NUMBERS - 1))
    many(given(some)(lambda each: drawn.append(each)))()
    left = [(seats, *each) for each in drawn for seats in game.seats if suits(game, each[0], seats)]
    met: Counter[Any] = Counter()
    chosen: list[Setup] = []
    while left and len(chosen) < most:
        found = max(left, key=lambda each: (-met[each[0]], each[0] > 2, -each[0], _rarity(each, met)))
        left.remove(found)
        met.update([found[0], *_traits(found)])
        chosen.append(found)
    return chosen


def _rarity(setup: Setup, met: Counter[Any]) -> float:
    return sum(1 / (1 + met[trait]) for trait in _traits(setup))


def _traits(setup: Setup) -> list[Any]:
    seats, options, number = setup
    values = [(field.name, repr(getattr(options, field.name))) for field in attrs.fields(type(options))]
    return [("number", number), *((seats, value) for value in values), *combinations(values, 2)]
