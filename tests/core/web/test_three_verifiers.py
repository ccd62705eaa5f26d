"""`verify`, the page and a verifier written from the contract alone find the same in 294 more vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..trust import independent
from ..trust.more_vectors import vectors
from .test_check_in_node import checked, judged, kinds

pytest.importorskip("cryptography")


@pytest.mark.ci
def test_three_verifiers_agree_in_every_finding(tmp_path: Path) -> None:
    cases = {name: (record, log, must) for name, record, log, must in vectors()}
    assert len(cases) == 3 * 98
    page = checked({name: (record, log) for name, (record, log, _) in cases.items()}, tmp_path)
    apart = {}
    for name, (record, log, must) in cases.items():
        ours = judged(record, log)
        alone = independent.audit(independent.Log(log)) if record is None else independent.verify(record, log)
        theirs = kinds(page[name]["findings"])
        assert must <= {kind for kind, _ in ours}, name
        assert bool(must) == bool(ours), name
        if not ours == alone == theirs:
            apart[name] = (ours ^ theirs, ours ^ alone)
    assert apart == {}
