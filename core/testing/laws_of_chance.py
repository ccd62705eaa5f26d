"""Law 5 for chance: what is dealt, and what is drawn of the hidden, comes from the shuffler, place by place.

- No place of a deal may always hold the same, or follow from another, where the rules would accept another value there;
  and each value that they accept in a place is dealt there. Whatever they refuse to have otherwise is nobody's choice.
- Where something is hidden, draws behind a view differ, each place with each value that it may have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from attrs import define, field

from ..game import TABLE, Game, RedactedCommand, Shuffler, Step
from ..match import Match
from .channels import (
    Path,
    is_ascending,
    leaves,
    named_path,
    pattern,
    put,
    rows,
    sorted_rows,
    states_behind,
    step_of,
    swap,
)
from .laws_of_play import answer
from .laws_of_sight import Dealt, deals_of
from .play import another, another_seed, named, pick, seats_of, shuffler_of

DEALT = 3
"""So many deals of a match are judged, the first among them."""
FEW, SOME, MANY = 32, 256, 2048
"""So often is dealt to find what seems to be fixed, what seems to be missing, and to be sure of either."""
NEAR = 200
"""Among so many numbers each one is tried."""
PLACES = 16
"""So many places of a deal are looked at."""
REPEATED = 8
"""So many deals more than values must show that one place follows from another."""

Row = dict[Path, Any]


def deals_vary(match: Match[Any, Any, Any]) -> None:
    """Law 5: each value of a deal that the rules would accept otherwise is drawn from the shuffler."""
    shuffler, deals = shuffler_of(match, "deals vary"), deals_of(match)
    for dealt in [*deals[:1], *pick(shuffler, deals[1:], DEALT - 1)]:
        if dealt.after is not None:
            deal_varies(dealt, shuffler)
            for other in {type(each.deal): each.deal for each in deals}.values():
                _is_due(dealt, other)


def _is_due(dealt: Dealt, other: Any) -> None:
    """Raise if the rules accept a command of the table of another kind than is dealt, as a deal where a card is due."""
    kind = type(other)
    if kind is not type(dealt.deal) and type(answer(dealt.game, dealt.before, TABLE, other)) is not tuple:
        made = (dealt.game.deal(dealt.before, Shuffler(bytes(32), number)) for number in range(MANY))
        assert any(type(each) is kind for each in made), (
            f"the rules accept {other!r} where the table deals {dealt.deal!r}, and it is never dealt there: let "
            "`apply` refuse it"
        )


def deal_varies(dealt: Dealt, shuffler: Shuffler) -> None:
    """Deal often in the place of one deal, and look for what is always so and could be otherwise."""
    drawn = _Rows(dealt)
    few = drawn.first(FEW)
    places = pick(shuffler, [path for path, _ in leaves(dealt.deal)], PLACES)
    suspects: list[tuple[Path, Path | None]] = [(place, None) for place in places if _follows(few, place, None)]
    suspects += [
        (place, other)
        for other, place in permutations(places, 2)
        if (place, None) not in suspects and _follows(few, place, other)
    ]
    for place, other in suspects:
        deal = next(_otherwise(dealt, place, other, few), None)
        if deal is not None and _follows(drawn.first(MANY), place, other):
            what = "is always the same" if other is None else f"follows from {named_path(other)}"
            raise AssertionError(
                f"of a deal {named_path(place)} {what}, whatever the shuffler, though the rules accept another: draw "
                f"it from the shuffler, or let `apply` refuse what is never dealt\n"
                f"dealt: {dealt.deal!r}\naccepted: {deal!r}"
            )
    _none_is_left_out(dealt, drawn, places)
    _none_comes_too_often(dealt, drawn, places)


def _none_comes_too_often(dealt: Dealt, drawn: _Rows, places: list[Path]) -> None:
    """Raise if the rules accept a deal in which a value comes more often than it is ever dealt: a card twice."""
    here = dict(leaves(dealt.deal))
    most: Counter[Any] = Counter()
    for row in drawn.first(FEW):
        most |= Counter(row.values())
    for one, other in permutations(places, 2):
        value = here[other]
        if type(here[one]) is not type(value) or type(value) is bool or value == here[one]:
            continue
        deal = put(dealt.deal, one, value)
        often = Counter(each for _, each in leaves(deal))[value]
        if often > most[value] and type(answer(dealt.game, dealt.before, TABLE, deal)) is not tuple:
            most[value] = max(Counter(row.values())[value] for row in drawn.first(MANY))
            assert often <= most[value], (
                f"the rules accept a deal with {value} {often} times, and it is dealt {most[value]} times at most: let "
                f"`apply` refuse it\ndealt: {dealt.deal!r}\naccepted: {deal!r}"
            )


def _none_is_left_out(dealt: Dealt, drawn: _Rows, places: list[Path]) -> None:
    """Raise if the rules accept in some place a value that is never dealt there: a die without its three."""
    pooled = {each for row in drawn.first(FEW) for each in row.values() if type(each) is not bool}
    ints = sorted(each for each in pooled if isinstance(each, int))
    near = range(ints[0] - 1, ints[-1] + 2) if ints and ints[-1] - ints[0] <= NEAR else ()
    for place in places:
        seen = {row.get(place) for row in drawn.first(SOME)}
        kind = type(dict(leaves(dealt.deal))[place])
        for value in sorted((each for each in {*pooled, *near} - seen if type(each) is kind), key=repr):
            deal = next(_with(dealt, place, value), None)
            if deal is not None and not any(row.get(place) == value for row in drawn.first(MANY)):
                raise AssertionError(
                    f"the rules accept {value} as {named_path(place)} of a deal, and it is never dealt there: deal it, "
                    f"or let `apply` refuse it\ndealt: {dealt.deal!r}\naccepted: {deal!r}"
                )


def _with(dealt: Dealt, place: Path, value: Any) -> Iterator[Any]:
    """Yield deals that are accepted and have this value in a place: put there, or swapped with where it lies."""
    others = [path for path, each in leaves(dealt.deal) if each == value]
    for deal in (put(dealt.deal, place, value), *(swap(dealt.deal, place, other) for other in others[:1])):
        if type(answer(dealt.game, dealt.before, TABLE, deal)) is not tuple:
            yield deal


@define
class _Rows:
    """What lies in each place of deals in the same state, dealt as far as it is asked for."""

    dealt: Dealt
    rows: list[Row] = field(factory=list)

    def first(self, count: int) -> list[Row]:
        """Return so many."""
        for number in range(len(self.rows), count):
            deal = self.dealt.game.deal(self.dealt.before, Shuffler(bytes(32), number))
            self.rows.append(dict(leaves(deal)))
        return self.rows[:count]


def _follows(rows: Iterable[Row], place: Path, other: Path | None) -> bool:
    """Return True if a place holds the same wherever another one holds the same; None: holds always the same."""
    found: dict[Any, Any] = {}
    number = 0
    for row in rows:
        number += 1
        key = None if other is None else row.get(other)
        if found.setdefault(key, row.get(place)) != row.get(place):
            return False
    return number - len(found) >= REPEATED


def _otherwise(dealt: Dealt, place: Path, other: Path | None, rows: list[Row]) -> Iterator[Any]:
    """Yield deals that are accepted, lead elsewhere, and have another value in a place, but not in the other one."""
    here = dict(leaves(dealt.deal))
    kind = type(here[place])
    known = dict.fromkeys(value for row in rows for value in row.values() if type(value) is kind)
    changed = [put(dealt.deal, place, value) for value in known if value != here[place]]
    changed += [swap(dealt.deal, place, path) for path in here if path != other and here[path] != here[place]]
    for deal in changed:
        after = answer(dealt.game, dealt.before, TABLE, deal)
        if type(after) is not tuple and after != dealt.after:
            yield deal


REDRAWS = 40
"""So often is drawn behind each view."""
AGAIN = 4
"""So often is drawn again, behind an equal view of another state."""
SURE = 4
"""In so many states that hide it a yes or no has to be otherwise than in all their draws; twice as many: any value."""
KINDS = 12
"""Of so many values at most that a place may have each one has to be drawn at some time."""
HIDING = 6
"""So many steps that hide something are looked at."""

RuledOut = dict[tuple[Path, Any], list[bool]]
"""By place (also with its indices left out) and hidden value, for each state that has it there: whether no draw has."""


def determinizations_vary(match: Match[Any, Any, Any]) -> None:
    """Law 5: where something is hidden, some of the draws differ from the state, and from each other.

    Something is hidden after a step that the viewer did not see whole if another command, that looks the same, would
    have led to another state with the same view.
    """
    game, shuffler = match.game, shuffler_of(match, "anew")
    ruled_out: RuledOut = {}
    for viewer in [None, *seats_of(match)]:
        unseen = [step for step in match.steps if isinstance(step.command_for(viewer), RedactedCommand)]
        hiding = [step for step in pick(shuffler, unseen, HIDING) if _hides(step, viewer, shuffler)]
        if not hiding:
            continue
        draws = [(step.after, states_behind(game, game.view(step.after, viewer), shuffler, REDRAWS)) for step in hiding]
        what = f"{named(viewer)} did not see all of {hiding[0].command!r}, but"
        assert any(drawn != state for state, those in draws for drawn in those), (
            f"{what} every draw behind its views is the state itself: the truth is remembered, draw anew what the view "
            "does not show"
        )
        assert any(drawn != those[0] for _, those in draws for drawn in those), (
            f"{what} two draws behind a view are always the same: draw them from the shuffler"
        )
        for state, those in draws:
            _same_draws(game, viewer, state, next((drawn for drawn in those if drawn != state), state), shuffler)
            _note_ruled_out(state, those, ruled_out)
        _draws_are_in_no_order(match, [drawn for _, those in draws for drawn in those])
    _check_ruled_out(ruled_out)


def _note_ruled_out(state: Any, draws: list[Any], ruled_out: RuledOut) -> None:
    """Note of each value of a state that some draw has otherwise whether all draws have.

    Not of a row that draws have in ascending order, and the state has not: its order means nothing.
    """
    spread = [dict(leaves(each)) for each in draws]
    sorted_in_draws = {path for path, _ in rows(state)}
    for each in draws:
        sorted_in_draws &= {path for path, row in rows(each) if is_ascending(row)}
    kept = {path for path, row in rows(state) if is_ascending(row)}
    for path, value in leaves(state):
        drawn = {each.get(path) for each in spread}
        if drawn != {value} and path[:-1] not in sorted_in_draws - kept:  # where all have it, it may be seen
            for place in {pattern(path), path}:
                ruled_out.setdefault((place, value), []).append(value not in drawn)


def _check_ruled_out(ruled_out: RuledOut) -> None:
    """Raise if draws never have one of few values in a place where states that hide it had it: a role, a vote."""
    kinds = Counter(pattern(path) for path, _ in {(pattern(path), value) for path, value in ruled_out})
    for (path, value), never in ruled_out.items():
        if kinds[pattern(path)] <= KINDS and len(never) >= (SURE if type(value) is bool else 2 * SURE):
            assert not all(never), (
                f"a draw never has {value} as {named_path(path)}, where it was so in {len(never)} states, and hidden: "
                "draw what may be"
            )


def _draws_are_in_no_order(match: Match[Any, Any, Any], draws: Sequence[Any]) -> None:
    """Raise if draws have a row that nobody sees in ascending order, and the states have not: a deck that is known."""
    for path in sorted(sorted_rows(draws).kept - sorted_rows(match.states).kept, key=repr):
        assert not any(_is_seen_by_none(match, state, path) for state in match.states), (
            f"a draw always has {named_path(path)} in ascending order, as the states have not, and nobody sees its "
            "order: draw it from the shuffler"
        )


def _is_seen_by_none(match: Match[Any, Any, Any], state: Any, kind: Path) -> bool:
    """Return True if two unlike values of such a row can change places, and no view shows it."""
    game = match.game
    for path, row in rows(state):
        if pattern(path) == kind and row and row[0] != row[-1] and not is_ascending(row):
            swapped = swap(state, (*path, 0), (*path, len(row) - 1))
            return all(game.view(swapped, each) == game.view(state, each) for each in (None, *seats_of(match)))
    return False


def _same_draws(game: Game[Any, Any, Any], viewer: int | None, state: Any, other: Any, shuffler: Shuffler) -> None:
    """Raise if what is drawn behind a view depends on which of two states the view was made of.

    However seldom a draw peeks at the truth, it is another one then; and so it is if it has a randomness of its own.
    """
    if game.view(state, viewer) != game.view(other, viewer):
        return  # the other laws of draws say so
    for _ in range(AGAIN):
        seed = another_seed(shuffler)
        one, two = (game.determinize(game.view(each, viewer), Shuffler(seed)) for each in (state, other))
        assert one == two, (
            f"a view of {named(viewer)} and a shuffler give two draws, as the truth is one state or another: a draw "
            f"depends on nothing else\nstates: {state!r}\n{other!r}\ndraws: {one!r}\n{two!r}"
        )


def _hides(step: Step[Any, Any], viewer: int | None, shuffler: Shuffler) -> bool:
    """Return True if a command that looks the same leads to another state with the same view.

    Of a deal, too, if none of those tried is accepted and leads to the same view: what others hold is hidden in it.
    """
    game, seen, view = step.game, step.command_for(viewer), step.game.view(step.after, viewer)
    if step.seat == TABLE:
        others = _other_deals(step, shuffler)
    else:
        others = iter(pick(shuffler, list(game.legal(step.before, step.seat)), REDRAWS))
    is_alone = step.seat == TABLE
    for command in others:
        after = answer(game, step.before, step.seat, command)
        alike = type(after) is not tuple and step_of(game, step.before, step.seat, command, after)
        if alike and game.redact(alike, viewer) == seen and game.view(after, viewer) == view:
            if after != step.after:
                return True
            is_alone = False
    return is_alone


def _other_deals(step: Step[Any, Any], shuffler: Shuffler) -> Iterator[Any]:
    """Yield deals like this one, with two of its values swapped, and some made anew.

    A seat that knows all by its own cards, as the one traitor does, shows by the swaps that nothing is hidden from it.
    """
    swaps = list(combinations([path for path, _ in leaves(step.command)], 2))
    yield from (swap(step.command, *pair) for pair in pick(shuffler, swaps, REDRAWS))
    yield from (step.game.deal(step.before, another(shuffler)) for _ in range(HIDING))
