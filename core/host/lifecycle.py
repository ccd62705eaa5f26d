"""The life of a match: open, join, remove, begin, import; and new keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from attrs import evolve, field, frozen

from ..errors import Conflict, KeyRefused, MatchError, Message, NoMatch, OptionError
from ..game import AnyGame, Meta, Seat, replace_at
from ..log import read_bytes
from ..log.framing import ObjectStream
from ..log.writer import log_objects
from ..match.engine import engine_of
from ..match.header import SEED_BYTES, Header, new_header
from ..stores.maintenance import rows_of
from ..stores.store import Append, Change, Create, Due, stored_id
from ..text.names import checked_name, distinct, numbered
from ..trust.audit import complete
from ..trust.seat_record import MAX_NUMBER
from ..wire import wire_of
from .context import HostContext
from .live_match import LiveMatch, current_proposal
from .metadata import MatchMetadata, Terms, check_terms, checked_int, hash_key, new_key, relatives, row_of, seat_of_key
from .preparation import admit, bound, dismiss, prepare
from .writer import MatchChange


@frozen
class OpenedMatch:
    """A match and the keys of its seats, for its opener to hand out.

    The key of a free seat, or of a bot's, is None; a player who joins gets its key from `join`.
    """

    match: str
    keys: tuple[str | None, ...] = field(repr=False)
    opener_key: str | None = field(default=None, repr=False)
    """With it players can be removed before the match begins; None if it has begun."""


@frozen
class JoinedSeat:
    """A seat that was taken, its key, and whether the match began with it."""

    seat: int
    key: str = field(repr=False)
    begun: bool


def open_match(
    context: HostContext,
    game: str,
    seats: Sequence[str | None] | int,
    options: Mapping[str, Any],
    terms: Terms,
    opener: str = "",
) -> OpenedMatch:
    """Open a match; it begins at once if no seat is free. Raises `GameError`, `MatchError` or `OptionError`."""
    found, given = context.find(game), _seat_names(seats)
    if not isinstance(options, Mapping):
        raise OptionError("options", Message("must-be-a-map", "must be a map"))
    check_terms(terms, len(given), context.bots)
    if terms.fair and not found.has_deal:
        english = "{game} deals nothing: no deal can be held fairly"
        raise MatchError(Message("nothing-to-deal", english, game=found.name))
    names = _names(given, terms.bots)
    header = _header(context, found, [name or "" for name in names], options, "")  # raises for seats and options
    keys = tuple(
        new_key(context.entropy) if name is not None and Seat(seat) not in terms.bots else None
        for seat, name in enumerate(names)
    )
    opener_key = new_key(context.entropy) if None in names else None
    plain = wire_of(found).plain_options(header.options)
    _check_exact_in_json(plain)
    metadata = MatchMetadata(
        names=names,
        keys=tuple(None if key is None else hash_key(key) for key in keys),
        opener_key=None if opener_key is None else hash_key(opener_key),
        options=plain,
        terms=terms,
        opened_at_ms=context.clock(),
        opener=opener,
    )
    match = context.entropy(8).hex()
    metadata = prepare(context, match, found, metadata, names)
    context.writer.do(_Open(match, found.name, metadata))
    return OpenedMatch(match, keys, opener_key)


def _check_exact_in_json(options: Mapping[str, Any]) -> None:
    """Raise `OptionError` for a number that a player's page would read as another, and find another roster then."""

    def has_large(value: Any) -> bool:
        if isinstance(value, Mapping):
            return any(map(has_large, (*value, *value.values())))
        if isinstance(value, list | tuple):
            return any(map(has_large, value))
        return isinstance(value, int) and abs(value) > MAX_NUMBER

    for name, value in options.items():
        if has_large(value):
            english = "a browser cannot read so large a number: give one from -{most} to {most}"
            raise OptionError(name, Message("option-too-large", english, most=MAX_NUMBER))


def _seat_names(seats: Sequence[str | None] | int) -> list[str | None]:
    """Return the name of each seat, None for a free one; `seats` may be just their number."""
    if isinstance(seats, int):
        return [None] * min(max(seats, 0), 99)
    if not isinstance(seats, list | tuple):
        raise MatchError(Message("seats-are", "give the number of seats, or a list of names"))
    return list(seats)


