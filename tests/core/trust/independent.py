"""A second verifier, written from docs/trust.md and docs/log-format.md alone: it shares no line with the first.

It knows no game. Whether a header is one of a game's, what a seat may see of a redacted command, what a view or a note
must say, and whether a takeback in a log of this very program was free, it leaves to `verify`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b, sha256
from io import BytesIO
from itertools import accumulate
from typing import Annotated, Any, Literal, NamedTuple

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Meta, ValidationError, convert

BROKEN = object()
"""What no file may hold."""
Found = dict[tuple[str, int | None], str]
"""By kind and event of each finding whose word it is."""
WORDS = ("owner", "seat", "host")
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def canonical(value: Any) -> bytes:
    """Pack what a file may hold in the one way there is."""
    if isinstance(value, dict):
        pairs = sorted((canonical(key), canonical(each)) for key, each in value.items())
        return msgpack.Packer().pack_map_header(len(pairs)) + b"".join(key + each for key, each in pairs)
    if isinstance(value, (list, tuple)):
        return msgpack.Packer().pack_array_header(len(value)) + b"".join(map(canonical, value))
    return msgpack.packb(value)


def unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def holds(value: Any, depth: int = 1, place: str = "object") -> bool:
    """May a file hold it, nested as it is? The keys of an option of old rules may be ints."""
    if not isinstance(value, (list, dict)):
        return value is None or isinstance(value, (bool, int, str, bytes))
    pairs = value.items() if isinstance(value, dict) else [("", each) for each in value]
    for key, each in pairs:
        within = {("object", "options"): "options", ("options", key): "option"}.get((place, key), "")
        within = within if isinstance(value, dict) else ""
        if type(key) is not str and not (place == "option" and type(key) is int):
            return False
        if depth > 200 or not holds(each, depth + 1, within):
            return False
    return True


def parts_of(value: Any) -> int:
    """Count the values in a value, itself and keys, too."""
    inside = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return 1 + sum(map(parts_of, inside))


def unpacked(data: bytes) -> Any:
    """Return what an object says; BROKEN if no file may hold it."""
    with suppress(Exception):
        value = msgpack.unpackb(data, strict_map_key=False, object_pairs_hook=unique)
        return value if holds(value) and (len(data) <= 65536 or parts_of(value) <= 65536) else BROKEN
    return BROKEN


def like(one: Any, other: Any) -> bool:
    """Are they the same, of the same kinds throughout?"""
    return canonical(one) == canonical(other)


def sha(*parts: Any) -> bytes:
    return sha256(canonical(parts)).digest()


def b2(data: bytes, key: bytes = b"", size: int = 32) -> bytes:
    return blake2b(data, key=key, digest_size=size).digest()


def plus(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    (x, y), (u, v) = one, other
    k = D * x * u * y * v
    return (x * v + u * y) * pow(1 + k, -1, P) % P, (y * v + x * u) * pow(1 - k, -1, P) % P


@cache
def good(key: bytes) -> bool:
    """Is the key the canonical encoding of a point of order L?"""
    y = int.from_bytes(key, "little") & 2**255 - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or not x:
        return False
    point, total = (x if x & 1 == key[31] >> 7 else P - x, y), (0, 1)
    for bit in reversed(f"{L:b}"):
        total, point = plus(total, point) if bit == "1" else total, plus(point, point)
    return total == (0, 1)


@cache
def signs(key: bytes | None, message: bytes | None, signature: bytes | None) -> bool:
    with suppress(InvalidSignature):
        if None not in (key, message, signature) and good(key):
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
            return True
    return False


def objects(data: bytes) -> tuple[list[tuple[Any, bytes]], str]:
    """Return each object and its bytes, and whether an object follows that is `torn`, or something `else`."""
    reader, place, found = msgpack.Unpacker(BytesIO(data), max_buffer_size=0), 0, []
    try:
        while place < len(data):
            pending = 1
            while pending:  # however deep it is nested
                head = data[reader.tell()] if reader.tell() < len(data) else 0
                if data.startswith(b"\xc9\xff\xff\xff\xff", reader.tell()):
                    raise msgpack.OutOfData  # where msgpack counts to zero
                if is_map(head):
                    pending += 2 * reader.read_map_header()
                elif 0x90 <= head <= 0x9F or head in (0xDC, 0xDD):
                    pending += reader.read_array_header()
                else:
                    reader.skip()
                pending -= 1
            found.append((unpacked(data[place : reader.tell()]), data[place : reader.tell()]))
            place = reader.tell()
    except Exception as cause:
        return found, "torn" if isinstance(cause, msgpack.OutOfData) else "else"
    return found, ""


def is_map(head: int) -> bool:
    return head >> 4 == 8 or head in (0xDE, 0xDF)


def add(found: Found, kind: str, seq: int | None, *by_host: bool, by: str = "owner") -> None:
    """Note a finding: the host's word if all of these hold."""
    word = "host" if by_host and all(by_host) else by
    found[kind, seq] = max(word, found.get((kind, seq), word), key=WORDS.index)


