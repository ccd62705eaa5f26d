"""What a seat is shown in the stepper: nothing that it may not see, and a mark where that is less than everything."""

import re

import pytest
from kifu.core.game import TABLE, Seat
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import Match
from kifu.replay.stepper import screen
from kifu.replay.stepper.cards import Drawing
from kifu.replay.stepper.presenter import Navigation

from .conftest import GAMES, Person, played, reading_of, stepping


def indistinguishable(name: str, viewer: Seat | None) -> tuple[Match, Match]:
    """Two matches just dealt that differ in everything that the viewer does not see."""
    first, second = (played(name, most=1) for _ in range(2))
    state = first.game.determinize(first.view(viewer), Shuffler(bytes(32)))
    second._fold.state = second._fold.states[-1] = state
    return first, second


def shown(match: Match, viewer: Seat | None) -> str:
    """All that the stepper shows of a match to this viewer alone."""
    navigation = Navigation(reading_of(match), viewer, "en")
    presenter = navigation.presenter
    drawing = Drawing(presenter.texts, match.game, match.header.seats)
    lines = []
    for at in range(-1, len(match.events)):
        lines.append(screen.title(presenter, at, 120))
        lines += drawing.draw(presenter.scene(at), 120, match.at(at).to_act, presenter.actor(at))
        lines += screen.notes(presenter, at, drawing, 50)
        lines += screen.rules(presenter, at, 60)
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


@pytest.mark.ci
@stepping(most=9, viewer=Seat(2))
async def test_no_hidden_card_is_on_the_screen_of_a_seat(one: Person) -> None:
    others = (hand for seat, hand in enumerate(one.match.state.hands) if seat != 2)
    hidden = {one.match.game.face(card).text for hand in others for card in hand}
    screens = [one.screen_text]
    for key in ("right",) * 9:
        await one.press(key)
        screens.append(one.screen_text)
    for key in ("tab", "question_mark"):
        await one.press(key)
        screens.append(one.screen_text)
        await one.press("escape")
    faces = {one.match.game.face(card).text for card in one.match.game.cards(one.match.state)}
    seen = faces & set(re.split(r"[\s▐▌.,]+", " ".join(screens)))
    assert seen
    assert seen.isdisjoint(hidden)
    assert one.app.navigation.viewer == 2


@pytest.mark.ci
@stepping(most=9, viewer=Seat(2))
async def test_with_as_there_is_no_other_viewer(one: Person) -> None:
    assert "◉ Mio ◐ less than the table sees" in one.pane("title")
    one.app.action_see(0)
    one.app.action_see(-1)
    await one.press("tab")
    assert one.app.navigation.viewer == 2
    assert "Only what Mio saw is shown" in one.notices


@pytest.mark.ci
@stepping(most=9)
async def test_with_all_open_one_goes_round_the_seats_and_back(one: Person) -> None:
    await one.press("end")
    assert "the table: all cards open" in one.pane("title")
    viewers = []
    for _ in range(6):
        await one.press("tab")
        viewers.append(one.app.navigation.viewer)
        assert ("◐" in one.pane("title")) is (one.app.navigation.viewer != TABLE)
        assert one.app.navigation.viewer == TABLE or "▚▚" in one.pane("table")
    assert viewers == [0, 1, 2, 3, None, TABLE]
    await one.press("shift+tab")
    assert one.app.navigation.viewer is None
    await one.press("S")
    assert one.app.navigation.viewer == 3
    await one.press("s", "s")
    assert one.app.navigation.viewer == TABLE
