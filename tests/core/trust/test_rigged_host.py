"""Every crime of the rigged host of the docs is found by the tool that the docs name, and an honest evening by none."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from kifu.core.trust import records, sign
from kifu.core.trust.audit import audit
from kifu.replay.app import run

from . import rigged, rigged_by_others, rigged_replays

pytestmark = pytest.mark.skipif(not sign.is_available, reason="needs kifu[sign]")
PATH = Path(__file__).parents[3] / "docs" / "examples" / "rigged_host.py"
RIGGED = runpy.run_path(str(PATH)) if sign.is_available else {"CRIMES": {}}


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


@pytest.mark.ci
def test_hosts_that_cheat_in_other_ways_are_convicted_too() -> None:
    crimes = rigged.crimes()
    assert crimes.keys() == rigged.CONVICTED.keys()
    for name, (record, log) in crimes.items():
        assert rigged.CONVICTED[name] in {each.kind for each in records.verify(record, log).findings}, name
    at = rigged.table()
    assert records.verify(at.record(0), at.log).findings == (), "an honest one by nothing"
    assert records.verify(at.record(0), at.log).unchecked == ()


@pytest.mark.ci
@pytest.mark.parametrize("hosts", [rigged_by_others, rigged_replays], ids=["by others", "replays"])
def test_the_hosts_of_outsiders_are_convicted_too(hosts) -> None:
    crimes = hosts.crimes()
    assert crimes.keys() == hosts.CONVICTED.keys()
    for name, files in crimes.items():
        assert hosts.CONVICTED[name] in {each.kind for each in rigged.judged(*files)}, name
    for name, files in hosts.honest().items():
        assert list(rigged.judged(*files)) == [], name


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
