"""A process that is stopped in the middle of a change (SIGSTOP) keeps others waiting no longer than its lease."""

import os
import signal
import subprocess
import sys
import time

import pytest
from kifu.core.errors import StoreError
from kifu.core.host.scheduler import LEASE_MS
from kifu.core.stores import Append, Claim, Create, commit_one, open_store

from .store_laws import ROW

STOPPING = """
import os, signal, sys
from kifu.core.stores import Due, MetadataRow, Update, commit_one, open_store, sqlite
store = open_store(sys.argv[1])
def stop(*_):
    os.kill(os.getpid(), signal.SIGSTOP)
then, sqlite.values_of = sqlite.values_of, lambda row: (stop(), then(row))[1]
commit_one(store, Update("m1", MetadataRow("some_game", "going", True, 1000, b"", 1), due=Due(500)))
store.close()
"""


@pytest.mark.ci
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGSTOP")
def test_a_stopped_process_keeps_nobody_waiting_for_longer_than_its_lease(tmp_path):
    address = f"sqlite:{tmp_path / 'store'}"
    store = open_store(address)
    commit_one(store, Create("m1", b"", ROW))
    process = subprocess.Popen([sys.executable, "-c", STOPPING, address])
    try:
        assert os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT) is not None
        began_s = time.monotonic()
        with pytest.raises(StoreError):
            commit_one(store, Append("m1", 0, []))
        assert time.monotonic() - began_s < LEASE_MS / 1000 + 0.3
        assert store.read("m1").row == ROW, "who reads does not wait"
    finally:
        process.send_signal(signal.SIGCONT)
        assert process.wait(60) == 0
    assert store.read("m1").row.version == 1, "what it was writing is whole"
    assert Claim("m1", 0) in store.claim(500, 10_000, 9, is_bot=False)
    store.close()
