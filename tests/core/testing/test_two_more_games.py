"""Two games of further kinds, written from the docs alone: green as they are, red where they are broken.

Penguins on hexagons, who are out when they cannot move; caves, in which all say at the same time whether they go home.
"""

from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from kifu.core.game import ALONE, NOBODY, TABLE, Card, Game, Note, Result, Seat, evolve, replace_at
from kifu.core.testing import Case, game_laws

from . import caves, floes

AT = floes.NAMES
LAID = floes.apply(floes.start(floes.Options(), 2), TABLE, floes.Deal(floes.DECK))
ONE = floes.apply(LAID, Seat(0), floes.Put(AT[0]))
BOTH = floes.apply(ONE, Seat(1), floes.Put(AT[3]))
OVER = evolve(BOTH, out=(True, True))
FLOES_CASES = [
    Case("FORM", "a space that there is not", LAID, Seat(0), floes.Put("zz")),
    Case("FORM", "other floes", floes.start(floes.Options(), 2), TABLE, floes.Deal((Card(7),) * 16)),
    Case("TURN", "a penguin out of turn", LAID, Seat(1), floes.Put(AT[0])),
    Case("TURN", "floes that are laid twice", LAID, TABLE, floes.Deal(floes.DECK)),
    Case("ORDER", "a move before all are there", ONE, Seat(1), floes.Go(AT[1])),
    Case("ORDER", "a second penguin", BOTH, Seat(0), floes.Put(AT[1])),
    Case("OVER", "a move after the end", OVER, Seat(0), floes.Go(AT[1])),
    Case("OVER", "a penguin after the end", OVER, Seat(0), floes.Put(AT[1])),
    Case("DEAL", "a floe in place of another", floes.start(floes.Options(), 2), TABLE, floes.Deal((Card(1),) * 16)),
    Case("F-2", "on a floe of three fish", LAID, Seat(0), floes.Put(AT[15])),
    Case("F-3", "to where it stands", BOTH, Seat(0), floes.Go(AT[0])),
]

BEGUN = caves.start(caves.Options(), 2)
TURNED = caves.apply(BEGUN, TABLE, caves.Turn(Card(5)))
SAID = caves.apply(TURNED, Seat(0), caves.Say(True))
CAVES_CASES = [
    Case("FORM", "a card that there is not", BEGUN, TABLE, caves.Turn(Card(50))),
    Case("DEAL", "a card that lies there", evolve(BEGUN, deck=(Card(1),)), TABLE, caves.Turn(Card(5))),
    Case("TURN", "a second card", TURNED, TABLE, caves.Turn(Card(1))),
    Case("TURN", "before a card is turned", BEGUN, Seat(0), caves.Say(True)),
    Case("TURN", "a second word", SAID, Seat(0), caves.Say(False)),
    Case("OVER", "a word after the end", evolve(TURNED, rounds=0), Seat(0), caves.Say(True)),
    Case("OVER", "a card after the end", evolve(BEGUN, rounds=0), TABLE, caves.Turn(Card(1))),
]
GAMES: dict[str, tuple[Any, list[Case]]] = {
    "floes": (floes.GAME, FLOES_CASES),
    "caves": (caves.GAME, CAVES_CASES),
}


@pytest.mark.ci
@pytest.mark.parametrize("name", GAMES)
def test_no_mutant_survives(name: str) -> None:
    game, cases = GAMES[name]
    game_laws(game, cases=cases, examples=8)().test_10_every_mutant_is_caught()


def broken(game: Game[Any, Any, Any], **functions: Any) -> Game[Any, Any, Any]:
    return attrs.evolve(game, **functions)


def loses_what_is_left(s: Any, seat: Seat, c: Any) -> Any:
    after = floes.apply(s, seat, c)
    row = after.taken[seat]
    return evolve(after, taken=replace_at(after.taken, seat, row[1:])) if len(row) > 1 else after


def goes_through_penguins(s: Any, seat: Seat) -> Iterator[Any]:
    yield from floes.legal(s, seat)
    if seat in floes.to_act(s) and None not in s.penguins:
        yield from (floes.Go(floes.NAMES[at]) for at in s.penguins if at not in (-1, s.penguins[seat]))


def stops_short(s: Any, seat: Seat) -> Iterator[Any]:
    listed = list(floes.legal(s, seat))
    return iter(listed[:-1] if len(listed) > 3 and None not in s.penguins else listed)


def nobody_is_out(s: Any, seat: Seat, c: Any) -> Any:
    after = floes.apply(s, seat, c)
    return evolve(after, out=s.out, penguins=tuple(each if each != -1 else 0 for each in after.penguins))


def whoever_is_out(s: Any) -> Any:
    return floes.to_act(s) | (ALONE[s.out.index(True)] if True in s.out and floes.to_act(s) else NOBODY)


def first_winner(ended: Result | None) -> Result | None:
    return ended and Result(ended.points, ended.winners[:1])


def kept_as_a_list(s: Any, seat: Seat, c: Any) -> Any:
    after = floes.apply(s, seat, c)
    return evolve(after, penguins=list(after.penguins))


