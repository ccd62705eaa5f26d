"""The match and its fold: the only place where states follow from commands, for play, replay, audit and bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, Generic, overload

from attrs import frozen

from .errors import GameError, KifuError, MatchError, Message, MissingExtra, NewerRules
from .exact import TESTS
from .game import (
    FORMAT_COMMANDS,
    TABLE,
    C,
    Event,
    FormatCommand,
    Game,
    Meta,
    Result,
    RulesChange,
    RuleViolation,
    S,
    Seat,
    Step,
    TableRule,
    Takeback,
    V,
)
from .header import SEED_BYTES, Header, check_meta
from .scene import Scene
from .shuffle import Shuffler
from .wire import wire_of

Entropy = Callable[[int], bytes]
"""Returns the given number of random bytes, as `os.urandom` does."""


class Fold(Generic[S, C]):
    """The fold: from state to state, command by command, by the rules, the seed and the commands of the log format.

    With `keep_states` False the earlier states are forgotten, so no takeback can be folded.
    """

    def __init__(self, game: Game[S, C, Any], header: Header, *, keep_states: bool = True) -> None:
        self.game = game
        self.seats = len(header.seats)
        self.seed = header.seed
        self.state: S = call_game(game, game.start, header.options, self.seats)
        self.seq = 0
        self.deals = 0
        self.states: list[S] | None = [self.state] if keep_states else None
        self.rules = header.rules
        """The rules version that the match is under now."""
        self.layout = header.layout
        """The layout of the states whose digests follow."""
        self._apply: Callable[[S, Seat, Any], S] = game.apply

    @property
    def is_refused(self) -> bool:
        """Whether the match could not go on under newer rules: then nothing follows, and it has no result."""
        return self._apply is _after_refusal

    def apply(self, seat: Seat, command: C | FormatCommand) -> S:
        """Fold one command in and return the new state; raises `RuleViolation`, and then nothing has changed."""
        if command.__class__ in FORMAT_COMMANDS:
            after = self._apply_format(seat, command)
        elif -1 <= seat < self.seats:
            try:
                after = self._apply(self.state, seat, command)
            except KifuError:
                raise
            except Exception as bug:
                raise self._bug(command, bug) from bug
            if seat == TABLE:
                self._check_deal(command)
                self.deals += 1
        else:
            why = Message("seats-to", "there are seats 0 to {last}", last=self.seats - 1)
            raise RuleViolation(TableRule.FORM, seat, why=why)
        self.state = after
        self.seq += 1
        if self.states is not None:
            self.states.append(after)
        return after

    def _bug(self, command: Any, bug: Exception) -> GameError:
        english = "its rules failed on {command}: {bug}"
        return GameError(self.game.name, Message("rules-failed", english, command=repr(command), bug=repr(bug)))

    def deal(self, entropy: Entropy | None = None) -> C:
        """Return the deal that the seed determines now; without a seed, a deal drawn from `entropy`.

        Raises `MatchError` without both.
        """
        if self.seed is not None:
            shuffler = Shuffler(self.seed, self.deals)
        elif entropy is not None:
            shuffler = Shuffler(entropy(SEED_BYTES))
        else:
            raise MatchError(Message("no-seed", "this match has no seed: the table's deal must be given"))
        deal: C = call_game(self.game, self.game.deal, self.state, shuffler)
        return deal

    def _check_deal(self, command: Any) -> None:
        if self.seed is not None and command != self.deal():
            raise RuleViolation(TableRule.SEED, TABLE, deal=self.deals)

    def _apply_format(self, seat: Seat, command: Any) -> S:
        """Return the state after a command of the log format."""
        if wrong := self._format_error(command):
            raise RuleViolation(TableRule.FORM, seat, why=wrong)
        if seat != TABLE:
            raise RuleViolation(TableRule.TURN, seat, asked=(TABLE,))
        if self.is_refused:
            _after_refusal()
        if command.__class__ is Takeback:
            return self._restore(command)
        if command.__class__ is not RulesChange:
            self._apply = _after_refusal
        elif command.to > self.game.rules:
            raise NewerRules(command.to, self.game.rules)
        else:
            self.rules, self.layout = command.to, command.layout
        return self.state

    def _format_error(self, command: Any) -> Message | None:
        """Return the message what is wrong with the fields of a command of the log format; None if nothing is."""
        if command.__class__ is Takeback:
            if not -1 <= command.to < self.seq:
                return Message("takeback-to", "`to` is -1 to {last}, not {to}", last=self.seq - 1, to=command.to)
        elif command.to < self.rules:
            return Message("rules-to", "`to` is {rules} or more, not {to}", rules=self.rules, to=command.to)
        elif command.__class__ is RulesChange:
            if command.layout < 1:
                return Message("layout-is", "`layout` is 1 or more, not {layout}", layout=command.layout)
        elif not 0 <= command.event < self.seq or not -1 <= (command.seat or 0) < self.seats:
            return Message("refused-is", "`event` and `seat` are not an event before it and a viewer")
        return None

    def _restore(self, command: Takeback) -> S:
        if self.states is None:
            raise MatchError(Message("no-states", "a fold that keeps no states cannot take back"))
        return self.states[command.to + 1]


def _after_refusal(*_: Any) -> Any:
    """Raise `MatchError`: the match could not go on under newer rules."""
    raise MatchError(Message("after-refusal", "it could not go on under newer rules: nothing can follow"))


def call_game(game: Game[Any, Any, Any], function: Any, *args: Any) -> Any:
    """Call a function of a game and return its value; raises `GameError` for any exception that is not kifu's."""
    try:
        return function(*args)
    except KifuError:
        raise
    except Exception as bug:
        raise GameError(
            game.name,
            Message(
                "function-failed",
                "{function} failed: {bug}",
                function=getattr(function, "__name__", function),
                bug=repr(bug),
            ),
        ) from bug


