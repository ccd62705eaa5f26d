"""Every verb speaks Japanese when asked: no English sentence is left in what it prints."""

import re
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = Path(__file__).parents[1] / "cases"
CAKE = FIXTURES / "cake"
LOG = CAKE / "tie_broken.log"
OTHER = CAKE / "two_eaten.log"

CALLS = {
    "audit": ("audit", LOG, CAKE / "shared_victory.log", CASES / "take_and_share/002-illegal.log"),
    "golden": ("golden", FIXTURES / "gosne"),
    "diff of logs": ("diff", LOG, OTHER),
    "diff of the same": ("diff", LOG, LOG),
    "diff of traces": ("diff", LOG.with_suffix(".trace"), OTHER),
    "stats": ("stats", CAKE),
    "rules": ("rules", "cake", "--coverage", CAKE),
    "when": ("when", LOG, "len(piles)"),
    "show": ("show", LOG),
    "show a bad log": ("show", CASES / "take_and_share/002-illegal.log", "--from", "110"),
}
NAMES = {
    "Aki",
    "Ren",
    "Mio",
    "Sou",
    "Yui",
    "kifu",
    "log",
    "trace",
    "oracle",
    "cake",
    "gosne",
    "take",
    "and",
    "share",
    "logs",
}
"""What may be there in Latin letters: names of people, files, games, and what a program calls itself."""


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_it_speaks_japanese(replay, call: tuple[object, ...]) -> None:
    called = replay(*call, "--lang", "ja")
    assert called.code in (0, 1)
    said = called.out
    for path in sorted((str(each) for each in call if isinstance(each, Path)), key=len, reverse=True):
        said = said.replace(path, "")
    assert re.search("[ぁ-んァ-ン一-龠]", said)
    words = re.findall(r"(?<![\w.=/-])[a-z]{3,}\b(?![=/()\[-])", said)
    assert not [word for word in words if word not in NAMES], said


def test_a_match_that_several_won_is_told_as_one_says_it(replay) -> None:
    assert "won by seat 0 and seat 1\n" in replay("audit", CAKE / "shared_victory.log").out
    assert "席0、席1の勝ち\n" in replay("audit", CAKE / "shared_victory.log", "--lang", "ja").out
