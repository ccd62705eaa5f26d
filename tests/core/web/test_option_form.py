"""The form of options in the lobby, filled in by hand: what is wrong is told in one line, and nothing typed is lost."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest
from kifu.core.match import registry

from ..wire import test_option_doors

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")

pytestmark = pytest.mark.ci
WRONG = {
    "number": ["x", "", "1e3", "2.5", "99999999999999999999"], "limit": ["x"], "rows": ["1,x", "1," * 60],
    "pair": ["4"], "turn": ["3"], "by_way": ["z:true"], "by_turn": ["1"], "by_number": ["x:1", "4"],
}  # fmt: skip


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve a game with an option of each type."""
    from .served import Served

    entries = registry._entries()
    entries["every_type"] = EntryPoint("every_type", f"{test_option_doors.__name__}:EVERY_TYPE", "kifu.games")
    with Served() as served:
        yield served.address
    del entries["every_type"]
    registry.find.cache_clear()


def refused(tab, says: str) -> None:
    tab.locator("#do-open").click()
    trouble = tab.locator("#open-trouble", has_text=says)
    trouble.wait_for()
    assert "\n" not in trouble.inner_text()


def test_each_kind_of_wrong_input_is_refused_in_a_line_and_kept(opened):
    tab = opened()
    tab.locator("label:has(#game-every_type)").click()
    tab.locator("details.more summary").click()
    for name, wrong in WRONG.items():
        field = tab.locator(f"#option-{name}")
        right = field.input_value()
        for typed in wrong:
            field.fill(typed)
            refused(tab, f"option '{name}': ")
            tab.locator("#player-1").select_option("here")  # the form is drawn anew
            tab.locator("#player-1").select_option("link")
            assert field.input_value() == typed
        field.fill(right)
    maps = (("by_way", "y:true"), ("by_number", "4:2"))
    for name, typed in (("number", "-7"), ("rows", "9,8"), ("turn", "2"), ("name", "x" * 70), *maps):
        tab.locator(f"#option-{name}").fill(typed)
    tab.locator("#option-either").select_option("all")
    tab.locator("#tick-flag").check()
    tab.locator("#do-open").click()
    tab.locator("main.playing").wait_for()
    chosen = tab.evaluate("game.about.options")
    expected = {"flag": True, "number": -7, "either": "all", "rows": [9, 8], "turn": 2, "name": "x" * 70}
    assert {name: chosen[name] for name in expected} == expected
    assert (chosen["by_number"], chosen["by_way"], chosen["limit"]) == ({"4": 2}, {"y": True}, None)
