"""Law 5 catches a game that leaks: High Card, leaking in one place at a time."""

from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from high_card import GAME, Deal, Lay, Rule
from kifu import games
from kifu.core.game import TABLE, Note, Passing, RedactedCommand, RuleViolation, malformed_command
from kifu.core.game.shuffle import Shuffler
from kifu.core.testing import game_laws
from kifu.core.testing.laws_of_record import golden_matches
from kifu.core.testing.laws_of_sight import a_history_suffices
from kifu.core.testing.mutants import rebased

FIXTURES = Path(__file__).parents[3] / "fixtures"
altered, apply, determinize, explain = GAME.altered, GAME.apply, GAME.determinize, GAME.explain
legal, redact, to_act, view = GAME.legal, GAME.redact, GAME.to_act, GAME.view
View: Any = type(view(GAME.start(GAME.options(), 2), None))


def shows_the_left_hand(state, viewer):
    shown = view(state, viewer)
    left = ((-1 if viewer is None else viewer) + 1) % len(state.hands)
    return attrs.evolve(shown, hands=(*shown.hands[:left], state.hands[left], *shown.hands[left + 1 :]))


def forgets_the_left_hand(shown, shuffler):
    own = tuple(hand if seat == shown.viewer else None for seat, hand in enumerate(shown.hands))
    return determinize(attrs.evolve(shown, hands=own), shuffler)


@attrs.frozen
class More(View):
    more: Any = ()


@attrs.frozen
class Slipped(View):
    more: Any = attrs.field(eq=False, default=None)


def with_more(shown, more, kind=More):
    return kind(**attrs.asdict(shown, recurse=False), more=more)


def slips_the_state_in(state, viewer):
    return with_more(view(state, viewer), state, Slipped)


def asks_the_highest(state):
    asked = to_act(state)
    if not asked or TABLE in asked:
        return asked
    return frozenset({max(asked, key=lambda seat: max(state.hands[seat]))})


def yields_less_if_the_rest_is_low(state, seat):
    listed = list(legal(state, seat))
    return iter(listed[:-1] if listed[1:] and state.rest[0] < 15 else listed)


def tells_who_holds_it(state, seat, command):
    try:
        return apply(state, seat, command)
    except RuleViolation as refusal:
        if refusal.rule is not Rule.HC_2:
            raise
        holder = next((other for other, hand in enumerate(state.hands) if command.card in hand), None)
        raise RuleViolation(Rule.HC_2, seat, card=command.card, holder=holder) from None


def tells_what_was_laid(step, viewer):
    yield from explain(step, viewer)
    if isinstance(step.command, Lay):
        yield Note.of("peeped", Rule.HC_2, card=step.command.card)


def tells_the_bottom_card(step, viewer):
    yield from explain(step, viewer)
    if isinstance(step.command, Deal):
        yield Note.of("bottom", Rule.HC_1, card=step.after.rest[-1])


def lets_who_has_laid_peep(state, viewer):
    """Show the next card of the rest after the seat's own command, which no note tells."""
    shown = view(state, viewer)
    peeps = viewer is not None and viewer >= 0 and shown.laid_sizes[viewer]
    return with_more(shown, state.rest[:1] if peeps else ())


def lets_spectators_peep(state, viewer):
    """Show a spectator the next card of the rest after anybody's command, which no note tells."""
    shown = view(state, viewer)
    peeps = viewer is None and any(shown.laid_sizes)
    return with_more(shown, state.rest[:1] if peeps else ())


def knows_the_peeped(shown, shuffler):
    while True:
        drawn = determinize(shown, shuffler)
        if not shown.more or drawn.rest[:1] == shown.more:
            return drawn


def hides_it_from_itself(step, viewer):
    return RedactedCommand("lay") if isinstance(step.command, Lay) and viewer != TABLE else redact(step, viewer)


def hides_it_under_another_tag(step, viewer):
    observed = redact(step, viewer)
    return RedactedCommand("card") if isinstance(observed, RedactedCommand) else observed


def shows_what_was_laid(step, viewer):
    return step.command if isinstance(step.command, Lay) else redact(step, viewer)


LEAKS = {
    "a hand in the view": (
        altered(view=shows_the_left_hand, determinize=forgets_the_left_hand),
        "a draw behind a view does not give that view again",
    ),
    "the state in the view": (altered(view=slips_the_state_in), "leaked by what the view holds"),
    "who is asked": (altered(to_act=asks_the_highest), "leaked by to_act"),
    "what is legal": (altered(legal=yields_less_if_the_rest_is_low), "leaked by legal commands"),
    "the facts of a refusal": (altered(apply=tells_who_holds_it), "the answer to .* leaks"),
    "a note of a hidden command": (altered(explain=tells_what_was_laid), "the notes of .* leak to"),
    "what is observed of a command": (
        altered(redact=shows_what_was_laid),
        "observes of .* leaks: it differs, and no view",
    ),
    "after its own command": (
        altered(view=lets_who_has_laid_peep, determinize=knows_the_peeped),
        "the view of seat . shows something new that neither",
    ),
    "after a command of another seat": (
        altered(view=lets_spectators_peep, determinize=knows_the_peeped),
        "the view of a spectator shows something new that neither",
    ),
    "hidden from itself": (altered(redact=hides_it_from_itself), "does not see all of"),
    "under another tag": (altered(redact=hides_it_under_another_tag), "it is the command, or RedactedCommand"),
}


