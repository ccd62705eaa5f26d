"""The match: its header, its events, and all that follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from os import PathLike
from typing import Any, Generic, overload

from attrs import frozen

from ..errors import GameError, MatchError, Message
from ..game import (
    FROM_ABOVE,
    NOBODY,
    TABLE,
    C,
    Event,
    FormatCommand,
    Game,
    Meta,
    Note,
    Result,
    RulesChange,
    RuleViolation,
    S,
    Scene,
    Seat,
    Shuffler,
    Step,
    TableRule,
    Takeback,
    V,
    is_deal,
    timeline,
)
from ..wire import wire_of
from ..wire.exact import TESTS, check_meta
from .fold import Entropy, Fold
from .header import SEED_BYTES, Header
from .legal import LegalCommands

MOST_DEALS = 10_000
"""A table that deals so often in a row would never ask a seat."""


def _no_seat(given: object) -> Message:
    return Message("no-int-as-seat", "a seat is an int, not {given}", given=ascii(given)[:60])


def checked_seat(seat: int, seats: int | None = None) -> int:
    """Return the number of a seat; raises `MatchError` for what is no int, though it may equal one.

    With `seats`, the number of seats, it also raises for a number that is neither one of them nor `TABLE`.
    """
    if seat.__class__ is not int:
        raise MatchError(_no_seat(seat))
    if seats is not None and not TABLE <= seat < seats:
        raise MatchError(Message("no-such-seat", "a seat is 0 to {last}, not {given}", last=seats - 1, given=seat))
    return Seat(seat)


def checked_viewer(viewer: int | None, seats: int | None = None) -> int | None:
    """Return the number of a seat that looks, or None for a spectator; raises `MatchError` for anything else."""
    if viewer == TABLE and viewer.__class__ is int:
        english = "a viewer is a seat, or None; `everything()` is what the table sees"
        raise MatchError(Message("no-viewer", english))
    return None if viewer is None else checked_seat(viewer, seats)


@frozen
class Position(Generic[S, C, V]):
    """A state of a game, and what follows from it."""

    game: Game[S, C, V]
    state: S
    seats: int | None = None
    """How many seats the match has; None where only a state is known, and then any number is taken as a seat."""

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that are to act (`TABLE`: a deal); empty when the game is over."""
        return self.game.to_act(self.state)

    @property
    def result(self) -> Result | None:
        """The result; None while the game goes on."""
        return self.game.result(self.state)

    def legal(self, seat: int) -> LegalCommands[C]:
        """Return the legal commands of the seat; empty if it is not to act. Raises `MatchError` for no seat of it.

        They are counted, sliced, drawn from and looked in without being made: there may be millions.
        """
        return LegalCommands(self.game, self.state, checked_seat(seat, self.seats))

    def view(self, viewer: int | None) -> V:
        """Return what this seat may look at (None: a spectator); raises `MatchError` for no seat of the match."""
        return self.game.view(self.state, checked_viewer(viewer, self.seats))

    def everything(self) -> V:
        """Return the view of the table, which sees all that is hidden: nothing for a player's eyes."""
        return self.game.view(self.state, TABLE)

    def scene(self, viewer: int | None) -> Scene:
        """Return the view of this seat as zones of cards, for a renderer."""
        return self.game.scene(self.view(viewer))


def seen_from(position: Position[Any, Any, V], viewer: int | None) -> V:
    """Return the view of a seat, of a spectator (None), or of the table: for programs that are told who looks."""
    return position.everything() if viewer == TABLE else position.view(viewer)


class Steps(Sequence[Step[S, C]]):
    """The steps of a match in order, each made on access."""

    def __init__(
        self,
        game: Game[S, C, Any],
        events: list[Event[C]],
        states: list[S],
        seats: int | None = None,
    ) -> None:
        self._game, self._events, self._states, self._seats = game, events, states, seats

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, index: int) -> Step[S, C]: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step[S, C]]: ...
    def __getitem__(self, index: int | slice) -> Step[S, C] | list[Step[S, C]]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        return Step(self._events[place], self._states[place], self._states[place + 1], self._game, self._seats)

    def __iter__(self) -> Iterator[Step[S, C]]:
        game, states, seats = self._game, self._states, self._seats
        for event, before, after in zip(islice(self._events, len(self)), states, islice(states, 1, None), strict=False):
            yield Step(event, before, after, game, seats)


