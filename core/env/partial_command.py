"""A seat's choice among its legal commands, made sign by sign."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from ..errors import GameError, MatchError
from ..game import Game, Seat
from ..random_play import MAX_LEGAL
from .action_encoding import ActionEncoding
from .relative import RelativeEncoding

AnyEncoding = ActionEncoding | RelativeEncoding


def can_act(game: Game[Any, Any, Any], state: Any, seat: Seat) -> bool:
    """Tell whether a seat has a legal command."""
    return next(iter(game.legal(state, seat)), None) is not None


class PartialCommand:
    """A command that is being spelled: the legal ones that still fit, and the actions that go on with one of them.

    Where all that fit have the same sign, nobody is asked for it, and once only one fits, it is the command. Of a
    legal list longer than `ENOUGH` only the beginning can be chosen from. A choice does not change: `after` gives the
    next one.
    """

    def __init__(self, encoding: AnyEncoding, commands: list[Any], said: tuple[int, ...] = ()) -> None:
        self.said = said
        """The actions so far."""
        self.command: Any | None = None
        """The command, once it is clear which."""
        self.actions: tuple[int, ...] = ()
        """The actions that may come next, ascending; none after the last."""
        self._encoding = encoding
        self._commands = commands
        self._encoded: dict[tuple[int, ...], Any] | None = None
        self._at = 1
        kinds = {encoding.tag(kind) for kind in map(type, commands)}
        encoded = {encoding.encode(command): command for command in commands} if len(kinds) == 1 else {}
        if encoded and (said or len(encoded) > 1):
            self._narrow(encoded)
        else:
            self.actions = tuple(sorted(kinds))

    @classmethod
    def of(cls, game: Game[Any, Any, Any], encoding: AnyEncoding, state: Any, seat: Seat) -> PartialCommand:
        """Begin the choice of a seat that is asked to act; raises `GameError` where its commands are without number."""
        if game.open_ended(state, seat):
            raise GameError(game.name, "a seat has commands without number here, so its actions cannot be numbered")
        commands = list(islice(game.legal(state, seat), MAX_LEGAL))
        if not commands:
            raise GameError(game.name, f"seat {seat} is asked to act and has no legal command")
        return cls(encoding, commands)

    def after(self, action: int) -> PartialCommand:
        """Give the choice after one of `actions`; raises `MatchError` for any other."""
        if action not in self.actions:
            raise MatchError(f"there is no action {action} here; the mask allows {self._offered()}")
        said = (*self.said, action)
        if self._encoded is None:
            of_kind = [each for each in self._commands if self._encoding.tag(type(each)) == action]
            return PartialCommand(self._encoding, of_kind, said)
        following = PartialCommand.__new__(PartialCommand)
        following.__dict__.update(self.__dict__, said=said, actions=())
        following._narrow({each: self._encoded[each] for each in self._encoded if each[self._at] == action})
        return following

    def through(self, actions: Iterable[int]) -> PartialCommand:
        """Give the choice after these actions, one after the other."""
        choice = self
        for action in actions:
            choice = choice.after(action)
        return choice

    def _offered(self) -> str:
        """Name the first few of `actions`."""
        named = [f"{each} {self._encoding.label(each)!r}" for each in self.actions[:8]]
        return ", ".join(named) + (" …" if len(self.actions) > len(named) else "")

    def _narrow(self, encoded: dict[tuple[int, ...], Any]) -> None:
        """Keep these, and pass over the signs that all of them have in common."""
        self._encoded = encoded
        if len(encoded) == 1:
            (self.command,) = encoded.values()
            return
        first, last = min(encoded), max(encoded)
        while first[self._at] == last[self._at]:
            self._at += 1
        self.actions = tuple(sorted({each[self._at] for each in encoded}))
