"""Commands, options and states as plain data: what msgpack and JSON can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from functools import cache, lru_cache, reduce
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs
from cattrs import BaseConverter, Converter
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

from ..errors import GameError, Message, OptionError
from ..game import AnyGame, RulesChange, RulesRefused, RuleViolation, TableRule, Takeback
from .exact import is_exact
from .option_text import is_typed, typed_value
from .packing import pack

TAKEBACK = ".takeback"
RULES = ".rules"
REFUSED = ".refused"
NUMBER_KEYS = "chestnuts"
"""The one map that has ints as keys in a log; any other map by numbers has their decimal digits there."""
FORMAT_TAGS: dict[Any, str] = {Takeback: TAKEBACK, RulesChange: RULES, RulesRefused: REFUSED}
"""The tags that belong to the log format, not to a game."""


class Wire:
    """The codec of one game: its commands and options, to and from plain data."""

    def __init__(self, game: AnyGame) -> None:
        self._tags: dict[Any, str] = {**game.wire, **FORMAT_TAGS}
        self._classes: dict[str, Any] = {tag: kind for kind, tag in self._tags.items()}
        self._make = {tag: _structure(kind) for tag, kind in self._classes.items()}
        self._fields = {kind: _unstructure(kind) for kind in self._tags}
        self._exact = {kind: is_exact(kind) for kind in self._tags}
        self._name = game.name
        self._options = game.options
        self._by_number = _maps_by_number(game.options)
        self._typed = {each.name: each for each in attrs.fields(attrs.resolve_types(game.options)) if is_typed(each)}

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

    def decode(self, tag: Any, fields: Any) -> Any:
        """Return the command; raises a violation of FORM for an unknown tag or fields that are not exactly its own."""
        try:
            make = self._make[tag]
        except (KeyError, TypeError):
            raise RuleViolation(
                TableRule.FORM, why=Message("no-command", "there is no command {tag}", tag=_short(tag))
            ) from None
        if fields.__class__ is not dict:
            raise RuleViolation(TableRule.FORM, tag=tag, why=Message("fields-no-map", "the fields are not a map"))
        try:
            return make(fields, None)
        except Exception:  # cattrs raises what the hooks raise, and its own kinds
            raise RuleViolation(TableRule.FORM, tag=tag, why=_reason(self._classes[tag], fields)) from None

    def exact(self, command: Any) -> Any:
        """Return the command as a log gives it: itself, if its fields are exactly of their types.

        Raises a violation of FORM for what is no command of the game, and for a field that a log cannot hold.
        """
        kind: Any = command.__class__
        test = self._exact.get(kind)
        if test is None:
            english = "{kind} is no command of {game}"
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
        known = {field.name for field in attrs.fields(self._options)}
        for name in values:
            if name not in known:
                raise OptionError(
                    str(name),
                    Message(
                        "none-of-this-name",
                        "there is none of this name; there are: {known}",
                        known=", ".join(sorted(known)),
                    ),
                )
        make = _structure(self._options)
        try:
            made = make(dict(values), None)
        except Exception:  # one of them: find out which
            for name, value in values.items():
                try:
                    make({name: value}, None)
                except Exception:
                    raise OptionError(name, _wrong(self._options, {name: value})[0][1]) from None
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
        """Return options read from JSON: decimal strings that are keys of a map as ints, and typed texts as values.

        A text stands for the value of an option that has no input of its own in a form (`option_text.is_typed`), as it
        is typed on the command line. What is no value stays as it is, to be refused by its name.
        """
        return {name: self._json_option(name, value) for name, value in values.items()}

    def _json_option(self, name: str, value: Any) -> Any:
        if name in self._by_number and isinstance(value, Mapping):
            return {_int_of(key): item for key, item in value.items()}
        if name in self._typed and isinstance(value, str):
            with suppress(ValueError, KeyError):
                return typed_value(value, self._typed[name])
        return value

    def plain_options(self, options: Any) -> dict[str, Any]:
        """Return every option with its value, defaults included."""
        kind: Any = type(options)
        return _unstructure(kind)(options)


def _maps_by_number(options: Any) -> frozenset[str]:
    """Return the names of the options that are maps with ints as keys."""
    fields = attrs.fields(attrs.resolve_types(options))
    maps = {field.name: get_args(field.type)[0] for field in fields if field.metadata.get("wire") == "map"}
    return frozenset(name for name, pair in maps.items() if _is_int_type(get_args(pair)[0]))


def _is_int_type(kind: Any) -> bool:
    """Return True for int, and for a `NewType` of it."""
    return getattr(kind, "__supertype__", kind) is int


def _int_of(key: Any) -> Any:
    """Return the int of which a text is the shortest decimal form; anything else as it is."""
    if isinstance(key, str) and _DECIMAL.fullmatch(key):
        return int(key)
    return key


_DECIMAL = re.compile(r"0|-?[1-9][0-9]{0,18}")


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


def plain(value: Any) -> Any:
    """Return a state, view or command as plain data for JSON: attrs objects as maps, bytes as hex digits."""
    kind: Any = type(value)
    if attrs.has(kind):
        return {name: plain(getattr(value, name)) for name in _names(kind)}
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return str(value)  # a `Message` is no plain text
    return value.hex() if isinstance(value, bytes) else value


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))


def _exactly(kind: type) -> Callable[[Any, Any], Any]:
    def structure(value: Any, _: Any) -> Any:
        if value.__class__ is not kind:
            raise TypeError(Message("not-a", "{value} is not {kind}", value=_short(value), kind=_A[kind]))
        return value

    return structure


_A = {
    int: Message("an-int", "an int"),
    bool: Message("a-bool", "a bool"),
    str: Message("a-text", "a text"),
    bytes: Message("bytes", "bytes"),
}


def _is_int_or_text(kind: Any) -> bool:
    """Return True for int | str, also where the int is a `NewType`."""
    kinds = get_args(kind)
    return get_origin(kind) in (Union, UnionType) and len(kinds) == 2 and str in kinds and any(map(_is_int_type, kinds))


def _int_or_text(value: Any, _: Any) -> int | str:
    if value.__class__ is int or value.__class__ is str:
        return value
    raise TypeError(Message("no-int-or-text", "{value} is not an int or a text", value=_short(value)))


def _tuple_hook(kind: Any, converter: BaseConverter) -> Callable[[Any, Any], Any]:
    args = get_args(kind)
    if len(args) == 2 and args[1] is Ellipsis:
        item = converter.get_structure_hook(args[0])
        of = args[0]

        def many(value: Any, _: Any) -> tuple[Any, ...]:
            if value.__class__ is not list and value.__class__ is not tuple:
                raise TypeError(Message("no-list", "{value} is not a list", value=_short(value)))
            return tuple([item(each, of) for each in value])

        return many
    items = [(converter.get_structure_hook(arg), arg) for arg in args]

    def exactly(value: Any, _: Any) -> tuple[Any, ...]:
        if (value.__class__ is not list and value.__class__ is not tuple) or len(value) != len(items):
            raise TypeError(
                Message("no-list-of", "{value} is not a list of {count}", value=_short(value), count=len(items))
            )
        return tuple([hook(each, arg) for each, (hook, arg) in zip(value, items, strict=True)])

    return exactly


def _is_literal(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _literal_hook(kind: Any) -> Callable[[Any, Any], Any]:
    return _one_of(get_args(kind))


def _one_of(choices: tuple[Any, ...]) -> Callable[[Any, Any], Any]:
    def one_of(value: Any, _: Any) -> Any:
        for choice in choices:
            if value.__class__ is choice.__class__ and value == choice:
                return choice
        raise TypeError(
            Message(
                "none-of", "{value} is not one of {choices}", value=_short(value), choices=", ".join(map(str, choices))
            )
        )

    return one_of


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _enum_hook(kind: Any) -> Callable[[Any, Any], Any]:
    written = _one_of(tuple([member.value for member in kind]))

    def member(value: Any, _: Any) -> Any:
        return value if value.__class__ is kind else kind(written(value, None))

    return member


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_new_type(kind: Any) -> bool:
    return hasattr(kind, "__supertype__")


def _new_type_hook(kind: Any, converter: BaseConverter) -> Callable[[Any, Any], Any]:
    return converter.get_structure_hook(kind.__supertype__)


def _map_hook(field: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    key_kind, value_kind = get_args(get_args(field.type)[0])
    key_hook, value_hook = converter.get_structure_hook(key_kind), converter.get_structure_hook(value_kind)
    read = _int_of if _has_digits(field) else lambda key: key

    def pairs(value: Any, _: Any) -> tuple[Any, ...]:
        if value.__class__ is tuple:
            value = dict(value)
        if value.__class__ is not dict:
            raise TypeError(Message("no-map", "{value} is not a map", value=_short(value)))
        made = [(key_hook(read(key), key_kind), value_hook(each, value_kind)) for key, each in value.items()]
        if len({key for key, _ in made}) < len(made):
            raise TypeError(Message("key-twice", "a map has a key twice"))
        return tuple(made)

    return pairs


def _converter(*, detailed: bool) -> Converter:
    converter = Converter(forbid_extra_keys=True, detailed_validation=detailed)
    for kind in (int, bool, str, bytes):
        converter.register_structure_hook(kind, _exactly(kind))
    converter.register_structure_hook_func(_is_int_or_text, _int_or_text)
    converter.register_structure_hook_factory(_is_literal, _literal_hook)
    converter.register_structure_hook_factory(_is_enum, _enum_hook)
    converter.register_structure_hook_factory(_is_tuple, _tuple_hook)
    converter.register_structure_hook_factory(_is_new_type, _new_type_hook)
    return converter


_quick = _converter(detailed=False)
_careful = _converter(detailed=True)


@cache
def _structure(kind: type, converter: Converter = _quick) -> Callable[[Any, Any], Any]:
    attrs.resolve_types(kind)
    overrides: dict[str, Any] = {
        field.name: override(struct_hook=_map_hook(field, converter))
        for field in attrs.fields(kind)
        if field.metadata.get("wire") == "map"
    }
    return make_dict_structure_fn(
        kind,
        converter,
        _cattrs_forbid_extra_keys=True,
        _cattrs_detailed_validation=converter is _careful,
        **overrides,
    )


@cache
def _unstructure(kind: type) -> Callable[[Any], dict[str, Any]]:
    names = _names(kind)
    makers = {field.name: make for field in _fields_of(kind) if (make := _unstructure_field(field)) is not None}
    if makers:
        return lambda value: {
            name: makers[name](getattr(value, name)) if name in makers else getattr(value, name) for name in names
        }
    return lambda value: {name: getattr(value, name) for name in names}


def _fields_of(kind: type) -> tuple[Any, ...]:
    fields: tuple[Any, ...] = attrs.fields(attrs.resolve_types(kind))
    return fields


def _unstructure_field(field: Any) -> Callable[[Any], Any] | None:
    """Return what makes the plain value of a field; None if its values are plain as they are."""
    written = _written if _holds_objects(field.type) else None
    if field.metadata.get("wire") != "map":
        return written
    if _has_digits(field):
        return lambda pairs: {str(_written(key)): _written(each) for key, each in pairs}
    return dict if written is None else lambda pairs: {_written(key): _written(each) for key, each in pairs}


def _has_digits(field: Any) -> bool:
    """Return True for a map by numbers that has their decimal digits as keys in a log, where keys are texts."""
    key = get_args(get_args(field.type)[0])[0]
    values = [member.value for member in key] if _is_enum(key) else get_args(key) if _is_literal(key) else []
    by_numbers = _is_int_type(key) or {type(value) for value in values} == {int}
    return field.name != NUMBER_KEYS and by_numbers


def _holds_objects(kind: Any) -> bool:
    """Return True if values of this type are, or hold, members of an enum or objects of attrs classes."""
    kind = getattr(kind, "__supertype__", kind)
    if get_origin(kind) is Literal:
        return False
    if _is_enum(kind) or (isinstance(kind, type) and attrs.has(kind)):
        return True
    return any(map(_holds_objects, get_args(kind)))


def _written(value: Any) -> Any:
    """Return a value of a field as a log has it: a member of an enum as its value, an object as a map."""
    if isinstance(value, Enum):
        return value.value
    if value.__class__ is tuple:
        return tuple([_written(each) for each in value])
    kind: Any = value.__class__
    return {name: _written(getattr(value, name)) for name in _names(kind)} if attrs.has(kind) else value


def _reason(kind: type, fields: dict[Any, Any]) -> str:
    """Return the message why these fields do not make the class."""
    wrong = [
        Message("of-field", "field {field}: {why}", field=repr(field), why=why) if field else why
        for field, why in _wrong(kind, fields)
    ]
    return reduce(lambda one, other: Message("one-and-other", "{one}; {other}", one=one, other=other), wrong)


def _wrong(kind: type, fields: dict[Any, Any]) -> list[tuple[str, str]]:
    """Return the fields that do not make the class, each with its message; "" is the class as a whole."""
    try:
        _structure(kind, _careful)(fields, None)
    except Exception as cause:
        return list(_within(cause))
    return [("", Message("does-not-fit", "it does not fit"))]


def _within(cause: BaseException, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of a field and its message for each of the errors that cattrs has grouped by field."""
    if not isinstance(cause, ClassValidationError):
        yield path, _message_of(cause)
        return
    noted, others = cause.group_exceptions()
    for each, note in noted:
        yield from _within(each, f"{path}.{note.name}" if path else note.name)
    for each in others:
        yield from _within(each, path)


