"""A match that was begun under older rules goes on under newer ones if nobody has other than he had; else it ends."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import Mock

import kifu
import pytest
from attrs import evolve, frozen
from kifu.core.errors import Conflict, LogError, MatchError, NewerRules, StoreError
from kifu.core.game import TABLE, Note, Past, RedactedCommand, Result, RulesChange, RulesRefused, RuleViolation, Upcast
from kifu.core.host import Host, Terms, rules_update
from kifu.core.host.metadata import metadata_of, noted_rules, row_of
from kifu.core.log import log_bytes, read_bytes
from kifu.core.log.format import linked_event
from kifu.core.log.framing import ObjectStream
from kifu.core.match.registry import find
from kifu.core.match.witness import witnesses_of
from kifu.core.stores import MemoryStore, Update, commit_one
from kifu.core.trust import records
from kifu.core.trust.audit import audit

from ..log import bids
from ..log.bids import NEW, OLD, Bid, Offer
from .conftest import Entropy
from .upgrading import Hosts, finds

EVENTS = 4


def had(hosts: Hosts, host: Host) -> list[Any]:
    """Return what every viewer had of each event: the notes, and the values that it saw of the command."""
    told = [host.history(hosts.match, key) for key in (None, *hosts.keys)]
    return [[(each.seq, each.seat, each.notes, values(each.command)) for each in one[:EVENTS]] for one in told]


def forget_rules(hosts: Hosts) -> None:
    """Write the row as an older kifu did, which did not note the rules."""
    row = hosts.store.read(hosts.match).row
    older = row_of(evolve(metadata_of(row, hosts.match), rules=None), "bids", "going", hosts.clock(), row.version + 1)
    commit_one(hosts.store, Update(hosts.match, older))


def values(command: Any) -> Any:
    if isinstance(command, RedactedCommand):
        return "redacted"
    return command.n if isinstance(command, Bid) else command.coins if isinstance(command, Offer) else command


@pytest.fixture
def hosts(clock: Any) -> Hosts:
    return Hosts(clock, Terms())


def test_it_goes_on_and_everybody_has_what_he_had(hosts: Hosts) -> None:
    new, before = hosts.host(NEW), had(hosts, hosts.old)
    (update,) = new.update_rules()
    assert (update.match, update.rules, update.to, update.outcome) == (hosts.match, 1, 2, "goes on")
    assert had(hosts, new) == before
    for key in (None, *hosts.keys):
        told = new.history(hosts.match, key)[EVENTS]
        assert (told.seat, told.command, [note.key for note in told.notes]) == (
            TABLE,
            RulesChange(2, 2),
            ["rules-change"],
        )
    assert list(new.update_rules()) == []
    for coins in (1, 3, 1):
        hosts.bid(new, Offer(coins))
    assert new.observe(hosts.match).result == Result((4, 4, 4), (0,)), "of equals the first, as when it began"
    reading = audit(hosts.log, finds(NEW))
    assert reading.ok
    assert (reading.reading.match.rules, reading.reading.header.options.equal) == (2, "first")


def test_digests_after_the_change_are_of_the_newer_layout(hosts: Hosts) -> None:
    new = hosts.host(NEW)
    list(new.update_rules())
    hosts.bid(new, Offer(1))
    *before, (last, start, _) = ObjectStream(hosts.log)
    assert len(last[5]) == 8
    _, _, stop = before[-1]
    forged = linked_event([*last[:5], bytes(8)], hosts.log[:stop][-16:])
    findings = read_bytes(hosts.log[:start] + forged, finds(NEW)).findings
    assert [(each.kind, each.seq) for each in findings] == [("digest", EVENTS + 1)]


def test_an_older_host_leaves_it_alone_and_says_why(hosts: Hosts) -> None:
    list(hosts.host(NEW).update_rules())
    before = hosts.log
    for call in (
        lambda: hosts.old.observe(hosts.match),
        lambda: hosts.old.submit(hosts.match, hosts.keys[0], Bid(1), EVENTS),
        lambda: hosts.old.force_abandon(hosts.match),
        lambda: hosts.host(OLD).observe(hosts.match),
    ):
        with pytest.raises(NewerRules, match="goes on under rules version 2; this program plays 1 to 1"):
            call()
    assert hosts.log == before
    assert [outcome for outcome, _ in hosts.updates(OLD)] == ["newer"]
    (finding,) = read_bytes(hosts.log, finds(OLD)).findings
    assert (finding.kind, finding.seq) == ("rules", EVENTS)


def test_a_host_that_starts_reads_no_log_of_todays_rules(hosts: Hosts) -> None:
    """The rows name the rules, those of matches that were updated too: 24,000 logs are not read at each start."""
    list(hosts.host(NEW).update_rules())
    hosts.host(NEW).open("bids", ["Aki", "Ren"])
    hosts.store.read = Mock()
    assert list(hosts.host(NEW).update_rules()) == []
    assert not hosts.store.read.called


def test_a_row_that_does_not_name_its_rules_gets_them_with_the_next_event(hosts: Hosts) -> None:
    forget_rules(hosts)
    hosts.bid(hosts.host(OLD), Bid(1))
    assert noted_rules(hosts.store.read(hosts.match).row) == OLD.version
    forget_rules(hosts)
    assert [outcome for outcome, _ in hosts.updates()] == ["goes on"]
    assert noted_rules(hosts.store.read(hosts.match).row) == NEW.version


def test_a_match_whose_row_names_no_rules_is_not_passed_over_when_the_store_fails(hosts: Hosts) -> None:
    forget_rules(hosts)
    hosts.store.read = Mock(side_effect=StoreError("memory", "it is not reached"))
    with pytest.raises(StoreError):
        hosts.updates()


def shows_bids(state: Any, viewer: Any) -> Any:
    """Show a spectator the second bid."""
    seen = bids.view(state, viewer)
    return evolve(seen, bids=state.bids[:2]) if viewer is None and len(state.bids) == 2 else seen


def other_pile(state: Any, viewer: Any) -> Any:
    seen = bids.view(state, viewer)
    return evolve(seen, pile=seen.pile[::-1]) if viewer == TABLE else seen


def other_notes(step: Any, viewer: Any) -> Any:
    for note in bids.explain(step, viewer):
        yield Note.of("bid", note.rule, seat=1) if viewer == 1 and step.seat == 2 else note


def shows_offers(step: Any, viewer: Any) -> Any:
    hidden = NEW.redact(step, viewer)
    return RedactedCommand("offer", (("coins", 0),)) if viewer == 0 and step.seat == 2 else hidden


def upcast(first: Upcast) -> Any:
    """Return the newer game with another upcast from version 1."""
    return NEW.altered(past=Past(2, {1: first}))


def one_more(seat: int, tag: str, fields: Any) -> Any:
    seat, tag, fields = bids.offer(seat, tag, fields)
    return seat, tag, {"coins": 2} if tag == "offer" and seat == 1 else fields


@frozen(slots=False)
class Bare:
    """A view that has lost what it had."""

    viewer: Any
    cards: Any
    bids: Any


def bare(state: Any, viewer: Any) -> Bare:
    seen = bids.view(state, viewer)
    return Bare(viewer, seen.cards, seen.bids)


def early(state: Any) -> Any:
    return Result((3, 1, 3), (0,)) if len(state.bids) == 3 else bids.result(state)


def later(state: Any) -> Any:
    return frozenset({0}) if len(state.bids) == 2 else bids.to_act(state)


BROKEN = {
    "a spectator's view": (NEW.altered(view=shows_bids), (2, None, "view.bids")),
    "the hidden pile": (NEW.altered(view=other_pile), (0, TABLE, "view.pile")),
    "a note": (NEW.altered(explain=other_notes), (3, 1, "notes")),
    "a command that is cut down": (NEW.altered(redact=shows_offers), (3, 0, "command")),
    "an upcast": (upcast(Upcast(bids.first_of_equals, one_more)), (2, TABLE, "notes")),
    "the end": (NEW.altered(result=early), (3, TABLE, "to_act")),
    "who is to act": (NEW.altered(to_act=later), (2, TABLE, "to_act")),
    "a field that is no more": (NEW.altered(view=bare), (0, TABLE, "view.pile")),
}


@pytest.mark.parametrize(("game", "first"), BROKEN.values(), ids=BROKEN)
def test_where_anybody_would_have_something_else_it_ends(hosts: Hosts, game: Any, first: Any) -> None:
    new = hosts.host(game)
    (update,) = new.update_rules()
    assert (update.outcome, f"after event {first[0]} " in str(update.why)) == ("ended", True)
    observed, (*_, told) = new.observe(hosts.match), new.history(hosts.match)
    assert (observed.status, observed.result) == ("abandoned", None)
    assert (observed.to_act, observed.legal, observed.deadline_at_ms) == (frozenset(), (), None)
    assert observed.stopped == new.about(hosts.match).stopped == update.summary
    assert (told.seat, told.command) == (TABLE, RulesRefused(2, *first))
    assert [note.key for note in told.notes] == ["rules-refused"]
    with pytest.raises(MatchError, match=re.escape(update.summary)):
        new.submit(hosts.match, hosts.keys[0], Offer(1), EVENTS + 1)
    for each in (OLD, game):
        assert audit(new.log(hosts.match), finds(each)).ok
    assert list(new.update_rules()) == []


LOOKS = [Host.observe, Host.history, Host.about, lambda host, match: list(host.watch(match))]


@pytest.mark.parametrize("look", LOOKS, ids=["observe", "history", "about", "watch"])
def test_it_is_ended_before_anybody_looks_at_it_and_what_cannot_be_ended_is_not_shown(clock: Any, look: Any) -> None:
    """A host that starts has not come to it yet, and its rules show a spectator a bid that is hidden."""
    hosts = Hosts(clock, Terms(turn_limit_ms=1_000))
    new = hosts.host(NEW.altered(view=shows_bids))
    hosts.store._make = Mock(side_effect=StoreError("memory", "is full"))
    with pytest.raises(StoreError, match="is full"):
        look(new, hosts.match)
    del hosts.store._make
    look(new, hosts.match)
    assert read_bytes(hosts.log, finds(OLD)).ended == "abandoned"
    seen = new.observe(hosts.match, hosts.keys[0])
    assert (seen.status, seen.to_act, seen.legal, seen.deadline_at_ms) == ("abandoned", frozenset(), (), None)
    assert "as version 2 does not keep it: after event 2 " in str(seen.stopped)


def test_one_that_can_go_on_is_shown_with_its_commands(clock: Any) -> None:
    hosts = Hosts(clock, Terms(turn_limit_ms=1_000))
    seen = hosts.host(NEW).observe(hosts.match, hosts.keys[0])
    assert (seen.to_act, len(seen.legal), seen.deadline_at_ms, seen.stopped) == ({0}, 5, clock.now + 1_000, None)
    assert hosts.host(NEW).about(hosts.match).stopped is None


def test_it_is_judged_once_for_all_who_look(clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.MonkeyPatch.context() as killed:
        killed.setattr(Host, "write_witnesses", lambda _: [])
        hosts = Hosts(clock, Terms())
    asked: list[int] = []
    real = rules_update.first_difference
    monkeypatch.setattr(rules_update, "first_difference", lambda *args: asked.append(1) or real(*args))
    new = hosts.host(NEW)
    for key in (None, *hosts.keys):
        assert "fork it" in str(new.observe(hosts.match, key).stopped)
        assert "fork it" in str(new.about(hosts.match).stopped)
    assert len(asked) == 1
    hosts.bid(hosts.old, Bid(0))
    assert new.observe(hosts.match).stopped is None
    assert len(asked) == 2


def test_a_fair_deal_for_older_rules_is_ended_and_says_why(hosts: Hosts) -> None:
    """What its seats agree to names the rules."""
    opened = hosts.old.open("bids", 2, {}, Terms(fair=True, turn_limit_ms=1_000))
    new, why = hosts.host(NEW), "it was opened under rules version 1, today's is 2: open it anew"
    joined = hosts.old.join(opened.match, "Aki", 0, commitment=bytes(32))
    with pytest.raises(MatchError):
        new.join(opened.match, "Ren", 1, commitment=bytes(32))
    for key in (None, joined.key):
        seen = new.observe(opened.match, key)
        assert (seen.status, seen.stopped) == ("abandoned", why)
    assert new.about(opened.match).stopped == why
    assert hosts.old.about(opened.match).status == "abandoned"


def test_a_fair_deal_that_waits_for_secrets_is_ended_when_they_are_due(hosts: Hosts) -> None:
    opened = hosts.old.open("bids", ["Aki", None], {}, Terms(fair=True, reveal_ms=1_000))
    hosts.old.join(opened.match, "Ren", 1, commitment=bytes(32))
    hosts.clock.now += 2_000
    assert hosts.host(NEW).run_due() is None
    assert hosts.store.read(opened.match).row.status == "abandoned"


def test_an_older_host_leaves_what_a_newer_one_has_opened(hosts: Hosts) -> None:
    new = hosts.host(NEW)
    for seats, terms in ((2, Terms()), (2, Terms(fair=True)), (["Aki", "Ren"], Terms())):
        match = new.open("bids", seats, {}, terms).match
        for call in (Host.about, Host.observe, lambda *match: Host.join(*match, "Aki", 0, commitment=bytes(32))):
            with pytest.raises(NewerRules, match="rules version 2"):
                call(hosts.old, match)
        assert new.about(match).status == ("open" if seats == 2 else "going")


def test_one_that_has_not_begun_begins_under_todays_rules(hosts: Hosts) -> None:
    match = hosts.old.open("bids", 2).match
    new = hosts.host(NEW)
    for name in ("Aki", "Ren"):
        new.join(match, name)
    assert read_bytes(new.export_log(match), finds(NEW)).rules == 2
    assert new.observe(match).stopped is None


def stricter(state: Any, seat: Any, command: Any) -> Any:
    if isinstance(command, Offer) and command.coins > 2 and seat == 2:
        raise RuleViolation(bids.Rule.BID_1, seat)
    return bids.apply(state, seat, command)


def test_one_that_cannot_even_be_folded_any_more_says_why_it_ended(hosts: Hosts) -> None:
    game, why = NEW.altered(apply=stricter), "as version 2 does not keep it: rule BID-1 forbids event 3"
    ((outcome, said),) = hosts.updates(game)
    assert (outcome, "BID-1" in str(said)) == ("ended", True)
    reading = read_bytes(hosts.old.log(hosts.match), finds(OLD))
    assert (reading.ok, reading.ended, reading.match.events[-1].command) == (
        *(True, "abandoned"),
        RulesRefused(2, 3, TABLE, "BID-1"),
    )
    new = hosts.host(game)
    for _ in range(2):
        for key in (None, *hosts.keys):
            seen = new.observe(hosts.match, key)
            assert (seen.status, seen.view, seen.to_act, seen.legal) == ("abandoned", None, frozenset(), ())
            assert why in str(seen.stopped)
        assert new.history(hosts.match, hosts.keys[0]) == ()
        assert (new.about(hosts.match).status, new.about(hosts.match).stopped) == ("abandoned", seen.stopped)
        assert (new.ending(hosts.match), new.run_due()) == (None, None)
    for call in (
        lambda: new.submit(hosts.match, hosts.keys[0], Offer(1), EVENTS),
        lambda: new.fork(hosts.match, hosts.keys[0], 2),
        lambda: new.take_back(hosts.match, hosts.keys[0], 1),
        lambda: new.record(hosts.match, hosts.keys[0]),
    ):
        with pytest.raises(MatchError, match="rule BID-1 forbids event 3"):
            call()
    assert new.log(hosts.match) == hosts.log
    assert hosts.host(OLD).observe(hosts.match).view is not None


def test_a_log_that_is_damaged_is_not_taken_for_one_that_has_ended(hosts: Hosts) -> None:
    game = NEW.altered(apply=stricter)
    hosts.updates(game)
    stored = hosts.store.read(hosts.match)
    one, two, *others = stored.events
    for events in ([two, one, *others], [one, two[:20] + bytes([two[20] ^ 1]) + two[21:], *others]):
        hosts.store.read = lambda *_, events=events: evolve(stored, events=tuple(events))
        with pytest.raises(LogError):
            hosts.host(game).observe(hosts.match)


def test_a_bug_of_the_newer_version_ends_nothing(hosts: Hosts) -> None:
    before, fails = hosts.log, Mock(side_effect=ZeroDivisionError)
    for broken in (
        upcast(Upcast(fails)),
        upcast(Upcast(bids.first_of_equals, fails)),
        NEW.altered(apply=fails),
        NEW.altered(explain=fails),
        NEW.altered(view=fails),
    ):
        assert [outcome for outcome, _ in hosts.updates(broken)] == ["failed"]
    assert hosts.log == before
    assert [outcome for outcome, _ in hosts.updates()] == ["goes on"]


def test_it_is_updated_when_somebody_acts_in_it(hosts: Hosts) -> None:
    """The first command is a conflict, as the table has acted; the next is accepted."""
    new = hosts.host(NEW)
    with pytest.raises(Conflict) as raised:
        new.submit(hosts.match, hosts.keys[0], Offer(1), EVENTS)
    assert [each.command for each in raised.value.meanwhile] == [RulesChange(2, 2)]
    new.submit(hosts.match, hosts.keys[0], Offer(1), raised.value.count)
    assert audit(hosts.log, finds(NEW)).ok


def test_what_may_be_read_once_may_still_be_read_after_the_change(hosts: Hosts) -> None:
    """It is the host that has acted, not a player."""

    def once(step: Any, viewer: Any) -> Any:
        return (evolve(note, momentary=step.seat == 2) for note in bids.explain(step, viewer))

    new = hosts.host(NEW.altered(explain=once))
    list(new.update_rules())
    assert [len(each.notes) for each in new.history(hosts.match, hosts.keys[2])] == [1] * (EVENTS + 1)
    hosts.bid(new, Offer(1))
    assert [len(each.notes) for each in new.history(hosts.match, hosts.keys[2])] == [1, 1, 1, 0, 1, 1]


def test_a_second_change_is_held_to_the_witnesses_of_both_versions(hosts: Hosts) -> None:
    list(hosts.host(NEW).update_rules())
    hosts.bid(hosts.host(NEW), Offer(1))
    third = NEW.altered(version=3, past=Past(3, {**NEW.past.upcasts, 2: Upcast(dict)}))

    def left(state: Any, viewer: Any) -> Any:  # a field that version 2 has brought
        seen = bids.view(state, viewer)
        return evolve(seen, left=0) if len(state.bids) == 4 else seen

    (update,) = hosts.host(third.altered(view=left)).update_rules()
    assert (update.rules, update.outcome) == (2, "ended")
    assert "after event 5 the table had another view.left" in str(update.why)
    broken = {**third.past.upcasts, 1: Upcast(bids.first_of_equals, one_more)}
    for game, outcome in (
        (third, "goes on"),
        (third.altered(past=Past(3, broken)), "ended"),
        (third.altered(past=Past(2, broken)), "ended"),
    ):
        again = Hosts(hosts.clock, Terms())
        list(again.host(NEW).update_rules())
        again.bid(again.host(NEW), Offer(1))
        assert [each for each, _ in again.updates(game)] == [outcome]
        reading = audit(again.log, finds(game)).reading
        assert (reading.match.rules, reading.ended) == ((3, None) if outcome == "goes on" else (2, "abandoned"))


def test_a_record_holds_across_the_change(hosts: Hosts) -> None:
    new = hosts.host(NEW)
    list(new.update_rules())
    hosts.bid(new, Offer(1))
    new.force_abandon(hosts.match)
    for key in (None, *hosts.keys):
        verdict = records.verify(new.record(hosts.match, key), hosts.log, find=finds(NEW))
        assert verdict.findings == ()
        assert not any("what was shown of commands" in str(each) for each in verdict.unchecked)


def test_a_fork_and_a_saved_log_are_of_the_newer_version(hosts: Hosts) -> None:
    new = hosts.host(NEW)
    list(new.update_rules())
    hosts.bid(new, Offer(1))
    new.force_abandon(hosts.match)
    fork = new.fork(hosts.match, hosts.keys[0], EVENTS + 2).fork
    saved = log_bytes(read_bytes(hosts.log, finds(NEW)).match)
    for raw in (new.export_log(fork), saved):
        reading = audit(raw, finds(NEW)).reading
        assert (reading.ok, reading.rules, reading.digests) == (True, 2, "checked")
        assert reading.match.events[EVENTS].command == RulesChange(2, 2)


def test_nobody_is_told_a_witness(hosts: Hosts) -> None:
    """It is a hash of hidden cards, as a digest is."""
    list(hosts.host(NEW).update_rules())
    new = hosts.host(NEW)
    match = read_bytes(hosts.log, finds(NEW)).match
    witnesses = [witness for witness, _ in witnesses_of(match.events, 3).values()]
    assert len(witnesses) == EVENTS
    for key in (None, *hosts.keys):
        told = [each.told().told for each in new.history(hosts.match, key)]
        told.append(new.observe(hosts.match, key).told().told)
        assert not any(witness in one or b"witness" in one for witness in witnesses for one in told)


GAMES = [pytest.param(name, marks=[pytest.mark.long] * (name == "mabr")) for name in kifu.games.names()]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_goes_on_under_a_version_that_changes_nothing(table: Any, clock: Any, name: str) -> None:
    game = find(name)
    past = Past(game.past.layout + 1, {**game.past.upcasts, game.version: Upcast(dict)})
    newer = game.altered(version=game.version + 1, past=past)
    store = MemoryStore()
    older = Host(store, clock=clock, entropy=Entropy())
    playing = table(name, 3 if name != "gosne" else 4, at=older)
    playing.play_on(8)
    before = [older.history(playing.match, key) for key in (None, *playing.keys)]
    list(older.write_witnesses())
    playing.host = Host(store, find=finds(newer), clock=clock, entropy=Entropy())
    assert [each.outcome for each in playing.host.update_rules()] == ["goes on"]
    after = [playing.host.history(playing.match, key) for key in (None, *playing.keys)]
    assert [each[:-1] for each in after] == before
    playing.play_on(2)
    assert audit(playing.host.export_log(playing.match), finds(newer)).ok