def _no_seat(given: object) -> Message:
    return Message("no-int-as-seat", "a seat is an int, not {given}", given=ascii(given)[:60])


def checked_seat(seat: int) -> Seat:
    """Return the number of a seat; raises `MatchError` for what is no int, though it may equal one."""
    if seat.__class__ is not int:
        raise MatchError(_no_seat(seat))
    return Seat(seat)


@frozen
class Position(Generic[S, C, V]):
    """A state of a game, and what follows from it."""

    game: Game[S, C, V]
    state: S

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats that are to act (`TABLE`: a deal); empty when the game is over."""
        return self.game.to_act(self.state)

    @property
    def result(self) -> Result | None:
        """The result; None while the game goes on."""
        return self.game.result(self.state)

    def legal(self, seat: int) -> list[C]:
        """Return the legal commands of the seat; empty if it is not to act. Raises `MatchError` for what is no int."""
        return list(self.game.legal(self.state, checked_seat(seat)))

    def view(self, viewer: int | None) -> V:
        """Return what this seat may look at (None: a spectator, -1: the table, everything).

        Raises `MatchError` for what is no int.
        """
        return self.game.view(self.state, None if viewer is None else checked_seat(viewer))

    def scene(self, viewer: int | None) -> Scene:
        """Return the view of this seat as zones of cards, for a renderer."""
        return self.game.scene(self.view(viewer))


class Steps(Sequence[Step[S, C]]):
    """The steps of a match in order, each made on access."""

    def __init__(self, game: Game[S, C, Any], events: list[Event[C]], states: list[S]) -> None:
        self._game, self._events, self._states = game, events, states

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
        return Step(self._events[place], self._states[place], self._states[place + 1], self._game)

    def __iter__(self) -> Iterator[Step[S, C]]:
        return (self[place] for place in range(len(self)))


class Match(Generic[S, C, V]):
    """A match: its header, its events, and all that follows from them."""

    def __init__(
        self,
        game: Game[S, C, V],
        header: Header,
        *,
        fold: Fold[S, C] | None = None,
        events: list[Event[C]] | None = None,
    ) -> None:
        """Begin a match; or continue one whose `events` this `fold` has folded, with its states kept."""
        self.game = game
        self.header = header
        self.events: list[Event[C]] = [] if events is None else events
        self.abandoned = False
        self.recorded: tuple[int, bytes] | None = None
        """The number of events read from a log and the log's chain after them; None if the match was not read."""
        self._fold: Fold[S, C] = fold or Fold(game, header)

    def __repr__(self) -> str:
        return f"<Match {self.header.match} of {self.game.name}, {len(self.events)} events>"

    @property
    def state(self) -> S:
        """The present state."""
        return self._fold.state

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
        return Steps(self.game, self.events, self._fold.states or [])

    @property
    def position(self) -> Position[S, C, V]:
        """The present position."""
        return Position(self.game, self.state)

    def at(self, seq: int) -> Position[S, C, V]:
        """Return the position after event `seq` (-1: the start); raises `MatchError` if there is no such event."""
        if seq.__class__ is not int or not -1 <= seq < len(self.events):
            raise MatchError(
                Message("no-event", "there is no event {seq}: the match has {count}", seq=seq, count=len(self.events))
            )
        return Position(self.game, self.states[seq + 1])

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats that are to act now; empty when the game is over."""
        return self.position.to_act

    @property
    def result(self) -> Result | None:
        """The result; None while the game goes on, and if it could not go on under newer rules."""
        return None if self._fold.is_refused else self.position.result

    def legal(self, seat: int) -> list[C]:
        """Return the legal commands of the seat now; empty if it is not to act."""
        return self.position.legal(seat)

    def view(self, viewer: int | None) -> V:
        """Return what this seat may look at now (None: a spectator, -1: the table, everything)."""
        return self.position.view(viewer)

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
        while (self._fold.seed is not None or entropy is not None) and TABLE in self.to_act:
            steps.append(self.apply(TABLE, self._fold.deal(entropy), meta))
        return steps

    def take_back(self, to: int, meta: Meta | None = None) -> Step[S, C]:
        """Restore the state after event `to` (-1: the start) and return the step.

        The takeback is itself an event; the events between stay.
        """
        return self.apply(TABLE, Takeback(to), meta)

    def abandon(self) -> None:
        """End the match now, without a result; a finished match stays finished."""
        self.abandoned = self.result is None

    def apply(self, seat: Seat, command: C | FormatCommand, meta: Meta | None = None) -> Step[S, C]:
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
        before = self.state
        after = self._fold.apply(seat, command)
        event: Event[C] = Event(len(self.events), seat, command, meta)
        self.events.append(event)
        return Step(event, before, after, self.game)

    def _as_read(self, seat: Seat, command: Any) -> Any:
        """Return the command as reading a log gives it; raises a violation of FORM if no log can hold it."""
        try:
            return wire_of(self.game).exact(command)
        except RuleViolation as refused:
            raise RuleViolation(refused.rule, seat, **refused.facts) from None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the match as a log, or in its JSON form if the name ends in `.json`; raises `LogError`."""
        from .log import save  # a higher layer: imported when called, so that `match.save(path)` can exist

        save(self, path)

    def _repr_html_(self) -> str | None:
        """Return the match as HTML to step through in a notebook; None without the extra `kifu[text]`."""
        try:
            from .page import notebook_html  # a higher layer, as for `save`
        except MissingExtra:
            return None
        return notebook_html(self)
