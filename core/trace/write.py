"""The writer of traces: what this engine computes from a log (`docs/trace-format.md`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from importlib.metadata import version
from itertools import islice
from typing import Any

import msgpack

from ..errors import LogError, Message
from ..game import TABLE, AnyGame, AnyStep, Note, Result, Seat
from ..log import Finding, Reading, read_bytes
from ..log.format import digest, first_chain
from ..log.framing import object_end
from ..log.reader import Find
from ..match import AnyMatch
from ..match.fold import call_game
from ..match.registry import find as find_installed
from ..wire import wire_of
from ..wire.packing import pack
from .options import fit_options, option_fields, without_one_sided
from .shape import Shape, shape_of

FORMAT = 1
SUM_BYTES = 16
MAX_LEGAL = 10_000
"""The most legal commands of a seat that get a digest."""


def trace_log(log: bytes, find: Find = find_installed, *, conformance: bool = False, views_as: Shape = None) -> bytes:
    """Return the trace of a log; raises `LogError` if there is no match in it, `GameError` if the game fails."""
    reading = read_bytes(log, find)
    if reading.match is None:
        raise reading.error()
    return trace(reading, log_chain(log), conformance=conformance, views_as=views_as)


def log_chain(log: bytes) -> bytes:
    """Return the chain before the first event of a log, by which its traces are identified; raises `LogError`."""
    try:
        return first_chain(log[: object_end(log, 0)])
    except ValueError:
        raise LogError("header", Message("no-log", "this is no log")) from None


def trace(reading: Reading, chain: bytes, *, conformance: bool = False, views_as: Shape = None) -> bytes:
    """Return the trace of a log that was read; `chain` is the one before its first event.

    With `views_as`, the shape of another trace's views, the digests are of the views without the options that are not
    in that shape, so that they can be compared with the other trace's.
    """
    match = reading.match
    assert match is not None
    fitting = _FittingViews(match, views_as) if conformance else None
    head = {
        "trace": FORMAT,
        "game": match.game.name,
        "rules": match.game.rules,
        "layout": match.game.layout,
        "engine": f"kifu {version('kifu')}",
        "match": match.header.match,
        "seats": len(match.header.seats),
        "log": chain,
        "state": shape_of(type(match.states[0])),
        "view": fitting.shape if fitting is not None else None,
    }
    parts = [pack(head), *map(pack, _steps(match, fitting))]
    refused = next((each for each in reading.findings if each.seq == len(match.events) and _stops(each)), None)
    if refused is not None:
        parts.append(pack(_refusal(refused)))
    end = pack({"end": len(match.events), "log": reading.chain, "sum": bytes(SUM_BYTES)})
    body = b"".join([*parts, end[:-SUM_BYTES]])
    return body + trace_sum(body)


def trace_sum(body: bytes) -> bytes:
    """Return the 16-byte sum that ends a trace: the hash of all bytes before it."""
    return blake2b(body, digest_size=SUM_BYTES).digest()


def as_data(value: Any) -> Any:
    """Return a value of a game as a trace has it: lists, dicts, ints, texts, bools, bytes and None."""
    return msgpack.unpackb(pack(value), strict_map_key=False)


class _FittingViews:
    """The views of a match, without the options that another trace's views do not have."""

    def __init__(self, match: AnyMatch, other: Shape) -> None:
        self._own = shape_of(type(match.at(-1).view(None)))
        self._other = other
        self._options = option_fields(match)
        self.shape = self._own if other is None else without_one_sided(self._own, other, self._options)

    def digest(self, view: Any) -> bytes:
        """Return the digest of a view."""
        if self.shape == self._own:
            return digest(view)
        return digest(fit_options(as_data(view), self._own, self._other, self._options))


def _steps(match: AnyMatch, fitting: _FittingViews | None) -> Iterator[list[Any]]:
    """Yield the start as step -1, then every step, each with the places it changed."""
    game, heads = match.game, _NoteHeads()
    before: Any = None
    for seq, state in enumerate(match.states, -1):
        after = as_data(state)
        notes = call_game(game, _explain, match.steps[seq]) if seq >= 0 else ()
        result = _result(call_game(game, game.result, state))
        step = [seq, list(changes(before, after)), [heads.short(note) for note in notes], result]
        if fitting is not None:
            step += digests(game, state, len(match.header.seats), fitting.digest)
        yield step
        before = after


def _explain(step: AnyStep) -> tuple[Note, ...]:
    return step.notes


def changes(before: Any, after: Any, path: tuple[int, ...] = ()) -> Iterator[list[Any]]:
    """Yield the places where two packed states differ: the path of each, and the new value there.

    Only arrays of arrays are compared item by item: a hand is one value, the hands of all seats are several.
    """
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        places = [place for place in range(len(after)) if pack(before[place]) != pack(after[place])]
        if not path or all(isinstance(before[each], list) and isinstance(after[each], list) for each in places):
            for place in places:
                yield from changes(before[place], after[place], (*path, place))
            return
    yield [path, after]


class _NoteHeads:
    """The heads of the notes so far, each written out once."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}

    def short(self, note: Note) -> list[Any]:
        """Return a note as its head, or the number of a head written before, and its values."""
        rule = note.rule.number if note.rule is not None else None
        head = [note.key, rule, note.begins, [name for name, _ in note.values]]
        values = [value for _, value in note.values]
        packed = pack(head)
        if packed in self._known:
            return [self._known[packed], *values]
        self._known[packed] = len(self._known)
        return [head, *values]


def _result(result: Result | None) -> list[Any] | None:
    return None if result is None else [result.points, result.winners]


def digests(game: AnyGame, state: Any, seats: int, digest_view: Callable[[Any], bytes] = digest) -> list[Any]:
    """Return the digests of conformance: of the legal commands of each seat to act, and of all views."""
    to_act = sorted(call_game(game, game.to_act, state) - {TABLE})
    views = [digest_view(call_game(game, game.view, state, viewer)) for viewer in (*range(seats), None)]
    return [[[seat, legal_digest(game, state, seat)] for seat in to_act], views]


def legal_digest(game: AnyGame, state: Any, seat: Seat) -> bytes | None:
    """Return the 8-byte digest of the set of a seat's legal commands; None if it has too many to list."""
    if call_game(game, game.open_ended, state, seat):
        return None
    encode = wire_of(game).encode
    commands = call_game(game, _legal, game, state, seat)
    listed = [pack(encode(command)) for command in commands]
    if len(listed) > MAX_LEGAL:
        return None
    return blake2b(b"".join(sorted(listed)), digest_size=8).digest()


def _legal(game: AnyGame, state: Any, seat: Seat) -> list[Any]:
    return list(islice(game.legal(state, seat), MAX_LEGAL + 1))


def _stops(finding: Finding) -> bool:
    return finding.kind in ("rule", "form")


def _refusal(finding: Finding) -> dict[str, Any]:
    """Return the refusal that stopped the fold: the rule and the facts, or what is wrong with the event as text."""
    violation = finding.violation
    return {
        "refused": finding.seq,
        "seat": None if violation is None else violation.seat,
        "rule": None if violation is None else violation.rule.number,
        "facts": {} if violation is None else violation.facts,
        "why": finding.message if violation is None else None,
    }