def tells_no_hand(step, viewer):
    return (note for note in explain(step, viewer) if note.key != "hand" or viewer == TABLE)


def test_law_5_catches_a_deal_that_tells_more_than_the_views_show(fails):
    fails("test_5_deals_are_told", altered(explain=tells_the_bottom_card), "the notes of Deal.* leak to")


def test_law_5_catches_a_deal_of_which_a_seat_is_not_told_its_own_hand(fails):
    fails("test_5_deals_are_told", altered(explain=tells_no_hand), "neither the observed command nor a note told it")


def tells_hands_once(step, viewer):
    return (attrs.evolve(note, momentary=note.key == "hand") for note in explain(step, viewer))


def test_law_5_catches_a_view_that_keeps_what_was_told_for_a_moment(fails):
    """A host tells a momentary note only until somebody acts: who comes later could not draw the table."""
    fails("test_5_a_history_suffices", altered(explain=tells_hands_once), "leaked by what the view holds")


@pytest.mark.parametrize(("game", "says"), LEAKS.values(), ids=LEAKS)
def test_law_5_catches_a_leak(fails, game, says):
    fails("test_5_nothing_leaks", game, says)


@pytest.mark.ci
def test_law_5_lets_a_note_show_for_a_moment_what_its_author_says_by_name():
    laws = game_laws(altered(explain=tells_what_was_laid, extras=(Passing(shows={"peeped": ("card",)}),)), examples=10)
    laws().test_5_nothing_leaks()


@pytest.mark.ci
def test_what_a_command_shows_for_a_moment_its_notes_may_say():
    passing = Passing(shows={"lay": ("card",)})
    laws = game_laws(altered(redact=shows_what_was_laid, explain=tells_what_was_laid, extras=(passing,)), examples=10)
    laws().test_5_nothing_leaks()


def test_what_is_shown_for_a_moment_is_that_value_and_no_other(fails):
    shows = {"peeped": ("seat",), "laid": ("card",)}
    game = altered(explain=tells_what_was_laid, extras=(Passing(shows=shows),))
    fails("test_5_nothing_leaks", game, "the notes of .* leak to")


def shows_the_whole_state(state, viewer):
    return with_more(view(state, viewer), state)


@pytest.mark.ci
def test_law_5_catches_a_draw_that_is_the_state(fails):
    game = altered(view=shows_the_whole_state, determinize=lambda shown, shuffler: shown.more)
    fails("test_5_draws_vary", game, "every draw behind its views is the state itself")


def test_law_5_catches_a_draw_that_peeks_now_and_then(fails):
    """One draw of three is the state that was looked at last, so that no draw is always the same."""
    seen = []

    def looked_at(state, viewer):
        seen[:] = [state]
        return view(state, viewer)

    def peeks(shown, shuffler):
        peeked, drawn = shuffler.below(3) == 0, determinize(shown, shuffler)
        return seen[0] if peeked and view(seen[0], shown.viewer) == shown else drawn

    fails("test_5_draws_vary", altered(view=looked_at, determinize=peeks), "a draw depends on nothing else")


def test_law_5_catches_a_draw_with_chance_of_its_own(fails):
    chance = Random(1)

    def draws(shown, shuffler):
        return determinize(shown, Shuffler(chance.randbytes(32)))

    fails("test_5_draws_vary", altered(determinize=draws), "a draw depends on nothing else")


def is_like_the_neighbours(state, seat, card):
    hand = state.hands[(seat + 1) % len(state.hands)]
    return bool(hand) and card % 3 == hand[0] % 3


def unlike_the_neighbours(state, seat, command):
    """Call a card malformed that is too like one of the neighbour, whose hand nobody else sees."""
    if isinstance(command, Lay) and is_like_the_neighbours(state, seat, command.card):
        raise malformed_command(seat, "such a card cannot be laid")
    return apply(state, seat, command)


def turns_the_rest(state, seat, command):
    """Turn the rest upside down after an odd card."""
    after = apply(state, seat, command)
    return attrs.evolve(after, rest=after.rest[::-1]) if isinstance(command, Lay) and command.card % 2 else after


def lists_unlike_the_neighbours(state, seat):
    return (each for each in legal(state, seat) if not is_like_the_neighbours(state, seat, each.card))


@pytest.mark.ci
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"apply": unlike_the_neighbours, "legal": lists_unlike_the_neighbours},
            "refused by FORM.*the form of a command tells",
        ),
        ({"apply": turns_the_rest}, "leads to another state than the swapped one: so a place or number tells"),
    ],
)
def test_law_5_catches_a_form_that_tells_what_is_hidden(fails, changes, says):
    fails("test_5_form_is_public", altered(**changes), says)


@pytest.mark.long
@pytest.mark.parametrize(("name", "key"), [("cake", "turned-up"), ("mabr", "looks"), ("palace", "charge-fails")])
def test_law_5_catches_a_silence_about_what_no_view_shows(name, key):
    game = games.find(name)
    silent = game.altered(explain=lambda step, viewer: (note for note in game.explain(step, viewer) if note.key != key))
    silences = [rebased(match, silent) for match in golden_matches(game, FIXTURES / name)]
    with pytest.raises(AssertionError):
        all(a_history_suffices(each) is None for each in silences)
