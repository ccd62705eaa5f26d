"""The life of a match: open, join, remove, begin, import; and new keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ..errors import Conflict, MatchError, Message, NoMatch, OptionError
from ..game import AnyGame, Meta, Seat, replace_at
from ..log import read_bytes
from ..log.framing import ObjectStream
from ..log.writer import log_objects
from ..match.header import SEED_BYTES, Header, new_header
from ..stores.store import HEADER_ALONE, ID, Append, Change, Create, Due, MetadataRow, commit_one
from ..trust.audit import complete
from ..wire import wire_of
from .checks import check_terms, checked_name
from .context import HostContext, checked_int
from .keys import hash_key, new_key, require_seat
from .live_match import LiveMatch, current_proposal
from .metadata import MatchMetadata, Proposal, Terms, metadata_of, row_of
from .preparation import admit, bound, dismiss, prepare


@frozen
class OpenedMatch:
    """A match and the keys of its seats, for its opener to hand out.

    The key of a free seat, or of a bot's, is None; a player who joins gets its key from `join`.
    """

    match: str
    keys: tuple[str | None, ...]
    opener_key: str | None = None
    """With it players can be removed before the match begins; None if it has begun."""


@frozen
class JoinedSeat:
    """A seat that was taken, its key, and whether the match began with it."""

    seat: Seat
    key: str
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
    check_terms(context, terms, len(given))
    if terms.fair and not found.has_deal:
        raise MatchError(
            Message("nothing-to-deal", "{game} deals nothing: no deal can be held fairly", game=found.name)
        )
    names = tuple(
        name if name is None else checked_name(name)
        for name in (terms.bots.get(Seat(seat)) if name is None else name for seat, name in enumerate(given))
    )
    header = _header(context, found, [name or "" for name in names], options, "")  # raises for seats and options
    keys = tuple(
        new_key(context.entropy) if name is not None and Seat(seat) not in terms.bots else None
        for seat, name in enumerate(names)
    )
    opener_key = new_key(context.entropy) if None in names else None
    now_ms = context.clock()
    metadata = MatchMetadata(
        names=names,
        keys=tuple(None if key is None else hash_key(key) for key in keys),
        opener_key=None if opener_key is None else hash_key(opener_key),
        options=wire_of(found).plain_options(header.options),
        terms=terms,
        opened_at_ms=now_ms,
        opener=opener,
    )
    match = context.entropy(8).hex()
    metadata = prepare(context, match, found, metadata, names)
    commit_one(context.store, Create(match, b"", initial_row(metadata, found, now_ms)))
    if not metadata.open_seats:
        context.run(match, lambda live: begin(context, live, metadata))
    return OpenedMatch(match, keys, opener_key)


def _seat_names(seats: Sequence[str | None] | int) -> list[str | None]:
    """Return the name of each seat, None for a free one; `seats` may be just their number."""
    if isinstance(seats, int):
        return [None] * min(max(seats, 0), 99)
    if not isinstance(seats, list | tuple):
        raise MatchError(Message("seats-are", "seats are their number, or a list of names"))
    return list(seats)


def join(
    context: HostContext,
    live: LiveMatch,
    name: str,
    seat: int | None,
    commitment: bytes | None = None,
    public_key: bytes | None = None,
) -> JoinedSeat:
    """Take a free seat, by default the first; the last to join begins the match, or the reveals of a fair deal.

    Raises `MatchError`; `TrustError` for a commitment or a public key that is none.
    """
    checked_name(name)
    if live.metadata.terms.fair and (seat is None or commitment is None):
        raise MatchError(Message("joins-fairly", "this match deals fairly: join with a seat and a commitment"))
    key, taken = new_key(context.entropy), _free_seat(live, seat)
    metadata = evolve(
        live.metadata,
        names=replace_at(live.metadata.names, taken, name),
        keys=replace_at(live.metadata.keys, taken, hash_key(key)),
        proposal=_expired(live.metadata),
    )
    metadata = admit(context, live.id, live.game, metadata, taken, commitment, public_key)
    begins = not metadata.open_seats and not metadata.terms.fair
    if begins:
        try:
            begin(context, live, metadata)
        except OptionError as cause:  # which the rules took when it was opened
            raise MatchError(Message("opened-with", "today's rules do not take its options: open it anew")) from cause
    else:
        live.update_metadata(metadata, context.clock())
    return JoinedSeat(taken, key, begins)


def remove_player(context: HostContext, live: LiveMatch, key: str | None, seat: int) -> None:
    """Free the seat of a player again, by the opener's key or the player's own, which opens nothing any more.

    Raises `KeyRefused` for another key, and `MatchError` for a seat without a player or once nobody can be removed:
    the match has begun, or all have committed to a fair deal.
    """
    own = live.metadata.keys[seat] if seat in live.metadata.held_seats else None
    require_seat(live.id, [live.metadata.opener_key, own], key)
    if live.row.status != "open" or not live.metadata.open_seats:
        raise MatchError(Message("none-to-remove", "nobody can be removed any more: all seats are taken"))
    held = live.metadata.held_seats
    if seat.__class__ is bool or seat not in held:
        listed = ", ".join(map(str, held)) or Message("none", "none")
        raise MatchError(
            Message("no-player", "seat {seat} has no player; seats with one: {held}", seat=seat, held=listed)
        )
    taken = Seat(seat)
    metadata = dismiss(context, live.id, live.game, live.metadata, taken)
    names, keys = replace_at(metadata.names, taken, None), replace_at(metadata.keys, taken, None)
    live.update_metadata(evolve(metadata, names=names, keys=keys, proposal=_expired(live.metadata)), context.clock())


def _expired(metadata: MatchMetadata) -> Proposal | None:
    """Return the last proposal, expired: it was put to other players than those that there are now."""
    return None if metadata.proposal is None else evolve(metadata.proposal, state="expired")


def _free_seat(live: LiveMatch, seat: int | None) -> Seat:
    """Return this seat, or the first that is free; raises `MatchError` if it is taken or none is free."""
    free = live.metadata.open_seats
    if live.row.status != "open" or not free:
        raise MatchError(Message("no-seat-free", "no seat is free"))
    if seat is None:
        return free[0]
    if seat not in free:
        listed = ", ".join(map(str, free))
        raise MatchError(Message("seat-not-free", "seat {seat} is not free; free: {free}", seat=seat, free=listed))
    return Seat(seat)


def begin(context: HostContext, live: LiveMatch, metadata: MatchMetadata) -> None:
    """Begin the log: the header, now that all names are known, and the first deal."""
    game, names = live.game, [name for name in metadata.names if name is not None]
    seed = None if metadata.terms.fair or not game.has_deal else context.entropy(SEED_BYTES)
    if metadata.preparation is None:  # an older kifu opened it
        metadata = prepare(context, live.id, game, metadata, metadata.names)
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
        game, tuple(names), dict(options), seed, match=match, started=context.clock(), engine=context.engine
    )


def import_log(context: HostContext, raw: bytes, terms: Terms) -> OpenedMatch:
    """Store a log under new keys; an unfinished one is played on.

    Raises `LogError` if anything is wrong with it, `MatchError` if it cannot be stored.
    """
    audited = complete(read_bytes(raw, context.find), raw, context.find)
    reading = audited.reading
    if not audited.ok or reading.match is None or reading.header is None:
        raise reading.error()
    match, names = reading.header.match, reading.header.seats
    if not ID.fullmatch(match):
        english = "a stored match has an id of letters, digits, - and _, not {match}"
        raise MatchError(Message("no-id-to-store", english, match=ascii(match[:60])))
    check_terms(context, terms, len(names))
    if reading.ended is None and audited.host_key not in (None, context.sign and context.sign.public):
        raise MatchError(Message("other-host-key", "this log is signed by another host's key"))
    written_anew = reading.ended is None and reading.match.rules != reading.match.game.rules
    if written_anew:
        objects = list(log_objects(reading.match, ended=False))  # it goes on under the current rules
    else:
        objects = [raw[start:end] for _, start, end in ObjectStream(raw)]
    terms = evolve(terms, fair="fair" in audited.log.header and not written_anew)
    keys = tuple(None if Seat(seat) in terms.bots else new_key(context.entropy) for seat in range(len(names)))
    metadata = MatchMetadata(
        names=names,
        keys=tuple(None if key is None else hash_key(key) for key in keys),
        options=wire_of(reading.match.game).plain_options(reading.header.options),
        terms=terms,
        opened_at_ms=context.clock(),
        imported=True,
        result=reading.result,
    )
    status = "going" if reading.ended is None else reading.ended
    store_log(context, match, objects, metadata, reading.match.game, status)
    if status == "going":
        context.run(match, lambda live: _complete(context, live))
    return OpenedMatch(match, keys)


def _complete(context: HostContext, live: LiveMatch, metadata: MatchMetadata | None = None) -> None:
    """Append what a log that was cut off lacks: the deal that is due, or the end record."""
    live.match.deal(Meta(context.elapsed_ms(live)), context.entropy)
    live.record(context.clock(), metadata)


def rotate_keys(context: HostContext, live: LiveMatch, seats: Iterable[int] | None) -> OpenedMatch:
    """Issue new keys for these seats, by default for all players, and revoke the old ones.

    A pending proposal expires: the new holder of the seat was not asked.
    """
    if seats is not None and not isinstance(seats, Iterable):
        raise MatchError(Message("seats-are-listed", "seats are a list of their numbers"))
    old = live.metadata
    held = [seat for seat, name in enumerate(old.names) if name is not None and Seat(seat) not in old.terms.bots]
    selected = held if seats is None else sorted({checked_int(seat, Message("a-seat", "a seat")) for seat in seats})
    for seat in selected:
        if seat not in held:
            known = ", ".join(map(str, held)) or Message("none", "none")
            english = "seat {seat} has no player; those of players: {known}"
            raise MatchError(Message("seat-without-player", english, seat=seat, known=known))
    issued = {seat: new_key(context.entropy) for seat in selected}
    keys = tuple(hash_key(issued[seat]) if seat in issued else key for seat, key in enumerate(old.keys))
    proposal = current_proposal(live)
    if proposal is not None and proposal.state == "pending" and proposal.waiting_for:
        proposal = evolve(proposal, state="expired", fork=None)
    new = {*old.unsigned_seats, *(Seat(seat) for seat in selected if _public_keys(live)[seat] is not None)}
    metadata = evolve(old, keys=keys, proposal=proposal, unsigned_seats=tuple(sorted(new)))
    if live.folded is None and not old.open_seats and not old.terms.fair:
        raise MatchError(Message("never-began-so", "it never began: open it anew, or import its log again"))
    if live.folded is None or live.ended or not live.is_current_version:
        live.update_metadata(metadata, context.clock())
    else:
        _complete(context, live, metadata)  # a host that was killed may have left it incomplete
    return OpenedMatch(live.id, tuple(issued.get(seat) for seat in range(len(old.names))))


def _public_keys(live: LiveMatch) -> Sequence[bytes | None]:
    """Return the public key of each seat, before and after the log has begun."""
    if live.trust is not None:
        return live.trust.keys.seats
    preparation = live.metadata.preparation
    return (None,) * len(live.metadata.names) if preparation is None else preparation.seat_keys


def store_log(
    context: HostContext, match: str, objects: Sequence[bytes], metadata: MatchMetadata, game: AnyGame, status: str
) -> None:
    """Store the objects of a log with new metadata; raises `MatchError` if the match is there already."""
    for failure in context.store.commit(log_changes(context, match, objects, metadata, game, status)):
        if isinstance(failure, Conflict):
            raise _here_already(match) from None
        if failure is not None:
            raise failure


def log_changes(
    context: HostContext, match: str, objects: Sequence[bytes], metadata: MatchMetadata, game: AnyGame, status: str
) -> list[Change]:
    """Return what stores the objects of a log with new metadata; raises `MatchError` if the match is there already."""
    now_ms = context.clock()
    end = objects[-1] if status != "going" else None
    events = objects[1:-1] if end is not None else objects[1:]
    blank = _version_of_blank(context, match)
    noted = evolve(metadata, rules=game.rules if status == "going" else None, witnesses=())
    row = row_of(noted, game.name, status, now_ms, 1 if blank is None else blank + 1)
    timed = metadata.terms.turn_limit_ms is not None or metadata.terms.bots
    due = Due(now_ms) if status == "going" and timed else None  # the scheduler will look at it
    append = Append(match, 0, events, objects[0], end, row, due=due)
    if status == "going":
        context.begun(match)
    return [append] if blank is not None else [Create(match, b"", initial_row(metadata, game, now_ms)), append]


def _here_already(match: str) -> MatchError:
    return MatchError(Message("here-already", "match {match} is here already", match=match))


def initial_row(metadata: MatchMetadata, game: AnyGame, now_ms: int) -> MetadataRow:
    """Return the first metadata row of a match; it is not public if all seats are taken, until its log begins."""
    row = row_of(metadata, game.name, "open", now_ms, 0)
    return row if metadata.open_seats else evolve(row, public=False)


def _version_of_blank(context: HostContext, match: str) -> int | None:
    """Return the row's version of a match whose host was killed before the log began; None if there is no match.

    Raises `MatchError` for any other one.
    """
    try:
        stored = context.store.read(match, HEADER_ALONE)
    except NoMatch:
        return None
    metadata = metadata_of(stored.row, match)
    if stored.header or stored.row.status != "open" or metadata.open_seats or metadata.terms.fair:
        raise _here_already(match)
    return stored.row.version