# What files must look like.

B16, B32, B64 = (Annotated[bytes, Meta(min_length=size, max_length=size)] for size in (16, 32, 64))
Count = Annotated[int, Meta(ge=0, lt=2**53)]
Natural, Seat = (Annotated[int, Meta(ge=least)] for least in (0, -1))
Version = Literal[1, 2]
Signatures = list[tuple[Natural, B64]]
Program = Annotated[list[str], Meta(max_length=1)]
Note = tuple[str, str | None, list[tuple[str, Any]], str | None]
HEADER = {"match": str, "game": str, "rules": Natural, "options": dict, "seats": list[str]}
"""What a roster is made of."""
SIGN = {"v": Version, "host": B32 | None, "seats": list[B32 | None]}
ATTEMPT = {"host": tuple[B32, B32], "seats": list[tuple[B32 | None, B32 | None] | None]}
FAIR = {**ATTEMPT, "v": Version, "who": list[Literal[0, 1, 2]], "past": list[dict]}
FORM = Literal["full", "public"]
HEAD = {"kifu_record": Literal[1], "form": FORM, "seat": Count | None, "roster": bytes, "sig": B64 | None}
NAMED = (str, str, Natural, dict, list[str])
DEALT = (list[Natural] | None, Natural, list[tuple[B32, list[Natural]]], B32 | None, list[B32 | None] | None)
AGREED = (*NAMED, *DEALT, B32 | None, B32 | None, list[B32 | None])
ROSTERS = (tuple[Literal["kifu roster 1"], *AGREED], tuple[Literal["kifu roster 2"], *AGREED, Any, Any, Any])
EVENT, LOOK, END, WISH, SENT = range(5)
Entry = tuple[Annotated[int, Meta(ge=0, le=SENT)], Count, bytes, B16 | None, B32, B64 | None]
TOLD = {
    EVENT: [tuple[Natural, Seat, str, dict, bool, Natural | None, str | None, list[Note]]],
    LOOK: [tuple[Natural, Any]],
    END: [tuple[Natural, str, list | None, list | None]],
    WISH: [tuple[str, Seat, Natural, Signatures]],
    SENT: [
        tuple[Literal["kifu command 1"], str, Natural, Natural, B32, Any, Any, Any],
        tuple[Literal["kifu wish 1"], str, Natural, Natural, B32, Any, Any],
        tuple[Literal["kifu command 2"], B32, Natural, Natural, B32, Any, Any, Any, B32 | None],
        tuple[Literal["kifu wish 2"], B32, Natural, Natural, B32, Any, Any],
    ],
}
PARTS = {EVENT: 8, LOOK: 2}
"""After how many parts of what was told the name of another program may follow."""


def plain(data: bytes) -> Any:
    """Return what canonical bytes say; BROKEN if they are none."""
    value = unpacked(data)
    return value if value is BROKEN or canonical(value) == data else BROKEN


def fits(value: Any, shape: Any) -> bool:
    with suppress(ValidationError):
        convert(value, shape, builtin_types=(bytes,))  # else it takes base64 for bytes
        return True
    return False


def has(value: Any, shape: dict[str, Any], *, just: bool = False) -> bool:
    """Is it a map with these keys, and `just` these?"""
    known = type(value) is dict and all(key in value and fits(value[key], of) for key, of in shape.items())
    return known and (not just or len(value) == len(shape))


@cache
def named(roster: bytes) -> tuple[str, str, bytes]:
    """Return the version of a roster, its match, and H0."""
    name, match, *_ = msgpack.unpackb(roster, strict_map_key=False)
    return name[-1], match, sha256(roster).digest()


