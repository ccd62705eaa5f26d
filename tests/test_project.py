"""What a release needs is there and agrees: versions, addresses, licences, the page of the package index."""

import ast
import importlib.util
import re
import tomllib
from pathlib import Path

import kifu
import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = ROOT / ".github" / "workflows"


def index_readme():
    spec = importlib.util.spec_from_file_location("index_readme", ROOT / ".ci" / "index_readme.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_the_same_everywhere() -> None:
    assert PROJECT["version"] == kifu.__version__
    assert f"## {kifu.__version__} " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_link_of_the_index_page_leads_to_a_file_of_the_repository() -> None:
    source = PROJECT["urls"]["Source"]
    readme = (ROOT / "README.md").read_text("utf-8")
    text = index_readme().absolute(readme, source, "v1")
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(targets) > 30
    for target in targets:
        assert "://" in target, target
        if target.startswith(source):
            _, _, path = target.removeprefix(source).partition("/v1/")
            assert (ROOT / path.partition("#")[0]).exists(), target
    assert text.count(f"]({source}/raw/v1/docs/pictures/") == readme.count("](docs/pictures/") > 0
    assert index_readme().absolute(text, source, "v2") == text


@pytest.mark.parametrize("file", PROJECT["license-files"])
def test_every_licence_is_there(file: str) -> None:
    assert list(ROOT.glob(file))


def test_the_licence_of_every_dictionary_is_in_the_package_and_in_its_expression() -> None:
    """SPDX: MIT, and one for each `LICENSE.NAME` beside the word lists."""
    declared = PROJECT["license"].split(" AND ")
    assert declared[0] == "MIT"
    lexicon = ROOT / "games" / "mabr" / "lexicon"
    licences = list(lexicon.glob("LICENSE.*"))
    assert len(declared) == 1 + len(licences) == 1 + len(list(lexicon.glob("*.words.z")))


def test_every_file_that_a_host_of_projects_shows_is_there() -> None:
    github = ROOT / ".github"
    for path in ("SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", ".readthedocs.yaml"):
        assert (ROOT / path).exists()
    assert (github / "pull_request_template.md").exists()
    assert {path.name for path in (github / "ISSUE_TEMPLATE").iterdir()} == {"bug.yml", "idea.yml", "config.yml"}


def test_the_release_has_no_secret_and_publishes_only_what_was_tested() -> None:
    text = (WORKFLOWS / "release.yml").read_text("utf-8")
    assert "secrets." not in text
    assert "password" not in text
    assert text.index(".ci/run") < text.index("python -m build") < text.index("gh-action-pypi-publish")
    publish = text.partition("  publish:")[2]
    assert "needs: [build, compiled]" in publish
    assert "id-token: write" in publish
    assert "id-token" not in text.partition("  publish:")[0]


def test_extras_of_other_pages_are_extras_of_ours() -> None:
    extras = set(PROJECT["optional-dependencies"])
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), ROOT / ".readthedocs.yaml"]:
        for group in re.findall(r"kifu\[([a-z,]+)\]", page.read_text("utf-8")):
            assert set(group.split(",")) <= extras, f"{page.name}: {group}"


def test_what_is_compiled_is_there_in_order_and_without_what_cannot_be() -> None:
    tree = ast.parse((ROOT / "setup.py").read_text("utf-8"))
    (modules,) = (
        ast.literal_eval(each.value)
        for each in tree.body
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each.targets[0].id == "MODULES"
    )
    assert list(modules) == sorted(set(modules))
    assert [each for each in modules if not (ROOT / each).is_file()] == []
    assert {f"games/{game}/rules.py" for game in kifu.games.names()} <= set(modules)
    assert [
        each
        for each in modules
        if re.search(r"^@(attrs\.)?(frozen|define|mutable)", (ROOT / each).read_text("utf-8"), re.M)
    ] == []
