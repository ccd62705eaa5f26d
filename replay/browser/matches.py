"""Matches as JavaScript has them: each known by a number, its values in the shapes of the HTTP API; analyses too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count, islice
from secrets import token_bytes
from typing import Any, TypeVar

from attrs import define, field

from ... import new
from ...core.errors import GameError, MatchError, Message
from ...core.game import TABLE
from ...core.host import About, HistoryEntry, Observation, Terms
from ...core.log import log_bytes, read_bytes
from ...core.log.json_form import log_in, to_json
from ...core.match import AnyMatch, checked_seat, plain_result, registry, seen_from
from ...core.match.bot import ObservationHistory, ask_bot
from ...core.match.header import SEED_BYTES
from ...core.page import LANGS, page
from ...core.text.texts import FALLBACK
from ...core.web.games import game_response
from ...core.web.presenters import MatchPresenter
from ...core.wire import plain, wire_of
from ..analysis.analysis_file import Analysis, Line
from ..analysis.analysis_text import remarks
from ..analysis.decisions import PAIRS
from ..call_errors import UserMessage

Names = Sequence[str]
T = TypeVar("T")
HEX = re.compile(f"[0-9a-fA-F]{{{2 * SEED_BYTES}}}")
PAGE, LONGEST_PAGE = 50, 200
"""So many legal commands are listed if a caller does not say how many, and at most: `mabr` has thousands."""


class Known(dict[int, T]):
    """What a page knows by numbers; an unknown number raises `MatchError`, which says that it was forgotten."""

    def __init__(self, forgotten: UserMessage) -> None:
        super().__init__()
        self._forgotten, self._numbers = forgotten, count(1)

    def add(self, value: T) -> int:
        """Return the number of a value from now on."""
        number = next(self._numbers)
        self[number] = value
        return number

    def __missing__(self, number: int) -> T:
        raise MatchError(self._forgotten)


class Matches:
    """The matches of one page or program. Every public method is a call of the package, its arguments by name."""

    def __init__(self, matches: Known[AnyMatch]) -> None:
        self._matches = matches

    def games(self, lang: str = FALLBACK) -> Any:
        """Return the installed games that can be used, as `GET /api/games` does."""
        checked, games = checked_lang(lang), []
        for name in registry.names():
            with suppress(GameError):
                games.append(registry.described(name, lambda game: game_response(game, checked)))
        return games

    def new(
        self, game: str, seats: Names, options: Mapping[str, Any] | None = None, seed: object = None
    ) -> dict[str, Any]:
        """Begin a match; `seed` is 64 hex digits, fresh if not given. Return its number and its facts."""
        made = wire_of(registry.find(game)).json_options({} if options is None else options)
        return self.facts(self._matches.add(new(game, seats, made, seed=_seed(seed))))

    def load(self, log: bytes) -> dict[str, Any]:
        """Read a log, or the JSON form of one; return the match's number and its facts. Raises `LogError`."""
        reading = read_bytes(log_in(log))
        if reading.match is None or reading.findings:
            raise reading.error("")
        return self.facts(self._matches.add(reading.match))

    def forget(self, number: int) -> None:
        """Forget a match."""
        self._matches.pop(number, None)

    def facts(self, number: int) -> dict[str, Any]:
        """Return what everybody may know: game, seats, options, events, who is to act, the result."""
        match = self._matches[number]
        return {
            "number": number,
            "game": match.game.name,
            "seats": list(match.header.seats),
            "options": plain(wire_of(match.game).plain_options(match.header.options)),
            "count": len(match.events),
            "to_act": [] if match.abandoned else sorted(match.to_act),
            "result": None if match.result is None else plain_result(match.result),
            "status": match.end or "going",
        }

    def observe(
        self,
        number: int,
        seat: int | None = None,
        at: int | None = None,
        limit: int = PAGE,
        lang: str = FALLBACK,
    ) -> Any:
        """Return the match as a seat sees it (None: a spectator), now or after `at` events; first commands."""
        match = self._matches[number]
        events = len(match.events) if at is None else at
        if not 0 <= events <= len(match.events):
            english = "there are {count} events, not {at}"
            raise MatchError(Message("events-are", english, count=len(match.events), at=events))
        position = match.at(events - 1)
        viewer = None if seat is None else _viewer(match, seat)
        has_ended = match.abandoned and events == len(match.events)
        view, to_act = seen_from(position, viewer), frozenset() if has_ended else position.to_act
        acting = viewer if viewer in to_act else None
        most = min(max(limit, 0), LONGEST_PAGE)
        found = () if acting is None else tuple(islice(match.game.legal(position.state, acting), most and most + 1))
        observed = Observation(
            seat=viewer,
            count=events,
            view=view,
            scene=match.game.scene(view),
            to_act=to_act,
            legal=found[:most],
            open_ended=acting is not None and match.game.open_ended(position.state, acting),
            result=position.result,
            status=match.end or "going",
            has_more=len(found) > most,
        )
        return self._presenter(match, lang).observation(match.header.match, observed, texts=True)

    def legal(
        self,
        number: int,
        seat: int,
        limit: int = PAGE,
        start: int = 0,
        texts: bool = True,
        lang: str = FALLBACK,
    ) -> Any:
        """Return the legal commands of a seat from one on, at most `limit` and `LONGEST_PAGE`, in words if `texts`."""
        match = self._matches[number]
        if _viewer(match, seat) not in match.to_act or match.abandoned:
            return []
        start = max(start, 0)
        commands = match.legal(seat)[start : start + min(max(limit, 0), LONGEST_PAGE)]
        return self._presenter(match, lang).legal(commands, set(map(type, commands)) if texts else ())

    def check(self, number: int, seat: int, command: Mapping[str, Any]) -> None:
        """Raise the `RuleViolation` with which `play` would refuse a command; nothing changes."""
        match = self._matches[number]
        decoded = wire_of(match.game).decode(command.get("tag"), command.get("fields", {}))
        if match.abandoned or _viewer(match, seat) == TABLE:
            raise MatchError(UserMessage("not-to-act", "seat {seat} is not to act", seat=seat))
        match.game.apply(match.state, seat, decoded)

    def events(self, number: int, since: int = 0) -> list[dict[str, Any]]:
        """Return the events from one on as the log has them, all cards open."""
        match = self._matches[number]
        wire = wire_of(match.game)
        events = []
        for event in match.events[max(since, 0) :]:
            tag, fields = wire.encode(event.command)
            meta = {} if event.meta is None else {"at": event.meta.at, "by": event.meta.by}
            events.append({"seq": event.seq, "seat": event.seat, "tag": tag, "fields": plain(fields), **meta})
        return events

    def history(self, number: int, seat: int | None = None, since: int = 0, lang: str = FALLBACK) -> Any:
        """Return what a seat saw of the events from one on, with their notes."""
        match = self._matches[number]
        viewer = None if seat is None else _viewer(match, seat)
        entries = []
        for step in match.steps[max(since, 0) :]:
            meta = step.event.meta
            told = None if meta is None else meta.at, None if meta is None else meta.by
            entries.append(
                HistoryEntry(step.seq, step.seat, step.command_for(viewer), match.notes(step.seq, viewer), *told)
            )
        return self._presenter(match, lang).history(entries)

    def play(self, number: int, seat: int, command: Mapping[str, Any], lang: str = FALLBACK) -> Any:
        """Apply a seat's command, `{"tag": …, "fields": …}`; return what the seat saw. Raises `RuleViolation`."""
        match, before = self._matches[number], len(self._matches[number].events)
        match.play(seat, wire_of(match.game).decode(command.get("tag"), command.get("fields", {})))
        match.deal(entropy=token_bytes)
        return self.history(number, seat, before, lang)

    def deal(self, number: int, lang: str = FALLBACK) -> Any:
        """Deal what is due, as after a log that was cut before a deal; return what happened."""
        match, before = self._matches[number], len(self._matches[number].events)
        match.deal(entropy=token_bytes)
        return self.history(number, None, before, lang)

    def take_back(self, number: int, to: int, lang: str = FALLBACK) -> Any:
        """Restore the state after event `to` (-1: the start); what is due then is dealt anew. Raises `MatchError`."""
        match, before = self._matches[number], len(self._matches[number].events)
        if not -1 <= to < before:
            english = "there is no event {to} to go back to: there are {count}"
            raise MatchError(Message("no-event-back", english, to=to, count=before))
        match.take_back(to)
        match.deal(entropy=token_bytes)
        return self.history(number, None, before, lang)

    def undo(self, number: int, seat: int, lang: str = FALLBACK) -> Any:
        """Take back to before the seat's last command that stands. Raises `MatchError` if there is none."""
        before = len(self._matches[number].events)
        self._matches[number].undo(seat)
        return self.history(number, None, before, lang)

    def abandon(self, number: int) -> None:
        """End the match without a result."""
        self._matches[number].abandon()

    def choose(self, number: int, seat: int, bot: str, seed: object = None) -> Any:
        """Return the command that a bot would choose at a seat, from what the seat knows."""
        match = self._matches[number]
        chosen = registry.find_bot(bot)(_seed(seed))
        if seat not in match.to_act:
            raise MatchError(UserMessage("not-to-act", "seat {seat} is not to act", seat=seat))
        info_state = ObservationHistory(match, checked_seat(seat)).information_state()
        tag, fields = wire_of(match.game).encode(ask_bot(chosen, info_state))
        return {"tag": tag, "fields": plain(fields)}

    def save(self, number: int) -> bytes:
        """Return the log of the match."""
        return log_bytes(self._matches[number])

    def json(self, number: int) -> str:
        """Return the JSON form of the log."""
        return to_json(log_bytes(self._matches[number]))

    def _presenter(self, match: AnyMatch, lang: str) -> MatchPresenter:
        header = match.header
        options = wire_of(match.game).plain_options(header.options)
        about = About(
            match=header.match,
            game=header.game,
            options=options,
            seats=header.seats,
            status=match.end or "going",
            terms=Terms(keep_momentary_notes=True),
            opened_at_ms=header.started or 0,
            changed_at_ms=header.started or 0,
            result=match.result,
        )
        return MatchPresenter(match.game, about, checked_lang(lang))


