"""What clients were told, and what must hold after a run: of every log, of every answer, and of what each host shows.

An answer that contradicts another one is a violation at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from ...game import TABLE, Event, Game, RulesChange, RulesRefused, Seat, Takeback
from ...host import HistoryEntry, Observation, Proposal, Terms, is_stand_in
from ...match import Match
from ...match.takebacks import why_consent_is_needed
from ...stores import FINISHED
from ...stores.store import Query, Store, StoredLog, log_bytes_of
from ...trust.audit import audit
from ...trust.header_keys import read_fair
from ...trust.raw_log import read_log
from .rounds import BREAKING, Lay, in_common
from .world import EPOCH_MS, World

BOT = "steady"
EVERY = Query(limit=1 << 30)
"""A query of all rows."""
Viewer = tuple[str, int | None]
"""A match and a seat, None for a spectator."""
EVENT, TABLE_AFTER = "event {}", "the table after {} events"
"""What a viewer is shown."""


@frozen
class Acknowledged:
    """A command that a host has acknowledged."""

    match: str
    seat: int
    idempotency_key: bytes
    seq: int
    expected_events: int
    """After how many events it was chosen."""


@define
class Known:
    """A match that a client knows of."""

    match: str
    terms: Terms
    kind: str
    keys: dict[int, str] = field(factory=dict)
    """The keys of its players, as far as they have them."""
    renewed: set[int] = field(factory=set)
    """The seats whose keys were asked for anew: a request that was late may have replaced the last one."""
    secrets: dict[tuple[int, int], bytes] = field(factory=dict)
    """The secrets of a fair deal that clients have committed to, by seat and attempt."""
    revealed: set[tuple[int, int]] = field(factory=set)
    """The seats whose secrets a host has acknowledged, with the attempt."""
    parent: str | None = None
    """The match that it was forked from."""
    shared: int = 0
    """How many events it has in common with its parent."""
    forked_at: int = 0
    """After how many events of its parent the fork was proposed."""


@define
class Ledger:
    """Everything that any client was told."""

    world: World
    matches: dict[str, Known] = field(factory=dict)
    acknowledged: list[Acknowledged] = field(factory=list)
    watchers: list[Any] = field(factory=list)
    """Each `Watcher`, with how far it is."""
    refused: list[tuple[str, int, bytes]] = field(factory=list)
    """The commands that a host has refused: match, seat and idempotency key."""
    noted: dict[tuple[str, int | None, str, int], tuple[Any, ...]] = field(factory=dict)
    """What each viewer of a match was shown of each event, and of the table after so many."""
    consents: set[tuple[str, int, str, int, int | None]] = field(factory=set)
    """What players have proposed or accepted, be it that nobody has heard it: match, seat, kind, target, and after how
    many events it was proposed; None where the player cannot know."""
    decided: dict[tuple[str, int], str] = field(factory=dict)
    """What became of each proposal, by match and number."""
    proposed: dict[str, int] = field(factory=dict)
    """The number of the last proposal of each match that anybody has seen."""
    breaks: bool = False
    """Whether the hosts are upgraded to rules that show seat 1 other notes: a match then ends before they do."""
    asked_for: set[str] = field(factory=set)
    """The matches in which anybody has proposed anything."""
    away: dict[Viewer, dict[int, tuple[frozenset[int], int | None]]] = field(factory=dict)
    """Who each viewer was shown as absent after so many events, and which deadline."""
    told: dict[str, tuple[int, bool]] = field(factory=dict)
    """How many events of each match anybody was told of, and whether it was said to have ended."""

    def known_of(self, match: str) -> tuple[int, bool]:
        """Return what anybody was told of a match by now: how many events it has, and whether it has ended."""
        return self.told.get(match, (0, False))

    def tell(self, match: str, count: int, *, ended: bool = False, before: tuple[int, bool] = (0, False)) -> None:
        """Note how far a match is said to be; an answer knows all that anybody was told `before` it was asked for."""
        if (count, ended) < before:
            known = f"{before[0]} events{' and the end' if before[1] else ''}"
            self.world.violate(f"{known} were known, and then {count} events are shown", match)
        self.told[match] = max(self.known_of(match), (count, ended))

    def acknowledge(self, match: str, seat: int, idempotency_key: bytes, seq: int, expected_events: int) -> None:
        """Note a receipt."""
        self.tell(match, seq + 1)
        self.acknowledged.append(Acknowledged(match, seat, idempotency_key, seq, expected_events))

    def show(self, match: str, seat: int | None, entry: HistoryEntry, *, marks: bool = True) -> None:
        """Note what a viewer was shown of an event, and what it can hold against the host."""
        self.tell(match, entry.seq + 1)
        is_broken = self.breaks and seat == 1
        notes = () if is_broken else tuple(each for each in entry.notes if not each.momentary)
        self._note(match, seat, EVENT, entry.seq, (entry.seat, entry.command, notes, entry.actor))
        told = entry.told() if marks and not is_broken else None
        if told is not None:
            what = f"the mark of event {{}}, with {len(entry.notes)} notes"
            self._note(match, seat, what, entry.seq, (told.told, told.mark))

    def decide(self, match: str, proposal: Proposal) -> None:
        """Note what a proposal is said to have become, which it must stay."""
        self.proposed[match] = max(self.proposed.get(match, 0), proposal.number)
        if proposal.status != "pending":
            before = self.decided.setdefault((match, proposal.number), proposal.status)
            if before != proposal.status:
                said = f"proposal {proposal.number} was {before}, and is {proposal.status}"
                self.world.violate(said, match)

    def _note(self, match: str, seat: int | None, what: str, number: int, parts: tuple[Any, ...]) -> None:
        """Note what a viewer was shown, which it must always be shown alike."""
        before = self.noted.setdefault((match, seat, what, number), parts)
        if before != parts:
            differ = [f"{_cut(one)} or {_cut(other)}" for one, other in zip(before, parts, strict=True) if one != other]
            self.world.violate(f"{what.format(number)} was shown to {seat} in two ways: {', '.join(differ)}", match)

    def see(
        self, match: str, seat: int | None, observation: Observation, before: tuple[int, bool] = (0, False)
    ) -> None:
        """Note what a viewer saw of the table, and what was known of it when it asked."""
        ended = observation.status in FINISHED
        self.tell(match, observation.count, ended=ended, before=before)
        asks = observation.to_act or observation.legal or observation.deadline_at_ms
        if (ended or observation.stopped is not None) and asks:
            self.world.violate(f"it takes no commands, and asks {seat} for one", match)
        if observation.legal and seat not in observation.to_act:
            self.world.violate(f"seat {seat} is told what it may do, and is not to act", match)
        for proposal in observation.proposals:
            if match not in self.asked_for:
                self.world.violate(f"it has a proposal of another match: {proposal.kind}", match)
            self.decide(match, proposal)
        if observation.view is None:
            return
        self._note(match, seat, TABLE_AFTER, observation.count, (in_common(observation.view),))
        self.away.setdefault((match, seat), {})[observation.count] = observation.absent, observation.deadline_at_ms


def _cut(value: object) -> str:
    return repr(value)[:120]


def check_logs(
    store: Store, game: Game[Any, Any, Any], ledger: Ledger, appended_at_ms: Mapping[tuple[str, int], float]
) -> None:
    """Note what is wrong with the logs of a store, and with what clients were told of them."""
    say, logs = ledger.world.violate, dict[str, Match[Any, Any, Any]]()
    for match, row in store.list(EVERY):
        stored = store.read(match)
        if stored.header:
            audited = audit(log_bytes_of(stored), lambda _: game)
            for finding in audited.findings:
                say(f"its log does not audit clean: {finding.kind}: {finding.message}", match)
            folded = audited.reading.match
            if folded is not None:
                logs[match] = folded
                _check_log(match, folded, ledger)
                _check_clocks(match, folded, ledger, appended_at_ms)
            if (stored.end is None) is (row.status in ("over", "abandoned")):
                say(f"its row says {row.status}, its log another thing", match)
    for match, known in ledger.matches.items():
        if match not in {each for each, _ in store.list(EVERY)}:
            say(f"match {match[:4]} was opened, and is not in the store")
        elif known.terms.fair and match in logs:
            _check_deal(match, store.read(match), known, ledger)
        elif known.parent is not None and match in logs:
            _check_fork(match, known, logs, ledger)
    _check_acknowledged(logs, ledger)


def _check_clocks(
    match: str, folded: Match[Any, Any, Any], ledger: Ledger, appended_at_ms: Mapping[tuple[str, int], float]
) -> None:
    """Check that no host's clock was ahead of the store's: an event says when it was made, and was appended later."""
    for event in folded.events:
        appended = appended_at_ms.get((match, event.seq))
        if appended is not None and event.meta is not None and event.meta.at and folded.header.started is not None:
            ahead_ms = folded.header.started + event.meta.at - EPOCH_MS - appended
            if ahead_ms > 1:
                ledger.world.violate(f"event {event.seq} was made {ahead_ms:.0f} ms after it was stored", match)


def _check_acknowledged(logs: dict[str, Match[Any, Any, Any]], ledger: Ledger) -> None:
    """Check that every acknowledged command is in its log, once, where it was told to be, and no refused one is."""
    for each in ledger.acknowledged:
        places, name = _places(logs, each.match, each.seat, each.idempotency_key), each.idempotency_key.decode()
        said = f"command {name} was acknowledged as event {each.seq}"
        if places != [each.seq]:
            ledger.world.violate(f"{said}, and is in the log as {places or 'none'}", each.match)
        elif not _knew_the_table(logs[each.match], each):
            said += f", was chosen after {each.expected_events} events, and others have acted since"
            ledger.world.violate(said, each.match)
    for match, seat, key in ledger.refused:
        if _places(logs, match, seat, key):
            ledger.world.violate(f"command {key.decode()} was refused, and is in the log", match)


def _knew_the_table(folded: Match[Any, Any, Any], told: Acknowledged) -> bool:
    """Return whether since a command was chosen only seats have acted that were to act at the same time."""
    for event in folded.events[told.expected_events : told.seq]:
        asked = folded.game.to_act(folded.states[event.seq])
        if isinstance(event.command, RulesChange):
            continue
        if event.seat in (told.seat, TABLE) or not {told.seat, event.seat} <= asked:
            return False
    return True


def _places(logs: dict[str, Match[Any, Any, Any]], match: str, seat: int, key: bytes) -> list[int]:
    """Return the numbers of the events that a command of this idempotency key became."""
    events = logs[match].events if match in logs else []
    return [each.seq for each in events if each.seat == seat and each.meta is not None and each.meta.id == key]


def _check_log(match: str, folded: Match[Any, Any, Any], ledger: Ledger) -> None:
    """Check that no command is there twice, bots chose from what they knew, and viewers were shown what happened."""
    say = ledger.world.violate
    sent = Counter((each.seat, each.meta.id) for each in folded.events if each.meta is not None and each.meta.id)
    for (seat, key), times in sent.items():
        if times > 1:
            say(f"command {key!r} of seat {seat} is in the log {times} times", match)
    for seq, event in enumerate(folded.events):
        if isinstance(event.command, RulesRefused) and folded.game is not BREAKING:
            say(f"event {seq} says that it could not go on, and it could", match)
        actor = None if event.meta is None else event.meta.by
        if actor == BOT and event.command != _steady_choice(folded, seq, event.seat):
            say(f"event {seq} is not what its bot chose from what it knew then", match)
        known = ledger.matches.get(match)
        if actor is not None and known is not None and seq >= known.shared:
            terms = known.terms
            if is_stand_in(actor) and terms.turn_limit_ms is None and event.seat not in terms.bots:
                say(f"a stand-in made event {seq}, without a turn limit", match)
            if event.seat in terms.bots or is_stand_in(actor):
                _check_time(match, folded, seq, ledger)
    if match in ledger.matches:
        _check_consents(match, folded, ledger.matches[match], ledger)
        _check_absence(match, folded, ledger)
    for (shown_match, viewer, what, number), parts in ledger.noted.items():
        if shown_match != match:
            continue
        if what == EVENT and (number >= len(folded.events) or parts[1::2] != _told(folded, number, viewer)):
            say(f"{viewer} was shown another event {number} than is in the log", match)
        if what == TABLE_AFTER and (
            number >= len(folded.states) or parts != (in_common(folded.game.view(folded.states[number], viewer)),)
        ):
            say(f"{viewer} saw another table after {number} events than the log has", match)


def _told(folded: Match[Any, Any, Any], seq: int, viewer: int | None) -> tuple[Any, str | None]:
    """Return what a viewer is to be shown of an event: its command, and who acted for the seat."""
    meta = folded.events[seq].meta
    return folded.steps[seq].command_for(viewer), None if meta is None else meta.by


def _check_time(match: str, folded: Match[Any, Any, Any], seq: int, ledger: Ledger) -> None:
    """Check that neither a bot nor a stand-in has acted before its time, by the times in the log."""
    terms, seat, ended = ledger.matches[match].terms, folded.events[seq].seat, seq - 1
    undone_ms: list[int] = []
    """When each takeback was made: by a clock that is behind, maybe before what it restores."""
    while ended >= 0:
        event, asked = folded.events[ended], folded.game.to_act(folded.states[ended])
        if isinstance(event.command, Takeback):
            undone_ms.append(_at_ms(folded, ended))
            ended = event.command.to
        elif event.seat == seat or seat not in asked:
            break
        else:
            ended -= 1
    waited_ms = _at_ms(folded, seq) - min([*undone_ms, _at_ms(folded, ended) if ended >= 0 else 0])
    least_ms = terms.bot_delay_ms if seat in terms.bots else terms.turn_limit_ms
    if least_ms is not None and 0 <= waited_ms < least_ms - 1:  # clocks are read in whole milliseconds
        said = f"event {seq} was made for seat {seat} after {waited_ms} ms, not {least_ms}"
        ledger.world.violate(said, match)


def _at_ms(folded: Match[Any, Any, Any], seq: int) -> int:
    """Return when an event was appended, in milliseconds since the match began."""
    meta = folded.events[seq].meta
    return 0 if meta is None or meta.at is None else meta.at


def _check_consents(match: str, folded: Match[Any, Any, Any], known: Known, ledger: Ledger) -> None:
    """Check that whoever is asked has agreed to each takeback, and to the end of a match without a result."""

    def lack(kind: str, target: int, count: int | None = None) -> list[int]:
        consents = [{(match, seat, kind, target, at) for at in (count, None)} for seat in sorted(known.keys)]
        return [seat for seat, own in zip(sorted(known.keys), consents, strict=True) if not own & ledger.consents]

    for seq, event in enumerate(folded.events):
        if seq < known.shared:
            continue  # its parent's
        if isinstance(event.command, Takeback) and event.meta is not None and event.meta.by is not None:
            to, by = event.command.to, Seat(int(event.meta.by.removeprefix("seat ")))
            missing = lack("take_back", to, seq)
            if by in missing or (missing and why_consent_is_needed(folded, by, to, seq) is not None):
                ledger.world.violate(f"seats {missing} were not asked for the takeback {seq} to {to}", match)
    if folded.abandoned and lack("abandon", 0) and not any(isinstance(e.command, RulesRefused) for e in folded.events):
        ledger.world.violate(f"seats {lack('abandon', 0)} were not asked for its end", match)


def _check_absence(match: str, folded: Match[Any, Any, Any], ledger: Ledger) -> None:
    """Check who was shown as absent, and which deadlines: where a player is to act, and none later by an undo."""
    terms, deadlines = ledger.matches[match].terms, dict[int, int | None]()
    for (shown_match, _), shown in ledger.away.items():
        for count, (absent, deadline_ms) in shown.items() if shown_match == match else ():
            deadlines[count] = deadline_ms
            if absent != away(folded.events[:count]) - {*terms.bots}:
                ledger.world.violate(f"after {count} events {sorted(absent)} are shown as absent", match)
            asked = folded.game.to_act(folded.states[count]) if count < len(folded.states) else frozenset[int]()
            if deadline_ms is not None and not (asked - {TABLE, *terms.bots} and terms.turn_limit_ms):
                ledger.world.violate(f"after {count} events nobody has a deadline, and one is shown", match)
    for seq, event in enumerate(folded.events):
        if isinstance(event.command, Takeback):
            to, undone = event.command.to, folded.events[event.command.to + 1 : seq]
            is_private = len({each.seat for each in undone}) == 1 and all(isinstance(e.command, Lay) for e in undone)
            before, after = deadlines.get(to + 1), deadlines.get(seq + 1)
            if is_private and None not in (before, after) and before != after:
                said = f"the undo {seq} of what nobody has seen moves the deadline from {before} to {after}"
                ledger.world.violate(said, match)


def away(events: Sequence[Event[Any]]) -> set[int]:
    """Return the seats whose last event a stand-in has made."""
    last = {event.seat: event.meta for event in events}
    return {seat for seat, meta in last.items() if seat != TABLE and meta is not None and is_stand_in(meta.by)}


def _check_fork(match: str, known: Known, logs: dict[str, Match[Any, Any, Any]], ledger: Ledger) -> None:
    """Check that a fork begins with the events that were agreed on, and no more; its parent's players have agreed."""
    if known.parent not in logs:
        return
    fork, parent = logs[match], logs[known.parent]
    old = {each.meta.id for each in parent.events if each.meta is not None and each.meta.id}
    more = [each.seq for each in fork.events[known.shared :] if each.meta is not None and each.meta.id in old]
    if known.forked_at < len(parent.events):  # it went on then
        players = sorted(ledger.matches[known.parent].keys)
        asked = [(known.parent, seat, "fork", known.shared, None) for seat in players]
        if not ledger.consents.issuperset(asked):
            ledger.world.violate(f"not all seats of {players} were asked for this fork", match)
    pairs = zip(fork.events[: known.shared], parent.events, strict=False)
    if more or any((one.seat, one.command) != (other.seat, other.command) for one, other in pairs):
        ledger.world.violate(f"it has other events of its parent than the first {known.shared}", match)


def _steady_choice(folded: Match[Any, Any, Any], seq: int, seat: int) -> Any:
    """Return what the bot `steady` chooses before event `seq`."""
    legal = list(folded.game.legal(folded.states[seq], seat))
    return legal[steady_place(seq, seat, len(legal))] if legal else None


def steady_place(count: int, seat: int, choices: int) -> int:
    """Return which of so many choices the bot takes after so many events."""
    return (count * 7 + seat) % choices


def _check_deal(match: str, stored: StoredLog, known: Known, ledger: Ledger) -> None:
    """Check that the log was dealt from the secrets that the clients have drawn."""
    deal = read_fair(read_log(stored.header).header)
    if deal is None:
        ledger.world.violate("a fair deal was agreed on, and the log has none", match)
        return
    for seat, pair in enumerate(deal.last.seats):
        drawn = known.secrets.get((Seat(seat), len(deal.past) + 1))
        if drawn is not None and (pair is None or pair[1] != drawn):
            ledger.world.violate(f"the secret of seat {seat} is not the one that its client drew", match)
