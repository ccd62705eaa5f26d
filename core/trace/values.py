"""The values behind the digests of a trace, made anew of a log for a difference to show; and values as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import attrs

from ..game import AnyGame, Note, RedactedCommand
from ..log import Reading
from ..match.fold import call_game
from .change import DIGEST, Difference
from .facets import LISTED, fields_of, scene_viewer
from .read import Refusal
from .shape import Shape, inner, shape_of
from .trace_diff import Comparison, StepDifference, differences
from .trials import Trials, verdicts
from .write import as_data

Value = list[Any]
"""Plain data, and its shape."""

Source = Callable[[int, Sequence[str]], list[Value | None]]
"""Returns the values of parts of a step by name, as `values_of` does; for one that is unknown None."""


def format_value(value: Any, shape: Shape, game: AnyGame | None) -> str:
    """Format a packed value: cards by their faces, a list in brackets, a class with the names of its fields."""
    if shape == DIGEST and value is not None:
        return f"#{value[0] if isinstance(value, list) else value:08x}"
    if isinstance(value, list):
        parts = [format_value(each, inner(shape, place), game) for place, each in enumerate(value)]
        if isinstance(shape, dict) and len(shape) == len(value):
            parts = [f"{name}={part}" for name, part in zip(shape, parts, strict=True)]
        return f"[{' '.join(parts)}]"
    if shape == "card" and isinstance(value, int):
        return _face(value, game)
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return value.hex() if isinstance(value, bytes) else str(value)


def _face(card: int, game: AnyGame | None) -> str:
    try:
        return str(game.face(card).text) if game is not None else str(card)
    except Exception:  # a card that the game here does not have
        return str(card)


def values_of(reading: Reading, chain: bytes, seq: int, names: Sequence[str]) -> list[Value | None]:
    """Return what parts of a step are, by name; raises `GameError` where the game fails."""
    match = reading.match
    assert match is not None
    viewers = (*range(len(match.header.seats)), None)
    state, found = match.states[seq + 1], []
    for name in names:
        kind, _, rest = name.partition("(")
        who, _, field = rest.partition(")")
        viewer = None if who == "spectator" or not who else int(who)
        if kind == "view":
            found.append(_field(call_game(match.game, match.game.view, state, viewer), field[1:]))
        elif kind == "legal":
            found.append(_texts(_commands(match.game, state, viewer)))
        elif kind == "command":
            found.append(_texts([_command(match.game, call_game(match.game, match.steps[seq].command_for, viewer))]))
        elif kind == "notes":
            found.append(_texts(map(_note, call_game(match.game, match.steps[seq].notes_for, viewer))))
        elif kind == "facts":
            tried = Trials(match.game, match.events, len(viewers) - 1, chain).after(seq)
            found.append(_texts(_told(rule, facts) for rule, facts in verdicts(match.game, state, tried)))
        else:
            view = call_game(match.game, match.game.view, state, viewers[scene_viewer(seq, len(viewers))])
            scene = call_game(match.game, match.game.scene, view)
            found.append([as_data(scene), shape_of(type(scene))])
    return found


def _field(view: Any, name: str) -> Value | None:
    names, values = fields_of(view)
    if name not in names:
        return None
    shape = shape_of(type(view))
    return [as_data(values[names.index(name)]), shape.get(name) if isinstance(shape, dict) else None]


def _texts(lines: Any) -> Value:
    return [list(lines), None]


def _commands(game: AnyGame, state: Any, seat: int | None) -> Iterator[str]:
    return (_command(game, each) for each in islice(call_game(game, game.legal, state, seat), LISTED))


def _command(game: AnyGame, command: Any) -> str:
    if isinstance(command, RedactedCommand):
        return _told(command.tag, dict(command.fields))
    shape: Any = shape_of(type(command))
    fields = [each for each in zip(*fields_of(command), strict=True) if each[0]]
    told = {name: format_value(as_data(value), shape[name], game) for name, value in fields}
    return _told(game.wire.get(type(command), type(command).__name__), told)


def _note(note: Note) -> str:
    return _told(note.key, dict(note.values))


def _told(key: str, values: dict[str, Any]) -> str:
    return " ".join([key or "-", *(f"{name}={value}" for name, value in values.items())])


def with_values(comparison: Comparison, one: Source | None, other: Source | None, *, every: bool) -> Comparison:
    """Return a comparison that has values in place of digests, in all steps or in those that are shown as text."""
    chosen = comparison.steps if every else (comparison.first, comparison.worst)
    shown = {each.seq for each in chosen if each is not None}
    steps = [_valued(each, one, other) if each.seq in shown else each for each in comparison.steps]
    return attrs.evolve(comparison, steps=tuple(steps))


def _valued(step: StepDifference, one: Source | None, other: Source | None) -> StepDifference:
    names = [each.path for each in step.fields if each.shape == DIGEST]
    if not names or isinstance(step.a, Refusal) or isinstance(step.b, Refusal):
        return step
    sides = [dict(zip(names, source(step.seq, names), strict=False)) if source else {} for source in (one, other)]
    return attrs.evolve(step, fields=tuple(part for field in step.fields for part in _parts(field, *sides)))


def _parts(field: Difference, ours: dict[str, Any], theirs: dict[str, Any]) -> Iterator[Difference]:
    """Yield the parts of a field that differ by their values; of one that only one side knows, that value."""
    one, other = ours.get(field.path), theirs.get(field.path)
    if one is not None and other is not None and one[0] != other[0]:
        for part in differences(one[0], other[0], one[1], other[1], field.path, field.change):
            yield attrs.evolve(part, leak=field.leak)
    elif one is not None and one == other and field.path.startswith("legal("):  # alike as far as they are listed
        yield attrs.evolve(field, a=field.a[0], b=field.b[0], shape=None)
    elif one is not None or other is not None:
        known: Any = one or other
        digests = (None if each is None else format_value(each, DIGEST, None) for each in (field.a, field.b))
        a, b = (digest if value is None else value[0] for value, digest in zip((one, other), digests, strict=True))
        yield attrs.evolve(field, a=a, b=b, shape=known[1])
    else:
        yield field
