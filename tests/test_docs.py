"""What the README and the guides show runs as it stands."""

import re
from pathlib import Path

import kifu
import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUNNING = [page for page in PAGES if "```python\n" in page.read_text()]


def snippets(page: Path) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))


@pytest.mark.parametrize("page", RUNNING, ids=lambda page: page.name)
def test_the_snippets_of_a_page_run_one_after_the_other(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        exec(compile(snippets(page), page.name, "exec"), {"__name__": "docs"})
    except kifu.MissingExtra as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_picture_in_the_readme_is_what_the_program_shows(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("typer")
    from kifu.replay.app import run

    picture = re.search(r"```text\n\$ replay (.*?)\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    verb, log = picture[1].split()
    assert run([verb, str(ROOT / log), "--plain", "--lang", "en"]) == 0
    shown = capsys.readouterr().out.splitlines()
    for line in picture[2].splitlines():
        assert line in ("…", *shown)
