"""A match on a phone, by touch, the same in every run: all that happened is told, the dock stays small."""

import pytest
from kifu.core.host import Host
from kifu.core.stores import MemoryStore

from .browsing import STEP, let_bots_hurry, open_match
from .conftest import Entropy, first_legal
from .served import Served

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[browser]")

TOUCH = {"has_touch": True, "is_mobile": True, "size": {"width": 360, "height": 740}}
LAW = """() => {
  const dock = document.querySelector(".dock").getBoundingClientRect(), told = document.querySelector(".latest");
  const since = game.history.slice(Math.max(0, game.history.findLastIndex(({ seat }) => seat === game.viewer)));
  const drawn = since.filter(({ seq }) => seq < game.parts.notes.count).flatMap(({ notes }) => notes);
  const whole = ({ text }) => text.map((piece) => (typeof piece === "number" ? seatLabel(piece) : piece)).join("");
  const missing = drawn.filter((note) => !told.textContent.includes(whole(note)));
  return {
    dock: hasEnded() || game.storyOpen || dock.height <= innerHeight / 3 + 1,
    wide: document.documentElement.scrollWidth <= 360,
    missing: missing.map(({ text }) => text),
  };
}"""
"""What holds at every moment of a match on a phone."""
MY_TURN = """() => !game.loading && game.history.length === game.observation.count
  && (game.selection.commands.length > 0 || hasEnded())"""
"""The page has all that happened, and waits for its player."""


@pytest.fixture(scope="module")
def address():
    """Serve a host that deals the same cards in every run, and whose bots play the first card that they may."""
    host = Host(MemoryStore(), entropy=Entropy(), bots={"random": first_legal})
    with Served(host=host, bots=["random"], schedule=True) as served:
        yield "http://{}:{}/".format(*served.listener.getsockname())


def test_a_game_on_a_phone_the_dock_is_small_and_all_that_happened_is_told(opened):
    tab = opened(**TOUCH, locale="en-GB")
    let_bots_hurry(tab)
    open_match(tab, "take_and_share", "here Aki", "bot random", "bot random")
    tab.locator(".board.mine .selectable").first.wait_for()
    assert tab.evaluate("scrollY") == 0, "an opened table begins at its top"
    refused = shared = recalled = False
    while not (recalled and refused):
        tab.wait_for_function(MY_TURN)
        assert tab.evaluate(LAW) == {"dock": True, "wide": True, "missing": []}
        assert not tab.evaluate("hasEnded()"), f"shared: {shared}, recalled: {recalled}, refused: {refused}"
        kinds = tab.evaluate("[...new Set(game.selection.commands.map(({ tag }) => tag))]")
        if kinds == ["share"] and not shared:
            share_by_tapping(tab)
            shared = True
            continue
        if shared and not recalled:
            recalled = last_trick_is_told(tab)
        elif kinds == ["play"] and not refused:
            refused = refusal_is_inside(tab)
        tab.evaluate(STEP)


def last_trick_is_told(tab) -> bool:
    """Read in the story, which stays open meanwhile, by whom what was played in the last whole trick; then close it."""
    if not tab.evaluate("game.storyOpen"):
        if tab.locator("#story-toggle").is_visible():
            tab.locator("#story-toggle").tap()
        return False
    played = tab.locator(".last-trick .told").all_inner_texts()
    if not played:
        return False
    assert sum("random" in line for line in played) >= 2
    assert any("Aki" in line for line in played)
    tab.locator("#story-toggle").tap()
    return True


def share_by_tapping(tab) -> None:
    """Share by tapping the cards where they lie; the first two can be taken back, and the last tap is the button's."""
    tab.wait_for_function("() => !game.loading && game.history.length === game.observation.count")  # nothing moves now
    count = tab.evaluate("game.observation.count")
    cards = tab.locator(".middle .selectable .cards")
    assert tab.locator(".bar .primary").count() == 0, "no button commits before a card is chosen"
    cards.nth(0).tap()
    tab.locator(".status", has_text="tap the card for random").wait_for()
    assert "to Aki" in tab.locator(".chip").inner_text()
    tab.locator("#do-clear").tap()
    assert tab.locator(".chip").count() == 0
    cards.nth(2).tap()
    cards.nth(1).tap()
    assert tab.evaluate("game.observation.count") == count, "a tap on a card commits nothing"
    tab.locator("#do-it").tap()
    tab.wait_for_function(f"() => game.observation.count > {count}")


def refusal_is_inside(tab) -> bool:
    """Tap the rightmost card that may not be played: why not stands within the screen."""
    find = """() => [...document.querySelectorAll(".board.mine .refused .cards")]
      .filter((each) => each.getBoundingClientRect().right > 200 && each.getBoundingClientRect().bottom < 450).pop()"""
    card = tab.evaluate_handle(find).as_element()
    if card is None:
        return False
    card.tap()
    bubble = tab.locator(".refusal")
    bubble.wait_for()
    assert bubble.evaluate("(it) => it.getBoundingClientRect().right <= 360 && it.getBoundingClientRect().left >= 0")
    return True
