"""Every text of a log is a stranger's: it stays text, breaks no line and reaches no terminal as it is."""

from functools import partial
from unicodedata import category

import pytest
from kifu.core.errors import GameError
from kifu.core.game import TABLE
from kifu.core.log import Finding
from kifu.replay.stepper.app import Stepper

from .conftest import SMALL, Person, played, reading_of, stepping, widths

NAMES = (
    "\x1b[31m[bold]Aki[/]\x1b]0;owned\x07 [@click=app.finish]quit[/]",
    "\u202eevil\u202c שלום <script>",
    "W" * 10_000,
    "Mi\u200bo\u2060 \u0301\u0301\u0301兄者",
)


HOSTILE = partial(stepping, "take_and_share", *NAMES, most=12)
MALFORMED = Finding("form", "a stranger's \x1b[2J [red]words[/]\n\nand more", 5)
REFUSED = Finding("rule", "seat 2 played ♥4, which is not in the hand", 12, "TS-2")


@pytest.mark.long
@HOSTILE(wrong=(MALFORMED, REFUSED))
async def test_hostile_names_are_text_and_break_no_line(one: Person) -> None:
    assert one.match.header.seats == NAMES
    ways = [["home"], ["right"], ["right"], ["end"], ["x"], ["s"], ["enter"], ["escape"]]
    ways += [["X"], ["tab"], ["tab"], ["tab", "tab", "tab", "tab"]]
    for keys in ways:
        await one.press(*keys)
        assert widths(one.screen) == {SMALL[0]}, keys
        letters = set("".join(one.screen)) - {" "}
        assert not [char for char in letters if category(char)[0] == "C"], keys
        assert not letters & set("\u202e\u202c\u200b\u2060")
    assert one.app.is_running


@pytest.mark.long
@HOSTILE()
async def test_markup_in_a_name_is_shown_and_not_obeyed(one: Person) -> None:
    await one.press("right")
    assert one.pane("table").count(" hand ▐") == 4, "however long a name is, the cards have their room"
    assert "[bold]Aki[" in one.screen_text
    line = next(y for y, line in enumerate(one.screen) if "[bold]A" in line)
    await one.pilot.click(offset=(one.screen[line].index("[bold]"), line))
    await one.pilot.pause()
    assert one.app.is_running
    assert one.app.navigation.viewer == 0, "a name is a link to its seat's eyes"
    await one.press("tab", "slash")
    await one.type("[nothing] \x1b[31m like it")
    await one.until(lambda: "not found" in one.notices)
    assert "\x1b" not in one.notices


@pytest.mark.long
@stepping("cake", "兄者末弟兄者末弟", "あああああああああああああああ", "ンンン", "日本語日本語日本語日本語", most=20)
async def test_a_wide_character_is_never_cut_in_two(one: Person) -> None:
    await one.press("end")
    for width in range(71, 81):
        await one.pilot.resize_terminal(width, 24)
        await one.pilot.pause()
        assert widths(one.screen) == {width}


@pytest.mark.long
@stepping("mabr", most=20)
async def test_a_hint_at_every_size_and_none_too_small(one: Person) -> None:
    for width, height in ((20, 8), (1, 1), (300, 90), (116, 12)):
        await one.pilot.resize_terminal(width, height)
        await one.press("right")
        assert one.app.is_running
        assert widths(one.screen) == {width}


@pytest.mark.ci
@HOSTILE(wrong=(REFUSED,), viewer=None)
async def test_a_refusal_is_shown_to_a_seat_without_the_facts(one: Person) -> None:
    await one.press("end")
    assert "against the" in one.pane("notes")
    assert "♥4" not in one.pane("notes")
    assert "which is not" not in one.screen_text


def test_an_error_of_ours_ends_it_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    app = Stepper(reading_of(played("cake", most=3)), TABLE, "en")

    def broken(*_):
        raise GameError("cake", "its scene failed")

    app.drawing.draw = broken
    app.run(headless=True)
    assert isinstance(app.failure, GameError)
    shown = capsys.readouterr()
    assert "Traceback" not in shown.out + shown.err
