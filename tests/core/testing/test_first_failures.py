"""What fails first says what is wrong, where, and how to see it again: the cause, not what follows from it."""

import re
import subprocess
import sys
from itertools import count
from pathlib import Path

import kifu
import pytest
from high_card import GAME, Deal, Lay, State
from kifu.core.game import GameError, RuleViolation, evolve
from kifu.core.log import log_bytes
from kifu.core.match import Match
from kifu.core.testing import game_laws, play
from kifu.core.testing.laws_of_play import golden_logs_can_be_played, matches_end
from kifu.core.testing.laws_of_texts import catalogue_of
from kifu.core.testing.play import begun, played

from .judging import failures, nothing_to_judge

NIM = (Path(__file__).parents[3] / "docs" / "examples" / "nim.py").read_text("utf-8")
ENDED = "k.Result((1 - winner, winner), (winner,))"


def first_failure(game, **given):
    """Return the name of the first law that fails, and what it says."""
    name, failure = next(failures(game, examples=8, **given))
    return name, str(failure)


@pytest.mark.ci
def test_an_exception_is_told_with_its_event_match_seed_line_and_the_call_that_shows_it_again(tmp_path, monkeypatch):
    line = 1 + NIM.partition(ENDED)[0].count("\n")
    (tmp_path / "count_up.py").write_text(NIM.replace(ENDED, "k.Result((0, 0), ([0, 1].index(5),))"))
    monkeypatch.syspath_prepend(tmp_path)
    import count_up

    law, said = first_failure(count_up.GAME)
    assert law == "test_0_everything_answers"
    assert re.match(rf"after event \d+ `result` fails: ValueError.* \(count_up.py, line {line}, in `result`\)", said)
    assert re.search(r"in match random-0 of 2 seats with NoOptions\(\), seed [0-9a-f]{16}…", said)
    call = said.rpartition("play it again: ")[2]
    again = subprocess.run(
        [sys.executable, *call.replace("'", "").split()[1:]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert f"line {line}, in `result`" in again.stdout
    shown = re.search(r"replay show (random-\d+\.log) --game count_up:GAME", again.stdout)
    assert (tmp_path / shown[1]).stat().st_size > 0


def test_what_is_called_again_otherwise_says_how(capsys):
    from kifu.core.testing.__main__ import USAGE, main

    assert main() == main("nim", "17", "2", "{}") == USAGE


def never_returns(view, shuffler):
    for _ in count():
        pass


def test_what_never_returns_is_stopped_with_a_sentence(unshrunk, monkeypatch):
    monkeypatch.setattr(play, "SECONDS", 0.2)
    law, said = first_failure(GAME.altered(determinize=never_returns))
    assert law == "test_0_everything_answers"
    assert "the game does not return within 0.2 seconds (test_first_failures.py" in said
    assert re.search(r"in `never_returns`\): `determinize` of a spectator after event -?\d+\nstate: State\(", said)


def test_a_table_that_deals_for_ever_is_stopped_with_a_sentence():
    deals_again = GAME.altered(apply=lambda state, seat, command: state)
    with pytest.raises(GameError, match="the table has dealt 10000 times in a row"):
        kifu.new(deals_again, ["Aki", "Ren"], seed=bytes(32))


def test_a_golden_log_that_stops_early_is_told_before_its_consequences(unshrunk, tmp_path):
    (tmp_path / "first.log").write_bytes(log_bytes(played(GAME, 3, GAME.options(), 1)))
    golden_logs_can_be_played(GAME, tmp_path)

    def lays_high_cards_alone(state, seat, command):
        if isinstance(command, Lay) and command.card < max(state.hands[seat]):
            raise RuleViolation(GAME.rule("HC-2"), seat, card=command.card)
        return GAME.apply(state, seat, command)

    def legal(state, seat):
        return (each for each in GAME.legal(state, seat) if each.card == max(state.hands[seat]))

    law, said = first_failure(GAME.altered(apply=lays_high_cards_alone, legal=legal), golden=tmp_path)
    assert law == "test_0_golden_logs_can_be_played"
    assert re.match(r"the golden log first.log is not played to its end: at event 1 HC-2", said)


def test_a_lost_card_is_told_before_the_golden_log_that_it_stops(unshrunk, tmp_path):
    (tmp_path / "first.log").write_bytes(log_bytes(played(GAME, 3, GAME.options(), 1)))
    said = first_failure(GAME.altered(apply=loses_a_card), golden=tmp_path)[1]
    assert re.match(r"after event \d+, Lay\(card=\d+\), cards are missing", said)


def test_fluent_s_own_error_is_quoted():
    with pytest.raises(AssertionError, match=r"this is no message: note-lay = .*\nFluent says: Expected"):
        catalogue_of("game = High Card\nnote-lay = { CARD($card\n")


def test_random_play_that_stops_at_its_limit_says_so():
    whole, begins = played(GAME, 2, GAME.options(), 0), begun(GAME, 2, GAME.options(), 0)
    begins.deal()
    assert isinstance(begins, Match)
    with pytest.warns(UserWarning, match="1 of 2 matches of 2 seats have not ended: random play stops after 2000"):
        matches_end([whole, begins])
    with pytest.raises(AssertionError, match="no match of 2 seats has ended"):
        matches_end([begins])


def starts_without_seats(options, seats):
    return State(options, (), (), (), ())


def deals_too_few(state, shuffler):
    return Deal(GAME.deal(state, shuffler).cards[1:])


def takes_back_the_last_card(state, seat, command):
    """Give the card back that would be the last one of a hand."""
    after = GAME.apply(state, seat, command)
    return state if isinstance(command, Lay) and not after.hands[seat] else after


def fails_at_the_highest_card(state, seat, command):
    if isinstance(command, Lay) and command.card == 30:
        raise ZeroDivisionError
    return GAME.apply(state, seat, command)


def loses_a_card(state, seat, command):
    after = GAME.apply(state, seat, command)
    return evolve(after, rest=after.rest[1:] or after.rest) if isinstance(command, Lay) else after


def fails_in_scene(view):
    if view.turned[0]:
        raise KeyError("hand")
    return GAME.scene(view)


CALLS, KEPT = count(), {}


def lists_what_is_kept(state, seat):
    return KEPT.setdefault((state, seat), list(GAME.legal(state, seat)))


def changes_what_is_kept(state, seat, command):
    after = GAME.apply(state, seat, command)
    if command in KEPT.get((state, seat), ()):
        KEPT[state, seat].remove(command)
    return after


def remembers(state, seat, command):
    after = GAME.apply(state, seat, command)
    return evolve(after, rest=after.rest[::-1]) if next(CALLS) % 2 else after


def leaves_one_out(state, seat):
    return iter(list(GAME.legal(state, seat))[1:] or GAME.legal(state, seat))


def shows_the_hands(state, viewer):
    return evolve(GAME.view(state, viewer), hands=state.hands)


BUGS = {
    "nobody has a seat": ({"start": starts_without_seats}, "test_0_a_match_begins", ".* does not begin"),
    "a deal that is refused": ({"deal": deals_too_few}, "test_0_a_match_begins", ".* does not begin.*DEAL"),
    "an exception": (
        {"apply": fails_at_the_highest_card},
        "test_0_everything_answers",
        r"(?s)after event \d+ of match random-\d+ of \d seats with Options\(hand=\d\), .*: the game fails: "
        r".*ZeroDivisionError.*test_first_failures.py, line \d+.*play it again: python -m",
    ),
    "an exception of what is shown": (
        {"scene": fails_in_scene},
        "test_0_everything_answers",
        r"(?s)after event \d+ `scene` of the table fails: KeyError\('hand'\) \(test_first_failures.py.*"
        r"in match random-",
    ),
    "no end": (
        {"apply": takes_back_the_last_card},
        "test_0_a_match_ends",
        r"no match of \d seats has ended, played at random, within 200\d events: let it end",
    ),
    "a list that is kept and changed": (
        {"legal": lists_what_is_kept, "apply": changes_what_is_kept},
        "test_1_apply_is_pure",
        r"legal, asked again about the same state, yields something else to seat \d: the game changes",
    ),
    "two answers": ({"apply": remembers}, "test_1_apply_is_pure", ".* in two ways"),
    "a command left out": (
        {"legal": leaves_one_out},
        "test_2_legal_and_apply_agree",
        "apply accepts .*, but legal does not yield it",
    ),
    "a lost card": (
        {"apply": loses_a_card},
        "test_4_no_card_is_lost",
        r"after event \d+, Lay\(card=\d+\), cards are missing",
    ),
    "a leak": ({"view": shows_the_hands}, "test_5_nothing_leaks", ".* shows something new that neither the observed"),
}


@pytest.mark.ci
@pytest.mark.parametrize(("changes", "law", "says"), BUGS.values(), ids=BUGS)
def test_the_first_law_that_fails_names_the_cause(unshrunk, changes, law, says):
    first, said = first_failure(GAME.altered(**changes))
    assert first == law, said
    assert re.match(says, said)


def test_the_tests_stand_in_the_order_of_the_laws():
    laws = game_laws(GAME)
    numbers = [int(name.split("_")[1]) for name in vars(laws) if name.startswith("test_")]
    assert numbers == sorted(numbers)
    assert laws.__bases__ == (object,), "pytest collects the tests of bases in an order of its own"


def test_a_game_may_have_no_end():
    assert nothing_to_judge(GAME, "test_0_a_match_ends", endless=True) == "matches of this game need not end"
