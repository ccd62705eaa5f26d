"""The shortest legal match that still shows something: found by cutting, dropping and replacing commands.

Every attempt is a match under the rules of this engine; what is sought tells after how many of its events it shows. An
attempt counts if it shows it earlier than the best so far. The same search from the same match finds the same.
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
from ...core.game import TABLE, RuleViolation, Seat, Takeback
from ...core.header import SEED_BYTES, Header
from ...core.match import Match
from ...core.shuffle import Shuffler
from ...core.wire import wire_of

AnyMatch = Match[Any, Any, Any]
Given = tuple[Seat, Any]
"""A command and the seat that gives it."""

MAX_CHOICES = 256
"""How many of a seat's legal commands are looked at."""

DEALS = 60
"""How many other deals are played a round, for each number of seats."""

PATIENCE = 6
"""Rounds that may help nothing before the search ends: each has other luck."""

DEPTH_TRIES = 4
"""How many of the tries go into proving that nothing is shorter: one of so many."""


class Criterion(Protocol):
    """What a match shall show."""

    def holds(self, match: AnyMatch) -> int | None:
        """Tell after how many events of a match it shows; None if it does not."""


@frozen
class Minimized:
    """The shortest match found, and how hard it was looked for."""

    match: AnyMatch
    tries: int
    why: str
    """Why it ended: `shortest` (no match of these deals is shorter), `none` (nothing more to try that is known),
    `tries` or `seconds` (they ran out)."""


def minimize(match: AnyMatch, sought: Criterion, tries: int, seconds: float) -> Minimized | None:
    """Search until nothing helps, or so many attempts are made; None if the match itself does not show it."""
    return _Search(match, sought, tries, seconds).run()


class _Spent(Exception):  # noqa: N818 (no error: the search ends here)
    """The tries or the seconds ran out."""


