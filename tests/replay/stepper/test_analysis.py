"""The key of the analysis: what a decision was worth, of a log that has ended, to whoever may read it."""

import pytest
from attrs import evolve
from kifu.core.game import TABLE, Seat
from kifu.core.match import Match
from kifu.replay.analysis import decisions
from kifu.replay.stepper.panels import ReadScreen

from .conftest import Person, played, reading_of, step


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ITERATIONS": 4, "FIRST_PAIRS": 2, "DEPTH": 12}.items():
        monkeypatch.setattr(decisions, name, value)
    monkeypatch.setattr("kifu.replay.stepper.analysis.PAIRS", 3)


def ended() -> Match:
    """A match that was abandoned after its first trick."""
    match = played("take_and_share", most=7)
    match.abandoned = True
    return match


def first_decision(match: Match) -> decisions.Decision:
    return decisions.decisions_of(match)[0]


@pytest.mark.ci
@pytest.mark.parametrize(("lang", "words"), [("en", "As far as the seat could know"), ("ja", "席が知り得た限り")])
def test_what_a_decision_was_worth_is_shown(lang: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = ended()
    decision = first_decision(match)
    best_played = lambda commands, rows, played: played  # noqa: E731 (so that the played one is the best)
    monkeypatch.setattr(decisions, "_best", best_played)

    async def look(person: Person) -> None:
        person.app.go(decision.seq)
        await person.press("v")
        await person.until(lambda: isinstance(person.app.screen, ReadScreen))
        await person.pilot.pause()
        assert words in person.screen_text
        assert " %" in person.screen_text
        await person.press("escape")
        assert not isinstance(person.app.screen, ReadScreen)

    step(match, look, lang=lang)


async def noticed(person: Person, at: int, notice: str) -> None:
    person.app.go(at)
    await person.press("v")
    await person.until(lambda: notice in person.notices or isinstance(person.app.screen, ReadScreen))
    assert not isinstance(person.app.screen, ReadScreen)


@pytest.mark.ci
def test_a_step_without_a_choice_has_nothing_to_analyse() -> None:
    async def look(person: Person) -> None:
        await noticed(person, 0, "There was nothing to choose")
        await noticed(person, -1, "There was nothing to choose")

    step(ended(), look)


@pytest.mark.ci
def test_a_seat_is_shown_nothing_of_another_ones_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the other seat might have played instead are its cards."""
    match = ended()
    decision = first_decision(match)

    async def look(person: Person) -> None:
        await noticed(person, decision.seq, "another seat's")

    for viewer in (Seat((decision.seat + 1) % 4), None):
        step(match, look, viewer=viewer)


@pytest.mark.ci
def test_nothing_is_analysed_while_a_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    match = ended()
    match.abandoned = False
    monkeypatch.setattr(decisions, "decisions_of", None)

    async def look(person: Person) -> None:
        await noticed(person, 1, "has not ended")

    for viewer in (TABLE, Seat(0)):
        step(evolve(reading_of(match)), look, viewer=viewer)


@pytest.mark.ci
def test_a_step_of_a_fork_is_not_analysed() -> None:
    match = ended()
    decision = first_decision(match)

    async def look(person: Person) -> None:
        record = person.app.navigation.record
        person.app.navigation.fork(decision.seq - 1, *next(record.choices(decision.seq - 1, TABLE)))
        await noticed(person, decision.seq, "There was nothing to choose")

    step(match, look)
