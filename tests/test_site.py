"""The docs as a site: every page has its place, every link leads somewhere, and nothing is asked of another site."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("furo", reason="needs Sphinx, MyST and Furo (pip install 'kifu[dev]')")

DOCS = Path(__file__).parents[1] / "docs"
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built so that a warning is an error: a page in no toctree, a link that leads nowhere."""
    folder = tmp_path_factory.mktemp("site")
    call = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", folder / "doctrees"]
    done = subprocess.run([*call, DOCS, folder / "html"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return folder / "html"


class Loaded(HTMLParser):
    """What a page loads of itself."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list) -> None:
        address = dict(attrs).get(LOADS.get(tag, ""))
        if address is not None:
            self.addresses.append(address)


def test_every_page_is_there(site: Path) -> None:
    pages = [page.relative_to(DOCS) for kind in ("md", "rst") for page in DOCS.rglob(f"*.{kind}")]
    pages = [page for page in pages if page.parts[0] != "examples"]
    assert len(pages) > 20
    assert [page for page in pages if not (site / page).with_suffix(".html").exists()] == []


@pytest.mark.parametrize(
    ("page", "made"),
    [
        ("cli.html", "Find the shortest match that still shows it"),
        ("rules/cake.html", "What you try to do"),
        ("rules/cake.html", "the brother who chooses"),
        ("rules/ja/cake.html", "裁定"),
        ("game-reference.html", "the state before the first event"),
        ("benchmarks.html", "commands of fifty clients"),
        ("api/kifu.html", 'id="kifu.new"'),
        ("api/game.html", '.Place.score"'),
        ("api/log.html", '.Reading.findings"'),
        ("api/testing.html", '.game_laws"'),
    ],
)
def test_the_site_has_what_programs_make_of_help_results_and_docstrings(site: Path, page: str, made: str) -> None:
    assert made in (site / page).read_text("utf-8")


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    for page in pages:
        for address in Loaded(page).addresses:
            assert "//" not in address, page.name
            assert (page.parent / re.split(r"[?#]", address)[0]).exists(), address
    for style in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//|@import", style.read_text("utf-8")), style.name


def test_signatures_have_the_defaults_themselves(site: Path) -> None:
    assert [page.name for page in site.glob("api/*.html") if "attr_dict" in page.read_text("utf-8")] == []
    assert "5000" in (site / "api" / "web.html").read_text("utf-8")
