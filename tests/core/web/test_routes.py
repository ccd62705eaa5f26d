"""Every route, with good and bad requests."""

import json
import threading
from collections import Counter
from urllib.parse import quote

import pytest
from kifu import games
from kifu.core.host import Host
from kifu.core.log import read_bytes
from kifu.core.stores import MemoryStore
from kifu.core.text.texts import Texts

from ..host.conftest import FIRST
from ..wire.test_option_doors import EVERY_TYPE
from .conftest import NAMES, bearer
from .streams import Stream

GAMES = games.names()


def problem(response, status: int, kind: str) -> dict:
    """Return the body of a problem response of this status and kind."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["type"] == f"urn:kifu:problem:{kind}"
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    return body


@pytest.mark.parametrize("named", ["evil.py", "./evil.py", "evil:GAME", "evil", "."])
def test_a_request_loads_no_file(client, tmp_path, monkeypatch, capsys, named):
    """A game by its file is for who starts a program, not for who asks it."""
    (tmp_path / "evil.py").write_text("print('loaded')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    problem(client.post("/api/matches", json={"game": named, "seats": [{}, {}]}), 404, "no-game")
    assert client.get(f"/api/games/{quote(named, safe='')}/lesson").status_code == 404
    assert "loaded" not in capsys.readouterr().out


def test_a_game_whose_code_fails_is_the_servers_fault_and_its_log_says_where(make_client, caplog):
    def failing(state, seat):
        raise IndexError("mine")

    game = games.find("cake").altered(legal=failing)
    host = Host(MemoryStore(), find=lambda _: game)
    opened = host.open("cake", ["Aki", "Ren", "Mio"])
    client = make_client(host)
    problem(client.get(f"/api/matches/{opened.match}/observation", headers=bearer(opened.keys[0])), 500, "internal")
    assert caplog.records[-1].kifu["where"][-1].endswith(" failing")


def test_the_games_have_all_that_a_form_to_open_one_needs(client):
    body = client.get("/api/games").json()
    assert [each["game"] for each in body["games"]] == GAMES
    assert body["bots"] == ["first"]
    palace = next(each for each in body["games"] if each["game"] == "palace")
    assert palace["seats"] == [3, 4, 5, 6]
    options = {each["name"]: each for each in palace["options"]}
    assert (options["open_colour"]["kind"], options["open_colour"]["choices"]) == ("choice", ["seen", "table"])
    assert (options["first"]["kind"], options["first"]["default"]) == ("seat", 0)
    assert palace["rules"]["PAL-5"]
    japanese = client.get("/api/games", headers={"Accept-Language": "ja"}).json()
    assert japanese["games"][0]["title"] != body["games"][0]["title"]


def test_an_option_that_is_a_map_is_typed_as_on_the_command_line_or_given_with_texts_as_keys(client, open_table):
    listed = client.get("/api/games").json()["games"]
    body = {each["game"]: {option["name"]: option for option in each["options"]} for each in listed}
    chestnuts = body["gosne"]["chestnuts"]
    assert (chestnuts["kind"], chestnuts["default"], chestnuts["typed"]) == ("typed", [], "")
    assert [(name, each["suggested"]) for name, each in body["gosne"].items() if "suggested" in each] == [("hands", 4)]
    for given in ("0:2,14:5", {"0": 2, "14": 5}):
        table = open_table("gosne", 4, options={"chestnuts": given, "dealer": 3})
        assert table.get().json()["options"]["chestnuts"] == [[0, 2], [14, 5]]
    assert table.observe(0)["view"]["options"]["chestnuts"] == [[0, 2], [14, 5]]


def test_options_of_other_games_are_described_by_their_types():
    from kifu.core.web.games import option_responses

    kinds = {each.name: each.kind for each in option_responses(EVERY_TYPE, Texts("en"))}
    typed = ("limit", "rows", "pair", "turn", "by_number", "by_way", "by_turn")
    others = {"flag": "bool", "while": "bool", "number": "int", "name": "text"}
    assert kinds == others | dict.fromkeys(typed, "typed") | dict.fromkeys(("size", "way", "either"), "choice")


@pytest.mark.parametrize("name", GAMES)
def test_a_match_of_every_game_is_played_to_its_end(open_table, name):
    table = open_table(name, games.find(name).seats[0])
    table.play_on(most=600)
    observation = table.observe(0)
    assert observation["status"] == "over"
    assert observation["result"]["winners"]
    assert observation["legal"] == []
    raw = table.get("/log")
    assert raw.headers["content-type"] == "application/octet-stream"
    reading = read_bytes(raw.content)
    assert reading.problem() is None
    assert list(reading.match.result.points) == observation["result"]["points"]
    assert reading.match.header.seats == tuple(NAMES[: len(observation["result"]["points"])])
    scores = table.get("/scores").json()
    assert all(len(row["values"]) == len(observation["result"]["points"]) for row in scores["rows"])


CAKE = {"game": "cake", "seats": [{}] * 3}
GOSNE = '{"game": "gosne", "seats": [{}, {}, {}, {}], "options": {%s}}'
COMMAND = {"tag": "play", "fields": {"card": 1}, "expected_events": 1, "idempotency_key": "ab" * 8}
TWICE = '{"tag": "pass", "fields": {}, "fields": {}, "expected_events": 1, "idempotency_key": "%s"}' % ("ab" * 8)
NO_MAPS = [{"15": 1}, {"x": 1}, {"03": 1}, {"3": "x"}, {"9" * 5000: 1}, [[3, 1], [2, 1]], [0], None]
BODIES = ["", "{", b"\xff\xfe", '"' + "a" * 60_000, "[" * 60_000, TWICE, "NaN", "1e999"]
MALFORMED = (400, "malformed")
OPENINGS = [
    ({"game": "go", "seats": [{}]}, 404, "no-game", "そのゲームはここにありません"),
    ({**CAKE, "options": {"x": 1}}, 422, "option", "その名前のものはない"),
    ({**CAKE, "options": {"first": "x"}}, 422, "option", "'first'：'x'は整数ではない"),
    ({**CAKE, "options": {"first": 9}}, 422, "option", "席は0~2で、9ではない"),
    ({**CAKE, "seats": [{}]}, 409, "not-now", "cakeの席は3~5で、1ではない"),
    ({**CAKE, "seats": [{"name": " "}] * 3}, 409, "not-now", "名前は1~64文字"),
    ({**CAKE, "seats": [{"bot": "nobody"}] * 3}, 409, "not-now", "ボット'nobody'はいない。いるもの"),
    ({**CAKE, "seats": [{"name": "x" * 65}] * 3}, *MALFORMED, "Expected `str` of length <= 64"),
    ({**CAKE, "seats": [{}] * 17}, *MALFORMED, "Expected `array` of length <= 16 - at `$.seats`"),
    ({**CAKE, "more": 1}, *MALFORMED, "Object contains unknown field `more`"),
    ({"seats": [{}]}, *MALFORMED, "Object missing required field `game`"),
    ({**CAKE, "turn_limit_ms": 5}, *MALFORMED, "Expected `int` >= 1000 - at `$.turn_limit_ms`"),
    ([], *MALFORMED, "本文が定めの形ではない：Expected `object`, got `array`"),
    ("{", *MALFORMED, "Input data was truncated"),
    (GOSNE % '"dealer": 1, "dealer": 3', *MALFORMED, "本文に'dealer'が二度ある"),
    (GOSNE % '"chestnuts": {"1": 2, "1": 3}', *MALFORMED, "本文に'1'が二度ある"),
    ("x", *MALFORMED, "JSON is malformed: invalid character (byte 0)"),
    *((GOSNE % f'"chestnuts": {json.dumps(each)}', 422, "option", "chestnuts") for each in NO_MAPS),
]
OF_A_MATCH = [
    ("POST", "/proposals", {"kind": "take_back", "target": 0}, 409, "not-now", "まだ始まっていない：空席がある"),
    ("POST", "/proposals/x", {"accept": True}, *MALFORMED, ""),
    *(("POST", "/commands", each, *MALFORMED, "") for each in BODIES),
    *(
        ("POST", "/commands", {**COMMAND, "idempotency_key": each}, *MALFORMED, "")
        for each in ("a" * 17, "a" * 14, "a" * 66, "A" * 16, "", "g" * 16)
    ),
    ("GET", "/history?since=x", None, *MALFORMED, "定めの形ではない：Expected `int`, got `str` - at `$.since`"),
    ("GET", "/history?since=1&since=1", None, *MALFORMED, "問い合わせの名前は一度ずつ"),
    *(
        ("GET", f"/history?{each}", None, *MALFORMED, "")
        for each in ("since=-1", "since=1&since=2", "sinze=1", "since=", "limit=0", "limit=201")
    ),
]


def refused(client, method, path, body, status, kind, detail, **headers) -> None:
    """Check that a request is refused, in Japanese, and in English where that is accepted."""
    content = body if isinstance(body, str | bytes) else json.dumps(body)
    headers |= {"Content-Type": "application/json", "Accept-Language": "ja"}
    response = client.request(method, path, content=content, headers=headers)
    assert response.headers["content-language"] == "ja"
    assert detail in problem(response, status, kind)["detail"]
    assert len(response.json()["detail"]) < 400
    english = client.request(method, path, content=content, headers={**headers, "Accept-Language": "en"})
    assert english.json()["detail"].isascii()


def test_what_cannot_be_read_or_done_is_refused_in_the_accepted_language(client, open_table):
    for body, status, kind, detail in OPENINGS:
        refused(client, "POST", "/api/matches", body, status, kind, detail)
    table = open_table(requested=[{"name": "Aki"}, {}, {}])
    for method, path, *refusal in OF_A_MATCH:
        refused(client, method, f"/api/matches/{table.match}{path}", *refusal, **bearer(table.keys[0]))


def test_seats_are_joined_and_the_last_one_begins_the_match(client, open_table):
    table = open_table(requested=[{"name": "Aki"}, {}, {}], public=True)
    assert table.get().json()["status"] == "open"
    assert table.observe(0)["scene"] is None
    assert table.get("/history?since=0", 0).json() == {"events": [], "count": 0, "has_more": False}
    first = table.post("/seats", None, {"name": "Ren", "seat": 2}).json()
    assert (first["seat"], first["begun"]) == (2, False)
    problem(table.post("/seats", None, {"name": "Zoe", "seat": 2}), 409, "not-now")
    last = table.post("/seats", None, {"name": "Mio"}).json()
    assert (last["seat"], last["begun"]) == (1, True)
    about = table.get().json()
    assert [each["name"] for each in about["seats"]] == ["Aki", "Mio", "Ren"]
    problem(table.post("/seats", None, {"name": "Zoe"}), 409, "not-now")
    observation = client.get(f"/api/matches/{table.match}/observation", headers=bearer(last["key"])).json()
    assert observation["seat"] == 1


def test_the_opener_removes_a_player(client):
    seats = [{"name": "Aki"}, {}, {}]
    opened = client.post("/api/matches", json={"game": "cake", "seats": seats}).json()
    path, opener = f"/api/matches/{opened['match']}/seats", bearer(opened["opener_key"])
    client.post(path, json={"name": "Zoe"})
    problem(client.delete(f"{path}/1"), 401, "key-refused")
    problem(client.delete(f"{path}/1", headers=bearer(opened["keys"][0]["key"])), 401, "key-refused")
    assert "a seat" in problem(client.delete(f"{path}/x", headers=opener), 400, "malformed")["detail"]
    problem(client.delete(f"{path}/2", headers=opener), 409, "not-now")
    about = client.delete(f"{path}/1", headers=opener).json()
    assert [each["name"] for each in about["seats"]] == ["Aki", None, None]


def test_the_lobby_lists_public_matches_only(client, open_table):
    hidden, shown = open_table(), open_table("cake", public=True)
    listed = [each["match"] for each in client.get("/api/matches").json()["matches"]]
    assert listed == [shown.match]
    assert client.get("/api/matches?game=palace").json()["matches"] == []
    assert client.get("/api/matches?status=going&limit=1").json()["matches"][0]["match"] == shown.match
    assert hidden.match not in json.dumps(listed)


def test_an_observation_shows_a_seat_its_own_cards_and_its_legal_commands(open_table):
    table = open_table()
    observation = table.observe(0)
    assert (observation["seat"], observation["count"], observation["to_act"], observation["status"]) == (
        0,
        1,
        [0],
        "going",
    )
    assert observation["labels"]["zone-hand"] == "hand"
    assert len(observation["legal"]) == len(observation["view"]["hands"][0])
    assert observation["legal"][0]["parts"] == [["card", observation["legal"][0]["fields"]["card"]]]
    assert observation["legal"][0]["text"].startswith("play a card: ")
    other = table.observe(1)
    assert other["view"]["hands"][0] is None
    assert other["legal"] == []
    assert table.observe()["seat"] is None
    assert table.get("/observation", 0, headers={"Accept-Language": "ja"}).json()["labels"]["zone-hand"] == "手札"


def test_the_history_is_returned_from_any_event_on(open_table):
    table = open_table()
    table.play()
    table.play()
    body = table.get("/history", 0).json()
    assert [each["seq"] for each in body["events"]] == [0, 1, 2]
    assert body["count"] == 3
    assert body["events"][1]["notes"][0] == {
        "text": [0, body["events"][1]["notes"][0]["text"][1]],
        "rule": "TS-2",
        "begins": "trick",
        "number": None,
    }
    assert body["events"][0]["redacted"] is True
    later = table.get("/history?since=2", 0).json()
    assert later["events"] == body["events"][2:]
    assert table.get("/history?since=3").json() == {"events": [], "count": 3, "has_more": False}
    problem(table.get("/history?since=4"), 409, "rewound")
    table.play()
    assert [each["seq"] for each in table.get("/history?since=3").json()["events"]] == [3]


def test_a_long_history_is_returned_page_by_page_and_once_it_has_ended_without_waiting(open_table):
    table = open_table("gosne", 4)
    table.play_on()
    whole, paged, page = table.get("/history", 1).json(), [], {"count": 0, "has_more": True}
    while page["has_more"]:
        page = table.get(f"/history?since={page['count']}&limit=3", 1).json()
        assert len(page["events"]) == min(3, whole["count"] - len(paged))
        paged += page["events"]
    assert paged == whole["events"]
    assert (whole["has_more"], len(paged)) == (False, whole["count"])
    assert table.get(f"/history?since={whole['count']}&wait_ms=50000", 0).json()["events"] == []


def test_a_broken_rule_is_named_with_its_facts_in_both_languages(open_table):
    table = open_table()
    table.play(0)
    observation = table.observe(1)
    mine, led = observation["view"]["hands"][1], observation["view"]["trick"][0]
    wrong = next((card for card in mine if card // 100 != led // 100), None)
    assert any(card // 100 == led // 100 for card in mine)
    command = table.submission({"tag": "play", "fields": {"card": wrong}}, 2)
    body = problem(table.post("/commands", 1, command), 422, "rule-violation")
    assert body["rule"] == "TS-3"
    assert body["facts"]["card"] == wrong
    assert body["detail"].startswith("You hold ")
    japanese = problem(
        table.post("/commands", 1, command, headers={"Accept-Language": "ja,en;q=0.5"}), 422, "rule-violation"
    )
    assert japanese["title"] == "ルールで禁じられています。"
    assert japanese["detail"] != body["detail"]


def test_keys_that_are_wrong_missing_or_of_another_match_open_nothing(open_table):
    table, other = open_table(), open_table()
    command = table.submission({"tag": "play", "fields": {"card": 5}}, 1)
    for key in ("x" * 43, other.keys[0], table.keys[0][:-1], ""):
        for response in (
            table.get("/observation", headers={"Authorization": f"Bearer {key}"}),
            table.get("/history", headers={"Authorization": f"Bearer {key}"}),
            table.post("/commands", None, command, headers={"Authorization": f"Bearer {key}"}),
        ):
            body = problem(response, 401, "key-refused")
            assert response.headers["www-authenticate"] == "Bearer"
            assert not key or key not in json.dumps(body)
    for scheme in ("Basic abc", "Bearer", "nonsense"):
        problem(table.get("/observation", headers={"Authorization": scheme}), 401, "key-refused")
    problem(table.post("/commands", None, command), 401, "key-refused")
    problem(table.post("/proposals", None, {"kind": "abandon"}), 401, "key-refused")


def test_the_key_of_another_seat_cannot_act_for_the_one_in_turn(open_table):
    table = open_table()
    card = table.observe(0)["view"]["hands"][0][0]
    body = problem(
        table.post("/commands", 1, table.submission({"tag": "play", "fields": {"card": card}}, 1)),
        422,
        "rule-violation",
    )
    assert body["rule"] == "TURN"
    assert table.observe()["count"] == 1


def test_the_same_submission_again_returns_the_first_receipt_and_changes_nothing(open_table):
    table = open_table()
    first = table.play(0, idempotency_key="ab" * 16)
    legal = table.observe(1)["legal"][0]
    again = table.post("/commands", 0, {**json.loads(first.request.content)})
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert table.observe()["count"] == 2
    reordered = table.submission(legal, 1)
    body = problem(table.post("/commands", 1, reordered), 409, "conflict")
    assert body["count"] == 2
    assert [each["seq"] for each in body["meanwhile"]] == [1]
    assert body["meanwhile"] == table.get("/history?since=1", 1).json()["events"]
    future = {**reordered, "expected_events": 7}
    problem(table.post("/commands", 1, future), 409, "rewound")
    for kind in ("take_back", "fork"):
        problem(table.post("/proposals", 1, {"kind": kind, "target": 99}), 409, "rewound")


def test_proposals_are_made_rejected_and_accepted(open_table):
    table = open_table()
    proposal = table.post("/proposals", 0, {"kind": "abandon"})
    assert proposal.status_code == 201
    assert (proposal.json()["status"], proposal.json()["waiting_for"]) == ("pending", [1, 2])
    number = proposal.json()["number"]
    assert table.observe(1)["proposals"][0]["number"] == number
    assert table.post(f"/proposals/{number}", 1, {"accept": False}).json()["status"] == "rejected"
    number = table.post("/proposals", 2, {"kind": "abandon"}).json()["number"]
    for seat in (0, 1):
        body = table.post(f"/proposals/{number}", seat, {"accept": True}).json()
    assert body["status"] == "accepted"
    assert table.get().json()["status"] == "abandoned"
    problem(table.post("/proposals", 0, {"kind": "abandon"}), 409, "not-now")
    problem(table.post("/proposals/999", 0, {"accept": True}), 409, "not-now")


def test_a_move_is_taken_back_by_consent_and_a_match_forked_when_it_is_over(open_table):
    table = open_table("cake")
    table.play()
    first = table.get("/history").json()["events"][-1]["seat"]
    assert table.post("/proposals", first, {"kind": "take_back", "target": 0}).status_code in (201, 409)
    table.play_on()
    fork = table.post("/proposals", 0, {"kind": "fork", "target": 5}).json()
    assert fork["status"] == "accepted"
    assert table.client.get(f"/api/matches/{fork['fork']}").json()["status"] == "going"


def test_a_log_is_secret_until_the_end(open_table):
    table = open_table()
    for seat in (None, 0):
        problem(table.get("/log", seat), 409, "not-now")
        problem(table.get("/scores", seat), 409, "not-now")


def test_deep_and_giant_values_in_a_command_are_refused_as_malformed_commands(open_table):
    table = open_table()
    for value in (10**400, -1, 1.5, "x" * 1000, {"a": 1}, None, True):
        command = table.submission({"tag": "play", "fields": {"card": value}}, 1)
        assert table.post("/commands", 0, command).status_code in (400, 422)
    for tag in ("", ".takeback", "deal", "\x00", "x" * 64):
        command = table.submission({"tag": tag, "fields": {}}, 1)
        assert table.post("/commands", 0, command).status_code == 422
    assert table.observe()["count"] == 1


def test_bodies_are_limited_and_must_be_json(client, monkeypatch):
    monkeypatch.setattr("kifu.core.web.http_codec.MAX_BODY_BYTES", 1000)
    big = json.dumps({"game": "cake", "seats": [{"name": "x" * 2000}]})
    headers = {"Content-Type": "application/json"}
    problem(client.post("/api/matches", content=big, headers=headers), 413, "too-large")
    pieces = iter([b" " * 600] * 100)
    problem(client.post("/api/matches", content=pieces, headers=headers), 413, "too-large")
    problem(client.post("/api/matches", content="game=cake"), 415, "not-json")


def test_a_long_query_is_not_taken_apart(open_table, monkeypatch):
    from starlette.requests import Request

    monkeypatch.setattr(Request, "query_params", property(lambda _: pytest.fail("it is")))
    response = open_table("mabr", 2).client.get("/api/matches?" + "&".join(f"a{each}=1" for each in range(200)))
    assert (response.status_code, response.json()["detail"]) == (400, "a query has at most 1000 bytes")


def test_what_is_not_there_is_a_problem(client):
    problem(client.get("/api/matches/none"), 404, "no-match")
    problem(client.get("/api/matches/..%2f..%2fetc"), 404, "no-such-page")
    problem(client.get("/nothing"), 404, "no-such-page")
    response = client.put("/api/matches")
    problem(response, 405, "wrong-method")
    assert set(response.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


def test_responses_are_asked_for_again_by_their_tag_and_name_their_language(client):
    for lang, expected in (("ja", "ja"), ("fr, ja;q=0.3", "ja"), ("de", "en"), ("", "en"), ("ja;q=x", "en")):
        response = client.get("/api/games", headers={"Accept-Language": lang})
        assert response.headers["content-language"] == expected
        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["x-content-type-options"] == "nosniff"


def test_other_sites_may_use_the_api_and_read_problems_only_where_they_are_named(make_client):
    origin = {"Origin": "https://play.example"}
    assert "access-control-allow-origin" not in make_client().get("/api/games", headers=origin).headers
    client = make_client(origins=["https://play.example"])
    for path in ("/api/games", "/api/matches/none", "/nothing"):
        shared = client.get(path, headers=origin)
        assert shared.status_code == (200 if path == "/api/games" else 404)
        assert shared.headers["access-control-allow-origin"] == "https://play.example"
    preflight = {**origin, "Access-Control-Request-Headers": "Authorization"}
    for method, path in (("POST", "/api/matches"), ("DELETE", "/api/matches/m/seats/1")):
        headers = {**preflight, "Access-Control-Request-Method": method}
        assert client.options(path, headers=headers).status_code == 200
    stranger = client.get("/api/games", headers={"Origin": "https://other.example"})
    assert "access-control-allow-origin" not in stranger.headers


def test_what_other_sites_ask_before_a_request_is_checked_and_charged_as_one(make_client):
    from kifu.core.web import Limits

    asked = {"Origin": "https://play.example", "Access-Control-Request-Method": "POST"}
    limits = Limits(processor_share=1e-6, processor_burst_s=0.005)
    client = make_client(origins=["https://play.example"], hosts=["testserver"], limits=limits)
    problem(client.options("/api/matches", headers={**asked, "Host": "rebound.example"}), 421, "wrong-host")
    assert client.options("/api/matches", headers=asked).status_code == 200
    answers = (client.options("/api/matches", headers=asked) for _ in range(300))
    problem(next(each for each in answers if not each.is_success), 429, "too-many")


def test_metrics_name_routes_and_no_match(client, open_table):
    table = open_table()
    table.play()
    text = client.get("/metrics").text
    assert 'kifu_requests_total{method="POST",route="/api/matches/{match}/commands",status="201"} 1.0' in text
    assert table.match not in text


def test_the_app_can_be_mounted_into_another(make_client):
    from starlette.applications import Starlette
    from starlette.routing import Mount
    from starlette.testclient import TestClient

    outer = TestClient(Starlette(routes=[Mount("/tables", app=make_client().app)]))
    opened = outer.post("/tables/api/matches", json={"game": "cake", "seats": [{"name": name} for name in NAMES[:3]]})
    match = opened.json()["match"]
    assert outer.get(f"/tables/api/matches/{match}").json()["status"] == "going"
    assert outer.get("/tables/").status_code == 200
    assert outer.get("/tables/openapi.json").json()["servers"] == [{"url": "/tables"}]
    with Stream(outer, f"/tables/api/matches/{match}/events") as watcher:
        assert watcher.receive_json()["about"]["match"] == match


def test_history_waits_for_an_event(open_table):
    table = open_table()
    now = table.get("/history?since=0", 0).json()["count"]
    assert table.get(f"/history?since={now}&wait_ms=30", 0).json() == {"events": [], "count": now, "has_more": False}
    waiting = threading.Thread(target=table.play)
    waiting.start()
    assert len(table.get(f"/history?since={now}&wait_ms=50000", 0).json()["events"]) == 1
    waiting.join()


def test_commands_have_texts_with_names_and_many_when_they_are_asked_for(open_table):
    table = open_table()
    table.play_on(3)
    observation = table.observe(table.observe()["to_act"][0])
    assert [each["tag"] for each in observation["legal"]] == ["share"] * 6
    assert all(name in observation["legal"][0]["text"] for name in ("to Aki", "to Mio"))
    table = open_table("palace")
    while len((observed := table.observe(min(table.observe()["to_act"])))["legal"]) <= 64:
        table.play()
    counts = Counter(each["tag"] for each in observed["legal"])
    assert all(("text" in each) == (counts[each["tag"]] <= 64) for each in observed["legal"])
    full = table.get("/observation?texts=true", observed["seat"]).json()["legal"]
    assert all(each["text"] for each in full)
    assert len(full) == len(observed["legal"])


def test_bots_need_not_wait(make_client):
    host = Host(MemoryStore(), clock=lambda: 1_000_000, bots=FIRST)
    client = make_client(host)
    seats = [{"bot": "first"}] * 3
    opened = client.post("/api/matches", json={"game": "cake", "seats": seats, "bot_delay_ms": 0}).json()
    host.run_due()
    assert client.get(f"/api/matches/{opened['match']}/history").json()["count"] > 2
    assert client.post("/api/matches", json={"game": "cake", "seats": seats, "bot_delay_ms": -1}).status_code == 400
