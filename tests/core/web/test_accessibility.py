"""axe-core finds nothing serious on any page: both languages, light and dark, from 320 to 1920 pixels.

The states of a table, and the lobby, are in `test_states.py`.
"""

from pathlib import Path

import pytest
from kifu import games, load
from kifu.core.page import page

from .browsing import act_until, grave, open_match, play_out, sit
from .conftest import opening

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs kifu[dev]")

pytestmark = pytest.mark.long
FIXTURES = Path(__file__).parents[3] / "fixtures"
LOOKS = {
    "en light 1280": {"locale": "en-GB", "color_scheme": "light", "size": {"width": 1280, "height": 800}},
    "ja dark 320": {"locale": "ja-JP", "color_scheme": "dark", "size": {"width": 320, "height": 640}},
    "ja light 390": {"locale": "ja-JP", "color_scheme": "light", "size": {"width": 390, "height": 844}},
    "en dark 1920": {"locale": "en-GB", "color_scheme": "dark", "size": {"width": 1920, "height": 1080}},
}
looks = pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)


TURNS = {"cake": ".bar .choice", "gosne": ".bar .choice", "mabr": ".bar .choice", "palace": ".bar .turn-row"}
"""A turn of each game, with buttons to choose from where they come to all who play."""
CHOOSE = """() => document.querySelector(
  ".choice[aria-pressed=false]:not(.replaces), .table :is(.selectable, .possible):not(.picked, .replaces) > .cards",
).click()"""


@looks
def test_a_turn_in_the_other_games_what_is_asked_before_it_ends_and_the_lobby_with_these_tables(opened, look):
    tab, found = opened(**look), {}
    for game, turn in TURNS.items():
        open_match(tab, game, "here Aki", *["bot random"] * (games.find(game).seats[0] - 1))
        act_until(tab, turn)
        found[f"{game}: a turn"] = grave(tab)
        tab.evaluate(CHOOSE)
        found[f"{game}: something is chosen"] = grave(tab)
        tab.locator("#more").click()
        tab.locator("#do-abandon").click()
        found[f"{game}: asked whether to end it"] = grave(tab)
        tab.locator("#more").click()
        tab.evaluate("location.hash = ''")
        tab.locator(".matches .own .names").first.wait_for()
    found["the lobby"] = grave(tab)
    tab.locator("#check-files").click()
    found["a record to check"] = grave(tab)
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


@looks
def test_the_end_of_a_match(opened, look):
    tab = sit(opened, **look)
    play_out(tab)
    tab.locator(".players .winner-badge").first.wait_for()
    assert grave(tab) == []
    tab.locator("#do-analyse").click()
    tab.locator(".analysing progress").wait_for()
    assert grave(tab) == []
    tab.locator(".analysing", has_text="ready").or_(tab.locator(".analysing", has_text="できました")).wait_for()
    assert grave(tab) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def read(browser, tmp_path):
    """Yield a function that opens a file in a new browser, with a look."""
    file = tmp_path / "page.html"
    with opening(browser, "file:", ()) as show:

        def shown(content: bytes, look: dict, where: str = ""):
            file.write_bytes(content)
            return show(f"{file.as_uri()}{where}", **look)

        yield shown


@pytest.mark.parametrize(
    ("look", "game"), [(look, "cake") for look in LOOKS] + [("ja dark 320", game) for game in games.names()[1:]]
)
def test_exported_pages(read, look, game):
    look = LOOKS[look]
    log = sorted((FIXTURES / game).glob("*.log"))[-1]
    tab = read(page(load(log)).encode(), look, f"#step=20&as=table&lang={look['locale'][:2]}")
    tab.locator(".steps .step").nth(2).wait_for()
    assert grave(tab) == []
    tab.keyboard.press("End")
    tab.locator(".steps .rule").first.click()
    assert grave(tab) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@looks
def test_statistics(read, look):
    pytest.importorskip("vl_convert", reason="needs kifu[stats]")
    from kifu.core.text.texts import Texts
    from kifu.replay.stats import charts
    from kifu.replay.stats.figures import figures, grouped

    files = sorted((FIXTURES / "cake").glob("*.log"))[:9]
    groups = grouped(map(figures, files))
    tab = read(charts.page(groups, Texts(look["locale"][:2], "kifu.replay")), look)
    tab.evaluate("window.drawn.then(() => true)")
    assert grave(tab) == []
    names = tab.locator(".chart summary").evaluate_all("(all) => all.map((each) => each.getAttribute('aria-label'))")
    assert len(set(names)) >= 4
    assert all(names)
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
