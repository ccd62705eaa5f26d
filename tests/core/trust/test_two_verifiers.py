"""`verify` and a verifier written from the contract alone agree in every finding, and in whose word it is.

That is in the vectors, in tamperings, of hosts that cheat, and in random changes that are signed anew or that damage
files, which make neither raise. What only the rules tell is left out: where a set has such a finding it is named.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from random import Random
from typing import Any

import msgpack
import pytest
from kifu.core.trust import records

pytest.importorskip("cryptography", reason="needs kifu[replay]")
pytest.importorskip("msgspec", reason="needs kifu[web]")

from . import changing, damaging, independent, rigged
from .judges import OF_THE_ENGINE, by_both
from .vectors import CASES, CASES_2, FILES, files_of

ROOT = Path(__file__).parents[3]
PARTS = [pytest.param(at, marks=pytest.mark.long if at else pytest.mark.ci) for at in range(100)]


@pytest.mark.ci
def test_they_agree_in_the_published_vectors() -> None:
    for case in CASES:
        run, *names = case["run"]
        found = by_both(None if run == "audit" else FILES[names[0]], FILES[names[-1]], name=case["name"])
        assert set(found.values()) <= {"owner"}, "in version 1 nothing is proof"
    assert len(CASES) == 98


@pytest.mark.ci
def test_the_second_verifier_knows_the_vectors_of_version_2() -> None:
    for case in (each for each in CASES_2 if each["run"][0] != "fork"):
        *record, other = files_of(case)
        found = {(kind, seq, by) for (kind, seq), by in independent.judged(*record or [None], other).items()}
        told = {each for each in found if each[0] not in OF_THE_ENGINE}
        assert told == {tuple(each) for each in case["findings"]}, case["name"]


@pytest.mark.ci
def test_they_agree_on_the_rigged_host_of_the_docs() -> None:
    docs = runpy.run_path(str(ROOT / "docs" / "examples" / "rigged_host.py"))
    for crime, kind in docs["CRIMES"].items():
        tool, *files = crime(docs["Evening"]())
        found = by_both(None if tool == "audit" else files[0], files[-1], name=crime.__name__)
        assert kind in {each for each, _ in found}


@pytest.mark.ci
def test_the_second_verifier_convicts_nobody_of_what_only_the_rules_tell() -> None:
    for name, case in rigged.lies().items():
        by_both(*case, {"told", "view"}, name)


@pytest.mark.parametrize("at", PARTS)
def test_they_agree_in_what_is_changed_at_random_and_signed_anew(at: int) -> None:
    """What is told of an event is left out where only `verify` has a finding: it may be of a redacted command."""
    for seed in range(20 * at, 20 * at + 20):
        for name, case in changing.cases(seed).items():
            by_both(*case, {"told", "header"}, name)


@pytest.mark.parametrize("at", PARTS)
def test_they_agree_in_what_is_damaged_at_random_and_none_raises(at: int) -> None:
    for seed in range(40 * at, 40 * at + 40):
        log, record, other = damaging.files(Random(seed))
        for name, case in {"alone": (None, log), "beside": (record, log), "compared": (record, other)}.items():
            by_both(*case, {"told", "header"}, f"{seed} {name}")
        by_itself = records.verify(record)
        assert by_itself == records.verify(record), "the same again"


OBJECTS = {
    "nested 300 deep": b"\x91" * 300 + b"\xc0",
    "nested 600 deep": b"\x91" * 600 + b"\xc0",
    "nested, and torn": b"\x91" * 600,
    "of 70,000 parts": msgpack.packb([0] * 70_000),
    "a list as a key": bytes.fromhex("819000"),
    "a key twice": bytes.fromhex("82a16101a16102"),
    "two ends in one": b"\x82" + b"\xa3end\xc0" * 2,
    "a time": bytes.fromhex("d6ff00000000"),
    "a long list of little": b"\xdd\xff\xff\xff\xff",
    **{f"{count} strange ones": b"\0" * count for count in (1000, 1001)},
}
HEADS: list[dict[str, Any]] = [
    *[{"rules": "x"}, {"seats": 3}, {"match": None}, {"kifu": True}, {"kifu": 2}, {"engine": 1}, {"fork": 7}],
    *[{"options": {"first": {1: 2}}}, {"options": {"first": {"x": {1: 2}}}}, {"options": {1: 2}}, {"x": {1: 2}}],
    *[{"seat": True}, {"seat": 2**53}, {"kifu_record": True}, {"kifu_record": 2}, {"made": 5}, {"made": "x"}],
    *[{"form": "x"}, {"sig": b""}, {"veil": b""}, {"sign": 0, "rules": 0}, {"fair": 0, "match": 0}],
]


@pytest.mark.ci
def test_they_agree_on_what_is_too_long_too_deep_or_cannot_be_read() -> None:
    at = rigged.table()
    log, record, other = at.log, at.record(0), at.record(1)
    place, entry = len(at.objects[0]), len(record) - sum(len(each.packed()) for each in at.entries[0])
    logs, mine = {"no header": log[1:], "a zero": b"\0" + log}, {}
    for name, raw in OBJECTS.items():
        for cut in (place, len(log) - len(at.objects[-1]), len(log)):
            logs[f"{name} at {cut}"] = log[:cut] + raw + log[cut:]
        for cut in (0, entry, len(record)):
            mine[f"{name} at {cut}"] = record[:cut] + raw + record[cut:]
    for odd in HEADS:
        heads = (msgpack.unpackb(each, strict_map_key=False) | odd for each in (log[:place], record[:entry]))
        header, head = map(msgpack.packb, heads)
        mine[f"{odd}"] = head + record[entry:]
        if "kifu_record" not in odd:
            logs[f"{odd}"] = header + log[place:]
    cases = [("alone", name, None, each) for name, each in logs.items()]
    cases += [("a log", name, record, each) for name, each in logs.items()]
    cases += [("a record", name, each, log) for name, each in mine.items()]
    cases += [("compared", name, each, other) for name, each in mine.items()]
    for how, name, one, against in cases:
        by_both(one, against, {"told", "header"}, f"{how}: {name}")
