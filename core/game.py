"""What a game is: a value, with nothing to subclass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, NewType, TypeVar

from attrs import NOTHING, field, fields, frozen

from .errors import GameError, KifuError, Message, OptionError
from .scene import Face, Part, Scene
from .shuffle import Shuffler

Seat = NewType("Seat", int)
"""A place at the table, 0 … n-1 clockwise. `TABLE` deals; a viewer may also be None, a spectator."""

Card = NewType("Card", int)
"""A card of a game; what its number means is the game's."""

TABLE = Seat(-1)

S = TypeVar("S")
C = TypeVar("C")
V = TypeVar("V")

ALONE = tuple(frozenset({Seat(seat)}) for seat in range(16))
"""`ALONE[seat]` is the set of that seat only, made once: what `to_act` mostly answers."""

DEALER = frozenset({TABLE})
NOBODY: frozenset[Seat] = frozenset()


class RuleBook(Enum):
    """The rules of a game: each member is `NUMBER = sentence`, the number with `_` for each hyphen.

    A number that cannot be a name stands before the sentence: `NAME = number, sentence`.
    """

    number: str
    sentence: str

    def __init__(self, *spelled: str) -> None:
        *number, self.sentence = spelled
        self.number = number[0] if number else self._name_.replace("_", "-")

    @property
    def ruling(self) -> bool:
        """Tell whether we decided it, because the rulebook leaves it open."""
        return self.number.rpartition("-")[2].startswith("R")


class TableRule(RuleBook):
    """What holds for every game, in the order in which a command is judged."""

    FORM = "A command has exactly the fields of its tag, each of the right type, range, length and order."
    OVER = "After the game has ended no command is legal."
    TURN = "Only a seat that is asked to act may act; only the table deals, and it does nothing else."
    ORDER = "A command comes only when the game calls for it."
    DEAL = "A deal holds exactly the cards that the rules call for, each in its place."
    SEED = "Where the match has a seed, each deal is the one that this seed gives."


class RuleViolation(KifuError):  # noqa: N818 (the field's word, and ours)
    """A command that a rule forbids.

    `rule` is the broken rule, a member of a game's `RuleBook` or of `TableRule`; `seat` is who tried;
    `facts` are the values that show it, all of them known to that seat.
    """

    def __init__(self, rule: RuleBook, /, seat: int | None = None, **facts: Any) -> None:
        super().__init__(rule, seat, facts)
        self.rule = rule
        self.seat = seat
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        return _violation, (type(self), self.rule, self.seat, self.facts)

    @property
    def summary(self) -> str:
        said = {"seat": self.seat, **self.facts} if self.seat is not None else self.facts
        facts = ", ".join(f"{name} {value}" for name, value in said.items())
        return f"{self.rule.number}: {self.rule.sentence}" + (f" ({facts})" if facts else "")


def _violation(kind: type[RuleViolation], rule: RuleBook, seat: int | None, facts: dict[str, Any]) -> RuleViolation:
    return kind(rule, seat, **facts)


def malformed_command(seat: Seat, why: str) -> RuleViolation:
    """Make the violation of a command that has not the form of its tag (FORM)."""
    return RuleViolation(TableRule.FORM, seat, why=why)


def check_turn(to_act: frozenset[Seat], seat: Seat, *, deals: bool = False) -> None:
    """Raise a violation of OVER or TURN unless this seat may give a command now, a deal if `deals`."""
    if seat in to_act and (seat == TABLE) is deals:
        return
    if not to_act:
        raise RuleViolation(TableRule.OVER, seat)
    asked = () if seat in to_act else tuple(sorted(to_act))  # empty: the table does what a seat does, or a seat deals
    raise RuleViolation(TableRule.TURN, seat, asked=asked)


if TYPE_CHECKING:
    from attrs import evolve as evolve
else:

    def evolve(state, /, **changes):
        """Return the state with some fields changed: `attrs.evolve`, at a third of its cost.

        For classes made by `frozen(slots=False)`.
        """
        new = object.__new__(state.__class__)
        fields = new.__dict__
        fields.update(state.__dict__)
        fields.update(changes)
        return new


def mapping(default: Any = NOTHING) -> Any:
    """Declare a field of a command or option that is a map on the wire and a tuple of pairs in memory."""
    return field(default=default, metadata={"wire": "map"})


def seat_option(default: int = 0) -> Any:
    """Declare an option that is the number of a seat: a page offers the seats that there are, others are refused."""
    return field(default=default, metadata={"names": "seat"})


@frozen
class Result:
    """How a game ended: the points of each seat, and the seats that share the victory, ascending."""

    points: tuple[int, ...]
    winners: tuple[Seat, ...]


