"""The only place that folds: live play, replay, audit and bots all go through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, Generic, overload

from attrs import frozen

from .errors import GameError, KifuError, MatchError, Message, MissingExtra
from .game import TABLE, C, Event, Game, Meta, Result, RuleViolation, S, Seat, Step, TableRule, Takeback, V
from .header import SEED_BYTES, Header
from .scene import Scene
from .shuffle import Shuffler

Entropy = Callable[[int], bytes]
"""Returns so many random bytes."""


class Fold(Generic[S, C]):
    """From state to state, command by command, as the rules, the seed and takebacks have it.

    With `keep` false the earlier states are forgotten, so no takeback can be folded.
    """

    def __init__(self, game: Game[S, C, Any], header: Header, *, keep_states: bool = True) -> None:
        self.game = game
        self.seats = len(header.seats)
        self.seed = header.seed
        self.state: S = call_game(game, game.start, header.options, self.seats)
        self.seq = 0
        self.deals = 0
        self.states: list[S] | None = [self.state] if keep_states else None
        self._apply = game.apply

    def apply(self, seat: Seat, command: C | Takeback) -> S:
        """Fold one command in and return the new state; or raise `RuleViolation`, and nothing has changed."""
        state = self.state
        if command.__class__ is Takeback:
            after = self._restored(seat, command)
        else:
            if seat >= self.seats or seat < -1:
                raise RuleViolation(
                    TableRule.FORM, seat, why=Message("seats-to", "there are seats 0 to {last}", last=self.seats - 1)
                )
            try:
                after = self._apply(state, seat, command)  # type: ignore[arg-type]
            except KifuError:
                raise
            except Exception as bug:
                raise GameError(
                    self.game.name,
                    Message(
                        "rules-failed", "its rules failed on {command}: {bug}", command=repr(command), bug=repr(bug)
                    ),
                ) from bug
            if seat == TABLE:
                self._check_deal(command)
                self.deals += 1
        self.state = after
        self.seq += 1
        if self.states is not None:
            self.states.append(after)
        return after

    def deal(self, entropy: Entropy | None = None) -> C:
        """Return the deal that the seed gives now, or where there is none a deal drawn from `entropy`.

        Raises `MatchError` where there is neither.
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

    def _restored(self, seat: Seat, command: Takeback) -> S:
        if not -1 <= command.to < self.seq:
            raise RuleViolation(
                TableRule.FORM,
                seat,
                why=Message("takeback-to", "`to` is -1 to {last}, not {to}", last=self.seq - 1, to=command.to),
            )
        if seat != TABLE:
            raise RuleViolation(TableRule.TURN, seat, asked=(TABLE,))
        if self.states is None:
            raise MatchError(Message("no-states", "a fold that keeps no states cannot take back"))
        return self.states[command.to + 1]


def call_game(game: Game[Any, Any, Any], function: Any, *args: Any) -> Any:
    """Call a function of a game; what it raises by mistake is a `GameError`."""
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


