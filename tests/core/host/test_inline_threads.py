"""A host in a place with one thread, as a browser: nothing starts a thread, and nothing waits for ever."""

from __future__ import annotations

import asyncio
import threading

import pytest
from kifu.core.host import Host, Submit, Terms
from kifu.core.host.threads import InlineThreads
from kifu.core.stores import MemoryStore
from kifu.games.bots.levels import easy


@pytest.fixture
def lonely(monkeypatch):
    """A host whose every attempt to start a thread fails, as it does in a browser."""

    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    return Host(MemoryStore(), bots={"easy": easy(bytes(16))}, threads=InlineThreads())


def bots_alone(host):
    return host.open(
        "cake", ["Aki", "Ren", "Mio"], terms=Terms(bots=dict.fromkeys(range(3), "easy"), bot_delay_ms=0)
    ).match


def test_a_match_of_bots_is_played_to_its_end_by_one_thread(lonely):
    match = bots_alone(lonely)
    while lonely.about(match).status == "going":
        lonely.run_due()
    assert lonely.about(match).result is not None


def test_run_due_makes_no_more_commands_than_it_may(lonely):
    match = bots_alone(lonely)
    counts = [lonely.about(match).count]
    for _ in range(4):
        lonely.run_due(1)
        counts.append(lonely.about(match).count)
    acted = [len([each for each in lonely.history(match)[: count or 0] if each.seat >= 0]) for count in counts]
    assert acted == [0, 1, 2, 3, 4]


def test_the_event_loop_goes_on_between_two_commands_of_bots(lonely):
    """Whoever watches sees each command when it is made, not all of them when the bots are done."""

    async def play():
        match = bots_alone(lonely)
        playing = asyncio.create_task(lonely.run_here())
        seen = [(entry.seq, lonely.about(match).count) async for entry in lonely.follow(match)]
        playing.cancel()
        return seen

    seen = asyncio.run(asyncio.wait_for(play(), 60))
    assert len({count for _, count in seen}) > len(seen) / 3, "told in a few bundles"


def test_a_command_of_a_player_wakes_the_bots(lonely):
    """Nothing is polled for: what a bot is to do begins when it is due."""

    async def play():
        opened = lonely.open("cake", ["Aki", "Ren", "Mio"], terms=Terms(bots={1: "easy", 2: "easy"}, bot_delay_ms=0))
        playing = asyncio.create_task(lonely.run_here())
        key = opened.keys[0]
        while lonely.about(opened.match).status == "going":
            seen = lonely.observe(opened.match, key)
            if seen.legal:
                await lonely.ado(Submit(opened.match, key, seen.legal[0], seen.count))
            await asyncio.sleep(0)
        playing.cancel()
        return lonely.about(opened.match).result

    assert asyncio.run(asyncio.wait_for(play(), 60)) is not None
