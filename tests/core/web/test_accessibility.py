"""axe-core finds nothing serious on any page: both languages, light and dark, from 320 to 1920 pixels.

In the states of the lobby and of a table also: on a phone what a finger hits is 44 px.
"""

from pathlib import Path
from time import monotonic

import pytest
from kifu import games, load
from kifu.core.page import page

from .browsing import PLAYED_S, STEP, TOUCH, act_until, grave, open_match, play_out, sit
from .conftest import opening

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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


STATE_LOOKS = {
    "forced colours": {**TOUCH, "locale": "en-GB", "forced_colors": "active"},
    "ja light": {**TOUCH, "locale": "ja-JP", "color_scheme": "light"},
    "en dark": {**TOUCH, "locale": "en-GB", "color_scheme": "dark"},
    **LOOKS,
}
QUICK = ("ja dark 320", "en light 1280")
TABLE = ("take_and_share", "here Aki", "bot random", "bot random")
TAPPED = "button, a, summary, select, input:not(label input), label.check, .radio, .selectable .cards"
SMALL = """(tapped) => [...document.querySelectorAll(tapped)]
  .filter((each) => {
    if (!each.checkVisibility() || each.closest("details:not([open]) > div")) return false;
    const { width, height } = each.getBoundingClientRect();
    return width < 43.5 || height < 43.5;
  }).map((each) => each.outerHTML.slice(0, 120))"""
"""What one taps and is less than 44 px wide or high."""
REFUSED_OR_STEP = f"""() => {{
  if (!game.observation || game.sending || game.loading) return "loading";
  const refused = document.querySelector(".mine:has(.selectable) .refused");
  return refused && !game.selection.begun ? "refused" : ({STEP})();
}}"""
"""Look and act in one, so that no turn begins in between; and do neither while something is on its way: else a slow
machine acts at turn after turn before it has looked."""


def wrong(tab) -> list:
    """Return what is wrong with the page as it stands."""
    tab.wait_for_function("() => document.getAnimations().every(({ playState }) => playState === 'finished')")
    beside = tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    small = tab.evaluate(SMALL, TAPPED) if tab.evaluate("isSmallScreen()") else []
    return [*grave(tab), *small, *(["wider than the screen"] if beside else [])]


def wait_for_refused(tab) -> None:
    """Act until a turn has begun, with nothing chosen or on its way, in which a card of one's own cannot be played."""
    until = monotonic() + PLAYED_S
    while (done := tab.evaluate(REFUSED_OR_STEP)) != "refused":
        assert monotonic() < until, f"no card is refused: {done}"
        if done == "over":  # every card could be played at every turn
            tab.evaluate("location.hash = ''")
            open_match(tab, *TABLE)
        tab.wait_for_timeout(15)


def states(tab):
    """Go through the states of the page; yield the name of each."""
    tab.locator(".lists .quiet").first.wait_for()
    tab.locator(".more summary").click()
    yield "lobby"
    tab.locator("#learn").click()
    tab.locator(".rules-panel figure").first.wait_for()
    yield "lesson"
    tab.locator("#close-rules").click()
    open_match(tab, *TABLE)
    tab.locator(".told").first.wait_for()
    yield "own turn"
    for menu in (".settings",) * tab.locator(".settings").count() + (".bar .menu",):
        tab.locator(f"{menu} > summary").click()
        yield menu
        tab.locator(f"{menu} > summary").click()
    tab.evaluate(STEP)
    yield "a card is chosen"
    wait_for_refused(tab)
    tab.evaluate("() => { game.storyOpen = true; drawStory(); }")
    yield "the story is open"
    tab.evaluate(
        "() => { game.storyOpen = false; drawStory(); document.querySelector('.mine .refused .cards').click(); }"
    )
    tab.locator(".refusal").wait_for()
    yield "why not"
    tab.locator(".bar .menu > summary").click()
    tab.locator("#do-fork").click()
    yield "fork"
    tab.locator("#do-cancel").click()
    play_out(tab)
    yield "end"
    for others, sign in ((["link", "bot random"], "#do-join"), (["here Ren", "bot random"], ".curtain .primary")):
        tab.evaluate("location.hash = ''")
        tab.locator("#do-open").wait_for()
        open_match(tab, "cake", "here Aki", *others)
        tab.locator(sign).first.wait_for()
        yield sign


@pytest.mark.parametrize(
    "look",
    [pytest.param(look, marks=pytest.mark.ci if look in QUICK else pytest.mark.long) for look in STATE_LOOKS],
)
def test_every_state(opened, look):
    tab = opened(**STATE_LOOKS[look])
    assert {state: found for state in states(tab) if (found := wrong(tab))} == {}


@pytest.mark.ci
def test_a_lesson_beside_the_table_has_no_banner_of_its_own(opened):
    tab = opened()
    tab.locator("#learn").click()
    tab.locator(".rules-panel figure").first.wait_for()
    tree = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
    assert [node["role"]["value"] for node in tree if "role" in node].count("banner") == 1
