"""`replay stats`: the same for any number of processes, bad logs told and left out, words in two languages."""

import pytest
from kifu.replay.logs.worker_pool import CHUNK
from rich.cells import cell_len

from ..conftest import FIXTURES


@pytest.mark.ci
def test_the_same_for_any_number_of_processes_and_any_order(replay) -> None:
    logs = sorted((FIXTURES / "cake").glob("*.log")) + sorted((FIXTURES / "take_and_share").glob("*.log"))
    assert len(logs) > CHUNK
    alone = replay("stats", *logs, "--json", "--jobs", 1, exits=0)
    assert replay("stats", *reversed(logs), "--json", "--jobs", 2).out == alone.out
    *groups, whole = alone.lines
    assert whole == {"counted": len(logs), "left_out": 0}
    assert [(group["game"], group["seats"]) for group in groups] == [
        *(("cake", seats) for seats in (3, 4, 5)),
        *(("take_and_share", seats) for seats in (3, 4)),
    ]


@pytest.mark.ci
def test_no_line_is_wider_than_the_terminal(replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for logs, lang in ((FIXTURES / "palace", "ja"), (FIXTURES / "palace" / "six_seats.log", "en")):
        lines = replay("stats", logs, "--lang", lang).out.splitlines()
        assert max(map(cell_len, lines)) <= 80
