"""Laws 0 to 4: what every match, every state and every command keep to.

0. A match begins, every function of the game answers at every event, it ends, and golden logs can be played.
1. `apply` is pure.
2. `legal` and `apply` agree.
3. Somebody can act until there is a result.
4. Nothing is lost, nobody loses what it has not, and a deck that runs out is dealt from again.

Each function raises an `AssertionError` that tells the game's author what is wrong.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import partial
from itertools import chain, groupby, islice, product
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any

import attrs
from attrs.exceptions import FrozenInstanceError

from ..errors import KifuError, MatchError
from ..game import FORMAT_COMMANDS, TABLE, AnyGame, AnyStep, Result, RuleViolation, Shuffler
from ..log import read
from ..match import AnyMatch
from ..match.legal import MAX_LEGAL
from ..wire import pack, wire_of
from .channels import card_places, leaves
from .play import (
    AGAIN,
    ENGINE,
    MAX_EVENTS,
    Hangs,
    again,
    begun,
    named,
    pick,
    prefix,
    said_of,
    seats_of,
    shuffler_of,
    suits,
    told_where,
)

ASKED = 40
"""After so many events of a match every function is asked, the last among them."""
COMMANDS = 12


def a_match_begins(game: AnyGame) -> None:
    """Law 0: with each number of seats that the default options suit, somebody has something to do at the start."""
    options = game.options()
    for seats in [each for each in game.seats if suits(game, options, each)]:
        try:
            match = begun(game, seats, options, 0)
            with told_where(match, plays=True):
                match.deal()
                able = [seat for seat in match.to_act if _has_command(game, match.state, seat)]
        except (AssertionError, KifuError) as bug:
            raise AssertionError(f"a match of {seats} seats does not begin: {bug}") from bug
        except Exception as bug:
            raise AssertionError(f"a match of {seats} seats does not begin: `start` fails with {bug!r}") from bug
        assert able, f"a match of {seats} seats does not begin: no seat has a legal command\nstate: {match.state!r}"


def _has_command(game: AnyGame, state: Any, seat: int) -> bool:
    return game.open_ended(state, seat) or next(iter(game.legal(state, seat)), None) is not None


def matches_end(matches: Iterable[AnyMatch]) -> None:
    """Law 0: of the matches of random play with so many seats some come to an end."""
    by_seats: dict[int, list[AnyMatch]] = {}
    for match in matches:
        by_seats.setdefault(len(match.header.seats), []).append(match)
    for seats, some in by_seats.items():
        stopped = [match for match in some if match.to_act and match.header.engine == ENGINE]
        longest = max(some, key=lambda each: len(each.events))
        assert len(stopped) < len(some), (
            f"no match of {seats} seats has ended, played at random, within {len(longest.events)} events: let "
            f"it end, or say `game_laws(…, endless=True)`\nstate: {longest.state!r}\n{AGAIN}{again(longest)}"
        )
        if stopped:
            warnings.warn(
                f"{len(stopped)} of {len(some)} matches of {seats} seats have not ended: random play stops after "
                f"{MAX_EVENTS} events",
                stacklevel=2,
            )


def everything_answers(match: AnyMatch) -> None:
    """Law 0: no function of the game fails, or hangs, after any event of a match, whoever looks."""
    states = list(enumerate(match.states, -1))
    for seq, state in [*pick(shuffler_of(match, "asked"), states[:-1], ASKED - 1), *states[-1:]]:
        for what, call in _calls(match, seq, state):
            with told_where(match):
                try:
                    call()
                except Hangs as hangs:
                    hangs.asked = f"{what} after event {seq}\nstate: {state!r}"
                    raise
                except Exception as bug:
                    if "determinize" in what:
                        no_card_is_lost(match)  # else there are too few, or too many, to draw from
                    raise AssertionError(f"after event {seq} {what} fails: {said_of(bug)}\nstate: {state!r}") from bug


def _calls(match: AnyMatch, seq: int, state: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the functions of the game with what they are asked after an event."""
    game, seats = match.game, seats_of(match)
    for name in ("to_act", "result", "cards", "scores"):
        if (function := getattr(game, name)) is not None:
            yield f"`{name}`", partial(_listed, function, state)
    for seat in sorted(game.to_act(state) - {TABLE}):
        yield f"`legal` of seat {seat}", partial(_listed, game.legal, state, seat)
        for command in islice(game.legal(state, seat), COMMANDS):
            yield f"`parts` of {command!r}", partial(_listed, game.parts, command)
    step = match.steps[seq] if seq >= 0 else None
    for viewer in (TABLE, None, *seats):
        who = named(viewer)
        yield f"`view` of {who}", partial(game.view, state, viewer)
        view = game.view(state, viewer)
        yield f"`scene` of {who}", partial(game.scene, view)
        if viewer != TABLE:
            yield f"`determinize` of {who}", partial(game.determinize, view, Shuffler(bytes(32)))
        if step is not None and not isinstance(step.command, FORMAT_COMMANDS):
            yield f"`redact` for {who}", partial(game.redact, step, viewer)
            yield f"`explain` for {who}", partial(_listed, game.explain, step, viewer)


