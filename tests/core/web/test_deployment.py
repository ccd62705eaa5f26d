"""`docs/deploy.md`, run: its nginx configuration, its systemd unit, and hosts that are killed again and again."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"


@pytest.fixture
def hosts(monkeypatch):
    """Return the benchmark of hosts, as a module."""
    pytest.importorskip("uvicorn", reason="needs kifu[web]")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return module(ROOT / "benchmarks" / "hosts.py")


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture
def nginx():
    return shutil.which("nginx", path=PATH) or pytest.skip("needs nginx")


def accepts(nginx, folder, text):
    (folder / "nginx.conf").write_text(text)
    command = [nginx, "-t", "-c", str(folder / "nginx.conf"), "-p", str(folder), "-e", str(folder / "nginx.log")]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "[warn]" not in checked.stderr


@pytest.mark.parametrize("ports", [[8001], [8001, 8002]], ids=["one host", "several hosts"])
def test_nginx_accepts_the_configuration(hosts, nginx, tmp_path, ports):
    text = hosts.nginx_configuration(tmp_path, 8000, ports)
    assert text.count("server 127.0.0.1:") == len(ports)
    accepts(nginx, tmp_path, text)


def test_systemd_accepts_the_unit(tmp_path):
    verify = shutil.which("systemd-analyze") or pytest.skip("needs systemd")
    guide = (ROOT / "docs" / "deploy.md").read_text("utf-8")
    (unit,) = re.findall(r"((?:    .*\n|\n)*    \[Unit\]\n(?:    .*\n|\n)*)", guide)
    text = re.sub(r"^    ", "", unit.strip("\n"), flags=re.MULTILINE)
    assert "\nExecStart=/opt/kifu/bin/replay serve " in text
    assert {"Restart=always", "RestartSec=0.2", "StartLimitIntervalSec=0"} <= {*text.split("\n")}, (
        "back at once, always"
    )
    (tmp_path / "kifu@8001.service").write_text(text.replace("/opt/kifu/bin/replay", shutil.which("true")))
    checked = subprocess.run(
        [verify, "verify", "--man=no", str(tmp_path / "kifu@8001.service")], capture_output=True, text=True
    )
    ours = [line for line in checked.stderr.splitlines() if "kifu" in line]
    assert (checked.returncode, ours) == (0, [])


@pytest.mark.long
def test_hosts_behind_nginx_of_which_one_is_killed_again_and_again(nginx):
    """The benchmark has the figures of 500 matches; how late a deadline is here is the machine's."""
    pytest.importorskip("psycopg", reason="needs kifu[postgres]")
    pytest.importorskip("uvicorn", reason="needs kifu[web]")
    clusters = module(ROOT / "tests" / "core" / "stores" / "cluster.py")
    cluster = clusters.Cluster(clusters.binaries() or pytest.skip("needs PostgreSQL's server"))
    try:
        command = [sys.executable, str(ROOT / "benchmarks" / "hosts.py"), "--store", cluster.address("hosts")]
        few = ["--matches", "30", "--seconds", "35", "--kill-every", "6", "--most-late", "60"]
        ran = subprocess.run([*command, *few], capture_output=True, text=True, timeout=300)
    finally:
        cluster.stop()
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for wrong in ("acknowledged and lost", "matches with a command twice", "logs that are not clean"):
        assert re.search(rf"^{wrong} +0\.0* ", ran.stdout, re.MULTILINE), ran.stdout
    assert int(re.search(r"(\d+) kills", ran.stdout)[1]) >= 3