@frozen
class Position(Generic[S, C, V]):
    """A state of a game, and what can be asked of it."""

    game: Game[S, C, V]
    state: S

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats that are asked to act (`TABLE`: a deal); empty when the game is over."""
        return self.game.to_act(self.state)

    @property
    def result(self) -> Result | None:
        return self.game.result(self.state)

    def legal(self, seat: int) -> list[C]:
        """List the commands that the seat may give now."""
        return list(self.game.legal(self.state, Seat(seat)))

    def view(self, viewer: int | None) -> V:
        """Show what this seat may look at now (None: a spectator, -1: the table, everything)."""
        return self.game.view(self.state, None if viewer is None else Seat(viewer))

    def scene(self, viewer: int | None) -> Scene:
        """Lay out what this seat sees, for a renderer."""
        return self.game.scene(self.view(viewer))


class Steps(Sequence[Step[S, C]]):
    """The steps of a match in order, made as they are asked for."""

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
    """A match: its header, its events, and everything that follows from them."""

    def __init__(
        self,
        game: Game[S, C, V],
        header: Header,
        *,
        fold: Fold[S, C] | None = None,
        events: list[Event[C]] | None = None,
    ) -> None:
        """Begin a match; or go on with one whose `events` this `fold` has folded and kept."""
        self.game = game
        self.header = header
        self.events: list[Event[C]] = [] if events is None else events
        self.abandoned = False
        self._fold: Fold[S, C] = fold or Fold(game, header)

    def __repr__(self) -> str:
        return f"<Match {self.header.match} of {self.game.name}, {len(self.events)} events>"

    @property
    def state(self) -> S:
        return self._fold.state

    @property
    def states(self) -> Sequence[S]:
        """The state at the start, then the one after each event."""
        return self._fold.states or ()

    @property
    def steps(self) -> Steps[S, C]:
        return Steps(self.game, self.events, self._fold.states or [])

    @property
    def position(self) -> Position[S, C, V]:
        """The match as it stands now."""
        return Position(self.game, self.state)

    def at(self, seq: int) -> Position[S, C, V]:
        """Give the match as it stood after event `seq` (-1: at the start); raises `MatchError` if there is none."""
        if not -1 <= seq < len(self.events):
            raise MatchError(
                Message("no-event", "there is no event {seq}: the match has {count}", seq=seq, count=len(self.events))
            )
        return Position(self.game, self.states[seq + 1])

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats that are asked to act; empty when the game is over."""
        return self.position.to_act

    @property
    def result(self) -> Result | None:
        return self.position.result

    def legal(self, seat: int) -> list[C]:
        """List the commands that the seat may give now."""
        return self.position.legal(seat)

    def view(self, viewer: int | None) -> V:
        """Show what this seat may look at now (None: a spectator, -1: the table, everything)."""
        return self.position.view(viewer)

    def scene(self, viewer: int | None) -> Scene:
        """Lay out what this seat sees now, for a renderer."""
        return self.position.scene(viewer)

    def play(self, seat: int, command: C, meta: Meta | None = None) -> Step[S, C]:
        """Let the seat give the command; then the table deals from the seed, if a deal is due.

        Raises `RuleViolation` if a rule forbids it, and then nothing has changed.
        """
        step = self.apply(Seat(seat), command, meta)
        self.deal()
        return step

    def deal(self, meta: Meta | None = None, entropy: Entropy | None = None) -> list[Step[S, C]]:
        """Let the table deal for as long as it is to act, from the seed, or where there is none from `entropy`.

        Without either, do nothing. `entropy` returns so many random bytes, as `os.urandom` does.
        """
        steps: list[Step[S, C]] = []
        while (self._fold.seed is not None or entropy is not None) and TABLE in self.to_act:
            steps.append(self.apply(TABLE, self._fold.deal(entropy), meta))
        return steps

    def take_back(self, to: int, meta: Meta | None = None) -> Step[S, C]:
        """Restore the state after event `to` (-1: the start): itself an event, and the events between stay."""
        return self.apply(TABLE, Takeback(to), meta)

    def abandon(self) -> None:
        """End the match here, without a result."""
        self.abandoned = self.result is None

    def apply(self, seat: Seat, command: C | Takeback, meta: Meta | None = None) -> Step[S, C]:
        """Fold one command in and nothing else: no deal follows of itself."""
        if self.abandoned:
            raise MatchError(Message("was-abandoned", "the match was abandoned: nothing can follow"))
        before = self.state
        after = self._fold.apply(seat, command)
        event: Event[C] = Event(len(self.events), seat, command, meta)
        self.events.append(event)
        return Step(event, before, after, self.game)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the match as a log, or in JSON where the name ends in `.json`; raises `LogError` if it cannot be."""
        from .log import save  # a room above: asked for here only, so that `match.save(path)` reads as it should

        save(self, path)

    def _repr_html_(self) -> str | None:
        """Show the match in a notebook, to be stepped through; None where the extra for its words is missing."""
        try:
            from .page import notebook_html  # a room above, as for `save`
        except MissingExtra:
            return None
        return notebook_html(self)
