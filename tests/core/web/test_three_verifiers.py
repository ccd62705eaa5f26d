"""`verify`, the page and a verifier written from the contract alone agree in every finding.

That is in the published vectors, in 294 more, in tamperings, in alterations by seed, and of hosts that cheat. What only
the rules tell is left out: the page says so, and where a set has such a finding it is named.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from kifu.core.trust import formulas
from kifu.core.trust.audit import audit
from kifu.core.trust.roster import roster_of

from ..trust import altered, forked, independent, rigged, rigged_by_others, rigged_replays
from ..trust.more_vectors import vectors
from ..trust.test_tampering import put_together, taken_apart
from ..trust.vectors import CASES, FILES
from .page_check import ROOT, Files, Found, at_the_page, by_command, by_contract, kinds, lines_of

pytest.importorskip("cryptography")
CHEATS = [rigged, rigged_by_others, rigged_replays]


def judged_by_all(cases: Files, folder: Path, left: dict[str, set[str]] | None = None) -> dict[str, Found]:
    """Hold the three against each other; `left` names the kinds of findings that only the rules tell, by case.

    Returns what the command line finds.
    """
    page = at_the_page(cases, folder)
    found, apart = {}, {}
    for name, files in cases.items():
        ours = found[name] = by_command(*files)
        theirs, alone = kinds(page[name]["findings"]), by_contract(*files)
        of_rules = {kind for kind, _ in ours - theirs}
        apart |= lines_apart(name, page[name], files)
        if not theirs == alone <= ours or of_rules != (left or {}).get(name, set()):
            apart[name] = {"at the page": ours ^ theirs, "by the contract": ours ^ alone}
    assert apart == {}
    return found


def lines_apart(name: str, page: dict[str, Any], files: Any) -> dict[Any, Any]:
    """Return what else than findings the page and the command line print, where that is not the same."""
    verdict = rigged.verdict_on(*files)
    lines = {} if verdict is None else lines_of(verdict)
    differ = {key: (page[key], line) for key, line in lines.items() if page[key] != line}
    return {(name, "lines"): differ} if differ else {}


@pytest.mark.ci
def test_they_agree_in_the_published_vectors(tmp_path):
    cases = {}
    for case in CASES:
        run, *names = case["run"]
        cases[case["name"]] = (None if run == "audit" else FILES[names[0]], FILES[names[-1]])
    found = judged_by_all(cases, tmp_path)
    assert len(cases) == len(CASES) == 98
    assert found == {case["name"]: {(kind, seq) for kind, seq in case["findings"]} for case in CASES}


@pytest.mark.long
def test_they_agree_in_three_times_as_many(tmp_path):
    cases = {name: (record, log, must) for name, record, log, must in vectors()}
    assert len(cases) == 3 * 98
    found = judged_by_all({name: (record, log) for name, (record, log, _) in cases.items()}, tmp_path)
    for name, (_, _, must) in cases.items():
        assert must <= {kind for kind, _ in found[name]}, name
        assert bool(must) == bool(found[name]), name


@pytest.mark.ci
def test_they_agree_on_hosts_that_cheat_and_on_honest_ones(tmp_path):
    docs = runpy.run_path(str(ROOT / "docs" / "examples" / "rigged_host.py"))
    cases = {name: files for each in CHEATS for name, files in each.crimes().items()}
    convicted = {name: kind for each in CHEATS for name, kind in each.CONVICTED.items()}
    for crime, kind in docs["CRIMES"].items():
        tool, *files = crime(docs["Evening"]())
        cases[crime.__name__], convicted[crime.__name__] = (None if tool == "audit" else files[0], files[-1]), kind
    assert len(cases) == len(convicted) == 52
    left = {name: kinds for each in CHEATS for name, kinds in each.LEFT_TO_THE_ENGINE.items()}
    found = judged_by_all(cases, tmp_path, left)
    for name in cases:
        ours = {kind for kind, _ in found.get(name, ())}
        assert convicted[name] in ours or convicted[name] == "view", (
            name
        )  # a view is the engine's: `test_rigged_host.py`
    honest = {**rigged_by_others.honest(), **rigged_replays.honest()}
    assert set().union(*judged_by_all(honest, tmp_path).values()) == set()


@pytest.mark.ci
def test_they_agree_that_a_deal_without_a_seats_secret_is_not_fair(tmp_path):
    """However the host has made its seed then: with nothing in the place of the secret, or without that place."""
    header, events, end = taken_apart(FILES["base.log"])
    host, seats = header["fair"]["host"], header["fair"]["seats"]
    digest, [first, *others] = formulas.roster_digest(roster_of(header).packed()), [pair[1] for pair in seats if pair]
    fair = {**header["fair"], "seats": [[seats[0][0], None], *seats[1:]]}
    cases = {}
    for name, secrets in {
        "nil": [None, *others],
        "empty": [b"", *others],
        "none": others,
        "its own": [first, *others],
    }.items():
        changed = {**header, "fair": fair, "seed": formulas.seed(digest, host[1], secrets)}
        cases[name] = (None, put_together((changed, events, end)))
    for name, found in judged_by_all(cases, tmp_path).items():
        assert ("fair", None) in found, name


@pytest.mark.ci
def test_they_agree_in_every_tampering_with_a_log_or_record(tmp_path):
    tampered_with(rigged.tamperings(), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("at", [("gosne", 4, 1), ("mabr", 2, 2), ("palace", 3, 3)], ids=lambda at: at[0])
def test_they_agree_in_tamperings_at_other_tables(tmp_path, at):
    """Of other games, seats, ids and secrets."""
    tampered_with(rigged.tamperings(rigged.table_of(*at)), tmp_path)


def tampered_with(cases: Files, folder: Path) -> None:
    found = judged_by_all(cases, folder)
    assert len(cases) >= 149
    assert all(found.values()), [name for name, each in found.items() if not each]


@pytest.mark.ci
def test_they_agree_on_a_fork_and_its_parent(tmp_path):
    assert set().union(*judged_by_all(forked.honest(), tmp_path).values()) == set()
    found = judged_by_all(forked.wrong(), tmp_path, {"a parent under rules that nobody knows": {"head"}})
    assert len(found) > 30
    assert [name for name, each in found.items() if not each] == []


@pytest.mark.ci
@pytest.mark.parametrize(("each", "seed"), [(20, 1), pytest.param(300, 2, marks=pytest.mark.long)])
def test_they_agree_where_a_part_of_a_fork_or_its_parent_is_something_else(tmp_path, each, seed):
    """Only the rules know how many seats there may be, what is told redacted, and of a parent what breaks them."""
    agree_but_for_the_rules(forked.altered(each, seed), tmp_path, {("header", None), ("head", None)})


@pytest.mark.ci
@pytest.mark.parametrize(("each", "seed"), [(16, 1), *(pytest.param(100, at, marks=pytest.mark.long) for at in (2, 3))])
def test_they_agree_where_one_part_is_out_or_something_else(tmp_path, each, seed):
    """What is told redacted only the rules can judge, and how many seats there may be only the game."""
    cases = altered.cases(each, seed)
    agree_but_for_the_rules(cases, tmp_path, {("header", None)})
    assert len(cases) > 200


@pytest.mark.ci
def test_they_agree_at_the_limits_of_numbers_and_of_what_a_map_or_a_log_may_hold(tmp_path):
    agree_but_for_the_rules(altered.edges(), tmp_path, {("header", None)})


def has_no_form(parent: bytes | None = None) -> bool:
    """Whether a parent's log is malformed, which the verifier from the contract leaves to who reads it."""
    return parent is not None and any(each.kind == "form" for each in audit(parent).findings)


def agree_but_for_the_rules(cases: Files, folder: Path, of_rules: Found) -> None:
    """Hold the three against each other where what only the rules tell cannot be named for each case."""
    page, apart = at_the_page(cases, folder), {}
    for name, files in cases.items():
        ours, theirs, alone = by_command(*files), kinds(page[name]["findings"]), by_contract(*files)
        redacted = {("told", seq) for seq in independent.redacted(files[0])}
        of_form = {("head", None)} if has_no_form(*files[2:]) else set()
        if not (alone <= theirs <= ours and theirs - alone <= of_form and ours - theirs <= of_rules | redacted):
            apart[name] = {"at the page": ours ^ theirs, "by the contract": ours ^ alone}
        apart |= lines_apart(name, page[name], files)
    assert apart == {}
