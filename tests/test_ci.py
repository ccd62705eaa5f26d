"""What `.ci/run` tells is true: nothing that is missing is passed over, and its report counts what ran."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci

ROOT = Path(__file__).parents[1]

TESTS = """
import pytest

@pytest.mark.skipif(True, reason="needs a browser")
def test_marked(): ...

def test_asked():
    pytest.skip("needs a server")

def test_other_system():
    pytest.skip("this system has no pipes")

@pytest.mark.xfail
def test_not_yet():
    assert False

def test_fine(): ...
"""
MODULE = """
import pytest

pytest.importorskip("no_such_library", reason="needs a library")

def test_never_seen(): ...
"""


def run_tests(folder: Path, *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run tests that skip for every reason, under the conftest of ours; the report is `run.xml` in the folder."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "test_some.py").write_text(TESTS)
    (folder / "test_module.py").write_text(MODULE)
    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=run.xml"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    kept.pop("KIFU_NO_SKIPS", None)
    return subprocess.run(
        [*call, "--continue-on-collection-errors", *more],
        cwd=folder,
        env={**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},  # which take longer than the tests
        capture_output=True,
        text=True,
        timeout=300,
    )


def report(*paths: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, ROOT / ".ci" / "report.py", *paths], capture_output=True, text=True)


def test_where_nothing_may_be_missing_what_is_missing_is_a_failure(tmp_path: Path) -> None:
    done = run_tests(tmp_path, KIFU_NO_SKIPS="1")
    assert done.returncode == 1
    assert " 1 failed, 1 passed, 1 skipped, 1 xfailed, 2 errors in " in done.stdout.replace("\n", " "), done.stdout
    for need in ("a browser", "a server", "a library"):
        assert f"needs {need}" in done.stdout


def test_the_report_counts_and_says_what_was_skipped_in_every_run(tmp_path: Path) -> None:
    assert run_tests(tmp_path).returncode == 0
    done = report(tmp_path / "run.xml")
    assert done.returncode == 0, done.stderr
    first, *middle, last = done.stdout.splitlines()
    assert first.startswith("run: 1 passed, 4 skipped, 1 xfailed in ")
    assert middle[0] == "skipped in every run: 4"
    assert sorted(line.split(maxsplit=1)[1] for line in middle[1:]) == [
        "needs a browser",
        "needs a library",
        "needs a server",
        "this system has no pipes",
    ]
    assert last.startswith("=")
    assert " 1 passed, 4 skipped, 1 xfailed in " in last


ALIKE = """
import pytest

def test_it(): ...

def test_it_too(): ...

@pytest.mark.parametrize("value", ["a::b", "a"])
def test_each(value): ...

class TestIt:
    def test_it(self): ...
"""


def test_what_passed_in_an_earlier_run_and_nothing_else_is_left_out(tmp_path: Path) -> None:
    """Not what has its name in a class, begins with its name, or has another value."""
    (tmp_path / "test_alike.py").write_text(ALIKE)
    run_tests(tmp_path, "test_alike.py::test_it", "test_alike.py::test_each[a::b]", "test_some.py::test_asked")
    (tmp_path / "run.xml").rename(tmp_path / "earlier.xml")
    done = run_tests(tmp_path, "test_alike.py", "test_some.py", "-rA", "--not-again=earlier.xml")
    passed = {line.split("::", 1)[1] for line in done.stdout.splitlines() if line.startswith("PASSED")}
    assert passed == {"test_it_too", "test_each[a]", "TestIt::test_it", "test_fine"}
    assert "4 passed, 3 skipped, 2 deselected, 1 xfailed in " in done.stdout


SUITE = '<testsuites><testsuite time="1.5">{}</testsuite></testsuites>'
SKIPPED = (
    '<testcase classname="" name="core.test_web"><skipped type="pytest.skip" message="needs kifu[web]"/></testcase>'
)
PASSED = '<testcase classname="core.test_web" name="test_it"/>'
FAILED = '<testcase classname="core.test_web" name="test_it"><failure message="no"/></testcase>'


def test_what_one_run_skipped_and_another_ran_is_not_left(tmp_path: Path) -> None:
    for name, cases in (("a", SKIPPED), ("b", PASSED)):
        (tmp_path / f"{name}.xml").write_text(SUITE.format(cases))
    assert "skipped in every run: 0\n" in report(tmp_path / "a.xml", tmp_path / "b.xml").stdout


@pytest.mark.parametrize("cases", ["", SKIPPED, FAILED, PASSED + FAILED])
def test_a_run_in_which_something_failed_or_nothing_passed_is_no_success(tmp_path: Path, cases: str) -> None:
    (tmp_path / "run.xml").write_text(SUITE.format(cases))
    assert report(tmp_path / "run.xml").returncode == 1
