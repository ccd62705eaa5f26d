"""What a game is: its data and its rules. Everything else is derived from them, and each part can be written by hand.

Start at `Game`: thirteen fields, of which a first game gives five. `Game.of` finds them in one module.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from pickle import PicklingError
from types import ModuleType, SimpleNamespace
from typing import Any, Final, Generic, TypeVar

from attrs import field, frozen

from ..errors import GameError, Message
from .checked import options_in
from .completion import complete
from .declarations import is_declared, options
from .english import Catalogues
from .events import C, Note
from .extras import S, V
from .past import Past
from .protocols import PART_FUNCTIONS, Rules, Secrets, Table
from .result import Result
from .rule_book import RuleBook, TableRule, book_of
from .scene import Face, Part, Scene
from .secrets import Secrecy, secrets_of
from .shuffle import Shuffler
from .stated import stated

FROM_ABOVE: dict[str, Callable[..., Any]] = {}
"""What higher rooms do for methods: `to_json` and `from_json` of a game, `save` and `html` of a match.

Each such room gives its function here as it is loaded, so that no lower one imports it.
"""

E = TypeVar("E")
T = TypeVar("T")

_set_attribute: Final[Any] = object.__setattr__  # of a frozen class too


def evolve(state: T, /, **changes: Any) -> T:
    """Return the state with some fields changed: `attrs.evolve`, at a third of its cost.

    For classes that are declared by `@state` and its like. Raises `TypeError` for a name that is no field.
    """
    try:
        kept: dict[str, Any] = state.__dict__
    except AttributeError:
        name = state.__class__.__name__
        raise TypeError(f"{name} has slots: declare it with `@state`, or change it by `attrs.evolve`") from None
    changed = kept | changes
    if len(changed) != len(kept):
        unknown = ", ".join(sorted(changes.keys() - kept.keys()))
        raise TypeError(f"{state.__class__.__name__} has no field {unknown}; it has {', '.join(kept)}")
    new: T = object.__new__(state.__class__)
    _set_attribute(new, "__dict__", changed)
    return new


@options
class NoOptions:
    """The options of a game that has none."""


class NoRules(RuleBook):
    """The rules of a game that does not number them."""

    RULES = "A command keeps to the rules of the game."


class Functions(Generic[S, C, V]):
    """The functions of a game, complete: each is the author's, or derived when the game is created."""

    start: Callable[[Any, int], S]
    """Returns the state before the first event, from the options and the number of seats."""
    to_act: Callable[[S], frozenset[int]]
    """Returns the seats that are to act; empty once the game is over."""
    apply: Callable[[S, int, Any], S]
    """Returns the state after a command; raises `RuleViolation` if a rule forbids it."""
    legal: Callable[[S, int], Iterable[C]]
    """Returns the commands that `apply` accepts from a seat; none for the table."""
    result: Callable[[S], Result | None]
    """Returns the result once the game is over, None before."""
    deal: Callable[[S, Shuffler], C]
    """Returns the table's command, its randomness from the shuffler; called only where `TABLE` is to act."""
    check_options: Callable[[Any, int], None]
    """Raises `OptionError` if the options do not suit the number of seats."""
    idle_rules: Callable[[Any, int], Collection[RuleBook]]
    """Returns the rules that never come into play with these options and this number of seats."""
    cards: Callable[[S], Iterable[Any]]
    """Returns the cards of all places together: the same deck in every state after the first deal."""
    open_ended: Callable[[S, int], bool]
    """Returns True if the seat now has unboundedly many commands, which `legal` cannot list (a word in `mabr`)."""
    legal_by_kind: Callable[[S, int, int], Sequence[Sequence[C]]] | None
    """Returns the first commands of `legal`, at most the given number: a sequence for each class, in the order of first
    occurrence. None for a game that cannot count its commands faster than make them."""
    scores: Callable[[S], tuple[int, ...]] | None
    """Returns the score of each seat so far, as the first facts of a scene have it; None: only scenes say it."""
    view: Callable[[S, int | None], V]
    """Returns what a viewer may look at now: a seat, None for a spectator, `TABLE` for everything."""
    redact: Callable[[Any, int | None], Any]
    """Returns a step's command as a viewer sees it: whole, or a `RedactedCommand`."""
    determinize: Callable[[V, Shuffler], S]
    """Returns a state with this view, in which all that the view does not show is drawn at random."""
    explain: Callable[[Any, int | None], Iterable[Note]]
    """Returns the notes of a step that a viewer may see; all of them for `TABLE`."""
    scene: Callable[[V], Scene]
    """Returns what the table looks like in a view."""
    parts: Callable[[Any], tuple[Part, ...]]
    """Returns the things of a scene, or the buttons, that a command names."""
    face: Callable[[Any], Face]
    """Returns how a card looks."""
    wire: Mapping[type[C], str]
    """The tag in the log of each command class."""
    has_deal: bool
    """False for a game without chance: the table never acts, and a match needs no seed."""
    has_cards: bool
    """False for a game in which nothing stays, such as one of dice: law 4 has nothing to judge."""
    told: tuple[Secrecy, ...]
    """What views tell besides the fields of the state."""
    has_secrets: bool
    """False for a game in which everybody sees everything: no mark hides a field, no secrets are written by hand."""
    is_derived: bool
    """True if notes, scenes or texts are derived, at least in part: then the game has English of its own making."""
    english: str
    """The English catalogue that follows from the names; "" for a game that writes all of its table by hand."""
    catalogues: tuple[str | Catalogues, ...]
    """Where its messages are looked for, in this order: packages, and catalogues that are no files."""


