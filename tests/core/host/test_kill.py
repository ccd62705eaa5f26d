"""A host whose process is killed in the middle of submissions: nothing acknowledged is lost, nothing is invented."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from kifu.core.host import Host
from kifu.core.log import read_bytes
from kifu.core.stores import Query, open_store

SUBMITTING = Path(__file__).with_name("submitting.py")


def killed(address: str, enough: int) -> list[list[str]]:
    """Let the program submit until so much was acknowledged, kill it, and give all that it has said."""
    lines, taken = [], 0
    with subprocess.Popen([sys.executable, str(SUBMITTING), address], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            taken += line.startswith("taken")
            if taken == enough:
                process.kill()
    return [line.split() for line in lines if line.endswith("\n")]


def check(address: str, said: list[list[str]]) -> None:
    """Hold what the store has against what was said, and go on with every match."""
    store = open_store(address)
    host = Host(store)
    keys = {match: each for word, match, *each in said if word == "opened"}
    sent = {(match, int(seat), id.encode()) for word, match, seat, id in _of(said, "sent")}
    taken = {(match, int(seat), id.encode()): int(seq) for word, match, seat, id, seq in _of(said, "taken")}
    there = {}
    for match, row in store.list(Query(limit=1 << 30)):
        if row.status == "open":
            continue  # it was about to begin
        reading = read_bytes(host.export_log(match))
        assert reading.findings == []
        assert (reading.ended is not None) is (row.status == "over")
        for event in reading.match.events:
            if event.seat >= 0:
                there[match, event.seat, event.meta.id] = event.seq
    assert taken.items() <= there.items()
    assert there.keys() <= sent
    for (match, seat, id), seq in taken.items():
        if host.about(match).status == "going":
            assert host.submit(match, keys[match][seat], ("play", {"card": 101}), 0, id).seq == seq
    for match in keys:
        for seat in host.about(match).to_act:
            observation = host.observe(match, keys[match][seat])
            assert (
                host.submit(match, keys[match][seat], observation.legal[0], observation.count).seq == observation.count
            )
    store.close()


def _of(said: list[list[str]], word: str) -> list[list[str]]:
    return [each for each in said if each[0] == word]


@pytest.mark.parametrize("store", ["files:{}", "sqlite:{}/store.db"])
def test_kill_9_in_the_middle_of_a_hundred_submissions(tmp_path, store):
    address = store.format(tmp_path)
    check(address, killed(address, 100))


@pytest.mark.long
@pytest.mark.parametrize("store", ["files:{}", "sqlite:{}/store.db"])
def test_kill_9_in_the_middle_of_ten_thousand_submissions(tmp_path, store):
    address = store.format(tmp_path)
    said = [each for _ in range(10) for each in killed(address, 1000)]
    check(address, said)
