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
    call = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-d",
        folder / "doctrees",
        DOCS,
        folder / "html",
    ]
    done = subprocess.run(call, capture_output=True, text=True, timeout=600)
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
    ],
)
def test_the_site_has_what_programs_make(site: Path, page: str, made: str) -> None:
    assert made in (site / page).read_text("utf-8")


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    for page in pages:
        for address in Loaded(page).addresses:
            assert "//" not in address, page.name
            assert (page.parent / re.split(r"[?#]", address)[0]).exists(), address
    for style in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//|@import", style.read_text("utf-8")), style.name


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("api/kifu.html", ("kifu.new", "kifu.core.match.Match.play", "kifu.core.errors.LogError")),
        (
            "api/game.html",
            ("kifu.core.game.Game.apply", "kifu.core.game.RuleViolation", "kifu.core.game.scene.Place.score"),
        ),
        ("api/log.html", ("kifu.core.log.read", "kifu.core.log.findings.Reading.findings")),
        ("api/testing.html", ("kifu.core.testing.game_laws",)),
    ],
)
def test_the_reference_is_made_of_the_docstrings(site: Path, page: str, shown: tuple[str, ...]) -> None:
    text = (site / page).read_text("utf-8")
    anchors = set(re.findall(r'<dt class="sig[^>]* id="([^"]+)"', text))
    names = {name.rpartition(".")[2] for name in anchors}
    assert {name.rpartition(".")[2] for name in shown} <= names


def test_signatures_have_the_defaults_themselves(site: Path) -> None:
    assert [page.name for page in site.glob("api/*.html") if "attr_dict" in page.read_text("utf-8")] == []
    assert "5000" in (site / "api" / "web.html").read_text("utf-8")
