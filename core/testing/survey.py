"""A survey of a game: some matches of it, and one step of every kind that occurs in them.

Kinds of steps that random play seldom meets would seldom be looked at. The laws that judge mutants look at the survey's
steps, so that each tag, note and refusal is looked at a few times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import attrs
from attrs import field, frozen

from ..game import FORMAT_COMMANDS, TABLE, AnyGame, RedactedCommand, Seat, Shuffler, Step, is_deal
from ..match import AnyMatch, Match
from ..match.fold import Fold
from .case import Case
from .laws_of_play import seats_of
from .play import play_on, shuffler_of

EACH = 3
"""So many steps of each kind are kept."""
LONGER = 2
"""A match of a broken game is given up when it is so many times as long as the longest of the whole one."""


@frozen(eq=False)
class Spot:
    """A place in a match: one of its steps."""

    match: AnyMatch
    seq: int

    @property
    def step(self) -> Step[Any, Any]:
        return self.match.steps[self.seq]

    @property
    def viewers(self) -> list[Seat | None]:
        return [None, *seats_of(self.match)]


@frozen(eq=False)
class Survey:
    """Matches of a game, a few of its steps of every kind, and the cases that break its rules."""

    game: AnyGame
    matches: tuple[AnyMatch, ...]
    spots: tuple[Spot, ...]
    cases: tuple[Case, ...] = ()
    given: dict[Any, Any] = field(factory=dict)
    """What the whole game gives, by outputs and step, once a mutant was compared with it."""

    @property
    def hides(self) -> bool:
        """Whether some viewer did not see some command whole."""
        return any(
            isinstance(spot.step.command_for(viewer), RedactedCommand) for spot in self.spots for viewer in spot.viewers
        )

    @property
    def keeps(self) -> bool:
        """Whether there are cards, or must be: after a deal."""
        return self.game.has_deal or any(list(self.game.cards(match.state)) for match in self.matches)

    def of(self, game: AnyGame) -> Survey:
        """Return the survey as it looks by another game's functions: the same events and states."""
        moved = {id(match): rebased(match, game) for match in self.matches}
        spots = tuple(Spot(moved[id(spot.match)], spot.seq) for spot in self.spots)
        return Survey(game, tuple(moved.values()), spots, self.cases)


def survey(matches: Iterable[AnyMatch], cases: Iterable[Case] = ()) -> Survey:
    """Make the survey of these matches, all of one game."""
    those = tuple(matches)
    counts: Counter[Any] = Counter()
    spots = []
    for match in those:
        for step in match.steps:
            kinds = set() if isinstance(step.command, FORMAT_COMMANDS) else set(_kinds(step, seats_of(match)))
            if any(counts[kind] < EACH for kind in kinds):
                spots.append(Spot(match, step.seq))
                counts.update(kinds)
    return Survey(those[0].game, those, tuple(spots), tuple(cases))


def _kinds(step: Step[Any, Any], seats: list[Seat]) -> Iterator[Any]:
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


def rebased(match: AnyMatch, game: AnyGame) -> AnyMatch:
    """Return the match with the same events and states under another game, which judges none of them again."""
    fold = Fold(match.game, match.header)
    fold.game, fold.state, fold.seq, fold.states = game, match.state, len(match.events), list(match.states)
    fold.deals = sum(map(is_deal, match.events))
    return Match(game, match.header, fold=fold, events=list(match.events))


def replayed(match: AnyMatch, game: AnyGame, most: int) -> AnyMatch:
    """Play a match with the same header under another game, to its end or to so many events."""
    again: AnyMatch = Match(game, attrs.evolve(match.header))
    with suppress(Exception):  # whatever a broken function raises, the laws say in words what is wrong
        play_on(again, shuffler_of(match), most)
    return again


def fresh(purpose: str) -> Shuffler:
    """Return a source of choices that is the same for the same purpose."""
    return Shuffler(purpose.encode().ljust(32, b"\0")[:32])
