"""How large the house may be. A limit goes up only in a commit whose message says why.

Counted are lines with whatever stands on them: who packs code more tightly to keep a limit has missed the point.
"""

from importlib import import_module
from pathlib import Path

import attrs
import pytest
from kifu.core.errors import MissingExtra
from kifu.core.game import Game

ROOT = Path(__file__).parents[1]
PRODUCT = ("core", "games", "replay")
WEB = {".js", ".mjs", ".css", ".html", ".ts", ".mts"}

PRODUCT_LINES = 65_330
MODULES = 365
TEST_LINES = 51_900
WORDS = 44_490
GAME_FIELDS = 13
VERBS = 22
OPTIONS = 197
PUBLIC_NAMES = {
    "kifu": 42,
    "kifu.core.game": 121,
    "kifu.core.wire": 11,
    "kifu.core.text": 8,
    "kifu.core.match": 23,
    "kifu.core.log": 19,
    "kifu.core.trust": 11,
    "kifu.core.trace": 18,
    "kifu.core.page": 10,
    "kifu.core.stores": 19,
    "kifu.core.host": 34,
    "kifu.core.web": 12,
    "kifu.core.env": 16,
    "kifu.core.testing": 9,
}


def files(*folders: str, suffixes: set[str]) -> list[Path]:
    found = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)
    left_out = {"node_modules", "__pycache__", ".pytest_cache"}
    return [path for path in found if left_out.isdisjoint(path.parts)]


def lines(paths: list[Path]) -> int:
    return sum(path.read_text("utf-8").count("\n") for path in paths)


def test_product_lines() -> None:
    assert lines(files(*PRODUCT, suffixes={".py", *WEB})) <= PRODUCT_LINES


def test_modules() -> None:
    assert len(files(*PRODUCT, suffixes={".py"})) <= MODULES


def test_lines_of_tests() -> None:
    assert lines(files("tests", suffixes={".py", ".js", ".mjs"})) <= TEST_LINES


def test_words_of_prose() -> None:
    pages = [*ROOT.glob("*.md"), *files("docs", "tests", suffixes={".md"})]
    assert sum(len(path.read_text("utf-8").split()) for path in pages) <= WORDS


def test_a_game_has_few_fields() -> None:
    assert len(attrs.fields(Game)) <= GAME_FIELDS


@pytest.mark.parametrize("room", PUBLIC_NAMES)
def test_public_names(room: str) -> None:
    try:
        names = import_module(room).__all__
    except MissingExtra as missing:
        pytest.skip(f"needs {missing}")
    assert len(names) <= PUBLIC_NAMES[room]


def test_verbs_and_options() -> None:
    listed = (ROOT / "tests" / "public_api.txt").read_text("utf-8").partition("\n# replay\n")[2].partition("\n\n")[0]
    calls = [line.split() for line in listed.splitlines()]
    assert 0 < len({call[1] for call in calls}) <= VERBS
    assert sum(word.startswith("-") for call in calls for word in call) <= OPTIONS
