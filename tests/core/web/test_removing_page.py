"""The opener removes a player on the page, before the match begins; the player is told so at once."""

import pytest

from .browsing import DESKTOP, PHONE, grave, join, open_match

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs kifu[dev]")

WORDS = {
    "en": ("Remove Ren", "Ren was removed from the table."),
    "ja": ("Renを外す", "Renを卓から外しました。"),
}
TOLD = {
    "en": "You were removed from this table by whoever opened it.",
    "ja": "卓を立てた人が、あなたを席から外しました。",
}


@pytest.mark.parametrize(
    ("lang", "look"),
    [("en", {"size": DESKTOP, "locale": "en-GB"}), ("ja", {"size": PHONE, "locale": "ja-JP", "has_touch": True})],
    ids=["keyboard", "touch"],
)
def test_the_opener_removes_a_player_who_is_told_so(opened, lang, look):
    label, done = WORDS[lang]
    tab = opened(**look)
    link = open_match(tab, "take_and_share", "here Aki", "link", "link")
    other = opened(link, locale=look["locale"])
    join(other, "Ren")
    button = tab.get_by_role("button", name=label, exact=True)
    button.wait_for()
    assert tab.locator(".removable li").count() == 1, "only of those who are elsewhere"
    assert other.locator(".removable").count() == 0, "only the opener has it"
    assert grave(tab) == []
    if lang == "en":
        button.focus()
        tab.keyboard.press("Enter")
    else:
        button.tap()
    tab.get_by_text(done).wait_for()
    other.get_by_text(TOLD[lang]).wait_for()
    assert grave(other) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert other.evaluate("seatsHere(game.match)") == []
    join(other, "Ren")
    button.wait_for()
    other.get_by_text(TOLD[lang]).wait_for(state="detached")


def test_one_who_was_away_is_told_so_when_he_comes_back(opened):
    tab = opened()
    link = open_match(tab, "take_and_share", "here Aki", "link", "link")
    other = opened(link)
    join(other, "Ren")
    other.locator(".players", has_text="you").wait_for()
    other.goto("about:blank")
    tab.locator("#remove-1").click()
    tab.get_by_text(WORDS["en"][1]).wait_for()
    other.goto(link)
    other.get_by_text(TOLD["en"]).wait_for()
    third = opened(link)
    for seat, name in enumerate(("Mio", "Sou")):
        join((third, other)[seat], name)
    tab.locator(".board.mine").wait_for()
    assert tab.locator(".removable").count() == 0, "it has begun"