def message(roster: bytes, name: str, *parts: Any) -> bytes:
    """Return what is signed under a roster: it names H0; in version 1 the match, unless it is about the roster."""
    version, match, digest = named(roster)
    of = match if version == "1" and not name.startswith("roster") else digest
    return canonical([f"kifu {name} {version}", of, *parts])


def event_of(each: Any) -> tuple[Any, dict[str, Any], Any, Any]:
    """Return seat, meta, tag and fields of an event; of what is none, nothing."""
    _, seat, meta, tag, fields, *_ = each if isinstance(each, list) and len(each) == 7 else [None] * 7
    return seat if type(seat) is int else None, meta if isinstance(meta, dict) else {}, tag, fields


class Log:
    """A log as its bytes are, the rosters of its attempts, and whether the host has signed its end."""

    def __init__(self, data: bytes, version: int = 2) -> None:
        parts, rest = objects(data)
        (head, self.first), *body = parts or [(None, b"")]
        self.head: dict[str, Any] = head if isinstance(head, dict) else {}
        self.is_read = has(head, {**HEADER, "kifu": Literal[1], "engine": str})
        self.seats = len(head["seats"]) if has(head, {"seats": list[str]}) else 0
        self.shared = head["fork"]["seq"] if has(self.head.get("fork"), {"seq": Natural}) else -1
        strange = list(accumulate(not raw.startswith((b"\x97", b"\xdc\0\7", b"\xdd\0\0\0\7")) for _, raw in body))
        body = body[: bisect_right(strange, 1000) + 1]  # there a log is left
        last = next((at for at, (each, _) in enumerate(body) if has(each, {"end": Any})), len(body))
        self.end, self.end_raw = body[last] if last < len(body) else ({}, b"")
        self.raw, self.ends = [raw for _, raw in body[:last]], not rest and last == len(strange) - 1
        self.events = [event_of(each) for each, _ in body[:last]]
        maps = [each for each, raw in body if is_map(raw[0])]
        reads_on = not any(each is BROKEN or "end" in each for each in maps) and max(strange, default=0) <= 1000
        self.torn = rest == "torn" and reads_on
        self.veil = self.head.get("veil") if fits(self.head.get("veil"), B32) else b""
        self.marks = list(accumulate(self.raw, self.next_mark, initial=b2(self.first, self.veil)))
        none = {"v": version, "host": None, "seats": [None] * self.seats}
        self.sign = self.head.get("sign", none) if self.keys_are_good(self.head.get("sign", none)) else None
        self.fair = self.head.get("fair") if self.fair_is_good(self.head.get("fair")) else None
        versions = {each["v"] for each in (self.fair, self.sign and self.head.get("sign")) if each}
        if len(versions) > 1:
            self.fair = None
        whole = has(head, HEADER) and self.sign and ("fair" not in head or self.fair)
        self.rosters = list(self.made(min(versions, default=version))) if whole else []
        self.roster = self.rosters[-1] if whole and ("veil" not in head or self.veil) else b""
        self.signed = self.is_signed()

    def next_mark(self, mark: bytes, raw: bytes) -> bytes:
        return b2(mark + raw, self.veil)

    def keys_are_good(self, sign: Any) -> bool:
        if not has(sign, SIGN) or len(sign["seats"]) != self.seats:
            return False
        seats = [key for key in sign["seats"] if key]
        distinct = len(set(seats)) == len(seats) or sign["v"] == 1
        return distinct and len(seats) <= 100 and all(map(good, filter(None, [sign["host"], *seats])))

    def fair_is_good(self, fair: Any) -> bool:
        """Is there a pair for each seat that contributes, and no secret of before all had committed?"""
        if not has(fair, FAIR, just=True) or not all(has(each, ATTEMPT, just=True) for each in fair["past"]):
            return False
        who, past = fair["who"], fair["past"]
        for each in [*past, fair]:
            committed, opened = ([row[part] for row in each["seats"] if row] for part in (0, 1))
            if [row is None for row in each["seats"]] != [kind > 0 for kind in who]:
                return False
            if (any(opened) and not all(committed)) or (each is fair and not all(opened)):
                return False
        return 0 in who and len(who) == self.seats and len(past) <= 7

    def made(self, version: int) -> Iterator[bytes]:
        """Yield the roster of each attempt, the last the one that was dealt."""
        head, sign, fair, past = self.head, self.sign, self.fair, []
        veil = sha("kifu veil 1", head["match"], head["veil"]) if "veil" in head else None
        more = [head.get("fork"), head.get("engine"), head.get("layout", 1)] if version == 2 else []
        for number, each in enumerate([*fair["past"], fair], 1) if fair else [(0, None)]:
            parts = [f"kifu roster {version}", *(head[key] for key in ("match", "game", "rules", "options", "seats"))]
            parts += [fair and fair["who"], number, past, each and each["host"][0]]
            parts += [each and [row and row[0] for row in each["seats"]], veil, sign["host"], sign["seats"], *more]
            yield canonical(parts)
            rows = list(enumerate(each["seats"])) if each else []
            refused = [[seat for seat, row in rows if row and not row[part]] for part in (0, 1)]
            past = [*past, [sha256(canonical(parts)).digest(), refused[0] or refused[1]]]

    def is_signed(self) -> bool:
        """Has the host signed the end, and are its bytes just those that follow from what was signed?"""
        if not self.roster or named(self.roster)[0] == "1" or not self.veil or not fits(self.end.get("sign"), B64):
            return False
        rest = {key: self.end.get(key) for key in ("end", "events", "points", "winners")}
        chain = (self.raw or [b2(self.first, size=16)])[-1][-16:]
        body = msgpack.packb({**rest, "sign": self.end["sign"], "chain": bytes(16)})[:-18]
        if self.end_raw != body + b"\xc4\x10" + b2(chain + body, size=16) or not self.ends:
            return False
        said = message(self.roster, "log", len(self.raw), chain, self.next_mark(self.marks[-1], canonical(rest)))
        return signs(self.sign["host"], said, self.end["sign"])

    def fair_holds(self) -> bool:
        """Was each failed attempt refused, do secrets open commitments, and does the seed come of them?"""
        head, fair, secrets = self.head, self.fair, []
        if not fair or "fork" in head or head.get("seed") is None or not has(head, HEADER):
            return False
        for number, each in enumerate([*fair["past"], fair], 1):
            if each is not fair and all(row[1] for row in each["seats"] if row):
                return False
            for who, row in [(-1, each["host"]), *enumerate(each["seats"])]:
                commitment, secret = row or (None, None)
                secrets += [secret] if secret else []
                if secret and commitment != sha("kifu commit 1", head["match"], number, who, secret):
                    return False
        mine, digest = [row[1] for row in fair["seats"] if row], sha256(self.roster).digest()
        dealt = b2(canonical(["kifu seed 1", digest, fair["host"][1], mine]))
        right = not self.sign or (self.roster and head["seed"] == dealt)  # else the keys have a finding
        return bool(right) and len(set(secrets)) == len(secrets)

    def audited(self) -> Found:
        """Return what is wrong with the log alone."""
        found: Found = {}
        head, sign, roster = self.head, self.sign, self.roster
        if not self.is_read:
            add(found, "header", None)
        elif self.torn:
            add(found, "torn", None, self.signed)
        if "fair" in head and not self.fair_holds():
            add(found, "fair", None, self.signed)
        if "veil" in head and not self.veil:
            add(found, "veil", None, self.signed)
        if self.shared >= len(self.raw) and head.keys() & {"fair", "veil", "sign"}:
            add(found, "signature" if "sign" in head else "veil", None, self.signed)
        if not sign or ("veil" not in head and any([sign["host"], *sign["seats"]])):
            add(found, "signature", None)
        elif roster and self.veil:
            for seq in self.unsigned():
                add(found, "signature", seq, self.signed)
            agreed, seats = True, sign["seats"]
            if self.fair and named(roster)[0] == "2" and any(seats):
                agreed = fits(sign.get("roster"), list[B64 | None]) and len(sign["roster"]) == len(seats)
                for seat, each in enumerate(sign["roster"]) if agreed else ():
                    signed = signs(seats[seat], message(roster, "roster seat", seat), each)
                    agreed = agreed and (signed or not (seats[seat] or each))
            if not agreed or ("sign" in self.end and not self.signed):
                add(found, "signature", None, self.signed)
        return found

    def unsigned(self) -> Iterator[int]:
        """Yield each event that is not signed as it must be; a seat's signature that does not verify once."""
        wrong, ids, ways = set(), [], [[]]
        for seq, (seat, meta, tag, fields) in enumerate(self.events):
            keys = dict(enumerate(self.sign["seats"]))
            fine, signed, to = "sign" not in meta, [], None
            if (seat, tag) == (-1, ".takeback"):
                says = fields.get("to") if isinstance(fields, dict) else None
                to = says if fits(says, Annotated[int, Meta(ge=-1, lt=seq)]) else None
                fine, signed = self.takeback(seq, meta, says, to, ways)
            elif keys.get(seat):
                fine, signed = self.command(seq, seat, meta, [tag, fields])
                fine = fine and (["sign" in meta, seat, meta.get("id")] not in ids)
            for signer, said, signature in signed if seq > self.shared else ():
                if not signs(keys[signer], said, signature):
                    fine = fine and signer in wrong
                    wrong.add(signer)
            if not fine and seq > self.shared:
                yield seq
            ids.append([True, seat, meta.get("id")])
            stays = seat == -1 and tag in (".rules", ".refused")
            ways.append(ways[-1] if stays else [*ways[-1], seq] if to is None else ways[to + 1])

    def command(self, seq: int, seat: int, meta: dict[str, Any], says: list[Any]) -> tuple[bool, list[Any]]:
        """Say whether the command of a seat with a key is in order, and what it must have signed."""
        if "sign" not in meta:
            return bool(meta.get("by")), []
        again = fits(meta["sign"], tuple[Count, B64, B32]) and named(self.roster)[0] == "2"
        if not (again or fits(meta["sign"], tuple[Count, B64])) or meta["sign"][0] > seq:
            return False, []
        at, signature, *replaced = meta["sign"]
        in_time = all(actor not in (-1, seat) for actor, *_ in self.events[at:seq])
        more = [] if named(self.roster)[0] == "1" else replaced or [None]
        parts = [seat, at, self.marks[at], *says, meta.get("id"), *more]
        said = message(self.roster, "command", *parts) if fits(says, tuple[str, dict]) else None
        named_so = type(meta.get("id")) is bytes
        return in_time and named_so and meta.get("by") is None, [(seat, said, signature)] if named_so else []

    def takeback(self, seq: int, meta: dict[str, Any], says: Any, to: int | None, ways: list[Any]) -> Any:
        """Say whether a takeback has the signatures that it needs, and what they must sign."""
        keys, votes = dict(enumerate(self.sign["seats"])), meta.get("sign", [])
        if not fits(votes, Signatures) or [seat for seat, _ in votes] != sorted({seat for seat, _ in votes}):
            return False, []
        wisher = next((seat for seat in keys if meta.get("by") == f"seat {seat}"), -1)
        way, kept = ways[-1], ways[-1 if to is None else to + 1]
        back = to is not None and kept == way[: len(kept)]
        undone = {self.events[each][0] for each in way[len(kept) :]} if back else set(keys)
        needed = {seat for seat, key in keys.items() if key and (seat == wisher or undone - {-1, wisher})}
        known = [(seat, signature) for seat, signature in votes if keys.get(seat)]
        fine = wisher in keys and needed <= {seat for seat, _ in votes} and len(known) == len(votes)
        said = [seq, self.marks[seq], "take_back", says]
        return fine, [(seat, message(self.roster, "wish", seat, *said), signature) for seat, signature in known]


