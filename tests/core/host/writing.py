"""Threads that wait for a host's writer, and a store that holds it up."""

from __future__ import annotations

import asyncio
from threading import Event, Thread
from time import monotonic, sleep

from kifu.core.host import Submit
from kifu.core.stores import MemoryStore

TIMEOUT_S = 60


class Gated(MemoryStore):
    """A store that notes what each transaction changes, and can be held up."""

    def __init__(self):
        super().__init__()
        self.commits, self.gate, self.entered = [], Event(), Event()
        self.gate.set()

    def commit(self, changes):
        self.entered.set()
        assert self.gate.wait(TIMEOUT_S)
        self.commits.append([change.match for change in changes])
        return super().commit(changes)

    def hold(self):
        self.commits.clear()
        self.entered.clear()
        self.gate.clear()

    def hold_up(self, work):
        """Hold up this work; return its thread, which waits for the store."""
        self.hold()
        thread = started(work)
        assert self.entered.wait(TIMEOUT_S)
        return thread


def started(work):
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def ended(*threads):
    for thread in threads:
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()


def wait_for(holds):
    end_s = monotonic() + TIMEOUT_S
    while not holds():
        assert monotonic() < end_s, "it never holds"
        sleep(0.001)


def waiting(host):
    return list(host._context.writer._waiting)


def opened(host, matches=1):
    return [host.open("take_and_share", ["a", "b", "c"]) for _ in range(matches)]


def command(host, at):
    seat = min(host.observe(at.match).to_act)
    seen = host.observe(at.match, at.keys[seat])
    return Submit(at.match, at.keys[seat], seen.legal[0], seen.count)


def act(host, at):
    return host.do(command(host, at))


def made(host, change, is_awaited):
    return asyncio.run(host.ado(change)) if is_awaited else host.do(change)
