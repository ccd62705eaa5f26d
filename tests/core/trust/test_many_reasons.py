"""One finding for each kind and event, however many reasons there are: each once, ten of them, and a count."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from kifu.core.text.texts import Texts
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical

from .playing import put_together, taken_apart
from .vectors import FILES

pytestmark = pytest.mark.ci

EVENTS = [
    {each.number: each.value() for each in records.read_bytes(FILES[name]).entries if each.kind == records.EVENT}
    for name in ("seat0.seat", "seat1.seat")
]
OPEN = next(number for number in EVENTS[0] if all(told[number][1] >= 0 and not told[number][4] for told in EVENTS))
"""An event that neither seat was told redacted."""


def told_again(name: str, changes: Any) -> bytes:
    """Return a record in which an event was told once for each of these changes, a place and what stands there."""
    record = records.read_bytes(FILES[name])
    event = next(each for each in record.entries if each.kind == records.EVENT and each.number == OPEN)
    entries = []
    for place, value in changes:
        told = event.value()
        told[place] = value
        entries.append(evolve(event, told=canonical(told)))
    return evolve(record, entries=tuple(entries)).packed()


def message(findings: Any, kind: str) -> str:
    """Return the one message of this kind, which can be told in Japanese too."""
    (found,) = [each for each in findings if each.kind == kind]
    assert Texts("ja", "kifu.replay").message(found.message)
    return str(found.message)


def test_a_reason_that_comes_again_is_given_once() -> None:
    lies = told_again("seat0.seat", [(6, "x"), (5, 99_999)] * 150)
    assert message(records.verify(lies, FILES["base.log"]).findings, "told").count(";") == 1
    honest = told_again("seat1.seat", [(0, OPEN)] * 300)
    assert message(records.compare(lies, honest).findings, "told").count(";") == 1


def test_of_many_reasons_ten_are_given() -> None:
    lies = told_again("seat0.seat", [(3, {f"x{number}": 1}) for number in range(40)])
    told = message(records.compare(lies, FILES["seat1.seat"]).findings, "told")
    assert (told.count(";"), told.endswith("; and 6 more")) == (10, True)


def test_a_takeback_that_thousands_have_signed_has_one_finding() -> None:
    header, events, end = taken_apart(FILES["base.log"])
    seq = next(each[0] for each in events if each[3] == ".takeback")
    events[seq][2] = {**events[seq][2], "sign": [[seat, bytes(64)] for seat in range(2000)]}
    found = audit(put_together((header, events, end))).findings
    assert message([each for each in found if each.seq == seq], "signature").endswith("more")
