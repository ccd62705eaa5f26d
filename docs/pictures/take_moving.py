"""Make README.md's moving picture again: `python docs/pictures/take_moving.py`, with the extra `dev`.

A match in the stepper, step by step; then a table of `replay serve` against bots. It is an animated PNG.
"""

import asyncio
import io
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from kifu.core.game import TABLE
from kifu.core.log import read
from kifu.replay.stepper.app import Stepper
from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from take import FIXTURES, HERE, OPEN, serving
from terminal import CELL, LINE, page_of

COLUMNS, LINES = 108, 31
SIZE = {"width": COLUMNS * CELL, "height": LINES * LINE}
LOG = "take_and_share/four_seats"
FIRST_STEP, STEPS, MOVES = 31, 6, 3
SHOWN, LAST = 1400, 3000
"""How long a picture stays, and the last of each part, in milliseconds."""


async def screens() -> list[str]:
    """Return the pages of the stepper's screens: the end of one trick, and how it is shared out."""
    app = Stepper(read(FIXTURES / f"{LOG}.log"), TABLE, "en")
    async with app.run_test(size=(COLUMNS, LINES)) as pilot:
        await pilot.press("colon")
        app.screen.query_one("Input").value = str(FIRST_STEP)
        await pilot.press("enter")
        await pilot.pause()
        found = [page_of(app)]
        for _ in range(STEPS - 1):
            await pilot.press("right")
            await pilot.pause()
            found.append(page_of(app))
        return found


def of_stepper(chromium: Browser, pages: list[str]) -> list[bytes]:
    tab = chromium.new_page(viewport=SIZE)
    pictures = []
    with TemporaryDirectory() as folder:
        for page in pages:
            file = Path(folder, "screen.html")
            file.write_text(page, encoding="utf-8")
            tab.goto(file.as_uri())
            pictures.append(tab.screenshot())
    return pictures


def of_table(chromium: Browser) -> list[bytes]:
    """Play some moves against bots: a card chosen, and what followed."""
    pictures = []
    with serving("memory:") as address:
        tab = chromium.new_page(viewport=SIZE, color_scheme="light", locale="en-GB", reduced_motion="reduce")
        tab.goto(address)
        tab.locator('input[name=game][value="take_and_share"]').check(force=True)
        tab.locator("#name-0").fill("Aki")
        tab.evaluate("Object.assign(wanted.options, { first: 0, dealer: 0 })")
        tab.locator("#do-open").click()
        for _ in range(MOVES):
            while not tab.locator("#do-it, .listed button").count():
                tab.locator(OPEN).first.wait_for()
                tab.locator(OPEN).first.evaluate("(node) => node.click()")
            tab.wait_for_timeout(300)
            pictures.append(tab.screenshot())
            tab.locator("#do-it, .listed button").first.click()
            tab.locator(OPEN).first.wait_for()
            tab.wait_for_timeout(300)
            pictures.append(tab.screenshot())
    return pictures


def take() -> None:
    pages = asyncio.run(screens())
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        parts = [of_stepper(chromium, pages), of_table(chromium)]
        chromium.close()
    pictures = [Image.open(io.BytesIO(raw)).convert("RGB") for part in parts for raw in part]
    shown = [time for part in parts for time in [*[SHOWN] * (len(part) - 1), LAST]]
    first, *others = [picture.quantize(64, dither=Image.Dither.NONE) for picture in pictures]
    first.save(HERE / "moving.png", save_all=True, append_images=others, duration=shown, loop=0, optimize=True)


if __name__ == "__main__":
    take()
