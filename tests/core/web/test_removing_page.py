"""A player is removed before the match begins, by a program of the opener's, and is told so on the page."""

import pytest

from .browsing import DESKTOP, PHONE, grave, join

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs kifu[dev]")

TOLD = {
    "en": "You were removed from this table by whoever opened it.",
    "ja": "卓を立てた人が、あなたを席から外しました。",
}
OPENED = "() => request('matches', { body: { game: 'take_and_share', seats: [{ name: 'Aki' }, {}, {}] } })"
REMOVED = "({ match, opener_key: key }) => request(`matches/${match}/seats/1`, { key, method: 'DELETE' })"


@pytest.mark.parametrize(
    ("lang", "look"),
    [("en", {"size": DESKTOP, "locale": "en-GB"}), ("ja", {"size": PHONE, "locale": "ja-JP", "has_touch": True})],
    ids=["keyboard", "touch"],
)
def test_a_player_who_is_removed_is_told_so_and_may_join_again(opened, lang, look):
    tab = opened()
    table = tab.evaluate(OPENED)
    other = opened(f"{tab.url}#match={table['match']}", **look)
    join(other, "Ren")
    other.locator("#do-leave-seat").wait_for()
    tab.evaluate(REMOVED, table)
    other.get_by_text(TOLD[lang]).wait_for()
    assert grave(other) == []
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert other.evaluate("seatsHere(game.match)") == []
    join(other, "Ren")
    other.get_by_text(TOLD[lang]).wait_for(state="detached")


def test_one_who_was_away_is_told_so_when_he_comes_back(opened):
    tab = opened()
    table = tab.evaluate(OPENED)
    link = f"{tab.url}#match={table['match']}"
    other = opened(link)
    join(other, "Ren")
    other.locator(".players", has_text="you").wait_for()
    other.goto("about:blank")
    tab.evaluate(REMOVED, table)
    other.goto(link)
    other.get_by_text(TOLD["en"]).wait_for()
