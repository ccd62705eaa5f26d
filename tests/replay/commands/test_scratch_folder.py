"""What a server keeps while it runs goes with it, however it ends."""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")
from kifu.replay.serving import scratch_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")

HOLD = """
import sys
from kifu.replay.serving import scratch_folder
with scratch_folder("mine-") as folder:
    (folder / "kept").write_text("x")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def names(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


def test_a_folder_is_removed_at_the_end_and_that_of_the_dead_by_the_next(folder):
    (folder / "mine-of-another-program").mkdir()
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        held = Path(process.stdout.readline().decode().strip())
        with scratch_folder("mine-") as own:
            assert sorted(names(folder)) == sorted(["mine-of-another-program", held.name, own.name])
        assert (held / "kept").exists(), "its server lives"
        process.kill()
    assert held.exists()
    with scratch_folder("other-"):
        assert held.exists(), "another kind of folder"
    with scratch_folder("mine-") as own:
        assert sorted(names(folder)) == sorted(["mine-of-another-program", own.name])
    assert names(folder) == ["mine-of-another-program"]


@pytest.mark.long
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_server_that_is_stopped_leaves_nothing(folder, sent, code):
    command = [sys.executable, "-m", "kifu.replay", "serve", "--port", "0", "--store", "memory:", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        address = re.search(r"http://\S+", server.stdout.readline().decode())[0]
        urlopen(f"{address}health/live").close()
        assert any(name.startswith("kifu-analyses-") for name in names(folder))
        server.send_signal(sent)
        assert server.wait(60) == code
    assert names(folder) == []