class Match(Generic[S, C, V]):
    """A match: its header, its events, and all that follows from them."""

    def __init__(
        self,
        game: Game[S, C, V],
        header: Header,
        *,
        fold: Fold | None = None,
        events: list[Event[C]] | None = None,
    ) -> None:
        """Begin a match; or continue one whose `events` this `fold` has folded, with its states kept."""
        self.game = game
        self.header = header
        self.events: list[Event[C]] = [] if events is None else events
        self.abandoned = False
        self.recorded: tuple[int, bytes] | None = None
        """The number of events read from a log and the log's chain after them; None if the match was not read."""
        self._fold = fold or Fold(game, header)
        self._origins: list[int] = []

    def __repr__(self) -> str:
        return f"<Match {self.header.match} of {self.game.name}, {len(self.events)} events>"

    @property
    def state(self) -> S:
        """The present state."""
        state: S = self._fold.state
        return state

    @property
    def states(self) -> Sequence[S]:
        """The state at the start, then the state after each event."""
        return self._fold.states or ()

    @property
    def rules(self) -> int:
        """The rules version that the match is under now: its header's, or that of the last `RulesChange`."""
        return self._fold.rules

    @property
    def layout(self) -> int:
        """The layout of the states whose digests follow in its log."""
        return self._fold.layout

    @property
    def steps(self) -> Steps[S, C]:
        """The steps, one for each event: the event with the states before and after it."""
        return Steps(self.game, self.events, self._fold.states or [], len(self.header.seats))

    def notes(self, seq: int, viewer: int | None) -> tuple[Note, ...]:
        """Return the notes of a step that a viewer may still read: momentary ones only until somebody acts again.

        Of a match that has ended, and as the table, one may read all.
        """
        notes = self.steps[seq].notes_for(viewer)
        if self._next_look(seq, viewer) is None:
            return notes
        return tuple([note for note in notes if not note.momentary])

    def shown(self, seq: int, viewer: int | None) -> S:
        """Return the state after an event (-1: the start) as a viewer may still look at it.

        Where it showed something for a moment that is over, it is the state after the act that ended this moment.
        """
        later = self._next_look(seq, viewer)
        return self.states[(seq if later is None else later) + 1]

    def _next_look(self, seq: int, viewer: int | None) -> int | None:
        """Return the event that ended what an event showed to a viewer for a moment; None if nothing is over."""
        if seq < 0 or viewer == TABLE or self.end is not None or (act := self.next_act(seq)) is None:
            return None
        return act if self._is_look(self.origins[seq], viewer) else None

    def _is_look(self, seq: int, viewer: int | None) -> bool:
        return seq >= 0 and any(note.momentary for note in self.steps[seq].notes_for(viewer))

    @property
    def looked_again(self) -> tuple[int, ...]:
        """The seats that a takeback has shown once more what only they may look at, and only once."""
        back = {self.origins[event.seq] for event in self.events if isinstance(event.command, Takeback)}
        looks = [seq for seq in back if not self._is_look(seq, None)]
        seats = map(Seat, range(len(self.header.seats)))
        return tuple([seat for seat in seats if any(self._is_look(seq, seat) for seq in looks)])

    def next_act(self, seq: int) -> int | None:
        """Return the first event after `seq` that is neither a deal nor a change of the rules, or None."""
        return next((later for later in range(seq + 1, len(self.events)) if _is_act(self.events[later])), None)

    @property
    def effective(self) -> list[Event[C]]:
        """The events that led to the present state, in order: deals and commands that no takeback has undone."""
        return timeline.effective(self.events)

    @property
    def origins(self) -> Sequence[int]:
        """Per event the number of the game event after which the state was the same; -1 is the start."""
        return timeline.origins(self.events, self._origins)

    @property
    def position(self) -> Position[S, C, V]:
        """The present position."""
        return Position(self.game, self.state, len(self.header.seats))

    def at(self, seq: int) -> Position[S, C, V]:
        """Return the position after event `seq` (-1: the start); raises `MatchError` if there is no such event."""
        if seq.__class__ is not int or not -1 <= seq < len(self.events):
            raise MatchError(
                Message("no-event", "there is no event {seq}: the match has {count}", seq=seq, count=len(self.events))
            )
        return Position(self.game, self.states[seq + 1], len(self.header.seats))

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that are to act now; empty when the game is over or the match was abandoned."""
        return NOBODY if self.abandoned else self.game.to_act(self._fold.state)

    @property
    def result(self) -> Result | None:
        """The result; None while the game goes on, and if it could not go on under newer rules."""
        return None if self._fold.is_refused else self.game.result(self._fold.state)

    @property
    def end(self) -> str | None:
        """How the match ended: `over` with a result, else `abandoned`; None while it goes on."""
        return "over" if self.result is not None else "abandoned" if self.abandoned else None

    def legal(self, seat: int) -> LegalCommands[C]:
        """Return the legal commands of the seat now; empty if it is not to act."""
        legal = self.position.legal(seat)
        return legal.none() if self.abandoned else legal

    def view(self, viewer: int | None) -> V:
        """Return what this seat may look at now (None: a spectator)."""
        return self.position.view(viewer)

    def everything(self) -> V:
        """Return the view of the table, which sees all that is hidden: nothing for a player's eyes."""
        return self.position.everything()

    def scene(self, viewer: int | None) -> Scene:
        """Return the present view of this seat as zones of cards, for a renderer."""
        return self.position.scene(viewer)

    def play(self, seat: int, command: C, meta: Meta | None = None) -> Step[S, C]:
        """Apply the seat's command and return its step; if a deal is due, the table then deals from the seed.

        Raises `RuleViolation` if a rule forbids the command, and then nothing has changed.
        """
        step = self.apply(Seat(seat), command, meta)
        self.deal()
        return step

    def deal(self, meta: Meta | None = None, entropy: Entropy | None = None) -> list[Step[S, C]]:
        """Deal for as long as the table is to act, and return the steps.

        The deals come from the seed, or without one from `entropy`. Without both, nothing is dealt.
        """
        steps: list[Step[S, C]] = []
        if self._fold.seed is None and entropy is None:
            if not self.game.has_deal and TABLE in self.game.to_act(self._fold.state):
                self.game.deal(self._fold.state, Shuffler(bytes(SEED_BYTES)))  # says that it has none
            return steps
        while TABLE in self.game.to_act(self._fold.state):
            if len(steps) == MOST_DEALS:
                english = "the table has dealt {count} times in a row, and must deal again: no seat is ever to act"
                raise GameError(self.game.name, Message("deals-for-ever", english, count=MOST_DEALS))
            steps.append(self.apply(TABLE, self._fold.deal(entropy), meta))
        return steps

    def take_back(self, to: int, meta: Meta | None = None) -> Step[S, C]:
        """Restore the state after event `to` (-1: the start) and return the step.

        The takeback is itself an event; the events between stay.
        """
        return self.apply(TABLE, Takeback(to), meta)

    def undo(self, seat: int, meta: Meta | None = None) -> Step[S, C]:
        """Take the seat's last effective command back, with all that followed it; return the step of the takeback.

        The next call takes back the command before that one. Raises `MatchError` if no command of the seat is left.
        """
        return self.take_back(before_last_command(self, checked_seat(seat, len(self.header.seats))), meta)

    def abandon(self) -> None:
        """End the match now, without a result; a finished match stays finished."""
        self.abandoned = self.result is None

    def apply(self, seat: int, command: C | FormatCommand, meta: Meta | None = None) -> Step[S, C]:
        """Apply one command and return its step; unlike `play`, no deal follows.

        Raises `RuleViolation` if a rule forbids the command, or a log could not hold it or its seat; `MatchError` if
        the match was abandoned, or a log could not hold `meta`.
        """
        if self.abandoned:
            raise MatchError(Message("was-abandoned", "the match was abandoned: nothing can follow"))
        if seat.__class__ is not int:
            raise RuleViolation(TableRule.FORM, why=_no_seat(seat))
        test = TESTS.get(command.__class__)
        if test is None or not test(command) or command.__class__ not in self.game.wire:
            command = self._as_read(seat, command)
        if meta is not None:
            check_meta(meta)
        before: S = self._fold.state
        after: S = self._fold.apply(seat, command)
        event: Event[C] = Event(len(self.events), seat, command, meta)
        self.events.append(event)
        return Step(event, before, after, self.game, len(self.header.seats))

    def _as_read(self, seat: int, command: Any) -> Any:
        """Return the command as reading a log gives it; raises a violation of FORM if no log can hold it."""
        try:
            return wire_of(self.game).exact(command)
        except RuleViolation as refused:
            raise RuleViolation(refused.rule, seat, **refused.facts) from None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the match as a log, or in its JSON form if the name ends in `.json`; raises `LogError`."""
        FROM_ABOVE["save"](self, path)


def _is_act(event: Event[Any]) -> bool:
    return not is_deal(event) and not isinstance(event.command, RulesChange)


def before_last_command(match: AnyMatch, seat: int) -> int:
    """Return the event to go back to, so that the seat's last effective command is undone (-1: the start).

    Raises `MatchError` if no command of the seat is left.
    """
    to = timeline.before_last_of(match.events, seat)
    if to is None or seat == TABLE:
        raise MatchError(Message("nothing-to-undo", "no command of seat {seat} is left to undo", seat=seat))
    return to


AnyMatch = Match[Any, Any, Any]
AnyPosition = Position[Any, Any, Any]


def plain_result(result: Result | None) -> dict[str, list[int] | None]:
    """Return a result as plain data: its `points` and `winners`, each None without a result."""
    if result is None:
        return {"points": None, "winners": None}
    return {"points": list(result.points), "winners": [*result.winners]}
