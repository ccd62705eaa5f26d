"""`replay golden` and `pytest --kifu-golden`: what changed is told and fails; it is stored only when blessed."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import attrs
import pytest
from kifu import games
from kifu.core.log import load, log_bytes, read
from kifu.core.log.findings import audit_record
from kifu.core.trace import read_trace, trace_log
from kifu.games.take_and_share import rules

from ..conftest import CASES, FIXTURES, ROOT


@pytest.fixture
def folder(replay, log: Path, tmp_path: Path) -> Path:
    """A folder of two golden logs, blessed as they are."""
    folder = tmp_path / "golden"
    (folder / "inner").mkdir(parents=True)
    cake = FIXTURES / "cake" / "three_seats.log"
    for path, name in ((log, "whole.log"), (cake, "inner/cake.log")):
        (folder / name).write_bytes(path.read_bytes())
    assert replay("golden", folder, "--bless").code == 0
    return folder


def test_blessing_stores_the_trace_and_the_end(replay, folder: Path) -> None:
    for log in (folder / "whole.log", folder / "inner" / "cake.log"):
        assert log.with_suffix(".trace").read_bytes() == trace_log(log.read_bytes())
        end = json.loads(log.with_suffix(".json").read_text("utf-8"))
        assert {**end, "findings": []} == audit_record(read(log))
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    called = replay("golden", folder, exits=0)
    assert called.out == "cake: 1 log, 1 the same\ntake_and_share: 1 log, 1 the same\n"
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before


@pytest.mark.ci
@pytest.mark.usefixtures("plants")
def test_a_change_of_a_rule_is_shown_field_by_field_and_stored_only_when_blessed(replay, folder, monkeypatch) -> None:
    """Seat 0 has 50 points more."""
    score = rules.score
    monkeypatch.setattr(rules, "score", lambda piles: (score(piles)[0] + 50, *score(piles)[1:]))
    stored = folder / "whole.trace"
    before = stored.read_bytes()
    called = replay("golden", folder, exits=1)
    lines = called.out.splitlines()
    assert lines[0] == f"different: {folder / 'whole.log'}"
    assert [line.split(":")[0] for line in lines[1:4]] == [f"    step {seq}" for seq in (67, 68, 69)]
    assert lines[4].startswith("  step 70 differs: ")
    assert any(line.split()[0] == "totals[0]" for line in lines)
    assert any("another winner" in line for line in lines)
    assert any(line.startswith("  winners: stored [") for line in lines)
    assert lines[-1] == "take_and_share: 1 log, 1 different"
    assert stored.read_bytes() == before
    told = {each["log"]: each for each in replay("golden", folder, "--json").lines}
    cake = str(folder / "inner" / "cake.log")
    assert told[cake] == {"log": cake, "is": "the same", "differs": []}
    other = told[str(folder / "whole.log")]
    assert (other["is"], other["differs"][3][:15]) == ("different", "step 70 differs")

    assert replay("golden", folder, "--bless").code == 1, "another end breaks an old log"
    blessed = replay("golden", folder, "--bless", "--anyway", "whole", exits=0)
    stored_anew = ["  whole.trace stored anew", "  whole.json stored anew"]
    assert [*lines[1:-2], *stored_anew] == [line for line in blessed.out.splitlines() if line.startswith("  ")]
    assert read_trace(stored.read_bytes()).last.winners == [0]
    assert replay("golden", folder).code == 0


BROKEN = {
    "no trace": (".trace", None, "whole.trace is missing"),
    "a trace cut short": (".trace", -9, "cut short"),
    "no end": (".json", None, "whole.json is missing"),
    "an end that is no JSON": (".json", b"{", "whole.json cannot be read"),
    "an end that is a list": (".json", b"[]", "whole.json cannot be read"),
    "an end that is nested without end": (".json", b"[" * 100_000, "whole.json cannot be read"),
    "an end that says something else": (".json", b'{"game": 3}', "game: stored 3, now"),
    "a log cut short": (".log", -9, "begin alike"),
}


@pytest.mark.ci
@pytest.mark.parametrize(("suffix", "content", "expected"), BROKEN.values(), ids=BROKEN.keys())
def test_what_is_missing_or_damaged_is_reported_and_the_others_go_on(replay, folder, suffix, content, expected) -> None:
    path = folder / f"whole{suffix}"
    if content is None:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:content] if isinstance(content, int) else content)
    called = replay("golden", folder, exits=1)
    assert expected in called.out
    assert "cake: 1 log, 1 the same" in called.out
    assert replay("golden", folder, "--bless", "--anyway", "whole").code == 0
    assert replay("golden", folder).code == 0


def test_a_log_that_is_none_is_reported_and_never_blessed(replay, folder: Path) -> None:
    (folder / "none.log").write_bytes(b"no log")
    (folder / "\x1b[31m.log").write_bytes(b"no log")
    for more in ((), ("--bless",)):
        called = replay("golden", folder, *more, exits=2)
        assert f"unusable: {folder / 'none.log'}" in called.out
        assert "\x1b" not in called.out
        assert not (folder / "none.trace").exists()


@pytest.mark.ci
def test_a_trace_of_format_1_is_compared_as_far_as_it_goes_and_stored_anew_when_blessed(replay, folder: Path) -> None:
    old = ROOT / "tests" / "core" / "trace" / "format_1.trace"
    log = FIXTURES / "take_and_share" / "three_seats.log"
    (folder / "old.log").write_bytes(log.read_bytes())
    (folder / "old.json").write_bytes(log.with_suffix(".json").read_bytes())
    (folder / "old.trace").write_bytes(old.read_bytes())
    assert read_trace(old.read_bytes()).format == 1
    assert replay("golden", folder).code == 0
    assert "format 1: states, notes, results and legal commands" in replay("diff", folder / "old.log", old).out
    assert replay("golden", folder, "--bless").code == 0
    assert read_trace((folder / "old.trace").read_bytes()).format == 2


(PLUGIN,) = (each.value for each in entry_points(group="pytest11") if each.name == "kifu")


def run_pytest(folder: Path, *args: object) -> subprocess.CompletedProcess[str]:
    """Run pytest elsewhere, as the author of another game would, but without the plugins of others: they take long."""
    call = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", PLUGIN, *map(str, args)]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(call, cwd=folder, capture_output=True, text=True, env=env, timeout=120)


WRONG = """
from kifu.games.take_and_share import rules
score = rules.score
rules.score = lambda piles: (score(piles)[0] + 50, *score(piles)[1:])
"""


@pytest.mark.ci
@pytest.mark.usefixtures("plants")
def test_the_plugin_makes_each_log_a_test_with_a_readable_failure(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(WRONG)
    done = run_pytest(tmp_path, "--kifu-golden", folder)
    assert done.returncode == 1
    assert "collected 2 items" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert "step 70 differs: " in done.stdout
    assert "another winner" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.ci
def test_a_folder_without_logs_is_a_mistake_of_the_call(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--kifu-golden", tmp_path)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "no logs" in done.stderr


@pytest.mark.long
def test_a_folder_that_is_missing_fails_one_test_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "test_own.py").write_text("def test_own(): pass")
    (tmp_path / "pytest.ini").write_text("[pytest]\nkifu_golden = golden\n")
    done = run_pytest(tmp_path)
    assert "1 failed, 1 passed" in done.stdout
    assert f"there is no folder {tmp_path / 'golden'}" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.ci
@pytest.mark.usefixtures("plants")
def test_the_plugin_stores_what_is_so_now_and_removes_orphans_when_asked(folder: Path, tmp_path: Path) -> None:
    log, trace = folder / "whole.log", folder / "whole.trace"
    before = trace.read_bytes()
    trace.write_bytes(before[:-9])
    (folder / "orphan.trace").write_bytes(before)
    done = run_pytest(tmp_path, "--kifu-golden", folder, "--kifu-update", "-p", "xdist", "-n", "2")
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    assert trace.read_bytes() == before == trace_log(log.read_bytes())
    assert (folder / "orphan.trace").exists()
    assert "3 passed" in run_pytest(tmp_path, "--kifu-golden", folder, "--kifu-update", "--kifu-remove-orphans").stdout
    assert not (folder / "orphan.trace").exists()

    (tmp_path / "conftest.py").write_text(WRONG)
    done = run_pytest(tmp_path, "--kifu-golden", folder, "--kifu-update")
    assert "1 failed, 1 passed" in done.stdout
    assert "whole.log does not audit clean" in done.stdout
    assert trace.read_bytes() == before, "an old log stays as it is"


@pytest.mark.ci
def test_the_plugin_costs_a_run_that_does_not_use_it_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_own.py").write_text(
        "import sys\n"
        "def test_own():\n"
        f"    assert {PLUGIN!r} in sys.modules\n"
        "    assert not {'kifu', 'attrs', 'attr', 'cattrs', 'msgpack', 'rich', 'fluent'} & set(sys.modules)\n"
    )
    done = run_pytest(tmp_path)
    assert "1 passed" in done.stdout, done.stdout


def test_bless_refuses_a_log_that_does_not_audit_clean_unless_it_is_named(replay, tmp_path: Path) -> None:
    """It was stored as clean, and its bytes hold a move that is illegal today."""
    source = CASES / "take_and_share"
    bad = next(
        log for log in sorted(source.glob("*.log")) if not json.loads(log.with_suffix(".json").read_text())["ok"]
    )
    (tmp_path / "old.log").write_bytes(bad.read_bytes())
    refused = replay("golden", tmp_path, "--bless", exits=1)
    assert re.search(r"old.log does not audit clean: \w+: event \d+: ", refused.out)
    assert "Raise the rules version" in refused.out
    assert not (tmp_path / "old.json").exists()
    assert not (tmp_path / "old.trace").exists()
    assert replay("golden", tmp_path, "--bless", "--anyway", "old.log").code == 0
    assert replay("golden", tmp_path).code == 0
    assert replay("golden", tmp_path, "--bless").code == 0, "what is expected to be broken stays so"


@pytest.mark.ci
def test_bless_refuses_another_end_of_a_finished_log(replay, folder: Path) -> None:
    stored = folder / "whole.json"
    other = json.dumps({**json.loads(stored.read_text()), "winners": [0, 1, 2]})
    stored.write_text(other)
    refused = replay("golden", folder, "--bless")
    assert (refused.code, "another end" in refused.out) == (1, True)
    assert stored.read_text() == other


def test_where_states_are_packed_otherwise_the_layout_that_is_due_is_named(replay, folder: Path, monkeypatch) -> None:
    """Every digest fails, as after one more option, and no state differs."""
    monkeypatch.setattr("kifu.core.log.reader.digest", lambda state: bytes(8))
    called = replay("golden", folder, exits=1)
    assert f"set Past(layout={games.find('take_and_share').past.layout + 1}) (docs/change-a-rule.md)" in called.out


def test_notes_that_read_alike_are_shown_by_their_values(replay, folder: Path, monkeypatch) -> None:
    def explained(step, viewer):
        for each in step.game.explain(step, viewer):
            yield attrs.evolve(each, values=(*each.values, ("more", 7))) if each.key == "led" else each

    monkeypatch.setattr("kifu.core.game.Step.notes_for", lambda step, viewer: tuple(explained(step, viewer)))
    said = replay("golden", folder).out
    assert "now by TS-2: led (" in said
    assert "more 7" in said


def test_blessing_names_the_files_that_become_others(replay, folder: Path, monkeypatch) -> None:
    """One more value in a note changes the trace and no end; a log written anew has another trace."""
    monkeypatch.setattr("kifu.core.game.Step.notes_for", lambda step, viewer: ())
    said = replay("golden", folder, "--bless").out
    assert "whole.trace stored anew" in said
    assert "whole.json" not in said
    match = load(folder / "whole.log")
    match.header = attrs.evolve(match.header, engine="another")
    (folder / "whole.log").write_bytes(log_bytes(match))
    assert "two logs of the match " in replay("golden", folder).out


def run_git(folder: Path, *args: str) -> str:
    """Run git in a repository, with `replay` as a program and the package of the working tree on Python's path."""
    program = folder.parent / "bin" / "replay"
    if not program.exists():
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m kifu.replay "$@"\n')
        program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(folder / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    call = ["git", "-C", str(folder), "-c", "user.name=who", "-c", "user.email=who@example.org", *args]
    return subprocess.run(call, check=True, capture_output=True, text=True, env=environment, timeout=120).stdout


@pytest.mark.ci
def test_git_bisect_finds_the_commit_by_the_call_of_the_docs(replay, tmp_path: Path) -> None:
    """A commit whose game cannot be loaded is passed over, not taken for the guilty one."""
    repo, kept = tmp_path / "repo", tmp_path / "kept"
    assert replay("new-game", "seven_hearts", "-o", repo, "--package").code == 0
    shutil.copytree(repo / "tests" / "golden", kept)
    described = repo / "src" / "seven_hearts-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: seven-hearts\nVersion: 1\n")
    (described / "entry_points.txt").write_text("[kifu.games]\nseven_hearts = seven_hearts:GAME\n")
    run_git(repo, "init", "-q", "-b", "main")
    rules = repo / "src" / "seven_hearts" / "rules.py"
    good, broken = rules.read_text(), "raise SystemExit(3)\n"
    bad = good.replace("[max(cards)", "[ min(cards)")  # of another size: within a second Python sees no other change
    assert bad != good
    for subject, source in (
        ("first", good),
        ("second", f"{good}\n"),
        ("broken", f"{broken}{good}"),
        ("broken still", f"{broken}{good}\n"),
        ("mended", good),
        ("guilty", bad),
        ("last", f"{bad}\n"),
    ):
        rules.write_text(source)
        run_git(repo, "add", "-A")
        run_git(repo, "commit", "-q", "-m", subject)
    run_git(repo, "bisect", "start", "main", "main~6")
    page = (ROOT / "docs" / "golden-logs.md").read_text("utf-8")
    (call,) = re.findall(r"^    git (bisect run .*)$", page, re.MULTILINE)
    told = run_git(repo, *shlex.split(call))
    assert "is the first bad commit" in told, told
    assert run_git(repo, "show", "-s", "--format=%s", "refs/bisect/bad") == "guilty\n"