class _Search:
    def __init__(self, match: AnyMatch, sought: Criterion, tries: int, seconds: float) -> None:
        self.game = match.game
        self.sought = sought
        self.most = tries
        self.deadline = time.monotonic() + seconds
        self.tries = 0
        self.best = match

    def run(self) -> Minimized | None:
        header = attrs.evolve(self.best.header, seed=None, fork=None, more=())
        whole = _played(self.best.game, header, _given(self.best))
        shown = self.sought.holds(whole)
        if shown is None:
            return None
        self.best = _cut(whole, shown)
        why = "none"
        try:
            idle = 0
            while idle < PATIENCE:
                idle = 0 if self._round() else idle + 1
            if self._is_shortest():
                why = "shortest"
        except _Spent as spent:
            why = str(spent)
        return Minimized(self.best, self.tries, why)

    def _round(self) -> bool:
        """Try everything once; tell whether anything helped."""
        before = self._size()
        for move in (self._dropped, self._dealt_anew, self._replaced, self._plainer, self._varied):
            for attempt in move():
                self._try(attempt)
        return self._size() < before

    def _size(self) -> tuple[int, int, int]:
        """Order matches: by events, then seats, then options that are not as they are by default."""
        match = self.best
        return len(match.events), len(match.header.seats), len(_unusual(match))

    def _try(self, attempt: AnyMatch) -> None:
        if self.tries >= self.most:
            raise _Spent("tries")
        if time.monotonic() > self.deadline:
            raise _Spent("seconds")
        self.tries += 1
        shown = self.sought.holds(attempt)
        if shown is None:
            return
        size = (shown, len(attempt.header.seats), len(_unusual(attempt)))
        if size < self._size():
            self.best = _cut(attempt, shown)

    def _varied(self) -> Iterator[AnyMatch]:
        """Keep each beginning, short ones first, and try every command that could follow."""
        length = 0
        while length < len(self.best.events) - 1:
            given = _given(self.best)[:length]
            header = self.best.header
            for each in _choices(_played(self.game, header, given)):
                yield _played(self.game, header, [*given, each])
            length += 1

    def _dropped(self) -> Iterator[AnyMatch]:
        """Drop runs of commands, long ones first; each seat goes on with the rest of its own."""
        size = len(self.best.events) // 2
        while size:
            begin = 0
            while begin < len(self.best.events):
                given = _given(self.best)
                yield self._follow(self.best.header, given[:begin], given[begin + size :], None)
                begin += size
            size //= 2

    def _replaced(self) -> Iterator[AnyMatch]:
        """Keep each beginning, late ones first, and play on at random."""
        for length in range(len(self.best.events) - 1, -1, -1):
            for luck in range(3):
                if length < len(self.best.events):
                    given = _given(self.best)
                    rest = [each for each in given[length:] if each[0] == TABLE]
                    yield self._follow(self.best.header, given[:length], rest, self._luck("replace", length, luck))

    def _dealt_anew(self) -> Iterator[AnyMatch]:
        """Play other deals at random, with fewer seats and the usual options too."""
        header = self.best.header
        fewer = [each for each in self.game.seats if each <= len(header.seats)]
        for seats, options in product(fewer, dict.fromkeys((self.game.options(), header.options))):
            plainer = attrs.evolve(header, seats=header.seats[:seats], options=options)
            if not self._suits(plainer):
                continue
            for luck in range(DEALS):
                most = len(self.best.events) - (plainer == self.best.header)
                yield self._follow(plainer, [], [], self._luck("deal", luck), most)

    def _plainer(self) -> Iterator[AnyMatch]:
        """Give each unusual option its default, and keep the commands that can be kept."""
        for name, default in _unusual(self.best).items():
            header = self.best.header
            plainer = attrs.evolve(header, options=attrs.evolve(header.options, **{name: default}))
            if self._suits(plainer):
                yield self._follow(plainer, [], _given(self.best), None, most=len(self.best.events))

    def _is_shortest(self) -> bool:
        """Try every match of the same deals that is shorter, if they are not too many."""
        limit = min(self.most, self.tries + max(self.most // DEPTH_TRIES, 1))
        level: list[list[Given]] = [[]]
        deals = [given for given in _given(self.best) if given[0] == TABLE]
        for _ in range(len(self.best.events) - 1):
            deeper = []
            for given in level:
                begin = _played(self.game, self.best.header, given)
                if not _lists_all(begin):
                    return False
                dealt = sum(seat == TABLE for seat, _ in given)
                for each in _choices(begin, deals[dealt : dealt + 1]):
                    if self.tries >= limit:
                        return False
                    before = self._size()
                    self._try(_played(self.game, self.best.header, [*given, each]))
                    if self._size() < before:
                        return True  # breadth first: the first that is found is the shortest
                    deeper.append([*given, each])
            level = deeper
        return True

    def _follow(
        self, header: Header, begin: list[Given], wishes: list[Given], luck: Shuffler | None, most: int | None = None
    ) -> AnyMatch:
        """Play the beginning, then for each seat the first of its wishes that is legal; else any legal command.

        It ends one event before the best so far, so that it is shorter if it shows what is sought.
        """
        most = len(self.best.events) - 1 if most is None else most
        match = _played(self.game, header, begin[:most])
        left = list(wishes)
        while len(match.events) < most and match.to_act:
            chosen = self._wished(match, left) or self._any(match, luck)
            if chosen is None:
                break
            match.apply(*chosen)
        return match

    def _wished(self, match: AnyMatch, left: list[Given]) -> Given | None:
        asked = match.to_act
        for place, (seat, command) in enumerate(left):
            if seat in asked and not isinstance(command, Takeback) and _accepts(match, seat, command):
                del left[place]
                return seat, command
        return None

    def _any(self, match: AnyMatch, luck: Shuffler | None) -> Given | None:
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


def _given(match: AnyMatch) -> list[Given]:
    return [(event.seat, event.command) for event in match.events]


def _played(game: Any, header: Header, given: Iterable[Given]) -> AnyMatch:
    match: AnyMatch = Match(game, header)
    for seat, command in given:
        match.apply(seat, command)
    return match


def _cut(match: AnyMatch, events: int) -> AnyMatch:
    """Give the match as it stood after so many events, as a match that can go on."""
    return _played(match.game, match.header, _given(match)[:events])


def _choices(match: AnyMatch, deals: list[Given] | None = None) -> Iterator[Given]:
    """List what can be given now; of the table's commands only those given."""
    for seat in sorted(match.to_act - {TABLE}):
        for command in islice(match.game.legal(match.state, seat), MAX_CHOICES):
            yield seat, command
    if TABLE in match.to_act:
        yield from (each for each in deals or [] if _accepts(match, *each))


def _lists_all(match: AnyMatch) -> bool:
    """Tell whether `_choices` leaves out nothing that a seat could do."""
    game, state = match.game, match.state
    asked = match.to_act - {TABLE}
    return not any(
        game.open_ended(state, seat) or len(list(islice(game.legal(state, seat), MAX_CHOICES + 1))) > MAX_CHOICES
        for seat in asked
    )


def _accepts(match: AnyMatch, seat: Seat, command: Any) -> bool:
    try:
        match.game.apply(match.state, seat, command)
    except RuleViolation:
        return False
    return True


def _seed(luck: Shuffler) -> bytes:
    return bytes(luck.below(256) for _ in range(SEED_BYTES))


def _unusual(match: AnyMatch) -> dict[str, Any]:
    """Give the defaults of the options that are not as they are by default."""
    options = match.header.options
    usual = type(options)()
    names = wire_of(match.game).plain_options(options)
    return {name: getattr(usual, name) for name in names if getattr(options, name) != getattr(usual, name)}
