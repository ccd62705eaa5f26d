"""Commands that nobody gave, tried after each step: what is accepted, by which rule the others are refused, and why.

A recorded match has only what was legal, so a rule that is gone does not show in it. The commands come from the log
alone, drawn by its chain, so every engine tries the same: what the seat plays later, often of the kind that is due;
what another seat plays; and a command changed in one field, often to what another command has there.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import attrs

from ..errors import Message
from ..game import FORMAT_COMMANDS, AnyGame, Event, RuleViolation
from ..match.fold import call_game
from ..wire import wire_of
from .facets import fields_of, short_digest

Command = tuple[int, Any]
"""A seat, or the table, and its command."""

NEAR = 24
"""A command is drawn from so many events that follow."""

ACCEPTED = ""
"""Stands for the rule where a command is accepted."""


class Trials:
    """The commands to try in a match, by the number of the event after which they are tried (-1: the start)."""

    def __init__(self, game: AnyGame, events: Sequence[Event[Any]], seats: int, chain: bytes) -> None:
        self._exact = wire_of(game).exact
        self._events = [each for each in events if not isinstance(each.command, FORMAT_COMMANDS)]
        self._places = {each.seq: place for place, each in enumerate(self._events)}
        self._alike: dict[type, list[Any]] = {}
        for each in self._events:
            self._alike.setdefault(type(each.command), []).append(each.command)
        self._seats, self._chain = seats, chain

    def after(self, seq: int) -> list[Command]:
        """Return the commands to try after an event."""
        if not self._events:
            return []
        luck = blake2b(seq.to_bytes(8, "big", signed=True), digest_size=16, key=self._chain).digest()
        place = self._places.get(seq + 1, len(self._events) - 1)
        due = self._events[place]
        near = self._events[place + 1 : place + 1 + NEAR] or self._events
        if luck[6] & 2:
            near = [each for each in near if each.command.__class__ is due.command.__class__] or near
        own = [each for each in near if each.seat == due.seat] or near
        other = self._events[(luck[0] << 8 | luck[1]) % len(self._events)]
        seat = due.seat if luck[2] & 1 else luck[3] % self._seats
        drawn = [(due.seat, own[luck[4] % len(own)].command), (seat, other.command)]
        changed = self._changed(own[luck[5] % len(own)].command if luck[6] & 1 else due.command, luck[7:])
        return [*drawn, *([] if changed is None else [(due.seat, changed)])]

    def _changed(self, command: Any, luck: bytes) -> Any:
        """Return the command with another value in one field; None if it has none, or it would be no command."""
        names, values = fields_of(command)
        if not names or not attrs.has(type(command)):
            return None
        name, value = (each[luck[0] % len(names)] for each in (names, values))
        try:
            if luck[1] & 1 or value.__class__ not in (int, bool, tuple):
                alike = self._alike[type(command)]
                other = getattr(alike[(luck[2] << 8 | luck[3]) % len(alike)], name)
            else:
                other = _other(value, luck[2:])
            return self._exact(attrs.evolve(command, **{name: other}))
        except Exception:  # no command of the game: there are texts deep inside, or what it holds does not go together
            return None


def _other(value: Any, luck: bytes) -> Any:
    if value.__class__ is bool:
        return not value
    if value.__class__ is int:
        return value + 1 if luck[0] & 1 else value - 1
    if not value:
        return value
    place = luck[1] % len(value)
    kept = value[:place] + value[place + 1 :]
    if luck[0] % 3 == 0:
        return kept
    if luck[0] % 3 == 1:
        return (*kept, value[place])
    return (*value[:place], _other(value[place], luck[2:]) if luck[2:] else value[place], *value[place + 1 :])


def outcomes(game: AnyGame, state: Any, commands: Sequence[Command]) -> list[Any]:
    """Return for each command the rule that refuses it, then a digest of all facts, and how many the seats cannot know.

    Raises `GameError` where the game fails.
    """
    found = verdicts(game, state, commands)
    facts = [unworded(each) for _, each in found if each]
    unknown = sum(_unknown(game, state, *given, told) for given, (_, told) in zip(commands, found, strict=True) if told)
    return [*(rule for rule, _ in found), short_digest(repr(facts).encode()) if facts else 0, unknown]


def verdicts(game: AnyGame, state: Any, commands: Sequence[Command]) -> list[tuple[str, dict[str, Any]]]:
    """Return for each command the rule that refuses it and the facts; raises `GameError` where the game fails."""
    found: list[tuple[str, dict[str, Any]]] = []
    for seat, command in commands:
        try:
            call_game(game, game.apply, state, seat, command)
            found.append((ACCEPTED, {}))
        except RuleViolation as violation:
            found.append((violation.rule.number, violation.facts))
    return found


def unworded(facts: dict[str, Any]) -> list[Any]:
    """Return facts as they are compared: of a message, whose words may change, the key and the values."""
    return [
        (name, (value.key, {**value.values}) if isinstance(value, Message) else value) for name, value in facts.items()
    ]


def _unknown(game: AnyGame, state: Any, seat: int, command: Any, facts: dict[str, Any]) -> int:
    """Return how many of the numbers among the facts stand neither in the seat's view nor in its command."""
    numbers = [each for each in _leaves(tuple(facts.values())) if each.__class__ is int]
    if not numbers:
        return 0
    known = {*_leaves(call_game(game, game.view, state, seat)), *_leaves(command)}
    return sum(each not in known for each in numbers)


def _leaves(value: Any) -> list[Any]:
    if value.__class__ in (tuple, list, frozenset, set):
        return [leaf for each in value for leaf in _leaves(each)]
    if attrs.has(value.__class__):
        return _leaves(fields_of(value)[1])
    try:
        hash(value)
    except TypeError:
        return []
    return [value]
