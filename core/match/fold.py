"""The fold: the only place where states follow from commands, for play, replay, audit and bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..errors import GameError, GameFailed, KifuError, MatchError, Message, NewerRules, raised_at
from ..game import (
    FORMAT_COMMANDS,
    TABLE,
    AnyGame,
    RulesChange,
    RuleViolation,
    Shuffler,
    TableRule,
    Takeback,
)
from .header import SEED_BYTES, Header

Entropy = Callable[[int], bytes]
"""Returns the given number of random bytes, as `os.urandom` does."""

_FORMAT_COMMANDS: Final = frozenset(FORMAT_COMMANDS)

BUGS: Final = (Exception, SystemExit)
"""What a game's code may raise: it may even try to end the program."""


class Fold:
    """The fold: from state to state, command by command, by the rules, the seed and the commands of the log format.

    With `keep_states` False the earlier states are forgotten, so no takeback can be folded.
    """

    def __init__(self, game: AnyGame, header: Header, *, keep_states: bool = True) -> None:
        self.game = game
        self._header = header
        self.seats = len(header.seats)
        self.seed = header.seed
        self.state: Any = call_game(game, game.start, header.options, self.seats)
        self.seq = 0
        self.deals = 0
        self.states: list[Any] | None = [self.state] if keep_states else None
        self.rules = header.rules
        """The rules version that the match is under now."""
        self.layout = header.layout
        """The layout of the states whose digests follow."""
        self.is_refused = False
        """Whether the match could not go on under newer rules: then nothing follows, and it has no result."""
        self._dealt: tuple[Any, int, Any] | None = None
        """The last deal that was made of the seed, behind the state and the number that it was made for."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, to be copied or pickled: a compiled class does not know by itself."""
        held = self.is_refused, self.state, self.seq, self.deals, self.states, self.rules, self.layout
        return _made_again, (self.game, self._header, *held)

    def apply(self, seat: int, command: Any) -> Any:
        """Fold one command in and return the new state; raises `RuleViolation`, and then nothing has changed."""
        if type(command) in _FORMAT_COMMANDS:
            after = self._apply_format(seat, command)
        elif -1 <= seat < self.seats:
            if self.is_refused:
                raise _after_refusal()
            try:
                after = self.game.apply(self.state, seat, command)
            except KifuError:
                raise
            except BUGS as bug:
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

    def back_to(self, seq: int) -> None:
        """Forget all events from this one on; only a fold without a seed that keeps its states can."""
        if self.states is not None:
            del self.states[seq + 1 :]
            self.state, self.seq = self.states[seq], seq

    def _bug(self, command: Any, bug: BaseException) -> GameError:
        english = "its rules failed on {command}: {bug}{at}"
        tag = self.game.wire.get(type(command), type(command).__name__)  # its fields may be secret
        return GameFailed(
            self.game.name, Message("rules-failed", english, command=repr(tag), bug=repr(bug), at=raised_at(bug)[0])
        )

    def deal(self, entropy: Entropy | None = None) -> Any:
        """Return the deal that the seed determines now; without a seed, a deal drawn from `entropy`.

        Raises `MatchError` without both.
        """
        if self.seed is not None:
            shuffler = Shuffler(self.seed, self.deals)
        elif entropy is not None:
            shuffler = Shuffler(entropy(SEED_BYTES))
        else:
            raise MatchError(Message("no-seed", "this match has no seed: give the table's deal"))
        command = call_game(self.game, self.game.deal, self.state, shuffler)
        self._dealt = self.state, self.deals, command
        return command

    def _check_deal(self, command: Any) -> None:
        if self.seed is None:
            return
        made = self._dealt
        is_own = made is not None and made[2] is command and made[1] == self.deals and made[0] is self.state
        if not is_own and command != self.deal():
            raise RuleViolation(TableRule.SEED, TABLE, deal=self.deals)

    def _apply_format(self, seat: int, command: Any) -> Any:
        """Return the state after a command of the log format."""
        if wrong := self._format_error(command):
            raise RuleViolation(TableRule.FORM, seat, why=wrong)
        if seat != TABLE:
            raise RuleViolation(TableRule.TURN, seat, asked=(TABLE,))
        if self.is_refused:
            raise _after_refusal()
        if command.__class__ is Takeback:
            return self._restore(command)
        if command.__class__ is not RulesChange:
            self.is_refused = True
        elif command.to > self.game.version:
            raise NewerRules(command.to, self.game.version)
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

    def _restore(self, command: Takeback) -> Any:
        if self.states is None:
            raise MatchError(Message("no-states", "a fold that keeps no states cannot take back"))
        return self.states[command.to + 1]


def _made_again(game: AnyGame, header: Header, *held: Any) -> Fold:
    """Return a fold that holds what another did."""
    fold = Fold(game, header)
    fold.is_refused, fold.state, fold.seq, fold.deals, fold.states, fold.rules, fold.layout = held
    return fold


def _after_refusal() -> MatchError:
    return MatchError(Message("after-refusal", "it could not go on under newer rules: nothing can follow"))


def call_game(game: AnyGame, function: Any, *args: Any) -> Any:
    """Call a function of a game and return its value; raises `GameError` for any of `BUGS` that is not kifu's."""
    try:
        return function(*args)
    except KifuError:
        raise
    except BUGS as bug:
        raise failed(game, function, bug) from bug


def failed(game: AnyGame, function: Any, bug: BaseException) -> GameFailed:
    """Return the error of a game whose function has raised this."""
    name = getattr(function, "__name__", function)
    why = Message("function-failed", "{function} failed: {bug}{at}", function=name, bug=repr(bug), at=raised_at(bug)[0])
    return GameFailed(game.name, why)
