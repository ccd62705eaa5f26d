"""Words in a person's language for notes, rules, names, labels and refusals: the catalogues `texts/LANG.ftl`.

A game's catalogue may use these functions: `SEAT` (a name, or "seat 2"), `SEATS` (joined as the language does),
`CARD`, `CARDS`, `POINTS` (of each seat: "Aki 4, Ren 2"), `LAID` (a card before each seat: "Aki ♥3, Ren ♠9"), `OWNED`
(things of seats by number: "Sou 11"), `GIVEN` (a card for each seat: "♥3 to Aki, …"), `LIST`, `COUNT` (how many, to
select by) and `COMMAND` (the name of a command, from its tag).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, get_args

import attrs

from ..errors import Message, MissingExtra
from ..game import TABLE, Card, Game, Note, RedactedCommand, RuleBook, RuleViolation, Seat, Takeback
from ..scene import Part
from ..wire import wire_of
from .plain_text import Line, card_face, plain_value, plain_words
from .sanitize import NAME_CELLS, sanitize

try:
    from .message_catalogue import HAS_CATALOGUES, format_message
except ImportError:
    from .plain_text import HAS_CATALOGUES, format_message

__all__ = ["FALLBACK", "HAS_CATALOGUES", "AnyGame", "Line", "Names", "Texts", "require_catalogues"]

AnyGame = Game[Any, Any, Any]
Names = Sequence[str] | None
"""The names of the seats; without them a seat is called by its number."""

FALLBACK = "en"
GROUP = " | "
"""What stands between two lists of a list."""
_READING = re.compile(r"(\S+?)《(.+?)》")


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
        called = _called(tuple(names or ()))
        values = {
            name: Line(self.message(each)) if isinstance(each, Message) else each for name, each in values.items()
        }
        for lang in dict.fromkeys((self.lang, FALLBACK)):
            said = format_message(lang, rooms, key, values, game, called)
            if said is not None:
                return said
        return None

    def format(self, key: str, /, **values: Any) -> str:
        """Say a message that is not a game's."""
        return self.find(key, **values) or plain_words(key, values)

    def message(self, why: str) -> str:
        """Say why something is refused; what is no `Why`, or has no message in this language, as it is."""
        if not isinstance(why, Message) or self.lang == FALLBACK:
            return str(why)
        values = {
            name: Line(self.message(each)) if isinstance(each, str) else each for name, each in why.values.items()
        }
        return format_message(self.lang, (why.package,), f"message-{why.key}", values) or str(why)

    def label(self, key: str, game: AnyGame) -> str:
        """Name a zone, fact, mark, command, option …; if there is no message, by the words of the key."""
        return self.find(key, game) or plain_words(key.partition("-")[2] or key, {})

    def title(self, game: AnyGame) -> str:
        return self.find("game", game) or plain_words(game.name, {})

    def seat(self, seat: int | None, names: Names = None) -> str:
        """Name a seat, the table, or (None) a spectator."""
        said = self.find("who", None, names, seat="spectator" if seat is None else seat)
        return said or _plain_seat(seat, names)

    def card(self, card: Any, game: AnyGame) -> str:
        return card_face(game, card)

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
        said = self.find(f"note-{note.key}", game, names, **values)
        return said or _plain_note(note.key, values, game, names)

    def violation(self, violation: RuleViolation, game: AnyGame, names: Names = None) -> str:
        """Say what a seat did, what the rule asks, and the facts."""
        rule, facts = violation.rule, violation.facts
        said = self.find(f"violation-{rule.number}", game, names, seat=violation.seat, **facts)
        if said is not None:
            return said
        sentence = plain_words(self.rule(rule, game), facts)
        return self.find("violation", game, names, seat=violation.seat, sentence=sentence) or sentence

    def command(self, command: Any, game: AnyGame, names: Names = None) -> str:
        """Say what a command does, or what a hidden one shows: its name, then cards, seats and choices.

        A message `doing-TAG` of the game, if it has one, says it whole.
        """
        if isinstance(command, Takeback):
            return self.find("command-takeback", game, to=command.to) or "take back"
        wire = wire_of(game)
        hidden = isinstance(command, RedactedCommand)
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
                groups = [value] if kind == "owned" else _groups(value)
                named.append(GROUP.join(self._named(kind, values, game, names) for values in groups))
        label = self.label(f"command-{tag}", game)
        buttons = [] if hidden else self._buttons(game.parts(command), game)
        more = [each for each in buttons if not label.endswith(each)] if buttons else others  # no "pass: pass"
        said = ", ".join(named + more)
        return (self.find("doing", game, what=label, how=said) or f"{label}: {said}") if said else label

    def _named(self, kind: str, values: Sequence[Any], game: AnyGame, names: Names) -> str:
        return self.find(kind, game, names, values=values) or _plain_field(kind, values, game, names)

    def _buttons(self, parts: Iterable[Part], game: AnyGame) -> list[str]:
        labels = (self.find("-".join(("part", *map(str, part))), game) for part in parts)
        return [label for label in labels if label is not None]

    def _field(self, field: str, value: Any, game: AnyGame) -> str:
        """Say a field by its label and its value; what is or is not so may have a message of its own for either."""
        label = self.label(f"field-{field}", game)
        if not isinstance(value, bool):
            return f"{label} {plain_value(value)}"
        said = self.find(f"field-{field}-{str(value).lower()}", game)
        return said or f"{label} {self.find('yes' if value else 'no', game) or value}"


def require_catalogues(what: str, extra: str = "text") -> None:
    """Raise `MissingExtra` if Fluent and babel are not installed: for what is nothing without its catalogues."""
    if not HAS_CATALOGUES:
        raise MissingExtra(what, extra)


def _plain_seat(seat: int | None, names: Names) -> str:
    if seat is None or seat == TABLE:
        return "spectator" if seat is None else "table"
    called = _called(tuple(names or ()))
    return (called[seat] if 0 <= seat < len(called) else None) or f"seat {seat}"


def _plain_note(key: str, values: dict[str, Any], game: AnyGame, names: Names) -> str:
    """Return a note as its key and values, with the name of its seat and the face of its card where names are given."""
    if not names or not isinstance(values.get("seat"), int):
        return plain_words(key, values)
    seat = _plain_seat(values.pop("seat"), names)
    if "card" in values:
        values["card"] = card_face(game, values["card"])
    return f"{seat}: {plain_words(key, values)}"


def _plain_field(kind: str, values: Sequence[Any], game: AnyGame, names: Names) -> str:
    if kind == "cards":
        return " ".join(card_face(game, card) for card in values)
    return ", ".join(_plain_seat(seat, names) for seat in values) if kind == "seats" else plain_value(values)


@lru_cache(maxsize=256)
def _called(names: tuple[str, ...]) -> tuple[str | None, ...]:
    """Give each seat a name fit to be shown: None for one of blanks, two of one name told apart by their seats."""
    shown = [sanitize(name, NAME_CELLS).strip() for name in names]
    return tuple(
        (f"{name} ({seat})" if shown.count(name) > 1 else name) or None if name else None
        for seat, name in enumerate(shown)
    )


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


def _groups(value: Any) -> list[tuple[Any, ...]]:
    """Return the values of a list flat; of a list of several lists, those of each: two palaces are not one."""
    if isinstance(value, tuple) and len(value) > 1 and all(isinstance(each, tuple) for each in value):
        return [_flat(each) for each in value]
    return [_flat(value)]


def _flat(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, tuple):
        return (value,)
    return tuple(item for each in value for item in _flat(each))