def _names(given: Sequence[str | None], bots: Mapping[Any, str]) -> tuple[str | None, ...]:
    """Return the name of each seat, None for a free one; a bot without a name has its own, with a number if taken."""
    names: list[str | None] = [None] * len(given)
    for seat, name in enumerate(given):
        names[seat] = None if name is None else distinct(checked_name(name), names)
    for seat, bot in bots.items():
        if names[seat] is None:
            names[seat] = numbered(bot, names)
    return tuple(names)


@frozen
class Join(MatchChange[JoinedSeat]):
    """A free seat that somebody takes, by default the first; the last begins the match, or a fair deal's reveals.

    A fair deal needs the seat's `commitment`. Under `public_key` the seat signs its commands. Both are 32 bytes.
    """

    name: str
    seat: int | None = None
    commitment: bytes | None = field(default=None, kw_only=True)
    public_key: bytes | None = field(default=None, kw_only=True)

    def apply(self, context: HostContext, live: LiveMatch) -> JoinedSeat:
        """Take it; raises `MatchError`, or `TrustError` for a commitment or a public key that is none."""
        name = distinct(checked_name(self.name), live.metadata.names)
        if live.metadata.terms.fair and (self.seat is None or self.commitment is None):
            raise MatchError(Message("joins-fairly", "this match deals fairly: join with a seat and a commitment"))
        key, taken = new_key(context.entropy), _free_seat(live, self.seat)
        metadata = evolve(
            live.metadata.without_proposal(),
            names=replace_at(live.metadata.names, taken, name),
            keys=replace_at(live.metadata.keys, taken, hash_key(key)),
        )
        metadata = admit(context, live.id, live.game, metadata, taken, self.commitment, self.public_key)
        begins = not metadata.open_seats and not metadata.terms.fair
        if not begins:
            live.update_metadata(metadata, context.clock())
            return JoinedSeat(taken, key, begins)
        try:
            begin(context, live, metadata)
        except OptionError as cause:  # which the rules took when it was opened
            raise MatchError(Message("opened-with", "today's rules do not take its options: open it anew")) from cause
        return JoinedSeat(taken, key, begins)


@frozen
class RemovePlayer(MatchChange[None]):
    """A player's seat that becomes free again, by the opener's key or its own, which opens nothing any more."""

    opener_key: str | None = field(repr=False)
    seat: int

    def apply(self, context: HostContext, live: LiveMatch) -> None:
        """Free it.

        Raises `KeyRefused` for another key, and `MatchError` for a seat without a player or once nobody can be removed:
        the match has begun, or all have committed to a fair deal.
        """
        seat = self.seat
        is_held = seat.__class__ is int and seat in live.metadata.held_seats
        own = live.metadata.keys[seat] if is_held else None
        if seat_of_key(live.id, [live.metadata.opener_key, own], self.opener_key) is None:
            raise KeyRefused(live.id)
        if live.row.status != "open" or not live.metadata.open_seats:
            raise MatchError(Message("none-to-remove", "nobody can be removed any more: all seats are taken"))
        if not is_held:
            raise _no_player(live.metadata, seat)
        taken = Seat(seat)
        metadata = dismiss(context, live.id, live.game, live.metadata.without_proposal(), taken)
        names, keys = replace_at(metadata.names, taken, None), replace_at(metadata.keys, taken, None)
        live.update_metadata(evolve(metadata, names=names, keys=keys), context.clock())


def _no_player(metadata: MatchMetadata, seat: int) -> MatchError:
    held = ", ".join(map(str, metadata.held_seats)) or Message("none", "none")
    english = "seat {seat} has no player; seats with one: {held}"
    return MatchError(Message("no-player", english, seat=seat, held=held))


