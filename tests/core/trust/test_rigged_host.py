"""Every crime of the rigged host of the docs is found by the tool that the docs name, and an honest evening by none."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.replay.app import run

from . import rigged

PATH = Path(__file__).parents[3] / "docs" / "examples" / "rigged_host.py"
RIGGED = runpy.run_path(str(PATH))


def test_an_honest_evening_convicts_nobody() -> None:
    evening = RIGGED["Evening"]()
    evening.end()
    assert audit(evening.log).findings == []
    for player in evening.players:
        assert records.verify(player.record, evening.log).findings == ()
        for other in evening.players:
            assert records.compare(player.record, other.record).findings == ()


@pytest.mark.parametrize("crime", RIGGED["CRIMES"], ids=lambda crime: crime.__name__)
def test_each_crime_is_found(crime) -> None:
    tool, *files = crime(RIGGED["Evening"]())
    assert RIGGED["CRIMES"][crime] in {each.kind for each in RIGGED["verdict_over"](tool, *files)}


def test_a_host_that_tells_what_the_rules_tell_is_honest() -> None:
    at = rigged.table()
    verdict = records.verify(at.record(0), at.log)
    assert (verdict.findings, verdict.unchecked) == ((), ())


@pytest.mark.parametrize("name", rigged.LIES)
def test_a_lie_that_a_host_has_signed_is_found(name: str) -> None:
    lie = rigged.LIES[name]
    number, (record, log) = rigged.told_a_lie(lie)
    verdict = records.verify(record, log)
    assert [(each.kind, each.seq) for each in verdict.findings] == [(lie.kind, number)]


@pytest.mark.ci
def test_the_command_line_convicts_it_too(tmp_path, capsys) -> None:
    assert RIGGED["main"](tmp_path) == 0
    told = capsys.readouterr().out
    assert "nothing is found" not in told
    for crime in RIGGED["CRIMES"]:
        files = sorted(tmp_path.glob(f"{crime.__name__}-*"))
        log = [path for path in files if path.suffix == ".log"]
        seats = [path for path in files if path.suffix == ".seat"]
        if not seats:
            arguments = ["audit", *log]
        elif log:
            arguments = ["verify", *seats, "--against", *log]
        else:
            arguments = ["verify", *seats]
        assert run(list(map(str, arguments))) == 1, crime.__name__


def test_a_deal_without_a_host_verifies(tmp_path: Path) -> None:
    verdict = runpy.run_path(str(PATH.with_name("deal_fairly.py")))["deal_fairly"](tmp_path / "mine.seat")
    assert verdict.ok
    assert verdict.last == 1
