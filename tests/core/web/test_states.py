"""The states of the page: axe-core finds nothing serious, and on a phone what a finger hits is 44 px."""

from time import monotonic

import pytest

from .browsing import PLAYED_S, STEP, TOUCH, act_until, grave, open_match

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs kifu[dev]")

from .test_accessibility import LOOKS as AT_OTHER_SIZES

LOOKS = {
    "forced colours": {**TOUCH, "locale": "en-GB", "forced_colors": "active"},
    "ja light": {**TOUCH, "locale": "ja-JP", "color_scheme": "light"},
    "en dark": {**TOUCH, "locale": "en-GB", "color_scheme": "dark"},
    **AT_OTHER_SIZES,
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
    act_until(tab, ".bar .end")
    yield "end"
    for others, sign in ((["link", "bot random"], "#do-join"), (["here Ren", "bot random"], ".curtain .primary")):
        tab.evaluate("location.hash = ''")
        tab.locator("#do-open").wait_for()
        open_match(tab, "cake", "here Aki", *others)
        tab.locator(sign).first.wait_for()
        yield sign


@pytest.mark.parametrize(
    "look",
    [pytest.param(look, marks=pytest.mark.ci if look in QUICK else pytest.mark.long) for look in LOOKS],
)
def test_every_state(opened, look):
    tab = opened(**LOOKS[look])
    assert {state: found for state in states(tab) if (found := wrong(tab))} == {}


@pytest.mark.ci
def test_a_lesson_beside_the_table_has_no_banner_of_its_own(opened):
    tab = opened()
    tab.locator("#learn").click()
    tab.locator(".rules-panel figure").first.wait_for()
    tree = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
    assert [node["role"]["value"] for node in tree if "role" in node].count("banner") == 1