def _listed(function: Callable[..., Any], *args: Any) -> object:
    """Call a function, and go through what it yields."""
    found = function(*args)
    return list(found) if isinstance(found, Iterator) else found


def golden_logs_can_be_played(game: AnyGame, folder: str | PathLike[str]) -> None:
    """Law 0: no golden log stops early, as a changed rule makes it do: what is not played is missed by other laws."""
    for path in sorted(Path(folder).glob("*.log")):
        reading = read(path, lambda _: game)
        for first in reading.findings[:1]:
            at = "" if first.seq is None else f" at event {first.seq}"
            why = first.message if first.violation is None else first.violation.summary
            if reading.match is not None:
                no_card_is_lost(reading.match)  # else the rest cannot be played
            raise AssertionError(
                f"the golden log {path.name} is not played to its end:{at} {why}\nif a rule is meant to be "
                "another now, docs/change-a-rule.md says what becomes of older logs"
            )


POSITIONS = 6
ELSEWHERE = 3
RARE = 8
"""So many states with the fewest commands are looked at of a directed match."""
MIXED, LISTED, MIXES = 150, 60, 4000
"""So many commands of each kind are made of the values in so many of each list, and so many are tried in all states."""

Listed = dict[int, list[Any]]
"""What each seat may do in a state."""


def answer(game: AnyGame, state: Any, seat: int, command: Any) -> Any:
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


def accepted(game: AnyGame, state: Any, seat: int, command: Any) -> bool:
    """Return True if the rules accept the command."""
    return type(answer(game, state, seat, command)) is not tuple


def states_of(match: AnyMatch, most: int = POSITIONS) -> list[Any]:
    """Pick some states of the match, its last one among them."""
    return [*pick(shuffler_of(match, "states"), list(match.states[:-1]), most - 1), match.state]


def tries(match: AnyMatch, state: Any, wild: Iterable[Any]) -> list[tuple[int, Any]]:
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


def apply_is_pure(match: AnyMatch, wild: Iterable[Any] = ()) -> None:
    """Law 1: the same state, seat and command give the same new state; whatever was asked, all is as it was."""
    game = match.game
    for state in states_of(match):
        check_state(state)
        before, listed = pack(state), _first_legal(match, state)
        for seat, command in tries(match, state, wild):
            first = answer(game, state, seat, command)
            assert pack(state) == before, f"apply changed the state it was given, on {command!r} of seat {seat}"
            second = answer(game, state, seat, command)
            assert first == second, f"apply answered {command!r} of seat {seat} in two ways:\n{first!r}\n{second!r}"
            if type(first) is not tuple:
                check_state(first)
                assert pack(first) == pack(second), f"apply made two states that pack differently of {command!r}"
        for seat, now in _first_legal(match, state).items():
            assert now == listed[seat], (
                f"legal, asked again about the same state, yields something else to seat {seat}: the game changes what "
                f"it keeps, such as a list that it made once\nbefore: {listed[seat]}\nnow: {now}\nstate: {state!r}"
            )
    again = prefix(match, len(match.events))
    assert list(again.states) == list(match.states), "the same commands, folded again, gave other states"


def _first_legal(match: AnyMatch, state: Any) -> Listed:
    return {seat: list(islice(match.game.legal(state, seat), LISTED)) for seat in seats_of(match)}


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


def agree_where_it_is_rare(match: AnyMatch) -> None:
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


def _lists_all(game: AnyGame, state: Any, seat: int, listed: set[Any], tried: Iterable[Any]) -> None:
    """Raise if `apply` accepts one of these commands that `legal` does not list, unless the choice is unbounded."""
    for command in tried:
        if command not in listed and not game.open_ended(state, seat):
            assert not accepted(game, state, seat, command), (
                f"apply accepts {command!r} of seat {seat}, but legal does not yield it\nstate: {state!r}"
            )


def legal_and_apply_agree(match: AnyMatch, wild: Iterable[Any] = (), some: list[Any] | None = None) -> None:
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


def _listed_elsewhere(legal: Listed, everywhere: Iterable[Listed]) -> Iterator[tuple[int, Any]]:
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


def _check_by_kind(game: AnyGame, state: Any, seat: int, listed: list[Any]) -> None:
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


def somebody_can_act(match: AnyMatch) -> None:
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
            able = _has_command(game, state, seat)
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


SURE = 4
"""So often the table has to take a card of a deck to count as one that always does."""


def no_card_is_lost(match: AnyMatch) -> None:
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
        more = f"{where} cards are there more often than in the deal: {sorted(found.elements(), key=repr)}"
        assert not found, f"{more}; if a field repeats cards of another, write `cards(state)`, which yields each once"


def has_deal(match: AnyMatch) -> bool:
    """Return True if the table acts at the start, or has acted."""
    return TABLE in match.game.to_act(match.states[0]) or any(event.seat == TABLE for event in match.events)


