"""Laws 6 and 7: a log gives the match again, byte for byte, and every rule of the book is shown at work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import attrs

from ..errors import OptionError
from ..game import AnyGame, Note
from ..game.timeline import effective
from ..log import log_bytes, read, read_bytes
from ..match import Match
from ..wire.packing import pack
from .case import Case
from .laws_of_play import answer
from .play import played, shuffler_of, take_back_and_forth

HASH_SEEDS = ("1", "4242")
CHILD = """
import sys, types
from kifu import core
face = sys.modules["kifu.core.testing"] = types.ModuleType("kifu.core.testing")
face.__path__ = [core.__path__[0] + "/testing"]
from kifu.core.testing.fingerprint import main
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
    seed = next(seed for seed in HASH_SEEDS if seed != os.environ.get("PYTHONHASHSEED"))
    child = subprocess.run(  # noqa: S603 (our own module, in this very interpreter)
        [sys.executable, "-c", CHILD, *whereabouts(game), str(number)],
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


def whereabouts(game: AnyGame) -> tuple[str, str, str]:
    """Find a module that has a game (of the game's own package before one that imports it), its file, and the name."""
    package = game.options.__module__.partition(".")[0]
    modules = sorted(sys.modules.items(), key=lambda item: item[0].partition(".")[0] != package)
    for _, module in modules:
        file = getattr(module, "__file__", None)
        for name, value in list(vars(module).items()) if file else ():
            if value is game:
                return module.__name__, str(file), name
    raise AssertionError(f"the game {game.name!r} is no name of any module, so that no other process can find it")


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
    shown = {case.number for case in cases} | {note.rule.number for note in notes if note.rule is not None}
    missing = [f"  {rule.number}: {rule.sentence}" for rule in game.book if rule.number not in shown]
    assert not missing, "\n".join([f"no case breaks, and no note of {where} names:", *missing])


def notes_of(match: Match[Any, Any, Any]) -> Iterator[Note]:
    """Go through all that happened in a match."""
    return (note for step in match.steps for note in step.notes)


def golden_notes(game: AnyGame, folder: str | os.PathLike[str]) -> Iterator[Note]:
    """Go through the notes of all golden logs of a folder."""
    return (note for match in golden_matches(game, folder) for note in notes_of(match))


def golden_matches(game: AnyGame, folder: str | os.PathLike[str]) -> Iterator[Match[Any, Any, Any]]:
    """Go through the matches of all golden logs of a folder; a folder without any proves nothing."""
    logs = sorted(Path(folder).glob("*.log"))
    assert logs, f"there are no golden logs in {folder}: make one as docs/golden-logs.md says, or leave `golden` out"
    for path in logs:
        match = read(path, lambda _: game).match
        assert match is not None, f"{path.name} cannot be read as a log of {game.name}"
        yield match
