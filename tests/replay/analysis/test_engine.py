"""Whatever another engine does, it is one line and never a hang, and the next log goes on."""

import sys
import time
import venv
from pathlib import Path
from shutil import copytree, ignore_patterns

import kifu
import msgpack
import pytest
from kifu.core.errors import EngineError
from kifu.core.log import log_bytes
from kifu.core.match.engine import engine_name
from kifu.core.trace import Change, compare, read_trace, trace_log
from kifu.replay.analysis.engine import Engine

from ..conftest import SERVE, played, runs

ANSWER = """
import os, sys, time, msgpack
def trace_log(log):
    from kifu.core.trace import trace_log  # which takes its time
    return trace_log(log)
def say(**value): os.write(1, msgpack.packb(value))
def hello(**more): say(**{"kifu-engine": 1, "engine": "kifu other", **more})
def logs():
    requests = msgpack.Unpacker()
    while chunk := os.read(0, 65536):
        requests.feed(chunk)
        yield from (each["log"] for each in requests)
"""

HOSTILE = {
    "prints garbage without end": ("while True: os.write(1, bytes(4096))", "garbage"),
    "claims a list without end": (r"os.write(1, b'\xdd\xff\xff\xff\xff' * 9); time.sleep(900)", "garbage"),
    "says nothing": ("time.sleep(900)", "hangs"),
    "ends at once": ("", "ended with exit code 0"),
    "raises": ("raise SystemExit('no licence\\x1b[31m')", "exit code 1: no licence"),
    "is killed": ("os.kill(os.getpid(), 9)", "signal 9"),
    "speaks another version": ("hello(**{'kifu-engine': 2}); time.sleep(900)", "version 2"),
    "hangs at the log": ("hello(); time.sleep(900)", "hangs"),
    "leaves a child that holds its output": ("hello(); os.fork() or time.sleep(900); time.sleep(900)", "hangs"),
    "closes its output": ("hello(); os.close(1); time.sleep(900)", "closed its output"),
    "ends at the log": ("hello(); next(logs()); sys.exit('out of cards')", "out of cards"),
    "answers with a list": ("hello(); next(logs()); os.write(1, b'\\x90'); time.sleep(900)", "garbage"),
    "answers with no bytes": ("hello()\nfor log in logs(): say(trace='trace')", "no trace"),
    "cuts its traces short": ("hello()\nfor log in logs(): say(trace=trace_log(log)[:-1])", "cut short"),
    "prints between its answers": ("hello()\nfor log in logs(): print('hm', flush=True)", "garbage"),
    "refuses every log": ("hello()\nfor log in logs(): say(failed='not\\x1bmine')", "cannot use this log: not"),
    "answers without end": (
        "hello(); next(logs()); os.write(1, b'\\xc6\\xff\\xff\\xff\\xff')\nwhile True: os.write(1, bytes(1 << 16))",
        "longer than",
    ),
}


@pytest.fixture
def log(match) -> bytes:
    return log_bytes(match)