class Told(NamedTuple):
    """What a record was told, whether its mark is evidence, and whether the host has signed it."""

    kind: int
    number: int
    moment: tuple[int, bool]
    salt: bytes | None
    mark: bytes
    says: Any
    program: Any
    counts: bool
    proven: bool


class Record:
    """A record, and what is wrong with it by itself."""

    def __init__(self, data: bytes) -> None:
        parts, rest = objects(data)
        (head, _), *entries = parts or [(None, b"")]
        shaped = has(head, HEAD) and next(iter(head)) == "kifu_record" and fits(head.get("made", ""), str)
        self.parts = plain(head["roster"]) if shaped else None
        if not any(fits(self.parts, shape) for shape in ROSTERS) or len(self.parts[5]) != len(self.parts[13]):
            raise ValueError
        self.seat, self.roster, self.full = head["seat"], head["roster"], head["form"] == "full"
        keyed = [key for key in self.parts[13] if key]
        if (self.seat is not None and self.seat >= len(self.parts[5])) or len(keyed) > 100:
            raise ValueError
        self.match, self.host, self.keys = self.parts[1], self.parts[12], dict(enumerate(self.parts[13]))
        self.program = [name for name in self.parts[15:16] if isinstance(name, str)]
        self.found, self.told, self.sent, self.marks = Found(), [], {}, {}
        right = signs(self.host, message(self.roster, "roster sig"), head["sig"])
        self.proven = right and named(self.roster)[0] == "2"
        if not right and (self.host or head["sig"]):
            add(self.found, "signature", None)
        if not all(fits(each, Entry) and self.takes(*each) for each, _ in entries) or rest == "else":
            add(self.found, "record", None)
        elif rest:
            add(self.found, "torn", None)
        latest = -1
        for told in self.told:
            place = 2 * told.number + (told.kind == EVENT)
            if place < latest:
                add(self.found, "record", told.number)
            latest = max(place, latest)
            marks = self.marks.setdefault(told.moment, {}) if told.counts else {told.mark: told}
            if marks and told.mark not in marks:
                add(self.found, "mark", told.number, next(iter(marks.values())).proven, told.proven)
            marks.setdefault(told.mark, told)

    def takes(self, kind: int, number: int, told: bytes, salt: bytes | None, mark: bytes, sig: bytes | None) -> bool:
        """Take in an entry; False if it is malformed."""
        says: Any = plain(told) if self.full else told
        program = self.program
        if self.full and kind in PARTS and isinstance(says, list) and fits(says[PARTS[kind] :], Program):
            says, program = says[: PARTS[kind]], says[PARTS[kind] :] or program
        shaped = any(fits(says, shape) for shape in (TOLD[kind] if self.full else [B32])) and (self.full or kind < SENT)
        if not shaped or (salt is not None) != (self.full and kind < WISH) or (kind == WISH and sig):
            return False
        if kind < WISH:
            digest = sha("kifu told 1", salt, told) if self.full else told
            right = signs(self.host, message(self.roster, "host", self.seat, kind, number, mark, digest), sig)
            fine, proven = right if self.host else sig is None, right and named(self.roster)[0] == "2"
            moment = number + (kind == EVENT), kind == END
            self.told.append(Told(kind, number, moment, salt, mark, says, program, right or not self.host, proven))
        elif kind == WISH and self.full:
            said = [number, mark, *says[:2]]
            needed = [seat for seat, key in self.keys.items() if key and (seat == says[2] or says[0] == "abandon")]
            fine = {*needed} <= {seat for seat, _ in says[3]} and all(
                signs(self.keys.get(seat), message(self.roster, "wish", seat, *said), each) for seat, each in says[3]
            )
        else:
            fine = not self.full or self.sent_by_seat(number, told, says, mark, sig)
        if not fine:
            add(self.found, "signature", number)
        return True

    def sent_by_seat(self, number: int, told: bytes, says: list[Any], mark: bytes, sig: bytes | None) -> bool:
        """Has the seat signed what it sent? Two answers to one moment, replacing the same, are its word."""
        _, *start = plain(message(self.roster, "command", self.seat))
        if not signs(self.keys.get(self.seat), told, sig) or says[1:3] != start or mark not in says[4:5]:
            return False
        if says[0] == "kifu command 2":
            self.answer(told, number)
        return True

    def answer(self, message: bytes, seq: int) -> None:
        """Take an answer that the seat has signed, which two to one moment, replacing the same, contradict."""
        _, of, seat, at, mark, *_, replaced = plain(message)
        if self.sent.setdefault((of, seat, at, mark, replaced), (message, seq))[0] != message:
            add(self.found, "signature", seq, by="seat")


