"""Logs to trace, and an engine that is wrong on purpose."""

from collections.abc import Callable

import pytest
from kifu import games
from kifu.core.game import Game
from kifu.core.log import log_bytes
from kifu.core.match import Match
from kifu.core.testing.play import played
from kifu.core.trace import Trace, read_trace, trace_log
from kifu.games.take_and_share import rules


@pytest.fixture(scope="session")
def game() -> Game:
    return games.find("take_and_share")


@pytest.fixture(scope="session")
def match(game: Game) -> Match:
    """A match in which a trick is won by the earliest of equals."""
    some = (played(game, 4, game.options(), number) for number in range(99))
    return next(match for match in some if "TS-6" in shown(match))


def shown(match: Match) -> set[str]:
    return {note.rule.number for step in match.steps for note in step.notes if note.rule}


@pytest.fixture(scope="session")
def log(match: Match) -> bytes:
    return log_bytes(match)


@pytest.fixture
def traced_by(log: bytes, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Callable[..., Trace]:
    """Trace the log by an engine some of whose rules are others."""

    def trace(**others: object) -> Trace:
        if others:
            request.getfixturevalue("plants")
        with monkeypatch.context() as patch:
            for name, other in others.items():
                patch.setattr(rules if hasattr(rules, name) else rules.k, name, other)
            return read_trace(trace_log(log))

    return trace
