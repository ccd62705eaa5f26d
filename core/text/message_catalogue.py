"""Message catalogues, the files `texts/LANG.ftl` of a package, formatted by Fluent.

Needs the extra `kifu[replay]`. Other modules use `texts.Texts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import attrs
from babel import Locale
from babel.lists import format_list
from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import FluentType, fluent_number
from fluent.syntax.ast import Message

from ..game import TABLE, AnyGame, Catalogues
from .negotiation import languages_of
from .sanitize import LINE_CELLS, MAX_ITEMS, Line, card_face, plain_value, sanitize

_ENTRY = re.compile(r"^(-?[a-zA-Z][\w-]*) *=(?:.*\n?)(?:(?![-#a-zA-Z]).*\n?)*", re.MULTILINE)
"""A message or term of a catalogue: up to the next line that begins with a name or a comment."""

MAX_NUMBERED = 4096
"""So many things with their numbers are kept as words."""
_REFERENCE = re.compile(r"[{(,]\s*(-?[a-zA-Z][\w-]*)")
"""What may be the name of another message or term inside a message."""


def format_message(
    lang: str,
    packages: tuple[str | Catalogues, ...],
    key: str,
    values: Mapping[str, Any],
    game: AnyGame | None = None,
    names: Sequence[str | None] = (),
) -> str | None:
    """Format the message of the first package that has it; None if none has, or the values do not suit it."""
    return _catalogue(lang, packages).format(key, values, _Context(game, tuple(names)))


def sources_of(game: AnyGame) -> dict[str, str]:
    """Return the catalogue of a game in each language in which it has one, English that follows from names last."""
    langs = {lang: None for each in game.catalogues for lang in _langs_of(each)}
    return {lang: _merged([_source(each, lang) for each in game.catalogues]) for lang in sorted(langs)}


def _langs_of(package: str | Catalogues) -> list[str]:
    return [*package.sources] if isinstance(package, Catalogues) else sorted(languages_of((package,)))


def _merged(sources: list[str]) -> str:
    """Return the first source, and of each other one the messages that are in none before it."""
    known: set[str] = set()
    merged = []
    for source in sources:
        entries = {entry[1]: entry[0] for entry in _ENTRY.finditer(source)}
        new = [text for key, text in entries.items() if key not in known]
        merged.append(source if not known else "".join(new))
        known |= entries.keys()
    return "\n".join(merged)


def message_keys(package: str, lang: str) -> list[str]:
    """Return the keys of a catalogue in the order of its file."""
    return [entry.id.name for entry in FluentResource(_source(package, lang)).body if isinstance(entry, Message)]


@attrs.frozen
class _Context:
    """The game and the seats' names of a message: passed beside, since Fluent calls its functions without context."""

    game: AnyGame | None
    names: tuple[str | None, ...]


_CONTEXT: ContextVar[_Context] = ContextVar("context")


