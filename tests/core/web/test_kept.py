"""What was made once is kept in so many bytes, whoever asks for however much."""

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")


def test_the_least_recently_used_go_where_there_is_no_room():
    from kifu.core.web.context import Kept

    kept, made = Kept[bytes](10), []
    for key in "abc":
        kept.put(key, b"1234", 4)
        assert kept.get("a") in (b"1234", None)
    assert [key for key in "abc" if kept.get(key)] == ["a", "c"]
    kept.put("d", bytes(11), 11)
    assert (kept.get("d"), kept.total_bytes) == (None, 0), "what is larger than all room is not kept"
    for _ in range(2):
        assert kept.made("a", lambda: made.append(1) or b"x", len) == b"x"
    assert (len(made), kept.total_bytes) == (1, 1)


def test_pages_of_matches_are_kept_in_so_many_bytes(make_client, open_table, monkeypatch):
    from kifu.core.web import context

    monkeypatch.setattr(context, "MADE_BYTES", 100_000)
    client = make_client()
    for _ in range(3):
        table = open_table(at=client)
        client.app.state.context.host.force_abandon(table.match)
        assert len(table.get("/page").content) > 50_000
        assert table.get("/scores").status_code == 200
    assert 0 < client.app.state.context.made.total_bytes <= 100_000
