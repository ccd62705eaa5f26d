"""A log with something wrong in it is left out, and named with its first finding, by each verb that counts many."""

import re

import pytest

CALLS = {
    "stats": ("stats", "DIR"),
    "table": ("table", "DIR", "-o", "OUT.parquet"),
    "impact": ("impact", "DIR", "--option", "long=true"),
}
UNREAD = {"stats": 1, "table": 1, "impact": 2}
"""The exit code where logs have findings."""


@pytest.fixture(params=CALLS)
def counted(request: pytest.FixtureRequest, replay, log, illegal, tmp_path):
    """A call of a verb with a folder: a good log, and one that breaks a rule and is torn besides."""
    if request.param == "table":
        pytest.importorskip("pyarrow", reason="needs kifu[stats]")
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.log").write_bytes(log.read_bytes())
    (folder / "b.log").write_bytes(illegal.read_bytes() + b"\x97\x07")

    def call(*more: object):
        out = tmp_path / f"out{len(list(tmp_path.iterdir()))}"
        words = (word.replace("DIR", str(folder)).replace("OUT", str(out)) for word in CALLS[request.param])
        return replay(*words, *more)

    return folder, UNREAD[request.param], call


def test_bad_logs_are_reported_and_left_out(counted) -> None:
    folder, code, call = counted
    called = call()
    assert called.code == code
    assert f"left out: {folder / 'b.log'}: rule: event 6: TS-2: " in called.out
    (folder / "c.log").write_text("no log")
    called = call("--json")
    assert called.code == 2
    assert re.findall(r'"log": "[^"]*/(\w)\.log"[^}]*"(?:left_out|why|skipped)": "', called.out) == ["b", "c"]
    assert re.search(r'"(?:left_out|skipped)": 2\b', called.out)


def test_the_rule_that_a_log_breaks_is_said_in_japanese(counted) -> None:
    folder, _, call = counted
    (line,) = (line for line in call("--lang", "ja").out.splitlines() if "b.log" in line)
    assert "6手目、ルール違反：TS-2：" in line
    assert not re.search("[a-z]{3}", line.replace(str(folder / "b.log"), ""))


def test_of_many_bad_logs_the_first_are_named(replay, log, tmp_path) -> None:
    (tmp_path / "good.log").write_bytes(log.read_bytes())
    for number in range(15):
        (tmp_path / f"{number}.log").touch()
    called = replay("stats", tmp_path)
    assert called.out.count("left out: ") == 10
    assert called.out.endswith("and 5 more left out\n")
