"""A seat's choice among its legal commands, made token by token."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Any

from ..errors import GameError, MatchError
from ..game import AnyGame, Seat
from ..match.legal import MAX_LEGAL
from .action_encoding import ActionEncoding
from .relative import RelativeEncoding

AnyEncoding = ActionEncoding | RelativeEncoding


def can_act(game: AnyGame, state: Any, seat: Seat) -> bool:
    """Return True if a seat has a legal command."""
    return next(iter(game.legal(state, seat)), None) is not None


@lru_cache(maxsize=4096)
def mask_of(actions: tuple[int, ...], count: int) -> bytes:
    """Return a byte for each of so many actions: 1 for these, else 0."""
    mask = bytearray(count)
    for action in actions:
        mask[action] = 1
    return bytes(mask)


class PartialCommand:
    """An incomplete command: the legal commands that begin with its tokens, and the actions that may come next.

    A token that all these commands share is skipped. Once one command remains, it is chosen. Only the first
    `random_play.MAX_LEGAL` legal commands can be chosen. Immutable: `after` returns the next one.
    """

    def __init__(self, encoding: AnyEncoding, commands: list[Any], tokens: tuple[int, ...] = ()) -> None:
        self.tokens = tokens
        """The actions so far."""
        self.command: Any | None = None
        """The command, once only one remains."""
        self.actions: tuple[int, ...] = ()
        """The actions that may come next, ascending; empty once the command is chosen."""
        self._encoding = encoding
        self._commands = commands
        self._encoded: dict[tuple[int, ...], Any] | None = None
        self._place = 1
        kinds = {*map(type, commands)}
        encoded = encoding.encode_all(commands) if len(kinds) == 1 else {}
        if encoded and (tokens or len(encoded) > 1):
            self._narrow(encoded)
        else:
            self.actions = tuple(sorted(map(encoding.tag, kinds)))

    @classmethod
    def of(cls, game: AnyGame, encoding: AnyEncoding, state: Any, seat: Seat) -> PartialCommand:
        """Return the choice of a seat before its first action; raises `GameError` if its commands are open-ended."""
        if game.open_ended(state, seat):
            raise GameError(game.name, "a seat has commands without number here, so its actions cannot be numbered")
        commands = list(islice(game.legal(state, seat), MAX_LEGAL))
        if not commands:
            raise GameError(game.name, f"seat {seat} is asked to act and has no legal command")
        return cls(encoding, commands)

    @property
    def mask(self) -> bytes:
        """A byte for each action of the game: 1 if it may come next, else 0."""
        return mask_of(self.actions, len(self._encoding))

    def after(self, action: int) -> PartialCommand:
        """Return the choice after one of `actions`; raises `MatchError` for any other."""
        if action not in self.actions:
            raise MatchError(f"there is no action {action} here; the mask allows {self._action_list()}")
        tokens = (*self.tokens, action)
        if self._encoded is None:
            of_kind = [each for each in self._commands if self._encoding.tag(type(each)) == action]
            return PartialCommand(self._encoding, of_kind, tokens)
        following, place = PartialCommand.__new__(PartialCommand), self._place
        following.tokens, following.command, following.actions = tokens, None, ()
        following._encoding, following._commands, following._place = self._encoding, self._commands, place
        following._narrow({each: command for each, command in self._encoded.items() if each[place] == action})
        return following

    def through(self, actions: Iterable[int]) -> PartialCommand:
        """Return the choice after these actions, one after the other."""
        choice = self
        for action in actions:
            choice = choice.after(action)
        return choice

    def _action_list(self) -> str:
        """Format the first eight of `actions`."""
        named = [f"{each} {self._encoding.label(each)!r}" for each in self.actions[:8]]
        return ", ".join(named) + (" …" if len(self.actions) > len(named) else "")

    def _narrow(self, encoded: dict[tuple[int, ...], Any]) -> None:
        """Keep these commands alone, and skip the tokens that all of them share."""
        self._encoded = encoded
        if len(encoded) == 1:
            (self.command,) = encoded.values()
            return
        place = self._place
        while len(actions := {*map(itemgetter(place), encoded)}) == 1:
            place += 1
        self._place, self.actions = place, tuple(sorted(actions))