def judged(record: bytes | None, other: bytes, judge: str = "") -> Found:
    """Return what is wrong with a log, with a record beside a log, or between two records.

    `judge` is the program that judges: what another hid is the owner's word.
    """
    try:
        if record is None:
            return Log(other).audited()
        is_record = any(has(each, {"kifu_record": Any}) for each, _ in objects(other)[0][:1])
        return compare(Record(record), Record(other)) if is_record else verify(Record(record), other, judge)
    except ValueError:  # no record
        return {("record", None): "owner"}


def verify(record: Record, against: bytes, judge: str) -> Found:
    log, found = Log(against, int(named(record.roster)[0])), record.found
    if log.head.get("match", record.match) != record.match and isinstance(log.head["match"], str):
        return {("head", None): "owner"}
    one_host = log.signed and log.sign["host"] == record.host
    for (kind, seq), by in log.audited().items():
        add(found, kind, seq, one_host, by == "host")
    if log.roster != record.roster:
        dealt = any(told.proven for told in record.told) or record.roster not in log.rosters
        add(found, "head", None, one_host, record.proven, dealt)
    veiled = log.veil and sha("kifu veil 1", record.match, log.veil) == record.parts[11]
    if not veiled:
        add(found, "veil", None, one_host, record.proven)
    for seq, (seat, meta, *says) in enumerate(log.events) if log.veil and log.roster == record.roster else ():
        if seat == record.seat is not None and "sign" in meta and named(record.roster)[0] == "2":
            for _, said, signature in log.command(seq, seat, meta, says)[1]:
                if signs(record.keys[seat], said, signature):
                    record.answer(said, seq)
    marked = False
    for told in record.told if log.head else ():
        for kind in beside(log, record, told, bool(veiled)):
            if kind != "mark" or not marked:
                was_hidden = kind == "hidden" and told.program != [judge]
                add(found, kind.replace("hidden", "told"), told.number, one_host, told.proven, not was_hidden)
            marked = marked or kind == "mark"
    return found


