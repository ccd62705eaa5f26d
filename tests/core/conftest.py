"""Debian's chromium, for the tests of pages; without it they skip.

Without a window of its own (`chromium-headless-shell`) it draws the same for little more than half of the processor
time, so where it is installed it is taken; `KIFU_CHROMIUM=chromium` takes the whole browser.
"""

import os
import shutil
from collections.abc import Iterator

import pytest

WANTED = [os.environ.get("KIFU_CHROMIUM", "chromium-headless-shell"), "chromium"]
CHROMIUM = next(filter(None, map(shutil.which, WANTED)), None)
ARGS = [
    *["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
    *["--disable-sync", "--no-first-run"],
]
UNPAINTED = "addEventListener('DOMContentLoaded', () => { document.body.style.opacity = 0; })"
"""Nobody looks: what is not painted lies and is hit where it would be, for two thirds of the processor's time."""


@pytest.fixture(scope="module")
def browser() -> Iterator:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if sync_playwright is None or CHROMIUM is None:
        missing = "Playwright (pip install 'kifu[dev]')" if sync_playwright is None else "chromium"
        pytest.skip(f"needs {missing}")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield chromium
        chromium.close()
