"""Text in a person's language for notes, rules, names, labels and violations: the catalogues `texts/LANG.ftl`.

A game's catalogue may use these functions: `SEAT` (a name, or "seat 2"), `SEATS` (joined as the language does),
`CARD`, `CARDS`, `NAME` (a card in words: the message `card-CARD`), `POINTS` (of each seat: "Aki 4, Ren 2"), `LAID` (a
card before each seat: "Aki ♥3, Ren ♠9"), `OWNED` (things of seats by number: "Sou 11"), `GIVEN` (a card for each seat:
"♥3 to Aki, …"), `NUMBERED` (each item with the number of its thing: "だ (2) う"), `EACH`
(a message for each row of some lists), `LIST`, `COUNT` (how many, to select by) and `COMMAND` (the name of a command,
from its tag).

Things are numbered from 0 in commands and notes, and from 1 in all that is read: `NTH`, `NUMBERED` and `OWNED` add one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any, get_args

import attrs

from ..errors import Message, MissingExtra, OptionError
from ..game import (
    FORMAT_COMMANDS,
    TABLE,
    AnyGame,
    Card,
    Index,
    Note,
    Part,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Seat,
)
from ..wire import FORMAT_TAGS, wire_of
from .negotiation import languages_of, negotiate, preferred
from .sanitize import NAME_CELLS, Line, card_face, plain_value, plain_words, sanitize

HAS_CATALOGUES = all(find_spec(name) for name in ("fluent", "babel"))
"""True if Fluent and babel are installed: without them texts are plain English."""

__all__ = ["FALLBACK", "HAS_CATALOGUES", "AnyGame", "Line", "Names", "Texts", "require_catalogues"]

Names = Sequence[str | None]


class ShownNames(tuple[str, ...]):
    """Names of seats that stand in texts as they are, nothing cut off: each one line that can be printed."""

    __slots__ = ()


"""The names of the seats, by seat; without them, and for a free seat (None), a text has the seat's number."""

FALLBACK = "en"
GROUP = " | "
"""What stands between two lists of a list."""
_READING = re.compile(r"(\S+?)《(.+?)》")


