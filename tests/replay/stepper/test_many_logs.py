"""Several logs: the list that each is opened from, and what cannot be opened."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from high_card import GAME
from kifu.core.game import TABLE, Result, Seat
from kifu.core.log import Reading
from kifu.core.testing.play import played as match_of
from kifu.core.text.texts import Texts
from rich.text import Text

from .conftest import Person, played
from .test_terminal import Terminal, terminal  # noqa: F401 (a fixture)

textual = pytest.importorskip("textual", reason="needs kifu[replay]")

from kifu.replay.options import viewer  # noqa: E402
from kifu.replay.stepper.matches import MatchList, match_cells  # noqa: E402

NAMES = ("a.log", "b.log", "c.log")
GAMES = ("cake", "gosne", "palace")


@pytest.fixture
def places(tmp_path: Path) -> list[Path]:
    for name, game in zip(NAMES, GAMES, strict=True):
        played(game).save(tmp_path / name)
    return [tmp_path / name for name in NAMES]


def at_list(
    places: list[Path], keys: str, *, at: int = 0, lang: str = "en", seat: str | None = None
) -> tuple[MatchList, str]:
    """Open the list, wait for its rows, press keys, and return it and its last screen."""
    shown: list[str] = []

    def seen_by(reading: Reading) -> Seat | None:
        return viewer(seat, reading.header.seats)

    async def drive() -> MatchList:
        app = MatchList(places, seen_by, lang, at, {})
        async with app.run_test(size=(110, 30)) as pilot:
            person = Person(app, pilot)
            await person.until(lambda: len(app.rows) == len(places))
            for key in keys.split():
                await pilot.press(key)
                await pilot.pause()
            if app.is_running:
                shown.append(person.screen_text)
        return app

    return asyncio.run(drive()), "".join(shown)


@pytest.mark.ci
@pytest.mark.parametrize(("lang", "steps"), [("en", "steps"), ("ja", "手")])
def test_a_row_has_name_game_seats_result_and_length(places, lang, steps):
    _, screen = at_list(places, "", lang=lang)
    for name in NAMES:
        (row,) = (line for line in screen.splitlines() if name in line)
        assert all(each in row for each in ("Aki", "★", steps))
    assert "Enter" in screen
    assert "Esc" in screen


@pytest.mark.ci
@pytest.mark.parametrize(
    ("keys", "at", "game"), [("enter", 0, "cake"), ("down enter", 0, "gosne"), ("enter", 2, "palace")]
)
def test_enter_opens_the_chosen_match(places, keys, at, game):
    app, _ = at_list(places, keys, at=at)
    chosen, reading, seen = app.return_value
    assert (GAMES[chosen], reading.match.game.name, seen) == (game, game, TABLE)


@pytest.mark.ci
def test_typing_narrows_the_list_down_also_to_a_game(places):
    app, screen = at_list(places, "p a l a c e")
    assert [name for name in NAMES if name in screen] == ["c.log"]
    app, _ = at_list(places, "p a l a c e enter")
    assert app.return_value[0] == 2


@pytest.mark.ci
def test_a_row_that_is_read_after_the_typing_is_listed_if_it_fits(places):
    async def drive() -> None:
        app = MatchList(places, lambda reading: TABLE, "en", 0, dict(enumerate(NAMES)))
        async with app.run_test(size=(110, 30)) as pilot:
            person = Person(app, pilot)
            await pilot.press(*"new")
            app.panel.replace(1, Text("b.log · new"))
            await pilot.pause()
            assert "b.log · new" in person.screen_text
            assert "a.log" not in person.screen_text

    asyncio.run(drive())


@pytest.mark.ci
@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
def test_the_list_is_left_without_a_match(places, key):
    app, _ = at_list(places, key)
    assert app.return_value is None
    assert app.interrupted is (key == "ctrl+c")


@pytest.mark.ci
@pytest.mark.parametrize(("keys", "seat", "said"), [("down enter", None, "b.log ✗"), ("enter", "Nil", "a.log Nil")])
def test_a_log_that_cannot_be_opened_or_lacks_the_seat_is_told_and_the_list_stays(places, keys, seat, said):
    places[1].write_bytes(b"no log")
    app, screen = at_list(places, keys, seat=seat)
    assert app.return_value is None
    assert [line for line in screen.splitlines() if all(word in line for word in said.split())]


@pytest.mark.long
def test_a_folder_in_a_real_terminal(terminal, places, tmp_path: Path) -> None:  # noqa: F811
    one: Terminal = terminal(f"show {tmp_path}")
    one.until("The matches", "b.log", "c.log")
    one.press("Down", "Enter")
    one.until("Gosne", "q quit")
    one.press("q")
    one.until("The matches")
    one.press("Escape")
    one.until("EXIT 0")


@pytest.mark.parametrize(
    ("result", "lang", "said"),
    [
        (Result((3, 1), (0,)), "en", "★ seat 0"),
        (Result((2, 2), (0, 1)), "en", "a draw"),
        (Result((2, 2), (0, 1)), "ja", "引き分け"),
        (Result((2, 2), (0, 1), (0, 0)), "en", "★ seat 0, ★ seat 1"),
        (Result((0, 0), ()), "en", "all lose"),
    ],
)
def test_the_end_in_a_list(result: Result, lang: str, said: str) -> None:
    match = match_of(GAME, 2, GAME.options(), 1)
    shown = SimpleNamespace(game=match.game, header=match.header, events=match.events, result=result)
    assert match_cells(shown, Texts(lang, "kifu.replay"))[2] == said
