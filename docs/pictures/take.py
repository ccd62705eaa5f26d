"""Make the pictures of the gallery again: `python docs/pictures/take.py`, with the extra `dev`."""

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory

import kifu
from kifu.core.host import Host
from kifu.core.log import read
from kifu.core.match.game_files import load_game
from kifu.core.page import page
from kifu.core.stores import open_store
from kifu.replay.app import run
from kifu.replay.tournament.random_matches import matches
from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
FIXTURES = HERE.parents[1] / "fixtures"
DESKTOP, PHONE = (1280, 800), (390, 780)

PICTURES = {
    "take_and_share": ("take_and_share/four_seats", "step=29&as=table&lang=en", "light", DESKTOP),
    "take_and_share-ja": ("take_and_share/four_seats", "step=29&as=table&lang=ja", "dark", DESKTOP),
    "cake-en": ("cake/five_seats", "step=88&as=table&lang=en", "dark", DESKTOP),
    "cake": ("cake/five_seats", "step=88&as=table&lang=ja", "light", DESKTOP),
    "palace": ("palace/six_seats", "step=150&as=0&lang=en", "dark", DESKTOP),
    "gosne": ("gosne/whistleblower_four_hands", "step=43&as=1&lang=ja", "dark", DESKTOP),
    "mabr": ("mabr/four_seats", "step=48&as=table&lang=en", "light", DESKTOP),
    "phone-cake": ("cake/worked_example", "step=40&as=table&lang=ja", "light", PHONE),
    "phone-take_and_share": ("take_and_share/three_seats", "step=30&as=1&lang=en", "dark", PHONE),
    "phone-gosne": ("gosne/four_seats", "step=20&as=spectator&lang=ja", "dark", PHONE),
}
"""By the name of a picture: the log, the address of the view, light or dark, and the size."""

EXAMPLES = {
    "reversi": ("reversi", None, "step=33&as=0&lang=en", "light"),
    "goofspiel-ja": ("goofspiel", None, "step=14&as=1&lang=ja", "dark"),
    "fireworks": ("fireworks", "tests/golden/won.log", "step=5&as=0&lang=en", "light"),
}
"""By the name of a picture: the example, its log (None: a random match), the address of the view, light or dark."""
SEED = bytes(32)

ANALYSED = {"analysis": ("cake/four_seats", "en"), "analysis-ja": ("cake/four_seats", "ja")}
"""By the name of a picture: the log, and the language of the page that says what its decisions were worth."""

FIGURES = {
    "stats": ("take_and_share", "light", "en", (1280, 820)),
    "stats-ja": ("take_and_share", "light", "ja", (1280, 820)),
    "stats-dark": ("palace", "dark", "en", (1280, 820)),
}
"""By the name of a picture: the game of the random matches, light or dark, the language, and the size."""

TABLES = {
    "lobby": ("gosne", 0, "light", "en-GB", DESKTOP),
    "lobby-ja": ("gosne", 0, "dark", "ja-JP", DESKTOP),
    "table-take_and_share": ("take_and_share", 6, "light", "en-GB", (1280, 720)),
    "table-take_and_share-ja": ("take_and_share", 6, "dark", "ja-JP", (1280, 720)),
    "phone-table": ("cake", 4, "dark", "ja-JP", PHONE),
    "phone-table-en": ("cake", 4, "light", "en-GB", PHONE),
    "phone-lobby": ("palace", 0, "light", "en-GB", PHONE),
    "phone-lobby-ja": ("palace", 0, "dark", "ja-JP", PHONE),
}
"""By the name of a picture: the game, the number of moves, light or dark, the language and the size."""
ENDED = {
    "table-analysis": ("cake/four_seats", "light", "en-GB", DESKTOP),
    "phone-table-analysis": ("cake/four_seats", "dark", "ja-JP", PHONE),
}
"""By the name of a picture: the log of the match that is analysed, light or dark, the language and the size."""
LESSONS = ("cake", "gosne", "mabr", "palace", "take_and_share")
"""The games whose lessons have pictures of the table, in both languages."""
TURNING_POINT = "section.analysis a.number"
"""What leads to a turning point on a page with an analysis."""
OPEN = ".selectable:not(.picked):not(.replaces) .cards, .choice[aria-pressed=false]:not(.replaces)"


def take() -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (log, shown, light, (width, height)) in PICTURES.items():
            file = Path(folder, f"{name}.html")
            file.write_text(page(kifu.load(FIXTURES / f"{log}.log")), encoding="utf-8")
            size = {"width": width, "height": height}
            tab = chromium.new_page(viewport=size, color_scheme=light, reduced_motion="reduce")
            tab.goto(f"{file.as_uri()}#{shown}")
            tab.keyboard.press("ArrowRight")
            tab.wait_for_timeout(200)
            tab.screenshot(path=HERE / f"{name}.png")
        for name, (log, lang) in ANALYSED.items():
            file = Path(folder, f"{name}.html")
            assert run(["export", str(FIXTURES / f"{log}.log"), "--analyse", "-o", str(file)]) == 0
            tab = chromium.new_page(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, reduced_motion="reduce")
            tab.goto(f"{file.as_uri()}#lang={lang}")
            tab.locator(TURNING_POINT).first.click()
            tab.wait_for_timeout(200)
            tab.screenshot(path=HERE / f"{name}.png", full_page=True)
        for name, (game, light, lang, (width, height)) in FIGURES.items():
            file, logs = Path(folder, f"{name}.html"), Path(folder, name)
            assert run(["simulate", game, "--games", "400", "--seed", "00" * 32, "-o", str(logs)]) == 0
            assert run(["stats", str(logs), "-o", str(file), "--lang", lang]) == 0
            tab = chromium.new_page(viewport={"width": width, "height": height}, color_scheme=light)
            tab.goto(file.as_uri())
            tab.evaluate("window.drawn.then(() => true)")
            tab.screenshot(path=HERE / f"{name}.png")
        take_examples(chromium, Path(folder))
        take_tables(chromium)
        take_analyses(chromium, Path(folder))
        take_lessons(chromium)
        chromium.close()


