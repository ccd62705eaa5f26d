"""The words of kifu: plain English in README, docs, help and messages, by a few rules of our own.

`python tests/test_prose.py` prints every message of the library and the command in one table.
"""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/rules").glob("*.md"))]
PAGES = [page for page in PAGES if page.name != "README.ja.md"]
LONGEST = 32
"""How many words a sentence may have."""
CONTRACTS = {"log-format.md": 52, "trace-format.md": 52, "trust.md": 42, "change-a-rule.md": 48, "golden-logs.md": 36}
"""Pages of contracts, where a sentence may be longer."""
OF_RULES = 80
NEVER = {
    r"\bthe own\b": "name the owner",
    r"\b(is|are) due an?\b": "say what to do",
    r"\bof (an?|the) (\w+) an? \2\b": "say what becomes of it",
    r"\bthan (he|she|it) had\b": "say what is different",
    r"^(\*\*|- )*Who (adds|can|does|had|has|holds|is|may|wants)\b(?!.*\?$)": "if you …, or whoever",
    r"\bsays? (what|why|how) of\b": "use one verb",
    r"\b(whereof|therein|wherein|whereupon|hereby|thereby|hitherto)\b": "use plain words",
    r"\b(it|this|that|which) is no [a-z]+\b": "is not a …",
    r"\b(is|are) to be [a-z]+ed\b": "say who does it",
    r"\bcalled for\b": "say what is needed",
    r"\bone's\b": "your",
}
"""What reads as if it were translated, and what to write in its place."""


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a page's prose: what stands in code, tables, headings and pictures is none."""
    code = r"^```.*?^```|^    .*?$|^<!--.*?-->$|^#.*?$|^\|.*?$|^!\[.*?$"
    text = re.sub(code, "\n\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "CODE", text)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        yield from filter(None, re.split(r"(?<=[.!?:])\s+(?=[A-Z*`\[])", " ".join(paragraph.split())))


def wrong(sentence: str) -> list[str]:
    """Return what is written in a way that we never want again."""
    found = ((pattern, re.search(pattern, sentence), fix) for pattern, fix in NEVER.items())
    return [f"{hit[0]!r}: {fix}" for _, hit, fix in found if hit]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_prose_is_plain_in_short_sentences_and_the_reader_is_you(page: Path) -> None:
    """Outside of rules, which speak of players, a page speaks of nobody as *he*."""
    of_rules = page.parent.name == "rules"
    longest = OF_RULES if of_rules else CONTRACTS.get(page.name, LONGEST)
    for each in sentences(page.read_text("utf-8")):
        assert len(each.split()) <= longest, each
        assert not wrong(each), each
        assert of_rules or not re.search(r"\b(he|him|his|himself)\b", each), each


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        ("Players leave by the own key.", "Players leave with their own key."),
        ("The output, of a folder a folder.", "The output, or a folder if LOG is one."),
        ("It is due a new rules version.", "Raise the rules version."),
        ("Who adds an option runs the tests.", "Who wins?"),
        ("Two cards are called for.", "It takes two cards."),
        ("a.log: this is no log", "a.log: this is not a log"),
    ],
)
def test_the_rules_see_what_they_are_for(bad: str, good: str) -> None:
    assert wrong(bad)
    assert not wrong(good)


# Help and messages.


def helps() -> Iterator[tuple[str, str]]:
    """Yield each text of a help page, with the call and the parameter that it is of."""
    import click
    from kifu.replay.app import program

    def walk(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, str]]:
        yield ctx.command_path, " ".join((command.help or "").split())
        for parameter in command.params:
            yield f"{ctx.command_path} {parameter.opts[0]}", getattr(parameter, "help", None) or ""
        if isinstance(command, click.Group):
            for name in command.list_commands(ctx):
                found = command.get_command(ctx, name)
                assert found is not None
                yield from walk(found, click.Context(found, info_name=name, parent=ctx))

    return walk(program, click.Context(program, info_name="replay"))


def test_help_is_plain() -> None:
    pytest.importorskip("click", reason="needs kifu[replay]")
    texts = list(helps())
    assert len(texts) > 200
    for where, text in texts:
        for each in sentences(text):
            assert not wrong(each), f"{where}: {each}"
            assert len(each.split()) <= LONGEST or "EXPR uses" in each, f"{where}: {each}"


MESSAGES = runpy.run_path(str(ROOT / "tests/core/text/test_messages.py"))


def messages() -> Iterator[tuple[str, str, str]]:
    """Yield every message of the source: the package that translates it, its key, and its English text."""
    for package in MESSAGES["PACKAGES"]:
        for key, texts in sorted(MESSAGES["made"](package).items()):
            yield from ((package, key, text) for text in texts)


@pytest.mark.ci
def test_messages_are_plain() -> None:
    """One line each, which says what is wrong; where it says what to do, after a colon, a semicolon or a comma."""
    told = list(messages())
    assert len(told) > 700
    for package, key, text in told:
        assert "\n" not in text, f"{package}: {key}"
        assert not wrong(text), f"{package}: {key}: {text}"
        assert len(text.split()) <= LONGEST or key.startswith("table-"), f"{package}: {key}: {text}"


@pytest.mark.ci
def test_an_error_of_a_call_has_a_value_or_says_what_to_do() -> None:
    doing = re.compile(r"\b(compare|give|go(?:es)?|make|needs?|put|say|takes?|try|use|write)\b")
    source = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "replay").rglob("*.py")))
    keys = set(re.findall(r"raise CallError\(\s*\"([a-z0-9-]+)\"", source))
    assert len(keys) > 50
    for package, key, text in messages():
        if package == "kifu.replay" and key in keys:
            assert "{" in text or doing.search(text), f"{key}: {text}"


if __name__ == "__main__":
    for row in messages():
        print(*row, sep="\t")
