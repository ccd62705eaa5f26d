"""An address opens its store and loads no other's library; any other raises one line without secrets."""

import subprocess
import sys
from pathlib import Path

import pytest
from kifu.core.errors import StoreError
from kifu.core.stores import open_store

NO_ADDRESSES = [
    "",
    "memory",
    "memory:x",
    "sqlite",
    "sqlite:",
    "redis://u:geheim@host/1",
    "/a/path",
    "SQLITE:x",
]


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_the_error_for_no_address_lists_the_forms_of_one(address: str) -> None:
    with pytest.raises(StoreError, match="memory:, sqlite:FILE, postgresql://") as caught:
        open_store(address)
    assert "\n" not in str(caught.value)
    assert "geheim" not in str(caught.value)


def test_who_names_a_store_of_files_is_told_where_its_logs_go() -> None:
    with pytest.raises(StoreError, match=r"replay store import sqlite:kifu\.db old/matches$"):
        open_store("files:old/matches")


@pytest.mark.parametrize("address", ["sqlite:a\0b", "sqlite:.", "sqlite:no/such/folder/a.db"])
def test_the_error_for_an_impossible_place_is_one_line(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError) as caught:
        open_store(address)
    assert "\n" not in str(caught.value)


def loaded(code: str, folder: Path) -> set[str]:
    run = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"]
    return set(subprocess.run(run, capture_output=True, text=True, check=True, cwd=folder).stdout.split())


@pytest.mark.ci
@pytest.mark.parametrize("address", ["memory:", "sqlite:here.db"])
def test_a_store_loads_its_own_library_only(address: str, tmp_path: Path) -> None:
    modules = loaded(f"import kifu.core.stores as s; s.open_store({address!r}).close()", tmp_path)
    assert ("sqlite3" in modules) is address.startswith("sqlite")
    assert "psycopg" not in modules


@pytest.mark.ci
def test_postgresql_without_its_extra_names_it(tmp_path: Path) -> None:
    code = """if True:
        import sys
        sys.modules["psycopg"] = None
        from kifu.core.errors import MissingExtra
        from kifu.core.stores import open_store
        try:
            open_store("postgresql:///none")
        except MissingExtra as missing:
            print(missing)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "a store in PostgreSQL needs an extra: pip install 'kifu[postgres]'\n"
