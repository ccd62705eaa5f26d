"""`replay export`: the page and the data of a log, written where nothing is lost by it."""

import json
from pathlib import Path

import kifu
import pytest
from kifu.core.page import everyone, export, page
from kifu.core.text.texts import Texts


@pytest.mark.ci
def test_a_page_is_written_and_reported_in_one_line(replay, log: Path, match, tmp_path: Path) -> None:
    called = replay("export", log, "-o", tmp_path / "match.html")
    assert (called.code, called.err) == (0, "")
    written = (tmp_path / "match.html").read_text("utf-8")
    assert written == page(match)
    size = -(-len(written.encode()) // 1000)
    assert called.out == f"{tmp_path / 'match.html'}: {len(match.events)} steps, seen by everyone, {size} kB\n"


@pytest.mark.ci
def test_only_what_a_seat_saw_is_written(replay, log: Path, match, tmp_path: Path) -> None:
    for seat, viewer in (("2", 2), ("spectator", None)):
        called = replay("export", log, "-o", tmp_path / f"{seat}.html", "--as", seat, "--lang", "ja")
        assert (tmp_path / f"{seat}.html").read_text("utf-8") == page(match, [viewer], lang="ja")
        assert Texts("ja").seat(viewer, match.header.seats) in called.out


@pytest.mark.ci
@pytest.mark.parametrize(("name", "options"), [("m.json", ()), ("m.JSON", ()), ("m.txt", ("--format", "json"))])
def test_data_is_written_where_it_is_asked_for(replay, log: Path, match, tmp_path: Path, name: str, options) -> None:
    assert replay("export", log, "-o", tmp_path / name, *options).code == 0
    assert json.loads((tmp_path / name).read_text("utf-8")) == json.loads(json.dumps(export(match, everyone(match))))


@pytest.mark.ci
def test_the_format_asked_for_wins_over_the_name(replay, log: Path, tmp_path: Path) -> None:
    assert replay("export", log, "-o", tmp_path / "m.json", "--format", "html").code == 0
    assert (tmp_path / "m.json").read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.ci
def test_a_hyphen_is_standard_output(replay, log: Path, match) -> None:
    assert json.loads(replay("export", log, "-o", "-", "--format", "json").out)["kifu_export"] == 1
    assert replay("export", log, "-o", "-").out == page(match)


@pytest.mark.ci
def test_an_earlier_export_is_replaced(replay, log: Path, match, tmp_path: Path) -> None:
    for name in ("m.html", "m.json"):
        assert replay("export", log, "-o", tmp_path / name).code == 0
        first = (tmp_path / name).read_bytes()
        assert replay("export", log, "-o", tmp_path / name, "--as", "1").code == 0
        assert (tmp_path / name).read_bytes() != first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.html", "m.json"]


def test_no_other_file_is_ever_written_over(replay, log: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<!doctype html><title>my homepage</title>")
    (tmp_path / "folder.html").mkdir()
    logged = log.read_bytes()
    for file in (tmp_path / "page.html", tmp_path / "folder.html", log):
        called = replay("export", log, "-o", file)
        assert called.code == 2
        assert called.err == f"replay: {file}: it exists already and is no earlier export; give another name\n"
    assert "my homepage" in (tmp_path / "page.html").read_text()
    assert log.read_bytes() == logged


def test_a_bad_log_is_exported_as_far_as_it_is_good(replay, illegal: Path, tmp_path: Path) -> None:
    called = replay("export", illegal, "-o", tmp_path / "m.json")
    assert called.code == 1
    assert "✗ event 6: against the rule TS-2: " in called.out
    data = json.loads((tmp_path / "m.json").read_text("utf-8"))
    assert len(data["acted"]) == 6
    assert data["findings"][0]["rule"] == "TS-2"
    seat = replay("export", illegal, "-o", tmp_path / "m.json", "--as", "0")
    assert "not in the hand" not in seat.out + (tmp_path / "m.json").read_text("utf-8").partition('"rules"')[0]


@pytest.mark.parametrize("name", ["m.xyz", "m", "m.html.txt"])
def test_an_unknown_ending_is_refused_unless_the_format_is_given(replay, log: Path, tmp_path: Path, name: str) -> None:
    called = replay("export", log, "-o", tmp_path / name)
    assert (called.code, called.out) == (2, "")
    assert called.err.endswith("give a name that ends in .html or .json, or the format with --format\n")
    assert list(tmp_path.iterdir()) == []
    assert replay("export", log, "-o", tmp_path / name, "--format", "html").code == 0


# A folder


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Three logs: two that are whole in folders, under one name, and an empty one."""
    folder = tmp_path / "logs"
    for sub, game in (("a", "cake"), ("b", "palace")):
        (folder / sub).mkdir(parents=True)
        kifu.new(game, ["Aki", "Ren <b>", "Mio"], seed=bytes(32)).save(folder / sub / "one & two.log")
    (folder / "empty.log").write_bytes(b"")
    return folder


def test_a_folder_is_written_as_pages_that_link_to_each_other_and_an_index(replay, logs: Path, tmp_path: Path) -> None:
    called = replay("export", logs, "-o", tmp_path / "pages")
    assert (called.code, called.err) == (1, "")
    assert called.out.splitlines()[0] == f"{tmp_path / 'pages'}: 2 matches, index.html lists them"
    first, second = "log-a-one & two", "log-b-one & two"
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == sorted(
        ["index.html", f"{first}.html", f"{second}.html"]
    )
    match = kifu.load(logs / "a" / "one & two.log")
    links = [("index", "index.html", "1 / 2"), ("next", "log-b-one%20%26%20two.html", f"{second} ▸")]
    written = (tmp_path / "pages" / f"{first}.html").read_text("utf-8")
    assert written == page(match, links=links)
    assert written.index('<nav id="links">') < written.index("one &amp; two ▸") < written.index("<script")
    index = (tmp_path / "pages" / "index.html").read_text("utf-8")
    english, japanese = index.index('<main lang="en">'), index.index('<main lang="ja">')
    for text, start in (
        ("Marie&#x27;s Cake", english),
        ("マリーのケーキ", japanese),
        ("goes on", english),
        ("対局中", japanese),
    ):
        assert text in index[start:]
    for text in ("Ren &lt;b&gt;", 'href="log-a-one%20%26%20two.html"', "no log: the file is empty"):
        assert text in index
    assert "<b>" not in index


def test_a_folder_is_written_again_over_its_export_and_nothing_else(replay, logs: Path, tmp_path: Path) -> None:
    assert replay("export", logs, "-o", tmp_path / "pages").code == 1
    assert replay("export", logs, "-o", tmp_path / "pages", "--as", "1", "--lang", "ja").code == 1
    assert '<main lang="en">' not in (tmp_path / "pages" / "index.html").read_text("utf-8")
    (tmp_path / "pages" / "index.html").write_text("mine")
    called = replay("export", logs, "-o", tmp_path / "pages")
    assert (called.code, called.err.count("\n")) == (2, 1)
    assert (tmp_path / "pages" / "index.html").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--format", "json"), "folder of pages"),
        (("--analysis", "a.json"), "folder of pages"),
        (("--as", "Nobody"), "nothing could be exported"),
    ],
)
def test_what_a_folder_cannot_be_written_as_is_said(replay, logs: Path, tmp_path: Path, options, said: str) -> None:
    called = replay("export", logs, "-o", tmp_path / "pages", *options)
    assert (called.code, called.err.count("\n")) == (2, 1)
    assert said in called.err
    assert not (tmp_path / "pages").exists()


def test_a_folder_without_logs_is_refused(replay, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    assert "no *.log in" in replay("export", tmp_path / "logs", "-o", tmp_path / "pages").err
