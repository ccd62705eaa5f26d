"""The contract of the command line: one line for an error, the exit codes, nothing but JSON, no traceback ever."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import kifu
import msgpack
import pytest
from kifu.core.log import log_bytes
from kifu.core.match.game_files import load_game
from kifu.replay.app import ERRORS, VERBS
from kifu.replay.options import viewer
from kifu.replay.starter import FILE as STARTER

from .conftest import FIXTURES, SERVE, played
from .wrong_calls import WRONG, calls_of

NEEDS = {"serve": "uvicorn", "table": "pyarrow"}


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    (tmp_path / "binary.log").write_bytes(bytes(range(256)) * 16)
    (tmp_path / "empty.log").write_bytes(b"")
    (tmp_path / "text.log").write_text("{}")
    one, other = FIXTURES / "cake" / "two_eaten.trace", FIXTURES / "gosne" / "four_seats.trace"
    (tmp_path / "cut.trace").write_bytes(one.read_bytes()[:2000])
    (tmp_path / "one.trace").write_bytes(one.read_bytes())
    (tmp_path / "other.trace").write_bytes(other.read_bytes())
    (tmp_path / "head.trace").write_bytes(one.read_bytes()[:30])
    (tmp_path / "cake").write_bytes(one.with_suffix(".log").read_bytes())
    (tmp_path / "short").write_bytes(log_bytes(played("Aki", "Ren", "Mio", most=3)))
    (tmp_path / "empty").mkdir()
    for name in ("there.parquet", "half.matches.parquet"):
        (tmp_path / name).write_text("mine")
    return tmp_path


@pytest.fixture
def calls(verb: str, log: Path, illegal: Path, bad: Path, engine) -> list[tuple[list[str], str]]:
    """The calls of a verb that cannot be carried out, and what is said of each."""
    if verb in NEEDS:
        pytest.importorskip(NEEDS[verb], reason="needs kifu[web] and kifu[stats]")
    meant = {"ILLEGAL": str(illegal), "LOG": str(log), "DIR": str(bad), "STORE": f"sqlite:{bad}/m.db"}
    return calls_of(verb, {**meant, "ENGINE": str(engine(SERVE)), "PYTHON": sys.executable})


def content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("verb", WRONG)
def test_a_call_that_cannot_be_carried_out_is_reported_in_one_line(refused, calls, bad: Path, verb: str) -> None:
    before = content(bad)
    for args, expected in calls:
        for more in ((), ("--json",)) if verb in ("show", "rules", "simulate") else ((),):
            said = refused(*args, *more)
            assert expected in said, args
            assert len(said) < 600, args
            assert "this is a bug in kifu" not in said, args
    assert content(bad) == before


NAMES = {
    *["replay", "kifu", "audit", "spectator", "html", "json", "take_and_share", "cake", "palace", "gosne", "mabr"],
    *["random", "greedy", "ismcts", "text", "openai", "memory", "files", "sqlite", "postgresql", "first", "long"],
    *["easy", "normal", "strong", "deals", "test", "true", "false"],
    *["check", "copy", "import", "expire", "witness", "rotate", "keys", "resume", "elder_votes", "high_card"],
    *["victory", "zero_sum", "points", "score", "placing", "matches", "Python"],
    *(word for verbs in VERBS.values() for verb in verbs for word in verb.split("-")),
}


@pytest.mark.parametrize("verb", WRONG)
def test_it_is_reported_without_a_word_of_english_in_a_japanese_call(replay, calls, monkeypatch, verb: str) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    for args, _ in calls:
        output = replay(*args).err
        assert re.search("[ぁ-ん]", output), args
        for arg in args:
            output = output.replace(arg, "") if len(arg) > 2 else output
        output = re.sub(r"'[^']*'|--?[a-z]+|[!-~]*[/.][!-~]*", "", output)  # quotations, options, paths
        words = re.findall(r"(?<![\dA-Za-z_])[A-Za-z_]*[a-z]{3}[a-z_]*(?![\dA-Za-z]|-\d)", output)
        assert [word for word in words if word not in NAMES and len(word) < 60] == [], output


MANUAL = (FIXTURES.parent / "docs" / "cli.md").read_text("utf-8")
JSON = """
show LOG; games; games cake; rules take_and_share; rules cake --coverage cake; audit LOG; audit LOG --rewards points
golden cake; when LOG points; when LOG 'points[0] > 0'; diff LOG OTHER; diff cake golden; impact LOG --option long=true
seek cake --engine PYTHON --tries 1 -o sought.log; shrink LOG --rule TS-8 --tries 2 -o short.log; stats LOG cake
rate LOG; simulate cake -o random; simulate cake --bots random --games 2 -o bots; export LOG --anonymous -o nameless.log
"""


def told(verb: str) -> set[str]:
    """The fields that the manual names for a verb."""
    heading, bold = f"## JSON: `replay {verb}`\n", f"\n**`{verb}"
    text = MANUAL.partition(heading)[2].partition("\n## ")[0] if heading in MANUAL else MANUAL.partition(bold)[2]
    return set(re.findall(r"[\"`](\w+)[\"`]", text.partition("\n**`")[0]))


@pytest.mark.ci
@pytest.mark.parametrize("call", [each.strip() for each in re.split(r"[;\n]", JSON) if each.strip()])
def test_json_is_json_lines_with_the_fields_of_the_manual(replay, log: Path, tmp_path: Path, monkeypatch, call) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("cake", "golden"):
        Path(name).mkdir()
        for file in (FIXTURES / "cake").glob("three_seats.*"):
            shutil.copy(file, name)
    given = {"LOG": str(log), "OTHER": str(FIXTURES / "take_and_share" / "four_seats.log"), "PYTHON": sys.executable}
    called = replay(*(given.get(arg, arg) for arg in shlex.split(call)), "--json")
    assert called.code in (0, 1)
    assert called.out.isascii()
    lines = called.lines
    assert lines
    assert {field for line in lines for field in line} <= told(call.split()[0])


def test_a_bug_of_kifu_is_reported_in_one_line_too(refused, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of_kifu: dict[str, object] = {}
    exec(compile(r"def fail(*_): raise RuntimeError('a\x1b[31m\nbug')", kifu.__file__, "exec"), of_kifu)
    monkeypatch.setattr("kifu.replay.commands.show.require_logs", of_kifu["fail"])
    assert refused("show", log).startswith("replay: this is a bug in kifu")


@pytest.mark.parametrize("function", ["to_act", "result", "legal"])
def test_a_bug_of_a_game_is_reported_as_the_games_with_its_line(refused, tmp_path: Path, function: str) -> None:
    source = STARTER.read_text("utf-8")
    broken = re.sub(rf"(def {function}\(.*\n)", r"\1    state.hands[99]\n", source)
    (tmp_path / f"fails_in_{function}.py").write_text(broken, "utf-8")
    line = 1 + broken.splitlines().index("    state.hands[99]")
    said = refused("simulate", tmp_path / f"fails_in_{function}.py", "-o", tmp_path / "logs")
    assert said.startswith("replay: the code of the game failed: IndexError(")
    assert said.endswith(f" (fails_in_{function}.py, line {line})\n")


def test_an_audit_does_not_blame_the_log_for_a_game_that_fails(replay, tmp_path: Path) -> None:
    faulty, log = tmp_path / "faulty.py", tmp_path / "m.log"
    failing = r"\1    if any(state.turned): state.hands[99]\n"
    faulty.write_text(re.sub(r"(def result\(.*\n)", failing, STARTER.read_text("utf-8")), "utf-8")
    match = kifu.new(load_game(str(faulty)), ["Aki", "Ren"], seed=bytes(32))
    for seat in (0, 1):
        match.play(seat, match.legal(seat)[0])
    log.write_bytes(log_bytes(match, ended=False))
    (found,) = replay("audit", log, "--game", faulty, "--json").lines[0]["findings"]
    assert (found["kind"], "result failed" in found["message"]) == ("game", True)


def test_an_interrupt_ends_with_one_line(replay, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kifu.replay.commands.show.require_logs", interrupt)
    for lang, line in (("en", "replay: interrupted\n"), ("ja", "replay: 中断した\n")):
        called = replay("show", log, "--lang", lang)
        assert (called.code, called.out, called.err) == (130, "", line)


@pytest.mark.ci
def test_an_interrupt_while_it_loads_is_no_traceback() -> None:
    """The first module that it loads is interrupted."""
    code = """
