"""What a game is: a value, with nothing to subclass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import NOTHING, field, fields, frozen

from ..errors import GameError, MatchError, Message, OptionError
from .annotations import classes_of
from .events import FORMAT_COMMANDS, C, Event, FormatCommand, Note, ObservedEvent, RedactedCommand
from .result import Result
from .rule_book import RuleBook, TableRule
from .scene import Face, Part, Scene
from .seats import TABLE, Seat
from .shuffle import Shuffler

S = TypeVar("S")
V = TypeVar("V")

if TYPE_CHECKING:
    from attrs import evolve as evolve
else:
    set_attribute = object.__setattr__  # of a frozen class too

    def evolve(state, /, **changes):
        """Return the state with some fields changed: `attrs.evolve`, at a third of its cost.

        For classes made by `frozen(slots=False)`.
        """
        new = object.__new__(state.__class__)
        set_attribute(new, "__dict__", state.__dict__ | changes)
        return new


def mapping(default: Any = NOTHING) -> Any:
    """Declare a field of a command or of the options that is a map on the wire and a tuple of pairs in memory."""
    return field(default=default, metadata={"wire": "map"})


def seat_option(default: int = 0) -> Any:
    """Declare an option that is the number of a seat; `check_seat_options` refuses a number that no seat has."""
    return field(default=default, metadata={"names": "seat"})


@frozen(slots=False)
class Step(Generic[S, C]):
    """One event with the state before and after it."""

    event: Event[C]
    before: S
    after: S
    game: Game[S, C, Any] = field(repr=False, eq=False)

    @property
    def seq(self) -> int:
        """The number of the event in its match, from 0."""
        return self.event.seq

    @property
    def seat(self) -> Seat:
        """The seat that acted."""
        return self.event.seat

    @property
    def command(self) -> C | FormatCommand:
        """The whole command; `command_for` returns what one seat may see of it."""
        return self.event.command

    @property
    def notes(self) -> tuple[Note, ...]:
        """All notes of the step; `notes_for` returns those that one seat may see."""
        return self.notes_for(TABLE)

    def notes_for(self, viewer: Seat | None) -> tuple[Note, ...]:
        """Return the notes that this seat may see (`TABLE`: all, None: those of a spectator).

        Raises `MatchError` for a seat that the game never has.
        """
        if viewer is not TABLE:
            _check_viewer(self.game, viewer)
        if self.event.command.__class__ in FORMAT_COMMANDS:
            return self.event.command.notes
        return tuple(self.game.explain(self, viewer))

    def command_for(self, viewer: Seat | None) -> C | FormatCommand | RedactedCommand:
        """Return the command as this seat sees it: whole, or redacted.

        Raises `MatchError` for a seat that the game never has.
        """
        _check_viewer(self.game, viewer)
        if isinstance(self.event.command, FORMAT_COMMANDS):
            return self.event.command
        return self.game.redact(self.event.command, self.event.seat, viewer)


def _check_viewer(game: AnyGame, viewer: Seat | None) -> None:
    """Raise `MatchError` unless the game may have this viewer; a step does not know how many seats its match has."""
    if viewer is None or (viewer.__class__ is int and TABLE <= viewer < game.seats[-1]):
        return
    given, last = ascii(viewer)[:60], game.seats[-1] - 1
    raise MatchError(Message("no-such-seat", "a seat is 0 to {last}, not {given}", last=last, given=given))


def same_event(seat: int, tag: str, fields: Mapping[str, Any]) -> tuple[int, str, Mapping[str, Any]]:
    """Return the event as it is: for an upcast that changes the header alone."""
    return seat, tag, fields


@frozen
class Upcast:
    """Reads a log of one rules version as one of the next: a header to a header, an event to an event.

    Both functions take and return plain data as in the log: the header's map, and `(seat, tag, fields)`.
    """

    header: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    event: Callable[[int, str, Mapping[str, Any]], tuple[int, str, Mapping[str, Any]]] = same_event


def check_seat_options(options: Any, seats: int) -> None:
    """Raise `OptionError` if an option declared by `seat_option` is not the number of a seat."""
    for each in fields(type(options)):
        seat = getattr(options, each.name)
        if each.metadata.get("names") == "seat" and not 0 <= seat < seats:
            why = Message("no-such-seat", "a seat is 0 to {last}, not {given}", last=seats - 1, given=seat)
            raise OptionError(each.name, why)


def never_open_ended(state: Any, seat: Seat) -> bool:  # noqa: ARG001 (a function of a `Game` has its whole signature)
    """Return False: for games whose `legal` lists every command."""
    return False


SEARCH_ITERATIONS = 100
"""The iterations of a strong bot's search in a game that says nothing else."""
PLAYOUT_DEPTH = 40
"""The most commands of a playout in a search, in a game that says nothing else."""


