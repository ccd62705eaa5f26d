"""What a seat is shown in the stepper: nothing that it may not see, and a mark where that is less than everything."""

from collections.abc import Iterator

import pytest
from kifu import games
from kifu.core.game import TABLE, Seat
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import Match
from kifu.core.match.header import new_header
from kifu.replay.stepper import screen
from kifu.replay.stepper.cards import PLAIN
from kifu.replay.stepper.navigation import Navigation
from kifu.replay.stepper.palette import DARK
from kifu.replay.stepper.table import Tables

from .conftest import GAMES, SEED, Person, played, reading_of, step


def indistinguishable(name: str, viewer: Seat | None) -> tuple[Match, Match]:
    """Two matches just dealt that differ in everything that the viewer does not see."""
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
    presenter = navigation.presenter
    lines = []
    for at in range(-1, len(match.events)):
        lines.append(screen.title(presenter, at, DARK, 120, ""))
        lines += tables.draw(presenter, at, DARK, 120, 60)
        lines += screen.notes(presenter, at, tables.drawing(presenter, DARK, PLAIN), DARK, 50, [])
        lines += screen.rules(presenter, at, DARK, 60)
        lines.append(presenter.line(at))
    return "\n".join(map(str, lines))


@pytest.mark.parametrize("viewer", [1, None])
@pytest.mark.parametrize("name", GAMES)
def test_matches_that_a_viewer_cannot_distinguish_have_the_same_screens(name: str, viewer: Seat | None) -> None:
    first, second = indistinguishable(name, viewer)
    assert first.state != second.state
    assert shown(first, viewer) == shown(second, viewer)
    if name != "mabr":  # whose stacks show no kana to anybody
        assert shown(first, TABLE) != shown(second, TABLE)


def faces_in(text: str, match: Match) -> set[str]:
    faces = {match.game.face(card).text for card in match.game.cards(match.state)}
    words = set(text.replace("▐", " ").replace("▌", " ").replace(".", " ").replace(",", " ").split())
    return faces & words


@pytest.mark.ci
def test_no_hidden_card_is_on_the_screen_of_a_seat():
    match = played("take_and_share", most=9)
    hidden = {match.game.face(card).text for seat, hand in enumerate(match.state.hands) if seat != 2 for card in hand}

    async def person(one: Person) -> None:
        screens = [one.screen_text]
        for key in ("right",) * 9:
            await one.press(key)
            screens.append(one.screen_text)
        for key in ("tab", "s", "f", "question_mark"):
            await one.press(key)
            screens.append(one.screen_text)
            await one.press("escape")
        seen = faces_in(" ".join(screens), match)
        assert seen
        assert seen.isdisjoint(hidden)
        assert one.app.navigation.viewer == 2

    step(match, person, viewer=Seat(2))


@pytest.mark.ci
def test_with_as_there_is_no_other_viewer_and_no_fork():
    match = played("take_and_share", most=9)

    async def person(one: Person) -> None:
        assert "◉ Mio ◐ less than the table sees" in one.pane("title")
        one.app.action_see(0)
        one.app.action_see(-1)
        await one.press("tab")
        assert one.app.navigation.viewer == 2
        assert "Only what Mio saw is shown" in one.notices
        await one.press("f")
        assert "A fork would show what Mio did not see" in one.notices
        assert len(one.app.screen_stack) == 1

    step(match, person, viewer=Seat(2))


@pytest.mark.ci
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
    marked = [at for at in places(match) if navigation.presenter.sees_less(at)]
    assert marked == list(range(len(match.events) - 1)), "not before the deal, nor once all is counted"


def words(one: Person) -> str:
    return " ".join(one.pane("notes").split())


@pytest.mark.ci
def test_a_value_is_watched_as_the_viewer_sees_it():
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
