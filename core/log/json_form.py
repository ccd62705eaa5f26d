"""The JSON form of a log: the same records as text, and back, byte for byte (`docs/json-form.md`)."""

from __future__ import annotations

from json import dumps, loads
from typing import Any, NoReturn

from ..errors import LogError
from .broken import BrokenObject
from .format import first_chain, linked_end, linked_event, pack_plain
from .framing import ObjectStream, parse_strict, place_within
from .validation import is_int

VERSION = 1
EVENT_KEYS = ("seq", "seat", "meta", "tag", "fields", "digest", "chain")
REQUIRED_KEYS = ("seat", "tag", "fields")
"""The keys that every event has. By default `seq` is the next, `meta` and `digest` are null, `chain` is computed."""

HEX = {"header": ("seed",), "event": ("digest", "chain"), "meta": ("id",), "end": ("chain",)}
"""By kind of record, the keys whose values are bytes, written as hex digits."""

BYTES = "$bytes"
"""The only key of a map that represents bytes elsewhere. A key that begins with a dollar sign gets one more."""

MAX_DIGITS = 20
"""The most characters of a 64-bit int."""


def is_json(data: bytes) -> bool:
    """Return True if these bytes begin as a JSON object does, and as no log can."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def log_in(data: bytes, path: str | None = None) -> bytes:
    """Return the log that these bytes are, or are the JSON form of; a broken form raises `LogError`, with the path."""
    try:
        return from_json(data) if is_json(data) else data
    except LogError as cause:
        raise LogError(cause.kind, cause.message, cause.seq, path=path) from None


def to_json(log: bytes) -> str:
    """Return the JSON form of a log, one event a line; `from_json` returns the same bytes again.

    Raises `LogError` for a log without a JSON form: damaged, not packed as kifu packs it, or nested too deeply for
    JSON. A log with other findings of an audit has one.
    """
    try:
        text = _text(log)
        same = from_json(text.encode()) == log
    except RecursionError:
        _refuse("it is nested too deeply for JSON")
    if not same:
        _refuse("this log has no JSON form: its bytes are not as kifu would write them")
    return text


def _text(log: bytes) -> str:
    objects = ObjectStream(log)
    records = [parse_strict(log[start:end]) for _, start, end in objects]
    header, *events = records or [None]
    end = events.pop() if events and isinstance(events[-1], dict) else None
    if objects.torn or objects.noise or not isinstance(header, dict):
        why = header.why if isinstance(header, BrokenObject) else "it is damaged"
        _refuse(f"this log has no JSON form: {why}")
    for seq, event in enumerate(events):
        if not isinstance(event, list) or len(event) != len(EVENT_KEYS):
            why = event.why if isinstance(event, BrokenObject) else "here is no event"
            _refuse(f"this log has no JSON form: {why}", seq)
    lines = [_line(_event_out(dict(zip(EVENT_KEYS, event, strict=True)))) for event in events]
    head, tail = _line(_record_out(header, "header")), _line(_record_out(end, "end") if end is not None else None)
    body = ",\n".join(lines)
    return f'{{"kifu_json": {VERSION},\n"header": {head},\n"events": [\n{body}\n],\n"end": {tail}}}\n'


def from_json(data: bytes) -> bytes:
    """Return the log of a JSON form; raises `LogError` if there is none.

    The contents are not checked: the reader of the log does that. A missing chain is computed, so that the form can be
    written by hand; a given chain is kept, right or wrong.
    """
    try:
        return _log(loads(data.decode("utf-8-sig"), object_pairs_hook=_unique, parse_int=_short_int))
    except RecursionError:
        _refuse("this JSON is nested too deeply")
    except ValueError as cause:  # of decode, too
        _refuse(f"this is no JSON: {cause}")


def _log(whole: Any) -> bytes:
    if not isinstance(whole, dict) or not is_int(version := whole.get("kifu_json")) or version != VERSION:
        _refuse(f"this is not a log in JSON: it is not a map whose 'kifu_json' is {VERSION}")
    header, events, end = whole.get("header"), whole.get("events"), whole.get("end")
    if not isinstance(header, dict) or not isinstance(events, list) or not isinstance(end, dict | None):
        _refuse("'header' is a map, 'events' a list, 'end' a map or null")
    if unknown := [key for key in whole if key not in ("kifu_json", "header", "events", "end")]:
        _refuse(f"there is a key {unknown[0][:40]!a} beside 'header', 'events' and 'end'")
    parts = [_pack(_record_in(header, "header", None))]
    chain = first_chain(parts[0])
    for seq, event in enumerate(events):
        parts.append(_event_in(event, seq, chain))
        chain = parts[-1][-16:]
    if end is not None:
        record = _record_in(end, "end", None)
        packed = _pack(record)
        unchained = "chain" not in record and len(record) == 4 + ("sign" in record)
        parts.append(linked_end(record, chain) if unchained else packed)
    return b"".join(parts)


def _event_in(event: Any, seq: int, chain: bytes) -> bytes:
    if not isinstance(event, dict):
        _refuse("an event is a map", seq)
    if missing := [key for key in REQUIRED_KEYS if key not in event]:
        _refuse(f"the event has no {missing[0]!r}", seq)
    if unknown := [key for key in event if key not in EVENT_KEYS]:
        _refuse(f"the event has a key {unknown[0][:40]!a}", seq)
    record = _record_in({"seq": seq, "digest": None, **event, "meta": None}, "event", seq)
    if "meta" in event:
        meta = event["meta"]
        record["meta"] = _record_in(meta, "meta", seq) if isinstance(meta, dict) else meta
    packed = _pack([record.get(key) for key in EVENT_KEYS], seq)
    return packed if "chain" in event else linked_event([record[key] for key in EVENT_KEYS[:6]], chain)


def _event_out(event: dict[str, Any]) -> dict[str, Any]:
    meta = event["meta"]
    return {**_record_out(event, "event"), **({"meta": _record_out(meta, "meta")} if isinstance(meta, dict) else {})}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    known = dict(pairs)
    if len(known) != len(pairs):
        raise ValueError("a map has a key twice")
    return known


def _short_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError("an int has more than 64 bits")
    return int(digits)


def _pack(value: Any, seq: int | None = None) -> bytes:
    try:
        return pack_plain(value)
    except OverflowError:
        _refuse("an int has more than 64 bits", seq)
    except UnicodeEncodeError:
        _refuse("a text has half a surrogate pair", seq)
    except ValueError:
        _refuse("it is nested too deeply", seq)


def _record_out(record: dict[str, Any], kind: str) -> dict[str, Any]:
    place = "object" if kind == "header" else ""
    plain = {_key_out(key, place): _out(value, place_within(place, key)) for key, value in record.items()}
    return {**plain, **{key: record[key].hex() for key in HEX[kind] if isinstance(record.get(key), bytes)}}


def _record_in(record: dict[str, Any], kind: str, seq: int | None) -> dict[str, Any]:
    place = "object" if kind == "header" else ""
    try:
        read = {_key_in(key, place): _in(value, place_within(place, key)) for key, value in record.items()}
    except ValueError as cause:
        _refuse(str(cause), seq)
    return {**read, **{key: _hex(record[key]) for key in HEX[kind] if key in record}}


def _out(value: Any, place: str = "") -> Any:
    if isinstance(value, bytes):
        return {BYTES: value.hex()}
    if isinstance(value, dict):
        return {_key_out(key, place): _out(item, place_within(place, key)) for key, item in value.items()}
    return [_out(item) for item in value] if isinstance(value, list) else value


def _in(value: Any, place: str = "") -> Any:
    if isinstance(value, dict):
        if list(value) == [BYTES]:
            return _bytes(value[BYTES])
        return {_key_in(key, place): _in(item, place_within(place, key)) for key, item in value.items()}
    return [_in(item) for item in value] if isinstance(value, list) else value


def _key_out(key: Any, place: str) -> str:
    if isinstance(key, int):
        return str(key)
    return f"${key}" if key.startswith("$") or (place == "option" and _is_decimal(key)) else key


def _key_in(key: str, place: str) -> Any:
    """Return the key that is written so; raises `ValueError` unless it is the only spelling of its key."""
    read = int(key) if place == "option" and _is_decimal(key) else key.removeprefix("$")
    if _key_out(read, place) != key:
        why = "a dollar sign more than it needs" if key.startswith("$") else "digits that no int is written with"
        raise ValueError(f"the key {key[:40]!a} has {why}")
    return read


def _is_decimal(key: str) -> bool:
    digits = key.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < MAX_DIGITS


def _bytes(text: Any) -> bytes:
    """Return the bytes of hex digits; raises `ValueError` for anything else."""
    read = _hex(text)
    if not isinstance(read, bytes):
        raise ValueError(f"{BYTES!r} takes pairs of hex digits in lower case, not {dumps(text)[:40]}")
    return read


def _hex(text: Any) -> Any:
    """Return the bytes of hex digits; anything else as it is, for the reader to reject."""
    try:
        return bytes.fromhex(text) if not text.strip("0123456789abcdef") else text
    except (AttributeError, ValueError):
        return text


def _line(value: Any) -> str:
    return dumps(value, ensure_ascii=False)


def _refuse(why: str, seq: int | None = None) -> NoReturn:
    raise LogError("header" if seq is None else "form", why, seq)
