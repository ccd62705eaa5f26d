"""Words in a person's language for notes, rules, names, labels and refusals: the catalogues `texts/LANG.ftl`.

A game's catalogue may use these functions: `SEAT` (a name, or "seat 2"), `SEATS` (joined as the language does),
`CARD`, `CARDS`, `POINTS` (of each seat: "Aki 4, Ren 2"), `LAID` (a card before each seat: "Aki ♥3, Ren ♠9"), `OWNED`
(things of seats by number: "Sou 11"), `GIVEN` (a card for each seat: "♥3 to Aki, …"), `LIST`, `COUNT` (how many, to
select by) and `COMMAND` (the name of a command, from its tag).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, get_args

import attrs

from .errors import MissingExtra, Why
from .game import TABLE, Card, Game, Hidden, Note, RuleBook, RuleViolation, Seat, Takeback
from .legible import NAME_CELLS, legible
from .scene import Part
from .wire import wire_of

try:
    from babel import Locale
    from babel.lists import format_list
    from fluent.runtime import FluentBundle, FluentResource
    from fluent.runtime.types import FluentType, fluent_number
except ImportError:
    raise MissingExtra("putting notes into words", "replay") from None

AnyGame = Game[Any, Any, Any]
Names = Sequence[str] | None
"""The names of the seats; without them a seat is called by its number."""

FALLBACK = "en"
_READING = re.compile(r"(\S+?)《(.+?)》")
_LINE = 400
_LONGEST = 100
"""The most things of a list that are named, so that no message grows without end."""


class Line(str):
    """A value of a message that may fill a line, as a path or a sentence does; others are cut at 80 cells."""

    __slots__ = ()


class Texts:
    """The words of one language; English, then plain sense, stands in where a catalogue has none.

    `rooms` are packages with catalogues of their own, beside the game's and core's. No method raises.
    """

    def __init__(self, lang: str = FALLBACK, *rooms: str) -> None:
        self.lang = lang if lang.isidentifier() else FALLBACK
        self._rooms = (*rooms, __package__)

    def find(self, key: str, game: AnyGame | None = None, names: Names = None, /, **values: Any) -> str | None:
        """Say the message of this key; None if no catalogue has it or the values do not suit it."""
        rooms = (game.texts, *self._rooms) if game is not None else self._rooms
        about = _About(game, _called(tuple(names or ())))
        values = {name: Line(self.why(each)) if isinstance(each, Why) else each for name, each in values.items()}
        for lang in dict.fromkeys((self.lang, FALLBACK)):
            said = _catalogue(lang, rooms).say(key, values, about)
            if said is not None:
                return said
        return None

    def say(self, key: str, /, **values: Any) -> str:
        """Say a message that is not a game's."""
        return self.find(key, **values) or _plain_words(key, values)

    def why(self, why: str) -> str:
        """Say why something is refused; what is no `Why`, or has no message in this language, as it is."""
        if not isinstance(why, Why) or self.lang == FALLBACK:
            return str(why)
        values = {name: Line(self.why(each)) if isinstance(each, str) else each for name, each in why.values.items()}
        return _catalogue(self.lang, (why.room,)).say(f"why-{why.key}", values, _About(None, ())) or str(why)

    def label(self, key: str, game: AnyGame) -> str:
        """Name a zone, fact, mark, command, option …; if there is no message, by the words of the key."""
        return self.find(key, game) or _plain_words(key.partition("-")[2] or key, {})

    def title(self, game: AnyGame) -> str:
        return self.find("game", game) or _plain_words(game.name, {})

    def seat(self, seat: int | None, names: Names = None) -> str:
        """Name a seat, the table, or (None) a spectator."""
        return self.find("who", None, names, seat="spectator" if seat is None else seat) or f"seat {seat}"

    def card(self, card: Any, game: AnyGame) -> str:
        return _face(game, card)

    def rule(self, rule: RuleBook, game: AnyGame) -> str:
        """Say the sentence of a rule."""
        return self.find(f"rule-{rule.number}", game) or rule.sentence

    def readings(self, game: AnyGame) -> dict[str, str]:
        """Give the kana of words that not everyone can read, from the messages `readings`: 兄者《あにじゃ》 …"""
        said = f"{self.find('readings', game) or ''} {self.find('readings') or ''}"
        return dict(_READING.findall(said))

    def note(self, note: Note, game: AnyGame, names: Names = None) -> str:
        """Say what happened."""
        values = dict(note.values)
        return self.find(f"note-{note.key}", game, names, **values) or _plain_words(note.key, values)

    def violation(self, violation: RuleViolation, game: AnyGame, names: Names = None) -> str:
        """Say what a seat did, what the rule asks, and the facts."""
        rule, facts = violation.rule, violation.facts
        said = self.find(f"violation-{rule.number}", game, names, seat=violation.seat, **facts)
        if said is not None:
            return said
        sentence = _plain_words(self.rule(rule, game), facts)
        return self.find("violation", game, names, seat=violation.seat, sentence=sentence) or sentence

    def command(self, command: Any, game: AnyGame, names: Names = None) -> str:
        """Say what a command does, or what a hidden one shows: its name, then cards, seats and choices.

        A message `doing-TAG` of the game, if it has one, says it whole.
        """
        if isinstance(command, Takeback):
            return self.find("command-takeback", game, to=command.to) or "take back"
        wire = wire_of(game)
        hidden = isinstance(command, Hidden)
        tag = command.tag if hidden else wire.tag(command)
        fields = dict(command.fields) if hidden else attrs.asdict(command, recurse=False)
        whole = self.find(f"doing-{tag}", game, names, **fields)
        if whole is not None:
            return whole
        named, others = [], []
        for field, value in fields.items():
            kind = _kinds(wire.tags[tag]).get(field)
            if kind is None:
                others.append(self._field(field, value, game))
            else:
                values = value if kind == "owned" else _flat(value)
                named.append(self.find(kind, game, names, values=values) or _plain(value))
        label = self.label(f"command-{tag}", game)
        buttons = [] if hidden else self._buttons(game.parts(command), game)
        more = [each for each in buttons if not label.endswith(each)] if buttons else others  # no "pass: pass"
        said = ", ".join(named + more)
        return self.find("doing", game, what=label, how=said) or label if said else label

    def _buttons(self, parts: Iterable[Part], game: AnyGame) -> list[str]:
        labels = (self.find("-".join(("part", *map(str, part))), game) for part in parts)
        return [label for label in labels if label is not None]

    def _field(self, field: str, value: Any, game: AnyGame) -> str:
        """Say a field by its label and its value; what is or is not so may have a message of its own for either."""
        label = self.label(f"field-{field}", game)
        if not isinstance(value, bool):
            return f"{label} {_plain(value)}"
        said = self.find(f"field-{field}-{str(value).lower()}", game)
        return said or f"{label} {self.find('yes' if value else 'no', game) or value}"