def _message_of(cause: BaseException) -> str:
    if isinstance(cause, KeyError):
        return Message("it-is-missing", "it is missing")
    if isinstance(cause, ForbiddenExtraKeysError):
        names = ", ".join(sorted(map(_short, cause.extra_fields)))
        return Message("no-field", "there is no field {names}", names=names[:250])
    text = cause.args[0] if cause.args else ""
    return text if isinstance(text, Message) else str(cause)[:250]


_KIND_NAMES = {
    dict: Message("a-map", "a map"),
    list: Message("a-list", "a list"),
    tuple: Message("a-list", "a list"),
    bytes: Message("bytes", "bytes"),
    float: Message("a-float", "a float"),
}
_CONSTANTS = {None: "nil", True: "true", False: "false"}


def _short(value: Any) -> str:
    """Format an untrusted value in at most 60 characters, in the terms of the format, control characters escaped."""
    if value is None or value is True or value is False:
        return _CONSTANTS[value]
    if value.__class__ is int:
        return str(value) if value.bit_length() <= 64 else Message("a-giant-int", "a giant int")
    if value.__class__ is not str:
        return _KIND_NAMES.get(value.__class__) or str(value.__class__.__name__)[:60]
    text = ascii(value[:60])
    return text if len(text) <= 60 else text[:57] + "..."
