"""`verify` and a verifier written from the contract alone agree in every finding, and in whose word it is.

That is in the vectors, in tamperings, of hosts that cheat, and in random changes that are signed anew.
What only the rules tell is left out: where a set has such a finding it is named.
"""

from __future__ import annotations

import json
import lzma
import runpy
from collections.abc import Mapping
from pathlib import Path
from random import Random

import msgpack
import pytest
from kifu.core.trust import records
from kifu.core.trust.audit import audit

pytest.importorskip("cryptography", reason="needs kifu[replay]")
pytest.importorskip("msgspec", reason="needs kifu[web]")

from . import changing, independent, rigged, rigged_by_others, rigged_replays, test_fuzz
from .vectors import CASES, FILES, FOLDER

ROOT = Path(__file__).parents[3]
CHEATS = [rigged, rigged_by_others, rigged_replays]
OF_THE_ENGINE = {"rule", "digest", "result", "view", "form", "chain", "rules"}
"""Kinds of findings that are the engine's, or of the log's form."""

Files = Mapping[str, tuple[bytes | None, bytes]]
"""By the name of a case a record, or None, and a log, or another record."""
Found = dict[tuple[str, int | None], str | None]
"""Whose word each finding is."""


def by_command(record: bytes | None, other: bytes) -> Found:
    """Return what the command line finds."""
    if record is None:
        audited = audit(other)
        return {(each.kind, each.seq): "host" if audited.log_signed else "owner" for each in audited.findings}
    if independent.is_record(other):
        return {(each.kind, each.seq): each.by for each in records.compare(record, other).findings}
    return {(each.kind, each.seq): each.by for each in records.verify(record, other).findings}


def judged_by_both(cases: Files, left: Mapping[str, set[str]] | None = None) -> dict[str, Found]:
    """Hold the two against each other; `left` names the kinds of findings that only the rules tell, by case.

    Returns what the command line finds.
    """
    found, apart = {}, {}
    for name, files in cases.items():
        of_rules = OF_THE_ENGINE | (left or {}).get(name, set())
        ours, alone = (
            {finding: by for finding, by in judge(*files).items() if finding[0] not in OF_THE_ENGINE}
            for judge in (by_command, independent.judged)
        )
        found[name] = ours
        needed = {finding: by for finding, by in ours.items() if finding[0] not in of_rules or finding in alone}
        if alone != needed:
            apart[name] = ours.items() ^ alone.items()
    assert apart == {}
    return found


@pytest.mark.ci
def test_they_agree_in_the_published_vectors() -> None:
    cases = {}
    for case in CASES:
        run, *names = case["run"]
        cases[case["name"]] = (None if run == "audit" else FILES[names[0]], FILES[names[-1]])
    found = judged_by_both(cases)
    assert len(cases) == len(CASES) == 98
    assert {name: set(each) for name, each in found.items()} == {
        case["name"]: {(kind, seq) for kind, seq in case["findings"]} for case in CASES
    }
    assert {by for each in found.values() for by in each.values()} == {"owner"}, "in version 1 nothing is proof"


@pytest.mark.ci
def test_they_agree_on_hosts_that_cheat_and_on_honest_ones() -> None:
    docs = runpy.run_path(str(ROOT / "docs" / "examples" / "rigged_host.py"))
    cases = {name: files for each in CHEATS for name, files in each.crimes().items()}
    convicted = {name: kind for each in CHEATS for name, kind in each.CONVICTED.items()}
    for crime, kind in docs["CRIMES"].items():
        tool, *files = crime(docs["Evening"]())
        cases[crime.__name__], convicted[crime.__name__] = (None if tool == "audit" else files[0], files[-1]), kind
    assert len(cases) == len(convicted) == 52
    left = {name: kinds for each in CHEATS for name, kinds in each.LEFT_TO_THE_ENGINE.items()}
    found = judged_by_both(cases, left)
    for name, each in found.items():
        assert convicted[name] in {kind for kind, _ in each} or convicted[name] == "view", name
    honest = {**rigged_by_others.honest(), **rigged_replays.honest()}
    assert all(not each for each in judged_by_both(honest).values())


@pytest.mark.ci
def test_they_agree_in_every_tampering_with_a_log_or_record() -> None:
    cases = rigged.tamperings()
    found = judged_by_both(cases)
    assert len(cases) >= 125
    assert all(found.values()), [name for name, each in found.items() if not each]


@pytest.mark.parametrize("at", [0, *(pytest.param(at, marks=pytest.mark.long) for at in range(1, 50))])
def test_they_agree_in_what_is_changed_at_random_and_signed_anew(at: int) -> None:
    """What is told of an event is left out where only `verify` has a finding: it may be of a redacted command."""
    cases = {name: files for seed in range(25 * at, 25 * at + 25) for name, files in changing.cases(seed).items()}
    judged_by_both(cases, {name: {"told", "header"} for name in cases})


@pytest.mark.parametrize("at", [0, *(pytest.param(at, marks=pytest.mark.long) for at in range(1, 50))])
def test_they_agree_in_what_is_damaged_at_random(at: int) -> None:
    """What else is wrong beside a header that cannot be read, the contract leaves open."""
    cases: dict[str, tuple[bytes | None, bytes]] = {}
    for seed in range(70 * at, 70 * at + 70):
        log, record, other = test_fuzz.damaged_files(Random(seed))
        cases |= {f"{seed} beside": (record, log), f"{seed} compared": (record, other)}
        if ("header", None) in by_command(None, log):
            del cases[f"{seed} beside"]
    judged_by_both(cases, {name: {"told", "header"} for name in cases})


@pytest.mark.ci
def test_the_second_verifier_knows_the_vectors_of_version_2() -> None:
    cases = json.loads((FOLDER / "cases-2.json").read_text("utf-8"))
    files = msgpack.unpackb(lzma.decompress((FOLDER / "files-2.xz").read_bytes()))
    for case in cases:
        verb, *names = case["run"]
        record = None if verb == "audit" else files[names[0]]
        found = {(kind, seq, by) for (kind, seq), by in independent.judged(record, files[names[-1]]).items()}
        assert {each for each in found if each[0] not in OF_THE_ENGINE} == {tuple(each) for each in case["findings"]}
