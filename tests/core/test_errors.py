"""Every exception of kifu has one root, tells its values, and survives pickling."""

import inspect
import pickle

import pytest
from kifu.core import errors
from kifu.core.game import RuleViolation, Seat, TableRule
from kifu.games.take_and_share.model import Rule

RAISED = [
    errors.KifuError("why"),
    RuleViolation(Rule.TS_3, Seat(2), card=4, led="♠", held=109),
    RuleViolation(TableRule.FORM, why="no such field"),
    RuleViolation(TableRule.TURN, 1, asked=(0,), rule="a fact may have any name", self="too"),
    errors.OptionError("first", "a seat is 0 to 3, not 4"),
    errors.MatchError("takes 3 to 4 seats, not 9"),
    errors.MatchFull("it takes no more"),
    errors.NewerRules(3, 2),
    errors.GameError("chess", "not installed"),
    errors.GameFailed("chess", "apply failed"),
    errors.GameMissing("chess", "not installed"),
    errors.LogError("rule", "seat 2 did it", 12, "TS-3", "a.log"),
    errors.LogError("header", "this is not a log"),
    errors.BotError("there is no bot x"),
    errors.TraceError("this is not a trace", "a.trace"),
    errors.TraceError("the trace is cut short"),
    errors.TrustError("commitment", "a commitment is 32 bytes"),
    errors.TrustError("record", "no record: it has no 'kifu_record'", "mine.seat"),
    errors.EngineError("../other/bin/python", "it hangs"),
    errors.StoreError("sqlite:a.db", "the disk is full"),
    errors.NoMatch("0123"),
    errors.Conflict("0123", 4, 6),
    errors.Conflict("0123", 4, 6, ("what was seen", "in order")),
    errors.KeyRefused("0123"),
    errors.Rewound("0123", 9, 6),
    errors.KeyReused("this idempotency key came with another command"),
    errors.MissingExtra("kifu.core.testing", "test"),
]


def test_each_class_of_exception_is_tried():
    classes = {kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)}
    assert {*classes, RuleViolation} == {type(each) for each in RAISED}
    assert all(issubclass(kind, errors.KifuError) for kind in classes)


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
