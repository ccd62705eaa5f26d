"""The types of the npm package name what its calls take and return, so that neither goes on without the other."""

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.core.match import registry
from kifu.replay.browser import site
from kifu.replay.browser.typescript import declarations

from .calling import BLOB, SEED, finished

TYPES = declarations([registry.find(name) for name in registry.names()])
CODE = (site.HERE / "package" / "kifu.js").read_text("utf-8")
SHAPE = re.compile(
    r"^export (?:interface|class) (\w+)(?:<[^{]*>)?(?: extends (\w+))? \{\n(.*?)^\}", re.MULTILINE | re.DOTALL
)
MEMBER = re.compile(r"^  (?:readonly )?(\w+)(\??):", re.MULTILINE)
METHOD = re.compile(r"^  (?:async )?\"?(\w+)\"?(?:<.*?>)?\((.*)\)(?: \{$|: )", re.MULTILINE)
FUNCTION = re.compile(r"^export function (\w+)(?:<.*?>)?\((.*)\): ", re.MULTILINE)


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


def test_audits_and_verdicts(calls, forks):
    record, fork, parent = forks["honest fork: of a match that is over"]
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
    check("AnyCommand", calls.value("choose", number=number, seat=0, bot="easy"))
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


def test_what_other_options_change_and_what_shows_a_rule_are_as_the_commands_have_it(calls, replay, tmp_path):
    log, file, short = finished("take_and_share"), tmp_path / "log", tmp_path / "short"
    file.write_bytes(log)
    printed = replay("impact", file, "--option", "long=true", "--json").out.replace(f'"{file}"', '"0"')
    *lines, whole = map(json.loads, printed.splitlines())
    said = calls.value("impact", log, b"no log", logs=[BLOB, {"$blob": 1}], options={"long": True})
    check("Impact", said)
    check("ImpactOnLog", lines[0])
    assert said["logs"][:1] == lines
    assert said["logs"][1].keys() == {"log", "kind", "skipped"}
    del whole["engines"], whole["fast"], said["logs"]
    assert said == whole | {"skipped": 1}
    replay("shrink", file, "--rule", "TS-4", "--tries", "9", "-o", short)
    assert calls.value("shrink", log, log=BLOB, rule="TS-4", tries=9) == short.read_bytes()
    short = calls.value("shrink", log, log=BLOB, options={"long": True}, tries=1)
    assert calls.value("impact", short, logs=[BLOB], options={"long": True})["logs"][0]["first"] == lines[0]["first"]
    assert [calls.error("shrink", log, log=BLOB, rule=each)["kind"] for each in (None, "TS-99")] == ["malformed"] * 2


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
    code = re.search(rf"^class {name} \{{\n(.*?)^\}}", CODE, re.MULTILINE | re.DOTALL)[1]
    written = {
        method: options(given) for method, given in METHOD.findall(code) if method not in ("constructor", "hear")
    }
    assert {method: options(given) for method, given in METHOD.findall(typed)} | OF_AN_OBJECT[name] == written


NEW = {"seats", "options", "seed", "lang"}
OF_AN_OBJECT = {"Kifu": {"new": NEW, "simulate": {*NEW - {"lang"}, "bots", "played"}}, "Match": {}, "Host": {}}
"""The options whose type has a name of its own."""


def test_functions_take_what_the_methods_take():
    typed = next(body for each, _, body in SHAPE.findall(TYPES) if each == "Kifu")
    methods = dict(METHOD.findall(typed))
    functions = {name: given for name, given in FUNCTION.findall(TYPES) if name != "load"}
    assert functions == {name: methods[name] for name in functions}
    assert {*re.findall(r'^export const (\w+) = ofShared\("\1"\);', CODE, re.MULTILINE)} == functions.keys()
    page = (Path(__file__).parents[3] / "docs" / "browser.md").read_text("utf-8")
    assert {*re.findall(r"^- `(\w+)\(", page, re.MULTILINE)} <= {*functions, "new", "load"}
    assert shapes()["NewMatch"].keys() == OF_AN_OBJECT["Kifu"]["new"]
    assert shapes()["Loading"].keys() == options(re.search(r"function load\((.*)\) \{", CODE)[1])


def options(given: str) -> set[str]:
    """Return the names in the braces of a method's parameters, as they are written in either language."""
    inside = re.search(r"\{(.*)\}", re.sub(r"= \{\}|\(.*?\) => [\w({})]+", "", given).replace("()", ""))
    return set(re.findall(r"(?:^|[,;{] ?)(\w+)\??(?=[:,=; ]|$)", inside[1].strip())) if inside else set()


def test_types_are_found_beside_the_code(tmp_path, monkeypatch):
    """TypeScript looks for those of `kifu.js` in `kifu.d.ts`, where a page imports it by its address."""
    for name in ("unpack_runtime", "stdlib_files", "wheels_of", "write_engine", "write_zip", "licences"):
        monkeypatch.setattr(site, name, lambda *_: "")
    monkeypatch.setattr(site, "compiled", lambda _, *parts: parts)
    site.write_package(tmp_path / "kifu", tmp_path)
    package = json.loads((site.HERE / "package" / "package.json").read_text("utf-8"))
    here = package["exports"]["."]
    assert here["types"] == here["default"].replace(".js", ".d.ts")
    assert (tmp_path / "kifu" / here["types"]).read_text("utf-8") == TYPES
