"""Opening a match, joining it, and beginning it once all have joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ..bot import Bot
from ..errors import Conflict, MatchError, OptionError, Why
from ..game import Meta, Seat
from ..header import SEED_BYTES, Header, prepare
from ..log import read_bytes
from ..log.objects import Objects
from ..log.writer import log_objects
from ..stores.store import ID, Sheet
from ..wire import wire_of
from .desk import Desk, checked
from .folds import AnyGame, Live
from .keys import hashed, new_key
from .papers import Papers, Terms, papers_of, sheet_of
from .turns import is_stand_in
from .wishes import wish_now

NAME_LETTERS = 64
LONGEST = 1_000_000_000_000
"""Milliseconds, about thirty years: the longest limit or pace."""


@frozen
class Opened:
    """A match that was opened, and the keys that its opener hands out: one a seat.

    A seat that is free, or that a bot plays, has None: who joins gets its key.
    """

    match: str
    keys: tuple[str | None, ...]


@frozen
class Joined:
    """The seat that was joined, its key, and whether the match has begun with it."""

    seat: Seat
    key: str
    begun: bool


def open_match(
    desk: Desk, game: str, seats: Sequence[str | None] | int, options: Mapping[str, Any], terms: Terms
) -> Opened:
    """Open a match; where no seat is free, it begins."""
    chosen, given = desk.find(game), _given(seats)
    if not isinstance(options, Mapping):
        raise OptionError("options", Why("must-be-a-map", "must be a map"))
    check_terms(desk, terms, len(given))
    names = tuple(
        name if name is None else checked_name(name)
        for name in (terms.bots.get(Seat(seat)) if name is None else name for seat, name in enumerate(given))
    )
    header = _header(desk, chosen, [name or "" for name in names], options, "")  # for its refusals
    keys = tuple(
        new_key(desk.entropy) if name is not None and Seat(seat) not in terms.bots else None
        for seat, name in enumerate(names)
    )
    now = desk.clock()
    papers = Papers(
        names=names,
        keys=tuple(None if key is None else hashed(key) for key in keys),
        options=wire_of(chosen).plain_options(header.options),
        terms=terms,
        opened=now,
    )
    match = desk.entropy(8).hex()
    desk.store.create(match, b"", blank(papers, chosen, now))
    if not papers.free:
        desk.alone(match, lambda live: begin(desk, live, papers))
    return Opened(match, keys)


def _given(seats: Sequence[str | None] | int) -> list[str | None]:
    """List the names that an opener gives."""
    if isinstance(seats, int):
        return [None] * min(max(seats, 0), 99)
    if not isinstance(seats, list | tuple):
        raise MatchError(Why("seats-are", "seats are their number, or a list of names"))
    return list(seats)


def join(desk: Desk, live: Live, name: str, seat: int | None) -> Joined:
    """Take a free seat, the first one or this; the last to join begins the match."""
    checked_name(name)
    key, chosen, wish = new_key(desk.entropy), _free(live, seat), live.papers.wish
    papers = evolve(
        live.papers,
        names=_put(live.papers.names, chosen, name),
        keys=_put(live.papers.keys, chosen, hashed(key)),
        wish=None if wish is None else evolve(wish, state="lapsed"),  # who has just come was not asked
    )
    if papers.free:
        live.revise(papers, desk.clock())
    else:
        begin(desk, live, papers)
    return Joined(chosen, key, not papers.free)


def _put(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _free(live: Live, seat: int | None) -> Seat:
    free = live.papers.free
    if live.sheet.status != "open" or not free:
        raise MatchError(Why("no-seat-free", "no seat is free"))
    if seat is None:
        return free[0]
    if seat not in free:
        listed = ", ".join(map(str, free))
        raise MatchError(Why("seat-not-free", "seat {seat} is not free; free: {free}", seat=seat, free=listed))
    return Seat(seat)


def begin(desk: Desk, live: Live, papers: Papers) -> None:
    """Write the head of the log, now that all names are known, and deal."""
    game, seed = live.game, desk.entropy(SEED_BYTES)
    names = [name for name in papers.names if name is not None]
    header = _header(desk, game, names, papers.options, live.id, seed)
    live.begin(game, header)
    live.match.deal(Meta(0), desk.entropy)
    live.commit(desk.clock(), papers)


def _header(
    desk: Desk, game: AnyGame, names: Sequence[str], options: Mapping[str, Any], match: str, seed: bytes | None = None
) -> Header:
    return prepare(game, tuple(names), dict(options), seed, match=match, started=desk.clock(), engine=desk.engine)


def checked_name(name: str) -> str:
    """Give the name of a seat; raises `MatchError` for what is none."""
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_LETTERS:
        raise MatchError(Why("name-is", "a name is a text of 1 to {most} letters", most=NAME_LETTERS))
    if name.encode("utf-8", "ignore").decode() != name:
        raise MatchError(Why("half-letter", "a name is a text of whole letters: this one has half of a surrogate pair"))
    return name


def checked_bots(bots: Mapping[str, Bot]) -> dict[str, Bot]:
    """Give the bots of a host; raises `MatchError` for a name that cannot stand in a log as who acted."""
    for name in bots:
        if is_stand_in(checked_name(name)):
            raise MatchError(
                Why("like-a-stand-in", "a bot is not called {name}: it would pass for a stand-in", name=repr(name))
            )
    return dict(bots)


def check_terms(desk: Desk, terms: Terms, seats: int) -> None:
    """Raise `MatchError` for terms that cannot be kept."""
    if terms.limit is not None and not 1 <= checked(terms.limit, Why("a-limit", "a limit")) <= LONGEST:
        english = "a limit is 1 to {most} milliseconds, not {given}"
        raise MatchError(Why("limit-is", english, most=LONGEST, given=terms.limit))
    if not 0 <= checked(terms.pace, Why("a-pace", "a pace")) <= LONGEST:
        english = "a pace is 0 to {most} milliseconds, not {given}"
        raise MatchError(Why("pace-is", english, most=LONGEST, given=terms.pace))
    for seat, bot in terms.bots.items():
        if not 0 <= checked(seat, Why("a-bots-seat", "a bot's seat")) < seats:
            english = "there is no seat {seat} for the bot {bot}: there are {seats}"
            raise MatchError(Why("no-seat-for-bot", english, seat=seat, bot=repr(bot), seats=seats))
        if bot not in desk.bots:
            known = ", ".join(sorted(desk.bots)) or Why("none", "none")
            raise MatchError(
                Why("no-such-bot", "there is no bot {bot}; there are: {known}", bot=repr(bot), known=known)
            )


def take_in(desk: Desk, raw: bytes, terms: Terms) -> Opened:
    """Put a log into the store: whole, to be looked at; unfinished, to be played on, under new keys."""
    reading = read_bytes(raw, desk.find)
    if not reading.ok or reading.match is None or reading.header is None:
        raise reading.error()
    match, names = reading.header.match, reading.header.seats
    if not ID.fullmatch(match):
        english = "a match that is kept has an id of letters, digits, - and _, not {match}"
        raise MatchError(Why("no-id-to-keep", english, match=ascii(match[:60])))
    check_terms(desk, terms, len(names))
    if reading.ended is None and reading.rules != reading.match.game.rules:
        objects = list(log_objects(reading.match, ended=False))  # what goes on goes on under today's rules
    else:
        objects = [raw[start:end] for _, start, end in Objects(raw)]
    keys = tuple(None if Seat(seat) in terms.bots else new_key(desk.entropy) for seat in range(len(names)))
    papers = Papers(
        names=names,
        keys=tuple(None if key is None else hashed(key) for key in keys),
        options=wire_of(reading.match.game).plain_options(reading.header.options),
        terms=terms,
        opened=desk.clock(),
        result=reading.result,
    )
    status = "going" if reading.ended is None else reading.ended
    keep(desk, match, objects, papers, reading.match.game, status)
    if status == "going":
        desk.alone(match, lambda live: _go_on(desk, live))
    return Opened(match, keys)


def _go_on(desk: Desk, live: Live, papers: Papers | None = None) -> None:
    """Do what a log that was cut off left undone: the deal, or the end record."""
    live.match.deal(Meta(desk.now(live)), desk.entropy)
    live.commit(desk.clock(), papers)


def new_keys(desk: Desk, live: Live, seats: Iterable[int] | None) -> Opened:
    """Issue new keys for these seats, or for all that players have; the old ones open nothing any more.

    A wish that waits lapses: who has the seat now was not asked.
    """
    if seats is not None and not isinstance(seats, Iterable):
        raise MatchError(Why("seats-are-listed", "seats are a list of their numbers"))
    old = live.papers
    held = [seat for seat, name in enumerate(old.names) if name is not None and Seat(seat) not in old.terms.bots]
    chosen = held if seats is None else sorted({checked(seat, Why("a-seat", "a seat")) for seat in seats})
    for seat in chosen:
        if seat not in held:
            known = ", ".join(map(str, held)) or Why("none", "none")
            english = "seat {seat} has no player; those of players: {known}"
            raise MatchError(Why("seat-without-player", english, seat=seat, known=known))
    issued = {seat: new_key(desk.entropy) for seat in chosen}
    keys = tuple(hashed(issued[seat]) if seat in issued else key for seat, key in enumerate(old.keys))
    wish = next(iter(wish_now(live)), None)
    if wish is not None and wish.state == "pending" and wish.waits_for:
        wish = evolve(wish, state="lapsed", fork=None)
    papers = evolve(old, keys=keys, wish=wish)
    if live.folded is None and not old.free:
        raise MatchError(Why("never-began-so", "it never began: open it anew, or take its log in again"))
    if live.folded is None or live.ended or not live.is_of_today:
        live.revise(papers, desk.clock())
    else:
        _go_on(desk, live, papers)  # it may have been left undone by a host that was killed, keys and all
    return Opened(live.id, tuple(issued.get(seat) for seat in range(len(old.names))))


def keep(desk: Desk, match: str, objects: Sequence[bytes], papers: Papers, game: AnyGame, status: str) -> None:
    """Put these objects of a log into the store under a new sheet; raises `MatchError` if it is there already."""
    now, version = desk.clock(), 0
    end = objects[-1] if status != "going" else None
    events = objects[1:-1] if end is not None else objects[1:]
    try:
        try:
            desk.store.create(match, b"", blank(papers, game, now))
        except Conflict:
            version = _left_blank(desk, match)
        sheet = sheet_of(papers, game.name, status, now, version + 1)
        desk.store.append(match, 0, events, head=objects[0], end=end, sheet=sheet)
    except Conflict:
        raise MatchError(Why("here-already", "match {match} is here already", match=match)) from None


def blank(papers: Papers, game: AnyGame, now: int) -> Sheet:
    """Make the first sheet of a match; no lobby lists one whose seats are taken and whose log has not begun."""
    sheet = sheet_of(papers, game.name, "open", now, 0)
    return sheet if papers.free else evolve(sheet, public=False)


def _left_blank(desk: Desk, match: str) -> int:
    """Give the version of the sheet of a match that was being made when its host was killed; else raise `Conflict`."""
    kept = desk.store.read(match)
    if kept.head or kept.sheet.status != "open" or papers_of(kept.sheet, match).free:
        raise Conflict(match, 0, kept.count)
    return kept.sheet.version
