"""The limits of one client, and what the access log says of it."""

import json
import re

import pytest

from .conftest import bearer

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[webtest]")


def test_a_client_has_its_burst_and_then_its_rate():
    from kifu.core.web.limits.rate_limits import RateLimiter

    now = [0.0]
    limiter = RateLimiter(2.0, 3, clock=lambda: now[0])
    assert [limiter.acquire("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert limiter.acquire("b") == 0
    now[0] = 0.5
    assert [limiter.acquire("a") for _ in range(2)] == [0, 0.5]
    now[0] = 100
    assert [limiter.acquire("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_clients_whose_bucket_is_full_are_dropped(monkeypatch):
    from kifu.core.web.limits import rate_limits

    monkeypatch.setattr(rate_limits, "MAX_CLIENTS", 100)
    now = [0.0]
    limiter = rate_limits.RateLimiter(1.0, 2, clock=lambda: now[0])
    for client in range(100):
        limiter.acquire(str(client))
    now[0] = 10
    limiter.acquire("new")
    assert len(limiter._left) == 1


@pytest.mark.parametrize(
    ("address", "client"),
    [
        (("203.0.113.7", 5), "203.0.113.7"),
        (("2001:db8:1:2:3:4:5:6", 5), "2001:db8:1:2::/64"),
        (("::ffff:203.0.113.7", 5), "203.0.113.7"),
        (("a-key-as-an-address", 5), "nobody"),
        (None, "nobody"),
    ],
)
def test_a_client_is_an_address_or_a_network_of_64_bits(address, client):
    from kifu.core.web.limits.rate_limits import client_of

    assert client_of(address) == client


def test_too_many_requests_are_refused_with_a_time_to_retry(make_client):
    from kifu.core.web import Limits

    client = make_client(limits=Limits(requests_per_s=0.01, request_burst=3))
    responses = [client.get("/api/games") for _ in range(4)]
    assert [each.status_code for each in responses] == [200, 200, 200, 429]
    assert 1 <= int(responses[-1].headers["retry-after"]) <= 101
    assert responses[-1].json()["type"] == "urn:kifu:problem:too-many"


def test_opening_matches_has_a_limit_of_its_own(make_client):
    from kifu.core.web import Limits

    client = make_client(limits=Limits(opens_per_s=0.01, open_burst=2))
    body = {"game": "cake", "seats": [{"name": each} for each in "abc"]}
    assert [client.post("/api/matches", json=body).status_code for _ in range(3)] == [201, 201, 429]
    assert client.get("/api/games").status_code == 200


def test_a_watcher_counts_as_a_request(make_client, open_table):
    from kifu.core.web import Limits
    from starlette.testclient import WebSocketDenialResponse

    client = make_client(limits=Limits(requests_per_s=0.01, request_burst=2))
    table = open_table(at=client)
    path = f"/api/matches/{table.match}/watch"
    with client.websocket_connect(path) as socket:
        socket.send_text("{}")
        assert "about" in socket.receive_json()
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(path):
        pass
    assert denied.value.status_code == 429
    assert int(denied.value.headers["retry-after"]) >= 1


def test_the_access_log_holds_no_key_no_body_and_no_foreign_address(open_table, access_log):
    table = open_table(public=True)
    table.play(0)
    key = table.keys[0]
    table.client.get(f"/api/matches/{key}/observation", headers=bearer(key))
    table.client.get(f"/api/matches/{table.match}/observation?events={key}", headers=bearer(key))
    table.client.get(f"/{key}")
    table.client.get(f"/api/matches/{key}/observation", headers={"Authorization": "Basic x"})
    table.client.post(f"/api/matches/{key}/commands", content="{}", headers=bearer(key))
    table.client.post(f"/api/matches/{key}/commands", json={"tag": "x" * 70_000}, headers=bearer(key))
    table.post(
        "/commands", 0, {"tag": "play", "fields": {"card": 409}, "expected_events": 2, "idempotency_key": "ab" * 16}
    )
    table.get("/observation", headers={"Authorization": f"Bearer {key[:-1]}x"})
    whole = json.dumps(access_log)
    assert key not in whole
    assert key[:-1] not in whole
    assert "ab" * 16 not in whole
    assert "409" not in re.sub(r'"(at|ms|status)": [^,}]+', "", whole)
    assert {line["event"] for line in access_log} == {"request"}
    submitted = next(line for line in access_log if line["route"].endswith("/commands"))
    assert (submitted["method"], submitted["status"], submitted["match"]) == ("POST", 201, table.match)
    assert [line["problem"] for line in access_log if "problem" in line][-1] == "key-refused"


def test_an_internal_error_reveals_nothing_more(make_client, open_table, access_log, monkeypatch):
    client = make_client()
    table = open_table(at=client)
    host = client.app.state.context.host
    monkeypatch.setattr(host, "observe", lambda *args: 1 / int("0 the secret ♠9".partition(" ")[0]))
    response = table.get("/observation", 0)
    assert response.status_code == 500
    assert response.json()["detail"] == "Server error."
    failure = next(line for line in access_log if line["level"] == "error")
    assert failure["error"] == "ZeroDivisionError"
    assert any("routes.py" in frame for frame in failure["where"])
    assert table.keys[0] not in json.dumps(access_log)