def begins_with_all(match: AnyMatch) -> int | None:
    """Return the index of the first state in which all cards are there; None if the deal is not made yet."""
    if not has_deal(match):
        return 0
    return next((event.seq + 1 for event in match.events if event.seat == TABLE), None)


def nobody_loses_what_it_has_not(match: AnyMatch) -> None:
    """Law 4: of what seats only pass on, to each other or to the table, nobody has less than nothing.

    That a number for each seat is passed on shows by its sum, alone or with one number of the table: it stays the same.
    Scores may be below nought.
    """
    game, seats = match.game, len(match.header.seats)
    states = list(match.states)
    for name in _rows_by_seat(states, seats):
        rows = [getattr(state, name) for state in states]
        if len(set(rows)) == 1 or (game.scores is not None and game.scores(states[-1]) == rows[-1]):
            continue
        others = [[0] * len(states), *_numbers(states)]
        sums = [{sum(row) + more for row, more in zip(rows, other, strict=True)} for other in others]
        if any(len(each) == 1 and min(each) > 0 for each in sums):
            for seq, row in enumerate(rows, -1):
                short = [seat for seat, has in enumerate(row) if has < 0]
                assert not short, (
                    f"after event {seq}, {match.events[seq].command!r}, seat {short[0]} has {row[short[0]]} of "
                    f"`{name}`: who loses something must have had it\nstate: {states[seq + 1]!r}"
                )


def _rows_by_seat(states: list[Any], seats: int) -> list[str]:
    """Return the fields that hold a number for each seat in all of these states."""
    names = [each.name for each in attrs.fields(type(states[0]))]
    return [
        name
        for name in names
        if all(
            type(row := getattr(state, name)) is tuple and len(row) == seats and {int}.issuperset(map(type, row))
            for state in states
        )
    ]


def _numbers(states: list[Any]) -> Iterator[list[int]]:
    """Yield the values of each field that is one number in all of these states."""
    for each in attrs.fields(type(states[0])):
        values = [getattr(state, each.name) for state in states]
        if {int}.issuperset(map(type, values)):
            yield values


def decks_last(matches: Iterable[AnyMatch]) -> str:
    """Law 4: where the table always takes a card of a deck it does so, too, when the deck is empty and a pile is not.

    Return why there is nothing to judge, or "".
    """
    steps = [step for match in matches for step in match.steps if not isinstance(step.command, FORMAT_COMMANDS)]
    said = []
    for deck in sorted({name for step in steps for name in _rows_of_cards(step) if _is_hidden(step, name)}):
        drawn = [step for step in steps if _takes(step, deck)]
        if drawn and all(getattr(step.after, deck) for step in drawn):
            said.append(f"the deck `{deck}` never ran out")
        _is_dealt_from_again(deck, [step for step in steps if step.seat == TABLE])
    return "; ".join(said)


def _rows_of_cards(step: AnyStep) -> list[str]:
    """Return the fields of the state that hold a row of cards after the step: not those of rows by seat."""
    cards = {*step.game.cards(step.after)}
    fields = [(each.name, getattr(step.after, each.name)) for each in attrs.fields(type(step.after))]
    return [
        name
        for name, row in fields
        if type(row) is tuple and row and tuple not in map(type, row) and cards.issuperset(row)
    ]


def _is_hidden(step: AnyStep, name: str) -> bool:
    """Return True if no seat sees the field; the names of a view may be others than the state's."""
    seats = len(step.game.scene(step.game.view(step.after, TABLE)).places)
    return not any(getattr(step.game.view(step.after, viewer), name, None) for viewer in (None, *range(seats)))


def _takes(step: AnyStep, deck: str) -> bool:
    return len(getattr(step.before, deck) or ()) > len(getattr(step.after, deck) or ())


def _is_dealt_from_again(deck: str, steps: list[AnyStep]) -> None:
    takes: dict[type, list[bool]] = {}
    for step in steps:
        if getattr(step.before, deck):
            takes.setdefault(type(step.command), []).append(_takes(step, deck))
    for step in steps:
        always = takes.get(type(step.command), [])
        if len(always) < SURE or not all(always) or getattr(step.before, deck):
            continue
        lie = [path[0] for path, _ in card_places(step.game, step.before) if len(path) == len(("pile", 0))]
        piles = sorted({str(name) for name in lie if name != deck})
        assert not piles or _moved(step), (
            f"after event {step.seq - 1} the deck `{deck}` is empty, and {step.command!r} of the table moves no card, "
            f"as it does elsewhere, though there are some in {', '.join(piles)}: shuffle them, or let nobody draw"
            f"\nstate: {step.before!r}"
        )


def _moved(step: AnyStep) -> bool:
    """Return True if some card has come to lie elsewhere."""
    cards = {*step.game.cards(step.after)}
    places = (dict(leaves(state)) for state in (step.before, step.after))
    before, after = ({path: each for path, each in row.items() if each in cards} for row in places)
    return before != after
