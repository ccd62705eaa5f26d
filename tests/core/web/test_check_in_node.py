"""The page's own check, in node, beside `test_three_verifiers.py`: what it writes, and what it leaves to the engine."""

from __future__ import annotations

import runpy

import pytest
from kifu.core.trust import records, sign

from ..trust import rigged
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
        assert found["code"] == records.verify(cases[name][0]).code


@pytest.mark.ci
def test_cards_that_are_not_the_seed_s_are_the_engine_s_to_find(tmp_path):
    """All that the host told fits its log, and the seed is honest; only the game's own deal tells."""
    record, log = rigged.deals_other_cards()
    (finding,) = records.verify(record, log).findings
    assert (finding.kind, finding.seq, finding.rule) == ("rule", 0, "SEED")
    assert at_the_page({"dealt": (record, log)}, tmp_path)["dealt"]["findings"] == []
    assert "that the cards come from the seed" in (ROOT / "core/web/texts/en.ftl").read_text(encoding="utf-8")
