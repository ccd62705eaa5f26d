"""The shortest legal match that still meets a criterion, found by cutting, dropping and replacing commands.

Every attempt is a match under the rules of this engine. It replaces the best match so far if it meets the criterion
after fewer events. The search is deterministic, unless its time runs out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice, product
from typing import Any, Protocol

import attrs
from attrs import frozen

from ...core.errors import OptionError
from ...core.game import FORMAT_COMMANDS, TABLE, AnyGame, Event, RuleViolation, Shuffler
from ...core.log import Reading, log_bytes, read_bytes
from ...core.log.format import event_bytes
from ...core.match import AnyMatch, Match
from ...core.match.header import SEED_BYTES, Header
from ...core.wire import wire_of
from ..call_errors import CallError
from ..logs.anonymized import anonymized

SeatCommand = tuple[int, Any]
"""A seat and its command."""

MAX_CHOICES = 256
"""The number of a seat's legal commands that are considered."""

DEALS = 60
"""The number of other deals played per round, for each number of seats."""

FIRST_DEALS = 12
"""The number of random matches played first, for each number of seats, fewest first."""

FIRST_LENGTH = 3
"""How many times as long as the match that is given one of those may become."""

MAX_IDLE_ROUNDS = 2
"""The number of rounds without progress after which the search ends; each has other random choices."""

PROOF_SHARE = 4
"""One in this many tries may go into proving that no match is shorter."""


class Criterion(Protocol):
    """What a match is to show."""

    @property
    def refused(self) -> Event[Any] | None:
        """The command that is refused after those events, and ends the new log."""

    def holds(self, match: AnyMatch) -> int | None:
        """Return the number of events after which the match meets the criterion, or None if it never does."""


@frozen
class Minimized:
    """The shortest match found, and how the search ended."""

    match: AnyMatch
    tries: int
    why: str
    """`shortest`: no match of these deals is shorter; `none`: no known step shortens it further;
    `tries`, `seconds`: they ran out."""


def minimize(match: AnyMatch, criterion: Criterion, tries: int, seconds: float) -> Minimized | None:
    """Shorten a match until nothing helps, or for at most `tries` attempts or `seconds`.

    Returns None if the match without its seed does not meet the criterion.
    """
    return _Search(match, criterion, tries, seconds).run()


def shrunk(log: str, reading: Reading, criterion: Criterion, tries: int, seconds: float) -> tuple[Minimized, bytes]:
    """Shorten the match of a log; return it, also as a log without names. Raises `CallError`."""
    assert reading.match is not None
    found = minimize(reading.match, criterion, tries, seconds)
    if found is None:
        raise CallError(
            "not-without-seed", "{log}: the match without its seed does not show it; nothing can be shortened", log=log
        )
    return found, shortened(found.match, reading.match, criterion.refused)


def shortened(match: AnyMatch, before: AnyMatch, refused: Event[Any] | None) -> bytes:
    """Return the match as an anonymized log: with the seed if it gives the deals, with the refused command last."""
    seeded: AnyMatch = Match(match.game, attrs.evolve(match.header, seed=before.header.seed))
    try:
        for event in match.events:
            seeded.apply(event.seat, event.command)
        match = seeded
    except RuleViolation:
        pass  # the seed does not give these deals
    game = match.game

    def find(_: str) -> AnyGame:
        return game

    data = log_bytes(match, ended=refused is None)
    if refused is not None:
        last = Event(len(match.events), refused.seat, refused.command)
        data += event_bytes(last, wire_of(match.game), None, read_bytes(data, find).chain)
    return anonymized(data, read_bytes(data, find))


class _Spent(Exception):  # noqa: N818 (no error: the search ends here)
    """The tries or the seconds ran out."""


