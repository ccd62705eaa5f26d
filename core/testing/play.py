"""Random legal play, reproducible by numbers; and where in a match something is wrong.

Whatever a law finds is told with the match and the event, the line of the game, and the call that plays it again.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from itertools import islice
from math import ceil
from pathlib import Path
from traceback import FrameSummary, extract_tb
from typing import Any, TypeVar

from ..errors import KifuError, OptionError
from ..game import TABLE, AnyGame, RuleViolation, Seat, Shuffler
from ..match import AnyMatch, Match
from ..match.header import new_header
from ..match.random_play import choose
from ..wire import wire_of

KIFU = Path(__file__).parents[2]
ENGINE = "kifu.core.testing"
"""The engine in the header of the matches that the laws play."""
SECONDS = 30.0
"""What computes so long on one match does not return: a law takes well under a second on it."""
AGAIN = "play it again: "


class Hangs(BaseException):
    """A function of a game does not return. As it is no `Exception`, Hypothesis tries no other match."""

    asked = ""
    """What does not return, and in which state, where that is known."""


@contextmanager
def told_where(match: AnyMatch, *, plays: bool = False) -> Iterator[None]:
    """Say of what a law finds, or a game raises, in which match it was; and end what does not return.

    With `plays`, while the match goes on, its last event is named as well.
    """

    def where(said: str) -> str:
        after = f"after event {len(match.events) - 1} of " if plays else "in "
        return f"{after}{_named(match)}: {said}\n{AGAIN}{again(match)}"

    try:
        with _ended_if_it_hangs():
            yield
    except AssertionError as found:
        if AGAIN in str(found):
            raise
        raise AssertionError(f"{found}\nin {_named(match)}\n{AGAIN}{again(match)}") from found
    except Hangs as hangs:
        if str(hangs):
            raise
        said = f"the game does not return within {SECONDS:g} seconds{line_of(hangs)}"
        raise Hangs(where(said + (f": {hangs.asked}" if hangs.asked else ""))) from None
    except Exception as bug:
        state = f"\nstate: {match.state!r}" if plays else ""
        raise AssertionError(where(f"the game fails: {said_of(bug)}{state}")) from bug


def said_of(bug: Exception) -> str:
    """Return what an exception says, and the line of the game that raised it."""
    return (bug.summary if isinstance(bug, KifuError) else repr(bug)) + line_of(bug.__cause__ or bug)


def line_of(bug: BaseException) -> str:
    """Return the last line of code that is neither kifu's nor Python's, in brackets."""
    frames = extract_tb(bug.__traceback__)
    strange = [each for each in frames if not _is_known(each)] or list(frames)[-1:]
    return "".join(f" ({Path(each.filename).name}, line {each.lineno}, in `{each.name}`)" for each in strange[-1:])


def _is_known(frame: FrameSummary) -> bool:
    path = Path(frame.filename)
    folders = (KIFU / "core", KIFU / "replay", Path(sys.prefix), Path(sys.base_prefix))
    return not path.is_file() or any(map(path.is_relative_to, folders))


@contextmanager
def _ended_if_it_hangs() -> Iterator[None]:
    """Raise `Hangs` in whatever computes too long; on Windows, and in threads, it is let run."""

    def end(*_: object) -> None:
        raise Hangs

    is_main = threading.current_thread() is threading.main_thread()
    if not hasattr(signal, "setitimer") or not is_main or signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def named(viewer: int | None) -> str:
    """Return what a viewer is called in a finding."""
    return "a spectator" if viewer is None else "the table" if viewer == TABLE else f"seat {viewer}"


def _named(match: AnyMatch) -> str:
    header = match.header
    seed = f", seed {header.seed.hex()[:16]}…" if header.seed else ""
    return f"match {header.match} of {len(header.seats)} seats with {header.options!r}{seed}"


def again(match: AnyMatch) -> str:
    """Return the call that plays a match of the laws again; of a golden log the one that shows it."""
    game, header = match.game, match.header
    if header.engine != ENGINE:
        return f"replay show LOG --game {reference_of(game)}"
    chosen = json.dumps(wire_of(game).plain_options(header.options), ensure_ascii=False)
    return f"python -m {ENGINE} {reference_of(game)} {header.match} {len(header.seats)} '{chosen}'"


def reference_of(game: AnyGame) -> str:
    """Return how a call names the game: `package.module:GAME`, its file, or (of a game of no module) its name."""
    found = next(whereabouts(game), None)
    if found is None:
        return game.name
    module, file, name = found
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        spec = None
    return f"{module}:{name}" if spec is not None and spec.origin == file else file


def whereabouts(game: AnyGame) -> Iterator[tuple[str, str, str]]:
    """Yield modules that have a game, those of its own package first, with their files and the name."""
    package = game.state.__module__.partition(".")[0]
    modules = sorted(sys.modules.items(), key=lambda item: item[0].partition(".")[0] != package)
    for _, module in modules:
        file: Any = getattr(module, "__file__", None)
        for name, value in list(vars(module).items()) if file else ():
            if value is game:
                yield module.__name__, str(file), name


T = TypeVar("T")

DIRECTED_EVENTS = 120
"""Directed play stops after this many events."""
LOOKED_AT, TRIED = 24, 8
"""So many legal commands are counted, and so many of them tried, at a step of directed play."""
MAX_EVENTS = 2000
"""Random play stops after this many events, even if the match goes on."""


def pick(shuffler: Shuffler, things: Sequence[T], most: int) -> list[T]:
    """Return at most `most` of these things at random, each once, in their order."""
    if len(things) <= most:
        return list(things)
    places = list(range(len(things)))
    for place in range(most):
        other = place + shuffler.below(len(places) - place)
        places[place], places[other] = places[other], places[place]
    return [things[place] for place in sorted(places[:most])]


def play_on(match: AnyMatch, shuffler: Shuffler, most: int = MAX_EVENTS) -> None:
    """Continue a match at random to its end, or until it has `most` events; the deals come from its seed."""
    with told_where(match, plays=True):
        match.deal()
        while len(match.events) < most:
            chosen = choose(match.position, shuffler)
            if chosen is None:
                return
            _play(match, *chosen)


def _play(match: AnyMatch, seat: Any, command: Any) -> None:
    """Play a command that `legal` yields; if it is refused, law 2 could not say so: there is no such match."""
    try:
        match.play(seat, command)
    except RuleViolation as refused:
        raise AssertionError(
            f"legal yields {command!r} to seat {seat}, but apply refuses it: {refused.summary}\nstate: {match.state!r}"
        ) from None


def directed(game: AnyGame, seats: int, options: Any, number: int) -> AnyMatch:
    """Return a whole match that goes where random play seldom goes: its number says how.

    By turns, each seat leaves the next one as few commands as it can, only one seat does, each leaves as many as it
    can, and each gives the first or the last command that it has. One command in five is given at random.
    """
    match = begun(game, seats, options, number, "directed")
    play_directed(match, number)
    return match


def play_directed(match: AnyMatch, number: int) -> None:
    """Play a match from its start as its number says."""
    shuffler = shuffler_of(match, f"directed {number}")
    with told_where(match, plays=True):
        match.deal()
        while len(match.events) < DIRECTED_EVENTS:
            chosen = choose(match.position, shuffler)
            if chosen is None:
                break
            seat, command = chosen
            if shuffler.below(5):
                command = _leading(match, seat, command, number, shuffler)
            _play(match, seat, command)


def _leading(match: AnyMatch, seat: Any, command: Any, number: int, shuffler: Shuffler) -> Any:
    """Return the command by which a directed match goes on."""
    game, way = match.game, number % 5
    listed = list(islice(game.legal(match.state, seat), LOOKED_AT))
    if not listed or (way == 1 and seat != 0):
        return command
    if way > 2:
        return listed[0] if way == 3 else listed[-1]
    some = pick(shuffler, listed, TRIED)
    left = [_choices(game, game.apply(match.state, seat, each)) for each in some]
    return some[left.index((max if way == 2 else min)(left))]


def _choices(game: AnyGame, state: Any) -> int:
    """Return how many commands the seats that are to act have, so far as they are counted."""
    return sum(len(list(islice(game.legal(state, seat), LOOKED_AT))) for seat in game.to_act(state))


def take_back_and_forth(match: AnyMatch, shuffler: Shuffler) -> None:
    """Take back, play on a little, restore an event that was undone by that, and play on a little again."""
    events = len(match.events)
    if events:
        to = shuffler.below(events) - 1
        match.take_back(to)
        play_on(match, shuffler, len(match.events) + 3)
        match.take_back(to + 1 + shuffler.below(events - 1 - to))
        play_on(match, shuffler, len(match.events) + 3)


def played(game: AnyGame, seats: int, options: Any, number: int, part: float = 1) -> AnyMatch:
    """Return the first part of random match `number`, as a match that can go on; `part` is 0 … 1 of its events."""
    whole = _played(game, seats, options, number)
    return prefix(whole, ceil(len(whole.events) * part))


@lru_cache(maxsize=256)
def _played(game: AnyGame, seats: int, options: Any, number: int) -> AnyMatch:
    match = begun(game, seats, options, number)
    play_on(match, shuffler_of(match))
    return match


PLAY = {"random": lambda match, _: play_on(match, shuffler_of(match)), "directed": play_directed}
"""How a match is played, by the first word of its name, given the match and its number."""


def begun(game: AnyGame, seats: int, options: Any, number: int, way: str = "random") -> AnyMatch:
    """Return match `number` before its first event; `way` says how it is to be played."""
    seed = blake2b(f"kifu laws {number}".encode(), digest_size=32).digest()
    names = tuple(f"seat {seat}" for seat in range(seats))
    chosen = wire_of(game).plain_options(options)
    header = new_header(game, names, chosen, seed, match=f"{way}-{number}", started=None, engine=ENGINE)
    return Match(game, header)


def shuffler_of(match: AnyMatch, purpose: str = "play") -> Shuffler:
    """Return a shuffler derived from the match's seed and a purpose, independent of the deals."""
    seed = match.header.seed or bytes(32)
    return Shuffler(blake2b(seed + purpose.encode(), digest_size=32).digest())


def another(shuffler: Shuffler) -> Shuffler:
    """Return another source of chance, which follows from this one."""
    return Shuffler(another_seed(shuffler))


def another_seed(shuffler: Shuffler) -> bytes:
    """Return the seed of another source of chance."""
    return bytes(shuffler.below(256) for _ in range(32))


def prefix(match: AnyMatch, events: int) -> AnyMatch:
    """Return a new match with the first `events` events of this one."""
    cut: AnyMatch = Match(match.game, match.header)
    for event in match.events[:events]:
        cut.apply(event.seat, event.command, event.meta)
    return cut


def seats_of(match: AnyMatch) -> list[int]:
    """Return the seats of a match, ascending."""
    return [Seat(seat) for seat in range(len(match.header.seats))]


def suits(game: AnyGame, chosen: Any, seats: int) -> bool:
    """Return True if the game can be played with these options by so many seats."""
    try:
        game.check_options(chosen, seats)
    except OptionError:
        return False
    return True