FLOES = {
    "what is left is lost": ("4_no_card_is_lost", {"apply": loses_what_is_left}),
    "legal goes through penguins": ("2_legal_and_apply_agree", {"legal": goes_through_penguins}),
    "legal stops short": ("2_legal_and_apply_agree", {"legal": stops_short}),
    "nobody is ever out": ("3_somebody_can_act", {"apply": nobody_is_out}),
    "who is out is asked": ("3_somebody_can_act", {"to_act": whoever_is_out}),
    "of many winners the first": (
        "9_whole_matches_can_be_shown",
        {"result": lambda s: first_winner(floes.result(s))},
    ),
    "a state holds a list": ("1_apply_is_pure", {"apply": kept_as_a_list}),
    "the floes lie always alike": ("5_deals_vary", {"deal": lambda s, shuffler: floes.Deal(floes.DECK)}),
    "a score without its last floe": (
        "9_whole_matches_can_be_shown",
        {"scores": lambda s: tuple(sum(row[:-1]) for row in s.taken)},
    ),
    "all moves have the same parts": (
        "9_a_frontend_can_show_and_play_it",
        {"parts": lambda c: floes.parts(c) and (("space", floes.NAMES[0]),)},
    ),
    "a viewer sees as seat 0": (
        "9_a_frontend_can_show_and_play_it",
        {"view": lambda s, viewer: floes.view(s, Seat(0))},
    ),
}


def shows_what_is_said(s: Any, viewer: Any) -> Any:
    return evolve(caves.view(s, viewer), said=s.said)


def tells_what_is_said(step: Any, viewer: Any) -> Iterator[Note]:
    for note in caves.explain(step, viewer):
        yield Note.of("said", note.rule, seat=step.seat, home=step.command.home) if note.key == "said" else note


def waits_for_who_goes_home(s: Any) -> Any:
    asked = caves.to_act(s)
    return frozenset(sorted(asked)[:1]) if True in s.said and len(asked) > 1 else asked


def leaves_it_in_the_deck(s: Any, seat: Seat, c: Any) -> Any:
    after = caves.apply(s, seat, c)
    return evolve(after, deck=s.deck) if isinstance(c, caves.Turn) and after.path else after


def stays_with_nothing(s: Any, seat: Seat) -> Iterator[Any]:
    return (say for say in caves.legal(s, seat) if not say.home or s.carried[seat])


def forgets_who_has_said(s: Any, viewer: Any) -> Any:
    return evolve(caves.view(s, viewer), has_said=(False,) * len(s.said))


def believes_that_nobody_goes_home(v: Any, shuffler: Any) -> Any:
    drawn = caves.determinize(v, shuffler)
    said = (each and own for each, own in zip(drawn.said, v.said, strict=True))
    return evolve(
        drawn, said=tuple(None if each is None else bool(it) for each, it in zip(drawn.said, said, strict=True))
    )


def asks_who_is_home(s: Any) -> Any:
    return caves.to_act(s) | ({Seat(s.inside.index(False))} if s.asks and False in s.inside else NOBODY)


CAVES = {
    "a view shows what others say": ("5_nothing_leaks", {"view": shows_what_is_said}),
    "all observe what is said": ("5_nothing_leaks", {"redact": lambda c, seat, viewer: c}),
    "a note tells what is said": ("5_nothing_leaks", {"explain": tells_what_is_said}),
    "who is asked tells what was said": ("5_nothing_leaks", {"to_act": waits_for_who_goes_home}),
    "who has said is not shown": ("5_nothing_leaks", {"view": forgets_who_has_said}),
    "who has said is always drawn as staying": ("5_draws_vary", {"determinize": believes_that_nobody_goes_home}),
    "the lowest card is turned": ("5_deals_vary", {"deal": lambda s, shuffler: caves.Turn(s.deck[0])}),
    "a card is turned, and in the deck": ("4_no_card_is_lost", {"apply": leaves_it_in_the_deck}),
    "who has nothing cannot go home": ("2_legal_and_apply_agree", {"legal": stays_with_nothing}),
    "who is home is asked": ("3_somebody_can_act", {"to_act": asks_who_is_home}),
    "a score of what is carried": (
        "9_a_frontend_can_show_and_play_it",
        {"scores": lambda s: tuple(map(sum, zip(s.banked, s.carried, strict=True)))},
    ),
    "the option is ignored": (
        "7_every_option_counts",
        {"start": lambda options, seats: caves.start(caves.Options(), seats)},
    ),
}
BREAKS = [(module, *row) for module, rows in ((floes, FLOES), (caves, CAVES)) for row in rows.items()]


@pytest.mark.ci
@pytest.mark.parametrize(("module", "name", "planted"), BREAKS, ids=[name for _, name, _ in BREAKS])
def test_a_break_is_red(module: Any, name: str, planted: tuple[str, dict[str, Any]]) -> None:
    law, functions = planted
    with pytest.raises(AssertionError):
        getattr(game_laws(broken(module.GAME, **functions), examples=20)(), f"test_{law}")()