class Texts:
    """The texts of one language; where a catalogue has no message, the English one, then the words of its key.

    `lang` is a BCP 47 tag (`ja`, `ja-JP`), an `Accept-Language` header or a POSIX locale. `packages` are packages with
    catalogues, searched after the game's and before core's. No method raises.
    """

    def __init__(self, lang: str = FALLBACK, *packages: str) -> None:
        """Choose the best language that there is, else English; raises `OptionError` for what is no tag."""
        if not isinstance(lang, str) or not preferred(lang):
            english = "{given} is not a language tag: give one like ja or ja-JP"
            raise OptionError("lang", Message("no-language", english, given=repr(lang)[:60]))
        self._packages = (*packages, __package__)
        self.lang = negotiate(lang, languages_of(self._packages), FALLBACK)
        """The language that was chosen, e.g. `ja`."""

    def find(self, key: str, game: AnyGame | None = None, names: Names | None = None, /, **values: Any) -> str | None:
        """Format the message of this key; None if no catalogue has it, or the values do not suit it."""
        packages = (*game.catalogues, *self._packages) if game is not None else self._packages
        shown = _shown(names)
        values = {
            name: Line(self.message(each)) if isinstance(each, Message) else each for name, each in values.items()
        }
        for lang in dict.fromkeys((self.lang, FALLBACK)):
            text = _formatter()(lang, packages, key, values, game, shown)
            if text is not None:
                return text
        return None

    def format(self, key: str, /, **values: Any) -> str:
        """Format a message that is not a game's; without one, the words of its key."""
        return self.find(key, **values) or plain_words(key, values)

    @property
    def comma(self) -> str:
        """What stands between the items of a list."""
        return self.find("comma") or ", "

    @property
    def colon(self) -> str:
        """What stands between who or what is spoken of, and what is said."""
        return self.find("colon") or ": "

    @property
    def semicolon(self) -> str:
        """What stands between two lists."""
        return self.find("semicolon") or "; "

    def bracketed(self, what: str) -> str:
        """Format what is added in brackets, with the space before them if the language has one there."""
        return self.find("bracketed", what=Line(what)) or f" ({what})"

    def message(self, why: str) -> str:
        """Format a `Message` in this language; a plain text, or a `Message` without a translation, as it is."""
        if not isinstance(why, Message) or self.lang == FALLBACK:
            return str(why)
        values = {
            name: Line(self.message(each)) if isinstance(each, str) else each for name, each in why.values.items()
        }
        return _formatter()(self.lang, (why.package,), f"message-{why.key}", values) or str(why)

    def label(self, key: str, game: AnyGame) -> str:
        """Return the label of a zone, fact, mark, command, option …; without a message, the words of its key."""
        return self._label(key, game) or plain_words(key.partition("-")[2] or key, {})

    def _label(self, key: str, game: AnyGame) -> str | None:
        """Format a label; one message, `part-count`, may serve all numbers: `part-count-3`."""
        kind, _, number = key.rpartition("-")
        return self.find(key, game) or (self.find(kind, game, number=int(number)) if number.isdecimal() else None)

    def title(self, game: AnyGame) -> str:
        """Return the title of a game."""
        return self.find("game", game) or plain_words(game.name, {})

    def seat(self, seat: int | None, names: Names | None = None) -> str:
        """Return the name of a seat, the table, or (None) a spectator."""
        text = self.find("who", None, names, seat="spectator" if seat is None else seat)
        return text or _plain_seat(seat, names)

    def card(self, card: Any, game: AnyGame) -> str:
        """Return the text on a card's face."""
        return card_face(game, card)

    def points(self, points: int, game: AnyGame) -> str:
        """Return a number of points, e.g. "7 points"; a game may count something else."""
        return self.find("points", game, points=points) or str(points)

    def won(self, result: Result, seat: int) -> str:
        """Return what a result says of a seat: that it wins, shares the victory, that all are level or have lost.

        "" if another seat has won.
        """
        if not result.winners:
            return self.format("winner-none")
        if seat not in result.winners:
            return ""
        if len(result.winners) == 1 or len({result.teams[each] for each in result.winners if result.teams}) == 1:
            return self.format("winner")
        return self.format("winner-draw" if result.is_draw else "winner-shared")

    def section(self, kind: str, number: int | str, game: AnyGame) -> str:
        """Return the heading of a section, e.g. "Trick 3"; a game may have its own word for the sections of a kind."""
        return self.find(f"begins-{kind}", game, number=number) or f"{kind} {number}"

    def rule(self, rule: RuleBook, game: AnyGame) -> str:
        """Return the sentence of a rule."""
        return self.find(f"rule-{rule.number}", game) or rule.sentence

    def readings(self, game: AnyGame) -> dict[str, str]:
        """Return the kana readings of difficult words, from the messages `readings`: 兄者《あにじゃ》 …"""
        text = f"{self.find('readings', game) or ''} {self.find('readings') or ''}"
        return dict(_READING.findall(text))

    def note(self, note: Note, game: AnyGame, names: Names | None = None) -> str:
        """Format a note: what happened."""
        values = dict(note.values)
        text = self.find(f"note-{note.key}", game, names, **values)
        return text or _plain_note(note.key, values, game, names)

    def violation(self, violation: RuleViolation, game: AnyGame, names: Names | None = None) -> str:
        """Format a violation for whoever reads of it: what the seat did, what the rule demands, and the facts."""
        return self._of_rule(("violation",), violation, game, names)

    def refusal(self, violation: RuleViolation, game: AnyGame, names: Names | None = None) -> str:
        """Format a violation for the player who tried it: what stands against it, and what may be done."""
        return self._of_rule(("refused", "violation"), violation, game, names)

    def _of_rule(self, kinds: tuple[str, ...], violation: RuleViolation, game: AnyGame, names: Names | None) -> str:
        rule, facts = violation.rule, violation.facts
        if isinstance(because := facts.get("because"), str):
            return self.find(f"{kinds[0]}-because", game, names, seat=violation.seat, because=Line(because)) or because
        for kind in kinds:
            text = self.find(f"{kind}-{rule.number}", game, names, seat=violation.seat, **facts)
            if text is not None:
                return text
        sentence = plain_words(self.rule(rule, game), facts)
        return self.find(kinds[0], game, names, seat=violation.seat, sentence=sentence) or sentence

    def observed(self, command: Any, game: AnyGame, names: Names | None = None) -> str:
        """Format a command as a seat observed it: of a redacted one it is said that there is more to it."""
        text = self.command(command, game, names)
        return self.format("unseen", what=text) if isinstance(command, RedactedCommand) else text

    def command(self, command: Any, game: AnyGame, names: Names | None = None) -> str:
        """Format a command or redacted command: its name, then its cards, seats and other fields.

        A message `doing-TAG` of the game, if there is one, is the whole text.
        """
        if isinstance(command, FORMAT_COMMANDS):
            tag, values = FORMAT_TAGS[type(command)].removeprefix("."), attrs.asdict(command)
            return self.find(f"command-{tag}", game, **values) or plain_words(tag, values)
        wire = wire_of(game)
        redacted = isinstance(command, RedactedCommand)
        tag = command.tag if redacted else wire.tag(command)
        fields = dict(command.fields) if redacted else attrs.asdict(command, recurse=False)
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
        buttons = [] if redacted else self._buttons(game.parts(command), game)
        more = [each for each in buttons if not label.endswith(each)] if buttons else others  # no "pass: pass"
        details = self.comma.join(named + more)
        return (self.find("doing", game, what=label, how=details) or f"{label}: {details}") if details else label

    def _named(self, kind: str, values: Sequence[Any], game: AnyGame, names: Names | None) -> str:
        return self.find(kind, game, names, values=values) or _plain_field(kind, values, game, names)

    def _buttons(self, parts: Iterable[Part], game: AnyGame) -> list[str]:
        labels = (self._label("-".join(("part", *map(str, part))), game) for part in parts)
        return [label for label in labels if label is not None]

    def _field(self, field: str, value: Any, game: AnyGame) -> str:
        """Format a field: its label and value; a bool may have a message of its own for either value."""
        label = self.label(f"field-{field}", game)
        if not isinstance(value, bool):
            return f"{label} {plain_value(value)}"
        text = self.find(f"field-{field}-{str(value).lower()}", game)
        return text or f"{label} {self.find('yes' if value else 'no', game) or value}"


