"""Ten thousand steps: none is put into words before it comes into sight."""

import pytest
from kifu.core.text.texts import Texts

from .conftest import Person, played, step

STEPS = 10_000
A_SCREEN = 120
"""More rows than a screen has, and a few more for the notes."""


@pytest.mark.ci
def test_only_visible_steps_are_formatted(monkeypatch) -> None:
    match = played("take_and_share")
    while len(match.events) < STEPS:
        match.take_back(len(match.events) % 70)
    formatted = []
    note = Texts.note

    def counting(self, note_, *more):
        formatted.append(note_.key)
        return note(self, note_, *more)

    monkeypatch.setattr(Texts, "note", counting)

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

    step(match, person)
