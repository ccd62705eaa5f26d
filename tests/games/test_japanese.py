"""Japanese texts of the games: punctuation beside Japanese letters has their width."""

import re
from pathlib import Path

import kifu
import pytest

ROOT = Path(kifu.__file__).parent
LETTERS = "\u3040-\u30ff\u3400-\u9fff、。「」\uff01-\uff60"
NARROW = re.compile(f"[{LETTERS}][!?,:;()]|[!?,:;()][{LETTERS}]")
GAMES = kifu.games.names()


def catalogue(path: Path) -> str:
    """Return the messages of a catalogue that players read; what stands in braces is a letter."""
    said = re.split(r"(?m)^(?=[a-z#])", path.read_text(encoding="utf-8"))
    said = [each for each in said if each[:1] != "#" and (path.parent.parent.name != "text" or for_players(each))]
    text = re.sub(r"(?m)^\s+\*?\[[^\]]*\] ?", "", "".join(said))
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


def for_players(said: str) -> bool:
    """Return True if a message of the common catalogue is no error: players and seats at a table in words read it."""
    return not said.startswith("message-") or (said.startswith("message-table-") and "table-had" not in said)


@pytest.mark.parametrize("room", [*(f"games/{game}" for game in GAMES), "core/text", "core/page", "core/web"])
def test_a_catalogue_has_wide_punctuation(room: str) -> None:
    assert NARROW.findall(catalogue(ROOT / f"{room}/texts/ja.ftl")) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_has_wide_punctuation(game: str) -> None:
    assert NARROW.findall(lesson(ROOT / f"games/{game}/texts/learn.ja.md")) == []