def take_examples(chromium: Browser, folder: Path) -> None:
    """Take pictures of matches of the example games, some played at random."""
    for name, (game, log, shown, light) in EXAMPLES.items():
        package = HERE.parent / "examples" / game
        loaded = load_game(str(package / "src" / game))
        match = next(matches(loaded, ("Aki", "Ren"), {}, SEED, 1))
        if log is not None:
            match = read(package / log, lambda _, game=loaded: game).match
        file = folder / f"{name}.html"
        file.write_text(page(match), encoding="utf-8")
        tab = chromium.new_page(viewport={"width": 1280, "height": 760}, color_scheme=light, reduced_motion="reduce")
        tab.goto(f"{file.as_uri()}#{shown}")
        tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(200)
        tab.screenshot(path=HERE / f"{name}.png")


@contextmanager
def serving(store: str) -> Iterator[str]:
    """Run `replay serve` over a store, and give its address."""
    command = [sys.executable, "-m", "kifu.replay", "serve", "--store", store, "--port", "0", "--quiet"]
    with Popen(command, stdout=PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield re.findall(r"http://\S+", server.stdout.readline())[0]
        finally:
            server.terminate()


def take_tables(chromium: Browser) -> None:
    """Play some moves at `replay serve` against bots, and take pictures."""
    with serving("memory:") as address:
        for name, (game, moves, light, lang, (width, height)) in TABLES.items():
            size = {"width": width, "height": height}
            tab = chromium.new_page(viewport=size, color_scheme=light, locale=lang, reduced_motion="reduce")
            tab.goto(address)
            tab.locator(f'input[name=game][value="{game}"]').check(force=True)
            tab.locator("#name-0").fill("Aki")
            tab.evaluate("Object.assign(wanted.options, { first: 0, dealer: 0 })")
            if moves:
                tab.locator("#do-open").click()
            for _ in range(moves):
                while not tab.locator("#do-it").count():
                    tab.locator(OPEN).first.wait_for()
                    tab.locator(OPEN).first.evaluate("(node) => node.click()")
                tab.locator("#do-it").click()
                tab.locator("#do-it").wait_for(state="detached")
            if moves:
                tab.locator(OPEN).first.wait_for()
                tab.locator(OPEN).first.evaluate("(node) => node.click()")
            else:
                tab.evaluate("scrollTo(0, 0)")
            tab.wait_for_timeout(500)
            tab.screenshot(path=HERE / f"{name}.png")


def take_analyses(chromium: Browser, folder: Path) -> None:
    """Have matches analysed that are over, at their tables, and take pictures."""
    store = f"sqlite:{folder / 'ended.db'}"
    opened = open_store(store)
    logs = {log: (FIXTURES / f"{log}.log").read_bytes() for log, *_ in ENDED.values()}
    matches = {log: Host(opened).import_log(raw).match for log, raw in logs.items()}
    opened.close()
    with serving(store) as address:
        for name, (log, light, lang, (width, height)) in ENDED.items():
            size = {"width": width, "height": height}
            tab = chromium.new_page(viewport=size, color_scheme=light, locale=lang, reduced_motion="reduce")
            tab.goto(f"{address}#match={matches[log]}")
            tab.locator("#do-analyse, .analysis h2").first.wait_for()
            if tab.locator("#do-analyse").count():
                tab.locator("#do-analyse").click()
            tab.locator(".analysis h2").wait_for(timeout=300_000)
            tab.evaluate("readAnalysis()")
            tab.wait_for_timeout(500)
            tab.screenshot(path=HERE / f"{name}.png")


def take_lessons(chromium: Browser) -> None:
    """Take the tables of the lessons as `replay serve` shows them."""
    with serving("memory:") as address:
        for lang, locale in {"en": "en-GB", "ja": "ja-JP"}.items():
            size = {"width": 1280, "height": 900}
            tab = chromium.new_page(viewport=size, locale=locale, color_scheme="light", reduced_motion="reduce")
            tab.goto(address)
            for game in LESSONS:
                tab.locator(f'input[name=game][value="{game}"]').check(force=True)
                tab.locator("#learn").click()
                tab.locator(f'.rules-panel[data-game="{game}"] figure').first.wait_for()
                for number, figure in enumerate(tab.locator(".rules-panel figure").all(), 1):
                    figure.screenshot(path=HERE / f"learn-{game}-{lang}-{number}.png")
                tab.locator("#close-rules").click()


if __name__ == "__main__":
    take()
