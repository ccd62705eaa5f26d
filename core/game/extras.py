"""What only learners, bots or laws need of a game: each is given once in `Game.extras`, and looked up by its type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from attrs import field, frozen

from .events import C, ObservedEvent
from .shuffle import Shuffler

S = TypeVar("S")
V = TypeVar("V")

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

    priors: Callable[[S, int], Iterable[tuple[C, float]]]
    """Returns the promising legal commands of a seat, each once, with a weight above 0."""
    evaluate: Callable[[S], Sequence[float]]
    """Returns an estimate per seat, on any scale, the higher the better: the value of a playout that is cut off."""
    determinize_history: Callable[[V, Sequence[ObservedEvent[C]]], Callable[[Shuffler], S]] = field(default=None)
    """Returns a function that draws states which agree with a view and with its seat's effective observed events; the
    game's `determinize`, which knows the view alone, unless given."""
    remembered: Callable[[Sequence[ObservedEvent[C]], str], Sequence[ObservedEvent[C]]] = remember_all
    """Returns what a bot of a level (`easy`, `normal`, `strong`) still remembers of its history; all unless given."""
    iterations: int = SEARCH_ITERATIONS
    """The iterations of a strong bot's search: as many as take well under a second. 0: the priors play better than a
    search, and a strong bot weighs them over many more states than a normal one."""
    playout_depth: int = PLAYOUT_DEPTH
    """The most commands of a playout; `evaluate` says what the state is worth that it comes to."""
    rollouts: int = 0
    """In place of a search a strong bot compares its best commands by so many playouts of each; 0: it does not."""
    playout_priors: Callable[[S, int], Iterable[tuple[C, float]]] | None = None
    """As `priors`, but by what the seat itself may know in the state: so seats play in rollouts. None: `priors`."""
    likelihood: Callable[[V, Sequence[ObservedEvent[C]]], Callable[[S], float]] | None = None
    """Returns a function that says of a drawn state how likely the others would have played in it as they did, above 0:
    rollouts are of the likelier states. None: all are alike."""


@frozen
class ScoreRows:
    """The rows of the game's own score sheet; without them it has the first fact of each seat, wherever one changes.

    `rows` names, by the key of a note, its value with a number for each seat, or with that of the `seat` it tells of:
    `{"scored-suit": "sums"}`. The message `row-KEY` calls the row, with its values; the note's `seats` lead in it.
    """

    rows: Mapping[str, str]


@frozen
class Passing:
    """What an event shows although no view keeps it.

    By a command's tag the names of its fields, by a note's key the names of its values. Whatever else an event shows to
    a seat, its views show too (law 5).
    """

    shows: Mapping[str, tuple[str, ...]] = field(factory=dict)
    """What others are shown."""
    looks: Mapping[str, tuple[str, ...]] = field(factory=dict)
    """What only the seat is shown that acts."""


@frozen
class Encoding:
    """What learners need to make numbers of a game (`kifu.core.env`)."""

    vocabulary: tuple[int | str, ...] = tuple(range(256))
    """The ints, letters and words (`d3`) that commands are encoded with; their order numbers the actions."""
    sizes: Mapping[str, int] = field(factory=dict)
    """The most items of lists that may be longer than the deck, by the name of a view's field: a history of moves, the
    positions seen; of lists in lists all items, of texts all letters. Learners have room for so many (law 9)."""
    by_seat: tuple[str, ...] = ()
    """Lists of one item a seat, that of seat 0 first, so that learners count them from their own: names of a view's
    fields that are empty at first, and `TAG.FIELD` of commands."""
    longest: int = 128
    """The number of a match's events that an information state has room for as numbers, the latest ones."""


def hints_of(game: Any) -> Hints[Any, Any, Any] | None:
    """Return the hints of a game for bots; None if it has none."""
    found: Hints[Any, Any, Any] | None = game.extra(Hints)
    return found


def passing_of(game: Any) -> Passing:
    """Return what a game's events show although no view keeps it."""
    return game.extra(Passing) or _NOTHING_PASSES


def encoding_of(game: Any) -> Encoding:
    """Return what learners need of a game."""
    return game.extra(Encoding) or _PLAIN


_NOTHING_PASSES = Passing()
_PLAIN = Encoding()
