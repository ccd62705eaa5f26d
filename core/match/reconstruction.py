"""A match from a record that does not tell everything: what is unknown is filled in so that all is legal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs
from attrs import evolve, frozen

from ..errors import LogError, MatchError, Message
from ..game import AnyGame, RuleViolation, TableRule, Takeback, is_mapping
from ..wire import TAKEBACK, wire_of
from .assumed import UNKNOWN, Place, assumed_leaves, by_event, replaced, unknown_places
from .header import Header
from .match import AnyMatch, Match, checked_seat
from .record_search import Made, Refusal, Search, Told

TRIES = 10_000
"""The number of deals that are tried unless a caller gives another."""


@frozen
class NoDeal:
    """No deal was found that allows a record: what was refused, and how many were tried."""

    refusal: Refusal
    tried: int
    is_all: bool
    """Whether these are all that there are."""

    def error(self) -> LogError:
        """Return what is wrong as an error."""
        violation, rule = self.refusal.violation, self.refusal.violation.rule
        is_form = rule is TableRule.FORM
        if is_form or (self.tried == 1 and self.is_all):
            why = violation.summary
        else:
            none = Message("no-deal-at-all", "no deal at all allows it: all {count} ways were tried", count=self.tried)
            some = Message("no-deal-found", "none of the {count} ways that were tried allows it", count=self.tried)
            tried = none if self.is_all else some
            why = Message("one-and-other", "{one}; {other}", one=violation.summary, other=tried)
        return LogError("form" if is_form else "rule", why, self.refusal.seq, None if is_form else rule.number)


def search(game: AnyGame, header: Header, told: Sequence[Told], tries: int = TRIES) -> list[Made] | NoDeal:
    """Return the events of a record with what is unknown filled in, and the deals that it leaves out."""
    found = Search(game, header, told, tries)
    while not found.advance():
        if found.tried > tries // 2:
            found.is_all = False
        if found.tried > tries or not (found.go_back() if found.is_all else found.mend()):
            return NoDeal(found.furthest, found.tried, found.is_all)
    return found.made


def reconstruct(game: AnyGame, header: Header, events: Iterable[tuple[int, Any]], tries: int = TRIES) -> AnyMatch:
    """Return the match of a record, with what is unknown filled in, and named in the header as assumed.

    Raises `LogError` where no deal is found that allows the record, `MatchError` for what is no event.
    """
    if not isinstance(events, Iterable):
        raise MatchError(Message("no-events-told", "a record is a list of pairs of a seat and a command"))
    told = [told_of(game, len(header.seats), each) for each in events]
    found = search(game, header, told, tries)
    if isinstance(found, NoDeal):
        raise found.error()
    places = [(seq, *place) for seq, made in enumerate(found) for place in unknown_places(made.told.fields)]
    match: AnyMatch = Match(game, evolve(header, assumed=tuple(places)))
    for made in found:
        match.apply(made.told.seat, made.command)
    return match


def told_of(game: AnyGame, seats: int, event: Any) -> Told:
    """Return what an event tells: a seat and a command in which anything may be `UNKNOWN`."""
    try:
        seat, command = event
    except (TypeError, ValueError):
        raise MatchError(Message("no-told-event", "an event is a pair of a seat and a command")) from None
    seat = checked_seat(seat, seats)
    if command is UNKNOWN:
        return Told(seat)
    tag = TAKEBACK if isinstance(command, Takeback) else game.wire.get(type(command))
    if tag is None:
        english = "{given} is not a command of {game}"
        raise MatchError(Message("told-no-command", english, given=ascii(command)[:60], game=game.name))
    each = attrs.fields_dict(type(command))
    maps = [name for name in each if is_mapping(each[name]) and getattr(command, name) is UNKNOWN]
    writable = evolve(command, **dict.fromkeys(maps, ())) if maps else command
    fields = {**wire_of(game).encode(writable)[1], **dict.fromkeys(maps, UNKNOWN)}
    if unknown_places(fields) and tag != TAKEBACK:
        return Told(seat, tag, fields)
    try:
        return Told(seat, tag, fields, wire_of(game).exact(command))
    except RuleViolation as violation:
        return Told(seat, tag, fields, violation)


def told_in(game: AnyGame, places: Sequence[Place], events: Sequence[Any]) -> list[Told]:
    """Return what the events of a log tell that are assumed in these places."""
    within, found = by_event(places, len(events)), []
    for event in events:
        tag, fields = wire_of(game).encode(event.command)
        assumed = within.get(event.seq)
        if assumed is None or type(event.command) not in game.wire:
            found.append(Told(event.seat, tag, fields, event.command))
            continue
        told = replaced(fields, dict.fromkeys((place for place, _ in assumed_leaves(fields, assumed)), UNKNOWN))
        found.append(Told(event.seat, None if () in assumed else tag, UNKNOWN if () in assumed else told))
    return found
