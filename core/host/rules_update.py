"""Matches begun under older rules: each goes on under today's if nobody sees anything else, or it ends."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from attrs import evolve, frozen

from ..errors import KifuError, MatchError, Message, NewerRules, StoreError
from ..game import TABLE, AnyGame, Meta, RulesChange, RulesRefused
from ..log import Reading, read_bytes
from ..log.format import CHAIN_BYTES, linked_end, linked_event
from ..match.witness import Difference, Witnessed, first_difference, with_witnesses
from ..stores.maintenance import rows_of
from ..stores.store import HEADER_ALONE, Append, Due, Store, StoredLog, commit_one, log_bytes_of
from ..wire import wire_of
from .live_match import LiveMatch
from .metadata import metadata_of, noted_rules, row_of
from .standstill import begun_under_message, ended_message, refusal_message, why_opened_otherwise

LOGGER = logging.getLogger("kifu.host")

Judgement = tuple[Any, str | None, Difference | None]
"""An outcome, why, and the first difference."""


@frozen
class RulesUpdate:
    """What became of one match that was begun under older rules than today's."""

    match: str
    game: str
    rules: int
    """The rules version that it was under."""
    to: int
    """Today's rules version."""
    outcome: Literal["goes on", "ended", "unproven", "newer", "failed"]
    """`unproven`: its events have no witnesses; it can be forked or abandoned. `newer`: it is under newer rules than
    this host plays. `failed`: it could not be read or written, and is as it was."""
    why: str | None = None
    """The first difference, or what failed; None for a match that goes on."""

    @property
    def summary(self) -> Message:
        """What became of the match, in words."""
        if self.outcome == "goes on":
            english = "it was begun under rules version {rules}, and goes on under version {to}"
            return Message("rules-go-on", english, rules=self.rules, to=self.to)
        why = self.why or ""
        if self.outcome == "ended":
            return ended_message(self.rules, self.to, why)
        english = "it was left as it is under rules version {rules}: {why}"
        return Message("rules-left", english, rules=self.rules, why=why)


def update_rules(live: LiveMatch, elapsed_ms: int, now_ms: int) -> RulesUpdate | None:
    """Let a locked match go on under today's rules, or end it; None if it has ended, or is under them."""
    if live.folded is None:
        return _close(live, now_ms)
    if live.ended or live.is_current_version:
        return None
    match, game = live.folded, live.game
    outcome, why, found = _judgement(live)
    update = RulesUpdate(live.id, game.name, match.rules, game.version, outcome, why)
    if outcome == "goes on":
        meta = with_witnesses(Meta(elapsed_ms), live.metadata.witnesses)
        match.apply(TABLE, RulesChange(game.version, game.past.layout), meta)
    elif found is not None:
        match.apply(TABLE, _refusal(game, found), Meta(elapsed_ms))
        match.abandon()
    else:
        return update
    live.record(now_ms)
    return _logged(update)


def _close(live: LiveMatch, now_ms: int) -> RulesUpdate | None:
    """End a match before it begins whose fair deal is for older rules: what its seats have agreed to names them."""
    prepared, game, why = live.metadata.preparation, live.game, _why_never_dealt(live)
    if prepared is None or live.row.status != "open" or why is None:
        return None
    metadata = evolve(live.metadata, preparation=evolve(prepared, deadline_at_ms=None))
    live.update_metadata(metadata.without_proposal(), now_ms, "abandoned")
    return _logged(RulesUpdate(live.id, game.name, prepared.rules, game.version, "ended", why))


def _why_never_dealt(live: LiveMatch) -> Message | None:
    """Return why a match with a fair deal cannot begin any more; None if it can, or has begun."""
    prepared = live.metadata.preparation
    if live.folded is not None or prepared is None:
        return None
    is_newer = prepared.rules > live.game.version or prepared.layout > live.game.past.layout
    return None if is_newer else why_opened_otherwise(prepared, live.game)


