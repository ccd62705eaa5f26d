"""A site on servers as they are installed, under a strict policy, and updated `KIFU_UPDATES` times under open pages."""

import os
import re
import shutil
import socket
import subprocess
import tarfile
import time
from gzip import GzipFile
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("playwright", reason="needs kifu[dev]")
pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.replay.browser import site

pytestmark = pytest.mark.ci

TIMEOUT_MS = 120_000
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self' blob:; "
    "img-src 'self' data:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The one of `docs/browser.md`."""
STOCK = """
daemon off; pid {folder}/pid; error_log stderr;
events {{}}
http {{
  include /etc/nginx/mime.types; default_type application/octet-stream; access_log off;
  server {{
    listen 127.0.0.1:{port};
    location /games/ {{ alias {site}/; gzip_static on; add_header Content-Security-Policy "{policy}"; }}
  }}
}}
"""
KEPT = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
NEWEST = "(window.kifuTransport?.engine.match(/v-[^/]+/) ?? [])[0]"


@pytest.fixture
def nginx(written: Path, tmp_path: Path):
    """The site below a path of Debian's nginx."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("needs nginx")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for folder in (written, *written.parents):
        if not folder.stat().st_mode & 0o001:
            folder.chmod(0o755)  # for the user of nginx
    configured = tmp_path / "nginx.conf"
    configured.write_text(STOCK.format(folder=tmp_path, port=port, site=written, policy=POLICY))
    running = subprocess.Popen([program, "-c", str(configured), "-p", str(tmp_path)])
    with socket.socket() as asked:
        while asked.connect_ex(("127.0.0.1", port)):
            assert running.poll() is None, "nginx has ended"
            time.sleep(0.01)
    yield f"http://127.0.0.1:{port}/games/"
    running.terminate()
    running.wait()


@pytest.fixture
def visit(browser: Any):
    """Open an address in a browser of its own; its page may report no error."""
    errors: list[str] = []
    contexts = []

    def open_page(address: str) -> Any:
        contexts.append(browser.new_context(locale="en-GB", reduced_motion="reduce"))
        page = contexts[-1].new_page()
        contexts[-1].set_default_timeout(TIMEOUT_MS)
        contexts[-1].on("weberror", lambda each: errors.append(str(each.error)))
        contexts[-1].on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def test_debian_s_nginx_serves_a_site_below_a_path_under_the_strictest_policy(nginx, visit) -> None:
    page = visit(nginx)
    page.locator(".row").first.click()
    page.locator("#verdict.right").wait_for()
    with page.context.expect_page() as shown:
        page.locator("#do-steps").click()
    shown.value.locator(".steps .step").nth(1).wait_for()


def test_without_scripts_a_page_says_so(written: Path, served, browser: Any) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        for name in ("", "steps.html"):
            page.goto(served(written)[0] + name)
            assert "JavaScript" in page.inner_text("body")


def update(folder: Path, *, spoilt: bool = False) -> str:
    """Write the next version into a site; `spoilt`: a file has come from another one. Return the version's name."""
    *older, old = sorted(folder.glob("v-*"))
    for each in older:
        shutil.rmtree(each)
    new = folder / f"v-z{int(old.name[3:]) + 1 if old.name.startswith('v-z') else 1:04}"
    shutil.copytree(old, new)
    mark(new)
    for name in ("index.html", "steps.html"):
        page = folder / name
        page.write_text(page.read_text("utf-8").replace(old.name, new.name), "utf-8")
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    kept = [name for name in names if not name.startswith(old.name) and name not in ("sw.js", site.MARK)]
    site._write_service_worker(folder, sorted(kept), keeps_logs=True)
    if spoilt:
        (new / "words.js").write_text("const siteWords = {};\n", "utf-8")
    return new.name


def mark(version: Path) -> None:
    """Have the engine and the words of a version say its name."""
    archive, words = version / "kifu" / "engine.data", version / "words.js"
    with tarfile.open(archive) as packed:
        files = {each.name: packed.extractfile(each).read() for each in packed}  # type: ignore[union-attr]  # all are files
    said = files["kifu/replay/texts/en.ftl"]
    files["kifu/replay/texts/en.ftl"] = re.sub(rb"(?m)^audit-fine = .*", b"audit-fine = " + version.name.encode(), said)
    with GzipFile(archive, "w", 1, mtime=0) as content, tarfile.open(fileobj=content, mode="w|") as packed:
        for name, each in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(each)
            packed.addfile(entry, BytesIO(each))
    words.write_text(
        re.sub(r'"site-title": ?\["[^"]*"', f'"site-title": ["{version.name}"', words.read_text("utf-8")), "utf-8"
    )


def test_a_new_version_waits_until_it_is_asked_for_and_none_is_mixed_with_another(
    written, served, visit, tmp_path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(written, folder)
    address, stop = served(folder)
    page = visit(address)
    page.wait_for_function(KEPT)
    first = page.evaluate(NEWEST)
    second = update(folder)
    page.reload()
    page.locator("#new-version").wait_for()
    assert page.evaluate(NEWEST) == first, "it does not take over while the page is open"
    page.locator("#new-version").click()
    page.wait_for_function(f"() => {NEWEST} === '{second}'")
    update(folder, spoilt=True)
    page.reload()
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update().catch(() => {})")
    page.wait_for_function("navigator.serviceWorker.getRegistration().then(({ installing }) => !installing)")
    assert page.evaluate("navigator.serviceWorker.getRegistration().then(({ waiting }) => !waiting)"), "it is spoilt"
    stop()
    page.reload()
    assert page.evaluate(NEWEST) == second
    page.locator(".row").first.click()
    page.locator("#verdict.right").wait_for()


MANY = int(os.environ.get("KIFU_UPDATES", "200"))


@pytest.mark.long
def test_a_site_of_500_logs_is_updated_under_open_tabs_with_and_without_a_network(
    written, served, visit, tmp_path
) -> None:
    """A tab starts its engine when a new version is there already: what it says is said by the version of the tab."""
    folder = tmp_path / "site"
    shutil.copytree(written, folder)
    logs = sorted((written / "logs").rglob("*.log"))
    for number in range(500 - len(logs)):
        shutil.copy(logs[number % len(logs)], folder / "logs" / f"more_{number:03}.log")
    now = update(folder)
    address, stop = served(folder)
    port = urlsplit(address).port
    first = visit(address)
    first.wait_for_function(KEPT)
    other = first.context.new_page()
    for number in range(MANY):
        for tab in (first, other):
            tab.goto(address)
            assert said_by(tab) == {now}
        then = update(folder)
        first.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        for tab in (first, other):
            tab.locator("#new-version").wait_for()
        if number % 2:
            stop()
        judging = (first, other)[number // 2 % 2]
        judging.locator(".row").first.click()
        judging.locator("#verdict.right").wait_for()
        assert said_by(judging) == {now}
        (other if judging is first else first).locator("#new-version").click()
        for tab in (first, other):
            tab.wait_for_function(f"() => {NEWEST} === '{then}'")
        judging.locator("#verdict.right").wait_for()
        assert said_by(judging) == {then}
        if number % 2:
            _, stop = served(folder, port)
        now = then


def said_by(tab: Any) -> set[str]:
    """The versions that a page knows of: its scripts', its words', and that of the engine which has judged a log."""
    judged = tab.locator("#verdict strong").all_inner_texts()
    return {tab.evaluate(NEWEST), tab.evaluate("siteWords['site-title'][0]"), *judged}
