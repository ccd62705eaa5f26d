"""What is checked when a game is created: each refusal names the class, the field and the fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from ..errors import GameError, Message
from .annotations import takes
from .declarations import TAG, is_declared
from .marks import Mark, mark_of
from .protocols import PART_FUNCTIONS
from .shapes import row_of, types_of, without_none

PLAIN = (int, str, bool, bytes, NoneType)


def refuse(game: str, key: str, english: str, **values: Any) -> GameError:
    """Return the error of a game that is stated wrongly."""
    return GameError(game, Message(key, english, **values))


def check_classes(game: str, state: type, commands: dict[str, type], options: type) -> None:
    """Raise `GameError` for a class that is not declared as it must be, or a field of a type that no log can hold."""
    for kind, name in ((state, "state"), (options, "options"), *((each, "command") for each in commands.values())):
        if not attrs.has(kind):
            english = "class {kind} is not immutable data: declare it with `@{decorator}`"
            decorator = 'command("tag")' if name == "command" else name
            raise refuse(game, "not-declared", english, kind=kind.__name__, decorator=decorator)
        if not hasattr(kind, "__dict__") or "__slots__" in vars(kind):
            english = "class {kind} has slots, so it cannot be evolved: declare it with `@{decorator}`"
            raise refuse(game, "has-slots", english, kind=kind.__name__, decorator=name)
        check_types(game, kind, in_logs=name != "state")
    for each in attrs.fields(options):
        if each.default is attrs.NOTHING:
            english = "{kind}.{field} has no default: every option needs one"
            raise refuse(game, "no-default", english, kind=options.__name__, field=each.name)


def check_types(game: str, kind: type, *, in_logs: bool = False) -> None:
    """Raise `GameError` for a field of a type that is not immutable, or, if it stands in logs, that none can hold."""
    try:
        types = types_of(kind)
    except Exception as cause:  # whatever a stranger's annotation raises
        english = "the annotations of {kind} cannot be read: {cause}; define the class at the top of its module"
        raise refuse(game, "no-types", english, kind=kind.__name__, cause=cause) from None
    for each in attrs.fields(kind):
        if not each.init:
            english = "{kind}.{field} has `init=False`: make it a property, or a field like the others"
            raise refuse(game, "init-false", english, kind=kind.__name__, field=each.name)
        wrong = next(_wrong_in(types[each.name], (kind,)), None)
        if wrong is None and in_logs:
            wrong = next(_unread_in(types[each.name]), None)
        if wrong is not None:
            english = "{kind}.{field} holds {wrong}: {fix}"
            raise refuse(game, "wrong-type", english, kind=kind.__name__, field=each.name, wrong=wrong[0], fix=wrong[1])


def _wrong_in(kind: Any, around: tuple[type, ...]) -> Iterator[tuple[str, Message]]:
    """Yield what no log can hold of a type: its name, and what to use in its place."""
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    origin = get_origin(kind)
    if kind in PLAIN or origin is Literal or (isinstance(kind, type) and issubclass(kind, Enum)):
        return
    if origin in (tuple, Union, UnionType):
        for each in get_args(kind):
            if each is not Ellipsis:
                yield from _wrong_in(each, around)
        return
    if isinstance(kind, type) and attrs.has(kind) and origin is None:
        if kind in around:
            yield f"itself ({kind.__name__})", _NO_SELF
            return
        for name, typed in ((each.name, types_of(kind)[each.name]) for each in attrs.fields(kind)):
            for wrong, fix in _wrong_in(typed, (*around, kind)):
                yield f"{wrong} (in {kind.__name__}.{name})", fix
        return
    yield _name(kind), _FIXES.get(origin or kind, _PLAIN)


def _unread_in(kind: Any) -> Iterator[tuple[str, Message]]:
    """Yield what cannot be told from other values as it is read from a log: its name, and what to use in its place."""
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    origin, inner = get_origin(kind), get_args(kind)
    if kind in (bytes, NoneType):
        yield _name(kind), _PLAIN
    elif origin in (Union, UnionType):
        others = [each for each in inner if each is not NoneType]
        is_number_or_text = len(inner) == len(others) == 2 and str in others and bool not in others
        if (
            len(others) > 1
            and not all(map(attrs.has, others))
            and not (is_number_or_text and int in map(_bare, others))
        ):
            yield str(kind), Message("use-one", "use one type, or one and None, or `int | str`")
        for each in others:
            yield from _unread_in(each)
    elif origin is tuple:
        for each in inner:
            if each is not Ellipsis:
                yield from _unread_in(each)
    elif origin is None and attrs.has(kind):
        for name, typed in types_of(kind).items():
            for wrong, fix in _unread_in(typed):
                yield f"{wrong} (in {kind.__name__}.{name})", fix


def _bare(kind: Any) -> Any:
    return getattr(kind, "__supertype__", kind)


_NO_SELF = Message("use-no-self", "a class cannot be made of itself; use a tuple of plain values")
_PLAIN = Message("use-plain", "use tuples, ints, texts, bools, None, enums, or classes of these")
_FIXES: dict[Any, Message] = {
    float: Message("use-int", "use an int, in the smallest unit there is"),
    list: Message("use-tuple", "use `tuple[…, ...]`, which cannot change"),
    dict: Message("use-pairs", "use a tuple of pairs"),
    set: Message("use-ascending", "use a tuple in ascending order"),
    Any: Message("use-type", "give its type"),
}


def _name(kind: Any) -> str:
    return getattr(kind, "__name__", None) or str(kind)


def check_marks(game: str, state: type, commands: Iterable[type], *, needs_marks: bool) -> None:
    """Raise `GameError` for a field without a mark in a game that has secrets, and for a mark that does not fit."""
    commands = list(commands)
    kinds = [state, *commands]
    if not needs_marks and not any(mark_of(each) for kind in kinds for each in attrs.fields(kind)):
        return
    for kind in kinds:
        types = types_of(kind)
        for each in attrs.fields(kind):
            mark = mark_of(each)
            if mark is None and not (kind is state and each.name == "options"):
                english = "{kind}.{field} has no mark: say who sees it, `public()`, {marks} or `seen_by(…)`"
                marks = "`own()`, `nobody()`" if kind is state else "`secret()`"
                raise refuse(game, "no-mark", english, kind=kind.__name__, field=each.name, marks=marks)
            _check_nested(game, kind, each.name, types[each.name], commands)
            if mark is not None:
                _check_mark(game, kind, each.name, mark, types[each.name], is_command=kind is not state)


def _check_nested(game: str, kind: type, field: str, typed: Any, commands: list[type]) -> None:
    """Raise `GameError` for marks in a class of which a field's value is made: nobody would look at them there."""
    for inner in _classes_in(typed):
        marked = [each.name for each in attrs.fields(inner) if mark_of(each) is not None]
        if marked and inner not in commands:
            english = "{kind}.{field} holds {inner}, whose {marked} has a mark: only fields of the state have one"
            values = {"kind": kind.__name__, "field": field, "inner": inner.__name__, "marked": marked[0]}
            raise refuse(game, "nested-mark", english, **values)


