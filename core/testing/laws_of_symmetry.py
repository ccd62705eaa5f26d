"""Law 5: form is public. What refuses a command by its form must not depend on what is hidden.

Stated as a symmetry: swap two cards that a viewer cannot tell apart, where they lie and in the command that is hidden
from it. Then the command is accepted as well, looks the same to the viewer, and leads to the swapped state; or it is
refused by a numbered rule of the game's book. So neither a refusal by form nor a public place or number tells what lies
face down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from math import factorial, log2
from typing import Any

from attrs import frozen

from ..game import TABLE, AnyGame, RedactedCommand, Seat, Shuffler, Step
from ..match import Match
from ..match.legal import MAX_LEGAL
from .channels import kept_of_command
from .laws_of_information import named
from .laws_of_play import answer, seats_of
from .places import Path, get, leaves, pattern, put, rows, swap
from .play import pick, shuffler_of

STEPS = 4
TRIES = 6
DRAWS = 20
SURE = 12
"""A row is one that the game keeps sorted, if it would be ascending by chance once in 2 to the power of so many."""


@frozen
class Rows:
    """Which rows of cards a game's states keep in ascending order, by their patterns."""

    kept: frozenset[Path]

    def settled(self, value: Any) -> Any:
        """Return the value with the rows that are kept in order sorted."""
        for path, row in rows(value):
            if pattern(path) in self.kept and not _is_ascending(row):
                value = put(value, path, tuple(sorted(row)))
        return value


def sorted_rows(values: Iterable[Any]) -> Rows:
    """Learn from some values of one class which of their rows are kept in ascending order."""
    seen: dict[Path, set[tuple[Any, ...]]] = {}
    for value in values:
        for path, row in rows(value):
            seen.setdefault(pattern(path), set()).add(row)
    return Rows(frozenset(kind for kind, those in seen.items() if all(map(_is_ascending, those)) and _is_sure(those)))


def _is_sure(seen: set[tuple[Any, ...]]) -> bool:
    return sum(log2(factorial(len(set(row)))) for row in seen) >= SURE


def _is_ascending(row: tuple[Any, ...]) -> bool:
    try:
        return type(row) is tuple and list(row) == sorted(row)
    except TypeError:
        return False


def card_places(game: AnyGame, state: Any) -> list[tuple[Path, Any]]:
    """Return the paths in a state where a card lies, each with the card."""
    cards = Counter(game.cards(state))
    places = []
    for path, value in leaves(state):
        other = next((card for card in cards if type(card) is type(value) and card != value), None)
        if value in cards and other is not None and _counts(game, put(state, path, other), cards, value, other):
            places.append((path, value))
    return places


def _counts(game: AnyGame, state: Any, cards: Counter[Any], value: Any, other: Any) -> bool:
    try:
        now = Counter(game.cards(state))
        now[value] += 1
        now[other] -= 1
        return now == cards
    except Exception:  # the value was no card, but what the state is made by: `cards` may stumble over another
        return False


def form_is_public(match: Match[Any, Any, Any]) -> None:
    """Law 5: a command whose hidden cards are swapped is accepted as well, or refused by a rule of the book."""
    shuffler, seats = shuffler_of(match, "symmetry"), seats_of(match)
    order = sorted_rows(match.states)
    hidden = [step for step in match.steps if step.seat != TABLE and _unseen_by(step, seats)]
    named = {leaf for step in hidden for leaf in _named(step)}
    for step in pick(shuffler, hidden, STEPS):
        for viewer in pick(shuffler, _unseen_by(step, seats), 2):
            for swapped in _swaps(step, viewer, shuffler):
                if (type(step.command), pattern(swapped.leaf), swapped.other) in named:
                    same_as_swapped(step, swapped, viewer, order)


def _unseen_by(step: Step[Any, Any], seats: list[Seat]) -> list[Seat | None]:
    return [viewer for viewer in (None, *seats) if isinstance(step.command_for(viewer), RedactedCommand)]


def _named(step: Step[Any, Any]) -> Iterator[tuple[type, Path, Any]]:
    """Yield what the legal commands of a step's seat name, and where: no other card may take its place."""
    for command in islice(step.game.legal(step.before, step.seat), MAX_LEGAL):
        for path, value in leaves(command):
            yield type(command), pattern(path), value


@frozen
class Swapped:
    """A state in which the cards `mine` and `other` have changed places, and the place of `mine` in the command."""

    state: Any
    mine: Any
    other: Any
    leaf: Path


