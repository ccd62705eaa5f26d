"""Who sees what follows from the marks: views, commands as others see them, hidden places drawn anew, and the table."""

from enum import Enum
from types import SimpleNamespace
from typing import Any, Literal

import attrs
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from kifu.core import game as k

Cards = tuple[k.Card, ...]
DECK = tuple(map(k.Card, [*range(1, 11), *range(1, 11), 1, 2, 3, 4]))
SEATS = 3
VIEWERS = [k.TABLE, None, *range(SEATS)]


class Role(Enum):
    FOX = "fox"
    GOOSE = "goose"


def first_lies_open(state: Any, viewer: int | None) -> tuple[tuple[bool, ...], ...]:
    """The first card of each pile, and all of one's own.

    Whatever else is said here is not in the table of secrets.
    """
    own = [seat == viewer for seat, _ in enumerate(state.piles)]
    rows = zip(own, state.piles, strict=True)
    return tuple(tuple(is_own or place == 0 for place, _ in enumerate(pile)) for is_own, pile in rows)


def every_second(state: Any, viewer: int | None) -> tuple[bool, ...]:
    return tuple(place % 2 == 0 for place, _ in enumerate(state.flop))


def next_seat(state: Any, viewer: int | None) -> tuple[bool, ...]:
    return tuple(viewer == (seat + 1) % SEATS for seat in range(SEATS))


def at_the_end(state: Any, viewer: int | None) -> bool:
    return state.round == 9


@k.state
class Everything:
    """A state with a field of every kind that can be marked."""

    round: int = k.public()
    discards: Cards = k.public()
    rows: tuple[Cards, ...] = k.public()
    hands: tuple[Cards, ...] = k.own()
    laid: tuple[k.Card | None, ...] = k.own()
    votes: tuple[Literal["yes", "no"] | None, ...] = k.own()
    roles: tuple[Role, ...] = k.own()
    bare: tuple[bool, ...] = k.own(sizes="")
    trump: k.Card | None = k.nobody()
    coin: bool = k.nobody()
    pile: Cards = k.nobody()
    stacks: tuple[Cards, ...] = k.nobody()
    piles: tuple[Cards, ...] = k.seen_by(first_lies_open)
    flop: Cards = k.seen_by(every_second)
    dummies: tuple[Cards, ...] = k.seen_by(next_seat)
    last: Cards = k.seen_by(at_the_end)


HELD: dict[str, Any] = {
    "discards": (1, 2), "rows": ((3,), (), ()), "hands": ((4, 5), (6,), ()), "laid": (7, None, 8),
    "votes": ("yes", None, "no"), "roles": (Role.FOX, Role.GOOSE, Role.FOX), "bare": (True, False, True),
    "trump": 9, "coin": True, "pile": (10, 1), "stacks": ((2,), (3, 4)), "piles": ((5, 6), (), (7,)),
    "flop": (8, 9, 10), "dummies": ((1,), (), (2, 3)), "last": (4,),
}  # fmt: skip
NOW = Everything(round=1, **HELD)


@k.command("deal")
class Deal:
    cards: Cards = k.secret()


@k.command("show")
class Show:
    card: k.Card = k.public()


@k.command("swap")
class Swap:
    card: k.Card = k.secret()
    with_seat: k.Seat = k.public()


@k.command("guess")
class Guess:
    rows: tuple[Cards, ...] = k.secret(sizes="sizes")


@k.command("pay")
class Pay:
    by_colour: tuple[tuple[str, int], ...] = k.mapping(mark=k.secret())


def to_the_left(step: Any, viewer: int | None) -> bool:
    return viewer == (step.seat + 1) % SEATS


def in_sight(step: Any, viewer: int | None) -> bool:
    return step.before.round == 9


@k.command("pass")
class Pass:
    cards: Cards = k.seen_by(to_the_left, sizes="count")


@k.command("march")
class March:
    to: int = k.seen_by(in_sight)


COMMANDS = (Deal, Show, Swap, Guess, Pay, Pass, March)


def marked(state: type = Everything, start: Any = NOW, **secrets: Any) -> Any:
    """Return a game of three seats that is nothing but its data."""
    rules = SimpleNamespace(
        start=lambda options, seats: start,
        to_act=lambda state: frozenset(),
        apply=lambda state, seat, command: state,
        legal=lambda state, seat: (),
        result=lambda state: None,
        deal=lambda state, shuffler: Deal(()),
        deck=lambda options, seats: DECK,
    )
    more = {"secrets": SimpleNamespace(**secrets)} if secrets else {}
    return k.Game("marked", range(SEATS, SEATS + 1), state, COMMANDS, rules, **more)