@attrs.frozen
class _About:
    """What a message is about: fluent gives its functions no context, so it travels beside."""

    game: AnyGame | None
    names: tuple[str | None, ...]


_about: ContextVar[_About] = ContextVar("about")


class _Many(FluentType):
    """A list on its way to one of our functions."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = tuple(items)

    def format(self, locale: Locale) -> str:  # noqa: ARG002 (fluent's signature)
        return _plain(self.items)


class _Catalogue:
    """The messages of some rooms in one language; where two have the same key, the first room's."""

    def __init__(self, lang: str, rooms: tuple[str, ...]) -> None:
        self.lang = lang
        functions: dict[str, Callable[..., Any]] = {
            "SEAT": self._seat,
            "SEATS": lambda many: self._joined(map(self._seat, _items(many))) or self._word("nobody"),
            "CARD": lambda card: _face(_about.get().game, card),
            "CARDS": self._cards,
            "POINTS": self._points,
            "LAID": self._laid,
            "OWNED": self._owned,
            "GIVEN": self._given,
            "LIST": lambda many: self._joined(map(_plain, _items(many))),
            "COUNT": lambda many: fluent_number(len(many.items)),
            "COMMAND": self._command,
        }
        self._bundle = FluentBundle([lang], functions=functions, use_isolating=False)
        for room in rooms:
            source = _source(room, lang)
            if source:
                self._bundle.add_resource(FluentResource(source))

    def say(self, key: str, values: Mapping[str, Any], about: _About) -> str | None:
        if not self._bundle.has_message(key):
            return None
        pattern = self._bundle.get_message(key).value
        if pattern is None:
            return None
        token = _about.set(about)
        try:
            said, errors = self._bundle.format_pattern(pattern, {name: _value(each) for name, each in values.items()})
        finally:
            _about.reset(token)
        return None if errors else str(said)

    def _word(self, key: str, **values: Any) -> str:
        return self.say(key, values, _about.get()) or key

    def _seat(self, seat: Any) -> str:
        names = _about.get().names
        if isinstance(seat, int) and 0 <= seat < len(names) and (name := names[seat]):
            return name
        if seat == TABLE or not isinstance(seat, int):
            return self._word("table" if seat == TABLE else str(seat))
        return self._word("seat", number=int(seat))

    def _cards(self, many: Any) -> str:
        game = _about.get().game
        return " ".join(_face(game, card) for card in _items(many)) or self._word("none")

    def _points(self, many: Any) -> str:
        return self._listed(f"{self._seat(seat)} {_plain(points)}" for seat, points in enumerate(_items(many)))

    def _laid(self, many: Any) -> str:
        game = _about.get().game
        return self._listed(f"{self._seat(seat)} {_face(game, card)}" for seat, card in enumerate(_items(many)))

    def _owned(self, many: Any) -> str:
        return self._listed(f"{self._seat(seat)} {_plain(number)}" for seat, number in _items(many))

    def _given(self, many: Any) -> str:
        game = _about.get().game
        return self._listed(
            self._word("given", seat=seat, card=_face(game, card)) for seat, card in enumerate(_items(many))
        )

    def _command(self, tag: Any) -> str:
        return self._word(f"command-{tag}")

    def _listed(self, words: Iterable[str]) -> str:
        return self._word("comma").join(words)

    def _joined(self, words: Iterable[str]) -> str:
        listed = list(words)
        return format_list(listed, locale=self.lang) if listed else ""