def beside(log: Log, record: Record, told: Told, veiled: bool) -> Iterator[str]:
    """Yield what is wrong with what was told beside a log."""
    end, events = told.kind == END, len(log.raw)
    if told.moment[0] > events or (end and (not log.end or told.number < events)):
        yield "missing"
        return
    mark = log.next_mark(log.marks[-1], log.end_raw) if end else log.marks[told.moment[0]]
    if veiled and told.counts and told.mark != mark:
        yield "mark"
    if not record.full:
        return
    if veiled and told.salt != b2(canonical(["kifu salt 1", told.kind, told.number, record.seat]), log.veil, 16):
        yield "told"
    ended = [log.end.get(key) for key in ("events", "end", "points", "winners")]
    if told.says[0] != told.number or (end and not like(list(told.says), ended)):
        yield "told"
    if told.kind == EVENT:
        _, *says, redacted, at, by, _ = told.says
        seat, meta, tag, fields = log.events[told.number]
        shown = [tag, fields if isinstance(fields, dict) and not redacted else says[2]]
        shown = shown if told.program == record.program else says[1:]
        if not like([says[0], at, by], [seat, meta.get("at"), meta.get("by")]):
            yield "told"
        if not like(says[1:], shown):
            yield "hidden" if redacted else "told"


def compare(one: Record, other: Record) -> Found:
    if one.match != other.match:
        return {("head", None): "owner"}
    for answer in other.sent.values():
        one.answer(*answer)
    found, alike = one.found, one.host == other.host
    for (kind, seq), by in other.found.items():
        add(found, kind, seq, by=by)
    if one.roster != other.roster:
        dealt = one.parts[7] == other.parts[7] or all(any(told.proven for told in each.told) for each in (one, other))
        add(found, "head", None, one.host == other.host, one.proven, other.proven, dealt)
    apart = [each for each in one.marks if each in other.marks and one.marks[each].keys() != other.marks[each].keys()]
    for moment, ended in sorted(apart)[:1]:
        words = [next(iter(each.marks[moment, ended].values())).proven for each in (one, other)]
        add(found, "mark", moment if ended else max(moment - 1, 0), alike, *words)
    for mine, its in ((one, other), (other, one)):
        for end in [told for told in mine.told if told.kind == END]:
            later = [told.proven for told in its.told if told.moment[0] > end.number]
            if later:
                add(found, "missing", end.number, alike, end.proven, any(later))
    events = [(mine, its) for mine in one.told for its in other.told if mine.kind == its.kind and mine.kind != LOOK]
    for mine, its in events if one.full and other.full else ():
        if mine.number == its.number and not told_alike(mine, its):
            add(found, "told", mine.number, alike, mine.proven, its.proven)
    return found


def told_alike(one: Told, other: Told) -> bool:
    """Do two seats know the same of an end, or of an event but for redacted fields and what two programs have told?"""
    if one.kind == END:
        return like(one.says, other.says)
    shown = {2, 3} if not (one.says[4] or other.says[4]) else {2}
    places = [1, 5, 6, *(shown if one.program == other.program else ())]
    return all(like(one.says[at], other.says[at]) for at in places)