GAME = marked()

# Views.


def test_a_public_field_is_everybodys() -> None:
    for viewer in VIEWERS:
        view = GAME.view(NOW, viewer)
        assert (view.round, view.discards, view.rows, view.viewer) == (1, NOW.discards, NOW.rows, viewer)


def test_a_row_is_its_seats_and_the_others_see_how_much_lies_there() -> None:
    assert GAME.view(NOW, 0).hands == ((4, 5), None, None)
    assert GAME.view(NOW, 2).hands == (None, None, ())
    assert GAME.view(NOW, 2).laid == (None, None, 8)
    assert GAME.view(NOW, 0).roles == (Role.FOX, None, None)
    for viewer in VIEWERS:
        view = GAME.view(NOW, viewer)
        assert view.hand_sizes == (2, 1, 0)
        assert view.laid_sizes == view.vote_sizes == (True, False, True)
        assert not hasattr(view, "role_sizes"), "a role is never missing"
        assert not hasattr(view, "bare_sizes")


def test_what_nobody_sees_has_a_size() -> None:
    for viewer in VIEWERS[1:]:
        view = GAME.view(NOW, viewer)
        assert (view.pile, view.trump, view.coin, view.stacks) == (None, None, None, (None, None))
        assert (view.pile_size, view.trump_size, view.stack_sizes) == (2, True, (1, 2))
    assert GAME.view(k.evolve(NOW, trump=None), 0).trump_size is False


def test_a_function_says_who_sees_a_value_its_items_or_the_items_of_its_rows() -> None:
    assert GAME.view(NOW, 0).piles == ((5, 6), (), (7,))
    assert GAME.view(NOW, 1).piles == GAME.view(NOW, None).piles == ((5, None), (), (7,))
    assert GAME.view(NOW, 2).pile_sizes == (2, 0, 1)
    assert GAME.view(NOW, 2).flop == (8, None, 10)
    assert GAME.view(NOW, 0).dummies == (None, None, (2, 3))
    assert GAME.view(NOW, None).dummies == (None, None, None)
    assert [GAME.view(k.evolve(NOW, round=each), 0).last for each in (1, 9)] == [None, (4,)]
    assert GAME.view(NOW, 0).last_size == 1


def test_a_spectator_sees_no_row_of_a_seat() -> None:
    view = GAME.view(NOW, None)
    assert view.hands == view.laid == view.votes == view.roles == view.bare == (None,) * SEATS


def test_the_table_sees_the_whole_state() -> None:
    view = GAME.view(NOW, k.TABLE)
    shown = {each.name: getattr(view, each.name) for each in attrs.fields(Everything)}
    assert shown == attrs.asdict(NOW, recurse=False)


def test_a_view_says_how_many_seats_and_points_there_are_and_who_is_to_act() -> None:
    view = GAME.view(NOW, None)
    assert (view.seats, view.points, view.to_act) == (SEATS, (0, 0, 0), frozenset())


def test_views_are_values() -> None:
    assert len({GAME.view(NOW, 1), GAME.view(k.evolve(NOW), 1)}) == 1
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        GAME.view(NOW, 1).round = 2


def test_nothing_of_a_hidden_value_is_anywhere_in_a_view() -> None:
    """Whatever lies in a hidden place, cards of as many, the view is the same."""
    other = k.evolve(NOW, hands=((4, 5), (9,), ()), laid=(7, None, 3), pile=(2, 2), trump=3, stacks=((9,), (9, 9)))
    other = k.evolve(other, votes=("yes", None, "yes"), roles=(Role.FOX,) * 3, bare=(True,) * 3, coin=False)
    other = k.evolve(other, flop=(8, 1, 10), dummies=((9,), (), (2, 3)), last=(9,))
    assert GAME.view(other, 0) == GAME.view(NOW, 0)


# A view with a shape of its own.


@k.view_of(Everything)
class Short:
    hands: tuple[Cards | None, ...]
    hand_sizes: tuple[int, ...]
    pile_size: int
    double: int = k.told(lambda state: 2 * state.round)
    whose: int | None = k.told(lambda state, viewer: viewer)


def test_a_view_of_its_own_shows_what_it_names_as_the_marks_say() -> None:
    game = marked(View=Short, determinize=lambda view, shuffler: NOW)
    assert game.view(NOW, 1) == Short((None, (6,), None), (2, 1, 0), 2, 2, 1)
    assert game.view(NOW, k.TABLE) == Short(NOW.hands, (2, 1, 0), 2, 2, k.TABLE)
    assert game.view(NOW, None).whose is None