def remember_all(history: Sequence[ObservedEvent[C]], level: str) -> Sequence[ObservedEvent[C]]:  # noqa: ARG001
    """Return the history as it is: nothing is forgotten."""
    return history


@frozen
class Hints(Generic[S, C, V]):
    """Heuristics of a game for bots that know no game.

    A bot calls them with determinizations alone, never with the true state, so they may read the whole state.
    """

    priors: Callable[[S, Seat], Iterable[tuple[C, float]]]
    """Returns the promising legal commands of a seat, each once, with a weight above 0."""
    evaluate: Callable[[S], Sequence[float]]
    """Returns an estimate per seat, on any scale, the higher the better: the value of a playout that is cut off."""
    determinize_history: Callable[[V, Sequence[ObservedEvent[C]]], Callable[[Shuffler], S]]
    """Returns a function that draws states which agree with a view and with its seat's effective observed events."""
    remembered: Callable[[Sequence[ObservedEvent[C]], str], Sequence[ObservedEvent[C]]] = remember_all
    """Returns what a bot of a level (`easy`, `normal`, `strong`) still remembers of its history; all unless given."""
    iterations: int = SEARCH_ITERATIONS
    """The iterations of a strong bot's search: as many as take well under a second. 0: the priors play better than a
    search, and a strong bot weighs them over many more states than a normal one."""
    playout_depth: int = PLAYOUT_DEPTH
    """The most commands of a playout; `evaluate` says what the state is worth that it comes to."""
    rollouts: int = 0
    """In place of a search a strong bot compares its best commands by so many playouts of each; 0: it does not."""
    playout_priors: Callable[[S, Seat], Iterable[tuple[C, float]]] | None = None
    """As `priors`, but by what the seat itself may know in the state: so seats play in rollouts. None: `priors`."""
    likelihood: Callable[[V, Sequence[ObservedEvent[C]]], Callable[[S], float]] | None = None
    """Returns a function that says of a drawn state how likely the others would have played in it as they did, above 0:
    rollouts are of the likelier states. None: all are alike."""


@frozen
class SmallWorld:
    """A part of the game so small that solvers can write it out whole: what `exact_game` and `exact_ending` take."""

    seats: int
    options: Mapping[str, Any] = field(factory=dict)
    last_events: int | None = None
    """The ending of a match that begins so many events before its end; None: the whole game."""
    longest: int | None = None
    """After so many events more a line is broken off, for a game whose rules force no end."""


def no_deal(state: Any, shuffler: Any) -> Any:  # noqa: ARG001 (a function of a `Game`)
    """Raise `GameError`: the game asks the table to act, and has no deal."""
    raise GameError(type(state).__module__, Message("no-deal", "the table is to act, and the game has no `deal`"))


def no_cards(state: Any) -> tuple[()]:  # noqa: ARG001 (a function of a `Game`)
    """Return nothing: in this game there is nothing that is never lost."""
    return ()


def no_idle_rules(options: Any, seats: int) -> tuple[()]:  # noqa: ARG001 (a function of a `Game`)
    """Return nothing: all rules of the game come into play in every match."""
    return ()


def _require_functions(game: AnyGame) -> None:
    """Raise `GameError` where something else is given for a function: `None` for one that a game leaves out, say."""
    for each in fields(Game):
        given = getattr(game, each.name)
        if str(each.type).startswith("Callable[") and given is not each.default and not callable(given):
            english = "`{name}` is a function, not {given}; what a game need not have, it leaves out"
            raise GameError(game.name, Message("no-function", english, name=each.name, given=ascii(given)[:60]))