def _free_seat(live: LiveMatch, seat: int | None) -> int:
    """Return this seat, or the first that is free; raises `MatchError` if it is taken or none is free."""
    free = live.metadata.open_seats
    if live.row.status != "open" or not free:
        raise MatchError(Message("no-seat-free", "no seat is free"))
    if seat is None:
        return free[0]
    if checked_int(seat, Message("a-seat", "a seat")) not in free:
        listed = ", ".join(map(str, free))
        raise MatchError(Message("seat-not-free", "seat {seat} is not free; free: {free}", seat=seat, free=listed))
    return Seat(seat)


def begin(context: HostContext, live: LiveMatch, metadata: MatchMetadata) -> None:
    """Begin the log: the header, now that all names are known, and the first deal."""
    game, names = live.game, [name for name in metadata.names if name is not None]
    seed = None if metadata.terms.fair or not game.has_deal else context.entropy(SEED_BYTES)
    header = _header(context, game, names, metadata.options, live.id, seed)
    live.start_log(game, bound(context, header, game, metadata))
    live.match.deal(Meta(0), context.entropy)
    live.record(context.clock(), metadata)


def _header(
    context: HostContext,
    game: AnyGame,
    names: Sequence[str],
    options: Mapping[str, Any],
    match: str,
    seed: bytes | None = None,
) -> Header:
    return new_header(
        game,
        tuple(names),
        dict(options),
        seed,
        match=match,
        started=context.clock(),
        engine=engine_of(game, context.engine),
    )


def import_log(context: HostContext, raw: bytes, terms: Terms) -> OpenedMatch:
    """Store a log under new keys; an unfinished one is played on.

    Raises `LogError` if anything is wrong with it, `MatchError` if it cannot be stored.
    """
    audited = complete(read_bytes(raw, context.find), raw, context.find)
    reading = audited.reading
    if not audited.ok or reading.match is None or reading.header is None:
        raise reading.error()
    match, names = stored_id(reading.header.match), reading.header.seats
    if match != reading.header.match and reading.ended is None and "sign" in audited.log.header:
        english = (
            "what is signed there names the match {match}: only with an id of letters, digits, - and _ it can go on"
        )
        raise MatchError(Message("no-id-to-store", english, match=ascii(reading.header.match[:60])))
    check_terms(terms, len(names), context.bots)
    if reading.ended is None and audited.host_key not in (None, context.sign and context.sign.public):
        raise MatchError(Message("other-host-key", "this log is signed by another host's key"))
    written_anew = reading.ended is None and reading.match.rules != reading.match.game.version
    if written_anew:
        objects = list(log_objects(reading.match, ended=False))  # it goes on under the current rules
    else:
        objects = [raw[start:end] for _, start, end in ObjectStream(raw)]
    terms = evolve(terms, fair="fair" in audited.log.header and not written_anew)
    keys = tuple(None if Seat(seat) in terms.bots else new_key(context.entropy) for seat in range(len(names)))
    signing = () if audited.log.keys is None else audited.log.keys.keyed
    going = [each for each, row in rows_of(context.store, "going") if row.game == reading.header.game]
    metadata = MatchMetadata(
        names=names,
        keys=tuple(None if key is None else hash_key(key) for key in keys),
        options=wire_of(reading.match.game).plain_options(reading.header.options),
        terms=terms,
        opened_at_ms=context.clock(),
        imported=True,
        result=reading.result,
        forks=tuple(each for each in going if match in dict(relatives(context.store, each))),
        unsigned_seats=tuple(seat for seat in signing if seat in terms.bots),
    )
    status = "going" if reading.ended is None else reading.ended
    if reading.header.fork is not None and reading.header.fork.seq >= 0:
        with suppress(NoMatch):
            context.writer.do(_NoteFork(stored_id(reading.header.fork.match), match))
    for failure in context.store.commit(log_changes(context, match, objects, metadata, reading.match.game, status)):
        if isinstance(failure, Conflict):
            raise MatchError(Message("here-already", "match {match} is here already", match=match))
        if failure is not None:
            raise failure
    if status == "going":
        context.writer.do(_Complete(match))
    return OpenedMatch(match, keys)


