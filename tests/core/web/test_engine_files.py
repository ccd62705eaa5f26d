"""The engine that a page may load: made once; its worker alone may compile WebAssembly; nothing else is given out."""

from __future__ import annotations

from gzip import compress

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.core.errors import KifuError
from kifu.core.host import Host
from kifu.core.stores import MemoryStore
from kifu.core.web import app
from kifu.core.web.page import POLICY
from starlette.testclient import TestClient


class Missing(KifuError):
    """What a maker raises."""


@pytest.fixture
def asked(tmp_path):
    """Return a function that opens a client of an app with this maker of an engine."""
    return lambda make: TestClient(app(Host(MemoryStore()), engine=make), base_url="http://localhost")


def test_the_files_are_made_once_and_only_the_worker_may_compile(asked, tmp_path):
    folder = tmp_path / "kifu"
    (folder / "runtime").mkdir(parents=True)
    for name in ("kifu.js", "worker.js", "runtime/a.wasm"):
        (folder / name).write_text(name)
    (folder / "runtime" / "b.wasm").write_text("plain")
    (folder / "runtime" / "b.wasm.gz").write_bytes(compress(b"packed"))
    (tmp_path / "secret.pem").write_text("key")
    made = []
    with asked(lambda: made.append(1) or folder) as client:
        for name, kind in (("kifu.js", "text/javascript"), ("runtime/a.wasm", "application/wasm")):
            got = client.get(f"/engine/{name}")
            assert (got.status_code, got.text) == (200, name)
            assert got.headers["content-type"].startswith(kind)
            assert got.headers["content-security-policy"] == POLICY
        for accepted, text in (("gzip", "packed"), ("identity", "plain")):
            assert client.get("/engine/runtime/b.wasm", headers={"accept-encoding": accepted}).text == text
        worker = client.get("/engine/worker.js")
        assert "'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
        assert "wasm" not in client.get("/").headers["content-security-policy"]
        again = client.get("/engine/worker.js", headers={"if-none-match": worker.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        for name in ("../secret.pem", "..%2fsecret.pem", "runtime", "", "runtime/../../secret.pem"):
            assert client.get(f"/engine/{name}").status_code == 404, name
    assert made == [1]


def test_a_server_without_it_says_so(asked):
    def fails():
        raise Missing("no runtime")

    for make in (None, fails):
        with asked(make) as client:
            assert client.get("/engine/kifu.js").status_code == 404
