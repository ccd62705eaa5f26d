"""Laws 1 to 4 catch a game that breaks them: High Card, broken in one place at a time."""

import attrs
import pytest
from high_card import GAME, Deal, Lay, State
from kifu.core.game import TABLE, Result, RuleViolation, Seat, evolve
from kifu.core.testing.laws_of_play import legal_and_apply_agree, states_of
from kifu.core.testing.mutants import rebased
from kifu.core.testing.play import played
from kifu.games import gosne

altered, apply, cards = GAME.altered, GAME.apply, GAME.cards
legal, result, to_act = GAME.legal, GAME.result, GAME.to_act


# Law 1


def changes_the_given_state(state, seat, command):
    after = apply(state, seat, command)
    object.__setattr__(state, "rest", state.rest[1:])
    return after


def changes_it_though_it_refuses(state, seat, command):
    try:
        return apply(state, seat, command)
    except RuleViolation:
        object.__setattr__(state, "turned", ())
        raise


def keeps_a_list(state, seat, command):
    after = apply(state, seat, command)
    return evolve(after, rest=list(after.rest))


def adds_a_field(state, seat, command):
    after = evolve(apply(state, seat, command))
    vars(after)["remark"] = "mine"
    return after


def stumbles(state, seat, command):
    if isinstance(command, Lay) and command.card not in state.hands[seat]:
        raise ValueError("not in the hand")
    return apply(state, seat, command)


Thawed = attrs.make_class("Thawed", {field.name: attrs.field() for field in attrs.fields(State)})


def thaws(options, seats):
    return Thawed(**vars(GAME.start(options, seats)))


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (altered(apply=changes_the_given_state), "changed the state it was given"),
        (altered(apply=changes_it_though_it_refuses), "changed the state it was given"),
        (altered(apply=keeps_a_list), "is a list"),
        (altered(apply=adds_a_field), "does not have: .'remark'"),
        (altered(apply=stumbles), "refuses with a RuleViolation"),
        (altered(start=thaws), "Thawed is not frozen"),
    ],
)
def test_law_1(fails, game, says):
    fails("test_1_apply_is_pure", game, says)


# Law 2


def yields_always(state, seat):
    return map(Lay, state.hands[seat]) if seat != TABLE else iter(())


def yields_twice(state, seat):
    return iter([*legal(state, seat)] * 2)


def deals_too(state, seat):
    return iter([Deal(state.rest)]) if seat == TABLE else legal(state, seat)


def lets_the_table_be(state, seat, command):
    """Accept what only the table may do."""
    return apply(state, TABLE if isinstance(command, Deal) else seat, command)


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (altered(legal=yields_always), "but apply refuses it: TURN"),
        (altered(legal=yields_twice), "more than once"),
        (altered(legal=deals_too), "commands of the table"),
        (altered(apply=lets_the_table_be), "but legal does not yield it"),
    ],
)
def test_law_2(fails, game, says):
    fails("test_2_legal_and_apply_agree", game, says)


def leaves_one_out_of_one_list(where, at):
    def legal(state, seat):
        listed = list(gosne.GAME.legal(state, seat))
        return iter([each for each in listed if state != where or each != listed[at]])

    return gosne.GAME.altered(legal=legal)


@pytest.mark.parametrize("at", [0, -1], ids=["the first", "the last"])
def test_law_2_sees_what_one_state_lacks_and_another_lists(at) -> None:
    """A long list of commands differs little from that of another state; a few tries at random would miss one."""
    match = played(gosne.GAME, 4, gosne.GAME.options(), 11)
    places = [(state, seat) for state in states_of(match) for seat in gosne.GAME.to_act(state)]
    lists = [(state, list(gosne.GAME.legal(state, seat))) for state, seat in places]
    both = [state for state, listed in lists if any(listed[at] in other for where, other in lists if where != state)]
    assert len(both) == 4
    for state in both:
        with pytest.raises(AssertionError, match="but legal does not yield it"):
            legal_and_apply_agree(rebased(match, leaves_one_out_of_one_list(state, at)))


# Law 3


def points_of_three(state):
    return result(state) and Result((1, 2, 3, 4, 5, 6), (Seat(5),))


def winners_backwards(state):
    ended = result(state)
    return ended and Result(ended.points, tuple(range(len(ended.points)))[::-1])


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (altered(result=lambda state: None), "there is no result"),
        (altered(result=lambda state: Result((0,) * len(state.hands), (Seat(0),))), "are still to act"),
        (altered(legal=lambda state, seat: iter(())), "is to act, but has no legal command"),
        (altered(to_act=lambda state: to_act(state) and to_act(state) | {Seat(9)}), "names .9.: no seat"),
        (altered(result=points_of_three), "6 points for"),
        (altered(result=winners_backwards), "ascending"),
    ],
)
def test_law_3(fails, game, says):
    fails("test_3_somebody_can_act", game, says)


# Law 4


@pytest.mark.ci
def test_law_4(fails):
    empty = altered(cards=lambda state: cards(state) if any(state.turned) else iter(()))
    fails("test_4_no_card_is_lost", empty, "yields nothing")