def winners_by(ranking: Iterable[Any]) -> tuple[Seat, ...]:
    """Name the seats whose key is the highest: the winners, given one sort key a seat."""
    keys = list(ranking)
    top = max(keys)
    return tuple(Seat(seat) for seat, key in enumerate(keys) if key == top)


@frozen
class RedactedCommand:
    """A sighting of a command that shows only its tag and those of its fields that are public."""

    tag: str
    fields: tuple[tuple[str, Any], ...] = ()


class Mark(Enum):
    """What begins with a note: the places a stepper jumps to."""

    TURN = "turn"
    TRICK = "trick"
    ROUND = "round"
    DEAL = "deal"


@frozen
class Note:
    """What happened in a step and the rule that made it so: a message key, and its values as pairs."""

    key: str
    rule: RuleBook | None = None
    values: tuple[tuple[str, Any], ...] = ()
    begins: Mark | None = None

    @classmethod
    def of(cls, key: str, rule: RuleBook | None = None, /, *, begins: Mark | None = None, **values: Any) -> Note:
        """Make a note whose values are given by name."""
        return cls(key, rule, tuple(values.items()), begins)


@frozen
class Meta:
    """What stands beside a command in the log and is never read by the rules.

    `at` is milliseconds since the match started; `id` the submitter's command id, at most 32 bytes; `by` who acted for
    the seat; `more` keeps keys of other programs.
    """

    at: int | None = None
    id: bytes | None = None
    by: str | None = None
    more: tuple[tuple[str, Any], ...] = ()


@frozen(slots=False)
class Takeback:
    """The one command that is not a game's: the state is again the one after event `to` (-1: the start)."""

    to: int


@frozen(slots=False)
class Event(Generic[C]):
    """A command with its place in the match."""

    seq: int
    seat: Seat
    command: C | Takeback
    meta: Meta | None = None


@frozen(slots=False)
class Step(Generic[S, C]):
    """One event with the state before and after it."""

    event: Event[C]
    before: S
    after: S
    game: Game[S, C, Any] = field(repr=False, eq=False)

    @property
    def seq(self) -> int:
        return self.event.seq

    @property
    def seat(self) -> Seat:
        return self.event.seat

    @property
    def command(self) -> C | Takeback:
        return self.event.command

    @property
    def notes(self) -> tuple[Note, ...]:
        """All that happened; `told` gives what one seat may know of it."""
        return self.notes_for(TABLE)

    def notes_for(self, viewer: Seat | None) -> tuple[Note, ...]:
        """Tell what this seat may know of what happened (`TABLE`: all, None: a spectator)."""
        if isinstance(self.event.command, Takeback):
            return (Note.of("takeback", to=self.event.command.to),)
        return tuple(self.game.explain(self, viewer))

    def command_for(self, viewer: Seat | None) -> C | Takeback | RedactedCommand:
        """Give what this seat sees of the command as it happens."""
        if isinstance(self.event.command, Takeback):
            return self.event.command
        return self.game.redact(self.event.command, self.event.seat, viewer)


@frozen
class ObservedEvent(Generic[C]):
    """What one seat saw of one event: the command, or what of it is public, and the notes that it was told."""

    seq: int
    seat: Seat
    command: C | Takeback | RedactedCommand
    notes: tuple[Note, ...]


@frozen
class Upcast:
    """How a log of one rules version reads as one of the next: a header to a header, an event to an event.

    Both get and give plain data as in the log: the header's map, and `(seat, tag, fields)`.
    """

    header: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    event: Callable[[int, str, Mapping[str, Any]], tuple[int, str, Mapping[str, Any]]] = lambda seat, tag, fields: (
        seat,
        tag,
        fields,
    )


def check_seat_options(options: Any, seats: int) -> None:
    """Refuse an option that names a seat (`seat_option`) and is none; raises `OptionError`."""
    for each in fields(type(options)):
        seat = getattr(options, each.name)
        if each.metadata.get("names") == "seat" and not 0 <= seat < seats:
            why = Message("no-such-seat", "a seat is 0 to {last}, not {given}", last=seats - 1, given=seat)
            raise OptionError(each.name, why)


def never_open_ended(state: Any, seat: Seat) -> bool:  # noqa: ARG001 (a function of a `Game` has its whole signature)
    """Answer for games whose every choice `legal` lists."""
    return False


