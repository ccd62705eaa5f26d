"""The parts of a game: each a module, a class or an object that fits a protocol, as mypy checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar

from .events import Note
from .result import Result
from .scene import Face, Part, Scene
from .shuffle import Shuffler

S = TypeVar("S")
C = TypeVar("C", covariant=True)


class Rules(Protocol[S, C]):
    """How states follow from commands: five pure functions.

    A part may have more than it must: `deal(state, shuffler)` returns the table's command, in a game with chance;
    `scores(state)` the score of each seat so far; `check_options(options, seats)` raises `OptionError`;
    `idle_rules(options, seats)` returns the rules that never come into play; `deck(options, seats)` and `cards(state)`
    return all cards, where they do not follow from the fields; `open_ended(state, seat)` says that a seat has more
    commands than `legal` lists; `legal_by_kind(state, seat, limit)` counts commands faster than it makes them.
    """

    def start(self, options: Any, seats: int, /) -> S: ...
    def to_act(self, state: S, /) -> frozenset[int]: ...
    def apply(self, state: S, seat: int, command: Any, /) -> S: ...
    def legal(self, state: S, seat: int, /) -> Iterable[C]: ...
    def result(self, state: S, /) -> Result | None: ...


class DeclaresView(Protocol):
    """The class of its views, declared by `@view_of`."""

    View: type


class Views(Protocol):
    """What a seat may look at now."""

    def view(self, state: Any, viewer: int | None, /) -> Any: ...


class Redacts(Protocol):
    """A step's command as a seat sees it."""

    def redact(self, step: Any, viewer: int | None, /) -> Any: ...


class Determinizes(Protocol):
    """A state with a view, in which all that the view does not show is drawn at random."""

    def determinize(self, view: Any, shuffler: Shuffler, /) -> Any: ...


class Constrains(Protocol):
    """Whether a drawn state may lie behind a view."""

    def constraint(self, view: Any, state: Any, /) -> bool: ...


class Explains(Protocol):
    """The notes of a step that a seat may see; all of them for `TABLE`."""

    def explain(self, step: Any, viewer: int | None, /) -> Iterable[Note]: ...


class Shows(Protocol):
    """What the table looks like in a view."""

    def scene(self, view: Any, /) -> Scene: ...


class NamesParts(Protocol):
    """The things of a scene, or the buttons, that a command names."""

    def parts(self, command: Any, /) -> tuple[Part, ...]: ...


class Faces(Protocol):
    """How a card looks."""

    def face(self, card: Any, /) -> Face: ...


Secrets = DeclaresView | Views | Redacts | Determinizes | Constrains
"""Who may see what, as far as a game writes it by hand: the rest follows from the marks."""
Table = Explains | Shows | NamesParts | Faces
"""How a game tells and shows itself, as far as it writes that by hand."""

PART_FUNCTIONS: Mapping[str, Mapping[str, int]] = {
    "rules": {
        "start": 2,
        "to_act": 1,
        "apply": 3,
        "legal": 2,
        "result": 1,
        "deal": 2,
        "scores": 1,
        "check_options": 2,
        "idle_rules": 2,
        "deck": 2,
        "cards": 1,
        "open_ended": 2,
        "legal_by_kind": 3,
    },
    "secrets": {"view": 2, "redact": 2, "determinize": 2, "constraint": 2},
    "table": {"explain": 2, "scene": 1, "parts": 1, "face": 1},
}
"""The functions that each part may have, with how many arguments they take."""
