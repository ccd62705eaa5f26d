"""A host in a place with one thread, as a browser: nothing starts a thread, and nothing waits for ever."""

from __future__ import annotations

import asyncio
import threading

import pytest
from kifu.core.host import Host, Submit, Terms
from kifu.core.host.threads import InlineThreads
from kifu.core.stores import MemoryStore
from kifu.games.bots.levels import easy

from .conftest import alone


@pytest.fixture
def lonely(monkeypatch):
    """A host whose every attempt to start a thread fails, as it does in a browser."""

    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    return Host(MemoryStore(), bots={"easy": easy(bytes(16))}, threads=InlineThreads())


@pytest.fixture
def match(lonely):
    """A match that bots play alone."""
    return lonely.open("cake", 3, terms=alone("easy")).match


def test_run_due_makes_no_more_commands_than_it_may_and_plays_to_the_end(lonely, match):
    for commands in range(1, 5):
        lonely.run_due(1)
        assert len([each for each in lonely.history(match) if each.seat >= 0]) == commands
    while lonely.about(match).status == "going":
        lonely.run_due()
    assert lonely.about(match).result is not None


def test_the_event_loop_goes_on_between_two_commands_of_bots(lonely, match):
    """Whoever watches sees each command when it is made, not all of them when the bots are done."""

    async def play():
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