def _classes_in(typed: Any) -> Iterator[Any]:
    """Yield the classes of attrs of which values of a type are made, and those inside them."""
    if isinstance(typed, type) and attrs.has(typed):
        yield typed
        for inner in types_of(typed).values():
            yield from _classes_in(inner)
    for each in get_args(typed):
        yield from _classes_in(each)


def _check_mark(game: str, kind: type, field: str, mark: Mark, typed: Any, *, is_command: bool) -> None:
    if mark.sees == "owner" and row_of(typed) is None:
        english = "{kind}.{field} is marked `own()`, but has no rows: make it `tuple[…, ...]`, or mark it otherwise"
        raise refuse(game, "own-no-row", english, kind=kind.__name__, field=field)
    if mark.sees == "told":
        english = "{kind}.{field} is marked `told(…)`, which is for views: mark it `public()`"
        raise refuse(game, "told-in-state", english, kind=kind.__name__, field=field)
    row = row_of(typed)
    if (
        mark.sees == "some"
        and mark.sizes is None
        and row is not None
        and without_none(row) is not None
        and not is_command
    ):
        english = '{kind}.{field} may hide items that may be missing: give `sizes`, the name for which lie there, or ""'
        raise refuse(game, "sizes-of-gaps", english, kind=kind.__name__, field=field)
    if mark.by is not None and not takes(mark.by, 2):
        english = "{kind}.{field} is `seen_by` a function that does not take two arguments, the state and the viewer"
        raise refuse(game, "seen-by-what", english, kind=kind.__name__, field=field)


