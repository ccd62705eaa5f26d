"""What is seen through a seat's eyes: nothing that it may not see, and a mark where that is less than all."""

from collections.abc import Iterator

import pytest
from kifu import games
from kifu.core.game import TABLE, Seat
from kifu.core.header import new_header
from kifu.core.match import Match
from kifu.core.shuffle import Shuffler
from kifu.replay.stepper import screen
from kifu.replay.stepper.cards import PLAIN
from kifu.replay.stepper.navigation import Navigation
from kifu.replay.stepper.palette import DARK
from kifu.replay.stepper.table import Tables

from .conftest import GAMES, SEED, Person, played, reading_of, step


def twins(name: str, viewer: Seat | None) -> tuple[Match, Match]:
    """Two matches just dealt that are apart in all that the viewer does not see."""
    game = games.find(name)
    pair = []
    for number in (0, 1):
        header = new_header(
            game, ("Aki", "Ren", "Mio", "Sou"), {}, SEED, match=f"match {number}", started=0, engine="x"
        )
        match: Match = Match(game, header)
        match.deal()
        pair.append(match)
    first, second = pair
    state = game.determinize(first.view(viewer), Shuffler(bytes(32)))
    second._fold.state = second._fold.states[-1] = state
    return first, second


def shown(match: Match, viewer: Seat | None) -> str:
    """All that the stepper shows of a match to this viewer alone."""
    navigation, tables = Navigation(reading_of(match), viewer, "en"), Tables()
    told = navigation.told
    lines = []
    for at in range(-1, len(match.events)):
        lines.append(screen.title(told, at, DARK, 120, ""))
        lines += tables.draw(told, at, DARK, 120, 60)
        lines += screen.notes(told, at, tables.drawing(told, DARK, PLAIN), DARK, 50, [])
        lines += screen.rules(told, at, DARK, 60)
        lines.append(told.line(at))
    return "\n".join(map(str, lines))


@pytest.mark.parametrize("viewer", [1, None])
@pytest.mark.parametrize("name", GAMES)
def test_twin_matches_look_the_same(name: str, viewer: Seat | None) -> None:
    first, second = twins(name, viewer)
    assert first.state != second.state
    assert shown(first, viewer) == shown(second, viewer)
    if name != "mabr":  # whose stacks show no kana to anybody
        assert shown(first, TABLE) != shown(second, TABLE)


def faces_in(text: str, match: Match) -> set[str]:
    faces = {match.game.face(card).text for card in match.game.cards(match.state)}
    words = set(text.replace("▐", " ").replace("▌", " ").replace(".", " ").replace(",", " ").split())
    return faces & words


def test_no_hidden_card_is_on_the_screen_of_a_seat():
    match = played("take_and_share", most=9)
    hidden = {match.game.face(card).text for seat, hand in enumerate(match.state.hands) if seat != 2 for card in hand}

    async def person(one: Person) -> None:
        screens = [one.seen]
        for key in ("right",) * 9:
            await one.press(key)
            screens.append(one.seen)
        for key in ("tab", "s", "f", "question_mark"):
            await one.press(key)
            screens.append(one.seen)
            await one.press("escape")
        seen = faces_in(" ".join(screens), match)
        assert seen
        assert seen.isdisjoint(hidden)
        assert one.app.navigation.viewer == 2

    step(match, person, viewer=Seat(2))


def test_as_a_seat_no_other_eyes_are_to_be_had_and_no_fork():
    match = played("take_and_share", most=9)

    async def person(one: Person) -> None:
        assert "◉ Mio ◐ less than the table shows" in one.pane("title")
        one.app.action_see(0)
        one.app.action_see(-1)
        await one.press("tab")
        assert one.app.navigation.viewer == 2
        assert "Only what Mio saw is shown" in one.told
        await one.press("f")
        assert "A fork would show what Mio did not see" in one.told
        assert len(one.app.screen_stack) == 1

    step(match, person, viewer=Seat(2))


def test_with_all_open_one_goes_round_the_seats_and_back():
    match = played("take_and_share", most=9)

    async def person(one: Person) -> None:
        await one.press("end")
        assert "the table: all cards open" in one.pane("title")
        viewers = []
        for _ in range(6):
            await one.press("tab")
            viewers.append(one.app.navigation.viewer)
            if one.app.navigation.viewer != TABLE:
                assert "◐" in one.pane("title")
                assert "▚▚" in one.pane("table")
        assert viewers == [0, 1, 2, 3, None, TABLE]
        assert "◐" not in one.pane("title")
        await one.press("shift+tab")
        assert one.app.navigation.viewer is None
        await one.press("s", "up", "enter")
        assert one.app.navigation.viewer == 3

    step(match, person)


def places(match: Match) -> Iterator[int]:
    return iter(range(-1, len(match.events)))


def test_the_mark_is_there_where_a_seat_knows_less_and_only_there():
    match = played("take_and_share")
    navigation = Navigation(reading_of(match), TABLE, "en")
    navigation.viewer = Seat(1)
    marked = [at for at in places(match) if navigation.told.narrower(at)]
    assert marked == list(range(len(match.events) - 1)), "not before the deal, nor once all is counted"


def words(one: Person) -> str:
    return " ".join(one.pane("notes").split())


def test_a_value_is_watched_through_the_eyes_that_look():
    match = played("take_and_share", most=9)

    async def person(one: Person) -> None:
        await one.press("end", "w")
        await one.type("hands[0]")
        assert faces_in(one.pane("notes").split("\n")[0].replace("[", " ").replace("]", " "), match)
        one.app.action_see(1)
        assert "◎ hands[0] none" in words(one)
        await one.press("w")
        await one.type("hand_sizes[0]")
        assert f"◎ hand_sizes[0] {len(match.state.hands[0])}" in one.pane("notes")
        one.app.action_see(-1)
        assert "◎ hand_sizes[0] ✗ hand_sizes[0]: there is no 'hand_sizes'" in words(one)

    step(match, person)
