"""What an engine makes of a step besides its state, in small: a digest for each part by which two engines are compared.

Parts that stand until they change: who is to act, the legal commands of each seat, the scores, each field of each
viewer's view, the scenes, and how much is hidden from each viewer. Parts of one step: the command and the notes as each
viewer is shown them, where that is less than all, and the refusals of some commands that nobody gave (`trials.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import islice
from operator import attrgetter
from typing import Any, Final

import attrs

from ..game import TABLE, AnyGame, AnyStep, Note, RedactedCommand
from ..match.fold import call_game
from ..wire import pack, wire_of

Facets = dict[str, Any]
"""The parts by name, such as `legal(2)`, `view(2).hands` or `scene`."""

MAX_LEGAL = 10_000
"""The most legal commands of a seat that are counted."""
LISTED = 200
"""The most of them that get a digest."""

_HASH: Final = blake2b(digest_size=8)


def short_digest(packed: bytes) -> int:
    """Return the digest of packed bytes as a number: the first four bytes of their BLAKE2b-64."""
    hashed = _HASH.copy()
    hashed.update(packed)
    return int.from_bytes(hashed.digest()[:4], "big")


def viewer_name(viewer: int | None) -> str:
    """Return the viewer as facets name it."""
    return "spectator" if viewer is None else str(viewer)


class Standing:
    """The parts that stand, computed state by state: what has not changed is not packed again."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self.game = game
        self.viewers: tuple[int | None, ...] = (*range(seats), None)
        self._last: dict[str, tuple[Any, int]] = {}

    def acting(self, state: Any) -> Facets:
        """Return who is to act in a state, which every step has; raises `GameError` where the game fails."""
        return {"to_act": sorted(call_game(self.game, self.game.to_act, state))}

    def of(self, seq: int, state: Any) -> Facets:
        """Return the parts of the state after a step; raises `GameError` where the game fails."""
        game, facets = self.game, self.acting(state)
        for seat in facets["to_act"]:
            if seat != TABLE:
                facets[f"legal({seat})"] = legal_digest(game, state, seat)
        if game.scores is not None:
            facets["scores"] = list(call_game(game, game.scores, state))
        whole = call_game(game, game.view, state, TABLE)
        names, everything = fields_of(whole)
        hidden, scene = [], 0
        turn = scene_viewer(seq, len(self.viewers))
        for place, viewer in enumerate(self.viewers):
            view = call_game(game, game.view, state, viewer)
            own, values = (names, _values(view)) if view.__class__ is whole.__class__ else fields_of(view)
            label = f"view({viewer_name(viewer)})"
            for name, value in zip(own, values, strict=True):
                facets[f"{label}.{name}"] = self._digest(name, value)
            hidden.append(hidden_in(values, everything))
            if place == turn:
                scene = short_digest(packed(call_game(game, game.scene, view)))
        return facets | {"hidden": hidden, "scene": scene}

    def _digest(self, name: str, value: Any) -> int:
        last, digest = self._last.get(name, (_NOTHING, 0))
        if last is not value:
            digest = short_digest(packed(value))
            self._last[name] = (value, digest)
        return digest


_NOTHING: Final = object()


def scene_viewer(seq: int, viewers: int) -> int:
    """Return the place of the viewer whose scene is made after a step: scenes take the longest."""
    return (seq + 2) % viewers


def legal_digest(game: AnyGame, state: Any, seat: int) -> list[int]:
    """Return how many legal commands a seat has, the digest of their set, and one of their order.

    Of more than `LISTED` the digest is that of the first so many. Empty if they are without number, or too many to
    count. A seat has only what it is shown: as many as are listed by kind, if that is fewer.
    """
    listed = legal_commands(game, state, seat)
    if listed is None:
        return []
    count = len(listed)
    if count > LISTED:
        listed.pop()
        count = legal_count(game, state, seat, MAX_LEGAL + 1)
        if count > MAX_LEGAL:
            return []
    elif game.legal_by_kind is not None:
        count = min(count, legal_count(game, state, seat, count))
    return [count, short_digest(b"".join(sorted(listed))), short_digest(b"".join(listed)) & 0xFFFF]


def legal_commands(game: AnyGame, state: Any, seat: int, most: int = LISTED) -> list[bytes] | None:
    """Return the packed legal commands of a seat, at most one more than `most`; None if they are without number."""
    if call_game(game, game.open_ended, state, seat):
        return None
    encode = wire_of(game).encode
    return [pack(encode(command)) for command in call_game(game, _first, game.legal, state, seat, most)]


def legal_count(game: AnyGame, state: Any, seat: int, most: int) -> int:
    """Return how many legal commands a seat has, up to so many; 0 if they are without number."""
    return int(call_game(game, _counted, game, state, seat, most))


def _counted(game: AnyGame, state: Any, seat: int, most: int) -> int:
    if game.open_ended(state, seat):
        return 0
    if game.legal_by_kind is None:
        return len(_first(game.legal, state, seat, most - 1))
    return sum(map(len, game.legal_by_kind(state, seat, most)))


