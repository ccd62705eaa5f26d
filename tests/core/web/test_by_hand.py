"""Whole matches of two people and bots: at desktops with the keyboard alone, on phones with touch alone."""

from time import monotonic

import pytest
from attrs import frozen
from kifu import games

from .browsing import DESKTOP, PHONE, PLAYED_S

pytestmark = pytest.mark.long

STOPS = 120
"""How many keys it may take to go anywhere."""
NEXT = """() => {
  if (document.querySelector(".bar .end")) return "over";
  const first = (...wanted) => wanted.map((each) => document.querySelector(each)).find(Boolean);
  const node = first("#do-it", ".listed button", ".selectable[data-part^='[\\"pile']:not(.replaces) .cards",
    ".choice[aria-pressed=false]:not(.replaces)", ".selectable:not(.picked):not(.replaces) .cards");
  if (!node) return "waiting";
  for (const each of document.querySelectorAll("[data-next]")) delete each.dataset.next;
  node.dataset.next = "";
  return "act";
}"""
"""Marks what a person may do next: a pile, a button, then a card, so that games end."""

BOX = """(wanted) => {
  const node = document.querySelector(wanted);
  node?.scrollIntoView({ block: "center" });
  const { left, top, width, height } = node?.getBoundingClientRect() ?? {};
  return node ? [left + width / 2, top + height / 2] : null;
}"""
"""Scrolls to what is wanted, and returns its middle."""


@frozen
class Keyboard:
    """A person at a desktop, whose hands are on the keyboard."""

    tab: object

    def go_to(self, wanted: str, key: str = "Tab") -> None:
        """Press a key until what is wanted has the focus."""
        for _ in range(STOPS):
            if self.tab.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
                return
            self.tab.keyboard.press(key)
        raise AssertionError(f"{wanted} is out of reach of the keyboard")

    def choose(self, name: str, value: str) -> None:
        self.go_to(f"input[name={name}]")
        self.go_to(f"input[name={name}][value='{value}']:checked", "ArrowDown")

    def select(self, wanted: str, option: str) -> None:
        self.go_to(wanted)
        self.tab.keyboard.press("Home")
        self.go_to(f"{wanted}:has(option[value='{option}']:checked)", "ArrowDown")

    def write(self, wanted: str, text: str) -> None:
        self.go_to(wanted)
        self.tab.keyboard.press("Control+A")
        self.tab.keyboard.type(text)

    def press(self, wanted: str) -> None:
        self.go_to(wanted)
        self.tab.keyboard.press("Enter")

    def act(self) -> None:
        """Choose what may be done next: arrows go from card to card, Space selects, Enter plays."""
        ready = self.tab.locator("#do-it[data-next]").count() > 0
        if ready and not self.tab.evaluate("document.activeElement.matches('button, a')"):
            self.tab.keyboard.press("Enter")
            return
        key = "Tab" if self.tab.locator(".listed [data-next]").count() else "ArrowRight"
        for _ in range(STOPS):
            found, tag = self.tab.evaluate(
                "((at) => [at.hasAttribute('data-next'), at.tagName])(document.activeElement)"
            )
            if found:
                self.tab.keyboard.press("Enter" if tag == "BUTTON" else "Space")
                return
            if not self.tab.locator("[data-next]").count():
                return  # the page has drawn it anew
            self.tab.keyboard.press(key)
        raise AssertionError("what may be done is out of reach of the keyboard")


@frozen
class Touch:
    """A person with a phone, who taps where a finger can."""

    tab: object

    def choose(self, name: str, value: str) -> None:
        self.press(f"label:has(input[name={name}][value='{value}'])")

    def select(self, wanted: str, option: str) -> None:
        self.tab.locator(wanted).select_option(option)  # the phone's own list

    def write(self, wanted: str, text: str) -> None:
        self.press(wanted)
        self.tab.locator(f"{wanted}:focus").fill(text)

    def act(self) -> None:
        self.press("[data-next]")

    def press(self, wanted: str) -> None:
        box = self.tab.evaluate(BOX, wanted)
        if box is not None:  # else the page has drawn it anew
            self.tab.touchscreen.tap(*box)


HANDS = {
    "keyboard": (Keyboard, {"size": DESKTOP}),
    "touch": (Touch, {"size": PHONE, "has_touch": True, "is_mobile": True}),
}


def seats_for_two(game: str) -> int:
    """Return the least number of seats that leaves one for a bot."""
    return min(count for count in games.find(game).seats if count > 2)


def open_table(person, game: str, seats: int) -> None:
    """Open a match of two people and bots from the lobby."""
    person.tab.locator("#do-open").wait_for()
    person.choose("game", game)
    if len(games.find(game).seats) > 1:
        person.choose("seats", str(seats))
    person.write("#name-0", "Aki")
    person.select("#player-1", "link")
    person.press("#do-open")
    person.tab.locator(".share").wait_for()


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("game", games.names())
def test_two_people_and_a_bot_play_a_match_to_its_end(opened, game, hands):
    hand, device = HANDS[hands]
    first = hand(opened(**device))
    open_table(first, game, seats_for_two(game))
    second = hand(opened(first.tab.url, **device))
    second.tab.locator("#join-name").wait_for()
    second.write("#join-name", "Ren")
    second.press("#do-join")
    people = [first, second]
    for person in people:
        person.tab.locator(".board.mine").wait_for()
    until = monotonic() + PLAYED_S
    while (found := [person.tab.evaluate(NEXT) for person in people]) != ["over", "over"]:
        for person, state in zip(people, found, strict=True):
            if state == "act":
                person.act()
                until = monotonic() + PLAYED_S
        if "act" not in found:
            assert monotonic() < until, f"nobody can act: {found}"
            first.tab.wait_for_timeout(15)
    assert [person.tab.locator(".players .winner-badge").count() > 0 for person in people] == [True, True]
    over = first.tab.url
    first.press("#do-again")
    first.tab.wait_for_url(lambda address: address != over)
    second.tab.locator("#do-join-again").wait_for()
    second.press("#do-join-again")
    second.tab.wait_for_url(first.tab.url)
