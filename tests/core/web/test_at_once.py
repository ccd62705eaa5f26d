"""Players who act at the same moment, and a table that has changed by the time an act arrives."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from attrs import frozen
from kifu.games.cake.model import Vote

from .browsing import PHONE
from .served import Served

pytestmark = pytest.mark.parametrize("refusals", [("409",)], ids=[""])

NAMES = ["Aki", "Ren", "Mio"]
LOST = {
    "en-GB": "The table has changed meanwhile, so this was not played: Vote: content",
    "ja-JP": "その間に卓の様子が変わったため、「納得なっとくを示す」は行われませんでした。",
}
PROPOSED = {"en-GB": "Ren proposes to take the last move back.", "ja-JP": "Renが最後の手の取り消しを提案しています。"}
GONE = {
    "en-GB": "The table has changed meanwhile: this proposal is not open any more.",
    "ja-JP": "その間に卓の様子が変わり、この提案はもう終わっています。",
}


@pytest.fixture(scope="module")
def served() -> Iterator[Any]:
    with Served() as server:
        yield server


@pytest.fixture
def address(served) -> str:
    return served.address


@frozen
class Voting:
    """A match of cake at which all vote, and the page of a seat that has chosen its vote."""

    host: Any
    match: str
    keys: Sequence[str]
    tab: Any
    seat: int

    @property
    def to_act(self) -> frozenset[int]:
        return self.host.observe(self.match).to_act

    @property
    def other(self) -> int:
        """Another one who is to vote."""
        return min(self.to_act - {self.seat})

    @property
    def count(self) -> int:
        return self.host.observe(self.match).count

    def vote(self, seat: int) -> None:
        """Vote by no page."""
        self.host.submit(self.match, self.keys[seat], Vote(content=False), self.count)

    def sees(self, count: int) -> None:
        """Wait until the page shows so many events."""
        self.tab.wait_for_function("(count) => game.observation.count === count", arg=count)


@pytest.fixture
def voting(opened, address, served):
    """Return a function that opens the page of one who votes."""

    def at(**more) -> Voting:
        host = served.context.host
        match = host.open("cake", NAMES)
        while len(acting := host.observe(match.match).to_act) < 2:
            (seat,) = acting
            now = host.observe(match.match, match.keys[seat])
            host.submit(match.match, match.keys[seat], now.legal[0], now.count)
        tab = opened(f"{address}#match={match.match}&key={match.keys[min(acting)]}", **more)
        tab.locator(".choice").first.click()
        tab.locator("#do-it").wait_for()
        return Voting(host, match.match, match.keys, tab, min(acting))

    return at


def test_what_is_chosen_stays_chosen_while_another_acts(voting):
    at = voting()
    at.vote(at.other)
    at.sees(at.count)
    at.tab.locator("#do-it").click()
    at.tab.wait_for_function("(seat) => !game.observation.to_act.includes(seat)", arg=at.seat)
    assert at.seat not in at.to_act


def test_an_act_that_comes_late_is_sent_again_where_what_it_was_chosen_from_is_the_same(voting):
    at = voting()
    before = at.count
    at.tab.evaluate("game.stop()")
    at.vote(at.seat)
    assert at.host.take_back(at.match, at.keys[at.seat], before - 1).status == "accepted"
    at.tab.locator("#do-it").click()
    at.sees(before + 3)
    assert at.seat not in at.to_act
    assert at.tab.locator(".trouble").count() == 0


@pytest.mark.parametrize("locale", LOST)
def test_an_act_that_comes_too_late_is_told_and_stays_told(voting, locale):
    at = voting(locale=locale, size=PHONE)
    at.tab.evaluate("game.stop()")
    at.vote(at.seat)
    at.tab.locator("#do-it").click()
    at.tab.locator(".trouble[role=alert]").wait_for()
    assert at.tab.locator(".trouble").inner_text() == LOST[locale]
    at.vote(at.other)
    at.tab.evaluate("refresh()")
    at.sees(at.count)
    assert at.tab.locator(".trouble").inner_text() == LOST[locale]
    assert at.tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("locale", GONE)
def test_an_answer_to_a_proposal_that_comes_too_late_is_told(voting, locale):
    at = voting(locale=locale)
    at.host.take_back(at.match, at.keys[at.other], 0)
    at.tab.locator("#do-accept").wait_for()
    said = PROPOSED[locale].replace("Ren", NAMES[at.other])
    assert at.tab.locator(".proposal p").inner_text() == said
    at.tab.evaluate("game.stop()")
    at.vote(at.other)
    at.tab.locator("#do-accept").click()
    at.tab.locator(".trouble[role=alert]").get_by_text(GONE[locale], exact=True).wait_for()
    assert at.tab.locator("#do-accept").count() == 0
