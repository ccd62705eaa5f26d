"""Make the pictures of every state of the table page on a phone again: `python docs/pictures/take_states.py`.

It needs the extras browser and web, and Pillow, which makes the pictures small.
"""

import shutil
from io import BytesIO
from tempfile import TemporaryDirectory

from kifu.core.host import Host
from kifu.core.stores import open_store
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from take import FIXTURES, HERE, LESSONS, OPEN, serving

LANGS = {"en": "en-GB", "ja": "ja-JP"}
LOG = "cake/four_seats"
"""The match whose end and analysis are shown."""
MY_TURN = "() => game?.observation && isMyTurn(game.observation) && !game.loading && !game.sending"
COLOURS = 96


def take() -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        store = f"sqlite:{folder}/ended.db"
        opened = open_store(store)
        ended = Host(opened).import_log((FIXTURES / f"{LOG}.log").read_bytes()).match
        opened.close()
        for lang in LANGS:
            with serving("memory:") as address:  # one each: a server has eight tables against bots for an address
                take_turns(chromium, address, lang)
                take_people(chromium, address, lang)
            with serving(store) as address:
                take_end(chromium, address, lang, ended)
        chromium.close()


def phone(chromium: Browser, address: str, lang: str) -> Page:
    size = {"width": 360, "height": 740}
    tab = chromium.new_page(viewport=size, has_touch=True, is_mobile=True, locale=LANGS[lang], reduced_motion="reduce")
    tab.goto(address)
    return tab


def picture(tab: Page, name: str, lang: str) -> None:
    """Keep what is on the screen, in few colours."""
    tab.wait_for_timeout(400)
    image = Image.open(BytesIO(tab.screenshot())).convert("RGB").quantize(COLOURS)
    image.save(HERE / f"state-{name}-{lang}.png", optimize=True)


def open_table(tab: Page, game: str, others: list[str]) -> None:
    """Open a table of Aki and others: `link`, or a bot."""
    tab.locator(f'input[name=game][value="{game}"]').check(force=True)
    if tab.locator(f'input[name=seats][value="{len(others) + 1}"]').count():
        tab.locator(f'input[name=seats][value="{len(others) + 1}"]').check(force=True)
    for seat, other in enumerate(others, 1):
        tab.locator(f"#player-{seat}").select_option(other)
    tab.locator("#name-0").fill("Aki")
    tab.evaluate("Object.assign(wanted.options, { first: 0, dealer: 0 })")


def choose(tab: Page) -> None:
    """Choose until one command is left to confirm."""
    tab.wait_for_function(MY_TURN)
    tab.evaluate("() => { countGuided(GUIDED_MOVES); drawGuide(); }")
    while not tab.locator("#do-it").count():
        tab.locator(OPEN).first.evaluate("(node) => node.click()")


def take_turns(chromium: Browser, address: str, lang: str) -> None:
    """The lobby, the form of a new table, and one's move in each game."""
    tab = phone(chromium, address, lang)
    tab.locator(".lists .quiet").first.wait_for()
    picture(tab, "lobby", lang)
    for game in LESSONS:
        tab.goto(address)
        tab.locator("#do-open").wait_for()
        open_table(tab, game, ["bot easy"] * {"gosne": 3, "mabr": 1}.get(game, 2))
        if game == "palace":
            tab.locator(".player-choices").evaluate("(it) => it.scrollIntoView()")
            picture(tab, "new-table", lang)
        tab.locator("#do-open").click()
        choose(tab)
        picture(tab, f"turn-{game}", lang)
    tab.close()


def take_people(chromium: Browser, address: str, lang: str) -> None:
    """Two people: joining, waiting, a refusal, a takeback, reactions, a closed table, one's tables."""
    host = phone(chromium, address, lang)
    host.locator("#do-open").wait_for()
    open_table(host, "take_and_share", ["link", "bot easy"])
    host.locator("#do-open").click()
    host.locator(".share").wait_for()
    guest = phone(chromium, host.url, lang)
    guest.locator("#join-name").fill("Ren")
    picture(guest, "joining", lang)
    guest.locator("#do-join").click()
    guest.wait_for_function("() => game?.observation?.status === 'going'")
    guest.evaluate("() => { countGuided(GUIDED_MOVES); drawGuide(); }")
    choose(host)
    host.locator("#do-it").click()
    guest.wait_for_function(MY_TURN)
    picture(host, "waiting", lang)
    if guest.locator(".mine .refused").count():
        guest.locator(".mine .refused .cards").last.tap()
        guest.locator(".refusal").wait_for()
        picture(guest, "refusal", lang)
        guest.locator("h1").tap()
    host.locator("#more").tap()
    host.locator("#do-take-back").tap()
    guest.locator("#do-accept").wait_for()
    picture(guest, "takeback", lang)
    guest.locator("#do-reject").tap()
    host.locator("#reactions summary").tap()
    picture(host, "reactions", lang)
    host.locator("#react-hello").tap()
    guest.locator(".reactions p").wait_for()
    picture(guest, "reaction", lang)
    host.locator("#more").tap()
    host.locator("#do-abandon").tap()
    host.locator("#do-abandon-yes").tap()
    guest.locator("#do-accept").tap()
    host.locator(".end").wait_for()
    picture(host, "closed", lang)
    host.locator(".title a").tap()
    host.locator(".matches .own").first.wait_for()
    host.locator(".lists").evaluate("(it) => it.scrollIntoView()")
    picture(host, "your-tables", lang)
    host.locator("#check-files").tap()
    host.locator("#check-files").evaluate("(it) => it.scrollIntoView()")
    picture(host, "check", lang)
    host.close()
    guest.close()


def take_end(chromium: Browser, address: str, lang: str, match: str) -> None:
    """The end of a match, and its analysis."""
    tab = phone(chromium, f"{address}#match={match}", lang)
    tab.locator(".sheet table").wait_for()
    picture(tab, "end", lang)
    if tab.locator("#do-analyse").count():
        tab.locator("#do-analyse").tap()
    tab.locator(".analysis h2").wait_for(timeout=300_000)
    tab.evaluate("readAnalysis()")
    picture(tab, "analysis", lang)
    tab.close()


if __name__ == "__main__":
    take()
