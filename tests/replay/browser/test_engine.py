"""The engine's calls, as JavaScript makes them: JSON in, JSON or bytes out, each refusal with its rule and facts."""

import io
import json
from pathlib import Path

import kifu
import msgpack
import pytest
from kifu.core.log import log_bytes
from kifu.core.trust.raw_log import read_log
from kifu.core.wire import plain, wire_of

pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.replay.browser import matches

from .calling import BLOB, SEED, finished, nothing


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


def test_a_damaged_log_is_told_by_its_kind(calls):
    log = bytearray(log_bytes(kifu.new("cake", ["Aki", "Ren", "Mio"], seed=bytes(32))))
    log[-3] ^= 1
    found = calls.value("audit", bytes(log), log=BLOB)
    assert not found["ok"]
    (first, *_), refused = found["findings"], calls.error("load", bytes(log), log=BLOB)
    assert (refused["kind"], refused["detail"]) == (first["kind"], f"event {first['seq']}: {first['message']}")
    assert calls.error("load", b"no log", log=BLOB)["detail"].startswith("this is not a log")
    assert calls.value("audit", b"no log", log=BLOB)["game"] is None


def test_of_two_logs_the_fork_is_the_one_that_names_the_other(calls, forks):
    """However much is wrong with either."""
    record, fork, parent = forks["honest fork: a spectator's"]

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
    log = finished("cake")
    kept = {}

    async def keep(values):
        kept.update(values)
        return True

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
    calls.value("open_host", more={"kept": {}, "keep": nothing, "tell": lambda *_: None})
    yield calls
    calls.value("close_host")


def test_what_is_refused_of_a_match_does_not_keep_it_from_being_played_on(hosting):
    log = finished("cake")
    last = len(kifu.core.log.read_bytes(log).match.events)
    for events in (last, last + 1, -1):
        refused = hosting.error("play_on", log, log=BLOB, events=events, seat=0)
        assert refused["detail"].startswith((f"after {last} events the game is over", f"there are {last} events, not"))
        begun = hosting.value("play_on", log, log=BLOB, events=last - 1, seat=0)
        own = _abandoned(hosting, begun)
        assert hosting.value("play_on", own, log=BLOB, events=5, seat=0)["keys"], "the log of a match that is here"


def test_who_plays_on_from_a_log_signsnothing(hosting, forks):
    """Its players' keys are not here: a seat that had to sign could not move."""
    _, _, log = forks["honest fork: of a match that is over"]
    begun = hosting.value("play_on", log, log=BLOB, events=9, seat=0)
    seen = _asked(hosting, begun, 0, "observation")[1]
    command = {key: seen["legal"][0][key] for key in ("tag", "fields")}
    asked = {"expected_events": seen["count"], "idempotency_key": "00" * 16, **command}
    assert _asked(hosting, begun, 0, "commands", asked)[0] == 201


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


