"""`replay trace --text`: a trace as text, which git diff compares; the other forms are tested with `diff`."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kifu.replay import starter
from kifu.replay.starter import Names

GOLDEN = Path(__file__).parents[3] / "fixtures" / "cake" / "first_elder_1.log"


def test_a_log_and_its_stored_trace_read_alike(replay):
    of_log, of_trace = replay("trace", GOLDEN, "--text"), replay("trace", GOLDEN.with_suffix(".trace"), "--text")
    assert (of_log.code, of_log.err, of_trace.err) == (0, "", "")
    assert of_log.out == of_trace.out
    lines = of_log.out.splitlines()
    assert lines[0].startswith("game cake, rules 1")
    assert "  * opened round=1 seat=1 pile=4 (CAKE-4)" in lines
    assert "step 2" in lines
    assert lines[-1].startswith("  result: points [")


def test_a_step_has_the_fields_that_it_changes_and_no_others(replay):
    blocks = replay("trace", GOLDEN, "--text").out.split("\n\n")
    state = {}
    for block in blocks[1:]:
        fields = dict(line[2:].split(": ", 1) for line in block.splitlines()[1:] if line[2] != "*")
        fields.pop("result", None)
        assert all(state.get(name) != value for name, value in fields.items())
        state |= fields
    assert len(state) == 10


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["-o", "x.trace"], "goes with neither -o nor --conformance"),
        (["--conformance"], "goes with neither"),
    ],
)
def test_what_text_does_not_go_with(replay, options, says):
    called = replay("trace", GOLDEN, "--text", *options)
    assert called.code == 2
    assert says in called.err


def test_a_stored_trace_is_not_computed_again(replay):
    called = replay("trace", GOLDEN.with_suffix(".trace"), "--text", "--engine", sys.executable)
    assert (called.code, called.out) == (2, "")
    assert "is a trace" in called.err


def test_a_broken_trace_is_one_line(replay, tmp_path):
    broken = tmp_path / "a.trace"
    broken.write_bytes(GOLDEN.with_suffix(".trace").read_bytes()[:900])
    called = replay("trace", broken, "--text")
    assert (called.code, called.out) == (2, "")
    assert called.err.count("\n") == 1


@pytest.mark.ci
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_diff_shows_what_a_bless_changed_in_a_new_game(tmp_path):
    starter.write(Names.of("seven_kings"), tmp_path)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(tmp_path)]
    replay = f"{shlex.quote(sys.executable)} -m kifu.replay trace --text"
    for call in (["init", "-q"], ["config", "diff.kifu.textconv", replay], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *call], check=True, capture_output=True)
    stored = tmp_path / "tests" / "golden" / "first.trace"
    stored.write_bytes(GOLDEN.with_suffix(".trace").read_bytes())
    shown = subprocess.run([*git, "diff"], check=True, capture_output=True, text=True).stdout
    assert "Binary files" not in shown
    assert "-game seven_kings" in shown
    assert "+game cake, rules 1" in shown
