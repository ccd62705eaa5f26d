"""The store that `docs/stores.md` shows keeps the contract, and is short."""

from __future__ import annotations

import runpy
from pathlib import Path

from kifu.core.testing import store_contract

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "journal_store.py"
JournalStore = runpy.run_path(str(EXAMPLE))["JournalStore"]

TestStore = store_contract(lambda place: JournalStore(place / "journal"))


def test_it_is_short() -> None:
    assert sum(bool(line) for line in EXAMPLE.read_text("utf-8").splitlines()) < 80
