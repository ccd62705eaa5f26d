"""Charts in files: they parse, hold what was counted, and ask nothing of any network."""

import json
import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from kifu.core.text.texts import Texts
from kifu.replay.stats.figures import figures, grouped

from ..conftest import FIXTURES, played

pytest.importorskip("altair", reason="needs altair (pip install 'kifu[stats]')")
vl_convert = pytest.importorskip("vl_convert", reason="needs vl-convert (pip install 'kifu[stats]')")

from kifu.replay.stats.charts import VERSION, _bins, _step, sections  # noqa: E402


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stats") / "m.log"
    match = played("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "&amp;", "Sou")
    match.save(path)
    return path


def scripts(page: str) -> list[str]:
    return re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


@pytest.mark.ci
def test_a_page_holds_its_charts_and_nothing_from_elsewhere(replay, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("m.html")
    called = replay("stats", FIXTURES / "cake", FIXTURES / "gosne", "-o", file, exits=0)
    assert called.out.endswith(f"{file}: charts\n")
    page = file.read_text("utf-8")
    data = json.loads(re.search(r'id="charts">(.*?)</script>', page, re.DOTALL)[1])
    frame = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert frame.count('<figure class="chart">') == len(data["charts"]) == 16
    assert re.findall(r"<h2>(.*?)</h2>", frame)[-1] == "Gosne is Gone, 4 seats"
    assert "://" not in frame
    assert not re.search(r"\b(src|href)=|@import|url\(", frame)
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', page)[1]
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    hashes = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts(page)]
    assert f"script-src {' '.join(hashes)};" in policy


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundle no library, which takes seconds: these tests are about the file, not about what draws in it."""
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda *_: "window.vegaEmbed = null;")


@pytest.mark.usefixtures("quick")
def test_names_of_strangers_stay_text(replay, hostile: Path, tmp_path: Path) -> None:
    assert replay("stats", hostile, "-o", tmp_path / "m.html").code == 0
    page = (tmp_path / "m.html").read_text("utf-8")
    assert len(scripts(page)) == 2
    assert "alert(1)" not in "".join(scripts(page))
    assert "<img" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


@pytest.mark.usefixtures("quick")
def test_a_file_of_another_kind_is_not_written(refused, hostile: Path, tmp_path: Path) -> None:
    for name in ("m.log", "m", "m.svg"):
        assert "ends in .html" in refused("stats", hostile, "-o", tmp_path / name)
    refused("stats", hostile, "-o", tmp_path / "none" / "m.html")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("quick")
def test_only_earlier_charts_are_written_over(replay, hostile: Path, tmp_path: Path) -> None:
    file = tmp_path / "m.html"
    for _ in range(2):
        assert replay("stats", hostile, "-o", file).code == 0
    file.write_bytes(b"mine")
    called = replay("stats", hostile, "-o", file)
    assert (called.code, called.out, file.read_bytes()) == (2, "", b"mine")
    assert "file of charts" in called.err


@pytest.mark.usefixtures("quick")
def test_on_standard_output_is_the_page_alone(replay, hostile: Path) -> None:
    called = replay("stats", hostile, "-o", "-")
    assert called.out.startswith("<!doctype html>")
    assert called.out.endswith("</html>\n")


@pytest.mark.ci
def test_every_chart_compiles_in_both_languages_without_a_warning() -> None:
    groups = grouped(map(figures, FIXTURES.rglob("*.log")))
    for lang in ("en", "ja"):
        ((_, charts), *_) = sections(groups, Texts(lang, "kifu.replay"))
        for chart in charts:
            assert vl_convert.vegalite_to_vega(chart.to_dict(), vl_version=VERSION)["marks"]


def test_bars_hold_all_that_was_counted() -> None:
    for numbers in ([7], [0, 23], [0, 24], [-17, 4], [1, 2, 3, 900], range(0, 100_000, 997)):
        counted, step = Counter(numbers), _step(numbers)
        bars = _bins(counted, step)
        assert sum(bar["matches"] for bar in bars) == len(numbers)
        assert len(bars) <= 24
        assert all(bar["to"] - bar["from"] == step for bar in bars)
        assert all(any(bar["from"] < number < bar["to"] for bar in bars) for number in numbers)


@pytest.mark.ci
def test_a_browser_draws_the_page_offline(replay, browser, hostile: Path, tmp_path: Path) -> None:
    replay("stats", hostile, "-o", tmp_path / "one.html")
    replay("stats", FIXTURES / "cake", "-o", tmp_path / "many.html", "--lang", "ja")
    for name, charts in (("one.html", 3), ("many.html", 12)):
        wrong: list[str] = []
        tab = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
        tab.on("console", lambda message, wrong=wrong: wrong.append(message.text))
        tab.on("pageerror", lambda error, wrong=wrong: wrong.append(str(error)))
        tab.on("request", lambda request, wrong=wrong: wrong.append(request.url))
        tab.goto((tmp_path / name).as_uri())
        tab.evaluate("window.drawn.then(() => true)")
        assert tab.locator("figure svg.marks").count() == charts
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        assert wrong == [(tmp_path / name).as_uri()]
        tab.close()
