"""The engine's calls, as JavaScript makes them: JSON in, JSON or bytes out, each refusal with its rule and facts."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import kifu
import msgpack
import pytest
from kifu.core.log import log_bytes
from kifu.core.testing.play import played
from kifu.core.trust.raw_log import read_log
from kifu.core.wire import plain, wire_of

pytest.importorskip("msgspec", reason="needs kifu[site]")

from kifu.replay.browser.engine import Engine

SEED = "07" * 32


class Calls:
    """An engine, and its calls as a program in JavaScript makes them."""

    def __init__(self):
        self.engine, self.loop = Engine(), asyncio.new_event_loop()
        self.apart = ThreadPoolExecutor(1)  # in this thread a browser's loop may run

    def said(self, name, *blobs, more=None, **given):
        call = self.engine.call(name, json.dumps(given), blobs, **(more or {}))
        answer = self.apart.submit(self.loop.run_until_complete, call).result()
        return answer if isinstance(answer, bytes) else json.loads(answer)

    def value(self, name, *blobs, more=None, **given):
        said = self.said(name, *blobs, more=more, **given)
        return said if isinstance(said, bytes) else said["value"]

    def error(self, name, *blobs, **given):
        return self.said(name, *blobs, **given)["error"]


BLOB = {"$blob": 0}


@pytest.fixture
def calls():
    calls = Calls()
    yield calls
    calls.apart.shutdown()
    calls.loop.close()


@pytest.mark.parametrize("game", ["cake", "gosne", "mabr", "palace", "take_and_share"])
def test_a_match_is_that_of_the_library_to_the_byte(calls, game):
    """Every call shows what the library computes, and the log is the library's."""
    seats = ["Aki", "Ren", "Mio", "Sou"][: kifu.games.find(game).seats[0]]
    facts = calls.value("new", game=game, seats=seats, seed=SEED)
    number = facts["number"]
    match = kifu.new(game, seats, seed=bytes.fromhex(SEED), match="x", started=0)
    for _ in range(12):
        if facts["status"] != "going":
            break
        seat = facts["to_act"][0]
        assert calls.value("observe", number=number, seat=seat)["view"] == plain(match.view(seat))
        command = calls.value("choose", number=number, seat=seat, bot="easy", seed=SEED)
        seen = calls.value("play", number=number, seat=seat, command=command)
        match.play(seat, wire_of(match.game).decode(command["tag"], command["fields"]))
        assert [each["seq"] for each in seen] == list(range(facts["count"], len(match.events)))
        facts = calls.value("facts", number=number)
    log = calls.value("save", number=number)
    read = kifu.core.log.read_bytes(log)
    assert read.ok
    assert [event.command for event in read.match.events] == [event.command for event in match.events]


def test_a_log_is_loaded_and_saved_as_it_was(calls):
    log = log_bytes(kifu.new("cake", ["Aki", "Ren", "Mio"], seed=bytes(32)))
    facts = calls.value("load", log, log=BLOB)
    assert (facts["game"], facts["seats"], facts["count"]) == ("cake", ["Aki", "Ren", "Mio"], 1)
    assert calls.value("save", number=facts["number"]) == log


def test_a_broken_rule_is_told_with_its_number_and_facts(calls):
    number = calls.value("new", game="cake", seats=["Aki", "Ren", "Mio"], seed=SEED)["number"]
    refused = calls.error("play", number=number, seat=1, command={"tag": "open", "fields": {"pile": 0}})
    assert (refused["kind"], refused["rule"]) == ("rule-violation", "TURN")
    assert refused["facts"]
    assert calls.value("facts", number=number)["count"] == 1, "nothing has changed"


