"""Nothing leaks in MABR: whole matches beside twins in which all that a viewer never learns lies otherwise.

Twins that are swapped at random part with the first word, which turns up a card. These go on to the end.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import kifu
import pytest
from kifu.core.game import TABLE, Note, RuleViolation, Seat, Shuffler, Step
from kifu.core.log import load
from kifu.core.match import Match
from kifu.core.testing.channels import Channels, differing, held, made_of_it, refusal_of, shown_now, shown_of, step_of
from kifu.core.testing.laws_of_information import named
from kifu.core.testing.laws_of_play import answer, seats_of
from kifu.games.mabr import GAME
from kifu.games.mabr.model import KANA, LETTER, Conceal, Deal, Draw, Judge, Pass, Rule, State, Swap, Word

GOLDEN = sorted((Path(__file__).parents[3] / "fixtures" / "mabr").glob("*.log"))
Steps = Iterator[tuple[Step[Any, Any], Step[Any, Any]]]
EVERY = 60
"""Of so many steps one is asked for texts and for refusals, too."""


def learned(match: Match[Any, Any, Any], viewer: Seat | None) -> set[str]:
    """Return the kana that a viewer is shown in a match, at any time and by any note."""
    notes = (dict(note.values) for step in match.steps for note in step.notes_for(viewer))
    return {kana for values in notes for kana in values.get("cards", ()) if isinstance(kana, str)}


def twin(deal: Deal, known: set[str], shuffler: Shuffler) -> Deal:
    """Shuffle in every stack what is not known; each known kana stays at its place."""
    stacks = []
    for letter, kanas in deal.stacks:
        others = iter(shuffler.shuffle([kana for kana in kanas if kana not in known]))
        stacks.append((letter, tuple(kana if kana in known else next(others) for kana in kanas)))
    return attrs.evolve(deal, stacks=tuple(stacks))


def beside(match: Match[Any, Any, Any], viewer: Seat | None, game: Any = GAME) -> Steps:
    """Play the same commands after another deal, that differs in what the viewer never learns; yield both steps."""
    state, known, shuffler = match.states[0], learned(match, viewer), Shuffler(bytes(32), 7)
    for step in match.steps:
        command = twin(step.command, known, shuffler) if isinstance(step.command, Deal) else step.command
        after = answer(game, state, step.seat, command)
        assert type(after) is not tuple, f"{command!r} is accepted, and refused in the twin of {named(viewer)}"
        yield attrs.evolve(step, game=game), step_of(game, state, step.seat, command, after)
        state = after


def is_same(viewer: Seat | None, one: Step[Any, Any], other: Step[Any, Any], *, wholly: bool) -> None:
    """Compare what the viewer is shown of two steps and may look at; `wholly`: texts, legal commands, refusals, too."""
    game, states = one.game, (one.after, other.after)
    shown = [shown_of(step, viewer) for step in (one, other)]
    seen = [seen_now(game, state, viewer) for state in states]
    pairs = [(shown[0], shown[1]), (seen[0], seen[1])]
    if wholly and viewer is not None:
        pairs.append((shown_now(game, states[0], viewer), shown_now(game, states[1], viewer)))
        pairs.append((made_of_it(game, states[0], viewer), made_of_it(game, states[1], viewer)))
        pairs += zip(*(refusals(game, state, viewer) for state in states), strict=True)
    for first, second in pairs:
        apart = differing(first, second)
        assert apart is None, f"leaked by {apart} to {named(viewer)}: {first[apart]!r} {second[apart]!r}"


def seen_now(game: Any, state: State, viewer: Seat | None) -> Channels:
    """Return what the viewer sees at the table, without what it may do."""
    view = game.view(state, viewer)
    return {"what the view holds": held(view), "scene": game.scene(view), "to_act": game.to_act(state)}


def refusals(game: Any, state: State, seat: Seat) -> list[Channels]:
    """Return how the seat's commands are answered: accepted, or all that it is shown of the refusal."""
    left = Seat((seat + 1) % state.seats)
    tried = [Conceal(), Pass(), Draw("TBS"), Word("ぶんか", (0, 1, 2)), Word("かう", (0, "U"))]
    tried += [Swap(place, left, other) for place in range(6) for other in range(6)]
    return [answered(game, state, seat, command) for command in tried]


