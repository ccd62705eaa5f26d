"""`replay audit`: the object a log, the exit codes, and what becomes of files that are no logs."""

import os
from pathlib import Path

import kifu
import pytest
from kifu.core.game import Past
from kifu.core.match import Match

from ..conftest import CASES

KEYS = {"log", "game", "rules", "events", "ok", "finished", "points", "winners", "digests", "findings"}


@pytest.fixture
def audited(replay):
    def audit(*args: object) -> tuple[int, list[dict]]:
        called = replay("audit", "--json", *args)
        return called.code, called.lines

    return audit


def test_a_good_log(audited, match: kifu.Match, tmp_path: Path) -> None:
    path = tmp_path / "good.log"
    match.save(path)
    code, (records,) = audited(path)
    assert code == 0
    assert records == {
        "log": str(path),
        "game": "take_and_share",
        "rules": match.game.version,
        "events": len(match.events),
        "ok": True,
        "finished": True,
        "points": list(match.result.points),
        "winners": list(match.result.winners),
        "digests": "checked",
        "findings": [],
    }


def test_findings_say_where_and_by_which_rule(audited) -> None:
    code, (records,) = audited(CASES / "take_and_share/002-illegal.log")
    assert code == 1
    assert set(records) == KEYS
    (finding,) = records["findings"]
    assert set(finding) == {"seq", "kind", "rule", "message"}
    assert (finding["seq"], finding["kind"], finding["rule"]) == (115, "rule", "TS-2")
    assert finding["message"].startswith("seat 1 played ♦10, which is not in the hand")


@pytest.mark.ci
def test_the_rule_is_null_unless_the_kind_is_rule(audited) -> None:
    code, records = audited(CASES / "take_and_share", CASES / "damaged", "--jobs", "1")
    assert code == 2
    for finding in [finding for each in records for finding in each["findings"]]:
        assert (finding["rule"] is not None) == (finding["kind"] == "rule")
        assert isinstance(finding["message"], str)
        assert finding["message"].isprintable()


def test_what_is_unusable_wins_over_findings_and_the_rest_is_still_audited(audited, match, tmp_path) -> None:
    good, torn, text, absent = (tmp_path / name for name in ("a.log", "b.log", "c.log", "d.log"))
    match.save(good)
    torn.write_bytes(good.read_bytes()[:-3])
    text.write_text("no log")
    assert audited(torn)[0] == 1
    given = (absent, "x" * 5000, text, torn, good)
    code, records = audited(*given)
    assert code == 2
    assert [each["log"] for each in records] == [*map(str, given)]
    kinds = [[finding["kind"] for finding in each["findings"]] for each in records]
    assert kinds == [["file"], ["file"], ["header"], ["torn"], []]
    assert all(set(each) == KEYS for each in records)


def test_logs_of_a_folder_come_in_byte_order_of_their_paths(audited, match: kifu.Match, tmp_path: Path) -> None:
    names = ["B.log", "a.log", "sub/a.log", "sub.log", "é.log", "漢.log", "folder.log/a.log"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        match.save(tmp_path / name)
    (tmp_path / "other.txt").write_text("not asked for")
    code, records = audited(tmp_path)
    assert code == 0
    paths = [str(tmp_path / name) for name in names]
    assert [each["log"] for each in records] == sorted(paths, key=os.fsencode)


def test_digests_of_another_layout_are_reported_as_unchecked(audited, match: kifu.Match, tmp_path: Path) -> None:
    other = Match(match.game.altered(past=Past(9)), match.header)
    for event in match.events:
        other.apply(event.seat, event.command)
    other.save(tmp_path / "other.log")
    code, (records,) = audited(tmp_path / "other.log")
    assert (code, records["digests"]) == (0, "unchecked")


def test_takebacks_count_as_events_and_an_abandoned_match_is_fine(audited, tmp_path: Path) -> None:
    match = kifu.new("take_and_share", ["a", "b", "c"], seed=bytes(32), match="m", started=0)
    match.play(0, match.legal(0)[0])
    match.take_back(-1)
    match.deal()
    match.abandon()
    match.save(tmp_path / "left.log")
    code, (records,) = audited(tmp_path / "left.log")
    assert code == 0
    assert (records["events"], records["finished"], records["points"]) == (4, False, None)


def test_a_closed_folder_is_reported_and_the_rest_audited(audited, match: kifu.Match, tmp_path, monkeypatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    match.save(tmp_path / "good.log")
    real = os.scandir

    def scandir(path: str | Path) -> object:
        if Path(path) == closed:  # as for anybody but root, who may be running this
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return real(path)

    monkeypatch.setattr("os.scandir", scandir)
    code, records = audited(tmp_path)
    assert code == 2
    assert [(each["log"], each["ok"]) for each in records] == [(str(closed), False), (str(tmp_path / "good.log"), True)]