@frozen(eq=False, repr=False, slots=False)
class Game(Functions[S, C, V]):
    """A game as a value. Raises `GameError` for one that is stated wrongly, with the class, the field and the fix."""

    name: str
    """The name in the log."""
    seats: range
    """The numbers of seats that the game can be played with."""
    state: type[S]
    """The class of its states, declared by `@state`; its marks say who sees what."""
    commands: tuple[type, ...]
    """The classes of its commands, declared by `@command`."""
    rules: Rules[S, C]
    """How states follow from commands: a module or an object with `start`, `to_act`, `apply`, `legal`, `result`, …"""
    options: type = NoOptions
    """The class of its options, declared by `@options`."""
    book: type[RuleBook] = NoRules
    """Its rules by number; `book_of` makes them of a text."""
    secrets: Secrets | None = None
    """Who may see what, as far as that is written by hand; the rest follows from the marks."""
    table: Table | None = None
    """How the game tells and shows itself, as far as that is written by hand."""
    version: int = 1
    """The version of the rules."""
    past: Past = field(factory=Past)
    """What older logs need."""
    texts: str | Mapping[str, str] = ""
    """The package whose folder `texts/` has the catalogues, or the catalogues themselves by language."""
    extras: tuple[object, ...] = ()
    """What learners, bots or laws need: `Hints`, `Passing`, `Encoding`, each once."""

    def __attrs_post_init__(self) -> None:
        complete(self, self.__dict__)

    @classmethod
    def of(
        cls,
        module: str | ModuleType,
        *,
        seats: range,
        state: type[S],
        name: str = "",
        book: str | type[RuleBook] = "",
        secrets: Secrets | None = None,
        table: Table | None = None,
        version: int = 1,
        past: Past | None = None,
        texts: str | Mapping[str, str] = "",
        extras: tuple[object, ...] = (),
    ) -> Game[S, Any, Any]:
        """Return the game that a module states: `Game.of(__name__, …)` at its end.

        The module has the functions of every part, as far as they are written by hand, and the classes that
        `@options` and `@command` declare. It is asked only in turn: `legal` of seats that are to act, `apply` with
        commands of these, and of the table with what `deal` returns. `name` is the module's unless given. A package
        gives the module that has the rules, and `secrets` or `table` where others have these.
        """
        found = module if isinstance(module, ModuleType) else sys.modules.get(module)
        if found is None:
            english = "there is no module {module}: write `Game.of(__name__, …)` at the end of yours"
            raise GameError(name or str(module), Message("no-such-module", english, module=repr(module)))
        path = getattr(found, "__file__", None)
        own = found.__name__.rpartition(".")[2]
        name = name or (Path(path).stem if own == "__main__" and path else own)
        declared = list(vars(found).values())
        commands = tuple(dict.fromkeys([each for each in declared if is_declared(each, "command")]))
        chosen = options_in(name, vars(found)) or NoOptions
        rules = book_of(book, name) if isinstance(book, str) else book
        itself: Any = found
        return cls(
            name,
            seats,
            state,
            commands,
            stated(found, rules, name),
            chosen,
            rules,
            secrets or itself,
            table or itself,
            version,
            past or Past(),
            texts,
            extras,
        )

    def __repr__(self) -> str:
        return f"<Game {self.name}, rules version {self.version}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if _stated_beside(self.state, self.name) is not self:
            raise PicklingError(f"{self!r} stands in no module beside its state, by which games are pickled")
        return _stated_beside, (self.state, self.name)

    def __deepcopy__(self, _: Any) -> Game[S, C, V]:
        return self

    def extra(self, kind: type[E]) -> E | None:
        """Return the extra of this type; None if the game gives none."""
        return next((each for each in self.extras if isinstance(each, kind)), None)

    def altered(self, **changes: Any) -> Game[S, C, V]:
        """Return the game with other fields or functions: for tests, and engines that differ on purpose.

        Nothing is derived anew. Raises `TypeError` for a name that the game does not have.
        """
        if unknown := ", ".join(sorted(changes.keys() - self.__dict__.keys())):
            raise TypeError(f"a Game has no {unknown}; it has {', '.join(self.__dict__)}")
        new: Game[S, C, V] = object.__new__(type(self))
        new.__dict__.update(self.__dict__ | changes)
        return new

    def to_json(self, command: C) -> dict[str, Any]:
        """Return a command as plain data for JSON, `{"tag": …, "fields": {…}}`; raises a violation of FORM for none."""
        data: dict[str, Any] = FROM_ABOVE["to_json"](self, command)
        return data

    def from_json(self, data: object) -> C:
        """Return the command of such data, whoever sent it; raises a violation of FORM for none of this game."""
        command: C = FROM_ABOVE["from_json"](self, data)
        return command

    def rule(self, number: str) -> RuleBook:
        """Return the rule with this number, of this game or of `TableRule`; raises `GameError` if there is none."""
        rules: list[RuleBook] = [*TableRule, *self.book]
        for rule in rules:
            if rule.number == number:
                return rule
        raise GameError(self.name, Message("no-rule", "there is no rule {number}", number=number))

    def secrecies(self) -> Iterator[Secrecy]:
        """Yield the table of secrets: each field of the state and of the commands, who sees it, and what others see."""
        yield from secrets_of(self.state, {tag: kind for kind, tag in self.wire.items()}, self.secrets)
        yield from self.told


AnyGame = Game[Any, Any, Any]


def _stated_beside(state: type, name: str) -> AnyGame | None:
    """Return the game of these states that stands in their module, or in a package around it."""
    place = state.__module__
    while place:
        for each in vars(import_module(place)).values():
            if isinstance(each, Game) and each.state is state and each.name == name:
                return each
        place = place.rpartition(".")[0]
    return None


def applying(by_class: Mapping[type, Callable[..., Any]]) -> Callable[[Any, int, Any], Any]:
    """Return the `apply` of functions of `(state, seat, command)`, each for a class of commands."""

    def apply(state: Any, seat: int, command: Any) -> Any:
        return by_class[command.__class__](state, seat, command)

    kinds: Any = by_class
    apply.__annotations__["command"] = reduce(or_, kinds)
    return apply


def part_of(*modules: ModuleType) -> Any:
    """Return a part of a game, such as its rules, whose functions several modules have."""
    names = {name for functions in PART_FUNCTIONS.values() for name in functions}
    return SimpleNamespace(**{name: vars(each)[name] for each in modules for name in names if name in vars(each)})