import sys
class Interrupted:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from kifu.replay import main
main()
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"")


def test_the_version_is_printed(replay) -> None:
    compiled = " (compiled)" if kifu.COMPILED else ""
    assert replay("--version").out == f"replay, of kifu {kifu.__version__}{compiled}\n"


def shell(command: str, **more: str) -> subprocess.CompletedProcess[str]:
    program = f"'{sys.executable}' -c 'from kifu.replay import main; main()'"
    env = {**os.environ, **more}
    return subprocess.run(
        ["bash", "-c", command.replace("replay", program, 1)], capture_output=True, text=True, env=env, timeout=60
    )


@pytest.mark.ci
def test_a_reader_who_goes_away_is_no_error(log: Path) -> None:
    done = shell(f"set -o pipefail; replay show {log} --json | head -n 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


@pytest.mark.ci
def test_a_full_disk_and_closed_streams_leave_no_traceback(log: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    full = shell(f"replay show {log} > /dev/full")
    assert full.returncode == 2
    assert full.stderr == "replay: cannot be written: No space left on device\n"
    assert shell(f"replay show {log} >&-").stderr == ""
    assert shell(f"replay show {log}/x 2>&-").returncode == 2


@pytest.mark.ci
def test_a_terminal_without_our_characters_shows_others(log: Path) -> None:
    done = shell(f"replay show {log} --lang ja", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Take & Share" in done.stdout


def test_suits_and_quotes_are_letters_where_there_are_none(replay) -> None:
    replay("--version")  # which makes the error handler known
    assert "♠3 “x” 棋".encode("ascii", ERRORS) == b'S3 "x" ?'


def test_colour_is_for_terminals_that_want_it_and_plain_has_none(replay, at_terminal, log, monkeypatch) -> None:
    call = ("show", log, "--to", 2)
    assert "\x1b[31m" in at_terminal(*call)[1]
    assert "\x1b[31m" not in at_terminal(*call, NO_COLOR="1")[1]
    assert "\x1b" not in at_terminal(*call, "--plain")[1]
    assert "\x1b" not in replay(*call).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in replay(*call).out
    assert "\x1b" not in replay(*call, "--plain").out


@pytest.mark.ci
def test_without_its_extra_the_program_names_it_in_one_line() -> None:
    code = "import sys; sys.modules['click'] = None; from kifu.replay import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "replay: the command line needs an extra: pip install 'kifu[replay]'\n"


@pytest.mark.parametrize(
    ("call", "library", "extra"),
    [
        ("audit memory://logs", "fsspec", "bulk"),
        ("audit LOG --cluster tcp://127.0.0.1:9", "distributed", "bulk"),
        ("stats LOG -o DIR/m.html", "vl_convert", "stats"),
        ("table LOG -o DIR/e.parquet", "pyarrow", "stats"),
    ],
)
def test_what_needs_an_extra_says_which(refused, log, tmp_path, monkeypatch, call, library, extra) -> None:
    for module in ("logs.dask_pool", "stats.charts", "analysis.table_files"):
        monkeypatch.delitem(sys.modules, f"kifu.replay.{module}", raising=False)
        monkeypatch.delattr(f"kifu.replay.{module}", raising=False)
    for missing in (library, f"{library}.core"):
        monkeypatch.setitem(sys.modules, missing, None)
    said = refused(*call.replace("LOG", str(log)).replace("DIR", str(tmp_path)).split())
    assert said.endswith(f" needs an extra: pip install 'kifu[{extra}]'\n")


@pytest.mark.ci
def test_several_logs_are_shown_one_after_the_other(replay, log: Path, tmp_path: Path) -> None:
    """As the help has it: `replay show logs/*.log`."""
    one = replay("show", log).out
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_bytes(log.read_bytes())
    assert replay("show", tmp_path / "a.log", tmp_path / "b.log").out == f"{one}\n{one}"
    assert replay("show", tmp_path).out == f"{one}\n{one}"


def test_a_seat_is_named_by_its_player(replay, log: Path, tmp_path: Path) -> None:
    assert replay("show", log, "--as", "Ren").out == replay("show", log, "--as", "1").out
    for typed in ("か\u3099", " が", "が\u200b"):
        assert viewer(typed, ["か", "が"]) == 1
    twins = tmp_path / "twins.log"
    played("Aki", "Aki", "1", most=3).save(twins)
    assert replay("show", twins, "--as", "Aki").code == 2
    assert replay("show", twins, "--as", "1").out == replay("show", twins, "--as", "1").out != ""
    assert "as seen by Aki" in replay("show", twins, "--as", "1").out  # a number is a seat, whoever is called so


def test_options_are_not_cut(replay, tmp_path: Path) -> None:
    options = {"chestnuts": dict.fromkeys(range(15), 1)}
    match = kifu.new("gosne", ["Aki", "Ren", "Mio", "Sou"], options, seed=bytes(32))
    match.save(tmp_path / "many.log")
    out = " ".join(replay("show", tmp_path / "many.log").out.split())
    assert "14:1" in out


def test_a_log_that_is_newer_asks_for_a_newer_kifu(replay, log: Path, tmp_path: Path) -> None:
    unpacker = msgpack.Unpacker(strict_map_key=False)
    unpacker.feed(log.read_bytes())
    header = unpacker.unpack()
    rest = log.read_bytes()[unpacker.tell() :]
    for key, newer in (("kifu", header["kifu"] + 1), ("rules", header["rules"] + 1)):
        (tmp_path / "newer.log").write_bytes(msgpack.packb({**header, key: newer}) + rest)
        said = replay("show", tmp_path / "newer.log").err
        assert said.endswith("; install a newer kifu, or a newer version of the game\n")
    (tmp_path / "newer.log").write_bytes(msgpack.packb({**header, "rules": 0}) + rest)
    assert "install a newer" not in replay("show", tmp_path / "newer.log").err


def test_an_interrupted_simulation_names_its_seed(replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kifu.replay.commands.simulate.WorkerPool.map", interrupted)
    called = replay("simulate", "cake", "-o", tmp_path / "logs", "--seed", "ab" * 32)
    assert called.code == 130
    assert called.err == f"replay: interrupted; the same matches again: --seed {'ab' * 32}\n"
