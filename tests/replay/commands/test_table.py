"""`replay table`: every event is a row, the same for any number of processes."""

import gc
import json
import os
import re
import sys
import tracemalloc
from pathlib import Path

import attrs
import pytest
from kifu.core.game import Meta
from kifu.core.log import load, log_bytes
from kifu.core.match import Match
from kifu.core.wire import plain, wire_of
from kifu.replay.analysis.event_rows import EVENT_COLUMNS, MATCH_COLUMNS
from kifu.replay.app import run

from ..conftest import FIXTURES, ROOT

parquet = pytest.importorskip("pyarrow.parquet", reason="needs kifu[stats]")

from kifu.replay.analysis.table_files import encode, table_file  # noqa: E402

LOGS = [log for game in ("cake", "gosne", "take_and_share") for log in sorted((FIXTURES / game).glob("*.log"))]


def objects(path: Path) -> list[dict]:
    return parquet.read_table(path).to_pylist()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict], list[dict]]:
    folder = tmp_path_factory.mktemp("tables")
    assert run(["table", *map(str, LOGS), "-o", str(folder / "e.parquet"), "--jobs", "1"]) == 0
    return objects(folder / "e.parquet"), objects(folder / "e.matches.parquet")


@pytest.mark.ci
def test_each_event_is_a_row_of_what_the_match_says(tables: tuple[list[dict], list[dict]]) -> None:
    events, matches = tables
    expected = 0
    for log in LOGS:
        match = load(log)
        rows = events[expected : expected + len(match.events)]
        expected += len(match.events)
        assert [row["seq"] for row in rows] == list(range(len(rows)))
        for row, step in zip(rows, match.steps, strict=True):
            assert list(row) == list(EVENT_COLUMNS)
            tag, fields = wire_of(match.game).encode(step.command)
            assert (row["match"], row["seat"], row["tag"], json.loads(row["fields"])) == (
                match.header.match,
                step.seat,
                tag,
                plain(fields),
            )
            assert row["rules"] == list(dict.fromkeys(note.rule.number for note in step.notes if note.rule))
            scene = match.game.scene(match.game.view(step.after, -1))
            assert row["points"] == [place.score for place in scene.places]
        (one,) = (row for row in matches if row["log"] == str(log))
        assert list(one) == list(MATCH_COLUMNS)
        result = match.result
        assert one["points"] == (None if result is None else list(result.points))
        assert one["end"] == ("over" if result else "abandoned" if match.abandoned else "going on")
    assert len(events) == expected
    assert [row["log"] for row in matches] == list(map(str, LOGS))


@pytest.mark.ci
def test_any_number_of_processes_writes_the_same_rows(replay, tmp_path, tables: tuple[list[dict], list[dict]]) -> None:
    assert replay("table", *LOGS, "-o", tmp_path / "e.parquet", "--jobs", 2).code == 0
    for name, expected in zip(("e", "e.matches"), tables, strict=True):
        assert objects(tmp_path / f"{name}.parquet") == expected


def test_a_time_and_an_actor_are_told_and_a_takeback_is_a_row(replay, match: Match, tmp_path: Path) -> None:
    other: Match = Match(match.game, match.header)
    other.apply(match.events[0].seat, match.events[0].command)
    other.apply(match.events[1].seat, match.events[1].command, Meta(at=1500, by="stand-in"))
    other.take_back(0)
    other.save(tmp_path / "one.log")
    assert replay("table", tmp_path, "-o", tmp_path / "e.parquet").code == 0
    deal, play, back = objects(tmp_path / "e.parquet")
    assert (deal["seat"], deal["actor"], deal["at_ms"]) == (-1, None, None)
    assert (play["actor"], play["at_ms"]) == ("stand-in", 1500)
    assert (back["tag"], back["fields"]) == (".takeback", '{"to":0}')


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
def test_a_name_of_a_file_that_is_no_text_can_be_read_in_the_table(replay, log: Path, tmp_path: Path) -> None:
    named = tmp_path / os.fsdecode(b"na\xffme.log")
    named.write_bytes(log.read_bytes())
    assert replay("table", named, "-o", tmp_path / "e.parquet").code == 0
    (row,) = objects(tmp_path / "e.matches.parquet")
    assert row["log"].endswith("na\ufffdme.log")


def test_a_number_beyond_64_bits_leaves_its_log_out(replay, log: Path, tmp_path: Path) -> None:
    match = load(log)
    huge: Match = Match(match.game, attrs.evolve(match.header, started=(1 << 64) - 1))
    (tmp_path / "huge.log").write_bytes(log_bytes(huge))
    called = replay("table", tmp_path / "huge.log", log, "-o", tmp_path / "e.parquet", exits=1)
    assert "does not fit into 64 bits" in called.out


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt])
def test_an_error_on_the_way_leaves_no_file_and_no_word(tmp_path: Path, monkeypatch, error) -> None:
    """The library's writer writes its footer when it is collected, unless it is told not to."""
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)

    def fail() -> None:
        with table_file(tmp_path / "e.parquet", {"a": "int"}) as file:
            file.write(encode({"a": "int"}, [(1,)]))
            raise error

    with pytest.raises(error):
        fail()
    gc.collect()
    assert (said, list(tmp_path.iterdir())) == ([], [])


def test_the_questions_of_the_page_are_answered(replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs kifu[dev]")
    monkeypatch.chdir(tmp_path)
    assert replay("table", FIXTURES, "-o", "events.parquet").code == 0
    queries = re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / "data.md").read_text(), re.DOTALL)
    first, _, third = (duckdb.sql(query).fetchall() for query in queries)
    assert {row[0] for row in first} >= {"cake", "palace", "take_and_share"}
    (cake,) = (row for row in first if row[:2] == ("cake", 4))
    finished = [load(log) for log in sorted((FIXTURES / "cake").glob("*.log"))]
    finished = [match for match in finished if match.result is not None and len(match.header.seats) == 4]
    assert cake[2] == len(finished)
    assert cake[3] == pytest.approx(sum(0 in match.result.winners for match in finished) / len(finished), abs=0.001)
    assert all(0 <= share <= 1 for _, _, share in third)


@pytest.mark.ci
def test_rows_that_wait_to_be_written_hold_no_more_than_themselves(tmp_path: Path) -> None:
    row = encode({"match": "text", "seats": "int"}, [("m", 3)])
    with table_file(tmp_path / "m.parquet", {"match": "text", "seats": "int"}) as file:
        tracemalloc.start()
        for _ in range(5000):
            file.write(bytes(bytearray(row)))  # a copy, as each stream of a process is its own
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert held < 1_000_000 < 5000 * len(row)
    assert parquet.read_table(tmp_path / "m.parquet").num_rows == 5000