@pytest.mark.parametrize(
    ("name", "given", "kind", "word"),
    [
        ("dance", {}, "malformed", "dance"),
        ("new", {"game": "cake"}, "malformed", "seats"),
        ("new", {"game": "cake", "seats": 3}, "malformed", "array"),
        ("new", {"game": "chess", "seats": ["a", "b"]}, "no-game", "chess"),
        ("new", {"game": "cake", "seats": ["a"]}, "not-now", "3 to 5"),
        ("new", {"game": "cake", "seats": ["a", "b", "c"], "seed": "xyz"}, "not-now", "hex"),
        ("new", {"game": "cake", "seats": ["a", "b", "c"], "options": {"first": 9}}, "not-now", "9"),
        ("facts", {"number": 77}, "not-now", "forgotten"),
        ("games", {"lang": "xx"}, "not-now", "xx"),
        ("request", {"method": "GET", "target": "/api/games", "headers": {}}, "not-now", "openHost"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(calls, name, given, kind, word):
    refused = calls.error(name, **given)
    assert refused["kind"] in (kind, "option")
    assert word in refused["detail"]
    assert "\n" not in refused["detail"]


def test_a_damaged_log_is_told_by_its_kind(calls):
    log = bytearray(log_bytes(kifu.new("cake", ["Aki", "Ren", "Mio"], seed=bytes(32))))
    log[-3] ^= 1
    found = calls.value("audit", bytes(log), log=BLOB)
    assert not found["ok"]
    assert calls.error("load", bytes(log), log=BLOB)["kind"] == found["findings"][0]["kind"]
    assert calls.value("audit", b"no log", log=BLOB)["game"] is None


def test_of_two_logs_the_fork_is_the_one_that_names_the_other(calls, forked):
    """However much is wrong with either."""
    record, fork, parent = forked.honest()["a spectator's"]

    def first(one, two, record=None):
        given = {"one": BLOB, "other": {"$blob": 1}, **({"record": {"$blob": 2}} if record else {})}
        return calls.value("is_fork_first", one, two, *filter(None, [record]), **given)

    def log(match, origin=None):
        return msgpack.packb({"match": match, "fork": origin and {"match": origin, "seq": 3}})

    assert (first(fork, parent), first(parent, fork)) == (True, False)
    assert (first(log("c", "b"), log("b", "a")), first(log("b", "a"), log("c", "b"))) == (True, False)
    assert (first(log("b", "a"), log("x")), first(log("x"), log("b", "a"))) == (True, False), "a fork, of neither"
    own = read_log(fork).header["match"]
    assert (first(log(own), log("x", "y"), record), first(log("x", "y"), log(own), record)) == (True, False)
    for one, other in [("a", "b"), ("b", "a")]:
        assert first(log(one, other), log(other, one)) is first(log(one), log(other)) is True, "as they came"
    assert first(b"", b"no log")


def test_a_host_plays_on_from_any_step_and_all_of_it_is_kept(calls):
    log = _finished("cake")
    kept = {}

    async def keep(values):
        kept.update(values)

    calls.value("open_host", more={"kept": {}, "keep": keep, "tell": lambda *_: None})
    begun = calls.value("play_on", log, log=BLOB, events=5, seat=1, bot="easy")
    assert [key is None for key in begun["keys"]] == [True, False, True]
    bearer = {"Authorization": f"Bearer {begun['keys'][1]}"}
    target = f"/api/matches/{begun['match']}/observation"
    status, _, body = calls.value("request", method="GET", target=target, headers=bearer)
    seen = json.loads(body)
    assert (status, seen["seat"], seen["status"]) == (200, 1, "going")
    assert seen["count"] >= 5
    calls.value("close_host")
    again = {match: value for match, value in kept.items() if value is not None}
    assert [*again] == [begun["match"]], "what it was forked from is gone"
    calls.value("open_host", more={"kept": again, "keep": keep, "tell": lambda *_: None})
    status, _, body = calls.value("request", method="GET", target=target, headers=bearer)
    assert (status, json.loads(body)["count"] >= seen["count"]) == (200, True)
    calls.value("close_host")


@pytest.fixture
def hosting(calls):
    """The engine's calls with a host that keeps nothing."""
    calls.value("open_host", more={"kept": {}, "keep": _nothing, "tell": lambda *_: None})
    yield calls
    calls.value("close_host")


def test_what_is_refused_of_a_match_does_not_keep_it_from_being_played_on(hosting):
    log = _finished("cake")
    last = len(kifu.core.log.read_bytes(log).match.events)
    for events in (last, last + 1, -1):
        refused = hosting.error("play_on", log, log=BLOB, events=events, seat=0)
        assert refused["detail"].startswith((f"after {last} events the game is over", f"there are {last} events, not"))
        begun = hosting.value("play_on", log, log=BLOB, events=last - 1, seat=0)
        own = _abandoned(hosting, begun)
        assert hosting.value("play_on", own, log=BLOB, events=5, seat=0)["keys"], "the log of a match that is here"


def test_who_plays_on_from_a_log_signs_nothing(hosting, forked):
    """Its players' keys are not here: a seat that had to sign could not move."""
    _, _, log = forked.honest()["of a match that is over"]
    begun = hosting.value("play_on", log, log=BLOB, events=9, seat=0)
    seen = _seen(hosting, begun, 0)
    command = {key: seen["legal"][0][key] for key in ("tag", "fields")}
    asked = {"expected_events": seen["count"], "idempotency_key": "00" * 16, **command}
    assert _asked(hosting, begun, 0, "commands", asked)[0] == 201


def _seen(calls, begun, seat):
    return _asked(calls, begun, seat, "observation")[1]


def _asked(calls, begun, seat, what, body=None):
    """Ask the host for a seat of a match; return the status, and what it answers."""
    headers = {"Authorization": f"Bearer {begun['keys'][seat]}", "Content-Type": "application/json"}
    given = {"method": "GET" if body is None else "POST", "headers": headers, "body": BLOB}
    target = f"/api/matches/{begun['match']}/{what}"
    status, _, answer = calls.value("request", json.dumps(body).encode(), target=target, **given)
    return status, json.loads(answer)


def _abandoned(calls, begun):
    """Abandon a match with the consent of all; return its log."""
    for seat in range(len(begun["keys"])):
        _asked(calls, begun, seat, "proposals", {"kind": "abandon"})
    target = f"/api/matches/{begun['match']}/log"
    status, _, log = calls.value("request", method="GET", target=target, headers={})
    assert status == 200
    return log.encode("latin-1")


def test_a_match_of_other_rules_than_its_log_says_is_not_played_on(calls):
    log = bytearray(_finished("cake"))
    log[len(log) // 2] ^= 1
    calls.value("open_host", more={"kept": {}, "keep": _nothing, "tell": lambda *_: None})
    assert calls.error("play_on", bytes(log), log=BLOB, events=5, seat=0, bot=None)["detail"]
    assert calls.error("play_on", _finished("cake"), log=BLOB, events=5, seat=7)["detail"].startswith(
        "there is no seat 7"
    )
    calls.value("close_host")


def test_an_analysis_is_computed_a_decision_at_a_time(calls):
    log = _finished("cake")
    begun = calls.value("begin_analysis", log, log=BLOB)
    line = calls.value("judge_next", number=begun["number"])
    assert begun["decisions"] > 5
    assert line["seat"] in (0, 1, 2)
    assert "kifu export" in calls.value("analysed_page", number=begun["number"], lang="ja")
    calls.value("end_analysis", number=begun["number"])
    assert "begin it again" in calls.error("judge_next", number=begun["number"])["detail"]


async def _nothing(values):
    """Keep nothing."""


def _finished(game):
    found = kifu.games.find(game)
    return log_bytes(played(found, found.seats[0], found.options(), 3))
