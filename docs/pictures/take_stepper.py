"""Make the stepper's pictures again: `python docs/pictures/take_stepper.py`, with the extra `dev` and chromium."""

import asyncio
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from kifu.core.game import TABLE
from kifu.core.log import read
from kifu.replay.stepper.app import Stepper
from playwright.sync_api import sync_playwright
from terminal import CELL, LINE, page_of

HERE = Path(__file__).parent
FIXTURES = HERE.parents[1] / "fixtures"
SMALL, MIDDLE, WIDE = (80, 24), (124, 34), (150, 42)

PICTURES = {
    "take_and_share": ("take_and_share/four_seats", MIDDLE, "en", [":", "33"]),
    "cake": ("cake/five_seats", WIDE, "ja", [":", "66"]),
    "palace": ("palace/six_seats", WIDE, "en", ["tab", ":", "149"]),
    "gosne": ("gosne/whistleblower_four_hands", MIDDLE, "ja", [":", "43"]),
    "mabr": ("mabr/four_seats", SMALL, "en", [":", "48"]),
}
"""By the name of a picture: the log, the size, the language, and the keys and texts."""


async def screen_of(log: str, size: tuple[int, int], lang: str, keys: list[str]) -> str:
    app = Stepper(read(FIXTURES / f"{log}.log"), TABLE, lang)
    async with app.run_test(size=size) as pilot:
        for each in keys:
            if len(each) > 1 and each not in ("tab",):
                app.screen.query_one("Input").value = each
                await pilot.press("enter")
            else:
                await pilot.press("colon" if each == ":" else each)
            await pilot.pause()
        return page_of(app)


def take() -> None:
    pages = {name: asyncio.run(screen_of(*picture)) for name, picture in PICTURES.items()}
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, page in pages.items():
            file = Path(folder, f"{name}.html")
            file.write_text(page, encoding="utf-8")
            width, height = PICTURES[name][1]
            tab = chromium.new_page(viewport={"width": width * CELL, "height": height * LINE})
            tab.goto(file.as_uri())
            tab.screenshot(path=HERE / f"stepper-{name}.png")
        chromium.close()


if __name__ == "__main__":
    take()
