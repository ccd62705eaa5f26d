"""axe-core finds nothing serious on any page: both languages, light and dark, from 320 to 1920 pixels."""

import pytest
from kifu import games

from .browsing import act_until, open_match

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[browser]")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs kifu[browser]")

LOOKS = {
    "en light 1280": {"locale": "en-GB", "color_scheme": "light", "size": {"width": 1280, "height": 800}},
    "ja dark 320": {"locale": "ja-JP", "color_scheme": "dark", "size": {"width": 320, "height": 640}},
    "ja light 390": {"locale": "ja-JP", "color_scheme": "light", "size": {"width": 390, "height": 844}},
    "en dark 1920": {"locale": "en-GB", "color_scheme": "dark", "size": {"width": 1920, "height": 1080}},
}
FEW = ["en light 1280", "ja dark 320"]
looks = pytest.mark.parametrize(
    "look", [pytest.param(look, id=name, marks=() if name in FEW else pytest.mark.long) for name, look in LOOKS.items()]
)


def grave(tab) -> list:
    """Return what axe-core calls serious or critical on the page: the rule and the places."""
    found = axe.Axe().run(tab).response["violations"]
    return [
        (each["id"], [node["html"][:160] for node in each["nodes"]])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@looks
def test_lobby_table_and_rules(opened, look):
    tab = opened(**look)
    tab.locator("input[name=game]").first.wait_for(state="attached")
    assert grave(tab) == []
    open_match(tab, "take_and_share", "here Aki", "bot random", "bot random")
    act_until(tab, tab.locator(".board.mine .refused"))
    assert grave(tab) == []
    tab.locator("#show-rules").click()
    tab.locator(".rules-panel h2").first.wait_for()
    assert grave(tab) == []


@pytest.mark.long
@looks
@pytest.mark.parametrize("game", games.names())
def test_tables(opened, look, game):
    tab = opened(**look)
    open_match(tab, game, "here Aki", *["bot random"] * (games.find(game).seats[0] - 1))
    tab.locator(".board.mine .selectable, .listed button").first.wait_for()
    assert grave(tab) == []
    tab.locator(".bar .menu summary").click()
    tab.locator("#do-abandon").click()
    tab.locator(".bar .end").wait_for()
    assert grave(tab) == []
