"""Commands that come at the same time: one of each match at once, none behind a thread that is stuck."""

import asyncio
from threading import Event, Thread

import pytest
from kifu.core.errors import StoreError
from kifu.core.host import Receipt, Submission

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("prometheus_client", reason="needs kifu[web]")

TIMEOUT_S = 60


class Together:
    """A host that notes what is submitted together; the first time it waits until it is let go."""

    def __init__(self, answer=lambda each: Receipt(each.expected_events, (), 1)):
        self.batches, self.begun, self.go = [], Event(), Event()
        self._answer = answer

    def submit_together(self, submissions, is_late):
        self.batches.append([(each.match, each.expected_events) for each in submissions])
        if len(self.batches) == 1:
            self.begun.set()
            assert self.go.wait(TIMEOUT_S)
        return [self._answer(each) for each in submissions]


def commands_of(host, **more):
    from kifu.core.web.commands import Commands

    start = lambda work: Thread(target=work, daemon=True).start()  # noqa: E731
    return Commands(host, lambda receipt, lang: b"%d %s" % (receipt.seq, lang.encode()), start, **more)


def answers_to(host, wanted, *, after_go=True):
    """Submit the first alone and the others while it is served; return all answers."""
    commands = commands_of(host)

    async def submit():
        tasks = [asyncio.create_task(commands.submit(Submission(*wanted[0][:1], None, None, wanted[0][1]), "en"))]
        await asyncio.to_thread(host.begun.wait, TIMEOUT_S)
        tasks += [
            asyncio.create_task(commands.submit(Submission(match, None, None, count), "ja"))
            for match, count in wanted[1:]
        ]
        await asyncio.sleep(0)
        if after_go:
            host.go.set()
        else:
            await asyncio.wait(tasks[1:])
            host.go.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    return asyncio.run(submit())


def test_those_that_come_meanwhile_are_submitted_together_one_of_each_match():
    host = Together()
    wanted = [("a", 0), ("a", 1), ("b", 2), ("a", 3), ("c", 4)]
    assert answers_to(host, wanted) == [b"0 en", b"1 ja", b"2 ja", b"3 ja", b"4 ja"]
    assert host.batches == [[("a", 0)], [("a", 1), ("b", 2), ("c", 4)], [("a", 3)]]


def test_those_that_were_not_begun_wait_for_the_next_time():
    host = Together()
    whole = host.submit_together
    host.submit_together = lambda submissions, is_late: whole(submissions[:1], is_late)
    assert answers_to(host, [("a", 0), ("b", 1), ("c", 2)]) == [b"0 en", b"1 ja", b"2 ja"]
    assert host.batches == [[("a", 0)], [("b", 1)], [("c", 2)]]


def test_an_error_is_raised_to_its_own_command_and_none_goes_the_usual_way():
    failure = StoreError("?", "away")
    host = Together(lambda each: {"a": failure, "b": None}.get(each.match, Receipt(each.expected_events, (), 1)))
    assert answers_to(host, [("a", 0), ("b", 1), ("c", 2)]) == [failure, None, b"2 ja"]


def test_a_fault_of_the_host_sends_all_the_usual_way():
    host = Together()

    def fails(*_):
        host.begun.set()
        raise RuntimeError

    host.submit_together = fails
    assert answers_to(host, [("a", 0), ("b", 1)]) == [None, None]


def test_others_do_not_wait_for_a_thread_that_is_stuck(monkeypatch):
    from kifu.core.web import commands

    monkeypatch.setattr(commands, "STUCK_S", 0.0)
    host = Together()
    assert answers_to(host, [("a", 0), ("b", 1), ("c", 2)], after_go=False) == [b"0 en", b"1 ja", b"2 ja"]


def test_a_command_that_is_cancelled_holds_its_place_until_it_is_served():
    host = Together()
    commands = commands_of(host)

    async def cancelled():
        running = asyncio.create_task(commands.submit(Submission("a", None, None, 0), "en"))
        await asyncio.to_thread(host.begun.wait, TIMEOUT_S)
        running.cancel()
        await asyncio.sleep(0.01)
        held = not running.done()
        host.go.set()
        with pytest.raises(asyncio.CancelledError):
            await running
        return held

    assert asyncio.run(cancelled())