def checked_lang(lang: str) -> str:
    """Return a language that there are texts in; raises `MatchError`."""
    if lang not in LANGS:
        known = ", ".join(LANGS)
        english = "there are no texts in {lang}: there are {known}"
        raise MatchError(UserMessage("no-lang", english, lang=ascii(lang)[:20], known=known))
    return lang


def _viewer(match: AnyMatch, seat: int) -> Any:
    if checked_seat(seat) not in range(-1, len(match.header.seats)):
        last = len(match.header.seats) - 1
        raise MatchError(
            UserMessage("no-such-seat", "there is no seat {seat}: seats are 0 to {last}", seat=seat, last=last)
        )
    return checked_seat(seat)


def _seed(given: object) -> bytes:
    """Return the bytes of a seed, fresh ones for None."""
    if given is None:
        return token_bytes(SEED_BYTES)
    if not isinstance(given, str) or not HEX.fullmatch(given):
        raise MatchError(UserMessage("no-hex", "a seed is 64 hex digits, not {given}", given=ascii(given)[:80]))
    return bytes.fromhex(given)


@define
class _Running:
    match: AnyMatch
    to_come: Iterator[Line]
    lines: list[Line] = field(factory=list)


class Analyses:
    """The analyses of one page, each known by a number. Every public method is a call of the package."""

    def __init__(self) -> None:
        self._running = Known[_Running](UserMessage("no-analysis", "the analysis was forgotten: begin it again"))

    def begin_analysis(self, log: bytes) -> dict[str, int]:
        """Begin the analysis of a match that has ended; return its number, and how many decisions there are."""
        reading = read_bytes(log)
        if reading.match is None or reading.ended is None:
            raise MatchError(UserMessage("analysed-later", "the match has not ended: it is analysed when it has"))
        analysis = Analysis.of(reading.match, bytes(SEED_BYTES), PAIRS)
        number = self._running.add(_Running(reading.match, analysis.lines()))
        return {"number": number, "decisions": len(analysis.decisions)}

    def judge_next(self, number: int) -> Any:
        """Judge the next decision; return what `replay show --analyse --json` prints of it, None after the last."""
        running = self._running[number]
        line = next(running.to_come, None)
        if line is not None:
            running.lines.append(line)
        return line

    def analysed_page(self, number: int, lang: str | None = None) -> str:
        """Return the match as one page to step through, with what the decisions judged so far were worth."""
        running = self._running[number]
        match = running.match
        said = remarks(running.lines, match.game, match.header.seats, LANGS)
        return page(match, lang=None if lang is None else checked_lang(lang), remarks=said)

    def end_analysis(self, number: int) -> None:
        """Forget an analysis."""
        self._running.pop(number, None)
