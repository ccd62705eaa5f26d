"""Golden logs of an ini file run however pytest is called; where a call leaves them out, the header says so."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci

FIXTURES = Path(__file__).parents[4] / "fixtures"

INI = """
[tool.pytest.ini_options]
addopts = "-p no:cacheprovider"
kifu_golden = ["golden"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with `pyproject.toml` at its root, one own test in `tests/inner`, and one golden log."""
    inner = tmp_path / "tests" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "golden").mkdir()
    for suffix in ("log", "trace", "json"):
        shutil.copy(FIXTURES / "cake" / f"three_seats.{suffix}", tmp_path / "golden")
    (inner / "test_own.py").write_text("def test_own(): pass")
    for package in (inner, inner.parent):
        (package / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(INI + 'testpaths = ["tests"]')
    return tmp_path


def run(folder: Path, *args: str) -> str:
    call = [sys.executable, "-m", "pytest", "-p", "pytest_kifu", "-p", "xdist", *args]
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        call, cwd=folder, capture_output=True, text=True, check=False, timeout=120, env=environment
    ).stdout


@pytest.mark.parametrize(
    "args",
    [
        *[(), ("-n", "1"), ("--rootdir", "/tmp")],
        *[pytest.param(args, marks=pytest.mark.long) for args in (("tests",), (".",), ("--pyargs", "tests.inner"))],
        pytest.param(("-c", "pyproject.toml", "tests"), marks=pytest.mark.long),
    ],
)
def test_the_golden_log_runs(project: Path, args: tuple[str, ...]) -> None:
    done = run(project, *args)
    assert "2 passed" in done, done


@pytest.mark.long
@pytest.mark.parametrize("args", [("tests",), ()])
def test_the_golden_log_runs_without_testpaths(project: Path, args: tuple[str, ...]) -> None:
    (project / "pyproject.toml").write_text(INI)
    assert "2 passed" in run(project, *args)


@pytest.mark.parametrize("args", [("tests/inner",), ("tests/inner/test_own.py::test_own",)])
def test_a_call_that_selects_tests_leaves_it_out_and_the_header_says_so(project: Path, args: tuple[str, ...]) -> None:
    done = run(project, *args)
    assert "1 passed" in done, done
    assert f"golden logs left out: {project / 'golden'} (the call selects tests; add --kifu-golden DIR)" in done
    assert "2 passed" in run(project, *args, "--kifu-golden", "golden")


def test_a_call_that_names_their_folder_runs_the_golden_logs_of_it_alone(project: Path) -> None:
    (project / "golden").rename(project / "tests" / "golden")
    (project / "pyproject.toml").write_text(INI.replace('"golden"', '"tests/golden"') + 'testpaths = ["tests"]')
    done = run(project, "tests/golden")
    assert "1 passed" in done, done
    assert "left out" not in done


@pytest.mark.parametrize("left", ["trace", "json"])
def test_what_lies_there_without_its_log_fails(project: Path, left: str) -> None:
    for path in (project / "golden").iterdir():
        if path.suffix != f".{left}":
            path.unlink()
    if left == "json":  # another log, so that the folder is not empty
        for suffix in ("log", "trace", "json"):
            shutil.copy(FIXTURES / "cake" / f"four_seats.{suffix}", project / "golden")
    done = run(project)
    assert "three_seats.log is missing, but its trace or end is there" in done, done
    assert "1 failed" in done