@k.view_of(Everything)
class Renamed:
    left: int


def test_a_field_of_a_view_is_one_of_the_state_a_size_or_told() -> None:
    with pytest.raises(
        k.GameError, match=r"Renamed\.left is neither a field of Everything, nor the sizes of one, nor `told"
    ):
        marked(View=Renamed, determinize=lambda view, shuffler: NOW)


def test_sizes_have_the_name_that_the_mark_gives() -> None:
    @k.state
    class Named:
        hands: tuple[Cards, ...] = k.own(sizes="how_many")
        pile: Cards = k.nobody(size="left")

    whole = Named(((1, 2), (), ()), (3,))
    view = marked(Named, whole).view(whole, 1)
    assert (view.how_many, view.left) == ((2, 0, 0), 1)


# Commands.


def seen(given: Any, viewer: int | None, seat: int = 0, before: Any = NOW) -> Any:
    return GAME.redact(k.Step(k.Event(0, seat, given), before, NOW, GAME), viewer)


REDACTED = {
    "a public one": (Show(3), Show(3)),
    "a secret one": (Deal((1, 2)), k.RedactedCommand("deal")),
    "one of both": (Swap(3, 1), k.RedactedCommand("swap", (("with_seat", 1),))),
    "one with sizes": (Guess(((1, 2), ())), k.RedactedCommand("guess", (("sizes", (2, 0)),))),
    "a map": (Pay((("red", 1),)), k.RedactedCommand("pay")),
    "one that some see": (Pass((1, 2)), k.RedactedCommand("pass", (("count", 2),))),
    "one in fog": (March(5), k.RedactedCommand("march")),
}


@pytest.mark.parametrize(("given", "shown"), REDACTED.values(), ids=REDACTED)
def test_others_see_of_a_command_what_is_no_secret(given: Any, shown: Any) -> None:
    assert seen(given, 0) is seen(given, k.TABLE) is given
    assert seen(given, 2) == seen(given, None) == shown


def test_a_function_is_asked_about_the_step() -> None:
    assert seen(Pass((1, 2)), 1) == Pass((1, 2)), "his neighbour sees the cards"
    assert seen(March(5), 2, before=k.evolve(NOW, round=9)) == March(5)


# States behind a view.


@st.composite
def tables(draw: st.DrawFn) -> Everything:
    """Draw a state in which every card lies somewhere."""
    cards = draw(st.permutations(DECK))
    left = list(cards)

    def some(most: int = 3) -> Cards:
        return tuple(left.pop() for _ in range(min(len(left), draw(st.integers(0, most)))))

    def rows(count: int = SEATS) -> tuple[Cards, ...]:
        return tuple(some(2) for _ in range(count))

    def maybe() -> k.Card | None:
        return left.pop() if left and draw(st.booleans()) else None

    vote = st.sampled_from(["yes", "no", None])
    state = Everything(
        round=draw(st.sampled_from([1, 9])),
        discards=some(),
        rows=rows(),
        hands=tuple(tuple(sorted(hand)) for hand in rows()),
        laid=(maybe(), maybe(), maybe()),
        votes=draw(st.tuples(vote, vote, vote)),
        roles=tuple(draw(st.sampled_from(Role)) for _ in range(SEATS)),
        bare=draw(st.tuples(st.booleans(), st.booleans(), st.booleans())),
        trump=maybe(),
        coin=draw(st.booleans()),
        pile=(),
        stacks=rows(2),
        piles=rows(),
        flop=some(),
        dummies=rows(),
        last=some(),
    )
    return k.evolve(state, pile=tuple(left))


@given(tables(), st.integers(0, 2**32))
def test_what_is_drawn_behind_a_view_looks_the_same_and_has_the_same_cards(state: Everything, number: int) -> None:
    for viewer in VIEWERS:
        view = GAME.view(state, viewer)
        drawn = GAME.determinize(view, k.Shuffler(number.to_bytes(32)))
        assert GAME.view(drawn, viewer) == view
        assert sorted(GAME.cards(drawn)) == sorted(DECK)
    assert GAME.determinize(GAME.view(state, k.TABLE), k.Shuffler(bytes(32))) == state


HIDDEN = [row.field for row in GAME.secrecies() if row.of == "Everything" and row.sees != "everybody"]


