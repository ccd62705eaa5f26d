"""Laws 1 to 4: pure rules, `legal` and `apply` agree, somebody can act until there is a result, no card is lost.

Each function raises an `AssertionError` that tells the game's author what is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain, groupby, islice, product
from math import prod
from typing import Any

import attrs
from attrs.exceptions import FrozenInstanceError

from ..errors import MatchError
from ..game import TABLE, AnyGame, Game, Result, RuleViolation, Seat, Shuffler
from ..match import Match
from ..match.legal import MAX_LEGAL
from ..wire import wire_of
from ..wire.packing import pack
from .play import pick, prefix, shuffler_of

POSITIONS = 6
COMMANDS = 12
ELSEWHERE = 3
RARE = 8
"""So many states with the fewest commands are looked at of a directed match."""
MIXED, LISTED, MIXES = 150, 60, 4000
"""So many commands of each kind are made of the values in so many of each list, and so many are tried in all states."""

Listed = dict[Seat, list[Any]]
"""What each seat may do in a state."""


def answer(game: AnyGame, state: Any, seat: Seat, command: Any) -> Any:
    """Give the state after a command, or what the refusal says: its rule, seat and facts."""
    try:
        return game.apply(state, seat, command)
    except RuleViolation as refusal:
        return refusal.rule, refusal.seat, refusal.facts
    except Exception as bug:
        raise AssertionError(
            f"apply raised {bug!r} on {command!r} of seat {seat}: what it does not accept it refuses with a "
            f"RuleViolation, and nothing else\nstate: {state!r}"
        ) from bug


def accepted(game: AnyGame, state: Any, seat: Seat, command: Any) -> bool:
    """Return True if the rules accept the command."""
    return type(answer(game, state, seat, command)) is not tuple


def seats_of(match: Match[Any, Any, Any]) -> list[Seat]:
    """Return the seats of a match, ascending."""
    return [Seat(seat) for seat in range(len(match.header.seats))]


def states_of(match: Match[Any, Any, Any], most: int = POSITIONS) -> list[Any]:
    """Pick some states of the match, its last one among them."""
    return [*pick(shuffler_of(match, "states"), list(match.states[:-1]), most - 1), match.state]


def tries(match: Match[Any, Any, Any], state: Any, wild: Iterable[Any]) -> list[tuple[Seat, Any]]:
    """List commands to try at a state: legal ones, ones of other positions, such with a value changed, wild ones."""
    game, shuffler, seats = match.game, shuffler_of(match, "tries"), seats_of(match)
    legal = [(seat, each) for seat in seats for each in pick(shuffler, list(game.legal(state, seat)), COMMANDS)]
    others = [(event.seat, event.command) for event in pick(shuffler, match.events, COMMANDS)]
    elsewhere = [
        (seat, each)
        for other in pick(shuffler, match.states, ELSEWHERE)
        for seat in seats
        for listed in [list(game.legal(other, seat))]
        for each in (*listed[:1], *listed[-1:], *pick(shuffler, listed, ELSEWHERE))
    ]
    tried = legal + others + pick(shuffler, elsewhere, COMMANDS)
    changed = [(seat, other) for seat, command in tried for other in pick(shuffler, variants(game, command), 2)]
    anybody = [each for _, each in pick(shuffler, tried, COMMANDS)] + [each for each in wild if is_formed(game, each)]
    return tried + changed + [(seats[shuffler.below(len(seats))], command) for command in anybody]


def variants(game: AnyGame, command: Any) -> list[Any]:
    """List well-formed commands like this one with the value of one field changed."""
    changed: list[Any] = []
    for field in attrs.fields(type(command)):
        changed += [attrs.evolve(command, **{field.name: each}) for each in _near(getattr(command, field.name))]
    return [each for each in changed if is_formed(game, each)]


def is_formed(game: AnyGame, command: Any) -> bool:
    """Tell whether a command comes back from the wire as it is."""
    wire = wire_of(game)
    try:
        return bool(wire.decode(*wire.encode(command)) == command)
    except (RuleViolation, TypeError, ValueError):
        return False


def _near(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value - 1, value + 1, -1 - value]
    if isinstance(value, str):
        return [value + value[-1:], value[:-1]]
    if isinstance(value, tuple) and value:
        near = [value[:-1], (*value, value[-1]), value[::-1], (value[-1], *value[1:])]
        near += [(other, *value[1:]) for other in _near(value[0])]
        return [other for other in near if other != value]
    return []


def apply_is_pure(match: Match[Any, Any, Any], wild: Iterable[Any] = ()) -> None:
    """Law 1: the same state, seat and command give the same new state; a refused command leaves all as it was."""
    game = match.game
    for state in states_of(match):
        check_state(state)
        before = pack(state)
        for seat, command in tries(match, state, wild):
            first = answer(game, state, seat, command)
            assert pack(state) == before, f"apply changed the state it was given, on {command!r} of seat {seat}"
            second = answer(game, state, seat, command)
            assert first == second, f"apply answered {command!r} of seat {seat} in two ways:\n{first!r}\n{second!r}"
            if type(first) is not tuple:
                check_state(first)
                assert pack(first) == pack(second), f"apply made two states that pack differently of {command!r}"
    again = prefix(match, len(match.events))
    assert list(again.states) == list(match.states), "the same commands, folded again, gave other states"


def check_state(state: Any, where: str = "state") -> None:
    """Raise unless a state is made of frozen attrs classes, tuples, int, str, bool, None and enums alone."""
    kind = type(state)
    if state is None or kind in (int, str, bool) or isinstance(state, Enum):
        return
    if kind is tuple:
        for place, each in enumerate(state):
            check_state(each, f"{where}[{place}]")
        return
    assert attrs.has(kind), (
        f"{where} is a {kind.__name__}: a state holds attrs classes, tuples, int, str, bool, None, enums"
    )
    names = [field.name for field in attrs.fields(kind)]
    stray = set(getattr(state, "__dict__", names)) - set(names)
    assert not stray, f"{where} ({kind.__name__}) has fields that its class does not have: {sorted(stray)}"
    assert _is_frozen(state, names), f"{where}: {kind.__name__} is not frozen"
    for name in names:
        check_state(getattr(state, name), f"{where}.{name}")


def _is_frozen(value: Any, names: list[str]) -> bool:
    if not names:
        return True
    try:
        setattr(value, names[0], getattr(value, names[0]))
    except FrozenInstanceError:
        return True
    return False


def agree_where_it_is_rare(match: Match[Any, Any, Any]) -> None:
    """Law 2 in the states of a match in which the seats have the fewest commands, and the most: rules meet there.

    In most states commands are tried, too, of which each value is that of some command of the match.
    """
    game, counted = match.game, []
    values: list[Any] = []
    for at, state in enumerate(match.states):
        count = 0
        for seat in seats_of(match):
            listed = iter(game.legal(state, seat))
            first = list(islice(listed, LISTED))
            values += first
            count += len(first) + sum(1 for _ in listed)
        counted.append((count, at))
    ranked = [at for _, at in sorted(counted)]
    places = sorted({*ranked[:RARE], *ranked[-RARE // 2 :]})
    legal_and_apply_agree(match, (), [match.states[at] for at in places])
    shuffler = shuffler_of(match, "mixed")
    mixed = _mixed(values, shuffler)
    for state in pick(shuffler, match.states, MIXES // max(1, len(mixed))):
        for seat in game.to_act(state) - {TABLE}:
            _lists_all(game, state, seat, set(game.legal(state, seat)), mixed)


def _mixed(commands: Iterable[Any], shuffler: Shuffler) -> list[Any]:
    """Return commands of each kind whose fields have, each by itself, a value that it has in some of these."""
    kinds: dict[type, tuple[Any, dict[str, dict[Any, None]]]] = {}
    for command in commands:
        kind = type(command)
        _, seen = kinds.setdefault(kind, (command, {field.name: {} for field in attrs.fields(kind)}))
        for name, values in seen.items():
            values[getattr(command, name)] = None
    found: list[Any] = []
    for like, seen in kinds.values():
        rows = [list(values) for values in seen.values()]
        if prod(map(len, rows)) <= MIXED:
            each: Iterable[Any] = product(*rows)
        else:
            each = [[row[shuffler.below(len(row))] for row in rows] for _ in range(MIXED)]
        found += [attrs.evolve(like, **dict(zip(seen, values, strict=True))) for values in each]
    return found


def _lists_all(game: AnyGame, state: Any, seat: Seat, listed: set[Any], tried: Iterable[Any]) -> None:
    """Raise if `apply` accepts one of these commands that `legal` does not list, unless the choice is unbounded."""
    for command in tried:
        if command not in listed and not game.open_ended(state, seat):
            assert not accepted(game, state, seat, command), (
                f"apply accepts {command!r} of seat {seat}, but legal does not yield it\nstate: {state!r}"
            )


def legal_and_apply_agree(match: Match[Any, Any, Any], wild: Iterable[Any] = (), some: list[Any] | None = None) -> None:
    """Law 2: what `legal` yields is accepted, and what is accepted is in `legal`, unless the choice is unbounded.

    `some` are the states to look at; a few of the match, unless given.
    """
    game, states = match.game, states_of(match) if some is None else some
    everywhere = [{seat: list(game.legal(state, seat)) for seat in seats_of(match)} for state in states]
    for state, legal in zip(states, everywhere, strict=True):
        assert not list(game.legal(state, TABLE)), "legal yields commands of the table: its command comes from deal"
        for seat, listed in legal.items():
            _check_by_kind(game, state, seat, listed)
            twice = [command for command, times in Counter(listed).items() if times > 1]
            assert not twice, f"legal yields {twice[0]!r} to seat {seat} more than once"
            for command in pick(shuffler_of(match, "legal"), listed, 4 * COMMANDS):
                outcome = answer(game, state, seat, command)
                assert type(outcome) is not tuple, (
                    f"legal yields {command!r} to seat {seat}, but apply refuses it: {outcome[0].number} {outcome[2]}\n"
                    f"state: {state!r}"
                )
        known = {seat: set(listed) for seat, listed in legal.items()}
        for seat, command in chain(tries(match, state, wild), _listed_elsewhere(legal, everywhere)):
            if seat != TABLE:
                _lists_all(game, state, seat, known[seat], [command])


def _listed_elsewhere(legal: Listed, everywhere: Iterable[Listed]) -> Iterator[tuple[Seat, Any]]:
    """Yield for each seat commands that some seat has in another state, and that `legal` does not give it here.

    Of each other list those at both ends of the first and of the last run of such commands: most commands that are not
    here are used up or out of reach, but one that was left out stands beside one that is here.
    """
    lists = [listed for each in everywhere for listed in each.values() if listed]
    for seat, here in legal.items():
        own = set(here)
        for listed in lists:
            runs = [list(run) for known, run in groupby(listed, own.__contains__) if not known]
            for run in (*runs[:1], *runs[-1:]):
                yield from ((seat, command) for command in (run[0], run[-1]))


def _check_by_kind(game: Game[Any, Any, Any], state: Any, seat: Seat, listed: list[Any]) -> None:
    """Check that `legal_by_kind` has the first commands of `legal`, sorted by their class, none of them made anew."""
    if game.legal_by_kind is None:
        return
    for limit in (MAX_LEGAL, len(listed) // 2):
        kinds: dict[type, list[Any]] = {}
        for command in listed[:limit]:
            kinds.setdefault(type(command), []).append(command)
        given = [list(commands) for commands in game.legal_by_kind(state, seat, limit)]
        assert given == [*kinds.values()], f"legal_by_kind of seat {seat} has not the first {limit} of legal\n{state!r}"
        for commands in game.legal_by_kind(state, seat, limit):
            assert commands[len(commands) - 1] == kinds[type(commands[0])][-1], (
                "legal_by_kind counts or indexes wrongly"
            )


def somebody_can_act(match: Match[Any, Any, Any]) -> None:
    """Law 3: while `to_act` is not empty somebody in it can act; when it is empty, and only then, there is a result."""
    game = match.game
    for seq, state in enumerate(match.states, -1):
        where = f"after event {seq}"
        asked, result = game.to_act(state), _result_of(game, state, where)
        if not asked:
            assert result is not None, f"{where} nobody is to act, and there is no result"
            _check_result(result, len(match.header.seats), where)
            continue
        assert result is None, f"{where} there is a result, but {sorted(asked)} are still to act"
        strangers = asked - {TABLE, *seats_of(match)}
        assert not strangers, f"{where} to_act names {sorted(strangers)}: no seat of this match"
        for seat in seats_of(match):
            able = game.open_ended(state, seat) or next(iter(game.legal(state, seat)), None) is not None
            assert able or seat not in asked, (
                f"{where} seat {seat} is to act, but has no legal command\nstate: {state!r}"
            )
            assert seat in asked or not able, (
                f"{where} seat {seat} has a legal command, but is not to act\nstate: {state!r}"
            )
        if TABLE in asked:
            deal = game.deal(state, Shuffler(bytes(32), max(seq, 0)))
            outcome = answer(game, state, TABLE, deal)
            assert type(outcome) is not tuple, f"{where} the table is to deal, but apply refuses the deal: {outcome}"


def _result_of(game: AnyGame, state: Any, where: str) -> Result | None:
    try:
        return game.result(state)
    except MatchError as wrong:
        raise AssertionError(f"{where} {wrong.why}") from wrong


def _check_result(result: Result, seats: int, where: str) -> None:
    assert len(result.points) == seats, f"{where} the result has {len(result.points)} points for {seats} seats"
    for team in set(result.teams):
        members = {seat for seat, its in enumerate(result.teams) if its == team}
        assert members <= {*result.winners} or members.isdisjoint(result.winners), (
            f"{where} the winners are {result.winners}, but the teams {result.teams}: a team wins or loses whole"
        )


def no_card_is_lost(match: Match[Any, Any, Any]) -> None:
    """Law 4: what `cards` yields is the same in every state: after the first deal, without a deal from the start."""
    began = begins_with_all(match)
    if began is None or not match.game.has_cards:
        return
    deck = Counter(match.game.cards(match.states[began]))
    assert deck or not has_deal(match), (
        "cards yields nothing after the deal: it goes through the cards of all places together, or leave it out"
    )
    for seq, state in enumerate(match.states[began:], began - 1):
        now = Counter(match.game.cards(state))
        lost, found = deck - now, now - deck
        where = f"after event {seq}, {match.events[seq].command!r}," if seq >= 0 else "at the start"
        assert not lost, f"{where} cards are missing: {sorted(lost.elements(), key=repr)}"
        assert not found, f"{where} cards are there that were not dealt: {sorted(found.elements(), key=repr)}"


def has_deal(match: Match[Any, Any, Any]) -> bool:
    """Return True if the table acts at the start, or has acted."""
    return TABLE in match.game.to_act(match.states[0]) or any(event.seat == TABLE for event in match.events)


def begins_with_all(match: Match[Any, Any, Any]) -> int | None:
    """Return the index of the first state in which all cards are there; None if the deal is not made yet."""
    if not has_deal(match):
        return 0
    return next((event.seq + 1 for event in match.events if event.seat == TABLE), None)
