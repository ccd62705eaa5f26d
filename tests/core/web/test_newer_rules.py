"""A match that new rules could not keep: the API and the table page ask nobody for anything, and say why."""

from typing import Any

import pytest
from kifu.core.game import Past, Upcast
from kifu.core.host import Host, Terms
from kifu.core.match.registry import find
from kifu.core.stores import MemoryStore

from .browsing import DESKTOP, PHONE
from .conftest import bearer
from .served import Served

GAME = find("take_and_share")
PAST = Past(GAME.past.layout, {**GAME.past.upcasts, GAME.version: Upcast(dict)})
NEWER = GAME.altered(version=GAME.version + 1, past=PAST)
OTHER = NEWER.altered(explain=lambda step, viewer: () if viewer == 1 else GAME.explain(step, viewer))
"""It shows seat 1 no notes."""
NAMES = ["Aki", "Ren", "Mio"]
WAS, IS = GAME.version, NEWER.version
WHY = {
    "en": f"it was begun under rules version {WAS}, and ended, as version {IS} does not keep it: after event ",
    "ja": f"ルール第{WAS}版で始まったが、第{IS}版では同じにならないので終わった：",
}
UNPROVEN = {
    "en": f"it was begun under rules version {WAS}, today's is {IS}: fork it to go on",
    "ja": f"ルール第{WAS}版で始まり、今は第{IS}版。続けるには分岐する",
}


class Upgraded:
    """A match that was begun under today's rules, with two events, and its host after the upgrade."""

    def __init__(self, *, has_witnesses: bool) -> None:
        self.store, self.now_ms = MemoryStore(), 1_000_000
        older = Host(self.store, clock=lambda: self.now_ms)
        opened = older.open("take_and_share", NAMES, {}, Terms(turn_limit_ms=60_000))
        self.match, self.keys = opened.match, opened.keys
        while (seen := older.observe(self.match)).count < 3:
            (seat,) = seen.to_act
            (command, *_) = older.observe(self.match, self.keys[seat]).legal
            older.submit(self.match, self.keys[seat], command, seen.count)
        if has_witnesses:  # else it was killed before it wrote them
            assert [each.problem for each in older.write_witnesses()] == [None]
        self.host = Host(self.store, find=lambda _: OTHER, clock=lambda: self.now_ms)


def check(client: Any, upgraded: Upgraded, status: str, why: dict[str, str]) -> None:
    """Check what every seat and a spectator are shown, in both languages."""
    place = f"/api/matches/{upgraded.match}"
    for lang, words in why.items():
        for key in (None, *upgraded.keys):
            seen = client.get(f"{place}/observation", headers={"Accept-Language": lang, **bearer(key)}).json()
            assert (seen["status"], seen["to_act"], seen["legal"]) == (status, [], [])
            assert (seen["open_ended"], seen["deadline_at_ms"], seen["result"]) == (False, None, None)
            assert seen["stopped"].startswith(words)
        about = client.get(place, headers={"Accept-Language": lang}).json()
        assert (about["status"], about["stopped"]) == (status, seen["stopped"])
    body = {"tag": "play", "fields": {"card": 0}, "expected_events": 3, "idempotency_key": "00" * 8}
    answers = [client.post(f"{place}/commands", json=body, headers=bearer(key)) for key in upgraded.keys]
    assert {each.status_code for each in answers} <= {409, 422}
    assert upgraded.store.earliest_due() is None


@pytest.mark.parametrize(
    ("has_witnesses", "outcome", "status", "why"),
    [(True, "ended", "abandoned", WHY), (False, "unproven", "going", UNPROVEN)],
)
def test_the_api_says_so(make_client, has_witnesses, outcome, status, why):
    upgraded = Upgraded(has_witnesses=has_witnesses)
    client = make_client(upgraded.host)
    assert [each.outcome for each in upgraded.host.update_rules()] == [outcome]
    upgraded.now_ms += 60_000
    assert upgraded.host.run_due() is None
    check(client, upgraded, status, why)


@pytest.mark.parametrize(("lang", "size"), [("en", DESKTOP), ("ja", PHONE)], ids=["desktop", "phone"])
def test_the_table_page_says_so(browser: Any, lang: str, size: Any) -> None:
    refused, unproven = Upgraded(has_witnesses=True), Upgraded(has_witnesses=False)
    list(refused.host.update_rules())
    for upgraded, where, why in ((refused, ".bar .end", WHY), (unproven, ".bar .status", UNPROVEN)):
        with Served(upgraded.host) as served:
            context = browser.new_context(viewport=size, locale={"en": "en-GB", "ja": "ja-JP"}[lang])
            tab = context.new_page()
            tab.goto(f"{served.address}/#match={upgraded.match}&key={upgraded.keys[0]}")
            tab.locator(where, has_text=why[lang]).wait_for()
            tab.locator(".board.mine").wait_for()
            assert tab.locator(".selectable, .possible, .deadline, .acting").count() == 0
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert not tab.title().startswith("●")
            if upgraded is unproven:
                tab.locator("#more").click()
                assert tab.locator("#do-fork, #do-abandon").count() == 2
                assert tab.locator("#do-take-back").count() == 0
            context.close()
