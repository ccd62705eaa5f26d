"""The stepper driven by keys and mouse as a person drives it, without a terminal."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from attrs import frozen
from kifu import games
from kifu.core.game import TABLE, Seat
from kifu.core.log import Finding, Reading
from kifu.core.match import Match
from kifu.replay.tournament.random_matches import NAMES

from ..conftest import played as match_of

textual = pytest.importorskip("textual", reason="needs kifu[replay]")

from kifu.replay.stepper.app import Stepper  # noqa: E402
from kifu.replay.stepper.panes import Lines  # noqa: E402
from rich.cells import cell_len  # noqa: E402
from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Input  # noqa: E402

GAMES = games.names()
SMALL, WIDE = (80, 24), (150, 44)
LONG = 2400
"""How often an app may go round until something has come about: never waited out but by a defect."""


def played(name: str, *names: str, **more: Any) -> Match:
    """A random match, the same each time, which goes on if it is not over."""
    return match_of(*(names or NAMES[:4]), game=name, goes_on=True, **more)


def reading_of(match: Match, *findings: Finding) -> Reading:
    return Reading(findings=list(findings), game=match.game, header=match.header, match=match)


@frozen
class Person:
    """A person at the stepper."""

    app: Stepper
    pilot: Pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Type a line where one is asked for, and end it."""
        self.app.screen.query_one(Input).value = text
        await self.press("enter")

    async def until(self, come: Callable[[], object]) -> None:
        """Wait until something has come about."""
        for _ in range(LONG):
            if come():
                return
            await asyncio.sleep(0.05)
            await self.pilot.pause()
        raise AssertionError("it never came about")

    @property
    def match(self) -> Match:
        return self.app.navigation.record.match

    @property
    def at(self) -> int:
        return self.app.navigation.at

    @property
    def screen(self) -> list[str]:
        """The lines of the screen."""
        rendered = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in line) for line in rendered]

    @property
    def screen_text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen)

    @property
    def notices(self) -> str:
        """The notice that is shown at the moment."""
        return self.app.notice

    def pane(self, name: str) -> str:
        pane = self.app.screen_stack[0].query_one(f"#{name}", Lines)
        lines = [pane.line(y).plain.rstrip() for y in range(pane.virtual_size.height)]
        return "\n".join(lines)


def step(
    reading: Reading | Match,
    person: Callable[[Person], Awaitable[None]],
    *,
    viewer: Seat | None = TABLE,
    lang: str = "en",
    size: tuple[int, int] = SMALL,
) -> None:
    """Open the stepper on a log, let a person do something with it, and close it."""

    async def drive() -> None:
        log = reading if isinstance(reading, Reading) else reading_of(reading)
        app = Stepper(log, viewer, lang)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await person(Person(app, pilot))

    asyncio.run(drive())


def stepping(
    name: str = "take_and_share",
    *names: str,
    wrong: Sequence[Finding] = (),
    viewer: Seat | None = TABLE,
    size: tuple[int, int] = SMALL,
    **more: Any,
) -> Callable[[Callable[[Person], Awaitable[None]]], Callable[[], None]]:
    """Make a test of what a person does at the stepper, which is open on a random match."""

    def test_of(person: Callable[[Person], Awaitable[None]]) -> Callable[[], None]:
        def test() -> None:
            step(reading_of(played(name, *names, **more), *wrong), person, viewer=viewer, size=size)

        return test

    return test_of


def widths(lines: list[str]) -> set[int]:
    return set(map(cell_len, lines))