class _Many(FluentType):
    """A list as the argument of one of our functions."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = tuple(items)

    def format(self, locale: Locale) -> str:  # noqa: ARG002 (fluent's signature)
        return plain_value(self.items)


class _Catalogue:
    """The messages of some packages in one language; of two with the same key, the first package's."""

    def __init__(self, lang: str, packages: tuple[str | Catalogues, ...]) -> None:
        self.lang = lang
        functions: dict[str, Callable[..., Any]] = {
            "SEAT": self._seat,
            "SEATS": lambda many: self._joined(map(self._seat, _items(many))) or self._word("nobody"),
            "CARD": lambda card: card_face(_CONTEXT.get().game, card),
            "CARDS": self._cards,
            "POINTS": self._points,
            "LAID": self._laid,
            "OWNED": self._owned,
            "GIVEN": self._given,
            "NAME": self._card_name,
            "NTH": lambda number: (
                self._joined(map(_nth, _items(number))) if isinstance(number, _Many) else _nth(number)
            ),
            "EACH": self._each,
            "NUMBERED": self._numbered,
            "LIST": lambda many: self._joined(map(plain_value, _items(many))) or self._word("none"),
            "COUNT": lambda many: fluent_number(len(many.items)),
            "COMMAND": self._command,
        }
        self._one = lru_cache(maxsize=MAX_NUMBERED)(self._one_numbered)
        """The same few things at the same few places are in most commands of a list."""
        self._bundle = FluentBundle([lang], functions=functions, use_isolating=False)
        self._unparsed: dict[str, str] = {}
        """The messages that nobody has asked for yet, as they stand in their files; most calls ask for few."""
        for package in packages:
            for entry in _ENTRY.finditer(_source(package, lang)):
                self._unparsed.setdefault(entry[1], entry[0])

    def format(self, key: str, values: Mapping[str, Any], context: _Context) -> str | None:
        """Format a message; None if it is missing, or the values do not suit it."""
        if key in self._unparsed:
            self._parse(key)
        if not self._bundle.has_message(key):
            return None
        pattern = self._bundle.get_message(key).value
        if pattern is None:
            return None
        token = _CONTEXT.set(context)
        try:
            text, errors = self._bundle.format_pattern(pattern, {name: _value(each) for name, each in values.items()})
        finally:
            _CONTEXT.reset(token)
        return None if errors else str(text)

    def _parse(self, key: str) -> None:
        """Add a message to the bundle, with those that it refers to."""
        wanted, found = [key], {}
        while wanted:
            name = wanted.pop()
            if name in self._unparsed and name not in found:
                found[name] = self._unparsed[name]
                wanted += _REFERENCE.findall(found[name])
        self._bundle.add_resource(FluentResource("\n".join(found.values())))
        for name in found:  # last, since another thread may look for them
            self._unparsed.pop(name, None)

    def _word(self, key: str, **values: Any) -> str:
        return self.format(key, values, _CONTEXT.get()) or key

    def _seat(self, seat: Any) -> str:
        names = _CONTEXT.get().names
        if isinstance(seat, int) and 0 <= seat < len(names) and (name := names[seat]):
            return name
        if seat == TABLE or not isinstance(seat, int):
            return self._word("table" if seat == TABLE else str(seat))
        return self._word("seat", number=int(seat))

    def _cards(self, many: Any) -> str:
        return " ".join(map(self._card_or_group, _items(many))) or self._word("none")

    def _card_or_group(self, card: Any) -> str:
        """Return the face of a card, or those of a group, such as a pair, in brackets."""
        if isinstance(card, tuple | list):
            return f"({' '.join(map(self._card_or_group, card))})"
        return card_face(_CONTEXT.get().game, card)

    def _points(self, many: Any) -> str:
        return self._listed(f"{self._seat(seat)} {plain_value(points)}" for seat, points in enumerate(_items(many)))

    def _laid(self, many: Any) -> str:
        game = _CONTEXT.get().game
        return self._listed(f"{self._seat(seat)} {card_face(game, card)}" for seat, card in enumerate(_items(many)))

    def _owned(self, many: Any) -> str:
        return self._listed(self._word("owned-one", seat=seat, number=number + 1) for seat, number in _items(many))

    def _given(self, many: Any) -> str:
        game = _CONTEXT.get().game
        return self._listed(
            self._word("given", seat=seat, card=card_face(game, card)) for seat, card in enumerate(_items(many))
        )

    def _card_name(self, card: Any) -> str:
        """Return the name of a card in words, the message `card-CARD`; without one what is on its face."""
        return self.format(f"card-{plain_value(card)}", {}, _CONTEXT.get()) or card_face(_CONTEXT.get().game, card)

    def _numbered(self, many: Any, numbers: Any) -> str:
        """Return each item with the number of the thing that it is; one that has a name instead has no number."""
        items = tuple(many) if isinstance(many, str) else _items(many)
        names = _CONTEXT.get().names
        return " ".join(
            self._one(plain_value(item), int(number) if isinstance(number, int) else None, names)
            for item, number in zip(items, _items(numbers), strict=False)
        )

    def _one_numbered(self, item: str, number: int | None, _names: tuple[str | None, ...]) -> str:
        if number is None:
            return self._word("unnumbered", item=item)
        return self._word("numbered", item=item, number=number + 1)

    def _each(self, key: Any, *columns: Any) -> str:
        """Format a message for each row of some lists of equal length: their items are $first, $second, $third."""
        rows = zip(*map(_items, columns), strict=False)
        names = ("first", "second", "third")
        return self._listed(self._word(str(key), **dict(zip(names, row, strict=False))) for row in rows)

    def _command(self, tag: Any) -> str:
        return self._word(f"command-{tag}")

    def _listed(self, words: Iterable[str]) -> str:
        return self._word("comma").join(words)

    def _joined(self, words: Iterable[str]) -> str:
        listed = list(words)
        return format_list(listed, locale=self.lang) if listed else ""


@lru_cache(maxsize=64)
def _catalogue(lang: str, packages: tuple[str | Catalogues, ...]) -> _Catalogue:
    return _Catalogue(lang, packages)


@cache
def _source(package: str | Catalogues, lang: str) -> str:
    if isinstance(package, Catalogues):
        return package.sources.get(lang, "")
    try:
        return files(package).joinpath("texts", f"{lang}.ftl").read_text(encoding="utf-8")
    except (ImportError, OSError, ValueError):  # no such package, no such file, not UTF-8
        return ""


def _value(value: Any) -> Any:
    """Return a value as Fluent takes it: bools and None as words to select by, lists wrapped, texts sanitized."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return fluent_number(value, useGrouping=False)
    if isinstance(value, (list, tuple, set, frozenset)):
        return _Many(value)
    if isinstance(value, Line):
        return sanitize(str(value), LINE_CELLS)
    return plain_value(value)


def _nth(number: Any) -> str:
    """Return a number that is counted from 0 as players count, from 1; a name that stands for a number as it is."""
    return plain_value(number + 1 if isinstance(number, int) else number)


def _items(many: Any) -> tuple[Any, ...]:
    items: tuple[Any, ...] = many.items
    return items if len(items) <= MAX_ITEMS else (*items[:MAX_ITEMS], "…")
