"""Laws 6 and 7 catch a game whose logs do not give it back, or that has a rule nobody sees at work."""

from itertools import count

import pytest
from high_card import GAME, Deal, Lay, Rule
from kifu.core.game import TABLE, Card, RuleBook, evolve
from kifu.core.log import log_bytes
from kifu.core.testing import Case, game_laws
from kifu.core.testing.play import played

apply, legal = GAME.apply, GAME.legal
CALLS = count()
DEALT = GAME.apply(GAME.start(GAME.options(), 2), TABLE, Deal(tuple(map(Card, range(1, 31)))))


def counts_its_calls(state, seat, command):
    after = apply(state, seat, command)
    return evolve(after, rest=after.rest[::-1]) if isinstance(command, Lay) and next(CALLS) % 3 else after


def lists_by_hash(state, seat):
    return iter(sorted(legal(state, seat), key=lambda lay: hash(str(lay.card))))


HASHED_BY_OPTION = GAME.altered(
    legal=lambda state, seat: (legal if state.options.hand == 3 else lists_by_hash)(state, seat)
)


class Unspoken(RuleBook):
    HC_9 = "HC-9", "Nobody ever speaks of this."


def test_law_6_catches_states_that_depend_on_more_than_the_log(fails):
    game = GAME.altered(apply=counts_its_calls)
    fails("test_6_a_log_gives_the_match_again", game, "has findings.*digest|gives? another state")


@pytest.mark.ci
def test_law_6_catches_an_order_that_depends_on_the_hash_seed_under_an_option_that_is_not_the_default(fails):
    fails("test_6_whatever_the_hash_seed", HASHED_BY_OPTION, r"PYTHONHASHSEED=\d+ the same match has another log")


def test_law_6_asks_that_another_process_finds_the_game(fails):
    fails("test_6_whatever_the_hash_seed", GAME.altered(), "is no name of any module")


@pytest.mark.ci
def test_law_7_names_the_rules_that_nothing_shows(fails):
    fails("test_7_every_rule_is_at_work", GAME.altered(book=Unspoken), "HC-9: Nobody ever speaks of this")


def test_law_7_asks_only_the_golden_logs_where_there_are_any(fails, tmp_path):
    (tmp_path / "begun.log").write_bytes(log_bytes(played(GAME, 2, GAME.options(), 0, part=0)))
    fails("test_7_every_rule_is_at_work", GAME, "HC-1: Every seat", golden=tmp_path)


def test_law_7_lets_a_case_show_a_rule():
    case = Case(Unspoken.HC_9, "said", DEALT, 0, Lay(Card(4)))
    game_laws(GAME.altered(book=Unspoken), cases=[case], examples=1)().test_7_every_rule_is_at_work()


def test_law_7_catches_a_case_that_is_accepted(fails):
    case = Case(Rule.HC_2, "its own card", DEALT, 0, Lay(Card(1)))
    fails("test_7_case", GAME, "is accepted, though HC-2 forbids it", case)


def test_law_7_catches_a_case_refused_by_another_rule(fails):
    case = Case(Rule.HC_2, "no card at all", DEALT, 0, Lay(Card(99)))
    fails("test_7_case", GAME, "refused by FORM", case)