@cache
def _formatter() -> Callable[..., str | None]:
    """Return what formats a message by its catalogues, which are loaded for the first one: nothing without Fluent."""
    if not HAS_CATALOGUES:
        return lambda *_: None
    from .message_catalogue import format_message

    return format_message


def require_catalogues(what: str, extra: str = "replay") -> None:
    """Raise `MissingExtra` unless Fluent and babel are installed; `what` needs them, and `extra` installs them."""
    if not HAS_CATALOGUES:
        raise MissingExtra(what, extra)


def _plain_seat(seat: int | None, names: Names | None) -> str:
    if seat is None or seat == TABLE:
        return "spectator" if seat is None else "table"
    shown = _shown(names)
    return (shown[seat] if 0 <= seat < len(shown) else None) or f"seat {seat}"


def _plain_note(key: str, values: dict[str, Any], game: AnyGame, names: Names | None) -> str:
    """Format a note without a catalogue: its key and values; with names, also its seat's name and its card's face."""
    if not names or not isinstance(values.get("seat"), int):
        return plain_words(key, values)
    seat = _plain_seat(values.pop("seat"), names)
    if "card" in values:
        values["card"] = card_face(game, values["card"])
    return f"{seat}: {plain_words(key, values)}"


def _plain_field(kind: str, values: Sequence[Any], game: AnyGame, names: Names | None) -> str:
    if kind == "cards":
        return " ".join(card_face(game, card) for card in values)
    return ", ".join(_plain_seat(seat, names) for seat in values) if kind == "seats" else plain_value(values)


def _shown(names: Names | None) -> tuple[str | None, ...]:
    return names if isinstance(names, ShownNames) else _shown_names(tuple(names or ()))


@lru_cache(maxsize=256)
def _shown_names(names: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """Return the sanitized name of each seat: None for a blank one, with the seat's number if two are the same."""
    shown = [sanitize(name or "", NAME_CELLS).strip() for name in names]
    return tuple(
        (f"{name} ({seat})" if shown.count(name) > 1 else name) or None if name else None
        for seat, name in enumerate(shown)
    )


@cache
def _kinds(command: type) -> Mapping[str, str]:
    """Return the message key of each field that holds `cards`, `seats`, or things `owned` by seats."""
    kinds = {}
    for field in attrs.fields(attrs.resolve_types(command)):
        named = {Card: "cards", Seat: "seats"}
        leaves = _leaves(field.type)
        kind = next((named[each] for each in leaves if each in named), None)
        if kind == "seats" and {int, Index} & set(leaves):
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
