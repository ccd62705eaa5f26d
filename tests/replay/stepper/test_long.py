"""Ten thousand steps: nothing is done for a step before it comes into sight."""

from collections.abc import Iterator

import pytest
from kifu.core.match import Match
from kifu.core.text.texts import Texts
from kifu.replay.stepper.app import Stepper
from kifu.replay.stepper.index import Index
from kifu.replay.stepper.moves import STEPS_AT_ONCE

from .conftest import Person, played, step

STEPS = 10_000
A_SCREEN = 120
"""More rows than a screen has, and a few more for the notes."""


@pytest.fixture(scope="module")
def long() -> Match:
    match = played("take_and_share")
    while len(match.events) < STEPS:
        match.take_back(len(match.events) % 70)
    return match


@pytest.fixture
def formatted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The notes that were put into words."""
    shown: list[str] = []
    note = Texts.note

    def counting(self, note_, *more):
        shown.append(note_.key)
        return note(self, note_, *more)

    monkeypatch.setattr(Texts, "note", counting)
    return shown


@pytest.mark.ci
def test_only_visible_steps_are_formatted(long: Match, formatted: list[str]) -> None:
    async def person(one: Person) -> None:
        assert len(formatted) < A_SCREEN
        for way in (["end"], ["home"], ["colon"]):
            formatted.clear()
            await one.press(*way)
            assert len(formatted) < A_SCREEN
        await one.type("5000")
        assert one.at == 5000
        assert " 5000 " in one.screen_text
        formatted.clear()
        await one.press("right")
        assert one.at == 5001
        assert len(formatted) < A_SCREEN
        await one.press("end")
        assert one.at == STEPS - 1
        assert " 9999 " in one.screen_text

    step(long, person)


@pytest.mark.long
def test_steps_are_counted_once_and_no_further_than_asked(long: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    count = Index.count

    def counting(self, until):
        before = self.known
        count(self, until)
        counted.extend(range(before, self.known))

    monkeypatch.setattr(Index, "count", counting)
    count_on = Stepper._count_on
    monkeypatch.setattr(Stepper, "_count_on", lambda self: None)

    async def person(one: Person) -> None:
        assert len(counted) < A_SCREEN
        count_on(one.app)
        assert len(counted) < A_SCREEN + STEPS_AT_ONCE
        await one.press("end", "home", "end")
        await one.until(lambda: len(counted) == STEPS)
        assert counted == list(range(STEPS))

    step(long, person)


@pytest.mark.ci
def test_a_search_lets_the_keys_in_and_is_given_up_by_who_goes_on(long: Match) -> None:
    async def person(one: Person) -> None:
        looked: list[int] = []
        seeking = one.app._seek(True, lambda at: bool(looked.append(at)), "stepper-not-found", "nothing")
        seeking.send(None)
        assert looked == list(range(STEPS_AT_ONCE))
        await one.press("right", "right")
        with pytest.raises(StopIteration):
            seeking.send(None)
        await one.pilot.pause()
        assert (one.at, one.notices, len(looked)) == (1, "", STEPS_AT_ONCE)
        await one.app._seek(True, lambda at: False, "stepper-not-found", "nothing")
        await one.until(lambda: one.notices == "nothing: not found in this direction.")

    step(long, person)
