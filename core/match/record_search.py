"""The search for what a record does not tell, so that all that happened was legal.

It knows nothing of any game but `deal`, `legal` and `apply`. It takes the first deal that the record fits, and mends it
where the rules refuse what follows: two cards change places, or another command is assumed. Where there are few
possibilities it goes through all of them instead, and so knows when no deal at all allows the record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any

from attrs import frozen

from ..errors import Message
from ..game import TABLE, AnyGame, RuleViolation, Shuffler, TableRule
from ..wire import plain, wire_of
from .assumed import UNKNOWN, Place, leaves, replaced
from .fold import Fold
from .header import Header
from .legal import MAX_LEGAL
from .possible_deals import SEED, PossibleDeals, fits, out_of_turn

RIVALS = 100
"""The most legal commands that are looked at to see what stands in the way of one."""


@frozen
class Told:
    """An event as a record tells it; `fields` may hold `UNKNOWN`."""

    seat: int
    tag: str | None = None
    """None: nobody knows what it was."""
    fields: Any = UNKNOWN
    command: Any = None
    """The command, if nothing of it is unknown; the violation of FORM, if no log can hold it."""


@frozen
class Made:
    """An event that was folded: what is told of it, the command that was taken, and what else might be."""

    told: Told
    command: Any
    others: Iterator[Any]
    follows: int
    """The number of the event of the record that comes next."""


@frozen
class Refusal:
    """The event at which the fold came to its end, and why."""

    follows: int
    seq: int
    told: Told
    violation: RuleViolation


@frozen
class Change:
    """Another command for an event of which something is unknown: the lower rank and order, the more it promises."""

    rank: int
    order: int
    at: int
    command: Callable[[], Any]


class Search:
    """A fold of a record that can go back, to take other deals and commands for those that nobody knows."""

    def __init__(self, game: AnyGame, header: Header, told: Sequence[Told], tries: int) -> None:
        self.game, self.wire, self.told, self.tries = game, wire_of(game), told, tries
        self.fold = Fold(game, header)
        self.made: list[Made] = []
        self.tried = 0
        """The number of refusals so far."""
        self.is_all = True
        """Whether what is tried in turn is all that there is."""
        self.refusal: Refusal
        self.furthest: Refusal
        """The last refusal, and the one that came last in the record."""
        self.wishes: dict[int, Any] = {}
        """The commands to take first, by the number of the event."""
        self.namers: dict[Any, int] = {}
        """The seat that is the first to name a value."""
        for each in told:
            for _, value in leaves(each.fields):
                self.namers.setdefault(value, each.seat)
        self.looked_at: set[int] = set()
        """The refused events of the record for which everything was tried."""
        self.random = Shuffler(SEED)

    # Going on and back.

    def advance(self) -> bool:
        """Fold for as long as anything is told; return False where whatever is tried is refused."""
        while (event := self._next()) is not None:
            told, follows = event
            if not self._take(told, follows, self._candidates(told)):
                return False
        return True

    def go_back(self) -> bool:
        """Take the next possibility of the latest event that has one; return False if none has."""
        while self.made:
            last = self.made.pop()
            self.fold.back_to(len(self.made))
            if self._take(last.told, last.follows, last.others):
                return True
        return False

    def _next(self) -> tuple[Told, int] | None:
        """Return what is told of the next event; a deal that is due and not told is unknown."""
        follows = self.made[-1].follows if self.made else 0
        if follows == len(self.told):
            return None
        told = self.told[follows]
        if told.seat != TABLE and TABLE in self.game.to_act(self.fold.state):
            return Told(TABLE), follows
        return told, follows + 1

    def _take(self, told: Told, follows: int, candidates: Iterator[Any]) -> bool:
        """Fold the first of these commands that is legal."""
        for command in candidates:
            try:
                if isinstance(command, RuleViolation):
                    raise command
                self.fold.apply(told.seat, command)
            except RuleViolation as violation:
                self._refused(told, follows, violation)
                continue
            self.made.append(Made(told, command, candidates, follows))
            return True
        return False

    def _refused(self, told: Told, follows: int, violation: RuleViolation) -> None:
        self.tried += 1
        violation.seat = told.seat if violation.seat is None else violation.seat
        self.refusal = Refusal(follows, len(self.made), told, violation)
        if self.tried == 1 or follows > self.furthest.follows:
            self.furthest = self.refusal

    # What an event may have been.

    def _candidates(self, told: Told) -> Iterator[Any]:
        """Yield the commands that an event may have been; a violation in place of one that is none."""
        if told.command is not None:
            return iter((told.command,))
        found = self._deals(told) if told.seat == TABLE else self._commands(told, self.fold.state)
        wish = self.wishes.get(len(self.made))
        return found if wish is None else chain((wish,), found)

    def _commands(self, told: Told, state: Any) -> Iterator[Any]:
        """Yield the legal commands that fit what is told; where none does, one that shows which rule forbids it."""
        game, seat = self.game, told.seat
        if (refused := out_of_turn(game, state, seat)) is not None:
            yield refused
            return
        legal = list(islice(game.legal(state, seat), MAX_LEGAL + 1))
        if len(legal) > MAX_LEGAL or game.open_ended(state, seat):
            self.is_all = False
        written = [(command, *self.wire.encode(command)) for command in legal]
        if told.tag is not None:
            written = [each for each in written if each[1] == told.tag]
        fitting = [command for command, _, fields in written if fits(told.fields, fields)]
        yield from fitting or [self._forced(told, *each[1:]) for each in written[:1]]
        if not written:
            yield RuleViolation(TableRule.ORDER, seat, expected=" / ".join(dict.fromkeys(map(self.wire.tag, legal))))

    def _forced(self, told: Told, tag: str, fields: Any) -> Any:
        """Return a command of this tag with what is told in place of its own; a violation if there is none."""
        known = {place: value for place, value in leaves(told.fields) if value is not UNKNOWN}
        made = replaced(fields, known)
        try:
            if not fits(told.fields, made):
                english = "here a {tag} has other places: {fields}"
                why = Message("other-places", english, tag=repr(tag), fields=ascii(fields)[:200])
                raise RuleViolation(TableRule.FORM, told.seat, why=why)
            return self.wire.decode(tag, made)
        except RuleViolation as violation:
            return violation

    def _deals(self, told: Told) -> Iterator[Any]:
        """Yield deals that fit what is told: all arrangements, or where there are many some that are drawn."""
        deal = PossibleDeals(self.game, self.fold.state, told.tag, told.fields)
        if deal.refused is not None:
            yield deal.refused
            return
        arranged = deal.arrangements()
        if arranged is None:
            self.is_all = False
            arranged = deal.drawn()
        for fields in arranged:
            yield self._forced(told, deal.tag, fields)

    # Mending.

    def mend(self) -> bool:
        """Change one thing that nobody knows, so that the fold gets further than it did, or nearer to it.

        If nothing helps, one thing is changed at random: what is refused then is mended next. Returns False if nothing
        can be changed, or the tries are used up.
        """
        failed, made, states = self.refusal, list(self.made), list(self.fold.states or ())
        near, fewest = self._nearness(failed)
        changes = self._changes(failed, made, states[-1], states)
        best, looked_at = None, 0
        for looked_at, change in enumerate(changes):
            if looked_at and change.rank > changes[looked_at - 1].rank and (best or failed.follows in self.looked_at):
                break
            if self._change(change, made, states) or self.refusal.follows > failed.follows:
                return True
            if self.refusal.follows == failed.follows:
                nearer, count = self._nearness(self.refusal)
                if nearer > near:
                    return True
                fewest, best = (count, change) if count < fewest and nearer == near else (fewest, best)
            if self.tried > self.tries:
                return False
        self.looked_at.add(failed.follows)
        if changes:
            self._change(best or changes[self.random.below(looked_at or 1)], made, states)
        return bool(changes)

    def _change(self, change: Change, made: list[Made], states: list[Any]) -> bool:
        """Fold with another command at one event, and what was taken so far at the others; return whether it ends."""
        at, command = change.at, change.command()
        self.made, self.fold.states = made[:at], states[: at + 1]
        self.fold.back_to(at)
        self.wishes = {place: each.command for place, each in enumerate(made)}
        return self._take(made[at].told, made[at].follows, iter((command,))) and self.advance()

    def _changes(self, failed: Refusal, made: list[Made], state: Any, states: list[Any]) -> list[Change]:
        """List other commands for the events of which something is unknown.

        First come those that move what the refused command names, then what stands in its way, then all others. Of
        exchanges those come first that give a card to whoever is the first to name it: it may have held it all along.
        """
        named = set(self._values(failed.told.fields))
        near = {value for fields in self._rivals(failed, state) for value in self._values(fields)}
        near |= {value for value in failed.violation.facts.values() if isinstance(value, int | str)}
        holders = {value: seat for seat in range(self.fold.seats) for value in self._seen_alone(state, seat)}

        def rank(values: set[Any]) -> int:
            return 0 if values & named else 1 if values & near else 2

        def is_settled(value: Any, at: Any) -> bool:
            return self.namers.get(value) == holders.get(at)

        found = []
        for at in reversed([place for place, each in enumerate(made) if each.told.command is None]):
            told, fields = made[at].told, self.wire.encode(made[at].command)[1]
            others: Iterable[Any] = self._commands(told, states[at]) if told.seat != TABLE else ()
            if told.seat == TABLE:
                deal = PossibleDeals(self.game, states[at], told.tag, told.fields)
                for one, other, exchanged in deal.exchanges(fields):
                    gain = (
                        is_settled(one, other)
                        + is_settled(other, one)
                        - is_settled(one, one)
                        - is_settled(other, other)
                    )
                    command = partial(self._exchanged, told, deal.tag, fields, exchanged)
                    found.append(Change(rank({one, other}), -gain, at, command))
                others = (self._forced(told, deal.tag, each) for each in deal.drawn()) if deal.varies else ()
            known = rank(set(self._values(fields)))
            found += [Change(known, 0, at, partial(_same, each)) for each in others if each != made[at].command]
        return sorted(found, key=lambda change: (change.rank, change.order))

    def _exchanged(self, told: Told, tag: str, fields: Any, exchanged: dict[Place, Any]) -> Any:
        return self._forced(told, tag, replaced(fields, exchanged))

    def _nearness(self, failed: Refusal) -> tuple[int, int]:
        """Return how near a refused command is to a legal one, and how many others are legal in its place.

        It is the nearer, the more of the cards that it names are in a legal one, or are seen by its seat alone. Fewer
        others are legal where a seat that must follow suit holds fewer cards of it.
        """
        named = self._values(failed.told.fields)
        rivals = [self._values(fields) for fields in self._rivals(failed, self.fold.state)]
        near = max(((named & rival).total() for rival in rivals), default=0)
        if len(rivals) == RIVALS:
            near += (named & self._seen_alone(self.fold.state, failed.told.seat)).total()
        return near, len(rivals)

    def _rivals(self, failed: Refusal, state: Any) -> list[Any]:
        """List the fields of the first commands that are legal in place of one that is refused."""
        if out_of_turn(self.game, state, failed.told.seat) is not None:
            return []
        return [self.wire.encode(each)[1] for each in islice(self.game.legal(state, failed.told.seat), RIVALS)]

    def _seen_alone(self, state: Any, seat: int) -> Counter[Any]:
        """Count the values that a seat sees, and a spectator does not."""
        view = self.game.view
        return self._values(plain(view(state, seat))) - self._values(plain(view(state, None)))

    def _values(self, data: Any) -> Counter[Any]:
        """Count the known values within plain data."""
        return Counter(value for _, value in leaves(data) if value is not UNKNOWN)


def _same(command: Any) -> Any:
    return command
