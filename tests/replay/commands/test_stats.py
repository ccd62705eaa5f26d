"""`replay stats`: the same for any number of processes, bad logs told and left out, words in two languages."""

import subprocess
import sys
from pathlib import Path

import pytest
from kifu.replay.logs.worker_pool import CHUNK

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "fixtures"


@pytest.mark.ci
def test_the_same_for_any_number_of_processes_and_any_order(replay) -> None:
    logs = sorted((FIXTURES / "cake").glob("*.log")) + sorted((FIXTURES / "take_and_share").glob("*.log"))
    assert len(logs) > CHUNK
    alone = replay("stats", *logs, "--json", "--jobs", 1)
    assert alone.code == 0
    assert replay("stats", *reversed(logs), "--json", "--jobs", 2).out == alone.out
    *groups, whole = alone.lines
    assert whole == {"counted": len(logs), "left_out": 0}
    assert [(group["game"], group["seats"]) for group in groups] == [
        *(("cake", seats) for seats in (3, 4, 5)),
        *(("take_and_share", seats) for seats in (3, 4)),
    ]


def test_bad_logs_are_reported_and_left_out(replay, log: Path, illegal: Path, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(log.read_bytes())
    (tmp_path / "b.log").write_bytes(illegal.read_bytes())
    called = replay("stats", tmp_path)
    assert called.code == 1
    assert f"left out: {tmp_path / 'b.log'}: rule: event 6" in called.out
    assert "1 match, 1 finished" in called.out
    (tmp_path / "c.log").write_text("no log")
    called = replay("stats", tmp_path, tmp_path / "none.log", "--json")
    assert called.code == 2
    group, *left, whole = called.lines
    assert group["logs"] == 1
    assert [Path(each["log"]).name for each in left] == ["b.log", "c.log", "none.log"]
    assert whole == {"counted": 1, "left_out": 3}


def test_of_many_bad_logs_the_first_are_named(replay, log: Path, tmp_path: Path) -> None:
    (tmp_path / "good.log").write_bytes(log.read_bytes())
    for number in range(15):
        (tmp_path / f"{number}.log").touch()
    called = replay("stats", tmp_path)
    assert called.out.count("left out: ") == 10
    assert called.out.endswith("and 5 more left out\n")


@pytest.mark.ci
def test_no_line_is_wider_than_the_terminal(replay, monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", "80")
    for logs, lang in ((FIXTURES / "palace", "ja"), (FIXTURES / "palace" / "six_seats.log", "en")):
        lines = replay("stats", logs, "--lang", lang).out.splitlines()
        assert max(map(cell_len, lines)) <= 80


@pytest.mark.ci
def test_charts_without_their_extra_name_it_in_one_line(log: Path, tmp_path: Path) -> None:
    code = "import sys; sys.modules['vl_convert'] = None; from kifu.replay import main; main()"
    call = [sys.executable, "-c", code, "stats", str(log), "-o", str(tmp_path / "m.html")]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "replay: drawing charts needs an extra: pip install 'kifu[stats]'\n"
