"""Every exception of kifu has one root, tells its values, and survives pickling."""

import inspect
import pickle

import pytest
from kifu.core import errors
from kifu.core.errors import (
    BotError,
    Conflict,
    EngineError,
    GameError,
    GameFailed,
    GameMissing,
    KeyRefused,
    KeyReused,
    KifuError,
    LogError,
    MatchError,
    MatchFull,
    MissingExtra,
    NewerRules,
    NoMatch,
    OptionError,
    Rewound,
    StoreError,
    TraceError,
    TrustError,
)
from kifu.core.game import RuleViolation, Seat, TableRule
from kifu.games.take_and_share.model import Rule

RAISED = [
    KifuError("why"),
    RuleViolation(Rule.TS_3, Seat(2), card=4, led="♠", held=109),
    RuleViolation(TableRule.FORM, why="no such field"),
    RuleViolation(TableRule.TURN, 1, asked=(0,), rule="a fact may have any name", self="too"),
    OptionError("first", "a seat is 0 to 3, not 4"),
    MatchError("takes 3 to 4 seats, not 9"),
    MatchFull("it takes no more"),
    NewerRules(3, 2),
    GameError("chess", "not installed"),
    GameFailed("chess", "apply failed"),
    GameMissing("chess", "not installed"),
    LogError("rule", "seat 2 did it", 12, "TS-3", "a.log"),
    LogError("header", "this is not a log"),
    BotError("there is no bot x"),
    TraceError("this is not a trace", "a.trace"),
    TraceError("the trace is cut short"),
    TrustError("commitment", "a commitment is 32 bytes"),
    TrustError("record", "no record: it has no 'kifu_record'", "mine.seat"),
    EngineError("../other/bin/python", "it hangs"),
    StoreError("sqlite:a.db", "the disk is full"),
    NoMatch("0123"),
    Conflict("0123", 4, 6),
    Conflict("0123", 4, 6, ("what was seen", "in order")),
    KeyRefused("0123"),
    Rewound("0123", 9, 6),
    KeyReused("this idempotency key came with another command"),
    MissingExtra("kifu.core.testing", "test"),
]


def test_each_class_of_exception_is_tried():
    classes = {kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)}
    assert {*classes, RuleViolation} == {type(each) for each in RAISED}
    assert all(issubclass(kind, KifuError) for kind in classes)


@pytest.mark.parametrize("error", RAISED, ids=str)
def test_an_exception_pickles_as_it_is(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert str(again) == str(error)


def test_a_violation_shows_its_rule_its_seat_and_the_facts():
    text = str(RuleViolation(Rule.TS_8, Seat(1), cards=(5, 6)))
    assert text.startswith("TS-8: ")
    assert "seat 1" in text
    assert "cards (5, 6)" in text


def test_a_log_error_shows_where():
    assert str(LogError("chain", "a link is broken", 7, path="a.log")) == "a.log: chain: event 7: a link is broken"


def test_a_missing_extra_shows_what_to_install():
    assert "pip install 'kifu[test]'" in str(MissingExtra("kifu.core.testing", "test"))
