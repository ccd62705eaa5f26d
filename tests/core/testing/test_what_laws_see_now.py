"""What outside authors planted and no law saw, each in a small game; and what laws took for wrong, and is right."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import wolves
from high_card import GAME as HIGH_CARD
from kifu.core.game import DEALER, NOBODY, Illegal, Note, evolve
from kifu.core.testing.judging import Judge
from kifu.core.testing.laws_of_chance import determinizations_vary
from kifu.core.testing.laws_of_play import decks_last, nobody_loses_what_it_has_not
from kifu.core.testing.laws_of_record import every_command_comes_up, every_option_counts
from kifu.core.testing.laws_of_scenes import scores_come_first
from kifu.core.testing.laws_of_sight import secrets_are_kept
from kifu.core.testing.laws_of_texts import catalogues_agree, messages_are_there, needed_in
from kifu.core.testing.mutants import mutants_of
from kifu.core.testing.play import played
from kifu.core.testing.samples import surveyed

from .toys import dice, market

GAME = market.GAME
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
OPTIONS = [market.Options(3), market.Options(4)]


def some(game: Any, count: int = 6) -> list[Any]:
    return [played(game, 2 + number % 2, OPTIONS[number % 2], number) for number in range(count)]


def gives_on_credit(state: Any, seat: int, command: Any) -> Any:
    coins = state.coins
    if isinstance(command, market.Buy) and not coins[seat]:
        lent = evolve(state, coins=market.k.replace_at(coins, seat, 1))
        after = market.GAME.apply(lent, seat, command)
        return evolve(after, coins=market.k.replace_at(after.coins, seat, -1))
    return market.GAME.apply(state, seat, command)


def lists_both(state: Any, seat: int) -> Any:
    return iter([market.Buy(), market.Pass()] if seat in market.to_act(state) else [])


def offers_nothing(state: Any, seat: int, command: Any) -> Any:
    """Go on with an empty deck, in place of shuffling the discards."""
    if isinstance(command, market.Offer) and not state.deck and state.discards:
        return evolve(state, turn=state.turn + 1)
    return market.GAME.apply(state, seat, command)


def never_shuffles(state: Any, shuffler: Any) -> Any:
    return market.Offer() if state.discards else market.deal(state, shuffler)


def shows_a_coin_too_many(view: Any) -> Any:
    return market.GAME.scene(evolve(view, coins=tuple(coins + 1 for coins in view.coins)))


def never_sells(state: Any, seat: int) -> Any:
    return iter([market.Pass()] if seat in market.to_act(state) else [])


def sells_nothing(state: Any, seat: int, command: Any) -> Any:
    if isinstance(command, market.Buy):
        raise Illegal("nothing is sold")
    return market.GAME.apply(state, seat, command)


def of_each(law: Callable[[Any], None], count: int = 6) -> Callable[[Any], Any]:
    return lambda game: [law(match) for match in some(game, count)]


def decks_hold(game: Any) -> None:
    assert decks_last(some(game)) == ""


UNSEEN: dict[str, tuple[dict[str, Any], Callable[[Any], Any], str]] = {
    "who has no coin pays": (
        {"apply": gives_on_credit, "legal": lists_both},
        of_each(nobody_loses_what_it_has_not),
        r"seat \d has -1 of `coins`: who loses something must have had it",
    ),
    "a deck that is never dealt from again": (
        {"apply": offers_nothing, "deal": never_shuffles},
        decks_hold,
        "the deck `deck` is empty, and Offer.* of the table moves no card, .* though there are some in discards",
    ),
    "a fact of coins": (
        {"scene": shows_a_coin_too_many},
        of_each(scores_come_first, 2),
        r"fact-coins before seat 0 is 4, but `coins\[0\]` is 3|fact-coins before seat",
    ),
    "a command that is never legal": (
        {"legal": never_sells, "apply": sells_nothing},
        lambda game: every_command_comes_up(game, some(game)),
        "no match has a 'buy', nor is it ever legal",
    ),
}


@pytest.mark.parametrize(("changes", "law", "says"), UNSEEN.values(), ids=UNSEEN)
def test_a_law_sees(changes: dict[str, Any], law: Callable[[Any], Any], says: str) -> None:
    law(GAME)
    with pytest.raises(AssertionError, match=says):
        law(GAME.altered(**changes))


def changed(path: Path, old: str, new: str) -> Any:
    """Return the module of a file in whose source one thing is changed."""
    source = path.read_text("utf-8")
    assert old in source
    module = ModuleType(f"{path.stem}_changed")
    sys.modules[module.__name__] = module
    exec(source.replace(old, new), vars(module))
    return module


def test_an_option_that_lies_in_the_state_and_changes_nothing_is_seen() -> None:
    module = changed(Path(market.__file__), "== state.options.goal", "== 3")
    sets = [module.Options(3), module.Options(4)]
    matches = [played(module.GAME, 2, sets[number % 2], number) for number in range(4)]
    with pytest.raises(AssertionError, match="the option goal lies in the state, and changes nothing"):
        every_option_counts(module.GAME, sets, matches)


def test_a_deck_that_never_ran_out_is_reported() -> None:
    assert decks_last([played(GAME, 2, OPTIONS[0], 0, 0.1)]) == "the deck `deck` never ran out"


def ascending(view: Any, shuffler: Any) -> Any:
    drawn = HIGH_CARD.determinize(view, shuffler)
    return evolve(drawn, rest=tuple(sorted(drawn.rest)))


def test_a_draw_whose_deck_is_always_ascending_is_seen() -> None:
    determinizations_vary(played(HIGH_CARD, 3, HIGH_CARD.options(), 0))
    match = played(HIGH_CARD.altered(determinize=ascending), 3, HIGH_CARD.options(), 0)
    with pytest.raises(AssertionError, match=r"a draw always has rest in ascending order, as the states have not"):
        determinizations_vary(match)


def test_a_secret_that_the_next_view_tells_every_time_is_seen() -> None:
    secrets_are_kept([played(HIGH_CARD, 3, HIGH_CARD.options(), number) for number in range(3)])
    hidden, shown = "laid: tuple[k.Card | None, ...] = k.own()", "laid: tuple[k.Card | None, ...] = k.public()"
    module = changed(EXAMPLES / "high_card.py", hidden, shown)
    with pytest.raises(AssertionError, match=r"`card` of lay is hidden from .*, and the next view tells it every time"):
        secrets_are_kept([played(module.GAME, 3, module.GAME.options(), number) for number in range(3)])


def test_names_of_cards_are_no_message_that_must_be_there() -> None:
    game = GAME.altered(texts={"en": "card-1 = one\nnote-buy = { NAME(1) }\n"})
    catalogues_agree(game)
    messages_are_there(game, needed_in(game, some(game, 2), ()))


def reminds(step: Any, viewer: int | None) -> Any:
    """Tell who has bid, and nobody else, how many dice it has left: it is public."""
    yield from dice.GAME.explain(step, viewer)
    if isinstance(step.command, dice.Bid) and viewer in (step.seat, -1):
        yield Note.of("left", dice.Rule.DICE_2, seat=step.seat, count=step.after.left[step.seat])


def test_a_note_that_puts_public_facts_into_words_is_no_leak_whoever_is_told() -> None:
    texts = {"en": dice.TEXTS + "note-left = { SEAT($seat) } has { $count } dice.\n"}
    seen = surveyed(dice.GAME.altered(explain=reminds, texts=texts), options={"dice": 1}, examples=1)
    told = next(each for each in mutants_of(seen) if each.how == "the note left is told to spectators")
    assert "what its views show" in str(Judge(seen).verdict(told).same)


def test_no_alarm_about_what_is_right() -> None:
    every_option_counts(GAME, OPTIONS, some(GAME))
    for game in (dice.GAME, wolves.GAME):
        matches = [played(game, game.seats[0], game.options(), number) for number in range(4)]
        for match in matches:
            nobody_loses_what_it_has_not(match)
            determinizations_vary(match)
        decks_last(matches)
    assert market.to_act(evolve(some(GAME, 1)[0].state, offered=())) in (NOBODY, DEALER)
