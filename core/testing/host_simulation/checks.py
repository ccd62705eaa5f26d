"""What must hold after a run: of every log, of every answer, and of what each host shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ...errors import KeyRefused, KifuError, NewerRules
from ...game import TABLE, Event, Game, RulesChange, RulesRefused, Seat, Takeback
from ...host import Host, is_stand_in
from ...match import Match
from ...match.takebacks import why_consent_is_needed
from ...stores.store import Store, StoredLog, log_bytes_of
from ...trust.audit import audit
from ...trust.header_keys import read_fair
from ...trust.raw_log import read_log
from .clients import BOT, Client
from .ledger import Acknowledged, Known, Ledger
from .newer_rounds import BREAKING, in_common
from .processes import Machine, Network, NoAnswer
from .rounds import Lay
from .strangers import EVERY

TRIES = 5
"""How often a host is asked in the calm, until it answers."""


def check_logs(store: Store, game: Game[Any, Any, Any], ledger: Ledger) -> None:
    """Note what is wrong with the logs of a store, and with what clients were told of them."""
    say, logs = ledger.world.violate, dict[str, Match[Any, Any, Any]]()
    for match, row in store.list(EVERY):
        stored = store.read(match)
        if stored.header:
            audited = audit(log_bytes_of(stored), lambda _: game)
            for finding in audited.findings:
                say(f"match {match[:4]}: its log does not audit clean: {finding.kind}: {finding.message}")
            folded = audited.reading.match
            if folded is not None:
                logs[match] = folded
                _check_log(match, folded, ledger)
            if (stored.end is None) is (row.status in ("over", "abandoned")):
                say(f"match {match[:4]}: its row says {row.status}, its log another thing")
    for match, known in ledger.matches.items():
        if match not in {each for each, _ in store.list(EVERY)}:
            say(f"match {match[:4]} was opened, and is not in the store")
        elif known.terms.fair and match in logs:
            _check_deal(match, store.read(match), known, ledger)
        elif known.parent is not None and match in logs:
            _check_fork(match, known, logs, ledger)
    _check_acknowledged(logs, ledger)


def _check_acknowledged(logs: dict[str, Match[Any, Any, Any]], ledger: Ledger) -> None:
    """Check that every acknowledged command is in its log, once, where it was told to be, and no refused one is."""
    for each in ledger.acknowledged:
        places = _places(logs, each.match, each.seat, each.idempotency_key)
        if places != [each.seq]:
            english = f"match {each.match[:4]}: command {each.idempotency_key.decode()} was acknowledged as event"
            ledger.world.violate(f"{english} {each.seq}, and is in the log as {places or 'none'}")
        elif not _knew_the_table(logs[each.match], each):
            english = f"match {each.match[:4]}: command {each.idempotency_key.decode()}, event {each.seq}, was chosen"
            ledger.world.violate(f"{english} after {each.expected_events} events, and others have acted since")
    for match, seat, key in ledger.refused:
        if _places(logs, match, seat, key):
            ledger.world.violate(f"match {match[:4]}: command {key.decode()} was refused, and is in the log")


def _knew_the_table(folded: Match[Any, Any, Any], told: Acknowledged) -> bool:
    """Return whether since a command was chosen only seats have acted that were to act at the same time."""
    for event in folded.events[told.expected_events : told.seq]:
        asked = folded.game.to_act(folded.states[event.seq])
        if isinstance(event.command, RulesChange):
            continue
        if event.seat in (told.seat, TABLE) or not {told.seat, event.seat} <= asked:
            return False
    return True


def _places(logs: dict[str, Match[Any, Any, Any]], match: str, seat: Seat, key: bytes) -> list[int]:
    """Return the numbers of the events that a command of this idempotency key became."""
    events = logs[match].events if match in logs else []
    return [each.seq for each in events if each.seat == seat and each.meta is not None and each.meta.id == key]


def _check_log(match: str, folded: Match[Any, Any, Any], ledger: Ledger) -> None:
    """Check that no command is there twice, bots chose from what they knew, and viewers were shown what happened."""
    say = ledger.world.violate
    sent = Counter((each.seat, each.meta.id) for each in folded.events if each.meta is not None and each.meta.id)
    for (seat, key), times in sent.items():
        if times > 1:
            say(f"match {match[:4]}: command {key!r} of seat {seat} is in the log {times} times")
    for seq, event in enumerate(folded.events):
        if isinstance(event.command, RulesRefused) and folded.game is not BREAKING:
            say(f"match {match[:4]}: event {seq} says that it could not go on, and it could")
        actor = None if event.meta is None else event.meta.by
        if actor == BOT and event.command != _steady_choice(folded, seq, event.seat):
            say(f"match {match[:4]}: event {seq} is not what its bot chose from what it knew then")
        known = ledger.matches.get(match)
        if actor is not None and known is not None and seq >= known.shared:
            terms = known.terms
            if is_stand_in(actor) and terms.turn_limit_ms is None and event.seat not in terms.bots:
                say(f"match {match[:4]}: a stand-in made event {seq}, without a turn limit")
            if ledger.clocks_agree if event.seat in terms.bots else is_stand_in(actor):
                _check_time(match, folded, seq, ledger)
    if match in ledger.matches:
        _check_consents(match, folded, ledger.matches[match], ledger)
        _check_absence(match, folded, ledger)
    for (shown_match, viewer), entries in ledger.shown.items():
        if shown_match == match:
            for seq, shown in entries.items():
                if seq >= len(folded.events) or shown != _told(folded, seq, viewer):
                    say(f"match {match[:4]}: {viewer} was shown another event {seq} than is in the log")
    for (seen_match, viewer), sights in ledger.seen.items():
        if seen_match == match:
            for count, view in sights.items():
                if count >= len(folded.states) or view != in_common(folded.game.view(folded.states[count], viewer)):
                    say(f"match {match[:4]}: {viewer} saw another table after {count} events than the log has")


def _told(folded: Match[Any, Any, Any], seq: int, viewer: Seat | None) -> tuple[Any, str | None]:
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
        ledger.world.violate(f"match {match[:4]}: {said}")


def _at_ms(folded: Match[Any, Any, Any], seq: int) -> int:
    """Return when an event was appended, in milliseconds since the match began."""
    meta = folded.events[seq].meta
    return 0 if meta is None or meta.at is None else meta.at


def _check_consents(match: str, folded: Match[Any, Any, Any], known: Known, ledger: Ledger) -> None:
    """Check that whoever is asked has agreed to each takeback, and to the end of a match without a result."""

    def lack(kind: str, target: int, count: int | None = None) -> list[Seat]:
        consents = [{(match, seat, kind, target, at) for at in (count, None)} for seat in sorted(known.keys)]
        return [seat for seat, own in zip(sorted(known.keys), consents, strict=True) if not own & ledger.consents]

    for seq, event in enumerate(folded.events):
        if seq < known.shared:
            continue  # its parent's
        if isinstance(event.command, Takeback) and event.meta is not None and event.meta.by is not None:
            to, by = event.command.to, Seat(int(event.meta.by.removeprefix("seat ")))
            missing = lack("take_back", to, seq)
            if by in missing or (missing and why_consent_is_needed(folded, by, to, seq) is not None):
                ledger.world.violate(
                    f"match {match[:4]}: seats {missing} were not asked for the takeback {seq} to {to}"
                )
    if folded.abandoned and lack("abandon", 0) and not any(isinstance(e.command, RulesRefused) for e in folded.events):
        ledger.world.violate(f"match {match[:4]}: seats {lack('abandon', 0)} were not asked for its end")


def _check_absence(match: str, folded: Match[Any, Any, Any], ledger: Ledger) -> None:
    """Check who was shown as absent, and which deadlines: where a player is to act, and none later by an undo."""
    terms, deadlines = ledger.matches[match].terms, dict[int, int | None]()
    for (shown_match, _), shown in ledger.away.items():
        for count, (absent, deadline_ms) in shown.items() if shown_match == match else ():
            deadlines[count] = deadline_ms
            if absent != away(folded.events[:count]) - {*terms.bots}:
                ledger.world.violate(f"match {match[:4]}: after {count} events {sorted(absent)} are shown as absent")
            players = (
                folded.game.to_act(folded.states[count]) - {TABLE, *terms.bots} if count < len(folded.states) else ()
            )
            if deadline_ms is not None and not (players and terms.turn_limit_ms):
                ledger.world.violate(f"match {match[:4]}: after {count} events nobody has a deadline, and one is shown")
    for seq, event in enumerate(folded.events):
        if isinstance(event.command, Takeback):
            to, undone = event.command.to, folded.events[event.command.to + 1 : seq]
            is_private = len({each.seat for each in undone}) == 1 and all(isinstance(e.command, Lay) for e in undone)
            before, after = deadlines.get(to + 1), deadlines.get(seq + 1)
            if is_private and None not in (before, after) and before != after:
                said = f"the undo {seq} of what nobody has seen moves the deadline from {before} to {after}"
                ledger.world.violate(f"match {match[:4]}: {said}")


def away(events: Sequence[Event[Any]]) -> set[Seat]:
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
            ledger.world.violate(f"match {match[:4]}: not all seats of {players} were asked for this fork")
    pairs = zip(fork.events[: known.shared], parent.events, strict=False)
    if more or any((one.seat, one.command) != (other.seat, other.command) for one, other in pairs):
        ledger.world.violate(f"match {match[:4]}: it has other events of its parent than the first {known.shared}")


def _steady_choice(folded: Match[Any, Any, Any], seq: int, seat: Seat) -> Any:
    """Return what the bot `steady` chooses before event `seq`."""
    legal = list(folded.game.legal(folded.states[seq], seat))
    return legal[steady_place(seq, seat, len(legal))] if legal else None


def steady_place(count: int, seat: Seat, choices: int) -> int:
    """Return which of so many choices the bot takes after so many events."""
    return (count * 7 + seat) % choices


def _check_deal(match: str, stored: StoredLog, known: Known, ledger: Ledger) -> None:
    """Check that the log was dealt from the secrets that the clients have drawn."""
    deal = read_fair(read_log(stored.header).header)
    if deal is None:
        ledger.world.violate(f"match {match[:4]}: a fair deal was agreed on, and the log has none")
        return
    for seat, pair in enumerate(deal.last.seats):
        drawn = known.secrets.get((Seat(seat), len(deal.past) + 1))
        if drawn is not None and (pair is None or pair[1] != drawn):
            ledger.world.violate(f"match {match[:4]}: the secret of seat {seat} is not the one that its client drew")


class Auditor(Client):
    """A client that asks each host for all that it shows."""

    def __init__(self, machine: Machine, network: Network, ledger: Ledger) -> None:
        super().__init__(f"auditor {machine.name}", network, ledger)
        self._machine = self._audited = machine
        self.is_done = False

    def compare(self) -> None:
        """Ask for what every viewer is shown of every match; the ledger compares it."""
        for match, known in list(self.ledger.matches.items()):  # a client may still open one
            viewers: list[tuple[Seat | None, str | None]] = [(None, None), *known.keys.items()]
            for seat, key in viewers:
                try:
                    self._show(match, seat, key)
                except NoAnswer:
                    self.world.violate(f"{self._audited.name} does not answer, though nothing disturbs it")
                except KeyRefused as error:
                    if seat not in known.renewed:
                        self.world.violate(f"{self._audited.name} refuses the key of seat {seat}: {error}")
                except NewerRules as error:
                    if error.rules <= self._audited.game.rules:
                        self.world.violate(f"{self._audited.name} takes match {match[:4]} for one of newer rules")
                except KifuError as error:
                    self.world.violate(f"{self._audited.name} shows match {match[:4]} to nobody: {error}")
        self.is_done = True

    def _show(self, match: str, seat: Seat | None, key: str | None) -> None:
        before = self.ledger.known_of(match)
        observation = self._answer(lambda host: host.observe(match, key))
        self.ledger.see(match, seat, observation, before)
        for entry in self._answer(lambda host: host.history(match, key)):
            self.ledger.show(match, seat, entry, marks=entry.seq + 1 == observation.count)
        about = self._answer(lambda host: host.about(match))
        shown = observation.count, observation.status, observation.result
        if (about.count, about.status, about.result) != shown or about.terms != self.ledger.matches[match].terms:
            self.world.violate(f"{self._audited.name}: what it says about match {match[:4]} is not what it shows")

    def _answer(self, call: Callable[[Host], Any]) -> Any:
        """Return the host's answer; a task that the storm has stalled may hold the match for a while."""
        for _ in range(TRIES):
            with suppress(NoAnswer):
                return self.network.ask(self._audited, f"audit of {self._audited.name}", call)
        raise NoAnswer
