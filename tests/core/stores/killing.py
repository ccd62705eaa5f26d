"""A host whose process or database is killed during submissions: nothing acknowledged is lost, nothing is added."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from kifu.core.host import Host
from kifu.core.log import read_bytes
from kifu.core.stores import Query, open_store

SUBMITTING = Path(__file__).with_name("submitting.py")
Kill = Callable[["subprocess.Popen[str]"], None]


def killed(address: str, enough: int, kill: Kill = subprocess.Popen.kill) -> list[list[str]]:
    """Run the program until so many receipts were printed, kill it or its database, and return what it printed."""
    lines, accepted = [], 0
    run = [sys.executable, str(SUBMITTING), address]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if line.startswith("accepted"):
                accepted += 1
                if accepted == enough:
                    kill(process)
    assert accepted >= enough, lines[-3:]
    return [line.split() for line in lines if line.endswith("\n")]


def check(address: str, output: list[list[str]]) -> None:
    """Compare the store with what was printed, and go on with every match."""
    store = open_store(address)
    host = Host(store)
    keys = {match: each for word, match, *each in output if word == "opened"}
    told = [
        (word, (match, int(seat), key.encode()), seq) for word, match, seat, key, *seq in output if word != "opened"
    ]
    sent = {sent_as for word, sent_as, _ in told if word == "sent"}
    accepted = {sent_as: int(*seq) for word, sent_as, seq in told if word == "accepted"}
    events = {}
    for match, row in store.list(Query(limit=1 << 30)):
        if row.status == "open":
            continue  # its log had not begun
        reading = read_bytes(host.export_log(match))
        assert reading.findings == []
        assert (reading.ended is not None) is (row.status == "over")
        for event in reading.match.events:
            if event.seat >= 0:
                events[match, event.seat, event.meta.id] = event
    assert accepted.items() <= {sent_as: event.seq for sent_as, event in events.items()}.items()
    assert events.keys() <= sent
    for (match, seat, key), seq in accepted.items():
        if host.about(match).status == "going":
            assert host.submit(match, keys[match][seat], events[match, seat, key].command, 0, key).seq == seq
    for match in keys:
        for seat in host.about(match).to_act:
            seen = host.observe(match, keys[match][seat])
            assert host.submit(match, keys[match][seat], seen.legal[0], seen.count).seq == seen.count
    store.close()
