"""Laws 6 and 7: a log gives the match again, byte for byte; every rule, command and option is at work.

An option is dead if `start` never makes another state of it; or if whole matches, played again under another value,
never show a difference but the option itself: the same seats are asked, the same commands are legal and accepted, the
same is dealt, seen and told, and the results are the same.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import attrs
from attrs import frozen

from ..errors import OptionError
from ..game import FORMAT_COMMANDS, TABLE, AnyGame, Note, RuleBook, Shuffler
from ..game.timeline import effective
from ..log import log_bytes, read, read_bytes
from ..match import AnyMatch, Match
from ..wire import pack
from .channels import leaves, step_of
from .laws_of_play import answer
from .play import directed, played, seats_of, shuffler_of, suits, take_back_and_forth, whereabouts


@frozen
class Case:
    """A command that a rule forbids, at a state in which no earlier rule does.

    `rule` is the rule or its number: `Rule.HC_2`, `"HC-2"`, `"TURN"`. `what` describes the command in a few words,
    e.g. "a card of another seat's hand", and names the test.
    """

    rule: RuleBook | str
    what: str
    state: Any
    seat: int
    command: Any

    @property
    def number(self) -> str:
        """The number of the rule."""
        return self.rule if isinstance(self.rule, str) else self.rule.number

    def __str__(self) -> str:
        return f"{self.number}: {self.what}"


HASH_SEEDS = ("1", "4242")
CHILD = """
import sys, types
from kifu import core
face = sys.modules["kifu.core.testing"] = types.ModuleType("kifu.core.testing")
face.__path__ = [core.__path__[0] + "/testing"]
from kifu.core.testing.laws_of_record import main
del sys.modules["kifu.core.testing"]
main(*sys.argv[1:])
"""
"""What another process runs: a match needs none of what `kifu.core.testing` has, Hypothesis and a host among it."""


def a_log_gives_the_match_again(match: Match[Any, Any, Any]) -> None:
    """Law 6: a log written and read gives the same events, and folding them the same states, byte for byte."""
    if shuffler_of(match, "takeback").below(2):  # what was undone, and what undid it, are events too
        take_back_and_forth(match, shuffler_of(match, "takebacks"))
        _effective_events_suffice(match)
    data = log_bytes(match)
    reading = read_bytes(data, lambda _: match.game)
    assert reading.ok, f"the log of a legal match has findings: {reading.findings}"
    again = reading.match
    assert again is not None
    assert again.events == match.events, "the log gives other events than were written"
    for seq, (first, second) in enumerate(zip(match.states, again.states, strict=True), -1):
        assert first == second, f"after event {seq} the log gives another state\n{first!r}\n{second!r}"
        assert pack(first) == pack(second), f"after event {seq} the log gives a state that packs differently\n{first!r}"
    assert reading.result == match.result, "the log gives another result"
    assert log_bytes(again) == data, "the match of the log, written again, gives other bytes"


def _effective_events_suffice(match: Match[Any, Any, Any]) -> None:
    """Law 6: the events that no takeback has undone give, by themselves, the state that the match is in."""
    state = match.states[0]
    for event in effective(match.events):
        state = match.game.apply(state, event.seat, event.command)
    assert state == match.state, "the events that no takeback has undone give another state than the match has"


def fingerprint(game: AnyGame, number: int) -> str:
    """Stand for matches played at random with the default options and others, their logs, and the states they give."""
    seats = game.seats[-1]
    told = blake2b()
    for options in dict.fromkeys((game.options(), _turned(game, seats))):
        data = log_bytes(played(game, seats, options, number))
        again = read_bytes(data, lambda _: game).match
        assert again is not None
        told.update(data + pack(list(again.states)))
    return told.hexdigest()


def _turned(game: AnyGame, seats: int) -> Any:
    """Return options of which each bool and each `Literal` is not the default; the defaults if these do not suit."""
    turned: dict[str, Any] = {}
    for field in attrs.fields(attrs.resolve_types(game.options)):
        values = (
            (True, False) if field.type is bool else get_args(field.type) if get_origin(field.type) is Literal else ()
        )
        others = [value for value in values if value != field.default]
        if others:
            turned[field.name] = others[-1]
    try:
        options = game.options(**turned)
        game.check_options(options, seats)
    except OptionError:
        return game.options()
    return options


def whatever_the_hash_seed(game: AnyGame, number: int = 1) -> None:
    """Law 6: a process with another hash seed plays the same matches, writes the same log and reads the same states."""
    here = fingerprint(game, number)
    place = next(whereabouts(game), None)
    assert place is not None, f"the game {game.name!r} is no name of any module, so that no other process can find it"
    seed = next(seed for seed in HASH_SEEDS if seed != os.environ.get("PYTHONHASHSEED"))
    child = subprocess.run(  # noqa: S603 (our own module, in this very interpreter)
        [sys.executable, "-c", CHILD, *place, str(number)],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0, f"the game could not be played in another process:\n{child.stderr}"
    assert child.stdout.strip() == here, (
        f"with PYTHONHASHSEED={seed} the same match has another log or other states: "
        "something goes through a set or a dict whose order is not its own"
    )


def is_refused(game: AnyGame, case: Case) -> None:
    """Law 7: the command of a case is refused by exactly its rule, and the state is as it was."""
    before = pack(case.state)
    outcome = answer(game, case.state, case.seat, case.command)
    assert type(outcome) is tuple, f"{case.command!r} of seat {case.seat} is accepted, though {case.number} forbids it"
    rule, seat, facts = outcome
    assert rule.number == case.number, f"refused by {rule.number} ({facts}), not by {case.number}"
    assert seat == case.seat, f"the refusal names seat {seat}, not {case.seat}"
    assert pack(case.state) == before, "the refused command changed the state"


def every_rule_is_at_work(
    game: AnyGame, cases: Iterable[Case], notes: Iterable[Note], where: str = "a golden log"
) -> None:
    """Law 7: each rule of the book is broken by a case, or named by a note of a golden log."""
    hidden = {rule.number for rule in game.book} - {case.number for case in cases}
    for note in notes:
        if not hidden:
            return
        if note.rule is not None:
            hidden.discard(note.rule.number)
    missing = [f"  {rule.number}: {rule.sentence}" for rule in game.book if rule.number in hidden]
    remedy = (
        "a prohibition needs a `Case` that breaks it; a rule that is rare, a golden log (or `options=`) that shows it; "
        "of notes that are derived a command or a mark names the rule, as `public(rule=…)` does"
    )
    assert not missing, "\n".join([f"no case breaks, and no note of {where} names:", *missing, remedy])


def notes_of(match: Match[Any, Any, Any]) -> Iterator[Note]:
    """Go through all that happened in a match: what the table is told, then what anybody else is."""
    for viewer in (TABLE, None, *seats_of(match)):
        for step in match.steps:
            yield from step.notes_for(viewer)


def golden_matches(game: AnyGame, folder: str | os.PathLike[str]) -> Iterator[Match[Any, Any, Any]]:
    """Go through the matches of all golden logs of a folder; a folder without any proves nothing."""
    logs = sorted(Path(folder).glob("*.log"))
    assert logs, f"there are no golden logs in {folder}: make one as docs/golden-logs.md says, or leave `golden` out"
    for path in logs:
        match = read(path, lambda _: game).match
        assert match is not None, f"{path.name} cannot be read as a log of {game.name}"
        yield match


REPLAYS = 200
"""So often a match is played again for an option that has changed nothing yet."""
LISTED = 200
"""So many legal commands of a seat are compared."""


def every_option_counts(game: AnyGame, sets: Iterable[Any], matches: Iterable[AnyMatch]) -> None:
    """Raise if an option changes nothing, whatever the others are; `sets` are options of the game."""
    drawn, matches = _distinct(sets), list(matches)
    for name in [field.name for field in attrs.fields(game.options)]:
        alike = (same for chosen in drawn for same in _alike(game, chosen, name, drawn))
        assert not (next(alike, False) and all(alike)), (
            f"the option {name} changes nothing: `start` makes the same state whatever it is, and the rules know "
            "of options only what lies in the state"
        )
        values = _distinct(getattr(each, name) for each in drawn)
        replays = list(_replays(matches, name, values))
        if not replays or any(_differs(*each, looks=looks) for looks in (False, True) for each in replays):
            continue
        more = _replays(_more_matches(game, drawn), name, values)  # it may matter seldom
        assert any(_differs(*each, looks=False) for each in islice(more, REPLAYS)), (
            f"the option {name} lies in the state, and changes nothing: {REPLAYS} times a match was played again "
            "under another value, and the same was legal, accepted, dealt, seen, told and won. If it matters more "
            "seldom, give a golden log in which it does"
        )


def _distinct(values: Iterable[Any]) -> list[Any]:
    """List values, equal ones once; a map has no hash."""
    found: list[Any] = []
    for each in values:
        if each not in found:
            found.append(each)
    return found


def _alike(game: AnyGame, chosen: Any, name: str, drawn: list[Any]) -> Iterator[bool]:
    """Yield of each other value of an option, and number of seats, whether it starts as these options do."""
    for value in _distinct(getattr(each, name) for each in drawn):
        if value == getattr(chosen, name):
            continue
        other = attrs.evolve(chosen, **{name: value})
        for seats in game.seats:
            if suits(game, chosen, seats) and suits(game, other, seats):
                yield game.start(chosen, seats) == game.start(other, seats)


def _replays(matches: Iterable[AnyMatch], name: str, values: list[Any]) -> Iterator[tuple[AnyMatch, Any]]:
    """Yield each match with the options under which it is to be played again."""
    for match in matches:
        chosen = match.header.options
        for value in values:
            other = attrs.evolve(chosen, **{name: value})
            if value != getattr(chosen, name) and suits(match.game, other, len(match.header.seats)):
                yield match, other


def _more_matches(game: AnyGame, drawn: list[Any]) -> Iterator[AnyMatch]:
    """Play matches of every number of seats under these options: at random, and where random play seldom goes."""
    for number in count():
        for seats in game.seats:
            chosen = drawn[number % len(drawn)]
            if suits(game, chosen, seats):
                yield (played if number % 2 else directed)(game, seats, chosen, number)


def _differs(match: AnyMatch, options: Any, *, looks: bool) -> bool:
    """Return True if a match shows a difference under other options; with `looks` also in what is seen and told."""
    game, seats = match.game, seats_of(match)
    state = game.start(options, len(seats))
    itself = _apart(match, match.states[0], state) if looks else set()
    for place, before in enumerate(match.states):
        if _asked(game, before) != _asked(game, state) or (looks and _apart(match, before, state) - itself):
            return True
        event = match.events[place] if place < len(match.events) else None
        if event is None or isinstance(event.command, FORMAT_COMMANDS):
            break
        after = answer(game, state, event.seat, event.command)
        if type(after) is tuple:
            return True
        steps = match.steps[place], step_of(game, state, event.seat, event.command, after)
        if looks and any(steps[0].notes_for(viewer) != steps[1].notes_for(viewer) for viewer in (TABLE, None, *seats)):
            return True
        state = after
    return False


def _asked(game: AnyGame, state: Any) -> Any:
    """Return who is asked for what, and how the match stands."""
    asked = sorted(game.to_act(state))
    legal = [list(islice(game.legal(state, seat), LISTED)) for seat in asked if seat != TABLE]
    dealt = game.deal(state, Shuffler(bytes(32))) if TABLE in asked else None
    scores = None if game.scores is None else game.scores(state)
    return asked, legal, dealt, game.result(state), scores, [game.open_ended(state, seat) for seat in asked]


def _apart(match: AnyMatch, one: Any, other: Any) -> set[Any]:
    """Return where the views of two states differ, for each viewer."""
    game, found = match.game, set()
    for viewer in (TABLE, None, *seats_of(match)):
        seen, there = (dict(leaves(game.view(state, viewer))) for state in (one, other))
        found |= {(viewer, path) for path in seen.keys() | there.keys() if seen.get(path) != there.get(path)}
    return found


def every_command_comes_up(game: AnyGame, matches: Iterable[AnyMatch]) -> None:
    """Law 7: each kind of command is given, or could be, in some match."""
    left = set(game.wire)
    for match in matches:
        left -= {type(event.command) for event in match.events}
        for state in match.states if left else ():
            left -= {type(command) for seat in seats_of(match) for command in game.legal(state, seat)}
    assert not left, (
        f"no match has a {', '.join(sorted(repr(game.wire[kind]) for kind in left))}, nor is it ever legal: `legal` "
        "yields it where a seat may give it, `deal` where the table does. If it is rare, give `options=` or a golden "
        "log in which it comes up"
    )


def main(module: str, file: str, name: str, number: str) -> None:
    """Find the game in its module, or in the module's file, and print the fingerprint of the match of this number."""
    try:
        names: dict[str, Any] = vars(import_module(module))
    except ImportError:  # a test, an example: a file on no path
        names = runpy.run_path(file, run_name=module)
    sys.stdout.write(fingerprint(names[name], int(number)))
