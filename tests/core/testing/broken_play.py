"""Mutants that judge, count or lay out wrongly, of which some law catches every one, whatever is tested of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, count
from typing import Any

import attrs
from kifu.core import game as k
from kifu.core.testing.channels import Path, leaves, put, rows
from kifu.core.testing.mutants import Mutant, answers
from kifu.core.testing.samples import Spot, Survey

DEALS = 8
"""So many deals of a state are compared: one die may well come up again."""


def play_mutants(survey: Survey) -> Iterator[Mutant]:
    """Yield the mutants of the rules, and of what a frontend shows of them."""
    game = survey.game
    yield from _of_legal(game)
    yield from _of_apply(survey)
    yield from _of_to_act(game)
    yield from _of_result(game)
    yield from _of_scene(game)
    if any(k.TABLE in game.to_act(spot.step.before) for spot in survey.spots):
        yield Mutant("deal", "it repeats", game.altered(deal=partial(_deal_again, game)), _deals, plays=True)


def _of_legal(game: k.AnyGame) -> Iterator[Mutant]:
    def without_first(state: Any, seat: int) -> Iterator[Any]:
        return iter(list(game.legal(state, seat))[1:])

    def without_last(state: Any, seat: int) -> Iterator[Any]:
        return iter(list(game.legal(state, seat))[:-1])

    def with_foreign(state: Any, seat: int) -> Iterator[Any]:
        yield from (own := list(game.legal(state, seat)))
        others = (each for other in sorted(game.to_act(state) - {seat, k.TABLE}) for each in game.legal(state, other))
        yield from [each for each in others if each not in own][:1]
        if not own and seat != k.TABLE and k.TABLE not in game.to_act(state):
            yield from [each for other in sorted(game.to_act(state)) for each in game.legal(state, other)][:1]

    def by_anothers_hand(state: Any, seat: int) -> Iterator[Any]:
        listed = list(game.legal(state, seat))
        others = [game.view(state, k.Seat(each)) for each in range(_seats(game, state)) if each != seat]
        return iter(listed[1:] if len(listed) > 1 and sum(map(len, map(repr, others))) % 2 else listed)

    changes = {
        "the first command is left out": without_first,
        "the last command is left out": without_last,
        "a command of another seat is listed too": with_foreign,
        "a command is left out by what another seat sees": by_anothers_hand,
    }
    for how, legal in changes.items():
        yield Mutant("legal", how, game.altered(legal=legal, legal_by_kind=None), _legal, plays=True)


def _seats(game: k.AnyGame, state: Any) -> int:
    return len(game.scene(game.view(state, None)).places)


def _legal(game: k.AnyGame, spot: Spot) -> Any:
    return [list(game.legal(spot.step.before, seat)) for seat in spot.viewers if seat is not None]


def _of_apply(survey: Survey) -> Iterator[Mutant]:
    game = survey.game
    broken: dict[str, Callable[..., Any]] = {
        "a command of a seat that is not asked counts as that of who is": partial(_for_another, game),
        "a card is lost": partial(_with_cards, game, -1),
        "a card is doubled": partial(_with_cards, game, 1),
        "it remembers how often it was called": partial(_by_count, game, count()),
    }
    for how, changed in broken.items():
        yield Mutant("apply", how, game.altered(apply=changed), answers, plays=True)


def _for_another(game: k.AnyGame, state: Any, seat: int, command: Any) -> Any:
    asked = game.to_act(state)
    return game.apply(state, seat if seat in asked or not asked or seat == k.TABLE else min(asked), command)


def _with_cards(game: k.AnyGame, many: int, state: Any, seat: int, command: Any) -> Any:
    """Lose a card of the next state, or lay one twice; a deal is let alone."""
    after = game.apply(state, seat, command)
    return after if seat == k.TABLE else next(_states_with_cards(game, many, after), after)


def _states_with_cards(game: k.AnyGame, many: int, state: Any) -> Iterator[Any]:
    """Yield states with a card fewer or more: of a row of cards, or of a count as boards have it."""
    cards = Counter(game.cards(state))
    for path, row in rows(state):
        if type(row) is tuple and row and row[-1] in cards:
            yield from _if_it_counts(game, cards, state, path, row[:-1] if many < 0 else (*row, row[-1]))
    for path, value in leaves(state):
        if type(value) is int and value + many >= 0:
            yield from _if_it_counts(game, cards, state, path, value + many)


def _if_it_counts(game: k.AnyGame, cards: Counter[Any], state: Any, path: Path, value: Any) -> Iterator[Any]:
    """Yield the state with this value at a place, if as many other cards are in it as were meant."""
    changed = put(state, path, value)
    try:
        if Counter(game.cards(changed)) != cards:
            yield changed
    except Exception:  # no value that a state may have there
        pass


def _states_with_another_leaf(state: Any) -> Iterator[Any]:
    """Yield states with an int or a bool changed: for a game that has nothing to lose."""
    for path, value in leaves(state):
        if type(value) in (int, bool):
            yield put(state, path, value + 1 if type(value) is int else not value)


def _by_count(game: k.AnyGame, calls: Iterator[int], state: Any, seat: int, command: Any) -> Any:
    after = game.apply(state, seat, command)
    others = chain(_states_with_cards(game, -1, after), _states_with_another_leaf(after))
    return next(others, after) if next(calls) % 2 else after


def _of_to_act(game: k.AnyGame) -> Iterator[Mutant]:
    def one_more(state: Any) -> frozenset[int]:
        asked = game.to_act(state)
        others = [k.Seat(seat) for seat in range(_seats(game, state)) if seat not in asked]
        return asked | frozenset(others[:1]) if asked else asked

    def one_fewer(state: Any) -> frozenset[int]:
        asked = sorted(game.to_act(state))
        return frozenset(asked[:-1]) if asked else k.NOBODY

    for how, to_act in (("one seat more is asked", one_more), ("one seat fewer is asked", one_fewer)):
        yield Mutant("to_act", how, game.altered(to_act=to_act), lambda broken, spot: broken.to_act(spot.step.before))


def _of_result(game: k.AnyGame) -> Iterator[Mutant]:
    def with_others(change: Callable[[k.Result], k.Result]) -> k.AnyGame:
        def result(state: Any) -> k.Result | None:
            ended = game.result(state)
            return None if ended is None else change(ended)

        return game.altered(result=result)

    def next_ones(ended: k.Result) -> k.Result:
        seats = len(ended.points)
        return attrs.evolve(ended, winners=tuple(sorted(k.Seat((seat + 1) % seats) for seat in ended.winners)))

    def everybody(ended: k.Result) -> k.Result:
        return attrs.evolve(ended, winners=tuple(map(k.Seat, range(len(ended.points)))))

    def more_points(ended: k.Result) -> k.Result:
        return attrs.evolve(ended, points=(ended.points[0] + 1, *ended.points[1:]))

    changes = {
        "the left neighbours of the winners win": next_ones,
        "everybody wins": everybody,
        "seat 0 has a point more": more_points,
    }
    for how, change in changes.items():
        yield Mutant("result", how, with_others(change), lambda broken, spot: broken.result(spot.step.after))


def _of_scene(game: k.AnyGame) -> Iterator[Mutant]:
    def no_parts(command: Any) -> tuple[Any, ...]:
        return ()

    same: dict[type, Any] = {}

    def same_parts(command: Any) -> tuple[Any, ...]:
        return same.setdefault(type(command), game.parts(command))

    for how, parts in (("they are empty", no_parts), ("all commands of a kind have the same", same_parts)):
        yield Mutant("parts", how, game.altered(parts=parts), _parts)

    def with_facts(change: Callable[[k.Place], k.Place]) -> k.AnyGame:
        def scene(view: Any) -> k.Scene:
            laid = game.scene(view)
            return attrs.evolve(laid, places=tuple(map(change, laid.places)))

        return game.altered(scene=scene)

    def without_score(place: k.Place) -> k.Place:
        others = [fact for fact in place.facts if fact.value != place.score]  # no other fact says it either
        return attrs.evolve(place, facts=tuple(others))

    def one_off(place: k.Place) -> k.Place:
        facts = place.facts
        wrong = [attrs.evolve(fact, value=fact.value + 1 if isinstance(fact.value, int) else 0) for fact in facts[:1]]
        return attrs.evolve(place, facts=(*wrong, *facts[1:]))

    for how, change in (("the score is not the first fact", without_score), ("the score is one too high", one_off)):
        yield Mutant("scene", how, with_facts(change), _scene)


def _parts(game: k.AnyGame, spot: Spot) -> Any:
    step = spot.step
    return [game.parts(command) for command in game.legal(step.before, step.seat)] if step.seat != k.TABLE else None


def _scene(game: k.AnyGame, spot: Spot) -> Any:
    return game.scene(game.view(spot.step.after, None))


def _deal_again(game: k.AnyGame, state: Any, shuffler: k.Shuffler) -> Any:
    return game.deal(state, k.Shuffler(bytes(32)))


def _deals(game: k.AnyGame, spot: Spot) -> Any:
    before = spot.step.before
    due = k.TABLE in game.to_act(before)
    return [game.deal(before, k.Shuffler(bytes(32), deal)) for deal in range(DEALS)] if due else None
