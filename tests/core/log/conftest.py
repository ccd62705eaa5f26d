"""Matches and logs that the tests of this folder start from."""

from pathlib import Path
from random import Random

import kifu
import pytest
from kifu.core.log import log_bytes

SEATS = ["Aki", "Ren", "Mio", "Sou"]
SEED = bytes(range(32))


def play_on(match: kifu.Match, events: int, choices: int = 1) -> kifu.Match:
    """Play at random until the match has so many events or is over."""
    random = Random(choices)
    while match.to_act and len(match.events) < events:
        seat = min(match.to_act)
        match.play(seat, random.choice(match.legal(seat)))
    return match


def new() -> kifu.Match:
    return kifu.new("take_and_share", SEATS, seed=SEED, match="m1", started=0)


@pytest.fixture
def begun() -> kifu.Match:
    """A match that has just been dealt."""
    return new()


@pytest.fixture
def going(begun: kifu.Match) -> kifu.Match:
    """A match of thirty events that goes on."""
    return play_on(begun, 30)


@pytest.fixture(scope="session")
def over() -> kifu.Match:
    """A match that is over, which no test changes."""
    return play_on(kifu.new("take_and_share", SEATS[:3], seed=SEED, match="m2", started=0), 1000)


@pytest.fixture(scope="session")
def going_bytes() -> bytes:
    """The log of `going`."""
    return log_bytes(play_on(new(), 30))


@pytest.fixture
def going_log(going_bytes: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "going.log"
    path.write_bytes(going_bytes)
    return path
