"""Every game on a phone, by taps on what can be seen: nothing that one decides on is covered, in no state."""

from random import Random
from time import monotonic

import pytest
from kifu import games

from .browsing import PLAYED_S, open_match

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")

TOUCH = {"has_touch": True, "is_mobile": True, "size": {"width": 360, "height": 740}}
STATES = 10
"""How many states of one's own turn are looked at in a game."""
SHORTEST = "gosne"
"""The game that is played to its end."""

FAULTS = """() => {
  const faults = [];
  const shown = (each) => each.checkVisibility() && !each.closest("details:not([open]) > div");
  const seen = (each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  const tell = (fault, each) => faults.push(`${fault}: ${(each.id && `#${each.id}`) || each.outerHTML.slice(0, 120)}`);
  const things = [...document.querySelectorAll(".table :is(.selectable, .possible, .refused) > .cards")];
  const tapped = [...document.querySelectorAll("button, a, summary, select, label.check")].filter(shown);
  for (const each of [...things, ...tapped]) {
    const box = each.getBoundingClientRect();
    if (box.width < 43.5 || box.height < 43.5) tell("small", each);
  }
  for (const each of document.querySelectorAll(".table .bundle .card:nth-child(2):last-child")) {
    const [under, over] = [each.previousElementSibling, each].map((card) => card.getBoundingClientRect());
    if (over.left - under.left < under.width * .7) tell("a card over the other of a pair", each);
  }
  const dock = document.querySelector(".dock");
  if (!hasEnded()) {
    const said = dock.querySelector(".status");
    if (said.scrollWidth > said.clientWidth) tell("cut off", said);
    if (dock.getBoundingClientRect().height > innerHeight / 3 + 1) faults.push("a dock over a third of the screen");
    for (const each of dock.querySelectorAll("button, summary")) {
      if (shown(each) && !each.closest(".open-choices, .shelf") && !seen(each)) tell("covered in the dock", each);
    }
  }
  const at = scrollY;
  const told = [...document.querySelectorAll(".sheet, .end button, .end a")].filter(shown);
  for (const each of hasEnded() ? told : things) {
    each.scrollIntoView({ block: "center" });
    if (!seen(each)) tell("covered", each);
  }
  scrollTo(0, at);
  return faults;
}"""
"""What is wrong with the page on the screen."""
REFUSED = """() => {
  const card = [...document.querySelectorAll(".table .refused > .cards")].pop();
  card?.scrollIntoView({ block: "center" });
  return card ?? null;
}"""
REFUSAL = """() => {
  const { left, right, top, bottom } = document.querySelector(".refusal").getBoundingClientRect();
  const dock = document.querySelector(".dock").getBoundingClientRect();
  return left >= 0 && right <= document.documentElement.clientWidth && top >= 0 && bottom <= dock.top;
}"""
MY_TURN = """() => game.observation && isMyTurn(game.observation)
  && !game.sending && !game.loading"""
OPEN = """() => [...document.querySelectorAll(
  ".table :is(.selectable, .possible):not(.picked, .replaces) > .cards, .choice[aria-pressed=false]:not(.replaces)",
)]"""


def tap(tab, node) -> None:
    """Tap where it can be seen. What is in the dock is: scrolled far, its shelf would come, and move what is below."""
    x, y = node.evaluate("""(it) => {
      if (!it.closest(".dock")) it.scrollIntoView({ block: "center" });
      const { left, top, width, height } = it.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    }""")
    tab.touchscreen.tap(x, y)


def choose(tab, chance: Random) -> None:
    """Confirm what is chosen, or else choose one more thing that is open."""
    confirm = tab.query_selector("#do-it")
    found = tab.evaluate_handle(OPEN)
    count = found.evaluate("(all) => all.length")
    if confirm and (not count or chance.random() < 0.7):
        tap(tab, confirm)
    elif count:
        tap(tab, found.evaluate_handle("(all, at) => all[at]", chance.randrange(count)).as_element())
    else:
        tap(tab, tab.query_selector("#do-clear"))


def refusal_is_told(tab) -> None:
    """Tap something that cannot be chosen now: why not stands inside the screen, above the dock."""
    card = tab.evaluate_handle(REFUSED).as_element()
    if card is not None and not tab.evaluate("game.selection.begun"):
        tap(tab, card)
        tab.locator(".refusal").wait_for(timeout=20_000)
        assert tab.evaluate(REFUSAL)
        tab.evaluate("dropRefusal()")


@pytest.mark.ci
@pytest.mark.parametrize("game", games.names())
def test_nothing_is_covered_in_any_state_of_a_game(opened, game):
    tab, chance, until, states = opened(**TOUCH, locale="ja-JP"), Random(7), monotonic() + PLAYED_S, 0
    open_match(tab, game, "here Aki", *["bot random"] * (min(games.find(game).seats) - 1 or 1))
    tab.locator(".told").first.wait_for()
    assert tab.evaluate("scrollY") == 0, "an opened table begins at its top"
    while (states < STATES or game == SHORTEST) and not tab.evaluate("hasEnded()"):
        assert monotonic() < until, "the match goes on and on"
        if not tab.evaluate(MY_TURN):
            tab.wait_for_timeout(15)
            continue
        states += 1
        assert tab.evaluate(FAULTS) == []
        if states % 4 == 1:
            refusal_is_told(tab)
        choose(tab, chance)
    if tab.evaluate("hasEnded()"):
        tab.locator(".sheet table").wait_for()
        assert tab.evaluate("scrollY") == 0, "an end begins at what was won"
        assert tab.evaluate(FAULTS) == []