def is_to_end(live: LiveMatch) -> bool:
    """Return True for a locked match that goes on, or is to begin, and that newer rules end once it is updated."""
    if live.folded is None:
        return live.row.status == "open" and _why_never_dealt(live) is not None
    return not live.ended and not live.is_current_version and _judgement(live)[2] is not None


def why_stopped(live: LiveMatch) -> Message | None:
    """Return why a locked match has no result and takes no commands, because of newer rules; None if it does.

    One that was begun under older rules and can go on under today's takes commands: the first one brings it there.
    """
    match = live.folded
    if match is None:
        return live.refusal or _why_never_dealt(live)
    if live.ended:
        last = match.events[-1].command if match.events else None
        return refusal_message(match.rules, last) if isinstance(last, RulesRefused) else None
    if live.is_current_version:
        return None
    outcome, _, found = _judgement(live)
    if outcome == "goes on":
        return None
    today = live.game.version
    return begun_under_message(match.rules, today) if found is None else ended_message(match.rules, today, found.why)


def _judgement(live: LiveMatch) -> Judgement:
    """Return what becomes of a match that has begun under today's rules; folds nothing again that is known."""
    if live.judgement is None or live.judgement[0] != live.judged_of:
        match = live.match
        live.judgement = live.judged_of, _judged(match.steps, len(match.header.seats), live.metadata.witnesses)
    judgement: Judgement = live.judgement[1]
    return judgement


def _logged(update: RulesUpdate) -> RulesUpdate:
    """Log what became of a match, and return it."""
    level = logging.INFO if update.outcome in ("goes on", "newer") else logging.WARNING
    LOGGER.log(level, "match %s of %s: %s", update.match, update.game, update.summary)
    return update


def why_unproven(live: LiveMatch) -> str | None:
    """Return why nothing can say whether a locked match may go on under today's rules; None if that can be said."""
    if live.folded is None or live.ended or live.is_current_version:
        return None
    outcome, why, _ = _judgement(live)
    return why if outcome == "unproven" else None


def _judged(steps: Any, seats: int, written: Sequence[Witnessed]) -> Judgement:
    """Return the outcome for these steps, why, and the first difference; `written` are the witnesses of the row."""
    try:
        found = first_difference(steps, seats, written)
    except MatchError as cause:
        return "unproven", cause.summary, None
    except KifuError as cause:
        return "failed", cause.summary, None
    return ("goes on", None, None) if found is None else ("ended", found.why, found)


def _refusal(game: AnyGame, found: Difference) -> RulesRefused:
    return RulesRefused(game.version, found.event, found.seat, found.field)


def update_store(
    store: Store,
    find: Callable[[str], AnyGame],
    update: Callable[[str], RulesUpdate | None],
    now_ms: Callable[[], int],
) -> Iterator[RulesUpdate]:
    """Update every match of a store that is under older rules than today's; yield what became of each.

    `update` does so for one that can be folded. One that cannot, because today's rules forbid it, is ended here.
    """
    for match, game in _of_other_rules(store, find):
        try:
            outcome = update(match)
        except NewerRules as cause:
            outcome = _logged(RulesUpdate(match, game.name, cause.rules, game.version, "newer", cause.summary))
        except KifuError as cause:
            outcome = _logged(_ended_unread(store, match, game, now_ms(), cause))
        else:
            if outcome is not None and outcome.outcome in ("unproven", "failed"):
                _logged(outcome)
        if outcome is not None:
            yield outcome


