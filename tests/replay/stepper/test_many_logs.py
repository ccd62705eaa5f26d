"""Several logs in the stepper: which one is open, the next, the previous, the list, and what cannot be opened."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from kifu.core.game import TABLE, SectionKind
from kifu.core.text.texts import Texts
from rich.cells import cell_len

from .conftest import Person, Stepper, played, step
from .test_terminal import Terminal, terminal  # noqa: F401 (a fixture)

textual = pytest.importorskip("textual", reason="needs kifu[replay]")

from kifu.replay.stepper.palette import DARK  # noqa: E402
from kifu.replay.stepper.panels import ChooseScreen  # noqa: E402
from kifu.replay.stepper.screen import help_lines  # noqa: E402
from kifu.replay.stepper.shelf import Shelf  # noqa: E402

NAMES = ("a.log", "b.log", "c.log")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    for name, game in zip(NAMES, ("cake", "gosne", "palace"), strict=True):
        played(game).save(tmp_path / name)
    return Shelf([tmp_path / name for name in NAMES], lambda reading: TABLE)


def at_shelf(shelf: Shelf, keys: str, size: tuple[int, int] = (80, 24), lang: str = "en") -> tuple[Stepper, str]:
    """Open the log of the shelf, press keys, and return the stepper and its screen before the last key."""
    shown: list[str] = []

    async def drive() -> Stepper:
        app = Stepper(*shelf.open(shelf.at), lang, shelf=shelf)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            person = Person(app, pilot)
            for key in keys.split():
                shown.append(person.screen_text)
                await pilot.press(key)
                if key == "o":
                    await person.until(lambda: isinstance(app.screen, ChooseScreen))
            shown.append(person.screen_text if app.is_running else shown[-1])
        return app

    return asyncio.run(drive()), shown[-2 if len(shown) > 1 else -1]


@pytest.mark.ci
@pytest.mark.parametrize(("at", "key", "then"), [(0, "greater_than_sign", 1), (1, "less_than_sign", 0)])
def test_a_key_opens_the_next_or_the_previous_match(shelf, at, key, then):
    shelf.at = at
    app, screen = at_shelf(shelf, key)
    assert f"{NAMES[at]}, {at + 1} of 3" in screen
    assert "< > match" in screen
    assert (shelf.at, app.next_log is not None) == (then, True)


@pytest.mark.ci
@pytest.mark.parametrize(("at", "key", "says"), [(2, "greater_than_sign", "last"), (0, "less_than_sign", "first")])
def test_at_an_end_it_says_so_and_stays(shelf, at, key, says):
    shelf.at = at
    app, screen = at_shelf(shelf, f"{key} x")
    assert app.next_log is None
    assert f"This is the {says} match." in screen


@pytest.mark.ci
def test_q_quits_also_where_more_logs_follow(shelf):
    app, _ = at_shelf(shelf, "q")
    assert app.next_log is None
    assert not app.is_running


@pytest.mark.ci
def test_the_list_has_game_seats_result_and_length_and_is_narrowed_by_typing(shelf):
    app, screen = at_shelf(shelf, "o x", size=(150, 44))
    assert [line for line in screen.splitlines() if "b.log" in line and "★" in line and "steps" in line]
    assert "Aki" in screen
    shelf.at = 0
    app, _ = at_shelf(shelf, "o c full_stop l o g enter")
    assert shelf.at == 2
    assert app.next_log[0].match.game.name == "palace"


@pytest.mark.ci
def test_a_log_that_cannot_be_opened_is_told_and_this_one_stays(shelf):
    Path(shelf.places[1]).write_bytes(b"no log")
    app, screen = at_shelf(shelf, "greater_than_sign x")
    assert app.next_log is None
    assert shelf.at == 0
    assert "b.log" in screen
    _, screen = at_shelf(shelf, "o x", size=(150, 44))
    assert "✗" in screen


@pytest.mark.ci
def test_one_log_has_no_list(tmp_path):
    async def person(one: Person) -> None:
        await one.press("o")
        assert "only match" in one.notices

    step(played("cake"), person)


@pytest.mark.parametrize("width", [66, 76, 96, 140])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_help_cuts_nothing_off(width, lang):
    lines = help_lines(Texts(lang, "kifu.replay"), DARK, width, set(SectionKind))
    assert not [line.plain for line in lines if line.plain.rstrip().endswith("…") or "… " in line.plain]
    assert max(cell_len(line.plain.rstrip()) for line in lines) <= width


@pytest.mark.long
def test_a_folder_in_a_real_terminal(terminal, shelf, tmp_path: Path) -> None:  # noqa: F811
    one: Terminal = terminal(f"show {tmp_path}")
    one.until("a.log, 1 of 3")
    one.press(">")
    one.until("b.log, 2 of 3", "Gosne")
    one.press("o")
    one.until("The matches")
    one.press("Enter")
    one.until("q quit")
    time.sleep(0.5)
    one.press("q")
    one.until("EXIT 0")