def answered(game: Any, state: State, seat: Seat, command: Any) -> Channels:
    try:
        game.apply(state, seat, command)
    except RuleViolation as refused:
        return {"accepted": False, **refusal_of(game, refused)}
    return {"accepted": True}


def steps_compared(match: Match[Any, Any, Any], game: Any = GAME) -> int:
    """Compare a match with a twin for every viewer; return how many steps were compared, in states that differ."""
    count = 0
    for viewer in (None, *seats_of(match)):
        for number, (one, other) in enumerate(beside(match, viewer, game)):
            is_same(viewer, one, other, wholly=number % EVERY == 0)
            count += one.after != other.after
    return count


def played(seats: int, number: int, most: int) -> Match[Any, Any, Any]:
    """Play a match in which cards are swapped and guessed at, before a table that judges."""
    match = kifu.new("mabr", ["x"] * seats, {"judge": "table"}, seed=bytes(32), match="leaks", started=0)
    shuffler = Shuffler(bytes(32), number)
    while match.to_act and len(match.events) < most:
        seat = min(match.to_act)
        commands = [Judge(True), Conceal(), Pass(), *shuffler.shuffle(moves(match.state, seat, shuffler))[:1]]
        for command in reversed(commands):
            if type(answer(GAME, match.state, seat, command)) is not tuple:
                match.apply(seat, command)
                break
        match.deal()
    return match


def moves(state: State, seat: Seat, shuffler: Shuffler) -> list[Any]:
    """List a draw, a guess at a short word, and all swaps that may be tried."""
    row = state.rows[seat]
    found: list[Any] = [Draw("".join(shuffler.shuffle(KANA)[:3]))]
    if row:
        place = shuffler.below(len(row))
        kana = KANA[LETTER[row[place]]]
        found += [Word(kana[shuffler.below(len(kana))] + "う", (place, "U"))] * 2
    for other, cards in enumerate(state.rows):
        found += [
            Swap(place, Seat(other), at)
            for place, own in enumerate(row)
            for at, card in enumerate(cards)
            if other != seat and LETTER[own] == LETTER[card]
        ][:3]
    return found


@pytest.mark.ci
def test_nothing_leaks_in_a_match_of_swaps() -> None:
    assert steps_compared(played(4, 0, 120)) > 300


@pytest.mark.ci
def test_nothing_leaks_in_whole_matches() -> None:
    """Thousands of steps: matches full of swaps and guesses, and the golden logs."""
    matches = [played(seats, number, 240) for number, seats in enumerate((4, 4, 3))] + [load(path) for path in GOLDEN]
    swaps = sum(isinstance(step.command, Swap) for match in matches for step in match.steps)
    steps = sum(map(steps_compared, matches))
    assert (swaps > 100, steps > 6000) == (True, True), (swaps, steps)


def peeping(state: State, viewer: Seat | None) -> Any:
    """Show the first card of the last seat."""
    shown, last = GAME.view(state, viewer), state.rows[-1]
    return attrs.evolve(shown, kanas=(*shown.kanas[:-1], (*last[:1], *shown.kanas[-1][1:])))


def telling(step: Step[Any, Any], viewer: Seat | None) -> Iterator[Note]:
    """Tell everybody what is got by a swap."""
    return iter(GAME.explain(step, TABLE if isinstance(step.command, Swap) else viewer))


def refusing(state: State, seat: Seat, command: Any) -> State:
    """Refuse to swap for the first kana of a letter."""
    if isinstance(command, Swap) and type(after := answer(GAME, state, seat, command)) is not tuple:
        got = after.rows[seat][command.place]
        if got == KANA[LETTER[got]][0]:
            raise RuleViolation(Rule.MABR_10, seat, place=command.place, other=command.other)
    return GAME.apply(state, seat, command)


@pytest.mark.parametrize(
    ("leak", "channel"),
    [({"view": peeping}, "the view holds"), ({"explain": telling}, "notes"), ({"apply": refusing}, "accepted")],
)
def test_the_twins_catch_a_leak(leak: dict[str, Any], channel: str) -> None:
    match, game = played(4, 0, 120), attrs.evolve(GAME, **leak)
    with pytest.raises(AssertionError, match=channel):
        steps_compared(match, game)
