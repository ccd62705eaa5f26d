"""The fold: live play, deals, takebacks, what stands at any event, and what is never folded."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.errors import GameError, MatchError, OptionError
from kifu.core.game import TABLE, Game, Meta, RedactedCommand, RuleViolation, Seat, TableRule, Takeback
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import Match
from kifu.core.match.fold import Fold
from kifu.core.match.header import new_header
from kifu.core.match.takebacks import why_consent_is_needed
from kifu.core.testing import matches
from kifu.games.take_and_share import GAME
from kifu.games.take_and_share.model import Deal, Play, Rule
from kifu.games.take_and_share.rules import DECKS

SEED = bytes(range(32))


def header(seats: int = 3, seed: bytes | None = SEED, game: Game = GAME, **options):
    names = ("Aki", "Ren", "Mio", "Sou")[:seats]
    return new_header(game, names, options, seed, match="m", started=None, engine="test")


def begun(seats: int = 3, seed: bytes | None = SEED, **options) -> Match:
    match = Match(GAME, header(seats, seed, **options))
    match.deal()
    return match


def play_on(match: Match, events: int = 10**6) -> Match:
    """Let whoever is asked give the first legal command, for so many more events."""
    goal = len(match.events) + events
    while match.to_act and len(match.events) < goal:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    return match


def refused(match: Match, seat: int, command):
    before = (match.state, list(match.events))
    with pytest.raises(RuleViolation) as refusal:
        match.play(seat, command)
    assert (match.state, list(match.events)) == before
    return refusal.value.rule


# Play


def test_play_gives_the_step_it_made():
    match = begun()
    before, command = match.state, match.legal(0)[0]
    step = match.play(0, command)
    assert (step.seq, step.seat, step.command) == (1, 0, command)
    assert (step.before, step.after) == (before, match.state)
    assert match.steps[1] == step


def test_a_refused_command_changes_nothing():
    assert refused(begun(), 1, begun().legal(0)[0]) is TableRule.TURN


@pytest.mark.parametrize("seat", [-2, 3, 100])
def test_a_seat_is_one_of_the_match(seat):
    assert refused(begun(), seat, begun().legal(0)[0]) is TableRule.FORM


def test_the_table_deals_by_itself_from_the_seed_alone():
    assert [event.seat for event in begun().events] == [TABLE]
    assert begun(seed=None).events == []
    assert begun(seed=None).to_act == {TABLE}


def test_without_a_seed_the_deal_is_played_as_a_command():
    match = begun(seed=None)
    match.play(TABLE, Deal(DECKS[3]))
    assert match.to_act == {0}
    with pytest.raises(MatchError):
        Fold(GAME, header(seed=None)).deal()


def test_a_deal_that_the_seed_does_not_give_is_refused():
    match = Match(GAME, header())
    assert refused(match, TABLE, Deal(DECKS[3])) is TableRule.SEED


def test_a_deal_is_judged_by_the_rules_before_the_seed():
    match = Match(GAME, header())
    assert refused(match, TABLE, Deal(DECKS[4])) is TableRule.FORM


def test_a_bug_of_a_game_is_a_game_error():
    def stumbles(state, seat, command):
        raise ZeroDivisionError

    match = Match(GAME.altered(apply=stumbles), header())
    with pytest.raises(GameError, match=r"take_and_share.*ZeroDivisionError"):
        match.apply(TABLE, Deal(DECKS[3]))


# Deals


def test_each_deal_is_the_next_of_the_seed():
    match = play_on(begun(long=True), 100)
    dealt = [event.command.cards for event in match.events if event.seat == TABLE]
    assert len(dealt) > 1
    assert dealt == [Shuffler(SEED, number).shuffle(DECKS[3]) for number in range(len(dealt))]


def test_a_deal_that_the_seed_gave_is_refused_where_it_is_given_again():
    match = begun()
    match.take_back(-1)  # so the table is to deal again, from the same state
    assert refused(match, TABLE, match.events[0].command) is TableRule.SEED


def test_entropy_deals_only_where_there_is_no_seed():
    asked, other = [], bytes(range(1, 33))
    for seed in (SEED, None):
        match = Match(GAME, header(seed=seed))
        (step,) = match.deal(Meta(at=7), lambda count: asked.append(count) or other)
        assert step.command.cards == Shuffler(seed or other, 0).shuffle(DECKS[3])
        assert step.event.meta == Meta(at=7)
    assert asked == [32]


def test_deals_that_were_taken_back_count():
    match = begun()
    match.take_back(-1)
    match.deal()
    assert [event.command.cards for event in match.events if isinstance(event.command, Deal)] == [
        Shuffler(SEED, 0).shuffle(DECKS[3]),
        Shuffler(SEED, 1).shuffle(DECKS[3]),
    ]


# Takebacks


@given(match=matches(GAME), data=st.data())
def test_a_takeback_restores_the_state_after_an_event_also_one_that_was_taken_back(match, data):
    for _ in range(3 if match.events else 0):
        to = data.draw(st.integers(-1, len(match.events) - 1))
        known, events = match.at(to).state, list(match.events)
        step = match.take_back(to)
        assert match.state == known == step.after
        assert match.events[:-1] == events
        assert step.notes[0].key == "takeback"


def test_a_takeback_after_the_end_makes_the_match_unfinished_again():
    match = play_on(begun())
    assert match.result is not None
    match.take_back(len(match.events) - 2)
    assert match.result is None
    ended = play_on(match)
    assert ended.result is not None


@pytest.mark.ci
@given(match=matches(GAME), data=st.data())
def test_a_seat_undoes_its_commands_one_by_one_until_none_is_left(match, data):
    seat = data.draw(st.integers(0, len(match.header.seats) - 1))
    mine = [event for event in match.effective if event.seat == seat]
    for event in reversed(mine):
        known = match.states[event.seq]
        assert match.undo(seat).after == known == match.state
        assert event.seq not in [each.seq for each in match.effective]
    with pytest.raises(MatchError, match="no command of seat"):
        match.undo(seat)


@given(match=matches(GAME))
def test_effective_events_alone_lead_to_the_present_state(match):
    again = Fold(GAME, attrs.evolve(match.header, seed=None))
    for event in match.effective:
        again.apply(event.seat, event.command)
    assert again.state == match.state


@pytest.mark.parametrize("seat", [7, TABLE, True])
def test_who_has_given_no_command_undoes_none(seat):
    with pytest.raises(MatchError):
        play_on(begun(), 3).undo(seat)


@pytest.mark.parametrize("to", [-2, 1, 2])
def test_a_takeback_goes_to_an_event_before_it(to):
    match = begun()
    with pytest.raises(RuleViolation) as refusal:
        match.take_back(to)
    assert refusal.value.rule is TableRule.FORM
    assert len(match.events) == 1


@pytest.mark.parametrize("seat", [0, 2])
def test_only_the_table_takes_back(seat):
    assert refused(begun(), seat, Takeback(-1)) is TableRule.TURN


def test_a_takeback_has_a_note_for_every_viewer():
    step = begun().take_back(-1)
    assert all(step.command_for(viewer) == Takeback(-1) for viewer in (0, None, TABLE))
    assert step.notes_for(None) == step.notes_for(1) == step.notes


def test_a_fold_that_keeps_nothing_takes_nothing_back():
    fold = Fold(GAME, header(), keep_states=False)
    fold.apply(TABLE, fold.deal())
    with pytest.raises(MatchError):
        fold.apply(TABLE, Takeback(-1))


# The end


def test_nothing_follows_an_abandoned_match():
    match = begun()
    seat = min(match.to_act)
    command = match.legal(seat)[0]
    match.abandon()
    assert match.abandoned
    assert match.result is None
    for follows in (lambda: match.play(seat, command), lambda: match.take_back(-1)):
        with pytest.raises(MatchError, match="nothing can follow"):
            follows()
    assert (match.to_act, len(match.legal(seat))) == (frozenset(), 0), "nobody is asked for what would be refused"


def test_a_match_that_is_over_is_not_abandoned():
    match = play_on(begun())
    match.abandon()
    assert not match.abandoned


def test_after_the_end_nobody_may_act():
    assert refused(play_on(begun()), 0, Play(DECKS[3][0])) is TableRule.OVER


# Looking


@given(match=matches(GAME))
def test_steps_are_events_between_states(match):
    assert len(match.steps) == len(match.events)
    for step, before, after in zip(match.steps, match.states, match.states[1:], strict=False):
        assert (step.before, step.after) == (before, after)
    assert match.steps[-3:] == list(match.steps)[-3:]


@given(match=matches(GAME))
def test_a_match_has_a_position_after_each_event(match):
    for seq, state in enumerate(match.states, -1):
        position = match.at(seq)
        assert position.state == state
        assert position.to_act == GAME.to_act(state)
        assert position.view(0) == GAME.view(state, Seat(0))


@pytest.mark.parametrize("seq", [-2, 1, 99])
def test_there_is_no_position_after_a_missing_event(seq):
    with pytest.raises(MatchError):
        begun().at(seq)
    if seq != -2:
        with pytest.raises(IndexError):
            begun().steps[seq]


def test_notes_are_made_on_access():
    asked = []

    def explain(step, viewer):
        asked.append((step.seq, viewer))
        return GAME.explain(step, viewer)

    match = Match(GAME.altered(explain=explain), header())
    match.deal()
    assert asked == []
    assert match.steps[0].notes[0].rule is Rule.TS_1
    match.steps[0].notes_for(None)
    assert asked == [(0, TABLE), (0, None)]


def test_a_step_shows_each_seat_what_it_may_see():
    step = begun().steps[0]
    assert step.command_for(0) == RedactedCommand("deal")
    assert step.command_for(TABLE) == step.command


# Setting up


@pytest.mark.parametrize("seats", [0, 2])
def test_a_game_takes_its_numbers_of_seats_alone(seats):
    with pytest.raises(MatchError, match="3 to 4 seats"):
        header(seats)


@pytest.mark.parametrize("seat", [-2, 3, 7, "a", 0.0, True])
@pytest.mark.parametrize("asked", ["legal", "view", "scene", "undo"])
def test_what_is_no_seat_of_the_match_is_refused(asked, seat):
    match = begun()
    with pytest.raises(MatchError, match="a seat is"):
        getattr(match, asked)(seat)
    if asked != "undo":
        with pytest.raises(MatchError, match="a seat is"):
            getattr(match.at(0), asked)(seat)


@pytest.mark.parametrize("viewer", [-2, 3, 4, "a", True])
def test_a_step_is_shown_to_no_seat_that_the_match_does_not_have(viewer):
    match = begun()
    played = match.play(min(match.to_act), match.legal(min(match.to_act))[0])
    for step in (match.steps[0], played, *match.steps[1:]):
        for shown in (step.notes_for, step.command_for):
            with pytest.raises(MatchError, match="a seat is 0 to 2"):
                shown(viewer)


def test_the_whole_table_is_asked_for_by_name():
    match = begun()
    for asked in (match, match.at(0)):
        assert asked.everything() == GAME.view(match.state, TABLE)
        for look in (asked.view, asked.scene):
            with pytest.raises(MatchError, match="`everything"):
                look(TABLE)


def test_options_suit_the_seats():
    with pytest.raises(OptionError):
        header(3, first=3)
    assert header(4, first=3).options.first == 3


def test_a_takeback_costs_the_same_however_long_the_match_is():
    """Whether consent is needed, and since when a seat is to act, looks at no event before the one restored."""

    class Counted(list):
        looked_up = 0

        def __getitem__(self, place):
            self.looked_up += len(range(*place.indices(len(self)))) if isinstance(place, slice) else 1
            return super().__getitem__(place)

    def taken_back(times):
        match = begun()
        for _ in range(times):
            match.play(min(match.to_act), match.legal(min(match.to_act))[0])
            match.apply(TABLE, Takeback(0), Meta(0, by="seat 0"))
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
        assert match.origins[-1] == 2 * times + 1  # as the takebacks before have left it
        match.events = Counted(match.events)
        why_consent_is_needed(match, seat, len(match.events) - 2)
        return match.events.looked_up

    assert taken_back(2) == taken_back(60) > 0
