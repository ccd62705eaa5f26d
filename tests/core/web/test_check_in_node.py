"""The page's own check, in node, beside `test_three_verifiers.py`: what it writes, and what it leaves to the engine."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
from random import Random

import pytest
from kifu.core.trust import records, sign
from kifu.core.trust.audit import audit
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.records import verify_fork

from ..trust import forked, rigged
from ..trust.playing import Table, held
from ..trust.test_honest import KEYS
from ..trust.test_tampering import put_together, taken_apart
from ..trust.vectors import FILES
from .page_check import ROOT, TABLE, at_the_page

pytestmark = pytest.mark.skipif(not sign.is_available, reason="needs kifu[sign]")


@pytest.mark.ci
def test_it_writes_a_record_s_bytes_and_says_its_code(tmp_path):
    docs = runpy.run_path(str(ROOT / "docs" / "examples" / "rigged_host.py"))
    evening = docs["Evening"]()
    evening.end()
    cases = {str(seat): (player.record, evening.log) for seat, player in enumerate(evening.players)}
    for name, found in at_the_page(cases, tmp_path).items():
        assert found["findings"] == []
        assert found["same"], "the page writes the record's bytes"
        verdict = records.verify(*cases[name])
        assert found["ownCode"] == found["code"] == verdict.code
        assert (found["key"], found["shared"], found["played"]) == (verdict.fingerprint, 0, 0)


@pytest.mark.ci
def test_it_says_whose_key_it_is_what_a_fork_shares_and_what_others_played(tmp_path):
    """A log whose signatures are all put out passes as a fork of an unknown match: so much is said of it."""
    fork = FILES["fork.log"]
    assert audit(fork).unchecked
    cases = {"fork": (None, fork), "stand-in": rigged.crimes()["puts a stand-in in place of a signed move"]}
    unsigned = Table(held("cake", (0, 0, 0), Random(7), keys=[None] * 3, host_key=KEYS[6]), [None] * 3, KEYS[6])
    unsigned.abandon(0)
    cases["no consent"] = unsigned.record(0), unsigned.log
    cases["no key"] = FILES["marks-only-seat2.seat"], FILES["marks-only.log"]
    found = at_the_page(cases, tmp_path)
    assert found["fork"]["shared"] == read_log(fork).forked_at + 1 > 0
    verdict = records.verify(*cases["stand-in"])
    assert found["stand-in"]["key"] == verdict.fingerprint
    assert found["stand-in"]["played"] == sum(sum(each.values()) for each in verdict.played_for.values()) > 0
    assert found["no consent"]["ended"] == "called off"
    assert [found["no key"][each] for each in ("key", "shared", "played")] == [None, 0, 0]


@pytest.mark.ci
def test_cards_that_are_not_the_seed_s_are_the_engine_s_to_find(tmp_path):
    """All that the host told fits its log, and the seed is honest; only the game's own deal tells."""
    record, log = rigged.deals_other_cards()
    (finding,) = records.verify(record, log).findings
    assert (finding.kind, finding.seq, finding.rule) == ("rule", 0, "SEED")
    assert at_the_page({"dealt": (record, log)}, tmp_path)["dealt"]["findings"] == []
    assert "that the cards come from the seed" in (ROOT / "core/web/texts/en.ftl").read_text(encoding="utf-8")


@pytest.mark.ci
def test_what_a_fork_shares_is_said_to_be_unchecked_where_its_rules_are_not_its_parents(tmp_path):
    """The page cannot bring events to other rules, so it has not compared them."""
    _, fork, ended = forked.honest()["of the match that is over, alone"]
    header, events, end = taken_apart(fork)
    events[4][3] = "x"
    forged = put_together(({**header, "rules": header["rules"] + 1}, events, end))
    found = at_the_page({"forged": (None, forged, ended), "honest": (None, fork, ended)}, tmp_path)
    assert found["forged"]["shared"] == forked.SHARED
    assert found["honest"]["shared"] == 0
    bare = {key: value for key, value in header.items() if key not in ("veil", "sign")} | {"rules": 99}
    old, dealt, over = taken_apart(ended)
    keyless = put_together(({key: value for key, value in old.items() if key not in ("veil", "sign")}, dealt, over))
    found = at_the_page({"bare": (None, put_together((bare, events, end)), keyless)}, tmp_path)
    assert found["bare"]["shared"] == forked.SHARED


@pytest.mark.ci
def test_what_a_parent_shares_with_a_parent_of_its_own_is_said_to_be_unchecked(tmp_path):
    _, fork, ended = forked.honest()["of the match that is over, alone"]
    header, events, end = taken_apart(ended)
    ghost = put_together(({**header, "fork": {"match": "ghost", "seq": 4}}, events, end))
    assert at_the_page({"ghost": (None, fork, ghost)}, tmp_path)["ghost"]["shared"] == 5
    (said,) = verify_fork(fork, ghost).unchecked
    assert "events 0 to 4" in str(said)
    assert not verify_fork(fork, ended).unchecked


@pytest.mark.ci
def test_what_the_page_found_stays_when_the_rules_find_nothing():
    script = f"""import {{ joined }} from "{(TABLE / "verdict.mjs").as_posix()}";
    const found = [{{ kind: "mark", seq: 3, says: ["mark"] }}, {{ kind: "head", seq: null, says: ["head"] }}];
    const alone = {{ findings: found, of: "apart", shared: 9 }};
    const whole = {{ findings: [{{ kind: "head", seq: null, message: "m" }}], unchecked: [], whole: true }};
    console.log(JSON.stringify([joined(alone, whole, true), joined(alone, whole, false)]));"""
    node = shutil.which("node") or pytest.skip("needs node")
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    held, alone = json.loads(done.stdout)
    assert [each["kind"] for each in held["findings"]] == ["head", "mark"]
    assert (held["of"], held["shared"], alone["shared"]) == ("fork", 0, 9)
