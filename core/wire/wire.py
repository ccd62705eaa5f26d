"""Commands, options and states as plain data: what msgpack and JSON can hold; and packed as msgpack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from threading import local
from typing import Any, Final

import attrs
import msgpack

from ..errors import GameError, Message, OptionError
from ..game import (
    FROM_ABOVE,
    AnyGame,
    RedactedCommand,
    RulesChange,
    RulesRefused,
    RuleViolation,
    TableRule,
    Takeback,
    is_mapping,
    option_name,
)
from .conversion import field_names, reason_of, short_form, structurer, unstructurer, wrong_fields
from .exact import is_exact
from .option_text import typed_map, typed_value

TAKEBACK = ".takeback"
RULES = ".rules"
REFUSED = ".refused"
FORMAT_TAGS: dict[Any, str] = {Takeback: TAKEBACK, RulesChange: RULES, RulesRefused: REFUSED}
"""The tags that belong to the log format, not to a game."""
PLAIN = frozenset({int, str, bool, float, type(None)})
"""The types of what is plain as it is."""


class Wire:
    """The codec of one game: its commands and options, to and from plain data."""

    def __init__(self, game: AnyGame) -> None:
        self._tags: dict[Any, str] = {**game.wire, **FORMAT_TAGS}
        self._classes: dict[str, Any] = {tag: kind for kind, tag in self._tags.items()}
        self._make = {tag: structurer(kind) for tag, kind in self._classes.items()}
        self._fields = {kind: unstructurer(kind) for kind in self._tags}
        self._exact = {kind: is_exact(kind) for kind in self._tags}
        self._name = game.name
        self._options = game.options
        self.option_fields: Mapping[str, attrs.Attribute[Any]] = {
            option_name(field.name): field for field in attrs.fields(attrs.resolve_types(game.options))
        }
        """The field of every option, by the option's name."""

    @property
    def tags(self) -> Mapping[str, Any]:
        """The command class of every tag that a log of this game may have."""
        return self._classes

    def tag(self, command: Any) -> str:
        """Return the tag of a command."""
        return self._tags[type(command)]

    def encode(self, command: Any) -> tuple[str, dict[str, Any]]:
        """Return the tag of a command, and its fields by name, in the order of its class."""
        kind: Any = type(command)
        return self._tags[kind], self._fields[kind](command)

    def observed(self, command: Any) -> tuple[str, dict[str, Any]]:
        """Return the same of a command as a seat observed it: of a redacted one the fields that it saw."""
        return (command.tag, dict(command.fields)) if isinstance(command, RedactedCommand) else self.encode(command)

    def decode(self, tag: Any, fields: Any) -> Any:
        """Return the command; raises a violation of FORM for an unknown tag or fields that are not exactly its own."""
        try:
            make = self._make[tag]
        except (KeyError, TypeError):
            raise RuleViolation(
                TableRule.FORM, why=Message("no-command", "there is no command {tag}", tag=short_form(tag))
            ) from None
        if fields.__class__ is not dict:
            raise RuleViolation(TableRule.FORM, tag=tag, why=Message("fields-no-map", "the fields are not a map"))
        try:
            return make(fields, None)
        except Exception:  # cattrs raises what the hooks raise, and its own kinds
            raise RuleViolation(TableRule.FORM, tag=tag, why=reason_of(self._classes[tag], fields)) from None

    def exact(self, command: Any) -> Any:
        """Return the command as a log gives it: itself, if its fields are exactly of their types.

        Raises a violation of FORM for what is no command of the game, and for a field that a log cannot hold.
        """
        kind: Any = command.__class__
        test = self._exact.get(kind)
        if test is None:
            english = "{kind} is not a command of {game}"
            why = Message("no-command-of", english, kind=kind.__name__, game=self._name)
            raise RuleViolation(TableRule.FORM, why=why)
        if test(command):
            return command
        tag, fields = self.encode(command)
        made = self.decode(tag, fields)
        try:
            pack(list(fields.values()))
        except Exception:  # an int of more than 64 bits, half of a pair of surrogates
            why = Message("not-in-a-log", "no log can hold an int or a text of it")
            raise RuleViolation(TableRule.FORM, tag=tag, why=why) from None
        return made

    def options(self, values: Any) -> Any:
        """Return the game's options, with defaults for those absent; raises `OptionError` that names the option."""
        if not isinstance(values, Mapping):
            raise OptionError("options", Message("must-be-a-map", "must be a map"))
        known = self.option_fields
        for name in values:
            if name not in known:
                raise OptionError(
                    str(name),
                    Message(
                        "none-of-this-name",
                        "there is no such option; there are: {known}",
                        known=", ".join(sorted(known)),
                    ),
                )
        make = structurer(self._options)
        try:
            made = make({known[name].name: value for name, value in values.items()}, None)
        except Exception:  # one of them: find out which
            for name, value in values.items():
                try:
                    make({known[name].name: value}, None)
                except Exception:
                    raise OptionError(name, wrong_fields(self._options, {known[name].name: value})[0][1]) from None
            raise OptionError("options", Message("not-together", "they do not fit together")) from None
        self._check_options_fit(made)
        return made

    def _check_options_fit(self, made: Any) -> None:
        """Raise `OptionError` for an option that no log can hold: an int of over 64 bits, half of a surrogate pair."""
        for name, value in self.plain_options(made).items():
            try:
                pack([value])
            except Exception:  # msgpack raises kinds of its own
                english = "no log can hold such an int or text"
                raise OptionError(name, Message("option-not-in-a-log", english)) from None

    def json_options(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return options read from JSON or a command line: a text, also in a map, stands for the value it is typed as.

        What is no value stays as it is, to be refused by its name.
        """
        return {name: self._json_option(name, value) for name, value in values.items()}

    def _json_option(self, name: str, value: Any) -> Any:
        field: Any = self.option_fields.get(name)  # its metadata is no dict, as attrs says to a compiler
        if field is None or not isinstance(value, str | Mapping):
            return value
        if isinstance(value, str):
            return typed_value(value, field)
        return typed_map(value.items(), field) if is_mapping(field) else value

    def plain_options(self, options: Any) -> dict[str, Any]:
        """Return every option with its value, defaults included."""
        kind: Any = type(options)
        return {option_name(name): value for name, value in unstructurer(kind)(options).items()}


@lru_cache(maxsize=64)
def wire_of(game: AnyGame) -> Wire:
    """Return the codec of a game, made once; raises `GameError` if a command has a field of an unsupported type."""
    try:
        return Wire(game)
    except GameError:
        raise
    except Exception as cause:
        raise GameError(
            game.name, Message("not-on-the-wire", "its commands cannot be put on the wire: {cause}", cause=cause)
        ) from cause


def to_json(game: AnyGame, command: Any) -> dict[str, Any]:
    """Return a command as `Game.to_json` does."""
    wire = wire_of(game)
    tag, fields = wire.encode(wire.exact(command))
    return {"tag": tag, "fields": plain(fields)}


def from_json(game: AnyGame, data: Any) -> Any:
    """Return a command as `Game.from_json` does."""
    if not isinstance(data, dict) or data.keys() != {"tag", "fields"}:
        why = Message("no-command-data", "a command is a map of 'tag' and 'fields'")
        raise RuleViolation(TableRule.FORM, why=why)
    wire = wire_of(game)
    command = wire.exact(wire.decode(data["tag"], data["fields"]))
    if command.__class__ not in game.wire:
        why = Message("no-command", "there is no command {tag}", tag=short_form(data["tag"]))
        raise RuleViolation(TableRule.FORM, why=why)
    return command


FROM_ABOVE.update(to_json=to_json, from_json=from_json)


def plain(value: Any) -> Any:
    """Return a state, view or command as plain data for JSON: attrs objects as maps, bytes as hex digits."""
    kind: Any = type(value)
    if kind in PLAIN:
        return value
    if attrs.has(kind):
        return {option_name(name): plain(getattr(value, name)) for name in field_names(kind)}
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Mapping):
        return {str(key): item if type(item) in PLAIN else plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [item if type(item) in PLAIN else plain(item) for item in value]
    if isinstance(value, str):
        return str(value)  # a `Message` is no plain text
    return value.hex() if isinstance(value, bytes) else value


Flatten = Callable[[Any], Any]
"""Makes of an object the array, text or number that stands for it; what is inside is left to msgpack."""


def pack(value: Any) -> bytes:
    """Pack a value as msgpack: an attrs object as the array of its fields in order, an enum as its value.

    A set, as views have them, is the array of its members in the order of their packed bytes.
    """
    try:
        packer = _of_thread.packer
    except AttributeError:
        packer = _of_thread.packer = msgpack.Packer(default=_called_back, autoreset=True)
    return packer.pack(value)  # type: ignore[no-any-return]


def _called_back(value: Any) -> Any:
    """Return what msgpack can pack instead of a value that it cannot.

    To flatten a whole state before it is packed takes no less: its lists are all made first, and lie apart in memory.
    """
    try:
        flatten = _of_class[value.__class__]
    except KeyError:
        flatten = _of_class[value.__class__] = _flatten_of(value.__class__)
    return flatten(value)


def _flatten_of(kind: Any) -> Flatten:
    """Return what flattens the objects of a class; raises `TypeError` for one that nothing stands for."""
    if attrs.has(kind):
        names = [field.name for field in attrs.fields(kind)]
        return attrgetter(*names) if len(names) > 1 else lambda value: [getattr(value, name) for name in names]
    if issubclass(kind, Enum):
        return attrgetter("value")
    if issubclass(kind, (set, frozenset)):
        return _members
    raise TypeError(f"no field of a state, view or command can be {kind.__name__}")


def _members(value: Any) -> list[Any]:
    """Return the members of a set in the order of their packed bytes."""
    return sorted(value, key=_bytes) if len(value) > 1 else list(value)


def _bytes(value: Any) -> bytes:
    """Pack a value inside another, for which the thread's packer cannot be used again."""
    return msgpack.packb(value, default=_called_back)  # type: ignore[no-any-return]


_of_class: Final[dict[Any, Flatten]] = {}

_of_thread: Final = local()
"""Holds one packer per thread: a packer calls back into Python, where another thread may run."""
