"""A game that fails in the middle of a match: its error reveals nothing of the hidden cards."""

from __future__ import annotations

import pytest
from high_card import GAME
from kifu.core.errors import GameError, LogError
from kifu.core.game import TABLE, RuleViolation, TableRule

SECRET = "the pile holds 4, 8 and 15"
PARTS = ["apply", "view", "legal", "explain", "to_act", "scene", "result", "redact", "start"]


def fails(*_):
    raise ValueError(SECRET)


def exits(*_):
    raise SystemExit(SECRET)


def refuses(*_):
    raise RuleViolation(TableRule.DEAL, TABLE, expected=SECRET)


def errors_of(at):
    """Yield the errors of all that a seat may call."""
    calls = [
        lambda: at.host.observe(at.match, at.keys[1]),
        lambda: at.host.history(at.match, at.keys[1]),
        lambda: at.about,
        lambda: at.host.submit(at.match, at.keys[1], ("lay", {"card": 30}), 1),
        lambda: at.take_back(1, -1),
        lambda: list(at.host.watch(at.match, at.keys[1], timeout_ms=0)),
    ]
    for call in calls:
        try:
            call()
        except (Exception, SystemExit) as error:
            yield error


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("broken", [fails, refuses, exits])
@pytest.mark.parametrize("folded", [True, False], ids=["before it fails", "afterwards"])
def test_what_fails_in_a_game_reveals_nothing_hidden(make_host, table, part, broken, folded):
    """Holds whether the host has folded the match before the game fails, or folds it only then."""
    now = [GAME]
    following = GAME.altered(**{part: lambda *args: getattr(now[0], part)(*args)})
    at = table("high_card", 3, at=make_host(find=lambda name: following))
    before = at.log
    if not folded:
        at.host = make_host(at.host._context.store, find=lambda name: following)
    now[0] = GAME.altered(**{part: broken})
    errors = list(errors_of(at))
    for error in errors:
        allowed = GameError, LogError, RuleViolation
        assert isinstance(error, allowed), repr(error)
        assert SECRET not in f"{error!r} {error} {error.__cause__!r}"
        assert not isinstance(error, RuleViolation) or error.seat == 1
    assert errors or (part == "start" and folded)
    now[0] = GAME
    assert at.log[: len(before)] == before
    at.play_on()
    assert at.observe().result is not None


@pytest.mark.parametrize("broken", [fails, refuses])
def test_a_deal_that_fails_begins_no_match(make_host, broken):
    host = make_host(find=lambda name: GAME.altered(deal=broken))
    match = host.open("high_card", 2).match
    host.join(match, "Aki")
    with pytest.raises(GameError) as caught:
        host.join(match, "Ren")
    assert SECRET not in str(caught.value)
    assert host.about(match).status == "open"


def test_what_fails_in_the_host_is_not_blamed_on_the_game(make_host, table):
    clock = [lambda: 1_000_000]
    at = table(at=make_host(clock=lambda: clock[0]()))
    before = at.log
    command = at.observe(0).legal[0]
    clock[0] = fails
    with pytest.raises(ValueError, match=SECRET):
        at.host.submit(at.match, at.keys[0], command, at.count)
    assert at.log == before
