"""`replay export`: the page and the data of a log, written where nothing is lost by it."""

import json

import pytest
from kifu.core.page import everyone, export, page
from kifu.core.text.texts import Texts


@pytest.mark.ci
def test_a_page_is_written_and_reported_in_one_line(replay, log, match, tmp_path) -> None:
    called = replay("export", log, "-o", tmp_path / "match.html", exits=0)
    written = (tmp_path / "match.html").read_text("utf-8")
    assert written == page(match)
    size = -(-len(written.encode()) // 1000)
    assert called.out == f"{tmp_path / 'match.html'}: {len(match.events)} steps, seen by everyone, {size} kB\n"


@pytest.mark.ci
def test_only_what_a_seat_saw_is_written(replay, log, match, tmp_path) -> None:
    for seat, viewer in (("2", 2), ("spectator", None)):
        called = replay("export", log, "-o", tmp_path / f"{seat}.html", "--as", seat, "--lang", "ja")
        assert (tmp_path / f"{seat}.html").read_text("utf-8") == page(match, [viewer], lang="ja")
        assert Texts("ja").seat(viewer, match.header.seats) in called.out


@pytest.mark.ci
@pytest.mark.parametrize(("name", "options"), [("m.json", ()), ("m.JSON", ()), ("m.txt", ("--format", "json"))])
def test_data_is_written_where_it_is_asked_for(replay, log, match, tmp_path, name: str, options) -> None:
    assert replay("export", log, "-o", tmp_path / name, *options).code == 0
    assert json.loads((tmp_path / name).read_text("utf-8")) == json.loads(json.dumps(export(match, everyone(match))))


@pytest.mark.ci
def test_the_format_asked_for_wins_over_the_name(replay, log, tmp_path) -> None:
    assert replay("export", log, "-o", tmp_path / "m.json", "--format", "html").code == 0
    assert (tmp_path / "m.json").read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.ci
def test_an_earlier_export_is_replaced(replay, log, match, tmp_path) -> None:
    for name in ("m.html", "m.json"):
        assert replay("export", log, "-o", tmp_path / name).code == 0
        first = (tmp_path / name).read_bytes()
        assert replay("export", log, "-o", tmp_path / name, "--as", "1").code == 0
        assert (tmp_path / name).read_bytes() != first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.html", "m.json"]


def test_a_bad_log_is_exported_as_far_as_it_is_good(replay, illegal, tmp_path) -> None:
    called = replay("export", illegal, "-o", tmp_path / "m.json", exits=1)
    assert "✗ event 6: against the rule TS-2: " in called.out
    data = json.loads((tmp_path / "m.json").read_text("utf-8"))
    assert len(data["acted"]) == 6
    assert data["findings"][0]["rule"] == "TS-2"
    seat = replay("export", illegal, "-o", tmp_path / "m.json", "--as", "0")
    assert "not in the hand" not in seat.out + (tmp_path / "m.json").read_text("utf-8").partition('"rules"')[0]
