"""Whether every command of a seat with a key is signed by it, once, and every takeback by those who agreed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .codec import is_bytes, is_int, is_list, signed
from .log import Event, Found, Log, Unfit


def audit_commands(log: Log) -> Found:
    """Find what is wrong with the signatures of a log's events."""
    try:
        host, keys = log.keys()
    except Unfit:
        return {("signature", None)}
    if "veil" not in log.header:
        return {("signature", None)} if host or any(keys) else set()
    if not log.marks:
        return set()
    return _Commands(log, keys).found()


class _Commands:
    def __init__(self, log: Log, keys: list[Any]) -> None:
        self.log, self.keys, self.match = log, keys, log.header.get("match")
        self.ways = _ways(log.events)

    def found(self) -> Found:
        wrong: set[int] = set()
        invalid: dict[int, int] = {}
        for seq, event in enumerate(self.log.events):
            for seat in self._amiss(seq, event) if seq > self.log.forked_at else ():
                if seat is None:
                    wrong.add(seq)
                else:
                    invalid.setdefault(seat, seq)
        return {("signature", seq) for seq in wrong | set(invalid.values())}

    def _amiss(self, seq: int, event: Event) -> Iterator[int | None]:
        """Yield None for what is amiss, and the seat of each signature that does not hold."""
        if event.seat == -1 and event.tag == ".takeback":
            yield from self._takeback(seq, event)
        elif self._key(event.seat) is None:
            if event.has_sign:
                yield None
        elif event.of_meta("by") is not None or not event.has_sign:
            if (event.of_meta("by") is None) != event.has_sign:
                yield None
        else:
            yield from self._command(seq, event)

    def _key(self, seat: Any) -> Any:
        return self.keys[seat] if is_int(seat) and seat < len(self.keys) else None

    def _command(self, seq: int, event: Event) -> Iterator[int | None]:
        seat, ident, sign = event.seat, event.of_meta("id"), event.meta["sign"]
        earlier = [each.of_meta("id") for each in self.log.events[:seq] if each.seat == seat]
        if type(ident) is not bytes or ident in earlier:
            yield None
        if not isinstance(sign, list) or len(sign) != 2 or not is_int(sign[0]) or not is_bytes(sign[1], 64):
            yield None
            return
        at = sign[0]
        if at > seq or any(each.seat in (-1, seat) for each in self.log.events[at:seq]):
            yield None
        if at <= seq and type(ident) is bytes:
            name = ["kifu command 1", self.match, seat, at, self.log.marks[at], event.tag, event.fields, ident]
            if not holds(self.keys[seat], sign[1], name):
                yield seat

    def _takeback(self, seq: int, event: Event) -> Iterator[int | None]:
        wisher = next((seat for seat in range(len(self.keys)) if event.of_meta("by") == f"seat {seat}"), None)
        if wisher is None:
            yield None
        given = event.meta["sign"] if event.has_sign else []
        if not are_signatures(given):
            yield None
            return
        to = event.fields.get("to") if isinstance(event.fields, dict) else None
        for seat, signature in given:
            name = ["kifu wish 1", self.match, seat, seq, self.log.marks[seq], "take_back", to]
            if self._key(seat) is None:
                yield None
            elif not holds(self._key(seat), signature, name):
                yield seat
        needed = {wisher} if wisher is not None and self._is_free(seq, wisher, to) else set(range(len(self.keys)))
        have = {seat for seat, _ in given}
        if any(self.keys[seat] is not None and seat not in have for seat in needed):
            yield None

    def _is_free(self, seq: int, wisher: int, to: Any) -> bool:
        """Whether only this seat and the table have acted since, on the way to the present."""
        if not is_int(to, -1) or to >= seq:
            return False
        back, now = self.ways[to + 1], self.ways[seq]
        return now[: len(back)] == back and all(self.log.events[each].seat in (wisher, -1) for each in now[len(back) :])


def _ways(events: list[Event]) -> list[tuple[int, ...]]:
    """Return for each moment the events that led there and were not taken back."""
    ways: list[tuple[int, ...]] = [()]
    for seq, (seat, _, tag, fields) in enumerate(events):
        to = fields.get("to") if tag == ".takeback" and isinstance(fields, dict) else None
        if is_int(to, -1) and to < seq:
            ways.append(ways[to + 1])
        elif seat == -1 and tag in (".rules", ".refused"):
            ways.append(ways[-1])
        else:
            ways.append((*ways[-1], seq))
    return ways


def holds(key: Any, signature: Any, name: list[Any]) -> bool:
    try:
        return signed(key, signature, *name)
    except ValueError:  # it has no canonical form, so nobody has signed it
        return False


def are_signatures(value: Any) -> bool:
    """Whether it is a list of seats, ascending, and signatures."""
    if not is_list(value, lambda each: isinstance(each, list) and len(each) == 2):
        return False
    seats = [seat for seat, _ in value]
    fits = all(is_int(seat) for seat in seats) and all(is_bytes(signature, 64) for _, signature in value)
    return fits and seats == sorted(set(seats))
