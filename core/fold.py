"""The fold: the only place where states follow from commands, for play, replay, audit and bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from .errors import GameError, KifuError, MatchError, Message
from .game import TABLE, C, Game, RuleViolation, S, Seat, TableRule, Takeback
from .header import SEED_BYTES, Header
from .shuffle import Shuffler

Entropy = Callable[[int], bytes]
"""Returns the given number of random bytes, as `os.urandom` does."""


class Fold(Generic[S, C]):
    """The fold: from state to state, command by command, by the rules, the seed and takebacks.

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
        self._apply: Callable[[S, Seat, Any], S] = game.apply

    def apply(self, seat: Seat, command: C | Takeback) -> S:
        """Fold one command in and return the new state; raises `RuleViolation`, and then nothing has changed."""
        if command.__class__ is Takeback:
            after = self._restore(seat, command)
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

    def _restore(self, seat: Seat, command: Takeback) -> S:
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