class _Search:
    def __init__(self, match: AnyMatch, criterion: Criterion, tries: int, seconds: float) -> None:
        self.game = match.game
        self.criterion = criterion
        self.max_tries = tries
        self.deadline = time.monotonic() + seconds
        self.tries = 0
        self.best = match
        self.tried: set[int] = set()

    def run(self) -> Minimized | None:
        header = attrs.evolve(self.best.header, seed=None, fork=None, more=())
        whole = _play(self.best.game, header, _commands(self.best))
        events = self.criterion.holds(whole)
        if events is None:
            return None
        self.best = whole = _cut(whole, events)
        why = "none"
        try:
            self._plainest()
            self._rounds()
            if len(self.best.events) > events:  # with fewer seats it got longer: begin again with all of them
                self.best, whole = whole, self.best
                self._rounds()
            if self._is_shortest():
                why = "shortest"
            elif self.tries >= self.max_tries:
                why = "tries"
        except _Spent as spent:
            why = str(spent)
            self.best = min(self.best, whole, key=_score)
        return Minimized(self.best, self.tries, why)

    def _plainest(self) -> None:
        """Begin with the fewest seats, default options and the shortest of some random matches, if any shows it.

        Such a match may be longer than the one given: what is small is cut faster.
        """
        header = self.best.header
        for plainer in self._plainer_headers():
            if plainer == header:
                return
            found: list[AnyMatch] = []
            for luck in range(FIRST_DEALS):
                most = FIRST_LENGTH * len(self.best.events)
                match = self._follow(plainer, [], [], self._luck("first", luck), most)
                if (events := self._holds(match)) is not None:
                    found.append(_cut(match, events))
            if found:
                self.best = min(found, key=_score)
                return

    def _rounds(self) -> None:
        """Try all strategies until some rounds in a row bring nothing."""
        idle = 0
        while idle < MAX_IDLE_ROUNDS:
            idle = 0 if self._round() else idle + 1

    def _round(self) -> bool:
        """Try every strategy once; return True if any helped."""
        before = _score(self.best)
        for strategy in (self._dropped, self._redealt, self._replaced, self._varied):
            for attempt in strategy():
                self._try(attempt)
        return _score(self.best) < before

    def _try(self, attempt: AnyMatch) -> None:
        events = self._holds(attempt)
        if events is not None:
            self.best = min(self.best, _cut(attempt, events), key=_score)

    def _holds(self, attempt: AnyMatch) -> int | None:
        """Return the number of events after which an attempt meets the criterion, or None; raises `_Spent`."""
        if self.tries >= self.max_tries:
            raise _Spent("tries")
        if time.monotonic() > self.deadline:
            raise _Spent("seconds")
        made = hash((attempt.header.seats, attempt.header.options, *_commands(attempt)))
        if made in self.tried:  # it was no help when there was less to beat
            return None
        self.tried.add(made)
        self.tries += 1
        return self.criterion.holds(attempt)

    def _varied(self) -> Iterator[AnyMatch]:
        """Yield each prefix, short ones first, with every command that could follow."""
        length = 0
        while length < len(self.best.events) - 1:
            commands = _commands(self.best)[:length]
            header = self.best.header
            for each in _choices(_play(self.game, header, commands)):
                yield _play(self.game, header, [*commands, each])
            length += 1

    def _dropped(self) -> Iterator[AnyMatch]:
        """Yield matches without a run of commands, long runs first; each seat goes on with the rest of its commands."""
        size = len(self.best.events) // 2
        while size:
            begin = 0
            while begin < len(self.best.events):
                commands = _commands(self.best)
                yield self._follow(self.best.header, commands[:begin], commands[begin + size :], None)
                begin += size
            size //= 2

    def _replaced(self) -> Iterator[AnyMatch]:
        """Yield each prefix, long ones first, with random commands after it."""
        for length in range(len(self.best.events) - 1, -1, -1):
            for luck in range(3):
                if length < len(self.best.events):
                    commands = _commands(self.best)
                    rest = [each for each in commands[length:] if each[0] == TABLE]
                    yield self._follow(self.best.header, commands[:length], rest, self._luck("replace", length, luck))

    def _redealt(self) -> Iterator[AnyMatch]:
        """Yield random matches of other deals, also with fewer seats and default options."""
        for plainer in self._plainer_headers():
            for luck in range(DEALS):
                most = len(self.best.events) - (plainer == self.best.header)
                yield self._follow(plainer, [], [], self._luck("deal", luck), most)

    def _plainer_headers(self) -> list[Header]:
        """Return the header with every smaller number of seats, fewest first, with default options and with its own."""
        header = self.best.header
        fewer = [each for each in self.game.seats if each <= len(header.seats)]
        pairs = product(fewer, dict.fromkeys((self.game.options(), header.options)))
        headers = [attrs.evolve(header, seats=header.seats[:seats], options=options) for seats, options in pairs]
        return [each for each in headers if self._suits(each)]

    def _is_shortest(self) -> bool:
        """Return True once every shorter match of the same deals was tried; False, untried, if there are too many."""
        most = min(self.max_tries - self.tries, max(self.max_tries // PROOF_SHARE, 1))
        deals = [each for each in _commands(self.best) if each[0] == TABLE]
        level: list[list[SeatCommand]] = [[]]
        shorter: list[list[SeatCommand]] = []
        for _ in range(len(self.best.events) - 1):
            deeper: list[list[SeatCommand]] = []
            for commands in level:
                begin = _play(self.game, self.best.header, commands)
                dealt = sum(seat == TABLE for seat, _ in commands)
                deeper += [[*commands, each] for each in _choices(begin, deals[dealt : dealt + 1])]
                if not _lists_all(begin) or len(shorter) + len(deeper) > most:
                    return False
            shorter += deeper
            level = deeper
        before = _score(self.best)
        for commands in shorter:  # breadth first: the first that shows it is the shortest
            self._try(_play(self.game, self.best.header, commands))
            if _score(self.best) < before:
                break
        return True

    def _follow(
        self,
        header: Header,
        prefix: list[SeatCommand],
        preferred: list[SeatCommand],
        luck: Shuffler | None,
        most: int | None = None,
    ) -> AnyMatch:
        """Play the prefix, then for each seat its first preferred command that is legal, else any legal command.

        Stops one event before the length of the best match so far, so that a hit is an improvement.
        """
        most = len(self.best.events) - 1 if most is None else most
        match = _play(self.game, header, prefix[:most])
        left = list(preferred)
        while len(match.events) < most and match.to_act:
            chosen = self._next_legal(match, left) or self._any(match, luck)
            if chosen is None:
                break
            match.apply(*chosen)
        return match

    def _next_legal(self, match: AnyMatch, left: list[SeatCommand]) -> SeatCommand | None:
        to_act = match.to_act
        for place, (seat, command) in enumerate(left):
            if seat in to_act and not isinstance(command, FORMAT_COMMANDS) and _accepts(match, seat, command):
                del left[place]
                return seat, command
        return None

    def _any(self, match: AnyMatch, luck: Shuffler | None) -> SeatCommand | None:
        if TABLE in match.to_act:
            seed = blake2b(b"replay shrink", digest_size=SEED_BYTES).digest() if luck is None else _seed(luck)
            deals = sum(event.seat == TABLE for event in match.events)
            return TABLE, self.game.deal(match.state, Shuffler(seed, deals))
        choices = list(_choices(match))
        return choices[luck.below(len(choices)) if luck is not None else 0] if choices else None

    def _luck(self, *about: object) -> Shuffler:
        return Shuffler(blake2b(repr((self.tries, *about)).encode(), digest_size=SEED_BYTES).digest())

    def _suits(self, header: Header) -> bool:
        try:
            self.game.check_options(header.options, len(header.seats))
        except OptionError:
            return False
        return True


def _score(match: AnyMatch) -> tuple[int, int, int]:
    """Return what the search minimizes: the number of events, of seats, and of options that are not the default."""
    options = match.header.options
    default = type(options)()
    others = [each for each in attrs.fields_dict(type(options)) if getattr(options, each) != getattr(default, each)]
    return len(match.events), len(match.header.seats), len(others)


def _commands(match: AnyMatch) -> list[SeatCommand]:
    return [(event.seat, event.command) for event in match.events]


def _play(game: Any, header: Header, commands: Iterable[SeatCommand]) -> AnyMatch:
    match: AnyMatch = Match(game, header)
    for seat, command in commands:
        match.apply(seat, command)
    return match


def _cut(match: AnyMatch, events: int) -> AnyMatch:
    """Return the match after its first `events` events, able to go on."""
    return _play(match.game, match.header, _commands(match)[:events])


def _choices(match: AnyMatch, deals: list[SeatCommand] | None = None) -> Iterator[SeatCommand]:
    """Yield the commands that are legal now; of the table only those in `deals`."""
    for seat in sorted(match.to_act - {TABLE}):
        for command in islice(match.game.legal(match.state, seat), MAX_CHOICES):
            yield seat, command
    if TABLE in match.to_act:
        yield from (each for each in deals or [] if _accepts(match, *each))


def _lists_all(match: AnyMatch) -> bool:
    """Return True if `_choices` lists every legal command of the seats."""
    game, state = match.game, match.state
    to_act = match.to_act - {TABLE}
    return not any(
        game.open_ended(state, seat) or len(list(islice(game.legal(state, seat), MAX_CHOICES + 1))) > MAX_CHOICES
        for seat in to_act
    )


def _accepts(match: AnyMatch, seat: int, command: Any) -> bool:
    try:
        match.game.apply(match.state, seat, command)
    except RuleViolation:
        return False
    return True


def _seed(luck: Shuffler) -> bytes:
    return bytes(luck.below(256) for _ in range(SEED_BYTES))
