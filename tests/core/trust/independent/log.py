"""A log as its bytes have it, its marks, and its fair deal."""

from __future__ import annotations

from typing import Any, NamedTuple

from .codec import BAD, Stream, b2, canonical, is_bytes, is_int, is_list, is_weak, sha, sha256

Found = set[tuple[str, int | None]]


class Unfit(Exception):
    """A header that has not the shape of the contract."""


class Event(NamedTuple):
    seat: Any = None
    meta: Any = None
    tag: Any = None
    fields: Any = None

    def of_meta(self, key: str) -> Any:
        return self.meta.get(key) if isinstance(self.meta, dict) else None

    @property
    def has_sign(self) -> bool:
        return isinstance(self.meta, dict) and "sign" in self.meta


class Log:
    """Header, events and end record, whatever they are worth."""

    def __init__(self, data: bytes) -> None:
        stream = Stream(data)
        (header, head), *rest = stream.parts or [(None, b"")]
        self.header: dict[str, Any] = header if isinstance(header, dict) else {}
        self.events: list[Event] = []
        self.end: dict[str, Any] | None = None
        self.torn = stream.torn and not any(is_end(value, raw) for value, raw in rest)  # that is behind the end
        raws = [head]
        for value, raw in rest:
            raws.append(raw)
            if isinstance(value, dict) and "end" in value:
                self.end = value
                break
            fits = isinstance(value, list) and len(value) == 7
            self.events.append(Event(*value[1:5]) if fits else Event())
        self.veil = self.header.get("veil")
        self.marks: list[bytes] = []
        """The mark of each moment, then that of the end."""
        if is_bytes(self.veil, 32):
            self.marks = [b2(head, self.veil)]
            for raw in raws[1:]:
                self.marks.append(b2(self.marks[-1] + raw, self.veil))

    @property
    def forked_at(self) -> int:
        fork = self.header.get("fork")
        seq = fork.get("seq") if isinstance(fork, dict) else None
        return seq if is_int(seq) else -1

    def keys(self) -> tuple[Any, list[Any]]:
        """Return the host's key and those of the seats; raises `Unfit`."""
        names = self.header.get("seats")
        seats = len(names) if is_list(names, is_text) else 0
        if "sign" not in self.header:
            return None, [None] * seats
        sign = self.header["sign"]
        if not isinstance(sign, dict) or not is_int(sign.get("v")) or sign["v"] != 1 or "host" not in sign:
            raise Unfit
        if not is_list(sign.get("seats"), is_key) or len(sign["seats"]) != seats or not is_key(sign["host"]):
            raise Unfit
        return sign["host"], sign["seats"]

    def rules_at(self, moment: int) -> Any:
        """Return the version of the rules after so many events."""
        changes = [
            event.fields.get("to")
            for event in self.events[:moment]
            if (event.seat, event.tag) == (-1, ".rules") and is_map(event.fields)
        ]
        return changes[-1] if changes else self.header.get("rules")

    def roster(self) -> bytes:
        """Return the roster of the attempt that was dealt from; raises `Unfit`."""
        header = self.header
        shape = {"match": is_text, "game": is_text, "rules": is_int, "options": is_map, "seats": is_names}
        if not all(fits(header.get(key)) for key, fits in shape.items()):
            raise Unfit
        if "veil" in header and not self.marks:
            raise Unfit
        host_key, seat_keys = self.keys()
        veil = sha("kifu veil 1", header["match"], self.veil) if self.marks else None
        first = ["kifu roster 1", *(header[key] for key in ("match", "game", "rules", "options", "seats"))]
        made = canonical([*first, None, 0, [], None, None, veil, host_key, seat_keys])
        past: list[Any] = []
        for at, each in enumerate(attempts(header), 1):
            shown = [pair and pair[0] for pair in each["seats"]]
            deal = [header["fair"]["who"], at, list(past), each["host"][0], shown]
            made = canonical([*first, *deal, veil, host_key, seat_keys])
            past.append([sha256(made).digest(), refusers(each["seats"])])
        return made


def is_end(value: Any, raw: bytes) -> bool:
    """Whether an object is the end record, however malformed."""
    is_any_map = 0x80 <= raw[0] <= 0x8F or raw[0] in (0xDE, 0xDF)
    return is_any_map if value is BAD else isinstance(value, dict) and "end" in value


def is_text(value: Any) -> bool:
    return type(value) is str