@frozen(eq=False, repr=False)
class Game(Generic[S, C, V]):
    """A game as a value: the functions and data that the fold, the log, the tools and the host need."""

    name: str
    """The name in the log."""
    rules: int
    """The version of the rules, from 1."""
    seats: range
    """The numbers of seats that the game can be played with."""
    options: type
    """A frozen attrs class; every option has a default."""
    book: type[RuleBook]
    """Every rule, with its number and sentence."""
    wire: Mapping[type[C], str]
    """The tag in the log of each command class: written down, never derived."""
    start: Callable[[Any, int], S]
    """Returns the state before the first event, from the options and the number of seats."""
    to_act: Callable[[S], frozenset[Seat]]
    """Returns the seats that are to act; empty once the game is over."""
    apply: Callable[[S, Seat, C], S]
    """Returns the state after a command; raises `RuleViolation` if a rule forbids it."""
    legal: Callable[[S, Seat], Iterator[C]]
    """Yields the commands that `apply` accepts from a seat; none for the table."""
    view: Callable[[S, Seat | None], V]
    """Returns what a seat may look at now."""
    redact: Callable[[C, Seat, Seat | None], C | RedactedCommand]
    """Returns a command (of the first seat) as the second seat sees it."""
    determinize: Callable[[V, Shuffler], S]
    """Returns a state with this view, in which all that the view does not show is drawn at random."""
    result: Callable[[S], Result | None]
    """Returns the result once the game is over, None before."""
    explain: Callable[[Step[S, C], Seat | None], Iterator[Note]]
    """Yields the notes of a step that this seat may see; all of them for `TABLE`."""
    scene: Callable[[V], Scene]
    """Returns what the table looks like in a view."""
    parts: Callable[[C], tuple[Part, ...]]
    """Returns the things of a scene, or the buttons, that a command names."""
    face: Callable[[Any], Face]
    """Returns how a card looks."""
    texts: str
    """The package whose folder `texts/` has the game's message catalogues: notes, rules, labels."""
    cards: Callable[[S], Iterable[Any]] = no_cards
    """Returns the cards of all places together: the same deck in every state after the first deal. A game in which
    nothing stays, as where dice are rolled anew, has none."""
    deal: Callable[[S, Shuffler], C] = no_deal
    """Returns the table's command, its randomness from the shuffler; called only where `TABLE` is to act. A game
    without chance has none."""
    check_options: Callable[[Any, int], None] = check_seat_options
    """Raises `OptionError` if the options do not suit the number of seats."""
    idle_rules: Callable[[Any, int], Collection[RuleBook]] = no_idle_rules
    """Returns the rules that never come into play with these options and this number of seats."""
    layout: int = 1
    """The version of the state's layout: digests of two layouts are not compared."""
    upcasts: Mapping[int, Upcast] = field(factory=dict)
    """From rules version n to n + 1, unbroken from version 1."""
    open_ended: Callable[[S, Seat], bool] = never_open_ended
    """Returns True if the seat now has unboundedly many commands, which `legal` cannot list (a word in `mabr`)."""
    legal_by_kind: Callable[[S, Seat, int], Sequence[Sequence[C]]] | None = None
    """Returns the first commands of `legal`, at most the given number: a sequence for each class, in the order of first
    occurrence. For a game that can count its commands faster than make them; random play uses it instead of `legal`."""
    scores: Callable[[S], tuple[int, ...]] | None = None
    """Returns the score of each seat so far, as the first facts of a scene have it (law 9). For a game that can count
    faster than draw; tables of events use it instead of `scene`."""
    hints: Hints[S, C, V] | None = None
    """Heuristics for bots; without them a bot knows the rules alone."""
    shows: Mapping[str, tuple[str, ...]] = field(factory=dict)
    """What an event shows to others although no view keeps it: by a command's tag the names of its fields, by a note's
    key the names of its values. Whatever else an event shows to a seat, its views show too (law 5)."""
    looks: Mapping[str, tuple[str, ...]] = field(factory=dict)
    """The same for what an event shows only to the seat that acts."""
    vocabulary: tuple[int | str, ...] = tuple(range(256))
    """The ints, letters and words (`d3`) that commands are encoded with; their order numbers the actions of
    `core.env`."""
    planes: Mapping[str, str] = field(factory=dict)
    """What learners need to know of lists, by the name of a view's field or by `TAG.FIELD` of a command: `seats` (one
    item a seat, that of seat 0 first), `sequence` (the order of its cards tells something)."""
    sizes: Mapping[str, int] = field(factory=dict)
    """The most items of lists that may be longer than the deck, by the name of a view's field: a history of moves, the
    positions seen; of lists in lists all items, of texts all letters. Learners have room for so many (law 9)."""
    longest: int = 128
    """The number of a match's events that an information state has room for as numbers, the latest ones."""
    small_worlds: tuple[SmallWorld, ...] = ()
    """For researchers: what of the game is small enough to be solved exactly."""

    def __attrs_post_init__(self) -> None:
        _require_functions(self)
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
        annotated = [*classes_of(self.apply, 2), *classes_of(self.legal), *classes_of(self.deal)]
        without = {each.__name__: None for each in annotated if not any(issubclass(kind, each) for kind in self.wire)}
        if without:
            why = Message("commands-without-tags", "`wire` has no tag for {commands}", commands=", ".join(without))
            raise GameError(self.name, why)

    @property
    def has_deal(self) -> bool:
        """False for a game without chance: the table never acts, and a match needs no seed."""
        return self.deal is not no_deal

    @property
    def has_cards(self) -> bool:
        """False for a game in which nothing stays, such as one of dice: law 4 has nothing to judge."""
        return self.cards is not no_cards

    def __repr__(self) -> str:
        return f"<Game {self.name}, rules version {self.rules}>"

    def __deepcopy__(self, _: Any) -> Game[S, C, V]:
        return self

    def rule(self, number: str) -> RuleBook:
        """Return the rule with this number, of this game or of `TableRule`; raises `GameError` if there is none."""
        rules: list[RuleBook] = [*TableRule, *self.book]
        for rule in rules:
            if rule.number == number:
                return rule
        raise GameError(self.name, Message("no-rule", "no rule {number}", number=number))


AnyGame = Game[Any, Any, Any]
AnyStep = Step[Any, Any]
