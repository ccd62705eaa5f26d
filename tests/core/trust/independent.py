"""A second verifier, written from the contract alone: it imports nothing of kifu, so that no mistake is shared."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b, sha256
from io import BytesIO
from typing import Any

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Found = set[tuple[str, int | None]]


def canonical(value: Any) -> bytes:
    if isinstance(value, dict):
        pairs = sorted((canonical(key), canonical(each)) for key, each in value.items())
        head: bytes = msgpack.Packer().pack_map_header(len(pairs))
        return head + b"".join(key + each for key, each in pairs)
    if isinstance(value, list | tuple):
        head = msgpack.Packer().pack_array_header(len(value))
        return head + b"".join(map(canonical, value))
    packed: bytes = msgpack.packb(value)
    return packed


def sha(*parts: Any) -> bytes:
    return sha256(canonical(parts)).digest()


def b2(data: bytes, key: bytes = b"", size: int = 32) -> bytes:
    return blake2b(data, digest_size=size, key=key).digest()


def signed(key: Any, message: bytes, signature: Any) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, TypeError, ValueError):
        return False
    return True


def stream(data: bytes) -> list[tuple[Any, bytes]]:
    unpacker = msgpack.Unpacker(BytesIO(data), strict_map_key=False)
    parts, place = [], 0
    for value in unpacker:
        parts.append((value, data[place : unpacker.tell()]))
        place = unpacker.tell()
    return parts


class Log:
    def __init__(self, data: bytes) -> None:
        (self.header, head), *rest = stream(data)
        self.events = [value for value, _ in rest if isinstance(value, list)]
        self.end = next((value for value, _ in rest if isinstance(value, dict)), None)
        self.veil = self.header.get("veil")
        self.keys = (self.header.get("sign") or {}).get("seats") or [None] * len(self.header["seats"])
        self.marks: list[bytes] = []
        if isinstance(self.veil, bytes) and len(self.veil) == 32:
            self.marks = [b2(head, self.veil)]
            for _, raw in rest:
                self.marks.append(b2(self.marks[-1] + raw, self.veil))

    def rosters(self) -> list[bytes]:
        """Return the roster of each attempt."""
        header, fair = self.header, self.header.get("fair")
        host_key = (header.get("sign") or {}).get("host")
        veil = self.veil and sha("kifu veil 1", header["match"], self.veil)
        first = ["kifu roster 1", *(header[key] for key in ("match", "game", "rules", "options", "seats"))]
        if not fair:
            return [canonical([*first, None, 0, [], None, None, veil, host_key, self.keys])]
        made: list[bytes] = []
        past: list[Any] = []
        for at, each in enumerate([*fair["past"], fair], 1):
            shown = [pair and pair[0] for pair in each["seats"]]
            made.append(
                canonical([*first, fair["who"], at, list(past), each["host"][0], shown, veil, host_key, self.keys])
            )
            past.append([sha256(made[-1]).digest(), refusers(each["seats"])])
        return made


def refusers(seats: list[Any]) -> list[int]:
    """Return who did not commit or, if all did, who did not reveal."""
    absent, silent = ([n for n, pair in enumerate(seats) if pair and pair[part] is None] for part in (0, 1))
    return absent or silent


def is_fair(log: Log) -> bool:
    header, fair = log.header, log.header["fair"]
    if set(fair) != {"v", "who", "host", "seats", "past"} or fair["v"] != 1 or len(fair["past"]) > 7:
        return False
    if 0 not in fair["who"] or header.get("fork") or header.get("seed") is None:
        return False
    secrets: list[bytes] = []
    for at, each in enumerate([*fair["past"], fair], 1):
        failed = at <= len(fair["past"])
        if failed != bool(refusers(each["seats"])):
            return False
        for who, pair in [(-1, each["host"]), *enumerate(each["seats"])]:
            if who >= 0 and (pair is not None) != (fair["who"][who] == 0):
                return False
            if pair and pair[1] is not None:
                secrets.append(pair[1])
                if len(pair[1]) != 32 or pair[0] != sha("kifu commit 1", header["match"], at, who, pair[1]):
                    return False
    if len(set(secrets)) < len(secrets):
        return False
    shown = [pair[1] for pair in fair["seats"] if pair]
    h0 = sha256(log.rosters()[-1]).digest()
    return bool(header["seed"] == b2(canonical(["kifu seed 1", h0, fair["host"][1], shown])))


def audit(log: Log) -> Found:
    found: Found = set()
    try:
        if log.header.get("fair") is not None and not is_fair(log):
            found.add(("fair", None))
    except (KeyError, TypeError, IndexError):
        found.add(("fair", None))
    if "veil" in log.header and not log.marks:
        found.add(("veil", None))
    has_keys = any(log.keys) or bool((log.header.get("sign") or {}).get("host"))
    if has_keys and (log.marks or not log.veil):  # a veil of a wrong shape is found as such
        found |= commands(log) if log.marks else {("signature", None)}
    return found


def commands(log: Log) -> Found:
    wrong, invalid = set(), {}
    used: set[tuple[int, bytes]] = set()
    for seq, seat, meta, tag, fields, *_ in log.events:
        meta = meta or {}
        sign, by, ident = meta.get("sign"), meta.get("by"), meta.get("id")
        if tag == ".takeback":
            for each in takeback(log, seq, by, sign or [], fields):
                if each is None:
                    wrong.add(seq)
                else:
                    invalid.setdefault(each, seq)
        elif seat < 0 or log.keys[seat] is None:
            if sign is not None:
                wrong.add(seq)
        elif sign is None or by is not None:
            if (sign is None) == (by is None):
                wrong.add(seq)
        elif not answers(log, seq, seat, sign) or ident is None or (seat, ident) in used:
            wrong.add(seq)
        else:
            at = sign[0]
            name = ["kifu command 1", log.header["match"], seat, at, log.marks[at], tag, fields, ident]
            if not signed(log.keys[seat], canonical(name), sign[1]):
                invalid.setdefault(seat, seq)
        if ident is not None:
            used.add((seat, ident))
    return {("signature", seq) for seq in wrong | set(invalid.values())}


def answers(log: Log, seq: int, seat: int, sign: Any) -> bool:
    """Whether it is signed for a moment since which only other seats acted."""
    if not (isinstance(sign, list) and len(sign) == 2 and isinstance(sign[0], int) and 0 <= sign[0] <= seq):
        return False
    return all(event[1] >= 0 and event[1] != seat for event in log.events[sign[0] : seq])


def takeback(log: Log, seq: int, by: Any, sign: list[Any], fields: Any) -> Iterable[int | None]:
    """Yield None for what is amiss, and the seat of each signature that does not hold."""
    if not (isinstance(by, str) and by.startswith("seat ")):
        yield None
        return
    seat, given = int(by[5:]), dict(sign)
    way: list[int] = []
    for event in log.events[:seq]:
        way = [n for n in way if n <= event[4]["to"]] if event[3] == ".takeback" else [*way, event[0]]
    actors = {log.events[n][1] for n in range(fields["to"] + 1, seq) if n in way and log.events[n][1] >= 0}
    needed = {seat} if actors <= {seat} else set(range(len(log.keys)))
    if any(log.keys[each] is not None and each not in given for each in needed):
        yield None
    for each, signature in given.items():
        name = ["kifu wish 1", log.header["match"], each, seq, log.marks[seq], "take_back", fields["to"]]
        if not signed(log.keys[each], canonical(name), signature):
            yield each


def verify(record: bytes, data: bytes) -> Found:
    (head, _), *entries = stream(record)
    log = Log(data)
    roster = msgpack.unpackb(head["roster"], strict_map_key=False)
    if roster[1] != log.header["match"]:
        return {("head", None)}
    found = audit(log)
    try:
        known = (log.header.get("fair") or {"v": 1})["v"] == 1
        same = known and log.rosters()[-1] == head["roster"]
    except (KeyError, TypeError, IndexError):
        same = False
    if not same:
        found.add(("head", None))
    opens = bool(log.marks) and sha("kifu veil 1", roster[1], log.veil) == roster[11]
    if not opens:
        found.add(("veil", None))
    apart: list[int] = []
    host, h0 = roster[12], sha256(head["roster"]).digest()
    if host and not signed(host, canonical(["kifu roster sig 1", h0]), head["sig"]):
        found.add(("signature", None))
    for (kind, number, told, salt, mark, sig), _ in entries:
        full = head["form"] == "full"
        if kind < 3 and host:
            hashed = sha("kifu told 1", salt, told) if full else told
            name = ["kifu host 1", roster[1], head["seat"], kind, number, mark, hashed]
            if not signed(host, canonical(name), sig):
                found.add(("signature", number))
        count = len(log.events)
        if (kind == 0 and number >= count) or (kind == 1 and number > count):
            found.add(("missing", number))
            continue
        if kind == 2 and (log.end is None or count != number):
            found.add(("missing", number))
            continue
        if kind < 3 and opens and mark != log.marks[number + (kind != 1)]:
            apart.append(number)
        if kind < 3 and full and not is_told(log, kind, number, msgpack.unpackb(told, strict_map_key=False)):
            found.add(("told", number))
        if (
            kind < 3
            and full
            and opens
            and salt != b2(canonical(["kifu salt 1", kind, number, head["seat"]]), log.veil, 16)
        ):
            found.add(("told", number))
        if kind == 4 and not signed(roster[13][head["seat"]], told, sig):
            found.add(("signature", number))
    return found | {("mark", number) for number in apart[:1]}


def is_told(log: Log, kind: int, number: int, told: Any) -> bool:
    """Whether what was shown openly stands in the log; what is hidden from whom only the rules know."""
    if kind == 2:
        return bool(told == [log.end[key] for key in ("events", "end", "points", "winners")])
    if kind == 1:
        return True
    _, seat, meta, tag, fields, *_ = log.events[number]
    meta = meta or {}
    shown = told[4] or all(name in fields and fields[name] == value for name, value in told[3].items())
    return bool(shown) and told[:3] == [number, seat, tag] and told[5:7] == [meta.get("at"), meta.get("by")]