def is_map(value: Any) -> bool:
    return isinstance(value, dict)


def is_names(value: Any) -> bool:
    return is_list(value, is_text)


def is_key(value: Any) -> bool:
    return value is None or (is_bytes(value, 32) and not is_weak(value))


# --- the fair deal ---------------------------------------------------------------------------------------------------


def attempts(header: dict[str, Any]) -> list[Any]:
    """Return the attempts at a fair deal, the last of which was dealt from; raises `Unfit`."""
    if "fair" not in header:
        return []
    fair, names = header["fair"], header.get("seats")
    seats = len(names) if is_names(names) else 0
    if not isinstance(fair, dict) or set(fair) != {"v", "who", "host", "seats", "past"}:
        raise Unfit
    who, past = fair["who"], fair["past"]
    fits = is_list(who, lambda each: is_int(each) and each <= 2) and len(who) == seats and 0 in who
    if not is_int(fair["v"]) or fair["v"] != 1 or not fits or not is_list(past, is_map) or len(past) > 7:
        raise Unfit
    last = {"host": fair["host"], "seats": fair["seats"]}
    if not all(is_attempt(each, who) for each in [*past, last]) or refusers(last["seats"]):
        raise Unfit
    return [*past, last]


def is_attempt(value: dict[str, Any], who: list[int]) -> bool:
    if set(value) != {"host", "seats"} or not is_pair(value["host"]) or None in value["host"]:
        return False
    seats = value["seats"]
    if not isinstance(seats, list) or len(seats) != len(who):
        return False
    if not all(is_pair(pair) if kind == 0 else pair is None for kind, pair in zip(who, seats, strict=True)):
        return False
    pairs = [pair for pair in seats if pair]
    return all(pair[0] for pair in pairs) or not any(pair[1] for pair in pairs)  # a secret is asked for last


def is_pair(value: Any) -> bool:
    return is_list(value, lambda each: each is None or is_bytes(each, 32)) and len(value) == 2


def refusers(seats: list[Any]) -> list[int]:
    """Return who did not commit or, if all did, who did not reveal."""
    absent, silent = ([n for n, pair in enumerate(seats) if pair and pair[part] is None] for part in (0, 1))
    return absent or silent


def is_fair(log: Log) -> bool:
    """Whether the secrets open their commitments, each once, and give the seed."""
    try:
        tried = attempts(log.header)
    except Unfit:
        return False
    if not tried or not is_text(log.header.get("match")):
        return not tried
    secrets = []
    for at, each in enumerate(tried, 1):
        if each is not tried[-1] and not refusers(each["seats"]):
            return False
        for who, pair in [(-1, each["host"]), *enumerate(each["seats"])]:
            if pair and pair[1] is not None:
                secrets.append(pair[1])
                if pair[0] != sha("kifu commit 1", log.header["match"], at, who, pair[1]):
                    return False
    if len(set(secrets)) < len(secrets) or "fork" in log.header or log.header.get("seed") is None:
        return False
    return has_seed(log, tried[-1])


def has_seed(log: Log, dealt: dict[str, Any]) -> bool:
    try:
        log.keys()
    except Unfit:
        return True  # a finding of its own
    try:
        digest = sha256(log.roster()).digest()
    except (Unfit, ValueError):
        return False
    shown = [pair[1] for pair in dealt["seats"] if pair]
    return bool(log.header["seed"] == b2(canonical(["kifu seed 1", digest, dealt["host"][1], shown])))


# --- its form --------------------------------------------------------------------------------------------------------


def is_header(header: Any) -> bool:
    """Whether it has the keys that `log-format.md` names, each of its kind."""
    shape = {
        "kifu": lambda value: is_int(value) and value == 1,
        "game": is_text,
        "rules": lambda value: is_int(value, 1),
        "seats": is_names,
        "options": is_map,
        "seed": lambda value: value is None or is_bytes(value, 32),
        "match": is_text,
        "started": lambda value: value is None or is_int(value),
        "engine": is_text,
    }
    if not isinstance(header, dict) or not all(key in header and fits(header[key]) for key, fits in shape.items()):
        return False
    if not is_int(header.get("layout", 1)):
        return False
    fork = header.get("fork", {"match": "", "seq": -1})
    fits = isinstance(fork, dict) and is_text(fork.get("match")) and is_int(fork.get("seq"), -1)
    return fits and ("fork" not in header or header["seed"] is None)