def check_parts(game: str, **parts: Any) -> None:
    """Raise `GameError` for a part without a function that it must have, or with one that takes other arguments."""
    for part, given in parts.items():
        if given is None:
            continue
        for name, count in PART_FUNCTIONS[part].items():
            function = getattr(given, name, None)
            if function is None:
                if part == "rules" and name in ("start", "to_act", "apply", "legal", "result"):
                    english = "its {part} have no function `{name}`: write it"
                    raise refuse(game, "no-such-function", english, part=part, name=name)
                continue
            if not callable(function):
                english = "`{name}` is a function, not {given}; leave out what the game does not need"
                raise refuse(game, "no-function", english, name=name, given=ascii(function)[:60])
            if not takes(function, count):
                english = "`{name}` takes {count} arguments: {given} takes others"
                raise refuse(game, "other-arguments", english, name=name, count=count, given=_name(function))


def check_commands(game: str, commands: Iterable[type]) -> dict[str, type]:
    """Return the commands by their tags; raises `GameError` for one without a tag, and for a tag that comes twice."""
    by_tag: dict[str, type] = {}
    for kind in commands:
        if not is_declared(kind, "command") or TAG not in vars(kind):
            english = '{kind} is not a command: declare it with `@command("tag")`'
            raise refuse(game, "no-tag", english, kind=_name(kind))
        tag = vars(kind)[TAG]
        if not isinstance(tag, str) or not tag or tag.startswith("."):
            english = "the tag of {kind} is {tag}: a tag is a text, and does not begin with a dot"
            raise refuse(game, "tag-is", english, kind=kind.__name__, tag=repr(tag))
        if tag in by_tag:
            english = "the tag {tag} names {one} and {other}: tags are unique"
            raise refuse(game, "tag-twice", english, tag=repr(tag), one=by_tag[tag].__name__, other=kind.__name__)
        by_tag[tag] = kind
    if not by_tag:
        raise refuse(game, "no-commands", 'it has no commands: declare each with `@command("tag")`')
    return by_tag


def check_frame(game: str, seats: Any, extras: Any) -> None:
    """Raise `GameError` for numbers of seats that are no range, or extras that are no tuple."""
    if not isinstance(seats, range) or not seats or min(seats) < 1:
        english = "`seats` is {given}: give the numbers of seats as a range, such as `range(2, 5)` for 2 to 4"
        raise refuse(game, "seats-range", english, given=ascii(seats)[:60])
    if not isinstance(extras, tuple):
        english = "`extras` is a tuple, not {given}: write `extras=(Hints(…),)`"
        raise refuse(game, "extras-tuple", english, given=type(extras).__name__)


def options_in(game: str, names: Mapping[str, Any]) -> type | None:
    """Return the options that a module declares, or None; raises `GameError` for two, and for a class without `@`."""
    declared = dict.fromkeys([each for each in names.values() if is_declared(each, "options")])
    found = [each for each in declared if each.__name__ != "NoOptions"]
    if len(found) > 1:
        english = "{one} and {other} are both declared by `@options`: a game has one class of options"
        raise refuse(game, "two-options", english, one=found[0].__name__, other=found[1].__name__)
    plain = names.get("Options")
    if not found and isinstance(plain, type) and not attrs.has(plain):
        english = "class {kind} is not immutable data: declare it with `@{decorator}`"
        raise refuse(game, "not-declared", english, kind="Options", decorator="options")
    return found[0] if found else None
