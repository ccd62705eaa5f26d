"""The screens of the five games as they stand in `screens/`, small and wide, in English and Japanese.

`KIFU_BLESS=1 pytest -m "long or not long" tests/replay/stepper/test_screens.py` writes them
anew: read the difference before you commit it.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from kifu.core.game import TABLE
from kifu.core.log import read
from kifu.replay.stepper.palette import DARK, Palette
from rich.segment import Segment

from ..conftest import FIXTURES
from .conftest import SMALL, WIDE, Person, step, widths

pytestmark = pytest.mark.ci

SCREENS = Path(__file__).parent / "screens"
PLACES = {
    "cake/five_seats": 66,
    "gosne/whistleblower_four_hands": 43,
    "mabr/four_seats": 48,
    "palace/six_seats": 150,
    "take_and_share/four_seats": 33,
}
"""By the log: the step that is shown."""
LEGIBLE = 4.5
"""The contrast that WCAG asks for."""


@pytest.mark.parametrize("size", [SMALL, pytest.param(WIDE, marks=pytest.mark.long)], ids=["small", "wide"])
@pytest.mark.parametrize("log", PLACES)
def test_the_screens_are_the_approved_ones(log: str, size: tuple[int, int]) -> None:
    shown: list[str] = []

    async def person(one: Person) -> None:
        one.app.go(PLACES[log])
        await one.pilot.pause()
        assert len(one.screen) == size[1]
        assert widths(one.screen) == {size[0]}
        shown.append(f"{one.screen_text}\n")

    for lang in ("en", "ja"):
        step(read(FIXTURES / f"{log}.log"), person, size=size, lang=lang)
    kept = SCREENS / f"{log.partition('/')[0]}-{size[0]}.txt"
    if os.environ.get("KIFU_BLESS"):
        kept.write_text("\n".join(shown), encoding="utf-8")
    assert "\n".join(shown) == kept.read_text(encoding="utf-8")


@pytest.mark.long
def test_all_words_can_be_read_on_their_ground() -> None:
    seen: dict[str, float] = {}

    async def person(one: Person) -> None:
        one.app.go(150)
        seen.update(contrasts(one))

    step(read(FIXTURES / "palace/six_seats.log"), person, size=WIDE)
    assert len(seen) > 50
    assert {words: contrast for words, contrast in seen.items() if contrast < LEGIBLE} == {}
    assert faint(DARK) == []


def contrasts(one: Person) -> Iterator[tuple[str, float]]:
    """Give each run of letters on the screen with the contrast it has."""
    for line in one.app.screen._compositor.render_strips():
        for segment in line:
            if re.search(r"\w", segment.text) and segment.style and segment.style.color and segment.style.bgcolor:
                yield segment.text.strip(), _contrast(*_colours(segment))


def faint(palette: Palette) -> list[tuple[str, str]]:
    """List the tints and the colours of seats that cannot be read where they stand."""
    on = [(tint, palette.card) for tint in palette.tints.values()]
    on += [(tint, palette.background) for tint in palette.inline.values()]
    on += [(seat, ground) for seat in palette.seats for ground in (palette.board, palette.now, palette.panel)]
    on += [(palette.quiet, palette.board), (palette.quiet, palette.now)]
    return [pair for pair in on if _contrast(*map(_rgb, pair)) < LEGIBLE]


def _colours(segment: Segment) -> tuple[tuple[int, ...], ...]:
    style = segment.style
    pair = (style.color.get_truecolor(), style.bgcolor.get_truecolor())
    return tuple(map(tuple, pair[::-1] if style.reverse else pair))


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def _contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    lighter, darker = sorted(map(_luminance, (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: tuple[int, ...]) -> float:
    parts = (part / 255 for part in colour)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("log", PLACES)
def test_the_last_screen_shows_the_reasons_of_the_result(log: str) -> None:
    shown: list[str] = []

    async def person(one: Person) -> None:
        one.app.go(one.app.navigation.record.last)
        await one.pilot.pause()
        shown.append(one.screen_text)

    reading = read(FIXTURES / f"{log}.log")
    step(reading, person, size=SMALL, lang="en")
    last = [note.rule.number for note in reading.match.steps[-1].notes_for(TABLE) if note.rule][-2:]
    assert all(rule in shown[0] for rule in last), shown[0]
