"""Hypothesis profiles, and what becomes of a test for which something is not installed.

Profiles: `quick`, the same few examples every time; `HYPOTHESIS_PROFILE=long` looks for new ones.
Where a library, a browser or a server is missing, a test skips with "needs …"; with `KIFU_NO_SKIPS=1` it fails.
`--not-again REPORT.xml` leaves out what passed in an earlier run, which wrote this report of `--junitxml`.
The browser is Debian's chromium. Without a window of its own (`chromium-headless-shell`) it draws the same for little
more than half of the processor time, so it is taken where it is installed, and compiles WebAssembly once, for each page
is short; `KIFU_CHROMIUM=chromium` takes the whole, and compiles as at a reader's.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Generator, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, settings
from kifu.core.match import registry

metadata.packages_distributions = cache(metadata.packages_distributions)  # asked for each toy game; it takes a while

BUSY = [HealthCheck.too_slow, HealthCheck.data_too_large]  # a busy machine is no defect

settings.register_profile("quick", max_examples=8, deadline=None, derandomize=True, suppress_health_check=BUSY)
settings.register_profile("long", max_examples=400, deadline=None, suppress_health_check=BUSY)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as of a job in the background, and so of what tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)

OF_SOURCE = """
import sys
from importlib.machinery import FileFinder, SourceFileLoader
from importlib.util import find_spec

class OfSource(FileFinder):
    "Finds the modules of kifu by their sources alone."

package = find_spec("kifu").submodule_search_locations[0]

def finder(folder):
    if not folder.startswith(package):
        raise ImportError
    return OfSource(folder, (SourceFileLoader, [".py"]))

sys.path_hooks.insert(0, finder)
sys.path_importer_cache.clear()
"""


@pytest.fixture(autouse=True)
def resolved_games_are_forgotten():
    """A game that a test resolves from a file is known to no other test."""
    before = os.environ.get(registry.RESOLVED)
    yield
    if os.environ.get(registry.RESOLVED) != before:
        os.environ.pop(registry.RESOLVED, None)
        if before is not None:
            os.environ[registry.RESOLVED] = before
        registry._resolved.cache_clear()
        registry.find.cache_clear()


@pytest.fixture(scope="session")
def of_source() -> str:
    """What a program begins with that takes kifu's modules from their sources, though they are compiled beside them.

    A compiled module does not ask for a function that somebody has put into it; its source does.
    """
    from kifu import COMPILED

    return OF_SOURCE if COMPILED else ""


@pytest.fixture(scope="session")
def plants() -> None:
    """For a test that puts other functions or classes into kifu's modules: where those are compiled, it skips."""
    from kifu import COMPILED

    if COMPILED:
        pytest.skip("puts another function or class into a module, for which a compiled one does not ask")


WANTED = [os.environ.get("KIFU_CHROMIUM", "chromium-headless-shell"), "chromium"]
CHROMIUM = next(filter(None, map(shutil.which, WANTED)), None)
ARGS = [
    *["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
    *["--disable-sync", "--no-first-run"],
    *["--js-flags=--liftoff-only"] * ("KIFU_CHROMIUM" not in os.environ),
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Any, Any]]:
    """Start the browser, and the loop with which Playwright runs in this thread."""
    playing = pytest.importorskip("playwright.sync_api", reason="needs Playwright (pip install 'kifu[dev]')")
    if CHROMIUM is None:
        pytest.skip("needs chromium")
    with playing.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield started, loop
        asyncio._set_running_loop(loop)
        started.close()


@pytest.fixture(scope="module")
def browser(chromium: tuple[Any, Any]) -> Iterator[Any]:
    """Lend the browser to a file: between files Playwright's loop lets other loops run in this thread."""
    started, loop = chromium
    asyncio._set_running_loop(loop)
    yield started
    asyncio._set_running_loop(None)


NO_SKIPS = bool(os.environ.get("KIFU_NO_SKIPS"))
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def failed_if_it_needs_something(report: Report) -> Report:
    """Make a skip of a test, or of a whole module, a failure if its reason begins with "needs"."""
    skipped = report.outcome == "skipped" and isinstance(report.longrepr, tuple)
    if NO_SKIPS and skipped and report.longrepr[2].startswith("Skipped: needs "):
        report.outcome, report.longrepr = "failed", f"{report.nodeid} {report.longrepr[2].removeprefix('Skipped: ')}"
    return report


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--not-again", metavar="REPORT", type=Path, help="leave out what passed in the run of this report")


def passed_in(report: Path) -> set[tuple[str, str]]:
    """Return what passed in a run: of each test the dotted module and class, and its name."""
    cases = ElementTree.parse(report).getroot().iter("testcase")
    return {(case.get("classname", ""), case.get("name", "")) for case in cases if not len(case)}


def as_reported(nodeid: str) -> tuple[str, str]:
    """Return a test's dotted module and class, and its name, as a report of pytest has them."""
    head, bracket, values = nodeid.partition("[")
    path, *classes, name = head.split("::")
    return ".".join([path.removesuffix(".py").replace("/", "."), *classes]), name + bracket + values


LAWS_FOR_CI = {
    "test_6_whatever_the_hash_seed",  # starts a process
    "test_5_draws_vary",  # draws hundreds of states
    "test_2_legal_and_apply_agree_in_rare_states",  # plays whole matches, and tries thousands of commands
    "test_5_form_is_public",  # plays on with hidden cards swapped
    "test_10_every_mutant_is_caught",  # runs the laws on dozens of broken games
    "test_5_hints_hold_throughout_golden_logs",  # as `test_5_hints_hold`, at every event
    "test_5_nothing_leaks_at_any_kind_of_step",  # as `test_5_nothing_leaks`, of each kind of command
    "test_the_same_seed_repeats_to_the_byte_in_this_store_as_in_memory",  # three simulations
    "test_of_callers_that_race_with_a_writer_one_gets_the_match_at_each_event",  # threads, for seconds
}
"""Which laws are marked `ci`: `game_laws`, which is for everybody, cannot do it."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark some laws as `ci`. Obey `--not-again`."""
    for item in items:
        if item.name in LAWS_FOR_CI:
            item.add_marker(pytest.mark.ci)
    if report := config.getoption("--not-again"):
        passed = passed_in(report)
        config.hook.pytest_deselected(items=[item for item in items if as_reported(item.nodeid) in passed])
        items[:] = [item for item in items if as_reported(item.nodeid) not in passed]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return failed_if_it_needs_something((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return failed_if_it_needs_something((yield))