@frozen
class Hints(Generic[S, C, V]):
    """What a game tells players that know no game, beside its rules.

    They have no state but the twins that they draw, so whatever these functions look at is no secret.
    """

    priors: Callable[[S, Seat], Iterable[tuple[C, float]]]
    """The legal commands worth thinking of, each once, with its weight above 0: how much it promises in this state."""
    evaluate: Callable[[S], Sequence[float]]
    """How each seat stands, the higher the better: what a playout comes to that is broken off."""
    determinize_history: Callable[[V, Sequence[ObservedEvent[C]]], Callable[[Shuffler], S]]
    """What makes twins of a view that keep to what its seat has seen happen: the sightings that no takeback undid."""


@frozen(eq=False)
class Game(Generic[S, C, V]):
    """A game, complete: all that the fold, the log, the tools and the host ask of it."""

    name: str
    """As in the log."""
    rules: int
    """The version of the rules."""
    seats: range
    """The numbers of seats that it can be played with."""
    options: type
    """A frozen attrs class, every option with its default."""
    book: type[RuleBook]
    """Every rule, its number and sentence."""
    wire: Mapping[type[C], str]
    """Command class to tag in the log: written down, never derived."""
    start: Callable[[Any, int], S]
    """The state before the first event, from the options and the number of seats."""
    to_act: Callable[[S], frozenset[Seat]]
    """Who is asked to act; empty: the game is over."""
    apply: Callable[[S, Seat, C], S]
    """The state after a command; or raises `RuleViolation`, and nothing has changed."""
    legal: Callable[[S, Seat], Iterator[C]]
    """The commands that `apply` accepts from a seat; for the table none."""
    deal: Callable[[S, Shuffler], C]
    """The table's command, from a source of shuffles."""
    view: Callable[[S, Seat | None], V]
    """What a seat may look at now."""
    redact: Callable[[C, Seat, Seat | None], C | RedactedCommand]
    """The sighting of a command (of the first seat) by the second."""
    determinize: Callable[[V, Shuffler], S]
    """A state that gives this view: all that the view does not show is drawn anew."""
    cards: Callable[[S], Iterable[Any]]
    """The cards of all places together: the same deck in every state after the first deal."""
    result: Callable[[S], Result | None]
    """The result, once the game is over."""
    explain: Callable[[Step[S, C], Seat | None], Iterator[Note]]
    """What this seat may be told of a step; `TABLE`: all."""
    scene: Callable[[V], Scene]
    """What the table looks like in a view."""
    parts: Callable[[C], tuple[Part, ...]]
    """The things of a scene, or the buttons, that a command names."""
    face: Callable[[Any], Face]
    """How a card looks."""
    texts: str
    """The package whose folder `texts/` has its catalogues: notes, rules, labels."""
    check_options: Callable[[Any, int], None] = check_seat_options
    """Raises `OptionError` where the options do not suit the number of seats."""
    layout: int = 1
    """The version of the state's layout, which digests are of."""
    upcasts: Mapping[int, Upcast] = field(factory=dict)
    """From rules version n to n + 1, unbroken from version 1."""
    open_ended: Callable[[S, Seat], bool] = never_open_ended
    """Whether the seat now has commands without number that `legal` cannot list (a word before a table judge)."""
    hints: Hints[S, C, V] | None = None
    """What helps bots to play it well; without, they know its rules."""
    shows: Mapping[str, tuple[str, ...]] = field(factory=dict)
    """What is shown to others for a moment though no view keeps it: by a command's tag the names of its fields, by a
    note's key the names of its values. Whatever else a seat is shown of an event, its views show too (law 5)."""
    vocabulary: tuple[int | str, ...] = tuple(range(256))
    """The ints and letters that its seats' commands are spelled with; their order numbers the actions of `core.env`."""
    planes: Mapping[str, str] = field(factory=dict)
    """What learners need to know of lists, by the name of a view's field or by `TAG.FIELD` of a command: `seats` (one
    item a seat, that of seat 0 first), `sequence` (the order of its cards tells something)."""

    def __attrs_post_init__(self) -> None:
        if sorted(self.upcasts) != list(range(1, self.rules)):
            raise GameError(
                self.name,
                Message(
                    "upcasts-from",
                    "upcasts from {given}: one from each of 1 … {last}",
                    given=sorted(self.upcasts),
                    last=self.rules - 1,
                ),
            )
        dotted = [tag for tag in self.wire.values() if tag.startswith(".")]
        if dotted or len(set(self.wire.values())) != len(self.wire):
            raise GameError(self.name, Message("tags-unique", "tags are unique and do not begin with a dot"))

    def __deepcopy__(self, _: Any) -> Game[S, C, V]:
        return self

    def rule(self, number: str) -> RuleBook:
        """Find a rule of this game, or one that holds for every game, by its number."""
        rules: list[RuleBook] = [*TableRule, *self.book]
        for rule in rules:
            if rule.number == number:
                return rule
        raise GameError(self.name, Message("no-rule", "no rule {number}", number=number))
