"""Hosts over every store are simulated; the simulation repeats, finds planted bugs, and shrinks what it finds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache

import pytest
from kifu.core.stores import open_store
from kifu.core.testing import host_simulation
from kifu.core.testing.host_simulation import FAULTS, Setting
from kifu.core.testing.host_simulation.world import Killed, World

from . import planted
from . import simulate_hosts as command
from .host_laws import host_contract
from .planted_lines import LINES
from .simulate_hosts import COMMAND, main

TestHostsInMemory = host_contract(lambda place: open_store("memory:"), lasts=False, seeds=range(3))
TestHostsOnSqlite = host_contract(lambda place: open_store(f"sqlite:{place / 'kifu.db'}"), seeds=range(6, 7))

FINDS = {
    planted.an_id_that_is_not_remembered: (1, "was refused, and is in the log"),
    planted.a_claim_kept_after_a_crash: (5, "nothing has happened for"),
    planted.a_cache_not_dropped: (4, "failed|the old key of|were known, and then|is not what it shows"),
    planted.an_answer_before_the_write: (
        0,
        "were known, and then|was acknowledged as event|was refused|there is no match",
    ),
    planted.a_write_acknowledged_after_an_error: (0, ""),
    planted.an_event_missed_when_a_watcher_comes_again: (0, "instead of event"),
    planted.a_veil_drawn_anew: (0, "in two ways"),
    planted.a_secret_that_is_not_kept: (0, "a fair deal was agreed on"),
    planted.an_older_host_that_keeps_what_is_due: (9, "nothing has happened for"),
    planted.a_clock_of_its_own: (0, "after it was stored|was made for seat"),
    planted.a_row_that_is_not_expected: (52, "the old key of .* opens its seat"),
    planted.a_witness_that_is_not_checked: (7, ""),
    planted.an_older_host_that_writes_over_newer_rules: (1, ""),
    planted.a_claim_that_is_not_renewed: (41, ""),
}
"""The first seed that finds each bug, and what it violates."""


LINES_FOR_CI = {"a claim forgotten by the store"}


def found(most, first=0, **setting):
    """Return what the first of so many seeds violates that finds anything."""
    reports = (host_simulation(Setting(seed=seed, **setting)) for seed in range(first, first + most))
    return next((" ".join(report.violations) for report in reports if not report.ok), "nothing")


@cache
def trace_of(seed):
    return host_simulation(Setting(seed)).trace


@pytest.mark.ci
def test_hosts_are_upgraded_one_after_the_other():
    assert max(sum("is upgraded to rules version 2" in line for line in trace_of(seed)) for seed in range(4)) == 3
    never = host_simulation(Setting(1, faults=FAULTS - {"upgrades"})).trace
    assert not any("is upgraded" in line for line in never)


@pytest.mark.ci
@pytest.mark.parametrize("bug", FINDS, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_found(monkeypatch, request, bug):
    if bug is planted.an_older_host_that_writes_over_newer_rules:
        request.getfixturevalue("plants")
    bug(monkeypatch)
    seed, violates = FINDS[bug]
    violated = found(20, seed)
    assert violated != "nothing"
    assert re.search(violates, violated)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.ci if name in LINES_FOR_CI else pytest.mark.long) for name in LINES],
)
def test_a_bug_of_a_line_is_found_by_its_property(monkeypatch, name):
    LINES[name].plant(monkeypatch)
    assert LINES[name].violates in found(20, LINES[name].seed)


@pytest.mark.ci
def test_without_faults_all_is_quiet_and_every_match_ends():
    report = host_simulation(Setting(seed=4, faults=set()))
    assert report.ok
    assert report.acknowledged > 10
    assert not any("fails" in line or "is killed" in line for line in report.trace)


@pytest.mark.ci
def test_every_kind_of_fault_happens():
    lines = "\n".join(line for seed in range(3) for line in trace_of(seed))
    for words in ("fails before", "fails after", "is killed", "is cut off", "its clock jumps"):
        assert words in lines


@pytest.mark.ci
def test_the_command_simulates_and_says_how_to_repeat(monkeypatch, capsys):
    assert main(["--seeds", "2", "--jobs", "1", "--steps", "100"]) == 0
    assert "2 simulated" in capsys.readouterr().out
    planted.an_event_missed_when_a_watcher_comes_again(monkeypatch)
    assert main(["--seeds", "1", "--seed", "2", "--steps", "500", "--matches", "1", "--hosts", "1"]) == 1
    out = capsys.readouterr().out
    assert f"again: {COMMAND} --seed=2" in out
    options = out.split("again: ")[1].split(";")[0].split()[2:]
    assert main(options) == 1


@pytest.mark.parametrize("options", [["--faults", "rain"], ["--hosts", "0"], ["--store", "paper"]])
def test_the_command_refuses_what_is_none(options, capsys):
    with pytest.raises(SystemExit):
        main(options)
    assert "error: " in capsys.readouterr().err


@pytest.mark.long
def test_the_same_seed_repeats_in_another_process():
    arguments = [sys.executable, command.__file__, "--seed", "5"]
    environments = [{**os.environ, "PYTHONHASHSEED": each} for each in ("1", "2")]
    out = [subprocess.run(arguments, env=each, capture_output=True, text=True).stdout for each in environments]
    assert out[0] == out[1]
    assert host_simulation(Setting(seed=5)).digest in out[0]


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
