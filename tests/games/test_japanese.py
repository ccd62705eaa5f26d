"""Japanese texts: punctuation beside Japanese letters has their width."""

import re
from pathlib import Path

import kifu
import pytest

ROOT = Path(kifu.__file__).parent
LETTERS = "\u3040-\u30ff\u3400-\u9fff、。「」\uff01-\uff60"
NARROW = re.compile(f"[{LETTERS}][!?,:;()]|[!?,:;()][{LETTERS}]")
GAMES = kifu.games.names()
CODE = re.compile(r"`[^`]*`|\{ \$host \}:\{ \$port \}|\{ \$kind \}:(?=[0-9])|ismcts:\{ \$given \}|memory:")
"""What keeps its narrow marks: between backquotes, an address, a bot with its time."""
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
CATALOGUES = sorted(
    path for room in ("core", "games", "replay") for path in (ROOT / room).rglob("texts/ja.ftl")
) + sorted(EXAMPLES.rglob("texts/ja.ftl"))


def catalogue(path: Path) -> str:
    """Return the messages of a catalogue, without code; what stands in braces is a letter."""
    said = [each for each in re.split(r"(?m)^(?=[a-z#])", path.read_text(encoding="utf-8")) if each[:1] != "#"]
    text = re.sub(r"(?m)^\s+\*?\[[^\]]*\] ?", "", CODE.sub("x", "".join(said)))
    while "{" in text:
        shorter = re.sub(r"\{[^{}]*\}", "字", text)
        if shorter == text:
            break
        text = shorter
    return text


def lesson(path: Path) -> str:
    """Return a lesson without its code."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(re.sub("`[^`]*`|^(about|cards|minutes):", "", line) for line in lines if not line.startswith("!"))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_a_catalogue_has_wide_punctuation(path: Path) -> None:
    assert NARROW.findall(catalogue(path)) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_has_wide_punctuation(game: str) -> None:
    assert NARROW.findall(lesson(ROOT / f"games/{game}/texts/learn.ja.md")) == []