def test_a_match_of_other_rules_than_its_log_says_is_not_played_on(hosting):
    log = bytearray(whole := finished("cake"))
    log[len(log) // 2] ^= 1
    assert hosting.error("play_on", bytes(log), log=BLOB, events=5, seat=0, bot=None)["detail"]
    refused = hosting.error("play_on", whole, log=BLOB, events=5, seat=7)
    assert refused["detail"].startswith("there is no seat 7")


def test_an_analysis_is_computed_a_decision_at_a_time(calls):
    log = finished("cake")
    begun = calls.value("begin_analysis", log, log=BLOB)
    line = calls.value("judge_next", number=begun["number"])
    assert begun["decisions"] > 5
    assert line["seat"] in (0, 1, 2)
    assert "kifu export" in calls.value("analysed_page", number=begun["number"], lang="ja")
    calls.value("end_analysis", number=begun["number"])
    assert "begin it again" in calls.error("judge_next", number=begun["number"])["detail"]


@pytest.mark.parametrize("to", [-1, 0])
def test_what_is_taken_back_to_before_a_deal_is_dealt_anew(calls, to):
    facts = calls.value("new", game="cake", seats=["Aki", "Ren", "Mio"])
    number = facts["number"]
    command = calls.value("choose", number=number, seat=0, bot="easy")
    calls.value("play", number=number, seat=0, command=command)
    seen = calls.value("take_back", number=number, to=to)
    assert [each["tag"] for each in seen] == [".takeback", "deal"][: 1 - to]
    assert calls.value("facts", number=number)["to_act"] == [0]
    assert kifu.core.log.read_bytes(calls.value("save", number=number)).ok


@pytest.mark.parametrize(
    ("name", "given", "kind", "said"),
    [
        ("dance", {}, "malformed", "dance"),
        ("new", {"game": "cake"}, "malformed", "seats"),
        ("new", {"game": "cake", "seats": 3}, "malformed", "array"),
        ("new", {"game": "chess", "seats": ["a", "b"]}, "no-game", "chess"),
        ("new", {"game": "cake", "seats": ["a"]}, "not-now", "3 to 5"),
        ("new", {"game": "cake", "seats": ["a", "b", "c"], "options": {"first": 9}}, "option", "9"),
        ("facts", {"number": 77}, "not-now", "forgotten"),
        ("games", {"lang": "xx"}, "not-now", "xx"),
        ("request", {"method": "GET", "target": "/api/games", "headers": {}}, "not-now", "openHost"),
        ("take_back", {"to": -2}, "not-now", "there is no event -2 to go back to: there are 1"),
        ("take_back", {"to": 99}, "not-now", "there is no event 99 to go back to: there are 1"),
        ("take_back", {"to": 0.5}, "malformed", "take_back: to: Expected `int`, got `float`"),
        ("take_back", {"to": "NaN"}, "malformed", "take_back: to: Expected `int`, got `str`"),
        ("observe", {"at": -1}, "not-now", "there are 1 events, not -1"),
        ("choose", {"seat": 0, "bot": "nobody"}, "no-bot", "bot 'nobody': not installed"),
        ("choose", {"seat": 0, "bot": "easy", "seed": 0}, "not-now", "a seed is 64 hex digits, not 0"),
        ("new", {"game": "cake", "seats": ["a", "b", "c"], "seed": 0}, "not-now", "a seed is 64 hex digits, not 0"),
        ("new", {"game": "cake", "seats": ["a", "b", "c"], "seed": ""}, "not-now", "a seed is 64 hex digits, not ''"),
        ("load", {"log": {"$blob": 7}}, "malformed", "load: log: Expected `bytes`, got `object`"),
        ("load", {"log": {"$blob": "x"}}, "malformed", "load: log: Expected `bytes`, got `object`"),
        ("load", {"log": "aGVsbG8="}, "malformed", "load: log: Expected `bytes`, got `str`"),
        ("verify", {"record": BLOB}, "record", "no record: it has no 'kifu_record'"),
        ("diff", {"a": {"$blob": 1}, "b": {"$blob": 2}}, "malformed", "logs of different games cannot be compared"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line_and_is_no_error_of_kifu(calls, name, given, kind, said):
    number = calls.value("new", game="cake", seats=["Aki", "Ren", "Mio"], seed=SEED)["number"]
    at_a_match = {"number": number} if name in ("take_back", "observe", "choose") else {}
    refused = calls.error(name, b"x", finished("cake"), finished("gosne"), **at_a_match, **given)
    assert (refused["kind"], said in refused["detail"], "\n" in refused["detail"]) == (kind, True, False)


def test_errors_are_told_in_the_language_of_the_call(calls):
    """Whether a call says anything else in it or not."""
    number = calls.value("new", game="cake", seats=["Aki", "Ren", "Mio"], seed=SEED)["number"]
    opened = {"tag": "open", "fields": {"pile": 0}}
    told = [
        calls.error("play", number=number, seat=1, command=opened, lang="ja"),
        calls.error("take_back", number=number, to=9, lang="ja"),
        calls.error("load", b"x", log=BLOB, lang="ja"),
        calls.error("new", game="cake", seats=["a"], lang="ja"),
        calls.error("new", game="cake", seats=3, lang="ja"),
        calls.error("choose", number=number, seat=1, bot="easy", lang="ja"),
    ]
    assert [each["detail"].isascii() for each in told] == [False] * len(told)
    refused = calls.error("play", number=number, seat=1, command=opened)
    assert told[0] == {**refused, "detail": told[0]["detail"]}
    assert (refused["kind"], refused["rule"], refused["facts"] != {}) == ("rule-violation", "TURN", True)
    assert calls.value("facts", number=number)["count"] == 1, "nothing has changed"


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"target": "/api/%67ames"}, 200),
        ({"target": "/api/games", "method": "get"}, 200),
        ({"target": "/api/games", "method": "HEAD"}, 200),
        ({"target": "/api/\u3042?x=\u3042#\u3042"}, 404),
        ({"target": "//api/games"}, 404),
    ],
)
def test_a_request_is_answered_as_by_a_server(hosting, asked, status):
    said, headers, body = hosting.value("request", **{"method": "GET", "headers": {}, **asked})
    assert (said, headers["content-length"] != "0") == (status, True)
    assert (body == "") == (asked.get("method") == "HEAD")