@frozen
class _NoteFork(MatchChange[None]):
    """The note that a fork of this match was imported: while one goes on, the other stays closed."""

    fork: str
    is_under_todays_rules = False

    def apply(self, context: HostContext, live: LiveMatch) -> None:
        """Note it."""
        forks = tuple(dict.fromkeys((*live.metadata.forks, self.fork)))
        live.update_metadata(evolve(live.metadata, forks=forks), context.clock())


@frozen
class _Open(MatchChange[None]):
    """A new match, whose log begins at once if all its seats are taken."""

    game: str
    metadata: MatchMetadata
    is_new = True
    is_under_todays_rules = False

    def apply(self, context: HostContext, live: LiveMatch) -> None:
        """Open it."""
        live.open(self.game, self.metadata, context.clock())
        created = Create(live.id, b"", live.row)
        if not self.metadata.open_seats:
            begin(context, live, self.metadata)
        live.changes.insert(0, created)


@frozen
class _Complete(MatchChange[None]):
    """What a log lacks that was cut off: the deal that is due, or the end record."""

    metadata: MatchMetadata | None = None

    def apply(self, context: HostContext, live: LiveMatch) -> None:
        """Append it, and store new metadata if there are any."""
        live.match.deal(Meta(context.elapsed_ms(live)), context.entropy)
        live.record(context.clock(), self.metadata)


@frozen
class RotateKeys(MatchChange[OpenedMatch]):
    """New keys for these seats, by default for all players; the old ones are revoked: for the operator only."""

    seats: Iterable[int] | None = None

    def apply(self, context: HostContext, live: LiveMatch) -> OpenedMatch:
        """Issue them; return them by seat, None where a seat got none.

        A pending proposal expires: the new holder of the seat was not asked. Forks of the match keep their own keys.
        Raises `MatchError` for a free seat or a bot's.
        """
        old, selected = live.metadata, _to_be_rotated(live.metadata, self.seats)
        issued = {seat: new_key(context.entropy) for seat in selected}
        keys = tuple(hash_key(issued[seat]) if seat in issued else key for seat, key in enumerate(old.keys))
        proposal = current_proposal(live)
        if proposal is not None and proposal.status == "pending" and proposal.waiting_for:
            proposal = evolve(proposal, status="expired", fork=None)
        new = {*old.unsigned_seats, *(Seat(seat) for seat in selected if live.seat_keys[seat] is not None)}
        metadata = evolve(old, keys=keys, proposal=proposal, unsigned_seats=tuple(sorted(new)))
        if live.folded is None or live.ended or not live.is_current_version:
            live.update_metadata(metadata, context.clock())
        else:
            _Complete(live.id, metadata).apply(context, live)  # a host that was killed may have left it incomplete
        return OpenedMatch(live.id, tuple(issued.get(seat) for seat in range(len(old.names))))


def _to_be_rotated(old: MatchMetadata, seats: Iterable[int] | None) -> list[int]:
    """Return the seats that get new keys; raises `MatchError` for one without a player."""
    if seats is not None and not isinstance(seats, Iterable):
        raise MatchError(Message("seats-are-listed", "give the seats as a list of numbers"))
    if seats is None:
        return old.held_seats
    selected = sorted({checked_int(seat, Message("a-seat", "a seat")) for seat in seats})
    for seat in selected:
        if seat not in old.held_seats:
            raise _no_player(old, seat)
    return selected


def log_changes(
    context: HostContext, match: str, objects: Sequence[bytes], metadata: MatchMetadata, game: AnyGame, status: str
) -> list[Change]:
    """Return what stores the objects of a log as a new match, with new metadata."""
    now_ms = context.clock()
    end = objects[-1] if status != "going" else None
    events = objects[1:-1] if end is not None else objects[1:]
    noted = evolve(metadata, rules=game.version if status == "going" else None, witnesses=())
    due = Due(now_ms) if status == "going" and metadata.terms.is_timed else None  # the scheduler will look at it
    if status == "going":
        context.begun(match)
    row = row_of(noted, game.name, status, now_ms, 1)
    append = Append(match, 0, events, objects[0], end, row, due=due)
    return [Create(match, b"", row_of(metadata, game.name, "open", now_ms, 0)), append]
