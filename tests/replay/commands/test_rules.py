"""`replay rules`: the rules by number, and which of them are at work."""

import re
from pathlib import Path

import pytest
from kifu import games
from kifu.core.game import TableRule
from kifu.core.text.texts import Texts
from rich.cells import cell_len


@pytest.mark.parametrize("name", games.names())
def test_every_rule_stands_there_once_by_its_number(replay, name: str) -> None:
    called = replay("rules", name, "--json", exits=0)
    lines = called.lines
    assert [each["rule"] for each in lines] == [rule.number for rule in (*games.find(name).book, *TableRule)]
    assert [each["ruling"] for each in lines] == [rule.ruling for rule in (*games.find(name).book, *TableRule)]
    assert all(each["text"] for each in lines)


@pytest.mark.parametrize("name", games.names())
def test_the_docs_and_the_command_agree_on_what_is_ours(name: str) -> None:
    docs = Path(__file__).parents[3] / "docs" / "rules"
    rows = re.findall(r"(?m)^\| `([A-Z]+-R?\d+)` \| (.*) \|$", (docs / f"{name}.md").read_text())
    ours = {number for number, text in rows if text.startswith("[ruling]")}
    partly = {number for number, text in rows if "[ruling]" in text} - ours
    book = games.find(name).book
    assert sorted(rule.number for rule in book) == sorted(number for number, _ in rows)
    assert ours == {rule.number for rule in book if rule.ruling}
    assert partly == {rule.number for rule in book if "our ruling" in rule.sentence}
    japanese = Texts("ja")
    assert partly == {rule.number for rule in book if "裁定" in japanese.rule(rule, games.find(name))}


@pytest.mark.parametrize("name", games.names())
def test_rulings_stand_apart_as_ours(replay, name: str) -> None:
    rulebook, ours = replay("rules", name).out.split("Ours, where the rulebook is silent")
    for rule in games.find(name).book:
        chapter, other = (ours, rulebook) if rule.ruling else (rulebook, ours)
        assert f"  {rule.number} " in chapter
        assert f"  {rule.number} " not in other


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize(("lang", "key"), [("en", "Left: the step of"), ("ja", "左は対局の何手目か")])
def test_a_lesson_says_once_right_above_its_first_example_what_the_numbers_are(replay, name, lang, key) -> None:
    lines = replay("rules", name, "--learn", "--lang", lang).out.splitlines()
    first = next(at for at, line in enumerate(lines) if re.match(r" *\d+ .* [A-Z]+-R?\d+$", line))
    assert [at for at, line in enumerate(lines) if key in line] == [first - 1]
    assert max(map(cell_len, lines)) <= 80


def test_coverage_counts_the_steps_that_show_a_rule_and_the_refusals(replay, log, illegal: Path, match) -> None:
    lines = replay("rules", "take_and_share", "--coverage", log, "--json").lines
    steps = {each["rule"]: each["steps"] for each in lines}
    for number, count in steps.items():
        assert count == sum(any(note.rule.number == number for note in step.notes) for step in match.steps)
    assert steps["TS-14"] == 0
    lines = replay("rules", "take_and_share", "--coverage", illegal, "--json").lines
    refused = {each["rule"]: each["steps"] for each in lines}
    assert refused["TS-2"] == 2, "one lead, and the refusal"


def test_coverage_searches_folders_and_says_what_is_never_shown(replay, log: Path) -> None:
    out = replay("rules", "take_and_share", "--coverage", log.parent).out
    assert "in 1 log" in out
    assert next(line for line in out.splitlines() if line.startswith("  TS-14")).endswith("never")