@pytest.mark.ci
@pytest.mark.parametrize(("code", "expected"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_engine_is_reported_in_one_line_and_in_time(engine, log, code, expected, monkeypatch) -> None:
    monkeypatch.setattr("kifu.replay.analysis.engine.MAX_BYTES", 1 << 22)
    time_limit = 0.5 if expected == "hangs" else 60  # none of them gets its sleep
    with Engine(engine(ANSWER + code), time_limit) as other, pytest.raises(EngineError, match=expected) as caught:
        other.trace(log)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("python", ["none", "", ".", "a\0b", str(Path(__file__).with_name("modified_engines.txt"))])
def test_what_is_no_program_is_reported_in_one_line(log: bytes, python: str) -> None:
    with Engine(python) as other, pytest.raises(EngineError, match="cannot be started"):
        other.trace(log)


@pytest.mark.ci
def test_an_engine_is_found_beside_the_caller_and_where_the_shell_would_find_it(engine, monkeypatch) -> None:
    path = engine(ANSWER + "hello(); time.sleep(900)")
    monkeypatch.chdir(path.parent)
    with Engine(Path("./engine")) as other:
        assert other.start() == "kifu other"
    monkeypatch.chdir("/")
    monkeypatch.setenv("PATH", str(path.parent))
    with Engine("engine") as other:
        assert other.start() == "kifu other"


def test_a_python_without_kifu_is_reported(engine, log: bytes) -> None:
    program = engine("import os, sys\nos.execv(sys.executable, [sys.executable, '-S', *sys.argv[1:]])")
    with Engine(program) as other, pytest.raises(EngineError, match="has no kifu that writes traces"):
        other.trace(log)


@pytest.mark.ci
def test_another_engine_of_the_same_rules_gives_the_same_trace(log: bytes) -> None:
    with Engine(sys.executable) as other:
        assert other.start() == engine_name()
        assert other.trace_bytes(log) == trace_log(log, named=True)
        other.ask(log, fast=True)
        assert other.answer(log).last.points == read_trace(trace_log(log)).last.points


@pytest.mark.ci
def test_one_process_serves_many_logs_and_a_new_one_after_it_failed(engine, log: bytes, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    code = f"open({str(starts)!r}, 'a').write('x'); hello()\n"
    code += "for count, log in enumerate(logs()):\n  if count == 3: sys.exit('tired')\n  say(trace=trace_log(log))"
    with Engine(engine(ANSWER + code)) as other:
        for count in range(8):
            if count % 4 == 3:
                with pytest.raises(EngineError, match="tired"):
                    other.trace(log)
            else:
                assert other.trace(log).log_end == read_trace(trace_log(log)).log_end
    assert starts.read_text() == "xx"


@pytest.mark.ci
def test_the_trace_of_another_log_is_not_taken_for_an_answer(engine, log: bytes) -> None:
    shorter = log_bytes(played("Aki", "Ren", "Mio", most=5))
    code = f"hello()\nfor log in logs(): say(trace=trace_log({shorter!r}))"
    with Engine(engine(ANSWER + code)) as other, pytest.raises(EngineError, match="of another log"):
        other.trace(log)


@pytest.mark.ci
def test_what_a_game_prints_is_not_mixed_with_the_answers(engine, log: bytes) -> None:
    code = "from kifu.core.game import Note\nof = Note.of\n"
    code += "def loud(*args, **more):\n  print('a card!', flush=True)\n  return of(*args, **more)\n"
    code += "Note.of = staticmethod(loud)\n"
    with Engine(engine(code + SERVE)) as other:
        assert compare(read_trace(trace_log(log)), other.trace(log)).change is Change.SAME


@pytest.mark.ci
def test_no_process_is_left(engine, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = f"child = os.fork()\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}} ')\nchild and hello()\ntime.sleep(900)"
    with Engine(engine(ANSWER + code)) as other:
        other.start()
        while len(pids.read_text().split()) < 2:
            time.sleep(0.01)
    time_limit = time.monotonic() + 300  # a kill takes its time on a busy machine; the sleep is longer still
    for pid in map(int, pids.read_text().split()):
        while runs(pid) and time.monotonic() < time_limit:
            time.sleep(0.01)
        assert not runs(pid)


@pytest.mark.ci
def test_this_pythons_own_paths_are_not_another_engines(engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "here")
    code = "hello(engine=os.environ.get('PYTHONPATH', 'none of mine'))\ntime.sleep(900)"
    with Engine(engine(ANSWER + code)) as other:
        assert other.start() == "none of mine"


@pytest.mark.long
def test_another_environment_with_another_version_runs_as_an_engine(log: bytes, tmp_path: Path) -> None:
    """A virtual environment with a copy of kifu in which the earliest of equals does not win."""
    venv.create(tmp_path / "other", symlinks=True)
    python = tmp_path / "other" / "bin" / "python"
    (site,) = (tmp_path / "other").glob("lib/python*/site-packages")
    ours = Path(kifu.__file__).resolve().parent
    copytree(ours, site / "kifu", ignore=ignore_patterns("build", "tests", "fixtures", ".*", "__pycache__"))
    (site / "libraries.pth").write_text(str(Path(msgpack.__file__).parents[1]))
    rules = site / "kifu" / "games" / "take_and_share" / "rules.py"
    old = "return numbers.index(max(numbers) if followed(trick) else min(numbers))"
    assert old in rules.read_text()
    rules.write_text(rules.read_text().replace(old, old.replace("max", "min")))
    with Engine(python) as other:
        comparison = compare(read_trace(trace_log(log)), other.trace(log))
    assert comparison.change is Change.ILLEGAL
    assert comparison.first is not None
