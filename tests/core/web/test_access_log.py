"""What the access log says of a client."""

import json
import re

import pytest

from .conftest import bearer


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


def test_an_error_behind_another_is_logged_with_its_own_place(caplog):
    from kifu.core.web.access_log import failure

    error = ZeroDivisionError()
    with pytest.raises(ValueError, match="invalid") as other:
        int("x")
    error.__context__ = other.value
    failure("it fails", error)
    assert caplog.records[-1].kifu["where"] == []