def preview_rules(store: Store, find: Callable[[str], AnyGame]) -> Iterator[RulesUpdate]:
    """Yield what would become of each match of a store under today's rules; changes nothing."""
    for match, game in _of_other_rules(store, find):
        try:
            stored = store.read(match)
            reading, written = read_bytes(log_bytes_of(stored), find), metadata_of(stored.row, match).witnesses
        except KifuError as cause:
            yield RulesUpdate(match, game.name, 0, game.version, "failed", cause.summary)
            continue
        newest = max(reading.rules or 0, reading.newer_rules or 0)
        if newest > game.version:
            yield RulesUpdate(match, game.name, newest, game.version, "newer", NewerRules(newest, game.version).summary)
        elif reading.match is None or not reading.ok:
            found = _stopped_at(reading, game, written)
            failed = RulesUpdate(
                match, game.name, reading.rules or 0, game.version, "failed", reading.findings[0].message
            )
            yield failed if found is None else evolve(failed, outcome="ended", why=found[1])
        elif reading.match.rules != game.version:
            outcome, why, _ = _judged(reading.match.steps, len(reading.match.header.seats), written)
            yield RulesUpdate(match, game.name, reading.match.rules, game.version, outcome, why)


def _of_other_rules(store: Store, find: Callable[[str], AnyGame]) -> Iterator[tuple[str, AnyGame]]:
    """Yield the matches that go on and are, or were begun, under other rules than today's, each with its game.

    Most rows name their rules; the header is read for those that an older kifu wrote. Raises `StoreError`.
    """
    for match, row in rows_of(store, "going"):
        try:
            game = find(row.game)
            rules = noted_rules(row)
            if rules is None and (header := store.read(match, HEADER_ALONE).header):
                rules = read_bytes(header, keep_states=False).rules
        except StoreError:
            raise
        except KifuError:  # of another program, or deleted meanwhile: it is named when somebody asks for it
            continue
        if rules is not None and rules != game.version:
            yield match, game


def _ended_unread(store: Store, match: str, game: AnyGame, now_ms: int, cause: KifuError) -> RulesUpdate:
    """End a match that today's rules forbid or show otherwise, if all else of it is whole; return what was done."""
    update = RulesUpdate(match, game.name, 0, game.version, "failed", cause.summary)
    try:
        stored = store.read(match)
        reading = read_bytes(log_bytes_of(stored), lambda _: game)
        update = evolve(update, rules=reading.rules or 0)
        found = _stopped_at(reading, game, metadata_of(stored.row, match).witnesses)
        if found is not None and stored.end is None:
            _append_refusal(store, match, stored, game, found[0], now_ms)
            update = evolve(update, outcome="ended", why=found[1])
    except KifuError as error:
        return evolve(update, why=error.summary)
    return update


def _stopped_at(reading: Reading, game: AnyGame, written: Sequence[Witnessed]) -> tuple[Difference, str] | None:
    """Return where today's rules forbid what was played, or show something else; None if anything else is wrong."""
    kinds = {each.kind for each in reading.findings}
    if not kinds <= {"rule", "rules", "digest"} or reading.match is None or (reading.rules or 0) >= game.version:
        return None
    found = _judged(reading.match.steps, len(reading.match.header.seats), written)[2]
    forbidden = next((each for each in reading.findings if each.kind == "rule"), None)
    if found is None and forbidden is not None:
        return Difference(forbidden.seq or 0, TABLE, str(forbidden.rule)), forbidden.message
    return None if found is None else (found, found.why)


def _append_refusal(store: Store, match: str, stored: StoredLog, game: AnyGame, found: Difference, now_ms: int) -> None:
    """Append that the match cannot go on, and its end; raises `StoreError`, or `Conflict` if it has changed."""
    metadata = evolve(metadata_of(stored.row, match), result=None, preparation=None, witnesses=())
    tag, fields = wire_of(game).encode(_refusal(game, found))
    refusal = linked_event([stored.count, TABLE, None, tag, fields, None], stored.events[-1][-CHAIN_BYTES:])
    ended = {"end": "abandoned", "events": stored.count + 1, "points": None, "winners": None}
    append = Append(
        match,
        stored.count,
        [refusal],
        end=linked_end(ended, refusal[-CHAIN_BYTES:]),
        row=row_of(metadata, stored.row.game, "abandoned", now_ms, stored.row.version + 1),
        expected_version=stored.row.version,
        due=Due(None),
    )
    commit_one(store, append)
