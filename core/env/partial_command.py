"""A seat's choice among its legal commands, made token by token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import GameError, MatchError
from ..game import AnyGame
from ..match.legal import first_by_kind
from .action_encoding import ActionEncoding


def can_act(game: AnyGame, state: Any, seat: int) -> bool:
    """Return True if a seat has a legal command."""
    return next(iter(game.legal(state, seat)), None) is not None


class PartialCommand:
    """An incomplete command: the legal commands that begin with its tokens, and the actions that may come next.

    A token that all these commands share is skipped. Once one command remains, it is chosen. Only the first
    `legal.MAX_LEGAL` legal commands can be chosen. Immutable: `after` returns the next one.
    """

    __slots__ = ("_encoding", "_mask", "_next", "command", "tokens")

    def __init__(self, encoding: ActionEncoding, kinds: Sequence[Sequence[Any]], tokens: tuple[int, ...] = ()) -> None:
        """Begin a choice among commands, those of a class together."""
        self.tokens = tokens
        """The actions so far."""
        self.command: Any | None = None
        """The command, once only one remains."""
        self._encoding, self._mask = encoding, b""
        self._next: Mapping[int, Sequence[Any]] = {}
        """The commands that each action that may come next leads to."""
        if len(kinds) == 1 and (tokens or len(kinds[0]) > 1):
            self._next = _by_next_action(encoding, kinds[0])
            self.command = None if self._next else kinds[0][0]
        else:
            self._next = {encoding.tag(type(next(iter(commands)))): commands for commands in kinds}

    @classmethod
    def of(cls, game: AnyGame, encoding: ActionEncoding, state: Any, seat: int) -> PartialCommand:
        """Return the choice of a seat before its first action; raises `GameError` if its commands are open-ended."""
        if game.open_ended(state, seat):
            raise GameError(game.name, "a seat has commands without number here, so its actions cannot be numbered")
        kinds = first_by_kind(game, state, seat)
        if not kinds:
            raise GameError(game.name, f"seat {seat} is asked to act and has no legal command")
        return cls(encoding, kinds)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions that may come next, ascending; empty once the command is chosen."""
        return tuple(sorted(self._next))

    def mask(self) -> bytes:
        """Return a byte for each action of the game: 1 if it may come next, else 0."""
        if not self._mask:
            mask = bytearray(len(self._encoding))
            for action in self._next:
                mask[action] = 1
            self._mask = bytes(mask)
        return self._mask

    def after(self, action: int) -> PartialCommand:
        """Return the choice after one of `actions`; raises `MatchError` for any other."""
        try:
            chosen = self._next[action]
        except KeyError:
            raise MatchError(f"there is no action {action} here; the mask allows {self._action_list()}") from None
        return PartialCommand(self._encoding, [chosen], (*self.tokens, action))

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


def _by_next_action(encoding: ActionEncoding, commands: Sequence[Any]) -> dict[int, list[Any]]:
    """Return the commands of a class by their action at the first place where they differ; {} if they do nowhere."""
    encoded = [(encoding.encode(command), command) for command in commands]
    for place in range(1, min(len(actions) for actions, _ in encoded)):
        following: dict[int, list[Any]] = {}
        for actions, command in encoded:
            following.setdefault(actions[place], []).append(command)
        if len(following) > 1:
            return following
    return {}
