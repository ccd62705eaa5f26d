"""Hosts over every store are simulated; the simulation repeats, finds planted bugs, and shrinks what it finds."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from kifu.core.stores import due_files, open_store
from kifu.core.testing import host_contract, host_simulation
from kifu.core.testing.host_simulation import FAULTS, Setting, shrink, shrinking
from kifu.core.testing.host_simulation import __main__ as command
from kifu.core.testing.host_simulation.__main__ import main
from kifu.core.testing.host_simulation.simulation import Report, run
from kifu.core.testing.host_simulation.threads import SimulatedEvent, SimulatedLock
from kifu.core.testing.host_simulation.world import Killed, World

from . import planted
from .planted_again import SECOND
from .planted_lines import FRESH, LINES

TestHostsInMemory = host_contract(lambda place: open_store("memory:"), lasts=False, seeds=range(6))
TestHostsOnSqlite = host_contract(lambda place: open_store(f"sqlite:{place / 'kifu.db'}"), seeds=range(6, 7))


class TestHostsOnFiles(host_contract(lambda place: open_store(f"files:{place / 'logs'}"), seeds=range(7, 8))):
    """A store of files spares a slow disk for a while; the world of a simulation has another time."""

    @pytest.fixture(autouse=True)
    def _search_always(self, monkeypatch):
        monkeypatch.setattr(due_files, "SHARE", 0)


FINDS = {
    planted.an_id_that_is_not_remembered: "was refused, and is in the log",
    planted.a_claim_kept_after_a_crash: "nothing has happened for",
    planted.a_cache_not_dropped: "failed|the old key of|were known, and then",
    planted.an_answer_before_the_write: "were known, and then|was acknowledged as event|was refused",
    planted.a_write_acknowledged_after_an_error: "",
    planted.an_event_missed_when_a_watcher_comes_again: "instead of event",
    planted.a_veil_drawn_anew: "in two ways",
    planted.a_secret_that_is_not_kept: "a fair deal was agreed on",
    planted.a_claim_that_leases_nothing: "asks a bot that host",
    planted.an_older_host_that_keeps_what_is_due: "nothing has happened for",
    planted.a_row_that_is_not_expected: "the old key of .* opens its seat",
}
"""What each bug violates. Those that few seeds find are planted in the long test alone."""


FIRST_OF_UPGRADES = {
    planted.a_witness_that_is_not_checked: 12,
    planted.an_older_host_that_writes_over_newer_rules: 1,
    planted.a_claim_that_is_not_renewed: 0,
}
"""Bugs of an upgrade, and one that few seeds show, with the first seed that finds each."""


def found(most, first=0, **setting):
    """Return what the first of so many seeds violates that finds anything."""
    reports = (host_simulation(seed=seed, **setting) for seed in range(first, first + most))
    return next((" ".join(report.violations) for report in reports if not report.ok), "nothing")


@pytest.mark.ci
@pytest.mark.parametrize("bug", FIRST_OF_UPGRADES, ids=lambda bug: bug.__name__)
def test_a_planted_bug_of_an_upgrade_is_found(monkeypatch, request, bug):
    if bug is planted.an_older_host_that_writes_over_newer_rules:
        request.getfixturevalue("plants")
    bug(monkeypatch)
    assert found(20, FIRST_OF_UPGRADES[bug]) != "nothing"


@pytest.mark.ci
@pytest.mark.parametrize("seed", [1, 11, 81, 93, 113, 149, 397, 658, 945, 979, 2028, 60671, 119245, 211137])
def test_what_was_found_once(seed):
    """A fair deal and joins across versions, an older host that claims what a newer one is to do, a look too early;

    a bot's turn in a match that had gone on since this host claimed it, and another host had claimed it anew; a witness
    that the store refused once, and nobody wrote; new keys that took a claim away; a clock that counted twice; a
    command stored without the change of rules before it; witnesses that waited long after a store had stood still; a
    client that never heard that it sits at the table, and took what a spectator sees for what its seat does; what a
    killed host had left without a witness, where the store failed once at the next start; a match that rested by the
    clock of a killed host, after all clocks had been put back.
    """
    assert host_simulation(seed=seed).violations == ()


@pytest.mark.ci
def test_hosts_are_upgraded_one_after_the_other():
    trace = host_simulation(seed=1).trace
    assert sum("is upgraded to rules version 2" in line for line in trace) == 3
    assert not any("is upgraded" in line for line in host_simulation(seed=1, faults=FAULTS - {"upgrades"}).trace)


@pytest.mark.ci
@pytest.mark.parametrize("bug", FINDS, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_found(monkeypatch, bug):
    bug(monkeypatch)
    violated = found(20)
    assert violated != "nothing"
    assert re.search(FINDS[bug], violated)


@pytest.mark.long
@pytest.mark.parametrize("bug", planted.PLANTED, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_found_within_four_hundred_seeds(monkeypatch, bug):
    bug(monkeypatch)
    assert found(400) != "nothing"


ALL_LINES = LINES + FRESH + SECOND
FIRST_OF_LINES = {
    "a takeback that nothing makes old": (5, "were not asked for the takeback"),
    "new keys leave the old proposal open": (43, "is older than a player's key"),
    "a takeback that needs nobody": (0, "were not asked for the takeback"),
    "two consents suffice": (1, "were not asked for"),
    "a spectator sees what the table sees": (0, "saw another table"),
    "a rejection that is answered and not stored": (5, "was rejected, and is"),
    "a claim forgotten by the store": (2, "asks a bot that"),
    "a clock that restarts after a private undo": (0, "moves the deadline"),
    "late witnesses that nobody notes": (0, "goes without a witness"),
    "a result that the public facts lack": (0, "is not what it shows"),
    "a fork that says it deals fairly": (7, "is not what it shows"),
    "a fork of a match that goes on needs nobody": (3, "were asked for this fork"),
    "any player may remove any other": (2, "has removed another"),
    "a command that was chosen before the seat's turn came": (0, "too early"),
    "a match that was abandoned still asks its seats": (2, "it takes no commands, and asks"),
    "what could be read for a moment can be read for ever": (0, "what it may look at once"),
    "nobody is told that a bot or a stand-in acted": (0, "was shown another event"),
    "a lobby lists what is not public": (0, "a lobby lists it"),
    "the log of a match that goes on is told": (0, "its log is told"),
}
"""Bugs of a line, the first seed that finds each, and what it violates."""


@pytest.mark.ci
@pytest.mark.parametrize("name", FIRST_OF_LINES)
def test_a_bug_of_a_line_is_found_by_its_property(monkeypatch, name):
    first, violated = FIRST_OF_LINES[name]
    next(line for line in ALL_LINES if line.name == name).plant(monkeypatch)
    assert violated in found(20, first)


@pytest.mark.ci
def test_every_bug_of_a_line_fits_the_code_of_today():
    for line in ALL_LINES:
        with pytest.MonkeyPatch.context() as patch:
            line.plant(patch)


UNSEEN = {
    "a deal in which one secret is missing",
    "an attempt that never fails",
    "a match at the end of its rules that goes on",
    "who takes a seat that was left is held to the secret of who left it",
    "a bot waits for a clock that is behind",
    "a witness that the store refused once is never written",
    "a due time is stored over that of a later event",
    "a fork that two hosts make begins anew with the second",
}
"""What `docs/stores.md` says that a simulation does not see."""


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            line, id=line.name, marks=[pytest.mark.xfail(reason="it does not see this")] * (line.name in UNSEEN)
        )
        for line in ALL_LINES
    ],
)
def test_a_bug_of_a_line_is_found_within_so_many_seeds(monkeypatch, line):
    """A hundred of them have eight matches, as a batch of changes seldom has several of three."""
    line.plant(monkeypatch)
    assert found(250) != "nothing" or found(100, matches=8) != "nothing"


@pytest.mark.ci
def test_without_faults_all_is_quiet_and_every_match_ends():
    report = host_simulation(seed=4, faults=set())
    assert report.ok
    assert report.acknowledged > 10
    assert not any("fails" in line or "is killed" in line for line in report.trace)


@pytest.mark.ci
def test_every_kind_of_fault_happens():
    lines = "\n".join(host_simulation(seed=0).trace)
    for words in ("fails before", "fails after", "is killed", "is cut off", "its clock jumps"):
        assert words in lines


@pytest.mark.ci
def test_a_setting_says_how_it_is_repeated():
    setting = Setting(7, steps=90, hosts=1, faults=frozenset({"losses", "errors"}))
    assert str(setting) == "seed=7, steps=90, hosts=1, faults=['errors', 'losses']"
    assert setting.options == "--seed 7 --steps 90 --hosts 1 --faults errors,losses"
    report = run(setting)
    assert report == host_simulation(seed=7, steps=90, hosts=1, faults={"errors", "losses"})


@pytest.mark.long
def test_a_failure_is_shrunk(monkeypatch):
    planted.an_id_that_is_not_remembered(monkeypatch)
    report = host_simulation(seed=4)
    smallest = shrink(report, run)
    assert any("was refused, and is in the log" in each for each in smallest.violations)
    before, after = report.setting, smallest.setting
    assert (after.matches, after.hosts) == (1, 1)
    assert after.steps < before.steps / 2
    assert after.faults < FAULTS
    assert run(after) == smallest


@pytest.mark.ci
def test_the_command_simulates_and_says_how_to_repeat(monkeypatch, capsys):
    assert main(["--seeds", "2", "--jobs", "1", "--steps", "100"]) == 0
    assert "2 simulated" in capsys.readouterr().out
    planted.an_event_missed_when_a_watcher_comes_again(monkeypatch)
    assert main(["--seeds", "1", "--seed", "1", "--steps", "500", "--matches", "1", "--hosts", "1"]) == 1
    out = capsys.readouterr().out
    assert "again: python -m kifu.core.testing.host_simulation --seed 1" in out
    options = out.split("again: ")[1].split("\n")[0].split()[3:]
    assert main(options) == 1


def test_a_failing_seed_is_told_at_once_and_one_of_a_kind_is_shrunk(monkeypatch, capsys):
    told = []

    def shrinking(report, run):
        told.append(capsys.readouterr().out)
        return report

    monkeypatch.setattr(command, "shrink", shrinking)
    fails = lambda _, setting: Report(setting, ("a",), "", (f"match x{setting.seed}: it fails",), 0)  # noqa: E731
    monkeypatch.setattr(command, "run_at", fails)
    assert main(["--seeds", "3", "--jobs", "1"]) == 1
    assert told == ["seed 0 violates: match x0: it fails\n"]
    out = capsys.readouterr().out
    assert out.count("again: ") == 1
    assert "seed 1 violates" in out
    assert "3 with a violation" in out


def test_shrinking_has_a_time_limit(monkeypatch):
    report = Report(Setting(7), ("a",), "", ("it fails",), 0)
    runs = []
    monkeypatch.setattr(shrinking, "MAX_S", 0.0)
    assert shrink(report, lambda setting: runs.append(setting) or report) is report
    assert runs == []


@pytest.mark.parametrize("options", [["--faults", "rain"], ["--hosts", "0"], ["--store", "paper:"]])
def test_the_command_refuses_what_is_none(options, capsys):
    with pytest.raises(SystemExit):
        main(options)
    assert "error: " in capsys.readouterr().err


@pytest.mark.long
def test_the_same_seed_repeats_in_another_process():
    command = [sys.executable, "-m", "kifu.core.testing.host_simulation", "--seed", "5"]
    environments = [{**os.environ, "PYTHONHASHSEED": each} for each in ("1", "2")]
    out = [subprocess.run(command, env=each, capture_output=True, text=True).stdout for each in environments]
    assert out[0] == out[1]
    assert host_simulation(seed=5).digest in out[0]


def test_a_lock_is_held_by_one_task_at_a_time():
    world, lines = World(0), []
    lock = SimulatedLock(world)

    def work(name):
        lock.acquire()
        lines.append(f"{name} in")
        world.sleep(10)
        lines.append(f"{name} out")
        lock.release()

    for name in "abc":
        world.start(name, lambda name=name: work(name))
    world.run(lambda: True)
    assert sorted(lines[::2]) == ["a in", "b in", "c in"]
    assert [each[0] for each in lines[::2]] == [each[0] for each in lines[1::2]]


def test_an_event_wakes_who_waits_or_time_does():
    world, waited = World(0), {}
    event = SimulatedEvent(world)
    for timeout_s in (0.001, 1.0, None):
        world.start("waits", lambda timeout_s=timeout_s: waited.setdefault(timeout_s, event.wait(timeout_s)))
    world.later(500, event.set)
    world.run(lambda: True)
    assert waited == {0.001: False, 1.0: True, None: True}


def test_a_killed_task_cleans_up_and_waits_no_more():
    world, lines = World(0), []

    def work():
        try:
            world.sleep(1000)
        finally:
            lines.append("cleans up")
            with pytest.raises(Killed):
                world.sleep(1)

    task = world.start("task", work)
    world.later(10, task.kill)
    world.run(lambda: True)
    assert (lines, task.done, task.failure) == (["cleans up"], True, None)
