"""The runtime is what kifu was tested with, or is refused; the archive is the same whoever writes it."""

import gzip
import re
import shutil
import tarfile
from configparser import ConfigParser
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs kifu[web]")
pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.core.errors import LogError
from kifu.replay.browser import bundle, runtime, site
from kifu.replay.call_errors import CallError

GOLDEN = Path(__file__).parents[3] / "fixtures" / "cake" / "four_seats.log"


def test_files_that_are_missing_are_named_with_the_way_to_get_them(tmp_path):
    with pytest.raises(CallError, match=r"has no pyodide-.*npm pack pyodide@.*pip download .*--runtime"):
        runtime.fetch_runtime(tmp_path)


@pytest.mark.parametrize("name", ["nothing", "file"])
def test_what_is_no_folder_is_named_as_such(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(CallError, match=rf"{name} is not a folder: fetch the runtime with"):
        runtime.fetch_runtime(tmp_path / name)


def test_another_file_than_the_one_that_was_tested_is_refused(tmp_path):
    for name in runtime.HASHES:
        (tmp_path / name).write_bytes(b"something else")
    with pytest.raises(CallError, match="not the file that kifu was tested with"):
        runtime.fetch_runtime(tmp_path)


def test_a_machine_without_npm_is_told_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(runtime.shutil, "which", lambda _: None)
    with pytest.raises(CallError, match=r"npm is not installed: fetch the runtime with"):
        runtime.fetch_runtime()


@pytest.fixture
def without_engine(monkeypatch):
    """Sites of the library alone, which are written at once."""
    for name in ("fetch_runtime", "_write_version"):
        monkeypatch.setattr(site, name, lambda *_, **__: None)


def test_a_folder_of_something_else_is_never_written_over(tmp_path, without_engine):
    (tmp_path / "thesis.txt").write_text("three years of work")
    with pytest.raises(CallError, match="is not a site of kifu"):
        site.write_site(tmp_path, [])
    assert [*tmp_path.iterdir()] == [tmp_path / "thesis.txt"]


@pytest.mark.parametrize("is_new", [True, False])
def test_a_log_that_cannot_be_read_leaves_the_folder_as_it_was(tmp_path, without_engine, is_new):
    folder = tmp_path / "site"
    if not is_new:
        site.write_site(folder, [site.Listed("one.log", b"1", {"game": "cake", "started": None})])
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}

    def logs():
        yield site.Listed("two.log", b"2", {"game": "cake", "started": None})
        raise LogError("file", "cannot be read")

    with pytest.raises(LogError):
        site.write_site(folder, logs())
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_the_logs_of_a_site_are_there_until_it_is_written_anew(tmp_path, without_engine, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = Path("site")
    site.write_site(folder, [site.Listed("a/one.log", b"1", {"game": "cake", "started": None})])
    own = (
        site.Listed("two.log", path.read_bytes(), {"game": "cake", "started": None})
        for path in [folder / "logs" / "a" / "one.log"]
    )
    assert site.write_site(folder, own).logs == 1
    assert [path.name for path in (folder / "logs").iterdir()] == ["two.log"]
    assert {path.name for path in folder.iterdir()} == {"kifu-site", "library.json", "logs", "sw.js"}


def test_logs_lie_below_the_sites_own_folder_and_are_kept_by_the_addresses_that_the_page_asks_for(
    tmp_path, without_engine, monkeypatch
):
    (tmp_path / "work").mkdir()
    names = ["a&b.log", "round #1.log", "50%.log", "game (1).log", "line\nfeed.log"]
    for name in names:
        shutil.copy(GOLDEN, tmp_path / name)
    monkeypatch.chdir(tmp_path / "work")
    found = [Path("..", name) for name in names] + [Path("../work/../../", tmp_path.name, names[0])]
    written = site.listed(found, found, refused := [])
    assert site.write_site(Path("site"), written).logs == len(found)
    assert not refused
    assert {path.name for path in tmp_path.iterdir()} == {"work", *names}
    files = (Path("site") / "sw.js").read_text("utf-8")
    for address in ("logs/a%26b.log", "logs/round%20%231.log", "logs/50%25.log", "logs/game%20(1).log", "logs/4.log"):
        assert f'"{address}"' in files


def test_the_engine_of_a_server_is_the_package_in_a_folder_of_its_own_with_what_is_large_packed(tmp_path, monkeypatch):
    def written(folder, runtime):
        assert runtime == "the runtime"
        (folder / "runtime").mkdir()
        (folder / "runtime" / "python.wasm").write_bytes(b"large")

    monkeypatch.setattr(site, "fetch_runtime", lambda _: "the runtime")
    monkeypatch.setattr(site, "write_package", written)
    made = site.ServedEngine(tmp_path)()
    assert made.parent == tmp_path
    assert gzip.decompress((made / "runtime" / "python.wasm.gz").read_bytes()) == b"large"


def test_the_archive_has_the_engine_and_nothing_of_a_server_or_of_tests(tmp_path):
    pytest.importorskip("prometheus_client", reason="needs kifu[web]")
    for name in ("one.data", "two.data"):
        bundle.write_engine(tmp_path / name, bundle.engine_files([]))
    assert (tmp_path / "one.data").read_bytes() == (tmp_path / "two.data").read_bytes()
    with tarfile.open(tmp_path / "one.data") as archive:
        names = archive.getnames()
    assert {"kifu/replay/browser/engine.py", "kifu/core/web/app.py", "kifu/games/mabr/rules.py"} <= {*names}
    assert not [name for name in names if "uvicorn" in name or name.startswith(("kifu/core/testing", "kifu/core/env"))]
    assert len(names) == len({*names})


def test_the_archive_takes_nothing_that_lies_beside_the_package_in_a_checkout(tmp_path, monkeypatch):
    for name in (
        "core/errors.py",
        "games/cake/rules.py",
        "setup.py",
        ".venv/lib/core/errors.py",
        "site/core/errors.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    for name in ("__init__.py", "py.typed"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(bundle, "ROOT", tmp_path)
    found = [name for name, _ in bundle._own(whole=False) if "dist-info" not in name]
    assert found == ["kifu/__init__.py", "kifu/core/errors.py", "kifu/games/cake/rules.py", "kifu/py.typed"]


def test_the_archive_knows_its_version_where_a_build_left_an_egg_info(tmp_path, monkeypatch):
    """`pip install .` leaves one in a checkout, and what runs there finds it first."""
    left = tmp_path / "kifu.egg-info"
    left.mkdir()
    (left / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: kifu\nVersion: 1.2\n")
    monkeypatch.setattr(bundle, "distribution", lambda name: PathDistribution(left))
    assert b"\nVersion: 1.2\n" in dict(bundle._own(whole=False))["kifu-1.2.dist-info/METADATA"]


def test_every_text_of_the_pages_stands_in_both_languages():
    said = site.table_page.messages("kifu.replay", "site-")
    pages = "".join(path.read_text("utf-8") for path in (site.HERE / "page").iterdir())
    assert {key for key in re.findall(r'"(site-[a-z-]+)"', pages) if not key.endswith("-")} <= {*said}
    assert all(en and ja and en != ja for key, (en, ja) in said.items() if key != "site-title")


def test_no_bot_is_listed_in_the_archive_that_cannot_be_made_there():
    files = dict(bundle._own(whole=False))
    [entries] = [name for name in files if name.startswith("kifu-") and name.endswith("entry_points.txt")]
    listed = ConfigParser(delimiters=("=",))
    listed.read_string(files[entries].decode())
    assert {"easy", "normal", "strong", "random"} <= listed["kifu.bots"].keys()
    assert {"cake", "gosne", "mabr", "palace", "take_and_share"} <= listed["kifu.games"].keys()
    for section in listed.values():
        for place in section.values():
            module = f"kifu/{place.partition(':')[0].partition('.')[2].replace('.', '/')}"
            assert {f"{module}.py", f"{module}/__init__.py"} & files.keys(), place
