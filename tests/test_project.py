"""What a release needs is there and agrees: versions, addresses, licences, the page of the package index."""

import ast
import importlib.util
import io
import re
import tarfile
import tomllib
from pathlib import Path

import kifu
import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = ROOT / ".github" / "workflows"


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_the_same_everywhere() -> None:
    assert PROJECT["version"] == kifu.__version__
    newest = re.findall(r"^## (\S+) \((.*)\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)[0]
    assert newest[0] == kifu.__version__ or newest[1] == "unreleased"


def test_every_link_of_the_index_page_leads_to_a_file_of_the_repository() -> None:
    source = PROJECT["urls"]["Source"]
    readme = (ROOT / "README.md").read_text("utf-8")
    absolute = script("index_readme").absolute
    text = absolute(readme, source, "v1")
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(targets) > 30
    for target in targets:
        assert "://" in target, target
        if target.startswith(source):
            _, _, path = target.removeprefix(source).partition("/v1/")
            assert (ROOT / path.partition("#")[0]).exists(), target
    assert text.count(f"]({source}/raw/v1/docs/pictures/") == readme.count("](docs/pictures/") > 0
    assert absolute(text, source, "v2") == text


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


def test_the_release_has_no_secret_and_publishes_only_what_was_tested() -> None:
    text = (WORKFLOWS / "release.yml").read_text("utf-8")
    assert "secrets." not in text
    assert "password" not in text
    assert text.index(".ci/run") < text.index(".ci/release") < text.index("gh-action-pypi-publish")
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
    (listed,) = (each.value for each in tree.body if isinstance(each, ast.Assign) and "MODULES" in ast.unparse(each))
    modules = ast.literal_eval(listed)
    assert list(modules) == sorted(set(modules))
    assert {f"games/{game}/rules.py" for game in kifu.games.names()} <= set(modules)
    sources = {each: (ROOT / each).read_text("utf-8") for each in modules}
    made = re.compile(r"^@(attrs\.)?(frozen|define|mutable)", re.MULTILINE)
    assert [each for each, source in sources.items() if made.search(source)] == []


def test_a_source_distribution_is_the_same_whenever_it_was_packed() -> None:
    """The order of files, their times and owners, and the time in the head of gzip are those of the commit."""

    def packed(names: list[str], when: int) -> bytes:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name in names:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime, entry.uid, entry.uname = 1, when, when, f"user{when}"
                archive.addfile(entry, io.BytesIO(name[:1].encode()))
        return out.getvalue()

    repacked = script("repack").repacked
    first, second = packed(["a", "b"], 1), packed(["b", "a"], 2)
    assert first != second
    assert repacked(first, 9) == repacked(second, 9)
    with tarfile.open(fileobj=io.BytesIO(repacked(first, 9))) as archive:
        assert [(each.name, each.mtime, archive.extractfile(each).read()) for each in archive] == [
            ("a", 9, b"a"),
            ("b", 9, b"b"),
        ]