@pytest.mark.parametrize("name", ["request", "watch"])
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"target": "api/games"}, "'api/games' is not a path"),
        ({"target": "http://x/api/games"}, "'http://x/api/games' is not a path"),
        ({"target": "/\ud800"}, "'/\\ud800' is not a path"),
        ({"target": ""}, "'' is not a path"),
        ({"headers": {"x": "\u3042"}}, "'x' with '\\u3042' is not a header"),
        ({"headers": {"x": "a\nb"}}, "'x' with 'a\\nb' is not a header"),
        ({"headers": {"x y": "a"}}, "'x y' with 'a' is not a header"),
    ],
)
def test_a_request_that_no_client_can_send_is_refused_in_one_line(hosting, name, asked, said):
    given = {"target": "/api/games", "headers": {}, **({"method": "GET"} if name == "request" else {"number": 1})}
    refused = hosting.error(name, **given | asked)
    assert (refused["kind"], refused["detail"].startswith(said)) == ("malformed", True)


def test_what_a_browser_does_not_keep_is_tried_again_and_nobody_is_kept_from_playing(calls):
    disk, isfull = {}, [True]

    async def keep(values):
        if not isfull[0]:
            disk.update(values)
        return not isfull[0]

    calls.value("open_host", more={"kept": {}, "keep": keep, "tell": lambda *_: None})
    begun = calls.value("play_on", finished("cake"), log=BLOB, events=5, seat=1)
    target = f"/api/matches/{begun['match']}"
    assert calls.value("request", method="GET", target=target, headers={})[0] == 200
    assert disk == {}
    isfull[0] = False
    calls.value("request", method="GET", target=target, headers={})
    assert [*disk] == [begun["match"]], "at the next chance"
    calls.value("close_host")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_mistake_of_a_game_is_one_line_and_the_console_has_the_whole(lang, calls, caplog, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("a mistake\nof two lines")

    monkeypatch.setattr(matches, "new", broken)
    refused = calls.error("new", game="cake", seats=["Aki", "Ren", "Mio"], lang=lang)
    assert refused["kind"] == "internal"
    assert "ZeroDivisionError: a mistake" in refused["detail"]
    assert "\n" not in refused["detail"]
    assert "Traceback" not in refused["detail"]
    assert "Traceback" in caplog.text


def test_a_log_that_was_cut_before_a_deal_is_dealt_and_goes_on(calls):
    raw = (Path(__file__).parents[3] / "fixtures" / "take_and_share" / "long_game_of_three.log").read_bytes()
    objects = msgpack.Unpacker(io.BytesIO(raw))
    for _ in range(1 + 61):  # the header, and the events of the first round
        objects.skip()
    facts = calls.value("load", raw[: objects.tell()], log=BLOB)
    assert (facts["count"], facts["to_act"], facts["status"]) == (61, [-1], "going"), "the table is to act"
    dealt = calls.value("deal", number=facts["number"])
    assert [each["seq"] for each in dealt] == [61]
    assert calls.value("facts", number=facts["number"])["to_act"]
    assert calls.value("deal", number=facts["number"]) == [], "nothing is due"


def test_a_log_and_its_json_form_are_loaded_and_saved_as_they_were(calls):
    number = calls.value("load", log := finished("cake"), log=BLOB)["number"]
    assert calls.value("save", number=number) == log
    text = calls.value("json", number=number)
    again = calls.value("load", text.encode(), log=BLOB)["number"]
    assert calls.value("save", number=again) == log


def test_a_seat_s_commands_come_in_parts_and_a_command_is_checked_without_being_played(calls):
    facts = calls.value("new", game="mabr", seats=["Aki", "Ren"], seed=SEED)
    number, (seat,) = facts["number"], facts["to_act"]
    whole = calls.value("legal", number=number, seat=seat, limit=9999, texts=False)
    assert "text" not in whole[0]
    assert len(calls.value("legal", number=number, seat=seat)) == matches.PAGE < len(whole) == matches.LONGEST_PAGE
    first = calls.value("observe", number=number, seat=seat)
    assert (len(first["legal"]), first["open_ended"]) == (matches.PAGE, True)
    assert calls.value("legal", number=number, seat=seat, start=200, limit=1, texts=False)[0] not in whole
    assert len(calls.value("observe", number=number, seat=seat, limit=9999)["legal"]) == len(whole)
    part = calls.value("legal", number=number, seat=seat, start=3, limit=2)
    assert calls.value("observe", number=number, seat=seat, limit=5)["legal"][3:] == part
    assert calls.value("observe", number=number, seat=seat, limit=0)["legal"] == []
    assert [each["fields"] for each in part] == [each["fields"] for each in whole[3:5]]
    assert calls.value("legal", number=number, seat=1 - seat) == []
    command = {key: whole[0][key] for key in ("tag", "fields")}
    assert calls.value("check", number=number, seat=seat, command=command) is None
    assert calls.error("check", number=number, seat=1 - seat, command=command)["rule"] == "TURN"
    assert calls.value("facts", number=number) == facts
    assert [each["tag"] for each in calls.value("events", number=number)] == ["deal"]
