"""An address opens its store and loads no other's library; any other raises one line without secrets."""

import subprocess
import sys
from pathlib import Path

import pytest
from kifu.core.errors import MissingExtra, StoreError
from kifu.core.stores import open_store

NO_ADDRESSES = ["", "memory", "memory:x", "sqlite", "sqlite:", "redis://u:geheim@host/1", "/a/path", "SQLITE:x"]


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


@pytest.mark.ci
def test_a_store_loads_its_own_library_only(tmp_path: Path) -> None:
    code = """if True:
        import sys
        from kifu.core.stores import open_store
        for address in ("memory:", "sqlite:here.db"):
            open_store(address).close()
            print(*(name in sys.modules for name in ("sqlite3", "psycopg")))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "False False\nTrue False\n"


def test_postgresql_without_its_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for name in ("postgres", "postgres_connections"):
        monkeypatch.delitem(sys.modules, f"kifu.core.stores.{name}", raising=False)
    with pytest.raises(MissingExtra, match=r"^a store in PostgreSQL needs an extra: pip install 'kifu\[postgres\]'$"):
        open_store("postgresql:///none")
