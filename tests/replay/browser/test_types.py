"""The types of the npm package name what its calls take and return, so that neither goes on without the other."""

from __future__ import annotations

import json
import re

import pytest

pytest.importorskip("msgspec", reason="needs kifu[site]")

from kifu.replay.browser import site

from .calling import BLOB, SEED, finished

TYPES = (site.HERE / "package" / "kifu.d.mts").read_text("utf-8")
CODE = (site.HERE / "package" / "kifu.mjs").read_text("utf-8")
SHAPE = re.compile(r"^export (?:interface|class) (\w+)(?: extends (\w+))? \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"^  (?:readonly )?(\w+)(\??):", re.MULTILINE)
METHOD = re.compile(r"^  (?:async )?(\w+)\((.*)\)(?: \{$|: )", re.MULTILINE)
FUNCTION = re.compile(r"^export function (\w+)\((.*)\): ", re.MULTILINE)


def shapes() -> dict[str, dict[str, bool]]:
    """Return of each shape whether a value must have a key."""
    found: dict[str, dict[str, bool]] = {}
    for name, base, body in SHAPE.findall(TYPES):
        found[name] = found.get(base, {}) | {key: not optional for key, optional in MEMBER.findall(body)}
    return found


def check(name: str, value: dict) -> None:
    shape = shapes()[name]
    assert value.keys() <= shape.keys(), f"{name} does not name {value.keys() - shape.keys()}"
    missing = {key for key, must in shape.items() if must} - value.keys()
    assert not missing, f"{name} promises {missing}"


def test_audits_and_verdicts(calls, forked):
    record, fork, parent = forked.honest()["of a match that is over"]
    other = {"$blob": 1}
    logs = (finished("cake"), finished("gosne"), fork, parent, b"no log", parent[:-20])
    audits = [calls.value("audit", log, log=BLOB) for log in logs]
    verdicts = [calls.value("verify", record, log, record=BLOB, against=other) for log in (fork, parent)]
    verdicts.append(calls.value("verify", fork, parent, record=BLOB, parent=other))
    for name, values in {"Audit": audits, "Verification": verdicts}.items():
        for value in values:
            check(name, value)
            for key, shape in {"findings": "Finding", "played_for": "PlayedFor"}.items():
                for each in value.get(key, ()):
                    check(shape, each)
        given = set().union(*values)
        assert given >= shapes()[name].keys() - {"teams"}, f"{name}: these are made up: {shapes()[name].keys() - given}"
    assert {"absent", "checked"} == {each["digests"] for each in audits}


def test_matches_differences_and_decisions(calls):
    log = finished("cake")
    facts = calls.value("new", game="cake", seats=["Aki", "Ren", "Mio"], seed=SEED)
    check("Match", {"toAct" if key == "to_act" else key: each for key, each in facts.items() if key != "number"})
    number = facts["number"]
    observed = calls.value("observe", number=number, seat=0)
    check("Observation", observed)
    check("LegalCommand", observed["legal"][0])
    check("Command", calls.value("choose", number=number, seat=0, bot="easy"))
    for each in calls.value("history", number=number):
        check("HistoryEntry", each)
    for each in calls.value("games"):
        check("GameResponse", each)
    *events, whole = calls.value("diff", log, log[:-90], a=BLOB, b={"$blob": 1})
    check("WholeDifference", whole)
    for each in events:
        check("EventDifference", each)
        check("ComparedEvent", each["a"])
    begun = calls.value("begin_analysis", log, log=BLOB)
    judged = calls.value("judge_next", number=begun["number"])
    check("JudgedDecision", judged)
    check("JudgedCommand", judged["best"])


def test_errors(calls):
    number = calls.value("new", game="cake", seats=["Aki", "Ren", "Mio"])["number"]
    command = {"tag": "open", "fields": {"pile": 0}}
    refused = calls.error("play", number=number, seat=1, command=command), calls.error("load", b"", log=BLOB)
    for each in refused:
        each.pop("detail")  # its message
        check("KifuError", each)
    assert shapes()["KifuError"].keys() == set().union(*refused)


@pytest.mark.parametrize("name", ["Kifu", "Match", "Host"])
def test_methods_and_their_options(name):
    """Every method of the classes, with the names of its options, stands in both files."""
    typed = next(body for each, _, body in SHAPE.findall(TYPES) if each == name)
    code = re.search(rf"^export class {name} \{{\n(.*?)^\}}", CODE, re.MULTILINE | re.DOTALL)[1]
    written = {
        method: options(given) for method, given in METHOD.findall(code) if method not in ("constructor", "hear")
    }
    assert {method: options(given) for method, given in METHOD.findall(typed)} | OF_AN_OBJECT[name] == written


OF_AN_OBJECT = {"Kifu": {"new": {"seats", "options", "seed", "lang"}}, "Match": {}, "Host": {}}
"""The options whose type has a name of its own."""


def test_functions_take_what_the_methods_take():
    typed = next(body for each, _, body in SHAPE.findall(TYPES) if each == "Kifu")
    methods = dict(METHOD.findall(typed))
    functions = {"load" if name == "open" else name: given for name, given in FUNCTION.findall(TYPES) if name != "load"}
    assert functions == {name: methods[name] for name in functions}
    assert shapes()["NewMatch"].keys() == OF_AN_OBJECT["Kifu"]["new"]
    assert shapes()["Loading"].keys() == options(re.search(r"function load\((.*)\) \{", CODE)[1])


def options(given: str) -> set[str]:
    """Return the names in the braces of a method's parameters, as they are written in either language."""
    inside = re.search(r"\{(.*)\}", re.sub(r"= \{\}|\(.*?\) => [\w({})]+", "", given).replace("()", ""))
    return set(re.findall(r"(?:^|[,;{] ?)(\w+)\??(?=[:,=; ]|$)", inside[1].strip())) if inside else set()


def test_types_are_found_beside_the_code():
    """TypeScript looks for those of `kifu.mjs` in `kifu.d.mts`, where a page imports it by its address."""
    package = json.loads((site.HERE / "package" / "package.json").read_text("utf-8"))
    here = package["exports"]["."]
    assert here["types"] == package["types"] == here["default"].replace(".mjs", ".d.mts")
    assert (site.HERE / "package" / here["types"]).is_file()