def _swaps(step: Step[Any, Any], viewer: Seat | None, shuffler: Shuffler) -> Iterator[Swapped]:
    """Yield some ways to swap a card of the command with another one so that the viewer's view stays as it is."""
    game, before, after = step.game, step.before, dict(rows(step.after))
    view, places = game.view(before, viewer), card_places(game, before)
    lost = {path: Counter(row) - Counter(after.get(path, ())) for path, row in rows(before)}
    observed = step.command_for(viewer)
    public = {name for name, _ in observed.fields} if isinstance(observed, RedactedCommand) else set()
    hidden = [(leaf, card) for leaf, card in leaves(step.command) if leaf[0] not in public]
    counts = Counter(game.cards(before))
    drawn = [dict(rows(game.determinize(view, shuffler))) for _ in range(DRAWS)] if hidden else []
    both = {card for _, card in hidden if counts[card] == 1}  # swapped with one of these, the command stays as it is
    for leaf, mine in pick(shuffler, hidden, TRIES):
        source = next((path for path, card in places if card == mine in lost[path[:-1]]), None)
        if source is None:
            continue
        targets = [(path, card) for path, card in places if card not in (mine, *both) and type(card) is type(mine)]
        for target, other in pick(shuffler, targets, TRIES):
            state = swap(before, source, target)
            if game.view(state, viewer) == view and _may_lie_so(state, (source[:-1], target[:-1]), drawn):
                yield Swapped(state, mine, other, leaf)


def _may_lie_so(state: Any, paths: Iterable[Path], drawn: Iterable[Mapping[Path, Any]]) -> bool:
    """Return False if one of these rows holds a card more often than any draw has it there: then no deal gives that.

    In a game that deals nothing each seat may have the same cards, and cards of two seats are not exchangeable.
    """
    for path in paths:
        for card, times in Counter(get(state, path)).items() if type(get(state, path)) is tuple else ():
            if times > 1 and all(Counter(each.get(path, ()))[card] < times for each in drawn):
                return False
    return True


def same_as_swapped(step: Step[Any, Any], swapped: Swapped, viewer: Seat | None, order: Rows) -> None:
    """Raise unless the swapped command does to the swapped state what the command did, for all the viewer can tell."""
    game, seat, state = step.game, step.seat, order.settled(swapped.state)
    if game.view(state, viewer) != game.view(step.before, viewer):
        return
    command, after = _swapped_command(step, swapped, state)
    what = f"{step.command!r} of seat {seat} is accepted; with {swapped.mine} and {swapped.other} swapped, which "
    what += f"{named(viewer)} cannot tell apart, {command!r}"
    if type(after) is tuple:
        assert after[0] in step.game.book, (
            f"{what} is refused by {after[0].number}, {after[2]}: so the form of a command tells what is hidden\n"
            f"state: {step.before!r}"
        )
        return
    observed = [kept_of_command(game, game.redact(each, seat, viewer)) for each in (step.command, command)]
    assert observed[0] == observed[1], f"{what} looks otherwise: {observed[0]}, {observed[1]}"
    if game.view(after, viewer) != game.view(step.after, viewer):
        return  # it has turned something up: `others_stay_hidden` looks at what
    assert _is_swapped(game, step.after, after, swapped), (
        f"{what} leads to another state than the swapped one: so a place or number tells what is hidden\n"
        f"{step.after!r}\n{after!r}"
    )


def _swapped_command(step: Step[Any, Any], swapped: Swapped, state: Any) -> tuple[Any, Any]:
    """Return the command with the cards swapped, and what came of it; one choice may have a spelling in order only."""
    command = put(step.command, swapped.leaf, swapped.other)
    after = answer(step.game, state, step.seat, command)
    path = swapped.leaf[:-1]
    row = get(command, path)
    if type(after) is tuple and after[0] not in step.game.book and type(row) is tuple:
        command = put(command, path, tuple(sorted(row)))
        after = answer(step.game, state, step.seat, command)
    return command, after


def _is_swapped(game: AnyGame, one: Any, other: Any, swapped: Swapped) -> bool:
    """Tell whether two cards of the one state, swapped, make the other.

    A row may be in ascending order again. Rows that hold no card of their own, but a copy (what was given), follow.
    """
    wanted, lie = dict(rows(other)), card_places(game, one)
    apart = {path for path, row in rows(one) if wanted.get(path) != row}
    own = {path[:-1] for path, _ in lie}
    places = [(path, card) for path, card in lie if path[:-1] in apart]
    mine = [path for path, card in places if card == swapped.mine]
    others = [path for path, card in places if card == swapped.other]

    def alike(path: Path, row: tuple[Any, ...]) -> bool:
        given = wanted.get(path, ())
        if row == given or (_is_ascending(given) and sorted(row, key=repr) == sorted(given, key=repr)):
            return True
        cards = {swapped.mine, swapped.other}
        return path not in own and _without(row, cards) == _without(given, cards)

    swaps = (swap(one, first, second) for first in mine for second in others)
    return any(all(alike(*each) for each in rows(state)) for state in chain([one], swaps))


def _without(row: tuple[Any, ...], cards: set[Any]) -> list[Any]:
    return sorted((card for card in row if card not in cards), key=repr)