def _first(legal: Callable[..., Iterable[Any]], state: Any, seat: int, most: int) -> list[Any]:
    return list(islice(legal(state, seat), most + 1))


def shown(step: AnyStep, notes: Sequence[Note], viewers: Iterable[int | None]) -> Facets:
    """Return what viewers are shown of a step, where it is less than the table is: a digest, and how much is hidden.

    `notes` are the table's. Notes that are shown for a moment are named by their places.
    """
    facets: Facets = {}
    for viewer in viewers:
        name = viewer_name(viewer)
        command = call_game(step.game, step.command_for, viewer)
        if isinstance(command, RedactedCommand):
            whole = _values_by_name(step.command)
            less = sum(_less(dict(command.fields).get(field), value) for field, value in whole.items())
            facets[f"command({name})"] = [short_digest(packed((command.tag, command.fields))), less]
        theirs = call_game(step.game, step.notes_for, viewer)
        if theirs != notes:
            facets[f"notes({name})"] = [short_digest(packed(list(map(plain_note, theirs)))), _untold(theirs, notes)]
    if passing := [place for place, note in enumerate(notes) if note.momentary]:
        facets["momentary"] = passing
    return facets


def plain_note(note: Note) -> list[Any]:
    """Return what is compared of a note."""
    return [note.key, None if note.rule is None else note.rule.number, note.values]


def _untold(told: Iterable[Note], notes: Iterable[Note]) -> int:
    """Return how many values of the notes a viewer is not told; a note that it does not get counts one more."""
    left, hidden = list(told), 0
    for note in notes:
        same = next((each for each in left if each.key == note.key), None)
        if same is None:
            hidden += 1 + len(note.values)
            continue
        left.remove(same)
        have = dict(same.values)
        hidden += sum(_less(have.get(name), value) for name, value in note.values)
    return hidden


def hidden_in(values: Iterable[Any], everything: Iterable[Any]) -> int:
    """Return how much of all that the table sees a viewer does not: so many cards, numbers and the like."""
    return sum([_less(one, whole) for one, whole in zip(values, everything, strict=False) if one is not whole])


def _less(seen: Any, whole: Any) -> int:
    """Return how many parts of a value somebody does not see who sees `seen` in its place."""
    if seen is whole or seen == whole:
        return 0
    if whole.__class__ is not tuple:
        return 1
    if seen.__class__ is not tuple:
        return max(len(whole), 1)
    if len(seen) == len(whole):
        return sum([_less(one, other) for one, other in zip(seen, whole, strict=True)])
    return max(len(whole) - len(seen), 1)


def fields_of(value: Any) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the names and the values of the fields of a view; what has no fields is one without a name."""
    return _names(value.__class__), _values(value)


def _values(value: Any) -> tuple[Any, ...]:
    values: tuple[Any, ...] = getter_of(value.__class__)(value)
    return values


def _values_by_name(value: Any) -> dict[str, Any]:
    return dict(zip(*fields_of(value), strict=True))


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in attrs.fields(kind)) if attrs.has(kind) else ("",)


@cache
def getter_of(kind: Any, without: frozenset[str] = frozenset()) -> Callable[[Any], tuple[Any, ...]]:
    """Return what returns the values of the fields of such a view or state, without some."""
    names = [name for name in _names(kind) if name not in without]
    if not attrs.has(kind):
        return lambda value: (value,)
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)


def packed(value: Any) -> bytes:
    """Return a value of any class as bytes: where it cannot be packed, what it says of itself."""
    try:
        return pack(value)
    except (TypeError, ValueError, OverflowError):  # of a class that no log holds: a scene or a view may have any
        return repr(value).encode()


def changed(before: Facets, after: Facets, viewers: Sequence[int | None]) -> Iterator[tuple[str, Any]]:
    """Yield the parts that are other than before; None for one that is gone.

    A field of views that becomes the same for all viewers is told once, as `view.NAME`.
    """
    together: dict[str, list[tuple[str, Any]]] = {}
    for name, value in after.items():
        if before.get(name, _NOTHING) != value:
            if name.startswith("view("):
                together.setdefault(name.partition(".")[2], []).append((name, value))
            else:
                yield name, value
    for field, found in together.items():
        if len(found) == len(viewers) and len({value for _, value in found}) == 1:
            yield f"view.{field}", found[0][1]
        else:
            yield from found
    yield from ((name, None) for name in before if name not in after)


def put(facets: Facets, name: str, value: Any, viewers: Iterable[int | None]) -> None:
    """Change parts as `changed` tells it."""
    if name.startswith("view."):
        for viewer in viewers:
            facets[f"view({viewer_name(viewer)}).{name[5:]}"] = value
    elif value is None:
        facets.pop(name, None)
    else:
        facets[name] = value
