"""Writing the trace of a log: what this engine makes of it (`docs/trace-format.md`)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from importlib.metadata import version
from itertools import islice
from typing import Any

import msgpack

from ..errors import LogError, Message
from ..game import TABLE, Game, Note, Result, Seat, Step
from ..log import Finding, Reading, read_bytes
from ..log.format import digest, first_chain
from ..log.framing import object_end
from ..log.reader import Find
from ..match import Match, call_game
from ..registry import find as find_installed
from ..wire import pack, wire_of
from .shape import shape_of

FORMAT = 1
SUM_BYTES = 16
MAX_LEGAL = 10_000
"""Where a seat has more commands than this, their set has no digest."""


def trace_log(log: bytes, find: Find = find_installed, *, conformance: bool = False) -> bytes:
    """Trace a log from its bytes; raises `LogError` if there is no match in it, `GameError` if the game fails."""
    reading = read_bytes(log, find)
    if reading.match is None:
        raise reading.error()
    return trace(reading, log_chain(log), conformance=conformance)


def log_chain(log: bytes) -> bytes:
    """Give the chain before the first event of a log: what its traces are known by; raises `LogError`."""
    try:
        return first_chain(log[: object_end(log, 0)])
    except ValueError:
        raise LogError("header", Message("no-log", "this is no log")) from None


def trace(reading: Reading, chain: bytes, *, conformance: bool = False) -> bytes:
    """Pack what became of a log that was read; `chain` is the one before its first event."""
    match = reading.match
    assert match is not None
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
        "view": shape_of(type(match.at(-1).view(None))) if conformance else None,
    }
    parts = [pack(head), *map(pack, _steps(match, conformance=conformance))]
    refused = next((each for each in reading.findings if each.seq == len(match.events) and _stops(each)), None)
    if refused is not None:
        parts.append(pack(_refusal(refused)))
    end = pack({"end": len(match.events), "log": reading.chain, "sum": bytes(SUM_BYTES)})
    body = b"".join([*parts, end[:-SUM_BYTES]])
    return body + trace_sum(body)


def trace_sum(body: bytes) -> bytes:
    """Give the sum that ends a trace, over all its bytes before it."""
    return blake2b(body, digest_size=SUM_BYTES).digest()


def as_data(value: Any) -> Any:
    """Turn a value of a game into what a trace gives back: arrays, maps, ints, texts, bools, bytes and nil."""
    return msgpack.unpackb(pack(value), strict_map_key=False)


def _steps(match: Match[Any, Any, Any], *, conformance: bool) -> Iterator[list[Any]]:
    """Give the start as step -1, then every step, each with what it changed."""
    game, heads = match.game, _Heads()
    before: Any = None
    for seq, state in enumerate(match.states, -1):
        after = as_data(state)
        notes = call_game(game, _explain, match.steps[seq]) if seq >= 0 else ()
        result = _result(call_game(game, game.result, state))
        step = [seq, list(changes(before, after)), [heads.short(note) for note in notes], result]
        if conformance:
            step += digests(game, state, len(match.header.seats))
        yield step
        before = after


def _explain(step: Step[Any, Any]) -> tuple[Note, ...]:
    return step.notes


def changes(before: Any, after: Any, path: tuple[int, ...] = ()) -> Iterator[list[Any]]:
    """Go through the places where two packed states differ: the path of each, and what is there now.

    Only arrays of arrays are looked into: a hand is told whole, hands are told by the seat.
    """
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        places = [place for place in range(len(after)) if pack(before[place]) != pack(after[place])]
        if not path or all(isinstance(before[each], list) and isinstance(after[each], list) for each in places):
            for place in places:
                yield from changes(before[place], after[place], (*path, place))
            return
    yield [path, after]


class _Heads:
    """The heads of the notes told so far, each written out once."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}

    def short(self, note: Note) -> list[Any]:
        """Give a note as its head, or the number of it, and its values."""
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


def digests(game: Game[Any, Any, Any], state: Any, seats: int) -> list[Any]:
    """Give the digests of what each seat that is asked may do, and of what every seat and a spectator see."""
    asked = sorted(call_game(game, game.to_act, state) - {TABLE})
    views = [digest(call_game(game, game.view, state, viewer)) for viewer in (*range(seats), None)]
    return [[[seat, legal_digest(game, state, seat)] for seat in asked], views]


def legal_digest(game: Game[Any, Any, Any], state: Any, seat: Seat) -> bytes | None:
    """Give the eight bytes that stand for the set of a seat's legal commands; None if it has too many to list."""
    if call_game(game, game.open_ended, state, seat):
        return None
    encode = wire_of(game).encode
    commands = call_game(game, _legal, game, state, seat)
    listed = [pack(encode(command)) for command in commands]
    if len(listed) > MAX_LEGAL:
        return None
    return blake2b(b"".join(sorted(listed)), digest_size=8).digest()


def _legal(game: Game[Any, Any, Any], state: Any, seat: Seat) -> list[Any]:
    return list(islice(game.legal(state, seat), MAX_LEGAL + 1))


def _stops(finding: Finding) -> bool:
    return finding.kind in ("rule", "form")


def _refusal(finding: Finding) -> dict[str, Any]:
    """Give what stopped the fold: the rule and the facts, or in words what was wrong with the event."""
    violation = finding.violation
    return {
        "refused": finding.seq,
        "seat": None if violation is None else violation.seat,
        "rule": None if violation is None else violation.rule.number,
        "facts": {} if violation is None else violation.facts,
        "why": finding.message if violation is None else None,
    }
