"""Opening, joining, submitting and observing: what a host promises to the seats of one match."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from unittest.mock import Mock

import pytest
from attrs import evolve
from kifu.core.errors import (
    Conflict,
    GameError,
    KeyRefused,
    MatchError,
    MatchFull,
    NoMatch,
    OptionError,
    Rewound,
    StoreError,
)
from kifu.core.game import TABLE, RedactedCommand, RuleViolation, TableRule
from kifu.core.host import AsyncHost, Host, Terms, projections, submission
from kifu.core.log import read_bytes
from kifu.core.stores import Create, MemoryStore, MetadataRow, commit_one
from kifu.games.cake.model import Vote
from kifu.games.take_and_share.model import Deal, Play

from .conftest import FIRST, alone

GAMES = [("take_and_share", 4), ("cake", 5), ("palace", 3), ("gosne", 4), ("mabr", 2)]


@pytest.mark.ci
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_match_is_played_to_its_end_and_its_log_is_clean(table, game, seats):
    at = table(game, seats)
    at.play_on()
    about = at.about
    assert about.status == "over"
    assert about.result == at.observe().result
    reading = read_bytes(at.host.log(at.match))
    assert (reading.findings, reading.ended, reading.result) == ([], "over", about.result)
    assert reading.header.seats == about.seats
    assert reading.header.match == at.match
    assert about.count == reading.events


def test_the_last_to_join_begins_the_match(host):
    match = host.open("cake", 3).match
    assert host.about(match).status == "open"
    first = host.join(match, "Aki", seat=1)
    assert (first.seat, first.begun) == (1, False)
    assert host.join(match, "Ren").seat == 0
    with pytest.raises(MatchError, match="seat 1 is not free"):
        host.join(match, "Mio", seat=1)
    assert host.observe(match, first.key).status == "open"
    with pytest.raises(MatchError, match="it has not begun"):
        host.submit(match, first.key, ("vote", {"content": True}), 0)
    assert host.join(match, "Mio").begun
    assert host.about(match).seats == ("Ren", "Aki", "Mio")
    assert host.about(match).status == "going"
    assert host.seat(match, first.key) == 1
    assert read_bytes(host.export_log(match)).header.seats == ("Ren", "Aki", "Mio")
    with pytest.raises(MatchError, match="no seat is free"):
        host.join(match, "Sou")


@pytest.mark.parametrize("leaves", [False, True])
def test_the_opener_removes_a_player_or_one_leaves_before_the_match_begins(host, leaves):
    opened = host.open("cake", ["Aki", None, None])
    match, opener = opened.match, opened.opener_key
    zoe = host.join(match, "Zoe", seat=2)
    proposal = host.abandon(match, zoe.key)
    with pytest.raises(KeyRefused):
        host.remove_player(match, zoe.key, 0)
    host.remove_player(match, zoe.key if leaves else opener, 2)
    assert host.about(match).seats == ("Aki", None, None)
    with pytest.raises(MatchError, match="expired already"):
        host.accept(match, opened.keys[0], proposal.number)
    with pytest.raises(KeyRefused):
        host.observe(match, zoe.key)
    ren, mio = host.join(match, "Ren", seat=2), host.join(match, "Mio")
    assert (ren.begun, mio.begun) == (False, True)
    assert read_bytes(host.export_log(match)).header.seats == ("Aki", "Mio", "Ren")
    with pytest.raises(MatchError, match="nobody can be removed any more"):
        host.remove_player(match, opener, 2)


def test_only_the_opener_removes_and_only_players(make_host):
    host = make_host(bots=FIRST)
    opened = host.open("cake", ["Aki", None, None, None], terms=Terms(bots={3: "first"}))
    match = opened.match
    with pytest.raises(MatchError, match="a seat is a whole number"):
        host.join(match, "Zoe", seat=1.0)
    host.join(match, "Zoe", seat=1)
    for key in (None, opened.keys[0], "x", host.open("cake", 3).opener_key):
        with pytest.raises(KeyRefused):
            host.remove_player(match, key, 1)
    for seat in (2, 3, 4, -1, "1", None, True, 1.0):
        with pytest.raises(MatchError, match="has no player; seats with one: 0, 1"):
            host.remove_player(match, opened.opener_key, seat)
    assert host.about(match).seats == ("Aki", "Zoe", None, "first")
    with pytest.raises(KeyRefused):
        host.observe(match, opened.opener_key)
    assert host.open("cake", ["Aki", "Ren", "Mio"]).opener_key is None


SEATS = [9, -1, 10**9, None, "Aki", [1, 2, 3], ["", "b", "c"], ["a" * 65, "b", "c"], ["\ud800", "b", "c"]]
TERMS = [
    *[Terms(turn_limit_ms=given) for given in (0, "60", 1 << 70)],
    *[Terms(bot_delay_ms=given) for given in (-1, None, 1 << 70)],
    *[Terms(fair=True, reveal_ms=given) for given in (0, 10**13)],
    *[Terms(bots={seat: "nobody"}) for seat in ("0", 0, 3)],
]
REFUSED = [
    *[(GameError, Host.open, game, 3) for game in ("chess", None)],
    *[(MatchError, Host.open, "cake", seats) for seats in SEATS],
    *[(MatchError, Host.open, "cake", 3, {}, terms) for terms in TERMS],
    *[(OptionError, Host.open, "cake", 3, options) for options in ({"first": 3}, {"lest": 3}, ["first"])],
    (OptionError, Host.open, "mabr", 2, {"idle_rounds": 2**53}),
    *[(NoMatch, Host.observe, match) for match in ("0123456789abcdef", "../../etc/passwd")],
    (NoMatch, Host.about, None),
    (NoMatch, Host.log, 1),
    (NoMatch, Host.history, []),
    (NoMatch, Host.join, "nowhere", "Aki"),
    (NoMatch, lambda *given: list(Host.watch(*given)), "nowhere"),
]


@pytest.mark.parametrize("asked", REFUSED, ids=lambda asked: ascii(asked[2:])[:60])
def test_what_cannot_be_is_refused_and_leaves_nothing(host, asked):
    error, call, *given = asked
    with pytest.raises(error):
        call(host, *given)
    assert host.lobby() == []
    assert list(host._context.store.list()) == []


def test_the_largest_number_of_an_option_is_the_largest_that_a_browser_reads(host):
    assert host.open("mabr", 2, {"idle_rounds": 2**53 - 1}).match
    with pytest.raises(OptionError, match="a browser cannot read so large a number"):
        host.open("mabr", 2, {"idle_rounds": 2**63})


@pytest.mark.parametrize(
    "call",
    [
        lambda host, match, key: host.observe(match, key, "1"),
        lambda host, match, key: host.history(match, key, "1"),
        lambda host, match, key: host.history(match, key, 0, "1"),
        lambda host, match, key: next(host.watch(match, key, "1")),
        lambda host, match, key: asyncio.run(anext(host.follow(match, key, "1"))),
        lambda host, match, key: host.take_back(match, key, "1"),
        lambda host, match, key: host.fork(match, key, "1"),
        lambda host, match, key: host.observe(match, key, True),
        lambda host, match, key: host.history(match, key, 1.0),
        lambda host, match, key: host.submit(match, key, {"tag": "x", "fields": {}}, "1"),
    ],
)
def test_a_number_that_is_none_is_refused_after_the_match_and_the_key(table, call):
    """A stranger is told that he is one, whatever he asks."""
    at = table()
    for match, key, error in (("nowhere", at.keys[0], NoMatch), (at.match, "x", KeyRefused)):
        with pytest.raises(error):
            call(at.host, match, key)
    with pytest.raises(MatchError, match="is a whole number"):
        call(at.host, at.match, at.keys[0])


def test_only_the_key_of_a_seat_opens_it(table):
    at, other = table(), table()
    assert [at.host.seat(at.match, key) for key in at.keys] == [0, 1, 2, 3]
    assert at.host.seat(at.match, None) is None
    assert len({*at.keys, *other.keys}) == 8
    wrong = [other.keys[0], "", at.keys[0] + "A", at.keys[0][:-1], "x" * 10**6, "\ud800", "鍵", 7, b"", at.match]
    for key in wrong:
        for call in (at.host.seat, at.host.observe, at.host.history, lambda m, k: next(at.host.watch(m, k))):
            with pytest.raises(KeyRefused):
                call(at.match, key)
    for key in [None, *wrong]:
        with pytest.raises(KeyRefused):
            at.host.submit(at.match, key, at.observe(0).legal[0], 1)
        for call in (at.host.abandon, lambda m, k: at.host.fork(m, k, 0), lambda m, k: at.host.take_back(m, k, -1)):
            with pytest.raises(KeyRefused):
                call(at.match, key)
    assert at.count == 1


def test_the_store_never_holds_a_key(table):
    at = table()
    at.play_on(3)
    stored = at.host._context.store.read(at.match)
    for key in at.keys:
        assert key.encode() not in stored.row.data + stored.header + b"".join(stored.events)
        assert key not in repr(at.about) + repr(at.observe(0)) + repr(at.history(0))


def test_votes_of_the_same_observation_do_not_conflict_but_with_those_of_the_seat_itself(table):
    at = table("cake", 4)
    observation = at.play_until(lambda observation: len(observation.to_act) > 2)
    count, (one, *others) = observation.count, sorted(observation.to_act)
    with pytest.raises(Conflict):  # before the vote began
        at.play(one, Vote(content=True), expected_events=count - 1)
    assert at.play(one, Vote(content=True), expected_events=count).seq == count
    with pytest.raises(Conflict):
        at.play(one, Vote(content=False), expected_events=count)
    with pytest.raises(RuleViolation) as caught:
        at.play(one, Vote(content=False))
    assert caught.value.rule is TableRule.TURN
    for seq, seat in enumerate(others, count + 1):
        assert at.play(seat, Vote(content=True), expected_events=count).seq == seq


def test_a_receipt_counts_the_deal_that_followed(table):
    at = table("gosne", 4, options={"hands": 4})
    for _ in range(200):
        seat, before = min(at.observe().to_act), at.count
        command = at.observe(seat).legal[0]
        receipt = at.play(seat, command, idempotency_key=b"%d" % before)
        assert receipt.count == at.count
        if receipt.count > before + 1:
            break
    assert at.history(seat, before + 1)[0].seat == TABLE
    at.play_on(1)
    assert at.host.submit(at.match, at.keys[seat], command, 0, b"%d" % before) == receipt


def test_idempotency_keys_of_two_seats_are_apart(table):
    at = table()
    at.play(0, idempotency_key=b"same")
    assert at.play(1, idempotency_key=b"same").seq == 2


@pytest.mark.parametrize("key", [b"", b"x" * 33, "text", 5])
def test_an_idempotency_key_is_1_to_32_bytes(table, key):
    at = table()
    with pytest.raises(MatchError, match="1 to 32 bytes"):
        at.host.submit(at.match, at.keys[0], at.observe(0).legal[0], at.count, key)


NO_COMMANDS = [
    *[("play", fields) for fields in ({"card": "110"}, {"card": 110, "more": 1}, {"card": 10**30}, {}, None)],
    *[("no such", {}), (None, {}), ([], []), None, object(), (".takeback", {"to": -1})],
    *[Play(card="110"), Vote(content=True), Deal(cards=())],
]


@pytest.mark.parametrize("command", NO_COMMANDS)
def test_what_is_no_command_of_the_seat_is_refused_and_changes_nothing(table, command):
    at = table()
    before = at.log
    with pytest.raises(RuleViolation) as caught:
        at.host.submit(at.match, at.keys[0], command, at.count, b"id")
    assert caught.value.seat == 0
    assert isinstance(caught.value.rule, TableRule)
    assert at.log == before


def test_the_history_of_a_seat_redacts_the_commands_of_others(table):
    at = table("cake", 3)
    at.play_on(4)
    for seat in (None, 0, 1, 2):
        history = at.history(seat)
        assert [each.seq for each in history] == list(range(at.count))
        assert isinstance(history[0].command, RedactedCommand)
        for each in history[2:]:
            assert isinstance(each.command, RedactedCommand) is (each.seat != seat)
    whole, key = at.history(1), at.keys[1]
    assert (at.history(1, 3), at.history(1, -5), at.history(1, at.count)) == (whole[3:], whole, ())
    assert (at.host.history(at.match, key, 1, 2), at.host.history(at.match, key, 1, 99)) == (whole[1:3], whole[1:])
    assert at.host.history(at.match, key, 1, -1) == at.host.history(at.match, key, 0, 0) == ()
    assert asyncio.run(AsyncHost(at.host).history(at.match, key, 0, limit=1)) == whole[:1]


def test_a_conflict_tells_no_more_than_a_page_of_what_happened_meanwhile(table, monkeypatch):
    monkeypatch.setattr(submission, "PAGE_EVENTS", 3)
    at = table("take_and_share", 3)
    at.play_on(8)
    (seat,) = at.observe().to_act
    with pytest.raises(Conflict) as caught:
        at.host.submit(at.match, at.keys[seat], at.observe(seat).legal[0], 1)
    assert caught.value.meanwhile == at.history(seat)[1:4]
    assert caught.value.count == at.count


def test_a_page_makes_no_more_than_it_shows(table, monkeypatch):
    """A short page of a long match costs what a short match does."""
    at = table("take_and_share", 3)
    at.play_on()
    made = Mock(wraps=projections.history_entry)
    monkeypatch.setattr(projections, "history_entry", made)
    at.host.history(at.match, None, 2, 3)
    assert [seq for _, _, seq in (call.args for call in made.mock_calls)] == [2, 3, 4]


def test_an_earlier_state_is_observed_only_once_the_match_is_over(table):
    at = table("take_and_share", 3)
    at.play_on(3)
    assert at.host.observe(at.match, at.keys[0], at.count) == at.observe(0)
    for past in (0, 2):
        with pytest.raises(MatchError, match="once the match is over"):
            at.host.observe(at.match, at.keys[0], past)
    then = [at.observe(seat).view for seat in range(3)]
    count = at.count
    at.play_on()
    assert [at.host.observe(at.match, at.keys[seat], count).view for seat in range(3)] == then
    for none, error in ((-1, MatchError), (at.count + 1, Rewound)):
        with pytest.raises(error):
            at.host.observe(at.match, at.keys[0], none)


def test_a_log_is_secret_until_the_match_has_ended(table):
    at = table("take_and_share", 3)
    with pytest.raises(MatchError, match="secret"):
        at.host.log(at.match)
    at.play_on()
    assert at.host.log(at.match) == at.log


def test_times_are_counted_from_the_start_of_the_match(table):
    at = table()
    at.clock.now += 1500
    at.play(0)
    assert [each.elapsed_ms for each in at.history()] == [0, 1500]


def test_a_clock_may_give_parts_of_a_millisecond(table, make_host):
    at = table(at=make_host(clock=lambda: 1_000_000.5))
    at.play_on()
    assert read_bytes(at.host.log(at.match)).ok


def test_a_host_whose_cache_is_out_of_date_answers_as_if_it_were_not(table, make_host):
    at = table("take_and_share", 3)
    outdated = [make_host(at.host._context.store) for _ in range(2)]
    assert [each.observe(at.match).count for each in outdated] == [1, 1]
    command = at.observe(0).legal[0]
    first = at.play(0, command, idempotency_key=b"first")
    assert outdated[0].submit(at.match, at.keys[0], command, 1, b"first") == first
    assert outdated[1].submit(at.match, at.keys[1], at.observe(1).legal[0], 2).seq == 2


@pytest.mark.parametrize("share", [0.0, 2.5])
def test_matches_leave_the_cache_where_they_take_too_much_memory(table, make_host, share):
    one = make_host()
    table("cake", 3, at=one).play_on(10)
    matches, taken = one.cached
    assert matches == 1
    assert taken > 10 * 500, "an event takes more than half a kilobyte"
    host = make_host(cache_bytes=int(taken * share))
    tables = [table("cake", 3, at=host) for _ in range(4)]
    for each in (*tables, tables[0], *tables):
        each.play_on(10)
        assert host.cached[1] <= taken * share or host.cached[0] == 1
        assert host.cached[1] == sum(live.size_bytes for live in host._context.cache._matches.values())
    assert all(read_bytes(host.export_log(each.match)).ok for each in tables)


def test_a_match_that_a_failed_write_drops_is_no_longer_counted(table, make_host, monkeypatch):
    host = make_host()
    at = table("cake", 3, at=host)
    monkeypatch.setattr(host._context.store, "_make", Mock(side_effect=StoreError("the store", "it fails")))
    with pytest.raises(StoreError):
        at.play_on(1)
    assert host.cached == (0, 0)


def test_a_full_match_takes_no_more_events(table, make_host):
    host = make_host(events_per_match=5)
    at = table("take_and_share", 3, at=host)
    at.play_on(4)
    wider = make_host(host._context.store)
    (seat,) = wider.observe(at.match).to_act
    (command, *_) = wider.observe(at.match, at.keys[seat]).legal
    with pytest.raises(MatchFull, match="5 events") as refused:
        at.play(seat, command)
    seen = at.observe(seat)
    assert (seen.count, seen.to_act, seen.legal, seen.deadline_at_ms) == (5, frozenset(), (), None)
    assert seen.stopped == host.about(at.match).stopped == refused.value.why
    assert at.agree(at.abandon(0)).status == "accepted"
    assert at.about.status == "abandoned"


def test_nothing_is_due_in_a_full_match(table, make_host):
    host = make_host(events_per_match=5, bots=FIRST)
    at = table("take_and_share", 3, at=host, terms=alone())
    assert host.run_due() is None
    assert host.about(at.match).count == 5


def test_the_lobby_leaves_out_what_no_host_wrote(host):
    match = host.open("cake", 3, terms=Terms(public=True)).match
    commit_one(host._context.store, Create("foreign", b"", MetadataRow("cake", "open", True, 5, b"what is this")))
    assert [each.match for each in host.lobby()] == [match]
    host.run_due()
    with pytest.raises(StoreError, match="is not a host's"):
        host.about("foreign")


@pytest.mark.parametrize("goes_on", [0, 4, 6])
def test_a_store_that_was_restored_is_read_anew(table, make_host, goes_on):
    """An operator restores a copy under a host that goes on, and another host may have played on from it."""
    store = MemoryStore()
    at = table("take_and_share", 3, at=make_host(store))
    at.play_on(3)
    before = deepcopy(store._logs)
    at.play_on(4)
    at.observe(0)
    store._logs = before
    other = evolve(at, host=make_host(store))
    for _ in range(goes_on):
        seat = min(other.observe().to_act)
        other.play(seat, other.observe(seat).legal[-1])
    assert at.count == other.count == 4 + goes_on
    assert [at.observe(seat) for seat in range(3)] == [other.observe(seat) for seat in range(3)]
    at.play_on()
    assert read_bytes(at.host.log(at.match)).ok
