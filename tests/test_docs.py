"""The code and the commands of the README and the guides run as they stand."""

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import kifu
import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
STEPWISE = "write-a-game.md"
"""Its steps write files and go on with them: `test_write_a_game.py` takes them one by one."""
RUNNING = [page for page in PAGES if "```python\n" in page.read_text() and page.name != STEPWISE]

OF_OTHERS = ("fastapi", "pydantic")
"""Libraries that a page shows together with kifu."""


def snippets(page: Path) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))


@pytest.mark.ci
@pytest.mark.parametrize("page", RUNNING, ids=lambda page: page.name)
def test_the_snippets_of_a_page_run_one_after_the_other(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        exec(compile(snippets(page), page.name, "exec"), {"__name__": "docs"})
    except kifu.MissingExtra as missing:
        pytest.skip(f"needs kifu[{missing.extra}]")
    except ModuleNotFoundError as missing:
        if missing.name not in OF_OTHERS:
            raise
        pytest.skip("needs kifu[dev]")


@pytest.fixture(scope="module")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., None]:
    """Return what holds that mypy finds nothing, with `--strict` as `pyproject.toml` says; it reads kifu once."""
    pytest.importorskip("mypy", reason="needs kifu[dev]")
    cache = tmp_path_factory.mktemp("mypy")

    def finds_nothing(folder: Path, *what: str, beside: Iterable[Path]) -> None:
        call = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", cache, *what]
        environment = {**os.environ, "MYPYPATH": os.pathsep.join(map(str, beside))}
        done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout

    return finds_nothing


STARTER = ROOT / "replay" / "starter" / "high_card" / "src"


@pytest.mark.ci
def test_the_snippets_have_types(tmp_path: Path, mypy: Callable[..., None]) -> None:
    """What people copy is as sound as what they get."""
    for page in RUNNING:
        name = re.sub(r"\W", "_", page.relative_to(ROOT).as_posix())
        (tmp_path / f"{name}.py").write_text(snippets(page), "utf-8")
    files = sorted(path.name for path in tmp_path.iterdir())
    mypy(tmp_path, *files, beside=(STARTER, ROOT / "docs" / "examples"))


NAME = re.compile(r"(?<![\w./:])kifu(?:\.\w+)+(?![\w/])")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_inside_prose_are_there(page: Path) -> None:
    """A fresh Python that has run `import kifu` has each `kifu.…` of a page's prose, or can import it."""
    prose = re.sub(r"^```.*?^```|^    .*?$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for quoted in re.findall(r"`([^`\n]+)`", prose):
        for name in NAME.findall(quoted):
            if name in GROUPS:
                continue
            if not resolves(name):
                raise AssertionError(f"{quoted}: there is no {name}")


GROUPS = {"kifu.games", "kifu.bots", "kifu.lexicons"}
"""The groups of entry points."""


def resolves(name: str) -> bool:
    """Return True if a dotted name is a module, or an attribute of one."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except kifu.MissingExtra:
            return True
        except ImportError as missing:
            if not (missing.name or "").startswith("kifu"):  # a library of an extra
                return True
            continue
        return all((found := getattr(found, part, None)) is not None for part in parts[cut:])
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


SHOWING = [page for page in PAGES if "```console\n" in page.read_text() and page.name != STEPWISE]
SLOW = {"analysis.md": pytest.mark.long}
SETTING_UP = ("python3 -m venv", ". .venv/", "pip install")
"""What `.ci/run` does, and no test."""


def calls(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each command that a page shows after `$ `, with the lines of its output."""
    blocks = re.findall(r"^```console\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    for call in re.split(r"^\$ ", "\n".join(blocks), flags=re.MULTILINE)[1:]:
        command, *shown = call.rstrip("\n").split("\n")
        yield command, [line for line in shown if line]


def output_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command: `replay` here, which is quicker, anything else as a program."""
    from kifu.replay.app import run

    name, *args = shlex.split(command)
    if name == "replay":
        assert run(args) in (0, 1), capsys.readouterr().err
        return capsys.readouterr().out
    done = subprocess.run([sys.executable, "-m", name, *args], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.ci
@pytest.mark.parametrize("page", [pytest.param(page, id=page.name, marks=SLOW.get(page.name, ())) for page in SHOWING])
def test_the_commands_of_a_page_print_what_it_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines come in the order shown; `…` is an omission: of whole lines, or of the end of one."""
    pytest.importorskip("click", reason="needs kifu[replay]")
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    if "fixtures/" in page.read_text():
        shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures", ignore=shutil.ignore_patterns("*.trace"))
    ran = [command for command, _ in calls(page) if not command.startswith(SETTING_UP)]
    assert ran
    for command, shown in calls(page):
        if command in ran:
            printed = iter(output_of(command, capsys).splitlines())
            for line in shown:
                start = line.removesuffix("…")
                assert not start or any(
                    each.startswith(start) if line != start else each == line for each in printed
                ), f"{command}: {line}"


@pytest.mark.parametrize("page", [*(ROOT / "docs").glob("*.md")], ids=lambda page: page.name)
def test_a_page_begins_with_whom_it_is_for(page: Path) -> None:
    """The index tells tutorials, how-to guides, reference and explanations apart; a page says who reads it."""
    if page.name != "index.md":
        first = page.read_text().split("\n\n")[1]
        assert first.startswith("For "), first


KINDS = {"tutorial": "Tutorials", "how-to": "How-to guides", "reference": "Reference", "explanation": "Explanations"}


def test_the_index_has_each_page_once_among_those_of_its_kind() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    group = {}
    for caption, listed in re.findall(r"```\{toctree\}\n:hidden:\n:caption: (.*)\n\n([^`]*)```", index):
        for name in re.findall(r"^(?:.*<)?([a-z-]+)>?$", listed, re.MULTILINE):
            assert group.setdefault(name, caption) == caption, f"{name} is among {group[name]} and {caption}"
    assert group.keys() == {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    told = re.findall(r"(tutorial|how-to|reference|explanation): ((?:\[[^]]*\]\([^)]*\)(?:, with |, )?)+)", index)
    for kind, links in told:
        for name in re.findall(r"\(([a-z-]+)\.md", links):
            assert group[name] == KINDS[kind], name
    assert len(told) > 10


@pytest.mark.ci
def test_the_examples_have_types(tmp_path: Path, mypy: Callable[..., None]) -> None:
    """Files and packages that people copy, and the package that `replay new-game --package` writes.

    They are copied here, too: mypy looks above a file for the package that it is in, and a clone may have any name.
    """
    examples = ROOT / "docs" / "examples"
    sources = [*sorted(examples.glob("*/src")), STARTER]
    packages = [each.name for source in sources for each in source.iterdir() if (each / "py.typed").exists()]
    alone = [path for path in sorted(examples.glob("*.py")) if path.stem not in packages]
    files = [str(shutil.copy(path, tmp_path)) for path in alone]
    assert {"hearts", "high_card"} <= set(packages)
    mypy(tmp_path, *files, beside=sources)
    mypy(tmp_path, *[argument for name in packages for argument in ("-p", name)], beside=sources)