@lru_cache(maxsize=64)
def _catalogue(lang: str, rooms: tuple[str, ...]) -> _Catalogue:
    return _Catalogue(lang, rooms)


@cache
def _source(room: str, lang: str) -> str:
    try:
        return files(room).joinpath("texts", f"{lang}.ftl").read_text(encoding="utf-8")
    except (ImportError, OSError, ValueError):  # no such package, no such file, not UTF-8
        return ""


@lru_cache(maxsize=256)
def _called(names: tuple[str, ...]) -> tuple[str | None, ...]:
    """Give each seat a name fit to be shown: None for one of blanks, two of one name told apart by their seats."""
    shown = [legible(name, NAME_CELLS).strip() for name in names]
    return tuple(
        (f"{name} ({seat})" if shown.count(name) > 1 else name) or None if name else None
        for seat, name in enumerate(shown)
    )


def _value(value: Any) -> Any:
    """Give fluent a value as it takes it: bools and None as words to select by, lists wrapped, texts legible."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return fluent_number(value, useGrouping=False)
    if isinstance(value, (list, tuple, set, frozenset)):
        return _Many(value)
    if isinstance(value, Line):
        return legible(str(value), _LINE)
    return _plain(value)


def _items(many: Any) -> tuple[Any, ...]:
    items: tuple[Any, ...] = many.items
    return items if len(items) <= _LONGEST else (*items[:_LONGEST], "…")


def _plain(value: Any) -> str:
    """Show any value in one legible line."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return legible(", ".join(map(_plain, tuple(value)[:_LONGEST])), 200)
    if isinstance(value, Enum):
        value = value.value
    return legible(value.hex() if isinstance(value, bytes) else str(value))


def _plain_words(key: str, values: Mapping[str, Any]) -> str:
    """Say a key and its values where no catalogue has a message."""
    said = ", ".join(f"{name} {_plain(value)}" for name, value in values.items())
    words = legible(key if " " in key else key.replace("-", " ").replace("_", " "), 400)
    return f"{words} ({said})" if said else words


def _face(game: AnyGame | None, card: Any) -> str:
    try:
        return legible(game.face(int(card) if isinstance(card, int) else card).text) if game else _plain(card)
    except Exception:  # a card that the game does not have, from a log or a violation
        return _plain(card)


@cache
def _kinds(command: type) -> Mapping[str, str]:
    """Tell which fields of a command are cards, seats, or things of seats by number: the message that says them."""
    kinds = {}
    for field in attrs.fields(attrs.resolve_types(command)):
        named = {Card: "cards", Seat: "seats"}
        leaves = _leaves(field.type)
        kind = next((named[each] for each in leaves if each in named), None)
        if kind == "seats" and int in leaves:
            kind = "owned"
        if kind is not None:
            kinds[field.name] = kind
    return kinds


def _leaves(kind: Any) -> list[Any]:
    args = get_args(kind)
    return [leaf for arg in args for leaf in _leaves(arg)] if args else [kind]


def _flat(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, tuple):
        return (value,)
    return tuple(item for each in value for item in _flat(each))
