"""The page's own check, in node, beside `test_three_verifiers.py`: what it writes, and what it leaves to the engine."""

from __future__ import annotations

import runpy

import pytest
from kifu.core.trust import records, sign
from kifu.core.trust.audit import audit
from kifu.core.trust.raw_log import read_log

from ..trust import rigged
from ..trust.vectors import FILES
from .page_check import ROOT, at_the_page

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
    cases["no key"] = FILES["marks-only-seat2.seat"], FILES["marks-only.log"]
    found = at_the_page(cases, tmp_path)
    assert found["fork"]["shared"] == read_log(fork).forked_at + 1 > 0
    verdict = records.verify(*cases["stand-in"])
    assert found["stand-in"]["key"] == verdict.fingerprint
    assert found["stand-in"]["played"] == sum(sum(each.values()) for each in verdict.played_for.values()) > 0
    assert [found["no key"][each] for each in ("key", "shared", "played")] == [None, 0, 0]


@pytest.mark.ci
def test_cards_that_are_not_the_seed_s_are_the_engine_s_to_find(tmp_path):
    """All that the host told fits its log, and the seed is honest; only the game's own deal tells."""
    record, log = rigged.deals_other_cards()
    (finding,) = records.verify(record, log).findings
    assert (finding.kind, finding.seq, finding.rule) == ("rule", 0, "SEED")
    assert at_the_page({"dealt": (record, log)}, tmp_path)["dealt"]["findings"] == []
    assert "that the cards come from the seed" in (ROOT / "core/web/texts/en.ftl").read_text(encoding="utf-8")