@pytest.mark.parametrize("name", HIDDEN)
def test_every_hidden_place_is_drawn_anew(name: str) -> None:
    view = GAME.view(NOW, None)
    drawn = {getattr(GAME.determinize(view, k.Shuffler(bytes(32), number)), name) for number in range(40)}
    assert len(drawn) > 1


def test_a_constraint_says_what_may_lie_behind_a_view() -> None:
    game = marked(constraint=lambda view, state: state.coin and state.trump == 10)
    for number in range(10):
        drawn = game.determinize(game.view(NOW, 0), k.Shuffler(bytes(32), number))
        assert (drawn.coin, drawn.trump) == (True, 10)


def test_cards_of_a_row_are_drawn_in_ascending_order_and_those_of_a_deck_are_not() -> None:
    drawn = [GAME.determinize(GAME.view(NOW, None), k.Shuffler(bytes(32), number)) for number in range(40)]
    assert all(hand == tuple(sorted(hand)) for each in drawn for hand in each.hands)
    assert {each.pile == tuple(sorted(each.pile)) for each in drawn} == {True, False}


def untold() -> list[Any]:
    @k.state
    class Pile:
        hands: tuple[Cards, ...] = k.own()
        pile: Cards = k.nobody(size="")

    @k.state
    class Hands:
        hands: tuple[Cards, ...] = k.own(sizes="")

    @k.state
    class Laid:
        laid: tuple[k.Card | None, ...] = k.own(sizes="")

    rows = ((),) * SEATS
    return [Pile(rows, ()), Hands(rows), Laid((None,) * SEATS)]


@pytest.mark.parametrize(("held", "field"), [*zip(untold(), ["pile", "hands", "laid"], strict=True)])
def test_what_nobody_is_told_the_size_of_is_drawn_by_hand(held: Any, field: str) -> None:
    with pytest.raises(k.GameError, match=rf"{type(held).__name__}\.{field} is hidden, .* write `determinize`"):
        marked(type(held), held)
    view = marked(type(held), held, determinize=lambda view, shuffler: held).view(held, None)
    assert not any(name.startswith(field.removesuffix("s") + "_size") for name in vars(view))


# Cards, and the table of secrets.


@frozen
class Laid:
    seat: k.Seat
    card: k.Card | None


@frozen
class Trick:
    laid: tuple[Laid, ...]
    trump: k.Card


def test_cards_are_found_in_every_field_and_in_what_it_is_made_of() -> None:
    @k.state
    class Nested:
        hands: tuple[Cards, ...] = k.public()
        tricks: tuple[Trick, ...] = k.public()
        now: Trick | None = k.public()
        number: int = k.public()

    trick = Trick((Laid(0, 3), Laid(1, None), Laid(2, 4)), 5)
    held = Nested(((1,), (2,), ()), (trick,), None, 77)
    game = marked(Nested, held)
    assert sorted(game.cards(held)) == [1, 2, 3, 4, 5]
    assert sorted(game.cards(k.evolve(held, now=trick))) == [1, 2, 3, 3, 4, 4, 5, 5]
    assert sorted(GAME.cards(NOW)) == sorted(DECK)
    assert GAME.has_cards


def test_a_game_without_cards_has_none() -> None:
    @k.state
    class Dice:
        thrown: tuple[int, ...] = k.public()

    game = marked(Dice, Dice((1, 2, 3)))
    assert (game.has_cards, tuple(game.cards(Dice((1, 2, 3))))) == (False, ())


SECRECIES = {
    "Everything.round": ("everybody", "", ""),
    "Everything.hands": ("owner", "size", ""),
    "Everything.laid": ("owner", "whether", ""),
    "Everything.roles": ("owner", "nothing", ""),
    "Everything.trump": ("nobody", "whether", ""),
    "Everything.pile": ("nobody", "size", ""),
    "Everything.piles": ("some", "size", "the first card of each pile, and all of one's own"),
    "Everything.last": ("some", "size", "at the end"),
    "Deal (deal).cards": ("actor", "nothing", ""),
    "Show (show).card": ("everybody", "", ""),
    "Guess (guess).rows": ("actor", "size", ""),
    "Pass (pass).cards": ("some", "size", "to the left"),
}


def test_the_table_of_secrets_says_who_sees_each_field_and_what_all_others_see_of_it() -> None:
    table = {f"{each.of}.{each.field}": (each.sees, each.others, each.why) for each in GAME.secrecies()}
    assert {name: table[name] for name in SECRECIES} == SECRECIES
    fields = [*attrs.fields(Everything), *(each for kind in COMMANDS for each in attrs.fields(kind))]
    assert len(table) == len(fields) + len(["seats", "points", "to_act"])
